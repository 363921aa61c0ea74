//! Terms come back as the expressions they were made from; paths that ran are feasible; paths that cannot run are
//! explained by predicates that each activation can name.

use base::rng::Rng;
use base::{FileId, Id};
use ir::interp::{self, Limits, PathRecorder, RandomInputs};
use ir::random::Knobs;
use ir::{EdgeId, Expr, FuncId, Ty, Var};
use logic::{Answer, Symbol, check_valid};
use refine::back::to_expr;
use refine::{Effort, Explanation, explain};
use vc::Encoder;

/// The name of a symbol of `state`: the local or global that has it.
fn leaf(enc: &Encoder<'_>, state: &vc::State, symbol: Symbol) -> Option<Expr> {
    let program = enc.program;
    let locals = program.functions[state.func()].locals.iter_enumerated().map(|(id, l)| (Var::Local(id), l.shape));
    let globals = program.globals.iter_enumerated().map(|(id, g)| (Var::Global(id), g.shape));
    let named = locals.chain(globals).find(|(v, _)| state.get(*v).and_then(|t| enc.store.as_symbol(t)) == Some(symbol));
    named.and_then(|(v, shape)| shape.scalar().map(|ty| Expr::var(v, ty)))
}

#[test]
fn terms_come_back_as_expressions_with_the_same_value() {
    let mut compared = 0;
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let program = ir::random::program(&mut rng, &Knobs::default());
        for _ in 0..4 {
            let e = ir::random::expr(&mut rng, &Knobs::default(), &program, program.entry, Ty::Bool);
            let analysis = analysis::Analysis::new(&program);
            let mut enc = Encoder::for_proof(&analysis);
            let state = enc.arbitrary(program.entry);
            let Ok(term) = enc.eval(&state, &e) else { continue };
            let Some(back) = to_expr(&enc.store, term, &|s| leaf(&enc, &state, s)) else { continue };
            ir::validate::validate_predicate(&program, program.entry, &back).expect("what comes back is well typed");
            let again = enc.eval(&state, &back).expect("what comes back has a formula");
            let same = enc.store.eq(term, again);
            match check_valid(&enc.store, &[], same, 2_000) {
                Answer::Unsat(_) => compared += 1,
                Answer::Unknown(_) => {}
                Answer::Sat(_) => {
                    let text = |e| ir::text::show_expr(&program, program.entry, e);
                    panic!("seed {seed}: {} came back as {}", text(&e), text(&back));
                }
            }
        }
    }
    assert!(compared > 200, "only {compared} expressions were compared");
}

#[test]
fn paths_that_ran_are_feasible() {
    let mut asked = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let program = ir::random::program(&mut rng, &Knobs::default());
        let mut recorder = PathRecorder::default();
        let limits = Limits { steps: 60, ..Limits::default() };
        interp::run(&program, &mut RandomInputs::new(seed), &limits, &mut recorder);
        match explain(&analysis::Analysis::new(&program), &recorder.path.edges, Effort::Backward, 20_000) {
            Explanation::Feasible(_) => asked += 1,
            Explanation::Infeasible(_) => panic!("seed {seed}: a path that ran is called infeasible"),
            Explanation::Unknown(_) => {}
        }
    }
    assert!(asked > 30, "only {asked} paths were decided");
}

const CALLS: &str = "\
model LP64
externs args
entry main

func external main() -> r {
  local r: i32
  local n: i32
  local t: i32
  locations 6 entry L0 exit L5
  e0: L0 -> L1: n := havoc nondet \"input\"
  e1: L1 -> L2: t := call inc(n)
  e2: L2 -> L3: assume (t != (n + 1:i32))
  e3: L2 -> L4: assume (t == (n + 1:i32))
  e4: L3 -> end: error assert \"t == n + 1\"
  e5: L4 -> L5: return 0:i32
}

func external inc(x: i32) -> r {
  local r: i32
  locations 3 entry L0 exit L2
  e0: L0 -> L1: x := (x + 1:i32)
  e1: L1 -> L2: return x
}
";

#[test]
fn a_callers_value_is_named_by_the_parameter_it_was_passed_as() {
    let program = ir::text::parse(FileId::from_index(0), CALLS).unwrap_or_else(|d| panic!("{d:?}"));
    let (main, inc) = (program.entry, program.function("inc").expect("it is there"));
    let edge = |f: FuncId, n: usize| (f, EdgeId::from_index(n));
    let path = [edge(main, 0), edge(main, 1), edge(inc, 0), edge(inc, 1), edge(main, 2), edge(main, 4)];
    let Explanation::Infeasible(found) = explain(&analysis::Analysis::new(&program), &path, Effort::Backward, 20_000)
    else {
        panic!("the path cannot be taken");
    };
    assert_eq!(found.core, [4], "only the last condition matters");
    let shown: Vec<String> = found
        .predicates
        .iter()
        .map(|(scope, e)| {
            let func = if let vc::Scope::Function(f) = scope { *f } else { main };
            format!("{}: {}", program.functions[func].name, ir::text::show_expr(&program, func, e))
        })
        .collect();
    assert!(shown.iter().any(|s| s.starts_with("inc: ") && s.contains("'x") && s.contains('r')), "{shown:?}");
    assert!(shown.iter().any(|s| s.starts_with("main: ") && s.contains('t') && s.contains('n')), "{shown:?}");
}

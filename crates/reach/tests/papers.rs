//! The papers' own boolean programs and what must be said about each.

use base::{Id, SourceMap, Span};
use boolprog::interp::{Goal, replay};
use boolprog::three_valued::{Kleene, Scope, State3, reachable};
use boolprog::{Dialect, Expr, GlobalId, Program, StmtId, StmtKind, Var, parse};
use reach::{Difference, Options, Reachability, analyze, equiv, targets};
use std::collections::BTreeSet;

fn read(text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("t.bp", text);
    parse(&map, Span::new(file, 0, text.len() as u32), Dialect::Bebop).expect("the program is well formed")
}

fn check(program: &Program) -> Reachability<'_> {
    let a = analyze(program, &targets(program), &Options::default()).expect("the program is small");
    assert_eq!(a.certify(), Ok(()));
    a
}

fn label(program: &Program, name: &str) -> (boolprog::ProcId, StmtId) {
    program.find_label(name)[0]
}

#[test]
fn tr00_fig5_reaches_12_by_the_printed_trajectory() {
    let program = read(include_str!("../../../examples/bebop/tr00-fig5.bp"));
    let mut a = check(&program);
    let (p, s) = label(&program, "12");
    assert!(a.reaches(p, s));
    let trace = a.trace(Goal::At(p, s), 1000).unwrap();
    assert_eq!(replay(&program, &trace, Goal::At(p, s)), Ok(()));
    let labels: Vec<&str> = trace
        .steps
        .iter()
        .filter_map(|s| program.procs[s.proc].labels_at(s.stmt).find(|l| !l.starts_with('s')))
        .collect();
    assert_eq!(labels, ["1", "5", "11", "13", "14", "6", "7", "2", "3", "8", "11", "12"]);
    // Locals are restored: in A, `a` is still false after C returned with g true.
    let at6 = trace.steps.iter().find(|s| program.procs[s.proc].labels_at(s.stmt).any(|l| l == "6")).unwrap();
    assert_eq!((at6.state.globals[0], at6.state.locals[0]), (true, false));
    // Stepping over the first call leads from [1] to [2].
    let over = trace.step_over(0).unwrap();
    assert!(program.procs[trace.steps[over].proc].labels_at(trace.steps[over].stmt).any(|l| l == "2"));
    // A context-insensitive analysis would let C return to [6] with g false.
    let (pa, s6) = label(&program, "6");
    let cubes = a.invariant(pa, s6, 100).unwrap().unwrap().cubes;
    assert_eq!(cubes.len(), 1, "{cubes:?}");
    assert!(cubes[0].contains(&(Var::Global(GlobalId::from_index(0)), true)));
}

#[test]
fn tacas01_fig1_is_safe_from_every_entry() {
    let program = read(include_str!("../../../examples/bebop/tacas01-fig1.bp"));
    assert!(check(&program).hit().is_empty());
    let printed = include_str!("../../../examples/bebop/tacas01-fig1.bp").replace("while(!b2)", "while(b2)");
    assert!(!check(&read(&printed)).hit().is_empty(), "the loop condition as printed lets the assertion fail");
}

#[test]
fn sabs13_fig1_is_safe() {
    let program = read(include_str!("../../../examples/bebop/sabs13-fig1.bp"));
    let a = check(&program);
    assert!(a.hit().is_empty());
    let (at, _) = program.procs[program.entry]
        .body
        .iter_enumerated()
        .find(|(_, s)| matches!(s.kind, StmtKind::Assert(_)))
        .unwrap();
    let cubes = a.invariant(program.entry, at, 10).unwrap().unwrap().cubes;
    assert_eq!(cubes.iter().map(Vec::len).collect::<Vec<_>>(), [2], "p1 & p2 and nothing else");
}

#[test]
fn tr00_fig3_is_kleenes_logic() {
    use Kleene::{False, True, Unknown};
    let all = [True, False, Unknown];
    let and = [[True, False, Unknown], [False, False, False], [Unknown, False, Unknown]];
    let or = [[True, True, True], [True, False, Unknown], [True, Unknown, Unknown]];
    for (i, &a) in all.iter().enumerate() {
        for (j, &b) in all.iter().enumerate() {
            assert_eq!((a.and(b), a.or(b)), (and[i][j], or[i][j]), "{a:?} {b:?}");
        }
    }
    assert_eq!(all.map(Kleene::not), [False, True, Unknown]);
}

#[test]
fn tr00_fig4_splits_states() {
    use Kleene::{False, True, Unknown};
    let var = |i| Expr::Var(Var::Global(GlobalId::from_index(i)));
    let scope = Scope { n_globals: 2 };
    let one = |s: State3| BTreeSet::from([s]);
    let both = Expr::and([var(0), var(1)]);
    let unknown = vec![Unknown, Unknown];
    // The paper's example: exactly two states, neither of which says more than it must.
    let split = scope.split(&one(unknown.clone()), &both, false).unwrap();
    assert_eq!(split, BTreeSet::from([vec![False, Unknown], vec![Unknown, False]]));
    assert_eq!(scope.split(&one(unknown.clone()), &both, true).unwrap(), one(vec![True, True]));
    // The correction: states in which the expression already has the value are kept.
    assert_eq!(scope.split(&one(vec![False, Unknown]), &var(0), false).unwrap(), one(vec![False, Unknown]));
    assert_eq!(scope.split(&one(vec![True, Unknown]), &var(0), false).unwrap(), BTreeSet::new());
    assert_eq!(scope.split(&one(unknown.clone()), &Expr::Nondet, true).unwrap(), one(unknown.clone()));
    // In every state that S gives, the expression has the value; and every completion is below one of them.
    let e = Expr::or([Expr::not(var(0)), both]);
    for b in [false, true] {
        let states = scope.split(&one(unknown.clone()), &e, b).unwrap();
        assert!(states.iter().all(|s| scope.eval(&e, s) == Some(Kleene::definite(b)) || s.contains(&Unknown)));
        for bits in 0..4u8 {
            let full: State3 = (0..2).map(|i| Kleene::definite(bits >> i & 1 == 1)).collect();
            if scope.eval(&e, &full) == Some(Kleene::definite(b)) {
                let below = |s: &State3| s.iter().zip(&full).all(|(a, c)| *a == Unknown || a == c);
                assert!(states.iter().any(below), "{full:?} is lost");
            }
        }
    }
}

#[test]
fn a_stored_unknown_is_not_a_choice() {
    let program = read(
        "decl x, y;\nvoid main() begin\n  x := ?;\n  y := x;\n  if (x) then\n    if (!y) then\n      L: skip;\n    fi\n  fi\nend\n",
    );
    let (p, s) = label(&program, "L");
    assert!(!check(&program).reaches(p, s), "in Bebop's semantics x and y are equal");
    let start = vec![Kleene::Unknown; 2];
    let reached = reachable(2, &program.procs[p], start).unwrap();
    assert!(reached.contains(&s), "in TR00's semantics both are unknown");
}

#[test]
fn tacas01_9_sets_at_joins_lose_nothing() {
    // {<0,*>, <1,*>} is kept apart from what is correlated: after the join b2 equals b1.
    let program = read(
        "decl b1, b2;\nvoid main() begin\n  if (*) then b1, b2 := T, T; else b1, b2 := F, F; fi\n  J: assert(b1 = b2);\nend\n",
    );
    let a = check(&program);
    assert!(a.hit().is_empty());
    let (p, s) = label(&program, "J");
    assert_eq!(a.invariant(p, s, 10).unwrap().unwrap().cubes.len(), 2);
}

#[test]
fn recursion_has_exact_summaries() {
    // The result of f is its argument, at any depth.
    let program = read(
        "bool f(a) begin\n  decl r;\n  if (*) then r := f(!a); return !r; fi\n  return a;\nend\n\
         void main() begin\n  decl x, y;\n  y := f(x);\n  assert(x = y);\nend\n",
    );
    let a = check(&program);
    assert!(a.hit().is_empty());
    let f = program.find_proc("f").unwrap();
    assert_eq!(a.summary(f).vars.len(), 2);
}

#[test]
fn equivalence_is_modulo_enforce() {
    let text = |e: &str, rhs: &str| {
        read(&format!("decl a, b;\nvoid main() begin\n  enforce {e};\n  a := {rhs};\n  L: assert(a | b);\nend\n"))
    };
    let a = text("!(a & b)", "schoose[b, a & b]");
    assert_eq!(equiv(&a, &text("!(a & b)", "schoose[b, F]")), Ok(()));
    let without = text("T", "schoose[b, F]");
    assert_eq!(equiv(&text("T", "schoose[b, F]"), &without), Ok(()));
    match equiv(&text("T", "schoose[b, a & !b]"), &without) {
        Err(Difference::Relation { proc, only_in_first, witness, .. }) => {
            assert_eq!((proc.as_str(), only_in_first), ("main", false));
            assert!(witness.contains(&("a".to_owned(), Some(true), Some(true))), "{witness:?}");
        }
        other => panic!("{other:?}"),
    }
    let shape = read("decl a, b;\nvoid main() begin\n  a := schoose[b, F];\n  L: skip;\nend\n");
    assert!(matches!(equiv(&without, &shape), Err(Difference::Shape(_, s)) if s.index() == 1));
    let more = read("decl a, b, c;\nvoid main() begin\n  a := b;\n  L: assert(a | b);\nend\n");
    assert_eq!(equiv(&without, &more), Err(Difference::Globals));
}

#[test]
fn limits_end_in_unknown() {
    let text = boolprog::generate::counter(16);
    let program = read(&text);
    let few = Options { max_steps: 100, ..Options::default() };
    let end = analyze(&program, &targets(&program), &few).unwrap_err();
    assert_eq!(end.to_string(), "limit of 100 visits of statements reached");
    // A function that needs many nodes in every order: the middle bits of a product.
    let n = 14;
    let mut text = String::from("void main() begin\n  decl r");
    for i in 0..n {
        text.push_str(&format!(", a{i}, b{i}"));
    }
    text.push_str(";\n  r := F;\n");
    for i in 0..n {
        for j in 0..n {
            text.push_str(&format!("  r := r != (a{i} & b{j} & a{});\n", (i * 5 + j * 3) % n));
        }
    }
    text.push_str("  if (r) then SLIC_ERROR: skip; fi\nend\n");
    let program = read(&text);
    let tight = Options { memory: 1 << 16, ..Options::default() };
    assert_eq!(analyze(&program, &targets(&program), &tight).unwrap_err(), reach::Unknown::OutOfNodes);
}

#[test]
fn generated_benchmarks_have_their_answers() {
    use boolprog::generate::{DriverShape, counter, driver, ladder, recursion, saved};
    let hit = |text: &str| !check(&read(text)).hit().is_empty();
    assert!(hit(&ladder(12)));
    assert!(hit(&counter(6)));
    assert!(!hit(&recursion(5)));
    assert!(!hit(&saved(24, 5, 3)));
    assert!(!hit(&driver(DriverShape { procs: 24, globals: 4, locals: 5, modules: 1, seed: 3 })));
    // The trace through a counter visits every value; through the ladder it is exponentially long.
    let program = read(&counter(4));
    let target = targets(&program)[0];
    let trace = check(&program).trace(target, 1000).unwrap();
    assert_eq!(replay(&program, &trace, target), Ok(()));
    let program = read(&ladder(70));
    assert!(matches!(check(&program).trace(targets(&program)[0], 1000), Err(reach::NoTrace::TooLong(_))));
}

/// All procedures work on all of twenty globals: hopeless with all variables, easy with those that matter; and the proof
/// holds for the whole program. A target that is reached is found with the variables it needs.
#[test]
fn far_variables_are_left_out_where_they_are_in_the_way() {
    let shape = boolprog::generate::DriverShape { procs: 60, globals: 20, locals: 12, modules: 1, seed: 2 };
    let text = boolprog::generate::driver(shape);
    let options = Options { project_after: Some(1000), memory: 64 << 20, ..Options::verdict() };
    let program = read(&text);
    let analysis = analyze(&program, &targets(&program), &options).unwrap();
    assert!(analysis.hit().is_empty() && analysis.stats().hidden > 500, "{:?}", analysis.stats());
    assert_eq!(analysis.certify(), Ok(()));
    let small = boolprog::generate::DriverShape { globals: 4, ..shape };
    let broken = read(&boolprog::generate::driver(small).replacen("if (x0) then unlock(); fi", "skip;", 1));
    let analysis = analyze(&broken, &targets(&broken), &options).unwrap();
    assert!(!analysis.hit().is_empty() && analysis.stats().hidden == 0, "{:?}", analysis.stats());
}

/// Locals stand by the globals that they save: twenty of them in any order are no problem.
#[test]
fn saved_globals_have_small_diagrams() {
    let program = read(&boolprog::generate::saved(24, 20, 1));
    let options = Options { project_after: None, max_work: 1_000_000, memory: 64 << 20, ..Options::verdict() };
    let analysis = analyze(&program, &targets(&program), &options).unwrap();
    assert!(analysis.hit().is_empty(), "{:?}", analysis.stats());
    let few = Options { max_work: 100, ..options };
    assert!(matches!(analyze(&program, &targets(&program), &few), Err(reach::Unknown::Work(_))));
}

/// Locals that have nothing to do with any global stand by each other, however they are declared.
#[test]
fn locals_without_globals_stand_by_affinity() {
    let names = |c: char| (0..24).map(|i| format!("{c}{i}")).collect::<Vec<_>>().join(", ");
    let each = |text: &dyn Fn(usize) -> String| (0..24).map(text).collect::<String>();
    let program = read(&format!(
        "void main() begin\n  decl {}, {};\n{}{}end\n",
        names('x'),
        names('y'),
        each(&|i| format!("  assume(x{i} = y{i});\n")),
        each(&|i| format!("  if (x{i} != y{i}) then SLIC_ERROR{i}: skip; fi\n")),
    ));
    let options = Options { project_after: None, max_work: 100_000, memory: 64 << 20, ..Options::verdict() };
    assert!(analyze(&program, &targets(&program), &options).unwrap().hit().is_empty());
}

#[test]
fn tacas01_8_and_9_boolean_against_cartesian() {
    use boolprog::trivector::{cartesian, cartesian_post, concretize, disjunctive_post, focus, post};
    // §8 example 2: x' = !y' as a relation keeps {01, 10}; the trivector forgets it.
    let program = read("decl x, y;\nvoid main() begin\n  x, y := *, * constrain ('x = !'y);\nend\n");
    let main = &program.procs[program.entry];
    let (s0, s1) = (StmtId::from_index(0), StmtId::from_index(1));
    let any = concretize(2, &vec![None, None]);
    let image = post(main, s0, s1, &any);
    assert_eq!(image.iter().map(|s| s.globals.clone()).collect::<Vec<_>>(), [vec![false, true], vec![true, false]]);
    assert_eq!(cartesian(&image), Some(vec![None, None]));
    // §8 example 3 and §9.3: assume(x1 == x2) over n variables; focus on the two keeps the dependence.
    let program = read("decl x1, x2, x3, x4;\nvoid main() begin\n  assume(x1 = x2);\nend\n");
    let main = &program.procs[program.entry];
    let top = vec![None; 4];
    assert_eq!(cartesian_post(main, s0, s1, 4, &top), Some(top.clone()));
    let focused = disjunctive_post(main, s0, s1, 4, &focus(&top, &[0, 1]));
    let pair = |b| vec![Some(b), Some(b), None, None];
    assert_eq!(focused, BTreeSet::from([pair(false), pair(true)]));
    let total = disjunctive_post(main, s0, s1, 4, &focus(&top, &[0, 1, 2, 3]));
    let all: BTreeSet<_> = total.iter().flat_map(|v| concretize(4, v)).collect();
    assert_eq!(all, post(main, s0, s1, &concretize(4, &top)), "total focus loses nothing");
    // §9.1: {<0,*>, <1,*>} is strictly below {<*,*>} where the two halves are stepped apart.
    let program = read("decl x, y;\nvoid main() begin\n  y := x;\nend\n");
    let main = &program.procs[program.entry];
    let separate = disjunctive_post(main, s0, s1, 2, &focus(&vec![None, None], &[0]));
    assert_eq!(separate, BTreeSet::from([vec![Some(false); 2], vec![Some(true); 2]]));
    assert_eq!(cartesian_post(main, s0, s1, 2, &vec![None, None]), Some(vec![None, None]));
    // Deterministic statements lose nothing on bitvectors.
    assert_eq!(cartesian_post(main, s0, s1, 2, &vec![Some(true), Some(false)]), Some(vec![Some(true); 2]));
}

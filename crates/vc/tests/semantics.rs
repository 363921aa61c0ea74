//! Single facts about the semantics in logic that random tests (in `testkit`) do not show plainly: what is arbitrary, what
//! `'x` refers to, what a contract forgets, and that nothing is left out in silence.

use base::{FileId, Id};
use ir::{EdgeId, FuncId, GlobalId, LocalId, Program, Var};
use vc::path::{PathError, path_formula};
use vc::{Cause, Encoder, InputKind};

const PROGRAM: &str = r#"
model LP64
externs any
entry main
ub div-by-zero assumed-away
ub signed-overflow ignored
global @g: i32 external = { +0 = 7:i32 }
global @own: i32 internal = zero
global @there: u8 external = unknown

func internal half(n: i32) -> $r {
  local $r: i32
  locations 3 entry L0 exit L1
  e0: L0 -> L2: @g := n
  e1: L2 -> L1: [div-by-zero: (n != 0:i32)] return (@own / n)
}

func external outside(p: i32) -> $r {
  local $r: i32
}

func external main(argc: i32) -> $r {
  local $r: i32
  local x: i32
  locations 7 entry L0 exit L1
  e0: L0 -> L2: x := havoc nondet "__VERIFIER_nondet_int"
  e1: L2 -> L3: [signed-overflow: !add_overflows(x, 1:i32)] x := (x + 1:i32)
  e2: L3 -> L4: x := call half(x)
  e3: L4 -> L5: x := call outside(x)
  e4: L5 -> L6: call outside(0:i32)
  e5: L6 -> L1: return x
}
"#;

fn g() -> Var {
    Var::Global(global(0))
}

fn own() -> Var {
    Var::Global(global(1))
}

fn global(n: usize) -> GlobalId {
    GlobalId::from_index(n)
}

fn local(n: usize) -> LocalId {
    LocalId::from_index(n)
}

fn program() -> Program {
    let program = ir::text::parse(FileId::from_index(0), PROGRAM).unwrap_or_else(|d| panic!("{}", d.message));
    ir::validate::validate(&program).unwrap_or_else(|v| panic!("{}", v[0]));
    program
}

fn edge(program: &Program, func: FuncId, n: usize) -> (EdgeId, &ir::Edge) {
    let id = EdgeId::from_index(n);
    (id, program.edge(func, id))
}

#[test]
fn a_program_starts_with_its_initial_values_and_draws_the_rest() {
    let program = program();
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let (state, effects) = enc.initial();
    assert_eq!(enc.store.small(state.get(g()).expect("a scalar")), Some(7));
    assert_eq!(enc.store.small(state.get(own()).expect("a scalar")), Some(0));
    let kinds: Vec<_> = effects.inputs.iter().map(|d| d.kind.clone()).collect();
    assert_eq!(kinds, [InputKind::StartValue(global(2)), InputKind::Argument(local(0))]);
    assert!(effects.assumptions.is_empty());
}

#[test]
fn guards_are_assumed_as_the_table_says() {
    let program = program();
    let (main, half) = (program.entry, FuncId::from_index(0));
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let mut state = enc.arbitrary(main);
    let effects = enc.step(&mut state, edge(&program, main, 1).1).expect("modelled");
    assert!(effects.assumptions.is_empty(), "an ignored kind adds nothing");
    let mut state = enc.arbitrary(half);
    let effects = enc.step(&mut state, edge(&program, half, 1).1).expect("modelled");
    let whys: Vec<Cause> = effects.assumptions.iter().map(|a| a.cause).collect();
    assert_eq!(whys, [Cause::Guard(ir::Ub::DivByZero)]);
}

#[test]
fn an_undefined_function_changes_what_the_mode_lets_it() {
    let mut program = program();
    for (externs, drawn) in [(ir::Externs::Any, 3), (ir::Externs::Args, 1), (ir::Externs::Pure, 1)] {
        program.externs = externs;
        let analysis = analysis::Analysis::new(&program);
        let mut enc = Encoder::for_proof(&analysis);
        let before = enc.arbitrary(program.entry);
        let mut after = before.clone();
        let effects = enc.step(&mut after, edge(&program, program.entry, 3).1).expect("modelled");
        assert_eq!(effects.inputs.len(), drawn, "{externs:?}");
        assert_eq!(after.get(own()), before.get(own()), "what has no external linkage is out of reach");
        assert_eq!(after.get(g()) == before.get(g()), externs != ir::Externs::Any);
        // A result that is dropped is not drawn.
        let effects = enc.step(&mut after, edge(&program, program.entry, 4).1).expect("modelled");
        assert_eq!(effects.inputs.len(), drawn - 1, "{externs:?}");
    }
}

#[test]
fn an_activation_remembers_how_it_began() {
    let program = program();
    let (main, half) = (program.entry, FuncId::from_index(0));
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let caller = enc.arbitrary(main);
    let (id, call) = edge(&program, main, 2);
    let mut state = caller.clone();
    enc.enter(&mut state, id, call).expect("modelled");
    let x = caller.get(Var::Local(local(2)));
    assert_eq!((state.get(Var::Local(local(0))), state.entry_param(local(0))), (x, x));
    enc.step(&mut state, edge(&program, half, 0).1).expect("modelled");
    assert_eq!(state.get(g()), x, "@g := n");
    assert_eq!(state.entry_shared().vars[Id::from_index(0)], caller.get(g()), "'@g is the value at the call");
    enc.step(&mut state, edge(&program, half, 1).1).expect("modelled");
    let result = state.get(Var::Local(local(1)));
    enc.leave(&mut state).unwrap();
    assert_eq!(state.func(), main);
    assert_eq!((state.get(g()), state.get(Var::Local(local(2)))), (x, result));
    assert_eq!(state.get(Var::Local(local(0))), caller.get(Var::Local(local(0))), "other locals are kept");
    assert_eq!(state.entry_shared(), caller.entry_shared(), "and the caller's own entry values");
}

#[test]
fn a_contract_forgets_what_it_may_modify_and_nothing_else() {
    let program = program();
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let before = enc.arbitrary(program.entry);
    let mut after = before.clone();
    let call = edge(&program, program.entry, 2).1;
    let end = enc
        .return_by_contract(&mut after, call, &program.globals.ids().map(|g| g == global(0)).collect())
        .expect("modelled");
    assert_ne!(after.get(g()), before.get(g()));
    assert_eq!(after.get(own()), before.get(own()));
    assert_eq!(after.get(Var::Local(local(2))), end.get(Var::Local(local(1))), "the result");
    assert_eq!(
        end.entry_shared().vars[Id::from_index(0)],
        before.get(g()),
        "the callee began with the caller's globals"
    );
    assert_eq!(end.entry_param(local(0)), before.get(Var::Local(local(2))), "and with the argument");
    assert_ne!(end.get(Var::Local(local(0))), end.entry_param(local(0)), "a parameter may have been assigned");
}

#[test]
fn a_broken_path_has_no_formula() {
    let program = program();
    let (main, half) = (program.entry, FuncId::from_index(0));
    let at = |f, n| (f, EdgeId::from_index(n));
    let whole =
        [at(main, 0), at(main, 1), at(main, 2), at(half, 0), at(half, 1), at(main, 3), at(main, 4), at(main, 5)];
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let formula = path_formula(&mut enc, &whole).expect("a path");
    assert_eq!((formula.steps.len(), formula.end.at), (8, None));
    for (i, other) in [(1, at(main, 2)), (3, at(main, 3)), (5, at(half, 1)), (7, at(main, 99))] {
        let mut broken = whole;
        broken[i] = other;
        assert_eq!(path_formula(&mut enc, &broken).err(), Some(PathError::Broken(i)));
    }
    let too_long = [&whole[..], &[at(main, 0)]].concat();
    assert_eq!(path_formula(&mut enc, &too_long).err(), Some(PathError::Broken(8)));
}

/// What has no formula is refused, and the state stays as it was.
#[test]
fn what_is_not_modelled_is_said() {
    let text = PROGRAM.replace("e4: L5 -> L6: call outside(0:i32)", "e4: L5 -> L6: call [null](0:i32)");
    let program = ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{}", d.message));
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let before = enc.arbitrary(program.entry);
    let mut state = before.clone();
    assert!(enc.step(&mut state, edge(&program, program.entry, 4).1).is_err());
    assert_eq!(state, before);
}

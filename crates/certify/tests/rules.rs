//! Each rule of the proof checker by itself: one program, its proof, and one change of the proof for each way in which a
//! rule can fail. Random false proofs of many programs are in `testkit`.

use base::{FileId, Id};
use certify::text::{parse, print, program_hash};
use certify::{CheckLimits, Proof, ProofKind, Rejection, Rule, check_proof};
use ir::Program;

const PROGRAM: &str = r#"
model LP64
externs pure
entry main
global @g: i32 internal = zero
global @h: i32 internal = { +0 = 5:i32 }

func internal bump(by: i32) -> $r {
  local $r: i32
  locations 3 entry L0 exit L1
  e0: L0 -> L2: @g := (@g + by)
  e1: L2 -> L1: return @g
}

func internal relay(by: i32) {
  local x: i32
  locations 3 entry L0 exit L1
  e0: L0 -> L2: x := call bump((by * 2:i32))
  e1: L2 -> L1: return
}

func external main() {
  local n: i32
  locations 8 entry L0 exit L1
  e0: L0 -> L2: n := havoc nondet "__VERIFIER_nondet_int"
  e1: L2 -> L3: assume (n > 0:i32)
  e2: L2 -> L4: assume (n <= 0:i32)
  e3: L3 -> L5: call relay(n)
  e4: L5 -> L2: n := (n - 1:i32)
  e5: L4 -> L6: assume ((@g & 1:i32) != 0:i32)
  e6: L4 -> L7: assume ((@g & 1:i32) == 0:i32)
  e7: L6 -> end: error reached "reach_error"
  e8: L7 -> L1: return
}
"#;

const PROOF: &str = "hardbop-proof 1
program @HASH@
function bump
  modifies @g
  at L0 := true
  at L1 := ((@g == ('@g + 'by)) && ($r == @g))
end
function relay
  modifies @g
  at L0 := (by > 0:i32)
  at L1 := (@g == ('@g + (2:i32 * 'by)))
end
function main
  modifies @g
  at L0 := (@g == 0:i32)
  at L2 := ((@g & 1:i32) == 0:i32)
  at L1 := true
end
";

fn program(text: &str) -> Program {
    let program = ir::text::parse(FileId::from_index(0), text).unwrap_or_else(|d| panic!("{}", d.message));
    ir::validate::validate(&program).unwrap_or_else(|v| panic!("{}", v[0]));
    program
}

fn proof(program: &Program, text: &str) -> Proof {
    let text = text.replace("@HASH@", &program_hash(program).to_string());
    parse(program, FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{}", d.message))
}

fn check(program: &Program, text: &str) -> Result<(), Rejection> {
    check_proof(program, proof(program, text), &CheckLimits::default()).map(drop)
}

fn changed(from: &str, to: &str) -> String {
    assert_eq!(PROOF.matches(from).count(), 1, "{from:?} names one place of the proof");
    PROOF.replace(from, to)
}

#[test]
fn the_proof_is_accepted_and_its_text_says_all_of_it() {
    let program = program(PROGRAM);
    check(&program, PROOF).unwrap_or_else(|r| panic!("{}: {}", r.rule, r.reason));
    let made = proof(&program, PROOF);
    assert_eq!(proof(&program, &print(&program, &made)), made);
}

#[test]
fn every_change_is_rejected_by_its_rule() {
    let program = program(PROGRAM);
    let cases = [
        // The initial state has another value; nothing is claimed of the start; the entry function is left out.
        (Rule::Start, "at L0 := (@g == 0:i32)", "at L0 := (@g == 1:i32)"),
        (Rule::Start, "at L0 := (@g == 0:i32)", ""),
        (Rule::Start, "at L0 := (@g == 0:i32)", "at L0 := (@h == 4:i32)"),
        // An invariant that one round of the loop breaks, or that is false at first.
        (Rule::Step, "at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := (@g == 0:i32)"),
        (Rule::Step, "at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := (@g == 2:i32)"),
        // A loop without a cut point.
        (Rule::Step, "at L2 := ((@g & 1:i32) == 0:i32)", ""),
        // A contract that the function does not keep: of its global, of its result, of a value at entry.
        (Rule::Step, "at L1 := ((@g == ('@g + 'by)) && ($r == @g))", "at L1 := (@g == '@g)"),
        (Rule::Step, "($r == @g)", "($r == 'by)"),
        (Rule::Step, "at L1 := (@g == ('@g + (2:i32 * 'by)))", "at L1 := (@g == ('@g + 'by))"),
        // An exit that is said to be reached never.
        (Rule::Step, "at L1 := ((@g == ('@g + 'by)) && ($r == @g))", ""),
        // A caller that does not keep the callee's condition; a callee that is said to be called never.
        (Rule::Call, "at L0 := (by > 0:i32)", "at L0 := (by > 1:i32)"),
        (Rule::Call, "function bump\n  modifies @g\n  at L0 := true", "function bump\n  modifies @g\n  at L0 := false"),
        // What is claimed is too weak to exclude the target.
        (Rule::Target, "at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := true"),
        (Rule::Target, "at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := ((@g & 1:i32) != 2:i32)"),
        // A write of the function itself, and one of its callee, that is left out.
        (Rule::Modifies, "function bump\n  modifies @g", "function bump\n  modifies @h"),
        (Rule::Modifies, "function relay\n  modifies @g", "function relay\n  modifies"),
        // A callee that may modify more than its caller says.
        (Rule::Modifies, "function bump\n  modifies @g", "function bump\n  modifies @g @h"),
    ];
    for (rule, from, to) in cases {
        let rejection = check(&program, &changed(from, to)).expect_err(&format!("{to:?} for {from:?}"));
        assert_eq!(rejection.rule, rule, "{to:?} for {from:?}: {}", rejection.reason);
        assert!(!rejection.undecided, "{}", rejection.reason);
    }
}

#[test]
fn a_weaker_contract_that_is_enough_is_accepted() {
    let program = program(PROGRAM);
    for (from, to) in [
        ("at L0 := (by > 0:i32)", "at L0 := true"),
        ("at L0 := (@g == 0:i32)", "at L0 := ((@g & 1:i32) == 0:i32)"),
        ("at L1 := (@g == ('@g + (2:i32 * 'by)))", "at L1 := ((@g & 1:i32) == ('@g & 1:i32))"),
    ] {
        check(&program, &changed(from, to)).unwrap_or_else(|r| panic!("{to}: {}: {}", r.rule, r.reason));
    }
}

/// A global that a callee may modify is not known after the call, whatever was known before.
#[test]
fn what_may_be_modified_is_forgotten() {
    let program = program(PROGRAM);
    let text = PROOF
        .replace("modifies @g", "modifies @g @h")
        .replace("at L0 := (@g == 0:i32)", "at L0 := ((@g == 0:i32) && (@h == 5:i32))")
        .replace("at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := (((@g & 1:i32) == 0:i32) && (@h == 5:i32))");
    let rejection = check(&program, &text).expect_err("@h may change");
    assert_eq!(rejection.rule, Rule::Step, "{}", rejection.reason);
    // With the same sets, a contract that says so keeps it.
    let text = text
        .replace("at L1 := ((@g == ('@g + 'by)) && ($r == @g))", "at L1 := ((@g == ('@g + 'by)) && (@h == '@h))")
        .replace("at L1 := (@g == ('@g + (2:i32 * 'by)))", "at L1 := ((@g == ('@g + (2:i32 * 'by))) && (@h == '@h))");
    check(&program, &text).unwrap_or_else(|r| panic!("{}: {}", r.rule, r.reason));
}

/// An unsupported edge is a target too; a halt is none.
#[test]
fn unsupported_edges_must_not_be_reached() {
    let with = |op: &str| program(&PROGRAM.replace("error reached \"reach_error\"", op));
    let weak = changed("at L2 := ((@g & 1:i32) == 0:i32)", "at L2 := true");
    let rejection = check(&with("unsupported \"assembly\""), &weak).expect_err("it can be reached");
    assert_eq!(rejection.rule, Rule::Target);
    check(&with("unsupported \"assembly\""), PROOF).expect("it is not reached");
    check(&with("halt"), &weak).expect("a run may stop");
}

/// A function that the proof leaves out is claimed to be called never, which holds for one that is not called.
#[test]
fn a_function_may_be_left_out_only_if_it_is_not_called() {
    let program = program(PROGRAM);
    let start = PROOF.find("function bump").expect("it is there");
    let end = PROOF.find("function relay").expect("it is there");
    let without_bump = format!("{}{}", &PROOF[..start], &PROOF[end..]);
    let rejection = check(&program, &without_bump).expect_err("bump is called");
    assert_eq!(rejection.rule, Rule::Call, "{}", rejection.reason);
    let alone = self::program(&PROGRAM.replace("x := call bump((by * 2:i32))", "@g := (@g + (by * 2:i32))"));
    check(&alone, &without_bump).unwrap_or_else(|r| panic!("{}: {}", r.rule, r.reason));
}

#[test]
fn a_proof_is_of_one_program_with_one_table() {
    let program = program(PROGRAM);
    let other = self::program(&PROGRAM.replace("(n - 1:i32)", "(n - 2:i32)"));
    let rejection = check_proof(&other, proof(&program, PROOF), &CheckLimits::default()).expect_err("another program");
    assert_eq!(rejection.rule, Rule::Program);
    let mut wrong_table = proof(&program, PROOF);
    wrong_table.ub.set(ir::Ub::SignedOverflow, ir::UbPolicy::AssumedAway);
    let rejection = check_proof(&program, wrong_table, &CheckLimits::default()).expect_err("another table");
    assert_eq!(rejection.rule, Rule::Program);
}

/// The checker believes nothing of a proof that was not made by its own parser.
#[test]
fn a_malformed_proof_is_refused() {
    let program = program(PROGRAM);
    let changes: [fn(&mut Vec<certify::FunctionProof>); 5] = [
        |fs| fs[0].func = ir::FuncId::from_index(9),
        |fs| fs[0].modifies.extend([ir::GlobalId::from_index(9)]),
        |fs| fs[0].invariants.extend([(ir::Loc::from_index(9), certify::NodeId::from_index(0))]),
        |fs| {
            let next = fs[0].nodes.next_id();
            fs[0].nodes.push(certify::Node::Not(next));
        },
        |fs| {
            let again = fs[0].clone();
            fs.push(again);
        },
    ];
    for change in changes {
        let mut bad = proof(&program, PROOF);
        let ProofKind::Invariants(functions) = &mut bad.kind else { panic!("it has invariants") };
        change(functions);
        let rejection = check_proof(&program, bad, &CheckLimits::default()).expect_err("it is malformed");
        assert_eq!(rejection.rule, Rule::Program, "{}", rejection.reason);
    }
}

const CLOSED: &str = r#"
model LP64
externs pure
entry main
global @g: i32 internal = zero

func external main() {
  local n: i32
  locations 4 entry L0 exit L1
  e0: L0 -> L2: n := @VALUE@
  e1: L2 -> L3: @g := (@g + n)
  e2: L3 -> L1: return
}
"#;

/// A proof by a run counts its steps, and is none if anything came from outside or the run ends badly.
#[test]
fn a_run_is_a_proof_only_of_a_closed_program() {
    let run =
        |program: &Program, steps: u64| check(program, &format!("hardbop-proof 1\nprogram @HASH@\nrun {steps}\n"));
    let closed = program(&CLOSED.replace("@VALUE@", "3:i32"));
    run(&closed, 3).unwrap_or_else(|r| panic!("{}", r.reason));
    let open = program(&CLOSED.replace("@VALUE@", "havoc nondet \"__VERIFIER_nondet_int\""));
    let failing = program(
        &CLOSED.replace("@VALUE@", "3:i32").replace("e2: L3 -> L1: return", "e2: L3 -> end: error assert \"g\""),
    );
    for (program, steps) in [(&closed, 2), (&closed, 4), (&open, 3), (&failing, 3)] {
        let rejection = run(program, steps).expect_err("no proof");
        assert_eq!(rejection.rule, Rule::Run, "{}", rejection.reason);
    }
}

/// A text that is no proof has a message that names its place.
#[test]
fn bad_input_has_a_message() {
    let program = program(PROGRAM);
    let hash = program_hash(&program).to_string();
    for (from, to) in [
        ("hardbop-proof 1", "hardbop-proof 2"),
        ("program @HASH@", "program 12"),
        ("program @HASH@", ""),
        ("function relay", "function nobody"),
        ("at L2 :=", "at L99 :="),
        ("at L2 :=", "at L2"),
        ("at L2 :=", "at L0 :="),
        ("(by > 0:i32)", "(by > 0:i64)"),
        ("(by > 0:i32)", "(by + 0:i32)"),
        ("(by > 0:i32)", "(nobody > 0:i32)"),
        ("(by > 0:i32)", "#7"),
        ("function bump\n  modifies @g", "function bump\n  modifies @nobody"),
        ("at L1 := true\nend\n", "at L1 := true\n"),
    ] {
        let text = changed(from, to).replace("@HASH@", &hash);
        let message = parse(&program, FileId::from_index(0), &text).expect_err(&format!("{to:?} for {from:?}"));
        assert!(message.span.is_some() && !message.message.is_empty(), "{to:?} for {from:?}");
    }
}

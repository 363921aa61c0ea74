//! The engines on small programs whose answers are known: each verdict by the engine that should find it, and the proofs
//! and runs that come with them.

use base::{FileId, Id};
use certify::{CheckLimits, ProofKind, Rule, check_proof};
use ir::Program;
use verify::{Answer, Engine, Settings, Silent, Verdict, verify};

fn parse(text: &str) -> Program {
    let program = ir::text::parse(FileId::from_index(0), text).unwrap_or_else(|d| panic!("{d:?}"));
    ir::validate::validate(&program).unwrap_or_else(|v| panic!("{v:?}"));
    program
}

fn answer_of(program: &Program, engine: Engine) -> Answer {
    verify(&analysis::Analysis::new(program), &Settings { engines: vec![engine], ..Settings::default() }, &mut Silent)
}

/// `x` counts up to an arbitrary `n`; in the end they are equal (or, in the wrong version, they are not).
fn counter(last: &str) -> Program {
    parse(&format!(
        "model LP64\nexterns args\nentry main\n
func external main() -> r {{
  local r: i32
  local n: i32
  local x: i32
  locations 9 entry L0 exit L8
  e0: L0 -> L1: n := havoc nondet \"input\"
  e1: L1 -> L2: assume (n >= 0:i32)
  e2: L1 -> L7: assume (n < 0:i32)
  e3: L2 -> L3: x := 0:i32
  e4: L3 -> L4: assume (x < n)
  e5: L3 -> L5: assume (x >= n)
  e6: L4 -> L3: x := (x + 1:i32)
  e7: L5 -> L6: assume {last}
  e8: L5 -> L7: assume !{last}
  e9: L6 -> end: error assert \"x == n\"
  e10: L7 -> L8: return 0:i32
}}
"
    ))
}

#[test]
fn a_loop_without_bound_is_proved_by_abstraction() {
    let program = counter("(x != n)");
    let answer = answer_of(&program, Engine::Abstraction);
    let Verdict::Safe(proof) = answer.verdict else { panic!("{:?}", answer.verdict) };
    assert_eq!(answer.engine, Some(Engine::Abstraction));
    // The proof is nothing but text to others, and nothing weaker will do.
    let text = certify::text::print(&program, proof.get());
    let again = certify::text::parse(&program, FileId::from_index(0), &text).expect("a printed proof is read");
    assert_eq!(&again, proof.get());
    let mut weak = again;
    let ProofKind::Invariants(functions) = &mut weak.kind else { panic!("invariants were expected") };
    let top = functions[0].nodes.push(certify::Node::Const(true));
    let head: ir::Loc = Id::from_index(3);
    functions[0].invariants.insert(head, top);
    let rejected = check_proof(&program, weak, &CheckLimits::default()).expect_err("true is no loop invariant here");
    assert_eq!(rejected.rule, Rule::Target);
}

#[test]
fn the_wrong_version_is_unsafe_for_every_engine() {
    let program = counter("(x == n)");
    for engine in Engine::ALL {
        let answer = answer_of(&program, engine);
        assert!(matches!(answer.verdict, Verdict::Unsafe(_)), "{engine:?}: {:?}", answer.verdict);
    }
}

#[test]
fn a_loop_without_a_bound_is_followed_as_far_as_allowed_and_not_proved() {
    let mut settings = Settings { engines: vec![Engine::Bounded], ..Settings::default() };
    settings.bounded.rounds = 8;
    let program = counter("(x != n)");
    let answer = verify(&analysis::Analysis::new(&program), &settings, &mut Silent);
    let Verdict::Unknown(why) = answer.verdict else { panic!("{:?}", answer.verdict) };
    assert!(why.cause.contains("more than 8 times"), "{why:?}");
}

/// `sum(n)` returns `n` by recursion; `main` may ask for up to `bound`.
fn recursion(bound: u32) -> Program {
    parse(&format!(
        "model LP64\nexterns args\nentry main\n
func external main() -> r {{
  local r: i32
  local n: i32
  local t: i32
  locations 7 entry L0 exit L6
  e0: L0 -> L1: n := havoc nondet \"input\"
  e1: L1 -> L2: assume ((n >= 0:i32) && (n <= {bound}:i32))
  e2: L1 -> L5: assume !((n >= 0:i32) && (n <= {bound}:i32))
  e3: L2 -> L3: t := call sum(n)
  e4: L3 -> L4: assume (t != n)
  e5: L3 -> L5: assume (t == n)
  e6: L4 -> end: error assert \"sum(n) == n\"
  e7: L5 -> L6: return 0:i32
}}

func external sum(n: i32) -> r {{
  local r: i32
  local t: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: assume (n <= 0:i32)
  e1: L0 -> L2: assume (n > 0:i32)
  e2: L1 -> L4: return 0:i32
  e3: L2 -> L3: t := call sum((n - 1:i32))
  e4: L3 -> L4: return (t + 1:i32)
}}
"
    ))
}

#[test]
fn recursion_is_proved_by_a_summary_that_does_not_know_the_bound() {
    let proofs = [10, 10_000].map(|bound| {
        let program = recursion(bound);
        let answer = answer_of(&program, Engine::Abstraction);
        let Verdict::Safe(proof) = answer.verdict else { panic!("{:?}", answer.verdict) };
        let text = certify::text::print(&program, proof.get());
        assert!(text.contains("(r == 'n)"), "the summary relates result and argument:\n{text}");
        let bound = format!("{}:i32", bound + 1);
        text.lines().filter(|l| !l.starts_with("program ")).collect::<Vec<_>>().join("\n").replace(&bound, "BOUND")
    });
    assert_eq!(proofs[0], proofs[1], "the proofs differ in the constant only");
}

#[test]
fn an_edge_that_cannot_be_followed_spoils_a_proof_only_if_it_is_reached() {
    let program = |guard: &str| {
        parse(&format!(
            "model LP64\nexterns args\nentry main\n
func external main() -> r {{
  local r: i32
  local n: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: n := havoc nondet \"input\"
  e1: L1 -> L2: assume {guard}
  e2: L1 -> L3: assume !{guard}
  e3: L2 -> end: unsupported \"something\"
  e4: L3 -> L4: return 0:i32
}}
"
        ))
    };
    let answer = answer_of(&program("((n & 1:i32) == 2:i32)"), Engine::Abstraction);
    assert!(matches!(answer.verdict, Verdict::Safe(_)), "{:?}", answer.verdict);
    let answer = answer_of(&program("((n & 1:i32) == 1:i32)"), Engine::Abstraction);
    let Verdict::Unknown(reason) = answer.verdict else { panic!("{:?}", answer.verdict) };
    assert!(reason.cause.contains("unsupported") && reason.at.is_some(), "{reason:?}");
}

/// `raise` never lowers a global and never passes its limit; `main` keeps the value from before each call. When the call
/// returns, what `main` knows of the old value must not be taken for a fact about the new one.
#[test]
fn what_a_caller_knew_before_a_call_is_not_held_against_what_the_call_did() {
    let program = parse(
        "model LP64\nexterns args\nentry main\nglobal @level: u32 external = { +0 = 0:u32 }\n
func external main() -> r {
  local r: i32
  local go: bool
  local before: u32
  local by: u32
  locations 10 entry L0 exit L9
  e0: L0 -> L1: skip
  e1: L1 -> L2: go := havoc nondet \"go\"
  e2: L2 -> L3: assume go
  e3: L2 -> L8: assume !go
  e4: L3 -> L4: before := @level
  e5: L4 -> L5: by := havoc nondet \"by\"
  e6: L5 -> L6: call raise(by)
  e7: L6 -> L7: assume ((@level < before) || (@level > 100:u32))
  e8: L6 -> L1: assume !((@level < before) || (@level > 100:u32))
  e9: L7 -> end: error assert \"level\"
  e10: L8 -> L9: return 0:i32
}

func external raise(by: u32) {
  locations 4 entry L0 exit L3
  e0: L0 -> L1: assume ((by <= 100:u32) && ((@level + by) <= 100:u32))
  e1: L0 -> L2: assume !((by <= 100:u32) && ((@level + by) <= 100:u32))
  e2: L1 -> L2: @level := (@level + by)
  e3: L2 -> L3: return
}
",
    );
    let answer = answer_of(&program, Engine::Abstraction);
    match answer.verdict {
        Verdict::Safe(_) => {}
        Verdict::Unsafe(_) => panic!("it is safe"),
        Verdict::Unknown(why) => assert!(!why.cause.contains("not accepted"), "a fixpoint was no proof: {why:?}"),
    }
}

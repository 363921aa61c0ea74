//! Cut points in callees: programs with loops below calls that no unwinding gets through, each in a form that is safe and one that is
//! not. Induction must prove the one and must not prove the other; and of a proof with cut points in callees, no claim can be replaced by
//! *never reached*.

use analysis::Analysis;
use certify::{CheckLimits, FunctionProof, Node, Proof, ProofKind, UnwindingProof, check_proof};
use ir::{Loc, Program};
use verify::{Engine, Silent, Verdict};

use crate::statistics::Statistics;
use crate::unwinding::program;

/// A program in which `@` stands for the part that makes it safe or breaks it.
struct Pair {
    name: &'static str,
    text: &'static str,
    safe: &'static str,
    broken: &'static str,
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "what holds during a call",
        text:
            "static int n, lock; static void drain(void) { while (nd()) { if (lock) reach_error(); n = (n + 1) % 4; } }
               static void step(void) { lock = 1; n = 0; lock = @; drain(); if (n > 3 || n < 0) reach_error(); }
               int main(void) { while (nd()) step(); return 0; }",
        safe: "0",
        broken: "nd()",
    },
    Pair {
        name: "a local of the function that waits",
        text: "static int n; static void drain(void) { while (nd()) n++; }
               int main(void) { int k = 7; while (nd()) { drain(); if (k != 7) reach_error(); @; } return 0; }",
        safe: "k = 7",
        broken: "k = n",
    },
    Pair {
        name: "a local of the function that waits, by its address",
        text: "static void fill(int *p) { while (nd()) *p = @; }
               int main(void) { while (nd()) { int y = 3; fill(&y); if (y != 3) reach_error(); } return 0; }",
        safe: "3",
        broken: "4",
    },
    Pair {
        name: "two calls of one function, with facts of their own",
        text: "static int x; static void spin(int v) { while (nd()) if (x != v) reach_error(); }
               int main(void) { while (nd()) { x = 1; spin(1); x = 2; spin(@); } return 0; }",
        safe: "2",
        broken: "1",
    },
    Pair {
        name: "what a call returns",
        text: "static int count(void) { int c = 0; while (nd()) if (c < 5) c++; return c; }
               int main(void) { while (nd()) { int r = count(); if (r > @) reach_error(); } return 0; }",
        safe: "5",
        broken: "4",
    },
    Pair {
        name: "what is done after a call returned",
        text:
            "static int n; static void inner(void) { while (nd()) n = 1; } static void outer(void) { inner(); n = @; }
               int main(void) { while (nd()) { outer(); if (n == 1) reach_error(); n = 0; } return 0; }",
        safe: "2",
        broken: "1",
    },
];

/// Asks induction about both forms of every program, and the checker about claims that are false.
pub fn callee_cuts() -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for pair in PAIRS {
        let fail = |what: &str| format!("{}: {what}", pair.name);
        let broken = program(&pair.text.replace('@', pair.broken))?;
        if let Verdict::Safe(_) = induction(&broken) {
            return Err(fail("the broken program is SAFE"));
        }
        let safe = program(&pair.text.replace('@', pair.safe))?;
        match induction(&safe) {
            Verdict::Safe(proof) => claims(&safe, proof.get(), &mut stats).map_err(|e| fail(&e))?,
            Verdict::Unsafe(_) => return Err(fail("the safe program is UNSAFE")),
            Verdict::Unknown(why) => return Err(fail(&format!("the safe program is UNKNOWN: {}", why.cause))),
        }
        stats.add("pairs", 1);
    }
    Ok(stats)
}

fn induction(program: &Program) -> Verdict {
    verify::verify(&Analysis::new(program), &crate::agreement::settings(&[Engine::Induction]), &mut Silent).verdict
}

/// A claim that a cut point is never reached is refused: runs come by all of these. And the text form says all of the proof.
fn claims(program: &Program, proof: &Proof, stats: &mut Statistics) -> Result<(), String> {
    let ProofKind::Unwinding(unwinding) = &proof.kind else { return Err("the proof is no unwinding".into()) };
    let text = certify::text::print(program, proof);
    let mut sources = base::SourceMap::new();
    let file = sources.add("proof", text.clone());
    let read = certify::text::parse(program, file, &text).map_err(|d| d.message)?;
    if read != *proof {
        return Err("the text form of the proof says something else".into());
    }
    let refuse = |changed: UnwindingProof| {
        let kind = ProofKind::Unwinding(changed);
        match check_proof(program, Proof { kind, ..proof.clone() }, &CheckLimits::default()) {
            Ok(_) => {
                Err("a cut point that is reached is claimed to be reached never, and the proof accepted".to_owned())
            }
            Err(_) => Ok(()),
        }
    };
    for (i, inner) in unwinding.inner.iter().enumerate() {
        for &at in inner.invariants.invariants.keys() {
            let mut changed = unwinding.clone();
            never(&mut changed.inner[i].invariants, at);
            refuse(changed)?;
            stats.add("false claims refused", 1);
        }
    }
    Ok(())
}

fn never(claims: &mut FunctionProof, at: Loc) {
    let id = claims.nodes.push(Node::Const(false));
    claims.invariants.insert(at, id);
}

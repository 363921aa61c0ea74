//! Abstraction over blocks: programs in a form that is safe and one that is not. The one must be proved, with claims at cut points only,
//! and of the other a run be found. A proof that the checker refuses is a mistake of the engine, however it came to it.

use analysis::Analysis;
use base::{SourceMap, Span};
use certify::ProofKind;
use ir::Program;
use predabs::direct::Granularity;
use verify::{Engine, Progress, Verdict};

use crate::agreement::{REFUSED, settings};
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
        name: "two variables that agree at the head of a loop only",
        text: "int main(void) { int x = 0, y = 0; while (nd()) { if (x == 0) { x = 1; y = @; } else { x = 0; y = 0; } } if (x != y) reach_error(); return 0; }",
        safe: "1",
        broken: "2",
    },
    Pair {
        name: "recursion of any depth",
        text: "static int f(int n) { if (n <= 0) return 0; int r = f(n - 1) + 1; if (r > 3) r = 3; return r; }
               int main(void) { int r = f(nd()); if (r > @) reach_error(); return 0; }",
        safe: "3",
        broken: "2",
    },
    Pair {
        name: "a callee changes a global on one of its ways",
        text: "static int s, t; static void step(int c) { if (c) { s = 1; t = @; } }
               int main(void) { s = 0; t = 0; while (nd()) { step(nd()); if (nd()) { s = 0; t = 0; } } if (s != t) reach_error(); return 0; }",
        safe: "1",
        broken: "0",
    },
    Pair {
        name: "what a parameter was when the call began",
        text: "static int g; static int next(int v) { int w = v; while (w == v) w = nd(); g = w; return v; }
               int main(void) { while (nd()) { int k = nd(), r = next(k); if (r @ k) reach_error(); } return 0; }",
        safe: "!=",
        broken: "==",
    },
    Pair {
        name: "a block with many ends",
        text: "static int lock; int main(void) { while (1) { int c = nd(); if (c == 1) { if (lock) continue; lock = 1; } else if (c == 2) { if (!lock) continue; lock = 0; }
                 else if (c == 3) break; if (lock != 0 && lock != @) reach_error(); } return lock; }",
        safe: "1",
        broken: "2",
    },
];

/// Asks the engine about both forms of every program, with large and with basic blocks.
pub fn block_abstraction() -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for pair in PAIRS {
        for size in [Granularity::Large, Granularity::Basic] {
            let fail = |what: String| format!("{}, {size:?} blocks: {what}", pair.name);
            let safe = program(&pair.text.replace('@', pair.safe))?;
            match search(&safe, size) {
                (Verdict::Safe(proof), dump) => {
                    excludes(&dump).map_err(fail)?;
                    let ProofKind::Invariants(functions) = &proof.get().kind else {
                        return Err(fail("the proof has no invariants".into()));
                    };
                    stats.add("claims", functions.iter().map(|f| f.invariants.len() as u64).sum());
                }
                (Verdict::Unsafe(_), _) => return Err(fail("the safe program is UNSAFE".into())),
                (Verdict::Unknown(why), _) if why.cause.contains(REFUSED) => return Err(fail(why.cause)),
                (Verdict::Unknown(why), _) => return Err(fail(format!("the safe program is UNKNOWN: {}", why.cause))),
            }
            let broken = program(&pair.text.replace('@', pair.broken))?;
            match search(&broken, size).0 {
                Verdict::Unsafe(_) => {}
                Verdict::Safe(_) => return Err(fail("the broken program is SAFE".into())),
                Verdict::Unknown(why) => return Err(fail(format!("the broken program is UNKNOWN: {}", why.cause))),
            }
            stats.add("pairs", 1);
        }
    }
    Ok(stats)
}

/// Keeps the last boolean program that was searched.
#[derive(Default)]
struct Dump(String);

impl Progress for Dump {
    fn phase(&mut self, _: &'static str) {}

    fn reached(&mut self, _: u64) {}

    fn artifact(&mut self, kind: &'static str, _: u64, text: &dyn Fn() -> String) {
        if kind == "bp" {
            self.0 = text();
        }
    }
}

/// The boolean program as it is written for others has no way to an error, either.
fn excludes(text: &str) -> Result<(), String> {
    let mut sources = SourceMap::new();
    let file = sources.add("blocks.bp", text);
    let span = Span::new(file, 0, text.len() as u32);
    let program = boolprog::parse(&sources, span, boolprog::Dialect::Bebop)
        .map_err(|d| format!("what is written is no boolean program: {d:?}"))?;
    let targets = reach::targets(&program);
    let found = reach::analyze(&program, &targets, &reach::Options::default()).map_err(|e| e.to_string())?;
    match (targets.is_empty(), found.hit()) {
        (false, []) => Ok(()),
        (true, _) => Err("what is written has no targets".into()),
        (_, hit) => Err(format!("what is written reaches {hit:?}")),
    }
}

fn search(program: &Program, size: Granularity) -> (Verdict, String) {
    let mut settings = settings(&[Engine::Abstraction]);
    settings.abstraction.block = size;
    // Everything is to be found by refinement.
    settings.abstraction.invgen = None;
    settings.abstraction.iterations = 60;
    let mut dump = Dump::default();
    let answer = verify::verify(&Analysis::new(program), &settings, &mut dump);
    (answer.verdict, dump.0)
}

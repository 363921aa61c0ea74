//! The oracle "jumps": verdicts about random programs with `setjmp` and `longjmp` against runs of the compiler's code, in both directions.
//! SAFE must not be refuted by any run, and what is UNSAFE must go wrong in one of them.
//!
//! Which local variables a jump leaves indeterminate is spelt out in the text that is compiled (see `program`), so that it does not
//! depend on what the compiler keeps in registers.

mod program;

use crate::agreement::settings;
use crate::compile::compile;
use crate::gcc::{Build, Gcc};
use crate::statistics::Statistics;
use analysis::Analysis;
use ir::DataModel;
use program::{HEAD, Program, program};
use std::fmt::Write;
use verify::{Engine, Silent, Verdict};

/// How often each program is run, every time with other inputs and other values for what is indeterminate.
const RUNS: u64 = 20_000;

/// Judges the programs of the seeds `first .. first + count`.
pub fn jumps(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Program> = (first..first + count).map(program).collect();
    let seen = gcc.rows(&text(&programs), model, Build::O1).map_err(|e| e.to_string())?;
    if seen.len() != programs.len() {
        return Err(format!("{} of {} programs ran", seen.len(), programs.len()));
    }
    let mut stats = Statistics::new();
    let engines = [Engine::Concrete, Engine::Bounded];
    for ((seed, program), row) in (first..).zip(&programs).zip(&seen) {
        let [errors, jumps] = row[..] else { return Err(format!("{row:?} is no result")) };
        let text = format!("{HEAD}{}", program.plain.replace('@', ""));
        let lowered = compile("program.c", &text, model, &lower::Options::default())?.program;
        stats.add("programs", 1);
        stats.add("programs that jump", u64::from(jumps > 0));
        stats.add("programs that go wrong", u64::from(errors > 0));
        match verify::verify(&Analysis::new(&lowered), &settings(&engines), &mut Silent).verdict {
            Verdict::Safe(_) if errors > 0 => {
                return Err(format!("seed {seed} in {model:?}: SAFE, but {errors} of {RUNS} runs go wrong\n{text}"));
            }
            Verdict::Unsafe(_) if errors == 0 => {
                return Err(format!("seed {seed} in {model:?}: UNSAFE, but none of {RUNS} runs goes wrong\n{text}"));
            }
            Verdict::Safe(_) => stats.add("SAFE", 1),
            Verdict::Unsafe(_) => stats.add("UNSAFE", 1),
            Verdict::Unknown(why) => {
                let cause: String = why.cause.chars().filter(|c| !c.is_ascii_digit()).take(50).collect();
                stats.add("UNKNOWN", 1);
                stats.add(format!("UNKNOWN because: {cause}"), 1);
            }
        }
    }
    Ok(stats)
}

/// All programs, and a `main` that runs each so many times. It prints for each how many runs went wrong and how many jumped.
fn text(programs: &[Program]) -> String {
    let mut text = format!("enum {{ RUNS = {RUNS} }};\n{BEFORE}");
    for (k, program) in programs.iter().enumerate() {
        let _ = write!(text, "{}", program.spelt.replace('@', &format!("_{k}")));
    }
    text.push_str("int main(void) {\n");
    for k in 0..programs.len() {
        let _ = writeln!(text, "  run(main_{k}, &fuel_{k});");
    }
    text.push_str("  return 0;\n}\n");
    text
}

const BEFORE: &str = "#include <setjmp.h>
#include <stdio.h>
struct pair { int x; volatile int y; };
static unsigned long long seed;
static unsigned rnd(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed >> 20; }
static int any(void) { unsigned r = rnd(); return r % 8 == 0 ? (int)rnd() : (int)(r >> 3) % 8; }
static int nd(void) { return rnd(); }
static jmp_buf out;
static int snap[2][6];
static void reach_error(void) { longjmp(out, 1); }
static void run(int (*program)(void), int *fuel) {
  static int errors, jumps, k;
  errors = jumps = 0;
  for (k = 0; k < RUNS; k++) {
    seed = 88172645463325252ull + 1000003ull * k;
    for (int i = 0; i < 8; i++) rnd();
    if (setjmp(out)) errors++;
    else program();
    jumps += *fuel < 2;
  }
  printf(\"%d %d\\n\", errors, jumps);
}
";

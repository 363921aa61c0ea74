//! The oracle for rounding modes: random programs that change the mode and compute, against gcc with `-frounding-math`.
//!
//! Every operand and every result is volatile, so that gcc computes between the calls that change the mode. The program that goes wrong where the
//! pattern of its result is that of gcc must be UNSAFE, by a run and by a formula, and the one that goes wrong where it is another must be
//! SAFE; what is not a number counts as one pattern.

use crate::agreement::settings;
use crate::compile::compile;
use crate::gcc::{Build, Gcc};
use crate::statistics::Statistics;
use analysis::Analysis;
use base::rng::Rng;
use ir::DataModel;
use std::fmt::Write;
use verify::{Engine, Silent, Verdict};

const BUILDS: [Build; 2] = [Build::Rounding, Build::RoundingO2];
const MODES: [&str; 4] = ["0", "0x400", "0x800", "0xc00"];
/// Numbers that are exact, that are not, large and small ones, and both zeroes.
const NUMBERS: [&str; 16] = [
    "0.1",
    "3.0",
    "-0.1",
    "1e-3",
    "16777217.0",
    "9007199254740991.0",
    "2.5",
    "-2.5",
    "0.0",
    "-0.0",
    "1e300",
    "1e-310",
    "1e38",
    "1e-40",
    "-7.0",
    "0.5",
];
const HEAD: &str = "int fesetround(int); int fegetround(void);
double sqrt(double); float sqrtf(float); double fma(double, double, double); double rint(double); float nearbyintf(float);
long lrint(double); double ldexp(double, int); double fdim(double, double); double floor(double); long double sqrtl(long double);
";

fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x51de_0f00);
    rng.bits();
    let mut text = String::from("static unsigned long long answers@(void) {\n");
    for (name, ty) in [("a", "double"), ("b", "double"), ("f", "float"), ("g", "float"), ("w", "long double")] {
        writeln!(text, "  volatile {ty} {name} = {};", rng.pick(&NUMBERS)).expect("a string");
    }
    let n = rng.bits() >> rng.below(63);
    writeln!(
        text,
        "  volatile long n = {n}u; volatile int i = {}; volatile unsigned u = {}u;",
        n as i32 % 40,
        n as u32
    )
    .expect("a string");
    for _ in 0..3 + rng.below(5) {
        if rng.chance(70) {
            writeln!(text, "  fesetround({});", rng.pick(&MODES)).expect("a string");
        }
        let double = *rng.pick(&["a", "b"]);
        let float = *rng.pick(&["f", "g"]);
        let x = *rng.pick(&["a", "b", "f", "g", "a", "b"]);
        let y = *rng.pick(&["a", "b", "f", "g", "3.0", "0.1", "0.1f", "n"]);
        let op = *rng.pick(&["+", "-", "*", "/"]);
        let target = if rng.chance(50) { double } else { float };
        match rng.below(16) {
            0..=4 => writeln!(text, "  {target} = {x} {op} {y};"),
            5 => writeln!(text, "  {target} {op}= {y};"),
            6 => writeln!(text, "  {float} = {double};"),
            7 => writeln!(text, "  {target} = {};", rng.pick(&["n", "i", "u", "(unsigned long)n"])),
            8 => writeln!(
                text,
                "  {target} = {};",
                rng.pick(&["1.0 / 3.0", "1.0f / 3.0f", "0.1", "16777217", "2.0 / 4.0", "-1.0 / 3.0"])
            ),
            9 => writeln!(text, "  {target} = sqrt({x}); g = sqrtf({float});"),
            10 => writeln!(text, "  {target} = fma({x}, {y}, {double});"),
            11 => writeln!(text, "  {target} = {}({x});", rng.pick(&["rint", "nearbyintf", "floor", "sqrtl"])),
            12 => writeln!(text, "  {target} = ldexp({x}, -(i & 31) * 35);"),
            13 => writeln!(text, "  {target} = {x} < {y} ? {x} {op} {y} : fdim({x}, {y});"),
            14 => writeln!(text, "  w = w {op} {x}; {target} = w;"),
            _ => writeln!(text, "  if (fegetround() == {}) {target} = -({x} {op} {y});", rng.pick(&MODES)),
        }
        .expect("a string");
    }
    let result = *rng.pick(&["a", "b", "f", "g"]);
    let unsigned = if ["a", "b"].contains(&result) { ("double", "unsigned long long") } else { ("float", "unsigned") };
    let (ty, unsigned) = unsigned;
    writeln!(text, "  fesetround(0); {ty} r = {result};\n  if (r != r) return 7;\n  {unsigned} bits;")
        .expect("a string");
    text.push_str("  __builtin_memcpy(&bits, &r, sizeof r);\n  return bits;\n}\n");
    text
}

/// Judges the programs of the seeds `first .. first + count`.
pub fn modes(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<String> = (first..first + count).map(program).collect();
    let (mut text, mut main) = (format!("#include <stdio.h>\n{HEAD}"), String::from("int main(void) {\n"));
    for (k, program) in programs.iter().enumerate() {
        text.push_str(&program.replace('@', &format!("_{k}")));
        writeln!(main, "  printf(\"{k} %llu\\n\", answers_{k}());").expect("a string");
    }
    let text = text + &main + "  return 0;\n}\n";
    let mut stats = Statistics::new();
    let [plain, optimised] = BUILDS.map(|build| gcc.rows(&text, model, build).map_err(|e| e.to_string()));
    for ((k, program), (row, other)) in programs.iter().enumerate().zip(plain?.iter().zip(&optimised?)) {
        let [number, pattern] = row[..] else { return Err(format!("{row:?} is no pattern")) };
        assert_eq!(number, k as u64, "one row for each program");
        stats.add("programs", 1);
        if row != other {
            stats.add("programs that gcc optimises otherwise", 1);
            continue;
        }
        for engine in [Engine::Concrete, Engine::Bounded] {
            for (said, wrong) in [("==", true), ("!=", false)] {
                let (text, verdict) = verdict_where(program, model, engine, said, pattern)?;
                let agree = match verdict {
                    Verdict::Unsafe(_) => wrong,
                    Verdict::Safe(_) => !wrong,
                    Verdict::Unknown(_) => {
                        stats.add(format!("not decided by {engine:?}"), 1);
                        continue;
                    }
                };
                if !agree {
                    return Err(format!("seed {}: gcc has {pattern:#x}, {engine:?} not\n{text}", first + k as u64));
                }
                stats.add("verdicts", 1);
            }
        }
    }
    Ok(stats)
}

/// The verdict about a program that goes wrong where its result has a pattern, or another one.
fn verdict_where(
    program: &str,
    model: DataModel,
    engine: Engine,
    said: &str,
    pattern: u64,
) -> Result<(String, Verdict), String> {
    let main = format!("int main(void) {{ if (answers() {said} {pattern}u) reach_error(); return 0; }}\n");
    let text = format!("extern void reach_error(void);\n{HEAD}{}{main}", program.replace('@', ""));
    let compiled = compile("modes.c", &text, model, &lower::Options::default()).map_err(|e| format!("{e}\n{text}"))?;
    let verdict = verify::verify(&Analysis::new(&compiled.program), &settings(&[engine]), &mut Silent).verdict;
    Ok((text, verdict))
}

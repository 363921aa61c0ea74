//! The oracle for what C leaves open about numbers: which of the many patterns that are not a number an operation gives.
//!
//! A random program computes a floating-point number and looks at its pattern. Compiled by gcc in several ways - at run time the
//! machine chooses the pattern, where constants are folded the compiler does - it must do nothing that is proved impossible: the
//! program that goes wrong where the pattern is that of gcc is not SAFE. And where the result is a number its pattern is exact: the
//! program that goes wrong with another one is not UNSAFE.

use crate::agreement::settings;
use crate::compile::compile;
use crate::gcc::{Build, Gcc};
use crate::statistics::Statistics;
use analysis::Analysis;
use base::rng::Rng;
use ir::DataModel;
use std::fmt::Write;
use verify::{Engine, Silent, Verdict};

/// The ways in which gcc is asked.
const BUILDS: [Build; 2] = [Build::O0, Build::O2];

/// A floating type, the unsigned type of the same size, its exponent in place, the mark of a quiet NaN, and the letter of its built-ins.
const TYPES: [(&str, &str, u64, u64, &str); 2] = [
    ("float", "unsigned", 0x7f80_0000, 0x40_0000, "f"),
    ("double", "unsigned long long", 0x7ff0_0000_0000_0000, 0x8_0000_0000_0000, ""),
];

/// A program; `@` stands for nothing, or for its number where many are compiled together.
struct Program {
    text: String,
    unsigned: &'static str,
    exponent: u64,
}

impl Program {
    fn is_number(&self, pattern: u64) -> bool {
        let fraction = (self.exponent & self.exponent.wrapping_neg()) - 1;
        pattern & self.exponent != self.exponent || pattern & fraction == 0
    }
}

/// An expression over `a`, `b`, `c` and constants.
fn expression(rng: &mut Rng, depth: u32, ty: &str) -> String {
    if depth == 0 || rng.chance(15) {
        return (*rng.pick(&["a", "b", "c", "z@", "0.0f", "1.0f", "(-1.5f)", "kept@"])).to_owned();
    }
    let mut part = || expression(rng, depth - 1, ty);
    let (x, y) = (part(), part());
    match rng.below(12) {
        0..=1 => format!("({x} + {y})"),
        2..=4 => format!("({x} - {y})"),
        5..=6 => format!("({x} * {y})"),
        7..=8 => format!("({x} / {y})"),
        9 => format!("(-({x}))"),
        10 => format!("(({ty})({}){x})", rng.pick(&["float", "double"])),
        _ => format!("({x} < {y} ? {x} : {y})"),
    }
}

fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x9a77_e4b5);
    rng.bits();
    let &(ty, unsigned, exponent, quiet, letter) = rng.pick(&TYPES);
    let mut text = format!("static {ty} z@ = 0;\nstatic {ty} kept@ = {}.0f;\n", rng.below(3));
    writeln!(text, "static union {{ {ty} f; {unsigned} u; }} seen@, made@;").expect("a string");
    writeln!(text, "static {unsigned} answers@(void) {{").expect("a string");
    for name in ["a", "b", "c"] {
        match rng.below(6) {
            0 => writeln!(text, "  {ty} {name} = z@ / z@;"),
            1 => writeln!(text, "  {ty} {name} = __builtin_inf{letter}();"),
            2 => {
                let sign = (exponent << 1) & !exponent;
                let pattern = exponent | quiet | rng.below(0x1000) | if rng.chance(50) { sign } else { 0 };
                writeln!(text, "  made@.u = {pattern}u; {ty} {name} = made@.f;")
            }
            _ => writeln!(text, "  {ty} {name} = {}.{}f;", rng.below(4), rng.below(8)),
        }
        .expect("a string");
    }
    let value = expression(&mut rng, 3, ty);
    match rng.below(5) {
        0 => writeln!(
            text,
            "  {ty} local = {value};\n  {unsigned} u;\n  __builtin_memcpy(&u, &local, sizeof u);\n  return u;"
        ),
        1 => writeln!(text, "  {ty} first = {value};\n  seen@.f = -first;\n  return seen@.u;"),
        2 => writeln!(text, "  seen@.f = __builtin_copysign{letter}(1.0f, {value});\n  return seen@.u;"),
        _ => writeln!(text, "  seen@.f = {value};\n  return seen@.u;"),
    }
    .expect("a string");
    text.push_str("}\n");
    Program { text, unsigned, exponent }
}

/// All programs in one text that prints the pattern of each.
fn together(programs: &[Program]) -> String {
    let (mut text, mut main) = (String::from("#include <stdio.h>\n"), String::from("int main(void) {\n"));
    for (k, p) in programs.iter().enumerate() {
        text.push_str(&p.text.replace('@', &format!("_{k}")));
        writeln!(main, "  printf(\"{k} %llu\\n\", (unsigned long long)answers_{k}());").expect("a string");
    }
    text + &main + "  return 0;\n}\n"
}

/// Judges the programs of the seeds `first .. first + count`.
pub fn patterns(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Program> = (first..first + count).map(program).collect();
    let text = together(&programs);
    let mut seen: Vec<Vec<u64>> = vec![Vec::new(); programs.len()];
    for build in BUILDS {
        for row in gcc.rows(&text, model, build).map_err(|e| e.to_string())? {
            let [k, pattern] = row[..] else { return Err(format!("{row:?} is no pattern")) };
            seen[k as usize].push(pattern);
        }
    }
    let mut stats = Statistics::new();
    for (k, (program, mut patterns)) in programs.iter().zip(seen).enumerate() {
        let fail = |what: String, text: String| format!("seed {} in {model:?}: {what}\n{text}", first + k as u64);
        stats.add("programs", 1);
        patterns.sort_unstable();
        patterns.dedup();
        stats.add("programs that differ by flags", u64::from(patterns.len() > 1));
        for &pattern in &patterns {
            let name = if program.is_number(pattern) { "numbers" } else { "patterns of no number" };
            stats.add(name, 1);
            let (text, verdict) = verdict_where(program, model, &format!("== ({})", constant(program, pattern)))?;
            match verdict {
                Verdict::Safe(_) => return Err(fail("gcc does what is proved impossible".into(), text)),
                Verdict::Unsafe(_) => stats.add("possible", 1),
                Verdict::Unknown(_) => stats.add("not decided", 1),
            }
        }
        if let [only] = patterns[..]
            && program.is_number(only)
        {
            let (text, verdict) = verdict_where(program, model, &format!("!= ({})", constant(program, only)))?;
            match verdict {
                // The sign of what is not a number may have been copied, or such a one chosen by a comparison.
                Verdict::Unsafe(_) if !text.contains("copysign") => {
                    return Err(fail("a number has another pattern".into(), text));
                }
                Verdict::Unsafe(_) | Verdict::Unknown(_) => stats.add("numbers not decided", 1),
                Verdict::Safe(_) => stats.add("numbers that are exact", 1),
            }
        }
    }
    Ok(stats)
}

fn constant(program: &Program, pattern: u64) -> String {
    format!("({}){pattern}u", program.unsigned)
}

/// The verdict about a program that goes wrong where what is said of the pattern holds.
fn verdict_where(program: &Program, model: DataModel, said: &str) -> Result<(String, Verdict), String> {
    let head = "extern void reach_error(void);\n";
    let text = format!("{head}{}int main(void) {{ if (answers@() {said}) reach_error(); return 0; }}\n", program.text);
    let text = text.replace('@', "");
    let compiled =
        compile("patterns.c", &text, model, &lower::Options::default()).map_err(|e| format!("{e}\n{text}"))?;
    let engines = settings(&[Engine::Concrete, Engine::Bounded]);
    let verdict = verify::verify(&Analysis::new(&compiled.program), &engines, &mut Silent).verdict;
    Ok((text, verdict))
}

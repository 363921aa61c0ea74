//! The oracle for what C leaves open about identity: addresses of string literals and of their suffixes, constant compound
//! literals, variables without bytes, weak symbols that are defined or not, and padding.
//!
//! A random program compares such addresses and gives the answers as bits. Compiled by gcc in several ways, it must do
//! nothing that is proved impossible: the program that goes wrong where the answers are those of gcc is not SAFE. And one
//! literal equals itself: the program that goes wrong where it does not is not UNSAFE.

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
const BUILDS: [Build; 4] = [Build::O0, Build::O2, Build::MergedConstants, Build::SeparateConstants];

/// Literals of which many are suffixes of others.
const LITERALS: [&str; 8] =
    [r#""abc""#, r#""bc""#, r#""c""#, r#""""#, r#""abc""#, r#""xabc""#, r#""ab\0c""#, r#""abd""#];

/// Other things that have an address, in the words of C.
const OTHERS: [&str; 14] = [
    "(const char *)(const char[4]){ 'a', 'b', 'c', 0 }",
    "(const char *)(const char[3]){ 'b', 'c', 0 }",
    "(const char *)(const int[2]){ 1, 2 }",
    "(const char *)(const int[2]){ 1, 2 }",
    "(const char *)(const int[1]){ 2 }",
    "(const char *)kept@",
    "(const char *)&empty0@",
    "(const char *)&empty1@",
    "(const char *)none@",
    "(const char *)&plain@",
    "(const char *)&local",
    "(const char *)&object@",
    "(const char *)&object@",
    "(const char *)function@",
];

/// A program; `@` stands for nothing, or for its number where many are compiled together.
struct Program {
    text: String,
    /// What the linker gets besides: definitions of the weak symbols.
    definitions: String,
    bits: u32,
}

fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x1de7_717e);
    rng.bits();
    let literals: Vec<&str> = (0..3).map(|_| *rng.pick(&LITERALS)).collect();
    let mut text = String::from(
        "extern int object@ __attribute__((weak));\nextern void function@(void) __attribute__((weak));\n\
         static struct { } empty0@, empty1@;\nstatic int none@[0];\nstatic int plain@ = 3;\n\
         static const int *const kept@ = (const int[2]){ 1, 2 };\nstruct padded@ { char c; int i; };\n",
    );
    for (i, literal) in literals.iter().enumerate() {
        writeln!(text, "static const char *text{i}@(void) {{ return {literal}; }}").expect("a string");
    }
    text.push_str("static unsigned answers@(void) {\n  int local = 1;\n  unsigned a = 0;\n");
    let n = 3 + rng.index(2);
    for i in 0..n {
        let place = match rng.below(10) {
            0..=2 => format!("text{}@()", rng.below(3)),
            3..=4 => (*rng.pick(&LITERALS)).to_owned(),
            5 => format!("\"abc\" + {}", rng.below(4)),
            _ => (*rng.pick(&OTHERS)).to_owned(),
        };
        // Through memory that the compiler must read: what it answers is what the addresses are.
        writeln!(text, "  const char *volatile e{i} = {place};").expect("a string");
    }
    let mut bits = 0;
    let mut add_query = |text: &mut String, query: String| {
        writeln!(text, "  a |= (unsigned)({query}) << {bits};").expect("a string");
        bits += 1;
    };
    for i in 0..n {
        for j in i + 1..n {
            add_query(&mut text, format!("e{i} == e{j}"));
            match rng.below(5) {
                0 => add_query(&mut text, format!("e{i} + 1 == e{j}")),
                1 => add_query(&mut text, format!("e{i} == e{j} + 1")),
                2 => add_query(&mut text, format!("e{i} < e{j}")),
                _ => {}
            }
        }
        add_query(&mut text, format!("e{i} == 0"));
    }
    if rng.chance(30) {
        text.push_str("  struct padded@ s = { 1, 2 };\n");
        if rng.chance(50) {
            text.push_str("  s.c = 3;\n");
        }
        add_query(&mut text, format!("((unsigned char *)&s)[{}] != 0", 1 + rng.below(3)));
    }
    text.push_str("  return a;\n}\n");
    let mut definitions = String::new();
    if rng.chance(50) {
        definitions.push_str(r#"__asm__(".pushsection .data\n.globl object@\nobject@: .long 7\n.popsection");"#);
    }
    if rng.chance(50) {
        definitions.push_str(r#"__asm__(".pushsection .text\n.globl function@\nfunction@: ret\n.popsection");"#);
    }
    Program { text, definitions, bits }
}

/// All programs in one text that prints the answers of each.
fn together(programs: &[Program]) -> String {
    let mut text = String::from(
        "#include <stdio.h>\nstatic __attribute__((noinline)) void dirty(void) {\n  volatile unsigned char b[512];\n  \
         for (int i = 0; i < 512; i++) b[i] = 37 * i;\n}\n",
    );
    let mut main = String::from("int main(void) {\n");
    for (k, p) in programs.iter().enumerate() {
        text.push_str(&format!("{}{}\n", p.text, p.definitions).replace('@', &format!("_{k}")));
        writeln!(main, "  dirty();\n  printf(\"{k} %u\\n\", answers_{k}());").expect("a string takes everything");
    }
    text + &main + "  return 0;\n}\n"
}

/// Judges the programs of the seeds `first .. first + count`.
pub fn identity(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Program> = (first..first + count).map(program).collect();
    let text = together(&programs);
    let mut seen: Vec<Vec<u64>> = vec![Vec::new(); programs.len()];
    for build in BUILDS {
        for row in gcc.rows(&text, model, build).map_err(|e| e.to_string())? {
            let [k, answers] = row[..] else { return Err(format!("{row:?} is no answer")) };
            seen[k as usize].push(answers);
        }
    }
    let mut stats = Statistics::new();
    for (k, (program, mut answers)) in programs.iter().zip(seen).enumerate() {
        let fail = |what: String, text: String| format!("seed {} in {model:?}: {what}\n{text}", first + k as u64);
        stats.add("programs", 1);
        stats.add("answers", u64::from(program.bits));
        answers.sort_unstable();
        answers.dedup();
        stats.add("programs that differ by flags", u64::from(answers.len() > 1));
        for a in answers {
            let (text, verdict) = verdict_where(program, model, &format!("answers@() == {a}u"))?;
            match verdict {
                Verdict::Safe(_) => return Err(fail("gcc does what is proved impossible".into(), text)),
                Verdict::Unsafe(_) => stats.add("possible", 1),
                Verdict::Unknown(_) => stats.add("not decided", 1),
            }
            stats.add("outcomes", 1);
        }
        let (text, verdict) = verdict_where(program, model, "text0@() != text0@()")?;
        match verdict {
            Verdict::Unsafe(_) => return Err(fail("a literal differs from itself".into(), text)),
            Verdict::Safe(_) => stats.add("literals equal to themselves", 1),
            Verdict::Unknown(_) => {}
        }
    }
    Ok(stats)
}

/// The verdict about a program that goes wrong where `query` holds.
fn verdict_where(program: &Program, model: DataModel, query: &str) -> Result<(String, Verdict), String> {
    let head = "extern void reach_error(void);\n";
    let text = format!("{head}{}int main(void) {{ if ({query}) reach_error(); return 0; }}\n", program.text);
    let text = text.replace('@', "");
    let compiled =
        compile("identity.c", &text, model, &lower::Options::default()).map_err(|e| format!("{e}\n{text}"))?;
    let engines = settings(&[Engine::Bounded, Engine::Abstraction]);
    let verdict = verify::verify(&Analysis::new(&compiled.program), &engines, &mut Silent).verdict;
    Ok((text, verdict))
}

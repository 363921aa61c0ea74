//! Mutated texts: whatever is written, each parser reads it or says why not. A panic fails the case by itself; so does a
//! stack that runs out, which ends the process. What is accepted must also survive the stage behind the parser: C is
//! lowered, IR is printed, parsed again and validated, proofs and predicates are printed.
//!
//! The seeds are generated, so the corpus is the set of seeds' numbers and needs no files.

use base::SourceMap;
use base::rng::Rng;
use ir::DataModel;

use crate::compile::compile;
use crate::fixtures;
use crate::statistics::Statistics;

/// A language with a parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// The IR's text form.
    Ir,
    /// Files of predicates.
    Predicates,
    /// Proofs.
    Proof,
}

/// Mutated texts of one language per seed.
const MUTANTS: u64 = 20;

/// Mutates the text of each seed and reads what comes out.
pub fn parsers(language: Language, first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let mut rng = Rng::new(seed ^ 0x7a57_e5d1);
        let original = original(language, seed)?;
        for _ in 0..MUTANTS {
            let text = mutant(&original, &mut rng);
            stats.add(if read(language, seed, &text) { "accepted" } else { "refused" }, 1);
        }
    }
    Ok(stats)
}

/// A text that the parser accepts.
fn original(language: Language, seed: u64) -> Result<String, String> {
    match language {
        Language::C => Ok(crate::objects::generate(seed, DataModel::Lp64).program.source),
        Language::Ir => {
            let source = crate::objects::generate(seed, DataModel::Lp64).program.source;
            let compiled = compile("seed.c", &source, DataModel::Lp64, &lower::Options::default())?;
            Ok(ir::text::print(&compiled.program))
        }
        Language::Predicates => Ok(PREDICATES.to_owned()),
        Language::Proof => crate::proofs::text(seed),
    }
}

/// Predicates over [`subject`], of every form.
const PREDICATES: &str = "global:\n  g == 0\n  a[1] < g\nmain:\n  x > 5 && !(y == g)\n  (unsigned char)x != 'a'\n\
    \x20 x + 2 * y <= 10 || g % 3 == 1\n  p->next->val == s.in.f, *p->ip <= x\n  &s == p; a[x].val & 4\n\
    \x20 *(short *)((char *)p + 8) > 3, p - &s == 0\nmain:3: x << 1 != y\nf: n >= 'n\n  *'q == '(*q), q[n] == 'g\n";

/// A program for predicates.
fn subject() -> ir::Program {
    let text = "struct s { int val; struct s *next; int *ip; struct { unsigned f : 3; } in; };\n\
        int g; struct s a[4]; int f(int n, int *q) { *q = n; return q[n] + g; }\n\
        int main(void) { int x = 1, y = 2; struct s s = { 0 }, *p = &s; s.ip = &y; p->next = a; x = f(y, &x) + a[x].val;\n\
        a[x].in.f = p->next->val; p->next->next = p; return *p->ip + *(short *)((char *)p + 8); }";
    compile("subject.c", text, DataModel::Lp64, &lower::Options::default()).expect("the program is correct").program
}

fn read(language: Language, seed: u64, text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add("mutant", text);
    match language {
        Language::C => {
            let target = if seed.is_multiple_of(2) { cfront::Target::Lp64 } else { cfront::Target::Ilp32 };
            let Ok(unit) = cfront::parse(&mut sources, file, target) else { return false };
            let options = lower::Options { everything: true, ..lower::Options::default() };
            let Ok(lowered) = lower::lower(&[unit], &options) else { return false };
            ir::validate::validate(&lowered.program).is_ok() || panic!("not valid:\n{text}")
        }
        Language::Ir => {
            let Ok(program) = ir::text::parse(file, text) else { return false };
            let printed = ir::text::print(&program);
            let again = ir::text::parse(file, &printed).unwrap_or_else(|d| panic!("{}\n{printed}", d.message));
            assert_eq!(ir::text::print(&again), printed, "printed again the text is another one");
            ir::validate::validate(&program).is_ok()
        }
        Language::Predicates => {
            let program = subject();
            let parsed = crate::predicates::read(&program, file, text);
            let mut predicates = vc::Predicates::new();
            for p in parsed.predicates {
                predicates.insert(p);
            }
            // What was understood is printed so that it is understood again.
            let printed = predabs::predfile::print(&program, &predicates);
            let again = crate::predicates::read(&program, file, &printed);
            assert!(again.diagnostics.is_empty(), "{}\n{printed}", again.diagnostics[0].message);
            parsed.diagnostics.is_empty()
        }
        Language::Proof => crate::proofs::read(seed, text),
    }
}

const WORDS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "*",
    "&",
    "'",
    "\"",
    "\\",
    "/*",
    "#",
    "int ",
    "struct ",
    "0",
    "-1",
    "99999999999999999999",
    "u128",
    "\u{e9}",
    "\n",
];

/// A few changes to a text: parts removed, repeated, moved, and strange words put in.
fn mutant(text: &str, rng: &mut Rng) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(6) {
        let at = rng.index(text.len() + 1);
        let len = (1 + rng.index(30)).min(text.len() - at);
        match rng.below(6) {
            0 => drop(text.drain(at..at + len)),
            1 => {
                let part: Vec<char> = text[at..at + len].to_vec();
                let times = 1 + rng.index(3);
                text.splice(at..at, part.repeat(times));
            }
            2 => {
                let part: Vec<char> = text.drain(at..at + len).collect();
                let to = rng.index(text.len() + 1);
                text.splice(to..to, part);
            }
            3 => {
                let word = WORDS[rng.index(WORDS.len())];
                // Now and then very often: nesting and length must not matter.
                let times = if rng.chance(3) { 20_000 } else { 1 };
                text.splice(at..at, word.repeat(times).chars().collect::<Vec<_>>());
            }
            4 if at < text.len() => text[at] = char::from(rng.below(128) as u8),
            _ => text.truncate(at.max(text.len() / 2)),
        }
    }
    text.into_iter().collect()
}

/// How many fixtures there are to mutate the proofs of.
pub(crate) fn n_proofs() -> u64 {
    (fixtures::proofs().len() / 2) as u64
}

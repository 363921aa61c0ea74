//! The hand-written programs against the compiler: what they say they expect is what the compiled program does.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use base::rng::Rng;
use ir::DataModel;
use testkit::fixtures::{Expect, Fixture, precision, proofs};
use testkit::gcc::{Gcc, TapeEnd};

/// How the program ends on each tape, in each of its data models that the compiler supports.
fn ends(gcc: &Gcc, f: &Fixture, tapes: &[Vec<u64>]) -> Vec<Vec<TapeEnd>> {
    let mut ends = Vec::new();
    for &model in &f.models {
        if gcc.supports(model) {
            ends.push(gcc.run_on_tapes(&f.source, model, tapes).unwrap_or_else(|e| panic!("{}: {e}", f.name)));
        } else {
            eprintln!("SKIPPED: {} in {model:?} (install gcc-multilib)", f.name);
        }
    }
    ends
}

fn check_unsafe(gcc: &Gcc, f: &Fixture, inputs: &[u64], harmless: Option<&Vec<u64>>) {
    let mut tapes = vec![inputs.to_vec()];
    tapes.extend(harmless.cloned());
    for end in ends(gcc, f, &tapes) {
        assert_eq!(end[0], TapeEnd::Error, "{} on {inputs:?}", f.name);
        for (end, tape) in end.iter().zip(&tapes).skip(1) {
            assert_eq!(*end, TapeEnd::Ended { taken: tape.len() }, "{} on {tape:?}", f.name);
        }
    }
}

/// Each topic has a closed safe and an open unsafe program.
fn paired(fixtures: &[Fixture]) {
    for pair in fixtures.chunks(2) {
        let [a, b] = pair else { panic!("{} has no twin", pair[0].name) };
        let topic = a.name.strip_suffix(".safe").unwrap_or_else(|| panic!("{} is not a safe one", a.name));
        assert_eq!(b.name, format!("{topic}.unsafe"));
        assert_eq!(a.expect, Expect::Safe, "{}", a.name);
        assert!(matches!(b.expect, Expect::Unsafe { .. }), "{}", b.name);
    }
}

#[test]
fn precision_programs_do_what_they_say() {
    let all = precision();
    paired(&all);
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    for f in &all {
        match &f.expect {
            Expect::Safe => {
                for end in ends(&gcc, f, &[Vec::new()]) {
                    assert_eq!(end, [TapeEnd::Ended { taken: 0 }], "{}", f.name);
                }
            }
            Expect::Unsafe { inputs, harmless } => {
                assert!(harmless.is_some(), "{}: the verdict must depend on the input", f.name);
                check_unsafe(&gcc, f, inputs, harmless.as_ref());
            }
        }
    }
}

#[test]
fn proof_programs_do_what_they_say() {
    let all = proofs();
    paired(&all);
    assert!(all.len() >= 20, "ten pairs");
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let mut rng = Rng::new(3);
    for f in &all {
        match &f.expect {
            Expect::Safe => {
                assert!(f.source.contains("//@ "), "{}: where are the invariants?", f.name);
                let mut tape = || -> Vec<u64> {
                    let limit = 2 + rng.below(30);
                    (0..40).map(|_| rng.below(limit)).collect()
                };
                let tapes: Vec<Vec<u64>> = (0..20).map(|_| tape()).collect();
                for end in ends(&gcc, f, &tapes).into_iter().flatten() {
                    assert!(matches!(end, TapeEnd::Ended { .. } | TapeEnd::TapeTooShort), "{}: {end:?}", f.name);
                }
            }
            Expect::Unsafe { inputs, harmless } => {
                assert!(!f.source.contains("//@ "), "{}: the bug has no proof", f.name);
                check_unsafe(&gcc, f, inputs, harmless.as_ref());
            }
        }
    }
}

/// What a sloppy reading of one rule does to the unsafe program of a topic: the text that stands for the rule, and what
/// it would be for a tool that does not know it. The inputs that reach the error then no longer do.
const SLOPPY: [(&str, &str, &str); 15] = [
    ("bool_conversion", "ready = flags;", "ready = flags & 1;"),
    ("char_sign", "char c =", "unsigned char c ="),
    ("division_sign", "x % 2 == 1", "(x % 2 + 2) % 2 == 1"),
    ("enum_type", "enum colour c =", "int c ="),
    ("literal_type", "0x80000000", "2147483648"),
    ("product_wrap", "unsigned int x", "unsigned long long x"),
    ("promotion", "a - b >= 0", "(unsigned short)(a - b) >= 0"),
    ("shift_left", "unsigned int x", "unsigned long long x"),
    ("shift_promotion", "unsigned int rotated", "unsigned char rotated"),
    ("shift_right", "x >> 31", "(unsigned int)x >> 31"),
    ("sign_compare", "unsigned int limit", "int limit"),
    ("signed_wrap", "int x =", "long long x ="),
    ("truncation", "unsigned short low", "int low"),
    ("unsigned_char", "unsigned char sum", "int sum"),
    ("unsigned_wrap", "unsigned int x", "long long x"),
];

#[test]
fn a_sloppy_reading_changes_the_verdict() {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let all = precision();
    let find = |name: String| all.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no program {name}"));
    let inputs_of = |f: &Fixture| match &f.expect {
        Expect::Unsafe { inputs, .. } => inputs.clone(),
        Expect::Safe => panic!("{} is safe", f.name),
    };
    for (topic, rule, sloppy) in SLOPPY {
        let f = find(format!("{topic}.unsafe"));
        let code: Vec<&str> = f.source.lines().filter(|l| !l.starts_with("//")).collect();
        let code = code.join("\n");
        assert_eq!(code.matches(rule).count(), 1, "{topic}: {rule}");
        // The absolute value needs a wide result too.
        let source = code.replace(rule, sloppy).replace("int abs", "long long abs");
        let inputs = inputs_of(f);
        let end = gcc.run_on_tapes(&source, DataModel::Lp64, std::slice::from_ref(&inputs));
        assert_eq!(end.unwrap_or_else(|e| panic!("{e}")), [TapeEnd::Ended { taken: inputs.len() }], "{topic}");
    }
    for (topic, other) in [("long_lp64", DataModel::Ilp32), ("long_ilp32", DataModel::Lp64)] {
        if !gcc.supports(DataModel::Ilp32) {
            eprintln!("SKIPPED: {topic} (install gcc-multilib)");
            continue;
        }
        let (safe, unsafe_one) = (find(format!("{topic}.safe")), find(format!("{topic}.unsafe")));
        let inputs = inputs_of(unsafe_one);
        let end = gcc.run_on_tapes(&safe.source, other, &[Vec::new()]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(end, [TapeEnd::Error], "{topic}.safe");
        let end = gcc.run_on_tapes(&unsafe_one.source, other, std::slice::from_ref(&inputs));
        assert_eq!(end.unwrap_or_else(|e| panic!("{e}")), [TapeEnd::Ended { taken: inputs.len() }], "{topic}.unsafe");
    }
}

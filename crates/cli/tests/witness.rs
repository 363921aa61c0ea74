//! Witnesses: what is written about proofs and runs, that `validate` confirms it, and that it confirms nothing that is wrong.

use crate::support::{Folder, Ran};

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
                    void check(int c) { if (!c) reach_error(); }\n";

const SAFE: &str = "int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    unsigned i = 0, s = 0;
    while (i < n) {
        i++;
        s++;
    }
    for (int k = 0; k < 10; k++) { s = i; }
    check(s == n);
    return 0;
}
";

const UNSAFE: &str = "int main(void) {
    int a = __VERIFIER_nondet_int(); unsigned long b = __VERIFIER_nondet_ulong();
    for (int i = 0; i < 3; i++)
        a -= __VERIFIER_nondet_int();
    check(a != -2147483647 - 1 || b != 18446744073709551615ul);
    return 0;
}
";

fn folder(name: &str) -> Folder {
    let dir = Folder::new(name);
    dir.file("safe.c", HEAD.to_string() + SAFE).file("unsafe.c", HEAD.to_string() + UNSAFE).file("p.prp", PROPERTY);
    dir
}

fn check(dir: &Folder, file: &str, code: i32) {
    check_with(dir, file, code, &[]);
}

fn check_with(dir: &Folder, file: &str, code: i32, more: &[&str]) {
    let args = ["check", file, "-q", "--property", "p.prp", "--witness", "w.yml", "--witness-graphml", "w.graphml"];
    let ran = Ran::of(dir.command(&args).args(["--timeout", "60s"]).args(more).env("SOURCE_DATE_EPOCH", "1794952800"));
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
}

/// The last line that `validate` says about the witness after a change of its text.
fn validate(dir: &Folder, file: &str, change: &dyn Fn(&str) -> String) -> (Option<i32>, String) {
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    dir.file("changed.yml", change(&text));
    let args = ["validate", file, "-q", "--property", "p.prp", "--witness", "changed.yml", "--timeout", "60s"];
    let ran = dir.run(&args);
    (ran.code, ran.out.lines().last().unwrap_or_default().to_string() + &ran.err)
}

#[test]
fn invariants_of_a_proof_are_confirmed_and_others_are_not() {
    let dir = folder("witness-safe");
    check_with(&dir, "safe.c", 0, &["--engine", "abstraction"]);
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    assert!(
        text.contains("- entry_type: invariant_set\n") && text.contains("creation_time: \"2026-11-17T22:00:00Z\""),
        "{text}"
    );
    assert_eq!(text.matches("type: loop_invariant").count(), 2, "{text}");
    for place in ["        line: 8\n        column: 5\n", "        line: 12\n        column: 5\n"] {
        assert!(text.contains(place), "the keywords of the loops: {text}");
    }
    let graph = std::fs::read_to_string(dir.0.join("w.graphml")).unwrap();
    assert!(graph.contains("<data key=\"witness-type\">correctness_witness</data>"), "{graph}");
    assert!(graph.contains("<data key=\"enterLoopHead\">true</data>") && graph.contains("(i == s)"), "{graph}");

    let (code, line) = validate(&dir, "safe.c", &str::to_string);
    assert_eq!(
        (code, line.as_str()),
        (Some(0), "Witness: CONFIRMED (2 invariants of the witness, and no other, prove the property)")
    );
    // False, too weak, at another place, about another name: none of these is confirmed.
    for (from, to) in [
        ("(i == s)", "(i == s + 1)"),
        ("(i == s)", "(i <= s)"),
        ("(i == s)", "(i == nobody)"),
        ("line: 8", "line: 9"),
        ("(n >= i)", "(n > i)"),
    ] {
        let (code, line) = validate(&dir, "safe.c", &|w| w.replacen(from, to, 1));
        assert_eq!(code, Some(5), "{from} as {to}: {line}");
    }
    // Without the invariant of the first loop there is no proof. (The second goes round ten times, which needs none.)
    let cut = |w: &str| {
        let (first, second) = (w.find("  - invariant:").unwrap(), w.rfind("  - invariant:").unwrap());
        format!("{}{}", &w[..first], &w[second..])
    };
    assert_eq!(validate(&dir, "safe.c", &cut).0, Some(5));
}

#[test]
fn a_witness_is_about_one_program_property_and_data_model() {
    let dir = folder("witness-about");
    check_with(&dir, "safe.c", 0, &["--engine", "abstraction"]);
    for (from, to, says) in [
        ("data_model: LP64", "data_model: ILP32", "data model"),
        ("call(reach_error())", "call(other())", "another property"),
        ("format_version: \"2.0\"", "format_version: \"9.0\"", "9.0"),
    ] {
        let (code, line) = validate(&dir, "safe.c", &|w| w.replacen(from, to, 1));
        assert!(code == Some(2) && line.contains(says), "{line}");
    }
    let (code, line) = validate(&dir, "unsafe.c", &str::to_string);
    assert!(code == Some(2) && line.contains("the hashes differ"), "{line}");
    assert_eq!(validate(&dir, "safe.c", &|_| "{".to_string()).0, Some(2));
}

#[test]
fn inputs_of_a_run_are_confirmed_and_others_are_not() {
    let dir = folder("witness-unsafe");
    check(&dir, "unsafe.c", 10);
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    assert!(text.contains("- entry_type: violation_sequence\n"), "{text}");
    assert_eq!(text.matches("type: function_return").count(), 5, "{text}");
    assert!(text.contains("value: \"\\\\result == 18446744073709551615ULL\""), "{text}");
    assert!(text.contains("        type: target\n        action: follow\n        location:\n          file_name: \"unsafe.c\"\n          line: 4\n          column: 29\n          function: \"check\"\n"), "{text}");
    let (code, line) = validate(&dir, "unsafe.c", &str::to_string);
    assert_eq!((code, line.as_str()), (Some(0), "Witness: CONFIRMED (`reach_error` is called at unsafe.c:4:29)"));
    for (from, to) in [
        ("18446744073709551615ULL", "18446744073709551614ULL"),
        ("18446744073709551615ULL", "-1"),
        ("18446744073709551615ULL", "b"),
        ("line: 4\n          column: 29", "line: 4\n          column: 28"),
        ("line: 4\n          column: 29", "line: 5"),
    ] {
        let (code, line) = validate(&dir, "unsafe.c", &|w| w.replacen(from, to, 1));
        assert_eq!(code, Some(10), "{from} as {to}: {line}");
    }
    // One waypoint more than the run passes.
    let more = |w: &str| {
        let start = w.find("  - segment:").unwrap();
        let end = start + 1 + w[start + 1..].find("  - segment:").unwrap();
        format!("{}{}", &w[..end], &w[start..])
    };
    assert_eq!(validate(&dir, "unsafe.c", &more).0, Some(10));
    // What is not followed confirms nothing.
    let (code, line) = validate(&dir, "unsafe.c", &|w| w.replacen("function_return", "assumption", 1));
    assert!(code == Some(5) && line.contains("`assumption`"), "{line}");
}

#[test]
fn a_proof_without_invariants_says_so() {
    let dir = folder("witness-none");
    dir.file(
        "none.c",
        HEAD.to_string() + "int main(void) { int a = __VERIFIER_nondet_int(); check(a == 1 || a != 1); return 0; }\n",
    );
    check(&dir, "none.c", 0);
    assert!(std::fs::read_to_string(dir.0.join("w.yml")).unwrap().ends_with("  content: []\n"));
    let (code, line) = validate(&dir, "none.c", &str::to_string);
    assert!(code == Some(0) && line.contains("no invariant is needed"), "{line}");
}

//! All defects of a program in one run: each with its trace, the rest proved, cut off or not decided.

use crate::support::{Folder, Ran};

/// The states of the targets, by place, as the list before the verdict has them.
fn states(ran: &Ran) -> Vec<(String, String)> {
    let list = ran.out.lines().skip_while(|l| !l.ends_with("of the program:")).skip(1);
    let rows = list.take_while(|l| l.starts_with("  "));
    let row = |l: &str| {
        let (place, rest) = l.trim_start().split_once("  ")?;
        let word = rest.trim_start().split("  ").next()?;
        Some((place.to_string(), word.trim().to_string()))
    };
    rows.filter_map(row).collect()
}

#[track_caller]
fn has(ran: &Ran, code: i32, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> = expected.iter().map(|(p, w)| (p.to_string(), w.to_string())).collect();
    assert_eq!((ran.code, states(ran)), (Some(code), expected), "{}{}", ran.out, ran.err);
}

/// Declarations that every program here needs, on one line.
const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); void assert(int);\n";

#[test]
fn every_defect_has_its_run_and_the_rest_is_told() {
    let dir = Folder::new("targets-all");
    let body = "int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    assert(a != 3);
    assert(b != 4);
    if (a > 0) assert(a >= 1);
    assert(a == 3);
    assert(a != 7);
    return 0;
}
";
    dir.file("a.c", HEAD.to_string() + body);
    let ran = dir.run(&["check", "a.c", "--timeout", "60s"]);
    has(
        &ran,
        10,
        &[
            ("a.c:5:5", "fails"),
            ("a.c:6:5", "fails"),
            ("a.c:7:16", "proved"),
            ("a.c:8:5", "fails"),
            ("a.c:9:5", "cut off"),
        ],
    );
    assert_eq!(ran.out.matches("The run that goes wrong in a.c").count(), 3, "{}", ran.out);
    for defect in ["Defect 1 of 3: ", "Defect 2 of 3: ", "Defect 3 of 3: "] {
        assert!(ran.out.contains(defect), "{defect}{}", ran.out);
    }
    let last = ran.out.lines().last().unwrap();
    assert!(last.starts_with("Verdict: UNSAFE (an assertion fails at a.c:"), "{last}");
    assert!(last.contains("; of 5 targets 3 fail, 1 is proved, 1 is cut off; "), "{last}");
}

/// The smallest programs with two defects that each kind allows: both are shown, each with its run, at their columns.
#[test]
fn two_defects_in_one_small_program() {
    let dir = Folder::new("two-defects");
    let programs: [(&str, &str, [u64; 2]); 10] = [
        ("", "void assert(int); int main(void) { int a; assert(a); assert(a - 1); return 0; }", [43, 54]),
        (
            "",
            "int n(void); void assert(int); int main(void) { if (n()) assert(0); else assert(0); return 0; }",
            [58, 74],
        ),
        (
            "",
            "int n(void); void reach_error(void); void f(int c) { if (c) reach_error(); } int main(void) { f(n()); f(n()); return 0; }",
            [95, 103],
        ),
        ("div", "int n(void); int main(void) { return n() / n() % n(); }", [31, 50]),
        ("null", "int *p(void); int main(void) { if (*p()) return 1; return *p(); }", [36, 52]),
        (
            "bounds",
            "int n(void); int a[2]; int main(void) { unsigned i = n(); if (i > 5) return a[i]; return a[i]; }",
            [70, 83],
        ),
        ("overflow", "int n(void); int main(void) { int a = n(); a = a + 1; return a * 2; }", [48, 55]),
        ("shift", "int n(void); int main(void) { unsigned u = 1; return u << n() | u >> n(); }", [47, 70]),
        (
            "free",
            "#include <stdlib.h>\nint n(void); int main(void) { char *p = malloc(1); if (n()) { free(p); free(p); } else free(p + 1); return 0; }",
            [72, 88],
        ),
        ("null,div", "int n(void); int *p(void); int main(void) { return *p() / n(); }", [45, 52]),
    ];
    for (kinds, program, columns) in programs {
        dir.file("a.c", format!("{program}\n"));
        let mut args = vec!["check", "a.c", "--format", "json", "--timeout", "60s"];
        if !kinds.is_empty() {
            args.extend(["--check", kinds]);
        }
        let ran = dir.run(&args);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let targets = answer["targets"].as_array().unwrap();
        let shown = |column: u64| {
            targets.iter().any(|t| t["state"] == "fails" && t["column"] == column && t["run"]["lines"][0].is_object())
        };
        for column in columns {
            assert!(
                shown(column),
                "column {column} of {program}: {:?}",
                targets.iter().map(|t| (&t["column"], &t["state"])).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn one_bad_assertion_among_nine_good_ones() {
    let dir = Folder::new("targets-nine");
    let mut text = HEAD.to_string() + "int main(void) {\n    unsigned char x = __VERIFIER_nondet_int();\n";
    for i in 0..9 {
        text += &format!("    if (x == {i}) {{ assert(x < {}); return 0; }}\n", i + 1);
    }
    text += "    assert(x != 77);\n    return 0;\n}\n";
    dir.file("a.c", text);
    let ran = dir.run(&["check", "a.c", "--timeout", "60s"]);
    let states = states(&ran);
    let proved = states.iter().filter(|(_, s)| s == "proved").count();
    assert_eq!((ran.code, states.len(), proved), (Some(10), 10, 9), "{}", ran.out);
    assert!(!ran.out.contains("behind"), "none is behind the bad one: {}", ran.out);
}

#[test]
fn calls_of_an_assertion_function_are_targets_of_their_own() {
    let dir = Folder::new("targets-calls");
    let body = "void check(int c) { if (!c) reach_error(); }
int main(void) {
    int a = __VERIFIER_nondet_int();
    check(a != 3);
    check(a != 4);
    check(a != 3);
    return 0;
}
";
    dir.file("a.c", HEAD.to_string() + body);
    let ran = dir.run(&["check", "a.c", "--timeout", "60s"]);
    has(&ran, 10, &[("a.c:5:5", "fails"), ("a.c:6:5", "fails"), ("a.c:7:5", "proved")]);
    assert!(ran.out.contains("Defect 1 of 2: `check(a != 3)` fails at a.c:5:5\n"), "{}", ran.out);
}

#[test]
fn the_first_defect_is_enough_if_that_is_asked_for() {
    let dir = Folder::new("targets-first");
    dir.file(
        "a.c",
        HEAD.to_string() + "int main(void) { int a = __VERIFIER_nondet_int(); assert(a); assert(a < 9); }\n",
    );
    dir.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let ran = dir.run(&["check", "a.c", "--first"]);
    assert_eq!(
        (ran.code, states(&ran).len(), ran.out.matches("The run that").count()),
        (Some(10), 0, 1),
        "{}",
        ran.out
    );
    let ran = dir.run(&["check", "a.c", "--all"]);
    assert_eq!((ran.code, ran.out.matches("The run that").count()), (Some(10), 2), "{}", ran.out);
}

#[test]
fn kinds_of_undefined_behaviour_are_distinct() {
    let dir = Folder::new("targets-kinds");
    let body = "int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = 0;
    if (b) c = 10 / a;
    if (b > 40) c = 1 << b;
    if (a) c = 10 / a;
    return c;
}
";
    dir.file("a.c", HEAD.to_string() + body);
    let ran = dir.run(&["check", "a.c", "--check", "div,shift", "--timeout", "60s"]);
    has(&ran, 10, &[("a.c:6:16", "fails"), ("a.c:7:21", "fails"), ("a.c:8:16", "proved")]);
    assert!(ran.out.contains("division by zero") && ran.out.contains("shift count out of range"), "{}", ran.out);
}

#[test]
fn what_is_not_decided_together_is_decided_one_by_one() {
    let dir = Folder::new("targets-halves");
    // The refinement may not begin: only what needs no predicate is decided.
    let body = "int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    unsigned i = 0, s = 0;
    if (n == 5) { assert(n == 5); return 0; }
    while (i < n) { i++; s += n; }
    assert(s == n * n);
    return 0;
}
";
    dir.file("a.c", HEAD.to_string() + body);
    let args = ["check", "a.c", "--no-invgen", "--max-iterations", "2", "--engine", "abstraction", "--timeout", "120s"];
    let ran = dir.run(&args);
    has(&ran, 5, &[("a.c:5:19", "proved"), ("a.c:7:5", "unknown")]);
    let last = ran.out.lines().last().unwrap();
    assert!(
        last.starts_with("Verdict: UNKNOWN (") && last.contains("of 2 targets 1 is proved, 1 is not decided"),
        "{last}"
    );
}

#[test]
fn quiet_verbose_and_colours() {
    let dir = Folder::new("targets-display");
    dir.file(
        "a.c",
        HEAD.to_string() + "int main(void) { int a = __VERIFIER_nondet_int(); assert(a != 1 || a); assert(a | 1); }\n",
    );
    let quiet = dir.run(&["check", "a.c", "-q"]);
    assert_eq!((quiet.code, quiet.out.lines().count()), (Some(0), 1), "{}", quiet.out);
    assert!(quiet.out.starts_with("Verdict: SAFE ("), "{}", quiet.out);
    let verbose = dir.run(&["check", "a.c", "-v"]);
    assert!(verbose.out.starts_with("It took ") && states(&verbose).len() == 2, "{}", verbose.out);
    let plain = dir.run(&["check", "a.c"]);
    assert!(!plain.out.contains('\u{1b}') && states(&plain).is_empty(), "{}", plain.out);
    let colored = dir.run(&["check", "a.c", "--color", "always"]);
    assert!(colored.out.contains("Verdict: \u{1b}[1;32mSAFE\u{1b}[0m ("), "{:?}", colored.out);
}

#[test]
fn another_entry_is_advised_and_all_errors_are_told() {
    let dir = Folder::new("targets-front");
    dir.file("a.c", "int other(int x) { return x; }\nint mian(void) { return other(1); }\n");
    let ran = dir.run(&["check", "a.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("  --entry mian, if `main` was meant to be that\n"), "{}", ran.out);
    assert!(ran.out.contains("the program defines other, mian\n"), "{}", ran.out);
    dir.file("b.c", "int f(void) { return a; }\nint g(void) { return 1 + ; }\nint main(void) { return f() + g(); }\n");
    dir.file("c.c", "int h(void) { { int x = b; } return 0; }\nint k(void) { return h(; }\n");
    let ran = dir.run(&["check", "b.c", "c.c"]);
    let errors: Vec<&str> = ran.err.lines().filter(|l| l.contains(": error: ")).collect();
    let places: Vec<&str> = errors.iter().filter_map(|l| l.split(": error:").next()).collect();
    assert_eq!(places, ["b.c:1:22", "b.c:2:24", "c.c:1:25", "c.c:2:23"], "{}", ran.err);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(2), 1), "{}", ran.out);
}

#[test]
fn a_run_is_told_with_few_steps_and_small_values() {
    let dir = Folder::new("shortened");
    dir.file(
        "a.c",
        "int nondet(void); double real(void); void reach_error(void);\nint main(void) {\n  int n = 0, x = nondet();\n  while (nondet()) {\n    n++;\n    if (n > 20) break;\n  }\n  double d = real();\n  if (x > 100 && x != 101 && n >= 3 && d > 2.5) reach_error();\n  return 0;\n}\n",
    );
    for engine in ["concrete,bounded", "bounded"] {
        let ran = dir.run(&["check", "a.c", "--engine", engine]);
        let inputs: Vec<&str> = ran.out.lines().filter(|l| l.contains("nondet() = ") && !l.contains("//")).collect();
        let values: Vec<&str> = inputs.iter().filter_map(|l| l.rsplit(" = ").next()).collect();
        assert_eq!(values, ["102", "1   (3 times)", "0"], "{}", ran.out);
        assert!(ran.out.contains("real() = 3"), "{}", ran.out);
    }
}

/// Two numbers whose difference is what matters: neither can become smaller alone.
#[test]
fn numbers_that_hang_together_become_small_together() {
    let dir = Folder::new("shortened-pairs");
    dir.file(
        "a.c",
        "unsigned nondet(void); void reach_error(void);\nint main(void) {\n  unsigned x = nondet(), y = nondet();\n  if (x - y == 3 && x > 10 && x < 4000000000u && y % 2 == 0) reach_error();\n  return 0;\n}\n",
    );
    let ran = dir.run(&["check", "a.c", "--engine", "bounded", "--timeout", "60s"]);
    let inputs: Vec<&str> = ran.out.lines().filter(|l| l.contains("nondet() = ") && !l.contains("//")).collect();
    let values: Vec<&str> = inputs.iter().filter_map(|l| l.rsplit(" = ").next()).collect();
    assert_eq!(values, ["11", "8"], "{}", ran.out);
}

/// Behind a bad access, what is decided is decided: a defect is no excuse for all that follows.
#[test]
fn targets_behind_a_bad_access_are_decided() {
    let dir = Folder::new("targets-memory");
    dir.file(
        "a.c",
        "#include <stdlib.h>
int nondet(void);
int main(void) {
    int k = nondet();
    int a[10];
    int *p = malloc(4 * sizeof *p);
    p[0] = 1;
    if (k >= 0 && k < 12) a[k] = 3;
    p[3] = 4;
    if (k == 3) p[4] = 5;
    free(p);
    p[1] = 2;
    return 0;
}
",
    );
    let ran = dir.run(&["check", "a.c", "--check", "null,bounds,free", "--timeout", "120s", "-v"]);
    let states = states(&ran);
    let of = |word: &str| states.iter().filter(|(_, s)| s == word).map(|(p, _)| p.as_str()).collect::<Vec<_>>();
    assert_eq!(of("fails"), ["a.c:7:5", "a.c:8:27", "a.c:10:17", "a.c:12:5"], "{}", ran.out);
    assert_eq!(of("unknown"), Vec::<&str>::new(), "{}", ran.out);
}

#[test]
fn what_main_is_given_is_told_as_arguments() {
    let dir = Folder::new("arguments");
    dir.file(
        "a.c",
        "#include <assert.h>\nint main(int argc, char **argv) {\n  if (argc == 3 && argv[1][0] == 'g') assert(argv[2][1] != 'x');\n  return 0;\n}\n",
    );
    let ran = dir.run(&["check", "a.c", "--timeout", "60s"]);
    assert_eq!(ran.code, Some(10), "{}", ran.out);
    for line in ["  a.c:2  parameter argc = 3\n", "  a.c:3  argv[1][0] = 103 'g'\n", "  a.c:3  argv[2][1] = 120 'x'\n"]
    {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    assert!(!ran.out.contains("room for") && !ran.out.contains("text in"), "{}", ran.out);
}

/// Who asks for a file that cannot be written hears it before the work, and not from a verdict that looks well.
#[test]
fn files_that_cannot_be_written_are_told_at_once() {
    let dir = Folder::new("unwritable");
    dir.file("a.c", "void assert(int);\nint main(void) { assert(1); return 0; }\n");
    let options =
        ["--emit-proof", "--emit-tape", "--emit-test", "--witness", "--witness-graphml", "--stats", "--report"];
    let options = options.iter().map(|o| vec![*o]).chain([vec!["--format", "json", "--output"]]);
    for option in options {
        for path in ["/proc/nothing", "no/such/folder/x", "."] {
            let ran = dir.run(&[&["check", "a.c", "--timeout", "60s"], &option[..], &[path]].concat());
            assert!(ran.code == Some(1) && ran.err.contains("cannot write"), "{option:?} {path}: {ran:?}");
        }
        let ran = dir.run(&[&["check", "a.c", "-q", "--timeout", "60s"], &option[..], &["/dev/null"]].concat());
        assert_eq!(ran.code, Some(0), "{option:?} /dev/null: {ran:?}");
    }
    assert!(std::path::Path::new("/dev/null").exists(), "devices stay");
}

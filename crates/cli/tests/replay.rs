//! Counterexamples as C: the user's own program, compiled by gcc together with what hardbop wrote, goes wrong where hardbop says.
//! The judge is the compiled program (and the sanitizers of the compiler), which shares nothing with the interpreter.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::{Folder, Ran};
use std::process::Command;
use std::sync::OnceLock;

/// Whether this machine can compile and link with sanitizers; asked once for all tests.
fn can_compile() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        let dir = Folder::new("replay-probe");
        dir.file("a.c", "int main(void) { return 0; }\n");
        let mut cc = Command::new("cc");
        cc.args(["-fsanitize=address,undefined", "a.c", "-o", "a"]).current_dir(&dir.0);
        let fine = cfg!(target_arch = "x86_64") && cc.status().is_ok_and(|s| s.success());
        if !fine {
            eprintln!("SKIPPED: no compiler with sanitizers for this machine");
        }
        fine
    })
}

fn replay(dir: &Folder, args: &[&str]) -> Ran {
    let mut all = vec!["replay", "--timeout", "120"];
    all.extend(args);
    dir.run(&all)
}

#[track_caller]
fn shows(ran: &Ran, how: &str) {
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(ran.code == Some(10) && last.starts_with("Replay: SHOWN") && last.contains(how), "{ran:?}");
}

/// Each program with its options, and what is said about its end.
const PROGRAMS: [(&str, &str, &str, &str); 12] = [
    (
        "inputs in order",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n\
         if (a == 3 && b == -4) reach_error(); return 0; }\n",
        "",
        "call of reach_error",
    ),
    (
        "which assertion",
        "#include <assert.h>\nextern int in(void);\nint main(void) {\n  int a = in();\n  assert(a == a);\n  assert(a != 77);\n}\n",
        "",
        "assertion fails at line 6",
    ),
    (
        "a target with a body",
        "#include <stdlib.h>\nextern unsigned __VERIFIER_nondet_uint(void);\nstatic void reach_error(void) {}\n\
         int main(void) { if (__VERIFIER_nondet_uint() == 4000000000u) { reach_error(); abort(); } return 0; }\n",
        "",
        "call of reach_error",
    ),
    (
        "what a function writes",
        "extern int get(int *, char *); extern void reach_error(void);\nstruct s { int a; int b; };\n\
         int main(void) { struct s s = {0, 0}; char c = 0;\n\
         if (get(&s.b, &c) == 9 && s.b == 5 && c == 'x' && s.a == 0) reach_error(); return 0; }\n",
        "",
        "call of reach_error",
    ),
    (
        "written by a later call",
        "extern void give(int *); extern int later(void); extern void reach_error(void);\n\
         int main(void) { int x = 0; give(&x); x = 1; if (later() == 2 && x == 42) reach_error(); return 0; }\n",
        "",
        "call of reach_error",
    ),
    (
        "static entry, arguments, globals",
        "extern void reach_error(void); static int state; int wide[4]; void set(int n) { state = n; }\n\
         static int handler(int a, unsigned char b, int *p) { if (a == -2 && b == 200 && p && *p == 6 && state == 3 && wide[2] == 8)\n\
         reach_error(); return 0; }\nint main(void) { return handler(0, 0, 0); }\n",
        "--entry handler",
        "call of reach_error",
    ),
    (
        "an allocation fails",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4);\n int *q = malloc(4);\n if (!p) return 0;\n *q = 1;\n return *q; }\n",
        "--check null",
        "null pointer",
    ),
    (
        "fresh memory holds anything",
        "#include <stdlib.h>\nextern void reach_error(void);\nint main(void) { int *p = malloc(8);\n if (p && p[1] == 12345) reach_error(); return 0; }\n",
        "",
        "call of reach_error",
    ),
    (
        "behind an array",
        "extern int in(void);\nint a[4];\nint main(void) {\n  int i = in();\n  if (i < 0 || i > 4) return 0;\n  return a[i];\n}\n",
        "--check bounds",
        "out of bounds",
    ),
    (
        "overflow",
        "extern int in(void);\nint main(void) {\n  int i = in();\n  int j = i + 1;\n  return j;\n}\n",
        "--check overflow",
        "signed integer overflow",
    ),
    (
        "after free",
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  if (!p) return 0;\n  *p = 1;\n  free(p);\n  return *p;\n}\n",
        "--check free",
        "use-after-free",
    ),
    (
        "division",
        "extern int in(void);\nint main(void) {\n  int i = in();\n  return 7 / i;\n}\n",
        "--check div",
        "division by zero",
    ),
];

#[test]
fn compiled_programs_go_wrong_where_hardbop_says() {
    if !can_compile() {
        return;
    }
    for (i, (what, program, options, how)) in PROGRAMS.iter().enumerate() {
        let dir = Folder::new(&format!("replay-{i}"));
        dir.file("my file.c", program);
        let args: Vec<&str> = ["my file.c"].into_iter().chain(options.split_whitespace()).collect();
        eprintln!("{what}");
        shows(&replay(&dir, &args), how);
    }
}

#[test]
fn a_test_for_the_users_tree() {
    if !can_compile() {
        return;
    }
    let dir = Folder::new("replay-emit");
    let broken = "extern int in(void); extern int half(int);\n#include <assert.h>\nint main(void) { int a = in(); if (a > 3 && a < 8) assert(half(a) < 3); return 0; }\n";
    dir.file("a.c", broken).file("b.c", "int half(int x) { return x / 2; }\n");
    let ran = dir.run(&["check", "a.c", "b.c", "--emit-test", "defect.c", "--timeout", "120"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let text = std::fs::read_to_string(dir.0.join("defect.c")).unwrap();
    assert!(text.contains("assertion") && text.contains("int in("), "{text}");
    let status = |out: &str| {
        let mut cc = Command::new("cc");
        cc.args(["-w", "-fno-builtin", "-o", out, "a.c", "b.c", "defect.c"]).current_dir(&dir.0);
        assert!(cc.status().unwrap().success());
        Command::new(dir.0.join(out)).current_dir(&dir.0).output().unwrap().status.code()
    };
    assert_eq!(status("broken"), Some(99));
    // Without its defect the program passes its test.
    dir.file("b.c", "int half(int x) { return x < 6 ? x / 2 : 2; }\n");
    assert_eq!(status("repaired"), Some(0));
    // A tape that was kept says the same.
    dir.file("b.c", "int half(int x) { return x / 2; }\n");
    assert_eq!(dir.run(&["check", "a.c", "b.c", "--emit-tape", "t", "--timeout", "120"]).code, Some(10));
    shows(&replay(&dir, &["a.c", "b.c", "--tape", "t"]), "assertion fails at line 3");
}

#[test]
fn what_no_harness_can_set_is_named() {
    if !can_compile() {
        return;
    }
    let dir = Folder::new("replay-open");
    dir.file(
        "uninit.c",
        "extern void reach_error(void);\nint main(void) { int x; if (x == 99) reach_error(); return 0; }\n",
    );
    let ran = replay(&dir, &["uninit.c"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.out.contains("what uninitialised `x` holds, which no harness can set"), "{ran:?}");
    // Zero can be had.
    dir.file(
        "zero.c",
        "extern void reach_error(void);\nint main(void) { int x; if (x == 0) reach_error(); return 0; }\n",
    );
    shows(&replay(&dir, &["zero.c"]), "call of reach_error");
    // Who asks for the test alone is told as well.
    let ran = dir.run(&["check", "uninit.c", "--emit-test", "t.c", "--timeout", "120"]);
    assert!(ran.err.contains("warning: t.c: the run depends on what uninitialised `x` holds"), "{ran:?}");
    dir.file("safe.c", "extern void reach_error(void);\nint main(void) { return 0; reach_error(); }\n");
    let ran = replay(&dir, &["safe.c"]);
    assert!(ran.code == Some(0) && ran.out.contains("Replay: SAFE (there is no run that goes wrong"), "{ran:?}");
}

#[test]
fn a_rule_is_seen_by_hardbop_alone() {
    let dir = Folder::new("replay-rule");
    dir.file("a.c", "void lock(void), unlock(void);\nint main(void) { lock(); lock(); return 0; }\n");
    dir.file(
        "r.slic",
        "state { int s = 0; }\nlock.entry { if (s) abort \"taken\"; s = 1; }\nunlock.entry { s = 0; }\n",
    );
    let ran = replay(&dir, &["a.c", "--rule", "r.slic"]);
    assert!(ran.code == Some(5) && ran.out.contains("a broken rule is seen by nobody but hardbop"), "{ran:?}");
}

//! `check`, `run` and `certify` from files to answers: verdicts, counterexamples, tapes, proofs, compiled replay, dumps.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::Folder;
use expect_test::{Expect, expect};
use std::process::Command;

/// Demands the exit code and the whole of standard output.
#[track_caller]
fn says(dir: &Folder, args: &[&str], code: i32, expected: &Expect) {
    let ran = dir.run(args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{args:?}: {}", ran.out);
    assert!(ran.out.lines().all(|l| l.chars().count() <= 100 || l.starts_with("Verdict") || l.starts_with("Note")));
    expected.assert_eq(&ran.out);
}

/// Takes no input, uses memory, calls in a loop.
const LOOP: &str = "\
extern void reach_error(void);
static int total;
static int add(int *into, unsigned char what) {
    *into += what;
    return *into;
}
int (*hook)(int *, unsigned char);
struct pair { int a; unsigned long b; } pair;
int main(void) {
    int n = 42;
    hook = add;
    for (int i = 0; i < n; i++)
        add(&total, 'A');
    struct pair *p = &pair;
    p->b = 0xfffffff0u;
    p->a = hook(&n, 1);
    switch (total & 7) {
    case 1: return 0;
    case 2: reach_error();
    }
    return 0;
}
";

#[test]
fn a_loop_with_calls_and_memory() {
    let dir = Folder::new("run-loop");
    dir.file("a.c", LOOP);
    says(
        &dir,
        &["check", "a.c"],
        10,
        &expect![[r#"
            The run that goes wrong in a.c (223 steps):
              a.c:10  int n = 42;   // n = 42
              a.c:11  hook = add;   // hook = add
              a.c:12  for (int i = 0; i < n; i++)   // true, i = 0, n = 42
              a.c:13  add(&total, 'A');   // calls add(into = &total, what = 65 'A')
              a.c:4     *into += what;   // *into = 65
              a.c:5     return *into;   // returns 65
              a.c:12  for (int i = 0; i < n; i++)   // true, i = 1, n = 42
              a.c:13  add(&total, 'A');   // calls add(into = &total, what = 65 'A')
              a.c:4     *into += what;   // *into = 130
              a.c:5     return *into;   // returns 130
                      … 39 more rounds …
              a.c:12  for (int i = 0; i < n; i++)   // true, i = 41, n = 42
              a.c:13  add(&total, 'A');   // calls add(into = &total, what = 65 'A')
              a.c:4     *into += what;   // *into = 2730
              a.c:5     return *into;   // returns 2730
              a.c:12  for (int i = 0; i < n; i++)   // false, i = 42, n = 42
              a.c:14  struct pair *p = &pair;   // p = &pair
              a.c:15  p->b = 0xfffffff0u;   // p->b = 4294967280 (0xfffffff0)
              a.c:16  p->a = hook(&n, 1);   // hook = add, calls add(into = &n, what = 1)
              a.c:4     *into += what;   // *into = 43
              a.c:5     return *into;   // returns 43
              a.c:16  p->a = hook(&n, 1);   // add() = 43, p->a = 43
              a.c:19  case 2: reach_error();   // case 2, total = 2730, `reach_error` is called
            The run takes no input.
            The answer rests on:
              signed overflow wraps; executions with other undefined behaviour do not count
              objects lie at addresses from 0x1000 to 0x7fffffffffff (--addresses user)
            Verdict: UNSAFE (`reach_error` is called at a.c:19:13; engine concrete)
        "#]],
    );
}

#[test]
fn a_full_trace_tells_every_round() {
    let dir = Folder::new("run-full");
    dir.file("a.c", LOOP);
    let ran = dir.run(&["check", "a.c", "--full-trace"]);
    assert_eq!(ran.out.matches("calls add(").count(), 43, "{}", ran.out);
    assert!(!ran.out.contains('…'), "{}", ran.out);
}

/// Inputs of many kinds, which only a search finds; with macros and a header.
const INPUTS: &str = "\
#include <assert.h>
#define BIG 0xfffffff0u
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int unknown(int);
extern void __VERIFIER_assume(int);
static int sum(int a, int b) { return a + b; }
int main(void) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c == 'x');
    __VERIFIER_nondet_char();
    unsigned u = __VERIFIER_nondet_uint();
    if (u < BIG || u == BIG)
        return 0;
    _Bool b = __VERIFIER_nondet_bool();
    if (!b) return 0;
    int a = unknown(c);
    if (a != 2147483647) return 0;
    int s = sum(a, 2);
    assert(s > 0);
    return 0;
}
";

#[test]
fn inputs_of_many_kinds() {
    let dir = Folder::new("run-inputs");
    dir.file("a.c", INPUTS);
    says(
        &dir,
        &["check", "a.c", "--engine", "bounded"],
        10,
        &expect![[r#"
            The run that goes wrong in a.c (12 steps):
              a.c:10  char c = __VERIFIER_nondet_char();   // c = 120 'x'
              a.c:11  __VERIFIER_assume(c == 'x');   // assumed, c = 120 'x'
              a.c:13  unsigned u = __VERIFIER_nondet_uint();   // u = 4294967281 (0xfffffff1)
              a.c:14  if (u < BIG || u == BIG)   // false, u = 4294967281 (0xfffffff1)
              a.c:16  _Bool b = __VERIFIER_nondet_bool();   // b = true
              a.c:17  if (!b) return 0;   // false, b = true
              a.c:18  int a = unknown(c);   // calls undefined unknown(120), a = 2147483647
              a.c:19  if (a != 2147483647) return 0;   // false, a = 2147483647
              a.c:20  int s = sum(a, 2);   // calls sum(a = 2147483647, b = 2)
              a.c:8     static int sum(int a, int b) { return a + b; }   // returns -2147483647
              a.c:20  int s = sum(a, 2);   // s = -2147483647
              a.c:21  assert(s > 0);   // s = -2147483647, assertion `s > 0` fails
            Inputs, in order:
              a.c:10  __VERIFIER_nondet_char() = 120 'x'
              a.c:13  __VERIFIER_nondet_uint() = 4294967281 (0xfffffff1)
              a.c:16  __VERIFIER_nondet_bool() = true
              a.c:18  unknown() = 2147483647
            Note: a signed value wraps around at a.c:8:32; C leaves that undefined (see --signed-overflow)
            The answer rests on:
              signed overflow wraps; executions with other undefined behaviour do not count
              functions without a body return any value and write only what the outside can reach: `unknown`
              functions without a body call no function of the program
            Verdict: UNSAFE (assertion `s > 0` fails at a.c:21:13; engine bounded)
        "#]],
    );
}

#[test]
fn pointers_and_parts_of_objects_have_names() {
    let dir = Folder::new("run-pointees");
    dir.file(
        "a.c",
        "typedef unsigned long size_t;
void *malloc(size_t n);
void *memcpy(void *to, const void *from, size_t n);
extern void reach_error(void);
struct node { int key; struct node *next; };
int table[4];
int fill(struct node *out);
static int last(const int *p, int n) { p += n; return *p; }
int main(void) {
  struct node a = { 1, 0 }, *b = malloc(sizeof *b);
  const char *text = \"on\";
  char word[4];
  int own[3] = { 4, 5, 6 }, i = 2;
  if (!b) return 0;
  *(&b->key + 0) = own[i - 1];
  b->next = &a;
  table[i * 1] = 7;
  int *p = &own[1];
  memcpy(word, text, 3);
  if (last(own, 2) == 6 && fill(&a) && a.key == 9) reach_error();
  return *p;
}
",
    );
    let ran = dir.run(&["check", "a.c"]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.out, ran.err);
    for part in [
        "// a.key = 1, a.next = NULL, b = malloc#1",
        "// text = \"on\"",
        "// own[0] = 4, own[1] = 5, own[2] = 6, i = 2",
        "b->next = &a;   // b->next = &a",
        "// table[2] = 7",
        "// p = &own[1]",
        "// word = \"on\"",
        "calls last(p = &own, n = 2)",
        "// p = &own[2]",
        "calls undefined fill(&a)",
        "malloc() = a new block",
        "after fill() = ",
    ] {
        assert!(ran.out.contains(part), "{part} in\n{}", ran.out);
    }
    assert!(!ran.out.contains("object#"), "{}", ran.out);
}

#[test]
fn the_same_input_gives_the_same_output() {
    let dir = Folder::new("deterministic");
    dir.file("a.c", INPUTS).file("b.c", LOOP);
    for args in [&["check", "a.c"][..], &["check", "b.c"], &["run", "a.c", "--seed", "5"]] {
        let (first, second) = (dir.run(args), dir.run(args));
        assert_eq!((first.code, first.out, first.err), (second.code, second.out, second.err), "{args:?}");
    }
}

#[test]
fn a_tape_takes_a_run_into_the_target_again() {
    let dir = Folder::new("tape");
    dir.file("a.c", INPUTS).file("b.c", LOOP).file("t", "stale");
    for name in ["a.c", "b.c"] {
        let ran = dir.run(&["check", name, "--emit-tape", "t"]);
        assert_eq!(ran.code, Some(10), "{ran:?}");
        let again = dir.run(&["run", name, "--tape", "t"]);
        assert_eq!(again.code, Some(10), "{again:?}");
        assert!(again.out.starts_with("Run: FAILED (") && again.out.contains(&format!(" at {name}:")), "{again:?}");
    }
    // A tape that does not fit, in each way.
    dir.run(&["check", "a.c", "--emit-tape", "t"]);
    let tape = std::fs::read_to_string(dir.0.join("t")).unwrap();
    let lines: Vec<&str> = tape.lines().filter(|l| !l.starts_with("//")).collect();
    dir.file("short", lines[..lines.len() - 1].join("\n") + "\n");
    dir.file("surplus", format!("{tape}{}\n", lines[lines.len() - 1]));
    dir.file("wrong", tape.replace("bool = true", "bool = 7"));
    for (name, message) in [
        ("short", "short: error: the tape ends too early: "),
        ("surplus", "surplus: error: the tape has entries left over: 1 of "),
        ("wrong", "wrong:4:24: error: expected `true` or `false` [syntax]\n"),
    ] {
        let ran = dir.run(&["run", "a.c", "--tape", name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.err.starts_with(message), "{name}: {}", ran.err);
    }
    // One with another value just goes another way.
    dir.file("other", tape.replace("result i32 = 2147483647", "result i32 = 1"));
    dir.run(&["run", "a.c", "--tape", "other"]).expect(0, "Run: FINISHED (`main` returns 0)", "");
}

#[test]
fn runs_end_in_every_way() {
    let dir = Folder::new("run");
    let program = |body: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nextern void abort(void);\n\
             extern void reach_error(void);\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n  {body}\n}}\n"
        )
    };
    for (body, code, out) in [
        ("return x - 3;", 0, "Run: FINISHED (`main` returns -3)"),
        ("if (!x) abort(); return 1;", 0, "Run: FINISHED (the program ends itself at a.c:7:11)"),
        ("__VERIFIER_assume(x); return 1;", 0, "Run: FINISHED (an assumption fails at a.c:7:3)"),
        ("if (!x) reach_error(); return 1;", 10, "Run: FAILED (`reach_error` is called at a.c:7:11)"),
        ("return 1 / x;", 5, "Run: UNKNOWN (undefined behaviour: division by zero at a.c:7:3)"),
        ("return *(int *)0;", 5, "Run: UNKNOWN (undefined behaviour: null pointer dereferenced at a.c:7:3)"),
        ("for (;;) x++;", 5, "Run: UNKNOWN (limit of 1000 interpreter steps reached)"),
        ("return 1 << (x - 1);", 5, "Run: UNKNOWN (undefined behaviour: shift count out of range at a.c:7:3)"),
    ] {
        dir.file("a.c", program(body));
        dir.run(&["run", "a.c", "--max-steps", "1000"]).expect(code, out, "");
    }
    dir.file("a.c", program("return x > 100;"));
    let ends = (0..20).map(|seed| dir.run(&["run", "a.c", "--seed", &seed.to_string()]).out);
    let ends: std::collections::BTreeSet<String> = ends.collect();
    assert_eq!(ends.len(), 2, "random inputs differ: {ends:?}");
}

#[test]
fn a_run_from_a_tape_prints_what_the_program_prints() {
    let dir = Folder::new("run-tape-output");
    let text = "int printf(const char *, ...); extern int nondet(void); void reach_error(void);
        int main(void) { int x = nondet(); printf(\"x is %d\\n\", x); if (x == 77) reach_error(); printf(\"end\"); return 0; }";
    dir.file("a.c", text);
    let checked = dir.run(&["check", "a.c", "--emit-tape", "a.tape"]);
    assert_eq!(checked.code, Some(10), "{} {}", checked.out, checked.err);
    let replayed = dir.run(&["run", "a.c", "--tape", "a.tape"]);
    assert!(replayed.out.starts_with("x is 77\nRun: FAILED"), "{}", replayed.out);
    let told = dir.run(&["run", "a.c", "--trace"]);
    assert!(told.out.starts_with("x is 0\nend\nThe run in a.c"), "{}", told.out);
}

#[test]
fn a_run_is_told_on_request() {
    let dir = Folder::new("run-told");
    dir.file("a.c", "extern int nondet(void);\nint main(void) {\n    int x = nondet();\n    return 5 / x;\n}\n");
    says(
        &dir,
        &["run", "a.c", "--trace"],
        5,
        &expect![[r#"
        The run in a.c (1 step):
          a.c:3  int x = nondet();   // calls undefined nondet(), x = 0
        Inputs, in order:
          a.c:3  nondet() = 0
        Run: UNKNOWN (undefined behaviour: division by zero at a.c:4:5)
    "#]],
    );
    dir.file("b.c", "int main(void) {\n    int x = 0;\n    for (;;)\n        x++;\n}\n");
    says(
        &dir,
        &["run", "b.c", "--trace", "--max-steps", "100"],
        5,
        &expect![[r#"
        The run in b.c (100 steps):
          b.c:2  int x = 0;   // x = 0
          b.c:4  x++;   // x = 1
          b.c:4  x++;   // x = 2
                 … 95 more rounds …
          b.c:4  x++;   // x = 98
          b.c:4  x++;   // x = 99
        The run takes no input.
        Run: UNKNOWN (limit of 100 interpreter steps reached)
    "#]],
    );
}

#[test]
fn assumptions_name_what_has_no_body() {
    let dir = Folder::new("assumptions");
    dir.file("a.c", "extern int f(int), g(void), unused(void);\nint main(void) { f(1); return g(); }\n");
    dir.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    says(
        &dir,
        &["check", "a.c", "--engine", "abstraction", "--property", "p.prp"],
        0,
        &expect![[r#"
            The proof:
              no invariant over variables is needed: no way through a function leads to a target
            Note: there was nothing to check: no run can come to an assertion or a call of an error function
            The answer rests on:
              signed overflow wraps; executions with other undefined behaviour do not count
              functions without a body return any value and write only what the outside can reach: `f`, `g`
              functions without a body call no function of the program
            Verdict: SAFE (the proof was checked; engine abstraction)
        "#]],
    );
}

/// Nothing that could go wrong is no proof that nothing goes wrong (`c/nothing_to_check`); here, what is said about it.
#[test]
fn nothing_to_check_comes_with_advice() {
    let dir = Folder::new("nothing");
    dir.file("plain.c", "int main(void) { return 0; }\n");
    dir.file("miss.c", "extern void reach_eror(void);\nint main(void) {\n    reach_eror();\n    return 0;\n}\n");
    dir.file("own.c", "void Reach_Error(void) { }\nint main(void) { Reach_Error(); return 0; }\n");
    let ran = dir.run(&["check", "plain.c", "--check", "null,div"]);
    assert!(ran.out.contains("; --check null,div: 0 places; "), "{ran:?}");
    let warning =
        "miss.c:3:5: warning: `reach_eror` is any function without a body; did you mean `reach_error`? [near-miss]";
    dir.run(&["check", "miss.c"]).expect(
        5,
        "What to try next:\n  `reach_error`, if `reach_eror` was meant to be that\n  \
         --check all, to look for undefined behaviour and blocks that are not freed\n  \
         an `assert`, or a call of `reach_error()` where no run may come\n  \
         --property FILE.prp with the function that must not be called\n\
         Verdict: UNKNOWN (nothing to check: no assertion and no call of `reach_error` can be reached from `main`)",
        warning,
    );
    let ran = dir.run(&["check", "own.c"]);
    assert!(
        ran.err.is_empty() && ran.out.contains("  `reach_error`, if `Reach_Error` was meant to be that\n"),
        "{ran:?}"
    );
}

/// As gcc does, with the place; what is declared, or is the compiler's own, is not warned of.
#[test]
fn functions_without_a_declaration_are_warned_of() {
    let dir = Folder::new("implicit");
    dir.file(
        "a.c",
        "#include <assert.h>\n#define CALL(f) f(1)\nint known(int);\n\
         int main(void) {\n    int x = known(1) + __builtin_abs(2);\n    x += unknown(x) + unknown(1);\n\
         \x20   return abs(x) + CALL(hidden);\n}\nint later(void) { return CALL(known); }\n",
    );
    let ran = dir.run(&["check", "a.c", "--check", "div"]);
    let warned: Vec<&str> = ran.err.lines().filter(|l| l.contains("warning")).collect();
    let warning = |at: &str, name: &str| {
        format!("a.c:{at}: warning: implicit declaration of function '{name}' [implicit-function-declaration]")
    };
    assert_eq!(warned, [warning("6:10", "unknown"), warning("7:12", "abs"), warning("7:21", "hidden")], "{ran:?}");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Whatever the answer is.
    let ran = dir.run(&["check", "a.c"]);
    assert!(ran.code == Some(5) && ran.err.starts_with(&warning("6:10", "unknown")), "{ran:?}");
}

const SAFE: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int lock;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        lock = lock + 1;
        if (lock != 1)
            reach_error();
        lock = lock - 1;
    }
    return 0;
}
";

#[test]
fn a_proof_is_checked_again() {
    let dir = Folder::new("proof");
    dir.file("a.c", SAFE).file("b.c", SAFE.replace("lock != 1", "lock == 1")).file("p", "stale");
    let ran = dir.run(&["check", "a.c", "--engine", "abstraction", "--emit-proof", "p"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = dir.run(&["certify", "a.c", "p"]);
    assert!(ran.code == Some(0) && ran.out.ends_with("Proof: ACCEPTED\n"), "{ran:?}");
    // For another program, also if only an option differs.
    for args in [&["certify", "b.c", "p"][..], &["certify", "a.c", "p", "--signed-overflow", "undefined"]] {
        let ran = dir.run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with("p:2:1: error: the proof is for another program ("), "{ran:?}");
        assert!(ran.out.starts_with("Proof: UNKNOWN (front end: p:2:1: the proof is for another program"), "{ran:?}");
    }
    let proof = std::fs::read_to_string(dir.0.join("p")).unwrap();
    // Not readable.
    dir.file("q", proof.replace("function main", "function mane"));
    let ran = dir.run(&["certify", "a.c", "q"]);
    assert!(ran.code == Some(2) && ran.err.starts_with("q:") && ran.err.contains("mane"), "{ran:?}");
    // False: the weakest invariants, under this program's own hash.
    dir.file("r", proof.replace("(@lock == 0:i32)", "(@lock == @lock)"));
    let ran = dir.run(&["certify", "a.c", "r"]);
    assert!(ran.code == Some(10) && ran.out.starts_with("Proof: REJECTED (rule 4 (target): "), "{ran:?}");
    assert!(ran.out.contains(" at a.c:"), "the place is named: {ran:?}");
}

#[test]
fn a_run_is_a_proof_too() {
    let dir = Folder::new("run-proof");
    dir.file("a.c", "extern void reach_error(void);\nint main(void) { int x = 0; for (int i = 0; i < 10; i++) x += i; if (x != 45) reach_error(); }\n");
    assert_eq!(dir.run(&["check", "a.c", "--emit-proof", "p"]).code, Some(0));
    assert_eq!(dir.run(&["certify", "a.c", "p"]).code, Some(0));
    let proof = std::fs::read_to_string(dir.0.join("p")).unwrap();
    let steps = proof.lines().find_map(|l| l.strip_prefix("run ")).expect("a closed program is proved by its run");
    dir.file("q", proof.replace(&format!("run {steps}"), "run 7"));
    let ran = dir.run(&["certify", "a.c", "q"]);
    assert!(ran.code == Some(10) && ran.out.starts_with("Proof: REJECTED (rule run: "), "{ran:?}");
}

#[test]
fn intermediate_forms_are_written() {
    let dir = Folder::new("dump");
    dir.file("a.c", SAFE).file("predicates", "global: lock == 0, lock == 1\n");
    let args = ["check", "a.c", "--engine", "abstraction", "--no-invgen", "--dump", "ir,bp,preds,trace", "--out", "d"];
    assert_eq!(dir.run(&args).code, Some(0));
    let read = |name: &str| std::fs::read_to_string(dir.0.join("d").join(name)).unwrap();
    assert!(
        read("a.ir").starts_with("// program ") && read("a.ir").contains("func external main()"),
        "{}",
        read("a.ir")
    );
    assert!(read("a.1.bp").contains("main"), "{}", read("a.1.bp"));
    assert!(read("a.1.trace").contains("main e"), "{}", read("a.1.trace"));
    let rounds = |stats: &str| {
        let text = std::fs::read_to_string(dir.0.join(stats)).unwrap();
        let stats: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((stats["verdict"].as_str(), stats["engine"].as_str()), (Some("SAFE"), Some("abstraction")));
        assert_eq!((stats["lowers_fully"].as_bool(), stats["closed"].as_bool()), (Some(true), Some(false)));
        let rounds = stats["counters"]["iterations"].as_u64().unwrap();
        let record = stats["iterations"].as_array().expect("every round is on record");
        assert_eq!(record.len() as u64, rounds);
        assert!(record.iter().all(|r| r["predicates"].is_u64() && r["solver_queries"].is_u64()), "{record:?}");
        rounds
    };
    let plain = ["check", "a.c", "--engine", "abstraction", "--no-invgen", "--stats", "plain.json"];
    assert_eq!(dir.run(&plain).code, Some(0));
    let helped = [
        "check",
        "a.c",
        "--engine",
        "abstraction",
        "--no-invgen",
        "--stats",
        "helped.json",
        "--predicates",
        "predicates",
    ];
    assert_eq!(dir.run(&helped).code, Some(0));
    assert!(rounds("helped.json") < rounds("plain.json"), "the predicates save rounds");
    dir.file("predicates", "main: nothing > 0\n");
    let ran = dir.run(&helped);
    assert!(ran.code == Some(2) && ran.err.starts_with("predicates:1:7: error: "), "{ran:?}");
}

/// Whether the system's compiler makes programs for this data model.
fn can_compile(dir: &Folder, flag: &str) -> bool {
    dir.file("probe.c", "#include <stdlib.h>\nint main(void) { return 0; }\n");
    let probe = Command::new("cc").args([flag, "-o", "probe", "probe.c"]).current_dir(&dir.0).output();
    let works = probe.is_ok_and(|o| o.status.success());
    if !works {
        eprintln!("skipped: there is no compiler for {flag}");
    }
    works
}

#[test]
fn the_compiled_program_agrees() {
    let dir = Folder::new("compiled");
    let precision = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/data/precision");
    let mut names: Vec<_> = std::fs::read_dir(&precision).unwrap().map(|e| e.unwrap().path()).collect();
    names.retain(|p| p.to_string_lossy().ends_with(".unsafe.c"));
    names.sort();
    assert!(names.len() > 10);
    dir.file("inputs.c", INPUTS).file("loop.c", LOOP);
    names.extend([dir.0.join("inputs.c"), dir.0.join("loop.c")]);
    for (model, flag) in [("LP64", "-m64"), ("ILP32", "-m32")] {
        if !can_compile(&dir, flag) {
            continue;
        }
        for path in &names {
            let text = std::fs::read_to_string(path).unwrap();
            if text.contains("// data-model: ")
                && ![model, "any"].iter().any(|m| text.contains(&format!("data-model: {m}")))
            {
                continue;
            }
            let args =
                ["check", path.to_str().unwrap(), "--data-model", model, "--replay-compiled", "--stats", "s.json"];
            let ran = dir.run(&args);
            assert_eq!(ran.code, Some(10), "{ran:?}");
            assert!(ran.out.contains("\nNote: compiled replay: reached the target\n"), "{}", ran.out);
            let stats = std::fs::read_to_string(dir.0.join("s.json")).unwrap();
            assert!(stats.contains("\"compiled_replay\": \"reached the target\""), "{stats}");
        }
    }
}

#[test]
fn targets_are_seen_in_the_compiled_program_however_they_are_written() {
    let dir = Folder::new("compiled-targets");
    if !can_compile(&dir, "-m64") {
        return;
    }
    for (program, property) in [
        ("void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n", false),
        ("static void reach_error() { int x = 0; x++; }\nint main(void) { reach_error(); exit(171); }\n", false),
        ("#include <assert.h>\nint main(void) { assert(0); }\n", false),
        ("extern void __VERIFIER_assert(_Bool);\nint main(void) { __VERIFIER_assert(0); }\n", false),
        ("extern void bad(int, int);\nint main(void) { bad(1, 2); }\n", true),
        ("void bad(void) {}\nint main(void) { bad(); return 1; }\n", true),
        // A program with functions of its own that have the names of library functions.
        (
            "int kill(int a, int b) { return 0; }\nint getpid(void) { return 1; }\nint bad();\nint main(void) { bad(); }\n",
            true,
        ),
    ] {
        dir.file("a.c", program).file("p.prp", "CHECK( init(main()), LTL(G ! call(bad())) )\n");
        let property = if property { &["--property", "p.prp"][..] } else { &[] };
        let ran = dir.run(&[&["check", "a.c", "--data-model", "LP64", "--replay-compiled"], property].concat());
        assert!(ran.out.contains("\nNote: compiled replay: reached the target\n"), "{program}{ran:?}");
    }
}

#[test]
fn compiled_replay_says_why_it_does_not_apply() {
    let dir = Folder::new("compiled-not");
    for (program, args, why) in [
        ("int main(void) { int x; if (!x) reach_error(); }", &[][..], "the run depends on an uninitialised value"),
        ("int main(int argc) { if (!argc) reach_error(); }", &[], "the run depends on "),
        ("void *malloc(unsigned long); int main(void) { if (!malloc(1)) reach_error(); }", &[], "an allocation fails"),
        ("int *p; int main(void) { *p = 1; }", &["--check", "null"], "the run ends in undefined behaviour (null"),
        ("int start(void) { reach_error(); }", &["--entry", "start"], "the run starts in `start`, not in `main`"),
    ] {
        dir.file("a.c", format!("extern void reach_error(void);\n{program}\n"));
        let ran = dir.run(&[&["check", "a.c", "--replay-compiled"], args].concat());
        assert_eq!(ran.code, Some(10), "{program}: {ran:?}");
        assert!(ran.out.contains(&format!("Note: compiled replay: does not apply: {why}")), "{program}: {ran:?}");
    }
    let ran = crate::support::Ran::of(
        dir.command(&["check", "a.c", "--entry", "start", "--replay-compiled"]).env("PATH", &dir.0),
    );
    assert_eq!(ran.code, Some(10), "{ran:?}");
}

#[test]
fn a_compiled_program_that_disagrees_takes_the_answer_back() {
    let dir = Folder::new("compiled-differs");
    if !can_compile(&dir, "-m64") {
        return;
    }
    // The order of evaluation is open in C; ours is left to right, and gcc evaluates arguments from right to left.
    let program = "extern void reach_error(void); int n;\nint next(void) { return ++n; }\n\
                   int less(int a, int b) { return a < b; }\n\
                   int main(void) { if (less(next(), next())) reach_error(); return 3; }\n";
    dir.file("a.c", program);
    let gcc = Command::new("cc").arg("--version").output().unwrap();
    if !String::from_utf8_lossy(&gcc.stdout).contains("Free Software Foundation") {
        eprintln!("skipped: the compiler is not gcc");
        return;
    }
    let ran = dir.run(&["check", "a.c", "--data-model", "LP64", "--replay-compiled"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.err.starts_with("error: hardbop contradicts the compiler: "), "{ran:?}");
    assert!(ran.out.contains("compiled replay: did not reach the target: it ended with exit code 3"), "{ran:?}");
    assert!(
        ran.out.contains("\nVerdict: UNKNOWN (the compiled program does not go wrong on the inputs found: "),
        "{ran:?}"
    );
}

/// A division that decides how many executions there are, and a target behind it.
fn divided_by(divisor: &str) -> String {
    format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n    \
         int x = __VERIFIER_nondet_int(), d = {divisor};\n    if (x / d * d > x && x > 0 && d > 0)\n        \
         reach_error();\n    return 0;\n}}\n"
    )
}

#[test]
fn a_proof_about_no_execution_comes_with_a_warning() {
    let dir = Folder::new("no-execution");
    let ran = dir.file("a.c", divided_by("0")).run(&["check", "a.c"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    expect![[r#"
        warning: a.c:5:9: the proof may say little: each of 8 runs that were tried ended in undefined behaviour, which does not count (division by zero here first)
    "#]]
    .assert_eq(&ran.err);
    // Here only one of the runs that are tried divides by zero.
    let ran = dir.file("b.c", divided_by("x & 7")).run(&["check", "b.c"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

//! The competition's properties, task definitions and verdicts.

use crate::support::Folder;

const HEAD: &str = "extern void *malloc(unsigned long);\nextern void *realloc(void *, unsigned long);\nextern void free(void *);\n\
                    extern void abort(void);\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                    int *kept;\n";

/// A folder with the property files.
fn properties(name: &str) -> Folder {
    let dir = Folder::new(name);
    let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
    dir.file("memory.prp", ["G valid-free", "G valid-deref", "G valid-memtrack"].map(check).concat());
    dir.file("cleanup.prp", check("G valid-memcleanup")).file("overflow.prp", check("G ! overflow"));
    dir.file("unreach.prp", check("G ! call(reach_error())")).file("termination.prp", check("F end"));
    dir
}

/// The verdict as the competition writes it.
#[track_caller]
fn verdict(dir: &Folder, property: &str, body: &str) -> String {
    dir.file("a.c", format!("{HEAD}int main(void) {{ {body} }}\n"));
    let ran =
        dir.run(&["check", "a.c", "-q", "--svcomp", "--property", &format!("{property}.prp"), "--timeout", "60s"]);
    let mut lines = ran.out.lines();
    let verdict = lines.next().and_then(|l| l.strip_prefix("SV-COMP verdict: ")).map(str::to_string);
    let verdict = verdict.unwrap_or_else(|| panic!("{}{}", ran.out, ran.err));
    let code = if verdict == "true" {
        0
    } else if verdict == "unknown" {
        5
    } else {
        10
    };
    assert_eq!(ran.code, Some(code), "{}", ran.out);
    verdict
}

#[test]
fn memory_is_safe_if_all_three_parts_hold() {
    let dir = properties("svcomp-memory");
    for (body, expected) in [
        ("int *p = malloc(4); *p = 3; free(p); return 0;", "true"),
        ("int a[3]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3) a[i] = 1; return 0;", "true"),
        ("int a[3]; int i = __VERIFIER_nondet_int(); if (i >= 0) a[i] = 1; return 0;", "false(valid-deref)"),
        ("int *p = 0; if (__VERIFIER_nondet_int()) *p = 1; return 0;", "false(valid-deref)"),
        ("int *p = malloc(4); free(p); if (__VERIFIER_nondet_int()) *p = 1; return 0;", "false(valid-deref)"),
        ("int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); free(p); return 0;", "false(valid-free)"),
        ("int x; if (__VERIFIER_nondet_int()) free(&x); return 0;", "false(valid-free)"),
        // Whether a block is lost or only not freed is not decided.
        ("int *p = malloc(4); p = 0; return 0;", "unknown"),
        ("kept = malloc(4); return 0;", "unknown"),
        // Some runs never end, and what they lose no end shows.
        ("int *p = malloc(4); free(p); if (__VERIFIER_nondet_int()) for (;;) ; return 0;", "unknown"),
    ] {
        assert_eq!(verdict(&dir, "memory", body), expected, "{body}");
    }
}

#[test]
fn every_block_is_freed_at_the_end() {
    let dir = properties("svcomp-cleanup");
    for (body, expected) in [
        ("int *p = malloc(4); free(p); return 0;", "true"),
        ("int *p = malloc(4); p = realloc(p, 8); free(p); return 0;", "true"),
        (
            "int *p = malloc(4); p = realloc(p, 8); if (__VERIFIER_nondet_int()) free(p); return 0;",
            "false(valid-memcleanup)",
        ),
        (
            "int *p = malloc(4), *q = malloc(4); free(q); if (__VERIFIER_nondet_int()) free(p); return 0;",
            "false(valid-memcleanup)",
        ),
        ("kept = malloc(4); return 0;", "false(valid-memcleanup)"),
        ("return 0;", "true"),
        // The property says nothing of programs that are ended by a call.
        ("kept = malloc(4); if (__VERIFIER_nondet_int()) abort(); free(kept); return 0;", "unknown"),
    ] {
        assert_eq!(verdict(&dir, "cleanup", body), expected, "{body}");
    }
}

#[test]
fn overflow_and_calls() {
    let dir = properties("svcomp-overflow");
    for (property, body, expected) in [
        ("overflow", "int a = __VERIFIER_nondet_int(); return a + 1;", "false(no-overflow)"),
        ("overflow", "int a = __VERIFIER_nondet_int(); return a < 100 ? a + 1 : 0;", "true"),
        ("overflow", "unsigned a = __VERIFIER_nondet_int(); return (a + 1u) > 0;", "true"),
        ("overflow", "int a = __VERIFIER_nondet_int(); return a / -1;", "false(no-overflow)"),
        ("overflow", "int a = __VERIFIER_nondet_int(); return 1 << (a & 1);", "unknown"),
        ("overflow", "int a = __VERIFIER_nondet_int(); if (a == 5) reach_error(); return 0;", "true"),
        ("unreach", "int a = __VERIFIER_nondet_int(); if (a == 5) reach_error(); return 0;", "false(unreach-call)"),
        ("unreach", "int a = __VERIFIER_nondet_int(); if (a == 5 && a == 6) reach_error(); return a + 1;", "true"),
    ] {
        assert_eq!(verdict(&dir, property, body), expected, "{property}: {body}");
    }
}

#[test]
fn leaks_are_a_kind_of_defect() {
    let dir = properties("svcomp-leak");
    dir.file("a.c", format!("{HEAD}int main(void) {{ int *p = malloc(4); if (p) *p = 1; return 0; }}\n"));
    let ran = dir.run(&["check", "a.c", "--check", "leak"]);
    assert_eq!(ran.code, Some(10), "{}", ran.out);
    assert!(ran.out.contains("not every block of memory is freed when the program returns"), "{}", ran.out);
    dir.file("b.c", format!("{HEAD}int main(void) {{ int *p = malloc(4); free(p); return 0; }}\n"));
    assert_eq!(dir.run(&["check", "b.c", "--check", "leak"]).code, Some(0));
}

#[test]
fn task_definitions_say_what_to_check() {
    let dir = properties("svcomp-task");
    std::fs::create_dir_all(dir.0.join("tasks")).unwrap();
    dir.file(
        "tasks/a.c",
        "extern void reach_error(void);\nint main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n",
    );
    let task = |model: &str, properties: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n{properties}options:\n  language: C\n  data_model: {model}\n"
        )
    };
    let one = "  - property_file: ../unreach.prp\n    expected_verdict: false\n";
    dir.file("tasks/32.yml", task("ILP32", one)).file("tasks/64.yml", task("LP64", one));
    dir.file("tasks/two.yml", task("LP64", &format!("{one}  - property_file: ../overflow.prp\n")));
    for (file, code, verdict) in [("tasks/32.yml", 10, "false(unreach-call)"), ("tasks/64.yml", 0, "true")] {
        let ran = dir.run(&["check", file, "--svcomp", "-q"]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
        assert!(ran.out.starts_with(&format!("SV-COMP verdict: {verdict}\n")), "{}", ran.out);
    }
    let ran = dir.run(&["check", "tasks/two.yml"]);
    assert!(ran.code == Some(1) && ran.err.contains("choose one with --property"), "{}", ran.err);
    assert_eq!(dir.run(&["check", "tasks/two.yml", "--property", "unreach.prp"]).code, Some(0));
    let ran = dir.run(&["check", "tasks/a.c", "--property", "termination.prp"]);
    assert!(ran.code == Some(1) && ran.err.contains("property `termination` is not supported"), "{}", ran.err);
    let ran = dir.run(&["check", "tasks/a.c", "--svcomp", "--check", "all"]);
    assert!(ran.code == Some(1) && ran.err.contains("--svcomp"), "{}", ran.err);
}

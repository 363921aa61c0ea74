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
    let (code, line) = validate(&dir, "unsafe.c", &more);
    assert!(code == Some(5) && line.contains("no run was found"), "{line}");
    // What is not followed confirms nothing.
    let (code, line) = validate(&dir, "unsafe.c", &|w| w.replacen("function_return", "function_enter", 1));
    assert!(code == Some(5) && line.contains("`function_enter`"), "{line}");
    let (code, line) = validate(&dir, "unsafe.c", &|w| w.replacen("function_return", "assumption", 1));
    assert!(code == Some(5) && line.contains("cannot be read"), "{line}");
}

#[test]
fn graphml_is_read_too() {
    let dir = folder("witness-graphml");
    let graph = |file: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(dir.0.join("w.graphml")).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        dir.file("changed.graphml", text.replacen(from, to, 1));
        let args = ["validate", file, "-q", "--property", "p.prp", "--witness", "changed.graphml", "--timeout", "60s"];
        let ran = dir.run(&args);
        (ran.code, ran.out + &ran.err)
    };
    check_with(&dir, "safe.c", 0, &["--engine", "abstraction"]);
    assert_eq!(graph("safe.c", "", "").0, Some(0));
    assert_eq!(graph("safe.c", "(i == s)", "(i == s + 1)").0, Some(5));
    assert_eq!(graph("safe.c", "<data key=\"startline\">8<", "<data key=\"startline\">9<").0, Some(5));
    assert_eq!(graph("safe.c", "64bit", "32bit").0, Some(2));
    assert_eq!(graph("unsafe.c", "", "").0, Some(2), "another program");
    check(&dir, "unsafe.c", 10);
    assert_eq!(graph("unsafe.c", "", "").0, Some(0));
    assert_eq!(graph("unsafe.c", "18446744073709551615ULL", "18446744073709551614ULL").0, Some(10));
    assert_eq!(graph("unsafe.c", "<data key=\"violation\">true</data>", "<data key=\"sink\">true</data>").0, Some(2));
}

#[test]
fn what_nothing_initialised_and_floating_numbers_are_said() {
    let dir = folder("witness-values");
    let program = "extern float __VERIFIER_nondet_float(void);\nextern double __VERIFIER_nondet_double(void);\n";
    let main = "int main(void) {
    int a; unsigned b;
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (a == 123456 && b == 4000000000u)
        if (f > 1.1f && f < 1.2f && d != d) reach_error();
    return 0;
}
";
    dir.file("values.c", format!("{HEAD}{program}{main}"));
    check_with(&dir, "values.c", 10, &["--engine", "bounded"]);
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    for said in ["a == 123456", "b == 4000000000U", "\\\\result != \\\\result", "\\\\result == 1.1"] {
        assert!(text.contains(said), "{said} in {text}");
    }
    assert_eq!(validate(&dir, "values.c", &str::to_string).0, Some(0));
    for (from, to) in [("a == 123456", "a == 123457"), ("result == 1.1", "result == 2.1"), ("line: 9\n", "line: 8\n")] {
        let (code, line) = validate(&dir, "values.c", &|w| w.replacen(from, to, 1));
        assert_ne!(code, Some(0), "{from} as {to}: {line}");
    }
}

/// A violation as another tool would write it.
fn by_hand(dir: &Folder, waypoints: &[(&str, &str, u32, u32)]) -> (Option<i32>, String) {
    let mut content = String::new();
    for (kind, constraint, line, column) in waypoints {
        let format = if *kind == "branching" { "" } else { "\n          format: c_expression" };
        let constraint = match *kind {
            "target" => String::new(),
            _ => format!("        constraint:\n          value: '{constraint}'{format}\n"),
        };
        content += &format!(
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        location:\n          \
             file_name: x.c\n          line: {line}\n          column: {column}\n{constraint}"
        );
    }
    let change = |w: &str| {
        let head = &w[..w.find("  content:\n").unwrap()];
        format!("{head}  content:\n{content}")
    };
    validate(dir, "x.c", &change)
}

#[test]
fn conditions_and_branches_of_others_guide_the_search() {
    let dir = folder("witness-others");
    let main = "int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = 0;
    if (x > y)
        z = 1;
    if (!(x * x + y == 1234567 * 3 && z))
        return 0;
    reach_error();
    return 1;
}
";
    dir.file("x.c", format!("{HEAD}{main}"));
    check_with(&dir, "x.c", 10, &["--engine", "bounded"]);
    // x = 2000, y = -296299.
    let (x, y, target) =
        (("assumption", "x == 2000", 7, 5), ("assumption", "y == -296299", 8, 5), ("target", "", 13, 5));
    let branch = |taken| ("branching", taken, 9, 5);
    assert_eq!(by_hand(&dir, &[x, y, branch("true"), target]).0, Some(0));
    assert_eq!(by_hand(&dir, &[x, ("assumption", "(y == -296299) && z == 0", 9, 5), target]).0, Some(0));
    for wrong in [
        &[x, y, branch("false"), target][..],
        &[x, ("assumption", "y == -296298", 8, 5), target],
        &[x, y, ("assumption", "z == 2", 13, 5), target],
        &[x, y, ("target", "", 12, 9)],
        &[("assumption", "nobody == 1", 8, 5), target],
    ] {
        assert_ne!(by_hand(&dir, wrong).0, Some(0), "{wrong:?}");
    }
}

#[test]
fn loops_in_functions_that_are_called_and_loops_of_which_nothing_is_known() {
    let dir = folder("witness-callee");
    let program = "int n, locked;
void lock(void) { check(!locked); locked = 1; }
void count(void) {
    int i = 0;
    while (i < n) { i++; lock(); locked = 0; }
}
int main(void) {
    n = __VERIFIER_nondet_int();
    while (1) {
        lock();
        locked = 0;
        if (__VERIFIER_nondet_int()) break;
    }
    count();
    count();
    return 0;
}
";
    dir.file("callee.c", format!("{HEAD}{program}"));
    check_with(&dir, "callee.c", 0, &["--engine", "abstraction"]);
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    assert!(text.contains("function: \"count\""), "{text}");
    let (code, line) = validate(&dir, "callee.c", &str::to_string);
    assert_eq!(code, Some(0), "{line}\n{text}");
    // Without them nothing is confirmed, and neither is with what does not hold.
    let without = |w: &str| w[..w.find("  content:\n").unwrap()].to_string() + "  content: []\n";
    let args = |change: &dyn Fn(&str) -> String| {
        dir.file("changed.yml", change(&text));
        dir.run(&["validate", "callee.c", "-q", "--property", "p.prp", "--witness", "changed.yml", "--cpu-time", "2s"])
            .code
    };
    assert_eq!(args(&without), Some(5));
    assert_eq!(args(&|w| w.replace("locked == 0", "locked == 1")), Some(5));
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

/// Programs with loops that no unwinding comes to the end of, and engines that prove them.
const LOOPING: [&str; 6] = [
    // Two counters of one name, and the second one of another type.
    "int main(void) {
    unsigned n = __VERIFIER_nondet_int(), s = 0, t = 0;
    for (unsigned i = 0; i < n; i++) { s++; }
    for (unsigned i = 0; i < n; i++) { t++; check(t == i + 1); }
    check(s == n && t == n);
    return 0;
}
",
    // A global, and a variable of its name in a block.
    "unsigned i = 5;
int main(void) {
    unsigned n = __VERIFIER_nondet_int(), s = 0;
    while (__VERIFIER_nondet_int()) { i = i == 5 ? 6 : 5; check(i < 7); }
    if (n > 3) { unsigned i = 0; while (i < n) { i++; s++; } check(s == n); }
    return 0;
}
",
    "int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { if (x < 100) { x++; y++; } else { x = 0; y = 0; } check(x == y); }
    return 0;
}
",
    "int main(void) {
    int held = 0;
    do { check(!held); held = 1; if (__VERIFIER_nondet_int()) held = 0; } while (!held);
    check(held == 1);
    return 0;
}
",
    "int main(void) {
    int a = 0;
again: a = a + 2;
    if (a > 1000) a = 0;
    check(a % 2 == 0);
    if (__VERIFIER_nondet_int()) goto again;
    return 0;
}
",
    "int main(void) {
    unsigned n = __VERIFIER_nondet_int(), k = n;
    while (k > 0) { k--; for (unsigned j = k; j > 0; j--) check(j < n); }
    return 0;
}
",
];

/// Each invariant of a witness, as text between its quotes.
fn values(text: &str) -> Vec<String> {
    let value = |l: &str| Some(l.trim().strip_prefix("value: \"")?.strip_suffix('"')?.to_string());
    text.lines().filter_map(value).collect()
}

#[test]
fn looping_programs_need_their_invariants_and_wrong_ones_are_never_confirmed() {
    let dir = folder("witness-looping");
    let mut edited = 0;
    for (i, program) in LOOPING.iter().enumerate() {
        let file = format!("l{i}.c");
        dir.file(&file, format!("{HEAD}{program}"));
        check_with(&dir, &file, 0, &["--engine", "abstraction"]);
        let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
        let code = |change: &dyn Fn(&str) -> String| {
            dir.file("changed.yml", change(&text));
            let limit = ["--cpu-time", "1s"];
            let args = ["validate", &file, "-q", "--property", "p.prp", "--witness", "changed.yml"];
            let ran = dir.run(&[&args[..], &limit].concat());
            (ran.code, ran.out)
        };
        let (ended, said) = code(&str::to_string);
        assert_eq!(ended, Some(0), "{file}: {said}{text}");
        let without = code(&|w| w[..w.find("  content:\n").unwrap()].to_string() + "  content: []\n");
        assert_eq!(without.0, Some(5), "{file}: {}", without.1);
        for value in values(&text).iter().filter(|v| *v != "1") {
            let wrong = code(&|w| w.replacen(&format!("\"{value}\""), &format!("\"!({value})\""), 1));
            assert_eq!(wrong.0, Some(5), "{file}, not {value}: {}", wrong.1);
            edited += 1;
        }
    }
    assert!(edited >= 8, "{edited}");
}

/// Programs whose proofs need more than what holds at loops now: a value at entry, a function that calls itself.
const BY_CONTRACT: [&str; 2] = [
    "unsigned down(unsigned n) {
    unsigned i = 0;
    while (n > 0) { n--; i++; }
    return i;
}
int main(void) {
    unsigned a = __VERIFIER_nondet_int();
    check(down(a) == a);
    return 0;
}
",
    "int held;
void visit(unsigned n) {
    check(!held);
    unsigned i = 0;
    while (i < n) { held = 1; i++; held = 0; }
    if (n > 0) visit(n - 1);
}
int main(void) {
    visit(__VERIFIER_nondet_int());
    check(!held);
    return 0;
}
",
];

#[test]
fn what_functions_require_and_ensure_is_confirmed_and_its_opposite_is_not() {
    let dir = folder("witness-contracts");
    for (i, program) in BY_CONTRACT.iter().enumerate() {
        let file = format!("c{i}.c");
        dir.file(&file, format!("{HEAD}{program}"));
        check_with(&dir, &file, 0, &["--engine", "abstraction"]);
        let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
        for part in ["format_version: \"2.1\"", "type: function_contract", "format: ext_c_expression", "\\\\at("] {
            assert!(text.contains(part), "{file}: {part}\n{text}");
        }
        let (code, line) = validate(&dir, &file, &str::to_string);
        assert_eq!(code, Some(0), "{file}: {line}{text}");
        let said = |l: &str| {
            let (key, value) = l.trim().split_once(": \"")?;
            let value = value.strip_suffix('"').filter(|v| *v != "1")?;
            ["value", "requires", "ensures"].contains(&key).then(|| format!("{key}: \"{value}\""))
        };
        let said: Vec<String> = text.lines().filter_map(said).collect();
        assert!(said.len() >= 3, "{text}");
        for condition in said {
            let (key, value) = condition.split_once(": \"").unwrap();
            let wrong = format!("{key}: \"!({})\"", value.trim_end_matches('"'));
            let (code, line) = validate(&dir, &file, &|w| w.replacen(&condition, &wrong, 1));
            assert_eq!(code, Some(5), "{file}: {wrong}: {line}");
        }
    }
}

#[test]
fn names_mean_what_they_mean_at_the_loop() {
    let dir = folder("witness-scopes");
    dir.file("two.c", format!("{HEAD}{}", LOOPING[0]));
    check_with(&dir, "two.c", 0, &["--engine", "abstraction"]);
    let text = std::fs::read_to_string(dir.0.join("w.yml")).unwrap();
    let values = values(&text);
    assert_eq!(values.len(), 2, "{text}");
    assert!(values[1].contains("t == i") && !text.contains("i."), "the second loop has its own `i`: {text}");
    // A name that no variable in scope has: the loop's is not known before it.
    let (code, line) = validate(&dir, "two.c", &|w| w.replacen("t == i", "t == j", 1));
    assert!(code == Some(5) && line.contains("cannot be read"), "{line}");
}

//! Many entries and rules: the cache, several at a time, known defects, harnesses, contracts, and mistakes with their places.

use crate::support::{Folder, Ran};
use expect_test::expect;

const RULE: &str = "\
title \"Locks are taken and released in turn\";
state { enum { unlocked, locked } s = unlocked; }
watch spin_lock.entry.$1;
spin_lock.entry [guard $1] {
    if (s == locked)
        abort \"$fname: the lock is held already\";
    s = locked;
}
spin_unlock.entry [guard $1] {
    s = unlocked;
}
$entry.exit {
    if (s == locked)
        abort \"a lock is still held when $entry returns\";
}
";

/// A file with `n` entries; the last leaks a lock.
fn project(n: usize) -> String {
    let mut text = String::from("void spin_lock(int *);\nvoid spin_unlock(int *);\nstatic int a;\n");
    for i in 0..n {
        let guard = if i + 1 == n { "    if (n > 3)\n        return;\n" } else { "\n\n" };
        text += &format!("void entry_{i}(int n)\n{{\n    spin_lock(&a);\n{guard}    spin_unlock(&a);\n}}\n");
    }
    text
}

const CHECK: [&str; 8] = ["check", "driver.c", "--entries", "all-exported", "--rule", "my.slic", "--cache", "cache"];

fn check(dir: &Folder, more: &[&str]) -> Ran {
    dir.run(&[&CHECK[..], more].concat())
}

/// The lines of the checks.
fn lines(ran: &Ran) -> Vec<String> {
    ran.out.lines().filter(|l| l.contains(" my") && !l.starts_with(' ')).map(str::to_owned).collect()
}

fn without_marks(lines: &[String]) -> Vec<String> {
    let mark = |l: &String| match l.find("cached") {
        Some(at) => l[..at].trim_end_matches([' ', '(', ';']).to_owned() + if l.starts_with("PASS") { "" } else { ")" },
        None => l.clone(),
    };
    lines.iter().map(mark).collect()
}

fn cached(lines: &[String]) -> usize {
    lines.iter().filter(|l| l.contains("cached")).count()
}

#[test]
fn answers_are_kept_and_only_what_changed_is_done_again() {
    let dir = Folder::new("projects-cache");
    dir.file("driver.c", project(4)).file("my.slic", RULE);
    let first = check(&dir, &["-j", "2"]);
    assert_eq!((first.code, first.err.as_str(), cached(&lines(&first))), (Some(10), "", 0));
    let again = check(&dir, &[]);
    assert_eq!((again.code, cached(&lines(&again))), (Some(10), 4), "{again:?}");
    assert_eq!(without_marks(&lines(&again)), lines(&first));
    let checked = check(&dir, &["--recertify"]);
    assert_eq!(checked.out.matches("the proof was checked again").count(), 3, "{checked:?}");
    assert_eq!(checked.out.matches("the run was replayed again").count(), 1, "{checked:?}");
    // Another function of the file is edited: of the others the program is the same.
    dir.file("driver.c", project(4).replacen("    spin_lock(&a);", "    n++; spin_lock(&a);", 1));
    let edited = check(&dir, &[]);
    assert_eq!(cached(&lines(&edited)), 3, "{edited:?}");
    assert_eq!(without_marks(&lines(&edited)), lines(&first));
    // A rule is part of what is asked.
    dir.file("my.slic", RULE.replace("s = unlocked;\n}", "}"));
    assert_eq!(cached(&lines(&check(&dir, &[]))), 0);
}

/// The processor time of a check with its children, in seconds, by the shell's account.
fn cost(dir: &Folder, more: &[&str]) -> (Ran, f64) {
    let mut command = std::process::Command::new("sh");
    let script = "\"$@\" 2> err; code=$?; times; exit $code";
    command.current_dir(&dir.0).args(["-c", script, "sh", env!("CARGO_BIN_EXE_hardbop")]);
    let ran = Ran::from_output(&command.args(CHECK).args(more).output().unwrap());
    let times = ran.out.lines().next_back().unwrap_or_default();
    let seconds = |word: &str| {
        let (minutes, rest) = word.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + rest.trim_end_matches('s').parse::<f64>().ok()?)
    };
    let sum = times.split_whitespace().map(|w| seconds(w).unwrap_or_else(|| panic!("{ran:?}"))).sum();
    (ran, sum)
}

/// Twenty entries: what is unchanged costs a twentieth, checked again half, and with one function edited a fifth.
#[test]
fn what_is_kept_costs_little() {
    let dir = Folder::new("projects-cost");
    let entry = |i: usize| {
        let leak = if i == 19 { "if (taken && n == 7) return;" } else { "" };
        format!(
            "void entry_{i}(int n, int flag)\n{{\n    int taken = 0;\n    while (more()) {{\n        \
             if (flag && !taken) {{ spin_lock(&a); taken = 1; }}\n        n++;\n        {leak}\n        \
             if (taken && n > {i}) {{ spin_unlock(&a); taken = 0; }}\n    }}\n    if (taken) spin_unlock(&a);\n}}\n"
        )
    };
    let head = "void spin_lock(int *);\nvoid spin_unlock(int *);\nint more(void);\nstatic int a;\n";
    let text = head.to_owned() + &(0..20).map(entry).collect::<String>();
    dir.file("driver.c", text.as_str()).file("my.slic", RULE);
    let (first, whole) = cost(&dir, &[]);
    assert_eq!((first.code, lines(&first).len(), cached(&lines(&first))), (Some(10), 20, 0), "{first:?}");
    let (again, unchanged) = cost(&dir, &[]);
    let (checked, recertified) = cost(&dir, &["--recertify"]);
    dir.file("driver.c", text.replacen("n++;", "n += 2;", 1));
    let (edited, one) = cost(&dir, &[]);
    for (ran, kept) in [(again, 20), (checked, 20), (edited, 19)] {
        assert_eq!((ran.code, cached(&lines(&ran))), (Some(10), kept), "{ran:?}");
        let plain = |l: &String| l.split(" (").next().unwrap_or_default().trim_end().to_owned();
        assert_eq!(
            lines(&ran).iter().map(plain).collect::<Vec<_>>(),
            lines(&first).iter().map(plain).collect::<Vec<_>>()
        );
    }
    let costs =
        format!("{whole:.2} s at first, {unchanged:.2} unchanged, {recertified:.2} checked again, {one:.2} edited");
    assert!(unchanged * 20.0 <= whole, "{costs}");
    assert!(recertified * 2.0 <= whole, "{costs}");
    assert!(one * 5.0 <= whole, "{costs}");
}

#[test]
fn a_damaged_cache_is_noticed_and_made_anew() {
    let dir = Folder::new("projects-damage");
    dir.file("driver.c", project(2)).file("my.slic", RULE);
    let first = check(&dir, &[]);
    for folder in std::fs::read_dir(dir.0.join("cache")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            // A verdict that nobody found.
            std::fs::write(&path, text.replace("\"Unsafe\"", "\"Safe\"").replace("\"Safe\"", "\"Unknown\"")).unwrap();
        }
    }
    let again = check(&dir, &[]);
    assert!(again.err.contains("the cache is damaged"), "{again:?}");
    assert_eq!((again.code, lines(&again)), (first.code, lines(&first)), "nothing is taken from it");
    let healed = check(&dir, &[]);
    assert_eq!((healed.err.as_str(), cached(&lines(&healed))), ("", 2), "{healed:?}");
    let ran = dir.file("file", "x").run(&[&CHECK[..7], &["file"]].concat());
    assert!(ran.code == Some(1) && ran.err.contains("--cache file"), "{ran:?}");
}

#[test]
fn two_runs_at_a_time_and_one_that_is_killed_lose_nothing() {
    let dir = Folder::new("projects-killed");
    dir.file("driver.c", project(4)).file("my.slic", RULE);
    let mut killed = dir.command(&CHECK).stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let both = [(); 2].map(|()| dir.command(&CHECK).stdout(std::process::Stdio::piped()).spawn().unwrap());
    let both = both.map(|child| Ran::from_output(&child.wait_with_output().unwrap()));
    let fresh = dir.run(&CHECK[..6]);
    for ran in &both {
        assert_eq!((ran.code, without_marks(&lines(ran))), (Some(10), lines(&fresh)), "{ran:?}");
    }
    assert_eq!(cached(&lines(&check(&dir, &[]))), 4);
}

#[test]
fn known_defects_do_not_count() {
    let dir = Folder::new("projects-baseline");
    dir.file("driver.c", project(2)).file("my.slic", RULE);
    let ran = check(&dir, &["--write-baseline", "known"]);
    assert_eq!(ran.code, Some(10));
    let known = std::fs::read_to_string(dir.0.join("known")).unwrap();
    assert_eq!(known, "my  entry_1  a lock is still held when entry_1 returns\n");
    let ran = check(&dir, &["--baseline", "known"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("; known; cached)") && ran.out.contains("1 defect (1 known)"), "{ran:?}");
    // The defect is another one now, and a line that means nothing is said to.
    dir.file("known", "my entry_0 *\n");
    let ran = check(&dir, &["--suppressions", "known"]);
    assert_eq!(ran.code, Some(10));
    assert!(ran.err.contains("known:1: no defect of this run is meant by this line"), "{ran:?}");
    for (fail_on, rule, code) in [
        ("never", RULE.to_owned(), 0),
        ("error", RULE.to_owned(), 10),
        ("error", format!("severity warning;\n{RULE}"), 0),
        ("defect", format!("severity warning;\n{RULE}"), 10),
    ] {
        dir.file("my.slic", rule);
        assert_eq!(check(&dir, &["--fail-on", fail_on]).code, Some(code), "{fail_on}");
    }
}

#[test]
fn each_file_is_a_program_and_only_changed_ones_are_looked_at() {
    let dir = Folder::new("projects-files");
    let b = "#include \"own.h\"\nvoid other(void) { spin_lock(&a); }\nstatic void own(void) { }\n";
    dir.file("a.c", project(1)).file("b.c", b).file("my.slic", RULE).file("changed", "own.h\n");
    dir.file("own.h", "void spin_lock(int *); static int a;\n").file("c.c", "static int nothing;\n");
    let all = ["check", "a.c", "b.c", "c.c", "--each-file", "--entries", "all-exported", "--rule", "my.slic"];
    let ran = dir.run(&all);
    let words = |ran: &Ran| {
        lines(ran).iter().map(|l| l.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(words(&ran), ["DEFECT a.c:entry_0", "DEFECT b.c:other"], "{ran:?}");
    let ran = dir.run(&[&all[..], &["--changed", "changed"]].concat());
    assert_eq!(words(&ran).len(), 1, "{ran:?}");
    let ran = dir.run(&[&all[..], &["--total-timeout", "1ms"]].concat());
    assert!(ran.code == Some(5) && ran.out.contains("2 unknown"), "{ran:?}");
}

const MODULE: &str = "\
void spin_lock(int *); void spin_unlock(int *);
struct file { int mode; };
struct file_operations { int (*open)(struct file *); long (*read)(struct file *, unsigned long); void (*release)(struct file *); };
static int lock, held;
static int my_open(struct file *f) { spin_lock(&lock); held = 1; return 0; }
static long my_read(struct file *f, unsigned long n) { return n; }
static void my_release(struct file *f) { spin_unlock(&lock); }
const struct file_operations my_ops = { .open = my_open, .read = my_read, .release = my_release };
static int my_init(void) { return 0; }
int init_module(void) __attribute__((alias(\"my_init\")));
";

#[test]
fn a_harness_calls_operations_in_a_legal_order() {
    let dir = Folder::new("projects-harness");
    dir.file("m.c", MODULE).file("my.slic", RULE);
    let shown = dir.run(&["harness", "module", "m.c"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    expect![[r#"
        /* How the environment calls this program: change it as you like, and give it back with --harness FILE. */
        extern int __VERIFIER_nondet_int(void);

        void hardbop_harness(__typeof__(struct file *) my_open_1,
                __typeof__(struct file *) my_read_1,
                __typeof__(struct file *) my_release_1)
        {
            int alive_0 = 0; /* my_ops */
            if (my_init() != 0)
                return; /* the module is not loaded */
            while (__VERIFIER_nondet_int()) {
                switch (__VERIFIER_nondet_int()) {
                case 0:
                    { if (!alive_0) { if (my_open(my_open_1) == 0) alive_0 = 1; } }
                    break;
                case 1:
                    { __typeof__(unsigned long) my_read_2; if (alive_0) { my_read(my_read_1, my_read_2); /* my_ops.read */ } }
                    break;
                case 2:
                    { if (alive_0) { my_release(my_release_1); alive_0 = 0; } }
                    break;
                default:
                    break;
                }
            }
            if (alive_0) { my_release(my_release_1); }
        }
    "#]]
    .assert_eq(&shown.out);
    let check = |harness: &str| {
        let args = ["check", "m.c", "--rule", "my.slic", "--harness", harness, "--callbacks", "none"];
        let ran = dir.run(&args);
        (ran.code, lines(&ran).join("\n"), ran)
    };
    // Alone, each operation breaks the rule; in order they keep it.
    let (code, line, ran) = check("module");
    assert_eq!((code, line.as_str()), (Some(0), "PASS     hardbop_harness  my"), "{ran:?}");
    // A harness of one's own, in which the file is never closed.
    dir.file("own.c", "void hardbop_harness(struct file *f) { my_open(f); }\n");
    let (code, line, ran) = check("own.c");
    assert!(code == Some(10) && line.contains("a lock is still held"), "{ran:?}");
    dir.file("own.c", "void harness(struct file *f) { my_open(f); }\n");
    assert!(check("own.c").2.err.contains("own.c:1:1: a harness is a function `hardbop_harness`"));
    let tasks = "void xTaskCreate(void (*f)(void *), int); void spin_lock(int *); int l;
        static void task(void *p) { spin_lock(&l); }
        int main(void) { xTaskCreate(task, 1); return 0; }
        int exported(int n) { return n; }\n";
    dir.file("t.c", tasks);
    assert!(dir.run(&["harness", "tasks", "t.c"]).out.contains("task(task_1);"));
    let library = dir.run(&["harness", "library", "t.c"]).out;
    assert!(library.contains("exported(exported_1);") && !library.contains("main("), "{library}");
    let ran = dir.run(&["harness", "tasks", "m.c"]);
    assert!(ran.code == Some(1) && ran.err.contains("no call of `xTaskCreate`"), "{ran:?}");
}

#[test]
fn contracts_say_what_functions_without_a_body_do() {
    let dir = Folder::new("projects-contracts");
    let text = "int get(void); void poke(int *); void assert(int);
        void f(void) { int x = get(), y = 7; poke(&y); if (!(x >= 0 && x <= 255 && y == 7)) reach_error(); }
        void reach_error(void);\n";
    let text = format!("void reach_error(void);\n{text}");
    dir.file("a.c", text).file("c", "get returns 0..255\npoke writes nothing\n").file("d", "get returns 0..256\n");
    let run = |contracts: &str| dir.run(&["check", "a.c", "--entry", "f", "--contracts", contracts]);
    let ran = run("c");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("what c says of functions without a body"), "{ran:?}");
    assert_eq!(run("d").code, Some(10));
    let rule =
        "state { int n = 0; } get.exit { if ($return == 300) abort \"300\"; n = 1; } $entry.exit { if (n == 0) halt; }";
    dir.file("my.slic", rule);
    let ran = dir.run(&["check", "a.c", "--entry", "f", "--contracts", "c", "--rule", "my.slic"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = dir.run(&["check", "a.c", "--entry", "f", "--rule", "my.slic"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
}

/// Mistakes of newcomers in files of stubs, entries and known defects: one message each, with its place.
#[test]
fn mistakes_are_told_with_their_place() {
    let dir = Folder::new("projects-mistakes");
    dir.file("a.c", "int get(void); int f(void) { return get(); }\n").file("my.slic", RULE);
    let told = |option: &str, text: &str| {
        dir.file("x", text);
        let ran = dir.run(&[
            "check",
            "a.c",
            if option == "--entries" { "-q" } else { "--entry=f" },
            "--rule",
            "my.slic",
            option,
            "x",
        ]);
        let err: Vec<&str> = ran.err.lines().collect();
        assert!(matches!(ran.code, Some(1 | 2)), "{option} {text}: {ran:?}");
        err.join(" | ")
    };
    let all = [
        told("--contracts", "get() returns 1\n"),
        told("--contracts", "get\n"),
        told("--contracts", "# fine\nget returns positive\n"),
        told("--contracts", "get returns 9..1\n"),
        told("--contracts", "get writes *1\n"),
        told("--contracts", "get retuns 1\n"),
        told("--contracts", "get returns 1\nget returns 2\n"),
        told("--contracts", "f returns 1\n"),
        told("--contracts", "get may fail\n"),
        told("--contracts", "get returns fresh 8 bytes\n"),
        told("--contracts", "get returns fresh 8 bytes, writes nothing\n"),
        told("--contracts", "get writes $1 byte\n"),
        told("--contracts", ""),
        told("--entries", "f\nint g\n"),
        told("--baseline", "my\n"),
        told("--baseline", "linux/spinlok f *\n"),
        told("--harness", "int main(void) { return 0; }\n").replace("--entry <FUNCTION>", "--entry"),
    ];
    expect![[r#"
        error: x:1:1: `get()` is not the name of a function
        error: x:1:1: nothing is said of `get`: `returns …`, `may fail` or `writes …`
        error: x:2:5: `positive` says nothing about a result: write `nonnull`, `null`, `0..255`, `>= 0`, a number or `fresh`
        error: x:1:5: no number is in 9..1
        error: x:1:1: `get` has 0 arguments: there is no `$1`
        error: x:1:5: expected `returns …`, `may fail` or `writes …`, found `retuns`
        error: x:2:1: `get` has a contract in line 1 already
        error: x:1:1: `f` has a body, which says what it does: a contract is for functions without one
        error: x:1:1: what `get` gives if it does not fail is not said: `returns 0, may fail` or `returns nonnull, may fail`
        error: x:1:1: what `get` writes besides is not said: add `writes nothing`
        error: x:1:1: `get` returns no pointer
        error: x:1:5: `writes $1 byte` says nothing: write `writes *1`, `writes 8 bytes at $1`, `writes $2 bytes at $1` or `writes nothing`
        error: x:1:1: the file is empty
        error: x:2:1: `int g` is not the name of a function
        error: x:1:1: a line has a rule, an entry and a message, or `*` for any of them
        error: x:1:1: there is no rule `linux/spinlok`; `hardbop rules list` shows them"#]]
    .assert_eq(&all[..16].join("\n"));
}

/// What follows a step that is not supported is not in the program; the rule may be about it all the same.
#[test]
fn a_rule_applies_behind_what_is_not_supported() {
    let dir = Folder::new("projects-hidden");
    let text = |called: &str| {
        format!(
            "extern void (*signal(int, void (*)(int)))(int); void spin_lock(int *); int lock;
            static void stop(int n) {{ (void)n; }}
            int main(void) {{ signal(2, stop); {called} return 0; }}\n"
        )
    };
    dir.file("my.slic", RULE).file("uses.c", text("spin_lock(&lock);")).file("other.c", text(""));
    let ran = dir.run(&["check", "uses.c", "--rule", "my.slic"]);
    assert!(ran.code == Some(5) && ran.out.contains("UNKNOWN  main  my"), "{ran:?}");
    let ran = dir.run(&["check", "other.c", "--rule", "my.slic"]);
    assert!(ran.code == Some(0) && ran.out.contains("N/A"), "{ran:?}");
    dir.file("misspelt.slic", "spin_lok.entry { abort \"no\"; }");
    let ran = dir.run(&["check", "uses.c", "--rule", "misspelt.slic"]);
    assert!(ran.out.contains("; `spin_lok` is not declared, is `spin_lock` meant?"), "{ran:?}");
}

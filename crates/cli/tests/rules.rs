//! Rules: one line for each entry and rule, runs in the rule's words, and mistakes with their places.

use crate::support::Folder;
use expect_test::expect;

const DRIVER: &str = "\
struct lock { int x; };
void spin_lock(struct lock *l);
void spin_unlock(struct lock *l);
struct lock a, b;

void good(int n)
{
    while (n-- > 0) {
        spin_lock(&a);
        spin_unlock(&a);
    }
}

void bad(int n)
{
    spin_lock(&a);
    spin_lock(&b);
    if (n > 3)
        return;
    spin_unlock(&b);
    spin_unlock(&a);
}

int idle(int n)
{
    return n + 1;
}
";

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

#[test]
fn quietly_only_the_lines_and_functions_are_listed_once() {
    let dir = Folder::new("rules-quiet");
    dir.file("driver.c", DRIVER).file("my.slic", RULE);
    let args = ["check", "driver.c", "--entry", "good", "--entry", "bad", "--rule", "my.slic"];
    let ran = dir.run(&[&args[..], &["-q"]].concat());
    let words: Vec<&str> = ran.out.lines().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!((ran.code, words), (Some(10), vec!["PASS", "DEFECT", "Rules:"]), "{}", ran.out);
    let ran = dir.run(&args);
    let listed = ran.out.lines().filter(|l| l.starts_with("  functions without a body return any value"));
    assert_eq!(listed.count(), 1, "{}", ran.out);
}

#[test]
fn one_line_for_each_entry_and_rule() {
    let dir = Folder::new("rules-lines");
    dir.file("driver.c", DRIVER).file("my.slic", RULE);
    let ran =
        dir.run(&["check", "driver.c", "--entry", "good", "--entry", "bad", "--entry", "idle", "--rule", "my.slic"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(10), ""));
    let lines: Vec<&str> = ran.out.lines().filter(|l| !l.starts_with("  ")).collect();
    expect![[r#"
        PASS     good  my
        DEFECT   bad   my  (a lock is still held when bad returns at driver.c:19:9 (rule: my.slic:14:9))
        N/A      idle  my  (nothing that `idle` can reach uses `spin_lock`, `spin_unlock`)
        The answers rest on:
        Rules: 1 pass, 1 defect, 0 unknown, 1 not applicable"#]]
    .assert_eq(&lines.join("\n"));
    let run: Vec<&str> = ran.out.lines().filter_map(|l| l.strip_prefix("      ")).filter(|l| l.contains(':')).collect();
    expect![[r#"
        driver.c:16  spin_lock(&a);
        my.slic:3    watch spin_lock.entry.$1;   // the rule follows &a
        my.slic:4    spin_lock.entry [guard $1] {   // this is the object that the rule follows
        my.slic:5    if (s == locked)   // false, s = unlocked
        my.slic:7    s = locked;   // s: unlocked -> locked
        driver.c:16  spin_lock(&a);   // calls undefined spin_lock(&a)
        driver.c:17  spin_lock(&b);   // calls undefined spin_lock(&b)
        driver.c:18  if (n > 3)   // true, n = 4
        driver.c:19  return;
        my.slic:13   if (s == locked)   // true, s = locked
        my.slic:14   abort "a lock is still held when $entry returns";
        driver.c:14  parameter n = 4
        my.slic:3  the rule watches this object = true
        driver.c:16  a after spin_lock() = unchanged
        driver.c:16  b after spin_lock() = unchanged
        driver.c:17  a after spin_lock() = unchanged
        driver.c:17  b after spin_lock() = unchanged"#]]
    .assert_eq(&run.join("\n"));
}

#[test]
fn a_proof_with_a_rule_is_checked_like_any_other() {
    let dir = Folder::new("rules-proof");
    dir.file("driver.c", DRIVER).file("my.slic", RULE).file("other.slic", RULE.replace("s = unlocked;\n}", "}"));
    let ran = dir.run(&["check", "driver.c", "--entry", "good", "--rule", "my.slic", "--emit-proof", "p"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let ran = dir.run(&["certify", "--entry", "good", "--rule", "my.slic", "driver.c", "p"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = dir.run(&["certify", "--entry", "good", "--rule", "other.slic", "driver.c", "p"]);
    assert_eq!(ran.code, Some(2), "the proof is for another rule: {ran:?}");
    let ran = dir.run(&["certify", "--entry", "good", "driver.c", "p"]);
    assert_eq!(ran.code, Some(2), "the proof is for a program with a rule: {ran:?}");
}

#[test]
fn entries_are_found() {
    let dir = Folder::new("rules-entries");
    let table = "struct ops { void (*start)(int); int (*stop)(int); }; static int quiet(int n) { return n; }
        const struct ops table = { .start = good, .stop = quiet };\n";
    dir.file("driver.c", format!("{DRIVER}{table}"))
        .file("my.slic", RULE)
        .file("names", "# two\nidle\n\ngood # fine\n");
    let entries = |which: &str| {
        let ran = dir.run(&["check", "driver.c", "--entries", which, "--rule", "my.slic"]);
        let lines = ran.out.lines().filter(|l| !l.starts_with(' ') && l.contains(" my"));
        lines.map(|l| l.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(entries("all-exported"), "PASS good, DEFECT bad, N/A idle");
    assert_eq!(entries("static-tables"), "PASS good, N/A quiet");
    assert_eq!(entries("names"), "N/A idle, PASS good");
    let ran = dir.run(&["check", "driver.c", "--entries", "nowhere"]);
    assert!(ran.code == Some(1) && ran.err.contains("neither `all-exported` nor `static-tables`"), "{ran:?}");
}

/// An inline function and what it stands for are one event, however the program calls them.
#[test]
fn aliases_that_call_each_other_are_one() {
    let dir = Folder::new("rules-nested");
    let text =
        "typedef struct { int x; } lock_t; void _raw_spin_lock(lock_t *); void _raw_spin_unlock(lock_t *); lock_t a;
        static inline void spin_lock(lock_t *l) { _raw_spin_lock(l); }
        static inline void spin_unlock(lock_t *l) { _raw_spin_unlock(l); }
        void good(int n) { while (n-- > 0) { spin_lock(&a); if (n & 1) spin_unlock(&a); else _raw_spin_unlock(&a); } }
        void bad(void) { spin_lock(&a); _raw_spin_lock(&a); }
        void leak(void (*f)(lock_t *)) { f = spin_lock; f(&a); }\n";
    dir.file("a.c", text);
    let ran =
        dir.run(&["check", "a.c", "--entry", "good", "--entry", "bad", "--entry", "leak", "--rules", "linux/spinlock"]);
    let lines: Vec<&str> = ran.out.lines().filter(|l| !l.starts_with("  ") && l.contains("linux/")).collect();
    expect![[r#"
        PASS     good  linux/spinlock
        DEFECT   bad   linux/spinlock  (_raw_spin_lock: the spin lock is taken already: the caller waits for itself at a.c:5:41 (rule: linux/spinlock.slic:19:9))
        DEFECT   leak  linux/spinlock  (a spin lock is still taken when leak returns at a.c:6:64 (rule: linux/spinlock.slic:36:9))"#]].assert_eq(&lines.join("\n"));
    assert!(!ran.out.contains("alias spin_lock"), "{ran:?}");
}

#[test]
fn a_rule_that_hears_nothing_is_said_to() {
    let dir = Folder::new("rules-vacuous");
    let text = "void spin_lock(int *l); void spin_unlock(int *l); static int x;
        void f(int n) { if (n > 3 && n < 2) { spin_lock(&x); spin_unlock(&x); } }\n";
    dir.file("a.c", text).file("my.slic", RULE);
    let ran = dir.run(&["check", "a.c", "--entry", "f", "--rule", "my.slic"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("the rule never triggered"), "{ran:?}");
    let macros = "#define spin_lock(l) do_lock(l)\nvoid do_lock(int *); void spin_unlock(int *); static int x;
        void f(void) { spin_lock(&x); spin_unlock(&x); }\n";
    dir.file("b.c", macros);
    let ran = dir.run(&["check", "b.c", "--entry", "f", "--rule", "my.slic"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("`spin_lock` is a macro in this program") && ran.err.contains("do_lock"), "{ran:?}");
    dir.file("my.slic", format!("alias spin_lock = do_lock;\n{RULE}"));
    let ran = dir.run(&["check", "b.c", "--entry", "f", "--rule", "my.slic"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn mistakes_that_only_the_program_shows() {
    let dir = Folder::new("rules-mistakes");
    dir.file("driver.c", DRIVER);
    for (rule, said) in [
        (
            "spin_lock.entry { if ($2) abort \"x\"; }",
            "m.slic:1:23: error: `spin_lock` has one argument here: there is no `$2`",
        ),
        (
            "spin_lock.exit { if ($return) abort \"x\"; }",
            "m.slic:1:22: error: `spin_lock` returns nothing: there is no `$return`",
        ),
        ("spin_lock.entry { if ($1->y) abort \"x\"; }", "m.slic:1:27: error: 'struct lock' has no member named 'y'"),
        ("spin_lock.entry { if (nowhere) abort \"x\"; }", "m.slic:1:23: error: `nowhere` is not declared"),
        ("spin_lock.entry { if (*$1 == 3) abort \"x\"; }", "m.slic:1:2"),
    ] {
        dir.file("m.slic", rule);
        let ran = dir.run(&["check", "driver.c", "--entry", "good", "--rule", "m.slic"]);
        assert_eq!(ran.code, Some(2), "{rule}: {ran:?}");
        assert!(ran.err.starts_with(said), "{rule}: {ran:?}");
    }
    let ran = dir.run(&["check", "driver.c", "--rules", "linux/spinlok"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("no rule `linux/spinlok`"), "{ran:?}");
    let two = dir.run(&["check", "driver.c", "--entry", "good", "--rules", "linux", "--emit-proof", "p"]);
    assert!(two.code == Some(1) && two.err.contains("--emit-proof belongs to one check"), "{two:?}");
}

#[test]
fn what_is_written_to_begin_with_works() {
    let dir = Folder::new("rules-new");
    let ran = dir.run(&["rules", "new", "my.slic"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(dir.run(&["rules", "new", "my.slic"]).code, Some(1), "nothing is overwritten");
    let ran = dir.run(&["rules", "test", "my.slic"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.ends_with("Tests: 3 as expected, 0 not\n"), "{ran:?}");
    let ran = dir.run(&["rules", "test", "posix/stream"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = dir.run(&["rules", "show", "--formatted", "my.slic"]).out;
    dir.file("again.slic", &shown);
    assert_eq!(dir.run(&["rules", "show", "--formatted", "again.slic"]).out, shown);
    assert!(dir.run(&["rules", "explain", "linux/spinlock"]).out.contains("At spin_lock.entry"));
    assert!(dir.run(&["rules", "list", "linux"]).out.contains("linux/spinlock"));
}

/// A lock with a computation between, which has nothing to do with it.
const BUSY: &str = "
struct lock { int taken; };
void spin_lock(struct lock *);
void spin_unlock(struct lock *);
static struct lock lock;
static unsigned table[256];
static unsigned checksum(const unsigned char *text, unsigned n)
{
    unsigned sum = 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < 8; j++)
            sum = sum * 31 ^ table[(sum + text[i] * j) & 255] % (i + 7);
    return sum;
}
unsigned passes(const unsigned char *text, unsigned n)
{
    unsigned sum;
    spin_lock(&lock);
    sum = checksum(text, n);
    spin_unlock(&lock);
    return sum;
}
unsigned loses(const unsigned char *text, unsigned n, int early)
{
    unsigned sum;
    spin_lock(&lock);
    sum = checksum(text, n);
    if (early)
        return sum;
    spin_unlock(&lock);
    return sum;
}
";

#[test]
fn what_has_nothing_to_do_with_a_rule_costs_nothing() {
    let dir = Folder::new("rules-slice");
    dir.file("busy.c", BUSY);
    let both = ["--entry", "passes", "--entry", "loses", "--params", "tree", "--externs", "pure"];
    let ran = dir.run(&[&["check", "busy.c", "--rule", "linux/spinlock", "--cpu-time", "60s"][..], &both[..]].concat());
    assert!(ran.out.contains("PASS     passes  linux/spinlock"), "{}", ran.out);
    assert!(ran.out.contains("DEFECT   loses   linux/spinlock"), "{}", ran.out);
    // Without a slice the loops are in the way.
    let alone =
        ["check", "busy.c", "--rule", "linux/spinlock", "--entry", "passes", "--engine", "bounded", "--unwind", "3"];
    let ran = dir.run(&alone);
    assert!(ran.out.contains("UNKNOWN  passes"), "{}", ran.out);
}

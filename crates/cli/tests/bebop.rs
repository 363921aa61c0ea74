//! `hardbop bebop` from outside: answers, exit codes, what is shown, and typical mistakes in `.bp` files.

use crate::support::Folder;

const LOCK: &str = "\
decl held;
void lock() begin
  if (held) then SLIC_ERROR: skip; fi
  held := T;
end
void unlock() begin
  held := F;
end
void main() begin
  decl again;
  held := F;
  L: lock();
  again := *;
  if (!again) then unlock(); fi
  if (again) then GUARD fi
end
";

fn lock(guard: &str) -> String {
    LOCK.replace("GUARD", guard)
}

#[test]
fn answers_and_exit_codes() {
    let dir = Folder::new("bebop-answers");
    dir.file("safe.bp", lock("unlock();")).file("bad.bp", lock("lock();"));
    dir.file("none.bp", "void main() begin skip; end\n").file("assert.bp", "void main() begin assert(*); end\n");
    dir.run(&["bebop", "safe.bp"]).expect(
        0,
        "Verdict: SAFE (the target is unreachable; the sets found are closed under every statement)",
        "",
    );
    dir.run(&["bebop", "safe.bp", "--no-certify"]).expect(
        0,
        "Verdict: SAFE (the target is unreachable; not checked again)",
        "",
    );
    dir.run(&["bebop", "bad.bp"]).expect(
        10,
        "Verdict: UNSAFE (label `SLIC_ERROR` of `lock` is reached at bad.bp:3; a trace of 10 steps was replayed)",
        "",
    );
    dir.run(&["bebop", "assert.bp"]).expect(
        10,
        "Verdict: UNSAFE (the assertion at assert.bp:1 can fail; a trace of 0 steps was replayed)",
        "",
    );
    dir.run(&["bebop", "none.bp"]).expect(
        0,
        "Verdict: SAFE (nothing to check; the sets found are closed under every statement)",
        "warning: there is nothing to check: no label SLIC_ERROR, no label with ERROR in its name, no assertion (--label \
         names another label)",
    );
    dir.run(&["bebop", "safe.bp", "--label", "L", "--no-certify"]).expect(
        10,
        "Verdict: UNSAFE (label `L` of `main` is reached at safe.bp:12; not checked again)",
        "",
    );
    dir.run(&["bebop", "safe.bp", "--label", "l"]).expect(
        1,
        "Verdict: UNKNOWN (safe.bp has no label `l`; there is `L`)",
        "error: safe.bp has no label `l`; there is `L`",
    );
}

#[test]
fn traces_are_indented_and_calls_can_be_stepped_over() {
    let dir = Folder::new("bebop-trace");
    dir.file("bad.bp", lock("lock();"));
    let whole = dir.run(&["bebop", "bad.bp", "--trace"]);
    assert_eq!(
        whole.out,
        "\
A shortest trace (10 steps): label `SLIC_ERROR` of `lock` is reached at bad.bp:3
  at the start: held=0 again=0
  bad.bp:11  held := F;                                held=0
  bad.bp:12  L: lock();
  bad.bp:3     if (held) is false
  bad.bp:4     held := T;                              held=1
  bad.bp:2     end of lock
  bad.bp:13  again := *;                               again=1
  bad.bp:14  if (!again) is false
  bad.bp:15  if (again) is true
  bad.bp:15  lock();
  bad.bp:3     if (held) is true
  bad.bp:3     SLIC_ERROR: skip;
Verdict: UNSAFE (label `SLIC_ERROR` of `lock` is reached at bad.bp:3; a trace of 10 steps was replayed)
"
    );
    let over = dir.run(&["bebop", "bad.bp", "--trace", "--depth", "0"]);
    assert!(over.out.contains("L: lock();  [3 steps inside]              held=1\n"), "{}", over.out);
    assert!(over.out.contains("SLIC_ERROR: skip;"), "a call that does not return is gone into: {}", over.out);
}

#[test]
fn everything_about_all_labels() {
    let dir = Folder::new("bebop-all");
    dir.file(
        "a.bp",
        "decl x, y;\nvoid main() begin\n  x := y;\n  A: assert(x = y);\n  if (x != y) then\n    B: skip;\n  fi\n  \
         if (*) then x := !x; fi\n  C: assert(x);\nend\n",
    );
    let ran = dir.run(&["bebop", "a.bp", "--all", "--invariants"]);
    assert_eq!(
        ran.out,
        "\
reached      a.bp:4  label `A` of `main`
not reached  a.bp:6  label `B` of `main`
reached      a.bp:9  label `C` of `main`
holds        a.bp:4  assert(x = y);
can fail     a.bp:9  assert(x);
a.bp:4: at `A` of `main`:\n    !x & !y\n  | x & y
a.bp:6: at `B` of `main`: false (not reached)
a.bp:9: at `C` of `main`: true
Verdict: UNSAFE (the assertion at a.bp:9 can fail; a trace of 4 steps was replayed)
"
    );
    let one = dir.run(&["bebop", "a.bp", "--invariants", "--label", "B"]);
    assert_eq!((one.code, one.out.lines().count()), (Some(0), 2), "{}", one.out);
}

#[test]
fn programs_are_compared_statement_by_statement() {
    let dir = Folder::new("bebop-equiv");
    let text = |rhs: &str| format!("decl a, b;\nvoid main() begin\n  enforce !(a & b);\n  a := {rhs};\nend\n");
    dir.file("a.bp", text("schoose[b, a & b]")).file("b.bp", text("schoose[b, F]")).file("c.bp", text("b"));
    dir.file("d.bp", "decl a;\nvoid main() begin skip; end\n");
    dir.run(&["bebop", "--equiv", "a.bp", "b.bp"]).expect(
        0,
        "Programs: EQUIVALENT (the same relation for every statement)",
        "",
    );
    let ran = dir.run(&["bebop", "--equiv", "a.bp", "c.bp"]);
    assert_eq!(
        ran.out,
        "  a.bp:4: a := schoose[b, a & b];
  c.bp:4: a := b;
only the first program has this step:
  a: any -> 1
  b: 0 -> 0
Programs: DIFFERENT (procedure `main`: the statements s0 have different relations)
"
    );
    assert_eq!(ran.code, Some(10));
    dir.run(&["bebop", "--equiv", "a.bp", "d.bp"]).expect(10, "Programs: DIFFERENT (the globals differ)", "");
    let ran = dir.run(&["bebop", "--equiv", "a.bp"]);
    assert_eq!((ran.code, ran.err.trim_end()), (Some(1), "error: --equiv compares two programs: give two files"));
    let ran = dir.run(&["bebop", "a.bp", "b.bp"]);
    assert_eq!((ran.code, ran.err.trim_end()), (Some(1), "error: one boolean program at a time: b.bp is a second one"));
}

#[test]
fn converted_programs_are_nothing_but_programs() {
    let dir = Folder::new("bebop-convert");
    dir.file("a.bp", lock("lock();"));
    for form in ["canonical", "slam", "satabs", "moped"] {
        let ran = dir.run(&["bebop", "--convert", form, "a.bp"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{form}");
        dir.file("b.bp", &ran.out);
        let again = dir.run(&["bebop", "b.bp"]);
        assert_eq!(again.code, Some(10), "{form}: {again:?}\n{}", ran.out);
    }
    let ran = dir.run(&["bebop", "--convert", "moped", "missing.bp"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.starts_with("// Conversion: UNKNOWN ("), "{}", ran.out);
    let ran = dir.run(&["bebop", "--convert", "moped", "--trace", "a.bp"]);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn the_dialect_is_seen_or_said() {
    let dir = Folder::new("bebop-dialect");
    // `a & b = c` is `a & (b = c)` for Bebop, `(a & b) = c` for boppo; from a = b = 0, c = 0 only the second holds.
    let text = "decl a, b, c;\nvoid main() begin\n  a, b, c := 0, 0, 0;\n  assert(a & b = c);\nend\n";
    dir.file("a.bp", text).file("s.bp", format!("// automatically generated by CPROVER/SATABS\n{text}"));
    assert_eq!(dir.run(&["bebop", "a.bp"]).code, Some(10));
    assert_eq!(dir.run(&["bebop", "a.bp", "--dialect", "boppo"]).code, Some(0));
    assert_eq!(dir.run(&["bebop", "s.bp"]).code, Some(0));
    assert_eq!(dir.run(&["bebop", "s.bp", "--dialect", "bebop"]).code, Some(10));
}

#[test]
fn statistics_are_written() {
    let dir = Folder::new("bebop-stats");
    dir.file("a.bp", lock("lock();"));
    assert_eq!(dir.run(&["bebop", "a.bp", "--stats", "s.json"]).code, Some(10));
    let text = std::fs::read_to_string(dir.0.join("s.json")).unwrap();
    for word in ["\"verdict\": \"UNSAFE\"", "\"peak_nodes\"", "\"search_steps\"", "\"bp_procedures\": 3", "\"a.bp\""] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn limits_end_in_unknown() {
    let dir = Folder::new("bebop-limits");
    dir.file("big.bp", boolprog::generate::counter(26));
    let ran = dir.run(&["bebop", "big.bp", "--timeout", "300ms"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.out.contains("\nVerdict: UNKNOWN (time limit of 300 ms reached in phase "), "{ran:?}");
    let level = |i: usize| format!("void p{i}() begin p{j}(); p{j}(); end\n", j = i + 1);
    let levels: String = (1..40).map(level).collect();
    let last = "void p40() begin skip; end\nvoid main() begin p1(); SLIC_ERROR: skip; end\n";
    dir.file("long.bp", levels + last);
    let ran = dir.run(&["bebop", "long.bp", "--trace"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.out.contains("not replayed: its shortest trace has at least"), "{ran:?}");
    let ran = dir.run(&["bebop", "long.bp", "--certify"]);
    assert_eq!(ran.code, Some(5), "who asks for a checked answer gets no other: {ran:?}");
    assert!(ran.out.contains("could not be checked: its shortest trace has at least"), "{ran:?}");
}

/// Variables paired in three ways: two leave cycles, which an order can follow; no order is good for three.
fn three_pairings(n: usize) -> String {
    let all = |factor: usize, first: usize| -> String {
        (0..n).map(|i| format!("(x{i} = y{})", (i * factor + first) % n)).collect::<Vec<_>>().join(" & ")
    };
    let names: Vec<String> = (0..n).map(|i| format!("x{i}, y{i}")).collect();
    let (a, b, c) = (all(1, 0), all(29, 11), all(13, 5));
    format!(
        "decl {};\nvoid main() begin\n  if (*) then assume({a}); else if (*) then assume({b}); else assume({c}); fi fi\n  \
         if (!({a}) & !({b}) & !({c})) then SLIC_ERROR: skip; fi\nend\n",
        names.join(", ")
    )
}

/// Little memory is enough for little programs, and for no more.
#[test]
fn memory_ends_in_unknown() {
    let dir = Folder::new("bebop-memory");
    dir.file("small.bp", lock("lock();"));
    dir.file("big.bp", three_pairings(97));
    let ran = dir.run(&["bebop", "small.bp", "--memory", "200MB"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let ran = dir.run(&["bebop", "big.bp", "--memory", "100MB", "--trace"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.out.contains("memory"), "{ran:?}");
    for memory in ["100MB", "30MB", "1MB"] {
        let ran = dir.run(&["bebop", "small.bp", "--memory", memory]);
        let line = ran.out.lines().last().unwrap_or_default();
        assert!(line.starts_with("Verdict: UNSAFE (") || line.starts_with("Verdict: UNKNOWN ("), "{memory}: {ran:?}");
    }
}

/// A text with a mistake, and the beginning of the one message it gets.
const MISTAKES: &[(&str, &str)] = &[
    ("void main() begin x := T; end", "t.bp:1:19: error: variable `x` is not declared [undeclared]"),
    ("decl x;\nvoid main() begin\n  x := y;\nend", "t.bp:3:8: error: variable `y` is not declared [undeclared]"),
    ("void f(a) begin skip; end\nvoid main() begin f(); end", "t.bp:2:19: error: `f` takes 1 argument, found 0"),
    ("void f() begin skip; end\nvoid main() begin f(T, F); end", "t.bp:2:19: error: `f` takes 0 arguments, found 2"),
    ("decl x;\nbool<2> f() begin return T, F; end\nvoid main() begin x := f(); end", "t.bp:3:24: error: `f` returns 2"),
    ("bool f() begin return T, F; end\nvoid main() begin f(); end", "t.bp:1:16: error: `f` returns 1 value, found 2"),
    ("void main() begin\n  goto L;\nend", "t.bp:2:8: error: label `L` is not defined in `main` [missing-label]"),
    ("void main() begin\n L: skip;\n L: skip;\nend", "t.bp:3:2: error: label `L` is defined twice"),
    (
        "void f() begin skip; end\nvoid f() begin skip; end\nvoid main() begin skip; end",
        "t.bp:2:6: error: procedure `f`",
    ),
    ("decl x, y, x;\nvoid main() begin skip; end", "t.bp:1:12: error: `x` is declared twice [duplicate]"),
    ("void f(a, a) begin skip; end\nvoid main() begin f(T, F); end", "t.bp:1:11: error: `a` is declared twice"),
    ("void main() begin\n  skip;\n", "t.bp:3:1: error: expected a statement or `end`, found the end of the text"),
    (
        "decl x;\nvoid main() begin\n  if x then skip;\nend",
        "t.bp:4:1: error: expected a statement or `fi`, found `end`",
    ),
    ("decl x;\nvoid main() begin\n  while x do skip;\nend", "t.bp:4:1: error: expected a statement or `od`"),
    ("decl x;\nvoid main() begin\n  if x skip; fi\nend", "t.bp:3:8: error: expected `then`, found `skip`"),
    ("decl x;\nvoid main() begin\n  x := T x := F;\nend", "t.bp:3:9: error: expected `;` after this statement"),
    ("decl x;\nvoid main() begin\n  x := T @ F;\nend", "t.bp:3:10: error: stray character `@` [syntax]"),
    ("decl x;\nvoid main() begin\n  x := (T & F;\nend", "t.bp:3:14: error: expected `)`, found `;` [syntax]"),
    ("decl x;\nvoid main() begin\n  x := ;\nend", "t.bp:3:8: error: expected an expression, found `;` [syntax]"),
    ("decl x, y;\nvoid main() begin\n  x, y := T;\nend", "t.bp:3:3: error: 1 value assigned to 2 targets"),
    ("decl x;\nvoid main() begin\n  x, x := T, F;\nend", "t.bp:3:6: error: `x` is assigned twice in one statement"),
    ("decl x;\nvoid main() begin\n  x := 'x;\nend", "t.bp:3:8: error: the next state `'x` can be used in `constrain`"),
    ("void f() begin skip; end", "t.bp:1:1: error: the program has no procedure `main` [entry]"),
    ("void main() begin\n  g();\nend", "t.bp:2:3: error: procedure `g` is not defined [undefined]"),
    ("decl x\nvoid main() begin skip; end", "t.bp:2:1: error: expected `;`, found `void` [syntax]"),
    ("void main() begin skip; /* end", "t.bp:1:25: error: this comment is never closed [syntax]"),
    ("decl T;\nvoid main() begin skip; end", "t.bp:1:6: error: `T` is reserved and cannot be declared [reserved]"),
    ("decl a-b;\nvoid main() begin skip; end", "t.bp:1:7: error: stray character `-` [syntax]"),
    ("int main() begin skip; end", "t.bp:1:1: error: expected a declaration (`decl`) or a procedure"),
    (
        "void main() begin\n  start_thread goto L;\n  L: skip;\nend",
        "t.bp:2:3: error: concurrent boolean programs are not",
    ),
];

#[test]
fn typical_mistakes_get_one_message_with_place_and_excerpt() {
    let dir = Folder::new("bebop-mistakes");
    for (text, expected) in MISTAKES {
        let ran = dir.file("t.bp", text).run(&["bebop", "t.bp"]);
        assert_eq!(ran.code, Some(2), "{text}\n{ran:?}");
        assert!(ran.err.starts_with(expected), "{text}\nexpected {expected}\n{}", ran.err);
        assert_eq!(ran.err.matches("error:").count(), 1, "one message: {}", ran.err);
        let mut lines = ran.err.lines().skip(1);
        assert!(lines.next().is_some_and(|l| l.contains(" | ")), "an excerpt: {}", ran.err);
        assert!(lines.next().is_some_and(|l| l.contains('^')), "a caret: {}", ran.err);
        assert!(ran.out.starts_with("Verdict: UNKNOWN (front end: t.bp:"), "{}", ran.out);
    }
    dir.file("empty.bp", "");
    assert_eq!(dir.run(&["bebop", "empty.bp"]).err.trim_end(), "empty.bp:1:1: error: the file is empty");
}

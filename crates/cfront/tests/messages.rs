//! Typical mistakes: one clear message each, at the right place.

use base::SourceMap;
use cfront::{Target, parse};
use expect_test::{Expect, expect};

fn messages(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    match parse(&mut sources, file, Target::Lp64) {
        Ok(_) => "accepted".into(),
        Err(list) => {
            let mut out = String::new();
            for d in list {
                let at = d.span.map_or(String::new(), |s| sources.locate(s).to_string());
                out += &format!("{at}: {} [{}]", d.message, d.id);
                for n in &d.notes {
                    out += &format!(
                        " / {}: {}",
                        n.span.map_or(String::new(), |s| sources.locate(s).to_string()),
                        n.message
                    );
                }
            }
            out
        }
    }
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&messages(text));
}

#[test]
fn typical_mistakes() {
    check("int f(void) { int x = 1\n return x; }", &expect!["t.c:1:23: expected ';' before 'return' [syntax]"]);
    check("foo x;", &expect!["t.c:1:1: unknown type name 'foo' [unknown-type]"]);
    check("void f(void) { foo x; }", &expect!["t.c:1:16: unknown type name 'foo' [unknown-type]"]);
    check("int f(void) { return y; }", &expect!["t.c:1:22: 'y' undeclared [undeclared]"]);
    check(
        "int g(int); int f(void) { return g(1, 2); }",
        &expect![
            "t.c:1:34: too many arguments to function 'g': expected 1, have 2 [arguments] / t.c:1:5: declared here"
        ],
    );
    check(
        "struct s { int a; } v; void f(int x) { x = v; }",
        &expect!["t.c:1:44: incompatible types when assigning to type 'int' from type 'struct s' [type]"],
    );
    check(
        "int a[2] = 5;",
        &expect!["t.c:1:12: invalid initializer: an array needs a brace-enclosed list or a string [init]"],
    );
    check("int g(void); int a = g();", &expect!["t.c:1:22: initializer element is not constant [init]"]);
    check("int x; /* no end", &expect!["t.c:1:8: unterminated comment [lexical]"]);
    check("char *s = \"no end;\nint x;", &expect![[r#"t.c:1:11: missing terminating " character [lexical]"#]]);
    check(
        "int f(void) { return 1; }\nint f(void) { return 2; }",
        &expect!["t.c:2:5: redefinition of 'f' [redefinition] / t.c:1:5: previously defined here"],
    );
    check(
        "int x = 1;\nint x = 2;",
        &expect!["t.c:2:5: redefinition of 'x' [redefinition] / t.c:1:5: previously defined here"],
    );
    check(
        "int x; void f(void) { x(1); }",
        &expect!["t.c:1:23: called object 'x' is not a function or function pointer (it has type 'int') [type]"],
    );
    check("int x; void f(void) {\n  int y = 1\n  (x)++;\n}", &expect!["t.c:2:11: expected ';' before '(' [syntax]"]);
    check(
        "int f(void) { if (1) { return 1; ",
        &expect!["t.c:1:32: expected a statement or '}' before end of input [syntax] / t.c:1:22: to match this"],
    );
    check("int x = 1 @ 2;", &expect!["t.c:1:11: stray '@' in program [lexical]"]);
    check("void f(void) { 1 = 2; }", &expect!["t.c:1:16: lvalue required as left operand of assignment [lvalue]"]);
    check("void f(void) { break; }", &expect!["t.c:1:16: break statement not within loop or switch [jump]"]);
    check(
        "void f(int n) { switch (n) { case 1: case 1: ; } }",
        &expect!["t.c:1:38: duplicate case value [case] / t.c:1:30: previously used here"],
    );
    check(
        "void f(void) { a: a: ; }",
        &expect!["t.c:1:19: duplicate label 'a' [label] / t.c:1:16: previously defined here"],
    );
    check("void f(void) { goto nowhere; }", &expect!["t.c:1:21: label 'nowhere' used but not defined [label]"]);
    check(
        "int f(int); long f(int);",
        &expect![
            "t.c:1:18: conflicting types for 'f'; have 'long (int)' [conflict] / t.c:1:5: previously declared here with type 'int (int)'"
        ],
    );
    check(
        "struct s { int a; }; int f(struct s *p) { return p->b; }",
        &expect!["t.c:1:53: 'struct s' has no member named 'b' [member]"],
    );
    check("struct t; struct t x;", &expect!["t.c:1:20: storage size of 'x' isn't known [type]"]);
    check(
        "void g(void); int f(void) { return g(); }",
        &expect!["t.c:1:36: void value not ignored as it ought to be [type]"],
    );
    check(
        "const int c = 1; void f(void) { c = 2; }",
        &expect!["t.c:1:33: assignment of read-only variable 'c' [const]"],
    );
    check("#include <stdio.h>\nint x;", &expect!["t.c:1:1: '#include' in input that should be preprocessed [lexical]"]);
    check(
        "_Static_assert(sizeof(int) == 8, \"no\");",
        &expect![[r#"t.c:1:1: static assertion failed: "no" [static-assert]"#]],
    );
    check("int a[-1];", &expect!["t.c:1:7: size of array is negative [type]"]);
    check("int x = 08;", &expect!["t.c:1:9: invalid digit '8' in octal constant [syntax]"]);
    check(
        "void f(int a) { int a; }",
        &expect!["t.c:1:21: redeclaration of 'a' with no linkage [redefinition] / t.c:1:12: previously declared here"],
    );
}

#[test]
fn places_follow_line_marks() {
    check(
        "# 100 \"user.c\"\nint x;\nint y = z;\n",
        &expect!["user.c:101:9: 'z' undeclared (not in a function) [undeclared]"],
    );
    check("#line 7\nint y = z;\n", &expect!["t.c:7:9: 'z' undeclared (not in a function) [undeclared]"]);
    check("int a\\\nb;\nint y = z;\n", &expect!["t.c:3:9: 'z' undeclared (not in a function) [undeclared]"]);
}

#[test]
fn deep_nesting_is_refused_cleanly_and_long_chains_are_not() {
    let big = || {
        let n = 100_000;
        let deep =
            |open: &str, close: &str| format!("int f(int x) {{ return {}x{}; }}", open.repeat(n), close.repeat(n));
        for text in
            [deep("(", ")"), deep("-(", ")"), deep("!", ""), deep("(int)", ""), deep("x?", ":x"), deep("({", ";})")]
        {
            assert!(messages(&text).contains("nested too deeply"), "{}", &text[..40]);
        }
        let deep = |open: &str, close: &str| format!("void f(int x) {{ {}; {} }}", open.repeat(n), close.repeat(n));
        for text in [deep("{", "}"), deep("if (x) ", ""), deep("while (x) ", ""), deep("for(;;)", "")] {
            assert!(messages(&text).contains("nested too deeply"), "{}", &text[..40]);
        }
        for text in [
            format!("int {}x;", "*".repeat(n)),
            format!("int x{};", "[1]".repeat(n)),
            format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
            format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
            format!("{} int x; {}", "struct {".repeat(n), "} a;".repeat(n)),
            format!("int x = 1{};", " + 1".repeat(n)),
            format!("int x = {}0;", "sizeof ".repeat(n)),
            format!("int x({};", "int a(".repeat(n)),
            format!("typeof({}", "typeof(".repeat(n)),
        ] {
            assert!(messages(&text).contains("too deeply"), "{}: {}", &text[..40], messages(&text));
        }
        let chain = |item: &str| format!("void f(int x) {{ {} }}", item.repeat(n));
        for text in [
            chain("x++;"),
            format!("void f(int x) {{ {} ; }}", "if (x == 1) x = 2; else ".repeat(n)),
            format!("int x = 1{};", " + 1".repeat(9_000)),
            format!("int a[] = {{ {} }};", "1,".repeat(n)),
            format!("enum e {{ {} }};", (0..n).map(|i| format!("e{i},")).collect::<String>()),
            format!(
                "void f(int x) {{ switch (x) {{ {} }} }}",
                (0..n).map(|i| format!("case {i}: ")).collect::<String>()
            ),
        ] {
            assert_eq!(messages(&text), "accepted", "{}", &text[..40]);
        }
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(big).unwrap().join().unwrap();
}

/// The messages of a text, each on a line.
fn all(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let Err(list) = parse(&mut sources, file, Target::Lp64) else { return vec!["accepted".into()] };
    list.iter().map(|d| format!("{}: {}", sources.locate(d.span.expect("a place")).line, d.message)).collect()
}

#[test]
fn every_error_of_a_function_is_told_once() {
    let text = "struct s;
int g(int *p) {
  int x = ;
  y = 3;
  x = 1
  return x
}
int h(void) {
  struct s a, b;
  foo_t z = { 1, (2 };
  a.x = b.y + z;
  for (int i = 0; i < ; i++) { y++; q++; }
  if (x) { return 1; } else { return 0 }
  y = 4; q = 5;
  switch (missing(1) { case 1: break; }
  goto nowhere;
}
int k(void) {
  goto out;
  return w;
}
int m(void) { goto out; }
int n(void) { return v; }
";
    let expected = [
        "3: expected an expression before ';'",
        "4: 'y' undeclared",
        "5: expected ';' before 'return'",
        "6: expected ';' before '}'",
        "9: storage size of 'a' isn't known",
        "10: unknown type name 'foo_t'",
        "11: invalid use of undefined type 'struct s'",
        "12: expected an expression before ';'",
        "13: 'x' undeclared",
        "14: 'y' undeclared",
        "14: 'q' undeclared",
        "15: expected ')' before '{'",
        "20: 'w' undeclared",
        "22: label 'out' used but not defined",
        "23: 'v' undeclared",
    ];
    assert_eq!(all(text), expected);
}

#[test]
fn the_number_of_errors_is_bounded_and_reading_ends() {
    let many = format!("void f(void) {{ {} }}", (0..100).map(|i| format!("x{i}++; ")).collect::<String>());
    assert_eq!(all(&many).len(), 20);
    for text in [
        "void f(void) { x = (1; ",
        "void f(void) { ) ) ) }",
        "void f(void) { if ) else ; } }",
        "void f(void) { ({ x; }); { y } }",
    ] {
        assert!((1..=20).contains(&all(text).len()), "{text}: {:?}", all(text));
    }
}

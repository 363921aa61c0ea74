//! The language of rules: what is written reads back, and mistakes are told with their place.

use base::SourceMap;
use expect_test::expect;

fn parse(text: &str) -> Result<spec::syntax::Rule, String> {
    let mut map = SourceMap::new();
    let file = map.add("my.slic", text);
    spec::parse("my", file, text).map_err(|d| {
        let at = map.locate(d.span.expect("every message has a place"));
        format!("{at}: {}", d.message)
    })
}

#[test]
fn every_rule_of_the_library_reads_back() {
    for entry in spec::library::ALL {
        let rule = parse(entry.text).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        assert!(rule.title.is_some() && rule.doc.is_some(), "{}: has a title and documentation", entry.name);
        let printed = spec::print(&rule);
        let again = parse(&printed).unwrap_or_else(|e| panic!("{}: {e}\n{printed}", entry.name));
        assert_eq!(spec::print(&again), printed, "{}", entry.name);
        assert!(!spec::describe(&rule).is_empty());
    }
}

#[test]
fn the_formatter_keeps_what_expressions_mean() {
    let text = r#"
        state { unsigned long long n = 0x10; bool b; void *p, *q = NULL; enum {a,b2} e=b2; }
        watch x = [f, g*].exit.*$1, h.entry.$2->list.next; watch y = f.entry.$1;
        [f,g*].exit[guard *$1 is x]{ if(!($return>=0)&&-1- -n==~n||(b&&&a!=0)) n<<=1; else {--n; b=$1->x[2].y;} }
        f.entry [guard $1 is y] { if (n) if (b) halt; else abort "a \"b\"" " c"; }
        $end { abort "x"; }"#;
    let text = text.replace("(b&&&a!=0)", "(b&&n)");
    let rule = parse(&text).expect("the rule is fine");
    expect![[r#"
        state {
            unsigned long long n = 0x10;
            bool b;
            void *p;
            void *q = NULL;
            enum { a, b2 } e = b2;
        }
        watch x = [f, g*].exit.*$1, h.entry.$2->list.next;
        watch y = f.entry.$1;

        [f, g*].exit [guard *$1 is x] {
            if (!($return >= 0) && -1 - -n == ~n || (b && n)) {
                n <<= 1;
            } else {
                n--;
                b = $1->x[2].y;
            }
        }

        f.entry [guard $1 is y] {
            if (n) {
                if (b) {
                    halt;
                } else {
                    abort "a \"b\" c";
                }
            }
        }

        $end {
            abort "x";
        }
    "#]]
    .assert_eq(&spec::print(&rule));
    let again = parse(&spec::print(&rule)).expect("what is printed reads back");
    assert_eq!(spec::print(&again), spec::print(&rule));
}

/// Mistakes of newcomers: one message each, with its place.
#[test]
fn mistakes_are_told_with_their_place() {
    let cases = [
        "f.entry { abort \"x\" }",
        "f.entry { s = 1; }",
        "state { int s = 0; } f.entry { if (s = 1) abort \"x\"; }",
        "f.entry [guard $1] { abort \"x\"; }",
        "f.entry { if ($return) abort \"x\"; }",
        "f.enter { abort \"x\"; }",
        "state { int s = 0; }",
        "state { int s[3]; } f.entry { abort \"x\"; }",
        "f.entry { while (1) abort \"x\"; }",
        "f.entry { $1 = 0; }",
        "f.entry { printf(\"x\"); }",
        "#include <stdio.h>\nf.entry { abort \"x\"; }",
        "state { int s = 0; } f.entry { s = 'a'; }",
        "watch f.entry.$1; watch b = g.entry.$1; f.entry [guard $1] { abort \"x\"; }",
        "f.entry { if ($fname) abort \"x\"; }",
        "state { int s = x; } f.entry { abort \"x\"; }",
        "state { int s; int s; } f.entry { abort \"x\"; }",
        "f.entry { abort \"x\"; ",
        "$end [guard $1] { abort \"x\"; }",
        "title Spin locks;",
    ];
    let told: Vec<String> = cases.iter().map(|c| parse(c).expect_err(c)).collect();
    expect![[r#"
        my.slic:1:21: expected `;` behind the message, found `}`
        my.slic:1:11: `s` is no variable of the rule's state, which stands before the events
        my.slic:1:38: `=` assigns; `==` compares
        my.slic:1:9: the rule watches no object: `watch f.entry.$1;` says which, or a condition stands in an `if`
        my.slic:1:15: `$return` is known at the exit, not at the entry
        my.slic:1:3: expected `entry` or `exit`, found `enter`
        my.slic:1:21: the rule has no event: `f.entry { … }`
        my.slic:1:14: the state has no arrays
        my.slic:1:11: `while` is no statement of a rule: it has `if`, assignments, `abort` and `halt`
        my.slic:1:11: a rule changes its own state only, nothing of the program
        my.slic:1:11: a rule calls no functions (`printf`)
        my.slic:1:1: rules are not preprocessed: there are no `#` lines
        my.slic:1:36: characters in single quotes are not supported: write their number
        my.slic:1:49: several objects are watched: `[guard $1 is name]` says which one is meant
        my.slic:1:15: `$fname` has a meaning in messages only
        my.slic:1:17: a variable of the state starts with a constant, which `x` is not
        my.slic:1:20: `s` is declared already
        my.slic:1:9: this `{` has no `}`
        my.slic:1:6: the end of the program has no arguments that could be guarded
        my.slic:1:7: expected the title, in double quotes, found `Spin`"#]]
    .assert_eq(&told.join("\n"));
}

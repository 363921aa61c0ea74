//! Every dialect reads, the canonical print reads back as the same program, and typical mistakes get one clear message.

use super::{Dialect, parse, print};
use crate::program::{Expr, Program, StmtKind};
use base::{SourceMap, Span};

fn read_as(text: &str, dialect: Dialect) -> Result<Program, Vec<String>> {
    let mut map = SourceMap::new();
    let file = map.add("t.bp", text);
    parse(&map, Span::new(file, 0, text.len() as u32), dialect).map_err(|errors| {
        let place = |e: &base::Diagnostic| e.span.map_or("?".to_owned(), |s| map.locate(s).to_string());
        errors.iter().map(|e| format!("{}: {}: {}", place(e), e.id, e.message)).collect()
    })
}

fn read(text: &str) -> Program {
    let p = read_as(text, Dialect::Bebop).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert_eq!(crate::validate(&p), []);
    let printed = print(&p);
    let again = read_as(&printed, Dialect::Bebop).unwrap_or_else(|e| panic!("{e:?}\n{printed}"));
    assert_eq!(again, p, "{printed}");
    assert_eq!(read_as(&printed, Dialect::Boppo).as_ref(), Ok(&p), "full parentheses read alike in both precedences");
    p
}

#[test]
fn random_programs_print_and_read_back() {
    for p in crate::oracle::random_programs(11, 300) {
        let text = print(&p);
        assert_eq!(read_as(&text, Dialect::Bebop).as_ref(), Ok(&p), "{text}");
    }
}

#[test]
fn the_common_core_reads() {
    let p = read(
        "decl g0, {x == 0};\n\
         bool<2> f(a, b) begin enforce !(a & b); a, b := !a, *; return a, b; end\n\
         bool unk() begin if (*) then return T; else return F; fi end\n\
         void main() begin\n\
           decl x, y; /* a comment */\n\
           L1: L2: x, _ := f(g0, {x == 0}); // another\n\
           _, _ := f(T, F);\n\
           y := unk();\n\
           while (x = y) do\n\
             if x then skip; elsif y then goto L1; else assume(x != y); fi;\n\
             {x == 0} := schoose[x, y] constrain ('{x == 0} => x);\n\
           od\n\
           dead x, y; print(x, g0); abortif x;\n\
           goto L1, L3;\n\
           L3: assert(x | y & g0)\n\
         end\n",
    );
    assert_eq!(p.globals.len(), 2);
    let main = &p.procs[p.entry];
    assert_eq!(p.find_label("L2"), [(p.entry, base::Id::from_index(0))]);
    assert!(main.body.iter().any(|s| s.constrain.is_some()));
    assert!(main.body.iter().any(|s| matches!(&s.kind, StmtKind::Call { results, .. } if results.is_empty())));
}

#[test]
fn an_arm_that_is_a_goto_becomes_a_target() {
    let p = read("decl b;\nvoid main() begin\n PC0: if b then goto l1; fi;\n PC1: skip;\n l1: PC2: skip;\nend\n");
    let body = &p.procs[p.entry].body;
    assert_eq!(body.len(), 4, "branch, two skips and the return");
    assert!(matches!(body.iter().next().map(|s| &s.kind), Some(StmtKind::Branch(Expr::Var(_), yes, no))
        if (base::Id::index(*yes), base::Id::index(*no)) == (2, 1)));
}

#[test]
fn words_of_the_language_may_be_labels() {
    // Where a `;` may be left out, `constrain` could also begin the constraint of the statement before.
    for word in ["constrain", "end", "fi", "skip", "if", "decl", "bool"] {
        let p = read(&format!("decl g; void main() begin if (g) then goto {word}; fi {word}: g := F; end"));
        assert_eq!(p.find_label(word).len(), 1, "{word}");
    }
    let p = read("decl g; void main() begin if (g) then skip; fi constrain g; end");
    assert!(p.procs.iter().flat_map(|p| p.body.iter()).any(|s| s.constrain.is_some()));
}

#[test]
fn precedence_depends_on_the_dialect() {
    let text = "decl a, b, c;\nvoid main() begin assume(a & b = c); assume(a ^ b | c); end\n";
    let exprs = |d| {
        let p = read_as(text, d).unwrap();
        p.procs[p.entry]
            .body
            .iter()
            .take(2)
            .map(|s| super::print_expr(&p, p.entry, s.kind.exprs()[0]))
            .collect::<Vec<_>>()
    };
    assert_eq!(exprs(Dialect::Bebop), ["a & (b = c)", "(a ^ b) | c"]);
    assert_eq!(exprs(Dialect::Boppo), ["(a & b) = c", "a ^ (b | c)"]);
    let dashed = "decl a-b;\nvoid main() begin a-b := T; end\n";
    assert!(read_as(dashed, Dialect::Boppo).is_ok());
    assert!(read_as(dashed, Dialect::Bebop).is_err());
}

#[test]
fn the_notations_of_the_papers_read() {
    // PLDI01 and TOPLAS05: C braces, predicates as names, choose and unknown.
    let p = read(
        "bool {g==0};\n\
         bool<2> bar(bool {*q<=y}, {y>=0}) {\n  bool {y==l1};\n  {y==l1} = unknown();\n  return {*q<=y}, {y==l1};\n}\n\
         void main() {\n  bool {x==0}, t;\n  while (*) {\n    {x==0}, t = choose({x==0}, !t), T;\n    \
         if ({x==0} == t) { {x==0} = F; } else { goto L; }\n  }\n  {x==0}, t = bar({x==0}, *);\n  L: assume({g==0});\n}\n",
    );
    assert_eq!(p.procs[p.find_proc("bar").unwrap()].n_returns, 2);
    // TACAS01 fig 1, with the loop condition as it must be (`!b2`).
    let text = include_str!("../../../../examples/bebop/tacas01-fig1.bp");
    let p = read(text);
    assert_eq!(p.procs.len(), 3);
    // `H` without its definition is choose.
    let p = read("decl a;\nvoid main() begin a := H(0, a); end\n");
    assert!(matches!(&p.procs[p.entry].body.iter().next().unwrap().kind,
        StmtKind::Assign(pairs) if matches!(pairs[0].1, Expr::Choose(..))));
    // TR00: `[n]` labels, `x: bool;`, `?`.
    let p = read(
        "x, y : bool;\nvoid main()\nbegin\n  z : bool;\n[1] x := ?;\n[2] if (x) then [3] skip; else [4] skip; fi\n[5];\nend\n",
    );
    assert_eq!(p.find_label("3").len(), 1);
    // SABS13: `e ? e : e` and the postfix prime.
    let p = read("decl p1, p2;\nvoid main() begin p1, p2 := (p1 | p2) ? F : *, !p2 constrain (p1' => p2); end\n");
    let stmt = p.procs[p.entry].body.iter().next().unwrap();
    assert_eq!(stmt.constrain.as_ref().map(|c| c.next_vars().len()), Some(1));
    // BoPP: numbers as labels, initial values.
    let p = read("decl s := *, t := 1;\nvoid main() begin decl l := 0;\n0: goto 2, 1;\n1: skip;\n2: assert(t); end\n");
    assert_eq!(p.globals.iter().map(|d| d.init).collect::<Vec<_>>(), [None, Some(true)]);
    // `enforce` with a next state constrains every statement.
    let p = read("decl x;\nvoid main() begin enforce x => 'x; x := *; end\n");
    assert!(p.procs[p.entry].enforce.is_none() && p.procs[p.entry].body.iter().all(|s| s.constrain.is_some()));
}

#[test]
fn threads_are_refused_by_name() {
    let refused = |text: &str, what: &str| {
        let errors = read_as(text, Dialect::Bebop).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains("concurrent") && errors[0].ends_with(&format!("`{what}`")), "{errors:?}");
    };
    for word in ["start_thread goto L", "end_thread", "atomic_begin", "atomic_end", "sync ev", "wait", "broadcast"] {
        let name = word.split(' ').next().unwrap_or(word);
        refused(&format!("void main() begin L: x$ := 1; {word}; end"), name);
    }
    refused("void f() begin skip; end void main() begin ASYNC_1: f(); end", "ASYNC_1");
    refused("void init() begin skip; end void thread0() begin skip; end", "thread0");
    refused("void init() begin endinit: skip; end void main() begin skip; end", "endinit");
    read("void init() begin skip; end void main() begin init(); end");
    // Such words inside a predicate's name mean nothing.
    read("decl {start_thread == 0};\nvoid main() begin {start_thread == 0} := T; end\n");
}

/// Each text has one mistake; the message names line, column and what is wrong.
#[test]
fn typical_mistakes_get_one_message_with_its_place() {
    let cases: &[(&str, &str)] = &[
        ("void main() begin\n  x := T;\nend", "t.bp:2:3: undeclared: variable `x` is not declared"),
        ("decl x;\nvoid main() begin\n  x := y & y;\nend", "t.bp:3:8: undeclared: variable `y` is not declared"),
        (
            "void f(a) begin skip; end\nvoid main() begin f(); end",
            "t.bp:2:19: argument-count: `f` takes 1 argument, found 0",
        ),
        (
            "decl x;\nbool<2> f() begin return T, F; end\nvoid main() begin x := f(); end",
            "t.bp:3:24: return-count: `f` returns 2 values, but there is 1 target",
        ),
        (
            "bool f() begin return T, F; end\nvoid main() begin f(); end",
            "t.bp:1:16: return-count: `f` returns 1 value, found 2",
        ),
        ("void main() begin\n  goto L;\nend", "t.bp:2:8: missing-label: label `L` is not defined in `main`"),
        ("void main() begin\n L: skip;\n L: skip;\nend", "t.bp:3:2: duplicate: label `L` is defined twice in `main`"),
        (
            "void f() begin skip; end\nvoid f() begin skip; end\nvoid main() begin skip; end",
            "t.bp:2:6: duplicate: procedure `f` is defined twice",
        ),
        ("decl x, y, x;\nvoid main() begin skip; end", "t.bp:1:12: duplicate: `x` is declared twice"),
        ("void main() begin\n  skip;\n", "t.bp:3:1: syntax: expected a statement or `end`, found the end of the text"),
        (
            "decl x;\nvoid main() begin\n  if x then skip;\nend",
            "t.bp:4:1: syntax: expected a statement or `fi`, found `end`",
        ),
        (
            "decl x;\nvoid main() begin\n  while x do skip;\nend",
            "t.bp:4:1: syntax: expected a statement or `od`, found `end`",
        ),
        (
            "decl x;\nvoid main() begin\n  x := T x := F;\nend",
            "t.bp:3:9: syntax: expected `;` after this statement, found `x`",
        ),
        ("decl x;\nvoid main() begin\n  x := T @ F;\nend", "t.bp:3:10: syntax: stray character `@`"),
        ("decl x;\nvoid main() begin\n  x := (T & F;\nend", "t.bp:3:14: syntax: expected `)`, found `;`"),
        ("decl x;\nvoid main() begin\n  x := ;\nend", "t.bp:3:8: syntax: expected an expression, found `;`"),
        ("decl x, y;\nvoid main() begin\n  x, y := T;\nend", "t.bp:3:3: assign-count: 1 value assigned to 2 targets"),
        (
            "decl x;\nvoid main() begin\n  x, x := T, F;\nend",
            "t.bp:3:6: assigned-twice: `x` is assigned twice in one statement",
        ),
        (
            "decl x;\nvoid main() begin\n  x := 'x;\nend",
            "t.bp:3:8: next-state: the next state `'x` can be used in `constrain` and `enforce` only",
        ),
        ("void f() begin skip; end", "t.bp:1:1: entry: the program has no procedure `main`"),
        ("void main() begin\n  g();\nend", "t.bp:2:3: undefined: procedure `g` is not defined"),
        (
            "decl x;\nbool f() begin return T; end\nvoid main() begin x := f() & x; end",
            "t.bp:3:24: nested-call: the call of `f` must be a statement of its own",
        ),
        ("decl x\nvoid main() begin skip; end", "t.bp:2:1: syntax: expected `;`, found `void`"),
        ("void main() begin skip; /* end", "t.bp:1:25: syntax: this comment is never closed"),
        ("decl T;\nvoid main() begin skip; end", "t.bp:1:6: reserved: `T` is reserved and cannot be declared"),
        (
            "decl x;\nvoid main() begin x := schoose[T, F, x]; end",
            "t.bp:2:24: syntax: `schoose` takes 2 expressions, found 3",
        ),
        (
            "decl {x == 0, y;\nvoid main() begin skip; end",
            "t.bp:1:6: syntax: this `{` begins a name that does not end with `}` on its line",
        ),
        (
            "decl end;\nvoid main() begin end := T; end",
            "t.bp:1:6: reserved: `end` is a word of the language; a variable of this name is written `{end}`",
        ),
        ("void main(a) begin skip; end", "t.bp:1:6: entry: the entry procedure `main` must not have parameters"),
        ("x := T;", "t.bp:1:1: syntax: expected a declaration (`decl`) or a procedure (`void` or `bool`), found `x`"),
    ];
    for (text, expected) in cases {
        assert_eq!(read_as(text, Dialect::Bebop), Err(vec![(*expected).to_owned()]), "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_not() {
    let deep = format!("decl x;\nvoid main() begin x := {}x{}; end", "(".repeat(5000), ")".repeat(5000));
    assert!(read_as(&deep, Dialect::Bebop).unwrap_err()[0].contains("nested deeper"));
    let deep = format!("void main() begin {} skip; {} end", "if * then ".repeat(5000), "fi; ".repeat(5000));
    assert!(read_as(&deep, Dialect::Bebop).unwrap_err()[0].contains("nested deeper"));
    let deep = format!("decl x;\nvoid main() begin x := {}x; end", "!".repeat(5000));
    assert!(read_as(&deep, Dialect::Bebop).unwrap_err()[0].contains("nested deeper"));
    let deep = format!("decl x;\nvoid main() begin x := x{}; end", " = x".repeat(5000));
    assert!(read_as(&deep, Dialect::Bebop).unwrap_err()[0].contains("nested deeper"));
    let chain = format!("decl x;\nvoid main() begin x := x{}; end", " & x".repeat(20_000));
    read(&chain);
}

#[test]
fn damaged_programs_never_break_the_reader() {
    for seed in 0..40 {
        crate::oracle::damaged_programs(seed, 60).unwrap_or_else(|e| panic!("{e}"));
    }
}

//! Every form that a program is written in keeps its answers, and is what its readers can read.

use base::{SourceMap, Span};
use boolprog::oracle::random_programs;
use boolprog::{Dialect, Expr, Program, StmtKind, convert, parse};
use reach::{Options, Target, analyze};

fn read(text: &str, dialect: Dialect) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("t.bp", text);
    let span = Span::new(file, 0, text.len() as u32);
    parse(&map, span, dialect).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

fn reached(program: &Program, targets: &[Target]) -> bool {
    let options = Options { restrict: true, memory: 64 << 20, ..Options::default() };
    !analyze(program, targets, &options).expect("small programs").hit().is_empty()
}

/// Whether the label `ERR` is reached, and whether an assertion fails or `SLIC_ERROR` is reached.
fn answers(program: &Program) -> (bool, bool) {
    let label: Vec<Target> = program.find_label("ERR").into_iter().map(|(p, s)| Target::At(p, s)).collect();
    let errors: Vec<Target> = reach::targets(program).into_iter().filter(|t| !label.contains(t)).collect();
    (reached(program, &label), reached(program, &errors))
}

#[test]
fn every_form_keeps_the_answers() {
    for (i, program) in random_programs(77, 250).enumerate() {
        let expected = answers(&program);
        let forms = [
            ("slam", convert::slam(&program), Dialect::Bebop),
            ("satabs", convert::satabs(&program), Dialect::Boppo),
            ("satabs", convert::satabs(&program), Dialect::Bebop),
            ("moped", convert::moped(&program), Dialect::Bebop),
        ];
        for (form, text, dialect) in forms {
            let found = read(&text, dialect);
            assert_eq!(boolprog::validate(&found), []);
            let original = boolprog::print(&program);
            assert_eq!(answers(&found), expected, "program {i} as {form}\n{original}\n----\n{text}");
        }
    }
}

/// What Moped and Getafix do not read.
fn outside_the_core(p: &Program) -> Option<&'static str> {
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let free_inside = |e: &Expr| match e {
        Expr::Choose(p, n) => p.is_nondet() || n.is_nondet(),
        e => e.is_nondet(),
    };
    if p.globals.iter().any(|d| d.init.is_some() || !plain(&d.name)) {
        return Some("a global");
    }
    for proc in &p.procs {
        if proc.enforce.is_some() || proc.locals.iter().any(|d| d.init.is_some() || !plain(&d.name)) {
            return Some("a local or enforce");
        }
        for stmt in &proc.body {
            let mut operators = false;
            for e in stmt.kind.exprs() {
                e.walk(|e| operators |= matches!(e, Expr::Ite(..) | Expr::Implies(..)));
                e.walk(|e| operators |= matches!(e, Expr::Not(a) if matches!(**a, Expr::Not(_))));
            }
            if operators || stmt.constrain.is_some() {
                return Some("an operator or constrain");
            }
            let bad = match &stmt.kind {
                StmtKind::Assign(pairs) => {
                    pairs.iter().any(|(v, e)| v.is_none() || *e == Expr::Nondet || free_inside(e))
                }
                StmtKind::Branch(e, ..) => *e != Expr::Nondet && e.is_nondet(),
                StmtKind::Goto(to) => to.len() > 1,
                StmtKind::Assert(_) | StmtKind::Dead(_) | StmtKind::Print(_) => true,
                StmtKind::Call { results, args, .. } => results.contains(&None) || args.iter().any(Expr::is_nondet),
                StmtKind::Assume(e) => e.is_nondet(),
                StmtKind::Return(v) => v.iter().any(Expr::is_nondet),
                StmtKind::Skip => false,
            };
            if bad {
                return Some("a statement");
            }
        }
    }
    if p.find_label("SLIC_ERROR").len() > 1 { Some("two labels SLIC_ERROR") } else { None }
}

#[test]
fn the_form_for_moped_stays_in_its_core() {
    for program in random_programs(78, 150) {
        let text = convert::moped(&program);
        assert_eq!(outside_the_core(&read(&text, Dialect::Bebop)), None, "{text}");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            assert!(!(pair[0].ends_with(':') && pair[1].ends_with(':')), "two labels on one statement\n{text}");
        }
        assert!(!text.contains("fi;") && !text.contains('{') && !text.contains("'"), "{text}");
    }
}

#[test]
fn names_stay_distinct_when_they_become_plain() {
    let program = read(
        "decl {x == 0}, {x != 0}, v_x____0, a$b;\nvoid main() begin\n  decl {begin}, tmp0;\n  0: {x == 0} := {x != 0} & *;\n  \
         {begin} := a$b;\n  goto 0, end_;\n  end_: assert(v_x____0 | {begin} | tmp0);\nend\n",
        Dialect::Bebop,
    );
    for text in [convert::moped(&program), convert::satabs(&program)] {
        let back = read(&text, Dialect::Boppo);
        assert_eq!(back.globals.len(), 4, "{text}");
        assert!(answers(&back).1 && answers(&program).1);
    }
}

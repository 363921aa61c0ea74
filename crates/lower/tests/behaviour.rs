//! Targets, linking, limits and seeded faults.

use crate::support::{lowered, lowered_units, run};
use cfront::Target;
use ir::interp::End;
use ir::{ErrorKind, Op};
use lower::{Options, Targets};

fn end(source: &str, options: &Options) -> End {
    run(&lowered(source, Target::Lp64, options).program).end
}

fn reached(source: &str, options: &Options) -> Option<ErrorKind> {
    match end(source, options) {
        End::Error { kind, .. } => Some(kind),
        _ => None,
    }
}

const ASSERT: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *);";

#[test]
fn entering_a_target_is_the_error_whether_it_has_a_body_or_not() {
    let expected = Some(ErrorKind::Reached("reach_error".into()));
    for body in ["void reach_error(void);", "void reach_error(void) {}", "void reach_error(void) { for (;;) ; }"] {
        assert_eq!(reached(&format!("{body} int main(void) {{ reach_error(); }}"), &Options::default()), expected);
        let pointer = format!("{body} int main(void) {{ void (*p)(void) = reach_error; p(); }}");
        assert_eq!(reached(&pointer, &Options::default()), expected);
    }
}

#[test]
fn a_property_names_the_only_target() {
    let only = |f: &str| Options { targets: Targets::only(f), ..Options::default() };
    let failing = format!("{ASSERT} int main(void) {{ __assert_fail(\"x\", \"f\", 1, \"m\"); }}");
    assert_eq!(reached(&failing, &Options::default()), Some(ErrorKind::Assert("x".into())));
    assert!(matches!(end(&failing, &only("reach_error")), End::Halted { .. }));
    let old = "void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); }";
    assert_eq!(reached(old, &only("reach_error")), Some(ErrorKind::Reached("__VERIFIER_error".into())));
    let other = "void reach_error(void) {} void bad(void) {} int main(void) { reach_error(); bad(); }";
    assert_eq!(reached(other, &only("bad")), Some(ErrorKind::Reached("bad".into())));
}

#[test]
fn a_body_is_never_replaced_by_a_model() {
    let own = "void reach_error(void); int abs(int x) { return 7; } void assert(int c) {} void exit(int c) {}
               int __VERIFIER_nondet_int(void) { return 3; }
               int main(void) { assert(0); exit(0); if (abs(-1) == 7 && __VERIFIER_nondet_int() == 3) reach_error(); }";
    assert!(reached(own, &Options::default()).is_some());
}

#[test]
fn a_function_of_another_form_is_not_the_one_of_the_library() {
    use ir::library::{c, recipe};
    let rows = c::ROWS.iter().chain(recipe::RECIPES);
    let named = rows.filter(|r| !r.signature.is_empty() && !r.name.starts_with("__")).map(|r| r.name);
    // What the compiler means by these only behind `__builtin_`.
    let built_in =
        ["trap", "unreachable", "prefetch", "popcount", "clz", "bswap32", "inf", "object_size", "assume_aligned"];
    let mut tried = 0;
    for name in named.chain(built_in) {
        let source = format!(
            "struct odd {{ int x[3]; }}; void {name}(struct odd *); int main(void) {{ struct odd v; {name}(&v); }}"
        );
        // Some take any pointer, and one pointer is all.
        if c::row(name).is_some_and(|r| matches!(r.signature.as_bytes(), [_, b'p' | b's' | b'?'])) {
            continue;
        }
        let program = lowered(&source, Target::Lp64, &Options::default()).program;
        let calls = program.functions.iter().flat_map(|f| &f.body).flat_map(|b| &b.edges);
        let called = calls.filter_map(|e| match &e.op {
            Op::Call(ir::Call { callee: ir::Callee::Direct(f), .. }) => Some(program.functions[*f].name.as_str()),
            _ => None,
        });
        assert_eq!(called.collect::<Vec<_>>(), [name], "{source}");
        tried += 1;
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn known_functions_mean_the_same_through_pointers() {
    let source = "void reach_error(void); void abort(void); int abs(int); void *malloc(unsigned long);
        int main(void) { int (*f)(int) = abs; void *(*m)(unsigned long) = malloc; int *p = m(4); *p = f(-3);
                         if (*p != 3) reach_error(); void (*a)(void) = abort; a(); reach_error(); }";
    let options = Options { malloc_may_fail: false, ..Options::default() };
    assert!(matches!(end(source, &options), End::Halted { .. }), "{:?}", end(source, &options));
}

#[test]
fn units_are_linked_by_name() {
    let a = "extern int shared; int get(void); static int own(void) { return 1; } void reach_error(void);
             int main(void) { if (get() * 100 + shared * 10 + own() != 251) reach_error(); }";
    let b = "int shared = 5; static int own(void) { return 2; } int get(void) { return own(); }";
    let program = lowered_units(&[a, b], Target::Lp64, &Options::default()).expect("links").program;
    assert!(matches!(run(&program).end, End::Exited(_)));
    let names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "get", "own", "own.2"]);
}

#[test]
fn two_definitions_are_an_error_that_names_both() {
    let unit = "int f(void) { return 1; } int main(void) { return f(); }";
    let errors = lowered_units(&[unit, "int f(void) { return 2; }"], Target::Lp64, &Options::default()).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "`f` is defined twice");
    let (second, first) = (errors[0].span.expect("a place"), errors[0].notes[0].span.expect("a place"));
    assert_ne!(second.file, first.file);
}

#[test]
fn a_program_needs_its_entry() {
    let no_main = lowered_units(&["int f(void) { return 1; }"], Target::Lp64, &Options::default()).unwrap_err();
    assert_eq!(no_main[0].message, "no function `main`");
    let f = Options { entry: "f".into(), ..Options::default() };
    assert!(lowered_units(&["int f(void) { return 1; }"], Target::Lp64, &f).is_ok());
}

#[test]
fn unreached_functions_cost_nothing() {
    let source = "void *g(void) { l: return &&l; } int h(void) { g(); return 0; } int main(void) { return 0; }";
    let lowered = lowered(source, Target::Lp64, &Options::default());
    assert_eq!(lowered.program.functions.len(), 1);
    assert!(lowered.unsupported.is_empty());
}

#[test]
fn uninitialised_is_drawn_once_per_declaration() {
    // Whatever `x` is, it stays it.
    let source = "void reach_error(void); int main(void) { int x; int y = x; if (x != y) reach_error(); return 0; }";
    assert!(matches!(end(source, &Options::default()), End::Exited(_)));
    let lowered = lowered(source, Target::Lp64, &Options::default());
    assert_eq!(run(&lowered.program).tape.entries.len(), 1);
}

#[test]
fn volatile_is_ordinary_memory_unless_asked_otherwise() {
    let source = "volatile int v; int main(void) { return v + v; }";
    let havocs = |nondet| {
        let options = Options { volatile_nondet: nondet, ..Options::default() };
        let program = lowered(source, Target::Lp64, &options).program;
        let body = program.body(program.entry);
        body.edges.iter().filter(|e| matches!(e.op, Op::Havoc(..))).count()
    };
    assert_eq!((havocs(false), havocs(true)), (0, 2));
}

#[test]
fn deep_and_long_inputs_stay_shallow() {
    let nested = |n: usize| format!("int main(int x) {{ return {}x{}; }}", "-(1 + ".repeat(n), ")".repeat(n));
    let sum = |n: usize| format!("int main(int x) {{ return x{}; }}", " + x".repeat(n));
    let ands = |n: usize| format!("int main(int x) {{ if (x{}) return 1; return 0; }}", " && x + 1".repeat(n));
    let elses = |n: usize| {
        let arms: String = (0..n).map(|i| format!("if (x == {i}) return {i}; else ")).collect();
        format!("int main(int x) {{ {arms} return -1; }}")
    };
    let cases = |n: usize| {
        let arms: String = (0..n).map(|i| format!("case {i}: return {i};")).collect();
        format!("int main(int x) {{ switch (x) {{ {arms} }} return -1; }}")
    };
    let sources = [nested(2000), sum(5000), ands(3000), elses(20_000), cases(20_000)];
    let work = move || {
        for source in sources {
            lowered(&source, Target::Lp64, &Options::default());
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread starts");
    thread.join().expect("all of them lower to valid programs");
}

#[cfg(feature = "sabotage")]
#[test]
fn seeded_faults_change_the_answer() {
    use base::sabotage::{Fault, set};
    let and = "void reach_error(void); int n; int t(void) { return ++n; } int main(void) {
               if (n && t()) n = 9; int x = n && t(); if (n || x) reach_error(); }";
    let narrow =
        "void reach_error(void); int main(void) { unsigned char c = 250; c += 10; if (c != 4) reach_error(); }";
    for (fault, source) in [(Fault::AndEvaluatesBothSides, and), (Fault::CompoundAssignNotNarrowed, narrow)] {
        set(None);
        assert_eq!(reached(source, &Options::default()), None, "{fault:?} is off");
        set(Some(fault));
        assert!(reached(source, &Options::default()).is_some(), "{fault:?} is on");
        set(None);
    }
}

/// Without a prototype a library function can be called with anything; what makes no sense is unsupported, and the program valid.
#[test]
fn library_functions_on_other_arguments_are_unsupported() {
    let source = "float rintf(); int main(void) { char t[5]; t[0] = 0; rintf(t, \"x\", 5); return 0; }";
    let lowered = lowered(source, Target::Lp64, &Options::default());
    assert_eq!(ir::validate::validate(&lowered.program), Ok(()));
    assert_eq!(lowered.unsupported.len(), 1);
}

#[test]
fn a_number_is_taken_for_a_label() {
    for value in ["(long)&&here", "0", "'a'", "2.5"] {
        let source = format!("int main(void) {{ if (0) goto *{value}; here: return &&here == 0; }}");
        let lowered = lowered(&source, Target::Lp64, &Options::default());
        assert_eq!(ir::validate::validate(&lowered.program), Ok(()), "{value}");
    }
}

#[test]
fn values_of_types_without_meaning_are_unsupported() {
    for ty in ["_Decimal32", "_Decimal64", "_Decimal128"] {
        let source = format!(
            "{ty} a; {ty} f({ty} x, {ty} y) {{ return y; }} {ty} (*p)({ty}, {ty}) = f; struct s {{ {ty} m; }} g; struct s h(void) {{ return g; }}
             int v(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); a = __builtin_va_arg(l, {ty}); return a != 1; }}
             int main(void) {{ {ty} *q = &a, b[2] = {{1, 2}}; if (f(*q, b[1]) != a) a += b[0]++; if (f(a, a)) a = -a; switch ((int)p(a, a)) {{ case 1: return v(1, a); }}
             while (!h().m && a > b[1]) b[0] = a ? 1 : a; return f(a, 1) + (a = 2, a) == 3 || (_Bool)a; }}"
        );
        for target in [Target::Ilp32, Target::Lp64] {
            let lowered = lowered(&source, target, &Options::default());
            assert_eq!(ir::validate::validate(&lowered.program), Ok(()), "{ty}");
            assert!(!lowered.unsupported.is_empty(), "{ty}");
        }
    }
}

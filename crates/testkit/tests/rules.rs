//! Every rule of the library proves its safe programs and finds its broken ones; and with any handler, `abort` or condition
//! missing it does not any more (for some of them here).

use spec::library;
use testkit::rules::Case;

/// A part of the library, so that the parts run beside each other.
fn part(n: usize, check: impl Fn(&Case) -> Vec<String>) {
    let mut wrong = Vec::new();
    for entry in library::ALL.iter().skip(n).step_by(4) {
        let case = Case::read(entry).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        wrong.extend(check(&case).into_iter().map(|w| format!("{}: {w}", entry.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn tests_pass(case: &Case) -> Vec<String> {
    let safe = case.programs.iter().filter(|p| p.starts_with("safe")).count();
    if safe == 0 || safe == case.programs.len() {
        return vec!["has no safe or no broken program".to_owned()];
    }
    match case.surprise(&case.rule) {
        Ok(None) => Vec::new(),
        Ok(Some(s)) => vec![format!("{} is {}", s.program, s.answer)],
        Err(e) => vec![e],
    }
}

fn mutants_fail_of(case: &Case) -> Vec<String> {
    spec::mutants(&case.rule).iter().filter_map(|(what, rule)| case.unnoticed(what, rule)).collect()
}

#[test]
fn tests_pass_0() {
    part(0, tests_pass);
}

#[test]
fn tests_pass_1() {
    part(1, tests_pass);
}

#[test]
fn tests_pass_2() {
    part(2, tests_pass);
}

#[test]
fn tests_pass_3() {
    part(3, tests_pass);
}

/// Three rules here; all of them by `cargo xtask mutants`.
#[test]
fn mutants_fail() {
    for name in ["linux/spinlock", "posix/stream", "windows/pending"] {
        let entry = library::find(name).expect("the rule is in the library");
        let case = Case::read(entry).unwrap_or_else(|e| panic!("{name}: {e}"));
        let unnoticed = mutants_fail_of(&case);
        assert!(unnoticed.is_empty(), "{name}: {}", unnoticed.join("\n"));
    }
}

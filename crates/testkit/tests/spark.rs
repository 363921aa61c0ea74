//! The SPARK front end against GNAT, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::spark::features::{compare, features};
use testkit::spark::{Ended, Gnat, interpreted, spark};

#[test]
fn interpreted_and_compiled_programs_agree() {
    let gnat = match Gnat::find() {
        Ok(gnat) => gnat,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let stats = spark(&gnat, 0, 12).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 12), ("programs that return", 2)]);
}

/// What GNAT's binary does is written beside each program; `cargo xtask fuzz spark-features` asks it about all of them.
#[test]
fn programs_of_every_feature_end_as_gnat_ends_them() {
    let all = features();
    assert!(all.len() > 100, "{} programs", all.len());
    let mut wrong = Vec::new();
    for feature in &all {
        let expected = if feature.fails { Ended::Assertion } else { Ended::Returned(Vec::new()) };
        match feature.interpreted() {
            Ok(found) if found == expected => {}
            other => wrong.push(format!("{}: {other:?}, but {expected:?}", feature.title)),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    match Gnat::find() {
        Ok(gnat) => compare(&gnat, 0, 4).unwrap_or_else(|e| panic!("{e}")).demand(&[("features", 4)]),
        Err(why) => eprintln!("skipped: {why}"),
    }
}

/// Without a compiler: the programs are in the subset, lower to valid IR and end.
#[test]
fn random_programs_are_in_the_subset() {
    for n in 0..60 {
        let ended = interpreted(n).unwrap_or_else(|e| panic!("program {n}: {e}"));
        assert!(!matches!(ended, testkit::spark::Ended::Other(_)), "program {n}: {ended:?}");
    }
}

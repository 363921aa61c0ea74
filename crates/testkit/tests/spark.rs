//! The SPARK front end against GNAT, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::spark::{Gnat, interpreted, spark};

#[test]
fn interpreted_and_compiled_programs_agree() {
    let gnat = match Gnat::find() {
        Ok(gnat) => gnat,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let stats = spark(&gnat, 0, 12).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 12), ("programs that return", 2)]);
}

/// Without a compiler: the programs are in the subset, lower to valid IR and end.
#[test]
fn random_programs_are_in_the_subset() {
    for n in 0..60 {
        let ended = interpreted(n).unwrap_or_else(|e| panic!("program {n}: {e}"));
        assert!(!matches!(ended, testkit::spark::Ended::Other(_)), "program {n}: {ended:?}");
    }
}

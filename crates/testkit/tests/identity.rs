//! What gcc does with addresses and patterns that C leaves open is possible, and what it does in rounding modes is certain, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::normal;

#[test]
fn what_gcc_does_with_addresses_is_possible() {
    let stats = normal::identity().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("programs", 60), ("possible", 50), ("literals equal to themselves", 50)]);
}

#[test]
fn what_gcc_does_with_what_is_no_number_is_possible() {
    let stats = normal::patterns().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("programs", 60), ("patterns of no number", 15), ("numbers that are exact", 15)]);
}

#[test]
fn operations_round_as_the_mode_says() {
    let stats = normal::modes().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("programs", 100), ("verdicts", 380)]);
}

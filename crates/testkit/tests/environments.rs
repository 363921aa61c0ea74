//! No verdict SAFE is refuted by an environment that keeps the rules of the mode.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::normal;

#[test]
fn no_environment_refutes_a_proof() {
    let stats = normal::environments().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("programs that call functions of the outside through pointers", 15)]);
    stats.demand(&[("SAFE", 18), ("UNSAFE", 10), ("UNSAFE and broken", 6), ("runs", 1200)]);
}

#[test]
fn no_tree_of_objects_refutes_a_proof() {
    let stats = normal::trees().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("SAFE", 2), ("UNSAFE", 2), ("UNSAFE and broken", 2), ("runs", 120)]);
}

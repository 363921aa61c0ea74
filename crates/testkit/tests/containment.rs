//! What the interpreter does lies in the invariants of every round of the refinement loop.

use testkit::normal;

#[test]
fn runs_lie_in_the_invariants_of_every_round() {
    let stats = normal::containment().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 100), ("runs", 100), ("fixpoints", 150), ("states", 10_000)]);
    stats.demand(&[("states in callees", 1_000), ("invariants checked", 1_000)]);
}

#[test]
fn runs_over_memory_lie_in_the_invariants_too() {
    let stats = normal::memory_containment().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 40), ("runs", 100), ("states", 3_000), ("values over memory", 5_000)]);
    // Predicates follow null pointers and the like; then they have no value.
    stats.demand(&[("values that are not known", 500), ("states in callees", 300)]);
}

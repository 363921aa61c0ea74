//! Replay of counterexamples, in the normal budget: exactly those are accepted that are some.

#[test]
fn changed_counterexamples_are_rejected() {
    let stats = testkit::normal::replays().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("counterexamples", 200),
        ("rejected: missing entry", 500),
        ("rejected: surplus entry", 500),
        ("rejected: changed entry", 100),
        ("harmless: changed entry", 100),
        ("rejected: changed path", 1_000),
    ]);
}

//! Replay of counterexamples: exactly those are accepted that are some.

use testkit::replays::replays;

#[test]
fn changed_counterexamples_are_rejected() {
    let stats = replays(0, 600).unwrap_or_else(|e| panic!("{e}"));
    eprintln!("{stats}");
}

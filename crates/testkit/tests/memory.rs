//! The engines on programs whose verdict hangs on one rule about memory.

#[test]
fn the_engines_know_memory() {
    let stats = testkit::pairs::memory().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 90), ("safe programs proved", 45), ("unsafe programs broken", 45)]);
    assert_eq!(stats.get("programs left open"), 0, "{stats}");
}

#[test]
fn what_a_run_reaches_is_not_proved_unreachable() {
    let stats = testkit::probes::memory(0, 60).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("probes", 40), ("broken", 10)]);
}

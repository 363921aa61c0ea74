//! Rules in programs against an independent monitor.

#[test]
fn woven_programs_say_what_a_monitor_says() {
    let seen = spec::oracle::compare(0, 60).unwrap_or_else(|e| panic!("{e}"));
    assert!(seen.runs > 200 && seen.aborts > 40 && seen.halts > 0 && seen.chosen > 10, "{seen:?}");
}

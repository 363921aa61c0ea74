//! Rules in programs against an independent monitor.

#[test]
fn woven_programs_say_what_a_monitor_says() {
    let seen = spec::oracle::compare(0, spec::oracle::NORMAL).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        seen.runs > 1500 && seen.aborts > 250 && seen.halts > 10 && seen.chosen > 100 && seen.again > 20,
        "{seen:?}"
    );
}

/// Every fault that is seeded into events and weaving is noticed. (The workspace's own test of seeded faults asks the same oracle.)
#[cfg(feature = "sabotage")]
#[test]
fn seeded_faults_are_noticed() {
    use base::sabotage::{self, Fault};
    for fault in [
        Fault::ReturnEventsForgotten,
        Fault::EventArgumentsStale,
        Fault::RuleGuardForgotten,
        Fault::RuleAbortForgotten,
        Fault::RuleHandlersReplaced,
        Fault::RuleForgetsPassed,
    ] {
        sabotage::set(Some(fault));
        let outcome = spec::oracle::compare(0, spec::oracle::NORMAL);
        sabotage::set(None);
        assert!(outcome.is_err(), "{fault:?} is not noticed");
    }
}

//! Every seeded fault of this crate is caught by the random oracle within its normal budget.
#![cfg(feature = "sabotage")]

use base::sabotage::{Fault, set};
use boolprog::oracle::random_programs;
use reach::compare::compare;

/// One test, because the switch is one for the process.
#[test]
fn the_oracle_catches_every_seeded_fault() {
    let faults = [
        Fault::SummaryNotRepropagated,
        Fault::CallerEntryPartLost,
        Fault::EnforceTooStrong,
        Fault::StaleLocalKeptOverCall,
    ];
    for fault in faults {
        set(Some(fault));
        let caught = random_programs(1, 400).position(|p| compare(&p).is_err());
        set(None);
        assert!(caught.is_some(), "{fault:?} is not caught");
    }
    assert!(random_programs(1, 50).all(|p| compare(&p).is_ok()), "without a fault all agree");
}

//! Every seeded fault of this crate is caught by the simulation of random programs.
#![cfg(feature = "sabotage")]

mod oracle;

use base::rng::Rng;
use base::sabotage::{self, Fault};
use predabs::{Cache, abstract_program};

/// The first seed whose program is not simulated.
fn caught() -> Option<u64> {
    (0..120).find(|&seed| {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 4);
        let constraints = if seed % 2 == 0 { oracle::constraints(rng, &program, &predicates) } else { Vec::new() };
        let abstraction =
            abstract_program(&program, &predicates, &constraints, &oracle::options(), &mut Cache::new()).unwrap();
        (0..12).any(|_| oracle::simulate(rng, &program, &predicates, &abstraction, 60).is_err())
    })
}

#[test]
fn the_simulation_catches_every_fault() {
    assert_eq!(caught(), None, "without a fault all is well");
    let faults = [
        Fault::StaleFactKeptOverCall,
        Fault::GhostNotImmutable,
        Fault::EnforceTooStrongAbs,
        Fault::ConstrainWrongPolarity,
    ];
    for fault in faults {
        sabotage::set(Some(fault));
        let seed = caught();
        sabotage::set(None);
        assert!(seed.is_some(), "{fault:?} was not caught");
    }
}

//! Every seeded fault of this crate is caught by the random oracle within its normal budget, and those that lose states are
//! caught by the check of closedness as well, which knows no other engine.

use base::sabotage::{Fault, set};
use base::{SourceMap, Span};
use boolprog::oracle::random_programs;
use reach::compare::compare;
use reach::{NotClosed, Options, analyze, targets};

/// Faults that lose states, so that the sets are not closed.
const LOSING: &[Fault] = &[
    Fault::SummaryNotRepropagated,
    Fault::EntryNotRevisited,
    Fault::StaleLocalKeptOverCall,
    Fault::EnforceTooStrong,
    Fault::ConstrainReadsOld,
];

/// As many programs as the comparison of the engines has in the tests.
const BUDGET: usize = 1200;

const OTHERS: &[Fault] = &[
    Fault::CallerEntryPartLost,
    Fault::EnforceIgnoredAtReturn,
    Fault::DeadBeforeConstrain,
    Fault::ChooseNegativeFirst,
    Fault::EntriesNotCutBack,
    Fault::HiddenReadsFalse,
];

/// Two calls against three steps: the lengths of the ways differ by one, which random programs seldom do.
const TWO_WAYS: &str = "void f() begin return; end\nvoid main() begin\n  if (*) then f(); f(); else skip; skip; skip; fi\n  \
                        ERR: skip;\nend\n";

fn certified(program: &boolprog::Program) -> Result<(), NotClosed> {
    let options = Options { memory: 64 << 20, ..Options::default() };
    analyze(program, &targets(program), &options).expect("small programs").certify()
}

#[test]
fn the_oracles_catch_every_seeded_fault() {
    for &fault in LOSING.iter().chain(OTHERS) {
        set(Some(fault));
        let caught = random_programs(1, BUDGET).position(|p| compare(&p).is_err());
        set(None);
        assert!(caught.is_some(), "{fault:?} is not caught by comparing engines");
    }
    let mut map = SourceMap::new();
    let file = map.add("t.bp", TWO_WAYS);
    let span = Span::new(file, 0, TWO_WAYS.len() as u32);
    let two_ways = boolprog::parse(&map, span, boolprog::Dialect::Bebop).expect("the program is well formed");
    assert!(compare(&two_ways).is_ok());
    set(Some(Fault::ReturnCostsNothing));
    assert!(compare(&two_ways).is_err(), "the trace is not a shortest one");
    set(None);
    for &fault in LOSING {
        let caught = random_programs(1, 400).any(|p| {
            set(Some(fault));
            let verdict = certified(&p);
            set(None);
            verdict.is_err()
        });
        assert!(caught, "{fault:?} is not caught by the check of closedness");
    }
    assert!(random_programs(1, 50).all(|p| compare(&p).is_ok()), "without a fault all agree");
    assert!(random_programs(1, 50).all(|p| certified(&p).is_ok()), "without a fault all sets are closed");
}

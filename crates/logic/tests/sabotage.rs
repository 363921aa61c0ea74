//! Each seeded fault of this crate is caught by the oracle named for it, in its normal budget (in which it finds nothing without
//! a fault: `oracles.rs`, `floats.rs`). Run with
//! `cargo test -p logic --features sabotage sabotage::`.

use base::sabotage::{self, Fault};
use logic::oracle;

#[test]
fn every_fault_is_caught() {
    type Oracle = fn() -> Result<(), String>;
    let oracles: [(Fault, Oracle); 13] = [
        (Fault::SignedCompareAsUnsigned, || oracle::exhaustive_ops(4).map(drop)),
        (Fault::ArithmeticShiftFillsZero, || oracle::exhaustive_ops(4).map(drop)),
        (Fault::RewriteForgetsWrap, || oracle::random_terms(2, 2500).map(drop)),
        (Fault::RangeForgetsWrap, || oracle::random_terms(2, 2500).map(drop)),
        (Fault::ObjectsExistAlways, || oracle::attached_axioms(5, 12).map(drop)),
        (Fault::CongruenceLemmaMissing, || oracle::map_reads(3, 150).map(drop)),
        (Fault::FloatTiesUp, || oracle::float_circuits(1, 200).map(drop)),
        (Fault::SubnormalsFlushed, || oracle::float_circuits(1, 200).map(drop)),
        (Fault::NanEqualsItself, || oracle::float_circuits(1, 200).map(drop)),
        (Fault::SignedZeroLost, || oracle::float_circuits(1, 200).map(drop)),
        (Fault::RangeEndsInwards, || oracle::float_ranges(4, 3_000).map(drop)),
        (Fault::BoxLost, || oracle::float_ranges(4, 3_000).map(drop)),
        (Fault::DoubleRounding, || oracle::float_circuits(1, 200).map(drop)),
    ];
    for (fault, run) in oracles {
        sabotage::set(Some(fault));
        let caught = run();
        sabotage::set(None);
        let why = caught.expect_err(&format!("{fault:?} is not caught"));
        assert!(!why.is_empty());
    }
    // The other oracles catch what concerns them as well.
    for fault in [Fault::SignedCompareAsUnsigned, Fault::ArithmeticShiftFillsZero] {
        sabotage::set(Some(fault));
        let (ops, queries) = (oracle::random_ops(1, 300), oracle::random_queries(4, 150));
        sabotage::set(None);
        assert!(ops.is_err() && queries.is_err(), "{fault:?}: {ops:?} {queries:?}");
    }
}

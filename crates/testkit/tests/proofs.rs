//! The proof checker: true proofs are accepted, false ones are not.

use testkit::proofs::{false_proofs, hand_written};

#[test]
fn hand_written_proofs_are_accepted() {
    let stats = hand_written().unwrap_or_else(|e| panic!("{e}"));
    eprintln!("{stats}");
}

#[test]
fn false_proofs_are_rejected_by_every_rule() {
    let stats = false_proofs(0, 200).unwrap_or_else(|e| panic!("{e}"));
    eprintln!("{stats}");
}

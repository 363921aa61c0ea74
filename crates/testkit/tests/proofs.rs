//! The proof checker, in the normal budget: true proofs are accepted, false ones are not.

#[test]
fn hand_written_proofs_are_accepted() {
    let stats = testkit::proofs::hand_written().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("proofs accepted", 13), ("invariants that hold in runs", 1_000)]);
}

#[test]
fn false_proofs_are_rejected_by_every_rule() {
    let stats = testkit::normal::false_proofs().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("unsafe: rejected", 13 * 200),
        ("unsafe: rejected by rule 1 (start)", 20),
        ("unsafe: rejected by rule 2 (step)", 20),
        ("unsafe: rejected by rule 3 (call)", 20),
        ("unsafe: rejected by rule 4 (target)", 20),
        ("unsafe: rejected by rule 5 (modifies)", 20),
        ("corrupted proofs of safe programs accepted", 50),
    ]);
    assert_eq!(stats.get("not decided"), 0, "{stats}");
    // A candidate that is not well formed would be refused before any rule is asked.
    assert_eq!(stats.get("unsafe: rejected by rule program"), 0, "{stats}");
}

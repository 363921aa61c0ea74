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

/// The real proofs of safe twins, made to fit unsafe programs over memory.
#[test]
fn proofs_of_safe_twins_are_rejected() {
    let parts: Vec<_> = std::thread::scope(|scope| {
        let halves: Vec<_> = (0..3).map(|k| scope.spawn(move || testkit::proofs::attack(13 * k, 13, 16))).collect();
        halves.into_iter().map(|h| h.join().expect("no panic")).collect()
    });
    let mut stats = testkit::statistics::Statistics::new();
    for part in parts {
        stats.merge(&part.unwrap_or_else(|e| panic!("{e}")));
    }
    stats.demand(&[
        ("unsafe programs", 35),
        ("rejected", 900),
        ("rejected by rule 1 (start)", 50),
        ("rejected by rule 2 (step)", 100),
        ("rejected by rule 3 (call)", 30),
        ("rejected by rule 4 (target)", 100),
        ("rejected by rule program", 30),
        ("weakened until the target is reached", 30),
        ("targets of pointers missed", 50),
    ]);
    assert_eq!(stats.get("not decided"), 0, "{stats}");
}

//! The engines on programs whose verdict hangs on one rule of C's arithmetic.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

#[test]
fn the_engines_know_c_arithmetic() {
    let stats = testkit::normal::precision().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("safe programs", 18), ("unsafe programs", 18)]);
    match stats.skipped() {
        Some(why) => eprintln!("{why}"),
        None => assert_eq!(stats.get("inputs that break the compiled program"), stats.get("unsafe programs")),
    }
}

//! What glibc does is possible by what is known of library functions, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::normal;

#[test]
fn what_glibc_does_is_possible() {
    let stats = normal::library().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("calls", 140), ("possible", 130), ("exact", 30)]);
}

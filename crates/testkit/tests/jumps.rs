//! Verdicts about programs with `setjmp` and `longjmp` are those of compiled runs.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use testkit::normal;

#[test]
fn jumps_end_where_compiled_ones_do() {
    let stats = normal::jumps().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        eprintln!("SKIPPED: {why}");
        return;
    }
    stats.demand(&[("SAFE", 25), ("UNSAFE", 6), ("programs that jump", 35)]);
}

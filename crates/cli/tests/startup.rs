//! A trivial program is answered at once.
#![expect(clippy::disallowed_methods, reason = "the tests run the built binary")]

mod support;
use std::time::Duration;

#[test]
fn a_trivial_check_takes_less_than_50_ms() {
    let dir = support::Folder::new("startup");
    dir.file("a.c", "int main(void) { return 0; }\n");
    // The best of several runs: other tests load the machine at the same time.
    let best = (0..20).map(|_| dir.run(&["check", "a.c"]).time).min().unwrap();
    assert!(best < Duration::from_millis(50), "{best:?}");
}

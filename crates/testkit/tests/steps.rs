//! `vc` against the interpreter, in its normal budget.

use testkit::steps::steps;

#[test]
fn the_semantics_in_logic_is_that_of_the_interpreter() {
    let stats = steps(0, STEPS).unwrap_or_else(|e| panic!("{e}"));
    eprintln!("{stats}");
}
const STEPS: u64 = 300;

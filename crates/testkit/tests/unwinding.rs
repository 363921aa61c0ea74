//! The bounded engine: programs whose answer is seen, and random ones that the compiler's code decides.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;
use predabs::direct::Granularity;
use testkit::agreement::{agreement, in_blocks, memory};
use testkit::gcc::Gcc;
use verify::Engine;

#[test]
fn programs_have_their_answers_and_short_scripts_prove_nothing() {
    let stats = testkit::unwinding::unwinding().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 9), ("short scripts refused", 3), ("false proofs refused", 1)]);
}

#[test]
fn loops_in_callees_have_invariants_of_their_own() {
    let stats = testkit::callee_cuts::callee_cuts().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("pairs", 6), ("false claims refused", 6)]);
}

#[test]
fn abstraction_over_blocks_decides_programs_with_and_without_a_bug() {
    let stats = testkit::block_abstraction::block_abstraction().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("pairs", 10), ("claims", 20)]);
}

#[test]
fn abstraction_over_blocks_agrees_with_the_compiler() {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let stats = in_blocks(&gcc, DataModel::Lp64, Granularity::Large, 0, 60).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 60), ("decided", 30), ("SAFE", 10), ("UNSAFE", 10)]);
}

#[test]
fn programs_without_unbounded_loops_are_decided() {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let engines = [Engine::Bounded];
    let scalars = agreement(&gcc, DataModel::Lp64, &engines, 0, 100).unwrap_or_else(|e| panic!("{e}"));
    scalars.demand(&[("programs", 100), ("decided", 99), ("SAFE", 30), ("UNSAFE", 30)]);
    let memory = memory(&gcc, DataModel::Lp64, &engines, 0, 60).unwrap_or_else(|e| panic!("{e}"));
    memory.demand(&[("programs", 60), ("decided", 50), ("SAFE", 18), ("UNSAFE", 18)]);
}

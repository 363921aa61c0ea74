//! The oracle for `vc`: its one semantics against the interpreter, on random programs.
//!
//! - Each step ([`single`]): from the concrete state before it, the step's assumptions hold and its terms have the values
//!   of the concrete state after it; the solver finds no other successor; an edge that the interpreter refused has an
//!   assumption that is false. Entering a function and returning from it by contract likewise.
//! - Each path ([`paths`]): states agree all along, through calls, recursion and returns; a model of the path's formula
//!   replays to the same end.
//! - Each loop-free block ([`blocks`], over memory [`merged`]): what a run did between two cut points is allowed by the
//!   block's formula; and what it did between two places in activations of any depth ([`mod@stacked`]) by the unwinding between them.
//!
//! The programs use every scalar type and operator, guards under every policy, calls, recursion, inputs of each kind and
//! functions without body under every rule for what they change.

mod blocks;
mod bound;
mod memory;
mod merged;
mod paths;
mod record;
mod single;
mod stacked;

use analysis::Analysis;
use base::rng::Rng;
use ir::interp::{Limits, RandomInputs};
use ir::random::Knobs;
use ir::{Ub, UbPolicy};
use vc::Encoder;

use crate::statistics::Statistics;
pub use memory::{calls, memory};
pub use merged::blocks_memory;
use record::record;
pub use stacked::stacked;

/// Checks the programs of the seeds `first .. first + count`, a few runs each.
pub fn steps(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        one(seed, &knobs(seed), &mut stats).map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(stats)
}

/// The same with floating types.
pub fn floats(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let knobs = Knobs { floats: true, odd_widths: false, ..knobs(seed) };
        one(seed, &knobs, &mut stats).map_err(|e| format!("seed {seed} with floats: {e}"))?;
    }
    Ok(stats)
}

fn knobs(seed: u64) -> Knobs {
    match seed % 4 {
        0 => Knobs { functions: 1, statements: 12, ..Knobs::default() },
        // Short functions return before the run has taken all its steps.
        1 | 2 => Knobs { functions: 4, statements: 2, ..Knobs::default() },
        // Divisions of 128 bits cost the solver more than they tell.
        _ => Knobs { odd_widths: false, ..Knobs::default() },
    }
}

fn one(seed: u64, knobs: &Knobs, stats: &mut Statistics) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let mut program = ir::random::program(&mut rng, knobs);
    // A write to a constant by name, which the front end refuses, is an event for the interpreter but no guard says so.
    program.ub.set(Ub::ConstWrite, UbPolicy::Ignored);
    stats.add("programs", 1);
    let analysis = Analysis::new(&program);
    for k in 0..3 {
        let limits = Limits { steps: 60, ..Limits::default() };
        let run = record(&program, &mut RandomInputs::new(seed.wrapping_mul(31).wrapping_add(k)), &limits);
        let wrong = |e| format!("run {k}: {e}\n{}", ir::text::print(&program));
        let (enc, own) = (Encoder::for_path(&analysis), Rng::new(rng.bits()));
        let mut single = single::Single { program: &program, enc, rng: own, stats, predicate: 4 };
        single.run(&run).map_err(wrong)?;
        paths::check(&analysis, &run, k == 0, stats).map_err(wrong)?;
        blocks::check(&analysis, &run, &mut rng, 15, stats).map_err(wrong)?;
    }
    Ok(())
}

//! The oracles of this crate, for its tests, for `cargo xtask fuzz` and for the sabotage tests of other crates.
//!
//! - [`simulations`]: every execution of a random program is one of its boolean program (TOPLAS05, appendix B).
//! - [`mod@engines`]: both engines for `F_V` against each other and against brute force.

mod engines;
mod random;
mod run;

pub use engines::engines;
pub use random::{constraints, predicates, program};
pub use run::{Ran, simulate, traced};

use crate::{Cache, CubeEngine, Options, abstract_program};
use analysis::Analysis;
use base::rng::Rng;
use vc::LocationInvariants;

/// Products of wide unknowns are given up soon: the random programs are full of them.
pub fn options() -> Options {
    Options { conflicts: 100, ..Options::default() }
}

/// What [`simulations`] did, for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulated {
    /// What its runs did.
    pub ran: Ran,
    /// Programs that were abstracted with constraints.
    pub with_constraints: usize,
    /// Programs whose abstraction was compared with that of the other engine.
    pub compared: usize,
}

/// Abstracts the random programs of the seeds `first .. first + count` over random predicates, and demands that each of a
/// few runs is a run of the boolean program. Where no limit was met, both engines must give the same boolean program.
pub fn simulations(first: u64, count: u64) -> Result<Simulated, String> {
    let mut done = Simulated::default();
    for seed in first..first + count {
        let rng = &mut Rng::new(seed);
        let program = program(rng);
        let predicates = predicates(rng, &program, 4);
        let constraints = if seed % 2 == 0 { constraints(rng, &program, &predicates) } else { Vec::new() };
        done.with_constraints += usize::from(!constraints.is_empty());
        let analysis = Analysis::new(&program);
        let by = |engine| {
            let options = Options { engine, ..options() };
            let none = LocationInvariants::new();
            abstract_program(&analysis, &predicates, &constraints, &none, &options, &mut Cache::new())
        };
        let fail = |why: String| format!("seed {seed}: {why}\n{}", ir::text::print(&program));
        let abstraction = by(CubeEngine::Cubes).map_err(|e| fail(e.to_string()))?;
        if seed % 8 == 7 {
            let other = by(if seed % 16 == 7 { CubeEngine::Models } else { CubeEngine::States })
                .map_err(|e| fail(e.to_string()))?;
            let exact = |s: crate::Stats| s.undecided + s.cut_short + s.cones_cut == 0;
            if exact(abstraction.stats) && exact(other.stats) {
                if abstraction.program != other.program {
                    let printed = [&abstraction, &other].map(|a| boolprog::print(&a.program));
                    return Err(fail(format!("the engines differ\n{}\n{}", printed[0], printed[1])));
                }
                done.compared += 1;
            }
        }
        for _ in 0..12 {
            let ran = simulate(rng, &analysis, &predicates, &abstraction, 60).map_err(fail)?;
            done.ran.steps += ran.steps;
            done.ran.calls += ran.calls;
            done.ran.returns += ran.returns;
        }
    }
    Ok(done)
}

//! Every execution of a random program is one of its boolean program (TOPLAS05, appendix B, theorem 1 and corollary 1).

mod oracle;

use base::rng::Rng;
use predabs::{Cache, Engine, Options, abstract_program};

#[test]
fn every_run_of_a_random_program_is_a_run_of_its_boolean_program() {
    let (mut steps, mut calls, mut returns, mut with_constraints) = (0, 0, 0, 0);
    for seed in 0..120 {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 4);
        let constraints = if seed % 2 == 0 { oracle::constraints(rng, &program, &predicates) } else { Vec::new() };
        with_constraints += usize::from(!constraints.is_empty());
        let engine = if seed % 8 == 7 { Engine::Models } else { Engine::Cubes };
        let options = Options { engine, conflicts: 2_000, ..Options::default() };
        let abstraction = abstract_program(&program, &predicates, &constraints, &options, &mut Cache::new()).unwrap();
        for _ in 0..12 {
            match oracle::simulate(rng, &program, &predicates, &abstraction, 60) {
                Ok(ran) => {
                    steps += ran.steps;
                    calls += ran.calls;
                    returns += ran.returns;
                }
                Err(why) => panic!("seed {seed}: {why}\n{}", ir::text::print(&program)),
            }
        }
    }
    assert!(steps > 10_000 && calls > 500 && returns > 300, "{steps} steps, {calls} calls, {returns} returns");
    assert!(with_constraints > 20, "{with_constraints}");
}

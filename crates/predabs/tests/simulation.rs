//! Every execution of a random program is one of its boolean program (TOPLAS05, appendix B, theorem 1 and corollary 1).

use analysis::Analysis;
use base::rng::Rng;
use boolprog::Var as BoolVar;
use boolprog::oracle::{Tabulated, tabulate};
use ir::{FuncId, Loc};
use predabs::{Abstraction, Cache, Options, abstract_program, oracle};
use std::collections::BTreeSet;
use vc::LocationInvariants;
use vc::{PredId, Predicates};

#[test]
fn every_run_of_a_random_program_is_a_run_of_its_boolean_program() {
    let done = oracle::simulations(0, 100).unwrap_or_else(|e| panic!("{e}"));
    assert!(done.ran.steps > 8_000 && done.ran.calls > 400 && done.ran.returns > 300, "{done:?}");
    assert!(done.with_constraints > 20 && done.compared >= 3, "{done:?}");
}

/// TR00 §4.4: with `enforce`, more predicates never add behaviours: projected to the old predicates, every state that is
/// reached with more of them is reached with fewer. And a cache filled on the way changes nothing.
#[test]
fn adding_predicates_never_adds_behaviours() {
    let (mut compared, mut reused) = (0, 0);
    for seed in 0..60 {
        let rng = &mut Rng::new(3000 + seed);
        let program = oracle::program(rng);
        let all = oracle::predicates(rng, &program, 2);
        let options = Options { enforce_cube: 8, max_cube: 8, ..oracle::options() };
        let mut cache = Cache::new();
        let mut before: Option<(Abstraction, Tabulated)> = None;
        for n in [all.len() / 3, 2 * all.len() / 3, all.len()] {
            let mut some = Predicates::new();
            for id in all.ids().take(n) {
                some.insert(all.get(id).clone());
            }
            let abstraction = abstract_program(
                &Analysis::new(&program),
                &some,
                &[],
                &LocationInvariants::new(),
                &options,
                &mut cache,
            )
            .unwrap();
            let fresh = abstract_program(
                &Analysis::new(&program),
                &some,
                &[],
                &LocationInvariants::new(),
                &options,
                &mut Cache::new(),
            )
            .unwrap();
            reused += abstraction.stats.cache_extended + abstraction.stats.cache_hits;
            let exact = |s: predabs::Stats| s.undecided + s.cut_short + s.cones_cut == 0;
            let small = abstraction.program.procs.iter().all(|p| p.locals.len() + abstraction.globals.len() <= 9);
            // A limit may hide what a predicate would tell.
            if !exact(fresh.stats) || !exact(abstraction.stats) || !small {
                break;
            }
            assert_eq!(abstraction.program, fresh.program, "seed {seed}: the cache changes the answer");
            let tabulated = tabulate(&abstraction.program).unwrap();
            if let Some((old, old_tabulated)) = &before {
                let fewer = states(old, old_tabulated, old);
                let more = states(&abstraction, &tabulated, old);
                assert!(more.is_subset(&fewer), "seed {seed}: {:?}", more.difference(&fewer).next());
                compared += 1;
            }
            before = Some((abstraction, tabulated));
        }
    }
    assert!(compared > 60 && reused > 300, "{compared} compared, {reused} reused");
}

/// Valuations at locations.
type States = BTreeSet<(FuncId, Loc, Vec<(PredId, bool)>)>;

/// The valuations that `a` reaches at each location, over the predicates that `of` has.
fn states(a: &Abstraction, tabulated: &Tabulated, of: &Abstraction) -> States {
    let mut states = BTreeSet::new();
    for (func, map) in a.functions.iter_enumerated() {
        let Some(map) = map else { continue };
        let vars: Vec<(BoolVar, PredId)> = (a.program.scope(map.proc))
            .filter_map(|v| Some((v, a.pred(func, v).filter(|&p| of.var(func, p).is_some())?)))
            .collect();
        for (loc, at) in map.locations.iter_enumerated() {
            let Some(reached) = at.and_then(|at| tabulated.reached.get(&(map.proc, at))) else { continue };
            for &(_, now) in reached {
                let state = Tabulated::unpack(&a.program, map.proc, now);
                let mut values: Vec<(PredId, bool)> = vars.iter().map(|&(v, p)| (p, state.get(v))).collect();
                values.sort_unstable();
                states.insert((func, loc, values));
            }
        }
    }
    states
}

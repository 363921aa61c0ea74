//! Every execution of a random program is one of its boolean program (TOPLAS05, appendix B, theorem 1 and corollary 1).

use analysis::Analysis;
use base::rng::Rng;
use boolprog::Var as BoolVar;
use boolprog::oracle::{Tabulated, tabulate};
use ir::{FuncId, Loc};
use predabs::direct::{Blocks, Form, Granularity, by_blocks, condition_sets};
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

/// SABS13: the boolean program whose statements are blocks reaches, at the locations that it has, every valuation that a run has
/// there; the direct one reaches no valuation that the Cartesian ones do not; sets of valuations in the place of conditions lose
/// no run.
#[test]
fn block_programs_simulate_and_are_ordered_by_precision() {
    let (mut visited, mut finer, mut programs) = (0, 0, 0);
    for seed in 0..60 {
        let rng = &mut Rng::new(5000 + seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let analysis = Analysis::new(&program);
        let options = Options { enforce_cube: 8, max_cube: 8, ..oracle::options() };
        let none = LocationInvariants::new();
        let cartesian = abstract_program(&analysis, &predicates, &[], &none, &options, &mut Cache::new())
            .expect("predicates have formulas");
        if cartesian.program.procs.iter().any(|p| p.locals.len() + cartesian.globals.len() > 9) {
            continue;
        }
        programs += 1;
        let exact = cartesian.stats.undecided + cartesian.stats.cut_short + cartesian.stats.cones_cut == 0;
        let reached = |a: &Abstraction| states(a, &tabulate(&a.program).expect("it has few variables"), &cartesian);
        let by_wp = reached(&cartesian);
        let runs: Vec<_> = (0..6).map(|_| oracle::traced(rng, &analysis, &predicates, &cartesian, 60).0).collect();
        for granularity in [Granularity::Statement, Granularity::Basic, Granularity::Large] {
            let blocks = Blocks::new(&analysis, &predicates, &cartesian, granularity, &options);
            let direct_program = by_blocks(&program, &cartesian, &blocks, Form::Relation);
            let direct = reached(&direct_program);
            for form in [Form::Relation, Form::Choices(1), Form::Choices(2), Form::Choices(usize::MAX)] {
                let made = by_blocks(&program, &cartesian, &blocks, form);
                let all = reached(&made);
                assert!(
                    direct.is_subset(&all),
                    "seed {seed}, {granularity:?} {form:?}: {:?}",
                    direct.difference(&all).next()
                );
                finer += usize::from(direct.len() < all.len());
                for step in runs.iter().flat_map(|t| &t.steps) {
                    let Some(state) = at_location(&cartesian, &made, step) else { continue };
                    visited += 1;
                    assert!(
                        all.contains(&state),
                        "seed {seed}, {granularity:?} {form:?}: {state:?}\n{}",
                        boolprog::print(&made.program)
                    );
                }
            }
            // A larger block may pass over a valuation that no state has and that a statement inside of it would stop: only single
            // statements are compared with C2bp's.
            if exact && granularity == Granularity::Statement {
                assert!(direct.is_subset(&by_wp), "seed {seed}: {:?}", direct.difference(&by_wp).next());
            }
        }
        let mut sets = cartesian.clone();
        condition_sets(&analysis, &predicates, &mut sets, &options);
        for _ in 0..6 {
            oracle::simulate(rng, &analysis, &predicates, &sets, 60).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
    }
    assert!(programs >= 20 && visited > 2_000, "{programs} programs, {visited} states");
    assert!(finer > 0, "the relation was never finer than the assignments");
}

/// A location with the values of predicates there.
type At = (FuncId, Loc, Vec<(PredId, bool)>);

/// The state of a run at a location that another program has, too.
fn at_location(of: &Abstraction, other: &Abstraction, step: &boolprog::interp::Step) -> Option<At> {
    let func = of.function(step.proc)?;
    let (map, there) = (of.functions[func].as_ref()?, other.functions[func].as_ref()?);
    let loc = map.locations.iter_enumerated().find(|(_, s)| **s == Some(step.stmt)).map(|(l, _)| l)?;
    there.locations[loc]?;
    let vars = of.program.scope(step.proc).filter_map(|v| Some((of.pred(func, v)?, step.state.get(v))));
    let mut values: Vec<(PredId, bool)> = vars.collect();
    values.sort_unstable();
    Some((func, loc, values))
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

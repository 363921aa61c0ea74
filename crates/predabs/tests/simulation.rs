//! Every execution of a random program is one of its boolean program (TOPLAS05, appendix B, theorem 1 and corollary 1).

mod oracle;

use base::rng::Rng;
use boolprog::oracle::{Facts, tabulate};
use predabs::{Abstraction, Cache, Engine, Options, TargetKind, abstract_program};
use vc::Predicates;

#[test]
fn every_run_of_a_random_program_is_a_run_of_its_boolean_program() {
    let (mut steps, mut calls, mut returns, mut with_constraints) = (0, 0, 0, 0);
    for seed in 0..80 {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 4);
        let constraints = if seed % 2 == 0 { oracle::constraints(rng, &program, &predicates) } else { Vec::new() };
        with_constraints += usize::from(!constraints.is_empty());
        let engine = if seed % 8 == 7 { Engine::Models } else { Engine::Cubes };
        let options = Options { engine, ..oracle::options() };
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
    assert!(steps > 8_000 && calls > 400 && returns > 300, "{steps} steps, {calls} calls, {returns} returns");
    assert!(with_constraints > 20, "{with_constraints}");
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
        let mut before: Option<(Abstraction, Facts)> = None;
        for n in [all.len() / 3, 2 * all.len() / 3, all.len()] {
            let mut some = Predicates::new();
            for id in all.ids().take(n) {
                some.insert(all.get(id).clone());
            }
            let abstraction = abstract_program(&program, &some, &[], &options, &mut cache).unwrap();
            let fresh = abstract_program(&program, &some, &[], &options, &mut Cache::new()).unwrap();
            reused += abstraction.stats.cache_extended + abstraction.stats.cache_hits;
            let exact = |s: predabs::Stats| s.undecided + s.cut_short + s.cones_cut == 0;
            let small = abstraction.program.procs.iter().all(|p| p.locals.len() + abstraction.globals.len() <= 9);
            // A limit may hide what a predicate would tell.
            if !exact(fresh.stats) || !exact(abstraction.stats) || !small {
                break;
            }
            assert_eq!(abstraction.program, fresh.program, "seed {seed}: the cache changes the answer");
            let facts = tabulate(&abstraction.program).unwrap();
            if let Some((old, old_facts)) = &before {
                let fewer = oracle::states(old, old_facts, old);
                let more = oracle::states(&abstraction, &facts, old);
                assert!(more.is_subset(&fewer), "seed {seed}: {:?}", more.difference(&fewer).next());
                compared += 1;
            }
            before = Some((abstraction, facts));
        }
    }
    assert!(compared > 60 && reused > 300, "{compared} compared, {reused} reused");
}

/// What the concrete interpreter does lies in the invariants that the model checker finds.
#[test]
fn the_interpreters_runs_lie_in_the_invariants() {
    let mut checked = 0;
    for seed in 0..60 {
        let rng = &mut Rng::new(7000 + seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let abstraction = abstract_program(&program, &predicates, &[], &oracle::options(), &mut Cache::new()).unwrap();
        let Ok(analysis) = reach::analyze(&abstraction.program, &[], &reach::Options::default()) else { continue };
        if abstraction.targets.iter().any(|t| matches!(t.kind, TargetKind::Unmodelled(_))) {
            // Behind such an edge nothing is claimed.
            continue;
        }
        let mut watch = Watch {
            program: &program,
            predicates: &predicates,
            abstraction: &abstraction,
            analysis: &analysis,
            checked: 0,
            wrong: None,
        };
        for run in 0..6 {
            let limits = ir::interp::Limits { steps: 300, ..ir::interp::Limits::default() };
            ir::interp::run(&program, &mut ir::interp::RandomInputs::new(seed * 100 + run), &limits, &mut watch);
        }
        checked += watch.checked;
        if let Some(wrong) = watch.wrong {
            panic!("seed {seed}: {wrong}\n{}\n{}", ir::text::print(&program), boolprog::print(&abstraction.program));
        }
    }
    assert!(checked > 2_000, "{checked}");
}

struct Watch<'a> {
    program: &'a ir::Program,
    predicates: &'a Predicates,
    abstraction: &'a predabs::Abstraction,
    analysis: &'a reach::Analysis<'a>,
    checked: usize,
    wrong: Option<String>,
}

impl ir::interp::Observer for Watch<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &ir::interp::State<'_>, step: ir::interp::Step) {
        let body = self.program.functions[step.func].body.as_ref().unwrap();
        let map = self.abstraction.functions[step.func].as_ref().unwrap();
        let at = map.locations[body.edges[step.edge].from].unwrap();
        let known: Vec<(boolprog::Var, Option<bool>)> = (self.predicates.in_scope(step.func))
            .map(|p| {
                let value = state.eval(&self.predicates.get(p).expr).map(|v| v.bits != 0);
                (self.abstraction.var(step.func, p).unwrap(), value)
            })
            .collect();
        // What was not drawn yet may still have any value.
        let free: Vec<boolprog::Var> = known.iter().filter(|(_, v)| v.is_none()).map(|(v, _)| *v).collect();
        if free.len() > 6 || self.wrong.is_some() {
            return;
        }
        // Temporaries are the checker's own; the invariant holds for some value of them.
        let scope = self.abstraction.program.scope(map.proc);
        let temporaries: Vec<boolprog::Var> =
            scope.filter(|&v| self.abstraction.pred(step.func, v).is_none()).collect();
        let open: Vec<boolprog::Var> = free.into_iter().chain(temporaries).collect();
        self.checked += 1;
        let inside = (0..1u32 << open.len()).any(|choice| {
            let value = |v: boolprog::Var| match open.iter().position(|&w| w == v) {
                Some(i) => choice >> i & 1 == 1,
                None => known.iter().find(|(w, _)| *w == v).and_then(|(_, b)| *b).unwrap(),
            };
            self.analysis.contains(map.proc, at, None, &value)
        });
        if !inside {
            self.wrong = Some(format!("{} {}: {known:?} is not in the invariant", step.func, step.edge));
        }
    }
}

//! How long abstraction takes; run by hand: `cargo run -p predabs --release --example measure`.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a measurement looks at the clock and prints")]

use analysis::Analysis;
use base::rng::Rng;
use predabs::{Cache, CubeEngine, Options, abstract_program, oracle};
use std::time::Instant;
use vc::LocationInvariants;

fn main() {
    engines_on_random_programs();
    simulation_alone();
    driver_like();
}

fn engines_on_random_programs() {
    for (per_function, max_cube) in [(4, 3), (8, 3)] {
        let mut answers = Vec::new();
        for engine in [CubeEngine::Cubes, CubeEngine::Models] {
            let options = Options { engine, max_cube, queries: u64::MAX, ..Options::default() };
            let start = Instant::now();
            let mut stats = Vec::new();
            let mut programs = Vec::new();
            for seed in 0..30 {
                let rng = &mut Rng::new(seed);
                let program = oracle::program(rng);
                let predicates = oracle::predicates(rng, &program, per_function);
                let abstraction = abstract_program(
                    &Analysis::new(&program),
                    &predicates,
                    &[],
                    &LocationInvariants::new(),
                    &options,
                    &mut Cache::new(),
                )
                .unwrap();
                stats.push(abstraction.stats);
                programs.push(abstraction.program);
            }
            let sum = |f: fn(&predabs::Stats) -> u64| stats.iter().map(f).sum::<u64>();
            println!(
                "{per_function} predicates per function, cubes <= {max_cube}, {engine:?}: {:?}, {} F, {} shortcuts, {} queries, {} refuted, {} hard, {} undecided",
                start.elapsed(),
                sum(|s| s.strengthenings),
                sum(|s| s.shortcuts),
                sum(|s| s.queries),
                sum(|s| s.refuted_by_model),
                sum(|s| s.hard_queries),
                sum(|s| s.undecided),
            );
            answers.push(programs);
        }
        let same = answers[0].iter().zip(&answers[1]).filter(|(a, b)| a == b).count();
        println!("  {same} of 30 equal");
    }
}

fn simulation_alone() {
    let (mut abstracting, mut simulating) = (0.0, 0.0);
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 4);
        let start = Instant::now();
        let abstraction = abstract_program(
            &Analysis::new(&program),
            &predicates,
            &[],
            &LocationInvariants::new(),
            &Options::default(),
            &mut Cache::new(),
        )
        .unwrap();
        let middle = Instant::now();
        if (middle - start).as_secs_f64() > 0.5 {
            println!("seed {seed}: {:?} {:?}", middle - start, abstraction.stats);
        }
        for _ in 0..12 {
            oracle::simulate(rng, &Analysis::new(&program), &predicates, &abstraction, 60).unwrap();
        }
        abstracting += (middle - start).as_secs_f64();
        simulating += middle.elapsed().as_secs_f64();
    }
    println!("abstracting {abstracting:.2} s, simulating {simulating:.2} s");
}

/// A driver-like function: flags, counters and their comparisons, a few hundred edges and tens of predicates.
fn driver(edges: usize, vars: usize, predicates: usize) -> (ir::Program, vc::Predicates) {
    let rng = &mut Rng::new(9);
    let mut ir = String::from("model LP64\nentry main\nfunc external main() {\n");
    for v in 0..vars {
        ir += &format!("  local x{v}: i32\n");
    }
    ir += &format!("  locations {} entry L0 exit L{}\n", edges + 2, edges + 1);
    let mut n = 0;
    for at in 0..edges {
        let (a, b, c) = (rng.index(vars), rng.index(vars), rng.below(4));
        let mut edge = |to: usize, op: String| {
            ir += &format!("  e{n}: L{at} -> L{to}: {op}\n");
            n += 1;
        };
        match rng.below(4) {
            0 => edge(at + 1, format!("x{a} := {c}:i32")),
            1 => edge(at + 1, format!("x{a} := (x{b} + {c}:i32)")),
            2 => {
                let back = 1 + rng.index(at + 1);
                edge(at + 1, format!("assume (x{a} < x{b})"));
                edge(back, format!("assume !(x{a} < x{b})"));
            }
            _ => {
                edge(at + 1, format!("assume (x{a} == {c}:i32)"));
                edge(edges, format!("assume !(x{a} == {c}:i32)"));
            }
        }
    }
    ir += &format!("  e{n}: L{edges} -> L{}: return\n}}\n", edges + 1);
    let file = base::Id::from_index(0);
    let program = ir::text::parse(file, &ir).unwrap();
    let mut list = vc::Predicates::new();
    while list.len() < predicates {
        let (a, b, c) = (rng.index(vars), rng.index(vars), rng.below(4));
        let text = match rng.below(3) {
            0 => format!("x{a} < x{b}"),
            1 => format!("x{a} == {c}"),
            _ => format!("x{a} < {c}"),
        };
        let scope = vc::Scope::Function(program.entry);
        let written = lower::annotation::condition(&program, Some(program.entry), file, &text).unwrap();
        let expr = vc::canonical(&written).0;
        if expr.as_const().is_none() {
            list.insert(vc::Predicate { scope, expr });
        }
    }
    (program, list)
}

fn driver_like() {
    for (edges, vars, predicates) in [(200, 30, 20), (200, 12, 20), (200, 12, 35)] {
        let (program, list) = driver(edges, vars, predicates);
        for engine in [CubeEngine::Cubes, CubeEngine::Models] {
            if engine == CubeEngine::Models && predicates > 20 {
                continue;
            }
            let options = Options { engine, ..Options::default() };
            let mut cache = Cache::new();
            let mut some = vc::Predicates::new();
            for id in list.ids().take(predicates - 1) {
                some.insert(list.get(id).clone());
            }
            let start = Instant::now();
            let first = abstract_program(
                &Analysis::new(&program),
                &some,
                &[],
                &LocationInvariants::new(),
                &options,
                &mut cache,
            )
            .unwrap();
            let middle = Instant::now();
            let second = abstract_program(
                &Analysis::new(&program),
                &list,
                &[],
                &LocationInvariants::new(),
                &options,
                &mut cache,
            )
            .unwrap();
            println!(
                "{edges} locations, {vars} variables, {predicates} predicates, {engine:?}:\n  {:?} {:?}\n  one more predicate: {:?} {:?}",
                middle - start,
                first.stats,
                middle.elapsed(),
                second.stats
            );
        }
    }
}

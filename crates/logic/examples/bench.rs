//! Measures the solver on the three kinds of question the engines ask, with each of the SAT solvers:
//! (a) tiny incremental questions under assumptions, (b) path formulas in fresh contexts, (c) all valuations of ten
//! predicates. Also how fast terms are built.
//!
//! `cargo run --release -p logic --example bench [PART-OF-NAME]`, processor time
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark reads the clock and the process's times, and prints"
)]

use std::time::{Duration, Instant};

use base::rng::Rng;
use logic::{Answer, Config, Context, Lit, Sort, Store, Term};

const BV: Sort = Sort::Bv(32);

/// A random predicate over the variables: a comparison of small linear sums.
fn predicate(s: &mut Store, rng: &mut Rng, vars: &[Term]) -> Term {
    let (x, y) = (*rng.pick(vars), *rng.pick(vars));
    let c = s.bv(32, rng.below(20));
    match rng.below(5) {
        0 => s.slt(x, y),
        1 => s.eq(x, c),
        2 => {
            let t = s.bv_add(y, c);
            s.sle(x, t)
        }
        3 => s.slt(x, c),
        _ => {
            let d = s.bv_sub(x, y);
            s.eq(d, c)
        }
    }
}

/// (a) Is a predicate implied by a few others? 200 predicates, translated once.
fn tiny(config: Config) -> u64 {
    let (mut s, mut rng) = (Store::new(), Rng::new(1));
    let vars: Vec<Term> = (0..8).map(|i| s.symbol(&format!("x{i}"), BV)).collect();
    let predicates: Vec<Term> = (0..200).map(|_| predicate(&mut s, &mut rng, &vars)).collect();
    let mut context = Context::with_config(config);
    let lits: Vec<Lit> = predicates.iter().map(|&t| context.lit(&s, t)).collect();
    let n = 20_000;
    for _ in 0..n {
        let k = 2 + rng.index(4);
        let assumed: Vec<Lit> = (0..k)
            .map(|_| {
                let l = *rng.pick(&lits);
                if rng.chance(50) { l } else { !l }
            })
            .collect();
        assert!(!matches!(context.check(&s, &assumed, u64::MAX), Answer::Unknown(_)));
    }
    n
}

/// (a') The same questions, each in a fresh context.
fn tiny_fresh(config: Config) -> u64 {
    let (mut s, mut rng) = (Store::new(), Rng::new(1));
    let vars: Vec<Term> = (0..8).map(|i| s.symbol(&format!("x{i}"), BV)).collect();
    let predicates: Vec<Term> = (0..200).map(|_| predicate(&mut s, &mut rng, &vars)).collect();
    let n = 5_000;
    for _ in 0..n {
        let mut context = Context::with_config(config);
        let k = 2 + rng.index(4);
        let assumed: Vec<Lit> = (0..k)
            .map(|_| {
                let l = context.lit(&s, *rng.pick(&predicates));
                if rng.chance(50) { l } else { !l }
            })
            .collect();
        assert!(!matches!(context.check(&s, &assumed, u64::MAX), Answer::Unknown(_)));
    }
    n
}

/// (b) Straight-line code with branches and a byte map, one assumption per step, a fresh context each.
fn paths(config: Config) -> u64 {
    let n = 100;
    for seed in 0..n {
        let (mut s, mut rng) = (Store::new(), Rng::new(seed));
        let mut vars: Vec<Term> = (0..6).map(|i| s.symbol(&format!("x{i}"), BV)).collect();
        let mut map = s.symbol("m", Sort::Map { addr: 32, value: 32 });
        let mut steps = Vec::new();
        for _ in 0..60 {
            let (i, j) = (rng.index(vars.len()), rng.index(vars.len()));
            let c = s.bv(32, rng.below(100));
            match rng.below(6) {
                0 => vars[i] = s.bv_add(vars[j], c),
                1 => map = s.store(map, vars[i], vars[j]),
                2 => vars[i] = s.select(map, vars[j]),
                3 => vars[i] = s.bv_sub(vars[i], vars[j]),
                _ => {
                    let t = predicate(&mut s, &mut rng, &vars);
                    steps.push(if rng.chance(50) { s.not(t) } else { t });
                }
            }
        }
        let mut context = Context::with_config(config);
        let lits: Vec<Lit> = steps.iter().map(|&t| context.lit(&s, t)).collect();
        assert!(!matches!(context.check(&s, &lits, u64::MAX), Answer::Unknown(_)));
    }
    n
}

/// (c) All valuations of ten predicates, several times.
fn models(config: Config) -> u64 {
    let mut found = 0;
    for seed in 0..20 {
        let (mut s, mut rng) = (Store::new(), Rng::new(100 + seed));
        let vars: Vec<Term> = (0..6).map(|i| s.symbol(&format!("x{i}"), BV)).collect();
        let predicates: Vec<Term> = (0..10).map(|_| predicate(&mut s, &mut rng, &vars)).collect();
        let mut context = Context::with_config(config);
        let lits: Vec<Lit> = predicates.iter().map(|&t| context.lit(&s, t)).collect();
        let act = context.activation();
        while let Answer::Sat(model) = context.check(&s, &[act], u64::MAX) {
            let mut values = model.evaluator(&s);
            let clause: Vec<Lit> =
                predicates.iter().zip(&lits).map(|(&t, &l)| if values.eval(t).as_bool() { !l } else { l }).collect();
            context.block(act, &clause);
            found += 1;
        }
        context.retire(act);
    }
    found
}

/// Terms built per second, new and found again.
fn building() -> u64 {
    let (mut s, mut rng) = (Store::new(), Rng::new(5));
    let mut vars: Vec<Term> = (0..64).map(|i| s.symbol(&format!("x{i}"), BV)).collect();
    let n = 2_000_000;
    for _ in 0..n {
        let (i, j) = (rng.index(64), rng.index(64));
        vars[i] = match rng.below(4) {
            0 => s.bv_add(vars[i], vars[j]),
            1 => s.bv_xor(vars[i], vars[j]),
            2 => s.bv_mul(vars[i], vars[j]),
            _ => {
                let c = s.slt(vars[i], vars[j]);
                s.ite(c, vars[i], vars[j])
            }
        };
    }
    n
}

/// Processor time of this process, so that a loaded machine does not matter; the wall clock where there is no `/proc`.
struct Clock(Instant);

impl Clock {
    fn now() -> Clock {
        Clock(Instant::now())
    }

    fn read(&self) -> Duration {
        let stat = std::fs::read_to_string("/proc/self/schedstat").ok();
        let nanoseconds = stat.and_then(|text| text.split(' ').next()?.parse().ok());
        nanoseconds.map_or_else(|| self.0.elapsed(), Duration::from_nanos)
    }
}

type Run = fn(Config) -> u64;

fn report(what: &str, clock: &Clock, run: impl FnOnce() -> u64) {
    let start = clock.read();
    let n = run();
    let time = clock.read() - start;
    println!("{what}: {:.0}/s ({n} in {time:.2?})", n as f64 / time.as_secs_f64());
}

fn main() {
    // Arguments choose: a configuration, a benchmark.
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| name.contains(c.as_str()));
    let clock = Clock::now();
    if wanted("terms") {
        report("terms built", &clock, building);
    }
    for config in [Config::Cone, Config::Full, Config::Plain] {
        let all: [(&str, Run); 4] = [
            ("(a) tiny incremental questions", tiny),
            ("(a') the same, each in a fresh context", tiny_fresh),
            ("(b) path formulas", paths),
            ("(c) models over ten predicates", models),
        ];
        for (name, run) in all {
            let name = format!("{config:?} {name}");
            if wanted(&name) {
                report(&name, &clock, || run(config));
            }
        }
    }
}

//! The engines for `F_V` against each other and against brute force over all states, on random questions.

use crate::cube::Cube;
use crate::options::{CubeEngine, Optimisations, Options};
use crate::prover::Prover;
use crate::search::{Task, implicants};
use analysis::Analysis;
use base::rng::Rng;
use ir::random::Knobs;
use logic::{Assignment, Bits, Evaluator, Sort, Store, Term, Value};
use vc::Encoder;

/// Two symbols of three bits: 64 states.
const N_SYMBOLS: usize = 2;
const WIDTH: u32 = 3;

/// A random formula over the symbols.
fn formula(rng: &mut Rng, store: &mut Store, symbols: &[Term]) -> Term {
    let mut operand = |store: &mut Store| match rng.below(4) {
        0 => {
            let c = rng.below(8);
            store.bv(WIDTH, c)
        }
        1 => {
            let one = store.bv(WIDTH, 1);
            store.bv_add(*rng.pick(symbols), one)
        }
        _ => *rng.pick(symbols),
    };
    let (a, b) = (operand(store), operand(store));
    match rng.below(3) {
        0 => store.eq(a, b),
        1 => store.ult(a, b),
        _ => store.sle(a, b),
    }
}

struct States {
    /// The truth value of every term in every state.
    holds: Vec<Vec<bool>>,
}

impl States {
    fn new(store: &Store, symbols: &[Term], terms: &[Term]) -> States {
        let mut holds = Vec::new();
        for state in 0..1u64 << (N_SYMBOLS as u32 * WIDTH) {
            let mut assignment = Assignment::new();
            for (i, &t) in symbols.iter().enumerate() {
                let value = Bits::new(WIDTH, state >> (i as u32 * WIDTH));
                assignment.set(store.as_symbol(t).expect("it is a symbol"), Value::Bits(value));
            }
            let mut evaluator = Evaluator::new(store, &assignment);
            holds.push(terms.iter().map(|&t| evaluator.eval(t).as_bool()).collect());
        }
        States { holds }
    }

    /// The shortest implicants of at most `max_len` literals by definition. The terms are: the goal, the hypothesis, the
    /// words.
    fn primes(&self, n: usize, max_len: usize) -> Vec<Cube> {
        let mut primes: Vec<Cube> = Vec::new();
        let mut cubes = vec![Cube::TRUE];
        for i in 0..n {
            let longer: Vec<Cube> = cubes.iter().flat_map(|c| [c.with(i, true), c.with(i, false)]).collect();
            cubes.extend(longer);
        }
        cubes.sort_unstable_by_key(|c| (c.len(), c.mask(), *c));
        for cube in cubes {
            let inside = self.holds.iter().filter(|s| s[1] && cube.literals().all(|(i, value)| s[2 + i] == value));
            let goals: Vec<bool> = inside.map(|s| s[0]).collect();
            let implies = !goals.is_empty() && goals.iter().all(|&g| g);
            if implies && cube.len() <= max_len && !primes.iter().any(|p| cube.contains(*p)) {
                primes.push(cube);
            }
        }
        primes
    }
}

fn task(instances: &[Term], hypothesis: Term, negated_goal: Option<Term>, max_len: usize) -> Task {
    Task {
        instances: instances.to_vec(),
        hypotheses: vec![hypothesis],
        negated_goal,
        max_len,
        known: Vec::new(),
        impossible: Vec::new(),
        decided: Vec::new(),
        models: Vec::new(),
    }
}

/// What [`engines`] looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Prime implicants found.
    pub implicants: usize,
    /// The literals of the longest.
    pub longest: usize,
}

/// Asks all engines the random questions of the seeds `first .. first + count`: their answers are exactly the prime
/// implicants by definition, whether found at once or in two steps, as when a predicate is added.
pub fn engines(first: u64, count: u64) -> Result<Compared, String> {
    let program = ir::random::program(&mut Rng::new(0), &Knobs::default());
    let analysis = Analysis::new(&program);
    let mut compared = Compared::default();
    for seed in first..first + count {
        let rng = &mut Rng::new(seed);
        let mut enc = Encoder::for_proof(&analysis);
        let symbols = symbols(&mut enc);
        let n = 2 + rng.index(5);
        let instances: Vec<Term> = (0..n).map(|_| formula(rng, &mut enc.store, &symbols)).collect();
        let goal = formula(rng, &mut enc.store, &symbols);
        let hypothesis = if rng.chance(50) { formula(rng, &mut enc.store, &symbols) } else { enc.store.bool(true) };
        let max_len = if rng.chance(50) { 2 } else { n };
        let terms: Vec<Term> = [goal, hypothesis].into_iter().chain(instances.iter().copied()).collect();
        let expected = States::new(&enc.store, &symbols, &terms).primes(n, max_len);
        let negated = enc.store.not(goal);
        let mut prover = Prover::new(enc, &Options::default());
        for engine in [CubeEngine::Cubes, CubeEngine::Models, CubeEngine::States] {
            prover.options.engine = engine;
            // What saves questions changes no answer, whatever of it is left out.
            let mut all = || seed % 2 == 0 || rng.chance(50);
            let (order, priming, pruning, models, cone) = (all(), all(), all(), all(), all());
            prover.options.saves = Optimisations { order, priming, pruning, models, cone, ..Optimisations::ALL };
            let whole = implicants(&mut prover, task(&instances, hypothesis, Some(negated), max_len));
            let first = implicants(&mut prover, task(&instances[..n - 1], hypothesis, Some(negated), max_len));
            let mut second = task(&instances, hypothesis, Some(negated), max_len);
            (second.known, second.decided) = (first, vec![(1 << (n - 1)) - 1]);
            for (how, answer) in [("at once", whole), ("in two steps", implicants(&mut prover, second))] {
                if answer != expected {
                    return Err(format!("seed {seed}: {engine:?}, {how}: {answer:?}, not {expected:?}"));
                }
            }
        }
        compared.implicants += expected.len();
        compared.longest = compared.longest.max(expected.iter().map(|c| c.len()).max().unwrap_or(0));
    }
    Ok(compared)
}

fn symbols(enc: &mut Encoder<'_>) -> Vec<Term> {
    (0..N_SYMBOLS).map(|i| enc.store.symbol(&format!("s{i}"), Sort::Bv(WIDTH))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_find_exactly_the_prime_implicants() {
        let compared = engines(0, 300).unwrap_or_else(|e| panic!("{e}"));
        assert!(compared.implicants > 120 && compared.longest >= 3, "{compared:?}");
    }

    /// Contradictions: the cubes that no state satisfies.
    #[test]
    fn all_engines_find_the_contradictions() {
        let program = ir::random::program(&mut Rng::new(0), &Knobs::default());
        let analysis = Analysis::new(&program);
        for seed in 0..60 {
            let rng = &mut Rng::new(1000 + seed);
            let mut enc = Encoder::for_proof(&analysis);
            let symbols = symbols(&mut enc);
            let instances: Vec<Term> = (0..4).map(|_| formula(rng, &mut enc.store, &symbols)).collect();
            let (yes, no) = (enc.store.bool(true), enc.store.bool(false));
            let terms: Vec<Term> = [no, yes].into_iter().chain(instances.iter().copied()).collect();
            let states = States::new(&enc.store, &symbols, &terms);
            let mut prover = Prover::new(enc, &Options::default());
            let mut answers = Vec::new();
            for engine in [CubeEngine::Cubes, CubeEngine::Models, CubeEngine::States] {
                prover.options.engine = engine;
                answers.push(implicants(&mut prover, task(&instances, yes, None, 3)));
            }
            assert!(answers.iter().all(|a| *a == answers[0]), "seed {seed}: {answers:?}");
            let satisfied = |c: &Cube| states.holds.iter().any(|s| c.literals().all(|(i, value)| s[2 + i] == value));
            assert!(!answers[0].iter().any(satisfied), "seed {seed}");
        }
    }

    /// A limit makes the answer smaller, and is counted.
    #[test]
    fn a_limit_only_leaves_implicants_out() {
        let program = ir::random::program(&mut Rng::new(0), &Knobs::default());
        let analysis = Analysis::new(&program);
        let mut cut = 0;
        for seed in 0..40 {
            let rng = &mut Rng::new(seed);
            let mut enc = Encoder::for_proof(&analysis);
            let symbols = symbols(&mut enc);
            let instances: Vec<Term> = (0..5).map(|_| formula(rng, &mut enc.store, &symbols)).collect();
            let goal = formula(rng, &mut enc.store, &symbols);
            let (negated, yes) = (enc.store.not(goal), enc.store.bool(true));
            let mut prover = Prover::new(enc, &Options::default());
            let all = implicants(&mut prover, task(&instances, yes, Some(negated), 5));
            for engine in [CubeEngine::Cubes, CubeEngine::Models, CubeEngine::States] {
                prover.options = Options { engine, queries: rng.below(12), ..Options::default() };
                let before = prover.stats.cut_short;
                let some = implicants(&mut prover, task(&instances, yes, Some(negated), 5));
                assert!(some.iter().all(|c| all.contains(c)), "seed {seed}");
                assert!(some == all || prover.stats.cut_short > before, "seed {seed}: what is left out is counted");
                cut += prover.stats.cut_short - before;
            }
        }
        assert!(cut > 10, "{cut}");
    }
}

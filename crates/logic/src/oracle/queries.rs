//! Answers of the solver against trying all assignments.

use base::rng::Rng;

use super::generate::{Case, Shape};
use crate::context::{Answer, Context, Lit};
use crate::eval::{Value, eval};
use crate::sat::Config;
use crate::term::Term;

/// `n` random graphs over at most 11 bits, several questions each: satisfiable or not, models, minimal cores, and
/// enumeration of all valuations of some formulas. Returns the number of questions.
pub fn random_queries(seed: u64, n: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed);
    let mut asked = 0;
    for _ in 0..n {
        let width = 1 + rng.below(3) as u32;
        let shape = Shape {
            symbols: vec![width, width, 1 + rng.below(3) as u32],
            bools: 2,
            maps: (0, 0, 0),
            steps: 30,
            max_width: 6,
            assignments: None,
        };
        let case = Case::generate(&mut rng, shape);
        asked += agree_with_brute_force(&case, &mut rng, 6)?;
    }
    Ok(asked)
}

/// A formula with its raw truth values and the sign with which it is assumed.
struct Assumed<'a> {
    term: Term,
    raw: &'a [Value],
    positive: bool,
}

impl Assumed<'_> {
    fn holds(&self, k: usize) -> bool {
        self.raw[k].as_bool() == self.positive
    }
}

fn satisfiable(case: &Case, parts: &[&Assumed<'_>]) -> bool {
    (0..case.assignments.len()).any(|k| parts.iter().all(|p| p.holds(k)))
}

/// Asks `n` questions about the formulas of a case that was evaluated on all assignments.
pub(super) fn agree_with_brute_force(case: &Case, rng: &mut Rng, n: usize) -> Result<u64, String> {
    let formulas = case.formulas();
    if formulas.is_empty() {
        return Ok(0);
    }
    let config = *rng.pick(&[Config::Cone, Config::Cone, Config::Full, Config::Plain]);
    let mut context = Context::with_config(config);
    let mut asked = 0;
    for _ in 0..n {
        let assumed: Vec<Assumed<'_>> = (0..1 + rng.index(7))
            .map(|_| {
                let &(term, raw) = rng.pick(&formulas);
                Assumed { term, raw, positive: rng.chance(50) }
            })
            .collect();
        question(case, &mut context, &assumed)?;
        asked += 1;
    }
    let some: Vec<Assumed<'_>> = (0..4)
        .map(|_| {
            let &(term, raw) = rng.pick(&formulas);
            Assumed { term, raw, positive: true }
        })
        .collect();
    asked += enumerate(case, &mut context, &some)?;
    Ok(asked)
}

fn lits(case: &Case, context: &mut Context, assumed: &[Assumed<'_>]) -> Vec<Lit> {
    assumed
        .iter()
        .map(|a| {
            let lit = context.lit(&case.store, a.term);
            if a.positive { lit } else { !lit }
        })
        .collect()
}

fn question(case: &Case, context: &mut Context, assumed: &[Assumed<'_>]) -> Result<(), String> {
    let lits = lits(case, context, assumed);
    let text = || {
        let list: Vec<String> = assumed
            .iter()
            .map(|a| format!("{}{}", if a.positive { "" } else { "not " }, crate::smtlib::term(&case.store, a.term)))
            .collect();
        list.join(" ; ")
    };
    let all: Vec<&Assumed<'_>> = assumed.iter().collect();
    let expected = satisfiable(case, &all);
    match context.check(&case.store, &lits, u64::MAX) {
        Answer::Sat(model) => {
            if !expected {
                return Err(format!("solver: sat, but no assignment satisfies {}", text()));
            }
            for a in assumed {
                if eval(&case.store, a.term, model.assignment()).as_bool() != a.positive {
                    return Err(format!("solver: the model does not satisfy {}", text()));
                }
            }
        }
        Answer::Unsat(core) => {
            if expected {
                return Err(format!("solver: unsat, but there is an assignment for {}", text()));
            }
            let core: Vec<&Assumed<'_>> = core.iter().map(|&i| &assumed[i]).collect();
            if satisfiable(case, &core) {
                return Err(format!("solver: the core can be satisfied: {}", text()));
            }
            for i in 0..core.len() {
                let mut fewer = core.clone();
                fewer.remove(i);
                if !satisfiable(case, &fewer) {
                    return Err(format!("solver: the core is not minimal: {}", text()));
                }
            }
        }
        Answer::Unknown(why) => return Err(format!("{why}: {}", text())),
    }
    Ok(())
}

/// Enumerates the valuations of `some` formulas with blocking clauses; each must exist, and none may be missing.
fn enumerate(case: &Case, context: &mut Context, some: &[Assumed<'_>]) -> Result<u64, String> {
    let lits = lits(case, context, some);
    let mut expected: Vec<Vec<bool>> =
        (0..case.assignments.len()).map(|k| some.iter().map(|a| a.raw[k].as_bool()).collect()).collect();
    expected.sort_unstable();
    expected.dedup();
    let act = context.activation();
    let mut found = Vec::new();
    loop {
        match context.check(&case.store, &[act], u64::MAX) {
            Answer::Sat(model) => {
                let mut evaluator = model.evaluator(&case.store);
                let valuation: Vec<bool> = some.iter().map(|a| evaluator.eval(a.term).as_bool()).collect();
                let clause: Vec<Lit> = lits.iter().zip(&valuation).map(|(&l, &v)| if v { !l } else { l }).collect();
                if found.contains(&valuation) {
                    return Err(format!("solver: the valuation {valuation:?} was blocked, but found again"));
                }
                context.block(act, &clause);
                found.push(valuation);
            }
            Answer::Unsat(_) => break,
            Answer::Unknown(why) => return Err(format!("{why} while enumerating")),
        }
    }
    context.retire(act);
    found.sort_unstable();
    if found != expected {
        return Err(format!("solver: enumerated {found:?}, but there are {expected:?}"));
    }
    Ok(found.len() as u64 + 1)
}

//! The pairs about memory: a safe program and an unsafe twin that differ in one condition. The safe ones are for the
//! abstraction, the unsafe ones for bounded search; one of the engines may have no answer, but none may be wrong.

use analysis::Analysis;
use verify::{Engine, Settings, Silent, Verdict, verify};

use crate::agreement::REFUSED;
use crate::compile::compile;
use crate::fixtures::{self, Expect, Fixture};
use crate::statistics::Statistics;

/// Asks both engines about every program, in each of its data models.
pub fn memory() -> Result<Statistics, String> {
    about(&fixtures::memory())
}

/// Asks about the pair of this name.
pub fn pair(name: &str) -> Result<Statistics, String> {
    let pair: Vec<Fixture> = fixtures::memory().into_iter().filter(|f| f.name.contains(name)).collect();
    assert_eq!(pair.len(), 2, "a pair is two programs");
    about(&pair)
}

fn about(programs: &[Fixture]) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for f in programs {
        for &model in &f.models {
            let compiled = compile(&f.name, &f.source, model, &lower::Options::default())?;
            let mut answers = 0;
            for engine in [Engine::Abstraction, Engine::Bounded] {
                answers += 1;
                let settings = Settings { engines: vec![engine], ..Settings::default() };
                match (&f.expect, verify(&Analysis::new(&compiled.program), &settings, &mut Silent).verdict) {
                    (Expect::Safe, Verdict::Safe(_)) => stats.add("safe programs proved", 1),
                    (Expect::Unsafe { .. }, Verdict::Unsafe(_)) => stats.add("unsafe programs broken", 1),
                    (_, Verdict::Unknown(why)) if why.cause.contains(REFUSED) => {
                        return Err(format!("{} in {model:?}: {}", f.name, why.cause));
                    }
                    (_, Verdict::Unknown(_)) => answers -= 1,
                    (expected, _) => return Err(format!("{} in {model:?} is {expected:?}", f.name)),
                }
            }
            stats.add("programs", 1);
            stats.add("programs left open", u64::from(answers == 0));
        }
    }
    Ok(stats)
}

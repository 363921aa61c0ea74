//! The oracle for the proof checker: true proofs are accepted, false ones are not.
//!
//! The programs of `data/proofs` come in pairs. The safe one carries its proof as comments ([`crate::annotations`]); it
//! must be accepted. The unsafe one has no proof, so whatever is offered for it must be rejected: the safe twin's, random
//! corruptions of that, all `true`, all `false`, each with the unsafe program's own hash, locations and table of undefined
//! behaviour. A corrupted proof of the safe program may be accepted; then its invariants are evaluated in concrete runs.

mod attack;
mod corrupt;
mod hold;

pub use attack::attack;
use base::rng::Rng;
use certify::{CheckLimits, check_proof};
use ir::DataModel;

use crate::annotations::{Contract, contracts, proof};
use crate::compile::{Compiled, compile};
use crate::fixtures::{self, Fixture};
use crate::statistics::Statistics;

/// A safe program with its contracts, and the unsafe twin.
struct Pair {
    name: String,
    contracts: Vec<Contract>,
    safe: Compiled,
    broken: Compiled,
}

fn pairs() -> Result<Vec<Pair>, String> {
    let all = fixtures::proofs();
    all.chunks(2)
        .map(|pair| {
            let [safe, broken] = pair else { return Err(format!("{} has no twin", pair[0].name)) };
            let name = safe.name.trim_end_matches(".safe").to_owned();
            let contracts = contracts(&safe.source).map_err(|e| format!("{name}: {e}"))?;
            Ok(Pair { name, contracts, safe: compiled(safe)?, broken: compiled(broken)? })
        })
        .collect()
}

fn compiled(f: &Fixture) -> Result<Compiled, String> {
    let compiled = compile(&f.name, &f.source, DataModel::Lp64, &lower::Options::default())?;
    match compiled.unsupported.first() {
        None => Ok(compiled),
        Some(why) => Err(format!("{}: {why}", f.name)),
    }
}

/// Every hand-written proof is accepted, also after it was printed and parsed, and holds in concrete runs.
pub fn hand_written() -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for pair in pairs()? {
        let Compiled { program, sources, .. } = &pair.safe;
        let proof = proof(program, sources, &pair.contracts).map_err(|e| format!("{}: {e}", pair.name))?;
        let text = certify::text::print(program, &proof);
        let wrong = |e: String| format!("{}: {e}\n{text}\n{}", pair.name, ir::text::print(program));
        let parsed = certify::text::parse(program, pair.safe.file, &text)
            .map_err(|d| wrong(format!("its text is not parsed: {}", d.message)))?;
        if parsed != proof {
            return Err(wrong("its text says something else".into()));
        }
        check_proof(program, parsed, &CheckLimits::default())
            .map_err(|r| wrong(format!("{}: {}", r.rule, r.reason)))?;
        stats.add("invariants that hold in runs", hold::holds(program, &proof, 1).map_err(wrong)?);
        stats.add("proofs accepted", 1);
    }
    Ok(stats)
}

/// Offers `each` false proofs for each unsafe program, and as many corrupted ones for each safe one as `each / 4`.
pub fn false_proofs(seed: u64, each: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for (pair, k) in pairs()?.iter().zip(0..) {
        let mut rng = Rng::new(seed.wrapping_mul(1000).wrapping_add(k));
        let (unsafe_one, safe_one) = ((&pair.broken, each, true), (&pair.safe, each / 4, false));
        for (program, n, broken) in [unsafe_one, safe_one] {
            for number in 0..n {
                // Later calls with another seed need not repeat the fixed candidates.
                let number = if seed > 0 { number + 4 } else { number };
                offer(pair, program, broken, number, &mut rng, &mut stats)?;
            }
        }
    }
    Ok(stats)
}

fn offer(
    pair: &Pair,
    compiled: &Compiled,
    broken: bool,
    number: u64,
    rng: &mut Rng,
    stats: &mut Statistics,
) -> Result<(), String> {
    let program = &compiled.program;
    let model = proof(program, &compiled.sources, &pair.contracts).map_err(|e| format!("{}: {e}", pair.name))?;
    let candidate = corrupt::candidate(program, &model, number, rng);
    let whose = if broken { "unsafe" } else { "safe" };
    let wrong = |e: String| {
        let text = certify::text::print(program, &candidate);
        format!("{} ({whose}), candidate {number}: {e}\n{text}\n{}", pair.name, ir::text::print(program))
    };
    match check_proof(program, candidate.clone(), &CheckLimits::default()) {
        Ok(_) if broken => return Err(wrong("a proof of an unsafe program is accepted".into())),
        Ok(_) => {
            let seen = hold::holds(program, &candidate, rng.bits()).map_err(wrong)?;
            stats.add("invariants of corrupted proofs that hold in runs", seen);
            stats.add("corrupted proofs of safe programs accepted", 1);
        }
        Err(r) => {
            if r.undecided {
                stats.add("not decided", 1);
            }
            stats.add(format!("{whose}: rejected by {}", r.rule), 1);
            stats.add(format!("{whose}: rejected"), 1);
        }
    }
    Ok(())
}

/// The text of one of the hand-written proofs.
pub(crate) fn text(seed: u64) -> Result<String, String> {
    let pairs = pairs()?;
    let pair = &pairs[(seed % crate::parsers::n_proofs()) as usize];
    let proof = proof(&pair.safe.program, &pair.safe.sources, &pair.contracts)?;
    Ok(certify::text::print(&pair.safe.program, &proof))
}

/// Whether a text is a proof for the program that [`text`] takes.
pub(crate) fn read(seed: u64, text: &str) -> bool {
    let pairs = pairs().expect("the fixtures are correct");
    let pair = &pairs[(seed % crate::parsers::n_proofs()) as usize];
    match certify::text::parse(&pair.safe.program, pair.safe.file, text) {
        Ok(proof) => !certify::text::print(&pair.safe.program, &proof).is_empty(),
        Err(_) => false,
    }
}

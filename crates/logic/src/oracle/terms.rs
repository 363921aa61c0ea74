//! Random term graphs: what the rewriter made of them, evaluated, against their operations applied to values.

use base::rng::Rng;

use super::generate::{Case, Shape};
use super::queries::agree_with_brute_force;
use crate::bits::Bits;
use crate::eval::Evaluator;
use crate::rewrite::Rule;

/// How often each rule was applied.
pub(super) type Coverage = Vec<(Rule, u64)>;

fn add(total: &mut Coverage, case: &Case) {
    for (have, (_, n)) in total.iter_mut().zip(case.store.rules_applied()) {
        have.1 += n;
    }
}

/// The value of a bit-vector of at most 64 bits.
fn in_word(value: &crate::eval::Value) -> Option<u64> {
    if let crate::eval::Value::Bits(bits) = value { bits.to_u64() } else { None }
}

/// Every term and every cell of every map of `case`, evaluated, against its raw values.
fn agree(case: &Case) -> Result<(), String> {
    for (k, assignment) in case.assignments.iter().enumerate() {
        let mut evaluator = Evaluator::new(&case.store, assignment);
        for (t, raw) in case.terms() {
            let got = evaluator.eval(t);
            if got != raw[k] {
                let text = crate::smtlib::term(&case.store, t);
                return Err(format!("rewriter: {t} should be {:?} but is {got:?}: {text}", raw[k]));
            }
            if let (crate::Sort::Bv(..=64), Some(value)) = (case.store.sort(t), in_word(&got)) {
                let range = case.store.range(t);
                if value < range.lo || range.hi < value {
                    let text = crate::smtlib::term(&case.store, t);
                    return Err(format!("ranges: {value} is not in {range:?} of {t}: {text}"));
                }
            }
        }
        for (t, raw) in case.maps() {
            for (i, cell) in raw[k].iter().enumerate() {
                let crate::Sort::Map { addr, .. } = case.store.sort(t) else { unreachable!("maps are maps") };
                let got = evaluator.read(t, &Bits::new(addr, i as u64));
                if got != *cell {
                    return Err(format!("maps: cell {i} of {t} should be {cell:?} but is {got:?}"));
                }
            }
        }
    }
    Ok(())
}

/// `n` random graphs over truth values and bit-vectors of 1 to 80 bits. Returns how often each rule was applied.
pub fn random_terms(seed: u64, n: u64) -> Result<Vec<(Rule, u64)>, String> {
    let mut rng = Rng::new(seed);
    let mut total: Coverage = Rule::ALL.iter().map(|&r| (r, 0)).collect();
    for _ in 0..n {
        let width = match rng.below(5) {
            0 => *rng.pick(&[16, 32, 33, 63, 64]),
            1 => 65 + rng.below(10) as u32,
            _ => 1 + rng.below(8) as u32,
        };
        let shape = Shape {
            symbols: vec![width, width, 1 + rng.below(u64::from(width)) as u32],
            bools: 2,
            maps: (0, 0, 0),
            steps: 40,
            max_width: (2 * width).clamp(4, 80),
            assignments: Some(12),
        };
        let case = Case::generate(&mut rng, shape);
        agree(&case)?;
        add(&mut total, &case);
    }
    Ok(total)
}

/// `n` random graphs with maps: reads through random writes against explicit arrays, then solver answers about reads
/// against brute force. Returns how often each rule was applied.
pub fn map_reads(seed: u64, n: u64) -> Result<Vec<(Rule, u64)>, String> {
    let mut rng = Rng::new(seed);
    let mut total: Coverage = Rule::ALL.iter().map(|&r| (r, 0)).collect();
    for _ in 0..n {
        let shape = Shape {
            symbols: vec![3, 3, 3, 4],
            bools: 1,
            maps: (2, 3, 4),
            steps: 30,
            max_width: 8,
            assignments: Some(12),
        };
        let case = Case::generate(&mut rng, shape);
        agree(&case)?;
        add(&mut total, &case);
        // Few enough bits to try every content of every map.
        let shape = Shape {
            symbols: vec![2, 2, 1],
            bools: 0,
            maps: (1 + rng.index(2), 1, 1),
            steps: 15,
            max_width: 3,
            assignments: None,
        };
        let shape = if rng.chance(50) { Shape { maps: (1, 2, 1), ..shape } } else { shape };
        let case = Case::generate(&mut rng, shape);
        agree(&case)?;
        add(&mut total, &case);
        agree_with_brute_force(&case, &mut rng, 4)?;
    }
    Ok(total)
}

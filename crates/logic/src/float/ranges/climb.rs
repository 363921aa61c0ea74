//! Models by climbing: from the middle of a box each leaf in turn goes to the end of its range that comes nearer to what is
//! asked. Sums of many inputs take their greatest value at a corner, which halving finds only after many boxes.
//!
//! Only values come out of here, and they are evaluated like all others before they are a model.

use super::{Question, Reading, Space};
use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, Value};
use crate::float::{FloatKind, FloatOp, Format, exact};
use crate::term::{Node, Term};

/// With more leaves than this it costs more than it finds.
const MOST_LEAVES: usize = 200;
/// How often every leaf is looked at.
const ROUNDS: usize = 2;
/// What all evaluations of a question may cost, in terms that have a range.
const MOST_WORK: usize = 30_000;

/// As far from the truth as anything.
const FAR: f64 = 1e300;

impl Question<'_> {
    /// Values near a corner of the box under which all that was asked holds.
    pub(super) fn climb(&self, space: &Space) -> Option<Assignment> {
        if self.leaves.len() > MOST_LEAVES || space.literals.is_empty() {
            return None;
        }
        let mut at = self.centre(space)?;
        let mut distance = self.distance(space, &at);
        // What no comparison of numbers measures does not come nearer.
        if distance >= FAR {
            return None;
        }
        let mut left = MOST_WORK / self.cells.len();
        for _ in 0..ROUNDS {
            for &i in &self.leaves {
                let range = space.ranges[i];
                if distance == 0.0 || !range.has_numbers() || range.low == range.high {
                    continue;
                }
                for end in [range.high, range.low] {
                    let Some(rest) = left.checked_sub(1) else { return self.holds(&at).then_some(at) };
                    left = rest;
                    let there = self.moved(&at, i, end)?;
                    let d = self.distance(space, &there);
                    if d < distance {
                        (at, distance) = (there, d);
                        break;
                    }
                }
            }
        }
        self.holds(&at).then_some(at)
    }

    /// The same values, but for one leaf; `None` if that is no symbol.
    fn moved(&self, at: &Assignment, leaf: usize, to: i128) -> Option<Assignment> {
        let (t, reading) = self.cells[leaf];
        let bits = match reading {
            Reading::Float(f) => super::pattern(f, to),
            Reading::Int { .. } => Bits::from_u128(self.store.width(t), to as u128),
        };
        let mut there = at.clone();
        there.set(self.store.as_symbol(t)?, Value::Bits(bits));
        Some(there)
    }

    /// How much is missing for the comparisons to be as they are assumed, nearly; 0 if nothing is.
    fn distance(&self, space: &Space, at: &Assignment) -> f64 {
        let mut evaluator = Evaluator::new(self.store, at);
        let mut total = 0.0;
        for &(t, holds) in &space.literals {
            if evaluator.eval(t).as_bool() == holds {
                continue;
            }
            let Node::Float2(op, a, b) = self.store.node(t) else {
                total += FAR;
                continue;
            };
            let mut number = |t: Term| nearly(op.format, evaluator.eval(t).as_bits());
            let (a, b) = (number(a), number(b));
            let missed = match op.kind {
                FloatKind::Lt | FloatKind::Le | FloatKind::Eq if holds || op.kind != FloatKind::Eq => (a - b).abs(),
                _ => 1.0,
            };
            // A number that is missed by nothing at all (`a < a`) is missed all the same.
            total += if missed.is_finite() { missed.max(f64::MIN_POSITIVE) } else { FAR };
        }
        total
    }
}

fn nearly(f: Format, bits: &Bits) -> f64 {
    let op = FloatOp::new(FloatKind::Convert { to: Format::DOUBLE }, f);
    f64::from_bits(exact::apply(op, std::slice::from_ref(bits)).as_bits().words()[0])
}

//! Every operation alone: the reference against the evaluator, the rewriter (constants in every combination of places)
//! and the solver.

use base::rng::Rng;

use super::reference::reference;
use crate::bits::Bits;
use crate::context::{Answer, Context};
use crate::eval::{self, Assignment, Value};
use crate::store::Store;
use crate::term::{Op, Sort, Term};

const UNARY: &[Op] = &[Op::BvNot, Op::BvNeg];
const BINARY: &[Op] = &[
    Op::Eq,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
];
const BOOLEAN: &[Op] = &[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq];

/// One operation at one choice of sorts: its operands as symbols and its result, in a store and context of its own.
struct Bench {
    op: Op,
    store: Store,
    context: Context,
    operands: Vec<Term>,
    checked: u64,
}

fn sort_of(v: &Value) -> Sort {
    match v {
        Value::Bool(_) => Sort::Bool,
        Value::Bits(b) => Sort::Bv(b.width()),
    }
}

impl Bench {
    fn new(op: Op, sorts: &[Sort]) -> Bench {
        let mut store = Store::new();
        let operands = sorts.iter().enumerate().map(|(i, &s)| store.symbol(&format!("x{i}"), s)).collect();
        Bench { op, store, context: Context::new(), operands, checked: 0 }
    }

    fn constant(&mut self, v: &Value) -> Term {
        match v {
            Value::Bool(b) => self.store.bool(*b),
            Value::Bits(b) => self.store.constant(b),
        }
    }

    /// Checks the operation on these values; `solve` asks the solver, too.
    fn check(&mut self, args: &[Value], solve: bool) -> Result<(), String> {
        self.checked += 1;
        let expected = reference(self.op, args);
        let complain = |who: &str, got: String| {
            Err(format!("{who}: {:?} of {args:?} is {expected:?} by definition, but got {got}", self.op))
        };
        let direct = eval::apply(self.op, args);
        if direct != expected {
            return complain("evaluator", format!("{direct:?}"));
        }
        let mut assignment = Assignment::new();
        for (t, v) in self.operands.iter().zip(args) {
            assignment.set(self.store.as_symbol(*t).expect("operands are symbols"), v.clone());
        }
        // Each subset of the operands as constants, and with all symbols the same where the values are.
        let constants: Vec<Term> = args.iter().map(|v| self.constant(v)).collect();
        for choice in 0..1u32 << args.len() {
            let operands: Vec<Term> =
                (0..args.len()).map(|i| if choice >> i & 1 == 1 { constants[i] } else { self.operands[i] }).collect();
            let t = self.store.apply(self.op, &operands);
            let got = eval::eval(&self.store, t, &assignment);
            if got != expected {
                return Err(format!(
                    "rewriter: {:?} of {args:?} with operands {operands:?} is {got:?}, not {expected:?}",
                    self.op
                ));
            }
            if choice + 1 == 1 << args.len() && !self.store.is_const(t) {
                return Err(format!("rewriter: {:?} of constants {args:?} is no constant", self.op));
            }
        }
        if solve { self.solve(args, &constants, &expected) } else { Ok(()) }
    }

    /// The solver must find the expected value possible, and no other.
    fn solve(&mut self, args: &[Value], constants: &[Term], expected: &Value) -> Result<(), String> {
        let operands = self.operands.clone();
        let result = self.store.apply(self.op, &operands);
        let expected_term = self.constant(expected);
        let mut lits = Vec::new();
        for (&x, &c) in operands.iter().zip(constants) {
            let fixed = self.store.eq(x, c);
            lits.push(self.context.lit(&self.store, fixed));
        }
        let right = self.store.eq(result, expected_term);
        let right = self.context.lit(&self.store, right);
        lits.push(right);
        match self.context.decide(&self.store, &lits, u64::MAX) {
            Answer::Sat(_) => {}
            other => {
                return Err(format!("solver: {:?} of {args:?} can be {expected:?}, but answered {other:?}", self.op));
            }
        }
        *lits.last_mut().expect("just pushed") = !right;
        match self.context.decide(&self.store, &lits, u64::MAX) {
            Answer::Unsat(_) => Ok(()),
            other => Err(format!("solver: {:?} of {args:?} is {expected:?} only, but answered {other:?}", self.op)),
        }
    }
}

fn word(width: u32, value: u64) -> Value {
    Value::Bits(Bits::new(width, value))
}

/// Every operation on all values of all widths up to `max_width`, through evaluator, rewriter and solver. Returns the
/// number of cases.
pub fn exhaustive_ops(max_width: u32) -> Result<u64, String> {
    let mut checked = 0;
    let truth = [Value::Bool(false), Value::Bool(true)];
    for &op in BOOLEAN {
        let mut bench = Bench::new(op, &[Sort::Bool; 2]);
        for a in &truth {
            for b in &truth {
                bench.check(&[a.clone(), b.clone()], true)?;
            }
        }
        checked += bench.checked;
    }
    let mut not = Bench::new(Op::Not, &[Sort::Bool]);
    let mut ite = Bench::new(Op::Ite, &[Sort::Bool; 3]);
    for i in 0..8 {
        not.check(&[truth[i & 1].clone()], true)?;
        ite.check(&[truth[i & 1].clone(), truth[i >> 1 & 1].clone(), truth[i >> 2].clone()], true)?;
    }
    for w in 1..=max_width {
        checked += exhaustive_width(w, max_width)?;
    }
    Ok(checked + not.checked + ite.checked)
}

fn exhaustive_width(w: u32, max_width: u32) -> Result<u64, String> {
    let mut checked = 0;
    let sort = Sort::Bv(w);
    let values = 1u64 << w;
    let mut unary = UNARY.to_vec();
    for width in w..=max_width + 1 {
        unary.extend([Op::ZeroExt { width }, Op::SignExt { width }]);
    }
    for hi in 0..w {
        unary.extend((0..=hi).map(|lo| Op::Extract { hi, lo }));
    }
    for op in unary {
        let mut bench = Bench::new(op, &[sort]);
        for a in 0..values {
            bench.check(&[word(w, a)], true)?;
        }
        checked += bench.checked;
    }
    for &op in BINARY {
        let mut bench = Bench::new(op, &[sort; 2]);
        for a in 0..values {
            for b in 0..values {
                bench.check(&[word(w, a), word(w, b)], true)?;
            }
        }
        checked += bench.checked;
    }
    let mut ite = Bench::new(Op::Ite, &[Sort::Bool, sort, sort]);
    for a in 0..values {
        for b in 0..values {
            for c in [false, true] {
                ite.check(&[Value::Bool(c), word(w, a), word(w, b)], w <= 2)?;
            }
        }
    }
    for low in 1..=max_width {
        let mut bench = Bench::new(Op::Concat, &[sort, Sort::Bv(low)]);
        for a in 0..values {
            for b in 0..1 << low {
                bench.check(&[word(w, a), word(low, b)], w + low <= 5)?;
            }
        }
        checked += bench.checked;
    }
    Ok(checked + ite.checked)
}

/// A random value of this width, often near a corner.
pub(super) fn random_bits(rng: &mut Rng, width: u32) -> Bits {
    let small = Bits::new(width, rng.below(4));
    let least = Bits::ones(width).shl(&Bits::new(width, u64::from(width - 1)));
    match rng.below(10) {
        0 => small,
        1 => small.neg(),
        2 => least.add(&small),
        3 => least.sub(&small),
        4 => Bits::new(width, 1).shl(&Bits::new(width, rng.below(u64::from(width)))),
        5 => Bits::new(width, 1).shl(&Bits::new(width, rng.below(u64::from(width)))).sub(&Bits::new(width, 1)),
        6 => Bits::new(width, rng.below(2 * u64::from(width))),
        _ => Bits::from_words(width, (0..width.div_ceil(64)).map(|_| rng.bits()).collect()),
    }
}

/// `n` rounds of random operations at random widths up to 200 bits, through evaluator, rewriter and solver. Returns the
/// number of cases.
pub fn random_ops(seed: u64, n: u64) -> Result<u64, String> {
    let mut rng = Rng::new(seed);
    let mut checked = 0;
    for _ in 0..n {
        let width = match rng.below(8) {
            0 => 8,
            1 => 16,
            2 => 32,
            3 => 64,
            4 => *rng.pick(&[65, 96, 127, 128, 129, 200]),
            _ => 5 + rng.below(60) as u32,
        };
        let sort = Sort::Bv(width);
        let hi = rng.below(u64::from(width)) as u32;
        let lo = rng.below(u64::from(hi) + 1) as u32;
        let (op, sorts) = match rng.below(12) {
            0 => (*rng.pick(UNARY), vec![sort]),
            1 => (Op::Extract { hi, lo }, vec![sort]),
            2 => (Op::ZeroExt { width: width + lo }, vec![sort]),
            3 => (Op::SignExt { width: width + lo }, vec![sort]),
            4 => (Op::Concat, vec![sort, Sort::Bv(hi + 1)]),
            _ => (*rng.pick(BINARY), vec![sort, sort]),
        };
        let divides = matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvMul);
        let solve = !divides || width <= 33 || rng.chance(10);
        let mut bench = Bench::new(op, &sorts);
        for _ in 0..6 {
            let mut args: Vec<Value> = sorts.iter().map(|s| Value::Bits(random_bits(&mut rng, s.width()))).collect();
            if args.len() == 2 && sort_of(&args[0]) == sort_of(&args[1]) && rng.chance(10) {
                args[1] = args[0].clone();
            }
            bench.check(&args, solve)?;
        }
        checked += bench.checked;
    }
    Ok(checked)
}

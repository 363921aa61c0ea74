//! Floating-point operations: circuits against the exact evaluator, exhaustively for small formats and on random operands
//! for those that machines have, and rewriting against evaluation.
//!
//! Circuits are simulated, 64 operands at once. The exact evaluator itself is held against the hardware and a library by the
//! tests of this crate.

use base::rng::Rng;

use super::terms::Coverage;
use crate::bits::Bits;
use crate::eval::{Evaluator, Value, apply};
use crate::float::ranges::{Outcome, decide};
use crate::float::{FloatKind, FloatOp, Format, Rounding, exact, operations};
use crate::gates::{Bit, Gates};
use crate::rewrite::Rule;
use crate::sat::{Config, EitherSolver};
use crate::store::Store;
use crate::term::{Op, Sort, Term};

/// Formats small enough for all operands: 6 and 8 bits, one with few exponents, and one that stores its leading bit.
pub const SMALL_FORMATS: [Format; 4] =
    [Format::new(3, 3), Format::new(4, 4), Format::new(2, 5), Format { exponent: 3, precision: 3, explicit: true }];
/// The formats that machines have.
pub const MACHINE_FORMATS: [Format; 5] = [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD];

/// A circuit with its inputs.
struct Circuit {
    op: FloatOp,
    gates: Gates,
    inputs: Vec<Vec<Bit>>,
    outputs: Vec<Bit>,
}

impl Circuit {
    fn new(op: FloatOp) -> Circuit {
        let mut gates = Gates::new(&mut EitherSolver::new(Config::Cone));
        let width = op.operand().width();
        let inputs: Vec<Vec<Bit>> = (0..op.arity()).map(|_| (0..width).map(|_| gates.input()).collect()).collect();
        let args: Vec<&[Bit]> = inputs.iter().map(Vec::as_slice).collect();
        let outputs = operations::apply(&mut gates, op, &args);
        Circuit { op, gates, inputs, outputs }
    }

    /// Compares the circuit with the evaluator on up to 64 lists of operands.
    fn check(&self, cases: &[Vec<Bits>]) -> Result<u64, String> {
        let mut lanes = Vec::new();
        for (k, input) in self.inputs.iter().enumerate() {
            for (i, &bit) in input.iter().enumerate() {
                let word = cases.iter().enumerate().fold(0, |w, (n, c)| w | u64::from(c[k].bit(i as u32)) << n);
                lanes.push((bit, word));
            }
        }
        let out = self.gates.simulate(&lanes, &self.outputs);
        for (n, case) in cases.iter().enumerate() {
            let got = match self.op.result() {
                Sort::Bool => Value::Bool(out[0] >> n & 1 == 1),
                sort => Value::Bits(Bits::from_fn(sort.width(), |i| out[i as usize] >> n & 1 == 1)),
            };
            let expected = exact::apply(self.op, case);
            if got != expected {
                return Err(format!("circuit: {:?} of {case:?} is {expected:?}, but the gates give {got:?}", self.op));
            }
        }
        Ok(cases.len() as u64)
    }

    /// The results on 64 lists of operands, as patterns.
    fn lanes(&self, cases: &[[u128; 3]; 64]) -> [u128; 64] {
        let mut words = Vec::new();
        for (k, input) in self.inputs.iter().enumerate() {
            for (i, &bit) in input.iter().enumerate() {
                let word = cases.iter().enumerate().fold(0, |w, (n, c)| w | ((c[k] >> i) as u64 & 1) << n);
                words.push((bit, word));
            }
        }
        let mut results = [0u128; 64];
        for (i, word) in self.gates.simulate(&words, &self.outputs).into_iter().enumerate() {
            for (n, result) in results.iter_mut().enumerate() {
                *result |= u128::from(word >> n & 1) << i;
            }
        }
        results
    }

    fn check_all(&self, cases: impl Iterator<Item = Vec<Bits>>) -> Result<u64, String> {
        let mut total = 0;
        let mut batch = Vec::new();
        for case in cases {
            batch.push(case);
            if batch.len() == 64 {
                total += self.check(&batch)?;
                batch.clear();
            }
        }
        Ok(total + self.check(&batch)?)
    }
}

/// The operations of a format with one and two operands; conversions to these formats.
pub fn float_operations(format: Format, rounding: Rounding, others: &[Format]) -> Vec<FloatOp> {
    let mut kinds = vec![
        FloatKind::Add,
        FloatKind::Sub,
        FloatKind::Mul,
        FloatKind::Div,
        FloatKind::Sqrt,
        FloatKind::Integral,
        FloatKind::Fma,
    ];
    if rounding == Rounding::NearestEven {
        kinds.extend([FloatKind::Eq, FloatKind::Lt, FloatKind::Le]);
    }
    kinds.extend(others.iter().map(|&to| FloatKind::Convert { to }));
    let widths: &[u32] = if format.width() <= 10 { &[1, 3, 7, 9] } else { &[1, 8, 32, 64, 128] };
    for &width in widths {
        for signed in [false, true] {
            kinds.extend([FloatKind::FromInt { width, signed }, FloatKind::ToInt { width, signed }]);
        }
    }
    kinds.into_iter().map(|kind| FloatOp { kind, format, rounding }).collect()
}

/// Every circuit of one and two operands on all operands of the small formats, in every rounding; of three on all operands
/// of the smallest and on a part of the others. Returns the number of cases.
pub fn float_exhaustive() -> Result<u64, String> {
    let mut total = 0;
    let mut rng = Rng::new(7);
    for format in SMALL_FORMATS {
        for rounding in Rounding::ALL {
            for op in float_operations(format, rounding, &SMALL_FORMATS) {
                let circuit = Circuit::new(op);
                let width = op.operand().width();
                let values = 1u64 << width;
                let bits = |v: u64| Bits::new(width, v);
                total += match op.arity() {
                    1 => circuit.check_all((0..values).map(|a| vec![bits(a)]))?,
                    2 => {
                        let pairs = (0..values * values).map(|k| vec![bits(k % values), bits(k / values)]);
                        circuit.check_all(pairs)?
                    }
                    _ => {
                        // All of the smallest format, of the others a part.
                        let all = width == 6 && rounding == Rounding::NearestEven;
                        let (every, most) = if all { (1, usize::MAX) } else { (1 + rng.below(200), 40_000) };
                        let triples = (0..values * values * values)
                            .step_by(every as usize)
                            .map(|k| vec![bits(k % values), bits(k / values % values), bits(k / values / values)]);
                        circuit.check_all(triples.take(most))?
                    }
                };
            }
        }
    }
    Ok(total)
}

/// Patterns at which something happens: zeroes, the ends of the subnormal and normal numbers, one and its neighbours,
/// infinities, and what is no number.
pub fn special_numbers(format: Format) -> Vec<Bits> {
    let one = exact::apply(FloatOp::new(FloatKind::FromInt { width: 2, signed: false }, format), &[Bits::new(2, 1)]);
    let one = one.as_bits().clone();
    let width = format.width();
    let step = |v: &Bits, by: i64| v.add(&Bits::from_signed(width, by));
    let normal = format.pattern(false, 1, &Bits::zero(format.precision.into()));
    let mut list = vec![
        format.zero(false),
        step(&format.zero(false), 1),
        step(&format.zero(false), 2),
        step(&normal, -1),
        normal.clone(),
        step(&normal, 1),
        step(&one, -1),
        one.clone(),
        step(&one, 1),
        format.largest(false),
        step(&format.largest(false), -1),
        format.infinity(false),
        format.nan(),
        step(&format.infinity(false), 1),
    ];
    let sign = Bits::from_fn(width, |i| i == width - 1);
    list.extend(list.clone().iter().map(|v| v.xor(&sign)));
    list
}

/// A random pattern, often at a corner or with few bits set; near `other` in magnitude, if there is one.
pub fn random_number(rng: &mut Rng, format: Format, other: Option<&Bits>) -> Bits {
    let width = format.width();
    let any = Bits::from_words(width, (0..width.div_ceil(64)).map(|_| rng.bits()).collect());
    let sign = Bits::new(1, rng.below(2)).concat(&Bits::zero(width - 1));
    match (rng.below(8), other) {
        (0, _) => rng.pick(&special_numbers(format)).clone(),
        (1, Some(other)) => other.add(&Bits::from_signed(width, rng.below(7) as i64 - 3)).xor(&sign),
        (2 | 3, Some(other)) => {
            // An exponent within a few of the other's.
            let low = format.stored();
            let near =
                other.lshr(&Bits::new(width, low.into())).add(&Bits::from_signed(width, rng.below(9) as i64 - 4));
            let head = near.shl(&Bits::new(width, low.into())).xor(&sign);
            head.or(&any.extract(low - 1, 0).zero_ext(width))
        }
        (4, _) => {
            // A short significand.
            let keep = rng.below(u64::from(width));
            let mask = Bits::ones(width).shl(&Bits::new(width, keep));
            any.and(&mask)
        }
        (5, _) => {
            // Small integers and halves.
            let integer = Bits::from_signed(16, rng.below(65) as i64 - 32);
            let op = FloatOp::new(FloatKind::FromInt { width: 16, signed: true }, format);
            exact::apply(op, &[integer]).as_bits().clone()
        }
        _ => any,
    }
}

fn random_operands(rng: &mut Rng, op: FloatOp) -> Vec<Bits> {
    if let FloatKind::FromInt { width, .. } = op.kind {
        return vec![super::ops::random_bits(rng, width)];
    }
    let first = random_number(rng, op.format, None);
    let mut list = vec![first];
    while list.len() < op.arity() {
        let other = list[0].clone();
        list.push(random_number(rng, op.format, Some(&other)));
    }
    list
}

/// Circuits of the machines' formats on all special operands and on `n` random ones for each operation. Returns the number of
/// cases.
pub fn float_circuits(seed: u64, n: u64) -> Result<u64, String> {
    let mut total = 0;
    for format in MACHINE_FORMATS {
        for rounding in Rounding::ALL {
            // Rounding is one function: other modes than the usual get a part of the cases.
            let n = if rounding == Rounding::NearestEven { n } else { n / 8 };
            for op in float_operations(format, rounding, &MACHINE_FORMATS) {
                total += float_circuit(seed, op, n)?;
            }
        }
    }
    Ok(total)
}

/// One circuit on special operands and on `n` random ones.
pub fn float_circuit(seed: u64, op: FloatOp, n: u64) -> Result<u64, String> {
    let circuit = Circuit::new(op);
    let mut rng = Rng::new(seed);
    let mut total = 0;
    if !matches!(op.kind, FloatKind::FromInt { .. }) && n > 0 {
        let special = special_numbers(op.format);
        let k = special.len();
        let pick = |i: usize| special[i % k].clone();
        total += match op.arity() {
            1 => circuit.check_all((0..k).map(|i| vec![pick(i)]))?,
            2 => circuit.check_all((0..k * k).map(|i| vec![pick(i), pick(i / k)]))?,
            _ => {
                let step = if n < 10_000 { 13 } else { 1 };
                circuit.check_all((0..k * k * k).step_by(step).map(|i| vec![pick(i), pick(i / k), pick(i / k / k)]))?
            }
        };
    }
    Ok(total + circuit.check_all((0..n).map(|_| random_operands(&mut rng, op)))?)
}

/// Random patterns of a format, quickly: any, special ones, and such whose exponent is near that of another.
struct Patterns {
    format: Format,
    special: Vec<u128>,
    /// The width of what an operation takes.
    mask: u128,
    stored: u32,
}

impl Patterns {
    fn new(op: FloatOp) -> Patterns {
        let format = op.format;
        let special = special_numbers(format).iter().filter_map(Bits::to_u128).collect();
        let width = op.operand().width();
        Patterns { format, special, mask: u128::MAX >> (128 - width), stored: format.stored() }
    }

    fn integer(&self, rng: &mut Rng) -> u128 {
        let any = (u128::from(rng.bits()) << 64 | u128::from(rng.bits())) & self.mask;
        match rng.below(4) {
            0 => any >> rng.below(128),
            1 => (any >> rng.below(128)).wrapping_neg() & self.mask,
            2 => (any << rng.below(128)) & self.mask,
            _ => any,
        }
    }

    fn number(&self, rng: &mut Rng, other: u128) -> u128 {
        let any = (u128::from(rng.bits()) << 64 | u128::from(rng.bits())) & self.mask;
        let low = (1u128 << self.stored) - 1;
        let near = |by: u128| (other & !low).wrapping_add(by << self.stored) & self.mask;
        let sign = any & 1 << (self.format.width() - 1);
        let number = match rng.below(8) {
            0 => return *rng.pick(&self.special),
            1 | 2 => near(u128::from(rng.below(9)).wrapping_sub(4)) ^ sign | any & low,
            3 => {
                near(
                    u128::from(rng.below(2 * u64::from(self.format.precision) + 4))
                        .wrapping_sub(u128::from(self.format.precision) + 2),
                ) ^ sign
                    | any & low
            }
            4 => any & (u128::MAX << rng.below(u64::from(self.format.width()))),
            // About one, where integers lie.
            5 => {
                let one = (self.format.bias() as u128).wrapping_add(u128::from(rng.below(140))).wrapping_sub(10);
                (one << self.stored & (self.mask >> 1)) ^ sign | any & low
            }
            _ => any,
        };
        // A number stores its leading bit as it is, or it would be none.
        let lead = 1u128 << (self.stored - 1);
        match self.format.explicit {
            true if number >> self.stored & ((1 << self.format.exponent) - 1) != 0 => number | lead,
            true => number & !lead,
            false => number,
        }
    }
}

/// A circuit on `n` random lists of operands, 64 at a time, against another way to compute the operation, which may leave some of them out.
/// What is not a number is the pattern that the format has for it. Returns how many were compared.
pub fn float_against(
    seed: u64,
    op: FloatOp,
    n: u64,
    reference: &dyn Fn(&[u128]) -> Option<u128>,
) -> Result<u64, String> {
    let (circuit, patterns) = (Circuit::new(op), Patterns::new(op));
    let mut rng = Rng::new(seed);
    let mut compared = 0;
    for _ in 0..n.div_ceil(64) {
        let mut cases = [[0u128; 3]; 64];
        for case in &mut cases {
            if matches!(op.kind, FloatKind::FromInt { .. }) {
                case[0] = patterns.integer(&mut rng);
                continue;
            }
            case[0] = patterns.number(&mut rng, 0);
            for k in 1..op.arity() {
                case[k] = patterns.number(&mut rng, case[0]);
            }
        }
        let results = circuit.lanes(&cases);
        for (case, &got) in cases.iter().zip(&results) {
            let Some(expected) = reference(&case[..op.arity()]) else { continue };
            compared += 1;
            if got != expected {
                return Err(format!("{op:?} of {case:x?} is {expected:#x}, but the gates give {got:#x}"));
            }
        }
    }
    Ok(compared)
}

/// `n` random terms over small formats, integers and constants, built through the rewriter, evaluated against their operations
/// applied to values. Returns how often each rule was applied.
pub fn float_terms(seed: u64, n: u64) -> Result<Vec<(Rule, u64)>, String> {
    let mut rng = Rng::new(seed);
    let mut total: Coverage = Rule::ALL.iter().map(|&r| (r, 0)).collect();
    for _ in 0..n {
        let mut graph = Graph::new(&mut rng);
        for _ in 0..25 {
            graph.step(&mut rng);
        }
        graph.agree()?;
        for (have, (_, n)) in total.iter_mut().zip(graph.store.rules_applied()) {
            have.1 += n;
        }
    }
    Ok(total)
}

/// A term with its values, and what it is.
#[derive(Clone)]
struct Entry {
    term: Term,
    values: Vec<Value>,
    /// The format, of a number; otherwise it is an integer or a truth value.
    format: Option<Format>,
}

struct Graph {
    store: Store,
    assignments: Vec<crate::eval::Assignment>,
    formats: [Format; 2],
    entries: Vec<Entry>,
}

const LANES: usize = 12;

impl Graph {
    fn new(rng: &mut Rng) -> Graph {
        // The second format holds the first; sometimes it is one that stores its leading bit.
        let formats = *rng.pick(&[
            [Format::new(3, 3), Format::new(4, 6)],
            [Format::new(4, 4), Format::new(5, 11)],
            [Format::SINGLE, Format::DOUBLE],
            [Format::new(3, 4), Format { exponent: 4, precision: 6, explicit: true }],
        ]);
        let assignments = vec![crate::eval::Assignment::new(); LANES];
        let mut graph = Graph { store: Store::new(), assignments, formats, entries: Vec::new() };
        for (i, format) in formats.into_iter().cycle().take(4).enumerate() {
            graph.symbol(rng, &format!("f{i}"), format.width(), Some(format));
        }
        graph.symbol(rng, "i", 3, None);
        graph.symbol(rng, "j", 8, None);
        graph
    }

    fn symbol(&mut self, rng: &mut Rng, name: &str, width: u32, format: Option<Format>) {
        let term = self.store.symbol(name, Sort::Bv(width));
        let symbol = self.store.as_symbol(term).expect("a symbol was made");
        let value = |rng: &mut Rng| match format {
            Some(f) => random_number(rng, f, None),
            None => super::ops::random_bits(rng, width),
        };
        let values: Vec<Value> = (0..LANES).map(|_| Value::Bits(value(rng))).collect();
        for (assignment, v) in self.assignments.iter_mut().zip(&values) {
            assignment.set(symbol, v.clone());
        }
        self.entries.push(Entry { term, values, format });
    }

    fn pick(&mut self, rng: &mut Rng, format: Option<Format>) -> Entry {
        let fits: Vec<Entry> = (self.entries.iter())
            .filter(|e| e.format == format && self.store.sort(e.term) != Sort::Bool)
            .cloned()
            .collect();
        match format {
            // A constant: one that rules look for, or any.
            Some(f) if rng.chance(35) => {
                let power = Bits::from_signed(6, rng.below(17) as i64 - 8);
                let op = FloatOp::new(FloatKind::FromInt { width: 6, signed: true }, f);
                let bits = match rng.below(3) {
                    0 => exact::apply(op, &[power]).as_bits().clone(),
                    1 => f.zero(rng.chance(50)),
                    _ => random_number(rng, f, None),
                };
                let term = self.store.constant(&bits);
                Entry { term, values: vec![Value::Bits(bits); LANES], format }
            }
            _ => rng.pick(&fits).clone(),
        }
    }

    fn step(&mut self, rng: &mut Rng) {
        let format = *rng.pick(&self.formats);
        let other = *rng.pick(&self.formats);
        let rounding = if rng.chance(60) { Rounding::NearestEven } else { *rng.pick(&Rounding::ALL) };
        let signed = rng.chance(50);
        let compares = [FloatKind::Eq, FloatKind::Lt, FloatKind::Le];
        if rng.chance(12) {
            return self.change_sign(rng, format);
        }
        if rng.chance(15) {
            return self.connect(rng);
        }
        let (kind, operands): (FloatKind, Vec<Entry>) = match rng.below(12) {
            0..4 => {
                let kind = *rng.pick(&[FloatKind::Add, FloatKind::Sub, FloatKind::Mul, FloatKind::Div]);
                (kind, vec![self.pick(rng, Some(format)), self.pick(rng, Some(format))])
            }
            4 => (*rng.pick(&[FloatKind::Sqrt, FloatKind::Integral]), vec![self.pick(rng, Some(format))]),
            5 => (FloatKind::Convert { to: other }, vec![self.pick(rng, Some(format))]),
            6 => {
                let x = self.integer(rng, signed);
                (FloatKind::FromInt { width: self.store.width(x.term), signed }, vec![x])
            }
            7 => (FloatKind::ToInt { width: 1 + rng.below(9) as u32, signed }, vec![self.pick(rng, Some(format))]),
            8 if rng.chance(50) => {
                // Of two integers, or of one and a constant.
                let (x, other) = (self.integer(rng, signed), rng.chance(50));
                let kind = FloatKind::FromInt { width: self.store.width(x.term), signed };
                self.apply(Op::Float(FloatOp { kind, format, rounding }), &[x], Some(format));
                let first = self.entries.last().expect("just made").clone();
                let second = if other { first.clone() } else { self.pick(rng, Some(format)) };
                (*rng.pick(&[FloatKind::Add, FloatKind::Sub, FloatKind::Lt, FloatKind::Eq]), vec![second, first])
            }
            8 => (FloatKind::Fma, (0..3).map(|_| self.pick(rng, Some(format))).collect()),
            _ => {
                let a = self.pick(rng, Some(format));
                let b = if rng.chance(15) { a.clone() } else { self.pick(rng, Some(format)) };
                (*rng.pick(&compares), vec![a, b])
            }
        };
        let rounding = if compares.contains(&kind) { Rounding::NearestEven } else { rounding };
        let result = match kind {
            FloatKind::Convert { to } => Some(to),
            FloatKind::ToInt { .. } | FloatKind::Eq | FloatKind::Lt | FloatKind::Le => None,
            _ => Some(format),
        };
        self.apply(Op::Float(FloatOp { kind, format, rounding }), &operands, result);
    }

    /// A conjunction, disjunction or the like of truth values, if there are any.
    fn connect(&mut self, rng: &mut Rng) {
        let truths: Vec<Entry> =
            self.entries.iter().filter(|e| self.store.sort(e.term) == Sort::Bool).cloned().collect();
        if !truths.is_empty() {
            let (a, b) = (rng.pick(&truths).clone(), rng.pick(&truths).clone());
            let op = *rng.pick(&[Op::And, Op::And, Op::Or, Op::Or, Op::Xor, Op::Implies]);
            self.apply(op, &[a, b], None);
        }
    }

    /// A negation, an absolute value, or a choice, all on patterns.
    fn change_sign(&mut self, rng: &mut Rng, format: Format) {
        let x = self.pick(rng, Some(format));
        let top = format.width() - 1;
        let sign = Bits::from_fn(top + 1, |i| i == top);
        let constant = |store: &mut Store, bits: Bits| Entry {
            term: store.constant(&bits),
            values: vec![Value::Bits(bits); LANES],
            format: None,
        };
        let truths: Vec<Entry> =
            self.entries.iter().filter(|e| self.store.sort(e.term) == Sort::Bool).cloned().collect();
        match rng.below(3) {
            0 => {
                let sign = constant(&mut self.store, sign);
                self.apply(Op::BvXor, &[x, sign], Some(format));
            }
            1 if !truths.is_empty() => {
                let (c, y) = (rng.pick(&truths).clone(), self.pick(rng, Some(format)));
                self.apply(Op::Ite, &[c, x, y], Some(format));
            }
            _ => {
                let rest = constant(&mut self.store, sign.not());
                self.apply(Op::BvAnd, &[x, rest], Some(format));
            }
        }
    }

    /// An integer, often one that was extended.
    fn integer(&mut self, rng: &mut Rng, signed: bool) -> Entry {
        let x = self.pick(rng, None);
        if rng.chance(40) {
            return x;
        }
        let width = self.store.width(x.term) + 1 + rng.below(8) as u32;
        let op = if signed && rng.chance(70) { Op::SignExt { width } } else { Op::ZeroExt { width } };
        self.apply(op, &[x], None);
        self.entries.last().expect("just made").clone()
    }

    fn apply(&mut self, op: Op, operands: &[Entry], format: Option<Format>) {
        let terms: Vec<Term> = operands.iter().map(|e| e.term).collect();
        let term = self.store.apply(op, &terms);
        let value = |k: usize| {
            let args: Vec<Value> = operands.iter().map(|e| e.values[k].clone()).collect();
            apply(op, &args)
        };
        self.entries.push(Entry { term, values: (0..LANES).map(value).collect(), format });
    }

    fn agree(&self) -> Result<(), String> {
        for (k, assignment) in self.assignments.iter().enumerate() {
            let mut evaluator = Evaluator::new(&self.store, assignment);
            for e in &self.entries {
                let got = evaluator.eval(e.term);
                if got != e.values[k] {
                    let text = crate::smtlib::term(&self.store, e.term);
                    return Err(format!("rewriter: {} should be {:?} but is {got:?}: {text}", e.term, e.values[k]));
                }
            }
        }
        Ok(())
    }
}

/// Random truth values about numbers of a small format, for another solver: each a question of a few comparisons of
/// sums, products and the like.
pub fn float_queries(seed: u64, n: u64) -> Vec<(Store, Vec<Term>)> {
    let mut rng = Rng::new(seed);
    let mut list = Vec::new();
    while (list.len() as u64) < n {
        let mut graph = Graph::new(&mut rng);
        for _ in 0..14 {
            graph.step(&mut rng);
        }
        let truths: Vec<Term> =
            (graph.entries.iter().map(|e| e.term)).filter(|&t| graph.store.sort(t) == Sort::Bool).collect();
        if truths.is_empty() || graph.formats[1] == Format::DOUBLE {
            continue;
        }
        let mut question = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let t = *rng.pick(&truths);
            question.push(if rng.chance(50) { graph.store.not(t) } else { t });
        }
        list.push((graph.store, question));
    }
    list
}

/// Random questions decided by ranges, against random values: no question that is refuted has values under which it holds.
/// Returns how many were refuted, got a model, or were left open.
pub fn float_ranges(seed: u64, n: u64) -> Result<[u64; 3], String> {
    let mut rng = Rng::new(seed);
    let mut counts = [0; 3];
    for _ in 0..n {
        let mut graph = Graph::new(&mut rng);
        for _ in 0..16 {
            graph.step(&mut rng);
        }
        // Literals that hold under one of the assignments: such a question must not be refuted.
        let lane = rng.index(LANES);
        let truths: Vec<Entry> =
            graph.entries.iter().filter(|e| graph.store.sort(e.term) == Sort::Bool).cloned().collect();
        let near: Vec<(Term, bool)> = truths.iter().map(|e| (e.term, e.values[lane].as_bool())).collect();
        if let Outcome::Refuted = decide(&graph.store, &near, 200) {
            let text: Vec<String> =
                near.iter().map(|&(t, b)| format!("{b}: {}", crate::smtlib::term(&graph.store, t))).collect();
            return Err(format!("ranges: refuted what holds: {text:?}"));
        }
        // Any literals: those that are refuted hold under none of the assignments.
        let chosen: Vec<(&Entry, bool)> = truths.iter().map(|e| (e, rng.chance(50))).collect();
        let literals: Vec<(Term, bool)> = chosen.iter().map(|&(e, b)| (e.term, b)).collect();
        let held = (0..LANES).any(|k| chosen.iter().all(|(e, b)| e.values[k].as_bool() == *b));
        match decide(&graph.store, &literals, 200) {
            Outcome::Refuted if held => return Err("ranges: refuted what holds".to_owned()),
            Outcome::Refuted => counts[0] += 1,
            Outcome::Model(_) => counts[1] += 1,
            Outcome::Open => counts[2] += 1,
        }
    }
    Ok(counts)
}

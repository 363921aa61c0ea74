//! Candidates for invariants at one place: what all states seen there have in common, in the form of templates.
//!
//! A candidate is exact about wrap-around: it is an expression whose meaning is the program's, so `x + y == n` is meant
//! modulo 2^w, and `x <= y` as the variables' own types compare. The states only suggest; the solver decides.

use crate::affine::{Equality, equalities};
use crate::sample::Row;
use crate::thresholds::narrowed;
use crate::vocabulary::{Grammar, Quantity};
use ir::{BinOp, Expr, IntTy, Ty};
use rustc_hash::FxHashSet;

/// Bounds that are tried on each side of a quantity.
const BOUNDS: usize = 8;
/// Bounds that are tried on each side of a floating-point number.
const REAL_BOUNDS: usize = 10;
/// Bounds that are tried on each side of a difference of quantities.
const DIFFERENCE_BOUNDS: usize = 3;
/// Quantities whose differences are bounded: those that the loop mentions most.
const DIFFERENCES: usize = 6;
/// Conditions under which equalities are looked for.
const MAX_GUARDS: usize = 10;
/// Coefficients beyond this say more about the states than about the program.
const MAX_COEFFICIENT: i128 = 1_000;
/// States under a condition that make an equality worth a guess.
const MIN_GUARDED_ROWS: usize = 2;

/// The candidates, the most telling ones first.
pub(crate) fn candidates(grammar: &Grammar, rows: &[Row]) -> Vec<Expr> {
    let mut found = Found { grammar, rows, list: Vec::new(), seen: FxHashSet::default() };
    found.equalities();
    found.conditions();
    found.bounds();
    found.reals();
    found.orders();
    found.remainders();
    found.guarded();
    found.differences();
    found.list
}

/// The candidates at a place that no run has reached: that none can, and the conditions of the function, either way.
pub(crate) fn unvisited(grammar: &Grammar) -> Vec<Expr> {
    let mut found = Found { grammar, rows: &[], list: vec![Expr::bool(false)], seen: FxHashSet::default() };
    found.conditions();
    found.list
}

struct Found<'a> {
    grammar: &'a Grammar,
    rows: &'a [Row],
    list: Vec<Expr>,
    seen: FxHashSet<Expr>,
}

impl Found<'_> {
    fn add(&mut self, e: Expr) {
        if e.as_const().is_none() && self.seen.insert(e.clone()) {
            self.list.push(e);
        }
    }

    /// The values of a quantity in all states; `None` if some state does not know it.
    fn column(&self, i: usize) -> Option<Vec<i128>> {
        self.rows.iter().map(|r| r.values[i]).collect()
    }

    /// The quantities that every state knows, with their values.
    fn columns(&self) -> Vec<(usize, Vec<i128>)> {
        (0..self.grammar.quantities.len()).filter_map(|i| Some((i, self.column(i)?))).collect()
    }

    fn equalities(&mut self) {
        let columns = self.columns();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for e in hull(self.grammar, &columns, &all) {
            self.add(e);
        }
    }

    /// Conditions of the program that are true, or false, in all states.
    fn conditions(&mut self) {
        for (i, condition) in self.grammar.conditions.iter().enumerate() {
            for value in [true, false] {
                if self.rows.iter().all(|r| r.conditions[i] == Some(value)) {
                    let e = if value { condition.clone() } else { condition.clone().negate() };
                    self.add(e);
                }
            }
        }
    }

    fn bounds(&mut self) {
        for (i, values) in self.columns() {
            let q = &self.grammar.quantities[i];
            let (min, max) = values.iter().fold((i128::MAX, i128::MIN), |(a, b), &v| (a.min(v), b.max(v)));
            for c in near(self.grammar, |c| c >= max).take(BOUNDS) {
                self.compare(q, BinOp::Le, c);
            }
            let below: Vec<i128> = near(self.grammar, |c| c <= min).collect();
            for &c in below.iter().rev().take(BOUNDS) {
                self.compare(q, BinOp::Ge, c);
            }
        }
    }

    /// Bounds of floating-point numbers that were numbers in all states.
    fn reals(&mut self) {
        for (i, real) in self.grammar.reals.iter().enumerate() {
            let seen: Option<Vec<f64>> = self.rows.iter().map(|r| r.reals[i].map(f64::from_bits)).collect();
            let Some(seen) = seen.filter(|seen| seen.iter().all(|x| !x.is_nan())) else { continue };
            let (low, high) = seen.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
            let thresholds = &self.grammar.thresholds;
            let above = thresholds.iter().filter(|&&c| c >= high).take(REAL_BOUNDS).map(|&c| (BinOp::Le, c));
            let below = thresholds.iter().rev().filter(|&&c| c <= low).take(REAL_BOUNDS).map(|&c| (BinOp::Ge, c));
            for (op, c) in above.chain(below).collect::<Vec<_>>() {
                if let Some(c) = narrowed(real.ty, c) {
                    self.add(Expr::binary(op, real.expr.clone(), c));
                }
            }
        }
    }

    fn compare(&mut self, q: &Quantity, op: BinOp, c: i128) {
        if fits(q.ty, c) && !is_trivial(q.ty, op, c) {
            self.add(Expr::binary(op, q.expr.clone(), Expr::int(Ty::Int(q.ty), c)));
        }
    }

    /// Orders between quantities, also of multiples.
    fn orders(&mut self) {
        let columns = self.columns();
        for (n, (i, xs)) in columns.iter().enumerate() {
            for (j, ys) in &columns[n + 1..] {
                for ((p, ps), (q, qs)) in [((*i, xs), (*j, ys)), ((*j, ys), (*i, xs))] {
                    self.order(p, ps, q, qs);
                }
            }
        }
    }

    fn order(&mut self, p: usize, ps: &[i128], q: usize, qs: &[i128]) {
        let (a, b) = (&self.grammar.quantities[p], &self.grammar.quantities[q]);
        let Some(ty) = common(a.ty, b.ty) else { return };
        let (x, y) = (Expr::convert(ty, a.expr.clone()), Expr::convert(ty, b.expr.clone()));
        let all = |op: &dyn Fn(i128, i128) -> bool| ps.iter().zip(qs).all(|(&x, &y)| op(x, y));
        if all(&|x, y| x < y) {
            self.add(Expr::binary(BinOp::Lt, x.clone(), y.clone()));
        }
        if all(&|x, y| x <= y) {
            self.add(Expr::binary(BinOp::Le, x.clone(), y.clone()));
        }
        for &k in &self.grammar.factors {
            if k <= 8 && all(&|x, y| k * x <= y) && !all(&|x, _| x <= 0) {
                let scaled = Expr::binary(BinOp::Mul, Expr::int(ty, k), x.clone());
                self.add(Expr::binary(BinOp::Le, scaled, y.clone()));
            }
        }
    }

    /// Bounds of differences: what runs apart by no more than a number of the program.
    fn differences(&mut self) {
        let columns: Vec<_> = self.columns().into_iter().filter(|(i, _)| *i < DIFFERENCES).collect();
        for (n, (i, xs)) in columns.iter().enumerate() {
            for (j, ys) in &columns[n + 1..] {
                let (a, b) = (&self.grammar.quantities[*i], &self.grammar.quantities[*j]);
                if a.ty != b.ty || !a.ty.signed {
                    continue;
                }
                let differences = xs.iter().zip(ys).map(|(x, y)| x - y);
                let (min, max) = differences.fold((i128::MAX, i128::MIN), |(lo, hi), d| (lo.min(d), hi.max(d)));
                let difference = Expr::binary(BinOp::Sub, a.expr.clone(), b.expr.clone());
                let q = Quantity { expr: difference, ty: a.ty };
                for c in near(self.grammar, |c| c >= max).take(DIFFERENCE_BOUNDS) {
                    self.compare(&q, BinOp::Le, c);
                }
                let below: Vec<i128> = near(self.grammar, |c| c <= min).collect();
                for &c in below.iter().rev().take(DIFFERENCE_BOUNDS) {
                    self.compare(&q, BinOp::Ge, c);
                }
            }
        }
    }

    fn remainders(&mut self) {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for e in remainders(self.grammar, &self.columns(), &all) {
            self.add(e);
        }
    }

    /// Equalities that hold in the states in which a condition has one value.
    fn guarded(&mut self) {
        let columns = self.columns();
        let unconditional: FxHashSet<Expr> = self.seen.clone();
        let mut guards = 0;
        for (i, condition) in self.grammar.conditions.iter().enumerate() {
            let side = |value: bool| -> Vec<usize> {
                (0..self.rows.len()).filter(|&r| self.rows[r].conditions[i] == Some(value)).collect()
            };
            let sides = [side(true), side(false)];
            if sides[0].len() + sides[1].len() != self.rows.len() {
                continue;
            }
            guards += 1;
            if guards > MAX_GUARDS {
                break;
            }
            for (rows, value) in sides.iter().zip([true, false]) {
                let otherwise = if value { condition.clone().negate() } else { condition.clone() };
                let equal = match rows.len() {
                    // No run came so far: what could be is that a quantity of the condition is even, or odd.
                    0 => parities(self.grammar, condition),
                    1..MIN_GUARDED_ROWS => continue,
                    _ => [hull(self.grammar, &columns, rows), remainders(self.grammar, &columns, rows)].concat(),
                };
                for e in equal {
                    if !unconditional.contains(&e) {
                        self.add(Expr::binary(BinOp::Or, otherwise.clone(), e));
                    }
                }
            }
        }
    }
}

/// The remainders that quantities have in all of the given states.
fn remainders(grammar: &Grammar, columns: &[(usize, Vec<i128>)], rows: &[usize]) -> Vec<Expr> {
    let mut moduli: Vec<i128> = grammar.factors.iter().copied().chain([2, 4, 8, 16]).collect();
    moduli.sort_unstable();
    moduli.dedup();
    let mut found = Vec::new();
    for (i, values) in columns {
        let values: Vec<i128> = rows.iter().map(|&r| values[r]).collect();
        let distinct: FxHashSet<i128> = values.iter().copied().collect();
        if distinct.len() < 3 {
            continue;
        }
        for &m in &moduli {
            let r = values[0].rem_euclid(m);
            if values.iter().all(|v| v.rem_euclid(m) == r) {
                found.extend(remainder(&grammar.quantities[*i], m, r));
            }
        }
    }
    found
}

/// `q % m == r`, by a mask where that says it.
fn remainder(q: &Quantity, m: i128, r: i128) -> Option<Expr> {
    let ty = Ty::Int(q.ty);
    let left = if m & (m - 1) == 0 {
        Expr::binary(BinOp::And, q.expr.clone(), Expr::int(ty, m - 1))
    } else {
        Expr::binary(BinOp::Rem, q.expr.clone(), Expr::int(ty, m))
    };
    fits(q.ty, m).then(|| Expr::binary(BinOp::Eq, left, Expr::int(ty, r)))
}

/// That a quantity that a condition mentions is even, and that it is odd.
fn parities(grammar: &Grammar, condition: &Expr) -> Vec<Expr> {
    let vars = ir::walk::variables(condition);
    let mentioned = grammar.quantities.iter().filter(|q| ir::walk::variables(&q.expr).iter().all(|v| vars.contains(v)));
    mentioned.flat_map(|q| [remainder(q, 2, 0), remainder(q, 2, 1)]).flatten().collect()
}

/// The linear equalities that hold in the given states.
fn hull(grammar: &Grammar, columns: &[(usize, Vec<i128>)], rows: &[usize]) -> Vec<Expr> {
    // Large numbers are mostly arbitrary inputs or wrapped; what is linear among the others is worth a guess for all.
    let is_small = |&&r: &&usize| columns.iter().all(|(i, c)| centred(grammar.quantities[*i].ty, c[r]).abs() < 1 << 24);
    let small: Vec<usize> = rows.iter().filter(is_small).copied().collect();
    let rows = if small.len() > columns.len() || small.len() * 4 >= rows.len() { &small } else { rows };
    let point = |&r: &usize| columns.iter().map(|(i, c)| centred(grammar.quantities[*i].ty, c[r])).collect();
    let points: Vec<Vec<i128>> = rows.iter().map(point).collect();
    let sides = equalities(&points);
    let usable = |e: &&Equality| e.coefficients.iter().all(|c| c.abs() <= MAX_COEFFICIENT);
    sides.iter().filter(usable).filter_map(|e| to_expr(grammar, columns, e)).collect()
}

/// The number of a bit pattern nearest to zero: -1 rather than 4294967295.
fn centred(ty: IntTy, value: i128) -> i128 {
    if ty.signed {
        return value;
    }
    if value >> (ty.width - 1) & 1 == 1 { value - (1 << ty.width) } else { value }
}

/// `c1*x1 + … == c0`, with what has a negative coefficient on the other side; `x == c` and `x == y` as they are.
fn to_expr(grammar: &Grammar, columns: &[(usize, Vec<i128>)], e: &Equality) -> Option<Expr> {
    let parts: Vec<(&Quantity, i128)> = columns
        .iter()
        .zip(&e.coefficients)
        .filter(|(_, c)| **c != 0)
        .map(|((i, _), &c)| (&grammar.quantities[*i], c))
        .collect();
    let width = parts.iter().map(|(q, _)| q.ty.width).max()?;
    // The type in which it is computed has no say in whether it holds; a signed one prints better.
    let signed = parts.iter().all(|(q, _)| q.ty.signed);
    let ty = Ty::int(width, signed);
    let sum = |positive: bool| {
        let side = parts.iter().filter(|(_, c)| (*c > 0) == positive);
        let terms = side.map(|(q, c)| {
            let x = Expr::convert(ty, q.expr.clone());
            if c.abs() == 1 { x } else { Expr::binary(BinOp::Mul, Expr::int(ty, c.abs()), x) }
        });
        terms.reduce(|a, b| Expr::binary(BinOp::Add, a, b))
    };
    let left = sum(true)?;
    let right = match (sum(false), e.constant) {
        (None, c) => Expr::int(ty, c),
        (Some(s), 0) => s,
        (Some(s), c) => Expr::binary(BinOp::Add, s, Expr::int(ty, c)),
    };
    Some(Expr::binary(BinOp::Eq, left, right))
}

/// The type in which two quantities are compared as numbers.
fn common(a: IntTy, b: IntTy) -> Option<Ty> {
    if a == b {
        return Some(Ty::Int(a));
    }
    let (wide, narrow) = if a.width >= b.width { (a, b) } else { (b, a) };
    let holds = wide.width > narrow.width && (wide.signed || !narrow.signed);
    holds.then_some(Ty::Int(wide))
}

/// The numbers of the program and their neighbours, sorted, that satisfy a condition.
fn near(grammar: &Grammar, wanted: impl Fn(i128) -> bool) -> impl Iterator<Item = i128> {
    let mut all: Vec<i128> = grammar.bounds.iter().flat_map(|&c| [c - 1, c, c + 1]).filter(|&c| wanted(c)).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
}

fn fits(ty: IntTy, c: i128) -> bool {
    let (min, max) = range(ty);
    (min..=max).contains(&c)
}

fn is_trivial(ty: IntTy, op: BinOp, c: i128) -> bool {
    let (min, max) = range(ty);
    match op {
        BinOp::Le => c == max,
        _ => c == min,
    }
}

fn range(ty: IntTy) -> (i128, i128) {
    let width = u32::from(ty.width);
    if ty.signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

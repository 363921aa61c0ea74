//! The operations a third time, on lists of bits (lowest first), as close to SMT-LIB's definitions as can be and with
//! no regard for speed. A truth value is a list of one bit.

use crate::bits::Bits;
use crate::eval::Value;
use crate::term::Op;

type List = Vec<bool>;

fn list(v: &Value) -> List {
    match v {
        Value::Bool(b) => vec![*b],
        Value::Bits(b) => (0..b.width()).map(|i| b.bit(i)).collect(),
    }
}

fn negated(a: &[bool]) -> List {
    // Complement, then add one: every bit up to and including the lowest one bit stays.
    let lowest = a.iter().position(|&b| b).unwrap_or(a.len());
    a.iter().enumerate().map(|(i, &b)| if i <= lowest { b } else { !b }).collect()
}

fn sum(a: &[bool], b: &[bool]) -> List {
    let mut carry = 0;
    let mut out = Vec::new();
    for (&x, &y) in a.iter().zip(b) {
        let s = u8::from(x) + u8::from(y) + carry;
        out.push(s % 2 == 1);
        carry = s / 2;
    }
    out
}

fn product(a: &[bool], b: &[bool]) -> List {
    let mut total = vec![false; a.len()];
    for (i, &digit) in b.iter().enumerate() {
        if digit {
            let mut shifted = vec![false; i];
            shifted.extend(a);
            total = sum(&total, &shifted[..a.len()]);
        }
    }
    total
}

fn below(a: &[bool], b: &[bool]) -> bool {
    // The highest bit in which they differ decides.
    a.iter().zip(b).rev().find(|(x, y)| x != y).is_some_and(|(_, &y)| y)
}

/// Quotient and remainder of naturals, `b` not zero: subtract the divisor times falling powers of two.
fn quotient(a: &[bool], b: &[bool]) -> (List, List) {
    let n = a.len();
    let wide = |v: &[bool], shift: usize| -> List {
        let mut out = vec![false; shift];
        out.extend(v);
        out.resize(2 * n, false);
        out
    };
    let mut rest = wide(a, 0);
    let mut q = vec![false; n];
    for shift in (0..n).rev() {
        let part = wide(b, shift);
        if !below(&rest, &part) {
            rest = sum(&rest, &negated(&part));
            q[shift] = true;
        }
    }
    rest.truncate(n);
    (q, rest)
}

fn unsigned_division(a: &[bool], b: &[bool]) -> (List, List) {
    if b.contains(&true) { quotient(a, b) } else { (vec![true; a.len()], a.to_vec()) }
}

fn sign(a: &[bool]) -> bool {
    a[a.len() - 1]
}

fn magnitude(a: &[bool]) -> List {
    if sign(a) { negated(a) } else { a.to_vec() }
}

/// The four cases of the definition of `bvsdiv` and `bvsrem`.
fn signed_division(a: &[bool], b: &[bool]) -> (List, List) {
    let (q, r) = unsigned_division(&magnitude(a), &magnitude(b));
    match (sign(a), sign(b)) {
        (false, false) => (q, r),
        (true, false) => (negated(&q), negated(&r)),
        (false, true) => (negated(&q), r),
        (true, true) => (q, negated(&r)),
    }
}

/// The amount, cut at the width.
fn amount(b: &[bool]) -> usize {
    let mut n = 0usize;
    for &bit in b.iter().rev() {
        n = (2 * n + usize::from(bit)).min(b.len());
    }
    n
}

fn shifted_right(a: &[bool], by: &[bool], fill: bool) -> List {
    let n = amount(by);
    (0..a.len()).map(|i| a.get(i + n).copied().unwrap_or(fill)).collect()
}

/// What `op` means.
pub(super) fn reference(op: Op, args: &[Value]) -> Value {
    let v: Vec<List> = args.iter().map(list).collect();
    let truth = |b: bool| Value::Bool(b);
    let word = |l: List| Value::Bits(Bits::from_fn(l.len() as u32, |i| l[i as usize]));
    let each = |f: fn(bool, bool) -> bool| word(v[0].iter().zip(&v[1]).map(|(&x, &y)| f(x, y)).collect());
    let signed_below = || {
        let (mut a, mut b) = (v[0].clone(), v[1].clone());
        // A negative number is below a number that is not; otherwise the order is that of naturals.
        let last = a.len() - 1;
        if a[last] != b[last] {
            return a[last];
        }
        (a[last], b[last]) = (false, false);
        below(&a, &b)
    };
    match op {
        Op::Not => truth(!v[0][0]),
        Op::And => truth(v[0][0] & v[1][0]),
        Op::Or => truth(v[0][0] | v[1][0]),
        Op::Xor => truth(v[0][0] ^ v[1][0]),
        Op::Implies => truth(v[0][0] <= v[1][0]),
        Op::Eq => truth(v[0] == v[1]),
        Op::Ite => args[2 - usize::from(v[0][0])].clone(),
        Op::BvNot => word(v[0].iter().map(|b| !b).collect()),
        Op::BvNeg => word(negated(&v[0])),
        Op::BvAnd => each(|x, y| x & y),
        Op::BvOr => each(|x, y| x | y),
        Op::BvXor => each(|x, y| x ^ y),
        Op::BvAdd => word(sum(&v[0], &v[1])),
        Op::BvSub => word(sum(&v[0], &negated(&v[1]))),
        Op::BvMul => word(product(&v[0], &v[1])),
        Op::BvUdiv => word(unsigned_division(&v[0], &v[1]).0),
        Op::BvUrem => word(unsigned_division(&v[0], &v[1]).1),
        Op::BvSdiv => word(signed_division(&v[0], &v[1]).0),
        Op::BvSrem => word(signed_division(&v[0], &v[1]).1),
        Op::BvShl => {
            let n = amount(&v[1]);
            word((0..v[0].len()).map(|i| i >= n && v[0][i - n]).collect())
        }
        Op::BvLshr => word(shifted_right(&v[0], &v[1], false)),
        Op::BvAshr => word(shifted_right(&v[0], &v[1], sign(&v[0]))),
        Op::BvUlt => truth(below(&v[0], &v[1])),
        Op::BvUle => truth(v[0] == v[1] || below(&v[0], &v[1])),
        Op::BvSlt => truth(signed_below()),
        Op::BvSle => truth(v[0] == v[1] || signed_below()),
        Op::Concat => word([v[1].clone(), v[0].clone()].concat()),
        Op::Extract { hi, lo } => word(v[0][lo as usize..=hi as usize].to_vec()),
        Op::ZeroExt { width } => {
            let mut l = v[0].clone();
            l.resize(width as usize, false);
            word(l)
        }
        Op::Float(_) => panic!("floating-point operations have oracles of their own"),
        Op::SignExt { width } => {
            let mut l = v[0].clone();
            l.resize(width as usize, sign(&v[0]));
            word(l)
        }
    }
}

//! The canonical form of a predicate: equivalent predicates that differ only in spelling become one.
//!
//! - Comparisons are `==` and `<` only, the others are their negations; a constant stands on the right; `x < c` at the
//!   ends of the type's range is an equation.
//! - Needless conversions go: a comparison is made in the narrowest type that gives the same answer.
//! - In an equation at most one constant is left: `x + 1 == y - 2` is `x == y - 3` (modulo 2^width, so always exact).
//! - Constants are folded; what is always true or false is a constant.
//! - `'` stands at variables: `'(x + y)` is `'x + 'y`.
//! - An address has its constants in one place: `&(p + 1)[i]` is `p`, `i` and one offset.
//!
//! Every rule is exact at every width; the tests ask the solver. Only integers, pointers, addresses and truth values are
//! touched: what is said of floats stays as it is.

use ir::{Address, Base, BinOp, Expr, ExprKind, Index, IntTy, Place, Ty, UnOp};

/// A predicate `p` and a sign such that the expression is `p` if the sign is true, and `!p` otherwise. A predicate that
/// always has the same value is a constant.
pub fn canonical(e: &Expr) -> (Expr, bool) {
    assert_eq!(e.ty, Ty::Bool, "a predicate is a truth value");
    match simplify(e) {
        Expr { kind: ExprKind::Unary(UnOp::Not, p), .. } => (*p, false),
        p => match p.as_const() {
            Some(c) => (Expr::bool(true), c != 0),
            None => (p, true),
        },
    }
}

/// The atoms that a predicate is made of by `&&`, `||`, `!` and their like: canonical, each once, in order of occurrence,
/// without constants.
pub fn split(e: &Expr) -> Vec<Expr> {
    let mut atoms = Vec::new();
    let mut todo = vec![simplify(e)];
    while let Some(e) = todo.pop() {
        match e.kind {
            ExprKind::Unary(UnOp::Not, a) => todo.push(*a),
            ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne, a, b) if a.ty == Ty::Bool => {
                todo.extend([*b, *a]);
            }
            ExprKind::Ite(c, a, b) => todo.extend([*b, *a, *c]),
            ExprKind::Const(_) => {}
            kind => {
                let (atom, _) = canonical(&Expr { ty: Ty::Bool, kind });
                if atom.as_const().is_none() && !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
    }
    atoms
}

/// An equivalent expression; one of type `Bool` has its negation, if any, on top.
pub fn simplify(e: &Expr) -> Expr {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Func(_) => e.clone(),
        ExprKind::Read(place) => Expr::read(Place { addr: address(&place.addr), ..place.clone() }),
        ExprKind::Addr(addr) => match address(addr) {
            Address { base: Base::Ptr(p), offset: 0, indices } if indices.is_empty() => *p,
            addr => Expr::addr(addr),
        },
        ExprKind::Unary(op, a) => unary(*op, simplify(a)),
        ExprKind::Binary(op, a, b) => binary(*op, simplify(a), simplify(b)),
        ExprKind::Convert(a) => convert(e.ty, simplify(a)),
        ExprKind::Ite(c, a, b) => ite(simplify(c), simplify(a), simplify(b)),
        ExprKind::ObjectPredicate(predicate, a) => {
            Expr { ty: e.ty, kind: ExprKind::ObjectPredicate(*predicate, Box::new(simplify(a))) }
        }
        ExprKind::Entry(a) => entry(&simplify(a)),
    }
}

/// An equal address: constants in the offset, an address that is relative to another relative to that one's base.
fn address(addr: &Address) -> Address {
    let mut out = match &addr.base {
        Base::Var(v) => Address::var(*v),
        Base::Ptr(p) => match simplify(p) {
            Expr { kind: ExprKind::Addr(inner), .. } => inner,
            p => Address::ptr(p),
        },
    };
    out.offset = out.offset.wrapping_add(addr.offset);
    for index in &addr.indices {
        scaled(&mut out, simplify(&index.value), index.stride);
    }
    out
}

/// Adds `value * stride` to an address. An index is as wide as a pointer, so constants in it can be taken out.
fn scaled(addr: &mut Address, value: Expr, stride: i64) {
    let constant = |e: &Expr| match (e.as_const(), e.ty) {
        (Some(c), Ty::Int(i)) => Some(i.extend(c) as i64),
        _ => None,
    };
    if let Some(c) = constant(&value) {
        addr.offset = addr.offset.wrapping_add(c.wrapping_mul(stride));
        return;
    }
    match &value.kind {
        ExprKind::Binary(op @ (BinOp::Add | BinOp::Mul), x, c) if constant(c).is_some() => {
            let c = constant(c).unwrap_or(0);
            match op {
                BinOp::Add => {
                    addr.offset = addr.offset.wrapping_add(c.wrapping_mul(stride));
                    scaled(addr, (**x).clone(), stride);
                }
                _ => scaled(addr, (**x).clone(), stride.wrapping_mul(c)),
            }
        }
        _ => addr.indices.push(Index { value, stride }),
    }
}

/// `'e` with `'` at the variables; around the whole where the value is not made of variables.
fn entry(e: &Expr) -> Expr {
    let again = |kind| simplify(&Expr { ty: e.ty, kind });
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Entry(_) => e.clone(),
        ExprKind::Read(_) | ExprKind::Addr(_) | ExprKind::Func(_) | ExprKind::ObjectPredicate(..) => {
            Expr::entry(e.clone())
        }
        ExprKind::Unary(op, a) => unary(*op, entry(a)),
        ExprKind::Binary(op, a, b) => binary(*op, entry(a), entry(b)),
        ExprKind::Convert(a) => again(ExprKind::Convert(Box::new(entry(a)))),
        ExprKind::Ite(c, a, b) => ite(entry(c), entry(a), entry(b)),
    }
}

fn not(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Const(c) => Expr::bool(c == 0),
        ExprKind::Unary(UnOp::Not, a) => *a,
        _ => Expr::unary(UnOp::Not, e),
    }
}

fn unary(op: UnOp, a: Expr) -> Expr {
    match (op, a.ty) {
        (UnOp::Not, Ty::Bool) => not(a),
        (op, Ty::Int(i)) => match (op, a.as_const()) {
            (UnOp::Neg, Some(c)) => Expr::constant(a.ty, c.wrapping_neg() & i.mask()),
            (UnOp::Not, Some(c)) => Expr::constant(a.ty, !c & i.mask()),
            (_, None) => match a.kind {
                ExprKind::Unary(inner, x) if inner == op => *x,
                _ => Expr::unary(op, a),
            },
        },
        _ => Expr::unary(op, a),
    }
}

fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
    match c.as_const() {
        Some(0) => b,
        Some(_) => a,
        None if a == b => a,
        None => Expr::ite(c, a, b),
    }
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    match a.ty {
        Ty::Bool => bool_binary(op, a, b),
        Ty::Int(i) => int_binary(op, i, a, b),
        Ty::Ptr if op.is_comparison() => compare(op, a, b),
        Ty::Ptr | Ty::Float(_) => Expr::binary(op, a, b),
    }
}

fn bool_binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    // An operand that is a constant decides or drops out.
    let (a, b) = if a.as_const().is_some() { (b, a) } else { (a, b) };
    if let Some(c) = b.as_const() {
        return match (op, c != 0) {
            (BinOp::And, true) | (BinOp::Or, false) => a,
            (BinOp::And, false) => Expr::bool(false),
            (BinOp::Or, true) => Expr::bool(true),
            (BinOp::Eq, true) | (BinOp::Xor | BinOp::Ne, false) => a,
            _ => not(a),
        };
    }
    match op {
        BinOp::And | BinOp::Or if a == b => a,
        BinOp::And | BinOp::Or if not(a.clone()) == b => Expr::bool(op == BinOp::Or),
        BinOp::And | BinOp::Or => {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            Expr::binary(op, a, b)
        }
        _ => {
            let (a, flip_a) = signed(a);
            let (b, flip_b) = signed(b);
            let same = if a == b {
                Expr::bool(true)
            } else {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                Expr::binary(BinOp::Eq, a, b)
            };
            if (op == BinOp::Eq) != (flip_a != flip_b) { same } else { not(same) }
        }
    }
}

/// The operand of a negation, and whether there was one.
fn signed(e: Expr) -> (Expr, bool) {
    match e.kind {
        ExprKind::Unary(UnOp::Not, a) => (*a, true),
        _ => (e, false),
    }
}

fn int_binary(op: BinOp, i: IntTy, a: Expr, b: Expr) -> Expr {
    if op.is_comparison() {
        return compare(op, a, b);
    }
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const())
        && let Some(folded) = fold(op, i, x, y)
    {
        return folded;
    }
    let ty = a.ty;
    let zero = |e: &Expr| e.as_const() == Some(0);
    match op {
        BinOp::Add => {
            let ((a, c), (b, d)) = (offset(a, i), offset(b, i));
            let sum = match (a, b) {
                (None, None) => return Expr::constant(ty, c.wrapping_add(d)),
                (Some(x), None) | (None, Some(x)) => x,
                (Some(x), Some(y)) => {
                    let (x, y) = if x <= y { (x, y) } else { (y, x) };
                    Expr::binary(BinOp::Add, x, y)
                }
            };
            add_constant(sum, c.wrapping_add(d), i)
        }
        BinOp::Sub if a == b => Expr::constant(ty, 0),
        BinOp::Sub => match b.as_const() {
            Some(c) => int_binary(BinOp::Add, i, a, Expr::constant(ty, c.wrapping_neg() & i.mask())),
            None => Expr::binary(op, a, b),
        },
        BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => {
            // Constants last, otherwise in order.
            let swap = a.as_const().is_some() || b.as_const().is_none() && b < a;
            let (a, b) = if swap { (b, a) } else { (a, b) };
            match op {
                BinOp::Mul | BinOp::And if zero(&b) => b,
                BinOp::Mul if b.as_const() == Some(1) => a,
                BinOp::Or | BinOp::Xor if zero(&b) => a,
                BinOp::And | BinOp::Or if a == b => a,
                BinOp::And if b.as_const() == Some(i.mask()) => a,
                _ => Expr::binary(op, a, b),
            }
        }
        BinOp::Shl | BinOp::Shr if zero(&b) => a,
        _ => Expr::binary(op, a, b),
    }
}

/// The expression as something (`None` for nothing) plus a constant.
fn offset(e: Expr, i: IntTy) -> (Option<Expr>, u128) {
    if let Some(c) = e.as_const() {
        return (None, c);
    }
    match e.kind {
        ExprKind::Binary(BinOp::Add, x, c) if c.as_const().is_some() => {
            (Some(*x), c.as_const().unwrap_or(0) & i.mask())
        }
        _ => (Some(e), 0),
    }
}

fn add_constant(e: Expr, c: u128, i: IntTy) -> Expr {
    let ty = e.ty;
    if c & i.mask() == 0 { e } else { Expr::binary(BinOp::Add, e, Expr::constant(ty, c & i.mask())) }
}

/// The value of an operation on constants; `None` where another rule must decide.
fn fold(op: BinOp, i: IntTy, x: u128, y: u128) -> Option<Expr> {
    let ty = Ty::Int(i);
    let (sx, sy) = (i.extend(x), i.extend(y));
    let int = |value: u128| Some(Expr::constant(ty, value & i.mask()));
    // Of the types only `u128` has numbers that `i128` has not.
    let exact = i.width < 128 || i.signed;
    let lost = |value: Option<i128>| Some(Expr::bool(value.is_none_or(|v| i.extend(v as u128 & i.mask()) != v)));
    match op {
        BinOp::Add => int(x.wrapping_add(y)),
        BinOp::Sub => int(x.wrapping_sub(y)),
        BinOp::Mul => int(x.wrapping_mul(y)),
        BinOp::And => int(x & y),
        BinOp::Or => int(x | y),
        BinOp::Xor => int(x ^ y),
        BinOp::Shl => int(if y < u128::from(i.width) { x << y } else { 0 }),
        BinOp::Shr if i.signed => int((sx >> y.min(u128::from(i.width) - 1)) as u128),
        BinOp::Shr => int(if y < u128::from(i.width) { x >> y } else { 0 }),
        BinOp::Div if exact && y != 0 => int(sx.wrapping_div(sy) as u128),
        BinOp::Rem if exact && y != 0 => int(sx.wrapping_rem(sy) as u128),
        BinOp::AddOverflows if exact => lost(sx.checked_add(sy)),
        BinOp::SubOverflows if exact => lost(sx.checked_sub(sy)),
        BinOp::MulOverflows if exact => lost(sx.checked_mul(sy)),
        _ => None,
    }
}

/// Comparisons of integers and pointers: the result is `==` or `<`, perhaps negated, or a constant.
fn compare(op: BinOp, a: Expr, b: Expr) -> Expr {
    match op {
        BinOp::Eq => equal(a, b),
        BinOp::Ne => not(equal(a, b)),
        BinOp::Lt => less(a, b),
        BinOp::Ge => not(less(a, b)),
        BinOp::Gt => less(b, a),
        _ => not(less(b, a)),
    }
}

fn equal(a: Expr, b: Expr) -> Expr {
    if a == b {
        return Expr::bool(true);
    }
    let Ty::Int(i) = a.ty else {
        return match (a.as_const(), b.as_const()) {
            (Some(x), Some(y)) => Expr::bool(x == y),
            (Some(_), None) => Expr::binary(BinOp::Eq, b, a),
            (None, None) if b < a => Expr::binary(BinOp::Eq, b, a),
            _ => Expr::binary(BinOp::Eq, a, b),
        };
    };
    let ty = a.ty;
    let ((x, c), (y, d)) = (offset(a, i), offset(b, i));
    let difference = d.wrapping_sub(c) & i.mask();
    match (x, y) {
        (None, None) => Expr::bool(difference == 0),
        (Some(x), None) => equal_constant(x, difference, i),
        (None, Some(y)) => equal_constant(y, difference.wrapping_neg() & i.mask(), i),
        (Some(x), Some(y)) if x == y => Expr::bool(difference == 0),
        (Some(x), Some(y)) => {
            if difference == 0
                && let (Some((from, x)), Some((from_y, y))) = (widened(&x), widened(&y))
                && from == from_y
            {
                // Extension is injective, whatever the signs.
                return equal(x.clone(), y.clone());
            }
            let (x, y, c) = if x <= y { (x, y, difference) } else { (y, x, difference.wrapping_neg()) };
            debug_assert_eq!(x.ty, ty, "both sides of an equation have one type");
            Expr::binary(BinOp::Eq, x, add_constant(y, c, i))
        }
    }
}

fn equal_constant(x: Expr, c: u128, i: IntTy) -> Expr {
    match &x.kind {
        ExprKind::Convert(inner) => match inner.ty {
            Ty::Bool => match c {
                0 => not((**inner).clone()),
                1 => (**inner).clone(),
                _ => Expr::bool(false),
            },
            Ty::Int(from) if from.width <= i.width => {
                // Extension is injective: at most one value of the narrow type becomes `c`.
                let narrow = c & from.mask();
                if from.extend(narrow) as u128 & i.mask() == c {
                    equal((**inner).clone(), Expr::constant(inner.ty, narrow))
                } else {
                    Expr::bool(false)
                }
            }
            _ => Expr::binary(BinOp::Eq, x.clone(), Expr::constant(x.ty, c)),
        },
        ExprKind::Unary(UnOp::Neg, inner) => {
            equal((**inner).clone(), Expr::constant(x.ty, c.wrapping_neg() & i.mask()))
        }
        ExprKind::Unary(UnOp::Not, inner) => equal((**inner).clone(), Expr::constant(x.ty, !c & i.mask())),
        _ => {
            let ty = x.ty;
            Expr::binary(BinOp::Eq, x, Expr::constant(ty, c))
        }
    }
}

/// The type and operand of a conversion to an integer type that is at least as wide.
fn widened(e: &Expr) -> Option<(IntTy, &Expr)> {
    match (&e.kind, e.ty) {
        (ExprKind::Convert(inner), Ty::Int(to)) => match inner.ty {
            Ty::Int(from) if from.width <= to.width => Some((from, inner)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether every value of `from` has the same value in `to`.
fn keeps_values(from: IntTy, to: IntTy) -> bool {
    from == to || from.width < to.width && (to.signed || !from.signed)
}

fn less(a: Expr, b: Expr) -> Expr {
    if a == b {
        return Expr::bool(false);
    }
    let Ty::Int(i) = a.ty else { return Expr::binary(BinOp::Lt, a, b) };
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => Expr::bool(below(i, x, y)),
        (None, Some(c)) => less_than_constant(a, c, i),
        // `c < x` is `!(x < c + 1)`.
        (Some(c), None) if c == greatest(i) => Expr::bool(false),
        (Some(c), None) => not(less_than_constant(b, c.wrapping_add(1) & i.mask(), i)),
        (None, None) => {
            if let (Some((from, x)), Some((from_b, y))) = (widened(&a), widened(&b))
                && from == from_b
                && keeps_values(from, i)
            {
                return less(x.clone(), y.clone());
            }
            Expr::binary(BinOp::Lt, a, b)
        }
    }
}

fn less_than_constant(x: Expr, c: u128, i: IntTy) -> Expr {
    let (least, greatest) = (least(i), greatest(i));
    if c == least {
        return Expr::bool(false);
    }
    if c == least.wrapping_add(1) & i.mask() {
        return equal(x.clone(), Expr::constant(x.ty, least));
    }
    if c == greatest {
        return not(equal(x.clone(), Expr::constant(x.ty, greatest)));
    }
    match &x.kind {
        ExprKind::Convert(inner) if inner.ty == Ty::Bool => {
            let (at_0, at_1) = (below(i, 0, c), below(i, 1 & i.mask(), c));
            match (at_0, at_1) {
                (false, true) => (**inner).clone(),
                (true, false) => not((**inner).clone()),
                (same, _) => Expr::bool(same),
            }
        }
        ExprKind::Convert(inner) if matches!(inner.ty, Ty::Int(from) if from.width < i.width && keeps_values(from, i)) =>
        {
            let Ty::Int(from) = inner.ty else { unreachable!("just matched") };
            // Both constants below fit `i`, which is wider.
            let extended = |pattern: u128| from.extend(pattern) as u128 & i.mask();
            if !below(i, extended(self::least(from)), c) {
                Expr::bool(false)
            } else if below(i, extended(self::greatest(from)), c) {
                Expr::bool(true)
            } else {
                less_than_constant((**inner).clone(), c & from.mask(), from)
            }
        }
        _ => {
            let ty = x.ty;
            Expr::binary(BinOp::Lt, x, Expr::constant(ty, c))
        }
    }
}

fn below(i: IntTy, x: u128, y: u128) -> bool {
    if i.signed { i.extend(x) < i.extend(y) } else { x < y }
}

fn least(i: IntTy) -> u128 {
    if i.signed { 1 << (i.width - 1) } else { 0 }
}

fn greatest(i: IntTy) -> u128 {
    if i.signed { i.mask() >> 1 } else { i.mask() }
}

fn convert(to: Ty, e: Expr) -> Expr {
    if e.ty == to {
        return e;
    }
    match (e.ty, to) {
        (Ty::Int(_) | Ty::Ptr, Ty::Bool) => {
            let zero = Expr::constant(e.ty, 0);
            not(equal(e, zero))
        }
        (Ty::Int(from), Ty::Int(i)) => {
            if let Some(c) = e.as_const() {
                return Expr::constant(to, from.extend(c) as u128 & i.mask());
            }
            match &e.kind {
                // Through a type that keeps all values, or when only low bits are left in the end.
                ExprKind::Convert(inner) => match inner.ty {
                    Ty::Int(first) if keeps_values(first, from) || i.width <= from.width && i.width <= first.width => {
                        convert(to, (**inner).clone())
                    }
                    Ty::Bool => Expr::convert(to, (**inner).clone()),
                    _ => Expr::convert(to, e),
                },
                _ => Expr::convert(to, e),
            }
        }
        (Ty::Bool, Ty::Int(_)) => match e.as_const() {
            Some(c) => Expr::constant(to, c),
            None => Expr::convert(to, e),
        },
        _ => Expr::convert(to, e),
    }
}

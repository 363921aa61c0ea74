//! From terms back to IR: a term over symbols that stand for variables becomes an expression over those variables, so
//! that what the logic found prints as C, scopes like C and can be tracked as a predicate.
//!
//! Bit-vectors have no sign; expressions do. Each operation converts its operands to the signedness it needs, at the
//! same width, which changes no bit.

use ir::{BinOp, Expr, IntTy, Ty, UnOp};
use logic::{Bits, Node, Store, Symbol, Term};

/// Terms larger than this make no readable predicate.
const MAX_NODES: usize = 64;

/// The expression for `t`, if every symbol in it has one (`leaf`) and it is of a size to be read.
pub fn to_expr(store: &Store, t: Term, leaf: &dyn Fn(Symbol) -> Option<Expr>) -> Option<Expr> {
    let mut back = Back { store, leaf, left: MAX_NODES };
    back.expr(t)
}

struct Back<'a> {
    store: &'a Store,
    leaf: &'a dyn Fn(Symbol) -> Option<Expr>,
    left: usize,
}

impl Back<'_> {
    fn expr(&mut self, t: Term) -> Option<Expr> {
        self.left = self.left.checked_sub(1)?;
        if let Some(bits) = self.store.constant_of(t) {
            return constant(&bits, true);
        }
        match self.store.node(t) {
            Node::Bool(b) => Some(Expr::bool(b)),
            Node::Symbol(s) => (self.leaf)(s).filter(|e| !matches!(e.ty, Ty::Float(_))),
            Node::Not(a) => Some(self.expr(a)?.negate()),
            Node::And(a, b) => Some(Expr::binary(BinOp::And, self.expr(a)?, self.expr(b)?)),
            Node::Eq(a, b) => self.equal(a, b),
            Node::Ite(c, a, b) => self.choice(c, a, b),
            Node::BvNot(a) => {
                let a = self.expr(a)?;
                Some(Expr::unary(UnOp::Not, as_int(a)?))
            }
            Node::Bin(op, a, b) => self.binary(op, a, b),
            Node::Concat(hi, lo) => {
                let (hi_width, lo_width) = (self.store.width(hi), self.store.width(lo));
                let ty = int(hi_width + lo_width, false)?;
                let hi = Expr::convert(ty, with_sign(self.expr(hi)?, false)?);
                let lo = Expr::convert(ty, with_sign(self.expr(lo)?, false)?);
                let shifted = Expr::binary(BinOp::Shl, hi, Expr::int(ty, i128::from(lo_width)));
                Some(Expr::binary(BinOp::Or, shifted, lo))
            }
            Node::Extract { hi, lo, arg } => {
                let arg = with_sign(self.expr(arg)?, false)?;
                let ty = arg.ty;
                let shifted = if lo == 0 { arg } else { Expr::binary(BinOp::Shr, arg, Expr::int(ty, i128::from(lo))) };
                Some(Expr::convert(int(hi - lo + 1, false)?, shifted))
            }
            Node::ZeroExt { width, arg } => self.extension(width, arg, false),
            Node::SignExt { width, arg } => self.extension(width, arg, true),
            Node::Small { .. } | Node::Wide(_) => unreachable!("constants were handled"),
            Node::Select(..) | Node::Store(..) | Node::SetRange { .. } | Node::CopyRange { .. } => None,
        }
    }

    fn extension(&mut self, width: u32, arg: Term, signed: bool) -> Option<Expr> {
        let arg = self.expr(arg)?;
        // A truth value widened is C's conversion of it.
        let arg = if arg.ty == Ty::Bool { arg } else { with_sign(arg, signed)? };
        Some(Expr::convert(int(width, signed)?, arg))
    }

    /// Both operands, the constant one with the other's type.
    fn operands(&mut self, a: Term, b: Term) -> Option<(Expr, Expr)> {
        let (x, y) = (self.expr(a)?, self.expr(b)?);
        if x.ty == y.ty {
            return Some((x, y));
        }
        if x.ty == Ty::Ptr || y.ty == Ty::Ptr {
            return Some((with_sign(as_int(x)?, false)?, with_sign(as_int(y)?, false)?));
        }
        let ty = if x.as_const().is_some() { y.ty } else { x.ty };
        Some((retype(x, ty)?, retype(y, ty)?))
    }

    fn equal(&mut self, a: Term, b: Term) -> Option<Expr> {
        let (x, y) = self.operands(a, b)?;
        Some(Expr::binary(BinOp::Eq, x, y))
    }

    fn choice(&mut self, c: Term, a: Term, b: Term) -> Option<Expr> {
        let c = self.expr(c)?;
        let (x, y) = self.operands(a, b)?;
        if x.as_const() == Some(1) && y.as_const() == Some(0) && matches!(x.ty, Ty::Int(_)) {
            return Some(Expr::convert(x.ty, c));
        }
        Some(Expr::ite(c, x, y))
    }

    fn binary(&mut self, op: logic::BinOp, a: Term, b: Term) -> Option<Expr> {
        use logic::BinOp as L;
        let (x, y) = self.operands(a, b)?;
        let (x, y) = (as_int(x)?, as_int(y)?);
        let (op, sign) = match op {
            L::And => (BinOp::And, None),
            L::Or => (BinOp::Or, None),
            L::Xor => (BinOp::Xor, None),
            L::Add => return sum(x, y),
            L::Mul => (BinOp::Mul, None),
            L::Udiv => (BinOp::Div, Some(false)),
            L::Urem => (BinOp::Rem, Some(false)),
            L::Sdiv => (BinOp::Div, Some(true)),
            L::Srem => (BinOp::Rem, Some(true)),
            L::Shl => (BinOp::Shl, None),
            L::Lshr => (BinOp::Shr, Some(false)),
            L::Ashr => (BinOp::Shr, Some(true)),
            L::Ult => (BinOp::Lt, Some(false)),
            L::Slt => (BinOp::Lt, Some(true)),
        };
        match sign {
            None => Some(Expr::binary(op, x, y)),
            Some(signed) => Some(Expr::binary(op, with_sign(x, signed)?, with_sign(y, signed)?)),
        }
    }
}

/// `x + y`, written as a difference where the terms have a product with -1.
fn sum(x: Expr, y: Expr) -> Option<Expr> {
    let minus = |e: &Expr| match &e.kind {
        ir::ExprKind::Binary(BinOp::Mul, a, b) => {
            let Ty::Int(ty) = e.ty else { return None };
            let minus_one = |k: &Expr| k.as_const() == Some(ty.mask());
            if minus_one(b) { Some((**a).clone()) } else { minus_one(a).then(|| (**b).clone()) }
        }
        _ => None,
    };
    Some(match (minus(&x), minus(&y)) {
        (_, Some(y)) => Expr::binary(BinOp::Sub, x, y),
        (Some(x), None) => Expr::binary(BinOp::Sub, y, x),
        (None, None) => Expr::binary(BinOp::Add, x, y),
    })
}

fn int(width: u32, signed: bool) -> Option<Ty> {
    (1..=128).contains(&width).then(|| Ty::int(width as u16, signed))
}

fn constant(bits: &Bits, signed: bool) -> Option<Expr> {
    Some(Expr::constant(int(bits.width(), signed)?, bits.to_u128()?))
}

/// The same bits as an integer.
fn as_int(e: Expr) -> Option<Expr> {
    match e.ty {
        Ty::Int(_) => Some(e),
        // Pointers print as the integers they are compared with; their width is only known to the data model.
        Ty::Ptr | Ty::Bool | Ty::Float(_) => None,
    }
}

/// The same bits with this signedness.
fn with_sign(e: Expr, signed: bool) -> Option<Expr> {
    let Ty::Int(IntTy { width, .. }) = e.ty else { return None };
    retype(e, Ty::int(width, signed))
}

/// The same bits as a type of the same width.
fn retype(e: Expr, ty: Ty) -> Option<Expr> {
    match (e.ty, ty) {
        (a, b) if a == b => Some(e),
        (Ty::Int(a), Ty::Int(b)) if a.width == b.width => Some(match e.as_const() {
            Some(c) => Expr::constant(ty, c),
            None => Expr::convert(ty, e),
        }),
        _ => None,
    }
}

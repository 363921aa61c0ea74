//! From terms back to IR: a term over symbols that stand for variables becomes an expression over those variables, so
//! that what the logic found prints as C, scopes like C and can be tracked as a predicate.
//!
//! A read of a map becomes a read through a pointer: the leaf of the map's symbol is a read of the right type, and its
//! address is the sum of a pointer (a leaf or a read), a constant and scaled indices.
//!
//! Bit-vectors have no sign; expressions do. Each operation converts its operands to the signedness it needs, at the
//! same width, which changes no bit.

use crate::bytes::{byte_read, parts};
use ir::{BinOp, Expr, IntTy, Ty, UnOp};
use logic::{Bits, Node, Store, Symbol, Term};

/// Terms larger than this make no readable predicate.
const MAX_NODES: usize = 64;

/// The expression for `t`, if every symbol in it has one (`leaf`) and it is of a size to be read.
pub fn to_expr(store: &Store, t: Term, leaf: &dyn Fn(Symbol) -> Option<Expr>) -> Option<Expr> {
    let mut back = Back { store, leaf, left: MAX_NODES };
    back.expr(t)
}

/// The equation of two terms, under the same conditions.
pub(crate) fn to_equation(store: &Store, a: Term, b: Term, leaf: &dyn Fn(Symbol) -> Option<Expr>) -> Option<Expr> {
    let mut back = Back { store, leaf, left: MAX_NODES };
    back.equal(a, b)
}

/// The pointer for an address, under the same conditions.
pub(crate) fn to_pointer(store: &Store, t: Term, leaf: &dyn Fn(Symbol) -> Option<Expr>) -> Option<Expr> {
    let mut back = Back { store, leaf, left: MAX_NODES };
    back.pointer(t)
}

pub(crate) struct Back<'a> {
    pub(crate) store: &'a Store,
    pub(crate) leaf: &'a dyn Fn(Symbol) -> Option<Expr>,
    left: usize,
}

impl Back<'_> {
    pub(crate) fn expr(&mut self, t: Term) -> Option<Expr> {
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
                let a = self.int(a)?;
                Some(Expr::unary(UnOp::Not, a))
            }
            Node::Bin(op, a, b) => self.binary(op, a, b),
            Node::Float1(op, a) => self.float_operation(op, &[a]),
            Node::Float2(op, a, b) => self.float_operation(op, &[a, b]),
            Node::Float3(..) => None,
            Node::Concat(hi, lo) => self.concatenated(t).or_else(|| self.joined(hi, lo)),
            Node::Extract { hi, lo, arg } => {
                let arg = with_sign(self.int(arg)?, false)?;
                let ty = arg.ty;
                let shifted = if lo == 0 { arg } else { Expr::binary(BinOp::Shr, arg, Expr::int(ty, i128::from(lo))) };
                Some(Expr::convert(int(hi - lo + 1, false)?, shifted))
            }
            Node::ZeroExt { width, arg } => self.extension(width, arg, false),
            Node::SignExt { width, arg } => self.extension(width, arg, true),
            Node::Small { .. } | Node::Wide(_) => unreachable!("constants were handled"),
            Node::Select(map, addr) => self.select(map, addr),
            Node::Store(..) | Node::SetRange { .. } | Node::CopyRange { .. } => None,
        }
    }

    /// The same bits as an integer of this signedness.
    pub(crate) fn int_with_sign(&mut self, t: Term, signed: bool) -> Option<Expr> {
        with_sign(self.int(t)?, signed)
    }

    /// The same bits as an integer.
    fn int(&mut self, t: Term) -> Option<Expr> {
        let e = self.expr(t)?;
        match e.ty {
            Ty::Int(_) => Some(e),
            Ty::Ptr => Some(Expr::convert(int(self.store.width(t), false)?, e)),
            Ty::Bool | Ty::Float(_) => None,
        }
    }

    /// A concatenation of neighbouring bytes in memory.
    fn concatenated(&mut self, t: Term) -> Option<Expr> {
        let (mut bytes, mut rest) = (Vec::new(), t);
        while let Node::Concat(hi, lo) = self.store.node(rest) {
            bytes.push(hi);
            rest = lo;
        }
        bytes.push(rest);
        self.word(&bytes)
    }

    /// Two parts of a number.
    fn joined(&mut self, hi: Term, lo: Term) -> Option<Expr> {
        let (hi_width, lo_width) = (self.store.width(hi), self.store.width(lo));
        let ty = int(hi_width + lo_width, false)?;
        let hi = Expr::convert(ty, with_sign(self.int(hi)?, false)?);
        let lo = Expr::convert(ty, with_sign(self.int(lo)?, false)?);
        let shifted = Expr::binary(BinOp::Shl, hi, Expr::int(ty, i128::from(lo_width)));
        Some(Expr::binary(BinOp::Or, shifted, lo))
    }

    /// The word whose bytes, highest first, are read one by one: a pointer where it has that size and the map has pointers.
    fn word(&mut self, bytes: &[Term]) -> Option<Expr> {
        let (map, at) = byte_read(self.store, *bytes.last()?)?;
        let (base, low) = parts(self.store, at)?;
        for (i, &byte) in bytes.iter().rev().enumerate() {
            let (m, a) = byte_read(self.store, byte)?;
            if m != map || parts(self.store, a)? != (base, low.wrapping_add(i as u64)) {
                return None;
            }
        }
        // Memory holds numbers of these sizes.
        let whole = matches!(bytes.len(), 1 | 2 | 4 | 8);
        if whole { self.read(map, at, 8 * bytes.len() as u32) } else { None }
    }

    /// A read of memory. Under [`Expr::entry`] the address is one of the entry state too.
    fn select(&mut self, map: Term, addr: Term) -> Option<Expr> {
        let logic::Sort::Map { value, .. } = self.store.sort(map) else { return None };
        self.read(map, addr, value)
    }

    /// A read of so many bits. The leaf of a map of words is a read of one; that of a map of bytes is the read of a pointer
    /// if there are any in it.
    fn read(&mut self, map: Term, addr: Term, width: u32) -> Option<Expr> {
        let pointer_width = self.store.width(addr);
        let template = (self.leaf)(self.store.as_symbol(map)?)?;
        let (entry, template) = match template.kind {
            ir::ExprKind::Entry(inner) => (true, *inner),
            _ => (false, template),
        };
        let ir::ExprKind::Read(mut place) = template.kind else { return None };
        let addr = self.address(addr)?;
        place.addr = if entry { entry_address(addr)? } else { addr };
        place.ty = match place.ty {
            Ty::Ptr if width != pointer_width => int(width, true)?,
            Ty::Int(_) => int(width, true)?,
            ty => ty,
        };
        let read = Expr::read(place);
        Some(if entry { Expr::entry(read) } else { read })
    }

    /// An address: one summand is a pointer, the others are offsets.
    fn address(&mut self, t: Term) -> Option<ir::Address> {
        let width = self.store.width(t);
        let (mut base, mut offset, mut indices) = (None, 0i64, Vec::new());
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if let Some(bits) = self.store.constant_of(t) {
                offset = offset.wrapping_add(signed(&bits)?);
                continue;
            }
            match self.store.node(t) {
                Node::Bin(logic::BinOp::Add, a, b) => todo.extend([b, a]),
                Node::Bin(logic::BinOp::Mul, a, b) if self.store.is_const(b) => {
                    let value = with_sign(self.int(a)?, true)?;
                    indices.push(ir::Index { value, stride: signed(&self.store.constant_of(b)?)? });
                }
                _ => match self.expr(t)? {
                    e if e.ty == Ty::Ptr && base.is_none() => base = Some(e),
                    e if matches!(e.ty, Ty::Int(_)) => {
                        indices.push(ir::Index { value: with_sign(e, true)?, stride: 1 });
                    }
                    _ => indices.push(ir::Index { value: with_sign(self.int(t)?, true)?, stride: 1 }),
                },
            }
        }
        if indices.iter().any(|i| i.value.ty != Ty::int(width as u16, true)) {
            return None;
        }
        let mut addr = match base?.kind {
            ir::ExprKind::Addr(addr) => addr,
            kind => ir::Address::ptr(Expr { ty: Ty::Ptr, kind }),
        };
        addr.offset = addr.offset.wrapping_add(offset);
        addr.indices.extend(indices);
        Some(addr)
    }

    /// A pointer, as a sum if need be.
    fn pointer(&mut self, t: Term) -> Option<Expr> {
        if self.store.constant_of(t).is_some_and(|c| c.is_zero()) {
            return Some(Expr::null());
        }
        match self.store.node(t) {
            Node::Bin(logic::BinOp::Add, ..) => Some(Expr::addr(self.address(t)?)),
            _ => self.expr(t).filter(|e| e.ty == Ty::Ptr),
        }
    }

    /// Both as pointers, if one of them is.
    fn pointers(&mut self, a: Term, b: Term) -> Option<(Expr, Expr)> {
        let left = self.left;
        let found =
            self.pointer(a).zip(self.pointer(b)).filter(|(x, y)| x.as_const().is_none() || y.as_const().is_none());
        if found.is_none() {
            self.left = left;
        }
        found
    }

    fn extension(&mut self, width: u32, arg: Term, signed: bool) -> Option<Expr> {
        // A truth value widened is C's conversion of it.
        let arg = if self.store.sort(arg) == logic::Sort::Bool {
            self.expr(arg)?
        } else {
            with_sign(self.int(arg)?, signed)?
        };
        Some(Expr::convert(int(width, signed)?, arg))
    }

    /// Both operands, the constant one with the other's type.
    fn operands(&mut self, a: Term, b: Term) -> Option<(Expr, Expr)> {
        let (x, y) = (self.expr(a)?, self.expr(b)?);
        if x.ty == y.ty {
            return Some((x, y));
        }
        if x.ty == Ty::Ptr || y.ty == Ty::Ptr {
            return Some((with_sign(self.int(a)?, false)?, with_sign(self.int(b)?, false)?));
        }
        let ty = if x.as_const().is_some() { y.ty } else { x.ty };
        Some((retype(x, ty)?, retype(y, ty)?))
    }

    fn equal(&mut self, a: Term, b: Term) -> Option<Expr> {
        if self.store.sort(a) != logic::Sort::Bool
            && let Some((x, y)) = self.pointers(a, b)
        {
            return Some(Expr::binary(BinOp::Eq, x, y));
        }
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
        if op == L::Ult
            && let Some((x, y)) = self.pointers(a, b)
        {
            return Some(Expr::binary(BinOp::Lt, x, y));
        }
        let (x, y) = match self.operands(a, b)? {
            (x, y) if x.ty == Ty::Ptr && y.ty == Ty::Ptr => (self.int(a)?, self.int(b)?),
            both => both,
        };
        if !matches!((x.ty, y.ty), (Ty::Int(_), Ty::Int(_))) {
            return None;
        }
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

/// A constant with its sign.
fn signed(bits: &Bits) -> Option<i64> {
    let unsigned = bits.to_u64()?;
    let shift = 64 - bits.width().min(64);
    Some(((unsigned << shift) as i64) >> shift)
}

/// The same address with everything read in the state at entry, if all of it is.
pub(crate) fn entry_address(addr: ir::Address) -> Option<ir::Address> {
    let base = match addr.base {
        ir::Base::Var(v @ ir::Var::Global(_)) => ir::Base::Var(v),
        ir::Base::Var(ir::Var::Local(_)) => return None,
        ir::Base::Ptr(p) => ir::Base::Ptr(Box::new(at_entry(*p)?)),
    };
    let index = |i: ir::Index| Some(ir::Index { value: at_entry(i.value)?, stride: i.stride });
    let indices = addr.indices.into_iter().map(index).collect::<Option<_>>()?;
    Some(ir::Address { base, offset: addr.offset, indices })
}

/// What an expression over entry values is, seen from the entry.
fn at_entry(e: Expr) -> Option<Expr> {
    match e.kind {
        ir::ExprKind::Entry(inner) => Some(*inner),
        ir::ExprKind::Const(_) => Some(e),
        ir::ExprKind::Convert(inner) => Some(Expr::convert(e.ty, at_entry(*inner)?)),
        ir::ExprKind::Binary(op, a, b) => Some(Expr::binary(op, at_entry(*a)?, at_entry(*b)?)),
        _ => None,
    }
}

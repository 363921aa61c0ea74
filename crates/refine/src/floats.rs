//! Floating-point terms back to IR. A pattern becomes a number where an operation says which format it has.

use crate::back::Back;
use ir::{BinOp, DataModel, Expr, ExprKind, FloatTy, Place, Ty, UnOp};
use logic::{FloatKind, FloatOp, Format, Node, Rounding, Term};

fn type_of(format: Format) -> Option<FloatTy> {
    [FloatTy::F16, FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128]
        .into_iter()
        .find(|&ty| vc::float::format(ty) == format)
}

impl Back<'_> {
    /// The expression of an operation, if IR has it.
    pub(crate) fn float_operation(&mut self, op: FloatOp, args: &[Term]) -> Option<Expr> {
        let ty = type_of(op.format)?;
        let nearest = op.rounding == Rounding::NearestEven;
        let binary = match op.kind {
            FloatKind::Add => BinOp::Add,
            FloatKind::Sub => BinOp::Sub,
            FloatKind::Mul => BinOp::Mul,
            FloatKind::Div => BinOp::Div,
            FloatKind::Eq => BinOp::Eq,
            FloatKind::Lt => BinOp::Lt,
            FloatKind::Le => BinOp::Le,
            FloatKind::Convert { to } if nearest => {
                let x = self.float(args[0], ty)?;
                return Some(Expr::convert(Ty::Float(type_of(to)?), x));
            }
            FloatKind::FromInt { signed, .. } if nearest => {
                let x = self.int_with_sign(args[0], signed)?;
                return Some(Expr::convert(Ty::Float(ty), x));
            }
            FloatKind::ToInt { width, signed } if op.rounding == Rounding::Zero && width <= 128 => {
                let x = self.float(args[0], ty)?;
                return Some(Expr::convert(Ty::int(width as u16, signed), x));
            }
            _ => return None,
        };
        if !nearest {
            return None;
        }
        Some(Expr::binary(binary, self.float(args[0], ty)?, self.float(args[1], ty)?))
    }

    /// The number of this type that a pattern is.
    fn float(&mut self, t: Term, ty: FloatTy) -> Option<Expr> {
        let format = vc::float::format(ty);
        if self.store.width(t) != format.width() {
            return None;
        }
        if let Some(bits) = self.store.constant_of(t) {
            return Some(Expr::constant(Ty::Float(ty), bits.to_u128()?));
        }
        if let Some(inner) = self.store.float_negated(format, t) {
            return Some(Expr::unary(UnOp::Neg, self.float(inner, ty)?));
        }
        match self.store.node(t) {
            Node::Symbol(s) => (self.leaf)(s).filter(|e| e.ty == Ty::Float(ty)),
            Node::Ite(c, a, b) => Some(Expr::ite(self.expr(c)?, self.float(a, ty)?, self.float(b, ty)?)),
            Node::Float1(..) | Node::Float2(..) | Node::Float3(..) => self.expr(t).filter(|e| e.ty == Ty::Float(ty)),
            // In memory the extended format does not fill its bytes.
            Node::Extract { hi: 79, lo: 0, arg } if ty == FloatTy::F80 => {
                let e = self.expr(arg)?;
                as_float(e, Ty::Float(ty), 8 * Ty::Float(ty).size(DataModel::Lp64))
            }
            // What was read as an integer of the same size is read as a number.
            _ => {
                let e = self.expr(t)?;
                as_float(e, Ty::Float(ty), 8 * u64::from(format.width().div_ceil(8)))
            }
        }
    }
}

fn as_float(e: Expr, ty: Ty, width: u64) -> Option<Expr> {
    match e.kind {
        ExprKind::Read(place)
            if matches!(place.ty, Ty::Int(i) if u64::from(i.width) == width) && place.bits.is_none() =>
        {
            Some(Expr::read(Place { ty, ..place }))
        }
        ExprKind::Entry(inner) => Some(Expr::entry(as_float(*inner, ty, width)?)),
        _ => None,
    }
}

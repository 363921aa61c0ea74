//! Random expressions and places.

use super::Gen;
use crate::interp::float_pattern;
use crate::syntax::*;
use base::Id;

impl Gen<'_> {
    /// Small numbers and the borders of the type more often than others.
    pub(super) fn constant(&mut self, ty: Ty) -> Expr {
        let bits = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
        match ty {
            Ty::Bool => Expr::bool(bits & 1 == 1),
            Ty::Ptr if self.rng.chance(80) => Expr::null(),
            Ty::Ptr => Expr::constant(Ty::Ptr, bits >> (128 - u32::from(self.program.model.ptr_width()))),
            Ty::Float(f) => Expr::constant(ty, float_pattern(f, self.rng.below(12), bits)),
            Ty::Int(i) => {
                let top = 1u128 << (i.width - 1);
                let pattern = match self.rng.below(10) {
                    0..=5 => self.rng.below(6) as u128,
                    6 => u128::MAX,
                    7 => top,
                    8 => top - 1,
                    _ => bits,
                };
                Expr::constant(ty, pattern)
            }
        }
    }

    /// The scalar variables of type `ty` that `func` can name.
    pub(super) fn vars(&self, func: FuncId, ty: Ty) -> Vec<Var> {
        let globals = self.program.globals.iter_enumerated().filter(|(_, g)| g.shape == Shape::Scalar(ty));
        let locals = self.program.functions[func].locals.iter_enumerated();
        let locals = locals.filter(|(_, l)| l.shape == Shape::Scalar(ty));
        globals.map(|(g, _)| Var::Global(g)).chain(locals.map(|(l, _)| Var::Local(l))).collect()
    }

    /// The variables of `func` that can live in memory.
    pub(super) fn memory_vars(&self, func: FuncId) -> Vec<Var> {
        let globals = self.program.globals.iter_enumerated().filter(|(_, g)| self.has_memory_shape(g.shape));
        let locals = self.program.functions[func].locals.iter_enumerated();
        // Scalars now and then; parameters and the rest mostly stay plain values.
        let locals =
            locals.filter(|(l, v)| v.shape.scalar().is_none() || (l.index() == 0 && self.has_memory_shape(v.shape)));
        let globals = globals.filter(|(g, v)| v.shape.scalar().is_none() || g.index() == 0);
        globals.map(|(g, _)| Var::Global(g)).chain(locals.map(|(l, _)| Var::Local(l))).collect()
    }

    /// An address: mostly inside some object.
    pub(super) fn address(&mut self, func: FuncId, depth: usize) -> Address {
        let pointers = self.vars(func, Ty::Ptr);
        let objects = self.memory_vars(func);
        let mut addr = if objects.is_empty() || (!pointers.is_empty() && self.rng.chance(30)) {
            match pointers.is_empty() {
                true => Address::ptr(self.constant(Ty::Ptr)),
                false => Address::ptr(Expr::var(*self.rng.pick(&pointers), Ty::Ptr)),
            }
        } else {
            Address::var(*self.rng.pick(&objects))
        };
        if self.rng.chance(50) {
            addr.offset = 4 * self.rng.below(2) as i64;
        } else if self.rng.chance(3) {
            addr.offset = -(self.rng.below(64) as i64);
        }
        if self.rng.chance(30) {
            let ty = self.program.model.index_ty();
            let value = self.expr(func, ty, depth.min(1));
            let value = Expr::binary(BinOp::And, value, Expr::int(ty, 1));
            addr.indices.push(Index { value, stride: *self.rng.pick(&[4, 4, 4, 2, 1, -4]) });
        }
        addr
    }

    /// A place of type `ty` in memory.
    pub(super) fn memory_place(&mut self, func: FuncId, ty: Ty, depth: usize) -> Place {
        let addr = self.address(func, depth);
        let bits = match ty {
            Ty::Int(i) if self.rng.chance(20) => {
                let lo = self.rng.below(u64::from(i.width)) as u16;
                Some(BitRange { lo, width: 1 + self.rng.below(u64::from(i.width - lo)) as u16 })
            }
            _ => None,
        };
        let label = if self.rng.chance(30) { Label::new("s.\"field\"") } else { Label::default() };
        Place { addr, ty, bits, label }
    }

    fn can_be_in_memory(&self, ty: Ty) -> bool {
        self.knobs.memory && self.has_memory_shape(Shape::Scalar(ty))
    }

    pub(super) fn expr(&mut self, func: FuncId, ty: Ty, depth: usize) -> Expr {
        let vars = self.vars(func, ty);
        if ty == Ty::Ptr && self.rng.chance(60) {
            // Mostly pointers that can be used.
            return Expr::addr(self.address(func, 0));
        }
        if depth == 0 || self.rng.chance(15) {
            return if vars.is_empty() || self.rng.chance(40) {
                self.constant(ty)
            } else {
                Expr::var(*self.rng.pick(&vars), ty)
            };
        }
        let depth = depth - 1;
        match self.rng.below(20) {
            0..=1 => {
                let cond = self.expr(func, Ty::Bool, depth);
                let then = self.expr(func, ty, depth);
                Expr::ite(cond, then, self.expr(func, ty, depth))
            }
            2..=4 => {
                let from = self.scalar_ty();
                match (from, ty) {
                    (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)) => self.constant(ty),
                    _ => Expr::convert(ty, self.expr(func, from, depth)),
                }
            }
            5..=6 if self.can_be_in_memory(ty) => Expr::read(self.memory_place(func, ty, depth)),
            _ => self.operation(func, ty, depth),
        }
    }

    fn operation(&mut self, func: FuncId, ty: Ty, depth: usize) -> Expr {
        match ty {
            Ty::Ptr => match self.rng.below(4) {
                0 => Expr::func(FuncId::from_index(self.rng.index(self.program.functions.len()))),
                _ => Expr::addr(self.address(func, depth)),
            },
            Ty::Bool if self.rng.chance(70) => self.comparison(func, depth),
            Ty::Bool | Ty::Int(_) | Ty::Float(_) => {
                let e = self.expr(func, ty, depth);
                if self.rng.chance(15) {
                    let op = match ty {
                        Ty::Bool => UnOp::Not,
                        Ty::Float(_) => UnOp::Neg,
                        _ => *self.rng.pick(&[UnOp::Neg, UnOp::Not]),
                    };
                    return Expr::unary(op, e);
                }
                let ops: Vec<BinOp> =
                    BinOp::ALL.into_iter().filter(|op| op.takes(ty) && (ty == Ty::Bool || !op.gives_bool())).collect();
                let op = *self.rng.pick(&ops);
                let right = self.expr(func, ty, depth);
                Expr::binary(op, e, right)
            }
        }
    }

    /// A truth value made from operands of any type.
    fn comparison(&mut self, func: FuncId, depth: usize) -> Expr {
        if self.knobs.memory && self.rng.chance(20) {
            let predicate = match self.rng.below(5) {
                0 => ObjectPredicate::InBounds(self.rng.below(9)),
                1 => ObjectPredicate::Alive,
                2 => ObjectPredicate::Freeable,
                3 => ObjectPredicate::Foreign,
                _ => ObjectPredicate::Callable(self.rng.below(4) as u32),
            };
            let e = self.expr(func, Ty::Ptr, depth);
            return Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(predicate, Box::new(e)) };
        }
        let ty = self.scalar_ty();
        if let (Ty::Float(_), true) = (ty, self.rng.chance(20)) {
            let e = self.expr(func, ty, depth);
            let predicate = ObjectPredicate::FitsInt(IntTy { width: 32, signed: self.rng.chance(50) });
            return Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(predicate, Box::new(e)) };
        }
        let ops: Vec<BinOp> = BinOp::ALL.into_iter().filter(|op| op.takes(ty) && op.gives_bool()).collect();
        let op = *self.rng.pick(&ops);
        let left = self.expr(func, ty, depth);
        let right = self.expr(func, ty, depth);
        Expr::binary(op, left, right)
    }
}

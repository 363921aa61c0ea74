//! Values of expressions, evaluation for effect, and the order of evaluation.
//!
//! [`Fun::value`] emits the steps that an expression needs and returns what is left: a pure IR expression over the state
//! at the location reached. It stays meaningful only until something writes; whoever evaluates something else first calls
//! [`Fun::protect`], which moves the value to a temporary exactly if a later operand may change it.

use crate::effects::Effects;
use crate::fold;
use crate::function::{Fun, Home};
use base::Span;
use cfront::tree::{BinOp, Builtin, CastKind, ExprId, ExprKind, FloatId, VarId};
use cfront::types::TypeId;
use ir::{Address, Base, Expr, FloatTy, LocalId, ObjectPredicate, Ty, Ub, Var};

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Nobody needs it.
    Nothing,
    /// It is used.
    Value,
    /// It goes to this scalar variable, which has its type.
    Into(Var),
}

/// What a part of an expression reads.
#[derive(Default)]
struct Reads {
    memory: bool,
    locals: Vec<LocalId>,
}

/// What a part of an expression may write.
#[derive(Default)]
struct Writes {
    memory: bool,
    everything: bool,
    vars: Vec<VarId>,
}

/// How many nodes to look at before assuming that everything is written.
const MAX_LOOK: usize = 200;

impl<'a> Fun<'a, '_> {
    /// The value of a scalar expression.
    pub(crate) fn value(&mut self, e: ExprId) -> Expr {
        let value = self.raw_value(e);
        if self.effects(e).tall { self.keep(value, self.unit.exprs[e].span) } else { value }
    }

    fn raw_value(&mut self, e: ExprId) -> Expr {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::Int(v) => match self.scalar(x.ty) {
                Some(ty @ Ty::Int(i)) => {
                    // The number is given modulo 2^64; for a wider type its sign says how it goes on.
                    let wide = if i.signed { i128::from(v as i64) as u128 } else { u128::from(v) };
                    Expr::constant(ty, wide)
                }
                Some(ty) => Expr::constant(ty, u128::from(v)),
                None => self.no_value(e),
            },
            ExprKind::Float(f) => self.float(e, f),
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::CompoundLiteral(_) => {
                let lv = self.lvalue(e);
                self.read(lv, x.span)
            }
            ExprKind::Func(f) => self.function_address(f),
            ExprKind::Str(_) => self.no_value(e),
            ExprKind::AddrOf(p) => self.address_of(p),
            ExprKind::LabelAddr(l) => self.cx.label_address(self.u, l),
            ExprKind::Unary(op, a) => {
                let a = self.value(a);
                self.unary(op, a)
            }
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, x.span),
            ExprKind::LogAnd(a, b) => self.connective(e, true, a, b),
            ExprKind::LogOr(a, b) => self.connective(e, false, a, b),
            ExprKind::Cond(c, a, b) => self.choice(e, c, a, b),
            ExprKind::Assign(lhs, rhs) => self.assign(lhs, rhs, Want::Value, x.span),
            ExprKind::AssignOp { op, lhs, rhs, comp } => self.assign_op(op, lhs, rhs, comp, Want::Value, x.span),
            ExprKind::IncDec { op, place, comp } => self.inc_dec(op, place, comp, Want::Value, x.span),
            // A result of a type that is not represented is as good as any: the call is not followed.
            ExprKind::Call(..) => {
                let result = self.call(e, Want::Value).filter(|_| self.scalar(x.ty).is_some());
                result.unwrap_or_else(|| self.dummy(e))
            }
            ExprKind::Builtin(b, list) => self.builtin(e, b, list, Want::Value).unwrap_or_else(|| self.dummy(e)),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.value(b)
            }
            ExprKind::Cast(kind, a, _) => self.cast(e, kind, a),
            ExprKind::StmtExpr(block, value) => self.value_of_block(x.span, |fun| {
                fun.before_value(block);
                match value {
                    Some(v) => fun.value(v),
                    None => fun.dummy(e),
                }
            }),
            ExprKind::Let(v, init, body) => {
                self.bind(v, init, x.span);
                self.value(body)
            }
            ExprKind::Unsupported(why) => self.refuse(e, &unit.reasons[why]),
        }
    }

    /// Something that cannot be lowered.
    pub(crate) fn refuse(&mut self, e: ExprId, why: &str) -> Expr {
        self.unsupported(why, self.unit.exprs[e].span);
        self.dummy(e)
    }

    /// Declares a hidden variable with a value.
    pub(crate) fn bind(&mut self, v: VarId, init: ExprId, span: Span) {
        match self.home(v) {
            Home::At(var) if self.shape(var).scalar().is_some() => self.store_var(var, init),
            Home::At(var) if self.unit.types.is_aggregate(self.unit.exprs[init].ty) => {
                self.record_to_variable(init, var);
            }
            _ => self.unsupported("hidden variable without a value", span),
        }
    }

    fn float(&mut self, e: ExprId, f: FloatId) -> Expr {
        let lit = &self.unit.floats[f];
        match self.scalar(self.unit.exprs[e].ty) {
            Some(ty @ Ty::Float(FloatTy::F32)) => Expr::constant(ty, u128::from(lit.single.to_bits())),
            Some(ty @ Ty::Float(FloatTy::F64)) => Expr::constant(ty, u128::from(lit.double.to_bits())),
            Some(ty @ Ty::Float(wide @ (FloatTy::F16 | FloatTy::F80 | FloatTy::F128))) => {
                match ir::float_literal(&lit.text, wide) {
                    Some(pattern) => Expr::constant(ty, pattern),
                    None => self.refuse(e, "constant of a wide floating type"),
                }
            }
            _ => self.no_value(e),
        }
    }

    /// The address of a function.
    pub(crate) fn function_address(&mut self, f: cfront::tree::FuncId) -> Expr {
        let entity = self.cx.link.func(self.cx.units, self.u, f);
        if self.cx.n_captures(entity) > 0 {
            let span = self.unit.funcs[f].span;
            return self.closure(entity, span);
        }
        let address = Expr::func(self.cx.declare(entity));
        self.weak_address(f, address)
    }

    /// `&place` or `&function`.
    fn address_of(&mut self, p: ExprId) -> Expr {
        match self.unit.exprs[p].kind {
            ExprKind::Func(f) => self.function_address(f),
            // `&*p` is `p`, whatever it points to.
            ExprKind::Deref(ptr) => {
                let outer = std::mem::replace(&mut self.address_only, true);
                let value = self.value(ptr);
                self.address_only = outer;
                value
            }
            _ => {
                let addr = self.place_of(p, true);
                self.pointer(addr)
            }
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> Expr {
        let unit = self.unit;
        let left = self.value(a);
        let left = self.protect(left, &[b], span);
        let right = self.value(b);
        match (op, unit.types.pointee(unit.exprs[a].ty)) {
            (BinOp::PtrAdd, Some(elem)) => self.offset_pointer(left, right, elem, false, span),
            (BinOp::PtrSub, Some(elem)) => self.offset_pointer(left, right, elem, true, span),
            (BinOp::PtrDiff, Some(elem)) => self.pointer_difference(left, right, elem, span),
            _ => self.arith(op, left, right),
        }
    }

    fn cast(&mut self, e: ExprId, kind: CastKind, a: ExprId) -> Expr {
        let ty = self.unit.exprs[e].ty;
        match kind {
            CastKind::ArrayDecay => {
                let kept = self.cx.decays[self.u as usize].keeps_temporary(self.unit, e, a);
                if kept && self.is_checked(Ub::UseAfterFree) {
                    // Its life ends with the expression, which nobody says.
                    return self.refuse(e, "pointer into a value that is not kept");
                }
                let decays = &self.cx.decays[self.u as usize];
                let only = self.address_only || !decays.is_at_once(e);
                let addr = self.place_of(a, only);
                self.pointer(addr)
            }
            CastKind::FunctionDecay => self.address_of(a),
            CastKind::ToVoid => {
                self.effect(a);
                self.dummy(e)
            }
            CastKind::ToUnion => self.refuse(e, "cast to a union"),
            CastKind::Int
            | CastKind::ToBool
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::PtrToInt
            | CastKind::IntToPtr
            | CastKind::Ptr
            | CastKind::Same => {
                let value = self.value(a);
                self.convert_value(value, ty).unwrap_or_else(|| self.no_value(e))
            }
        }
    }

    /// `value` converted to a scalar C type, with the guard that conversions from floats need.
    pub(crate) fn convert_value(&mut self, value: Expr, ty: TypeId) -> Option<Expr> {
        let to = self.scalar(ty)?;
        if let (Ty::Float(_), Ty::Int(i)) = (value.ty, to) {
            // A constant that folds fits.
            let folded = fold::convert(to, value.clone(), self.model());
            if folded.as_const().is_some() {
                return Some(folded);
            }
            self.guard(Ub::FloatToInt, crate::place::object_predicate(ObjectPredicate::FitsInt(i), value));
            return Some(folded);
        }
        Some(self.converted(to, value))
    }

    /// Evaluates an expression for what it does.
    pub(crate) fn effect(&mut self, e: ExprId) {
        let unit = self.unit;
        let x = &unit.exprs[e];
        let effects = self.effects(e);
        if effects.is_simple() && !effects.ignored {
            return;
        }
        match x.kind {
            ExprKind::Assign(lhs, rhs) => drop(self.assign(lhs, rhs, Want::Nothing, x.span)),
            ExprKind::AssignOp { op, lhs, rhs, comp } => {
                self.assign_op(op, lhs, rhs, comp, Want::Nothing, x.span);
            }
            ExprKind::IncDec { op, place, comp } => drop(self.inc_dec(op, place, comp, Want::Nothing, x.span)),
            ExprKind::Call(..) => drop(self.call(e, Want::Nothing)),
            ExprKind::Builtin(b, list) => drop(self.builtin(e, b, list, Want::Nothing)),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            ExprKind::Cast(CastKind::ToVoid | CastKind::Same, a, _) => self.effect(a),
            ExprKind::StmtExpr(block, value) => self.in_block(x.span, |fun| {
                fun.before_value(block);
                if let Some(v) = value {
                    fun.effect(v);
                }
            }),
            ExprKind::Let(v, init, body) => {
                self.bind(v, init, x.span);
                self.effect(body);
            }
            ExprKind::Cond(c, a, b) if self.is_involved(a) || self.is_involved(b) => {
                let (yes, no, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
                self.branch(c, yes, no);
                for (loc, side) in [(yes, a), (no, b)] {
                    self.at(loc);
                    self.effect(side);
                    self.goto(join, x.span);
                }
                self.at(join);
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if self.is_involved(b) => {
                let (more, join) = (self.graph.loc(), self.graph.loc());
                match x.kind {
                    ExprKind::LogAnd(..) => self.branch(a, more, join),
                    _ => self.branch(a, join, more),
                }
                self.at(more);
                self.effect(b);
                self.goto(join, x.span);
                self.at(join);
            }
            ExprKind::Unsupported(why) => self.unsupported(&unit.reasons[why], x.span),
            _ if unit.types.is_aggregate(x.ty) => drop(self.address(e)),
            ExprKind::Deref(p) if unit.types.is_void(x.ty) || unit.types.is_function(x.ty) => self.effect(p),
            ExprKind::Var(_) if unit.types.is_void(x.ty) => {}
            _ if self.scalar(x.ty).is_none() && unit.is_place(e) => drop(self.address(e)),
            _ => drop(self.value(e)),
        }
    }

    fn is_involved(&mut self, e: ExprId) -> bool {
        let effects: Effects = self.effects(e);
        !effects.is_simple() || self.unit.types.is_void(self.unit.exprs[e].ty)
    }

    /// The value as it is now, even after the expressions `later` have been evaluated.
    pub(crate) fn protect(&mut self, value: Expr, later: &[ExprId], span: Span) -> Expr {
        if later.iter().all(|&e| !self.effects(e).writes) {
            return value;
        }
        let mut reads = Reads::default();
        self.reads(&value, &mut reads);
        if !reads.memory && reads.locals.is_empty() {
            return value;
        }
        let mut writes = Writes::default();
        let mut look = MAX_LOOK;
        for &e in later {
            self.writes(e, &mut writes, &mut look);
        }
        let homes: Vec<Home> = writes.vars.iter().map(|&v| self.home(v)).collect();
        let hit = |l: &LocalId| homes.iter().any(|h| matches!(h, Home::At(Var::Local(w)) if w == l));
        if writes.everything || (writes.memory && reads.memory) || reads.locals.iter().any(hit) {
            self.keep(value, span)
        } else {
            value
        }
    }

    /// Whether evaluating an address again after a write to it could give another place.
    pub(crate) fn is_steady(&self, addr: &Address) -> bool {
        let mut reads = Reads::default();
        match &addr.base {
            Base::Var(_) => {}
            Base::Ptr(p) => self.reads(p, &mut reads),
        }
        for index in &addr.indices {
            self.reads(&index.value, &mut reads);
        }
        !reads.memory
    }

    fn reads(&self, e: &Expr, out: &mut Reads) {
        use ir::ExprKind as K;
        match &e.kind {
            K::Const(_) | K::Func(_) => {}
            K::Read(place) => {
                match place.addr.base {
                    Base::Var(Var::Local(l)) if place.as_var().is_some() && !self.is_taken(Var::Local(l)) => {
                        out.locals.push(l);
                    }
                    _ => out.memory = true,
                }
                self.address_reads(&place.addr, out);
            }
            K::Addr(addr) => self.address_reads(addr, out),
            K::Unary(_, a) | K::Convert(a) | K::ObjectPredicate(_, a) | K::Entry(a) => self.reads(a, out),
            K::Binary(_, a, b) => {
                self.reads(a, out);
                self.reads(b, out);
            }
            K::Ite(a, b, c) => {
                self.reads(a, out);
                self.reads(b, out);
                self.reads(c, out);
            }
        }
    }

    fn address_reads(&self, addr: &Address, out: &mut Reads) {
        if let Base::Ptr(p) = &addr.base {
            self.reads(p, out);
        }
        for index in &addr.indices {
            self.reads(&index.value, out);
        }
    }

    /// What evaluating `e` may write, by looking at the tree.
    fn writes(&mut self, e: ExprId, out: &mut Writes, look: &mut usize) {
        let unit = self.unit;
        if *look == 0 {
            out.everything = true;
        }
        if out.everything || !self.effects(e).writes {
            return;
        }
        *look -= 1;
        match unit.exprs[e].kind {
            ExprKind::Assign(lhs, rhs) | ExprKind::AssignOp { lhs, rhs, .. } => {
                self.target(lhs, out);
                self.writes(lhs, out, look);
                self.writes(rhs, out, look);
            }
            ExprKind::IncDec { place, .. } => {
                self.target(place, out);
                self.writes(place, out, look);
            }
            ExprKind::Call(callee, args) => {
                out.memory = true;
                self.writes(callee, out, look);
                for &a in unit.list(args) {
                    self.writes(a, out, look);
                }
            }
            ExprKind::Builtin(Builtin::Expect, args) => {
                for &a in unit.list(args) {
                    self.writes(a, out, look);
                }
            }
            ExprKind::Builtin(..)
            | ExprKind::StmtExpr(..)
            | ExprKind::Let(..)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Unsupported(_) => out.everything = true,
            ExprKind::Cast(CastKind::ToUnion, ..) => out.everything = true,
            ExprKind::Deref(a)
            | ExprKind::Member(a, _)
            | ExprKind::AddrOf(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a, _) => self.writes(a, out, look),
            ExprKind::Binary(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) | ExprKind::Comma(a, b) => {
                self.writes(a, out, look);
                self.writes(b, out, look);
            }
            ExprKind::Cond(a, b, c) => {
                self.writes(a, out, look);
                self.writes(b, out, look);
                self.writes(c, out, look);
            }
            ExprKind::Var(_) | ExprKind::Func(_) | ExprKind::Str(_) | ExprKind::Int(_) | ExprKind::Float(_) => {}
        }
    }

    fn target(&mut self, place: ExprId, out: &mut Writes) {
        match self.unit.exprs[place].kind {
            ExprKind::Var(v) => match self.home(v) {
                Home::At(var) if !self.is_taken(var) && self.shape(var).scalar().is_some() => out.vars.push(v),
                _ => out.memory = true,
            },
            _ => out.memory = true,
        }
    }
}

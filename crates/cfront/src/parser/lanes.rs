//! Complex numbers and GNU's vectors, taken apart: an operator on them is operators on their *lanes*, which are the real and
//! the imaginary part, or the elements. The tree then has no operator of its own for them.
//!
//! A result is a compound literal of its lanes, below a `Same` cast, which makes it a value. An operand that is not constant
//! is bound to a hidden variable first ([`ExprKind::Let`]), from left to right, so that it is evaluated once.
//! [`ExprKind::Member`] with the number of a lane is that lane.
//!
//! Products and quotients of complex floats are computed as gcc's library does it: where it recovers infinities from results that
//! are not numbers, or scales operands of extreme sizes, a function of [`crate::runtime`] is called.

use super::{Parser, R};
use crate::runtime::Operation;
use crate::tree::{BinOp, CastKind, ExprId, ExprKind, FloatLit, IncDec, Init, InitEntry, InitValue, UnOp, VarId};
use crate::types::{Quals, Type, TypeId, Types, basic};
use base::Span;

/// Vectors with more elements are not taken apart.
const MAX_LANES: u64 = 1024;
/// How many nodes a constant lane may have.
const CONSTANT_FUEL: u32 = 16;

/// Hidden variables with their values, in the order of evaluation.
type Lets = Vec<(VarId, ExprId)>;

impl Parser<'_> {
    /// Type and number of the lanes.
    fn lane_type(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.u.types.get(ty) {
            Type::Complex(part) => Some((part, 2)),
            Type::Vector(elem, n) => Some((self.u.types.unqualified(elem), n)),
            _ => None,
        }
    }

    fn is_complex(&self, e: ExprId) -> bool {
        matches!(self.u.types.get(self.ty(e)), Type::Complex(_))
    }

    fn is_vector(&self, e: ExprId) -> bool {
        matches!(self.u.types.get(self.ty(e)), Type::Vector(..))
    }

    /// A lane of a complex number or vector: a place if the operand is one.
    pub(super) fn lane(&mut self, e: ExprId, index: u32, span: Span) -> ExprId {
        let (elem, _) = self.lane_type(self.ty(e)).expect("only complex numbers and vectors have lanes");
        let quals = self.u.types.quals(self.ty(e));
        let ty = self.u.types.qualified(elem, Quals(quals.0 & (Quals::CONST.0 | Quals::VOLATILE.0)));
        self.expr(ExprKind::Member(e, index), ty, span)
    }

    /// Binds a value to a hidden variable.
    fn bound(&mut self, e: ExprId, lets: &mut Lets) -> ExprId {
        let (ty, span) = (self.value_type(e), self.span_at(e));
        let var = self.hidden(ty, span);
        lets.push((var, e));
        self.expr(ExprKind::Var(var), ty, span)
    }

    /// A scalar that may be used several times.
    fn scalar_once(&mut self, e: ExprId, lets: &mut Lets) -> ExprId {
        if self.is_literal(e, &mut { CONSTANT_FUEL }) { e } else { self.bound(e, lets) }
    }

    /// The lanes of a value, each of which may be used several times.
    fn open(&mut self, e: ExprId, lets: &mut Lets) -> Vec<ExprId> {
        if let Some(lanes) = self.literal_lanes(e) {
            return lanes;
        }
        let (_, n) = self.lane_type(self.ty(e)).expect("only complex numbers and vectors have lanes");
        let span = self.span_at(e);
        let whole = self.bound(e, lets);
        (0..n).map(|i| self.lane(whole, i as u32, span)).collect()
    }

    /// The lanes of a compound literal all of whose parts are constant.
    fn literal_lanes(&mut self, e: ExprId) -> Option<Vec<ExprId>> {
        let mut at = e;
        while let ExprKind::Cast(CastKind::Same, inner, _) = self.u.exprs[at].kind {
            at = inner;
        }
        let ExprKind::CompoundLiteral(var) = self.u.exprs[at].kind else { return None };
        let (elem, n) = self.lane_type(self.ty(e))?;
        let size = self.u.types.size(elem)?;
        let span = self.span_at(e);
        let entries = self.u.inits[self.u.vars[var].init?].entries.clone();
        let zero = self.int(0, basic::INT, span);
        let zero = self.cast(zero, elem).ok()?;
        let mut lanes = vec![zero; n as usize];
        for entry in entries {
            let InitValue::Expr(value) = entry.value else { return None };
            let same = self.u.types.unqualified(entry.ty) == elem && entry.repeat == 1;
            if !same || !self.is_literal(value, &mut { CONSTANT_FUEL }) {
                return None;
            }
            *lanes.get_mut((entry.offset / size.max(1)) as usize)? = value;
        }
        Some(lanes)
    }

    /// Whether the expression is made of literals alone.
    fn is_literal(&self, e: ExprId, fuel: &mut u32) -> bool {
        let Some(left) = fuel.checked_sub(1) else { return false };
        *fuel = left;
        match self.u.exprs[e].kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a, _) => self.is_literal(a, fuel),
            ExprKind::Binary(_, a, b) => self.is_literal(a, fuel) && self.is_literal(b, fuel),
            _ => false,
        }
    }

    /// The value `e` in the scope of the hidden variables.
    fn with_lets(&mut self, lets: Lets, mut e: ExprId) -> ExprId {
        for (var, value) in lets.into_iter().rev() {
            let (ty, span) = (self.ty(e), self.span_at(e));
            e = self.expr(ExprKind::Let(var, value, e), ty, span);
        }
        e
    }

    /// A value made of lanes, each of which gets the lanes' type.
    fn assemble(&mut self, ty: TypeId, lanes: Vec<ExprId>, span: Span) -> R<ExprId> {
        let (elem, _) = self.lane_type(ty).expect("only complex numbers and vectors have lanes");
        let size = self.u.types.size(elem).unwrap_or(1);
        let mut entries = Vec::with_capacity(lanes.len());
        for (i, lane) in lanes.into_iter().enumerate() {
            let value = InitValue::Expr(self.cast(lane, elem)?);
            let offset = size * i as u64;
            entries.push(InitEntry { offset, ty: elem, bits: None, value, repeat: 1, stride: 0 });
        }
        let var = self.hidden(ty, span);
        self.u.vars[var].init =
            Some(self.u.inits.push(Init { zero: true, entries, members: Vec::new(), unsupported: None }));
        let literal = self.expr(ExprKind::CompoundLiteral(var), ty, span);
        Ok(self.expr(ExprKind::Cast(CastKind::Same, literal, false), ty, span))
    }

    /// `a op b`, one of which is a complex number or a vector.
    pub(super) fn lanes_binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let halves = |e| self.lane_type(self.ty(e)).is_some_and(|(part, _)| part == basic::FLOAT16);
        if halves(a) || halves(b) {
            let ty = if halves(a) { self.value_type(a) } else { self.value_type(b) };
            return Ok(self.unsupported_expr("arithmetic on complex numbers or vectors of _Float16", ty, span));
        }
        if self.is_vector(a) || self.is_vector(b) {
            self.vector_binary(op, a, b, span)
        } else {
            self.complex_binary(op, a, b, span)
        }
    }

    // Vectors.

    fn vector_binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let ty = if self.is_vector(a) { self.value_type(a) } else { self.value_type(b) };
        let (elem, n) = self.lane_type(ty).expect("one operand is a vector");
        if n > MAX_LANES {
            return Ok(self.unsupported_expr("very large vector", ty, span));
        }
        let mut lets = Lets::new();
        let mut sides = Vec::with_capacity(2);
        for side in [a, b] {
            let lanes = if self.is_vector(side) {
                let own = self.lane_type(self.ty(side));
                if own.is_none_or(|(_, m)| m != n) {
                    return self.bad_operands(super::operator::symbol(op), a, b, span);
                }
                self.open(side, &mut lets)
            } else if self.u.types.is_arithmetic(self.ty(side)) {
                let one = self.cast(side, elem)?;
                let one = self.scalar_once(one, &mut lets);
                vec![one; n as usize]
            } else {
                return self.bad_operands(super::operator::symbol(op), a, b, span);
            };
            sides.push(lanes);
        }
        let comparison = matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge);
        let result = if comparison { self.mask_type(elem, n) } else { ty };
        let mut lanes = Vec::with_capacity(n as usize);
        for (&x, &y) in sides[0].iter().zip(&sides[1]) {
            let lane = self.binary(op, x, y, span)?;
            lanes.push(if comparison { self.unary(UnOp::Neg, lane, span)? } else { lane });
        }
        let value = self.assemble(result, lanes, span)?;
        Ok(self.with_lets(lets, value))
    }

    /// The type of a comparison's result: signed integers as wide as the elements.
    fn mask_type(&mut self, elem: TypeId, n: u64) -> TypeId {
        let elem = match self.u.types.size(elem).unwrap_or(4) {
            1 => basic::SCHAR,
            2 => basic::SHORT,
            4 => basic::INT,
            8 if self.u.types.size(basic::LONG) == Some(8) => basic::LONG,
            8 => basic::LONGLONG,
            _ => basic::INT128,
        };
        self.u.types.intern(Type::Vector(elem, n))
    }

    /// `v[i]`.
    pub(super) fn element(&mut self, v: ExprId, index: ExprId, span: Span) -> R<ExprId> {
        let (elem, n) = self.lane_type(self.ty(v)).expect("the caller has a vector");
        let index = self.value(index)?;
        if self.u.types.int_kind(self.ty(index)).is_none() {
            return self.error("type", span, "array subscript is not an integer");
        }
        if let Some(i) = crate::const_eval(&self.u, index).and_then(|i| u32::try_from(i).ok())
            && u64::from(i) < n
        {
            return Ok(self.lane(v, i, span));
        }
        let mut lets = Lets::new();
        let place = if self.u.is_place(v) { v } else { self.bound(v, &mut lets) };
        let e = self.element_of(place, elem, index, span)?;
        Ok(self.with_lets(lets, e))
    }

    /// The element of a vector place with a computed index.
    fn element_of(&mut self, place: ExprId, elem: TypeId, index: ExprId, span: Span) -> R<ExprId> {
        let (ty, quals) = (self.ty(place), self.u.types.quals(self.ty(place)));
        let whole = self.u.types.pointer(ty);
        let elem = self.u.types.qualified(elem, quals);
        let first = self.u.types.pointer(elem);
        let p = self.expr(ExprKind::AddrOf(place), whole, span);
        let p = self.expr(ExprKind::Cast(CastKind::Ptr, p, false), first, span);
        let p = self.binary(BinOp::Add, p, index, span)?;
        self.deref(p, span)
    }

    /// `__builtin_shuffle(v, mask)` or `__builtin_shuffle(v, w, mask)`.
    pub(super) fn shuffle(&mut self, args: &[ExprId], span: Span) -> R<ExprId> {
        let (sources, mask) = (&args[..args.len() - 1], args[args.len() - 1]);
        let Some((elem, n)) = self.lane_type(self.ty(args[0])).filter(|_| args.iter().all(|&a| self.is_vector(a)))
        else {
            return self.error("type", span, "arguments of a shuffle must be vectors");
        };
        let ty = self.value_type(args[0]);
        let mut lets = Lets::new();
        let sources: Vec<ExprId> = sources.iter().map(|&s| self.bound(s, &mut lets)).collect();
        let mask = self.open(mask, &mut lets);
        let mut lanes = Vec::with_capacity(mask.len());
        for m in mask {
            let limit = self.int(n * sources.len() as u64 - 1, basic::INT, span);
            let at = self.binary(BinOp::BitAnd, m, limit, span)?;
            let limit = self.int(n - 1, basic::INT, span);
            let within = self.binary(BinOp::BitAnd, m, limit, span)?;
            let first = self.element_of(sources[0], elem, within, span)?;
            lanes.push(match sources.get(1) {
                None => first,
                Some(&other) => {
                    let second = self.element_of(other, elem, within, span)?;
                    let half = self.int(n, basic::INT, span);
                    let low = self.binary(BinOp::Lt, at, half, span)?;
                    let low = self.condition(low)?;
                    self.conditional(low, first, second, span)?
                }
            });
        }
        let value = self.assemble(ty, lanes, span)?;
        Ok(self.with_lets(lets, value))
    }

    /// `__builtin_shufflevector(v, w, i, j, …)`: an index of -1 leaves a lane open; it is zero here.
    pub(super) fn shuffle_constant(&mut self, args: &[ExprId], span: Span) -> R<ExprId> {
        let (Some((elem, n)), Some((_, m))) = (self.lane_type(self.ty(args[0])), self.lane_type(self.ty(args[1])))
        else {
            return self.error("type", span, "arguments of a shuffle must be vectors");
        };
        let mut lets = Lets::new();
        let mut all = self.open(args[0], &mut lets);
        all.extend(self.open(args[1], &mut lets));
        let mut lanes = Vec::new();
        for &index in &args[2..] {
            let index = self.constant(index, "index of a shuffle")?;
            if index < -1 || index >= i128::from(n + m) {
                return self.error("type", span, "index of a shuffle is out of range");
            }
            let open = self.int(0, basic::INT, span);
            lanes.push(usize::try_from(index).map_or(open, |i| all[i]));
        }
        let ty = self.u.types.intern(Type::Vector(elem, lanes.len() as u64));
        let value = self.assemble(ty, lanes, span)?;
        Ok(self.with_lets(lets, value))
    }

    /// `__builtin_convertvector(v, T)`: lane by lane.
    pub(super) fn convert_vector(&mut self, e: ExprId, to: TypeId, span: Span) -> R<ExprId> {
        let lanes = |p: &Self, ty| p.lane_type(ty).map(|(_, n)| n);
        if !self.is_vector(e) || lanes(self, self.ty(e)) != lanes(self, to) {
            return self.error("type", span, "'__builtin_convertvector' needs two vectors of one length");
        }
        let mut lets = Lets::new();
        let open = self.open(e, &mut lets);
        let to = self.u.types.unqualified(to);
        let value = self.assemble(to, open, span)?;
        Ok(self.with_lets(lets, value))
    }

    // Complex numbers.

    /// Real part and, for a complex number, imaginary part, both of type `part`.
    fn parts(&mut self, e: &[ExprId], part: TypeId) -> R<(ExprId, Option<ExprId>)> {
        let re = self.cast(e[0], part)?;
        Ok((re, e.get(1).map(|&im| self.cast(im, part)).transpose()?))
    }

    fn complex_binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let mut lets = Lets::new();
        let mut sides = Vec::with_capacity(2);
        for side in [a, b] {
            sides.push(if self.is_complex(side) {
                self.open(side, &mut lets)
            } else if self.u.types.is_arithmetic(self.ty(side)) {
                vec![self.scalar_once(side, &mut lets)]
            } else {
                return self.bad_operands(super::operator::symbol(op), a, b, span);
            });
        }
        let part = self.usual_type(sides[0][0], sides[1][0]);
        let ty = self.u.types.intern(Type::Complex(part));
        let ((ar, ai), (br, bi)) = (self.parts(&sides[0], part)?, self.parts(&sides[1], part)?);
        let zero = self.int(0, basic::INT, span);
        let zero = self.cast(zero, part)?;
        let imaginary = |x: Option<ExprId>| x.unwrap_or(zero);
        let value = match op {
            BinOp::Add | BinOp::Sub => {
                let re = self.binary(op, ar, br, span)?;
                let im = match (ai, bi) {
                    (Some(ai), Some(bi)) => self.binary(op, ai, bi, span)?,
                    (None, Some(bi)) if op == BinOp::Sub => self.unary(UnOp::Neg, bi, span)?,
                    (ai, bi) => imaginary(ai.or(bi)),
                };
                self.assemble(ty, vec![re, im], span)?
            }
            BinOp::Mul => match (ai, bi) {
                (Some(ai), Some(bi)) => self.product(ty, [ar, ai, br, bi], span)?,
                (Some(im), None) => self.scaled(op, ty, ar, im, br, span)?,
                (None, im) => self.scaled(op, ty, br, imaginary(im), ar, span)?,
            },
            BinOp::Div => match bi {
                None => self.scaled(op, ty, ar, imaginary(ai), br, span)?,
                Some(bi) if self.u.types.int_kind(part).is_some() => {
                    self.integer_quotient(ty, [ar, imaginary(ai), br, bi], span)?
                }
                Some(bi) => self.quotient(ty, [ar, imaginary(ai), br, bi], span)?,
            },
            BinOp::Eq | BinOp::Ne => {
                let re = self.binary(op, ar, br, span)?;
                let im = self.binary(op, imaginary(ai), imaginary(bi), span)?;
                let (re, im) = (self.condition(re)?, self.condition(im)?);
                let kind = if op == BinOp::Eq { ExprKind::LogAnd(re, im) } else { ExprKind::LogOr(re, im) };
                self.expr(kind, basic::INT, span)
            }
            _ => return self.bad_operands(super::operator::symbol(op), a, b, span),
        };
        Ok(self.with_lets(lets, value))
    }

    /// Both parts by a real number.
    fn scaled(&mut self, op: BinOp, ty: TypeId, re: ExprId, im: ExprId, by: ExprId, span: Span) -> R<ExprId> {
        let (re, im) = (self.binary(op, re, by, span)?, self.binary(op, im, by, span)?);
        self.assemble(ty, vec![re, im], span)
    }

    /// `x op y + z op w` and the like.
    fn sum(&mut self, op: BinOp, [x, y, z, w]: [ExprId; 4], span: Span) -> R<ExprId> {
        let (left, right) = (self.binary(BinOp::Mul, x, y, span)?, self.binary(BinOp::Mul, z, w, span)?);
        self.binary(op, left, right, span)
    }

    /// `(a + bi) (c + di)`.
    fn product(&mut self, ty: TypeId, [a, b, c, d]: [ExprId; 4], span: Span) -> R<ExprId> {
        let re = self.sum(BinOp::Sub, [a, c, b, d], span)?;
        let im = self.sum(BinOp::Add, [a, d, b, c], span)?;
        if self.u.types.float_kind(self.ty(re)).is_none() {
            return self.assemble(ty, vec![re, im], span);
        }
        self.unless_nan(ty, [re, im], None, (Operation::Product, [a, b, c, d]), span)
    }

    /// The complex number, where `fine` holds and it is not both times no number; else what the runtime library makes of the
    /// operation.
    fn unless_nan(
        &mut self,
        ty: TypeId,
        [re, im]: [ExprId; 2],
        fine: Option<ExprId>,
        (operation, parts): (Operation, [ExprId; 4]),
        span: Span,
    ) -> R<ExprId> {
        let literal = |p: &Self, e| p.is_literal(e, &mut { 8 * CONSTANT_FUEL });
        if literal(self, re) && literal(self, im) {
            return self.assemble(ty, vec![re, im], span);
        }
        let mut lets = Lets::new();
        let (re, im) = (self.bound(re, &mut lets), self.bound(im, &mut lets));
        let x = self.binary(BinOp::Eq, re, re, span)?;
        let y = self.binary(BinOp::Eq, im, im, span)?;
        let (x, y) = (self.condition(x)?, self.condition(y)?);
        let mut number = self.expr(ExprKind::LogOr(x, y), basic::INT, span);
        if let Some(fine) = fine {
            let number_too = self.condition(number)?;
            number = self.expr(ExprKind::LogAnd(fine, number_too), basic::INT, span);
        }
        let number = self.condition(number)?;
        let value = self.assemble(ty, vec![re, im], span)?;
        let other = match self.runtime_call(operation, ty, parts, span) {
            Some(call) => call,
            None => self.unsupported_expr("complex number of an extreme size", ty, span),
        };
        let choice = self.expr(ExprKind::Cond(number, value, other), ty, span);
        Ok(self.with_lets(lets, choice))
    }

    fn magnitude(&mut self, x: ExprId, span: Span) -> R<ExprId> {
        let zero = self.int(0, basic::INT, span);
        let negative = self.binary(BinOp::Lt, x, zero, span)?;
        let negative = self.condition(negative)?;
        let minus = self.unary(UnOp::Neg, x, span)?;
        self.conditional(negative, minus, x, span)
    }

    /// The condition `|x| < |y|`.
    fn smaller(&mut self, x: ExprId, y: ExprId, span: Span) -> R<ExprId> {
        let (x, y) = (self.magnitude(x, span)?, self.magnitude(y, span)?);
        let less = self.binary(BinOp::Lt, x, y, span)?;
        self.condition(less)
    }

    /// `(a + bi) / (c + di)` by the larger part of the divisor (Smith's method): real and imaginary part, the ratio of the
    /// divisor's parts and what both are divided by.
    fn smith(&mut self, [a, b, c, d]: [ExprId; 4], lets: &mut Lets, span: Span) -> R<[ExprId; 4]> {
        let less = self.smaller(c, d, span)?;
        let less = self.bound(less, lets);
        let (x, y) = (self.binary(BinOp::Div, c, d, span)?, self.binary(BinOp::Div, d, c, span)?);
        let ratio = self.conditional(less, x, y, span)?;
        let ratio = self.bound(ratio, lets);
        let times = |p: &mut Self, x, plus: BinOp, y| {
            let product = p.binary(BinOp::Mul, x, ratio, span)?;
            p.binary(plus, product, y, span)
        };
        let (x, y) = (times(self, c, BinOp::Add, d)?, times(self, d, BinOp::Add, c)?);
        let by = self.conditional(less, x, y, span)?;
        let by = self.bound(by, lets);
        let (x, y) = (times(self, a, BinOp::Add, b)?, times(self, b, BinOp::Add, a)?);
        let re = self.conditional(less, x, y, span)?;
        let x = times(self, b, BinOp::Sub, a)?;
        let y = self.binary(BinOp::Mul, a, ratio, span)?;
        let y = self.binary(BinOp::Sub, b, y, span)?;
        let im = self.conditional(less, x, y, span)?;
        let (re, im) = (self.binary(BinOp::Div, re, by, span)?, self.binary(BinOp::Div, im, by, span)?);
        Ok([re, im, ratio, by])
    }

    /// A quotient of integers.
    fn integer_quotient(&mut self, ty: TypeId, parts: [ExprId; 4], span: Span) -> R<ExprId> {
        let mut lets = Lets::new();
        let [re, im, ..] = self.smith(parts, &mut lets, span)?;
        let value = self.assemble(ty, vec![re, im], span)?;
        Ok(self.with_lets(lets, value))
    }

    /// A quotient of floats.
    fn quotient(&mut self, ty: TypeId, parts: [ExprId; 4], span: Span) -> R<ExprId> {
        let mut lets = Lets::new();
        if self.value_type(parts[0]) == basic::FLOAT {
            // Of floats, straightforwardly in double.
            let mut wide = parts;
            for p in &mut wide {
                *p = self.cast(*p, basic::DOUBLE)?;
            }
            let [a, b, c, d] = wide;
            let by = self.sum(BinOp::Add, [c, c, d, d], span)?;
            let by = self.scalar_once(by, &mut lets);
            let re = self.sum(BinOp::Add, [a, c, b, d], span)?;
            let im = self.sum(BinOp::Sub, [b, c, a, d], span)?;
            let (re, im) = (self.binary(BinOp::Div, re, by, span)?, self.binary(BinOp::Div, im, by, span)?);
            let (re, im) = (self.cast(re, basic::FLOAT)?, self.cast(im, basic::FLOAT)?);
            let value = self.unless_nan(ty, [re, im], None, (Operation::Quotient, parts), span)?;
            return Ok(self.with_lets(lets, value));
        }
        // Of others, by the larger part of the divisor, unless numbers are so large or small that it would be scaled.
        let [re, im, ratio, by] = self.smith(parts, &mut lets, span)?;
        let mut fine = Vec::new();
        for (x, may_be_zero) in [(parts[0], true), (parts[1], true), (ratio, true), (by, false)] {
            fine.push(self.moderate(x, may_be_zero, span)?);
        }
        let mut all = fine[0];
        for &next in &fine[1..] {
            let both = self.expr(ExprKind::LogAnd(all, next), basic::INT, span);
            all = self.condition(both)?;
        }
        let value = self.unless_nan(ty, [re, im], Some(all), (Operation::Quotient, parts), span)?;
        Ok(self.with_lets(lets, value))
    }

    /// The condition that a number is neither very large nor very small.
    fn moderate(&mut self, x: ExprId, may_be_zero: bool, span: Span) -> R<ExprId> {
        let (small, large) = (self.double(1e-100, "1e-100", span), self.double(1e100, "1e100", span));
        let zero = self.int(0, basic::INT, span);
        let (above, below) = (self.smaller(small, x, span)?, self.smaller(x, large, span)?);
        let between = self.expr(ExprKind::LogAnd(above, below), basic::INT, span);
        let between = self.condition(between)?;
        if !may_be_zero {
            return Ok(between);
        }
        let none = self.binary(BinOp::Eq, x, zero, span)?;
        let none = self.condition(none)?;
        let either = self.expr(ExprKind::LogOr(none, between), basic::INT, span);
        self.condition(either)
    }

    fn double(&mut self, value: f64, text: &str, span: Span) -> ExprId {
        let id = self.u.floats.push(FloatLit { text: text.into(), double: value, single: value as f32 });
        self.expr(ExprKind::Float(id), basic::DOUBLE, span)
    }

    /// `__real__ e` (0) or `__imag__ e` (1).
    pub(super) fn part(&mut self, e: ExprId, index: u32, span: Span) -> R<ExprId> {
        if self.is_complex(e) {
            return Ok(self.lane(e, index, span));
        }
        if !self.u.types.is_arithmetic(self.ty(e)) {
            let what = self.show(self.ty(e));
            return self.error(
                "type",
                span,
                format!("wrong type argument to '__real__' or '__imag__' (have '{what}')"),
            );
        }
        if index == 0 {
            return Ok(e);
        }
        let e = self.value(e)?;
        let ty = self.value_type(e);
        let zero = self.int(0, basic::INT, span);
        let zero = self.cast(zero, ty)?;
        Ok(self.expr(ExprKind::Comma(e, zero), ty, span))
    }

    /// A complex number from two real ones.
    pub(super) fn complex(&mut self, part: TypeId, re: ExprId, im: ExprId, span: Span) -> R<ExprId> {
        let ty = self.u.types.intern(Type::Complex(part));
        self.assemble(ty, vec![re, im], span)
    }

    // Both.

    /// `+e`, `-e`, `~e`, the last of which is the conjugate of a complex number.
    pub(super) fn lanes_unary(&mut self, op: UnOp, e: ExprId, span: Span) -> R<ExprId> {
        let ty = self.value_type(e);
        let conjugate = op == UnOp::BitNot && self.is_complex(e);
        let mut lets = Lets::new();
        let mut lanes = self.open(e, &mut lets);
        for (i, lane) in lanes.iter_mut().enumerate() {
            if conjugate {
                if i == 1 {
                    *lane = self.unary(UnOp::Neg, *lane, span)?;
                }
            } else {
                *lane = self.unary(op, *lane, span)?;
            }
        }
        let value = self.assemble(ty, lanes, span)?;
        Ok(self.with_lets(lets, value))
    }

    /// `place op= rhs`.
    pub(super) fn lanes_assign_op(&mut self, op: BinOp, place: ExprId, rhs: ExprId, span: Span) -> R<ExprId> {
        self.through_pointer(place, span, |p, place| {
            let value = p.binary(op, place, rhs, span)?;
            p.assign(place, value, span)
        })
    }

    /// `++` and `--`.
    pub(super) fn lanes_inc_dec(&mut self, op: IncDec, place: ExprId, span: Span) -> R<ExprId> {
        let step = if matches!(op, IncDec::PreInc | IncDec::PostInc) { BinOp::Add } else { BinOp::Sub };
        self.through_pointer(place, span, |p, place| {
            let one = p.int(1, basic::INT, span);
            if matches!(op, IncDec::PreInc | IncDec::PreDec) {
                let value = p.binary(step, place, one, span)?;
                return p.assign(place, value, span);
            }
            let mut lets = Lets::new();
            let old = p.bound(place, &mut lets);
            let value = p.binary(step, old, one, span)?;
            let stored = p.assign(place, value, span)?;
            let ty = p.value_type(old);
            let value = p.expr(ExprKind::Cast(CastKind::Same, old, false), ty, span);
            let both = p.expr(ExprKind::Comma(stored, value), ty, span);
            Ok(p.with_lets(lets, both))
        })
    }

    /// What `f` makes of a place, which is found once.
    fn through_pointer(
        &mut self,
        place: ExprId,
        span: Span,
        f: impl FnOnce(&mut Self, ExprId) -> R<ExprId>,
    ) -> R<ExprId> {
        if let ExprKind::Var(_) = self.u.exprs[place].kind {
            return f(self, place);
        }
        let ty = self.ty(place);
        if self.bit_field_width(place).is_some() {
            let ty = self.value_type(place);
            return Ok(self.unsupported_expr("bit-field and a complex number", ty, span));
        }
        let pointer = self.u.types.pointer(ty);
        let address = self.expr(ExprKind::AddrOf(place), pointer, span);
        let mut lets = Lets::new();
        let bound = self.bound(address, &mut lets);
        let behind = self.deref(bound, span)?;
        let value = f(self, behind)?;
        Ok(self.with_lets(lets, value))
    }

    /// The common type of the two sides of `?:`.
    pub(super) fn lanes_common(&mut self, a: ExprId, b: ExprId) -> TypeId {
        let (ta, tb) = (self.value_type(a), self.value_type(b));
        if self.is_vector(a) || self.is_vector(b) || ta == tb {
            return if self.is_vector(a) { ta } else { tb };
        }
        let span = self.span_at(a);
        let real = |p: &mut Self, e| if p.is_complex(e) { p.lane(e, 0, span) } else { e };
        let (x, y) = (real(self, a), real(self, b));
        let part = self.usual_type(x, y);
        self.u.types.intern(Type::Complex(part))
    }

    /// Whether the value is unequal to 0.
    pub(super) fn complex_condition(&mut self, e: ExprId, span: Span) -> R<ExprId> {
        let mut lets = Lets::new();
        let lanes = self.open(e, &mut lets);
        let (re, im) = (self.condition(lanes[0])?, self.condition(lanes[1])?);
        let either = self.expr(ExprKind::LogOr(re, im), basic::INT, span);
        let value = self.cast(either, basic::BOOL)?;
        Ok(self.with_lets(lets, value))
    }

    /// Converts from or to a complex number or a vector, if C does.
    pub(super) fn lanes_cast(&mut self, e: ExprId, to: TypeId, span: Span) -> R<Option<ExprId>> {
        let from = self.value_type(e);
        let to = self.u.types.unqualified(to);
        if let ExprKind::Unsupported(why) = self.u.exprs[e].kind {
            let why = self.u.reasons[why].to_string();
            return Ok(Some(self.unsupported_expr(why, to, span)));
        }
        let arithmetic = |types: &Types, ty| types.is_arithmetic(ty);
        match (self.u.types.get(from).clone(), self.u.types.get(to).clone()) {
            (Type::Complex(_), Type::Complex(_)) => {
                let mut lets = Lets::new();
                let lanes = self.open(e, &mut lets);
                let value = self.assemble(to, lanes, span)?;
                Ok(Some(self.with_lets(lets, value)))
            }
            (_, Type::Complex(part)) if arithmetic(&self.u.types, from) => {
                let zero = self.int(0, basic::INT, span);
                let re = self.cast(e, part)?;
                Ok(Some(self.assemble(to, vec![re, zero], span)?))
            }
            (Type::Complex(_), _) if to == basic::BOOL => Ok(Some(self.complex_condition(e, span)?)),
            (Type::Complex(_), _) if arithmetic(&self.u.types, to) => {
                let re = match self.literal_lanes(e) {
                    Some(lanes) => lanes[0],
                    None => self.lane(e, 0, span),
                };
                Ok(Some(self.cast(re, to)?))
            }
            (Type::Vector(..), _) | (_, Type::Vector(..))
                if self.u.types.size(from).is_some() && self.u.types.size(from) == self.u.types.size(to) =>
            {
                Ok(Some(self.reinterpreted(e, to, span)?))
            }
            _ => Ok(None),
        }
    }

    /// The bytes of a value as a value of another type.
    fn reinterpreted(&mut self, e: ExprId, to: TypeId, span: Span) -> R<ExprId> {
        // Lanes of two integer types of one size have the same bytes when they are converted.
        let same_size = |p: &Self, a: TypeId, b: TypeId| {
            let int = |ty| p.u.types.int_kind(ty).is_some();
            int(a) && int(b) && p.u.types.size(a) == p.u.types.size(b)
        };
        if let (Some((a, _)), Some((b, _))) = (self.lane_type(self.ty(e)), self.lane_type(to))
            && same_size(self, a, b)
            && let Some(lanes) = self.literal_lanes(e)
        {
            return self.assemble(to, lanes, span);
        }
        let mut lets = Lets::new();
        let value = self.bound(e, &mut lets);
        let (from, to) = (self.u.types.pointer(self.ty(value)), self.u.types.pointer(to));
        let p = self.expr(ExprKind::AddrOf(value), from, span);
        let p = self.expr(ExprKind::Cast(CastKind::Ptr, p, false), to, span);
        let value = self.deref(p, span)?;
        Ok(self.with_lets(lets, value))
    }
}

//! What evaluating an expression will take, found out before it is lowered: edges of its own? writes? guards that count?
//!
//! `&&`, `||` and `?:` stay expressions only if the operands that may be skipped need neither edges nor guards that count,
//! and a value computed earlier needs a temporary only if something later writes. Both decisions must be known before the
//! operand is lowered. Answers err on one side only: an expression said to need no edges and no guards that count emits
//! none ([`crate::expr`] asserts it). Each expression is looked at once.

use crate::types;
use cfront::tree::{BinOp, Builtin, CastKind, ExprId, ExprKind, Storage, UnOp, Unit, VarId};
use cfront::types::TypeId;
use ir::{Ty, Ub, UbPolicy};

/// Largest estimated height of an IR expression; a taller one is cut by a temporary. The IR allows 1000.
const MAX_HEIGHT: u16 = 700;

/// Largest condition that is repeated in guards of an operand that may be skipped.
const MAX_REPEATED: u16 = 40;

/// Effects of one expression as a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    known: bool,
    /// Needs edges of its own: calls, assignments, branches, anything unsupported.
    pub(crate) edges: bool,
    /// May write to variables or memory, or may not come back.
    pub(crate) writes: bool,
    /// Has guards of kinds that the table does not ignore.
    pub(crate) guards: bool,
    /// Has guards of ignored kinds.
    pub(crate) ignored: bool,
    /// So high that its value goes into a temporary.
    pub(crate) tall: bool,
    height: u16,
    size: u16,
}

impl Effects {
    const EFFECT: Effects = Effects {
        known: true,
        edges: true,
        writes: true,
        guards: false,
        ignored: false,
        tall: false,
        height: 2,
        size: 2,
    };
    const EDGES: Effects = Effects { writes: false, ..Effects::EFFECT };
    const LEAF: Effects = Effects { edges: false, writes: false, height: 2, size: 1, ..Effects::EFFECT };

    fn join(self, other: Effects) -> Effects {
        Effects {
            known: true,
            edges: self.edges || other.edges,
            writes: self.writes || other.writes,
            guards: self.guards || other.guards,
            ignored: self.ignored || other.ignored,
            tall: false,
            height: self.height.max(other.height),
            size: self.size.saturating_add(other.size),
        }
    }

    /// Whether the value is an expression that can be evaluated or not, at will.
    pub(crate) fn is_simple(self) -> bool {
        !self.edges && !self.guards
    }
}

/// The answers so far for one unit.
pub(crate) struct EffectTable {
    memo: Vec<Effects>,
    /// Whether a unit has functions within functions, whose variables live elsewhere.
    nested: bool,
    /// Whether everything is evaluated at once and needs no guards: conditions, not programs.
    pub(crate) total: bool,
}

/// The table together with what it looks at.
pub(crate) struct EffectAnalysis<'t, 'a> {
    pub(crate) table: &'t mut EffectTable,
    pub(crate) unit: &'a Unit,
    pub(crate) opts: &'a crate::Options,
}

impl EffectTable {
    /// No answers yet.
    pub(crate) fn new(unit: &Unit) -> EffectTable {
        EffectTable {
            memo: vec![Effects::default(); unit.exprs.len()],
            nested: unit.funcs.iter().any(|f| f.parent.is_some()),
            total: false,
        }
    }
}

impl EffectAnalysis<'_, '_> {
    /// Effects of `e` as a value that is read.
    pub(crate) fn value(&mut self, e: ExprId) -> Effects {
        let slot = base::Id::index(e);
        if self.table.memo[slot].known {
            return self.table.memo[slot];
        }
        let mut effects = self.compute(e);
        // One node of the tree becomes at most four levels of IR: an operator between two conversions and a test.
        effects.height = effects.height.saturating_add(4);
        effects.size = effects.size.saturating_add(2);
        if effects.height > MAX_HEIGHT && !self.table.total {
            effects = Effects { edges: true, tall: true, height: 2, size: 2, ..effects };
        }
        effects.known = true;
        self.table.memo[slot] = effects;
        effects
    }

    /// Whether the right operand of `&&` or `||` may be evaluated together with the left one.
    pub(crate) fn may_join(&mut self, left: ExprId, right: ExprId) -> bool {
        let (l, r) = (self.value(left), self.value(right));
        if self.table.total {
            return !r.edges;
        }
        r.is_simple() && (!r.ignored || l.size <= MAX_REPEATED)
    }

    fn policy(&self, ub: Ub, effects: &mut Effects) {
        match self.opts.ub.get(ub) {
            UbPolicy::Ignored => effects.ignored = true,
            UbPolicy::AssumedAway | UbPolicy::Checked => effects.guards = true,
        }
    }

    fn compute(&mut self, e: ExprId) -> Effects {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::Int(_) | ExprKind::Func(_) => self.typed(x.ty, Effects::LEAF),
            // Not every literal has a representation.
            ExprKind::Float(_) => match types::scalar(&unit.types, x.ty) {
                Some(Ty::Float(ir::FloatTy::F32 | ir::FloatTy::F64)) => Effects::LEAF,
                _ => Effects::EDGES,
            },
            ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Str(_) => self.access(e),
            ExprKind::AddrOf(p) => self.place(p),
            ExprKind::Unary(op, a) => {
                let mut effects = self.value(a);
                if op == UnOp::Neg && types::scalar(&unit.types, x.ty).is_some_and(Ty::is_signed) {
                    self.policy(Ub::SignedOverflow, &mut effects);
                }
                self.typed(x.ty, effects)
            }
            ExprKind::Binary(op, a, b) => {
                let effects = self.value(a).join(self.value(b));
                self.binary(op, x.ty, a, b, effects)
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let joined = self.value(a).join(self.value(b));
                if self.may_join(a, b) { joined } else { Effects { edges: true, ..joined } }
            }
            ExprKind::Cond(c, a, b) => {
                let joined = self.value(c).join(self.value(a)).join(self.value(b));
                let joins = self.may_join(c, a) && self.may_join(c, b) && types::scalar(&unit.types, x.ty).is_some();
                if joins { joined } else { Effects { edges: true, ..joined } }
            }
            ExprKind::Comma(a, b) => self.value(a).join(self.value(b)),
            ExprKind::Cast(kind, a, _) => self.cast(kind, a, x.ty),
            ExprKind::Builtin(Builtin::Expect, list) if list.len > 0 => {
                let args = unit.list(list);
                let first = self.value(args[0]);
                args[1..].iter().fold(first, |effects, &hint| effects.join(self.value(hint)))
            }
            ExprKind::Builtin(Builtin::AtEntry, list) if list.len == 1 => self.value(unit.list(list)[0]),
            ExprKind::Builtin(Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP, list)
                if self.table.total && self.are_integers(unit.list(list)) =>
            {
                unit.list(list).iter().fold(Effects::LEAF, |effects, &e| effects.join(self.value(e)))
            }
            ExprKind::CompoundLiteral(v) if crate::global::is_static(unit.vars[v].storage) => self.access(e),
            ExprKind::CompoundLiteral(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::StmtExpr(..)
            | ExprKind::Let(..)
            | ExprKind::Unsupported(_) => Effects::EFFECT,
        }
    }

    fn are_integers(&self, list: &[ExprId]) -> bool {
        list.iter().all(|&e| matches!(types::scalar(&self.unit.types, self.unit.exprs[e].ty), Some(Ty::Int(_))))
    }

    /// A value of a type that the IR does not have is unsupported.
    fn typed(&self, ty: TypeId, effects: Effects) -> Effects {
        let types = &self.unit.types;
        if types::scalar(types, ty).is_some() || types.is_function(ty) || types.is_void(ty) {
            effects
        } else {
            effects.join(Effects::EDGES)
        }
    }

    fn binary(&mut self, op: BinOp, ty: TypeId, a: ExprId, b: ExprId, mut effects: Effects) -> Effects {
        let types = &self.unit.types;
        let signed = types::scalar(types, ty).is_some_and(Ty::is_signed);
        let integer = matches!(types::scalar(types, ty), Some(Ty::Int(_)));
        let divisor = self.unit.constant(b);
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul if signed => self.policy(Ub::SignedOverflow, &mut effects),
            BinOp::Div | BinOp::Rem if integer => {
                if divisor.is_none_or(|d| d == 0) {
                    self.policy(Ub::DivByZero, &mut effects);
                }
                if signed && divisor.is_none_or(|d| d == -1) {
                    self.policy(Ub::DivOverflow, &mut effects);
                }
            }
            BinOp::Shl | BinOp::Shr => {
                let width = types::scalar(types, ty).map_or(0, |t| t.width(types::model(types)));
                if divisor.is_none_or(|d| d < 0 || d >= i128::from(width)) {
                    self.policy(Ub::ShiftCount, &mut effects);
                }
            }
            BinOp::PtrAdd | BinOp::PtrSub | BinOp::PtrDiff => {
                let pointee = types.pointee(self.unit.exprs[a].ty);
                let size = pointee.and_then(|t| types::size(types, t));
                let Some(size) = size.filter(|s| op != BinOp::PtrDiff || (s.bytes > 0 && s.lengths.is_empty())) else {
                    return effects.join(Effects::EDGES);
                };
                let near = divisor.is_some_and(|n| crate::arith::is_near(n, size.bytes, self.opts));
                if op != BinOp::PtrDiff && (!near || !size.lengths.is_empty()) {
                    self.policy(Ub::PointerWrap, &mut effects);
                }
            }
            _ => {}
        }
        self.typed(ty, effects)
    }

    fn cast(&mut self, kind: CastKind, a: ExprId, ty: TypeId) -> Effects {
        let mut effects = match kind {
            CastKind::ArrayDecay | CastKind::FunctionDecay => return self.place(a),
            CastKind::ToUnion => return Effects::EFFECT,
            _ => self.value(a),
        };
        if kind == CastKind::FloatToInt {
            self.policy(Ub::FloatToInt, &mut effects);
        }
        if self.unit.types.is_aggregate(ty) { effects } else { self.typed(ty, effects) }
    }

    /// Effects of reading the place `e`.
    fn access(&mut self, e: ExprId) -> Effects {
        let unit = self.unit;
        let ty = unit.exprs[e].ty;
        let mut effects = self.place(e);
        if unit.is_place(e) {
            let inside = constant_place(unit, e).is_some_and(|(object, offset)| {
                let size = unit.types.size(ty).unwrap_or(u64::MAX);
                offset.checked_add(size).is_some_and(|end| end <= object)
            });
            if !inside {
                for ub in [Ub::NullDeref, Ub::UseAfterFree, Ub::OutOfBounds] {
                    self.policy(ub, &mut effects);
                }
            }
            if self.opts.volatile_nondet && crate::volatile::is_volatile(unit, ty) {
                effects.edges = true;
            }
            if is_bit_field(unit, e) {
                // A field that must be put together byte by byte is a tall expression.
                effects.height = effects.height.saturating_add(24);
            }
        }
        if unit.types.is_aggregate(ty) || unit.types.is_array(ty) { effects } else { self.typed(ty, effects) }
    }

    /// Effects of finding the place `e`, without an access.
    pub(crate) fn place(&mut self, e: ExprId) -> Effects {
        let unit = self.unit;
        match unit.exprs[e].kind {
            ExprKind::Var(v) | ExprKind::CompoundLiteral(v) => self.variable(v, unit.exprs[e].kind),
            ExprKind::Func(_) | ExprKind::Str(_) => Effects::LEAF,
            ExprKind::Deref(p) => self.value(p),
            ExprKind::Member(base, _) if unit.is_place(base) => {
                let effects = self.place(base);
                Effects { height: effects.height.saturating_add(1), ..effects }
            }
            ExprKind::Member(base, _) => self.value(base).join(Effects::EFFECT),
            _ => self.value(e).join(Effects::EFFECT),
        }
    }

    fn variable(&self, v: VarId, kind: ExprKind) -> Effects {
        let var = &self.unit.vars[v];
        let automatic = matches!(var.storage, Storage::Auto | Storage::Param);
        if automatic && matches!(kind, ExprKind::CompoundLiteral(_)) {
            return Effects::EFFECT;
        }
        let types = &self.unit.types;
        let sized = types::scalar(types, var.ty).is_some() || types.size(var.ty).is_some() || types.is_vla(var.ty);
        if !sized || (automatic && self.table.nested) || var.attrs.asm_name.is_some() {
            return Effects::EDGES;
        }
        Effects::LEAF
    }
}

/// Whether the place is a bit-field.
pub(crate) fn is_bit_field(unit: &Unit, e: ExprId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Member(base, i) => {
            let record = unit.types.record(unit.exprs[base].ty);
            record.is_some_and(|r| unit.types.records[r].fields[i as usize].bits.is_some())
        }
        _ => false,
    }
}

/// Numbers that need no evaluation.
pub(crate) trait Constants {
    /// The value of a literal, possibly converted between integer types.
    fn constant(&self, e: ExprId) -> Option<i128>;
}

impl Constants for Unit {
    fn constant(&self, mut e: ExprId) -> Option<i128> {
        let mut kinds = Vec::new();
        loop {
            let x = &self.exprs[e];
            kinds.push(self.types.int_kind(x.ty)?);
            match x.kind {
                ExprKind::Int(v) => {
                    let value = i128::from(v);
                    return Some(kinds.iter().rev().fold(value, |v, k| k.wrap(v, self.types.target)));
                }
                ExprKind::Cast(CastKind::Int | CastKind::Same, a, _) => e = a,
                _ => return None,
            }
        }
    }
}

/// The size of the variable that a place with a constant offset lies in, and the offset.
fn constant_place(unit: &Unit, e: ExprId) -> Option<(u64, u64)> {
    match unit.exprs[e].kind {
        ExprKind::Var(v) | ExprKind::CompoundLiteral(v) => Some((unit.types.size(unit.vars[v].ty)?, 0)),
        ExprKind::Str(s) => Some((unit.types.size(unit.strings[s].ty)?, 0)),
        ExprKind::Member(base, i) => {
            let (size, offset) = constant_place(unit, base)?;
            if let Some((_, at)) = unit.types.lane(unit.exprs[base].ty, i) {
                return Some((size, offset.checked_add(at)?));
            }
            let record = unit.types.record(unit.exprs[base].ty)?;
            Some((size, offset.checked_add(unit.types.records[record].fields[i as usize].offset)?))
        }
        ExprKind::Deref(p) => {
            let ExprKind::Binary(BinOp::PtrAdd, array, index) = unit.exprs[p].kind else { return None };
            let ExprKind::Cast(CastKind::ArrayDecay, array, _) = unit.exprs[array].kind else { return None };
            let (size, offset) = constant_place(unit, array)?;
            let index = u64::try_from(unit.constant(index)?).ok()?;
            let step = unit.types.size(unit.types.pointee(unit.exprs[p].ty)?)?;
            Some((size, offset.checked_add(index.checked_mul(step)?)?))
        }
        _ => None,
    }
}

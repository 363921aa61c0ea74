//! Where arrays become pointers: for the access of an element, which is over at once, or as a value that can be kept.

use base::Id;
use cfront::tree::{BinOp, CastKind, ExprId, ExprKind, Unit, VarId};
use rustc_hash::FxHashSet;

/// What one unit does with its arrays.
pub(crate) struct Decays {
    /// Arrays that become pointers only for the access of an element.
    at_once: FxHashSet<ExprId>,
    /// Variables of which pointers are made that can be kept.
    pointed: Vec<bool>,
}

impl Decays {
    /// Reads all expressions of a unit.
    pub(crate) fn new(unit: &Unit) -> Decays {
        let at_once: FxHashSet<ExprId> = unit
            .exprs
            .iter()
            .filter_map(|e| match e.kind {
                ExprKind::Deref(p) => element_of(unit, p).map(|(decay, _)| decay),
                _ => None,
            })
            .collect();
        let mut pointed: Vec<bool> = unit.vars.iter().map(|v| v.attrs.cleanup.is_some()).collect();
        for (id, e) in unit.exprs.iter_enumerated() {
            let place = match e.kind {
                ExprKind::AddrOf(place) => place,
                ExprKind::Cast(CastKind::ArrayDecay, place, _) if !at_once.contains(&id) => place,
                _ => continue,
            };
            if let ExprKind::Var(v) | ExprKind::CompoundLiteral(v) = unit.exprs[whole(unit, place)].kind {
                pointed[v.index()] = true;
            }
        }
        // What assembly does with its operands is its own affair.
        if !unit.asms.is_empty() {
            pointed.fill(true);
        }
        Decays { at_once, pointed }
    }

    /// Whether an array becomes a pointer only for the access of an element (or for its address).
    pub(crate) fn is_at_once(&self, decay: ExprId) -> bool {
        self.at_once.contains(&decay)
    }

    /// Whether pointers are made of a variable that can be kept.
    pub(crate) fn is_pointed(&self, v: VarId) -> bool {
        self.pointed[v.index()]
    }

    /// Whether an array that becomes a pointer which can be kept is part of a value, not of an object: a function has returned it, say.
    pub(crate) fn keeps_temporary(&self, unit: &Unit, decay: ExprId, array: ExprId) -> bool {
        let lasting = |kind: &ExprKind| {
            matches!(kind, ExprKind::Var(_) | ExprKind::CompoundLiteral(_) | ExprKind::Deref(_) | ExprKind::Str(_))
        };
        !self.at_once.contains(&decay) && !lasting(&unit.exprs[whole(unit, array)].kind)
    }
}

/// The array of which a pointer points to an element, as it becomes that pointer and as a place.
fn element_of(unit: &Unit, p: ExprId) -> Option<(ExprId, ExprId)> {
    let start = match unit.exprs[p].kind {
        ExprKind::Binary(BinOp::PtrAdd, a, _) => a,
        _ => p,
    };
    match unit.exprs[start].kind {
        ExprKind::Cast(CastKind::ArrayDecay, array, _) => Some((start, array)),
        _ => None,
    }
}

/// The object that a place is part of, as far as the expression says.
pub(crate) fn whole(unit: &Unit, mut place: ExprId) -> ExprId {
    loop {
        place = match unit.exprs[place].kind {
            ExprKind::Member(base, _) => base,
            ExprKind::Deref(p) => match element_of(unit, p) {
                Some((_, array)) => array,
                None => return place,
            },
            _ => return place,
        };
    }
}

//! The numbers that stand in a program: what it compares its inputs with is mostly one of them, or next to one.

use base::IndexVec;
use base::rng::Rng;
use ir::walk::{Visitor, walk_edge};
use ir::{Expr, ExprKind, FuncId, IntTy, Program, Ty};
use std::collections::BTreeSet;

/// Numbers below this need no dictionary.
const SMALL: u128 = 10;
/// The most numbers of one function, and of the program.
const MOST: usize = 4096;

/// The numbers of each function, and of all, each once and sorted.
pub(super) struct Dictionary {
    of: IndexVec<FuncId, Vec<u128>>,
    all: Vec<u128>,
}

impl Dictionary {
    pub(super) fn new(program: &Program) -> Dictionary {
        let mut all = BTreeSet::new();
        let numbers = |f: &ir::Function| {
            let mut found = Numbers(BTreeSet::new());
            f.body.iter().flat_map(|b| &b.edges).for_each(|e| walk_edge(e, &mut found));
            all.extend(found.0.iter().copied());
            found.0.into_iter().take(MOST).collect()
        };
        let of = program.functions.iter().map(numbers).collect();
        Dictionary { of, all: all.into_iter().take(MOST).collect() }
    }

    /// A number for a request in this function: one of its own, one of another function, or a small or random one.
    pub(super) fn number(&self, func: Option<FuncId>, ty: IntTy, rng: &mut Rng) -> u128 {
        let own: &[u128] = func.map_or(&[], |f| &self.of[f]);
        let from = match rng.below(10) {
            0..=3 if !own.is_empty() => own,
            4..=5 if !self.all.is_empty() => &self.all,
            6..=8 => return u128::from(rng.below(SMALL as u64)),
            _ => return random(ty, rng),
        };
        let near = match rng.below(6) {
            0 => 1,
            1 => u128::MAX,
            _ => 0,
        };
        rng.pick(from).wrapping_add(near) & ty.mask()
    }
}

/// A number near a border of its type, or any.
fn random(ty: IntTy, rng: &mut Rng) -> u128 {
    let (top, near) = (1u128 << (ty.width - 1), u128::from(rng.below(3)));
    let any = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
    ty.mask()
        & match rng.below(5) {
            0 => near.wrapping_neg(),
            1 => top.wrapping_sub(near),
            2 => top.wrapping_add(near),
            _ => any,
        }
}

struct Numbers(BTreeSet<u128>);

impl Visitor for Numbers {
    fn expr(&mut self, e: &Expr) {
        if let (ExprKind::Const(bits), Ty::Int(_)) = (&e.kind, e.ty)
            && *bits >= SMALL
        {
            self.0.insert(*bits);
        }
    }
}

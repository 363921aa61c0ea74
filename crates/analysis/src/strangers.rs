//! Objects that are compared with pointers of unknown origin and never escape.
//!
//! A pointer of unknown origin leads to what has escaped, or outside of all objects of the program (SOUNDNESS.md). So it differs from
//! every address in an object that never escapes. That is said only of objects of which the program asks it: of all others nobody
//! needs to know.

use base::sabotage::{self, Fault};
use ir::walk::{Visitor, walk_edge};
use ir::{Expr, ExprKind, FuncId, Ty};
use pointsto::{Object, Query, Targets};
use std::collections::BTreeSet;

pub(crate) fn find(query: Query<'_>) -> BTreeSet<Object> {
    let mut found = BTreeSet::new();
    for (func, function) in query.program.functions.iter_enumerated() {
        for edge in function.body.iter().flat_map(|b| &b.edges) {
            walk_edge(edge, &mut Comparisons { query, func, found: &mut found });
        }
    }
    found
}

struct Comparisons<'a> {
    query: Query<'a>,
    func: FuncId,
    found: &'a mut BTreeSet<Object>,
}

impl Visitor for Comparisons<'_> {
    fn expr(&mut self, e: &Expr) {
        let ExprKind::Binary(op, a, b) = &e.kind else { return };
        if !op.is_comparison() || a.ty != Ty::Ptr {
            return;
        }
        let (left, right) = (self.query.expr(self.func, a), self.query.expr(self.func, b));
        for (known, other) in [(&left, &right), (&right, &left)] {
            self.compare(known, other);
        }
    }
}

impl Comparisons<'_> {
    fn compare(&mut self, known: &Targets, other: &Targets) {
        if !other.contains_key(&Object::Ext) {
            return;
        }
        let hidden = |o: &Object| {
            let object = matches!(o, Object::Global(_) | Object::Local(..) | Object::Site(_));
            let escapes = self.query.solution.escaped.contains(o) && !sabotage::active(Fault::EscapedStaysHidden);
            object && !escapes
        };
        let hidden: Vec<Object> = known.keys().copied().filter(hidden).collect();
        self.found.extend(hidden);
    }
}

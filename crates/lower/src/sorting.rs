//! `qsort` and `bsearch`: ordinary operations around calls of the comparison, each with pointers to elements of the array (C11 7.22.5).
//!
//! Searching compares any element between two bounds, and then looks on one side of it: that is what all ways of searching in an array
//! in order have in common, one element after the other among them. So null comes out only where no element matches.
//!
//! Sorting exchanges elements any number of times, so what comes out has the same elements. If the comparison changes nothing,
//! it is then called for all neighbours, and none is in the wrong order. (The calls must not be seen: a comparison with
//! effects of its own has only the calls before, and what comes out may be in any order.)

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::libc::AllocKind;
use crate::model::{self, Model};
use crate::place::object_predicate;
use base::{Id, Span};
use cfront::tree::{ExprId, ExprKind, FuncId, Storage, Unit};
use ir::library::recipe::Recipe;
use ir::{BinOp, Call, Callee, Expr, Loc, ObjectPredicate, Op, Place, Ty, Ub};

/// An array and the comparison of its elements.
struct Array {
    base: Expr,
    n: Expr,
    size: Expr,
    compare: Expr,
}

impl Fun<'_, '_> {
    /// `qsort(base, n, size, compare)`.
    pub(crate) fn sort(&mut self, args: &[Expr; 4], span: Span) {
        let array = self.array(args, span);
        let room = self.temp(Ty::Ptr, span);
        self.allocate_to(room, array.size.clone(), AllocKind::Stack, "qsort", span);
        let room = Expr::var(room, Ty::Ptr);
        let again = self.loop_head(span);
        let (compare, exchange, done) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.choose_one(&[compare, exchange], done, span);
        self.at(compare);
        let [a, b] = [0, 1].map(|_| self.element(&array, span).1);
        self.compare(&array, a, b, span);
        self.goto(again, span);
        self.at(exchange);
        let [a, b] = [0, 1].map(|_| self.element(&array, span).1);
        for (to, from) in [(&room, &a), (&a, &b), (&b, &room)] {
            self.copy_checked(to.clone(), from.clone(), array.size.clone(), span);
        }
        self.goto(again, span);
        self.at(done);
        if self.is_idle(&array.compare) {
            self.ordered(&array, span);
        }
    }

    /// `bsearch(key, base, n, size, compare)`.
    pub(crate) fn search(&mut self, args: &[Expr; 5], ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let [key, base, n, size, compare] = args.clone();
        let key = fold::convert(Ty::Ptr, key, self.model());
        let key = self.keep(key, span);
        let array = self.array(&[base, n, size, compare], span);
        let (result, word, int) = (self.temp(Ty::Ptr, span), self.model().size_ty(), Ty::int(32, true));
        let [low, high] = [0, 1].map(|_| self.temp(word, span));
        for (bound, value) in [(low, Expr::int(word, 0)), (high, array.n.clone())] {
            self.emit(Op::Assign(Place::var(bound, word), value), span);
        }
        let again = self.loop_head(span);
        let [look, found, other, before, behind, none, done] = [0; 7].map(|_| self.graph.loc());
        let [from, to] = [low, high].map(|bound| Expr::var(bound, word));
        self.split(fold::binary(BinOp::Lt, from.clone(), to.clone()), look, none, span);
        self.at(look);
        let (i, at) = self.element(&array, span);
        for (op, bound) in [(BinOp::Ge, from), (BinOp::Lt, to)] {
            self.emit(Op::Assume(fold::binary(op, i.clone(), bound)), span);
        }
        let r = self.compare(&array, key, at.clone(), span);
        self.split(fold::binary(BinOp::Eq, r.clone(), Expr::int(int, 0)), found, other, span);
        self.at(other);
        self.split(fold::binary(BinOp::Lt, r, Expr::int(int, 0)), before, behind, span);
        self.at(before);
        self.emit_to(Op::Assign(Place::var(high, word), i.clone()), again, span);
        self.at(behind);
        let next = fold::binary(BinOp::Add, i, Expr::int(word, 1));
        self.emit_to(Op::Assign(Place::var(low, word), next), again, span);
        self.at(found);
        self.emit_to(Op::Assign(Place::var(result, Ty::Ptr), at), done, span);
        self.at(none);
        self.emit_to(Op::Assign(Place::var(result, Ty::Ptr), Expr::null()), done, span);
        self.at(done);
        self.finish_pure(Expr::var(result, Ty::Ptr), ret, want, span)
    }

    fn array(&mut self, [base, n, size, compare]: &[Expr; 4], span: Span) -> Array {
        let (model, word) = (self.model(), self.model().size_ty());
        let kept = |f: &mut Self, e: &Expr, ty: Ty| {
            let e = fold::convert(ty, e.clone(), model);
            if matches!(e.kind, ir::ExprKind::Func(_)) { e } else { f.keep(e, span) }
        };
        let base = kept(self, base, Ty::Ptr);
        let n = kept(self, n, word);
        let size = kept(self, size, word);
        let compare = kept(self, compare, Ty::Ptr);
        self.guard(Ub::OutOfBounds, crate::known::overflows(&n, &size).negate());
        Array { base, n, size, compare }
    }

    fn loop_head(&mut self, span: Span) -> Loc {
        let again = self.graph.loc();
        self.goto(again, span);
        self.at(again);
        again
    }

    /// Goes to one of these places, or to the last.
    fn choose_one(&mut self, places: &[Loc], last: Loc, span: Span) {
        let int = Ty::int(32, false);
        let choice = self.outside_value(int, "order of a sort or search", span);
        for (i, &place) in places.iter().enumerate() {
            let next = if i + 1 == places.len() { last } else { self.graph.loc() };
            self.split(fold::binary(BinOp::Eq, choice.clone(), Expr::int(int, i as i128)), place, next, span);
            if i + 1 < places.len() {
                self.at(next);
            }
        }
    }

    /// The index of some element, and a pointer to it.
    fn element(&mut self, array: &Array, span: Span) -> (Expr, Expr) {
        let word = self.model().size_ty();
        let i = self.outside_value(word, "element", span);
        self.emit(Op::Assume(fold::binary(BinOp::Lt, i.clone(), array.n.clone())), span);
        let at = fold::binary(BinOp::Mul, i.clone(), array.size.clone());
        let at = self.plus(&array.base, &at);
        (i, self.keep(at, span))
    }

    /// What the comparison gives.
    fn compare(&mut self, array: &Array, a: Expr, b: Expr, span: Span) -> Expr {
        let int = Ty::int(32, true);
        let result = self.temp(int, span);
        self.guard(Ub::BadCall, object_predicate(ObjectPredicate::Callable(2), array.compare.clone()));
        let callee = Callee::Indirect(array.compare.clone());
        self.emit(Op::Call(Call { dst: Some(result), callee, args: vec![a, b] }), span);
        Expr::var(result, int)
    }

    /// No element is behind one that is larger.
    fn ordered(&mut self, array: &Array, span: Span) {
        let (word, int) = (self.model().size_ty(), Ty::int(32, true));
        let i = self.temp(word, span);
        self.emit(Op::Assign(Place::var(i, word), Expr::int(word, 1)), span);
        self.loop_head(span);
        let again = self.cur;
        let (next, done) = (self.graph.loc(), self.graph.loc());
        let i_value = Expr::var(i, word);
        self.split(fold::binary(BinOp::Lt, i_value.clone(), array.n.clone()), next, done, span);
        self.at(next);
        let before = fold::binary(BinOp::Sub, i_value.clone(), Expr::int(word, 1));
        let [a, b] = [before, i_value.clone()].map(|i| {
            let at = fold::binary(BinOp::Mul, i, array.size.clone());
            self.plus(&array.base, &at)
        });
        let (a, b) = (self.keep(a, span), self.keep(b, span));
        let r = self.compare(array, a, b, span);
        self.emit(Op::Assume(fold::binary(BinOp::Le, r, Expr::int(int, 0))), span);
        let more = fold::binary(BinOp::Add, i_value, Expr::int(word, 1));
        self.emit_to(Op::Assign(Place::var(i, word), more), again, span);
        self.at(done);
    }

    /// Whether the function is known, and neither writes anything but its own variables nor takes anything from outside.
    fn is_idle(&self, compare: &Expr) -> bool {
        let ir::ExprKind::Func(f) = compare.kind else { return false };
        // With one unit a name is one function.
        let [unit] = self.cx.units else { return false };
        let name = &self.cx.functions[f].name;
        unit.function(name).is_some_and(|f| unit.asms.is_empty() && is_idle(unit, f))
    }
}

/// Whether a function has no effects that can be seen elsewhere.
fn is_idle(unit: &Unit, f: FuncId) -> bool {
    let (first, end) = unit.funcs[f].exprs;
    let own = |e: ExprId| {
        let automatic = |s: Storage| matches!(s, Storage::Auto | Storage::Param);
        matches!(unit.exprs[e].kind, ExprKind::Var(v) if automatic(unit.vars[v].storage))
    };
    let reads = |model: Model| matches!(model, Model::By(Recipe::Lib(_) | Recipe::Abs));
    let fine = |kind: &ExprKind| match *kind {
        ExprKind::Assign(to, _) | ExprKind::AssignOp { lhs: to, .. } | ExprKind::IncDec { place: to, .. } => own(to),
        ExprKind::Call(callee, _) => unit
            .direct_callee(callee)
            .is_some_and(|g| unit.funcs[g].body.is_none() && model::named(unit, g).is_some_and(reads)),
        ExprKind::Builtin(..) | ExprKind::StmtExpr(..) | ExprKind::Unsupported(_) => false,
        _ => true,
    };
    unit.funcs[f].body.is_some() && (first..end).all(|i| fine(&unit.exprs[ExprId::from_index(i as usize)].kind))
}

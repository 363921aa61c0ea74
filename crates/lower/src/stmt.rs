//! Statements.
//!
//! Every construct of C's control flow is locations and jumps between them; `case` and label markers are locations that
//! exist before their statement is met, so that jumps into blocks (Duff's device) need nothing special. Recursion is
//! bounded by the nesting of the tree, which the front end bounds; chains of `else if` are walked with a loop.

use crate::context::Passing;
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{CastKind, ExprId, ExprKind, ForStmt, LabelId, StmtId, StmtKind, SwitchId};
use ir::{Address, BinOp, Expr, Loc, Op, Ty, Var};

/// A switch's value is repeated on the edge of each case; one with more nodes goes into a temporary.
const MAX_SWITCH_VALUE: usize = 8;

impl Fun<'_, '_> {
    /// Counts a statement, if it is one and the source's own.
    fn count(&mut self, counts: bool) {
        let own = self.func.is_none_or(|f| !self.unit.funcs[f].runtime);
        self.cx.statements += u64::from(counts && own);
    }

    /// Lowers a statement.
    pub(crate) fn stmt(&mut self, s: StmtId) {
        let unit = self.unit;
        let stmt = &unit.stmts[s];
        let span = stmt.span;
        self.count(is_counted(&stmt.kind));
        if is_counted(&stmt.kind) {
            self.interrupts(span);
        }
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.effect(*e);
                self.flush(span);
            }
            StmtKind::Decl(v) => self.declaration(*v, span),
            StmtKind::Block(stmts) => self.in_block(span, |fun| fun.block(stmts, span)),
            StmtKind::If(..) => self.if_chain(s),
            StmtKind::While(cond, body) => self.in_block(span, |fun| fun.while_loop(*cond, *body, span)),
            StmtKind::DoWhile(body, cond) => self.in_block(span, |fun| fun.do_loop(*body, *cond, span)),
            StmtKind::For(parts) => self.in_block(span, |fun| fun.for_loop(parts, span)),
            StmtKind::Switch(sw) => self.in_block(span, |fun| fun.switch(*sw, span)),
            StmtKind::Case(c) => {
                let loc = *self.cases.entry(*c).or_insert_with(|| self.graph.loc());
                self.goto(loc, span);
                self.at(loc);
            }
            StmtKind::Default(sw) => {
                let loc = *self.defaults.entry(*sw).or_insert_with(|| self.graph.loc());
                self.goto(loc, span);
                self.at(loc);
            }
            StmtKind::Label(l) => {
                let loc = self.label(*l);
                self.goto(loc, span);
                self.at(loc);
            }
            StmtKind::Goto(l) => {
                if !self.cleanups.is_empty() {
                    return self.unsupported("goto in the scope of a cleanup attribute", span);
                }
                let loc = self.label(*l);
                self.goto(loc, span);
            }
            StmtKind::GotoComputed(e) => self.computed_goto(*e, span),
            StmtKind::Break => self.jump(self.breaks.last().copied(), span),
            StmtKind::Continue => self.jump(self.continues.last().copied(), span),
            StmtKind::Return(value) => self.return_stmt(*value, span),
            StmtKind::Asm(asm) => self.asm(*asm, span),
            StmtKind::Empty => {}
            StmtKind::Unsupported(why) => self.unsupported(&unit.reasons[*why], span),
        }
    }

    /// The statements of a block, in the present scope.
    pub(crate) fn block(&mut self, stmts: &[StmtId], span: Span) {
        let open = self.cleanups.len();
        for &s in stmts {
            self.stmt(s);
        }
        self.clean_up(open, span);
        self.cleanups.truncate(open);
    }

    /// The block of a statement expression before its value, in the present scope: the value belongs to it, and is a statement of its own.
    pub(crate) fn before_value(&mut self, s: StmtId) {
        self.open_block(s);
        self.interrupts(self.unit.stmts[s].span);
    }

    /// A block in the present scope.
    pub(crate) fn open_block(&mut self, s: StmtId) {
        let stmt = &self.unit.stmts[s];
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts, stmt.span),
            _ => self.stmt(s),
        }
    }

    fn while_loop(&mut self, cond: ExprId, body: StmtId, span: Span) {
        let head = self.graph.loc();
        self.goto(head, span);
        self.at(head);
        let (inside, after) = (self.graph.loc(), self.graph.loc());
        self.branch(cond, inside, after);
        self.loop_body(body, inside, head, after);
        self.goto(head, span);
        self.at(after);
    }

    fn do_loop(&mut self, body: StmtId, cond: ExprId, span: Span) {
        let (head, test, after) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.goto(head, span);
        self.loop_body(body, head, test, after);
        self.goto(test, span);
        self.at(test);
        self.branch(cond, head, after);
        self.at(after);
    }

    fn jump(&mut self, to: Option<(Loc, usize)>, span: Span) {
        let (to, open) = to.expect("the front end has checked that a loop or switch is around");
        self.clean_up(open, span);
        self.goto(to, span);
    }

    /// The `cleanup` functions of all variables but the first `keep` run, the last declared first.
    fn clean_up(&mut self, keep: usize, span: Span) {
        for i in (keep..self.cleanups.len()).rev() {
            let v = self.cleanups[i];
            let function = self.unit.vars[v].attrs.cleanup.and_then(|name| self.unit.function(self.unit.name(name)));
            let (Some(f), crate::function::Home::At(var)) = (function, self.home(v)) else {
                self.unsupported("cleanup attribute", span);
                continue;
            };
            let id = {
                let entity = self.cx.link.func(self.cx.units, self.u, f);
                self.cx.declare(entity)
            };
            if self.cx.functions[id].n_params != 1 {
                self.unsupported("cleanup attribute", span);
                continue;
            }
            let args = vec![Expr::addr(Address::var(var))];
            self.emit(Op::Call(ir::Call { dst: None, callee: ir::Callee::Direct(id), args }), span);
        }
    }

    /// The location of a label.
    pub(crate) fn label(&mut self, l: LabelId) -> Loc {
        if let Some(&loc) = self.labels.get(&l) {
            return loc;
        }
        let loc = self.graph.loc();
        self.graph.set_label(loc, self.unit.name(self.unit.labels[l].name));
        self.labels.insert(l, loc);
        loc
    }

    /// `goto *e`: a branch over all labels of the function whose address occurs. Going anywhere else is undefined.
    fn computed_goto(&mut self, e: ExprId, span: Span) {
        let unit = self.unit;
        let value = self.value(e);
        if matches!(value.ty, Ty::Float(_)) {
            self.unsupported("goto to a floating-point number", span);
            return;
        }
        // gcc takes a number for the address of a label, too.
        let value = fold::convert(Ty::Ptr, value, self.model());
        let value = self.keep(value, span);
        let (from, guards) = (self.cur, std::mem::take(&mut self.guards));
        let mut none = Vec::new();
        for (l, label) in unit.labels.iter_enumerated() {
            if !label.address_taken || Some(label.func) != self.func {
                continue;
            }
            let here = fold::binary(BinOp::Eq, value.clone(), self.cx.label_address(self.u, l));
            none.push(here.clone().negate());
            let loc = self.label(l);
            self.cur = from;
            self.guards.clone_from(&guards);
            self.emit_to(Op::Assume(here), loc, span);
        }
        self.cur = from;
        self.guards = guards;
        if !none.is_empty() {
            let elsewhere = self.graph.loc();
            self.emit_to(Op::Assume(fold::all(none)), elsewhere, span);
            self.at(elsewhere);
        }
        self.guard(ir::Ub::Unreachable, Expr::bool(false));
        self.finish_with(Op::Halt, span);
    }

    /// An `if`, each of whose parts is a block, as is the whole. In a chain the blocks of the later ones lie in the first.
    fn if_chain(&mut self, s: StmtId) {
        let span = self.unit.stmts[s].span;
        self.in_block(span, |fun| fun.ifs(s));
    }

    fn ifs(&mut self, s: StmtId) {
        let unit = self.unit;
        let join = self.graph.loc();
        let mut next = Some(s);
        while let Some(s) = next.take() {
            let StmtKind::If(cond, then, els) = unit.stmts[s].kind else {
                self.in_block(unit.stmts[s].span, |fun| fun.stmt(s));
                break;
            };
            let span = unit.stmts[s].span;
            let (yes, no) = (self.graph.loc(), self.graph.loc());
            self.branch(cond, yes, no);
            self.at(yes);
            self.in_block(span, |fun| fun.stmt(then));
            self.goto(join, span);
            self.at(no);
            next = els;
            self.count(matches!(next.map(|s| &unit.stmts[s].kind), Some(StmtKind::If(..))));
        }
        let span = unit.stmts[s].span;
        self.goto(join, span);
        self.at(join);
    }

    fn loop_body(&mut self, body: StmtId, start: Loc, again: Loc, after: Loc) {
        self.breaks.push((after, self.cleanups.len()));
        self.continues.push((again, self.cleanups.len()));
        self.at(start);
        let span = self.unit.stmts[body].span;
        // A loop may wait for what the handler does, in a body without statements.
        self.interrupts(span);
        self.in_block(span, |fun| fun.stmt(body));
        self.continues.pop();
        self.breaks.pop();
    }

    fn for_loop(&mut self, parts: &ForStmt, span: Span) {
        // What is declared there lives as long as the loop.
        if let Some(init) = parts.init {
            self.open_block(init);
        }
        let (head, inside, step, after) = (self.graph.loc(), self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.goto(head, span);
        self.at(head);
        match parts.cond {
            Some(cond) => self.branch(cond, inside, after),
            None => self.goto(inside, span),
        }
        let again = if sabotage::active(Fault::ContinueSkipsStep) { head } else { step };
        self.loop_body(parts.body, inside, again, after);
        self.goto(step, span);
        self.at(step);
        if let Some(e) = parts.step {
            self.effect(e);
        }
        self.goto(head, span);
        self.at(after);
    }

    fn switch(&mut self, sw: SwitchId, span: Span) {
        let unit = self.unit;
        let switch = &unit.switches[sw];
        let mut value = self.value(switch.value);
        if size(&value, MAX_SWITCH_VALUE) > MAX_SWITCH_VALUE && switch.cases.len() > 1 {
            value = self.keep(value, span);
        }
        let after = self.graph.loc();
        let otherwise =
            if switch.has_default { *self.defaults.entry(sw).or_insert_with(|| self.graph.loc()) } else { after };
        let from = self.cur;
        let guards = self.guards.clone();
        let mut not = Vec::new();
        for &c in &switch.cases {
            let case = &unit.cases[c];
            let loc = *self.cases.entry(c).or_insert_with(|| self.graph.loc());
            let (lo, hi) = (Expr::int(value.ty, case.lo), Expr::int(value.ty, case.hi));
            let cond = match case.lo.cmp(&case.hi) {
                std::cmp::Ordering::Equal => fold::binary(BinOp::Eq, value.clone(), lo),
                std::cmp::Ordering::Less => {
                    fold::and(fold::binary(BinOp::Ge, value.clone(), lo), fold::binary(BinOp::Le, value.clone(), hi))
                }
                // An empty range: nothing comes here from the switch.
                std::cmp::Ordering::Greater => continue,
            };
            not.push(cond.clone().negate());
            self.cur = from;
            self.guards.clone_from(&guards);
            self.emit_to(Op::Assume(cond), loc, case.span);
        }
        self.cur = from;
        self.guards = guards;
        if not.is_empty() {
            self.goto(otherwise, span);
        } else {
            self.emit_to(Op::Assume(fold::all(not)), otherwise, span);
        }
        self.breaks.push((after, self.cleanups.len()));
        self.in_block(span, |fun| fun.stmt(switch.body));
        self.breaks.pop();
        self.goto(after, span);
        self.at(after);
    }

    fn return_stmt(&mut self, value: Option<ExprId>, span: Span) {
        let exit = self.graph.exit;
        match (self.returns, self.ret, value) {
            (Passing::Scalar(ty), Some(ret), Some(e)) => {
                let var = Var::Local(ret);
                // A call or branches can write the result themselves.
                let value = if self.effects(e).edges && self.scalar(self.unit.exprs[e].ty) == Some(ty) {
                    self.return_value(e, var, ty)
                } else {
                    let value = self.value(e);
                    fold::convert(ty, value, self.model())
                };
                let value = if self.cleanups.is_empty() { value } else { self.keep(value, span) };
                self.clean_up(0, span);
                self.emit_to(Op::Return(Some(value)), exit, span);
            }
            (Passing::Scalar(ty), Some(ret), None) => {
                let op = crate::definite::uninit(ret, &self.locals[ret], self.model());
                self.emit(op, span);
                self.clean_up(0, span);
                self.emit_to(Op::Return(Some(Expr::var(Var::Local(ret), ty))), exit, span);
            }
            (Passing::Record(..), _, Some(e)) => {
                let ty = self.unit.exprs[e].ty;
                let src = self.record_read(e);
                let dst = Address::ptr(Expr::var(Var::Local(base::Id::from_index(0)), Ty::Ptr));
                let Some(size) = self.unit.types.size(ty) else {
                    return self.unsupported("structure of unknown size", span);
                };
                self.access(&src, size);
                let src = self.pointer(src);
                // The caller's object is there and belongs to nobody else.
                self.copy(dst.clone(), src, size, span);
                self.blur_copied(&dst, ty, span);
                self.clean_up(0, span);
                self.emit_to(Op::Return(None), exit, span);
            }
            (_, _, value) => {
                if let Some(e) = value {
                    self.effect(e);
                }
                self.clean_up(0, span);
                self.emit_to(Op::Return(None), exit, span);
            }
        }
    }

    fn return_value(&mut self, e: ExprId, var: Var, ty: Ty) -> Expr {
        match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::Ptr | CastKind::Same | CastKind::Int, inner, _)
                if self.scalar(self.unit.exprs[inner].ty) == Some(ty) =>
            {
                self.return_value(inner, var, ty)
            }
            ExprKind::Call(..) => match self.call(e, Want::Into(var)) {
                Some(value) => fold::convert(ty, value, self.model()),
                None => Expr::constant(ty, 0),
            },
            ExprKind::Cond(..) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                self.store_var(var, e);
                Expr::var(var, ty)
            }
            _ => {
                let value = self.value(e);
                fold::convert(ty, value, self.model())
            }
        }
    }
}

/// Whether a statement does something: blocks and labels only hold others.
fn is_counted(kind: &StmtKind) -> bool {
    !matches!(
        kind,
        StmtKind::Block(_) | StmtKind::Label(_) | StmtKind::Case(_) | StmtKind::Default(_) | StmtKind::Empty
    )
}

/// The number of nodes, counted no further than just over `limit`.
fn size(e: &Expr, limit: usize) -> usize {
    let mut todo = vec![e];
    let mut n = 0;
    while let Some(e) = todo.pop() {
        n += 1;
        if n > limit {
            break;
        }
        match &e.kind {
            ir::ExprKind::Read(place) => {
                if let ir::Base::Ptr(p) = &place.addr.base {
                    todo.push(p);
                }
                todo.extend(place.addr.indices.iter().map(|i| &i.value));
            }
            ir::ExprKind::Unary(_, a) | ir::ExprKind::Convert(a) => todo.push(a),
            ir::ExprKind::Binary(_, a, b) => todo.extend([&**a, &**b]),
            ir::ExprKind::Ite(a, b, c) => todo.extend([&**a, &**b, &**c]),
            _ => {}
        }
    }
    n
}

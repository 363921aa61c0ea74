//! The checks behind [`super::validate`], in the order of its list.
//!
//! Nothing is assumed: ids are looked up before they are used, and an expression is walked only after its height is
//! known to be small.

use super::{Rule, Violation};
use crate::cfg::Graph;
use crate::syntax::*;
use crate::text::MAX_EXPR_DEPTH;
use crate::walk::height;
use base::IndexVec;
use base::sabotage::{self, Fault};
use rustc_hash::FxHashSet;

pub(super) struct Checker<'a> {
    program: &'a Program,
    func: Option<FuncId>,
    edge: Option<EdgeId>,
    /// Whether entry values may occur, and whether we are inside one.
    entry: EntryUse,
    violations: Vec<Violation>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryUse {
    Forbidden,
    Allowed,
    Inside,
}

impl<'a> Checker<'a> {
    pub(super) fn new(program: &'a Program) -> Checker<'a> {
        Checker { program, func: None, edge: None, entry: EntryUse::Forbidden, violations: Vec::new() }
    }

    pub(super) fn finish(self) -> Result<(), Vec<Violation>> {
        if self.violations.is_empty() { Ok(()) } else { Err(self.violations) }
    }

    fn fail(&mut self, rule: Rule, detail: impl Into<String>) {
        self.violations.push(Violation { rule, func: self.func, edge: self.edge, detail: detail.into() });
    }

    fn check(&mut self, holds: bool, rule: Rule, detail: impl Into<String>) {
        if !holds {
            self.fail(rule, detail);
        }
    }

    pub(super) fn program(&mut self) {
        let p = self.program;
        self.unique(p.globals.iter().map(|g| &g.name), "global");
        self.unique(p.functions.iter().map(|f| &f.name), "function");
        self.unique(p.sites.iter().map(|s| &s.name), "site");
        match p.functions.get(p.entry) {
            None => self.fail(Rule::IdsExist, "the entry function does not exist"),
            Some(f) => self.check(f.body.is_some(), Rule::IdsExist, "the entry function has no body"),
        }
        for global in &p.globals {
            self.shape(global.shape, &global.name);
            self.init(global);
        }
        self.table();
        for (id, func) in p.functions.iter_enumerated() {
            self.func = Some(id);
            self.function(func);
            self.func = None;
        }
    }

    pub(super) fn predicate(&mut self, func: FuncId, expr: &Expr) {
        self.func = Some(func);
        if self.program.functions.get(func).is_none() {
            return self.fail(Rule::IdsExist, "the function does not exist");
        }
        self.entry = EntryUse::Allowed;
        self.check(expr.ty == Ty::Bool, Rule::Conditions, format!("a predicate is bool, not {}", expr.ty));
        self.root(expr);
    }

    fn unique<'n>(&mut self, names: impl Iterator<Item = &'n String>, what: &str) {
        let mut seen = FxHashSet::default();
        for name in names {
            self.check(seen.insert(name), Rule::UniqueNames, format!("two {what}s are called `{name}`"));
        }
    }

    fn ty(&mut self, ty: Ty) -> bool {
        let good = !matches!(ty, Ty::Int(i) if !(1..=128).contains(&i.width));
        self.check(good, Rule::Shapes, format!("{ty} is no type"));
        good
    }

    fn shape(&mut self, shape: Shape, name: &str) {
        match shape {
            Shape::Scalar(ty) => {
                self.ty(ty);
            }
            Shape::Object { size, align } => {
                let half = 1u64 << (self.program.model.ptr_width() - 1);
                self.check(size <= half, Rule::Shapes, format!("`{name}` is too large for the address space"));
                self.check(align.is_power_of_two(), Rule::Shapes, format!("the alignment of `{name}` is {align}"));
            }
        }
    }

    fn memory_ty(ty: Ty) -> bool {
        !matches!(ty, Ty::Int(i) if !matches!(i.width, 8 | 16 | 32 | 64 | 128))
    }

    fn init(&mut self, global: &Global) {
        let Init::Values(items) = &global.init else { return };
        let model = self.program.model;
        for item in items {
            let whole = global.shape == Shape::Scalar(item.value.ty) && item.offset == 0 && item.bits.is_none();
            let constant = match &item.value.kind {
                ExprKind::Const(_) | ExprKind::Func(_) => true,
                ExprKind::Addr(Address { base: Base::Var(Var::Global(_)), indices, .. }) => indices.is_empty(),
                _ => false,
            };
            if !constant {
                self.fail(Rule::Initialisers, format!("an item of `{}` is not constant", global.name));
                continue;
            }
            self.root(&item.value);
            if !self.ty(item.value.ty) {
                continue;
            }
            self.bits(item.bits, item.value.ty);
            let end = item.offset.checked_add(item.value.ty.size(model));
            self.check(
                end.is_some_and(|end| end <= global.shape.size(model)),
                Rule::Initialisers,
                format!("an item of `{}` lies outside it", global.name),
            );
            self.check(
                whole || Self::memory_ty(item.value.ty),
                Rule::Initialisers,
                format!("an item of `{}` has type {}", global.name, item.value.ty),
            );
            self.check(
                whole || global.shape.scalar().is_none_or(Self::memory_ty),
                Rule::Initialisers,
                format!("`{}` is not initialised as a whole", global.name),
            );
        }
    }

    fn function(&mut self, func: &Function) {
        self.unique(func.locals.iter().map(|l| &l.name), "local");
        for local in &func.locals {
            self.shape(local.shape, &local.name);
        }
        self.check(func.n_params <= func.locals.len(), Rule::IdsExist, "a parameter does not exist");
        for local in func.locals.iter().take(func.n_params) {
            let scalar = local.shape.scalar().is_some();
            self.check(scalar, Rule::ScalarParameters, format!("parameter `{}` is not a scalar", local.name));
        }
        if let Some(ret) = func.ret {
            match func.locals.get(ret) {
                None => self.fail(Rule::IdsExist, "the result's local does not exist"),
                Some(local) => {
                    self.check(local.shape.scalar().is_some(), Rule::ScalarParameters, "the result is not a scalar");
                    let param = base::Id::index(ret) < func.n_params;
                    self.check(!param, Rule::ScalarParameters, "the result's local is a parameter");
                }
            }
        }
        if let Some(body) = &func.body {
            self.body(func, body);
        }
    }

    fn body(&mut self, func: &Function, body: &Body) {
        let exists = |loc: Loc| body.locations.get(loc).is_some();
        self.check(exists(body.entry) && exists(body.exit), Rule::IdsExist, "entry or exit does not exist");
        self.check(body.entry != body.exit, Rule::EntryAndExit, "entry and exit are the same location");
        let mut all_exist = exists(body.entry) && exists(body.exit);
        for (id, edge) in body.edges.iter_enumerated() {
            self.edge = Some(id);
            let here = exists(edge.from) && edge.to.is_none_or(exists);
            self.check(here, Rule::IdsExist, "an end of the edge does not exist");
            all_exist &= here;
            self.check(edge.to != Some(body.entry), Rule::EntryAndExit, "the edge leads to the entry");
            self.check(edge.from != body.exit, Rule::EntryAndExit, "the edge leaves the exit");
            let ends = edge.op.ends_run();
            self.check(
                edge.to.is_none() == ends,
                Rule::Targets,
                if ends { "the run ends here, but the edge has a target" } else { "the edge has no target" },
            );
            let returns = matches!(edge.op, Op::Return(_));
            self.check(
                ends || (edge.to == Some(body.exit)) == returns,
                Rule::Targets,
                "`return`, and only `return`, leads to the exit",
            );
            for guard in &edge.guards {
                self.check(guard.cond.ty == Ty::Bool, Rule::Conditions, "a guard is not bool");
                self.root(&guard.cond);
            }
            self.op(func, &edge.op);
            self.edge = None;
        }
        if all_exist {
            self.graph(body);
        }
        // Expressions are walked only if they are known to be small, and locals looked at if they exist.
        if self.violations.is_empty() {
            self.lifetimes(func);
        }
    }

    fn lifetimes(&mut self, func: &Function) {
        for wrong in crate::lifetimes::LocalLifetimes::check(func).1 {
            let name = func.locals.get(wrong.local).map_or("?", |l| &l.name);
            self.edge = Some(wrong.edge);
            self.fail(Rule::Lifetimes, format!("`{name}` {}", wrong.what));
            self.edge = None;
        }
    }

    fn graph(&mut self, body: &Body) {
        let graph = Graph::new(body);
        for loc in body.locations.ids() {
            let out = &graph.out[loc];
            if out.is_empty() && graph.reachable[loc] && loc != body.exit {
                self.fail(Rule::DeadEnds, format!("no edge leaves {loc}"));
            }
            if out.len() > 1 {
                for &e in out {
                    if !matches!(body.edges[e].op, Op::Assume(_)) {
                        self.edge = Some(e);
                        self.fail(Rule::Branches, format!("several edges leave {loc}, and this one is not an assume"));
                        self.edge = None;
                    }
                }
            }
        }
        self.exposed(body, &graph);
    }

    fn table(&mut self) {
        for (ub, policy) in self.program.ub.iter() {
            let good = policy != UbPolicy::Checked || ub.has_guards();
            self.check(good, Rule::CheckedKinds, format!("`{}` has no guards and cannot be checked", ub.name()));
        }
        let assumed = self.program.ub.get(Ub::NoRoom) == UbPolicy::AssumedAway;
        self.check(assumed, Rule::CheckedKinds, "objects for which there is no room are assumed away".to_owned());
    }

    fn exposed(&mut self, body: &Body, graph: &Graph) {
        if sabotage::active(Fault::CheckedWithoutErrors) {
            return;
        }
        for (e, edge) in body.edges.iter_enumerated() {
            for (i, guard) in edge.guards.iter().enumerate() {
                let checked = self.program.ub.get(guard.ub) == UbPolicy::Checked;
                if checked && graph.reachable[edge.from] && !is_exposed(body, graph, edge, i) {
                    self.edge = Some(e);
                    self.fail(Rule::CheckedKinds, format!("nothing leads to `error ub {}`", guard.ub.name()));
                    self.edge = None;
                }
            }
        }
    }

    fn op(&mut self, func: &Function, op: &Op) {
        let size = self.program.model.size_ty();
        match op {
            Op::Skip | Op::Error(_) | Op::Halt | Op::Unsupported(_) => {}
            Op::Assume(e) => {
                self.check(e.ty == Ty::Bool, Rule::Conditions, "the condition is not bool");
                self.root(e);
            }
            Op::Assign(place, e) => {
                self.check(place.ty == e.ty, Rule::Conditions, format!("a value of {} goes to {}", e.ty, place.ty));
                self.root_place(place);
                self.root(e);
            }
            Op::Havoc(HavocDst::Place(place), _) => self.root_place(place),
            Op::Havoc(HavocDst::Range { dst, len }, _) => {
                self.operand(dst, Ty::Ptr);
                self.operand(len, size);
            }
            Op::Alloc(a) => {
                self.check(a.dst.ty == Ty::Ptr, Rule::Operands, "the address of an allocation goes to a ptr");
                self.root_place(&a.dst);
                self.operand(&a.size, size);
                self.check(a.align.is_power_of_two(), Rule::Operands, format!("an alignment of {}", a.align));
                self.check(self.program.sites.get(a.site).is_some(), Rule::IdsExist, "the site does not exist");
            }
            Op::Free(e) | Op::Release(e) => self.operand(e, Ty::Ptr),
            Op::Begin(l) | Op::End(l) => {
                self.var(Var::Local(*l));
                let own = base::Id::index(*l) >= func.n_params && func.ret != Some(*l);
                self.check(own, Rule::Lifetimes, "a parameter or the result begins or ends");
            }
            Op::SetRange { dst, value, len } => {
                self.operand(dst, Ty::Ptr);
                self.operand(value, Ty::int(8, false));
                self.operand(len, size);
            }
            Op::CopyRange { dst, src, len } => {
                self.operand(dst, Ty::Ptr);
                self.operand(src, Ty::Ptr);
                self.operand(len, size);
            }
            Op::Call(call) => self.call(call),
            Op::Return(None) => {}
            Op::Return(Some(e)) => {
                self.root(e);
                let wants = func.ret.and_then(|r| func.locals.get(r)).and_then(|l| l.shape.scalar());
                match wants {
                    None => self.fail(Rule::Returns, "a function without result returns a value"),
                    Some(ty) => self.check(ty == e.ty, Rule::Returns, format!("a result of {}, not {ty}", e.ty)),
                }
            }
        }
    }

    fn operand(&mut self, e: &Expr, ty: Ty) {
        self.check(e.ty == ty, Rule::Operands, format!("an operand is {}, not {ty}", e.ty));
        self.root(e);
    }

    fn call(&mut self, call: &Call) {
        for arg in &call.args {
            self.root(arg);
        }
        let dst = call.dst.and_then(|var| {
            let shape = self.var(var)?;
            self.check(shape.scalar().is_some(), Rule::Calls, "the result goes to an object");
            shape.scalar()
        });
        match &call.callee {
            Callee::Indirect(e) => self.operand(e, Ty::Ptr),
            Callee::Direct(f) => {
                let Some(callee) = self.program.functions.get(*f) else {
                    return self.fail(Rule::IdsExist, "the called function does not exist");
                };
                let n = callee.n_params;
                let fits = if callee.variadic { call.args.len() >= n } else { call.args.len() == n };
                let name = &callee.name;
                self.check(fits, Rule::Calls, format!("`{name}` takes {n} arguments, not {}", call.args.len()));
                for (local, arg) in callee.locals.iter().take(n).zip(&call.args) {
                    let same = local.shape == Shape::Scalar(arg.ty);
                    self.check(same, Rule::Calls, format!("`{}` of `{name}` is not {}", local.name, arg.ty));
                }
                let ret = callee.ret.and_then(|r| callee.locals.get(r)).and_then(|l| l.shape.scalar());
                let same = call.dst.is_none() || (dst.is_some() && dst == ret);
                self.check(same, Rule::Calls, format!("the destination does not fit the result of `{name}`"));
            }
        }
    }

    /// The shape of a variable, if it exists and may be named here.
    fn var(&mut self, var: Var) -> Option<Shape> {
        let locals: Option<&IndexVec<LocalId, Local>> = self.func.map(|f| &self.program.functions[f].locals);
        let shape = match var {
            Var::Global(g) => self.program.globals.get(g).map(|g| g.shape),
            Var::Local(l) => locals.and_then(|ls| ls.get(l)).map(|l| l.shape),
        };
        if shape.is_none() {
            self.fail(Rule::IdsExist, format!("{var:?} does not exist"));
        }
        if let (EntryUse::Inside, Var::Local(l), Some(f)) = (self.entry, var, self.func)
            && base::Id::index(l) >= self.program.functions[f].n_params
        {
            self.fail(Rule::EntryValues, "an entry value of a local that is no parameter");
        }
        shape
    }

    fn bits(&mut self, bits: Option<BitRange>, ty: Ty) {
        if let Some(bits) = bits {
            let good = match ty {
                Ty::Int(i) => bits.width >= 1 && bits.lo.checked_add(bits.width).is_some_and(|hi| hi <= i.width),
                _ => false,
            };
            self.check(good, Rule::BitRanges, format!("bits {}+{} of {ty}", bits.lo, bits.width));
        }
    }

    /// An expression that stands for itself: its height is looked at before anything walks down.
    fn root(&mut self, e: &Expr) {
        if height(e) > MAX_EXPR_DEPTH {
            self.fail(Rule::Depth, format!("an expression nests more than {MAX_EXPR_DEPTH} deep"));
        } else {
            self.expr(e);
        }
    }

    fn root_place(&mut self, place: &Place) {
        let parts = place.addr.indices.iter().map(|i| &i.value);
        let base = match &place.addr.base {
            Base::Ptr(p) => Some(&**p),
            Base::Var(_) => None,
        };
        if parts.chain(base).any(|e| height(e) >= MAX_EXPR_DEPTH) {
            self.fail(Rule::Depth, format!("a place nests more than {MAX_EXPR_DEPTH} deep"));
        } else {
            self.place(place);
        }
    }

    fn place(&mut self, place: &Place) {
        if !self.ty(place.ty) {
            return;
        }
        self.bits(place.bits, place.ty);
        if let Some(var) = place.as_var() {
            let shape = self.var(var);
            if shape.is_none() || shape == Some(Shape::Scalar(place.ty)) {
                return;
            }
        }
        let good = Self::memory_ty(place.ty);
        self.check(good, Rule::MemoryTypes, format!("memory holds no {}", place.ty));
        self.address(&place.addr);
    }

    /// An address that is taken: of a part of memory, or as a value.
    fn address(&mut self, addr: &Address) {
        match &addr.base {
            Base::Var(var) => {
                if let Some(Shape::Scalar(ty)) = self.var(*var) {
                    let good = Self::memory_ty(ty);
                    self.check(good, Rule::MemoryTypes, format!("the address of a variable of type {ty} is taken"));
                }
            }
            Base::Ptr(p) => {
                self.check(p.ty == Ty::Ptr, Rule::Typing, format!("the base of an address is {}", p.ty));
                self.expr(p);
            }
        }
        let wants = self.program.model.index_ty();
        for index in &addr.indices {
            self.check(index.value.ty == wants, Rule::Typing, format!("an index is {}", index.value.ty));
            self.expr(&index.value);
        }
    }

    fn expr(&mut self, e: &Expr) {
        let ty = e.ty;
        if !self.ty(ty) {
            return;
        }
        match &e.kind {
            ExprKind::Const(c) => {
                let width = u32::from(ty.width(self.program.model));
                let fits = width >= 128 || c >> width == 0;
                self.check(fits, Rule::Typing, format!("the constant {c:#x} does not fit {ty}"));
            }
            ExprKind::Read(place) => {
                self.check(place.ty == ty, Rule::Typing, format!("a read of {} is typed {ty}", place.ty));
                self.place(place);
            }
            ExprKind::Addr(addr) => {
                self.check(ty == Ty::Ptr, Rule::Typing, format!("an address is typed {ty}"));
                self.address(addr);
            }
            ExprKind::Func(f) => {
                self.check(ty == Ty::Ptr, Rule::Typing, format!("a function is typed {ty}"));
                self.check(self.program.functions.get(*f).is_some(), Rule::IdsExist, "the function does not exist");
            }
            ExprKind::Unary(op, a) => {
                let takes = match op {
                    UnOp::Neg => matches!(a.ty, Ty::Int(_) | Ty::Float(_)),
                    UnOp::Not => matches!(a.ty, Ty::Int(_) | Ty::Bool),
                };
                self.check(takes && a.ty == ty, Rule::Typing, format!("{op:?} of {} is typed {ty}", a.ty));
                self.expr(a);
            }
            ExprKind::Binary(op, a, b) => {
                let result = if op.gives_bool() { Ty::Bool } else { a.ty };
                let good = a.ty == b.ty && op.takes(a.ty) && ty == result;
                self.check(good, Rule::Typing, format!("{op:?} of {} and {} is typed {ty}", a.ty, b.ty));
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Convert(a) => {
                let crosses = matches!((a.ty, ty), (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)));
                self.check(!crosses, Rule::Typing, format!("a conversion of {} to {ty}", a.ty));
                self.expr(a);
            }
            ExprKind::Ite(c, a, b) => {
                let good = c.ty == Ty::Bool && a.ty == ty && b.ty == ty;
                self.check(good, Rule::Typing, format!("a choice by {} of {} and {}", c.ty, a.ty, b.ty));
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::ObjectPredicate(predicate, a) => {
                let takes = match predicate {
                    ObjectPredicate::FitsInt(i) => self.ty(Ty::Int(*i)) && matches!(a.ty, Ty::Float(_)),
                    ObjectPredicate::InBounds(_)
                    | ObjectPredicate::Alive
                    | ObjectPredicate::Freeable
                    | ObjectPredicate::Foreign
                    | ObjectPredicate::Callable(_) => a.ty == Ty::Ptr,
                };
                self.check(takes && ty == Ty::Bool, Rule::Typing, format!("{predicate:?} of {} is typed {ty}", a.ty));
                self.expr(a);
            }
            ExprKind::Entry(a) => {
                self.check(a.ty == ty, Rule::Typing, format!("an entry value of {} is typed {ty}", a.ty));
                let before = self.entry;
                match before {
                    EntryUse::Allowed => {}
                    EntryUse::Forbidden => self.fail(Rule::EntryValues, "an entry value outside a predicate"),
                    EntryUse::Inside => self.fail(Rule::EntryValues, "an entry value inside another"),
                }
                self.entry = EntryUse::Inside;
                self.expr(a);
                self.entry = before;
            }
        }
    }
}

/// Whether the failure of a guard leads to an error, at the location of its edge or before the `assume`s that lead there.
fn is_exposed(body: &Body, graph: &Graph, edge: &Edge, guard: usize) -> bool {
    let (before, Guard { ub, cond }) = (&edge.guards[..guard], &edge.guards[guard]);
    let fails = Op::Assume(cond.clone().negate());
    let is_error = |at: Loc| {
        let only = graph.out[at].first().filter(|_| graph.out[at].len() == 1);
        only.is_some_and(|&e| body.edges[e].op == Op::Error(ErrorKind::Ub(*ub)) && body.edges[e].guards.is_empty())
    };
    let is_test = |e: &EdgeId| {
        let test = &body.edges[*e];
        test.op == fails && test.guards == before && test.to.is_some_and(is_error)
    };
    let mut at = edge.from;
    for _ in body.locations.ids() {
        if graph.out[at].iter().any(is_test) {
            return true;
        }
        match graph.into[at][..] {
            [only] if matches!(body.edges[only].op, Op::Assume(_)) => at = body.edges[only].from,
            _ => return false,
        }
    }
    false
}

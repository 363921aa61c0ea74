//! One function becomes one boolean procedure: each edge a short sequence of statements (PLDI01 §4.3, §4.4; TOPLAS05 §4.3,
//! §4.4), each location a label.
//!
//! For an edge that is no call let H be what its step assumes and s' the state after it. The statements are
//! `assume(¬F(¬H))` and one parallel assignment that gives every predicate p whose value the step may change
//! `choose(F(H ⇒ p[s']), F(H ⇒ ¬p[s']))`. What a step means comes from `vc` alone.

use crate::abstraction::{FunctionMap, Origin, Target, TargetKind};
use crate::cache::{Cache, Dnf, Key, Role, Tag};
use crate::emit::{Body, To, choose, none_of, not_strong};
use crate::interface::{Interface, meaningful, own};
use crate::prover::Prover;
use crate::strengthen::{PredicateInstance, Site, contradictions};
use analysis::Analysis;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use boolprog::{Expr, LocalId, Proc, ProcId, StmtKind, Var, VarDecl};
use ir::cfg::Graph;
use ir::{Edge, EdgeId, FuncId, Loc, Op};
use logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use vc::{Constraint, LocationInvariants, PredId, Predicates, State, Unmodelled};

/// What is known of all functions before any is written.
pub(crate) struct Plan<'a> {
    pub(crate) analysis: &'a Analysis<'a>,
    pub(crate) predicates: &'a Predicates,
    /// The constraints of each edge.
    pub(crate) constraints: FxHashMap<(FuncId, EdgeId), Vec<&'a Constraint>>,
    pub(crate) invariants: &'a LocationInvariants,
    /// An arbitrary state of each reachable function, and its interface.
    pub(crate) frames: &'a IndexVec<FuncId, Option<Frame>>,
    pub(crate) procs: &'a IndexVec<FuncId, Option<ProcId>>,
    pub(crate) global_vars: &'a FxHashMap<PredId, Var>,
    /// The function whose procedure begins the program and therefore has no formals, and how it begins.
    pub(crate) start: Option<(FuncId, &'a [(PredId, bool)])>,
}

/// A function's interface and an arbitrary state of an activation of it.
pub(crate) struct Frame {
    pub(crate) interface: Interface,
    pub(crate) state: State,
    /// The meaning of each predicate in scope in that state.
    pub(crate) terms: FxHashMap<PredId, Term>,
}

/// The parts of the whole that writing a procedure changes.
pub(crate) struct Work<'w, 'p> {
    pub(crate) prover: &'w mut Prover<'p>,
    pub(crate) cache: &'w mut Cache,
    pub(crate) origins: &'w mut Vec<Origin>,
    pub(crate) targets: &'w mut Vec<Target>,
}

pub(crate) struct Writer<'a, 'w, 'p> {
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) work: Work<'w, 'p>,
    pub(crate) func: FuncId,
    pub(crate) frame: &'a Frame,
    pub(crate) vars: FxHashMap<Tag, Var>,
    locals: IndexVec<LocalId, (VarDecl, Option<PredId>)>,
    /// The names of all variables that the procedure sees.
    names: FxHashSet<String>,
    n_formals: usize,
    pub(crate) body: Body,
    /// Cubes over the predicates in scope that cannot be.
    pub(crate) impossible: Dnf,
    /// The predicates that mean something before an edge.
    meaningful: Vec<PredId>,
    /// Boolean locals that receive what calls return, shared by all calls.
    temporaries: Vec<LocalId>,
}

/// Writes the procedure of `func`.
pub(crate) fn write(plan: &Plan<'_>, work: Work<'_, '_>, func: FuncId) -> (Proc, FunctionMap) {
    let frame = plan.frames[func].as_ref().expect("only functions with a frame are written");
    let terms: Vec<Term> = plan.predicates.in_scope(func).map(|p| frame.terms[&p]).collect();
    work.prover.begin_function(terms);
    let ir_body = plan.analysis.program.body(func);
    let mut writer = Writer {
        plan,
        work,
        func,
        frame,
        vars: plan.global_vars.iter().map(|(&p, &v)| (Tag::Pred(p), v)).collect(),
        locals: IndexVec::new(),
        names: FxHashSet::default(),
        n_formals: 0,
        body: Body::new(ir_body.locations.len(), ir_body.edges.len()),
        impossible: Vec::new(),
        meaningful: meaningful(plan.analysis.program, plan.predicates, func),
        temporaries: Vec::new(),
    };
    writer.declare();
    let enforce = writer.enforce();
    writer.entry();
    writer.locations(ir_body);
    writer.body.finish();
    let proc = plan.procs[func].expect("a function that is written has a procedure");
    let Writer { locals, n_formals, body, .. } = writer;
    let map = FunctionMap {
        proc,
        interface: frame.interface.clone(),
        locals: locals.iter().map(|(_, p)| *p).collect(),
        locations: body.locations,
        edges: body.edges,
    };
    let proc = Proc {
        name: plan.analysis.program.functions[func].name.clone(),
        locals: locals.into_iter().map(|(d, _)| d).collect(),
        n_formals,
        n_returns: frame.interface.results.len(),
        enforce,
        body: body.stmts,
        labels: body.labels,
    };
    (proc, map)
}

impl Writer<'_, '_, '_> {
    /// Formals first, then the other predicates of the function.
    fn declare(&mut self) {
        let plan = self.plan;
        let show = |p: &PredId| ir::as_c::show(plan.analysis.program, self.func, &plan.predicates.get(*p).expr);
        self.names = plan.global_vars.keys().map(show).collect();
        let formals = &self.frame.interface.formals;
        let others = own(self.plan.predicates, self.func).filter(|p| !formals.contains(p));
        for pred in formals.iter().copied().chain(others.collect::<Vec<_>>()) {
            let name = self.unused_name(ir::as_c::show(
                self.plan.analysis.program,
                self.func,
                &self.plan.predicates.get(pred).expr,
            ));
            let local = self.locals.push((VarDecl::new(name), Some(pred)));
            self.vars.insert(Tag::Pred(pred), Var::Local(local));
        }
        let is_start = self.plan.start.is_some_and(|(f, _)| f == self.func);
        self.n_formals = if is_start { 0 } else { formals.len() };
    }

    /// `name`, or something like it if another variable of the procedure has this name.
    fn unused_name(&mut self, name: String) -> String {
        if self.names.insert(name.clone()) {
            return name;
        }
        let mut n = 2;
        loop {
            let candidate = format!("{name} #{n}");
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
            n += 1;
        }
    }

    pub(crate) fn var(&self, tag: Tag) -> Var {
        self.vars[&tag]
    }

    pub(crate) fn tag(&mut self, edge: Option<EdgeId>) -> Option<u32> {
        let origin = Origin { func: self.func, edge };
        if self.work.origins.last() != Some(&origin) {
            self.work.origins.push(origin);
        }
        Some(self.work.origins.len() as u32 - 1)
    }

    pub(crate) fn instances(&self, preds: impl IntoIterator<Item = PredId>) -> Vec<PredicateInstance> {
        preds.into_iter().map(|p| PredicateInstance { tag: Tag::Pred(p), term: self.frame.terms[&p] }).collect()
    }

    /// PLDI01 §5.1: the combinations of predicates that no state has.
    ///
    /// `enforce` also holds at the moment a call returns, when the caller's locals still speak of the state before the call
    /// and the globals of the state after it. In a function with calls it therefore may not relate the two; the statement
    /// after a call does, once the locals are up to date.
    fn enforce(&mut self) -> Option<Expr> {
        let max_len = self.work.prover.options.enforce_cube;
        let instances = self.instances(self.plan.predicates.in_scope(self.func));
        let key = Key::Enforce(self.func);
        self.impossible = contradictions(self.work.prover, self.work.cache, key, &instances, max_len, &[], &Vec::new());
        let within_groups = self.has_calls() && !sabotage::active(Fault::EnforceWhileReturning);
        let mut cubes = if within_groups { self.impossible_within_groups() } else { self.impossible.clone() };
        if sabotage::active(Fault::EnforceTooStrongAbs) {
            for cube in cubes.iter_mut().filter(|c| c.len() > 1) {
                cube.pop();
            }
        }
        (!cubes.is_empty()).then(|| none_of(&|t| self.var(t), &cubes))
    }

    fn has_calls(&self) -> bool {
        let program = self.plan.analysis.program;
        let is_call = |e: &ir::Edge| self.work.prover.enc.callee(e).is_some();
        program.functions[self.func].body.iter().flat_map(|b| &b.edges).any(is_call)
    }

    /// What is known when an activation begins: TOPLAS05's `'x := x`, and for the first procedure how the program starts.
    fn entry(&mut self) {
        let initial = match self.plan.start {
            Some((f, values)) if f == self.func => values,
            _ => &self.frame.interface.initial,
        };
        let values: Vec<(Option<Var>, Expr)> =
            initial.iter().map(|&(p, b)| (Some(self.var(Tag::Pred(p))), Expr::Const(b))).collect();
        if !values.is_empty() {
            let tag = self.tag(None);
            self.body.push(StmtKind::Assign(values), tag);
        }
    }

    fn locations(&mut self, ir_body: &ir::Body) {
        let graph = Graph::new(ir_body);
        for &loc in &graph.order {
            self.location(ir_body, &graph, loc);
        }
    }

    fn location(&mut self, ir_body: &ir::Body, graph: &Graph, loc: Loc) {
        let here = self.body.stmts.next_id();
        self.body.locations[loc] = Some(here);
        self.body.label(format!("{loc}"), here);
        if loc == ir_body.exit {
            let results = self.frame.interface.results.iter();
            let values = results.map(|&(p, _)| Expr::Var(self.var(Tag::Pred(p)))).collect();
            let tag = self.tag(None);
            self.body.push(StmtKind::Return(values), tag);
            return;
        }
        let out = &graph.out[loc];
        if out.len() != 1 {
            let tag = self.tag(None);
            let ways = if out.is_empty() { vec![To::Halt] } else { out.iter().map(|&e| To::Edge(e)).collect() };
            self.body.jump(ways, tag);
        }
        for &id in out {
            self.body.edges[id] = Some(self.body.stmts.next_id());
            self.edge(id, &ir_body.edges[id]);
        }
    }

    fn edge(&mut self, id: EdgeId, edge: &Edge) {
        self.work.prover.refresh();
        let written = match self.work.prover.enc.callee(edge) {
            Some(callee) => self.call(id, edge, callee),
            None => self.step(id, edge),
        };
        match written {
            Ok(()) => {
                let to = edge.to.map_or(To::Halt, To::Loc);
                let tag = self.tag(Some(id));
                let label = match &edge.op {
                    Op::Error(_) => Some(TargetKind::Error),
                    Op::Unsupported(_) => Some(TargetKind::Unsupported),
                    _ => None,
                };
                let at = self.body.jump(vec![to], tag);
                if let Some(kind) = label {
                    self.target(id, at, kind);
                }
            }
            Err(what) => {
                let tag = self.tag(Some(id));
                let at = self.body.jump(vec![To::Halt], tag);
                self.target(id, at, TargetKind::Unmodelled(what));
            }
        }
    }

    fn target(&mut self, edge: EdgeId, stmt: boolprog::StmtId, kind: TargetKind) {
        let name = match kind {
            TargetKind::Error => "ERROR",
            TargetKind::Unsupported | TargetKind::Unmodelled(_) => "UNSUPPORTED",
        };
        self.body.label(format!("{name}_{}", edge.index()), stmt);
        let proc = self.plan.procs[self.func].expect("a function that is written has a procedure");
        self.work.targets.push(Target { func: self.func, edge, proc, stmt, kind });
    }

    /// An edge that is no call of a function with a body. Nothing is written if its step has no formula.
    fn step(&mut self, id: EdgeId, edge: &Edge) -> Result<(), Unmodelled> {
        let mut after = self.frame.state.clone();
        let effects = self.work.prover.enc.step(&mut after, edge)?;
        let mut changed = Vec::new();
        for pred in self.plan.predicates.in_scope(self.func) {
            let term = self.work.prover.enc.eval(&after, &self.plan.predicates.get(pred).expr)?;
            if term != self.frame.terms[&pred] || !self.work.prover.options.saves.unchanged {
                changed.push((pred, term));
            }
        }
        let mut hypotheses: Vec<Term> = effects.assumptions.iter().map(|a| a.term).collect();
        hypotheses.extend(self.known(edge.from));
        let mut site =
            self.site(id, hypotheses, self.instances(self.meaningful.iter().copied()), self.impossible.clone());
        let assumed = self.assume_possible(&mut site, id);
        let updated = self.update(&mut site, id, &changed);
        if let Some(constraint) = self.constraint(id) {
            let at = match updated.or(assumed) {
                Some(at) => at,
                None => {
                    let tag = self.tag(Some(id));
                    self.body.push(StmtKind::Skip, tag)
                }
            };
            self.body.stmts[at].constrain = Some(constraint);
        }
        Ok(())
    }

    /// The invariants of a location that have a formula, and which locals are alive there.
    pub(crate) fn known(&mut self, loc: Loc) -> Vec<Term> {
        let plan = self.plan;
        let invariants = plan.invariants.at(self.func, loc).iter();
        let enc = &mut self.work.prover.enc;
        let mut known: Vec<Term> = invariants.filter_map(|e| enc.eval(&self.frame.state, e).ok()).collect();
        known.extend(enc.lifetime_invariant(&self.frame.state, loc));
        known
    }

    pub(crate) fn site(
        &mut self,
        id: EdgeId,
        assumed: Vec<Term>,
        instances: Vec<PredicateInstance>,
        impossible: Dnf,
    ) -> Site {
        let mut hypotheses: Vec<Term> = assumed.into_iter().flat_map(|t| self.work.prover.conjuncts(t)).collect();
        hypotheses.dedup();
        Site::new(self.func, id, hypotheses, instances, impossible)
    }

    /// `assume(¬F(¬H))`, unless nothing is assumed or nothing is known of it.
    pub(crate) fn assume_possible(&mut self, site: &mut Site, id: EdgeId) -> Option<boolprog::StmtId> {
        if site.hypotheses().is_empty() {
            return None;
        }
        let blocked = site.blocked(self.work.prover, self.work.cache);
        if blocked.iter().any(Vec::is_empty) {
            return None;
        }
        let condition = not_strong(&|t| self.var(t), &blocked);
        let tag = self.tag(Some(id));
        Some(self.body.push(StmtKind::Assume(condition), tag))
    }

    /// The parallel assignment that gives predicates their new values; `changed` has their meaning after the step.
    pub(crate) fn update(
        &mut self,
        site: &mut Site,
        id: EdgeId,
        changed: &[(PredId, Term)],
    ) -> Option<boolprog::StmtId> {
        let mut values = Vec::new();
        for &(pred, term) in changed {
            let value = self.choice(site, term, &|b| Role::Update(pred, b));
            values.push((Some(self.var(Tag::Pred(pred))), value));
        }
        if values.is_empty() {
            return None;
        }
        let tag = self.tag(Some(id));
        Some(self.body.push(StmtKind::Assign(values), tag))
    }

    /// `choose(F(H ⇒ goal), F(H ⇒ ¬goal))`.
    pub(crate) fn choice(&mut self, site: &mut Site, goal: Term, role: &dyn Fn(bool) -> Role) -> Expr {
        let [pos, neg] = site.both(self.work.prover, self.work.cache, role, goal);
        choose(&|t| self.var(t), &pos, &neg)
    }

    /// The constraints of an edge, each a disjunction over the values before and after it.
    fn constraint(&self, id: EdgeId) -> Option<Expr> {
        let of_edge = self.plan.constraints.get(&(self.func, id)).into_iter().flatten().copied();
        let wrong = sabotage::active(Fault::ConstrainWrongPolarity);
        let clause = |c: &Constraint| {
            let var = |p: PredId| self.vars.get(&Tag::Pred(p)).copied();
            let mut literals = Vec::new();
            for &(p, value) in &c.before {
                literals.push(signed(Expr::Var(var(p)?), value == wrong));
            }
            for &(p, value) in &c.after {
                literals.push(signed(Expr::Next(var(p)?), !value));
            }
            Some(Expr::or(literals))
        };
        // A constraint over a predicate that is not tracked here says nothing.
        let clauses: Vec<Expr> = of_edge.filter_map(clause).collect();
        (!clauses.is_empty()).then(|| Expr::and(clauses))
    }

    /// The `n`-th temporary.
    pub(crate) fn temporary(&mut self, n: usize) -> LocalId {
        while self.temporaries.len() <= n {
            let name = self.unused_name(format!("ret{}", self.temporaries.len() + 1));
            let local = self.locals.push((VarDecl::new(name), None));
            self.temporaries.push(local);
        }
        self.temporaries[n]
    }
}

fn signed(e: Expr, positive: bool) -> Expr {
    if positive { e } else { Expr::not(e) }
}

//! Calls (TOPLAS05 §4.4.3, PLDI01 §4.5.3): actual parameters, the call, and the caller's predicates after it.
//!
//! After the call three kinds of boolean variables mean something: the caller's locals, which still speak of the state
//! before the call (TOPLAS05's original variables are the values of the globals there); the globals, which speak of the
//! state in which the callee ended; and what was returned, which speaks of that state and, under `'`, of the state at the
//! call. Everything the call may have changed is computed anew from these; no other predicate survives.

use crate::cache::{Dnf, Role, Tag};
use crate::emit::none_of;
use crate::interface::own;
use crate::procedure::Writer;
use crate::strengthen::{PredicateInstance, Site};
use base::sabotage::{self, Fault};
use boolprog::{Expr, StmtKind, Var};
use ir::{Edge, EdgeId, FuncId};
use logic::Term;
use vc::{PredId, Scope, State, Unmodelled};

impl Writer<'_, '_, '_> {
    /// A call of a function with a body. Nothing is written if it has no formula.
    pub(crate) fn call(&mut self, id: EdgeId, edge: &Edge, callee: FuncId) -> Result<(), Unmodelled> {
        let plan = self.plan;
        let Some(called) = &plan.frames[callee] else { unreachable!("a function that is called is reachable") };
        let before = self.frame.state.clone();
        let mut entered = before.clone();
        let guards = self.work.prover.enc.enter(&mut entered, id, edge)?;
        let mut assumed: Vec<Term> = guards.assumptions.iter().map(|a| a.term).collect();
        assumed.extend(self.known(edge.from));
        let mut after = before.clone();
        let ended =
            self.work.prover.enc.return_by_contract(&mut after, edge, plan.analysis.modified.globals(callee))?;
        let formals = self.terms(&entered, called.interface.formals.iter().copied())?;
        let instances = self.instances_after(&before, &after, &ended, &called.interface.results)?;
        let changed = self.changed_by_call(&before, &after, &ended)?;

        // From here on statements are written.
        let here = self.instances(self.plan.predicates.in_scope(self.func));
        let mut site = self.site(id, assumed.clone(), here, self.impossible.clone());
        self.assume_possible(&mut site, id);
        let args: Vec<Expr> =
            formals.into_iter().map(|(p, term)| self.choice(&mut site, term, &|b| Role::Argument(p, b))).collect();
        let results: Vec<Option<Var>> =
            called.interface.results.iter().map(|&(p, _)| Some(self.var(Tag::Returned(p)))).collect();
        let tag = self.tag(Some(id));
        let proc = plan.procs[callee].expect("a function that is called has a procedure");
        self.body.push(StmtKind::Call { callee: proc, args, results }, tag);
        let mut site = self.site(id, assumed, instances, self.impossible_within_groups());
        self.assume_consistent(&mut site, id);
        self.update(&mut site, id, &changed);
        // Locals and globals speak of one state again: what `enforce` leaves out in this function holds here.
        let within = self.impossible_within_groups();
        let mixed: Dnf = self.impossible.iter().filter(|c| !within.contains(c)).cloned().collect();
        if !mixed.is_empty() {
            let tag = self.tag(Some(id));
            let possible = none_of(&|t| self.var(t), &mixed);
            self.body.push(StmtKind::Assume(possible), tag);
        }
        Ok(())
    }

    fn terms(
        &mut self,
        state: &State,
        preds: impl IntoIterator<Item = PredId>,
    ) -> Result<Vec<(PredId, Term)>, Unmodelled> {
        let mut terms = Vec::new();
        for p in preds {
            terms.push((p, self.work.prover.enc.eval(state, &self.plan.predicates.get(p).expr)?));
        }
        Ok(terms)
    }

    fn globals(&self) -> Vec<PredId> {
        let preds = self.plan.predicates;
        preds.ids().filter(|&p| preds.get(p).scope == Scope::Global).collect()
    }

    /// What means something when the callee has returned and its result is not yet assigned.
    fn instances_after(
        &mut self,
        before: &State,
        after: &State,
        ended: &State,
        results: &[(PredId, ir::Expr)],
    ) -> Result<Vec<PredicateInstance>, Unmodelled> {
        let locals: Vec<PredId> = own(self.plan.predicates, self.func).collect();
        let then = if sabotage::active(Fault::StalePredicateKeptOverCall) { after } else { before };
        let mut instances: Vec<PredicateInstance> = self
            .terms(then, locals)?
            .into_iter()
            .map(|(p, term)| PredicateInstance { tag: Tag::Pred(p), term })
            .collect();
        let globals = self.globals();
        instances.extend(
            self.terms(ended, globals)?.into_iter().map(|(p, term)| PredicateInstance { tag: Tag::Pred(p), term }),
        );
        let n_params = self.plan.analysis.program.functions[ended.func()].n_params;
        let ended = if sabotage::active(Fault::GhostNotImmutable) { &ended.begin_here(n_params) } else { ended };
        for (i, (p, seen)) in results.iter().enumerate() {
            let term = self.work.prover.enc.eval(ended, seen)?;
            let local = self.temporary(i);
            self.vars.insert(Tag::Returned(*p), Var::Local(local));
            instances.push(PredicateInstance { tag: Tag::Returned(*p), term });
        }
        Ok(instances)
    }

    /// The predicates that the call or the assignment of its result may change, with their meaning when all is done.
    /// A global predicate follows the callee by itself: only the assignment can make it stale.
    fn changed_by_call(
        &mut self,
        before: &State,
        after: &State,
        ended: &State,
    ) -> Result<Vec<(PredId, Term)>, Unmodelled> {
        let mut changed = Vec::new();
        let locals: Vec<PredId> = own(self.plan.predicates, self.func).collect();
        for (preds, held) in [(self.globals(), ended), (locals, before)] {
            let old = self.terms(held, preds.iter().copied())?;
            let new = self.terms(after, preds)?;
            changed.extend(old.iter().zip(new).filter(|(o, n)| o.1 != n.1).map(|(_, n)| n));
        }
        Ok(changed)
    }

    /// What `enforce` knows of the caller's locals alone and of the globals alone also holds while they speak of
    /// different states.
    pub(crate) fn impossible_within_groups(&self) -> Dnf {
        let globals = self.globals();
        let is_global = |t: &Tag| matches!(t, Tag::Pred(p) if globals.contains(p));
        let one_kind = |cube: &&Vec<(Tag, bool)>| {
            cube.iter().all(|(t, _)| is_global(t)) || cube.iter().all(|(t, _)| !is_global(t))
        };
        self.impossible.iter().filter(one_kind).cloned().collect()
    }

    /// Rules out the combinations of kept, returned and global predicates that no call can give.
    fn assume_consistent(&mut self, site: &mut Site, id: EdgeId) {
        let max_len = self.work.prover.options.return_cube;
        let globals: Vec<Tag> = self.globals().into_iter().map(Tag::Pred).collect();
        let locals: Vec<Tag> = own(self.plan.predicates, self.func).map(Tag::Pred).collect();
        if max_len == 0 {
            return;
        }
        let cubes = site.contradictions(self.work.prover, self.work.cache, max_len, &[globals, locals]);
        if !cubes.is_empty() {
            let tag = self.tag(Some(id));
            let condition = none_of(&|t| self.var(t), &cubes);
            self.body.push(StmtKind::Assume(condition), tag);
        }
    }
}

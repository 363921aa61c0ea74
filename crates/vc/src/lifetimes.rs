//! The lifetimes of locals: what their beginning and end, or that of their activation, does to the ghost maps about objects
//! ([`crate::allocation`]). Which of them have to be tracked is known from [`analysis::Lifetimes`].

use crate::state::{Ghosts, State};
use crate::step::{Effects, Encoder, InputKind, NondetInput};
use base::sabotage::{self, Fault};
use ir::{Loc, LocalId, Source, Var};
use logic::Term;

/// Ownership is stated for at most so many bytes of a local, where it is one hypothesis among others.
const MAX_BYTES: u64 = 16;

impl Encoder<'_> {
    /// Of the locals of a state is known which are alive, since it stands here.
    pub(crate) fn stand_at(&mut self, state: &mut State, at: Loc) {
        let analysis = self.analysis;
        let func = state.func();
        for &l in &analysis.lifetimes.of_function[func].alive[at] {
            self.follow(state, l);
        }
    }

    /// What the maps say of the locals that are alive where a state stands, in the words of its own maps: their first bytes
    /// belong to them, and they have not ended.
    pub fn lifetime_invariant(&mut self, state: &State, at: Loc) -> Vec<Term> {
        let analysis = self.analysis;
        let func = state.func();
        let lifetimes = &analysis.lifetimes;
        let alive = |l: &LocalId| !lifetimes.begins(func, *l) || lifetimes.of_function[func].alive[at].contains(l);
        let mut constraints = Vec::new();
        let Some(Ghosts { owner, size: sizes, freed }) = state.shared().ghosts.clone() else { return constraints };
        for l in lifetimes.tracked(func).filter(alive) {
            let Some(base) = state.base(l) else { continue };
            let size = self.program.functions[func].locals[l].shape.size(self.program.model);
            let width = self.store.width(base);
            for i in 0..size.min(MAX_BYTES) {
                let offset = self.store.bv(width, i);
                let at = self.store.bv_add(base, offset);
                let owned = self.store.select(owner, at);
                constraints.push(self.store.eq(owned, base));
            }
            let (n, known) = (self.store.bv(width, size), self.store.select(sizes, base));
            constraints.push(self.store.eq(known, n));
            let (no, ended) = (self.store.bv(8, 0), self.store.select(freed, base));
            constraints.push(self.store.eq(ended, no));
        }
        constraints
    }

    /// A local begins.
    pub(crate) fn begin_local(&mut self, state: &mut State, local: LocalId, effects: &mut Effects) {
        let func = state.func();
        if self.analysis.in_memory(func, Var::Local(local)) {
            let base = self.new_local(func, local);
            self.fresh_for_variables(state, base);
            state.set_base(local, base);
            self.follow(state, local);
            return;
        }
        let l = &self.program.functions[func].locals[local];
        if let Some(ty) = l.shape.scalar() {
            let term = self.fresh(&l.name, ty);
            state.set(Var::Local(local), term);
            let kind = InputKind::Havoc(Source::Uninit, Var::Local(local));
            effects.inputs.push(NondetInput { term, ty, kind });
        }
    }

    /// A local ends.
    pub(crate) fn end_local(&mut self, state: &mut State, local: LocalId) {
        if let Some(base) = state.base(local).filter(|_| !sabotage::active(Fault::LocalsNeverEnd)) {
            self.end_object(state, base);
        }
    }

    /// The maps learn that a local of the current activation is alive.
    fn follow(&mut self, state: &mut State, local: LocalId) {
        if let Some(base) = state.base(local).filter(|_| self.analysis.lifetimes.is_tracked(state.func(), local)) {
            let shape = self.program.functions[state.func()].locals[local].shape;
            let width = self.store.width(base);
            let size = self.store.bv(width, shape.size(self.program.model));
            self.begin_object(state, base, size);
        }
    }

    /// The maps learn of the locals of a state's activation that live as long as it.
    pub(crate) fn begin_activation(&mut self, state: &mut State) {
        let analysis = self.analysis;
        let func = state.func();
        for l in analysis.lifetimes.tracked(func).filter(|&l| !analysis.lifetimes.begins(func, l)) {
            self.follow(state, l);
        }
    }

    /// The maps learn that the activation of a state ends, and with it all that was alive in it.
    pub(crate) fn end_activation(&mut self, state: &mut State) {
        let analysis = self.analysis;
        for l in analysis.lifetimes.tracked(state.func()) {
            if let Some(base) = state.base(l) {
                self.end_object(state, base);
            }
        }
    }
}

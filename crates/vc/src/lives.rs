//! The life of locals: which of them the maps about objects ([`crate::life`]) have to follow, and what their beginning and
//! end, or that of their activation, does to these maps.
//!
//! A local that no operation begins lives as long as its activation. Nobody needs to be told of its end if no pointer to
//! it can be left then, and that can be seen from the points-to sets alone. When an activation of `f` ends, what is left are
//! the globals, the objects in memory but for the locals of `f` and of what it calls, and the variables of the
//! activations below, none of which is of `f` or of a function that `f` calls if `f` does not call itself. So a
//! local of such an `f` *outlives nothing* if only variables and locals of `f` and of functions that it calls hold its address.

use crate::life::Ghost;
use crate::state::State;
use crate::step::{Draw, DrawKind, Effects, Encoder};
use base::IndexVec;
use base::sabotage::{self, Fault};
use ir::lives::Lives;
use ir::{FuncId, Loc, LocalId, Op, SiteId, Source, Var};
use logic::Term;
use pointsto::{Object, Query, Targets};
use std::collections::BTreeSet;

/// Of so many bytes of a local is said that they belong to it where that is a fact among others.
const MAX_BYTES: u64 = 16;

/// How the life of a program's locals and stack allocations is known.
#[derive(Debug)]
pub(crate) struct Locals {
    /// Which locals begin and end, and where they are alive.
    pub(crate) lives: IndexVec<FuncId, Lives>,
    /// The locals whose life the maps follow.
    followed: IndexVec<FuncId, BTreeSet<LocalId>>,
    /// Stack allocations that a pointer may outlive.
    outlived: IndexVec<SiteId, bool>,
}

impl Locals {
    pub(crate) fn new(query: Query<'_>) -> Locals {
        let program = query.program;
        let lives: IndexVec<FuncId, Lives> = program.functions.iter().map(Lives::new).collect();
        let below = Below::new(query);
        let left = Left::new(query);
        let mut followed = IndexVec::filled(BTreeSet::new(), program.functions.len());
        for (f, function) in program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
            for l in function.locals.ids().filter(|&l| query.in_memory(f, Var::Local(l))) {
                if lives[f].begun.contains(&l) || left.may_hold(&below, f, Object::Local(f, l)) {
                    followed[f].insert(l);
                }
            }
        }
        let mut outlived = IndexVec::filled(false, program.sites.len());
        for (f, function) in program.functions.iter_enumerated() {
            for edge in function.body.iter().flat_map(|b| &b.edges) {
                if let Op::Alloc(alloc) = &edge.op {
                    outlived[alloc.site] |= left.may_hold(&below, f, Object::Site(alloc.site));
                }
            }
        }
        Locals { lives, followed, outlived }
    }

    /// Whether some operation begins a local.
    pub(crate) fn begins(&self, func: FuncId, local: LocalId) -> bool {
        self.lives[func].begun.contains(&local)
    }

    /// Whether the maps follow the life of a local.
    pub(crate) fn follows(&self, func: FuncId, local: LocalId) -> bool {
        self.followed[func].contains(&local)
    }

    /// Whether the maps follow anything of a function's own.
    pub(crate) fn follows_some(&self, func: FuncId) -> bool {
        !self.followed[func].is_empty()
    }

    /// Whether a pointer may be left to a stack allocation when its activation has ended.
    pub(crate) fn outlives(&self, site: SiteId) -> bool {
        self.outlived[site]
    }
}

/// Which functions an activation of each may call, directly or not.
struct Below(IndexVec<FuncId, BTreeSet<FuncId>>);

impl Below {
    fn new(query: Query<'_>) -> Below {
        let program = query.program;
        let mut below: IndexVec<FuncId, BTreeSet<FuncId>> = IndexVec::filled(BTreeSet::new(), program.functions.len());
        for (f, function) in program.functions.iter_enumerated() {
            for edge in function.body.iter().flat_map(|b| &b.edges) {
                if let Op::Call(call) = &edge.op {
                    below[f].extend(query.callees(f, &call.callee, call.args.len()));
                }
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for f in program.functions.ids() {
                let further: BTreeSet<FuncId> = below[f].iter().flat_map(|&g| below[g].iter().copied()).collect();
                let n = below[f].len();
                below[f].extend(further);
                changed |= below[f].len() > n;
            }
        }
        Below(below)
    }

    fn calls_itself(&self, f: FuncId) -> bool {
        self.0[f].contains(&f)
    }

    fn ends_with(&self, f: FuncId, holder: FuncId) -> bool {
        holder == f || self.0[f].contains(&holder)
    }
}

/// Who holds the address of each object: functions whose variables or locals do, or anything that lasts longer.
struct Left<'a> {
    query: Query<'a>,
    holders: std::collections::BTreeMap<Object, BTreeSet<Option<FuncId>>>,
}

impl<'a> Left<'a> {
    fn new(query: Query<'a>) -> Left<'a> {
        let mut left = Left { query, holders: Default::default() };
        for targets in &query.solution.globals {
            left.hold(None, targets);
        }
        for (f, locals) in query.solution.locals.iter_enumerated() {
            for targets in locals {
                left.hold(Some(f), targets);
            }
        }
        for (&object, slots) in &query.solution.contents {
            let holder = if let Object::Local(f, _) = object { Some(f) } else { None };
            for targets in slots.values() {
                left.hold(holder, targets);
            }
        }
        left
    }

    fn hold(&mut self, holder: Option<FuncId>, targets: &Targets) {
        for &object in targets.keys() {
            self.holders.entry(object).or_default().insert(holder);
        }
    }

    /// Whether the address of an object that ends with an activation of `f` may be left then.
    fn may_hold(&self, below: &Below, f: FuncId, object: Object) -> bool {
        let ends = |holder: &Option<FuncId>| holder.is_some_and(|g| below.ends_with(f, g));
        below.calls_itself(f)
            || self.query.solution.escaped.contains(&object)
            || self.holders.get(&object).is_some_and(|all| !all.iter().all(ends))
    }
}

impl Encoder<'_> {
    /// Of the locals of a state is known which are alive, since it stands here.
    pub(crate) fn stand_at(&mut self, state: &mut State, at: Loc) {
        let memory = self.memory.clone();
        let func = state.func();
        for &l in &memory.life.locals.lives[func].alive[at] {
            self.follow(state, l);
        }
    }

    /// What the maps say of the locals that are alive where a state stands, in the words of its own maps: their first bytes
    /// belong to them, and they have not ended.
    pub fn facts_of_life(&mut self, state: &State, at: Loc) -> Vec<Term> {
        let memory = self.memory.clone();
        let func = state.func();
        let locals = &memory.life.locals;
        let alive = |l: &LocalId| !locals.begins(func, *l) || locals.lives[func].alive[at].contains(l);
        let mut facts = Vec::new();
        for &l in locals.followed[func].iter().filter(|l| alive(l)) {
            let ghosts = [Ghost::Owner, Ghost::Size, Ghost::Freed].map(|g| self.ghost(state, g));
            let (Some(base), [Some(owner), Some(sizes), Some(freed)]) = (state.base(l), ghosts) else { continue };
            let size = self.program.functions[func].locals[l].shape.size(self.program.model);
            let width = self.store.width(base);
            for i in 0..size.min(MAX_BYTES) {
                let offset = self.store.bv(width, i);
                let at = self.store.bv_add(base, offset);
                let owned = self.store.select(owner, at);
                facts.push(self.store.eq(owned, base));
            }
            let (n, known) = (self.store.bv(width, size), self.store.select(sizes, base));
            facts.push(self.store.eq(known, n));
            let (no, ended) = (self.store.bv(8, 0), self.store.select(freed, base));
            facts.push(self.store.eq(ended, no));
        }
        facts
    }

    /// A local begins.
    pub(crate) fn begin_local(&mut self, state: &mut State, local: LocalId, effects: &mut Effects) {
        let func = state.func();
        if self.memory.has(self.program, func, Var::Local(local)) {
            let base = self.new_local(func, local);
            self.newer_than_variables(state, base);
            state.set_base(local, base);
            self.follow(state, local);
            return;
        }
        let l = &self.program.functions[func].locals[local];
        if let Some(ty) = l.shape.scalar() {
            let term = self.fresh(&l.name, ty);
            state.set(Var::Local(local), term);
            let kind = DrawKind::Havoc(Source::Uninit, Var::Local(local));
            effects.draws.push(Draw { term, ty, kind });
        }
    }

    /// A local ends.
    pub(crate) fn end_local(&mut self, state: &mut State, local: LocalId) {
        if let Some(base) = state.base(local).filter(|_| !sabotage::active(Fault::LocalsNeverEnd)) {
            self.end_life(state, base);
        }
    }

    /// The maps learn that a local of the current activation is alive.
    fn follow(&mut self, state: &mut State, local: LocalId) {
        if let Some(base) = state.base(local).filter(|_| self.memory.life.locals.follows(state.func(), local)) {
            let shape = self.program.functions[state.func()].locals[local].shape;
            let width = self.store.width(base);
            let size = self.store.bv(width, shape.size(self.program.model));
            self.begin_life(state, base, size);
        }
    }

    /// The maps learn of the locals of a state's activation that live as long as it.
    pub(crate) fn begin_activation(&mut self, state: &mut State) {
        let memory = self.memory.clone();
        let func = state.func();
        for &l in memory.life.locals.followed[func].iter().filter(|&&l| !memory.life.begins(func, l)) {
            self.follow(state, l);
        }
    }

    /// The maps learn that the activation of a state ends, and with it all that was alive in it.
    pub(crate) fn end_activation(&mut self, state: &mut State) {
        let memory = self.memory.clone();
        for &l in &memory.life.locals.followed[state.func()] {
            if let Some(base) = state.base(l) {
                self.end_life(state, base);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use ir::cfg::AddressTaken;

    const TEXT: &str = "\
model LP64
entry main
global @g: ptr internal = zero
func external main() -> r {
  local r: i32
  local x: i32
  local p: ptr
  locations 5 entry L0 exit L4
  e0: L0 -> L1: call down(&x)
  e1: L1 -> L2: p := call up()
  e2: L2 -> L3: call keep()
  e3: L3 -> L4: return 0:i32
}
func internal down(q: ptr) {
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return
}
func internal up() -> r {
  local r: ptr
  local y: i32
  locations 3 entry L0 exit L2
  e0: L0 -> L1: call down(&y)
  e1: L1 -> L2: return &y
}
func internal keep() {
  local z: i32
  local w: i32
  locations 4 entry L0 exit L3
  e0: L0 -> L1: @g := &z
  e1: L1 -> L2: call down(&w)
  e2: L2 -> L3: return
}
";

    #[test]
    fn only_what_a_pointer_may_outlive_is_followed() {
        let program = ir::text::parse(base::FileId::from_index(0), TEXT).unwrap();
        let taken = AddressTaken::new(&program);
        let solution = pointsto::analyze(&program, &taken);
        let locals = Locals::new(Query { program: &program, taken: &taken, solution: &solution });
        let follows = |f: &str, l: usize| locals.follows(program.function(f).unwrap(), LocalId::from_index(l));
        assert!(!follows("main", 1), "it is passed down only");
        assert!(follows("up", 1), "it is returned");
        assert!(follows("keep", 0), "a global holds it");
        assert!(!follows("keep", 1));
    }
}

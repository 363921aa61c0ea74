//! The lifetimes of locals and stack allocations: which of them formulas have to track.
//!
//! A local that no operation begins lives as long as its activation. Nobody needs to be told of its end if no pointer to
//! it can be left then, and that can be seen from the points-to sets alone. When an activation of `f` ends, what is left are
//! the globals, the objects in memory but for the locals of `f` and of what it calls, and the variables of the
//! activations below, none of which is of `f` or of a function that `f` calls if `f` does not call itself. So a
//! local of such an `f` *outlives nothing* if only variables and locals of `f` and of functions that it calls hold its address.

use base::IndexVec;
use ir::lifetimes::LocalLifetimes;
use ir::{FuncId, LocalId, Op, SiteId, Var};
use pointsto::{Object, Query, Targets};
use std::collections::{BTreeMap, BTreeSet};

/// How long a program's locals and stack allocations live.
#[derive(Debug)]
pub struct Lifetimes {
    /// Which locals begin and end, and where they are alive.
    pub of_function: IndexVec<FuncId, LocalLifetimes>,
    /// The locals whose end has to be known.
    tracked: IndexVec<FuncId, BTreeSet<LocalId>>,
    /// Stack allocations that a pointer may outlive.
    outlived: IndexVec<SiteId, bool>,
}

impl Lifetimes {
    pub(crate) fn new(query: Query<'_>) -> Lifetimes {
        let program = query.program;
        let of_function: IndexVec<FuncId, LocalLifetimes> = program.functions.iter().map(LocalLifetimes::new).collect();
        let callees = Callees::new(query);
        let holders = Holders::new(query);
        let mut tracked = IndexVec::filled(BTreeSet::new(), program.functions.len());
        for (f, function) in program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
            for l in function.locals.ids().filter(|&l| query.in_memory(f, Var::Local(l))) {
                if of_function[f].begun.contains(&l) || holders.may_hold(&callees, f, Object::Local(f, l)) {
                    tracked[f].insert(l);
                }
            }
        }
        let mut outlived = IndexVec::filled(false, program.sites.len());
        for (f, function) in program.functions.iter_enumerated() {
            for edge in function.body.iter().flat_map(|b| &b.edges) {
                if let Op::Alloc(alloc) = &edge.op {
                    outlived[alloc.site] |= holders.may_hold(&callees, f, Object::Site(alloc.site));
                }
            }
        }
        Lifetimes { of_function, tracked, outlived }
    }

    /// Whether some operation begins a local.
    pub fn begins(&self, func: FuncId, local: LocalId) -> bool {
        self.of_function[func].begun.contains(&local)
    }

    /// Whether the end of a local has to be known.
    pub fn is_tracked(&self, func: FuncId, local: LocalId) -> bool {
        self.tracked[func].contains(&local)
    }

    /// Whether that of any local of a function has to be known.
    pub(crate) fn tracks_some(&self, func: FuncId) -> bool {
        !self.tracked[func].is_empty()
    }

    /// The locals of a function whose end has to be known.
    pub fn tracked(&self, func: FuncId) -> impl Iterator<Item = LocalId> + '_ {
        self.tracked[func].iter().copied()
    }

    /// Whether a pointer may be holders to a stack allocation when its activation has ended.
    pub fn is_outlived(&self, site: SiteId) -> bool {
        self.outlived[site]
    }
}

/// Which functions an activation of each may call, directly or not.
struct Callees(IndexVec<FuncId, BTreeSet<FuncId>>);

impl Callees {
    fn new(query: Query<'_>) -> Callees {
        let program = query.program;
        let mut callees: IndexVec<FuncId, BTreeSet<FuncId>> =
            IndexVec::filled(BTreeSet::new(), program.functions.len());
        for (f, function) in program.functions.iter_enumerated() {
            for edge in function.body.iter().flat_map(|b| &b.edges) {
                if let Op::Call(call) = &edge.op {
                    callees[f].extend(query.callees(f, &call.callee, call.args.len()));
                }
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for f in program.functions.ids() {
                let further: BTreeSet<FuncId> = callees[f].iter().flat_map(|&g| callees[g].iter().copied()).collect();
                let n = callees[f].len();
                callees[f].extend(further);
                changed |= callees[f].len() > n;
            }
        }
        Callees(callees)
    }

    fn calls_itself(&self, f: FuncId) -> bool {
        self.0[f].contains(&f)
    }

    fn ends_with(&self, f: FuncId, holder: FuncId) -> bool {
        holder == f || self.0[f].contains(&holder)
    }
}

/// Who holds the address of each object: functions whose variables or locals do, or anything that lasts longer.
struct Holders<'a> {
    query: Query<'a>,
    holders: BTreeMap<Object, BTreeSet<Option<FuncId>>>,
}

impl<'a> Holders<'a> {
    fn new(query: Query<'a>) -> Holders<'a> {
        let mut holders = Holders { query, holders: Default::default() };
        for targets in &query.solution.globals {
            holders.hold(None, targets);
        }
        for (f, locals) in query.solution.locals.iter_enumerated() {
            for targets in locals {
                holders.hold(Some(f), targets);
            }
        }
        for (&object, slots) in &query.solution.contents {
            let holder = if let Object::Local(f, _) = object { Some(f) } else { None };
            for targets in slots.values() {
                holders.hold(holder, targets);
            }
        }
        holders
    }

    fn hold(&mut self, holder: Option<FuncId>, targets: &Targets) {
        for &object in targets.keys() {
            self.holders.entry(object).or_default().insert(holder);
        }
    }

    /// Whether the address of an object that ends with an activation of `f` may be holders then.
    fn may_hold(&self, callees: &Callees, f: FuncId, object: Object) -> bool {
        let ends = |holder: &Option<FuncId>| holder.is_some_and(|g| callees.ends_with(f, g));
        callees.calls_itself(f)
            || self.query.solution.escaped.contains(&object)
            || self.holders.get(&object).is_some_and(|all| !all.iter().all(ends))
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
    fn only_what_a_pointer_may_outlive_is_tracked() {
        let program = ir::text::parse(base::FileId::from_index(0), TEXT).unwrap();
        let taken = AddressTaken::new(&program);
        let solution = pointsto::analyze(&program, &taken);
        let lifetimes = Lifetimes::new(Query { program: &program, taken: &taken, solution: &solution });
        let tracked = |f: &str, l: usize| lifetimes.is_tracked(program.function(f).unwrap(), LocalId::from_index(l));
        assert!(!tracked("main", 1), "it is passed down only");
        assert!(tracked("up", 1), "it is returned");
        assert!(tracked("keep", 0), "a global holds it");
        assert!(!tracked("keep", 1));
    }
}

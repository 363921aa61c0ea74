//! Calls by contract: of the callee is known what it may write ([`analysis::Footprints`]), the rest of its caller's state stays.
//!
//! The map of a region after the call has old contents where the callee does not write. If it writes behind its arguments or
//! in globals, everything but those bytes is as before. If it also writes to objects that it made itself, nothing says where
//! these lie, so the map is arbitrary but for the objects that are older than the call as far as the caller can name them:
//! globals, its own locals, and what its pointers point to.
//!
//! Two directions must not be mixed up. What the callee may write is rounded *up*: an anchor without a term, or a range whose
//! extent is not known, makes the whole map arbitrary. What is older than the call is rounded *down*: a part is copied back
//! only if it surely lies in an object that existed before, for the callee may have put a new object anywhere else. A part that
//! is left out costs precision, one too many is a wrong proof.

use crate::state::State;
use crate::step::Encoder;
use analysis::{Anchor, Bytes, Unmodelled};
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::{Edge, FuncId, GlobalId, LocalId, Op, Shape, Ty, Var};
use logic::Term;
use pointsto::{Object, RegionId, Targets};

type Result<T> = std::result::Result<T, Unmodelled>;

/// More older objects than this are not stated to be disjoint from what a callee made: queries stay small.
const MAX_OLDER: usize = 24;

/// Bytes that lie in an object of the caller: from where, and how many.
#[derive(Clone, Copy, Debug)]
struct Older {
    from: Term,
    len: Term,
}

impl Encoder<'_> {
    /// The state after a call of which only a contract is known: the globals in `modified`, what the callee may write in
    /// memory, and the result are arbitrary. Gives also the callee's state at its exit, of which the contract speaks.
    pub fn return_by_contract(
        &mut self,
        state: &mut State,
        edge: &Edge,
        modified: &IndexVec<GlobalId, bool>,
    ) -> Result<State> {
        let mut callee = self.callee_state(state, edge)?;
        for (id, g) in self.program.globals.iter_enumerated() {
            let plain = !self.analysis.in_memory(callee.func(), Var::Global(id));
            let changes = plain && modified[id] && !sabotage::active(Fault::ContractKeepsGlobals);
            if let (true, Shape::Scalar(ty)) = (changes, g.shape) {
                let term = self.fresh(&g.name, ty);
                callee.set(Var::Global(id), term);
            }
        }
        let func = callee.func();
        let entry = callee.frame.entry.clone();
        // Regions that are not listed keep their maps, whatever the callee does: the list is closed over its callees, and
        // `certify` checks that it is.
        for region in self.analysis.regions.modifies[func].clone() {
            // What is private to another function is none of its business.
            if self.map(&callee, region).is_ok() {
                let map = self.after_call(state, func, &entry.params, region);
                self.set_map(&mut callee, region, map);
            }
        }
        self.forget_freed(&mut callee, func);
        // Parameters may have been assigned: at the exit they are as arbitrary as any other local.
        let locals = self.program.functions[func].locals.iter_enumerated();
        for (id, l) in locals {
            let plain = !self.analysis.in_memory(func, Var::Local(id));
            if let (true, Shape::Scalar(ty)) = (plain, l.shape) {
                let term = self.fresh(&l.name, ty);
                callee.set(Var::Local(id), term);
            }
        }
        if let (Some(ret), Some(made)) = (self.program.functions[func].ret, self.fresh_result(state, func)) {
            callee.set(Var::Local(ret), made);
        }
        // The contract is about the exit, where the callee's locals are alive; the caller goes on when they are gone.
        let mut ended = callee.clone();
        self.end_activation(&mut ended);
        state.shared = ended.shared;
        let Op::Call(call) = &edge.op else { unreachable!("only calls have a contract") };
        if let (Some(dst), Some((ty, result))) = (call.dst, self.result(&callee)?) {
            self.write_var(state, dst, ty, result)?;
        }
        Ok(callee)
    }

    /// The map of a region after a call of `func` with these arguments from `state`.
    fn after_call(&mut self, state: &State, func: FuncId, params: &[Option<Term>], region: RegionId) -> Term {
        let any = self.fresh_map(region);
        let analysis = self.analysis;
        if analysis.regions.all[region].private.is_some() {
            return any;
        }
        let parts = analysis.footprints().written(func, region);
        let Ok(before) = self.map(state, region) else { return any };
        let mut written = Vec::new();
        let mut new = false;
        for &part in &parts {
            match part {
                Bytes::Anywhere => return any,
                Bytes::Fresh => new = true,
                Bytes::Range(Anchor::Param(_), ..) if sabotage::active(Fault::CallKeepsArguments) => {}
                Bytes::Range(anchor, from, to) => match self.anchor(params, anchor) {
                    Some(at) => written.push((at, from, to)),
                    None => return any,
                },
                Bytes::ObjectOf(anchor) => {
                    let around = match anchor {
                        Anchor::Global(g) => analysis.query().size(Object::Global(g)).map(|n| (0, n as i64)),
                        Anchor::Param(i) => analysis.perhaps_around(func, i),
                    };
                    match (self.anchor(params, anchor), around) {
                        (Some(at), Some((from, to))) => written.push((at, from, to)),
                        _ => return any,
                    }
                }
            }
        }
        // First what is new, then what is written: a range behind an argument may lie in an older object, whose copy back must
        // not bring the old contents of that range with it.
        let mut map = before;
        if new {
            map = any;
            for older in self.older(state, region) {
                map = self.store.copy_range(map, older.from, older.len, before, older.from);
            }
        }
        for (at, from, to) in written {
            let (at, len) = self.range_around(at, from, to);
            map = self.store.copy_range(map, at, len, any, at);
        }
        map
    }

    fn anchor(&mut self, params: &[Option<Term>], anchor: Anchor) -> Option<Term> {
        match anchor {
            Anchor::Param(i) => params.get(i).copied().flatten(),
            Anchor::Global(g) => Some(self.global_base(g)),
        }
    }

    fn range_around(&mut self, at: Term, from: i64, to: i64) -> (Term, Term) {
        let width = self.store.width(at);
        let (by, len) = (self.store.bv_signed(width, from), self.store.bv_signed(width, to - from));
        (self.store.bv_add(at, by), len)
    }

    /// Parts of a region that are older than what a call from this state makes.
    fn older(&mut self, state: &State, region: RegionId) -> Vec<Older> {
        let analysis = self.analysis;
        let query = analysis.query();
        let func = state.func();
        let in_region = |object: Object| analysis.regions.of_object(object).contains(&region);
        let mut older = Vec::new();
        for (g, _) in self.program.globals.iter_enumerated().filter(|(g, _)| in_region(Object::Global(*g))) {
            let base = self.global_base(g);
            let (from, len) = self.range_around(base, 0, query.size(Object::Global(g)).unwrap_or(0) as i64);
            older.push(Older { from, len });
        }
        // The locals of this activation, and those of the entry function if that has only one: of other callers below, nothing
        // says which activation it is.
        let entry = self.program.entry;
        let mut bases = vec![(func, state.frame.bases.clone())];
        if func != entry && self.is_once(entry) {
            bases.push((entry, self.entry_bases()));
        }
        for (f, bases) in bases {
            for (l, &base) in bases.iter().enumerate() {
                let local = LocalId::from_index(l);
                let object = Object::Local(f, local);
                // Where a local of another function lies that begins and ends is not known.
                let known = f == func || !analysis.lifetimes.begins(f, local);
                if let Some(base) = base.filter(|_| known && in_region(object)) {
                    let (from, len) = self.range_around(base, 0, query.size(object).unwrap_or(0) as i64);
                    older.push(Older { from, len });
                }
            }
        }
        for (pointer, targets) in self.pointers(state) {
            if targets.keys().any(|&object| in_region(object))
                && let Some((from, to)) = analysis.surely_around(&targets)
            {
                // Null is no object, and one that is made later may lie anywhere.
                let zero = self.store.bv(self.store.width(pointer), 0);
                let null = self.store.eq(pointer, zero);
                let (from, len) = self.range_around(pointer, from, to);
                let len = self.store.ite(null, zero, len);
                older.push(Older { from, len });
            }
        }
        older.truncate(MAX_OLDER);
        older
    }

    /// The pointers in the variables of a state, with what they may point to.
    pub(crate) fn pointers(&mut self, state: &State) -> Vec<(Term, Targets)> {
        let analysis = self.analysis;
        let query = analysis.query();
        let func = state.func();
        let locals = self.program.functions[func].locals.ids().map(Var::Local);
        let mut pointers = Vec::new();
        for var in self.program.globals.ids().map(Var::Global).chain(locals) {
            if self.program.shape(func, var).scalar() == Some(Ty::Ptr)
                && let Some(pointer) = state.get(var)
            {
                pointers.push((pointer, query.variable(func, var).clone()));
            }
        }
        pointers
    }
}

//! Allocation state: which bytes belong to which allocated object, and which objects were freed.
//!
//! Three ghost maps ([`Ghosts`]), if the program allocates at all. *Owner* has, at each byte of an allocated object, the
//! object's address; at that address *size* has its size and *freed* says whether it was freed. They start arbitrary: a proof has
//! to hold whatever they say of addresses that were never allocated.
//!
//! **Object predicates** ([`ir::ObjectPredicate`]) are approximated from one of two sides. As a condition of the program, or a predicate of
//! the abstraction, the term under-approximates: it is true only where the answer is yes. As a guard that ends executions it
//! over-approximates: it is true wherever the answer is yes. An under-approximation is used only where it leaves no run out
//! ([`Encoder::step`]). Both go through the cases of the points-to set: named objects by their address
//! and size, allocations by the owner of what an index is added to. A pointer that has left its object counts as inside
//! if it has come to lie in another one of its set; since nothing is known of where objects lie, a proof cannot build on
//! that unless the program itself compares addresses (SOUNDNESS.md).
//!
//! **Freshness.** A new object lies outside of what older pointers point to. This is known of the address of a new object
//! for every pointer variable whose points-to set says that it lies strictly inside of its objects: one that points
//! behind the end of its object may well be the address of the next.

use crate::memory::Known;
use crate::state::{Ghost, Ghosts, State};
use crate::step::Encoder;
use analysis::Unmodelled;
use base::Id;
use base::sabotage::{self, Fault};
use ir::walk::mentions_object_predicate;
use ir::{Address, Base, Expr, ExprKind, FuncId, ObjectPredicate, Ty, Var};
use logic::{Sort, Term};
use pointsto::{Object, Targets};

type Result<T> = std::result::Result<T, Unmodelled>;

/// More objects than this are not stated to be disjoint for one object predicate.
const MAX_DISJOINT: usize = 30;

/// Choices between addresses that are looked into for one object predicate.
const MOST_CHOICES: usize = 64;

const NO: Unmodelled = Unmodelled("an object predicate");

/// From which side object predicates are approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approximation {
    /// True only where the answer is yes.
    Under,
    /// True wherever the answer is yes.
    Over,
}

/// What holds of an address that was made from another, given the object that it was made from, if that is known.
type OfObject<'a, E> = dyn FnMut(&mut E, Term, Term, Option<Known>) -> Result<Term> + 'a;

impl Encoder<'_> {
    fn width(&self) -> u32 {
        u32::from(self.program.model.ptr_width())
    }

    /// Arbitrary ghost maps, if the program allocates.
    pub(crate) fn fresh_ghosts(&mut self) -> Option<Ghosts> {
        if !self.analysis.allocations.any {
            return None;
        }
        let addr = self.width();
        let owner = self.store.fresh("owner", Sort::Map { addr, value: addr });
        let size = self.store.fresh("size", Sort::Map { addr, value: addr });
        let freed = self.store.fresh("freed", Sort::Map { addr, value: 8 });
        Some(Ghosts { owner, size, freed })
    }

    /// After a call by contract nothing is known of what the callee freed. Addresses are not used again: to which object a
    /// byte belongs, how large that is, and whether an object that the callee made has ended, can be taken to have been so
    /// all along.
    pub(crate) fn forget_freed(&mut self, state: &mut State, callee: FuncId) {
        if self.analysis.allocations.any && self.analysis.allocations.freed_by(callee) {
            let arbitrary = self.store.fresh("freed", Sort::Map { addr: self.width(), value: 8 });
            if let Some(ghosts) = state.ghosts_mut() {
                ghosts.freed = arbitrary;
            }
        }
    }

    /// An object of `size` bytes was allocated at `base`.
    pub(crate) fn begin_object(&mut self, state: &mut State, base: Term, size: Term) {
        let no = self.store.bv(8, 0);
        let Some(ghosts) = state.ghosts_mut() else { return };
        ghosts.owner = self.store.set_range(ghosts.owner, base, size, base);
        ghosts.size = self.store.store(ghosts.size, base, size);
        ghosts.freed = self.store.store(ghosts.freed, base, no);
    }

    /// The object at an address, if it is not null, was freed.
    pub(crate) fn end_object(&mut self, state: &mut State, address: Term) {
        let yes = self.store.bv(8, 1);
        if let Some(ghosts) = state.ghosts_mut() {
            ghosts.freed = self.store.store(ghosts.freed, address, yes);
        }
    }

    /// The pointer variables of a state, those of its callers among them, lie outside of an object that was made after
    /// them.
    pub(crate) fn fresh_for_variables(&mut self, state: &State, base: Term) {
        for g in self.program.globals.ids() {
            self.fresh_for_variable(state, Var::Global(g), base);
        }
        self.fresh_for_locals(state, base);
        let mut caller = state.frame.caller.clone();
        while let Some((frame, _)) = caller {
            caller = frame.caller.clone();
            self.fresh_for_locals(&State { shared: state.shared.clone(), frame }, base);
        }
    }

    /// The pointers among an activation's locals lie outside of an object that was made after they got their values.
    pub fn fresh_for_locals(&mut self, state: &State, base: Term) {
        for l in self.program.functions[state.func()].locals.ids() {
            self.fresh_for_variable(state, Var::Local(l), base);
        }
    }

    fn fresh_for_variable(&mut self, state: &State, var: Var, base: Term) {
        let analysis = self.analysis;
        let query = analysis.query();
        if self.program.shape(state.func(), var).scalar() == Some(Ty::Ptr)
            && let Some(pointer) = state.get(var)
            && analysis.strictly_inside(query.variable(state.func(), var))
        {
            self.store.outside(base, pointer);
        }
    }

    /// The result of a call by contract, if the callee makes what it returns: null, or a new object.
    pub(crate) fn fresh_result(&mut self, state: &State, callee: FuncId) -> Option<Term> {
        let analysis = self.analysis;
        if !analysis.fresh_returning[callee] {
            return None;
        }
        let ret = self.program.functions[callee].ret?;
        let targets = analysis.query().variable(callee, Var::Local(ret));
        let (mut object, mut least) = (None, u64::MAX);
        for (&target, at) in targets {
            let Object::Site(site) = target else { return None };
            if at.stride != 0 || at.start != 0 {
                return None;
            }
            least = least.min(analysis.allocations.least_size(site));
            object = Some(target);
        }
        // Several sites may share no region with the first one: then nothing is known of all.
        let object = object.filter(|_| targets.len() == 1)?;
        let size = self.store.bv(self.width(), least);
        let (fails, null) = (self.store.fresh("fails", Sort::Bool), self.store.bv(self.width(), 0));
        let exists = self.store.not(fails);
        let base = self.new_object("made", object, size, 1, exists);
        self.fresh_for_variables(state, base);
        Some(self.store.ite(fails, null, base))
    }

    /// What the parameters were when an activation began lies outside of its locals.
    pub(crate) fn fresh_for_parameters(&mut self, func: FuncId, params: &[Option<Term>], bases: &[Option<Term>]) {
        let analysis = self.analysis;
        let query = analysis.query();
        for (p, term) in self.program.functions[func].params().zip(params) {
            if self.program.functions[func].locals[p].shape.scalar() == Some(Ty::Ptr)
                && let Some(pointer) = *term
                && analysis.strictly_inside(query.variable(func, Var::Local(p)))
            {
                for &base in bases.iter().flatten() {
                    self.store.outside(base, pointer);
                }
            }
        }
    }

    /// Whether the activation that the entry function has is its only one.
    pub(crate) fn is_once(&self, func: FuncId) -> bool {
        func == self.program.entry && self.analysis.allocations.entry_is_once
    }

    /// An object predicate of a pointer.
    pub(crate) fn object_predicate(
        &mut self,
        state: &State,
        predicate: ObjectPredicate,
        e: &Expr,
        side: Approximation,
    ) -> Result<Term> {
        if !self.memory_applies() {
            return Err(NO);
        }
        if let ExprKind::Addr(addr) = &e.kind
            && let Base::Var(var) = addr.base
        {
            return self.predicate_of_variable(state, predicate, addr, var, side);
        }
        let at = self.eval(state, e)?;
        if predicate == ObjectPredicate::Foreign {
            return if side == Approximation::Over { Ok(self.may_be_foreign(at)) } else { Err(NO) };
        }
        let analysis = self.analysis;
        let mut targets = analysis.query().expr(state.func(), e);
        let outside = targets.contains_key(&Object::Ext);
        if side == Approximation::Under && outside {
            // A proof may show that the pointer stays among the objects that are known. Whoever looks for runs has nothing to go by
            // outside: the answer is taken to be no there, and replay sees whether it is.
            targets = analysis.query().reached(&targets);
        }
        self.make_targets_disjoint(&targets);
        if targets.is_empty() && side == Approximation::Over {
            // It is null or was never given a value: nothing lies there.
            return Ok(self.store.bool(!matches!(predicate, ObjectPredicate::InBounds(1..))));
        }
        match predicate {
            ObjectPredicate::InBounds(0) => Ok(self.store.bool(true)),
            ObjectPredicate::InBounds(n) => {
                // What an index is added to says which object is meant.
                let from = match &e.kind {
                    ExprKind::Addr(Address { base: Base::Ptr(p), .. }) => self.eval(state, p)?,
                    _ => at,
                };
                self.by_object(at, from, &targets, &mut { MOST_CHOICES }, &mut |enc, at, from, object| match object {
                    Some(known) => enc.in_bounds_of(state, known, at, n),
                    None => enc.in_bounds(state, &targets, (from, at, n), side),
                })
            }
            ObjectPredicate::Alive => {
                self.by_object(at, at, &targets, &mut { MOST_CHOICES }, &mut |enc, at, _, object| match object {
                    Some(known) => enc.alive(state, &only(&targets, known.object), at, side),
                    None => enc.alive(state, &targets, at, side),
                })
            }
            ObjectPredicate::Freeable => {
                self.by_object(at, at, &targets, &mut { MOST_CHOICES }, &mut |enc, at, _, object| match object {
                    Some(known) => enc.freeable(state, &only(&targets, known.object), at, side),
                    None => enc.freeable(state, &targets, at, side),
                })
            }
            ObjectPredicate::Callable(_) | ObjectPredicate::Foreign | ObjectPredicate::FitsInt(_) => Err(NO),
        }
    }

    /// What holds of an address at which a function of the outside lies: it is not in the first page, and at no function or global of
    /// the program that has a symbol here.
    fn may_be_foreign(&mut self, at: Term) -> Term {
        let page = self.store.bv(self.width(), 0x1000);
        let mut holds = self.store.ule(page, at);
        let functions: Vec<Term> = self.known_functions().map(|(_, base)| base).collect();
        for base in functions {
            let is = self.store.eq(at, base);
            let other = self.store.not(is);
            holds = self.store.and(holds, other);
        }
        let globals = self.objects.iter().filter(|k| matches!(k.object, Object::Global(_)));
        let globals: Vec<(Term, u64)> = globals.filter_map(|k| Some((k.base, self.size_of(k.object)?))).collect();
        for (base, size) in globals {
            let inside = self.in_range(at, base, size, 1);
            let other = self.store.not(inside);
            holds = self.store.and(holds, other);
        }
        holds
    }

    /// The size of the block of the heap that begins at an address. `None` if it may be one that the program did not allocate: the
    /// outside may give an address again to a block of another size.
    pub(crate) fn size_of_block(&mut self, state: &State, pointer: &Expr, address: Term) -> Option<Term> {
        let analysis = self.analysis;
        let targets = analysis.query().expr(state.func(), pointer);
        let is_block = |o: &Object| matches!(o, Object::Site(site) if !analysis.allocations.is_stack(*site));
        let sizes = state.ghost(Ghost::Size).filter(|_| targets.keys().all(is_block))?;
        let size = self.store.select(sizes, address);
        Some(if sabotage::active(Fault::BlockTooShort) {
            let one = self.store.bv(self.width(), 1);
            self.store.bv_sub(size, one)
        } else {
            size
        })
    }

    /// What two pointers that are compared may point to shares no byte.
    pub(crate) fn make_operands_disjoint(&mut self, state: &State, a: &Expr, b: &Expr) {
        if a.as_const().is_some() || b.as_const().is_some() || start_of(a) == start_of(b) || !self.memory_applies() {
            return;
        }
        self.make_compared_disjoint(state, [a, b]);
        let analysis = self.analysis;
        let query = analysis.query();
        let mut targets = query.expr(state.func(), a);
        targets.extend(query.expr(state.func(), b));
        self.make_targets_disjoint(&query.reached(&targets));
    }

    /// Variables whose addresses are compared share no byte with others of which that was done before: what two comparisons with
    /// one pointer say does not hang on where else the pointer may point to.
    fn make_compared_disjoint(&mut self, state: &State, operands: [&Expr; 2]) {
        for e in operands {
            let base = match &e.kind {
                ExprKind::Addr(Address { base: Base::Var(Var::Global(g)), .. }) => Some(self.global_base(*g)),
                ExprKind::Addr(Address { base: Base::Var(Var::Local(l)), .. }) => state.base(*l),
                _ => None,
            };
            // A local that has begun in one of several ways has no one address.
            let one = |b: &Term| self.objects.iter().any(|k| k.base == *b);
            let Some(base) = base.filter(|b| one(b) && !self.compared.contains(b)) else { continue };
            if self.compared.len() < MAX_DISJOINT {
                for i in 0..self.compared.len() {
                    self.store.disjoint(base, self.compared[i]);
                }
                self.compared.push(base);
            }
        }
    }

    /// The objects that a pointer may point to share no byte.
    fn make_targets_disjoint(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if let Object::Global(g) = object {
                self.global_base(g);
            }
        }
        // All allocations share the maps that say what belongs to which.
        let any_site = targets.keys().any(|o| matches!(o, Object::Site(_)));
        let site = |o: Object| any_site && matches!(o, Object::Site(_));
        let known = self.objects.iter().filter(|k| targets.contains_key(&k.object) || site(k.object));
        let bases: Vec<Term> = known.map(|k| k.base).take(MAX_DISJOINT).collect();
        for (i, &a) in bases.iter().enumerate() {
            for &b in &bases[..i] {
                self.store.disjoint(a, b);
            }
        }
    }

    fn predicate_of_variable(
        &mut self,
        state: &State,
        predicate: ObjectPredicate,
        addr: &Address,
        var: Var,
        side: Approximation,
    ) -> Result<Term> {
        let n = match predicate {
            ObjectPredicate::InBounds(n) => n,
            // A predicate may name a local where it is not alive.
            ObjectPredicate::Alive => {
                return match var {
                    // A predicate may name a local where it is not alive.
                    Var::Local(l) if self.analysis.lifetimes.begins(state.func(), l) => {
                        let base = self.address(state, &Address::var(var))?;
                        let itself = (Object::Local(state.func(), l), pointsto::Offsets::exactly(0));
                        self.alive(state, &Targets::from([itself]), base, side)
                    }
                    Var::Local(_) | Var::Global(_) => Ok(self.store.bool(true)),
                };
            }
            ObjectPredicate::Freeable => return Ok(self.store.bool(false)),
            ObjectPredicate::Callable(_) | ObjectPredicate::Foreign | ObjectPredicate::FitsInt(_) => return Err(NO),
        };
        let size = self.program.shape(state.func(), var).size(self.program.model);
        let at = self.address(state, addr)?;
        let base = self.address(state, &Address::var(var))?;
        Ok(self.in_range(at, base, size, n))
    }

    /// `n` bytes from `at` on lie in the `size` bytes from `base` on.
    fn in_range(&mut self, at: Term, base: Term, size: u64, n: u64) -> Term {
        let Some(last) = size.checked_sub(n) else { return self.store.bool(false) };
        let offset = self.store.bv_sub(at, base);
        let last = self.store.bv(self.width(), last);
        self.store.ule(offset, last)
    }

    /// The address and size of an object that has a name here.
    fn named(&mut self, state: &State, object: Object) -> Option<(Term, u64)> {
        let model = self.program.model;
        match object {
            Object::Global(g) => Some((self.global_base(g), self.program.globals[g].shape.size(model))),
            Object::Local(f, l) if f == state.func() || self.is_once(f) && !self.analysis.lifetimes.begins(f, l) => {
                let base = if f == state.func() { state.base(l) } else { self.entry_bases()[l.index()] };
                Some((base?, self.program.functions[f].locals[l].shape.size(model)))
            }
            _ => None,
        }
    }

    /// The addresses and sizes of a local in the activations that wait for the current one: as far as calls were followed, they are
    /// known, and they are alive.
    fn of_callers(&self, state: &State, object: Object) -> Vec<(Term, u64)> {
        let Object::Local(f, l) = object else { return Vec::new() };
        let size = self.program.functions[f].locals[l].shape.size(self.program.model);
        let mut found = Vec::new();
        let mut frame = &state.frame;
        while let Some((caller, _)) = &frame.caller {
            frame = caller;
            if frame.func == f {
                found.extend(frame.bases[l.index()].map(|base| (base, size)));
            }
        }
        found
    }

    /// What holds of an address, found for each of those that it is chosen from: of one that was made from an object's address, for this
    /// object.
    ///
    /// An address that was made from that of an object belongs to this object, also where it has left it: this is what an execution goes
    /// by, and less is true of it than if it could have come to lie in another. Where executions end because of an object predicate,
    /// which is approximated from above, only runs build on this ([`Encoder::step`]).
    fn by_object(
        &mut self,
        at: Term,
        from: Term,
        targets: &Targets,
        left: &mut usize,
        holds: &mut OfObject<'_, Self>,
    ) -> Result<Term> {
        if let Some(base) = self.store.base_of(from) {
            let known = self.objects.iter().find(|k| k.base == base && targets.contains_key(&k.object)).copied();
            return holds(self, at, from, known);
        }
        match self.store.split_address(from) {
            Some((cond, x, y)) if *left > 0 => {
                *left -= 1;
                let index = self.store.bv_sub(at, from);
                let (p, q) = (self.store.bv_add(x, index), self.store.bv_add(y, index));
                let first = self.by_object(p, x, targets, left, holds)?;
                let second = self.by_object(q, y, targets, left, holds)?;
                Ok(self.store.ite(cond, first, second))
            }
            _ => holds(self, at, from, None),
        }
    }

    /// `n` bytes from `at` on lie in this object.
    fn in_bounds_of(&mut self, state: &State, known: Known, at: Term, n: u64) -> Result<Term> {
        if let Some(size) = self.size_of(known.object) {
            return Ok(self.in_range(at, known.base, size, n));
        }
        let Object::Site(_) = known.object else { return Ok(self.store.bool(false)) };
        let sizes = state.ghost(Ghost::Size).ok_or(NO)?;
        let size = self.store.select(sizes, known.base);
        Ok(self.lies_within(at, known.base, size, n))
    }

    /// `n` bytes from `at` on lie in the `size` bytes from `base` on.
    fn lies_within(&mut self, at: Term, base: Term, size: Term, n: u64) -> Term {
        let n = self.store.bv(self.width(), n);
        let (offset, last) = (self.store.bv_sub(at, base), self.store.bv_sub(size, n));
        let (fits, near) = (self.store.ule(n, size), self.store.ule(offset, last));
        self.store.and(fits, near)
    }

    /// The address of the object that an address belongs to; 0 for none.
    fn owner_of(&mut self, state: &State, at: Term) -> Option<Term> {
        let owner = state.ghost(Ghost::Owner)?;
        let owns = |k: &Known| k.made && matches!(k.object, Object::Site(_) | Object::Local(..));
        match self.store.base_of(at) {
            Some(base) if self.objects.iter().any(|k| k.base == base && owns(k)) => Some(base),
            _ => Some(self.store.select(owner, at)),
        }
    }

    fn in_bounds(
        &mut self,
        state: &State,
        targets: &Targets,
        (from, at, n): (Term, Term, u64),
        side: Approximation,
    ) -> Result<Term> {
        let over = side == Approximation::Over;
        let mut inside = self.store.bool(false);
        let mut sites = false;
        for &object in targets.keys() {
            let is_local = matches!(object, Object::Local(f, _) if !self.is_once(f));
            match object {
                Object::Ext if over => return Ok(self.store.bool(true)),
                // What lies outside is not known to have bounds.
                Object::Ext => {}
                Object::Local(f, l) if self.analysis.lifetimes.is_tracked(f, l) => sites = true,
                Object::Local(..) if over && is_local => return Ok(self.store.bool(true)),
                Object::Site(_) => sites = true,
                Object::Func(_) => {}
                Object::Global(_) | Object::Local(..) => {
                    if let Some((base, size)) = self.named(state, object) {
                        let here = self.in_range(at, base, size, n);
                        inside = self.store.or(inside, here);
                    }
                    for (base, size) in self.of_callers(state, object) {
                        let here = self.in_range(at, base, size, n);
                        inside = self.store.or(inside, here);
                    }
                }
            }
        }
        if sites {
            let owner = self.owner_of(state, from).ok_or(NO)?;
            let sizes = state.ghost(Ghost::Size).ok_or(NO)?;
            let size = self.store.select(sizes, owner);
            let zero = self.store.bv(self.width(), 0);
            let none = self.store.eq(owner, zero);
            let within = self.lies_within(at, owner, size, n);
            let here = if over { self.store.or(none, within) } else { self.without(within, none) };
            inside = self.store.or(inside, here);
        }
        Ok(inside)
    }

    fn alive(&mut self, state: &State, targets: &Targets, at: Term, side: Approximation) -> Result<Term> {
        let over = side == Approximation::Over;
        let mut alive = self.store.bool(false);
        // Of some objects it is not known whether they are alive, of others that they are, but not where they lie.
        let (mut sites, mut lasting, mut elsewhere) = (false, true, false);
        for &object in targets.keys() {
            match object {
                Object::Ext if over => return Ok(self.store.bool(true)),
                Object::Ext => lasting = false,
                Object::Site(site)
                    if self.analysis.allocations.is_stack(site) && self.analysis.lifetimes.is_outlived(site) =>
                {
                    lasting = false;
                }
                Object::Site(_) => sites = true,
                Object::Local(f, l) if self.analysis.lifetimes.is_tracked(f, l) => sites = true,
                Object::Local(f, _) if !self.is_once(f) => elsewhere = true,
                Object::Func(_) | Object::Global(_) | Object::Local(..) => {
                    if let Some((base, size)) = self.named(state, object) {
                        // Behind its end a pointer still belongs to its object.
                        let here = self.in_range(at, base, size, u64::from(!over));
                        alive = self.store.or(alive, here);
                    }
                }
            }
        }
        if over && (!lasting || elsewhere) {
            return Ok(self.store.bool(true));
        }
        if !sites && lasting && !targets.is_empty() {
            return Ok(self.store.bool(true));
        }
        if sites {
            let owner = self.owner_of(state, at).ok_or(NO)?;
            let freed = state.ghost(Ghost::Freed).ok_or(NO)?;
            let (zero, no) = (self.store.bv(self.width(), 0), self.store.bv(8, 0));
            let freed = self.store.select(freed, owner);
            let not_freed = self.store.eq(freed, no);
            let none = self.store.eq(owner, zero);
            let here = if over { self.store.or(none, not_freed) } else { self.without(not_freed, none) };
            alive = self.store.or(alive, here);
        }
        Ok(alive)
    }

    /// `b` and not `a`.
    fn without(&mut self, b: Term, a: Term) -> Term {
        let not_a = self.store.not(a);
        self.store.and(not_a, b)
    }

    fn freeable(&mut self, state: &State, targets: &Targets, at: Term, side: Approximation) -> Result<Term> {
        let over = side == Approximation::Over;
        let zero = self.store.bv(self.width(), 0);
        let null = self.store.eq(at, zero);
        if over && targets.contains_key(&Object::Ext) {
            return Ok(self.store.bool(true));
        }
        let analysis = self.analysis;
        let heap = |o: &Object| matches!(o, Object::Site(site) if !analysis.allocations.is_stack(*site));
        if !targets.keys().any(heap) {
            return Ok(null);
        }
        let owner = self.owner_of(state, at).ok_or(NO)?;
        let freed = state.ghost(Ghost::Freed).ok_or(NO)?;
        let no = self.store.bv(8, 0);
        let freed = self.store.select(freed, at);
        let not_freed = self.store.eq(freed, no);
        let start = self.store.eq(owner, at);
        let mut live = self.store.and(start, not_freed);
        if over {
            // An object without bytes has no owner.
            let none = self.store.eq(owner, zero);
            live = self.store.or(live, none);
        } else {
            // What lies outside has no owner.
            for &object in targets.keys().filter(|o| !heap(o) && **o != Object::Ext) {
                // Stack allocations have owners too: they cannot be told from those of the heap.
                let Some((base, size)) = self.named(state, object) else { return Err(NO) };
                let inside = self.in_range(at, base, size, 1);
                live = self.without(live, inside);
            }
        }
        Ok(self.store.or(null, live))
    }
}

/// One of several objects alone.
fn only(targets: &Targets, object: Object) -> Targets {
    targets.iter().filter(|(o, _)| **o == object).map(|(o, at)| (*o, *at)).collect()
}

/// What a pointer was made from by adding to it.
fn start_of(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Addr(Address { base: Base::Ptr(p), .. }) => p,
        _ => e,
    }
}

/// Whether object predicates occur in a condition only under conjunctions, disjunctions and negations, and all of them
/// positively (`positive`), or all negatively: then over-approximating them, or under-approximating them, allows more.
pub(crate) fn only_in_polarity(e: &Expr, positive: bool) -> bool {
    match &e.kind {
        ExprKind::ObjectPredicate(predicate, _) if !matches!(predicate, ObjectPredicate::FitsInt(_)) => positive,
        ExprKind::Unary(ir::UnOp::Not, a) if e.ty == Ty::Bool => only_in_polarity(a, !positive),
        ExprKind::Binary(ir::BinOp::And | ir::BinOp::Or, a, b) if e.ty == Ty::Bool => {
            only_in_polarity(a, positive) && only_in_polarity(b, positive)
        }
        _ => !mentions_object_predicate(e),
    }
}

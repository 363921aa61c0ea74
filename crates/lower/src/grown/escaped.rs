//! What the program lets go of, and what it gets back.
//!
//! A pointer of unknown origin - the result of a function without a body, a number, what lies in an object that others can write -
//! leads to [`OUT`], which stands for everything outside and for every object that has escaped. Which these are is found together with
//! everything else: what is handed to a function without a body, turned into a number or stored at an address of unknown origin, and all
//! that can be reached from those. Where the program reads at such an address, it may read any of these objects, anywhere in it.

use super::{Asked, At, COPIES, Growth, Targets, What, add};
use base::sabotage::{self, Fault};
use ir::{Address, Base, Call, Callee, Expr, ExprKind, Externs, HavocDst, Init, Source, Ty, Var};
use std::collections::BTreeMap;

/// The object that stands for all that is outside or has escaped.
pub(super) const OUT: usize = 0;

/// A pointer of unknown origin.
pub(super) const UNKNOWN: (usize, Option<i64>) = (OUT, None);

impl Growth<'_> {
    /// What is there before the first step: objects at which others can look have escaped, and variables point to each other.
    pub(super) fn begin(&mut self) {
        let out = self.object(What::Outside);
        assert_eq!(out, OUT, "the outside is the first object");
        let program = self.program;
        for (id, global) in program.globals.iter_enumerated() {
            if program.read_outside(id) {
                let object = self.global(id);
                self.escape(&Targets::from([(object, None)]));
            }
            let Init::Values(items) = &global.init else { continue };
            for item in items {
                if let ExprKind::Addr(Address { base: Base::Var(Var::Global(to)), offset, .. }) = item.value.kind {
                    let (object, to) = (self.global(id), self.global(to));
                    self.cells.entry((object, Some(item.offset as i64))).or_default().insert((to, Some(offset)));
                }
            }
        }
    }

    /// These objects can be reached from outside.
    pub(super) fn escape(&mut self, targets: &Targets) {
        if sabotage::active(Fault::TreesAreNeverGivenAway) {
            return;
        }
        for &(object, _) in targets.iter().filter(|t| t.0 != OUT) {
            self.changed |= self.escaped.insert(object);
        }
    }

    /// What can be reached from what has escaped has escaped.
    pub(super) fn spread(&mut self) {
        let mut reached = Targets::new();
        if self.program.externs == Externs::Any {
            reached.extend((0..self.objects.len()).filter(|&o| self.is_filled(o)).map(|o| (o, None)));
        }
        for &object in &self.escaped {
            let cells = self.cells.range((object, None)..=(object, Some(i64::MAX)));
            reached.extend(cells.flat_map(|(_, targets)| targets.iter().copied()));
            let pointers = (object, i64::MIN)..=(object, i64::MAX);
            reached.extend(self.grown.range(pointers.clone()).map(|(_, &o)| (o, None)));
            reached.extend(self.ends.range(pointers).flat_map(|(_, ends)| ends.iter().map(|&(o, _)| (o, None))));
            let copied =
                self.copies.range((object, i64::MIN, 0, 0, 0)..=(object, i64::MAX, i64::MAX, usize::MAX, i64::MAX));
            reached.extend(copied.map(|c| (c.3, None)));
        }
        self.escape(&reached);
    }

    /// A call of a function without a body: its arguments are known outside, and its result is known to nobody.
    pub(super) fn call_outside(&mut self, at: At, call: &Call) {
        for arg in &call.args {
            let targets = self.value(at, arg);
            self.escape(&targets);
        }
        let pointer = match call.callee {
            Callee::Direct(f) => self.program.functions[f].ret_ty() == Some(Ty::Ptr),
            Callee::Indirect(_) => true,
        };
        if let Some(dst) = call.dst.filter(|_| pointer) {
            self.store_var(at, dst, &Targets::from([UNKNOWN]));
        }
    }

    /// Values from outside.
    pub(super) fn havoc(&mut self, at: At, dst: &HavocDst, source: &Source) {
        if source.is_indeterminate() {
            return;
        }
        match dst {
            HavocDst::Place(place) if place.ty == Ty::Ptr => self.store(at, place, &Targets::from([UNKNOWN])),
            HavocDst::Place(_) => {}
            HavocDst::Range { dst, .. } => {
                for (object, _) in self.value(at, dst) {
                    self.fill(object);
                }
            }
        }
    }

    /// Pointers of unknown origin are somewhere in this object.
    fn fill(&mut self, object: usize) {
        if object != OUT {
            self.changed |= add(self.cells.entry((object, None)).or_default(), Targets::from([UNKNOWN]));
        }
    }

    pub(super) fn copy(&mut self, at: At, dst: &Expr, src: &Expr, len: &Expr) {
        let (to, from) = (self.value(at, dst), self.value(at, src));
        let len = len.as_const().and_then(|n| i64::try_from(n).ok());
        for &(d, to) in &to {
            for &(s, from) in &from {
                let all = (d, i64::MIN, 0, 0, 0)..=(d, i64::MAX, i64::MAX, usize::MAX, i64::MAX);
                let copies = self.copies.range(all).count();
                if s == OUT || self.escaped.contains(&s) {
                    self.fill(d);
                }
                match (to, from, len) {
                    _ if d == OUT => self.escape(&Targets::from([(s, None)])),
                    _ if s == OUT => {}
                    (Some(to), Some(from), Some(len)) if d != s && copies < COPIES => {
                        self.changed |= self.copies.insert((d, to, len, s, from));
                    }
                    (Some(to), Some(from), Some(len)) if self.copies.contains(&(d, to, len, s, from)) => {}
                    // Anything may be anywhere.
                    _ => {
                        self.escape(&Targets::from([(s, None)]));
                        self.fill(d);
                    }
                }
            }
        }
    }

    /// A number is read. Where pointers are, it is one of them, or a piece; whether there are any.
    pub(super) fn reads_pieces(&mut self, object: usize, offset: Option<i64>, size: i64) -> bool {
        let covers = |at: i64| offset.is_none_or(|o| at < o + size && o < at + Ty::Ptr.size(self.program.model) as i64);
        let pointers = self.grown.range((object, i64::MIN)..=(object, i64::MAX));
        let mut found: Targets = pointers.filter(|((_, at), _)| covers(*at)).map(|(_, &o)| (o, None)).collect();
        let cells = self.cells.range((object, None)..=(object, Some(i64::MAX)));
        found.extend(cells.filter(|((_, at), _)| at.is_none_or(covers)).flat_map(|(_, t)| t.iter().copied()));
        self.escape(&found);
        !found.is_empty()
    }

    /// What has escaped is read as a whole, if the program reads at addresses of unknown origin.
    pub(super) fn read_escaped_whole(&self, asked: &mut BTreeMap<usize, Asked>) {
        if !asked.get(&OUT).is_some_and(|a| a.otherwise) {
            return;
        }
        for &object in self.escaped.iter().filter(|&&o| self.is_filled(o)) {
            let a = asked.entry(object).or_default();
            (a.otherwise, a.accessed) = (true, true);
            a.mention(None, 1);
        }
    }
}

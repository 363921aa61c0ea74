//! What is known of a program's allocations: sizes, and which calls allocate or free.

use crate::Lifetimes;
use base::IndexVec;
use ir::cfg::CallGraph;
use ir::{FuncId, Op, SiteId};
use pointsto::Query;

/// What is known of a program's allocations.
#[derive(Debug)]
pub struct Allocations {
    /// Whether there are any, or anything is freed.
    pub any: bool,
    /// Whether an activation of a function, with all that it calls, may change which objects there are.
    changes: IndexVec<FuncId, bool>,
    /// Whether it may free objects that it did not make.
    frees: IndexVec<FuncId, bool>,
    /// The least size of what a site allocates, as far as it is known.
    sizes: IndexVec<SiteId, u64>,
    /// Sites whose objects end with their activation.
    stack: IndexVec<SiteId, bool>,
    /// The entry function is never called: it has one activation, which lasts.
    pub entry_is_once: bool,
}

impl Allocations {
    pub(crate) fn new(query: Query<'_>, call_graph: &CallGraph, lifetimes: &Lifetimes) -> Allocations {
        let program = query.program;
        let n_sites = program.sites.len();
        let mut all = Allocations {
            any: false,
            changes: IndexVec::filled(false, program.functions.len()),
            frees: IndexVec::filled(false, program.functions.len()),
            sizes: IndexVec::filled(u64::MAX, n_sites),
            stack: IndexVec::filled(false, n_sites),
            entry_is_once: !call_graph.is_recursive(program.entry),
        };
        let mut calls = Vec::new();
        for (func, f) in program.functions.iter_enumerated() {
            all.changes[func] = lifetimes.tracks_some(func);
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                match &edge.op {
                    Op::Alloc(alloc) => {
                        let size = alloc.size.as_const().and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                        all.sizes[alloc.site] = all.sizes[alloc.site].min(size);
                        all.stack[alloc.site] |= alloc.stack;
                        all.changes[func] = true;
                    }
                    Op::Free(_) => {
                        all.changes[func] = true;
                        all.frees[func] = true;
                    }
                    Op::Call(call) => {
                        let callees = query.callees(func, &call.callee, call.args.len());
                        all.entry_is_once &= !callees.contains(&program.entry);
                        calls.extend(callees.into_iter().map(|g| (func, g)));
                    }
                    _ => {}
                }
            }
        }
        all.close_over(&calls);
        all.any = all.changes.iter().any(|&a| a);
        all
    }

    fn close_over(&mut self, calls: &[(FuncId, FuncId)]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(caller, callee) in calls {
                for of in [&mut self.changes, &mut self.frees] {
                    if of[callee] && !of[caller] {
                        of[caller] = true;
                        changed = true;
                    }
                }
            }
        }
    }

    /// The least size of what a site allocates.
    pub fn least_size(&self, site: SiteId) -> u64 {
        self.sizes[site]
    }

    /// Whether the objects of a site end with their activation.
    pub fn is_stack(&self, site: SiteId) -> bool {
        self.stack[site]
    }

    /// Whether an activation of a function, with all that it calls, may change which objects there are.
    pub fn changed_by(&self, func: FuncId) -> bool {
        self.changes[func]
    }

    /// Whether an activation of a function, with all that it calls, may free objects that it did not make.
    pub fn freed_by(&self, func: FuncId) -> bool {
        self.frees[func]
    }
}

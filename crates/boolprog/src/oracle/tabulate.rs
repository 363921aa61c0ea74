//! Path edges and summaries over explicit valuations, worked off from the entry of the program.

use super::{Packed, entries, entry_part, fails, fits, passed, resumed, returned, starts, steps};
use crate::program::{ProcId, Program, StmtId, StmtKind, Var};
use crate::semantics::Valuation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What the search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tabulated {
    /// The statements that are reached, each with its path edges: (globals and formals at entry, valuation now).
    pub reached: BTreeMap<(ProcId, StmtId), BTreeSet<(u64, u64)>>,
    /// The assertions that can fail.
    pub failing: BTreeSet<(ProcId, StmtId)>,
    /// Whether some summary was used by more than one caller's state.
    pub reused_summary: bool,
}

impl Tabulated {
    /// Whether control can come to `at`.
    pub fn reaches(&self, at: (ProcId, StmtId)) -> bool {
        self.reached.contains_key(&at)
    }

    /// The value of `var` in a packed valuation.
    pub fn unpack_var(var: Var, packed: u64) -> bool {
        packed & super::bit(var) != 0
    }

    /// A packed valuation of `proc` as a state.
    pub fn unpack(program: &Program, proc: ProcId, packed: u64) -> Valuation {
        Valuation {
            globals: (0..program.globals.len()).map(|i| packed >> i & 1 == 1).collect(),
            locals: (0..program.procs[proc].locals.len()).map(|i| packed >> (32 + i) & 1 == 1).collect(),
        }
    }
}

type Edge = (ProcId, Packed, StmtId, Packed);

#[derive(Default)]
struct Table {
    seen: FxHashSet<Edge>,
    work: Vec<Edge>,
    /// Results per (procedure, entry).
    summaries: FxHashMap<(ProcId, Packed), Vec<Packed>>,
    /// Waiting callers per (procedure, entry): the path edge at the call.
    callers: FxHashMap<(ProcId, Packed), Vec<Edge>>,
    tabulated: Tabulated,
}

/// All reachable statements and failing assertions; `None` when there are too many variables.
pub fn tabulate(program: &Program) -> Option<Tabulated> {
    if !fits(program) {
        return None;
    }
    let mut t = Table::default();
    let entry = &program.procs[program.entry];
    for s in starts(program) {
        t.add((program.entry, entry_part(entry, s), base::Id::from_index(0), s));
    }
    while let Some(edge) = t.work.pop() {
        t.expand(program, edge);
    }
    t.tabulated.reused_summary = t.callers.values().any(|c| c.len() > 1);
    Some(t.tabulated)
}

impl Table {
    fn add(&mut self, edge: Edge) {
        if self.seen.insert(edge) {
            self.work.push(edge);
            self.tabulated.reached.entry((edge.0, edge.2)).or_default().insert((edge.1, edge.3));
        }
    }

    fn expand(&mut self, program: &Program, edge: Edge) {
        let (p, entry, at, s) = edge;
        let proc = &program.procs[p];
        if fails(proc, at, s) {
            self.tabulated.failing.insert((p, at));
        }
        match &proc.body[at].kind {
            StmtKind::Call { callee, args, .. } => {
                for given in passed(program, *callee, args, s) {
                    let key = (*callee, given);
                    self.callers.entry(key).or_default().push(edge);
                    for inner in entries(&program.procs[*callee], given) {
                        self.add((*callee, given, base::Id::from_index(0), inner));
                    }
                    for result in self.summaries.get(&key).cloned().unwrap_or_default() {
                        self.resume(program, edge, result);
                    }
                }
            }
            StmtKind::Return(_) => {
                for result in returned(proc, at, s) {
                    let known = self.summaries.entry((p, entry)).or_default();
                    if !known.contains(&result) {
                        known.push(result);
                        for caller in self.callers.get(&(p, entry)).cloned().unwrap_or_default() {
                            self.resume(program, caller, result);
                        }
                    }
                }
            }
            _ => {
                for (to, next) in steps(proc, at, s) {
                    self.add((p, entry, to, next));
                }
            }
        }
    }

    fn resume(&mut self, program: &Program, (p, entry, at, s): Edge, result: Packed) {
        if let Some(after) = resumed(&program.procs[p], at, s, result) {
            self.add((p, entry, at.next(), after));
        }
    }
}

//! TR00 §3: boolean program reachability as context-free-language reachability on the exploded graph.
//!
//! The nodes are *all* pairs of statement and valuation, reachable or not. Balanced paths (nonterminal `M`) are
//! saturated from every possible entry of every procedure first, bottom-up and without regard to the program's start;
//! then `S → M S | call S` is one forward search that uses them. The order of work differs from tabulation in every
//! respect, which is what makes it a second opinion.

use super::{Packed, choices, entries, entry_part, fits, passed, resumed, returned, starts, steps};
use crate::program::{ProcId, Program, StmtId, StmtKind, Var};
use crate::semantics::Values;
use base::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

type Node = (ProcId, StmtId, Packed);

/// The reachable statements; `None` when the graph would have more than `max_nodes` entries per procedure.
pub fn exploded(program: &Program, max_nodes: usize) -> Option<BTreeSet<(ProcId, StmtId)>> {
    if !fits(program) {
        return None;
    }
    let too_big = |p: &crate::program::Proc| {
        let vars = program.globals.len() + p.locals.len();
        vars >= 20 || (1usize << vars) * p.body.len() > max_nodes
    };
    if program.procs.iter().any(too_big) {
        return None;
    }
    let balanced = saturate(program);
    // S → M S | call S from the initial states.
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    let mut work: Vec<Node> = starts(program).into_iter().map(|s| (program.entry, first(), s)).collect();
    while let Some(node @ (p, at, s)) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        let proc = &program.procs[p];
        if let StmtKind::Call { callee, args, .. } = &proc.body[at].kind {
            for given in passed(program, *callee, args, s) {
                work.extend(entries(&program.procs[*callee], given).into_iter().map(|e| (*callee, first(), e)));
                let results = balanced.get(&(*callee, given)).into_iter().flatten();
                work.extend(results.filter_map(|&r| Some((p, at.next(), resumed(proc, at, s, r)?))));
            }
        } else {
            work.extend(steps(proc, at, s).into_iter().map(|(to, n)| (p, to, n)));
        }
    }
    Some(seen.into_iter().map(|(p, at, _)| (p, at)).collect())
}

fn first() -> StmtId {
    StmtId::from_index(0)
}

type Balanced = FxHashMap<(ProcId, Packed), BTreeSet<Packed>>;

/// For every procedure and every possible entry, what can be handed back: a naive iteration to the least fixpoint.
fn saturate(program: &Program) -> Balanced {
    let mut balanced: Balanced = FxHashMap::default();
    loop {
        let mut changed = false;
        for (p, proc) in program.procs.iter_enumerated() {
            let free = Values { can_true: true, can_false: true };
            let vars: Vec<(Var, Values)> = program
                .globals
                .ids()
                .map(Var::Global)
                .chain(proc.formals().map(Var::Local))
                .map(|v| (v, free))
                .collect();
            for given in choices(0, &vars) {
                let found = same_level(program, p, given, &balanced);
                let known = balanced.entry((p, given)).or_default();
                let before = known.len();
                known.extend(found);
                changed |= known.len() > before;
            }
        }
        if !changed {
            return balanced;
        }
    }
}

/// What can be handed back from this entry with the balanced calls known so far.
fn same_level(program: &Program, p: ProcId, given: Packed, balanced: &Balanced) -> BTreeSet<Packed> {
    let proc = &program.procs[p];
    debug_assert_eq!(entry_part(proc, given), given);
    let mut out = BTreeSet::new();
    let mut seen: FxHashSet<(StmtId, Packed)> = FxHashSet::default();
    let mut work: Vec<(StmtId, Packed)> = entries(proc, given).into_iter().map(|s| (first(), s)).collect();
    while let Some((at, s)) = work.pop() {
        if !seen.insert((at, s)) {
            continue;
        }
        match &proc.body[at].kind {
            StmtKind::Call { callee, args, .. } => {
                for g in passed(program, *callee, args, s) {
                    let results = balanced.get(&(*callee, g)).into_iter().flatten();
                    work.extend(results.filter_map(|&r| Some((at.next(), resumed(proc, at, s, r)?))));
                }
            }
            StmtKind::Return(_) => out.extend(returned(proc, at, s)),
            _ => work.extend(steps(proc, at, s)),
        }
    }
    out
}

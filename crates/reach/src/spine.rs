//! Which activations stay open on the way to a target. Where nothing behind the calls of a procedure leads to a target, it
//! need not return: what matters of its activations is the present state, not how they were entered. Such procedures are the
//! *spine*. All others keep their entry states.

use crate::live::called;
use base::{Id, IndexVec};
use boolprog::{Proc, ProcId, Program, StmtId, StmtKind};

/// Whether each procedure keeps its entry states on the way to `ends`.
pub(crate) fn kept(program: &Program, ends: &[(ProcId, StmtId)]) -> IndexVec<ProcId, bool> {
    let n = program.procs.len();
    if called(program)[program.entry] {
        return IndexVec::filled(true, n);
    }
    let calls: Vec<(ProcId, StmtId, ProcId)> = program
        .procs
        .iter_enumerated()
        .flat_map(|(p, proc)| {
            proc.body.iter_enumerated().filter_map(move |(s, stmt)| match stmt.kind {
                StmtKind::Call { callee, .. } => Some((p, s, callee)),
                _ => None,
            })
        })
        .collect();
    // An end lies in these, or in what they call.
    let mut leads: IndexVec<ProcId, bool> = IndexVec::filled(false, n);
    ends.iter().for_each(|e| leads[e.0] = true);
    close(&calls, &mut leads, |(p, _, callee), leads| leads[callee].then_some(p));
    // Their return matters, or that of what calls them does.
    let mut kept: IndexVec<ProcId, bool> = IndexVec::filled(false, n);
    close(&calls, &mut kept, |(p, s, callee), kept| {
        let wanted = |at: StmtId| match program.procs[p].body[at].kind {
            StmtKind::Call { callee, .. } => leads[callee],
            StmtKind::Return(_) => kept[p],
            _ => false,
        };
        let is_end = |at: StmtId| ends.contains(&(p, at));
        (kept[p] || comes_to(&program.procs[p], s.next(), |at| is_end(at) || wanted(at))).then_some(callee)
    });
    kept
}

type Call = (ProcId, StmtId, ProcId);

/// Adds what calls give, until that is nothing new.
fn close(
    calls: &[Call],
    set: &mut IndexVec<ProcId, bool>,
    gives: impl Fn(Call, &IndexVec<ProcId, bool>) -> Option<ProcId>,
) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &call in calls {
            if let Some(p) = gives(call, set)
                && !std::mem::replace(&mut set[p], true)
            {
                changed = true;
            }
        }
    }
}

/// Whether control can come from `from` to a statement that is asked for.
fn comes_to(proc: &Proc, from: StmtId, asked: impl Fn(StmtId) -> bool) -> bool {
    let mut seen = vec![false; proc.body.len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if at.index() >= seen.len() || std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        if asked(at) {
            return true;
        }
        stack.extend(proc.successors(at));
    }
    false
}

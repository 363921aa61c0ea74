//! Breadth-first search over whole configurations, stacks included: the shortest execution, found the plain way.

use super::{Packed, entries, fails, fits, passed, resumed, returned, starts, steps};
use crate::interp::Goal;
use crate::program::{ProcId, Program, StmtId, StmtKind};
use base::Id;
use rustc_hash::FxHashSet;

/// The answer of [`shortest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortest {
    /// The target is reached after this many transitions, and not after fewer.
    Length(usize),
    /// Every configuration was visited without meeting the target.
    Unreachable,
    /// The search was given up.
    Unknown,
}

type Frame = (ProcId, StmtId, Packed);

/// The length of a shortest execution that ends in `goal`, visiting at most `limit` configurations.
pub fn shortest(program: &Program, goal: Goal, limit: usize) -> Shortest {
    if !fits(program) {
        return Shortest::Unknown;
    }
    let mut seen: FxHashSet<Vec<Frame>> = FxHashSet::default();
    let start = |s| vec![(program.entry, StmtId::from_index(0), s)];
    let mut layer: Vec<Vec<Frame>> = starts(program).into_iter().map(start).collect();
    for length in 0.. {
        if layer.is_empty() {
            return Shortest::Unreachable;
        }
        let mut next = Vec::new();
        for config in layer {
            let &(p, at, s) = config.last().expect("a configuration has at least one frame");
            let found = match goal {
                Goal::At(gp, gs) => (p, at) == (gp, gs),
                Goal::Fails(gp, gs) => (p, at) == (gp, gs) && fails(&program.procs[p], at, s),
            };
            if found {
                return Shortest::Length(length);
            }
            if seen.len() == limit {
                return Shortest::Unknown;
            }
            if seen.insert(config.clone()) {
                expand(program, &config, &mut next);
            }
        }
        layer = next;
    }
    Shortest::Unknown
}

fn expand(program: &Program, config: &[Frame], out: &mut Vec<Vec<Frame>>) {
    let (&(p, at, s), below) = config.split_last().expect("a configuration has at least one frame");
    let proc = &program.procs[p];
    match &proc.body[at].kind {
        StmtKind::Call { callee, args, .. } => {
            for given in passed(program, *callee, args, s) {
                for e in entries(&program.procs[*callee], given) {
                    let mut c = config.to_vec();
                    c.push((*callee, StmtId::from_index(0), e));
                    out.push(c);
                }
            }
        }
        StmtKind::Return(_) => {
            let Some((&(caller, call, before), rest)) = below.split_last() else { return };
            for r in returned(proc, at, s) {
                if let Some(after) = resumed(&program.procs[caller], call, before, r) {
                    let mut c = rest.to_vec();
                    c.push((caller, call.next(), after));
                    out.push(c);
                }
            }
        }
        _ => {
            for (to, n) in steps(proc, at, s) {
                let mut c = below.to_vec();
                c.push((p, to, n));
                out.push(c);
            }
        }
    }
}

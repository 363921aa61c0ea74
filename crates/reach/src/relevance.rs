//! How far each variable is from having a say in whether a target is reached.
//!
//! Distance 0: what a target asserts, and the conditions that directly decide whether control comes to it. One more for
//! each step back: from a variable to what it is assigned from, to the conditions that decide whether it is assigned, to
//! what is assumed about it together with others; through calls by parameters, returned values and what the callee
//! writes. Control dependence is that of Ferrante, Ottenstein and Warren (TOPLAS 1987), over immediate postdominators.
//!
//! The distances only choose what [`hide`](crate::project) leaves out. Nothing rests on them.

use crate::live::Bits;
use base::{Id, IndexVec};
use boolprog::interp::Goal;
use boolprog::{Expr, Proc, ProcId, Program, StmtId, StmtKind, Var};
use std::collections::VecDeque;

/// Distances of globals and of each procedure's locals; `u32::MAX` where there is no influence.
pub(crate) struct Distances {
    n_globals: usize,
    /// The number of the first local of each procedure.
    first: IndexVec<ProcId, usize>,
    of: Vec<u32>,
}

impl Distances {
    /// The distance of `v` of `proc`.
    pub(crate) fn get(&self, proc: ProcId, v: Var) -> u32 {
        self.of[self.number(proc, v)]
    }

    /// The number of variables, and of those at most this far.
    pub(crate) fn count(&self, within: u32) -> (usize, usize) {
        (self.of.len(), self.of.iter().filter(|&&d| d <= within).count())
    }

    fn number(&self, proc: ProcId, v: Var) -> usize {
        match v {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.first[proc] + l.index(),
        }
    }
}

/// The distances of all variables from `targets`.
pub(crate) fn distances(program: &Program, targets: &[Goal]) -> Distances {
    let n_globals = program.globals.len();
    let mut n = n_globals;
    let mut first = IndexVec::new();
    for proc in &program.procs {
        first.push(n);
        n += proc.locals.len();
    }
    let mut d = Distances { n_globals, first, of: vec![u32::MAX; n] };
    let deciding: IndexVec<ProcId, Vec<Vec<StmtId>>> = program.procs.iter().map(control_dependence).collect();
    let influences = influences(program, &d, &deciding);
    let mut work = VecDeque::new();
    let mut start = |d: &mut Distances, proc: ProcId, v: Var| {
        let i = d.number(proc, v);
        if d.of[i] != 0 {
            d.of[i] = 0;
            work.push_back(i);
        }
    };
    for &target in targets {
        let (Goal::At(p, s) | Goal::Fails(p, s)) = target;
        let asserted = match target {
            Goal::Fails(..) => program.procs[p].body[s].kind.exprs(),
            Goal::At(..) => Vec::new(),
        };
        asserted.into_iter().flat_map(Expr::vars).for_each(|v| start(&mut d, p, v));
        for &b in &deciding[p][s.index()] {
            condition(&program.procs[p], b).into_iter().for_each(|v| start(&mut d, p, v));
        }
    }
    while let Some(i) = work.pop_front() {
        for &j in &influences[i] {
            if d.of[j] == u32::MAX {
                d.of[j] = d.of[i] + 1;
                work.push_back(j);
            }
        }
    }
    d
}

/// For each variable, those that are one step further from a target.
fn influences(program: &Program, d: &Distances, deciding: &IndexVec<ProcId, Vec<Vec<StmtId>>>) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); d.of.len()];
    let writes = writes(program);
    for (p, proc) in program.procs.iter_enumerated() {
        let number = |v: Var| d.number(p, v);
        let numbers = |e: &Expr| -> Vec<usize> { [e.vars(), e.next_vars()].concat().into_iter().map(number).collect() };
        for (s, stmt) in proc.body.iter_enumerated() {
            let mut changed: Vec<usize> = stmt.kind.written().into_iter().map(number).collect();
            match &stmt.kind {
                StmtKind::Assign(pairs) => {
                    for (v, e) in pairs {
                        v.iter().for_each(|&v| out[number(v)].extend(numbers(e)));
                    }
                }
                StmtKind::Assume(e) => together(&mut out, &numbers(e)),
                StmtKind::Call { callee, args, results } => {
                    changed.extend((0..d.n_globals).filter(|&g| writes[*callee].has(g)));
                    for (l, e) in program.procs[*callee].formals().zip(args) {
                        out[d.number(*callee, Var::Local(l))].extend(numbers(e));
                    }
                    for r in &program.procs[*callee].body {
                        let StmtKind::Return(values) = &r.kind else { continue };
                        for (v, e) in results.iter().zip(values) {
                            let from = e.vars().into_iter().map(|u| d.number(*callee, u));
                            v.iter().for_each(|&v| out[number(v)].extend(from.clone()));
                        }
                    }
                }
                _ => {}
            }
            stmt.constrain.iter().for_each(|c| together(&mut out, &numbers(c)));
            let conditions = deciding[p][s.index()].iter().flat_map(|&b| condition(proc, b));
            let conditions: Vec<usize> = conditions.map(number).collect();
            changed.into_iter().for_each(|v| out[v].extend(&conditions));
        }
        proc.enforce.iter().for_each(|e| together(&mut out, &numbers(e)));
    }
    for list in &mut out {
        list.sort_unstable();
        list.dedup();
    }
    out
}

/// Each of `vars` says something about the others.
fn together(out: &mut [Vec<usize>], vars: &[usize]) {
    vars.iter().for_each(|&v| out[v].extend(vars));
}

/// The globals that each procedure, or anything it calls, writes.
fn writes(program: &Program) -> IndexVec<ProcId, Bits> {
    crate::live::closed_over_calls(program, |proc, add| {
        proc.body.iter().flat_map(|s| s.kind.written()).for_each(add);
    })
}

/// The variables that decide which way control goes at `b`: of a condition, or of what the arms of a choice assume.
fn condition(proc: &Proc, b: StmtId) -> Vec<Var> {
    match &proc.body[b].kind {
        StmtKind::Goto(targets) => {
            let arms = targets.iter().filter_map(|&t| first_assumption(proc, t));
            arms.flat_map(Expr::vars).collect()
        }
        kind => kind.exprs().into_iter().flat_map(Expr::vars).collect(),
    }
}

fn first_assumption(proc: &Proc, mut at: StmtId) -> Option<&Expr> {
    for _ in 0..proc.body.len() {
        match &proc.body.get(at)?.kind {
            StmtKind::Skip | StmtKind::Print(_) => at = at.next(),
            StmtKind::Goto(targets) if targets.len() == 1 => at = targets[0],
            StmtKind::Assume(e) => return Some(e),
            _ => return None,
        }
    }
    None
}

/// For each statement the branches that directly decide whether it is executed.
fn control_dependence(proc: &Proc) -> Vec<Vec<StmtId>> {
    let after = postdominators(proc);
    let mut out = vec![Vec::new(); proc.body.len()];
    for b in proc.body.ids() {
        let successors = proc.successors(b);
        if successors.len() < 2 {
            continue;
        }
        for s in successors {
            let mut at = s.index();
            while Some(at) != after[b.index()] && at < proc.body.len() {
                if out[at].last() == Some(&b) {
                    break;
                }
                out[at].push(b);
                let Some(next) = after[at] else { break };
                at = next;
            }
        }
    }
    out
}

/// The immediate postdominator of each statement, the number of statements standing for the end of the procedure; `None`
/// where the end is not reached (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm").
fn postdominators(proc: &Proc) -> Vec<Option<usize>> {
    let end = proc.body.len();
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for s in proc.body.ids() {
        let successors = proc.successors(s);
        if successors.is_empty() {
            back[end].push(s.index());
        }
        successors.into_iter().for_each(|t| back[t.index()].push(s.index()));
    }
    // Postorder over the reversed graph from the end.
    let (mut order, mut number) = (Vec::new(), vec![usize::MAX; end + 1]);
    let mut seen = vec![false; end + 1];
    let mut stack = vec![(end, 0)];
    seen[end] = true;
    while let Some((v, i)) = stack.last_mut() {
        if let Some(&u) = back[*v].get(*i) {
            *i += 1;
            if !seen[u] {
                seen[u] = true;
                stack.push((u, 0));
            }
        } else {
            number[*v] = order.len();
            order.push(*v);
            stack.pop();
        }
    }
    let mut after: Vec<Option<usize>> = vec![None; end + 1];
    after[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &v in order.iter().rev().filter(|&&v| v != end) {
            let next = proc.successors(StmtId::from_index(v));
            let exits = if next.is_empty() { vec![end] } else { next.iter().map(|s| s.index()).collect() };
            let mut known = exits.into_iter().filter(|&s| after[s].is_some());
            let Some(mut best) = known.next() else { continue };
            for mut other in known {
                while best != other {
                    while number[best] < number[other] {
                        best = after[best].expect("nodes with a smaller number are below the end");
                    }
                    while number[other] < number[best] {
                        other = after[other].expect("nodes with a smaller number are below the end");
                    }
                }
            }
            changed |= after[v] != Some(best);
            after[v] = Some(best);
        }
    }
    after
}

//! The static variable order: variables that occur together stand together.
//!
//! Affinity of two variables is counted over all statements (a target with what it reads, operands of a condition). First
//! the globals are put in line greedily: always the one that is drawn most to those just placed, ties to the lower number;
//! what two globals have to do with the same local draws them together too. Then each procedure's locals go where their
//! neighbours are: before the global next to the centre of gravity, those before one global in line by affinity. A procedure that saves all globals in locals would
//! otherwise have diagrams of exponential size. (Locals all above the globals are up to twice as fast where few of them
//! live at a time, which is why it is tempting.) Slots before a global are shared by the locals of all procedures.
//! Returned values come on top.

use base::{Id, IndexVec};
use boolprog::{Expr, Proc, ProcId, Program, StmtKind, Var};
use rustc_hash::FxHashMap;

pub(crate) struct Arrangement {
    /// Position per slot (globals first, then returned values, then local slots).
    pub(crate) position: Vec<usize>,
    /// Slot per local, counted without the globals.
    pub(crate) local_slot: IndexVec<ProcId, Vec<usize>>,
}

/// Statements that mention more variables than this say little about any two of them.
const MAX_CLIQUE: usize = 12;

/// Affinities: pairs of variables (globals first, then locals), the lower one first, sorted.
type Weights = Vec<((usize, usize), u64)>;

pub(crate) fn arrange(program: &Program) -> Arrangement {
    let n_globals = program.globals.len();
    let affinities: IndexVec<ProcId, Weights> = program.procs.iter().map(|p| affinity(p, n_globals)).collect();
    let line = in_line(n_globals, &between_globals(program, &affinities));
    let mut place = vec![0; n_globals];
    for (i, &g) in line.iter().enumerate() {
        place[g] = i;
    }
    let seats: Vec<Vec<Seat>> =
        program.procs.iter_enumerated().map(|(p, proc)| seats(&place, proc.locals.len(), &affinities[p])).collect();
    let n_returned = program.procs.iter().map(|p| p.n_returns).max().unwrap_or(0);
    // As many slots before each global as any procedure needs there.
    let mut width = vec![0; n_globals.max(1)];
    for seat in seats.iter().flatten() {
        width[seat.before] = width[seat.before].max(seat.rank + 1);
    }
    let mut first = Vec::with_capacity(width.len());
    let mut n_slots = n_returned;
    for w in &width {
        first.push(n_slots);
        n_slots += w;
    }
    let local_slot = seats.iter().map(|s| s.iter().map(|s| first[s.before] + s.rank).collect()).collect();
    let mut order: Vec<usize> = (0..n_returned).map(|k| n_globals + k).collect();
    for (i, &w) in width.iter().enumerate() {
        order.extend((0..w).map(|r| n_globals + first[i] + r));
        order.extend(line.get(i));
    }
    let mut position = vec![0; n_globals + n_slots];
    for (p, slot) in order.into_iter().enumerate() {
        position[slot] = p;
    }
    Arrangement { position, local_slot }
}

/// Where a local goes: the how manieth before which global in line.
#[derive(Clone, Copy)]
struct Seat {
    before: usize,
    rank: usize,
}

/// Rounds of moving locals to the middle of their neighbours.
const ROUNDS: usize = 20;

/// The seats of a procedure's locals among the globals, whose places are fixed.
fn seats(place: &[usize], n_locals: usize, weights: &Weights) -> Vec<Seat> {
    let (n_globals, n) = (place.len(), place.len() + n_locals);
    let middle = n_globals.saturating_sub(1) as f64 / 2.0;
    let mut at: Vec<f64> = place.iter().map(|&p| p as f64).collect();
    at.resize(n, middle);
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); n];
        for &((a, b), w) in weights {
            for (v, other) in [(a, b), (b, a)] {
                sums[v].0 += at[other] * w as f64;
                sums[v].1 += w as f64;
            }
        }
        for v in (n_globals..n).filter(|&v| sums[v].1 > 0.0) {
            at[v] = sums[v].0 / sums[v].1;
        }
    }
    let mut taken = vec![0; n_globals.max(1)];
    let mut seats = vec![Seat { before: 0, rank: 0 }; n_locals];
    for v in in_line(n, weights).into_iter().filter(|&v| v >= n_globals) {
        let before = (at[v].round() as usize).min(taken.len() - 1);
        seats[v - n_globals] = Seat { before, rank: taken[before] };
        taken[before] += 1;
    }
    seats
}

/// Affinities of the globals over all procedures, directly and through a local.
fn between_globals(program: &Program, affinities: &IndexVec<ProcId, Weights>) -> Weights {
    let n_globals = program.globals.len();
    let mut total = Sum::default();
    for (p, proc) in program.procs.iter_enumerated() {
        let mut drawn: Vec<Vec<(usize, u64)>> = vec![Vec::new(); proc.locals.len()];
        for &((a, b), w) in &affinities[p] {
            if b < n_globals {
                total.add(a, b, 4 * w);
            } else if a < n_globals {
                drawn[b - n_globals].push((a, w));
            }
        }
        for globals in drawn {
            for (i, &(a, v)) in globals.iter().enumerate() {
                globals[i + 1..].iter().for_each(|&(b, w)| total.add(a, b, v.min(w)));
            }
        }
    }
    total.weights()
}

/// Weights that are being summed up.
#[derive(Default)]
struct Sum(FxHashMap<(usize, usize), u64>);

impl Sum {
    fn add(&mut self, a: usize, b: usize, w: u64) {
        if a != b {
            *self.0.entry((a.min(b), a.max(b))).or_default() += w;
        }
    }

    fn weights(self) -> Weights {
        let mut weights: Weights = self.0.into_iter().collect();
        weights.sort_unstable();
        weights
    }
}

fn affinity(proc: &Proc, n_globals: usize) -> Weights {
    let number = |v: Var| match v {
        Var::Global(g) => g.index(),
        Var::Local(l) => n_globals + l.index(),
    };
    let mut weights = Sum::default();
    let mut clique = |vars: &[Var], w: u64| {
        if vars.len() > MAX_CLIQUE {
            // Neighbours in the text are likelier to belong together than any two.
            for pair in vars.windows(2) {
                weights.add(number(pair[0]), number(pair[1]), w);
            }
            return;
        }
        for (i, &a) in vars.iter().enumerate() {
            for &b in &vars[i + 1..] {
                weights.add(number(a), number(b), w);
            }
        }
    };
    for stmt in &proc.body {
        match &stmt.kind {
            StmtKind::Assign(pairs) => {
                for (target, e) in pairs {
                    for part in small_parts(e) {
                        let mut vars: Vec<Var> = target.iter().copied().collect();
                        vars.extend(part.vars());
                        clique(&vars, 4);
                    }
                }
            }
            kind => {
                for part in kind.exprs().into_iter().flat_map(small_parts) {
                    clique(&part.vars(), 2);
                }
            }
        }
        for c in stmt.constrain.iter().flat_map(conjuncts) {
            let mut vars = c.vars();
            vars.extend(c.next_vars());
            vars.sort_unstable();
            vars.dedup();
            clique(&vars, 1);
        }
    }
    for e in proc.enforce.iter().flat_map(conjuncts) {
        clique(&e.vars(), 1);
    }
    weights.weights()
}

/// The expression, or where it mentions many variables its parts: the cubes of a long sum each say something of a few.
fn small_parts(e: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        match e {
            _ if e.vars().len() <= MAX_CLIQUE => parts.push(e),
            Expr::And(list) | Expr::Or(list) => todo.extend(list.iter().rev()),
            Expr::Not(a) => todo.push(a),
            Expr::Choose(a, b) | Expr::Xor(a, b) | Expr::Eq(a, b) | Expr::Implies(a, b) => todo.extend([&**b, &**a]),
            Expr::Ite(c, a, b) => todo.extend([&**b, &**a, &**c]),
            Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) => parts.push(e),
        }
    }
    parts
}

/// The parts of a conjunction: each says something about its own variables.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        match e {
            Expr::And(list) => todo.extend(list.iter().rev()),
            _ => parts.push(e),
        }
    }
    parts
}

/// All of `0..n` in a line, greedily by weight to the ones placed, recent ones counting more.
fn in_line(n: usize, weights: &Weights) -> Vec<usize> {
    let mut neighbours: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n];
    for &((a, b), w) in weights {
        neighbours[a].push((b, w));
        neighbours[b].push((a, w));
    }
    let total: Vec<u64> = neighbours.iter().map(|v| v.iter().map(|e| e.1).sum()).collect();
    let mut pull = vec![0.0f64; n];
    let mut placed = vec![false; n];
    let mut line: Vec<usize> = Vec::with_capacity(n);
    while line.len() < n {
        let free = (0..n).filter(|&v| !placed[v]);
        // Without any pull a new group starts at its best connected member.
        let better = |a: usize, b: usize| (pull[a], total[a], b) > (pull[b], total[b], a);
        let Some(v) = free.reduce(|best, v| if better(v, best) { v } else { best }) else { break };
        placed[v] = true;
        line.push(v);
        for p in &mut pull {
            *p *= 0.8;
        }
        for &(u, w) in &neighbours[v] {
            pull[u] += w as f64;
        }
    }
    line
}

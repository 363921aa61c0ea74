//! A small SAT solver for many tiny incremental questions: conflict-driven clause learning that decides only the
//! variables the question is about.
//!
//! A general solver gives every variable of the instance a value before it answers "satisfiable"; in a context with
//! thousands of translated predicates that is nearly all of the work for a question about five of them. Here the caller
//! names the relevant variables (the cone of the assumptions), and the search ends when those are assigned: all other
//! clauses are definitions of gates outside the cone, which any assignment of the cone extends to. Propagation, too,
//! stays inside the cone.
//!
//! The rest is textbook: two watched literals with blockers, first unique implication point with local minimisation,
//! VSIDS with phase saving, Luby restarts, learned clauses kept by literal block distance, assumptions as first decisions
//! with final conflict analysis (Eén and Sörensson, An Extensible SAT-solver, SAT 2003; Audemard and Simon, IJCAI 2009).
//!
//! Clauses lie one behind the other in one array, and a clause of two literals is never looked up there by propagation: its watches
//! say all. Both matter, because most clauses define gates and have two or three literals.
//!
//! Invariants: outside `solve` the assignment is kept until the next call that changes something, so that `value` can
//! read it, and what follows from assumptions that the next question begins with, too, need not be found again; every clause of at
//! least two literals watches its first two; of a longer clause that is the reason for a literal, that literal is the first; a learned
//! clause is implied by the added ones; no watch leads to a removed clause.

mod clauses;

use crate::heap::Heap;
use crate::sat::SatSolver;
use clauses::Clauses;

/// A literal: twice the variable, plus one for the negation. Variables count from 1; 0 is unused.
type L = u32;

fn encode(lit: i32) -> L {
    lit.unsigned_abs() << 1 | u32::from(lit < 0)
}

fn var(l: L) -> usize {
    (l >> 1) as usize
}

#[derive(Clone, Copy)]
struct Watch {
    /// The clause; with [`BINARY`] if it has no literals but the blocker and the one that is watched.
    clause: u32,
    /// A literal of the clause: where it is true, the clause need not be visited.
    blocker: L,
}

/// Marks a clause of two literals in a [`Watch`].
const BINARY: u32 = 1 << 31;

const NONE: u32 = u32::MAX;
const FALSE: u8 = 0;
const TRUE: u8 = 1;
const UNASSIGNED: u8 = 2;
/// Has no value, and is not relevant for the current question.
const OUTSIDE: u8 = 3;

/// The solver; see the module's documentation.
pub struct Cdcl {
    clauses: Clauses,
    n_learned: usize,
    max_learned: usize,
    watches: Vec<Vec<Watch>>,
    /// Per literal.
    values: Vec<u8>,
    phase: Vec<bool>,
    level: Vec<u32>,
    reason: Vec<u32>,
    trail: Vec<L>,
    limits: Vec<usize>,
    head: usize,
    heap: Heap,
    /// Per variable: the last question it was relevant for.
    relevant: Vec<u32>,
    query: u32,
    /// The variables that are relevant for the last question.
    cone: Vec<u32>,
    /// Relevant variables without a value; the search is over when there are none.
    open: usize,
    bump: f64,
    seen: Vec<bool>,
    /// Per decision level: the last conflict that counted it.
    counted: Vec<u32>,
    count: u32,
    /// The added clauses are unsatisfiable by themselves.
    contradiction: bool,
    /// The assumptions of the last question: the level after each may still stand.
    assumed: Vec<L>,
    /// Variables with at least this number are newer than that.
    n_seen: usize,
    failed: Vec<L>,
    conflicts: u64,
    /// Root assignments already used to remove satisfied clauses, and the work done since.
    simplified: usize,
    work: usize,
}

impl Default for Cdcl {
    fn default() -> Self {
        Self::new()
    }
}

impl Cdcl {
    /// An empty solver.
    pub fn new() -> Cdcl {
        Cdcl {
            clauses: Clauses::default(),
            n_learned: 0,
            max_learned: 2000,
            watches: Vec::new(),
            values: Vec::new(),
            phase: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            heap: Heap::default(),
            relevant: Vec::new(),
            // Not the mark of a new variable: nothing is relevant before the first question.
            query: 1,
            cone: Vec::new(),
            open: 0,
            bump: 1.0,
            seen: Vec::new(),
            counted: vec![0],
            count: 0,
            contradiction: false,
            assumed: Vec::new(),
            n_seen: 0,
            failed: Vec::new(),
            conflicts: 0,
            simplified: 0,
            work: 0,
        }
    }

    fn reserve(&mut self, v: usize) {
        if v >= self.level.len() {
            self.watches.resize_with(2 * v + 2, Vec::new);
            self.values.resize(2 * v + 2, OUTSIDE);
            self.phase.resize(v + 1, false);
            self.level.resize(v + 1, 0);
            self.reason.resize(v + 1, NONE);
            self.relevant.resize(v + 1, 0);
            self.seen.resize(v + 1, false);
            self.heap.reserve(v + 1);
        }
    }

    fn is_true(&self, l: L) -> bool {
        self.values[l as usize] == TRUE
    }

    fn is_false(&self, l: L) -> bool {
        self.values[l as usize] == FALSE
    }

    fn current_level(&self) -> u32 {
        self.limits.len() as u32
    }

    fn assign(&mut self, l: L, reason: u32) {
        debug_assert!(self.values[l as usize] >= UNASSIGNED, "a variable is assigned once");
        self.values[l as usize] = TRUE;
        self.values[(l ^ 1) as usize] = FALSE;
        self.level[var(l)] = self.current_level();
        self.reason[var(l)] = reason;
        self.trail.push(l);
        self.open -= usize::from(self.relevant[var(l)] == self.query);
    }

    /// A variable loses its value, or gets into the search or out of it.
    fn unassign(&mut self, v: usize, value: u8) {
        self.values[v << 1] = value;
        self.values[v << 1 | 1] = value;
    }

    /// Back to the root, outside a search: nothing is relevant any more.
    fn reset(&mut self) {
        self.leave_cone();
        self.backtrack(0);
    }

    /// No variable is relevant any more.
    fn leave_cone(&mut self) {
        self.query = self.query.checked_add(1).expect("fewer than 2^32 questions to one solver");
        for v in std::mem::take(&mut self.cone) {
            let v = v as usize;
            if self.values[v << 1] == UNASSIGNED {
                self.unassign(v, OUTSIDE);
            }
        }
    }

    /// Between questions: back to where the assumptions of the last question and of this one begin to differ. What follows from those
    /// that they share need not be found again, if all that is relevant now was so then or is new: clauses of other variables
    /// were not seen.
    fn keep_common(&mut self, assumptions: &[L], relevant: &[i32]) {
        let mut all = relevant.iter().map(|&v| v as usize).chain(assumptions.iter().map(|&l| var(l)));
        let seen = all.all(|v| self.relevant[v] == self.query || v >= self.n_seen);
        let common = self.assumed.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        let same = if seen { common } else { 0 };
        self.n_seen = self.level.len();
        self.leave_cone();
        self.backtrack(same as u32);
        // The last question may have ended before everything that follows was found.
        if let Some(&start) = self.limits.last() {
            self.head = start;
        }
        self.assumed.clear();
        self.assumed.extend_from_slice(assumptions);
    }

    fn backtrack(&mut self, level: u32) {
        if self.current_level() <= level {
            return;
        }
        let keep = self.limits[level as usize];
        for i in (keep..self.trail.len()).rev() {
            let l = self.trail[i];
            let v = var(l);
            self.phase[v] = l & 1 == 0;
            if self.relevant[v] == self.query {
                self.unassign(v, UNASSIGNED);
                self.open += 1;
                self.heap.insert(v);
            } else {
                self.unassign(v, OUTSIDE);
            }
        }
        self.trail.truncate(keep);
        self.limits.truncate(level as usize);
        self.head = keep;
    }

    fn attach(&mut self, lits: &[L], distance: u32) -> u32 {
        debug_assert!(lits.len() >= 2, "only clauses of two literals and more are watched");
        let id = self.clauses.push(lits, distance);
        let clause = if lits.len() == 2 { id | BINARY } else { id };
        self.watches[lits[0] as usize].push(Watch { clause, blocker: lits[1] });
        self.watches[lits[1] as usize].push(Watch { clause, blocker: lits[0] });
        id
    }

    /// Propagates to the end; the clause that became false, if any.
    fn propagate(&mut self) -> Option<u32> {
        while self.head < self.trail.len() {
            let l = self.trail[self.head];
            self.head += 1;
            if let Some(conflict) = self.visit(l ^ 1) {
                self.head = self.trail.len();
                return Some(conflict);
            }
        }
        None
    }

    /// Visits the clauses that watch `falsified`.
    fn visit(&mut self, falsified: L) -> Option<u32> {
        let mut list = std::mem::take(&mut self.watches[falsified as usize]);
        self.work += list.len();
        // Above the root, what is not relevant stays out of the search, as if its clauses were not there. Before they are,
        // `keep_common` undoes all assignments these clauses did not see.
        let outside = if self.limits.is_empty() { u8::MAX } else { OUTSIDE };
        let mut kept = 0;
        let mut conflict = None;
        let mut i = 0;
        while i < list.len() {
            let watch = list[i];
            i += 1;
            let value = self.values[watch.blocker as usize];
            if value == TRUE || value == outside {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            if watch.clause & BINARY != 0 {
                list[kept] = watch;
                kept += 1;
                if value == FALSE {
                    conflict = Some(watch.clause & !BINARY);
                    break;
                }
                self.assign(watch.blocker, watch.clause & !BINARY);
                continue;
            }
            let lits = self.clauses.lits_mut(watch.clause);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            debug_assert!(lits[1] == falsified, "a clause watches its first two literals");
            let first = lits[0];
            let value = self.values[first as usize];
            let new = Watch { clause: watch.clause, blocker: first };
            if first != watch.blocker && value == TRUE {
                list[kept] = new;
                kept += 1;
                continue;
            }
            if let Some(k) = (2..lits.len()).find(|&k| self.values[lits[k] as usize] != FALSE) {
                lits.swap(1, k);
                let to = lits[1];
                self.watches[to as usize].push(new);
                continue;
            }
            list[kept] = new;
            kept += 1;
            if value == FALSE {
                conflict = Some(watch.clause);
                break;
            }
            if value != outside {
                self.assign(first, watch.clause);
            }
        }
        list.copy_within(i.., kept);
        list.truncate(kept + list.len() - i);
        self.watches[falsified as usize] = list;
        conflict
    }

    /// Learns from a conflict: the clause (its first literal becomes true after backtracking) and the level to go to.
    fn analyze(&mut self, mut conflict: u32) -> (Vec<L>, u32) {
        let mut learned = vec![0];
        let mut pending = 0;
        let mut index = self.trail.len();
        // What the clause is the reason for.
        let mut implied = None;
        let asserting = loop {
            for &l in self.clauses.lits(conflict) {
                let v = var(l);
                if self.seen[v] || self.level[v] == 0 || Some(l) == implied {
                    continue;
                }
                self.seen[v] = true;
                self.heap.bump(v, self.bump);
                if self.level[v] == self.limits.len() as u32 {
                    pending += 1;
                } else {
                    learned.push(l);
                }
            }
            loop {
                index -= 1;
                if self.seen[var(self.trail[index])] {
                    break;
                }
            }
            let l = self.trail[index];
            pending -= 1;
            if pending == 0 {
                break l;
            }
            self.seen[var(l)] = false;
            conflict = self.reason[var(l)];
            implied = Some(l);
        };
        learned[0] = asserting ^ 1;
        self.bump /= 0.95;
        if self.bump > 1e100 {
            self.heap.rescale(1e-100);
            self.bump *= 1e-100;
        }
        self.shorten(&learned)
    }

    /// Drops literals implied by the others, and finds the level to backtrack to.
    fn shorten(&mut self, learned: &[L]) -> (Vec<L>, u32) {
        let mut short = vec![learned[0]];
        for &l in &learned[1..] {
            let reason = self.reason[var(l)];
            let implied = reason != NONE
                && self
                    .clauses
                    .lits(reason)
                    .iter()
                    .all(|&m| var(m) == var(l) || self.seen[var(m)] || self.level[var(m)] == 0);
            if !implied {
                short.push(l);
            }
        }
        for &l in learned {
            self.seen[var(l)] = false;
        }
        let mut back = 0;
        if let Some(i) = (1..short.len()).max_by_key(|&i| self.level[var(short[i])]) {
            short.swap(1, i);
            back = self.level[var(short[1])];
        }
        (short, back)
    }

    /// The number of decision levels in a clause.
    fn distance(&mut self, lits: &[L]) -> u32 {
        self.count += 1;
        let mut n = 0;
        for &l in lits {
            let level = self.level[var(l)] as usize;
            if self.counted[level] != self.count {
                self.counted[level] = self.count;
                n += 1;
            }
        }
        n
    }

    /// The assumptions that together exclude `l`, an assumption that is false now.
    fn analyze_final(&mut self, l: L) {
        self.failed.clear();
        self.failed.push(l);
        if self.level[var(l)] == 0 {
            return;
        }
        self.seen[var(l)] = true;
        for i in (self.limits[0]..self.trail.len()).rev() {
            let t = self.trail[i];
            if !self.seen[var(t)] {
                continue;
            }
            self.seen[var(t)] = false;
            let reason = self.reason[var(t)];
            if reason == NONE {
                // A decision below the assumptions' levels is an assumption; the negation of `l` may be one itself.
                self.failed.push(t);
            } else {
                for &m in self.clauses.lits(reason) {
                    if self.level[var(m)] > 0 && m != t {
                        self.seen[var(m)] = true;
                    }
                }
            }
        }
    }

    /// Removes the less useful half of the learned clauses; those that are reasons now stay.
    fn reduce(&mut self) {
        let is_reason = |id: u32| self.reason[var(self.clauses.lits(id)[0])] == id;
        let distant = self.clauses.ids().filter(|&id| self.clauses.distance(id) > 2 && !is_reason(id));
        let mut candidates: Vec<(u32, u32)> = distant.map(|id| (self.clauses.distance(id), id)).collect();
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.truncate(candidates.len() / 2);
        for &(_, id) in &candidates {
            self.clauses.remove(id);
        }
        self.n_learned -= candidates.len();
        self.max_learned += self.max_learned / 10;
        self.sweep();
    }

    /// Drops the watches of removed clauses, and their memory where it is much.
    fn sweep(&mut self) {
        let clauses = &self.clauses;
        for list in &mut self.watches {
            list.retain(|w| !clauses.is_removed(w.clause & !BINARY));
        }
        if self.clauses.wasted * 3 < self.clauses.words.len() {
            return;
        }
        let moved = self.clauses.compact();
        let old = std::mem::replace(&mut self.clauses, moved);
        for watch in self.watches.iter_mut().flatten() {
            watch.clause = old.distance(watch.clause & !BINARY) | (watch.clause & BINARY);
        }
        for &l in &self.trail {
            let reason = &mut self.reason[var(l)];
            if *reason != NONE {
                *reason = old.distance(*reason);
            }
        }
    }

    /// At the root: removes clauses that are satisfied for good, once enough work was done to pay for it.
    fn simplify(&mut self) {
        if self.trail.len() == self.simplified || self.work < self.clauses.words.len() {
            return;
        }
        self.simplified = self.trail.len();
        self.work = 0;
        // Nobody asks for the reason of a root assignment, so such a clause may go.
        for i in 0..self.trail.len() {
            self.reason[var(self.trail[i])] = NONE;
        }
        let is_satisfied = |id: &u32| self.clauses.lits(*id).iter().any(|&l| self.is_true(l));
        let satisfied: Vec<u32> = self.clauses.ids().filter(is_satisfied).collect();
        for id in satisfied {
            self.n_learned -= usize::from(self.clauses.distance(id) > 0);
            self.clauses.remove(id);
        }
        self.sweep();
    }

    fn decide(&mut self, l: L) {
        self.limits.push(self.trail.len());
        self.assign(l, NONE);
    }

    fn search(&mut self, assumptions: &[L], budget: Option<u64>) -> Option<bool> {
        let mut spent = 0u64;
        let mut restarts = 0u64;
        let mut until_restart = 64 * luby(restarts);
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                spent += 1;
                if self.current_level() == 0 {
                    self.contradiction = true;
                    return Some(false);
                }
                self.learn(conflict);
                if budget.is_some_and(|limit| spent > limit) {
                    return None;
                }
                until_restart = until_restart.saturating_sub(1);
                continue;
            }
            if until_restart == 0 {
                restarts += 1;
                until_restart = 64 * luby(restarts);
                // The assumptions would be the first decisions again.
                self.backtrack(assumptions.len() as u32);
                if self.n_learned > self.max_learned {
                    self.reduce();
                }
                continue;
            }
            let level = self.limits.len();
            if level < assumptions.len() {
                let l = assumptions[level];
                if self.is_false(l) {
                    self.analyze_final(l);
                    return Some(false);
                }
                if self.is_true(l) {
                    // An empty level keeps levels and assumptions in step.
                    self.limits.push(self.trail.len());
                } else {
                    self.decide(l);
                }
                continue;
            }
            if self.open == 0 {
                return Some(true);
            }
            let values = &self.values;
            let next = self.heap.pop(|v| values[v << 1] == UNASSIGNED);
            let v = next.expect("a relevant variable without a value is in the heap");
            self.decide((v as L) << 1 | u32::from(!self.phase[v]));
        }
    }

    fn learn(&mut self, conflict: u32) {
        let (learned, back) = self.analyze(conflict);
        let distance = self.distance(&learned);
        self.backtrack(back);
        let first = learned[0];
        if learned.len() == 1 {
            self.assign(first, NONE);
        } else {
            let id = self.attach(&learned, distance.max(1));
            self.n_learned += 1;
            self.assign(first, id);
        }
    }
}

/// The sequence 1 1 2 1 1 2 4 … (Luby, Sinclair and Zuckerman 1993).
fn luby(mut i: u64) -> u64 {
    let mut k = 1u32;
    while (1u64 << k) - 1 < i + 1 {
        k += 1;
    }
    while (1u64 << k) - 1 != i + 1 {
        k -= 1;
        i -= (1u64 << k) - 1;
        k = 1;
        while (1u64 << k) - 1 < i + 1 {
            k += 1;
        }
    }
    1 << (k - 1)
}

impl SatSolver for Cdcl {
    fn add_clause(&mut self, clause: &[i32]) {
        let mut lits: Vec<L> = clause.iter().map(|&l| encode(l)).collect();
        if let Some(max) = lits.iter().map(|&l| var(l)).max() {
            self.reserve(max);
        }
        lits.sort_unstable();
        lits.dedup();
        let at_root = |s: &Cdcl, l: L| s.level[var(l)] == 0;
        if lits.windows(2).any(|w| w[0] ^ 1 == w[1]) || lits.iter().any(|&l| self.is_true(l) && at_root(self, l)) {
            return;
        }
        lits.retain(|&l| !(self.is_false(l) && at_root(self, l)));
        match lits.as_slice() {
            [] => self.contradiction = true,
            &[l] => {
                self.reset();
                self.assign(l, NONE);
            }
            _ => {
                // Two literals that are not false are watched. Where there are none, the levels that made them so are given up.
                lits.sort_by_key(|&l| if self.is_false(l) { u32::MAX - self.level[var(l)] } else { 0 });
                if self.is_false(lits[1]) {
                    self.backtrack(self.level[var(lits[1])] - 1);
                }
                self.attach(&lits, 0);
            }
        }
    }

    fn solve(&mut self, assumptions: &[i32], relevant: &[i32], conflicts: Option<u64>) -> Option<bool> {
        let assumptions: Vec<L> = assumptions.iter().map(|&l| encode(l)).collect();
        if let Some(max) = assumptions.iter().map(|&l| var(l)).chain(relevant.iter().map(|&v| v as usize)).max() {
            self.reserve(max);
        }
        self.keep_common(&assumptions, relevant);
        self.failed.clear();
        if self.limits.is_empty() {
            if self.contradiction || self.propagate().is_some() {
                self.contradiction = true;
                return Some(false);
            }
            self.simplify();
        }
        // Assumptions that are true already make empty levels, so there may be more levels than variables.
        let levels = self.level.len() + assumptions.len() + 1;
        if self.counted.len() < levels {
            self.counted.resize(levels, 0);
        }
        self.open = 0;
        self.heap.clear();
        let values = relevant.iter().map(|&v| v as usize).chain(assumptions.iter().map(|&l| var(l)));
        for v in values {
            if self.relevant[v] != self.query {
                self.relevant[v] = self.query;
                self.cone.push(v as u32);
                if self.values[v << 1] == OUTSIDE {
                    self.unassign(v, UNASSIGNED);
                    self.open += 1;
                    self.heap.append(v);
                }
            }
        }
        self.heap.arrange();
        self.search(&assumptions, conflicts)
    }

    fn value(&mut self, lit: i32) -> Option<bool> {
        match self.values.get(encode(lit) as usize) {
            Some(&TRUE) => Some(true),
            Some(&FALSE) => Some(false),
            _ => None,
        }
    }

    fn failed(&mut self, assumption: i32) -> bool {
        self.failed.contains(&encode(assumption))
    }

    fn conflicts(&mut self) -> u64 {
        self.conflicts
    }
}

#[cfg(test)]
mod tests {
    use base::rng::Rng;

    use super::*;
    use crate::sat::{Config, EitherSolver};

    fn random_clause(rng: &mut Rng, n_vars: u64, len: u64) -> Vec<i32> {
        (0..len)
            .map(|_| {
                let v = 1 + rng.below(n_vars) as i32;
                if rng.chance(50) { v } else { -v }
            })
            .collect()
    }

    /// One instance that grows, asked under changing assumptions, against CaDiCaL; models and cores are checked.
    fn compare(rng: &mut Rng, n_vars: u64, rounds: usize, max_learned: usize) -> (u64, [u64; 2]) {
        let mut ours = Cdcl { max_learned, ..Cdcl::new() };
        let mut theirs = EitherSolver::new(Config::Plain);
        let all: Vec<i32> = (1..=n_vars as i32).collect();
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        let mut answers = [0, 0];
        let mut assumptions: Vec<i32> = Vec::new();
        for round in 0..rounds {
            let target = (n_vars as f64 * (3.6 + 0.8 * round as f64 / rounds as f64)) as usize;
            while clauses.len() < target {
                let len = if rng.chance(3) { 2 } else { 3 };
                let clause = random_clause(rng, n_vars, len);
                ours.add_clause(&clause);
                theirs.add_clause(&clause);
                clauses.push(clause);
            }
            // Mostly what was assumed before, with another end.
            assumptions.truncate(rng.below(1 + assumptions.len() as u64) as usize);
            let n_assumptions = rng.below(5);
            assumptions.extend(random_clause(rng, n_vars, n_assumptions));
            let answer = ours.solve(&assumptions, &all, None);
            assert_eq!(answer, theirs.solve(&assumptions, &all, None));
            let sat = answer.expect("there is no limit");
            answers[usize::from(sat)] += 1;
            if sat {
                let mut holds = |l: &i32| ours.value(*l) == Some(true);
                assert!(assumptions.iter().all(&mut holds), "the assumptions hold");
                assert!(clauses.iter().all(|c| c.iter().any(&mut holds)), "every clause holds");
            } else {
                let core: Vec<i32> = assumptions.iter().copied().filter(|&l| ours.failed(l)).collect();
                assert_eq!(theirs.solve(&core, &all, None), Some(false), "the core suffices");
            }
        }
        (ours.conflicts, answers)
    }

    #[test]
    fn answers_models_and_cores_agree_with_cadical() {
        let mut rng = Rng::new(1);
        let mut total = [0, 0];
        for i in 0..60 {
            let (_, answers) = compare(&mut rng, 10 + i, 12, 2000);
            total = [total[0] + answers[0], total[1] + answers[1]];
        }
        assert!(total[0] > 100 && total[1] > 100, "both answers occur: {total:?}");
    }

    #[test]
    fn restarts_and_removal_of_clauses_keep_the_answers() {
        let mut rng = Rng::new(2);
        let mut conflicts = 0;
        for _ in 0..4 {
            conflicts += compare(&mut rng, 180, 6, 40).0;
        }
        assert!(conflicts > 3000, "hard enough to restart and to forget: {conflicts} conflicts");
    }

    #[test]
    fn only_relevant_variables_are_decided() {
        // Gates x = a and b, y = c and d: a question about x leaves y's cone alone.
        let mut s = Cdcl::new();
        for (o, a, b) in [(5, 1, 2), (6, 3, 4)] {
            for clause in [vec![-o, a], vec![-o, b], vec![o, -a, -b]] {
                s.add_clause(&clause);
            }
        }
        assert_eq!(s.solve(&[-5, 1], &[1, 2, 5], None), Some(true));
        assert_eq!([1, 2, 5, 3, 4, 6].map(|v| s.value(v)), [Some(true), Some(false), Some(false), None, None, None]);
        assert_eq!(s.solve(&[5, -2, 6], &[1, 2, 3, 4, 5, 6], None), Some(false));
        assert_eq!([5, -2, 6].map(|l| s.failed(l)), [true, true, false]);
    }

    #[test]
    fn a_limit_ends_the_search_and_can_be_lifted() {
        // Pigeons: n + 1 of them do not fit into n holes.
        let n = 6;
        let hole = |p: i32, h: i32| 1 + p * n + h;
        let mut s = Cdcl::new();
        for p in 0..=n {
            s.add_clause(&(0..n).map(|h| hole(p, h)).collect::<Vec<_>>());
            for q in 0..p {
                for h in 0..n {
                    s.add_clause(&[-hole(p, h), -hole(q, h)]);
                }
            }
        }
        let all: Vec<i32> = (1..=(n + 1) * n).collect();
        assert_eq!(s.solve(&[], &all, Some(10)), None);
        assert_eq!(s.solve(&[], &all, None), Some(false));
    }

    #[test]
    fn the_luby_sequence() {
        assert_eq!((0..15).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}

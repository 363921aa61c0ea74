//! TR00 §3 with the stored third value: reachability of whole programs, with calls, by tabulation of summaries.
//!
//! States that are less general than one already seen at the same place are kept apart: S (TR00 fig 4) makes them on
//! purpose. Everything starts as `?`. Operators that TR00 does not have are read by those it has: `a => b` is
//! `!a | b`, `c ? a : b` is `(c & a) | (!c & b)`, `schoose[p, n]` is `p | (? & !n)`. A `constrain` relates two states and has
//! no such reading.

use super::{Kleene, Scope, State3};
use crate::program::{Expr, Proc, ProcId, Program, StmtId, StmtKind, Var};
use base::Id;
use std::collections::{BTreeMap, BTreeSet};

/// What is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached3 {
    /// Statements.
    pub at: BTreeSet<(ProcId, StmtId)>,
    /// Assertions that can fail.
    pub failing: BTreeSet<(ProcId, StmtId)>,
    /// How many path edges there are.
    pub edges: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No3 {
    /// A statement has a `constrain`.
    Constrain(ProcId, StmtId),
    /// There are more path edges than allowed.
    TooMany(usize),
}

/// An activation is known by the state in which it began.
type Entry = (ProcId, State3);

struct Table<'p> {
    program: &'p Program,
    scope: Scope,
    seen: BTreeSet<(Entry, StmtId, State3)>,
    work: Vec<(Entry, StmtId, State3)>,
    /// Globals and results with which activations end.
    summaries: BTreeMap<Entry, BTreeSet<(State3, State3)>>,
    /// Calls that wait for an activation: who, where, in which state.
    callers: BTreeMap<Entry, Vec<(Entry, StmtId, State3)>>,
    out: Reached3,
}

/// All that the program reaches from its entry, with at most `limit` path edges.
pub fn reach(program: &Program, limit: usize) -> Result<Reached3, No3> {
    for (p, proc) in program.procs.iter_enumerated() {
        if let Some((s, _)) = proc.body.iter_enumerated().find(|(_, s)| s.constrain.is_some()) {
            return Err(No3::Constrain(p, s));
        }
    }
    let scope = Scope { n_globals: program.globals.len() };
    let mut table = Table {
        program,
        scope,
        seen: BTreeSet::new(),
        work: Vec::new(),
        summaries: BTreeMap::new(),
        callers: BTreeMap::new(),
        out: Reached3::default(),
    };
    let globals: State3 = program.globals.iter().map(|d| start(d.init)).collect();
    table.enter(program.entry, &globals, &[]);
    while let Some((entry, at, state)) = table.work.pop() {
        if table.seen.len() > limit {
            return Err(No3::TooMany(limit));
        }
        table.step(&entry, at, &state);
    }
    table.out.edges = table.seen.len();
    Ok(table.out)
}

fn start(init: Option<bool>) -> Kleene {
    init.map_or(Kleene::Unknown, Kleene::definite)
}

impl Table<'_> {
    /// Begins an activation and gives its name.
    fn enter(&mut self, proc: ProcId, globals: &[Kleene], args: &[Kleene]) -> Entry {
        let p: &Proc = &self.program.procs[proc];
        let mut state: State3 = globals.to_vec();
        state.extend(args);
        let entry = (proc, state.clone());
        state.extend(p.locals.iter().skip(p.n_formals).map(|d| start(d.init)));
        self.arrive(&entry, StmtId::from_index(0), state);
        entry
    }

    /// Control comes to a statement; states that break `enforce` do not exist.
    fn arrive(&mut self, entry: &Entry, at: StmtId, state: State3) {
        let kept = match &self.program.procs[entry.0].enforce {
            Some(e) => self.passing(e, &state, true),
            None => vec![state],
        };
        for state in kept {
            if self.seen.insert((entry.clone(), at, state.clone())) {
                self.out.at.insert((entry.0, at));
                self.work.push((entry.clone(), at, state));
            }
        }
    }

    fn eval(&self, e: &Expr, state: &State3) -> Kleene {
        self.scope.eval(&plain(e), state).expect("only TR00's operators are left")
    }

    /// The states in which the expression has the value (TR00 table 2).
    fn passing(&self, e: &Expr, state: &State3, value: bool) -> Vec<State3> {
        let e = plain(e);
        match self.scope.eval(&e, state).expect("only TR00's operators are left") {
            Kleene::Unknown => {
                let all = self.scope.split(&[state.clone()].into(), &e, value);
                all.expect("only TR00's operators are left").into_iter().collect()
            }
            known if known == Kleene::definite(value) => vec![state.clone()],
            _ => Vec::new(),
        }
    }

    fn step(&mut self, entry: &Entry, at: StmtId, state: &State3) {
        let program = self.program;
        let proc = entry.0;
        match &program.procs[proc].body[at].kind {
            StmtKind::Skip | StmtKind::Print(_) => self.arrive(entry, at.next(), state.clone()),
            StmtKind::Goto(to) => to.iter().for_each(|&t| self.arrive(entry, t, state.clone())),
            StmtKind::Dead(vars) => {
                let mut next = state.clone();
                vars.iter().for_each(|v| next[self.scope.index(*v)] = Kleene::Unknown);
                self.arrive(entry, at.next(), next);
            }
            StmtKind::Assign(pairs) => {
                let values: Vec<(Option<Var>, Kleene)> = pairs.iter().map(|(v, e)| (*v, self.eval(e, state))).collect();
                self.arrive(entry, at.next(), self.written(state, values));
            }
            StmtKind::Assume(e) => {
                for s in self.passing(e, state, true) {
                    self.arrive(entry, at.next(), s);
                }
            }
            StmtKind::Assert(e) => {
                if !self.passing(e, state, false).is_empty() {
                    self.out.failing.insert((proc, at));
                }
                for s in self.passing(e, state, true) {
                    self.arrive(entry, at.next(), s);
                }
            }
            StmtKind::Branch(e, yes, no) => {
                for (to, value) in [(*yes, true), (*no, false)] {
                    for s in self.passing(e, state, value) {
                        self.arrive(entry, to, s);
                    }
                }
            }
            StmtKind::Call { callee, args, .. } => {
                let args: Vec<Kleene> = args.iter().map(|e| self.eval(e, state)).collect();
                let callee = self.enter(*callee, &state[..self.scope.n_globals], &args);
                self.callers.entry(callee.clone()).or_default().push((entry.clone(), at, state.clone()));
                for summary in self.summaries.get(&callee).cloned().unwrap_or_default() {
                    self.resume(entry, at, state, &summary);
                }
            }
            StmtKind::Return(values) => {
                let values: State3 = values.iter().map(|e| self.eval(e, state)).collect();
                let summary = (state[..self.scope.n_globals].to_vec(), values);
                if self.summaries.entry(entry.clone()).or_default().insert(summary.clone()) {
                    for (caller, at, state) in self.callers.get(entry).cloned().unwrap_or_default() {
                        self.resume(&caller, at, &state, &summary);
                    }
                }
            }
        }
    }

    /// A call comes back: globals are the callee's, locals what they were.
    fn resume(&mut self, caller: &Entry, at: StmtId, state: &State3, (globals, values): &(State3, State3)) {
        let StmtKind::Call { results, .. } = &self.program.procs[caller.0].body[at].kind else {
            unreachable!("only calls wait")
        };
        let mut next = globals.clone();
        next.extend(&state[globals.len()..]);
        let writes = results.iter().copied().zip(values.iter().copied()).collect();
        self.arrive(caller, at.next(), self.written(&next, writes));
    }

    fn written(&self, state: &State3, values: Vec<(Option<Var>, Kleene)>) -> State3 {
        let mut next = state.clone();
        for (var, value) in values {
            if let Some(var) = var {
                next[self.scope.index(var)] = value;
            }
        }
        next
    }
}

/// The expression in TR00's operators.
fn plain(e: &Expr) -> Expr {
    let both = |a: Expr, b: Expr| Expr::and([a, b]);
    match e {
        Expr::Const(_) | Expr::Nondet | Expr::Var(_) => e.clone(),
        Expr::Next(_) => unreachable!("only a `constrain` reads the new state"),
        Expr::Not(a) => Expr::not(plain(a)),
        Expr::And(v) => Expr::and(v.iter().map(plain)),
        Expr::Or(v) => Expr::or(v.iter().map(plain)),
        Expr::Xor(a, b) => {
            let (a, b) = (plain(a), plain(b));
            Expr::or([both(a.clone(), Expr::not(b.clone())), both(Expr::not(a), b)])
        }
        Expr::Eq(a, b) => {
            let (a, b) = (plain(a), plain(b));
            Expr::or([both(a.clone(), b.clone()), both(Expr::not(a), Expr::not(b))])
        }
        Expr::Implies(a, b) => Expr::or([Expr::not(plain(a)), plain(b)]),
        Expr::Ite(c, a, b) => {
            let c = plain(c);
            Expr::or([both(c.clone(), plain(a)), both(Expr::not(c), plain(b))])
        }
        Expr::Choose(p, n) => Expr::or([plain(p), both(Expr::Nondet, Expr::not(plain(n)))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{random_programs, tabulate};

    /// A stored `?` stands for both values, so nothing that a choice reaches is lost.
    #[test]
    fn whatever_a_choice_reaches_is_reached() {
        let (mut compared, mut more) = (0, 0);
        for program in random_programs(17, 300) {
            let (Some(effects), Ok(three)) = (tabulate(&program), reach(&program, 20_000)) else { continue };
            let reached: BTreeSet<_> = effects.reached.keys().copied().collect();
            assert!(reached.is_subset(&three.at), "{}", crate::print(&program));
            assert!(effects.failing.is_subset(&three.failing), "{}", crate::print(&program));
            compared += 1;
            more += usize::from(reached != three.at);
        }
        assert!(compared > 50, "only {compared} programs were compared");
        assert!(more > 0, "the two semantics never differed");
    }
}

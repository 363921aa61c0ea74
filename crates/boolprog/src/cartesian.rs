//! The Cartesian view of a whole boolean program (TACAS01 §6-§9): at each statement a set of trivectors, each stepped by itself and
//! joined by nothing (disjunctive completion, §9.1), or one trivector for all of them; with variables that are split before every
//! step (focus, §9.3).
//!
//! It reaches whatever `reach` reaches, and more: a trivector forgets how variables depend on each other. States are
//! explicit, by tabulation of summaries. Of a `constrain` on a call nothing is used.

use crate::program::{Expr, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use crate::semantics::values_with;
use crate::trivector::{Trit, Trivector, focus};
use base::Id;
use std::collections::{BTreeMap, BTreeSet};

/// A condition on the values of variables.
type Condition<'c> = dyn Fn(&dyn Fn(Var) -> bool) -> bool + 'c;

/// How it is looked at.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The names of the variables that are split before every step, where they are in scope.
    pub focus: Vec<String>,
    /// One trivector for each statement and activation.
    pub join: bool,
    /// The most path edges.
    pub limit: usize,
}

/// What is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReachedC {
    /// The trivectors at each statement, over globals and then locals; none is below another.
    pub at: BTreeMap<(ProcId, StmtId), BTreeSet<Trivector>>,
    /// Assertions that can fail.
    pub failing: BTreeSet<(ProcId, StmtId)>,
    /// How many path edges were looked at.
    pub edges: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoC {
    /// A statement depends on more variables without a value than can be counted through.
    Wide(ProcId, StmtId),
    /// There are more path edges than allowed.
    TooMany(usize),
}

/// So many variables without a value are counted through.
const COUNTED: usize = 14;

/// An activation is known by the trivector of globals and formals with which it began.
type Entry = (ProcId, Trivector);

struct Table<'p> {
    program: &'p Program,
    view: &'p View,
    /// The positions of `focus` in each procedure.
    split: Vec<Vec<usize>>,
    seen: BTreeMap<(Entry, StmtId), BTreeSet<Trivector>>,
    work: Vec<(Entry, StmtId, Trivector)>,
    /// Globals and results with which activations end.
    summaries: BTreeMap<Entry, BTreeSet<(Trivector, Trivector)>>,
    callers: BTreeMap<Entry, Vec<(Entry, StmtId, Trivector)>>,
    failing: BTreeSet<(ProcId, StmtId)>,
    edges: usize,
}

/// All that the program reaches from its entry in this view.
pub fn reach(program: &Program, view: &View) -> Result<ReachedC, NoC> {
    let position = |p: ProcId| -> Vec<usize> {
        let named = |v: &Var| view.focus.iter().any(|name| name == program.var_name(p, *v));
        program.scope(p).enumerate().filter(|(_, v)| named(v)).map(|(i, _)| i).collect()
    };
    let mut table = Table {
        program,
        view,
        split: program.procs.ids().map(position).collect(),
        seen: BTreeMap::new(),
        work: Vec::new(),
        summaries: BTreeMap::new(),
        callers: BTreeMap::new(),
        failing: BTreeSet::new(),
        edges: 0,
    };
    let globals: Trivector = program.globals.iter().map(|d| d.init).collect();
    table.enter(program.entry, &globals, &[])?;
    while let Some((entry, at, state)) = table.work.pop() {
        // Another way may have brought something more general in the meantime.
        if !table.seen[&(entry.clone(), at)].contains(&state) {
            continue;
        }
        table.edges += 1;
        if table.edges > view.limit {
            return Err(NoC::TooMany(view.limit));
        }
        for state in focus(&state, &table.split[entry.0.index()]) {
            table.step(&entry, at, &state)?;
        }
    }
    let mut out = ReachedC { failing: table.failing, edges: table.edges, ..ReachedC::default() };
    for (((proc, _), at), states) in table.seen {
        let here = out.at.entry((proc, at)).or_default();
        states.into_iter().for_each(|s| add(here, s));
    }
    Ok(out)
}

/// Whether everything that `v` stands for is stood for by `w`.
fn below(v: &[Trit], w: &[Trit]) -> bool {
    v.iter().zip(w).all(|(v, w)| w.is_none() || v == w)
}

fn add(set: &mut BTreeSet<Trivector>, v: Trivector) {
    if !set.iter().any(|w| below(&v, w)) {
        set.retain(|w| !below(w, &v));
        set.insert(v);
    }
}

/// The least trivector above both.
fn lub(v: &[Trit], w: &[Trit]) -> Trivector {
    v.iter().zip(w).map(|(a, b)| if a == b { *a } else { None }).collect()
}

impl Table<'_> {
    fn index(&self, v: Var) -> usize {
        match v {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.program.globals.len() + l.index(),
        }
    }

    /// Begins an activation and gives its name.
    fn enter(&mut self, proc: ProcId, globals: &[Trit], args: &[Trit]) -> Result<Entry, NoC> {
        let p: &Proc = &self.program.procs[proc];
        let entry = (proc, [globals, args].concat());
        let mut state = entry.1.clone();
        state.extend(p.locals.iter().skip(p.n_formals).map(|d| d.init));
        let first = StmtId::from_index(0);
        // States that break `enforce` do not exist.
        let skip = Stmt::new(StmtKind::Skip);
        let kept = self.image(proc, first, &skip, &state, &|_| true)?;
        kept.into_iter().for_each(|state| self.arrive(&entry, first, state));
        Ok(entry)
    }

    fn arrive(&mut self, entry: &Entry, at: StmtId, state: Trivector) {
        let here = self.seen.entry((entry.clone(), at)).or_default();
        let state = match here.first() {
            Some(old) if self.view.join => lub(old, &state),
            _ => state,
        };
        if !here.iter().any(|w| below(&state, w)) {
            add(here, state.clone());
            self.work.push((entry.clone(), at, state));
        }
    }

    /// The Cartesian image of a statement that goes on only from states that pass: of all that the trivector stands for, with what the
    /// statement writes, its `constrain` and `enforce`. `None` if there is no state.
    fn image(
        &self,
        proc: ProcId,
        at: StmtId,
        stmt: &Stmt,
        state: &Trivector,
        passes: &Condition<'_>,
    ) -> Result<Option<Trivector>, NoC> {
        let enforce = &self.program.procs[proc].enforce;
        let written: Vec<Var> = stmt.kind.written();
        let mut relevant: BTreeSet<Var> = written.iter().copied().collect();
        for e in stmt.kind.exprs().into_iter().chain(&stmt.constrain).chain(enforce) {
            relevant.extend(e.vars());
            relevant.extend(e.next_vars());
        }
        let open: Vec<usize> = relevant.iter().map(|v| self.index(*v)).filter(|&i| state[i].is_none()).collect();
        if open.len() > COUNTED || written.len() > COUNTED {
            return Err(NoC::Wide(proc, at));
        }
        let mut joined: Option<Trivector> = None;
        for bits in 0..1u32 << open.len() {
            let value = |i: usize| {
                state[i].unwrap_or_else(|| open.iter().position(|&o| o == i).is_some_and(|k| bits >> k & 1 == 1))
            };
            let old = |v: Var| value(self.index(v));
            if !enforce.as_ref().is_none_or(|e| values_with(e, &old, &old).can_true) || !passes(&old) {
                continue;
            }
            for new_bits in 0..1u32 << written.len() {
                let new =
                    |v: Var| written.iter().position(|w| *w == v).map_or_else(|| old(v), |k| new_bits >> k & 1 == 1);
                let assigned = match &stmt.kind {
                    StmtKind::Assign(pairs) => {
                        pairs.iter().all(|(v, e)| v.is_none_or(|v| values_with(e, &old, &old).has(new(v))))
                    }
                    _ => true,
                };
                let kept = |e: &Expr| values_with(e, &old, &new).can_true;
                let exists = |e: &Expr| values_with(e, &new, &new).can_true;
                if assigned && stmt.constrain.as_ref().is_none_or(kept) && enforce.as_ref().is_none_or(exists) {
                    let mut image = state.clone();
                    relevant.iter().for_each(|&v| image[self.index(v)] = Some(new(v)));
                    joined = Some(joined.map_or(image.clone(), |j| lub(&j, &image)));
                }
            }
        }
        Ok(joined)
    }

    fn step(&mut self, entry: &Entry, at: StmtId, state: &Trivector) -> Result<(), NoC> {
        let program = self.program;
        let proc = entry.0;
        let stmt = &program.procs[proc].body[at];
        let to = |table: &mut Self, to: StmtId, passes: &Condition<'_>| {
            let image = table.image(proc, at, stmt, state, passes)?;
            image.into_iter().for_each(|s| table.arrive(entry, to, s));
            Ok(())
        };
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Print(_) | StmtKind::Dead(_) | StmtKind::Assign(_) => {
                to(self, at.next(), &|_| true)?;
            }
            StmtKind::Goto(ways) => ways.iter().try_for_each(|&t| to(self, t, &|_| true))?,
            StmtKind::Assume(e) => to(self, at.next(), &|old| values_with(e, old, old).can_true)?,
            StmtKind::Assert(e) => {
                let fails = Stmt::new(stmt.kind.clone());
                if self.image(proc, at, &fails, state, &|old| values_with(e, old, old).can_false)?.is_some() {
                    self.failing.insert((proc, at));
                }
                to(self, at.next(), &|old| values_with(e, old, old).can_true)?;
            }
            StmtKind::Branch(e, yes, no) => {
                to(self, *yes, &|old| values_with(e, old, old).can_true)?;
                to(self, *no, &|old| values_with(e, old, old).can_false)?;
            }
            StmtKind::Call { callee, args, .. } => {
                let args = self.evaluated(proc, at, args, state)?;
                let Some((args, state)) = args else { return Ok(()) };
                let callee = self.enter(*callee, &state[..program.globals.len()], &args)?;
                self.callers.entry(callee.clone()).or_default().push((entry.clone(), at, state.clone()));
                for summary in self.summaries.get(&callee).cloned().unwrap_or_default() {
                    self.resume(entry, at, &state, &summary)?;
                }
            }
            StmtKind::Return(results) => {
                let Some((results, state)) = self.evaluated(proc, at, results, state)? else { return Ok(()) };
                let summary = (state[..program.globals.len()].to_vec(), results);
                if self.summaries.entry(entry.clone()).or_default().insert(summary.clone()) {
                    for (caller, at, state) in self.callers.get(entry).cloned().unwrap_or_default() {
                        self.resume(&caller, at, &state, &summary)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The values of expressions, each by itself, and the state as `enforce` leaves it. `None` if there is no such state.
    fn evaluated(
        &self,
        proc: ProcId,
        at: StmtId,
        exprs: &[Expr],
        state: &Trivector,
    ) -> Result<Option<(Trivector, Trivector)>, NoC> {
        let mut values = Trivector::new();
        for e in exprs {
            let alone = Stmt::new(StmtKind::Assume(e.clone()));
            let can = |want: bool| {
                self.image(proc, at, &alone, state, &|old| values_with(e, old, old).has(want))
                    .map(|image| image.is_some())
            };
            values.push(match (can(true)?, can(false)?) {
                (true, true) => None,
                (value, _) => Some(value),
            });
        }
        let kept = self.image(proc, at, &Stmt::new(StmtKind::Skip), state, &|_| true)?;
        Ok(kept.map(|state| (values, state)))
    }

    /// A call comes back: globals are the callee's, locals what they were.
    fn resume(
        &mut self,
        caller: &Entry,
        at: StmtId,
        state: &Trivector,
        (globals, values): &(Trivector, Trivector),
    ) -> Result<(), NoC> {
        let StmtKind::Call { results, .. } = &self.program.procs[caller.0].body[at].kind else {
            unreachable!("only calls wait")
        };
        let mut next = globals.clone();
        next.extend(&state[globals.len()..]);
        for (var, value) in results.iter().zip(values) {
            if let Some(var) = var {
                next[self.index(*var)] = *value;
            }
        }
        let image = self.image(caller.0, at, &Stmt::new(StmtKind::Skip), &next, &|_| true)?;
        image.into_iter().for_each(|s| self.arrive(caller, at.next(), s));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{random_programs, tabulate};

    /// Nothing that the Boolean view reaches is missing; one trivector for each statement reaches no less than many; to split
    /// all variables before every step reaches no more than to split none.
    #[test]
    fn views_are_ordered() {
        let (mut compared, mut more, mut joined_more, mut focus_less) = (0, 0, 0, 0);
        for program in random_programs(23, 250) {
            let names = |p: ProcId| program.scope(p).map(|v| program.var_name(p, v).to_owned()).collect::<Vec<_>>();
            let all: Vec<String> = program.procs.ids().flat_map(names).collect();
            let view = |focus: &[String], join| reach(&program, &View { focus: focus.to_vec(), join, limit: 3_000 });
            let Some(effects) = tabulate(&program) else { continue };
            let (Ok(plain), Ok(joined), Ok(split)) = (view(&[], false), view(&[], true), view(&all, false)) else {
                continue;
            };
            let covers = |set: &ReachedC| {
                effects.reached.iter().all(|((p, s), edges)| {
                    edges.iter().all(|(_, now)| {
                        let flat: Trivector =
                            program.scope(*p).map(|v| Some(crate::oracle::Tabulated::unpack_var(v, *now))).collect();
                        set.at.get(&(*p, *s)).is_some_and(|at| at.iter().any(|w| below(&flat, w)))
                    })
                }) && effects.failing.is_subset(&set.failing)
            };
            for set in [&plain, &joined, &split] {
                assert!(covers(set), "{}", crate::print(&program));
            }
            let within = |a: &ReachedC, b: &ReachedC| {
                a.at.iter()
                    .all(|(k, vs)| vs.iter().all(|v| b.at.get(k).is_some_and(|ws| ws.iter().any(|w| below(v, w)))))
            };
            assert!(within(&plain, &joined), "{}", crate::print(&program));
            compared += 1;
            more += usize::from(plain.at.len() > effects.reached.len());
            joined_more += usize::from(!within(&joined, &plain));
            focus_less += usize::from(plain.at.len() > split.at.len());
        }
        assert!(compared > 50, "only {compared} programs were compared");
        assert!(more > 0 && joined_more > 0 && focus_less > 0, "{more} {joined_more} {focus_less}");
    }
}

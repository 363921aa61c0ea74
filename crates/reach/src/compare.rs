//! One program through every engine: what the tests and the fuzz runs call.
//!
//! `reach` with and without restriction, with entry states exact and widened, and with hidden variables, against tabulation
//! and the exploded graph; its sets certified, its traces replayed and measured against breadth-first search. Any
//! disagreement is a bug in one of them.

use crate::reachability::{InvariantDag, Options, Reachability, Target, analyze};
use crate::trace::NoTrace;
use bdd::DagRef;
use boolprog::interp::{Goal, replay};
use boolprog::oracle::{Shortest, Tabulated, exploded, random_programs, shortest, tabulate};
use boolprog::{Expr, ProcId, Program, StmtKind, Var};

/// What one comparison covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// An expression with a choice is evaluated.
    pub nondeterminism: bool,
    /// A procedure with more than one return value is called.
    pub multiple_returns: bool,
    /// A procedure with `enforce` is entered.
    pub enforce: bool,
    /// A statement with `constrain` is executed.
    pub constrain: bool,
    /// A `dead` is executed.
    pub dead: bool,
    /// The label `ERR` is reached.
    pub reached: bool,
    /// Some procedure calls itself, directly or not, in an execution.
    pub recursive: bool,
    /// Some summary served more than one state at a call.
    pub reused_summary: bool,
    /// The length of the shortest trace was confirmed by breadth-first search.
    pub shortest_confirmed: bool,
    /// No target is reached, and some variables were not needed to show it.
    pub hidden: bool,
}

/// How many of a number of comparisons covered what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// The number of comparisons.
    pub programs: u64,
    counts: [u64; 11],
}

impl Shares {
    const NAMES: [&'static str; 11] = [
        "reached",
        "unreached",
        "recursive",
        "reused summary",
        "shortest confirmed",
        "nondeterminism",
        "multiple returns",
        "enforce",
        "constrain",
        "dead",
        "hidden",
    ];

    /// The least percentages: each answer, recursion and a reused summary in a third, everything else often enough to be
    /// tested. Most traces are too long or their programs too recursive for breadth-first search.
    const LEAST: [u64; 11] = [30, 30, 30, 30, 20, 30, 15, 20, 30, 15, 1];

    /// Compares the engines on `n` random programs from `seed` on.
    pub fn of_random(seed: u64, n: usize) -> Result<Shares, String> {
        let mut shares = Shares::default();
        for (i, program) in random_programs(seed, n).enumerate() {
            let covered = compare(&program)
                .map_err(|e| format!("program {i} of seed {seed}: {e}\n{}", boolprog::print(&program)))?;
            shares.add(&covered);
        }
        Ok(shares)
    }

    /// Counts one comparison.
    pub fn add(&mut self, c: &Covered) {
        let reachable = [c.reached, !c.reached, c.recursive, c.reused_summary, c.shortest_confirmed];
        let features = [c.nondeterminism, c.multiple_returns, c.enforce, c.constrain, c.dead, c.hidden];
        self.programs += 1;
        for (n, &yes) in self.counts.iter_mut().zip(reachable.iter().chain(&features)) {
            *n += u64::from(yes);
        }
    }

    /// The percentages by name, in order.
    pub(crate) fn percentages(&self) -> Vec<(&'static str, u64)> {
        let percent = |n: u64| n * 100 / self.programs.max(1);
        Shares::NAMES.into_iter().zip(self.counts.map(percent)).collect()
    }

    /// Complains if something was covered too seldom.
    pub fn demand(&self) -> Result<(), String> {
        let found = self.percentages();
        match found.iter().zip(Shares::LEAST).find(|((_, share), least)| share < least) {
            Some(((what, share), least)) => {
                Err(format!("{what}: {share} % of {} programs, at least {least} % expected: {found:?}", self.programs))
            }
            None => Ok(()),
        }
    }
}

/// Compares all engines on `program`; the error says which two disagree, and where.
pub fn compare(program: &Program) -> Result<Covered, String> {
    let tabulated = tabulate(program).ok_or("too many variables for the explicit oracle")?;
    let second = exploded(program, 1 << 16).ok_or("too many variables for the exploded graph")?;
    let first: std::collections::BTreeSet<_> = tabulated.reached.keys().copied().collect();
    if first != second {
        return Err(format!("tabulation reaches {first:?}, the exploded graph {second:?}"));
    }
    let labelled = program.find_label("ERR").into_iter().map(|(p, s)| Goal::At(p, s));
    let asserts = program.procs.iter_enumerated().flat_map(|(p, proc)| {
        let asserts = proc.body.iter_enumerated().filter(|(_, s)| matches!(s.kind, StmtKind::Assert(_)));
        asserts.map(move |(s, _)| Goal::Fails(p, s)).collect::<Vec<_>>()
    });
    let targets: Vec<Target> = labelled.chain(asserts).collect();
    let options = |restrict, stop_at_first| Options { restrict, stop_at_first, memory: 64 << 20, ..Options::default() };
    let unknown = |e| format!("no answer: {e}");
    let mut covered = Covered { reused_summary: tabulated.reused_summary, ..Covered::default() };
    let mut full = analyze(program, &targets, &options(false, false)).map_err(unknown)?;
    agrees(program, &full, &tabulated, &targets)?;
    exact(program, &full, &tabulated)?;
    full.certify().map_err(|e| format!("not certified: {e:?}"))?;
    let restricted = analyze(program, &targets, &options(true, false)).map_err(unknown)?;
    agrees(program, &restricted, &tabulated, &targets).map_err(|e| format!("restricted: {e}"))?;
    restricted.certify().map_err(|e| format!("restricted, not certified: {e:?}"))?;
    let widened = |restrict, stop| Options { enlarge_entries: true, ..options(restrict, stop) };
    let from_hulls = analyze(program, &targets, &widened(false, false)).map_err(unknown)?;
    agrees(program, &from_hulls, &tabulated, &targets).map_err(|e| format!("widened: {e}"))?;
    exact(program, &from_hulls, &tabulated).map_err(|e| format!("widened: {e}"))?;
    from_hulls.certify().map_err(|e| format!("widened, not certified: {e:?}"))?;
    covered.hidden = hidden(program, &targets, &widened(true, true), full.hit().is_empty())?;
    let open = Options { skip_dead_returns: true, ..options(true, true) };
    for options in [options(true, true), widened(true, true), open] {
        let mut early = analyze(program, &targets, &options).map_err(unknown)?;
        if early.hit().is_empty() != full.hit().is_empty() || early.hit().iter().any(|t| !full.hit().contains(t)) {
            return Err("stopping at the first target changes the answer".to_owned());
        }
        for t in early.hit().to_vec() {
            early.trace(t, u64::MAX).map_err(|e| format!("stopped at {t:?}, no trace: {e:?}"))?;
        }
    }
    for (i, &t) in targets.iter().enumerate() {
        let confirmed = check_trace(program, &mut full, t)?;
        if i == 0 {
            covered.reached = full.hit().contains(&t);
            covered.shortest_confirmed = confirmed;
        }
    }
    covered.recursive = is_recursive(program, &tabulated);
    features(program, &tabulated, &mut covered);
    Ok(covered)
}

/// Whether the search without the variables far from the targets proves anything; it must not prove too much.
fn hidden(program: &Program, targets: &[Target], options: &Options, unreached: bool) -> Result<bool, String> {
    let options = Options { project_after: Some(0), ..*options };
    let found = analyze(program, targets, &options).map_err(|e| format!("no answer: {e}"))?;
    if found.hit().is_empty() != unreached {
        return Err("hiding variables changes the answer".to_owned());
    }
    if unreached {
        found.certify().map_err(|e| format!("hidden variables, not certified: {e:?}"))?;
    }
    Ok(found.stats().hidden > 0)
}

fn agrees(
    program: &Program,
    analysis: &Reachability<'_>,
    tabulated: &Tabulated,
    targets: &[Target],
) -> Result<(), String> {
    for (p, proc) in program.procs.iter_enumerated() {
        for s in proc.body.ids() {
            if analysis.reaches(p, s) != tabulated.reaches((p, s)) {
                return Err(format!("{p}.{s}: explicit {}, symbolic differs", tabulated.reaches((p, s))));
            }
        }
    }
    for t in targets {
        let expected = match *t {
            Goal::At(p, s) => tabulated.reaches((p, s)),
            Goal::Fails(p, s) => tabulated.failing.contains(&(p, s)),
        };
        if analysis.hit().contains(t) != expected {
            return Err(format!("{t:?}: explicit {expected}, symbolic differs"));
        }
    }
    Ok(())
}

/// The path edges are the same sets: each explicit one is contained, and there are not more.
fn exact(program: &Program, analysis: &Reachability<'_>, tabulated: &Tabulated) -> Result<(), String> {
    for (&(p, s), edges) in &tabulated.reached {
        let proc = &program.procs[p];
        let called = analysis.machine.info[p].keep_entry;
        let read = |packed: u64| move |v: Var| Tabulated::unpack_var(v, packed);
        for &(entry, now) in edges {
            let entry_part = read(entry);
            let entry: Option<&dyn Fn(Var) -> bool> = if called { Some(&entry_part) } else { None };
            if !analysis.contains(p, s, entry, &read(now)) {
                return Err(format!("{p}.{s}: a path edge is missing"));
            }
        }
        let scope = program.globals.len() + proc.locals.len();
        let interface = if called { program.globals.len() + proc.n_formals } else { 0 };
        let expected = if called {
            edges.len()
        } else {
            edges.iter().map(|e| e.1).collect::<std::collections::BTreeSet<_>>().len()
        };
        let found = count(&analysis.path_edges(p, s), scope + interface);
        if (found - expected as f64).abs() > 0.5 {
            return Err(format!("{p}.{s}: {expected} path edges, {found} found"));
        }
    }
    Ok(())
}

/// The number of members over `n` variables, exact below 2^53.
fn count(set: &InvariantDag, n: usize) -> f64 {
    let mut density = Vec::with_capacity(set.dag.nodes.len());
    let value = |density: &[f64], r: DagRef| match r {
        DagRef::Const(b) => f64::from(u8::from(b)),
        DagRef::Node(i) => density[i],
    };
    for node in &set.dag.nodes {
        let d = f64::midpoint(value(&density, node.hi), value(&density, node.lo));
        density.push(d);
    }
    value(&density, set.dag.roots[0]) * 2f64.powi(n as i32)
}

fn check_trace(program: &Program, analysis: &mut Reachability<'_>, target: Target) -> Result<bool, String> {
    let trace = match analysis.trace(target, 100_000) {
        Err(NoTrace::Unreachable) if !analysis.hit().contains(&target) => return Ok(false),
        Err(e) => return Err(format!("no trace to {target:?}: {e:?}")),
        Ok(trace) => trace,
    };
    replay(program, &trace, target).map_err(|e| format!("trace to {target:?} is no execution: {e:?}"))?;
    match shortest(program, target, 3_000) {
        Shortest::Length(n) if n == trace.n_transitions() => Ok(true),
        Shortest::Length(n) => Err(format!("shortest to {target:?} is {n}, found {}", trace.n_transitions())),
        Shortest::Unreachable => Err(format!("breadth-first search does not reach {target:?}")),
        Shortest::Unknown => Ok(false),
    }
}

/// What the statements that are reached do.
fn features(program: &Program, tabulated: &Tabulated, covered: &mut Covered) {
    for &(p, s) in tabulated.reached.keys() {
        let proc = &program.procs[p];
        let stmt = &proc.body[s];
        covered.nondeterminism |= stmt.kind.exprs().into_iter().any(Expr::is_nondet);
        covered.enforce |= proc.enforce.is_some();
        covered.constrain |= stmt.constrain.is_some();
        match stmt.kind {
            StmtKind::Call { callee, .. } => covered.multiple_returns |= program.procs[callee].n_returns > 1,
            StmtKind::Dead(_) => covered.dead = true,
            _ => {}
        }
    }
}

/// Whether some reached call leads back to its own procedure.
fn is_recursive(program: &Program, tabulated: &Tabulated) -> bool {
    let n = program.procs.len();
    let mut leads = vec![vec![false; n]; n];
    for &(p, s) in tabulated.reached.keys() {
        if let StmtKind::Call { callee, .. } = program.procs[p].body[s].kind {
            leads[base::Id::index(p)][base::Id::index(callee)] = true;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                leads[i][j] |= leads[i][k] && leads[k][j];
            }
        }
    }
    program.procs.ids().any(|p: ProcId| leads[base::Id::index(p)][base::Id::index(p)])
}

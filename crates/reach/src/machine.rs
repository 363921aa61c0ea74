//! The symbolic operations of the search: steps, entering a callee, summarising, and joining a call with a summary.
//!
//! A *path edge* set is over [`Role::Entry`] (globals and formals of the activation, left out for a procedure that nobody
//! calls) and [`Role::Now`] (everything in scope). A *summary* of a procedure is kept in the form in which calls use it:
//! globals at entry in `Now`, formals at entry in `Passed`, globals at exit and returned values in `Next`.

use crate::expr::{Reader, many_variables};
use crate::live::{Bits, called, every_global, globals_of, touched};
use crate::reachability::Unknown;
use crate::space::{Role, Space};
use crate::transfer::{EdgeId, Relation, Transfer, enforce};
use base::sabotage::{Fault, active};
use base::{Exhausted, Id, IndexVec};
use bdd::{Bdd, OutOfNodes, Rename, VarSet};
use boolprog::interp::Goal;
use boolprog::semantics::Valuation;
use boolprog::{Proc, ProcId, Program, StmtId, StmtKind, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is fixed about a procedure.
pub(crate) struct ProcInfo {
    /// Whether path edges have an entry part.
    pub(crate) keep_entry: bool,
    /// The globals that path edges and summaries of this procedure speak of.
    pub(crate) frame: Vec<Var>,
    /// Entry globals and formals.
    entry_part: VarSet,
    now_locals: VarSet,
    enforce: Option<Bdd>,
    /// Entry part equals the present, locals have their initial values, `enforce` holds.
    start: Bdd,
    to_summary: Rename,
    formals_to_now: Rename,
    /// An entry state as entry part of path edges.
    pub(crate) now_to_entry: Rename,
    /// An entry state as summaries have it.
    pub(crate) formals_to_passed: Rename,
}

/// What is fixed about a call.
struct CallInfo {
    /// Actuals as `Next` of the callee's formals.
    passing: Parts,
    /// Actuals as `Passed` of the callee's formals.
    matching: Parts,
    /// Caller's entry part and locals, and the globals that the callee does not touch.
    forget_caller: VarSet,
    /// Globals before the call and what was passed.
    forget_before: VarSet,
    /// What was passed.
    forget_passed: VarSet,
    /// Old values of the variables that receive results.
    overwritten: VarSet,
    /// "The variable that receives a result has the returned value", one by one, with what is forgotten then.
    received: Vec<(Bdd, VarSet)>,
    forget_returned: VarSet,
    /// The callee's globals at exit become the caller's.
    exit_to_now: Rename,
    enforce: Option<Bdd>,
    /// For a call with `constrain`: the constraint, and what to forget after it.
    constrained: Option<(Bdd, VarSet)>,
}

/// A conjunction that is not multiplied out where that would be large: twenty equations of values that stand far apart in the
/// order have a diagram of a million nodes, but a set of states to which they are added one by one stays small.
struct Parts(Vec<Bdd>);

/// A part may have so many nodes.
const PART_NODES: usize = 500;

impl Parts {
    fn new(space: &Space, conjuncts: Vec<Bdd>) -> Result<Parts, OutOfNodes> {
        let m = &space.manager;
        let mut parts: Vec<Bdd> = Vec::new();
        for c in conjuncts {
            match parts.last_mut() {
                Some(last) if m.node_count(last) + m.node_count(&c) < PART_NODES => *last = m.and(last, &c)?,
                _ => parts.push(c),
            }
        }
        Ok(Parts(parts))
    }

    fn and(&self, space: &Space, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.0.iter().try_fold(set.clone(), |set, part| space.manager.and(&set, part))
    }
}

enum EdgeState {
    Total(Step),
    Partial { asked: Bdd, step: Step },
}

struct Step {
    relation: Relation,
    quantify: VarSet,
    rename: Rename,
}

pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) space: Rc<Space>,
    pub(crate) info: IndexVec<ProcId, ProcInfo>,
    calls: FxHashMap<(ProcId, StmtId), CallInfo>,
    edges: FxHashMap<EdgeId, EdgeState>,
    /// Visits of statements.
    pub(crate) visits: u64,
}

/// A visit of a statement costs as much as so many nodes, besides those that it makes.
const NODES_PER_VISIT: u64 = 100;

impl<'p> Machine<'p> {
    /// With `framed`, what a procedure does not touch is not spoken of in it.
    pub(crate) fn new(program: &'p Program, space: Rc<Space>, framed: bool) -> Result<Machine<'p>, OutOfNodes> {
        Machine::remembering(program, space, framed, &called(program))
    }

    /// A machine in which only the procedures `kept` remember how they were entered.
    pub(crate) fn remembering(
        program: &'p Program,
        space: Rc<Space>,
        framed: bool,
        kept: &IndexVec<ProcId, bool>,
    ) -> Result<Machine<'p>, OutOfNodes> {
        let frames =
            if framed { touched(program) } else { IndexVec::filled(every_global(program), program.procs.len()) };
        Machine::with(program, space, &frames, kept)
    }

    /// With the globals that each procedure speaks of; all that it touches must be among them.
    pub(crate) fn with_frames(
        program: &'p Program,
        space: Rc<Space>,
        frames: &IndexVec<ProcId, Bits>,
    ) -> Result<Machine<'p>, OutOfNodes> {
        Machine::with(program, space, frames, &called(program))
    }

    fn with(
        program: &'p Program,
        space: Rc<Space>,
        frames: &IndexVec<ProcId, Bits>,
        kept: &IndexVec<ProcId, bool>,
    ) -> Result<Machine<'p>, OutOfNodes> {
        let mut info = IndexVec::new();
        for (id, proc) in program.procs.iter_enumerated() {
            let frame = globals_of(program, &frames[id]);
            info.push(proc_info(program, &space, (id, proc), kept[id], frame)?);
        }
        Ok(Machine { program, space, info, calls: FxHashMap::default(), edges: FxHashMap::default(), visits: 0 })
    }

    /// Takes over the relations of statements that `other`, over the same space, has been given.
    pub(crate) fn share_relations(&mut self, other: &mut Machine<'_>) {
        std::mem::swap(&mut self.edges, &mut other.edges);
    }

    /// What was done in this space, in nodes made.
    pub(crate) fn work(&self) -> u64 {
        self.space.manager.made().saturating_add(self.visits.saturating_mul(NODES_PER_VISIT))
    }

    /// Another visit of a statement; an error if that is more work than `limit`.
    pub(crate) fn visit(&mut self, limit: u64) -> Result<(), Unknown> {
        self.visits += 1;
        if self.work() > limit {
            return Err(Unknown::Work(Exhausted { what: "nodes of decision diagrams made", limit }));
        }
        Ok(())
    }

    /// The path edges at the start of `proc` for entry states over `Now` (globals and formals).
    pub(crate) fn begin(&self, proc: ProcId, entry: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.space.manager.and(entry, &self.info[proc].start)
    }

    /// Whether a state of `proc`, which keeps no entry part, is one in which an activation can begin.
    pub(crate) fn can_begin(&self, proc: ProcId, state: &Valuation) -> bool {
        let now: FxHashMap<usize, bool> =
            self.program.scope(proc).map(|v| (self.space.index(proc, v, Role::Now), state.get(v))).collect();
        self.space.manager.eval(&self.info[proc].start, |v| now.get(&v).copied().unwrap_or(false))
    }

    /// The states in which the program starts, as entry states.
    pub(crate) fn initial(&self) -> Result<Bdd, OutOfNodes> {
        let m = &self.space.manager;
        let entry = self.program.entry;
        let globals = self.info[entry].frame.iter().filter_map(|&v| match v {
            Var::Global(g) => Some((self.space.index(entry, v, Role::Now), self.program.globals[g].init?)),
            Var::Local(_) => None,
        });
        m.cube(globals)
    }

    /// The path edges after `edge` from the path edges `from`.
    ///
    /// A relation is about the state now; how the activation was entered is carried along untouched. So what is asked of
    /// `transfer` is the projection of `from`, and only the part of it that was not asked for before: `asked` grows together
    /// with `pairs`, and the two speak of the same states at any time.
    pub(crate) fn image(&mut self, transfer: &mut dyn Transfer, edge: EdgeId, from: &Bdd) -> Result<Bdd, Unknown> {
        let m = &self.space.manager;
        let step = match self.edges.get_mut(&edge) {
            Some(EdgeState::Total(step)) => step,
            known => {
                let now = m.exists(from, &self.info[edge.proc].entry_part)?;
                let new = match &known {
                    Some(EdgeState::Partial { asked, .. }) => m.diff(&now, asked)?,
                    _ => now,
                };
                if known.is_none() || !new.is_false() {
                    let relation = transfer.image(&self.space, edge, &new)?;
                    match known {
                        Some(EdgeState::Partial { asked, step }) => {
                            assert_eq!(
                                step.relation.written, relation.written,
                                "an edge always writes the same variables"
                            );
                            assert_eq!(
                                step.relation.primed, relation.primed,
                                "an edge always puts new values in one place"
                            );
                            *asked = m.or(asked, &new)?;
                            step.relation.pairs = m.or(&step.relation.pairs, &relation.pairs)?;
                        }
                        _ => {
                            let (total, step) = (relation.total, prepare(&self.space, edge.proc, relation)?);
                            let state =
                                if total { EdgeState::Total(step) } else { EdgeState::Partial { asked: new, step } };
                            self.edges.insert(edge, state);
                        }
                    }
                }
                match self.edges.get_mut(&edge) {
                    Some(EdgeState::Total(step) | EdgeState::Partial { step, .. }) => step,
                    None => unreachable!("the edge was just asked for"),
                }
            }
        };
        Ok(step_image(&self.space, step, from)?)
    }

    fn call(&mut self, proc: ProcId, at: StmtId) -> Result<&CallInfo, OutOfNodes> {
        if !self.calls.contains_key(&(proc, at)) {
            let info = call_info(self, proc, at)?;
            self.calls.insert((proc, at), info);
        }
        Ok(&self.calls[&(proc, at)])
    }

    /// The entry states of the callee for the path edges `from` at the call: globals and formals over `Now`.
    pub(crate) fn enter(&mut self, proc: ProcId, at: StmtId, from: &Bdd) -> Result<Bdd, OutOfNodes> {
        let StmtKind::Call { callee, .. } = self.program.procs[proc].body[at].kind else {
            unreachable!("only calls are entered")
        };
        self.call(proc, at)?;
        let info = &self.calls[&(proc, at)];
        let m = &self.space.manager;
        // The caller's own part is forgotten here: a callee is entered once for all callers that agree on what it sees, which is
        // what makes summaries shared between them.
        let entered = m.exists(&info.passing.and(&self.space, from)?, &info.forget_caller)?;
        m.rename(&entered, &self.info[callee].formals_to_now)
    }

    /// The summaries that the path edges `from` at the return `at` give.
    pub(crate) fn summarise(&self, proc: ProcId, at: StmtId, from: &Bdd) -> Result<Bdd, OutOfNodes> {
        let stmt = &self.program.procs[proc].body[at];
        let StmtKind::Return(exprs) = &stmt.kind else { unreachable!("only returns are summarised") };
        let m = &self.space.manager;
        let now = |v: Var| self.space.var(proc, v, Role::Now);
        let reader = Reader { manager: m, old: &now, new: &now, within: from.clone() };
        let mut out = from.clone();
        if let Some(c) = &stmt.constrain {
            out = m.and(&out, &reader.poss(c)?.yes)?;
        }
        for (k, e) in exprs.iter().enumerate() {
            let target = m.var(self.space.returned(k, Role::Next));
            out = m.and(&out, &reader.takes(&target, e)?)?;
        }
        let info = &self.info[proc];
        out = m.exists(&out, &info.now_locals)?;
        m.rename(&out, &info.to_summary)
    }

    /// The path edges after the call `at` for the path edges `from` before it and the callee's summaries.
    pub(crate) fn join(&mut self, proc: ProcId, at: StmtId, from: &Bdd, summary: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.call(proc, at)?;
        let info = &self.calls[&(proc, at)];
        let m = &self.space.manager;
        // Path edges and summaries meet in the callee's entry: what the caller passes must be what the summary was entered with.
        // The caller's entry part stays in `from` all the way, else what the caller returns would fit any of its own callers.
        let before = info.matching.and(&self.space, from)?;
        let mut after = match &info.constrained {
            None => m.and_exists(&before, summary, &info.forget_before)?,
            Some((constraint, forget)) => {
                let both = m.and_exists(&before, summary, &info.forget_passed)?;
                m.and_exists(&both, constraint, forget)?
            }
        };
        if active(Fault::CallerEntryPartLost) {
            after = m.exists(&after, &self.info[proc].entry_part)?;
        }
        // Variables that receive results have their old values still: these go before the new ones come.
        if !active(Fault::StaleLocalKeptOverCall) {
            after = m.exists(&after, &info.overwritten)?;
        }
        for (received, forget) in &info.received {
            after = m.and_exists(&after, received, forget)?;
        }
        after = m.exists(&after, &info.forget_returned)?;
        after = m.rename(&after, &info.exit_to_now)?;
        // `enforce` is a condition on every state of the caller, and this is its first state behind the call.
        match &info.enforce {
            Some(e) if !active(Fault::EnforceIgnoredAtReturn) => m.and(&after, e),
            _ => Ok(after),
        }
    }

    /// The pairs of `edge` asked for so far, the variables written, and the role of their new values.
    pub(crate) fn relation(&self, edge: EdgeId) -> Option<(&Bdd, &[Var], Role)> {
        let (EdgeState::Total(step) | EdgeState::Partial { step, .. }) = self.edges.get(&edge)?;
        let role = if step.relation.primed { Role::Next } else { Role::Now };
        Some((&step.relation.pairs, &step.relation.written, role))
    }

    /// The members of `from` at the call `at` together with members of `summary` that lead to the state `after`.
    pub(crate) fn rejoin(
        &mut self,
        proc: ProcId,
        at: StmtId,
        from: &Bdd,
        summary: &Bdd,
        after: &Valuation,
    ) -> Result<Bdd, OutOfNodes> {
        self.call(proc, at)?;
        let info = &self.calls[&(proc, at)];
        let StmtKind::Call { callee, results, .. } = &self.program.procs[proc].body[at].kind else {
            unreachable!("only calls are joined")
        };
        let frame = &self.info[*callee].frame;
        let (space, m) = (&self.space, &self.space.manager);
        let mut literals = Vec::new();
        for (k, v) in results.iter().enumerate() {
            literals.extend(v.map(|v| (space.returned(k, Role::Next), after.get(v))));
        }
        for v in self.program.scope(proc).filter(|v| !results.contains(&Some(*v))) {
            let role = if frame.contains(&v) { Role::Next } else { Role::Now };
            literals.push((space.index(proc, v, role), after.get(v)));
        }
        let ends = m.and(summary, &m.cube(literals)?)?;
        let mut both = m.and(&info.matching.and(space, from)?, &ends)?;
        if let Some((constraint, _)) = &info.constrained {
            both = m.and(&both, constraint)?;
        }
        Ok(both)
    }

    /// Whether the path edges `set` at the place of `target` reach it.
    pub(crate) fn meets(&self, target: Goal, set: &Bdd) -> Result<bool, OutOfNodes> {
        match target {
            Goal::At(..) => Ok(!set.is_false()),
            Goal::Fails(p, s) => Ok(!self.space.manager.and(set, &self.failing(p, s)?)?.is_false()),
        }
    }

    /// The decision variables of the entry states of `proc`.
    pub(crate) fn interface(&self, proc: ProcId) -> Vec<usize> {
        let vars = interface(&self.info[proc].frame, &self.program.procs[proc]);
        vars.into_iter().map(|v| self.space.index(proc, v, Role::Now)).collect()
    }

    /// Where the assertion at `at` can fail.
    pub(crate) fn failing(&self, proc: ProcId, at: StmtId) -> Result<Bdd, OutOfNodes> {
        let m = &self.space.manager;
        let StmtKind::Assert(e) = &self.program.procs[proc].body[at].kind else { return Ok(m.bot()) };
        let now = |v: Var| self.space.var(proc, v, Role::Now);
        Ok(Reader { manager: m, old: &now, new: &now, within: m.top() }.poss(e)?.no)
    }
}

fn interface(frame: &[Var], proc: &Proc) -> Vec<Var> {
    frame.iter().copied().chain(proc.formals().map(Var::Local)).collect()
}

fn proc_info(
    program: &Program,
    space: &Space,
    (id, proc): (ProcId, &Proc),
    keep_entry: bool,
    frame: Vec<Var>,
) -> Result<ProcInfo, OutOfNodes> {
    let m = &space.manager;
    let now = |v: Var| space.var(id, v, Role::Now);
    let enforce = enforce(program, space, id, &now)?;
    let interface = interface(&frame, proc);
    let inits =
        proc.locals.iter_enumerated().filter_map(|(l, d)| Some((space.index(id, Var::Local(l), Role::Now), d.init?)));
    let mut start = m.cube(inits)?;
    if let Some(e) = &enforce {
        start = m.and(&start, e)?;
    }
    if keep_entry {
        // From the bottom of the order up, so that each step adds to the top of the diagram.
        let mut parts = interface.clone();
        parts.sort_unstable_by_key(|&v| std::cmp::Reverse(space.index(id, v, Role::Now)));
        for v in parts {
            let same = m.iff(&space.var(id, v, Role::Entry), &now(v))?;
            start = m.and(&same, &start)?;
        }
    }
    let formals: Vec<Var> = proc.formals().map(Var::Local).collect();
    let pairs = |vars: &[Var], from: Role, to: Role| -> Vec<(usize, usize)> {
        vars.iter().map(|&v| (space.index(id, v, from), space.index(id, v, to))).collect()
    };
    let to_summary = [
        pairs(&frame, Role::Entry, Role::Now),
        pairs(&frame, Role::Now, Role::Next),
        pairs(&formals, Role::Entry, Role::Passed),
    ];
    Ok(ProcInfo {
        keep_entry,
        entry_part: space.set(id, interface.iter().copied(), Role::Entry)?,
        now_locals: space.set(id, proc.locals.ids().map(Var::Local), Role::Now)?,
        enforce,
        start,
        to_summary: Rename::new(to_summary.concat()),
        formals_to_now: Rename::new(pairs(&formals, Role::Next, Role::Now)),
        now_to_entry: Rename::new(pairs(&interface, Role::Now, Role::Entry)),
        formals_to_passed: Rename::new(pairs(&formals, Role::Now, Role::Passed)),
        frame,
    })
}

fn call_info(machine: &Machine<'_>, proc: ProcId, at: StmtId) -> Result<CallInfo, OutOfNodes> {
    let (program, space) = (machine.program, &machine.space);
    let m = &space.manager;
    let stmt = &program.procs[proc].body[at];
    let StmtKind::Call { callee, args, results } = &stmt.kind else { unreachable!("only calls have a call relation") };
    let callee_proc = &program.procs[*callee];
    let now = |v: Var| space.var(proc, v, Role::Now);
    let within = machine.info[proc].enforce.clone().filter(|_| many_variables(args)).unwrap_or_else(|| m.top());
    let reader = Reader { manager: m, old: &now, new: &now, within };
    let (mut passing, mut matching) = (Vec::new(), Vec::new());
    for (l, e) in callee_proc.formals().zip(args) {
        let formal = Var::Local(l);
        passing.push(reader.takes(&space.var(*callee, formal, Role::Next), e)?);
        matching.push(reader.takes(&space.var(*callee, formal, Role::Passed), e)?);
    }
    let index = |p: ProcId, vars: Vec<Var>, role: Role| vars.into_iter().map(move |v| space.index(p, v, role));
    let frame = &machine.info[*callee].frame;
    let outside: Vec<Var> = program.globals.ids().map(Var::Global).filter(|g| !frame.contains(g)).collect();
    let locals: Vec<Var> = program.procs[proc].locals.ids().map(Var::Local).collect();
    let formals: Vec<Var> = callee_proc.formals().map(Var::Local).collect();
    let forget_caller = m.var_set(
        index(proc, interface(&machine.info[proc].frame, &program.procs[proc]), Role::Entry)
            .chain(index(proc, locals, Role::Now))
            .chain(index(proc, outside, Role::Now)),
    )?;
    let passed: Vec<usize> = index(*callee, formals, Role::Passed).collect();
    let forget_before = m.var_set(passed.iter().copied().chain(index(proc, frame.clone(), Role::Now)))?;
    // A result lands where its target's new value is looked for: what the callee may change is in `Next`, all else in `Now`.
    let place = |v: Var| space.index(proc, v, if frame.contains(&v) { Role::Next } else { Role::Now });
    let mut received = Vec::new();
    for (k, v) in results.iter().enumerate() {
        if let Some(v) = v {
            let value = space.returned(k, Role::Next);
            received.push((m.iff(&m.var(place(*v)), &m.var(value))?, m.var_set([value])?));
        }
    }
    let targets: Vec<Var> = results.iter().filter_map(|v| *v).collect();
    let constrained = match &stmt.constrain {
        None => None,
        Some(c) => {
            let after = |v: Var| match results.iter().position(|r| *r == Some(v)) {
                Some(k) => m.var(space.returned(k, Role::Next)),
                None => m.var(place(v)),
            };
            let constraint = Reader { manager: m, old: &now, new: &after, within: m.top() }.poss(c)?.yes;
            Some((constraint, space.set(proc, frame.iter().copied(), Role::Now)?))
        }
    };
    Ok(CallInfo {
        passing: Parts::new(space, passing)?,
        matching: Parts::new(space, matching)?,
        forget_caller,
        forget_before,
        forget_passed: m.var_set(passed)?,
        overwritten: m.var_set(targets.iter().map(|&v| place(v)))?,
        received,
        forget_returned: m.var_set((0..callee_proc.n_returns).map(|k| space.returned(k, Role::Next)))?,
        exit_to_now: space.shift(proc, frame.iter().copied(), Role::Next, Role::Now),
        enforce: machine.info[proc].enforce.clone(),
        constrained,
    })
}

fn prepare(space: &Space, proc: ProcId, relation: Relation) -> Result<Step, OutOfNodes> {
    let quantify = space.set(proc, relation.written.iter().copied(), Role::Now)?;
    let rename = if relation.primed {
        space.shift(proc, relation.written.iter().copied(), Role::Next, Role::Now)
    } else {
        Rename::default()
    };
    Ok(Step { relation, quantify, rename })
}

fn step_image(space: &Space, step: &Step, from: &Bdd) -> Result<Bdd, OutOfNodes> {
    let m = &space.manager;
    let pairs = &step.relation.pairs;
    if step.relation.primed {
        let next = m.and_exists(from, pairs, &step.quantify)?;
        m.rename(&next, &step.rename)
    } else if step.quantify.is_empty() {
        m.and(from, pairs)
    } else {
        m.and(&m.exists(from, &step.quantify)?, pairs)
    }
}

/// The first statement of a procedure.
pub(crate) fn first() -> StmtId {
    StmtId::from_index(0)
}

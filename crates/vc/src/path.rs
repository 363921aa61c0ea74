//! Walking a path edge by edge, through calls and returns. Each activation has its own values: nothing of a finished
//! one can be confused with the next.

use crate::state::State;
use crate::step::{Effects, Encoder};
use analysis::Unmodelled;
use ir::{Body, EdgeId, FuncId, Loc, Op, Var};
use logic::Term;
use pointsto::Object;

/// A point on a path: the symbolic state and where execution stands.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The state here.
    pub state: State,
    /// The location in the current activation's function; `None` when the run has ended.
    pub at: Option<Loc>,
}

/// One step of a path with what it assumed and drew.
#[derive(Clone, Debug)]
pub struct PathStep {
    /// The function.
    pub func: FuncId,
    /// The edge taken.
    pub edge: EdgeId,
    /// The state before it.
    pub before: State,
    /// What holds if it was taken, and what came from outside.
    pub effects: Effects,
}

/// A path as a formula: it can be executed exactly if all assumptions hold together.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// What was drawn before the first step.
    pub start: Effects,
    /// The addresses of the objects that the steps make, in the order in which a run makes them: where the step stands
    /// in the path, what it is, and its address.
    pub objects: Vec<Made>,
    /// The steps, in order.
    pub steps: Vec<PathStep>,
    /// Where the path leads.
    pub end: Walk,
}

impl PathFormula {
    /// Conditions under which no object whose size is an input is large. They are no part of the path; an execution that also
    /// fulfils them is one that can be shown.
    pub fn small_objects(&self, enc: &mut Encoder<'_>) -> Vec<Term> {
        let mut small = Vec::new();
        for step in &self.steps {
            let Op::Alloc(alloc) = &body(enc, step.func).edges[step.edge].op else { continue };
            if alloc.size.as_const().is_none()
                && let Ok(size) = enc.eval(&step.before, &alloc.size)
            {
                let most = enc.store.bv(enc.store.width(size), SMALL);
                small.push(enc.store.ule(size, most));
            }
        }
        small
    }
}

/// Objects of more bytes than this are not shown if there are smaller ones.
const SMALL: u64 = 1 << 12;

/// An object that a path makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// By this step; `None` before the first.
    pub step: Option<usize>,
    /// What it is.
    pub object: Object,
    /// Its address.
    pub base: Term,
}

/// Why a sequence of edges has no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// The edge with this index does not start where the one before leads.
    Broken(usize),
    /// The edge with this index does something that is not modelled.
    Unmodelled(usize, Unmodelled),
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PathError::Broken(i) => write!(f, "step {} of the path does not start where the one before leads", i + 1),
            PathError::Unmodelled(i, what) => write!(f, "step {} of the path: {what}", i + 1),
        }
    }
}

impl Walk {
    /// The start of every path.
    pub fn start(enc: &mut Encoder<'_>) -> (Walk, Effects) {
        let (state, effects) = enc.initial();
        let at = Some(body(enc, state.func()).entry);
        let mut walk = Walk { state, at };
        // The entry function has no caller: nothing can be missing.
        let returned = walk.return_from_exits(enc);
        debug_assert!(returned.is_ok(), "leaving the outermost activation does nothing");
        (walk, effects)
    }

    /// Takes an edge that starts here. After the last edge of an activation the caller goes on behind its call.
    pub fn take(&mut self, enc: &mut Encoder<'_>, id: EdgeId) -> Result<Effects, Unmodelled> {
        let edge = enc.edge(&self.state, id);
        assert_eq!(Some(edge.from), self.at, "an edge is taken where it starts");
        let effects = if let Some(callee) = enc.callee(edge) {
            let effects = enc.enter(&mut self.state, id, edge)?;
            self.at = Some(body(enc, callee).entry);
            effects
        } else {
            let effects = enc.step(&mut self.state, edge)?;
            self.at = edge.to;
            effects
        };
        self.return_from_exits(enc)?;
        Ok(effects)
    }

    fn return_from_exits(&mut self, enc: &mut Encoder<'_>) -> Result<(), Unmodelled> {
        while self.at == Some(body(enc, self.state.func()).exit) {
            let Some((_, call)) = self.state.call_site() else {
                self.at = None;
                return Ok(());
            };
            enc.leave(&mut self.state)?;
            self.at = enc.edge(&self.state, call).to;
        }
        Ok(())
    }

    /// The edges that start here.
    pub fn choices<'p>(&self, enc: &Encoder<'p>) -> impl Iterator<Item = EdgeId> + use<'p> {
        let at = self.at;
        let edges = body(enc, self.state.func()).edges.iter_enumerated();
        edges.filter(move |(_, e)| Some(e.from) == at).map(|(id, _)| id)
    }
}

fn body<'p>(enc: &Encoder<'p>, func: FuncId) -> &'p Body {
    enc.program.body(func)
}

/// The formula of a path from the start of the program. The edges of callees follow their call edge.
pub fn path_formula(enc: &mut Encoder<'_>, path: &[(FuncId, EdgeId)]) -> Result<PathFormula, PathError> {
    let (mut walk, start) = Walk::start(enc);
    let mut steps = Vec::with_capacity(path.len());
    let mut objects = first_objects(enc, &walk.state);
    for (i, &(func, id)) in path.iter().enumerate() {
        let fits = walk.at.is_some()
            && walk.state.func() == func
            && body(enc, func).edges.get(id).is_some_and(|e| Some(e.from) == walk.at);
        if !fits {
            return Err(PathError::Broken(i));
        }
        let (before, known) = (walk.state.clone(), enc.n_objects());
        let effects = walk.take(enc, id).map_err(|what| PathError::Unmodelled(i, what))?;
        objects.extend(enc.made_since(known).into_iter().map(|(object, base)| Made { step: Some(i), object, base }));
        steps.push(PathStep { func, edge: id, before, effects });
    }
    Ok(PathFormula { start, objects, steps, end: walk })
}

/// The objects that there are when a run begins: the globals and the entry function's locals in memory.
fn first_objects(enc: &mut Encoder<'_>, state: &State) -> Vec<Made> {
    let program = enc.program;
    let mut objects = Vec::new();
    let analysis = enc.analysis;
    for g in program.globals.ids().filter(|&g| analysis.in_memory(program.entry, Var::Global(g))) {
        objects.push(Made { step: None, object: Object::Global(g), base: enc.global_base(g) });
    }
    for l in program.functions[program.entry].locals.ids() {
        let begins = analysis.lifetimes.begins(program.entry, l);
        if let Some(base) = state.base(l).filter(|_| !begins) {
            objects.push(Made { step: None, object: Object::Local(program.entry, l), base });
        }
    }
    objects
}

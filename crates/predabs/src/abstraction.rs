//! What an abstraction is: the boolean program and the way back from its statements, variables and traces to the IR.

use crate::interface::Interface;
use crate::options::Stats;
use base::IndexVec;
use boolprog::interp::Trace;
use boolprog::{GlobalId, LocalId, ProcId, StmtId, Var};
use ir::{EdgeId, FuncId, Loc};
use vc::{PredId, Unmodelled};

/// A boolean program that simulates an IR program, and the map back.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The boolean program.
    pub program: boolprog::Program,
    /// The predicate of each global boolean variable.
    pub globals: IndexVec<GlobalId, PredId>,
    /// What became of each function; `None` for those that are not reachable or have no body.
    pub functions: IndexVec<FuncId, Option<FunctionMap>>,
    /// What each statement's tag refers to.
    pub origins: Vec<Origin>,
    /// Every statement that stands for an edge that must not be reached, in the order of functions and edges.
    pub targets: Vec<Target>,
    /// What it cost.
    pub stats: Stats,
}

/// Where a function went.
#[derive(Clone, Debug)]
pub struct FunctionMap {
    /// Its procedure.
    pub proc: ProcId,
    /// Formals, results and initial values.
    pub interface: Interface,
    /// The predicate of each formal and local; `None` for a temporary.
    pub locals: IndexVec<LocalId, Option<PredId>>,
    /// The statement at which execution stands when it stands at a location (it also carries the label `L3` of its
    /// id); `None` if the location is not reachable in the graph.
    pub locations: IndexVec<Loc, Option<StmtId>>,
    /// The first statement of each edge; `None` if its location is not reachable in the graph.
    pub edges: IndexVec<EdgeId, Option<StmtId>>,
}

/// What a statement was made from: [`boolprog::Stmt::tag`] is an index into [`Abstraction::origins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The function.
    pub func: FuncId,
    /// The edge; `None` for a statement that belongs to a location, to the entry or to the start of the program.
    pub edge: Option<EdgeId>,
}

/// Why an edge must not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// It is an `error` edge: reaching it breaks the property.
    Error,
    /// It is an `unsupported` edge: what happens there cannot be followed.
    Unsupported,
    /// Its operation has no formula: what happens there is not known to the abstraction.
    Unmodelled(Unmodelled),
}

/// An edge that must not be reached, and the labelled statement that is reached instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// The procedure.
    pub proc: ProcId,
    /// The statement, labelled `ERROR_n` or `UNSUPPORTED_n` with the number of the edge.
    pub stmt: StmtId,
    /// Why.
    pub kind: TargetKind,
}

/// One step of a lifted trace: an IR edge, and the predicates' values before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedStep {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// The number of unfinished calls.
    pub depth: usize,
    /// The values of all predicates in scope when the step begins.
    pub before: Vec<(PredId, bool)>,
    /// Their values when it is done; for a call, when it has returned. `None` if the trace ends before.
    pub after: Option<Vec<(PredId, bool)>>,
}

impl Abstraction {
    /// The boolean variable of a predicate in the procedure of `func`.
    pub fn var(&self, func: FuncId, pred: PredId) -> Option<Var> {
        let global = self.globals.iter_enumerated().find(|&(_, &p)| p == pred).map(|(g, _)| Var::Global(g));
        global.or_else(|| {
            let map = self.functions[func].as_ref()?;
            map.locals.iter_enumerated().find(|&(_, &p)| p == Some(pred)).map(|(l, _)| Var::Local(l))
        })
    }

    /// The predicate of a boolean variable in the procedure of `func`; `None` for a temporary.
    pub fn pred(&self, func: FuncId, var: Var) -> Option<PredId> {
        match var {
            Var::Global(g) => Some(self.globals[g]),
            Var::Local(l) => self.functions[func].as_ref()?.locals[l],
        }
    }

    /// The function of a procedure; `None` for a procedure that only starts the program.
    pub fn function(&self, proc: ProcId) -> Option<FuncId> {
        let maps = self.functions.iter_enumerated();
        maps.filter_map(|(f, m)| m.as_ref().map(|m| (f, m.proc))).find(|&(_, p)| p == proc).map(|(f, _)| f)
    }

    /// The IR edges along a trace of the boolean program, in the order in which they are begun: the path that the trace
    /// claims, with the valuations it claims.
    pub fn lift(&self, trace: &Trace) -> Vec<LiftedStep> {
        let mut lifted: Vec<LiftedStep> = Vec::new();
        // The edges that have begun and not ended, with the depth at which they began.
        let mut open: Vec<usize> = Vec::new();
        for step in &trace.steps {
            let Some(func) = self.function(step.proc) else { continue };
            let map = self.functions[func].as_ref().expect("a function with a procedure has a map");
            let values = || -> Vec<(PredId, bool)> {
                let vars = self.program.scope(step.proc);
                vars.filter_map(|v| self.pred(func, v).map(|p| (p, step.state.get(v)))).collect()
            };
            let at_location = map.locations.iter().any(|l| *l == Some(step.stmt));
            // A callee that has ended leaves its last edge closed: it stood at its exit.
            while let Some(&last) = open.last()
                && (lifted[last].depth > step.depth || lifted[last].depth == step.depth && at_location)
            {
                if lifted[last].depth == step.depth {
                    lifted[last].after = Some(values());
                }
                open.pop();
            }
            let begins = map.edges.iter_enumerated().find(|&(_, s)| *s == Some(step.stmt)).map(|(e, _)| e);
            if let Some(edge) = begins {
                open.push(lifted.len());
                lifted.push(LiftedStep { func, edge, depth: step.depth, before: values(), after: None });
            }
        }
        lifted
    }
}

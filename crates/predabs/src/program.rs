//! The whole program: one procedure per function that the entry reaches, and how it starts.

use crate::abstraction::Abstraction;
use crate::cache::Cache;
use crate::interface::{Interface, interface};
use crate::options::Options;
use crate::procedure::{Frame, Plan, Work, write};
use crate::prover::Prover;
use analysis::Analysis;
use base::{Id, IndexVec};
use boolprog::{Expr, GlobalId, Proc, ProcId, Stmt, StmtKind, Var, VarDecl};
use ir::{EdgeId, FuncId, Program};
use rustc_hash::FxHashMap;
use vc::{Constraint, Encoder, LocationInvariants, PredId, Predicates, Scope, State, Unmodelled};

/// Why there is no abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A predicate has no formula.
    Predicate(PredId, Unmodelled),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Predicate(id, what) => write!(f, "predicate {id}: {what}"),
        }
    }
}

impl std::error::Error for Error {}

/// The name of the procedure in which every boolean program begins.
const START: &str = "main";

/// The boolean program over `predicates` that simulates `program`: for every execution of the program there is one of the
/// boolean program along the same edges in which each variable has its predicate's value (TOPLAS05, appendix B).
///
/// Only executions in which `invariants` hold count: what is known at a location may be used by the edges that leave it. The
/// cache may come from an earlier abstraction of the same program with fewer predicates and the same invariants.
pub fn abstract_program(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    constraints: &[Constraint],
    invariants: &LocationInvariants,
    options: &Options,
    cache: &mut Cache,
) -> Result<Abstraction, Error> {
    cache.use_for(options);
    let program = analysis.program;
    let mut prover = Prover::new(Encoder::new(analysis, options.events), options);
    let funcs = &analysis.cut_points().functions;
    let mut frames: IndexVec<FuncId, Option<Frame>> = program.functions.iter().map(|_| None).collect();
    let mut procs: IndexVec<FuncId, Option<ProcId>> = IndexVec::filled(None, program.functions.len());
    for (i, &f) in funcs.iter().enumerate() {
        frames[f] = Some(frame(&mut prover, predicates, f)?);
        procs[f] = Some(ProcId::from_index(i));
    }
    let (globals, global_vars) = global_variables(program, predicates);
    let mut out = Abstraction {
        program: boolprog::Program {
            globals: globals
                .iter()
                .map(|&p| VarDecl::new(ir::as_c::show(program, program.entry, &predicates.get(p).expr)))
                .collect(),
            procs: IndexVec::new(),
            entry: procs[program.entry].expect("the entry function has a body"),
        },
        globals,
        functions: program.functions.iter().map(|_| None).collect(),
        origins: Vec::new(),
        targets: Vec::new(),
        stats: prover.stats,
    };
    // The entry's own procedure can begin the program if no one calls it and it has the right name.
    let is_called = funcs.iter().any(|&f| analysis.call_graph.callees(f).any(|g| g == program.entry));
    let begins = !is_called && program.functions[program.entry].name == START;
    let (start_state, _) = prover.enc.initial();
    let start = start_values(&mut prover, predicates, program.entry, &start_state)?;
    let mut by_edge: FxHashMap<(FuncId, EdgeId), Vec<&Constraint>> = FxHashMap::default();
    for c in constraints {
        by_edge.entry((c.func, c.edge)).or_default().push(c);
    }
    let plan = Plan {
        analysis,
        predicates,
        constraints: by_edge,
        invariants,
        frames: &frames,
        procs: &procs,
        global_vars: &global_vars,
        start: begins.then_some((program.entry, &start[..])),
    };
    for &f in funcs {
        let Abstraction { origins, targets, .. } = &mut out;
        let (mut proc, map) = write(&plan, Work { prover: &mut prover, cache: &mut *cache, origins, targets }, f);
        if !begins && proc.name == START {
            proc.name = format!("{START}$0");
        }
        out.program.procs.push(proc);
        out.functions[f] = Some(map);
    }
    if !begins {
        out.program.entry = out.program.procs.push(starter(&plan, program.entry, &start));
    }
    out.stats = prover.stats;
    debug_assert_eq!(boolprog::validate(&out.program), [], "an abstraction is a valid boolean program");
    Ok(out)
}

/// What the procedure of each function that can be reached takes and gives.
pub fn interfaces(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    options: &Options,
) -> Result<IndexVec<FuncId, Option<Interface>>, Error> {
    let mut prover = Prover::new(Encoder::new(analysis, options.events), options);
    let mut all: IndexVec<FuncId, Option<Interface>> = IndexVec::filled(None, analysis.program.functions.len());
    for &func in &analysis.cut_points().functions {
        all[func] = Some(frame(&mut prover, predicates, func)?.interface);
    }
    Ok(all)
}

/// An arbitrary state of `func`, in which what the function never changes has its entry value, and its interface.
fn frame(prover: &mut Prover<'_>, predicates: &Predicates, func: FuncId) -> Result<Frame, Error> {
    let state = prover.enc.arbitrary_keeping(func);
    let mut terms = FxHashMap::default();
    for id in predicates.in_scope(func) {
        let term = prover.enc.eval(&state, &predicates.get(id).expr).map_err(|u| Error::Predicate(id, u))?;
        terms.insert(id, term);
    }
    let interface = interface(prover, predicates, func, &state).map_err(|(id, u)| Error::Predicate(id, u))?;
    Ok(Frame { interface, state, terms })
}

fn global_variables(
    program: &Program,
    predicates: &Predicates,
) -> (IndexVec<GlobalId, PredId>, FxHashMap<PredId, Var>) {
    debug_assert!(program.functions.get(program.entry).is_some(), "a program has an entry");
    let globals: IndexVec<GlobalId, PredId> =
        predicates.ids().filter(|&p| predicates.get(p).scope == Scope::Global).collect();
    let vars = globals.iter_enumerated().map(|(g, &p)| (p, Var::Global(g))).collect();
    (globals, vars)
}

/// The predicates of the entry function that have one value whenever the program starts.
fn start_values(
    prover: &mut Prover<'_>,
    predicates: &Predicates,
    entry: FuncId,
    state: &State,
) -> Result<Vec<(PredId, bool)>, Error> {
    let mut values = Vec::new();
    for id in predicates.in_scope(entry) {
        let term = prover.enc.eval(state, &predicates.get(id).expr).map_err(|u| Error::Predicate(id, u))?;
        values.extend(prover.constant(term).map(|b| (id, b)));
    }
    Ok(values)
}

/// A procedure that starts the program and calls the entry function's procedure.
fn starter(plan: &Plan<'_>, entry: FuncId, start: &[(PredId, bool)]) -> Proc {
    let value = |p: PredId| start.iter().find(|(q, _)| *q == p).map_or(Expr::Nondet, |&(_, b)| Expr::Const(b));
    let globals = start.iter().filter_map(|&(p, b)| Some((Some(*plan.global_vars.get(&p)?), Expr::Const(b))));
    let globals: Vec<(Option<Var>, Expr)> = globals.collect();
    let interface = &plan.frames[entry].as_ref().expect("the entry function is reachable").interface;
    let mut body = IndexVec::new();
    if !globals.is_empty() {
        body.push(Stmt::new(StmtKind::Assign(globals)));
    }
    body.push(Stmt::new(StmtKind::Call {
        callee: plan.procs[entry].expect("the entry function is reachable"),
        args: interface.formals.iter().map(|&p| value(p)).collect(),
        results: Vec::new(),
    }));
    body.push(Stmt::new(StmtKind::Return(Vec::new())));
    let proc = Proc {
        name: START.to_owned(),
        locals: IndexVec::new(),
        n_formals: 0,
        n_returns: 0,
        enforce: None,
        body,
        labels: Vec::new(),
    };
    debug_assert!(proc.body.len() >= 2, "a starter calls and returns");
    proc
}

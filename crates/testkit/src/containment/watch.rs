//! An interpreter's run beside the invariants of a fixpoint.

use std::cell::RefCell;
use std::rc::Rc;

use base::IndexVec;
use bdd::DagRef;
use boolprog::Var;
use ir::interp::{Observer, StateView, Step};
use ir::{EdgeId, Expr, FuncId, Loc, Op, Program};
use predabs::Abstraction;
use reach::{InvariantDag, Reachability, SlotRole};
use vc::Predicates;

/// The values of the predicates of one function, by the position in [`Function::predicates`]; `None` for what was not drawn.
type Values = Vec<Option<bool>>;

/// What a fixpoint says of every location.
pub(super) struct Invariants<'a> {
    abstraction: &'a Abstraction,
    analysis: &'a Reachability<'a>,
    functions: IndexVec<FuncId, Option<Function<'a>>>,
}

struct Function<'a> {
    predicates: Vec<(Var, &'a Expr)>,
    /// Edges across which nothing is known: the boolean program ends there.
    opaque: Vec<EdgeId>,
    /// What was asked for so far.
    at: RefCell<IndexVec<Loc, Option<Rc<InvariantDag>>>>,
}

impl<'a> Invariants<'a> {
    pub(super) fn new(
        program: &'a Program,
        abstraction: &'a Abstraction,
        predicates: &'a Predicates,
        analysis: &'a Reachability<'a>,
    ) -> Invariants<'a> {
        let function = |(func, f): (FuncId, &ir::Function)| {
            let body = f.body.as_ref()?;
            abstraction.functions[func].as_ref()?;
            let mut named = Vec::new();
            for p in predicates.in_scope(func) {
                named.push((abstraction.var(func, p)?, &predicates.get(p).expr));
            }
            let opaque = abstraction.targets.iter().filter(|t| t.func == func);
            Some(Function {
                predicates: named,
                opaque: opaque.map(|t| t.edge).collect(),
                at: RefCell::new(IndexVec::filled(None, body.locations.len())),
            })
        };
        let functions = program.functions.iter_enumerated().map(function).collect();
        Invariants { abstraction, analysis, functions }
    }

    /// The path edges at a location; `None` if the graph does not reach it.
    fn at(&self, func: FuncId, loc: Loc) -> Option<Rc<InvariantDag>> {
        let map = self.abstraction.functions[func].as_ref()?;
        let stmt = map.locations[loc]?;
        let mut known = self.functions[func].as_ref()?.at.borrow_mut();
        let dag = known[loc].get_or_insert_with(|| Rc::new(self.analysis.path_edges(map.proc, stmt)));
        Some(dag.clone())
    }
}

/// Whether a valuation that agrees with `value` is in the graph. Each variable stands at most once on a way through a
/// decision diagram, so a way to true that contradicts no known value is such a valuation.
fn admits(dag: &InvariantDag, value: &dyn Fn(SlotRole) -> Option<bool>) -> bool {
    let mut seen = vec![false; dag.dag.nodes.len()];
    let mut todo = vec![dag.dag.roots[0]];
    while let Some(at) = todo.pop() {
        match at {
            DagRef::Const(true) => return true,
            DagRef::Const(false) => {}
            DagRef::Node(i) if seen[i] => {}
            DagRef::Node(i) => {
                seen[i] = true;
                let node = &dag.dag.nodes[i];
                match value(dag.vars[node.var]) {
                    Some(true) => todo.push(node.hi),
                    Some(false) => todo.push(node.lo),
                    None => todo.extend([node.hi, node.lo]),
                }
            }
        }
    }
    false
}

/// Whether a predicate reads more than whole variables.
fn reads_memory(e: &Expr) -> bool {
    struct Reads(bool);
    impl ir::walk::Visitor for Reads {
        fn read(&mut self, place: &ir::Place) {
            self.0 |= place.as_var().is_none();
        }
    }
    let mut reads = Reads(false);
    ir::walk::walk_expr(e, &mut reads);
    reads.0
}

/// Watches one run.
pub(super) struct Watch<'a> {
    program: &'a Program,
    invariants: &'a Invariants<'a>,
    /// The values at the entry of each unfinished activation.
    entries: Vec<Values>,
    /// The run went across an edge behind which nothing is claimed.
    pub(super) left: bool,
    pub(super) states: u64,
    pub(super) in_callees: u64,
    pub(super) values: u64,
    /// Of those, the values of predicates that read memory.
    pub(super) over_memory: u64,
    /// Predicates that had no value: what they read was not drawn yet, or was not there.
    pub(super) unknown: u64,
    pub(super) wrong: Option<String>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(program: &'a Program, invariants: &'a Invariants<'a>) -> Watch<'a> {
        Watch {
            program,
            invariants,
            entries: Vec::new(),
            left: false,
            states: 0,
            in_callees: 0,
            values: 0,
            over_memory: 0,
            unknown: 0,
            wrong: None,
        }
    }

    fn values(&self, state: &StateView<'_>, func: FuncId) -> Option<Values> {
        let known = self.invariants.functions[func].as_ref()?;
        Some(known.predicates.iter().map(|(_, e)| state.eval_defined(e).map(|v| v.bits != 0)).collect())
    }

    /// The activation stands at `loc`.
    fn look(&mut self, state: &StateView<'_>, func: FuncId, depth: usize, loc: Loc) {
        let name = &self.program.functions[func].name;
        let (Some(now), Some(dag)) = (self.values(state, func), self.invariants.at(func, loc)) else {
            self.wrong = Some(format!("{name} {loc} is visited, but the abstraction does not have it"));
            return;
        };
        self.entries.truncate(depth + 1);
        if self.entries.len() == depth {
            self.entries.push(now.clone());
        }
        let entry = &self.entries[depth];
        let known = self.invariants.functions[func].as_ref().expect("it has values");
        let position = |var: Var| known.predicates.iter().position(|(v, _)| *v == var);
        let value = |role: SlotRole| match role {
            SlotRole::Now(var) => now[position(var)?],
            SlotRole::AtEntry(var) => entry[position(var)?],
            SlotRole::Returned(_) => None,
        };
        self.states += 1;
        self.in_callees += u64::from(depth > 0);
        self.values += now.iter().flatten().count() as u64;
        self.unknown += now.iter().filter(|v| v.is_none()).count() as u64;
        let in_memory = known.predicates.iter().zip(&now).filter(|((_, e), v)| v.is_some() && reads_memory(e));
        self.over_memory += in_memory.count() as u64;
        if !admits(&dag, &value) {
            let show = |values: &Values| {
                let one = |((_, e), v): (&(Var, &Expr), &Option<bool>)| {
                    format!("  {} = {v:?}\n", ir::text::show_expr(self.program, func, e))
                };
                known.predicates.iter().zip(values).map(one).collect::<String>()
            };
            let (now, entry) = (show(&now), show(entry));
            self.wrong =
                Some(format!("{name} {loc} is visited with\n{now}at entry\n{entry}which is not in the invariant"));
        }
    }

    fn stopped(&self) -> bool {
        self.left || self.wrong.is_some()
    }
}

impl Observer for Watch<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        if self.stopped() {
            return;
        }
        let body = self.program.body(step.func);
        self.look(state, step.func, step.depth, body.edges[step.edge].from);
        let known = self.invariants.functions[step.func].as_ref();
        self.left |= known.is_some_and(|k| k.opaque.contains(&step.edge));
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        if self.stopped() {
            return;
        }
        let body = self.program.body(step.func);
        match &body.edges[step.edge].op {
            // The next activation at this depth is another one.
            Op::Call(_) => self.entries.truncate(step.depth + 1),
            Op::Return(_) => self.look(state, step.func, step.depth, body.exit),
            _ => {}
        }
    }
}

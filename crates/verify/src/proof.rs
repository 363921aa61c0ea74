//! From the fixpoint of a boolean program to a proof about the IR program.
//!
//! `reach`'s path edges are two-state invariants over predicates: a variable's value now is the predicate now, its value
//! at entry the predicate in the entry state. Each node of a decision diagram becomes one node of the proof, so a proof
//! is never larger than the diagrams. The location invariants that the abstraction relied on are part of the invariants.

use analysis::Analysis;
use base::Id;
use base::sabotage::{self, Fault};
use boolprog::Var;
use certify::{FunctionProof, Node, NodeId, Proof, ProofKind};
use ir::cfg::Graph;
use ir::walk::variables;
use ir::{BinOp, Body, Expr, FuncId, Loc};
use predabs::Abstraction;
use reach::{InvariantDag, Reachability, SlotRole};
use rustc_hash::FxHashMap;
use vc::{LocationInvariants, Predicates};

/// The proof that the fixpoint of `abstraction` is, with these cut points.
pub(crate) fn from_fixpoint(
    analysis: &Analysis<'_>,
    abstraction: &Abstraction,
    reached: &Reachability<'_>,
    predicates: &Predicates,
    invariants: &LocationInvariants,
    locations: &dyn Fn(FuncId, &Body) -> Vec<Loc>,
) -> Proof {
    let program = analysis.program;
    let functions = invariants_at(analysis, abstraction, reached, predicates, invariants, locations);
    Proof {
        program: certify::text::program_hash(program),
        ub: program.ub.clone(),
        kind: ProofKind::Invariants(functions),
    }
}

/// What the fixpoint of `abstraction` says of the given locations of every function that is reachable.
pub(crate) fn invariants_at(
    analysis: &Analysis<'_>,
    abstraction: &Abstraction,
    reached: &Reachability<'_>,
    predicates: &Predicates,
    invariants: &LocationInvariants,
    locations: &dyn Fn(FuncId, &Body) -> Vec<Loc>,
) -> Vec<FunctionProof> {
    let program = analysis.program;
    let mut functions = Vec::new();
    for (func, map) in abstraction.functions.iter_enumerated() {
        let (Some(map), Some(body)) = (map, &program.functions[func].body) else { continue };
        let mut writer =
            Writer { abstraction, predicates, func, proof: FunctionProof::new(func), nodes: FxHashMap::default() };
        writer.proof.modifies = analysis.modified.globals_of(func).collect();
        let unmodified = unmodified(analysis, predicates, func);
        for loc in locations(func, body) {
            if let Some(stmt) = map.locations[loc] {
                let dag = reached.path_edges(map.proc, stmt);
                let formula = writer.formula(&dag);
                let mut known = invariants.at(func, loc).to_vec();
                if loc != body.entry {
                    known.extend(unmodified.iter().cloned());
                }
                let node = writer.with_invariants(formula, &known);
                writer.proof.invariants.insert(loc, node);
            }
        }
        functions.push(writer.proof);
    }
    functions
}

/// What the abstraction knows without a predicate and the proof has to say: parameters and globals that the function never
/// changes have their entry values. Only those matter that its predicates name.
fn unmodified(analysis: &Analysis<'_>, predicates: &Predicates, func: FuncId) -> Vec<Expr> {
    let program = analysis.program;
    let mut named: Vec<ir::Var> =
        predicates.in_scope(func).flat_map(|id| variables(&predicates.get(id).expr)).collect();
    named.sort_unstable();
    named.dedup();
    let n_params = program.functions[func].n_params;
    let equality = |v: ir::Var| {
        let has_entry_value = match v {
            ir::Var::Global(_) => true,
            ir::Var::Local(l) => l.index() < n_params,
        };
        let ty = program.shape(func, v).scalar()?;
        let now = Expr::var(v, ty);
        let says = has_entry_value && !analysis.modified.var(func, v) && BinOp::Eq.takes(ty);
        says.then(|| Expr::binary(BinOp::Eq, now.clone(), Expr::entry(now)))
    };
    named.into_iter().filter_map(equality).collect()
}

/// The proof that consists of generated invariants alone.
pub(crate) fn from_invariants(analysis: &Analysis<'_>, invariants: &LocationInvariants) -> Proof {
    let program = analysis.program;
    let mut functions = Vec::new();
    for &func in &analysis.cut_points().functions {
        let body = program.body(func);
        let mut proof = FunctionProof::new(func);
        proof.modifies = analysis.modified.globals_of(func).collect();
        for loc in cut_points(body, true) {
            let atoms: Vec<NodeId> =
                invariants.at(func, loc).iter().map(|e| proof.nodes.push(Node::Atom(e.clone()))).collect();
            let all = proof.nodes.push(Node::And(atoms));
            proof.invariants.insert(loc, all);
        }
        functions.push(proof);
    }
    Proof {
        program: certify::text::program_hash(program),
        ub: program.ub.clone(),
        kind: ProofKind::Invariants(functions),
    }
}

/// Entry, exit, and a location on every cycle that can be entered. Where nothing but the abstraction's sets is claimed,
/// these are the locations with more than one way in, which makes for small blocks. Generated invariants are inductive
/// from loop head to loop head: where there are any, only those are cut points.
pub(crate) fn cut_points(body: &Body, has_invariants: bool) -> Vec<Loc> {
    let graph = Graph::new(body);
    let cuts = |l: &Loc| if has_invariants { graph.loop_heads[*l] } else { graph.into[*l].len() > 1 };
    body.locations.ids().filter(|l| *l == body.entry || *l == body.exit || cuts(l)).collect()
}

/// Writes the formulas of one function; equal ones once.
struct Writer<'a> {
    abstraction: &'a Abstraction,
    predicates: &'a Predicates,
    func: FuncId,
    proof: FunctionProof,
    nodes: FxHashMap<Node, NodeId>,
}

impl Writer<'_> {
    fn node(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.nodes.get(&node) {
            return id;
        }
        let id = self.proof.nodes.push(node.clone());
        self.nodes.insert(node, id);
        id
    }

    /// The formula and what is known besides, unless the formula is false anyway.
    fn with_invariants(&mut self, formula: NodeId, known: &[Expr]) -> NodeId {
        if known.is_empty() || self.proof.nodes[formula] == Node::Const(false) {
            return formula;
        }
        let mut all: Vec<NodeId> = known.iter().map(|e| self.node(Node::Atom(e.clone()))).collect();
        all.push(formula);
        self.node(Node::And(all))
    }

    /// The formula of a two-state invariant.
    fn formula(&mut self, dag: &InvariantDag) -> NodeId {
        let mut written: Vec<NodeId> = Vec::with_capacity(dag.dag.nodes.len());
        for n in &dag.dag.nodes {
            let then = self.reference(&written, n.hi);
            let els = self.reference(&written, n.lo);
            let id = match self.atom(dag.vars[n.var]) {
                Some(e) => {
                    let atom = self.node(Node::Atom(e));
                    self.choice(atom, then, els)
                }
                // A variable that is no predicate: some value of it fits.
                None => self.node(Node::Or(vec![then, els])),
            };
            written.push(id);
        }
        self.reference(&written, dag.dag.roots[0])
    }

    fn reference(&mut self, written: &[NodeId], r: bdd::DagRef) -> NodeId {
        match r {
            bdd::DagRef::Const(b) => self.node(Node::Const(b)),
            bdd::DagRef::Node(i) => written[i],
        }
    }

    fn choice(&mut self, atom: NodeId, then: NodeId, els: NodeId) -> NodeId {
        let constant = |w: &Self, id: NodeId| match w.proof.nodes[id] {
            Node::Const(b) => Some(b),
            _ => None,
        };
        match (constant(self, then), constant(self, els)) {
            (Some(true), Some(false)) => atom,
            (Some(false), Some(true)) => self.node(Node::Not(atom)),
            _ => self.node(Node::Ite(atom, then, els)),
        }
    }

    /// The truth value that a variable of the diagram stands for.
    fn atom(&self, role: SlotRole) -> Option<Expr> {
        let pred = |var: Var| self.abstraction.pred(self.func, var).map(|p| self.predicates.get(p).expr.clone());
        match role {
            SlotRole::Now(var) => pred(var),
            SlotRole::AtEntry(var) if sabotage::active(Fault::ProofReadsEntryAsNow) => pred(var),
            SlotRole::AtEntry(var) => pred(var).map(|e| at_entry(&e)),
            SlotRole::Returned(_) => None,
        }
    }
}

/// The truth value in the state at entry, where entry values are the values.
fn at_entry(e: &Expr) -> Expr {
    let flat = ir::walk::without_entry(e);
    if flat.as_const().is_some() { flat } else { Expr::entry(flat) }
}

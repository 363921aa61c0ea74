//! The cut points of a program: entry, exit and loop heads of the functions that its entry reaches. Every cycle of a function's
//! graph passes through one, so what lies between them is free of loops.

use base::IndexVec;
use ir::cfg::{CallGraph, Graph};
use ir::{FuncId, Loc, Program};

/// The functions that the entry reaches, with their graphs and cut points.
#[derive(Debug)]
pub struct CutPoints {
    /// The functions with a body that the entry reaches, in order.
    pub functions: Vec<FuncId>,
    graphs: IndexVec<FuncId, Option<Graph>>,
    at: IndexVec<FuncId, Vec<Loc>>,
}

impl CutPoints {
    pub(crate) fn new(program: &Program, call_graph: &CallGraph) -> CutPoints {
        let reachable = call_graph.reachable_from(program.entry);
        let has_body = |f: &FuncId| reachable[*f] && program.functions[*f].body.is_some();
        let functions: Vec<FuncId> = program.functions.ids().filter(has_body).collect();
        let mut graphs: IndexVec<FuncId, Option<Graph>> = program.functions.iter().map(|_| None).collect();
        let mut at = IndexVec::filled(Vec::new(), program.functions.len());
        for &f in &functions {
            let Some(body) = &program.functions[f].body else { continue };
            let graph = Graph::new(body);
            let is_cut = |l: &Loc| graph.reachable[*l] && (*l == body.entry || *l == body.exit || graph.loop_heads[*l]);
            at[f] = body.locations.ids().filter(is_cut).collect();
            graphs[f] = Some(graph);
        }
        CutPoints { functions, graphs, at }
    }

    /// The graph of a function that the entry reaches.
    pub fn graph(&self, func: FuncId) -> &Graph {
        self.graphs[func].as_ref().expect("only functions that the entry reaches are asked about")
    }

    /// The cut points of a function, in order.
    pub fn of(&self, func: FuncId) -> &[Loc] {
        &self.at[func]
    }
}

//! A function as a directed acyclic graph, one entry per node: what proofs export.

use crate::manager::{Bdd, Manager};
use rustc_hash::FxHashMap;

/// A target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DagRef {
    /// A constant.
    Const(bool),
    /// An entry of [`Dag::nodes`].
    Node(usize),
}

/// "If `var` then `hi` else `lo`."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DagNode {
    /// The variable tested.
    pub var: usize,
    /// The function when it is true.
    pub hi: DagRef,
    /// The function when it is false.
    pub lo: DagRef,
}

/// Functions as shared nodes; children come before their parents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dag {
    /// The nodes.
    pub nodes: Vec<DagNode>,
    /// One per function, in the order asked for.
    pub roots: Vec<DagRef>,
}

impl Dag {
    /// The value of root number `root` where variable `v` has value `env(v)`.
    pub fn eval(&self, root: usize, env: impl Fn(usize) -> bool) -> bool {
        let mut at = self.roots[root];
        loop {
            match at {
                DagRef::Const(b) => return b,
                DagRef::Node(n) => at = if env(self.nodes[n].var) { self.nodes[n].hi } else { self.nodes[n].lo },
            }
        }
    }
}

impl Manager {
    /// The functions `roots` as one graph with shared nodes. The order of the nodes depends on the functions alone.
    pub fn dag<'a>(&self, roots: impl IntoIterator<Item = &'a Bdd>) -> Dag {
        let (mut dag, mut seen) = (Dag::default(), FxHashMap::default());
        for root in roots {
            let r = self.dag_rec(root, &mut dag, &mut seen);
            dag.roots.push(r);
        }
        dag
    }

    fn dag_rec(&self, f: &Bdd, dag: &mut Dag, seen: &mut FxHashMap<Bdd, usize>) -> DagRef {
        // Recursion depth is the number of levels.
        let Some(var) = self.top_var(f) else { return DagRef::Const(f.is_true()) };
        if let Some(&n) = seen.get(f) {
            return DagRef::Node(n);
        }
        let (hi, lo) = self.cofactors(f);
        let (hi, lo) = (self.dag_rec(&hi, dag, seen), self.dag_rec(&lo, dag, seen));
        dag.nodes.push(DagNode { var, hi, lo });
        seen.insert(f.clone(), dag.nodes.len() - 1);
        DagRef::Node(dag.nodes.len() - 1)
    }
}

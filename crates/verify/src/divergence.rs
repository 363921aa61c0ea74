//! The divergence report: where the refinement loop stood when it gave up, the path it could not get rid of, and the loops on it. A person who
//! reads this should see which invariant is missing.

use ir::cfg::{CallGraph, Graph};
use ir::{FuncId, Loc, Path, Program};
use std::collections::BTreeMap;
use vc::{Predicate, Predicates};

/// What the loop was working on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The path that cannot be executed but is possible in the abstraction.
    pub path: Path,
    /// The steps of it (indices) whose conditions disagree.
    pub core: Vec<usize>,
    /// What repeats on the path, most often first.
    pub repeats: Vec<Repeat>,
    /// The predicates that are tracked.
    pub predicates: Vec<Predicate>,
}

/// A loop or a recursive function on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The function.
    pub func: FuncId,
    /// The head of the loop; the function's entry for recursion.
    pub head: Loc,
    /// Whether it is the function itself that repeats.
    pub recursion: bool,
    /// How often the path comes there.
    pub times: u64,
}

impl Divergence {
    /// Looks at a path.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        path: Path,
        core: Vec<usize>,
        predicates: &Predicates,
    ) -> Divergence {
        let repeats = repeats(program, calls, &path);
        let predicates = predicates.ids().map(|id| predicates.get(id).clone()).collect();
        Divergence { path, core, repeats, predicates }
    }
}

/// The loops and recursive functions that a path goes through more than once, most often first; those met first come
/// first among equals.
fn repeats(program: &Program, calls: &CallGraph, path: &Path) -> Vec<Repeat> {
    let mut graphs: BTreeMap<FuncId, Graph> = BTreeMap::new();
    let mut found: Vec<Repeat> = Vec::new();
    for &(func, edge) in &path.edges {
        let Some(body) = &program.functions[func].body else { continue };
        let from = body.edges[edge].from;
        let graph = graphs.entry(func).or_insert_with(|| Graph::new(body));
        let recursion = from == body.entry && calls.is_recursive(func);
        for recursion in [recursion.then_some(true), graph.loop_heads[from].then_some(false)].into_iter().flatten() {
            let same = |r: &&mut Repeat| (r.func, r.head, r.recursion) == (func, from, recursion);
            match found.iter_mut().find(same) {
                Some(r) => r.times += 1,
                None => found.push(Repeat { func, head: from, recursion, times: 1 }),
            }
        }
    }
    // A loop is met once more than it is gone through.
    found.retain(|r| r.times > 1);
    found.sort_by_key(|r| std::cmp::Reverse(r.times));
    found
}

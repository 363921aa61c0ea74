//! The graph of one function while it is being built, and its last step: from that to an [`ir::Body`].
//!
//! Building is generous: `goto`s and joins are `Skip` edges, code behind a jump gets a location of its own that nothing
//! leads to. [`Graph::finish`] then drops what cannot be reached, takes out every `Skip` that is a location's only edge,
//! and numbers locations in reverse postorder, so that the text reads from top to bottom and back edges are the ones that
//! lead to a smaller number.
//!
//! Invariants of the result: no edge leads to the entry, none leaves the exit, the edges of one location stand together
//! in the order in which they were emitted.

use crate::scopes::Scopes;
use base::{Id, IndexVec, Span};
use ir::{Body, Edge, Guard, Loc, Location, Op};

/// A graph under construction.
pub(crate) struct Graph {
    /// The source's label of each location.
    labels: IndexVec<Loc, Option<String>>,
    /// All edges so far.
    pub(crate) edges: Vec<Edge>,
    /// Where the activation begins.
    pub(crate) entry: Loc,
    /// Where it ends.
    pub(crate) exit: Loc,
    /// The scopes in which its locations lie.
    pub(crate) scopes: Scopes,
    /// The end of the function, for the exit's place in the source.
    end: Span,
}

/// Edges leaving each location, by position in the edge list: `starts[l]..starts[l+1]` of `order`.
struct Leaving {
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Leaving {
    fn new(n_locs: usize, edges: &[Edge]) -> Leaving {
        let mut starts = vec![0u32; n_locs + 1];
        for e in edges {
            starts[e.from.index() + 1] += 1;
        }
        for i in 0..n_locs {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut order = vec![0; edges.len()];
        for (i, e) in edges.iter().enumerate() {
            let slot = &mut next[e.from.index()];
            order[*slot as usize] = i as u32;
            *slot += 1;
        }
        Leaving { starts, order }
    }

    fn of(&self, loc: Loc) -> &[u32] {
        &self.order[self.starts[loc.index()] as usize..self.starts[loc.index() + 1] as usize]
    }
}

impl Graph {
    /// A graph with nothing but entry and exit.
    pub(crate) fn new(end: Span) -> Graph {
        let mut labels = IndexVec::new();
        let entry = labels.push(None);
        let exit = labels.push(None);
        Graph { labels, edges: Vec::new(), entry, exit, scopes: Scopes::new(entry), end }
    }

    /// A new location.
    pub(crate) fn loc(&mut self) -> Loc {
        self.labels.push(None)
    }

    /// Gives a location the source's label.
    pub(crate) fn set_label(&mut self, loc: Loc, label: &str) {
        self.labels[loc] = Some(label.to_owned());
    }

    /// Adds an edge.
    pub(crate) fn edge(&mut self, from: Loc, to: Option<Loc>, guards: Vec<Guard>, op: Op, span: Span) {
        debug_assert_eq!(op.ends_run(), to.is_none(), "an edge leads nowhere exactly if its operation ends the run");
        self.scopes.leave(from);
        self.edges.push(Edge { from, to, guards, op, span });
    }

    /// The number of locations.
    pub(crate) fn n_locs(&self) -> usize {
        self.labels.len()
    }

    /// Puts operations in front of everything else.
    pub(crate) fn prepend(&mut self, ops: Vec<(Op, Span)>) {
        for (op, span) in ops.into_iter().rev() {
            let first = self.loc();
            self.edges.push(Edge { from: first, to: Some(self.entry), guards: Vec::new(), op, span });
            self.entry = first;
        }
    }

    /// Locations reachable from the entry in reverse postorder; branches keep their order.
    pub(crate) fn reverse_postorder(&self) -> Vec<Loc> {
        let leaving = Leaving::new(self.labels.len(), &self.edges);
        let mut seen = vec![false; self.labels.len()];
        let mut post = Vec::new();
        seen[self.entry.index()] = true;
        // Successors are visited last to first, so that in the reversed order the first branch comes first.
        let mut stack = vec![(self.entry, leaving.of(self.entry).len())];
        while let Some((loc, left)) = stack.last_mut() {
            if *left == 0 {
                post.push(*loc);
                stack.pop();
                continue;
            }
            *left -= 1;
            let edge = &self.edges[leaving.of(*loc)[*left] as usize];
            if let Some(to) = edge.to
                && !seen[to.index()]
            {
                seen[to.index()] = true;
                stack.push((to, leaving.of(to).len()));
            }
        }
        post.reverse();
        post
    }

    /// Drops edges that leave unreachable locations.
    pub(crate) fn drop_unreachable(&mut self) {
        let mut reached = vec![false; self.labels.len()];
        for loc in self.reverse_postorder() {
            reached[loc.index()] = true;
        }
        self.edges.retain(|e| reached[e.from.index()]);
    }

    /// Joins locations that only a `Skip` stands between. A `Skip` on a cycle of nothing but `Skip`s stays.
    fn take_out_skips(&mut self) {
        let mut out_degree = vec![0u32; self.labels.len()];
        for e in &self.edges {
            out_degree[e.from.index()] += 1;
        }
        let mut leader: Vec<Loc> = self.labels.ids().collect();
        let mut edges = std::mem::take(&mut self.edges);
        edges.retain(|e| {
            let (from, Some(to)) = (find(&mut leader, e.from), e.to) else { return true };
            let to = find(&mut leader, to);
            let plain = matches!(e.op, Op::Skip) && e.guards.is_empty();
            // The entry must stay without edges leading to it, and the exit is reached by `Return` alone.
            if !plain || out_degree[e.from.index()] != 1 || from == to || e.from == self.entry || to == self.exit {
                return true;
            }
            // `from` has this one edge, so whoever comes there may as well start at `to`.
            leader[from.index()] = to;
            if self.labels[to].is_none() {
                self.labels[to] = self.labels[from].take();
            }
            false
        });
        for e in &mut edges {
            e.from = find(&mut leader, e.from);
            e.to = e.to.map(|to| find(&mut leader, to));
        }
        self.edges = edges;
        self.start_late();
    }

    /// Moves the entry over `Skip`s to locations that nothing else leads to.
    fn start_late(&mut self) {
        let (mut leaving, mut leading) = (vec![0u32; self.labels.len()], vec![0u32; self.labels.len()]);
        let mut skip: Vec<Option<usize>> = vec![None; self.labels.len()];
        for (i, e) in self.edges.iter().enumerate() {
            leaving[e.from.index()] += 1;
            if let Some(to) = e.to {
                leading[to.index()] += 1;
            }
            if matches!(e.op, Op::Skip) && e.guards.is_empty() {
                skip[e.from.index()] = Some(i);
            }
        }
        while leaving[self.entry.index()] == 1
            && let Some(i) = skip[self.entry.index()]
            && let Some(to) = self.edges[i].to
            && leading[to.index()] == 1
            && to != self.exit
        {
            // What is left behind is unreachable from the new entry and goes when locations are numbered.
            self.entry = to;
        }
    }

    /// The finished body.
    pub(crate) fn finish(mut self) -> Body {
        self.drop_unreachable();
        self.take_out_skips();
        let order = self.reverse_postorder();
        let mut new: Vec<Option<Loc>> = vec![None; self.labels.len()];
        let mut locations: IndexVec<Loc, Location> = IndexVec::new();
        for &old in order.iter().filter(|&&l| l != self.exit).chain(std::iter::once(&self.exit)) {
            new[old.index()] = Some(locations.push(Location { label: self.labels[old].take(), span: self.end }));
        }
        let mut edges: Vec<Edge> = self.edges.into_iter().filter(|e| new[e.from.index()].is_some()).collect();
        for e in &mut edges {
            e.from = new[e.from.index()].expect("only reachable edges are left");
            e.to = e.to.map(|to| new[to.index()].expect("what a reachable edge leads to is reachable"));
        }
        edges.sort_by_key(|e| e.from);
        for e in edges.iter().rev() {
            locations[e.from].span = e.span;
        }
        let place = |l: Loc| new[l.index()].expect("entry and exit are kept");
        Body { entry: place(self.entry), exit: place(self.exit), locations, edges: edges.into_iter().collect() }
    }
}

fn find(leader: &mut [Loc], mut l: Loc) -> Loc {
    while leader[l.index()] != l {
        let next = leader[l.index()];
        leader[l.index()] = leader[next.index()];
        l = next;
    }
    l
}

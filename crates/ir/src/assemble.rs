//! Making the graph of a function, for front ends with structured statements.
//!
//! An [`Assembly`] is generous: locations may be made and never led to, and [`Assembly::jump`] says that two locations are
//! one without an edge between them. [`Assembly::finish`] drops what the entry does not reach, joins what was said to be
//! one, and numbers locations in reverse postorder, so that the text reads from top to bottom.
//!
//! Invariants of the result, whatever was built: no edge leads to the entry, the edges of one location stand together in
//! the order in which they were added, and a `Skip` that was added with [`Assembly::edge`] stays a step of its own.

use crate::syntax::{Body, Edge, Guard, Loc, Location, Op};
use base::{Id, IndexVec, Span};

/// A graph under construction.
#[derive(Debug)]
pub struct Assembly {
    locations: IndexVec<Loc, Location>,
    edges: Vec<Edge>,
    /// `from` is `to`, with the place of the jump.
    jumps: Vec<(Loc, Loc, Span)>,
    entry: Loc,
    exit: Loc,
}

impl Assembly {
    /// A graph with nothing but entry and exit; `end` is the exit's place in the source.
    pub fn new(end: Span) -> Assembly {
        let mut locations = IndexVec::new();
        let entry = locations.push(Location { label: None, span: end });
        let exit = locations.push(Location { label: None, span: end });
        Assembly { locations, edges: Vec::new(), jumps: Vec::new(), entry, exit }
    }

    /// Where an activation begins.
    pub fn entry(&self) -> Loc {
        self.entry
    }

    /// Where it ends; only [`Op::Return`] leads there.
    pub fn exit(&self) -> Loc {
        self.exit
    }

    /// A new location.
    pub fn loc(&mut self, span: Span) -> Loc {
        self.locations.push(Location { label: None, span })
    }

    /// Gives a location the source's label.
    pub fn label(&mut self, loc: Loc, label: &str) {
        self.locations[loc].label = Some(label.to_owned());
    }

    /// Adds an edge; `to` is `None` exactly if the operation ends the run.
    pub fn edge(&mut self, from: Loc, to: Option<Loc>, guards: Vec<Guard>, op: Op, span: Span) {
        assert_eq!(op.ends_run(), to.is_none(), "an edge leads nowhere exactly if its operation ends the run");
        self.edges.push(Edge { from, to, guards, op, span });
    }

    /// Says that whoever comes to `from`, which no edge leaves, is at `to`, which is not the exit.
    pub fn jump(&mut self, from: Loc, to: Loc, span: Span) {
        assert!(to != self.exit, "only `return` leads to the exit");
        self.jumps.push((from, to, span));
    }

    /// The finished body.
    pub fn finish(mut self) -> Body {
        self.join();
        let order = self.reverse_postorder();
        let mut new: Vec<Option<Loc>> = vec![None; self.locations.len()];
        let mut locations: IndexVec<Loc, Location> = IndexVec::new();
        for &old in order.iter().filter(|&&l| l != self.exit).chain(std::iter::once(&self.exit)) {
            new[old.index()] = Some(locations.push(self.locations[old].clone()));
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

    /// Makes one location of those that are joined by jumps. A jump that cannot be taken out is an edge: one out of the
    /// entry, which nothing may lead to, and one that closes a circle of jumps.
    fn join(&mut self) {
        let mut leader: Vec<Loc> = self.locations.ids().collect();
        for (from, to, span) in std::mem::take(&mut self.jumps) {
            let (a, b) = (find(&leader, from), find(&leader, to));
            if from == self.entry || a == b {
                self.edges.push(Edge { from, to: Some(to), guards: Vec::new(), op: Op::Skip, span });
                continue;
            }
            leader[a.index()] = b;
            let label = self.locations[a].label.take();
            let kept = &mut self.locations[b].label;
            *kept = kept.take().or(label);
        }
        for e in &mut self.edges {
            e.from = find(&leader, e.from);
            e.to = e.to.map(|to| find(&leader, to));
        }
        assert!(self.edges.iter().all(|e| e.to != Some(self.entry)), "no edge leads to the entry");
    }

    fn reverse_postorder(&self) -> Vec<Loc> {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for (i, e) in self.edges.iter().enumerate() {
            leaving[e.from.index()].push(i);
        }
        let mut seen = vec![false; self.locations.len()];
        let mut post = Vec::new();
        seen[self.entry.index()] = true;
        // Successors are visited last to first, so that in the reversed order the first branch comes first.
        let mut stack = vec![(self.entry, leaving[self.entry.index()].len())];
        while let Some((loc, left)) = stack.last_mut() {
            if *left == 0 {
                post.push(*loc);
                stack.pop();
                continue;
            }
            *left -= 1;
            let edge = &self.edges[leaving[loc.index()][*left]];
            if let Some(to) = edge.to
                && !seen[to.index()]
            {
                seen[to.index()] = true;
                stack.push((to, leaving[to.index()].len()));
            }
        }
        post.reverse();
        post
    }
}

fn find(leader: &[Loc], mut l: Loc) -> Loc {
    while leader[l.index()] != l {
        l = leader[l.index()];
    }
    l
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::FileId;

    fn span() -> Span {
        Span::new(FileId::from_index(0), 0, 0)
    }

    #[test]
    fn jumps_disappear_and_unreached_code_goes() {
        let mut a = Assembly::new(span());
        let (head, dead) = (a.loc(span()), a.loc(span()));
        a.label(head, "head");
        let before = a.loc(span());
        a.edge(a.entry(), Some(before), Vec::new(), Op::Skip, span());
        a.jump(before, head, span());
        a.edge(head, Some(a.exit()), Vec::new(), Op::Return(None), span());
        a.edge(dead, Some(head), Vec::new(), Op::Skip, span());
        let body = a.finish();
        assert_eq!((body.locations.len(), body.edges.len()), (3, 2));
        assert_eq!(body.locations[Loc::from_index(1)].label.as_deref(), Some("head"));
    }

    #[test]
    fn a_loop_at_the_beginning_and_an_empty_loop_keep_an_edge() {
        let mut a = Assembly::new(span());
        let head = a.loc(span());
        a.jump(a.entry(), head, span());
        a.jump(head, head, span());
        let body = a.finish();
        assert_eq!(body.edges.len(), 2);
        assert!(body.edges.iter().all(|e| e.op == Op::Skip));
        assert!(body.edges.iter().all(|e| e.to != Some(body.entry)));
    }
}

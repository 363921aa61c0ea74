//! Weak topological orders (Bourdoncle, *Efficient Chaotic Iteration Strategies with Widenings*, FMPA 1993): the locations of
//! a graph as a sequence of locations and loops, each loop with a head and a sequence of its own.
//!
//! Invariant: along every edge, the target stands behind the source, or it is the head of a loop that contains the source.
//! So whoever walks the sequence in order, and each loop round by round, meets every location after all that lead to it,
//! but for what leads back to a head. Irreducible loops have one head, too, and may be entered elsewhere.
//!
//! A loop is a strongly connected component without the edges into its head, decomposed again; components come from
//! Tarjan's algorithm with an explicit stack, so that only the nesting of loops costs recursion.

use crate::syntax::{Body, Loc};
use base::IndexVec;

/// An element of a weak topological order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A location that no loop of this level contains.
    Loc(Loc),
    /// A loop.
    Loop {
        /// The location through which every further round begins.
        head: Loc,
        /// The other locations of the loop, in order.
        body: Vec<Element>,
    },
}

impl Element {
    /// All locations in it, heads included.
    pub fn locations(&self) -> Vec<Loc> {
        match self {
            Element::Loc(l) => vec![*l],
            Element::Loop { head, body } => {
                std::iter::once(*head).chain(body.iter().flat_map(Element::locations)).collect()
            }
        }
    }
}

/// The locations that can be reached from `start` without passing through one that is an `end` (`start` itself may be one), in
/// a weak topological order.
pub fn weak_order(body: &Body, start: Loc, end: impl Fn(Loc) -> bool) -> Vec<Element> {
    let mut successors: IndexVec<Loc, Vec<Loc>> = IndexVec::filled(Vec::new(), body.locations.len());
    for edge in &body.edges {
        if let Some(to) = edge.to.filter(|&to| !end(to)) {
            successors[edge.from].push(to);
        }
    }
    let inside = IndexVec::filled(true, body.locations.len());
    Decomposition { successors, inside }.of(start)
}

struct Decomposition {
    successors: IndexVec<Loc, Vec<Loc>>,
    /// The locations of the part that is decomposed.
    inside: IndexVec<Loc, bool>,
}

impl Decomposition {
    /// The part that `start` reaches.
    fn of(&mut self, start: Loc) -> Vec<Element> {
        let mut components = self.components(start);
        components.reverse();
        components.iter().map(|c| self.element(c)).collect()
    }

    /// A component, whose first location is the one that the search met first.
    fn element(&mut self, component: &[Loc]) -> Element {
        let head = component[0];
        // The head of the loop that is being decomposed is outside: its edge to itself was dealt with.
        if component.len() == 1 && !(self.inside[head] && self.successors[head].contains(&head)) {
            return Element::Loc(head);
        }
        let outer = std::mem::replace(&mut self.inside, IndexVec::filled(false, self.successors.len()));
        for &l in &component[1..] {
            self.inside[l] = true;
        }
        // The head is outside of what is left, so that no edge leads to it; all others are reached from it.
        let mut body = self.of(head);
        debug_assert_eq!(body.first(), Some(&Element::Loc(head)), "the search begins at the head");
        body.remove(0);
        self.inside = outer;
        Element::Loop { head, body }
    }

    /// The strongly connected components of what `start` reaches inside, each after those it leads to. (`start` counts as inside
    /// but is not entered again.) The first location of each is the first that the search met.
    fn components(&self, start: Loc) -> Vec<Vec<Loc>> {
        let n = self.successors.len();
        let mut number: IndexVec<Loc, u32> = IndexVec::filled(u32::MAX, n);
        let mut low: IndexVec<Loc, u32> = IndexVec::filled(u32::MAX, n);
        let mut open: IndexVec<Loc, bool> = IndexVec::filled(false, n);
        let (mut met, mut waiting, mut found) = (0, Vec::new(), Vec::new());
        let mut stack = vec![(start, 0)];
        while let Some((loc, next)) = stack.last_mut() {
            let loc = *loc;
            if *next == 0 {
                (number[loc], low[loc], open[loc]) = (met, met, true);
                met += 1;
                waiting.push(loc);
            }
            let Some(&to) = self.successors[loc].get(*next) else {
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    low[*parent] = low[*parent].min(low[loc]);
                }
                if low[loc] == number[loc] {
                    let first = waiting.iter().rposition(|&l| l == loc).expect("an open location waits");
                    let component = waiting.split_off(first);
                    for &l in &component {
                        open[l] = false;
                    }
                    found.push(component);
                }
                continue;
            };
            *next += 1;
            if !self.inside[to] {
                continue;
            }
            if number[to] == u32::MAX {
                stack.push((to, 0));
            } else if open[to] {
                low[loc] = low[loc].min(number[to]);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Knobs, program};
    use base::Id;
    use base::rng::Rng;

    /// Where each location stands, and the heads of the loops that contain it.
    fn positions(order: &[Element], heads: &[Loc], next: &mut usize, all: &mut Vec<(Loc, usize, Vec<Loc>)>) {
        for element in order {
            match element {
                Element::Loc(l) => all.push((*l, *next, heads.to_vec())),
                Element::Loop { head, body } => {
                    let inner = [heads, &[*head]].concat();
                    all.push((*head, *next, inner.clone()));
                    *next += 1;
                    positions(body, &inner, next, all);
                    continue;
                }
            }
            *next += 1;
        }
    }

    #[test]
    fn a_location_may_lead_to_itself() {
        let span = base::Span::new(base::FileId::from_index(0), 0, 0);
        let mut body = Body {
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            entry: Loc::from_index(0),
            exit: Loc::from_index(1),
        };
        for _ in 0..2 {
            body.locations.push(crate::syntax::Location { label: None, span });
        }
        let skip = |from: usize, to: usize| crate::syntax::Edge {
            from: Loc::from_index(from),
            to: Some(Loc::from_index(to)),
            guards: Vec::new(),
            op: crate::syntax::Op::Skip,
            span,
        };
        body.edges.push(skip(0, 0));
        body.edges.push(skip(0, 1));
        let order = weak_order(&body, body.entry, |_| false);
        let head = body.entry;
        assert_eq!(order, [Element::Loop { head, body: Vec::new() }, Element::Loc(body.exit)]);
    }

    #[test]
    fn edges_lead_forward_or_to_a_head() {
        for seed in 0..300 {
            let program = program(&mut Rng::new(seed), &Knobs::all());
            for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
                let graph = crate::cfg::Graph::new(body);
                let order = weak_order(body, body.entry, |_| false);
                let mut all = Vec::new();
                positions(&order, &[], &mut 0, &mut all);
                let mut seen: Vec<Loc> = all.iter().map(|(l, ..)| *l).collect();
                seen.sort_unstable();
                let reachable: Vec<Loc> = body.locations.ids().filter(|&l| graph.reachable[l]).collect();
                assert_eq!(seen, reachable, "seed {seed}: every reachable location stands once");
                let of = |l: Loc| all.iter().find(|(m, ..)| *m == l);
                for e in &body.edges {
                    let (Some((_, from, heads)), Some(to)) = (of(e.from), e.to) else { continue };
                    let (_, at, _) = of(to).expect("what a reachable location leads to is reachable");
                    assert!(at > from || heads.contains(&to), "seed {seed}: {} to {to}", e.from);
                }
            }
        }
    }
}

//! What a run did, as far as it guides the search: which steps followed which and about how often, and how near it came to a target.

use base::{Id, IndexVec};
use ir::interp::{Observer, StateView, Step};
use ir::{Callee, FuncId, Loc, Op, Program};

/// Pairs of steps are told apart by so many bits.
const BITS: u32 = 16;

/// How many steps lie at least between a location and a target, if calls return.
pub(super) struct Distances(IndexVec<FuncId, IndexVec<Loc, u32>>);

impl Distances {
    pub(super) fn new(program: &Program) -> Distances {
        let far = |f: &ir::Function| match &f.body {
            Some(body) => IndexVec::filled(u32::MAX, body.locations.len()),
            None => IndexVec::new(),
        };
        let mut distances = Distances(program.functions.iter().map(far).collect());
        while distances.shorten(program) {}
        distances
    }

    /// Looks at each step once, the last first; whether anything came nearer.
    fn shorten(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for (func, body) in program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?))) {
            for edge in body.edges.iter().rev() {
                let inside = match &edge.op {
                    Op::Error(_) => 0,
                    Op::Call(call) => match call.callee {
                        Callee::Direct(f) if program.functions[f].body.is_some() => self.0[f][program.body(f).entry],
                        _ => u32::MAX,
                    },
                    _ => u32::MAX,
                };
                let behind = edge.to.map_or(u32::MAX, |to| self.0[func][to]);
                let distance = inside.min(behind).saturating_add(1);
                if distance < self.0[func][edge.from] {
                    self.0[func][edge.from] = distance;
                    changed = true;
                }
            }
        }
        changed
    }
}

/// Watches one run after the other.
pub(super) struct Coverage<'p> {
    program: &'p Program,
    distances: Distances,
    /// The number of each function's first edge.
    first: IndexVec<FuncId, u64>,
    /// How often each pair of steps came up in this run, and which did.
    counts: Vec<u8>,
    touched: Vec<u32>,
    /// The classes of counts that each pair had in any run.
    seen: Vec<u8>,
    last: u64,
    nearest: u32,
}

impl<'p> Coverage<'p> {
    pub(super) fn new(program: &'p Program) -> Coverage<'p> {
        let mut n = 0;
        let mut first = IndexVec::new();
        for f in &program.functions {
            first.push(n);
            n += f.body.as_ref().map_or(0, |b| b.edges.len() as u64);
        }
        Coverage {
            program,
            distances: Distances::new(program),
            first,
            counts: vec![0; 1 << BITS],
            touched: Vec::new(),
            seen: vec![0; 1 << BITS],
            last: 0,
            nearest: u32::MAX,
        }
    }

    /// The run has ended: whether it did something that none did before, and how near it came to a target.
    pub(super) fn take(&mut self) -> (bool, u32) {
        let mut new = false;
        for pair in self.touched.drain(..) {
            let class = class(std::mem::take(&mut self.counts[pair as usize]));
            let seen = &mut self.seen[pair as usize];
            new |= *seen & class == 0;
            *seen |= class;
        }
        self.last = 0;
        (new, std::mem::replace(&mut self.nearest, u32::MAX))
    }
}

/// The class of a count, as a bit.
fn class(count: u8) -> u8 {
    match count {
        0..=3 => 1 << count.saturating_sub(1),
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

impl Observer for Coverage<'_> {
    fn before(&mut self, _: &StateView<'_>, step: Step) {
        let from = self.program.body(step.func).edges[step.edge].from;
        self.nearest = self.nearest.min(self.distances.0[step.func][from]);
        let number = self.first[step.func] + step.edge.index() as u64 + 1;
        let mixed = (number ^ self.last.rotate_left(20)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.last = number;
        let pair = mixed >> (64 - BITS);
        let count = &mut self.counts[pair as usize];
        if *count == 0 {
            self.touched.push(pair as u32);
        }
        *count = count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_classes() {
        let classes: Vec<u8> = [1, 2, 3, 4, 8, 16, 32, 128].map(class).into();
        assert_eq!(classes, [1, 2, 4, 8, 16, 32, 64, 128]);
        assert!((1..=255).map(class).is_sorted());
    }
}

//! The clauses of the small SAT solver, one behind the other in one array.

use super::{BINARY, L};

/// All clauses: of each its length, its literal block distance (0 for one that was added), and its literals. A clause is named by
/// where it begins.
#[derive(Default)]
pub(super) struct Clauses {
    pub(super) words: Vec<u32>,
    /// Words of removed clauses.
    pub(super) wasted: usize,
}

/// Words in front of a clause's literals.
pub(super) const HEADER: usize = 2;
/// The distance of a removed clause.
pub(super) const REMOVED: u32 = u32::MAX;

impl Clauses {
    pub(super) fn push(&mut self, lits: &[L], distance: u32) -> u32 {
        let id = u32::try_from(self.words.len()).ok().filter(|&id| id < BINARY).expect("fewer than 2^31 literals");
        self.words.extend([lits.len() as u32, distance]);
        self.words.extend_from_slice(lits);
        id
    }

    pub(super) fn lits(&self, id: u32) -> &[L] {
        let at = id as usize;
        &self.words[at + HEADER..][..self.words[at] as usize]
    }

    pub(super) fn lits_mut(&mut self, id: u32) -> &mut [L] {
        let at = id as usize;
        let len = self.words[at] as usize;
        &mut self.words[at + HEADER..][..len]
    }

    pub(super) fn distance(&self, id: u32) -> u32 {
        self.words[id as usize + 1]
    }

    pub(super) fn is_removed(&self, id: u32) -> bool {
        self.distance(id) == REMOVED
    }

    pub(super) fn remove(&mut self, id: u32) {
        self.words[id as usize + 1] = REMOVED;
        self.wasted += HEADER + self.lits(id).len();
    }

    /// All clauses that are not removed.
    pub(super) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        let all = std::iter::from_fn(move || {
            let id = at as u32;
            let len = *self.words.get(at)?;
            at += HEADER + len as usize;
            Some(id)
        });
        all.filter(|&id| !self.is_removed(id))
    }

    /// Closes the gaps that removed clauses left; of each clause that stays, `self` then says where it went.
    pub(super) fn compact(&mut self) -> Clauses {
        let mut moved = Clauses::default();
        let ids: Vec<u32> = self.ids().collect();
        for id in ids {
            let to = moved.push(self.lits(id), self.distance(id));
            self.words[id as usize + 1] = to;
        }
        moved
    }
}

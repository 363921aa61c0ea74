//! All that has escaped, seen as one object.

use pointsto::{Cell, Object, Offsets, RegionId, Regions, Slot, Solution, Targets};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// All that has escaped, as one object: what may be done to it is done to each. Whatever is read or written through a pointer
/// of unknown origin lies at any offset, so offsets are left aside.
pub(super) struct Outside {
    /// What the objects hold, together.
    pub(super) slots: BTreeMap<Slot, Targets>,
    /// The cells that one of them or the outside itself has.
    pub(super) cells: Vec<(Cell, RegionId)>,
    /// What each of them may hold at any offset, by size and kind of slot; equal sets once, and only slots that all have.
    pub(super) held: BTreeMap<(u64, bool), Vec<Targets>>,
    /// What has been seen to hold of all of them: regions by size of access, and counterparts of cells.
    pub(super) accessed: RefCell<BTreeMap<u64, RegionId>>,
    pub(super) counterparts: RefCell<BTreeSet<(u64, RegionId)>>,
}

impl Outside {
    pub(super) fn new(solution: &Solution, regions: &Regions) -> Outside {
        let mut slots: BTreeMap<(u64, bool), Vec<&Targets>> = BTreeMap::new();
        let mut wide: BTreeMap<(u64, bool), (usize, Vec<Targets>)> = BTreeMap::new();
        let mut cells = BTreeSet::new();
        for object in &solution.escaped {
            for (slot, held) in solution.contents.get(object).into_iter().flatten() {
                slots.entry((slot.size, slot.pointer)).or_default().push(held);
                if slot.at == Offsets::ANY {
                    let (n, sets) = wide.entry((slot.size, slot.pointer)).or_default();
                    *n += 1;
                    if !sets.contains(held) {
                        sets.push(held.clone());
                    }
                }
            }
        }
        wide.retain(|_, (n, _)| *n == solution.escaped.len());
        for object in solution.escaped.iter().chain([&Object::Ext]) {
            let all = regions.cells.get(object).into_iter().flatten();
            cells.extend(all.map(|&(cell, region)| (Cell { object: Object::Ext, at: Offsets::ANY, ..cell }, region)));
        }
        let slot = |(size, pointer)| Slot { at: Offsets::ANY, size, pointer };
        Outside {
            slots: slots.into_iter().map(|(key, held)| (slot(key), Targets::union(held))).collect(),
            cells: cells.into_iter().collect(),
            held: wide.into_iter().map(|(key, (_, sets))| (key, sets)).collect(),
            accessed: RefCell::default(),
            counterparts: RefCell::default(),
        }
    }
}

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
    /// What has been seen to hold of all of them: writes by size, kind and value, regions by size of access, counterparts
    /// of cells.
    pub(super) held: RefCell<BTreeMap<(u64, bool), Vec<Targets>>>,
    pub(super) accessed: RefCell<BTreeMap<u64, RegionId>>,
    pub(super) counterparts: RefCell<BTreeSet<(u64, RegionId)>>,
}

impl Outside {
    pub(super) fn new(solution: &Solution, regions: &Regions) -> Outside {
        let mut slots: BTreeMap<(u64, bool), Vec<&Targets>> = BTreeMap::new();
        let mut cells = BTreeSet::new();
        for object in &solution.escaped {
            for (slot, held) in solution.contents.get(object).into_iter().flatten() {
                slots.entry((slot.size, slot.pointer)).or_default().push(held);
            }
        }
        for object in solution.escaped.iter().chain([&Object::Ext]) {
            let all = regions.cells.get(object).into_iter().flatten();
            cells.extend(all.map(|&(cell, region)| (Cell { object: Object::Ext, at: Offsets::ANY, ..cell }, region)));
        }
        let slot = |(size, pointer)| Slot { at: Offsets::ANY, size, pointer };
        Outside {
            slots: slots.into_iter().map(|(key, held)| (slot(key), Targets::union(held))).collect(),
            cells: cells.into_iter().collect(),
            held: RefCell::default(),
            accessed: RefCell::default(),
            counterparts: RefCell::default(),
        }
    }
}

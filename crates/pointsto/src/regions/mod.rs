//! Memory as regions: no access of the program crosses the border of one, so each can be a map of its own in logic.
//!
//! A *cell* is what one access may touch of one object: offsets and a size. All cells of one access lie in one region,
//! and so do cells that may share a byte. What a copy moves lies in one region before and after it. A region whose
//! cells all have one size and never overlap in part is a map from addresses to words of that size, any other one from
//! addresses to bytes.
//!
//! A region is *private* to a function if it holds only locals of it whose address is never stored: no other activation
//! can reach them.

mod build;
mod modifies;

use crate::offsets::Offsets;
use crate::query::Query;
use crate::solution::Object;
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec, define_id};
use ir::{Expr, FuncId};
use std::collections::{BTreeMap, BTreeSet};

define_id!(pub RegionId, "R", "A region of memory.");

/// What one access may touch of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Of this object.
    pub object: Object,
    /// From here.
    pub at: Offsets,
    /// So many bytes.
    pub size: u64,
}

/// What the values of a region's map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// Words of so many bytes, each at the address of its first.
    Word(u64),
    /// Bytes.
    Byte,
}

/// One region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What its map maps to.
    pub width: Width,
    /// The function that alone can reach it.
    pub private: Option<FuncId>,
    /// The objects it has parts of.
    pub objects: BTreeSet<Object>,
}

/// The regions of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    /// All regions. The first is where accesses go that cannot happen.
    pub all: IndexVec<RegionId, Region>,
    /// The cells of each object and their regions.
    pub cells: BTreeMap<Object, Vec<(Cell, RegionId)>>,
    /// The regions that each function, with all that it calls, may write.
    pub modifies: IndexVec<FuncId, BTreeSet<RegionId>>,
    /// The regions of what is known outside.
    pub outside: BTreeSet<RegionId>,
    /// Those among them that a function without body may write: they do not hold constants alone.
    pub changed: BTreeSet<RegionId>,
}

impl Regions {
    /// Where accesses go that cannot happen.
    pub fn nowhere() -> RegionId {
        RegionId::from_index(0)
    }

    /// The regions of the program that the solution is about.
    pub fn new(query: Query<'_>) -> Regions {
        build::build(query)
    }

    /// The region of an access of `size` bytes at `accessed` ([`Query::accessed`]); `None` if the program itself makes no
    /// such access.
    pub fn of(&self, accessed: &Targets, size: u64) -> Option<RegionId> {
        let mut found = None;
        let mut take = |region: RegionId, aligned: bool| {
            let fits = match self.all[region].width {
                Width::Byte => true,
                Width::Word(n) => n == size && aligned,
            };
            fits && *found.get_or_insert(region) == region
        };
        for (&object, &at) in accessed {
            let all_fit = if object == Object::Ext {
                // At any offset of anything that is known outside.
                let itself = |region: RegionId| self.all[region].objects.contains(&Object::Ext);
                let known = |region: RegionId| !sabotage::active(Fault::NumbersReachNothing) || itself(region);
                self.outside.iter().filter(|r| known(**r)).all(|&region| take(region, size == 1))
            } else {
                let meets = self.cells.get(&object).into_iter().flatten();
                let meets = meets.map(|(cell, region)| (at.meet(size, cell.at, cell.size), *region));
                meets.filter(|(meet, _)| meet.overlap).all(|(meet, region)| take(region, meet.aligned))
            };
            if !all_fit {
                return None;
            }
        }
        Some(found.unwrap_or(Regions::nowhere()))
    }

    /// The regions that a range from `reached` on may touch; `None` as length is any.
    pub fn of_range(&self, reached: &Targets, len: Option<u64>) -> BTreeSet<RegionId> {
        let mut found = BTreeSet::new();
        for (&object, &at) in reached {
            let (at, len) = len.map_or((Offsets::ANY, 1), |n| (at, n));
            let len = if sabotage::active(Fault::RangeTooShort) { len / 2 } else { len };
            let cells = self.cells.get(&object).into_iter().flatten();
            found.extend(cells.filter(|(c, _)| at.meet(len, c.at, c.size).overlap).map(|&(_, r)| r));
        }
        found
    }

    /// The regions that have parts of an object.
    pub fn of_object(&self, object: Object) -> BTreeSet<RegionId> {
        self.cells.get(&object).into_iter().flatten().map(|&(_, r)| r).collect()
    }
}

/// A constant length.
fn constant_length(len: &Expr) -> Option<u64> {
    len.as_const().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 40)
}

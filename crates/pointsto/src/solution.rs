//! What the analysis found, as data. Whether it is closed under every operation of a program can be checked by other
//! code.

use crate::offsets::Offsets;
use crate::targets::Targets;
use base::IndexVec;
use ir::{FuncId, GlobalId, LocalId, Program, SiteId};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer can point into. A local stands for those of all activations and lifetimes, a site for all its allocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// The outside; as a target also every object that is known there ([`Solution::escaped`]).
    Ext,
    /// A global that lives in memory.
    Global(GlobalId),
    /// A local that lives in memory.
    Local(FuncId, LocalId),
    /// What an allocation made.
    Site(SiteId),
    /// A function.
    Func(FuncId),
}

impl Object {
    /// Whether no function without body writes it.
    pub fn is_constant(self, program: &Program) -> bool {
        match self {
            Object::Global(g) => program.globals[g].constant,
            Object::Local(f, l) => program.functions[f].locals[l].constant,
            Object::Ext | Object::Site(_) | Object::Func(_) => false,
        }
    }
}

/// Bytes of an object that something was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Where.
    pub at: Offsets,
    /// How many bytes.
    pub size: u64,
    /// Whole pointers, rather than bytes of anything else.
    pub pointer: bool,
}

/// What was found. Flow-insensitive: every fact holds at every moment of every run. A set with [`Object::Ext`] names
/// neither what has escaped nor the functions that can be found outside: they are meant already, at any offset. (Any
/// other function is meant too: the outside can name it.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The pointers in globals that do not live in memory.
    pub globals: IndexVec<GlobalId, Targets>,
    /// The pointers in locals that do not live in memory.
    pub locals: IndexVec<FuncId, IndexVec<LocalId, Targets>>,
    /// The pointers in memory. Bytes that are no pointers have [`Object::Ext`] if they may be read as one that is not
    /// null, and nothing otherwise; pointers that may overlap each other have it too.
    pub contents: BTreeMap<Object, BTreeMap<Slot, Targets>>,
    /// Objects that the outside may know: passed to it, stored there, reachable from such, or turned into a number.
    pub escaped: BTreeSet<Object>,
    /// Functions whose addresses the outside may find: in an escaped object, stored outside, or turned into a number. (One
    /// that is only handed to a function without body as an argument is not among them.)
    pub functions: BTreeSet<FuncId>,
}

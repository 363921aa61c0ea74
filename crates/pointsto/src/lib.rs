//! What pointers may point to, and memory as regions.
//!
//! - [`analyze`] is an inclusion-based analysis (Andersen), flow-insensitive, with objects by variable and by allocation
//!   site and pointers told apart by offset ([`Offsets`]). Its [`Solution`] is data; [`Query`] asks it.
//! - [`Regions`] divides memory so that no access crosses a border: each region can be a map of its own in logic.
//!
//! **What is covered.** The analysis follows provenance as [`ir::interp`] does: a pointer accesses only the object it was
//! made for, whatever its address. Pointers in integers, and pointers of which only some bytes were copied, are numbers:
//! their objects are *escaped*, and a number used as a pointer is of unknown origin ([`Object::Ext`]), which reaches the
//! outside and whatever escaped. All this needs accesses outside of objects to be events that do not count: a program
//! whose table ignores those has no analysis ([`applies`]).
//!
//! A missing case is one that cannot happen; a single case is never one that must: sites and locals stand for many
//! objects, and an empty set says nothing at all.

mod eval;
mod known;
mod offsets;
mod query;
mod regions;
mod solution;
mod solve;
mod targets;

pub use offsets::{Meet, Offsets};
pub use query::Query;
pub use regions::{Cell, Region, RegionId, Regions, Width};
pub use solution::{Object, Slot, Solution};
pub use targets::Targets;

use ir::cfg::AddressTaken;
use ir::{Program, Ub, UbPolicy};

/// Whether the analysis covers the program: an access that leaves its object ends the run.
pub fn applies(program: &Program) -> bool {
    let kinds = [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree];
    kinds.iter().all(|&ub| program.ub.get(ub) != UbPolicy::Ignored)
}

/// What the pointers of a program may point to. Asks [`applies`] of the caller.
pub fn analyze(program: &Program, taken: &AddressTaken) -> Solution {
    solve::solve(program, taken)
}

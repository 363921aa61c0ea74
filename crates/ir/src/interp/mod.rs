//! The concrete meaning of programs: runs them, one edge per step, and names whatever goes wrong.
//!
//! **Values.** Integers wrap around; division and shifts are total as in SMT-LIB. Floats round to nearest. Whatever is
//! arbitrary is drawn from [`Inputs`] when it is first looked at, and written to a [`Tape`].
//!
//! **Undefined behaviour** is always detected: by an edge's guards, in order, and by the accesses of memory themselves. A kind
//! that the table ignores goes on with the total meaning (an access goes by address alone, into whatever lies there);
//! any other ends the run as [`End::Ub`]. A call through a bad pointer has no total meaning and always ends the run.
//! `&&` and `||` of truth values and choices evaluate only the operands they need.
//!
//! **Branches.** A run takes the first edge that is enabled: its guards and its condition hold. The edges of a
//! location are looked at in order up to the one taken, also by [`follow`]. If none is enabled, the run ends in the
//! event of the first failed guard, or else as [`End::Blocked`].
//!
//! **Pointers** are flat addresses that remember what they were made for: an object, a function, the outside, or nothing.
//! - Arithmetic on addresses keeps this provenance; it, not the address, says which object may be accessed.
//! - Bytes of a stored pointer keep it too: copied bytes make up the pointer again. Read as integers they lose it, and
//!   the object's address counts as *exposed* from then on, as after a conversion to an integer.
//! - A number converted to a pointer gets the provenance of the exposed live object in which it lies (or one past whose
//!   end), of the exposed object that lay there and has ended, of a function that has this address, or none.
//! - A pointer that was never initialised, in a variable or an object of the program, points to nothing, and so does null plus
//!   something: they can be compared, but an access through them is out of bounds.
//! - A pointer with no provenance, or one to the outside, may access all addresses that belong to no object and no
//!   function and are not in the first page (that is a null dereference): the outside is an unbounded object with arbitrary
//!   contents.
//! - An input pointer may point to objects that have escaped: passed to a function without body, stored outside, reachable
//!   from such an object, exposed, or a global that the outside knows from the start ([`Program::known_outside`]); what a
//!   global points to at which the outside can look has escaped too.
//!
//! **Objects** get addresses in the order of their creation, aligned, with gaps, never used twice; inputs may choose others.
//! Variables whose address is never taken are not objects. `free` takes null, the start of a live heap object, and pointers to
//! the outside, where it does nothing.

mod access;
mod arith;
mod calls;
mod code;
mod constant;
mod decimal;
mod eval;
mod float;
mod format;
mod inputs;
mod library;
mod machine;
mod memory;
mod ops;
mod spelling;
mod state;
mod tape;
mod tape_text;
mod value;

pub use constant::constant;
#[cfg(any(test, feature = "testing"))]
pub(crate) use inputs::float_pattern;
pub use inputs::{
    Answer, At, Input, InputCause, Inputs, Origin, Patch, PatchData, Pointer, RandomInputs, RepeatingInputs, Request,
    What, ZeroInputs,
};
pub use memory::{ext_base, function_address};
pub use state::StateView;
pub use tape::{Data, Entry, InputError, Kind, Tape, TapeInputs};
pub use value::{Provenance, Value};

use crate::path::Path;
use crate::syntax::*;
use base::Exhausted;

/// What is exhausted when a run ends because it has made all its steps.
const STEPS: &str = "interpreter steps";

impl End {
    /// Whether the run was cut after so many steps: with more it would have gone on.
    pub fn is_cut(&self) -> bool {
        matches!(self, End::Limit(e) if e.what == STEPS)
    }
}

/// How far a run may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps; operations on ranges count one more per 32 bytes.
    pub steps: u64,
    /// Bytes for objects, activations and the tape.
    pub memory_bytes: u64,
    /// Nested activations.
    pub call_depth: usize,
}

impl Default for Limits {
    /// A million steps, 256 MiB, a hundred thousand activations.
    fn default() -> Limits {
        Limits { steps: 1_000_000, memory_bytes: 256 << 20, call_depth: 100_000 }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The property is broken.
    Error {
        /// How.
        kind: ErrorKind,
        /// Where.
        at: (FuncId, EdgeId),
    },
    /// The entry function returned, with this value if it has one that anybody looked at.
    Exited(Option<Value>),
    /// `abort`, `exit` and their like.
    Halted {
        /// Where.
        at: (FuncId, EdgeId),
    },
    /// No edge is enabled: an assumption failed.
    Blocked {
        /// The function.
        func: FuncId,
        /// Where it stands.
        loc: Loc,
    },
    /// Undefined behaviour.
    Ub {
        /// Which.
        ub: Ub,
        /// What the program's table says of it.
        policy: UbPolicy,
        /// Where.
        at: At,
    },
    /// The source does something that the tool cannot follow.
    Unsupported {
        /// What.
        why: String,
        /// Where.
        at: (FuncId, EdgeId),
    },
    /// A limit was reached.
    Limit(Exhausted),
    /// The inputs do not fit the run.
    BadInput {
        /// Why not.
        why: InputError,
        /// Where.
        at: At,
    },
    /// [`follow`]: the path's next edge cannot be taken.
    Diverged {
        /// The index of the edge in the path.
        index: usize,
        /// Why not.
        why: Divergence,
    },
    /// [`follow`]: the path's last edge was taken, and the run could go on.
    PathEnd,
}

/// Why a path's next edge cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Divergence {
    /// The edge is in another function than the one that runs.
    OtherFunction,
    /// The edge starts at another location than the one where the run stands.
    OtherLocation,
    /// The edge's condition is false.
    ConditionFalse,
}

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// How it ended.
    pub end: End,
    /// How many edges were taken.
    pub steps: u64,
    /// All answers it took, in order: a strict replay with this tape is the same run.
    pub tape: Tape,
    /// It took no answer of any kind, and nothing depended on where objects lie: the program has no other run.
    pub drew_nothing: bool,
}

/// A step that an [`Observer`] sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// The index of the step in the run, from 0.
    pub index: u64,
    /// How many activations lie below this one.
    pub depth: usize,
}

/// Watches a run. With [`ACTIVE`](Self::ACTIVE) unset it costs nothing.
pub trait Observer {
    /// Whether the methods are called at all.
    const ACTIVE: bool = true;
    /// Whether [`StateView::eval`] must know entry values; each call then keeps a copy of all globals.
    const ENTRY_VALUES: bool = false;

    /// The edge has been found enabled and is about to be taken.
    fn before(&mut self, _state: &StateView<'_>, _step: Step) {}

    /// The operation has been done. After a call of a function with a body, the state is that of the callee at its
    /// entry; after a return, that of the callee at its exit, with the result in its local. Not called for a step that
    /// ends the run.
    fn after(&mut self, _state: &StateView<'_>, _step: Step) {}

    /// A call of a function with a body is over: `step` is the step of the call, the state that of the caller, with
    /// the result in its destination.
    fn returned(&mut self, _state: &StateView<'_>, _step: Step) {}

    /// The program prints: it calls the formatting function for nothing but its text. Called whether active or not.
    fn output(&mut self, _text: &[u8]) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ACTIVE: bool = false;
}

/// Records the path of a run.
#[derive(Clone, Debug, Default)]
pub struct PathRecorder {
    /// The edges taken so far.
    pub path: Path,
}

impl Observer for PathRecorder {
    fn before(&mut self, _state: &StateView<'_>, step: Step) {
        self.path.edges.push((step.func, step.edge));
    }
}

/// Runs a valid program from the start of its entry function.
pub fn run<O: Observer>(program: &Program, inputs: &mut dyn Inputs, limits: &Limits, observer: &mut O) -> Execution {
    Prepared::new(program).run(inputs, limits, observer)
}

/// A program that was made ready for many runs.
#[derive(Debug)]
pub struct Prepared<'p> {
    program: &'p Program,
    code: code::Compiled,
}

impl<'p> Prepared<'p> {
    /// Makes a valid program ready.
    pub fn new(program: &'p Program) -> Prepared<'p> {
        Prepared { program, code: code::compile(program) }
    }

    /// Runs it from the start of its entry function.
    pub fn run<O: Observer>(&self, inputs: &mut dyn Inputs, limits: &Limits, observer: &mut O) -> Execution {
        machine::Machine::new(self.program, &self.code, inputs, *limits, observer).run(None)
    }
}

/// The bit pattern of a floating constant of C, without its suffix, rounded once to `ty`.
pub fn float_literal(text: &str, ty: FloatTy) -> Option<u128> {
    float::literal(text, ty)
}

/// The value of a function of `math.h`, on patterns.
pub fn float_function(lib: crate::library::Library, args: &[u128]) -> u128 {
    float::library(lib, args)
}

/// The nearest number of another floating type, as patterns.
pub(crate) fn float_resized(from: FloatTy, to: FloatTy, bits: u128) -> u128 {
    float::resize(from, to, bits)
}

/// Runs a valid program along a path: at each location the path's next edge must start there, and its guards and condition
/// must hold. Ends with the path's last edge.
pub fn follow<O: Observer>(
    program: &Program,
    path: &Path,
    inputs: &mut dyn Inputs,
    limits: &Limits,
    observer: &mut O,
) -> Execution {
    let code = code::compile(program);
    machine::Machine::new(program, &code, inputs, *limits, observer).run(Some(path))
}

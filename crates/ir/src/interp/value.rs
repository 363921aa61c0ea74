//! Values of the interpreter: bit patterns, and for pointers what they were made for.

use std::fmt;

/// A value: its bit pattern (zero above the width of its type), and for a pointer its provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The pattern.
    pub bits: u128,
    /// What a pointer was made for; [`Provenance::NONE`] for everything that is not a pointer.
    pub provenance: Provenance,
}

/// What a pointer was made for. Arithmetic keeps it; it decides what the pointer may access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Provenance(u32);

impl Provenance {
    /// Nothing known: null, a number, and everything that is not a pointer.
    pub const NONE: Provenance = Provenance(0);
    /// The outside: an unbounded object with arbitrary contents.
    pub(crate) const EXT: Provenance = Provenance(u32::MAX - 2);
    /// A pointer that was never initialised, or null moved: it points to nothing, so accessing through it is out of
    /// bounds.
    pub const WILD: Provenance = Provenance(u32::MAX - 3);
    /// A function.
    pub const FUNCTION: Provenance = Provenance(u32::MAX - 1);
    /// No value at all yet: the first read draws one. Never leaves the interpreter.
    pub(crate) const UNDRAWN: Provenance = Provenance(u32::MAX);
    /// How many objects a run can have.
    pub(crate) const MAX_OBJECTS: u32 = u32::MAX - 8;

    /// The object with this number.
    pub(crate) fn object(number: u32) -> Provenance {
        debug_assert!(number < Self::MAX_OBJECTS, "object numbers stay below the special ones");
        Provenance(number + 1)
    }

    /// The number of the object, in the order in which the run made them.
    pub fn as_object(self) -> Option<u32> {
        (self.0 > 0 && self.0 <= Self::MAX_OBJECTS).then(|| self.0 - 1)
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Provenance {
        Provenance(bits)
    }
}

impl fmt::Debug for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Provenance::NONE => f.write_str("none"),
            Provenance::EXT => f.write_str("ext"),
            Provenance::WILD => f.write_str("wild"),
            Provenance::FUNCTION => f.write_str("function"),
            Provenance::UNDRAWN => f.write_str("undrawn"),
            Provenance(n) => write!(f, "object#{}", n - 1),
        }
    }
}

impl Value {
    /// A value that is not a pointer, or a pointer to nothing.
    pub fn plain(bits: u128) -> Value {
        Value { bits, provenance: Provenance::NONE }
    }

    /// The pointer that arithmetic makes of this one. What is moved away from null points to nothing.
    pub(crate) fn moved_to(self, address: u64) -> Value {
        let null = self.bits == 0 && self.provenance == Provenance::NONE;
        let provenance = if null && address != 0 { Provenance::WILD } else { self.provenance };
        Value { bits: address.into(), provenance }
    }

    /// Whether this is the truth value "true".
    pub fn is_true(self) -> bool {
        self.bits != 0
    }
}

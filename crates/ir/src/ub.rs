//! Kinds of undefined behaviour: their names and the table of policies.

use crate::syntax::{Ub, UbPolicy, UbTable};

/// The number of kinds.
pub(crate) const N_UBS: usize = Ub::ALL.len();

impl Ub {
    /// Events about memory on which no proof may build: that an execution has none is never used to prove anything, only to
    /// find runs (SOUNDNESS.md).
    pub(crate) const NOT_FOR_PROOFS: [Ub; 4] = [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree, Ub::BadFree];

    /// Whether a proof may build on executions without this event.
    pub fn is_for_proofs(self) -> bool {
        !Ub::NOT_FOR_PROOFS.contains(&self)
    }

    /// All kinds, in the order of their definition.
    pub const ALL: [Ub; 15] = [
        Ub::SignedOverflow,
        Ub::DivByZero,
        Ub::DivOverflow,
        Ub::ShiftCount,
        Ub::NullDeref,
        Ub::OutOfBounds,
        Ub::UseAfterFree,
        Ub::BadFree,
        Ub::BadCall,
        Ub::Overlap,
        Ub::FloatToInt,
        Ub::ConstWrite,
        Ub::Unreachable,
        Ub::PointerWrap,
        Ub::NoRoom,
    ];

    /// The name in text forms and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Ub::SignedOverflow => "signed-overflow",
            Ub::DivByZero => "div-by-zero",
            Ub::DivOverflow => "div-overflow",
            Ub::ShiftCount => "shift-count",
            Ub::NullDeref => "null-deref",
            Ub::OutOfBounds => "out-of-bounds",
            Ub::UseAfterFree => "use-after-free",
            Ub::BadFree => "bad-free",
            Ub::BadCall => "bad-call",
            Ub::Overlap => "overlap",
            Ub::FloatToInt => "float-to-int",
            Ub::ConstWrite => "const-write",
            Ub::Unreachable => "unreachable",
            Ub::PointerWrap => "pointer-wrap",
            Ub::NoRoom => "no-room",
        }
    }

    /// What happened, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Ub::SignedOverflow => "signed integer overflow",
            Ub::DivByZero => "division by zero",
            Ub::DivOverflow => "division overflows (smallest value by -1)",
            Ub::ShiftCount => "shift count out of range",
            Ub::NullDeref => "null pointer dereferenced",
            Ub::OutOfBounds => "access outside the object",
            Ub::UseAfterFree => "access to an object after its lifetime",
            Ub::BadFree => "free of something that is not a live heap object",
            Ub::BadCall => "call through a pointer that is not a matching function",
            Ub::Overlap => "memcpy of overlapping ranges",
            Ub::FloatToInt => "floating value does not fit the integer type",
            Ub::ConstWrite => "write to a constant object",
            Ub::Unreachable => "__builtin_unreachable reached",
            Ub::PointerWrap => "pointer arithmetic leaves the address space",
            Ub::NoRoom => "an object that cannot fail finds no room in memory",
        }
    }

    /// Whether every way in which it can happen has a guard that names it. Only such kinds can be checked for.
    pub fn has_guards(self) -> bool {
        !matches!(self, Ub::ConstWrite | Ub::NoRoom)
    }

    /// The kind with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Ub> {
        Ub::ALL.into_iter().find(|u| u.name() == name)
    }
}

impl UbPolicy {
    /// The name in text forms.
    pub fn name(self) -> &'static str {
        match self {
            UbPolicy::Ignored => "ignored",
            UbPolicy::AssumedAway => "assumed-away",
            UbPolicy::Checked => "checked",
        }
    }

    /// The policy with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<UbPolicy> {
        [UbPolicy::Ignored, UbPolicy::AssumedAway, UbPolicy::Checked].into_iter().find(|p| p.name() == name)
    }
}

impl Default for UbTable {
    /// Signed overflow wraps, as under `gcc -fwrapv`; everything else is assumed away.
    fn default() -> UbTable {
        let mut table = UbTable { policies: [UbPolicy::AssumedAway; N_UBS] };
        table.set(Ub::SignedOverflow, UbPolicy::Ignored);
        table
    }
}

impl UbTable {
    /// The policy for `ub`.
    pub fn get(&self, ub: Ub) -> UbPolicy {
        self.policies[ub as usize]
    }

    /// Sets the policy for `ub`.
    pub fn set(&mut self, ub: Ub, policy: UbPolicy) {
        self.policies[ub as usize] = policy;
    }

    /// All kinds with their policies, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Ub, UbPolicy)> + '_ {
        Ub::ALL.into_iter().map(|u| (u, self.get(u)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_indexed_by_their_order_and_have_distinct_names() {
        for (i, u) in Ub::ALL.into_iter().enumerate() {
            assert_eq!(u as usize, i);
            assert_eq!(Ub::from_name(u.name()), Some(u));
        }
    }
}

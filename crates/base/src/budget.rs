//! Counted limits.
//!
//! Engines are limited by counts (interpreter steps, solver conflicts, paths), never by the clock: the same input gives
//! the same answer on a slow machine. The wall clock ends only a whole run, from outside (`cli`'s parent process).

/// A number of units of work that may still be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    what: &'static str,
    limit: u64,
    used: u64,
}

/// The answer when a [`Budget`] has run out; its text names what ran out and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// What was counted.
    pub what: &'static str,
    /// How much of it was allowed.
    pub limit: u64,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "limit of {} {} reached", self.limit, self.what)
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// At most `limit` units of `what` (a plural noun: "interpreter steps").
    pub fn new(what: &'static str, limit: u64) -> Budget {
        Budget { what, limit, used: 0 }
    }

    /// Uses `n` units, or says that there are not so many left (then nothing more can be used).
    pub fn spend(&mut self, n: u64) -> Result<(), Exhausted> {
        self.used = self.used.saturating_add(n);
        if self.used > self.limit { Err(self.exhausted()) } else { Ok(()) }
    }

    /// Units used so far.
    pub fn used(&self) -> u64 {
        self.used.min(self.limit)
    }

    /// Units left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// The value that reports this budget as used up.
    pub fn exhausted(&self) -> Exhausted {
        Exhausted { what: self.what, limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_and_says_which() {
        let mut b = Budget::new("steps", 3);
        assert_eq!(b.spend(3), Ok(()));
        let end = b.spend(1).unwrap_err();
        assert_eq!(end.to_string(), "limit of 3 steps reached");
        assert_eq!((b.used(), b.left()), (3, 0));
        assert!(b.spend(0).is_err(), "an exhausted budget stays exhausted");
    }
}

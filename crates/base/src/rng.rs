//! A small seeded random source (SplitMix64), so that random tests and random tapes are the same on every machine.

/// A random source; equal seeds give equal sequences, for ever.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The source with this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; `n` must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "an empty range has no member");
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// An index into a sequence of `len` members.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the members of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let mut r = Rng::new(7);
        let first: Vec<u64> = (0..4).map(|_| r.below(10)).collect();
        let mut r = Rng::new(7);
        assert_eq!(first, (0..4).map(|_| r.below(10)).collect::<Vec<_>>());
        assert!((0..1000).all(|_| r.below(3) < 3));
    }
}

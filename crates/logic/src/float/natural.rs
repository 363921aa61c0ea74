//! Natural numbers of any size: as little arithmetic as the exact evaluator needs, in the plainest form.

use std::cmp::Ordering;

/// A natural number: words, lowest first, without zeroes at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u64>);

impl Natural {
    pub(super) fn from_words(words: &[u64]) -> Natural {
        let mut n = Natural(words.to_vec());
        n.trim();
        n
    }

    pub(super) fn new(value: u64) -> Natural {
        Natural::from_words(&[value])
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Bits up to the highest one.
    pub(super) fn len(&self) -> u64 {
        match self.0.last() {
            Some(top) => self.0.len() as u64 * 64 - u64::from(top.leading_zeros()),
            None => 0,
        }
    }

    pub(super) fn bit(&self, i: u64) -> bool {
        self.0.get((i / 64) as usize).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// Whether a bit below `i` is one.
    pub(super) fn any_below(&self, i: u64) -> bool {
        let (words, rest) = ((i / 64) as usize, i % 64);
        self.0.iter().take(words).any(|&w| w != 0) || self.0.get(words).is_some_and(|w| w & ((1 << rest) - 1) != 0)
    }

    pub(super) fn compare(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    pub(super) fn shl(&self, n: u64) -> Natural {
        if self.is_zero() {
            return self.clone();
        }
        let (words, rest) = ((n / 64) as usize, n % 64);
        let mut out = vec![0; words];
        let mut carry = 0;
        for &w in &self.0 {
            out.push(w << rest | carry);
            carry = if rest == 0 { 0 } else { w >> (64 - rest) };
        }
        out.push(carry);
        Natural::from_words(&out)
    }

    pub(super) fn shr(&self, n: u64) -> Natural {
        let (words, rest) = ((n / 64) as usize, n % 64);
        let kept = self.0.get(words..).unwrap_or_default();
        let word = |i: usize| {
            let above = kept.get(i + 1).map_or(0, |&w| if rest == 0 { 0 } else { w << (64 - rest) });
            kept[i] >> rest | above
        };
        Natural::from_words(&(0..kept.len()).map(word).collect::<Vec<u64>>())
    }

    pub(super) fn add(&self, other: &Natural) -> Natural {
        let mut out = Vec::new();
        let mut carry = 0u128;
        for i in 0..self.0.len().max(other.0.len()) {
            let word = |n: &Natural| u128::from(n.0.get(i).copied().unwrap_or(0));
            carry += word(self) + word(other);
            out.push(carry as u64);
            carry >>= 64;
        }
        out.push(carry as u64);
        Natural::from_words(&out)
    }

    /// The difference; `other` is not larger.
    pub(super) fn sub(&self, other: &Natural) -> Natural {
        let mut out = Vec::new();
        let mut borrow = false;
        for (i, &w) in self.0.iter().enumerate() {
            let (first, a) = w.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (second, b) = first.overflowing_sub(u64::from(borrow));
            out.push(second);
            borrow = a || b;
        }
        assert!(!borrow, "the smaller number is subtracted");
        Natural::from_words(&out)
    }

    pub(super) fn mul(&self, other: &Natural) -> Natural {
        let mut out = vec![0u64; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.0.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
            out[i + other.0.len()] = carry as u64;
        }
        Natural::from_words(&out)
    }

    /// Quotient and remainder, bit by bit; `other` is not zero.
    pub(super) fn divide(&self, other: &Natural) -> (Natural, Natural) {
        let (mut quotient, mut rest) = (Natural::new(0), Natural::new(0));
        for i in (0..self.len()).rev() {
            rest = rest.shl(1).add(&Natural::new(u64::from(self.bit(i))));
            quotient = quotient.shl(1);
            if rest.compare(other) != Ordering::Less {
                rest = rest.sub(other);
                quotient = quotient.add(&Natural::new(1));
            }
        }
        (quotient, rest)
    }

    /// The integer part of the square root, and whether something is left: the largest number whose square is not larger,
    /// bit by bit.
    pub(super) fn root(&self) -> (Natural, bool) {
        let mut root = Natural::new(0);
        for i in (0..=self.len() / 2).rev() {
            let tried = root.add(&Natural::new(1).shl(i));
            if tried.mul(&tried).compare(self) != Ordering::Greater {
                root = tried;
            }
        }
        let exact = root.mul(&root) == *self;
        (root, !exact)
    }
}

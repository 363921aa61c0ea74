//! Bit-vector values of any width, with the operations of SMT-LIB's theory of fixed-size bit-vectors.
//!
//! The evaluator and the constant folding of the rewriter share this arithmetic; what checks it is the bit-serial
//! reference of [`crate::oracle`], written from the definitions.
//!
//! Invariants: the width is at least 1; bits above the width are zero; a value of at most 64 bits is held in one word
//! without an allocation, a wider one in exactly `ceil(width / 64)` words, lowest first. Equal values are equal
//! structurally.

use std::fmt;

/// A bit-vector value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    words: MachineWords,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum MachineWords {
    Small(u64),
    Big(Box<[u64]>),
}

/// The mask of the low `width` bits of a word, for widths from 1 to 64.
pub(crate) fn mask(width: u32) -> u64 {
    debug_assert!((1..=64).contains(&width), "a word mask has 1 to 64 bits");
    u64::MAX >> (64 - width)
}

fn words_for(width: u32) -> usize {
    width.div_ceil(64) as usize
}

impl Bits {
    /// The value `value` modulo 2^`width`.
    pub fn new(width: u32, value: u64) -> Bits {
        assert!(width >= 1, "a bit-vector has at least one bit");
        if width <= 64 {
            Bits { width, words: MachineWords::Small(value & mask(width)) }
        } else {
            let mut words = vec![0; words_for(width)];
            words[0] = value;
            Bits { width, words: MachineWords::Big(words.into()) }
        }
    }

    /// The value `value` modulo 2^`width`, negative numbers in two's complement.
    pub fn from_signed(width: u32, value: i64) -> Bits {
        let wide = if value < 0 { u64::MAX } else { 0 };
        let mut words = vec![wide; words_for(width)];
        words[0] = value as u64;
        Bits::from_words(width, words)
    }

    /// The value `value` modulo 2^`width`.
    pub fn from_u128(width: u32, value: u128) -> Bits {
        let mut words = vec![0; words_for(width).max(2)];
        words[0] = value as u64;
        words[1] = (value >> 64) as u64;
        words.truncate(words_for(width));
        Bits::from_words(width, words)
    }

    /// The value with these words, lowest first, modulo 2^`width`. Missing words are zero.
    pub(crate) fn from_words(width: u32, mut words: Vec<u64>) -> Bits {
        assert!(width >= 1, "a bit-vector has at least one bit");
        words.resize(words_for(width), 0);
        if width <= 64 {
            return Bits::new(width, words[0]);
        }
        if !width.is_multiple_of(64) {
            let last = words.len() - 1;
            words[last] &= mask(width % 64);
        }
        Bits { width, words: MachineWords::Big(words.into()) }
    }

    /// The value whose bit `i` is `bit(i)`.
    pub fn from_fn(width: u32, mut bit: impl FnMut(u32) -> bool) -> Bits {
        let mut words = vec![0; words_for(width)];
        for i in 0..width {
            words[(i / 64) as usize] |= u64::from(bit(i)) << (i % 64);
        }
        Bits::from_words(width, words)
    }

    /// All bits zero.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// All bits one.
    pub fn ones(width: u32) -> Bits {
        Bits::from_signed(width, -1)
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The words, lowest first; bits above the width are zero.
    pub fn words(&self) -> &[u64] {
        match &self.words {
            MachineWords::Small(w) => std::slice::from_ref(w),
            MachineWords::Big(ws) => ws,
        }
    }

    /// Bit `i`; bit 0 is the lowest.
    pub fn bit(&self, i: u32) -> bool {
        assert!(i < self.width, "a bit index is below the width");
        self.words()[(i / 64) as usize] >> (i % 64) & 1 == 1
    }

    /// The highest bit: the sign in two's complement.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&w| w == 0)
    }

    /// Whether all bits are one.
    pub(crate) fn is_ones(&self) -> bool {
        *self == Bits::ones(self.width)
    }

    /// `k` where the value is 2^k.
    pub(crate) fn power_of_two(&self) -> Option<u32> {
        let ones: u32 = self.words().iter().map(|w| w.count_ones()).sum();
        (ones == 1).then(|| self.trailing_zeros())
    }

    /// The number of zero bits below the lowest one bit; the width where all are zero.
    pub fn trailing_zeros(&self) -> u32 {
        match self.words().iter().position(|&w| w != 0) {
            Some(i) => i as u32 * 64 + self.words()[i].trailing_zeros(),
            None => self.width,
        }
    }

    /// The value as an unsigned number, where it fits.
    pub fn to_u64(&self) -> Option<u64> {
        let (low, high) = self.words().split_first()?;
        high.iter().all(|&w| w == 0).then_some(*low)
    }

    /// The value as an unsigned number, where it fits.
    pub fn to_u128(&self) -> Option<u128> {
        let words = self.words();
        let low = u128::from(words[0]) | u128::from(words.get(1).copied().unwrap_or(0)) << 64;
        words.iter().skip(2).all(|&w| w == 0).then_some(low)
    }

    fn small(&self, other: &Bits) -> Option<(u64, u64)> {
        assert_eq!(self.width, other.width, "both operands have the same width");
        match (&self.words, &other.words) {
            (MachineWords::Small(a), MachineWords::Small(b)) => Some((*a, *b)),
            _ => None,
        }
    }

    fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        match self.small(other) {
            Some((a, b)) => Bits::new(self.width, f(a, b)),
            None => {
                let words = self.words().iter().zip(other.words()).map(|(&a, &b)| f(a, b)).collect();
                Bits::from_words(self.width, words)
            }
        }
    }

    /// Bitwise complement.
    pub fn not(&self) -> Bits {
        self.zip(self, |a, _| !a)
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a ^ b)
    }

    /// Sum modulo 2^width.
    pub fn add(&self, other: &Bits) -> Bits {
        if let Some((a, b)) = self.small(other) {
            return Bits::new(self.width, a.wrapping_add(b));
        }
        let mut carry = false;
        let mut words = Vec::with_capacity(self.words().len());
        for (&a, &b) in self.words().iter().zip(other.words()) {
            let (sum, c1) = a.overflowing_add(b);
            let (sum, c2) = sum.overflowing_add(u64::from(carry));
            carry = c1 || c2;
            words.push(sum);
        }
        Bits::from_words(self.width, words)
    }

    /// Two's complement negation modulo 2^width.
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::new(self.width, 1))
    }

    /// Difference modulo 2^width.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.add(&other.neg())
    }

    /// Product modulo 2^width.
    pub(crate) fn mul(&self, other: &Bits) -> Bits {
        if let Some((a, b)) = self.small(other) {
            return Bits::new(self.width, a.wrapping_mul(b));
        }
        let n = self.words().len();
        let mut words = vec![0u64; n];
        for (i, &a) in self.words().iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.words().iter().enumerate().take(n - i) {
                let t = u128::from(a) * u128::from(b) + u128::from(words[i + j]) + carry;
                words[i + j] = t as u64;
                carry = t >> 64;
            }
        }
        Bits::from_words(self.width, words)
    }

    /// Unsigned quotient and remainder; division by zero gives all ones and the dividend.
    fn divide(&self, other: &Bits) -> (Bits, Bits) {
        if other.is_zero() {
            return (Bits::ones(self.width), self.clone());
        }
        if let Some((a, b)) = self.small(other) {
            return (Bits::new(self.width, a / b), Bits::new(self.width, a % b));
        }
        // Restoring division, one bit at a time. The remainder is below the divisor, so doubling it can carry out of
        // the width; a carry means that the divisor certainly fits.
        let mut rest = Bits::zero(self.width);
        let mut quotient = vec![0u64; self.words().len()];
        for i in (0..self.width).rev() {
            let carry = rest.sign();
            rest = rest.shl_by(1).or(&Bits::new(self.width, u64::from(self.bit(i))));
            if carry || !rest.ult(other) {
                rest = rest.sub(other);
                quotient[(i / 64) as usize] |= 1 << (i % 64);
            }
        }
        (Bits::from_words(self.width, quotient), rest)
    }

    /// Unsigned quotient; all ones where the divisor is zero.
    pub(crate) fn udiv(&self, other: &Bits) -> Bits {
        self.divide(other).0
    }

    /// Unsigned remainder; the dividend where the divisor is zero.
    pub(crate) fn urem(&self, other: &Bits) -> Bits {
        self.divide(other).1
    }

    fn abs(&self) -> Bits {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounded towards zero; where the divisor is zero, 1 for a negative dividend and -1 otherwise.
    pub(crate) fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.abs().udiv(&other.abs());
        if self.sign() == other.sign() { quotient } else { quotient.neg() }
    }

    /// Signed remainder with the sign of the dividend, as C's `%`; the dividend where the divisor is zero.
    pub(crate) fn srem(&self, other: &Bits) -> Bits {
        let rest = self.abs().urem(&other.abs());
        if self.sign() { rest.neg() } else { rest }
    }

    /// The shift amount `self` where it is below `width`.
    fn amount(&self, width: u32) -> Option<u32> {
        self.to_u64().filter(|&n| n < u64::from(width)).map(|n| n as u32)
    }

    fn shl_by(&self, n: u32) -> Bits {
        if let MachineWords::Small(a) = self.words {
            return Bits::new(self.width, a << n);
        }
        Bits::from_fn(self.width, |i| i >= n && self.bit(i - n))
    }

    fn lshr_by(&self, n: u32) -> Bits {
        if let MachineWords::Small(a) = self.words {
            return Bits::new(self.width, a >> n);
        }
        Bits::from_fn(self.width, |i| i + n < self.width && self.bit(i + n))
    }

    /// Left shift; zero where the amount is not below the width.
    pub(crate) fn shl(&self, amount: &Bits) -> Bits {
        amount.amount(self.width).map_or_else(|| Bits::zero(self.width), |n| self.shl_by(n))
    }

    /// Right shift filling with zero; zero where the amount is not below the width.
    pub(crate) fn lshr(&self, amount: &Bits) -> Bits {
        amount.amount(self.width).map_or_else(|| Bits::zero(self.width), |n| self.lshr_by(n))
    }

    /// Right shift filling with the sign; all sign bits where the amount is not below the width.
    pub(crate) fn ashr(&self, amount: &Bits) -> Bits {
        if self.sign() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    /// Unsigned less-than.
    pub fn ult(&self, other: &Bits) -> bool {
        match self.small(other) {
            Some((a, b)) => a < b,
            None => self.words().iter().rev().lt(other.words().iter().rev()),
        }
    }

    /// Signed less-than.
    pub fn slt(&self, other: &Bits) -> bool {
        match (self.sign(), other.sign()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        if let (true, MachineWords::Small(a), MachineWords::Small(b)) = (width <= 64, &self.words, &low.words) {
            return Bits::new(width, a << low.width | b);
        }
        Bits::from_fn(width, |i| if i < low.width { low.bit(i) } else { self.bit(i - low.width) })
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bits {
        assert!(lo <= hi && hi < self.width, "an extract lies inside its operand");
        let width = hi - lo + 1;
        match self.words {
            MachineWords::Small(a) => Bits::new(width, a >> lo),
            MachineWords::Big(_) => Bits::from_fn(width, |i| self.bit(lo + i)),
        }
    }

    /// The same unsigned number with `width` bits, not fewer than now.
    pub fn zero_ext(&self, width: u32) -> Bits {
        assert!(width >= self.width, "an extension does not shorten");
        Bits::from_words(width, self.words().to_vec())
    }

    /// The same two's complement number with `width` bits, not fewer than now.
    pub fn sign_ext(&self, width: u32) -> Bits {
        assert!(width >= self.width, "an extension does not shorten");
        if self.sign() { self.not().zero_ext(width).not() } else { self.zero_ext(width) }
    }
}

/// Hexadecimal with as many digits as the width needs: `0x00ff`.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.width.div_ceil(4);
        f.write_str("0x")?;
        for i in (0..digits).rev() {
            let word = self.words()[(i / 16) as usize];
            write!(f, "{:x}", word >> (i % 16 * 4) & 15)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width)
    }
}

//! Binary numbers in decimal, exactly: what `printf` needs of numbers of any format.

/// A number that is not negative: these digits, of which the last `scale` stand behind the point.
pub(super) struct Decimal {
    /// Digits, the first of which is 0 only in the number 0.
    digits: Vec<u8>,
    scale: usize,
}

/// Digits in a limb, and what comes after the largest.
const DIGITS: usize = 9;
const BASE: u64 = 1_000_000_000;

impl Decimal {
    /// `mantissa * 2^exponent`.
    pub(super) fn of(mantissa: u64, exponent: i32) -> Decimal {
        // Limbs, the lowest first. A division by two is a multiplication by five and a place behind the point.
        let mut limbs = vec![mantissa % BASE, mantissa / BASE % BASE, mantissa / BASE / BASE];
        let factor: u64 = if exponent < 0 { 5 } else { 2 };
        let mut left = if mantissa == 0 { 0 } else { exponent.unsigned_abs() };
        let scale = if exponent < 0 { left as usize } else { 0 };
        while left > 0 {
            let step = left.min(12);
            let by = factor.pow(step);
            let mut carry = 0;
            for limb in &mut limbs {
                carry += *limb * by;
                *limb = carry % BASE;
                carry /= BASE;
            }
            if carry > 0 {
                limbs.push(carry);
            }
            left -= step;
        }
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:0DIGITS$}")).collect();
        let text = text.trim_start_matches('0');
        Decimal { digits: if text.is_empty() { vec![b'0'] } else { text.as_bytes().to_vec() }, scale }
    }

    fn is_zero(&self) -> bool {
        self.digits == b"0"
    }

    /// The digits without the last `drop`, rounded to nearest, ties to even.
    fn rounded(&self, drop: usize) -> Vec<u8> {
        let keep = self.digits.len().saturating_sub(drop);
        let mut kept = self.digits[..keep].to_vec();
        // With more digits dropped than there are, what is dropped begins with a zero.
        let rest = if drop > self.digits.len() { &[] } else { &self.digits[keep..] };
        let odd = kept.last().is_some_and(|d| d % 2 == 1);
        let up = match rest.split_first() {
            Some((b'5', more)) => odd || more.iter().any(|&d| d != b'0'),
            Some((first, _)) => *first > b'5',
            None => false,
        };
        if up {
            let nines = kept.iter().rev().take_while(|&&d| d == b'9').count();
            let from = kept.len() - nines;
            kept[from..].fill(b'0');
            match from.checked_sub(1) {
                Some(last) => kept[last] += 1,
                None => kept.insert(0, b'1'),
            }
        }
        kept
    }

    /// With so many digits behind the point.
    pub(super) fn fixed(&self, precision: usize) -> String {
        let mut digits = self.rounded(self.scale.saturating_sub(precision));
        digits.extend(std::iter::repeat_n(b'0', precision.saturating_sub(self.scale)));
        let missing = (precision + 1).saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        let text: String = digits.iter().map(|&d| d as char).collect();
        let text = match text.trim_start_matches('0') {
            // One digit stands before the point.
            short if short.len() <= precision => text[text.len() - precision - 1..].to_owned(),
            short => short.to_owned(),
        };
        if precision == 0 {
            text
        } else {
            format!("{}.{}", &text[..text.len() - precision], &text[text.len() - precision..])
        }
    }

    /// One digit before the point and so many behind it, and the exponent of ten.
    pub(super) fn scientific(&self, precision: usize) -> (String, i32) {
        let wanted = precision + 1;
        let mut digits = self.rounded(self.digits.len().saturating_sub(wanted));
        let mut exponent = if self.is_zero() { 0 } else { self.digits.len() as i32 - 1 - self.scale as i32 };
        if digits.len() > wanted.min(self.digits.len()) {
            // All were nines.
            exponent += 1;
        }
        digits.resize(wanted, b'0');
        let text: String = digits.iter().map(|&d| d as char).collect();
        (if precision == 0 { text } else { format!("{}.{}", &text[..1], &text[1..]) }, exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;

    /// Numbers of binary64 have the texts that the standard library gives them, which rounds as glibc does.
    #[test]
    fn doubles_are_written_as_elsewhere() {
        let mut rng = Rng::new(3);
        for k in 0..3_000u64 {
            let x = match k % 4 {
                0 => f64::from_bits(rng.bits() & (u64::MAX >> 1)),
                1 => rng.below(100_000) as f64 / 64.0,
                2 => rng.below(1_000) as f64 + 0.5,
                _ => [0.0, 1.0, 9.5, 0.5, 99.95, 0.05, 9.999_999_9, 1e300, 5e-324, 1e22][(k / 4 % 10) as usize],
            };
            if !x.is_finite() {
                continue;
            }
            let field = (x.to_bits() >> 52) as i32;
            let mantissa = x.to_bits() & ((1 << 52) - 1) | u64::from(field > 0) << 52;
            let decimal = Decimal::of(mantissa, field.max(1) - 1075);
            let precision = rng.below(24) as usize;
            assert_eq!(decimal.fixed(precision), format!("{x:.precision$}"), "{x:?} with {precision}");
            let (digits, exponent) = decimal.scientific(precision);
            assert_eq!(format!("{digits}e{exponent}"), format!("{x:.precision$e}"), "{x:?} with {precision}");
        }
    }
}

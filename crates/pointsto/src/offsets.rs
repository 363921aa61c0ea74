//! Sets of byte offsets: one number, or all numbers with the same remainder.
//!
//! Addresses wrap around at a power of two, so a remainder survives arithmetic on pointers only if the stride is a power
//! of two ([`Offsets::wrapping`]); other strides are kept only where a single multiplication cannot wrap
//! ([`Address`](ir::Address) with a narrow index).

/// `{ start + k * stride | k }`; exactly `start` if the stride is 0, otherwise `start < stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offsets {
    /// The only offset, or the common remainder.
    pub start: i64,
    /// The distance of neighbours; 0 for a single offset.
    pub stride: u64,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The largest power of two that divides `n`; 0 for 0.
pub(crate) fn power_of_two_part(n: u64) -> u64 {
    if n == 0 { 0 } else { 1 << n.trailing_zeros() }
}

impl Offsets {
    /// Every offset.
    pub const ANY: Offsets = Offsets { start: 0, stride: 1 };

    /// One offset.
    pub fn exactly(start: i64) -> Offsets {
        Offsets { start, stride: 0 }
    }

    /// All offsets with the remainder of `start`.
    pub fn new(start: i64, stride: u64) -> Offsets {
        match i64::try_from(stride) {
            Ok(0) => Offsets::exactly(start),
            Ok(s) => Offsets { start: start.rem_euclid(s), stride },
            Err(_) => Offsets::ANY,
        }
    }

    /// Each moved by `by`. Modulo `2^64`; offsets of objects are far from there.
    #[must_use]
    pub fn shift(self, by: i64) -> Offsets {
        Offsets::new(self.start.wrapping_add(by), self.stride)
    }

    /// Each moved by every multiple of `stride`.
    #[must_use]
    pub fn spread(self, stride: u64) -> Offsets {
        Offsets::new(self.start, gcd(self.stride, stride))
    }

    /// The smallest such set that contains both, with a stride that survives wrapping.
    #[must_use]
    pub fn join(self, other: Offsets) -> Offsets {
        if self == other {
            return self;
        }
        let between = self.start.abs_diff(other.start);
        Offsets::new(self.start, gcd(gcd(self.stride, other.stride), between)).wrapping()
    }

    /// Whether each is one of `other`.
    #[must_use]
    pub fn within(self, other: Offsets) -> bool {
        match other.stride {
            0 => self == other,
            n => self.stride.is_multiple_of(n) && self.start.abs_diff(other.start).is_multiple_of(n),
        }
    }

    /// The same with a stride that is a power of two.
    #[must_use]
    pub fn wrapping(self) -> Offsets {
        Offsets::new(self.start, power_of_two_part(self.stride))
    }

    /// The sums of `self` and the differences of `a` and `b`: where a copy from `b` to `self` moves what lies at `a`.
    #[must_use]
    pub fn moved(self, a: Offsets, b: Offsets) -> Offsets {
        let stride = gcd(self.stride, gcd(a.stride, b.stride));
        Offsets::new(self.start.wrapping_add(a.start.wrapping_sub(b.start)), stride)
    }

    /// How `n` bytes here lie to `m` bytes at `other`.
    pub fn meet(self, n: u64, other: Offsets, m: u64) -> Meet {
        let stride = gcd(self.stride, other.stride);
        if stride == 0 {
            let (a, b) = (i128::from(self.start), i128::from(other.start));
            let (n, m) = (i128::from(n), i128::from(m));
            let disjoint = a + n <= b || b + m <= a;
            return Meet {
                overlap: !disjoint && n > 0 && m > 0,
                inside: b <= a && a + n <= b + m,
                aligned: disjoint || a == b,
                equal: a == b,
            };
        }
        // The distance from one of `other` to the next of `self`, and back.
        let stride128 = i128::from(stride);
        let d = (i128::from(self.start) - i128::from(other.start)).rem_euclid(stride128);
        let (n, m) = (i128::from(n), i128::from(m));
        let overlap = n > 0 && m > 0 && (d < m || stride128 - d < n);
        // The same from the end of one of `other`.
        let e = (d - m).rem_euclid(stride128);
        let single = self.stride == 0 && other.stride == 0;
        debug_assert!(!single, "a stride comes from one of the two");
        Meet {
            overlap,
            // No `n` bytes reach over the beginning, and none over the end.
            inside: stride128 - d >= n && stride128 - e >= n,
            aligned: !overlap || (d == 0 && n <= stride128 && m <= stride128),
            equal: d == 0,
        }
    }
}

/// How two accesses may lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meet {
    /// They may share a byte.
    pub overlap: bool,
    /// If they share a byte, the first lies inside the second.
    pub inside: bool,
    /// If they share a byte, they begin at the same address.
    pub aligned: bool,
    /// They may begin at the same address.
    pub equal: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All members in a window around zero.
    fn members(o: Offsets) -> Vec<i64> {
        (-40..40).filter(|&x| if o.stride == 0 { x == o.start } else { (x - o.start) % o.stride as i64 == 0 }).collect()
    }

    fn all() -> Vec<Offsets> {
        let strides = [0, 1, 2, 3, 4, 6, 8];
        strides.into_iter().flat_map(|s| (-3..9).map(move |a| Offsets::new(a, s))).collect()
    }

    #[test]
    fn meeting_is_what_the_members_do() {
        for a in all() {
            for b in all() {
                for n in [1, 2, 4] {
                    for m in [1, 2, 4, 7] {
                        let meet = a.meet(n, b, m);
                        for x in members(a) {
                            for y in members(b) {
                                let share = x < y + m as i64 && y < x + n as i64;
                                let inside = y <= x && x + n as i64 <= y + m as i64;
                                assert!(!share || meet.overlap, "{a:?} {n} {b:?} {m}");
                                assert!(!share || !meet.inside || inside, "{a:?} {n} inside {b:?} {m}");
                                assert!(!share || !meet.aligned || x == y, "{a:?} {n} aligned {b:?} {m}");
                                assert!(x != y || meet.equal, "{a:?} {b:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn joins_contain_both_and_strides_stay_powers_of_two() {
        for a in all() {
            for b in all() {
                let join = a.join(b);
                assert!(join.stride == 0 || join.stride.is_power_of_two() || a == b);
                for x in members(a).into_iter().chain(members(b)) {
                    assert!(members(join).contains(&x), "{a:?} {b:?} {join:?} {x}");
                }
            }
        }
    }

    #[test]
    fn within_is_inclusion() {
        for a in all() {
            for b in all() {
                let included = members(a).iter().all(|x| members(b).contains(x));
                assert_eq!(a.within(b), included, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn moving_and_spreading_reach_every_sum() {
        for a in all() {
            for s in [0, 1, 2, 4, 12] {
                for x in members(a) {
                    for k in -2..3 {
                        let y = x + k * s as i64;
                        if y.abs() < 40 {
                            assert!(members(a.spread(s)).contains(&y));
                        }
                    }
                }
            }
        }
    }
}

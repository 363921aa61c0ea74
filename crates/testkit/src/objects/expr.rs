//! Expressions without effects.

use super::Gen;
use super::types::{INTS, Leaf};

impl Gen {
    fn leaf(&mut self, is_float: bool) -> Option<Leaf> {
        let fitting: Vec<&Leaf> = self.leaves.iter().filter(|l| l.is_float == is_float).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.rng.index(fitting.len())].clone()) }
    }

    /// A place to write to, of either kind.
    pub(super) fn target(&mut self) -> Leaf {
        let fitting: Vec<&Leaf> = self.leaves.iter().filter(|l| !l.constant).collect();
        fitting[self.rng.index(fitting.len())].clone()
    }

    /// A place with an address, of an integer type.
    pub(super) fn addressable(&mut self) -> Option<Leaf> {
        let fine = |l: &&Leaf| !l.is_float && !l.ty.is_empty() && !l.constant;
        let fitting: Vec<&Leaf> = self.leaves.iter().filter(fine).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.rng.index(fitting.len())].clone()) }
    }

    fn literal(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("{}", self.rng.below(10)),
            1 => format!("-{}", self.rng.below(200)),
            2 => format!("{:#x}u", self.rng.below(1 << 32)),
            3 => format!("{}ll", self.rng.bits() >> 1),
            _ => format!("'{}'", (b'a' + self.rng.below(26) as u8) as char),
        }
    }

    /// An integer expression; any type, any value.
    pub(super) fn int_expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(15) {
            return match self.leaf(false) {
                Some(leaf) if self.rng.chance(75) => leaf.place,
                _ => self.literal(),
            };
        }
        let d = depth - 1;
        match self.rng.below(16) {
            0..=4 => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.int_expr(d), self.int_expr(d))
            }
            5 => format!("({} / (({} & 7) + 2))", self.int_expr(d), self.int_expr(d)),
            6 => format!("({} % (({} & 15) + 1))", self.int_expr(d), self.int_expr(d)),
            7 => format!("({} << ({} & 7))", self.int_expr(d), self.int_expr(d)),
            8 => format!("({} >> ({} & 7))", self.int_expr(d), self.int_expr(d)),
            9 => {
                let op = *self.rng.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
                format!("({} {op} {})", self.int_expr(d), self.int_expr(d))
            }
            10 => format!("({} ? {} : {})", self.int_expr(d), self.int_expr(d), self.int_expr(d)),
            11 => {
                let op = *self.rng.pick(&["-", "~", "!", "+"]);
                format!("{op}({})", self.int_expr(d))
            }
            12 => {
                let ty = *self.rng.pick(&INTS);
                format!("(({ty}){})", self.int_expr(d))
            }
            13 => self.float_compare(d),
            14 => {
                self.out.mark("function pointer");
                format!("table[{} & 3]({})", self.int_expr(d), self.int_expr(d))
            }
            _ => self.special(d),
        }
    }

    fn special(&mut self, d: u32) -> String {
        match self.rng.below(4) {
            0 => {
                self.out.mark("statement expression");
                let (t, value) = (self.out.local("t"), self.int_expr(d));
                format!("({{ long {t} = {value}; {t} ^ ({t} >> 3); }})")
            }
            1 => {
                self.out.mark("compound literal");
                let (a, b, at) = (self.int_expr(d), self.int_expr(d), self.int_expr(d));
                format!("((int[2]){{ {a}, {b} }})[{at} & 1]")
            }
            2 => {
                self.out.mark("string");
                format!("\"random text, 16.\"[{} & 15]", self.int_expr(d))
            }
            _ => format!("(int)sizeof(({}) + 0)", self.int_expr(d)),
        }
    }

    fn float_compare(&mut self, d: u32) -> String {
        self.out.mark("float");
        let (a, b) = (self.float_expr(d), self.float_expr(d));
        if self.rng.chance(50) {
            let op = *self.rng.pick(&["<", ">", "<=", ">=", "==", "!="]);
            return format!("({a} {op} {b})");
        }
        format!("({a} > -1000.0 && {a} < 1000.0 ? (int)({a}) : 7)")
    }

    /// A floating expression; may be infinite, or no number.
    pub(super) fn float_expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(30) {
            return match self.leaf(true) {
                Some(leaf) if self.rng.chance(70) => leaf.place,
                _ if self.rng.chance(50) => format!("{:?}", self.rng.below(1000) as f64 / 8.0 - 40.0),
                _ => format!("{:?}f", self.rng.below(1000) as f32 / 10.0),
            };
        }
        let d = depth - 1;
        match self.rng.below(6) {
            0..=2 => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.float_expr(d), self.float_expr(d))
            }
            3 => format!("(float)({})", self.float_expr(d)),
            4 => format!("(double)({})", self.int_expr(d)),
            _ => format!("(-({}))", self.float_expr(d)),
        }
    }
}

//! Floating-point operations in SMT-LIB's theory of floating-point numbers.
//!
//! Our numbers are patterns: operands are read from bits, and a result is turned into bits with `fp.to_ieee_bv`, which the
//! standard leaves to solvers (z3 and others have it), with our one NaN in place of whichever the solver takes. Variables bound
//! by `let` begin with `?`, which no name of ours does.

use crate::bits::Bits;
use crate::float::{FloatKind, FloatOp, Format, Rounding, exact};

/// What stands before, between and after the operands.
pub(super) struct Frame {
    pub(super) before: String,
    /// Around each operand.
    pub(super) operand: (String, String),
    pub(super) after: String,
}

fn binary(value: &Bits) -> String {
    let digits: String = (0..value.width()).rev().map(|i| if value.bit(i) { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

fn rounding(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Positive => "RTP",
        Rounding::Negative => "RTN",
        Rounding::Zero => "RTZ",
    }
}

/// Text around a pattern that makes it a number.
fn read(f: Format) -> (String, String) {
    let (e, p) = (u32::from(f.exponent), u32::from(f.precision));
    if !f.explicit {
        return (format!("((_ to_fp {e} {p}) "), ")".to_owned());
    }
    let part = |hi: u32, lo: u32| format!("((_ extract {hi} {lo}) ?f)");
    let (sign, field, leading, fraction) = (part(p + e, p + e), part(p + e - 1, p), part(p - 1, p - 1), part(p - 2, 0));
    let (zero, one) = (binary(&Bits::zero(e)), binary(&Bits::new(e, 1)));
    let no_number = format!("(and (not (= {field} {zero})) (= {leading} #b0))");
    let field = format!("(ite (and (= {field} {zero}) (= {leading} #b1)) {one} {field})");
    let number = format!("(ite {no_number} (_ NaN {e} {p}) (fp {sign} {field} {fraction}))");
    ("(let ((?f ".to_owned(), format!(")) {number})"))
}

/// Text around a number that makes it a pattern.
fn write(f: Format) -> (String, String) {
    let (e, p) = (u32::from(f.exponent), u32::from(f.precision));
    let bits = if f.explicit {
        let zero = binary(&Bits::zero(e));
        let field = format!("((_ extract {} {}) ?b)", p + e - 2, p - 1);
        let leading = format!("(ite (= {field} {zero}) #b0 #b1)");
        let head = format!("((_ extract {} {}) ?b)", p + e - 1, p - 1);
        let fraction = format!("((_ extract {} 0) ?b)", p - 2);
        format!("(let ((?b (fp.to_ieee_bv ?r))) (concat {head} {leading} {fraction}))")
    } else {
        "(fp.to_ieee_bv ?r)".to_owned()
    };
    ("(let ((?r ".to_owned(), format!(")) (ite (fp.isNaN ?r) {} {bits}))", binary(&f.nan())))
}

/// The text of an operation around its operands.
pub(super) fn frame(op: FloatOp) -> Frame {
    let mode = rounding(op.rounding);
    let f = op.format;
    let operand = read(f);
    let result = |format: Format, head: String, operand: (String, String)| {
        let (before, after) = write(format);
        Frame { before: format!("{before}({head} "), operand, after: format!("){after}") }
    };
    let plain = |name: &str| result(f, format!("{name} {mode}"), read(f));
    let compare = |name: &str| Frame { before: format!("({name} "), operand: read(f), after: ")".to_owned() };
    match op.kind {
        FloatKind::Add => plain("fp.add"),
        FloatKind::Sub => plain("fp.sub"),
        FloatKind::Mul => plain("fp.mul"),
        FloatKind::Div => plain("fp.div"),
        FloatKind::Sqrt => plain("fp.sqrt"),
        FloatKind::Fma => plain("fp.fma"),
        FloatKind::Integral => plain("fp.roundToIntegral"),
        FloatKind::Convert { to } => result(to, format!("(_ to_fp {} {}) {mode}", to.exponent, to.precision), operand),
        FloatKind::FromInt { signed, .. } => {
            let name = if signed { "to_fp" } else { "to_fp_unsigned" };
            let head = format!("(_ {name} {} {}) {mode}", f.exponent, f.precision);
            result(f, head, (String::new(), String::new()))
        }
        FloatKind::ToInt { width, signed } => to_int(op, width, signed),
        FloatKind::Eq => compare("fp.eq"),
        FloatKind::Lt => compare("fp.lt"),
        FloatKind::Le => compare("fp.leq"),
    }
}

/// SMT-LIB leaves open what does not fit; ours is the nearest value.
fn to_int(op: FloatOp, width: u32, signed: bool) -> Frame {
    let plain = Format { explicit: false, ..op.format };
    let (e, p) = (plain.exponent, plain.precision);
    let power = |shift: u32, negative: bool| {
        let wide = width + 2;
        let magnitude = Bits::from_fn(wide, |i| i == shift);
        let value = if negative { magnitude.neg() } else { magnitude };
        let mode = if negative { Rounding::Negative } else { Rounding::Positive };
        let op = FloatOp { kind: FloatKind::FromInt { width: wide, signed: true }, format: plain, rounding: mode };
        let pattern = exact::apply(op, &[value]).as_bits().clone();
        format!("((_ to_fp {e} {p}) {})", binary(&pattern))
    };
    let mode = rounding(op.rounding);
    let least = if signed { Bits::from_fn(width, |i| i == width - 1) } else { Bits::zero(width) };
    let greatest = binary(&if signed { least.not() } else { Bits::ones(width) });
    let (low, high) = if signed {
        (power(width - 1, true), power(width - 1, false))
    } else {
        (format!("(_ +zero {e} {p})"), power(width, false))
    };
    let (least, zero) = (binary(&least), binary(&Bits::zero(width)));
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let inside = format!("((_ {name} {width}) {mode} ?r)");
    let below = format!("(or (fp.lt ?i {low}) (and (fp.isInfinite ?r) (fp.isNegative ?r)))");
    let clamped = format!("(ite {below} {least} (ite (fp.leq {high} ?i) {greatest} {inside}))");
    let after = format!(")) (let ((?i (fp.roundToIntegral {mode} ?r))) (ite (fp.isNaN ?r) {zero} {clamped})))");
    Frame { before: "(let ((?r ".to_owned(), operand: read(op.format), after }
}

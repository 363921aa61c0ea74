//! What a compiler's runtime library does for complex numbers, as C text that is read behind the program that needs it.
//!
//! C11 G.5.1 asks that products and quotients with infinite parts are infinite, and quotients of zero by infinity zero, where the
//! plain formulas give no number. gcc's library also scales the parts of a quotient whose divisor is very large or small; the
//! bounds and factors here are its. All functions are free of loops. Every position in them is that of the operation that first
//! needed one.

use crate::types::{TypeId, basic};

/// A complex operation that needs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// The product.
    Product,
    /// The quotient.
    Quotient,
}

/// A function of the runtime library: an operation on numbers whose parts have one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    operation: Operation,
    part: Part,
}

/// A type of parts: how it is written, the suffix of its built-in functions, and its limits as in `float.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    ty: TypeId,
    real: &'static str,
    suffix: &'static str,
    max: &'static str,
    min: &'static str,
    epsilon: &'static str,
}

/// Of a product `(a + bi)(c + di)` that is no number in both parts: an infinite number counts as a point on the unit square, and
/// no number in the other as zero.
const PRODUCT: &str = "static _Complex @real @name(@real a, @real b, @real c, @real d) {
@real ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
int left = __builtin_isinf@s(a) || __builtin_isinf@s(b), right = __builtin_isinf@s(c) || __builtin_isinf@s(d);
int over = __builtin_isinf@s(ac) || __builtin_isinf@s(bd) || __builtin_isinf@s(ad) || __builtin_isinf@s(bc);
if (left) { a = __builtin_copysign@s(__builtin_isinf@s(a) ? 1 : 0, a); b = __builtin_copysign@s(__builtin_isinf@s(b) ? 1 : 0, b); }
if (left && c != c) c = __builtin_copysign@s(0, c);
if (left && d != d) d = __builtin_copysign@s(0, d);
if (right) { c = __builtin_copysign@s(__builtin_isinf@s(c) ? 1 : 0, c); d = __builtin_copysign@s(__builtin_isinf@s(d) ? 1 : 0, d); }
int zero = right || over && !left;
if (zero && a != a) a = __builtin_copysign@s(0, a);
if (zero && b != b) b = __builtin_copysign@s(0, b);
if (over && !left && !right && c != c) c = __builtin_copysign@s(0, c);
if (over && !left && !right && d != d) d = __builtin_copysign@s(0, d);
if (left || right || over) { x = __builtin_inf@s() * (a * c - b * d); y = __builtin_inf@s() * (a * d + b * c); }
return __builtin_complex(x, y); }
";

/// A quotient `(a + bi) / (c + di)`, by the larger part of the divisor (Smith's method), scaled where that would lose too much.
const QUOTIENT: &str = "static _Complex @real @name(@real a, @real b, @real c, @real d) {
@real ratio, by, x, y, scale = 1 / @epsilon, far = @max / 2 * @epsilon;
int swap = __builtin_fabs@s(c) < __builtin_fabs@s(d);
if ((swap ? __builtin_fabs@s(d) : __builtin_fabs@s(c)) >= @max / 2) { a = a / 2; b = b / 2; c = c / 2; d = d / 2; }
@real m = swap ? __builtin_fabs@s(d) : __builtin_fabs@s(c);
@real p = __builtin_fabs@s(a), q = __builtin_fabs@s(b);
if (m < @epsilon || p < @min && q < far && m < far || q < @min && p < far && m < far) { a = a * scale; b = b * scale; c = c * scale; d = d * scale; }
ratio = swap ? c / d : d / c;
by = swap ? c * ratio + d : d * ratio + c;
if (__builtin_fabs@s(ratio) > @min) {
x = swap ? (a * ratio + b) / by : (b * ratio + a) / by;
y = swap ? (b * ratio - a) / by : (b - a * ratio) / by;
} else {
x = swap ? (c * (a / d) + b) / by : (a + d * (b / c)) / by;
y = swap ? (c * (b / d) - a) / by : (b - d * (a / c)) / by;
}
";

/// Of floats the quotient is computed in double, by the plain formula.
const QUOTIENT_OF_FLOATS: &str = "static _Complex float @name(float a, float b, float c, float d) {
double p = a, q = b, r = c, s = d, by = r * r + s * s;
float x = (p * r + q * s) / by, y = (q * r - p * s) / by;
";

/// What becomes of a quotient `x + yi` that is no number in both parts.
const RECOVERED: &str = "if (x != x && y != y) {
if (c == 0 && d == 0 && (a == a || b == b)) { x = __builtin_copysign@s(__builtin_inf@s(), c) * a; y = __builtin_copysign@s(__builtin_inf@s(), c) * b; }
else if ((__builtin_isinf@s(a) || __builtin_isinf@s(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
a = __builtin_copysign@s(__builtin_isinf@s(a) ? 1 : 0, a); b = __builtin_copysign@s(__builtin_isinf@s(b) ? 1 : 0, b); x = __builtin_inf@s() * (a * c + b * d); y = __builtin_inf@s() * (b * c - a * d); }
else if ((__builtin_isinf@s(c) || __builtin_isinf@s(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
c = __builtin_copysign@s(__builtin_isinf@s(c) ? 1 : 0, c); d = __builtin_copysign@s(__builtin_isinf@s(d) ? 1 : 0, d); x = 0 * (a * c + b * d); y = 0 * (b * c - a * d); } }
return __builtin_complex(x, y); }
";

const PARTS: [Part; 3] = [
    // The limits of floats are not needed.
    Part { ty: basic::FLOAT, real: "float", suffix: "f", max: "", min: "", epsilon: "" },
    Part {
        ty: basic::DOUBLE,
        real: "double",
        suffix: "",
        max: "0x1.fffffffffffffp+1023",
        min: "0x1p-1022",
        epsilon: "0x1p-52",
    },
    Part {
        ty: basic::LONGDOUBLE,
        real: "long double",
        suffix: "l",
        max: "0xf.fffffffffffffffp+16380L",
        min: "0x1p-16382L",
        epsilon: "0x1p-63L",
    },
];

impl Runtime {
    /// Its name.
    pub(crate) fn name(self) -> String {
        let operation = match self.operation {
            Operation::Product => "product",
            Operation::Quotient => "quotient",
        };
        format!("__{operation}_{}", self.part.real.replace(' ', "_"))
    }

    /// Its definition.
    pub(crate) fn text(self) -> String {
        let template = match self.operation {
            Operation::Product => PRODUCT.to_owned(),
            Operation::Quotient if self.part.ty == basic::FLOAT => [QUOTIENT_OF_FLOATS, RECOVERED].concat(),
            Operation::Quotient => [QUOTIENT, RECOVERED].concat(),
        };
        let Part { real, suffix, max, min, epsilon, .. } = self.part;
        let filled = template.replace("@real", real).replace("@name", &self.name()).replace("@max", max);
        filled.replace("@min", min).replace("@epsilon", epsilon).replace("@s", suffix)
    }
}

/// The function for numbers whose parts have this type.
pub(crate) fn runtime(operation: Operation, part: TypeId) -> Option<Runtime> {
    let part = PARTS.into_iter().find(|p| p.ty == part)?;
    Some(Runtime { operation, part })
}

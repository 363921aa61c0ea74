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

/// A function of the runtime library: an operation on numbers whose parts have this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    /// What it computes.
    pub(crate) operation: Operation,
    /// The type of the parts.
    pub(crate) part: TypeId,
    /// Its name.
    pub(crate) name: &'static str,
    /// Its definition.
    pub(crate) text: &'static str,
}

/// Of a product `(a + bi)(c + di)` that is no number in both parts.
macro_rules! product {
    ($real:literal, $name:literal, $s:literal) => {
        concat!(
            "static _Complex ",
            $real,
            " ",
            $name,
            "(",
            $real,
            " a, ",
            $real,
            " b, ",
            $real,
            " c, ",
            $real,
            " d) {\n",
            $real,
            " ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;\n",
            "int left = __builtin_isinf",
            $s,
            "(a) || __builtin_isinf",
            $s,
            "(b), right = __builtin_isinf",
            $s,
            "(c) || __builtin_isinf",
            $s,
            "(d);\n",
            "int over = __builtin_isinf",
            $s,
            "(ac) || __builtin_isinf",
            $s,
            "(bd) || __builtin_isinf",
            $s,
            "(ad) || __builtin_isinf",
            $s,
            "(bc);\n",
            // An infinite number counts as a point on the unit square, and no number in the other as zero.
            "if (left) { a = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(a) ? 1 : 0, a);",
            " b = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(b) ? 1 : 0, b); }\n",
            "if (left && c != c) c = __builtin_copysign",
            $s,
            "(0, c);\n",
            "if (left && d != d) d = __builtin_copysign",
            $s,
            "(0, d);\n",
            "if (right) { c = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(c) ? 1 : 0, c);",
            " d = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(d) ? 1 : 0, d); }\n",
            "int zero = right || over && !left;\n",
            "if (zero && a != a) a = __builtin_copysign",
            $s,
            "(0, a);\n",
            "if (zero && b != b) b = __builtin_copysign",
            $s,
            "(0, b);\n",
            "if (over && !left && !right && c != c) c = __builtin_copysign",
            $s,
            "(0, c);\n",
            "if (over && !left && !right && d != d) d = __builtin_copysign",
            $s,
            "(0, d);\n",
            "if (left || right || over) { x = __builtin_inf",
            $s,
            "() * (a * c - b * d);",
            " y = __builtin_inf",
            $s,
            "() * (a * d + b * c); }\n",
            "return __builtin_complex(x, y); }\n"
        )
    };
}

/// What becomes of a quotient `x + yi` that is no number in both parts.
macro_rules! recovered {
    ($s:literal) => {
        concat!(
            "if (x != x && y != y) {\n",
            "if (c == 0 && d == 0 && (a == a || b == b)) { x = __builtin_copysign",
            $s,
            "(__builtin_inf",
            $s,
            "(), c) * a;",
            " y = __builtin_copysign",
            $s,
            "(__builtin_inf",
            $s,
            "(), c) * b; }\n",
            "else if ((__builtin_isinf",
            $s,
            "(a) || __builtin_isinf",
            $s,
            "(b)) && __builtin_isfinite(c)",
            " && __builtin_isfinite(d)) {\n",
            "a = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(a) ? 1 : 0, a);",
            " b = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(b) ? 1 : 0, b);",
            " x = __builtin_inf",
            $s,
            "() * (a * c + b * d); y = __builtin_inf",
            $s,
            "() * (b * c - a * d); }\n",
            "else if ((__builtin_isinf",
            $s,
            "(c) || __builtin_isinf",
            $s,
            "(d)) && __builtin_isfinite(a)",
            " && __builtin_isfinite(b)) {\n",
            "c = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(c) ? 1 : 0, c);",
            " d = __builtin_copysign",
            $s,
            "(__builtin_isinf",
            $s,
            "(d) ? 1 : 0, d);",
            " x = 0 * (a * c + b * d); y = 0 * (b * c - a * d); } }\n",
            "return __builtin_complex(x, y); }\n"
        )
    };
}

/// A quotient `(a + bi) / (c + di)`, by the larger part of the divisor (Smith's method), scaled where that would lose too much.
/// `$max`, `$min` and `$epsilon` are those of `float.h`.
macro_rules! quotient {
    ($real:literal, $name:literal, $s:literal, $max:literal, $min:literal, $epsilon:literal) => {
        concat!(
            "static _Complex ",
            $real,
            " ",
            $name,
            "(",
            $real,
            " a, ",
            $real,
            " b, ",
            $real,
            " c, ",
            $real,
            " d) {\n",
            $real,
            " ratio, by, x, y, scale = 1 / ",
            $epsilon,
            ", far = ",
            $max,
            " / 2 * ",
            $epsilon,
            ";\n",
            "int swap = __builtin_fabs",
            $s,
            "(c) < __builtin_fabs",
            $s,
            "(d);\n",
            "if ((swap ? __builtin_fabs",
            $s,
            "(d) : __builtin_fabs",
            $s,
            "(c)) >= ",
            $max,
            " / 2)",
            " { a = a / 2; b = b / 2; c = c / 2; d = d / 2; }\n",
            $real,
            " m = swap ? __builtin_fabs",
            $s,
            "(d) : __builtin_fabs",
            $s,
            "(c);\n",
            $real,
            " p = __builtin_fabs",
            $s,
            "(a), q = __builtin_fabs",
            $s,
            "(b);\n",
            "if (m < ",
            $epsilon,
            " || p < ",
            $min,
            " && q < far && m < far || q < ",
            $min,
            " && p < far && m < far)",
            " { a = a * scale; b = b * scale; c = c * scale; d = d * scale; }\n",
            "ratio = swap ? c / d : d / c;\n",
            "by = swap ? c * ratio + d : d * ratio + c;\n",
            "if (__builtin_fabs",
            $s,
            "(ratio) > ",
            $min,
            ") {\n",
            "x = swap ? (a * ratio + b) / by : (b * ratio + a) / by;\n",
            "y = swap ? (b * ratio - a) / by : (b - a * ratio) / by;\n",
            "} else {\n",
            "x = swap ? (c * (a / d) + b) / by : (a + d * (b / c)) / by;\n",
            "y = swap ? (c * (b / d) - a) / by : (b - d * (a / c)) / by;\n",
            "}\n",
            recovered!($s)
        )
    };
}

/// Of floats the quotient is computed in double, by the plain formula.
const QUOTIENT_FLOAT: &str = concat!(
    "static _Complex float __quotient_float(float a, float b, float c, float d) {\n",
    "double p = a, q = b, r = c, s = d, by = r * r + s * s;\n",
    "float x = (p * r + q * s) / by, y = (q * r - p * s) / by;\n",
    recovered!("f")
);

/// All of them.
const ALL: [Runtime; 6] = [
    Runtime {
        operation: Operation::Product,
        part: basic::FLOAT,
        name: "__product_float",
        text: product!("float", "__product_float", "f"),
    },
    Runtime {
        operation: Operation::Product,
        part: basic::DOUBLE,
        name: "__product_double",
        text: product!("double", "__product_double", ""),
    },
    Runtime {
        operation: Operation::Product,
        part: basic::LONGDOUBLE,
        name: "__product_long_double",
        text: product!("long double", "__product_long_double", "l"),
    },
    Runtime { operation: Operation::Quotient, part: basic::FLOAT, name: "__quotient_float", text: QUOTIENT_FLOAT },
    Runtime {
        operation: Operation::Quotient,
        part: basic::DOUBLE,
        name: "__quotient_double",
        text: quotient!("double", "__quotient_double", "", "0x1.fffffffffffffp+1023", "0x1p-1022", "0x1p-52"),
    },
    Runtime {
        operation: Operation::Quotient,
        part: basic::LONGDOUBLE,
        name: "__quotient_long_double",
        text: quotient!(
            "long double",
            "__quotient_long_double",
            "l",
            "0xf.fffffffffffffffp+16380L",
            "0x1p-16382L",
            "0x1p-63L"
        ),
    },
];

/// The function for numbers whose parts have this type.
pub(crate) fn runtime(operation: Operation, part: TypeId) -> Option<Runtime> {
    ALL.into_iter().find(|r| r.operation == operation && r.part == part)
}

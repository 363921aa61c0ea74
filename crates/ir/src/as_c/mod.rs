//! Expressions as C, with the names and types that the source declares ([`crate::declared`]): the one printer for people.
//!
//! The text denotes, by C's own rules (promotions, usual arithmetic conversions), the same value as the expression, and
//! `lower::annotation` reads it back. Where IR computes in a type narrower than `int`, the result is cast back;
//! conversions that C makes by itself are left out. What C has no words for is written as IR names it: integer types of
//! other widths (`i33`), values at entry (`'x`), globals that a local hides (`@x`).
//! Object predicates, constants of the wide floating types and what is not a number do not read back and are shown as the IR's text form
//! shows them.

mod ctype;
mod memory;
mod name;
mod path;

pub use name::show_name;

use crate::{BinOp, DataModel, Expr, ExprKind, FloatTy, FuncId, IntTy, Program, Ty, UnOp, Var};
use ctype::type_name;

/// The expression as C, with the names that `func` sees.
pub fn show(program: &Program, func: FuncId, expr: &Expr) -> String {
    Printer { program, func, entry: false }.text(expr).0
}

/// How tightly an expression binds: C's levels, from the conditional operator to operands.
pub(super) type Level = u8;
pub(super) const CONDITIONAL: Level = 1;
const OR: Level = 2;
const AND: Level = 3;
const BIT_OR: Level = 4;
const BIT_XOR: Level = 5;
const BIT_AND: Level = 6;
const EQUALITY: Level = 7;
const RELATION: Level = 8;
pub(super) const SHIFT: Level = 9;
pub(super) const SUM: Level = 10;
pub(super) const PRODUCT: Level = 11;
pub(super) const UNARY: Level = 12;
pub(super) const OPERAND: Level = 13;

#[derive(Clone, Copy)]
pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) func: FuncId,
    /// Inside `'`: every variable is its entry value.
    pub(super) entry: bool,
}

impl Printer<'_> {
    pub(super) fn model(&self) -> DataModel {
        self.program.model
    }

    pub(super) fn at(&self, e: &Expr, level: Level) -> String {
        let (text, own) = self.text(e);
        if own < level { format!("({text})") } else { text }
    }

    pub(super) fn text(&self, e: &Expr) -> (String, Level) {
        match &e.kind {
            ExprKind::Const(c) => self.constant(e.ty, *c),
            ExprKind::Read(place) => match place.as_var() {
                Some(v) if self.is_whole(v, place.ty) => (self.variable(v), OPERAND),
                _ if self.entry => (format!("'({})", Printer { entry: false, ..*self }.text(e).0), OPERAND),
                _ => self.read(place),
            },
            ExprKind::Entry(a) => Printer { entry: true, ..*self }.text(a),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, e.ty, a, b),
            ExprKind::Convert(a) => self.convert(e.ty, a),
            ExprKind::Ite(c, a, b) => {
                let text = format!("{} ? {} : {}", self.at(c, OR), self.at(a, OR), self.at(b, CONDITIONAL));
                (text, CONDITIONAL)
            }
            ExprKind::Addr(_) if self.entry => (format!("'({})", Printer { entry: false, ..*self }.text(e).0), OPERAND),
            ExprKind::Addr(addr) => self.address(addr),
            ExprKind::Func(f) => (show_name(&self.program.functions[*f].name), OPERAND),
            ExprKind::ObjectPredicate(..) => self.other(e),
        }
    }

    pub(super) fn other(&self, e: &Expr) -> (String, Level) {
        (crate::text::show_expr(self.program, self.func, e), CONDITIONAL)
    }

    /// Whether a read of this type is one of the whole variable.
    fn is_whole(&self, v: Var, ty: Ty) -> bool {
        self.program.shape(self.func, v).scalar() == Some(ty)
    }

    pub(super) fn variable(&self, v: Var) -> String {
        let name = show_name(self.program.var_name(self.func, v));
        let hidden = matches!(v, Var::Global(_))
            && self.program.functions[self.func].locals.iter().any(|l| l.name == self.program.var_name(self.func, v));
        format!("{}{}{name}", if self.entry { "'" } else { "" }, if hidden { "@" } else { "" })
    }

    fn constant(&self, ty: Ty, c: u128) -> (String, Level) {
        let Ty::Int(i) = ty else {
            return match ty {
                Ty::Ptr if c == 0 => ("NULL".to_owned(), OPERAND),
                Ty::Ptr => (format!("(void *){c}"), UNARY),
                Ty::Float(float) => self.number(float, c),
                Ty::Bool | Ty::Int(_) => (c.to_string(), OPERAND),
            };
        };
        // Narrow values are `int` to C; others need their type.
        let (suffix, cast) = match (i.width, i.signed, self.model()) {
            (0..=31, ..) | (32, true, _) => ("", false),
            (32, false, _) => ("U", false),
            (64, true, DataModel::Lp64) => ("L", false),
            (64, true, DataModel::Ilp32) => ("LL", false),
            (64, false, DataModel::Lp64) => ("UL", false),
            (64, false, DataModel::Ilp32) => ("ULL", false),
            _ => ("", true),
        };
        let value = i.extend(c);
        let literal = if i.signed { value.unsigned_abs() } else { c };
        if i.width > 64 && literal >> 63 != 0 {
            return self.wide_constant(ty, c);
        }
        let (text, level) = if !i.signed {
            (format!("{c}{suffix}"), OPERAND)
        } else if value == i128::MIN || i.width >= 32 && value < 0 && value == i.extend(1 << (i.width - 1)) {
            // The least number has no literal: its absolute value does not fit.
            (format!("-{}{suffix} - 1", value.wrapping_add(1).unsigned_abs()), SUM)
        } else if value < 0 {
            (format!("-{}{suffix}", value.unsigned_abs()), UNARY)
        } else {
            (format!("{value}{suffix}"), OPERAND)
        };
        if !cast {
            return (text, level);
        }
        let text = if level < UNARY { format!("({text})") } else { text };
        (format!("({}){text}", type_name(self.model(), ty)), UNARY)
    }

    /// A floating-point constant: the shortest text that is read as it, and for what is infinite one that is too large.
    fn number(&self, ty: FloatTy, c: u128) -> (String, Level) {
        let (negative, text, suffix) = match ty {
            FloatTy::F32 => {
                let x = f32::from_bits(c as u32);
                (x.is_sign_negative(), literal(x.abs().into(), format!("{:?}", x.abs())), "f")
            }
            FloatTy::F64 => {
                let x = f64::from_bits(c as u64);
                (x.is_sign_negative(), literal(x.abs(), format!("{:?}", x.abs())), "")
            }
            FloatTy::F16 => {
                let x = crate::library::math::number(ty, c).unwrap_or(f64::NAN);
                (x.is_sign_negative(), literal(x.abs(), format!("{:?}", x.abs())), "f16")
            }
            FloatTy::F80 | FloatTy::F128 => (false, None, ""),
        };
        match text {
            Some(text) if negative => (format!("-{text}{suffix}"), UNARY),
            Some(text) => (format!("{text}{suffix}"), OPERAND),
            None => self.other(&Expr::constant(Ty::Float(ty), c)),
        }
    }

    /// A constant that no literal holds: its two halves.
    fn wide_constant(&self, ty: Ty, c: u128) -> (String, Level) {
        let word = Ty::int(64, false);
        let half = |bits: u128| self.constant(word, bits & u128::from(u64::MAX)).0;
        let name = type_name(self.model(), ty);
        (format!("({name}){} << 64 | {}", half(c >> 64), half(c)), BIT_OR)
    }

    fn unary(&self, op: UnOp, a: &Expr) -> (String, Level) {
        let sign = match op {
            UnOp::Not if a.ty == Ty::Bool => return self.negation(a),
            UnOp::Not => "~",
            UnOp::Neg => "-",
        };
        let operand = self.at(a, UNARY);
        // Two signs in a row would be another operator.
        let gap = if operand.starts_with(sign) { " " } else { "" };
        self.narrowed(a.ty, (format!("{sign}{gap}{operand}"), UNARY))
    }

    /// `!a`, with a comparison turned round.
    fn negation(&self, a: &Expr) -> (String, Level) {
        let turned = a.clone().negate();
        match turned.kind {
            ExprKind::Unary(UnOp::Not, _) => (format!("!{}", self.at(a, UNARY)), UNARY),
            _ => self.text(&turned),
        }
    }

    /// A result of C's arithmetic, cast back if IR computes it in a narrow type.
    fn narrowed(&self, ty: Ty, (text, level): (String, Level)) -> (String, Level) {
        match ty {
            Ty::Int(IntTy { width: 0..=31, .. }) => {
                let text = if level < UNARY { format!("({text})") } else { text };
                (format!("({}){text}", type_name(self.model(), ty)), UNARY)
            }
            _ => (text, level),
        }
    }

    fn binary(&self, op: BinOp, ty: Ty, a: &Expr, b: &Expr) -> (String, Level) {
        let truth = a.ty == Ty::Bool;
        let (sign, level) = match op {
            BinOp::And if truth => ("&&", AND),
            BinOp::Or if truth => ("||", OR),
            BinOp::Xor if truth => ("!=", EQUALITY),
            BinOp::Add => ("+", SUM),
            BinOp::Sub => ("-", SUM),
            BinOp::Mul => ("*", PRODUCT),
            BinOp::Div => ("/", PRODUCT),
            BinOp::Rem => ("%", PRODUCT),
            BinOp::And => ("&", BIT_AND),
            BinOp::Or => ("|", BIT_OR),
            BinOp::Xor => ("^", BIT_XOR),
            BinOp::Shl => ("<<", SHIFT),
            BinOp::Shr => (">>", SHIFT),
            BinOp::Eq => ("==", EQUALITY),
            BinOp::Ne => ("!=", EQUALITY),
            BinOp::Lt => ("<", RELATION),
            BinOp::Le => ("<=", RELATION),
            BinOp::Gt => (">", RELATION),
            BinOp::Ge => (">=", RELATION),
            BinOp::AddOverflows => return self.overflow("add", a, b),
            BinOp::SubOverflows => return self.overflow("sub", a, b),
            BinOp::MulOverflows => return self.overflow("mul", a, b),
        };
        // `x + -1` reads better as `x - 1`.
        if op == BinOp::Add
            && let (Ty::Int(i), Some(c)) = (b.ty, b.as_const())
            && i.signed
            && i.extend(c) < 0
            && i.extend(c) != i.extend(1 << (i.width - 1))
        {
            let positive = Expr::constant(b.ty, c.wrapping_neg() & i.mask());
            let text = format!("{} - {}", self.at(a, SUM), self.at(&positive, PRODUCT));
            return self.narrowed(ty, (text, SUM));
        }
        // Bit operators mix badly with comparisons: their operands always stand in parentheses unless they are simple.
        let operands = if (BIT_OR..=BIT_AND).contains(&level) { UNARY } else { level };
        // C itself makes a narrow bit-field as unsigned as what it is combined with.
        let left = match self.bit_field(a) {
            Some(text) if level != SHIFT && self.bit_field(b).is_none() => text,
            _ => self.at(a, operands),
        };
        let text = format!("{left} {sign} {}", self.at(b, operands.max(level + 1)));
        if truth || op.gives_bool() { (text, level) } else { self.narrowed(ty, (text, level)) }
    }

    fn overflow(&self, what: &str, a: &Expr, b: &Expr) -> (String, Level) {
        let ty = type_name(self.model(), a.ty);
        let narrow = matches!(a.ty, Ty::Int(IntTy { width: 0..=31, .. }));
        // The built-in takes its operands as they are: what is not yet promoted, or not again, needs its type.
        let operand = |e: &Expr| match &e.kind {
            ExprKind::Read(place) if place.as_var().is_some() => self.at(e, CONDITIONAL),
            ExprKind::Convert(_) => format!("({ty}){}", self.at(e, UNARY)),
            _ if narrow => format!("({ty}){}", self.at(e, UNARY)),
            _ => self.at(e, CONDITIONAL),
        };
        (format!("__builtin_{what}_overflow_p({}, {}, ({ty})0)", operand(a), operand(b)), OPERAND)
    }

    fn convert(&self, to: Ty, a: &Expr) -> (String, Level) {
        let promoted = to == Ty::int(32, true) && matches!(a.ty, Ty::Bool | Ty::Int(IntTy { width: 0..=31, .. }));
        if promoted {
            return self.text(a);
        }
        if to == Ty::int(32, true)
            && let Some(text) = self.bit_field(a)
        {
            return (text, OPERAND);
        }
        if let Some(text) = self.cut_out(to, a) {
            return (text, OPERAND);
        }
        (format!("({}){}", type_name(self.model(), to), self.at(a, UNARY)), UNARY)
    }
}

/// The literal of a number that is not negative, given its text as a finite number.
fn literal(x: f64, finite: String) -> Option<String> {
    match x {
        x if x.is_nan() => None,
        x if x.is_infinite() => Some("1e9999".to_owned()),
        _ => Some(finite),
    }
}

//! Writes places and addresses as C: `p->next`, `a[i].x`, `&s.f`, `*p` where the declarations say so, otherwise with
//! casts that say as much (`*(int *)((char *)p + 8)`).

use super::ctype::{CTy, Layout, type_name};
use super::path::{Goal, Step, path, path_from_pointer};
use super::{CONDITIONAL, Level, OPERAND, PRODUCT, Printer, SHIFT, SUM, UNARY};
use crate::{Address, Base, BinOp, Expr, ExprKind, Index, IntTy, Place, Ty, Var};

impl Printer<'_> {
    fn layout(&self) -> Layout<'_> {
        Layout { declared: &self.program.declared, model: self.model() }
    }

    /// The declared type of a variable.
    fn variable_type(&self, v: Var) -> Option<CTy> {
        let name = self.program.var_name(self.func, v);
        let declared = match v {
            Var::Global(_) => self.program.declared.global(name)?,
            Var::Local(_) => self.program.declared.local(&self.program.functions[self.func].name, name)?,
        };
        let shape = self.program.shape(self.func, v);
        let fits = match shape.scalar() {
            Some(ty) => self.program.declared.scalar(declared) == Some(ty),
            None => self.program.declared.scalar(declared).is_none(),
        };
        fits.then_some(CTy::Declared(declared))
    }

    /// The C type of an expression as it is printed, as far as it is known.
    fn type_of(&self, e: &Expr) -> Option<CTy> {
        match &e.kind {
            ExprKind::Read(place) => match place.as_var() {
                Some(v) if self.program.shape(self.func, v).scalar() == Some(place.ty) => self.variable_type(v),
                _ => self.steps(&place.addr, Goal::Read(place)).map(|(_, ty)| ty),
            },
            ExprKind::Entry(a) => self.type_of(a),
            ExprKind::Addr(addr) => self.steps(addr, Goal::Address).map(|(_, ty)| ty.pointer()),
            ExprKind::Ite(_, a, b) => self.type_of(a).or_else(|| self.type_of(b)),
            _ => None,
        }
    }

    /// The path to an address and the type at its end.
    fn steps(&self, addr: &Address, goal: Goal<'_>) -> Option<(Vec<Step>, CTy)> {
        match &addr.base {
            Base::Var(v) => path(self.layout(), &self.variable_type(*v)?, addr.offset, &addr.indices, goal),
            Base::Ptr(p) => {
                let to = self.type_of(p)?.pointee(&self.program.declared)?;
                path_from_pointer(self.layout(), &to, addr.offset, &addr.indices, goal)
            }
        }
    }

    /// The same with the text that it begins with.
    fn way(&self, addr: &Address, goal: Goal<'_>) -> Option<(Head, Vec<Step>, CTy)> {
        let (steps, ty) = self.steps(addr, goal)?;
        let head = match &addr.base {
            Base::Var(v) => Head::Object(self.variable(*v)),
            Base::Ptr(p) => {
                let (text, level) = self.text(p);
                let at = |least: Level| if level < least { format!("({text})") } else { text.clone() };
                Head::Pointer(at(OPERAND), at(UNARY))
            }
        };
        Some((head, steps, ty))
    }

    /// The value at a place.
    pub(super) fn read(&self, place: &Place) -> (String, Level) {
        let Some((head, steps, ty)) = self.way(&place.addr, Goal::Read(place)) else { return self.untyped(place) };
        let (text, level) = self.along(head, &steps);
        let printed = match place.bits {
            // A narrow bit-field is an `int` to C, whatever its declared type.
            Some(range) if range.width < 32 && place.ty.width(self.model()) <= 32 => Ty::int(32, true),
            _ => ty.scalar(&self.program.declared).unwrap_or(place.ty),
        };
        // C computes with a bit-field that is wider than `int` in the field's own width.
        let odd = place.bits.is_some_and(|range| range.width > 32 && range.width < place.ty.width(self.model()));
        // What is narrower than `int` is promoted to it, and so is the value itself where it is used.
        if printed == place.ty && !odd {
            return (text, level);
        }
        let text = if level < UNARY { format!("({text})") } else { text };
        (format!("({}){text}", type_name(self.model(), place.ty)), UNARY)
    }

    /// The text of a narrow bit-field of type `unsigned`, without the cast that makes it one.
    pub(super) fn bit_field(&self, e: &Expr) -> Option<String> {
        let ExprKind::Read(place) = &e.kind else { return None };
        let range = place.bits.filter(|r| r.width < 32 && place.ty == Ty::int(32, false) && !self.entry)?;
        debug_assert!(range.width > 0, "a bit-field has bits");
        let (head, steps, _) = self.way(&place.addr, Goal::Read(place))?;
        let (text, level) = self.along(head, &steps);
        (level == OPERAND).then_some(text)
    }

    /// The bit-field that a conversion cuts out of the word that holds it: refinement finds bits, not fields. What is
    /// narrower than `int` has the same value as a field of that width.
    pub(super) fn cut_out(&self, to: Ty, e: &Expr) -> Option<String> {
        let Ty::Int(IntTy { width: bits @ 0..=31, signed }) = to else { return None };
        let same_bits = |e: &Expr| match &e.kind {
            ExprKind::Convert(inner) if inner.ty.width(self.model()) == e.ty.width(self.model()) => (**inner).clone(),
            _ => e.clone(),
        };
        let (word, lo) = match &e.kind {
            ExprKind::Binary(BinOp::Shr, x, c) if !x.ty.is_signed() => {
                (same_bits(x), u16::try_from(c.as_const()?).ok()?)
            }
            _ => (same_bits(e), 0),
        };
        let ExprKind::Read(place) = &word.kind else { return None };
        let Ty::Int(IntTy { width, .. }) = place.ty else { return None };
        if place.bits.is_some() || self.entry || lo + bits > width {
            return None;
        }
        let field =
            Place { ty: Ty::int(width, signed), bits: Some(crate::BitRange { lo, width: bits }), ..place.clone() };
        let (head, steps, _) = self.way(&field.addr, Goal::Read(&field))?;
        let (text, level) = self.along(head, &steps);
        (level == OPERAND).then_some(text)
    }

    /// An address as a value.
    pub(super) fn address(&self, addr: &Address) -> (String, Level) {
        if let Some((head, steps, ty)) = self.way(addr, Goal::Address) {
            // `p + i` rather than `&p[i]`, `a` rather than `&a`.
            if let (Head::Pointer(text, _), [Step::Element(index, constant)]) = (&head, &steps[..]) {
                return match (index, constant) {
                    (None, 0) => (text.clone(), OPERAND),
                    (None, c) if *c < 0 => (format!("{text} - {}", c.unsigned_abs()), SUM),
                    (None, c) => (format!("{text} + {c}"), SUM),
                    (Some(_), _) => (format!("&{}", self.along(head.clone(), &steps).0), UNARY),
                };
            }
            let (text, level) = self.along(head, &steps);
            if ty.elements(&self.program.declared).is_some() {
                return (text, level);
            }
            let text = if level < UNARY { format!("({text})") } else { text };
            return (format!("&{text}"), UNARY);
        }
        self.bytes(addr)
    }

    /// A place that no declaration leads to.
    fn untyped(&self, place: &Place) -> (String, Level) {
        let (at, level) = self.bytes(&place.addr);
        let at = if level < UNARY { format!("({at})") } else { at };
        let text = match place.ty {
            Ty::Ptr => format!("*(void **){at}"),
            ty => format!("*({} *){at}", type_name(self.model(), ty)),
        };
        let Some(range) = place.bits else { return (text, UNARY) };
        // The bits of the access: shifted up to the top and back down, as the sign of the access says.
        let Ty::Int(IntTy { width, signed }) = place.ty else { return (text, UNARY) };
        let wide = if width < 32 { 32 } else { width };
        let ty = type_name(self.model(), Ty::int(wide, signed));
        let (up, down) = (wide - range.lo - range.width, wide - range.width);
        let text = format!("(({ty}){text} << {up}) >> {down}");
        if wide == width {
            return (text, SHIFT);
        }
        (format!("({})({text})", type_name(self.model(), place.ty)), UNARY)
    }

    /// An address in bytes.
    fn bytes(&self, addr: &Address) -> (String, Level) {
        let mut text = match &addr.base {
            Base::Var(v) => format!("(char *)&{}", self.variable(*v)),
            Base::Ptr(p) => format!("(char *){}", self.at(p, UNARY)),
        };
        let start = text.len();
        match addr.offset {
            0 => {}
            n if n < 0 => text.push_str(&format!(" - {}", n.unsigned_abs())),
            n => text.push_str(&format!(" + {n}")),
        }
        for Index { value, stride } in &addr.indices {
            let (sign, factor) = if *stride < 0 { ('-', stride.unsigned_abs()) } else { ('+', stride.unsigned_abs()) };
            match factor {
                1 => text.push_str(&format!(" {sign} {}", self.at(value, PRODUCT))),
                n => text.push_str(&format!(" {sign} {} * {n}", self.at(value, PRODUCT))),
            }
        }
        let level = if text.len() == start { UNARY } else { SUM };
        (text, level)
    }

    /// The steps of a path behind its head.
    fn along(&self, head: Head, steps: &[Step]) -> (String, Level) {
        let (mut text, mut steps) = match head {
            Head::Object(name) => (name, steps),
            Head::Pointer(operand, unary) => match steps {
                [Step::Element(None, 0)] => return (format!("*{unary}"), UNARY),
                [Step::Element(None, 0), Step::Member(name), rest @ ..] => (format!("{operand}->{name}"), rest),
                [Step::Element(None, 0), rest @ ..] => (format!("(*{unary})"), rest),
                steps => (operand, steps),
            },
        };
        if let [Step::Member(name), ..] = steps
            && self.is_variable(&format!("{text}.{name}"))
        {
            // The dotted name is another variable's.
            text = format!("({text})");
        }
        while let [step, rest @ ..] = steps {
            match step {
                Step::Member(name) => text.push_str(&format!(".{name}")),
                Step::Element(index, constant) => {
                    text.push_str(&format!("[{}]", self.index(index.as_ref(), *constant)));
                }
            }
            steps = rest;
        }
        (text, OPERAND)
    }

    fn is_variable(&self, name: &str) -> bool {
        let mut locals = self.program.functions[self.func].locals.iter();
        self.program.global(name).is_some() || locals.any(|l| l.name == name)
    }

    /// An index: a value that C widens by itself is written as it is.
    fn index(&self, value: Option<&Expr>, constant: i64) -> String {
        let Some(value) = value else { return constant.to_string() };
        let index_ty = self.model().index_ty();
        let plain = match &value.kind {
            ExprKind::Convert(inner) if value.ty == index_ty && widens(inner.ty, index_ty) => inner,
            _ => value,
        };
        let text = |level| self.at(plain, level);
        match constant {
            0 => text(CONDITIONAL),
            // The sum is made at the width of an index, not at that of the value.
            c => {
                let sum = Expr::binary(BinOp::Add, value.clone(), Expr::int(index_ty, c.into()));
                self.text(&sum).0
            }
        }
    }
}

/// Whether C turns a value of this type into an index without a cast, and keeps it.
fn widens(from: Ty, to: Ty) -> bool {
    match (from, to) {
        (Ty::Bool, _) => true,
        (Ty::Int(from), Ty::Int(to)) => from.width <= to.width,
        _ => false,
    }
}

/// What a path begins with.
#[derive(Clone, Debug)]
enum Head {
    /// A variable.
    Object(String),
    /// A pointer: its text as an operand, and under a prefix operator.
    Pointer(String, String),
}

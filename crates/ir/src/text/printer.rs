//! Prints programs and their parts.
//!
//! Whatever the data says is printed, valid or not; only for valid programs is the text promised to parse back.

use super::lexer::quote;
use super::needs_quotes;
use crate::syntax::*;
use base::{SourceMap, Span};
use std::fmt::{self, Display, Write};

/// The canonical text of a program: no comments, no spans.
pub fn print(program: &Program) -> String {
    Printer { program, sources: None }.program()
}

/// The text with the place in the source as a comment behind every edge, global and function.
pub fn print_with_sources(program: &Program, sources: &SourceMap) -> String {
    Printer { program, sources: Some(sources) }.program()
}

/// The text of an expression in the scope of `func`.
pub fn show_expr(program: &Program, func: FuncId, expr: &Expr) -> String {
    In(program, Some(func), expr).to_string()
}

/// The text of an operation in the scope of `func`.
pub fn show_op(program: &Program, func: FuncId, op: &Op) -> String {
    In(program, Some(func), op).to_string()
}

/// The text of an edge without its id: `L3 -> L4: x := 1:i32`.
pub fn show_edge(program: &Program, func: FuncId, edge: &Edge) -> String {
    In(program, Some(func), edge).to_string()
}

/// A name as the text form writes it: in backquotes where it would be mistaken for something else.
pub fn show_name(name: &str) -> String {
    if needs_quotes(name) { quote(name, '`') } else { name.to_owned() }
}

impl Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("bool"),
            Ty::Ptr => f.write_str("ptr"),
            Ty::Int(i) => write!(f, "{}{}", if i.signed { 'i' } else { 'u' }, i.width),
            Ty::Float(t) => write!(f, "f{}", t.width()),
        }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Scalar(ty) => write!(f, "{ty}"),
            Shape::Object { size, align } => write!(f, "object({size}, {align})"),
        }
    }
}

impl Display for Linkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Linkage::External => "external",
            Linkage::Internal => "internal",
        })
    }
}

impl Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Reached(name) => write!(f, "reached {}", quote(name, '"')),
            ErrorKind::Assert(text) => write!(f, "assert {}", quote(text, '"')),
            ErrorKind::Rule(text) => write!(f, "rule {}", quote(text, '"')),
            ErrorKind::Ub(ub) => write!(f, "ub {}", ub.name()),
        }
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Nondet(name) => write!(f, "nondet {}", quote(name, '"')),
            Source::Uninit => f.write_str("uninit"),
            Source::Padding => f.write_str("padding"),
            Source::Outside(what) => write!(f, "outside {}", quote(what, '"')),
        }
    }
}

impl DataModel {
    /// The name in text forms and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

impl Externs {
    /// The name in text forms and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Externs::Pure => "pure",
            Externs::Args => "args",
            Externs::Any => "any",
        }
    }
}

/// The sign that an operator has between operands of type `ty`; `None` for those written as functions.
pub(super) fn infix(op: BinOp, ty: Ty) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And if ty == Ty::Bool => "&&",
        BinOp::Or if ty == Ty::Bool => "||",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows => return None,
    })
}

/// A piece of syntax in the scope of a function (or outside all of them).
struct In<'a, T>(&'a Program, Option<FuncId>, &'a T);

impl<'a, T> In<'a, T> {
    fn with<U>(&self, part: &'a U) -> In<'a, U> {
        In(self.0, self.1, part)
    }
}

impl Display for In<'_, Var> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match *self.2 {
            Var::Global(g) => {
                f.write_char('@')?;
                self.0.globals.get(g).map(|g| &g.name)
            }
            Var::Local(l) => self.1.and_then(|func| self.0.functions.get(func)?.locals.get(l)).map(|l| &l.name),
        };
        match name {
            Some(name) => f.write_str(&show_name(name)),
            None => write!(f, "`?{:?}`", self.2),
        }
    }
}

impl Display for In<'_, FuncId> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.functions.get(*self.2) {
            Some(func) => f.write_str(&show_name(&func.name)),
            None => write!(f, "`?{}`", self.2),
        }
    }
}

/// What stands between the brackets of a place or address.
struct Inside<'a>(In<'a, Address>);

impl Display for Inside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addr = self.0.2;
        match &addr.base {
            Base::Var(v) => write!(f, "&{}", self.0.with(v))?,
            // `&x` as base means the variable; a pointer expression that would look like it gets parentheses.
            Base::Ptr(p) if matches!(p.kind, ExprKind::Addr(_) | ExprKind::Func(_)) => {
                write!(f, "({})", self.0.with(&**p))?;
            }
            Base::Ptr(p) => write!(f, "{}", self.0.with(&**p))?,
        }
        if addr.offset != 0 {
            write!(f, " + {}", addr.offset)?;
        }
        for index in &addr.indices {
            write!(f, " + {}*{}", index.stride, self.0.with(&index.value))?;
        }
        Ok(())
    }
}

impl Display for In<'_, Address> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.2 {
            Address { base: Base::Var(v), offset: 0, indices } if indices.is_empty() => {
                write!(f, "&{}", self.with(v))
            }
            addr => write!(f, "&[{}]", Inside(self.with(addr))),
        }
    }
}

impl Display for In<'_, Place> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.2;
        if let Some(var) = place.as_var()
            && shape_of(self.0, self.1, var) == Some(Shape::Scalar(place.ty))
        {
            return write!(f, "{}", self.with(&var));
        }
        write!(f, "*[{}]:{}", Inside(self.with(&place.addr)), place.ty)?;
        if let Some(bits) = place.bits {
            write!(f, "#{}+{}", bits.lo, bits.width)?;
        }
        match &place.label.0 {
            Some(label) => write!(f, " {}", quote(label, '"')),
            None => Ok(()),
        }
    }
}

fn shape_of(program: &Program, func: Option<FuncId>, var: Var) -> Option<Shape> {
    match var {
        Var::Global(g) => program.globals.get(g).map(|g| g.shape),
        Var::Local(l) => program.functions.get(func?)?.locals.get(l).map(|l| l.shape),
    }
}

fn constant(f: &mut fmt::Formatter<'_>, ty: Ty, pattern: u128) -> fmt::Result {
    match (ty, pattern) {
        (Ty::Bool, 0) => f.write_str("false"),
        (Ty::Bool, 1) => f.write_str("true"),
        (Ty::Ptr, 0) => f.write_str("null"),
        (Ty::Int(i), _) if i.signed => write!(f, "{}:{ty}", i.extend(pattern)),
        (Ty::Int(_), _) => write!(f, "{pattern}:{ty}"),
        _ => write!(f, "{pattern:#x}:{ty}"),
    }
}

impl Display for In<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.2.kind {
            ExprKind::Const(c) => constant(f, self.2.ty, *c),
            ExprKind::Read(place) => self.with(place).fmt(f),
            ExprKind::Addr(addr) => self.with(addr).fmt(f),
            ExprKind::Func(func) => write!(f, "&fn {}", self.with(func)),
            ExprKind::Unary(op, e) => {
                let sign = match op {
                    UnOp::Neg => '-',
                    UnOp::Not if e.ty == Ty::Bool => '!',
                    UnOp::Not => '~',
                };
                // `-5:i32` is a constant; the negation of a constant needs parentheses.
                match e.kind {
                    ExprKind::Const(_) => write!(f, "{sign}({})", self.with(&**e)),
                    _ => write!(f, "{sign}{}", self.with(&**e)),
                }
            }
            ExprKind::Binary(op, a, b) => match infix(*op, a.ty) {
                Some(sign) => write!(f, "({} {sign} {})", self.with(&**a), self.with(&**b)),
                None => {
                    let name = match op {
                        BinOp::AddOverflows => "add_overflows",
                        BinOp::SubOverflows => "sub_overflows",
                        _ => "mul_overflows",
                    };
                    write!(f, "{name}({}, {})", self.with(&**a), self.with(&**b))
                }
            },
            ExprKind::Convert(e) => write!(f, "{}({})", self.2.ty, self.with(&**e)),
            ExprKind::Ite(c, a, b) => {
                write!(f, "ite({}, {}, {})", self.with(&**c), self.with(&**a), self.with(&**b))
            }
            ExprKind::ObjectPredicate(predicate, e) => {
                let e = self.with(&**e);
                match predicate {
                    ObjectPredicate::InBounds(n) => write!(f, "inbounds({e}, {n})"),
                    ObjectPredicate::Alive => write!(f, "alive({e})"),
                    ObjectPredicate::Freeable => write!(f, "freeable({e})"),
                    ObjectPredicate::Callable(n) => write!(f, "callable({e}, {n})"),
                    ObjectPredicate::Foreign => write!(f, "foreign({e})"),
                    ObjectPredicate::FitsInt(i) => write!(f, "fits({e}, {})", Ty::Int(*i)),
                }
            }
            ExprKind::Entry(e) => match e.kind {
                // `'x` for a name, parentheses for all that is longer: `'-x` would be hard to read.
                ExprKind::Read(_) | ExprKind::Binary(..) => write!(f, "'{}", self.with(&**e)),
                _ => write!(f, "'({})", self.with(&**e)),
            },
        }
    }
}

impl Display for In<'_, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.2 {
            Op::Skip => f.write_str("skip"),
            Op::Assume(e) => write!(f, "assume {}", self.with(e)),
            Op::Assign(place, e) => write!(f, "{} := {}", self.with(place), self.with(e)),
            Op::Havoc(HavocDst::Place(place), source) => write!(f, "{} := havoc {source}", self.with(place)),
            Op::Havoc(HavocDst::Range { dst, len }, source) => {
                write!(f, "range({}, {}) := havoc {source}", self.with(dst), self.with(len))
            }
            Op::Alloc(a) => {
                write!(f, "{} := alloc({}) align {}", self.with(&a.dst), self.with(&a.size), a.align)?;
                for (on, word) in [(a.zeroed, " zeroed"), (a.may_fail, " fallible"), (a.stack, " stack")] {
                    f.write_str(if on { word } else { "" })?;
                }
                write!(f, " {}", a.site)
            }
            Op::Free(e) => write!(f, "free {}", self.with(e)),
            Op::Begin(l) => write!(f, "begin {}", self.with(&Var::Local(*l))),
            Op::End(l) => write!(f, "end {}", self.with(&Var::Local(*l))),
            Op::Release(e) => write!(f, "release {}", self.with(e)),
            Op::SetRange { dst, value, len } => {
                write!(f, "set {}, {}, {}", self.with(dst), self.with(value), self.with(len))
            }
            Op::CopyRange { dst, src, len } => {
                write!(f, "copy {}, {}, {}", self.with(dst), self.with(src), self.with(len))
            }
            Op::Call(call) => {
                if let Some(dst) = &call.dst {
                    write!(f, "{} := ", self.with(dst))?;
                }
                match &call.callee {
                    Callee::Direct(func) => write!(f, "call {}(", self.with(func))?,
                    Callee::Indirect(e) => write!(f, "call [{}](", self.with(e))?,
                }
                for (i, arg) in call.args.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, self.with(arg))?;
                }
                f.write_char(')')
            }
            Op::Return(None) => f.write_str("return"),
            Op::Return(Some(e)) => write!(f, "return {}", self.with(e)),
            Op::Error(kind) => write!(f, "error {kind}"),
            Op::Halt => f.write_str("halt"),
            Op::Unsupported(why) => write!(f, "unsupported {}", quote(why, '"')),
        }
    }
}

impl Display for In<'_, Edge> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge = self.2;
        match edge.to {
            Some(to) => write!(f, "{} -> {to}: ", edge.from)?,
            None => write!(f, "{} -> end: ", edge.from)?,
        }
        for guard in &edge.guards {
            write!(f, "[{}: {}] ", guard.ub.name(), self.with(&guard.cond))?;
        }
        self.with(&edge.op).fmt(f)
    }
}

struct Printer<'a> {
    program: &'a Program,
    sources: Option<&'a SourceMap>,
}

impl Printer<'_> {
    fn program(&self) -> String {
        let p = self.program;
        let mut out = String::new();
        out.push_str(&format!("model {}\nexterns {}\n", p.model.name(), p.externs.name()));
        out.push_str(&format!("addresses {}\n", p.addresses.name()));
        out.push_str(&format!("entry {}\n", In(p, None, &p.entry)));
        for (ub, policy) in p.ub.iter() {
            out.push_str(&format!("ub {} {}\n", ub.name(), policy.name()));
        }
        for (id, site) in p.sites.iter_enumerated() {
            out.push_str(&format!("site {id} {}{}\n", quote(&site.name, '"'), self.comment(site.span)));
        }
        for global in &p.globals {
            self.global(&mut out, global);
        }
        for (id, func) in p.functions.iter_enumerated() {
            self.function(&mut out, id, func);
        }
        out
    }

    fn comment(&self, span: Span) -> String {
        self.sources.map_or(String::new(), |s| format!("  // {}", s.locate(span)))
    }

    fn global(&self, out: &mut String, global: &Global) {
        out.push_str(&format!("global @{}: {} {}", show_name(&global.name), global.shape, global.linkage));
        out.push_str(match global.exposure {
            Exposure::Hidden => "",
            Exposure::Read => " read",
            Exposure::Known => " known",
        });
        out.push_str(if global.constant { " const = " } else { " = " });
        match &global.init {
            Init::Zero => out.push_str("zero"),
            Init::Unknown => out.push_str("unknown"),
            Init::Values(items) => {
                out.push('{');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(&format!("{}+{}", if i == 0 { " " } else { "; " }, item.offset));
                    if let Some(bits) = item.bits {
                        out.push_str(&format!("#{}+{}", bits.lo, bits.width));
                    }
                    out.push_str(&format!(" = {}", In(self.program, None, &item.value)));
                }
                out.push_str(" }");
            }
        }
        out.push_str(&self.comment(global.span));
        out.push('\n');
    }

    fn function(&self, out: &mut String, id: FuncId, func: &Function) {
        out.push_str(&format!("\nfunc {} {}(", func.linkage, show_name(&func.name)));
        for (i, local) in func.locals.iter().take(func.n_params).enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            out.push_str(&format!("{}: {}{}", show_name(&local.name), local.shape, marked(local)));
        }
        if func.variadic {
            out.push_str(if func.n_params == 0 { "..." } else { ", ..." });
        }
        out.push(')');
        if let Some(ret) = func.ret {
            out.push_str(&format!(" -> {}", In(self.program, Some(id), &Var::Local(ret))));
        }
        out.push_str(&format!(" {{{}\n", self.comment(func.span)));
        for local in func.locals.iter().skip(func.n_params) {
            out.push_str(&format!("  local {}: {}{}\n", show_name(&local.name), local.shape, marked(local)));
        }
        if let Some(body) = &func.body {
            out.push_str(&format!("  locations {} entry {} exit {}\n", body.locations.len(), body.entry, body.exit));
            for (loc, location) in body.locations.iter_enumerated() {
                if let Some(label) = &location.label {
                    out.push_str(&format!("  label {loc} {}\n", quote(label, '"')));
                }
            }
            for (e, edge) in body.edges.iter_enumerated() {
                let text = In(self.program, Some(id), edge);
                out.push_str(&format!("  {e}: {text}{}\n", self.comment(edge.span)));
            }
        }
        out.push_str("}\n");
    }
}

fn marked(local: &Local) -> &'static str {
    if local.constant { " const" } else { "" }
}

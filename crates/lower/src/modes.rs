//! Rounding modes: programs that call `fesetround`.
//!
//! The mode is a hidden variable, which `fesetround` writes and `fegetround` reads. When the program is lowered, each operation whose result can
//! depend on the mode becomes a call of a function of the library that has the mode as an argument ([`ir::library::math`]), before
//! the step that it was a part of. What is exact (conversions to wider types, comparisons, `floor`) stays what it was. In functions of the library
//! whose results depend on the mode in a way that nobody says (`sin`, printing and reading numbers) no other mode than to nearest is followed.
//!
//! Only programs that call `fesetround` have any of this; all others round to nearest. Undefined functions leave the mode alone, and
//! so does what runs before the entry function. Initialisers of static objects are computed by the compiler, to nearest; constant expressions elsewhere
//! when the program comes there (C11 F.8.4), as gcc does with `-frounding-math`.

use crate::context::{Context, mentions};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::types::Target;
use ir::cfg::Graph;
use ir::library::Library;
use ir::library::math::{MODES, Math};
use ir::{
    Address, Base, BinOp, Body, Call, Callee, Edge, EdgeId, Expr, ExprKind, FloatTy, FuncId, Guard, HavocDst, Index,
    IntTy, Loc, Local, Location, Op, Place, Program, Shape, Ty, UnOp, Var,
};

/// The name of the variable.
const MODE: &str = ".rounding";
const INT: Ty = Ty::int(32, true);

impl Context<'_> {
    /// Whether the program changes the mode.
    pub(crate) fn changes_rounding(&self) -> bool {
        *self.rounding.get_or_init(|| self.units.iter().any(|u| mentions(u, "fesetround")))
    }
}

impl Fun<'_, '_> {
    fn mode(&mut self, span: Span) -> Place {
        Place::var(Var::Global(self.cx.hidden(MODE, Shape::Scalar(INT), span)), INT)
    }

    /// `fesetround`: a mode that there is becomes the mode; of any other it says so.
    pub(crate) fn set_rounding(&mut self, mode: &Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        if !self.modes_are_known() && mode.as_const() != Some(0) {
            self.unsupported("rounding modes of this machine", span);
            return self.no_result(ret, want, span);
        }
        let mode = fold::convert(INT, mode.clone(), self.model());
        let mode = self.keep_if_memory(mode, span);
        let is = |n: i128| fold::binary(BinOp::Eq, mode.clone(), Expr::int(INT, n));
        let known = MODES.iter().map(|(n, _)| is(*n)).fold(Expr::bool(false), fold::or);
        let place = self.mode(span);
        let new = fold::ite(known.clone(), mode.clone(), Expr::read(place.clone()));
        self.emit(Op::Assign(place, new), span);
        let result = fold::ite(known, Expr::int(INT, 0), Expr::int(INT, 1));
        self.finish_pure(result, ret, want, span)
    }

    /// `fegetround`.
    pub(crate) fn rounding_now(&mut self, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let now = if self.cx.changes_rounding() { Expr::read(self.mode(span)) } else { Expr::int(INT, 0) };
        self.finish_pure(now, ret, want, span)
    }

    /// Whether the numbers of the modes are those of x86. (To nearest is 0 everywhere.)
    fn modes_are_known(&self) -> bool {
        matches!(self.unit.types.target, Target::Ilp32 | Target::Lp64)
    }

    /// An operation on two values; of constants it is computed when the program comes there, if the mode can be another.
    pub(crate) fn computed(&self, op: BinOp, a: Expr, b: Expr) -> Expr {
        let constant = a.as_const().is_some() && b.as_const().is_some();
        if constant && arithmetic(op) && matches!(a.ty, Ty::Float(_)) && self.cx.changes_rounding() {
            return Expr::binary(op, a, b);
        }
        fold::binary(op, a, b)
    }

    /// A conversion; of a constant likewise.
    pub(crate) fn converted(&self, to: Ty, value: Expr) -> Expr {
        if value.as_const().is_some() && is_inexact(value.ty, to) && self.cx.changes_rounding() {
            return Expr::convert(to, value);
        }
        fold::convert(to, value, self.model())
    }
}

fn arithmetic(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div)
}

fn precision(float: FloatTy) -> u16 {
    match float {
        FloatTy::F16 => 11,
        FloatTy::F32 => 24,
        FloatTy::F64 => 53,
        FloatTy::F80 => 64,
        FloatTy::F128 => 113,
    }
}

/// Whether a conversion between these types can round.
fn is_inexact(from: Ty, to: Ty) -> bool {
    match (from, to) {
        (Ty::Float(f), Ty::Float(t)) => precision(f) > precision(t),
        (Ty::Int(i), Ty::Float(t)) => i.width - u16::from(i.signed) > precision(t),
        (Ty::Ptr, Ty::Float(t)) => precision(t) < 64,
        _ => false,
    }
}

/// Makes operations of a program that changes the rounding mode what they are in the mode.
pub(crate) fn follow(program: &mut Program) {
    let Some((mode, _)) = program.globals.iter_enumerated().find(|(_, g)| g.name == MODE) else { return };
    let mode = Expr::var(Var::Global(mode), INT);
    for func in program.functions.ids().collect::<Vec<_>>() {
        let Some(body) = program.functions[func].body.clone() else { continue };
        let graph = Graph::new(&body);
        for loc in body.locations.ids() {
            if graph.reachable[loc] {
                Steps { program: &mut *program, func, mode: &mode }.location(loc, &graph.out[loc]);
            }
        }
    }
}

/// What is done at one place.
struct Steps<'a> {
    program: &'a mut Program,
    func: FuncId,
    mode: &'a Expr,
}

impl Steps<'_> {
    fn body(&mut self) -> &mut Body {
        self.program.functions[self.func].body.as_mut().expect("only functions with a body have locations")
    }

    fn location(&mut self, loc: Loc, out: &[EdgeId]) {
        match out {
            [] => {}
            [only] => self.step(*only),
            _ => self.branch(loc, out),
        }
    }

    /// The conditions of a branch are computed before it, behind what all its ways ask for.
    fn branch(&mut self, loc: Loc, out: &[EdgeId]) {
        let edges: Vec<Edge> = out.iter().map(|e| self.body().edges[*e].clone()).collect();
        let (guards, span) = (&edges[0].guards, edges[0].span);
        let mut first = Vec::new();
        let conditions: Vec<Op> = edges.iter().map(|e| self.operation(&e.op, &mut first, e.span)).collect();
        let mut asked = Vec::new();
        for guard in edges.iter().flat_map(|e| &e.guards) {
            self.expr(&guard.cond, &mut asked, span);
        }
        if first.is_empty() && asked.is_empty() {
            return;
        }
        let behind = self.location_at(span);
        for (&e, condition) in out.iter().zip(conditions) {
            let edge = &mut self.body().edges[e];
            (edge.from, edge.op, edge.guards) = (behind, condition, Vec::new());
        }
        if !asked.is_empty() || edges.iter().any(|e| e.guards != *guards) {
            first = vec![Op::Unsupported("a branch that asks for what rounds, in a rounding mode".to_owned())];
        }
        self.chain(loc, behind, guards, first, span);
    }

    fn step(&mut self, e: EdgeId) {
        let edge = self.body().edges[e].clone();
        if let Some(why) = self.is_gated(&edge.op) {
            return self.gate(e, &why);
        }
        let (from, span) = (edge.from, edge.span);
        let mut at = from;
        let mut asked: Vec<Guard> = Vec::new();
        // What a guard computes is computed after what stands before it was asked.
        for guard in &edge.guards {
            let mut first = Vec::new();
            let cond = self.expr(&guard.cond, &mut first, span);
            if !first.is_empty() {
                let behind = self.location_at(span);
                self.chain(at, behind, &std::mem::take(&mut asked), first, span);
                at = behind;
            }
            asked.push(Guard { ub: guard.ub, cond });
        }
        let mut first = Vec::new();
        let op = self.operation(&edge.op, &mut first, span);
        if !first.is_empty() {
            let behind = self.location_at(span);
            self.chain(at, behind, &std::mem::take(&mut asked), first, span);
            at = behind;
        }
        let edge = &mut self.body().edges[e];
        (edge.from, edge.op, edge.guards) = (at, op, asked);
    }

    fn location_at(&mut self, span: Span) -> Loc {
        self.body().locations.push(Location { label: None, span })
    }

    /// Operations one after the other; the guards stand on the first.
    fn chain(&mut self, from: Loc, to: Loc, guards: &[Guard], ops: Vec<Op>, span: Span) {
        let (mut at, last) = (from, ops.len() - 1);
        for (i, op) in ops.into_iter().enumerate() {
            let next = if i == last { to } else { self.location_at(span) };
            let guards = if i == 0 { guards.to_vec() } else { Vec::new() };
            let to = (!matches!(op, Op::Unsupported(_))).then_some(next);
            self.body().edges.push(Edge { from: at, to, guards, op, span });
            at = next;
        }
    }

    /// The edge goes on only in the mode in which it is known what it does.
    fn gate(&mut self, e: EdgeId, why: &str) {
        let edge = self.body().edges[e].clone();
        let nearest = Expr::binary(BinOp::Eq, self.mode.clone(), Expr::int(INT, 0));
        let (on, off) = (self.location_at(edge.span), self.location_at(edge.span));
        let span = edge.span;
        self.body().edges[e].from = on;
        let plain = |from, to, op| Edge { from, to, guards: Vec::new(), op, span };
        let (from, other) = (edge.from, nearest.clone().negate());
        self.body().edges.push(plain(from, Some(on), Op::Assume(nearest)));
        self.body().edges.push(plain(from, Some(off), Op::Assume(other)));
        self.body().edges.push(plain(off, None, Op::Unsupported(format!("{why} in another rounding mode"))));
    }

    /// Whether an operation is a function whose result depends on the mode in a way that nobody says.
    fn is_gated(&self, op: &Op) -> Option<String> {
        let Op::Call(Call { callee: Callee::Direct(f), args, .. }) = op else { return None };
        let lib = Library::of(&self.program.functions[*f])?;
        let floats = || args.iter().any(|a| matches!(a.ty, Ty::Float(_)));
        match lib {
            Library::Strtod | Library::Strtof | Library::Strtold => Some("a number that is read".to_owned()),
            Library::Format | Library::FormatLength if floats() => Some("a number that is printed".to_owned()),
            Library::Vformat | Library::VformatLength => Some("a list that is printed".to_owned()),
            _ => match lib.math()?.0 {
                Math::Fmod | Math::Remainder | Math::Floor | Math::Ceil | Math::Trunc | Math::Round | Math::Frexp => {
                    None
                }
                Math::Exponent | Math::Sqrt | Math::Fma | Math::Rint | Math::Ldexp => None,
                _ => Some(format!("`{}`", &lib.name()[1..])),
            },
        }
    }

    /// The call that computes a value, whose variable it gives.
    fn call(&mut self, math: Math, float: FloatTy, mut args: Vec<Expr>, first: &mut Vec<Op>, span: Span) -> Expr {
        let Some(lib) = Library::of_math(math, float) else {
            first.push(Op::Unsupported("operation on `__float128` in a rounding mode".to_owned()));
            return Expr::constant(Ty::Float(float), 0);
        };
        let forgotten = math == Math::AddIn && sabotage::active(Fault::ModeForgotten);
        args.push(if forgotten { Expr::int(INT, 0) } else { self.mode.clone() });
        let callee = self.library(lib, span);
        let ty = lib.result(self.program.model);
        let locals = &mut self.program.functions[self.func].locals;
        let name = format!("$r{}", locals.len());
        let var = Var::Local(locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span }));
        first.push(Op::Call(Call { dst: Some(var), callee: Callee::Direct(callee), args }));
        Expr::var(var, ty)
    }

    fn library(&mut self, lib: Library, span: Span) -> FuncId {
        let known = self.program.functions.iter_enumerated().find(|(_, f)| f.name == lib.name());
        if let Some((id, _)) = known {
            return id;
        }
        let declared = lib.declare(self.program.model, span);
        self.program.functions.push(declared)
    }

    /// An expression in which nothing rounds any more; what did is done `first`.
    fn expr(&mut self, e: &Expr, first: &mut Vec<Op>, span: Span) -> Expr {
        let kind = match &e.kind {
            ExprKind::Const(_) | ExprKind::Func(_) | ExprKind::Entry(_) => return e.clone(),
            ExprKind::Read(place) => ExprKind::Read(self.place(place, first, span)),
            ExprKind::Addr(addr) => ExprKind::Addr(self.address(addr, first, span)),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.expr(a, first, span))),
            ExprKind::ObjectPredicate(p, a) => ExprKind::ObjectPredicate(*p, Box::new(self.expr(a, first, span))),
            ExprKind::Ite(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|x| Box::new(self.expr(x, first, span)));
                ExprKind::Ite(c, a, b)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, first, span), self.expr(b, first, span));
                if let (Ty::Float(float), true) = (e.ty, arithmetic(*op)) {
                    return self.arithmetic(*op, float, a, b, first, span);
                }
                ExprKind::Binary(*op, Box::new(a), Box::new(b))
            }
            ExprKind::Convert(a) => {
                let a = self.expr(a, first, span);
                match e.ty {
                    Ty::Float(float) if is_inexact(a.ty, e.ty) => {
                        let wide = Ty::Float(FloatTy::F128);
                        if matches!(a.ty, Ty::Int(IntTy { width: 128, .. })) {
                            first.push(Op::Unsupported("a 128-bit integer as a number in a rounding mode".to_owned()));
                            return Expr::constant(e.ty, 0);
                        }
                        let a = if a.ty == wide { a } else { Expr::convert(wide, a) };
                        return self.call(Math::NarrowIn, float, vec![a], first, span);
                    }
                    _ => ExprKind::Convert(Box::new(a)),
                }
            }
        };
        Expr { ty: e.ty, kind }
    }

    fn arithmetic(&mut self, op: BinOp, float: FloatTy, a: Expr, b: Expr, first: &mut Vec<Op>, span: Span) -> Expr {
        let (math, b) = match op {
            BinOp::Mul => (Math::MulIn, b),
            BinOp::Div => (Math::DivIn, b),
            // A difference is the sum with what is subtracted negated, in every mode.
            BinOp::Sub => (Math::AddIn, Expr::unary(UnOp::Neg, b)),
            _ => (Math::AddIn, b),
        };
        self.call(math, float, vec![a, b], first, span)
    }

    fn place(&mut self, place: &Place, first: &mut Vec<Op>, span: Span) -> Place {
        Place {
            addr: self.address(&place.addr, first, span),
            ty: place.ty,
            bits: place.bits,
            label: place.label.clone(),
        }
    }

    fn address(&mut self, addr: &Address, first: &mut Vec<Op>, span: Span) -> Address {
        let base = match &addr.base {
            Base::Var(v) => Base::Var(*v),
            Base::Ptr(p) => Base::Ptr(Box::new(self.expr(p, first, span))),
        };
        let index = |i: &Index| Index { value: self.expr(&i.value, first, span), stride: i.stride };
        Address { base, offset: addr.offset, indices: addr.indices.iter().map(index).collect() }
    }

    fn operation(&mut self, op: &Op, first: &mut Vec<Op>, span: Span) -> Op {
        match op {
            Op::Skip | Op::Begin(_) | Op::End(_) | Op::Return(None) | Op::Error(_) | Op::Halt | Op::Unsupported(_) => {
                op.clone()
            }
            Op::Assume(e) => Op::Assume(self.expr(e, first, span)),
            Op::Assign(place, e) => {
                let e = self.expr(e, first, span);
                Op::Assign(self.place(place, first, span), e)
            }
            Op::Havoc(HavocDst::Place(place), s) => {
                Op::Havoc(HavocDst::Place(self.place(place, first, span)), s.clone())
            }
            Op::Havoc(HavocDst::Range { dst, len }, s) => {
                let (dst, len) = (self.expr(dst, first, span), self.expr(len, first, span));
                Op::Havoc(HavocDst::Range { dst, len }, s.clone())
            }
            Op::Alloc(a) => {
                let mut a = a.clone();
                a.size = self.expr(&a.size, first, span);
                a.dst = self.place(&a.dst, first, span);
                Op::Alloc(a)
            }
            Op::Free(e) => Op::Free(self.expr(e, first, span)),
            Op::Release(e) => Op::Release(self.expr(e, first, span)),
            Op::Return(Some(e)) => Op::Return(Some(self.expr(e, first, span))),
            Op::SetRange { dst, value, len } => {
                let [dst, value, len] = [dst, value, len].map(|e| self.expr(e, first, span));
                Op::SetRange { dst, value, len }
            }
            Op::CopyRange { dst, src, len } => {
                let [dst, src, len] = [dst, src, len].map(|e| self.expr(e, first, span));
                Op::CopyRange { dst, src, len }
            }
            Op::Call(call) => self.called(call, first, span),
        }
    }

    /// Roots, fused products and their like have the mode as a further argument.
    fn called(&mut self, call: &Call, first: &mut Vec<Op>, span: Span) -> Op {
        let mut args: Vec<Expr> = call.args.iter().map(|a| self.expr(a, first, span)).collect();
        let mut callee = match &call.callee {
            Callee::Direct(f) => Callee::Direct(*f),
            Callee::Indirect(e) => Callee::Indirect(self.expr(e, first, span)),
        };
        let math = match &callee {
            Callee::Direct(f) => Library::of(&self.program.functions[*f]).and_then(Library::math),
            Callee::Indirect(_) => None,
        };
        let in_mode = math.and_then(|(math, float)| {
            let math = match math {
                Math::Sqrt => Math::SqrtIn,
                Math::Fma => Math::FmaIn,
                Math::Rint => Math::RintIn,
                Math::Ldexp => Math::LdexpIn,
                _ => return None,
            };
            Library::of_math(math, float)
        });
        if let Some(lib) = in_mode {
            callee = Callee::Direct(self.library(lib, span));
            args.push(self.mode.clone());
        }
        Op::Call(Call { dst: call.dst, callee, args })
    }
}

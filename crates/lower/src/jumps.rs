//! `setjmp` and `longjmp`: a jump is a return that goes on until it comes to the activation that saved the context.
//!
//! A context is two numbers in the buffer: the activation, each of which has a number of its own, and which of its calls of `setjmp` it was.
//! `longjmp` puts them and its value into hidden variables and leaves the function; behind every call stands the question
//! whether a jump is on its way, and a function that it is not meant for returns at once. Lifetimes of what blocks declare end on the way like with any
//! other jump ([`crate::scopes`]). Buffers may be copied. Only programs that call `longjmp` have any of this.
//!
//! Variables of the function that calls `setjmp` which changed since then and are not volatile are indeterminate when it returns again
//! (C11 7.13.2.1): each is compared with what it was. A jump to an activation that has ended, or that was never saved, is unsupported.

use crate::context::{Context, mentions};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::graph::Graph;
use crate::place::{Lv, unnamed};
use base::Span;
use cfront::types::{Quals, Type, TypeId};
use ir::{Address, BinOp, Expr, GlobalId, HavocDst, Loc, LocalId, Op, Place, Shape, Source, Ty, Var};

/// Functions that jump.
const JUMPS: [&str; 5] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__siglongjmp_chk"];
/// Local objects of more bytes than this are not compared.
const MOST_BYTES: u64 = 128;

const NUMBER: Ty = Ty::int(64, false);
const VALUE: Ty = Ty::int(32, true);

/// What a function has of all this.
#[derive(Default)]
pub(crate) struct Jumps {
    /// The number of the activation.
    frame: Option<LocalId>,
    /// Where each call of `setjmp` returns again.
    sites: Vec<Loc>,
    /// Where a jump is on its way.
    landings: Vec<(Loc, Span)>,
}

/// The hidden variables.
#[derive(Clone, Copy)]
struct Hidden {
    /// The activations that were numbered so far.
    count: GlobalId,
    /// The activation that a jump goes to; 0 if there is none.
    frame: GlobalId,
    /// The call of `setjmp` there.
    site: GlobalId,
    /// What it returns.
    value: GlobalId,
}

fn place(id: GlobalId, ty: Ty) -> Place {
    Place::var(Var::Global(id), ty)
}

fn read(id: GlobalId, ty: Ty) -> Expr {
    Expr::read(place(id, ty))
}

fn op(op: BinOp, a: Expr, b: Expr) -> Expr {
    fold::binary(op, a, b)
}

impl Context<'_> {
    /// Whether anything in the program jumps.
    pub(crate) fn has_jumps(&self) -> bool {
        *self.jumps.get_or_init(|| self.units.iter().any(|u| JUMPS.iter().any(|name| mentions(u, name))))
    }

    fn jump_variables(&mut self, span: Span) -> Hidden {
        let mut number = |name, ty| self.hidden(name, Shape::Scalar(ty), span);
        Hidden {
            count: number(".jump.count", NUMBER),
            frame: number(".jump.frame", NUMBER),
            site: number(".jump.site", NUMBER),
            value: number(".jump.value", VALUE),
        }
    }
}

impl Fun<'_, '_> {
    /// `setjmp(buffer)`.
    pub(crate) fn set_jump(&mut self, buffer: &Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        // Without a jump in the program, one of a function that is not defined is what it is for; and nobody may jump out of
        // what runs at the end (C11 7.22.4.4).
        if !self.cx.has_jumps() || self.cx.has_exit_functions() {
            self.unsupported("setjmp or longjmp", span);
            return self.no_result(ret, want, span);
        }
        let hidden = self.cx.jump_variables(span);
        let buffer = self.keep_if_memory(fold::convert(Ty::Ptr, buffer.clone(), self.model()), span);
        let frame = match self.jumps.frame {
            Some(frame) => frame,
            None => {
                let Var::Local(frame) = self.temp(NUMBER, span) else { unreachable!("temporaries are locals") };
                *self.jumps.frame.insert(frame)
            }
        };
        let site = self.jumps.sites.len() as i128;
        for (offset, value) in [(0, Expr::var(Var::Local(frame), NUMBER)), (8, Expr::int(NUMBER, site))] {
            let at = self.advance(Address::ptr(buffer.clone()), offset);
            self.write(&Lv::plain(unnamed(at, NUMBER)), value, span);
        }
        let result = self.temp(VALUE, span);
        let saved = self.saved_variables(span);
        let (again, on) = (self.graph.loc(), self.graph.loc());
        self.emit_to(Op::Assign(Place::var(result, VALUE), Expr::int(VALUE, 0)), on, span);
        self.at(again);
        self.jumps.sites.push(again);
        self.emit(Op::Assign(place(hidden.frame, NUMBER), Expr::int(NUMBER, 0)), span);
        for (var, old) in saved {
            self.forget_if_changed(var, old, span);
        }
        self.emit_to(Op::Assign(Place::var(result, VALUE), read(hidden.value, VALUE)), on, span);
        self.at(on);
        self.finish_pure(Expr::var(result, VALUE), ret, want, span)
    }

    /// `longjmp(buffer, value)`.
    pub(crate) fn long_jump(&mut self, buffer: &Expr, value: &Expr, span: Span) {
        let hidden = self.cx.jump_variables(span);
        let buffer = self.keep_if_memory(fold::convert(Ty::Ptr, buffer.clone(), self.model()), span);
        let value = self.keep_if_memory(fold::convert(VALUE, value.clone(), self.model()), span);
        for (offset, id) in [(0, hidden.frame), (8, hidden.site)] {
            let at = self.advance(Address::ptr(buffer.clone()), offset);
            self.access(&at, 8);
            self.emit(Op::Assign(place(id, NUMBER), Expr::read(unnamed(at, NUMBER))), span);
        }
        let zero = op(BinOp::Eq, value.clone(), Expr::int(VALUE, 0));
        let value = fold::ite(zero, Expr::int(VALUE, 1), value);
        self.emit(Op::Assign(place(hidden.value, VALUE), value), span);
        let (never, landing) = (self.graph.loc(), self.graph.loc());
        self.split(op(BinOp::Eq, read(hidden.frame, NUMBER), Expr::int(NUMBER, 0)), never, landing, span);
        self.at(never);
        self.unsupported("longjmp to a context that was never saved", span);
        self.graph.scopes.leave(landing);
        self.jumps.landings.push((landing, span));
    }

    /// The variables of the source that are alive here and not volatile, each with a copy.
    fn saved_variables(&mut self, span: Span) -> Vec<(Var, Var)> {
        let mut saved = Vec::new();
        for (local, v, behind) in self.declared_here() {
            let (var, ty) = (Var::Local(local), self.unit.vars[v].ty);
            if self.is_kept(ty) {
                continue;
            }
            if behind {
                self.unsupported("setjmp beside an array of variable length", span);
                continue;
            }
            match self.shape(var) {
                Shape::Scalar(ty) => {
                    let copy = self.temp(ty, span);
                    self.emit(Op::Assign(Place::var(copy, ty), Expr::var(var, ty)), span);
                    saved.push((var, copy));
                }
                Shape::Object { size, align } if size <= MOST_BYTES => {
                    let copy = self.temp_object(size, align, span);
                    self.copy(Address::var(copy), Expr::addr(Address::var(var)), size, span);
                    saved.push((var, copy));
                }
                Shape::Object { .. } => self.unsupported("setjmp beside a large local object", span),
            }
        }
        saved
    }

    /// Whether a variable keeps its value over a jump: it is volatile or constant, or a buffer for contexts, which only `setjmp` writes.
    fn is_kept(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        let mut element = ty;
        while let Type::Array(of, _) = types.get(element) {
            element = *of;
        }
        let quals = types.quals(element);
        let record = types.record(element).and_then(|r| types.records[r].tag);
        quals.has(Quals::VOLATILE)
            || quals.has(Quals::CONST)
            || crate::volatile::is_volatile(self.unit, ty)
            || record.is_some_and(|tag| self.unit.name(tag) == "__jmp_buf_tag")
    }

    /// A variable that is not what it was when the context was saved has any value.
    fn forget_if_changed(&mut self, var: Var, old: Var, span: Span) {
        let source = || Source::Outside("a variable that changed since setjmp".to_owned());
        let parts: Vec<(Address, Address, Ty)> = match self.shape(var) {
            Shape::Scalar(ty) => vec![(Address::var(var), Address::var(old), ty)],
            Shape::Object { size, .. } => {
                let at = |offset: u64, bytes: u64| {
                    let of = |v| self.advance(Address::var(v), offset as i64);
                    (of(var), of(old), Ty::int(8 * bytes as u16, false))
                };
                let words = (0..size / 8).map(|i| at(8 * i, 8));
                words.chain((size / 8 * 8..size).map(|i| at(i, 1))).collect()
            }
        };
        for (now, then, ty) in parts {
            let (changed, on) = (self.graph.loc(), self.graph.loc());
            let now = unnamed(now, ty);
            let same = op(BinOp::Eq, Expr::read(now.clone()), Expr::read(unnamed(then, ty)));
            self.split(same, on, changed, span);
            self.at(changed);
            self.emit_to(Op::Havoc(HavocDst::Place(now), source()), on, span);
            self.at(on);
        }
    }

    /// Completes the graph of a function: what happens behind calls while a jump is on its way.
    pub(crate) fn land(&mut self, is_entry: bool, span: Span) {
        if !self.cx.has_jumps() {
            return;
        }
        let hidden = self.cx.jump_variables(span);
        if let Some(frame) = self.jumps.frame {
            let next = op(BinOp::Add, read(hidden.count, NUMBER), Expr::int(NUMBER, 1));
            let number = Op::Assign(Place::var(Var::Local(frame), NUMBER), read(hidden.count, NUMBER));
            self.graph.prepend(vec![(Op::Assign(place(hidden.count, NUMBER), next), span), (number, span)]);
        }
        let mut landings = std::mem::take(&mut self.jumps.landings);
        landings.extend(behind_calls(&mut self.graph, hidden));
        let result = self.ret.map(|ret| Expr::constant(self.scalar_of(Var::Local(ret)), 0));
        for (landing, span) in landings {
            let mine = match self.jumps.frame {
                Some(frame) => op(BinOp::Eq, read(hidden.frame, NUMBER), Expr::var(Var::Local(frame), NUMBER)),
                None => Expr::bool(false),
            };
            let mut other = Expr::bool(true);
            for (site, &again) in self.jumps.sites.iter().enumerate() {
                let here = op(BinOp::Eq, read(hidden.site, NUMBER), Expr::int(NUMBER, site as i128));
                let here = fold::and(mine.clone(), here);
                other = fold::and(other, here.clone().negate());
                self.graph.edge(landing, Some(again), Vec::new(), Op::Assume(here), span);
            }
            let leave = self.graph.loc();
            self.graph.edge(landing, Some(leave), Vec::new(), Op::Assume(other), span);
            if is_entry {
                let why = "longjmp to a context that has ended".to_owned();
                self.graph.edge(leave, None, Vec::new(), Op::Unsupported(why), span);
            } else {
                self.graph.edge(leave, Some(self.graph.exit), Vec::new(), Op::Return(result.clone()), span);
            }
        }
    }
}

/// Puts the question whether a jump is on its way behind all calls; where it is.
fn behind_calls(graph: &mut Graph, hidden: Hidden) -> Vec<(Loc, Span)> {
    let mut landings = Vec::new();
    for i in 0..graph.edges.len() {
        let (from, span) = (graph.edges[i].from, graph.edges[i].span);
        let (Op::Call(_), Some(to)) = (&graph.edges[i].op, graph.edges[i].to) else { continue };
        let [behind, landing] = [0, 1].map(|_| graph.loc());
        graph.scopes.like(behind, from);
        graph.scopes.like(landing, from);
        graph.edges[i].to = Some(behind);
        let none = op(BinOp::Eq, read(hidden.frame, NUMBER), Expr::int(NUMBER, 0));
        graph.edge(behind, Some(to), Vec::new(), Op::Assume(none.clone()), span);
        graph.edge(behind, Some(landing), Vec::new(), Op::Assume(none.negate()), span);
        landings.push((landing, span));
    }
    landings
}

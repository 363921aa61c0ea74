//! `setjmp` and `longjmp`: a jump is a return that goes on until it comes to the activation that saved the context.
//!
//! A context is two numbers in the buffer: the activation, each of which has a number of its own, and which of its calls of `setjmp` it was.
//! `longjmp` puts them and its value into hidden variables and leaves the function; behind every call stands the question
//! whether a jump is on its way, and a function that it is not meant for returns at once. Lifetimes of what blocks declare end on the way like with any
//! other jump ([`crate::scopes`]). Buffers may be copied. Only programs that call `longjmp` have any of this.
//!
//! Variables of the function that calls `setjmp` which changed since then and are not volatile are indeterminate when it returns again
//! (C11 7.13.2.1): each is compared with what it was, member by member, also those whose declarations stand behind the call in its block or around
//! it. So what stands at a call of `setjmp` is written when the whole function is known ([`Fun::land`]). A jump to an activation that has
//! ended, or that was never saved, is unsupported, and so is one to an earlier turn of a call of `setjmp` that is passed several times in
//! one activation: the copies are those of the last turn. There the second number is a new one for each turn.

use crate::context::{Context, mentions};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::graph::Graph;
use crate::place::{Lv, unnamed};
use crate::scopes::ScopeId;
use base::sabotage::{self, Fault};
use base::{Id, Span};
use cfront::abi::LongDouble;
use cfront::tree::Unit;
use cfront::types::{ArrayLen, FloatKind, Quals, RecordKind, Type, TypeId};
use ir::{Address, BinOp, Expr, GlobalId, HavocDst, Loc, LocalId, Op, Place, Shape, Source, Ty, Var};

/// Functions that jump.
const JUMPS: [&str; 5] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__siglongjmp_chk"];
/// Local objects of more bytes than this are not compared.
const MOST_BYTES: u64 = 128;
/// Where a call of `setjmp` can be passed several times, the numbers of its turns begin here.
const FIRST_TURN: i128 = 1 << 32;

/// The hidden global that is not zero while a jump is on its way.
pub(crate) const FRAME: &str = ".jump.frame";

pub(crate) const NUMBER: Ty = Ty::int(64, false);
const VALUE: Ty = Ty::int(32, true);

/// What a function has of all this.
#[derive(Default)]
pub(crate) struct Jumps {
    /// The number of the activation.
    frame: Option<LocalId>,
    /// The calls of `setjmp`.
    sites: Vec<Site>,
    /// Where a jump is on its way.
    landings: Vec<(Loc, Span)>,
}

/// A call of `setjmp`.
#[derive(Clone)]
struct Site {
    /// From here to `saved` the context is written and variables are copied.
    save: Loc,
    saved: Loc,
    /// Here it returns again, and up to `restored` what has changed is forgotten.
    again: Loc,
    restored: Loc,
    scope: ScopeId,
    buffer: Expr,
    span: Span,
    /// The second number of the context: of the call, or of its last turn.
    number: Expr,
}

/// Bytes of an object that keep or lose their value together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    offset: u64,
    size: u64,
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
            frame: number(FRAME, NUMBER),
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
        if self.jumps.frame.is_none() {
            self.jumps.frame = Some(self.temp_local(NUMBER, span));
        }
        let result = self.temp(VALUE, span);
        let [save, saved, again, restored, on] = [0; 5].map(|_| self.graph.loc());
        self.goto(save, span);
        let number = Expr::int(NUMBER, self.jumps.sites.len() as i128);
        let scope = self.graph.scopes.present();
        self.jumps.sites.push(Site { save, saved, again, restored, scope, buffer, span, number });
        self.at(saved);
        self.emit_to(Op::Assign(Place::var(result, VALUE), Expr::int(VALUE, 0)), on, span);
        self.at(restored);
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

    fn temp_local(&mut self, ty: Ty, span: Span) -> LocalId {
        let Var::Local(local) = self.temp(ty, span) else { unreachable!("temporaries are locals") };
        local
    }

    /// Writes what happens at a call of `setjmp`: it saves the context, and when it returns again, what changed since then is forgotten.
    /// If control can pass it several times, the number of the turn is in this local.
    fn at_setjmp(&mut self, site: &Site, turn: Option<LocalId>, frame: LocalId, hidden: Hidden) {
        let span = site.span;
        let outer = self.graph.scopes.enter(site.scope);
        self.at(site.save);
        if let Some(turn) = turn {
            let next = op(BinOp::Add, read(hidden.count, NUMBER), Expr::int(NUMBER, 1));
            self.emit(Op::Assign(place(hidden.count, NUMBER), next), span);
            let number = op(BinOp::Add, read(hidden.count, NUMBER), Expr::int(NUMBER, FIRST_TURN));
            self.emit(Op::Assign(Place::var(Var::Local(turn), NUMBER), number), span);
        }
        for (offset, value) in [(0, Expr::var(Var::Local(frame), NUMBER)), (8, site.number.clone())] {
            let at = self.advance(Address::ptr(site.buffer.clone()), offset);
            self.write(&Lv::plain(unnamed(at, NUMBER)), value, span);
        }
        let saved = self.saved_variables(span);
        self.goto(site.saved, span);
        self.at(site.again);
        self.emit(Op::Assign(place(hidden.frame, NUMBER), Expr::int(NUMBER, 0)), span);
        for (var, old, parts) in saved {
            self.forget_if_changed(var, old, &parts, span);
        }
        self.goto(site.restored, span);
        self.graph.scopes.close(outer);
    }

    /// The variables of the source that are alive here and not volatile, each with a copy, and their parts.
    fn saved_variables(&mut self, span: Span) -> Vec<(Var, Var, Vec<Part>)> {
        let mut saved = Vec::new();
        for (local, v, behind) in self.declared_here() {
            let (var, ty) = (Var::Local(local), self.unit.vars[v].ty);
            let mut parts = Vec::new();
            let known = changeable(self.unit, ty, 0, &mut parts);
            if known && parts.is_empty() {
                continue;
            }
            if behind {
                self.unsupported("setjmp beside an array of variable length", span);
                continue;
            }
            match self.shape(var) {
                Shape::Scalar(ty) if !matches!(ty, Ty::Float(_)) => {
                    let copy = self.temp(ty, span);
                    self.emit(Op::Assign(Place::var(copy, ty), Expr::var(var, ty)), span);
                    saved.push((var, copy, Vec::new()));
                }
                _ if !known || parts.iter().map(|p| p.size).sum::<u64>() > MOST_BYTES => {
                    self.unsupported("setjmp beside a large local object", span);
                }
                shape => {
                    let size = parts.iter().map(|p| p.offset + p.size).max().unwrap_or(0);
                    let align = if let Shape::Object { align, .. } = shape { align } else { 1 };
                    let copy = self.temp_object(size, align, span);
                    for part in &parts {
                        let [to, from] = part.of([copy, var], self);
                        self.emit(Op::Assign(to, Expr::read(from)), span);
                    }
                    saved.push((var, copy, parts));
                }
            }
        }
        saved
    }

    /// What of a variable is not as it was when the context was saved has any value. Without parts it is a scalar.
    fn forget_if_changed(&mut self, var: Var, old: Var, parts: &[Part], span: Span) {
        if sabotage::active(Fault::JumpKeepsChanged) {
            return;
        }
        let source = || Source::Outside("a variable that changed since setjmp".to_owned());
        let places: Vec<[Place; 2]> = match self.shape(var) {
            Shape::Scalar(ty) if parts.is_empty() => vec![[var, old].map(|v| unnamed(Address::var(v), ty))],
            _ => parts.iter().map(|part| part.of([var, old], self)).collect(),
        };
        for [now, then] in places {
            let (changed, on) = (self.graph.loc(), self.graph.loc());
            let same = op(BinOp::Eq, Expr::read(now.clone()), Expr::read(then));
            self.split(same, on, changed, span);
            self.at(changed);
            self.emit_to(Op::Havoc(HavocDst::Place(now), source()), on, span);
            self.at(on);
        }
    }

    /// Which calls of `setjmp` can be passed several times in one activation, also because another one returned again.
    fn passed_again(&self, sites: &[Site]) -> Vec<bool> {
        let mut next: Vec<Vec<Loc>> = vec![Vec::new(); self.graph.n_locs()];
        self.graph.edges.iter().for_each(|e| next[e.from.index()].extend(e.to));
        sites.iter().for_each(|s| next[s.save.index()].push(s.saved));
        let passed = |site: &Site| {
            let mut seen = vec![false; next.len()];
            let mut todo: Vec<Loc> = sites.iter().map(|s| s.restored).chain([site.saved]).collect();
            while let Some(loc) = todo.pop() {
                if !std::mem::replace(&mut seen[loc.index()], true) {
                    todo.extend(&next[loc.index()]);
                }
            }
            seen[site.save.index()]
        };
        sites.iter().map(|site| passed(site) && !sabotage::active(Fault::JumpToLastTurn)).collect()
    }

    /// Completes the graph of a function: what happens behind calls while a jump is on its way.
    pub(crate) fn land(&mut self, is_entry: bool, span: Span) {
        if !self.cx.has_jumps() {
            return;
        }
        let hidden = self.cx.jump_variables(span);
        let mut sites = std::mem::take(&mut self.jumps.sites);
        let again = self.passed_again(&sites);
        let mut turns = Vec::new();
        if let Some(frame) = self.jumps.frame {
            for (site, again) in sites.iter_mut().zip(&again) {
                let turn = again.then(|| self.temp_local(NUMBER, site.span));
                if let Some(turn) = turn {
                    // Before its first turn the call has a number that no context has.
                    let number = std::mem::replace(&mut site.number, Expr::var(Var::Local(turn), NUMBER));
                    turns.push((Op::Assign(Place::var(Var::Local(turn), NUMBER), number), span));
                }
                self.at_setjmp(site, turn, frame, hidden);
            }
        }
        if let Some(frame) = self.jumps.frame {
            let next = op(BinOp::Add, read(hidden.count, NUMBER), Expr::int(NUMBER, 1));
            let number = Op::Assign(Place::var(Var::Local(frame), NUMBER), read(hidden.count, NUMBER));
            let mut ops = vec![(Op::Assign(place(hidden.count, NUMBER), next), span), (number, span)];
            ops.append(&mut turns);
            self.graph.prepend(ops);
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
            for site in &sites {
                let here = op(BinOp::Eq, read(hidden.site, NUMBER), site.number.clone());
                let here = fold::and(mine.clone(), here);
                other = fold::and(other, here.clone().negate());
                self.graph.edge(landing, Some(site.again), Vec::new(), Op::Assume(here), span);
            }
            if again.contains(&true) {
                let earlier = self.graph.loc();
                self.graph.edge(landing, Some(earlier), Vec::new(), Op::Assume(fold::and(mine.clone(), other)), span);
                let why = "longjmp to an earlier turn of setjmp".to_owned();
                self.graph.edge(earlier, None, Vec::new(), Op::Unsupported(why), span);
                other = mine.negate();
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

impl Part {
    /// The part of each of these objects.
    fn of(self, objects: [Var; 2], fun: &Fun<'_, '_>) -> [Place; 2] {
        let ty = Ty::int(8 * self.size as u16, false);
        objects.map(|v| unnamed(fun.advance(Address::var(v), self.offset as i64), ty))
    }
}

/// The parts of an object that a program can change and that are not volatile; whether they are known. What `setjmp` itself writes is none of
/// them. Neighbours in arrays of small elements go together, up to eight bytes.
fn changeable(unit: &Unit, ty: TypeId, offset: u64, parts: &mut Vec<Part>) -> bool {
    let types = &unit.types;
    let quals = types.quals(ty);
    if quals.has(Quals::VOLATILE) || quals.has(Quals::CONST) {
        return true;
    }
    let bytes = types.size(ty);
    match *types.get(ty) {
        Type::Array(elem, ArrayLen::Fixed(n)) => {
            let Some(size) = types.size(elem) else { return false };
            let mut one = Vec::new();
            if !changeable(unit, elem, 0, &mut one) {
                return false;
            }
            if n.saturating_mul(one.len() as u64) > MOST_BYTES {
                return false;
            }
            if size < 4 && one == [Part { offset: 0, size }] {
                words(offset, n * size, parts);
                return true;
            }
            for i in 0..n {
                parts.extend(one.iter().map(|p| Part { offset: offset + i * size + p.offset, size: p.size }));
            }
            true
        }
        Type::Record(r) if types.records[r].tag.is_some_and(|tag| unit.name(tag) == "__jmp_buf_tag") => true,
        Type::Record(r) if types.records[r].kind == RecordKind::Struct => {
            types.records[r].fields.iter().all(|f| match f.bits {
                _ if types.quals(f.ty).has(Quals::VOLATILE) => true,
                Some(bits) => {
                    words(offset + f.offset, bits.bytes(), parts);
                    true
                }
                None => changeable(unit, f.ty, offset + f.offset, parts),
            })
        }
        Type::Float(FloatKind::LongDouble)
            if bytes > Some(10) && matches!(types.target.abi().long_double, LongDouble::X87 { .. }) =>
        {
            words(offset, 10, parts);
            true
        }
        _ => match bytes {
            Some(size) if size <= MOST_BYTES => {
                words(offset, size, parts);
                true
            }
            _ => false,
        },
    }
}

/// So many bytes, in words.
fn words(offset: u64, size: u64, parts: &mut Vec<Part>) {
    let mut at = 0;
    while at < size {
        let word = [8, 4, 2, 1].into_iter().find(|w| *w <= size - at).unwrap_or(1);
        parts.push(Part { offset: offset + at, size: word });
        at += word;
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

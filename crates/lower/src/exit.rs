//! `atexit`: the functions that it is told run when `exit` is called or `main` returns, the last one first.
//!
//! They are a list in a hidden object, and a hidden function runs them. C promises room for 32; more are not followed. Only
//! programs that call `atexit` have any of this.

use crate::Globals;
use crate::context::Context;
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::{object_predicate, unnamed};
use base::{Id, IndexVec, Span};
use ir::{
    Address, BinOp, Body, Call, Callee, Edge, Expr, Function, Global, GlobalId, Guard, Index, Init, Linkage, Loc,
    Location, ObjectPredicate, Op, Place, Shape, Ty, Ub, Var,
};

/// How many functions there is room for.
const ROOM: u64 = 32;

const COUNT: Ty = Ty::Int(ir::IntTy { width: 32, signed: false });

/// The list and how long it is.
#[derive(Clone, Copy)]
struct List {
    functions: GlobalId,
    count: GlobalId,
    /// Whether the functions run.
    ends: GlobalId,
}

impl List {
    fn count(self) -> Place {
        Place::var(Var::Global(self.count), COUNT)
    }

    fn ends(self) -> Place {
        Place::var(Var::Global(self.ends), Ty::Bool)
    }

    /// The place of the function with an index.
    fn at(self, index: Expr, cx: &Context<'_>) -> Place {
        let mut addr = Address::var(Var::Global(self.functions));
        let width = cx.model.ptr_width();
        let value = Expr::convert(Ty::int(width, true), index);
        addr.indices.push(Index { value, stride: i64::from(width / 8) });
        unnamed(addr, Ty::Ptr)
    }
}

impl Context<'_> {
    /// Whether anything calls `atexit`.
    pub(crate) fn has_exit_functions(&self) -> bool {
        self.units.iter().any(|u| crate::context::mentions(u, "atexit"))
    }

    fn exit_list(&mut self, span: Span) -> List {
        let size = ROOM * Ty::Ptr.size(self.model);
        let align = Ty::Ptr.size(self.model) as u32;
        let functions = self.hidden(".atexit", Shape::Object { size, align }, span);
        let count = self.hidden(".atexit.count", Shape::Scalar(COUNT), span);
        let ends = self.hidden(".atexit.ends", Shape::Scalar(Ty::Bool), span);
        List { functions, count, ends }
    }

    /// A variable that the source does not have, and nothing outside knows.
    pub(crate) fn hidden(&mut self, name: &str, shape: Shape, span: Span) -> GlobalId {
        let known = self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id);
        known.unwrap_or_else(|| {
            let (name, linkage) = (name.to_owned(), Linkage::Internal);
            self.globals.push(Global {
                name,
                shape,
                init: Init::Zero,
                linkage,
                exposure: ir::Exposure::Hidden,
                constant: false,
                span,
            })
        })
    }

    /// The hidden function that runs them.
    fn exit_runner(&mut self, span: Span) -> ir::FuncId {
        let name = ".atexit.run";
        if let Some((id, _)) = self.functions.iter_enumerated().find(|(_, f)| f.name == name) {
            return id;
        }
        let list = self.exit_list(span);
        let body = self.runner_body(list, span);
        self.functions.push(Function {
            name: name.to_owned(),
            linkage: Linkage::Internal,
            n_params: 0,
            variadic: false,
            locals: IndexVec::new(),
            ret: None,
            body: Some(body),
            span,
        })
    }

    /// `while (count > 0) list[--count]();`
    fn runner_body(&self, list: List, span: Span) -> Body {
        let loc = Loc::from_index;
        let count = Expr::read(list.count());
        let some = Expr::binary(BinOp::Gt, count.clone(), Expr::int(COUNT, 0));
        let fewer = Expr::binary(BinOp::Sub, count.clone(), Expr::int(COUNT, 1));
        let f = Expr::read(list.at(count, self));
        let callable = Guard { ub: Ub::BadCall, cond: object_predicate(ObjectPredicate::Callable(0), f.clone()) };
        let call = Op::Call(Call { dst: None, callee: Callee::Indirect(f), args: Vec::new() });
        let steps = [
            (0, 1, Vec::new(), Op::Assign(list.ends(), Expr::bool(true))),
            (1, 2, Vec::new(), Op::Assume(some.clone())),
            (1, 4, Vec::new(), Op::Assume(some.negate())),
            (2, 3, Vec::new(), Op::Assign(list.count(), fewer)),
            (3, 1, vec![callable], call),
            (4, 5, Vec::new(), Op::Return(None)),
        ];
        let edge = |(from, to, guards, op)| Edge { from: loc(from), to: Some(loc(to)), guards, op, span };
        Body {
            entry: loc(0),
            exit: loc(5),
            locations: (0..6).map(|_| Location { label: None, span }).collect(),
            edges: steps.into_iter().map(edge).collect(),
        }
    }

    /// What happens when the entry function returns.
    pub(crate) fn put_last(&mut self, entry: ir::FuncId) {
        if !self.has_exit_functions() || self.opts.entry != "main" {
            return;
        }
        let span = self.functions[entry].span;
        let calls_entry = |f: &Function| {
            let mut edges = f.body.iter().flat_map(|b| &b.edges);
            edges.any(|e| matches!(&e.op, Op::Call(Call { callee: Callee::Direct(f), .. }) if *f == entry))
        };
        if self.functions.iter().any(calls_entry) {
            return self.startup.push((span, "atexit in a program that calls its entry function".to_owned()));
        }
        let runner = self.exit_runner(span);
        let result = self.functions[entry].ret.zip(self.functions[entry].ret_ty());
        let body = self.functions[entry].body.as_mut().expect("the entry function has a body");
        let [run, end] = [0, 1].map(|_| body.locations.push(Location { label: None, span }));
        for edge in body.edges.iter_mut().filter(|e| matches!(e.op, Op::Return(_))) {
            edge.to = Some(run);
            edge.op = match (std::mem::replace(&mut edge.op, Op::Skip), result) {
                (Op::Return(Some(value)), Some((ret, ty))) => Op::Assign(Place::var(Var::Local(ret), ty), value),
                _ => Op::Skip,
            };
        }
        let call = Op::Call(Call { dst: None, callee: Callee::Direct(runner), args: Vec::new() });
        let value = result.map(|(ret, ty)| Expr::var(Var::Local(ret), ty));
        body.edges.push(Edge { from: run, to: Some(end), guards: Vec::new(), op: call, span });
        let exit = body.exit;
        body.edges.push(Edge { from: end, to: Some(exit), guards: Vec::new(), op: Op::Return(value), span });
    }
}

impl Fun<'_, '_> {
    /// `atexit(f)`. The first 32 calls do not fail, but for those that come when the end has begun; at another entry than `main` there
    /// may have been some before.
    pub(crate) fn at_exit(&mut self, f: &Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let f = fold::convert(Ty::Ptr, f.clone(), self.model());
        let f = self.keep_if_memory(f, span);
        let list = self.cx.exit_list(span);
        let first = self.cx.opts.entry == "main" && self.cx.opts.globals == Globals::Initial;
        let int = Ty::int(32, true);
        let drawn = self.outside_value(int, "atexit", span);
        let fails = if first { fold::ite(Expr::read(list.ends()), drawn, Expr::int(int, 0)) } else { drawn };
        let fails = self.keep(fails, span);
        let (put, full, room, done) = (self.graph.loc(), self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::Eq, fails.clone(), Expr::int(fails.ty, 0)), put, done, span);
        self.at(put);
        let count = Expr::read(list.count());
        self.split(fold::binary(BinOp::Lt, count.clone(), Expr::int(COUNT, ROOM.into())), room, full, span);
        self.at(full);
        self.unsupported("more than 32 functions for exit", span);
        self.at(room);
        let place = list.at(count.clone(), self.cx);
        self.emit(Op::Assign(place, f), span);
        let more = fold::binary(BinOp::Add, count, Expr::int(COUNT, 1));
        self.emit_to(Op::Assign(list.count(), more), done, span);
        self.at(done);
        self.finish_pure(fails, ret, want, span)
    }

    /// `exit` runs what `atexit` was told.
    pub(crate) fn run_exit_functions(&mut self, span: Span) {
        if self.cx.has_exit_functions() && !self.cx.opts.everything {
            let runner = self.cx.exit_runner(span);
            self.emit(Op::Call(Call { dst: None, callee: Callee::Direct(runner), args: Vec::new() }), span);
        }
    }
}

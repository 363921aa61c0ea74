//! GNU's nested functions, by lambda lifting: a nested function takes the addresses of the variables of enclosing functions
//! that it, or a nested function it mentions, uses, as further hidden parameters.
//!
//! A pointer to a nested function must remember these addresses. They go to globals of the program when the function's
//! address is taken, and the pointer is that of a wrapper with the function's own type which passes them on. gcc keeps them
//! per activation; one set per function is the same as long as no two activations have their pointers in use at a time,
//! which is asked where the address is taken.

use crate::context::Context;
use crate::fold;
use crate::function::{Fun, Home};
use crate::link::Entity;
use crate::place::object_predicate;
use base::{Id, IndexVec, Span};
use cfront::tree::{ExprKind, FuncId, Storage, Unit, VarId};
use cfront::types::{ArrayLen, Lengths, Type, TypeId};
use ir::{
    Address, BinOp, Body, Call, Callee, Edge, Expr, Global, Init, Linkage, Location, ObjectPredicate, Op, Place, Shape,
    Ty, Var,
};
use std::collections::BTreeSet;

/// The variables that each nested function of a unit takes from outside.
pub(crate) struct Captures {
    sets: IndexVec<FuncId, BTreeSet<VarId>>,
}

impl Captures {
    /// Looks at every nested function of the unit.
    pub(crate) fn new(unit: &Unit) -> Captures {
        let mut sets: IndexVec<FuncId, BTreeSet<VarId>> = unit.funcs.iter().map(|_| BTreeSet::new()).collect();
        let nested: Vec<FuncId> = unit
            .funcs
            .iter_enumerated()
            .filter(|(_, f)| f.parent.is_some() && f.body.is_some())
            .map(|(f, _)| f)
            .collect();
        // Sets only grow and are bounded by the variables.
        let mut changed = !nested.is_empty();
        while changed {
            changed = false;
            for &f in &nested {
                let found = mentioned(unit, f, &sets);
                changed |= found.len() > sets[f].len();
                sets[f] = found;
            }
        }
        Captures { sets }
    }

    /// The variables of a function, in order.
    pub(crate) fn of(&self, f: FuncId) -> impl ExactSizeIterator<Item = VarId> + '_ {
        self.sets[f].iter().copied()
    }

    /// All variables that some nested function takes: pointers may point to them.
    pub(crate) fn all(&self) -> impl Iterator<Item = VarId> + '_ {
        self.sets.iter().flatten().copied()
    }
}

/// The variables that `f` needs, given what the functions it mentions need.
fn mentioned(unit: &Unit, f: FuncId, sets: &IndexVec<FuncId, BTreeSet<VarId>>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    let (first, last) = unit.funcs[f].exprs;
    let mut add = |v: VarId| {
        let var = &unit.vars[v];
        let local = matches!(var.storage, Storage::Auto | Storage::Param);
        if local && var.owner.is_some_and(|o| !within(unit, o, f)) {
            found.insert(v);
        }
    };
    for i in first..last {
        let x = &unit.exprs[Id::from_index(i as usize)];
        match x.kind {
            ExprKind::Var(v) | ExprKind::CompoundLiteral(v) => add(v),
            ExprKind::Func(g) => sets[g].iter().copied().for_each(&mut add),
            _ => {}
        }
        lengths(unit, x.ty, &mut add);
    }
    found
}

/// The variables that hold lengths of arrays in a type.
fn lengths(unit: &Unit, ty: TypeId, add: &mut impl FnMut(VarId)) {
    let mut ty = ty;
    loop {
        ty = match *unit.types.get(ty) {
            Type::Pointer(t) => t,
            Type::Array(elem, len) => {
                if let ArrayLen::Variable(v) = len {
                    add(v);
                }
                elem
            }
            Type::Record(r) => {
                if let Lengths::Variable { size, .. } = unit.types.records[r].lengths {
                    add(size);
                }
                return;
            }
            _ => return,
        };
    }
}

/// Whether `f` is `outer` or nested in it.
fn within(unit: &Unit, f: FuncId, outer: FuncId) -> bool {
    let mut f = Some(f);
    while let Some(g) = f {
        if g == outer {
            return true;
        }
        f = unit.funcs[g].parent;
    }
    false
}

impl Context<'_> {
    /// How many hidden parameters a nested function has at the end.
    pub(crate) fn n_captures(&self, (u, f): Entity<FuncId>) -> usize {
        self.captures[u as usize].of(f).len()
    }
}

impl Fun<'_, '_> {
    /// The hidden arguments for a call of a nested function from here.
    pub(crate) fn captured_arguments(&mut self, (u, f): Entity<FuncId>, span: Span) -> Vec<Expr> {
        let vars: Vec<VarId> = self.cx.captures[u as usize].of(f).collect();
        vars.into_iter().map(|v| self.captured_address(v, span)).collect()
    }

    fn captured_address(&mut self, v: VarId, span: Span) -> Expr {
        match self.home(v) {
            Home::At(var) => Expr::addr(Address::var(var)),
            Home::Behind(l) => Expr::var(Var::Local(l), Ty::Ptr),
            Home::Outside(g) => Expr::var(Var::Global(g), Ty::Ptr),
            Home::Trouble(why) => {
                self.unsupported(why, span);
                Expr::null()
            }
        }
    }

    /// The address of a nested function that takes variables: that of a wrapper which knows where they are.
    pub(crate) fn closure(&mut self, entity: Entity<FuncId>, span: Span) -> Expr {
        let args = self.captured_arguments(entity, span);
        let id = self.cx.declare(entity);
        let name = self.cx.functions[id].name.clone();
        let globals: Vec<ir::GlobalId> = (0..args.len()).map(|i| self.cx.closure_global(&name, i, span)).collect();
        for (&global, addr) in globals.iter().zip(&args) {
            let place = Place::var(Var::Global(global), Ty::Ptr);
            let old = Expr::read(place.clone());
            let free = [
                fold::binary(BinOp::Eq, old.clone(), Expr::null()),
                fold::binary(BinOp::Eq, old.clone(), addr.clone()),
                object_predicate(ObjectPredicate::Alive, old).negate(),
            ];
            let (go_on, busy) = (self.graph.loc(), self.graph.loc());
            let free = free.into_iter().reduce(fold::or).expect("three cases");
            self.split(free, go_on, busy, span);
            self.at(busy);
            self.unsupported("pointers to one nested function from two activations", span);
            self.at(go_on);
            self.emit(Op::Assign(place, addr.clone()), span);
        }
        Expr::func(self.cx.closure_wrapper(id, &globals, span))
    }
}

impl Context<'_> {
    fn closure_global(&mut self, function: &str, i: usize, span: Span) -> ir::GlobalId {
        let name = format!(".closure.{function}.{i}");
        if let Some(id) = self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id) {
            return id;
        }
        let shape = Shape::Scalar(Ty::Ptr);
        self.globals.push(Global {
            name,
            shape,
            init: Init::Zero,
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: false,
            span,
        })
    }

    /// A function of the nested function's own type that calls it with what the globals hold.
    fn closure_wrapper(&mut self, id: ir::FuncId, globals: &[ir::GlobalId], span: Span) -> ir::FuncId {
        let name = format!("{}.closure", self.functions[id].name);
        if let Some(id) = self.functions.iter_enumerated().find(|(_, f)| f.name == name).map(|(id, _)| id) {
            return id;
        }
        let nested = &self.functions[id];
        let n_params = nested.n_params - globals.len();
        let mut locals: IndexVec<ir::LocalId, ir::Local> = nested.locals.iter().take(n_params).cloned().collect();
        let ret = nested.ret.map(|r| locals.push(nested.locals[r].clone()));
        let read = |i: usize| {
            let l: ir::LocalId = Id::from_index(i);
            Expr::var(Var::Local(l), locals[l].shape.scalar().expect("parameters are scalars"))
        };
        let mut args: Vec<Expr> = (0..n_params).map(read).collect();
        args.extend(globals.iter().map(|&g| Expr::var(Var::Global(g), Ty::Ptr)));
        let result = ret.map(|r| Expr::var(Var::Local(r), locals[r].shape.scalar().expect("results are scalars")));
        let call = Call { dst: ret.map(Var::Local), callee: Callee::Direct(id), args };
        let loc = |i: usize| Id::from_index(i);
        let edge = |from, to, op| Edge { from: loc(from), to: Some(loc(to)), guards: Vec::new(), op, span };
        let body = Body {
            entry: loc(0),
            exit: loc(2),
            locations: (0..3).map(|_| Location { label: None, span }).collect(),
            edges: [edge(0, 1, Op::Call(call)), edge(1, 2, Op::Return(result))].into_iter().collect(),
        };
        self.functions.push(ir::Function {
            name,
            linkage: Linkage::Internal,
            n_params,
            variadic: false,
            locals,
            ret,
            body: Some(body),
            span,
        })
    }
}

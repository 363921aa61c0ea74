//! Which numbers of a program are codes: states of an automaton, commands, flags. The program compares them with constants for
//! equality and copies them, but does not compute with them, so an invariant that bounds them says something only by accident.
//!
//! Variables that are copied into each other are one class, as are all places in memory with one offset and name. This is a guess about what is worth
//! saying, by which a lemma may become less general, never wrong.

use super::vocabulary::{Quantity, member};
use ir::walk::{Visitor, walk_edge};
use ir::{Base, BinOp, Callee, Edge, Expr, ExprKind, FuncId, Op, Place, Program, Ty, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A number with more values than this is not described by them.
const MAX_CODES: usize = 48;

/// A place that holds a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Global(Var),
    Local(FuncId, Var),
    /// The result of a function.
    Result(FuncId),
    /// A member or element with this offset and name, of whatever object.
    Memory(i64, String),
}

/// What is known of a class of places.
#[derive(Clone, Debug, Default)]
struct Class {
    parent: Option<usize>,
    computed: bool,
    values: BTreeSet<i128>,
}

/// The classes of a program's numbers.
pub(crate) struct Codes<'p> {
    program: &'p Program,
    ids: FxHashMap<Key, usize>,
    classes: Vec<Class>,
}

impl<'p> Codes<'p> {
    /// The classes of all numbers of a program.
    pub(crate) fn of(program: &'p Program) -> Codes<'p> {
        let mut codes = Codes { program, ids: FxHashMap::default(), classes: Vec::new() };
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|body| body.edges.iter()) {
                walk_edge(edge, &mut Uses { codes: &mut codes, func });
                codes.edge(func, edge);
            }
        }
        codes
    }

    /// Describes a number that is a code by which of its values it has.
    pub(crate) fn replace(&self, func: FuncId, quantity: &mut Quantity) {
        let Quantity::Int(e, ty) = quantity else { return };
        let Some(class) = self.key(func, e).and_then(|k| self.ids.get(&k)).map(|&id| self.class(id)) else { return };
        if class.computed || class.values.is_empty() || class.values.len() > MAX_CODES {
            return;
        }
        let is = |v: &i128| Expr::binary(BinOp::Eq, (**e).clone(), Expr::int(Ty::Int(*ty), *v));
        *quantity = Quantity::Choice(class.values.iter().map(is).collect());
    }

    fn root(&self, mut id: usize) -> usize {
        while let Some(parent) = self.classes[id].parent {
            id = parent;
        }
        id
    }

    fn class(&self, id: usize) -> &Class {
        &self.classes[self.root(id)]
    }

    fn class_of(&mut self, key: Key) -> &mut Class {
        let id = self.id(key);
        let root = self.root(id);
        &mut self.classes[root]
    }

    fn id(&mut self, key: Key) -> usize {
        let next = self.classes.len();
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.classes.push(Class::default());
        }
        id
    }

    fn join(&mut self, a: Key, b: Key) {
        let (a, b) = (self.id(a), self.id(b));
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            let other = std::mem::replace(&mut self.classes[b], Class { parent: Some(a), ..Class::default() });
            self.classes[a].computed |= other.computed;
            self.classes[a].values.extend(other.values);
        }
    }

    fn key_of_place(&self, func: FuncId, place: &Place) -> Key {
        match place.addr.base {
            Base::Var(var) if self.program.shape(func, var).scalar().is_some() => match var {
                Var::Global(_) => Key::Global(var),
                Var::Local(_) => Key::Local(func, var),
            },
            Base::Var(_) | Base::Ptr(_) => {
                let (offset, name) = member(place);
                Key::Memory(offset, name)
            }
        }
    }

    /// The place that an expression reads, perhaps converted.
    fn key(&self, func: FuncId, e: &Expr) -> Option<Key> {
        match &e.kind {
            ExprKind::Convert(inner) => self.key(func, inner),
            ExprKind::Read(place) => Some(self.key_of_place(func, place)),
            _ => None,
        }
    }

    /// A value is copied to a place.
    fn flow(&mut self, to: Key, func: FuncId, e: &Expr) {
        if let Some(from) = self.key(func, e) {
            return self.join(to, from);
        }
        match (&e.kind, e.ty) {
            (ExprKind::Const(pattern), Ty::Int(ty)) => {
                self.class_of(to).values.insert(ty.extend(*pattern));
            }
            (ExprKind::Const(_), _) => {}
            (ExprKind::Ite(_, yes, no), _) => {
                self.flow(to.clone(), func, yes);
                self.flow(to, func, no);
            }
            (ExprKind::Convert(inner), _) if inner.ty == Ty::Bool => {
                self.class_of(to).values.extend([0, 1]);
            }
            (ExprKind::Convert(inner), _) if matches!(inner.kind, ExprKind::Const(_) | ExprKind::Ite(..)) => {
                self.flow(to, func, inner);
            }
            _ => self.class_of(to).computed = true,
        }
    }

    fn edge(&mut self, func: FuncId, edge: &Edge) {
        match &edge.op {
            Op::Assign(place, e) if matches!(e.ty, Ty::Int(_)) => {
                let to = self.key_of_place(func, place);
                self.flow(to, func, e);
            }
            Op::Return(Some(e)) => self.flow(Key::Result(func), func, e),
            Op::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return };
                let params = self.program.functions[callee].locals.ids().take(call.args.len());
                for (param, arg) in params.zip(&call.args) {
                    self.flow(Key::Local(callee, Var::Local(param)), func, arg);
                }
                match call.dst {
                    Some(var @ Var::Local(_)) => self.join(Key::Local(func, var), Key::Result(callee)),
                    Some(var @ Var::Global(_)) => self.join(Key::Global(var), Key::Result(callee)),
                    None => {}
                }
            }
            _ => {}
        }
    }
}

/// Finds out what the program does with numbers.
struct Uses<'c, 'p> {
    codes: &'c mut Codes<'p>,
    func: FuncId,
}

impl Visitor for Uses<'_, '_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) => {
                match (self.codes.key(self.func, a), self.codes.key(self.func, b)) {
                    (Some(a), Some(b)) => self.codes.join(a, b),
                    (Some(key), None) => self.codes.flow(key, self.func, b),
                    (None, Some(key)) => self.codes.flow(key, self.func, a),
                    (None, None) => {}
                }
            }
            // Bits that are tested are codes, too.
            ExprKind::Binary(BinOp::And, _, mask) if mask.as_const().is_some() => {}
            ExprKind::Binary(_, a, b) => {
                for operand in [a, b] {
                    self.computes(operand);
                }
            }
            ExprKind::Unary(_, operand) => self.computes(operand),
            _ => {}
        }
    }
}

impl Uses<'_, '_> {
    fn computes(&mut self, operand: &Expr) {
        if let Some(key) = self.codes.key(self.func, operand) {
            self.codes.class_of(key).computed = true;
        }
    }
}

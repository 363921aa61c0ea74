//! Functions compiled into a form that runs fast: names resolved to slots, types to widths, ignored guards left out.
//!
//! Expressions of up to 64 bits ([`Narrow`]) are evaluated to a machine word; all others ([`General`]) to a
//! [`Value`]. A local's slot has the number of the local; a variable in memory has its address in its slot.

use super::value::Value;
use crate::cfg::AddressTaken;
use crate::library::Library;
use crate::syntax::*;
use base::Id;

/// An expression of a truth value or an integer of up to 64 bits.
#[derive(Debug)]
pub(crate) enum Narrow {
    Const(u64),
    Local(u32, Ty),
    Global(u32, Ty),
    Binary {
        op: BinOp,
        width: u8,
        signed: bool,
        args: Box<(Narrow, Narrow)>,
    },
    Unary {
        op: UnOp,
        width: u8,
        arg: Box<Narrow>,
    },
    Resize {
        from: u8,
        signed: bool,
        to: u8,
        arg: Box<Narrow>,
    },
    NonZero(Box<Narrow>),
    /// The right side is evaluated only if the left one is true.
    And(Box<(Narrow, Narrow)>),
    /// The right side is evaluated only if the left one is false.
    Or(Box<(Narrow, Narrow)>),
    Choose(Box<(Narrow, Narrow, Narrow)>),
    General(Box<General>),
}

/// An expression of any type.
#[derive(Debug)]
pub(crate) enum General {
    Narrow(Narrow),
    Const(Value),
    Local(u32, Ty),
    Global(u32, Ty),
    Function(usize),
    Load(Box<Spot>),
    Address(Box<Where>),
    Unary(UnOp, Ty, Box<General>),
    Binary(BinOp, Ty, Box<(General, General)>),
    Convert(Ty, Ty, Box<General>),
    /// The difference of the addresses of two pointers as numbers of a type: inside one object it says nothing about where
    /// that lies.
    Difference(Ty, Box<(General, General)>),
    Choose(Box<(Narrow, General, General)>),
    ObjectPredicate(ObjectPredicate, Ty, Box<General>),
}

/// A compiled address.
#[derive(Debug)]
pub(crate) struct Where {
    pub(crate) base: Start,
    pub(crate) offset: u64,
    pub(crate) indices: Vec<(Narrow, u64)>,
}

/// What an address is relative to.
#[derive(Debug)]
pub(crate) enum Start {
    /// A local in memory, whose address is in its slot.
    Local(u32),
    /// A global in memory.
    Global(u32),
    Pointer(General),
}

/// A compiled place in memory.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) at: Where,
    pub(crate) ty: Ty,
    pub(crate) bits: Option<BitRange>,
}

/// What an operation writes.
#[derive(Debug)]
pub(crate) enum Dst {
    Local(u32),
    Global(u32),
    /// A constant global that does not live in memory: writing it is an event.
    Constant(u32),
    Memory(Spot),
}

#[derive(Debug)]
pub(crate) enum Code {
    Skip,
    Assume(Narrow),
    /// A narrow value to a local that does not live in memory: the most frequent step.
    SetLocal(u32, Narrow),
    Set(Dst, General),
    Havoc(Dst, Ty),
    HavocRange {
        dst: General,
        len: General,
    },
    Alloc {
        dst: Dst,
        size: General,
    },
    Free(General),
    Begin(u32),
    EndLocal(u32),
    Release(General),
    SetRange {
        dst: General,
        value: Narrow,
        len: General,
    },
    CopyRange {
        dst: General,
        src: General,
        len: General,
    },
    Call {
        callee: Target,
        args: Vec<(General, Ty)>,
    },
    Return(Option<General>),
    End,
}

#[derive(Debug)]
pub(crate) enum Target {
    Direct(usize),
    Indirect(General),
}

#[derive(Debug)]
pub(crate) struct CodeEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) guards: Vec<(Ub, Narrow)>,
    pub(crate) code: Code,
}

#[derive(Debug)]
pub(crate) struct CodeBody {
    pub(crate) entry: u32,
    /// The edges of each location, as a range of `order`.
    pub(crate) out: Vec<(u32, u32)>,
    pub(crate) order: Vec<u32>,
    pub(crate) edges: Vec<CodeEdge>,
}

#[derive(Debug)]
pub(crate) struct CodeFunction {
    pub(crate) n_locals: usize,
    /// The locals that live in memory.
    pub(crate) in_memory: Vec<MemoryLocal>,
    pub(crate) body: Option<CodeBody>,
    /// What it is in the library, if it has no body.
    pub(crate) library: Option<Library>,
}

/// A local that lives in memory.
#[derive(Debug)]
pub(crate) struct MemoryLocal {
    pub(crate) slot: u32,
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// A compiled program.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) functions: Vec<CodeFunction>,
    pub(crate) global_in_memory: Vec<bool>,
    pub(crate) taken: AddressTaken,
}

/// Bits of a type that fits a machine word.
fn narrow_width(ty: Ty) -> Option<u8> {
    match ty {
        Ty::Bool => Some(1),
        Ty::Int(i) if i.width <= 64 => Some(i.width as u8),
        _ => None,
    }
}

/// The alignment of a shape: of a scalar its size, but at most that of a pointer, as compilers align them on x86.
pub(crate) fn alignment(shape: Shape, model: DataModel) -> u64 {
    match shape {
        Shape::Object { align, .. } => align.into(),
        Shape::Scalar(ty) => match ty.size(model) {
            size if size.is_power_of_two() => size.min(Ty::Ptr.size(model)),
            _ => 1,
        },
    }
}

pub(crate) fn compile(program: &Program) -> Compiled {
    let taken = AddressTaken::new(program);
    let functions = program
        .functions
        .iter_enumerated()
        .map(|(func, f)| {
            let c = Compiler { program, taken: &taken, func };
            let begun = crate::lifetimes::begun(f);
            let in_memory = f
                .locals
                .iter_enumerated()
                .filter(|&(l, _)| c.in_memory(Var::Local(l)) && !begun.contains(&l))
                .map(|(l, local)| MemoryLocal {
                    slot: l.index() as u32,
                    size: local.shape.size(program.model),
                    align: alignment(local.shape, program.model),
                })
                .collect();
            let body = f.body.as_ref().map(|b| c.body(b));
            CodeFunction { n_locals: f.locals.len(), in_memory, body, library: Library::of(f) }
        })
        .collect();
    let global_in_memory =
        program.globals.ids().map(|g| taken.in_memory(program, program.entry, Var::Global(g))).collect();
    Compiled { functions, global_in_memory, taken }
}

struct Compiler<'a> {
    program: &'a Program,
    taken: &'a AddressTaken,
    func: FuncId,
}

impl Compiler<'_> {
    fn in_memory(&self, var: Var) -> bool {
        self.taken.in_memory(self.program, self.func, var)
    }

    fn body(&self, body: &Body) -> CodeBody {
        let graph = crate::cfg::Graph::new(body);
        let mut out = Vec::new();
        let mut order = Vec::new();
        for loc in body.locations.ids() {
            let first = order.len() as u32;
            order.extend(graph.out[loc].iter().map(|e| e.index() as u32));
            out.push((first, order.len() as u32));
        }
        let edges = body.edges.iter().map(|edge| CodeEdge {
            from: edge.from.index() as u32,
            to: edge.to.map_or(u32::MAX, |l| l.index() as u32),
            guards: edge
                .guards
                .iter()
                .filter(|g| self.program.ub.get(g.ub) != UbPolicy::Ignored)
                .map(|g| (g.ub, self.narrow(&g.cond)))
                .collect(),
            code: self.code(&edge.op),
        });
        CodeBody { entry: body.entry.index() as u32, out, order, edges: edges.collect() }
    }

    fn code(&self, op: &Op) -> Code {
        match op {
            Op::Skip => Code::Skip,
            Op::Assume(e) => Code::Assume(self.narrow(e)),
            Op::Assign(place, e) => match self.dst(place) {
                Dst::Local(slot) if narrow_width(e.ty).is_some() => Code::SetLocal(slot, self.narrow(e)),
                dst => Code::Set(dst, self.general(e)),
            },
            Op::Havoc(HavocDst::Place(place), _) => Code::Havoc(self.dst(place), place.ty),
            Op::Havoc(HavocDst::Range { dst, len }, _) => {
                Code::HavocRange { dst: self.general(dst), len: self.general(len) }
            }
            Op::Alloc(a) => Code::Alloc { dst: self.dst(&a.dst), size: self.general(&a.size) },
            Op::Free(e) => Code::Free(self.general(e)),
            Op::Begin(l) => Code::Begin(l.index() as u32),
            Op::End(l) => Code::EndLocal(l.index() as u32),
            Op::Release(e) => Code::Release(self.general(e)),
            Op::SetRange { dst, value, len } => {
                Code::SetRange { dst: self.general(dst), value: self.narrow(value), len: self.general(len) }
            }
            Op::CopyRange { dst, src, len } => {
                Code::CopyRange { dst: self.general(dst), src: self.general(src), len: self.general(len) }
            }
            Op::Call(call) => Code::Call {
                callee: match &call.callee {
                    Callee::Direct(f) => Target::Direct(f.index()),
                    Callee::Indirect(e) => Target::Indirect(self.general(e)),
                },
                args: call.args.iter().map(|e| (self.general(e), e.ty)).collect(),
            },
            Op::Return(e) => Code::Return(e.as_ref().map(|e| self.general(e))),
            Op::Error(_) | Op::Halt | Op::Unsupported(_) => Code::End,
        }
    }

    /// The slot of a variable that is accessed as a whole and does not live in memory.
    fn slot(&self, place: &Place) -> Option<Var> {
        place.as_var().filter(|&v| !self.in_memory(v))
    }

    fn dst(&self, place: &Place) -> Dst {
        match self.slot(place) {
            Some(Var::Local(l)) => Dst::Local(l.index() as u32),
            Some(Var::Global(g)) if self.program.globals[g].constant => Dst::Constant(g.index() as u32),
            Some(Var::Global(g)) => Dst::Global(g.index() as u32),
            None => Dst::Memory(self.spot(place)),
        }
    }

    fn spot(&self, place: &Place) -> Spot {
        Spot { at: self.address(&place.addr), ty: place.ty, bits: place.bits }
    }

    fn address(&self, addr: &Address) -> Where {
        Where {
            base: match &addr.base {
                Base::Var(Var::Local(l)) => Start::Local(l.index() as u32),
                Base::Var(Var::Global(g)) => Start::Global(g.index() as u32),
                Base::Ptr(p) => Start::Pointer(self.general(p)),
            },
            offset: addr.offset as u64,
            indices: addr.indices.iter().map(|i| (self.narrow(&i.value), i.stride as u64)).collect(),
        }
    }

    fn narrow(&self, e: &Expr) -> Narrow {
        let Some(width) = narrow_width(e.ty) else { unreachable!("{} is not narrow", e.ty) };
        match &e.kind {
            ExprKind::Const(c) => Narrow::Const(*c as u64),
            ExprKind::Read(place) => match self.slot(place) {
                Some(Var::Local(l)) => Narrow::Local(l.index() as u32, e.ty),
                Some(Var::Global(g)) => Narrow::Global(g.index() as u32, e.ty),
                None => Narrow::General(Box::new(General::Load(Box::new(self.spot(place))))),
            },
            ExprKind::Unary(op, a) => Narrow::Unary { op: *op, width, arg: Box::new(self.narrow(a)) },
            ExprKind::Binary(BinOp::Sub, a, b) if as_address(a).is_some() && as_address(b).is_some() => {
                let pointers = as_address(a).zip(as_address(b)).expect("just seen");
                let pointers = (self.general(pointers.0), self.general(pointers.1));
                Narrow::General(Box::new(General::Difference(e.ty, Box::new(pointers))))
            }
            ExprKind::Binary(op, a, b) => match (narrow_width(a.ty), op) {
                (Some(1), BinOp::And) if a.ty == Ty::Bool => Narrow::And(Box::new((self.narrow(a), self.narrow(b)))),
                (Some(1), BinOp::Or) if a.ty == Ty::Bool => Narrow::Or(Box::new((self.narrow(a), self.narrow(b)))),
                (Some(width), op) => Narrow::Binary {
                    op: *op,
                    width,
                    signed: a.ty.is_signed(),
                    args: Box::new((self.narrow(a), self.narrow(b))),
                },
                (None, _) => Narrow::General(Box::new(self.wide_binary(*op, a, b))),
            },
            ExprKind::Convert(a) => match (narrow_width(a.ty), e.ty) {
                (Some(_), Ty::Bool) => Narrow::NonZero(Box::new(self.narrow(a))),
                (Some(from), _) => {
                    Narrow::Resize { from, signed: a.ty.is_signed(), to: width, arg: Box::new(self.narrow(a)) }
                }
                (None, _) => Narrow::General(Box::new(General::Convert(a.ty, e.ty, Box::new(self.general(a))))),
            },
            ExprKind::Ite(c, a, b) => Narrow::Choose(Box::new((self.narrow(c), self.narrow(a), self.narrow(b)))),
            ExprKind::ObjectPredicate(predicate, a) => {
                Narrow::General(Box::new(General::ObjectPredicate(*predicate, a.ty, Box::new(self.general(a)))))
            }
            ExprKind::Addr(_) | ExprKind::Func(_) => unreachable!("addresses are pointers"),
            ExprKind::Entry(_) => unreachable!("entry values occur in predicates only"),
        }
    }

    fn wide_binary(&self, op: BinOp, a: &Expr, b: &Expr) -> General {
        General::Binary(op, a.ty, Box::new((self.general(a), self.general(b))))
    }

    fn general(&self, e: &Expr) -> General {
        if narrow_width(e.ty).is_some() {
            return match self.narrow(e) {
                Narrow::General(g) => *g,
                n => General::Narrow(n),
            };
        }
        match &e.kind {
            ExprKind::Const(c) => General::Const(Value::plain(*c)),
            ExprKind::Read(place) => match self.slot(place) {
                Some(Var::Local(l)) => General::Local(l.index() as u32, e.ty),
                Some(Var::Global(g)) => General::Global(g.index() as u32, e.ty),
                None => General::Load(Box::new(self.spot(place))),
            },
            ExprKind::Addr(addr) => General::Address(Box::new(self.address(addr))),
            ExprKind::Func(f) => General::Function(f.index()),
            ExprKind::Unary(op, a) => General::Unary(*op, e.ty, Box::new(self.general(a))),
            ExprKind::Binary(op, a, b) => self.wide_binary(*op, a, b),
            ExprKind::Convert(a) => General::Convert(a.ty, e.ty, Box::new(self.general(a))),
            ExprKind::Ite(c, a, b) => General::Choose(Box::new((self.narrow(c), self.general(a), self.general(b)))),
            ExprKind::ObjectPredicate(..) => unreachable!("object predicates are truth values"),
            ExprKind::Entry(_) => unreachable!("entry values occur in predicates only"),
        }
    }
}

/// The pointer whose address `e` is as a number.
fn as_address(e: &Expr) -> Option<&Expr> {
    match (&e.kind, e.ty) {
        (ExprKind::Convert(p), Ty::Int(_)) if p.ty == Ty::Ptr => Some(p),
        _ => None,
    }
}

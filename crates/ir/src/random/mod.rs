//! Random programs that are valid, for the tests of this and other crates.
//!
//! The same seed gives the same program. Programs have loops (some not reducible), calls, recursion, globals, all integer
//! types and operators, guards and inputs, and run mostly without undefined behaviour; with [`Knobs::memory`] also
//! objects, pointers, bit-fields, heap and locals that begin and end, with [`Knobs::floats`] also floating types. Many runs do not end: limit their steps.

mod body;
mod exprs;
mod lifetimes;

use crate::syntax::*;
use base::rng::Rng;
use base::{FileId, Id, IndexVec, Span};

/// What the generated programs contain.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// The number of functions with a body, at least 1.
    pub functions: usize,
    /// The number of scalar globals.
    pub globals: usize,
    /// The number of scalar locals of each function, besides parameters.
    pub locals: usize,
    /// About how many statements a function has.
    pub statements: usize,
    /// How deeply expressions nest.
    pub depth: usize,
    /// Objects, pointers, address-taken variables, heap, ranges.
    pub memory: bool,
    /// Every other statement is about memory.
    pub dense: bool,
    /// Floating types.
    pub floats: bool,
    /// Integer types of 128 bits and of widths that no machine has.
    pub odd_widths: bool,
    /// Functions without body.
    pub externs: bool,
    /// Kinds of undefined behaviour may be checked for.
    pub checked: bool,
}

impl Default for Knobs {
    /// Small scalar programs.
    fn default() -> Knobs {
        Knobs {
            functions: 3,
            globals: 3,
            locals: 4,
            statements: 8,
            depth: 3,
            memory: false,
            dense: false,
            floats: false,
            odd_widths: true,
            externs: true,
            checked: true,
        }
    }
}

impl Knobs {
    /// Everything the language has.
    pub fn all() -> Knobs {
        Knobs { memory: true, floats: true, ..Knobs::default() }
    }
}

/// A random valid program.
pub fn program(rng: &mut Rng, knobs: &Knobs) -> Program {
    let span = Span::new(FileId::from_index(0), 0, 0);
    let model = if rng.chance(50) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut program = Program {
        model,
        ub: UbTable::default(),
        externs: *rng.pick(&[Externs::Pure, Externs::Args, Externs::Any]),
        addresses: *rng.pick(&Addresses::ALL),
        globals: IndexVec::new(),
        functions: IndexVec::new(),
        sites: IndexVec::new(),
        entry: FuncId::from_index(0),
        declared: crate::Declarations::default(),
    };
    for ub in Ub::ALL {
        if rng.chance(20) && ub != Ub::NoRoom {
            let checked = knobs.checked && ub.has_guards();
            let policies = [UbPolicy::Ignored, UbPolicy::AssumedAway, UbPolicy::Checked];
            program.ub.set(ub, *rng.pick(&policies[..2 + usize::from(checked)]));
        }
    }
    let mut gen_ = Gen { rng, knobs, program, span };
    gen_.globals();
    gen_.signatures();
    for f in gen_.program.functions.ids() {
        if gen_.program.functions[f].body.is_some() {
            let body = gen_.body(f);
            gen_.program.functions[f].body = Some(body);
        }
    }
    if knobs.checked {
        crate::checks::expose(&mut gen_.program);
    }
    gen_.program
}

/// A random expression of type `ty` over the variables of `func`, without entry values.
pub fn expr(rng: &mut Rng, knobs: &Knobs, program: &Program, func: FuncId, ty: Ty) -> Expr {
    let span = Span::new(FileId::from_index(0), 0, 0);
    let depth = knobs.depth;
    // The generator reads the program only, but owns it while it builds one.
    Gen { rng, knobs, program: program.clone(), span }.expr(func, ty, depth)
}

struct Gen<'a> {
    rng: &'a mut Rng,
    knobs: &'a Knobs,
    program: Program,
    span: Span,
}

/// Names that make life hard for a text form.
const HARD_NAMES: [&str; 12] =
    ["x.2", "$t", "ite", "i32", "error", "call", "two words", "naïve", "L3", "e0", "quote`\\", "_"];

impl Gen<'_> {
    fn int_ty(&mut self) -> Ty {
        if self.knobs.odd_widths && self.rng.chance(15) {
            Ty::int(*self.rng.pick(&[1, 3, 5, 13, 33, 63, 100, 128]), self.rng.chance(50))
        } else {
            Ty::int(*self.rng.pick(&[8, 16, 32, 32, 32, 64]), self.rng.chance(60))
        }
    }

    fn scalar_ty(&mut self) -> Ty {
        match self.rng.below(20) {
            0..=1 => Ty::Bool,
            2..=4 if self.knobs.memory => Ty::Ptr,
            5..=6 if self.knobs.floats => {
                Ty::Float(*self.rng.pick(&[FloatTy::F32, FloatTy::F64, FloatTy::F64, FloatTy::F80]))
            }
            _ => self.int_ty(),
        }
    }

    /// A type that memory can hold.
    fn memory_ty(&mut self) -> Ty {
        match self.scalar_ty() {
            Ty::Int(i) if !matches!(i.width, 8 | 16 | 32 | 64 | 128) => Ty::int(32, i.signed),
            ty => ty,
        }
    }

    fn object_shape(&mut self) -> Shape {
        let align = 1 << self.rng.below(5);
        Shape::Object { size: 16 + 8 * self.rng.below(4), align }
    }

    fn name(&mut self, prefix: &str, n: usize) -> String {
        if self.rng.chance(10) { format!("{}{n}", self.rng.pick(&HARD_NAMES)) } else { format!("{prefix}{n}") }
    }

    fn linkage(&mut self) -> Linkage {
        if self.rng.chance(50) { Linkage::External } else { Linkage::Internal }
    }

    fn globals(&mut self) {
        for i in 0..self.knobs.globals {
            let shape = Shape::Scalar(self.scalar_ty());
            self.global(i, shape);
        }
        if self.knobs.memory {
            for i in 0..2 {
                let shape = self.object_shape();
                self.global(self.knobs.globals + i, shape);
            }
        }
    }

    fn global(&mut self, i: usize, shape: Shape) {
        let name = self.name("g", i);
        let init = match (self.rng.below(4), shape) {
            (0, _) => Init::Zero,
            (1, _) => Init::Unknown,
            (_, Shape::Scalar(ty)) => {
                Init::Values(vec![InitItem { offset: 0, bits: None, value: self.init_value(ty) }])
            }
            (_, Shape::Object { .. }) => {
                let mut items = Vec::new();
                for k in 0..self.rng.below(4) {
                    let ty = *self.rng.pick(&[Ty::int(8, true), Ty::int(32, false), Ty::Ptr, Ty::Bool]);
                    let value = self.init_value(ty);
                    let bits =
                        (ty == Ty::int(32, false) && self.rng.chance(30)).then_some(BitRange { lo: 3, width: 7 });
                    items.push(InitItem { offset: 4 * k, bits, value });
                }
                Init::Values(items)
            }
        };
        let linkage = self.linkage();
        let constant = self.rng.chance(5);
        let known = [Exposure::Known, Exposure::Read, Exposure::Hidden, Exposure::Hidden, Exposure::Hidden];
        let exposure = known[(i + self.program.globals.len() + usize::from(constant)) % known.len()];
        self.program.globals.push(Global { name, shape, init, linkage, exposure, constant, span: self.span });
    }

    fn init_value(&mut self, ty: Ty) -> Expr {
        let candidates = self.program.globals.len();
        if ty == Ty::Ptr && candidates > 0 && self.rng.chance(50) {
            let g = GlobalId::from_index(self.rng.index(candidates));
            // Scalars of odd widths have no address.
            if self.has_memory_shape(self.program.globals[g].shape) {
                return Expr::addr(Address { offset: 4, ..Address::var(Var::Global(g)) });
            }
        }
        self.constant(ty)
    }

    fn has_memory_shape(&self, shape: Shape) -> bool {
        !matches!(shape, Shape::Scalar(Ty::Int(i)) if !matches!(i.width, 8 | 16 | 32 | 64 | 128))
    }

    fn signatures(&mut self) {
        let n_externs = if self.knobs.externs { 2 } else { 0 };
        for i in 0..self.knobs.functions + n_externs {
            let bodied = i < self.knobs.functions;
            let n_params = if i == 0 { self.rng.index(2) } else { self.rng.index(4) };
            let mut locals = IndexVec::new();
            for k in 0..n_params {
                let shape = Shape::Scalar(self.scalar_ty());
                locals.push(Local { name: self.name("p", k), shape, constant: false, span: self.span });
            }
            let ret = if self.rng.chance(80) {
                let shape = Shape::Scalar(self.scalar_ty());
                Some(locals.push(Local { name: "$result".into(), shape, constant: false, span: self.span }))
            } else {
                None
            };
            // Numbers go on, so that no hard name comes twice.
            for k in (n_params..).take(if bodied { self.knobs.locals } else { 0 }) {
                let shape = Shape::Scalar(self.scalar_ty());
                locals.push(Local { name: self.name("x", k), shape, constant: false, span: self.span });
            }
            if bodied && self.knobs.memory {
                let shape = self.object_shape();
                locals.push(Local { name: "o".into(), shape, constant: false, span: self.span });
                for k in 0..2 {
                    locals.push(Local {
                        name: format!("ptr.{k}"),
                        shape: Shape::Scalar(Ty::Ptr),
                        constant: false,
                        span: self.span,
                    });
                }
            }
            // A placeholder says "has a body" until it is generated: by then all signatures are known.
            let loc = Loc::from_index(0);
            let body = Body { entry: loc, exit: loc, locations: IndexVec::new(), edges: IndexVec::new() };
            let name = if i == 0 { "main".into() } else { self.name("f", i) };
            let linkage = self.linkage();
            let variadic = i > 0 && self.rng.chance(10);
            let body = bodied.then_some(body);
            let span = self.span;
            self.program.functions.push(Function { name, linkage, n_params, variadic, locals, ret, body, span });
        }
    }
}

//! Constructors of and small queries on the data types of [`crate::syntax`].
//!
//! The expression constructors compute the type of the result and assert that operands fit: a wrongly typed expression
//! cannot be built through them. They do not simplify; that is `logic`'s work.

use crate::syntax::*;
use base::sabotage::{self, Fault};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

impl DataModel {
    /// Bits of a pointer.
    pub fn ptr_width(self) -> u16 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The unsigned integer type as wide as a pointer: sizes and lengths.
    pub fn size_ty(self) -> Ty {
        Ty::int(self.ptr_width(), false)
    }

    /// The signed integer type as wide as a pointer: indices.
    pub fn index_ty(self) -> Ty {
        Ty::int(self.ptr_width(), true)
    }
}

impl IntTy {
    /// All bits of the type set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - u32::from(self.width))
    }

    /// The value of a bit pattern of this type, sign-extended if the type is signed. (Unsigned 128-bit values above
    /// `i128::MAX` come out negative; compare those as patterns.)
    pub fn extend(self, pattern: u128) -> i128 {
        let shift = 128 - u32::from(self.width);
        if self.signed { ((pattern << shift) as i128) >> shift } else { ((pattern << shift) >> shift) as i128 }
    }
}

impl FloatTy {
    /// Bits of the value (not of its storage).
    pub fn width(self) -> u16 {
        match self {
            FloatTy::F16 => 16,
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
            FloatTy::F80 => 80,
            FloatTy::F128 => 128,
        }
    }
}

impl Ty {
    /// The integer type with this width and signedness.
    pub const fn int(width: u16, signed: bool) -> Ty {
        Ty::Int(IntTy { width, signed })
    }

    /// Bits of a value of this type.
    pub fn width(self, model: DataModel) -> u16 {
        match self {
            Ty::Bool => 1,
            Ty::Int(i) => i.width,
            Ty::Float(f) => f.width(),
            Ty::Ptr => model.ptr_width(),
        }
    }

    /// Bytes that a value of this type takes in memory.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (Ty::Bool, _) => 1,
            (Ty::Float(FloatTy::F80), DataModel::Ilp32) => 12,
            (Ty::Float(FloatTy::F80), DataModel::Lp64) => 16,
            _ => u64::from(self.width(model)).div_ceil(8),
        }
    }

    /// Whether comparison, division and right shift of this type respect a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Ty::Int(IntTy { signed: true, .. }))
    }
}

impl Shape {
    /// The value type of a scalar.
    pub fn scalar(self) -> Option<Ty> {
        match self {
            Shape::Scalar(ty) => Some(ty),
            Shape::Object { .. } => None,
        }
    }

    /// Bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            Shape::Scalar(ty) => ty.size(model),
            Shape::Object { size, .. } => size,
        }
    }
}

impl Op {
    /// Whether nothing follows this operation: its edge has no target.
    pub fn ends_run(&self) -> bool {
        matches!(self, Op::Error(_) | Op::Halt | Op::Unsupported(_))
    }
}

impl BinOp {
    /// All operators.
    pub const ALL: [BinOp; 19] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
        BinOp::AddOverflows,
        BinOp::SubOverflows,
        BinOp::MulOverflows,
    ];

    /// Whether the result is a truth value whatever the operands are.
    pub fn gives_bool(self) -> bool {
        self.is_comparison() || matches!(self, BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows)
    }

    /// Whether this compares its operands.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }

    /// Whether the operator is defined for operands of this type.
    pub fn takes(self, ty: Ty) -> bool {
        use BinOp::*;
        match ty {
            Ty::Bool => matches!(self, And | Or | Xor | Eq | Ne),
            Ty::Int(_) => true,
            Ty::Float(_) => self.is_comparison() || matches!(self, Add | Sub | Mul | Div),
            Ty::Ptr => self.is_comparison(),
        }
    }
}

impl Function {
    /// The parameters' ids, in order.
    pub fn params(&self) -> impl ExactSizeIterator<Item = LocalId> + use<> {
        (0..self.n_params).map(base::Id::from_index)
    }

    /// The type of the result.
    pub fn ret_ty(&self) -> Option<Ty> {
        self.ret.and_then(|r| self.locals[r].shape.scalar())
    }
}

impl Program {
    /// The body of a function that has one.
    pub fn body(&self, func: FuncId) -> &Body {
        self.functions[func].body.as_ref().expect("the function has a body")
    }

    /// An edge of a function.
    pub fn edge(&self, func: FuncId, edge: EdgeId) -> &Edge {
        &self.body(func).edges[edge]
    }

    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter_enumerated().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// Whether the outside knows the address of a global from the start, and with it may write it.
    pub fn known_outside(&self, id: GlobalId) -> bool {
        let global = &self.globals[id];
        let named = self.externs == Externs::Any && global.linkage == Linkage::External;
        global.exposure == Exposure::Known || named
    }

    /// Whether the outside can look at what a global holds at any time.
    pub fn read_outside(&self, id: GlobalId) -> bool {
        let read = self.globals[id].exposure == Exposure::Read || self.known_outside(id);
        read && !sabotage::active(Fault::GlobalsHideWhatTheyHold)
    }

    /// The global with this name.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }

    /// What a variable, seen from `func`, is made of.
    pub fn shape(&self, func: FuncId, var: Var) -> Shape {
        match var {
            Var::Global(g) => self.globals[g].shape,
            Var::Local(l) => self.functions[func].locals[l].shape,
        }
    }

    /// The name of a variable, seen from `func`.
    pub fn var_name(&self, func: FuncId, var: Var) -> &str {
        match var {
            Var::Global(g) => &self.globals[g].name,
            Var::Local(l) => &self.functions[func].locals[l].name,
        }
    }
}

impl Address {
    /// The first byte of a variable.
    pub fn var(var: Var) -> Address {
        Address { base: Base::Var(var), offset: 0, indices: Vec::new() }
    }

    /// The byte that a pointer points to.
    pub fn ptr(ptr: Expr) -> Address {
        assert_eq!(ptr.ty, Ty::Ptr, "the base of an address is a pointer");
        Address { base: Base::Ptr(Box::new(ptr)), offset: 0, indices: Vec::new() }
    }
}

impl Place {
    /// The whole of a scalar variable.
    pub fn var(var: Var, ty: Ty) -> Place {
        Place { addr: Address::var(var), ty, bits: None, label: Label(None) }
    }

    /// The variable, if the place is the whole of a scalar variable read as what it is.
    pub fn as_var(&self) -> Option<Var> {
        match &self.addr {
            Address { base: Base::Var(v), offset: 0, indices } if indices.is_empty() && self.bits.is_none() => Some(*v),
            _ => None,
        }
    }
}

impl Expr {
    /// A constant of any type; the pattern is cut to the type's width.
    pub fn constant(ty: Ty, pattern: u128) -> Expr {
        let pattern = match ty {
            Ty::Bool => pattern & 1,
            Ty::Int(i) => pattern & i.mask(),
            Ty::Float(f) => pattern & (u128::MAX >> (128 - u32::from(f.width()))),
            Ty::Ptr => pattern & u128::from(u64::MAX),
        };
        Expr { ty, kind: ExprKind::Const(pattern) }
    }

    /// An integer constant, modulo 2^width.
    pub fn int(ty: Ty, value: i128) -> Expr {
        Expr::constant(ty, value as u128)
    }

    /// A truth value.
    pub fn bool(value: bool) -> Expr {
        Expr::constant(Ty::Bool, u128::from(value))
    }

    /// The null pointer.
    pub fn null() -> Expr {
        Expr::constant(Ty::Ptr, 0)
    }

    /// The value at a place.
    pub fn read(place: Place) -> Expr {
        Expr { ty: place.ty, kind: ExprKind::Read(place) }
    }

    /// The value of a scalar variable of type `ty`.
    pub fn var(var: Var, ty: Ty) -> Expr {
        Expr::read(Place::var(var, ty))
    }

    /// An address.
    pub fn addr(addr: Address) -> Expr {
        Expr { ty: Ty::Ptr, kind: ExprKind::Addr(addr) }
    }

    /// The address of a function.
    pub fn func(f: FuncId) -> Expr {
        Expr { ty: Ty::Ptr, kind: ExprKind::Func(f) }
    }

    /// One operand.
    pub fn unary(op: UnOp, e: Expr) -> Expr {
        assert!(e.ty != Ty::Ptr && (op != UnOp::Not || !matches!(e.ty, Ty::Float(_))), "{op:?} of {:?}", e.ty);
        assert!(op != UnOp::Neg || e.ty != Ty::Bool, "Neg of Bool");
        Expr { ty: e.ty, kind: ExprKind::Unary(op, Box::new(e)) }
    }

    /// Two operands of one type.
    pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
        assert_eq!(a.ty, b.ty, "{op:?} needs operands of one type");
        assert!(op.takes(a.ty), "{op:?} of {:?}", a.ty);
        let ty = if op.gives_bool() { Ty::Bool } else { a.ty };
        Expr { ty, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
    }

    /// A conversion; the operand itself if it already has the type.
    pub fn convert(to: Ty, e: Expr) -> Expr {
        if e.ty == to { e } else { Expr { ty: to, kind: ExprKind::Convert(Box::new(e)) } }
    }

    /// A choice.
    pub fn ite(cond: Expr, then: Expr, els: Expr) -> Expr {
        assert_eq!(cond.ty, Ty::Bool, "a choice needs a truth value");
        assert_eq!(then.ty, els.ty, "both sides of a choice have one type");
        Expr { ty: then.ty, kind: ExprKind::Ite(Box::new(cond), Box::new(then), Box::new(els)) }
    }

    /// The opposite truth value; a double negation is taken away and a comparison of integers or pointers turned round.
    #[must_use]
    pub fn negate(self) -> Expr {
        assert_eq!(self.ty, Ty::Bool, "only truth values have an opposite");
        let flipped = |op, a: &Expr| match op {
            BinOp::Eq => Some(BinOp::Ne),
            BinOp::Ne => Some(BinOp::Eq),
            // With a NaN operand all four are false: they have no opposite among themselves.
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge if matches!(a.ty, Ty::Float(_)) => None,
            BinOp::Lt => Some(BinOp::Ge),
            BinOp::Le => Some(BinOp::Gt),
            BinOp::Gt => Some(BinOp::Le),
            BinOp::Ge => Some(BinOp::Lt),
            _ => None,
        };
        match self.kind {
            ExprKind::Const(c) => Expr::bool(c == 0),
            ExprKind::Unary(UnOp::Not, e) => *e,
            ExprKind::Binary(op, a, b) => match flipped(op, &a) {
                Some(op) => Expr { ty: Ty::Bool, kind: ExprKind::Binary(op, a, b) },
                None => Expr::unary(UnOp::Not, Expr { ty: Ty::Bool, kind: ExprKind::Binary(op, a, b) }),
            },
            kind => Expr::unary(UnOp::Not, Expr { ty: Ty::Bool, kind }),
        }
    }

    /// Whether the value differs from zero (null, 0.0): C's test of a scalar.
    pub fn nonzero(e: Expr) -> Expr {
        match e.ty {
            Ty::Bool => e,
            // The plain bit pattern 0 is +0.0; C's test compares, so -0.0 is false as well.
            ty => Expr::binary(BinOp::Ne, e, Expr::constant(ty, 0)),
        }
    }

    /// The value in the state in which the activation began.
    pub fn entry(e: Expr) -> Expr {
        Expr { ty: e.ty, kind: ExprKind::Entry(Box::new(e)) }
    }

    /// The bit pattern, if this is a constant.
    pub fn as_const(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Const(c) => Some(c),
            _ => None,
        }
    }
}

impl Label {
    /// A label with this text.
    pub fn new(text: impl Into<Box<str>>) -> Label {
        Label(Some(text.into()))
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl PartialEq for Label {
    fn eq(&self, _: &Label) -> bool {
        true
    }
}

impl Eq for Label {}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Label) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Label {
    fn cmp(&self, _: &Label) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Label {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

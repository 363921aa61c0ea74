//! What invariants at cut points speak about: the scalars that the function there can name, whole variables as well as members and
//! elements of structures and arrays, and through pointers one level deep, and the locals of the activations that wait for it;
//! of each the values that stand in the program.
//!
//! A state is described by a cube: of each integer its value, of each pointer whether it is null or to which object it points.
//! What a cube leaves open it never says again, so the description may be incomplete but never wrong.

use super::blocks::Scalar;
use super::codes::Codes;
use analysis::Analysis;
use ir::declared::{Declared, Type, TypeId};
use ir::walk::{Visitor, walk_edge, walk_expr};
use ir::{Address, Base, BinOp, Expr, ExprKind, FuncId, IntTy, Label, Place, Program, Ty, Var};
use pointsto::Object;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Scalars that are spoken about at most.
const MAX_QUANTITIES: usize = 160;
/// Steps through pointers to objects without a name.
const MAX_STEPS: usize = 2;
/// Elements of one array that are.
const MAX_ELEMENTS: u64 = 8;
/// Objects that a pointer is compared with.
const MAX_TARGETS: usize = 8;
/// Numbers of one type that are compared with each other.
const MAX_RELATED: usize = 12;
/// Bits of numbers that are spoken about.
const MAX_BITS: usize = 96;
/// Masks are looked at up to this bit.
const MAX_BIT: u32 = 32;
/// Masks that are made by shifts are looked at up to this bit.
const MAX_SHIFTED: u32 = 8;
/// Numbers that quantities are compared with.
const MAX_BOUNDS: usize = 48;
/// Sums and differences that are spoken about in one activation.
const MAX_SUMS: usize = 12;

/// A scalar, as an expression over what a function can name.
#[derive(Clone, Debug)]
pub(crate) enum Quantity {
    /// An integer.
    Int(Rc<Expr>, IntTy),
    /// Conditions that exclude each other; where none holds, all are said not to.
    Choice(Vec<Expr>),
}

/// A quantity of the activation that waits so many calls further out.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) out: u32,
    pub(crate) quantity: Quantity,
}

/// How much a vocabulary has words for: with each word there is more to choose from, and more to choose wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// Values of scalars, and bounds of those that the program computes with; of others, whether they have one of the values that
    /// they are compared with.
    Codes,
    /// Values of all scalars, and bounds of them.
    Values,
    /// Also single bits.
    Bits,
    /// Also which of two is greater.
    Relations,
}

impl Extent {
    pub(crate) const ALL: [Extent; 4] = [Extent::Codes, Extent::Values, Extent::Bits, Extent::Relations];
}

/// The vocabulary at one cut point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    pub(crate) words: Vec<Word>,
}

impl Vocabulary {
    /// The vocabulary at a cut point; `stack` are the functions of the activation and of those that wait for it. What comes first describes
    /// a state where it can, and is the last that a lemma does without: what says more than its parts comes before them.
    pub(crate) fn new(analysis: &Analysis<'_>, stack: &[FuncId], extent: Extent) -> Vocabulary {
        let mut sums: Vec<Word> = Vec::new();
        let mut values: Vec<Word> = Vec::new();
        let members = Members::of(analysis.program);
        for (out, &func) in (0..).zip(stack) {
            let word = |quantity| Word { out, quantity };
            sums.extend(compared_sums(analysis.program, func, out == 0).into_iter().map(word));
            let mut collector = Collector { analysis, func, places: Vec::new() };
            collector.locals();
            if out == 0 {
                collector.globals();
            }
            let mut first = 0;
            for _ in 0..MAX_STEPS {
                let last = collector.places.len();
                for i in first..last {
                    collector.through(i, &members);
                }
                first = last;
            }
            values.extend(collector.places.iter().filter_map(|(place, _)| collector.quantity(place)).map(word));
        }
        values.truncate(MAX_QUANTITIES);
        let mut words = sums;
        for out in 0..stack.len() as u32 {
            let own = words.iter().chain(&values).filter(|w| w.out == out);
            let numbers: Vec<(Rc<Expr>, IntTy)> = own.filter_map(|w| w.quantity.as_number()).collect();
            let word = |quantity| Word { out, quantity };
            if extent >= Extent::Relations {
                words.extend(relations(&numbers).into_iter().map(word));
            }
            if extent >= Extent::Bits {
                words.extend(bits(analysis.program, &numbers).into_iter().map(word));
            }
        }
        if extent == Extent::Codes {
            let codes = Codes::of(analysis.program);
            for word in &mut values {
                codes.replace(stack[word.out as usize], &mut word.quantity);
            }
        }
        words.extend(values);
        Vocabulary { words }
    }
}

impl Quantity {
    /// What describes it is made of these.
    pub(crate) fn exprs(&self) -> &[Expr] {
        match self {
            Quantity::Int(e, _) => std::slice::from_ref(e),
            Quantity::Choice(list) => list,
        }
    }

    fn as_number(&self) -> Option<(Rc<Expr>, IntTy)> {
        match self {
            Quantity::Int(e, ty) => Some((e.clone(), *ty)),
            Quantity::Choice(_) => None,
        }
    }
}

/// The scalars with a name, of which some may never change.
pub(crate) fn scalars(analysis: &Analysis<'_>, stack: &[FuncId]) -> Vec<Scalar> {
    let words = Vocabulary::new(analysis, stack, Extent::Values).words.into_iter();
    let scalar = |Word { out, quantity }| match quantity {
        Quantity::Int(e, ty) => Scalar::Int(out, e, ty),
        Quantity::Choice(list) => Scalar::Pointer(out, list),
    };
    // Of a sum nothing can be made part of a state.
    let is_place =
        |w: &Word| w.quantity.exprs().iter().all(|e| !matches!(e.kind, ExprKind::Binary(BinOp::Add | BinOp::Sub, ..)));
    words.filter(is_place).map(scalar).collect()
}

/// Sums that the program compares with something, and differences of what it compares with each other, over variables that `func`
/// can name: those over globals alone if asked for, and those of `func` with a local in them.
fn compared_sums(program: &Program, func: FuncId, over_globals: bool) -> Vec<Quantity> {
    struct Comparisons<'a> {
        locals: bool,
        globals: bool,
        found: &'a mut Vec<Expr>,
    }
    impl Visitor for Comparisons<'_> {
        fn expr(&mut self, e: &Expr) {
            let ExprKind::Binary(op, a, b) = &e.kind else { return };
            let Ty::Int(ty) = a.ty else { return };
            if !matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge) || ty.width > 64 {
                return;
            }
            let sum = match (a.as_const(), b.as_const()) {
                (None, None) => Expr::binary(BinOp::Sub, (**a).clone(), (**b).clone()),
                (None, Some(_)) => (**a).clone(),
                (Some(_), None) => (**b).clone(),
                (Some(_), Some(_)) => return,
            };
            let is_sum = matches!(sum.kind, ExprKind::Binary(BinOp::Add | BinOp::Sub, ..));
            let mut variables = Variables::default();
            walk_expr(&sum, &mut variables);
            let wanted = if variables.locals { self.locals } else { self.globals };
            if is_sum && variables.only && wanted && !self.found.contains(&sum) {
                self.found.push(sum);
            }
        }
    }
    /// Which variables an expression speaks about.
    struct Variables {
        locals: bool,
        /// Nothing but whole variables is read.
        only: bool,
    }
    impl Default for Variables {
        fn default() -> Variables {
            Variables { locals: false, only: true }
        }
    }
    impl Visitor for Variables {
        fn address(&mut self, addr: &Address) {
            self.only &= matches!(addr.base, Base::Var(_)) && addr.indices.is_empty();
            self.locals |= matches!(addr.base, Base::Var(Var::Local(_)));
        }
    }
    let mut found = Vec::new();
    for (id, body) in program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?))) {
        let mut comparisons = Comparisons { locals: id == func, globals: over_globals, found: &mut found };
        body.edges.iter().for_each(|e| walk_edge(e, &mut comparisons));
    }
    found.truncate(MAX_SUMS);
    let quantity = |e: Expr| match e.ty {
        Ty::Int(ty) => Some(Quantity::Int(Rc::new(e), ty)),
        Ty::Bool | Ty::Ptr | Ty::Float(_) => None,
    };
    found.into_iter().filter_map(quantity).collect()
}

/// The bits of numbers that the program tests or sets by a mask.
fn bits(program: &Program, numbers: &[(Rc<Expr>, IntTy)]) -> Vec<Quantity> {
    struct Masks(BTreeSet<u32>);
    impl Visitor for Masks {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Xor, a, b) = &e.kind {
                for mask in [a, b].into_iter().filter_map(|m| m.as_const()) {
                    let mask = if mask.count_ones() > 16 { !mask } else { mask };
                    self.0.extend((0..MAX_BIT).filter(|k| mask >> k & 1 == 1));
                }
            }
            if let ExprKind::Binary(BinOp::Shl, one, _) = &e.kind
                && one.as_const() == Some(1)
            {
                self.0.extend(0..MAX_SHIFTED);
            }
        }
    }
    let mut masks = Masks(BTreeSet::new());
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        body.edges.iter().for_each(|e| walk_edge(e, &mut masks));
    }
    let mut all = Vec::new();
    for (e, ty) in numbers.iter().filter(|(_, ty)| !ty.signed) {
        for &k in masks.0.iter().filter(|k| **k < u32::from(ty.width)) {
            let bit = Expr::binary(BinOp::And, (**e).clone(), Expr::constant(Ty::Int(*ty), 1 << k));
            all.push(Quantity::Choice(vec![Expr::nonzero(bit)]));
        }
    }
    all.truncate(MAX_BITS);
    all
}

/// Which of two numbers of one type is greater.
fn relations(numbers: &[(Rc<Expr>, IntTy)]) -> Vec<Quantity> {
    let mut all = Vec::new();
    let types: BTreeSet<IntTy> = numbers.iter().map(|(_, ty)| *ty).collect();
    for ty in types {
        let same: Vec<&Rc<Expr>> = numbers.iter().filter(|(_, t)| *t == ty).map(|(e, _)| e).take(MAX_RELATED).collect();
        for (i, a) in same.iter().enumerate() {
            for b in &same[i + 1..] {
                let compare = |op| Expr::binary(op, (***a).clone(), (***b).clone());
                all.push(Quantity::Choice(vec![compare(BinOp::Eq)]));
                all.push(Quantity::Choice(vec![compare(BinOp::Lt)]));
            }
        }
    }
    all
}

/// Which members of structures a program reads, by their offset and name.
struct Members(FxHashSet<(i64, String)>);

impl Members {
    fn of(program: &Program) -> Members {
        struct Reads<'m>(&'m mut FxHashSet<(i64, String)>);
        impl Visitor for Reads<'_> {
            fn read(&mut self, place: &Place) {
                self.0.insert(member(place));
            }
        }
        let mut all = FxHashSet::default();
        for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
            body.edges.iter().for_each(|e| walk_edge(e, &mut Reads(&mut all)));
        }
        Members(all)
    }

    fn are_read(&self, place: &Place) -> bool {
        self.0.contains(&member(place))
    }
}

/// The offset of a place, and the name of the member that it is.
pub(crate) fn member(place: &Place) -> (i64, String) {
    let name = place.label.0.as_deref().unwrap_or_default();
    (place.addr.offset, name.rsplit(['.', '>', '*', ')']).next().unwrap_or_default().to_owned())
}

struct Collector<'a> {
    analysis: &'a Analysis<'a>,
    func: FuncId,
    /// Scalars, and what they are declared to point to.
    places: Vec<(Place, Option<TypeId>)>,
}

impl Collector<'_> {
    fn declared(&self) -> &Declared {
        &self.analysis.program.declared
    }

    fn locals(&mut self) {
        let program = self.analysis.program;
        let f = &program.functions[self.func];
        for (id, local) in f.locals.iter_enumerated() {
            // Temporaries live too shortly.
            if !local.name.starts_with('$') {
                self.variable(Var::Local(id), &local.name, program.declared.local(&f.name, &local.name));
            }
        }
    }

    fn globals(&mut self) {
        let program = self.analysis.program;
        // Constants last: what they hold is known where nothing can write near them, and few of them are worth a word.
        for constant in [false, true] {
            for (id, global) in program.globals.iter_enumerated() {
                if global.constant == constant && !global.name.starts_with(".str") {
                    self.variable(Var::Global(id), &global.name, program.declared.global(&global.name));
                }
            }
        }
    }

    fn variable(&mut self, var: Var, name: &str, declared: Option<TypeId>) {
        match (self.analysis.program.shape(self.func, var).scalar(), declared) {
            (Some(ty), _) => {
                let to = declared.and_then(|t| self.declared().pointee(t));
                self.places.push((Place::var(var, ty), to));
            }
            (None, Some(t)) => self.leaves(&Address::var(var), t, name),
            (None, None) => {}
        }
    }

    /// The scalars of an object of a type.
    fn leaves(&mut self, at: &Address, ty: TypeId, name: &str) {
        let step = |by: u64| Address { offset: at.offset.wrapping_add(by as i64), ..at.clone() };
        match self.declared().types[ty].clone() {
            Type::Other => {}
            Type::Scalar(t) => {
                self.places.push((Place { addr: at.clone(), ty: t, bits: None, label: Label::new(name) }, None));
            }
            Type::Pointer(to) => {
                self.places
                    .push((Place { addr: at.clone(), ty: Ty::Ptr, bits: None, label: Label::new(name) }, Some(to)));
            }
            Type::Array(element, n) => {
                let size = self.declared().size(element, self.analysis.program.model);
                let (Some(n), Some(size)) = (n, size) else { return };
                for i in 0..n.min(MAX_ELEMENTS) {
                    self.leaves(&step(i * size), element, &format!("{name}[{i}]"));
                }
            }
            Type::Record(record) => {
                for field in &record.fields {
                    let inner = field.name.as_ref().map_or_else(|| name.to_owned(), |f| format!("{name}.{f}"));
                    match field.bits {
                        Some((ty, bits)) => {
                            let place =
                                Place { addr: step(field.offset), ty, bits: Some(bits), label: Label::new(inner) };
                            self.places.push((place, None));
                        }
                        None => self.leaves(&step(field.offset), field.ty, &inner),
                    }
                }
            }
        }
    }

    /// The scalars of what a pointer points to, where that has no name: those that the program reads.
    fn through(&mut self, pointer: usize, members: &Members) {
        let (place, Some(to)) = self.places[pointer].clone() else { return };
        let targets = self.analysis.query().expr(self.func, &Expr::read(place.clone()));
        if !targets.keys().any(|o| matches!(o, Object::Site(_))) {
            return;
        }
        if matches!(self.declared().types[to], Type::Record(_) | Type::Scalar(Ty::Int(_) | Ty::Bool)) {
            let name = format!("(*{})", place.label.0.as_deref().unwrap_or("p"));
            let mut found = Collector { places: Vec::new(), ..*self };
            found.leaves(&Address::ptr(Expr::read(place)), to, &name);
            self.places.extend(found.places.into_iter().filter(|(place, _)| members.are_read(place)));
        }
    }

    fn quantity(&self, place: &Place) -> Option<Quantity> {
        let e = Expr::read(place.clone());
        match place.ty {
            Ty::Int(ty) if ty.width <= 64 => Some(Quantity::Int(Rc::new(e), ty)),
            Ty::Bool => Some(Quantity::Choice(vec![e])),
            Ty::Ptr => Some(Quantity::Choice(self.targets(&e))),
            Ty::Int(_) | Ty::Float(_) => None,
        }
    }

    /// What a pointer can be equal to.
    fn targets(&self, pointer: &Expr) -> Vec<Expr> {
        let equals = |to: Expr| Expr::binary(BinOp::Eq, pointer.clone(), to);
        let mut all = vec![equals(Expr::null())];
        for (object, offsets) in self.analysis.query().expr(self.func, pointer).iter() {
            let var = match *object {
                Object::Global(g) => Var::Global(g),
                Object::Local(f, l) if f == self.func => Var::Local(l),
                Object::Func(f) => {
                    all.push(equals(Expr::func(f)));
                    continue;
                }
                _ => continue,
            };
            let (start, stride) = (offsets.start, offsets.stride);
            let size = self.analysis.program.shape(self.func, var).size(self.analysis.program.model);
            let n = size.checked_div(stride).map_or(1, |n| n.clamp(1, MAX_ELEMENTS));
            for i in 0..n {
                let offset = start.wrapping_add((i * stride) as i64);
                all.push(equals(Expr::addr(Address { offset, ..Address::var(var) })));
            }
        }
        all.truncate(MAX_TARGETS);
        all
    }
}

/// The numbers that stand in the program, and their neighbours: quantities are compared with them. Sorted.
pub(crate) fn bounds(program: &Program) -> Vec<i128> {
    struct Numbers(BTreeSet<i128>);
    impl Visitor for Numbers {
        fn expr(&mut self, e: &Expr) {
            if let (ExprKind::Const(pattern), Ty::Int(ty)) = (&e.kind, e.ty)
                && ty.width <= 64
            {
                let n = ty.extend(*pattern);
                self.0.extend([n - 1, n, n + 1]);
            }
        }
    }
    let mut numbers = Numbers(BTreeSet::from([-1, 0, 1]));
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        body.edges.iter().for_each(|e| walk_edge(e, &mut numbers));
    }
    let mut all: Vec<i128> = numbers.0.into_iter().collect();
    // The small ones matter most.
    all.sort_by_key(|n| n.unsigned_abs());
    all.truncate(MAX_BOUNDS);
    all.sort_unstable();
    all
}

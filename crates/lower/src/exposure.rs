//! Which structures have padding that the program can look at.
//!
//! The padding of a structure is seen only through an lvalue of another type. Such a one comes from a conversion of pointers
//! (to or from a pointer to the structure or to something that contains it), from a union that contains it, from a call
//! whose arguments are not converted to the parameters' types, or from outside. What is marked here may be more than what is
//! seen, never less. Memory that an allocation function has just returned is looked at by nobody else.

use crate::Options;
use cfront::tree::{Builtin, CastKind, ExprId, ExprKind, FuncId, Linkage, Unit};
use cfront::types::{FloatKind, RecordId, RecordKind, Type, TypeId, Types};
use ir::Externs;
use rustc_hash::FxHashSet;

/// Functions that return memory which nobody else has.
const FRESH: [&str; 8] =
    ["malloc", "calloc", "realloc", "alloca", "__builtin_alloca", "aligned_alloc", "kmalloc", "kzalloc"];
/// Functions that do not look at what their argument points to, and hand it to nobody.
const BLIND: [&str; 2] = ["free", "kfree"];

/// Marks for each record of each unit.
pub(crate) struct Exposure {
    all: bool,
    records: Vec<Vec<bool>>,
}

impl Exposure {
    /// Reads all expressions of the program.
    pub(crate) fn new(units: &[Unit], opts: &Options) -> Exposure {
        let mut marks: Vec<Marks<'_>> = units.iter().map(|unit| Marks::new(unit, opts)).collect();
        // The same structure has another number in each unit.
        let several = units.len() > 1;
        let all = several || opts.entry != "main" || opts.everything || marks.iter().any(|m| m.all);
        Exposure { all, records: marks.iter_mut().map(|m| std::mem::take(&mut m.records)).collect() }
    }

    /// Whether padding of an object of this type can be seen.
    pub(crate) fn sees(&self, u: u32, types: &Types, ty: TypeId) -> bool {
        match *types.get(ty) {
            Type::Record(r) => {
                let marked = self.all || self.records[u as usize].get(base::Id::index(r)).is_none_or(|&m| m);
                marked || types.records[r].fields.iter().any(|f| self.sees(u, types, f.ty))
            }
            Type::Array(elem, _) => self.sees(u, types, elem),
            Type::Complex(part) | Type::Vector(part, _) => self.sees(u, types, part),
            Type::Float(FloatKind::LongDouble) => true,
            _ => false,
        }
    }
}

struct Marks<'a> {
    unit: &'a Unit,
    all: bool,
    records: Vec<bool>,
    /// What the outside can reach has been followed from here.
    reached: FxHashSet<TypeId>,
}

impl<'a> Marks<'a> {
    fn new(unit: &'a Unit, opts: &Options) -> Marks<'a> {
        let records = vec![false; unit.types.records.len()];
        let mut marks = Marks { unit, all: false, records, reached: FxHashSet::default() };
        for (_, record) in unit.types.records.iter_enumerated() {
            if record.kind == RecordKind::Union {
                record.fields.iter().for_each(|f| marks.mark(f.ty));
            }
        }
        let harmless = marks.blind_arguments();
        for (e, _) in unit.exprs.iter_enumerated() {
            if !harmless.contains(&e) {
                marks.expr(e);
            }
        }
        marks.outside(opts);
        marks
    }

    /// Conversions of arguments of functions that do not look at them.
    fn blind_arguments(&self) -> FxHashSet<ExprId> {
        let calls = self.unit.exprs.iter().filter_map(|x| match x.kind {
            ExprKind::Call(callee, args) if self.is_named(callee, &BLIND) => self.unit.list(args).first().copied(),
            _ => None,
        });
        calls.collect()
    }

    fn is_named(&self, callee: ExprId, names: &[&str]) -> bool {
        let is = |f: FuncId| {
            let f = &self.unit.funcs[f];
            f.body.is_none() && names.contains(&self.unit.name(f.name))
        };
        self.unit.direct_callee(callee).is_some_and(is)
    }

    /// What is looked at as something else.
    fn mark(&mut self, ty: TypeId) {
        match self.unit.types.get(ty).clone() {
            Type::Record(r) => self.mark_record(r),
            Type::Array(elem, _) => self.mark(elem),
            Type::Function(sig) => {
                for t in sig.params.iter().copied().chain([sig.ret]) {
                    self.mark(t);
                    if let Some(pointee) = self.unit.types.pointee(t) {
                        self.mark(pointee);
                    }
                }
            }
            _ => {}
        }
    }

    fn mark_record(&mut self, r: RecordId) {
        if !std::mem::replace(&mut self.records[base::Id::index(r)], true) {
            let unit = self.unit;
            unit.types.records[r].fields.iter().for_each(|f| self.mark(f.ty));
        }
    }

    fn expr(&mut self, e: ExprId) {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::Cast(CastKind::Ptr, from, _) => self.conversion(unit.exprs[from].ty, x.ty, from),
            ExprKind::Cast(CastKind::IntToPtr, from, _) => match unit.exprs[from].kind {
                ExprKind::Int(0) => {}
                _ if cfront::const_eval(unit, from).is_some() => self.pointee(x.ty),
                // A number can be the address of anything.
                _ => self.all = true,
            },
            ExprKind::Call(callee, args) => self.call(callee, unit.list(args)),
            ExprKind::Builtin(Builtin::VaArg, _) => self.pointee(x.ty),
            _ => {}
        }
    }

    fn pointee(&mut self, ty: TypeId) {
        if let Some(t) = self.unit.types.pointee(ty) {
            self.mark(t);
        }
    }

    fn conversion(&mut self, from: TypeId, to: TypeId, operand: ExprId) {
        let types = &self.unit.types;
        let (Some(a), Some(b)) = (types.pointee(from), types.pointee(to)) else { return };
        if types.unqualified(a) == types.unqualified(b) {
            return;
        }
        let fresh = matches!(self.unit.exprs[operand].kind,
            ExprKind::Call(callee, _) if self.is_named(callee, &FRESH));
        if !fresh && !self.is_null(operand) {
            self.mark(a);
            self.mark(b);
        }
    }

    /// A null pointer constant, in whatever casts.
    fn is_null(&self, mut e: ExprId) -> bool {
        while let ExprKind::Cast(_, inner, _) = self.unit.exprs[e].kind {
            e = inner;
        }
        matches!(self.unit.exprs[e].kind, ExprKind::Int(0))
    }

    /// Arguments that no parameter gives a type.
    fn call(&mut self, callee: ExprId, args: &[ExprId]) {
        let types = &self.unit.types;
        let sig = types.pointee(self.unit.exprs[callee].ty).and_then(|t| types.signature(t));
        let fixed = sig.map_or(0, |s| if s.prototype { s.params.len() } else { 0 });
        for &arg in args.iter().skip(fixed) {
            self.pointee(self.unit.exprs[arg].ty);
        }
    }

    /// What code elsewhere can get hold of, it can hand back as a pointer of any type.
    fn outside(&mut self, opts: &Options) {
        let unit = self.unit;
        for f in unit.funcs.iter().filter(|f| f.body.is_none() && !f.runtime) {
            if let Some(sig) = unit.types.signature(f.ty) {
                sig.params.iter().chain([&sig.ret]).for_each(|&t| self.reach(t));
            }
        }
        for v in &unit.vars {
            let undefined = v.definition == cfront::tree::Definition::Declared;
            if v.linkage == Linkage::External && (undefined || opts.externs == Externs::Any) {
                self.reach(v.ty);
            }
        }
    }

    /// Marks what is in an object of the type, and what pointers in it lead to.
    fn reach(&mut self, ty: TypeId) {
        if !self.reached.insert(ty) {
            return;
        }
        let unit = self.unit;
        match *unit.types.get(ty) {
            Type::Pointer(t) => {
                self.mark(t);
                self.reach(t);
            }
            Type::Array(t, _) => self.reach(t),
            Type::Record(r) => unit.types.records[r].fields.iter().for_each(|f| self.reach(f.ty)),
            _ => {}
        }
    }
}

//! What a condition may name, declared for `cfront` from what the program has and what its source declared
//! ([`ir::declared`]).

use super::Names;
use base::{Diagnostic, IndexVec, Span};
use cfront::annotation::{Reader, integer};
use cfront::tree;
use cfront::types::{ArrayLen, BitRange, Field, Lengths, RecordDef, RecordId, RecordKind, Type, TypeId, Types, basic};
use ir::declared::{self, Type as Declared};
use ir::{FloatTy, FuncId, Program, Shape, Ty, Var};
use rustc_hash::FxHashMap;

/// The declarations, and what they mean in the program.
pub(super) struct Scopes<'p> {
    program: &'p Program,
    /// The types of the source.
    types: IndexVec<declared::TypeId, Option<TypeId>>,
    /// The variables of all scopes entered so far.
    pub(super) vars: FxHashMap<tree::VarId, Var>,
    /// The functions.
    pub(super) functions: Vec<(tree::FuncId, FuncId)>,
}

impl<'p> Scopes<'p> {
    /// Declares everything that is no function's own. A variable hides an enumerator, and that a function.
    pub(super) fn declare(program: &'p Program, reader: &mut Reader<'_>) -> Scopes<'p> {
        let types = program.declared.types.ids().map(|_| None).collect();
        let mut scopes = Scopes { program, types, vars: FxHashMap::default(), functions: Vec::new() };
        scopes.records(reader);
        for (id, f) in program.functions.iter_enumerated() {
            scopes.functions.push((reader.function(&f.name), id));
        }
        for (name, &(ty, pattern)) in &program.declared.constants {
            let value = if let Ty::Int(i) = ty { i.extend(pattern) } else { pattern as i128 };
            let ty = scopes.scalar(reader, ty);
            reader.constant(name, value, ty);
        }
        for (id, g) in program.globals.iter_enumerated() {
            let ty = scopes.variable(reader, g.shape, program.declared.global(&g.name));
            scopes.vars.insert(reader.variable(&g.name, ty), Var::Global(id));
        }
        scopes
    }

    /// Declares the variables of a function in place of those of another one.
    pub(super) fn enter(&mut self, reader: &mut Reader<'_>, scope: Option<FuncId>) {
        reader.leave();
        let Some(f) = scope else { return };
        reader.enter();
        let function = &self.program.functions[f];
        for (id, l) in function.locals.iter_enumerated() {
            let declared = self.program.declared.local(&function.name, &l.name);
            let ty = self.variable(reader, l.shape, declared);
            self.vars.insert(reader.variable(&l.name, ty), Var::Local(id));
        }
    }

    /// Declares names that are not the program's, in a scope of their own.
    pub(super) fn name(&mut self, reader: &mut Reader<'_>, names: &Names) {
        reader.enter();
        for (name, value) in &names.constants {
            reader.constant(name, *value, basic::INT);
        }
        for n in &names.variables {
            let shape = match n.var {
                Var::Global(g) => self.program.globals[g].shape,
                Var::Local(l) => names.locals[l].shape,
            };
            let ty = self.variable(reader, shape, n.ty);
            self.vars.insert(reader.variable(&n.name, ty), n.var);
        }
    }

    /// The type of a variable. A declaration that does not fit it says nothing.
    fn variable(&mut self, reader: &mut Reader<'_>, shape: Shape, declared: Option<declared::TypeId>) -> TypeId {
        match (shape, declared) {
            (Shape::Scalar(ty), Some(t)) if self.program.declared.scalar(t) == Some(ty) => self.ty(reader, t),
            (Shape::Scalar(ty), _) => self.scalar(reader, ty),
            (Shape::Object { size, .. }, declared) => {
                let ty = declared.map(|t| self.ty(reader, t));
                object(reader.types(), ty, size)
            }
        }
    }

    fn scalar(&self, reader: &mut Reader<'_>, ty: Ty) -> TypeId {
        match ty {
            Ty::Bool => basic::BOOL,
            Ty::Int(i) => Types::int(integer(reader.types().target, i.width as u8, i.signed)),
            Ty::Ptr => reader.types().pointer(basic::VOID),
            Ty::Float(FloatTy::F16) => basic::FLOAT16,
            Ty::Float(FloatTy::F32) => basic::FLOAT,
            Ty::Float(FloatTy::F64) => basic::DOUBLE,
            Ty::Float(FloatTy::F80) => basic::LONGDOUBLE,
            Ty::Float(FloatTy::F128) => basic::FLOAT128,
        }
    }

    /// A type of the source. Types are made of each other, in circles only through records, which are there before.
    fn ty(&mut self, reader: &mut Reader<'_>, t: declared::TypeId) -> TypeId {
        if let Some(ty) = self.types[t] {
            return ty;
        }
        let ty = match self.program.declared.types[t] {
            Declared::Other => basic::VOID,
            Declared::Scalar(ty) => self.scalar(reader, ty),
            Declared::Pointer(to) => {
                let to = self.ty(reader, to);
                reader.types().pointer(to)
            }
            Declared::Array(elem, n) => {
                let elem = self.ty(reader, elem);
                reader.types().intern(Type::Array(elem, n.map_or(ArrayLen::Unknown, ArrayLen::Fixed)))
            }
            Declared::Record(_) => unreachable!("records are declared first"),
        };
        self.types[t] = Some(ty);
        ty
    }

    fn records(&mut self, reader: &mut Reader<'_>) {
        let declared = &self.program.declared;
        let mut all: Vec<(RecordId, &declared::Record)> = Vec::new();
        for (t, ty) in declared.types.iter_enumerated() {
            let Declared::Record(r) = ty else { continue };
            let id = record(reader, r);
            self.types[t] = Some(reader.types().intern(Type::Record(id)));
            all.push((id, r));
        }
        for (id, r) in all {
            let fields = r.fields.iter().map(|f| self.field(reader, f)).collect();
            reader.types().records[id].fields = fields;
        }
        for (name, &t) in &declared.records {
            let record = self.types[t].and_then(|ty| reader.types().record(ty));
            if let (Some((_, tag)), Some(record)) = (name.split_once(' '), record) {
                reader.tag(tag, record);
            }
        }
    }

    fn field(&mut self, reader: &mut Reader<'_>, f: &declared::Field) -> Field {
        let ty = self.ty(reader, f.ty);
        let name = f.name.as_deref().map(|n| reader.symbol(n));
        // `cfront` counts the bits of a field from its first byte, not from the access that holds it.
        let first = f.bits.map_or(0, |(_, range)| u64::from(range.lo));
        let bits = f.bits.map(|(_, range)| BitRange { lo: (first % 8) as u8, width: range.width as u8 });
        Field { name, ty, offset: f.offset + first / 8, align: 1, bits, span: nowhere() }
    }

    /// A message of `cfront` under one of the reasons that there are here, and with what is known of the program.
    pub(super) fn explain(&self, mut d: Diagnostic, unknown: Option<String>, scope: Option<FuncId>) -> Diagnostic {
        d.id = match d.id {
            id @ ("syntax" | "undeclared" | "symbolic-constant" | "call" | "type" | "unsupported") => id,
            "lexical" | "depth" => "syntax",
            "member" => "undeclared",
            _ => "type",
        };
        let Some(name) = unknown else { return d };
        let has = |f: FuncId| self.program.functions[f].locals.iter().any(|l| l.name == name);
        let owner = self.program.functions.ids().find(|&f| has(f)).map(|f| &self.program.functions[f].name);
        match (owner, scope) {
            (Some(owner), None) => {
                d.message = format!("a global condition cannot name `{name}`, a local of `{owner}`");
                d.id = "local-in-global";
            }
            (Some(owner), Some(f)) => {
                let here = &self.program.functions[f].name;
                d.message = format!("`{name}` is a local of `{owner}`, not of `{here}`");
                d.id = "out-of-scope";
            }
            (None, _) => {}
        }
        d
    }
}

/// The type of an object: as it is declared if that says how large it is, with as many elements as fit if it is an array of
/// unknown length, else bytes.
fn object(types: &mut Types, declared: Option<TypeId>, size: u64) -> TypeId {
    let array = match declared {
        Some(ty) if types.size(ty).is_some() => return ty,
        Some(ty) => match *types.get(ty) {
            Type::Array(elem, ArrayLen::Unknown) => types.size(elem).filter(|&n| n > 0).map(|n| (elem, size / n)),
            _ => None,
        },
        None => None,
    };
    let (elem, n) = array.unwrap_or((basic::UCHAR, size));
    types.intern(Type::Array(elem, ArrayLen::Fixed(n)))
}

/// A record without its members.
fn record(reader: &mut Reader<'_>, r: &declared::Record) -> RecordId {
    let (word, tag) = match r.name.as_deref().and_then(|n| n.split_once(' ')) {
        Some((word, tag)) => (word, Some(reader.symbol(tag))),
        None => ("struct", None),
    };
    let kind = if word == "union" { RecordKind::Union } else { RecordKind::Struct };
    reader.types().records.push(RecordDef {
        kind,
        tag,
        complete: r.size.is_some(),
        fields: Vec::new(),
        size: r.size.unwrap_or(0),
        align: 1,
        transparent: false,
        lengths: Lengths::Fixed,
        span: nowhere(),
    })
}

/// What is declared here stands in no text.
fn nowhere() -> Span {
    Span::new(base::Id::from_index(0), 0, 0)
}

//! How the source declares the variables of a program: what [`ir::declared`] keeps for people.

use crate::link::Entity;
use crate::place::bit_access;
use crate::types;
use base::Id;
use cfront::tree::{Unit, VarId};
use cfront::types::{ArrayLen, IntKind, Lengths, RecordDef, RecordKind, Type, TypeId};
use ir::declared::{Declared, Field, Record, Type as Out, TypeId as OutId};
use ir::{Ty, declared};
use rustc_hash::FxHashMap;

/// Collects declarations. A type is entered when it is first mentioned and filled in later: types refer to each other.
pub(crate) struct Declarer<'a> {
    units: &'a [Unit],
    out: Declared,
    known: FxHashMap<(u32, TypeId), OutId>,
    open: Vec<(u32, TypeId, OutId)>,
}

impl<'a> Declarer<'a> {
    pub(crate) fn new(units: &'a [Unit]) -> Declarer<'a> {
        Declarer { units, out: Declared::default(), known: FxHashMap::default(), open: Vec::new() }
    }

    /// The IR global `name` is this variable, or points to it.
    pub(crate) fn global(&mut self, name: &str, (u, v): Entity<VarId>, behind: bool) {
        let ty = self.home(u, self.units[u as usize].vars[v].ty, behind);
        self.out.globals.insert(name.to_owned(), ty);
    }

    /// The local `name` of the IR function `function` has this type, or points to something that has.
    pub(crate) fn local(&mut self, function: &str, name: &str, u: u32, ty: TypeId, behind: bool) {
        let ty = self.home(u, ty, behind);
        self.out.locals.entry(function.to_owned()).or_default().insert(name.to_owned(), ty);
    }

    fn home(&mut self, u: u32, ty: TypeId, behind: bool) -> OutId {
        match (behind, self.units[u as usize].types.get(ty)) {
            (false, _) => self.ty(u, ty),
            // An array behind a pointer is what its elements are.
            (true, Type::Array(elem, _)) => {
                let elem = self.ty(u, *elem);
                self.out.types.push(Out::Pointer(elem))
            }
            (true, _) => {
                let ty = self.ty(u, ty);
                self.out.types.push(Out::Pointer(ty))
            }
        }
    }

    /// The declared type that a type of a unit is.
    pub(crate) fn ty(&mut self, u: u32, ty: TypeId) -> OutId {
        let ty = self.units[u as usize].types.unqualified(ty);
        if let Some(&id) = self.known.get(&(u, ty)) {
            return id;
        }
        let id = self.out.types.push(Out::Other);
        self.known.insert((u, ty), id);
        self.open.push((u, ty, id));
        id
    }

    /// Everything that was declared.
    pub(crate) fn finish(mut self) -> declared::Declarations {
        for unit in self.units {
            self.enumerators(unit);
        }
        while let Some((u, ty, id)) = self.open.pop() {
            self.out.types[id] = self.convert(u, ty, id);
        }
        declared::Declarations(std::sync::Arc::new(self.out))
    }

    fn enumerators(&mut self, unit: &Unit) {
        for def in &unit.types.enums {
            let Some(ty) = types::scalar(&unit.types, def.underlying) else { continue };
            for &(name, value) in &def.values {
                // C gives an enumerator the type `int` where its value fits.
                let ty = if i32::try_from(value).is_ok() { Ty::int(32, true) } else { ty };
                let value = ir::Expr::int(ty, value).as_const().unwrap_or(0);
                self.out.constants.insert(unit.name(name).to_owned(), (ty, value));
            }
        }
    }

    fn convert(&mut self, u: u32, ty: TypeId, id: OutId) -> Out {
        let all = &self.units[u as usize].types;
        match all.get(ty) {
            Type::Pointer(to) => Out::Pointer(self.ty(u, *to)),
            Type::Array(elem, len) => {
                let n = if let ArrayLen::Fixed(n) = len { Some(*n) } else { None };
                Out::Array(self.ty(u, *elem), n)
            }
            Type::Record(r) => self.record(u, &all.records[*r], id),
            _ => types::scalar(all, ty).map_or(Out::Other, Out::Scalar),
        }
    }

    fn record(&mut self, u: u32, def: &RecordDef, id: OutId) -> Out {
        let unit = &self.units[u as usize];
        let name = def.tag.map(|tag| {
            let kind = match def.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            format!("{kind} {}", unit.name(tag))
        });
        if let Some(name) = &name
            && def.complete
        {
            self.out.records.entry(name.clone()).or_insert(id);
        }
        let known = def.complete && def.lengths == Lengths::Fixed;
        let mut fields = Vec::new();
        for f in def.fields.iter().filter(|_| known) {
            let ty = self.ty(u, f.ty);
            let name = f.name.map(|s| unit.name(s).to_owned());
            let Some(bits) = f.bits else {
                fields.push(Field { name, offset: f.offset, ty, bits: None });
                continue;
            };
            // As the program itself accesses it; one that no single access holds has no name here.
            let size = unit.types.size(f.ty).unwrap_or(1);
            let signed = unit.types.int_kind(f.ty).is_some_and(IntKind::signed);
            if let Some(a) = bit_access(size, f.offset, bits, def.size) {
                let range = ir::BitRange { lo: a.lo, width: u16::from(bits.width) };
                fields.push(Field { name, offset: a.start, ty, bits: Some((Ty::int(a.width, signed), range)) });
            }
        }
        debug_assert!(id.index() < self.out.types.len(), "a type has its id before it is filled in");
        Out::Record(Record { name, size: known.then_some(def.size), fields })
    }
}

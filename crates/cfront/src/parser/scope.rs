//! What names mean where: one table per name space with an undo log, so that entering and leaving a scope costs what was
//! declared in it.

use crate::symbol::Symbol;
use crate::tree::{FuncId, VarId};
use crate::types::{EnumId, RecordId, TypeId};
use base::Id;
use rustc_hash::FxHashMap;

/// The meaning of an ordinary identifier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Var(VarId),
    Func(FuncId),
    Typedef(TypeId),
    /// Value and type; the type of an enumerator may be revised when its enumeration ends.
    Enumerator(i128, TypeId),
}

/// The meaning of a tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// An object or function with linkage: one entity, however many scopes declare it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Linked {
    Var(VarId),
    Func(FuncId),
}

#[derive(Clone, Copy, Debug)]
struct Bound<B> {
    depth: u32,
    value: B,
}

type Table<B> = Vec<Option<Bound<B>>>;

enum Undo {
    Name(Symbol, Option<Bound<Binding>>),
    Tag(Symbol, Option<Bound<Tag>>),
}

/// All open scopes.
#[derive(Default)]
pub(super) struct Scopes {
    names: Table<Binding>,
    tags: Table<Tag>,
    log: Vec<Undo>,
    marks: Vec<usize>,
    /// Entities with linkage, by name.
    pub(super) linked: FxHashMap<Symbol, Linked>,
}

fn get<B: Copy>(table: &Table<B>, s: Symbol) -> Option<Bound<B>> {
    table.get(s.index()).copied().flatten()
}

fn set<B>(table: &mut Table<B>, s: Symbol, value: Option<Bound<B>>) -> Option<Bound<B>> {
    if table.len() <= s.index() {
        table.resize_with(s.index() + 1, || None);
    }
    std::mem::replace(&mut table[s.index()], value)
}

impl Scopes {
    /// 0 at file scope.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    pub(super) fn pop(&mut self) {
        let mark = self.marks.pop().expect("every scope left was entered");
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Name(s, old)) => drop(set(&mut self.names, s, old)),
                Some(Undo::Tag(s, old)) => drop(set(&mut self.tags, s, old)),
                None => {}
            }
        }
    }

    pub(super) fn lookup(&self, s: Symbol) -> Option<Binding> {
        get(&self.names, s).map(|b| b.value)
    }

    /// The meaning of a name if this very scope gave it.
    pub(super) fn lookup_here(&self, s: Symbol) -> Option<Binding> {
        get(&self.names, s).filter(|b| b.depth == self.depth()).map(|b| b.value)
    }

    pub(super) fn bind(&mut self, s: Symbol, value: Binding) {
        let depth = self.depth();
        let old = set(&mut self.names, s, Some(Bound { depth, value }));
        if self.depth() > 0 {
            self.log.push(Undo::Name(s, old));
        }
    }

    pub(super) fn lookup_tag(&self, s: Symbol) -> Option<Tag> {
        get(&self.tags, s).map(|b| b.value)
    }

    pub(super) fn lookup_tag_here(&self, s: Symbol) -> Option<Tag> {
        get(&self.tags, s).filter(|b| b.depth == self.depth()).map(|b| b.value)
    }

    pub(super) fn bind_tag(&mut self, s: Symbol, value: Tag) {
        let depth = self.depth();
        let old = set(&mut self.tags, s, Some(Bound { depth, value }));
        if self.depth() > 0 {
            self.log.push(Undo::Tag(s, old));
        }
    }
}

//! Interned names. Equal names have equal [`Symbol`]s within one [`Symbols`] table.

use base::{IndexVec, define_id};
use rustc_hash::FxHashMap;

define_id!(pub Symbol, "s", "An interned name of one translation unit.");

/// The names of one translation unit, in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: IndexVec<Symbol, Box<str>>,
    index: FxHashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// The symbol of `name`.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&s) = self.index.get(name) {
            return s;
        }
        let s = self.names.push(name.into());
        self.index.insert(name.into(), s);
        s
    }

    /// The symbol of `name` if it occurs.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }

    /// The text of a symbol.
    pub fn name(&self, s: Symbol) -> &str {
        &self.names[s]
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

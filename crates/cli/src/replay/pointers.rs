//! Objects of a run by the names that a program from outside has for them.

use ir::interp::{Provenance, Value};
use std::collections::BTreeMap;

/// A place, or a pointer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    /// An address as a number.
    Number(u64),
    /// So many bytes behind the reference point of what lies outside of the program.
    Outside(u64),
    /// So many bytes into a global.
    Global(String, i64),
    /// So many bytes from where an argument of the call at hand points.
    Argument(usize, i64),
    /// So many bytes from where a pointer points that an earlier call was given.
    Saved(usize, i64),
    /// So many bytes into a parameter of the entry function.
    Parameter(usize, i64),
    /// So many bytes into the n-th block of the heap.
    Block(usize, i64),
    /// A function.
    Function(String),
}

impl Spot {
    /// A place in a global.
    pub(super) fn global(name: &str, offset: i64) -> Spot {
        Spot::Global(name.to_string(), offset)
    }
}

/// What an object is.
#[derive(Clone, Debug)]
enum Thing {
    Global(String),
    Parameter(usize),
    Local(String),
    Block(usize),
}

/// The objects of a run.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By number: the address of the first byte, and what it is.
    objects: BTreeMap<u32, (u128, Thing)>,
    functions: BTreeMap<u128, String>,
}

impl Known {
    pub(super) fn global(&mut self, object: u32, base: u128, name: &str) {
        self.objects.insert(object, (base, Thing::Global(name.to_string())));
    }

    pub(super) fn parameter(&mut self, object: u32, base: u128, n: usize) {
        self.objects.insert(object, (base, Thing::Parameter(n)));
    }

    pub(super) fn local(&mut self, object: u32, base: u128, name: &str) {
        self.objects.entry(object).or_insert_with(|| (base, Thing::Local(name.to_string())));
    }

    pub(super) fn block(&mut self, object: u32, base: u128, nth: usize) {
        self.objects.insert(object, (base, Thing::Block(nth)));
    }

    pub(super) fn function(&mut self, at: u128, name: &str) {
        self.functions.insert(at, name.to_string());
    }

    /// An address that may be a function's.
    pub(super) fn number(&self, at: u128) -> Spot {
        match self.functions.get(&at) {
            Some(name) => Spot::Function(name.clone()),
            None => Spot::Number(at as u64),
        }
    }

    /// The address of an object's first byte.
    pub(super) fn base(&self, object: u32) -> Option<u128> {
        self.objects.get(&object).map(|(base, _)| *base)
    }

    /// Where a pointer points, seen from a call with these arguments.
    pub(super) fn spot(&self, at: Value, args: &[Value]) -> Option<Spot> {
        if at.provenance == Provenance::FUNCTION {
            return Some(self.number(at.bits));
        }
        let object = at.provenance.as_object()?;
        let (base, _) = self.objects.get(&object)?;
        self.inside(object, at.bits.wrapping_sub(*base) as i128, args)
    }

    /// A place in an object, seen from a call with these arguments.
    pub(super) fn inside(&self, object: u32, offset: i128, args: &[Value]) -> Option<Spot> {
        let (base, thing) = self.objects.get(&object)?;
        let offset_in = |from: i128| i64::try_from(offset - from).ok();
        let named = match thing {
            Thing::Global(name) if !name.contains('.') => Some(Spot::Global(name.clone(), offset_in(0)?)),
            Thing::Block(nth) => Some(Spot::Block(*nth, offset_in(0)?)),
            Thing::Parameter(n) => Some(Spot::Parameter(*n, offset_in(0)?)),
            Thing::Global(_) | Thing::Local(_) => None,
        };
        named.or_else(|| {
            let by = args.iter().enumerate().find(|(_, a)| a.provenance.as_object() == Some(object));
            by.and_then(|(n, a)| Some(Spot::Argument(n, offset_in(a.bits.wrapping_sub(*base) as i128)?)))
        })
    }

    /// What a person calls an object.
    pub(super) fn name(&self, object: u32) -> String {
        match self.objects.get(&object) {
            Some((_, Thing::Global(name) | Thing::Local(name))) => {
                format!("`{}`", name.rsplit('.').next().unwrap_or(name))
            }
            Some((_, Thing::Parameter(n))) => format!("parameter {}", n + 1),
            Some((_, Thing::Block(n))) => format!("block {} of the heap", n + 1),
            None => "an object".to_string(),
        }
    }
}

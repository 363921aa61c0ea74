//! Names and types in scope, and how a type is spelled.
//!
//! A variable that may not be written (a loop counter, a recursion depth, a constant) is marked so when it is declared;
//! the bounds on loops and recursion rest on that.

use super::{Feature, Gen};
use crate::ctypes::{BASIC, CType};

/// A variable of the program being generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VarId(pub(super) usize);

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: CType,
    pub(super) writable: bool,
    /// A global or a static local: what a call may touch.
    pub(super) is_static: bool,
}

#[derive(Clone, Debug)]
pub(super) struct EnumDef {
    /// How a declaration names the type.
    pub(super) spelling: String,
    pub(super) signed: bool,
    pub(super) constants: Vec<(String, i64)>,
}

/// A function besides `main`.
#[derive(Clone, Debug)]
pub(super) struct Func {
    pub(super) name: String,
    /// `None` for `void`.
    pub(super) ret: Option<CType>,
    pub(super) params: Vec<CType>,
    /// Functions of one group call each other with a smaller depth, their first parameter.
    pub(super) group: Option<usize>,
    /// Reads and writes no global, directly or through a call.
    pub(super) pure_fn: bool,
    /// Estimated operations of one call, and bits of input it draws; `None` until its body is written.
    pub(super) cost: Option<u64>,
    pub(super) draws: u32,
    /// Mask for the depth that callers outside the group pass.
    pub(super) depth_mask: u64,
    /// The text of its definition.
    pub(super) body: String,
    /// Spellings of result and parameters.
    pub(super) header: (String, Vec<String>),
}

impl Gen<'_> {
    /// A random type for a variable.
    pub(super) fn any_type(&mut self) -> CType {
        if self.knobs.plain {
            let common = [CType::Int, CType::UInt, CType::Int, CType::UChar, CType::Char, CType::Short, CType::Bool];
            return if self.rng.chance(95) { *self.rng.pick(&common) } else { *self.rng.pick(&BASIC) };
        }
        if !self.enums.is_empty() && self.rng.chance(6) {
            let id = self.rng.index(self.enums.len());
            return CType::Enum { id: id as u8, signed: self.enums[id].signed };
        }
        *self.rng.pick(&BASIC)
    }

    /// A type that holds small counters of either sign.
    pub(super) fn counter_type(&mut self) -> CType {
        if self.knobs.plain {
            return *self.rng.pick(&[CType::Int, CType::UInt, CType::Int]);
        }
        loop {
            let t = *self.rng.pick(&BASIC);
            if t != CType::Bool {
                return t;
            }
        }
    }

    /// A way to write the type.
    pub(super) fn spell(&mut self, ty: CType) -> String {
        self.mark(match ty {
            CType::Bool => Feature::TypeBool,
            CType::Char => Feature::TypeChar,
            CType::SChar => Feature::TypeSChar,
            CType::UChar => Feature::TypeUChar,
            CType::Short => Feature::TypeShort,
            CType::UShort => Feature::TypeUShort,
            CType::Int => Feature::TypeInt,
            CType::UInt => Feature::TypeUInt,
            CType::Long => Feature::TypeLong,
            CType::ULong => Feature::TypeULong,
            CType::LLong => Feature::TypeLLong,
            CType::ULLong => Feature::TypeULLong,
            CType::Enum { .. } => Feature::TypeEnum,
        });
        if let CType::Enum { id, .. } = ty {
            return self.enums[usize::from(id)].spelling.clone();
        }
        let named: Vec<String> = self.typedefs.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n.clone()).collect();
        if !named.is_empty() && self.rng.chance(40) {
            self.mark(Feature::TypeTypedef);
            return self.rng.pick(&named).clone();
        }
        if !self.knobs.plain && self.rng.chance(15) {
            let s = *self.rng.pick(ty.spellings());
            if s != ty.keyword() {
                self.mark(Feature::TypeOddSpelling);
            }
            return s.to_string();
        }
        ty.keyword().to_string()
    }

    /// Declares a variable: from here on it is visible.
    pub(super) fn declare(&mut self, name: String, ty: CType, writable: bool, is_static: bool) -> VarId {
        let id = VarId(self.vars.len());
        self.vars.push(Var { name, ty, writable, is_static });
        self.scope.push(id);
        id
    }

    /// The visible variables that satisfy a condition; hidden ones and, in a pure function, statics are left out.
    pub(super) fn visible(&self, accept: impl Fn(&Var) -> bool) -> Vec<VarId> {
        let mut seen: Vec<&str> = self.cx.hidden.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        for &id in self.scope.iter().rev() {
            let var = &self.vars[id.0];
            if seen.contains(&var.name.as_str()) {
                continue;
            }
            seen.push(&var.name);
            if accept(var) && !(self.cx.pure_fn && var.is_static) {
                found.push(id);
            }
        }
        found
    }

    /// A new name for a local, or, now and then, the name of something visible, which it then hides.
    pub(super) fn local_name(&mut self) -> String {
        let block_start = self.cx.block_start;
        if self.rng.chance(12) {
            // Two declarations of one name in one block would be an error; parameters share the body's block.
            let taken: Vec<String> = self.scope[block_start..].iter().map(|v| self.vars[v.0].name.clone()).collect();
            let outer: Vec<String> = self
                .visible(|v| v.writable)
                .into_iter()
                .map(|v| self.vars[v.0].name.clone())
                .filter(|n| !taken.contains(n))
                .collect();
            if !outer.is_empty() {
                self.mark(Feature::Shadow);
                return self.rng.pick(&outer).clone();
            }
        }
        self.cx.locals += 1;
        format!("v{}", self.cx.locals)
    }
}

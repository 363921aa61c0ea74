//! Which declaration of which unit a name means: C's linkage rules over all units.
//!
//! External names are one entity across units: the definition if there is one (a strong one before a weak or inline one),
//! else a tentative definition, else the first declaration. Everything else is itself. Two strong definitions are an error
//! that names both places. `alias("f")` makes a function without body or a variable mean `f`, and so does a name for the
//! assembler (`__asm__("f")`): the linker knows no other. A function that is nowhere defined keeps its name in C, by which
//! the library is known.

use base::{Diagnostic, Span};
use cfront::tree::{Definition, FuncId, Function, Linkage, Unit, Var, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// An entity: the unit (by position) and its id there.
pub(crate) type Entity<I> = (u32, I);

/// The answer for every external name.
pub(crate) struct Link {
    funcs: FxHashMap<String, Entity<FuncId>>,
    vars: FxHashMap<String, Entity<VarId>>,
    defined: FxHashSet<String>,
}

/// How much a declaration has to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Incomplete,
    Declared,
    Tentative,
    Weak,
    Strong,
}

/// Joins the units.
pub(crate) fn link(units: &[Unit]) -> Result<Link, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let defined = defined_symbols(units);
    let mut funcs: FxHashMap<String, (Entity<FuncId>, Rank)> = FxHashMap::default();
    let mut vars: FxHashMap<String, (Entity<VarId>, Rank)> = FxHashMap::default();
    for (u, unit) in units.iter().enumerate() {
        for (id, f) in unit.funcs.iter_enumerated().filter(|(_, f)| f.linkage == Linkage::External) {
            let rank = match f.body {
                None => Rank::Declared,
                Some(_) if f.inline || f.attrs.weak => Rank::Weak,
                Some(_) => Rank::Strong,
            };
            enter(&mut funcs, symbol(unit, f, &defined), (u as u32, id), rank, f.span, &mut errors, |e| {
                units[e.0 as usize].funcs[e.1].span
            });
        }
        for (id, v) in unit.vars.iter_enumerated().filter(|(_, v)| v.linkage == Linkage::External) {
            let Some(name) = variable_symbol(unit, v) else { continue };
            let rank = match v.definition {
                Definition::Declared if !unit.types.is_complete(v.ty) => Rank::Incomplete,
                Definition::Declared => Rank::Declared,
                Definition::Tentative => Rank::Tentative,
                Definition::Defined if v.attrs.weak => Rank::Weak,
                Definition::Defined => Rank::Strong,
            };
            enter(&mut vars, name, (u as u32, id), rank, v.span, &mut errors, |e| units[e.0 as usize].vars[e.1].span);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let strip = |(name, (entity, _))| (name, entity);
    let mut funcs: FxHashMap<String, Entity<FuncId>> = funcs.into_iter().map(strip).collect();
    let vars = vars.into_iter().map(|(name, (entity, _))| (name, entity)).collect();
    resolve_aliases(units, &mut funcs);
    Ok(Link { funcs, vars, defined })
}

/// The names by which the linker knows the functions that have a body.
fn defined_symbols(units: &[Unit]) -> FxHashSet<String> {
    let all = units.iter().flat_map(|unit| unit.funcs.iter().map(move |f| (unit, f)));
    let with_body = all.filter(|(_, f)| f.body.is_some() && f.linkage == Linkage::External);
    with_body.map(|(unit, f)| f.attrs.asm_name.as_deref().unwrap_or(unit.name(f.name)).to_owned()).collect()
}

/// The name by which a function is looked for.
fn symbol<'u>(unit: &'u Unit, f: &'u Function, defined: &FxHashSet<String>) -> &'u str {
    f.attrs.asm_name.as_deref().filter(|&s| defined.contains(s)).unwrap_or(unit.name(f.name))
}

/// The name by which a variable is looked for.
fn variable_symbol<'u>(unit: &'u Unit, v: &'u Var) -> Option<&'u str> {
    v.attrs.asm_name.as_deref().or(v.name.map(|n| unit.name(n)))
}

fn enter<I: Copy>(
    table: &mut FxHashMap<String, (Entity<I>, Rank)>,
    name: &str,
    entity: Entity<I>,
    rank: Rank,
    span: Span,
    errors: &mut Vec<Diagnostic>,
    span_of: impl Fn(Entity<I>) -> Span,
) {
    let Some(old) = table.get_mut(name) else {
        table.insert(name.to_owned(), (entity, rank));
        return;
    };
    if rank == Rank::Strong && old.1 == Rank::Strong {
        let error = Diagnostic::error("duplicate", span, format!("`{name}` is defined twice"))
            .with_label("second definition")
            .with_note("first definition", Some(span_of(old.0)));
        errors.push(error);
    } else if rank > old.1 {
        *old = (entity, rank);
    }
}

fn resolve_aliases(units: &[Unit], funcs: &mut FxHashMap<String, Entity<FuncId>>) {
    for unit in units {
        for f in &unit.funcs {
            let (Some(target), None) = (&f.attrs.alias, f.body) else { continue };
            // One level only: gcc demands that the target is defined in the same unit.
            if f.linkage == Linkage::External
                && let Some(&entity) = funcs.get(&**target)
            {
                funcs.insert(unit.name(f.name).to_owned(), entity);
            }
        }
    }
}

impl Link {
    /// The function that `id` of unit `u` means.
    pub(crate) fn func(&self, units: &[Unit], u: u32, id: FuncId) -> Entity<FuncId> {
        let unit = &units[u as usize];
        let f = &unit.funcs[id];
        match f.linkage {
            Linkage::External => {
                let entity = self.funcs.get(symbol(unit, f, &self.defined)).copied().unwrap_or((u, id));
                let found = &units[entity.0 as usize].funcs[entity.1];
                match (&found.attrs.alias, found.body) {
                    // An alias of a static function.
                    (Some(target), None) => units[entity.0 as usize].function(target).map_or(entity, |t| (entity.0, t)),
                    _ => entity,
                }
            }
            Linkage::Internal | Linkage::None => match (&f.attrs.alias, f.body) {
                (Some(target), None) => {
                    // A `weakref` may mean a function that the unit does not declare.
                    let elsewhere = || self.funcs.get(&**target).copied();
                    unit.function(target).map(|t| (u, t)).or_else(elsewhere).map_or((u, id), |(v, t)| {
                        if units[v as usize].funcs[t].body.is_some() { (v, t) } else { self.declared(units, v, t) }
                    })
                }
                _ => (u, id),
            },
        }
    }

    /// The function with the external name of this one, whose definition may be in another unit.
    fn declared(&self, units: &[Unit], u: u32, id: FuncId) -> Entity<FuncId> {
        let f = &units[u as usize].funcs[id];
        let external = f.linkage == Linkage::External;
        self.funcs.get(units[u as usize].name(f.name)).copied().filter(|_| external).unwrap_or((u, id))
    }

    /// The variable that `id` of unit `u` means.
    pub(crate) fn var(&self, units: &[Unit], u: u32, id: VarId) -> Entity<VarId> {
        let unit = &units[u as usize];
        let v = &unit.vars[id];
        let entity = match (v.linkage, variable_symbol(unit, v)) {
            (Linkage::External, Some(name)) => self.vars.get(name).copied().unwrap_or((u, id)),
            _ => (u, id),
        };
        let found = &units[entity.0 as usize].vars[entity.1];
        let Some(target) = found.attrs.alias.as_deref().filter(|_| found.init.is_none()) else { return entity };
        // The target is defined in the unit of the alias, at file scope.
        let unit = &units[entity.0 as usize];
        let named = |v: &Var| v.name.is_some_and(|n| unit.name(n) == target) && v.owner.is_none();
        let real = unit.vars.iter_enumerated().find(|(_, v)| named(v) && v.attrs.alias.is_none());
        real.map_or(entity, |(t, _)| self.var(units, entity.0, t))
    }

    /// The function with this external name, or the first static one.
    pub(crate) fn entry(&self, units: &[Unit], name: &str) -> Option<Entity<FuncId>> {
        self.funcs
            .get(name)
            .copied()
            .or_else(|| units.iter().enumerate().find_map(|(u, unit)| unit.function(name).map(|id| (u as u32, id))))
    }
}

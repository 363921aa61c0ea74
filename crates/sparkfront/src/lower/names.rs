//! What is declared in packages, and what names mean.

use super::order::ordered;
use super::place::Path;
use super::types::{Kind, Sub};
use super::{Context, Default, R, State, Unitless, empty_function};
use crate::syntax::*;
use base::Diagnostic;
use ir::declared::{Field, Record, Type as DeclaredType, TypeId as DeclaredId};
use ir::{Exposure, Global, GlobalId, Init, Linkage, Var};
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    /// A type or subtype.
    Subtype(Sub),
    /// A value that is known.
    Value(Sub, i128),
    /// Values of enumerations with this name.
    Literals(Vec<(Sub, i128)>),
    /// A variable or constant.
    Object(Object),
    /// The subprogram with this index.
    Subprogram(usize),
    /// A package.
    Package,
    /// A parameter that is no scalar, seen from a subprogram inside of its own.
    Parameter,
    /// Part of an object: the element that a loop is at, or what a renaming names.
    Part(Box<Path>),
}

/// A variable or constant.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Where it is.
    pub(crate) home: Home,
    pub(crate) sub: Sub,
    /// It may be written.
    pub(crate) variable: bool,
    /// It always holds a value of its subtype.
    pub(crate) valid: bool,
}

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In this variable.
    Var(Var),
    /// Where this local points to.
    Behind(ir::LocalId),
}

/// The package of Ada's library that is known, with its dot.
const PREDEFINED: &str = "interfaces.";

/// The names of packages, in full.
#[derive(std::default::Default)]
pub(crate) struct Names {
    all: BTreeMap<String, Entity>,
}

impl Names {
    pub(crate) fn insert(&mut self, full: String, entity: Entity) {
        self.all.insert(full, entity);
    }

    pub(crate) fn get(&self, full: &str) -> Option<&Entity> {
        self.all.get(full)
    }

    /// Whether more than one declaration outside of subprograms has this last name.
    pub(crate) fn has_homonym(&self, last: &str) -> bool {
        let named = |full: &&String| full.rsplit_once('.').map_or(full.as_str(), |(_, l)| l) == last;
        self.all.keys().filter(named).nth(1).is_some()
    }

    /// What a name means inside of a package, with the innermost scope last. A name of another package is found
    /// without its package's name if only one has it.
    pub(crate) fn find<'s>(
        &'s self,
        name: &str,
        inside: Option<&str>,
        inner: &'s [BTreeMap<String, Entity>],
    ) -> Option<&'s Entity> {
        if let Some(found) = inner.iter().rev().find_map(|scope| scope.get(name)) {
            return Some(found);
        }
        let mut package = inside;
        while let Some(p) = package {
            if let Some(found) = self.all.get(&format!("{p}.{name}")) {
                return Some(found);
            }
            package = p.rfind('.').map(|i| &p[..i]);
        }
        if let Some(found) = self.all.get(name) {
            return Some(found);
        }
        let other = |full: &str, found: &Entity| {
            full.rsplit_once('.').is_some_and(|(_, last)| last == name) && !matches!(found, Entity::Parameter)
        };
        let own = |full: &str| !full.starts_with(PREDEFINED) && !self.is_hidden(full, inside);
        let mut others = self.all.iter().filter(|(full, found)| other(full, found) && own(full));
        match (others.next(), others.next()) {
            (Some((_, found)), None) => Some(found),
            (None, _) => self.all.get(&format!("{PREDEFINED}{name}")),
            _ => None,
        }
    }

    /// Whether a name belongs to a subprogram that a place is not inside of.
    fn is_hidden(&self, full: &str, inside: Option<&str>) -> bool {
        full.match_indices('.').any(|(i, _)| {
            let of = &full[..i];
            let here =
                inside.and_then(|p| p.strip_prefix(of)).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            !here && matches!(self.all.get(of), Some(Entity::Subprogram(_)))
        })
    }
}

/// Packages in the order in which they get their values: after those that they, or their specifications, are `with`, and after their
/// parents; otherwise as they stand in the text.
fn elaborated<'a>(packages: &[&'a Package], specs: &[&'a Package]) -> Vec<&'a Package> {
    fn visit<'a>(
        at: usize,
        packages: &[&'a Package],
        specs: &[&'a Package],
        seen: &mut [bool],
        out: &mut Vec<&'a Package>,
    ) {
        if std::mem::replace(&mut seen[at], true) {
            return;
        }
        let package = packages[at];
        let spec = specs.iter().filter(|s| s.name.text == package.name.text).flat_map(|s| &s.withs);
        let parent = package.name.text.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        let before: Vec<&String> = package.withs.iter().chain(spec).chain(&parent).collect();
        for (i, _) in packages.iter().enumerate().filter(|(_, p)| before.iter().any(|b| **b == p.name.text)) {
            visit(i, packages, specs, seen, out);
        }
        out.push(package);
    }
    let mut out = Vec::new();
    let mut seen = vec![false; packages.len()];
    (0..packages.len()).for_each(|i| visit(i, packages, specs, &mut seen, &mut out));
    out
}

impl<'a> Context<'a> {
    pub(super) fn predefine(&mut self) {
        let integer = self.types.integer;
        let mut put = |name: &str, sub| self.names.insert(name.to_owned(), Entity::Subtype(sub));
        put("boolean", self.types.boolean);
        put("integer", integer);
        put("natural", Sub { low: 0, ..integer });
        put("positive", Sub { low: 1, ..integer });
        for (name, width) in
            [("short_short_integer", 8), ("short_integer", 16), ("long_integer", 64), ("long_long_integer", 64)]
        {
            let name = Name { text: name.to_owned(), span: nowhere() };
            let sub = self.types.signed(&name, -(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
            put(&name.text, sub.expect("these types exist"));
        }
        put_characters(&mut self.names, &self.types);
        for width in [8u32, 16, 32, 64] {
            let name = Name { text: format!("unsigned_{width}"), span: nowhere() };
            let unsigned = self.types.modular(&name, 1i128 << width).expect("these types exist");
            self.names.insert(format!("{PREDEFINED}{}", name.text), Entity::Subtype(unsigned));
            let name = Name { text: format!("integer_{width}"), span: nowhere() };
            let least = -(1i128 << (width - 1));
            let signed = self.types.signed(&name, least, -least - 1).expect("these types exist");
            self.names.insert(format!("{PREDEFINED}{}", name.text), Entity::Subtype(signed));
        }
        for (value, name) in ["false", "true"].into_iter().enumerate() {
            self.names.insert(name.to_owned(), Entity::Literals(vec![(self.types.boolean, value as i128)]));
        }
    }

    /// Declares everything of all units, specifications before bodies. Gives back the statements with which packages
    /// begin, with their packages.
    pub(super) fn declare_units(&mut self, units: &'a [Unit]) -> R<Vec<(String, &'a [Stmt])>> {
        let mut statements = Vec::new();
        let specs = units.iter().filter_map(|u| if let Unit::Spec(p) = u { Some(p) } else { None }).collect::<Vec<_>>();
        let bodies =
            units.iter().filter_map(|u| if let Unit::Body(p) = u { Some(p) } else { None }).collect::<Vec<_>>();
        for package in elaborated(&specs, &specs) {
            self.names.insert(package.name.text.clone(), Entity::Package);
            self.no_late_homonym(package, &package.name.text)?;
            self.items(&ordered(package), Some(&package.name.text))?;
        }
        for package in elaborated(&bodies, &specs) {
            self.names.insert(package.name.text.clone(), Entity::Package);
            self.items(&ordered(package), Some(&package.name.text))?;
            statements.push((package.name.text.clone(), &package.statements[..]));
        }
        for unit in units {
            if let Unit::Subprogram(s) = unit {
                self.declare_subprogram(s, None)?;
            }
        }
        Ok(statements)
    }

    /// What a subprogram declares is like what a package declares, if it has subprograms in it: they see it, and nobody calls the
    /// outer one again ([`super::alias`] looks). So are its scalar parameters.
    fn nested(&mut self, index: usize, s: &'a Subprogram) -> R<()> {
        let Some(Body::Statements(items, _)) = &s.body else { return Ok(()) };
        if !has_nested(items) {
            return Ok(());
        }
        if self.is_template(index) {
            let message = "subprograms inside of one with an array parameter without bounds are not supported";
            return Err(Diagnostic::error("unsupported", s.name.span, message));
        }
        let full = self.subprograms[index].full.clone();
        self.outers.push((base::Id::from_index(index), s.name.span));
        for (p, (_, mode, sub)) in s.params.iter().zip(self.subprograms[index].params.clone()) {
            if !self.types.is_composite(sub.ty) {
                let name = format!("{full}.{}", p.name.text);
                let home = Home::Var(Var::Global(self.global(&name, sub, &p.name)));
                let object = Object { home, sub, variable: mode != Mode::In, valid: mode != Mode::Out };
                self.names.insert(name, Entity::Object(object));
            }
        }
        let items: Vec<&Item> = items.iter().collect();
        self.items(&items, Some(&full))
    }

    /// Whether a place among declarations is inside of a subprogram.
    pub(super) fn in_subprogram(&self, package: Option<&str>) -> bool {
        let mut at = package;
        while let Some(path) = at {
            if matches!(self.names.get(path), Some(Entity::Subprogram(_))) {
                return true;
            }
            at = path.rfind('.').map(|i| &path[..i]);
        }
        false
    }

    fn items(&mut self, items: &[&'a Item], package: Option<&str>) -> R<()> {
        for &item in items {
            let full = |name: &Name| package.map_or(name.text.clone(), |p| format!("{p}.{}", name.text));
            match item {
                Item::Type(name, def) => self.declare_type(name, def, package, &full(name))?,
                Item::Number(name, value) => {
                    let value = self.static_value(value, package, &[])?;
                    self.names.insert(full(name), Entity::Value(self.types.universal, value));
                }
                Item::Object(object) => {
                    let sub = self.subtype(&object.ty, package, &[])?;
                    let value = object.value.as_ref();
                    let sub = self.with_bounds(sub, value, object.ty.name.span, package, &[])?;
                    for name in &object.names {
                        self.declare_object(name, object, sub, package, full(name));
                    }
                }
                Item::Package(p) => {
                    if let Some(first) = p.statements.first() {
                        let message = "statements of a package that stands inside of something are not supported";
                        return Err(Diagnostic::error("unsupported", first.span, message));
                    }
                    let full = full(&p.name);
                    self.names.insert(full.clone(), Entity::Package);
                    self.no_late_homonym(p, &full)?;
                    self.items(&ordered(p), Some(&full))?;
                }
                Item::Renaming(name, ..) => {
                    let message = "a renaming in a package, or beside subprograms, is not in the subset of SPARK that is supported";
                    return Err(Diagnostic::error("unsupported", name.span, message));
                }
                Item::Subprogram(s) => self.declare_subprogram(s, package)?,
                Item::Predicate(e) => {
                    let (expr, span) = (self.predicate(e, package)?, e.span);
                    self.predicates.push(super::PredicateNote { function: None, expr, span });
                }
            }
        }
        Ok(())
    }

    fn declare_object(&mut self, name: &Name, object: &'a Object_, sub: Sub, package: Option<&str>, full: String) {
        let constant = object.constant;
        if constant
            && let Some(value) = &object.value
            && !self.types.is_composite(sub.ty)
            && let Ok(known) = self.static_value(value, package, &[])
            && (sub.low..=sub.high).contains(&known)
        {
            self.names.insert(full, Entity::Value(sub, known));
            return;
        }
        let global = self.global(&full, sub, name);
        self.globals[global].constant = false;
        let valid = object.value.is_some() || !self.types.is_composite(sub.ty);
        let home = Home::Var(Var::Global(global));
        self.names.insert(
            full,
            Entity::Object(Object { home, sub, variable: !constant, valid: valid && object.value.is_some() }),
        );
        let package = package.map(str::to_owned);
        self.state.push(State { global, sub, constant, value: object.value.as_ref(), package, span: name.span });
    }

    /// A global variable of this type.
    pub(super) fn global(&mut self, full: &str, sub: Sub, name: &Name) -> GlobalId {
        let shown = self.declared_type(sub);
        self.declared.globals.insert(full.to_owned(), shown);
        self.globals.push(Global {
            name: full.to_owned(),
            shape: self.types.shape(sub.ty),
            init: Init::Zero,
            linkage: Linkage::Internal,
            exposure: Exposure::Hidden,
            constant: false,
            span: name.span,
        })
    }

    /// The type as people see it.
    pub(super) fn declared_type(&mut self, sub: Sub) -> DeclaredId {
        let shown = match self.types.kind(sub.ty).clone() {
            Kind::Array { dims, elem, .. } => {
                let mut inner = self.declared_type(elem);
                for d in dims.iter().skip(1).rev() {
                    let n = (d.high - d.low + 1).max(0) as u64;
                    inner = self.declared.types.push(DeclaredType::Array(inner, Some(n)));
                }
                let n = dims.first().map_or(0, |d| (d.high - d.low + 1).max(0) as u64);
                DeclaredType::Array(inner, Some(n))
            }
            Kind::Record { fields } => {
                let fields = fields
                    .into_iter()
                    .map(|(name, sub, offset)| Field {
                        name: Some(name),
                        offset,
                        ty: self.declared_type(sub),
                        bits: None,
                    })
                    .collect();
                let size = Some(self.types.get(sub.ty).size);
                DeclaredType::Record(Record { name: None, size, fields })
            }
            _ => DeclaredType::Scalar(self.types.scalar(sub.ty)),
        };
        self.declared.types.push(shown)
    }

    fn declare_subprogram(&mut self, s: &'a Subprogram, package: Option<&str>) -> R<()> {
        let full = package.map_or(s.name.text.clone(), |p| format!("{p}.{}", s.name.text));
        if let Some(Entity::Subprogram(i)) = self.names.get(&full) {
            let known = &mut self.subprograms[*i];
            if known.body.is_some() || s.body.is_none() {
                let message = format!("`{}` is declared twice (overloading is not supported)", s.name.text);
                return Err(Diagnostic::error("declared-twice", s.name.span, message));
            }
            known.body = Some(s);
            let i = *i;
            return self.nested(i, s);
        }
        let mut params = Vec::new();
        for p in &s.params {
            params.push((p.name.text.clone(), p.mode, self.subtype_named(&p.ty, package, &[])?));
        }
        if s.result.is_some()
            && let Some(p) = s.params.iter().find(|p| p.mode != Mode::In)
        {
            return Err(Diagnostic::error("side-effect", p.name.span, "a function's parameters are all `in`"));
        }
        let result = s.result.as_ref().map(|r| self.subtype_named(r, package, &[])).transpose()?;
        if let (Some(sub), Some(name)) = (result, &s.result)
            && self.types.is_unconstrained(sub.ty)
        {
            let message = "functions that return arrays of a type without bounds are not supported";
            return Err(Diagnostic::error("unsupported", name.span, message));
        }
        let template = params.iter().any(|(_, _, sub)| self.types.is_unconstrained(sub.ty));
        let slots = params
            .iter()
            .zip(&s.params)
            .map(|((name, mode, sub), p)| {
                let out = *mode != Mode::In && !self.types.is_composite(sub.ty) && !template;
                out.then(|| self.global(&format!("{full}.{name}'out"), *sub, &p.name))
            })
            .collect();
        self.names.insert(full.clone(), Entity::Subprogram(self.subprograms.len()));
        for p in &s.params {
            self.names.insert(format!("{full}.{}", p.name.text), Entity::Parameter);
        }
        let body = s.body.is_some().then_some(s);
        let package = package.map(str::to_owned);
        let name = full.clone();
        self.functions.push(empty_function(full.clone(), s.name.span));
        self.subprograms.push(Unitless { full, name, package, spec: s, body, params, result, slots });
        if body.is_some() { self.nested(self.subprograms.len() - 1, s) } else { Ok(()) }
    }

    pub(super) fn declare_type(&mut self, name: &Name, def: &TypeDef, package: Option<&str>, full: &str) -> R<()> {
        let sub = self.type_definition(name, def, package, &[])?;
        if let TypeDef::Enumeration(values) = def {
            for (i, value) in values.iter().enumerate() {
                let full = package.map_or(value.text.clone(), |p| format!("{p}.{}", value.text));
                self.add_literal(full, sub, i as i128);
            }
        }
        self.names.insert(full.to_owned(), Entity::Subtype(sub));
        Ok(())
    }

    fn add_literal(&mut self, full: String, sub: Sub, value: i128) {
        let mut all = match self.names.get(&full) {
            Some(Entity::Literals(known)) => known.clone(),
            _ => Vec::new(),
        };
        all.push((sub, value));
        self.names.insert(full, Entity::Literals(all));
    }

    pub(super) fn type_definition(
        &mut self,
        name: &Name,
        def: &TypeDef,
        package: Option<&str>,
        inner: &[BTreeMap<String, Entity>],
    ) -> R<Sub> {
        Ok(match def {
            TypeDef::Subtype(s) => self.subtype(s, package, inner)?,
            TypeDef::Derived(s) => {
                let from = self.subtype(s, package, inner)?;
                if self.types.is_composite(from.ty) {
                    let message = "types derived from composite types are not in the subset of SPARK that is supported";
                    return Err(Diagnostic::error("unsupported", name.span, message));
                }
                self.types.derived(name, from)
            }
            TypeDef::Range(low, high) => {
                let (low, high) = (self.static_value(low, package, inner)?, self.static_value(high, package, inner)?);
                self.types.signed(name, low, high)?
            }
            TypeDef::Modular(n) => {
                let modulus = self.static_value(n, package, inner)?;
                self.types.modular(name, modulus)?
            }
            TypeDef::Enumeration(values) => {
                self.types.enumeration(name, values.iter().map(|v| v.text.clone()).collect())
            }
            TypeDef::Array(dims, elem) => {
                let dims = dims.iter().map(|d| self.static_indices(d, package, inner)).collect::<R<Vec<Sub>>>()?;
                let elem = self.subtype(elem, package, inner)?;
                self.no_open_bounds(elem, name)?;
                self.types.array(name, dims, elem)?
            }
            TypeDef::Unconstrained(index, elem) => {
                let (index, elem) = (self.subtype_named(index, package, inner)?, self.subtype(elem, package, inner)?);
                self.no_open_bounds(elem, name)?;
                Sub { ty: self.types.unconstrained(name, index, elem), low: 0, high: 0 }
            }
            TypeDef::Record(fields) => {
                let mut out: Vec<(String, Sub)> = Vec::new();
                for (field, ty, _) in fields {
                    let sub = self.subtype(ty, package, inner)?;
                    self.no_open_bounds(sub, &ty.name)?;
                    out.push((field.text.clone(), sub));
                }
                let sub = self.types.record(name, out)?;
                for (i, (.., value)) in fields.iter().enumerate() {
                    if let Some(value) = value.clone() {
                        let (package, scopes) = (package.map(str::to_owned), inner.to_vec());
                        self.defaults.insert((sub.ty, i), Default { value, package, scopes });
                    }
                }
                sub
            }
        })
    }

    /// Parts of objects are as large as their types say.
    fn no_open_bounds(&self, sub: Sub, name: &Name) -> R<()> {
        if !self.types.is_unconstrained(sub.ty) {
            return Ok(());
        }
        Err(super::types::mismatch(name.span, "the type of a part of an object needs bounds"))
    }

    pub(super) fn subtype(&mut self, s: &Subtype, package: Option<&str>, inner: &[BTreeMap<String, Entity>]) -> R<Sub> {
        let of = self.subtype_named(&s.name, package, inner)?;
        if let Some(index) = &s.index {
            let bounds = self.static_indices(index, package, inner)?;
            if !self.types.is_unconstrained(of.ty) {
                return Err(super::types::mismatch(s.name.span, "bounds are for an array type that leaves them open"));
            }
            return self.types.constrain(of.ty, bounds.low, bounds.high, s.name.span);
        }
        let Some((low, high)) = &s.range else { return Ok(of) };
        let hint = Some(of.ty);
        let low = self.static_typed(low, hint, package, inner)?;
        let high = self.static_typed(high, hint, package, inner)?;
        if low <= high && (low < of.low || high > of.high) {
            return Err(Diagnostic::error("range", s.name.span, "the range leaves that of its type"));
        }
        Ok(Sub { low, high, ..of })
    }

    /// The index subtype of an array's dimension.
    fn static_indices(&mut self, i: &Indices, package: Option<&str>, inner: &[BTreeMap<String, Entity>]) -> R<Sub> {
        match i {
            Indices::Subtype(s) => self.subtype(s, package, inner),
            Indices::Range(low, high) => {
                let hint = self.static_hint(low, package, inner).or_else(|| self.static_hint(high, package, inner));
                let ty = hint.unwrap_or(self.types.integer.ty);
                let low = self.static_typed(low, Some(ty), package, inner)?;
                let high = self.static_typed(high, Some(ty), package, inner)?;
                Ok(Sub { ty, low, high })
            }
            Indices::Of(e, _) | Indices::Elements(e) => {
                Err(Diagnostic::error("unsupported", e.span, "`'Range` as the index of an array type is not supported"))
            }
        }
    }
}

/// Whether there are subprograms among these declarations, themselves or in packages.
pub(super) fn has_nested(items: &[Item]) -> bool {
    items.iter().any(|i| matches!(i, Item::Subprogram(_) | Item::Package(_)))
}

/// The characters of Latin-1, and strings of them.
fn put_characters(names: &mut Names, types: &super::types::Types) {
    let character = types.character;
    names.insert("character".to_owned(), Entity::Subtype(character));
    names.insert("string".to_owned(), Entity::Subtype(Sub { ty: types.string, low: 0, high: 0 }));
    for c in 0..=u8::MAX {
        let literal = Entity::Literals(vec![(character, i128::from(c))]);
        names.insert(crate::parser::character(char::from(c)), literal);
    }
}

type Object_ = crate::syntax::Object;

fn nowhere() -> base::Span {
    base::Span::new(base::Id::from_index(0), 0, 0)
}

//! In which order a package's declarations become known. A private type is declared where it is private and defined later, and what
//! stands between uses it; so types, numbers and the constants that need nothing else come first.

use super::condition::children;
use super::{Context, R};
use crate::syntax::*;
use base::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// The declarations of a package as they become known.
pub(super) fn ordered(package: &Package) -> Vec<&Item> {
    if package.private.is_none() || package.partial.is_empty() {
        return package.items.iter().collect();
    }
    let early = early(&package.items);
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for &i in &early {
        by_name.extend(declared(&package.items[i]).into_iter().map(|name| (name, i)));
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for &i in &early {
        visit(i, &package.items, &by_name, &mut seen, &mut order);
    }
    order.extend((0..package.items.len()).filter(|i| !early.contains(i)));
    order.into_iter().map(|i| &package.items[i]).collect()
}

fn visit(at: usize, items: &[Item], by_name: &BTreeMap<&str, usize>, seen: &mut BTreeSet<usize>, out: &mut Vec<usize>) {
    if !seen.insert(at) {
        return;
    }
    for used in mentioned(&items[at]).iter().filter_map(|name| by_name.get(name.as_str())) {
        visit(*used, items, by_name, seen, out);
    }
    out.push(at);
}

/// Types and numbers, and constants that depend on no variable and no subprogram of the package.
fn early(items: &[Item]) -> BTreeSet<usize> {
    let is_type = |i: &Item| matches!(i, Item::Type(..) | Item::Number(..));
    let mut early: BTreeSet<usize> = (0..items.len()).filter(|&i| is_type(&items[i])).collect();
    loop {
        let late: BTreeSet<&str> =
            (0..items.len()).filter(|i| !early.contains(i)).flat_map(|i| declared(&items[i])).collect();
        let next = (0..items.len()).find(|i| {
            let constant = matches!(&items[*i], Item::Object(o) if o.constant);
            constant && !early.contains(i) && !mentioned(&items[*i]).iter().any(|name| late.contains(name.as_str()))
        });
        match next {
            Some(i) => early.insert(i),
            None => return early,
        };
    }
}

/// The names that an item declares.
fn declared(item: &Item) -> Vec<&str> {
    match item {
        Item::Type(name, TypeDef::Enumeration(values)) => {
            std::iter::once(name).chain(values).map(|n| n.text.as_str()).collect()
        }
        Item::Type(name, _) | Item::Number(name, _) | Item::Renaming(name, ..) => vec![&name.text],
        Item::Object(o) => o.names.iter().map(|n| n.text.as_str()).collect(),
        Item::Subprogram(s) => vec![&s.name.text],
        Item::Package(p) => vec![&p.name.text],
        Item::Predicate(_) => Vec::new(),
    }
}

/// The words of the names by which a type or a constant refers to something.
fn mentioned(item: &Item) -> BTreeSet<String> {
    let mut out = Mentioned(BTreeSet::new());
    match item {
        Item::Type(_, def) => match def {
            TypeDef::Subtype(s) | TypeDef::Derived(s) => out.subtype(s),
            TypeDef::Range(a, b) => [a, b].into_iter().for_each(|e| out.expr(e)),
            TypeDef::Modular(n) => out.expr(n),
            TypeDef::Enumeration(_) => {}
            TypeDef::Array(dims, elem) => {
                dims.iter().for_each(|d| out.indices(d));
                out.subtype(elem);
            }
            TypeDef::Unconstrained(index, elem) => {
                out.name(&index.text);
                out.subtype(elem);
            }
            // What components begin with is looked at when there is an object.
            TypeDef::Record(fields) => fields.iter().for_each(|(_, s, _)| out.subtype(s)),
        },
        Item::Number(_, e) => out.expr(e),
        Item::Object(o) => {
            out.subtype(&o.ty);
            o.value.iter().for_each(|e| out.expr(e));
        }
        _ => {}
    }
    out.0
}

struct Mentioned(BTreeSet<String>);

impl Mentioned {
    fn name(&mut self, text: &str) {
        self.0.extend(text.split('.').map(str::to_owned));
    }

    fn subtype(&mut self, s: &Subtype) {
        self.name(&s.name.text);
        if let Some((a, b)) = &s.range {
            self.expr(a);
            self.expr(b);
        }
        s.index.iter().for_each(|i| self.indices(i));
    }

    fn indices(&mut self, i: &Indices) {
        match i {
            Indices::Range(a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            Indices::Subtype(s) => self.subtype(s),
            Indices::Of(e, _) | Indices::Elements(e) => self.expr(e),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Select(_, name) => self.name(&name.text),
            _ => {}
        }
        children(e, &mut |child| self.expr(child));
    }
}

impl Context<'_> {
    /// Where the visible part of a package uses a name of something else, and the private part declares that name too, the order
    /// of the text decides which is meant, and the order here is another: such packages are refused.
    pub(super) fn no_late_homonym(&self, package: &Package, full: &str) -> R<()> {
        let Some((from, visible)) = package.private.filter(|_| !package.partial.is_empty()) else { return Ok(()) };
        let text = &self.map.file(visible.file).text[visible.lo as usize..visible.hi as usize];
        let words: BTreeSet<String> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_lowercase).collect();
        let (before, after) = package.items.split_at(from);
        let known: Vec<&str> = before.iter().flat_map(declared).collect();
        for item in after.iter().filter(|i| !matches!(i, Item::Subprogram(_))) {
            for name in declared(item) {
                let completes = package.partial.iter().any(|p| p.text == name);
                if !completes
                    && !known.contains(&name)
                    && words.contains(name)
                    && self.names.find(name, Some(full), &[]).is_some()
                {
                    let message = format!(
                        "`{name}` is used in the visible part and declared in the private part, and something else has this name: this \
                         is not supported"
                    );
                    return Err(Diagnostic::error("undeclared", package.name.span, message));
                }
            }
        }
        Ok(())
    }
}

//! Predicate files: what becomes of the conditions that a user wrote, and how predicates are written so that they read back.
//!
//! Text is read by `lower::annotation`; here conditions are brought into their canonical form, and those that say nothing
//! or have no formula are sorted out.
//!
//! Reasons of refusal: `address`, `memory`; the warning `constant`.

#[cfg(test)]
mod tests;

use analysis::Analysis;
use base::{Diagnostic, Span};
use ir::annotation::Annotations;
use ir::cfg::AddressTaken;
use ir::walk::{Visitor, mentions_object_predicate, walk_expr};
use ir::{Base, Expr, ExprKind, FuncId, Place, Program, Shape, Var, as_c};
use std::cell::OnceCell;
use vc::{Predicate, Predicates, Scope, canonical};

/// What a predicate file says.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The predicates in canonical form, each once, in order.
    pub predicates: Vec<Predicate>,
    /// Those that are the opposite of what stands in the file, which comes with them.
    pub opposites: Vec<(Predicate, Expr)>,
    /// What is wrong with the file: errors for predicates that cannot be used, warnings for those that say nothing.
    pub diagnostics: Vec<Diagnostic>,
}

/// Conditions as predicates.
pub fn predicates(program: &Program, written: Annotations) -> Parsed {
    let mut parsed = Parsed { diagnostics: written.diagnostics, ..Parsed::default() };
    let analysis = OnceCell::new();
    let known = || analysis.get_or_init(|| Analysis::new(program));
    for a in written.conditions {
        let scope = a.scope.map_or(Scope::Global, Scope::Function);
        match admitted(program, &known, scope, &a.condition, a.span) {
            Ok(p) if parsed.predicates.contains(&p) => {}
            Ok(p) => {
                if !canonical(&a.condition).1 {
                    parsed.opposites.push((p.clone(), a.condition));
                }
                parsed.predicates.push(p);
            }
            Err(d) => parsed.diagnostics.push(*d),
        }
    }
    parsed.diagnostics.sort_by_key(|d| d.span.map(|s| s.lo));
    parsed
}

/// A condition as a predicate. What is `known` of the program is asked for only if the condition speaks about memory.
fn admitted<'a>(
    program: &Program,
    known: &impl Fn() -> &'a Analysis<'a>,
    scope: Scope,
    condition: &Expr,
    span: Span,
) -> Result<Predicate, Box<Diagnostic>> {
    let (expr, sign) = canonical(condition);
    if expr.as_const().is_some() {
        let message = format!("the predicate is always {sign}");
        return Err(Box::new(Diagnostic::warning("constant", span, message)));
    }
    let func = match scope {
        Scope::Global => program.entry,
        Scope::Function(f) => f,
    };
    let mut memory = Memory { program, func, any: false, addressed: Vec::new() };
    walk_expr(condition, &mut memory);
    if !memory.any {
        return Ok(Predicate { scope, expr });
    }
    let taken = AddressTaken::new(program);
    let has_address = |v: Var| scope == Scope::Global || taken.in_memory(program, func, v);
    if let Some(&var) = memory.addressed.iter().find(|&&v| !has_address(v)) {
        let name = program.var_name(func, var);
        let message = format!("the program does not take the address of `{name}`: no pointer equals it");
        return Err(Box::new(Diagnostic::error("address", span, message)));
    }
    // A predicate may only speak of memory that the program itself accesses.
    let mut enc = vc::Encoder::for_proof(known());
    let state = enc.arbitrary(func);
    match enc.eval(&state, &expr) {
        Ok(_) => Ok(Predicate { scope, expr }),
        Err(what) => {
            let message = format!("the predicate has no meaning in formulas: {}", what.0);
            Err(Box::new(Diagnostic::error("memory", span, message)))
        }
    }
}

/// Which memory a condition speaks about.
struct Memory<'a> {
    program: &'a Program,
    func: FuncId,
    /// Some that is no variable.
    any: bool,
    /// Scalar variables of which it uses the address.
    addressed: Vec<Var>,
}

impl Memory<'_> {
    fn address(&mut self, base: &Base) {
        self.any = true;
        if let Base::Var(v) = base
            && let Shape::Scalar(_) = self.program.shape(self.func, *v)
        {
            self.addressed.push(*v);
        }
    }
}

impl Visitor for Memory<'_> {
    fn read(&mut self, place: &Place) {
        let whole = place.as_var().is_some_and(|v| self.program.shape(self.func, v).scalar() == Some(place.ty));
        if !whole {
            self.address(&place.addr.base);
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Addr(addr) = &e.kind {
            self.address(&addr.base);
        }
    }
}

/// The predicates as a file that reads back.
pub fn print(program: &Program, predicates: &Predicates) -> String {
    let mut out = String::new();
    let scopes = std::iter::once(Scope::Global).chain(program.functions.ids().map(Scope::Function));
    for scope in scopes {
        let own: Vec<&Predicate> = predicates.ids().map(|id| predicates.get(id)).filter(|p| p.scope == scope).collect();
        if own.is_empty() {
            continue;
        }
        let (head, func) = match scope {
            Scope::Global => ("global".to_owned(), program.entry),
            Scope::Function(f) => (as_c::show_name(&program.functions[f].name), f),
        };
        out.push_str(&format!("{head}:\n"));
        for p in own {
            // A global predicate sees no locals that could hide a global: `@` is not needed, and allowed.
            // An object predicate has no spelling in C: a comment, so that the rest reads back.
            let comment = if mentions_object_predicate(&p.expr) { "// " } else { "" };
            out.push_str(&format!("  {comment}{}\n", as_c::show(program, func, &p.expr)));
        }
    }
    out
}

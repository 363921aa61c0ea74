//! A proof as a witness: what holds at the heads of loops, as C. What C cannot say - values at entry, variables that the program
//! does not name, or that another one of the same name hides - is left out, which makes a condition weaker and never wrong.
//! [`with_contracts`] says more, in the words of format version 2.1: values at entry, and what each function requires and ensures.

use super::keywords;
use super::places;
use super::scope::{Scope, with_source_names};
use crate::front::Front;
use analysis::Analysis;
use certify::FunctionProof;
use ir::cfg::Graph;
use ir::walk::variables;
use ir::{Expr, Loc, Var};
use report::formula::{Report, ShownInvariant, View, read_now, shown_invariant};
use report::proof::{Point, visible};
use svcomp::witness::{Invariant, InvariantKind};

/// What may be said at a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// What names mean there.
    Here,
    /// What they mean at every loop of the function. It is less, and may be inductive where more is not: what one loop says of a variable that is
    /// hidden at another one cannot be passed on there.
    Everywhere,
    /// What names mean there, and values at entry.
    SinceEntry,
}

/// What holds at loops.
pub(super) fn invariants(
    front: &Front,
    analysis: &Analysis<'_>,
    functions: &[FunctionProof],
    said: Said,
) -> Vec<Invariant> {
    let report = Report::for_machines(analysis);
    let mut out = Vec::new();
    for proof in functions {
        at_loops(front, &report, proof, said, &mut out);
    }
    out
}

/// What holds at loops, what functions require and what they ensure, with values at entry. A function that is not named requires and
/// ensures nothing.
pub(super) fn with_contracts(front: &Front, analysis: &Analysis<'_>, functions: &[FunctionProof]) -> Vec<Invariant> {
    let report = Report::for_machines(analysis);
    let mut out = Vec::new();
    for &func in &analysis.cut_points().functions {
        let body = front.program.body(func);
        let span = front.program.functions[func].span;
        let place = places::start(front, func, span);
        let scope = Scope::at(front, func, span);
        let result = front.program.functions[func].ret.map(Var::Local);
        let proof = functions.iter().find(|f| f.func == func);
        for (kind, loc) in [(InvariantKind::Requires, body.entry), (InvariantKind::Ensures, body.exit)] {
            let at_entry = kind == InvariantKind::Requires;
            let now = |v: Var| matches!(v, Var::Global(_)) || at_entry || Some(v) == result;
            let named = |e: &Expr| {
                variables(e).into_iter().all(|v| scope.names(v) || Some(v) == result)
                    && read_now(e).into_iter().all(now)
            };
            let view = View { visible: &named, at_entry, at_exit: !at_entry, given: None };
            // A proof claims that what it does not speak of is never reached.
            let value = match proof.and_then(|p| Some((p, *p.invariants.get(&loc)?))) {
                Some((proof, node)) => condition(&shown_invariant(&report, proof, node, &view), true),
                None => Some("0".to_string()),
            };
            out.extend(value.map(|value| Invariant { kind, place: place.clone(), value }));
        }
        if let Some(proof) = proof {
            at_loops(front, &report, proof, Said::SinceEntry, &mut out);
        }
    }
    out
}

/// What holds at the loops of a function.
fn at_loops(front: &Front, report: &Report<'_>, proof: &FunctionProof, said: Said, out: &mut Vec<Invariant>) {
    let body = front.program.body(proof.func);
    let graph = Graph::new(body);
    let is_loop = |l: Loc| l != body.entry && l != body.exit && graph.loop_heads[l];
    let scope_at = |l: Loc| Scope::at(front, proof.func, places::head(body, l));
    let everywhere: Vec<Scope<'_>> = match said {
        Said::Everywhere => proof.invariants.keys().filter(|l| is_loop(**l)).map(|l| scope_at(*l)).collect(),
        Said::Here | Said::SinceEntry => Vec::new(),
    };
    let entry_values = said == Said::SinceEntry;
    for (&loc, &node) in proof.invariants.iter().filter(|(l, _)| is_loop(**l)) {
        let visible = visible(report, proof.func, &Point::Loop);
        let scope = scope_at(loc);
        let names = |v: Var| scope.names(v) && everywhere.iter().all(|s| s.names(v));
        let named = |e: &Expr| (entry_values || visible(e)) && variables(e).into_iter().all(names);
        let view = View { visible: &named, at_entry: false, at_exit: false, given: None };
        // A loop of which nothing needs to be known is said to be one: who checks the proof cuts there.
        let value = condition(&shown_invariant(report, proof, node, &view), entry_values);
        let value = value.unwrap_or_else(|| "1".to_string());
        let (kind, place) = match places::keyword(front, proof.func, body, loc) {
            Some(place) => (InvariantKind::Loop, place),
            None => (InvariantKind::Location, places::start(front, proof.func, body.locations[loc].span)),
        };
        // Several activations of a function: one of the conditions holds.
        match out.iter_mut().find(|i: &&mut Invariant| i.place == place && i.kind == kind) {
            None => out.push(Invariant { kind, place, value }),
            Some(same) if same.value == value => {}
            Some(same) => same.value = format!("({}) || ({value})", same.value),
        }
    }
}

/// The invariant as a C expression, with the words for values at entry and results if these may be said; none if it says nothing.
fn condition(shown: &ShownInvariant, keywords: bool) -> Option<String> {
    let ShownInvariant::Cubes(cubes) = shown else { return None };
    let mut out = Vec::new();
    for cube in cubes {
        let said = cube.iter().map(|l| with_source_names(l)).map(|l| if keywords { keywords::written(&l) } else { l });
        let said = said.filter(|l| is_c(l));
        let said: Vec<String> = said.map(|l| format!("({l})")).collect();
        if said.is_empty() {
            return None;
        }
        out.push(if said.len() == 1 || cubes.len() == 1 {
            said.join(" && ")
        } else {
            format!("({})", said.join(" && "))
        });
    }
    Some(if out.is_empty() { "0".to_string() } else { out.join(" || ") })
}

/// Whether a comparison is one that every reader of C understands, and that has a value whatever the variables hold: without values at entry
/// and the program's own names.
fn is_c(literal: &str) -> bool {
    let b = literal.as_bytes();
    let dotted = b.windows(2).any(|w| w[0] == b'.' && w[1].is_ascii_digit());
    let foreign = ["'", "$", "@", "`", "__builtin"].iter().any(|s| literal.contains(s));
    // By what is not a number C does not divide or shift for all values.
    let partial = [" / ", " % ", " << ", " >> "].iter().any(|op| {
        literal.match_indices(op).any(|(at, _)| !literal[at + op.len()..].starts_with(|c| matches!(c, '1'..='9')))
    });
    !dotted && !foreign && !partial
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_c_cannot_say_is_left_out() {
        let of = |cubes: &[&[&str]]| {
            condition(
                &ShownInvariant::Cubes(cubes.iter().map(|c| c.iter().map(ToString::to_string).collect()).collect()),
                false,
            )
        };
        assert_eq!(of(&[&["x == 1", "y < 2"]]).as_deref(), Some("(x == 1) && (y < 2)"));
        assert_eq!(of(&[&["x == 1", "y < 2"], &["x == 2"]]).as_deref(), Some("((x == 1) && (y < 2)) || (x == 2)"));
        assert_eq!(of(&[&["x == 'x", "y < 2"]]).as_deref(), Some("(y < 2)"));
        assert_eq!(of(&[&["x == 'x"], &["y < 2"]]), None, "one of them may hold where nothing is known");
        assert_eq!(of(&[&["x.2 == 1"]]).as_deref(), Some("(x == 1)"));
        assert_eq!(of(&[&["x == 1.5"]]), None);
        assert_eq!(of(&[&["x % 2 == 0", "9 / x > n", "1 << x > n"]]).as_deref(), Some("(x % 2 == 0)"));
        assert_eq!(of(&[]).as_deref(), Some("0"), "no run comes there");
        assert_eq!(condition(&ShownInvariant::TooLarge, false), None);
    }
}

//! A proof as a witness: what holds at the heads of loops, as C. What C cannot say - values at entry, variables that the program
//! does not name, or that another one of the same name hides - is left out, which makes a condition weaker and never wrong.

use super::places;
use super::scope::{Scope, with_source_names};
use crate::front::Front;
use analysis::Analysis;
use certify::FunctionProof;
use ir::Expr;
use ir::cfg::Graph;
use ir::walk::variables;
use report::formula::{Report, ShownInvariant, View, shown_invariant};
use report::proof::{Point, visible};
use svcomp::witness::{Invariant, InvariantKind};

/// What holds at loops.
pub(super) fn invariants(front: &Front, analysis: &Analysis<'_>, functions: &[FunctionProof]) -> Vec<Invariant> {
    let report = Report::new(analysis);
    let mut out = Vec::new();
    for proof in functions {
        let body = front.program.body(proof.func);
        let graph = Graph::new(body);
        for (&loc, &node) in &proof.invariants {
            let inner = loc != body.entry && loc != body.exit;
            if !inner || !graph.loop_heads[loc] {
                continue;
            }
            let visible = visible(&report, proof.func, &Point::Loop);
            let scope = Scope::at(front, proof.func, places::head(body, loc));
            let named = |e: &Expr| visible(e) && variables(e).into_iter().all(|v| scope.names(v));
            let view = View { visible: &named, at_entry: false, at_exit: false, given: None };
            // A loop of which nothing needs to be known is said to be one: who checks the proof cuts there.
            let value = condition(&shown_invariant(&report, proof, node, &view)).unwrap_or_else(|| "1".to_string());
            let (kind, place) = match places::keyword(front, proof.func, body, loc) {
                Some(place) => (InvariantKind::Loop, place),
                None => (InvariantKind::Location, places::start(front, proof.func, body.locations[loc].span)),
            };
            // Several activations of a function: one of the conditions holds.
            match out.iter_mut().find(|i: &&mut Invariant| i.place == place) {
                None => out.push(Invariant { kind, place, value }),
                Some(same) if same.value == value => {}
                Some(same) => same.value = format!("({}) || ({value})", same.value),
            }
        }
    }
    out
}

/// The invariant as a C expression; none if it says nothing.
fn condition(shown: &ShownInvariant) -> Option<String> {
    let ShownInvariant::Cubes(cubes) = shown else { return None };
    let mut out = Vec::new();
    for cube in cubes {
        let said = cube.iter().map(|l| with_source_names(l)).filter(|l| is_c(l));
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

/// Whether a comparison is one that every reader of C understands: without values at entry and the program's own names.
fn is_c(literal: &str) -> bool {
    let b = literal.as_bytes();
    let dotted = b.windows(2).any(|w| w[0] == b'.' && w[1].is_ascii_digit());
    let foreign = ["'", "$", "@", "`", "__builtin", "\\"].iter().any(|s| literal.contains(s));
    !dotted && !foreign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_c_cannot_say_is_left_out() {
        let of = |cubes: &[&[&str]]| {
            condition(&ShownInvariant::Cubes(
                cubes.iter().map(|c| c.iter().map(ToString::to_string).collect()).collect(),
            ))
        };
        assert_eq!(of(&[&["x == 1", "y < 2"]]).as_deref(), Some("(x == 1) && (y < 2)"));
        assert_eq!(of(&[&["x == 1", "y < 2"], &["x == 2"]]).as_deref(), Some("((x == 1) && (y < 2)) || (x == 2)"));
        assert_eq!(of(&[&["x == 'x", "y < 2"]]).as_deref(), Some("(y < 2)"));
        assert_eq!(of(&[&["x == 'x"], &["y < 2"]]), None, "one of them may hold where nothing is known");
        assert_eq!(of(&[&["x.2 == 1"]]).as_deref(), Some("(x == 1)"));
        assert_eq!(of(&[&["x == 1.5"]]), None);
        assert_eq!(of(&[]).as_deref(), Some("0"), "no run comes there");
        assert_eq!(condition(&ShownInvariant::TooLarge), None);
    }
}

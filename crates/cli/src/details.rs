//! What a page for a browser or an editor shows besides the answer.

use crate::front::Front;
use crate::outcome::{Details, InvariantAt};
use crate::witness::places;
use analysis::Analysis;
use certify::FunctionProof;
use ir::cfg::{CallGraph, Graph};
use report::formula::{Report, ShownInvariant, View, shown_invariant};
use report::proof::{Point, visible};
use std::collections::{BTreeMap, BTreeSet};

/// A boolean program is cut behind so many bytes: more is no reading matter.
const MOST_TEXT: usize = 400_000;

/// What is known before the runs and the proof are told. `kept` are the last boolean program and its predicates.
pub(crate) fn of(front: &Front, kept: (String, String)) -> Details {
    let text = |text: String| (!text.is_empty()).then(|| cut(text));
    Details {
        boolean_program: text(kept.0),
        predicates: text(kept.1),
        unreached: unreached(front),
        rule_states: rule_states(front),
        sources: front.rule.iter().map(|r| front.map.file(r.file)).map(|f| (f.name.clone(), f.text.clone())).collect(),
        ..Details::default()
    }
}

fn cut(mut text: String) -> String {
    if text.len() > MOST_TEXT {
        let end = (0..=MOST_TEXT).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text.truncate(end);
        text += "\n... (the rest is left out)\n";
    }
    text
}

/// Functions with a body that no call from the entry leads to.
fn unreached(front: &Front) -> Vec<String> {
    let program = &front.program;
    let reached = CallGraph::new(program).reachable_from(program.entry);
    let functions = program.functions.iter_enumerated().filter(|(f, _)| reached[*f]);
    let names: BTreeSet<&str> = functions.map(|(_, f)| f.name.as_str()).collect();
    let mut out = Vec::new();
    for unit in &front.units {
        for function in unit.funcs.iter().filter(|f| f.body.is_some()) {
            let name = unit.name(function.name);
            let place = front.map.locate(function.span);
            // Headers of the system define much that nobody calls.
            if !names.contains(name) && !place.file.starts_with("/usr/") {
                out.push(format!("{name} ({}:{})", place.file, place.line));
            }
        }
    }
    out
}

/// The variables of the rule's state under the names that runs have for them.
fn rule_states(front: &Front) -> BTreeMap<String, Vec<String>> {
    let Some(rule) = &front.rule else { return BTreeMap::new() };
    let short = |name: &String| name.rsplit('.').next().unwrap_or(name).to_string();
    rule.values.iter().map(|(name, values)| (short(name), values.clone())).collect()
}

/// What a proof says at the heads of loops and where functions begin and end.
pub(crate) fn invariants(front: &Front, analysis: &Analysis<'_>, functions: &[FunctionProof]) -> Vec<InvariantAt> {
    let report = Report::new(analysis);
    let mut out = Vec::new();
    for proof in functions {
        let body = front.program.body(proof.func);
        let graph = Graph::new(body);
        for (&loc, &node) in &proof.invariants {
            let point = Point::of(body, &graph, loc);
            let (at_entry, at_exit) = (point == Point::Entry, point == Point::Exit);
            let visible = visible(&report, proof.func, &point);
            let view = View { visible: &*visible, at_entry, at_exit, given: None };
            let Some(text) = condition(&shown_invariant(&report, proof, node, &view)) else { continue };
            let keyword = places::keyword(front, proof.func, body, loc);
            let span =
                if at_entry || at_exit { front.program.functions[proof.func].span } else { body.locations[loc].span };
            let place = keyword.unwrap_or_else(|| places::start(front, proof.func, span));
            let what = match point {
                Point::Entry => format!("{} needs", front.program.functions[proof.func].name),
                Point::Exit => format!("{} ensures", front.program.functions[proof.func].name),
                Point::Loop => "each round".to_string(),
                Point::Label(label) => format!("at {label}"),
                Point::Other => "here".to_string(),
            };
            let column = place.column.unwrap_or(1);
            out.push(InvariantAt { file: place.file, line: place.line, column, what, text });
        }
    }
    out
}

/// The invariant as text; none if it says nothing.
fn condition(shown: &ShownInvariant) -> Option<String> {
    let ShownInvariant::Cubes(cubes) = shown else { return None };
    if cubes.is_empty() {
        return Some("no run comes here".to_string());
    }
    if cubes.iter().any(Vec::is_empty) {
        return None;
    }
    let cubes: Vec<String> = cubes.iter().map(|c| c.join(" && ")).collect();
    Some(if cubes.len() == 1 { cubes.concat() } else { format!("({})", cubes.join(") || (")) })
}

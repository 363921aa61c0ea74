//! Witnesses in GraphML, format version 1.0: an automaton that is a chain. A violation goes from edge to edge to its target; a
//! proof enters each loop once and names what holds there.
//!
//! Read ([`parse`]) is the shortest way of a violation's automaton from its entry to its violation, and of a proof every invariant of a node that
//! an edge into a loop leads to.

mod read;
mod xml;

pub use read::parse;

use crate::witness::{Content, Invariant, InvariantKind, Metadata, Place, WaypointKind, Witness};
use std::fmt::Write;

/// Keys: name, what they belong to, type, default.
const KEYS: [(&str, &str, &str, Option<&str>); 22] = [
    ("witness-type", "graph", "string", None),
    ("sourcecodelang", "graph", "string", None),
    ("producer", "graph", "string", None),
    ("specification", "graph", "string", None),
    ("programfile", "graph", "string", None),
    ("programhash", "graph", "string", None),
    ("architecture", "graph", "string", None),
    ("creationtime", "graph", "string", None),
    ("entry", "node", "boolean", Some("false")),
    ("sink", "node", "boolean", Some("false")),
    ("violation", "node", "boolean", Some("false")),
    ("invariant", "node", "string", None),
    ("invariant.scope", "node", "string", None),
    ("originfile", "edge", "string", None),
    ("startline", "edge", "int", None),
    ("assumption", "edge", "string", None),
    ("assumption.scope", "edge", "string", None),
    ("assumption.resultfunction", "edge", "string", None),
    ("control", "edge", "string", None),
    ("enterLoopHead", "edge", "boolean", Some("false")),
    ("enterFunction", "edge", "string", None),
    ("returnFromFunction", "edge", "string", None),
];

/// The witness as GraphML.
pub fn print(witness: &Witness) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, of, ty, default) in KEYS {
        let _ = write!(out, " <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{ty}\"");
        match default {
            Some(value) => {
                let _ = writeln!(out, "><default>{value}</default></key>");
            }
            None => out += "/>\n",
        }
    }
    out += " <graph edgedefault=\"directed\">\n";
    let m = &witness.metadata;
    let kind = match witness.content {
        Content::Correctness(_) => "correctness_witness",
        Content::Violation(_) => "violation_witness",
    };
    graph_data(&mut out, m, kind);
    match &witness.content {
        Content::Correctness(invariants) => {
            node(&mut out, 0, &[("entry", "true")]);
            // What functions require and ensure, and values at entry, have no place here.
            let loops =
                |i: &&Invariant| matches!(i.kind, InvariantKind::Loop | InvariantKind::Location) && !i.is_extended();
            for (i, invariant) in invariants.iter().filter(loops).enumerate() {
                let scope = invariant.place.function.as_deref().unwrap_or("main");
                node(&mut out, i + 1, &[("invariant", &invariant.value), ("invariant.scope", scope)]);
                // Each loop is entered from the start: the automaton says where what holds, not in which order.
                edge(&mut out, 0, i + 1, &invariant.place, &[("enterLoopHead", "true")]);
            }
        }
        Content::Violation(segments) => {
            node(&mut out, 0, &[("entry", "true")]);
            for (i, segment) in segments.iter().enumerate() {
                let last = i + 1 == segments.len();
                node(&mut out, i + 1, if last { &[("violation", "true")] } else { &[] });
                let point = &segment.follow;
                let constraint = point.constraint.as_deref().unwrap_or("1");
                let scope = point.place.function.as_deref().unwrap_or("main");
                let data: Vec<(&str, &str)> = match point.kind {
                    WaypointKind::Assumption => vec![("assumption", constraint), ("assumption.scope", scope)],
                    WaypointKind::FunctionReturn => vec![("assumption", constraint), ("assumption.scope", scope)],
                    WaypointKind::Branching if constraint == "true" => vec![("control", "condition-true")],
                    WaypointKind::Branching if constraint == "false" => vec![("control", "condition-false")],
                    WaypointKind::Branching | WaypointKind::FunctionEnter | WaypointKind::Target => Vec::new(),
                };
                edge(&mut out, i, i + 1, &point.place, &data);
            }
        }
    }
    out + " </graph>\n</graphml>\n"
}

fn graph_data(out: &mut String, m: &Metadata, kind: &str) {
    let (file, hash) = m.input_files.first().cloned().unwrap_or_default();
    let producer = format!("{}-{}", m.producer, m.version);
    let architecture = if m.data_model == "ILP32" { "32bit" } else { "64bit" };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &m.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", architecture),
        ("creationtime", &m.creation_time),
    ] {
        let _ = writeln!(out, "  <data key=\"{key}\">{}</data>", escaped(value));
    }
}

fn node(out: &mut String, id: usize, data: &[(&str, &str)]) {
    let _ = write!(out, "  <node id=\"n{id}\"");
    if data.is_empty() {
        *out += "/>\n";
        return;
    }
    *out += ">\n";
    for (key, value) in data {
        let _ = writeln!(out, "   <data key=\"{key}\">{}</data>", escaped(value));
    }
    *out += "  </node>\n";
}

fn edge(out: &mut String, from: usize, to: usize, place: &Place, data: &[(&str, &str)]) {
    let _ = writeln!(out, "  <edge source=\"n{from}\" target=\"n{to}\">");
    let _ = writeln!(out, "   <data key=\"originfile\">{}</data>", escaped(&place.file));
    let _ = writeln!(out, "   <data key=\"startline\">{}</data>", place.line);
    for (key, value) in data {
        let _ = writeln!(out, "   <data key=\"{key}\">{}</data>", escaped(value));
    }
    *out += "  </edge>\n";
}

/// Text inside of XML; characters that it cannot have are left out.
fn escaped(text: &str) -> String {
    let clean = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    let mut out = String::new();
    for c in clean {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::{Segment, Waypoint};

    #[test]
    fn a_violation_is_a_chain_to_its_target() {
        let point = |kind, line, constraint: Option<&str>| Segment {
            avoid: Vec::new(),
            follow: Waypoint {
                kind,
                place: Place { file: "a.c".into(), line, column: None, function: Some("main".into()) },
                constraint: constraint.map(str::to_string),
            },
        };
        let metadata = Metadata {
            producer: "hardbop".into(),
            version: "0.1.0".into(),
            input_files: vec![("a.c".into(), "9f".into())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "ILP32".into(),
            ..Metadata::default()
        };
        let content = Content::Violation(vec![
            point(WaypointKind::Assumption, 7, Some("x < 3 && y > 0")),
            point(WaypointKind::Target, 9, None),
        ]);
        let text = print(&Witness { metadata, content });
        for part in [
            "<data key=\"witness-type\">violation_witness</data>",
            "<data key=\"architecture\">32bit</data>",
            "<data key=\"programhash\">9f</data>",
            "<data key=\"assumption\">x &lt; 3 &amp;&amp; y &gt; 0</data>",
            "<edge source=\"n1\" target=\"n2\">",
            "<data key=\"violation\">true</data>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(text.matches("<data key=\"entry\">true</data>").count(), 1, "exactly one node is the entry");
    }
}

//! Witnesses in YAML, format version 2.0: a list with one entry, `invariant_set` or `violation_sequence`. What functions require and
//! ensure, and values at entry, make it version 2.1. Entries of version 2.1 are read as far as they say such things; everything else is
//! refused by name.

use crate::witness::{Content, Invariant, InvariantKind, Metadata, Place, Segment, Waypoint, WaypointKind, Witness};
use std::fmt::Write;
use yaml_rust2::{Yaml, YamlLoader};

/// The version that is written: the first that can say it.
fn version(content: &Content) -> &'static str {
    let is_later =
        |i: &Invariant| i.is_extended() || matches!(i.kind, InvariantKind::Requires | InvariantKind::Ensures);
    match content {
        Content::Correctness(invariants) if invariants.iter().any(is_later) => "2.1",
        Content::Correctness(_) | Content::Violation(_) => "2.0",
    }
}

/// A text between quotes, as YAML and JSON have it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// The witness as YAML.
pub fn print(witness: &Witness) -> String {
    let kind = match witness.content {
        Content::Correctness(_) => "invariant_set",
        Content::Violation(_) => "violation_sequence",
    };
    let mut out = format!("- entry_type: {kind}\n");
    metadata(&mut out, &witness.metadata, version(&witness.content));
    match &witness.content {
        Content::Correctness(invariants) if invariants.is_empty() => out += "  content: []\n",
        Content::Correctness(invariants) => {
            out += "  content:\n";
            for (i, invariant) in invariants.iter().enumerate() {
                let kind = match invariant.kind {
                    InvariantKind::Loop => "loop_invariant",
                    InvariantKind::Location => "location_invariant",
                    InvariantKind::Requires | InvariantKind::Ensures => {
                        // Both halves of a contract are printed where the first stands.
                        if !invariants[..i].iter().any(|other| is_other_half(other, invariant)) {
                            contract(
                                &mut out,
                                invariant,
                                invariants.iter().find(|other| is_other_half(other, invariant)),
                            );
                        }
                        continue;
                    }
                };
                let _ = writeln!(out, "  - invariant:\n      type: {kind}");
                place(&mut out, &invariant.place, 6);
                let format = if invariant.is_extended() { "ext_c_expression" } else { "c_expression" };
                let _ = writeln!(out, "      value: {}\n      format: {format}", quoted(&invariant.value));
            }
        }
        Content::Violation(segments) => {
            out += "  content:\n";
            for segment in segments {
                out += "  - segment:\n";
                for avoid in &segment.avoid {
                    waypoint(&mut out, avoid, "avoid");
                }
                waypoint(&mut out, &segment.follow, "follow");
            }
        }
    }
    out
}

/// Whether two conditions are what one function requires and what it ensures.
fn is_other_half(a: &Invariant, b: &Invariant) -> bool {
    let kinds = [InvariantKind::Requires, InvariantKind::Ensures];
    a.kind != b.kind && kinds.contains(&a.kind) && kinds.contains(&b.kind) && a.place == b.place
}

/// A half that is missing says nothing.
fn contract(out: &mut String, one: &Invariant, other: Option<&Invariant>) {
    let half = |kind| [Some(one), other].into_iter().flatten().find(|i| i.kind == kind).map_or("1", |i| &i.value);
    *out += "  - contract:\n      type: function_contract\n";
    place(out, &one.place, 6);
    let (requires, ensures) = (half(InvariantKind::Requires), half(InvariantKind::Ensures));
    let _ = writeln!(out, "      requires: {}\n      ensures: {}", quoted(requires), quoted(ensures));
    *out += "      format: ext_c_expression\n";
}

fn metadata(out: &mut String, m: &Metadata, version: &str) {
    let _ = writeln!(out, "  metadata:\n    format_version: {}", quoted(version));
    let _ = writeln!(out, "    uuid: {}\n    creation_time: {}", quoted(&m.uuid), quoted(&m.creation_time));
    let _ = writeln!(out, "    producer:\n      name: {}\n      version: {}", quoted(&m.producer), quoted(&m.version));
    *out += "    task:\n      input_files:\n";
    for (file, _) in &m.input_files {
        let _ = writeln!(out, "      - {}", quoted(file));
    }
    *out += "      input_file_hashes:\n";
    for (file, hash) in &m.input_files {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&m.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: C", m.data_model);
}

fn place(out: &mut String, place: &Place, indent: usize) {
    let tab = " ".repeat(indent);
    let _ = writeln!(out, "{tab}location:\n{tab}  file_name: {}\n{tab}  line: {}", quoted(&place.file), place.line);
    if let Some(column) = place.column {
        let _ = writeln!(out, "{tab}  column: {column}");
    }
    if let Some(function) = &place.function {
        let _ = writeln!(out, "{tab}  function: {}", quoted(function));
    }
}

fn waypoint(out: &mut String, point: &Waypoint, action: &str) {
    let _ = writeln!(out, "    - waypoint:\n        type: {}\n        action: {action}", point.kind.name());
    place(out, &point.place, 8);
    if let Some(value) = &point.constraint {
        let _ = writeln!(out, "        constraint:\n          value: {}", quoted(value));
        if point.kind != WaypointKind::Branching {
            *out += "          format: c_expression\n";
        }
    }
}

/// Reads a witness. The error is one sentence.
pub fn parse(text: &str) -> Result<Witness, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|e| format!("this is no YAML: {e}"))?;
    let entries = documents.first().and_then(Yaml::as_vec).ok_or("a witness is a list of entries")?;
    let mut found: Option<Witness> = None;
    for entry in entries {
        let kind = string(entry, "entry_type")?;
        let metadata = read_metadata(&entry["metadata"])?;
        let content = &entry["content"];
        let content = match kind.as_str() {
            "invariant_set" => {
                let items = list(content, "content")?.iter().map(invariants).collect::<Result<Vec<_>, _>>()?;
                Content::Correctness(items.concat())
            }
            "violation_sequence" => {
                Content::Violation(list(content, "content")?.iter().map(segment).collect::<Result<_, _>>()?)
            }
            other => return Err(format!("entries of type `{other}` are not supported")),
        };
        found = Some(match (found, content) {
            (None, content) => Witness { metadata, content },
            (Some(Witness { metadata, content: Content::Correctness(mut all) }), Content::Correctness(more)) => {
                all.extend(more);
                Witness { metadata, content: Content::Correctness(all) }
            }
            (Some(_), _) => return Err("only one entry can say how a property is broken".to_string()),
        });
    }
    let witness = found.ok_or("the witness has no entry")?;
    if let Content::Violation(segments) = &witness.content {
        check_segments(segments)?;
    }
    Ok(witness)
}

/// A run ends at its target, which is the last thing it passes.
fn check_segments(segments: &[Segment]) -> Result<(), String> {
    let Some((last, before)) = segments.split_last() else { return Err("a violation needs a target".to_string()) };
    if last.follow.kind != WaypointKind::Target {
        return Err("the last waypoint of a violation must be its target".to_string());
    }
    let stray = |s: &Segment| s.follow.kind == WaypointKind::Target;
    let avoided = |s: &Segment| s.avoid.iter().any(|w| w.kind == WaypointKind::Target);
    if before.iter().any(stray) || segments.iter().any(avoided) {
        return Err("a target can only be the last waypoint of a violation".to_string());
    }
    Ok(())
}

fn string(at: &Yaml, key: &str) -> Result<String, String> {
    match &at[key] {
        Yaml::String(s) => Ok(s.clone()),
        Yaml::Integer(i) => Ok(i.to_string()),
        Yaml::Real(r) => Ok(r.clone()),
        Yaml::Boolean(b) => Ok(b.to_string()),
        _ => Err(format!("`{key}` is missing")),
    }
}

fn list<'a>(at: &'a Yaml, what: &str) -> Result<&'a Vec<Yaml>, String> {
    at.as_vec().ok_or_else(|| format!("`{what}` is not a list"))
}

fn read_metadata(at: &Yaml) -> Result<Metadata, String> {
    let version = string(at, "format_version")?;
    if !matches!(version.as_str(), "2.0" | "2.1") {
        return Err(format!("witnesses of format version {version} are not supported"));
    }
    let task = &at["task"];
    let hashes = &task["input_file_hashes"];
    let files = match &task["input_files"] {
        Yaml::String(file) => vec![file.clone()],
        files => list(files, "input_files")?.iter().filter_map(|f| f.as_str().map(str::to_string)).collect(),
    };
    let hash = |file: &str| hashes[file].as_str().unwrap_or_default().to_string();
    Ok(Metadata {
        uuid: string(at, "uuid").unwrap_or_default(),
        creation_time: string(at, "creation_time").unwrap_or_default(),
        producer: string(&at["producer"], "name").unwrap_or_default(),
        version: string(&at["producer"], "version").unwrap_or_default(),
        input_files: files.into_iter().map(|f| (f.clone(), hash(&f))).collect(),
        specification: string(task, "specification")?,
        data_model: string(task, "data_model")?,
    })
}

fn read_place(at: &Yaml) -> Result<Place, String> {
    let number = |key: &str| at[key].as_i64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    Ok(Place {
        file: string(at, "file_name")?,
        line: number("line").ok_or("`line` is missing")?,
        column: number("column"),
        function: at["function"].as_str().map(str::to_string),
    })
}

fn c_expression(at: &Yaml) -> Result<String, String> {
    is_c(at)?;
    string(at, "value")
}

/// Whether conditions are C expressions, or such with the words that 2.1 adds.
fn is_c(at: &Yaml) -> Result<(), String> {
    match at["format"].as_str() {
        None | Some("c_expression" | "ext_c_expression") => Ok(()),
        Some(other) => Err(format!("conditions in the format `{other}` are not supported")),
    }
}

/// An invariant, or the two halves of a contract.
fn invariants(item: &Yaml) -> Result<Vec<Invariant>, String> {
    let at = &item["contract"];
    if at.is_badvalue() {
        return Ok(vec![invariant(&item["invariant"])?]);
    }
    if string(at, "type")? != "function_contract" {
        return Err(format!("contracts of type `{}` are not supported", string(at, "type")?));
    }
    is_c(at)?;
    let place = read_place(&at["location"])?;
    let half = |kind, key| string(at, key).map(|value| Invariant { kind, place: place.clone(), value });
    Ok(vec![half(InvariantKind::Requires, "requires")?, half(InvariantKind::Ensures, "ensures")?])
}

fn invariant(at: &Yaml) -> Result<Invariant, String> {
    let kind = match string(at, "type")?.as_str() {
        "loop_invariant" => InvariantKind::Loop,
        "location_invariant" => InvariantKind::Location,
        other => return Err(format!("invariants of type `{other}` are not supported")),
    };
    Ok(Invariant { kind, place: read_place(&at["location"])?, value: c_expression(at)? })
}

fn segment(at: &Yaml) -> Result<Segment, String> {
    let mut avoid = Vec::new();
    let mut follow = None;
    for point in list(&at["segment"], "segment")? {
        let at = &point["waypoint"];
        let name = string(at, "type")?;
        let kind = WaypointKind::NAMES.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind);
        let kind = kind.ok_or_else(|| format!("waypoints of type `{name}` are not supported"))?;
        let constraint = match &at["constraint"] {
            Yaml::BadValue => None,
            constraint => Some(c_expression(constraint)?),
        };
        let point = Waypoint { kind, place: read_place(&at["location"])?, constraint };
        match string(at, "action")?.as_str() {
            "avoid" if follow.is_none() => avoid.push(point),
            "follow" if follow.is_none() => follow = Some(point),
            "avoid" | "follow" => return Err("a segment ends with the waypoint that is followed".to_string()),
            other => return Err(format!("waypoints with the action `{other}` are not supported")),
        }
    }
    Ok(Segment { avoid, follow: follow.ok_or("a segment has no waypoint that is followed")? })
}

#[cfg(test)]
mod tests;

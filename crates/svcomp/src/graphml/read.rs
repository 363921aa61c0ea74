//! Reading a witness in GraphML.

use super::xml::{Part, parts};
use crate::witness::{Content, Invariant, InvariantKind, Metadata, Place, Segment, Waypoint, WaypointKind, Witness};
use std::collections::{BTreeMap, VecDeque};

type Data = BTreeMap<String, String>;

/// The graph as it stands there.
#[derive(Default)]
struct Graph {
    data: Data,
    nodes: BTreeMap<String, Data>,
    edges: Vec<(String, String, Data)>,
}

/// What `data` belongs to.
enum Owner {
    Nothing,
    Graph,
    Node(String),
    Edge,
}

/// Reads a witness. The error is one sentence.
pub fn parse(text: &str) -> Result<Witness, String> {
    let graph = graph(text)?;
    let said = |key: &str| graph.data.get(key).cloned().ok_or_else(|| format!("`{key}` is missing"));
    let data_model = match said("architecture")?.as_str() {
        "32bit" => "ILP32".to_string(),
        "64bit" => "LP64".to_string(),
        other => return Err(format!("the architecture {other} is not supported")),
    };
    if said("sourcecodelang")? != "C" {
        return Err("only witnesses about C programs are supported".to_string());
    }
    let metadata = Metadata {
        producer: said("producer").unwrap_or_default(),
        creation_time: said("creationtime").unwrap_or_default(),
        input_files: vec![(said("programfile")?, said("programhash")?.to_lowercase())],
        specification: said("specification")?,
        data_model,
        ..Metadata::default()
    };
    let file = metadata.input_files[0].0.clone();
    let content = match said("witness-type")?.as_str() {
        "correctness_witness" => Content::Correctness(invariants(&graph, &file)?),
        "violation_witness" => Content::Violation(violation(&graph, &file)?),
        other => return Err(format!("witnesses of type `{other}` are not supported")),
    };
    Ok(Witness { metadata, content })
}

fn graph(text: &str) -> Result<Graph, String> {
    let mut graph = Graph::default();
    let mut owner = Owner::Nothing;
    // The name of the data that is open, and the names that keys stand for.
    let (mut open, mut names): (Option<String>, BTreeMap<String, String>) = (None, BTreeMap::new());
    let get =
        |attributes: &[(String, String)], key: &str| attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let mut has_graph = false;
    for part in parts(text)? {
        match part {
            Part::Open { name, attributes, closed } => match name.as_str() {
                "key" => {
                    if let (Some(id), Some(meaning)) = (get(&attributes, "id"), get(&attributes, "attr.name")) {
                        // Producers give names for people here (`isEntryNode`); the identifier is what the format defines.
                        names.insert(id.clone(), if is_known(&id) { id } else { meaning });
                    }
                }
                "graph" => {
                    has_graph = true;
                    owner = Owner::Graph;
                }
                "node" => {
                    let id = get(&attributes, "id").ok_or("a node has no `id`")?;
                    graph.nodes.insert(id.clone(), Data::new());
                    owner = if closed { Owner::Graph } else { Owner::Node(id) };
                }
                "edge" => {
                    let end = |key: &str| get(&attributes, key).ok_or_else(|| format!("an edge has no `{key}`"));
                    graph.edges.push((end("source")?, end("target")?, Data::new()));
                    owner = if closed { Owner::Graph } else { Owner::Edge };
                }
                "data" if !closed => {
                    let key = get(&attributes, "key").ok_or("`data` has no `key`")?;
                    open = Some(names.get(&key).cloned().unwrap_or(key));
                }
                _ => {}
            },
            Part::Text(text) => {
                if let Some(key) = &open {
                    let data = match &owner {
                        Owner::Nothing => continue,
                        Owner::Graph => &mut graph.data,
                        Owner::Node(id) => graph.nodes.entry(id.clone()).or_default(),
                        Owner::Edge => &mut graph.edges.last_mut().ok_or("data of no edge")?.2,
                    };
                    data.entry(key.clone()).or_default().push_str(text.trim());
                }
            }
            Part::Close(name) => match name.as_str() {
                "data" => open = None,
                "node" | "edge" => owner = Owner::Graph,
                _ => {}
            },
        }
    }
    if has_graph { Ok(graph) } else { Err("there is no graph in this file".to_string()) }
}

fn is_known(id: &str) -> bool {
    super::KEYS.iter().any(|(name, ..)| *name == id) || id == "endline"
}

fn is_set(data: &Data, key: &str) -> bool {
    data.get(key).is_some_and(|v| v == "true")
}

/// Where an edge lies. There are no columns: lines are what every producer writes.
fn place(data: &Data, file: &str) -> Option<Place> {
    let line = data.get("startline").or(data.get("endline"))?.parse().ok()?;
    let function = data.get("assumption.scope").cloned();
    Some(Place {
        file: data.get("originfile").cloned().unwrap_or_else(|| file.to_string()),
        line,
        column: None,
        function,
    })
}

/// The invariants of nodes, each at the line of an edge that enters the loop there.
fn invariants(graph: &Graph, file: &str) -> Result<Vec<Invariant>, String> {
    let mut out = Vec::new();
    for (id, data) in &graph.nodes {
        let Some(value) = data.get("invariant") else { continue };
        let entering = graph.edges.iter().find(|(_, to, data)| to == id && is_set(data, "enterLoopHead"));
        let any = || graph.edges.iter().find(|(_, to, _)| to == id);
        let (kind, edge) = match entering {
            Some(edge) => (InvariantKind::Loop, Some(edge)),
            None => (InvariantKind::Location, any()),
        };
        let place = edge.and_then(|(_, _, data)| place(data, file));
        let mut place = place.ok_or_else(|| format!("no line is given for the invariant of the node `{id}`"))?;
        place.function = data.get("invariant.scope").cloned();
        out.push(Invariant { kind, place, value: value.clone() });
    }
    Ok(out)
}

/// The shortest way to the violation, as waypoints.
fn violation(graph: &Graph, file: &str) -> Result<Vec<Segment>, String> {
    let entry = graph.nodes.iter().find(|(_, d)| is_set(d, "entry")).ok_or("no node is the entry")?.0;
    let mut from: BTreeMap<&str, usize> = BTreeMap::new();
    let mut open = VecDeque::from([entry.as_str()]);
    let mut end = None;
    while let Some(node) = open.pop_front() {
        let data = graph.nodes.get(node);
        if data.is_some_and(|d| is_set(d, "violation")) {
            end = Some(node);
            break;
        }
        for (i, (source, target, _)) in graph.edges.iter().enumerate() {
            let sink = graph.nodes.get(target).is_some_and(|d| is_set(d, "sink"));
            if source == node && !sink && target != entry && !from.contains_key(target.as_str()) {
                from.insert(target, i);
                open.push_back(target);
            }
        }
    }
    let mut way = Vec::new();
    let mut node = end.ok_or("no way leads to a violation")?;
    while let Some(&i) = from.get(node) {
        way.push(&graph.edges[i].2);
        node = &graph.edges[i].0;
    }
    way.reverse();
    let Some((last, before)) = way.split_last() else { return Err("a violation needs a target".to_string()) };
    let mut out = Vec::new();
    let mut add = |kind, place: Place, constraint: Option<String>| {
        out.push(Segment { avoid: Vec::new(), follow: Waypoint { kind, place, constraint } });
    };
    for data in before.iter().chain([last]) {
        let Some(place) = place(data, file) else { continue };
        if let Some(control) = data.get("control") {
            let taken = if control == "condition-true" { "true" } else { "false" };
            // A line may have parts of other files in it: the function is that of the condition, whichever that is.
            let place = Place { function: None, ..place.clone() };
            add(WaypointKind::Branching, place, Some(taken.to_string()));
        }
        if let Some(assumption) = data.get("assumption") {
            let all: Vec<String> =
                assumption.split(';').map(str::trim).filter(|c| !c.is_empty()).map(str::to_string).collect();
            let value = if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(") && (")) };
            let kind = if value.contains("\\result") { WaypointKind::FunctionReturn } else { WaypointKind::Assumption };
            add(kind, place, Some(value));
        }
    }
    let target = place(last, file).ok_or("no line is given for the violation")?;
    add(WaypointKind::Target, target, None);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        Metadata {
            producer: "hardbop".into(),
            version: "0.1.0".into(),
            input_files: vec![("a b.c".into(), "9f".into())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "ILP32".into(),
            ..Metadata::default()
        }
    }

    fn at(line: u32) -> Place {
        Place { file: "a b.c".into(), line, column: None, function: Some("main".into()) }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let invariant = Invariant { kind: InvariantKind::Loop, place: at(6), value: "i <= n && 0 < n".into() };
        let content = Content::Correctness(vec![invariant]);
        let read = parse(&super::super::print(&Witness { metadata: metadata(), content: content.clone() })).unwrap();
        assert_eq!(read.content, content);
        assert_eq!(read.metadata.input_files, metadata().input_files);

        let segment = |kind, line, constraint: Option<&str>| Segment {
            avoid: Vec::new(),
            follow: Waypoint { kind, place: at(line), constraint: constraint.map(str::to_string) },
        };
        let segments = vec![
            segment(WaypointKind::FunctionReturn, 3, Some("\\result == 7")),
            segment(WaypointKind::Assumption, 4, Some("x < 3 && y > 0")),
            segment(WaypointKind::Target, 9, None),
        ];
        let written =
            super::super::print(&Witness { metadata: metadata(), content: Content::Violation(segments.clone()) });
        let Content::Violation(mut read) = parse(&written).unwrap().content else { panic!("a violation") };
        // The function of the target is not written.
        read[2].follow.place.function = Some("main".into());
        assert_eq!(read, segments);
    }

    #[test]
    fn sinks_are_no_ways_and_keys_have_names() {
        let text = "<graphml><key id=\"e\" for=\"node\" attr.name=\"entry\"/><key id=\"violation\" attr.name=\"isViolationNode\"/>\
            <graph><data key=\"witness-type\">violation_witness</data><data key=\"sourcecodelang\">C</data>\
            <data key=\"specification\">S</data><data key=\"programfile\">a.c</data><data key=\"programhash\">AB</data>\
            <data key=\"architecture\">64bit</data>\
            <node id=\"A\"><data key=\"e\">true</data></node><node id=\"S\"><data key=\"sink\">true</data></node><node id=\"B\"/>\
            <node id=\"V\"><data key=\"violation\">true</data></node>\
            <edge source=\"A\" target=\"S\"><data key=\"startline\">1</data></edge>\
            <edge source=\"S\" target=\"V\"><data key=\"startline\">2</data></edge>\
            <edge source=\"A\" target=\"B\"><data key=\"startline\">3</data><data key=\"control\">condition-true</data></edge>\
            <edge source=\"B\" target=\"V\"><data key=\"startline\">4</data><data key=\"assumption\">x == 1; y == 2;</data></edge>\
            </graph></graphml>";
        let read = parse(text).unwrap();
        assert_eq!((read.metadata.data_model.as_str(), read.metadata.input_files[0].1.as_str()), ("LP64", "ab"));
        let Content::Violation(segments) = read.content else { panic!("a violation") };
        let shown: Vec<(u32, Option<&str>)> =
            segments.iter().map(|s| (s.follow.place.line, s.follow.constraint.as_deref())).collect();
        assert_eq!(shown, [(3, Some("true")), (4, Some("(x == 1) && (y == 2)")), (4, None)]);
        for (from, to) in [
            ("<graph>", "<g>"),
            ("64bit", "16bit"),
            ("key=\"programhash\"", "key=\"other\""),
            ("\"V\"><data key=\"violation\"", "\"V\"><data key=\"x\""),
        ] {
            assert!(parse(&text.replacen(from, to, 1)).is_err(), "{to}");
        }
    }
}

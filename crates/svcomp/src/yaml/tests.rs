//! Written witnesses read back; what is not supported is refused by name.

use super::*;

fn metadata() -> Metadata {
    Metadata {
        uuid: "0a6c1c1e-6f5e-4a57-9d0e-2f4f3b0c9a11".into(),
        creation_time: "2026-11-15T10:00:00Z".into(),
        producer: "hardbop".into(),
        version: "0.1.0".into(),
        input_files: vec![("a \"b\".c".into(), "9f".repeat(32))],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
        data_model: "ILP32".into(),
    }
}

fn place(line: u32, column: Option<u32>) -> Place {
    Place { file: "a \"b\".c".into(), line, column, function: Some("main".into()) }
}

#[test]
fn correctness_reads_back() {
    let invariant = |kind, value: &str| Invariant { kind, place: place(6, Some(3)), value: value.into() };
    for invariants in [
        Vec::new(),
        vec![
            invariant(InvariantKind::Loop, "0 <= i && i <= n"),
            invariant(InvariantKind::Location, "c != '\\'' || s[0] == \"\t\"[0]"),
        ],
        vec![
            invariant(InvariantKind::Requires, "n > 0"),
            invariant(InvariantKind::Ensures, "\\result == \\at(n, Pre)"),
            invariant(InvariantKind::Loop, "\\at(n, Pre) >= i"),
        ],
    ] {
        let is_later = invariants.len() == 3;
        let witness = Witness { metadata: metadata(), content: Content::Correctness(invariants) };
        let text = print(&witness);
        assert_eq!(parse(&text), Ok(witness.clone()), "{text}");
        assert_eq!(text.contains("format_version: \"2.1\""), is_later, "{text}");
        assert_eq!(text.matches("format: ext_c_expression").count(), if is_later { 2 } else { 0 }, "{text}");
    }
}

/// A contract of which one half says nothing.
#[test]
fn half_a_contract_is_one() {
    let half = Invariant { kind: InvariantKind::Ensures, place: place(6, None), value: "\\result == 1".into() };
    let text = print(&Witness { metadata: metadata(), content: Content::Correctness(vec![half.clone()]) });
    let Ok(Witness { content: Content::Correctness(read), .. }) = parse(&text) else { panic!("{text}") };
    assert_eq!(read[0], Invariant { kind: InvariantKind::Requires, value: "1".into(), ..half.clone() });
    assert_eq!(read[1..], [half]);
}

#[test]
fn violation_reads_back() {
    let point = |kind, constraint: Option<&str>| Waypoint {
        kind,
        place: place(7, None),
        constraint: constraint.map(str::to_string),
    };
    let segments = WaypointKind::NAMES.map(|(kind, _)| Segment {
        avoid: if kind == WaypointKind::Assumption {
            vec![point(WaypointKind::Branching, Some("true"))]
        } else {
            Vec::new()
        },
        follow: point(kind, (kind != WaypointKind::Target).then_some("\\result == 3")),
    });
    let witness = Witness { metadata: metadata(), content: Content::Violation(segments.to_vec()) };
    assert_eq!(parse(&print(&witness)), Ok(witness.clone()), "{}", print(&witness));
}

#[test]
fn the_form_is_the_one_of_the_format() {
    let witness = Witness {
        metadata: Metadata { input_files: vec![("a.c".into(), "9f".into())], ..metadata() },
        content: Content::Correctness(vec![Invariant {
            kind: InvariantKind::Loop,
            place: Place { file: "a.c".into(), ..place(6, Some(3)) },
            value: "x == 1".into(),
        }]),
    };
    expect_test::expect![[r#"
        - entry_type: invariant_set
          metadata:
            format_version: "2.0"
            uuid: "0a6c1c1e-6f5e-4a57-9d0e-2f4f3b0c9a11"
            creation_time: "2026-11-15T10:00:00Z"
            producer:
              name: "hardbop"
              version: "0.1.0"
            task:
              input_files:
              - "a.c"
              input_file_hashes:
                "a.c": "9f"
              specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
              data_model: ILP32
              language: C
          content:
          - invariant:
              type: loop_invariant
              location:
                file_name: "a.c"
                line: 6
                column: 3
                function: "main"
              value: "x == 1"
              format: c_expression
    "#]]
    .assert_eq(&print(&witness));
}

/// Written in the flow style, with an anchor, as other tools may.
const OTHER: &str = r#"
- entry_type: violation_sequence
  metadata: {format_version: "2.0", uuid: u, creation_time: t, producer: {name: other, version: "1"},
    task: {input_files: [a.c], input_file_hashes: {a.c: 9f}, data_model: LP64, language: C,
    specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"}}
  content:
  - segment: [{waypoint: {type: branching, action: follow, location: {file_name: a.c, line: 9}, constraint: {value: true}}}]
  - segment: [{waypoint: {type: target, action: follow, location: {file_name: a.c, line: 10, column: 5}}}]
"#;

#[test]
fn other_ways_to_write_it_are_read() {
    let witness = parse(OTHER).unwrap();
    assert_eq!(witness.metadata.input_files, [("a.c".to_string(), "9f".to_string())]);
    let Content::Violation(segments) = witness.content else { panic!("a violation") };
    assert_eq!(segments[0].follow.constraint.as_deref(), Some("true"));
    assert_eq!(segments[1].follow.place.column, Some(5));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    for (from, to, message) in [
        ("violation_sequence", "ghost_instrumentation", "entries of type `ghost_instrumentation` are not supported"),
        ("\"2.0\"", "\"3.0\"", "witnesses of format version 3.0 are not supported"),
        ("type: branching", "type: magic", "waypoints of type `magic` are not supported"),
        (
            "action: follow, location: {file_name: a.c, line: 9}",
            "action: cycle, location: {file_name: a.c, line: 9}",
            "waypoints with the action `cycle` are not supported",
        ),
        ("type: target", "type: assumption", "the last waypoint of a violation must be its target"),
        ("line: 9", "line: x", "`line` is missing"),
        ("specification:", "nothing:", "`specification` is missing"),
    ] {
        let text = OTHER.replacen(from, to, 1);
        assert_ne!(text, OTHER, "{from}");
        assert_eq!(parse(&text), Err(message.to_string()), "{from}");
    }
    assert!(parse("{").is_err() && parse("").is_err() && parse("a: b").is_err() && parse("[]").is_err());
}

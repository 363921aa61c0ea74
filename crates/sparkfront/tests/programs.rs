//! The examples lower to valid programs, also when they are broken as they say; and what is refused is refused by name, with
//! its place.
#![expect(clippy::disallowed_methods, reason = "the tests read the examples")]

use base::{Diagnostic, SourceMap};
use ir::DataModel;
use sparkfront::{Globals, Lowered, Options, parse_and_lower};
use std::path::PathBuf;

fn lower(text: &str) -> Result<Lowered, (Vec<Diagnostic>, SourceMap)> {
    let mut map = SourceMap::new();
    let file = map.add("t.adb", text);
    let options = Options { entry: None, globals: Globals::ByEntry, model: DataModel::Lp64 };
    parse_and_lower(&map, &[file], &options).map_err(|d| (d, map))
}

#[test]
fn examples_lower_to_valid_programs() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/spark");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 25, "{} examples", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let line = text.lines().find_map(|l| l.strip_prefix("-- break: `")).expect("each example says how it breaks");
        let (from, to) = line.trim_end_matches('`').split_once("` becomes `").expect("a break has two sides");
        let code = text.split_once('\n').map_or("", |(_, rest)| rest).replace(line, "");
        assert!(code.contains(from), "{}: `{from}` is not there", file.display());
        for text in [text.clone(), text.replace(&format!("`{from}`"), "").replace(from, to)] {
            match lower(&text) {
                Err((d, map)) => {
                    let at = d[0].span.map(|s| map.locate(s).to_string());
                    wrong.push(format!("{}: {at:?}: {}", file.display(), d[0].message));
                }
                Ok(lowered) => {
                    assert_eq!(ir::validate::validate(&lowered.program), Ok(()), "{}", file.display());
                    assert!(lowered.targets > 0, "{}: nothing to check", file.display());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let body = |statements: &str| format!("procedure P is\n   X, Y : Integer := 1;\nbegin\n   {statements}\nend P;\n");
    for (text, place, message) in [
        ("procedure P is\n   type T is access Integer;\nbegin null; end P;", "2:14", "access types"),
        ("procedure P is\n   type T is tagged null record;\nbegin null; end P;", "2:14", "object-oriented"),
        ("procedure P is\n   task T;\nbegin null; end P;", "2:4", "tasks"),
        ("procedure P is\n   X : Float;\nbegin null; end P;", "2:8", "the type float"),
        ("generic package G is end G;", "1:1", "generic units"),
        (
            "procedure P is\n   type A is array (Positive range <>, Positive range <>) of Integer;\nbegin null; end P;",
            "2:38",
            "unconstrained arrays of several",
        ),
        (
            "procedure P is\n   subtype S is Integer with Dynamic_Predicate => S > 0;\nbegin null; end P;",
            "2:30",
            "dynamic_predicate",
        ),
        ("procedure P is\n   type T (N : Integer) is null record;\nbegin null; end P;", "2:11", "discriminants"),
        ("procedure P (A : String) is\nbegin null; end P;", "1:11", "a run cannot begin"),
        ("function F return String is (\"a\");", "1:19", "functions that return arrays"),
        (
            "procedure P is\n   X : Integer;\n   for X'Address use 16#10#;\nbegin null; end P;",
            "3:10",
            "the attribute address",
        ),
        (
            "procedure P is\n   type A is array (1 .. 3) of Integer;\n   V : A := (1, 2, 3);\n   N : Integer := 2;\nbegin\n   \
             V (1 .. N) := V (1 .. N);\nend P;",
            "6:4",
            "slices whose bounds are not known",
        ),
        (
            "procedure P is\n   procedure Q (N : Natural) is\n      procedure R is\n      begin\n         if N > 0 then Q (N - 1); end if;\n      \
             end R;\n   begin\n      R;\n   end Q;\nbegin\n   Q (3);\nend P;",
            "2:14",
            "a recursive subprogram with others in it",
        ),
        (
            "procedure P is\n   type A is array (1 .. 3) of Integer;\n   V : A := (1, 2, 3);\n   procedure Q (X : in out Integer; Y : in out A) \
             is null;\nbegin\n   for E of V loop\n      Q (E, V);\n   end loop;\nend P;",
            "7:13",
            "aliases are refused",
        ),
        // In the visible part `Max` is that of Z; the private part has one of its own.
        (
            "package Z is\n   Max : constant Integer := 2;\nend Z;\nwith Z; use Z;\npackage A is\n   type T is private;\n   subtype S is \
             Integer range 0 .. Max;\nprivate\n   Max : constant := 9;\n   type T is new Integer range 0 .. Max;\nend A;\nprocedure \
             P is begin null; end P;",
            "5:9",
            "`max` is used in the visible part",
        ),
        (&body("X := 1.5;"), "4:9", "real numbers"),
        (&body("goto L;"), "4:4", "goto statements"),
        (&body("delay 1;"), "4:4", "delay statements"),
        (&body("X := True;"), "4:9", "type boolean, where integer"),
        (&body("Z := 1;"), "4:4", "there is no `z`"),
        (&body("X := Y'Size;"), "4:11", "the attribute size"),
        // What an inner subprogram means by the name of a parameter is that parameter, whatever else has this name.
        (
            "package K is\n   type A is array (1 .. 2) of Integer;\n   X : A := (1, 2);\nend K;\nwith K; use K;\nprocedure M (X : A) is\n   \
             procedure I is\n   begin\n      pragma Assert (X (1) = 1);\n   end I;\nbegin\n   I;\nend M;\n",
            "9:22",
            "the parameter `x` of a subprogram, used in one inside of it",
        ),
        // Here X is K.X, as M's is declared later.
        (
            "package K is\n   X : Integer := 1;\nend K;\nwith K; use K;\nprocedure M is\n   procedure I is\n   begin\n      \
             pragma Assert (X = 1);\n   end I;\n   X : Integer := 2;\nbegin\n   I;\nend M;\n",
            "8:22",
            "`x` is used before its declaration",
        ),
        (&body("if X = 1 and Y = 2 or X = 3 then null; end if;"), "4:26", "logical operators are mixed"),
    ] {
        let Err((diagnostics, map)) = lower(text) else { panic!("not refused: {text}") };
        let at = diagnostics[0].span.map(|s| map.locate(s)).expect("a place");
        assert_eq!(format!("{}:{}", at.line, at.column), place, "{text}: {}", diagnostics[0].message);
        assert!(diagnostics[0].message.contains(message), "{text}: {}", diagnostics[0].message);
    }
}

/// SPARK RM 6.4.2 and the rule that functions change nothing.
#[test]
fn aliases_and_side_effects_are_refused() {
    let swap = "procedure M is\n   type A is array (1 .. 3) of Integer;\n   G : Integer := 0;\n   V : A := (1, 2, 3);\n   \
                procedure S (P, Q : in out Integer) is T : Integer := P; begin P := Q; Q := T; end S;\n   \
                procedure W (P : in out A) is begin P (1) := V (2); end W;\n   FUNCTION\nbegin\n   CALL\nend M;\n";
    let with = |function: &str, call: &str| lower(&swap.replace("FUNCTION", function).replace("CALL", call));
    let refused = |function: &str, call: &str, id: &str| {
        let Err((diagnostics, _)) = with(function, call) else { panic!("not refused: {function} {call}") };
        assert_eq!(diagnostics[0].id, id, "{}", diagnostics[0].message);
    };
    refused("", "S (G, G);", "alias");
    refused("I : Integer := 1;", "S (V (1), V (I));", "alias");
    refused("", "W (V);", "alias");
    refused("function F return Integer is begin G := 1; return G; end F;", "G := F;", "side-effect");
    assert!(with("", "S (V (1), V (2));").is_ok());
    assert!(with("", "S (G, V (1));").is_ok());
}

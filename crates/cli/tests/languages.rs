//! Programs that are not in C: the language X of TR00, and SPARK; verdicts, messages, and what is refused.

use crate::support::{Folder, Ran};

fn papers(folder: &Folder, args: &[&str]) -> Ran {
    let dir = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers");
    Ran::of(folder.command(args).current_dir(dir))
}

#[track_caller]
fn verdict(ran: &Ran, word: &str) {
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(last.starts_with(&format!("Verdict: {word} (")), "{ran:?}");
}

/// TR00 fig 1 as it is printed: refinement alone finds what the paper says.
#[test]
fn figure_1_of_tr00_is_safe() {
    let folder = Folder::new("x-fig1");
    let options = ["check", "tr00_fig1.x", "--engine", "abstraction", "--no-invgen", "--show-proof"];
    let ran = papers(&folder, &options);
    verdict(&ran, "SAFE");
    assert!(ran.out.contains("numUnits") && ran.out.contains("canEnter"), "{ran:?}");
    assert!(!ran.out.contains("level"), "{ran:?}");
    verdict(&papers(&folder, &["check", "tr00_fig5.x"]), "UNSAFE");
}

#[test]
fn mistakes_in_x_are_named_with_their_place() {
    let folder = Folder::new("x-mistakes");
    for (text, place, message) in [
        ("main() { x := 1 }", "1:10", "there is no variable `x`"),
        ("x: int; main() { x := true; }", "1:23", "this is a truth value, where an integer is wanted"),
        ("x: real; main() { skip }", "1:4", "there is no type `real`"),
        ("main() {\n [1] skip;\n [1] skip }", "3:3", "the label [1] stands twice"),
        ("main() { if skip }", "1:13", "expected `(`, found `skip`"),
        ("x, y: int; main() { x, y := 1; }", "1:21", "2 variables are given 1 values"),
    ] {
        folder.file("t.x", text);
        let ran = folder.run(&["check", "t.x"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with(&format!("t.x:{place}: error: {message}")), "{ran:?}");
    }
    folder.file("t.x", "main() { assert(true) }");
    let ran = folder.run(&["check", "t.x", "--malloc", "succeeds"]);
    assert_eq!((ran.code, ran.err.trim_end()), (Some(1), "error: --malloc is about programs in other languages"));
}

/// Integers wrap unless overflow is left out, enumerations have no other values, `?` is a choice each time.
#[test]
fn values_of_x() {
    let folder = Folder::new("x-values");
    folder.file("wrap.x", "x: int; main() { assume(x > 0); x := x + 1; assert(x > 0) }");
    verdict(&folder.run(&["check", "wrap.x"]), "UNSAFE");
    verdict(&folder.run(&["check", "wrap.x", "--signed-overflow", "undefined"]), "SAFE");
    folder.file("enum.x", "enum light { red, green }; l: light; main() { assert(l = red | l = green) }");
    verdict(&folder.run(&["check", "enum.x"]), "SAFE");
    folder.file("choice.x", "main() { a, b: bool; a := ?; b := a; assert(a = b); assert(? | a) }");
    verdict(&folder.run(&["check", "choice.x"]), "UNSAFE");
    folder.file("swap.x", "x, y: int; main() { a: int; a := x; x, y := y, x; assert(y = a) }");
    verdict(&folder.run(&["check", "swap.x"]), "SAFE");
}

/// TR00 §2: a stored `?` reaches what a choice does not, also through a call.
#[test]
fn a_stored_unknown_value_differs_from_a_choice() {
    let folder = Folder::new("three-valued");
    let text = "bool copy(v) begin return v; end\n\
                void main() begin decl x, y; x := *; y := copy(x); if (x) then if (!y) then L: skip; fi fi end\n";
    folder.file("t.bp", text);
    let choice = folder.run(&["bebop", "t.bp", "--label", "L"]);
    verdict(&choice, "SAFE");
    let stored = folder.run(&["bebop", "t.bp", "--label", "L", "--three-valued"]);
    verdict(&stored, "UNSAFE");
    assert_eq!(stored.code, Some(10), "{stored:?}");
    let all = folder.run(&["bebop", "t.bp", "--label", "L", "--three-valued", "--all"]);
    assert!(all.out.contains("label `L` of `main`: reached"), "{all:?}");
}

/// Programs whose proof takes several seconds in a build for development.
const SLOW: [&str; 1] = ["queue_length.adb"];

/// Each SPARK program is safe, and unsafe when it is changed as it says.
#[test]
fn spark_programs_get_their_verdicts() {
    let folder = Folder::new("spark");
    let dir = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/spark");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        if SLOW.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let line = text.lines().find_map(|l| l.strip_prefix("-- break: `")).expect("each program says how it breaks");
        let (from, to) = line.trim_end_matches('`').split_once("` becomes `").expect("a break has two sides");
        let broken = text.replace(&format!("`{from}`"), "").replace(from, to);
        for (text, word) in [(&text, "SAFE"), (&broken, "UNSAFE")] {
            folder.file(name, text);
            let ran = folder.run(&["check", name, "--timeout", "100s"]);
            let last = ran.out.lines().last().unwrap_or_default();
            if !last.starts_with(&format!("Verdict: {word} (")) {
                wrong.push(format!("{name}: {word} expected: {last} {}", ran.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn spark_is_refused_with_place_and_options_by_name() {
    let folder = Folder::new("spark-refused");
    folder.file("t.adb", "procedure T is\n   type P is access Integer;\nbegin\n   null;\nend T;\n");
    let ran = folder.run(&["check", "t.adb"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.starts_with("t.adb:2:14: error: access types are not in the subset"), "{ran:?}");
    folder.file("u.adb", "procedure U (X : Natural) is\nbegin\n   pragma Assert (X >= 0);\nend U;\n");
    let ran = folder.run(&["check", "u.adb", "--check", "overflow"]);
    assert_eq!((ran.code, ran.err.trim_end()), (Some(1), "error: --check is about programs in other languages"));
    folder.file("v.c", "int main(void) { return 0; }\n");
    let ran = folder.run(&["check", "u.adb", "v.c"]);
    assert!(ran.err.contains("the files of a program are in one language"), "{ran:?}");
}

/// Packages get their values in the order of their `with` clauses, in whatever order they stand.
#[test]
fn packages_are_elaborated_after_those_they_use() {
    let folder = Folder::new("spark-elaboration");
    let (a, b) = (
        "package A is\n   function F (V : Integer) return Integer is (V + 41);\n   X : Integer := F (1);\nend A;\n",
        "with A;\npackage B is\n   Y : Integer := A.X;\nend B;\n",
    );
    let main = "with A, B;\nprocedure Main is\nbegin\n   pragma Assert (A.X = 42 and B.Y = 42);\nend Main;\n";
    for (name, text) in [("one.adb", [a, b, main].concat()), ("two.adb", [b, a, main].concat())] {
        folder.file(name, text);
        verdict(&folder.run(&["check", name]), "SAFE");
    }
    let body = "package body A is\nbegin\n   X := 5;\nend A;\n";
    folder.file("three.adb", [a, b, body, main].concat());
    let ran = folder.run(&["check", "three.adb"]);
    assert!(ran.code == Some(2) && ran.err.contains("initial values that are no constants"), "{ran:?}");
}

/// SABS13 §6 and §9 through the command, and the relation as a boolean program.
#[test]
fn assignment_tables_are_shown() {
    let folder = Folder::new("tables");
    folder.file(
        "t.c",
        "int x, y;\nvoid f(void) {\n    x = x + 10;\n    y = y + 1;\n}\nint main(void) { f(); return 0; }\n",
    );
    folder.file("t.preds", "f: x >= 0, y % 2 == 0\n");
    let math = ["--signed-overflow", "undefined", "--entry", "f"];
    let args = |more: &[&'static str]| [&["abstract", "t.c", "--predicates", "t.preds"], &math[..], more].concat();
    let ran = folder.run(&args(&["--method", "direct", "--table"]));
    assert!(ran.out.contains("6 rows, 7 solver calls"), "{ran:?}");
    assert!(ran.out.contains("SABS13's direct method asks 16"), "{ran:?}");
    let ran = folder.run(&args(&["--method", "direct", "-o", "t.bp"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(std::fs::read_to_string(folder.0.join("t.bp")).unwrap().contains("constrain"), "{ran:?}");
    assert_eq!(folder.run(&["bebop", "t.bp", "--all"]).code, Some(0));
    let ran = folder.run(&[
        "compare",
        "t.c",
        "--entry",
        "f",
        "--predicates",
        "t.preds",
        "--json",
        "t.json",
        "--svg",
        "t.svg",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("direct") && ran.out.lines().count() >= 5, "{ran:?}");
    assert!(std::fs::read_to_string(folder.0.join("t.svg")).unwrap().ends_with("</svg>\n"), "{ran:?}");
}

/// TR00 §4.2's table, and fig 7's projections: with integers that do not overflow the exact value of a does not matter, with
/// those that wrap it does.
#[test]
fn paths_of_tr00_are_simulated_and_explained() {
    let folder = Folder::new("x-paths");
    let math = ["--signed-overflow", "undefined"];
    let ran = papers(&folder, &[&["newton", "tr00_4_2.x", "--table"], &math[..]].concat());
    assert!(ran.out.ends_with("Path: INFEASIBLE (6 statements)\n"), "{ran:?}");
    for line in [
        "1: assert(b > 0)  <b, θb>             θb > 0",
        "4: a := a - 1     <a, θb - 1>  <a, θb>",
        "5: assert(a < b)                      (θb - 1) < θb",
    ] {
        let words = |s: &str| s.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(ran.out.lines().any(|l| words(l) == words(line)), "{line}: {ran:?}");
    }
    let ran = papers(&folder, &[&["newton", "tr00_fig7.x", "--projections"], &math[..]].concat());
    assert!(ran.out.contains("del(5) = {1,4,5}") || ran.out.contains("del(5) = {4,5}"), "{ran:?}");
    assert!(ran.out.contains("ICPP forwards: {1,2,3,4,5,6,7,8} to {1,2,4,5,6,7,8} to {1,2,5,6,7,8}"), "{ran:?}");
    assert!(ran.out.contains(" to {1,2,7,8}\n"), "{ran:?}");
    let ran = papers(&folder, &["newton", "tr00_fig7.x", "--projections"]);
    assert!(ran.out.contains(" to {1,2,4,5,8}\n"), "{ran:?}");
    let ran = papers(&folder, &["newton", "tr00_fig1.x", "--table"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

/// TR00 fig 6: two calls, the eight conditions with their scopes, and the program in which the path is infeasible.
#[test]
fn a_path_through_calls_is_explained() {
    let folder = Folder::new("x-fig6");
    let out = folder.0.join("annotated.x");
    let (out, predicates) = (out.to_str().unwrap(), folder.0.join("annotated.preds"));
    let ran = papers(&folder, &["newton", "tr00_fig6.x", "--entry", "A", "--table", "--conditions", "--annotate", out]);
    assert!(ran.out.ends_with("Path: INFEASIBLE (4 statements)\n"), "{ran:?}");
    for line in ["3: b1.2, b2.2 := y, x   <b1.2, θy> <b2.2, θx>", "global: θy < θx", "formal of B: b2 = θx"] {
        assert!(ran.out.lines().any(|l| l == line), "{line}: {ran:?}");
    }
    let check = ["check", out, "--entry", "A", "--engine", "abstraction", "--no-invgen", "--stats", "s.json"];
    let ran = folder.run(&[&check[..], &["--predicates", predicates.to_str().unwrap()]].concat());
    verdict(&ran, "SAFE");
    let stats: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.0.join("s.json")).unwrap()).unwrap();
    assert_eq!(stats["iterations"].as_array().map(Vec::len), Some(1), "the predicates are enough");
    // TR00 fig 1: the path through [3] and past [4], chosen by its labels.
    let ran = papers(&folder, &["newton", "tr00_fig1.x", "--labels", "1-3,8-10", "--table"]);
    assert!(ran.out.ends_with("Path: INFEASIBLE (6 statements)\n"), "{ran:?}");
}

/// A trace of the model checker as a path for Newton.
#[test]
fn a_trace_is_handed_to_newton() {
    let folder = Folder::new("trace-path");
    folder.file(
        "t.c",
        "extern void reach_error(void);\nint x;\nint half(int n) {\n  return n / 2;\n}\n\
         int main(void) {\n  x = half(7);\n  if (x > 3) {\n    reach_error();\n  }\n  return 0;\n}\n",
    );
    folder.file("t.preds", "global: x > 3\n");
    assert_eq!(folder.run(&["abstract", "t.c", "--predicates", "t.preds", "-o", "t.bp"]).code, Some(0));
    assert_eq!(folder.run(&["bebop", "t.bp", "--path", "t.path"]).code, Some(10));
    let ran = folder.run(&["newton", "t.c", "--path", "t.path"]);
    assert!(ran.out.lines().last().is_some_and(|l| l.starts_with("Path: INFEASIBLE (")), "{ran:?}");
}

/// Who names the subprogram that stands alone asks for the run that there is without: packages hold their initial values.
#[test]
fn a_subprogram_that_stands_alone_begins_with_initial_values() {
    let folder = Folder::new("spark-entry");
    let package = "package P is\n   G : Natural := 0;\n   procedure Get (X : out Natural);\nend P;\npackage body P is\n   \
                   procedure Get (X : out Natural) is\n   begin\n      X := G;\n      pragma Assert (X = 0);\n   end Get;\nend P;\n";
    let main =
        "with P;\nprocedure Main is\n   X : Natural;\nbegin\n   P.Get (X);\n   pragma Assert (X = 0);\nend Main;\n";
    folder.file("m.adb", [package, main].concat());
    verdict(&folder.run(&["check", "m.adb"]), "SAFE");
    verdict(&folder.run(&["check", "m.adb", "--entry", "Main"]), "SAFE");
    verdict(&folder.run(&["check", "m.adb", "--entry", "P.Get"]), "UNSAFE");
    verdict(&folder.run(&["check", "m.adb", "--entry", "P.Get", "--globals", "initial"]), "SAFE");
    verdict(&folder.run(&["check", "m.adb", "--globals", "arbitrary"]), "UNSAFE");
}

/// Proofs, not runs: the parameters are inputs.
#[test]
fn spark_programs_with_inputs_are_proved() {
    let folder = Folder::new("spark-inputs");
    let text = "package S is\n   type T is private;\n   function Size (X : T) return Natural;\n   procedure Push (X : in out T; V : Integer) with\n     \
                Contract_Cases => (Size (X) < 3 => Size (X) = Size (X)'Old + 1, others => Size (X) = 3);\nprivate\n   type Data is array \
                (1 .. 3) of Integer;\n   subtype Length is Natural range 0 .. 3;\n   type T is record\n      D : Data := (others => 0);\n      \
                N : Length := 0;\n   end record;\n   function Size (X : T) return Natural is (X.N);\nend S;\npackage body S is\n   procedure \
                Push (X : in out T; V : Integer) is\n   begin\n      if X.N < 3 then\n         X.N := X.N + 1;\n         X.D (X.N) := V;\n      \
                end if;\n   end Push;\nend S;\nwith S; use S;\nprocedure Main (A, B : Integer) is\n   type Vec is array (Positive range <>) of \
                Integer;\n   X : T;\n   procedure Most (V : Vec; R : out Integer) with Post => (for all E of V => E <= R);\n   procedure Most (V : \
                Vec; R : out Integer) is\n   begin\n      R := V (V'First);\n      for E of V loop\n         if E > R then\n            R := \
                E;\n         end if;\n      end loop;\n   end Most;\n   W : Vec (1 .. 2) := (A, B);\n   M : Integer;\nbegin\n   Push (X, A);\n   \
                Push (X, B);\n   pragma Assert (Size (X) = 2);\n   Most (W, M);\n   pragma Assert (M >= A and M >= B);\nend Main;\n";
    folder.file("ok.adb", text);
    verdict(&folder.run(&["check", "ok.adb"]), "SAFE");
    folder.file("bad.adb", text.replace("if E > R", "if E > R and E < 1000"));
    verdict(&folder.run(&["check", "bad.adb"]), "UNSAFE");
}

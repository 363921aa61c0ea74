//! Programs that are not in C: the language X of TR00, and SPARK; verdicts, messages, and what is refused.
#![expect(clippy::disallowed_methods, reason = "the tests run the built binary on files")]

mod support;
use support::{Folder, Ran};

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

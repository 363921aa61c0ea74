//! The papers' scalar programs in `examples/papers/`, through the command: the verdicts they announce, and the boolean
//! programs that the papers print, compared statement by statement on the valuations that `enforce` keeps.

use crate::support::{Folder, Ran};
use base::{SourceMap, Span};
use boolprog::{Dialect, Program};
use std::path::PathBuf;

fn papers() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/papers")
}

/// Runs the command in the folder of the papers' programs.
fn hardbop(folder: &Folder, args: &str) -> Ran {
    let args: Vec<&str> = args.split_whitespace().collect();
    Ran::of(folder.command(&args).current_dir(papers()))
}

fn program(name: &str, text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let span = Span::new(file, 0, text.len() as u32);
    boolprog::parse(&sources, span, Dialect::Bebop).unwrap_or_else(|d| panic!("{name}: {d:?}\n{text}"))
}

#[test]
fn every_program_gets_the_verdict_it_announces() {
    let folder = Folder::new("papers");
    let mut files: Vec<PathBuf> = std::fs::read_dir(papers()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "c"));
    files.sort();
    let mut decided = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let says = |head: &str| text.lines().find_map(|l| l.strip_prefix(head)).unwrap_or_default();
        let name = file.file_name().unwrap().to_str().unwrap();
        let expected = says("// expect: ");
        if expected.is_empty() {
            continue;
        }
        let ran = hardbop(&folder, &format!("check {name} {}", says("// options: ")));
        let line = ran.out.lines().last().unwrap_or_default();
        assert!(line.starts_with(&format!("Verdict: {expected} (")), "{name}: {ran:?}");
        decided += 1;
    }
    assert!(decided >= 9, "{decided} programs announce a verdict");
}

/// The boolean programs that the papers print, or that follow from what they print where addition wraps.
#[test]
fn the_boolean_programs_are_the_papers() {
    let folder = Folder::new("papers-bp");
    let math = "--signed-overflow undefined";
    for (expected, args) in [
        ("tr00_fig1.bp", "tr00_fig1.c --entry getUnit --externs pure --predicates tr00_fig1.preds".to_string()),
        ("tr00_4_1_table.bp", "tr00_4_1_table.c --entry f --predicates tr00_4_1_table.preds".to_string()),
        ("tr00_4_1_table.math.bp", format!("tr00_4_1_table.c --entry f --predicates tr00_4_1_table.preds {math}")),
        ("tr00_4_1_assert.bp", "tr00_4_1_assert.c --entry f --predicates tr00_4_1_assert.preds".to_string()),
        ("pldi01_4_1.bp", "pldi01_4_1.c --entry f --predicates pldi01_4_1.preds".to_string()),
        ("pldi01_4_1.math.bp", format!("pldi01_4_1.c --entry f --predicates pldi01_4_1.preds {math}")),
        ("pldi01_5_1.bp", "pldi01_5_1.c --entry f --predicates pldi01_5_1.preds".to_string()),
        ("tacas01_fig1.bp", "tacas01_fig1.c --entry foo --predicates tacas01_fig1.preds".to_string()),
        ("toplas05_fig2.bp", format!("toplas05_fig1.c --predicates toplas05_fig2.preds {math}")),
        ("toplas05_fig3.bp", format!("toplas05_fig1.c --predicates toplas05_fig3.preds {math}")),
        // Equalities with x + 1 mean the same where addition wraps.
        ("toplas05_fig2.bp", "toplas05_fig1.c --predicates toplas05_fig2.preds".to_string()),
        ("toplas05_fig3.bp", "toplas05_fig1.c --predicates toplas05_fig3.preds".to_string()),
    ] {
        let text = std::fs::read_to_string(papers().join(expected)).unwrap();
        let paper = program(expected, &text);
        for engine in ["cubes", "models"] {
            let ran = hardbop(&folder, &format!("abstract {args} --engine {engine}"));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let ours = program("ours", &ran.out);
            assert_eq!(reach::equiv(&paper, &ours), Ok(()), "{expected}, {engine}:\n{}", ran.out);
            // What both programs leave out is the same, so nothing is equal by leaving out too much.
            for proc in &paper.procs {
                let other = &ours.procs[ours.find_proc(&proc.name).unwrap()];
                assert_eq!(proc.enforce.is_some(), other.enforce.is_some(), "{expected}");
            }
        }
    }
    // The comparison is one that can fail: the two meanings of addition differ.
    let read = |name: &str| program(name, &std::fs::read_to_string(papers().join(name)).unwrap());
    assert_ne!(reach::equiv(&read("tr00_4_1_table.bp"), &read("tr00_4_1_table.math.bp")), Ok(()));
    assert_ne!(reach::equiv(&read("pldi01_4_1.bp"), &read("pldi01_4_1.math.bp")), Ok(()));
}

/// TR00 figure 1, whole: the skeleton reaches [10]; the paths and predicates come in the paper's order; `level` is never
/// tracked; the third boolean program does not reach [10].
#[test]
fn tr00_fig_1_is_refined_as_in_the_paper() {
    let folder = Folder::new("papers-tr00");
    let out = folder.0.to_str().unwrap();
    let ran = hardbop(
        &folder,
        &format!(
            "check tr00_fig1.c --entry getUnit --engine abstraction --no-invgen --dump bp,preds,trace --out {out}"
        ),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    // The lines of the paper that a path passes.
    let marks = |text: &str| -> Vec<u32> {
        let mark = |l: &str| l.rsplit_once('[')?.1.strip_suffix(']')?.parse().ok();
        text.lines().filter_map(mark).collect()
    };
    assert_eq!(file("tr00_fig1.1.preds"), "", "B1 is the skeleton");
    assert_eq!(marks(&file("tr00_fig1.1.trace")), [1, 2, 7, 8, 9, 10]);
    assert_eq!(file("tr00_fig1.2.preds"), "global:\n  numUnits == 0\n");
    assert_eq!(marks(&file("tr00_fig1.2.trace")), [1, 2, 3, 8, 9, 10]);
    assert_eq!(file("tr00_fig1.3.preds"), "global:\n  numUnits == 0\ngetUnit:\n  canEnter\n");
    assert!(!folder.0.join("tr00_fig1.3.trace").exists(), "B3 has no path to [10]");
    assert!(!folder.0.join("tr00_fig1.4.bp").exists());
    for (round, reaches) in [(1, true), (2, true), (3, false)] {
        let bp = program("bp", &file(&format!("tr00_fig1.{round}.bp")));
        let analysis = reach::analyze(&bp, &[], &reach::Options::default()).unwrap();
        let at: Vec<bool> = analysis.labels().iter().filter(|l| l.1.starts_with("ERROR_")).map(|l| l.2).collect();
        assert_eq!(at, [reaches], "round {round}");
    }
    // Each path is explained as the paper explains it.
    for (round, predicate) in [(1, "numUnits == 0"), (2, "canEnter")] {
        let path = folder.0.join(format!("tr00_fig1.{round}.trace"));
        let ran = hardbop(&folder, &format!("newton tr00_fig1.c --entry getUnit --path {}", path.display()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains(&format!("  {predicate}\n")) && !ran.out.contains("level <"), "{}", ran.out);
        assert!(ran.out.ends_with("cannot hold together)\n"), "{}", ran.out);
    }
}

/// TOPLAS05 sections 1, 2 and 4.4: without the polymorphic predicates nothing is known; interfaces and bindings.
#[test]
fn toplas05_interfaces() {
    let folder = Folder::new("papers-interfaces");
    let ran = hardbop(&folder, "abstract toplas05_4_4.c --predicates toplas05_4_4.preds");
    let f = ran.out.lines().find(|l| l.contains(" f(") && l.ends_with("begin")).unwrap();
    assert_eq!(f, "bool<6> f({x < 1}, {y < 1}, {x < g}, {'x < 4}) begin", "E_f");
    let returned = ran.out.lines().filter_map(|l| l.trim().strip_prefix("return ")).max_by_key(|l| l.len()).unwrap();
    let mut returned: Vec<&str> = returned.trim_end_matches(';').split(", ").collect();
    returned.sort_unstable();
    let expected = ["{'g < g}", "{'x < 4}", "{g == 'g}", "{y + 'x < $result}", "{y < $result}", "{y < 1}"];
    assert_eq!(returned, expected, "E_r: nothing about x, which changes");
    assert!(ran.out.contains("{'x < x}, {'g < g}, {x == 'x}, {g == 'g} := F, F, T, T;"), "bindings: {}", ran.out);
    assert!(!ran.out.contains("{y == 'y}"), "y never changes: its binding is a fact");
    // One abstraction of `inc` serves every caller.
    let inc = |args: &str| {
        let ran = hardbop(&folder, &format!("abstract {args}"));
        let at = ran.out.find("inc() begin").unwrap_or_else(|| panic!("{}", ran.out));
        ran.out[at..].split("\nend").next().unwrap().to_string()
    };
    let one = inc("toplas05_fig1.c --predicates toplas05_fig3.preds");
    assert_eq!(one, inc("toplas05_fig3_foo5.c --predicates toplas05_fig3_foo5.preds"));
    assert_eq!(one, inc("toplas05_fig3_foo5.c --predicates toplas05_fig3_poly.preds"));
    // The polymorphic `foo` proves its call, too, and says so.
    let ran = hardbop(
        &folder,
        "check toplas05_fig3_foo5.c --engine abstraction --no-invgen --predicates toplas05_fig3_poly.preds",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("$result == 'a + 2"), "{}", ran.out);
    let ran = hardbop(&folder, "invariants toplas05_fig1.c --predicates toplas05_fig3.preds --function inc");
    assert!(ran.out.contains("exit:\n     $result == 'x + 1\n"), "{}", ran.out);
}

/// PLDI01 4.5.3 note 4 and TOPLAS05 4.4.3: no fact about a formal that changed, and no stale fact about a global.
#[test]
fn nothing_is_known_of_what_a_call_changes() {
    let folder = Folder::new("papers-stale");
    let ran = hardbop(&folder, "abstract pldi01_4_5_3.c --predicates pldi01_4_5_3.preds");
    assert!(ran.out.contains("\nvoid set({x == 1}) begin"), "nothing is returned: {}", ran.out);
    let ran = hardbop(&folder, "abstract toplas05_4_4_3.c --predicates toplas05_4_4_3.preds");
    assert!(ran.out.contains("f();\n  {g == l}, {g == 0} := *, *;"), "{}", ran.out);
    let invariant = |preds: &str, file: &str, line: u32| {
        hardbop(&folder, &format!("invariants {file} --predicates {preds} --line {line}")).out
    };
    let kept = invariant("toplas05_4_4_3_kept.preds", "toplas05_4_4_3_kept.c", 19);
    assert!(kept.contains("main L2:\n     g == 0 && g == l\n"), "{kept}");
    let stale = invariant("toplas05_4_4_3.preds", "toplas05_4_4_3.c", 16);
    assert!(stale.contains("main L2:\n     l == 0\n"), "{stale}");
}

/// TACAS01 §8, example 1: the Boolean image keeps that x is either above or below 5, the Cartesian one does not.
#[test]
fn tacas01_8_example_1_through_the_command() {
    let folder = Folder::new("papers-post");
    let asked = |state: &str, line: u32| {
        let args =
            format!("abstract tacas01_8_1.c --entry f --predicates tacas01_8_1.preds --post {state} --line {line}");
        hardbop(&folder, &args)
    };
    let ran = asked("<0,0,0>", 6);
    for line in [
        "  predicates  x > 5, x < 5, y == 5",
        "  before      <0,0,0>",
        "  Boolean     {<0,1,0>, <1,0,0>}",
        "  Cartesian   <*,*,0>",
    ] {
        assert!(ran.out.lines().any(|l| l == line), "{line}: {ran:?}");
    }
    assert_eq!((ran.code, ran.out.lines().last()), (Some(0), Some("Images: DONE (1 step on line 6)")), "{ran:?}");
    let few = asked("<1,0>", 6);
    assert!(few.code == Some(1) && few.err.contains("in this order: x > 5, x < 5, y == 5"), "{few:?}");
    let nowhere = asked("<1,0,0>", 3);
    assert!(nowhere.code == Some(1) && nowhere.err.contains("stands on line 3"), "{nowhere:?}");
    let odd = asked("<1,2,0>", 6);
    assert!(odd.code == Some(1) && odd.err.contains("`2` in `<1,2,0>`"), "{odd:?}");
}

/// TACAS01 §10's shape: 350 lines, 35 predicates in one cone of influence, cubes up to 3.
#[test]
fn tacas01_10_costs_what_it_may() {
    let folder = Folder::new("papers-tacas10");
    let stats = folder.0.join("s.json");
    let ran = hardbop(
        &folder,
        &format!(
            "abstract tacas01_10.c --predicates tacas01_10.preds --max-cube 3 --timeout 300s --stats {} -o {}",
            stats.display(),
            folder.0.join("t.bp").display()
        ),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let stats: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
    let count = |name: &str| stats["counters"][name].as_u64().unwrap();
    assert_eq!((count("predicates"), count("cut_short") + count("undecided")), (35, 0));
    assert!(count("sat_calls") < 20_000, "{}", count("sat_calls"));
}

/// Predicates of a function that the entry does not call are left aside with a warning; those of no function are an error.
#[test]
fn predicates_of_unreached_functions_are_left_aside() {
    let folder = Folder::new("papers-unreached");
    folder.file("t.c", "int x;\nvoid f(void) { x = 1; }\nvoid g(int y) { x = y; }\n");
    folder.file("t.preds", "global: x == 1\ng: y == 1\n").file("u.preds", "h: x == 1\n");
    let ran = folder.run(&["abstract", "t.c", "--entry", "f", "--predicates", "t.preds"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning: `f` does not call `g`: its predicates are not used"), "{ran:?}");
    let ran = folder.run(&["abstract", "t.c", "--entry", "f", "--predicates", "u.preds"]);
    assert!(ran.code == Some(2) && ran.err.contains("there is no function `h`"), "{ran:?}");
}

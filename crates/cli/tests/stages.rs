//! The commands that ask one stage of the loop, what a proof and an UNKNOWN look like, and recursion.

use crate::support::{Folder, Ran};
use expect_test::expect;
use std::path::PathBuf;

const CLIP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
static int clip(int x, int most) {
    if (x > most) x = most;
L:  return x;
}
int main(void) {
    int i = 0, n = __VERIFIER_nondet_int();
    while (i < 10) {
        i++;
        g = clip(n, i);
    }
    if (g > 10) reach_error();
    return 0;
}
";

const CLIP_PREDS: &str = "clip: x <= most, $result <= most\nmain: i < 10, i <= 10, g <= i\n";

fn clip(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("clip.c", CLIP).file("clip.preds", CLIP_PREDS);
    folder
}

fn example(folder: &Folder, file: &str, options: &[&str]) -> Ran {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let args: Vec<&str> = ["check", file].into_iter().chain(options.iter().copied()).collect();
    Ran::of(folder.command(&args).current_dir(root))
}

#[test]
fn abstract_prints_a_boolean_program() {
    let folder = clip("abstract");
    let ran = folder.run(&["abstract", "clip.c", "--predicates", "clip.preds"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let last = ran.out.lines().last().unwrap();
    assert!(last.starts_with("// Abstraction: DONE (2 procedures, 5 predicates, "), "{last}");
    assert!(ran.out.contains("clip({most < x})") && ran.out.contains("{i < 10}"), "{}", ran.out);
    // To a file, with statistics; both engines give the same here.
    let text = ran.out.clone();
    for engine in ["cubes", "models"] {
        let args = ["abstract", "clip.c", "--predicates", "clip.preds", "--engine", engine];
        let ran = folder.run(&[&args[..], &["-o", "out.bp", "--stats", "s.json"]].concat());
        assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
        let written = std::fs::read_to_string(folder.0.join("out.bp")).unwrap();
        assert!(text.starts_with(&written), "{written}");
        let stats: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.0.join("s.json")).unwrap()).unwrap();
        assert_eq!((&stats["verdict"], &stats["counters"]["predicates"]), (&"DONE".into(), &5.into()));
        assert!(stats["counters"]["solver_queries"].as_u64().unwrap() > 10);
    }
    // Shorter cubes cost fewer questions and say less.
    let ran = folder.run(&["abstract", "clip.c", "--predicates", "clip.preds", "--max-cube", "1"]);
    assert_eq!(ran.code, Some(0));
    assert_ne!(ran.out, text);
    // Without predicates only branching is left.
    let ran = folder.run(&["abstract", "clip.c"]);
    assert!(!ran.out.contains("decl") && ran.out.contains("clip();"), "{}", ran.out);
    assert!(ran.out.contains("// Abstraction: DONE (2 procedures, 0 predicates, "), "{}", ran.out);
}

#[test]
fn invariants_are_sums_of_cubes_in_c() {
    let folder = clip("invariants");
    let invariants =
        |more: &[&str]| folder.run(&[&["invariants", "clip.c", "--predicates", "clip.preds"], more].concat());
    let ran = invariants(&[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    expect![[r#"
        clip.c:10:12: main loop:
             i < 10
          || i < 11 && i >= g
        clip.c:16:1: main exit:
             true
        clip.c:6:5: clip label L:
             most >= x
        clip.c:7:1: clip exit:
             'most >= $result
          ('x is the value of x when the function was called, $result is what it returns)
        The answer rests on:
          signed overflow wraps; executions with other undefined behaviour do not count
        Invariants: DONE (4 points, in terms of 5 predicates)
    "#]]
    .assert_eq(&ran.out);
    let first = |ran: &Ran| ran.out.lines().take(2).collect::<Vec<_>>().join("|");
    assert_eq!(first(&invariants(&["--label", "L"])), "clip.c:6:5: clip label L:|     most >= x");
    assert_eq!(first(&invariants(&["--line", "12"])), "clip.c:12:13: main L4:|     i < 11");
    let all = invariants(&["--function", "main"]);
    assert!(all.out.contains("Invariants: DONE (9 points"), "{}", all.out);
    assert!(all.out.contains("clip.c:14:17: main L6:\n     false\n"), "the error is not reached: {}", all.out);
    // Without predicates: those of a proof.
    let ran = folder.run(&["invariants", "clip.c"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("main loop:\n") && ran.out.contains("i >= g"), "{}", ran.out);
    assert!(ran.out.ends_with("of a proof that was checked)\n"), "{}", ran.out);
}

#[test]
fn points_that_are_not_there_are_wrong_usage() {
    let folder = clip("points");
    for (option, value, says) in [
        ("--label", "M", "there is no label `M` that execution could reach"),
        ("--function", "clap", "there is no function `clap` with a body"),
        ("--line", "999", "no statement begins on line 999"),
    ] {
        let ran = folder.run(&["invariants", "clip.c", option, value]);
        ran.expect(1, &format!("Invariants: UNKNOWN ({says})"), &format!("error: {says}"));
    }
}

#[test]
fn newton_explains_a_path() {
    let folder = clip("newton");
    folder.file("cut.c", "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x + 1;\n  if (y == 8) if (x != 7) reach_error();\n  return 0;\n}\n");
    let ran =
        folder.run(&["check", "cut.c", "--engine", "abstraction", "--no-invgen", "--dump", "trace", "--out", "d"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let trace = std::fs::read_to_string(folder.0.join("d/cut.1.trace")).unwrap();
    assert!(trace.contains("// cut.c:5:11: int y = x + 1;\n"), "{trace}");
    let ran = folder.run(&["newton", "cut.c", "--path", "d/cut.1.trace"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    expect![[r#"
        These steps disagree:
          step 3: main e2                  // cut.c:6:7: if (y == 8) if (x != 7) reach_error();
          step 4: main e4                  // cut.c:6:19: if (y == 8) if (x != 7) reach_error();
        Predicates that rule it out:
          main:
            x == 7
            y == 8
        The answer rests on:
          signed overflow wraps; executions with other undefined behaviour do not count
        Path: INFEASIBLE (2 conditions of 5 steps cannot hold together)
    "#]]
    .assert_eq(&ran.out);
    // The path up to the last condition can be executed.
    let head: String = trace.lines().take(3).map(|l| format!("{l}\n")).collect();
    folder.file("head.path", head);
    let ran = folder.run(&["newton", "cut.c", "--path", "head.path"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.out.contains("__VERIFIER_nondet_int() = 7\n"), "{}", ran.out);
    assert!(ran.out.ends_with("Path: FEASIBLE (3 steps, executed on the inputs shown)\n"), "{}", ran.out);
    // What is no path is a mistake in the file, with its place.
    folder.file("broken.path", "// comment\nmain e0\n\nmain e4 // jumps\n").file("names.path", "main e0\nmian e1\n");
    folder.file("edge.path", "main e77\n");
    let says = "step 2 of the path does not start where the one before leads";
    folder.run(&["newton", "cut.c", "--path", "broken.path"]).expect(
        2,
        &format!("Path: UNKNOWN (front end: broken.path:4:1: {says})"),
        &format!("broken.path:4:1: error: {says}"),
    );
    let ran = folder.run(&["newton", "cut.c", "--path", "names.path"]);
    assert_eq!(
        (ran.code, ran.err.lines().next()),
        (Some(2), Some("names.path:2:1: error: there is no function `mian` [syntax]"))
    );
    let ran = folder.run(&["newton", "cut.c", "--path", "edge.path"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("edge.path:1:6: error: expected an edge of `main`"), "{}", ran.err);
    assert_eq!(folder.run(&["newton", "cut.c", "--path", "missing.path"]).code, Some(2));
    assert_eq!(folder.run(&["newton", "cut.c"]).code, Some(1), "a path is needed");
}

/// Mistakes in a predicate file have a place and a reason, for every command that reads one.
#[test]
fn predicate_files_are_checked() {
    let folder = clip("predicates");
    for (text, says) in [
        ("main:\n  clip(i, 2) > 0\n", "bad.preds:2:3: error: a condition cannot call a function (`clip`) [call]"),
        (
            "global:\n  g > 0\n  i > 0\n",
            "bad.preds:3:3: error: a global condition cannot name `i`, a local of `main` [local-in-global]",
        ),
        (
            "main: i > 'i\n",
            "bad.preds:1:11: error: `'i` has no meaning: `i` is neither a parameter of `main` nor a global \
             [symbolic-constant]",
        ),
        ("clip: x > i\n", "bad.preds:1:11: error: `i` is a local of `main`, not of `clip` [out-of-scope]"),
        ("main: nothing > 0\n", "bad.preds:1:7: error: `nothing` is not declared [undeclared]"),
        (
            "i > 0\n",
            "bad.preds:1:1: error: a condition needs a scope before it: `global:` or a function's name and `:` [syntax]",
        ),
    ] {
        folder.file("bad.preds", text);
        for command in ["check", "abstract", "invariants"] {
            let ran = folder.run(&[command, "clip.c", "--predicates", "bad.preds"]);
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert_eq!(ran.err.lines().next(), Some(says), "{command}: {}", ran.err);
        }
    }
}

/// A proof for people; also one in which a callee's promise speaks of a parameter that never changes.
#[test]
fn a_proof_is_shown() {
    let folder = clip("shown");
    let args = ["check", "clip.c", "--engine", "abstraction", "--no-invgen", "--predicates", "clip.preds"];
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    expect![[r#"
        The proof:
          main (clip.c:8):
            loop at clip.c:10     i < 10
                               || i < 11 && i >= g
          clip (clip.c:4):
            every return      'most >= $result
            L at clip.c:6     most >= x
          ('x is the value of x when the function was called, $result is what it returns)
        The answer rests on:
          signed overflow wraps; executions with other undefined behaviour do not count
        Verdict: SAFE (the proof was checked; engine abstraction)
    "#]]
    .assert_eq(&ran.out);
    let ran = folder.run(&[&args[..], &["--show-proof"]].concat());
    for says in ["main (clip.c:8):\n    every call", "The predicates it uses:\n  main: i < 10", "  clip: "] {
        assert!(ran.out.contains(says), "{}", ran.out);
    }
    let ran = example(&folder, "lock.c", &["--engine", "abstraction", "--no-invgen"]);
    assert!(ran.out.contains("every call       locked == 0\n"), "{}", ran.out);
    assert!(ran.out.contains("every return     locked != 0\n"), "{}", ran.out);
    assert!(ran.out.contains("may change       locked\n"), "{}", ran.out);
}

/// A recursive function is proved by what it promises; the bound in its caller does not matter to the proof.
#[test]
fn recursion_is_proved_by_a_contract() {
    let folder = Folder::new("recursion");
    let source =
        std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/recursion.c")).unwrap();
    assert!(source.contains("n > 10000"));
    folder.file("large.c", &source).file("small.c", source.replace("n > 10000", "n > 10"));
    let mut proofs = Vec::new();
    for name in ["large", "small"] {
        let (file, proof) = (format!("{name}.c"), format!("{name}.proof"));
        let ran = folder.run(&["check", &file, "--engine", "abstraction", "--no-invgen", "--emit-proof", &proof]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("every return     $result == 'n\n"), "{}", ran.out);
        assert_eq!(folder.run(&["certify", &file, &proof]).code, Some(0));
        proofs.push(std::fs::read_to_string(folder.0.join(&proof)).unwrap());
    }
    let body = |proof: &str| proof.lines().filter(|l| !l.starts_with("program ")).collect::<Vec<_>>().join("\n");
    assert_eq!(body(&proofs[0]).replace("10001:i32", "11:i32"), body(&proofs[1]));
    assert!(proofs[0].contains("10001:i32"));
}

#[test]
fn a_deep_recursive_bug_is_found_by_abstraction_and_replayed() {
    let folder = Folder::new("deep");
    let tape = folder.0.join("t.tape");
    let options = ["--engine", "abstraction", "--no-invgen", "--emit-tape", tape.to_str().unwrap()];
    let ran = example(&folder, "recursion_bug.c", &options);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.out.contains("[20 calls deep]") && ran.out.ends_with("engine abstraction)\n"), "{}", ran.out);
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let args = ["run", "recursion_bug.c", "--tape", tape.to_str().unwrap()];
    let ran = Ran::of(folder.command(&args).current_dir(root));
    assert_eq!(ran.out, "Run: FAILED (`reach_error` is called at recursion_bug.c:10:22)\n");
}

/// A refinement that comes to no end says where it stands: loop or function, path, what disagrees, predicates, advice.
#[test]
fn refinement_without_end_is_explained() {
    let folder = Folder::new("diverges");
    for (file, needs, disagrees, predicate) in [
        ("unknown.c", "it needs an invariant of the loop at unknown.c:9", "while (i < n) {", "i < n"),
        ("unknown_bits.c", "it needs an invariant of the loop at unknown_bits.c:11", "while (y != 0) {", "y == 0U"),
        ("unknown_recursion.c", "", "if (b == 0) return 0;", "product: b == 0"),
    ] {
        let ran = example(&folder, file, &["--engine", "abstraction", "--no-invgen", "--max-iterations", "4"]);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        assert!(ran.out.starts_with("The refinement came to no end:\n"), "{}", ran.out);
        for says in [needs, disagrees, predicate, "do not say so: lines ", "What to try next:\n  --predicates FILE"] {
            assert!(ran.out.contains(says), "{file}, {says}: {}", ran.out);
        }
        let last = ran.out.lines().last().unwrap();
        assert!(last.starts_with("Verdict: UNKNOWN (refinement: "), "{last}");
        assert!(last.contains(" in phase refine, iteration "), "{last}");
    }
    // The same from outside: a limit of time names phase, round, loop and path.
    let ran = example(&folder, "unknown.c", &["--engine", "abstraction", "--no-invgen", "--timeout", "3s"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.out.contains("it may need an invariant of the loop at unknown.c:9\n"), "{}", ran.out);
    assert!(ran.out.contains("the last path it looked at: lines 8, "), "{}", ran.out);
    let last = ran.out.lines().last().unwrap();
    assert!(last.starts_with("Verdict: UNKNOWN (time limit of 3 s reached in phase "), "{last}");
    assert!(last.contains(", iteration ") && last.contains(", at the loop at unknown.c:9, met "), "{last}");
}

//! The laboratory through the command: both families of abstraction with blocks and cube sizes (SABS13), control flow, TACAS01's
//! Cartesian view with focus, TR00's third value, and other tools' answers about boolean programs.

#![allow(clippy::print_stderr, reason = "a test that skips says so aloud")]

use crate::support::{Folder, Ran};
use std::path::PathBuf;
use std::process::Command;

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn papers(folder: &Folder, args: &str) -> Ran {
    let args: Vec<&str> = args.split_whitespace().collect();
    Ran::of(folder.command(&args).current_dir(examples().join("papers")))
}

fn bebop(folder: &Folder, args: &str) -> Ran {
    let args: Vec<&str> = std::iter::once("bebop").chain(args.split_whitespace()).collect();
    Ran::of(folder.command(&args).current_dir(examples().join("bebop")))
}

/// The first word of the verdict.
fn word(ran: &Ran) -> &str {
    let last = ran.out.lines().last().unwrap_or_default();
    last.strip_prefix("Verdict: ").and_then(|l| l.split(' ').next()).unwrap_or("none")
}

#[track_caller]
fn has(ran: &Ran, lines: &[&str]) {
    for line in lines {
        assert!(ran.out.lines().any(|l| l == *line), "{line}: {ran:?}");
    }
}

/// SABS13 §5, §6, §7, §9: the tables.
#[test]
fn tables_of_sabs13() {
    let folder = Folder::new("methods-tables");
    let math = "--signed-overflow undefined";
    let table = |n: u32, more: &str| {
        papers(&folder, &format!("abstract sabs13_{n}.c --entry f --predicates sabs13_{n}.preds --table {more}"))
    };
    // x := -x: what is at most 0 becomes at least 0, and 0 stays.
    has(
        &table(5, math),
        &[
            "  F        F        |  T         T",
            "  T        F        |  T         F",
            "  T        T        |  F         F",
        ],
    );
    let six = table(6, math);
    has(
        &six,
        &[
            "  {x < 0} := (!{x < 0} ? F : *)",
            "  {y % 2 == 0} := !{y % 2 == 0}",
            "Tables: DONE (1 block, 6 rows, 7 solver calls)",
        ],
    );
    has(&table(6, ""), &["Tables: DONE (1 block, 8 rows, 9 solver calls)"]);
    let nine = table(9, "--block statement");
    has(&nine, &["  {x < 0} := F", "  {x < 101} := T"]);
    // §12: twelve predicates on one block.
    let twelve = papers(&folder, "abstract sabs13_12.c --entry f --predicates sabs13_12.preds --table");
    assert!(twelve.out.contains("Tables: DONE (1 block, 617 rows, "), "{twelve:?}");
    // The row of the initialisation begins also where no state is; that of the step does not.
    let of = |line: &str| nine.out.lines().filter(|l| l.trim() == line).count();
    assert_eq!(
        (of("T        F          |  F         T"), of("T        F          |  T         F")),
        (1, 0),
        "{nine:?}"
    );
}

/// SABS13 §11: three treatments of conditions, one verdict; the conditions as predicates are more variables.
#[test]
fn control_flow_three_ways() {
    let folder = Folder::new("methods-control");
    let mut variables = Vec::new();
    for control in ["assume", "conditions", "sets"] {
        let out = folder.0.join(format!("{control}.bp"));
        let ran = papers(
            &folder,
            &format!("abstract sabs13_11.c --predicates sabs13_11.preds --control {control} -o {}", out.display()),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let ran = folder.run(&["bebop", out.to_str().unwrap()]);
        assert_eq!(word(&ran), "SAFE", "{control}: {ran:?}");
        let text = std::fs::read_to_string(&out).unwrap();
        variables.push(
            text.lines().filter(|l| l.trim_start().starts_with("decl")).map(|l| l.matches('{').count()).sum::<usize>(),
        );
    }
    assert!(variables[0] == variables[2] && variables[1] > variables[0], "{variables:?}");
    // Without a predicate that says it, all three reach the error.
    folder.file("few.preds", "main: x == 3\n");
    for control in ["assume", "sets"] {
        let few = folder.0.join("few.preds");
        let out = folder.0.join("few.bp");
        papers(
            &folder,
            &format!("abstract sabs13_11.c --predicates {} --control {control} -o {}", few.display(), out.display()),
        );
        assert_eq!(word(&folder.run(&["bebop", out.to_str().unwrap()])), "UNSAFE", "{control}");
    }
    let refused = papers(&folder, "abstract sabs13_11.c --predicates sabs13_11.preds --block large");
    assert!(refused.code == Some(1) && refused.err.contains("--block is about tables"), "{refused:?}");
}

/// One row for each method, block size and cube size; no method reaches a state that a less precise one does not.
#[test]
fn methods_are_compared() {
    let folder = Folder::new("methods-compare");
    let (json, svg) = (folder.0.join("c.json"), folder.0.join("c.svg"));
    let ran = papers(
        &folder,
        &format!("compare sabs13_11.c --predicates sabs13_11.preds --json {} --svg {}", json.display(), svg.display()),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out.lines().last(), Some("Comparison: DONE (15 boolean programs)"), "{ran:?}");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let of = |method: &str, block: &str, cube: Option<u64>| {
        let wanted =
            |r: &&serde_json::Value| r["method"] == method && r["block"] == block && r["max_cube"].as_u64() == cube;
        rows.iter().find(wanted).unwrap_or_else(|| panic!("{method} {block} {cube:?}: {ran:?}"))
    };
    let states = |r: &serde_json::Value| r["states"].as_u64().unwrap();
    for block in ["statement", "basic", "large"] {
        let direct = of("direct", block, None);
        assert_eq!(direct["verdict"], "unreachable", "{ran:?}");
        let mut coarser = states(direct);
        for k in (1..=3).rev() {
            let sat = of("cartesian-sat", block, Some(k));
            assert!(states(sat) >= coarser, "{block} {k}: {ran:?}");
            assert!(sat["solver_calls"] == direct["solver_calls"] && sat["table_rows"].as_u64() > Some(0), "{ran:?}");
            coarser = states(sat);
        }
        assert!(states(of("direct", "large", None)) <= states(direct), "{ran:?}");
    }
    assert!(of("cartesian-wp", "statement", Some(3))["table_rows"].is_null());
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.contains("cartesian-sat large k=2") && svg.ends_with("</svg>\n"), "{svg}");
    // The same boolean programs by `abstract`.
    for method in ["direct", "cartesian-sat"] {
        for block in ["statement", "basic", "large"] {
            let out = folder.0.join("b.bp");
            let made = papers(
                &folder,
                &format!(
                    "abstract sabs13_11.c --predicates sabs13_11.preds --method {method} --block {block} -o {}",
                    out.display()
                ),
            );
            assert_eq!(made.code, Some(0), "{made:?}");
            let expected = of(method, block, (method != "direct").then_some(3))["verdict"] == "unreachable";
            assert_eq!(word(&folder.run(&["bebop", out.to_str().unwrap()])) == "SAFE", expected, "{method} {block}");
        }
    }
}

/// TACAS01 §8, examples 2 and 3, and §9: what the Cartesian view forgets, and what focus and sets at joins keep.
#[test]
fn cartesian_views() {
    let folder = Folder::new("methods-cartesian");
    let two = bebop(&folder, "tacas01-8-2.bp --invariants --label AFTER");
    assert!(two.out.contains("    !x & y\n  | x & !y\n") || two.out.contains("    x & !y\n  | !x & y\n"), "{two:?}");
    has(
        &bebop(&folder, "tacas01-8-2.bp --cartesian --invariants --label AFTER"),
        &["tacas01-8-2.bp:8: at `AFTER` of `main`: <x,y> in {<*,*>}"],
    );
    let three = |more: &str| bebop(&folder, &format!("tacas01-8-3.bp --cartesian --label AFTER --invariants {more}"));
    has(&three(""), &["tacas01-8-3.bp:8: at `AFTER` of `main`: <x1,x2,x3,x4> in {<*,*,*,*>}"]);
    has(&three("--focus x1,x2"), &["tacas01-8-3.bp:8: at `AFTER` of `main`: <x1,x2,x3,x4> in {<0,0,*,*>, <1,1,*,*>}"]);
    assert_eq!(word(&bebop(&folder, "tacas01-8-3.bp --cartesian --label APART")), "UNSAFE");
    assert_eq!(word(&bebop(&folder, "tacas01-8-3.bp --cartesian --focus x1,x2 --label APART")), "SAFE");
    let join = |more: &str| bebop(&folder, &format!("tacas01-9-1.bp --cartesian {more}"));
    assert_eq!((word(&join("")), word(&join("--join"))), ("SAFE", "UNSAFE"));
    has(&join("--invariants"), &["tacas01-9-1.bp:8: at `JOIN` of `main`: <x,y> in {<0,*>, <1,*>}"]);
    has(&join("--join --invariants"), &["tacas01-9-1.bp:8: at `JOIN` of `main`: <x,y> in {<*,*>}"]);
    let unknown = join("--focus z");
    assert!(unknown.code == Some(1) && unknown.err.contains("no variable `z`"), "{unknown:?}");
}

/// TR00 figures 3 and 4 by the command.
#[test]
fn kleenes_connectives_and_splitting() {
    let folder = Folder::new("methods-fig4");
    let ran = bebop(&folder, "tr00-fig4.bp --three-valued --all --label BOTH");
    assert_eq!(word(&ran), "SAFE", "{ran:?}");
    for (label, reached) in [
        ("AND_F_U_TRUE", false),
        ("AND_T_U_TRUE", true),
        ("AND_T_U_FALSE", true),
        ("OR_T_U_FALSE", false),
        ("OR_F_U_TRUE", true),
        ("OR_F_U_FALSE", true),
        ("NOT_U_TRUE", true),
        ("NOT_U_FALSE", true),
        ("X_ALONE", true),
        ("Y_ALONE", true),
        ("BOTH", false),
    ] {
        let is = if reached { "reached" } else { "unreached" };
        assert!(ran.out.contains(&format!("label `{label}` of `main`: {is}\n")), "{label}: {ran:?}");
    }
}

/// TR00 §7: a chain of conditions costs no more rounds than the two that matter.
#[test]
fn a_chain_of_conditions_is_ruled_out_at_once() {
    let folder = Folder::new("methods-chain");
    let stats = folder.0.join("s.json");
    let ran = papers(&folder, &format!("check tr00_7.x --engine abstraction --no-invgen --stats {}", stats.display()));
    assert_eq!(word(&ran), "SAFE", "{ran:?}");
    let stats: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
    let rounds = stats["iterations"].as_array().unwrap();
    assert!(rounds.len() <= 3, "{rounds:?}");
    assert!(rounds.last().unwrap()["predicates"].as_u64() <= Some(2), "{rounds:?}");
}

/// Whether a program can be started.
fn installed(program: &str) -> bool {
    Command::new(program).arg("-h").output().is_ok()
}

/// z3's opinion of Horn clauses, with recursion, on the gallery and on random programs; NuSMV's where it is installed.
#[test]
fn other_checkers_agree() {
    let folder = Folder::new("methods-opinion");
    let mut programs: Vec<(String, String)> = Vec::new();
    for entry in std::fs::read_dir(examples().join("bebop")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // Labels asked for by an option stand in the first line.
        if !text.starts_with("// expect: REFUSED") {
            programs.push((path.file_name().unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    programs.sort();
    let random = boolprog::oracle::random_programs(31, 25);
    programs.extend(random.enumerate().map(|(i, p)| (format!("r{i}.bp"), boolprog::print(&p))));
    let (z3, smv) = (installed("z3"), ["NuSMV", "nuXmv"].into_iter().find(|p| installed(p)));
    if !z3 {
        eprintln!("z3 is not installed: the Horn clauses are not judged");
    }
    if smv.is_none() {
        eprintln!("neither NuSMV nor nuXmv is installed: the SMV modules are not judged");
    }
    let (mut safe, mut unsafe_, mut recursive) = (0, 0, 0);
    for (name, text) in &programs {
        folder.file(name, text);
        let labels: Vec<&str> =
            text.lines().next().unwrap_or_default().split_whitespace().skip_while(|w| *w != "--label").collect();
        let labels: &[&str] = if text.starts_with("// expect") { &labels } else { &[] };
        let ours = folder.run(&[&["bebop", name, "--certify"], labels].concat());
        let ours = match word(&ours) {
            "SAFE" => "sat",
            "UNSAFE" => "unsat",
            _ => panic!("{name}: {ours:?}"),
        };
        let horn = folder.run(&[&["bebop", name, "--convert", "smtlib"], labels].concat());
        assert!(horn.code == Some(0) && horn.out.contains("(set-logic HORN)"), "{horn:?}");
        if z3 {
            folder.file("horn.smt2", &horn.out);
            let said = Command::new("z3").args(["-T:20", "horn.smt2"]).current_dir(&folder.0).output().unwrap();
            let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
            if said == "timeout" || said == "unknown" {
                continue;
            }
            assert_eq!(said, ours, "{name}\n{text}");
        }
        *(if ours == "sat" { &mut safe } else { &mut unsafe_ }) += 1;
        let module = folder.run(&[&["bebop", name, "--convert", "smv"], labels].concat());
        if module.code == Some(5) {
            assert!(module.out.contains("is recursive") || module.out.contains("activations"), "{module:?}");
            recursive += 1;
            continue;
        }
        assert!(module.out.starts_with("MODULE main\nVAR\n  pc : 0.."), "{module:?}");
        if let Some(smv) = smv {
            folder.file("m.smv", &module.out);
            let said = Command::new(smv).arg("m.smv").current_dir(&folder.0).output().unwrap();
            let said = String::from_utf8_lossy(&said.stdout).contains("is true");
            assert_eq!(said, ours == "sat", "{name}\n{text}");
        }
    }
    assert!(safe >= 8 && unsafe_ >= 3, "{safe} {unsafe_}");
    assert!(recursive >= 1, "no program is recursive");
}

/// SMV as it is printed: one transition for each way, variables of inlined activations by their number.
#[test]
fn smv_of_a_call() {
    let folder = Folder::new("methods-smv");
    folder.file(
        "t.bp",
        "decl g := F;\nbool f(a) begin\n  return !a;\nend\nvoid main() begin\n  g := f(*);\n  assert(g);\nend\n",
    );
    let ran = folder.run(&["bebop", "t.bp", "--convert", "smv"]);
    for part in [
        "MODULE main\nVAR\n  pc : 0..",
        "  g0 : boolean;\n  l1_0 : boolean;\nIVAR\n  any0 : boolean;\nINIT\n  pc = 0 & !g0\nTRANS\n",
        "next(g0) = g0 & (next(l1_0) <-> any0)",
        "(next(g0) <-> !l1_0)",
        "INVARSPEC\n  !((pc = 1 & !g0))",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
}

/// What is known of the values at entry is shown inside of a function, too, and nothing about a result that is not there yet.
#[test]
fn invariants_speak_of_entry_values() {
    let folder = Folder::new("methods-entry");
    folder.file("t.c", "int inc(int x) {\n  x = x + 1;\n  L: return x;\n}\nint main(void) {\n  return inc(2);\n}\n");
    folder.file("t.preds", "inc: x == 'x + 1, 'x < 3, x < 4\n");
    let ran = folder.run(&["invariants", "t.c", "--predicates", "t.preds", "--label", "L"]);
    assert!(
        ran.out.contains("inc label L:\n") && ran.out.contains("'x < 3") && !ran.out.contains("$result"),
        "{ran:?}"
    );
}

/// TOPLAS05 §1: what was found about `inc` in one program serves another; the boolean program is the same with and without.
#[test]
fn procedures_are_abstracted_once() {
    let folder = Folder::new("methods-store");
    let store = folder.0.join("store");
    std::fs::create_dir_all(&store).unwrap();
    let made = |file: &str, preds: &str, with: bool| {
        let stats = folder.0.join("s.json");
        let store = if with { format!("--store {}", store.display()) } else { String::new() };
        let ran = papers(&folder, &format!("abstract {file} --predicates {preds} --stats {} {store}", stats.display()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let text: String = ran.out.lines().filter(|l| !l.starts_with("//")).collect::<Vec<_>>().join("\n");
        let stats: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
        let count = |name: &str| stats["counters"][name].as_u64().unwrap();
        (text, count("sat_calls"), count("from_store"))
    };
    let (one, two) = (("toplas05_fig1.c", "toplas05_fig3.preds"), ("toplas05_fig3_foo5.c", "toplas05_fig3_foo5.preds"));
    let alone = made(two.0, two.1, false);
    let first = made(one.0, one.1, true);
    assert!(first.1 > 0 && first.2 == 0, "{first:?}");
    let again = made(one.0, one.1, true);
    assert!(again.0 == first.0 && again.1 < first.1 && again.2 > 0, "the same program again: {again:?} {first:?}");
    let second = made(two.0, two.1, true);
    assert_eq!(second.0, alone.0);
    assert!(second.2 > 0 && second.1 < alone.1, "{second:?} {alone:?}");
    // A damaged store is begun anew.
    std::fs::write(store.join("answers.txt"), "hardbop answers\n").unwrap();
    let anew = made(two.0, two.1, true);
    assert_eq!((anew.0, anew.1), (alone.0, alone.1));
}

/// An open program begins in every function of its file, static ones too, from any state of globals.
#[test]
fn open_programs_begin_in_every_function() {
    let folder = Folder::new("methods-open");
    let text = "extern void reach_error(void);\nstatic int level;\nstatic void up(int by) {\n    if (by == 1) level = 1;\n}\nstatic void \
                check(void) {\n    if (level == 1 && CONDITION) reach_error();\n}\nint main(void) {\n    up(2);\n    return 0;\n}\n";
    folder.file("open.preds", "global: level == 1\nup: by == 1\n");
    for (condition, verdict) in [("level != 1", "SAFE"), ("level > 0", "UNSAFE")] {
        folder.file("open.c", text.replace("CONDITION", condition));
        let made = folder.run(&["abstract", "open.c", "--predicates", "open.preds", "--open", "-o", "open.bp"]);
        assert_eq!(made.code, Some(0), "{made:?}");
        let checked = folder.run(&["bebop", "open.bp"]);
        let last = checked.out.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("Verdict: {verdict} (")), "{checked:?}");
        // Nobody calls `check` in the program as it is.
        let closed = folder.run(&["abstract", "open.c"]);
        assert!(closed.code == Some(0) && !closed.out.contains(" check("), "{closed:?}");
    }
    let both = folder.run(&["abstract", "open.c", "--open", "--entry", "up"]);
    assert_eq!(both.code, Some(1), "{both:?}");
}

/// Comments in the examples name only options that the command has.
#[test]
fn examples_name_options_that_exist() {
    let folder = Folder::new("methods-comments");
    let mut named = 0;
    for dir in ["", "papers", "bebop", "spark", "rules"] {
        for entry in std::fs::read_dir(examples().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for line in text.lines().filter(|l| l.trim_start().starts_with("//") || l.trim_start().starts_with("--")) {
                for call in line.split("hardbop ").skip(1) {
                    let mut words = call.split(['`', ' ', ')']).filter(|w| !w.is_empty());
                    let Some(command) = words.next() else { continue };
                    let help = folder.run(&[command, "--help"]);
                    if help.code != Some(0) {
                        continue;
                    }
                    for option in words.take_while(|w| *w != "&&").filter(|w| w.starts_with("--")) {
                        assert!(
                            help.out.contains(&format!("{option} ")) || help.out.contains(&format!("{option}\n")),
                            "{}: {command} {option}",
                            path.display()
                        );
                        named += 1;
                    }
                }
            }
        }
    }
    assert!(named >= 10, "{named} options are named");
}

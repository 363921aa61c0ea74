//! `hardbop bench`: sets, scores, logs that break off, shards, and what it generates for others.

use crate::support::{Folder, Ran};
use serde_json::Value;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// Two right answers, one wrong, one without a known answer, one property that is not supported.
fn tasks(name: &str) -> Folder {
    let dir = Folder::new(name);
    std::fs::create_dir_all(dir.0.join("some tasks")).unwrap();
    dir.file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    dir.file("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let task = |name: &str, condition: &str, expected: bool| {
        let body = format!(
            "int main(void) {{ int a = __VERIFIER_nondet_int(); if ({condition}) reach_error(); return 0; }}\n"
        );
        dir.file(&format!("some tasks/{name}.c"), HEAD.to_string() + &body);
        let yml = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: ../unreach-call.prp\n    \
             expected_verdict: {expected}\n  - property_file: ../termination.prp\n    expected_verdict: true\n\
             options:\n  language: C\n  data_model: ILP32\n"
        );
        dir.file(&format!("some tasks/{name}.yml"), yml);
    };
    task("holds", "a != a", true);
    task("größe", "a == 7", false);
    task("wrong", "a == 8", true);
    dir.file("all.set", "# all of them\nsome tasks/*.yml\n").file("one.set", "some tasks/holds.yml\n");
    dir.file("plain.c", HEAD.to_string() + "int main(void) { reach_error(); return 0; }\n");
    dir
}

fn bench(dir: &Folder, args: &[&str]) -> Ran {
    let all: Vec<&str> = ["bench"].iter().chain(args).copied().chain(["--", "--timeout", "60s"]).collect();
    dir.run(&all)
}

#[test]
fn tasks_are_counted_scored_and_written_down() {
    let dir = tasks("bench");
    let ran = bench(
        &dir,
        &[
            "all.set",
            "one.set",
            "plain.c",
            "-j",
            "2",
            "--csv",
            "b.csv",
            "--json",
            "b.json",
            "--witnesses",
            "w",
            "--validate",
        ],
    );
    assert_eq!(ran.code, Some(10), "a wrong answer: {}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("WRONG: some tasks/wrong.yml is false(unreach-call), expected true"), "{}", ran.out);
    assert!(ran.out.ends_with("Bench: DONE (4 tasks, 2 right, 1 wrong, score -13)\n"), "{}", ran.out);
    assert!(ran.err.contains("note: left out 3: termination: "), "{}", ran.err);
    let read: Value = serde_json::from_str(&std::fs::read_to_string(dir.0.join("b.json")).unwrap()).unwrap();
    let set = |name: &str| read["sets"].as_array().unwrap().iter().find(|s| s["set"] == name).unwrap().clone();
    assert_eq!((set("(all)")["tasks"].as_u64(), set("one")["tasks"].as_u64()), (Some(4), Some(1)));
    assert_eq!((set("one")["score"].as_i64(), set("files")["unjudged"].as_u64()), (Some(2), Some(1)));
    assert_eq!(set("(all)")["witnesses_confirmed"], 4, "{read}");
    let csv = std::fs::read_to_string(dir.0.join("b.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.contains("some tasks/größe.yml,unreach-call,false,false(unreach-call),right,1,confirmed,"), "{csv}");
    assert!(dir.0.join("w/some tasks_holds.yml.unreach-call.yml").exists());
    // Paths of a set may be absolute, or lead upwards; no witness gets a hidden name.
    std::fs::create_dir_all(dir.0.join("sets")).unwrap();
    dir.file("sets/far.set", format!("{}/some tasks/holds.yml\n../some tasks/größe.yml\n", dir.0.display()));
    let ran = bench(&dir, &["sets/far.set", "--log", "far.jsonl", "--witnesses", "far"]);
    assert!(ran.out.ends_with("Bench: DONE (2 tasks, 2 right, 0 wrong, score 3)\n"), "{}{}", ran.out, ran.err);
    let names = std::fs::read_dir(dir.0.join("far")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|n| !n.starts_with(['.', '_'])));
}

#[test]
fn a_log_that_breaks_off_is_gone_on_with() {
    let dir = tasks("bench-resume");
    let whole = bench(&dir, &["all.set", "--log", "a.jsonl"]);
    let log = std::fs::read_to_string(dir.0.join("a.jsonl")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 4);
    // The first answer is there with a mark that no check makes, the second is half of one.
    let marked = lines[1].replace("\"reason\":\"", "\"reason\":\"kept ");
    dir.file("b.jsonl", format!("{}\n{marked}\n{}", lines[0], &lines[2][..40]));
    let ran = bench(&dir, &["all.set", "--log", "b.jsonl", "--csv", "b.csv"]);
    assert_eq!(ran.code, whole.code);
    assert!(ran.err.contains("note: 1 of 3 tasks are in b.jsonl already"), "{}", ran.err);
    let csv = std::fs::read_to_string(dir.0.join("b.csv")).unwrap();
    assert_eq!((csv.matches("kept ").count(), csv.lines().count()), (1, 4), "{csv}");
    // Nothing is left to do, and a log of other options is not added to.
    let again = bench(&dir, &["all.set", "--log", "b.jsonl"]);
    assert_eq!((again.code, again.out.lines().last()), (ran.code, ran.out.lines().last()));
    let other = dir.run(&["bench", "all.set", "--log", "b.jsonl", "--", "--timeout", "61s"]);
    assert!(other.code == Some(1) && other.err.contains("b.jsonl is the log of another run"), "{}", other.err);
}

#[test]
fn shards_are_merged() {
    let dir = tasks("bench-shards");
    let whole = bench(&dir, &["all.set", "--log", "whole.jsonl"]);
    for i in ["1", "2"] {
        let (shard, log) = (format!("{i}/2"), format!("{i}.jsonl"));
        bench(&dir, &["all.set", "--shard", &shard, "--log", &log]);
    }
    let merged = dir.run(&["bench", "merge", "1.jsonl", "2.jsonl", "--merged-log", "m.jsonl"]);
    assert_eq!((merged.code, merged.out.lines().last()), (whole.code, whole.out.lines().last()), "{}", merged.err);
    assert_eq!(std::fs::read_to_string(dir.0.join("m.jsonl")).unwrap().lines().count(), 4);
    // Another answer to the same task.
    let text = std::fs::read_to_string(dir.0.join("2.jsonl")).unwrap();
    dir.file("3.jsonl", text.replacen("\"verdict\":\"", "\"verdict\":\"x", 1));
    let clash = dir.run(&["bench", "merge", "2.jsonl", "3.jsonl"]);
    assert!(clash.code == Some(1) && clash.err.contains("in an earlier log"), "{}", clash.err);
    for wrong in [&["bench", "merge", "nobody.jsonl"][..], &["bench", "merge", "all.set"], &["bench", "nobody.set"]] {
        assert_eq!(dir.run(wrong).code, Some(1), "{wrong:?}");
    }
}

#[test]
fn definitions_for_benchexec_and_slurm() {
    let dir = tasks("bench-generate");
    let xml = dir.run(&["bench", "benchexec", "all.set", "--cpu", "60", "--", "--first"]);
    assert_eq!(xml.code, Some(0), "{}", xml.err);
    for part in [
        "timelimit=\"60 s\"",
        "<option name=\"--first\"/>",
        "<includesfile>/",
        "all.set</includesfile>",
        "unreach-call.prp</propertyfile>",
    ] {
        assert!(xml.out.contains(part), "{part} in {}", xml.out);
    }
    let job = dir.run(&["bench", "slurm", "all.set", "--shards", "2", "--cpu", "60", "--memory", "2000"]);
    assert!(job.out.contains("#SBATCH --array=1-2\n"), "{}", job.out);
    dir.file("job.sh", &job.out);
    for i in ["1", "2"] {
        let mut bash = std::process::Command::new("bash");
        bash.arg("job.sh")
            .current_dir(&dir.0)
            .env("SLURM_ARRAY_TASK_ID", i)
            .env("HARDBOP", env!("CARGO_BIN_EXE_hardbop"));
        let ran = Ran::of(&mut bash);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    let merged = dir.run(&["bench", "merge", "bench-1.jsonl", "bench-2.jsonl"]);
    assert!(merged.out.ends_with("Bench: DONE (3 tasks, 2 right, 1 wrong, score -13)\n"), "{}", merged.out);
}

//! One document for several checks: JSON, SARIF and JUnit with rules and entries.

use crate::support::Folder;
use serde_json::{Value, json};

const DRIVER: &str = "void lock(void), unlock(void); int in(void);
int good(void) { lock(); unlock(); return 0; }
int bad(void) {
    lock();
    if (in()) lock();
    unlock();
    return 0;
}
";

const RULE: &str = "state { enum { released, taken } s = released; }
lock.entry { if (s == taken) abort \"taken twice\"; s = taken; }
unlock.entry { s = released; }
";

const OTHER: &str = "state { int n = 0; }\nnever_called.entry { abort \"called\"; }\n";

fn run(name: &str, format: &str, more: &[&str]) -> (Folder, String) {
    let dir = Folder::new(name);
    dir.file("d.c", DRIVER).file("r.slic", RULE).file("o.slic", OTHER);
    let mut args =
        vec!["check", "d.c", "--entry", "good", "--entry", "bad", "--rules", "r.slic,o.slic", "--format", format];
    args.extend(["--timeout", "120"].iter().chain(more));
    let ran = dir.run(&args);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    (dir, ran.out)
}

#[test]
fn json_has_an_answer_for_each_entry_and_rule() {
    let (_, out) = run("formats-rules-json", "json", &[]);
    let all: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(all["schema"], "hardbop-answers-1");
    let answers = all["answers"].as_array().unwrap();
    let said: Vec<Value> = answers.iter().map(|a| json!([a["entry"], a["rule"], a["verdict"]])).collect();
    let expected = [
        json!(["good", "r", "SAFE"]),
        json!(["good", "o", "N/A"]),
        json!(["bad", "r", "UNSAFE"]),
        json!(["bad", "o", "N/A"]),
    ];
    assert_eq!(said, expected);
    let failing = answers[2]["targets"].as_array().unwrap().iter().find(|t| t["state"] == "fails").unwrap();
    assert_eq!((&failing["file"], &failing["line"]), (&json!("d.c"), &json!(5)), "where the program breaks the rule");
}

#[test]
fn sarif_has_one_run_with_rules_of_its_own() {
    let (dir, text) = run("formats-rules-sarif", "sarif", &["--output", "o.sarif"]);
    assert!(
        text.contains("DEFECT   bad   r") && text.contains("Rules: 1 pass, 1 defect, 0 unknown, 2 not applicable"),
        "{text}"
    );
    let log: Value = serde_json::from_str(&std::fs::read_to_string(dir.0.join("o.sarif")).unwrap()).unwrap();
    let runs = log["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &log["version"]), (1, &json!("2.1.0")));
    let results = runs[0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{log}");
    let rule = results[0]["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(runs[0]["tool"]["driver"]["rules"][rule]["id"], results[0]["ruleId"]);
    assert_eq!(results[0]["ruleId"], "r");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&json!("d.c"), &json!(5)));
    assert!(!results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().is_empty());
    assert_eq!(runs[0]["properties"]["checks"].as_array().unwrap().len(), 4);
    assert_eq!(runs[0]["invocations"][0]["exitCode"], 10);
}

#[test]
fn junit_has_a_suite_for_each_check() {
    let (_, out) = run("formats-rules-junit", "junit", &[]);
    assert_eq!(out.matches("<testsuite ").count(), 4, "{out}");
    assert!(out.starts_with("<?xml") && out.contains("<testsuite name=\"d.c bad r\""), "{out}");
    assert_eq!(out.matches("<failure ").count(), 1);
    assert_eq!(out.matches("not applicable: ").count(), 2);
}

//! Answers for machines: what JSON, SARIF and JUnit say about safe, unsafe and unknown programs, of several files, with spaces in
//! their names and characters that are not ASCII.

use crate::support::Folder;
use serde_json::Value;

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
void assert(int);
int twice(int);
int main(void) {
    int größe = 1; /* “größe” */ int a = __VERIFIER_nondet_int();
    if (a == 7)
        größe = twice(a);
    assert(größe != 14); assert(a < 8 || a > 7);
    return 0;
}
";

const OTHER: &str = "/* é */ int twice(int x) {\n    return 2 * x;\n}\n";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);\nvoid assert(int);\nint main(void) { int a = __VERIFIER_nondet_int(); assert(a | 1); return 0; }\n";

/// A folder with a program that fails, one that holds, one that is not decided and one that is none.
fn programs(name: &str) -> Folder {
    let dir = Folder::new(name);
    std::fs::create_dir_all(dir.0.join("my src")).unwrap();
    dir.file("my src/größe.c", UNSAFE).file("my src/b c.c", OTHER).file("safe.c", SAFE);
    dir.file("unknown.c", "int main(void) { return 0; }\n").file("bad.c", "int main(void) { return 0 }\n");
    dir
}

const FILES: [&str; 2] = ["my src/größe.c", "my src/b c.c"];

fn json(dir: &Folder, format: &str, files: &[&str], code: i32) -> Value {
    let args: Vec<&str> = ["check", "--format", format].into_iter().chain(files.iter().copied()).collect();
    let ran = dir.run(&args);
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out))
}

#[test]
fn json_says_all_that_is_known() {
    let dir = programs("formats-json");
    let answer = json(&dir, "json", &FILES, 10);
    assert_eq!(answer["schema"], "hardbop-answer-1");
    assert_eq!((&answer["verdict"], &answer["exit_code"]), (&Value::from("UNSAFE"), &Value::from(10)));
    assert_eq!(answer["files"], serde_json::json!(FILES));
    let targets = answer["targets"].as_array().unwrap();
    let states: Vec<(&str, u64, &str)> = targets
        .iter()
        .map(|t| (t["state"].as_str().unwrap(), t["line"].as_u64().unwrap(), t["file"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("fails", 8, "my src/größe.c"), ("proved", 8, "my src/größe.c")]);
    let run = &targets[0]["run"];
    assert_eq!(run["inputs"][0]["value"], "7");
    let lines = run["lines"].as_array().unwrap();
    assert!(lines.iter().any(|l| l["file"] == "my src/b c.c" && l["function"] == "twice" && l["depth"] == 1), "{run}");
    assert_eq!(lines.last().unwrap()["line"], 8);
    assert_eq!(targets[1]["run"], Value::Null);
    assert_eq!(targets[1]["behind"], serde_json::json!(["my src/größe.c:8:5"]));

    let answer = json(&dir, "json", &["safe.c"], 0);
    assert_eq!((&answer["verdict"], &answer["targets"][0]["state"]), (&Value::from("SAFE"), &Value::from("proved")));
    assert_eq!(answer["reason_code"], Value::Null);
    let answer = json(&dir, "json", &["unknown.c"], 5);
    assert_eq!(answer["reason_code"], "nothing-to-check");
    let answer = json(&dir, "json", &["bad.c"], 2);
    assert_eq!(answer["reason_code"], "input");
    assert!(answer["messages"][0].as_str().unwrap().contains("bad.c:1:25: error: expected ';'"), "{answer}");
}

/// What the standard demands of the parts that are written (sections 3.13 to 3.49), by hand.
fn is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "hardbop");
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        assert!(
            rule["id"].is_string() && rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string()
        );
        assert_eq!(rule["defaultConfiguration"]["level"], "error");
    }
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    for notification in run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap() {
        assert!(["none", "note", "warning", "error"].contains(&notification["level"].as_str().unwrap()));
        assert!(!notification["message"]["text"].as_str().unwrap().is_empty());
    }
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"], "the index leads to the rule");
        assert_eq!((&result["kind"], &result["level"]), (&Value::from("fail"), &Value::from("error")));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let mut places = vec![&result["locations"][0]];
        let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        places.extend(flow.iter().map(|l| &l["location"]));
        for (i, step) in flow.iter().enumerate() {
            assert_eq!(step["executionOrder"], i + 1);
            assert!(step["nestingLevel"].as_u64().is_some());
            assert!(!step["location"]["message"]["text"].as_str().unwrap().is_empty());
        }
        for place in places {
            let physical = &place["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert!(uri.is_ascii() && !uri.contains([' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}']), "{uri}");
            assert!(physical["region"]["startLine"].as_u64().unwrap() >= 1);
            assert!(physical["region"]["startColumn"].as_u64().unwrap() >= 1);
        }
        let prints = result["partialFingerprints"].as_object().unwrap();
        assert!(prints.values().all(|p| p.as_str().is_some_and(|p| p.len() == 32)));
    }
}

#[test]
fn sarif_has_results_with_code_flows() {
    let dir = programs("formats-sarif");
    let log = json(&dir, "sarif", &FILES, 10);
    is_sarif(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "only what fails is a finding");
    let result = &results[0];
    assert_eq!(result["ruleId"], "assertion");
    let text = result["message"]["text"].as_str().unwrap();
    assert_eq!(text, "In `main`: `assert(größe != 14)` fails, for example with __VERIFIER_nondet_int() = 7 (line 5).");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "my%20src/gr%C3%B6%C3%9Fe.c");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&Value::from(8), &Value::from(5)));
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert!(flow.iter().any(|l| l["location"]["physicalLocation"]["artifactLocation"]["uri"] == "my%20src/b%20c.c"));
    assert_eq!(log["runs"][0]["properties"]["proved"], 1);

    for (file, code) in [("safe.c", 0), ("unknown.c", 5), ("bad.c", 2)] {
        let log = json(&dir, "sarif", &[file], code);
        is_sarif(&log);
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 0, "{file}");
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], code);
        let told = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        assert_eq!(told.is_empty(), code == 0, "{file}: what was not decided is a notification");
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], code != 2);
    }
}

#[test]
fn fingerprints_survive_changes_elsewhere() {
    let dir = programs("formats-fingerprints");
    let print = |dir: &Folder| {
        let log = json(dir, "sarif", &FILES, 10);
        log["runs"][0]["results"][0]["partialFingerprints"]["hardbopTarget/v1"].as_str().unwrap().to_string()
    };
    let before = print(&dir);
    dir.file(
        "my src/größe.c",
        format!("/* one line more */\n{}", UNSAFE.replace("    assert(größe", "\tassert(größe")),
    );
    assert_eq!(print(&dir), before);
    dir.file("my src/größe.c", UNSAFE.replace("!= 14", "!= 2 * 7"));
    assert_ne!(print(&dir), before);
}

#[test]
fn junit_has_a_case_for_each_target() {
    let dir = programs("formats-junit");
    let args = ["check", "--format", "junit", FILES[0], FILES[1]];
    let ran = dir.run(&args);
    assert_eq!(ran.code, Some(10), "{}", ran.err);
    let text = &ran.out;
    assert!(
        text.contains(
            "<testsuite name=\"my src/größe.c my src/b c.c\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""
        ),
        "{text}"
    );
    assert!(text.contains("name=\"`assert(größe != 14)`\" file=\"my src/größe.c\" line=\"8\">"), "{text}");
    assert!(text.contains("<failure message=\"`assert(größe != 14)` fails at my src/größe.c:8:5\" type=\"assertion\">The run that goes wrong"), "{text}");
    assert!(text.contains("name=\"`assert(a &lt; 8 || a &gt; 7)`\" file=\"my src/größe.c\" line=\"8\"/>"), "{text}");
    let opened = text.matches("<testcase ").count();
    assert_eq!(opened, text.matches("</testcase>").count() + text.matches("/>\n").count(), "{text}");
    for (file, part) in [
        ("unknown.c", "<skipped message=\"UNKNOWN: nothing to check"),
        ("bad.c", "<error message=\"bad.c:1:25: error: "),
    ] {
        let ran = dir.run(&["check", "--format", "junit", file]);
        assert!(ran.out.contains(part), "{}", ran.out);
    }
    assert!(
        dir.run(&["check", "--format", "junit", "safe.c"])
            .out
            .contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"")
    );
}

#[test]
fn a_format_may_go_to_a_file_beside_the_text() {
    let dir = programs("formats-output");
    let ran = dir.run(&["check", "safe.c", "--format", "sarif", "--output", "answer.sarif"]);
    assert!(ran.out.lines().last().unwrap().starts_with("Verdict: SAFE ("), "{}", ran.out);
    is_sarif(&serde_json::from_str(&std::fs::read_to_string(dir.0.join("answer.sarif")).unwrap()).unwrap());
    let ran = dir.run(&["check", "safe.c", "--format", "json", "--output", "nowhere/answer.json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("cannot write nowhere/answer.json"), "{}", ran.err);
}

#[test]
fn codes_completions_and_the_manual_are_printed() {
    let dir = Folder::new("formats-printed");
    let ran = dir.run(&["explain", "null-deref"]);
    assert!(ran.code == Some(0) && ran.out.contains("--check null") && ran.out.contains("CWE-476"), "{}", ran.out);
    assert_eq!(dir.run(&["explain", "[no-entry]"]).code, Some(0), "as messages have it");
    let ran = dir.run(&["explain"]);
    assert!(["null-deref", "no-entry", "time-limit"].iter().all(|c| ran.out.contains(c)), "{}", ran.out);
    let ran = dir.run(&["explain", "nonsense"]);
    assert!(ran.code == Some(1) && ran.err.contains("there is no code `nonsense`"), "{}", ran.err);
    assert!(dir.run(&["explain", "syntx"]).err.contains("did you mean `syntax`?"));
    let ran = dir.run(&["explain", "null"]);
    assert!(ran.code == Some(0) && ran.out.starts_with("null-deref: "), "as `--check` has it: {}", ran.out);
    for (shell, part) in [("bash", "_hardbop()"), ("zsh", "#compdef hardbop"), ("fish", "complete -c hardbop")] {
        let ran = dir.run(&["completions", shell]);
        assert!(ran.code == Some(0) && ran.out.contains(part) && ran.out.contains("check"), "{shell}");
    }
    let ran = dir.run(&["man"]);
    assert!(
        ran.out.contains(".TH hardbop 1") && ran.out.contains("HARDBOP CHECK") && ran.out.contains("timeout"),
        "{}",
        ran.out
    );
}

/// The commands of the snippets for hosted CI, run as they stand in docs/formats.md.
#[test]
fn snippets_for_continuous_integration_work() {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let text = std::fs::read_to_string(path).unwrap();
    let commands: Vec<&str> = text
        .lines()
        .filter_map(|l| {
            l.trim_start().trim_start_matches("- ").trim_start_matches("run: ").strip_prefix("hardbop check src/main.c")
        })
        .collect();
    assert_eq!(commands.len(), 2, "one for GitHub, one for GitLab: {commands:?}");
    let dir = Folder::new("formats-ci");
    std::fs::create_dir_all(dir.0.join("src")).unwrap();
    dir.file("src/main.c", "int twice(int);\nint main(void) { return twice(3) / 7; }\n");
    for (other, code) in
        [("int twice(int x) { return 2 * x; }\n", 0), ("int twice(int x) { return x / (x - 3); }\n", 10)]
    {
        dir.file("src/other.c", other);
        for command in &commands {
            let args: Vec<&str> = ["check", "src/main.c"].into_iter().chain(command.split_whitespace()).collect();
            assert_eq!(dir.run(&args).code, Some(code), "{command}");
        }
        let sarif = std::fs::read_to_string(dir.0.join("hardbop.sarif")).unwrap();
        let log: Value = serde_json::from_str(&sarif).unwrap();
        is_sarif(&log);
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().is_empty(), code == 0, "{sarif}");
        let junit = std::fs::read_to_string(dir.0.join("hardbop.xml")).unwrap();
        assert_eq!(junit.contains("<failure"), code == 10, "{junit}");
        // What the other snippet names as its result is what the command writes.
        assert!(text.contains("sarif_file: hardbop.sarif") && text.contains("junit: hardbop.xml"));
    }
}

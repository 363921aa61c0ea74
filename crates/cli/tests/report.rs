//! The report for a browser: what is in it, that it needs nothing else, and, where there is a browser, that it works there.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::Folder;
use serde_json::Value;
use std::process::Command;

/// The data of a page.
fn data(dir: &Folder, page: &str) -> (String, Value) {
    let text = std::fs::read_to_string(dir.0.join(page)).unwrap();
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").expect("the page has its data");
    let (json, _) = rest.split_once("</script>").expect("the data ends");
    let value = serde_json::from_str(json).unwrap_or_else(|e| panic!("{e}: {json}"));
    (text, value)
}

const LONG: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* größe </script> <!-- 𝒳 */
static int step(int i, int *sum) {
  *sum += i;
  return i + 1;
}
static int unused(void) { return 3; }
int main(void) {
  int sum = 0, i = 0, n = __VERIFIER_nondet_int();
  while (i < 2500) {
    i = step(i, &sum);
    if (i == 2499 && n != 77) reach_error();
  }
  return 0;
}
";

/// A folder with the report of a run of more than ten thousand steps.
fn long(name: &str) -> Folder {
    let dir = Folder::new(name);
    dir.file("my größe.c", LONG);
    let ran = dir.run(&["check", "my größe.c", "--report", "r.html", "--timeout", "120", "-q"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    dir
}

#[test]
fn a_run_with_all_its_steps() {
    let dir = long("report-run");
    let (text, data) = data(&dir, "r.html");
    for needs in ["http://", "https://", "src=", "@import", "url("] {
        let allowed = if needs == "http://" { 1 } else { 0 };
        assert_eq!(
            text.matches(needs).count(),
            allowed,
            "the page loads nothing ({needs}); one name of a namespace is no address"
        );
    }
    assert_eq!(data["files"][0]["text"], LONG);
    let steps = data["runs"][0]["steps"].as_array().unwrap();
    assert!(steps.len() > 10_000, "{}", steps.len());
    let last = steps.last().unwrap();
    assert_eq!((&last["line"], &last["function"]), (&Value::from(13), &Value::from("main")));
    assert!(
        steps.iter().any(|s| s["depth"] == 1 && s["line"] == 5 && s["remarks"][0] == "*sum = 3"),
        "values are there"
    );
    assert_eq!(data["targets"][0]["state"], "fails");
    assert_eq!(data["unreached"][0], "unused (my größe.c:8)");
    assert_eq!(data["runs"][0]["inputs"][0]["what"], "__VERIFIER_nondet_int()");
}

#[test]
fn a_proof_at_its_lines() {
    let dir = Folder::new("report-proof");
    let lock = include_str!("../../../examples/lock.c");
    dir.file("lock.c", lock);
    let ran = dir.run(&[
        "check",
        "lock.c",
        "--report",
        "r.html",
        "--engine",
        "abstraction",
        "--no-invgen",
        "--timeout",
        "120",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (_, data) = data(&dir, "r.html");
    let invariants = data["invariants"].as_array().unwrap();
    let holds = |what: &str| {
        invariants.iter().any(|i| i["what"] == what && i["text"].as_str().unwrap().contains("locked == 0"))
    };
    assert!(holds("each round") && holds("acquire needs"), "{invariants:?}");
    assert!(data["boolean_program"].as_str().unwrap().contains("main"), "{data}");
    assert!(!data["predicates"].as_str().unwrap().is_empty());
    assert!(!data["iterations"].as_array().unwrap().is_empty());
    assert!(data["phases"].as_array().unwrap().iter().any(|p| p["name"] == "abstraction"), "{data}");
    assert!(data["runs"].as_array().unwrap().is_empty());
}

#[test]
fn a_rule_with_its_state() {
    let dir = Folder::new("report-rule");
    dir.file("a.c", "void lock(void), unlock(void);\nint main(void) {\n  lock();\n  lock();\n  return 0;\n}\n");
    dir.file("r.slic", "state { enum { released, taken } s = released; }\nlock.entry { if (s == taken) abort \"taken twice\"; s = taken; }\nunlock.entry { s = released; }\n");
    let ran = dir.run(&["check", "a.c", "--rule", "r.slic", "--report", "r.html", "--timeout", "120"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let (_, data) = data(&dir, "r.html");
    assert_eq!(data["rule"]["states"]["s"], serde_json::json!(["released", "taken"]));
    let files: Vec<&str> = data["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(files.contains(&"a.c") && files.contains(&"r.slic"), "{files:?}");
    let remarks = data["runs"][0]["steps"].to_string();
    assert!(remarks.contains("s: released -> taken"), "{remarks}");
}

#[test]
fn an_answer_that_is_none_has_a_page_too() {
    let dir = Folder::new("report-unknown");
    dir.file("a.c", "int main(void) { return 0; }\n").file("b.c", "int main(void) { return 0 }\n");
    assert_eq!(dir.run(&["check", "a.c", "--report", "a.html"]).code, Some(5));
    assert!(std::fs::read_to_string(dir.0.join("a.html")).unwrap().contains("nothing to check"));
    assert_eq!(dir.run(&["check", "b.c", "--report", "b.html"]).code, Some(2));
    assert!(data(&dir, "b.html").1["messages"].to_string().contains("b.c:1"));
}

/// The page in a browser: keys move through the run, only what is in sight is drawn, nothing is complained about.
#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) =
        ["chromium", "google-chrome"].into_iter().find(|b| Command::new(b).arg("--version").output().is_ok())
    else {
        eprintln!("SKIPPED: there is no chromium on this machine");
        return;
    };
    let dir = long("report-browser");
    let page = dir.0.join("r.html");
    let text = std::fs::read_to_string(&page).unwrap();
    // A script at the end plays the user and writes down what there is to see.
    let user = r##"<script>
      const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      const at = () => document.getElementById("at").textContent;
      const seen = { last: at() };
      press("g"); seen.first = at(); press("j"); press("j"); seen.third = at(); press("k"); seen.second = at();
      seen.hash = location.hash; seen.rows = document.querySelectorAll("#trace .row").length;
      seen.lit = document.querySelectorAll("#source .row.here").length;
      seen.values = document.getElementById("values").textContent;
      press("2"); seen.targets = document.querySelector("#view-targets.on #targets").textContent;
      press("1"); document.querySelector("#targets a").click(); seen.linked = at();
      document.title = JSON.stringify(seen);
    </script></body>"##;
    std::fs::write(dir.0.join("played.html"), text.replace("</body>", user)).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=5000",
        "--window-size=1400,900",
    ]);
    command
        .args(["--enable-logging=stderr", "--dump-dom"])
        .arg(format!("file://{}", dir.0.join("played.html").display()));
    let output = command.arg(format!("--user-data-dir={}", dir.0.join("profile").display())).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!err.contains("CONSOLE"), "the page complains: {err}");
    let title =
        out.split_once("<title>").and_then(|(_, t)| t.split_once("</title>")).map(|(t, _)| t.replace("&amp;", "&"));
    let seen: Value = serde_json::from_str(&title.unwrap_or_default()).unwrap_or_else(|e| panic!("{e}: {out}\n{err}"));
    let steps = seen["last"].as_str().unwrap().split(' ').next_back().unwrap().to_string();
    for (key, n) in [("first", 1), ("third", 3), ("second", 2)] {
        assert_eq!(seen[key], format!("step {n} of {steps}"), "{seen}");
    }
    assert_eq!(seen["linked"], seen["last"]);
    assert_eq!(seen["hash"], "#run=1&step=2");
    assert!(seen["rows"].as_u64().is_some_and(|n| n > 5 && n < 300), "only what is in sight is drawn: {seen}");
    assert_eq!(seen["lit"], 1, "{seen}");
    assert!(seen["targets"].as_str().unwrap().contains("fails"), "{seen}");
}

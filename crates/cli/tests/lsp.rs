//! `hardbop lsp` and a client that follows a script.

use crate::support::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

struct Client {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    number: u64,
}

impl Client {
    /// Starts a server in the folder, with these capabilities of the client.
    fn start(dir: &Folder, args: &[&str], capabilities: &Value) -> (Client, Value) {
        let mut command = dir.command(&[&["lsp"], args].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Client { child, to, from, number: 0 };
        let root = uri(dir, "");
        let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities });
        let answer = client.request("initialize", &params);
        client.notify("initialized", &json!({}));
        (client, answer)
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.until(|m| m["id"] == json!(id) && m["method"].is_null())["result"].clone()
    }

    /// The next message that is meant; requests of the server are answered.
    fn until(&mut self, meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.from.recv_timeout(Duration::from_secs(120)).expect("the server says something");
            if message["id"].is_string() && message["method"].is_string() {
                self.write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }));
            }
            if meant(&message) {
                return message;
            }
        }
    }

    fn diagnostics(&mut self, uri: &str) -> Value {
        let of = |m: &Value| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri;
        self.until(of)["params"]["diagnostics"].clone()
    }

    /// Says goodbye; the exit status.
    fn end(mut self) -> Option<i32> {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.to);
        self.child.wait().unwrap().code()
    }
}

fn read(out: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(n) = line.strip_prefix("Content-Length: ") {
            length = n.trim().parse().ok()?;
        } else if line.trim().is_empty() {
            let mut text = vec![0; length];
            out.read_exact(&mut text).ok()?;
            return serde_json::from_slice(&text).ok();
        }
    }
}

/// The address of a file; only its spaces need an escape.
fn uri(dir: &Folder, name: &str) -> String {
    format!("file://{}", dir.0.join(name).display()).trim_end_matches('/').replace(' ', "%20")
}

fn everything() -> Value {
    json!({
        "window": { "workDoneProgress": true },
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
    })
}

#[test]
fn a_file_is_checked_when_it_is_opened_and_saved() {
    let dir = Folder::new("lsp save");
    let broken = "void reach_error(void); int nondet(void);\nint main(void) {\n    int x = nondet();\n    \
                  /* \u{e4}\u{1d11e} */ if (x > 7) reach_error();\n    return 0;\n}\n";
    dir.file("a.c", broken);
    let (mut client, answer) = Client::start(&dir, &[], &everything());
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["capabilities"]["hoverProvider"], true);
    let file = uri(&dir, "a.c");
    client.notify("textDocument/didOpen", &json!({ "textDocument": { "uri": file, "text": broken } }));
    let begin = client.until(|m| m["method"] == "$/progress")["params"].clone();
    assert_eq!((&begin["value"]["kind"], &begin["value"]["cancellable"]), (&json!("begin"), &json!(true)));
    let end = client.until(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    assert!(end["params"]["value"]["message"].as_str().unwrap().starts_with("UNSAFE"), "{end}");
    let found = client.diagnostics(&file);
    let defect = &found[0];
    assert_eq!((found.as_array().unwrap().len(), &defect["severity"]), (1, &json!(1)), "{found}");
    // The call stands behind four spaces, a comment with a character of two units, and the condition.
    let column = "    /* xxx */ if (x > 7) ".len();
    assert_eq!(defect["range"]["start"], json!({ "line": 3, "character": column }), "{found}");
    let message = defect["message"].as_str().unwrap();
    assert!(message.contains("reach_error") && message.contains("= 8"), "the smallest value is told: {message}");
    let steps = defect["relatedInformation"].as_array().unwrap();
    assert!(steps.iter().any(|s| s["location"]["range"]["start"]["line"] == 2), "{found}");
    assert!(steps.iter().all(|s| s["location"]["uri"] == json!(file)), "{found}");

    let good = "void reach_error(void); unsigned nondet(void);\nint main(void) {\n    unsigned n = nondet(), i = 0;\n    \
                while (i < n) i++;\n    if (i != n) reach_error();\n    return 0;\n}\n";
    dir.file("a.c", good);
    client.notify("textDocument/didSave", &json!({ "textDocument": { "uri": file } }));
    assert_eq!(client.diagnostics(&file), json!([]), "what is mended is gone");
    let at = |line: u32| json!({ "textDocument": { "uri": file }, "position": { "line": line, "character": 5 } });
    let hover = client.request("textDocument/hover", &at(3));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("i <= n") || text.contains("n >= i"), "the invariant of the loop: {hover}");
    assert_eq!(client.request("textDocument/hover", &at(0)), Value::Null);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_check_can_be_cancelled_and_errors_are_shown() {
    let dir = Folder::new("lsp cancel");
    dir.file("slow.c", "void reach_error(void);\nint main(void) { for (unsigned long i = 0; i < 1000000000000; i++) ; reach_error(); }\n");
    dir.file("bad.c", "int main(void) { return x; }\n");
    let (mut client, answer) = Client::start(
        &dir,
        &["--", "--engine", "concrete", "--timeout", "600s"],
        &json!({ "window": { "workDoneProgress": true }, "general": { "positionEncodings": ["utf-16", "utf-8"] } }),
    );
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    let (slow, bad) = (uri(&dir, "slow.c"), uri(&dir, "bad.c"));
    client.notify("textDocument/didOpen", &json!({ "textDocument": { "uri": slow } }));
    let report = client.until(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "report");
    let token = report["params"]["token"].clone();
    client.notify("window/workDoneProgress/cancel", &json!({ "token": token }));
    let end = client.until(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    assert_eq!((&end["params"]["token"], &end["params"]["value"]["message"]), (&token, &json!("cancelled")));
    client.notify("textDocument/didOpen", &json!({ "textDocument": { "uri": bad } }));
    let found = client.diagnostics(&bad);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 24 }), "{found}");
    assert_eq!(found[0]["severity"], 1);
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": bad } }));
    assert_eq!(client.diagnostics(&bad), json!([]));
    assert_eq!(client.end(), Some(0));
}

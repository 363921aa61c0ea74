//! `hardbop lsp`: a language server on standard input and output (Language Server Protocol 3.17).
//!
//! A file is checked when it is opened and when it is saved, by `hardbop check` in a process of its own, so that a check can be ended
//! at any time; a new one of the same file ends the old one. Defects are diagnostics with the run as related places, and
//! the invariants of a proof are hovers at their lines. `hardbop lsp -- OPTIONS` and `initializationOptions.arguments` are
//! options of `check`.

mod checking;
mod diagnostics;
mod position;

use checking::{Checked, Running};
use diagnostics::{Found, Text};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use position::Encoding;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// What the server waits for.
enum Event {
    Client(Message),
    ClientIsGone,
    Checked(Checked),
}

/// How often a client hears that a check goes on.
const TICK: Duration = Duration::from_secs(1);

/// Serves one client until it is done.
pub(crate) fn serve(arguments: &[String]) -> ExitCode {
    let (connection, threads) = Connection::stdio();
    let outcome = converse(&connection, arguments);
    // The writing thread ends when nobody can send any more.
    drop(connection);
    match outcome.and_then(|()| threads.join().map_err(|e| e.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            crate::report::complain(&format!("error: {why}"));
            crate::outcome::Exit::Internal.into()
        }
    }
}

fn converse(connection: &Connection, arguments: &[String]) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|e| e.to_string())?;
    let (sender, events) = channel();
    let mut server = Server::new(connection, arguments, &params, sender.clone());
    connection.initialize_finish(id, server.capabilities()).map_err(|e| e.to_string())?;
    let receiver = connection.receiver.clone();
    std::thread::spawn(move || {
        for message in receiver {
            if sender.send(Event::Client(message)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::ClientIsGone);
    });
    let ended = server.run(&events);
    server.running.values().for_each(Running::cancel);
    ended
}

struct Server<'a> {
    connection: &'a Connection,
    events: Sender<Event>,
    encoding: Encoding,
    root: Option<PathBuf>,
    arguments: Vec<String>,
    /// The client shows progress.
    progress: bool,
    /// The client shows places that belong to a diagnostic.
    related: bool,
    running: BTreeMap<PathBuf, Running>,
    /// What the last check of each file found.
    found: BTreeMap<PathBuf, Found>,
    number: u64,
}

impl<'a> Server<'a> {
    fn new(connection: &'a Connection, arguments: &[String], params: &Value, events: Sender<Event>) -> Server<'a> {
        let can = &params["capabilities"];
        let root = params["workspaceFolders"][0]["uri"].as_str().or_else(|| params["rootUri"].as_str());
        let own = params["initializationOptions"]["arguments"].as_array();
        let own = own.into_iter().flatten().filter_map(Value::as_str).map(str::to_string);
        Server {
            connection,
            events,
            encoding: Encoding::negotiate(&can["general"]["positionEncodings"]),
            root: root.and_then(position::path_of),
            arguments: arguments.iter().cloned().chain(own).collect(),
            progress: can["window"]["workDoneProgress"] == json!(true),
            related: can["textDocument"]["publishDiagnostics"]["relatedInformation"] == json!(true),
            running: BTreeMap::new(),
            found: BTreeMap::new(),
            number: 0,
        }
    }

    fn capabilities(&self) -> Value {
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.name(),
                "textDocumentSync": { "openClose": true, "change": 0, "save": { "includeText": false } },
                "hoverProvider": true,
            },
            "serverInfo": { "name": "hardbop", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn run(&mut self, events: &Receiver<Event>) -> Result<(), String> {
        loop {
            match events.recv_timeout(TICK) {
                Ok(Event::Client(Message::Request(request))) => {
                    let response = self.answer(request);
                    self.send(Message::Response(response));
                }
                Ok(Event::Client(Message::Notification(n))) if n.method == "exit" => return Ok(()),
                Ok(Event::Client(Message::Notification(n))) => self.notice(&n.method, &n.params),
                Ok(Event::Client(Message::Response(_))) => {}
                Ok(Event::Checked(checked)) => self.take(checked),
                Ok(Event::ClientIsGone) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => self.tick(),
            }
        }
    }

    fn send(&self, message: Message) {
        // A client that is gone is noticed by the reader.
        let _ = self.connection.sender.send(message);
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.to_string(), params }));
    }

    fn answer(&self, request: Request) -> Response {
        match request.method.as_str() {
            // The notification `exit` follows.
            "shutdown" => Response::new_ok(request.id, Value::Null),
            "textDocument/hover" => Response::new_ok(request.id, self.hover(&request.params)),
            other => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                Response::new_err(request.id, code, format!("{other} is not supported"))
            }
        }
    }

    fn notice(&mut self, method: &str, params: &Value) {
        let file = params["textDocument"]["uri"].as_str().and_then(position::path_of);
        match (method, file) {
            ("textDocument/didOpen" | "textDocument/didSave", Some(file)) => self.check(file),
            ("textDocument/didClose", Some(file)) => {
                self.stop(&file, "closed");
                let old = self.found.remove(&file);
                old.iter().flat_map(Found::files).for_each(|f| self.publish(&f));
            }
            ("window/workDoneProgress/cancel", _) => {
                let token = &params["token"];
                let file = self.running.iter().find(|(_, r)| json!(r.token()) == *token).map(|(f, _)| f.clone());
                if let Some(file) = file {
                    self.stop(&file, "cancelled");
                }
            }
            _ => {}
        }
    }

    /// Starts a check, instead of one that runs.
    fn check(&mut self, file: PathBuf) {
        self.stop(&file, "started again");
        self.number += 1;
        let folder = self.root.clone().or_else(|| file.parent().map(Path::to_path_buf)).unwrap_or_default();
        let events = self.events.clone();
        let done = move |checked| {
            let _ = events.send(Event::Checked(checked));
        };
        let running = checking::start(&file, self.number, &self.arguments, &folder, done);
        if self.progress {
            let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            self.send(Message::Request(Request {
                id: RequestId::from(running.token()),
                method: "window/workDoneProgress/create".to_string(),
                params: json!({ "token": running.token() }),
            }));
            let title = format!("hardbop: {name}");
            self.report(&running.token(), &json!({ "kind": "begin", "title": title, "cancellable": true }));
        }
        self.running.insert(file, running);
    }

    /// Ends the check of a file, if there is one.
    fn stop(&mut self, file: &Path, why: &str) {
        if let Some(running) = self.running.remove(file) {
            running.cancel();
            self.report(&running.token(), &json!({ "kind": "end", "message": why }));
        }
    }

    fn report(&self, token: &str, value: &Value) {
        if self.progress {
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    fn tick(&self) {
        for running in self.running.values() {
            let message = format!("{} s", running.seconds());
            self.report(&running.token(), &json!({ "kind": "report", "message": message }));
        }
    }

    /// Takes what a check found, unless it was ended in the meantime.
    fn take(&mut self, checked: Checked) {
        if self.running.get(&checked.file).is_none_or(|r| r.number != checked.number) {
            return;
        }
        let running = self.running.remove(&checked.file).expect("it is there");
        let mut text = Text::new(self.encoding);
        let found = Found::of(&checked, self.related, &mut text);
        self.report(&running.token(), &json!({ "kind": "end", "message": found.summary }));
        let mut files: BTreeSet<PathBuf> = found.files();
        files.insert(checked.file.clone());
        if let Some(old) = self.found.insert(checked.file, found) {
            files.extend(old.files());
        }
        files.iter().for_each(|f| self.publish(f));
    }

    /// Tells the client all that is known of a file: a header may belong to several checks.
    fn publish(&self, file: &Path) {
        let all: Vec<&Value> = self.found.values().filter_map(|f| f.diagnostics.get(file)).flatten().collect();
        let params = json!({ "uri": position::uri_of(file), "diagnostics": all });
        self.notify("textDocument/publishDiagnostics", params);
    }

    fn hover(&self, params: &Value) -> Value {
        let Some(file) = params["textDocument"]["uri"].as_str().and_then(position::path_of) else { return Value::Null };
        let line = params["position"]["line"].as_u64().unwrap_or(0) + 1;
        let at = |i: &&diagnostics::Invariant| i.file == file && u64::from(i.line) == line;
        let lines: Vec<String> = self
            .found
            .values()
            .flat_map(|f| f.invariants.iter().filter(at))
            .map(|i| format!("{}:\n```c\n{}\n```", i.what, i.text))
            .collect();
        if lines.is_empty() {
            return Value::Null;
        }
        let value = format!("**hardbop** proved, {}", lines.join("\n\n"));
        json!({ "contents": { "kind": "markdown", "value": value } })
    }
}

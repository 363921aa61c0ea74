//! What earlier runs found, by content: a file for each answer in a folder that the user names.
//!
//! An answer is stored under two keys. The first is made of everything that the answer can depend on - this executable, all
//! options, the preprocessed text of all files - and is asked before a child is started. The second is made of the lowered program, and
//! is asked by the child: after an edit, an entry that does not reach what was edited has the same program as before. A
//! proof or the inputs of a run are stored with it, so that `--recertify` can have them checked again.
//!
//! A file is written under another name and renamed: it is there as a whole or not at all, and of two runs that write the same one
//! the last wins, with the same contents. Its first line has the hash of the rest; what does not fit is damaged, is said to be, and is
//! made anew. Nothing here is trusted more than a file of the user's: who does not trust it says `--recertify`.

use crate::front::{Front, refused_by_front_end};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{CacheSettings, CheckSettings};
use certify::{CheckLimits, Counterexample, Proof};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The first word of each file; another format has another number.
const FORMAT: &str = "hardbop-cache-1";

/// An answer with what shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    outcome: Outcome,
    /// The proof of a safe program.
    proof: Option<String>,
    /// The inputs of a run that goes wrong.
    tape: Option<String>,
}

/// What is in a place of the cache.
enum Found {
    Nothing,
    Damaged,
    Record(Box<Record>),
}

/// The settings of a cache in this folder, which is made if it is missing.
pub(crate) fn open(dir: &str, recertify: bool) -> Result<CacheSettings, String> {
    std::fs::create_dir_all(dir).map_err(|e| format!("--cache {dir}: {}", crate::input::reason(&e)))?;
    let exe = std::env::current_exe().and_then(std::fs::read);
    let exe = exe.map_err(|e| format!("--cache: cannot read this executable: {}", crate::input::reason(&e)))?;
    let dir = std::path::absolute(dir).map_or(dir.to_owned(), |p| p.display().to_string());
    Ok(CacheSettings { dir, tool: blake3::hash(&exe).to_hex().to_string(), recertify })
}

/// A key made of several parts, none of which can run into the next.
fn key(cache: &CacheSettings, parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [cache.tool.as_str()].iter().chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn path(cache: &CacheSettings, key: &str) -> PathBuf {
    Path::new(&cache.dir).join(&key[..2]).join(&key[2..])
}

fn load(cache: &CacheSettings, key: &str) -> Found {
    let Ok(bytes) = std::fs::read(path(cache, key)) else { return Found::Nothing };
    let read = || {
        let text = std::str::from_utf8(&bytes).ok()?;
        let (head, rest) = text.split_once('\n')?;
        let hash = head.strip_prefix(FORMAT)?.trim();
        (hash == blake3::hash(rest.as_bytes()).to_hex().as_str()).then(|| serde_json::from_str(rest).ok())?
    };
    read().map_or(Found::Damaged, |record| Found::Record(Box::new(record)))
}

/// A cache that cannot be written is as good as none: nothing is lost but time.
fn store(cache: &CacheSettings, key: &str, record: &Record) {
    let text = serde_json::to_string(record).expect("outcomes are plain data");
    let file = format!("{FORMAT} {}\n{text}", blake3::hash(text.as_bytes()).to_hex());
    let path = path(cache, key);
    let own = format!(".{}.{:?}", std::process::id(), std::thread::current().id());
    let temporary = path.with_extension(own.replace(['(', ')'], ""));
    let written = std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))
        .and_then(|()| std::fs::write(&temporary, file))
        .and_then(|()| std::fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
}

/// The key of everything an answer can depend on. The files are in it by their text.
pub(crate) fn key_of_task(task: &CheckSettings) -> Option<String> {
    let cache = task.cache.as_ref()?;
    // Not what is asked but how to answer it.
    let asked = CheckSettings { cache: None, ..task.clone() };
    let asked = serde_json::to_string(&asked).expect("settings are plain data");
    Some(key(cache, &["task", &asked]))
}

/// The answer to a task that was given before, and whether its place is damaged.
pub(crate) fn answer(task: &CheckSettings, key: &str) -> (Option<Outcome>, bool) {
    let Some(cache) = &task.cache else { return (None, false) };
    match load(cache, key) {
        Found::Nothing => (None, false),
        Found::Damaged => (None, true),
        Found::Record(record) => {
            // What can be checked again is checked by the child.
            let checkable = matches!(record.outcome.answer, Answer::Safe | Answer::Unsafe);
            let outcome = Outcome { cached: Some("cached".to_owned()), ..record.outcome };
            ((!(cache.recertify && checkable)).then_some(outcome), false)
        }
    }
}

/// Keeps the answer to a task. What the user interrupted, what was wrong with the files and what went wrong with us is no answer.
pub(crate) fn keep(task: &CheckSettings, key: &str, outcome: &Outcome) {
    let Some(cache) = &task.cache else { return };
    let lasting = match outcome.answer {
        Answer::Safe | Answer::Unsafe | Answer::NotApplicable => true,
        Answer::Unknown => !outcome.reason.starts_with("interrupted"),
        _ => false,
    };
    if lasting {
        store(cache, key, &Record { outcome: plain(outcome), proof: None, tape: None });
    }
}

/// An outcome as it is when it is new.
fn plain(outcome: &Outcome) -> Outcome {
    let mut outcome = Outcome { cached: None, ..outcome.clone() };
    outcome
        .messages
        .retain(|m| !m.starts_with("warning: the cache in ") && !m.starts_with("warning: what the cache has"));
    outcome
}

/// The keys of a lowered program: of its proof, which holds wherever its lines are, and of a run in it, which is told with its lines.
fn keys_of_program(settings: &CheckSettings, front: &Front, cache: &CacheSettings) -> [String; 2] {
    let mut asked = CheckSettings { cache: None, ..settings.clone() };
    asked.program.sources.clear();
    // A limit does not change what is true.
    asked.limits = crate::settings::Limits { timeout: std::time::Duration::ZERO, cpu: None, memory: 0 };
    let asked = serde_json::to_string(&asked).expect("settings are plain data");
    let hash = certify::text::program_hash(&front.program).to_string();
    let text = ir::text::print(&front.program);
    let lines = ir::text::print_with_sources(&front.program, &front.map);
    [key(cache, &["proof", &asked, &hash, &text]), key(cache, &["run", &asked, &hash, &lines])]
}

/// The answer about a lowered program that was found before.
pub(crate) fn of_program(settings: &CheckSettings, front: &mut Front, progress: &mut Progress) -> Option<Outcome> {
    let cache = settings.cache.as_ref()?;
    for key in keys_of_program(settings, front, cache) {
        let record = match load(cache, &key) {
            Found::Nothing => continue,
            Found::Damaged => {
                progress.warn(format!("warning: the cache in {} is damaged at {key}: it is made anew", cache.dir));
                continue;
            }
            Found::Record(record) => *record,
        };
        let mut mark = "cached";
        if cache.recertify {
            progress.phase("check proof");
            match recertified(front, &record) {
                Ok(what) => mark = what,
                Err(why) => {
                    progress.warn(format!("warning: what the cache has does not hold and is looked for anew: {why}"));
                    continue;
                }
            }
        }
        let mut outcome = Outcome { cached: Some(mark.to_owned()), ..record.outcome };
        outcome.assumptions = front.assumptions();
        return Some(outcome);
    }
    None
}

/// Checks what shows an answer once more.
fn recertified(front: &mut Front, record: &Record) -> Result<&'static str, String> {
    let told = |d: base::Diagnostic, front: &Front| refused_by_front_end(&[d], &front.map).reason;
    match (&record.proof, &record.tape) {
        (Some(text), _) => {
            let file = front.map.add("cached proof", text.clone());
            let proof = certify::text::parse(&front.program, file, text).map_err(|d| told(d, front))?;
            let checked = certify::check_proof(&front.program, proof, &CheckLimits::default());
            checked.map(|_| "cached, the proof was checked again").map_err(|r| r.reason)
        }
        (None, Some(text)) => {
            let file = front.map.add("cached inputs", text.clone());
            let tape = ir::interp::Tape::parse(&front.program, file, text).map_err(|d| told(d, front))?;
            let replayed = certify::replay(&front.program, Counterexample { path: None, tape });
            replayed.map(|_| "cached, the run was replayed again").map_err(|e| e.to_string())
        }
        (None, None) => Err("there is nothing to check".to_owned()),
    }
}

/// Keeps a proof.
pub(crate) fn keep_proof(settings: &CheckSettings, front: &Front, proof: &Proof, outcome: &Outcome) {
    let Some(cache) = settings.cache.as_ref().filter(|_| outcome.answer == Answer::Safe) else { return };
    let [key, _] = keys_of_program(settings, front, cache);
    let proof = certify::text::print(&front.program, proof);
    store(cache, &key, &Record { outcome: plain(outcome), proof: Some(proof), tape: None });
}

/// Keeps a run.
pub(crate) fn keep_run(settings: &CheckSettings, front: &Front, run: &Counterexample, outcome: &Outcome) {
    let Some(cache) = settings.cache.as_ref().filter(|_| outcome.answer == Answer::Unsafe) else { return };
    let [_, key] = keys_of_program(settings, front, cache);
    let tape = run.tape.print(&front.program);
    store(cache, &key, &Record { outcome: plain(outcome), proof: None, tape: Some(tape) });
}

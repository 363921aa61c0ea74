//! `hardbop rules test`: a rule against programs that obey it and programs that do not.
//!
//! The programs are functions of one C file: `safe…` must pass, `broken…` must be defects, and each is an entry of its own. A rule
//! that has no broken program is not tested.

use super::find;
use crate::args;
use crate::many::{self, word};
use crate::outcome::{Answer, Exit};
use crate::report::{complain, one_line, show};
use crate::settings::{CheckSettings, RuleText};
use spec::library;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Tests the rules with these names, or the whole library.
pub(crate) fn test(names: &[String], timeout: Duration) -> ExitCode {
    crate::supervise::SEVERAL.store(true, std::sync::atomic::Ordering::Relaxed);
    let all: Vec<String> = match names {
        [] => library::ALL.iter().map(|e| e.name.to_owned()).collect(),
        names => names.to_vec(),
    };
    let mut rules = Vec::new();
    for name in &all {
        match find(name) {
            Ok(found) => rules.extend(found),
            Err(message) => return crate::usage(&message),
        }
    }
    let (mut good, mut bad) = (0, 0);
    for rule in &rules {
        match test_one(rule, timeout) {
            Ok((g, b)) => (good, bad) = (good + g, bad + b),
            Err(message) => {
                complain(&format!("error: {message}"));
                return Exit::BadInput.into();
            }
        }
    }
    show(format!("Tests: {good} as expected, {bad} not\n").as_bytes());
    if bad == 0 { Exit::Good.into() } else { Exit::Defect.into() }
}

/// How many programs of a rule are as expected, and how many are not.
fn test_one(rule: &RuleText, timeout: Duration) -> Result<(usize, usize), String> {
    let programs = Programs::of(rule)?;
    let names = functions(&programs.text);
    let broken = names.iter().filter(|n| n.starts_with("broken")).count();
    if broken == 0 || broken == names.len() {
        let missing = if broken == 0 { "broken" } else { "safe" };
        return Err(format!("{}: no function `{missing}…` to test `{}` with", programs.path.display(), rule.name));
    }
    let (mut good, mut bad) = (0, 0);
    for name in &names {
        let task = task(rule, &programs.path, name, timeout)?;
        let outcome = many::one(&task, &crate::display::Display::default())?.outcome;
        let wanted = if name.starts_with("safe") { Answer::Safe } else { Answer::Unsafe };
        let fits = outcome.answer == wanted;
        (good, bad) = if fits { (good + 1, bad) } else { (good, bad + 1) };
        let verdict = if fits { "ok    " } else { "FAILED" };
        let reason =
            if outcome.answer == Answer::Safe { String::new() } else { format!("  ({})", one_line(&outcome.reason)) };
        show(format!("{verdict}  {}  {name}: {}{reason}\n", rule.name, word(outcome.answer)).as_bytes());
        if !fits {
            outcome.messages.iter().for_each(|m| complain(m));
        }
    }
    Ok((good, bad))
}

fn task(rule: &RuleText, path: &Path, entry: &str, timeout: Duration) -> Result<CheckSettings, String> {
    let mut task = args::check_of(&path.display().to_string(), entry)?;
    task.program.rule = Some(rule.clone());
    task.limits.timeout = timeout;
    Ok(task)
}

/// The test programs of a rule, as a file.
struct Programs {
    path: PathBuf,
    text: String,
    /// Made for the occasion.
    temporary: bool,
}

impl Programs {
    fn of(rule: &RuleText) -> Result<Programs, String> {
        if let Some(entry) = library::find(&rule.name).filter(|e| e.text == rule.text) {
            let own = entry.name.replace('/', "-");
            let path = std::env::temp_dir().join(format!("hardbop-{}-{own}.c", std::process::id()));
            std::fs::write(&path, entry.programs).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
            return Ok(Programs { path, text: entry.programs.to_owned(), temporary: true });
        }
        let path = Path::new(&rule.file).with_extension("c");
        let text = std::fs::read_to_string(&path)
            .map_err(|e| format!("{}: cannot read the test programs of `{}`: {e}", path.display(), rule.name))?;
        Ok(Programs { path, text, temporary: false })
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        if self.temporary {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The functions `safe…` and `broken…` that begin a line of a C text with their result type.
fn functions(text: &str) -> Vec<String> {
    let name = |line: &str| {
        if line.starts_with([' ', '\t', '/', '*', '#', '}']) || line.trim_end().ends_with(';') {
            return None;
        }
        let (head, _) = line.split_once('(')?;
        let name = head.rsplit([' ', '*', '\t']).next()?;
        (name.starts_with("safe") || name.starts_with("broken")).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn the_programs_of_a_file_are_its_functions() {
        let text = "void safe_a(void)\n{\n  broken_x();\n}\nint *broken_b(int x) {\n}\nvoid safe_declared(void);\nstatic int help(void) {}\n";
        assert_eq!(functions(text), ["safe_a", "broken_b"]);
    }
}

//! Runs the tasks: one process per task, several at a time, none for ever.

use super::record::{Phase, TaskResult, Verdict};
use super::reproof::{self, Queries};
use super::tasks::Task;
use anyhow::Context;
use serde::Deserialize;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How to run the tasks.
pub(crate) struct Options {
    pub(crate) binary: PathBuf,
    pub(crate) timeout: Duration,
    pub(crate) cpu: Option<Duration>,
    pub(crate) memory: String,
    pub(crate) engine: Option<String>,
    pub(crate) jobs: usize,
    pub(crate) proofs: Queries,
}

/// hardbop keeps its own time limit; if it has not ended so long after it, it is broken and gets killed.
const GRACE: Duration = Duration::from_secs(10);

/// The part of hardbop's statistics that is counted.
#[derive(Deserialize)]
struct Stats {
    verdict: Verdict,
    reason: String,
    engine: Option<String>,
    lowers_fully: Option<bool>,
    closed: Option<bool>,
    #[serde(default)]
    cpu_s: f64,
    phases: Vec<Phase>,
}

/// Runs every task; the results are in the order of the tasks.
pub(crate) fn run_all(tasks: &[Task], options: &Options) -> anyhow::Result<Vec<TaskResult>> {
    let scratch = std::env::temp_dir().join(format!("hardbop-corpus-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).with_context(|| format!("cannot create {}", scratch.display()))?;
    let results: Vec<Mutex<Option<TaskResult>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let show = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(index) else { return };
                    let stats = scratch.join(format!("{index}.json"));
                    let result = run_task(task, options, &stats);
                    let n = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if result.is_wrong() {
                        eprintln!("{}WRONG: {} {}", if show { "\r\x1b[K" } else { "" }, result.verdict, task.name);
                    } else if show {
                        eprint!("\r\x1b[K{n}/{} {}", tasks.len(), task.name.chars().take(60).collect::<String>());
                    }
                    *results[index].lock().expect("no thread panics while it holds the lock") = Some(result);
                }
            });
        }
    });
    if show {
        eprint!("\r\x1b[K");
    }
    let _ = std::fs::remove_dir_all(&scratch);
    let taken = results.into_iter().map(|r| r.into_inner().ok().flatten());
    Ok(taken.map(|r| r.expect("every task was run")).collect())
}

/// The arguments that say which program a task is, and its proof, which must stand behind its files.
pub(crate) fn program_arguments(command: &mut Command, job: &str, task: &Task, proof: Option<&Path>) {
    command.arg(job).args(&task.files).args(proof);
    if let Some(property) = &task.property {
        command.arg("--property").arg(property);
    }
    command.args(&task.options);
    command.args(task.data_model.iter().flat_map(|m| ["--data-model", m]));
}

fn run_task(task: &Task, options: &Options, stats: &Path) -> TaskResult {
    let mut command = Command::new(&options.binary);
    program_arguments(&mut command, "check", task, None);
    command.arg("--timeout").arg(format!("{}ms", options.timeout.as_millis()));
    command.args(options.cpu.iter().flat_map(|cpu| ["--cpu-time".to_string(), format!("{}ms", cpu.as_millis())]));
    command.arg("--memory").arg(&options.memory).arg("--stats").arg(stats);
    let (proof, dumped) = (stats.with_extension("proof"), stats.with_extension("dump"));
    if options.proofs.any() {
        command.arg("--emit-proof").arg(&proof).args(["--dump", "ir", "--out"]).arg(&dumped);
    }
    command.args(options.engine.iter().flat_map(|e| ["--engine", e]));
    let start = Instant::now();
    let ended = run_with_limit(&mut command, options.timeout + GRACE);
    let mut result = TaskResult {
        task: task.name.clone(),
        expected: task.expected,
        verdict: Verdict::Unknown,
        reason: String::new(),
        engine: None,
        lowers_fully: None,
        closed: None,
        time_s: start.elapsed().as_secs_f64(),
        cpu_s: 0.0,
        exit_code: None,
        phases: Vec::new(),
        proof: None,
        problem: None,
    };
    match ended.map_err(|e| e.to_string()).and_then(|ended| judge(&ended, stats, &mut result)) {
        Ok(()) => {}
        Err(problem) => {
            // A verdict that comes with a problem is kept: if it is wrong, that must be seen.
            if result.reason.is_empty() {
                result.reason.clone_from(&problem);
            }
            result.problem = Some(problem);
        }
    }
    if options.proofs.any() && result.verdict == Verdict::Safe {
        match reproof::look(options.proofs, &options.binary, task, &proof, &dumped) {
            Ok(check) => result.proof = Some(check),
            Err(problem) => result.problem = Some(problem),
        }
    }
    result
}

/// How a process ended.
pub(crate) struct EndedProcess {
    /// `None` if it had to be killed.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) out: String,
}

/// Runs a command, and kills it after `limit`; its worker dies with it.
pub(crate) fn run_with_limit(command: &mut Command, limit: Duration) -> anyhow::Result<EndedProcess> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start hardbop")?;
    let mut stdout = child.stdout.take().context("stdout is piped")?;
    let reader = std::thread::spawn(move || {
        let mut out = Vec::new();
        let _ = stdout.read_to_end(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    });
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    Ok(EndedProcess { status, out: reader.join().unwrap_or_default() })
}

/// Reads the verdict from the verdict line and the rest from the statistics, and demands that line, statistics and exit
/// code say the same.
fn judge(ended: &EndedProcess, stats: &Path, result: &mut TaskResult) -> Result<(), String> {
    let Some(status) = ended.status else {
        return Err("runner: hardbop did not keep its time limit and was killed".into());
    };
    result.exit_code = status.code();
    let line = ended.out.lines().rev().find_map(|l| l.strip_prefix("Verdict: "));
    let verdict = match line.and_then(|l| l.split_whitespace().next()) {
        Some("SAFE") => Verdict::Safe,
        Some("UNSAFE") => Verdict::Unsafe,
        Some("UNKNOWN") => Verdict::Unknown,
        _ => return Err(format!("runner: no verdict line ({status})")),
    };
    result.verdict = verdict;
    let text = std::fs::read_to_string(stats).map_err(|e| format!("runner: no statistics: {e}"))?;
    let stats: Stats = serde_json::from_str(&text).map_err(|e| format!("runner: statistics: {e}"))?;
    result.reason = stats.reason;
    result.engine = stats.engine;
    result.lowers_fully = stats.lowers_fully;
    result.closed = stats.closed;
    result.cpu_s = stats.cpu_s;
    result.phases = stats.phases;
    let by_code = match result.exit_code {
        Some(0) => Some(Verdict::Safe),
        Some(10) => Some(Verdict::Unsafe),
        Some(1 | 2 | 5 | 6) => Some(Verdict::Unknown),
        _ => None,
    };
    if stats.verdict != verdict || by_code != Some(verdict) {
        return Err(format!("runner: line {verdict}, statistics {}, {status} do not agree", stats.verdict));
    }
    match result.exit_code {
        Some(6) => Err(result.reason.clone()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a task with a shell script in place of hardbop.
    fn run_script(name: &str, script: &str) -> TaskResult {
        use std::os::unix::fs::PermissionsExt;
        let dir = std::env::temp_dir().join(format!("hardbop-xtask-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let binary = dir.join("hardbop");
        std::fs::write(
            &binary,
            format!(
                "#!/bin/sh\nfor last in \"$@\"; do case $prev in --stats) s=$last;; esac; prev=$last; done\n{script}\n"
            ),
        )
        .unwrap();
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        let task = Task {
            name: "t".into(),
            files: vec![],
            property: None,
            expected: Some(true),
            data_model: None,
            options: vec![],
        };
        let options = Options {
            binary,
            timeout: Duration::from_millis(100),
            cpu: None,
            memory: "1G".into(),
            engine: None,
            jobs: 1,
            proofs: Queries { recertify: false, weaken: false },
        };
        let results = run_all(&[task], &options).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        results.into_iter().next().unwrap()
    }

    fn stats(verdict: &str) -> String {
        format!(
            r#"echo '{{"verdict":"{verdict}","reason":"r","engine":"e","lowers_fully":true,"closed":null,"phases":[]}}' > $s"#
        )
    }

    #[test]
    fn line_statistics_and_exit_code_must_agree() {
        let good = run_script("good", &format!("{}\necho 'Verdict: SAFE (x)'\nexit 0", stats("SAFE")));
        assert!(good.is_solved() && !good.is_broken(), "{good:?}");
        assert_eq!((good.engine.as_deref(), good.lowers_fully), (Some("e"), Some(true)));
        let wrong = run_script("wrong", &format!("{}\necho 'Verdict: UNSAFE (x)'\nexit 10", stats("UNSAFE")));
        assert!(wrong.is_wrong() && !wrong.is_broken(), "{wrong:?}");
        for (name, script) in [
            ("code", format!("{}\necho 'Verdict: SAFE (x)'\nexit 5", stats("SAFE"))),
            ("stats", format!("{}\necho 'Verdict: SAFE (x)'\nexit 0", stats("UNKNOWN"))),
            ("nostats", "echo 'Verdict: SAFE (x)'".to_string()),
            ("noline", stats("SAFE")),
            ("crash", format!("{}\necho 'Verdict: UNKNOWN (x)'\nexit 6", stats("UNKNOWN"))),
            ("killed", "kill -9 $$".to_string()),
        ] {
            let result = run_script(name, &script);
            assert!(result.is_broken(), "{name}: {result:?}");
        }
    }

    #[test]
    fn a_process_that_hangs_is_killed() {
        let start = Instant::now();
        let mut command = Command::new("sleep");
        let ended = run_with_limit(command.arg("30"), Duration::from_millis(200)).unwrap();
        assert!(ended.status.is_none() && start.elapsed() < Duration::from_secs(5));
    }
}

//! Limits and crashes: whatever becomes of the worker, there is one verdict line, the documented exit code, in time, and
//! no process is left behind. The worker is made to misbehave by a hook that only test builds have.
#![cfg(any(debug_assertions, feature = "test-hooks"))]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::{Folder, Ran};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> Folder {
    let dir = Folder::new(name);
    dir.file("a.c", "void reach_error(void); int main(void) { if (0) reach_error(); return 0; }\n");
    dir
}

fn crash(name: &str, hook: &str, args: &[&str]) -> Ran {
    let dir = folder(name);
    let args = [&["check", "a.c"], args].concat();
    Ran::of(dir.command(&args).env("HARDBOP_TEST_CRASH", hook))
}

#[test]
fn a_killed_worker_is_reported_at_once() {
    for (hook, what) in [
        ("segv", "signal SIGSEGV"),
        ("kill", "signal SIGKILL"),
        ("abort", "signal SIGABRT"),
        ("exit", "the worker ended with status 77 and no answer"),
    ] {
        // Whoever waited for the time limit would report that instead.
        let ran = crash("killed", hook, &["--timeout", "60s"]);
        ran.expect(6, &format!("Verdict: UNKNOWN (crash in phase test, iteration 3: {what})"), "");
    }
}

#[test]
fn a_panic_is_an_internal_error_with_its_place() {
    let ran = crash("panic", "panic", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(6), ""));
    let head = "Verdict: UNKNOWN (crash in phase test, iteration 3: as asked at crates/cli/src/hooks.rs:";
    assert!(ran.out.starts_with(head), "{}", ran.out);
}

#[test]
fn a_stack_overflow_is_named() {
    let ran = crash("overflow", "overflow", &["--memory", "100M"]);
    assert_eq!(ran.code, Some(6));
    assert_eq!(ran.out, "Verdict: UNKNOWN (crash in phase test, iteration 3: stack overflow)\n");
    assert!(ran.err.contains("overflowed its stack"), "{}", ran.err);
}

#[test]
fn the_memory_limit_is_not_a_crash() {
    for (hook, limit, text) in [
        ("alloc", "300M", "300 MiB"),
        ("alloc-large", "1G", "1 GiB"),
        ("alloc-large", "65536K", "64 MiB"),
        ("bad-alloc", "300M", "300 MiB"),
        ("foreign", "300M", "300 MiB"),
    ] {
        let ran = crash("memory", hook, &["--memory", limit]);
        ran.expect_limit(&format!("Verdict: UNKNOWN (memory limit of {text} reached in phase test, iteration 3)"));
    }
}

#[test]
fn processor_time_has_a_limit_of_its_own() {
    let ran = crash("processor", "spin", &["--cpu-time", "700ms"]);
    ran.expect_limit("Verdict: UNKNOWN (processor time limit of 700 ms reached in phase test, iteration 3)");
    // Who waits uses none.
    let ran = crash("processor", "hang", &["--cpu-time", "700ms", "--timeout", "2s"]);
    ran.expect_limit("Verdict: UNKNOWN (time limit of 2 s reached in phase test, iteration 3)");
}

#[test]
fn the_time_limit_ends_what_hangs() {
    for hook in ["hang", "spin"] {
        let ran = crash("time", hook, &["--timeout", "5s"]);
        ran.expect_limit("Verdict: UNKNOWN (time limit of 5 s reached in phase test, iteration 3)");
    }
    let ran = crash("time", "late-hang", &["--timeout", "60s"]);
    assert!(!ran.out.contains("time limit"), "an answer that was sent counts: {}", ran.out);
}

#[test]
fn an_answer_that_was_sent_is_not_lost() {
    let plain = folder("plain").run(&["check", "a.c"]);
    for hook in ["late-segv", "garbage"] {
        let ran = crash("late", hook, &[]);
        assert_eq!((ran.code, ran.out), (plain.code, plain.out.clone()), "{hook}");
    }
}

/// A verdict is handed over before its report is made: whatever ends the report, the verdict is there, and its line is last.
#[test]
fn a_verdict_outlives_its_report() {
    let safe = "void reach_error(void); int nd(void); int main(void) { if (nd() & 2 & 1) reach_error(); return 0; }\n";
    let unsafe_ = "void reach_error(void); int nd(void); int main(void) { if (nd() == 7) reach_error(); return 0; }\n";
    for (text, code, line) in [
        (safe, 0, "Verdict: SAFE (the proof was checked; engine abstraction)"),
        (unsafe_, 10, "Verdict: UNSAFE (`reach_error` is called at a.c:1:71; engine abstraction)"),
    ] {
        for (hook, limit, why) in [
            ("report-hang", "3s", "time limit of 3 s reached in phase report"),
            ("report-alloc", "60s", "memory limit of 1 GiB reached in phase report"),
            ("report-segv", "60s", "crash in phase report: signal SIGSEGV"),
            ("report-panic", "60s", "crash in phase report: as asked at "),
            ("report-exit", "60s", "crash in phase report: the worker ended with status 77 and no answer"),
        ] {
            let dir = Folder::new("cut");
            dir.file("a.c", text);
            let args = ["check", "a.c", "--engine", "abstraction", "--timeout", limit, "--memory", "1G"];
            let ran =
                Ran::of(dir.command(&[&args[..], &["--stats", "s.json"]].concat()).env("HARDBOP_TEST_CRASH", hook));
            let note = format!("Note: the report was cut, not the verdict: {why}");
            assert_eq!((ran.code, ran.out.lines().last()), (Some(code), Some(line)), "{hook}: {ran:?}");
            assert!(ran.out.starts_with(&note), "{hook}: {}", ran.out);
            assert!(ran.out.contains("\nThe answer rests on:\n"), "{hook}: {}", ran.out);
            let stats = std::fs::read_to_string(dir.0.join("s.json")).unwrap();
            let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
            assert_eq!(stats["exit_code"].as_i64(), Some(i64::from(code)), "{hook}");
            assert!(stats["counters"]["interpreter_steps"].is_u64(), "what the engines did is not lost: {stats}");
        }
    }
}

#[test]
fn statistics_are_written_whatever_happens() {
    for (hook, code) in [("segv", 6), ("hang", 5), ("alloc", 5), ("", 5)] {
        let dir = folder("stats");
        dir.file("s.json", "stale");
        let args = ["check", "a.c", "--stats", "s.json", "--timeout", "5s", "--memory", "200M"];
        let args = if hook == "hang" { [&args[..4], &["--timeout", "300ms"]].concat() } else { args.to_vec() };
        let ran = Ran::of(dir.command(&args).env("HARDBOP_TEST_CRASH", hook));
        let text = std::fs::read_to_string(dir.0.join("s.json")).unwrap();
        let stats: serde_json::Value = serde_json::from_str(&text).unwrap();
        if hook.is_empty() {
            assert_eq!(stats["exit_code"], ran.code.unwrap(), "{text}");
        } else {
            assert_eq!((stats["exit_code"].as_i64(), ran.code), (Some(code), Some(code as i32)), "{hook}: {text}");
            assert_eq!(stats["verdict"], "UNKNOWN", "{text}");
        }
        let line = format!("Verdict: {} ({}", stats["verdict"].as_str().unwrap(), stats["reason"].as_str().unwrap());
        assert!(ran.out.lines().any(|l| l.starts_with(&line)), "{text}\n{}", ran.out);
        assert!(!stats["phases"].as_array().unwrap().is_empty(), "{text}");
    }
}

/// So long is waited for something that must happen; how fast it happens is not tested.
const GIVE_UP: Duration = Duration::from_secs(60);

/// Starts a check that hangs, waits until its worker is there, and returns both.
#[expect(clippy::zombie_processes, reason = "the caller waits for the parent, and a failing test ends the process")]
fn hanging(name: &str) -> (std::process::Child, u32) {
    let dir = folder(name);
    let mut command = dir.command(&["check", "a.c", "--timeout", "30s"]);
    let parent =
        command.env("HARDBOP_TEST_CRASH", "hang").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children = format!("/proc/{0}/task/{0}/children", parent.id());
    let start = Instant::now();
    loop {
        let worker = std::fs::read_to_string(&children).unwrap_or_default();
        if let Some(worker) = worker.split_whitespace().next().and_then(|w| w.parse().ok()) {
            // Give it time to tie itself to its parent and to say where it is.
            std::thread::sleep(Duration::from_secs(1));
            return (parent, worker);
        }
        assert!(start.elapsed() < GIVE_UP, "the worker does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

/// Whether the process is there and not just waiting to be collected.
fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").trim_start().starts_with('Z'))
}

#[track_caller]
fn ends(pid: u32) {
    let start = Instant::now();
    while alive(pid) {
        assert!(start.elapsed() < GIVE_UP, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_ends_in_a_clean_unknown() {
    for (signal, name) in [("-INT", "SIGINT"), ("-TERM", "SIGTERM")] {
        if name == "SIGINT" && ignores_interrupts() {
            eprintln!("skipped: the tests were started with SIGINT ignored");
            continue;
        }
        let (mut parent, worker) = hanging("interrupted");
        send(signal, parent.id());
        let code = parent.wait().unwrap().code();
        let mut out = String::new();
        parent.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let expected = format!("Verdict: UNKNOWN (interrupted by {name} in phase test, iteration 3)\n");
        assert_eq!((code, out), (Some(5), expected));
        ends(worker);
    }
}

/// A shell starts background jobs with SIGINT ignored, and children inherit that.
fn ignores_interrupts() -> bool {
    let status = BufReader::new(std::fs::File::open("/proc/self/status").unwrap());
    let mask = status.lines().map_while(Result::ok).find_map(|l| l.strip_prefix("SigIgn:").map(str::to_string));
    mask.is_some_and(|m| u64::from_str_radix(m.trim(), 16).is_ok_and(|m| m & 0b10 != 0))
}

#[test]
fn the_worker_dies_with_its_parent() {
    let (mut parent, worker) = hanging("orphan");
    assert!(alive(worker));
    parent.kill().unwrap();
    parent.wait().unwrap();
    ends(worker);
}

#[test]
fn a_worker_killed_from_outside_is_reported_at_once() {
    let (mut parent, worker) = hanging("outside");
    send("-KILL", worker);
    assert_eq!(parent.wait().unwrap().code(), Some(6));
    let mut out = String::new();
    parent.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "Verdict: UNKNOWN (crash in phase test, iteration 3: signal SIGKILL)\n");
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let dir = folder("closed-pipe");
    let plain = dir.run(&["check", "a.c"]);
    let mut child = dir.command(&["check", "a.c"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), plain.code);
}

#[test]
fn programs_without_end_meet_a_limit() {
    let dir = Folder::new("endless");
    let allocate = "void *malloc(unsigned long); void reach_error(void);\n\
                    int main(void) { for (;;) { char *p = malloc(1000000); p[0] = 1; } reach_error(); }\n";
    dir.file("allocate.c", allocate)
        .file("count.c", "void reach_error(void); int main(void) { unsigned i = 0; for (;;) i++; reach_error(); }\n");
    dir.file(
        "recurse.c",
        "void reach_error(void); int f(int n) { return f(n + 1) + 1; }\nint main(void) { f(0); reach_error(); }\n",
    );
    dir.file("nothing.c", "void reach_error(void); int main(void) { for (;;) ; reach_error(); }\n");
    let ran = dir.run(&["check", "allocate.c", "--malloc", "succeeds", "--memory", "300M", "--timeout", "30s"]);
    ran.expect_limit("Verdict: UNKNOWN (memory limit of 300 MiB reached in phase concrete)");
    let ran = dir.run(&["run", "allocate.c", "--malloc", "succeeds", "--memory", "300M", "--timeout", "30s"]);
    ran.expect(5, "Run: UNKNOWN (limit of 314572800 bytes of memory reached)", "");
    for name in ["allocate.c", "count.c", "recurse.c", "nothing.c"] {
        let ran = dir.run(&["check", name, "--timeout", "1s"]);
        // A loop without an error in it may well be proved in time.
        assert!(matches!(ran.code, Some(0 | 5)), "{name}: {ran:?}");
        assert!(ran.out.lines().last().is_some_and(|l| l.starts_with("Verdict: ")), "{name}: {ran:?}");
    }
    let ran = dir.run(&["check", "count.c", "--engine", "concrete", "--timeout", "500ms"]);
    ran.expect_limit("Verdict: UNKNOWN (time limit of 500 ms reached in phase concrete)");
}

#[test]
fn no_temporary_folder_outlives_a_killed_worker() {
    let dir = Folder::new("leftover");
    let temporary = dir.0.join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    // The compiled program runs for ever: it is killed by the time limit, and so is the worker.
    let program = "extern void reach_error(void);\nint next(void) { static int n; return ++n; }\n\
                   int differ(int a, int b) { return a < b; }\n\
                   int main(void) { if (differ(next(), next())) reach_error(); for (;;) ; }\n";
    dir.file("a.c", program);
    let mut command = dir.command(&["check", "a.c", "--replay-compiled", "--timeout", "2s"]);
    let ran = Ran::of(command.env("TMPDIR", &temporary));
    assert!(matches!(ran.code, Some(5 | 10)), "{ran:?}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "{ran:?}");
}

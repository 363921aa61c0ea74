//! `cargo xtask bench papers`: what the abstraction of the papers' programs over memory costs (PLDI01, table 2), in calls of the SAT
//! solver and CPU time, next to the paper's theorem prover calls, for each way of looking for cubes; without a limit on cubes and in the
//! sound model of memory. All ways must give the same boolean program. Then what each of C2bp's optimisations saves (PLDI01 §5.2), the
//! program of TACAS01 §10's size with its limits, and drivers through the whole loop beside the paper's (PLDI01, table 1).

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// A program, its limits and what the paper says.
struct Row {
    name: &'static str,
    paper: &'static str,
    /// Calls of the SAT solver that must not be exceeded by the default engine.
    calls: u64,
    /// Seconds that must not be exceeded.
    seconds: f64,
    /// The paper's calls of its theorem prover, and its seconds.
    paper_calls: u64,
    paper_seconds: u64,
}

const ROWS: &[Row] = &[
    Row { name: "pldi01_kmp", paper: "kmp", calls: 286, seconds: 2.0, paper_calls: 286, paper_seconds: 7 },
    Row { name: "pldi01_qsort", paper: "qsort", calls: 2_000, seconds: 2.0, paper_calls: 199, paper_seconds: 5 },
    Row { name: "pldi01_fig1", paper: "partition", calls: 100, seconds: 2.0, paper_calls: 263, paper_seconds: 9 },
    Row {
        name: "pldi01_listfind",
        paper: "listfind",
        calls: 420,
        seconds: 2.0,
        paper_calls: 4_412,
        paper_seconds: 172,
    },
    Row { name: "pldi01_fig3", paper: "reverse", calls: 1_500, seconds: 2.0, paper_calls: 26_769, paper_seconds: 747 },
];

const ENGINES: [&str; 2] = ["cubes", "states"];

/// Exit code 10 if a limit was not kept.
pub(crate) fn bench(root: &Path, runs: usize) -> anyhow::Result<ExitCode> {
    let build = ["build", "--quiet", "--release", "-p", "cli"];
    if !Command::new("cargo").args(build).current_dir(root).status().context("cannot start cargo")?.success() {
        bail!("the command does not build");
    }
    let hardbop = root.join("target/release/hardbop");
    let scratch = root.join("target/bench-papers");
    std::fs::create_dir_all(&scratch)?;
    println!(
        "{:<10} {:>8} {:>10} {:>8} {:>8} {:>12} {:>8}",
        "program", "engine", "predicates", "calls", "seconds", "paper: calls", "seconds"
    );
    let mut broken = Vec::new();
    for row in ROWS {
        let mut programs = Vec::new();
        for engine in ENGINES {
            let (predicates, calls, seconds, text) = measure(&hardbop, root, &scratch, row.name, engine, runs)?;
            println!(
                "{:<10} {engine:>8} {predicates:>10} {calls:>8} {seconds:>8.3} {:>12} {:>8}",
                row.paper, row.paper_calls, row.paper_seconds
            );
            if calls > row.calls || seconds > row.seconds {
                broken.push(format!("{} by {engine}: more than {} calls or {} s", row.paper, row.calls, row.seconds));
            }
            programs.push(text);
        }
        let equiv = Command::new(&hardbop).args(["bebop", "--equiv"]).args(&programs).output()?;
        if equiv.status.code() != Some(0) {
            broken.push(format!("{}: the engines differ: {}", row.paper, String::from_utf8_lossy(&equiv.stdout)));
        }
    }
    savings(&hardbop, root, &scratch)?;
    broken.extend(tacas01(&hardbop, root, &scratch, runs)?);
    broken.extend(drivers(&hardbop, root, &scratch)?);
    for b in &broken {
        println!("LIMIT: {b}");
    }
    Ok(ExitCode::from(if broken.is_empty() { 0 } else { 10 }))
}

/// What `abstract --without` takes; the last is an option of its own.
const SAVINGS: [&str; 11] = [
    "order",
    "priming",
    "pruning",
    "unchanged",
    "cone",
    "syntactic",
    "cache",
    "conjuncts",
    "models",
    "enforce",
    "atoms",
];

/// Calls of the SAT solver with cubes up to 3, with everything and without each of what saves some.
fn savings(hardbop: &Path, root: &Path, scratch: &Path) -> anyhow::Result<()> {
    println!("\ncalls with cubes up to 3, with everything and without one thing (`atoms`: with it)");
    print!("{:<10} {:>10}", "program", "all");
    SAVINGS.iter().for_each(|s| print!(" {s:>10}"));
    println!();
    for row in ROWS {
        print!("{:<10}", row.paper);
        let options = SAVINGS.iter().map(|&s| if s == "atoms" { vec!["--atoms"] } else { vec!["--without", s] });
        for option in std::iter::once(Vec::new()).chain(options) {
            let stats = scratch.join("savings.json");
            let done = Command::new(hardbop)
                .current_dir(root.join("examples/papers"))
                .args(["abstract", &format!("{}.c", row.name), "--predicates", &format!("{}.preds", row.name)])
                .args(["--max-cube", "3", "--max-queries", "1000000", "--cpu-time", "30s", "--stats"])
                .arg(&stats)
                .args(&option)
                .output()?;
            if done.status.code() == Some(0) {
                print!(" {:>10}", counter(&stats, "sat_calls")?);
            } else {
                print!(" {:>10}", "> 30 s");
            }
        }
        println!();
    }
    Ok(())
}

fn counter(stats: &Path, key: &str) -> anyhow::Result<u64> {
    let read: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(stats)?)?;
    read["counters"][key].as_u64().with_context(|| format!("no {key}"))
}

/// TACAS01 §10: 350 lines, 35 predicates in one function, cubes up to 3. The limits that were not kept.
fn tacas01(hardbop: &Path, root: &Path, scratch: &Path, runs: usize) -> anyhow::Result<Vec<String>> {
    let (stats, text) = (scratch.join("tacas01_10.json"), scratch.join("tacas01_10.bp"));
    let (mut abstracting, mut checking) = (f64::MAX, f64::MAX);
    for _ in 0..runs.max(1) {
        let before = cpu_of_children()?;
        let done = Command::new(hardbop)
            .current_dir(root.join("examples/papers"))
            .args(["abstract", "tacas01_10.c", "--predicates", "tacas01_10.preds", "--max-cube", "3", "--stats"])
            .arg(&stats)
            .arg("-o")
            .arg(&text)
            .output()?;
        if done.status.code() != Some(0) {
            bail!("tacas01_10: {}", String::from_utf8_lossy(&done.stderr));
        }
        let between = cpu_of_children()?;
        let done = Command::new(hardbop).args(["bebop", "--certify"]).arg(&text).output()?;
        if done.status.code() != Some(0) {
            bail!("tacas01_10: {}", String::from_utf8_lossy(&done.stdout));
        }
        abstracting = abstracting.min(between - before);
        checking = checking.min(cpu_of_children()? - between);
    }
    let calls = counter(&stats, "sat_calls")?;
    println!("\nTACAS01 §10 (350 lines, 35 predicates; paper: under a minute, then a few seconds at 800 MHz)");
    println!("abstraction {abstracting:.2} s, {calls} calls; bebop with its check {checking:.2} s");
    let mut broken = Vec::new();
    if abstracting > 2.0 || calls > 20_000 {
        broken.push("TACAS01 §10: the abstraction takes more than 2 s or 20,000 calls".to_owned());
    }
    if checking > 2.0 {
        broken.push("TACAS01 §10: bebop takes more than 2 s".to_owned());
    }
    Ok(broken)
}

/// PLDI01, table 1: lines, predicates, calls of the theorem prover and seconds. The paper's drivers are not public.
const PAPER_DRIVERS: [(&str, u64, u64, u64, u64); 5] = [
    ("floppy", 6_500, 23, 5_509, 98),
    ("ioctl", 1_250, 5, 500, 13),
    ("openclos", 544, 5, 132, 6),
    ("srdriver", 350, 30, 3_034, 93),
    ("log", 236, 6, 98, 5),
];

/// Drivers of `benchmarks/drivers`, each as it should be and with its bug.
const OUR_DRIVERS: [&str; 6] = ["irp", "ladder", "power", "regcache", "uart", "watchdog"];

/// Our drivers with all engines: predicates and rounds of the model checker are those of the abstraction, where it had a turn. Bebop takes less
/// than 10 s in each of the paper's.
fn drivers(hardbop: &Path, root: &Path, scratch: &Path) -> anyhow::Result<Vec<String>> {
    println!("\nPLDI01, table 1: all engines, 60 s of processor time each");
    println!(
        "{:<16} {:>6} {:>10} {:>8} {:>8} {:>8}  answer",
        "driver", "lines", "predicates", "calls", "seconds", "bebop"
    );
    for (name, lines, predicates, calls, seconds) in PAPER_DRIVERS {
        println!("{name:<16} {lines:>6} {predicates:>10} {calls:>8} {seconds:>8} {:>8}  (paper)", "< 10");
    }
    let mut broken = Vec::new();
    for name in OUR_DRIVERS {
        for bug in [false, true] {
            let (file, stats) = (format!("benchmarks/drivers/{name}.c"), scratch.join("driver.json"));
            let lines = std::fs::read_to_string(root.join(&file))?.lines().count();
            let before = cpu_of_children()?;
            let mut command = Command::new(hardbop);
            command.current_dir(root).args(["check", &file, "-q", "--cpu-time", "60s"]);
            if bug {
                command.arg("-DBUG");
            }
            let done = command.arg("--stats").arg(&stats).output()?;
            let (seconds, code) = (cpu_of_children()? - before, done.status.code());
            let answer = String::from_utf8_lossy(&done.stdout);
            let word = answer.rsplit("Verdict: ").next().and_then(|l| l.split(' ').next()).unwrap_or_default();
            let engine = answer.rsplit_once("engine ").map_or("", |(_, e)| e.trim_end().trim_end_matches(')'));
            let read: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&stats)?)?;
            let phases = read["phases"].as_array().into_iter().flatten();
            let bebop: f64 = phases.filter(|p| p["name"] == "reach").filter_map(|p| p["time_s"].as_f64()).sum();
            let shown = if bug { format!("{name}, with bug") } else { name.to_owned() };
            println!(
                "{shown:<16} {lines:>6} {:>10} {:>8} {seconds:>8.1} {bebop:>8.1}  {word} {engine}",
                counter(&stats, "predicates")?,
                counter(&stats, "solver_queries")?
            );
            if code == Some(if bug { 0 } else { 10 }) {
                broken.push(format!("{shown}: {word} is wrong"));
            }
            if bebop > 10.0 && code != Some(5) {
                broken.push(format!("{shown}: bebop takes more than 10 s"));
            }
        }
    }
    Ok(broken)
}

/// Predicates, calls, the best time and the file of the boolean program.
fn measure(
    hardbop: &Path,
    root: &Path,
    scratch: &Path,
    name: &str,
    engine: &str,
    runs: usize,
) -> anyhow::Result<(u64, u64, f64, std::path::PathBuf)> {
    let (stats, text) = (scratch.join(format!("{name}.{engine}.json")), scratch.join(format!("{name}.{engine}.bp")));
    let mut best: Option<(u64, u64, f64)> = None;
    for _ in 0..runs.max(1) {
        let before = cpu_of_children()?;
        let done = Command::new(hardbop)
            .current_dir(root.join("examples/papers"))
            .args(["abstract", &format!("{name}.c"), "--predicates", &format!("{name}.preds")])
            .args(["--engine", engine, "--max-cube", "16", "--stats"])
            .arg(&stats)
            .arg("-o")
            .arg(&text)
            .output()?;
        if done.status.code() != Some(0) {
            bail!("{name}: {}", String::from_utf8_lossy(&done.stderr));
        }
        let read: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&stats)?)?;
        let count = |key: &str| read["counters"][key].as_u64().with_context(|| format!("{name}: no {key}"));
        if count("undecided")? + count("cut_short")? + count("cones_cut")? > 0 {
            bail!("{name}: a limit was met");
        }
        let one = (count("predicates")?, count("sat_calls")?, cpu_of_children()? - before);
        if best.is_none_or(|b| one.2 < b.2) {
            best = Some(one);
        }
    }
    let (predicates, calls, seconds) = best.context("there was a run")?;
    Ok((predicates, calls, seconds, text))
}

/// CPU seconds of all processes that this one has waited for, theirs included: what the machine does besides does not count.
fn cpu_of_children() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("CPU times are only known on Linux")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks =
        |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok()).context("/proc/self/stat has another form");
    // User and system time of children, in hundredths of a second.
    Ok((ticks(13)? + ticks(14)?) / 100.0)
}

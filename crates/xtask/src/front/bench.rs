//! How fast the front end is and how much memory it takes. Times are those of the processor, not of the clock.

use super::count::lowered;
use super::source::Source;
use anyhow::Context;
use std::collections::BTreeMap;
use std::process::Command;

/// Processor time of this thread so far, in seconds.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// The scheduler counts in steps of some milliseconds: shorter times are measured by repetition.
const LEAST: f64 = 0.1;

/// Seconds to parse and lower a file, on average over as many times as make a measurable time.
fn time(source: &Source, parts: bool) -> f64 {
    let start = cpu();
    let mut times = 0;
    loop {
        drop(lowered(source, parts));
        times += 1;
        let taken = cpu() - start;
        if taken >= LEAST {
            return taken / f64::from(times);
        }
    }
}

/// Speed by set and over all, and the memory of the large files.
pub(crate) fn speed(sources: &[Source], parts: bool) -> anyhow::Result<()> {
    let mut sets: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for source in sources {
        let taken = time(source, parts);
        for set in [source.set.as_str(), "all"] {
            let entry = sets.entry(set).or_default();
            *entry = (entry.0 + source.text.len() as f64 / 1e6, entry.1 + taken);
        }
    }
    println!("\n| set | MB | s | MB/s |\n|---|---|---|---|");
    for (set, (megabytes, seconds)) in &sets {
        println!("| {set} | {megabytes:.2} | {seconds:.3} | {:.1} |", megabytes / seconds);
    }
    let mut worst: f64 = 0.0;
    let this = std::env::current_exe().context("the path of this program")?;
    for source in sources.iter().filter(|s| s.text.len() > 100_000) {
        let output = Command::new(&this).args(["front", "--memory-of"]).arg(&source.path).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let times: f64 = text.trim().parse().with_context(|| format!("{}: {text}", source.name))?;
        worst = worst.max(times);
    }
    println!("\nmemory for files over 100 kB: at most {worst:.1} times the source");
    Ok(())
}

/// Peak memory of the process, in bytes.
fn peak() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) * 1024.0
}

/// Prints how many times the source's size reading it takes.
pub(crate) fn memory_of(sources: &[Source]) -> anyhow::Result<()> {
    let source = sources.first().context("no file")?;
    let before = peak();
    let result = lowered(source, false);
    println!("{:.2}", (peak() - before) / source.text.len() as f64);
    drop(result);
    Ok(())
}

/// Growth on generated files.
pub(crate) fn synthetic() -> anyhow::Result<()> {
    println!("| synthetic file | s | MB/s |\n|---|---|---|");
    for megabytes in [1, 2, 4, 8] {
        let source = Source {
            name: format!("{megabytes} MB"),
            set: String::new(),
            text: generate(megabytes * 1_000_000),
            target: cfront::Target::Lp64,
            path: std::path::PathBuf::new(),
        };
        let taken = time(&source, false);
        println!("| {megabytes} MB | {taken:.3} | {:.1} |", source.text.len() as f64 / 1e6 / taken);
    }
    Ok(())
}

/// A program of so many bytes: functions with records, arrays, loops and calls, all reached from `main`.
fn generate(bytes: usize) -> String {
    let mut text = String::from("struct s { int a; unsigned b : 5; char name[12]; struct s *next; };\n");
    let mut n = 0;
    while text.len() < bytes {
        text.push_str(&format!(
            "static int table{n}[4] = {{ {n}, 1, [3] = 7 }};\n\
             int f{n}(struct s *p, int x) {{\n  int i, sum = x;\n\
             \x20 for (i = 0; i < 4; i++) {{ sum += table{n}[i] * (x ^ i); if (sum > 1000 && p) break; }}\n\
             \x20 switch (x & 3) {{ case 0: p->a = sum; break; case 1: p->b++; default: sum -= p->name[x & 7]; }}\n\
             \x20 while (p && p->next) {{ p = p->next; sum = sum ? sum + p->a : sum - 1; }}\n\
             \x20 return {};\n}}\n",
            if n == 0 { "sum".to_owned() } else { format!("sum > {n} ? f{}(p, sum) : sum", n - 1) }
        ));
        n += 1;
    }
    text.push_str(&format!("int main(void) {{ struct s v = {{ 1 }}; return f{}(&v, 3); }}\n", n - 1));
    text
}

//! `cargo run --release -p reach --example bench -- NAME…`: the benchmark families with their times (best of `RUNS`), peak
//! nodes and memory. Names: `ladder`, `counter`, `recursion`, `driver`, `mixed`, or `ladder:800` for one size.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example reports to its user")]

use base::{SourceMap, Span};
use boolprog::generate::{DriverShape, counter, driver, ladder, recursion};
use boolprog::{Dialect, Program, parse};
use reach::{Options, analyze, targets};

fn read(text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("bench.bp", text);
    parse(&map, Span::new(file, 0, text.len() as u32), Dialect::Bebop).expect("generated programs are well formed")
}

/// Memory of this process at its highest, in MB, where the system tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Time that this process has been running on a processor, in seconds: other work on the machine does not count.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn run(name: &str, size: &str, text: &str, expected: bool, runs: usize) {
    let mut best = f64::INFINITY;
    let mut stats = reach::Stats::default();
    for _ in 0..runs {
        let start = cpu();
        let program = read(text);
        let options = Options { restrict: true, ..Options::default() };
        match analyze(&program, &targets(&program), &options) {
            Ok(a) => {
                assert_eq!(!a.hit().is_empty(), expected, "{name} {size}");
                stats = a.stats();
            }
            Err(e) => println!("{name} {size}: {e}"),
        }
        best = best.min(cpu() - start);
    }
    let memory = peak_memory();
    println!(
        "{name:10} {size:12} {best:9.3} s  {:9} steps  {:9} peak nodes  {memory:6} MB",
        stats.steps, stats.peak_nodes
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sizes = |name: &str, all: &[usize]| -> Vec<usize> {
        let one = args.iter().find_map(|a| a.strip_prefix(&format!("{name}:")).and_then(|n| n.parse().ok()));
        match one {
            Some(n) => vec![n],
            None if args.is_empty() || args.iter().any(|a| a == name) => all.to_vec(),
            None => Vec::new(),
        }
    };
    for n in sizes("ladder", &[100, 200, 400, 800, 1600]) {
        run("ladder", &n.to_string(), &ladder(n), true, 5);
    }
    for n in sizes("counter", &[10, 12, 14, 16]) {
        run("counter", &n.to_string(), &counter(n), true, 1);
    }
    for n in sizes("recursion", &[6, 8, 10, 12]) {
        run("recursion", &n.to_string(), &recursion(n), false, 1);
    }
    for n in sizes("driver", &[50, 100, 200, 500]) {
        let (globals, locals) = (4 + n * 16 / 500, 8 + n * 32 / 500);
        let shape = DriverShape { procs: n, globals, locals, modules: globals / 4, seed: 1 };
        run("driver", &format!("{n}/{globals}/{locals}"), &driver(shape), false, 1);
    }
    for n in sizes("mixed", &[50, 100, 200]) {
        let (globals, locals) = (4 + n * 16 / 500, 8 + n * 32 / 500);
        let shape = DriverShape { procs: n, globals, locals, modules: 1, seed: 1 };
        run("mixed", &format!("{n}/{globals}/{locals}"), &driver(shape), false, 1);
    }
}

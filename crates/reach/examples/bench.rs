//! `cargo run --release -p reach --example bench -- FAMILY:SIZE [RUNS]`: one generated program, as four numbers: CPU seconds
//! (best of `RUNS`), visits of statements, peak nodes, megabytes of this process at its highest. `cargo xtask bench bebop`
//! calls it, one process per size, so that memory is that of the size. `file:PATH` measures a program of your own.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example reports to its user")]

use base::{SourceMap, Span};
use boolprog::generate::{DriverShape, counter, driver, ladder, machine, recursion, saved};
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

/// Time that the threads of this process have been running on a processor, in seconds: other work on the machine does not
/// count.
fn cpu() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let time = |thread: std::fs::DirEntry| -> f64 {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
    };
    threads.map(time).sum()
}

/// A program to measure.
struct Measured {
    text: String,
    /// Whether its target is reached, where that is known.
    reached: Option<bool>,
    /// Whether a shortest trace is part of the measurement.
    trace: bool,
}

fn measured(family: &str, size: &str) -> Measured {
    if family == "file" {
        let text = std::fs::read_to_string(size).unwrap_or_else(|e| panic!("{size}: {e}"));
        return Measured { text, reached: None, trace: false };
    }
    let (text, reached, trace) = generated(family, size.parse().expect("a size"));
    Measured { text, reached: Some(reached), trace }
}

fn generated(family: &str, size: usize) -> (String, bool, bool) {
    let (globals, locals) = (4 + size * 16 / 500, 8 + size * 32 / 500);
    let shape = |modules| DriverShape { procs: size, globals, locals, modules, seed: 1 };
    match family {
        "ladder" => (ladder(size), true, false),
        "counter" => (counter(size), true, false),
        "recursion" => (recursion(size), false, false),
        "driver" => (driver(shape(globals / 4)), false, false),
        "mixed" => (driver(shape(1)), false, false),
        "saved" => (saved(size, globals, 1), false, false),
        "machine" => (machine(size), true, true),
        _ => panic!("there is no family {family}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (family, size) = args.first().and_then(|a| a.split_once(':')).expect("FAMILY:SIZE");
    let runs: usize = args.get(1).map_or(1, |n| n.parse().expect("a number of runs"));
    let Measured { text, reached, trace } = measured(family, size);
    let mut best = f64::INFINITY;
    let mut stats = reach::Stats::default();
    for _ in 0..runs {
        let start = cpu();
        let program = read(&text);
        let targets = targets(&program);
        let options = Options { stop_at_first: !trace, ..Options::verdict() };
        let mut analysis = analyze(&program, &targets, &options).expect("the programs fit");
        let hit = !analysis.hit().is_empty();
        assert_eq!(hit, reached.unwrap_or(hit), "{family} {size}");
        let searched = cpu() - start;
        if trace {
            let found = analysis.shortest(&targets, 1_000_000).expect("the trace is short");
            assert!(found.1.n_transitions() > 0);
        }
        if args.iter().any(|a| a == "split") {
            println!("search {searched:.3} s, trace {:.3} s", cpu() - start - searched);
        }
        best = best.min(cpu() - start);
        stats = analysis.stats();
    }
    println!("{best:.4} {} {} {}", stats.steps, stats.peak_nodes, peak_memory());
}

//! `cargo xtask bench bebop`: generated boolean programs of growing size, one process each (`reach`'s example `bench`), with
//! CPU time (best of five), memory, peak nodes and growth, against the limits that each family must keep.

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct BenchArgs {
    /// What to measure.
    what: What,
    /// Only this family.
    #[arg(long)]
    family: Option<String>,
    /// Points-to: these C files too, preprocessed.
    #[arg(long)]
    file: Vec<String>,
    /// Runs per size; the best counts.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// The model checker for boolean programs.
    Bebop,
    /// The abstraction of the papers' programs over memory.
    Papers,
    /// The points-to analysis with its regions, on generated programs of 10,000 and 100,000 lines and on the given files.
    PointsTo,
    /// The bounded engine, on generated programs of growing size.
    Bounded,
}

/// Sizes of one family of programs, and what is demanded of them.
struct Family {
    name: &'static str,
    about: &'static str,
    sizes: &'static [usize],
    /// (size, seconds) that must not be exceeded.
    limits: &'static [(usize, f64)],
    /// (small, large, ratio of times) that must not be exceeded.
    growth: Option<(usize, usize, f64)>,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "counter",
        about: "counters of so many bits",
        sizes: &[10, 12, 14, 16, 18, 20],
        limits: &[(20, 60.0)],
        growth: None,
    },
    Family {
        name: "ladder",
        about: "so many procedures, each calling the next twice",
        sizes: &[10, 100, 200, 400, 800, 1600, 2000],
        limits: &[(800, 0.15)],
        growth: Some((800, 1600, 2.3)),
    },
    Family {
        name: "driver",
        about: "driver-like programs of so many procedures",
        sizes: &[50, 100, 200, 500],
        limits: &[(500, 60.0)],
        growth: None,
    },
    Family {
        name: "mixed",
        about: "the same where every procedure works on all globals",
        sizes: &[50, 100, 200, 500],
        limits: &[(500, 60.0)],
        growth: None,
    },
    Family {
        name: "saved",
        about: "so many procedures that save and restore all globals",
        sizes: &[50, 100, 200, 500],
        limits: &[(500, 60.0)],
        growth: None,
    },
    Family {
        name: "recursion",
        about: "recursion that counts through so many globals",
        sizes: &[6, 8, 10, 12],
        limits: &[(12, 10.0)],
        growth: None,
    },
    Family {
        name: "machine",
        about: "a state machine with so many states, fixpoint and shortest trace",
        sizes: &[10, 20, 40, 80],
        limits: &[],
        growth: None,
    },
];

/// The most memory that any of the programs may take, in megabytes.
const MEMORY: u64 = 4096;

/// What one size came to.
struct Measured {
    seconds: f64,
    megabytes: u64,
}

/// Runs the families; exit code 10 if a limit was not kept.
pub(crate) fn bench(args: &BenchArgs, root: &Path) -> anyhow::Result<ExitCode> {
    if args.what == What::Papers {
        return crate::bench_papers::bench(root, args.runs);
    }
    if args.what == What::PointsTo {
        return crate::bench_points_to::bench(root, &args.file, args.runs);
    }
    if args.what == What::Bounded {
        return crate::bench_bounded::bench(root, args.family.as_deref(), args.runs);
    }
    let build = ["build", "--quiet", "--release", "-p", "reach", "--example", "bench"];
    if !Command::new("cargo").args(build).current_dir(root).status().context("cannot start cargo")?.success() {
        bail!("the example does not build");
    }
    let example = root.join("target/release/examples/bench");
    let mut broken = Vec::new();
    for family in FAMILIES.iter().filter(|f| args.family.as_deref().is_none_or(|n| n == f.name)) {
        println!("{}: {}", family.name, family.about);
        println!("{:>8} {:>10} {:>8} {:>10} {:>12} {:>8}", "size", "seconds", "growth", "steps", "peak nodes", "MB");
        let mut before: Option<f64> = None;
        let mut times = Vec::new();
        for &size in family.sizes {
            let runs = if before.is_some_and(|t| t > 5.0) { 1 } else { args.runs };
            let (measured, steps, nodes) = measure(&example, family.name, size, runs)?;
            let growth = before.map_or(String::new(), |b| format!("{:.2}", measured.seconds / b.max(1e-4)));
            let (t, mb) = (measured.seconds, measured.megabytes);
            println!("{size:>8} {t:>10.3} {growth:>8} {steps:>10} {nodes:>12} {mb:>8}");
            before = Some(measured.seconds);
            times.push((size, measured));
        }
        broken.extend(check(family, &times));
    }
    for b in &broken {
        println!("LIMIT: {b}");
    }
    Ok(ExitCode::from(if broken.is_empty() { 0 } else { 10 }))
}

fn measure(example: &Path, family: &str, size: usize, runs: usize) -> anyhow::Result<(Measured, String, String)> {
    let output = Command::new(example).arg(format!("{family}:{size}")).arg(runs.to_string()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [seconds, steps, nodes, megabytes] = fields[..] else {
        bail!("{family} {size}: {text}{}", String::from_utf8_lossy(&output.stderr));
    };
    let measured = Measured { seconds: seconds.parse()?, megabytes: megabytes.parse()? };
    Ok((measured, steps.to_string(), nodes.to_string()))
}

/// The limits that were not kept.
fn check(family: &Family, times: &[(usize, Measured)]) -> Vec<String> {
    let mut broken = Vec::new();
    let of = |size: usize| times.iter().find(|(s, _)| *s == size).map(|(_, m)| m.seconds);
    for &(size, limit) in family.limits {
        if of(size).is_none_or(|t| t > limit) {
            broken.push(format!("{} {size} took more than {limit} s", family.name));
        }
    }
    if let Some((small, large, limit)) = family.growth
        && of(small).zip(of(large)).is_none_or(|(a, b)| b / a > limit)
    {
        broken.push(format!("{} grows by more than {limit} from {small} to {large}", family.name));
    }
    if times.iter().any(|(_, m)| m.megabytes > MEMORY) {
        broken.push(format!("{} takes more than {MEMORY} MB", family.name));
    }
    broken
}

//! `points_to nested:N | apart:N | file:FILE [RUNS] [ILP32]`: the points-to analysis of a generated program of about `N` lines
//! ([`testkit::drivers`]) or of a file, as numbers: lines, edges, pointers and cells found, CPU seconds (best of `RUNS`) of the
//! solver, of the regions with what functions modify, of the check that it is all closed, and of asking for the region
//! of every access, then megabytes of the program alone and of this process at its highest.
//! `cargo xtask bench points-to` calls it, one process per program.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example reports to its user")]

use ir::cfg::AddressTaken;
use ir::walk::{Visitor, walk_edge};
use ir::{Place, Program};
use pointsto::{Query, Regions, Solution, Targets};
use testkit::drivers::{self, Arrays};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runs = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let number = |n: &str| n.parse().expect("a number of lines");
    let text = match args.first().and_then(|a| a.split_once(':')) {
        Some(("nested", n)) => drivers::program(number(n), Arrays::Nested),
        Some(("apart", n)) => drivers::program(number(n), Arrays::Apart),
        Some(("file", path)) => std::fs::read_to_string(path).expect("a readable file"),
        _ => return println!("usage: points_to nested:N | apart:N | file:FILE [RUNS] [ILP32]"),
    };
    let target = if args.iter().any(|a| a == "ILP32") { cfront::Target::Ilp32 } else { cfront::Target::Lp64 };
    let lines = text.lines().count();
    let program = lowered(&text, target);
    drop(text);
    let before = memory("VmRSS:");
    let mut best = [f64::MAX; 4];
    let mut facts = 0;
    for _ in 0..runs {
        let mut clock = Clock(cpu());
        let taken = AddressTaken::new(&program);
        let solution = pointsto::analyze(&program, &taken);
        let mut times = [clock.lap(), 0.0, 0.0, 0.0];
        let query = Query { program: &program, taken: &taken, solution: &solution };
        let regions = Regions::new(query);
        times[1] = clock.lap();
        certify::check_points_to(&program, &solution, &regions).unwrap_or_else(|e| panic!("{e}"));
        times[2] = clock.lap();
        ask(query, &regions);
        times[3] = clock.lap();
        best.iter_mut().zip(times).for_each(|(best, t)| *best = best.min(t));
        facts = count(&solution) + regions.cells.values().map(Vec::len).sum::<usize>();
    }
    let edges: usize = program.functions.iter().flat_map(|f| &f.body).map(|b| b.edges.len()).sum();
    let [solve, regions, check, ask] = best;
    println!("{lines} {edges} {facts} {solve:.4} {regions:.4} {check:.4} {ask:.4} {before} {}", memory("VmHWM:"));
}

fn lowered(text: &str, target: cfront::Target) -> Program {
    let mut sources = base::SourceMap::new();
    let file = sources.add("bench.c", text);
    let unit = cfront::parse(&mut sources, file, target).unwrap_or_else(|d| panic!("{}", d[0].message));
    lower::lower(&[unit], &lower::Options::default()).unwrap_or_else(|d| panic!("{}", d[0].message)).program
}

/// How many pointers the solution has.
fn count(solution: &Solution) -> usize {
    let variables = solution.globals.iter().chain(solution.locals.iter().flatten());
    variables.chain(solution.contents.values().flat_map(|slots| slots.values())).map(Targets::len).sum()
}

/// The region of every access, as `vc` asks for it.
fn ask(query: Query<'_>, regions: &Regions) {
    let program = query.program;
    for (func, f) in program.functions.iter_enumerated() {
        let mut places = Places(Vec::new());
        f.body.iter().flat_map(|b| &b.edges).for_each(|edge| walk_edge(edge, &mut places));
        for place in places.0.iter().filter(|place| query.is_access(func, place)) {
            let size = place.ty.size(program.model);
            let region = regions.of(&query.accessed(&query.address(func, &place.addr), size), size);
            assert!(region.is_some(), "an access has its region");
        }
    }
}

struct Places(Vec<Place>);

impl Visitor for Places {
    fn read(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
    fn write(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
}

/// A line of what the system says of this process's memory, in MB.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with(field)).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

struct Clock(f64);

impl Clock {
    fn lap(&mut self) -> f64 {
        let now = cpu();
        now - std::mem::replace(&mut self.0, now)
    }
}

/// Time of this process on a processor, in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

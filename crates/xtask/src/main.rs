//! Developer tasks, called as `cargo xtask …`: `tidy` (the rules of the tree), `corpus` (task sets with known answers),
//! `bp-corpus` (boolean programs with known answers), `bench` (generated programs of growing size), `benchmarks` (drivers and pieces of real code), `front` (programs through
//! the front end), `debian` (real code through it), `fuzz` (random tests by name), `mutants` (rules with a part missing), `torture` (programs compiled and interpreted), `containment` and `probes` (oracles over
//! task sets), `results` (the page of measured figures), `dist` (an archive of a release) and `test` (everything that must pass).
#![allow(clippy::disallowed_methods, reason = "developer tasks read files, start processes and look at the clock")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "developer tasks talk to a person")]

mod bench;
mod bench_bounded;
mod bench_papers;
mod bench_points_to;
mod benchmarks;
mod bp_corpus;
mod corpus;
mod csmith;
mod debian;
mod dist;
mod drivers;
mod front;
mod fuzz;
mod fuzzers;
mod mutants;
mod oracles;
mod results;
mod schemas;
mod test;
mod tidy;
mod tool_info;
mod torture;

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Developer tasks of hardbop.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Check the rules of the tree: module docs, crate edges, sizes, headings, licences.
    Tidy,
    /// Run `hardbop check` on tasks with known answers, and count.
    Corpus(corpus::CorpusArgs),
    /// Run `hardbop bebop` on boolean programs with known answers.
    BpCorpus(bp_corpus::BpCorpusArgs),
    /// Measure generated programs of growing size.
    Bench(bench::BenchArgs),
    /// Run `hardbop check` on the programs in `benchmarks/`: drivers, and pieces of Debian's packages.
    Benchmarks(benchmarks::BenchmarksArgs),
    /// Fetch Debian source packages and put their C files through the front end.
    Debian(debian::DebianArgs),
    /// Make an archive of a release: a static binary with its documents, completions and licences.
    Dist(dist::Args),
    /// Fetch out-of-tree Linux drivers and check them against rules.
    Drivers(drivers::DriversArgs),
    /// Put programs through the front end: refusals, what is not followed exactly, text form, speed.
    Front(front::FrontArgs),
    /// Run a random test by name.
    Fuzz(fuzz::FuzzArgs),
    /// Run the interpreter on tasks beside the invariants of every round of the refinement loop.
    Containment(oracles::OracleArgs),
    /// Take each part of each rule of the library away in turn: one of its tests must fail.
    Mutants(mutants::MutantsArgs),
    /// Make locations of tasks that the interpreter visits the target: none may be safe.
    Probes(oracles::ProbeArgs),
    /// One oracle on one program; for the two above.
    #[command(hide = true)]
    OracleChild(oracles::ChildArgs),
    /// Write docs/results.md from the saved runs in docs/results.
    Results(results::ResultsArgs),
    /// Have SARIF and benchmark definitions judged by their schema and by BenchExec, both from package registries.
    Schemas(schemas::Args),
    /// Run all tests.
    Test,
    /// Test the BenchExec tool-info module with the real package from PyPI.
    ToolInfo(tool_info::Args),
    /// Compile and interpret the programs of a folder: both must end alike.
    Torture(torture::TortureArgs),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Tidy => tidy::tidy(&root()),
        Task::Corpus(args) => corpus::corpus(&args, &root()),
        Task::BpCorpus(args) => bp_corpus::bp_corpus(&args, &root()),
        Task::Bench(args) => bench::bench(&args, &root()),
        Task::Benchmarks(args) => benchmarks::benchmarks(&args, &root()),
        Task::Debian(args) => debian::debian(&args),
        Task::Dist(args) => dist::dist(&args, &root()),
        Task::Drivers(args) => drivers::drivers(&args),
        Task::Front(args) => front::front(&args),
        Task::Fuzz(args) => fuzz::fuzz(&args),
        Task::Containment(args) => oracles::containment(&args, &root()),
        Task::Mutants(args) => mutants::mutants(&args),
        Task::Probes(args) => oracles::probes(&args, &root()),
        Task::OracleChild(args) => Ok(oracles::child(&args)),
        Task::Results(args) => results::results(&args, &root()),
        Task::Schemas(args) => schemas::schemas(&args, &root()),
        Task::Test => test::test(&root()),
        Task::ToolInfo(args) => tool_info::tool_info(&args, &root()),
        Task::Torture(args) => torture::torture(&args),
    };
    done.unwrap_or_else(|e| {
        eprintln!("error: {e:#}");
        ExitCode::from(1)
    })
}

/// The root of the workspace.
fn root() -> PathBuf {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_string());
    let manifest = PathBuf::from(manifest);
    manifest.ancestors().nth(2).expect("xtask lies two folders below the root").to_path_buf()
}

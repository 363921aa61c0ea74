//! `cargo xtask front`: programs through the front end. Every one must be read and lowered; printed and parsed back the
//! result must be the same, and valid. What the front end did not follow exactly is counted by construct: `Unsupported`
//! edges, and edges that say less than C does (outputs of inline assembly, results of library functions, other values
//! from outside). Inputs and calls of undefined functions are not counted: there C says no more either.

mod bench;
mod count;
pub(crate) mod source;

use count::Table;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `cargo xtask front`.
#[derive(clap::Args)]
pub(crate) struct FrontArgs {
    /// C files, compilation databases (compile_commands.json), task definitions (.yml), task sets (.set) or folders of them.
    #[arg(value_name = "FILE|SET|DIR", required_unless_present = "synthetic")]
    from: Vec<PathBuf>,
    /// Lower every function of each file, not only what `main` reaches: the files are parts of programs.
    #[arg(long)]
    parts: bool,
    /// The files are a compiler's tests: take those that gcc accepts with the standard that they ask for.
    #[arg(long)]
    suite: bool,
    /// Print where each inexact edge is.
    #[arg(long)]
    list: bool,
    /// Measure speed and memory too.
    #[arg(long)]
    bench: bool,
    /// Measure growth on generated files of 1, 2, 4 and 8 MB.
    #[arg(long)]
    synthetic: bool,
    /// Read one file and print the memory it took; for `--bench`.
    #[arg(long, hide = true)]
    memory_of: bool,
}

/// Runs; exit code 10 if a program is refused or its text form is not faithful.
pub(crate) fn front(args: &FrontArgs) -> anyhow::Result<ExitCode> {
    // Deep nesting is followed by recursion, as in the command.
    std::thread::scope(|scope| {
        let work = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, || run(args))?;
        work.join().unwrap_or_else(|_| anyhow::bail!("the front end panicked"))
    })
}

fn run(args: &FrontArgs) -> anyhow::Result<ExitCode> {
    if args.synthetic {
        bench::synthetic()?;
    }
    let sources = source::collect(&args.from, args.suite)?;
    if args.memory_of {
        return bench::memory_of(&sources).map(|()| ExitCode::SUCCESS);
    }
    if sources.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(args.list);
    for source in &sources {
        table.add(source, args.parts);
    }
    print!("{table}");
    if args.bench {
        bench::speed(&sources, args.parts)?;
    }
    Ok(if table.is_faithful() { ExitCode::SUCCESS } else { ExitCode::from(10) })
}

/// The files of a compilation database, as parts of programs.
pub(crate) fn parts_of(database: &std::path::Path) -> anyhow::Result<ExitCode> {
    front(&FrontArgs {
        from: vec![database.to_path_buf()],
        parts: true,
        suite: false,
        list: false,
        bench: false,
        synthetic: false,
        memory_of: false,
    })
}

//! The command line of `hardbop bench`.

use std::str::FromStr;

/// `hardbop bench`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    #[command(flatten)]
    pub run: RunBench,
}

/// What else there is to do with tasks.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum BenchCommand {
    /// Put the logs of several runs together: shards, or parts of a run.
    Merge {
        /// The logs.
        #[arg(required = true, value_name = "LOG")]
        logs: Vec<String>,
        #[command(flatten)]
        results: Results,
    },
    /// Print a benchmark definition for BenchExec.
    Benchexec(GenerateArgs),
    /// Print a job script for SLURM: an array with a shard for each element.
    Slurm(GenerateArgs),
}

/// A run over tasks.
#[derive(clap::Args, Debug)]
pub(crate) struct RunBench {
    /// Sets (`.set`: a path or pattern on each line), task definitions (`.yml`), folders with such, or C files without a known answer.
    #[arg(value_name = "SETS", required = true)]
    pub sets: Vec<String>,
    /// Do so many tasks at a time.
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,
    /// Only the properties whose file has this name: `unreach-call`.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Only one part of the tasks: the first of four is `1/4`.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Where each answer goes as soon as it is there; the same command again goes on from there. Resume needs the same options and tool.
    #[arg(long, value_name = "FILE.jsonl", default_value = "bench.jsonl")]
    pub log: String,
    /// Write the witness of each answer to this folder.
    #[arg(long, value_name = "DIR")]
    pub witnesses: Option<String>,
    /// Check each witness with `hardbop validate`; without its confirmation a right answer has no score.
    #[arg(long, requires = "witnesses")]
    pub validate: bool,
    #[command(flatten)]
    pub results: Results,
    /// Options of `check`, after `--`: `-- --cpu-time 60s --memory 4G`.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

/// Where results go, besides the table.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Results {
    /// Write a line for each task to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Write everything to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Write one log of all tasks, sorted, to this file.
    #[arg(long, value_name = "FILE.jsonl")]
    pub merged_log: Option<String>,
}

/// What the generators want to know.
#[derive(clap::Args, Debug)]
pub(crate) struct GenerateArgs {
    /// Sets, as for `bench`.
    #[arg(value_name = "SETS", required = true)]
    pub sets: Vec<String>,
    /// Processor time for each task, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 900)]
    pub cpu: u32,
    /// Memory for each task, in MB.
    #[arg(long, value_name = "MB", default_value_t = 15_000)]
    pub memory: u32,
    /// Only the properties whose file has this name: `unreach-call`.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Shards of the SLURM array.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub shards: u32,
    /// Options of `check`, after `--`.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

/// One part of all tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Which, from 1.
    pub index: usize,
    /// Of how many.
    pub count: usize,
}

impl Shard {
    /// Its tasks: every `count`-th, so that neighbours, which are often alike, go to different shards.
    pub(crate) fn of<T>(self, tasks: Vec<T>) -> Vec<T> {
        let mine = |i: usize| i % self.count == self.index - 1;
        tasks.into_iter().enumerate().filter(|(i, _)| mine(*i)).map(|(_, t)| t).collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let read = |(index, count): (&str, &str)| Some((index.parse().ok()?, count.parse().ok()?));
        match text.split_once('/').and_then(read) {
            Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
            _ => Err("expected a part such as 1/4, from 1/4 to 4/4".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_a_partition() {
        for count in 1..6 {
            let mut all: Vec<usize> =
                (1..=count).flat_map(|index| Shard { index, count }.of((0..13).collect())).collect();
            all.sort_unstable();
            assert_eq!(all, (0..13).collect::<Vec<_>>(), "{count} shards");
        }
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", "-1/4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}

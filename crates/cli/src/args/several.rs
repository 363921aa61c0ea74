//! Options of `check` for many entries and rules at once.

use super::{CheckArgs, ProgramArgs, lower_program, parse_duration};
use crate::entries::NoEntries;
use crate::harness;
use crate::settings::ProgramSettings;
use std::time::Duration;

/// `hardbop harness`.
#[derive(clap::Args, Debug)]
pub(crate) struct HarnessArgs {
    /// `module` (a kernel module), `library` (exported functions), `tasks` (FreeRTOS), or `contracts`: the functions that `--contracts` makes
    /// for the files; without that option, contracts that come with the tool (`linux`).
    #[arg(value_name = "KIND")]
    kind: String,
    /// C files, or the name of contracts.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
}

impl HarnessArgs {
    /// The text of the harness.
    pub(crate) fn text(&self) -> Result<String, String> {
        if self.kind == "contracts" && self.program.contracts.is_empty() {
            let read = |name: &String| crate::contracts::read(name).map(|c| c.text);
            return self.files.iter().map(read).collect();
        }
        let entry = vec![harness::ENTRY.to_owned()];
        let program = lower_program(self.files.clone(), ProgramArgs { entry, ..self.program.clone() })?;
        if self.kind == "contracts" {
            return harness::of_contracts(&program);
        }
        let made = harness::of(&program, &self.kind)?;
        Ok(made.text.split_once('\n').map_or(String::new(), |(_, text)| text.to_owned()))
    }
}

/// How several checks are done, and what counts.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SeveralArgs {
    /// Do so many checks at a time.
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Start in a harness that calls the functions of the program as their environment does: `module`, `library`, `tasks`, or a C file
    /// with a function `hardbop_harness`, which stands behind the program's own text.
    #[arg(long, value_name = "KIND|FILE", conflicts_with_all = ["entry", "entries"])]
    pub harness: Option<String>,
    /// Time limit for all checks together; what is not done then is UNKNOWN.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub total_timeout: Option<Duration>,
    /// Each file is a program of its own; without it, all files are one program.
    #[arg(long)]
    pub each_file: bool,
    /// Keep answers in this folder, and take those that are there already.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<String>,
    /// Check the proofs and runs in the cache again.
    #[arg(long, requires = "cache")]
    pub recertify: bool,
    /// Defects that are known, which do not count: a file with a line `RULE ENTRY MESSAGE` for each; `*` stands for any text.
    #[arg(long, value_name = "FILE", visible_alias = "suppressions")]
    pub baseline: Vec<String>,
    /// Write all defects to this file, for --baseline.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<String>,
    /// What makes the exit code other than 0: a defect or an UNKNOWN, a defect, a defect of a rule that is no warning, or nothing
    /// [default: unknown]
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// Check only programs that contain one of the files that this file names, one on each line.
    #[arg(long, value_name = "FILE")]
    pub changed: Option<String>,
}

/// What makes the exit code other than 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// Nothing but wrong usage and internal errors.
    Never,
    /// A defect of a rule whose severity is `error`.
    Error,
    /// Any defect.
    Defect,
    /// Any defect, and whatever could not be decided.
    #[default]
    Unknown,
}

impl SeveralArgs {
    /// Whether one of these options asks for a line for each check, also where there is one.
    pub(crate) fn any(&self) -> bool {
        self.jobs.is_some()
            || self.total_timeout.is_some()
            || self.each_file
            || self.harness.is_some()
            || self.cache.is_some()
            || !self.baseline.is_empty()
            || self.write_baseline.is_some()
            || self.fail_on.is_some()
            || self.changed.is_some()
    }
}

/// The programs of a command, each with its entry: one for all files, or one for each file.
pub(crate) fn programs(a: &CheckArgs, entries: &[String]) -> Result<Vec<ProgramSettings>, String> {
    let units: Vec<Vec<String>> = match (&a.program.compile_commands, a.several.each_file) {
        (_, false) => vec![a.files.clone()],
        (Some(path), true) if a.files.is_empty() => {
            let database = crate::database::read(path).map_err(|e| e.reason)?;
            database.files().into_iter().map(|f| vec![f]).collect()
        }
        (_, true) => a.files.iter().map(|f| vec![f.clone()]).collect(),
    };
    let mut all = Vec::new();
    let of = |files: &[String], entry: Vec<String>| {
        lower_program(files.to_vec(), ProgramArgs { entry, ..a.program.clone() })
    };
    let mut missing = None;
    for files in units {
        if let Some(kind) = &a.several.harness {
            let mut program = of(&files, vec![harness::ENTRY.to_owned()])?;
            match harness::of(&program, kind) {
                Ok(made) => {
                    program.harness = Some(made);
                    all.push(program);
                }
                Err(message) if a.several.each_file => missing = Some(message),
                Err(message) => return Err(message),
            }
            continue;
        }
        let found = match &a.entries {
            None if entries.is_empty() => vec![Vec::new()],
            None => entries.iter().map(|e| vec![e.clone()]).collect(),
            Some(which) => match crate::entries::expand(&of(&files, vec![which.clone()])?, which) {
                Ok(found) => found.into_iter().map(|e| vec![e]).collect(),
                // One of several files may have none.
                Err(NoEntries::None(message)) if a.several.each_file => {
                    missing = Some(message);
                    Vec::new()
                }
                Err(e) => return Err(e.message()),
            },
        };
        let mut wrappers = None;
        for entry in found {
            let mut program = of(&files, entry)?;
            let assumed = program.params != crate::settings::Params::Any;
            // `certify` reads the program without a wrapper.
            if assumed && program.entry != "main" && a.emit_proof.is_none() {
                if wrappers.is_none() {
                    // What is wrong with the files is told by the check itself.
                    wrappers = Some(harness::Wrappers::of(&program).ok());
                }
                let wrapper = wrappers.iter().flatten().find_map(|w| w.wrapper(&program.entry));
                if let Some((name, text)) = wrapper {
                    (program.entry, program.harness) = (name, Some(text));
                }
            }
            all.push(program);
        }
    }
    match missing {
        Some(message) if all.is_empty() => Err(message),
        _ => Ok(all),
    }
}

//! The command line of `hardbop bebop`.

use super::settings::{BebopSettings, Cartesian, Certify, CheckTask, Form, Reading, Task};
use crate::settings::Limits;

#[derive(clap::Args, Debug)]
pub(crate) struct BebopArgs {
    /// The boolean program; with --equiv two of them.
    #[arg(required = true, num_args = 1..=2, value_name = "FILE.bp")]
    files: Vec<String>,
    /// Ask whether this label is reached; may be given several times. Without it, SLIC_ERROR and all assertions are asked
    /// for.
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// Say of every label and every assertion whether it is reached or can fail.
    #[arg(long)]
    all: bool,
    /// Show a shortest trace to a target that is reached.
    #[arg(long)]
    trace: bool,
    /// In the trace, step over calls that are nested deeper than this.
    #[arg(long, value_name = "N", requires = "trace")]
    depth: Option<usize>,
    /// Write the locations that a shortest trace passes to this file, for `newton --path`: the boolean program is one that
    /// `abstract` made.
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
    /// Show the reachable states at each label (or at those given), as a sum of cubes.
    #[arg(long)]
    invariants: bool,
    /// Check the answer, however large the program is: replay a trace, or show that the sets are closed.
    #[arg(long, conflicts_with = "no_certify")]
    certify: bool,
    /// Do not check the answer; without either option it is checked unless the search was large.
    #[arg(long)]
    no_certify: bool,
    /// How operators bind: as in Bebop, or as in boppo; auto takes boppo for what SATABS says it generated.
    #[arg(long, value_name = "DIALECT", default_value = "auto")]
    dialect: Reading,
    /// Let variables hold a third value `?`, as TR00 has it, instead of choosing when a `*` is evaluated. More is reached.
    #[arg(long, conflicts_with_all = ["trace", "path", "invariants", "certify", "no_certify"])]
    three_valued: bool,
    /// See the program as sets of trivectors, in which each variable is 0, 1 or `*` by itself (TACAS01's Cartesian abstraction, with
    /// disjunctive completion). More is reached.
    #[arg(long, conflicts_with_all = ["three_valued", "trace", "path", "certify", "no_certify"])]
    cartesian: bool,
    /// With --cartesian: split these variables before every step, so that it keeps how they depend on each other.
    #[arg(long, value_name = "VARIABLES", value_delimiter = ',', requires = "cartesian")]
    focus: Vec<String>,
    /// With --cartesian: join what comes to a statement into one trivector.
    #[arg(long, requires = "cartesian")]
    join: bool,
    /// Print the program in this form instead of checking it.
    #[arg(long, value_name = "FORM", conflicts_with_all = CHECKING)]
    convert: Option<Form>,
    /// Compare two programs statement by statement, on the states that both their `enforce`s keep.
    #[arg(long, conflicts_with_all = CHECKING, conflicts_with_all = ["convert", "labels"])]
    equiv: bool,
    /// Write statistics to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    stats: Option<String>,
    #[command(flatten)]
    limits: crate::args::LimitArgs,
}

impl BebopArgs {
    /// The limits asked for.
    pub(crate) fn limits(&self) -> &crate::args::LimitArgs {
        &self.limits
    }
}

/// What only a check has.
const CHECKING: [&str; 8] =
    ["all", "trace", "path", "invariants", "certify", "no_certify", "three_valued", "cartesian"];

/// The settings that the arguments ask for.
pub(crate) fn lower(mut args: BebopArgs, limits: Limits) -> Result<BebopSettings, String> {
    let first = args.files.remove(0);
    let second = args.files.pop();
    let task = match (args.equiv, second) {
        (true, Some(second)) => Task::Equiv(first, second),
        (true, None) => return Err("--equiv compares two programs: give two files".to_string()),
        (false, Some(second)) => return Err(format!("one boolean program at a time: {second} is a second one")),
        (false, None) => match args.convert {
            Some(form) if matches!(form, Form::Smtlib | Form::Smv) => Task::Convert(first, form, args.labels),
            Some(_) if !args.labels.is_empty() => {
                return Err("--label with --convert: only smtlib and smv ask for labels".to_string());
            }
            Some(form) => Task::Convert(first, form, Vec::new()),
            None => Task::Check(CheckTask {
                file: first,
                labels: args.labels,
                all: args.all,
                trace: args.trace.then_some(args.depth.unwrap_or(usize::MAX)),
                path: args.path,
                invariants: args.invariants,
                three_valued: args.three_valued,
                cartesian: args.cartesian.then_some(Cartesian { focus: args.focus, join: args.join }),
                certify: match (args.certify, args.no_certify) {
                    (true, _) => Certify::Always,
                    (false, true) => Certify::Never,
                    (false, false) => Certify::WhenSmall,
                },
            }),
        },
    };
    Ok(BebopSettings { task, dialect: args.dialect, limits, stats: args.stats })
}

//! The commands that ask one stage of the loop: `abstract`, `invariants`, `newton`.

use super::{LimitArgs, ProgramArgs, lower_limits, lower_program};
use crate::settings::{
    AbstractSettings, BlockSize, CompareSettings, Control, CubeEngine, InvariantsSettings, Job, Limits, MemoryModel,
    Method, NewtonSettings, Points, PostSettings, ProgramSettings, Saving, Style, XPath,
};

/// What every stage begins with.
#[derive(clap::Args, Debug)]
struct SourceArgs {
    /// C files; together they are one program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl SourceArgs {
    fn lower(self) -> Result<(ProgramSettings, Limits), String> {
        Ok((lower_program(self.files, self.program)?, lower_limits(&self.limits)))
    }
}

#[derive(clap::Args, Debug)]
pub(super) struct AbstractArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The predicates; without them only the program's branching remains.
    #[arg(long, value_name = "FILE")]
    predicates: Option<String>,
    #[command(flatten)]
    method: MethodArgs,
    /// Abstract each predicate by itself, by weakest preconditions (C2bp) or from tables of blocks, or all of them at once
    /// (SABS13), as a relation.
    #[arg(long = "method", value_name = "METHOD", default_value = "cartesian", conflicts_with = "post")]
    style: Style,
    /// Print the assignment tables of blocks instead of the boolean program, and what they assign.
    #[arg(long, requires = "predicates", conflicts_with_all = ["post", "out"])]
    table: bool,
    /// With --table, or --method other than cartesian: how much one block is [default: basic for tables, statement otherwise]
    #[arg(long, value_name = "SIZE", conflicts_with = "post")]
    block: Option<BlockSize>,
    /// What is made of the conditions of branches (SABS13 §11): assume what does not exclude them, make predicates of them, or use
    /// the set of valuations with which they can hold.
    #[arg(long, value_name = "HOW", default_value = "assume", conflicts_with = "post")]
    control: Control,
    /// How memory is modelled; `logical` is unsound and says so.
    #[arg(long, value_name = "MODEL", default_value = "flat")]
    memory_model: MemoryModel,
    /// Show instead what a statement makes of this abstract state, a value for each predicate like `<0,*,1>`: the Boolean
    /// and the Cartesian image.
    #[arg(long, value_name = "STATE", requires = "line", requires = "predicates", conflicts_with = "out")]
    post: Option<String>,
    /// With --post: the line of the statement.
    #[arg(long, value_name = "N", requires = "post")]
    line: Option<u32>,
    /// With --post: only statements of this function.
    #[arg(long, value_name = "FUNCTION", requires = "post")]
    function: Option<String>,
    /// Begin in every function of the file, those that are static too: they are called in any order, with any arguments, from any
    /// state of globals (an open program).
    #[arg(long, conflicts_with = "entry")]
    open: bool,
    /// Keep what was found about procedures in this directory, and use what is there: what the same procedure with the same
    /// predicates asks in another program is not searched again (TOPLAS05 §1).
    #[arg(long, value_name = "DIR", conflicts_with_all = ["post", "table"])]
    store: Option<String>,
    /// Write the boolean program to this file instead of standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE.bp")]
    out: Option<String>,
    /// Write statistics to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    stats: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(super) struct InvariantsArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The predicates in which to say it; without them, those of a proof that is looked for first.
    #[arg(long, value_name = "FILE")]
    predicates: Option<String>,
    #[command(flatten)]
    method: MethodArgs,
    /// How memory is modelled; `logical` is unsound and says so. Only with `--predicates`: it is never used for a proof.
    #[arg(long, value_name = "MODEL", requires = "predicates")]
    memory_model: Option<MemoryModel>,
    /// Only where the source has this label.
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Only points of this function; all of them.
    #[arg(long, value_name = "FUNCTION")]
    function: Option<String>,
    /// Only points on this line of the source; all of them.
    #[arg(long, value_name = "N")]
    line: Option<u32>,
    /// Look for the proof by refinement alone, without invariants guessed from runs before it.
    #[arg(long, conflicts_with = "predicates")]
    no_invgen: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct NewtonArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The path, as `check --dump trace` or `bebop --path` writes it.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["table", "projections", "conditions", "annotate", "labels"])]
    path: Option<String>,
    /// Show what the path simulator knows after each statement of a path in X: store, history and conditions.
    #[arg(long, conflicts_with_all = ["path", "full_trace"])]
    table: bool,
    /// Leave out statements of an infeasible path in X while it stays infeasible, and show which.
    #[arg(long, conflicts_with_all = ["path", "full_trace"])]
    projections: bool,
    /// Show the conditions that rule an infeasible path in X out, with their scopes, and where symbolic constants get their values
    /// (TR00 §4.3, §4.5); with --projections those of the smallest one.
    #[arg(long, conflicts_with_all = ["path", "full_trace"])]
    conditions: bool,
    /// Write the program in X with symbolic constants as variables to this file, and the predicates that rule the path out beside it, to
    /// FILE.preds.
    #[arg(long, value_name = "FILE.x", conflicts_with_all = ["path", "full_trace"])]
    annotate: Option<String>,
    /// The labels that a path in X passes, like `1,5-7,2`; without them it is the whole procedure, which has no branches then.
    #[arg(long, value_name = "LABELS", conflicts_with = "path")]
    labels: Option<String>,
    /// Show every step of a path that can be executed; without it, long loops and lists are cut.
    #[arg(long)]
    full_trace: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The predicates.
    #[arg(long, value_name = "FILE")]
    predicates: String,
    /// The longest cubes for which there is a row [default: 4, or the number of predicates]
    #[arg(long, value_name = "K")]
    max_cube: Option<usize>,
    /// Write the table to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<String>,
    /// Write a picture of cost against precision to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

impl CompareArgs {
    pub(super) fn lower(self) -> Result<Job, String> {
        let CompareArgs { source, predicates, max_cube, json, svg } = self;
        let (program, limits) = source.lower()?;
        Ok(Job::Compare(CompareSettings { program, limits, predicates, max_cube, json, svg }))
    }
}

#[derive(clap::Args, Debug)]
struct MethodArgs {
    /// How the weakest combination of predicates is looked for: by increasing length, driven by models, or from all
    /// valuations that are possible.
    #[arg(long, value_name = "ENGINE", default_value = "cubes")]
    engine: CubeEngine,
    /// The longest conjunction of predicates looked at (shorter is faster and less precise, never wrong).
    #[arg(long, value_name = "K")]
    max_cube: Option<usize>,
    /// The most questions to the solver for one formula; what is not found by then is left out [default: 1000]
    #[arg(long, value_name = "N")]
    max_queries: Option<u64>,
    /// Leave out what saves questions to the solver, to see what it saves (PLDI01 §5.2).
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    without: Vec<Saving>,
    /// Take disjunctions apart too: fewer questions, less precise (PLDI01 §5.2).
    #[arg(long)]
    atoms: bool,
}

impl MethodArgs {
    fn lower(self) -> Method {
        let MethodArgs { engine, max_cube, max_queries, without, atoms } = self;
        Method { engine, max_cube, max_queries, without, atoms }
    }
}

impl AbstractArgs {
    pub(super) fn lower(mut self) -> Result<Job, String> {
        let post = match (self.post, self.line) {
            (Some(state), Some(line)) => {
                Some(PostSettings { state: crate::posting::parse_state(&state)?, line, function: self.function })
            }
            _ => None,
        };
        if self.block.is_some() && !self.table && self.style == Style::Cartesian {
            return Err("--block is about tables: with --table, --method cartesian-sat or --method direct".to_owned());
        }
        if self.block.is_some_and(|b| b != BlockSize::Statement) && self.control == Control::Sets {
            return Err("--control sets is about single conditions: larger blocks contain them".to_owned());
        }
        if self.open {
            self.source.program.entry = vec![crate::harness::ENTRY.to_owned()];
        }
        let (mut program, limits) = self.source.lower()?;
        if self.open {
            program.harness = Some(crate::harness::open(&program)?);
        }
        Ok(Job::Abstract(AbstractSettings {
            post,
            program: ProgramSettings { memory_model: self.memory_model, ..program },
            limits,
            predicates: self.predicates,
            method: self.method.lower(),
            style: self.style,
            block: self.block,
            control: self.control,
            table: self.table,
            store: self.store,
            out: self.out,
            stats: self.stats,
        }))
    }
}

impl InvariantsArgs {
    pub(super) fn lower(self) -> Result<Job, String> {
        let (program, limits) = self.source.lower()?;
        Ok(Job::Invariants(InvariantsSettings {
            program: ProgramSettings { memory_model: self.memory_model.unwrap_or(MemoryModel::Flat), ..program },
            limits,
            predicates: self.predicates,
            method: self.method.lower(),
            at: Points { label: self.label, function: self.function, line: self.line },
            no_invgen: self.no_invgen,
        }))
    }
}

/// `1,5-7,2` is 1, 5, 6, 7, 2.
fn label_list(text: &str) -> Vec<String> {
    let one = |word: &str| -> Vec<String> {
        let range = word.split_once('-').and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
        match range {
            Some((a, b)) => (a..=b).map(|n| n.to_string()).collect(),
            None => vec![word.to_owned()],
        }
    };
    text.split(',').map(str::trim).filter(|w| !w.is_empty()).flat_map(one).collect()
}

impl NewtonArgs {
    pub(super) fn lower(self) -> Result<Job, String> {
        let NewtonArgs { source, path, full_trace, table, projections, conditions, annotate, labels } = self;
        let (program, limits) = source.lower()?;
        let labels = labels.map(|l| label_list(&l));
        let x = XPath { table, projections, conditions, annotate, labels };
        Ok(Job::Newton(NewtonSettings { program, limits, path, full_trace, x }))
    }
}

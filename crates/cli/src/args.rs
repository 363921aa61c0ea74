//! The command line: clap's definitions, and their lowering to [`crate::settings`].
//!
//! Everything that can be wrong with a call is found here (exit code 1), except for what the files contain.

mod limits;
mod printed;
mod replay;
pub(crate) mod several;
mod stages;
mod task;

use crate::display::{Amount, Color, Display, Format};
use crate::outcome::Exit;
use crate::property::{self, Property};
use crate::rules::{RulesArgs, RulesCommand};
use crate::settings::{
    Addresses, BlockSize, Callbacks, CertifySettings, Check, CheckSettings, DataModel, Dump, DumpForm, EngineChoice,
    Extent, Externs, Globals, Job, Malloc, MemoryModel, Padding, Params, ProgramSettings, RuleText, RunSettings,
    SignedOverflow, ValidateSettings, Volatile, Widths,
};
use crate::tasks::Several;
use clap::Parser;
pub(crate) use limits::{LimitArgs, lower as lower_limits, parse_duration};
use std::ffi::OsString;
use std::io::Read;
use std::process::ExitCode;

/// Decides whether a C program can go wrong, and proves it or shows the run.
#[derive(Parser, Debug)]
#[command(name = "hardbop", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    display: DisplayArgs,
}

#[derive(clap::Args, Debug)]
struct DisplayArgs {
    /// Show only the answer line, and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Show also every target, and how long each phase took.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Use colours: on a terminal, always or never.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    color: Color,
}

const EXIT_CODES: &str = "Exit codes: 0 safe, done, accepted, infeasible; 10 defect, proof rejected, path feasible;\n\
                          5 inconclusive; 1 wrong usage; 2 the input cannot be used; 6 internal error";

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Decide whether the program can go wrong; several files are one program.
    Check(Box<CheckArgs>),
    /// Execute the program in the checking interpreter.
    Run(RunArgs),
    /// Compile the program with the inputs of a counterexample and see it go wrong.
    Replay(replay::ReplayArgs),
    /// Re-check a proof that `check --emit-proof` or a person wrote.
    Certify(CertifyArgs),
    /// Check a witness: a file of invariants or of a run that somebody found.
    Validate(ValidateArgs),
    /// Print the boolean program of some predicates (C2bp).
    Abstract(stages::AbstractArgs),
    /// Show what holds at labels, loops and exits, in terms of predicates.
    Invariants(stages::InvariantsArgs),
    /// Explain a path: inputs that take it, or why there are none.
    Newton(stages::NewtonArgs),
    /// Compare Cartesian and direct abstraction by cost and precision.
    Compare(stages::CompareArgs),
    /// Model-check a boolean program.
    Bebop(crate::bebop::BebopArgs),
    /// The rules that come with hardbop, and those of your own.
    Rules(RulesArgs),
    /// Print the harness that `check --harness` makes.
    Harness(Box<several::HarnessArgs>),
    /// Serve an editor: checks on save, defects with their runs, invariants as hovers (Language Server Protocol).
    Lsp {
        /// Options of `check`, after `--`.
        #[arg(last = true, value_name = "OPTION")]
        arguments: Vec<String>,
    },
    /// Check many tasks with known answers: a table, CSV, JSON and the score of SV-COMP.
    Bench(Box<crate::bench::args::BenchArgs>),
    /// Explain a code that a message has in square brackets, a kind of defect or a reason for UNKNOWN.
    Explain {
        /// The code; without it, all codes are listed.
        code: Option<String>,
    },
    /// Print the completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// What the command line asks for.
#[derive(Debug)]
pub(crate) enum Request {
    /// One job.
    One(Box<Job>),
    /// Several checks with one line each.
    Many(Box<Several>),
    /// Something about rules.
    Rules(RulesCommand),
    /// A language server, whose checks have these options.
    Lsp(Vec<String>),
    /// Many tasks.
    Bench(Box<crate::bench::args::BenchArgs>),
}

#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// C files; together they are one program. With -p and no file: all files of the compilation database.
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Rules that the program must obey, by name, file or group: `linux/spinlock,posix`.
    #[arg(long, value_name = "RULES", value_delimiter = ',', conflicts_with_all = ["property", "check"])]
    rules: Vec<String>,
    /// Functions where execution starts, each in its turn: `all-exported`, `static-tables` (those in tables of operations), or a file
    /// with their names.
    #[arg(long, value_name = "WHICH", conflicts_with = "entry")]
    entries: Option<String>,
    #[command(flatten)]
    several: several::SeveralArgs,
    /// Add to JSON what an editor shows: the invariants of the proof at their lines.
    #[arg(long)]
    details: bool,
    /// Look for all defects, with the same effort for each target; without it, less is spent on those that the first answer
    /// leaves open.
    #[arg(long, conflicts_with = "first")]
    all: bool,
    /// Stop at the first defect; so does --property, unless --all is given.
    #[arg(long)]
    first: bool,
    /// The format of the answer; docs/formats.md describes them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write the answer in that format to this file, and the text to standard output.
    #[arg(short, long, value_name = "FILE", requires = "format")]
    output: Option<String>,
    /// Write the answer as a page for a browser: source and run side by side, invariants, the refinement.
    #[arg(long, value_name = "FILE.html")]
    report: Option<String>,
    /// Use only these engines, in this order.
    #[arg(long = "engine", value_name = "ENGINE", value_delimiter = ',')]
    engines: Vec<EngineChoice>,

    /// Follow loops for at most N rounds in the bounded engine, where constants do not decide.
    #[arg(long = "unwind", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    unwind: Option<u32>,

    /// Follow recursion to at most N activations of a function in the bounded engine.
    #[arg(long = "depth", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Start the abstraction with the predicates of this file.
    #[arg(long, value_name = "FILE")]
    predicates: Option<String>,
    /// Generate no invariants before the abstraction begins: find everything by refinement.
    #[arg(long)]
    no_invgen: bool,
    /// Begin the abstraction with conjunctions of at most K predicates; longer ones are looked at where refinement finds nothing
    /// new [default: 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    max_cube: Option<u8>,
    /// How much of the program one step of the abstraction is.
    #[arg(long, value_name = "SIZE", default_value = "statement")]
    block: BlockSize,
    /// Write intermediate forms to the directory given by --out.
    #[arg(long, value_name = "FORM", value_delimiter = ',', requires = "out")]
    dump: Vec<DumpForm>,
    /// The directory for --dump; it is created if it does not exist.
    #[arg(long, value_name = "DIR", requires = "dump")]
    out: Option<String>,
    /// Write statistics to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    stats: Option<String>,
    /// Compile an unsafe program with the system compiler and see it fail on the inputs found.
    #[arg(long)]
    replay_compiled: bool,
    /// Write the proof of a safe program to this file.
    #[arg(long, value_name = "FILE")]
    emit_proof: Option<String>,
    /// Write the inputs of an unsafe program to this file.
    #[arg(long, value_name = "FILE")]
    emit_tape: Option<String>,
    /// Write a C file that gives the program the inputs with which it goes wrong, as a test for the program's own tree.
    #[arg(long, value_name = "FILE.c")]
    emit_test: Option<String>,
    /// Write what was found as a witness of SV-COMP to this file, in YAML.
    #[arg(long, value_name = "FILE.yml")]
    witness: Option<String>,
    /// The same in GraphML.
    #[arg(long, value_name = "FILE.graphml")]
    witness_graphml: Option<String>,
    /// Show every step of a counterexample; without it, long loops and lists are cut.
    #[arg(long)]
    full_trace: bool,
    /// Show all of a proof: every cut point and every predicate, not only loops and contracts.
    #[arg(long)]
    show_proof: bool,
    /// Give the refinement up after so many rounds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_iterations: Option<u64>,
}

#[derive(clap::Args, Debug)]
struct RunArgs {
    /// C files; together they are one program. With -p and no file: all files of the compilation database.
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Take the inputs from this file; without it, every input is zero.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    tape: Option<String>,
    /// Take random inputs, the same for the same number.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Give the run up after so many steps.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    max_steps: u64,
    /// Show what the run does, line by line, with values.
    #[arg(long)]
    trace: bool,
    /// Show every step of the trace; without it, long loops and lists are cut.
    #[arg(long, requires = "trace")]
    full_trace: bool,
}

#[derive(clap::Args, Debug)]
struct CertifyArgs {
    /// The program's C files, then the proof.
    #[arg(required = true, num_args = 2.., value_names = ["FILE", "PROOF"])]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(clap::Args, Debug)]
struct ValidateArgs {
    /// The program's C files, or a task definition.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The witness, in YAML.
    #[arg(long, value_name = "FILE.yml")]
    witness: String,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show every step of a run that is confirmed.
    #[arg(long)]
    full_trace: bool,
}

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ProgramArgs {
    /// Sizes of the integer types; the default is what a task definition says, or the host's.
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    data_model: Option<Widths>,
    /// The machine that the program is for: sizes, alignments, the sign of `char` and the preprocessor are its own.
    #[arg(long, value_name = "MACHINE", conflicts_with = "data_model", value_parser = clap::builder::PossibleValuesParser::new(cfront::abi::MACHINES))]
    target: Option<String>,
    /// What must not happen, as an SV-COMP property file; without it, a failing `assert`, `reach_error` and
    /// `__VERIFIER_error` are defects.
    #[arg(long, value_name = "FILE.prp")]
    property: Option<String>,
    /// The function where execution starts [default: main]
    #[arg(long, value_name = "FUNCTION")]
    entry: Vec<String>,
    /// A rule that the program must obey, instead of having no failing assertions: a file, or a rule of the library.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["property", "check"])]
    rule: Vec<String>,
    /// What a function without a body may write: what its pointer arguments reach, also any global, or nothing [default: args,
    /// with --svcomp: pure]
    #[arg(long, value_name = "KIND")]
    externs: Option<Externs>,
    /// What functions without a body return and write: a file with a line for each, or contracts that come with the tool (`linux`).
    #[arg(long, value_name = "FILE")]
    contracts: Vec<String>,
    /// A function without parameters that may run before any statement of other functions, as an interrupt handler does.
    #[arg(long, value_name = "FUNCTION")]
    interrupt: Option<String>,
    /// When a function without a body calls functions whose addresses it gets: inside the call that gets them, inside any later
    /// call too, or never.
    #[arg(long, value_name = "KIND", default_value = "during")]
    callbacks: Callbacks,
    /// Where objects lie: where a user's process or a kernel has them, or anywhere.
    #[arg(long, value_name = "KIND", default_value = "user")]
    addresses: Addresses,
    /// What the pointer parameters of an entry other than `main` are: anything, not null, to an object of their type, or each
    /// to another such object that is none of the program's [default: any]
    #[arg(long, value_name = "KIND")]
    params: Option<Params>,
    /// What globals hold when execution starts; the default is `initial` for `main` and `arbitrary` for any other entry.
    #[arg(long, value_name = "KIND")]
    globals: Option<Globals>,
    /// Whether `malloc` may return a null pointer [default: may-fail, with --svcomp: succeeds]
    #[arg(long, value_name = "KIND")]
    malloc: Option<Malloc>,
    /// As in the competition: functions without a body change nothing, `malloc` succeeds, and the verdict is also given as the
    /// competition writes it.
    #[arg(long)]
    svcomp: bool,
    /// Whether signed arithmetic wraps, or executions that overflow are left out.
    #[arg(long, value_name = "KIND", default_value = "wrap")]
    signed_overflow: SignedOverflow,
    /// Undefined behaviour that is a defect, like a failing assertion, or `all`; other kinds are assumed not to happen.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    check: Vec<CheckArg>,
    /// Whether a volatile object is ordinary memory, or gives any value each time it is read.
    #[arg(long, value_name = "KIND", default_value = "ordinary")]
    volatile: Volatile,
    /// Whether a store to a member of a structure may change its padding, or keeps it. Initialisers leave it arbitrary.
    #[arg(long, value_name = "KIND", default_value = "arbitrary")]
    padding: Padding,
    /// Directory with headers, for the preprocessor.
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<String>,
    /// Macro to define, for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Macro to undefine, for the preprocessor; comes after every -D.
    #[arg(short = 'U', value_name = "NAME")]
    undefines: Vec<String>,
    /// Header to read first, for the preprocessor; also written `-include FILE`.
    #[arg(long, value_name = "FILE")]
    include: Vec<String>,
    /// Language standard, for the preprocessor; also written `-std=STD`.
    #[arg(long, value_name = "STD")]
    std: Option<String>,
    /// Take each file's flags for the preprocessor from a compilation database: a compile_commands.json, or the folder
    /// of a build that has one.
    #[arg(short = 'p', long, value_name = "DIR|FILE")]
    compile_commands: Option<String>,
}

/// One kind of undefined behaviour, or all.
#[derive(Clone, Copy, Debug)]
enum CheckArg {
    /// This one.
    One(Check),
    /// All of them.
    All,
}

impl clap::ValueEnum for CheckArg {
    fn value_variants<'a>() -> &'a [Self] {
        use Check::{Bounds, Div, Free, Leak, Null, Overflow, Pointer, Shift};
        static ALL: [CheckArg; 9] = [
            CheckArg::All,
            CheckArg::One(Null),
            CheckArg::One(Bounds),
            CheckArg::One(Div),
            CheckArg::One(Overflow),
            CheckArg::One(Shift),
            CheckArg::One(Free),
            CheckArg::One(Pointer),
            CheckArg::One(Leak),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        match self {
            CheckArg::One(check) => check.to_possible_value(),
            CheckArg::All => Some(clap::builder::PossibleValue::new("all").help("All of these")),
        }
    }
}

/// What the command line asks for, and how the answer is shown. The error is the exit code after help, version or one complaint was
/// printed.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<(Request, Display), ExitCode> {
    let cli = Cli::try_parse_from(compiler_spelling(args)).map_err(|e| {
        // Clap prints help and version to stdout and complaints to stderr; its own exit code for the latter is 2.
        let _ = e.print();
        if e.kind() == clap::error::ErrorKind::InvalidSubcommand {
            crate::report::complain("\nnote: `hardbop check FILE.c` checks a program");
        }
        ExitCode::from(if e.use_stderr() { Exit::Usage } else { Exit::Good })
    })?;
    if let Some(text) = printed::printed(&cli.command) {
        return Err(text.map_or_else(
            |message| crate::usage(&message),
            |text| {
                crate::report::show(text.as_bytes());
                Exit::Good.into()
            },
        ));
    }
    let display = display(&cli);
    lower(cli).map(|job| (job, display)).map_err(|message| crate::usage(&message))
}

/// How the answer is to be shown.
fn display(cli: &Cli) -> Display {
    let amount = match (cli.display.quiet, cli.display.verbose) {
        (true, _) => Amount::Quiet,
        (false, true) => Amount::Verbose,
        (false, false) => Amount::Normal,
    };
    let (format, output, report) = match &cli.command {
        Command::Check(a) => (a.format, a.output.clone(), a.report.clone()),
        _ => (Format::Text, None, None),
    };
    Display { amount, format, output, report, color: cli.display.color }
}

/// Rewrites the compiler options that have a long name after one dash (`-include F`, `-std=S`, `-m32`, `-m64`) to clap's
/// style.
fn compiler_spelling(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut options_ended = false;
    args.map(move |arg| {
        options_ended |= arg == "--";
        match arg.to_str() {
            Some("-include") if !options_ended => "--include".into(),
            Some("-m32") if !options_ended => "--data-model=ILP32".into(),
            Some("-m64") if !options_ended => "--data-model=LP64".into(),
            Some(std) if !options_ended && std.starts_with("-std=") => format!("-{std}").into(),
            _ => arg,
        }
    })
}

fn lower(cli: Cli) -> Result<Request, String> {
    let job = match cli.command {
        Command::Check(a) => return lower_check(*a),
        Command::Lsp { arguments } => return Ok(Request::Lsp(arguments)),
        Command::Bench(a) => return Ok(Request::Bench(a)),
        Command::Rules(a) => return Ok(Request::Rules(a.command)),
        Command::Run(a) => Job::Run(RunSettings {
            program: lower_program(a.files, a.program)?,
            limits: lower_limits(&a.limits),
            tape: a.tape,
            seed: a.seed,
            max_steps: a.max_steps,
            trace: a.trace,
            full_trace: a.full_trace,
        }),
        Command::Replay(a) => a.lower()?,
        Command::Certify(mut a) => {
            let proof = a.files.pop().ok_or("no proof is given")?;
            Job::Certify(CertifySettings {
                program: lower_program(a.files, a.program)?,
                limits: lower_limits(&a.limits),
                proof,
            })
        }
        Command::Validate(a) => Job::Validate(ValidateSettings {
            program: lower_program(a.files, a.program)?,
            limits: lower_limits(&a.limits),
            witness: a.witness,
            full_trace: a.full_trace,
        }),
        Command::Abstract(a) => a.lower()?,
        Command::Invariants(a) => a.lower()?,
        Command::Newton(a) => a.lower()?,
        Command::Compare(a) => a.lower()?,
        Command::Bebop(a) => {
            let limits = lower_limits(a.limits());
            Job::Bebop(crate::bebop::lower(a, limits)?)
        }
        Command::Explain { .. } | Command::Completions { .. } | Command::Harness(_) | Command::Man => {
            return Err("this command only prints something".to_string());
        }
    };
    Ok(Request::One(Box::new(job)))
}

/// The check of a file from an entry, with all options at their defaults.
pub(crate) fn check_of(file: &str, entry: &str) -> Result<CheckSettings, String> {
    let args = ["hardbop", "check", "--entry", entry, "--", file].map(OsString::from);
    let cli = Cli::try_parse_from(args).map_err(|e| e.to_string())?;
    match lower(cli)? {
        Request::One(job) => match *job {
            Job::Check(settings) => Ok(settings),
            _ => Err("a check was meant".to_owned()),
        },
        Request::Many(_) | Request::Rules(_) | Request::Lsp(_) | Request::Bench(_) => {
            Err("one check was meant".to_owned())
        }
    }
}

/// One check for each entry and rule; with a rule there is a line for each.
fn lower_check(mut a: CheckArgs) -> Result<Request, String> {
    let entries = std::mem::take(&mut a.program.entry);
    let extent = match (a.all, a.first || a.program.property.is_some() || a.program.svcomp) {
        (true, _) => Extent::All,
        (false, true) => Extent::First,
        (false, false) => Extent::Several,
    };
    let mut rules = Vec::new();
    for name in a.program.rule.drain(..).chain(a.rules.drain(..)) {
        for rule in crate::rules::find(&name)? {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    let plain = rules.is_empty() && entries.len() <= 1 && a.entries.is_none() && !a.several.any();
    let rules: Vec<Option<RuleText>> =
        if rules.is_empty() { vec![None] } else { rules.into_iter().map(Some).collect() };
    if let (Some(machine), true) = (&a.program.target, a.replay_compiled || a.emit_test.is_some()) {
        return Err(format!("--replay-compiled and --emit-test run the program here, not on {machine}"));
    }
    let mut tasks = Vec::new();
    for program in several::programs(&a, &entries)? {
        for rule in &rules {
            let mut program = program.clone();
            program.rule.clone_from(rule);
            tasks.push(CheckSettings {
                extent,
                program,
                limits: lower_limits(&a.limits),
                engines: a.engines.clone(),
                unwind: a.unwind,
                depth: a.depth,
                predicates: a.predicates.clone(),
                invgen: !a.no_invgen,
                max_cube: a.max_cube.map(usize::from),
                block: a.block,
                dump: a.out.clone().map(|dir| Dump { forms: a.dump.clone(), dir }),
                stats: a.stats.clone(),
                replay_compiled: a.replay_compiled,
                emit_proof: a.emit_proof.clone(),
                emit_tape: a.emit_tape.clone(),
                emit_test: a.emit_test.clone(),
                witness: a.witness.clone(),
                witness_graphml: a.witness_graphml.clone(),
                full_trace: a.full_trace,
                show_proof: a.show_proof,
                details: a.report.is_some() || a.details,
                max_iterations: a.max_iterations,
                cache: None,
            });
        }
    }
    // A line for each check says of each whether it holds: the first defect decides.
    if !plain && !a.all {
        tasks.iter_mut().for_each(|t| t.extent = Extent::First);
    }
    if plain {
        return Ok(Request::One(Box::new(Job::Check(tasks.swap_remove(0)))));
    }
    let own = [
        ("--dump", a.out.is_some()),
        ("--stats", a.stats.is_some()),
        ("--report", a.report.is_some()),
        ("--emit-proof", a.emit_proof.is_some()),
        ("--emit-tape", a.emit_tape.is_some()),
        ("--emit-test", a.emit_test.is_some()),
        ("--witness", a.witness.is_some()),
        ("--witness-graphml", a.witness_graphml.is_some()),
    ];
    match own.iter().find(|(_, given)| *given) {
        Some((option, _)) if tasks.len() > 1 => {
            Err(format!("{option} belongs to one check, but these are {} (entries times rules)", tasks.len()))
        }
        _ => Ok(Request::Many(Box::new(Several::new(tasks, &a.several)?))),
    }
}

/// The value of an option that can be given once.
fn one(mut values: Vec<String>, option: &str) -> Result<Option<String>, String> {
    if values.len() > 1 {
        return Err(format!("{option} can be given once here: `{}` or `{}`", values[0], values[1]));
    }
    Ok(values.pop())
}

fn lower_program(mut files: Vec<String>, mut args: ProgramArgs) -> Result<ProgramSettings, String> {
    if let [file] = &files[..]
        && (file.ends_with(".yml") || file.ends_with(".yaml"))
    {
        let task = task::read(file, args.property.as_deref())?;
        files = task.files;
        args.property = task.property.or(args.property);
        args.data_model = args.data_model.or(task.data_model);
    }
    if args.svcomp && !args.check.is_empty() {
        return Err("--svcomp asks about the property alone, so it cannot be used with --check".into());
    }
    let mut property = Property::Default;
    let mut entry = one(args.entry, "--entry")?;
    let rule = match one(args.rule, "--rule")? {
        Some(name) => {
            let mut found = crate::rules::find(&name)?;
            if found.len() > 1 {
                return Err(format!("--rule {name} is a group of rules; one is needed here"));
            }
            found.pop()
        }
        None => None,
    };
    if let Some(path) = &args.property {
        let file = property::parse(&read_property(path)?).map_err(|e| format!("{path}: {e}"))?;
        if let Some(named) = entry.as_ref().filter(|e| **e != file.entry) {
            return Err(format!("--entry {named} contradicts {path}, which starts in `{}`", file.entry));
        }
        entry = Some(file.entry);
        property = file.property;
    }
    let mut preprocessor = Vec::new();
    preprocessor.extend(args.std.iter().map(|s| format!("-std={s}")));
    preprocessor.extend(args.include_dirs.iter().map(|d| format!("-I{d}")));
    preprocessor.extend(args.defines.iter().map(|d| format!("-D{d}")));
    preprocessor.extend(args.undefines.iter().map(|u| format!("-U{u}")));
    preprocessor.extend(args.include.iter().flat_map(|f| ["-include".to_string(), f.clone()]));
    let entry = entry.unwrap_or_else(|| "main".to_string());
    let whole = entry == "main";
    if whole && args.params.is_some() {
        return Err("--params is about the parameters of an entry other than `main`".into());
    }
    // On Windows alone `long` is narrower than a pointer.
    let windows = (args.data_model == Some(Widths::Llp64)).then(|| cfront::abi::WINDOWS.to_owned());
    let target = args.target.or(windows);
    let machine = target.as_deref().and_then(cfront::Target::named);
    Ok(ProgramSettings {
        files,
        data_model: match (machine.map(|t| t.abi().pointer), args.data_model) {
            (Some(32), _) | (None, Some(Widths::Ilp32)) => DataModel::Ilp32,
            (None, None) => DataModel::HOST,
            _ => DataModel::Lp64,
        },
        // These two are data models, for which this machine's compiler will do.
        machine: target.filter(|name| !matches!(name.as_str(), "i686" | "x86_64")),
        property,
        entry,
        svcomp: args.svcomp,
        externs: args.externs.unwrap_or(if args.svcomp { Externs::Pure } else { Externs::Args }),
        callbacks: args.callbacks,
        addresses: args.addresses,
        params: args.params.unwrap_or(Params::Any),
        globals_asked: args.globals.is_some(),
        globals: args.globals.unwrap_or(if whole { Globals::Initial } else { Globals::Arbitrary }),
        malloc: args.malloc.unwrap_or(if args.svcomp { Malloc::Succeeds } else { Malloc::MayFail }),
        signed_overflow: args.signed_overflow,
        volatile: args.volatile,
        padding: args.padding,
        memory_model: MemoryModel::Flat,
        interrupt: args.interrupt,
        checks: lower_checks(&args.check),
        rule,
        preprocessor,
        compile_commands: args.compile_commands,
        contracts: args.contracts.iter().map(|c| crate::contracts::read(c)).collect::<Result<_, _>>()?,
        harness: None,
        sources: Vec::new(),
    })
}

/// The kinds that were asked for, each once, in their own order if all were.
fn lower_checks(args: &[CheckArg]) -> Vec<Check> {
    if args.iter().any(|c| matches!(c, CheckArg::All)) {
        return <Check as clap::ValueEnum>::value_variants().to_vec();
    }
    let mut checks = Vec::new();
    for arg in args {
        match arg {
            CheckArg::One(c) if !checks.contains(c) => checks.push(*c),
            CheckArg::One(_) | CheckArg::All => {}
        }
    }
    checks
}

/// The text of a property file; a megabyte of it is more than anyone writes.
fn read_property(path: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|f| f.take(1 << 20).read_to_end(&mut bytes))
        .map_err(|e| format!("{path}: cannot read the property: {}", crate::input::reason(&e)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Limits;
    use std::time::Duration;

    fn job(args: &str) -> Job {
        let args = std::iter::once("hardbop").chain(args.split(' ')).map(OsString::from);
        match lower(Cli::try_parse_from(compiler_spelling(args)).unwrap()).unwrap() {
            Request::One(job) => *job,
            other => panic!("one job was meant: {other:?}"),
        }
    }

    #[test]
    fn every_kind_can_be_checked_for_by_name_and_by_all() {
        let Job::Check(s) = job("check a.c --check all") else { panic!("check is a check") };
        let names: Vec<String> = s.program.checks.iter().map(|c| c.name()).collect();
        let Job::Check(each) = job(&format!("check a.c --check {}", names.join(","))) else { panic!("a check") };
        assert_eq!(each.program.checks, s.program.checks, "the list of values that clap knows is complete");
        let Job::Check(twice) = job("check a.c --check div,div") else { panic!("check is a check") };
        assert_eq!(twice.program.checks, [Check::Div]);
    }

    #[test]
    fn the_definitions_are_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let Job::Check(s) = job("check a.c") else { panic!("check is a check") };
        assert_eq!(s.limits, Limits { timeout: Duration::from_secs(60), cpu: None, memory: 4 << 30 });
        assert_eq!(s.program.entry, "main");
        assert_eq!(s.program.property, Property::Default);
        assert_eq!(s.program.data_model, DataModel::HOST);
        assert_eq!((s.program.externs, s.program.malloc), (Externs::Args, Malloc::MayFail));
        assert_eq!((s.program.params, s.program.globals), (Params::Any, Globals::Initial));
        assert_eq!(s.program.signed_overflow, SignedOverflow::Wrap);
        assert!(s.engines.is_empty() && s.dump.is_none() && !s.replay_compiled);
    }

    #[test]
    fn the_data_model_may_be_written_as_compilers_do() {
        for (option, model) in [("-m32", DataModel::Ilp32), ("-m64", DataModel::Lp64)] {
            let Job::Run(s) = job(&format!("run {option} a.c")) else { panic!("run is a run") };
            assert_eq!(s.program.data_model, model);
        }
    }

    #[test]
    fn options_arrive_in_the_settings() {
        let Job::Check(s) =
            job("check a.c b.i --data-model ilp32 --entry start --timeout 2m --memory 1G --engine bounded,concrete \
             --externs pure --malloc succeeds --signed-overflow undefined --dump ir --out d --stats s.json \
             --replay-compiled --emit-proof p --emit-tape t -Iinc -D A=1 -UB -include x.h -std=c99")
        else {
            panic!("check is a check")
        };
        assert_eq!(s.program.files, ["a.c", "b.i"]);
        assert_eq!((s.program.params, s.program.globals), (Params::Any, Globals::Arbitrary));
        let Job::Check(f) = job("check a.c --entry f --params distinct --globals initial") else { panic!("a check") };
        assert_eq!((f.program.params, f.program.globals), (Params::Distinct, Globals::Initial));
        assert_eq!(s.program.data_model, DataModel::Ilp32);
        assert_eq!(s.engines, [EngineChoice::Bounded, EngineChoice::Concrete]);
        assert_eq!(s.program.preprocessor, ["-std=c99", "-Iinc", "-DA=1", "-UB", "-include", "x.h"]);
        assert_eq!(s.dump, Some(Dump { forms: vec![DumpForm::Ir], dir: "d".into() }));
        assert_eq!((s.emit_proof.as_deref(), s.emit_tape.as_deref()), (Some("p"), Some("t")));
        assert_eq!((s.program.externs, s.program.malloc), (Externs::Pure, Malloc::Succeeds));
        assert_eq!(s.program.signed_overflow, SignedOverflow::Undefined);
        let Job::Run(r) = job("run a.c --tape t --max-steps 7 --volatile nondet") else { panic!("run is a run") };
        assert_eq!((r.tape.as_deref(), r.seed, r.max_steps), (Some("t"), None, 7));
        assert_eq!(r.program.volatile, Volatile::Nondet);
        let Job::Run(r) = job("run a.c --seed 9") else { panic!("run is a run") };
        assert_eq!((r.tape.as_deref(), r.seed), (None, Some(9)));
        let Job::Certify(c) = job("certify a.c b.c p") else { panic!("certify is a certify") };
        assert_eq!((c.program.files, c.proof.as_str()), (vec!["a.c".into(), "b.c".into()], "p"));
    }
}

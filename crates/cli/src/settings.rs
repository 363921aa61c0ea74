//! What to do, as typed values: the command line after [`crate::args`] has checked it.
//!
//! The parent sends these to the child, so they are plain data; nothing below this file knows about options.

use crate::bebop::BebopSettings;
use crate::property::Property;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One job for one child process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Job {
    /// Decide whether a program can go wrong.
    Check(CheckSettings),
    /// Execute a program in the checking interpreter.
    Run(RunSettings),
    /// Make a test of a counterexample, and see the compiled program fail.
    Replay(ReplaySettings),
    /// Re-check a proof.
    Certify(CertifySettings),
    /// Check a witness.
    Validate(ValidateSettings),
    /// Make the boolean program of some predicates.
    Abstract(AbstractSettings),
    /// Say what holds at points of the program.
    Invariants(InvariantsSettings),
    /// Explain a path.
    Newton(NewtonSettings),
    /// Compare ways to make boolean programs.
    Compare(CompareSettings),
    /// Model-check a boolean program.
    Bebop(BebopSettings),
}

impl Job {
    /// The files that the job is about.
    pub(crate) fn files(&self) -> Vec<String> {
        match self {
            Job::Check(s) => s.program.files.clone(),
            Job::Run(s) => s.program.files.clone(),
            Job::Replay(s) => s.check.program.files.clone(),
            Job::Certify(s) => s.program.files.clone(),
            Job::Validate(s) => s.program.files.clone(),
            Job::Abstract(s) => s.program.files.clone(),
            Job::Invariants(s) => s.program.files.clone(),
            Job::Newton(s) => s.program.files.clone(),
            Job::Compare(s) => s.program.files.clone(),
            Job::Bebop(s) => s.files(),
        }
    }

    /// Where statistics go.
    pub(crate) fn stats(&self) -> Option<&String> {
        match self {
            Job::Check(s) => s.stats.as_ref(),
            Job::Abstract(s) => s.stats.as_ref(),
            Job::Bebop(s) => s.stats.as_ref(),
            Job::Run(_)
            | Job::Replay(_)
            | Job::Certify(_)
            | Job::Validate(_)
            | Job::Invariants(_)
            | Job::Newton(_)
            | Job::Compare(_) => None,
        }
    }

    /// How long it may take and how much memory it may use.
    pub(crate) fn limits(&self) -> Limits {
        match self {
            Job::Check(s) => s.limits,
            Job::Run(s) => s.limits,
            Job::Replay(s) => s.check.limits,
            Job::Certify(s) => s.limits,
            Job::Validate(s) => s.limits,
            Job::Abstract(s) => s.limits,
            Job::Invariants(s) => s.limits,
            Job::Newton(s) => s.limits,
            Job::Compare(s) => s.limits,
            Job::Bebop(s) => s.limits,
        }
    }
}

/// `hardbop check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// How many targets are asked about.
    pub extent: Extent,
    /// The engines to use, in this order; empty: all of them, in their own order.
    pub engines: Vec<EngineChoice>,
    /// The most rounds of a loop in the bounded engine.
    pub unwind: Option<u32>,
    /// The most activations of a function in the bounded engine.
    pub depth: Option<u32>,
    /// The file with predicates that the abstraction starts with.
    pub predicates: Option<String>,
    /// Generate invariants before the abstraction begins.
    pub invgen: bool,
    /// The cube size with which the abstraction begins; the default if not given.
    pub max_cube: Option<usize>,
    /// How much one statement of the boolean program is.
    pub block: BlockSize,
    /// Intermediate forms to write, and the directory for them.
    pub dump: Option<Dump>,
    /// Where statistics go.
    pub stats: Option<String>,
    /// Also compile the program, run it with the inputs found, and see it fail.
    pub replay_compiled: bool,
    /// Where the proof of a safe program goes.
    pub emit_proof: Option<String>,
    /// Where the inputs of an unsafe program go.
    pub emit_tape: Option<String>,
    /// Where the test goes that makes the compiled program fail.
    pub emit_test: Option<String>,
    /// Where the witness goes, in YAML.
    pub witness: Option<String>,
    /// Where the witness goes, in GraphML.
    pub witness_graphml: Option<String>,
    /// Tell every step of a counterexample.
    pub full_trace: bool,
    /// Show all of a proof.
    pub show_proof: bool,
    /// Collect what a report for a browser or an editor shows.
    pub details: bool,
    /// Rounds of refinement, if not as many as usual.
    pub max_iterations: Option<u64>,
    /// Where answers are kept.
    pub cache: Option<CacheSettings>,
}

/// A cache ([`crate::cache`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CacheSettings {
    /// The folder.
    pub dir: String,
    /// The hash of the executable: another one may find other answers.
    pub tool: String,
    /// Check proofs and runs again.
    pub recertify: bool,
}

/// How many of a program's targets are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Extent {
    /// Until the first defect is found.
    First,
    /// All, with limited effort for those that the first answer leaves open.
    Several,
    /// All, with all effort for each.
    All,
}

/// `hardbop run`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the inputs; without one, every input is zero.
    pub tape: Option<String>,
    /// Random inputs with this seed, where there is no tape.
    pub seed: Option<u64>,
    /// After so many steps the run is given up.
    pub max_steps: u64,
    /// Tell the run.
    pub trace: bool,
    /// Tell every step of it.
    pub full_trace: bool,
}

/// `hardbop replay`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReplaySettings {
    /// How the counterexample is looked for, and where the test goes.
    pub check: CheckSettings,
    /// The file with the inputs of the run; without one, a run is looked for.
    pub tape: Option<String>,
}

/// `hardbop certify`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CertifySettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the proof.
    pub proof: String,
}

/// `hardbop validate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ValidateSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the witness.
    pub witness: String,
    /// Tell every step of a run that is confirmed.
    pub full_trace: bool,
}

/// `hardbop abstract`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AbstractSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the predicates; without one, only control flow remains (TR00's skeleton).
    pub predicates: Option<String>,
    /// How it is made.
    pub method: Method,
    /// Which predicates are abstracted together, and by what questions.
    pub style: Style,
    /// How much one statement of the boolean program is, or one table.
    pub block: Option<BlockSize>,
    /// What is made of conditions.
    pub control: Control,
    /// Tables are asked for instead.
    pub table: bool,
    /// The directory with answers from other programs.
    pub store: Option<String>,
    /// What one statement makes of an abstract state is asked for instead.
    pub post: Option<PostSettings>,
    /// Where the boolean program goes, if not to standard output.
    pub out: Option<String>,
    /// Where statistics go.
    pub stats: Option<String>,
}

/// The two families of predicate abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Style {
    /// Each predicate by itself, by weakest preconditions (C2bp).
    Cartesian,
    /// Each predicate by itself, from the assignment tables of blocks.
    CartesianSat,
    /// All predicates at once, as a relation.
    Direct,
}

/// What is made of the conditions of branches (SABS13 §11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Control {
    /// What does not exclude them is assumed.
    Assume,
    /// They are predicates too.
    Conditions,
    /// The set of valuations with which they can hold.
    Sets,
}

/// How much one block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum BlockSize {
    /// One step.
    Statement,
    /// Steps that always follow each other.
    Basic,
    /// Everything between two of: heads of loops, calls, targets, entry and exit.
    Large,
}

/// `hardbop abstract --post`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PostSettings {
    /// The abstract state.
    pub state: crate::posting::AbstractState,
    /// The line of the statement.
    pub line: u32,
    /// Only in this function.
    pub function: Option<String>,
}

/// `hardbop invariants`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct InvariantsSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the predicates; without one, those of a proof that is looked for.
    pub predicates: Option<String>,
    /// How the boolean program is made.
    pub method: Method,
    /// Which points to show.
    pub at: Points,
    /// A proof by refinement alone, without invariants guessed from runs.
    pub no_invgen: bool,
}

/// `hardbop newton`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewtonSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the path; without one the program is a path itself.
    pub path: Option<String>,
    /// What to show of a path in X.
    pub x: XPath,
    /// Tell every step of a path that can be executed.
    pub full_trace: bool,
}

/// What `hardbop newton` shows of a path in X.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct XPath {
    /// Show what the path simulator knows.
    pub table: bool,
    /// Show smaller explanations.
    pub projections: bool,
    /// Show the conditions that rule it out, and where symbolic constants get their values.
    pub conditions: bool,
    /// Write the program with symbolic constants as variables.
    pub annotate: Option<String>,
    /// The labels that it passes; without them it is the whole procedure.
    pub labels: Option<Vec<String>>,
}

/// `hardbop compare`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CompareSettings {
    /// What to read and how to understand it.
    pub program: ProgramSettings,
    /// Time and memory.
    pub limits: Limits,
    /// The file with the predicates.
    pub predicates: String,
    /// The longest cubes looked at; the default if not given.
    pub max_cube: Option<usize>,
    /// Where the table goes as JSON.
    pub json: Option<String>,
    /// Where the picture goes.
    pub svg: Option<String>,
}

/// How a boolean program is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Method {
    /// The search for cubes.
    pub engine: CubeEngine,
    /// The longest cube looked at; the default if not given.
    pub max_cube: Option<usize>,
    /// The most questions for one formula; the default if not given.
    pub max_queries: Option<u64>,
    /// What saves questions and is left out.
    pub without: Vec<Saving>,
    /// Whether disjunctions are taken apart.
    pub atoms: bool,
}

/// What saves questions to the solver (PLDI01 §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Saving {
    /// First: shorter cubes are asked about before longer ones (`--engine cubes` and `states`).
    Order,
    /// First: nothing is asked about a longer cube than an implicant: only prime ones are wanted.
    Priming,
    /// First: nothing is asked about a longer cube than one that implies the opposite, or that no state satisfies.
    Pruning,
    /// Second: what a step does not change is not computed anew.
    Unchanged,
    /// Third: only predicates that share variables with the formula take part.
    Cone,
    /// Fourth: constants and tracked predicates are seen without a question.
    Syntactic,
    /// Fifth: the same formula is not asked about twice.
    Cache,
    /// Conjunctions are taken apart.
    Conjuncts,
    /// A state that the solver found refutes all cubes that hold in it (not in the paper).
    Models,
    /// Combinations that no state has are ruled out (PLDI01 §5.1); without it the program has more behaviours.
    Enforce,
}

/// Points of a program. Nothing given: labels, heads of loops, exits of functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Points {
    /// The places with this label.
    pub label: Option<String>,
    /// The points of this function.
    pub function: Option<String>,
    /// The points on this line.
    pub line: Option<u32>,
}

/// The ways to look for cubes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum CubeEngine {
    /// By increasing length.
    #[default]
    Cubes,
    /// Driven by the solver's models.
    Models,
    /// By all valuations of the predicates, which are found first.
    States,
}

/// Which program, and what its text means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProgramSettings {
    /// The files, which together are one program.
    pub files: Vec<String>,
    /// Sizes of the integer types.
    pub data_model: DataModel,
    /// The machine that the program is for, if not this one: one of `cfront::abi::MACHINES`.
    pub machine: Option<String>,
    /// What must not happen.
    pub property: Property,
    /// The answer is also given as the competition writes it.
    pub svcomp: bool,
    /// The function where execution starts.
    pub entry: String,
    /// What a function without a body may do.
    pub externs: Externs,
    /// When a function without a body calls functions of the program.
    pub callbacks: Callbacks,
    /// Where objects lie.
    pub addresses: Addresses,
    /// What the pointers are that an entry other than `main` is given.
    pub params: Params,
    /// What globals hold when execution starts.
    pub globals: Globals,
    /// The user has said so.
    pub globals_asked: bool,
    /// Whether `malloc` may return a null pointer.
    pub malloc: Malloc,
    /// What signed overflow is.
    pub signed_overflow: SignedOverflow,
    /// What a read of a volatile object gives.
    pub volatile: Volatile,
    /// What stores do to padding.
    pub padding: Padding,
    /// How memory is modelled.
    pub memory_model: MemoryModel,
    /// Undefined behaviour that is a defect.
    pub checks: Vec<Check>,
    /// The rule that the program must obey, instead of the property.
    pub rule: Option<RuleText>,
    /// The function that may run before any statement of others.
    pub interrupt: Option<String>,
    /// Options handed to the preprocessor.
    pub preprocessor: Vec<String>,
    /// The compilation database with further options, each file's own.
    pub compile_commands: Option<String>,
    /// What functions without a body promise: files, of which a later one counts before an earlier one.
    pub contracts: Vec<ContractsText>,
    /// A harness to put behind one of the files.
    pub harness: Option<HarnessSettings>,
    /// The files as they were read and preprocessed already; empty if they were not.
    pub sources: Vec<crate::input::Source>,
}

/// A harness ([`crate::harness`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HarnessSettings {
    /// Behind which file, counted from 0.
    pub unit: usize,
    /// Its text.
    pub text: String,
}

/// A file of contracts as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContractsText {
    /// The file, or what stands for it in messages.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Whether it comes with the tool: then it is about many programs, of which each has only some of its functions.
    pub of_library: bool,
}

/// A rule as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleText {
    /// Its name: `linux/spinlock`, or that of its file without ending.
    pub name: String,
    /// The file, or what stands for it in messages.
    pub file: String,
    /// The text.
    pub text: String,
}

impl ProgramSettings {
    /// Whether a block of memory that is not freed is a defect.
    pub(crate) fn leaks(&self) -> bool {
        self.checks.contains(&Check::Leak) || self.property.is_about_leaks()
    }

    /// The first file, for names of other files.
    pub(crate) fn name(&self) -> &str {
        self.files.first().map_or("program", String::as_str)
    }
}

/// How memory is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum MemoryModel {
    /// As it is: bytes at addresses.
    Flat,
    /// PLDI01's: `p + i` is `p`. Unsound; for comparing counts with the paper's.
    Logical,
}

impl MemoryModel {
    /// What an answer in this model has to say about itself.
    pub(crate) fn warning(self) -> Option<&'static str> {
        match self {
            MemoryModel::Flat => None,
            MemoryModel::Logical => Some("UNSOUND: logical memory, in which p + i is p"),
        }
    }
}

/// Limits that the parent process enforces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// Wall-clock time.
    pub timeout: Duration,
    /// Processor time of the child, without that of the tools it starts.
    pub cpu: Option<Duration>,
    /// Bytes of memory, the large stack not counted.
    pub memory: u64,
}

/// Intermediate forms to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dump {
    /// Which ones.
    pub forms: Vec<DumpForm>,
    /// The directory they go to.
    pub dir: String,
}

/// Sizes of the integer types, as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Widths {
    /// `int`, `long` and pointers have 32 bits.
    #[value(name = "ILP32")]
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[value(name = "LP64")]
    Lp64,
    /// `int` and `long` have 32 bits, pointers have 64: Windows.
    #[value(name = "LLP64")]
    Llp64,
}

/// How wide pointers are, and `long` on all machines but Windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

impl DataModel {
    /// The model of the machine hardbop was built for.
    pub(crate) const HOST: DataModel =
        if cfg!(target_pointer_width = "32") { DataModel::Ilp32 } else { DataModel::Lp64 };
}

/// What a function without a body may do, apart from returning any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Externs {
    /// Write what it can reach through its pointer arguments or what escaped earlier.
    Args,
    /// The same, and every global with external linkage, with all that can be reached from those.
    Any,
    /// Nothing.
    Pure,
}

/// When a function without a body calls the functions of the program whose addresses it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Callbacks {
    /// Any number of times, but only inside the call that gets the address.
    During,
    /// Also inside any later call of a function without a body.
    Later,
    /// The same, and every function with external linkage by its name.
    Named,
    /// Never.
    None,
}

/// Where objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Addresses {
    /// Where a process of a user has them: not in the first page, not at the top of the address space.
    User,
    /// In the upper half of the address space, but not in the last page.
    Kernel,
    /// Anywhere but at null.
    Anywhere,
}

/// What the pointers are that are parameters of an entry other than `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Params {
    /// Anything: null, into objects that the outside knows, and outside.
    Any,
    /// The same, but not null.
    Nonnull,
    /// To the start of an object that is at least as large as their type.
    Valid,
    /// The same, each to an object of its own that is none of the program's.
    Distinct,
    /// Each to an object of its own, and all pointers found there, and in globals, lead on to further ones, or are null.
    Tree,
}

/// What globals hold when execution starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Globals {
    /// What their definitions say.
    Initial,
    /// Anything, but for constants.
    Arbitrary,
}

/// Whether `malloc` may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Malloc {
    /// It may return a null pointer at any time.
    MayFail,
    /// It always returns memory.
    Succeeds,
}

/// What signed overflow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum SignedOverflow {
    /// Arithmetic modulo 2^n, as with `gcc -fwrapv`.
    Wrap,
    /// Undefined: executions in which it happens are not looked at.
    Undefined,
}

/// Undefined behaviour that can be asked to be a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Check {
    /// Access through a null pointer.
    Null,
    /// Access outside of an object.
    Bounds,
    /// Division by zero, or of the smallest value by -1.
    Div,
    /// Signed overflow.
    Overflow,
    /// A shift count that is negative or too large.
    Shift,
    /// Access to a freed object, and `free` of anything but a live heap object.
    Free,
    /// Pointer arithmetic that leaves the address space.
    Pointer,
    /// A block of memory that is not freed when the program ends.
    Leak,
}

impl Check {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        clap::ValueEnum::to_possible_value(&self).map_or(String::new(), |v| v.get_name().to_string())
    }

    /// The kinds of undefined behaviour that it is about.
    pub(crate) fn kinds(self) -> &'static [ir::Ub] {
        use ir::Ub;
        match self {
            Check::Null => &[Ub::NullDeref],
            Check::Bounds => &[Ub::OutOfBounds],
            Check::Div => &[Ub::DivByZero, Ub::DivOverflow],
            Check::Overflow => &[Ub::SignedOverflow, Ub::DivOverflow],
            Check::Shift => &[Ub::ShiftCount],
            Check::Free => &[Ub::UseAfterFree, Ub::BadFree],
            Check::Pointer => &[Ub::PointerWrap],
            Check::Leak => &[],
        }
    }
}

/// What a read of a volatile object gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Volatile {
    /// What was written last.
    Ordinary,
    /// Any value.
    Nondet,
}

/// What stores to a structure or its members do to its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Padding {
    /// Anything, as C has it.
    Arbitrary,
    /// Nothing, and copies copy it, as gcc without optimisation has it.
    Kept,
}

/// Ways to a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum EngineChoice {
    /// Runs of the interpreter on zero and random inputs.
    Concrete,
    /// Search over paths up to a budget.
    Bounded,
    /// Look for invariants of the loops in the entry function, block by block.
    Induction,
    /// Predicate abstraction with refinement.
    Abstraction,
}

/// Intermediate forms that can be written to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum DumpForm {
    /// The program in hardbop's own language.
    Ir,
    /// The boolean program of each round of refinement.
    Bp,
    /// The invariants generated before the loop.
    Invariants,
    /// The predicates of each round.
    Preds,
    /// The path that each round looks at.
    Trace,
}

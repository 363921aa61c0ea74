//! Every seeded fault is caught by the oracle named for it, in its normal budget: an oracle that catches nothing is
//! decoration. Run with `cargo test -p testkit --features sabotage sabotage::`.
//!
//! A new fault needs one line in [`oracle_of`] (the compiler asks for it) and one in [`ALL`] (the test counts).
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]
#![expect(clippy::disallowed_methods, reason = "a person can name the faults to try")]

use base::sabotage::{self, Fault};
use ir::DataModel;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::normal;

/// What must notice a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Oracle {
    /// `vc` against the interpreter.
    Steps,
    /// `vc` over memory, and `pointsto` below it, against the interpreter.
    Memory,
    /// Merged blocks over memory against the interpreter.
    MergedBlocks,
    /// Unwinding between any places of any activations against the interpreter.
    Stacked,
    /// Calls by contract against the interpreter.
    Calls,
    /// Front end and interpreter against gcc.
    Differential,
    /// Guards against gcc's sanitizers.
    Sanitizers,
    /// Initialisers and layouts against gcc.
    Initialisers,
    /// Copies of volatile structures.
    VolatileCopies,
    /// False proofs.
    FalseProofs,
    /// Small programs for the bounded engine, and false proofs by unwinding.
    Unwinding,
    CalleeCuts,
    /// Abstraction over blocks: programs with their answers.
    BlockAbstraction,
    /// Changed counterexamples.
    Replays,
    /// The sabotage test of the crate itself.
    TestOf(&'static str),
    /// Runs of random programs as runs of their boolean programs.
    Simulation,
    /// Both engines for `F_V` against brute force.
    Engines,
    /// Runs of the interpreter in the invariants of every round.
    Containment,
    /// Verdicts against runs of the compiled program on all inputs.
    Verdicts,
    /// The same for programs over memory.
    MemoryVerdicts,
    /// Verdicts against random code that plays the outside.
    Environments,
    Jumps,
    /// Addresses that C leaves open against gcc.
    Identity,
    /// Patterns of what is not a number against gcc.
    Patterns,
    /// Rounding modes against gcc.
    Modes,
    /// Rules in programs against a monitor of runs.
    Rules,
    /// The validator asks that what is checked leads to an error.
    Exposed,
    /// A safe and an unsafe program whose verdicts hang on one rule about memory: none may be wrong, and so many of them (of
    /// each engine in each data model) are reached.
    Pair(&'static str, u64),
    /// One program that goes wrong, which no engine may call safe.
    Unsafe(Program),
}

/// A program with what its environment may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Program {
    entry: &'static str,
    externs: ir::Externs,
    params: lower::Params,
    text: &'static str,
}

/// A sum of `_Float16` is rounded where it is stored, not before.
const HALVES: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); _Float16 c = 2048, d = 1;
        int main(void) { if ((c + d) - c == d) reach_error(); return 0; }",
};

/// Which of two zeroes is the smaller is not said: libraries and what compilers compute beforehand differ.
const ZEROES: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); double fmin(double, double);
        int main(void) { double zero = fmin(-0.0, 0.0); if (1 / zero < 0) reach_error(); return 0; }",
};

/// The number itself is rounded, a tie to the even digit, and not what a text of it would be rounded to.
const PRINTED: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); int sprintf(char *, const char *, ...);
        int main(void) { char t[8]; volatile double x = 0.125; sprintf(t, \"%.2f\", x); if (t[3] == '2') reach_error(); return 0; }",
};

/// What a global of the program points to is known outside.
const HELD: Program = Program {
    entry: "main",
    externs: ir::Externs::Any,
    params: lower::Params::Any,
    text: "extern void reach_error(void); extern int nd(void); static int g; int *gp;
        int main(void) { gp = &g; g = 1; nd(); if (g == 5) reach_error(); return 0; }",
};

/// Before an entry other than `main`, others have run.
const FOUND: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); int g; void f(void) { if (g == 3) reach_error(); }",
};

/// A pointer that is found in a tree of objects and only compared need not be null.
const COMPARED: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Tree,
    text: "extern void reach_error(void); struct s { int *p; }; void f(struct s *s) { if (s->p) reach_error(); }",
};

/// Another function has written an element before.
const WRITTEN_ELEMENT: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); static int t[4]; void set(int i) { if (i >= 0 && i < 4) t[i] = 5; }
        void f(void) { if (t[2] == 5) reach_error(); }",
};

/// A function without a body gives back the address of what it was given.
const GIVEN_AND_COMPARED: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); void take(int *); int *give(void); static int x;
        int main(void) { take(&x); if (give() == &x) reach_error(); return 0; }",
};

/// A function without a body gives back what it was given, and what it holds.
const TREE_GIVEN_AWAY: Program = Program {
    entry: "f",
    externs: ir::Externs::Pure,
    params: lower::Params::Tree,
    text: "extern void reach_error(void); struct s { int v; }; void take(struct s *); struct s *give(void);
        void f(struct s *s) { take(s); struct s *r = give(); if (r == s && r->v == 7) reach_error(); }",
};

/// Instructions that nobody knows write behind their pointer.
const CLOBBERED: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void);
        int main(void) { int x = 1, *p = &x; __asm__ volatile(\"frob %0\" : : \"r\"(p) : \"memory\"); if (x == 2) reach_error(); return 0; }",
};

/// Whether a program that calls a kind checked and has no edges for it is refused.
fn only_exposed_is_valid() -> Result<(), String> {
    let text = "int main(void) { int x = 3, *p = &x; return *p / x; }";
    let mut program =
        testkit::compile::compile("checked.c", text, DataModel::Lp64, &lower::Options::default())?.program;
    program.ub.set(ir::Ub::DivByZero, ir::UbPolicy::Checked);
    if ir::validate::validate(&program).is_err() { Ok(()) } else { Err("valid".into()) }
}

/// The outside knows what a call-back gave it.
const GIVEN_BACK: Program = Program {
    entry: "main",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); extern void reg(int *(*f)(void)); static int s; static int *get(void) { return &s; }
        int main(void) { reg(get); if (s == 5) reach_error(); return 0; }",
};

/// A parameter may point to a global.
const ALIASED: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); int g;
        int f(int *p) { g = 1; if (p) *p = 2; if (g == 2) reach_error(); return 0; }",
};

/// The outside can have called a function of the program before the entry.
const LEARNED: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Any,
    text: "extern void reach_error(void); extern int nd(void); static int s; int *get(void) { return &s; }
        int f(void) { s = 1; nd(); if (s == 5) reach_error(); return 0; }",
};

/// What a distinct parameter points to holds anything.
const INNER: Program = Program {
    entry: "f",
    externs: ir::Externs::Args,
    params: lower::Params::Distinct,
    text: "extern void reach_error(void); int pub;
        int f(int **pp) { pub = 1; if (*pp) **pp = 4; if (pub == 4) reach_error(); return 0; }",
};

/// Whether some engine finds what is wrong with a program, and none says that nothing is.
fn goes_wrong(program: Program) -> Result<(), String> {
    let Program { entry, externs, params, text } = program;
    let globals = if entry == "main" { lower::Globals::Initial } else { lower::Globals::Arbitrary };
    let options = lower::Options { entry: entry.to_owned(), externs, params, globals, ..lower::Options::default() };
    let compiled = testkit::compile::compile("unsafe.c", text, DataModel::Lp64, &options)?;
    match verify::verify(&analysis::Analysis::new(&compiled.program), &verify::Settings::default(), &mut verify::Silent)
        .verdict
    {
        verify::Verdict::Unsafe(_) => Ok(()),
        verify::Verdict::Safe(_) => Err("SAFE".into()),
        verify::Verdict::Unknown(why) => Err(why.cause),
    }
}

fn oracle_of(fault: Fault) -> Oracle {
    match fault {
        Fault::SignedCompareAsUnsigned => Oracle::TestOf("logic"),
        Fault::RewriteForgetsWrap | Fault::RangeForgetsWrap => Oracle::TestOf("logic"),
        Fault::CongruenceLemmaMissing => Oracle::TestOf("logic"),
        Fault::FloatTiesUp
        | Fault::SubnormalsFlushed
        | Fault::NanEqualsItself
        | Fault::SignedZeroLost
        | Fault::DoubleRounding => Oracle::TestOf("logic"),
        Fault::RangeEndsInwards | Fault::BoxLost => Oracle::TestOf("logic"),
        Fault::ArithmeticShiftFillsZero => Oracle::TestOf("logic"),
        Fault::ExtendsUnsignedWithSign => Oracle::Steps,
        Fault::RemainderSignOfDivisor => Oracle::Steps,
        Fault::MixedSignCompareSigned => Oracle::Differential,
        Fault::HalfRoundedAtOnce => Oracle::Unsafe(HALVES),
        Fault::AndEvaluatesBothSides => Oracle::Differential,
        Fault::CompoundAssignNotNarrowed => Oracle::Differential,
        Fault::AssignKeepsOldValue => Oracle::Steps,
        Fault::ReturnLosesGlobals => Oracle::Steps,
        Fault::AssumeAddsNothing => Oracle::Steps,
        Fault::ObligationSkipped => Oracle::FalseProofs,
        Fault::ModifiesIgnoresCallees => Oracle::FalseProofs,
        Fault::ReplayAcceptsSurplus => Oracle::Replays,
        Fault::SummaryNotRepropagated => Oracle::TestOf("reach"),
        Fault::CallerEntryPartLost => Oracle::TestOf("reach"),
        Fault::EnforceTooStrong => Oracle::TestOf("reach"),
        Fault::StaleLocalKeptOverCall => Oracle::TestOf("reach"),
        Fault::EnforceIgnoredAtReturn => Oracle::TestOf("reach"),
        Fault::EntryNotRevisited => Oracle::TestOf("reach"),
        Fault::DeadBeforeConstrain => Oracle::TestOf("reach"),
        Fault::ConstrainReadsOld => Oracle::TestOf("reach"),
        Fault::ChooseNegativeFirst => Oracle::TestOf("reach"),
        Fault::ReturnCostsNothing => Oracle::TestOf("reach"),
        Fault::EntriesNotCutBack => Oracle::TestOf("reach"),
        Fault::HiddenReadsFalse => Oracle::TestOf("reach"),
        Fault::StalePredicateKeptOverCall => Oracle::Simulation,
        Fault::GhostNotImmutable => Oracle::Simulation,
        Fault::EnforceTooStrongAbs => Oracle::Simulation,
        Fault::ConstrainWrongPolarity => Oracle::Simulation,
        Fault::EnforceWhileReturning => Oracle::Simulation,
        Fault::ModifiesNotClosed => Oracle::Simulation,
        Fault::UndecidedTakenForImplicant => Oracle::Simulation,
        Fault::RefutedCubeNotExtended => Oracle::Engines,
        Fault::CacheForgetsEdge => Oracle::Simulation,
        Fault::ChangedParameterReturned => Oracle::Simulation,
        Fault::TransitionConstraintDropsValue => Oracle::Containment,
        Fault::CallEntryNotChecked => Oracle::Containment,
        Fault::ContractKeepsGlobals => Oracle::Steps,
        Fault::EntryValueOfCaller => Oracle::Steps,
        Fault::ProofReadsEntryAsNow => Oracle::Verdicts,
        Fault::ContinueSkipsStep => Oracle::Differential,
        Fault::PostIncrementGivesNew => Oracle::Differential,
        Fault::FieldOffsetOffByOne => Oracle::Memory,
        Fault::ObjectsExistAlways => Oracle::TestOf("logic"),
        Fault::ObjectsTooAligned => Oracle::Memory,
        Fault::AliasCaseDropped => Oracle::MemoryVerdicts,
        Fault::NumbersReachNothing => Oracle::MemoryVerdicts,
        Fault::CallResultLost => Oracle::MemoryVerdicts,
        Fault::ArgumentsDoNotEscape => Oracle::Pair("escaped_argument", 0),
        Fault::RegionsOfCalleesForgotten => Oracle::MemoryVerdicts,
        Fault::RangeTooShort => Oracle::MemoryVerdicts,
        Fault::MallocNotFresh | Fault::NarrowedTooFar => Oracle::Unwinding,
        Fault::LocalsNeverEnd => Oracle::MergedBlocks,
        Fault::UnwoundEdgeDropped | Fault::RunLiteralAssumed | Fault::InductionBaseSkipped => Oracle::Unwinding,
        Fault::ActivationsShareLocals => Oracle::Pair("two_activations", 4),
        Fault::CallKeepsArguments => Oracle::Calls,
        Fault::CopyOverlapsWrongly => Oracle::Pair("overlapping_move", 6),
        Fault::FillOneTooLong => Oracle::Pair("fill_stops", 6),
        Fault::NeighbourBitsLost => Oracle::Pair("bit_field", 6),
        Fault::BytesInWrongOrder => Oracle::MemoryVerdicts,
        Fault::CallBacksForgotten => Oracle::Pair("call_back", 0),
        Fault::ForeignCallsTouchNothing => Oracle::Environments,
        Fault::WeakIsAlwaysThere => Oracle::Identity,
        Fault::LiteralsAlwaysDistinct => Oracle::Identity,
        Fault::GuardOnMovedPointer | Fault::ElementsComeRound => Oracle::Sanitizers,
        Fault::OverriddenInitialiserStays => Oracle::Initialisers,
        Fault::VolatileCopyIsPlain => Oracle::VolatileCopies,
        Fault::PaddingStartsZero => Oracle::Initialisers,
        Fault::LoweredAlignmentIgnored => Oracle::Initialisers,
        Fault::GlobalsHideWhatTheyHold => Oracle::Unsafe(HELD),
        Fault::ExternObjectsStay => Oracle::Environments,
        Fault::ParametersPointOutside => Oracle::Unsafe(ALIASED),
        Fault::JumpKeepsChanged => Oracle::Jumps,
        Fault::JumpToLastTurn => Oracle::Jumps,
        Fault::ComparedPointersAreNull => Oracle::Unsafe(COMPARED),
        Fault::TreesAreNeverGivenAway => Oracle::Unsafe(TREE_GIVEN_AWAY),
        Fault::WrittenStaysInitial => Oracle::Unsafe(WRITTEN_ELEMENT),
        Fault::EscapedStaysHidden => Oracle::Unsafe(GIVEN_AND_COMPARED),
        Fault::EntryFindsGlobalsInitial => Oracle::Unsafe(FOUND),
        Fault::AsmTouchesNoMemory => Oracle::Unsafe(CLOBBERED),
        Fault::CheckedWithoutErrors => Oracle::Exposed,
        Fault::CallBackResultsStay => Oracle::Unsafe(GIVEN_BACK),
        Fault::OutsideLearnsNothing => Oracle::Unsafe(LEARNED),
        Fault::InnerPointersPointOutside => Oracle::Unsafe(INNER),
        Fault::ReturnEventsForgotten => Oracle::Rules,
        Fault::EventArgumentsStale => Oracle::Rules,
        Fault::RuleGuardForgotten => Oracle::Rules,
        Fault::RuleAbortForgotten => Oracle::Rules,
        Fault::RuleHandlersReplaced => Oracle::Rules,
        Fault::RuleForgetsPassed => Oracle::Rules,
        Fault::FoldedNanKept => Oracle::Patterns,
        Fault::CalleeClaimSkipped | Fault::ReturnEndsBlock => Oracle::CalleeCuts,
        Fault::SecondOfTwoZeroes => Oracle::Unsafe(ZEROES),
        Fault::ModeForgotten => Oracle::Modes,
        Fault::PrintedTiesUp => Oracle::Unsafe(PRINTED),
        Fault::SettledInNewest => Oracle::Stacked,
        Fault::BlockTooShort | Fault::LocalNotFreshAgain | Fault::EffectLostAtMerge => Oracle::Unwinding,
        Fault::ExcludedForAll | Fault::BlockImageLost => Oracle::BlockAbstraction,
    }
}

/// Every fault.
const ALL: &[Fault] = &[
    Fault::SignedCompareAsUnsigned,
    Fault::RewriteForgetsWrap,
    Fault::RangeForgetsWrap,
    Fault::NarrowedTooFar,
    Fault::CongruenceLemmaMissing,
    Fault::ArithmeticShiftFillsZero,
    Fault::FloatTiesUp,
    Fault::SubnormalsFlushed,
    Fault::NanEqualsItself,
    Fault::SignedZeroLost,
    Fault::DoubleRounding,
    Fault::RangeEndsInwards,
    Fault::BoxLost,
    Fault::ExtendsUnsignedWithSign,
    Fault::RemainderSignOfDivisor,
    Fault::MixedSignCompareSigned,
    Fault::HalfRoundedAtOnce,
    Fault::AndEvaluatesBothSides,
    Fault::CompoundAssignNotNarrowed,
    Fault::AssignKeepsOldValue,
    Fault::ReturnLosesGlobals,
    Fault::AssumeAddsNothing,
    Fault::ObligationSkipped,
    Fault::ModifiesIgnoresCallees,
    Fault::ReplayAcceptsSurplus,
    Fault::SummaryNotRepropagated,
    Fault::CallerEntryPartLost,
    Fault::EnforceTooStrong,
    Fault::StaleLocalKeptOverCall,
    Fault::EnforceIgnoredAtReturn,
    Fault::EntryNotRevisited,
    Fault::DeadBeforeConstrain,
    Fault::ConstrainReadsOld,
    Fault::ChooseNegativeFirst,
    Fault::ReturnCostsNothing,
    Fault::EntriesNotCutBack,
    Fault::HiddenReadsFalse,
    Fault::StalePredicateKeptOverCall,
    Fault::GhostNotImmutable,
    Fault::EnforceTooStrongAbs,
    Fault::ConstrainWrongPolarity,
    Fault::FieldOffsetOffByOne,
    Fault::ObjectsTooAligned,
    Fault::ObjectsExistAlways,
    Fault::EnforceWhileReturning,
    Fault::ModifiesNotClosed,
    Fault::UndecidedTakenForImplicant,
    Fault::RefutedCubeNotExtended,
    Fault::CacheForgetsEdge,
    Fault::ChangedParameterReturned,
    Fault::TransitionConstraintDropsValue,
    Fault::CallEntryNotChecked,
    Fault::ContractKeepsGlobals,
    Fault::EntryValueOfCaller,
    Fault::ProofReadsEntryAsNow,
    Fault::ContinueSkipsStep,
    Fault::PostIncrementGivesNew,
    Fault::AliasCaseDropped,
    Fault::NumbersReachNothing,
    Fault::CallResultLost,
    Fault::ArgumentsDoNotEscape,
    Fault::RegionsOfCalleesForgotten,
    Fault::RangeTooShort,
    Fault::MallocNotFresh,
    Fault::LocalsNeverEnd,
    Fault::UnwoundEdgeDropped,
    Fault::RunLiteralAssumed,
    Fault::InductionBaseSkipped,
    Fault::ActivationsShareLocals,
    Fault::CallKeepsArguments,
    Fault::CopyOverlapsWrongly,
    Fault::FillOneTooLong,
    Fault::NeighbourBitsLost,
    Fault::BytesInWrongOrder,
    Fault::CallBacksForgotten,
    Fault::ForeignCallsTouchNothing,
    Fault::WeakIsAlwaysThere,
    Fault::LiteralsAlwaysDistinct,
    Fault::GuardOnMovedPointer,
    Fault::OverriddenInitialiserStays,
    Fault::VolatileCopyIsPlain,
    Fault::PaddingStartsZero,
    Fault::LoweredAlignmentIgnored,
    Fault::GlobalsHideWhatTheyHold,
    Fault::ExternObjectsStay,
    Fault::ParametersPointOutside,
    Fault::EntryFindsGlobalsInitial,
    Fault::AsmTouchesNoMemory,
    Fault::CheckedWithoutErrors,
    Fault::CallBackResultsStay,
    Fault::OutsideLearnsNothing,
    Fault::InnerPointersPointOutside,
    Fault::ReturnEventsForgotten,
    Fault::EventArgumentsStale,
    Fault::RuleGuardForgotten,
    Fault::RuleAbortForgotten,
    Fault::RuleHandlersReplaced,
    Fault::FoldedNanKept,
    Fault::RuleForgetsPassed,
    Fault::CalleeClaimSkipped,
    Fault::ReturnEndsBlock,
    Fault::SecondOfTwoZeroes,
    Fault::SettledInNewest,
    Fault::ModeForgotten,
    Fault::PrintedTiesUp,
    Fault::BlockTooShort,
    Fault::JumpKeepsChanged,
    Fault::JumpToLastTurn,
    Fault::ComparedPointersAreNull,
    Fault::EscapedStaysHidden,
    Fault::WrittenStaysInitial,
    Fault::ElementsComeRound,
    Fault::TreesAreNeverGivenAway,
    Fault::LocalNotFreshAgain,
    Fault::EffectLostAtMerge,
    Fault::ExcludedForAll,
    Fault::BlockImageLost,
];

/// Runs an oracle in its normal budget. `None`: it cannot be run here.
fn run(oracle: Oracle) -> Option<Result<(), String>> {
    Some(match oracle {
        Oracle::Steps => normal::steps().map(drop),
        Oracle::Memory => testkit::steps::memory(0, 60).map(drop),
        Oracle::MergedBlocks => testkit::steps::blocks_memory(0, 200).map(drop),
        Oracle::Stacked => testkit::steps::stacked(0, 120).map(drop),
        Oracle::Calls => testkit::steps::calls(0, 120).map(drop),
        Oracle::Differential => match normal::differential(DataModel::Lp64) {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Sanitizers => match normal::sanitizers(DataModel::Lp64) {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Initialisers => match normal::initialisers(DataModel::Lp64) {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::VolatileCopies => testkit::initialisers::volatile_copies(DataModel::Lp64, 0, 50).map(drop),
        Oracle::FalseProofs => normal::false_proofs().map(drop),
        Oracle::Unwinding => testkit::unwinding::unwinding().map(drop),
        Oracle::CalleeCuts => testkit::callee_cuts::callee_cuts().map(drop),
        Oracle::BlockAbstraction => testkit::block_abstraction::block_abstraction().map(drop),
        Oracle::Replays => normal::replays().map(drop),
        Oracle::TestOf(_) => return None,
        Oracle::Simulation => predabs::oracle::simulations(0, 80).map(drop),
        Oracle::Engines => predabs::oracle::engines(0, 300).map(drop),
        Oracle::Containment => normal::containment().map(drop),
        Oracle::Verdicts => match normal::verdicts() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::MemoryVerdicts => match normal::memory_verdicts() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Environments => match normal::environments() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Jumps => match normal::jumps() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Identity => match normal::identity() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Patterns => match normal::patterns() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Modes => match normal::modes() {
            Ok(stats) if stats.skipped().is_some() => return None,
            other => other.map(drop),
        },
        Oracle::Rules => spec::oracle::compare(0, spec::oracle::NORMAL).map(drop),
        Oracle::Exposed => only_exposed_is_valid(),
        Oracle::Unsafe(program) => goes_wrong(program),
        Oracle::Pair(name, least) => testkit::pairs::pair(name).and_then(|stats| {
            let reached = stats.get("safe programs proved") + stats.get("unsafe programs broken");
            if reached >= least { Ok(()) } else { Err(format!("only {reached} verdicts")) }
        }),
    })
}

/// Whether a test of its own runs the oracle in the same budget without a fault: there it must be content. The others are here alone.
fn is_tested(oracle: Oracle) -> bool {
    !matches!(oracle, Oracle::Exposed | Oracle::Unsafe(_))
}

/// The text of the test that [`Oracle::TestOf`] names.
fn test_of(name: &str) -> &'static str {
    match name {
        "logic" => include_str!("../../logic/tests/sabotage.rs"),
        "reach" => include_str!("../../reach/tests/sabotage.rs"),
        _ => panic!("{name} has no sabotage test of its own"),
    }
}

/// The faults that one oracle must notice.
struct Group {
    oracle: Oracle,
    faults: Vec<Fault>,
}

impl Group {
    /// Which of the faults the oracle misses.
    fn missed(&self) -> Vec<Fault> {
        let oracle = self.oracle;
        if !is_tested(oracle)
            && let Some(Err(why)) = run(oracle)
        {
            panic!("without a fault {oracle:?} fails: {why}");
        }
        let mut missed = Vec::new();
        for &fault in &self.faults {
            sabotage::set(Some(fault));
            // A fault may also show as a broken assertion of the code that it is in.
            let outcome = std::panic::catch_unwind(|| run(oracle)).unwrap_or(Some(Err("a panic".into())));
            sabotage::set(None);
            match outcome {
                Some(Err(why)) => eprintln!("{fault:?}: {oracle:?}: {}", why.lines().next().unwrap_or_default()),
                Some(Ok(())) => missed.push(fault),
                None => eprintln!("SKIPPED here: {fault:?} ({oracle:?})"),
            }
        }
        missed
    }
}

/// The faults by their oracles. A person who works on some names them: `HARDBOP_FAULTS=MallocNotFresh,RangeTooShort`.
fn groups() -> Vec<Group> {
    let named = std::env::var("HARDBOP_FAULTS").ok();
    let asked = |f: &Fault| named.as_ref().is_none_or(|n| n.split(',').any(|n| n == format!("{f:?}")));
    let mut groups: Vec<Group> = Vec::new();
    for fault in ALL.iter().copied().filter(asked) {
        let oracle = oracle_of(fault);
        match groups.iter_mut().find(|g| g.oracle == oracle) {
            Some(group) => group.faults.push(fault),
            None => groups.push(Group { oracle, faults: vec![fault] }),
        }
    }
    groups
}

#[test]
fn every_fault_is_caught_by_its_oracle() {
    for (i, fault) in ALL.iter().enumerate() {
        assert_eq!(*fault as usize, i + 1, "ALL lists every fault once, in the order of their definition");
        if let Oracle::TestOf(name) = oracle_of(*fault) {
            assert!(
                test_of(name).contains(&format!("Fault::{fault:?}")),
                "the test of `{name}` does not try {fault:?}"
            );
        }
    }
    let groups = groups();
    let next = AtomicUsize::new(0);
    let take = || -> Vec<Fault> {
        let groups = std::iter::from_fn(|| groups.get(next.fetch_add(1, Ordering::Relaxed)));
        groups.flat_map(Group::missed).collect()
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let missed: Vec<Fault> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("every oracle is content without faults")).collect()
    });
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

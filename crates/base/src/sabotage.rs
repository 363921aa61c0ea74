//! Seeded faults: known bugs that tests switch on to see whether an oracle catches them.
//!
//! An oracle that catches no fault is decoration. Each [`Fault`] stands at one place in the code, as
//! `if sabotage::active(Fault::X) { wrong } else { right }`; the sabotage tests switch the faults on one at a time and
//! demand that the oracle named for the fault fails. Without the feature `sabotage` the function is the constant
//! `false`, so a shipped binary contains none of the wrong branches.

/// Every seeded fault, named after the mistake it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Fault {
    /// `logic`: bit-blasts a signed comparison as an unsigned one.
    SignedCompareAsUnsigned = 1,
    /// `logic`: the rewriter takes `x - y < 0` style inequalities for granted: folds `ult(x, x+1)` to true, forgetting the wrap.
    RewriteForgetsWrap,
    /// The range of a sum that may wrap around is that of the wrapped sum.
    RangeForgetsWrap,
    /// A bound that was tested narrows to one less.
    NarrowedTooFar,
    /// `logic`: leaves out the congruence lemma of two reads of one map.
    CongruenceLemmaMissing,
    /// `logic`: an arithmetic right shift shifts in zeroes.
    ArithmeticShiftFillsZero,
    /// `logic`: of two nearest numbers the circuits take the one of larger magnitude.
    FloatTiesUp,
    /// `logic`: the circuits give zero for a result below the smallest normal number.
    SubnormalsFlushed,
    /// `logic`: the evaluator finds a NaN equal to itself.
    NanEqualsItself,
    /// `logic`: the circuits give a positive zero for every sum that is zero.
    SignedZeroLost,
    /// `logic`: the circuits round a product to one bit more first, and then to the format.
    DoubleRounding,
    /// `logic`: the upper end of the range of a sum is one number too low.
    RangeEndsInwards,
    /// `logic`: of two halves of a box only the first is looked at.
    BoxLost,
    /// `ir::interp`: sign-extends where a conversion of an unsigned value must zero-extend.
    ExtendsUnsignedWithSign,
    /// `ir::interp`: signed remainder takes the sign of the divisor.
    RemainderSignOfDivisor,
    /// `lower`: usual arithmetic conversions pick the signed type for int with unsigned int.
    MixedSignCompareSigned,
    /// `cfront`: values of type `_Float16` are rounded after each operation, not where they are stored.
    HalfRoundedAtOnce,
    /// `lower`: `&&` evaluates its right side although the left side is false.
    AndEvaluatesBothSides,
    /// `lower`: a compound assignment to a narrow type is not converted back.
    CompoundAssignNotNarrowed,
    /// `vc`: an assignment keeps the old value of the variable in the new state.
    AssignKeepsOldValue,
    /// `vc`: on return the callee's global writes are lost.
    ReturnLosesGlobals,
    /// `vc`: an assume step adds nothing to the formula.
    AssumeAddsNothing,
    /// `certify`: a conjunct that fails to follow is skipped when another conjunct of the same invariant follows.
    ObligationSkipped,
    /// `certify`: `modifies` is not checked against callees.
    ModifiesIgnoresCallees,
    /// `ir`: a run accepts a tape with entries left over, and so does replay.
    ReplayAcceptsSurplus,
    /// `reach`: a second summary of a procedure does not wake its callers.
    SummaryNotRepropagated,
    /// `reach`: a return loses the entry part of the caller's path edges.
    CallerEntryPartLost,
    /// `reach`: the entry procedure's `enforce` is applied in every procedure.
    EnforceTooStrong,
    /// `reach`: the variable that receives a call's result must have had that value before.
    StaleLocalKeptOverCall,
    /// `reach`: the caller's `enforce` is not applied after a return.
    EnforceIgnoredAtReturn,
    /// `reach`: a procedure that has been entered is not entered again with other values.
    EntryNotRevisited,
    /// `reach`: what a `constrain` says about the new value of a variable that the statement keeps is not a read of it.
    DeadBeforeConstrain,
    /// `reach`: a constraint reads old values where it speaks of new ones.
    ConstrainReadsOld,
    /// `reach`: in `schoose[p, n]` it is `n` that decides when both hold.
    ChooseNegativeFirst,
    /// `reach`: the return does not count when the lengths of traces are compared.
    ReturnCostsNothing,
    /// `reach`: the sets of a search with widened entry states are not cut back to the entry states that there are.
    EntriesNotCutBack,
    /// `reach`: a hidden variable reads as false, not as any value.
    HiddenReadsFalse,
    /// `predabs`: after a call the caller's predicates are read as if they spoke of the new values of globals.
    StalePredicateKeptOverCall,
    /// `predabs`: on return `'x` is read as the value at the end of the callee.
    GhostNotImmutable,
    /// `predabs`: `enforce` rules out the last literal's opposite as well: a literal of each contradiction is lost.
    EnforceTooStrongAbs,
    /// `predabs`: a constraint has the values before the step with the wrong sign.
    ConstrainWrongPolarity,
    /// `vc`: the address of a member is one byte too high.
    FieldOffsetOffByOne,
    /// `logic`: objects are taken to be aligned more than they are.
    ObjectsTooAligned,
    /// `logic`: what is known of an object is known also where it does not exist.
    ObjectsExistAlways,
    /// `predabs`: `enforce` relates locals and globals also at the moment a call returns, when they speak of different
    /// states.
    EnforceWhileReturning,
    /// `predabs`: what a function's callees change is not what it changes.
    ModifiesNotClosed,
    /// `predabs`: a cube of which the solver did not decide whether it implies the goal is taken for one that does.
    UndecidedTakenForImplicant,
    /// `predabs`: the cube engine does not lengthen a cube that a model refutes.
    RefutedCubeNotExtended,
    /// `predabs`: the cache keeps one answer for all edges of a function.
    CacheForgetsEdge,
    /// `predabs`: a caller reads a parameter that the callee changes as if it still were the argument.
    ChangedParameterReturned,
    /// `refine`: a transition constraint forbids more than the step excludes: a value after the step is left out.
    TransitionConstraintDropsValue,
    /// `invgen`: nobody checks whether a call establishes what is guessed at the callee's entry.
    CallEntryNotChecked,
    /// `vc`: after a call by contract, the globals that the callee modifies have their old values.
    ContractKeepsGlobals,
    /// `vc`: in a callee `'g` is the value of the global when the caller began.
    EntryValueOfCaller,
    /// `verify`: a proof reads predicates at the entry as predicates now.
    ProofReadsEntryAsNow,
    /// `lower`: `continue` in a `for` loop skips the step.
    ContinueSkipsStep,
    /// `lower`: `x++` gives the new value.
    PostIncrementGivesNew,
    /// `pointsto`: of a conditional pointer only the first case is seen.
    AliasCaseDropped,
    /// `pointsto`: a pointer made from a number reaches nothing of the program.
    NumbersReachNothing,
    /// `pointsto`: what a call returns points nowhere.
    CallResultLost,
    /// `pointsto`: what is passed to an undefined function is not known outside.
    ArgumentsDoNotEscape,
    /// `pointsto`: a function is not taken to write what its callees write.
    RegionsOfCalleesForgotten,
    /// `pointsto`: the regions that a copy or a fill touches end too early.
    RangeTooShort,
    /// `vc`: all objects of one allocation site are one.
    MallocNotFresh,
    /// `vc`: a local that ends, at the end of its block, counts as alive.
    LocalsNeverEnd,
    /// `vc`: where an unwinding is not followed further, nothing is left to be shown.
    UnwoundEdgeDropped,
    /// `vc`: proofs build on events that only end runs.
    RunLiteralAssumed,
    /// `certify`: what begins at the start of the program is not checked where there are cut points.
    InductionBaseSkipped,
    /// `vc`: two activations of a function have their locals at the same addresses.
    ActivationsShareLocals,
    /// `vc`: a call by contract does not write what its arguments point to.
    CallKeepsArguments,
    /// `vc`: a block copy reads what it has already written.
    CopyOverlapsWrongly,
    /// `vc`: a block is filled by one byte more than asked for.
    FillOneTooLong,
    /// `vc`: an assignment to a bit-field clears the bits above it.
    NeighbourBitsLost,
    /// `vc`: words are put together from bytes the wrong way round.
    BytesInWrongOrder,
    /// `lower`: undefined functions never call back.
    CallBacksForgotten,
    /// `ir`: functions of the outside that are called through pointers do not get the pointers they are given.
    ForeignCallsTouchNothing,
    /// `lower`: an undefined weak symbol is always there.
    WeakIsAlwaysThere,
    /// `vc`: two string literals never share their storage.
    LiteralsAlwaysDistinct,
    /// `lower`: what an access through `p++` asks of its pointer is asked of the moved one.
    GuardOnMovedPointer,
    /// `cfront`: an initialiser of an aggregate keeps what an earlier one said about its members.
    OverriddenInitialiserStays,
    /// `lower`: a copy of a volatile structure is what the program stored in it last.
    VolatileCopyIsPlain,
    /// `lower`: padding of an initialised structure is zero.
    PaddingStartsZero,
    /// `cfront`: an attribute cannot make the alignment of a variable smaller.
    LoweredAlignmentIgnored,
    /// `ir`: what a global points to at which the outside can look is not known there.
    GlobalsHideWhatTheyHold,
    /// `lower`: an object that is declared and never defined belongs to the program alone.
    ExternObjectsStay,
    /// `lower`: pointers that an entry other than `main` is given point to no object of the program.
    ParametersPointOutside,
    /// `lower`: globals have their first value at an entry other than `main`.
    EntryFindsGlobalsInitial,
    /// `lower`: inline assembly that says it touches memory touches none.
    AsmTouchesNoMemory,
    /// `ir`: a program may call a kind of undefined behaviour checked without an edge that leads to the error.
    CheckedWithoutErrors,
    /// `lower`: what a call-back returns is not known outside.
    CallBackResultsStay,
    /// `lower`: the outside has learned nothing from functions of the program that it can have called, nor from its tables.
    OutsideLearnsNothing,
    /// `lower`: pointers inside of what a distinct parameter points to lead to no object of the program.
    InnerPointersPointOutside,
    /// `lower`: only the first return of a function is an event.
    ReturnEventsForgotten,
    /// `lower`: at its return a function's parameters are what became of them.
    EventArgumentsStale,
    /// `spec`: a guarded handler runs for every object.
    RuleGuardForgotten,
    /// `spec`: `abort` does nothing.
    RuleAbortForgotten,
    /// `spec`: of several handlers of one event only the last one runs.
    RuleHandlersReplaced,
    /// `vc`: a NaN that an operation was rewritten to is stored as it is.
    FoldedNanKept,
    /// `spec`: an object that was passed over can be chosen later.
    RuleForgetsPassed,
    /// `certify`: what is claimed at a cut point in a callee need not hold where it is reached.
    CalleeClaimSkipped,
    /// `vc`: a block that began in a callee ends where that returns.
    ReturnEndsBlock,
    /// `lower`: of two zeroes `fmin` and `fmax` give the second.
    SecondOfTwoZeroes,
    /// `vc`: what a claim says of a variable of an activation that waits is written to the newest activation.
    SettledInNewest,
    /// `lower`: a sum rounds to nearest in every mode.
    ModeForgotten,
    /// `lower`: of two nearest decimal texts of a number the larger is printed.
    PrintedTiesUp,
    /// `vc`: the block of the heap that `realloc` copies from is one byte shorter than it was asked for.
    BlockTooShort,
    /// `lower`: a variable that changed since `setjmp` keeps its value when it returns again.
    JumpKeepsChanged,
    /// `lower`: a jump to an earlier turn of a call of `setjmp` goes to the last one.
    JumpToLastTurn,
    /// `lower`: with `--params tree` a pointer that is only compared leads nowhere.
    ComparedPointersAreNull,
    /// `analysis`: pointers of unknown origin differ from the address of an object that they are compared with, also if it has escaped.
    EscapedStaysHidden,
    /// `lower`: a static whose address is never taken holds its first value at an entry other than `main`, also if something writes it.
    WrittenStaysInitial,
    /// `lower`: an index that is so large that its element lies where a smaller one does is that one.
    ElementsComeRound,
    /// `lower`: with `--params tree` nobody outside ever knows the objects that the entry is given.
    TreesAreNeverGivenAway,
    /// `vc`: a scalar local without an initialiser keeps its value when its declaration is passed again.
    LocalNotFreshAgain,
    /// `vc`: where ways meet, what globals and memory hold is as on the second of them: what a followed call did on the first is lost.
    EffectLostAtMerge,
    /// `verify`: what one infeasible step of a trace excludes is excluded for its block whatever holds.
    ExcludedForAll,
    /// `verify`: of the valuations behind a block only the first is kept.
    BlockImageLost,
}

#[cfg(feature = "sabotage")]
thread_local! {
    /// The number of the fault, 0 for none. One for each thread: other tests of the process go on without faults.
    static ACTIVE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Whether `fault` is switched on; the constant `false` without the feature `sabotage`.
#[cfg(feature = "sabotage")]
#[inline]
pub fn active(fault: Fault) -> bool {
    ACTIVE.get() == fault as u32
}

/// Whether `fault` is switched on; the constant `false` without the feature `sabotage`.
#[cfg(not(feature = "sabotage"))]
#[inline(always)]
pub const fn active(_fault: Fault) -> bool {
    false
}

/// Switches one fault on for this thread, or all off. Threads that it starts have none.
#[cfg(feature = "sabotage")]
pub fn set(fault: Option<Fault>) {
    ACTIVE.set(fault.map_or(0, |f| f as u32));
}

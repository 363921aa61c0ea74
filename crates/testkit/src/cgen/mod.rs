//! Random C programs over the scalar part of the language, free of undefined behaviour and of dependence on the order
//! of evaluation, by construction.
//!
//! Invariants of every generated program:
//! - It ends: each loop has a bound that its body cannot move, each recursion a depth that only falls; the number of
//!   steps is estimated while generating and kept below [`Knobs::max_cost`].
//! - Nothing is read before it is written; no jump skips an initialisation that is needed later.
//! - Divisors are neither 0 nor -1, shift counts lie below the width of the promoted left operand (unless
//!   [`Mode::Verdict`] asks for risk). Signed arithmetic may wrap: the compiler is told `-fwrapv`.
//! - Operands that C leaves unsequenced never conflict: none writes what another reads or writes, and calls that touch
//!   globals stand alone. So every order of evaluation gives the same result.
//! - File-scope names are listed in [`Program::names`], so that many programs fit into one translation unit.
//!
//! Equal seeds and knobs give equal text.

mod constant;
mod expr;
mod features;
mod function;
mod scope;
mod stmt;

use std::collections::BTreeSet;

use base::rng::Rng;
use ir::DataModel;

pub use features::{ALL_FEATURES, Coverage, Feature};
use function::FnCtx;
pub(crate) use function::REACH_ERROR_DEFINED;
use scope::{EnumDef, Func, Var, VarId};

use crate::ctypes::CType;

/// What the program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Closed; folds what it computes into the global `checksum` (`unsigned long long`).
    Checksum,
    /// Reads inputs and contains checks whose conditions are still open ([`Draft`]).
    Verdict {
        /// No run draws more than this many bits of input.
        bits: u32,
        /// Some divisions and shifts are unguarded, so that some runs meet an assumed-away event.
        risky: bool,
    },
}

/// Size and shape of the generated programs.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// Widths of `long` and `size_t`: the text of a program fits one data model.
    pub model: DataModel,
    /// What the program is for.
    pub mode: Mode,
    /// At most this many functions besides `main`.
    pub functions: usize,
    /// At most this many globals.
    pub globals: usize,
    /// At most this many statements in a block.
    pub statements: usize,
    /// Nesting of statements.
    pub depth: u32,
    /// Nesting of expressions.
    pub expr_depth: u32,
    /// Largest bound of a loop.
    pub max_trip: u64,
    /// Upper bound on the estimated number of operations executed.
    pub max_cost: u64,
    /// Only the operators and types that a solver finds easy: few products, quotients and 64-bit values.
    pub plain: bool,
}

impl Knobs {
    /// Programs for the comparison of interpreter and compiler.
    pub fn checksum(model: DataModel) -> Knobs {
        Knobs {
            model,
            mode: Mode::Checksum,
            functions: 5,
            globals: 6,
            statements: 5,
            depth: 3,
            expr_depth: 4,
            max_trip: 7,
            max_cost: 60_000,
            plain: false,
        }
    }

    /// Small programs for the comparison of verdicts.
    pub fn verdict(model: DataModel) -> Knobs {
        Knobs {
            model,
            mode: Mode::Verdict { bits: 8, risky: false },
            functions: 2,
            globals: 2,
            statements: 3,
            depth: 2,
            expr_depth: 2,
            max_trip: 4,
            max_cost: 4_000,
            plain: true,
        }
    }
}

/// A finished program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed it was made from.
    pub seed: u64,
    /// C text with `int main(void)`; needs no header.
    pub source: String,
    /// The data model it was written for.
    pub model: DataModel,
    /// All names at file scope that the program defines, `main` included.
    pub names: Vec<String>,
    /// The input functions it calls, each with the number of low bits that matter.
    pub inputs: Vec<(&'static str, u32)>,
    /// What it contains.
    pub features: BTreeSet<Feature>,
    /// Statements that only the compiled program has, at their [`note_mark`]s: what the run tells the harness.
    pub notes: Vec<String>,
}

impl Program {
    /// The text without notes: what the tool is asked about.
    pub fn plain(&self) -> String {
        self.with_notes(|_| "")
    }

    /// The text with notes: what is compiled.
    pub fn noted(&self) -> String {
        self.with_notes(|k| &self.notes[k])
    }

    fn with_notes<'a>(&'a self, note: impl Fn(usize) -> &'a str) -> String {
        (0..self.notes.len()).fold(self.source.clone(), |text, k| text.replace(&note_mark(k), note(k)))
    }
}

/// A point of a [`Draft`] where a check belongs.
#[derive(Clone, Debug)]
pub struct CheckPoint {
    /// The expression to be checked, free of side effects, in parentheses where it needs them.
    pub expr: String,
    /// Its type.
    pub ty: CType,
}

/// A program in which the conditions of the checks are still open. Which conditions are true on all inputs, and which
/// fail on a few, is learnt by running it: see [`crate::verdict`].
#[derive(Clone, Debug)]
pub struct Draft {
    /// The program; its text has [`check_mark`] where a check belongs.
    pub program: Program,
    /// The checks, in the order of their marks.
    pub checks: Vec<CheckPoint>,
}

impl Draft {
    /// The text in which what would be checked is only evaluated.
    pub fn unchecked(&self) -> String {
        let checks = self.checks.iter().enumerate();
        checks.fold(self.program.plain(), |text, (k, check)| {
            text.replace(&check_mark(k), &format!("(void)({});", check.expr))
        })
    }
}

/// The mark of the `k`-th check in the text of a [`Draft`].
pub fn check_mark(k: usize) -> String {
    format!("@CHECK{k}@")
}

/// The mark of the `k`-th note in the text of a [`Program`].
pub fn note_mark(k: usize) -> String {
    format!("@NOTE{k}@")
}

/// The closed program of this seed.
///
/// # Panics
/// If the knobs are for another mode.
pub fn generate(seed: u64, knobs: &Knobs) -> Program {
    assert_eq!(knobs.mode, Mode::Checksum, "a program with checks is a draft");
    Gen::new(seed, knobs).program().program
}

/// The program with open checks of this seed.
///
/// # Panics
/// If the knobs are for another mode.
pub fn draft(seed: u64, knobs: &Knobs) -> Draft {
    assert!(matches!(knobs.mode, Mode::Verdict { .. }), "a closed program has no checks");
    Gen::new(seed, knobs).program()
}

/// The state of one generation.
struct Gen<'k> {
    rng: Rng,
    knobs: &'k Knobs,
    seed: u64,
    /// Text of the function being written.
    out: String,
    indent: usize,
    /// Every variable ever declared.
    vars: Vec<Var>,
    /// The visible ones, innermost last; may contain hidden (shadowed) ones.
    scope: Vec<VarId>,
    funcs: Vec<Func>,
    /// Names and types of file-scope typedefs.
    typedefs: Vec<(String, CType)>,
    enums: Vec<EnumDef>,
    features: BTreeSet<Feature>,
    inputs: Vec<(&'static str, u32)>,
    checks: Vec<CheckPoint>,
    cx: FnCtx,
}

impl<'k> Gen<'k> {
    fn new(seed: u64, knobs: &'k Knobs) -> Gen<'k> {
        // Neighbouring seeds must not give neighbouring sequences.
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x68b2_57cd);
        rng.bits();
        Gen {
            rng,
            knobs,
            seed,
            out: String::new(),
            indent: 0,
            vars: Vec::new(),
            scope: Vec::new(),
            funcs: Vec::new(),
            typedefs: Vec::new(),
            enums: Vec::new(),
            features: BTreeSet::new(),
            inputs: Vec::new(),
            checks: Vec::new(),
            cx: FnCtx::default(),
        }
    }

    fn mark(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    /// One of the weighted choices.
    fn weighted<T: Copy>(&mut self, choices: &[(u64, T)]) -> T {
        let total: u64 = choices.iter().map(|(w, _)| w).sum();
        let mut at = self.rng.below(total);
        for (w, t) in choices {
            if at < *w {
                return *t;
            }
            at -= w;
        }
        unreachable!("a number below the sum of the weights falls into one of them")
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn closed(&self) -> bool {
        self.knobs.mode == Mode::Checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        let knobs = Knobs::checksum(DataModel::Lp64);
        assert_eq!(generate(5, &knobs).source, generate(5, &knobs).source);
        assert_ne!(generate(5, &knobs).source, generate(6, &knobs).source);
    }

    /// Each construct must be common enough that some hundreds of programs contain it many times.
    #[test]
    fn every_construct_appears() {
        let knobs = Knobs::checksum(DataModel::Lp64);
        let all: Vec<_> = (0..400).map(|seed| generate(seed, &knobs).features).collect();
        let coverage = Coverage::of(&all);
        let only_verdict = [Feature::Nondet, Feature::Assume, Feature::Check];
        for &f in ALL_FEATURES {
            let share = coverage.percent(f);
            if only_verdict.contains(&f) {
                assert!(share == 0.0, "a closed program has {f}");
            } else {
                assert!(share >= 3.0, "only {share} % of the programs have {f}\n{coverage}");
            }
        }
    }

    #[test]
    fn drafts_have_inputs_and_checks() {
        let knobs = Knobs::verdict(DataModel::Lp64);
        for seed in 0..200 {
            let d = draft(seed, &knobs);
            assert!(!d.checks.is_empty() && !d.program.inputs.is_empty(), "{}", d.program.source);
            for k in 0..d.checks.len() {
                assert_eq!(d.program.source.matches(&check_mark(k)).count(), 1);
            }
        }
    }
}

//! Boolean programs in the forms that other tools read.
//!
//! A form is a list of [`passes`], each of which does away with one thing that its readers do not know, and a style of
//! printing ([`emit`]). Every pass keeps which labels are reached and whether an assertion can fail; what it adds are
//! temporaries, which are set back to false after use because a checker without liveness pays for every value they keep.
//!
//! - [`slam`]: predicates as names in braces, `enforce`, `constrain` on assignments, several labels and jump targets.
//! - [`satabs`]: plain names, `0` and `1`, a label `PCn` on every statement; full parentheses, because boppo binds otherwise.
//! - [`moped`]: what Moped 1, Moped 2 and Getafix have in common. `*` is a condition only, `schoose` a right-hand side only;
//!   no `constrain`, no `enforce`; assertions and error labels become calls of one procedure that has the label
//!   `SLIC_ERROR`.
//!
//! Two forms ask a question instead: whether one of the targets is reached.
//!
//! - [`smtlib`]: Horn clauses, for z3 and other solvers of such.
//! - [`mod@smv`]: one module with calls inlined, for NuSMV and nuXmv; not of recursive programs.

mod emit;
mod exprs;
mod formulas;
mod horn;
mod names;
mod passes;
mod rebuild;
mod smv;

use crate::interp::Goal;
use crate::program::Program;

/// The program as SLAM and Static Driver Verifier write it.
pub fn slam(program: &Program) -> String {
    let mut p = program.clone();
    passes::initial_values(&mut p);
    passes::constraints(&mut p, passes::Constraints::OnAssignments);
    passes::enforced(&mut p, true);
    passes::nondeterminism(&mut p, exprs::Hoist::Conditions);
    passes::plain_operators(&mut p);
    emit::emit(&p, &emit::SLAM)
}

/// The program as SATABS writes it and boppo reads it.
pub fn satabs(program: &Program) -> String {
    let mut p = program.clone();
    passes::initial_values(&mut p);
    passes::constraints(&mut p, passes::Constraints::OnAssignments);
    passes::enforced(&mut p, true);
    passes::hints(&mut p);
    passes::discards(&mut p);
    passes::nondeterminism(&mut p, exprs::Hoist::Conditions);
    passes::plain_operators(&mut p);
    names::mangle(&mut p);
    emit::emit(&p, &emit::SATABS)
}

/// The program in the part of the language that Moped and Getafix read.
pub fn moped(program: &Program) -> String {
    let mut p = program.clone();
    passes::initial_values(&mut p);
    passes::constraints(&mut p, passes::Constraints::Nowhere);
    passes::enforced(&mut p, false);
    passes::errors(&mut p);
    passes::hints(&mut p);
    passes::discards(&mut p);
    passes::nondeterminism(&mut p, exprs::Hoist::Everything);
    passes::jumps(&mut p);
    passes::plain_operators(&mut p);
    names::mangle(&mut p);
    emit::emit(&p, &emit::MOPED)
}

/// Horn clauses in SMT-LIB that can be satisfied if, and only if, no target is reached.
pub fn smtlib(program: &Program, targets: &[Goal]) -> String {
    horn::print(program, targets)
}

/// An SMV module whose invariant holds if, and only if, no target is reached. The error says why there is none.
pub fn smv(program: &Program, targets: &[Goal]) -> Result<String, String> {
    smv::print(program, targets)
}

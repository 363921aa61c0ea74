//! What every program must satisfy. This list is complete: a stage may rely on all of it and on nothing else.
//!
//! **Names and ids**
//! 1. Names are unique: globals among globals, functions among functions, sites among sites, locals in their function.
//! 2. Every id used (variable, function, location, site) exists; the entry function exists and has a body.
//!
//! **Types and variables**
//! 3. Integer widths lie between 1 and 128. Alignments are powers of two. An object's size is at most half of the address
//!    space of the data model.
//! 4. Parameters and results are scalars; the result's local is not a parameter. (Structures are passed by address.)
//! 5. What lives in memory has a memory type: `bool`, `ptr`, floats and integers of 8, 16, 32, 64 or 128 bits. This holds for
//!    each access other than that of a whole scalar variable as its own type, and for each scalar variable whose
//!    address is taken ([`crate::cfg::AddressTaken`]). A scalar variable may be accessed in part or as another type, at
//!    any offset; then it lives in memory like an object. Whether an access lies inside its variable is not a matter of
//!    validity: one that does not is undefined behaviour.
//! 6. A bit range lies in an access of integer type, and has at least one bit.
//!
//! **Initialisers**
//! 7. An item of an initialiser is a constant, the address of a global plus a constant, or the address of a function; it has
//!    a memory type and lies inside its global. A scalar global that does not live in memory is initialised as a whole.
//!
//! **Expressions**
//! 8. Every expression is well typed, as the constructors of [`Expr`] make them: operands of a binary operator have one
//!    type that the operator takes; conversions join all types but floats with pointers; object predicates take
//!    pointers, [`ObjectPredicate::FitsInt`] takes a float; a constant has no bits above its type's width; indices are signed and as
//!    wide as a pointer; the base of an address is a pointer.
//! 9. Expressions nest at most [`MAX_EXPR_DEPTH`](crate::text::MAX_EXPR_DEPTH) deep.
//! 10. [`ExprKind::Entry`] occurs in predicates only ([`validate_predicate`]), does not nest, and what stands under it
//!     names parameters and globals only.
//!
//! **Edges**
//! 11. Guards and assumed conditions are `bool`. The value of an assignment has the type of the place.
//! 12. Addresses of ranges are pointers, their lengths and sizes of allocations are unsigned and as wide as a pointer, the
//!     byte of `set` is `u8`, the destination of an allocation is a `ptr`, and its alignment a power of two.
//! 13. A call has one argument of the right type per parameter, and more only if the function is variadic (then of any
//!     type); the destination is a whole scalar variable of the result's type, and there is none if there is no result.
//!     Through a pointer, arguments and destination may have any type: a mismatch is undefined behaviour.
//! 14. `return e` has the type of the function's result; a function without result returns no value. (`return` alone
//!     in a function with a result leaves the result as it is: arbitrary, if nothing was assigned.)
//!
//! **Graphs**
//! 15. Entry and exit differ. No edge leads to the entry and none leaves the exit.
//! 16. An edge has no target exactly if its operation ends the run; it leads to the exit exactly if its operation is
//!     `return`.
//! 17. Where several edges leave a location, all of them are `assume`.
//! 18. From every location that the entry reaches, but the exit, at least one edge leaves.
//!
//! **Lives**
//! 19. A local that some operation begins is neither a parameter nor the result. At each location but the exit it is alive
//!     whatever the way there, or on none: it begins where it is not alive, ends and is named where it is
//!     ([`crate::lifetimes`]). No local ends that no operation begins.
//!
//! **Undefined behaviour**
//! 20. Checked kinds mean something: every guard of such a kind is exposed ([`crate::checks::expose`]), which is to say that,
//!     beside its edge or where a chain of `assume`s begins that leads there and nowhere else, an `assume` of its
//!     opposite, behind the guards before it, leads to `error ub`. Kinds without guards are not checked, and `no-room` is
//!     assumed away.

mod check;
#[cfg(test)]
mod tests;

use crate::syntax::*;
use std::fmt;

/// A rule of the list above that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// 1.
    UniqueNames,
    /// 2.
    IdsExist,
    /// 3.
    Shapes,
    /// 4.
    ScalarParameters,
    /// 5.
    MemoryTypes,
    /// 6.
    BitRanges,
    /// 7.
    Initialisers,
    /// 8.
    Typing,
    /// 9.
    Depth,
    /// 10.
    EntryValues,
    /// 11.
    Conditions,
    /// 12.
    Operands,
    /// 13.
    Calls,
    /// 14.
    Returns,
    /// 15.
    EntryAndExit,
    /// 16.
    Targets,
    /// 17.
    Branches,
    /// 18.
    DeadEnds,
    /// 19.
    Lifetimes,
    /// 20.
    CheckedKinds,
}

/// One broken rule and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// The function it is in, if any.
    pub func: Option<FuncId>,
    /// The edge it is on, if any.
    pub edge: Option<EdgeId>,
    /// What is wrong.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid program ({:?}", self.rule)?;
        if let Some(func) = self.func {
            write!(f, ", function {func}")?;
        }
        if let Some(edge) = self.edge {
            write!(f, ", edge {edge}")?;
        }
        write!(f, "): {}", self.detail)
    }
}

impl std::error::Error for Violation {}

/// Checks all rules; the error holds every violation, in the order of the program.
pub fn validate(program: &Program) -> Result<(), Vec<Violation>> {
    let mut checker = check::Checker::new(program);
    checker.program();
    checker.finish()
}

/// Checks rules 2, 5, 6 and 8 to 10 for a truth value over the variables of `func`, in which entry values (`'x`) are
/// allowed. The program itself is taken to be valid.
pub fn validate_predicate(program: &Program, func: FuncId, expr: &Expr) -> Result<(), Vec<Violation>> {
    let mut checker = check::Checker::new(program);
    checker.predicate(func, expr);
    checker.finish()
}

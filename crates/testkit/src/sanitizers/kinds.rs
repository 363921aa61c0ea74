//! What the sanitizers' messages mean here: the one table of kinds, and the differences that are known.
//!
//! A message belongs to the first row whose text it contains. Where a row names several kinds, the reason stands beside it.
//!
//! # Known differences
//!
//! The generator avoids these, or announces them ([`super::Program::inner`]).
//!
//! - **Inside an object.** `a[0][4]` of an `int a[3][4]` and `s.c[4]` of a structure with `char c[4]` are out of bounds for
//!   the sanitizers and fine here: what an access may touch is decided by the object, not by its parts. Announced, line by line.
//! - **`&p->m` with a null `p`** is a report of the sanitizers where the address is made; here it is one where it is used.
//!   (C makes it undefined; code that computes such an address and never uses it is common and works.)
//! - **Null that was moved** (`p + 1`) and went through memory or into another function before it was used is out of bounds
//!   here and lies in the first page for the sanitizers. Moved and used in one function, it is a null dereference for both.
//! - **`_Bool` objects** that hold neither 0 nor 1 are reported when they are read; here they are read as "not zero".
//! - **The base of a shift** is not looked at (SOUNDNESS.md), and alignment is not either.
//! - **A call through a null pointer** is reported without the caller's frame: kinds are compared, lines are not.
//! - **Accesses beyond the red zones**, or from one global to the one before it, are not seen by the sanitizers.
//! - **Results that are narrowed** (`short s; s *= s`, `(int)(a * b)` of wide numbers): gcc computes in the narrow type, where it
//!   sees no overflow. C does not.
//! - **Variable length arrays of no elements** are reported; here only those with a negative number of them are (zero is GNU C).
//! - **Objects of a block that is entered again** are new ones here; the machine has them where the old ones were, and a
//!   pointer to an old one that is used behind the declaration is none that the sanitizers see. Nor do they see the end of a
//!   variable length array, or that a computed `goto` leaves a block.
//! - **Pointer arithmetic with unsigned numbers**: the sanitizers read a number from the upper half as a step back. Here `p + n`
//!   is a step forward, as C says, and leaves the address space.
//! - **Several steps of a pointer in one expression** (`p - n + m`): gcc adds them up first, and looks at the last place only;
//!   a comparison of a pointer with itself moved (`p - n < p`) it decides without looking.
//! - **Values that nobody uses**: gcc drops the accesses.

use ir::Ub;

/// A report of a sanitizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What it may be here; empty for a message that is not in the table.
    pub kinds: &'static [Ub],
    /// The line in the program, if the report has one.
    pub line: Option<u32>,
    /// The message.
    pub message: String,
}

/// Texts of messages and the kinds they stand for.
const TABLE: &[(&str, &[Ub])] = &[
    ("load of null pointer", &[Ub::NullDeref]),
    ("store to null pointer", &[Ub::NullDeref]),
    ("member access within null pointer", &[Ub::NullDeref]),
    ("null pointer passed as argument", &[Ub::NullDeref]),
    // A step back from null, in the line of its access.
    ("applying non-zero offset", &[Ub::NullDeref, Ub::PointerWrap]),
    // An element that is accessed at once is asked about only there: `p[n]`.
    ("pointer index expression with base", &[Ub::PointerWrap, Ub::OutOfBounds]),
    ("addition of unsigned offset to", &[Ub::PointerWrap, Ub::OutOfBounds]),
    ("subtraction of unsigned offset from", &[Ub::PointerWrap, Ub::OutOfBounds]),
    ("out of bounds for type", &[Ub::OutOfBounds]),
    // Announced where the array is made, before any access.
    ("variable length array bound evaluates to non-positive value", &[Ub::OutOfBounds]),
    ("with insufficient space for an object", &[Ub::OutOfBounds]),
    ("division by zero", &[Ub::DivByZero]),
    ("division of", &[Ub::DivOverflow]),
    ("shift exponent", &[Ub::ShiftCount]),
    ("signed integer overflow", &[Ub::SignedOverflow]),
    ("negation of", &[Ub::SignedOverflow]),
    ("outside the range of representable values", &[Ub::FloatToInt]),
    ("reached an unreachable program point", &[Ub::Unreachable]),
    ("heap-buffer-overflow", &[Ub::OutOfBounds]),
    ("global-buffer-overflow", &[Ub::OutOfBounds]),
    ("stack-buffer-overflow", &[Ub::OutOfBounds]),
    ("stack-buffer-underflow", &[Ub::OutOfBounds]),
    ("dynamic-stack-buffer-overflow", &[Ub::OutOfBounds]),
    ("heap-use-after-free", &[Ub::UseAfterFree]),
    ("stack-use-after-return", &[Ub::UseAfterFree]),
    ("stack-use-after-scope", &[Ub::UseAfterFree]),
    ("attempting double-free", &[Ub::BadFree]),
    ("attempting free on address which was not malloc()-ed", &[Ub::BadFree]),
    ("memcpy-param-overlap", &[Ub::Overlap]),
    // The allocator does not always get as far as a message about what it is asked to free.
    (LOST, &[Ub::BadFree]),
    (CALL, &[Ub::NullDeref, Ub::BadCall]),
    (FIRST_PAGE, &[Ub::NullDeref]),
    // The machine says no more of an address at the top, where null ends up if it is moved back.
    (HIGH, &[Ub::NullDeref, Ub::OutOfBounds]),
    (PROTECTED, &[Ub::ConstWrite]),
];

/// The sanitizer itself fails.
const LOST: &str = "AddressSanitizer: CHECK failed: asan_poisoning";

/// Names for what stands behind a segmentation fault.
const CALL: &str = "SEGV of a call through null";
const FIRST_PAGE: &str = "SEGV in the first page";
const HIGH: &str = "SEGV at a high address";
const PROTECTED: &str = "SEGV of a write";

/// The report in what a program that ended badly has written, `file` being the program's name. `None` if there is none.
pub fn report(text: &str, file: &str) -> Option<Report> {
    let begins = ["runtime error: ", "ERROR: AddressSanitizer: ", LOST];
    let message = text.lines().find(|l| begins.iter().any(|b| l.contains(b)))?;
    let fault = message.contains("SEGV on unknown address").then(|| segmentation(message, text));
    let named = fault.unwrap_or(message);
    let row = TABLE.iter().find(|(part, _)| named.contains(part));
    let line = if fault == Some(CALL) { None } else { line_in(text, message, file) };
    let message = format!("{message} ({named})");
    Some(Report { kinds: row.map_or(&[], |(_, kinds)| kinds), line, message })
}

/// What a segmentation fault is.
fn segmentation(message: &str, text: &str) -> &'static str {
    let number = |after: &str| {
        let rest = message.split(after).nth(1)?.strip_prefix("0x")?;
        let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).next()?;
        u64::from_str_radix(digits, 16).ok()
    };
    match (number("unknown address "), number("(pc ")) {
        (_, Some(0..0x1000)) => CALL,
        (Some(0..0x1000), _) => FIRST_PAGE,
        _ if text.contains("caused by a WRITE") => PROTECTED,
        _ => HIGH,
    }
}

/// The line of the message itself, or of the first frame in the file.
fn line_in(text: &str, message: &str, file: &str) -> Option<u32> {
    let after = text.split(message).nth(1).unwrap_or_default();
    [message, after].into_iter().find_map(|part| {
        let rest = part.split(&format!("{file}:")).nth(1)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_kinds_and_lines() {
        let read = |text: &str| report(text, "p3.c").map(|r| (r.kinds.to_vec(), r.line));
        let ubsan = "p3.c:7:46: runtime error: load of null pointer of type 'char'\n";
        assert_eq!(read(ubsan), Some((vec![Ub::NullDeref], Some(7))));
        let asan = "=\n==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\nREAD of size 4\n    \
            #0 0x7 in __interceptor_memset ../a.inc:799\n    #1 0x5 in hb3_main /tmp/p3.c:12\n    #2 0x5 in main /tmp/u.c:900\n";
        assert_eq!(read(asan), Some((vec![Ub::OutOfBounds], Some(12))));
        let segv = |at: &str, pc: &str, how: &str| {
            format!(
                "==9==ERROR: AddressSanitizer: SEGV on unknown address {at}(pc {pc} bp 0x7)\n\
                 ==9==The signal is caused by a {how} memory access.\n    #0 0x5 in hb3_main p3.c:4\n"
            )
        };
        assert_eq!(read(&segv("0x000000000004 ", "0x55d0a1", "READ")), Some((vec![Ub::NullDeref], Some(4))));
        assert_eq!(read(&segv("0x564b20c98080 ", "0x55d0a1", "WRITE")), Some((vec![Ub::ConstWrite], Some(4))));
        assert_eq!(read(&segv("", "0x55d0a1", "READ")), Some((vec![Ub::NullDeref, Ub::OutOfBounds], Some(4))));
        assert_eq!(
            read(&segv("0x000000000000 ", "0x000000000000", "READ")),
            Some((vec![Ub::NullDeref, Ub::BadCall], None))
        );
        assert_eq!(read("Segmentation fault"), None);
    }
}

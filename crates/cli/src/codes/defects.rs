//! Kinds of defects: what a run can do that must not happen.

use super::{Code, Group};

const fn defect(id: &'static str, cwe: Option<u32>, title: &'static str, text: &'static str) -> Code {
    Code { id, group: Group::Defect, title, text, cwe }
}

pub(super) static DEFECTS: &[Code] = &[
    defect(
        "assertion",
        Some(617),
        "an assertion fails",
        "A run comes to an `assert` (or `__VERIFIER_assert`) whose condition is false. The trace shows the run: each line with the \
         values that matter, and at its end the values that the program took from outside.",
    ),
    defect(
        "error-call",
        Some(617),
        "a function that must not be called is called",
        "A run calls `reach_error`, `__VERIFIER_error` or the function that the property names. A small function that only tests its \
         argument and calls one of these counts as an assertion: each of its calls is a target of its own.",
    ),
    defect(
        "signed-overflow",
        Some(190),
        "signed integer overflow",
        "The mathematical result of an operation on signed integers does not fit its type, which C leaves undefined. Looked for with \
         `--check overflow`. Without it the value wraps as with `gcc -fwrapv`, or such runs are left out with \
         `--signed-overflow undefined`.",
    ),
    defect(
        "div-by-zero",
        Some(369),
        "division by zero",
        "The right operand of `/` or `%` on integers is zero. Looked for with `--check div`; without it such runs do not count.",
    ),
    defect(
        "div-overflow",
        Some(190),
        "division overflows",
        "The smallest value of a signed type is divided by -1: the quotient does not fit. Looked for with `--check div`, also for `%`.",
    ),
    defect(
        "shift-count",
        Some(1335),
        "shift count out of range",
        "The right operand of `<<` or `>>` is negative, or not smaller than the number of bits of the left one. Looked for with \
         `--check shift`.",
    ),
    defect(
        "null-deref",
        Some(476),
        "null pointer dereferenced",
        "Memory is read or written through a null pointer, or through one that was made by moving a null pointer. Looked for with \
         `--check null`. At an entry other than `main`, parameters may be null: see `--params`. `malloc` may fail: see `--malloc`.",
    ),
    defect(
        "out-of-bounds",
        Some(119),
        "access outside the object",
        "An access lies, at least in part, outside of the object that its pointer was made for. Looked for with `--check bounds`. Bounds are \
         those of whole objects: an index that leaves an array but stays inside of the structure around it is not found.",
    ),
    defect(
        "use-after-free",
        Some(416),
        "access to an object after its life",
        "The object was freed, or it was a local variable whose block or function has ended. Looked for with `--check free`.",
    ),
    defect(
        "bad-free",
        Some(590),
        "free of something that is not a live heap object",
        "`free` or `realloc` gets a pointer that is not the start of a block from `malloc` and its kin, or whose block was freed already. \
         Looked for with `--check free`.",
    ),
    defect(
        "bad-call",
        Some(686),
        "call through a pointer that is not a matching function",
        "The called pointer is null, points to no function, or to one with other parameters. Runs in which it happens do not count, \
         and `hardbop run` names it.",
    ),
    defect(
        "overlap",
        Some(475),
        "memcpy of overlapping ranges",
        "`memcpy` may not be used where source and destination overlap; `memmove` may. Runs in which it happens do not count, and \
         `hardbop run` names it.",
    ),
    defect(
        "float-to-int",
        Some(681),
        "floating value does not fit the integer type",
        "A floating value is converted to an integer type that cannot hold its integral part. Runs in which it happens do not count, \
         and `hardbop run` names it.",
    ),
    defect(
        "const-write",
        Some(471),
        "write to a constant object",
        "An object that was defined with `const`, or a string literal, is written through a pointer. Runs in which it happens do not \
         count, and `hardbop run` names it.",
    ),
    defect(
        "unreachable",
        Some(758),
        "__builtin_unreachable reached",
        "The program promised that no run comes here. Runs that do are left out, and `hardbop run` names it.",
    ),
    defect(
        "pointer-wrap",
        Some(823),
        "pointer arithmetic leaves the address space",
        "Adding to a pointer gives an address below zero or above the largest one. Looked for with `--check pointer`.",
    ),
    defect(
        "leak",
        Some(401),
        "a block of memory is not freed when the program ends",
        "When `main` returns, or the program is ended by `exit`, `abort` or their like, a block from `malloc` and its kin is still \
         allocated. Looked for with `--check leak`. The trace ends where the program does; the allocation is on its way there.",
    ),
    defect(
        "no-room",
        Some(789),
        "an object that cannot fail finds no room in memory",
        "A local variable or a variable-length array does not fit into memory any more. Such runs do not count: how large the stack is, \
         is not a question of the program.",
    ),
];

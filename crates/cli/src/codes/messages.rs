//! Messages about the input.

use super::{Code, Group};

const fn message(id: &'static str, title: &'static str, text: &'static str) -> Code {
    Code { id, group: Group::Message, title, text, cwe: None }
}

pub(super) static MESSAGES: &[Code] = &[
    message(
        "syntax",
        "the text is not C",
        "Something else was expected at this place by the grammar of C11 and of the GNU extensions that are read. If a compiler takes the \
         file, a macro or header is probably missing: see -I, -D, -include and -p.",
    ),
    message(
        "lexical",
        "a character or literal that is no part of C",
        "A character that starts no token, a literal that does not end, or a number that cannot be read.",
    ),
    message(
        "type",
        "types do not fit",
        "An operator, assignment, argument or declaration has types that C does not allow there. The message says which.",
    ),
    message(
        "undeclared",
        "a name that nobody declared",
        "A variable or function is used that no declaration in sight names. A header may be missing, or its macro.",
    ),
    message(
        "unknown-type",
        "a type that nobody declared",
        "A name stands where a type is expected. The header with its `typedef` is probably missing, or the file is C++.",
    ),
    message(
        "implicit-function-declaration",
        "a function is called that nobody declared",
        "It is taken to return `int`, as old C has it. A proof then rests on a function that may not have that type: include its header.",
    ),
    message(
        "redefinition",
        "a name is defined twice",
        "The same scope has two definitions of a variable, function, member, enumerator or label.",
    ),
    message(
        "duplicate",
        "the same thing twice",
        "Two files define one function or variable, or a file of hardbop's own formats names something twice.",
    ),
    message(
        "conflict",
        "declarations that contradict each other",
        "Two declarations give the same name different types or linkage.",
    ),
    message(
        "init",
        "an initialiser does not fit",
        "There are more values than members, a designator names nothing, or a value cannot be converted to its member's type.",
    ),
    message(
        "specifier",
        "words of a declaration do not go together",
        "Storage classes, qualifiers or type words were combined in a way that C does not have.",
    ),
    message(
        "attribute",
        "an attribute that cannot be obeyed",
        "An attribute has arguments that make no sense, or one that changes the meaning of the program in a way that is not supported.",
    ),
    message(
        "tag",
        "a tag of another kind",
        "A name that was declared as a `struct`, `union` or `enum` is used as another of the three.",
    ),
    message(
        "member",
        "a member that does not exist",
        "The structure or union has no member of that name, or is not complete here.",
    ),
    message(
        "lvalue",
        "something that cannot be assigned to",
        "The operand of `=`, `++` or `&` is no object, or one that cannot be changed.",
    ),
    message("const", "a constant is changed", "An object that is declared `const` is assigned to."),
    message(
        "constant",
        "a constant is expected",
        "C wants an expression here whose value is known when the program is translated.",
    ),
    message(
        "arguments",
        "the number of arguments is wrong",
        "A function or built-in function is called with more or fewer arguments than it has parameters.",
    ),
    message(
        "call",
        "a call where none may stand",
        "Predicates and other conditions about a program have no effects, so they call no functions.",
    ),
    message(
        "case",
        "a case that makes no sense",
        "A `case` or `default` stands outside of a `switch`, or its value was named before.",
    ),
    message(
        "label",
        "a label that does not exist",
        "A `goto` or `&&label` names a label that the function does not have.",
    ),
    message(
        "jump",
        "a jump that leads nowhere",
        "`break` or `continue` stands outside of a loop, or a jump enters the scope of a variable-length array.",
    ),
    message(
        "static-assert",
        "a static assertion fails",
        "The condition of a `_Static_assert` is false for this data model: see --data-model, -m32 and -m64.",
    ),
    message(
        "depth",
        "nested too deeply",
        "Expressions or blocks nest deeper than is read. Generated code may need to be split.",
    ),
    message(
        "unsupported",
        "something that is not supported",
        "The construct is known and has no meaning here. In a program it costs a verdict only if a run can come to it.",
    ),
    message(
        "no-entry",
        "the function where execution starts is missing",
        "A program starts in `main`, or where `--entry FUNCTION` says. With an entry other than `main`, globals and parameters hold \
         anything: see --params and --globals.",
    ),
    message(
        "near-miss",
        "a name that is almost a known one",
        "A function without a body is called whose name differs in one letter from `assert`, `reach_error` or a function that gives inputs. It is taken for any function, which is probably not what was meant.",
    ),
    message("proof", "the file is no proof", "The file does not have the form that docs/proof.md describes."),
    message(
        "address",
        "the address of something that has none",
        "A predicate takes the address of a bit-field, of a register variable or of a value.",
    ),
    message(
        "memory",
        "memory that a predicate cannot speak of",
        "A predicate reads memory in a way that the abstraction cannot follow. docs/predicates.md says what it can.",
    ),
    message(
        "symbolic-constant",
        "a value at entry that does not exist",
        "`'x` is the value of x when the function was called; only parameters, globals and memory reached from them have one.",
    ),
    message(
        "argument-count",
        "a boolean program calls with the wrong number of arguments",
        "A procedure of a boolean program is called with more or fewer arguments than it has parameters.",
    ),
    message(
        "assign-count",
        "a boolean program assigns the wrong number of values",
        "A parallel assignment has more variables than values, or fewer.",
    ),
    message(
        "assigned-twice",
        "a boolean program assigns a variable twice",
        "The left side of a parallel assignment names one variable more than once.",
    ),
    message(
        "return-count",
        "a boolean program returns the wrong number of values",
        "A `return` has more or fewer values than the procedure declares.",
    ),
    message(
        "missing-label",
        "a boolean program jumps to a label that it does not have",
        "A `goto` of a boolean program names a label that its procedure does not have.",
    ),
    message(
        "nested-call",
        "a call inside of an expression of a boolean program",
        "Procedures of boolean programs are called by statements of their own, or as the only thing on the right of an assignment.",
    ),
    message(
        "next-state",
        "a primed variable where there is no next state",
        "Primed variables name the values after a statement, so they may stand only where a statement relates two states.",
    ),
    message(
        "reserved",
        "a reserved word as a name",
        "The word means something in one of the dialects of boolean programs, so it cannot be a name.",
    ),
    message("undefined", "a procedure without a body", "A boolean program calls a procedure that it does not define."),
    message("concurrent", "a boolean program with threads", "Concurrent boolean programs are not supported."),
    message(
        "entry",
        "a boolean program without a beginning",
        "A boolean program starts in its procedure `main`, or where `--entry` says.",
    ),
    message(
        "interrupt",
        "a function that cannot be an interrupt handler",
        "`--interrupt` names a function of the program that takes nothing: it may run between any two statements of other functions.",
    ),
];

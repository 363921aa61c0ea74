//! Conditions over programs from IR text: names, types and objects that no C declares.

use super::*;
use base::Id;

const PROGRAM: &str = "\
model LP64
entry main
global @g: i32 external = zero
global @f.x: i32 internal = zero
global @.str.1: object(4, 1) internal = zero
global @blob: object(16, 8) external = zero
func external f(x: i32, p: ptr) -> $result {
  local $result: i32
  local x.2: i33
  local int: i32
  local while: i32
  local `i8`: i32
  local g: u8
  local odd name: u3
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return x
}
func external main() {
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return
}
";

fn program() -> Program {
    let text = PROGRAM.replace("odd name", "`odd name`");
    ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}"))
}

/// The condition as the IR writes it.
fn read(text: &str) -> String {
    let program = program();
    let f = program.function("f");
    match condition(&program, f, FileId::from_index(0), text) {
        Ok(e) => ir::text::show_expr(&program, f.unwrap_or(program.entry), &e).to_string(),
        Err(d) => format!("{}: {}", d.id, d.message),
    }
}

#[test]
fn names_are_the_programs() {
    for (text, expected) in [
        ("x == 1", "(x == 1:i32)"),
        ("x = 1", "(x == 1:i32)"),
        ("$result < x", "($result < x)"),
        ("x.2 > 3", "(x.2 > 3:i33)"),
        ("f.x == 'f.x", "(@f.x == '@f.x)"),
        ("g == 3", "(i32(g) == 3:i32)"),
        ("@g == 3", "(@g == 3:i32)"),
        ("'@g == 3", "('@g == 3:i32)"),
        ("`int` + `while` == 0", "((int + while) == 0:i32)"),
        ("`odd name` & 1", "((i32(`odd name`) & 1:i32) != 0:i32)"),
        ("i8 == 0", "(`i8` == 0:i32)"),
        ("(u3)x == 2", "(i32(u3(x)) == 2:i32)"),
        ("(i33)x + x.2 == 0", "((i33(x) + x.2) == 0:i33)"),
        ("p == NULL || *(int *)p == 0", "((p == null) || (*[p]:i32 == 0:i32))"),
        ("p == main", "(p == &fn main)"),
        ("blob[3] == 1", "(i32(*[&@blob + 3]:u8 \"blob[3]\") == 1:i32)"),
        (".str.1[0] == 1", "(i32(*[&@.str.1]:u8 \".str.1[0]\") == 1:i32)"),
        ("'(*(int *)p) == *(int *)'p", "('*[p]:i32 == *['p]:i32)"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

/// What the printer puts into backquotes and what the parser takes for a keyword are two lists of one thing.
#[test]
fn every_name_reads_back_as_printed() {
    let words =
        cfront::annotation::keywords().chain(["NULL", "global", "bool", "i8", "u128", "i129", "main", "f.x", ".str.1"]);
    for word in words.chain(["a b", "`", "\\", "naïve", "'", "3x", "$t1", "x..y", "."]) {
        let mut program = program();
        let f = program.function("f").expect("the program has it");
        for (i, l) in program.functions[f].locals.iter_mut().enumerate() {
            l.name = if i == 0 { word.to_owned() } else { format!("local{i}") };
        }
        let e = Expr::nonzero(Expr::var(ir::Var::Local(ir::LocalId::from_index(0)), ir::Ty::int(32, true)));
        let text = ir::as_c::show(&program, f, &e);
        let back = condition(&program, Some(f), FileId::from_index(0), &text);
        assert_eq!(back.as_ref(), Ok(&e), "{word}: {text}");
    }
}

#[test]
fn one_condition_is_one_condition() {
    for (text, expected) in [
        ("x == 1, x == 2", "syntax: the condition ends here, but its text does not"),
        ("x == 1\nx == 2", "syntax: the condition ends here, but its text does not"),
        ("", "syntax: expected an expression before end of input"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    assert_eq!(read("(x\n == 1)"), "(x == 1:i32)");
}

#[test]
fn what_c_does_not_define_everywhere_is_no_defined_condition() {
    let program = program();
    let read = |text: &str, form| expression(&program, &Names::default(), FileId::from_index(0), text, form).map(drop);
    for text in [
        "1 / 0 == 5",
        "g % 0 == g",
        "4 / g == 1",
        "(1 << 40) == 0",
        "(1 << g) != 3",
        "g / -1 == 0",
        "g != 0 && 1 / g < 2",
    ] {
        assert!(read(text, Form::Condition).is_ok(), "{text}");
        assert!(read(text, Form::DefinedCondition).is_err(), "{text}");
    }
    for text in ["g / 2 == 1", "g % 3 != 1", "(g << 4) == 0", "g + 1 > g", "g >> 31 == 0"] {
        assert!(read(text, Form::DefinedCondition).is_ok(), "{text}");
    }
}

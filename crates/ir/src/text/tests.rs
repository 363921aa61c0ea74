//! Tests of the text form: print–parse–print is identity, ids survive, bad text never panics.

use super::*;
use crate::random::{self, Knobs};
use crate::syntax::*;
use crate::validate::validate;
use base::rng::Rng;
use base::{FileId, Id, SourceMap, Span};

fn file() -> FileId {
    FileId::from_index(0)
}

fn here() -> Span {
    Span::new(file(), 0, 0)
}

fn parsed(text: &str) -> Program {
    parse(file(), text).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

const SAMPLE: &str = "\
model LP64
externs args
addresses user
entry main
site site0 \"malloc in main\"
global @g: i32 external = { +0 = -5:i32 }
global @.str.0: object(6, 1) internal const = { +0 = 72:i8; +1#3+5 = 3:u8 }

func external main(argc: i32, `two words`: ptr) -> $r {
  local $r: i32
  local x.2: u64
  local s: object(16, 8)
  locations 5 entry L0 exit L4
  label L1 \"again\"
  e0: L0 -> L1: [div-by-zero: (argc != 0:i32)] [div-overflow: true] x.2 := u64((@g / argc))
  e1: L1 -> L2: assume (x.2 < 10:u64)
  e2: L1 -> L3: assume !(x.2 < 10:u64)
  e3: L2 -> L3: *[&s + 8 + 4*i64(x.2)]:u32#3+5 \"s.f\" := *[`two words` + -4]:u32
  e4: L3 -> L4: return -(5:i32)
}
";

#[test]
fn a_written_program_prints_as_written() {
    let program = parsed(SAMPLE);
    assert_eq!(validate(&program), Ok(()));
    let printed = print(&program);
    let ubs: String = program.ub.iter().map(|(u, p)| format!("ub {} {}\n", u.name(), p.name())).collect();
    assert_eq!(printed, SAMPLE.replacen("entry main\n", &format!("entry main\n{ubs}"), 1));
}

/// The manual's example is a valid program, printed as the printer prints it.
#[test]
fn the_manual_shows_a_valid_program() {
    let manual = include_str!("../../../../docs/ir.md");
    let text = manual.split("```\n").nth(1).expect("the manual begins with an example");
    let program = parsed(text);
    assert_eq!(validate(&program), Ok(()));
    let printed: String = print(&program).lines().filter(|l| !l.starts_with("ub ")).map(|l| format!("{l}\n")).collect();
    assert_eq!(printed, text.replace("ub div-by-zero checked\n", ""));
}

#[test]
fn spans_lie_in_the_text_and_can_be_shown_as_comments() {
    let mut sources = SourceMap::new();
    let f = sources.add("p.ir", SAMPLE);
    let program = parse(f, SAMPLE).unwrap();
    let body = program.functions[program.entry].body.as_ref().unwrap();
    let edge = body.edges.iter().next().unwrap();
    assert!(sources.text(edge.span).starts_with("e0: L0 -> L1"));
    let text = print_with_sources(&program, &sources);
    assert!(text.contains("assume (x.2 < 10:u64)  // p.ir:16:3"), "{text}");
    assert_eq!(print(&parsed(&text)), print(&program), "comments do not change the program");
}

/// Every op, type, guard, initialiser, bit range and label occurs in these programs.
#[test]
fn printing_what_was_parsed_gives_the_same_text() {
    let mut unseen: Vec<&str> = WORDS.to_vec();
    for seed in 0..400 {
        let knobs = if seed % 2 == 0 { Knobs::all() } else { Knobs::default() };
        let program = random::program(&mut Rng::new(seed), &knobs);
        assert_eq!(validate(&program), Ok(()), "seed {seed}\n{}", print(&program));
        let text = print(&program);
        let again = parsed(&text);
        assert_eq!(print(&again), text, "seed {seed}");
        assert_eq!(validate(&again), Ok(()), "seed {seed}");
        unseen.retain(|word| !text.contains(word));
    }
    assert!(unseen.is_empty(), "never generated: {unseen:?}");
}

/// What must occur in the random programs.
const WORDS: &[&str] = &[
    "skip",
    "assume",
    ":= havoc",
    "range(",
    ":= alloc(",
    "free ",
    "set ",
    "copy ",
    "call [",
    "call ",
    "return",
    "error ",
    "halt",
    "unsupported",
    "label",
    "#",
    "ite(",
    "inbounds(",
    "alive(",
    "freeable(",
    "callable(",
    "foreign(",
    "fits(",
    "&fn ",
    "&[",
    "*[",
    "null",
    "f32",
    "f64",
    "f80",
    "i128",
    "u100",
    "_overflows(",
    "zeroed",
    "fallible",
    "stack",
    "...",
    "unknown",
    "const =",
    "uninit",
    "outside",
    " << ",
    " >> ",
    " % ",
    "\"s.",
    "-> end",
    "ub ",
    "bool(",
];

#[test]
fn expressions_with_entry_values_survive() {
    let program = parsed(SAMPLE);
    let scope = Scope::new(&program, program.entry);
    for text in [
        "'argc",
        "'@g",
        "'(@g + 1:i32)",
        "('(@g + argc) == (@g - -1:i32))",
        "'(-@g)",
        "(`two words` == null)",
        "inbounds(&[(&s) + 4], 8)",
        "alive(&[&s + 1 + -2*i64(argc)])",
        "callable(&fn main, 2)",
        "foreign(`two words`)",
        "'*[`two words`]:i16#0+3",
        "-(1:i32)",
        "(x.2 == 0:u64)",
        "-(@g ^ ~argc)",
    ] {
        let e = scope.parse(text, here()).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        assert_eq!(show_expr(&program, program.entry, &e), text);
    }
}

#[test]
fn people_may_leave_out_types_and_parentheses() {
    let program = parsed(SAMPLE);
    let shown = |text: &str| {
        parse_expr(&program, program.entry, text, here())
            .map(|e| show_expr(&program, program.entry, &e))
            .map_err(|d| d.message)
    };
    assert_eq!(
        shown("@g >= 0 && @g + 2 * argc <= 'argc").unwrap(),
        "((@g >= 0:i32) && ((@g + (2:i32 * argc)) <= 'argc))"
    );
    assert_eq!(shown("0 <= argc || !(argc\n == -1)").unwrap(), "((0:i32 <= argc) || !(argc == -1:i32))");
    assert_eq!(shown("a").unwrap_err(), "there is no local `a` here");
    assert_eq!(shown("@g < 5000000000").unwrap_err(), "the number does not fit i32");
    assert_eq!(shown("@g < x.2").unwrap_err(), "operands of one type are needed, not i32 and u64");
    assert_eq!(shown("@g && argc").unwrap_err(), "this operator does not take operands of type i32");
    assert!(shown("1 < 2").is_err());
    assert!(shown("s").is_err());
    assert!(shown("@g < 1)").unwrap_err().contains("expected the end of the expression"));
    assert!(shown("").is_err());
    assert!(shown("256:u8").is_err());
    assert!(shown("-1:u8").is_err());
    assert_eq!(shown("0xff:i8").unwrap(), "-1:i8");
    assert_eq!(shown("-128:i8").unwrap(), "-128:i8");
    assert!(shown("128:i8").is_err());
}

#[test]
fn nesting_is_limited_but_reaches_the_limit() {
    let program = parsed(SAMPLE);
    let scope = Scope::new(&program, program.entry);
    let nested = |n: usize| format!("{}@g{}", "(1:i32 + ".repeat(n), ")".repeat(n));
    let deep = scope.parse(&nested(MAX_EXPR_DEPTH - 1), here()).unwrap();
    assert_eq!(crate::walk::height(&deep), MAX_EXPR_DEPTH);
    let text = show_expr(&program, program.entry, &deep);
    assert_eq!(scope.parse(&text, here()).unwrap(), deep);
    for bad in [
        nested(MAX_EXPR_DEPTH),
        nested(100_000),
        "(".repeat(100_000),
        "-".repeat(100_000),
        "*[".repeat(100_000),
        "i32(".repeat(100_000),
        format!("@g{}", " + @g".repeat(MAX_EXPR_DEPTH)),
        format!("{}@g{}", "(".repeat(900), " + 1)".repeat(900)) + &" + @g".repeat(200),
    ] {
        let message = scope.parse(&bad, here()).unwrap_err().message;
        assert!(message.contains("nests more than"), "{message}");
    }
}

#[test]
fn ids_must_stand_where_they_say() {
    let swap = |a: &str, b: &str| parse(file(), &SAMPLE.replacen(a, b, 1)).map(|_| ()).unwrap_err().message;
    assert_eq!(swap("e1: L1", "e2: L1"), "edges are numbered in order: e1");
    assert_eq!(swap("site site0", "site site1"), "sites are numbered in order: site0");
    assert_eq!(swap("L3 -> L4", "L3 -> L5"), "there are only 5 locations");
    assert_eq!(swap("entry main", "entry maim"), "there is no function `maim`");
    assert_eq!(swap("local x.2", "local $r"), "a second local `$r`");
    assert_eq!(swap("locations 5", "locations 90000000"), "more locations than a text of this length can connect");
    assert_eq!(swap("x.2 := u64", "$r := u64"), "this has type u64, but i32 is needed here");
    assert_eq!(swap("}\n", "}}\n"), "expected the end of the line, found `}`");
}

/// Mutations of printed programs: an answer or a message, never a panic; what is accepted prints and parses back.
#[test]
fn mutated_text_never_panics() {
    let mut rng = Rng::new(1);
    let mut accepted = 0;
    for seed in 0..60 {
        let text = print(&random::program(&mut Rng::new(seed), &Knobs::all()));
        let other = print(&random::program(&mut Rng::new(seed + 1000), &Knobs::all()));
        for _ in 0..40 {
            let mut chars: Vec<char> = text.chars().collect();
            for _ in 0..=rng.below(3) {
                mutate(&mut rng, &mut chars, &other);
            }
            let mutant: String = chars.into_iter().collect();
            if let Ok(program) = parse(file(), &mutant) {
                accepted += 1;
                let printed = print(&program);
                assert_eq!(print(&parsed(&printed)), printed);
                let _ = validate(&program);
            }
        }
    }
    assert!(accepted > 50, "only {accepted} mutants were programs: the mutations are too wild to test much");
}

fn mutate(rng: &mut Rng, chars: &mut Vec<char>, other: &str) {
    let at = rng.index(chars.len());
    match rng.below(5) {
        0 => {
            chars.remove(at);
        }
        1 => chars.insert(at, *rng.pick(&['(', ')', '[', '`', '"', '5', 'L', '-', '\n', '@', 'é', '\0'])),
        2 => {
            let end = (at + rng.index(30)).min(chars.len());
            chars.drain(at..end);
        }
        3 => {
            let words: Vec<&str> = other.split_whitespace().collect();
            let word = *rng.pick(&words);
            chars.splice(at..at, word.chars());
        }
        _ => {
            let b = rng.index(chars.len());
            chars.swap(at, b);
        }
    }
}

//! Types, layouts and constants against gcc, for both data models: random inputs from a fixed seed, one compilation per
//! batch. Without a gcc that can build for a data model, that half is skipped aloud.

#![expect(clippy::disallowed_methods, clippy::print_stderr, reason = "the oracle is a compiler, run as a process")]

use base::rng::Rng;
use base::{Diagnostic, SourceMap};
use cfront::tree::{ExprId, StmtKind, Unit};
use cfront::types::RecordId;
use cfront::{Target, const_eval, parse};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

const TARGETS: [(Target, &str); 2] = [(Target::Ilp32, "-m32"), (Target::Lp64, "-m64")];

fn read(text: &str, target: Target) -> Result<Unit, Vec<Diagnostic>> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    parse(&mut sources, file, target)
}

fn directory() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// Compiles; the error text if gcc refuses.
fn gcc(flag: &str, name: &str, text: &str, link: bool) -> Result<PathBuf, String> {
    let source = directory().join(format!("{name}{flag}.c"));
    let binary = directory().join(format!("{name}{flag}.out"));
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new("gcc");
    command.args([flag, "-std=gnu17", "-w", "-O0", "-fwrapv"]).arg(&source);
    if link {
        command.arg("-o").arg(&binary);
    } else {
        command.arg("-fsyntax-only");
    }
    match command.output() {
        Ok(out) if out.status.success() => Ok(binary),
        Ok(out) => Err(String::from_utf8_lossy(&out.stderr).lines().take(12).collect::<Vec<_>>().join("\n")),
        Err(e) => Err(e.to_string()),
    }
}

/// Whether gcc can build programs for this data model.
fn available(flag: &str, test: &str) -> bool {
    let probe = gcc(flag, &format!("probe-{test}"), "#include <stdio.h>\nint main(void) { return 0; }\n", true);
    if let Err(why) = &probe {
        eprintln!("SKIPPED: {test} {flag}: gcc cannot build for it: {why}");
    }
    probe.is_ok()
}

fn run(binary: &PathBuf) -> String {
    let out = Command::new(binary).output().unwrap();
    assert!(out.status.success(), "the compiled program runs");
    String::from_utf8(out.stdout).unwrap()
}

/// The expressions of the expression statements of function `f`.
fn expressions(unit: &Unit) -> Vec<ExprId> {
    let f = unit.function("f").unwrap();
    let StmtKind::Block(items) = &unit.stmts[unit.funcs[f].body.unwrap()].kind else { panic!("a body is a block") };
    let expr = |s: &cfront::tree::StmtId| match unit.stmts[*s].kind {
        StmtKind::Expr(e) => e,
        _ => panic!("only expressions here"),
    };
    items.iter().map(expr).collect()
}

// ---- Types of expressions.

const PRELUDE: &str = "_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
long l; unsigned long ul; long long ll; unsigned long long ull; float f0; double d; long double ld; volatile int vi;
enum e { E0, E1 } e; enum neg { N = -1 } en; enum big { B = 0x100000000, B1 = 1 } eb;
struct { unsigned a : 3; int b : 5; unsigned w : 32; long long q : 20; _Bool t : 1; unsigned char z : 8; } bf;
int *p; const char *q; void *v; int arr[3]; int m[2][5]; int fn(int); double (*fp)(void); struct S { int x; short y[2]; } st, *sp;
const int ci = 3; long double *lp; void *const cv;
";

const INTS: &[&str] = &[
    "b",
    "c",
    "sc",
    "uc",
    "s",
    "us",
    "i",
    "u",
    "l",
    "ul",
    "ll",
    "ull",
    "vi",
    "e",
    "en",
    "eb",
    "E1",
    "N",
    "B",
    "B1",
    "ci",
    "bf.a",
    "bf.b",
    "bf.w",
    "bf.q",
    "bf.t",
    "bf.z",
    "st.x",
    "sp->y[1]",
    "1",
    "1u",
    "1l",
    "1ul",
    "1ll",
    "1ull",
    "0x7fffffff",
    "0x80000000",
    "2147483648",
    "4294967296",
    "0xffffffffffffffff",
    "9223372036854775807",
    "020000000000",
    "'a'",
    "L'a'",
    "u'a'",
    "U'a'",
    "0b101",
    "sizeof(int)",
    "_Alignof(long)",
    "0x100000000u",
    "4294967295u",
    "'ab'",
    "__builtin_popcount(3)",
];
const FLOATS: &[&str] = &["f0", "d", "ld", "1.0f", "1.0", "1.0L", ".5e3", "0x1p3f", "fp()", "1e10", "*lp"];
const INT_PLACES: &[&str] =
    &["c", "uc", "s", "us", "i", "u", "l", "ul", "ll", "ull", "b", "e", "bf.a", "bf.b", "st.x", "*p"];
const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum e",
    "enum big",
];

/// An assignment. That to a bit-field has a type of its own in gcc, which has no name: it is promoted here.
fn plain(place: &str, rest: &str) -> String {
    if place.starts_with("bf") { format!("(+({place}{rest}))") } else { format!("({place}{rest})") }
}

fn int_expr(r: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return (*r.pick(INTS)).to_owned();
    }
    let d = depth - 1;
    match r.below(16) {
        0 => format!("(~{})", int_expr(r, d)),
        1 => format!("(-{})", int_expr(r, d)),
        2 => format!("(!{})", arith_expr(r, d)),
        3 => format!("(({}){})", r.pick(TYPES), arith_expr(r, d)),
        4..=7 => {
            let op = r.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]);
            format!("({} {op} {})", int_expr(r, d), int_expr(r, d))
        }
        8 => {
            let op = r.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
            format!("({} {op} {})", arith_expr(r, d), arith_expr(r, d))
        }
        9 => format!("({} ? {} : {})", arith_expr(r, d), int_expr(r, d), int_expr(r, d)),
        10 => {
            let place = r.pick(INT_PLACES);
            let op = *r.pick(&["=", "+=", "-=", "*=", "/=", "|=", "<<=", "%="]);
            let rhs = if matches!(op, "|=" | "<<=" | "%=") { int_expr(r, d) } else { arith_expr(r, d) };
            plain(place, &format!(" {op} {rhs}"))
        }
        11 => {
            let place = r.pick(INT_PLACES);
            plain(place, if r.chance(50) { "++" } else { "--" })
        }
        12 => format!("({} - {})", r.pick(&["p", "arr", "&i", "&arr[1]"]), r.pick(&["p", "arr", "m[1]"])),
        13 => format!("({}, +{})", arith_expr(r, d), int_expr(r, d)),
        14 => format!("fn({})", arith_expr(r, d)),
        _ => format!("({} ?: {})", int_expr(r, d), int_expr(r, d)),
    }
}

fn arith_expr(r: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return if r.chance(40) { (*r.pick(FLOATS)).to_owned() } else { int_expr(r, 0) };
    }
    let d = depth - 1;
    match r.below(6) {
        0 => format!("({} {} {})", arith_expr(r, d), r.pick(&["+", "-", "*", "/"]), arith_expr(r, d)),
        1 => format!("(+{})", arith_expr(r, d)),
        2 => format!("({} ? {} : {})", arith_expr(r, d), arith_expr(r, d), arith_expr(r, d)),
        3 => format!("(({}){})", r.pick(&["float", "double", "long double"]), arith_expr(r, d)),
        _ => int_expr(r, depth),
    }
}

fn pointer_expr(r: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return (*r.pick(&[
            "p",
            "q",
            "v",
            "arr",
            "&i",
            "m",
            "m[1]",
            "fn",
            "&fn",
            "fp",
            "sp",
            "st.y",
            "\"abc\"",
            "L\"w\"",
            "u8\"x\"",
            "&st",
            "&sp->y[1]",
            "&ci",
            "&arr",
            "cv",
        ]))
        .to_owned();
    }
    let d = depth - 1;
    match r.below(7) {
        0 => format!("({} + {})", r.pick(&["p", "q", "arr", "m", "sp", "v"]), int_expr(r, d)),
        1 => format!("({} + {})", int_expr(r, d), r.pick(&["p", "q", "arr", "m", "sp", "v"])),
        2 => format!("({} ? {} : 0)", int_expr(r, d), pointer_expr(r, d)),
        3 => format!("({} ? (void *)0 : {})", int_expr(r, d), pointer_expr(r, d)),
        4 => {
            let a = *r.pick(&["p", "arr", "&ci", "v", "(const void *)v", "(void *)0", "(volatile int *)p"]);
            let b = *r.pick(&["p", "&arr[1]", "&ci", "v", "(const void *)p", "0"]);
            format!("({} ? {a} : {b})", int_expr(r, d))
        }
        5 => format!("(*({} ? &p : &p))", int_expr(r, d)),
        _ => format!("&({})[{}]", r.pick(&["p", "q", "arr", "m", "m[1]"]), int_expr(r, d)),
    }
}

#[test]
fn types_of_expressions() {
    for (target, flag) in TARGETS {
        if !available(flag, "types") {
            continue;
        }
        let mut r = Rng::new(11);
        let mut list: Vec<String> =
            INTS.iter().filter(|e| !e.starts_with("bf")).chain(FLOATS).map(|e| (*e).to_owned()).collect();
        for n in 0..1500 {
            let depth = 1 + n % 3;
            list.push(match n % 4 {
                0 => pointer_expr(&mut r, depth),
                1 => arith_expr(&mut r, depth),
                _ => int_expr(&mut r, depth),
            });
        }
        let mut body = String::new();
        for e in &list {
            let _ = writeln!(body, "{e};");
        }
        let text = format!("{PRELUDE}void f(void) {{\n{body}}}");
        let unit = read(&text, target)
            .unwrap_or_else(|d| panic!("{d:?} in {}", &text[d[0].span.unwrap().lo as usize..][..80]));
        let mut asserts = String::new();
        for (text, e) in list.iter().zip(expressions(&unit)) {
            let ty = unit.types.display(unit.exprs[e].ty, &unit.symbols);
            let _ = writeln!(
                asserts,
                "_Static_assert(__builtin_types_compatible_p(__typeof__({text}), __typeof__({ty})), \"\");"
            );
            let _ = writeln!(
                asserts,
                "_Static_assert(sizeof({text}) == {}, \"\");",
                unit.types.size(unit.exprs[e].ty).unwrap_or(1)
            );
        }
        gcc(flag, "types", &format!("{PRELUDE}void f(void) {{\n{asserts}}}"), false)
            .unwrap_or_else(|e| panic!("{flag}: {e}"));
    }
}

// ---- Layout.

const MEMBERS: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "void *",
    "_Bool",
    "enum e",
    "A16",
    "A2",
    "unsigned char",
    "D8",
];
const BIT_TYPES: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long", 32),
    ("_Bool", 1),
    ("enum e", 20),
];
const LAYOUT_PRELUDE: &str = "enum e { E0, E1 = 1000000 }; typedef int A16 __attribute__((aligned(16)));
typedef int A2 __attribute__((aligned(2))); typedef long long D8 __attribute__((aligned(8)));\n";

/// A random record named `struct rK` or `union rK`, which may contain earlier ones.
fn record(r: &mut Rng, k: usize, kinds: &mut Vec<&'static str>) -> String {
    let word = if r.chance(20) { "union" } else { "struct" };
    let packed = r.chance(15);
    let pack = if r.chance(15) { Some(*r.pick(&[1, 2, 4, 8])) } else { None };
    let mut text = String::new();
    if let Some(n) = pack {
        let _ = writeln!(text, "#pragma pack(push, {n})");
    }
    let _ = write!(text, "{word} r{k} {{ ");
    for m in 0..1 + r.below(7) {
        let attr = if r.chance(6) {
            " __attribute__((packed))"
        } else if r.chance(6) {
            " __attribute__((aligned(8)))"
        } else {
            ""
        };
        if r.chance(45) {
            let (ty, max) = *r.pick(BIT_TYPES);
            match r.below(10) {
                0 => {
                    let _ = write!(text, "{ty} : 0; ");
                }
                1 => {
                    let _ = write!(text, "{ty} : {}; ", 1 + r.below(max));
                }
                _ => {
                    let _ = write!(text, "{ty} m{m} : {}{attr}; ", 1 + r.below(max));
                }
            }
        } else if k > 0 && r.chance(20) {
            let inner = r.index(k);
            let _ = write!(text, "{} r{inner} m{m}{attr}; ", kinds[inner]);
        } else {
            let array = if r.chance(25) { format!("[{}]", 1 + r.below(3)) } else { String::new() };
            let mut ty = *r.pick(MEMBERS);
            // gcc refuses arrays whose elements are more aligned than they are large.
            if !array.is_empty() && ty == "A16" {
                ty = "int";
            }
            let _ = write!(text, "{ty} m{m}{array}{attr}; ");
        }
    }
    kinds.push(word);
    let aligned = if r.chance(10) { " __attribute__((aligned(16)))" } else { "" };
    let _ = writeln!(text, "}}{}{aligned};", if packed { " __attribute__((packed))" } else { "" });
    if pack.is_some() {
        text.push_str("#pragma pack(pop)\n");
    }
    text
}

/// What the program below prints for a record.
fn expected_layout(unit: &Unit, id: RecordId) -> String {
    let def = &unit.types.records[id];
    let mut out = format!("{} {}:", def.size, def.align);
    for f in &def.fields {
        let name = unit.name(f.name.unwrap());
        match f.bits {
            None => {
                let _ = write!(out, " {name}@{}", f.offset);
            }
            Some(bits) => {
                let mut bytes = vec![0u8; def.size as usize];
                for bit in 0..u64::from(bits.width) {
                    let at = f.offset * 8 + u64::from(bits.lo) + bit;
                    bytes[(at / 8) as usize] |= 1 << (at % 8);
                }
                let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                let _ = write!(out, " {name}={hex}");
            }
        }
    }
    out
}

#[test]
fn layout_of_records() {
    for (target, flag) in TARGETS {
        if !available(flag, "layout") {
            continue;
        }
        let mut r = Rng::new(5);
        let mut kinds = Vec::new();
        let records: Vec<String> = (0..400).map(|k| record(&mut r, k, &mut kinds)).collect();
        let text = format!("{LAYOUT_PRELUDE}{}", records.concat());
        let unit = read(&text, target).unwrap_or_else(|d| panic!("{d:?}"));
        let mut program =
            format!("#include <stdio.h>\n#include <string.h>\n#include <stddef.h>\n{text}\nint main(void) {{\n");
        let ids: Vec<RecordId> = unit.types.records.ids().filter(|&id| unit.types.records[id].tag.is_some()).collect();
        assert_eq!(ids.len(), records.len());
        for (k, &id) in ids.iter().enumerate() {
            let tag = format!("{} r{k}", kinds[k]);
            let _ = writeln!(program, "printf(\"%d %d:\", (int)sizeof({tag}), (int)_Alignof({tag}));");
            for f in &unit.types.records[id].fields {
                let name = unit.name(f.name.unwrap());
                if f.bits.is_none() {
                    let _ = writeln!(program, "printf(\" {name}@%d\", (int)offsetof({tag}, {name}));");
                } else {
                    let _ =
                        writeln!(program, "{{ {tag} x; memset(&x, 0, sizeof x); x.{name} = -1; printf(\" {name}=\");");
                    let _ = writeln!(
                        program,
                        "for (int n = 0; n < (int)sizeof x; n++) printf(\"%02x\", ((unsigned char *)&x)[n]); }}"
                    );
                }
            }
            program.push_str("puts(\"\");\n");
        }
        program.push_str("return 0; }\n");
        let binary = gcc(flag, "layout", &program, true).unwrap_or_else(|e| panic!("{flag}: {e}"));
        for (k, (got, &id)) in run(&binary).lines().zip(&ids).enumerate() {
            assert_eq!(expected_layout(&unit, id), got, "{flag}: ours, gcc's; {}", records[k]);
        }
    }
}

// ---- Constants.

const LITERALS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "-1",
    "'a'",
    "'\\377'",
    "255",
    "256",
    "65535",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "4294967296",
    "0x7fffffffffffffff",
    "0x8000000000000000",
    "0xffffffffffffffff",
    "1u",
    "3ul",
    "5ll",
    "7ull",
    "1l",
    "E1",
    "NEG",
    "sizeof(int)",
    "sizeof(long)",
    "2.5",
    "-1.5f",
    "(char)200",
    "(unsigned char)300",
    "(short)40000",
    "(_Bool)5",
    "__builtin_offsetof(struct o, b[1])",
    "(long)&((struct o *)0)->b",
    "sizeof(struct o)",
];

fn constant_expr(r: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        let lit = *r.pick(LITERALS);
        return if lit.contains('.') { format!("(int){lit}") } else { lit.to_owned() };
    }
    let d = depth - 1;
    match r.below(8) {
        0 => format!("({}{})", r.pick(&["~", "- ", "!", "+"]), constant_expr(r, d)),
        1 => format!("(({}){})", r.pick(TYPES), constant_expr(r, d)),
        2 => format!("({} ? {} : {})", constant_expr(r, d), constant_expr(r, d), constant_expr(r, d)),
        3 => format!(
            "({} {} {})",
            constant_expr(r, d),
            r.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]),
            constant_expr(r, d)
        ),
        4 => format!("({} {} {})", constant_expr(r, d), r.pick(&["<<", ">>"]), r.below(40)),
        _ => format!(
            "({} {} {})",
            constant_expr(r, d),
            r.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
            constant_expr(r, d)
        ),
    }
}

#[test]
fn constant_folding() {
    let prelude =
        "enum e { E0, E1 }; enum neg { NEG = -5 }; enum big { B = 0x100000000 }; struct o { char a; int b[3]; };\n";
    for (target, flag) in TARGETS {
        if !available(flag, "constants") {
            continue;
        }
        let mut r = Rng::new(3);
        let list: Vec<String> = (0..3000).map(|n| constant_expr(&mut r, 1 + n % 4)).collect();
        let body: String = list.iter().map(|e| format!("{e};\n")).collect();
        let unit = read(&format!("{prelude}void f(void) {{\n{body}}}"), target).unwrap_or_else(|d| panic!("{d:?}"));
        let known: Vec<(&String, i128)> =
            list.iter().zip(expressions(&unit)).filter_map(|(t, e)| Some((t, const_eval(&unit, e)?))).collect();
        assert!(known.len() > 2000, "most of these are constant: {}", known.len());
        let mut program = format!("#include <stdio.h>\n{prelude}long long v[] = {{\n");
        for (text, _) in &known {
            let _ = writeln!(program, "{text},");
        }
        program.push_str("};\nint main(void) { for (int i = 0; i < (int)(sizeof v / sizeof *v); i++) printf(\"%lld\\n\", v[i]); return 0; }\n");
        let binary = gcc(flag, "constants", &program, true).unwrap_or_else(|e| panic!("{flag}: {e}"));
        for ((text, ours), theirs) in known.iter().zip(run(&binary).lines()) {
            assert_eq!((*ours as i64).to_string(), theirs, "{flag}: ours, gcc's; {text}");
        }
    }
}

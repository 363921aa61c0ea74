//! Sizes, alignments, offsets and signs on other machines, against their compilers: random records, of which our own constant
//! evaluation says what they are, and the machine's compiler whether that is so. Where a compiler is not installed (on Debian:
//! gcc-arm-none-eabi, gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu, gcc-mingw-w64-x86-64), that is said aloud.
#![expect(clippy::disallowed_methods, clippy::print_stderr, reason = "the oracle is a compiler: a process")]

use base::SourceMap;
use base::rng::Rng;
use cfront::{Target, parse};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Machines, their compilers, and what those have to be told.
const COMPILERS: [(&str, &str, &[&str]); 7] = [
    (cfront::abi::WINDOWS, "x86_64-w64-mingw32-gcc", &[]),
    ("x86_64", "gcc", &["-m64"]),
    ("i686", "gcc", &["-m32"]),
    ("arm-none-eabi", "arm-none-eabi-gcc", &[]),
    ("aarch64", "aarch64-linux-gnu-gcc", &[]),
    ("riscv64", "riscv64-linux-gnu-gcc", &[]),
    ("riscv32", "riscv64-linux-gnu-gcc", &["-march=rv32imac", "-mabi=ilp32"]),
];

const SCALARS: [&str; 18] = [
    "char",
    "signed char",
    "unsigned char",
    "_Bool",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "void *",
    "enum small",
    "enum large",
];

/// What C leaves to the machine, apart from records.
const QUANTITIES: [&str; 12] = [
    "(char)-1 < 0",
    "'\\xff'",
    "sizeof(L'a')",
    "(__typeof__(L'a'))-1 < 0",
    "sizeof(__builtin_va_list)",
    "__alignof__(__builtin_va_list)",
    "sizeof(sizeof(int))",
    "(enum small)-1 < 0",
    "(enum negative)-1 < 0",
    "sizeof(enum negative)",
    "sizeof(1 ? 'a' : 2147483648)",
    "sizeof(enum huge)",
];

const ENUMS: &str = "enum small { A = 0, B = 200 }; enum negative { C = -1, D = 1 }; enum large { E = 70000 };
enum huge { G = 0x100000000 };\n";

/// Records, and the expressions that say what they are.
fn records(rng: &mut Rng, n: usize) -> (String, Vec<String>) {
    let (mut text, mut asked) = (ENUMS.to_owned(), QUANTITIES.map(str::to_owned).to_vec());
    for scalar in SCALARS {
        asked.extend([format!("sizeof({scalar})"), format!("__alignof__({scalar})")]);
    }
    for i in 0..n {
        let word = if rng.chance(85) { "struct" } else { "union" };
        let _ = write!(text, "{word} R{i} {{");
        for m in 0..rng.below(6) + 1 {
            let scalar = SCALARS[rng.below(SCALARS.len() as u64) as usize];
            let whole = SCALARS[rng.below(12) as usize];
            match rng.below(10) {
                0..=3 => {
                    let _ = write!(text, " {scalar} m{m};");
                    asked.push(format!("__builtin_offsetof({word} R{i}, m{m})"));
                }
                4 => {
                    let _ = write!(text, " {scalar} m{m}[{}];", rng.below(4) + 1);
                    asked.push(format!("__builtin_offsetof({word} R{i}, m{m})"));
                }
                5 if i > 0 => {
                    let other = rng.below(i as u64);
                    let kind = if text.contains(&format!("union R{other} {{")) { "union" } else { "struct" };
                    let _ = write!(text, " {kind} R{other} m{m};");
                    asked.push(format!("__builtin_offsetof({word} R{i}, m{m})"));
                }
                5 | 6 => {
                    let width = if whole == "_Bool" { 1 } else { rng.below(8) + 1 };
                    let _ = write!(text, " {whole} m{m} : {width};");
                }
                7 => {
                    let width = if whole == "_Bool" { 1 } else { rng.below(8) + 1 };
                    let _ = write!(text, " {whole} : {width};");
                }
                8 => {
                    let _ = write!(text, " {whole} : 0;");
                }
                _ => {
                    let _ = write!(text, " {scalar} m{m} __attribute__((aligned({})));", 1 << rng.below(5));
                    asked.push(format!("__builtin_offsetof({word} R{i}, m{m})"));
                }
            }
        }
        let packed = if rng.chance(10) { " __attribute__((packed))" } else { "" };
        let _ = writeln!(text, " char last; }}{packed};");
        asked.push(format!("__builtin_offsetof({word} R{i}, last)"));
        asked.extend([format!("sizeof({word} R{i})"), format!("__alignof__({word} R{i})")]);
    }
    (text, asked)
}

/// Our values of the expressions.
fn values(text: &str, asked: &[String], target: Target) -> Vec<i128> {
    let names: Vec<String> = asked.iter().enumerate().map(|(i, e)| format!("V{i} = {e}")).collect();
    let text = format!("{text}enum values {{ {} }};\n", names.join(", "));
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text.as_str());
    let unit = parse(&mut sources, file, target).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let last = unit.types.enums.iter().next_back().expect("there is an enumeration");
    last.values.iter().map(|(_, v)| *v).collect()
}

/// What the compiler says against the values, if it is there.
fn objections(compiler: &str, flags: &[&str], text: &str) -> Option<String> {
    let mut command = Command::new(compiler);
    command.args(flags).args(["-std=gnu11", "-w", "-fsyntax-only", "-x", "c", "-"]);
    let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("there is no {compiler}: its machine is not judged");
        return None;
    };
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the compiler reads");
    let said = child.wait_with_output().expect("the compiler ends");
    Some(String::from_utf8_lossy(&said.stderr).into_owned())
}

#[test]
fn machines_are_as_their_compilers_have_them() {
    for (machine, compiler, flags) in COMPILERS {
        let target = Target::named(machine).expect("the machine is known");
        let mut rng = Rng::new(7);
        let (text, asked) = records(&mut rng, 400);
        let values = values(&text, &asked, target);
        assert_eq!(values.len(), asked.len());
        let judged: String = asked
            .iter()
            .zip(&values)
            .map(|(e, v)| format!("_Static_assert(({e}) == {v}, \"{}\");\n", e.replace(['\\', '"'], " ")))
            .collect();
        if let Some(said) = objections(compiler, flags, &format!("{text}{judged}")) {
            let first: Vec<&str> = said.lines().filter(|l| l.contains("error:")).take(12).collect();
            assert!(first.is_empty(), "{machine}:\n{}", first.join("\n"));
        }
        // The judge notices a wrong value.
        let wrong = format!("{text}_Static_assert(({}) == {}, \"\");\n", asked[20], values[20] + 1);
        if let Some(said) = objections(compiler, flags, &wrong) {
            assert!(said.contains("static assertion failed"), "{machine}: {said}");
        }
    }
}

/// Structures of bit-fields, and a program that prints for each field with a name where its lowest bit lies and how many there are.
fn bit_fields(rng: &mut Rng, n: usize) -> (String, String) {
    let types = [("char", 8), ("short", 16), ("unsigned", 32), ("unsigned long long", 64), ("_Bool", 1)];
    let (mut text, mut program) = (String::new(), String::new());
    for i in 0..n {
        let _ = write!(text, "struct R{i} {{");
        for m in 0..rng.below(7) + 1 {
            let (ty, most) = types[rng.below(types.len() as u64) as usize];
            let width = rng.below(most) + 1;
            match rng.below(10) {
                0 => text += &format!(" {ty} : 0;"),
                1 => text += &format!(" {ty} : {width};"),
                2 => text += &format!(" {ty} m{m};"),
                _ => {
                    text += &format!(" {ty} m{m} : {width};");
                    program += &format!("SHOW({i}, m{m});\n");
                }
            }
        }
        let packed = if rng.chance(15) { " __attribute__((packed))" } else { "" };
        let _ = writeln!(text, " char last; }}{packed};");
    }
    (text, program)
}

#[test]
fn bit_fields_of_windows_lie_where_gcc_puts_them() {
    let (text, body) = bit_fields(&mut Rng::new(11), 300);
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text.as_str());
    let windows = Target::named(cfront::abi::WINDOWS).expect("the machine is known");
    let unit = parse(&mut sources, file, windows).expect("the structures are fine");
    let mut ours = String::new();
    for (i, record) in unit.types.records.iter().enumerate() {
        for field in &record.fields {
            if let (Some(bits), Some(name)) = (field.bits, field.name) {
                let at = field.offset * 8 + u64::from(bits.lo);
                let _ = writeln!(ours, "R{i}.{} {at} {}", unit.name(name), bits.width);
            }
        }
    }
    let program = format!(
        "int printf(const char *, ...); void *memset(void *, int, unsigned long);
{text}
#define SHOW(i, m) {{ struct R##i r; memset(&r, 0, sizeof r); r.m = -1; const unsigned char *p = (void *)&r; long at = -1, n = 0; \\
for (unsigned long k = 0; k < 8 * sizeof r; k++) if (p[k / 8] >> k % 8 & 1) {{ n++; if (at < 0) at = k; }} printf(\"R\" #i \".\" #m \" %ld %ld\\n\", at, n); }}
int main(void) {{
{body}return 0; }}
"
    );
    let folder = std::env::temp_dir().join(format!("hardbop-bits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&source, program).expect("a file");
    let compiled = Command::new("gcc").args(["-m64", "-mms-bitfields", "-w", "-o"]).arg(&binary).arg(&source).output();
    match compiled {
        Err(_) => eprintln!("there is no gcc: bit-fields of Windows are not judged"),
        Ok(said) => {
            assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
            let theirs = Command::new(&binary).output().expect("the program runs");
            let theirs = String::from_utf8_lossy(&theirs.stdout).into_owned();
            assert!(theirs.lines().count() > 300);
            for (ours, theirs) in ours.lines().zip(theirs.lines()) {
                assert_eq!(ours, theirs, "\n{text}");
            }
            assert_eq!(ours.lines().count(), theirs.lines().count());
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

//! Predicate files: what they mean, what they refuse, and that printed predicates read back.

use super::*;
use base::rng::Rng;
use base::{FileId, Id, Severity, SourceMap};
use ir::Ty;
use ir::as_c::show;
use ir::random::{self, Knobs};
use lower::annotation::{self, Arithmetic};
use vc::Encoder;

const PROGRAM: &str = "\
model LP64
entry main
global @g: i32 external = zero
global @x: i32 external = zero
func external inc(x: i32, c: i8) -> $result {
  local $result: i32
  local l: u8
  local p: ptr
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return x
}
func external main() {
  local i: i32
  local f: f64
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return
}
func external outside(a: i32) {
}
";

fn program() -> Program {
    ir::text::parse(FileId::from_index(0), PROGRAM).unwrap_or_else(|d| panic!("{d:?}"))
}

fn parse(program: &Program, file: FileId, text: &str) -> Parsed {
    predicates(program, annotation::read(program, file, text, Arithmetic::Exact))
}

fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let program = program();
    let mut sources = SourceMap::new();
    let file = sources.add("p.preds", text);
    let parsed = parse(&program, file, text);
    let shown = parsed.predicates.iter().map(|p| match p.scope {
        Scope::Global => format!("global {}", show(&program, program.entry, &p.expr)),
        Scope::Function(f) => format!("{} {}", program.functions[f].name, show(&program, f, &p.expr)),
    });
    let said = parsed.diagnostics.iter().map(|d| {
        let line = sources.locate(d.span.unwrap()).line;
        let severity = if d.severity == Severity::Warning { "warning " } else { "" };
        format!("{line}: {severity}{}: {}", d.id, d.message)
    });
    (shown.collect(), said.collect())
}

#[test]
fn sections_separators_and_comments() {
    let (preds, said) = read(
        "// what main needs\nglobal: g == 0, g > 'g' ; \nmain:\n  i < g; i = 3,\n  (i ==\n 4)\n inc { x = 'x, x = 'x+1 /* why */ }\nglobal: x != 0",
    );
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("2: symbolic-constant: `'g` has no meaning outside of a function"), "{said:?}");
    let expected = [
        "global g == 0",
        "main i < g",
        "main i == 3",
        "main i == 4",
        "inc x == 'x",
        "inc x == 'x + 1",
        "global x == 0",
    ];
    assert_eq!(preds, expected);
}

#[test]
fn c_converts_as_c_does() {
    let (preds, said) = read(
        "inc: c + 1 > 300\n c == 300\n l * 2 > x\n (unsigned)x < 5\n c < 5\n !c\n p == 0, p != NULL\n x < 5L\n @x < x\n '@x == g\n x & 1",
    );
    assert_eq!(said, ["2: warning constant: the predicate is always false"]);
    let expected = [
        "inc c + 1 < 301",
        "inc x < l * 2",
        "inc (unsigned int)x < 5U",
        "inc c < 5",
        "inc c == 0",
        "inc p == NULL",
        "inc x < 5",
        "inc @x < x",
        "inc g == '@x",
        "inc (x & 1) == 0",
    ];
    assert_eq!(preds, expected);
}

#[test]
fn numbers_of_floating_point_are_compared_as_c_does() {
    let (preds, said) =
        read("main: f > 3\n !(f < 1.5)\n f == 1e300, (float)f <= 0.1f\n f != f\n i < f\n -f >= -1e-7\n f <= 1e999");
    assert!(said.is_empty(), "{said:?}");
    let expected = [
        "main f > 3.0",
        "main f < 1.5",
        "main f == 1e300",
        "main (float)f <= 0.1f",
        "main f != f",
        "main (double)i < f",
        "main -f >= -1e-7",
        "main f <= 1e9999",
    ];
    assert_eq!(preds, expected);
}

#[test]
fn errors_name_the_line_and_the_reason() {
    let cases = [
        ("x == 0", "1: syntax: a condition needs a scope before it: `global:` or a function's name and `:`"),
        ("nobody: x == 0", "1: undeclared: there is no function `nobody`"),
        ("outside: a == 0", "1: undefined: `outside` has no body that conditions could speak about"),
        ("main:\n inc(i) == 0", "2: call: a condition cannot call a function (`inc`)"),
        ("main:\n __builtin_popcount(i) == 0", "2: call: a condition cannot call a function (`__builtin_popcount`)"),
        ("inc: ((void (*)(void))p)()", "1: call: a condition cannot call a function"),
        ("global:\n\n i < 3", "3: local-in-global: a global condition cannot name `i`, a local of `main`"),
        ("inc: 'l == 3", "1: symbolic-constant: `'l` has no meaning: `l` is neither a parameter of `inc` nor a global"),
        ("inc: i == 3", "1: out-of-scope: `i` is a local of `main`, not of `inc`"),
        ("main: nothing == 3", "1: undeclared: `nothing` is not declared"),
        ("main: @i == 3", "1: undeclared: there is no global `i`"),
        ("main: i == ", "1: syntax: expected an expression before end of input"),
        ("main: i i", "1: syntax: expected an operator, or `,`, `;` or a new line behind the condition"),
        ("main: (i == 3", "1: syntax: expected ')' before end of input"),
        ("main: (i, 3)", "1: syntax: expected ')' before ','"),
        ("main: f % 3", "1: type: invalid operands to binary % (have 'double' and 'int')"),
        ("inc: *p == 3", "1: type: what this pointer points to has no type here: cast it, as in `*(int *)p`"),
        ("inc: p[x] == 3", "1: type: what this pointer points to has no type here: cast it, as in `*(int *)p`"),
        ("inc: p * 2 == p", "1: type: invalid operands to binary * (have 'void *' and 'int')"),
        ("inc: p + p == p", "1: type: invalid operands to binary + (have 'void *' and 'void *')"),
        ("inc: 1 - p == p", "1: type: invalid operands to binary - (have 'int' and 'void *')"),
        ("inc: *x == 3", "1: type: invalid type argument of unary '*' (have 'int')"),
        ("inc: x.f == 3", "1: type: request for member 'f' in something not a structure or union (have 'int')"),
        ("inc: &x == p", "1: address: the program does not take the address of `x`: no pointer equals it"),
        ("inc: *(short *)&x == 3", "1: address: the program does not take the address of `x`: no pointer equals it"),
        ("inc: &3 == p", "1: type: lvalue required as unary '&' operand"),
        (
            "global: '(g + 1) == 3",
            "1: symbolic-constant: `'` has no meaning outside of a function: it belongs to one call of it",
        ),
        ("main: i++ == 1", "1: unsupported: `++` changes something, which a condition cannot"),
        ("main: i += 1", "1: unsupported: `+=` changes something, which a condition cannot"),
        ("main: -- i", "1: unsupported: `--` changes something, which a condition cannot"),
        ("inc: p == \"text\"", "1: unsupported: `\"text\"` is not supported in conditions"),
        ("main: (i ?: 3) == 3", "1: unsupported: `?:` needs something between its signs here"),
        ("main: ({ i; })", "1: syntax: braced-group within expression allowed only inside a function"),
        ("main: (int){3} == i", "1: syntax: expected an expression before '{'"),
        ("main: 99999999999999999999 > i", "1: syntax: `99999999999999999999` fits no integer type"),
        ("main: sizeof(struct s { int a; })", "1: type: `struct s` is not a type that the program declares"),
        ("main: i == \u{7f}", "1: syntax: stray '\\x7f' in program"),
        ("main: /* i", "1: syntax: unterminated comment"),
        ("main: `i", "1: syntax: a quoted name has no end"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).1, [expected], "{text}");
    }
    let (preds, said) = read("main: i < , i == 2\nmain: i == 3");
    assert_eq!((preds.len(), said.len()), (2, 1), "reading goes on behind an error");
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = format!("main: {}i{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(read(&deep).1[0].contains("nested too deeply"));
    let long = format!("main: {}i > 0", "i + ".repeat(100_000));
    assert!(read(&long).1[0].contains("nested too deeply"));
    assert!(read(&format!("main: {}i", "!".repeat(100_000))).1[0].contains("nested too deeply"));
}

/// Bytes at random never panic.
#[test]
fn bad_text_never_panics() {
    let mut rng = Rng::new(5);
    let pieces = [
        "main:", "global", "inc {", "}", "i", "x", "'x", "(", ")", "<", "==", "=", "?", ":", "0x1fUL", "08", "(int)",
        "(char", "*", "`", "\n", ",", "-", "!", "NULL", "@",
    ];
    for _ in 0..3000 {
        let n = rng.index(12);
        let text: Vec<&str> = (0..n).map(|_| *rng.pick(&pieces)).collect();
        let _ = read(&text.join(" "));
    }
}

/// What is printed reads back as an equivalent predicate, by the solver, for all operators and types.
#[test]
fn printed_predicates_read_back() {
    let file = FileId::from_index(0);
    let (mut n, mut exact) = (0, 0);
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let knobs = Knobs { depth: 3, ..Knobs::default() };
        let program = random::program(rng, &knobs);
        let func = FuncId::from_index(rng.index(knobs.functions));
        for _ in 0..4 {
            let mut e = random::expr(rng, &knobs, &program, func, Ty::Bool);
            if rng.chance(30) {
                e = at_entry(&program, func, &e);
            }
            for e in [e.clone(), canonical(&e).0] {
                let text = show(&program, func, &e);
                let back = annotation::condition(&program, Some(func), file, &text);
                let back = canonical(&back.unwrap_or_else(|d| panic!("{text}: {d:?}"))).0;
                let (p, sign) = canonical(&e);
                n += 1;
                if back == p {
                    exact += 1;
                    continue;
                }
                let analysis = analysis::Analysis::new(&program);
                let mut enc = Encoder::for_proof(&analysis);
                let state = enc.arbitrary(func);
                let (a, b) = (enc.eval(&state, &p).unwrap(), enc.eval(&state, &back).unwrap());
                // The sign of a predicate is not part of it.
                let (same, opposite) = (enc.store.eq(a, b), enc.store.xor(a, b));
                let hard = ["*", "/", "%"].iter().any(|op| text.contains(op));
                let valid = |t| logic::check_valid(&enc.store, &[], t, 50_000).is_unsat();
                assert!(hard || valid(same) || valid(opposite), "{text}: {sign} {}", show(&program, func, &back));
            }
        }
    }
    assert!(exact * 5 > n * 4, "{exact} of {n}");
}

fn at_entry(program: &Program, func: FuncId, e: &Expr) -> Expr {
    let f = &program.functions[func];
    ir::walk::substitute(e, &mut |v| {
        let ty = program.shape(func, v).scalar()?;
        let of_entry = match v {
            ir::Var::Global(_) => true,
            ir::Var::Local(l) => l.index() < f.n_params,
        };
        of_entry.then(|| Expr::entry(Expr::var(v, ty)))
    })
}

#[test]
fn a_printed_file_reads_back() {
    let program = program();
    let text = "global:\n  g == 0\ninc:\n  x == 'x + 1\n  g == '@x\nmain:\n  i < g\n";
    let mut predicates = Predicates::new();
    for p in parse(&program, FileId::from_index(0), text).predicates {
        predicates.insert(p);
    }
    assert_eq!(print(&program, &predicates), text);
}

/// As many operands and parentheses as a person would write, and more.
#[test]
fn long_conditions_are_read() {
    let sum = vec!["x"; 200].join(" + ");
    let nested = format!("{}x{}", "(".repeat(100), ")".repeat(100));
    let choices: String = (0..100).map(|i| format!("x == {i} ? c : ")).collect();
    let all = vec!["x != c"; 290].join(" && ");
    for text in [format!("{sum} == c"), format!("{nested} == c"), format!("({choices} x) == c"), all] {
        let (preds, said) = read(&format!("inc: {text}"));
        assert_eq!((preds.len(), said), (1, vec![]), "{text}");
    }
}

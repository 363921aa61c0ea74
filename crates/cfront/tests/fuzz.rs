//! Mutated inputs: whatever the text, reading it neither panics nor hangs, and a unit that is accepted prints.

use base::rng::Rng;
use base::{SourceMap, Span};
use cfront::{Target, parse, print::print};

const SEEDS: &[&str] = &[
    "int f(char c, unsigned u, long l, float x) { c = c + u; if (l && !c) return x; return c < l ? u : -c; }",
    "struct s { int a; union { char b[4]; struct s *next; }; unsigned f : 3, : 0, g : 31; } v[2] = { { 1, { \"ab\" } }, [1].f = 2 };
     int g(struct s *p, int i) { p->next->b[i] = v[i].f; return &v[1] - p + sizeof v + *(2 + p->b); }",
    "struct p { short x; int y[3]; }; struct p a[] = { 1, 2, 3, 4, { .y = { [1] = 5 } }, [3 ... 4].y[0 ... 2] = 6, 7 };
     int r[10] = { [2 ... 4] = 7, 8 }, *z = (int[]){ 1, 2 }; char s[] = { \"hi\" \"ho\" }; union { int i; float f; } u = { .f = 1.5e3f };",
    "int f(int n) { int i, s = 0; for (i = 0; i < n; i++) { if (i == 3) continue; else if (i == 7) break; else s += i; }
     do s--; while (s > 10); switch (n) { case 1: case 3 ... 5: s = 1; break; default: s = 2; } goto out; out: return s; }",
    "typedef __builtin_va_list va_list; int g(); int f(int n, ...) { __label__ l; va_list ap; __builtin_va_start(ap, n);
     int a[n][n + 1]; int k = ({ int t = g(1, 2.0f); t ? : 3; }); __auto_type q = sizeof a + sizeof(int[k]); void *p = &&l;
     k = __builtin_va_arg(ap, int) + __builtin_choose_expr(1, 2, 3L) + _Generic(n, long: 1, int: 2, default: 3);
     __asm__ volatile (\"nop\" : \"=r\"(k) : \"r\"(n), \"m\"(a) : \"memory\"); goto *p; l: __builtin_va_end(ap); return k; }",
    "enum e { A, B = 5, C = -1 }; typedef enum e E; extern E x; E x = B; static int (*fp[3])(int, E) = { 0 };
     int old(a, b) short a; double *b; { return a + *b; } int nested(int n) { int in(int m) { return m + n; } return in(2); }
     _Static_assert(sizeof(E) == 4, \"e\"); __attribute__((noreturn, aligned(8))) void stop(void) __asm__(\"halt\");",
    "#pragma pack(push, 1)\nstruct q { char c; long long l __attribute__((aligned(4))); } __attribute__((packed));\n#pragma pack(pop)\n
     # 7 \"u.c\"\nint o = __builtin_offsetof(struct q, l); _Complex double cd; int v4 __attribute__((vector_size(16)));
     int t(void) { _Bool b = 1; b++; long double ld = 1.0L; ld += b; return (int)ld << 2 | L'x' ^ '\\n' ^ 'ab' & 0x1.8p1f > 0b101; }",
];

const BITS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "=",
    "*",
    "&",
    "&&",
    "...",
    ".",
    "->",
    "++",
    "int ",
    "struct s ",
    "typedef ",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "0x",
    "1e",
    "'",
    "\"",
    "\\\n",
    "/*",
    "*/",
    "//",
    "#",
    "\n",
    "case ",
    "default: ",
    "sizeof ",
    "(int)",
    "(char[]){",
    "else ",
    "while (",
    "return ",
    "goto ",
    "static ",
    "__attribute__((",
    "))",
    "_Alignas(",
    "void ",
    "f(",
    "v",
    "é",
    "\0",
    "enum { ",
    "typeof(",
    "__builtin_va_arg(",
    "[1 ... 2] = ",
    ".f = ",
    "1.0",
    "~",
    "!",
    "%=",
    "<<=",
    "int : 0;",
    "({",
];

fn mutate(r: &mut Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + r.below(4) {
        if bytes.is_empty() {
            bytes.push(b'x');
        }
        let at = r.index(bytes.len());
        let end = (at + 1 + r.index(12)).min(bytes.len());
        match r.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes[at] = r.below(256) as u8,
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = r.index(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => drop(bytes.splice(at..at, r.pick(BITS).bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_input_is_read_or_refused() {
    let run = || {
        let mut r = Rng::new(2024);
        let (mut accepted, rounds) = (0, 30_000);
        for n in 0..rounds {
            let seed = SEEDS[n % SEEDS.len()];
            let text = mutate(&mut r, seed);
            let target = if n % 2 == 0 { Target::Lp64 } else { Target::Ilp32 };
            let mut sources = SourceMap::new();
            let file = sources.add("t.c", text.clone());
            let result = std::panic::catch_unwind(move || {
                let mut sources = sources;
                let result = parse(&mut sources, file, target);
                match result {
                    Ok(unit) => {
                        print(&unit);
                        let inside = |s: Span| s.hi as usize <= sources.file(file).text.len();
                        assert!(unit.exprs.iter().all(|e| inside(e.span)), "spans lie in the text");
                        true
                    }
                    Err(list) => {
                        // What is wrong in one function says nothing about the next; at one place there is one message.
                        let mut places: Vec<Span> =
                            list.iter().map(|d| d.span.expect("an error has a place")).collect();
                        places.iter().for_each(|&span| drop(sources.locate(span)));
                        let all = places.len();
                        places.sort_unstable_by_key(|s| (s.lo, s.hi));
                        places.dedup();
                        assert!(!list.is_empty() && places.len() == all, "one message for each place, no cascade");
                        false
                    }
                }
            });
            accepted += usize::from(result.unwrap_or_else(|_| panic!("round {n} panicked on:\n{text}")));
        }
        assert!(accepted > 300 && accepted < rounds, "mutations of both kinds: {accepted} accepted");
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}

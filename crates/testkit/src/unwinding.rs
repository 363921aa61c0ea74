//! What the bounded engine and its proofs must get right, program by program: where an unwinding stops, what a proof may build
//! on, and where an induction begins. Each program is small enough to see its answer.

use analysis::Analysis;
use certify::{CheckLimits, FunctionProof, Proof, ProofKind, UnwindingProof, check_proof};
use ir::{DataModel, Expr, Program};
use verify::{Engine, Silent, Verdict};

use crate::compile::compile;
use crate::statistics::Statistics;

/// A program and its answer: SAFE, UNSAFE, or UNKNOWN where no proof may build on what rules the target out.
struct Case {
    name: &'static str,
    text: &'static str,
    answer: &'static str,
}

const HEAD: &str = "extern int nd(void); extern void reach_error(void); extern void *malloc(unsigned long); ";

const CASES: &[Case] = &[
    Case {
        name: "a bug behind ten rounds",
        text: "int main(void) { int n = nd(), i = 0; while (i < n) { if (i == 10) reach_error(); i++; } return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "ten rounds are all there are",
        text: "int main(void) { int n = nd(), i = 0; if (n > 10) return 0; while (i < n) { if (i == 10) reach_error(); i++; } return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "a bug behind recursion",
        text: "int f(int n) { if (n <= 0) return 0; if (nd()) return 9; return 1 + f(n - 1); }
               int main(void) { if (f(9) == 14) reach_error(); return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "each activation has locals of its own",
        text: "int g(int *p, int n) { int x = n; if (n > 0) g(&x, n - 1); *p = 5; return x; }
               int main(void) { int y = 0, n = nd(); if (n < 0 || n > 3) return 0; int r = g(&y, n); if (r != 5 && n > 0) reach_error(); if (r != 0 && n == 0) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "what a followed call did is there where ways meet",
        text: "static int s; static void set(void) { s = 7; }
               int main(void) { int c = nd(); if (c) set(); if (s == 7 && !c) reach_error(); if (s != 7 && c) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "what a followed call did can be the bug",
        text: "static int s; static void set(void) { s = 7; }
               int main(void) { int c = nd(); if (c) set(); if (s == 7) reach_error(); return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "a variable without a value has another one each time",
        text: "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 0) x = nd(); else if (x != 5) reach_error(); else x = 5; if (x != 5) return 0; } return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "one site makes two objects",
        text: "int main(void) { int *p[2]; for (int i = 0; i < 2; i++) p[i] = malloc(4); if (!p[0] || !p[1]) return 0; *p[0] = 1; *p[1] = nd(); if (*p[0] != 1) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "a block that grows keeps its bytes",
        text: "extern void *realloc(void *, unsigned long); int main(void) { int n = nd(); int *p = malloc(8); if (!p) return 0; p[1] = n; p = realloc(p, 16);
                 if (p && p[1] != n) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "a block that shrinks loses bytes",
        text: "extern void *realloc(void *, unsigned long); int main(void) { int *p = malloc(8); if (!p) return 0; p[1] = 5; int *q = realloc(p, 4);
                 if (!q) return 0; q = realloc(q, 8); if (q && q[1] != 5) reach_error(); return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "a loop with two entries",
        text: "int main(void) { int i = 0; if (nd()) goto inside; again: i++; if (i > 6) reach_error(); inside: i++; if (i < 5) goto again; return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "an index at its bound",
        text: "int main(void) { char a[6] = {0}; unsigned n = nd(); if (n < 5) { a[n] = 1; if (a[4]) reach_error(); } return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "an index between its bounds",
        text: "int main(void) { char a[6] = {0}; int n = nd(); if (n < 1 || n > 4) return 0; a[n] = 1; a[n - 1] = 2;
                 if (a[5] || a[0] + a[1] + a[2] + a[3] + a[4] != 3) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "one of two arrays up to its end",
        text: "int main(void) { char a[3] = {0}, b[5] = {0}, *p = nd() ? a : b; unsigned i = nd(); if (i >= (p == a ? 3u : 5u)) return 0;
                 p[i] = 1; if (b[4] && p[i]) reach_error(); return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "a string ends at its first zero",
        text: "extern unsigned long strlen(const char *); int main(void) { char s[4]; for (int i = 0; i < 3; i++) s[i] = nd(); s[3] = 0;
                 unsigned long n = strlen(s); if (n > 3 || s[n] || (n > 1 && !s[0])) reach_error(); return 0; }",
        answer: "SAFE",
    },
    Case {
        name: "a string of any length",
        text: "extern unsigned long strlen(const char *); int main(void) { char s[4]; for (int i = 0; i < 3; i++) s[i] = nd(); s[3] = 0;
                 if (strlen(s + 1) == 2 && !s[0]) reach_error(); return 0; }",
        answer: "UNSAFE",
    },
    Case {
        name: "no proof builds on a null pointer that is followed",
        text: "int main(void) { int *p = nd() ? malloc(4) : 0; int x = *p; if (!p) reach_error(); return x; }",
        answer: "UNKNOWN",
    },
];

/// Asks the bounded engine about every program, and the checker about false proofs.
pub fn unwinding() -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for case in CASES {
        let program = program(case.text)?;
        let answer =
            verify::verify(&Analysis::new(&program), &crate::agreement::settings(&[Engine::Bounded]), &mut Silent);
        let found = match &answer.verdict {
            Verdict::Safe(_) => "SAFE",
            Verdict::Unsafe(_) => "UNSAFE",
            Verdict::Unknown(why) if why.cause.contains("not accepted") => "a proof that is refused",
            Verdict::Unknown(_) => "UNKNOWN",
        };
        if found != case.answer {
            return Err(format!("{}: {found}, not {}", case.name, case.answer));
        }
        if let Verdict::Safe(proof) = answer.verdict {
            short_scripts(&program, proof.get(), &mut stats).map_err(|e| format!("{}: {e}", case.name))?;
        }
        stats.add("programs", 1);
    }
    false_base()?;
    stats.add("false proofs refused", 1);
    Ok(stats)
}

pub(crate) fn program(text: &str) -> Result<Program, String> {
    Ok(compile("program.c", &format!("{HEAD}{text}"), DataModel::Lp64, &lower::Options::default())?.program)
}

/// A proof whose unwinding ends too early is none, and its text form says all of it.
fn short_scripts(program: &Program, proof: &Proof, stats: &mut Statistics) -> Result<(), String> {
    let ProofKind::Unwinding(unwinding) = &proof.kind else { return Err("the proof is no unwinding".into()) };
    let text = certify::text::print(program, proof);
    let mut sources = base::SourceMap::new();
    let file = sources.add("proof", text.clone());
    let read = certify::text::parse(program, file, &text).map_err(|d| d.message)?;
    if read != *proof {
        return Err("the text form of the proof says something else".into());
    }
    for (i, &rounds) in unwinding.scripts[0].iter().enumerate().filter(|(_, n)| **n > 0) {
        let mut short = unwinding.clone();
        short.scripts[0][i] = rounds - 1;
        let kind = ProofKind::Unwinding(short);
        if check_proof(program, Proof { kind, ..proof.clone() }, &CheckLimits::default()).is_ok() {
            return Err(format!("the proof is accepted with {} rounds in the place of {rounds}", rounds - 1));
        }
        stats.add("short scripts refused", 1);
    }
    Ok(())
}

/// An invariant that is inductive but does not hold in the beginning proves nothing.
fn false_base() -> Result<(), String> {
    let program = program("int main(void) { int x = nd(); for (;;) { if (x == 3) reach_error(); } }")?;
    let main = program.entry;
    let body = program.body(main);
    let head = ir::cfg::Graph::new(body).loop_heads.iter_enumerated().find(|(_, h)| **h).map(|(l, _)| l);
    let head = head.ok_or("the program has a loop")?;
    let x = program.functions[main].locals.iter_enumerated().find(|(_, l)| l.name == "x").map(|(id, _)| id);
    let x = x.ok_or("the program has a variable x")?;
    let ty = ir::Ty::Int(ir::IntTy { width: 32, signed: true });
    let differs = Expr::binary(ir::BinOp::Ne, Expr::var(ir::Var::Local(x), ty), Expr::constant(ty, 3));
    let mut invariants = FunctionProof::new(main);
    invariants.claim(head, differs);
    let kind =
        ProofKind::Unwinding(UnwindingProof { invariants, scripts: vec![Vec::new(), Vec::new()], inner: Vec::new() });
    let proof = Proof { program: certify::text::program_hash(&program), ub: program.ub.clone(), kind };
    match check_proof(&program, proof, &CheckLimits::default()) {
        Ok(_) => Err("an invariant that does not hold in the beginning is accepted".into()),
        Err(_) => Ok(()),
    }
}

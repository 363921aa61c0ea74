//! Runs programs with inputs on all inputs, in one process.
//!
//! Each draw of an input has a radix: the number of values its low bits can have. The harness counts through the tree
//! of draws like an odometer, so draws may depend on earlier ones. Before each run the program's static storage is put
//! back to its first state by copying the data and bss segments; what the harness must remember lies on the heap.
//! A run that meets an unguarded division by zero or a bad shift count traps and is discarded.

use std::time::Duration;

use super::{Failure, Gcc, Scratch, renaming, run_all};
use crate::cgen::{Draft, Program, REACH_ERROR_DEFINED, check_mark};

/// One input as it was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NondetInput {
    /// The input function.
    pub function: &'static str,
    /// Its result.
    pub value: u64,
}

/// What happened over all inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Every input was tried.
    All {
        /// Number of runs.
        runs: u64,
        /// Runs that reached the error.
        errors: u64,
        /// Runs that met an assumed-away event.
        discarded: u64,
        /// How often two pointers that are used together were equal, and how often not.
        together: u64,
        /// See `together`.
        distinct: u64,
        /// The inputs of the first run that reached the error.
        unsafe_input: Option<Vec<NondetInput>>,
    },
    /// The program broke the process or has too many inputs.
    Failed(String),
}

/// The values that a check point's expression had over all inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// Some of the values, in the order seen; all of them unless `more`.
    pub values: Vec<i64>,
    /// There were others.
    pub more: bool,
    /// Smallest and largest value, read as signed.
    pub range: Option<(i64, i64)>,
}

const PRELUDE: &str = r##"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <signal.h>
enum { HB_RETURN, HB_END, HB_ERROR, HB_DISCARD, HB_LIMIT };
enum { HB_DRAWS = 64, HB_CHECKS = 8, HB_VALUES = 24 };
struct hb_probe { int n, more; long long v[HB_VALUES], lo, hi; };
struct hb_state {
    sigjmp_buf env;
    int at, known, which[HB_DRAWS];
    unsigned digit[HB_DRAWS], radix[HB_DRAWS];
    unsigned long long meets[2];
    struct hb_probe probe[HB_CHECKS];
};
static struct hb_state *hb;
__attribute__((noreturn)) void hb_end(int how) { siglongjmp(hb->env, how); }
void hb_exit(int code) { hb_end(HB_END); }
void hb_abort(void) { hb_end(HB_END); }
void hb_assume(int c) { if (!c) hb_end(HB_END); }
static void hb_signal(int s) { siglongjmp(hb->env, HB_DISCARD); }
unsigned hb_draw(int which, unsigned radix) {
    if (hb->at >= HB_DRAWS) hb_end(HB_LIMIT);
    if (hb->at >= hb->known) {
        hb->digit[hb->at] = 0; hb->radix[hb->at] = radix; hb->which[hb->at] = which; hb->known = hb->at + 1;
    }
    return hb->digit[hb->at++];
}
void hb_meet(int equal) { hb->meets[equal]++; }
void hb_probe(int k, long long v) {
    struct hb_probe *p = &hb->probe[k];
    if (p->n == 0 || v < p->lo) p->lo = v;
    if (p->n == 0 || v > p->hi) p->hi = v;
    for (int i = 0; i < p->n; i++) if (p->v[i] == v) return;
    if (p->n < HB_VALUES) p->v[p->n++] = v; else p->more = 1;
}
#define exit hb_exit
#define abort hb_abort
#define __VERIFIER_assume hb_assume
const char *__asan_default_options(void) { return "detect_leaks=0:quarantine_size_mb=8"; }
"##;

const DRIVER: &str = r#"#undef exit
#undef abort
extern char __data_start, edata, __bss_start, end;
/* Not memcpy: sanitizers forbid to touch what lies between objects. */
static void hb_copy(void *to, void *from, size_t n) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
int main(int argc, char **argv) {
    hb = calloc(1, sizeof *hb);
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = hb_signal;
    sa.sa_flags = SA_NODEFER;
    sigaction(SIGILL, &sa, 0); sigaction(SIGFPE, &sa, 0); sigaction(SIGTRAP, &sa, 0);
    size_t data = &edata - &__data_start, bss = &end - &__bss_start;
    char *volatile data0 = malloc(data + 1), *volatile bss0 = malloc(bss + 1);
    hb_copy(data0, &__data_start, data); hb_copy(bss0, &__bss_start, bss);
    for (volatile int i = argc > 1 ? atoi(argv[1]) : 0; i < (int)(sizeof hb_table / sizeof *hb_table); i++) {
        volatile unsigned long long runs = 0, errors = 0, discarded = 0;
        volatile int limit = 0, found = 0;
        unsigned first[HB_DRAWS]; int first_which[HB_DRAWS];
        hb->known = 0;
        memset(hb->probe, 0, sizeof hb->probe);
        memset(hb->meets, 0, sizeof hb->meets);
        for (;;) {
            hb_copy(&__data_start, data0, data); hb_copy(&__bss_start, bss0, bss);
            hb->at = 0;
            int how = sigsetjmp(hb->env, 1);
            if (how == 0) hb_table[i]();
            runs++;
            if (how == HB_LIMIT || runs > 1 << 14) { limit = 1; break; }
            discarded += how == HB_DISCARD;
            if (how == HB_ERROR && errors++ == 0) {
                found = hb->at;
                memcpy(first, hb->digit, sizeof first); memcpy(first_which, hb->which, sizeof first_which);
            }
            hb->known = hb->at;
            while (hb->known > 0 && ++hb->digit[hb->known - 1] == hb->radix[hb->known - 1]) hb->known--;
            if (hb->known == 0) break;
        }
        printf("%d %d %llu %llu %llu ", i, limit, runs, errors, discarded);
        printf("%llu %llu |", hb->meets[1], hb->meets[0]);
        if (errors) for (int k = 0; k < found; k++) printf(" %d:%u", first_which[k], first[k]);
        for (int k = 0; k < HB_CHECKS; k++) {
            struct hb_probe *p = &hb->probe[k];
            printf(" |%d %lld %lld", p->more, p->lo, p->hi);
            for (int j = 0; j < p->n; j++) printf(" %lld", p->v[j]);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
"#;

/// Undefined arithmetic ends the run.
const TRAPPED: [&str; 3] =
    ["-O0", "-fsanitize=shift-exponent,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"];

/// Whatever is undefined about memory ends the process.
const SANITIZED: [&str; 4] = [
    "-O0",
    "-fsanitize=undefined,address",
    "-fno-sanitize=signed-integer-overflow,shift-base",
    "-fno-sanitize-recover=all",
];

impl Gcc {
    /// Runs finished programs on all their inputs; one answer per program, in their order. With `sanitize` a program
    /// whose run does what its notes do not announce has failed.
    pub fn exhaust(&self, programs: &[Program], sanitize: bool) -> Result<Vec<Exhausted>, Failure> {
        let all = self.in_batches(programs, 60, |batch| {
            let sources: Vec<(&Program, String)> = batch.iter().map(|p| (p, p.noted())).collect();
            self.exhaust_batch(&sources, if sanitize { &SANITIZED } else { &TRAPPED })
        })?;
        Ok(all.into_iter().map(|(e, _)| e).collect())
    }

    /// Runs drafts on all their inputs and reports what the expressions at their check points were.
    pub fn probe(&self, drafts: &[Draft]) -> Result<Vec<(Exhausted, Vec<Probe>)>, Failure> {
        self.in_batches(drafts, 60, |batch| {
            let sources: Vec<(&Program, String)> = batch.iter().map(|d| (&d.program, probing(d))).collect();
            self.exhaust_batch(&sources, &TRAPPED)
        })
    }

    fn exhaust_batch(
        &self,
        programs: &[(&Program, String)],
        flags: &[&str],
    ) -> Result<Vec<(Exhausted, Vec<Probe>)>, Failure> {
        let model = programs[0].0.model;
        assert!(programs.iter().all(|(p, _)| p.model == model), "one translation unit has one data model");
        let mut text = PRELUDE.to_string();
        let mut table = String::new();
        for (i, (p, source)) in programs.iter().enumerate() {
            let inputs = p.inputs.iter().map(|(n, _)| *n);
            let (on, off) = renaming(&format!("hb{i}_"), p.names.iter().map(String::as_str).chain(inputs));
            text.push_str(&on);
            // The run ends where the function is entered, whatever its body is.
            text.push_str(&source.replace(REACH_ERROR_DEFINED, "extern void reach_error(void);\n"));
            for (k, (name, bits)) in p.inputs.iter().enumerate() {
                text.push_str(&format!("__typeof__({name}()) {name}(void) {{ return hb_draw({k}, 1u << {bits}); }}\n"));
            }
            text.push_str("void reach_error(void) { hb_end(HB_ERROR); }\n");
            text.push_str(&off);
            table.push_str(&format!("hb{i}_main, "));
        }
        text.push_str(&format!("static int (*hb_table[])(void) = {{ {table} }};\n{DRIVER}"));
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, &text, model, flags)?;
        let mut seen = vec![(Exhausted::Failed("no report".into()), Vec::new()); programs.len()];
        let mut broken = Vec::new();
        run_all(
            &exe,
            &[],
            programs.len(),
            Duration::from_secs(60),
            |line| {
                let (i, answer) = parse(line, programs).ok_or_else(|| Failure::Garbled(line.to_string()))?;
                seen[i] = answer;
                Ok(i)
            },
            |i, why| broken.push((i, why)),
        )?;
        for (i, why) in broken {
            seen[i].0 = Exhausted::Failed(why);
        }
        Ok(seen)
    }
}

/// The text of a draft with a report in place of each check.
fn probing(draft: &Draft) -> String {
    let mut text = draft.program.noted();
    for (k, check) in draft.checks.iter().enumerate() {
        text = text.replace(&check_mark(k), &format!("hb_probe({k}, (long long){});", check.expr));
    }
    text
}

fn parse(line: &str, programs: &[(&Program, String)]) -> Option<(usize, (Exhausted, Vec<Probe>))> {
    let mut parts = line.split('|');
    let head: Vec<u64> = parts.next()?.split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
    let [index, limit, runs, errors, discarded, together, distinct] = head[..] else { return None };
    let inputs = &programs.get(index as usize)?.0.inputs;
    let draw = |w: &str| {
        let (which, value) = w.split_once(':')?;
        Some(NondetInput { function: inputs.get(which.parse::<usize>().ok()?)?.0, value: value.parse().ok()? })
    };
    let draws: Vec<NondetInput> = parts.next()?.split_whitespace().map(draw).collect::<Option<_>>()?;
    let probes = parts.map(parse_probe).collect::<Option<Vec<_>>>()?;
    let exhausted = if limit != 0 {
        Exhausted::Failed("too many inputs".into())
    } else {
        Exhausted::All { runs, errors, discarded, together, distinct, unsafe_input: (errors > 0).then_some(draws) }
    };
    Some((index as usize, (exhausted, probes)))
}

fn parse_probe(text: &str) -> Option<Probe> {
    let numbers: Vec<i64> = text.split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
    let [more, lo, hi, values @ ..] = &numbers[..] else { return None };
    let range = (!values.is_empty()).then_some((*lo, *hi));
    Some(Probe { values: values.to_vec(), more: *more != 0, range })
}

//! Runs closed programs and reads their checksums.

use std::time::Duration;

use super::{Build, Failure, Gcc, Scratch, renaming, run_all};
use crate::cgen::{Feature, Program};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `main` returned this value.
    Returned(i32),
    /// `exit` was called with this value.
    Exited(i32),
    /// `abort` was called.
    Aborted,
}

/// What a compiled program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// It ended with this value in its global `checksum`.
    Ended {
        /// The global.
        checksum: u64,
        /// How it ended.
        end: End,
    },
    /// There is none: the compiler itself crashed on this program.
    CompilerCrashed,
    /// It broke the process; with what a sanitizer said, if there is one.
    Crashed(String),
}

pub(super) const PRELUDE: &str = r"#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
static jmp_buf hb_env;
static int hb_code;
__attribute__((noreturn)) void hb_exit(int code) { hb_code = code; longjmp(hb_env, 1); }
__attribute__((noreturn)) void hb_abort(void) { longjmp(hb_env, 2); }
#define exit hb_exit
#define abort hb_abort
";

pub(super) const DRIVER: &str = r#"#undef exit
#undef abort
int main(int argc, char **argv) {
    for (volatile int i = argc > 1 ? atoi(argv[1]) : 0; i < (int)(sizeof hb_table / sizeof *hb_table); i++) {
        int how = setjmp(hb_env);
        if (how == 0) hb_code = hb_table[i].run();
        printf("%d %llx %d %d\n", i, *hb_table[i].sum, how, hb_code);
        fflush(stdout);
    }
    return 0;
}
"#;

impl Gcc {
    /// Compiles and runs closed programs, all of one data model; one answer per program, in their order.
    pub fn checksums(&self, programs: &[Program], build: Build) -> Result<Vec<Observed>, Failure> {
        self.in_batches(programs, 150, |batch| self.checksums_around_crashes(batch, build))
    }

    /// Halves a batch on which the compiler crashes until the program that does it stands alone.
    fn checksums_around_crashes(&self, programs: &[Program], build: Build) -> Result<Vec<Observed>, Failure> {
        match (self.checksum_batch(programs, build), programs.len()) {
            (Err(Failure::CompilerCrashed(_)), 1) => Ok(vec![Observed::CompilerCrashed]),
            (Err(Failure::CompilerCrashed(_)), n) => {
                let (first, second) = programs.split_at(n / 2);
                let mut all = self.checksums_around_crashes(first, build)?;
                all.extend(self.checksums_around_crashes(second, build)?);
                Ok(all)
            }
            (answer, _) => answer,
        }
    }

    fn checksum_batch(&self, programs: &[Program], build: Build) -> Result<Vec<Observed>, Failure> {
        let model = programs[0].model;
        assert!(programs.iter().all(|p| p.model == model), "one translation unit has one data model");
        let mut text = PRELUDE.to_string();
        let mut table = String::new();
        for (i, p) in programs.iter().enumerate() {
            let (on, off) = renaming(&format!("hb{i}_"), p.names.iter().map(String::as_str));
            text.push_str(&on);
            text.push_str(&p.source);
            text.push_str(&off);
            table.push_str(&format!("    {{ hb{i}_main, &hb{i}_checksum }},\n"));
        }
        text.push_str("static struct { int (*run)(void); unsigned long long *sum; } hb_table[] = {\n");
        text.push_str(&table);
        text.push_str("};\n");
        text.push_str(DRIVER);
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, &text, model, build.flags())?;
        let mut seen = vec![Observed::Crashed("no report".into()); programs.len()];
        let mut crashes = Vec::new();
        let limit = Duration::from_secs(20);
        run_all(
            &exe,
            &[],
            programs.len(),
            limit,
            |line| {
                let (i, mut observed) = parse(line).ok_or_else(|| Failure::Garbled(line.to_string()))?;
                // Only under its own name does `main` return 0 by reaching its end.
                if programs[i].features.contains(&Feature::NoReturnInMain)
                    && let Observed::Ended { end: End::Returned(code), .. } = &mut observed
                {
                    *code = 0;
                }
                seen[i] = observed;
                Ok(i)
            },
            |i, why| crashes.push((i, why)),
        )?;
        for (i, why) in crashes {
            seen[i] = Observed::Crashed(why);
        }
        Ok(seen)
    }
}

pub(super) fn parse(line: &str) -> Option<(usize, Observed)> {
    let mut words = line.split(' ');
    let index = words.next()?.parse().ok()?;
    let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
    let (how, code): (i32, i32) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let end = match how {
        0 => End::Returned(code),
        1 => End::Exited(code),
        _ => End::Aborted,
    };
    Some((index, Observed::Ended { checksum, end }))
}

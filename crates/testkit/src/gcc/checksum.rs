//! Runs closed programs and reads their checksums.

use std::time::Duration;

use super::batch::{Harness, Member, around};
use super::{Build, Failure, Gcc};
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

/// The type of the table of programs and a row of it.
pub(super) const TABLE: &str = "struct { int (*run)(void); unsigned long long *sum; }";
pub(super) fn row(prefix: &str) -> String {
    format!("{prefix}main, &{prefix}checksum")
}

/// The programs as parts of one text.
pub(super) fn members(programs: &[Program]) -> Vec<Member<'_>> {
    let model = programs[0].model;
    assert!(programs.iter().all(|p| p.model == model), "one translation unit has one data model");
    programs.iter().map(|p| Member { source: &p.source, names: &p.names }).collect()
}

impl Gcc {
    /// Compiles and runs closed programs, all of one data model; one answer per program, in their order.
    pub fn checksums(&self, programs: &[Program], build: Build) -> Result<Vec<Observed>, Failure> {
        let batch = |batch: &[Program]| self.checksum_batch(batch, build);
        let crashed = |f: &Failure| matches!(f, Failure::CompilerCrashed(_)).then_some(Observed::CompilerCrashed);
        self.in_batches(programs, 150, |programs| around(programs, &batch, crashed))
    }

    fn checksum_batch(&self, programs: &[Program], build: Build) -> Result<Vec<Observed>, Failure> {
        let harness = Harness {
            prelude: PRELUDE,
            mark: |_| String::new(),
            table: TABLE,
            row,
            driver: DRIVER,
            flags: build.flags(),
            environment: &[],
            limit: Duration::from_secs(20),
            parse,
            broken: Observed::Crashed,
        };
        let mut seen = self.run_batch(&members(programs), programs[0].model, &harness)?;
        for (observed, program) in seen.iter_mut().zip(programs) {
            // Only under its own name does `main` return 0 by reaching its end.
            if program.features.contains(&Feature::NoReturnInMain)
                && let Observed::Ended { end: End::Returned(code), .. } = observed
            {
                *code = 0;
            }
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

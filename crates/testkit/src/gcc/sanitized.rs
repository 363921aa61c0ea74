//! Runs closed programs that may do what C leaves undefined, with the sanitizers that say so.

use std::time::Duration;

use super::batch::Harness;
use super::checksum::{DRIVER, PRELUDE, TABLE, members, parse, row};
use super::{Failure, Gcc, Observed, Scratch};
use crate::cgen::Program;
use ir::DataModel;

/// Every kind is looked for; the first one ends the run.
const FLAGS: [&str; 7] = [
    "-O0",
    "-g",
    // Undo what the other oracles ask for: signed overflow is a report here.
    "-fno-wrapv",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize=shift-base,alignment",
    "-fno-sanitize-recover=all",
    "-fsanitize-address-use-after-scope",
];

/// Leaks are no undefined behaviour; the rest makes reports complete.
const OPTIONS: &str = "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:color=never";

/// The name that a program's reports give its file.
pub fn file_of(index: usize) -> String {
    format!("program_{index}.c")
}

impl Gcc {
    /// Why programs of this data model cannot be compiled with sanitizers, if they cannot.
    pub fn lacks_sanitizers(&self, model: DataModel) -> Option<String> {
        let dir = match Scratch::new() {
            Ok(dir) => dir,
            Err(e) => return Some(e.to_string()),
        };
        let tried = self.compile(&dir, "int main(void) { return 0; }\n", model, &FLAGS);
        let ran = tried.and_then(|exe| super::run(std::process::Command::new(exe), Duration::from_secs(20)));
        match ran {
            Ok(said) if said.code == Some(0) => None,
            Ok(said) => Some(format!("sanitized {model:?} programs do not run: {}", said.stderr)),
            Err(e) => Some(format!("no sanitizers for {model:?}: {e}")),
        }
    }

    /// Compiles closed programs of one data model with sanitizers and runs each up to its end or its first report, which
    /// [`Observed::Crashed`] holds, with the program's index in its batch. One answer per program, in their order.
    pub fn sanitized(&self, programs: &[Program]) -> Result<Vec<(usize, Observed)>, Failure> {
        self.in_batches(programs, 60, |batch| {
            let seen = self.sanitized_batch(batch)?;
            Ok(seen.into_iter().enumerate().collect())
        })
    }

    fn sanitized_batch(&self, programs: &[Program]) -> Result<Vec<Observed>, Failure> {
        let harness = Harness {
            prelude: PRELUDE,
            mark: |i| format!("#line 1 \"{}\"\n", file_of(i)),
            table: TABLE,
            row,
            driver: DRIVER,
            flags: &FLAGS,
            environment: &[("ASAN_OPTIONS", OPTIONS), ("UBSAN_OPTIONS", "print_stacktrace=0:color=never")],
            limit: Duration::from_secs(30),
            parse,
            broken: Observed::Crashed,
        };
        self.run_batch(&members(programs), programs[0].model, &harness)
    }
}

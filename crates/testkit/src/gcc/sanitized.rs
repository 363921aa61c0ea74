//! Runs closed programs that may do what C leaves undefined, with the sanitizers that say so.

use std::time::Duration;

use super::checksum::{DRIVER, PRELUDE, parse};
use super::{Failure, Gcc, Observed, Scratch, renaming, run_all};
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
        let mut text = PRELUDE.to_string();
        let mut table = String::new();
        for (i, p) in programs.iter().enumerate() {
            let (on, off) = renaming(&format!("hb{i}_"), p.names.iter().map(String::as_str));
            text.push_str(&on);
            text.push_str(&format!("#line 1 \"{}\"\n", file_of(i)));
            text.push_str(&p.source);
            text.push_str(&off);
            table.push_str(&format!("    {{ hb{i}_main, &hb{i}_checksum }},\n"));
        }
        text.push_str("#line 1 \"driver.c\"\n");
        text.push_str("static struct { int (*run)(void); unsigned long long *sum; } hb_table[] = {\n");
        text.push_str(&table);
        text.push_str("};\n");
        text.push_str(DRIVER);
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, &text, programs[0].model, &FLAGS)?;
        let mut seen = vec![Observed::Crashed("no report".into()); programs.len()];
        let mut crashes = Vec::new();
        run_all(
            &exe,
            &[("ASAN_OPTIONS", OPTIONS), ("UBSAN_OPTIONS", "print_stacktrace=0:color=never")],
            programs.len(),
            Duration::from_secs(30),
            |line| {
                let (i, observed) = parse(line).ok_or_else(|| Failure::Garbled(line.to_string()))?;
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

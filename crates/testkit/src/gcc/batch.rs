//! Many programs as one text, compiled once and run in one process that reports on each.

use super::{Failure, Gcc, Scratch, renaming, run_all};
use ir::DataModel;
use std::time::Duration;

/// A program among others: its text, and the names at file scope that it declares.
pub(super) struct Member<'a> {
    pub(super) source: &'a str,
    pub(super) names: &'a [String],
}

/// What is put around programs, and how what they report is read.
pub(super) struct Harness<R> {
    /// Stands before all programs.
    pub(super) prelude: &'static str,
    /// Stands before the program with this index.
    pub(super) mark: fn(usize) -> String,
    /// The type of the table of programs, which is called `hb_table`.
    pub(super) table: &'static str,
    /// A program's row in it, by the prefix of its names.
    pub(super) row: fn(&str) -> String,
    /// Stands behind the table. Its `main` runs the programs from the one on whose index it is given, a line for each.
    pub(super) driver: &'static str,
    pub(super) flags: &'static [&'static str],
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// For all programs together.
    pub(super) limit: Duration,
    /// Reads a line: the program's index and what it did.
    pub(super) parse: fn(&str) -> Option<(usize, R)>,
    /// What a program did that broke the process.
    pub(super) broken: fn(String) -> R,
}

impl Gcc {
    /// Runs programs of one data model; one answer per program, in their order.
    pub(super) fn run_batch<R: Clone>(
        &self,
        programs: &[Member<'_>],
        model: DataModel,
        harness: &Harness<R>,
    ) -> Result<Vec<R>, Failure> {
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, &together(programs, harness), model, harness.flags)?;
        let mut seen = vec![(harness.broken)("no report".into()); programs.len()];
        let mut broken = Vec::new();
        run_all(
            &exe,
            harness.environment,
            programs.len(),
            harness.limit,
            |line| {
                let (i, answer) = (harness.parse)(line).ok_or_else(|| Failure::Garbled(line.to_string()))?;
                seen[i] = answer;
                Ok(i)
            },
            |i, why| broken.push((i, why)),
        )?;
        for (i, why) in broken {
            seen[i] = (harness.broken)(why);
        }
        Ok(seen)
    }
}

fn together<R>(programs: &[Member<'_>], harness: &Harness<R>) -> String {
    let mut text = harness.prelude.to_string();
    let mut table = String::new();
    for (i, p) in programs.iter().enumerate() {
        let prefix = format!("hb{i}_");
        let (on, off) = renaming(&prefix, p.names.iter().map(String::as_str));
        text.extend([&on, &(harness.mark)(i), p.source, &off]);
        table.push_str(&format!("    {{ {} }},\n", (harness.row)(&prefix)));
    }
    format!("{text}#line 1 \"driver.c\"\nstatic {} hb_table[] = {{\n{table}}};\n{}", harness.table, harness.driver)
}

/// Halves a batch that the compiler does not take until the program that it means stands alone; `refused` is the answer for
/// that one, if the failure is one of this kind.
pub(super) fn around<T, R, W>(items: &[T], work: &W, refused: fn(&Failure) -> Option<R>) -> Result<Vec<R>, Failure>
where
    W: Fn(&[T]) -> Result<Vec<R>, Failure>,
{
    let failure = match work(items) {
        Ok(answers) => return Ok(answers),
        Err(failure) => failure,
    };
    match (refused(&failure), items.len()) {
        (None, _) => Err(failure),
        (Some(answer), 0 | 1) => Ok(vec![answer]),
        (Some(_), n) => {
            let (first, second) = items.split_at(n / 2);
            let mut all = around(first, work, refused)?;
            all.extend(around(second, work, refused)?);
            Ok(all)
        }
    }
}

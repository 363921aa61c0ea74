//! SPARK programs, interpreted and compiled by GNAT with its checks and assertions on (`-gnata`): they end alike, and leave
//! the same numbers.

#![expect(clippy::disallowed_methods, reason = "the oracle is a compiler: a process that reads files")]

pub mod features;
mod generate;

pub use generate::{SparkProgram, spark_program};

use crate::statistics::Statistics;
use base::SourceMap;
use ir::interp::{End, Limits, Observer, StateView, Step, ZeroInputs, run};
use ir::{DataModel, GlobalId, Op, Program, Var};
use std::path::PathBuf;
use std::process::Command;

/// GNAT's driver.
pub struct Gnat(PathBuf);

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It returned, with these numbers.
    Returned(Vec<i64>),
    /// One of Ada's checks failed: `Constraint_Error`.
    Check,
    /// An assertion or a contract failed: `Assertion_Error`.
    Assertion,
    /// Something else, which must not be.
    Other(String),
}

impl Gnat {
    /// The compiler of this machine; the error says that there is none.
    pub fn find() -> Result<Gnat, String> {
        let found = Command::new("gnatmake").arg("--version").output();
        match found {
            Ok(out) if out.status.success() => Ok(Gnat(PathBuf::from("gnatmake"))),
            _ => Err("there is no gnatmake on this machine (install gnat)".to_owned()),
        }
    }

    /// Compiles the programs with these numbers and runs them in one process.
    fn run(&self, numbers: &[u64]) -> Result<Vec<Ended>, String> {
        let dir = crate::gcc::Scratch::new().map_err(|e| format!("{e:?}"))?;
        let mut driver = String::from("with Ada.Text_IO; with Ada.Assertions;\n");
        let mut calls = String::new();
        for n in numbers {
            let SparkProgram { spec, body } = spark_program(*n);
            let write = |name: String, text: &str| std::fs::write(dir.path.join(name), text).map_err(|e| e.to_string());
            write(format!("p{n}.ads"), &spec)?;
            write(format!("p{n}.adb"), &body)?;
            driver += &format!("with P{n};\n");
            calls += &format!(
                "   begin P{n}.Run; Ada.Text_IO.Put_Line (\"ok\" & P{n}.R0'Image & P{n}.R1'Image & P{n}.R2'Image);\n   \
                 exception when Constraint_Error => Ada.Text_IO.Put_Line (\"check\");\n      \
                 when Ada.Assertions.Assertion_Error => Ada.Text_IO.Put_Line (\"assertion\");\n      \
                 when others => Ada.Text_IO.Put_Line (\"other\"); end;\n"
            );
        }
        driver += &format!("procedure Driver is\nbegin\n{calls}end Driver;\n");
        std::fs::write(dir.path.join("driver.adb"), driver).map_err(|e| e.to_string())?;
        let made = Command::new(&self.0)
            .args(["-q", "-gnata", "-gnatws", "-O0", "driver.adb"])
            .current_dir(&dir.path)
            .output();
        let made = made.map_err(|e| e.to_string())?;
        if !made.status.success() {
            return Err(format!("gnatmake: {}", String::from_utf8_lossy(&made.stderr)));
        }
        let ran = Command::new(dir.path.join("driver")).output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let ended: Vec<Ended> = text.lines().map(read_line).collect();
        if ended.len() == numbers.len() { Ok(ended) } else { Err(format!("the driver wrote {} lines", ended.len())) }
    }
}

fn read_line(line: &str) -> Ended {
    match line {
        "check" => Ended::Check,
        "assertion" => Ended::Assertion,
        _ => match line.strip_prefix("ok") {
            // 'Image puts a blank before a number that is not negative.
            Some(rest) => {
                let spaced = rest.replace('-', " -");
                Ended::Returned(spaced.split_whitespace().filter_map(|n| n.parse().ok()).collect())
            }
            None => Ended::Other(line.to_owned()),
        },
    }
}

/// A text of the subset, lowered and checked to be valid.
pub fn lowered(files: &[(&str, &str)], entry: Option<&str>, globals: sparkfront::Globals) -> Result<Program, String> {
    let mut map = SourceMap::new();
    let ids: Vec<base::FileId> = files.iter().map(|(name, text)| map.add(*name, *text)).collect();
    let options = sparkfront::Options { entry: entry.map(str::to_owned), globals, model: DataModel::Lp64 };
    let lowered = sparkfront::parse_and_lower(&map, &ids, &options).map_err(|all| {
        let at = all[0].span.map(|s| map.locate(s));
        format!("{}: {}", at.map_or(String::new(), |a| a.to_string()), all[0].message)
    })?;
    match ir::validate::validate(&lowered.program) {
        Ok(()) => Ok(lowered.program),
        Err(v) => Err(format!("the lowered program is not valid: {}\n{}", v[0], ir::text::print(&lowered.program))),
    }
}

/// The numbers in the results when the outermost function returns.
struct Results {
    globals: Vec<GlobalId>,
    seen: Vec<i64>,
}

impl Observer for Results {
    fn after(&mut self, state: &StateView<'_>, _: Step) {
        if state.depth() > 0 {
            return;
        }
        let read = |g: &GlobalId| state.read(Var::Global(*g)).map(|v| i64::from(v.bits as u32 as i32));
        self.seen = self.globals.iter().filter_map(read).collect();
    }
}

/// How the interpreter ends the program with this number.
pub fn interpreted(n: u64) -> Result<Ended, String> {
    let SparkProgram { spec, body } = spark_program(n);
    let files = [("p.ads", spec.as_str()), ("p.adb", body.as_str())];
    let program = lowered(&files, Some(&format!("p{n}.run")), sparkfront::Globals::Initial)?;
    let globals = (0..3).filter_map(|i| program.global(&format!("p{n}.r{i}"))).collect();
    let mut results = Results { globals, seen: Vec::new() };
    let execution = run(&program, &mut ZeroInputs, &Limits::default(), &mut results);
    Ok(match execution.end {
        End::Exited(_) => Ended::Returned(results.seen),
        End::Error { at: (f, e), .. } => {
            let Op::Error(ir::ErrorKind::Assert(what)) = &program.edge(f, e).op else {
                return Err("an error that no front end makes".to_owned());
            };
            let check = ["range check", "overflow check", "index check", "division check"];
            if check.iter().any(|c| what.starts_with(c)) { Ended::Check } else { Ended::Assertion }
        }
        other => Ended::Other(format!("{other:?}")),
    })
}

/// Compares the programs from `first` on.
pub fn spark(gnat: &Gnat, first: u64, count: u64) -> Result<Statistics, String> {
    let numbers: Vec<u64> = (first..first + count).collect();
    let compiled = gnat.run(&numbers)?;
    let mut stats = Statistics::new();
    for (n, expected) in numbers.iter().zip(compiled) {
        let found = interpreted(*n).map_err(|e| format!("program {n}: {e}\n{}", spark_program(*n).body))?;
        if found != expected {
            return Err(format!("program {n}: {found:?}, but compiled {expected:?}\n{}", spark_program(*n).body));
        }
        stats.add("programs", 1);
        stats.add(
            match found {
                Ended::Returned(_) => "programs that return",
                Ended::Check => "failed checks",
                Ended::Assertion => "failed assertions",
                Ended::Other(_) => "other",
            },
            1,
        );
    }
    Ok(stats)
}

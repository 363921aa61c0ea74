//! Programs as people write them in SPARK, each with a change that breaks it: run by the interpreter, and, for `cargo xtask fuzz spark`, by
//! GNAT's binary as well, which is where the expected answers come from.

use super::{Ended, Gnat, lowered};
use ir::Op;
use ir::interp::{End, Limits, Observer, ZeroInputs, run};
use std::process::Command;

/// A program without inputs.
pub struct Feature {
    /// What it is about.
    pub title: &'static str,
    /// Its compilation units, the last of which is `Main`.
    pub text: String,
    /// Whether something fails in it.
    pub fails: bool,
}

/// All programs, as they are and broken.
pub fn features() -> Vec<Feature> {
    let mut out = Vec::new();
    for part in include_str!("features.ada").split("\n=== ").skip(1) {
        let (title, text) = part.split_once('\n').expect("a title has a line of its own");
        let (first, rest) = text.split_once('\n').expect("a program has lines");
        let sides = first.strip_prefix("-- break: `").and_then(|l| l.strip_suffix('`'));
        if let Some((from, to)) = sides.and_then(|s| s.split_once("` becomes `")) {
            assert!(rest.contains(from), "{title}: `{from}` is not there");
            out.push(Feature { title, text: rest.to_owned(), fails: false });
            out.push(Feature { title, text: rest.replace(from, to), fails: true });
        } else {
            out.push(Feature { title, text: text.to_owned(), fails: first == "-- fails" });
        }
    }
    out
}

struct Nothing;

impl Observer for Nothing {}

impl Feature {
    /// How the interpreter ends it.
    pub fn interpreted(&self) -> Result<Ended, String> {
        let program = lowered(&[("main.adb", &self.text)], Some("main"), sparkfront::Globals::ByEntry)?;
        let execution = run(&program, &mut ZeroInputs, &Limits::default(), &mut Nothing);
        Ok(match execution.end {
            End::Exited(_) => Ended::Returned(Vec::new()),
            End::Error { at: (f, e), .. } => match &program.edge(f, e).op {
                Op::Error(ir::ErrorKind::Assert(_)) => Ended::Assertion,
                other => Ended::Other(format!("{other:?}")),
            },
            other => Ended::Other(format!("{other:?}")),
        })
    }
}

impl Gnat {
    /// Whether GNAT's binary ends with an exception.
    pub fn fails(&self, feature: &Feature) -> Result<bool, String> {
        let dir = crate::gcc::Scratch::new().map_err(|e| format!("{e:?}"))?;
        let all = dir.path.join("all.ada");
        std::fs::write(&all, &feature.text).map_err(|e| e.to_string())?;
        let chopped =
            Command::new("gnatchop").arg("-q").arg(&all).arg(&dir.path).output().map_err(|e| e.to_string())?;
        if !chopped.status.success() {
            return Err(format!("gnatchop: {}", String::from_utf8_lossy(&chopped.stderr)));
        }
        let arguments = ["-q", "-gnata", "-gnat2022", "-gnatws", "-O0", "main.adb"];
        let made = Command::new(&self.0).args(arguments).current_dir(&dir.path).output().map_err(|e| e.to_string())?;
        if !made.status.success() {
            return Err(format!("gnatmake: {}", String::from_utf8_lossy(&made.stderr)));
        }
        let ran = Command::new(dir.path.join("main")).output().map_err(|e| e.to_string())?;
        Ok(!ran.status.success())
    }
}

/// The programs from `first` on by the interpreter and by GNAT's binary.
pub fn compare(gnat: &Gnat, first: u64, count: u64) -> Result<crate::statistics::Statistics, String> {
    let mut stats = crate::statistics::Statistics::new();
    let all = features();
    for n in first..(first + count).min(all.len() as u64) {
        let feature = &all[n as usize];
        let about = |e: String| format!("feature {n}, {}: {e}\n{}", feature.title, feature.text);
        let ours = feature.interpreted().map_err(about)?;
        let theirs = gnat.fails(feature).map_err(about)?;
        if (ours == Ended::Assertion) != theirs || theirs != feature.fails {
            return Err(about(format!("{ours:?}, but by GNAT it {}", if theirs { "fails" } else { "returns" })));
        }
        stats.add("features", 1);
    }
    Ok(stats)
}

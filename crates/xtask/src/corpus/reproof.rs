//! Looks at proofs again, with `hardbop certify` in a process of its own: every proof is accepted, and one whose invariant at
//! a loop head is replaced by `true` is rejected, or that invariant was not needed.

use super::record::ProofCheck;
use super::run::{program_arguments, run_with_limit};
use super::tasks::Task;
use base::SourceMap;
use ir::cfg::Graph;
use ir::{FuncId, Loc, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What is asked about proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Queries {
    /// Is it accepted in a new process?
    pub(crate) recertify: bool,
    /// Is it rejected without one of its invariants?
    pub(crate) weaken: bool,
}

impl Queries {
    /// Whether anything is asked.
    pub(crate) fn any(self) -> bool {
        self.recertify || self.weaken
    }
}

/// At most so many invariants of one proof are replaced, one at a time.
const MOST_HEADS: usize = 8;

/// Time for one run of `certify` beyond its own limit.
const LIMIT: Duration = Duration::from_secs(130);

/// Asks about the proof of a task that was written to `proof`; `dumped` is the folder with the program's text.
pub(crate) fn look(
    queries: Queries,
    binary: &Path,
    task: &Task,
    proof: &Path,
    dumped: &Path,
) -> Result<ProofCheck, String> {
    let mut check = ProofCheck::default();
    let code = certify(binary, task, proof)?;
    check.accepted = code == Some(0);
    if !queries.weaken {
        return Ok(check);
    }
    let text = std::fs::read_to_string(proof).map_err(|e| format!("runner: no proof: {e}"))?;
    let program = program(dumped)?;
    let weak = proof.with_extension("weak");
    for weakened in weakenings(&program, &text).into_iter().take(MOST_HEADS) {
        std::fs::write(&weak, weakened).map_err(|e| format!("runner: {e}"))?;
        check.loop_heads += 1;
        check.needed += usize::from(certify(binary, task, &weak)? == Some(10));
    }
    Ok(check)
}

fn certify(binary: &Path, task: &Task, proof: &Path) -> Result<Option<i32>, String> {
    let mut command = Command::new(binary);
    program_arguments(&mut command, "certify", task, Some(proof));
    command.args(["--timeout", "120s"]);
    let ended = run_with_limit(&mut command, LIMIT).map_err(|e| e.to_string())?;
    Ok(ended.status.and_then(|s| s.code()))
}

fn program(dumped: &Path) -> Result<Program, String> {
    let entries = std::fs::read_dir(dumped).map_err(|e| format!("runner: no program: {e}"))?;
    let files = entries.filter_map(|e| Some(e.ok()?.path()));
    let file: PathBuf =
        files.into_iter().find(|p| p.extension().is_some_and(|e| e == "ir")).ok_or("runner: no program")?;
    let text = std::fs::read_to_string(&file).map_err(|e| format!("runner: no program: {e}"))?;
    let id = SourceMap::new().add("program.ir", text.as_str());
    ir::text::parse(id, &text).map_err(|d| format!("runner: the program is not read back: {}", d.message))
}

/// The texts of the proof with one invariant at a loop head replaced by `true`, each.
fn weakenings(program: &Program, proof: &str) -> Vec<String> {
    let heads = |func: FuncId| program.functions[func].body.as_ref().map(|b| Graph::new(b).loop_heads);
    let mut found = Vec::new();
    let mut here: Option<(FuncId, _)> = None;
    for (number, line) in proof.lines().enumerate() {
        if let Some(name) = line.strip_prefix("function ") {
            let func = program.functions.ids().find(|&f| ir::text::show_name(&program.functions[f].name) == name);
            here = func.and_then(|f| Some((f, heads(f)?)));
        }
        let Some((loc, formula)) = line.strip_prefix("  at L").and_then(|rest| rest.split_once(" := ")) else {
            continue;
        };
        let Some((_, heads)) = &here else { continue };
        let is_head = loc.parse::<usize>().is_ok_and(|l| heads[<Loc as base::Id>::from_index(l)]);
        if is_head && formula != "true" {
            let lines = proof.lines().enumerate();
            let new =
                |(n, l): (usize, &str)| if n == number { format!("  at L{loc} := true\n") } else { format!("{l}\n") };
            found.push(lines.map(new).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_invariant_at_a_time_is_replaced() {
        let text = "model LP64\nexterns args\nentry main\n
func external main() {
  local x: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: x := 0:i32
  e1: L1 -> L2: assume (x < 9:i32)
  e2: L1 -> L3: assume !(x < 9:i32)
  e3: L2 -> L1: x := (x + 1:i32)
  e4: L3 -> L4: return
}
";
        let id = SourceMap::new().add("p.ir", text);
        let program = ir::text::parse(id, text).unwrap_or_else(|d| panic!("{}", d.message));
        let proof = "function main\n  modifies\n  at L0 := true\n  at L1 := (x <= 9:i32)\n  at L4 := true\nend\n";
        let expected = proof.replace("(x <= 9:i32)", "true");
        assert_eq!(weakenings(&program, proof), std::slice::from_ref(&expected));
        assert_eq!(weakenings(&program, &expected), Vec::<String>::new());
    }
}

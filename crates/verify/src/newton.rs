//! One path, without a loop around it: can it be executed, with which inputs, or why not (Newton; TR00 §4.2).

use crate::abstraction::Limits;
use crate::inputs::{Layout, ModelInputs};
use crate::verdict::Progress;
use analysis::Analysis;
use ir::interp::{self, End, Tape, Unobserved};
use ir::{Path, Program};
use refine::{Effort, Explanation, Feasible, Infeasible, explain};

/// What became of a path.
#[derive(Clone, Debug)]
pub enum PathAnswer {
    /// It is executed on these inputs: the interpreter has followed it to its end.
    Feasible(Tape),
    /// No input takes it.
    Infeasible(Infeasible),
    /// Not decided, or the path cannot be followed.
    Unknown(String),
}

/// Explains a path that begins at the start of the program.
pub fn explain_path(analysis: &Analysis<'_>, path: &Path, limits: &Limits, progress: &mut dyn Progress) -> PathAnswer {
    let program = analysis.program;
    progress.phase("refine");
    match explain(analysis, &path.edges, Effort::Backward, limits.path_conflicts) {
        Explanation::Infeasible(infeasible) => PathAnswer::Infeasible(infeasible),
        Explanation::Unknown(why) => PathAnswer::Unknown(why),
        Explanation::Feasible(found) => {
            progress.phase("replay");
            // Objects lie where the interpreter puts them, or else where the model has them.
            replay(program, path, &found, Layout::Free)
                .or_else(|_| replay(program, path, &found, Layout::Chosen))
                .or_else(|_| replay(program, path, &found, Layout::Near))
                .unwrap_or_else(|how| PathAnswer::Unknown(format!("the path has a model but its replay fails: {how}")))
        }
    }
}

/// Follows the path on the model's inputs; `Err` says how the run ended instead.
fn replay(program: &Program, path: &Path, found: &Feasible<'_>, layout: Layout) -> Result<PathAnswer, String> {
    let mut inputs = ModelInputs::new(&found.encoder, &found.formula, &found.model, layout);
    // The path ends the run; operations on ranges count for more than one step.
    let limits = interp::Limits { steps: 1 << 40, ..interp::Limits::default() };
    let run = interp::follow(program, path, &mut inputs, &limits, &mut Unobserved);
    // A path may end anywhere: in a target, at the end of the program, or in the middle of it.
    let ends_with_path = run.steps == path.edges.len() as u64;
    match run.end {
        End::Error { .. } | End::Exited(_) | End::Halted { .. } | End::PathEnd if ends_with_path => {
            Ok(PathAnswer::Feasible(run.tape))
        }
        end => Err(certify::replay::describe(program, &end)),
    }
}

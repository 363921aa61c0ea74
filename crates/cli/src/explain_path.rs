//! `hardbop newton`: explains a path - inputs that take it, or the steps that disagree and the predicates that say so.

use crate::artifacts::{Reporter, commented};
use crate::front::{self, Front};
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::NewtonSettings;
use analysis::Analysis;
use ir::Path;
use ir::interp::{Limits, Tape};
use report::counted;
use report::counterexample;
use vc::path::{PathError, path_formula};
use vc::{Encoder, Predicate, Predicates, canonical};
use verify::PathAnswer;

/// Explains the path.
pub(crate) fn run(settings: &NewtonSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let Some(path) = &settings.path else { return crate::simulating::run(settings, &front, progress) };
    progress.phase("read path");
    let path = match read_path(path, &mut front) {
        Ok(path) => path,
        Err(outcome) => return *outcome,
    };
    let limits = verify::abstraction::Limits::default();
    let mut reporter = Reporter::new(progress, &front, None, settings.program.name());
    let steps = counted(path.edges.len() as u64, "step");
    let analysis = Analysis::new(&front.program);
    match verify::explain_path(&analysis, &path, &limits, &mut reporter) {
        PathAnswer::Feasible(tape) => feasible(settings, &front, &path, &tape, progress),
        PathAnswer::Infeasible(found) => {
            let mut outcome = Outcome::new(
                Answer::Infeasible,
                format!("{} of {steps} cannot hold together", counted(found.core.len() as u64, "condition")),
            );
            outcome.text.push("These steps disagree:".to_string());
            for &i in &found.core {
                let line = commented(&front, &Path { edges: vec![path.edges[i]] });
                outcome.text.push(format!("  step {}: {}", i + 1, line.trim_end()));
            }
            let mut predicates = Predicates::new();
            for (scope, e) in &found.predicates {
                let expr = canonical(e).0;
                if expr.as_const().is_none() {
                    predicates.insert(Predicate { scope: *scope, expr });
                }
            }
            if !predicates.is_empty() {
                outcome.text.push("Predicates that rule it out:".to_string());
                let shown = predabs::predfile::print(&front.program, &predicates);
                outcome.text.extend(shown.lines().map(|l| format!("  {l}")));
            }
            outcome.assumptions = front.assumptions();
            outcome
        }
        PathAnswer::Unknown(why) => Outcome::unknown(why),
    }
}

fn read_path(file: &str, front: &mut Front) -> Result<Path, Box<Outcome>> {
    let text = read_text(file, Empty::Refused).map_err(|e| Box::new(front::refused(e)))?;
    let id = front.map.add(file, text);
    let text = front.map.file(id).text.clone();
    let refused = |d| Box::new(front::refused_by_front_end(&[d], &front.map));
    let path = Path::parse(&front.program, id, &text).map_err(refused)?;
    // Edges that do not follow each other are a mistake in the file, not a path that cannot be executed.
    match path_formula(&mut Encoder::for_path(&Analysis::new(&front.program)), &path.edges) {
        Err(e @ PathError::Broken(index)) => {
            // One edge per line; the others are comments and blank.
            let holds_edge = |l: &str| !l.split("//").next().unwrap_or_default().trim().is_empty();
            let line = text.lines().enumerate().filter(|(_, l)| holds_edge(l)).nth(index).map_or(1, |(i, _)| i + 1);
            let reason = format!("front end: {file}:{line}:1: {e}");
            Err(Box::new(Outcome::bad_input(reason, vec![format!("{file}:{line}:1: error: {e}")])))
        }
        Ok(_) | Err(PathError::Unmodelled(..)) => Ok(path),
    }
}

fn feasible(settings: &NewtonSettings, front: &Front, path: &Path, tape: &Tape, progress: &mut Progress) -> Outcome {
    progress.phase("report");
    let limits = Limits { steps: path.edges.len() as u64 + 1, ..Limits::default() };
    let run = counterexample::Run { source: front.source(), path: Some(path), tape, limits };
    let mut outcome = Outcome::new(
        Answer::Feasible,
        format!("{}, executed on the inputs shown", counted(path.edges.len() as u64, "step")),
    );
    outcome.run = Some(counterexample::describe_run(&run, settings.full_trace).0);
    outcome.assumptions = front.assumptions();
    outcome
}

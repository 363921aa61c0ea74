//! `hardbop invariants`: what holds at points of the program, as irredundant sums of cubes in C.
//!
//! Below an invariant stands what it implies about aliases (PLDI01 §2.2): pairs of pointers that are never, or always, equal.
//!
//! With `--predicates` the invariants are the fixpoint of one abstraction, at any point. Without, a proof is looked for, and the
//! invariants are those of the proof, which stand at its cut points only.

use crate::abstracting::{options, read_predicates};
use crate::artifacts::Reporter;
use crate::front::Front;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{InvariantsSettings, Points};
use crate::work::describe_reason;
use analysis::Analysis;
use certify::{FunctionProof, ProofKind};
use ir::cfg::Graph;
use ir::walk::variables;
use ir::{Body, Expr, Loc, Var};
use report::counted;
use report::formula::{Report, View, shown_invariant};
use report::proof::{Point, legend, visible};
use verify::{Reason, Verdict};

/// Conflicts that the question whether two pointers can be equal may cost.
const ALIAS_CONFLICTS: u64 = 5_000;

/// Shows the invariants.
pub(crate) fn run(settings: &InvariantsSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let memory = settings.program.memory_model;
    let (predicates, warnings) = match read_predicates(settings.predicates.as_deref(), memory, &mut front) {
        Ok(read) => read,
        Err(outcome) => return *outcome,
    };
    if let Err(problem) = is_there(&front, &settings.at) {
        let message = format!("error: {problem}");
        return Outcome { messages: vec![message], ..Outcome::new(Answer::BadUsage, problem) };
    }
    let predabs = options(&settings.method);
    let mut limits = verify::abstraction::Limits { predabs, ..verify::abstraction::Limits::default() };
    if settings.no_invgen {
        limits.invgen = None;
    }
    let mut reporter = Reporter::new(progress, &front, None, settings.program.name());
    let analysis = Analysis::new(&front.program);
    let found = match settings.predicates {
        Some(_) => verify::abstract_with(&analysis, &predicates, &limits.predabs, &mut reporter).and_then(|made| {
            let n = made.predicates.len() as u64;
            let fixpoint = verify::fixpoint(&analysis, &made, &limits, true, &mut reporter)?;
            Ok((fixpoint.functions, format!("in terms of {}", counted(n, "predicate"))))
        }),
        None => proof(&analysis, limits, &mut reporter),
    };
    let mut outcome = match found {
        Ok((functions, how)) => show(&front, &analysis, &settings.at, &functions, &how, settings.predicates.is_none()),
        Err(reason) => Outcome::unknown(describe_reason(front.source(), &reason)),
    };
    outcome.messages.splice(0..0, warnings);
    if let Some(warning) = memory.warning() {
        outcome.reason = format!("{}, {warning}", outcome.reason);
        outcome.assumptions.insert(0, warning.to_owned());
    }
    outcome
}

/// The invariants of a proof.
fn proof(
    analysis: &Analysis<'_>,
    limits: verify::abstraction::Limits,
    reporter: &mut Reporter<'_>,
) -> Result<(Vec<FunctionProof>, String), Reason> {
    let engines = vec![verify::Engine::Abstraction];
    let settings = verify::Settings { engines, abstraction: limits, ..verify::Settings::default() };
    match verify::verify(analysis, &settings, reporter).verdict {
        Verdict::Safe(proof) => match &proof.get().kind {
            ProofKind::Invariants(functions) => Ok((functions.clone(), "of a proof that was checked".to_string())),
            ProofKind::Unwinding(p) => Ok((vec![p.invariants.clone()], "of a proof that was checked".to_string())),
            ProofKind::Run { .. } => Err(Reason::new("the proof is a run and has no invariants")),
        },
        Verdict::Unsafe(_) => Err(Reason::new(
            "there is no proof, the program is unsafe; with --predicates its invariants can be asked all the same",
        )),
        Verdict::Unknown(reason) => Err(reason),
    }
}

/// Whether the points asked for exist.
fn is_there(front: &Front, at: &Points) -> Result<(), String> {
    let bodies = || front.program.functions.iter().filter_map(|f| f.body.as_ref().map(|b| (f, b)));
    if let Some(name) = &at.function
        && !bodies().any(|(f, _)| f.name == *name)
    {
        return Err(format!("there is no function `{name}` with a body"));
    }
    let inside = || bodies().filter(|(f, _)| at.function.as_ref().is_none_or(|name| f.name == *name));
    if let Some(label) = &at.label
        && !inside().any(|(_, b)| b.locations.iter().any(|l| l.label.as_ref() == Some(label)))
    {
        return Err(format!("there is no label `{label}` that execution could reach"));
    }
    if let Some(line) = at.line
        && !inside().any(|(_, b)| b.locations.iter().any(|l| front.map.locate(l.span).line == line))
    {
        return Err(format!("no statement begins on line {line}"));
    }
    Ok(())
}

/// Whether a point is to be shown.
fn wanted(front: &Front, at: &Points, function: &str, body: &Body, loc: Loc, point: &Point) -> bool {
    if at.function.as_ref().is_some_and(|name| name != function) {
        return false;
    }
    if let Some(label) = &at.label {
        return body.locations[loc].label.as_ref() == Some(label);
    }
    if let Some(line) = at.line {
        return front.map.locate(body.locations[loc].span).line == line;
    }
    at.function.is_some() || matches!(point, Point::Loop | Point::Label(_) | Point::Exit)
}

fn show(
    front: &Front,
    analysis: &Analysis<'_>,
    at: &Points,
    functions: &[FunctionProof],
    how: &str,
    cut_points_only: bool,
) -> Outcome {
    let report = Report::new(analysis);
    let mut text = Vec::new();
    let mut n_points = 0;
    for proof in functions {
        let f = &front.program.functions[proof.func];
        let body = front.program.body(proof.func);
        let graph = Graph::new(body);
        for (&loc, &node) in &proof.invariants {
            let point = Point::of(body, &graph, loc);
            if !wanted(front, at, &f.name, body, loc, &point) {
                continue;
            }
            n_points += 1;
            let kind = match &point {
                Point::Entry => "entry".to_string(),
                Point::Exit => "exit".to_string(),
                Point::Loop => "loop".to_string(),
                Point::Label(name) => format!("label {name}"),
                Point::Other => loc.to_string(),
            };
            text.push(format!("{}: {} {kind}:", front.source().show(body.locations[loc].span), f.name));
            let known = visible(&report, proof.func, &point);
            let inside = matches!(point, Point::Loop | Point::Label(_) | Point::Other);
            // Who gave the predicates wants to see all of them, also those about the entry; a result is none before the end.
            let all = |e: &Expr| !variables(e).into_iter().any(|v| f.ret.map(Var::Local) == Some(v));
            let visible: &dyn Fn(&Expr) -> bool = if inside && !cut_points_only { &all } else { &*known };
            let view = View { visible, at_entry: point == Point::Entry, at_exit: point == Point::Exit, given: None };
            let shown_invariant = shown_invariant(&report, proof, node, &view);
            for line in shown_invariant.lines() {
                let indent = if line.starts_with("|| ") || line.starts_with("&& ") { "  " } else { "     " };
                text.push(format!("{indent}{line}"));
            }
            let aliases = verify::implied_aliases(analysis, proof, loc, ALIAS_CONFLICTS);
            if !aliases.is_empty() {
                let shown: Vec<String> =
                    aliases.iter().map(|e| ir::as_c::show(&front.program, proof.func, e)).collect();
                text.push(format!("     hence {}", shown.join(", ")));
            }
        }
    }
    if n_points == 0 && cut_points_only {
        let why = "the proof has no invariant there; with --predicates every point has one";
        return Outcome::unknown(why);
    }
    text.extend(legend(&text));
    let mut outcome = Outcome::new(Answer::Done, format!("{}, {how}", counted(n_points, "point")));
    outcome.text = text;
    outcome.assumptions = front.assumptions();
    outcome
}

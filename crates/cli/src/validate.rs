//! `hardbop validate`: is what a witness says true, and does it show what it claims?
//!
//! *Correctness*: the invariants are candidates. Together they must be inductive and keep every run from the property's targets, which
//! `certify` decides (rule *Unwinding*) without any search: no invariant is added, and a loop that the witness does not speak of is
//! followed only as far as constants decide how often it goes round. A witness that says nothing about loops is confirmed only if following all that can happen comes to an end.
//!
//! *Violation*: the values that calls returned are the inputs of one run, which must use them all, in order, and end in a target at the
//! place that the witness names. Other points of a run are not followed: then nothing is confirmed.

use crate::front::{self, Front};
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::property::Breaks;
use crate::settings::{DataModel, ValidateSettings};
use crate::witness::{hash_of, places};
use analysis::Analysis;
use certify::{
    CheckLimits, Counterexample, FunctionProof, Node, Proof, ProofKind, UnwindingProof, check_proof, replay,
};
use ir::cfg::Graph;
use ir::interp::{
    self, Answer as Given, At, End, Input, InputError, Inputs, Kind, PathRecorder, Request, What, ZeroInputs,
};
use ir::{EdgeId, FuncId, Loc, Ty};
use report::counterexample;
use std::collections::{BTreeMap, BTreeSet};
use svcomp::witness::{Content, Invariant, Place, Segment, WaypointKind, Witness};
use verify::{Engine, Verdict};

/// Checks the witness.
pub(crate) fn run(settings: &ValidateSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    progress.phase("validate");
    let text = match read_text(&settings.witness, Empty::Refused) {
        Ok(text) => text,
        Err(e) => return front::refused(e),
    };
    let witness = match svcomp::yaml::parse(&text) {
        Ok(witness) => witness,
        Err(problem) => return bad(settings, &problem),
    };
    if let Err(problem) = is_about(settings, &witness) {
        return bad(settings, &problem);
    }
    let mut outcome = match &witness.content {
        Content::Correctness(invariants) => correctness(settings, &mut front, invariants, progress),
        Content::Violation(segments) => violation(settings, &front, segments),
    };
    outcome.assumptions = front.assumptions();
    outcome
}

fn bad(settings: &ValidateSettings, problem: &str) -> Outcome {
    let text = format!("{}: {problem}", settings.witness);
    Outcome::bad_input(text.clone(), vec![format!("error: {text}")])
}

/// Whether the witness is one for this program, property and data model.
fn is_about(settings: &ValidateSettings, witness: &Witness) -> Result<(), String> {
    let program = &settings.program;
    let named = &witness.metadata.input_files;
    if named.len() != program.files.len() {
        return Err(format!("it is about {} files, the program has {}", named.len(), program.files.len()));
    }
    for (file, (name, hash)) in program.files.iter().zip(named) {
        if hash_of(file)? != *hash {
            return Err(format!("it is about another {name}: the hashes differ"));
        }
    }
    let model = match program.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    if witness.metadata.data_model != model {
        return Err(format!("it is about the data model {}, not {model}", witness.metadata.data_model));
    }
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    let asked = program.property.specification(&program.entry);
    if dense(&asked) != dense(&witness.metadata.specification) {
        return Err(format!(
            "it is about another property, `{}`: see --property",
            witness.metadata.specification.trim()
        ));
    }
    Ok(())
}

// ---- Correctness.

fn correctness(
    settings: &ValidateSettings,
    front: &mut Front,
    invariants: &[Invariant],
    progress: &mut Progress,
) -> Outcome {
    if let Some(open) = settings.program.property.left_open(&front.program) {
        return Outcome::unknown(format!("no proof of the property can be checked: {open}"));
    }
    if invariants.is_empty() {
        progress.phase("unwinding");
        return without_invariants(front);
    }
    let claims = match claims(front, invariants) {
        Ok(claims) => claims,
        Err(why) => return Outcome::unknown(why),
    };
    let n = claims.invariants.len();
    let proof = Proof {
        program: certify::text::program_hash(&front.program),
        ub: front.program.ub.clone(),
        kind: ProofKind::Unwinding(UnwindingProof {
            invariants: claims,
            scripts: vec![Vec::new(); n + 1],
            inner: Vec::new(),
        }),
    };
    match check_proof(&front.program, proof, &CheckLimits::default()) {
        Ok(_) => {
            let n = report::counted(invariants.len() as u64, "invariant");
            Outcome::new(Answer::Accepted, format!("{n} of the witness, and no other, prove the property"))
        }
        Err(r) => {
            let place = r.at.map(|(f, e)| format!(" at {}", front.source().show_edge(f, e))).unwrap_or_default();
            Outcome::unknown(format!("the invariants do not prove the property: {}{place}", r.reason))
        }
    }
}

/// A proof without invariants is one only where all that can happen comes to an end.
fn without_invariants(front: &Front) -> Outcome {
    let analysis = Analysis::new(&front.program);
    let search = verify::Settings { engines: vec![Engine::Concrete, Engine::Bounded], ..verify::Settings::default() };
    match verify::verify(&analysis, &search, &mut verify::Silent).verdict {
        Verdict::Safe(_) => Outcome::new(Answer::Accepted, "no invariant is needed: all that can happen was followed"),
        Verdict::Unsafe(_) => Outcome::new(Answer::Rejected, "the property does not hold"),
        Verdict::Unknown(_) => {
            Outcome::unknown("the witness says nothing about loops, and not all that can happen was followed")
        }
    }
}

/// The invariants as claims about the entry function.
fn claims(front: &mut Front, invariants: &[Invariant]) -> Result<FunctionProof, String> {
    let entry = front.program.entry;
    let mut by_head: BTreeMap<Loc, Vec<ir::Expr>> = BTreeMap::new();
    for invariant in invariants {
        let (func, head) = head_of(front, invariant)?;
        if func != entry {
            let name = &front.program.functions[func].name;
            return Err(format!("invariants of loops in functions that are called (`{name}`) are not supported"));
        }
        by_head.entry(head).or_default().push(condition(front, func, &invariant.value)?);
    }
    let mut proof = FunctionProof {
        func: entry,
        modifies: BTreeSet::new(),
        nodes: base::IndexVec::new(),
        invariants: BTreeMap::new(),
    };
    for (head, conditions) in by_head {
        let atoms = conditions.into_iter().map(|c| proof.nodes.push(Node::Atom(c))).collect();
        let all = proof.nodes.push(Node::And(atoms));
        proof.invariants.insert(head, all);
    }
    Ok(proof)
}

/// Whether two places are one, as far as the second says.
fn is_at(place: &Place, named: &Place) -> bool {
    let last = |file: &str| file.rsplit('/').next().unwrap_or(file).to_string();
    last(&place.file) == last(&named.file)
        && place.line == named.line
        && named.column.is_none_or(|c| place.column == Some(c))
        && named.function.as_ref().is_none_or(|f| place.function.as_ref() == Some(f))
}

/// The head of the loop that an invariant is about.
fn head_of(front: &Front, invariant: &Invariant) -> Result<(FuncId, Loc), String> {
    let mut found = Vec::new();
    for (func, f) in front.program.functions.iter_enumerated() {
        let Some(body) = &f.body else { continue };
        let graph = Graph::new(body);
        for loc in body.locations.ids().filter(|l| graph.loop_heads[*l] && graph.reachable[*l]) {
            let places = places::keyword(front, func, body, loc)
                .unwrap_or_else(|| places::start(front, func, body.locations[loc].span));
            if is_at(&places, &invariant.place) {
                found.push((func, loc));
            }
        }
    }
    match found[..] {
        [one] => Ok(one),
        [] => Err(format!("there is no loop at line {} of {}", invariant.place.line, invariant.place.file)),
        _ => Err(format!("there are several loops at line {} of {}", invariant.place.line, invariant.place.file)),
    }
}

/// A condition of the witness as the program's own expression, over variables alone: what memory holds behind a bad pointer is a
/// question that no C expression has an answer to.
fn condition(front: &mut Front, func: FuncId, text: &str) -> Result<ir::Expr, String> {
    let shown: String = text.chars().take(80).collect();
    let written = format!("`{}`: ({})\n", front.program.functions[func].name, text.replace(['\n', '\r'], " "));
    let file = front.map.add("witness", written.clone());
    let read = lower::annotation::read(&front.program, file, &written, lower::annotation::Arithmetic::Exact);
    if let Some(d) = read.diagnostics.first() {
        return Err(format!("the invariant `{shown}` cannot be read: {}", d.message));
    }
    match &read.conditions[..] {
        [one] if !reads_memory(&front.program, func, &one.condition) => Ok(one.condition.clone()),
        [_] => Err(format!("the invariant `{shown}` speaks of memory behind pointers, which is not supported")),
        _ => Err(format!("the invariant `{shown}` is not one condition")),
    }
}

/// Whether an expression reads more than whole scalar variables.
fn reads_memory(program: &ir::Program, func: FuncId, e: &ir::Expr) -> bool {
    struct Reads<'a>(&'a ir::Program, FuncId, bool);
    impl ir::walk::Visitor for Reads<'_> {
        fn read(&mut self, place: &ir::Place) {
            let whole = place.as_var().is_some_and(|v| self.0.shape(self.1, v).scalar() == Some(place.ty));
            self.2 |= !whole;
        }
    }
    let mut reads = Reads(program, func, false);
    ir::walk::walk_expr(e, &mut reads);
    reads.2
}

// ---- Violation.

fn violation(settings: &ValidateSettings, front: &Front, segments: &[Segment]) -> Outcome {
    let (last, before) = segments.split_last().expect("a violation that was read has a target");
    let other = |s: &&Segment| s.follow.kind != WaypointKind::FunctionReturn || !s.avoid.is_empty();
    if let Some(segment) = before.iter().find(other) {
        let what = if segment.avoid.is_empty() { segment.follow.kind.name() } else { "avoid" };
        return Outcome::unknown(format!("waypoints that are `{what}` are not followed"));
    }
    let mut inputs = Returned { front, left: before, problem: None };
    let limits = interp::Limits { steps: 1 << 28, ..interp::Limits::default() };
    let mut recorder = PathRecorder::default();
    let run = interp::run(&front.program, &mut inputs, &limits, &mut recorder);
    let (left, problem) = (inputs.left.len(), inputs.problem);
    let End::Error { at: (func, edge), kind } = &run.end else {
        let how = problem.unwrap_or_else(|| certify::replay::describe(&front.program, &run.end));
        return Outcome::new(Answer::Rejected, format!("the run on these inputs reaches no target: {how}"));
    };
    if left > 0 || problem.is_some() {
        let why = problem.unwrap_or_else(|| format!("{} not passed", report::counted(left as u64, "waypoint is")));
        return Outcome::new(Answer::Rejected, format!("the run goes another way: {why}"));
    }
    let place = places::start(front, *func, front.edge(*func, *edge).span);
    if !is_at(&place, &last.follow.place) {
        let reason = format!("the run ends elsewhere, at {}", front.source().show_edge(*func, *edge));
        return Outcome::new(Answer::Rejected, reason);
    }
    if let Breaks::Unknown(why) = settings.program.property.breaks(kind) {
        return Outcome::unknown(why);
    }
    match replay::replay(&front.program, Counterexample { path: Some(recorder.path), tape: run.tape }) {
        Err(e) => Outcome::unknown(format!("the run cannot be repeated: {e}")),
        Ok(checked) => match counterexample::describe(front.source(), checked.get(), settings.full_trace) {
            Ok(told) => Outcome { run: Some(told.report), ..Outcome::new(Answer::Accepted, told.ending) },
            Err(problem) => Outcome::internal(problem),
        },
    }
}

/// Inputs as the waypoints of a witness have them; whatever the witness does not speak of is zero.
struct Returned<'a> {
    front: &'a Front,
    left: &'a [Segment],
    problem: Option<String>,
}

impl Returned<'_> {
    /// The value that the next waypoint has for a call that returns here.
    fn value(&mut self, func: FuncId, edge: EdgeId, ty: Ty) -> Option<u128> {
        let (next, rest) = self.left.split_first()?;
        let place = places::end_of_call(self.front, func, self.front.edge(func, edge).span)?;
        if !is_at(&place, &next.follow.place) {
            return None;
        }
        self.left = rest;
        let text = next.follow.constraint.as_deref().unwrap_or_default();
        let value = result(text).and_then(|v| pattern(ty, v));
        if value.is_none() {
            self.problem.get_or_insert_with(|| format!("`{text}` does not give a value of the call's type"));
        }
        value
    }
}

impl Inputs for Returned<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Given, InputError> {
        if let (At::Edge(func, edge), What::Value { ty, .. }, Kind::Nondet | Kind::Result) =
            (request.at, &request.what, Kind::of(&request.what))
            && let Some(bits) = self.value(func, edge, *ty)
        {
            return Ok(Given::Value(Input::Bits(bits)));
        }
        ZeroInputs.answer(request)
    }
}

/// The number of `\result == NUMBER`.
fn result(text: &str) -> Option<i128> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut value = dense.strip_prefix("\\result==")?;
    let mut less = 0;
    if let Some(inner) = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')) {
        value = inner;
        if let Some(one_more) = value.strip_suffix("-1").filter(|v| v.starts_with('-')) {
            (value, less) = (one_more, 1);
        }
    }
    let digits = value.trim_end_matches(['u', 'U', 'l', 'L']);
    digits.parse::<i128>().ok().map(|v| v - less)
}

/// The number as a value of a type, if it is one.
fn pattern(ty: Ty, value: i128) -> Option<u128> {
    match ty {
        Ty::Bool => (0..=1).contains(&value).then_some(value as u128),
        Ty::Int(int) => {
            let bits = value as u128 & int.mask();
            let back = if int.signed { int.extend(bits) } else { bits as i128 };
            (back == value).then_some(bits)
        }
        Ty::Float(_) | Ty::Ptr => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_numbers() {
        for (text, value) in [
            ("\\result == 7", Some(7)),
            ("\\result==-1", Some(-1)),
            ("\\result == 4294967295U", Some(4_294_967_295)),
            ("\\result == (-2147483647 - 1)", Some(-2_147_483_648)),
            ("\\result == (-9223372036854775807LL - 1)", Some(i128::from(i64::MIN))),
            ("\\result > 7", None),
            ("x == 7", None),
            ("\\result == y", None),
        ] {
            assert_eq!(result(text), value, "{text}");
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_none() {
        assert_eq!(pattern(Ty::int(8, true), -1), Some(0xff));
        assert_eq!(pattern(Ty::int(8, true), 200), None);
        assert_eq!(pattern(Ty::int(32, false), -1), None);
        assert_eq!(pattern(Ty::Bool, 2), None);
    }
}

//! *Violation*: is there a run that passes the waypoints of a witness, in order, and ends in its target?
//!
//! What the witness says about inputs is taken from it: the values that calls returned, and conditions `x == 3` about a variable that
//! gets its value from outside. Everything else is zero in a first run, and random in the following ones: a witness guides a
//! search, which is for runs alone. A run counts only if it passes every waypoint, avoids what it shall avoid, ends at the place that
//! the witness names, and can be replayed. If the witness leaves nothing open there is one run, and if that is another one the witness
//! is rejected; otherwise nothing is known.

use super::{Reads, condition, is_at};
use crate::front::Front;
use crate::outcome::{Answer, Outcome};
use crate::property::Breaks;
use crate::settings::ValidateSettings;
use crate::witness::places;
use base::Span;
use certify::{Counterexample, replay};
use ir::interp::{
    self, Answer as Given, At, End, Input, InputCause, InputError, Inputs, Kind, Observer, Origin, PathRecorder,
    RandomInputs, Request, StateView, Step, Unobserved, What, ZeroInputs,
};
use ir::{EdgeId, FloatTy, FuncId, Op, Ty};
use report::counterexample;
use std::cell::RefCell;
use svcomp::witness::{Place, Segment, Waypoint, WaypointKind};

/// Runs with random values for what the witness does not say, and the steps of each and of all.
const RUNS: u64 = 400;
const RUN_STEPS: u64 = 1_000_000;
const ALL_STEPS: u64 = 20_000_000;
/// Longer runs are not written down as paths.
const LONGEST_PATH: u64 = 200_000;

/// A waypoint with its condition as the program's own.
struct Point {
    kind: WaypointKind,
    place: Place,
    text: String,
    condition: Option<(FuncId, ir::Expr)>,
    /// What a condition says about variables: `x == 3`.
    equals: Vec<(String, String)>,
}

/// A segment with its conditions as the program's own.
struct Leg {
    avoid: Vec<Point>,
    follow: Point,
}

/// How far a run has come.
struct Walk<'a> {
    legs: &'a [Leg],
    next: usize,
    problem: Option<String>,
    /// Whether something was asked for that the witness does not say.
    filled: bool,
    /// Whether the witness has a value that none can be.
    impossible: bool,
}

/// Looks for the run.
pub(super) fn violation(settings: &ValidateSettings, front: &Front, segments: &[Segment]) -> Outcome {
    let (last, before) = segments.split_last().expect("a violation that was read has a target");
    let mut legs = Vec::new();
    for segment in before {
        let avoid = segment.avoid.iter().map(|w| point(front, w)).collect::<Result<_, _>>();
        match (avoid, point(front, &segment.follow)) {
            (Ok(avoid), Ok(follow)) => legs.push(Leg { avoid, follow }),
            (Err(why), _) | (_, Err(why)) => return Outcome::unknown(why),
        }
    }
    if !last.avoid.is_empty() {
        return Outcome::unknown("waypoints to avoid before the target are not followed");
    }
    let (mut first, mut steps) = (None, 0);
    for attempt in 0..=RUNS {
        let run = attempt_of(front, &legs, attempt);
        steps += run.steps;
        match run.passes(front, &legs, &last.follow.place) {
            Ok(()) => return confirmed(settings, front, run),
            Err(why) if !run.filled || run.impossible => return Outcome::new(Answer::Rejected, why),
            Err(why) => first = first.or(Some(why)),
        }
        if attempt > 0 && steps > ALL_STEPS {
            break;
        }
    }
    let why = first.unwrap_or_default();
    Outcome::unknown(format!(
        "no run was found that passes all waypoints; with zero for what the witness leaves open, {why}"
    ))
}

/// One run.
struct Attempt {
    steps: u64,
    end: End,
    tape: interp::Tape,
    passed: usize,
    problem: Option<String>,
    filled: bool,
    impossible: bool,
}

fn attempt_of(front: &Front, legs: &[Leg], attempt: u64) -> Attempt {
    let walk = RefCell::new(Walk { legs, next: 0, problem: None, filled: false, impossible: false });
    let (mut zero, mut random) = (ZeroInputs, RandomInputs::new(attempt));
    let fill: &mut dyn Inputs = if attempt == 0 { &mut zero } else { &mut random };
    let mut limits = certify::replay::REPLAY_LIMITS;
    if attempt > 0 {
        limits.steps = RUN_STEPS;
    }
    let mut inputs = Named { front, walk: &walk, fill };
    let watched = |p: &Point| matches!(p.kind, WaypointKind::Assumption | WaypointKind::Branching);
    let run = if legs.iter().any(|l| watched(&l.follow) || l.avoid.iter().any(watched)) {
        interp::run(&front.program, &mut inputs, &limits, &mut Follower { front, walk: &walk })
    } else {
        interp::run(&front.program, &mut inputs, &limits, &mut Unobserved)
    };
    let walk = walk.into_inner();
    Attempt {
        steps: run.steps,
        end: run.end,
        tape: run.tape,
        passed: walk.next,
        problem: walk.problem,
        filled: walk.filled,
        impossible: walk.impossible,
    }
}

impl Attempt {
    /// Whether it is a run that the witness means; otherwise why not.
    fn passes(&self, front: &Front, legs: &[Leg], target: &Place) -> Result<(), String> {
        let End::Error { at: (func, edge), .. } = &self.end else {
            let how = self.problem.clone().unwrap_or_else(|| certify::replay::describe(&front.program, &self.end));
            return Err(format!("the run on these inputs reaches no target: {how}"));
        };
        if let Some(why) = &self.problem {
            return Err(format!("the run goes another way: {why}"));
        }
        let left = legs.len() - self.passed;
        if left > 0 {
            let what = report::counted(left as u64, "waypoint is");
            return Err(format!("the run goes another way: {what} not passed"));
        }
        let place = places::start(front, *func, front.edge(*func, *edge).span);
        if !is_at(&place, target) {
            return Err(format!("the run ends elsewhere, at {}", front.source().show_edge(*func, *edge)));
        }
        Ok(())
    }
}

/// The run that was found, replayed.
fn confirmed(settings: &ValidateSettings, front: &Front, run: Attempt) -> Outcome {
    if let End::Error { kind, .. } = &run.end
        && let Breaks::Unknown(why) = settings.program.property.breaks(kind)
    {
        return Outcome::unknown(why);
    }
    let path = (run.steps <= LONGEST_PATH).then(|| {
        let mut recorder = PathRecorder::default();
        interp::run(&front.program, &mut run.tape.inputs(), &certify::replay::REPLAY_LIMITS, &mut recorder);
        recorder.path
    });
    match replay::replay(&front.program, Counterexample { path, tape: run.tape }) {
        Err(e) => Outcome::unknown(format!("the run cannot be repeated: {e}")),
        Ok(checked) => match counterexample::describe(front.source(), checked.get(), settings.full_trace) {
            Ok(told) => Outcome { run: Some(told.report), ..Outcome::new(Answer::Accepted, told.ending) },
            Err(problem) => Outcome::internal(problem),
        },
    }
}

/// A waypoint made ready; the error says what about it is not followed.
fn point(front: &Front, waypoint: &Waypoint) -> Result<Point, String> {
    let text = waypoint.constraint.clone().unwrap_or_default();
    let mut out =
        Point { kind: waypoint.kind, place: waypoint.place.clone(), text, condition: None, equals: Vec::new() };
    match waypoint.kind {
        WaypointKind::FunctionReturn => Ok(out),
        WaypointKind::Branching if matches!(out.text.as_str(), "true" | "false") => Ok(out),
        WaypointKind::Assumption if out.text.contains("\\result") => {
            Err(format!("`{}` cannot be read: an assumption has no result", out.text))
        }
        WaypointKind::Assumption => {
            let func = function_of(front, &out.place)?;
            let at = statement_at(front, func, &out.place);
            out.condition = Some((func, condition(front, func, at, &out.text, Reads::Anything)?));
            out.equals = equalities(&out.text);
            Ok(out)
        }
        kind => Err(format!("waypoints that are `{}` are not followed", kind.name())),
    }
}

/// The function that a place lies in: the one it names, or the one between whose first and last line it lies.
fn function_of(front: &Front, place: &Place) -> Result<FuncId, String> {
    let found = front.program.functions.iter_enumerated().find(|(id, f)| match (&place.function, &f.body) {
        (_, None) => false,
        (Some(name), Some(_)) => f.name == *name,
        (None, Some(body)) => {
            let places = body.edges.iter().map(|e| places::start(front, *id, e.span));
            let lines =
                places.filter(|p| is_at(p, &Place { line: p.line, column: None, ..place.clone() })).map(|p| p.line);
            let (first, last) = lines.fold((u32::MAX, 0), |(a, b), l| (a.min(l), b.max(l)));
            (first..=last).contains(&place.line)
        }
    });
    found.map(|(id, _)| id).ok_or_else(|| format!("there is no function at line {} of {}", place.line, place.file))
}

/// The first step of the function that lies in the statement at a place, or else the function's end.
fn statement_at(front: &Front, func: FuncId, place: &Place) -> Span {
    let spans = || front.program.body(func).edges.iter().map(|e| e.span);
    let here = spans().filter(|span| is_in(&places::start(front, func, *span), place)).min_by_key(|span| span.lo);
    here.or_else(|| spans().max_by_key(|span| span.hi)).unwrap_or(front.program.functions[func].span)
}

/// The equalities between a name and a number in a conjunction.
fn equalities(text: &str) -> Vec<(String, String)> {
    let is_name = |t: &str| {
        t.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && t.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let bare = |t: &str| {
        let mut t = t.trim();
        while let Some(inner) = t.strip_prefix('(').and_then(|i| i.strip_suffix(')')) {
            t = inner.trim();
        }
        t.to_owned()
    };
    let parts = text.split("&&").filter_map(|part| bare(part).split_once("==").map(|(a, b)| (bare(a), bare(b))));
    parts
        .filter_map(|(a, b)| match (is_name(&a), is_name(&b)) {
            (true, false) => Some((a, b)),
            (false, true) => Some((b, a)),
            _ => None,
        })
        .collect()
}

/// Whether a place of the program lies in the statement that a waypoint names by its first character.
fn is_in(place: &Place, named: &Place) -> bool {
    let wider = Place { column: None, ..named.clone() };
    is_at(place, &wider) && named.column.is_none_or(|c| place.column.is_some_and(|own| own >= c))
}

/// Inputs as the waypoints have them; whatever the witness does not speak of is filled in.
struct Named<'a, 'w> {
    front: &'a Front,
    walk: &'w RefCell<Walk<'a>>,
    fill: &'w mut dyn Inputs,
}

impl Named<'_, '_> {
    /// The value that the next waypoint has for a call that returns here.
    fn returned(&self, walk: &mut Walk<'_>, func: FuncId, edge: EdgeId, ty: Ty) -> Option<u128> {
        let next = &walk.legs.get(walk.next)?.follow;
        let place = places::end_of_call(self.front, func, self.front.edge(func, edge).span)?;
        if next.kind != WaypointKind::FunctionReturn || !is_at(&place, &next.place) {
            return None;
        }
        walk.next += 1;
        let value = result(&next.text).and_then(|v| pattern(ty, v));
        if value.is_none() {
            let text = &next.text;
            walk.impossible = true;
            walk.problem.get_or_insert_with(|| format!("`{text}` does not give a value of the call's type"));
        }
        value
    }

    /// The value that the next conditions have for a variable, which gets it here.
    fn assumed(&self, walk: &mut Walk<'_>, name: &str, at: (FuncId, EdgeId), ty: Ty) -> Option<u128> {
        let pending = walk.legs[walk.next..].iter().take_while(|l| l.follow.kind == WaypointKind::Assumption);
        for (i, leg) in pending.enumerate() {
            let Some((_, value)) = leg.follow.equals.iter().find(|(n, _)| n == name) else { continue };
            let bits = pattern(ty, value)?;
            let place = places::start(self.front, at.0, self.front.edge(at.0, at.1).span);
            // Where it is read first it is settled: the step that is looked at need not be the one that is taken.
            if i == 0 && leg.follow.equals.len() == 1 && is_at(&place, &leg.follow.place) {
                walk.next += 1;
            }
            return Some(bits);
        }
        None
    }

    fn named(&self, request: &Request<'_>) -> Option<u128> {
        let (At::Edge(func, edge), What::Value { ty, from }) = (request.at, &request.what) else { return None };
        let mut walk = self.walk.borrow_mut();
        match (Kind::of(&request.what), from) {
            (Kind::Nondet | Kind::Result, _) => {
                if let Some(bits) = self.returned(&mut walk, func, edge, *ty) {
                    return Some(bits);
                }
                let name = assigned(self.front, func, edge)?;
                self.assumed(&mut walk, &name, (func, edge), *ty)
            }
            (_, InputCause::Uninit(Origin::Local { func: owner, local, .. })) if *owner == func => {
                let name = &self.front.program.functions[func].locals[*local].name;
                let name = name.split('.').next().unwrap_or(name);
                self.assumed(&mut walk, name, (func, edge), *ty)
            }
            _ => None,
        }
    }
}

/// The variable that the value of a call goes to, as the source says: `x = f()`.
fn assigned(front: &Front, func: FuncId, edge: EdgeId) -> Option<String> {
    let span = front.edge(func, edge).span;
    let before = front.map.file(span.file).text.get(..span.lo as usize)?;
    let mut before = before.trim_end();
    while let Some(cast) = before.strip_suffix(')') {
        before = cast[..cast.rfind('(')?].trim_end();
    }
    let before = before.strip_suffix('=').filter(|b| !b.ends_with(['=', '!', '<', '>']))?.trim_end();
    let begin = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    Some(before[begin..].to_owned()).filter(|name| !name.is_empty())
}

impl Inputs for Named<'_, '_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Given, InputError> {
        if let Some(bits) = self.named(request) {
            return Ok(Given::Value(Input::Bits(bits)));
        }
        let given = self.fill.answer(request)?;
        self.walk.borrow_mut().filled |= !matches!(request.what, What::Base { .. });
        Ok(given)
    }
}

/// Watches for conditions and branches.
struct Follower<'a, 'w> {
    front: &'a Front,
    walk: &'w RefCell<Walk<'a>>,
}

impl Follower<'_, '_> {
    fn holds(&self, state: &StateView<'_>, point: &Point) -> bool {
        let Some((func, condition)) = &point.condition else { return false };
        *func == state.func() && state.eval_defined(condition).is_some_and(ir::interp::Value::is_true)
    }

    /// Whether the step passes a waypoint.
    fn passes(&self, state: &StateView<'_>, step: Step, point: &Point) -> bool {
        let edge = self.front.edge(step.func, step.edge);
        match point.kind {
            WaypointKind::Assumption => {
                is_in(&places::start(self.front, step.func, edge.span), &point.place) && self.holds(state, point)
            }
            WaypointKind::Branching => {
                matches!(edge.op, Op::Assume(_))
                    && places::branch(self.front, step.func, edge.span).is_some_and(|p| is_at(&p, &point.place))
                    && counterexample::branch_taken(self.front.source(), step.func, step.edge)
                        .is_some_and(|taken| taken.to_string() == point.text)
            }
            _ => false,
        }
    }

    fn step(&self, state: &StateView<'_>, step: Step, after: bool) {
        let mut walk = self.walk.borrow_mut();
        while let Some(leg) = walk.legs.get(walk.next) {
            // A line without a column is one of GraphML, where a condition holds behind the statement.
            let now = |p: &Point| !after || (p.kind == WaypointKind::Assumption && p.place.column.is_none());
            if let Some(bad) = leg.avoid.iter().find(|p| now(p) && self.passes(state, step, p)) {
                let line = bad.place.line;
                walk.problem.get_or_insert_with(|| format!("it passes line {line}, which is to be avoided"));
            }
            if !now(&leg.follow) || !self.passes(state, step, &leg.follow) {
                return;
            }
            walk.next += 1;
            if leg.follow.kind == WaypointKind::Branching {
                return;
            }
        }
    }
}

impl Observer for Follower<'_, '_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        self.step(state, step, false);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        self.step(state, step, true);
    }
}

/// The number of `\result == NUMBER`; `\result != \result` is what no number is.
fn result(text: &str) -> Option<&str> {
    let text = text.trim();
    let value = text.strip_prefix("\\result")?.trim_start();
    match value.strip_prefix("==") {
        Some(number) => Some(number.trim()),
        None => (value.strip_prefix("!=")?.trim() == "\\result").then_some("nan"),
    }
}

/// A number of C as a value of a type, if it is one.
fn pattern(ty: Ty, text: &str) -> Option<u128> {
    match ty {
        Ty::Bool => integer(text).filter(|v| (0..=1).contains(v)).map(|v| v as u128),
        Ty::Int(int) => {
            let value = integer(text)?;
            let bits = value as u128 & int.mask();
            let back = if int.signed { int.extend(bits) } else { bits as i128 };
            (back == value).then_some(bits)
        }
        Ty::Float(FloatTy::F32) => float(text).map(|t| t.parse::<f32>().map(|f| u128::from(f.to_bits())))?.ok(),
        Ty::Float(FloatTy::F64) => float(text).map(|t| t.parse::<f64>().map(|f| u128::from(f.to_bits())))?.ok(),
        Ty::Float(FloatTy::F16 | FloatTy::F80 | FloatTy::F128) | Ty::Ptr => None,
    }
}

/// A floating number of C as Rust writes it.
fn float(text: &str) -> Option<String> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
    let (sign, rest) = dense.strip_prefix('-').map_or(("", dense.as_str()), |rest| ("-", rest));
    let number = match rest {
        "__builtin_inf" | "INFINITY" => "inf",
        "nan" => "nan",
        digits => digits.trim_end_matches(['f', 'F', 'l', 'L']),
    };
    // Rust knows words that C does not.
    let known = matches!(number, "inf" | "nan") || number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    known.then(|| format!("{sign}{number}"))
}

/// A whole number of C; the smallest of a type is written as a difference.
fn integer(text: &str) -> Option<i128> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (mut value, mut less) = (dense.as_str(), 0);
    if let Some(inner) = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')) {
        value = inner;
        if let Some(one_more) = value.strip_suffix("-1").filter(|v| v.starts_with('-')) {
            (value, less) = (one_more, 1);
        }
    }
    let digits = value.trim_end_matches(['u', 'U', 'l', 'L']);
    digits.parse::<i128>().ok().map(|v| v - less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_values_of_their_type() {
        let int = |width, signed| Ty::int(width, signed);
        let of = |ty, text: &str| result(text).and_then(|v| pattern(ty, v));
        assert_eq!(of(int(32, true), "\\result == -1"), Some(0xffff_ffff));
        assert_eq!(of(int(32, true), "\\result == (-2147483647 - 1)"), Some(0x8000_0000));
        assert_eq!(of(int(64, false), "\\result == 18446744073709551615ULL"), Some(u128::from(u64::MAX)));
        assert_eq!(of(int(32, true), "\\result == 2147483648"), None);
        assert_eq!(of(int(32, false), "\\result == -1"), None);
        assert_eq!(of(Ty::Bool, "\\result == 2"), None);
        assert_eq!(of(int(32, true), "x == 1"), None);
        assert_eq!(of(Ty::Float(FloatTy::F32), "\\result == -1.5e0f"), Some(u128::from((-1.5f32).to_bits())));
        assert_eq!(of(Ty::Float(FloatTy::F64), "\\result == 1e-320"), Some(u128::from(1e-320f64.to_bits())));
        assert_eq!(of(Ty::Float(FloatTy::F64), "\\result == -__builtin_inf()"), Some(0xfff0 << 48));
        assert_eq!(of(Ty::Float(FloatTy::F64), "\\result != \\result"), Some(0x7ff8 << 48));
        assert_eq!(of(Ty::Float(FloatTy::F64), "\\result == infinity"), None);
    }

    #[test]
    fn equalities_of_a_conjunction() {
        let of = |text: &str| equalities(text).into_iter().map(|(a, b)| format!("{a}={b}")).collect::<Vec<_>>();
        assert_eq!(of("x == 3 && (4 == y) && z < 2"), ["x=3", "y=4"]);
        assert_eq!(of("x == y"), [] as [&str; 0]);
        assert_eq!(of("( ( n == -7 ) )"), ["n=-7"]);
    }
}

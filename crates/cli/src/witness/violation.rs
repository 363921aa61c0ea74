//! A run as a witness: what each call that gives a value from outside returned and what locals that nothing initialised hold, in the order
//! of the run, and where it ends.

use super::places;
use super::scope::source_name;
use crate::front::Front;
use certify::Counterexample;
use ir::interp::{
    self, Answer, At, Input, InputCause, InputError, Inputs, Kind, Observer, Origin, Request, StateView, Step,
    TapeInputs, What,
};
use ir::{EdgeId, FloatTy, FuncId, IntTy, LocalId, Ty};
use svcomp::witness::{Segment, Waypoint, WaypointKind};

/// The points that the run passes.
pub(super) fn segments(front: &Front, run: &Counterexample) -> Vec<Segment> {
    let mut said = Said { front, inputs: run.tape.inputs(), points: Vec::new() };
    let mut last = Last(None);
    interp::run(&front.program, &mut said, &certify::replay::REPLAY_LIMITS, &mut last);
    let mut out: Vec<Segment> = said.points.into_iter().map(follow).collect();
    if let Some((func, edge)) = run.path.as_ref().and_then(|p| p.edges.last().copied()).or(last.0) {
        let place = places::start(front, func, front.edge(func, edge).span);
        out.push(follow(Waypoint { kind: WaypointKind::Target, place, constraint: None }));
    }
    out
}

fn follow(point: Waypoint) -> Segment {
    Segment { avoid: Vec::new(), follow: point }
}

/// The inputs of the run, and what of them can be said.
struct Said<'a> {
    front: &'a Front,
    inputs: TapeInputs<'a>,
    points: Vec<Waypoint>,
}

impl Inputs for Said<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let given = self.inputs.answer(request)?;
        if let (At::Edge(func, edge), What::Value { ty, from }, Answer::Value(Input::Bits(bits))) =
            (request.at, &request.what, &given)
        {
            let point = match (Kind::of(&request.what), from) {
                (Kind::Nondet | Kind::Result, _) => returned(self.front, func, edge, *ty, *bits),
                (_, InputCause::Uninit(Origin::Local { func: owner, local, .. })) if *owner == func => {
                    uninitialised(self.front, func, edge, *local, (*ty, *bits))
                }
                _ => None,
            };
            self.points.extend(point);
        }
        Ok(given)
    }

    fn skip(&mut self, request: &Request<'_>) -> Option<Input> {
        self.inputs.skip(request)
    }
}

/// The return of a call with a value from outside, as far as C can write the value.
fn returned(front: &Front, func: FuncId, edge: EdgeId, ty: Ty, bits: u128) -> Option<Waypoint> {
    let place = places::end_of_call(front, func, front.edge(func, edge).span)?;
    let constraint = match literal(ty, bits)? {
        Number::Value(value) => format!("\\result == {value}"),
        Number::None => "\\result != \\result".to_string(),
    };
    Some(Waypoint { kind: WaypointKind::FunctionReturn, place, constraint: Some(constraint) })
}

/// What a local that nothing initialised turns out to hold where it is first read.
fn uninitialised(
    front: &Front,
    func: FuncId,
    edge: EdgeId,
    local: LocalId,
    (ty, bits): (Ty, u128),
) -> Option<Waypoint> {
    // It is read here, so its name means it.
    let name = source_name(&front.program.functions[func].locals[local].name);
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let Some(Number::Value(value)) = literal(ty, bits).filter(|_| plain) else { return None };
    let place = places::start(front, func, front.edge(func, edge).span);
    let constraint = Some(format!("{name} == {value}"));
    Some(Waypoint { kind: WaypointKind::Assumption, place, constraint })
}

/// A value as C has it.
#[derive(Debug, PartialEq, Eq)]
enum Number {
    /// A literal.
    Value(String),
    /// It is no number, and equals nothing.
    None,
}

/// The value as C writes it: of its own type, or one that is converted to it.
fn literal(ty: Ty, bits: u128) -> Option<Number> {
    let int = match ty {
        Ty::Bool => IntTy { width: 8, signed: false },
        Ty::Int(int) if int.width <= 64 => int,
        Ty::Float(FloatTy::F32) => {
            let value = f32::from_bits(bits as u32);
            return Some(floating(value.is_nan(), value.is_infinite(), value < 0.0, format!("{value:e}f")));
        }
        Ty::Float(FloatTy::F64) => {
            let value = f64::from_bits(bits as u64);
            return Some(floating(value.is_nan(), value.is_infinite(), value < 0.0, format!("{value:e}")));
        }
        Ty::Int(_) | Ty::Float(FloatTy::F16 | FloatTy::F80 | FloatTy::F128) | Ty::Ptr => return None,
    };
    let suffix = match (int.width > 32, int.signed) {
        (true, true) => "LL",
        (true, false) => "ULL",
        (false, true) => "",
        (false, false) => "U",
    };
    if !int.signed {
        return Some(Number::Value(format!("{bits}{suffix}")));
    }
    let value = int.extend(bits);
    // The smallest number of a type is no literal of it.
    let smallest = -(1i128 << (int.width.max(32) - 1));
    let text = if value == smallest { format!("(-{}{suffix} - 1)", -(value + 1)) } else { format!("{value}{suffix}") };
    Some(Number::Value(text))
}

/// A floating value; `shortest` is the shortest decimal number that is read as this one and no other.
fn floating(is_nan: bool, is_infinite: bool, is_negative: bool, shortest: String) -> Number {
    match (is_nan, is_infinite, is_negative) {
        (true, _, _) => Number::None,
        (_, true, true) => Number::Value("-__builtin_inf()".to_string()),
        (_, true, false) => Number::Value("__builtin_inf()".to_string()),
        _ => Number::Value(shortest),
    }
}

/// The last edge of a run.
struct Last(Option<(FuncId, EdgeId)>);

impl Observer for Last {
    fn before(&mut self, _state: &StateView<'_>, step: Step) {
        self.0 = Some((step.func, step.edge));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_literals_of_c() {
        let int = |width, signed| Ty::int(width, signed);
        for (ty, bits, text) in [
            (int(32, true), 7, "7"),
            (int(32, true), 0xffff_ffff, "-1"),
            (int(32, true), 0x8000_0000, "(-2147483647 - 1)"),
            (int(32, false), 0xffff_ffff, "4294967295U"),
            (int(8, true), 0x80, "-128"),
            (int(64, true), 1 << 63, "(-9223372036854775807LL - 1)"),
            (int(64, false), 5, "5ULL"),
            (Ty::Bool, 1, "1U"),
            (Ty::Float(FloatTy::F32), u128::from(1.5f32.to_bits()), "1.5e0f"),
            (Ty::Float(FloatTy::F64), u128::from((-0.0f64).to_bits()), "-0e0"),
            (Ty::Float(FloatTy::F64), u128::from(f64::NEG_INFINITY.to_bits()), "-__builtin_inf()"),
        ] {
            assert_eq!(literal(ty, bits), Some(Number::Value(text.to_string())));
        }
        assert_eq!(literal(Ty::Float(FloatTy::F64), 0x7ff8 << 48), Some(Number::None));
        assert_eq!(literal(Ty::Ptr, 0), None);
    }
}

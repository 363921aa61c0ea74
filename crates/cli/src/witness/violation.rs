//! A run as a witness: what each call that gives a value from outside returned, in order, and where the run ends.

use super::places;
use crate::front::Front;
use certify::Counterexample;
use ir::interp::{self, At, Data, Entry, Input, Kind, Observer, StateView, Step};
use ir::{EdgeId, FuncId, IntTy, Ty};
use svcomp::witness::{Segment, Waypoint, WaypointKind};

/// The points that the run passes.
pub(super) fn segments(front: &Front, run: &Counterexample) -> Vec<Segment> {
    let mut out: Vec<Segment> = run.tape.entries.iter().filter_map(|e| returned(front, e)).map(follow).collect();
    if let Some((func, edge)) = end(front, run) {
        let place = places::start(front, func, front.edge(func, edge).span);
        out.push(follow(Waypoint { kind: WaypointKind::Target, place, constraint: None }));
    }
    out
}

fn follow(point: Waypoint) -> Segment {
    Segment { avoid: Vec::new(), follow: point }
}

/// The return of a call with a value from outside, as far as C can write the value.
fn returned(front: &Front, entry: &Entry) -> Option<Waypoint> {
    let (At::Edge(func, edge), Kind::Nondet | Kind::Result) = (entry.at, entry.kind) else { return None };
    let Data::Value(ty, Input::Bits(bits)) = entry.data else { return None };
    let place = places::end_of_call(front, func, front.edge(func, edge).span)?;
    let value = literal(ty, bits)?;
    Some(Waypoint { kind: WaypointKind::FunctionReturn, place, constraint: Some(format!("\\result == {value}")) })
}

/// The number as C writes it: of its own type, or one that is converted to it.
fn literal(ty: Ty, bits: u128) -> Option<String> {
    let int = match ty {
        Ty::Bool => IntTy { width: 8, signed: false },
        Ty::Int(int) if int.width <= 64 => int,
        Ty::Int(_) | Ty::Float(_) | Ty::Ptr => return None,
    };
    let suffix = match (int.width > 32, int.signed) {
        (true, true) => "LL",
        (true, false) => "ULL",
        (false, true) => "",
        (false, false) => "U",
    };
    if !int.signed {
        return Some(format!("{bits}{suffix}"));
    }
    let value = int.extend(bits);
    // The smallest number of a type is no literal of it.
    let smallest = -(1i128 << (int.width.max(32) - 1));
    Some(if value == smallest { format!("(-{}{suffix} - 1)", -(value + 1)) } else { format!("{value}{suffix}") })
}

/// The edge at which the run ends.
fn end(front: &Front, run: &Counterexample) -> Option<(FuncId, EdgeId)> {
    if let Some(path) = &run.path {
        return path.edges.last().copied();
    }
    struct Last(Option<(FuncId, EdgeId)>);
    impl Observer for Last {
        fn before(&mut self, _state: &StateView<'_>, step: Step) {
            self.0 = Some((step.func, step.edge));
        }
    }
    let mut last = Last(None);
    interp::run(&front.program, &mut run.tape.inputs(), &certify::replay::REPLAY_LIMITS, &mut last);
    last.0
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
        ] {
            assert_eq!(literal(ty, bits).as_deref(), Some(text));
        }
        assert_eq!(literal(Ty::Ptr, 0), None);
    }
}

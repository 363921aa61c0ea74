//! Makes a run that goes wrong easier to read: fewer steps, then smaller values.
//!
//! Engines hand over whatever run they came across; its inputs are a solver's choice. Inputs are left out and made smaller, one
//! change at a time, and the program is run again; a change stays if the run ends in the same target and is smaller
//! ([`Size`]). Left-out inputs are zero. This is delta debugging (Zeller and Hildebrandt, TSE 28(2), 2002) with a search by halves for
//! numbers. The result is replayed as every run is, and if that fails the run stays what it was: no verdict depends on
//! this file.
//!
//! The work is bounded by counts, so that the result is the same on every machine.

use certify::{Counterexample, replay};
use ir::interp::{
    self, Answer, At, Data, End, Entry, Input, InputError, Inputs, Kind, Observer, Patch, PatchData, PathRecorder,
    Pointer, Request, StateView, Step, Tape, What, ZeroInputs,
};
use ir::{EdgeId, FloatTy, FuncId, IntTy, Program, Ty};
use std::collections::{BTreeMap, VecDeque};

/// Runs that are tried.
const RUNS: u32 = 600;

/// Steps of all runs together; to prepare a run costs some for each edge of the program.
const WORK: u64 = 3_000_000;

/// Numbers of which each pair is tried.
const MOST_PAIRED: usize = 6;

/// A path is written down up to this length.
const LONGEST_PATH: u64 = 1 << 20;

/// The steps that are open when a run ends: of each activation the last one.
#[derive(Default)]
pub(crate) struct Stack(pub(crate) Vec<(FuncId, EdgeId)>);

impl Observer for Stack {
    fn before(&mut self, _state: &StateView<'_>, step: Step) {
        self.0.truncate(step.depth);
        self.0.push((step.func, step.edge));
    }
}

/// How large a run is; what comes first counts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    steps: u64,
    /// Allocations that fail, objects that the outside writes to.
    events: usize,
    /// The inputs' distances from zero, together.
    values: u128,
}

/// Whether a run ends in the same target, by the steps that are open at its end.
type Same<'a> = dyn Fn(&[(FuncId, EdgeId)]) -> bool + 'a;

/// A smaller run into the same target, or the run itself. `same` says of the steps that are open at the end whether this is the target.
pub(crate) fn shorten(program: &Program, run: Counterexample, same: &Same<'_>) -> Counterexample {
    if run.tape.entries.is_empty() {
        return run;
    }
    let edges: usize = program.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.edges.len()).sum();
    let mut search =
        Search { program, same, cost: edges as u64 / 4, runs: 0, work: 0, tape: run.tape.clone(), size: None };
    if !search.attempt(run.tape.clone()) {
        // The inputs in another order are another run.
        return run;
    }
    while search.round() {}
    search.finish().unwrap_or(run)
}

struct Search<'a> {
    program: &'a Program,
    same: &'a Same<'a>,
    /// What it costs to begin a run.
    cost: u64,
    runs: u32,
    work: u64,
    /// The best so far.
    tape: Tape,
    size: Option<Size>,
}

impl Search<'_> {
    fn exhausted(&self) -> bool {
        self.runs >= RUNS || self.work >= WORK
    }

    /// Tries these inputs; whether the run is smaller than the best so far, and thus the best now.
    fn attempt(&mut self, tape: Tape) -> bool {
        if self.exhausted() {
            return false;
        }
        // No run with more steps is better; steps over ranges of memory cost more than one.
        let steps = self.size.map_or(WORK, |s| 2 * s.steps + 1000);
        let limits = interp::Limits { steps, ..interp::Limits::default() };
        let mut stack = Stack::default();
        let ended = interp::run(self.program, &mut Wanted::new(tape), &limits, &mut stack);
        self.runs += 1;
        self.work += ended.steps + self.cost;
        if !matches!(ended.end, End::Error { .. }) || !(self.same)(&stack.0) {
            return false;
        }
        let size = size(ended.steps, &ended.tape);
        let better = self.size.is_none_or(|best| size < best);
        if better {
            self.size = Some(size);
            self.tape = ended.tape;
        }
        better
    }

    /// Tries the best tape with one entry changed.
    fn with(&mut self, index: usize, data: Data) -> bool {
        let mut tape = self.tape.clone();
        tape.entries[index].data = data;
        self.attempt(tape)
    }

    /// Once through all inputs; whether anything came of it.
    fn round(&mut self) -> bool {
        let before = self.size;
        let mut part = self.tape.entries.len();
        while part > 0 && !self.exhausted() {
            let mut from = 0;
            while from < self.tape.entries.len() && !self.exhausted() {
                let mut tape = self.tape.clone();
                tape.entries.drain(from..(from + part).min(tape.entries.len()));
                if !self.attempt(tape) {
                    from += part;
                }
            }
            part /= 2;
        }
        // What comes before an input in a run is the same whatever the input is, so that its index stays.
        let mut index = 0;
        while index < self.tape.entries.len() && !self.exhausted() {
            self.simplify(index);
            index += 1;
        }
        self.pairs();
        self.size < before && !self.exhausted()
    }

    /// The numbers among the inputs that could be smaller, the first few of them.
    fn numbers(&self) -> Vec<(usize, Ty, IntTy, i128)> {
        let number = |(i, entry): (usize, &Entry)| match entry.data {
            Data::Value(ty @ Ty::Int(int), Input::Bits(bits)) => Some((i, ty, int, signed(int, bits)?)),
            _ => None,
        };
        self.tape.entries.iter().enumerate().filter_map(number).filter(|n| n.3 != 0).take(MOST_PAIRED).collect()
    }

    /// Moves two numbers at once where neither can become smaller alone: their difference stays, or their sum.
    fn pairs(&mut self) {
        let count = self.numbers().len();
        let two = (0..count).flat_map(|i| (0..count).filter(move |j| *j != i).map(move |j| (i, j)));
        for ((i, j), opposite) in two.flat_map(|pair| [(pair, false), (pair, true)]) {
            let now = self.numbers();
            let (Some(&(a, a_ty, a_int, value)), Some(&(b, b_ty, b_int, other))) = (now.get(i), now.get(j)) else {
                continue;
            };
            let (mut value, mut other, mut by) = (value, other, value);
            while by != 0 && !self.exhausted() {
                let mut tape = self.tape.clone();
                let number = |ty, int: IntTy, v: i128| Data::Value(ty, Input::Bits(v as u128 & int.mask()));
                if (value - by).abs() >= value.abs() {
                    by /= 2;
                    continue;
                }
                let (less, moved) = (value - by, if opposite { other + by } else { other - by });
                tape.entries[a].data = number(a_ty, a_int, less);
                tape.entries[b].data = number(b_ty, b_int, moved);
                if self.attempt(tape) {
                    (value, other) = (less, moved);
                } else {
                    by /= 2;
                }
            }
        }
    }

    /// Makes one input as simple as it can be.
    fn simplify(&mut self, index: usize) {
        match self.tape.entries[index].data.clone() {
            Data::Value(ty @ Ty::Int(int), Input::Bits(bits)) => self.smaller(index, ty, int, bits),
            Data::Value(ty @ Ty::Float(float), Input::Bits(bits)) => {
                for simple in simple_floats(float, bits) {
                    if self.with(index, Data::Value(ty, Input::Bits(simple))) {
                        return;
                    }
                }
            }
            Data::Value(ty @ Ty::Bool, Input::Bits(1)) => {
                self.with(index, Data::Value(ty, Input::Bits(0)));
            }
            Data::Value(ty, Input::Pointer(Pointer::Object { object, offset })) if offset != 0 => {
                self.with(index, Data::Value(ty, Input::Pointer(Pointer::Object { object, offset: 0 })));
            }
            Data::Value(ty, Input::Pointer(Pointer::Ext(_) | Pointer::Raw(_))) => {
                self.with(index, Data::Value(ty, Input::Pointer(Pointer::Null)));
            }
            Data::Bytes(bytes) => self.smaller_bytes(index, &bytes),
            Data::Fails(true) => {
                self.with(index, Data::Fails(false));
            }
            Data::Writes(patches) if !patches.is_empty() => {
                if !self.with(index, Data::Writes(Vec::new())) {
                    self.smaller_patches(index);
                }
            }
            Data::Value(..) | Data::Fails(false) | Data::Writes(_) | Data::Base(_) => {}
        }
    }

    /// A number nearer to zero: zero itself, then by halves.
    fn smaller(&mut self, index: usize, ty: Ty, int: IntTy, bits: u128) {
        let to = |search: &mut Self, value: i128| {
            let bits = value as u128 & int.mask();
            index < search.tape.entries.len() && search.with(index, Data::Value(ty, Input::Bits(bits)))
        };
        let Some(value) = signed(int, bits) else { return };
        if value == 0 || to(self, 0) {
            return;
        }
        let mut works = if value < 0 && value != i128::MIN && to(self, -value) { -value } else { value };
        let mut fails = 0;
        while (works - fails).unsigned_abs() > 1 && !self.exhausted() {
            let middle = fails + (works - fails) / 2;
            if to(self, middle) {
                works = middle;
            } else {
                fails = middle;
            }
        }
    }

    /// Fewer changes to an object, of smaller numbers.
    fn smaller_patches(&mut self, index: usize) {
        let mut at = 0;
        while let Some(Data::Writes(now)) = self.tape.entries.get(index).map(|e| e.data.clone())
            && at < now.len().min(16)
            && !self.exhausted()
        {
            let mut fewer = now.clone();
            fewer.remove(at);
            if self.with(index, Data::Writes(fewer)) {
                continue;
            }
            if let PatchData::Bytes(bytes) = &now[at].data
                && let Some(value) = number(bytes)
            {
                let mut to = |value: u64| {
                    let mut changed = now.clone();
                    changed[at].data = PatchData::Bytes(value.to_le_bytes()[..bytes.len()].to_vec());
                    self.with(index, Data::Writes(changed))
                };
                let (mut works, mut fails) = (value, 0);
                if value > 0 && to(0) {
                    works = 0;
                }
                while works > fails + 1 {
                    let middle = fails + (works - fails) / 2;
                    if to(middle) {
                        works = middle;
                    } else {
                        fails = middle;
                    }
                }
            }
            at += 1;
        }
    }

    fn smaller_bytes(&mut self, index: usize, bytes: &[u8]) {
        if bytes.iter().all(|b| *b == 0) || self.with(index, Data::Bytes(vec![0; bytes.len()])) {
            return;
        }
        for at in 0..bytes.len().min(64) {
            let Some(Data::Bytes(now)) = self.tape.entries.get(index).map(|e| e.data.clone()) else { return };
            for simple in [0, 1] {
                let mut changed = now.clone();
                if at < changed.len() && changed[at] > simple {
                    changed[at] = simple;
                    if self.with(index, Data::Bytes(changed)) {
                        break;
                    }
                }
            }
        }
    }

    /// The best run, replayed.
    fn finish(self) -> Option<Counterexample> {
        let path = (self.size?.steps <= LONGEST_PATH).then(|| {
            let mut recorder = PathRecorder::default();
            interp::run(self.program, &mut self.tape.inputs(), &replay::REPLAY_LIMITS, &mut recorder);
            recorder.path
        });
        Some(replay::replay(self.program, Counterexample { path, tape: self.tape }).ok()?.get().clone())
    }
}

/// Bytes as a number, the first one lowest.
fn number(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= 8).then(|| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
}

/// How large what is written is.
fn written(patches: &[Patch]) -> u128 {
    let value = |p: &Patch| match &p.data {
        PatchData::Bytes(bytes) => number(bytes).map_or_else(|| bytes.iter().map(|b| u128::from(*b)).sum(), u128::from),
        PatchData::Pointer(_) => 0,
    };
    patches.iter().map(|p| 1 + value(p)).fold(0, u128::saturating_add)
}

fn size(steps: u64, tape: &Tape) -> Size {
    let is_event =
        |e: &&Entry| matches!(&e.data, Data::Fails(true)) || matches!(&e.data, Data::Writes(w) if !w.is_empty());
    let value = |e: &Entry| match &e.data {
        Data::Value(Ty::Int(int), Input::Bits(bits)) => {
            // A positive number is simpler than its opposite.
            signed(*int, *bits).map_or(u128::MAX, |v| v.unsigned_abs().saturating_mul(2) + u128::from(v < 0))
        }
        Data::Value(Ty::Float(float), Input::Bits(bits)) => {
            let simple = simple_floats(*float, *bits);
            let rank = simple.iter().position(|s| s == bits).unwrap_or(simple.len());
            if *bits == 0 { 0 } else { 1 + rank as u128 }
        }
        Data::Value(_, Input::Bits(bits)) => *bits,
        Data::Value(_, Input::Pointer(Pointer::Object { offset, .. })) => u128::from(offset.unsigned_abs()),
        Data::Bytes(bytes) => bytes.iter().map(|b| u128::from(*b)).sum(),
        Data::Writes(patches) => written(patches),
        Data::Value(_, Input::Pointer(_)) | Data::Fails(_) | Data::Base(_) => 0,
    };
    let values = tape.entries.iter().map(value).fold(0, u128::saturating_add);
    Size { steps, events: tape.entries.iter().filter(is_event).count(), values }
}

/// The number that a pattern stands for, unless it is too large to calculate with.
fn signed(int: IntTy, bits: u128) -> Option<i128> {
    let bits = bits & int.mask();
    if int.signed && int.width < 128 && bits >> (int.width - 1) & 1 == 1 {
        return Some((bits | !int.mask()) as i128);
    }
    i128::try_from(bits).ok().filter(|v| v.unsigned_abs() < 1 << 126)
}

/// Numbers that everybody can read, the simplest first.
const ROUND: [f64; 12] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 10.0, -10.0, 100.0, -100.0, 1000.0, 1e6];

/// Patterns of numbers that are easier to read than this one, the simplest first: round ones, the nearest whole number.
fn simple_floats(ty: FloatTy, bits: u128) -> Vec<u128> {
    let of = |x: f64| match ty {
        FloatTy::F16 => Some(ir::library::math::pattern(ty, x)),
        FloatTy::F32 => Some(u128::from((x as f32).to_bits())),
        FloatTy::F64 => Some(u128::from(x.to_bits())),
        FloatTy::F80 | FloatTy::F128 => (x == 0.0).then_some(0),
    };
    let now = match ty {
        FloatTy::F16 => ir::library::math::number(ty, bits),
        FloatTy::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        FloatTy::F64 => Some(f64::from_bits(bits as u64)),
        FloatTy::F80 | FloatTy::F128 => None,
    };
    let whole = now.filter(|x| x.is_finite() && x.abs() < 1e15).map(f64::round);
    ROUND.into_iter().chain(whole).filter_map(of).collect()
}

/// Inputs by place and kind: what is asked for gets the next that was taken there, and zero where there is none.
struct Wanted {
    queues: BTreeMap<(At, Kind), VecDeque<Data>>,
}

impl Wanted {
    fn new(tape: Tape) -> Wanted {
        let mut queues: BTreeMap<(At, Kind), VecDeque<Data>> = BTreeMap::new();
        for entry in tape.entries {
            queues.entry((entry.at, entry.kind)).or_default().push_back(entry.data);
        }
        Wanted { queues }
    }
}

impl Inputs for Wanted {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let next = self.queues.get_mut(&(request.at, Kind::of(&request.what))).and_then(VecDeque::pop_front);
        Ok(match (next, &request.what) {
            (Some(Data::Value(ty, v)), What::Value { ty: wanted, .. }) if ty == *wanted => Answer::Value(v),
            (Some(Data::Bytes(b)), What::Bytes { len, .. }) if b.len() as u64 == *len => Answer::Bytes(b),
            (Some(Data::Fails(f)), What::Fails { .. }) => Answer::Fails(f),
            (Some(Data::Writes(w)), What::Writes { .. }) => Answer::Writes(w),
            (Some(Data::Writes(w)), What::Value { from: interp::InputCause::Global(..), .. }) if w.is_empty() => {
                Answer::Writes(w)
            }
            (Some(Data::Base(b)), What::Base { .. }) => Answer::Base(Some(b)),
            _ => return ZeroInputs.answer(request),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ordered_by_their_distance_from_zero() {
        let int = IntTy { width: 8, signed: true };
        let of = |bits: u128| {
            let data = Data::Value(Ty::Int(int), Input::Bits(bits));
            let tape = Tape { entries: vec![Entry { at: At::Start, kind: Kind::Nondet, data }] };
            size(1, &tape).values
        };
        assert_eq!([0, 1, 0xff, 2, 0xfe, 0x80].map(of), [0, 2, 3, 4, 5, 257]);
        assert_eq!(signed(IntTy { width: 128, signed: false }, u128::MAX), None);
        let three = u128::from(2.75f64.to_bits());
        assert_eq!(simple_floats(FloatTy::F64, three).last(), Some(&u128::from(3f64.to_bits())));
    }
}

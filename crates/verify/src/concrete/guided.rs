//! Guided runs: the inputs of a run that did something new are changed a little, again and again.
//!
//! This is coverage-guided search as greybox fuzzers do it (M. Zalewski, *American Fuzzy Lop*, 2013), drawn to the targets by the
//! distance to them (M. Böhme and others, *Directed Greybox Fuzzing*, CCS 2017). What is changed are the entries of a run's tape, so
//! a changed value stays the answer to the same question of the program as long as the run goes the same way. Values come from
//! the numbers that stand in the program ([`super::dictionary`]).
//!
//! The search goes on from turn to turn. Nothing here is random: equal programs and limits give equal runs.

use super::coverage::Coverage;
use super::dictionary::Dictionary;
use base::rng::Rng;
use ir::interp::{
    self, Answer, At, Data, End, Entry, Execution, Input, InputError, Inputs, Kind, Pointer, Prepared, RandomInputs,
    Request, What,
};
use ir::{FuncId, Program, Ty};

/// What a run costs beside its steps: memory is set up.
const STEPS_PER_RUN: u64 = 100;
/// So many entries further on an entry is looked for that fits a request.
const LOOK_AHEAD: usize = 32;
/// Entries of all tapes that are kept.
const MOST_ENTRIES: usize = 2_000_000;
/// The first runs, which have nothing to go on from.
const FIRST_RUNS: u64 = 16;
/// Pointers from outside lie so far apart, so that what they lead to is mostly different.
const DISTANCE: u64 = 1 << 16;
/// How many such places there are.
const PLACES: u64 = 64;

/// A run whose inputs are worth changing.
struct Seed {
    tape: Vec<Entry>,
    nearest: u32,
    /// How often its inputs were changed.
    used: u64,
}

/// The search.
pub(super) struct Guided<'p> {
    prepared: Prepared<'p>,
    coverage: Coverage<'p>,
    dictionary: Dictionary,
    seeds: Vec<Seed>,
    entries: usize,
    rng: Rng,
    runs: u64,
}

impl<'p> Guided<'p> {
    pub(super) fn new(program: &'p Program) -> Guided<'p> {
        Guided {
            prepared: Prepared::new(program),
            coverage: Coverage::new(program),
            dictionary: Dictionary::new(program),
            seeds: Vec::new(),
            entries: 0,
            rng: Rng::new(1),
            runs: 0,
        }
    }

    /// Whether there is something to change: some run took an input.
    pub(super) fn can_go_on(&self) -> bool {
        self.runs < FIRST_RUNS || !self.seeds.is_empty()
    }

    /// Makes one run of at most so many steps, and what it cost.
    pub(super) fn run(&mut self, limits: &interp::Limits) -> (Execution, u64) {
        let tape = if self.runs < FIRST_RUNS { Vec::new() } else { self.changed() };
        self.runs += 1;
        let mut inputs = Inherited {
            entries: &tape,
            next: 0,
            random: RandomInputs::new(self.rng.bits()),
            rng: &mut self.rng,
            dictionary: &self.dictionary,
        };
        let execution = self.prepared.run(&mut inputs, limits, &mut self.coverage);
        let (new, nearest) = self.coverage.take();
        if new && !matches!(execution.end, End::BadInput { .. }) {
            self.keep(execution.tape.entries.clone(), nearest);
        }
        let cost = execution.steps + STEPS_PER_RUN;
        (execution, cost)
    }

    fn keep(&mut self, tape: Vec<Entry>, nearest: u32) {
        if tape.is_empty() || self.entries + tape.len() > MOST_ENTRIES {
            return;
        }
        self.entries += tape.len();
        self.seeds.push(Seed { tape, nearest, used: 0 });
    }

    /// One of the tapes, changed in a few places.
    fn changed(&mut self) -> Vec<Entry> {
        let chosen = self.choose();
        self.seeds[chosen].used += 1;
        let other = self.rng.index(self.seeds.len());
        let (rng, old) = (&mut self.rng, &self.seeds[chosen].tape);
        let mut tape = old.clone();
        match rng.below(10) {
            // What comes behind some place is new, or as in another run, or comes once more.
            0 => tape.truncate(rng.index(old.len())),
            1 => {
                tape.truncate(rng.index(old.len()));
                let other = &self.seeds[other].tape;
                tape.extend_from_slice(&other[rng.index(other.len())..]);
            }
            2 => {
                tape.truncate(1 + rng.index(old.len()));
                tape.extend_from_slice(&old[rng.index(tape.len())..]);
            }
            _ => {}
        }
        if tape.is_empty() {
            return tape;
        }
        let changes = 1 << rng.below(4);
        for _ in 0..changes {
            let at = rng.index(tape.len());
            let like = rng.index(tape.len());
            let data = match (&tape[at].data, &tape[like].data) {
                (Data::Value(ty, _), Data::Value(other, value)) if ty == other && rng.chance(15) => {
                    Data::Value(*ty, *value)
                }
                (Data::Value(ty, value), _) => {
                    let func = function(tape[at].at);
                    Data::Value(*ty, changed_value(*ty, *value, func, &self.dictionary, rng))
                }
                (Data::Bytes(bytes), _) => Data::Bytes(changed_bytes(bytes, rng)),
                (Data::Fails(fails), _) => Data::Fails(!fails),
                (Data::Writes(_), _) => Data::Writes(Vec::new()),
                (Data::Base(base), _) => Data::Base(*base),
            };
            tape[at].data = data;
        }
        tape
    }

    /// The next seed to change: one of the newest, one of those that came nearest to a target, or the one that was changed least.
    fn choose(&mut self) -> usize {
        let n = self.seeds.len();
        let least = |seeds: &[Seed], among: &mut dyn Iterator<Item = usize>| {
            among.min_by_key(|&i| (seeds[i].used, std::cmp::Reverse(i))).expect("there are seeds")
        };
        match self.rng.below(3) {
            0 => n - 1 - self.rng.index(n.min(16)),
            1 => {
                let nearest = self.seeds.iter().map(|s| s.nearest).min().expect("there are seeds");
                least(&self.seeds, &mut (0..n).filter(|&i| self.seeds[i].nearest == nearest))
            }
            _ => least(&self.seeds, &mut (0..n)),
        }
    }
}

fn function(at: At) -> Option<FuncId> {
    match at {
        At::Start => None,
        At::Edge(func, _) => Some(func),
    }
}

fn changed_value(ty: Ty, old: Input, func: Option<FuncId>, dictionary: &Dictionary, rng: &mut Rng) -> Input {
    match (ty, old) {
        (Ty::Bool, Input::Bits(bits)) => Input::Bits(bits ^ 1),
        (Ty::Int(int), Input::Bits(bits)) => Input::Bits(match rng.below(8) {
            0 => bits.wrapping_add(u128::from(1 + rng.below(4))) & int.mask(),
            1 => bits.wrapping_sub(u128::from(1 + rng.below(4))) & int.mask(),
            2 => bits ^ 1 << rng.below(u64::from(int.width)),
            _ => dictionary.number(func, int, rng),
        }),
        (Ty::Ptr, _) => Input::Pointer(pointer(rng)),
        (Ty::Float(float), Input::Bits(bits)) => Input::Bits(bits ^ 1 << rng.below(u64::from(float.width()))),
        (_, old) => old,
    }
}

fn changed_bytes(old: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = old.to_vec();
    if !bytes.is_empty() {
        let at = rng.index(bytes.len());
        bytes[at] = if rng.chance(50) { bytes[at] ^ 1 << rng.below(8) } else { rng.bits() as u8 };
    }
    bytes
}

fn pointer(rng: &mut Rng) -> Pointer {
    match rng.below(4) {
        0 => Pointer::Null,
        _ => Pointer::Ext(DISTANCE * rng.below(PLACES)),
    }
}

/// The entries of a tape as answers as long as they fit, others otherwise.
struct Inherited<'a> {
    entries: &'a [Entry],
    next: usize,
    random: RandomInputs,
    rng: &'a mut Rng,
    dictionary: &'a Dictionary,
}

impl Inherited<'_> {
    /// The next entry that fits the request, if there is one not far from here.
    fn fitting(&mut self, request: &Request<'_>) -> Option<Answer> {
        let kind = Kind::of(&request.what);
        let near = self.entries.iter().enumerate().skip(self.next).take(LOOK_AHEAD);
        for (i, entry) in near {
            if (entry.at, entry.kind) != (request.at, kind) {
                continue;
            }
            let answer = match (&entry.data, &request.what) {
                (Data::Value(ty, value), What::Value { ty: wanted, .. }) if ty == wanted => Answer::Value(*value),
                (Data::Bytes(bytes), What::Bytes { len, .. }) if bytes.len() as u64 == *len => {
                    Answer::Bytes(bytes.clone())
                }
                (Data::Fails(fails), What::Fails { .. }) => Answer::Fails(*fails),
                (Data::Writes(patches), What::Writes { .. }) => Answer::Writes(patches.clone()),
                _ => continue,
            };
            self.next = i + 1;
            return Some(answer);
        }
        None
    }
}

impl Inputs for Inherited<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        if let Some(answer) = self.fitting(request) {
            return Ok(answer);
        }
        Ok(match request.what {
            What::Value { ty: Ty::Int(int), .. } => {
                Answer::Value(Input::Bits(self.dictionary.number(function(request.at), int, self.rng)))
            }
            What::Value { ty: Ty::Ptr, .. } => Answer::Value(Input::Pointer(pointer(self.rng))),
            What::Writes { .. } => Answer::Writes(Vec::new()),
            _ => return self.random.answer(request),
        })
    }
}

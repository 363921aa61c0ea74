//! The oracle for replay: a counterexample is accepted exactly if the run it describes is one.
//!
//! Counterexamples come from random runs that reach a target. Each is then changed: an entry of its tape left out, one too
//! many, one with another value, an edge of its path replaced, left out or added. Whether the changed one is still a
//! counterexample is decided apart from the tape's own bookkeeping: the run is made once more with inputs that
//! give the entries' values to whoever asks, whatever it asks for, and what it took is compared with the tape. For paths,
//! the path formula of `vc` decides.

use analysis::Analysis;
use base::Id;
use base::rng::Rng;
use certify::{Counterexample, replay};
use ir::interp::{
    self, Answer, Data, End, Entry, Input, InputError, Inputs, Limits, PathRecorder, Pointer, RandomInputs, Request,
    Tape, Unobserved, What,
};
use ir::random::Knobs;
use ir::{EdgeId, Path, Program, Ty};
use vc::Encoder;
use vc::path::{PathError, path_formula};

use crate::statistics::Statistics;

/// Checks the programs of the seeds `first .. first + count`.
pub fn replays(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        one(seed, &mut stats).map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(stats)
}

fn one(seed: u64, stats: &mut Statistics) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let knobs = if seed.is_multiple_of(3) { Knobs::all() } else { Knobs::default() };
    let program = ir::random::program(&mut rng, &knobs);
    stats.add("programs", 1);
    for k in 0..8 {
        let mut inputs = RandomInputs::new(seed.wrapping_mul(131).wrapping_add(k));
        let mut recorder = PathRecorder::default();
        let limits = Limits { steps: 300, ..Limits::default() };
        let run = interp::run(&program, &mut inputs, &limits, &mut recorder);
        if !matches!(run.end, End::Error { .. }) {
            continue;
        }
        let case = Case { program: &program, path: recorder.path, tape: run.tape };
        let wrong = |e| format!("run {k}: {e}\n{}", ir::text::print(&program));
        case.itself(stats).map_err(wrong)?;
        for _ in 0..6 {
            case.changed_tape(&mut rng, stats).map_err(wrong)?;
            case.changed_path(&mut rng, stats).map_err(wrong)?;
        }
    }
    Ok(())
}

/// A run that reaches a target.
struct Case<'p> {
    program: &'p Program,
    path: Path,
    tape: Tape,
}

impl Case<'_> {
    /// The counterexample is accepted, with its path and without.
    fn itself(&self, stats: &mut Statistics) -> Result<(), String> {
        for path in [Some(self.path.clone()), None] {
            replay(self.program, Counterexample { path, tape: self.tape.clone() })
                .map_err(|e| format!("a counterexample is rejected: {e}"))?;
        }
        stats.add("counterexamples", 1);
        Ok(())
    }

    fn changed_tape(&self, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
        let mut tape = self.tape.clone();
        let n = tape.entries.len();
        let what = match rng.below(3) {
            0 if n > 0 => {
                tape.entries.remove(rng.index(n));
                "missing entry"
            }
            1 if n > 0 => {
                let entry = &mut tape.entries[rng.index(n)];
                entry.data = other_data(rng, &entry.data, self.program);
                "changed entry"
            }
            _ => {
                let entry = if n > 0 { tape.entries[rng.index(n)].clone() } else { some_entry() };
                let at = if rng.chance(40) { n } else { rng.index(n + 1) };
                tape.entries.insert(at, entry);
                "surplus entry"
            }
        };
        if tape == self.tape {
            return Ok(());
        }
        for path in [Some(self.path.clone()), None] {
            let Some(holds) = self.describes(path.as_ref(), &tape) else { continue };
            let accepted = replay(self.program, Counterexample { path, tape: tape.clone() });
            match (holds, accepted) {
                (true, Ok(_)) => stats.add(format!("harmless: {what}"), 1),
                (false, Err(_)) => stats.add(format!("rejected: {what}"), 1),
                (true, Err(e)) => return Err(format!("{what}: still a counterexample, but rejected: {e}")),
                (false, Ok(_)) => return Err(format!("{what}: no counterexample any more, but accepted")),
            }
        }
        Ok(())
    }

    /// Whether the run that these values lead to reaches the target and takes the tape exactly; `None` if it does not end.
    fn describes(&self, path: Option<&Path>, tape: &Tape) -> Option<bool> {
        let mut inputs = Loose { tape, next: 0 };
        let limits = Limits { steps: 1_000, ..Limits::default() };
        let run = match path {
            Some(path) => interp::follow(self.program, path, &mut inputs, &limits, &mut Unobserved),
            None => interp::run(self.program, &mut inputs, &limits, &mut Unobserved),
        };
        let whole = path.is_none_or(|p| p.edges.len() as u64 == run.steps);
        match run.end {
            End::Limit(_) => None,
            End::Error { .. } => Some(whole && run.tape == *tape),
            _ => Some(false),
        }
    }

    fn changed_path(&self, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
        let mut path = self.path.clone();
        let at = rng.index(path.edges.len());
        let (func, edge) = path.edges[at];
        match rng.below(4) {
            0 => {
                let body = self.program.body(func);
                path.edges[at] = (func, EdgeId::from_index(rng.index(body.edges.len())));
            }
            1 => drop(path.edges.remove(at)),
            2 => path.edges.push((func, edge)),
            _ => path.edges.insert(at, (func, edge)),
        }
        if path == self.path {
            return Ok(());
        }
        let accepted = replay(self.program, Counterexample { path: Some(path.clone()), tape: self.tape.clone() });
        let analysis = Analysis::new(self.program);
        let mut enc = Encoder::for_proof(&analysis);
        match (path_formula(&mut enc, &path.edges), accepted) {
            (_, Err(_)) => stats.add("rejected: changed path", 1),
            (Err(PathError::Broken(i)), Ok(_)) => return Err(format!("a path broken at step {i} is accepted")),
            // Two edges between the same locations, both enabled: another path, but a path.
            (_, Ok(_)) => stats.add("harmless: changed path", 1),
        }
        Ok(())
    }
}

/// An entry for a program that draws nothing.
fn some_entry() -> Entry {
    let data = Data::Value(Ty::int(32, true), Input::Bits(0));
    Entry { at: interp::At::Start, kind: interp::Kind::Nondet, data }
}

/// Another answer of the same form.
fn other_data(rng: &mut Rng, data: &Data, program: &Program) -> Data {
    match data {
        Data::Value(ty, Input::Bits(bits)) => {
            let flipped = bits ^ (1u128 << rng.index(ty.width(program.model).into()));
            Data::Value(*ty, Input::Bits(flipped))
        }
        Data::Value(ty, Input::Pointer(_)) => {
            let other = *rng.pick(&[Pointer::Null, Pointer::Ext(0), Pointer::Ext(64), Pointer::Raw(1 << 20)]);
            Data::Value(*ty, Input::Pointer(other))
        }
        Data::Bytes(bytes) if !bytes.is_empty() => {
            let mut bytes = bytes.clone();
            let at = rng.index(bytes.len());
            bytes[at] ^= 1 << rng.index(8);
            Data::Bytes(bytes)
        }
        Data::Fails(f) => Data::Fails(!f),
        Data::Writes(_) => Data::Writes(Vec::new()),
        Data::Base(b) => Data::Base(b.wrapping_add(4096)),
        Data::Bytes(_) => data.clone(),
    }
}

/// Gives the values of a tape to whoever asks, and zero where they do not fit.
struct Loose<'t> {
    tape: &'t Tape,
    next: usize,
}

impl Inputs for Loose<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let entry = self.tape.entries.get(self.next);
        if let What::Base { object, .. } = request.what {
            // Only chosen bases are on a tape, and only an entry that names this object is one.
            return Ok(match entry {
                Some(Entry { at, kind: interp::Kind::Base(o), data: Data::Base(b) })
                    if *o == object && *at == request.at =>
                {
                    self.next += 1;
                    Answer::Base(Some(*b))
                }
                _ => Answer::Base(None),
            });
        }
        self.next += 1;
        Ok(match (&request.what, entry.map(|e| &e.data)) {
            (What::Value { ty, .. }, Some(Data::Value(t, v))) if t == ty => Answer::Value(*v),
            (What::Value { from: interp::InputCause::Global(..), .. }, Some(Data::Writes(w))) if w.is_empty() => {
                Answer::Writes(Vec::new())
            }
            (What::Bytes { len, .. }, Some(Data::Bytes(b))) if b.len() as u64 == *len => Answer::Bytes(b.clone()),
            (What::Fails { .. }, Some(Data::Fails(f))) => Answer::Fails(*f),
            (What::Writes { .. }, Some(Data::Writes(w))) => Answer::Writes(w.clone()),
            _ => interp::ZeroInputs.answer(request)?,
        })
    }
}

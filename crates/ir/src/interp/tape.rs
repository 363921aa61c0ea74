//! The tape: all answers that a run got, in the order of execution, each with its place and kind.
//!
//! A tape is strict. Read as [`Inputs`] it answers exactly the requests it was made for: a request that the next entry does
//! not fit, a request after the last entry, and entries left over are errors. `docs/tape.md` has the text form.

use super::inputs::*;
use crate::syntax::*;
use base::sabotage::{self, Fault};
use std::fmt;

/// The answers of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    /// In the order of execution.
    pub entries: Vec<Entry>,
}

/// One answer and where it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub at: At,
    /// What kind of request it answers.
    pub kind: Kind,
    /// The answer.
    pub data: Data,
}

/// The kind of a request, as far as a tape names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Source::Nondet`].
    Nondet,
    /// [`Source::Outside`].
    Outside,
    /// [`InputCause::Uninit`].
    Uninit,
    /// [`Source::Padding`].
    Padding,
    /// [`InputCause::Result`].
    Result,
    /// [`InputCause::Global`]; which global.
    Global(GlobalId),
    /// [`What::Fails`].
    Malloc,
    /// [`What::Writes`]; which object.
    Writes(u32),
    /// [`What::Base`]; which object.
    Base(u32),
}

/// The answer of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A value of this type.
    Value(Ty, Input),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Whether an allocation fails.
    Fails(bool),
    /// What is written; nothing for "unchanged".
    Writes(Vec<Patch>),
    /// An address.
    Base(u64),
}

/// Why inputs do not fit a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The tape ends, but the run asks for more.
    Missing(String),
    /// The next entry of the tape is for something else.
    Mismatch(String),
    /// The run has ended, but the tape goes on.
    Surplus(String),
    /// The answer makes no sense: of the wrong type or form, a pointer to an object that does not exist or never
    /// escaped, an address that is taken.
    Invalid(String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Missing(s) => write!(f, "the tape ends too early: {s}"),
            InputError::Mismatch(s) => write!(f, "the tape does not fit: {s}"),
            InputError::Surplus(s) => write!(f, "the tape has entries left over: {s}"),
            InputError::Invalid(s) => write!(f, "impossible input: {s}"),
        }
    }
}

impl std::error::Error for InputError {}

impl Kind {
    /// The kind of a request.
    pub fn of(what: &What<'_>) -> Kind {
        match what {
            What::Value { from, .. } | What::Bytes { from, .. } => match from {
                InputCause::Source(Source::Outside(_)) => Kind::Outside,
                InputCause::Source(Source::Padding) | InputCause::Uninit(Origin::Object { padding: true, .. }) => {
                    Kind::Padding
                }
                InputCause::Source(Source::Uninit) | InputCause::Uninit(_) => Kind::Uninit,
                InputCause::Source(Source::Nondet(_)) => Kind::Nondet,
                InputCause::Result(_) => Kind::Result,
                InputCause::Global(_, g) => Kind::Global(*g),
            },
            What::Fails { .. } => Kind::Malloc,
            What::Writes { object, .. } => Kind::Writes(*object),
            What::Base { object, .. } => Kind::Base(*object),
        }
    }
}

impl Tape {
    /// Writes down an answer. A base that was left to the interpreter is no entry.
    pub(crate) fn record(&mut self, request: &Request<'_>, answer: &Answer) {
        let data = match (answer, &request.what) {
            (Answer::Value(v), What::Value { ty, .. }) => Data::Value(*ty, *v),
            (Answer::Value(_) | Answer::Base(None), _) => return,
            (Answer::Bytes(b), _) => Data::Bytes(b.clone()),
            (Answer::Fails(f), _) => Data::Fails(*f),
            (Answer::Writes(w), _) => Data::Writes(w.clone()),
            (Answer::Base(Some(b)), _) => Data::Base(*b),
        };
        self.entries.push(Entry { at: request.at, kind: Kind::of(&request.what), data });
    }

    /// The tape as inputs, from its first entry.
    pub fn inputs(&self) -> TapeInputs<'_> {
        TapeInputs { tape: self, next: 0 }
    }
}

/// A [`Tape`] that is being read.
#[derive(Clone, Debug)]
pub struct TapeInputs<'a> {
    tape: &'a Tape,
    next: usize,
}

impl Inputs for TapeInputs<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let wanted = Kind::of(&request.what);
        let entry = self.tape.entries.get(self.next).filter(|e| e.at == request.at && e.kind == wanted);
        if let (What::Base { .. }, None) = (&request.what, entry) {
            // Only chosen bases are on the tape.
            return Ok(Answer::Base(None));
        }
        let Some(next) = self.tape.entries.get(self.next) else {
            return Err(InputError::Missing(format!("{wanted:?} at {:?}", request.at)));
        };
        let mismatch = || {
            let Entry { at, kind, .. } = next;
            InputError::Mismatch(format!(
                "entry {} is {kind:?} at {at:?}, but {wanted:?} at {:?} is asked for",
                self.next + 1,
                request.at
            ))
        };
        let answer = match (entry.map(|e| &e.data), &request.what) {
            (Some(Data::Value(ty, v)), What::Value { ty: wanted, .. }) if ty == wanted => Answer::Value(*v),
            (Some(Data::Writes(w)), What::Value { from: InputCause::Global(..), .. }) if w.is_empty() => {
                Answer::Writes(Vec::new())
            }
            (Some(Data::Bytes(b)), What::Bytes { len, .. }) if b.len() as u64 == *len => Answer::Bytes(b.clone()),
            (Some(Data::Fails(f)), What::Fails { .. }) => Answer::Fails(*f),
            (Some(Data::Writes(w)), What::Writes { .. }) => Answer::Writes(w.clone()),
            (Some(Data::Base(b)), What::Base { .. }) => Answer::Base(Some(*b)),
            _ => return Err(mismatch()),
        };
        self.next += 1;
        Ok(answer)
    }

    fn skip(&mut self, request: &Request<'_>) -> Option<Input> {
        let wanted = Kind::of(&request.what);
        let entry = self.tape.entries.get(self.next).filter(|e| e.at == request.at && e.kind == wanted)?;
        let Data::Value(_, input) = entry.data else { return None };
        self.next += 1;
        Some(input)
    }

    fn finish(&mut self) -> Result<(), InputError> {
        let left = self.tape.entries.len() - self.next;
        if left == 0 || sabotage::active(Fault::ReplayAcceptsSurplus) {
            Ok(())
        } else {
            Err(InputError::Surplus(format!("{left} of {}", self.tape.entries.len())))
        }
    }
}

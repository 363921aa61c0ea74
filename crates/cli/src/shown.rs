//! What a program prints in a run that was made without its printing: the tape and the trace of a run name the edges of the
//! program as `check` sees it, in which printing leaves no trace. The same answers in the same order drive the program that
//! prints.
//!
//! The printing program has more edges and objects, so answers are matched by their form alone; a tape that chooses where objects
//! lie, or points into them, cannot be followed that way, and then nothing is printed.

use ir::interp::{Answer, Data, Entry, Input, InputCause, InputError, Inputs, PatchData, Pointer, Request, Tape, What};

/// The answers of a tape, whatever edge they belong to.
pub(crate) struct Sequence<'a> {
    rest: std::slice::Iter<'a, Entry>,
}

impl<'a> Sequence<'a> {
    /// The answers of a tape, if they mean the same in a program with other objects.
    pub(crate) fn of(tape: &'a Tape) -> Option<Sequence<'a>> {
        let plain = |p: &Pointer| !matches!(p, Pointer::Object { .. });
        let fine = |entry: &Entry| match &entry.data {
            Data::Value(_, Input::Pointer(p)) => plain(p),
            Data::Writes(patches) => patches.iter().all(|p| match &p.data {
                PatchData::Pointer(p) => plain(p),
                PatchData::Bytes(_) => true,
            }),
            Data::Base(_) => false,
            Data::Value(..) | Data::Bytes(_) | Data::Fails(_) => true,
        };
        tape.entries.iter().all(fine).then(|| Sequence { rest: tape.entries.iter() })
    }
}

impl Inputs for Sequence<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        if matches!(request.what, What::Base { .. }) {
            return Ok(Answer::Base(None));
        }
        let missing = || InputError::Missing("an answer".to_owned());
        Ok(match (&self.rest.next().ok_or_else(missing)?.data, &request.what) {
            (Data::Value(ty, v), What::Value { ty: wanted, .. }) if ty == wanted => Answer::Value(*v),
            (Data::Writes(w), What::Value { from: InputCause::Global(..), .. }) if w.is_empty() => {
                Answer::Writes(Vec::new())
            }
            (Data::Bytes(b), What::Bytes { len, .. }) if b.len() as u64 == *len => Answer::Bytes(b.clone()),
            (Data::Fails(f), What::Fails { .. }) => Answer::Fails(*f),
            (Data::Writes(w), What::Writes { .. }) => Answer::Writes(w.clone()),
            _ => return Err(InputError::Mismatch("an answer of another form".to_owned())),
        })
    }
}

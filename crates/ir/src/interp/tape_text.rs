//! The text form of tapes; `docs/tape.md` is its manual.

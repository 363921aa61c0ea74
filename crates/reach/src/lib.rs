//! Bebop: summaries, invariants and shortest traces of boolean programs.

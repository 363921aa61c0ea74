//! The formats of the competition on software verification (SV-COMP), as data with readers and writers: task definitions
//! ([`task`]) and witnesses ([`witness`]) - YAML of version 2.0 ([`yaml`]) and GraphML of version 1.0 ([`graphml`]).
//!
//! Nothing here knows programs: conditions are text, places are lines and columns. What a witness means for a program is decided
//! in `cli`. No file is read here, and no clock: whoever writes a witness says when.

pub mod graphml;
pub mod task;
pub mod witness;
pub mod yaml;

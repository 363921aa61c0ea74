//! Random programs, fixtures and oracles; for tests and xtask only.

pub mod agreement;
pub mod annotations;
pub mod cgen;
pub mod compile;
pub mod containment;
mod ctext;
pub mod ctypes;
pub mod differential;
pub mod drivers;
pub mod environments;
pub mod fixtures;
pub mod gcc;
pub mod initialisers;
pub mod normal;
pub mod objects;
pub mod pairs;
pub mod parsers;
pub mod pointers;
pub mod precision;
pub mod probes;
pub mod proofs;
pub mod replays;
pub mod sanitizers;
pub mod statistics;
pub mod steps;
pub mod verdict;
pub mod visits;

//! Random programs, fixtures and oracles; for tests and xtask only.

pub mod cgen;
pub mod ctypes;
pub mod fixtures;
pub mod gcc;
pub mod verdict;

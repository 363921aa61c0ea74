//! Random programs, fixtures and oracles; for tests and xtask only.

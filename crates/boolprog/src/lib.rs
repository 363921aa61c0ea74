//! Boolean programs: data, dialect parsers, printer, validator, explicit-state oracle.

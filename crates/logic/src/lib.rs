//! Interned sorted terms and a solver that answers with model, core or reason.

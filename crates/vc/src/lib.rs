//! What IR means in logic: states, steps, frames, path formulas.

//! Newton: is this path feasible? Inputs, or predicates that rule it out.

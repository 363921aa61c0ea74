//! Predicate abstraction: IR and predicates to a boolean program that simulates it, and the map back.

//! Canonical boolean functions over a library; cubes and irredundant sums.

//! Owns the verdict, the engines and their order.

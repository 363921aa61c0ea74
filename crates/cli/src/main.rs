//! The hardbop command.
fn main() {}

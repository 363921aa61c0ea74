//! `vc` against the interpreter, in the normal budget.

#[test]
fn the_semantics_in_logic_is_that_of_the_interpreter() {
    let stats = testkit::normal::steps().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("programs", 400),
        ("steps", 20_000),
        ("refused edges", 2_000),
        ("successors shown to be the only ones", 1_000),
        ("entries of functions", 1_000),
        ("calls by contract", 100),
        ("dead ends", 100),
        ("states along paths", 20_000),
        ("models replayed", 350),
        ("counterexamples from models", 10),
        ("blocks", 800),
    ]);
    assert!(stats.get("questions not decided") * 100 <= stats.get("programs"), "{stats}");
}

#[test]
fn what_is_kept_over_a_call_was_kept() {
    let stats = testkit::steps::calls(0, 120).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 120), ("calls by contract", 200), ("words of memory", 5_000)]);
    assert_eq!(stats.get("questions not decided"), 0, "{stats}");
}

#[test]
fn no_run_over_memory_is_left_out() {
    let stats = testkit::steps::memory(0, 60).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("programs", 60),
        ("paths", 100),
        ("steps along paths", 1_000),
        ("single steps", 300),
        ("calls by contract", 3),
        ("entries", 20),
        ("words of memory", 5_000),
    ]);
    assert!(stats.get("questions not decided") * 20 <= stats.get("paths"), "{stats}");
}

#[test]
fn merged_blocks_over_memory_are_those_of_the_interpreter() {
    let stats = testkit::steps::blocks_memory(0, 200).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("programs", 200),
        ("blocks", 700),
        ("words of memory", 10_000),
        ("object predicates", 70),
        ("ends reached", 60),
        ("ends not reached", 8),
    ]);
    assert!(stats.get("questions not decided") * 20 <= stats.get("programs"), "{stats}");
}

#[test]
fn unwinding_between_any_two_places_is_that_of_the_interpreter() {
    let stats = testkit::steps::stacked(0, 120).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("programs", 120),
        ("blocks", 200),
        ("blocks that begin in a callee", 40),
        ("blocks that end in a callee", 50),
        ("blocks that return", 10),
        ("variables settled", 100),
        ("words of memory", 5_000),
    ]);
    assert!(stats.get("questions not decided") * 20 <= stats.get("programs"), "{stats}");
}

/// What operations on floating types mean in logic, against the interpreter.
#[test]
fn steps_with_floats_have_the_successors_of_the_interpreter() {
    let stats = testkit::steps::floats(0, 100).unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[
        ("steps", 5_000),
        ("refused edges", 500),
        ("states along paths", 5_000),
        ("successors shown to be the only ones", 200),
        ("models replayed", 80),
        ("blocks", 150),
    ]);
    assert!(stats.get("questions not decided") * 20 <= stats.get("programs"), "{stats}");
}

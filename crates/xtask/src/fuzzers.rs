//! Every fuzzer: one line each. The oracles are those of the tests, with other seeds and as many cases as one likes.

use crate::fuzz::{Case, Fuzzer, Share};
use ir::DataModel;
use testkit::gcc::Gcc;
use testkit::parsers::Language;
use testkit::statistics::Statistics;

/// Every fuzzer.
pub(crate) const FUZZERS: &[Fuzzer] = &[
    Fuzzer::new(
        "steps",
        10,
        |first, n| counted(testkit::steps::steps(first, n)),
        "vc, step by step, along paths and in blocks, against the interpreter",
    ),
    Fuzzer::new(
        "float-steps",
        10,
        |first, n| counted(testkit::steps::floats(first, n)),
        "steps, paths and blocks of random programs with floating types in logic against the interpreter",
    ),
    Fuzzer::new(
        "memory",
        10,
        |first, n| counted(testkit::steps::memory(first, n)),
        "vc over memory: no run of a random program with pointers, objects and heap is left out",
    ),
    Fuzzer::new(
        "blocks-memory",
        10,
        |first, n| counted(testkit::steps::blocks_memory(first, n)),
        "vc over memory: merged blocks with allocations, frees and lives on some of their paths",
    ),
    Fuzzer::new(
        "stacked",
        10,
        |first, n| counted(testkit::steps::stacked(first, n)),
        "what a run does between any two places, in activations of any depth, against the unwinding between them",
    )
    .with_shares(&[
        Share::new("blocks that begin in a callee", "blocks", 20),
        Share::new("blocks that return", "blocks", 5),
    ]),
    Fuzzer::new(
        "calls",
        10,
        |first, n| counted(testkit::steps::calls(first, n)),
        "calls by contract in random C over memory: what is kept over them was kept",
    ),
    Fuzzer::new(
        "probes",
        10,
        |first, n| counted(testkit::probes::memory(first, n)),
        "what a run of a random program with memory reaches is not proved unreachable",
    )
    .with_shares(&[Share::new("broken", "probes", 25)]),
    Fuzzer::new(
        "rules",
        50,
        |first, n| case(spec::oracle::compare(first, n)),
        "random rules in random programs against a monitor that observes runs",
    ),
    Fuzzer::new(
        "differential",
        250,
        differential,
        "random C, interpreted and compiled by gcc, in both data models by turns",
    ),
    Fuzzer::new(
        "objects",
        250,
        objects,
        "random C over memory and floats, interpreted and compiled by gcc, in both data models by turns",
    ),
    Fuzzer::new(
        "initialisers",
        250,
        initialisers,
        "random types and initialisers, interpreted and compiled by gcc, in both data models by turns",
    )
    .with_shares(&[Share::new("programs", "programs tried", 70), Share::new("open bytes", "bytes", 2)]),
    Fuzzer::new(
        "sanitizers",
        120,
        |first, n| sanitized(first, n, testkit::sanitizers::sanitizers),
        "random C that runs into undefined behaviour: what the interpreter names, against gcc's sanitizers",
    )
    .with_shares(&[Share::new("events in both", "programs", 40), Share::new("programs that end", "programs", 10)]),
    Fuzzer::new(
        "sanitized-verdicts",
        60,
        |first, n| sanitized(first, n, testkit::sanitizers::verdicts),
        "no proof for random C on which gcc's sanitizers report a kind that is checked",
    )
    .with_shares(&[Share::new("UNSAFE", "programs with a defect", 30)]),
    Fuzzer::new(
        "library",
        100,
        |first, n| with_gcc(first, |gcc, model| testkit::library::library(gcc, model, first, n)),
        "random calls of library functions: what glibc does is possible, and the only outcome where there is one",
    )
    .with_shares(&[
        Share::new("calls", "calls tried", 70),
        Share::new("possible", "calls", 70),
        Share::new("exact", "calls", 20),
    ]),
    Fuzzer::new(
        "identity",
        50,
        |first, n| with_gcc(first * 5, |gcc, model| testkit::identity::identity(gcc, model, first, n)),
        "addresses of literals, empty objects and weak symbols: what gcc does is possible, in four ways to compile",
    )
    .with_shares(&[
        Share::new("possible", "outcomes", 90),
        Share::new("literals equal to themselves", "programs", 80),
        Share::new("programs that differ by flags", "programs", 10),
    ]),
    Fuzzer::new(
        "patterns",
        50,
        |first, n| with_gcc(0, |gcc, model| testkit::patterns::patterns(gcc, model, first, n)),
        "patterns of what is not a number: what gcc does is possible, in two ways to compile",
    )
    .with_shares(&[
        Share::new("patterns of no number", "programs", 20),
        Share::new("numbers that are exact", "programs", 20),
    ]),
    Fuzzer::new(
        "modes",
        100,
        |first, n| with_gcc(0, |gcc, model| testkit::modes::modes(gcc, model, first, n)),
        "random programs that change the rounding mode, by runs and by formulas, against gcc with -frounding-math",
    )
    .with_shares(&[Share::new("verdicts", "programs", 200)]),
    Fuzzer::new("spark", 50, spark, "random SPARK, interpreted and compiled by gnat with its checks and assertions")
        .with_shares(&[Share::new("programs that return", "programs", 10)]),
    Fuzzer::new(
        "spark-features",
        8,
        spark_features,
        "SPARK's features, interpreted and compiled by gnat: as many as there are",
    ),
    Fuzzer::new(
        "csmith",
        1,
        |seed, _| crate::csmith::case(seed),
        "Csmith's programs, interpreted and compiled by gcc, in both data models by turns",
    ),
    Fuzzer::new(
        "parse-c",
        10,
        |first, n| deep(Language::C, first, n),
        "the C parser and what follows it on mutated programs; a case is 20 mutants",
    ),
    Fuzzer::new(
        "parse-ir",
        10,
        |first, n| deep(Language::Ir, first, n),
        "the parser of IR on mutated texts; a case is 20 mutants",
    ),
    Fuzzer::new(
        "parse-predicates",
        10,
        |first, n| deep(Language::Predicates, first, n),
        "the parser of predicate files on mutated texts; a case is 20 mutants",
    ),
    Fuzzer::new(
        "parse-proof",
        10,
        |first, n| deep(Language::Proof, first, n),
        "the parser of proofs on mutated texts; a case is 20 mutants",
    ),
    Fuzzer::new(
        "proofs",
        1,
        |seed, _| counted(testkit::proofs::false_proofs(seed, 20)),
        "the proof checker against false proofs; a case is 20 candidates for each program",
    ),
    Fuzzer::new(
        "attack",
        1,
        |first, n| counted(testkit::proofs::attack(first, n, 2_000)),
        "the proof checker against real proofs of safe programs over memory, made to fit unsafe twins and changed",
    ),
    Fuzzer::new(
        "replays",
        20,
        |first, n| counted(testkit::replays::replays(first, n)),
        "replay against changed counterexamples",
    ),
    Fuzzer::new(
        "logic-ops",
        1,
        |seed, _| case(logic::oracle::random_ops(seed, 20)),
        "each operation of the logic, rewritten, evaluated and solved, on random values up to 200 bits",
    ),
    Fuzzer::new(
        "logic-terms",
        1,
        |seed, _| case(logic::oracle::random_terms(seed, 100)),
        "random terms, rewritten, against their value",
    ),
    Fuzzer::new(
        "logic-floats",
        1,
        |seed, _| case(logic::oracle::float_circuits(seed, 1000)),
        "circuits of floating-point operations in every format and rounding against exact arithmetic; a case is 1000 \
                operands for each",
    ),
    Fuzzer::new(
        "logic-hardware",
        1,
        |seed, _| case(logic::oracle::float_hardware(seed, 10_000)),
        "circuits of floating-point operations against the machine's own; a case is 10000 operands for each",
    ),
    Fuzzer::new(
        "logic-float-terms",
        1,
        |seed, _| case(logic::oracle::float_terms(seed, 50).and_then(|_| logic::oracle::float_ranges(seed, 50))),
        "random floating-point terms, rewritten, against their value, and questions about them decided by ranges",
    ),
    Fuzzer::new(
        "logic-maps",
        1,
        |seed, _| case(logic::oracle::map_reads(seed, 20)),
        "reads of random maps against their value",
    ),
    Fuzzer::new(
        "logic-queries",
        1,
        |seed, _| case(logic::oracle::random_queries(seed, 10)),
        "the solver's answers, models and cores against brute force",
    ),
    Fuzzer::new(
        "bp-damaged",
        1,
        |seed, _| case(boolprog::oracle::damaged_programs(seed, 200)),
        "damaged boolean programs in every dialect; a case is 200 of them",
    ),
    Fuzzer::new(
        "reach",
        500,
        reach,
        "boolean programs: reach against explicit search, the exploded graph and breadth-first search",
    ),
    Fuzzer::new(
        "engines",
        50,
        |first, n| case(predabs::oracle::engines(first, n)),
        "the cube engine and the model engine of predicate abstraction against each other and brute force",
    ),
    Fuzzer::new(
        "simulation",
        5,
        |first, n| case(predabs::oracle::simulations(first, n)),
        "runs of random programs against the boolean programs made of them",
    ),
    Fuzzer::new(
        "containment",
        10,
        |first, n| counted(testkit::containment::containment(first, n)),
        "what the interpreter does against the invariants of every round of the refinement loop",
    )
    .with_shares(&[Share::new("fixpoints", "rounds", 190), Share::new("states in callees", "states", 10)]),
    Fuzzer::new(
        "memory-containment",
        10,
        |first, n| counted(testkit::containment::memory_containment(first, n)),
        "the same on programs over memory, with random predicates about it",
    )
    .with_shares(&[
        Share::new("values over memory", "values", 20),
        Share::new("values that are not known", "values", 2),
    ]),
    Fuzzer::new(
        "verdicts",
        50,
        verdicts,
        "verdicts of the abstraction engine against runs of the compiled program on all inputs",
    )
    .with_shares(&[
        Share::new("decided", "programs", 80),
        Share::new("SAFE", "programs", 30),
        Share::new("UNSAFE", "programs", 30),
    ]),
    Fuzzer::new(
        "bounded-verdicts",
        50,
        |first, n| alone(verify::Engine::Bounded, first, n),
        "verdicts of the bounded engine against runs of the compiled program on all inputs",
    )
    .with_shares(&[Share::new("SAFE", "programs", 30), Share::new("UNSAFE", "programs", 30)]),
    Fuzzer::new(
        "induction-verdicts",
        50,
        |first, n| alone(verify::Engine::Induction, first, n),
        "verdicts of the induction engine against runs of the compiled program on all inputs",
    )
    .with_shares(&[Share::new("SAFE", "programs", 2)]),
    Fuzzer::new(
        "bounded-memory-verdicts",
        50,
        bounded_memory_verdicts,
        "the same on random programs with pointers, objects and heap, compiled with sanitizers",
    )
    .with_shares(&[Share::new("SAFE", "programs", 30), Share::new("UNSAFE", "programs", 30)]),
    Fuzzer::new(
        "environments",
        20,
        |first, n| with_gcc(first * 12, |gcc, model| testkit::environments::environments(gcc, model, first, n)),
        "verdicts about programs with undefined functions and objects against random code that plays the outside",
    )
    .with_shares(&[
        Share::new("SAFE", "programs", 30),
        Share::new("UNSAFE", "programs", 20),
        Share::new("programs with call-backs", "programs", 10),
    ]),
    Fuzzer::new(
        "trees",
        20,
        |first, n| with_gcc(first * 12, |gcc, model| testkit::environments::trees(gcc, model, first, n)),
        "the same for entries that find a tree of objects",
    )
    .with_shares(&[Share::new("SAFE", "programs", 15), Share::new("UNSAFE", "programs", 20)]),
    Fuzzer::new(
        "jumps",
        50,
        |first, n| with_gcc(first * 5, |gcc, model| testkit::jumps::jumps(gcc, model, first, n)),
        "verdicts about random programs with setjmp and longjmp against compiled runs, in both directions",
    )
    .with_shares(&[
        Share::new("SAFE", "programs", 25),
        Share::new("UNSAFE", "programs", 8),
        Share::new("programs that jump", "programs", 40),
    ]),
    Fuzzer::new("float-verdicts", 25, float_verdicts, "the same on random programs over floating-point numbers")
        .with_shares(&[
            Share::new("decided", "programs", 70),
            Share::new("SAFE", "programs", 20),
            Share::new("UNSAFE", "programs", 20),
        ]),
    Fuzzer::new(
        "memory-verdicts",
        50,
        memory_verdicts,
        "the same on random programs with pointers, objects and heap, compiled with sanitizers",
    )
    .with_shares(&[
        Share::new("decided", "programs", 60),
        Share::new("SAFE", "programs", 20),
        Share::new("UNSAFE", "programs", 20),
        Share::new("with aliasing", "programs", 10),
        Share::new("without aliasing", "programs", 20),
    ]),
];

/// Parsers may use as much stack as the command gives them.
fn deep(language: Language, first: u64, count: u64) -> Case {
    let work = move || case(testkit::parsers::parsers(language, first, count));
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    thread.expect("a thread can be started").join().unwrap_or_else(|_| Case::Failed("a parser panicked".to_owned()))
}

/// A result that says what was counted.
fn counted(result: Result<Statistics, String>) -> Case {
    match result {
        Ok(stats) => Case::Passed(stats),
        Err(why) => Case::Failed(why),
    }
}

/// A result that says nothing but that all is well.
fn case<T>(result: Result<T, String>) -> Case {
    counted(result.map(|_| Statistics::new()))
}

/// The data models take turns by batches, so that a run of some thousands has as many of each.
fn differential(first: u64, count: u64) -> Case {
    with_gcc(first, |gcc, model| testkit::differential::differential(gcc, model, first, count))
}

fn spark(first: u64, count: u64) -> Case {
    match testkit::spark::Gnat::find() {
        Err(why) => Case::Skipped(why),
        Ok(gnat) => counted(testkit::spark::spark(&gnat, first, count)),
    }
}

fn spark_features(first: u64, count: u64) -> Case {
    match testkit::spark::Gnat::find() {
        Err(why) => Case::Skipped(why),
        Ok(gnat) => counted(testkit::spark::features::compare(&gnat, first, count)),
    }
}

fn objects(first: u64, count: u64) -> Case {
    with_gcc(first, |gcc, model| testkit::differential::objects(gcc, model, first, count))
}

fn initialisers(first: u64, count: u64) -> Case {
    with_gcc(first, |gcc, model| testkit::initialisers::initialisers(gcc, model, first, count))
}

/// Likewise, where there are sanitizers for the data model.
fn sanitized(first: u64, count: u64, run: fn(&Gcc, DataModel, u64, u64) -> Result<Statistics, String>) -> Case {
    let model = if (first / 240).is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    match Gcc::find().map(|gcc| (gcc.lacks_sanitizers(model), gcc)) {
        Err(why) | Ok((Some(why), _)) => Case::Skipped(why),
        Ok((None, gcc)) => counted(run(&gcc, model, first, count)),
    }
}

fn with_gcc(first: u64, run: impl FnOnce(&Gcc, DataModel) -> Result<Statistics, String>) -> Case {
    let model = if (first / 250).is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let result: Result<Statistics, String> = match Gcc::find() {
        Err(why) => return Case::Skipped(why),
        Ok(gcc) if !gcc.supports(model) => {
            return Case::Skipped(format!("gcc makes no {model:?} binaries (install gcc-multilib)"));
        }
        Ok(gcc) => run(&gcc, model),
    };
    counted(result)
}

fn verdicts(first: u64, count: u64) -> Case {
    match Gcc::find() {
        Err(why) => Case::Skipped(why),
        Ok(gcc) => {
            counted(testkit::agreement::agreement(&gcc, DataModel::Lp64, &[verify::Engine::Abstraction], first, count))
        }
    }
}

fn float_verdicts(first: u64, count: u64) -> Case {
    let engines = [verify::Engine::Concrete, verify::Engine::Bounded, verify::Engine::Abstraction];
    match Gcc::find() {
        Err(why) => Case::Skipped(why),
        Ok(gcc) => counted(testkit::agreement::floats(&gcc, DataModel::Lp64, &engines, first, count)),
    }
}

/// One engine on random programs whose runs are all known.
fn alone(engine: verify::Engine, first: u64, count: u64) -> Case {
    with_gcc(first * 5, |gcc, model| testkit::agreement::agreement(gcc, model, &[engine], first, count))
}

fn bounded_memory_verdicts(first: u64, count: u64) -> Case {
    let engines = [verify::Engine::Bounded];
    with_gcc(first * 5, |gcc, model| testkit::agreement::memory(gcc, model, &engines, first, count))
}

/// The data models take turns by batches.
fn memory_verdicts(first: u64, count: u64) -> Case {
    let engines = [verify::Engine::Abstraction];
    with_gcc(first * 5, |gcc, model| testkit::agreement::memory(gcc, model, &engines, first, count))
}

/// A whole batch must also cover what the oracle is there for.
fn reach(seed: u64, count: u64) -> Case {
    let shares = reach::compare::Shares::of_random(seed, count as usize);
    case(shares.and_then(|s| if count < 300 { Ok(()) } else { s.demand() }))
}

//! Every fuzzer: one line each. The oracles are those of the tests, with other seeds and as many cases as one likes.

use crate::fuzz::{Case, Fuzzer, Share};
use ir::DataModel;
use testkit::gcc::Gcc;
use testkit::parsers::Language;
use testkit::statistics::Statistics;

/// Every fuzzer.
pub(crate) const FUZZERS: &[Fuzzer] = &[
    Fuzzer {
        name: "steps",
        about: "vc, step by step, along paths and in blocks, against the interpreter",
        batch: 10,
        cases: |first, n| counted(testkit::steps::steps(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "float-steps",
        about: "steps, paths and blocks of random programs with floating types in logic against the interpreter",
        batch: 10,
        cases: |first, n| counted(testkit::steps::floats(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "memory",
        about: "vc over memory: no run of a random program with pointers, objects and heap is left out",
        batch: 10,
        cases: |first, n| counted(testkit::steps::memory(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "blocks-memory",
        about: "vc over memory: merged blocks with allocations, frees and lives on some of their paths",
        batch: 10,
        cases: |first, n| counted(testkit::steps::blocks_memory(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "calls",
        about: "calls by contract in random C over memory: what is kept over them was kept",
        batch: 10,
        cases: |first, n| counted(testkit::steps::calls(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "probes",
        about: "what a run of a random program with memory reaches is not proved unreachable",
        batch: 10,
        cases: |first, n| case(testkit::probes::memory(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "rules",
        about: "random rules in random programs against a monitor that observes runs",
        batch: 50,
        cases: |first, n| case(spec::oracle::compare(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "differential",
        about: "random C, interpreted and compiled by gcc, in both data models by turns",
        batch: 250,
        cases: differential,
        shares: &[],
    },
    Fuzzer {
        name: "objects",
        about: "random C over memory and floats, interpreted and compiled by gcc, in both data models by turns",
        batch: 250,
        cases: objects,
        shares: &[],
    },
    Fuzzer {
        name: "initialisers",
        about: "random types and initialisers, interpreted and compiled by gcc, in both data models by turns",
        batch: 250,
        cases: initialisers,
        shares: &[
            Share { of: "programs", among: "programs tried", percent: 70 },
            Share { of: "open bytes", among: "bytes", percent: 2 },
        ],
    },
    Fuzzer {
        name: "sanitizers",
        about: "random C that runs into undefined behaviour: what the interpreter names, against gcc's sanitizers",
        batch: 120,
        cases: |first, n| sanitized(first, n, testkit::sanitizers::sanitizers),
        shares: &[
            Share { of: "events in both", among: "programs", percent: 40 },
            Share { of: "programs that end", among: "programs", percent: 10 },
        ],
    },
    Fuzzer {
        name: "sanitized-verdicts",
        about: "no proof for random C on which gcc's sanitizers report a kind that is checked",
        batch: 60,
        cases: |first, n| sanitized(first, n, testkit::sanitizers::verdicts),
        shares: &[Share { of: "UNSAFE", among: "programs with a defect", percent: 30 }],
    },
    Fuzzer {
        name: "library",
        about: "random calls of library functions: what glibc does is possible, and the only outcome where there is one",
        batch: 100,
        cases: |first, n| with_gcc(first, |gcc, model| testkit::library::library(gcc, model, first, n)),
        shares: &[
            Share { of: "calls", among: "calls tried", percent: 70 },
            Share { of: "possible", among: "calls", percent: 70 },
            Share { of: "exact", among: "calls", percent: 20 },
        ],
    },
    Fuzzer {
        name: "identity",
        about: "addresses of literals, empty objects and weak symbols: what gcc does is possible, in four ways to compile",
        batch: 50,
        cases: |first, n| with_gcc(first * 5, |gcc, model| testkit::identity::identity(gcc, model, first, n)),
        shares: &[
            Share { of: "possible", among: "outcomes", percent: 90 },
            Share { of: "literals equal to themselves", among: "programs", percent: 80 },
            Share { of: "programs that differ by flags", among: "programs", percent: 10 },
        ],
    },
    Fuzzer {
        name: "patterns",
        about: "patterns of what is not a number: what gcc does is possible, in two ways to compile",
        batch: 50,
        cases: |first, n| with_gcc(0, |gcc, model| testkit::patterns::patterns(gcc, model, first, n)),
        shares: &[
            Share { of: "patterns of no number", among: "programs", percent: 20 },
            Share { of: "numbers that are exact", among: "programs", percent: 20 },
        ],
    },
    Fuzzer {
        name: "spark",
        about: "random SPARK, interpreted and compiled by gnat with its checks and assertions",
        batch: 50,
        cases: spark,
        shares: &[Share { of: "programs that return", among: "programs", percent: 10 }],
    },
    Fuzzer {
        name: "csmith",
        about: "Csmith's programs, interpreted and compiled by gcc, in both data models by turns",
        batch: 1,
        cases: |seed, _| crate::csmith::case(seed),
        shares: &[],
    },
    Fuzzer {
        name: "parse-c",
        about: "the C parser and what follows it on mutated programs; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::C, first, n),
        shares: &[],
    },
    Fuzzer {
        name: "parse-ir",
        about: "the parser of IR on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Ir, first, n),
        shares: &[],
    },
    Fuzzer {
        name: "parse-predicates",
        about: "the parser of predicate files on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Predicates, first, n),
        shares: &[],
    },
    Fuzzer {
        name: "parse-proof",
        about: "the parser of proofs on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Proof, first, n),
        shares: &[],
    },
    Fuzzer {
        name: "proofs",
        about: "the proof checker against false proofs; a case is 20 candidates for each program",
        batch: 1,
        cases: |seed, _| counted(testkit::proofs::false_proofs(seed, 20)),
        shares: &[],
    },
    Fuzzer {
        name: "attack",
        about: "the proof checker against real proofs of safe programs over memory, made to fit unsafe twins and changed",
        batch: 1,
        cases: |first, n| counted(testkit::proofs::attack(first, n, 2_000)),
        shares: &[],
    },
    Fuzzer {
        name: "replays",
        about: "replay against changed counterexamples",
        batch: 20,
        cases: |first, n| counted(testkit::replays::replays(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "logic-ops",
        about: "each operation of the logic, rewritten, evaluated and solved, on random values up to 200 bits",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_ops(seed, 20)),
        shares: &[],
    },
    Fuzzer {
        name: "logic-terms",
        about: "random terms, rewritten, against their value",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_terms(seed, 100)),
        shares: &[],
    },
    Fuzzer {
        name: "logic-floats",
        about: "circuits of floating-point operations in every format and rounding against exact arithmetic; a case is 1000 \
                operands for each",
        batch: 1,
        cases: |seed, _| case(logic::oracle::float_circuits(seed, 1000)),
        shares: &[],
    },
    Fuzzer {
        name: "logic-float-terms",
        about: "random floating-point terms, rewritten, against their value, and questions about them decided by ranges",
        batch: 1,
        cases: |seed, _| case(logic::oracle::float_terms(seed, 50).and_then(|_| logic::oracle::float_ranges(seed, 50))),
        shares: &[],
    },
    Fuzzer {
        name: "logic-maps",
        about: "reads of random maps against their value",
        batch: 1,
        cases: |seed, _| case(logic::oracle::map_reads(seed, 20)),
        shares: &[],
    },
    Fuzzer {
        name: "logic-queries",
        about: "the solver's answers, models and cores against brute force",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_queries(seed, 10)),
        shares: &[],
    },
    Fuzzer {
        name: "bp-damaged",
        about: "damaged boolean programs in every dialect; a case is 200 of them",
        batch: 1,
        cases: |seed, _| case(boolprog::oracle::damaged_programs(seed, 200)),
        shares: &[],
    },
    Fuzzer {
        name: "reach",
        about: "boolean programs: reach against explicit search, the exploded graph and breadth-first search",
        batch: 500,
        cases: reach,
        shares: &[],
    },
    Fuzzer {
        name: "engines",
        about: "the cube engine and the model engine of predicate abstraction against each other and brute force",
        batch: 50,
        cases: |first, n| case(predabs::oracle::engines(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "simulation",
        about: "runs of random programs against the boolean programs made of them",
        batch: 5,
        cases: |first, n| case(predabs::oracle::simulations(first, n)),
        shares: &[],
    },
    Fuzzer {
        name: "containment",
        about: "what the interpreter does against the invariants of every round of the refinement loop",
        batch: 10,
        cases: |first, n| counted(testkit::containment::containment(first, n)),
        shares: &[
            Share { of: "fixpoints", among: "rounds", percent: 190 },
            Share { of: "states in callees", among: "states", percent: 10 },
        ],
    },
    Fuzzer {
        name: "memory-containment",
        about: "the same on programs over memory, with random predicates about it",
        batch: 10,
        cases: |first, n| counted(testkit::containment::memory_containment(first, n)),
        shares: &[
            Share { of: "values over memory", among: "values", percent: 20 },
            Share { of: "values that are not known", among: "values", percent: 2 },
        ],
    },
    Fuzzer {
        name: "verdicts",
        about: "verdicts of the abstraction engine against runs of the compiled program on all inputs",
        batch: 50,
        cases: verdicts,
        shares: &[
            Share { of: "decided", among: "programs", percent: 80 },
            Share { of: "SAFE", among: "programs", percent: 30 },
            Share { of: "UNSAFE", among: "programs", percent: 30 },
        ],
    },
    Fuzzer {
        name: "bounded-verdicts",
        about: "verdicts of the bounded engine against runs of the compiled program on all inputs",
        batch: 50,
        cases: bounded_verdicts,
        shares: &[
            Share { of: "SAFE", among: "programs", percent: 30 },
            Share { of: "UNSAFE", among: "programs", percent: 30 },
        ],
    },
    Fuzzer {
        name: "bounded-memory-verdicts",
        about: "the same on random programs with pointers, objects and heap, compiled with sanitizers",
        batch: 50,
        cases: bounded_memory_verdicts,
        shares: &[
            Share { of: "SAFE", among: "programs", percent: 30 },
            Share { of: "UNSAFE", among: "programs", percent: 30 },
        ],
    },
    Fuzzer {
        name: "environments",
        about: "verdicts about programs with undefined functions and objects against random code that plays the outside",
        batch: 20,
        cases: |first, n| with_gcc(first * 12, |gcc, model| testkit::environments::environments(gcc, model, first, n)),
        shares: &[
            Share { of: "SAFE", among: "programs", percent: 30 },
            Share { of: "UNSAFE", among: "programs", percent: 20 },
            Share { of: "programs with call-backs", among: "programs", percent: 10 },
        ],
    },
    Fuzzer {
        name: "float-verdicts",
        about: "the same on random programs over floating-point numbers",
        batch: 25,
        cases: float_verdicts,
        shares: &[
            Share { of: "decided", among: "programs", percent: 70 },
            Share { of: "SAFE", among: "programs", percent: 20 },
            Share { of: "UNSAFE", among: "programs", percent: 20 },
        ],
    },
    Fuzzer {
        name: "memory-verdicts",
        about: "the same on random programs with pointers, objects and heap, compiled with sanitizers",
        batch: 50,
        cases: memory_verdicts,
        shares: &[
            Share { of: "decided", among: "programs", percent: 60 },
            Share { of: "SAFE", among: "programs", percent: 20 },
            Share { of: "UNSAFE", among: "programs", percent: 20 },
            Share { of: "with aliasing", among: "programs", percent: 10 },
            Share { of: "without aliasing", among: "programs", percent: 20 },
        ],
    },
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

fn bounded_verdicts(first: u64, count: u64) -> Case {
    let engines = [verify::Engine::Bounded];
    with_gcc(first * 5, |gcc, model| testkit::agreement::agreement(gcc, model, &engines, first, count))
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

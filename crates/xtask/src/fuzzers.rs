//! Every fuzzer: one line each. The oracles are those of the tests, with other seeds and as many cases as one likes.

use crate::fuzz::{Case, Fuzzer};
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
        cases: |first, n| case(testkit::steps::steps(first, n)),
    },
    Fuzzer {
        name: "memory",
        about: "vc over memory: no run of a random program with pointers, objects and heap is left out",
        batch: 10,
        cases: |first, n| case(testkit::steps::memory(first, n)),
    },
    Fuzzer {
        name: "probes",
        about: "what a run of a random program with memory reaches is not proved unreachable",
        batch: 10,
        cases: |first, n| case(testkit::probes::memory(first, n)),
    },
    Fuzzer {
        name: "differential",
        about: "random C, interpreted and compiled by gcc, in both data models by turns",
        batch: 250,
        cases: differential,
    },
    Fuzzer {
        name: "objects",
        about: "random C over memory and floats, interpreted and compiled by gcc, in both data models by turns",
        batch: 250,
        cases: objects,
    },
    Fuzzer {
        name: "csmith",
        about: "Csmith's programs, interpreted and compiled by gcc, in both data models by turns",
        batch: 1,
        cases: |seed, _| crate::csmith::case(seed),
    },
    Fuzzer {
        name: "parse-c",
        about: "the C parser and what follows it on mutated programs; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::C, first, n),
    },
    Fuzzer {
        name: "parse-ir",
        about: "the parser of IR on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Ir, first, n),
    },
    Fuzzer {
        name: "parse-predicates",
        about: "the parser of predicate files on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Predicates, first, n),
    },
    Fuzzer {
        name: "parse-proof",
        about: "the parser of proofs on mutated texts; a case is 20 mutants",
        batch: 10,
        cases: |first, n| deep(Language::Proof, first, n),
    },
    Fuzzer {
        name: "proofs",
        about: "the proof checker against false proofs; a case is 20 candidates for each program",
        batch: 1,
        cases: |seed, _| case(testkit::proofs::false_proofs(seed, 20)),
    },
    Fuzzer {
        name: "replays",
        about: "replay against changed counterexamples",
        batch: 20,
        cases: |first, n| case(testkit::replays::replays(first, n)),
    },
    Fuzzer {
        name: "logic-ops",
        about: "each operation of the logic, rewritten, evaluated and solved, on random values up to 200 bits",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_ops(seed, 20)),
    },
    Fuzzer {
        name: "logic-terms",
        about: "random terms, rewritten, against their value",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_terms(seed, 100)),
    },
    Fuzzer {
        name: "logic-maps",
        about: "reads of random maps against their value",
        batch: 1,
        cases: |seed, _| case(logic::oracle::map_reads(seed, 20)),
    },
    Fuzzer {
        name: "logic-queries",
        about: "the solver's answers, models and cores against brute force",
        batch: 1,
        cases: |seed, _| case(logic::oracle::random_queries(seed, 10)),
    },
    Fuzzer {
        name: "bp-texts",
        about: "damaged texts of boolean programs in every dialect; a case is 200 texts",
        batch: 1,
        cases: |seed, _| case(boolprog::oracle::damaged_texts(seed, 200)),
    },
    Fuzzer {
        name: "reach",
        about: "boolean programs: reach against explicit search, the exploded graph and breadth-first search",
        batch: 500,
        cases: reach,
    },
];

/// Parsers may use as much stack as the command gives them.
fn deep(language: Language, first: u64, count: u64) -> Case {
    let work = move || case(testkit::parsers::parsers(language, first, count));
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    thread.expect("a thread can be started").join().unwrap_or_else(|_| Case::Failed("a parser panicked".to_owned()))
}

fn case<T>(result: Result<T, String>) -> Case {
    match result {
        Ok(_) => Case::Passed,
        Err(why) => Case::Failed(why),
    }
}

/// The data models take turns by batches, so that a run of some thousands has as many of each.
fn differential(first: u64, count: u64) -> Case {
    with_gcc(first, |gcc, model| testkit::differential::differential(gcc, model, first, count))
}

fn objects(first: u64, count: u64) -> Case {
    with_gcc(first, |gcc, model| testkit::differential::objects(gcc, model, first, count))
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
    case(result)
}

/// A whole batch must also cover what the oracle is there for.
fn reach(seed: u64, count: u64) -> Case {
    let shares = reach::compare::Shares::of_random(seed, count as usize);
    case(shares.and_then(|s| if count < 300 { Ok(()) } else { s.demand() }))
}

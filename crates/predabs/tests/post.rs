//! TACAS01's abstract images of single statements: the examples of §8 and §9.3 on concrete states, and §7's theorem that
//! the boolean program computes the Cartesian image, on random programs.

use base::rng::Rng;
use base::{FileId, Id};
use boolprog::semantics::{Valuation, enforced};
use boolprog::trivector::{Trivector, cartesian, concretize, focus, post as boolprog_post};
use boolprog::{StmtKind, Var};
use ir::{EdgeId, FuncId, Program};
use lower::annotation::{Arithmetic, read};
use predabs::{Abstraction, Cache, Images, NoImages, Options, abstract_program, oracle, post, predfile};
use std::collections::BTreeSet;
use vc::{PredId, Predicates};

fn trits(text: &str) -> Trivector {
    let trit = |c| match c {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    text.chars().map(trit).collect()
}

fn bits(patterns: &[&str]) -> BTreeSet<Vec<bool>> {
    patterns.iter().map(|t| t.chars().map(|c| c == '1').collect()).collect()
}

/// A function with the statement between L0 and L1 over the signed integers x, y, z.
fn one_statement(statement: &str) -> Program {
    let text = format!(
        "model LP64\nentry f\nfunc external f(x: i32, y: i32, z: i32) {{\n  locations 3 entry L0 exit L2\n  \
         e0: L0 -> L1: {statement}\n  e1: L1 -> L2: return\n}}\n"
    );
    ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

fn images(statement: &str, predicates: &str, from: &BTreeSet<Trivector>) -> Result<Images, NoImages> {
    let program = one_statement(statement);
    let parsed = predfile::predicates(
        &program,
        read(&program, FileId::from_index(0), &format!("f: {predicates}"), Arithmetic::Exact),
    );
    assert_eq!(parsed.diagnostics, []);
    let mut list = Predicates::new();
    for p in parsed.predicates {
        list.insert(p);
    }
    post(&analysis::Analysis::new(&program), &list, (program.entry, EdgeId::from_index(0)), from, &Options::default())
}

/// §8, example 1: x = y over {x > 5, x < 5, y == 5}.
#[test]
fn tacas01_8_example_1() {
    // Predicates have one sign: x > 5 is the opposite of the first.
    let from = BTreeSet::from([trits("100")]);
    let found = images("x := y", "x <= 5, x < 5, y = 5", &from).unwrap();
    // <x > 5, x < 5, y == 5>: {<1,0,0>, <0,1,0>}, with the first one's sign turned.
    assert_eq!(found.boolean, bits(&["000", "110"]));
    assert_eq!(found.cartesian, BTreeSet::from([trits("**0")]));
    // What the state does not say about y, the images do not say either.
    let found = images("x := y", "x <= 5, x < 5, y = 5", &BTreeSet::from([trits("10*")])).unwrap();
    assert_eq!(found.boolean, bits(&["000", "101", "110"]));
    assert_eq!(found.cartesian, BTreeSet::from([trits("***")]));
}

/// §8, example 3 and §9.3: a condition relates two predicates; focus on them keeps the relation.
#[test]
fn tacas01_8_example_3_and_focus() {
    let predicates = "x = 0, y = 0, z = 0";
    let condition = "assume ((x == 0:i32) == (y == 0:i32))";
    let top = trits("***");
    let whole = images(condition, predicates, &BTreeSet::from([top.clone()])).unwrap();
    assert_eq!(whole.boolean, bits(&["000", "001", "110", "111"]));
    assert_eq!(whole.cartesian, BTreeSet::from([top.clone()]));
    let focused = images(condition, predicates, &focus(&top, &[0, 1])).unwrap();
    assert_eq!(focused.cartesian, BTreeSet::from([trits("00*"), trits("11*")]));
    assert_eq!(focused.boolean, whole.boolean, "focus changes nothing about the Boolean image");
    let total = images(condition, predicates, &focus(&top, &[0, 1, 2])).unwrap();
    let kept: BTreeSet<Trivector> = whole.boolean.iter().map(|b| b.iter().copied().map(Some).collect()).collect();
    assert_eq!(total.cartesian, kept, "total focus loses nothing");
}

/// §8, example 2: two predicates that are opposite after the step.
#[test]
fn tacas01_8_example_2() {
    let found = images("x := y", "x <= 5, y < 6, 5 < x", &BTreeSet::from([trits("**")])).unwrap();
    assert_eq!(found.predicates.len(), 2, "x <= 5 and 5 < x are one predicate");
    assert_eq!(found.boolean, bits(&["00", "11"]));
    assert_eq!(found.cartesian, BTreeSet::from([trits("**")]));
}

#[test]
fn impossible_states_have_no_images_and_wrong_ones_are_refused() {
    let found = images("x := y", "x <= 5, x < 5", &BTreeSet::from([trits("01")])).unwrap();
    assert!(found.boolean.is_empty() && found.cartesian.is_empty(), "no x is below 5 and above it");
    assert_eq!(images("x := y", "x <= 5, x < 5", &BTreeSet::from([trits("0")])), Err(NoImages::Arity(2)));
}

/// The states of the boolean program after the statements of an edge, and whether it is one whose end is seen.
fn boolean_step(
    abstraction: &Abstraction,
    func: FuncId,
    edge: EdgeId,
    from: BTreeSet<Valuation>,
) -> BTreeSet<Valuation> {
    let map = abstraction.functions[func].as_ref().unwrap();
    let proc = &abstraction.program.procs[map.proc];
    let (mut at, mut states) = (map.edges[edge].unwrap(), from);
    while matches!(proc.body[at].kind, StmtKind::Assume(_) | StmtKind::Assign(_) | StmtKind::Skip) {
        states = boolprog_post(proc, at, at.next(), &states);
        at = at.next();
    }
    states
}

fn value(state: &Valuation, abstraction: &Abstraction, func: FuncId, id: PredId) -> bool {
    match abstraction.var(func, id).unwrap() {
        Var::Global(g) => state.globals[g.index()],
        Var::Local(l) => state.locals[l.index()],
    }
}

/// §7: what C2bp prints, read on a trivector, is the Cartesian image, for every edge of random programs.
#[test]
fn tacas01_7_the_boolean_program_computes_the_cartesian_image() {
    let options = Options { max_cube: 6, enforce_cube: 6, ..oracle::options() };
    let mut compared = 0;
    for seed in 0..60 {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let analysis = analysis::Analysis::new(&program);
        let none = vc::LocationInvariants::new();
        let abstraction = abstract_program(&analysis, &predicates, &[], &none, &options, &mut Cache::new()).unwrap();
        let s = abstraction.stats;
        if s.undecided + s.cut_short + s.cones_cut > 0 {
            continue;
        }
        for (func, f) in program.functions.iter_enumerated() {
            let (Some(map), Some(body)) = (&abstraction.functions[func], &f.body) else { continue };
            let proc = &abstraction.program.procs[map.proc];
            let in_scope: Vec<PredId> = predicates.in_scope(func).collect();
            let n_globals = abstraction.program.globals.len();
            if in_scope.is_empty() || n_globals + proc.locals.len() > 8 {
                continue;
            }
            for edge in body.edges.ids().filter(|&e| map.edges[e].is_some()) {
                let v: Trivector = in_scope.iter().map(|_| [None, Some(false), Some(true)][rng.index(3)]).collect();
                let Ok(images) = post(&analysis, &predicates, (func, edge), &BTreeSet::from([v.clone()]), &options)
                else {
                    continue;
                };
                let Some(expected) = images.cartesian.first() else { continue };
                let vector =
                    |s: &Valuation| in_scope.iter().map(|&p| value(s, &abstraction, func, p)).collect::<Vec<_>>();
                let all = concretize(n_globals, &vec![None; n_globals + proc.locals.len()]);
                let from: BTreeSet<Valuation> =
                    all.into_iter().filter(|s| images.before.contains(&vector(s))).collect();
                assert!(from.iter().all(|s| enforced(proc, s)), "what a state has is not ruled out");
                let after = boolean_step(&abstraction, func, edge, from);
                let hull = cartesian(&after).expect("a step that is possible is possible in the boolean program");
                let found: Trivector = in_scope
                    .iter()
                    .map(|&p| match abstraction.var(func, p).unwrap() {
                        Var::Global(g) => hull[g.index()],
                        Var::Local(l) => hull[n_globals + l.index()],
                    })
                    .collect();
                let where_ = format!("seed {seed}, {}, {edge}, {v:?}\n{}", f.name, ir::text::print(&program));
                assert_eq!(&found, expected, "{where_}{}", boolprog::print(&abstraction.program));
                // And the Cartesian image is the hull of the Boolean one, which was found in another way.
                let hull = (0..in_scope.len()).map(|i| {
                    let mut values = images.boolean.iter().map(|b| b[i]);
                    let first = values.next();
                    first.filter(|b| values.all(|c| c == *b))
                });
                assert_eq!(&hull.collect::<Trivector>(), expected, "{where_}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 300, "{compared} steps compared");
}

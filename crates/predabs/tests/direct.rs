//! Direct abstraction: SABS13's examples, and random programs against the Boolean and the Cartesian image of each step, which
//! are found in other ways.

use base::rng::Rng;
use base::{FileId, Id};
use boolprog::trivector::Trivector;
use ir::Program;
use lower::annotation::{Arithmetic, read};
use predabs::direct::{Granularity, Table, blocks};
use predabs::{Options, oracle, post, predfile};
use std::collections::BTreeSet;
use vc::{PredId, Predicates};

/// A function with the statements one after the other over the signed integers x, y.
fn program(ub: &str, statements: &[&str]) -> Program {
    let n = statements.len();
    let mut text = format!(
        "model LP64\nentry f\n{ub}func external f(x: i32, y: i32) {{\n  locations {} entry L0 exit L{}\n",
        n + 2,
        n + 1
    );
    for (i, s) in statements.iter().enumerate() {
        text += &format!("  e{i}: L{i} -> L{}: {s}\n", i + 1);
    }
    text += &format!("  e{n}: L{n} -> L{}: return\n}}\n", n + 1);
    ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

/// The same over x, y, z.
fn program_of_three(statements: &[&str]) -> Program {
    let n = statements.len();
    let mut text = format!(
        "model LP64\nentry f\nfunc external f(x: i32, y: i32, z: i32) {{\n  locations {} entry L0 exit L{}\n",
        n + 2,
        n + 1
    );
    for (i, s) in statements.iter().enumerate() {
        text += &format!("  e{i}: L{i} -> L{}: {s}\n", i + 1);
    }
    text += &format!("  e{n}: L{n} -> L{}: return\n}}\n", n + 1);
    ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

fn table(program: &Program, predicates: &str) -> Table {
    let written = read(program, FileId::from_index(0), &format!("f: {predicates}"), Arithmetic::Exact);
    let parsed = predfile::predicates(program, written);
    assert_eq!(parsed.diagnostics, []);
    let mut list = Predicates::new();
    for p in parsed.predicates {
        list.insert(p);
    }
    let analysis = analysis::Analysis::new(program);
    let found = blocks(&analysis, &list, program.entry, Granularity::Basic, &Options::default());
    found[0].table.clone().unwrap_or_else(|e| panic!("{e:?}"))
}

const MATH: &str = "ub signed-overflow assumed-away\n";

/// §6: x := x + 10; y := y + 1 over {x >= 0, even(y)}. The first predicate is kept as x < 0, its opposite.
#[test]
fn sabs13_6_has_six_rows_without_overflow_and_eight_with() {
    let statements = [
        "[signed-overflow: (!add_overflows(x, 10:i32))] x := (x + 10:i32)",
        "[signed-overflow: (!add_overflows(y, 1:i32))] y := (y + 1:i32)",
    ];
    let math = table(&program(MATH, &statements), "x < 0, y % 2 = 0");
    assert_eq!(math.rows.len(), 6);
    assert_eq!(table(&program("", &statements), "x < 0, y % 2 = 0").rows.len(), 8);
    // x >= 0 stays; otherwise anything. even(y) is turned round.
    assert_eq!((math.assignment(0).on, math.assignment(0).off), (vec![], vec![vec![(0, false)]]));
    assert_eq!((math.assignment(1).on, math.assignment(1).complete), (vec![vec![(1, false)]], true));
}

/// §9: x := 10 over {x >= 0, x <= 100} is T, T whatever was before, also where no state was; §7: in a block that depends on x,
/// the valuation that no state has is in no row.
#[test]
fn sabs13_9_an_initialisation_depends_on_nothing() {
    let init = table(&program("", &["x := 10:i32"]), "x < 0, x <= 100");
    assert_eq!(init.dependent, 0);
    assert_eq!(init.full_rows(16).map(|r| r.len()), Some(4));
    assert_eq!((init.assignment(0).on.len(), init.assignment(0).complete), (0, true));
    assert_eq!(init.assignment(1).on, [vec![]]);
    let step = table(&program("", &["x := (x + 1:i32)"]), "x < 0, x <= 100");
    assert!(step.rows.iter().all(|&(before, after)| before != 0b01 && after != 0b01), "x < 0 and not x <= 100");
}

/// §5: x := -x over {x <= 0, x > 0}: the printed exchange is wrong at 0.
#[test]
fn sabs13_5_negation() {
    let t = table(&program(MATH, &["[signed-overflow: (x != -2147483648:i32)] x := (-x)"]), "x <= 0, x < 1");
    // Both predicates are one, in canonical form or by their rows: from x <= 0 either, from x > 0 only x <= 0.
    let all = if t.width() == 1 { 1 } else { 3 };
    let expected: BTreeSet<(u128, u128)> = [(all, 0), (all, all), (0, all)].into();
    assert_eq!(t.rows, expected);
}

/// SABS13 §12: over 2 to 12 predicates on one block at most a question for each row and as many as there are pairs of predicates.
#[test]
fn calls_grow_with_rows() {
    let all = "x > 0, y > 0, x < y, z = x, x > 10, y > 10, z > 0, x = 5, y = z, z < 100, x < 100, y < 100";
    let all: Vec<&str> = all.split(", ").collect();
    for n in [2, 4, 6, 8] {
        let text = program_of_three(&["x := (x + 1:i32)", "y := (y - x)", "z := x"]);
        let t = table(&text, &all[..n].join(", "));
        let (rows, n) = (t.rows.len() as u64, n as u64);
        assert!(
            t.calls <= rows + n * n && u128::from(t.calls) <= t.papers_direct() + 1,
            "{n}: {} calls, {rows} rows",
            t.calls
        );
    }
}

/// On random programs: the rows that begin with a valuation are the Boolean image of that valuation, so the direct method is
/// never less precise than the Cartesian one; and calls are few.
#[test]
fn rows_are_the_boolean_images() {
    let options = oracle::options();
    let (mut compared, mut finer) = (0, 0);
    for seed in 0..6 {
        let rng = &mut Rng::new(seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let analysis = analysis::Analysis::new(&program);
        for func in program.functions.ids() {
            let in_scope: Vec<PredId> = predicates.in_scope(func).collect();
            if in_scope.is_empty() || in_scope.len() > 4 {
                continue;
            }
            for block in blocks(&analysis, &predicates, func, Granularity::Statement, &options) {
                let Ok(table) = &block.table else { continue };
                // One question for each row and one more; where the last is hard, another solver is asked again.
                let (rows, width) = (table.rows.len() as u64, table.width() as u64);
                assert!((rows + 1..=rows + (width * width).max(2)).contains(&table.calls), "{table:?}");
                for v in 0..1u128 << in_scope.len() {
                    let bits: Trivector = (0..in_scope.len()).map(|i| Some(v >> i & 1 == 1)).collect();
                    let from = BTreeSet::from([bits]);
                    let Ok(images) = post(&analysis, &predicates, (func, block.edges[0]), &from, &options) else {
                        continue;
                    };
                    if images.before.is_empty() {
                        continue;
                    }
                    let number =
                        |b: &Vec<bool>| b.iter().enumerate().fold(0u128, |all, (i, &b)| all | u128::from(b) << i);
                    let image: BTreeSet<u128> = images.boolean.iter().map(number).collect();
                    let rows: BTreeSet<u128> = (0..1u128 << in_scope.len()).filter(|&w| table.allows(v, w)).collect();
                    assert_eq!(rows, image, "seed {seed}, {}, {v:b}\n{}", block.edges[0], ir::text::print(&program));
                    let open = images.cartesian.iter().flatten().filter(|t| t.is_none()).count() as u32;
                    finer += u64::from(!image.is_empty() && (image.len() as u64) < 1 << open);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 60, "{compared} valuations compared");
    assert!(finer > 0, "the relation was never finer than the Cartesian image");
}

/// SABS13, lemma 1 with its negation restored: projected to "b is false after", the table is what `S` of the weakest precondition
/// of b leaves out, and the same for "b is true after". `S` is found by C2bp, cube by cube, the table by models of the block.
#[test]
fn sabs13_lemma_1() {
    use boolprog::semantics::{Valuation, values};
    let options = Options { max_cube: 8, enforce_cube: 8, ..oracle::options() };
    let (mut compared, mut forced) = (0, 0);
    for seed in 0..40 {
        let rng = &mut Rng::new(900 + seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let analysis = analysis::Analysis::new(&program);
        let none = vc::LocationInvariants::new();
        let made = predabs::abstract_program(&analysis, &predicates, &[], &none, &options, &mut predabs::Cache::new())
            .unwrap();
        if made.stats.undecided + made.stats.cut_short + made.stats.cones_cut > 0 {
            continue;
        }
        for func in program.functions.ids() {
            let Some(map) = &made.functions[func] else { continue };
            let proc = &made.program.procs[map.proc];
            for block in blocks(&analysis, &predicates, func, Granularity::Statement, &options) {
                let (Ok(table), Some(first)) = (&block.table, map.edges[block.edges[0]]) else { continue };
                let returns = matches!(program.body(func).edges[block.edges[0]].op, ir::Op::Return(_));
                let assign = [first, first.next()].into_iter().find_map(|s| match &proc.body.get(s)?.kind {
                    boolprog::StmtKind::Assign(pairs) if proc.body[s].tag == proc.body[first].tag => Some(pairs),
                    _ => None,
                });
                // At a return the result has no value before it, of which C2bp says nothing.
                let (Some(assign), Some(rows), false) = (assign, table.full_rows(64), returns) else { continue };
                for &(before, _) in &rows {
                    let mut state = Valuation {
                        globals: vec![false; made.program.globals.len()],
                        locals: vec![false; proc.locals.len()],
                    };
                    for (i, &p) in table.predicates.iter().enumerate() {
                        state.set(made.var(func, p).unwrap(), before >> i & 1 == 1);
                    }
                    // States that no state has are ruled out by `enforce`, and C2bp finds both values forced there.
                    if !boolprog::semantics::enforced(proc, &state) {
                        continue;
                    }
                    for (var, e) in assign {
                        let Some(place) = var
                            .and_then(|v| made.pred(func, v))
                            .and_then(|p| table.predicates.iter().position(|q| *q == p))
                        else {
                            continue;
                        };
                        let possible = |want: bool| {
                            rows.iter().any(|&(b, after)| b == before && (after >> place & 1 == 1) == want)
                        };
                        let can = values(e, &state, &state);
                        assert_eq!(
                            (can.can_true, can.can_false),
                            (possible(true), possible(false)),
                            "seed {seed}, {}, predicate {place} from {before:b}\n{}",
                            block.edges[0],
                            ir::text::print(&program)
                        );
                        compared += 1;
                        forced += usize::from(can.can_true != can.can_false);
                    }
                }
            }
        }
    }
    assert!(compared > 200 && forced > 50, "{compared} compared, {forced} forced");
}

/// SABS13 §4, §8: the weakest precondition by the block's encoding is the one by substitution, under what the step assumes.
#[test]
fn sabs13_preconditions_by_encoding_and_by_substitution() {
    let (mut compared, mut moved) = (0, 0);
    for seed in 0..40 {
        let rng = &mut Rng::new(1700 + seed);
        let program = oracle::program(rng);
        let predicates = oracle::predicates(rng, &program, 3);
        let analysis = analysis::Analysis::new(&program);
        let mut enc = vc::Encoder::for_proof(&analysis);
        for func in program.functions.ids() {
            for edge in program.functions[func].body.iter().flat_map(|b| &b.edges) {
                let ir::Op::Assign(place, value) = &edge.op else { continue };
                let Some(var) = place.as_var() else { continue };
                let start = enc.arbitrary(func);
                let mut end = start.clone();
                let Ok(effects) = enc.step(&mut end, edge) else { continue };
                let assumed: Vec<logic::Term> = effects.assumptions.iter().map(|a| a.term).collect();
                for id in predicates.in_scope(func).collect::<Vec<PredId>>() {
                    let expr = &predicates.get(id).expr;
                    let written = ir::walk::substitute(expr, &mut |v| (v == var).then(|| value.clone()));
                    let (Ok(after), Ok(before)) = (enc.eval(&end, expr), enc.eval(&start, &written)) else { continue };
                    compared += 1;
                    moved += usize::from(written != *expr);
                    if after != before {
                        let same = enc.store.iff(after, before);
                        let answer = logic::check_valid(&enc.store, &assumed, same, 20_000);
                        assert!(!matches!(answer, logic::Answer::Sat(_)), "seed {seed}: {}", ir::text::print(&program));
                    }
                }
            }
        }
    }
    assert!(compared > 100 && moved > 20, "{compared} compared, {moved} changed");
}

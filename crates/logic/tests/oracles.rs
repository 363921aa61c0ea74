//! The oracles of the library in their normal budget.

use logic::oracle;
use logic::rewrite::Rule;

/// Rules that need the addresses of objects: exercised where their axioms are.
const ABOUT_OBJECTS: [Rule; 2] = [Rule::LessOffset, Rule::SelectCells];

#[test]
fn every_operation_on_all_small_values() {
    let n = oracle::exhaustive_ops(4).unwrap();
    assert!(n > 8_000, "only {n} cases");
}

#[test]
fn every_operation_on_random_values_up_to_200_bits() {
    oracle::random_ops(1, 300).unwrap();
}

#[test]
fn rewriting_keeps_the_meaning_and_every_rule_is_exercised() {
    let mut total = oracle::random_terms(2, 2500).unwrap();
    for (have, (_, n)) in total.iter_mut().zip(oracle::map_reads(3, 150).unwrap()) {
        have.1 += n;
    }
    // Those about floating-point numbers are exercised by terms of their own (tests/floats.rs).
    let elsewhere = |rule: Rule| format!("{rule:?}").starts_with("Float") || ABOUT_OBJECTS.contains(&rule);
    let rare: Vec<&(Rule, u64)> = total.iter().filter(|(r, n)| *n < 20 && !elsewhere(*r)).collect();
    assert!(rare.is_empty(), "rules that random terms hardly exercise: {rare:?}");
}

#[test]
fn axioms_constrain_nothing_but_their_own_symbols() {
    let (n, applied) = oracle::attached_axioms(5, 12).unwrap();
    assert!(n > 10_000, "only {n} valuations");
    let rare: Vec<&(Rule, u64)> = applied.iter().filter(|(r, n)| *n < 20 && ABOUT_OBJECTS.contains(r)).collect();
    assert!(rare.is_empty(), "rules about objects that are hardly exercised: {rare:?}");
}

#[test]
fn answers_models_cores_and_enumerations_agree_with_brute_force() {
    let n = oracle::random_queries(4, 150).unwrap();
    assert!(n > 800, "only {n} questions");
}

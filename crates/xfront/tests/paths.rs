//! TR00 §4.2 and §5 on random paths: the path simulator's last context says what runs do; consistent projections of a path that
//! can be executed can be executed; and the greedy search ends where nothing more can go.

use crate::support::{random_path, value};
use base::rng::Rng;
use base::{FileId, Id};
use std::collections::{BTreeMap, BTreeSet};
use xfront::simulate::{del_sets, greedy, path, simulate};
use xfront::syntax::{Stmt, StmtKind};

type Env = BTreeMap<String, i32>;

fn inputs(rng: &mut Rng) -> Env {
    ["a", "b", "c"].iter().map(|x| ((*x).to_owned(), rng.below(9) as i32 - 3)).collect()
}

/// The values after the path, if all its conditions hold.
fn execute(steps: &[&Stmt], mut env: Env) -> Option<Env> {
    for stmt in steps {
        match &stmt.kind {
            StmtKind::Assign(names, values) => {
                let v = value(&values[0], &env);
                env.insert(names[0].text.clone(), v);
            }
            StmtKind::Assert(e) | StmtKind::Assume(e) if value(e, &env) == 0 => return None,
            _ => {}
        }
    }
    Some(env)
}

#[test]
fn the_strongest_postcondition_is_what_runs_do() {
    let (mut ended, mut stopped) = (0, 0);
    for seed in 0..400 {
        let program = xfront::parse(FileId::from_index(0), &random_path(seed)).unwrap();
        let steps = path(&program, "main").unwrap();
        let context = simulate(&steps).pop().unwrap();
        let rng = &mut Rng::new(seed);
        for _ in 0..8 {
            let env = inputs(rng);
            let thetas: Env = env.iter().map(|(x, v)| (format!("θ{x}"), *v)).collect();
            let holds = context.conditions.iter().all(|c| value(c, &thetas) == 1);
            match execute(&steps, env) {
                None => {
                    assert!(!holds, "seed {seed}");
                    stopped += 1;
                }
                Some(after) => {
                    assert!(holds, "seed {seed}");
                    for (x, e) in &context.store {
                        assert_eq!(value(e, &thetas), after[x], "seed {seed}: {x}");
                    }
                    ended += 1;
                }
            }
        }
    }
    assert!(ended > 300 && stopped > 300, "{ended} and {stopped}");
}

/// §5.2: with a statement go those before it that use or define what it assigns. Then some start makes the rest do what it did
/// in the path: if the path can be executed, so can the projection.
#[test]
fn consistent_projections_of_feasible_paths_are_feasible() {
    let mut projected = 0;
    for seed in 0..300 {
        let program = xfront::parse(FileId::from_index(0), &random_path(seed)).unwrap();
        let steps = path(&program, "main").unwrap();
        let rng = &mut Rng::new(seed);
        if !(0..30).any(|_| execute(&steps, inputs(rng)).is_some()) {
            continue;
        }
        let sets = del_sets(&steps);
        for set in &sets {
            let kept: Vec<&Stmt> = (0..steps.len()).filter(|i| !set.contains(i)).map(|i| steps[i]).collect();
            // A wide search: the values that the projection begins with need not be those of the path.
            let wide = |rng: &mut Rng| -> Env {
                ["a", "b", "c"].iter().map(|x| ((*x).to_owned(), rng.below(61) as i32 - 30)).collect()
            };
            assert!((0..4000).any(|_| execute(&kept, wide(rng)).is_some()), "seed {seed} without {set:?}");
            projected += 1;
        }
    }
    assert!(projected > 200, "{projected}");
}

#[test]
fn the_greedy_search_ends_in_a_smallest_projection_and_keeps_the_last_condition() {
    for seed in 0..200 {
        let program = xfront::parse(FileId::from_index(0), &random_path(seed)).unwrap();
        let steps = path(&program, "main").unwrap();
        let Some(last) = steps.iter().rposition(|s| !matches!(s.kind, StmtKind::Assign(..))) else { continue };
        // Any monotone question will do: this one calls a path infeasible while two chosen statements are in it.
        let needed: BTreeSet<usize> = [last, seed as usize % steps.len()].into();
        let way = greedy(&steps, seed % 2 == 0, &mut |kept| needed.iter().all(|n| kept.contains(n)));
        let end = way.last().unwrap();
        assert!(end.contains(&last), "seed {seed}");
        let here: Vec<&Stmt> = end.iter().map(|&i| steps[i]).collect();
        for (j, set) in del_sets(&here).iter().enumerate() {
            let without = |n: &usize| end.iter().enumerate().any(|(k, i)| i == n && !set.contains(&k));
            let position = end.iter().position(|&i| i == last).unwrap();
            assert!(set.contains(&position) || !needed.iter().all(without), "seed {seed}: {j} could go");
        }
    }
}

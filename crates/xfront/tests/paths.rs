//! TR00 §4.2 and §5 on random paths: the path simulator's last context says what runs do; consistent projections of a path that
//! can be executed can be executed; and the greedy search ends where nothing more can go.

use crate::support::{random_path, value};
use base::rng::Rng;
use base::{FileId, Id};
use std::collections::{BTreeMap, BTreeSet};
use xfront::paths::{Path, path};
use xfront::simulate::{del_sets, greedy, show_expression, show_statement, simulate};
use xfront::symbolic::{Scope, annotated, annotations, conditions as conditions_of};
use xfront::syntax::{Expr, ExprKind, Name, Stmt, StmtKind};

fn all(path: &Path) -> Vec<&Stmt> {
    path.steps.iter().collect()
}

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
        let path = path(&program, "main", None).unwrap();
        let steps = all(&path);
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
        let path = path(&program, "main", None).unwrap();
        let steps = all(&path);
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
        let path = path(&program, "main", None).unwrap();
        let steps = all(&path);
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

const FIG6: &str = "x, y: int; A() { [1] B(x, y); [2] skip; [3] B(y, x); [4] skip; }\n\
                    B(b1, b2: int) { [5] assert(b1 < b2); [6] skip; [7] return; }";

/// TR00 fig 6: the transformed path, its last context, the eight conditions with their scopes, and the annotations.
#[test]
fn figure_6_of_tr00() {
    let program = xfront::parse(FileId::from_index(0), FIG6).unwrap();
    let labels: Vec<String> = ["1", "5", "6", "7", "2", "3", "5"].map(str::to_owned).into();
    for labels in [None, Some(&labels[..])] {
        let path = path(&program, "A", labels).unwrap();
        let steps = all(&path);
        let shown: Vec<String> = steps.iter().map(|s| show_statement(s)).collect();
        assert_eq!(shown, ["b1.1, b2.1 := x, y", "assert(b1.1 < b2.1)", "b1.2, b2.2 := y, x", "assert(b1.2 < b2.2)"]);
        let last = simulate(&steps).pop().unwrap();
        let conditions: Vec<String> = last.conditions.iter().map(show_expression).collect();
        assert_eq!((conditions, last.history.len()), (vec!["θx < θy".to_owned(), "θy < θx".to_owned()], 0));
        let formal = || Scope::Formal("B".to_owned());
        let expected = [
            (Scope::Global, "x = θx"),
            (Scope::Global, "y = θy"),
            (Scope::Global, "θx < θy"),
            (Scope::Global, "θy < θx"),
            (formal(), "b1 = θx"),
            (formal(), "b1 = θy"),
            (formal(), "b2 = θy"),
            (formal(), "b2 = θx"),
        ];
        let found: Vec<(Scope, String)> =
            conditions_of(&path, &steps).into_iter().map(|(s, e)| (s, show_expression(&e))).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (scope, text) in expected {
            assert!(found.contains(&(scope.clone(), text.to_owned())), "{scope:?} {text}: {found:?}");
        }
        assert_eq!(annotations(&steps), [(0, "x".to_owned()), (0, "y".to_owned())]);
    }
    let path = path(&program, "A", None).unwrap();
    let kept: Vec<usize> = (0..4).collect();
    let made = annotated(&program, "A", &path, &kept, true);
    assert!(made.whole, "no annotation stands in B: nothing has to be inlined");
    let text = xfront::print(&made.program);
    assert!(text.contains("theta_x := x;\n  theta_y := y;\n  [1] B(x, y);"), "{text}");
    assert!(made.predicates.contains("B: b2 == theta_x\n"), "{}", made.predicates);
}

/// Where a label is passed twice with an annotation, calls are inlined and loops unrolled first (TR00 §4.3).
#[test]
fn repeated_labels_are_written_out() {
    let text = "g: int; P() { [6] assert(g > 0); [7] g := g - 1; [8] return; }\n\
                main() { i: int; [1] i := 0; [2] while (i < 2) { [3] P(); [4] i := i + 1; } [5] skip; }\n";
    let program = xfront::parse(FileId::from_index(0), text).unwrap();
    let labels: Vec<String> =
        ["1", "2", "3", "6", "7", "8", "4", "3", "6", "7", "8", "4", "5"].map(str::to_owned).into();
    let found = path(&program, "main", Some(&labels)).unwrap();
    let shown: Vec<String> = found.steps.iter().map(show_statement).collect();
    assert_eq!(shown.len(), 10, "{shown:?}");
    assert_eq!((shown[1].as_str(), shown[9].as_str()), ("assume(i < 2)", "assume(!(i < 2))"));
    assert!(found.loops);
    let kept: Vec<usize> = (0..shown.len()).collect();
    let made = annotated(&program, "main", &found, &kept, false);
    assert!(!made.whole);
    let again = xfront::parse(FileId::from_index(0), &xfront::print(&made.program)).unwrap();
    assert_eq!(again, made.program, "what is written reads back");
    for (labels, why) in [
        (vec!["1", "2", "4"], "after 2 statements comes [3], not [4]"),
        (vec!["1", "9"], "after 1 statements comes [2], not [9]"),
    ] {
        let labels: Vec<String> = labels.into_iter().map(str::to_owned).collect();
        assert_eq!(path(&program, "main", Some(&labels)).unwrap_err(), why);
    }
    assert!(path(&program, "main", None).is_err(), "there are branches");
}

/// Theorem 4 (TR00 §5.2): a syntactically consistent projection is a consistent one. With its symbolic constants put in where it first
/// uses its variables, the path's last store and conditions contain those of the projection.
#[test]
fn syntactically_consistent_projections_are_consistent() {
    let mut looked_at = 0;
    for seed in 0..400 {
        let program = xfront::parse(FileId::from_index(0), &random_path(seed)).unwrap();
        let path = path(&program, "main", None).unwrap();
        let steps = all(&path);
        for set in del_sets(&steps) {
            let kept: Vec<usize> = (0..steps.len()).filter(|i| !set.contains(i)).collect();
            let q: Vec<&Stmt> = kept.iter().map(|&i| steps[i]).collect();
            // p with `x := θx,q` before each statement where q first uses x.
            let marks = annotations(&q);
            let mut p: Vec<Stmt> = Vec::new();
            for (i, stmt) in steps.iter().enumerate() {
                for (j, x) in &marks {
                    if kept[*j] == i {
                        let name = Name { text: x.clone(), span: stmt.span };
                        let theta = Expr::new(ExprKind::Name(format!("q{x}")), stmt.span);
                        p.push(Stmt::new(StmtKind::Assign(vec![name], vec![theta]), stmt.span));
                    }
                }
                p.push((*stmt).clone());
            }
            let of_p = simulate(&p.iter().collect::<Vec<_>>()).pop().unwrap();
            let Some(of_q) = simulate(&q).pop() else { continue };
            let in_p = |e: &Expr| show_expression(e).replace("θq", "q");
            let in_q = |e: &Expr| show_expression(e).replace('θ', "q");
            for (x, e) in &of_q.store {
                assert_eq!(of_p.store.get(x).map(in_p), Some(in_q(e)), "seed {seed}: {x} without {set:?}");
            }
            let conditions: BTreeSet<String> = of_p.conditions.iter().map(in_p).collect();
            assert!(of_q.conditions.iter().all(|c| conditions.contains(&in_q(c))), "seed {seed} without {set:?}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
}

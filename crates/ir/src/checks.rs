//! Turns checked undefined behaviour into ordinary errors.
//!
//! Whoever looks for errors then needs to know nothing of policies: a guard of a checked kind has an edge to
//! [`Op::Error`], and what stays on the edge itself is an assumption.

use crate::cfg::Graph;
use crate::syntax::*;
use crate::walk::mentions_object_predicate;

/// Adds, for each guard whose kind is [`UbPolicy::Checked`], a branch to `error ub` that is taken when the guard fails and
/// all guards before it hold.
///
/// - On an `assume` edge, the branch is one more edge from the same location.
/// - Any other edge is the only one of its location; it moves to a new location behind a chain of tests, one per guard.
///
/// A plain test and the object predicate behind it that ask the same of one access have one error together.
///
/// Ids of edges and locations stay what they are; new ones come after them. Guards stay on their edges. Programs for
/// which it has been done already must not be given again.
pub fn expose(program: &mut Program) {
    let ub = program.ub.clone();
    let checked = |guard: &Guard| ub.get(guard.ub) == UbPolicy::Checked;
    for func in program.functions.iter_mut() {
        if let Some(body) = &mut func.body {
            expose_in(body, &checked);
        }
    }
}

fn expose_in(body: &mut Body, checked: &dyn Fn(&Guard) -> bool) {
    let graph = Graph::new(body);
    for loc in body.locations.ids() {
        // Both sides of a branch usually carry the same guards: one error edge is enough for both.
        let mut done: Vec<Vec<Guard>> = Vec::new();
        for &e in graph.out.get(loc).map_or(&[][..], |v| v) {
            let edge = body.edges[e].clone();
            let branches = matches!(edge.op, Op::Assume(_));
            let (mut here, mut shared) = (edge.from, None);
            for (i, guard) in edge.guards.iter().enumerate().filter(|(_, g)| checked(g)) {
                let prefix = edge.guards[..=i].to_vec();
                if done.contains(&prefix) {
                    continue;
                }
                done.push(prefix);
                let before = edge.guards[..i].to_vec();
                let location = Location { label: None, span: edge.span };
                let over_objects = mentions_object_predicate(&guard.cond);
                let bounds = guard.ub == Ub::OutOfBounds;
                let known = if bounds && over_objects { shared.take() } else { None };
                let fails = known.unwrap_or_else(|| body.locations.push(location.clone()));
                if bounds && !over_objects {
                    shared = Some(fails);
                }
                let span = edge.span;
                let test =
                    |from, to, cond| Edge { from, to: Some(to), guards: before.clone(), op: Op::Assume(cond), span };
                body.edges.push(test(here, fails, guard.cond.clone().negate()));
                if known.is_none() {
                    let op = Op::Error(ErrorKind::Ub(guard.ub));
                    body.edges.push(Edge { from: fails, to: None, guards: Vec::new(), op, span });
                }
                if !branches {
                    let holds = body.locations.push(location);
                    body.edges.push(test(here, holds, guard.cond.clone()));
                    here = holds;
                }
            }
            body.edges[e].from = here;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{At, End, Limits, RandomInputs, Unobserved, ZeroInputs, run};
    use crate::random::{self, Knobs};
    use crate::text::{parse, print};
    use crate::validate::validate;
    use base::Id;
    use base::rng::Rng;

    fn exposed(text: &str) -> Program {
        let mut program = parse(base::FileId::from_index(0), text).unwrap_or_else(|d| panic!("{d:?}"));
        expose(&mut program);
        assert_eq!(validate(&program), Ok(()), "{}", print(&program));
        program
    }

    const DIVIDES: &str = "\
model LP64
entry main
ub div-by-zero checked
ub div-overflow checked
func external main() {
  local x: i32
  local y: i32
  locations 4 entry L0 exit L3
  e0: L0 -> L1: y := 0:i32
  e1: L1 -> L2: [shift-count: true] [div-by-zero: (y != 0:i32)] [div-overflow: (y != -1:i32)] x := (7:i32 / y)
  e2: L2 -> L3: return
}
";

    #[test]
    fn a_failing_guard_becomes_an_error() {
        let program = exposed(DIVIDES);
        let text = print(&program);
        let tail: Vec<&str> = text.lines().skip_while(|l| !l.contains("e1:")).map(str::trim).collect();
        assert_eq!(
            tail[..8],
            [
                "e1: L7 -> L2: [shift-count: true] [div-by-zero: (y != 0:i32)] [div-overflow: (y != -1:i32)] x := (7:i32 / y)",
                "e2: L2 -> L3: return",
                "e3: L1 -> L4: [shift-count: true] assume (y == 0:i32)",
                "e4: L4 -> end: error ub div-by-zero",
                "e5: L1 -> L5: [shift-count: true] assume (y != 0:i32)",
                "e6: L5 -> L6: [shift-count: true] [div-by-zero: (y != 0:i32)] assume (y == -1:i32)",
                "e7: L6 -> end: error ub div-overflow",
                "e8: L5 -> L7: [shift-count: true] [div-by-zero: (y != 0:i32)] assume (y != -1:i32)",
            ]
        );
        let end = run(&program, &mut ZeroInputs, &Limits::default(), &mut Unobserved).end;
        assert!(matches!(end, End::Error { kind: ErrorKind::Ub(Ub::DivByZero), .. }), "{end:?}");
    }

    #[test]
    fn a_branch_gets_one_error_edge_for_both_sides() {
        let program = exposed(
            "\
model LP64
entry main
ub div-by-zero checked
func external main() {
  local y: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: y := 0:i32
  e1: L1 -> L2: [div-by-zero: (y != 0:i32)] assume ((7:i32 / y) == 1:i32)
  e2: L1 -> L3: [div-by-zero: (y != 0:i32)] assume ((7:i32 / y) != 1:i32)
  e3: L2 -> L4: return
  e4: L3 -> L4: return
}
",
        );
        let body = program.functions[program.entry].body.as_ref().unwrap();
        assert_eq!(body.edges.len(), 7);
        let end = run(&program, &mut ZeroInputs, &Limits::default(), &mut Unobserved).end;
        assert!(matches!(end, End::Error { kind: ErrorKind::Ub(Ub::DivByZero), .. }), "{end:?}");
    }

    /// On random programs: where the original ends in a checked guard's event, the exposed one ends in its error; all
    /// other ends stay.
    #[test]
    fn runs_end_alike() {
        let mut turned = 0;
        for seed in 0..600 {
            let mut program = random::program(&mut Rng::new(seed), &Knobs { checked: false, ..Knobs::default() });
            program.ub.set(Ub::DivByZero, UbPolicy::Checked);
            program.ub.set(Ub::SignedOverflow, UbPolicy::Checked);
            let mut checked = program.clone();
            expose(&mut checked);
            assert_eq!(validate(&checked), Ok(()), "seed {seed}");
            let limits = Limits { steps: 2000, ..Limits::default() };
            let before = run(&program, &mut RandomInputs::new(seed), &limits, &mut Unobserved).end;
            let after = run(&checked, &mut RandomInputs::new(seed), &limits, &mut Unobserved).end;
            let guarded = |at: At, ub: Ub| match at {
                At::Start => false,
                At::Edge(f, e) => {
                    let edges = &program.functions[f].body.as_ref().unwrap().edges;
                    edges[e].guards.iter().any(|g| g.ub == ub)
                }
            };
            match (before, after) {
                (End::Ub { ub, policy: UbPolicy::Checked, at }, after) if guarded(at, ub) => {
                    let found = matches!(&after, End::Error { kind, .. } if *kind == ErrorKind::Ub(ub));
                    assert!(found, "seed {seed}: {ub:?} became {after:?}");
                    turned += 1;
                }
                // The longer program may reach the limit first.
                (_, End::Limit(_)) => {}
                (before, after) => assert_eq!(before, after, "seed {seed}"),
            }
        }
        assert!(turned > 20, "only {turned} runs met a checked event");
    }
}

//! Names that are almost those of a target or of a function that hardbop gives a meaning: one letter more, less, another, or
//! two exchanged, in whatever case. A call of `asert` is a call of an unknown function, not a mistake that anyone sees.

use crate::front::Front;
use crate::rests_on;
use cfront::tree::Unit;
use ir::cfg::CallGraph;
use ir::{FuncId, Op};
use lower::Targets;

/// Functions with a meaning of their own that are no targets.
const KNOWN: [&str; 6] = [
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_exit",
    "__VERIFIER_nondet_memory",
];

/// What comes before the type in the names of inputs.
const INPUT: &str = "__VERIFIER_nondet_";

/// A warning for each function without a body that a run may call and that has almost such a name.
pub(crate) fn warnings(front: &Front, targets: &Targets) -> Vec<String> {
    let names = rests_on::undefined_functions(&front.program);
    let missed = names.iter().filter_map(|name| Some((*name, meant(name, targets)?)));
    let warn = |(name, meant): (&str, String)| {
        let place = first_call(front, name).map_or(String::new(), |at| format!("{at}: "));
        format!("{place}warning: `{name}` is any function without a body; did you mean `{meant}`? [near-miss]")
    };
    missed.map(warn).collect()
}

/// What to change where there is nothing to check, also in functions that have a body.
pub(crate) fn corrections(front: &Front, targets: &Targets) -> Vec<String> {
    let reachable = CallGraph::new(&front.program).reachable_from(front.program.entry);
    let called = front.program.functions.iter_enumerated().filter(|(f, _)| reachable[*f]);
    let missed = called.filter_map(|(_, f)| Some((&f.name, meant(&f.name, targets)?)));
    missed.map(|(name, meant)| format!("`{meant}`, if `{name}` was meant to be that")).collect()
}

/// Functions that are listed.
const MOST_FUNCTIONS: usize = 12;

/// Where a run could start instead of in a function that is not there: first those that were probably meant.
pub(crate) fn other_entries(units: &[Unit], wanted: &str) -> Vec<String> {
    let defined = |unit: &Unit| {
        let with_body = unit.funcs.iter().filter(|f| f.body.is_some());
        with_body.map(|f| unit.name(f.name).to_string()).collect::<Vec<_>>()
    };
    let names: Vec<String> = units.iter().flat_map(defined).collect();
    if names.is_empty() {
        return vec!["a file that defines a function: these only declare them".to_string()];
    }
    let near =
        names.iter().filter(|n| is_near(n, wanted)).map(|n| format!("--entry {n}, if `{wanted}` was meant to be that"));
    let shown: Vec<&str> = names.iter().take(MOST_FUNCTIONS).map(String::as_str).collect();
    let more = names.len().saturating_sub(MOST_FUNCTIONS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    near.chain([format!("--entry FUNCTION, to start elsewhere; the program defines {}{more}", shown.join(", "))])
        .collect()
}

/// Where the function is called first.
fn first_call(front: &Front, name: &str) -> Option<String> {
    let functions = &front.program.functions;
    let callee: FuncId = functions.iter_enumerated().find(|(_, f)| f.name == name).map(|(id, _)| id)?;
    let edges = functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.edges.iter());
    let call = |op: &Op| matches!(op, Op::Call(call) if call.callee == ir::Callee::Direct(callee));
    edges.filter(|e| call(&e.op)).map(|e| front.source().show(e.span)).next()
}

/// The name that was probably meant, if this is none itself.
fn meant(name: &str, targets: &Targets) -> Option<String> {
    let assert = targets.assertions.then_some("assert");
    let known: Vec<&str> = targets.functions.iter().map(String::as_str).chain(assert).chain(KNOWN).collect();
    if known.contains(&name) || name.starts_with(INPUT) {
        return None;
    }
    let whole = known.iter().find(|k| is_near(name, k)).map(|k| (*k).to_string());
    whole.or_else(|| {
        // The same length first: a name that only differs in case has no letter too many.
        let cuts = [INPUT.len(), INPUT.len() - 1, INPUT.len() + 1].into_iter();
        cuts.filter_map(|at| name.split_at_checked(at))
            .find(|(head, _)| is_near(head, INPUT))
            .map(|(_, kind)| format!("{INPUT}{kind}"))
    })
}

/// Whether the names differ in at most one insertion, deletion, replacement or exchange of neighbours, but for case.
pub(crate) fn is_near(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase().into_bytes(), b.to_ascii_lowercase().into_bytes());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let rest = |s: &[u8], n: usize| s.get(n..).map(<[u8]>::to_vec);
    let exchanged = a.len() >= 2 && b.len() >= 2 && (a[0], a[1]) == (b[1], b[0]) && a[2..] == b[2..];
    a == b
        || exchanged
        || rest(a, 1).is_some_and(|a| a == b)
        || rest(b, 1).is_some_and(|b| a == b)
        || rest(a, 1).zip(rest(b, 1)).is_some_and(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_away_is_a_near_miss() {
        let cases = [
            ("asert", "assert"),
            ("asssert", "assert"),
            ("azsert", "assert"),
            ("assret", "assert"),
            ("Assert", "assert"),
            ("ASSERT", "assert"),
            ("asser", "assert"),
            ("assertt", "assert"),
            ("reach_eror", "reach_error"),
            ("reacherror", "reach_error"),
            ("__VERIFIER_eror", "__VERIFIER_error"),
            ("__VERFIER_assume", "__VERIFIER_assume"),
            ("_VERIFIER_assume", "__VERIFIER_assume"),
            ("__VERIFIER_nodet_int", "__VERIFIER_nondet_int"),
            ("__verifier_nondet_int", "__VERIFIER_nondet_int"),
            ("__VERIFIER_nondte_uint", "__VERIFIER_nondet_uint"),
        ];
        for (name, expected) in cases {
            assert_eq!(meant(name, &Targets::default()).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in
            ["assert", "reach_error", "__VERIFIER_nondet_int", "sert", "insert", "nondet", "a", "reached_errors"]
        {
            assert_eq!(meant(name, &Targets::default()), None, "{name}");
        }
        assert_eq!(meant("asert", &Targets::only("f")), None, "where assertions are no targets");
    }
}

//! Generated invariants hold: on random programs no run ever stands at a location where one found there is false. And they are worth
//! having: loops whose invariant is linear, a remainder or a case distinction are described.

use analysis::Analysis;
use base::rng::Rng;
use base::{FileId, Id};
use invgen::{Limits, generate};
use ir::interp::{self, Observer, RandomInputs, StateView, Step};
use ir::random::{Knobs, program};
use ir::{Loc, Program};
use vc::LocationInvariants;

fn invariants_of(program: &Program) -> LocationInvariants {
    generate(&Analysis::new(program), &Limits::default()).0
}

struct Watch<'a> {
    program: &'a Program,
    invariants: &'a LocationInvariants,
    looked_at: u64,
    broken: Vec<String>,
}

impl Observer for Watch<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        let body = self.program.body(step.func);
        let from = body.edges[step.edge].from;
        for invariant in self.invariants.at(step.func, from) {
            self.looked_at += 1;
            if state.eval(invariant).is_some_and(|v| v.bits == 0) {
                self.broken.push(format!("{from}: {}", ir::text::show_expr(self.program, step.func, invariant)));
            }
        }
    }
}

#[test]
fn no_run_breaks_an_invariant() {
    let (mut found, mut looked_at) = (0, 0);
    for seed in 0..25 {
        let knobs = Knobs { functions: 2, globals: 2, locals: 3, statements: 6, ..Knobs::default() };
        let program = program(&mut Rng::new(seed), &knobs);
        let invariants = invariants_of(&program);
        found += invariants.len();
        let mut watch = Watch { program: &program, invariants: &invariants, looked_at: 0, broken: Vec::new() };
        for run in 0..30 {
            let limits = interp::Limits { steps: 500, ..interp::Limits::default() };
            interp::run(&program, &mut RandomInputs::new(1_000 + run), &limits, &mut watch);
        }
        assert!(watch.broken.is_empty(), "seed {seed}: {}\n{}", watch.broken[0], ir::text::print(&program));
        looked_at += watch.looked_at;
    }
    assert!(found > 40 && looked_at > 2_000, "{found} invariants, looked at {looked_at} times");
}

/// A loop over `x`, `y` and an arbitrary `n`; what its head knows.
fn at_head(start: &str, body: &[&str]) -> Vec<String> {
    let mut text = String::from(
        "model LP64\nexterns args\nentry main\n
func external main() -> r {
  local r: i32
  local n: i32
  local x: i32
  local y: i32\n",
    );
    let n = body.len();
    text += &format!("  locations {} entry L0 exit L5\n", n + 6);
    text += "  e0: L0 -> L1: n := havoc nondet \"input\"\n";
    text += &format!("  e1: L1 -> L2: {start}\n  e2: L2 -> L3: x := 0:i32\n");
    text += "  e3: L3 -> L6: assume (x < n)\n  e4: L3 -> L4: assume (x >= n)\n  e5: L4 -> L5: return y\n";
    for (i, step) in body.iter().enumerate() {
        let to = if i + 1 == n { 3 } else { 7 + i };
        text += &format!("  e{}: L{} -> L{to}: {step}\n", 6 + i, 6 + i);
    }
    text += "}\n";
    let program = ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    ir::validate::validate(&program).unwrap_or_else(|v| panic!("{v:?}"));
    let head: Loc = Id::from_index(3);
    let invariants = invariants_of(&program);
    invariants
        .at(program.entry, head)
        .iter()
        .map(|e| ir::text::show_expr(&program, program.entry, e).to_string())
        .collect()
}

#[test]
fn a_linear_relation_is_found() {
    let found = at_head("y := 7:i32", &["x := (x + 1:i32)", "y := (y + 3:i32)"]);
    assert!(found.iter().any(|f| f.contains("== ((3:i32 * x) + 7:i32)") || f.contains("(3:i32 * x) == ")), "{found:?}");
}

#[test]
fn a_remainder_is_found() {
    let found = at_head("y := 1:i32", &["x := (x + 1:i32)", "y := (y + 4:i32)", "y := (y ^ 8:i32)"]);
    assert!(found.iter().any(|f| f.contains("y & 3:i32") && f.contains("== 1:i32")), "{found:?}");
}

#[test]
fn a_bound_is_found() {
    let found = at_head("y := 0:i32", &["x := (x + 1:i32)"]);
    assert!(found.contains(&"(x >= 0:i32)".to_owned()) && found.contains(&"(y == 0:i32)".to_owned()), "{found:?}");
}

//! The targets of a program, and the programs in which only some of them are left.
//!
//! A target ends the run that reaches it. So whether *one* target can be reached is asked of the program in which all others
//! end the run without being targets ([`restricted`]): the runs are the same, only what their ends are called differs. A run
//! of a restricted program that reaches a target is therefore a run of the program itself ([`Copies::original`]), and a
//! proof about a restricted program speaks of all runs of the program itself.
//!
//! A function whose only purpose is to report that its argument is false (`void check(int c) { if (!c) reach_error(); }`) has one
//! target and many callers. Each of its calls is a target of its own here: in a restricted program the calls that are
//! not asked about run a copy of the function which ends the run instead.

use crate::cfg::{CallGraph, Graph};
use crate::syntax::*;
use crate::walk::mentions_object_predicate;

/// Where a run can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The function with the [`Op::Error`].
    pub func: FuncId,
    /// Its edge.
    pub edge: EdgeId,
    /// The call that is meant, if the function reports for its callers.
    pub call: Option<(FuncId, EdgeId)>,
}

impl Target {
    /// The edge that a person looks at: the call, or else the target itself.
    pub fn place(self) -> (FuncId, EdgeId) {
        self.call.unwrap_or((self.func, self.edge))
    }

    /// The location at which it is decided whether this target is reached: where its condition is looked at.
    fn decided_at(self, program: &Program) -> (FuncId, Loc) {
        if let Some((func, edge)) = self.call {
            return (func, program.edge(func, edge).from);
        }
        let body = program.body(self.func);
        let here = body.edges[self.edge].from;
        let mut into = body.edges.iter().filter(|e| e.to == Some(here));
        match (into.next(), into.next()) {
            (Some(only), None) if matches!(only.op, Op::Assume(_)) => (self.func, only.from),
            _ => (self.func, here),
        }
    }
}

/// Edges of a function that reports for its callers; a larger one has a purpose of its own.
const MOST_EDGES: usize = 16;

/// The target of a function that reports for its callers: small, without loops and calls of other functions of the program.
fn reporter(program: &Program, func: FuncId) -> Option<EdgeId> {
    let body = program.functions[func].body.as_ref().filter(|b| b.edges.len() <= MOST_EDGES)?;
    let mut targets = body.edges.iter_enumerated().filter(|(_, e)| matches!(e.op, Op::Error(_)));
    let (target, edge) = targets.next()?;
    let reports = matches!(edge.op, Op::Error(ErrorKind::Reached(_) | ErrorKind::Assert(_)));
    let calls = |op: &Op| match op {
        Op::Call(Call { callee: Callee::Direct(g), .. }) => program.functions[*g].body.is_some(),
        Op::Call(_) => true,
        _ => false,
    };
    let plain = targets.next().is_none() && !body.edges.iter().any(|e| calls(&e.op));
    let loops = Graph::new(body).loop_heads.iter().any(|h| *h);
    (reports && plain && !loops && func != program.entry).then_some(target)
}

/// The direct calls of a function, in functions that a run may enter.
fn calls_of(program: &Program, func: FuncId) -> Vec<(FuncId, EdgeId)> {
    let entered = CallGraph::new(program).reachable_from(program.entry);
    let mut found = Vec::new();
    for (f, function) in program.functions.iter_enumerated().filter(|(f, _)| entered[*f]) {
        for (e, edge) in function.body.iter().flat_map(|b| b.edges.iter_enumerated()) {
            if matches!(&edge.op, Op::Call(Call { callee: Callee::Direct(g), .. }) if *g == func) {
                found.push((f, e));
            }
        }
    }
    found
}

/// All targets of the functions that a run may enter, in the order of functions and edges.
pub fn targets(program: &Program) -> Vec<Target> {
    let graph = CallGraph::new(program);
    let entered = graph.reachable_from(program.entry);
    let mut found = Vec::new();
    for (func, function) in program.functions.iter_enumerated().filter(|(f, _)| entered[*f]) {
        let Some(body) = &function.body else { continue };
        // Who calls through pointers may call it as well: then the calls are not all there are.
        let named =
            reporter(program, func).filter(|_| !graph.targets.contains(&func) || !graph.indirect.iter().any(|i| *i));
        let calls = named.map_or(Vec::new(), |_| calls_of(program, func));
        if let (Some(edge), 2..) = (named, calls.len()) {
            found.extend(calls.into_iter().map(|call| Target { func, edge, call: Some(call) }));
            continue;
        }
        let edges = body.edges.iter_enumerated().filter(|(_, e)| matches!(e.op, Op::Error(_)));
        found.extend(edges.map(|(edge, _)| Target { func, edge, call: None }));
    }
    found
}

/// A program in which only some targets are left.
#[derive(Clone, Debug)]
pub struct Restricted {
    /// The program.
    pub program: Program,
    /// Functions that it has besides.
    pub copies: Copies,
}

/// Copies of functions: the copy, and what it is a copy of.
#[derive(Clone, Debug, Default)]
pub struct Copies(Vec<(FuncId, FuncId)>);

impl Copies {
    /// A function of this program, as the program it was made from names it.
    pub fn original(&self, func: FuncId) -> FuncId {
        self.0.iter().find(|(copy, _)| *copy == func).map_or(func, |(_, of)| *of)
    }
}

/// The program in which the targets of `all` that `keep` does not choose end the run instead. `all` are the targets of
/// `program`.
pub fn restricted(program: &Program, all: &[Target], keep: &dyn Fn(&Target) -> bool) -> Restricted {
    let mut out = Restricted { program: program.clone(), copies: Copies::default() };
    let p = &mut out.program;
    for target in all.iter().filter(|t| !keep(t)) {
        let kept_elsewhere = || all.iter().any(|t| (t.func, t.edge) == (target.func, target.edge) && keep(t));
        match target.call.filter(|_| kept_elsewhere()) {
            None => end_run(p, target.func, target.edge),
            Some((caller, call)) => {
                let copy = out.copies.0.iter().find(|(_, of)| *of == target.func).map(|(copy, _)| *copy);
                let copy = copy.unwrap_or_else(|| {
                    let copy = copy_of(p, target.func);
                    end_run(p, copy, target.edge);
                    out.copies.0.push((copy, target.func));
                    copy
                });
                if let Op::Call(call) = &mut edge_mut(p, caller, call).op {
                    call.callee = Callee::Direct(copy);
                }
            }
        }
    }
    out
}

/// The program in which exactly one thing goes wrong: a run comes to where it is decided whether `target` is reached.
/// All other targets of `all` end the run.
pub fn deciding(program: &Program, all: &[Target], target: &Target) -> Program {
    let mut p = restricted(program, all, &|_| false).program;
    // The edges that made a kind of behaviour a defect may go below; then the table may not claim it is one.
    for ub in Ub::ALL {
        unchecked(&mut p, ub);
    }
    let (func, loc) = target.decided_at(program);
    let body = p.functions[func].body.as_mut().expect("a function with a target has a body");
    let span = body.edges[program_edge(target, func)].span;
    let out: Vec<EdgeId> = body.edges.iter_enumerated().filter(|(_, e)| e.from == loc).map(|(e, _)| e).collect();
    // Edges are known by number, so those that no run takes any more move to a location that no run comes to.
    let aside = body.locations.push(Location { label: None, span });
    for e in out {
        body.edges[e].from = aside;
    }
    let op = Op::Error(ErrorKind::Reached(String::new()));
    body.edges.push(Edge { from: loc, to: None, guards: Vec::new(), op, span });
    p
}

fn program_edge(target: &Target, func: FuncId) -> EdgeId {
    let (at, edge) = target.place();
    if at == func { edge } else { target.edge }
}

fn edge_mut(program: &mut Program, func: FuncId, edge: EdgeId) -> &mut Edge {
    &mut program.functions[func].body.as_mut().expect("edges belong to bodies").edges[edge]
}

/// Makes an end of the run of a target.
fn end_run(program: &mut Program, func: FuncId, edge: EdgeId) {
    let op = std::mem::replace(&mut edge_mut(program, func, edge).op, Op::Halt);
    if let Op::Error(ErrorKind::Ub(ub)) = op {
        unchecked(program, ub);
        guard_instead(program, func, edge, ub);
    }
}

/// Where an object predicate decides whether a run comes to this end: the other way gets it as a guard, and is the only one.
///
/// Runs end in the same place, as undefined behaviour that does not count. But proofs do not build on such guards, so what
/// comes behind it can be proved; an assumption over the predicate would need to be exact, which has no formula in general.
fn guard_instead(program: &mut Program, func: FuncId, end: EdgeId, ub: Ub) {
    let Some(body) = &mut program.functions[func].body else { return };
    let only = |edges: Vec<EdgeId>| if let [one] = edges[..] { Some(one) } else { None };
    let here = body.edges[end].from;
    let into = only(body.edges.iter_enumerated().filter(|(_, e)| e.to == Some(here)).map(|(e, _)| e).collect());
    let Some(into) = into else { return };
    let branch = body.edges[into].from;
    let beside = body.edges.iter_enumerated().filter(|(e, edge)| edge.from == branch && *e != into);
    let Some(beside) = only(beside.map(|(e, _)| e).collect()) else { return };
    let (Op::Assume(fails), Op::Assume(holds)) = (&body.edges[into].op, &body.edges[beside].op) else { return };
    if *fails != holds.clone().negate() || !mentions_object_predicate(holds) {
        return;
    }
    let guard = Guard { ub, cond: holds.clone() };
    // What else is checked there is found by following assumptions back.
    body.edges[beside].op = Op::Assume(Expr::bool(true));
    body.edges[beside].guards.push(guard);
    // Edges are known by number, so the one that no run takes any more moves to a location that no run comes to.
    let span = body.edges[into].span;
    body.edges[into].from = body.locations.push(Location { label: None, span });
}

/// A kind of which not every event is a target any more is no kind that is checked. Its guards are tested before they are
/// looked at, so nothing is assumed by that.
fn unchecked(program: &mut Program, ub: Ub) {
    if program.ub.get(ub) == UbPolicy::Checked {
        program.ub.set(ub, UbPolicy::AssumedAway);
    }
}

/// A copy of a function, under a name of its own.
fn copy_of(program: &mut Program, func: FuncId) -> FuncId {
    let mut copy = program.functions[func].clone();
    let mut n = 2;
    while program.functions.iter().any(|f| f.name == format!("{}.{n}", copy.name)) {
        n += 1;
    }
    copy.name = format!("{}.{n}", copy.name);
    // Nobody outside can name it.
    copy.linkage = Linkage::Internal;
    program.functions.push(copy)
}

/// The targets that a run can come to after it was decided that it does not reach `first`, as far as the graph tells.
pub fn behind(program: &Program, all: &[Target], first: &Target) -> Vec<Target> {
    let mut returns: Vec<(FuncId, (FuncId, Loc))> = Vec::new();
    for (f, function) in program.functions.iter_enumerated() {
        for edge in function.body.iter().flat_map(|b| &b.edges) {
            if let (Op::Call(Call { callee: Callee::Direct(g), .. }), Some(to)) = (&edge.op, edge.to) {
                returns.push((*g, (f, to)));
            }
        }
    }
    let graphs: base::IndexVec<FuncId, Option<Graph>> =
        program.functions.iter().map(|f| f.body.as_ref().map(Graph::new)).collect();
    let mut seen: std::collections::BTreeSet<(FuncId, Loc)> = std::collections::BTreeSet::new();
    let mut todo = vec![first.decided_at(program)];
    while let Some((func, loc)) = todo.pop() {
        let (Some(body), Some(graph)) = (&program.functions[func].body, &graphs[func]) else { continue };
        if loc == body.exit {
            todo.extend(returns.iter().filter(|(g, to)| *g == func && seen.insert(*to)).map(|(_, to)| *to));
        }
        for &e in &graph.out[loc] {
            let edge = &body.edges[e];
            let entered = match &edge.op {
                Op::Call(Call { callee: Callee::Direct(g), .. }) => {
                    program.functions[*g].body.as_ref().map(|b| (*g, b.entry))
                }
                _ => None,
            };
            let next = entered.into_iter().chain(edge.to.map(|to| (func, to)));
            let new: Vec<_> = next.filter(|at| !seen.contains(at)).collect();
            for at in new {
                seen.insert(at);
                todo.push(at);
            }
        }
    }
    all.iter().filter(|t| *t != first && seen.contains(&t.decided_at(program))).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{End, Limits, RandomInputs, Unobserved, run};
    use crate::random::{self, Knobs};
    use crate::text::{parse, print};
    use crate::validate::validate;
    use base::Id;
    use base::rng::Rng;

    /// Runs of the program on the same inputs, with all targets and with one: the end is the same, or it was a target that is
    /// none any more.
    #[test]
    fn only_the_ends_of_runs_change_their_names() {
        let (mut with_targets, mut reached) = (0, 0);
        for seed in 0..300 {
            let program = random::program(&mut Rng::new(seed), &Knobs::default());
            let all = targets(&program);
            with_targets += usize::from(!all.is_empty());
            for (i, kept) in all.iter().enumerate() {
                let part = restricted(&program, &all, &|t| t == kept);
                assert_eq!(validate(&part.program), Ok(()), "seed {seed}: {}", print(&part.program));
                for inputs in 0..4 {
                    let limits = Limits { steps: 2_000, ..Limits::default() };
                    let of = |p: &Program| run(p, &mut RandomInputs::new(inputs), &limits, &mut Unobserved).end;
                    let (whole, part) = (of(&program), of(&part.program));
                    let End::Error { at, kind } = &whole else {
                        assert!(!matches!(part, End::Error { .. }), "seed {seed}: no target was reached before");
                        continue;
                    };
                    reached += 1;
                    let same = *at == (kept.func, kept.edge);
                    // Beside a branch the interpreter may meet the guard before the edge that tests it.
                    let event = matches!((&part, kind), (End::Ub { ub, .. }, ErrorKind::Ub(kind)) if ub == kind);
                    assert!(event || matches!(part, End::Error { .. }) == same, "seed {seed}, target {i}: {part:?}");
                }
            }
        }
        assert!(with_targets > 50 && reached > 50, "{with_targets} programs with targets, {reached} runs into one");
    }

    const REPORTS: &str = "\
model LP64
externs args
entry main

func external main() -> $result {
  local $result: i32
  local a: i32
  locations 5 entry L0 exit L4
  e0: L0 -> L1: a := havoc nondet \"n\"
  e1: L1 -> L2: call check(i32((a != 3:i32)))
  e2: L2 -> L3: call check(i32((a != 4:i32)))
  e3: L3 -> L4: return 0:i32
}

func external check(c: i32) {
  locations 4 entry L0 exit L3
  e0: L0 -> L1: assume (c != 0:i32)
  e1: L0 -> L2: assume (c == 0:i32)
  e2: L1 -> L3: return
  e3: L2 -> end: error reached \"reach_error\"
}
";

    fn reports() -> Program {
        parse(base::FileId::from_index(0), REPORTS).unwrap_or_else(|d| panic!("{d:?}"))
    }

    #[test]
    fn each_call_of_a_function_that_reports_is_a_target() {
        let program = reports();
        let all = targets(&program);
        let calls: Vec<_> = all.iter().filter_map(|t| t.call).map(|(_, e)| e.index()).collect();
        assert_eq!(calls, [1, 2]);
        let part = restricted(&program, &all, &|t| *t == all[1]);
        assert_eq!(validate(&part.program), Ok(()), "{}", print(&part.program));
        assert_eq!(part.program.functions.len(), 3, "the other call runs a copy");
        let copy = FuncId::from_index(2);
        assert_eq!(part.copies.original(copy), all[1].func);
        let errors = |f: FuncId| part.program.body(f).edges.iter().filter(|e| matches!(e.op, Op::Error(_))).count();
        assert_eq!((errors(all[1].func), errors(copy)), (1, 0));
        assert_eq!(targets(&part.program).len(), 1);
    }

    const ACCESSES: &str = "\
model LP64
entry main
ub null-deref checked
ub out-of-bounds checked
site site0 \"main.malloc\"

func external main() -> $result {
  local $result: i32
  local p: ptr
  locations 4 entry L0 exit L3
  e0: L0 -> L1: p := alloc(4:u64) align 4 fallible site0
  e1: L1 -> L2: [null-deref: (p != null)] [out-of-bounds: inbounds(&[p + 4], 4)] *[p + 4]:i32 := 1:i32
  e2: L2 -> L3: return 0:i32
}
";

    #[test]
    fn no_assumption_is_left_over_an_object() {
        let mut program = parse(base::FileId::from_index(0), ACCESSES).unwrap_or_else(|d| panic!("{d:?}"));
        crate::checks::expose(&mut program);
        let all = targets(&program);
        assert_eq!(all.len(), 2, "{}", print(&program));
        let (null, bounds) = (all[0], all[1]);
        let part = restricted(&program, &all, &|t| *t == null).program;
        assert_eq!(validate(&part), Ok(()), "{}", print(&part));
        let assumed = |p: &Program| {
            let edges =
                p.body(p.entry).edges.iter().filter(|e| matches!(&e.op, Op::Assume(c) if mentions_object_predicate(c)));
            let graph = Graph::new(p.body(p.entry));
            edges.filter(|e| graph.reachable[e.from]).count()
        };
        assert_eq!((assumed(&program), assumed(&part)), (2, 0), "{}", print(&part));
        // A run that would have gone wrong there ends there all the same, and one that comes to the other target still does.
        for (kept, expected) in [(null, [true, false]), (bounds, [false, true])] {
            let part = restricted(&program, &all, &|t| *t == kept).program;
            assert_eq!(validate(&part), Ok(()), "{}", print(&part));
            let mut seen = [false; 2];
            for seed in 0..20 {
                match run(&part, &mut RandomInputs::new(seed), &Limits::default(), &mut Unobserved).end {
                    End::Error { kind: ErrorKind::Ub(ub), .. } => seen[usize::from(ub == Ub::OutOfBounds)] = true,
                    End::Halted { .. } | End::Ub { .. } => {}
                    end => panic!("{end:?}"),
                }
            }
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn what_comes_later_is_behind() {
        let program = reports();
        let all = targets(&program);
        assert_eq!(behind(&program, &all, &all[0]), [all[1]]);
        assert_eq!(behind(&program, &all, &all[1]), []);
    }

    #[test]
    fn whether_a_run_comes_to_a_target_is_a_question_of_its_own() {
        let program = reports();
        let all = targets(&program);
        let asked = deciding(&program, &all, &all[1]);
        assert_eq!(validate(&asked), Ok(()), "{}", print(&asked));
        let end = run(&asked, &mut RandomInputs::new(1), &Limits::default(), &mut Unobserved).end;
        assert!(matches!(end, End::Error { .. }), "every run comes to the second call, whatever it says: {end:?}");
    }
}

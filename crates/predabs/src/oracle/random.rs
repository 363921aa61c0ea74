//! Random programs whose calls return, random predicates about them, and random transition constraints.

use analysis::Analysis;
use base::Id;
use base::rng::Rng;
use ir::random::Knobs;
use ir::{BinOp, Call, Callee, EdgeId, Expr, FuncId, Op, Program, Ty, Var};
use logic::Term;
use vc::{Constraint, Encoder, PredId, Predicate, Predicates, Scope, canonical};

/// Scalar programs that are small enough to be abstracted often.
fn knobs(rng: &mut Rng) -> Knobs {
    Knobs {
        functions: 2 + rng.index(3),
        globals: 1 + rng.index(3),
        locals: 2,
        statements: 3 + rng.index(4),
        depth: 2,
        odd_widths: rng.chance(4),
        // Branches to errors make programs larger.
        checked: false,
        ..Knobs::default()
    }
}

/// A random program whose calls return more often than those of [`ir::random::program`]: most calls of a function that is
/// not further down in the list do nothing, and some assignments become calls of those that are.
pub fn program(rng: &mut Rng) -> Program {
    let knobs = knobs(rng);
    let mut program = ir::random::program(rng, &knobs);
    let bodied: Vec<FuncId> = program.functions.ids().filter(|&f| program.functions[f].body.is_some()).collect();
    for &func in &bodied {
        let edges: Vec<EdgeId> = program.body(func).edges.ids().collect();
        for id in edges {
            let op = &program.edge(func, id).op;
            let new = match op {
                Op::Call(Call { callee: Callee::Direct(callee), .. }) if *callee <= func && rng.chance(85) => Op::Skip,
                Op::Skip | Op::Assign(..) if rng.chance(35) => {
                    let later: Vec<FuncId> = bodied.iter().copied().filter(|&f| f > func).collect();
                    if later.is_empty() {
                        continue;
                    }
                    let callee = *rng.pick(&later);
                    random_call(rng, &knobs, &program, func, callee)
                }
                _ => continue,
            };
            let edge = &mut program.functions[func].body.as_mut().expect("it has one").edges[id];
            (edge.op, edge.guards) = (new, Vec::new());
        }
    }
    program
}

fn random_call(rng: &mut Rng, knobs: &Knobs, program: &Program, func: FuncId, callee: FuncId) -> Op {
    let f = &program.functions[callee];
    let tys: Vec<Ty> = f.params().filter_map(|p| f.locals[p].shape.scalar()).collect();
    let args = tys.into_iter().map(|ty| ir::random::expr(rng, knobs, program, func, ty)).collect();
    let receivers: Vec<Var> =
        scalars(program, func).into_iter().filter(|(_, ty)| Some(*ty) == f.ret_ty()).map(|(v, _)| v).collect();
    let dst = (!receivers.is_empty() && rng.chance(80)).then(|| *rng.pick(&receivers));
    Op::Call(Call { dst, callee: Callee::Direct(callee), args })
}

fn scalars(program: &Program, func: FuncId) -> Vec<(Var, Ty)> {
    let globals = program.globals.iter_enumerated().map(|(g, d)| (Var::Global(g), d.shape));
    let locals = program.functions[func].locals.iter_enumerated().map(|(l, d)| (Var::Local(l), d.shape));
    globals
        .chain(locals)
        .filter_map(|(v, s)| Some((v, s.scalar()?)))
        .filter(|(_, ty)| !matches!(ty, Ty::Float(_) | Ty::Ptr))
        .collect()
}

/// Random predicates over the variables of all functions, canonical, none constant; about half use entry values. Some
/// contradict each other: without such, `enforce` has nothing to say.
pub fn predicates(rng: &mut Rng, program: &Program, per_function: usize) -> Predicates {
    let mut all = Predicates::new();
    for (func, f) in program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
        let rivals = if rng.chance(50) { rivals(rng, program, func) } else { Vec::new() };
        let rest = per_function.saturating_sub(rivals.len());
        let single: Vec<Predicate> = (0..rest).filter_map(|_| predicate(rng, program, func, f.n_params)).collect();
        for Predicate { scope, expr } in rivals.into_iter().chain(single) {
            let (expr, _) = canonical(&expr);
            if expr.as_const().is_none() {
                all.insert(Predicate { scope, expr });
            }
        }
    }
    crate::complete(&Analysis::new(program), &mut all);
    all
}

/// Two predicates about one global that exclude each other, one known to all and one to the function alone: while a call
/// returns, the one speaks of the state after it and the other of the state before.
fn rivals(rng: &mut Rng, program: &Program, func: FuncId) -> Vec<Predicate> {
    let mut vars = scalars(program, func);
    vars.retain(|(v, ty)| matches!(v, Var::Global(_)) && matches!(ty, Ty::Int(i) if i.width > 3));
    if vars.is_empty() {
        return Vec::new();
    }
    let (v, ty) = *rng.pick(&vars);
    let bound = i128::from(rng.below(3));
    let compared = |op, n| Expr::binary(op, Expr::var(v, ty), Expr::int(ty, n));
    let pair = [compared(BinOp::Le, bound), compared(BinOp::Eq, bound + 1 + i128::from(rng.below(2)))];
    let [mut known, mut own] = pair;
    if rng.chance(50) {
        std::mem::swap(&mut known, &mut own);
    }
    vec![Predicate { scope: Scope::Global, expr: known }, Predicate { scope: Scope::Function(func), expr: own }]
}

fn predicate(rng: &mut Rng, program: &Program, func: FuncId, n_params: usize) -> Option<Predicate> {
    let global = rng.chance(25);
    let mut vars = scalars(program, func);
    vars.retain(|(v, _)| !global || matches!(v, Var::Global(_)));
    if vars.is_empty() {
        return None;
    }
    let (v, ty) = *rng.pick(&vars);
    let can_enter = |v: Var| matches!(v, Var::Global(_)) || matches!(v, Var::Local(l) if l.index() < n_params);
    let others: Vec<Var> = vars.iter().filter(|(_, t)| *t == ty).map(|(v, _)| *v).collect();
    let other = *rng.pick(&others);
    let mut right = match rng.below(3) {
        0 => Expr::int(ty, i128::from(rng.below(6)) - 2),
        1 if !global && can_enter(other) => Expr::entry(Expr::var(other, ty)),
        _ => Expr::var(other, ty),
    };
    if matches!(ty, Ty::Int(_)) && rng.chance(30) {
        right = Expr::binary(BinOp::Add, right, Expr::int(ty, i128::from(rng.below(3)) - 1));
    }
    let at_entry = !global && can_enter(v) && rng.chance(10);
    let left = if at_entry { Expr::entry(Expr::var(v, ty)) } else { Expr::var(v, ty) };
    let ops: &[BinOp] = if ty == Ty::Bool { &[BinOp::Eq] } else { &[BinOp::Eq, BinOp::Lt, BinOp::Le] };
    let scope = if global { Scope::Global } else { Scope::Function(func) };
    Some(Predicate { scope, expr: Expr::binary(*rng.pick(ops), left, right) })
}

/// Transition constraints that the solver confirms, found by trying random ones.
pub fn constraints(rng: &mut Rng, program: &Program, predicates: &Predicates) -> Vec<Constraint> {
    let mut found = Vec::new();
    let analysis = Analysis::new(program);
    for (func, f) in program.functions.iter_enumerated() {
        let Some(body) = &f.body else { continue };
        let scope: Vec<PredId> = predicates.in_scope(func).collect();
        if scope.is_empty() {
            continue;
        }
        for (edge_id, edge) in body.edges.iter_enumerated() {
            let mut enc = Encoder::for_proof(&analysis);
            if enc.callee(edge).is_some() || !rng.chance(40) {
                continue;
            }
            let before = enc.arbitrary(func);
            let mut after = before.clone();
            let Ok(effects) = enc.step(&mut after, edge) else { continue };
            for _ in 0..6 {
                let literal = |rng: &mut Rng| (*rng.pick(&scope), rng.chance(50));
                let c = Constraint { func, edge: edge_id, before: vec![literal(rng)], after: vec![literal(rng)] };
                let mut terms: Vec<Term> = effects.assumptions.iter().map(|a| a.term).collect();
                for (state, literals) in [(&before, &c.before), (&after, &c.after)] {
                    for &(p, value) in literals {
                        let t = enc.eval(state, &predicates.get(p).expr).unwrap();
                        terms.push(if value { t } else { enc.store.not(t) });
                    }
                }
                if logic::check_sat(&enc.store, &terms, 10_000).is_unsat() {
                    found.push(c);
                }
            }
        }
    }
    found
}

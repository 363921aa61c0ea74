//! False proofs: a proof with something changed. The changes keep it well formed, so that a rule has to notice.

use base::Id;
use base::rng::Rng;
use certify::{FunctionProof, Node, NodeId, Proof, ProofKind};
use ir::{BinOp, Expr, ExprKind, GlobalId, Loc, Program, Ty, Var};

/// The candidate with this number: the proof itself, the extreme ones, then random changes of it.
pub(super) fn candidate(program: &Program, proof: &Proof, number: u64, rng: &mut Rng) -> Proof {
    let mut candidate = proof.clone();
    let ProofKind::Invariants(functions) = &mut candidate.kind else { return candidate };
    match number {
        0 => {}
        1 => everywhere(functions, true),
        2 => everywhere(functions, false),
        3 => {
            everywhere(functions, false);
            let main = functions.iter_mut().find(|f| f.func == program.entry).expect("the entry function has a proof");
            let entry = program.body(program.entry).entry;
            set(main, entry, Node::Const(true));
        }
        _ => {
            for _ in 0..1 + rng.below(3) {
                corrupt(program, functions, rng);
            }
        }
    }
    candidate
}

/// The same claim at every cut point, and everything may be modified.
fn everywhere(functions: &mut [FunctionProof], claim: bool) {
    for f in functions {
        let locations: Vec<Loc> = f.invariants.keys().copied().collect();
        for loc in locations {
            set(f, loc, Node::Const(claim));
        }
    }
}

fn set(f: &mut FunctionProof, loc: Loc, node: Node) {
    let id = f.nodes.push(node);
    f.invariants.insert(loc, id);
}

fn corrupt(program: &Program, functions: &mut [FunctionProof], rng: &mut Rng) {
    if functions.is_empty() {
        return;
    }
    let which = rng.index(functions.len());
    let f = &mut functions[which];
    let locations: Vec<Loc> = f.invariants.keys().copied().collect();
    let globals = program.globals.len();
    if locations.is_empty() {
        return;
    }
    let loc = *rng.pick(&locations);
    match rng.below(20) {
        3..=6 => change_atom(f, rng, change_constant),
        7..=8 => change_atom(f, rng, flip),
        9 => change_atom(f, rng, |rng, e| other_variable(program, rng, e)),
        10..=11 if !f.modifies.is_empty() => {
            let all: Vec<GlobalId> = f.modifies.iter().copied().collect();
            f.modifies.remove(rng.pick(&all));
        }
        12..=14 if globals > 0 => {
            f.modifies.insert(GlobalId::from_index(rng.index(globals)));
        }
        15 => {
            let other = *rng.pick(&locations);
            let (a, b) = (f.invariants[&loc], f.invariants[&other]);
            f.invariants.insert(loc, b);
            f.invariants.insert(other, a);
        }
        16 => {
            let atoms: Vec<NodeId> = f.nodes.ids().filter(|&n| matches!(f.nodes[n], Node::Atom(_))).collect();
            if !atoms.is_empty() {
                let extra = *rng.pick(&atoms);
                change_list(f, loc, |list| list.push(extra));
            }
        }
        17 => {
            let truth = rng.chance(50);
            set(f, loc, Node::Const(truth));
        }
        18 => {
            f.invariants.remove(&loc);
        }
        19 => start_wrong(program, functions, rng),
        _ => change_list(f, loc, |atoms| {
            if !atoms.is_empty() {
                atoms.remove(rng.index(atoms.len()));
            }
        }),
    }
}

/// Changes the list of conjuncts at a location.
fn change_list(f: &mut FunctionProof, loc: Loc, change: impl FnOnce(&mut Vec<NodeId>)) {
    if let Node::And(atoms) = &f.nodes[f.invariants[&loc]] {
        let mut atoms = atoms.clone();
        change(&mut atoms);
        set(f, loc, Node::And(atoms));
    }
}

/// Changes one atom, wherever it is used.
fn change_atom(f: &mut FunctionProof, rng: &mut Rng, change: impl FnOnce(&mut Rng, &mut Expr)) {
    let atoms: Vec<NodeId> = f.nodes.ids().filter(|&n| matches!(f.nodes[n], Node::Atom(_))).collect();
    if !atoms.is_empty()
        && let Node::Atom(e) = &mut f.nodes[*rng.pick(&atoms)]
    {
        change(rng, e);
    }
}

/// The entry function claims something else of a global at its start, or nothing is claimed there at all.
fn start_wrong(program: &Program, functions: &mut [FunctionProof], rng: &mut Rng) {
    let Some(main) = functions.iter_mut().find(|f| f.func == program.entry) else { return };
    let entry = program.body(program.entry).entry;
    if !main.invariants.contains_key(&entry) {
        return;
    }
    let scalars = program.globals.iter_enumerated().filter_map(|(g, x)| Some((g, x.shape.scalar()?)));
    let scalars: Vec<(GlobalId, Ty)> = scalars.collect();
    if scalars.is_empty() {
        return set(main, entry, Node::Const(false));
    }
    let (g, ty) = *rng.pick(&scalars);
    let value = Expr::int(ty, i128::from(rng.below(3)));
    let atom = main.nodes.push(Node::Atom(Expr::binary(BinOp::Eq, Expr::var(Var::Global(g), ty), value)));
    change_list(main, entry, |list| list.push(atom));
}

/// Applies `change` to the `n`-th sub-expression that it fits; says whether there was one.
fn visit(e: &mut Expr, n: &mut usize, change: &mut dyn FnMut(&mut Expr) -> bool) -> bool {
    let mut copy = e.clone();
    if change(&mut copy) {
        if *n == 0 {
            *e = copy;
            return true;
        }
        *n -= 1;
    }
    match &mut e.kind {
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::Entry(a) | ExprKind::ObjectPredicate(_, a) => {
            visit(a, n, change)
        }
        ExprKind::Binary(_, a, b) => visit(a, n, change) || visit(b, n, change),
        ExprKind::Ite(c, a, b) => visit(c, n, change) || visit(a, n, change) || visit(b, n, change),
        ExprKind::Const(_) | ExprKind::Read(_) | ExprKind::Addr(_) | ExprKind::Func(_) => false,
    }
}

/// Tries to change one of the first few fitting sub-expressions.
fn visit_some(rng: &mut Rng, e: &mut Expr, change: &mut dyn FnMut(&mut Expr) -> bool) {
    let mut n = rng.index(3);
    if !visit(e, &mut n, change) {
        visit(e, &mut 0, change);
    }
}

fn change_constant(rng: &mut Rng, e: &mut Expr) {
    let by = *rng.pick(&[1i128, -1, 2, 100, 1 << 31]);
    visit_some(rng, e, &mut |e| match (e.kind.clone(), e.ty) {
        (ExprKind::Const(c), Ty::Int(_)) => {
            *e = Expr::int(e.ty, (c as i128).wrapping_add(by));
            true
        }
        _ => false,
    });
}

fn flip(rng: &mut Rng, e: &mut Expr) {
    const COMPARISONS: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];
    let other = *rng.pick(&COMPARISONS);
    visit_some(rng, e, &mut |e| match &mut e.kind {
        ExprKind::Binary(op, a, _) if op.is_comparison() && a.ty != Ty::Bool => {
            *op = other;
            true
        }
        _ => false,
    });
}

/// Another global of the same type in place of one.
fn other_variable(program: &Program, rng: &mut Rng, e: &mut Expr) {
    let globals = program.globals.iter_enumerated().filter_map(|(g, x)| Some((g, x.shape.scalar()?)));
    let globals: Vec<(GlobalId, Ty)> = globals.collect();
    let at = rng.index(globals.len().max(1));
    visit_some(rng, e, &mut |e| match (&e.kind, globals.get(at)) {
        (ExprKind::Read(place), Some(&(g, ty))) if ty == e.ty && place.as_var() != Some(Var::Global(g)) => {
            *e = Expr::var(Var::Global(g), ty);
            true
        }
        _ => false,
    });
}

//! Canonical forms are equivalent to what they come from, by the solver, and are reached from every spelling.

use super::*;
use base::rng::Rng;
use base::{FileId, Span};
use ir::random::{self, Knobs};
use ir::{BinOp, Expr, Function, Linkage, Local, LocalId, Program, Shape, Ty, UnOp};
use logic::check_sat;

const TYPES: [Ty; 9] = [
    Ty::Bool,
    Ty::int(8, true),
    Ty::int(8, false),
    Ty::int(16, true),
    Ty::int(32, true),
    Ty::int(32, false),
    Ty::int(3, true),
    Ty::int(1, false),
    Ty::int(64, true),
];

/// A function with one local of each type.
fn program() -> (Program, FuncId) {
    let mut program = random::program(&mut Rng::new(1), &Knobs { functions: 1, ..Knobs::default() });
    let span = Span::new(FileId::from_index(0), 0, 0);
    let local = |i: usize, ty: Ty| Local { name: format!("v{i}"), shape: Shape::Scalar(ty), constant: false, span };
    let locals = TYPES.iter().chain(&TYPES).enumerate().map(|(i, &ty)| local(i, ty)).collect();
    let func = Function {
        name: "preds".into(),
        linkage: Linkage::Internal,
        n_params: TYPES.len() * 2,
        variadic: false,
        locals,
        ret: None,
        body: None,
        span,
    };
    let id = program.functions.push(func);
    (program, id)
}

fn var(i: usize) -> Expr {
    let ty = TYPES[i % TYPES.len()];
    Expr::var(Var::Local(LocalId::from_index(i)), ty)
}

fn constant(rng: &mut Rng, ty: Ty) -> Expr {
    let near = rng.below(5) as i128 - 2;
    let base = match (rng.below(4), ty) {
        (0, Ty::Int(i)) => i128::from(i.signed) << (i.width - 1),
        (1, Ty::Int(i)) => 1 << (i.width.min(9) - 1),
        _ => 0,
    };
    Expr::int(ty, base + near)
}

fn value(rng: &mut Rng, ty: Ty, depth: usize) -> Expr {
    if depth == 0 || rng.chance(25) {
        let vars: Vec<usize> = (0..2 * TYPES.len()).filter(|i| TYPES[i % TYPES.len()] == ty).collect();
        return match rng.below(5) {
            0 | 1 => constant(rng, ty),
            2 if !vars.is_empty() => Expr::entry(var(*rng.pick(&vars))),
            _ if !vars.is_empty() => var(*rng.pick(&vars)),
            _ => constant(rng, ty),
        };
    }
    let d = depth - 1;
    match (rng.below(10), ty) {
        (0..=3, _) => {
            let from = *rng.pick(&TYPES);
            Expr::convert(ty, value(rng, from, d))
        }
        (4, _) => Expr::ite(value(rng, Ty::Bool, d), value(rng, ty, d), value(rng, ty, d)),
        (5, _) => Expr::unary(if ty == Ty::Bool || rng.chance(50) { UnOp::Not } else { UnOp::Neg }, value(rng, ty, d)),
        (_, Ty::Bool) if rng.chance(60) => {
            let of = *rng.pick(&TYPES);
            let ops: Vec<BinOp> = BinOp::ALL.into_iter().filter(|op| op.gives_bool() && op.takes(of)).collect();
            Expr::binary(*rng.pick(&ops), value(rng, of, d), value(rng, of, d))
        }
        _ => {
            let ops: Vec<BinOp> = BinOp::ALL.into_iter().filter(|op| !op.gives_bool() && op.takes(ty)).collect();
            Expr::binary(*rng.pick(&ops), value(rng, ty, d), value(rng, ty, d))
        }
    }
}

fn equivalent(program: &Program, func: FuncId, a: &Expr, b: &Expr) -> bool {
    let analysis = analysis::Analysis::new(program);
    let mut enc = Encoder::for_proof(&analysis);
    let state = enc.arbitrary(func);
    let (x, y) = (enc.eval(&state, a).unwrap(), enc.eval(&state, b).unwrap());
    let differ = enc.store.xor(x, y);
    check_sat(&enc.store, &[differ], 200_000).is_unsat()
}

fn with_sign(p: Expr, sign: bool) -> Expr {
    if sign { p } else { Expr::unary(UnOp::Not, p) }
}

#[test]
fn a_canonical_predicate_is_equivalent_to_the_given_one() {
    let (program, func) = program();
    let mut rng = Rng::new(11);
    let (mut n_changed, mut n_constant) = (0, 0);
    for round in 0..1500 {
        let e = value(&mut rng, Ty::Bool, 1 + round % 4);
        let (p, sign) = canonical(&e);
        let shown = || (ir::text::show_expr(&program, func, &e), ir::text::show_expr(&program, func, &p), sign);
        assert_eq!(canonical(&p), (p.clone(), true), "the canonical form is its own: {:?}", shown());
        n_changed += u32::from(p != e);
        n_constant += u32::from(p.as_const().is_some());
        // Multiplication and division of wide unknowns is the solver's weak spot, not ours.
        let hard = ["*", "/", "%", "mul_"].iter().any(|op| shown().0.contains(op));
        assert!(hard || equivalent(&program, func, &e, &with_sign(p.clone(), sign)), "{:?}", shown());
    }
    assert!(n_changed > 500 && n_constant > 50, "{n_changed} changed, {n_constant} constant");
}

#[test]
fn different_spellings_are_one_predicate() {
    let (program, func) = program();
    let parse =
        |text: &str| ir::text::parse_expr(&program, func, text, Span::new(FileId::from_index(0), 0, 0)).unwrap();
    let same = |spellings: &[&str]| {
        let forms: Vec<(Expr, bool)> = spellings.iter().map(|t| canonical(&parse(t))).collect();
        for (text, form) in spellings.iter().zip(&forms) {
            assert_eq!(form.0, forms[0].0, "{text} and {}", spellings[0]);
        }
        forms
    };
    // v1 is i8, v2 is u8, v4 is i32 (and v13), v5 is u32.
    let zero =
        same(&["v1 == 0", "!(v1 == 0)", "i32(v1) != 0", "0 == i32(v1)", "bool(v1)", "i32(i32(v1) == 0:i32) == 0:i32"]);
    assert_eq!(zero.iter().map(|f| f.1).collect::<Vec<_>>(), [true, false, false, true, false, false]);
    same(&["v4 < 4", "v4 <= 3", "v4 > 3", "v4 >= 4", "3 < v4", "!(i64(v4) < 4:i64)"]);
    same(&["v2 < 1", "v2 == 0", "i32(v2) <= 0:i32", "v2 != 0"]);
    same(&["v4 == v13 + 1", "v13 + 1 == v4", "v4 - 1 == v13", "v4 != v13 - -1", "v4 + 2 == 3 + v13"]);
    same(&["v4 < v13", "v13 > v4", "!(v4 >= v13)", "v13 <= v4", "i64(v4) < i64(v13)"]);
    let trivial = same(&["i32(v1) < 128:i32", "i32(v1) == 300:i32", "v4 == v4", "v5 >= 0", "v1 + 1 == v1"]);
    assert_eq!(trivial.iter().map(|f| f.1).collect::<Vec<_>>(), [true, false, true, true, false]);
    assert_eq!(trivial[0].0, Expr::bool(true));
}

#[test]
fn a_predicate_splits_into_its_atoms() {
    let (program, func) = program();
    let at = Span::new(FileId::from_index(0), 0, 0);
    let parse = |text: &str| ir::text::parse_expr(&program, func, text, at).unwrap();
    let atoms = split(&parse("(v4 < 3 && !(v4 == v13)) || (v0 == (v4 >= 3))"));
    let expected: Vec<Expr> = ["v4 < 3", "v4 == v13", "v0"].map(parse).into();
    assert_eq!(atoms.len(), 3);
    for e in expected {
        assert!(atoms.contains(&e), "{atoms:?}");
    }
    assert_eq!(split(&parse("v5 >= 0 || true")), []);
}

/// What an activation never changes has one value; everything else has two.
#[test]
fn unmodified_variables_have_their_entry_value() {
    let text = "\
model LP64
entry f
global @kept: i32 external = zero
global @changed: i32 external = zero
func external f(x: i32, y: i32) {
  locations 3 entry L0 exit L2
  e0: L0 -> L1: y := @kept
  e1: L1 -> L2: @changed := x
}
";
    let program = ir::text::parse(base::FileId::from_index(0), text).unwrap();
    let analysis = analysis::Analysis::new(&program);
    let mut enc = Encoder::for_proof(&analysis);
    let state = enc.arbitrary_keeping(program.entry);
    let [x, y] = [0, 1].map(LocalId::from_index);
    assert_eq!(state.get(Var::Local(x)), state.entry_param(x));
    assert_ne!(state.get(Var::Local(y)), state.entry_param(y));
    let [kept, changed] = ["kept", "changed"].map(|g| program.global(g).unwrap());
    assert_eq!(state.get(Var::Global(kept)), state.entry_shared().vars[kept]);
    assert_ne!(state.get(Var::Global(changed)), state.entry_shared().vars[changed]);
}

//! Tests: each rule accepts a good program and rejects a corruption that breaks it alone.

use super::*;
use crate::text::{MAX_EXPR_DEPTH, parse, parse_expr};
use base::{FileId, Id, Span};

const GOOD: &str = "\
model LP64
entry main
site site0 \"a\"
site site1 \"b\"
global @g: i32 external = { +0 = 1:i32 }
global @h: object(8, 4) external = { +0#3+4 = 1:u32; +4 = 2:u8 }
global @p: ptr external = { +0 = &[&@h + 4] }
func internal f(a: i32) -> r {
  local r: i32
  local odd: u3
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return a
}
func external main() -> r {
  local r: i32
  local x: i32
  local q: ptr
  local o: object(16, 8)
  local odd: u3
  local d: f64
  locations 9 entry L0 exit L8
  e0: L0 -> L1: [signed-overflow: !add_overflows(x, 1:i32)] x := (x + 1:i32)
  e1: L1 -> L2: assume (x < 0:i32)
  e2: L1 -> L3: assume (x >= 0:i32)
  e3: L2 -> end: error assert \"x\"
  e4: L3 -> L4: q := alloc(8:u64) align 8 site0
  e5: L4 -> L5: x := call f(x)
  e6: L5 -> L6: set q, 0:u8, 8:u64
  e7: L6 -> L7: *[q + 4*i64(x)]:u32#3+4 := 5:u32
  e8: L7 -> L8: return x
}
";

fn good() -> Program {
    parse(FileId::from_index(0), GOOD).unwrap_or_else(|d| panic!("{d:?}"))
}

/// Corrupts the good program and expects exactly this rule to be named.
fn broken(rule: Rule, corrupt: impl FnOnce(&mut Program)) {
    let mut program = good();
    corrupt(&mut program);
    let found = validate(&program).expect_err("the corruption must be found");
    assert!(found.iter().all(|v| v.rule == rule), "{found:#?}");
}

#[test]
fn checked_kinds_are_exposed() {
    broken(Rule::CheckedKinds, |p| p.ub.set(Ub::SignedOverflow, UbPolicy::Checked));
    broken(Rule::CheckedKinds, |p| p.ub.set(Ub::ConstWrite, UbPolicy::Checked));
    broken(Rule::CheckedKinds, |p| p.ub.set(Ub::NoRoom, UbPolicy::Ignored));
    let mut program = good();
    program.ub.set(Ub::SignedOverflow, UbPolicy::Checked);
    crate::checks::expose(&mut program);
    assert_eq!(validate(&program), Ok(()));
    // A test of something else does not count.
    body(&mut program).edges[EdgeId::from_index(0)].guards[0].cond = Expr::bool(false);
    assert!(validate(&program).is_err());
}

fn main_of(p: &mut Program) -> &mut Function {
    let entry = p.entry;
    &mut p.functions[entry]
}

fn body(p: &mut Program) -> &mut Body {
    main_of(p).body.as_mut().unwrap()
}

fn edge(p: &mut Program, n: usize) -> &mut Edge {
    &mut body(p).edges[EdgeId::from_index(n)]
}

fn local(n: usize) -> Var {
    Var::Local(LocalId::from_index(n))
}

fn ghost_loc() -> Loc {
    Loc::from_index(99)
}

const I32: Ty = Ty::int(32, true);

#[test]
fn the_good_program_is_valid() {
    assert_eq!(validate(&good()), Ok(()));
}

#[test]
fn rule_1_names_are_unique() {
    broken(Rule::UniqueNames, |p| p.globals[GlobalId::from_index(1)].name = "g".into());
    broken(Rule::UniqueNames, |p| main_of(p).name = "f".into());
    broken(Rule::UniqueNames, |p| p.sites[SiteId::from_index(1)].name = "a".into());
    broken(Rule::UniqueNames, |p| main_of(p).locals[LocalId::from_index(1)].name = "r".into());
}

#[test]
fn rule_2_ids_exist() {
    broken(Rule::IdsExist, |p| p.entry = FuncId::from_index(7));
    broken(Rule::IdsExist, |p| main_of(p).body = None);
    broken(Rule::IdsExist, |p| edge(p, 0).from = ghost_loc());
    broken(Rule::IdsExist, |p| edge(p, 0).to = Some(ghost_loc()));
    broken(Rule::IdsExist, |p| body(p).entry = ghost_loc());
    broken(Rule::IdsExist, |p| edge(p, 0).op = Op::Assign(Place::var(local(99), I32), Expr::int(I32, 0)));
    broken(Rule::IdsExist, |p| edge(p, 0).op = Op::Free(Expr::func(FuncId::from_index(9))));
    broken(Rule::IdsExist, |p| {
        edge(p, 0).op = Op::Call(Call { dst: None, callee: Callee::Direct(FuncId::from_index(9)), args: vec![] });
    });
    broken(Rule::IdsExist, |p| match &mut edge(p, 4).op {
        Op::Alloc(a) => a.site = SiteId::from_index(9),
        _ => unreachable!(),
    });
    broken(Rule::IdsExist, |p| {
        p.globals[GlobalId::from_index(2)].init = Init::Values(vec![InitItem {
            offset: 0,
            bits: None,
            value: Expr::addr(Address::var(Var::Global(GlobalId::from_index(9)))),
        }]);
    });
}

#[test]
fn rule_3_shapes_make_sense() {
    for shape in [
        Shape::Scalar(Ty::int(0, true)),
        Shape::Scalar(Ty::int(129, false)),
        Shape::Object { size: 8, align: 3 },
        Shape::Object { size: 8, align: 0 },
        Shape::Object { size: u64::MAX, align: 1 },
    ] {
        broken(Rule::Shapes, |p| main_of(p).locals[LocalId::from_index(4)].shape = shape);
    }
    broken(Rule::Shapes, |p| {
        let zero = || Box::new(Expr { ty: Ty::int(0, false), kind: ExprKind::Const(0) });
        edge(p, 0).op = Op::Assume(Expr { ty: Ty::Bool, kind: ExprKind::Binary(BinOp::Eq, zero(), zero()) });
    });
}

#[test]
fn rule_4_parameters_and_results_are_scalars() {
    broken(Rule::ScalarParameters, |p| {
        let f = &mut p.functions[FuncId::from_index(0)];
        f.ret = Some(LocalId::from_index(0));
    });
    broken(Rule::ScalarParameters, |p| {
        let main = main_of(p);
        main.ret = Some(LocalId::from_index(3));
        main.body.as_mut().unwrap().edges[EdgeId::from_index(8)].op = Op::Return(None);
    });
    broken(Rule::ScalarParameters, |p| {
        let main = main_of(p);
        main.ret = None;
        main.n_params = 4;
        main.body.as_mut().unwrap().edges[EdgeId::from_index(8)].op = Op::Return(None);
    });
}

#[test]
fn rule_5_memory_holds_memory_types() {
    let u3 = Ty::int(3, false);
    let odd = Address::var(local(4));
    broken(Rule::MemoryTypes, |p| edge(p, 0).op = Op::Free(Expr::addr(odd.clone())));
    broken(Rule::MemoryTypes, |p| {
        let place = Place { addr: Address::ptr(Expr::null()), ty: u3, bits: None, label: Label::default() };
        edge(p, 0).op = Op::Assign(place, Expr::int(u3, 0));
    });
    broken(Rule::MemoryTypes, |p| {
        edge(p, 0).op = Op::Assign(Place::var(local(4), Ty::int(8, false)), Expr::int(Ty::int(8, false), 0));
    });
    // A scalar as another type, in part or beyond its end is valid.
    let mut p = good();
    let place =
        Place { addr: Address { offset: 3, ..Address::var(local(1)) }, ..Place::var(local(1), Ty::int(16, false)) };
    edge(&mut p, 0).op = Op::Assign(place, Expr::int(Ty::int(16, false), 0));
    assert_eq!(validate(&p), Ok(()));
}

#[test]
fn rule_6_bit_ranges_lie_in_their_access() {
    for (lo, width) in [(30, 3), (0, 0), (u16::MAX, 1)] {
        broken(Rule::BitRanges, |p| match &mut edge(p, 7).op {
            Op::Assign(place, _) => place.bits = Some(BitRange { lo, width }),
            _ => unreachable!(),
        });
    }
    broken(Rule::BitRanges, |p| {
        let place = Place { bits: Some(BitRange { lo: 0, width: 1 }), ..Place::var(local(2), Ty::Ptr) };
        edge(p, 0).op = Op::Assign(place, Expr::null());
    });
}

#[test]
fn rule_7_initialisers_are_constant_and_inside() {
    let item = |offset, bits, value| Init::Values(vec![InitItem { offset, bits, value }]);
    let one = || Expr::int(I32, 1);
    broken(Rule::Initialisers, |p| p.globals[GlobalId::from_index(1)].init = item(5, None, one()));
    broken(Rule::Initialisers, |p| p.globals[GlobalId::from_index(1)].init = item(u64::MAX, None, one()));
    broken(Rule::Initialisers, |p| {
        p.globals[GlobalId::from_index(1)].init = item(0, None, Expr::unary(UnOp::Neg, one()));
    });
    broken(Rule::Initialisers, |p| {
        p.globals[GlobalId::from_index(1)].init = item(0, None, Expr::addr(Address::var(local(0))));
    });
    broken(Rule::Initialisers, |p| {
        p.globals[GlobalId::from_index(1)].init = item(0, None, Expr::int(Ty::int(5, true), 1));
    });
    broken(Rule::Initialisers, |p| {
        let g = &mut p.globals[GlobalId::from_index(2)];
        g.shape = Shape::Scalar(Ty::int(13, true));
        g.init = item(0, None, Expr::int(Ty::int(8, true), 1));
    });
}

#[test]
fn rule_8_expressions_are_typed() {
    let bad = [
        Expr { ty: Ty::Bool, kind: ExprKind::Const(2) },
        Expr { ty: Ty::Bool, kind: ExprKind::Read(Place::var(local(1), I32)) },
        Expr { ty: Ty::Bool, kind: ExprKind::Addr(Address::var(local(1))) },
        Expr { ty: Ty::Bool, kind: ExprKind::Func(FuncId::from_index(0)) },
        Expr { ty: Ty::Bool, kind: ExprKind::Unary(UnOp::Neg, Box::new(Expr::bool(true))) },
        Expr { ty: Ty::Bool, kind: ExprKind::Unary(UnOp::Not, Box::new(Expr::int(I32, 1))) },
        Expr {
            ty: Ty::Bool,
            kind: ExprKind::Binary(BinOp::Eq, Box::new(Expr::int(I32, 1)), Box::new(Expr::bool(true))),
        },
        Expr {
            ty: Ty::Bool,
            kind: ExprKind::Binary(BinOp::Add, Box::new(Expr::bool(true)), Box::new(Expr::bool(true))),
        },
        Expr {
            ty: Ty::Bool,
            kind: ExprKind::Ite(Box::new(Expr::int(I32, 1)), Box::new(Expr::bool(true)), Box::new(Expr::bool(true))),
        },
        Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(ObjectPredicate::Alive, Box::new(Expr::int(I32, 1))) },
        Expr {
            ty: Ty::Bool,
            kind: ExprKind::ObjectPredicate(
                ObjectPredicate::FitsInt(IntTy { width: 8, signed: true }),
                Box::new(Expr::null()),
            ),
        },
        Expr::nonzero(Expr {
            ty: Ty::Ptr,
            kind: ExprKind::Convert(Box::new(Expr::constant(Ty::Float(FloatTy::F32), 0))),
        }),
        Expr::nonzero(Expr::addr(Address {
            base: Base::Var(local(3)),
            offset: 0,
            indices: vec![Index { value: Expr::int(I32, 0), stride: 4 }],
        })),
        Expr::nonzero(Expr::addr(Address {
            base: Base::Ptr(Box::new(Expr::int(I32, 0))),
            offset: 0,
            indices: Vec::new(),
        })),
    ];
    for e in bad {
        broken(Rule::Typing, |p| edge(p, 0).op = Op::Assume(e.clone()));
    }
}

#[test]
fn rule_9_expressions_are_not_too_deep() {
    let mut e = Expr::bool(true);
    for _ in 0..MAX_EXPR_DEPTH {
        e = Expr::unary(UnOp::Not, e);
    }
    broken(Rule::Depth, |p| edge(p, 0).op = Op::Assume(e));
}

#[test]
fn rule_10_entry_values_only_in_predicates() {
    let x = Expr::var(Var::Global(GlobalId::from_index(0)), I32);
    broken(Rule::EntryValues, |p| edge(p, 0).op = Op::Assume(Expr::nonzero(Expr::entry(x.clone()))));
    let p = good();
    let at = Span::new(FileId::from_index(0), 0, 0);
    let f = p.function("f").unwrap();
    let rules = |text: &str| {
        let e = parse_expr(&p, f, text, at).unwrap();
        validate_predicate(&p, f, &e).map_err(|vs| vs.into_iter().map(|v| v.rule).collect::<Vec<_>>())
    };
    assert_eq!(rules("'a == a && '@g <= @g + r"), Ok(()));
    assert_eq!(rules("'r == 0"), Err(vec![Rule::EntryValues]));
    assert_eq!(rules("'('a + 1:i32) == 0"), Err(vec![Rule::EntryValues]));
    assert_eq!(rules("a"), Err(vec![Rule::Conditions]));
    assert_eq!(validate_predicate(&p, FuncId::from_index(9), &Expr::bool(true)).unwrap_err()[0].rule, Rule::IdsExist);
}

#[test]
fn rule_11_conditions_are_truth_values_and_assignments_fit() {
    broken(Rule::Conditions, |p| edge(p, 0).op = Op::Assume(Expr::int(I32, 1)));
    broken(Rule::Conditions, |p| edge(p, 0).guards[0].cond = Expr::int(I32, 1));
    broken(Rule::Conditions, |p| edge(p, 0).op = Op::Assign(Place::var(local(1), I32), Expr::bool(true)));
}

#[test]
fn rule_12_operands_fit() {
    let (null, one) = (Expr::null, || Expr::int(I32, 1));
    let u64_ = || Expr::int(Ty::int(64, false), 1);
    broken(Rule::Operands, |p| edge(p, 0).op = Op::Free(one()));
    broken(Rule::Operands, |p| edge(p, 0).op = Op::SetRange { dst: null(), value: one(), len: u64_() });
    broken(Rule::Operands, |p| edge(p, 0).op = Op::CopyRange { dst: null(), src: null(), len: one() });
    broken(Rule::Operands, |p| edge(p, 0).op = Op::CopyRange { dst: null(), src: u64_(), len: u64_() });
    broken(Rule::Operands, |p| {
        edge(p, 0).op = Op::Havoc(HavocDst::Range { dst: null(), len: one() }, Source::Uninit);
    });
    broken(Rule::Operands, |p| {
        edge(p, 0).op = Op::Call(Call { dst: None, callee: Callee::Indirect(one()), args: vec![] });
    });
    for corrupt in
        [(|a| a.align = 3) as fn(&mut Alloc), |a| a.size = Expr::int(I32, 1), |a| a.dst = Place::var(local(1), I32)]
    {
        broken(Rule::Operands, |p| match &mut edge(p, 4).op {
            Op::Alloc(a) => corrupt(a),
            _ => unreachable!(),
        });
    }
}

#[test]
fn rule_13_calls_fit_their_callee() {
    for corrupt in [
        (|c| c.args.clear()) as fn(&mut Call),
        |c| c.args.push(Expr::int(I32, 1)),
        |c| c.args[0] = Expr::bool(true),
        |c| c.dst = Some(local(2)),
        |c| c.dst = Some(local(3)),
    ] {
        broken(Rule::Calls, |p| match &mut edge(p, 5).op {
            Op::Call(c) => corrupt(c),
            _ => unreachable!(),
        });
    }
    broken(Rule::Calls, |p| {
        let f = &mut p.functions[FuncId::from_index(0)];
        f.ret = None;
        f.body.as_mut().unwrap().edges[EdgeId::from_index(0)].op = Op::Return(None);
    });
}

#[test]
fn rule_14_returns_fit_the_function() {
    broken(Rule::Returns, |p| edge(p, 8).op = Op::Return(Some(Expr::bool(true))));
    broken(Rule::Returns, |p| main_of(p).ret = None);
    let mut p = good();
    edge(&mut p, 8).op = Op::Return(None);
    assert_eq!(validate(&p), Ok(()), "a missing result is arbitrary");
}

#[test]
fn rule_15_nothing_enters_the_entry_or_leaves_the_exit() {
    broken(Rule::EntryAndExit, |p| edge(p, 7).to = Some(Loc::from_index(0)));
    broken(Rule::EntryAndExit, |p| {
        let span = edge(p, 0).span;
        let (from, to) = (Loc::from_index(8), Some(Loc::from_index(3)));
        body(p).edges.push(Edge { from, to, guards: vec![], op: Op::Skip, span });
    });
}

#[test]
fn rule_16_targets_fit_the_operation() {
    broken(Rule::Targets, |p| edge(p, 3).to = Some(Loc::from_index(4)));
    broken(Rule::Targets, |p| {
        edge(p, 6).op = Op::Return(None);
    });
    broken(Rule::Targets, |p| edge(p, 8).op = Op::Skip);
}

#[test]
fn rule_16_an_edge_without_target_ends_the_run() {
    let mut p = good();
    edge(&mut p, 7).to = None;
    let found = validate(&p).unwrap_err();
    assert_eq!((found[0].rule, found[0].edge), (Rule::Targets, Some(EdgeId::from_index(7))));
}

#[test]
fn rule_17_branches_are_assumes() {
    broken(Rule::Branches, |p| edge(p, 2).op = Op::Skip);
}

#[test]
fn rule_18_no_dead_ends() {
    broken(Rule::DeadEnds, |p| {
        // The only edge that leaves L2 moves to a location that nothing reaches.
        let location = body(p).locations[Loc::from_index(2)].clone();
        let lost = body(p).locations.push(location);
        edge(p, 3).from = lost;
    });
}

/// The good program, with these operations in place of edges; `x` (local 1) is named on e0 to e2, e5, e7 and e8.
fn with_ops(ops: &[(usize, Op)]) -> Result<(), Vec<Violation>> {
    let mut p = good();
    for (e, op) in ops {
        edge(&mut p, *e).op = op.clone();
    }
    validate(&p)
}

#[test]
fn rule_19_lifetimes_begin_and_end_once_on_every_way() {
    let odd = LocalId::from_index(4);
    let fails = |ops: &[(usize, Op)]| {
        let found = with_ops(ops).expect_err("the lifetimes are wrong");
        assert!(found.iter().all(|v| v.rule == Rule::Lifetimes), "{found:#?}");
    };
    assert_eq!(with_ops(&[(4, Op::Begin(odd)), (6, Op::End(odd))]), Ok(()));
    assert_eq!(with_ops(&[(4, Op::Begin(odd))]), Ok(()), "the activation ends it");
    fails(&[(4, Op::End(odd))]);
    fails(&[(4, Op::End(odd)), (6, Op::Begin(odd))]);
    fails(&[(4, Op::Begin(odd)), (6, Op::Begin(odd))]);
    fails(&[(4, Op::Begin(LocalId::from_index(1)))]);
    fails(&[(4, Op::Begin(LocalId::from_index(0)))]);
    // Alive on one way round a loop only.
    broken(Rule::Lifetimes, |p| {
        edge(p, 4).op = Op::Begin(odd);
        edge(p, 6).to = Some(Loc::from_index(3));
    });
}

#[test]
fn all_violations_are_reported_at_once() {
    let mut p = good();
    edge(&mut p, 0).op = Op::Assume(Expr::int(I32, 1));
    edge(&mut p, 8).op = Op::Return(Some(Expr::bool(true)));
    let found = validate(&p).unwrap_err();
    assert_eq!(found.len(), 2);
    assert!(found[0].to_string().contains("edge e0"), "{}", found[0]);
}

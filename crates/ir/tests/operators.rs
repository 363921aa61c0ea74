//! The operators of the interpreter, as programs compute them, against mathematical integers; and the seeded faults that
//! this oracle must catch.

use base::Id;
use base::rng::Rng;
use ir::interp::{End, Limits, Unobserved, ZeroInputs, run};
use ir::*;

const WIDTHS: [u16; 4] = [8, 16, 32, 64];

fn wrap(v: i128, width: u16) -> u128 {
    v.rem_euclid(1 << width) as u128
}

fn oracle(op: BinOp, ty: IntTy, a: i128, b: i128) -> Option<u128> {
    let w = ty.width;
    Some(match op {
        BinOp::Add => wrap(a + b, w),
        BinOp::Sub => wrap(a - b, w),
        BinOp::Mul => wrap(a.checked_mul(b)?, w),
        BinOp::Div if b != 0 => wrap((a.abs() / b.abs()) * a.signum() * b.signum(), w),
        BinOp::Rem if b != 0 => wrap((a.abs() % b.abs()) * a.signum(), w),
        BinOp::Lt => u128::from(a < b),
        BinOp::Ge => u128::from(a >= b),
        BinOp::Shr if (0..i128::from(w)).contains(&b) => wrap(a.div_euclid(1 << b), w),
        _ => return None,
    })
}

/// The result of `a op b`, or of a conversion, computed by a program: the operands pass through variables.
fn computed(ty: Ty, expr: Expr, a: u128, b: u128) -> u128 {
    let text = format!(
        "model LP64\nentry main\nfunc external main() -> r {{\n  local r: {}\n  local a: {ty}\n  local b: {ty}\n  \
         locations 4 entry L0 exit L3\n  e0: L0 -> L1: skip\n  e1: L1 -> L2: skip\n  e2: L2 -> L3: return r\n}}\n",
        expr.ty
    );
    let mut program = text::parse(base::FileId::from_index(0), &text).expect("the frame parses");
    let main = program.entry;
    let body = program.functions[main].body.as_mut().expect("main has a body");
    for (i, bits) in [(0, a), (1, b)] {
        let var = Var::Local(LocalId::from_index(i + 1));
        body.edges[EdgeId::from_index(i)].op = Op::Assign(Place::var(var, ty), Expr::constant(ty, bits));
    }
    body.edges[EdgeId::from_index(2)].op = Op::Return(Some(expr));
    assert_eq!(validate::validate(&program), Ok(()));
    match run(&program, &mut ZeroInputs, &Limits::default(), &mut Unobserved).end {
        End::Exited(Some(v)) => v.bits,
        end => panic!("{end:?}"),
    }
}

fn var(i: usize, ty: Ty) -> Expr {
    Expr::var(Var::Local(LocalId::from_index(i)), ty)
}

/// How many results differ from the oracle's.
fn mismatches() -> usize {
    let mut rng = Rng::new(11);
    let mut bad = 0;
    for _ in 0..300 {
        let int = IntTy { width: *rng.pick(&WIDTHS), signed: rng.chance(50) };
        let ty = Ty::Int(int);
        let mut pick = || match rng.below(3) {
            0 => u128::from(rng.below(8)),
            1 => int.mask() - u128::from(rng.below(8)),
            _ => u128::from(rng.bits()) & int.mask(),
        };
        let (a, b) = (pick(), pick());
        for op in BinOp::ALL {
            if let Some(expected) = oracle(op, int, int.extend(a), int.extend(b)) {
                bad += usize::from(computed(ty, Expr::binary(op, var(1, ty), var(2, ty)), a, b) != expected);
            }
        }
        for (width, signed) in WIDTHS.into_iter().flat_map(|w| [(w, false), (w, true)]) {
            let to = Ty::int(width, signed);
            bad += usize::from(computed(ty, Expr::convert(to, var(1, ty)), a, b) != wrap(int.extend(a), width));
        }
    }
    bad
}

#[test]
fn programs_compute_what_the_oracle_says() {
    assert_eq!(mismatches(), 0);
}

#[cfg(feature = "sabotage")]
#[test]
fn seeded_faults_are_caught() {
    use base::sabotage::{Fault, set};
    for fault in [Fault::ExtendsUnsignedWithSign, Fault::RemainderSignOfDivisor] {
        set(Some(fault));
        let found = mismatches();
        set(None);
        assert!(found > 0, "{fault:?} was not noticed");
    }
}

//! Single properties of terms, answers and limits that random tests do not show plainly.

use logic::{
    Answer, Assignment, Bits, Context, Op, Sort, Store, Term, Undecided, Value, check_sat, check_valid, eval, smtlib,
};

const BV: Sort = Sort::Bv(32);

#[test]
fn equal_sums_are_one_term() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", BV), s.symbol("y", BV));
    let (one, two) = (s.bv(32, 1), s.bv(32, 2));
    // (x + 1) - y - x + 1 is 2 - y
    let a = s.bv_add(x, one);
    let a = s.bv_sub(a, y);
    let a = s.bv_sub(a, x);
    let a = s.bv_add(a, one);
    let b = s.bv_sub(two, y);
    assert_eq!(a, b);
    // x + 4 = x + 8 is false, whatever x is; p + 4 = q + 4 is p = q
    let four = s.bv(32, 4);
    let (p, q) = (s.bv_add(x, four), s.bv_add(y, four));
    assert_eq!(s.eq(p, q), s.eq(x, y));
    let eight = s.bv_add(p, four);
    assert_eq!(s.eq(p, eight), s.bool(false));
    // Two ways to write one comparison.
    let three = s.bv(32, 3);
    assert_eq!(s.sle(x, three), s.slt(x, four));
    let greater = s.ugt(x, y);
    assert_eq!(s.ule(x, y), s.not(greater));
}

#[test]
fn shape_does_not_depend_on_history() {
    let build = |s: &mut Store, swap: bool| {
        let names = if swap { ["b", "a"] } else { ["a", "b"] };
        for name in names {
            s.symbol(name, BV);
        }
        let (a, b) = (s.symbol("a", BV), s.symbol("b", BV));
        let sum = s.bv_add(a, b);
        let both = s.bv_and(sum, a);
        let t = s.eq(both, b);
        smtlib::term(s, t)
    };
    assert_eq!(build(&mut Store::new(), false), build(&mut Store::new(), true));
}

#[test]
fn bytes_of_a_word_come_back_as_the_word() {
    let mut s = Store::new();
    let m = s.symbol("m", Sort::Map { addr: 32, value: 8 });
    let (p, q, v) = (s.symbol("p", BV), s.symbol("q", BV), s.symbol("v", BV));
    let at = |s: &mut Store, p: Term, i: u64| {
        let c = s.bv(32, i);
        s.bv_add(p, c)
    };
    let mut written = m;
    for i in 0..4 {
        let (a, byte) = (at(&mut s, p, i), s.extract(v, 8 * i as u32 + 7, 8 * i as u32));
        written = s.store(written, a, byte);
    }
    let load = |s: &mut Store, m: Term, p: Term| {
        let mut word = s.select(m, p);
        for i in 1..4 {
            let a = at(s, p, i);
            let byte = s.select(m, a);
            word = s.concat(byte, word);
        }
        word
    };
    assert_eq!(load(&mut s, written, p), v);
    // Another pointer: equal pointers give the word, far ones what was there.
    let other = load(&mut s, written, q);
    let same = s.eq(p, q);
    let goal = s.eq(other, v);
    assert!(check_valid(&s, &[same], goal, u64::MAX).is_unsat());
    assert!(check_valid(&s, &[], goal, u64::MAX).is_sat());
    let before = load(&mut s, m, q);
    let (distance, three, seven) = (s.bv_sub(q, p), s.bv(32, 3), s.bv(32, 7));
    let shifted = s.bv_add(distance, three);
    let far = s.uge(shifted, seven);
    let goal = s.eq(other, before);
    assert!(check_valid(&s, &[far], goal, u64::MAX).is_unsat());
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", Sort::Bv(8)), s.symbol("y", Sort::Bv(8)));
    let m = s.symbol("m", Sort::Map { addr: 8, value: 8 });
    let mut t = x;
    let mut formula = s.eq(x, y);
    let mut map = m;
    for i in 0..100_000u64 {
        t = if i % 2 == 0 { s.bv_xor(t, y) } else { s.bv_udiv(t, x) };
        if i % 10 == 0 {
            let c = s.ult(t, x);
            formula = s.iff(formula, c);
            map = s.ite(c, map, m);
        }
        if i % 100 == 0 {
            map = s.store(map, t, x);
        }
    }
    let v = eval(&s, t, &Assignment::new());
    assert_eq!(v.as_bits().width(), 8);
    assert!(smtlib::term(&s, formula).len() > 100_000);
    let read = s.select(map, y);
    assert_eq!(s.width(read), 8);
    let mut chain = x;
    for i in 0..50_000u32 {
        let n = s.symbol(&format!("n{i}"), Sort::Bv(8));
        chain = s.bv_and(chain, n);
    }
    let low = s.extract(chain, 3, 0);
    let seven = s.bv(4, 7);
    let goal = s.eq(low, seven);
    let Answer::Sat(model) = check_sat(&s, &[goal], u64::MAX) else { panic!("every bit is free") };
    assert!(model.holds(&s, goal));
}

#[test]
fn reads_through_long_chains_of_writes() {
    let mut s = Store::new();
    let sort = Sort::Map { addr: 32, value: 8 };
    let m = s.symbol("m", sort);
    let (p, q) = (s.symbol("p", BV), s.symbol("q", BV));
    let mut map = m;
    for i in 0..20_000u64 {
        let c = s.bv(32, i);
        let (a, v) = (s.bv_add(p, c), s.bv(8, i));
        map = s.store(map, a, v);
        if i % 5_000 == 0 {
            let n = s.bv(32, 7);
            map = s.copy_range(map, q, n, map, a);
        }
    }
    let read = s.select(map, q);
    assert!(!s.is_const(read));
    // 20,000 after 15,000 was written last and can be read through all of it.
    let c = s.bv(32, 17_000);
    let a = s.bv_add(p, c);
    let read = s.select(map, a);
    assert_eq!(s.small(read), Some(17_000 % 256));
}

#[test]
fn a_limit_is_an_answer() {
    // Multiplication of 32-bit unknowns is where bit-blasting hurts: x * y = a large semiprime, x and y above 1.
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", Sort::Bv(64)), s.symbol("y", Sort::Bv(64)));
    let product = s.bv_mul(x, y);
    let n = s.bv(64, 4_294_967_291 * 4_294_967_279);
    let limit = s.bv(64, 1 << 32);
    let one = s.bv(64, 1);
    let mut terms = vec![s.eq(product, n)];
    for v in [x, y] {
        terms.push(s.ult(v, limit));
        terms.push(s.ult(one, v));
    }
    match check_sat(&s, &terms, 50) {
        Answer::Unknown(Undecided::Conflicts(50)) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn cores_are_minimal_in_the_order_of_the_assumptions() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", BV), s.symbol("y", BV));
    let mut context = Context::new();
    let mut lits = Vec::new();
    let c = |s: &mut Store, v: u64| s.bv(32, v);
    let ten = c(&mut s, 10);
    let five = c(&mut s, 5);
    let terms = [s.ult(x, five), s.ult(x, ten), s.ult(y, x), s.ugt(x, ten), s.eq(y, ten)];
    for t in terms {
        lits.push(context.lit(&s, t));
    }
    // Deleting in order keeps the later ones: {x < 5} could go because {x < 10, x > 10} remains.
    let Answer::Unsat(core) = context.check(&s, &lits, u64::MAX) else { panic!("unsatisfiable") };
    assert!([vec![1, 3], vec![1, 2, 4], vec![0, 3]].contains(&core), "{core:?}");
    let Answer::Unsat(core) = context.check(&s, &[lits[1], lits[3]], u64::MAX) else { panic!("unsatisfiable") };
    assert_eq!(core, [0, 1]);
    // An assumption that is false by itself is a core alone; the same context still answers sat afterwards.
    let no = s.bool(false);
    let no = context.lit(&s, no);
    let Answer::Unsat(core) = context.check(&s, &[lits[0], no], u64::MAX) else { panic!("unsatisfiable") };
    assert_eq!(core, [1]);
    assert!(context.check(&s, &[lits[0]], u64::MAX).is_sat());
    assert!(context.check(&s, &[lits[0], !lits[0]], u64::MAX).is_unsat());
    assert!(context.check(&s, &[], u64::MAX).is_sat());
}

#[test]
fn unseen_symbols_are_zero() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", BV), s.symbol("y", BV));
    let m = s.symbol("m", Sort::Map { addr: 32, value: 8 });
    let five = s.bv(32, 5);
    let t = s.eq(x, five);
    let Answer::Sat(model) = check_sat(&s, &[t], u64::MAX) else { panic!("satisfiable") };
    assert_eq!(model.bits(&s, y), Bits::zero(32));
    assert_eq!(model.read(&s, m, &Bits::new(32, 77)), Bits::zero(8));
    assert_eq!(model.eval(&s, x), Value::Bits(Bits::new(32, 5)));
}

#[test]
fn fresh_symbols_are_new() {
    let mut s = Store::new();
    let taken = s.symbol("x!0", BV);
    let (a, b) = (s.fresh("x", BV), s.fresh("x", BV));
    assert!(a != taken && b != taken && a != b);
    assert_eq!(s.symbol("x!0", BV), taken);
    assert_eq!(s.apply(Op::BvXor, &[a, a]), s.bv(32, 0));
}

#[test]
fn congruence_chains_through_addresses() {
    // a = b implies m[m[a]] = m[m[b]]; m[a] != m[b] implies a != b.
    let mut s = Store::new();
    let m = s.symbol("m", Sort::Map { addr: 16, value: 16 });
    let (a, b) = (s.symbol("a", Sort::Bv(16)), s.symbol("b", Sort::Bv(16)));
    let (ma, mb) = (s.select(m, a), s.select(m, b));
    let (mma, mmb) = (s.select(m, ma), s.select(m, mb));
    let same = s.eq(a, b);
    let goal = s.eq(mma, mmb);
    assert!(check_valid(&s, &[same], goal, u64::MAX).is_unsat());
    let differ = s.ne(ma, mb);
    let different = s.ne(a, b);
    assert!(check_valid(&s, &[differ], different, u64::MAX).is_unsat());
    let Answer::Sat(model) = check_sat(&s, &[differ, goal], u64::MAX) else { panic!("satisfiable") };
    assert!(model.holds(&s, differ) && model.holds(&s, goal));
}

#[test]
fn products_of_extended_numbers_are_exact() {
    for (m, n) in [(1, 1), (1, 4), (2, 3), (3, 3), (4, 4), (4, 2)] {
        for (signed_x, signed_y) in [(true, true), (true, false), (false, true), (false, false)] {
            // From too narrow for the whole product to more than wide enough.
            for width in m.max(n) + 1..=m + n + 4 {
                let mut s = Store::new();
                let (x, y) = (s.symbol("x", Sort::Bv(m)), s.symbol("y", Sort::Bv(n)));
                let (wide_x, wide_y) = (s.resize(x, width, signed_x), s.resize(y, width, signed_y));
                let product = s.bv_mul(wide_x, wide_y);
                let mut context = Context::new();
                for (a, b) in (0..1u64 << m).flat_map(|a| (0..1u64 << n).map(move |b| (a, b))) {
                    let number = |v: u64, bits: u32, signed: bool| {
                        let negative = signed && v >> (bits - 1) & 1 == 1;
                        v as i64 - if negative { 1 << bits } else { 0 }
                    };
                    let expected = number(a, m, signed_x).wrapping_mul(number(b, n, signed_y));
                    let (a, b) = (s.bv(m, a), s.bv(n, b));
                    let expected = s.bv(width, expected as u64 & ((1 << width) - 1));
                    let (is_a, is_b, same) = (s.eq(x, a), s.eq(y, b), s.eq(product, expected));
                    let other = s.not(same);
                    let lits = [is_a, is_b, other].map(|t| context.lit(&s, t));
                    assert!(context.decide(&s, &lits, 1_000).is_unsat(), "{m} and {n} bits in {width}");
                }
            }
        }
    }
}

#[test]
fn a_product_of_short_numbers_cannot_overflow() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", Sort::Bv(16)), s.symbol("y", Sort::Bv(16)));
    let (wide_x, wide_y) = (s.resize(x, 64, true), s.resize(y, 64, true));
    let product = s.bv_mul(wide_x, wide_y);
    let low = s.resize(product, 32, true);
    let again = s.resize(low, 64, true);
    let fits = s.eq(product, again);
    // By the circuit alone, without a search.
    let mut context = Context::new();
    let lit = context.lit(&s, fits);
    let before = context.stats().conflicts;
    assert!(context.decide(&s, &[!lit], 10).is_unsat());
    assert_eq!(context.stats().conflicts, before);
}

#[test]
fn one_product_in_two_widths_has_one_circuit() {
    let mut s = Store::new();
    let (x, y) = (s.symbol("x", Sort::Bv(16)), s.symbol("y", Sort::Bv(16)));
    let product = |s: &mut Store, width: u32, swap: bool| {
        let (a, b) = if swap { (y, x) } else { (x, y) };
        let (a, b) = (s.resize(a, width, true), s.resize(b, width, true));
        let product = s.bv_mul(a, b);
        s.resize(product, 64, true)
    };
    let (narrow, wide) = (product(&mut s, 32, false), product(&mut s, 64, true));
    let other = s.ne(narrow, wide);
    let mut context = Context::new();
    let lit = context.lit(&s, other);
    assert!(context.decide(&s, &[lit], 0).is_unsat());
}

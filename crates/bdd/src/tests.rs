//! Every operation against truth tables: exhaustively over all functions of three variables, at random above.

use super::*;
use base::rng::Rng;

const SMALL: Capacity = Capacity { nodes: 1 << 16, cache: 1 << 12 };

/// The function of `n` variables with this truth table (bit `i` of `table` is the value at valuation `i`).
fn from_table(m: &Manager, n: usize, table: u64) -> Bdd {
    let mut f = m.bot();
    for i in (0..1usize << n).filter(|i| table >> i & 1 == 1) {
        f = m.or(&f, &m.cube((0..n).map(|v| (v, i >> v & 1 == 1))).unwrap()).unwrap();
    }
    f
}

fn table_of(m: &Manager, n: usize, f: &Bdd) -> u64 {
    (0..1u64 << n).filter(|i| m.eval(f, |v| i >> v & 1 == 1)).fold(0, |t, i| t | 1 << i)
}

fn mask(n: usize) -> u64 {
    if n == 6 { u64::MAX } else { (1 << (1 << n)) - 1 }
}

fn exists_table(n: usize, t: u64, var: usize) -> u64 {
    (0..1u64 << n)
        .filter(|i| t >> (i | 1 << var) & 1 == 1 || t >> (i & !(1 << var)) & 1 == 1)
        .fold(0, |a, i| a | 1 << i)
}

fn check_binary(m: &Manager, n: usize, (a, f): (u64, &Bdd), (b, g): (u64, &Bdd)) {
    let all = mask(n);
    let t = |f: Bdd| table_of(m, n, &f);
    assert_eq!(t(m.and(f, g).unwrap()), a & b);
    assert_eq!(t(m.or(f, g).unwrap()), a | b);
    assert_eq!(t(m.xor(f, g).unwrap()), a ^ b);
    assert_eq!(t(m.iff(f, g).unwrap()), !(a ^ b) & all);
    assert_eq!(t(m.implies(f, g).unwrap()), (!a | b) & all);
    assert_eq!(t(m.diff(f, g).unwrap()), a & !b);
    assert_eq!(m.is_subset(f, g).unwrap(), a & !b == 0);
    assert_eq!(f == g, a == b, "equal functions have equal handles");
    let set = m.var_set([0, 2]).unwrap();
    assert_eq!(t(m.and_exists(f, g, &set).unwrap()), exists_table(n, exists_table(n, a & b, 0), 2));
}

#[test]
fn all_functions_of_three_variables() {
    let m = Manager::new(3, SMALL).unwrap();
    let all: Vec<Bdd> = (0..256).map(|t| from_table(&m, 3, t)).collect();
    for (a, f) in all.iter().enumerate() {
        let a = a as u64;
        assert_eq!(table_of(&m, 3, f), a);
        assert_eq!(table_of(&m, 3, &m.not(f).unwrap()), !a & 0xff);
        assert_eq!(f.is_false(), a == 0);
        assert_eq!(f.is_true(), a == 0xff);
        for v in 0..3 {
            let e = m.exists(f, &m.var_set([v]).unwrap()).unwrap();
            assert_eq!(table_of(&m, 3, &e), exists_table(3, a, v));
        }
        check_isop(&m, 3, f, f);
        let dag = m.dag([f]);
        assert_eq!(dag.nodes.len(), m.node_count(f));
        assert!((0..8u64).all(|i| dag.eval(0, |v| i >> v & 1 == 1) == (a >> i & 1 == 1)));
        for (b, g) in all.iter().enumerate().step_by(7) {
            check_binary(&m, 3, (a, f), (b as u64, g));
            let ite = m.ite(f, g, &all[a as usize ^ 0x5a]).unwrap();
            assert_eq!(table_of(&m, 3, &ite), (a & b as u64) | (!a & (a ^ 0x5a) & 0xff));
        }
    }
}

fn check_isop(m: &Manager, n: usize, lower: &Bdd, upper: &Bdd) {
    let cubes = m.isop_within(lower, upper, 1000).unwrap().unwrap();
    let sum = |skip: Option<usize>| {
        let kept = cubes.iter().enumerate().filter(|(i, _)| Some(*i) != skip);
        kept.fold(m.bot(), |acc, (_, c)| m.or(&acc, &m.cube(c.iter().copied()).unwrap()).unwrap())
    };
    let whole = sum(None);
    assert!(m.is_subset(lower, &whole).unwrap() && m.is_subset(&whole, upper).unwrap());
    for i in 0..cubes.len() {
        assert!(!m.is_subset(lower, &sum(Some(i))).unwrap(), "cube {i} of {cubes:?} over {n} variables is redundant");
    }
}

#[test]
fn random_functions_of_six_variables() {
    let m = Manager::new(12, SMALL).unwrap();
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let (a, b) = (rng.bits() & rng.bits(), rng.bits());
        let (f, g) = (from_table(&m, 6, a), from_table(&m, 6, b));
        check_binary(&m, 6, (a, &f), (b, &g));
        check_isop(&m, 6, &m.and(&f, &g).unwrap(), &m.or(&f, &g).unwrap());
        // An order-preserving shift, and a permutation that is not.
        let shift = Rename::new((0..6).map(|v| (v, v + 6)));
        let shifted = m.rename(&f, &shift).unwrap();
        assert!((0..64u64).all(|i| m.eval(&shifted, |v| v >= 6 && i >> (v - 6) & 1 == 1) == (a >> i & 1 == 1)));
        let swap = Rename::new([(0, 5), (5, 0), (2, 3), (3, 2)]);
        let permuted = m.rename(&f, &swap).unwrap();
        let to = [5, 1, 3, 2, 4, 0];
        assert!((0..64u64).all(|i| {
            let j = (0..6).fold(0u64, |j, v| j | (i >> to[v] & 1) << v);
            (table_of(&m, 6, &permuted) >> i & 1) == (a >> j & 1)
        }));
        let picked = m.pick(&f);
        assert_eq!(picked.is_some(), a != 0);
        if let Some(p) = picked {
            assert!(m.is_subset(&m.cube(p).unwrap(), &f).unwrap());
        }
    }
}

#[test]
fn an_isop_over_its_limit_is_refused() {
    let m = Manager::new(8, SMALL).unwrap();
    let parity = (0..8).fold(m.bot(), |f, v| m.xor(&f, &m.var(v)).unwrap());
    assert_eq!(m.isop(&parity, 100).unwrap(), None);
    assert_eq!(m.isop(&parity, 128).unwrap().unwrap().len(), 128);
}

/// A function whose diagram is exponential in this order: the pairs stand far apart.
fn far_pairs(m: &Manager, n: usize) -> Result<Bdd, OutOfNodes> {
    (0..n).try_fold(m.bot(), |f, v| m.or(&f, &m.and(&m.var(v), &m.var(v + n))?))
}

#[test]
fn running_out_of_nodes_is_a_value_and_the_manager_survives() {
    let m = Manager::new(40, Capacity { nodes: 4096, cache: 1024 }).unwrap();
    for _ in 0..3 {
        let tried = far_pairs(&m, 20).map(|_| ()).and_then(|()| m.maintain());
        assert_eq!(tried, Err(OutOfNodes));
    }
    let m = Manager::new(40, Capacity { nodes: 4096, cache: 1024 }).unwrap();
    assert!(far_pairs(&m, 5).is_ok());
    assert_eq!(m.maintain(), Ok(()));
}

#[test]
fn garbage_is_collected_and_functions_survive_it() {
    let m = Manager::new(24, Capacity { nodes: 20_000, cache: 1 << 10 }).unwrap();
    let keep = far_pairs(&m, 6).unwrap();
    let copy = table_of(&m, 6, &keep);
    for round in 0..200 {
        let mut f = m.top();
        for v in 0..12 {
            f = m.and(&f, &m.iff(&m.var(v), &m.var((v * 7 + round) % 24)).unwrap()).unwrap();
        }
        m.maintain().unwrap();
    }
    m.collect();
    assert_eq!(table_of(&m, 6, &keep), copy);
    assert_eq!(keep, far_pairs(&m, 6).unwrap());
    assert!(m.n_collections() > 0 && m.peak_nodes() > 0);
}

#[test]
fn restricting_sets_the_variables_and_no_other() {
    let m = Manager::new(4, SMALL).unwrap();
    let mut rng = Rng::new(9);
    for _ in 0..2000 {
        let f = from_table(&m, 4, rng.below(1 << 16));
        let values: Vec<Option<bool>> =
            (0..4).map(|_| if rng.chance(50) { Some(rng.chance(50)) } else { None }).collect();
        let g = m.restrict(&f, &values).unwrap();
        for i in 0..16u64 {
            let free = |v: usize| i >> v & 1 == 1;
            assert_eq!(m.eval(&g, free), m.eval(&f, |v| values[v].unwrap_or(free(v))));
        }
    }
}

//! Prime implicants by recursive consensus and irredundant covers by essential primes (SABS13 §9).
//!
//! The paper's single-cube containment and cofactor are damaged in print; these are the usual ones: containment keeps the
//! cubes that no shorter one covers, and the cofactor by a literal drops the cubes with its opposite. The consensus of
//! `x & p` and `!x & q` is `p & q`, unless they contradict each other (theorem 3).

use crate::cube::Cube;
use std::collections::BTreeSet;

/// All prime implicants of the function that the cover stands for, sorted.
pub(crate) fn primes(cover: &[Cube]) -> Vec<Cube> {
    if cover.contains(&Cube::TRUE) {
        return vec![Cube::TRUE];
    }
    // Splitting on what most cubes mention makes the halves small.
    let mask = cover.iter().fold(0, |all, c| all | c.mask());
    let mentions = |v: usize| cover.iter().filter(|c| c.mask() >> v & 1 == 1).count();
    let Some(x) = (0..128).filter(|&v| mask >> v & 1 == 1).max_by_key(|&v| (mentions(v), std::cmp::Reverse(v))) else {
        return Vec::new();
    };
    let (yes, no) = (primes(&cofactor(cover, x, true)), primes(&cofactor(cover, x, false)));
    let mut all: Vec<Cube> = yes.iter().map(|p| p.with(x, true)).collect();
    all.extend(no.iter().map(|p| p.with(x, false)));
    for p in &yes {
        all.extend(no.iter().filter_map(|q| both(*p, *q)));
    }
    contained_once(all)
}

fn cofactor(cover: &[Cube], x: usize, value: bool) -> Vec<Cube> {
    let bit = 1u128 << x;
    let opposite = |c: &Cube| if value { c.neg & bit != 0 } else { c.pos & bit != 0 };
    cover.iter().filter(|c| !opposite(c)).map(|c| Cube { pos: c.pos & !bit, neg: c.neg & !bit }).collect()
}

fn both(p: Cube, q: Cube) -> Option<Cube> {
    let c = Cube { pos: p.pos | q.pos, neg: p.neg | q.neg };
    (c.pos & c.neg == 0).then_some(c)
}

/// The cubes that no other of the set covers.
fn contained_once(mut all: Vec<Cube>) -> Vec<Cube> {
    all.sort_by_key(|c| (c.len(), *c));
    all.dedup();
    let mut out: Vec<Cube> = Vec::new();
    for c in all {
        if !out.iter().any(|shorter| c.contains(*shorter)) {
            out.push(c);
        }
    }
    out.sort();
    out
}

/// Functions over more variables may have very many primes; their covers are made of some that are found on the way.
const ALL_PRIMES: usize = 6;

/// A cover of the valuations `on` by primes of `on` and `free` together, none of which could be left out: the essential
/// primes, then whatever covers most of the rest.
pub(crate) fn cover(n: usize, on: &BTreeSet<u128>, free: &BTreeSet<u128>) -> Vec<Cube> {
    if n > ALL_PRIMES {
        return expanded(n, on, free);
    }
    let minterm = |v: u128| Cube { pos: v, neg: !v & mask(n) };
    let all: Vec<Cube> = on.union(free).map(|&v| minterm(v)).collect();
    let primes = primes(&all);
    let covering = |v: u128| primes.iter().copied().filter(move |p| p.holds_in(v));
    let mut chosen: Vec<Cube> = Vec::new();
    for &v in on {
        let mut by = covering(v);
        if let (Some(only), None) = (by.next(), by.next())
            && !chosen.contains(&only)
        {
            chosen.push(only);
        }
    }
    let mut left: BTreeSet<u128> = on.iter().copied().filter(|&v| !chosen.iter().any(|c| c.holds_in(v))).collect();
    while !left.is_empty() {
        let covers = |p: &Cube| left.iter().filter(|&&v| p.holds_in(v)).count();
        let best = *primes.iter().max_by_key(|p| (covers(p), std::cmp::Reverse(p.len()))).expect("primes cover all");
        left.retain(|&v| !best.holds_in(v));
        chosen.push(best);
    }
    irredundant(chosen, on)
}

/// The same by primes that are made of single valuations: literals are dropped as long as nothing outside is covered.
fn expanded(n: usize, on: &BTreeSet<u128>, free: &BTreeSet<u128>) -> Vec<Cube> {
    let inside = |c: Cube| {
        // The valuations of a cube, counted through by its free variables.
        let open = mask(n) & !c.mask();
        let mut rest = open;
        loop {
            let v = c.pos | rest;
            if !on.contains(&v) && !free.contains(&v) {
                return false;
            }
            if rest == 0 {
                return true;
            }
            rest = (rest - 1) & open;
        }
    };
    let mut chosen: Vec<Cube> = Vec::new();
    for &v in on {
        if chosen.iter().any(|c| c.holds_in(v)) {
            continue;
        }
        let mut c = Cube { pos: v, neg: !v & mask(n) };
        for x in 0..n {
            let bit = 1u128 << x;
            let shorter = Cube { pos: c.pos & !bit, neg: c.neg & !bit };
            if inside(shorter) {
                c = shorter;
            }
        }
        chosen.push(c);
    }
    irredundant(chosen, on)
}

fn irredundant(mut chosen: Vec<Cube>, on: &BTreeSet<u128>) -> Vec<Cube> {
    let mut i = 0;
    while i < chosen.len() {
        let needed = |v: &u128| {
            let others = chosen.iter().enumerate().any(|(j, c)| j != i && c.holds_in(*v));
            chosen[i].holds_in(*v) && !others
        };
        if on.iter().any(needed) {
            i += 1;
        } else {
            chosen.remove(i);
        }
    }
    chosen.sort_by_key(|c| (c.len(), *c));
    chosen
}

/// The lowest `n` bits.
pub(crate) fn mask(n: usize) -> u128 {
    if n >= 128 { u128::MAX } else { (1 << n) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;

    /// Every cube that implies the function and none of whose parts does.
    fn brute_force(n: usize, on: &BTreeSet<u128>) -> Vec<Cube> {
        let mut implicants = Vec::new();
        for pos in 0..1u128 << n {
            for neg in 0..1u128 << n {
                let c = Cube { pos, neg };
                if pos & neg == 0 && (0..1u128 << n).all(|v| !c.holds_in(v) || on.contains(&v)) {
                    implicants.push(c);
                }
            }
        }
        let prime = |c: &Cube| !implicants.iter().any(|d| d != c && c.contains(*d));
        let mut out: Vec<Cube> = implicants.iter().copied().filter(prime).collect();
        out.sort();
        out
    }

    #[test]
    fn primes_are_those_of_brute_force_up_to_six_variables() {
        let mut rng = Rng::new(9);
        for n in 0..=6usize {
            for _ in 0..if n == 6 { 12 } else { 40 } {
                let density = 10 + rng.below(80);
                let on: BTreeSet<u128> = (0..1u128 << n).filter(|_| rng.chance(density)).collect();
                let minterms: Vec<Cube> = on.iter().map(|&v| Cube { pos: v, neg: !v & mask(n) }).collect();
                assert_eq!(primes(&minterms), brute_force(n, &on), "{n} variables, {on:?}");
            }
        }
    }

    #[test]
    fn covers_are_exact_and_irredundant() {
        let mut rng = Rng::new(10);
        for round in 0..300u32 {
            let n = 1 + (round % 8) as usize;
            let on: BTreeSet<u128> = (0..1u128 << n).filter(|_| rng.chance(40)).collect();
            let free: BTreeSet<u128> = (0..1u128 << n).filter(|v| !on.contains(v) && rng.chance(20)).collect();
            let chosen = cover(n, &on, &free);
            for v in 0..1u128 << n {
                let covered = chosen.iter().any(|c| c.holds_in(v));
                assert!(covered || !on.contains(&v), "{v} is left out");
                assert!(!covered || on.contains(&v) || free.contains(&v), "{v} is too much");
            }
            for i in 0..chosen.len() {
                let without = |v: &&u128| chosen.iter().enumerate().any(|(j, c)| j != i && c.holds_in(**v));
                assert!(on.iter().filter(without).count() < on.len(), "a cube is not needed");
            }
        }
    }
}

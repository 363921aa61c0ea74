//! The solver against the plain fixpoint, on random programs and on ones in C that are full of lists, tables and casts.

use base::rng::Rng;
use ir::cfg::AddressTaken;
use ir::random::{Knobs, program};
use ir::{Externs, Program, Ub, UbPolicy};

/// Compares the two; how many pointers there are, how many objects escape, and whether something is called outside.
fn compare(program: &Program, seed: u64) -> (usize, usize) {
    let taken = AddressTaken::new(program);
    let found = crate::naive::shortened(pointsto::analyze(program, &taken));
    let expected = crate::naive::shortened(crate::naive::solve(program, &taken));
    assert!(
        found == expected,
        "seed {seed}: found\n{found:#?}\ninstead of\n{expected:#?}\n{}",
        ir::text::print(program)
    );
    let variables = found.globals.iter().chain(found.locals.iter().flatten());
    let contents = found.contents.values().flat_map(|slots| slots.values());
    (variables.chain(contents).map(pointsto::Targets::len).sum(), found.escaped.len())
}

#[test]
fn the_solution_is_that_of_the_plain_fixpoint() {
    let (mut pointers, mut escaped) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let knobs = Knobs { memory: true, statements: 6 + seed as usize % 40, ..Knobs::default() };
        let mut p = program(&mut rng, &knobs);
        for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree] {
            p.ub.set(ub, UbPolicy::AssumedAway);
        }
        p.externs = *rng.pick(&[Externs::Args, Externs::Any, Externs::Pure]);
        let (n, m) = compare(&p, seed);
        pointers += n;
        escaped += m;
    }
    assert!(pointers > 5000 && escaped > 500, "{pointers} pointers, {escaped} escaped objects");
}

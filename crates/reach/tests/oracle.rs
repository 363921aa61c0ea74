//! `reach` against the explicit oracles on random programs.

use boolprog::oracle::random_programs;
use reach::compare::{Covered, compare};

fn run(seed: u64, n: usize) -> Vec<Covered> {
    let mut all = Vec::new();
    for (i, program) in random_programs(seed, n).enumerate() {
        assert_eq!(boolprog::validate(&program), [], "random programs are valid");
        match compare(&program) {
            Ok(c) => all.push(c),
            Err(e) => panic!("program {i} of seed {seed}: {e}\n{}", boolprog::print(&program)),
        }
    }
    all
}

#[test]
fn engines_agree_on_random_programs() {
    let all = run(1, 400);
    let percent = |f: fn(&Covered) -> bool| all.iter().filter(|c| f(c)).count() * 100 / all.len();
    let shares = [
        ("reached", percent(|c| c.reached)),
        ("unreached", percent(|c| !c.reached)),
        ("recursive", percent(|c| c.recursive)),
        ("reused summary", percent(|c| c.reused_summary)),
        ("shortest confirmed", percent(|c| c.shortest_confirmed)),
    ];
    for (what, share) in shares {
        assert!(share >= 30 || what == "shortest confirmed" && share >= 20, "{what}: only {share} % in {shares:?}");
    }
}

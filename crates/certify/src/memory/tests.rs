//! What the analysis finds is closed, and what is left out of it is missed.

use super::*;
use base::rng::Rng;
use ir::random::{Knobs, program};
use ir::{Ub, UbPolicy};
use pointsto::{Query, analyze};

fn random(seed: u64) -> (Program, Solution, Regions) {
    let knobs = Knobs { memory: true, statements: 12, ..Knobs::default() };
    let mut program = program(&mut Rng::new(seed), &knobs);
    for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree] {
        program.ub.set(ub, UbPolicy::AssumedAway);
    }
    let taken = AddressTaken::new(&program);
    let solution = analyze(&program, &taken);
    let regions = Regions::new(Query { program: &program, taken: &taken, solution: &solution });
    (program, solution, regions)
}

#[test]
fn what_the_analysis_finds_is_closed() {
    for seed in 0..300 {
        let (program, solution, regions) = random(seed);
        if let Err(e) = check_data(&program, &solution, &regions) {
            panic!("seed {seed}: {e}\n{}", ir::text::print(&program));
        }
    }
}

/// Leaves out one target of a variable; `None` if there is none to leave out. What has escaped, and every function, is
/// meant by a set of unknown origin whether it is named or not.
fn without_one(solution: &Solution, rng: &mut Rng) -> Option<Solution> {
    let mut less = solution.clone();
    let meant = |object: &Object| matches!(object, Object::Func(_)) || solution.escaped.contains(object);
    let variables = less.globals.iter_mut().chain(less.locals.iter_mut().flat_map(|l| l.iter_mut()));
    let named = |t: &&mut Targets| !(t.is_empty() || t.contains_key(&Object::Ext) && t.keys().any(meant));
    let mut sets: Vec<&mut Targets> = variables.filter(named).collect();
    if sets.is_empty() {
        return None;
    }
    let n = rng.below(sets.len() as u64) as usize;
    // What is of unknown origin may be any function.
    let outside = sets[n].contains_key(&Object::Ext);
    let meant = |o: &Object| outside && matches!(o, Object::Func(_));
    let object = *rng.pick(&sets[n].keys().copied().filter(|o| !meant(o)).collect::<Vec<_>>());
    sets[n].remove(&object);
    Some(less)
}

#[test]
fn a_target_that_is_left_out_is_missed() {
    let (mut tried, mut caught) = (0, 0);
    for seed in 0..300 {
        let (program, solution, regions) = random(seed);
        let Some(less) = without_one(&solution, &mut Rng::new(seed)) else { continue };
        tried += 1;
        caught += u32::from(check_data(&program, &less, &regions).is_err());
    }
    assert!(tried > 200 && caught == tried, "{caught} of {tried} were caught");
}

#[test]
fn an_escape_that_is_left_out_is_missed() {
    let (mut tried, mut caught) = (0, 0);
    for seed in 0..300 {
        let (program, mut solution, regions) = random(seed);
        let Some(&object) = solution.escaped.iter().next() else { continue };
        solution.escaped.remove(&object);
        tried += 1;
        caught += u32::from(check_data(&program, &solution, &regions).is_err());
    }
    assert!(tried > 50 && caught == tried, "{caught} of {tried} were caught");
}

#[test]
fn regions_that_are_too_small_are_seen() {
    let (mut tried, mut caught) = (0, 0);
    for seed in 0..300 {
        let (program, solution, mut regions) = random(seed);
        let nowhere = Regions::nowhere();
        let Some((_, region)) = regions.cells.values_mut().flatten().find(|(c, _)| c.size > 1) else { continue };
        *region = nowhere;
        tried += 1;
        // A cell that nothing else meets may have any region of its own: not every change is one too many.
        caught += u32::from(check_data(&program, &solution, &regions).is_err());
    }
    assert!(tried > 100 && caught * 3 > tried, "{caught} of {tried} were caught");
}

#[test]
fn a_write_that_is_left_out_is_missed() {
    let (mut tried, mut caught) = (0, 0);
    for seed in 0..100 {
        let (program, solution, mut regions) = random(seed);
        for f in program.functions.ids().filter(|&f| program.functions[f].body.is_some()) {
            let Some(old) = regions.modifies[f].pop_first() else { continue };
            tried += 1;
            caught += u32::from(check_data(&program, &solution, &regions).is_err());
            regions.modifies[f].insert(old);
        }
    }
    assert!(tried > 100 && caught * 10 > tried * 9, "{caught} of {tried} were caught");
}

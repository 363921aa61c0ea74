//! Attacks on the proof checker with real proofs about memory: for each unsafe program, the proof that the engines find for
//! its safe twin, made to fit (hash, locations, table of undefined behaviour) and then changed in every single way: each
//! claim weakened, strengthened, negated, exchanged, moved or left out, each function left out, each `modifies` set
//! reduced, and weakened until nothing but the target itself stands against it. All of them have to be rejected.
//!
//! What the formulas build on is attacked too: the analysis of pointers with one target left out is not closed.

use analysis::Analysis;
use base::Id;
use base::rng::Rng;
use certify::{CheckLimits, FunctionProof, Node, NodeId, Proof, ProofKind, Rejection, Rule, check_proof};
use ir::cfg::{AddressTaken, Graph};
use ir::{DataModel, Loc, Program, Ub, UbPolicy};
use pointsto::{Query, Regions, Solution, analyze};
use std::collections::BTreeSet;
use verify::{Engine, Settings, Silent, Verdict, verify};

use super::corrupt;
use crate::compile::{Compiled, compile};
use crate::fixtures::{self, Fixture};
use crate::statistics::Statistics;

/// A false proof, and what was done to make it.
type Candidate = (String, Proof);

/// The programs about memory, and those about what `--check` asks for.
fn twins() -> Vec<(Fixture, Fixture)> {
    let mut all: Vec<Fixture> = fixtures::memory();
    all.extend(fixtures::attack());
    let mut all = all.into_iter();
    std::iter::from_fn(|| all.next().zip(all.next())).collect()
}

/// Attacks `n` pairs from this number on (counted around), in their data models by turns, with at most `each` single changes of
/// each proof and half as many combinations of some.
pub fn attack(first: u64, n: u64, each: usize) -> Result<Statistics, String> {
    let (mut stats, twins) = (Statistics::new(), twins());
    for k in first..first + n {
        let (safe, broken) = &twins[k as usize % twins.len()];
        let turn = (k as usize / twins.len() + k as usize) % safe.models.len();
        let model = safe.models[turn];
        let name = format!("{} in {model:?}", broken.name);
        let Some(proof) = found(safe, model)? else {
            stats.add("safe programs without a proof by invariants", 1);
            continue;
        };
        let broken = compiled(broken, model)?;
        stats.add("unsafe programs", 1);
        proofs(&name, &proof, &broken, each, &mut stats)?;
        points_to_sets(&name, &broken.program, &mut stats)?;
    }
    Ok(stats)
}

/// The program as the tool checks it.
fn compiled(f: &Fixture, model: DataModel) -> Result<Compiled, String> {
    let mut options = lower::Options::default();
    let kinds = f.source.lines().find_map(|l| l.strip_prefix("// check: ")).unwrap_or_default();
    for kind in kinds.split_whitespace() {
        let kinds: &[Ub] = match kind {
            "bounds" => &[Ub::OutOfBounds],
            "null" => &[Ub::NullDeref],
            "free" => &[Ub::UseAfterFree, Ub::BadFree],
            "div" => &[Ub::DivByZero, Ub::DivOverflow],
            "shift" => &[Ub::ShiftCount],
            other => return Err(format!("{}: unknown kind {other}", f.name)),
        };
        kinds.iter().for_each(|&ub| options.ub.set(ub, UbPolicy::Checked));
    }
    let mut compiled = compile(&f.name, &f.source, model, &options)?;
    ir::checks::expose(&mut compiled.program);
    Ok(compiled)
}

/// The proof that the abstraction finds, and its program.
fn found(f: &Fixture, model: DataModel) -> Result<Option<(Program, Proof)>, String> {
    let program = compiled(f, model)?.program;
    let settings = Settings { engines: vec![Engine::Abstraction], ..Settings::default() };
    match verify(&Analysis::new(&program), &settings, &mut Silent).verdict {
        Verdict::Safe(proof) => Ok(Some((program, proof.into_inner()))),
        Verdict::Unknown(_) => Ok(None),
        Verdict::Unsafe(_) => Err(format!("{} in {model:?} is safe", f.name)),
    }
}

/// Offers everything that can be made of the proof.
fn proofs(
    name: &str,
    proof: &(Program, Proof),
    broken: &Compiled,
    each: usize,
    stats: &mut Statistics,
) -> Result<(), String> {
    let fitting = fitted(proof, broken);
    if fitting.is_empty() {
        stats.add("proofs that do not fit", 1);
    }
    for (how, fits) in fitting {
        let mut candidates = changes(&broken.program, &fits);
        let stride = candidates.len().div_ceil(each).max(1);
        candidates = candidates.into_iter().step_by(stride).collect();
        let mut rng = Rng::new(7);
        let random = (0..each as u64 / 2).map(|n| corrupt::candidate(&broken.program, &fits, n + 4, &mut rng));
        candidates.extend(random.map(|p| ("random changes".to_owned(), p)));
        for (what, candidate) in candidates {
            offer(&format!("{name}, {how}, {what}"), &broken.program, &candidate, stats)?;
        }
        weaken(&format!("{name}, {how}"), &broken.program, fits, stats)?;
    }
    Ok(())
}

/// Offers one false proof; says why it is rejected.
fn offer(name: &str, program: &Program, candidate: &Proof, stats: &mut Statistics) -> Result<Rejection, String> {
    match check_proof(program, candidate.clone(), &CheckLimits::default()) {
        Ok(_) => {
            let text = certify::text::print(program, candidate);
            Err(format!("{name}: a proof of an unsafe program is accepted\n{text}\n{}", ir::text::print(program)))
        }
        Err(rejection) => {
            stats.add("rejected", 1);
            stats.add(format!("rejected by {}", rejection.rule), 1);
            stats.add("not decided", u64::from(rejection.undecided));
            Ok(rejection)
        }
    }
}

/// The proof as one of the other program: with the same numbers of locations, and with those of the same role.
fn fitted((safe, proof): &(Program, Proof), broken: &Compiled) -> Vec<Candidate> {
    let hash = certify::text::program_hash(&broken.program);
    let mut moved = proof.clone();
    let ProofKind::Invariants(functions) = &mut moved.kind else { return Vec::new() };
    functions.iter_mut().for_each(|f| by_role(safe, &broken.program, f));
    let mut fitting: Vec<Candidate> = Vec::new();
    for (how, proof) in [("same numbers", proof), ("same roles", &moved)] {
        // Names are what both programs have in common; ids are not.
        let text = certify::text::print(safe, proof);
        let Ok(mut parsed) = certify::text::parse(&broken.program, broken.file, &text) else { continue };
        parsed.program = hash;
        parsed.ub = broken.program.ub.clone();
        if fitting.iter().all(|(_, other)| *other != parsed) {
            fitting.push((how.to_owned(), parsed));
        }
    }
    fitting
}

/// Moves claims at the exit and at loop heads to the exit and the loop heads of the other program's function of that name.
fn by_role(safe: &Program, broken: &Program, f: &mut FunctionProof) {
    let name = &safe.functions[f.func].name;
    let here = safe.functions[f.func].body.as_ref();
    let there = broken.functions.iter().find(|g| g.name == *name).and_then(|g| g.body.as_ref());
    let (Some(here), Some(there)) = (here, there) else { return };
    let heads = |body: &ir::Body| -> Vec<Loc> {
        let graph = Graph::new(body);
        body.locations.ids().filter(|&l| graph.loop_heads[l]).collect()
    };
    let (heads, theirs) = (heads(here), heads(there));
    let moved = f.invariants.iter().map(|(&loc, &node)| {
        let head = heads.iter().position(|&h| h == loc).and_then(|i| theirs.get(i));
        (if loc == here.exit { there.exit } else { head.copied().unwrap_or(loc) }, node)
    });
    f.invariants = moved.collect();
}

/// Every single change.
fn changes(program: &Program, proof: &Proof) -> Vec<Candidate> {
    let mut all = vec![("unchanged".to_owned(), proof.clone())];
    all.extend((0..4).map(|n| (format!("extreme {n}"), corrupt::candidate(program, proof, n, &mut Rng::new(0)))));
    let ProofKind::Invariants(functions) = &proof.kind else { return all };
    let mut with = |what: String, change: &dyn Fn(&mut Vec<FunctionProof>)| {
        let mut functions = functions.clone();
        change(&mut functions);
        all.push((what, Proof { kind: ProofKind::Invariants(functions), ..proof.clone() }));
    };
    for (i, f) in functions.iter().enumerate() {
        let name = &program.functions[f.func].name;
        with(format!("without {name}"), &|fs| drop(fs.remove(i)));
        with(format!("{name} modifies nothing"), &|fs| fs[i].modifies.clear());
        with(format!("{name} modifies all"), &|fs| fs[i].modifies = program.globals.ids().collect());
        for &g in &f.modifies {
            with(format!("{name} does not modify {g}"), &|fs| _ = fs[i].modifies.remove(&g));
        }
        for &loc in f.invariants.keys() {
            let node = f.invariants[&loc];
            let at = format!("{name} at {loc}");
            with(format!("{at}: nothing"), &|fs| _ = fs[i].invariants.remove(&loc));
            for other in locations(program, f).into_iter().filter(|l| !f.invariants.contains_key(l)) {
                with(format!("{at}: moved to {other}"), &|fs| {
                    fs[i].invariants.remove(&loc);
                    fs[i].invariants.insert(other, node);
                });
                with(format!("{at}: also at {other}"), &|fs| _ = fs[i].invariants.insert(other, node));
            }
            for (what, nodes) in claims(f, node) {
                with(format!("{at}: {what}"), &|fs| {
                    let mut last = node;
                    for node in &nodes {
                        last = fs[i].nodes.push(node.clone());
                    }
                    fs[i].invariants.insert(loc, last);
                });
            }
        }
    }
    all.extend(tables(proof));
    all
}

fn locations(program: &Program, f: &FunctionProof) -> Vec<Loc> {
    program.functions[f.func].body.iter().flat_map(|b| b.locations.ids()).collect()
}

/// Claims in the place of one: nodes to add, of which the last is the claim.
fn claims(f: &FunctionProof, node: NodeId) -> Vec<(String, Vec<Node>)> {
    let mut all = vec![("true".to_owned(), vec![Node::Const(true)]), ("false".to_owned(), vec![Node::Const(false)])];
    all.push(("the opposite".to_owned(), vec![Node::Not(node)]));
    if let Node::And(list) | Node::Or(list) = &f.nodes[node] {
        for k in 0..list.len() {
            let mut rest = list.clone();
            rest.remove(k);
            all.push((format!("all but part {k}"), vec![Node::And(rest.clone())]));
            all.push((format!("some but part {k}"), vec![Node::Or(rest)]));
            all.push((format!("only part {k}"), vec![Node::And(vec![list[k]])]));
        }
    }
    for atom in f.nodes.ids() {
        let next = NodeId::from_index(f.nodes.len());
        all.push((format!("and {atom}"), vec![Node::And(vec![node, atom])]));
        all.push((format!("and not {atom}"), vec![Node::Not(atom), Node::And(vec![node, next])]));
        all.push((format!("or {atom}"), vec![Node::Or(vec![node, atom])]));
    }
    all
}

/// Other tables of undefined behaviour, and another hash: rejected before any rule is asked.
fn tables(proof: &Proof) -> Vec<Candidate> {
    let policies = [UbPolicy::AssumedAway, UbPolicy::Checked, UbPolicy::Ignored];
    let mut all = Vec::new();
    for (ub, policy) in proof.ub.iter() {
        for other in policies.into_iter().filter(|&p| p != policy) {
            let mut changed = proof.clone();
            changed.ub.set(ub, other);
            all.push((format!("{} {}", ub.name(), other.name()), changed));
        }
    }
    let mut other = proof.clone();
    other.program.0[31] ^= 1;
    all.push(("another hash".to_owned(), other));
    all
}

/// Weakens the proof where it fails, until only the target stands against it: what is left is inductive, and false of no
/// run, so nothing but the target's own rule can refuse it.
fn weaken(name: &str, program: &Program, mut proof: Proof, stats: &mut Statistics) -> Result<(), String> {
    let mut done: BTreeSet<(usize, Loc)> = BTreeSet::new();
    let everything: BTreeSet<ir::GlobalId> = program.globals.ids().collect();
    if let ProofKind::Invariants(functions) = &mut proof.kind {
        functions.iter_mut().for_each(|f| f.modifies.clone_from(&everything));
    }
    let mut last = offer(&format!("{name}, weakened"), program, &proof, stats)?;
    while last.rule != Rule::Target {
        let Some((next, rejection)) = weaker(name, program, &proof, &last, &mut done, stats)? else { break };
        (proof, last) = (next, rejection);
    }
    stats
        .add(if last.rule == Rule::Target { "weakened until the target is reached" } else { "weakened to nothing" }, 1);
    Ok(())
}

/// One claim less, such that something else is rejected than before.
fn weaker(
    name: &str,
    program: &Program,
    proof: &Proof,
    last: &Rejection,
    done: &mut BTreeSet<(usize, Loc)>,
    stats: &mut Statistics,
) -> Result<Option<(Proof, Rejection)>, String> {
    let ProofKind::Invariants(functions) = &proof.kind else { return Ok(None) };
    for (i, f) in functions.iter().enumerate() {
        for &loc in f.invariants.keys().filter(|&&l| !done.contains(&(i, l))) {
            let mut candidate = proof.clone();
            if let ProofKind::Invariants(functions) = &mut candidate.kind {
                let truth = functions[i].nodes.push(Node::Const(true));
                functions[i].invariants.insert(loc, truth);
            }
            let rejection = offer(&format!("{name}, weakened at {loc}"), program, &candidate, stats)?;
            if rejection != *last {
                done.insert((i, loc));
                return Ok(Some((candidate, rejection)));
            }
        }
    }
    Ok(None)
}

/// Leaves out each target of the analysis of pointers by itself; without it the analysis is not closed.
fn points_to_sets(name: &str, program: &Program, stats: &mut Statistics) -> Result<(), String> {
    let taken = AddressTaken::new(program);
    let solution = analyze(program, &taken);
    let regions = Regions::new(Query { program, taken: &taken, solution: &solution });
    certify::check_points_to(program, &solution, &regions).map_err(|e| format!("{name}: {e}"))?;
    for (what, less) in with_less(&solution) {
        if certify::check_points_to(program, &less, &regions).is_ok() {
            return Err(format!("{name}: an analysis without {what} is accepted\n{}", ir::text::print(program)));
        }
        stats.add("targets of pointers missed", 1);
    }
    Ok(())
}

/// The solution without one of its targets, for each of them.
fn with_less(solution: &Solution) -> Vec<(String, Solution)> {
    let mut all = Vec::new();
    for g in solution.globals.ids() {
        for object in solution.globals[g].keys() {
            let mut less = solution.clone();
            less.globals[g].remove(object);
            all.push((format!("{g} -> {object:?}"), less));
        }
    }
    for f in solution.locals.ids() {
        for l in solution.locals[f].ids() {
            for object in solution.locals[f][l].keys() {
                let mut less = solution.clone();
                less.locals[f][l].remove(object);
                all.push((format!("{l} of {f} -> {object:?}"), less));
            }
        }
    }
    for object in &solution.escaped {
        let mut less = solution.clone();
        less.escaped.remove(object);
        all.push((format!("the escape of {object:?}"), less));
    }
    all
}

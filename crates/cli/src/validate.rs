//! `hardbop validate`: is what a witness says true, and does it show what it claims?
//!
//! *Correctness*: the invariants are candidates. Together they must be inductive and keep every run from the property's targets, which
//! `certify` decides (rule *Unwinding*) without any search: no invariant is added, and a loop that the witness does not speak of is
//! followed only as far as constants decide how often it goes round. A witness that says nothing about loops is confirmed only if following all that can happen comes to an end.
//!
//! What functions require and ensure, and values at entry, are claims about functions instead, decided by rules 1 to 6: [`contracts`].
//!
//! *Violation*: [`violation`].

mod contracts;
mod violation;

use crate::front::{self, Front};
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{DataModel, ValidateSettings};
use crate::witness::keywords::Keywords;
use crate::witness::scope::Scope;
use crate::witness::{hash_of, places};
use analysis::Analysis;
use base::Span;
use certify::{ActivationProof, CheckLimits, FunctionProof, Node, Proof, ProofKind, UnwindingProof, check_proof};
use ir::cfg::Graph;
use ir::{EdgeId, FuncId, Loc, Op};
use lower::annotation::Form;
use std::collections::{BTreeMap, BTreeSet};
use svcomp::witness::{Content, Invariant, Place, Witness};
use verify::{Engine, Verdict};

/// Checks the witness.
pub(crate) fn run(settings: &ValidateSettings, front: &Front, progress: &mut Progress) -> Outcome {
    progress.phase("validate");
    let text = match read_text(&settings.witness, Empty::Refused) {
        Ok(text) => text,
        Err(e) => return front::refused(e),
    };
    let is_graph = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
    let parsed = if is_graph { svcomp::graphml::parse(&text) } else { svcomp::yaml::parse(&text) };
    let witness = match parsed {
        Ok(witness) => witness,
        Err(problem) => return bad(settings, &problem),
    };
    if let Err(problem) = is_about(settings, &witness) {
        return bad(settings, &problem);
    }
    let mut outcome = match &witness.content {
        Content::Correctness(invariants) => correctness(settings, front, invariants, progress),
        Content::Violation(segments) => violation::violation(settings, front, segments),
    };
    outcome.assumptions = front.assumptions();
    outcome
}

fn bad(settings: &ValidateSettings, problem: &str) -> Outcome {
    let text = format!("{}: {problem}", settings.witness);
    Outcome::bad_input(text.clone(), vec![format!("error: {text}")])
}

/// Whether the witness is one for this program, property and data model.
fn is_about(settings: &ValidateSettings, witness: &Witness) -> Result<(), String> {
    let program = &settings.program;
    let named = &witness.metadata.input_files;
    if named.len() != program.files.len() {
        return Err(format!("it is about {} files, the program has {}", named.len(), program.files.len()));
    }
    for (file, (name, hash)) in program.files.iter().zip(named) {
        if hash_of(file)? != *hash {
            return Err(format!("it is about another {name}: the hashes differ"));
        }
    }
    let model = match program.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    if witness.metadata.data_model != model {
        return Err(format!("it is about the data model {}, not {model}", witness.metadata.data_model));
    }
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    let asked = program.property.specification(&program.entry);
    if dense(&asked) != dense(&witness.metadata.specification) {
        return Err(format!(
            "it is about another property, `{}`: see --property",
            witness.metadata.specification.trim()
        ));
    }
    Ok(())
}

// ---- Correctness.

fn correctness(
    settings: &ValidateSettings,
    front: &Front,
    invariants: &[Invariant],
    progress: &mut Progress,
) -> Outcome {
    if let Some(open) = settings.program.property.left_open(&front.program) {
        return Outcome::unknown(format!("no proof of the property can be checked: {open}"));
    }
    if invariants.is_empty() {
        progress.phase("unwinding");
        return without_invariants(front);
    }
    match proves(front, invariants, &CheckLimits::default()) {
        Ok(()) => {
            let n = report::counted(invariants.len() as u64, "invariant");
            Outcome::new(Answer::Accepted, format!("{n} of the witness, and no other, prove the property"))
        }
        Err(why) => Outcome::unknown(why),
    }
}

/// Whether these claims, and no others, prove the property; why not.
pub(crate) fn proves(front: &Front, invariants: &[Invariant], limits: &CheckLimits) -> Result<(), String> {
    if invariants.iter().any(contracts::is_about_function) {
        return accepted(front, contracts::proof(front, invariants)?, limits);
    }
    let by_activations = unwinding(front, invariants).and_then(|proof| accepted(front, proof, limits));
    by_activations.or_else(|why| {
        let by_functions = contracts::proof(front, invariants).and_then(|proof| accepted(front, proof, limits));
        by_functions.map_err(|_| why)
    })
}

fn accepted(front: &Front, proof: Proof, limits: &CheckLimits) -> Result<(), String> {
    check_proof(&front.program, proof, limits).map(drop).map_err(|r| {
        let place = r.at.map(|(f, e)| format!(" at {}", front.source().show_edge(f, e))).unwrap_or_default();
        format!("the invariants do not prove the property: {}{place}", r.reason)
    })
}

/// The claims as a proof by unwinding: those of a function are claimed of each of its activations.
fn unwinding(front: &Front, invariants: &[Invariant]) -> Result<Proof, String> {
    let (entry, inner) = claims(front, invariants)?;
    let none = |of: &FunctionProof| vec![Vec::new(); of.invariants.len()];
    let inner = inner.into_iter().map(|(calls, invariants)| {
        let scripts = none(&invariants);
        ActivationProof { calls, invariants, scripts }
    });
    Ok(Proof {
        program: certify::text::program_hash(&front.program),
        ub: front.program.ub.clone(),
        kind: ProofKind::Unwinding(UnwindingProof {
            scripts: [vec![Vec::new()], none(&entry)].concat(),
            inner: inner.collect(),
            invariants: entry,
        }),
    })
}

/// A proof without invariants is one only where all that can happen comes to an end.
fn without_invariants(front: &Front) -> Outcome {
    let analysis = Analysis::new(&front.program);
    let mut search =
        verify::Settings { engines: vec![Engine::Concrete, Engine::Bounded], ..verify::Settings::default() };
    // Looking for runs is another question.
    search.concrete.guided_steps = 0;
    match verify::verify(&analysis, &search, &mut verify::Silent).verdict {
        Verdict::Safe(_) => Outcome::new(Answer::Accepted, "no invariant is needed: all that can happen was followed"),
        Verdict::Unsafe(_) => Outcome::new(Answer::Rejected, "the property does not hold"),
        Verdict::Unknown(_) => {
            Outcome::unknown("the witness says nothing about loops, and not all that can happen was followed")
        }
    }
}

/// The most activations of functions that a witness speaks of.
const MOST_ACTIVATIONS: usize = 512;

/// Claims about the entry function, and about each activation of others by the calls that make it.
type Claims = (FunctionProof, Vec<(Vec<EdgeId>, FunctionProof)>);

/// The invariants as claims: those of a function that is called hold in each of its activations.
fn claims(front: &Front, invariants: &[Invariant]) -> Result<Claims, String> {
    let entry = front.program.entry;
    let mut by_head: BTreeMap<FuncId, BTreeMap<Loc, Vec<ir::Expr>>> = BTreeMap::new();
    for invariant in invariants {
        let (func, head) = head_of(front, invariant)?;
        let at = places::head(front.program.body(func), head);
        let condition = condition(front, func, at, &invariant.value, Reads::Variables)?;
        by_head.entry(func).or_default().entry(head).or_default().push(condition);
    }
    let own = claims_of(entry, by_head.remove(&entry).unwrap_or_default());
    let mut inner = Vec::new();
    for (func, heads) in by_head {
        let proof = claims_of(func, heads);
        for calls in activations(&front.program, func)? {
            inner.push((calls, proof.clone()));
        }
    }
    // A caller's activations come before those that they make.
    inner.sort_by_key(|(calls, _)| calls.len());
    Ok((own, inner))
}

fn claims_of(func: FuncId, by_head: BTreeMap<Loc, Vec<ir::Expr>>) -> FunctionProof {
    let mut proof =
        FunctionProof { func, modifies: BTreeSet::new(), nodes: base::IndexVec::new(), invariants: BTreeMap::new() };
    for (head, conditions) in by_head {
        let atoms = conditions.into_iter().map(|c| proof.nodes.push(Node::Atom(c))).collect();
        let all = proof.nodes.push(Node::And(atoms));
        proof.invariants.insert(head, all);
    }
    proof
}

/// The sequences of calls that lead from the entry function to another one.
fn activations(program: &ir::Program, func: FuncId) -> Result<Vec<Vec<EdgeId>>, String> {
    let name = &program.functions[func].name;
    let mut out = Vec::new();
    let mut open: Vec<(Vec<FuncId>, Vec<EdgeId>)> = vec![(vec![program.entry], Vec::new())];
    let mut looked = 0;
    while let Some((stack, calls)) = open.pop() {
        looked += 1;
        if out.len() > MOST_ACTIVATIONS || looked > 64 * MOST_ACTIVATIONS {
            return Err(format!("`{name}`, whose loop the witness speaks of, is called in too many ways"));
        }
        let caller = *stack.last().expect("the entry function lies below all others");
        if caller == func {
            out.push(calls);
            continue;
        }
        for (id, edge) in program.body(caller).edges.iter_enumerated() {
            let Op::Call(ir::Call { callee: ir::Callee::Direct(callee), .. }) = &edge.op else { continue };
            if program.functions[*callee].body.is_none() {
                continue;
            }
            if stack.contains(callee) {
                return Err(format!(
                    "`{name}`, whose loop the witness speaks of, may be called by a recursive function"
                ));
            }
            let (mut stack, mut calls) = (stack.clone(), calls.clone());
            stack.push(*callee);
            calls.push(id);
            open.push((stack, calls));
        }
    }
    Ok(out)
}

/// Whether two places are one, as far as the second says.
fn is_at(place: &Place, named: &Place) -> bool {
    let last = |file: &str| file.rsplit('/').next().unwrap_or(file).to_string();
    last(&place.file) == last(&named.file)
        && place.line == named.line
        && named.column.is_none_or(|c| place.column == Some(c))
        && named.function.as_ref().is_none_or(|f| place.function.as_ref() == Some(f))
}

/// The head of the loop that an invariant is about.
fn head_of(front: &Front, invariant: &Invariant) -> Result<(FuncId, Loc), String> {
    let mut found = Vec::new();
    for (func, f) in front.program.functions.iter_enumerated() {
        let Some(body) = &f.body else { continue };
        let graph = Graph::new(body);
        for loc in body.locations.ids().filter(|l| graph.loop_heads[*l] && graph.reachable[*l]) {
            let places = places::keyword(front, func, body, loc)
                .unwrap_or_else(|| places::start(front, func, body.locations[loc].span));
            if is_at(&places, &invariant.place) {
                found.push((func, loc));
            }
        }
    }
    match found[..] {
        [one] => Ok(one),
        [] => Err(format!("there is no loop at line {} of {}", invariant.place.line, invariant.place.file)),
        _ => Err(format!("there are several loops at line {} of {}", invariant.place.line, invariant.place.file)),
    }
}

/// What a condition may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Variables alone: what memory holds behind a bad pointer is a question that no C expression has an answer to.
    Variables,
    /// Anything: where a run has no answer the condition does not hold.
    Anything,
}

/// A condition of the witness as the program's own expression; names mean what they mean at `at`.
fn condition(front: &Front, func: FuncId, at: Span, text: &str, may: Reads) -> Result<ir::Expr, String> {
    let shown: String = text.chars().take(80).collect();
    let unreadable = |why: String| format!("the condition `{shown}` cannot be read: {why}");
    let mut names = Scope::at(front, func, at).for_reading();
    let mut keywords = Keywords::default();
    let written = keywords.read(front, func, &text.replace(['\n', '\r'], " "), &mut names).map_err(unreadable)?;
    let read = lower::annotation::expression(&front.program, &names, at.file, &written, Form::DefinedCondition);
    let condition = keywords.mean(&read.map_err(|d| unreadable(d.message))?);
    if may == Reads::Variables && reads_memory(&front.program, func, &condition) {
        return Err(format!("the invariant `{shown}` speaks of memory behind pointers, which is not supported"));
    }
    Ok(condition)
}

/// Whether an expression reads more than whole scalar variables.
fn reads_memory(program: &ir::Program, func: FuncId, e: &ir::Expr) -> bool {
    struct Walk<'a>(&'a ir::Program, FuncId, bool);
    impl ir::walk::Visitor for Walk<'_> {
        fn read(&mut self, place: &ir::Place) {
            let whole = place.as_var().is_some_and(|v| self.0.shape(self.1, v).scalar() == Some(place.ty));
            self.2 |= !whole;
        }
    }
    let mut reads = Walk(program, func, false);
    ir::walk::walk_expr(e, &mut reads);
    reads.2
}

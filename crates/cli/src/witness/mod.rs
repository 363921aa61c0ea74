//! Witnesses: what was found, in the formats of SV-COMP, so that others can check it. docs/sv-comp.md says what they contain.

mod correctness;
pub(crate) mod keywords;
pub(crate) mod places;
pub(crate) mod scope;
mod violation;

use crate::artifacts;
use crate::front::Front;
use crate::settings::{CheckSettings, DataModel, ProgramSettings};
use crate::validate;
use analysis::Analysis;
use certify::{CheckLimits, Counterexample, FunctionProof, Node, NodeId, Proof, ProofKind};
use correctness::Said;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use svcomp::witness::{Content, Metadata, Witness};

/// Whether a witness was asked for.
fn is_wanted(settings: &CheckSettings) -> bool {
    settings.witness.is_some() || settings.witness_graphml.is_some()
}

/// What a proof says that a witness can say too: about functions, or about activations, without what compares them with those that wait for
/// them.
fn claims(proof: &Proof) -> Vec<FunctionProof> {
    match &proof.kind {
        ProofKind::Invariants(functions) => functions.clone(),
        ProofKind::Unwinding(unwinding) => {
            let inner = unwinding.inner.iter().map(|a| without_outer(&a.invariants));
            std::iter::once(unwinding.invariants.clone()).chain(inner).collect()
        }
        ProofKind::Run { .. } => Vec::new(),
    }
}

/// The same claims, weakened by all that they say of other activations.
fn without_outer(proof: &FunctionProof) -> FunctionProof {
    let mut out = FunctionProof::new(proof.func);
    let mut done: BTreeMap<(NodeId, bool), NodeId> = BTreeMap::new();
    for (id, node) in proof.nodes.iter_enumerated() {
        // Weaker where it is claimed, stronger where its opposite is.
        for weaker in [true, false] {
            let of = |n: &NodeId, weaker: bool| done[&(*n, weaker)];
            let list = |list: &[NodeId]| list.iter().map(|n| of(n, weaker)).collect::<Vec<_>>();
            let new = match node {
                Node::Const(_) | Node::Atom(_) => node.clone(),
                Node::Outer(..) => Node::Const(weaker),
                Node::Not(a) => Node::Not(of(a, !weaker)),
                Node::And(all) => Node::And(list(all)),
                Node::Or(all) => Node::Or(list(all)),
                Node::Ite(c, a, b) => {
                    let (holds, fails) = (of(c, weaker), of(c, !weaker));
                    let fails = out.nodes.push(Node::Not(fails));
                    let then = out.nodes.push(Node::And(vec![holds, of(a, weaker)]));
                    let otherwise = out.nodes.push(Node::And(vec![fails, of(b, weaker)]));
                    Node::Or(vec![then, otherwise])
                }
            };
            done.insert((id, weaker), out.nodes.push(new));
        }
    }
    out.invariants = proof.invariants.iter().map(|(loc, node)| (*loc, done[&(*node, true)])).collect();
    out
}

/// Conflicts that the check of what was written may cost: who reads the witness has more time.
const CONFLICTS: u64 = 100_000;

/// Writes the witness of a proof; messages for the user. What holds at loops is said first; where that does not prove the property by itself, what
/// else may, if it does: a proof about functions says what each requires and ensures, which fewer readers know.
pub(crate) fn of_proof(settings: &CheckSettings, front: &Front, analysis: &Analysis<'_>, proof: &Proof) -> Vec<String> {
    if !is_wanted(settings) {
        return Vec::new();
    }
    let functions = claims(proof);
    let here = correctness::invariants(front, analysis, &functions, Said::Here);
    let problems = write(settings, Content::Correctness(here.clone()));
    let limits = CheckLimits { conflicts: CONFLICTS, ..CheckLimits::default() };
    if here.is_empty() || !problems.is_empty() || validate::proves(front, &here, &limits).is_ok() {
        return problems;
    }
    let others = [matches!(proof.kind, ProofKind::Invariants(_)).then_some(Said::SinceEntry), Some(Said::Everywhere)];
    for said in others.into_iter().flatten() {
        let other = match said {
            Said::SinceEntry => correctness::with_contracts(front, analysis, &functions),
            Said::Here | Said::Everywhere => correctness::invariants(front, analysis, &functions, said),
        };
        if other != here && validate::proves(front, &other, &limits).is_ok() {
            return write(settings, Content::Correctness(other));
        }
    }
    problems
}

/// Writes the witness of a run; messages for the user.
pub(crate) fn of_run(settings: &CheckSettings, front: &Front, run: &Counterexample) -> Vec<String> {
    if !is_wanted(settings) {
        return Vec::new();
    }
    write(settings, Content::Violation(violation::segments(front, run)))
}

fn write(settings: &CheckSettings, content: Content) -> Vec<String> {
    let metadata = match metadata(&settings.program) {
        Ok(metadata) => metadata,
        Err(problem) => return vec![problem],
    };
    let mut witness = Witness { metadata, content };
    witness.metadata.uuid = uuid(&svcomp::yaml::print(&witness));
    let mut problems = Vec::new();
    if let Some(path) = &settings.witness {
        problems.extend(artifacts::write(Path::new(path), &svcomp::yaml::print(&witness)).err());
    }
    if let Some(path) = &settings.witness_graphml {
        problems.extend(artifacts::write(Path::new(path), &svcomp::graphml::print(&witness)).err());
    }
    problems
}

fn metadata(program: &ProgramSettings) -> Result<Metadata, String> {
    let mut input_files = Vec::new();
    for file in &program.files {
        input_files.push((file.clone(), hash_of(file)?));
    }
    Ok(Metadata {
        uuid: String::new(),
        creation_time: now(),
        producer: "hardbop".to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        input_files,
        specification: program.property.specification(&program.entry),
        data_model: match program.data_model {
            DataModel::Ilp32 => "ILP32".to_string(),
            DataModel::Lp64 => "LP64".to_string(),
        },
    })
}

/// The SHA-256 of a file, in hexadecimal.
pub(crate) fn hash_of(file: &str) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("error: {file}: {}", crate::input::reason(&e)))?;
    Ok(Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect())
}

/// A name made of what the witness says (RFC 9562, version 8).
fn uuid(text: &str) -> String {
    let hash = Sha256::digest(text);
    let hex = |range: std::ops::Range<usize>| hash[range].iter().map(|b| format!("{b:02x}")).collect::<String>();
    let (third, fourth) = (hex(6..8), 0x80 | hash[8] & 0x3f);
    format!("{}-{}-8{}-{fourth:02x}{}-{}", hex(0..4), hex(4..6), &third[1..], hex(9..10), hex(10..16))
}

/// The time, or the one that a reproducible build wants.
fn now() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    iso_8601(fixed.unwrap_or(since))
}

/// Seconds since 1970 as `2026-11-15T10:00:00Z`.
fn iso_8601(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that the day that comes and goes is the last one.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, era * 400 + year) } else { (month - 9, era * 400 + year + 1) };
    let (h, m, s) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{h:02}:{m:02}:{s:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_794_952_800, "2026-11-17T22:00:00Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(iso_8601(seconds), text);
        }
    }

    #[test]
    fn names_have_the_form_of_a_uuid() {
        let name = uuid("x");
        let lengths: Vec<usize> = name.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{name}");
        assert_eq!(&name[14..15], "8");
        assert_ne!(uuid("y"), name);
    }
}

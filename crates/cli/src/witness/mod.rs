//! Witnesses: what was found, in the formats of SV-COMP, so that others can check it. docs/sv-comp.md says what they contain.

mod correctness;
pub(crate) mod places;
pub(crate) mod scope;
mod violation;

use crate::artifacts;
use crate::front::Front;
use crate::settings::{CheckSettings, DataModel, ProgramSettings};
use analysis::Analysis;
use certify::{Counterexample, FunctionProof, Node, Proof, ProofKind};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use svcomp::witness::{Content, Metadata, Witness};

/// Whether a witness was asked for.
fn is_wanted(settings: &CheckSettings) -> bool {
    settings.witness.is_some() || settings.witness_graphml.is_some()
}

/// What a proof says that a witness can say too: about functions, or about activations, as long as it does not compare them with those
/// that wait for them.
pub(crate) fn claims(proof: &Proof) -> Vec<FunctionProof> {
    match &proof.kind {
        ProofKind::Invariants(functions) => functions.clone(),
        ProofKind::Unwinding(unwinding) => {
            let alone = |p: &&FunctionProof| !p.nodes.iter().any(|n| matches!(n, Node::Outer(..)));
            let inner = unwinding.inner.iter().map(|a| &a.invariants).filter(alone);
            [&unwinding.invariants].into_iter().chain(inner).cloned().collect()
        }
        ProofKind::Run { .. } => Vec::new(),
    }
}

/// Writes the witness of a proof; messages for the user.
pub(crate) fn of_proof(
    settings: &CheckSettings,
    front: &Front,
    analysis: &Analysis<'_>,
    functions: &[FunctionProof],
) -> Vec<String> {
    if !is_wanted(settings) {
        return Vec::new();
    }
    write(settings, Content::Correctness(correctness::invariants(front, analysis, functions)))
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

//! `hardbop certify`: whether a proof holds for a program, decided without any engine.

use crate::front::{Front, refused, refused_by_front_end};
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::CertifySettings;
use certify::{CheckLimits, ProgramHash, Rejection, Rule, check_proof};
use ir::Program;

/// Re-checks a proof.
pub(crate) fn certify(settings: &CertifySettings, mut front: Front, progress: &mut Progress) -> Outcome {
    progress.phase("read proof");
    let text = match read_text(&settings.proof, Empty::Refused) {
        Ok(text) => text,
        Err(e) => return refused(e),
    };
    if let Some(refusal) = is_for_another_program(&settings.proof, &text, &front.program) {
        return refusal;
    }
    let file = front.map.add(settings.proof.clone(), text);
    let proof = match certify::text::parse(&front.program, file, &front.map.file(file).text) {
        Ok(proof) => proof,
        Err(diagnostic) => return refused_by_front_end(&[diagnostic], &front.map),
    };
    progress.phase("check proof");
    match check_proof(&front.program, proof, &CheckLimits::default()) {
        Ok(_) => {
            let mut outcome = Outcome::new(Answer::Accepted, "");
            outcome.assumptions = front.assumptions();
            outcome
        }
        Err(rejection) => explain(&settings.proof, &front, &rejection),
    }
}

/// Whether the proof names another program. That is asked before the rest is read: names of another program would only
/// give confusing messages.
fn is_for_another_program(name: &str, text: &str, program: &Program) -> Option<Outcome> {
    let said =
        |line: &str| line.split("//").next()?.trim().strip_prefix("program ")?.trim().parse::<ProgramHash>().ok();
    let (index, hash) = text.lines().enumerate().find_map(|(i, line)| Some((i, said(line)?)))?;
    let expected = certify::text::program_hash(program);
    if hash == expected {
        return None;
    }
    let place = format!("{name}:{}:1", index + 1);
    let short = |hash: ProgramHash| hash.to_string().chars().take(12).collect::<String>();
    let reason = format!("the proof is for another program ({}…, this one is {}…)", short(hash), short(expected));
    let note = "the data model, the property, the entry function and the options for undefined functions, malloc, \
                signed overflow and volatile objects are part of a program";
    let message = format!("{place}: error: {reason}\nnote: {note}");
    Some(Outcome::bad_input(format!("front end: {place}: {reason}"), vec![message]))
}

fn explain(proof: &str, front: &Front, rejection: &Rejection) -> Outcome {
    if rejection.rule == Rule::Program {
        let message = format!("{proof}: error: {}", rejection.reason);
        return Outcome::bad_input(format!("front end: {proof}: {}", rejection.reason), vec![message]);
    }
    let place = rejection.at.map_or(String::new(), |(func, edge)| {
        format!(
            " at {} (function {}, edge {edge})",
            front.source().show_edge(func, edge),
            front.program.functions[func].name
        )
    });
    let answer = if rejection.undecided { Answer::Unknown } else { Answer::Rejected };
    Outcome::new(answer, format!("{}: {}{place}", rejection.rule, rejection.reason))
}

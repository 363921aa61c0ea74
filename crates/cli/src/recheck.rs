//! `hardbop certify`: whether a proof holds for a program, decided without any engine.

use crate::front::{Front, refused, refused_by_front_end};
use crate::input::read_text;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::rests_on;
use crate::settings::CertifySettings;
use certify::{CheckLimits, Rejection, Rule, check_proof};

/// Re-checks a proof.
pub(crate) fn certify(settings: &CertifySettings, mut front: Front, progress: &mut Progress) -> Outcome {
    progress.phase("read proof");
    let text = match read_text(&settings.proof) {
        Ok(text) => text,
        Err(e) => return refused(e),
    };
    let file = front.map.add(settings.proof.clone(), text);
    let proof = match certify::text::parse(&front.program, file, &front.map.file(file).text) {
        Ok(proof) => proof,
        Err(diagnostic) => return refused_by_front_end(&[diagnostic], &front.map),
    };
    progress.phase("check proof");
    match check_proof(&front.program, proof, &CheckLimits::default()) {
        Ok(_) => {
            let mut outcome = Outcome::new(Answer::Accepted, "");
            outcome.assumptions = rests_on::assumptions(&front.program);
            outcome
        }
        Err(rejection) => explain(&settings.proof, &front, &rejection),
    }
}

fn explain(proof: &str, front: &Front, rejection: &Rejection) -> Outcome {
    if rejection.rule == Rule::Program {
        let message = format!("{proof}: error: {}", rejection.reason);
        return Outcome::bad_input(format!("front end: {proof}: {}", rejection.reason), vec![message]);
    }
    let place = rejection.at.map_or(String::new(), |(func, edge)| {
        format!(" at {} (function {}, edge {edge})", front.show_edge(func, edge), front.program.functions[func].name)
    });
    let answer = if rejection.undecided { Answer::Unknown } else { Answer::Rejected };
    Outcome::new(answer, format!("{}: {}{place}", rejection.rule, rejection.reason))
}

//! What the user sees: messages on standard error; what a program that runs prints itself, the run, what the answer rests on, and the answer line on standard
//! output. A reader that goes away (a closed pipe) changes nothing about the exit code.

use crate::bebop;
use crate::display::{Amount, Display, Stream, colored};
use crate::format;
use crate::outcome::{Answer, Outcome};
use crate::settings::Job;
use crate::stats_file::verdict_word;
use crate::supervise::Ended;
use report::{counterexample, targets};
use std::io::Write;

/// Prints everything about an outcome; the answer line is the last one.
pub(crate) fn print(job: &Job, display: &Display, ended: &Ended) {
    let outcome = &ended.outcome;
    let shown = |text: String, stream| if display.colors(stream) { colored(&text) } else { text };
    for message in &outcome.messages {
        if display.amount != Amount::Quiet || !message.contains("warning: ") {
            complain(&shown(message.clone(), Stream::Err));
        }
    }
    let text = match (display.shows_text(), display.amount) {
        (false, _) => format::answer(display.format, job, ended),
        (true, Amount::Quiet) if outcome.answer != Answer::Converted => {
            shown(svcomp_line(job, outcome) + &answer_line(job, outcome) + "\n", Stream::Out)
        }
        (true, amount) => {
            let phases = if amount == Amount::Verbose { times(ended) } else { String::new() };
            shown(phases + &answer(job, outcome, amount == Amount::Verbose), Stream::Out)
        }
    };
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// How long each phase took.
fn times(ended: &Ended) -> String {
    let total = ended.time.as_secs_f64();
    let mut text = format!("It took {total:.2} s and {} MiB:\n", ended.peak_memory >> 20);
    for (name, time) in ended.phases.iter().filter(|(_, t)| t.as_millis() > 0) {
        text += &format!("  {:8.2} s  {name}\n", time.as_secs_f64());
    }
    text
}

/// What goes to standard output; `all` lists every target.
fn answer(job: &Job, outcome: &Outcome, all: bool) -> String {
    let mut text = outcome.run.as_ref().map(counterexample::render).unwrap_or_default();
    // One proof is about all targets together.
    if all || outcome.answer != Answer::Safe || outcome.targets.iter().any(|t| !t.is_proved()) {
        text += &targets::render(&outcome.targets, all);
    }
    for line in &outcome.text {
        text += &format!("{line}\n");
    }
    if outcome.answer == Answer::Converted {
        // The program and nothing else, so that it can go to a file.
        return text;
    }
    if !outcome.assumptions.is_empty() {
        text += "The answer rests on:\n";
        for assumption in &outcome.assumptions {
            text += &format!("  {}\n", one_line(assumption));
        }
    }
    if outcome.answer == Answer::Unknown && outcome.stats.engines.len() > 1 {
        text += "What each engine came to:\n";
        for (engine, why) in &outcome.stats.engines {
            text += &format!("  {engine}: {}\n", one_line(why));
        }
    }
    if !outcome.advice.is_empty() {
        text += "What to try next:\n";
        for advice in &outcome.advice {
            text += &format!("  {}\n", one_line(advice));
        }
    }
    text + &svcomp_line(job, outcome) + &answer_line(job, outcome) + "\n"
}

/// The line with the verdict as the competition writes it, if that was asked for.
fn svcomp_line(job: &Job, outcome: &Outcome) -> String {
    match job {
        Job::Check(s) if s.program.svcomp => format!("SV-COMP verdict: {}\n", svcomp_verdict(outcome)),
        _ => String::new(),
    }
}

/// The verdict as the competition writes it.
fn svcomp_verdict(outcome: &Outcome) -> String {
    match (outcome.answer, &outcome.breaks) {
        (Answer::Safe, _) => "true".to_string(),
        (Answer::Unsafe, Some(part)) => format!("false({part})"),
        _ => "unknown".to_string(),
    }
}

/// Passes on what the program itself prints.
pub(crate) fn show(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text).and_then(|()| out.flush());
}

/// Writes a message to standard error.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// `Verdict: UNKNOWN (time limit of 60 s reached in phase parse)` and its kin.
fn answer_line(job: &Job, outcome: &Outcome) -> String {
    let head = match (job, outcome.answer) {
        (Job::Bebop(s), answer) => bebop::answer_word(s, answer),
        (Job::Check(_), answer) => format!("Verdict: {}", verdict_word(answer)),
        (Job::Certify(_), Answer::Accepted) => "Proof: ACCEPTED".to_string(),
        (Job::Certify(_), Answer::Rejected) => "Proof: REJECTED".to_string(),
        (Job::Certify(_), _) => "Proof: UNKNOWN".to_string(),
        (Job::Validate(_), Answer::Accepted) => "Witness: CONFIRMED".to_string(),
        (Job::Validate(_), Answer::Rejected) => "Witness: REJECTED".to_string(),
        (Job::Validate(_), _) => "Witness: UNKNOWN".to_string(),
        (Job::Replay(_), Answer::Shown) => "Replay: SHOWN".to_string(),
        (Job::Replay(_), Answer::NotShown) => "Replay: NOT SHOWN".to_string(),
        (Job::Replay(_), Answer::Safe) => "Replay: SAFE".to_string(),
        (Job::Replay(_), _) => "Replay: UNKNOWN".to_string(),
        (Job::Run(_), Answer::Finished) => "Run: FINISHED".to_string(),
        (Job::Run(_), Answer::Failed) => "Run: FAILED".to_string(),
        (Job::Run(_), _) => "Run: UNKNOWN".to_string(),
        (Job::Abstract(s), answer) if s.post.is_some() => {
            format!("Images: {}", if answer == Answer::Done { "DONE" } else { "UNKNOWN" })
        }
        (Job::Abstract(s), answer) if s.table => {
            format!("Tables: {}", if answer == Answer::Done { "DONE" } else { "UNKNOWN" })
        }
        // The output as a whole is a boolean program, to which this line is a comment.
        (Job::Abstract(_), Answer::Done) => "// Abstraction: DONE".to_string(),
        (Job::Abstract(_), _) => "// Abstraction: UNKNOWN".to_string(),
        (Job::Invariants(_), Answer::Done) => "Invariants: DONE".to_string(),
        (Job::Invariants(_), _) => "Invariants: UNKNOWN".to_string(),
        (Job::Compare(_), Answer::Done) => "Comparison: DONE".to_string(),
        (Job::Compare(_), _) => "Comparison: UNKNOWN".to_string(),
        (Job::Newton(_), Answer::Feasible) => "Path: FEASIBLE".to_string(),
        (Job::Newton(_), Answer::Infeasible) => "Path: INFEASIBLE".to_string(),
        (Job::Newton(_), _) => "Path: UNKNOWN".to_string(),
    };
    let engine = outcome.engine.as_ref().map(|e| format!("engine {e}"));
    let reason = Some(one_line(&outcome.reason)).filter(|r| !r.is_empty());
    let counts = Some(&outcome.targets).filter(|_| outcome.answer != Answer::Safe).and_then(|t| targets::count(t));
    let details: Vec<String> = reason.into_iter().chain(counts).chain(engine).collect();
    if details.is_empty() { head } else { format!("{head} ({})", details.join("; ")) }
}

/// The answer is one line, whatever a reason contains.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;
    use crate::outcome::Exit;
    use expect_test::expect;
    use report::counterexample::{RunLine, RunReport, RunStep};

    fn job(args: &[&str]) -> Job {
        let args = std::iter::once("hardbop").chain(args.iter().copied()).map(Into::into);
        match args::parse(args).expect("the arguments are good").0 {
            args::Request::One(job) => *job,
            other => panic!("one job was meant: {other:?}"),
        }
    }

    #[test]
    fn the_answer_line_comes_last() {
        let step = RunStep { file: "a.c".into(), line: 3, source_line: "assert(x);".into(), ..RunStep::default() };
        let mut outcome = Outcome::new(Answer::Unsafe, "assertion fails\nat a.c:3:1");
        outcome.engine = Some("bounded".into());
        outcome.run =
            Some(RunReport { lines: vec![RunLine::Step(step)], n_steps: 1, goes_wrong: true, ..RunReport::default() });
        outcome.assumptions = vec!["signed arithmetic wraps".into(), "`f` has no body: it returns any value".into()];
        expect![[r#"
            The run that goes wrong in a.c (1 step):
              a.c:3  assert(x);
            The run takes no input.
            The answer rests on:
              signed arithmetic wraps
              `f` has no body: it returns any value
            Verdict: UNSAFE (assertion fails at a.c:3:1; engine bounded)
        "#]]
        .assert_eq(&answer(&job(&["check", "a.c"]), &outcome, false));
    }

    #[test]
    fn every_command_has_its_answers_and_exit_codes() {
        let (check, run, certify) = (&["check", "a.c"][..], &["run", "a.c"][..], &["certify", "a.c", "p"][..]);
        for (args, answer, line, exit) in [
            (check, Answer::Safe, "Verdict: SAFE", Exit::Good),
            (check, Answer::Unsafe, "Verdict: UNSAFE", Exit::Defect),
            (check, Answer::Unknown, "Verdict: UNKNOWN", Exit::Inconclusive),
            (check, Answer::BadInput, "Verdict: UNKNOWN", Exit::BadInput),
            (check, Answer::BadUsage, "Verdict: UNKNOWN", Exit::Usage),
            (check, Answer::Internal, "Verdict: UNKNOWN", Exit::Internal),
            (certify, Answer::Accepted, "Proof: ACCEPTED", Exit::Good),
            (certify, Answer::Rejected, "Proof: REJECTED", Exit::Defect),
            (certify, Answer::Unknown, "Proof: UNKNOWN", Exit::Inconclusive),
            (certify, Answer::BadInput, "Proof: UNKNOWN", Exit::BadInput),
            (run, Answer::Finished, "Run: FINISHED", Exit::Good),
            (run, Answer::Failed, "Run: FAILED", Exit::Defect),
            (run, Answer::Unknown, "Run: UNKNOWN", Exit::Inconclusive),
        ] {
            let outcome = Outcome::new(answer, "");
            assert_eq!((answer_line(&job(args), &outcome).as_str(), outcome.exit()), (line, exit), "{answer:?}");
            assert!(answer.belongs_to(&job(args)), "{answer:?}");
        }
        assert!(!Answer::Accepted.belongs_to(&job(check)), "an accepted proof is no verdict");
        assert!(!Answer::Safe.belongs_to(&job(run)) && !Answer::Finished.belongs_to(&job(certify)));
    }
}

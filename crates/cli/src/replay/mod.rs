//! `hardbop replay` and `check --emit-test`: a counterexample as a C file that plays the outside, so that the user's own program,
//! compiled by the user's own compiler, goes wrong.
//!
//! [`plan`] repeats the run in the interpreter and notes what the outside does; [`harness`] writes that down as C; [`build`]
//! compiles, runs and judges. What cannot be brought about from outside is said by name, and never silently left out.

mod build;
mod harness;
mod plan;
mod pointers;
mod values;

use crate::front::{self, Front};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{ProgramSettings, ReplaySettings};
use crate::work;
use build::{Defect, Ran, Task};
use certify::{Counterexample, REPLAY_LIMITS};
use harness::Harness;
use ir::Ub;
use ir::interp::End;
use report::ProgramText;

/// A counterexample as a C file.
pub(crate) struct Test {
    /// All of the file.
    pub text: String,
    /// What it cannot bring about.
    pub open: Vec<String>,
    needs: Harness,
    flags: Vec<String>,
    defect: Defect,
    place: (String, u32),
}

/// Writes the test of a counterexample; the error is why there is none.
pub(crate) fn test_of(front: &Front, settings: &ProgramSettings, cex: &Counterexample) -> Result<Test, String> {
    if front.units.is_empty() {
        return Err("the program is not in C".into());
    }
    let targets = front::targets(&settings.property);
    let (plan, end) = plan::of(front, cex, &REPLAY_LIMITS);
    let End::Error { kind, at: (func, edge) } = end else { return Err("the run does not go wrong".into()) };
    let defect = Defect::of(&kind)?;
    let edges = cex.path.as_ref().map_or(&[][..], |p| &p.edges);
    let last = if edges.is_empty() { &[(func, edge)][..] } else { edges };
    let shown = format!("{} at {}", ProgramText::describe_error(&kind), front.source().show_last(last));
    let mut needs = harness::write(front, &settings.entry, &plan, &targets, &defect);
    let mut open = plan.open.clone();
    open.append(&mut needs.open);
    open.dedup();
    let policy = front.program.ub.get(Ub::SignedOverflow);
    let flags = build::flags(settings, policy, &defect, &needs, plan.zeroes);
    let at = front.map.locate(front.edge(func, edge).span);
    let text = comment(settings, &shown, &needs, &flags, &open) + &needs.text;
    Ok(Test { text, open, needs, flags, defect, place: (at.file, at.line) })
}

/// The first comment of the file: what it is, and how it is compiled.
fn comment(settings: &ProgramSettings, shown: &str, needs: &Harness, flags: &[String], open: &[String]) -> String {
    let own: Vec<&str> = settings.preprocessor.iter().map(String::as_str).collect();
    let mut lines = vec![
        format!("A run in which {} goes wrong: {shown}.", settings.files.join(" ")),
        String::new(),
        "This file, written by hardbop, gives the program all that it takes from outside. Compile it together".into(),
        "with the program and run it:".into(),
        String::new(),
    ];
    let program = settings.files.join(" ");
    let all: Vec<&str> = flags.iter().map(String::as_str).chain(own).collect();
    lines.push(format!("  cc -c {} {program}", all.join(" ")));
    for name in &needs.globalize {
        lines.push(format!("  objcopy --globalize-symbol={name} OBJECT.o"));
    }
    let test: Vec<&str> =
        all.iter().copied().filter(|f| !f.starts_with("-D") && *f != "-finstrument-functions").collect();
    lines.push(format!(
        "  cc {} -fno-builtin -no-pie -o defect THIS.c *.o {}",
        test.join(" "),
        build::link_flags(needs).join(" ")
    ));
    lines.extend([
        "  ./defect".into(),
        String::new(),
        format!(
            "It ends with status {} if the program goes wrong as described, with {} if the program leaves the run",
            harness::SHOWN,
            harness::LEFT
        ),
        "(it asks for more, or an assumption fails); undefined behaviour is reported by the sanitizers.".into(),
    ]);
    if !open.is_empty() {
        lines.extend([String::new(), "No file can bring about what else the run depends on:".into()]);
        lines.extend(open.iter().map(|o| format!("  {o}")));
    }
    let body: String =
        lines.iter().map(|l| format!(" * {}", l.replace("*/", "* /")).trim_end().to_string() + "\n").collect();
    format!("/*\n{body} */\n")
}

/// Compiles the test with the program and runs it.
fn try_out(front: &Front, test: &Test) -> Ran {
    let units =
        front.units.iter().map(|u| front.map.file(u.file)).map(|f| (f.name.as_str(), f.text.as_str())).collect();
    let Test { text, needs, flags, defect, place, .. } = test;
    build::try_out(&Task { units, flags, harness: text, needs, defect, place: place.clone() })
}

/// `hardbop replay`.
pub(crate) fn run(settings: &ReplaySettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let cex = match work::counterexample(settings, &mut front, progress) {
        Ok(cex) => cex,
        Err(outcome) => return *outcome,
    };
    progress.phase("replay");
    let test = match test_of(&front, &settings.check.program, &cex) {
        Ok(test) => test,
        Err(why) => return Outcome::unknown(why),
    };
    let ran = try_out(&front, &test);
    let mut outcome = match ran {
        Ran::Shown(how) => Outcome::new(Answer::Shown, how),
        Ran::Otherwise(how) if test.open.is_empty() => Outcome::new(Answer::NotShown, how),
        Ran::Otherwise(how) => {
            Outcome::unknown(format!("the run depends on {}, which no harness can set: {how}", test.open.join(", ")))
        }
        Ran::Failed(why) => Outcome::unknown(why),
    };
    match report::counterexample::describe(front.source(), &cex, settings.check.full_trace) {
        Ok(told) => outcome.run = Some(told.report),
        Err(problem) => return Outcome::internal(problem),
    }
    outcome
        .messages
        .extend(test.open.iter().map(|o| format!("warning: the run depends on {o}: no harness can set that")));
    if let Some(path) = &settings.check.emit_test {
        outcome.messages.extend(crate::artifacts::write(std::path::Path::new(path), &test.text).err());
    }
    outcome
}

//! What a job consists of: the stages in their order, from files to an outcome. Runs in the child process.
//!
//! This is the only place that joins the stages' libraries to the command; everything around it knows only [`Job`],
//! [`Progress`] and [`Outcome`].

use crate::artifacts::{self, Reporter};
use crate::compiled::{self, Replayed};
use crate::each_target::Survey;
use crate::front::{self, Front};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome, Stats};
use crate::property::{Breaks, Property};
use crate::settings::{CheckSettings, DumpForm, EngineChoice, Job, ProgramSettings, ReplaySettings};
use crate::{
    abstracting, advice, bebop, cache, comparing, details, execute, explain_path, invariants, near_miss, recheck,
    replay, rests_on, vacuous, validate, witness,
};
use analysis::Analysis;
use certify::{Counterexample, Proof, ProofKind};
use ir::{ErrorKind, Op};
use report::ProgramText;
use report::counted;
use report::targets::TargetState;
use report::{counterexample, divergence};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use verify::{Progress as _, Reason, Verdict};

/// Does the job.
pub(crate) fn work(job: &Job, progress: &mut Progress) -> Outcome {
    match job {
        Job::Check(s) => with_front(&s.program, progress, |front, p| check(s, front, p)),
        // A tape and a trace name the edges of the program as it is checked.
        Job::Run(s) if s.tape.is_some() || s.trace => {
            let printing = front::read_with(&s.program, true, progress);
            with_front(&s.program, progress, |front, p| execute::run(s, front, printing.ok(), p))
        }
        Job::Run(s) => match front::read_with(&s.program, true, progress) {
            Ok(front) => execute::run(s, front, None, progress),
            Err(outcome) => *outcome,
        },
        Job::Replay(s) => with_front(&s.check.program, progress, |front, p| replay::run(s, front, p)),
        Job::Certify(s) => with_front(&s.program, progress, |front, p| recheck::certify(s, front, p)),
        Job::Validate(s) => with_front(&s.program, progress, |front, p| validate::run(s, &front, p)),
        Job::Abstract(s) => with_front(&s.program, progress, |front, p| abstracting::run(s, front, p)),
        Job::Invariants(s) => with_front(&s.program, progress, |front, p| invariants::run(s, front, p)),
        Job::Compare(s) => with_front(&s.program, progress, |front, p| comparing::run(s, front, p)),
        Job::Newton(s) => with_front(&s.program, progress, |front, p| explain_path::run(s, front, p)),
        Job::Bebop(s) => bebop::work(s, progress),
    }
}

/// Reads a C program and goes on with it.
fn with_front(
    program: &ProgramSettings,
    progress: &mut Progress,
    then: impl FnOnce(Front, &mut Progress) -> Outcome,
) -> Outcome {
    match front::read(program, progress) {
        Ok(front) => then(front, progress),
        Err(outcome) => *outcome,
    }
}

/// Decides whether the program can go wrong.
fn check(settings: &CheckSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    progress.record(|stats| describe_program(&front, stats));
    let mut search = engines(&settings.engines);
    if settings.engines.is_empty() && settings.program.rule.is_some() {
        // A rule is about the order of calls, far from most of what the code computes: a few predicates tell more than all of its
        // values at once.
        use verify::Engine::{Abstraction, Bounded, Concrete, Induction};
        search.engines = vec![Concrete, Abstraction, Bounded, Induction];
        search.slice = true;
    }
    search.bounded.rounds = settings.unwind.unwrap_or(search.bounded.rounds);
    search.bounded.depth = settings.depth.unwrap_or(search.bounded.depth);
    if let Some(max_cube) = settings.max_cube {
        search.abstraction.predabs.max_cube = max_cube;
    }
    search.abstraction.block = abstracting::granularity(settings.block);
    if !settings.invgen {
        search.abstraction.invgen = None;
    }
    let (predicates, warnings) =
        match abstracting::read_predicates(settings.predicates.as_deref(), settings.program.memory_model, &mut front) {
            Ok(read) => read,
            Err(outcome) => return *outcome,
        };
    if let Some(rounds) = settings.max_iterations {
        search.abstraction.iterations = rounds;
    }
    if let Some(known) = cache::of_program(settings, &mut front, progress) {
        return known;
    }
    let front = &front;
    if settings.program.rule.is_none() {
        for warning in near_miss::warnings(front, &front::targets(&settings.program.property)) {
            progress.warn(warning);
        }
    }
    let mut reporter = Reporter::new(progress, front, settings.dump.as_ref(), settings.program.name());
    reporter.dump(DumpForm::Ir, "", &|| {
        // Whoever writes a proof by hand needs the name of the program.
        let hash = certify::text::program_hash(&front.program);
        format!("// program {hash}\n{}", ir::text::print_with_sources(&front.program, &front.map))
    });
    if let Some(outcome) = nothing_to_check(settings, front) {
        return outcome;
    }
    reporter.kept = settings.details.then(Default::default);
    reporter.phase("analysis");
    let analysis = Analysis::new(&front.program);
    let all = verify::completed(&analysis, &predicates);
    search.predicates = all.ids().map(|id| all.get(id).clone()).collect();
    let answer = verify::verify(&analysis, &search, &mut reporter);
    let mut survey = Survey::new(settings, front, &search);
    let rest = survey.first(&answer);
    let mut problems = std::mem::take(&mut reporter.problems);
    let kept = reporter.kept.take();
    let progress = reporter.progress();
    progress.record(|stats| count(&answer, stats));
    progress.phase("report");
    progress.place("");
    let mut outcome = match &answer.verdict {
        Verdict::Safe(proof) => safe(settings, front, proof.get()),
        Verdict::Unsafe(cex) => unsafe_by(settings, front, cex.get(), survey.first_kind()),
        Verdict::Unknown(reason) => undecided(settings, front, reason),
    };
    outcome.engine = answer.engine.map(|e| e.name().to_string());
    outcome.targets.clone_from(&survey.reports);
    outcome.messages.splice(0..0, warnings);
    outcome.messages.append(&mut problems);
    outcome.details = kept.map(|kept| Box::new(details::of(front, kept)));
    match &answer.verdict {
        Verdict::Safe(proof) => {
            hand_over(&outcome, progress);
            let outcome = report_proof(settings, front, &analysis, proof.get(), outcome);
            cache::keep_proof(settings, front, proof.get(), &outcome);
            return outcome;
        }
        Verdict::Unsafe(cex) => {
            hand_over(&outcome, progress);
            outcome = report_runs(settings, front, &mut survey, progress, outcome);
            if survey.runs.is_empty() {
                outcome = report_run_alone(settings, front, cex.get(), outcome);
            }
        }
        Verdict::Unknown(_) => {}
    }
    if survey.goes_on() && !rest.is_empty() && outcome.answer != Answer::Internal {
        outcome = go_on(settings, front, survey, rest, &mut reporter, outcome);
    }
    if let Verdict::Unsafe(run) = &answer.verdict {
        cache::keep_run(settings, front, run.get(), &outcome);
    }
    outcome
}

/// Asks about the targets that the first answer did not decide.
fn go_on(
    settings: &CheckSettings,
    front: &Front,
    mut survey: Survey<'_>,
    rest: Vec<Vec<usize>>,
    reporter: &mut Reporter<'_>,
    mut outcome: Outcome,
) -> Outcome {
    reporter.progress().decided(outcome.clone());
    survey.rest(rest, reporter, &mut |survey, reporter| {
        let so_far = std::mem::replace(&mut outcome, Outcome::unknown(""));
        outcome = with_targets(settings, front, survey, reporter.progress(), so_far);
        reporter.progress().decided(outcome.clone());
    });
    with_targets(settings, front, &mut survey, reporter.progress(), outcome)
}

/// The outcome with what is known of each target: it is the worst of theirs.
fn with_targets(
    settings: &CheckSettings,
    front: &Front,
    survey: &mut Survey<'_>,
    progress: &mut Progress,
    mut outcome: Outcome,
) -> Outcome {
    if let (Some((first, run)), Answer::Unknown, true) = (survey.runs.first(), outcome.answer, survey.runs.len() == 1) {
        let found = unsafe_by(settings, front, run, survey.first_kind());
        outcome = Outcome { engine: survey.reports[*first].engine.clone(), ..found };
    }
    let proved = survey.reports.iter().all(|t| matches!(t.state, TargetState::Proved { .. }));
    if proved && outcome.answer == Answer::Unknown {
        outcome = Outcome::new(Answer::Safe, "each target has a proof of its own that was checked");
        outcome.assumptions = front.assumptions();
        outcome = unless_left_open(settings, front, outcome);
        if let Some(path) = &settings.emit_proof {
            outcome.messages.push(format!("warning: {path} is not written: there is no proof of all targets at once"));
        }
    }
    report_runs(settings, front, survey, progress, outcome)
}

/// The parent gets the verdict first: making the report can take longer than there is time.
fn hand_over(verdict: &Outcome, progress: &mut Progress) {
    progress.decided(verdict.clone());
    crate::hooks::before_report();
}

/// A program without anything that could go wrong is not safe by a proof: probably something else was meant. Who names
/// a property or a kind of undefined behaviour has said what is meant.
fn nothing_to_check(settings: &CheckSettings, front: &Front) -> Option<Outcome> {
    let program = &settings.program;
    let said = program.property != Property::Default || !program.checks.is_empty() || program.rule.is_some();
    if said || front.targets > 0 {
        return None;
    }
    let entry = &front.program.functions[front.program.entry].name;
    let reason = format!("nothing to check: no assertion and no call of `reach_error` can be reached from `{entry}`");
    let mut outcome = Outcome::unknown(reason);
    outcome.advice = near_miss::corrections(front, &front::targets(&settings.program.property));
    outcome.advice.extend(advice::of_nothing_to_check());
    Some(outcome)
}

/// What is known before any engine has started.
fn describe_program(front: &Front, stats: &mut Stats) {
    stats.lowers_fully = Some(rests_on::lowers_fully(&front.program));
    let bodies = || front.program.functions.iter().filter_map(|f| f.body.as_ref());
    let sizes = [
        ("ir_functions", bodies().count()),
        ("ir_globals", front.program.globals.len()),
        ("ir_edges", bodies().map(|b| b.edges.len()).sum()),
        (
            "ir_unsupported",
            bodies().flat_map(|b| &b.edges).filter(|e| ir::calls::is_unsupported_construct(&e.op)).count(),
        ),
    ];
    stats.counters.extend(sizes.map(|(name, n)| (name.to_string(), n as u64)));
}

/// What the engines did.
fn count(answer: &verify::Answer, stats: &mut Stats) {
    let done = &answer.stats;
    stats.closed = Some(done.closed && answer.engine == Some(verify::Engine::Concrete));
    let counts = [
        ("interpreter_steps", done.interpreter_steps),
        ("runs", done.runs),
        ("path_segments", done.path_segments),
        ("solver_queries", done.solver_queries + done.iterations.iter().map(|i| i.solver_queries).sum::<u64>()),
        ("solver_conflicts", done.solver_conflicts),
        ("invariants", done.invariants),
        ("iterations", done.iterations.len() as u64),
        ("predicates", done.predicates),
        ("constraints", done.constraints),
    ];
    stats.counters.extend(counts.map(|(name, n)| (name.to_string(), n)));
    stats.iterations = done.iterations.iter().map(round).collect();
}

/// One round of the refinement loop.
fn round(i: &verify::Iteration) -> BTreeMap<String, u64> {
    let counts = [
        ("predicates", i.predicates),
        ("constraints", i.constraints),
        ("solver_queries", i.solver_queries),
        ("reach_steps", i.reach_steps),
        ("reach_nodes", i.reach_nodes),
        ("path_length", i.path_length),
        ("new_predicates", i.new_predicates),
        ("new_constraints", i.new_constraints),
    ];
    counts.map(|(name, n)| (name.to_string(), n)).into()
}

fn engines(wanted: &[EngineChoice]) -> verify::Settings {
    let mut settings = verify::Settings::default();
    if !wanted.is_empty() {
        let by_name = |e: &EngineChoice| match e {
            EngineChoice::Concrete => verify::Engine::Concrete,
            EngineChoice::Bounded => verify::Engine::Bounded,
            EngineChoice::Induction => verify::Engine::Induction,
            EngineChoice::Abstraction => verify::Engine::Abstraction,
        };
        settings.engines = wanted.iter().map(by_name).collect();
    }
    settings
}

/// Nothing was decided: why, where, and what the user can do.
fn undecided(settings: &CheckSettings, front: &Front, reason: &Reason) -> Outcome {
    let mut outcome = Outcome::unknown(describe_reason(front.source(), reason));
    if let Some(report) = &reason.divergence {
        outcome.text = divergence::describe(front.source(), report);
    }
    outcome.advice = advice::of_reason(reason, settings.engines.is_empty());
    outcome
}

fn safe(settings: &CheckSettings, front: &Front, proof: &Proof) -> Outcome {
    let reason = match &proof.kind {
        ProofKind::Run { steps } => {
            format!("the program takes no input and its only run ends after {}", counted(*steps, "step"))
        }
        ProofKind::Unwinding(p) if p.invariants.invariants.is_empty() && p.inner.is_empty() => {
            "all executions were followed to their end, and the proof was checked".to_string()
        }
        ProofKind::Invariants(_) | ProofKind::Unwinding(_) => "the proof was checked".to_string(),
    };
    let without: Vec<String> = settings
        .program
        .checks
        .iter()
        .filter(|c| rests_on::places(&front.program, **c) == 0)
        .map(|c| c.name())
        .collect();
    let nowhere = if without.is_empty() { String::new() } else { format!("; --check {}: 0 places", without.join(",")) };
    let mut outcome = Outcome::new(Answer::Safe, reason + &nowhere);
    outcome.assumptions = front.assumptions();
    unless_left_open(settings, front, outcome)
}

/// A proof about the targets is one of the property only if it leaves nothing of it open.
fn unless_left_open(settings: &CheckSettings, front: &Front, outcome: Outcome) -> Outcome {
    match settings.program.property.left_open(&front.program) {
        None => outcome,
        Some(open) => {
            Outcome { answer: Answer::Unknown, reason: format!("no target is reached, but {open}"), ..outcome }
        }
    }
}

/// Adds to the verdict what can be said about its proof.
fn report_proof(
    settings: &CheckSettings,
    front: &Front,
    analysis: &Analysis<'_>,
    proof: &Proof,
    mut outcome: Outcome,
) -> Outcome {
    if let Some(path) = &settings.emit_proof {
        let text = certify::text::print(&front.program, proof);
        outcome.messages.extend(artifacts::write(Path::new(path), &text).err());
    }
    outcome.messages.extend(vacuous::note(front));
    outcome.messages.extend(crate::rules::never_triggered(front));
    let functions = match &proof.kind {
        ProofKind::Invariants(functions) => functions.as_slice(),
        ProofKind::Unwinding(unwinding) => std::slice::from_ref(&unwinding.invariants),
        ProofKind::Run { .. } => &[],
    };
    outcome.messages.extend(witness::of_proof(settings, front, analysis, proof));
    if let Some(details) = &mut outcome.details {
        // The verdict stands whether or not its proof can be shown.
        let shown = catch_unwind(AssertUnwindSafe(|| details::invariants(front, analysis, functions)));
        details.invariants = shown.unwrap_or_default();
    }
    if functions.iter().any(|f| !f.invariants.is_empty()) {
        // The verdict stands whether or not its proof can be shown.
        let shown = catch_unwind(AssertUnwindSafe(|| {
            report::proof::lines(front.source(), analysis, functions, settings.show_proof)
        }));
        match shown {
            Ok(lines) => outcome.text = lines,
            Err(_) => outcome.messages.push("warning: the proof cannot be shown: a bug of hardbop".to_string()),
        }
    }
    if !rests_on::has_property(&front.program) {
        let nothing =
            "Note: there was nothing to check: no run can come to an assertion or a call of an error function";
        outcome.text.push(nothing.to_string());
    }
    outcome
}

/// The verdict about a run that goes wrong, and where, if that can be said without the run.
fn unsafe_by(settings: &CheckSettings, front: &Front, cex: &Counterexample, kind: Option<ErrorKind>) -> Outcome {
    let edges = cex.path.as_ref().map_or(&[][..], |p| &p.edges);
    let ending = edges.last().and_then(|&(func, edge)| match &front.edge(func, edge).op {
        Op::Error(kind) => {
            Some(format!("{} at {}", ProgramText::describe_error(kind), front.source().show_last(edges)))
        }
        _ => None,
    });
    let mut outcome = Outcome::new(Answer::Unsafe, ending.unwrap_or_else(|| "a run that goes wrong was found".into()));
    outcome.assumptions = front.assumptions();
    outcome.advice = advice::of_parameters(&settings.program, &cex.tape);
    match kind.map(|kind| settings.program.property.breaks(&kind)) {
        Some(Breaks::Yes(part)) => outcome.breaks = Some(part.to_string()),
        Some(Breaks::Unknown(why)) => {
            outcome.answer = Answer::Unknown;
            outcome.open = Some(why.to_string());
        }
        // A target that nobody knows: the property that says which it is cannot be asked.
        None if settings.program.property != Property::Default => {
            outcome.answer = Answer::Unknown;
            outcome.open = Some("the run ends in a target that is not known".to_string());
        }
        None => {}
    }
    outcome
}

/// Adds to the verdict the reports of the runs that have none yet, and what else was asked for.
fn report_runs(
    settings: &CheckSettings,
    front: &Front,
    survey: &mut Survey<'_>,
    progress: &mut Progress,
    mut outcome: Outcome,
) -> Outcome {
    for nth in 0..survey.runs.len() {
        if survey.reports[survey.runs[nth].0].run.is_some() {
            continue;
        }
        survey.shorten(nth);
        let (target, run) = &survey.runs[nth];
        let report = &mut survey.reports[*target];
        emit_tape(settings, front, run, nth, &mut outcome);
        emit_test(settings, front, run, nth, &mut outcome);
        let told = match counterexample::describe(front.source(), run, settings.full_trace) {
            Ok(told) => told,
            Err(problem) => return Outcome::internal(problem),
        };
        if let Some(details) = &mut outcome.details
            && let Ok(all) = counterexample::describe(front.source(), run, true)
        {
            details.runs.push((told.ending.clone(), all.report));
        }
        if nth == 0 {
            outcome.messages.extend(witness::of_run(settings, front, run));
            outcome.reason = match &outcome.open {
                Some(why) => format!("{why}: {}", told.ending),
                None => told.ending,
            };
        }
        report.run = Some(told.report);
        if settings.replay_compiled {
            progress.phase("compiled replay");
            let targets = front::targets(&settings.program.property);
            let replayed = compiled::replay(front, &settings.program, &targets, run);
            let text = compiled_says(&mut outcome, replayed, progress);
            report.run.iter_mut().for_each(|r| r.remarks.push(text.clone()));
        }
    }
    outcome.targets.clone_from(&survey.reports);
    outcome
}

/// The report of a run whose target is none of those that are known.
fn report_run_alone(settings: &CheckSettings, front: &Front, run: &Counterexample, mut outcome: Outcome) -> Outcome {
    emit_tape(settings, front, run, 0, &mut outcome);
    emit_test(settings, front, run, 0, &mut outcome);
    match counterexample::describe(front.source(), run, settings.full_trace) {
        Ok(told) => Outcome { reason: told.ending, run: Some(told.report), ..outcome },
        Err(problem) => Outcome::internal(problem),
    }
}

/// Writes the inputs of the run of a defect, if that was asked for; a number follows the file's name from the second on.
fn emit_tape(settings: &CheckSettings, front: &Front, run: &Counterexample, nth: usize, outcome: &mut Outcome) {
    if let Some(path) = &settings.emit_tape {
        let path = if nth == 0 { path.clone() } else { format!("{path}.{}", nth + 1) };
        let tape = format!("// inputs with which {} goes wrong\n", settings.program.files.join(" "));
        let tape = tape + &run.tape.print(&front.program);
        outcome.messages.extend(artifacts::write(Path::new(&path), &tape).err());
    }
}

/// Writes the test of a defect, if that was asked for; its name has a number from the second on.
fn emit_test(settings: &CheckSettings, front: &Front, run: &Counterexample, nth: usize, outcome: &mut Outcome) {
    let Some(path) = &settings.emit_test else { return };
    let path = if nth == 0 { path.clone() } else { numbered(path, nth + 1) };
    match replay::test_of(front, &settings.program, run) {
        Ok(test) => {
            outcome.messages.extend(artifacts::write(Path::new(&path), &test.text).err());
            for open in test.open {
                outcome.messages.push(format!("warning: {path}: the run depends on {open}: no harness can set that"));
            }
        }
        Err(why) => outcome.messages.push(format!("warning: {path} is not written: {why}")),
    }
}

/// `a.c` with a number: `a.2.c`.
fn numbered(path: &str, n: usize) -> String {
    match path.strip_suffix(".c") {
        Some(stem) => format!("{stem}.{n}.c"),
        None => format!("{path}.{n}"),
    }
}

/// The run that `replay` is about: that of a tape, or one that is looked for.
pub(crate) fn counterexample(
    settings: &ReplaySettings,
    front: &mut Front,
    progress: &mut Progress,
) -> Result<Counterexample, Box<Outcome>> {
    if let Some(path) = &settings.tape {
        return Ok(Counterexample { path: None, tape: execute::read_tape(path, front)? });
    }
    let check = &settings.check;
    if let Some(outcome) = nothing_to_check(check, front) {
        return Err(Box::new(outcome));
    }
    let mut reporter = Reporter::new(progress, front, None, check.program.name());
    reporter.phase("analysis");
    let analysis = Analysis::new(&front.program);
    let answer = verify::verify(&analysis, &engines(&[]), &mut reporter);
    match answer.verdict {
        Verdict::Unsafe(cex) => Ok(cex.get().clone()),
        Verdict::Safe(proof) => {
            let mut outcome = safe(check, front, proof.get());
            outcome.reason = format!("there is no run that goes wrong: {}", outcome.reason);
            Err(Box::new(outcome))
        }
        Verdict::Unknown(reason) => Err(Box::new(undecided(check, front, &reason))),
    }
}

/// Adds what the compiled program says. If it contradicts, one of the two readings of C is wrong or the program's meaning
/// depends on what C leaves to the compiler; either way the answer may not stand.
fn compiled_says(outcome: &mut Outcome, replayed: Replayed, progress: &mut Progress) -> String {
    let text = match &replayed {
        Replayed::Reached => "reached the target".to_string(),
        Replayed::Differs(how) => format!("did not reach the target: {how}"),
        Replayed::DoesNotApply(why) => format!("does not apply: {why}"),
    };
    progress.record(|stats| stats.compiled_replay = Some(text.clone()));
    if let Replayed::Differs(how) = replayed {
        outcome.messages.push(format!(
            "error: hardbop contradicts the compiler: the run below goes wrong here, but the compiled program does not \
             ({how}).\nnote: either the program depends on something that C leaves open (the order of evaluation, for \
             one), or this is a bug of hardbop: please report it with the program"
        ));
        outcome.answer = Answer::Internal;
        outcome.reason =
            format!("the compiled program does not go wrong on the inputs found: {how}; {}", outcome.reason);
    }
    format!("compiled replay: {text}")
}

/// `cause at file:line:column in phase P, iteration N`.
pub(crate) fn describe_reason(source: ProgramText<'_>, reason: &Reason) -> String {
    let mut text = match reason.divergence.as_ref().and_then(|s| s.repeats.first()) {
        Some(repeat) => {
            let name = divergence::name(source, repeat);
            let cause = reason.cause.strip_prefix("refinement: ").unwrap_or(&reason.cause);
            format!("refinement: {name} needs an invariant that was not found; {cause}")
        }
        None => reason.cause.clone(),
    };
    if let Some((func, edge)) = reason.at {
        text += &format!(" at {}", source.show_edge(func, edge));
    }
    if let Some(phase) = reason.phase {
        text += &format!(" in phase {phase}");
    }
    if let Some(iteration) = reason.iteration {
        text += &format!(", iteration {iteration}");
    }
    text
}

//! `hardbop abstract`: the boolean program of given predicates (C2bp); and reading predicate files.

use crate::artifacts::{self, Reporter};
use crate::excerpt;
use crate::front::{self, Front};
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{AbstractSettings, BlockSize, Control, CubeEngine, MemoryModel, Method, Saving, Style};
use analysis::Analysis;
use predabs::direct::{Blocks, Form, Granularity};
use report::counted;
use std::path::Path;
use vc::Predicate;
use verify::Abstracted;

/// Makes the boolean program.
pub(crate) fn run(settings: &AbstractSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let memory = settings.program.memory_model;
    let (mut predicates, warnings) = match read_predicates(settings.predicates.as_deref(), memory, &mut front) {
        Ok(read) => read,
        Err(outcome) => return *outcome,
    };
    if settings.control == Control::Conditions {
        let conditions = predabs::conditions(&Analysis::new(&front.program));
        let new: Vec<Predicate> = conditions.into_iter().filter(|c| !predicates.contains(c)).collect();
        predicates.extend(new);
    }
    if let Some(post) = &settings.post {
        let mut outcome = crate::posting::run(settings, post, &front, predicates, progress);
        outcome.messages.splice(0..0, warnings);
        return outcome;
    }
    if settings.table {
        let size = settings.block.unwrap_or(BlockSize::Basic);
        let mut outcome = crate::direct::tables(settings, granularity(size), &front, predicates, progress);
        outcome.messages.splice(0..0, warnings);
        return outcome;
    }
    let mut reporter = Reporter::new(progress, &front, None, settings.program.name());
    let analysis = Analysis::new(&front.program);
    let mut cache =
        settings.store.as_deref().map_or_else(predabs::Cache::new, |dir| predabs::Cache::with_answers(answers(dir)));
    let how = options(&settings.method);
    let made = verify::abstract_cached(&analysis, &predicates, &how, &mut cache, &mut reporter);
    let mut outcome = match made {
        Ok(mut made) => {
            refine(settings, &front, &analysis, &mut made);
            done(settings, &made, progress)
        }
        Err(reason) => Outcome::unknown(crate::work::describe_reason(front.source(), &reason)),
    };
    outcome.messages.splice(0..0, warnings);
    if let Some(dir) = &settings.store {
        // What goes wrong is told by the writing.
        _ = std::fs::create_dir_all(dir);
        let kept = artifacts::write(&Path::new(dir).join(ANSWERS), &cache.into_answers().print());
        outcome.messages.extend(kept.err());
    }
    outcome
}

/// The file of answers in a store.
const ANSWERS: &str = "answers.txt";

/// The answers in a store. A store of another version, or one that is damaged, is begun anew.
fn answers(dir: &str) -> predabs::Answers {
    let text = std::fs::read_to_string(Path::new(dir).join(ANSWERS)).unwrap_or_default();
    predabs::Answers::parse(&text).unwrap_or_default()
}

pub(crate) fn granularity(size: BlockSize) -> Granularity {
    match size {
        BlockSize::Statement => Granularity::Statement,
        BlockSize::Basic => Granularity::Basic,
        BlockSize::Large => Granularity::Large,
    }
}

/// Makes of C2bp's boolean program what was asked for.
fn refine(settings: &AbstractSettings, front: &Front, analysis: &Analysis<'_>, made: &mut Abstracted) {
    let how = options(&settings.method);
    let Abstracted { predicates, abstraction } = made;
    if settings.control == Control::Sets {
        let (_, calls) = predabs::direct::condition_sets(analysis, predicates, abstraction, &how);
        abstraction.stats.sat_calls += calls;
    }
    let form = match settings.style {
        Style::Cartesian => return,
        Style::CartesianSat => Form::Choices(settings.method.max_cube.unwrap_or(usize::MAX)),
        Style::Direct => Form::Relation,
    };
    let size = settings.block.unwrap_or(BlockSize::Statement);
    if form == Form::Relation && size == BlockSize::Statement {
        // The relation beside C2bp's assignments, which are easier to read.
        let done = predabs::direct::constrain(analysis, predicates, abstraction, &how);
        abstraction.stats.sat_calls += done.calls;
        return;
    }
    let blocks = Blocks::new(analysis, predicates, abstraction, granularity(size), &how);
    *abstraction = predabs::direct::by_blocks(&front.program, abstraction, &blocks, form);
    abstraction.stats.sat_calls += blocks.calls();
}

fn done(settings: &AbstractSettings, made: &Abstracted, progress: &mut Progress) -> Outcome {
    let Abstracted { predicates, abstraction } = made;
    let stats = &abstraction.stats;
    progress.record(|record| {
        let counts = [
            ("predicates", predicates.len() as u64),
            ("procedures", abstraction.program.procs.len() as u64),
            ("statements", abstraction.program.n_stmts() as u64),
            ("solver_queries", stats.queries),
            ("sat_calls", stats.sat_calls),
            ("hard_queries", stats.hard_queries),
            ("strengthenings", stats.strengthenings),
            ("shortcuts", stats.shortcuts),
            ("cache_hits", stats.cache_hits),
            ("same_question", stats.same_question),
            ("from_store", stats.from_store),
            ("refuted_by_model", stats.refuted_by_model),
            ("cubes", stats.cubes),
            ("undecided", stats.undecided),
            ("cut_short", stats.cut_short),
            ("cones_cut", stats.cones_cut),
        ];
        record.counters.extend(counts.map(|(name, n)| (name.to_string(), n)));
    });
    let mut said = vec![
        counted(abstraction.program.procs.len() as u64, "procedure"),
        counted(predicates.len() as u64, "predicate"),
        format!("{} solver calls", stats.sat_calls),
    ];
    let coarser = stats.undecided + stats.cut_short + stats.cones_cut;
    if coarser > 0 {
        said.push(format!("limits made it coarser {}", counted(coarser, "time")));
    }
    let warning = settings.program.memory_model.warning();
    said.extend(warning.map(str::to_owned));
    let mut outcome = Outcome::new(Answer::Done, said.join(", "));
    outcome.assumptions.extend(warning.map(str::to_owned));
    let mut text = boolprog::print(&abstraction.program);
    if let Some(warning) = warning {
        text = format!("// {warning}\n{text}");
    }
    match &settings.out {
        Some(path) => match artifacts::write(Path::new(path), &text) {
            Ok(()) => {}
            Err(problem) => {
                outcome.answer = Answer::BadUsage;
                outcome.messages.push(problem);
            }
        },
        None => outcome.text.push(text.trim_end().to_string()),
    }
    outcome
}

/// How the boolean program is made.
pub(crate) fn options(method: &Method) -> predabs::Options {
    let engine = match method.engine {
        CubeEngine::Cubes => predabs::CubeEngine::Cubes,
        CubeEngine::Models => predabs::CubeEngine::Models,
        CubeEngine::States => predabs::CubeEngine::States,
    };
    let default = predabs::Options::default();
    let with = |saving: Saving| !method.without.contains(&saving);
    predabs::Options {
        engine,
        max_cube: method.max_cube.unwrap_or(default.max_cube),
        enforce_cube: if with(Saving::Enforce) { default.enforce_cube } else { 0 },
        queries: method.max_queries.unwrap_or(default.queries),
        saves: predabs::Optimisations {
            order: with(Saving::Order),
            priming: with(Saving::Priming),
            pruning: with(Saving::Pruning),
            unchanged: with(Saving::Unchanged),
            cone: with(Saving::Cone),
            syntactic: with(Saving::Syntactic),
            cache: with(Saving::Cache),
            conjuncts: with(Saving::Conjuncts),
            models: with(Saving::Models),
        },
        split_disjunctions: method.atoms,
        ..default
    }
}

/// The predicates of a file, none without one, and what there is to remark about it.
pub(crate) fn read_predicates(
    path: Option<&str>,
    memory: MemoryModel,
    front: &mut Front,
) -> Result<(Vec<Predicate>, Vec<String>), Box<Outcome>> {
    let Some(path) = path else { return Ok((front.noted.clone(), Vec::new())) };
    let text = read_text(path, Empty::Refused).map_err(|e| Box::new(front::refused(e)))?;
    let file = front.map.add(path, text);
    let arithmetic = match memory {
        MemoryModel::Flat => lower::annotation::Arithmetic::Exact,
        MemoryModel::Logical => lower::annotation::Arithmetic::Ignored,
    };
    let written = lower::annotation::read(&front.program, file, &front.map.file(file).text, arithmetic);
    let mut parsed = predabs::predfile::predicates(&front.program, written);
    leave_unreached(&mut parsed.diagnostics, front);
    front.opposites = parsed.opposites;
    if parsed.diagnostics.iter().any(|d| d.severity == base::Severity::Error) {
        return Err(Box::new(front::refused_by_front_end(&parsed.diagnostics, &front.map)));
    }
    let messages = parsed.diagnostics.iter().map(|d| excerpt::render(d, &front.map)).collect();
    let mut predicates = front.noted.clone();
    predicates.extend(parsed.predicates);
    Ok((predicates, messages))
}

/// Predicates of functions that the file defines and the entry cannot reach are of no use, but no mistake.
fn leave_unreached(diagnostics: &mut [base::Diagnostic], front: &Front) {
    let entry = &front.program.functions[front.program.entry].name;
    for d in diagnostics.iter_mut().filter(|d| d.id == "undeclared") {
        let defined = |u: &'_ cfront::tree::Unit| -> Vec<String> {
            let bodies = u.funcs.iter().filter(|f| f.body.is_some());
            bodies.map(|f| u.symbols.name(f.name).to_owned()).collect()
        };
        let unreached =
            front.units.iter().flat_map(defined).find(|name| d.message == format!("there is no function `{name}`"));
        if let Some(name) = unreached {
            d.severity = base::Severity::Warning;
            d.message = format!("`{entry}` does not call `{name}`: its predicates are not used");
        }
    }
}

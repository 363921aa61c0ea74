//! From the user's files to a valid program: reading, parsing, lowering, and places of the program in the user's terms.

use crate::contracts::Promised;
use crate::excerpt;
use crate::input::{Choices, InputError, Source, read_program};
use crate::language::{self, Language};
use crate::message::Progress;
use crate::near_miss;
use crate::outcome::{Answer, Outcome};
use crate::property::Property;
use crate::rests_on;
use crate::rules;
use crate::settings::{
    Addresses, Callbacks, DataModel, Externs, Globals, Malloc, MemoryModel, Padding, Params, ProgramSettings,
    SignedOverflow, Volatile,
};
use base::{Diagnostic, Severity, SourceMap};
use cfront::tree::Unit;
use ir::{Edge, EdgeId, FuncId, Program, Ub, UbPolicy, UbTable};
use report::ProgramText;
use std::collections::BTreeMap;
use vc::Predicate;

/// A program and where it comes from.
pub(crate) struct Front {
    /// All text that was read.
    pub map: SourceMap,
    /// One typed tree per file; for what only the source text can tell.
    pub units: Vec<Unit>,
    /// The program.
    pub program: Program,
    /// What its stores do to padding.
    pub padding: Padding,
    /// Nothing in it is undefined, and no address is seen.
    pub spark: bool,
    /// Targets in the functions that the entry can reach, also those in code that no run comes to.
    pub targets: u64,
    /// The rule in it, if there is one.
    pub rule: Option<WovenRule>,
    /// Predicates that annotations in the text ask for.
    pub noted: Vec<Predicate>,
    /// Predicates of a file that are the opposite of what stands there, which comes with them.
    pub opposites: Vec<(Predicate, ir::Expr)>,
    /// What is assumed because of options, one line each: how the entry function is called, what volatile objects are.
    by_options: Vec<String>,
    /// The lines of files as they were before preprocessing, by name.
    originals: BTreeMap<String, Vec<String>>,
}

/// A rule in a program.
pub(crate) struct WovenRule {
    /// Its text.
    pub file: base::FileId,
    /// How many steps of the program are events of it.
    pub handled: usize,
    /// Where in its text it is about calls.
    pub about_calls: Vec<std::ops::Range<u32>>,
    /// Whether it does nothing but forbid calls.
    pub forbids_only: bool,
    /// The names of the values of its state, by the name of the global.
    pub values: BTreeMap<String, Vec<String>>,
}

/// Reads the program that the settings name. The error is what the job ends in.
pub(crate) fn read(settings: &ProgramSettings, progress: &mut Progress) -> Result<Front, Box<Outcome>> {
    read_with(settings, false, progress)
}

/// The same; with `output` the program says what it prints, by edges that it does not have otherwise.
pub(crate) fn read_with(
    settings: &ProgramSettings,
    output: bool,
    progress: &mut Progress,
) -> Result<Front, Box<Outcome>> {
    progress.phase("read");
    let language = Language::of_program(settings).map_err(|e| Box::new(refused(e)))?;
    let sources = read_program(settings).map_err(|e| Box::new(refused(e)))?;
    let mut map = SourceMap::new();
    progress.phase("parse");
    if language != Language::C {
        return read_other(language, sources, settings, map);
    }
    let (mut units, mut originals, mut errors) = (Vec::new(), BTreeMap::new(), Vec::new());
    for Source { name, text, original, choices } in sources {
        if let Some(original) = original {
            originals.insert(name.clone(), original.lines().map(str::to_string).collect());
        }
        let file = map.add(name, text);
        let unit = cfront::parse(&mut map, file, target(settings, choices));
        match unit {
            Ok(unit) => {
                unit.warnings.iter().for_each(|w| progress.warn(excerpt::render(w, &map)));
                units.push(unit);
            }
            Err(mut found) => errors.append(&mut found),
        }
    }
    if !errors.is_empty() {
        return Err(Box::new(refused_by_front_end(&errors, &map)));
    }
    progress.phase("lower");
    let contracts = Promised::of(settings, &units)?;
    for (name, text, original) in &contracts.bodies {
        originals.insert(name.clone(), original.lines().map(str::to_string).collect());
        let file = map.add(format!("{name} as C"), text.as_str());
        let target = target(settings, Choices::default());
        units.push(cfront::parse(&mut map, file, target).map_err(|d| Box::new(refused_by_front_end(&d, &map)))?);
    }
    let contracts = contracts.rule.as_ref();
    let promised = contracts.map(|c| rules::read(c, &mut map)).transpose()?;
    let rule = settings.rule.as_ref().map(|r| rules::read(r, &mut map)).transpose()?;
    // The rule with the contracts in it, or the contracts alone: what the program is lowered for.
    let whole = match &settings.rule {
        Some(rule) => {
            let mut whole = rules::read(&rules::with_contracts(rule, contracts), &mut map)?;
            // What does not happen is ruled out before the rule looks at it.
            whole.rule.handlers.rotate_right(promised.as_ref().map_or(0, |p| p.rule.handlers.len()));
            Some(whole)
        }
        None => promised,
    };
    let watched = whole.as_ref().map(|r| spec::watched(&r.rule)).unwrap_or_default();
    let quiet = whole.as_ref().map(|r| spec::quiet(&r.rule)).unwrap_or_default();
    let lowered = lower::lower(&units, &lower::Options { output, watched, quiet, ..options(settings) });
    let lowered = lowered.map_err(|d| {
        // `main` may be missing in a program; another entry is missing in the command.
        let usage = settings.entry != "main" && d.first().is_some_and(|d| d.id == "no-entry");
        let missing = d.first().is_some_and(|d| d.id == "no-entry");
        let mut refused = refused_by_front_end(&placed(d, settings), &map);
        if missing {
            refused.advice = near_miss::other_entries(&units, &settings.entry);
        }
        Box::new(if usage { Outcome { answer: Answer::BadUsage, ..refused } } else { refused })
    })?;
    let mut by_options = rests_on::entered(settings);
    if settings.rule.is_some() || settings.interrupt.is_some() {
        by_options.push(rests_on::between_statements(settings));
    }
    let (mut program, mut targets, mut woven) = (lowered.program, lowered.targets, None);
    if let Some(whole) = whole {
        if let Some(rule) = &rule {
            rules::check_macros(rule, settings, &units, &map)?;
            by_options.extend(rests_on::silent_functions(&program));
        }
        by_options.extend(rests_on::quiet_functions(&program, &spec::quiet(&whole.rule)));
        let made = rules::weave((rule.as_ref(), &whole), &program, &lowered.events, (&units, &map))?;
        program = made.program;
        if let Some(rule) = rule {
            targets = made.aborts as u64;
            woven = Some(WovenRule {
                file: whole.file,
                handled: made.handled,
                about_calls: rules::about_calls(&rule, &whole),
                forbids_only: rule.rule.state.is_empty(),
                values: made.values,
            });
        }
    }
    if let Err(violations) = ir::validate::validate(&program) {
        return Err(Box::new(Outcome::internal(format!("lower: {}", violations[0]))));
    }
    if !settings.contracts.is_empty() {
        let files: Vec<&str> = settings.contracts.iter().map(|c| c.file.as_str()).collect();
        by_options.push(format!("what {} says of functions without a body (--contracts)", files.join(" and ")));
    }
    if settings.volatile != Volatile::Nondet {
        by_options.extend(rests_on::volatile_memory(&units));
    }
    let padding = settings.padding;
    Ok(Front {
        map,
        units,
        program,
        padding,
        spark: false,
        targets,
        rule: woven,
        noted: Vec::new(),
        opposites: Vec::new(),
        by_options,
        originals,
    })
}

/// Reads a program that is not in C.
fn read_other(
    language: Language,
    sources: Vec<Source>,
    settings: &ProgramSettings,
    mut map: SourceMap,
) -> Result<Front, Box<Outcome>> {
    let mut options = language::only_for_c(settings);
    if language == Language::Spark {
        options.extend(language::not_for_spark(settings));
    }
    if let Some(option) = options.first() {
        let why = format!("{option} is about programs in other languages");
        let messages = vec![format!("error: {why}")];
        return Err(Box::new(Outcome { messages, ..Outcome::new(Answer::BadUsage, why) }));
    }
    let read = match language {
        Language::X => language::read_x(sources, settings, &mut map).map(|program| (program, Vec::new())),
        Language::Spark => language::read_spark(sources, settings, &mut map),
        Language::C => unreachable!("C goes another way"),
    };
    let (program, noted) = read.map_err(|d| Box::new(refused_by_front_end(&placed(d, settings), &map)))?;
    if let Err(violations) = ir::validate::validate(&program) {
        return Err(Box::new(Outcome::internal(format!("lower: {}", violations[0]))));
    }
    let (targets, padding) = (language::targets(&program), settings.padding);
    let (units, by_options, originals) = (Vec::new(), Vec::new(), BTreeMap::new());
    let spark = language == Language::Spark;
    Ok(Front {
        map,
        units,
        program,
        padding,
        spark,
        targets,
        rule: None,
        noted,
        opposites: Vec::new(),
        by_options,
        originals,
    })
}

/// The outcome when a file cannot be used.
pub(crate) fn refused(e: InputError) -> Outcome {
    Outcome::bad_input(format!("front end: {}", e.reason), vec![e.message])
}

/// The outcome when the front end found errors: all its messages, the first error on the answer line.
pub(crate) fn refused_by_front_end(diagnostics: &[Diagnostic], map: &SourceMap) -> Outcome {
    let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
    let reason = first.map_or_else(|| "no program".to_string(), |d| excerpt::one_line(d, map));
    let messages = diagnostics.iter().map(|d| excerpt::render(d, map)).collect();
    Outcome::bad_input(format!("front end: {reason}"), messages)
}

/// Messages about a whole program name its first file.
fn placed(mut diagnostics: Vec<Diagnostic>, settings: &ProgramSettings) -> Vec<Diagnostic> {
    for d in diagnostics.iter_mut().filter(|d| d.span.is_none()) {
        d.message = format!("{} in {}", d.message, settings.files.join(", "));
    }
    diagnostics
}

/// What C leaves to the machine, for a file: the program's machine, and what the build says about the file.
pub(crate) fn target(settings: &ProgramSettings, choices: Choices) -> cfront::Target {
    let named = settings.machine.as_deref().and_then(cfront::Target::named);
    let target = named.unwrap_or(match settings.data_model {
        DataModel::Ilp32 => cfront::Target::Ilp32,
        DataModel::Lp64 => cfront::Target::Lp64,
    });
    target.with(choices.unsigned_char, choices.short_enums)
}

/// What breaks the property.
pub(crate) fn targets(property: &Property) -> lower::Targets {
    match property {
        Property::Default => lower::Targets::default(),
        Property::Memory(_) | Property::NoOverflow => lower::Targets { functions: Vec::new(), assertions: false },
        Property::Unreachable(functions) => {
            let mut all = lower::Targets { functions: Vec::new(), assertions: false };
            for name in functions.iter().flat_map(|f| lower::Targets::only(f).functions) {
                if !all.functions.contains(&name) {
                    all.functions.push(name);
                }
            }
            all
        }
    }
}

/// Everything here is part of the program's meaning, and with it of the hash that ties a proof to the program.
fn options(settings: &ProgramSettings) -> lower::Options {
    let mut ub = UbTable::default();
    ub.set(
        Ub::SignedOverflow,
        match settings.signed_overflow {
            SignedOverflow::Wrap => UbPolicy::Ignored,
            SignedOverflow::Undefined => UbPolicy::AssumedAway,
        },
    );
    let asked = settings.checks.iter().flat_map(|c| c.kinds()).copied();
    for kind in asked.chain(settings.property.kinds()) {
        ub.set(kind, UbPolicy::Checked);
    }
    lower::Options {
        entry: settings.entry.clone(),
        targets: match &settings.rule {
            // What ends a run otherwise is nothing to the rule.
            Some(_) => lower::Targets { functions: Vec::new(), assertions: false },
            None => targets(&settings.property),
        },
        externs: match settings.externs {
            Externs::Args => ir::Externs::Args,
            Externs::Any => ir::Externs::Any,
            Externs::Pure => ir::Externs::Pure,
        },
        callbacks: match settings.callbacks {
            Callbacks::During => lower::Callbacks::During,
            Callbacks::Later => lower::Callbacks::Later,
            Callbacks::Named => lower::Callbacks::Named,
            Callbacks::None => lower::Callbacks::None,
        },
        addresses: match settings.addresses {
            Addresses::User => ir::Addresses::User,
            Addresses::Kernel => ir::Addresses::Kernel,
            Addresses::Anywhere => ir::Addresses::Anywhere,
        },
        params: match settings.params {
            Params::Any => lower::Params::Any,
            Params::Nonnull => lower::Params::Nonnull,
            Params::Valid => lower::Params::Valid,
            Params::Distinct => lower::Params::Distinct,
            Params::Tree => lower::Params::Tree,
        },
        globals: match settings.globals {
            Globals::Initial => lower::Globals::Initial,
            Globals::Arbitrary => lower::Globals::Arbitrary,
        },
        malloc_may_fail: settings.malloc == Malloc::MayFail,
        ub,
        volatile_nondet: settings.volatile == Volatile::Nondet,
        padding_kept: settings.padding == Padding::Kept,
        logical_memory: settings.memory_model == MemoryModel::Logical,
        everything: false,
        output: false,
        watched: lower::events::Watched::default(),
        quiet: lower::events::Watched::default(),
        leaks: settings.leaks(),
        interrupt: settings.interrupt.clone(),
    }
}

impl Front {
    /// What an answer about the program rests on, one line each.
    pub(crate) fn assumptions(&self) -> Vec<String> {
        if self.spark {
            return vec!["integer types have the base ranges that GNAT gives them".to_owned()];
        }
        let mut lines = rests_on::assumptions(&self.program, &self.units);
        if self.padding == Padding::Kept {
            lines.push("stores to structures keep the bytes between their members".to_owned());
        }
        lines.extend(self.by_options.iter().cloned());
        lines
    }

    /// The edge.
    pub(crate) fn edge(&self, func: FuncId, edge: EdgeId) -> &Edge {
        let body = self.program.functions[func].body.as_ref();
        &body.expect("only functions with a body have edges").edges[edge]
    }

    /// The program beside its text.
    pub(crate) fn source(&self) -> ProgramText<'_> {
        let rule = self.rule.as_ref().map(|r| report::RuleText { file: r.file, values: &r.values });
        ProgramText { program: &self.program, map: &self.map, originals: &self.originals, rule }
    }
}

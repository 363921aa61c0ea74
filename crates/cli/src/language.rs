//! Which language the user's files are in, by their names, and what only C has.

use crate::input::{InputError, Source};
use crate::property::Property;
use crate::settings::{
    Addresses, Callbacks, DataModel, Externs, Globals, Malloc, MemoryModel, Padding, Params, ProgramSettings,
    SignedOverflow, Volatile,
};
use base::{Diagnostic, SourceMap};
use ir::{Program, Ub, UbPolicy, UbTable};
use vc::{Predicate, Scope};

/// A language that programs can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// C: whatever has no other name.
    C,
    /// The language X of TR00.
    X,
    /// A subset of SPARK.
    Spark,
}

impl Language {
    /// The language of a file with this name.
    pub(crate) fn of(name: &str) -> Language {
        let ends = |suffix: &str| name.to_ascii_lowercase().ends_with(suffix);
        if name.ends_with(".x") {
            Language::X
        } else if ends(".adb") || ends(".ads") {
            Language::Spark
        } else {
            Language::C
        }
    }

    /// The one language of a program's files.
    pub(crate) fn of_program(settings: &ProgramSettings) -> Result<Language, InputError> {
        let mut languages = settings.files.iter().map(|f| (f, Language::of(f)));
        let Some((_, first)) = languages.next() else { return Ok(Language::C) };
        match languages.find(|(_, l)| *l != first) {
            Some((other, _)) => Err(InputError::new(other, "the files of a program are in one language")),
            None => Ok(first),
        }
    }
}

/// Options that say something about C, and mean nothing for this program.
pub(crate) fn only_for_c(settings: &ProgramSettings) -> Vec<&'static str> {
    let all = [
        ("--property", settings.property != Property::Default),
        ("--callbacks", settings.callbacks != Callbacks::During),
        ("--addresses", settings.addresses != Addresses::User),
        ("--params", settings.params != Params::Any),
        ("--malloc", settings.malloc != Malloc::MayFail),
        ("--volatile", settings.volatile == Volatile::Nondet),
        ("--padding", settings.padding == Padding::Kept),
        ("--memory-model", settings.memory_model != MemoryModel::Flat),
        ("-I, -D, -U, --include, --std", !settings.preprocessor.is_empty()),
        ("-p", settings.compile_commands.is_some()),
        ("--contracts", !settings.contracts.is_empty()),
        ("--interrupt", settings.interrupt.is_some()),
        ("--harness", settings.harness.is_some()),
        ("--data-model", settings.data_model != DataModel::HOST),
        ("--target", settings.machine.is_some()),
    ];
    all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
}

/// A program in X.
pub(crate) fn read_x(
    sources: Vec<Source>,
    settings: &ProgramSettings,
    map: &mut SourceMap,
) -> Result<Program, Vec<Diagnostic>> {
    let [Source { name, text, .. }] = <[Source; 1]>::try_from(sources)
        .map_err(|_| vec![Diagnostic::global("files", "a program in X is one file")])?;
    let file = map.add(name, text.clone());
    let tree = xfront::parse(file, &text).map_err(|e| vec![e])?;
    xfront::lower(&tree, &x_options(settings))
}

/// What the text of a program in X does not say.
pub(crate) fn x_options(settings: &ProgramSettings) -> xfront::Options {
    let mut ub = UbTable::default();
    if settings.signed_overflow == SignedOverflow::Undefined {
        ub.set(Ub::SignedOverflow, UbPolicy::AssumedAway);
    }
    for &kind in settings.checks.iter().flat_map(|c| c.kinds()) {
        ub.set(kind, UbPolicy::Checked);
    }
    let externs = match settings.externs {
        Externs::Args => ir::Externs::Args,
        Externs::Any => ir::Externs::Any,
        Externs::Pure => ir::Externs::Pure,
    };
    xfront::Options { entry: settings.entry.clone(), model: ir::DataModel::Lp64, externs, ub }
}

/// What only C and X have: in SPARK every check is a property, and nothing is defined elsewhere but what is imported.
pub(crate) fn not_for_spark(settings: &ProgramSettings) -> Vec<&'static str> {
    let all = [
        ("--check", !settings.checks.is_empty()),
        ("--signed-overflow", settings.signed_overflow != SignedOverflow::Wrap),
        ("--externs", settings.externs != Externs::Args),
    ];
    all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
}

/// A program in SPARK, and the predicates that its annotations ask for.
pub(crate) fn read_spark(
    sources: Vec<Source>,
    settings: &ProgramSettings,
    map: &mut SourceMap,
) -> Result<(Program, Vec<Predicate>), Vec<Diagnostic>> {
    let files: Vec<_> = sources.into_iter().map(|s| map.add(s.name, s.text)).collect();
    // `main` is what is asked for where nothing is.
    let named = settings.entry != "main";
    let globals = match settings.globals {
        _ if !settings.globals_asked => sparkfront::Globals::ByEntry,
        Globals::Initial => sparkfront::Globals::Initial,
        Globals::Arbitrary => sparkfront::Globals::Arbitrary,
    };
    let entry = named.then(|| settings.entry.clone());
    let options = sparkfront::Options { entry, globals, model: ir::DataModel::Lp64 };
    let lowered = sparkfront::parse_and_lower(map, &files, &options)?;
    let predicates = lowered.predicates.into_iter().map(|note| {
        let scope = note.function.map_or(Scope::Global, Scope::Function);
        Predicate { scope, expr: vc::canonical(&note.expr).0 }
    });
    // A condition that always has one value is no predicate.
    let predicates = predicates.filter(|p| p.expr.as_const().is_none());
    Ok((lowered.program, predicates.collect()))
}

/// The errors in a program: what there is to check.
pub(crate) fn targets(program: &Program) -> u64 {
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref());
    bodies.flat_map(|b| &b.edges).filter(|e| matches!(e.op, ir::Op::Error(_))).count() as u64
}

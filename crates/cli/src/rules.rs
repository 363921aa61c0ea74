//! Rules: where they come from, how they get into a program, and the command `hardbop rules`.

mod command;
mod macros;
mod testing;
mod trigger;

pub(crate) use command::run;
pub(crate) use trigger::{NEVER, never_triggered};

use crate::excerpt;
use crate::front::{refused, refused_by_front_end};
use crate::input::{Empty, read_text};
use crate::near_miss::is_near;
use crate::outcome::{Answer, Outcome};
use crate::settings::RuleText;
use base::{FileId, SourceMap};
use ir::Program;
use lower::events::Events;
use spec::syntax::Rule;
use spec::{Applies, Woven, library};

/// `hardbop rules`.
#[derive(clap::Args, Debug)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

/// What to do with rules.
#[derive(clap::Subcommand, Clone, Debug, PartialEq, Eq)]
pub(crate) enum RulesCommand {
    /// The rules of the library, or those of a group.
    List {
        /// Groups (`posix`) or rules (`linux/spinlock`).
        names: Vec<String>,
    },
    /// The text of a rule.
    Show {
        /// A rule of the library, or a file.
        #[arg(required = true, value_name = "RULE")]
        rules: Vec<String>,
        /// As the formatter writes it.
        #[arg(long)]
        formatted: bool,
    },
    /// What a rule demands, what it remembers and at which calls it does something.
    Explain {
        /// A rule of the library, or a file.
        #[arg(required = true, value_name = "RULE")]
        rules: Vec<String>,
    },
    /// Check a rule against its test programs: the functions `safe…` and `broken…` of the C file beside it.
    Test {
        /// Rules or groups of the library, or files; without any, the whole library.
        #[arg(value_name = "RULE")]
        rules: Vec<String>,
        /// Time limit for each program.
        #[arg(long, value_name = "TIME", default_value = "60s", value_parser = crate::args::parse_duration)]
        timeout: std::time::Duration,
    },
    /// Write a rule to begin with, and programs to test it.
    New {
        /// The file: `my.slic`.
        #[arg(value_name = "FILE")]
        file: String,
    },
}

/// A rule and its text.
pub(crate) struct Read {
    /// The rule.
    pub rule: Rule,
    /// Where its text is.
    pub file: FileId,
}

/// The rules that a name on the command line means: a file, one of the library, or a group of those.
pub(crate) fn find(name: &str) -> Result<Vec<RuleText>, String> {
    let of_library = |e: &library::Entry| RuleText {
        name: e.name.to_owned(),
        file: format!("{}.slic", e.name),
        text: e.text.to_owned(),
    };
    let selected = library::select(name);
    if !selected.is_empty() {
        return Ok(selected.into_iter().map(of_library).collect());
    }
    if !name.ends_with(".slic") && !std::path::Path::new(name).is_file() {
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let same = library::ALL.iter().find(|e| last(e.name) == last(name));
        let close = same.or_else(|| library::ALL.iter().find(|e| is_near(&last(e.name), &last(name))));
        let hint = close.map_or("`hardbop rules list` shows them".to_owned(), |e| format!("there is `{}`", e.name));
        return Err(format!("no rule `{name}`: it is no file, and not in the library; {hint}"));
    }
    let text = read_text(name, Empty::Refused).map_err(|e| e.reason)?;
    let stem = std::path::Path::new(name).file_stem().map_or(name.to_owned(), |s| s.to_string_lossy().into_owned());
    Ok(vec![RuleText { name: stem, file: name.to_owned(), text }])
}

/// A rule with contracts behind it, which change nothing of what it is about.
pub(crate) fn with_contracts(rule: &RuleText, contracts: Option<&RuleText>) -> RuleText {
    let added = contracts.map_or("", |c| &c.text);
    RuleText { text: format!("{}\n{added}", rule.text), ..rule.clone() }
}

/// Reads a rule. The error is what the job ends in.
pub(crate) fn read(text: &RuleText, map: &mut SourceMap) -> Result<Read, Box<Outcome>> {
    let file = map.add(text.file.clone(), text.text.clone());
    let rule = spec::parse(&text.name, file, &text.text).map_err(|d| Box::new(refused_by_front_end(&[d], map)))?;
    Ok(Read { rule, file })
}

/// Where in the text of a rule with contracts it is about calls, by its own word.
pub(crate) fn about_calls(rule: &Read, whole: &Read) -> Vec<std::ops::Range<u32>> {
    let own = spec::about_calls(&rule.rule);
    let whole = spec::about_calls(&whole.rule);
    whole.into_iter().filter(|r| own.iter().any(|o| o.start == r.start)).collect()
}

/// Puts a rule with contracts, or contracts alone, into a program.
pub(crate) fn weave(
    (rule, whole): (Option<&Read>, &Read),
    program: &Program,
    events: &Events,
    (units, map): (&[cfront::tree::Unit], &SourceMap),
) -> Result<Woven, Box<Outcome>> {
    let applies = rule.map(|rule| (rule, spec::applies(&rule.rule, program, events)));
    if let Some((rule, Applies::No(names))) = applies
        && !spec::may_hide(&rule.rule, program, units.iter().flat_map(used))
    {
        let shown: Vec<String> = names.iter().take(6).map(|n| format!("`{n}`")).collect();
        let more = if names.len() > 6 { ", …" } else { "" };
        let entry = crate::harness::entry_name(&program.functions[program.entry].name);
        let reason = format!("nothing that `{entry}` can reach uses {}{more}", shown.join(", "));
        return Err(Box::new(Outcome::new(Answer::NotApplicable, reason + &misspelt(rule, &names, units))));
    }
    let text = &map.file(whole.file).text;
    spec::weave(program, events, &whole.rule, whole.file, text).map_err(|d| {
        Box::new(match d.id {
            // The rule is fine, but not for this program.
            "unsupported" => Outcome {
                messages: vec![excerpt::render(&d, map)],
                ..Outcome::unknown(format!("rule: {}", excerpt::one_line(&d, map)))
            },
            _ => refused_by_front_end(&[d], map),
        })
    })
}

/// The functions that a file uses.
fn used(unit: &cfront::tree::Unit) -> impl Iterator<Item = &str> {
    unit.exprs.iter().filter_map(|e| match e.kind {
        cfront::tree::ExprKind::Func(f) => Some(unit.name(unit.funcs[f].name)),
        _ => None,
    })
}

/// What a name in a rule of the user's was meant to be, perhaps: rules of the library are about many programs.
fn misspelt(rule: &Read, names: &[String], units: &[cfront::tree::Unit]) -> String {
    let of_user = spec::library::find(&rule.rule.name).is_none();
    let declared = || units.iter().flat_map(|u| u.funcs.iter().map(|f| u.name(f.name)));
    let known = |name: &String| declared().any(|f| f == name);
    let near = |name: &String| declared().find(|f| f.len() > 2 && is_near(f, name)).map(|f| (name.clone(), f));
    let found = names.iter().filter(|n| of_user && n.len() > 2 && !known(n)).find_map(near);
    found.map_or(String::new(), |(name, f)| format!("; `{name}` is not declared, is `{f}` meant?"))
}

/// Names of a rule that the sources use as macros only: the rule would hear nothing of them.
pub(crate) fn check_macros(
    read: &Read,
    settings: &crate::settings::ProgramSettings,
    units: &[cfront::tree::Unit],
    map: &SourceMap,
) -> Result<(), Box<Outcome>> {
    match macros::only(&read.rule, settings, units) {
        Ok(None) => Ok(()),
        Ok(Some(d)) => Err(Box::new(refused_by_front_end(&[d], map))),
        Err(e) => Err(Box::new(refused(e))),
    }
}

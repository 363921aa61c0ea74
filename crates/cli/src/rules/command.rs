//! `hardbop rules list | show | explain | test | new`.

use super::RulesCommand;
use super::{find, testing};
use crate::excerpt;
use crate::outcome::Exit;
use crate::report::{complain, show};
use crate::settings::RuleText;
use base::SourceMap;
use spec::library;
use spec::syntax::{Rule, Severity};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Does what was asked.
pub(crate) fn run(command: &RulesCommand) -> ExitCode {
    let done = match command {
        RulesCommand::List { names } => list(names),
        RulesCommand::Show { rules, formatted } => each(rules, |text, rule| match formatted {
            true => spec::print(rule),
            false => text.text.clone(),
        }),
        RulesCommand::Explain { rules } => each(rules, |_, rule| explain(rule)),
        RulesCommand::Test { rules, timeout } => return testing::test(rules, *timeout),
        RulesCommand::New { file } => new(file),
    };
    match done {
        Ok(text) => {
            show(text.as_bytes());
            Exit::Good.into()
        }
        Err((exit, message)) => {
            complain(&message);
            exit.into()
        }
    }
}

type Done = Result<String, (Exit, String)>;

fn wrong(message: &str) -> (Exit, String) {
    (Exit::Usage, format!("error: {message}"))
}

fn list(names: &[String]) -> Done {
    let mut entries: Vec<&library::Entry> = Vec::new();
    for name in names {
        let found = library::select(name);
        if found.is_empty() {
            return Err(wrong(&format!("no rule and no group of the library is called `{name}`")));
        }
        entries.extend(found);
    }
    if names.is_empty() {
        entries.extend(library::ALL);
    }
    let width = entries.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for entry in entries {
        let rule = parsed(&text_of(entry))?;
        let _ = writeln!(out, "{:width$}  {}", entry.name, rule.title.unwrap_or_default());
    }
    Ok(out)
}

fn text_of(entry: &library::Entry) -> RuleText {
    let (name, file) = (entry.name.to_owned(), format!("{}.slic", entry.name));
    RuleText { name, file, text: entry.text.to_owned() }
}

fn parsed(text: &RuleText) -> Result<Rule, (Exit, String)> {
    let mut map = SourceMap::new();
    let file = map.add(text.file.clone(), text.text.clone());
    spec::parse(&text.name, file, &text.text).map_err(|d| (Exit::BadInput, excerpt::render(&d, &map)))
}

fn each(names: &[String], shown: impl Fn(&RuleText, &Rule) -> String) -> Done {
    let mut out = String::new();
    for name in names {
        for text in find(name).map_err(|e| wrong(&e))? {
            if !out.is_empty() {
                out.push('\n');
            }
            out += &shown(&text, &parsed(&text)?);
        }
    }
    Ok(out)
}

fn explain(rule: &Rule) -> String {
    let mut out = format!("{}: {}\n", rule.name, rule.title.as_deref().unwrap_or("a rule without a title"));
    if rule.severity == Severity::Warning {
        out += "To break it is a warning: the program is probably wrong.\n";
    }
    if let Some(doc) = &rule.doc {
        let _ = writeln!(out, "\n{}", doc.trim_end());
    }
    out.push('\n');
    out += &spec::describe(rule);
    out
}

const TEMPLATE: &str = r#"title "What the rule demands, in one line";
doc "Why, and what to do about a defect.";

// What the rule remembers.
state {
    enum { closed, opened } handle = closed;
}

// The rule is about one handle at a time: the one that `api_open` gave. Every handle has its turn.
watch api_open.exit.$return;

api_open.exit [guard $return] {
    if ($return)
        handle = opened;
}

api_close.entry [guard $1] {
    if (handle == closed)
        abort "$fname: the handle is closed already";
    handle = closed;
}

// The function that is checked returns.
$entry.exit {
    if (handle == opened)
        abort "the handle is still open when $entry returns";
}
"#;

const TEMPLATE_PROGRAMS: &str = r#"struct handle;
struct handle *api_open(void);
void api_close(struct handle *);

void safe_close_once(void)
{
    struct handle *h = api_open();
    if (h)
        api_close(h);
}

void broken_close_twice(void)
{
    struct handle *h = api_open();
    if (h) {
        api_close(h);
        api_close(h);
    }
}

void broken_leak(void)
{
    api_open();
}
"#;

fn new(file: &str) -> Done {
    let rule = if file.ends_with(".slic") { file.to_owned() } else { format!("{file}.slic") };
    let programs = Path::new(&rule).with_extension("c").display().to_string();
    for (name, text) in [(&rule, TEMPLATE), (&programs, TEMPLATE_PROGRAMS)] {
        let made = std::fs::OpenOptions::new().write(true).create_new(true).open(name);
        let written = made.and_then(|mut f| std::io::Write::write_all(&mut f, text.as_bytes()));
        written.map_err(|e| wrong(&format!("cannot write {name}: {}", crate::input::reason(&e))))?;
    }
    Ok(format!("wrote {rule} and {programs}; `hardbop rules test {rule}` checks one against the other\n"))
}

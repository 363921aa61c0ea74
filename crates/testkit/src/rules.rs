//! The library of rules against its test programs, and against itself: a rule with a part missing must fail one of its tests.

use base::SourceMap;
use cfront::tree::Unit;
use ir::DataModel;
use spec::library::Entry;
use spec::syntax::Rule;
use verify::Verdict;

/// What is wrong with a test program's answer.
#[derive(Clone, Debug)]
pub struct Surprise {
    /// The entry.
    pub program: String,
    /// The answer.
    pub answer: String,
}

/// A rule with its programs, read once.
pub struct Case {
    /// The rule.
    pub rule: Rule,
    entry: &'static Entry,
    map: SourceMap,
    file: base::FileId,
    units: Vec<Unit>,
    /// The entries `safe…` and `broken…`.
    pub programs: Vec<String>,
}

impl Case {
    /// Reads a rule of the library and its programs, which need no headers; lines that define macros are applied here.
    pub fn read(entry: &'static Entry) -> Result<Case, String> {
        let mut map = SourceMap::new();
        let file = map.add(format!("{}.slic", entry.name), entry.text);
        let rule = spec::parse(entry.name, file, entry.text).map_err(|d| d.message)?;
        let programs = map.add(format!("{}.c", entry.name), expanded(entry.programs));
        let unit = cfront::parse(&mut map, programs, cfront::Target::Lp64).map_err(|d| format!("{:?}", d.first()))?;
        let defined = unit.funcs.iter().filter(|f| f.body.is_some()).map(|f| unit.name(f.name).to_owned());
        let programs = defined.filter(|n| n.starts_with("safe") || n.starts_with("broken")).collect();
        Ok(Case { rule, entry, map, file, units: vec![unit], programs })
    }

    /// The first program whose answer under this rule - the case's own, or a changed one - is not the expected one.
    pub fn surprise(&self, rule: &Rule) -> Result<Option<Surprise>, String> {
        // Broken programs first: they are decided quickly, and most changes make one of them pass.
        let (broken, safe): (Vec<_>, Vec<_>) = self.programs.iter().partition(|n| n.starts_with("broken"));
        for program in broken.into_iter().chain(safe) {
            let answer = self.answer(rule, program)?;
            let wanted = if program.starts_with("safe") { "PASS" } else { "DEFECT" };
            if answer != wanted {
                return Ok(Some(Surprise { program: program.clone(), answer }));
            }
        }
        Ok(None)
    }

    /// What is wrong with a changed rule: nothing, if one of the tests fails under it as it should.
    pub fn unnoticed(&self, what: &str, rule: &Rule) -> Option<String> {
        match self.surprise(rule) {
            Ok(Some(_)) => None,
            Ok(None) => Some(format!("nobody notices the rule {what}")),
            Err(e) => Some(format!("{what}: {e}")),
        }
    }

    fn answer(&self, rule: &Rule, program: &str) -> Result<String, String> {
        let mut targets = lower::Targets::default();
        (targets.functions, targets.assertions) = (Vec::new(), false);
        let options = lower::Options {
            entry: program.to_owned(),
            targets,
            globals: lower::Globals::Arbitrary,
            watched: spec::watched(&self.rule),
            quiet: spec::quiet(&self.rule),
            ..lower::Options::default()
        };
        let lowered = lower::lower(&self.units, &options).map_err(|d| format!("{:?}", d.first()))?;
        assert_eq!(lowered.program.model, DataModel::Lp64);
        if rule.handlers.is_empty()
            || matches!(spec::applies(rule, &lowered.program, &lowered.events), spec::Applies::No(_))
        {
            return Ok("N/A".to_owned());
        }
        let woven = spec::weave(&lowered.program, &lowered.events, rule, self.file, self.entry.text);
        let woven = woven.map_err(|d| format!("{}: {}", self.map.locate(d.span.expect("a place")), d.message))?;
        ir::validate::validate(&woven.program).map_err(|v| v[0].to_string())?;
        let analysis = analysis::Analysis::new(&woven.program);
        let answer = verify::verify(&analysis, &verify::Settings::default(), &mut verify::Silent);
        Ok(match answer.verdict {
            Verdict::Safe(_) => "PASS".to_owned(),
            Verdict::Unsafe(_) => "DEFECT".to_owned(),
            Verdict::Unknown(why) => format!("UNKNOWN ({})", why.cause),
        })
    }
}

/// The text without its lines `#define NAME value` and `#define NAME(a, b) value`, which are applied to what follows. Parameters
/// stand for themselves: the test programs define macros that only rename a call.
fn expanded(text: &str) -> String {
    let mut macros: Vec<(String, Vec<String>, String)> = Vec::new();
    let mut out = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (params, body) = match rest[end..].strip_prefix('(').and_then(|r| r.split_once(')')) {
                Some((params, body)) => (params.split(',').map(|p| p.trim().to_owned()).collect(), body),
                None => (Vec::new(), &rest[end..]),
            };
            macros.push((rest[..end].to_owned(), params, body.trim().to_owned()));
            out.push('\n');
            continue;
        }
        let mut line = line.to_owned();
        for (name, params, body) in &macros {
            while let Some(at) = line.find(name.as_str()) {
                let rest = line[at + name.len()..].to_owned();
                let (with, rest) = match params.is_empty() {
                    true => (body.clone(), rest),
                    false => {
                        let (args, rest) = rest[1..].split_once(')').unwrap_or((&rest[1..], ""));
                        let args: Vec<&str> = args.split(',').map(str::trim).collect();
                        let word = |w: &str| match params.iter().position(|p| p == w) {
                            Some(i) => args.get(i).copied().unwrap_or("").to_owned(),
                            None => w.to_owned(),
                        };
                        (words(body).iter().map(|w| word(w)).collect(), rest.to_owned())
                    }
                };
                line = format!("{}{with}{rest}", &line[..at]);
            }
        }
        out += &line;
        out.push('\n');
    }
    out
}

/// The names in a text and what stands between them.
fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut inside = false;
    for c in text.chars() {
        let name = c.is_ascii_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if name && inside => last.push(c),
            _ => out.push(c.to_string()),
        }
        inside = name;
    }
    out
}

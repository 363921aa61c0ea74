//! Where the refinement stood when it ended without an answer, in the user's terms: the loop that it could not summarise,
//! the path that it could not rule out, and the predicates it had.

use crate::ProgramText;
use crate::counted;
use crate::proof::place;
use ir::cfg::CallGraph;
use ir::{FuncId, Path};
use vc::{Predicate, Predicates};
use verify::{Divergence, Repeat};

/// Parts of a path that are shown.
const MOST_PARTS: usize = 30;

/// Predicates of a function that are shown.
const MOST_PREDICATES: usize = 12;

/// `the loop at a.c:7`, `the recursive function f at a.c:3`.
pub fn name(source: ProgramText<'_>, repeat: &Repeat) -> String {
    let f = &source.program.functions[repeat.func];
    let body = source.program.body(repeat.func);
    if repeat.recursion {
        format!("the recursive function `{}` at {}", f.name, place(source, f.span))
    } else {
        format!("the loop at {}", place(source, body.locations[repeat.head].span))
    }
}

/// What repeats on a path that is being looked at.
fn divergence(source: ProgramText<'_>, path: &Path) -> Divergence {
    let calls = ir::cfg::CallGraph::new(source.program);
    Divergence::new(source.program, &calls, path.clone(), Vec::new(), &Predicates::new())
}

/// Where a path that is being looked at leads, in a few words.
pub fn place_of(source: ProgramText<'_>, path: &Path) -> String {
    let found = divergence(source, path);
    match (found.repeats.first(), path.edges.last()) {
        (Some(repeat), _) => format!("at {}, met {}", name(source, repeat), counted(repeat.times, "time")),
        (None, Some(&(func, edge))) => format!("on a path to {}", place(source, source.edge(func, edge).span)),
        (None, None) => String::new(),
    }
}

/// The path that the work is at, and the predicates (as a predicate file) that it has.
pub fn describe_path(source: ProgramText<'_>, path: &Path, predicates: &str) -> Vec<String> {
    let found = divergence(source, path);
    let Some(repeat) = found.repeats.first() else { return Vec::new() };
    let mut out = vec![
        "The refinement did not come to an end:".to_string(),
        format!("  it may need an invariant of {}", name(source, repeat)),
        format!("  the last path it looked at: {}", lines(source, path)),
    ];
    let all: Vec<&str> = predicates.lines().filter(|l| l.starts_with(' ')).map(str::trim).collect();
    let shown = all.iter().rev().take(MOST_PREDICATES).rev().copied().collect::<Vec<_>>().join("; ");
    out.push(format!("  {}, the last: {shown}", counted(all.len() as u64, "predicate")));
    out
}

/// The lines that say what the refinement was doing.
pub fn describe(source: ProgramText<'_>, report: &Divergence) -> Vec<String> {
    let mut out = vec!["The refinement came to no end:".to_string()];
    match report.repeats.first() {
        Some(repeat) => out.push(format!("  it needs an invariant of {}", name(source, repeat))),
        None => match recursive_on(source, &report.path) {
            Some(f) => out.push(format!("  it may need more of what the recursive function `{f}` returns")),
            None => out.push("  no loop is on the path it could not rule out".to_string()),
        },
    }
    out.push(format!(
        "  this path cannot be executed, but the predicates do not say so: {}",
        lines(source, &report.path)
    ));
    let mut core: Vec<String> = Vec::new();
    for &i in &report.core {
        let Some(&(func, edge)) = report.path.edges.get(i) else { continue };
        let span = source.edge(func, edge).span;
        let line = format!("    {}  {}", place(source, span), source.source_line(span).trim());
        if !core.contains(&line) {
            core.push(line);
        }
    }
    if !core.is_empty() {
        let which = if core.len() == 1 { "of this line" } else { "these lines disagree on it" };
        out.push(format!("  because {which}:"));
        out.extend(core);
    }
    out.extend(predicates(source, &report.predicates));
    out
}

/// The first function on a path that may call itself.
fn recursive_on<'a>(source: ProgramText<'a>, path: &Path) -> Option<&'a str> {
    let calls = CallGraph::new(source.program);
    let is_recursive = |f: FuncId| calls.callees(f).any(|g| calls.reachable_from(g)[f]);
    path.edges.iter().map(|(f, _)| *f).find(|&f| is_recursive(f)).map(|f| source.program.functions[f].name.as_str())
}

/// The predicates by scope, the latest last.
fn predicates(source: ProgramText<'_>, all: &[Predicate]) -> Vec<String> {
    let mut scopes: Vec<vc::Scope> = Vec::new();
    for p in all {
        if !scopes.contains(&p.scope) {
            scopes.push(p.scope);
        }
    }
    let mut out = vec![format!("  {}:", counted(all.len() as u64, "predicate"))];
    for scope in scopes {
        let (head, func) = match scope {
            vc::Scope::Global => ("global", source.program.entry),
            vc::Scope::Function(f) => (source.program.functions[f].name.as_str(), f),
        };
        let own: Vec<String> =
            all.iter().filter(|p| p.scope == scope).map(|p| ir::as_c::show(source.program, func, &p.expr)).collect();
        let shown = own.iter().take(MOST_PREDICATES).cloned().collect::<Vec<_>>().join("; ");
        let more = own.len().saturating_sub(MOST_PREDICATES);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        out.push(format!("    {head}: {shown}{more}"));
    }
    out
}

/// A path as lines of the source, what repeats written once: `a.c: 7, (8, 9) x 12, 8, 12`.
fn lines(source: ProgramText<'_>, path: &Path) -> String {
    let mut numbers: Vec<(String, u32)> = Vec::new();
    for &(func, edge) in &path.edges {
        let at = source.map.locate(source.edge(func, edge).span);
        if numbers.last().is_none_or(|(file, line)| (file, *line) != (&at.file, at.line)) {
            numbers.push((at.file, at.line));
        }
    }
    let one_file = numbers.windows(2).all(|w| w[0].0 == w[1].0);
    let short = |(file, line): &(String, u32)| {
        let name = std::path::Path::new(file).file_name().map_or(file.clone(), |n| n.to_string_lossy().into_owned());
        if one_file { line.to_string() } else { format!("{name}:{line}") }
    };
    let words: Vec<String> = numbers.iter().map(short).collect();
    let mut parts = folded(&words);
    let more = parts.len().saturating_sub(MOST_PARTS);
    if more > 0 {
        parts.splice(MOST_PARTS / 2..MOST_PARTS / 2 + more, [format!("… {more} more …")]);
    }
    let head = if one_file { "lines " } else { "" };
    format!("{head}{}", parts.join(", "))
}

/// Repetitions written once.
fn folded(words: &[String]) -> Vec<String> {
    let mut parts = Vec::new();
    let mut i = 0;
    while i < words.len() {
        // The shortest stretch that is repeated at once, and how often it stands here.
        let repeated = (1..=12.min((words.len() - i) / 2)).find_map(|n| {
            let first = &words[i..i + n];
            let times = words[i..].chunks(n).take_while(|c| *c == first).count();
            (times > 1).then_some((n, times))
        });
        match repeated {
            Some((n, times)) => {
                parts.push(format!("({}) x {times}", words[i..i + n].join(", ")));
                i += n * times;
            }
            None => {
                parts.push(words[i].clone());
                i += 1;
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn what_repeats_is_written_once() {
        let fold = |text: &str| folded(&text.split(' ').map(str::to_string).collect::<Vec<_>>()).join(" ");
        assert_eq!(fold("1 2 3"), "1 2 3");
        assert_eq!(fold("1 2 3 2 3 2 3 4"), "1 (2, 3) x 3 4");
        assert_eq!(fold("1 1 1"), "(1) x 3");
        assert_eq!(fold("1 2 1 2 1"), "(1, 2) x 2 1");
    }
}

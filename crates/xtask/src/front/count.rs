//! What the front end made of the programs, counted.

use super::source::Source;
use analysis::Analysis;
use base::SourceMap;
use ir::library::Library;
use ir::{Callee, Op, Program};
use std::collections::BTreeMap;
use std::fmt;

/// The counts over all programs.
#[derive(Default)]
pub(crate) struct Table {
    files: usize,
    bytes: usize,
    statements: u64,
    edges: usize,
    complete: usize,
    empty: usize,
    unsupported: BTreeMap<String, usize>,
    weaker: BTreeMap<String, usize>,
    refused: Vec<String>,
    unfaithful: Vec<String>,
    places: Option<Vec<String>>,
}

/// Parses and lowers a file. With `parts`, all its functions; else what `main` reaches.
pub(crate) fn lowered(source: &Source, parts: bool) -> Result<lower::Lowered, String> {
    read(source, parts).map(|(lowered, _)| lowered)
}

fn read(source: &Source, parts: bool) -> Result<(lower::Lowered, SourceMap), String> {
    let mut map = SourceMap::new();
    let file = map.add(source.name.as_str(), source.text.as_str());
    let show = |map: &SourceMap, all: Vec<base::Diagnostic>| {
        let first = all.first();
        let at = first.and_then(|d| d.span).map(|s| map.locate(s)).map(|l| format!("{}:{}", l.file, l.line));
        format!("{}: {}", at.unwrap_or(source.name.clone()), first.map_or("", |d| &d.message))
    };
    let unit = cfront::parse(&mut map, file, source.target).map_err(|e| show(&map, e))?;
    let options = lower::Options { everything: parts, ..lower::Options::default() };
    let lowered = lower::lower(&[unit], &options).map_err(|e| show(&map, e))?;
    Ok((lowered, map))
}

impl Table {
    /// Nothing counted yet. With `list` the places of inexact edges are kept.
    pub(crate) fn new(list: bool) -> Table {
        Table { places: list.then(Vec::new), ..Table::default() }
    }

    /// Counts one file.
    pub(crate) fn add(&mut self, source: &Source, parts: bool) {
        self.files += 1;
        self.bytes += source.text.len();
        let panicked = |_| Err(format!("{}: the front end panics", source.name));
        let (lowered, map) = match std::panic::catch_unwind(|| read(source, parts)).unwrap_or_else(panicked) {
            Ok(result) => result,
            // Part of a program, or nothing but declarations.
            Err(why) if why.ends_with("no function `main`") => {
                self.empty += 1;
                return;
            }
            Err(why) => return self.refused.push(why),
        };
        self.statements += lowered.statements;
        self.complete += usize::from(lowered.unsupported.is_empty());
        let analysis = Analysis::new(&lowered.program);
        for (id, f) in lowered.program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                self.edges += 1;
                if let Some(what) = self.edge(&edge.op, &analysis, id)
                    && let Some(places) = &mut self.places
                {
                    places.push(format!("{}: {what}", map.locate(edge.span)));
                }
            }
        }
        if let Err(why) = faithful(&lowered.program) {
            self.unfaithful.push(format!("{}: {why}", source.name));
        }
    }

    /// Counts an edge; what it is, if it is not exact.
    fn edge(&mut self, op: &Op, analysis: &Analysis<'_>, func: ir::FuncId) -> Option<String> {
        let (counts, what) = match op {
            Op::Unsupported(_) if !ir::calls::is_unsupported_construct(op) => return None,
            Op::Unsupported(why) => (&mut self.unsupported, why.clone()),
            // Other values from outside - what `fflush` gives - are open in C too.
            Op::Havoc(_, ir::Source::Outside(what)) if what == "asm" => {
                (&mut self.weaker, format!("any value: {what}"))
            }
            Op::Call(call @ ir::Call { callee: Callee::Direct(f), .. }) => {
                // The text that `sprintf` makes and its length are two calls for one in C.
                let text = [Library::Format, Library::Vformat];
                let counts = |l: &Library| !text.contains(l) && !vc::strings::is_exact(analysis, func, call);
                let library = Library::of(&analysis.program.functions[*f]).filter(counts)?;
                (&mut self.weaker, format!("contract of {}", library.name()))
            }
            _ => return None,
        };
        *counts.entry(what.clone()).or_default() += 1;
        Some(what)
    }

    /// Whether every program was read, and its text form says all of it.
    pub(crate) fn is_faithful(&self) -> bool {
        self.refused.is_empty() && self.unfaithful.is_empty()
    }
}

/// The program is valid, and equal to what its text says.
fn faithful(program: &Program) -> Result<(), String> {
    ir::validate::validate(program).map_err(|v| v[0].to_string())?;
    let text = ir::text::print(program);
    let mut map = SourceMap::new();
    let file = map.add("program.ir", text.as_str());
    let again = ir::text::parse(file, &text).map_err(|d| format!("the printed program is not parsed: {d:?}"))?;
    ir::validate::validate(&again).map_err(|v| format!("the parsed program is not valid: {}", v[0]))?;
    if ir::text::print(&again) == text { Ok(()) } else { Err("printed again the text is another one".to_owned()) }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for why in self.refused.iter().chain(&self.unfaithful) {
            writeln!(f, "FAILED {why}")?;
        }
        for place in self.places.iter().flatten() {
            writeln!(f, "{place}")?;
        }
        let megabytes = self.bytes as f64 / 1e6;
        writeln!(f, "files {} ({megabytes:.1} MB), refused {}", self.files, self.refused.len())?;
        if self.empty > 0 {
            writeln!(f, "nothing to lower: {}", self.empty)?;
        }
        writeln!(f, "not equal to their text form or not valid: {}", self.unfaithful.len())?;
        writeln!(f, "without any unsupported edge: {}", self.complete)?;
        writeln!(f, "statements {}, edges {}", self.statements, self.edges)?;
        let mut total = 0;
        for (title, counts) in [("unsupported", &self.unsupported), ("weaker than C", &self.weaker)] {
            let mut rows: Vec<_> = counts.iter().collect();
            rows.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
            let sum: usize = counts.values().sum();
            total += sum;
            writeln!(f, "\n| {title} | edges |\n|---|---|")?;
            for (what, n) in rows {
                writeln!(f, "| {what} | {n} |")?;
            }
            writeln!(f, "| **all** | {sum} |")?;
        }
        let per = if total == 0 { f64::INFINITY } else { self.statements as f64 / total as f64 };
        writeln!(f, "\n{total} edges in {} statements: one per {per:.0}", self.statements)
    }
}

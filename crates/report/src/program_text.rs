//! A program beside its text: where its edges stand, in the user's words.

use base::{SourceMap, Span};
use ir::interp::At;
use ir::{Edge, EdgeId, FuncId, Program};
use std::collections::BTreeMap;

/// Longer lines of preprocessed text are shown from the place that matters on.
const MAX_LINE: usize = 200;

/// A program and the text it was made from.
#[derive(Clone, Copy)]
pub struct ProgramText<'a> {
    /// The program.
    pub program: &'a Program,
    /// All text that was read.
    pub map: &'a SourceMap,
    /// The lines of files as they were before preprocessing, by name.
    pub originals: &'a BTreeMap<String, Vec<String>>,
    /// The rule in the program, if there is one.
    pub rule: Option<RuleText<'a>>,
}

/// A rule that steps of a program come from.
#[derive(Clone, Copy)]
pub struct RuleText<'a> {
    /// Its text.
    pub file: base::FileId,
    /// The names of the values of its enumerations, by the name of the global.
    pub values: &'a BTreeMap<String, Vec<String>>,
}

/// What a step of a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulePart {
    /// Choosing the object that is watched.
    Watch,
    /// The question whether this is the one.
    Guard,
    /// Counting open calls of functions that are one to the rule.
    Alias,
    /// A statement.
    Statement,
}

impl<'a> ProgramText<'a> {
    /// The edge.
    pub fn edge(&self, func: FuncId, edge: EdgeId) -> &'a Edge {
        self.program.edge(func, edge)
    }

    /// `file:line:column` of a span.
    pub fn show(&self, span: Span) -> String {
        self.map.locate(span).to_string()
    }

    /// `file:line:column` of an edge.
    pub fn show_edge(&self, func: FuncId, edge: EdgeId) -> String {
        self.show(self.edge(func, edge).span)
    }

    /// `file:line:column` of a place where a run stands.
    pub fn show_at(&self, at: At) -> String {
        match at {
            At::Start => self.show(self.program.functions[self.program.entry].span),
            At::Edge(func, edge) => self.show_edge(func, edge),
        }
    }

    /// The line of the source on which a span begins: as the user wrote it, if that is known, or else as it was read.
    pub fn source_line(&self, span: Span) -> String {
        let at = self.map.locate(span);
        let original = self.originals.get(&at.file).and_then(|lines| lines.get((at.line as usize).checked_sub(1)?));
        let file = self.map.file(span.file);
        original.cloned().unwrap_or_else(|| {
            let (start, line) = file.line_text(file.physical_line(span.lo));
            // Of a line that is too long to be read, only the part that matters.
            match line.get((span.lo.saturating_sub(start) as usize)..) {
                Some(rest) if line.len() > MAX_LINE => rest.chars().take(MAX_LINE).collect(),
                _ => line.chars().take(MAX_LINE).collect(),
            }
        })
    }

    /// What part of the rule an edge comes from, if it does.
    pub(crate) fn rule_part(&self, func: FuncId, edge: EdgeId) -> Option<RulePart> {
        let span = self.edge(func, edge).span;
        self.rule.filter(|r| r.file == span.file)?;
        let text = self.map.text(span);
        Some(match () {
            () if text.starts_with("watch") => RulePart::Watch,
            () if text.starts_with('[') => RulePart::Guard,
            () if self.source_line(span).trim_start().starts_with("alias ") => RulePart::Alias,
            () => RulePart::Statement,
        })
    }

    /// The name of an enumerated value of the rule's state.
    pub(crate) fn rule_value(&self, global: ir::GlobalId, value: u128) -> Option<&'a str> {
        let names = self.rule?.values.get(&self.program.globals[global].name)?;
        names.get(usize::try_from(value).ok()?).map(String::as_str)
    }

    /// Where a run ends that took these edges: where a rule is broken, the step of the program that broke it.
    pub fn show_last(&self, edges: &[(FuncId, EdgeId)]) -> String {
        let Some(&(func, edge)) = edges.last() else { return String::new() };
        let last = self.show_edge(func, edge);
        let own = edges.iter().rev().find(|(f, e)| self.rule_part(*f, *e).is_none());
        match (self.rule_part(func, edge), own) {
            (Some(_), Some((f, e))) => format!("{} (rule: {last})", self.show_edge(*f, *e)),
            _ => last,
        }
    }

    /// How the property is broken at an edge: "assertion `x > 0` fails".
    pub fn describe_error(kind: &ir::ErrorKind) -> String {
        match kind {
            ir::ErrorKind::Reached(name) => format!("`{name}` is called"),
            ir::ErrorKind::Assert(text) if text.trim().is_empty() => "an assertion fails".to_string(),
            // Nobody wrote this one.
            ir::ErrorKind::Assert(text) if [ir::leaks::AT_RETURN, ir::leaks::AT_END].contains(&text.as_str()) => {
                format!("not {text}")
            }
            ir::ErrorKind::Assert(text) => format!("assertion `{}` fails", text.trim()),
            ir::ErrorKind::Rule(text) => text.clone(),
            ir::ErrorKind::Ub(ub) => ub.describe().to_string(),
        }
    }
}

//! The text of a generated C program while it is written: indented lines, fresh names, and which constructs it has.

use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub(crate) struct CText {
    pub(crate) text: String,
    pub(crate) indent: usize,
    /// All names that the program declares.
    pub(crate) names: Vec<String>,
    n_locals: usize,
    /// The constructs that it contains so far, and those that there are.
    pub(crate) constructs: BTreeSet<&'static str>,
    known: &'static [&'static str],
}

impl CText {
    /// A text that begins like this.
    pub(crate) fn new(beginning: &str, known: &'static [&'static str]) -> CText {
        CText {
            text: beginning.to_owned(),
            indent: 0,
            names: Vec::new(),
            n_locals: 0,
            constructs: BTreeSet::new(),
            known,
        }
    }

    /// The program contains a construct.
    pub(crate) fn mark(&mut self, construct: &'static str) {
        debug_assert!(self.known.contains(&construct), "{construct} is not on the list");
        self.constructs.insert(construct);
    }

    pub(crate) fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A line, and what follows is indented.
    pub(crate) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// What follows is indented no more, beginning with this line.
    pub(crate) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    /// A fresh name.
    pub(crate) fn local(&mut self, stem: &str) -> String {
        self.n_locals += 1;
        format!("{stem}{}", self.n_locals)
    }
}

//! Messages about the user's program. Stages collect them; only `cli` renders them.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably means something else than its author thinks.
    Warning,
}

/// An additional remark, with its own place where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What there is to say.
    pub message: String,
    /// Where, if anywhere.
    pub span: Option<Span>,
}

/// One message: what is wrong, where, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name of the kind of message, such as `syntax` or `undeclared`.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a final stop.
    pub message: String,
    /// The place it is about; `None` where the whole input is meant.
    pub span: Option<Span>,
    /// What to print under the marked place; may be empty.
    pub label: String,
    /// Further remarks, in order.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(id: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(id: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(id, span, message) }
    }

    /// An error about the input as a whole.
    pub fn global(id: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: String::new(),
            notes: Vec::new(),
        }
    }

    /// The same message with a text under the marked place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// The same message with one more remark.
    #[must_use]
    pub fn with_note(mut self, message: impl Into<String>, span: Option<Span>) -> Diagnostic {
        self.notes.push(Note { message: message.into(), span });
        self
    }
}

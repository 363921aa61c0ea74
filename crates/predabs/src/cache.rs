//! Answers kept across abstractions of one program: a refinement recomputes only what its new predicates touch.
//!
//! An entry says which predicates were looked at and what was found. When a later question has more predicates, the
//! implicants found stay what they are (whether a cube is a prime implicant does not depend on the other predicates),
//! and only cubes with a new literal are looked at.

use crate::answers::Answers;
use crate::options::Options;
use ir::{EdgeId, FuncId};
use rustc_hash::FxHashMap;
use vc::PredId;

/// A boolean variable as a procedure's text sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    /// The procedure's own variable of a predicate.
    Pred(PredId),
    /// What a call has just returned about a predicate of the callee.
    Returned(PredId),
}

/// A disjunction of cubes; each cube is sorted by tag, the cubes by length and tags. `[[]]` is true, `[]` is false.
pub(crate) type Dnf = Vec<Vec<(Tag, bool)>>;

/// What was asked about an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// The states in which the step is impossible.
    Blocked,
    /// The states after which a predicate has this value.
    Update(PredId, bool),
    /// The states in which a predicate of the callee begins with this value.
    Argument(PredId, bool),
    /// What is impossible after a call.
    AfterCall,
}

/// One question: a part (conjunct) of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// About a step.
    Edge(FuncId, EdgeId, Role, u32),
    /// What is impossible in a function.
    Enforce(FuncId),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// The sets of predicates whose combinations were looked at; each sorted.
    pub(crate) looked_at: Vec<Vec<Tag>>,
    pub(crate) found: Dnf,
}

/// Answers of earlier abstractions. Belongs to one program and one set of predicates, whose ids stay.
#[derive(Debug, Default)]
pub struct Cache {
    entries: FxHashMap<Key, Entry>,
    /// Under other limits the answers differ.
    options: Option<Options>,
    /// Answers to the same questions in other programs.
    pub(crate) answers: Option<Answers>,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Cache {
        Cache::default()
    }

    /// A cache with answers from other programs, which are used and added to.
    pub fn with_answers(answers: Answers) -> Cache {
        Cache { answers: Some(answers), ..Cache::default() }
    }

    /// All answers, those from other programs and those that were found since.
    pub fn into_answers(self) -> Answers {
        self.answers.unwrap_or_default()
    }

    /// The number of answers kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets everything that was computed under other limits.
    pub(crate) fn use_for(&mut self, options: &Options) {
        if self.options.as_ref() != Some(options) {
            self.entries.clear();
            self.options = Some(options.clone());
        }
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Entry> {
        self.entries.get(&key)
    }

    pub(crate) fn put(&mut self, key: Key, entry: Entry) {
        self.entries.insert(key, entry);
    }
}

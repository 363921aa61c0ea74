//! Which functions a rule speaks of, and which events are whose.

use crate::syntax::{Handler, Moment, Pattern, Rule, Target};
use base::IndexVec;
use ir::cfg::CallGraph;
use ir::{FuncId, Function, Op, Program};
use lower::events::{self, Event, Events, Watched};

/// Whether a rule has anything to say about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applies {
    /// It has: so many steps of the program are events of its functions.
    Yes(usize),
    /// The program uses none of these functions.
    No(Vec<String>),
}

/// A pattern and what it is an alias for.
fn expanded<'r>(rule: &'r Rule, pattern: &'r Pattern) -> impl Iterator<Item = &'r str> {
    let others = rule.aliases.iter().filter(|a| a.name.text == pattern.text).flat_map(|a| &a.others);
    std::iter::once(pattern).chain(others).map(|p| p.text.as_str())
}

/// A name of the rule and its aliases.
pub(crate) fn members(rule: &Rule, pattern: &Pattern) -> Vec<String> {
    expanded(rule, pattern).map(str::to_owned).collect()
}

/// The event of a value that comes to where it outlives the entry, by its name in rules and in the program.
pub(crate) use lower::events::KEPT;

/// The functions that a rule speaks of.
fn targets(rule: &Rule) -> impl Iterator<Item = &Pattern> {
    all_targets(rule).filter(|p| p.text != KEPT)
}

fn all_targets(rule: &Rule) -> impl Iterator<Item = &Pattern> {
    let handled = rule.handlers.iter().map(|h: &Handler| &h.event.target);
    let watched = rule.watches.iter().flat_map(|w| &w.choices).map(|c| &c.event.target);
    handled.chain(watched).flat_map(|target| match target {
        Target::Functions(all) => all.as_slice(),
        Target::EntryPoint | Target::Program => &[],
    })
}

/// The functions of whose calls a rule has to hear, by name or pattern, with aliases.
pub fn watched(rule: &Rule) -> Watched {
    let all = all_targets(rule).chain(&rule.applies);
    let mut all: Vec<String> = all.flat_map(|p| expanded(rule, p)).map(str::to_owned).collect();
    all.sort();
    all.dedup();
    Watched::new(all).with_entry()
}

/// The functions that, by the rule's word, write nothing that the program looks at.
pub fn quiet(rule: &Rule) -> Watched {
    Watched::new(rule.quiet.iter().flat_map(|p| expanded(rule, p)).map(str::to_owned))
}

/// Names of a rule, with the aliases of each: the rule cannot be about what none of them stands for.
pub fn groups(rule: &Rule) -> Vec<(Pattern, Vec<String>)> {
    let mut all: Vec<(Pattern, Vec<String>)> = Vec::new();
    for pattern in targets(rule).chain(&rule.applies) {
        if all.iter().all(|(p, _)| p.text != pattern.text) {
            all.push((pattern.clone(), expanded(rule, pattern).map(str::to_owned).collect()));
        }
    }
    all
}

/// Whether the rule has anything to say about a program with these events.
pub fn applies(rule: &Rule, program: &Program, all: &Events) -> Applies {
    let wanted: Vec<&Pattern> =
        if rule.applies.is_empty() { targets(rule).collect() } else { rule.applies.iter().collect() };
    let used = |e: &Event| wanted.iter().flat_map(|p| expanded(rule, p)).any(|p| events::matches(p, &e.function));
    let reached = reached(program);
    let functions = program.functions.iter_enumerated().filter(|(f, _)| reached[*f]);
    let bodies = functions.filter_map(|(_, f)| f.body.as_ref());
    let steps = bodies.flat_map(|b| &b.edges).filter_map(|e| events::event_of(&e.op));
    let n = steps.filter(|&id| used(&all[id])).count();
    // A rule that speaks of the entry and the end alone is about every program.
    if n > 0 || wanted.is_empty() {
        return Applies::Yes(n);
    }
    let mut names: Vec<String> = Vec::new();
    for pattern in wanted {
        if !names.contains(&pattern.text) {
            names.push(pattern.text.clone());
        }
    }
    Applies::No(names)
}

/// Whether the rule's functions may be used behind a step that is not supported: nothing that follows such a step is in the program. The names
/// are those of all functions that the sources use.
pub fn may_hide<'n>(rule: &Rule, program: &Program, mut names: impl Iterator<Item = &'n str>) -> bool {
    let reached = reached(program);
    let functions = program.functions.iter_enumerated().filter(|(f, _)| reached[*f]);
    let mut edges = functions.filter_map(|(_, f)| f.body.as_ref()).flat_map(|b| &b.edges);
    let wanted: Vec<&Pattern> =
        if rule.applies.is_empty() { targets(rule).collect() } else { rule.applies.iter().collect() };
    let is_wanted = |name: &str| wanted.iter().flat_map(|p| expanded(rule, p)).any(|p| events::matches(p, name));
    edges.any(|e| ir::calls::is_unsupported_construct(&e.op)) && names.any(is_wanted)
}

/// The functions that a run from the entry may enter. A program has more: those whose addresses stand in tables that it mentions, and
/// these count only where something is called, or done, of which it is not known what it is.
fn reached(program: &Program) -> IndexVec<FuncId, bool> {
    let mut graph = CallGraph::new(program);
    // A function called through a pointer has its branches already, and one that is not supported for what the pointer may be besides.
    let is_opaque = |f: &Function| f.body.iter().flat_map(|b| &b.edges).any(|e| matches!(e.op, Op::Unsupported(_)));
    for (id, f) in program.functions.iter_enumerated() {
        graph.indirect[id] |= is_opaque(f);
    }
    graph.reachable_from(program.entry)
}

/// Where in the text of a rule it is said what happens at calls, rather than at the entry and the end of the program.
pub fn about_calls(rule: &Rule) -> Vec<std::ops::Range<u32>> {
    let mut starts: Vec<u32> = rule.handlers.iter().map(|h| h.event.span.lo).collect();
    starts.extend(rule.watches.iter().flat_map(|w| [w.span.lo, w.span.hi]));
    let end = |lo: u32| starts.iter().copied().filter(|s| *s > lo).min().unwrap_or(u32::MAX);
    let is_kept = |all: &[Pattern]| all.iter().any(|p| p.text == KEPT);
    let about = |h: &&Handler| matches!(&h.event.target, Target::Functions(all) if !is_kept(all));
    let calls = rule.handlers.iter().filter(about);
    let watches = rule.watches.iter().map(|w| w.span.lo..w.span.hi);
    calls.map(|h| h.event.span.lo..end(h.event.span.lo)).chain(watches).collect()
}

/// Whether an event in `func` is one of those that a pattern means.
pub(crate) fn concerns(
    rule: &Rule,
    program: &Program,
    func: FuncId,
    event: &Event,
    (target, moment): (&Target, Moment),
) -> bool {
    let same = match event.moment {
        events::Moment::Entry => moment == Moment::Entry,
        events::Moment::Exit => moment == Moment::Exit,
        events::Moment::End => moment == Moment::End,
    };
    same && match target {
        Target::Functions(all) => {
            all.iter().flat_map(|p| expanded(rule, p)).any(|p| events::matches(p, &event.function))
        }
        Target::EntryPoint => func == program.entry && event.function == program.functions[func].name,
        Target::Program => true,
    }
}

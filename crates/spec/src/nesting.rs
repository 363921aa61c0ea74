//! Aliases that call each other. An inline function and the function that it stands for are one thing to a rule that has both as
//! aliases: `spin_lock` calls `_raw_spin_lock`, and the lock is taken once. Only the outermost call is an event then: the rule counts
//! how many functions of the group are open, in programs where one can be open inside of another.

use crate::compile::{Step, global};
use crate::names::members;
use crate::syntax::{Pattern, Rule, Target};
use base::Span;
use ir::cfg::CallGraph;
use ir::{BinOp, EdgeId, Expr, FuncId, GlobalId, Program, Ty};
use lower::events::{self, Event, EventId, Events, Moment};

/// A name with aliases of which one calls another.
pub(crate) struct Group {
    /// The name.
    name: String,
    /// It and its aliases.
    members: Vec<String>,
    /// How many of them are open.
    depth: GlobalId,
    span: Span,
}

/// The type of the count.
pub(crate) const DEPTH: Ty = Ty::Int(ir::IntTy { width: 32, signed: true });

/// The names of a rule whose aliases call each other in the program.
pub(crate) fn nested<'r>(
    rule: &'r Rule,
    program: &Program,
    all: &Events,
    sites: &[(FuncId, EdgeId, EventId)],
) -> Vec<&'r Pattern> {
    let graph = CallGraph::new(program);
    let mut out: Vec<&Pattern> = Vec::new();
    for alias in &rule.aliases {
        let members = members(rule, &alias.name);
        let is_member = |name: &str| members.iter().any(|p| events::matches(p, name));
        let inside = |f: FuncId| {
            let reached = graph.reachable_from(f);
            sites.iter().any(|(at, _, id)| {
                let other = &all[*id].function;
                reached[*at] && is_member(other) && other != crate::again::name_of(program, f)
            })
        };
        let mut bodies = program
            .functions
            .iter_enumerated()
            .filter(|(id, f)| f.body.is_some() && is_member(crate::again::name_of(program, *id)));
        if bodies.any(|(f, _)| inside(f)) && out.iter().all(|p| p.text != alias.name.text) {
            out.push(&alias.name);
        }
    }
    out
}

impl Group {
    /// The group of a name, which counts in this global.
    pub(crate) fn new(rule: &Rule, name: &Pattern, depth: GlobalId) -> Group {
        Group { name: name.text.clone(), members: members(rule, name), depth, span: name.span }
    }

    /// Whether an event of this function belongs to what a target says of the group.
    fn decides(&self, target: &Target, event: &Event) -> bool {
        let named = matches!(target, Target::Functions(all) if all.iter().any(|p| p.text == self.name));
        named && self.has(event)
    }

    fn has(&self, event: &Event) -> bool {
        event.moment != Moment::End && self.members.iter().any(|p| events::matches(p, &event.function))
    }

    /// The steps, only if no other function of the group is open.
    fn outermost(&self, program: &Program, steps: Vec<Step>) -> Step {
        let none = Expr::binary(BinOp::Eq, global(program, self.depth), Expr::int(DEPTH, 0));
        Step::If(none, steps, Vec::new(), self.span)
    }

    fn count(&self, program: &Program, op: BinOp) -> Step {
        let n = Expr::binary(op, global(program, self.depth), Expr::int(DEPTH, 1));
        Step::Set(self.depth, n, self.span)
    }
}

/// What is done for a target at an event, if it is the outermost one.
pub(crate) fn once(groups: &[Group], program: &Program, target: &Target, event: &Event, steps: Vec<Step>) -> Vec<Step> {
    match groups.iter().find(|g| g.decides(target, event)) {
        Some(group) if !steps.is_empty() => vec![group.outermost(program, steps)],
        _ => steps,
    }
}

/// All steps of an event with the counts around them: a function with a body is open from its entry to its exit.
pub(crate) fn counted(
    groups: &[Group],
    program: &Program,
    func: FuncId,
    event: &Event,
    mut steps: Vec<Step>,
) -> Vec<Step> {
    if crate::again::name_of(program, func) != event.function {
        return steps;
    }
    for group in groups.iter().filter(|g| g.has(event)) {
        match event.moment {
            Moment::Entry => steps.push(group.count(program, BinOp::Add)),
            Moment::Exit => steps.insert(0, group.count(program, BinOp::Sub)),
            Moment::End => {}
        }
    }
    steps
}

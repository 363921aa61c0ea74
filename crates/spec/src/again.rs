//! The entry function, where the program calls it too. Only the activation that the run begins with is the entry; the operations of a
//! driver are called again by what gets their addresses. So all calls go to a copy of the function, in which neither the entry
//! nor the end of the program happens, and a rule need not count activations.

use crate::syntax::{Rule, Target};
use ir::{Callee, FuncId, Op, Program};
use lower::events::{Events, Moment, event_of};

/// What the name of the copy ends with; no name of a program contains it.
const AGAIN: &str = ".again";

/// Makes the copy, if the rule speaks of the entry or the end and the program calls the entry.
pub(crate) fn separate(program: &mut Program, events: &Events, rule: &Rule) {
    let of_entry = rule.handlers.iter().any(|h| !matches!(h.event.target, Target::Functions(_)));
    if !of_entry || !calls(program, program.entry) {
        return;
    }
    let entry = program.entry;
    let mut copy = program.functions[entry].clone();
    let name = copy.name.clone();
    copy.name += AGAIN;
    if let Some(body) = &mut copy.body {
        for edge in body.edges.iter_mut() {
            // `exit` ends the program wherever it is called; the return of the copy does not.
            let is_end = event_of(&edge.op).is_some_and(|id| events[id].moment == Moment::End);
            if is_end && edge.to.is_some_and(|to| returns_from(&program.functions[entry], to)) {
                edge.op = Op::Skip;
            }
        }
    }
    let mut declared = (*program.declared.0).clone();
    if let Some(locals) = declared.locals.get(&name).cloned() {
        declared.locals.insert(copy.name.clone(), locals);
        program.declared = ir::declared::Declarations(std::sync::Arc::new(declared));
    }
    let copy = program.functions.push(copy);
    for function in program.functions.iter_mut() {
        for edge in function.body.iter_mut().flat_map(|b| b.edges.iter_mut()) {
            if let Op::Call(call) = &mut edge.op
                && matches!(call.callee, Callee::Direct(f) if f == entry)
            {
                call.callee = Callee::Direct(copy);
            }
        }
    }
}

fn calls(program: &Program, callee: FuncId) -> bool {
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref());
    let mut ops = bodies.flat_map(|b| &b.edges).map(|e| &e.op);
    ops.any(|op| matches!(op, Op::Call(c) if matches!(c.callee, Callee::Direct(f) if f == callee)))
}

/// Whether the next step is the return of the function.
fn returns_from(function: &ir::Function, at: ir::Loc) -> bool {
    let edges = function.body.iter().flat_map(|b| &b.edges);
    edges.filter(|e| e.from == at).any(|e| matches!(e.op, Op::Return(_)))
}

/// The name that a function has in the source.
pub(crate) fn name_of(program: &Program, func: FuncId) -> &str {
    let name = &program.functions[func].name;
    name.strip_suffix(AGAIN).unwrap_or(name)
}

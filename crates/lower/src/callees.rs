//! Which functions a call through a pointer is worth a branch for: those that the analysis of pointers says the pointer may be.
//!
//! Nothing rests on the answer. What the pointer may be besides is a branch of its own, which a proof has to show is not
//! taken ([`ir::calls`]); a function that is missing here costs an answer, one too many costs time.
//!
//! The analysis follows calls through pointers by itself, from the functions that it finds for them, and is exact for them as long as
//! nothing is called back. Where there are call-backs it is made of the program that has them, with a branch for each function that
//! fits.

use crate::callbacks::{self, Callbacks};
use ir::cfg::AddressTaken;
use ir::{Call, Callee, EdgeId, FuncId, Op, Program};
use pointsto::{Object, Query};
use std::collections::BTreeMap;

/// The functions for each call, by the function and the edge that it stands in.
type Found = BTreeMap<(FuncId, EdgeId), Vec<FuncId>>;

/// Makes branches of all calls through pointers, and puts call-backs around the calls of undefined functions. What is to be done to
/// calls in between, where all of them are by name and each stands once, `named` does.
pub(crate) fn resolve(program: &mut Program, mode: Callbacks, named: impl FnOnce(&mut Program)) {
    let found = if pointsto::applies(program) { found(program, mode) } else { Found::new() };
    ir::calls::resolve(program, &found);
    named(program);
    callbacks::add(program, mode);
}

fn found(program: &Program, mode: Callbacks) -> Found {
    if calls(program).next().is_none() {
        return Found::new();
    }
    let mut whole = program.clone();
    ir::calls::resolve(&mut whole, &Found::new());
    let edges = |p: &Program| p.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.edges.len()).sum::<usize>();
    let before = edges(&whole);
    callbacks::add(&mut whole, mode);
    let analysed = if edges(&whole) == before { program } else { &whole };
    let taken = AddressTaken::new(analysed);
    let solution = pointsto::analyze(analysed, &taken);
    let query = Query { program: analysed, taken: &taken, solution: &solution };
    calls(program)
        .filter_map(|(func, edge, call)| {
            let Callee::Indirect(pointer) = &call.callee else { return None };
            let targets = query.expr(func, pointer);
            // What comes from outside may be any function.
            let outside = targets.contains_key(&Object::Ext);
            let functions = targets.keys().filter_map(|o| if let Object::Func(f) = o { Some(*f) } else { None });
            (!outside).then(|| ((func, edge), functions.collect()))
        })
        .collect()
}

/// The calls through pointers.
fn calls(program: &Program) -> impl Iterator<Item = (FuncId, EdgeId, &Call)> {
    let bodies = program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
    bodies.flat_map(|(func, body)| {
        body.edges.iter_enumerated().filter_map(move |(id, edge)| match &edge.op {
            Op::Call(call @ Call { callee: Callee::Indirect(_), .. }) => Some((func, id, call)),
            _ => None,
        })
    })
}

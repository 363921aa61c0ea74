//! Which functions a call through a pointer is worth a branch for: those that the analysis of pointers says the pointer may be.
//!
//! Nothing rests on the answer. What the pointer may be besides is a branch of its own, which a proof has to show is not
//! taken ([`ir::calls`]); a function that is missing here costs an answer, one too many costs time. Likewise for whether the pointer may
//! come from outside.
//!
//! The analysis follows calls through pointers by itself, from the functions that it finds for them, and is exact for them as long as
//! nothing is called back. Where there are call-backs it is made of the program that has them, with a branch for each function that
//! fits, and one for functions of the outside where the pointer may come from there by the analysis of the program without call-backs.

use crate::callbacks::{self, Callbacks};
use ir::calls::Pointer;
use ir::cfg::AddressTaken;
use ir::{Call, Callee, EdgeId, FuncId, Op, Program};
use pointsto::{Object, Query};
use std::collections::BTreeMap;

/// What is known of the pointer of each call, by the function and the edge that it stands in.
type Found = BTreeMap<(FuncId, EdgeId), Pointer>;

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
    let plain = targets(program, program);
    // Over all functions that fit, since call-backs may bring more than is known now.
    let outside: Found =
        plain.iter().filter(|(_, p)| **p == Pointer::FromOutside).map(|(&c, p)| (c, p.clone())).collect();
    let all = program.functions.ids().collect::<Vec<_>>();
    let others = plain.keys().filter(|call| !outside.contains_key(call));
    let mut open: Found = others.map(|&call| (call, Pointer::OneOf(all.clone()))).collect();
    open.extend(outside);
    let mut whole = program.clone();
    ir::calls::resolve(&mut whole, &open);
    let edges = |p: &Program| p.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.edges.len()).sum::<usize>();
    let before = edges(&whole);
    callbacks::add(&mut whole, mode);
    if edges(&whole) == before { plain } else { targets(program, &whole) }
}

/// What the pointers of a program's calls may be in `analysed`, which is this program or what was made of it.
fn targets(program: &Program, analysed: &Program) -> Found {
    let taken = AddressTaken::new(analysed);
    let solution = pointsto::analyze(analysed, &taken);
    let query = Query { program: analysed, taken: &taken, solution: &solution };
    let pointers = calls(program).filter_map(|(func, edge, call)| {
        let Callee::Indirect(pointer) = &call.callee else { return None };
        let targets = query.expr(func, pointer);
        // What comes from outside may be any function. So may what nothing was stored in, as far as a proof goes: it is read through
        // null, say, and a proof does not build on the execution ending there.
        let pointer = if targets.contains_key(&Object::Ext) || targets.is_empty() {
            Pointer::FromOutside
        } else {
            let function = |o: &Object| if let Object::Func(f) = o { Some(*f) } else { None };
            Pointer::OneOf(targets.keys().filter_map(function).collect())
        };
        Some(((func, edge), pointer))
    });
    pointers.collect()
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

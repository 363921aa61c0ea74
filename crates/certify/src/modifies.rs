//! Rule 5: `modifies` covers each write and each callee, by reading the IR and nothing else. This is one of the two
//! places where this crate looks at operations itself; the meaning of steps comes from `vc`.

use crate::proof::FunctionProof;
use base::sabotage::{self, Fault};
use ir::{Address, Alloc, Base, Call, Callee, EdgeId, Externs, FuncId, GlobalId, HavocDst, Op, Place, Program, Var};
use std::collections::BTreeSet;

/// A write that a `modifies` set leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Uncovered {
    pub(crate) edge: EdgeId,
    pub(crate) global: GlobalId,
    /// The callee through which it is written, if it is not this edge itself.
    pub(crate) callee: Option<FuncId>,
}

/// The first write in the function that its `modifies` set leaves out. `modifies_of` gives the sets of callees; a
/// function without one is claimed to be called never, and rule 3 holds it to that.
pub(crate) fn uncovered<'a>(
    program: &Program,
    proof: &FunctionProof,
    modifies_of: impl Fn(FuncId) -> Option<&'a BTreeSet<GlobalId>>,
) -> Option<Uncovered> {
    let body = program.functions[proof.func].body.as_ref()?;
    let missing = |global: &GlobalId| !proof.modifies.contains(global);
    for (edge, e) in body.edges.iter_enumerated() {
        if let Some(global) = written_global(&e.op).filter(missing) {
            return Some(Uncovered { edge, global, callee: None });
        }
        let Op::Call(Call { callee: Callee::Direct(callee), .. }) = e.op else { continue };
        let by_callee: Vec<GlobalId> = if program.functions[callee].body.is_some() {
            if sabotage::active(Fault::ModifiesIgnoresCallees) {
                continue;
            }
            modifies_of(callee).into_iter().flatten().copied().collect()
        } else {
            extern_writes(program)
        };
        if let Some(global) = by_callee.into_iter().find(missing) {
            return Some(Uncovered { edge, global, callee: Some(callee) });
        }
    }
    None
}

/// The globals that a function without a body may write.
fn extern_writes(program: &Program) -> Vec<GlobalId> {
    match program.externs {
        Externs::Pure => Vec::new(),
        Externs::Args | Externs::Any => {
            let globals = program.globals.iter_enumerated();
            globals.filter(|(id, g)| program.known_outside(*id) && !g.constant).map(|(id, _)| id).collect()
        }
    }
}

/// The global that an operation names as what it writes. Writes through pointers have no such name; `vc` refuses them.
fn written_global(op: &Op) -> Option<GlobalId> {
    let of_place = |place: &Place| match &place.addr {
        Address { base: Base::Var(Var::Global(g)), .. } => Some(*g),
        _ => None,
    };
    match op {
        Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) | Op::Alloc(Alloc { dst: place, .. }) => {
            of_place(place)
        }
        Op::Call(Call { dst: Some(Var::Global(g)), .. }) => Some(*g),
        Op::Call(_)
        | Op::Skip
        | Op::Assume(_)
        | Op::Havoc(HavocDst::Range { .. }, _)
        | Op::Free(_)
        | Op::Begin(_)
        | Op::End(_)
        | Op::Release(_)
        | Op::SetRange { .. }
        | Op::CopyRange { .. }
        | Op::Return(_)
        | Op::Error(_)
        | Op::Halt
        | Op::Unsupported(_) => None,
    }
}

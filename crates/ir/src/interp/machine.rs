//! The machine: activations, choice of edges, and the fast path of evaluation.
//!
//! Calls use an explicit stack, so recursion of the program is limited by [`Limits`] alone. The current activation's slots
//! are `slots[base..]`.

use super::arith::narrow;
use super::code::{Code, CodeEdge, Compiled, Dst, General, Narrow};
use super::inputs::*;
use super::memory::Memory;
use super::ops;
use super::state::{Snapshot, StateView};
use super::tape::{InputError, Tape};
use super::value::{Provenance, Value};
use super::{Divergence, End, Execution, Limits, Observer, STEPS, Step};
use crate::path::Path;
use crate::syntax::*;
use base::{Exhausted, Id};

/// Why evaluation cannot go on.
#[derive(Debug)]
pub(super) enum Stop {
    Ub(Ub),
    Input(InputError),
    Limit(Exhausted),
    /// A library function is asked for something that it is not followed in.
    Unsupported(String),
}

pub(super) type R<T> = Result<T, Box<Stop>>;

/// An activation.
pub(super) struct Frame {
    pub(super) func: usize,
    /// Where its slots begin.
    pub(super) base: usize,
    /// The caller's edge, and the step at which it was taken.
    pub(super) call: u32,
    pub(super) call_step: u64,
    /// Objects that end with it.
    pub(super) objects: Vec<u32>,
    /// Memory that its slots take.
    pub(super) bytes: u64,
    pub(super) entry: Option<Box<Snapshot>>,
}

pub(super) struct Machine<'a, O> {
    pub(super) program: &'a Program,
    pub(super) code: &'a Compiled,
    pub(super) inputs: &'a mut dyn Inputs,
    pub(super) observer: &'a mut O,
    /// The text whose length the last library function gave.
    pub(super) text: Option<Vec<u8>>,
    pub(super) limits: Limits,
    pub(super) slots: Vec<Value>,
    pub(super) base: usize,
    pub(super) globals: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    pub(super) memory: Memory,
    pub(super) tape: Tape,
    /// Something depended on where objects lie.
    pub(super) layout: bool,
    /// The pattern of a number that is not a number, which C leaves open, came to where it can be seen.
    pub(super) pattern: bool,
    pub(super) at: At,
    pub(super) steps: u64,
    /// Units of work left.
    pub(super) work: u64,
    pub(super) memory_left: u64,
}

/// Whether an edge can be taken.
enum Enabled {
    Yes,
    No,
    Failed(Ub),
}

/// Where a run goes on after a step.
pub(super) enum Next {
    /// At the edge's target.
    Target,
    /// At the entry of a function that was called.
    Enter,
    /// In the caller.
    Leave,
    /// Nowhere: the operation ends the run.
    Over,
}

/// What a slot holds whose variable was never written since this step.
pub(super) fn undrawn(since: Option<u64>) -> Value {
    Value { bits: since.map_or(0, |s| u128::from(s) + 1), provenance: Provenance::UNDRAWN }
}

/// The step that an undrawn slot names.
pub(super) fn since(v: Value) -> Option<u64> {
    v.bits.checked_sub(1).map(|s| s as u64)
}

impl<'a, O: Observer> Machine<'a, O> {
    pub(super) fn new(
        program: &'a Program,
        code: &'a Compiled,
        inputs: &'a mut dyn Inputs,
        limits: Limits,
        observer: &'a mut O,
    ) -> Machine<'a, O> {
        Machine {
            program,
            code,
            inputs,
            observer,
            text: None,
            limits,
            slots: Vec::new(),
            base: 0,
            globals: Vec::new(),
            frames: Vec::new(),
            memory: Memory::new(program),
            tape: Tape::default(),
            layout: false,
            pattern: false,
            at: At::Start,
            steps: 0,
            work: limits.steps,
            memory_left: limits.memory_bytes,
        }
    }

    pub(super) fn run(mut self, path: Option<&Path>) -> Execution {
        let end = match self.start() {
            Ok(()) => self.steps_until_end(path),
            Err(stop) => self.stopped(*stop),
        };
        let conclusive = !matches!(end, End::Limit(_) | End::BadInput { .. });
        let end = match self.inputs.finish() {
            Err(why) if conclusive => End::BadInput { why, at: self.at },
            _ => end,
        };
        let drew_nothing = self.tape.entries.is_empty() && !self.layout && !self.pattern;
        Execution { end, steps: self.steps, tape: self.tape, drew_nothing }
    }

    fn stopped(&self, stop: Stop) -> End {
        match stop {
            Stop::Ub(ub) => End::Ub { ub, policy: self.program.ub.get(ub), at: self.at },
            Stop::Input(why) => End::BadInput { why, at: self.at },
            Stop::Limit(e) => End::Limit(e),
            Stop::Unsupported(why) => match self.at {
                At::Edge(func, edge) => End::Unsupported { why, at: (func, edge) },
                At::Start => unreachable!("library functions are called by edges"),
            },
        }
    }

    pub(super) fn function_id(func: usize) -> FuncId {
        FuncId::from_index(func)
    }

    fn steps_until_end(&mut self, path: Option<&Path>) -> End {
        let code = self.code;
        let mut func = self.program.entry.index();
        let mut body = code.functions[func].body.as_ref().expect("a valid program's entry has a body");
        let mut pc = body.entry;
        loop {
            if let Some(path) = path
                && self.steps as usize == path.edges.len()
            {
                return End::PathEnd;
            }
            if self.work == 0 {
                return End::Limit(Exhausted { what: STEPS, limit: self.limits.steps });
            }
            self.work -= 1;
            let (lo, hi) = body.out[pc as usize];
            let out = &body.order[lo as usize..hi as usize];
            let e = match self.choose(func, pc, out, &body.edges, path) {
                Ok(Ok(e)) => e,
                Ok(Err(end)) => return end,
                Err(stop) => return self.stopped(*stop),
            };
            let edge = &body.edges[e as usize];
            let step = Step {
                func: Self::function_id(func),
                edge: EdgeId::from_index(e as usize),
                index: self.steps,
                depth: self.frames.len() - 1,
            };
            if O::ACTIVE {
                let state = StateView::of(self.program, code, &self.memory, &self.globals, &self.slots, &self.frames);
                self.observer.before(&state, step);
            }
            let next = match self.execute(func, e, edge) {
                Ok(next) => next,
                Err(stop) => {
                    self.steps += 1;
                    return self.stopped(*stop);
                }
            };
            self.steps += 1;
            if O::ACTIVE && !matches!(next, Next::Over) {
                let state = StateView::of(self.program, code, &self.memory, &self.globals, &self.slots, &self.frames);
                self.observer.after(&state, step);
            }
            match next {
                Next::Target => {
                    if path.is_none() && edge.to == pc && matches!(self.edge(func, e).op, Op::Skip | Op::Assume(_)) {
                        // Nothing has changed, so the same edge is taken for ever: no need to wait for it. A path may leave.
                        self.work = 0;
                    }
                    pc = edge.to;
                }
                Next::Enter => {
                    func = self.frames.last().expect("a call opens an activation").func;
                    body = code.functions[func].body.as_ref().expect("only bodies are entered");
                    pc = body.entry;
                }
                Next::Leave => match self.leave() {
                    Err(stop) => return self.stopped(*stop),
                    Ok(Err(end)) => return end,
                    Ok(Ok((caller, call))) => {
                        func = caller;
                        body = code.functions[func].body.as_ref().expect("callers have bodies");
                        pc = body.edges[call as usize].to;
                    }
                },
                Next::Over => return self.over(func, e),
            }
        }
    }

    /// How the run ends at an edge whose operation ends it.
    fn over(&self, func: usize, e: u32) -> End {
        let at = (Self::function_id(func), EdgeId::from_index(e as usize));
        match &self.edge(func, e).op {
            Op::Error(kind) => End::Error { kind: kind.clone(), at },
            Op::Unsupported(why) => End::Unsupported { why: why.clone(), at },
            _ => End::Halted { at },
        }
    }

    /// The edge in the program's own form.
    pub(super) fn edge(&self, func: usize, e: u32) -> &'a Edge {
        let body = self.program.functions[Self::function_id(func)].body.as_ref();
        &body.expect("edges that run are in bodies").edges[EdgeId::from_index(e as usize)]
    }

    /// The edge to take, or how the run ends here.
    #[inline]
    fn choose(
        &mut self,
        func: usize,
        pc: u32,
        out: &[u32],
        edges: &'a [CodeEdge],
        path: Option<&Path>,
    ) -> R<Result<u32, End>> {
        let mut wanted = u32::MAX;
        let index = self.steps as usize;
        if let Some(path) = path {
            let (f, e) = path.edges[index];
            wanted = e.index() as u32;
            if f.index() != func {
                return Ok(Err(End::Diverged { index, why: Divergence::OtherFunction }));
            }
            if edges.get(e.index()).is_none_or(|edge| edge.from != pc) {
                return Ok(Err(End::Diverged { index, why: Divergence::OtherLocation }));
            }
        }
        let mut failed = None;
        for &e in out {
            self.at = At::Edge(Self::function_id(func), EdgeId::from_index(e as usize));
            let enabled = self.enabled(&edges[e as usize])?;
            if path.is_some() && e != wanted {
                continue;
            }
            match enabled {
                Enabled::Yes => return Ok(Ok(e)),
                Enabled::No => {}
                Enabled::Failed(ub) => failed = failed.or(Some((ub, self.at))),
            }
            if path.is_some() {
                break;
            }
        }
        Ok(Err(match failed {
            Some((ub, at)) => End::Ub { ub, policy: self.program.ub.get(ub), at },
            None if path.is_some() => End::Diverged { index, why: Divergence::ConditionFalse },
            None => End::Blocked { func: Self::function_id(func), loc: Loc::from_index(pc as usize) },
        }))
    }

    #[inline]
    fn enabled(&mut self, edge: &'a CodeEdge) -> R<Enabled> {
        for (ub, cond) in &edge.guards {
            match self.narrow(cond) {
                Ok(0) => return Ok(Enabled::Failed(*ub)),
                Ok(_) => {}
                Err(stop) => return failed(*stop),
            }
        }
        if let Code::Assume(cond) = &edge.code {
            return match self.narrow(cond) {
                Ok(0) => Ok(Enabled::No),
                Ok(_) => Ok(Enabled::Yes),
                Err(stop) => failed(*stop),
            };
        }
        Ok(Enabled::Yes)
    }

    #[inline]
    fn execute(&mut self, func: usize, e: u32, edge: &'a CodeEdge) -> R<Next> {
        match &edge.code {
            Code::Skip | Code::Assume(_) => {}
            Code::SetLocal(slot, value) => {
                let bits = self.narrow(value)?;
                self.slots[self.base + *slot as usize] = Value::plain(bits.into());
            }
            Code::Set(dst, value) => {
                let value = self.general(value)?;
                self.write(dst, value)?;
            }
            Code::Havoc(dst, ty) => self.havoc(func, e, dst, *ty)?,
            Code::HavocRange { dst, len } => {
                let (dst, len) = (self.general(dst)?, self.general(len)?);
                self.havoc_range(func, e, dst, len.bits as u64)?;
            }
            Code::Alloc { dst, size } => {
                let size = self.general(size)?.bits as u64;
                let pointer = self.alloc(func, e, size)?;
                self.write(dst, pointer)?;
            }
            Code::Free(p) => {
                let p = self.general(p)?;
                self.free(p)?;
            }
            Code::Begin(slot) => self.begin(func, *slot)?,
            Code::EndLocal(slot) => self.end_local(func, *slot),
            Code::Release(p) => {
                let p = self.general(p)?;
                self.release(p)?;
            }
            Code::SetRange { dst, value, len } => {
                let (dst, value, len) = (self.general(dst)?, self.narrow(value)?, self.general(len)?);
                self.set_range(dst, value as u8, len.bits as u64)?;
            }
            Code::CopyRange { dst, src, len } => {
                let (dst, src, len) = (self.general(dst)?, self.general(src)?, self.general(len)?);
                self.copy_range(dst, src, len.bits as u64)?;
            }
            Code::Call { callee, args } => return self.call(func, e, callee, args),
            Code::Return(value) => {
                if let (Some(value), Some(ret)) = (value, self.program.functions[Self::function_id(func)].ret) {
                    let value = self.general(value)?;
                    self.write_local(func, ret, value)?;
                }
                return Ok(Next::Leave);
            }
            Code::End => return Ok(Next::Over),
        }
        Ok(Next::Target)
    }

    /// Evaluates an expression that fits a machine word.
    pub(super) fn narrow(&mut self, e: &'a Narrow) -> R<u64> {
        Ok(match e {
            Narrow::Const(c) => *c,
            Narrow::Local(slot, ty) => {
                let v = self.slots[self.base + *slot as usize];
                if v.provenance == Provenance::UNDRAWN {
                    self.draw_local(*slot, *ty)?.bits as u64
                } else {
                    v.bits as u64
                }
            }
            Narrow::Global(slot, ty) => {
                let v = self.globals[*slot as usize];
                if v.provenance == Provenance::UNDRAWN {
                    self.draw_global(*slot, *ty)?.bits as u64
                } else {
                    v.bits as u64
                }
            }
            Narrow::Binary { op, width, signed, args } => {
                let a = self.narrow(&args.0)?;
                let b = self.narrow(&args.1)?;
                narrow::binary(*op, u32::from(*width), *signed, a, b)
            }
            Narrow::Unary { op, width, arg } => narrow::unary(*op, u32::from(*width), self.narrow(arg)?),
            Narrow::Resize { from, signed, to, arg } => {
                narrow::resize(self.narrow(arg)?, u32::from(*from), *signed, u32::from(*to))
            }
            Narrow::NonZero(a) => u64::from(self.narrow(a)? != 0),
            Narrow::And(args) => u64::from(self.narrow(&args.0)? != 0 && self.narrow(&args.1)? != 0),
            Narrow::Or(args) => u64::from(self.narrow(&args.0)? != 0 || self.narrow(&args.1)? != 0),
            Narrow::Choose(args) => {
                if self.narrow(&args.0)? != 0 {
                    self.narrow(&args.1)?
                } else {
                    self.narrow(&args.2)?
                }
            }
            Narrow::General(g) => self.general(g)?.bits as u64,
        })
    }

    /// Evaluates an expression of any type.
    pub(super) fn general(&mut self, e: &'a General) -> R<Value> {
        Ok(match e {
            General::Narrow(n) => Value::plain(self.narrow(n)?.into()),
            General::Const(v) => *v,
            General::Local(slot, ty) => {
                let v = self.slots[self.base + *slot as usize];
                if v.provenance == Provenance::UNDRAWN { self.draw_local(*slot, *ty)? } else { v }
            }
            General::Global(slot, ty) => {
                let v = self.globals[*slot as usize];
                if v.provenance == Provenance::UNDRAWN { self.draw_global(*slot, *ty)? } else { v }
            }
            General::Function(index) => self.memory.function_address(*index),
            General::Load(spot) => {
                let at = self.address(&spot.at)?;
                self.load(at, spot.ty, spot.bits)?
            }
            General::Address(at) => self.address(at)?,
            General::Unary(op, ty, a) => Value::plain(ops::unary(*op, *ty, self.general(a)?.bits)),
            General::Binary(op, ty, args) => {
                let (a, b) = (self.general(&args.0)?, self.general(&args.1)?);
                let (v, effect) = ops::binary(&self.memory, *op, *ty, a, b);
                self.layout |= effect.layout;
                v
            }
            General::Convert(from, to, a) => {
                let a = self.general(a)?;
                self.converted(*from, *to, a)
            }
            General::Difference(ty, args) => {
                let (a, b) = (self.general(&args.0)?, self.general(&args.1)?);
                let (a, b) = if a.provenance == b.provenance {
                    let number = |v| ops::convert(&self.memory, self.program.model, Ty::Ptr, *ty, v).0;
                    (number(a), number(b))
                } else {
                    (self.converted(Ty::Ptr, *ty, a), self.converted(Ty::Ptr, *ty, b))
                };
                ops::binary(&self.memory, BinOp::Sub, *ty, a, b).0
            }
            General::Choose(args) => {
                if self.narrow(&args.0)? != 0 {
                    self.general(&args.1)?
                } else {
                    self.general(&args.2)?
                }
            }
            General::ObjectPredicate(ObjectPredicate::FitsInt(int), Ty::Float(f), a) => {
                Value::plain(super::float::to_int(*f, *int, self.general(a)?.bits).1.into())
            }
            General::ObjectPredicate(request, _, a) => {
                let a = self.general(a)?;
                self.layout |= a.provenance == Provenance::NONE && a.bits != 0;
                Value::plain(self.memory.object_predicate(*request, a, self.program).into())
            }
        })
    }

    fn converted(&mut self, from: Ty, to: Ty, v: Value) -> Value {
        let (v, effect) = ops::convert(&self.memory, self.program.model, from, to, v);
        self.layout |= effect.layout;
        if let Some(number) = effect.exposed {
            self.expose(number);
        }
        v
    }

    /// An event: ignored, or the end of the run.
    pub(super) fn event(&self, ub: Ub) -> R<()> {
        match self.program.ub.get(ub) {
            UbPolicy::Ignored => Ok(()),
            UbPolicy::AssumedAway | UbPolicy::Checked => Err(Box::new(Stop::Ub(ub))),
        }
    }

    pub(super) fn spend_work(&mut self, bytes: u64) -> R<()> {
        match self.work.checked_sub(bytes / 32) {
            Some(left) => {
                self.work = left;
                Ok(())
            }
            None => {
                self.work = 0;
                Err(Box::new(Stop::Limit(Exhausted { what: STEPS, limit: self.limits.steps })))
            }
        }
    }

    pub(super) fn spend_memory(&mut self, bytes: u64) -> R<()> {
        match self.memory_left.checked_sub(bytes) {
            Some(left) => {
                self.memory_left = left;
                Ok(())
            }
            None => self.no_memory(),
        }
    }

    pub(super) fn no_memory<T>(&self) -> R<T> {
        Err(Box::new(Stop::Limit(Exhausted { what: "bytes of memory", limit: self.limits.memory_bytes })))
    }

    /// Writes a value; one that was never drawn stays so.
    pub(super) fn write(&mut self, dst: &'a Dst, value: Value) -> R<()> {
        match dst {
            Dst::Local(slot) => self.slots[self.base + *slot as usize] = value,
            Dst::Global(slot) => self.globals[*slot as usize] = value,
            Dst::Constant(slot) => {
                self.event(Ub::ConstWrite)?;
                self.globals[*slot as usize] = value;
            }
            Dst::Memory(spot) => {
                let at = self.address(&spot.at)?;
                self.store(at, spot.ty, spot.bits, value)?;
            }
        }
        Ok(())
    }
}

/// An event while an edge is looked at disables it like a failed guard.
fn failed(stop: Stop) -> R<Enabled> {
    match stop {
        Stop::Ub(ub) => Ok(Enabled::Failed(ub)),
        other => Err(Box::new(other)),
    }
}

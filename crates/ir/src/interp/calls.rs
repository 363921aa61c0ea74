//! The start of a run, calls and returns, and what functions without body do.

use super::access::invalid;
use super::code::{General, Target as Callee};
use super::inputs::*;
use super::machine::{Frame, Machine, Next, R, Stop, undrawn};
use super::memory::{Cell, Storage, Target};
use super::state::{Snapshot, StateView};
use super::value::{Provenance, Value};
use super::{End, Observer, Step};
use crate::syntax::*;
use base::{Exhausted, Id};

impl<'a, O: Observer> Machine<'a, O> {
    /// Lays out the globals and opens the entry function's activation.
    pub(super) fn start(&mut self) -> R<()> {
        let program = self.program;
        // All globals first have their address, then their contents: initialisers name each other.
        for (id, global) in program.globals.iter_enumerated() {
            let value = if self.code.global_in_memory[id.index()] {
                let align = super::code::alignment(global.shape, program.model);
                let number = self.new_object(global.shape.size(program.model), align, Storage::Variable)?;
                let live = self.memory.live_mut(number).expect("just made");
                live.escaped = program.known_outside(id);
                self.memory.address_of(number)
            } else if global.init == Init::Unknown {
                undrawn(None)
            } else {
                Value::plain(0)
            };
            self.globals.push(value);
        }
        for (id, global) in program.globals.iter_enumerated() {
            self.initialise(id, global)?;
        }
        let entry = program.entry.index();
        let n_params = program.functions[program.entry].n_params;
        self.slots.extend((0..n_params).map(|_| undrawn(None)));
        self.open(entry, 0, 0, None, n_params)
    }

    fn initialise(&mut self, id: GlobalId, global: &Global) -> R<()> {
        let at = self.globals[id.index()];
        let number = at.provenance.as_object().filter(|_| self.code.global_in_memory[id.index()]);
        match &global.init {
            Init::Zero => {}
            Init::Unknown => {
                if let Some(number) = number {
                    let size = self.memory.size(number);
                    self.memory.set_from_outside(number);
                    self.memory.forget(Target::Object { number, offset: 0 }, size, None);
                }
            }
            Init::Values(items) => {
                for item in items {
                    let value = self.constant(&item.value);
                    match number {
                        None => self.globals[id.index()] = value,
                        Some(_) => {
                            let bits = at.bits + u128::from(item.offset);
                            self.store(Value { bits, ..at }, item.value.ty, item.bits, value)?;
                        }
                    }
                }
            }
        }
        if let Some(live) = number.and_then(|n| self.memory.live_mut(n)) {
            live.constant = global.constant;
        }
        Ok(())
    }

    /// The value of an initialiser's item.
    fn constant(&self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Const(c) => Value::plain(*c),
            ExprKind::Func(f) => self.memory.function_address(f.index()),
            ExprKind::Addr(Address { base: Base::Var(Var::Global(g)), offset, .. }) => {
                let base = self.globals[g.index()];
                let mask = u64::MAX >> (64 - self.program.model.ptr_width());
                let bits = (base.bits as u64).wrapping_add(*offset as u64) & mask;
                Value { bits: bits.into(), ..base }
            }
            _ => unreachable!("a valid program's initialisers are constant"),
        }
    }

    /// Opens an activation whose arguments are the last `n_args` slots.
    fn open(&mut self, func: usize, call: u32, call_step: u64, since: Option<u64>, n_args: usize) -> R<()> {
        if self.frames.len() >= self.limits.call_depth {
            let limit = self.limits.call_depth as u64;
            return Err(Box::new(Stop::Limit(Exhausted { what: "nested calls", limit })));
        }
        let code = &self.code.functions[func];
        let bytes = code.n_locals as u64 * 32 + 128;
        self.spend_memory(bytes)?;
        let base = self.slots.len() - n_args;
        self.slots.resize(base + code.n_locals, undrawn(since));
        self.base = base;
        let mut objects = Vec::new();
        for local in &code.in_memory {
            let slot = base + local.slot as usize;
            let number = self.new_object(local.size, local.align, Storage::Variable)?;
            objects.push(number);
            self.keep_constant(func, local.slot, number);
            let value = std::mem::replace(&mut self.slots[slot], self.memory.address_of(number));
            let target = Target::Object { number, offset: 0 };
            self.memory.forget(target, local.size, since);
            if self.frames.is_empty() && (local.slot as usize) < n_args {
                self.memory.set_from_outside(number);
            }
            let f = &self.program.functions[Self::function_id(func)];
            if let Some(ty) = f.locals[LocalId::from_index(local.slot as usize)].shape.scalar()
                && value.provenance != Provenance::UNDRAWN
            {
                self.store(self.memory.address_of(number), ty, None, value)?;
            }
        }
        self.frames.push(Frame { func, base, call, call_step, objects, bytes, entry: None });
        if O::ACTIVE && O::ENTRY_VALUES {
            let state = StateView::of(self.program, self.code, &self.memory, &self.globals, &self.slots, &self.frames);
            let snapshot = Snapshot::take(&state);
            self.frames.last_mut().expect("just pushed").entry = Some(Box::new(snapshot));
        }
        Ok(())
    }

    pub(super) fn call(&mut self, func: usize, e: u32, callee: &'a Callee, args: &'a [(General, Ty)]) -> R<Next> {
        let target = match callee {
            Callee::Direct(f) => *f,
            Callee::Indirect(p) => {
                let p = self.general(p)?;
                match self.memory.function_at(p).filter(|&f| self.fits(func, e, f, args)) {
                    Some(f) => f,
                    // There is nothing to run: this event cannot be ignored.
                    None => return Err(Box::new(Stop::Ub(Ub::BadCall))),
                }
            }
        };
        let n_params = self.program.functions[Self::function_id(target)].n_params;
        let has_body = self.code.functions[target].body.is_some();
        let first = self.slots.len();
        for (i, (arg, _)) in args.iter().enumerate() {
            let value = self.general(arg)?;
            // Further arguments of a variadic function can be reached by no operation, but escape if it has no body.
            if i < n_params || !has_body {
                self.slots.push(value);
            }
        }
        if has_body {
            self.open(target, e, self.steps, Some(self.steps), n_params)?;
            return Ok(Next::Enter);
        }
        let values = self.slots.split_off(first);
        if let Some(lib) = self.code.functions[target].library {
            let types: Vec<Ty> = args.iter().map(|a| a.1).collect();
            let result = self.library(lib, &values, &types)?;
            if let Some(text) = self.text.take() {
                let Op::Call(call) = &self.edge(func, e).op else { unreachable!("compiled from a call") };
                // Nobody takes the length: the call is there for the text.
                if call.dst.is_none() {
                    self.observer.output(&text);
                }
            }
            self.known_result(func, e, target, result)?;
            return Ok(Next::Target);
        }
        self.call_outside(func, e, target, &values)?;
        Ok(Next::Target)
    }

    /// Whether a call through a pointer fits the function it reaches.
    fn fits(&self, func: usize, e: u32, target: usize, args: &[(General, Ty)]) -> bool {
        let Op::Call(call) = &self.edge(func, e).op else { unreachable!("compiled from a call") };
        let callee = &self.program.functions[Self::function_id(target)];
        let arity = args.len() == callee.n_params || (callee.variadic && args.len() > callee.n_params);
        let types = callee.locals.iter().zip(args).take(callee.n_params).all(|(l, a)| l.shape == Shape::Scalar(a.1));
        let result = call.dst.is_none_or(|dst| {
            self.program.shape(Self::function_id(func), dst).scalar() == callee.ret_ty() && callee.ret.is_some()
        });
        arity && types && result
    }

    /// Closes the current activation: where the caller goes on, or the end of the run.
    pub(super) fn leave(&mut self) -> R<Result<(usize, u32), End>> {
        let frame = self.frames.pop().expect("a return closes an activation");
        let ret = self.program.functions[Self::function_id(frame.func)].ret;
        let dst = self.frames.last().and_then(|caller| match &self.edge(caller.func, frame.call).op {
            Op::Call(call) => call.dst,
            _ => unreachable!("activations are opened by calls"),
        });
        let wanted = dst.is_some() || self.frames.is_empty();
        let result = match ret {
            Some(ret) if wanted => Some(self.result(&frame, ret)?),
            _ => None,
        };
        self.slots.truncate(frame.base);
        self.memory_left += frame.bytes;
        for number in frame.objects {
            self.kill(number);
        }
        let Some(caller) = self.frames.last() else {
            return Ok(Err(End::Exited(result.filter(|v| v.provenance != Provenance::UNDRAWN))));
        };
        self.base = caller.base;
        let func = caller.func;
        if let (Some(dst), Some(value)) = (dst, result) {
            self.at = At::Edge(Self::function_id(func), EdgeId::from_index(frame.call as usize));
            self.write_var(func, dst, value)?;
        }
        if O::ACTIVE {
            let depth = self.frames.len() - 1;
            let edge = EdgeId::from_index(frame.call as usize);
            let step = Step { func: Self::function_id(func), edge, index: frame.call_step, depth };
            let state = StateView::of(self.program, self.code, &self.memory, &self.globals, &self.slots, &self.frames);
            self.observer.returned(&state, step);
        }
        Ok(Ok((func, frame.call)))
    }

    /// The result that an activation leaves; one that was never set stays undrawn.
    fn result(&mut self, frame: &Frame, ret: LocalId) -> R<Value> {
        let slot = self.slots[frame.base + ret.index()];
        let func = Self::function_id(frame.func);
        if !self.code.taken.in_memory(self.program, func, Var::Local(ret)) {
            return Ok(slot);
        }
        let ty = self.program.functions[func].ret_ty().expect("a result is a scalar");
        self.load(slot, ty, None)
    }

    /// Writes a whole scalar local of the current activation.
    pub(super) fn write_local(&mut self, func: usize, local: LocalId, value: Value) -> R<()> {
        self.write_var(func, Var::Local(local), value)
    }

    fn write_var(&mut self, func: usize, var: Var, value: Value) -> R<()> {
        let func = Self::function_id(func);
        let in_memory = self.code.taken.in_memory(self.program, func, var);
        let slot = match var {
            Var::Local(l) => self.base + l.index(),
            Var::Global(g) => g.index(),
        };
        let at = match var {
            Var::Local(_) => self.slots[slot],
            Var::Global(_) => self.globals[slot],
        };
        if in_memory {
            let ty = self.program.shape(func, var).scalar().expect("a whole scalar");
            return self.store(at, ty, None, value);
        }
        match var {
            Var::Local(_) => self.slots[slot] = value,
            Var::Global(g) => {
                if self.program.globals[g].constant {
                    self.event(Ub::ConstWrite)?;
                }
                self.globals[slot] = value;
            }
        }
        Ok(())
    }

    /// Writes what a library function gives. The inputs are told, since one that was made without knowing the function
    /// may have an answer of its own for this call: only the same one will do.
    fn known_result(&mut self, func: usize, e: u32, target: usize, result: Value) -> R<()> {
        let Op::Call(call) = &self.edge(func, e).op else { unreachable!("compiled from a call") };
        let Some(dst) = call.dst else { return Ok(()) };
        let callee = Self::function_id(target);
        if let Some(ty) = self.program.functions[callee].ret_ty() {
            let request = Request {
                at: self.at,
                step: self.steps,
                what: What::Value { ty, from: InputCause::Result(callee) },
                program: self.program,
            };
            // A pointer may be written in several ways; whether it was the same one, the path shows.
            if let Some(Input::Bits(given)) = self.inputs.skip(&request)
                && given != result.bits
            {
                return invalid(format!("another result than that of `{}`", self.program.functions[callee].name));
            }
        }
        self.write_var(func, dst, result)
    }

    /// A function without body: its arguments escape, it may write what [`Externs`] allows, and its result is arbitrary.
    fn call_outside(&mut self, func: usize, e: u32, target: usize, args: &[Value]) -> R<()> {
        let Op::Call(call) = &self.edge(func, e).op else { unreachable!("compiled from a call") };
        let callee = Self::function_id(target);
        for number in args.iter().filter_map(|v| v.provenance.as_object()) {
            if let Some(live) = self.memory.live_mut(number) {
                live.escaped = true;
            }
        }
        if self.program.externs != Externs::Pure {
            for number in self.spread_escape() {
                if self.memory.live(number).is_some_and(|l| !l.constant && !l.kept) {
                    self.outside_writes(callee, number)?;
                }
            }
            self.memory.forget_outside();
            self.outside_writes_globals(callee)?;
        }
        if let (Some(dst), Some(ty)) = (call.dst, self.program.functions[callee].ret_ty()) {
            let value = self.draw_value(ty, InputCause::Result(callee))?;
            self.write_var(func, dst, value)?;
        }
        Ok(())
    }

    /// Marks what the outside can reach by now; gives all of it, in order.
    pub(super) fn spread_escape(&mut self) -> Vec<u32> {
        let read = self.program.globals.ids().filter(|&g| self.program.read_outside(g));
        let (objects, plain): (Vec<GlobalId>, Vec<GlobalId>) =
            read.partition(|g| self.code.global_in_memory[g.index()]);
        let number = |g: GlobalId| self.globals[g.index()].provenance.as_object();
        let objects = objects.into_iter().filter_map(number).collect();
        let held: Vec<u32> = plain.into_iter().filter_map(number).collect();
        for number in held {
            if let Some(live) = self.memory.live_mut(number) {
                live.escaped = true;
            }
        }
        self.memory.spread_escape(objects)
    }

    fn outside_writes(&mut self, func: FuncId, object: u32) -> R<()> {
        let size = self.memory.size(object);
        let patches = match self.request(What::Writes { func, object, size })? {
            Answer::Writes(patches) => patches,
            other => return invalid(format!("{other:?} where writes were asked for")),
        };
        for Patch { offset, data } in patches {
            let cells: Vec<Cell> = match data {
                PatchData::Bytes(bytes) => bytes.into_iter().map(Cell::plain).collect(),
                PatchData::Pointer(p) => {
                    let v = self.input_pointer(p)?;
                    let n = Ty::Ptr.size(self.program.model) as usize;
                    (0..n).map(|i| Cell::pointer((v.bits >> (8 * i)) as u8, v.provenance, i)).collect()
                }
            };
            if offset.checked_add(cells.len() as u64).is_none_or(|end| end > size) {
                return invalid(format!("a write outside object#{object}"));
            }
            for (i, cell) in cells.into_iter().enumerate() {
                self.memory.set_cell(Target::Object { number: object, offset }, i as u64, cell);
            }
        }
        Ok(())
    }

    fn outside_writes_globals(&mut self, func: FuncId) -> R<()> {
        for (id, global) in self.program.globals.iter_enumerated() {
            let plain = !self.code.global_in_memory[id.index()];
            if let (true, Some(ty)) = (plain && !global.constant, global.shape.scalar())
                && self.program.known_outside(id)
            {
                match self.request(What::Value { ty, from: InputCause::Global(func, id) })? {
                    Answer::Writes(patches) if patches.is_empty() => {}
                    Answer::Value(input) => {
                        self.globals[id.index()] = self.input_value(ty, input)?;
                        self.lead_outside(input)?;
                    }
                    other => return invalid(format!("{other:?} where a value of {ty} was asked for")),
                }
            }
        }
        Ok(())
    }
}

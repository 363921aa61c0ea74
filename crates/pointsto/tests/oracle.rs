//! The analysis against runs: on random programs with pointers, whatever a run does lies in what was predicted.
//!
//! - The value of every pointer expression that a run evaluates points where its set of targets says.
//! - Every byte that a run accesses has one region, whoever accesses it; in a region of words, each byte belongs to one word.
//! - A copy moves bytes within one region.

use base::rng::Rng;
use ir::cfg::AddressTaken;
use ir::interp::{self, Limits, Observer, Provenance, RandomInputs, StateView, Step, Value};
use ir::random::{Knobs, program};
use ir::{BinOp, Callee, Edge, Expr, ExprKind, HavocDst, Op, Place, Program, Ty, UbPolicy, Var};
use pointsto::{Object, Offsets, Query, RegionId, Regions, Targets, Width, analyze};
use std::collections::BTreeMap;

const FIRST_PAGE: u128 = 0x1000;

#[derive(Default)]
struct Counts {
    pointers: u64,
    accesses: u64,
    copies: u64,
    unknown: u64,
}

struct Watch<'a> {
    query: Query<'a>,
    regions: &'a Regions,
    /// What each object of the run is, and its address.
    objects: BTreeMap<u32, (Object, u64)>,
    /// The region of each byte, and the first byte and size of the word it is part of.
    bytes: BTreeMap<(u32, u64), (RegionId, u64, u64)>,
    /// What the step at hand does, if it happens.
    pending: Vec<Pending>,
    counts: Counts,
    wrong: Option<String>,
}

enum Pending {
    Pointer(String, Targets, Value),
    Access(String, Targets, u64, Value),
    Range(Targets, Option<u64>, Value, u64),
    Copy(Value, Value, u64),
}

impl Watch<'_> {
    fn learn(&mut self, v: Value, object: Object) {
        if let Some(n) = v.provenance.as_object() {
            self.objects.entry(n).or_insert((object, v.bits as u64));
        }
    }

    fn learn_variables(&mut self, state: &StateView<'_>) {
        let program = self.query.program;
        let func = state.func();
        let globals = program.globals.ids().map(Var::Global);
        let locals = program.functions[func].locals.ids().map(Var::Local);
        let query = self.query;
        for var in globals.chain(locals).filter(|&v| query.in_memory(func, v)) {
            if let Some(v) = state.eval(&Expr::addr(ir::Address::var(var))) {
                self.learn(v, Query::object(func, var));
            }
        }
    }

    /// Collects what the evaluation of an expression does. Operands that are not needed are not evaluated.
    fn expr(&mut self, state: &StateView<'_>, e: &Expr) {
        let func = state.func();
        match &e.kind {
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if a.ty == Ty::Bool => {
                self.expr(state, a);
                let decided = state.eval(a).is_none_or(|v| v.is_true() == (*op == BinOp::Or));
                if !decided {
                    self.expr(state, b);
                }
            }
            ExprKind::Ite(c, a, b) => {
                self.expr(state, c);
                match state.eval(c).map(Value::is_true) {
                    Some(true) => self.expr(state, a),
                    Some(false) => self.expr(state, b),
                    None => {}
                }
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(state, a);
                self.expr(state, b);
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectPredicate(_, a) | ExprKind::Entry(a) => {
                self.expr(state, a);
            }
            ExprKind::Read(place) => self.place(state, place),
            ExprKind::Addr(addr) => self.address(state, addr),
            ExprKind::Const(_) | ExprKind::Func(_) => {}
        }
        if e.ty == Ty::Ptr
            && let Some(v) = state.eval(e)
        {
            self.pending.push(Pending::Pointer(format!("{e:?}"), self.query.expr(func, e), v));
        }
    }

    fn address(&mut self, state: &StateView<'_>, addr: &ir::Address) {
        if let ir::Base::Ptr(p) = &addr.base {
            self.expr(state, p);
        }
        for index in &addr.indices {
            self.expr(state, &index.value);
        }
    }

    fn place(&mut self, state: &StateView<'_>, place: &Place) {
        self.address(state, &place.addr);
        let func = state.func();
        if !self.query.is_access(func, place) {
            return;
        }
        if let Some(v) = state.eval(&Expr::addr(place.addr.clone())) {
            let targets = self.query.address(func, &place.addr);
            let size = place.ty.size(self.query.program.model);
            self.pending.push(Pending::Access(format!("{place:?}"), targets, size, v));
        }
    }

    fn edge(&mut self, state: &StateView<'_>, edge: &Edge) {
        for guard in &edge.guards {
            self.expr(state, &guard.cond);
        }
        match &edge.op {
            Op::Assume(e) | Op::Free(e) | Op::Release(e) | Op::Return(Some(e)) => self.expr(state, e),
            Op::Begin(_) | Op::End(_) => {}
            Op::Assign(place, e) => {
                self.expr(state, e);
                self.place(state, place);
            }
            Op::Havoc(HavocDst::Place(place), _) => self.place(state, place),
            Op::Havoc(HavocDst::Range { dst, len }, _) => self.range(state, dst, len),
            Op::Alloc(a) => {
                self.expr(state, &a.size);
                self.place(state, &a.dst);
            }
            Op::SetRange { dst, len, .. } => self.range(state, dst, len),
            Op::CopyRange { dst, src, len } => {
                self.range(state, src, len);
                self.range(state, dst, len);
                if let (Some(to), Some(from), Some(n)) = (state.eval(dst), state.eval(src), state.eval(len)) {
                    self.pending.push(Pending::Copy(to, from, n.bits as u64));
                }
            }
            Op::Call(call) => {
                if let Callee::Indirect(p) = &call.callee {
                    self.expr(state, p);
                }
                call.args.iter().for_each(|a| self.expr(state, a));
            }
            Op::Skip | Op::Return(None) | Op::Error(_) | Op::Halt | Op::Unsupported(_) => {}
        }
    }

    fn range(&mut self, state: &StateView<'_>, at: &Expr, len: &Expr) {
        self.expr(state, at);
        self.expr(state, len);
        if let (Some(v), Some(n)) = (state.eval(at), state.eval(len)) {
            let targets = self.query.expr(state.func(), at);
            let constant = len.as_const().map(|n| n as u64);
            self.pending.push(Pending::Range(targets, constant, v, n.bits as u64));
        }
    }

    fn covered(&mut self, targets: &Targets, v: Value) -> Result<(), String> {
        if v.provenance == Provenance::WILD || v.bits < FIRST_PAGE && v.provenance == Provenance::NONE {
            return Ok(());
        }
        if v.provenance == Provenance::FUNCTION {
            let any = targets.keys().any(|o| matches!(o, Object::Func(_) | Object::Ext));
            return if any { Ok(()) } else { Err("a function".into()) };
        }
        let Some(n) = v.provenance.as_object() else {
            self.counts.unknown += 1;
            return if targets.contains_key(&Object::Ext) { Ok(()) } else { Err(format!("{v:?}, of unknown origin")) };
        };
        let Some(&(object, base)) = self.objects.get(&n) else { return Err(format!("object#{n}, which nobody made")) };
        let mask = u64::MAX >> (64 - self.query.program.model.ptr_width());
        let offset = (v.bits as u64).wrapping_sub(base) & mask;
        let offset = if self.query.program.model.ptr_width() == 32 { i64::from(offset as i32) } else { offset as i64 };
        match self.query.reached(targets).get(&object) {
            Some(o) if contains(*o, offset) => Ok(()),
            found => Err(format!("{object:?} + {offset}, but it has {found:?}")),
        }
    }

    fn happened(&mut self) -> Result<(), String> {
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Pointer(what, targets, v) => {
                    self.counts.pointers += 1;
                    self.covered(&targets, v).map_err(|e| format!("{what} points to {e}"))?;
                }
                Pending::Access(what, targets, size, v) => {
                    self.counts.accesses += 1;
                    self.covered(&targets, v).map_err(|e| format!("an access of {what} at {e}"))?;
                    let region =
                        self.regions.of(&self.query.accessed(&targets, size), size).ok_or("an access has no region")?;
                    if let Some((n, offset)) = self.locate(v) {
                        for i in 0..size {
                            self.touch(n, offset + i, region, offset, size).map_err(|e| format!("{what}: {e}"))?;
                        }
                    }
                }
                Pending::Range(targets, constant, v, len) if len > 0 => {
                    self.covered(&targets, v).map_err(|e| format!("a range at {e}"))?;
                    let regions = self.regions.of_range(&self.query.reached(&targets), constant);
                    if let Some((n, offset)) = self.locate(v) {
                        for (_, (r, start, size)) in self.bytes.range((n, offset)..(n, offset + len)) {
                            let word = self.regions.all[*r].width != Width::Byte;
                            if !regions.contains(r) || word && (*start < offset || start + size > offset + len) {
                                return Err(format!("a range of {n} at {offset} leaves out {r}"));
                            }
                        }
                    }
                }
                Pending::Copy(to, from, len) => {
                    self.counts.copies += 1;
                    if let (Some((n, a)), Some((m, b))) = (self.locate(to), self.locate(from)) {
                        for i in 0..len {
                            let (x, y) = (self.bytes.get(&(n, a + i)), self.bytes.get(&(m, b + i)));
                            if let (Some(x), Some(y)) = (x, y)
                                && x.0 != y.0
                            {
                                return Err(format!("a copy from {} to {}", y.0, x.0));
                            }
                        }
                    }
                }
                Pending::Range(..) => {}
            }
        }
        Ok(())
    }

    fn locate(&self, v: Value) -> Option<(u32, u64)> {
        let n = v.provenance.as_object()?;
        let mask = u64::MAX >> (64 - self.query.program.model.ptr_width());
        Some((n, (v.bits as u64).wrapping_sub(self.objects.get(&n)?.1) & mask))
    }

    fn touch(&mut self, n: u32, byte: u64, region: RegionId, start: u64, size: u64) -> Result<(), String> {
        let known = *self.bytes.entry((n, byte)).or_insert((region, start, size));
        let word = self.regions.all[region].width != Width::Byte;
        if known.0 != region || word && known != (region, start, size) {
            return Err(format!("byte {byte} of object#{n} is in {region} at {start} and in {known:?}"));
        }
        Ok(())
    }
}

fn contains(offsets: Offsets, offset: i64) -> bool {
    if offsets.stride == 0 {
        offsets.start == offset
    } else {
        (i128::from(offset) - i128::from(offsets.start)).rem_euclid(i128::from(offsets.stride)) == 0
    }
}

impl Observer for Watch<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        if self.wrong.is_some() {
            return;
        }
        self.pending.clear();
        self.learn_variables(state);
        let body = self.query.program.body(step.func);
        self.edge(state, &body.edges[step.edge]);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        if self.wrong.is_some() {
            return;
        }
        let edge = self.query.program.edge(step.func, step.edge);
        if let Err(e) = self.happened() {
            self.wrong = Some(format!("step {} ({} of {}): {e}", step.index, step.edge, step.func));
        }
        if let Op::Alloc(a) = &edge.op
            && let Some(v) = state.eval(&Expr::read(a.dst.clone()))
        {
            self.learn(v, Object::Site(a.site));
        }
    }
}

fn check(program: &Program, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let taken = AddressTaken::new(program);
    let solution = analyze(program, &taken);
    let query = Query { program, taken: &taken, solution: &solution };
    let regions = Regions::new(query);
    for i in 0..3 {
        let mut watch = Watch {
            query,
            regions: &regions,
            objects: BTreeMap::new(),
            bytes: BTreeMap::new(),
            pending: Vec::new(),
            counts: Counts::default(),
            wrong: None,
        };
        let limits = Limits { steps: 400, ..Limits::default() };
        interp::run(program, &mut RandomInputs::new(seed * 8 + i), &limits, &mut watch);
        if let Some(wrong) = watch.wrong {
            return Err(wrong);
        }
        counts.pointers += watch.counts.pointers;
        counts.accesses += watch.counts.accesses;
        counts.copies += watch.counts.copies;
        counts.unknown += watch.counts.unknown;
    }
    Ok(())
}

#[test]
fn runs_stay_inside_what_was_predicted() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let knobs = Knobs { memory: true, statements: 12, ..Knobs::default() };
        let mut p = program(&mut rng, &knobs);
        for ub in [ir::Ub::NullDeref, ir::Ub::OutOfBounds, ir::Ub::UseAfterFree] {
            p.ub.set(ub, UbPolicy::AssumedAway);
        }
        if let Err(e) = check(&p, seed, &mut counts) {
            panic!("seed {seed}: {e}\n{}", ir::text::print(&p));
        }
    }
    assert!(counts.pointers > 2000 && counts.accesses > 2000 && counts.copies > 50, "the runs show too little");
    assert!(counts.unknown > 20, "pointers of unknown origin occur");
}

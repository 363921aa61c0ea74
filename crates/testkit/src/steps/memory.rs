//! Memory: whatever a run does is allowed by the formula, wherever its objects lie.
//!
//! - Along the path of a run ([`along`]): with the run's addresses of objects, the values of all variables and all bytes of
//!   memory before some of its steps, the formula of the path has a model.
//! - Across each step and each call ([`across`]): from an arbitrary state that is bound to the run's, the step's formula
//!   allows the run's next state; a call by contract changes only the regions that its function may write.
//!
//! - Across the calls of C programs that pass pointers around, allocate and free ([`calls`]): what is kept over a call by
//!   contract was kept.
//!
//! These show that no run is left out, which is what a proof needs. That nothing else is allowed is not asked:
//! counterexamples are replayed.

use analysis::Analysis;
use std::collections::BTreeMap;

use base::IndexVec;
use base::rng::Rng;
use ir::interp::{self, Limits, Observer, RandomInputs, StateView as Concrete, Step, Value};
use ir::random::Knobs;
use ir::{
    Address, Base, DataModel, Expr, ExprKind, FuncId, GlobalId, LocalId, ObjectPredicate, Op, Place, Program, Ty, Ub,
    UbPolicy, Var,
};
use logic::{Answer, Term, check_sat};
use pointsto::{Object, Width};
use vc::path::{PathError, path_formula};
use vc::{Encoder, State};

use super::blocks::When;
use super::blocks::every_global;
use super::bound::equals;
use super::single::CONFLICTS;
use crate::compile::compile;
use crate::statistics::Statistics;

/// All that a run knows at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    func: FuncId,
    globals: IndexVec<GlobalId, Option<u128>>,
    locals: IndexVec<LocalId, Option<u128>>,
    /// The addresses of the current activation's locals that live in memory.
    bases: IndexVec<LocalId, Option<u64>>,
    /// The bytes of all objects that are alive.
    bytes: BTreeMap<(u32, u64), u8>,
    /// Which of the objects that were made by then are alive.
    pub(super) alive: BTreeMap<u32, bool>,
    /// What is known of the objects of the pointers in variables.
    pub(super) answers: Vec<(Var, ObjectPredicate, bool)>,
}

impl Moment {
    /// The function of the activation.
    pub(super) fn func(&self) -> FuncId {
        self.func
    }

    /// The address of a local that lives in memory.
    pub(super) fn base(&self, local: LocalId) -> Option<u64> {
        self.bases[local]
    }

    /// The value of a scalar variable that does not live in memory.
    pub(super) fn scalar(&self, var: Var) -> Option<u128> {
        match var {
            Var::Global(g) => self.globals[g],
            Var::Local(l) => self.locals[l],
        }
    }

    /// A byte of an object that is alive.
    pub(super) fn byte(&self, object: u32, offset: u64) -> Option<u8> {
        self.bytes.get(&(object, offset)).copied()
    }

    /// This moment for an activation that waits since an earlier one.
    pub(super) fn seen_by(&self, waiting: &Moment) -> Moment {
        let Moment { func, locals, bases, .. } = waiting.clone();
        Moment { func, locals, bases, ..self.clone() }
    }
}

enum Event {
    Before(Step, Moment),
    After(Step, Moment),
    Returned(Step, Moment),
}

pub(super) struct Watch<'p> {
    program: &'p Program,
    enc: Encoder<'p>,
    /// What each object is, and its address.
    pub(super) objects: BTreeMap<u32, (Object, u64)>,
    pub(super) sizes: BTreeMap<u32, u64>,
    /// The size that the allocation at hand asks for.
    asked: Option<u64>,
    events: Vec<Event>,
}

impl Watch<'_> {
    /// What was seen of each step, in order.
    pub(super) fn moments(&self) -> impl Iterator<Item = (When, Step, FuncId, &Moment)> {
        self.events.iter().map(|event| match event {
            Event::Before(step, m) => (When::Before, *step, m.func, m),
            Event::After(step, m) => (When::After, *step, m.func, m),
            Event::Returned(step, m) => (When::Returned, *step, m.func, m),
        })
    }

    fn learn(&mut self, v: Value, object: Object, size: u64) {
        if let Some(n) = v.provenance.as_object() {
            self.objects.entry(n).or_insert((object, v.bits as u64));
            self.sizes.entry(n).or_insert(size);
        }
    }

    fn moment(&mut self, state: &Concrete<'_>) -> Moment {
        let (program, func) = (self.program, state.func());
        let f = &program.functions[func];
        let in_memory: Vec<Var> = program
            .globals
            .ids()
            .map(Var::Global)
            .chain(f.locals.ids().map(Var::Local))
            .filter(|&v| self.enc.analysis.in_memory(func, v))
            .collect();
        let mut bases = IndexVec::filled(None, f.locals.len());
        for var in in_memory {
            let Some(v) = state.eval(&Expr::addr(Address::var(var))) else { continue };
            let size = program.shape(func, var).size(program.model);
            self.learn(v, pointsto::Query::object(func, var), size);
            if let Var::Local(l) = var {
                bases[l] = Some(v.bits as u64);
            }
        }
        let plain = |enc: &Encoder<'_>, v: Var| !enc.analysis.in_memory(func, v);
        let read = |v: Var| state.read(v).filter(|_| plain(&self.enc, v)).map(|v| v.bits);
        let mut bytes = BTreeMap::new();
        for (&n, &(_, base)) in &self.objects {
            for i in 0..self.sizes[&n] {
                let at = Expr::constant(Ty::Ptr, u128::from(base + i));
                let addr = Address { base: Base::Ptr(Box::new(at)), offset: 0, indices: Vec::new() };
                let place = Place { addr, ty: Ty::int(8, false), bits: None, label: ir::Label::default() };
                if let Some(v) = state.eval(&Expr::read(place)) {
                    bytes.insert((n, i), v.bits as u8);
                }
            }
        }
        let pointers = program.globals.ids().map(Var::Global).chain(f.locals.ids().map(Var::Local));
        let pointers = pointers.filter(|&v| program.shape(func, v).scalar() == Some(Ty::Ptr));
        let mut answers = Vec::new();
        for var in pointers.filter(|&v| plain(&self.enc, v)) {
            // What points to no object is excluded by other guards.
            if state.read(var).and_then(|v| v.provenance.as_object()).is_none() {
                continue;
            }
            for predicate in super::merged::OBJECT_PREDICATES {
                let expr = Expr {
                    ty: Ty::Bool,
                    kind: ExprKind::ObjectPredicate(predicate, Box::new(Expr::var(var, Ty::Ptr))),
                };
                answers.extend(state.eval(&expr).map(|v| (var, predicate, v.bits != 0)));
            }
        }
        Moment {
            alive: self.objects.keys().map(|&n| (n, state.is_alive(n))).collect(),
            answers,
            func,
            globals: program.globals.ids().map(|g| read(Var::Global(g))).collect(),
            locals: f.locals.ids().map(|l| read(Var::Local(l))).collect(),
            bases,
            bytes,
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&mut self, state: &Concrete<'_>, step: Step) {
        let body = self.program.body(step.func);
        if let Op::Alloc(a) = &body.edges[step.edge].op {
            self.asked = state.eval(&a.size).map(|v| v.bits as u64);
        }
        let moment = self.moment(state);
        self.events.push(Event::Before(step, moment));
    }

    fn after(&mut self, state: &Concrete<'_>, step: Step) {
        let body = self.program.body(step.func);
        if let Op::Alloc(a) = &body.edges[step.edge].op
            && let Some(v) = state.eval(&Expr::read(a.dst.clone()))
            && let Some(size) = self.asked.filter(|&n| n < 4096)
        {
            self.learn(v, Object::Site(a.site), size);
        }
        let moment = self.moment(state);
        self.events.push(Event::After(step, moment));
    }

    fn returned(&mut self, state: &Concrete<'_>, step: Step) {
        let moment = self.moment(state);
        self.events.push(Event::Returned(step, moment));
    }
}

/// Checks the programs of the seeds `first .. first + count`.
pub fn memory(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        one(seed, &mut stats).map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(stats)
}

fn one(seed: u64, stats: &mut Statistics) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    // Short functions return before the run has taken all its steps.
    let (functions, statements) = if seed.is_multiple_of(2) { (2, 10) } else { (5, 1) };
    let knobs = Knobs { functions, statements, memory: true, odd_widths: false, ..Knobs::default() };
    let mut program = ir::random::program(&mut rng, &knobs);
    for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree, Ub::ConstWrite] {
        program.ub.set(ub, UbPolicy::AssumedAway);
    }
    stats.add("programs", 1);
    let analysis = Analysis::new(&program);
    for k in 0..2 {
        let watch = watch(&analysis, seed * 4 + k, 60);
        let wrong = |e| format!("run {k}: {e}\n{}", ir::text::print(&program));
        along(&analysis, &watch, &mut rng, stats).map_err(wrong)?;
        let all = |contract, entered, rng: &mut Rng| contract || rng.chance(if entered { 60 } else { 20 });
        across(&analysis, &watch, &mut rng, stats, all).map_err(wrong)?;
    }
    Ok(())
}

/// A run with all its moments.
pub(super) fn watch<'a>(analysis: &'a Analysis<'a>, seed: u64, steps: u64) -> Watch<'a> {
    let program = analysis.program;
    let (objects, sizes, events) = Default::default();
    let mut watch = Watch { program, enc: Encoder::for_path(analysis), objects, sizes, asked: None, events };
    let limits = Limits { steps, ..Limits::default() };
    interp::run(program, &mut RandomInputs::new(seed), &limits, &mut watch);
    watch
}

/// Checks the calls by contract in C programs about pointers of the seeds `first .. first + count`, in both data models by
/// turns.
pub fn calls(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = crate::pointers::draft(seed, model).draft.unchecked();
        let wrong = |e| format!("seed {seed} in {model:?}: {e}\n{text}");
        let program = compile("program.c", &text, model, &lower::Options::default()).map_err(wrong)?.program;
        stats.add("programs", 1);
        let analysis = Analysis::new(&program);
        let mut rng = Rng::new(seed);
        for k in 0..2 {
            let watch = watch(&analysis, seed * 4 + k, 400);
            across(&analysis, &watch, &mut rng, &mut stats, |contract, _, _| contract).map_err(wrong)?;
        }
    }
    Ok(stats)
}

/// What it means that a symbolic state is the run's at a moment.
pub(super) fn bind(
    enc: &mut Encoder<'_>,
    state: &State,
    moment: &Moment,
    watch: &Watch<'_>,
    stats: &mut Statistics,
) -> Vec<Term> {
    let mut terms = Vec::new();
    let globals = moment.globals.iter_enumerated().map(|(g, v)| (Var::Global(g), *v));
    let locals = moment.locals.iter_enumerated().map(|(l, v)| (Var::Local(l), *v));
    for (var, v) in globals.chain(locals) {
        if let (Some(t), Some(v)) = (state.get(var), v) {
            terms.push(equals(&mut enc.store, t, v));
        }
    }
    for (l, base) in moment.bases.iter_enumerated() {
        if let (Some(t), Some(v)) = (state.base(l), base) {
            terms.push(equals(&mut enc.store, t, u128::from(*v)));
        }
    }
    let regions = &enc.analysis.regions;
    for (&n, &(object, base)) in &watch.objects {
        // What is private to another activation cannot be named here.
        let own = match object {
            Object::Local(f, l) => f == moment.func && moment.bases[l] == Some(base),
            _ => true,
        };
        for (cell, region) in regions.cells.get(&object).into_iter().flatten() {
            let data = &regions.all[*region];
            if data.private.is_some() && !own {
                continue;
            }
            let Ok(map) = enc.map(state, *region) else { continue };
            let width = if data.width == Width::Byte { 1 } else { cell.size };
            for start in 0..watch.sizes[&n] {
                let inside = cell.at.meet(cell.size, pointsto::Offsets::exactly(start as i64), 1);
                let begins = if cell.at.stride == 0 {
                    cell.at.start == start as i64
                } else {
                    (start as i64 - cell.at.start).rem_euclid(cell.at.stride as i64) == 0
                };
                if !(if data.width == Width::Byte { inside.overlap } else { begins }) {
                    continue;
                }
                let bytes: Option<Vec<u8>> =
                    (start..start + width).map(|i| moment.bytes.get(&(n, i)).copied()).collect();
                let Some(bytes) = bytes else { continue };
                let value = bytes.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
                let at = enc.store.bv(u32::from(enc.program.model.ptr_width()), base + start);
                let read = enc.store.select(map, at);
                terms.push(equals(&mut enc.store, read, value));
                stats.add("words of memory", 1);
            }
        }
    }
    terms.retain(|&t| enc.store.bool_of(t) != Some(true));
    terms
}

pub(super) fn global_bases(enc: &mut Encoder<'_>, watch: &Watch<'_>) -> Vec<Term> {
    let mut terms = Vec::new();
    for &(object, base) in watch.objects.values() {
        if let Object::Global(g) = object {
            let t = enc.global_base(g);
            terms.push(equals(&mut enc.store, t, u128::from(base)));
        }
    }
    terms
}

fn allowed(enc: &Encoder<'_>, terms: &[Term], stats: &mut Statistics, what: &'static str) -> Result<(), String> {
    match check_sat(&enc.store, terms, CONFLICTS) {
        Answer::Sat(_) => stats.add(what, 1),
        Answer::Unsat(core) => {
            let show: Vec<String> = core.iter().take(6).map(|&i| logic::smtlib::term(&enc.store, terms[i])).collect();
            return Err(format!("the formula does not allow what the run did:\n{}", show.join("\n")));
        }
        Answer::Unknown(_) => stats.add("questions not decided", 1),
    }
    Ok(())
}

/// The whole path of a run.
fn along(analysis: &Analysis<'_>, watch: &Watch<'_>, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
    let before: Vec<(&Step, &Moment)> = watch
        .events
        .iter()
        .filter_map(|e| match e {
            Event::Before(step, m) => Some((step, m)),
            Event::After(..) | Event::Returned(..) => None,
        })
        .collect();
    // The last edge may not have been crossed.
    let mut path: Vec<_> = before.iter().map(|(s, _)| (s.func, s.edge)).collect();
    path.pop();
    let mut enc = Encoder::for_path(analysis);
    let formula = loop {
        match path_formula(&mut enc, &path) {
            Ok(formula) => break formula,
            Err(PathError::Unmodelled(i, _)) => {
                stats.add("paths cut short", 1);
                path.truncate(i);
                enc = Encoder::for_path(analysis);
            }
            Err(e @ PathError::Broken(_)) => return Err(e.to_string()),
        }
    };
    let mut terms: Vec<Term> =
        formula.steps.iter().flat_map(|s| s.effects.assumptions.iter().map(|a| a.term)).collect();
    let fails =
        formula.steps.iter().filter(|s| s.effects.inputs.iter().any(|d| matches!(d.kind, vc::InputKind::Fails(_))));
    let may_fail = fails.count() > 0;
    if !may_fail {
        for (n, made) in formula.objects.iter().enumerate() {
            if let Some(&(object, base)) = watch.objects.get(&(n as u32)) {
                if object != made.object {
                    return Err(format!("object#{n} is {object:?}, but the path says {:?}", made.object));
                }
                terms.push(equals(&mut enc.store, made.base, u128::from(base)));
            }
        }
    }
    for (i, step) in formula.steps.iter().enumerate() {
        if i + 1 == formula.steps.len() || rng.chance(10) {
            terms.extend(bind(&mut enc, &step.before, before[i].1, watch, stats));
        }
    }
    if let Some((_, last)) = before.get(formula.steps.len())
        && formula.end.at.is_some()
    {
        terms.extend(bind(&mut enc, &formula.end.state, last, watch, stats));
    }
    stats.add("steps along paths", formula.steps.len() as u64);
    allowed(&enc, &terms, stats, "paths").map_err(|e| format!("along the path: {e}"))
}

/// Steps and calls by themselves: those that `chosen` wants, by whether they are calls by contract and whether they are calls.
fn across(
    analysis: &Analysis<'_>,
    watch: &Watch<'_>,
    rng: &mut Rng,
    stats: &mut Statistics,
    chosen: impl Fn(bool, bool, &mut Rng) -> bool,
) -> Result<(), String> {
    let program = analysis.program;
    let mut calls: BTreeMap<u64, &Moment> = BTreeMap::new();
    for (i, event) in watch.events.iter().enumerate() {
        let (Event::Before(step, _) | Event::After(step, _) | Event::Returned(step, _)) = event;
        let body = program.body(step.func);
        let edge = &body.edges[step.edge];
        let wrong = |e| format!("step {} ({} of {}): {e}", step.index, step.edge, step.func);
        let mut enc = Encoder::for_path(analysis);
        let entered = enc.callee(edge).is_some();
        let (pre, post, contract) = match (event, watch.events.get(i + 1)) {
            (Event::Before(_, pre), next) => {
                calls.insert(step.index, pre);
                let Some(Event::After(_, post)) = next else { continue };
                (pre, post, false)
            }
            (Event::After(..), _) => continue,
            (Event::Returned(_, post), _) => {
                let pre = calls.get(&step.index).ok_or_else(|| wrong("a return without a call".into()))?;
                if !entered {
                    continue;
                }
                (*pre, post, true)
            }
        };
        if !chosen(contract, entered, rng) {
            continue;
        }
        let state = enc.arbitrary_at(pre.func, edge.from);
        let mut after = state.clone();
        let assumed = if contract {
            enc.return_by_contract(&mut after, edge, &every_global(program)).map(|_| Vec::new())
        } else if entered {
            enc.enter(&mut after, step.edge, edge).map(|e| e.assumptions)
        } else {
            enc.step(&mut after, edge).map(|e| e.assumptions)
        };
        let Ok(assumed) = assumed else {
            stats.add("steps not modelled", 1);
            continue;
        };
        let mut terms: Vec<Term> = assumed.iter().map(|a| a.term).collect();
        terms.extend(global_bases(&mut enc, watch));
        terms.extend(bind(&mut enc, &state, pre, watch, stats));
        terms.extend(bind(&mut enc, &after, post, watch, stats));
        let what = if contract {
            "calls by contract"
        } else if entered {
            "entries"
        } else {
            "single steps"
        };
        allowed(&enc, &terms, stats, what).map_err(wrong)?;
    }
    Ok(())
}

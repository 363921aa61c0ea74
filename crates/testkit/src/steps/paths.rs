//! Whole paths: along the path of a run, symbolic and concrete states agree at every step, calls and returns included;
//! the path's formula holds for the run's inputs; and what a model of the formula says, replayed, follows the path.

use analysis::Analysis;
use std::collections::BTreeMap;

use ir::interp::{self, Answer, End, Input, InputError, Inputs, Limits, Pointer, Request, Unobserved, What};
use ir::{EdgeId, FuncId, Op, Path, Source, Ty, Var};
use logic::{Model, Term, check_sat, check_valid, eval};
use vc::path::Walk;
use vc::{Effects, Encoder, InputKind, State};

use super::bound::{Bound, compare, equals, pattern};
use super::record::{Event, Key, Recorded, Snapshot};
use super::single::CONFLICTS;
use crate::statistics::Statistics;

/// A path in logic: the states between its steps, what it assumes, and a symbol for everything it draws.
struct Symbolic {
    states: Vec<State>,
    assumptions: Vec<Term>,
    keys: BTreeMap<Key, Term>,
    /// How many of the edges have a formula; all but where something is not modelled.
    taken: usize,
}

/// Checks the path of a run. `predicate` says whether the solver is asked.
pub(super) fn check(
    analysis: &Analysis<'_>,
    run: &Recorded,
    predicate: bool,
    stats: &mut Statistics,
) -> Result<(), String> {
    let mut enc = Encoder::for_path(analysis);
    let path = run.path();
    let symbolic = walk(&mut enc, &path)?;
    let whole = symbolic.taken == path.edges.len();
    let mut bound = Bound::default();
    for drawn in &run.draws {
        match symbolic.keys.get(&drawn.key) {
            Some(&t) => bound.bind(&enc.store, t, drawn.value)?,
            None if whole => return Err(format!("the run drew {:?}, which the path formula does not know", drawn.key)),
            None => {}
        }
    }
    if let Some(i) = symbolic.assumptions.iter().position(|&t| !eval(&enc.store, t, &bound.assignment).as_bool()) {
        return Err(format!("assumption {i} of the path's formula is false for the run's inputs"));
    }
    let before = run.events.iter().filter_map(|e| match e {
        Event::Before(step, s) => Some((step.index, s)),
        Event::After(..) | Event::Returned(..) => None,
    });
    for ((index, snapshot), state) in before.zip(&symbolic.states) {
        compare(&enc.store, state, snapshot, &bound).map_err(|e| format!("before step {index} of the path: {e}"))?;
        stats.add("states along paths", 1);
    }
    stats.add("paths", 1);
    if predicate {
        let last = symbolic.states.last().filter(|_| whole).zip(last_before(run));
        if let Some((state, snapshot)) = last {
            only_end(&mut enc, &symbolic, &bound, state, snapshot, stats)?;
        }
        if whole {
            model(&enc, &symbolic, &path, run, stats)?;
        }
    }
    Ok(())
}

/// The state before the last step.
fn last_before(run: &Recorded) -> Option<&Snapshot> {
    run.events.iter().rev().find_map(|e| match e {
        Event::Before(_, s) => Some(s),
        Event::After(..) | Event::Returned(..) => None,
    })
}

/// Folds the path and names what it draws.
fn walk(enc: &mut Encoder<'_>, path: &Path) -> Result<Symbolic, String> {
    let (mut walk, start) = Walk::start(enc);
    let entry = enc.program.entry;
    let mut symbolic = Symbolic { states: Vec::new(), assumptions: Vec::new(), keys: BTreeMap::new(), taken: 0 };
    symbolic.locals(enc, &walk.state, None);
    symbolic.effects(&start, entry, None);
    for (&(func, edge), index) in path.edges.iter().zip(0u64..) {
        symbolic.states.push(walk.state.clone());
        let (depth, site) = (walk.state.depth(), walk.state.call_site());
        let Ok(effects) = walk.take(enc, edge) else { return Ok(symbolic) };
        symbolic.taken += 1;
        symbolic.effects(&effects, func, Some(index));
        if walk.state.depth() > depth {
            symbolic.locals(enc, &walk.state, Some(index));
        } else if let Some(site) = site.filter(|_| walk.state.depth() < depth) {
            symbolic.result(enc, &walk.state, site);
        }
    }
    Ok(symbolic)
}

impl Symbolic {
    fn effects(&mut self, effects: &Effects, func: FuncId, step: Option<u64>) {
        self.assumptions.extend(effects.assumptions.iter().map(|a| a.term));
        for input in &effects.inputs {
            let at = || step.expect("only steps draw this");
            let key = match &input.kind {
                InputKind::Havoc(Source::Uninit, Var::Local(l)) => Key::Local(func, *l, step),
                InputKind::Havoc(Source::Uninit, Var::Global(g)) => Key::Global(*g, step),
                InputKind::Havoc(..) | InputKind::ExternResult(_) => Key::Step(at()),
                InputKind::ExternGlobal(_, g) => Key::Written(at(), *g),
                InputKind::Argument(p) => Key::Local(func, *p, None),
                InputKind::StartValue(g) => Key::Global(*g, None),
                // Programs without memory draw none of these.
                InputKind::HavocMemory(_) | InputKind::Fails(_) => continue,
            };
            self.keys.insert(key, input.term);
        }
    }

    /// The locals of an activation that begins: all but the parameters are arbitrary.
    fn locals(&mut self, enc: &Encoder<'_>, state: &State, since: Option<u64>) {
        let f = &enc.program.functions[state.func()];
        for l in f.locals.ids().skip(f.n_params) {
            if let Some(t) = state.get(Var::Local(l)) {
                self.keys.insert(Key::Local(state.func(), l, since), t);
            }
        }
    }

    /// A result that was never set is arbitrary still, under the name of the variable that received it.
    fn result(&mut self, enc: &Encoder<'_>, state: &State, (func, edge): (FuncId, EdgeId)) {
        let body = enc.program.body(func);
        let Op::Call(call) = &body.edges[edge].op else { return };
        let Some((dst, t)) = call.dst.and_then(|d| Some((d, state.get(d)?))) else { return };
        let same = |(k, &other): (&Key, &Term)| match k {
            Key::Local(_, _, since) | Key::Global(_, since) if other == t => Some(*since),
            _ => None,
        };
        if let Some(since) = self.keys.iter().find_map(same) {
            let key = match dst {
                Var::Local(l) => Key::Local(func, l, since),
                Var::Global(g) => Key::Global(g, since),
            };
            self.keys.insert(key, t);
        }
    }
}

/// With the run's inputs the path leads to one state only.
fn only_end(
    enc: &mut Encoder<'_>,
    symbolic: &Symbolic,
    bound: &Bound,
    state: &State,
    snapshot: &Snapshot,
    stats: &mut Statistics,
) -> Result<(), String> {
    let mut hypotheses = bound.equations(&mut enc.store);
    hypotheses.extend(&symbolic.assumptions);
    let mut goal = enc.store.bool(true);
    for var in snapshot.vars() {
        if let (Some(t), Some(v)) = (state.get(var), snapshot.get(var)) {
            let equal = equals(&mut enc.store, t, v);
            goal = enc.store.and(goal, equal);
        }
    }
    match check_valid(&enc.store, &hypotheses, goal, CONFLICTS) {
        logic::Answer::Unsat(_) => stats.add("ends of paths shown to be the only ones", 1),
        logic::Answer::Sat(_) => return Err("with the run's inputs the path can end in another state".into()),
        logic::Answer::Unknown(_) => stats.add("questions not decided", 1),
    }
    Ok(())
}

/// A model of the path's formula, as inputs, makes the interpreter follow the path to the same end.
fn model(
    enc: &Encoder<'_>,
    symbolic: &Symbolic,
    path: &Path,
    run: &Recorded,
    stats: &mut Statistics,
) -> Result<(), String> {
    let model = match check_sat(&enc.store, &symbolic.assumptions, CONFLICTS) {
        logic::Answer::Sat(model) => model,
        logic::Answer::Unsat(_) => return Err("the formula of a path that was run has no model".into()),
        logic::Answer::Unknown(_) => {
            stats.add("questions not decided", 1);
            return Ok(());
        }
    };
    let mut inputs = ModelInputs { enc, keys: &symbolic.keys, model: &model };
    let limits = Limits { steps: path.edges.len() as u64 + 1, ..Limits::default() };
    let followed = interp::follow(enc.program, path, &mut inputs, &limits, &mut Unobserved);
    let as_before = match (&followed.end, &run.execution.end) {
        (End::Error { at: a, .. }, End::Error { at: b, .. }) | (End::Halted { at: a }, End::Halted { at: b }) => a == b,
        (End::Exited(_), End::Exited(_)) | (End::Unsupported { .. }, End::Unsupported { .. }) => true,
        (End::PathEnd, End::Blocked { .. } | End::Ub { .. } | End::Limit(_)) => true,
        _ => false,
    };
    if !as_before || followed.steps != path.edges.len() as u64 {
        let describe = |end| certify::replay::describe(enc.program, end);
        let (now, then) = (describe(&followed.end), describe(&run.execution.end));
        return Err(format!("a model of the path's formula leads elsewhere: {now}, not {then}"));
    }
    stats.add("models replayed", 1);
    if matches!(followed.end, End::Error { .. }) {
        let cex = certify::Counterexample { path: Some(path.clone()), tape: followed.tape };
        certify::replay(enc.program, cex).map_err(|e| format!("the tape of a model does not replay: {e}"))?;
        stats.add("counterexamples from models", 1);
    }
    Ok(())
}

/// The values of a model, asked for by the interpreter.
struct ModelInputs<'a> {
    enc: &'a Encoder<'a>,
    keys: &'a BTreeMap<Key, Term>,
    model: &'a Model,
}

impl Inputs for ModelInputs<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let missing = || InputError::Missing(format!("{:?}", request.what));
        let What::Value { ty, .. } = request.what else { return Err(missing()) };
        let term = Key::of(request).and_then(|k| self.keys.get(&k)).ok_or_else(missing)?;
        let bits = pattern(&self.model.eval(&self.enc.store, *term));
        Ok(Answer::Value(match ty {
            Ty::Ptr if bits == 0 => Input::Pointer(Pointer::Null),
            Ty::Ptr => Input::Pointer(Pointer::Raw(bits as u64)),
            Ty::Bool | Ty::Int(_) | Ty::Float(_) => Input::Bits(bits),
        }))
    }
}

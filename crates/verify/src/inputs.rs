//! A model of a path's formula as inputs of the interpreter.
//!
//! The formula draws a value where a step makes it arbitrary; the interpreter asks for it there, or, for something
//! uninitialised, when it is first read. Both name the step that made it arbitrary, and that is how they are matched.

use certify::{Checked, Counterexample, replay};
use ir::interp::{self, Answer, Input, InputError, Inputs, Limits, Origin, Pointer, Request, Unobserved, What, Why};
use ir::{FuncId, GlobalId, LocalId, Path, Source, Ty, Var};
use logic::Model;
use rustc_hash::FxHashMap;
use vc::path::PathFormula;
use vc::{DrawKind, Encoder};

/// What a drawn value is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Asked for at the step that makes it arbitrary.
    Step(u64),
    /// A global that a function without body wrote at this step.
    Written(u64, GlobalId),
    /// A local that was not written since this step (`None`: since the start).
    Local(FuncId, LocalId, Option<u64>),
    /// A global that was not written since this step.
    Global(GlobalId, Option<u64>),
}

/// Answers of a model.
pub(crate) struct ModelInputs {
    values: FxHashMap<Key, (Ty, u128)>,
}

impl ModelInputs {
    /// The values that `model` gives to what a path draws.
    pub(crate) fn new(enc: &Encoder<'_>, formula: &PathFormula, model: &Model) -> ModelInputs {
        let mut evaluator = model.evaluator(&enc.store);
        let entry = enc.program.entry;
        let start = formula.start.draws.iter().map(|d| (None, entry, d));
        let steps = formula.steps.iter().zip(0u64..);
        let steps = steps.flat_map(|(s, i)| s.effects.draws.iter().map(move |d| (Some(i), s.func, d)));
        let values = start.chain(steps).map(|(step, func, draw)| {
            let key = match (&draw.kind, step) {
                (DrawKind::Havoc(Source::Uninit, Var::Local(l)), _) => Key::Local(func, *l, step),
                (DrawKind::Havoc(Source::Uninit, Var::Global(g)), _) => Key::Global(*g, step),
                (DrawKind::Argument(p), _) => Key::Local(entry, *p, None),
                (DrawKind::StartValue(g), _) => Key::Global(*g, None),
                (DrawKind::ExternGlobal(_, g), _) => Key::Written(step.expect("a call is a step"), *g),
                (DrawKind::Havoc(..) | DrawKind::ExternResult(_), _) => Key::Step(step.expect("a draw by a step")),
            };
            let pattern = match evaluator.eval(draw.term) {
                logic::Value::Bool(b) => u128::from(b),
                logic::Value::Bits(bits) => bits.to_u128().expect("IR values have at most 128 bits"),
            };
            (key, (draw.ty, pattern))
        });
        ModelInputs { values: values.collect() }
    }
}

impl Inputs for ModelInputs {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let no_memory = || InputError::Missing("the model says nothing about memory".into());
        let (key, ty) = match &request.what {
            What::Value { ty, from } => (key_of(from, request.step).ok_or_else(no_memory)?, *ty),
            What::Base { .. } => return Ok(Answer::Base(None)),
            What::Fails { .. } => return Ok(Answer::Fails(false)),
            What::Bytes { .. } | What::Writes { .. } => return Err(no_memory()),
        };
        // What the formula did not draw does not matter to the path.
        let (_, pattern) = self.values.get(&key).copied().filter(|(t, _)| *t == ty).unwrap_or((ty, 0));
        Ok(Answer::Value(match ty {
            Ty::Ptr if pattern == 0 => Input::Pointer(Pointer::Null),
            Ty::Ptr => Input::Pointer(Pointer::Raw(pattern as u64)),
            Ty::Bool | Ty::Int(_) | Ty::Float(_) => Input::Bits(pattern),
        }))
    }

    fn finish(&mut self) -> Result<(), InputError> {
        Ok(())
    }
}

fn key_of(from: &Why<'_>, step: u64) -> Option<Key> {
    match from {
        Why::Source(_) | Why::Result(_) => Some(Key::Step(step)),
        Why::Global(_, g) => Some(Key::Written(step, *g)),
        Why::Uninit(Origin::Local { func, local, since }) => Some(Key::Local(*func, *local, *since)),
        Why::Uninit(Origin::Global { global, since }) => Some(Key::Global(*global, *since)),
        Why::Uninit(Origin::Object { .. } | Origin::Ext { .. }) => None,
    }
}

/// The counterexample that a model of a path's formula stands for, replayed.
pub(crate) fn counterexample(
    enc: &Encoder<'_>,
    formula: &PathFormula,
    model: &Model,
    path: Path,
) -> Result<Checked<Counterexample>, String> {
    let mut inputs = ModelInputs::new(enc, formula, model);
    let limits = Limits { steps: path.edges.len() as u64 + 1, ..Limits::default() };
    let execution = interp::follow(enc.program, &path, &mut inputs, &limits, &mut Unobserved);
    let tape = execution.tape;
    replay(enc.program, Counterexample { path: Some(path), tape }).map_err(|e| e.to_string())
}

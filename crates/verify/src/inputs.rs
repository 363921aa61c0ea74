//! A model of a path's formula as inputs of the interpreter.
//!
//! The formula draws a value where a step makes it arbitrary; the interpreter asks for it there, or, for something
//! uninitialised, when it is first read. Both name the step that made it arbitrary, and that is how they are matched.
//! Bytes of objects that were never written are what the formula's maps have at their addresses when they are read.
//!
//! Objects are known by the order in which a run makes them. Where they lie is left to the interpreter at first: few paths
//! depend on it, and the formula's addresses are translated. If that does not lead along the path, they are put where
//! the model has them. To the formula an access is one of whatever lies at its address; to the interpreter a pointer has an object.
//! So a pointer of the model that lies a little before an object may be one to that object.

use analysis::Analysis;
use certify::{Checked, Counterexample, replay};
use ir::interp::{
    self, Answer, Input, InputCause, InputError, Inputs, Limits, Origin, Patch, PatchData, Pointer, Request,
    Unobserved, What,
};
use ir::{FuncId, GlobalId, LocalId, Path, Source, Ty, Var};
use logic::{Bits, Model, Term};
use pointsto::Object;
use rustc_hash::FxHashMap;
use vc::path::{PathFormula, path_formula};
use vc::{Encoder, InputKind};

/// Objects larger than this are taken to be left alone by functions without body.
const MAX_WRITTEN: u64 = 1 << 18;

/// Addresses below this are those of functions and of the first page in the interpreter. The formula knows neither, and where it
/// has something outside there, the interpreter has it elsewhere.
const LOW: u64 = 1 << 17;

/// No function lies below.
const FIRST_PAGE: u64 = 0x1000;

/// A pointer that lies at most so many bytes before an object may be one to it.
const NEAR: u64 = 1 << 12;

/// How addresses of the model become those of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Objects lie where the interpreter puts them.
    Free,
    /// Objects lie where the model has them.
    Chosen,
    /// The same, and pointers near an object are pointers to it.
    Near,
}

/// What a drawn value is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Asked for at the step that makes it arbitrary.
    Step(u64),
    /// Whether the allocation at this step fails.
    Fails(u64),
    /// A global that a function without body wrote at this step.
    Written(u64, GlobalId),
    /// A local that was not written since this step (`None`: since the start).
    Local(FuncId, LocalId, Option<u64>),
    /// A global that was not written since this step.
    Global(GlobalId, Option<u64>),
}

/// An object of the path, with its address in the model.
struct Placed {
    object: Object,
    base: u64,
    size: u64,
}

/// Answers of a model.
pub(crate) struct ModelInputs<'a> {
    enc: &'a Encoder<'a>,
    formula: &'a PathFormula,
    model: &'a Model,
    values: FxHashMap<Key, (Ty, u128)>,
    /// The objects that the run has made so far, by number.
    placed: Vec<Placed>,
    /// Where functions lie in the model, and where in a run.
    functions: Vec<(u64, u64)>,
    layout: Layout,
}

impl<'a> ModelInputs<'a> {
    /// The values that `model` gives to what a path draws.
    pub(crate) fn new(
        enc: &'a Encoder<'_>,
        formula: &'a PathFormula,
        model: &'a Model,
        layout: Layout,
    ) -> ModelInputs<'a> {
        let mut evaluator = model.evaluator(&enc.store);
        let entry = enc.program.entry;
        let start = formula.start.inputs.iter().map(|d| (None, entry, d));
        let steps = formula.steps.iter().zip(0u64..);
        let steps = steps.flat_map(|(s, i)| s.effects.inputs.iter().map(move |d| (Some(i), s.func, d)));
        let mut values = FxHashMap::default();
        for (step, func, draw) in start.chain(steps) {
            let at = || step.expect("a draw by a step");
            let key = match &draw.kind {
                InputKind::Havoc(Source::Uninit, Var::Local(l)) => Key::Local(func, *l, step),
                InputKind::Havoc(Source::Uninit, Var::Global(g)) => Key::Global(*g, step),
                InputKind::Argument(p) => Key::Local(entry, *p, None),
                InputKind::StartValue(g) => Key::Global(*g, None),
                InputKind::ExternGlobal(_, g) => Key::Written(at(), *g),
                InputKind::Fails(_) => Key::Fails(at()),
                // Read from the map when it is asked for.
                InputKind::HavocMemory(Source::Uninit) => continue,
                InputKind::Havoc(..) | InputKind::HavocMemory(_) | InputKind::ExternResult(_) => Key::Step(at()),
            };
            let pattern = match evaluator.eval(draw.term) {
                logic::Value::Bool(b) => u128::from(b),
                logic::Value::Bits(bits) => bits.to_u128().expect("IR values have at most 128 bits"),
            };
            values.insert(key, (draw.ty, pattern));
        }
        let place =
            |(f, base)| Some((model.bits(&enc.store, base).to_u64()?, interp::function_address(enc.program, f)));
        let functions = enc.known_functions().filter_map(place).collect();
        ModelInputs { enc, formula, model, values, placed: Vec::new(), functions, layout }
    }

    /// A new object: which one it is follows from the order in which a run makes them.
    fn place(&mut self, size: u64, align: u64) -> Result<Answer, InputError> {
        let unknown = || InputError::Missing("the path makes more objects than its formula".into());
        let made = self.formula.objects.get(self.placed.len()).ok_or_else(unknown)?;
        let base = self.model.bits(&self.enc.store, made.base).to_u64().unwrap_or(0);
        self.placed.push(Placed { object: made.object, base, size });
        let possible = base != 0 && base.is_multiple_of(align.max(1));
        Ok(Answer::Base((self.layout != Layout::Free && possible).then_some(base)))
    }

    /// The bytes that the formula has at a place of an object (or outside) before a step.
    fn bytes(&self, step: u64, object: Object, offset: u64, address: u64, len: u64) -> Vec<u8> {
        let state = self.formula.steps.get(step as usize).map_or(&self.formula.end.state, |s| &s.before);
        let width = self.enc.program.model.ptr_width();
        let byte = |i: u64| -> Option<u8> {
            // A word is found at the address of its first byte, which is the nearest before that the map can have.
            let (map, n) = self.enc.map_of_byte(state, object, offset + i)?;
            let within = self.enc.word_start(object, offset + i)?;
            debug_assert!(within < n, "a byte lies in its word");
            let at = address.wrapping_add(i).wrapping_sub(within);
            let at = Bits::from_u128(u32::from(width), u128::from(at) & (u128::MAX >> (128 - width)));
            let word = self.model.read(&self.enc.store, map, &at).to_u128()?;
            Some((word >> (8 * within)) as u8)
        };
        (0..len).map(|i| byte(i).unwrap_or(0)).collect()
    }

    /// What the formula has changed in an object across the step of a function without body: words in which some byte is another
    /// one. (Before that, the formula may have had other bytes there than the run, which knows better what the outside knows.)
    fn written(&self, step: u64, object: u32, size: u64) -> Vec<Patch> {
        let Some(placed) = self.placed.get(object as usize).filter(|_| size <= MAX_WRITTEN) else { return Vec::new() };
        let [before, after] = [step, step + 1].map(|s| self.bytes(s, placed.object, 0, placed.base, size));
        let mut patches: Vec<Patch> = Vec::new();
        let foreign = self.enc.program.functions.iter().any(ir::calls::is_foreign);
        let word = Ty::Ptr.size(self.enc.program.model) as usize;
        let words = before.chunks(word).zip(after.chunks(word));
        let changed: Vec<bool> = words.map(|(old, new)| old != new).collect();
        // A word may be the address of a function of the outside, which as a number it would not be.
        let address = |at: usize| {
            let bytes = after.get(at..at + word).filter(|_| foreign && self.is_word(step, placed.object, at as u64))?;
            let address = bytes.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
            (address >= FIRST_PAGE).then_some(address)
        };
        for (offset, &new) in (0u64..).zip(&after).filter(|(offset, _)| changed[*offset as usize / word]) {
            let first = offset as usize / word * word;
            if let Some(address) = address(first) {
                if first == offset as usize {
                    patches.push(Patch { offset, data: PatchData::Pointer(self.pointer(address)) });
                }
                continue;
            }
            match patches.last_mut() {
                Some(Patch { offset: start, data: PatchData::Bytes(bytes) })
                    if *start + bytes.len() as u64 == offset =>
                {
                    bytes.push(new);
                }
                _ => patches.push(Patch { offset, data: PatchData::Bytes(vec![new]) }),
            }
        }
        patches
    }

    /// Whether the formula has a word as wide as a pointer at a place of an object.
    fn is_word(&self, step: u64, object: Object, offset: u64) -> bool {
        let Some(state) = self.formula.steps.get(step as usize).map(|s| &s.before) else { return false };
        let n = self.enc.map_of_byte(state, object, offset).map(|(_, n)| n);
        n == Some(Ty::Ptr.size(self.enc.program.model)) && self.enc.word_start(object, offset) == Some(0)
    }

    /// The bytes of something that was never written.
    fn uninitialised(&self, step: u64, origin: &Origin, len: u64) -> Option<Vec<u8>> {
        match origin {
            Origin::Object { object, offset, .. } => {
                let placed = self.placed.get(*object as usize)?;
                Some(self.bytes(step, placed.object, *offset, placed.base.wrapping_add(*offset), len))
            }
            Origin::Ext { address } => Some(self.bytes(step, Object::Ext, 0, self.outside(*address), len)),
            Origin::Local { .. } | Origin::Global { .. } => None,
        }
    }

    /// A pointer of the model: into one of its objects, or a number.
    fn pointer(&self, address: u64) -> Pointer {
        if address == 0 {
            return Pointer::Null;
        }
        if let Some(&(_, there)) = self.functions.iter().find(|f| f.0 == address) {
            return Pointer::Raw(there);
        }
        let inside = |p: &Placed| address.wrapping_sub(p.base) <= p.size && p.base != 0;
        let near = |p: &Placed| p.base.checked_sub(address).is_some_and(|d| d <= NEAR);
        let to =
            |n: usize| Pointer::Object { object: n as u32, offset: address.wrapping_sub(self.placed[n].base) as i64 };
        match (self.placed.iter().position(inside), self.layout) {
            (Some(n), Layout::Free) => to(n),
            (None, Layout::Free) if address < LOW => Pointer::Ext(address),
            (None, Layout::Near) => self.placed.iter().position(near).map_or(Pointer::Raw(address), to),
            _ => Pointer::Raw(address),
        }
    }

    /// The address in the model of a byte outside.
    fn outside(&self, address: u64) -> u64 {
        match address.checked_sub(interp::ext_base(self.enc.program)) {
            Some(low) if low < LOW && self.layout == Layout::Free => low,
            _ => address,
        }
    }
}

impl Inputs for ModelInputs<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let (from, ty) = match &request.what {
            What::Value { ty, from } => (from, *ty),
            What::Base { size, align, .. } => return self.place(*size, *align),
            What::Fails { .. } => {
                let fails = self.values.get(&Key::Fails(request.step)).is_some_and(|&(_, v)| v != 0);
                return Ok(Answer::Fails(fails));
            }
            What::Writes { object, size, .. } => return Ok(Answer::Writes(self.written(request.step, *object, *size))),
            What::Bytes { len, from, to } => {
                let known = match (from, to) {
                    (InputCause::Uninit(origin), _) => self.uninitialised(request.step, origin, *len),
                    // What the formula has there after the step that wrote it.
                    (_, Some(to)) => self.uninitialised(request.step + 1, to, *len),
                    _ => None,
                };
                return Ok(Answer::Bytes(known.unwrap_or_else(|| vec![0; *len as usize])));
            }
        };
        let pattern = match key_of(from, request.step) {
            // What the formula did not draw does not matter to the path.
            Some(key) => self.values.get(&key).filter(|(t, _)| *t == ty).map_or(0, |&(_, p)| p),
            None => {
                let InputCause::Uninit(origin) = from else { unreachable!("only uninitialised bytes have no key") };
                let n = ty.size(self.enc.program.model).min(16);
                let bytes = self.uninitialised(request.step, origin, n).unwrap_or_default();
                let bits = bytes.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
                match ty {
                    Ty::Bool => u128::from(bits != 0),
                    _ => bits & (u128::MAX >> (128 - ty.width(self.enc.program.model))),
                }
            }
        };
        Ok(Answer::Value(match ty {
            Ty::Ptr => Input::Pointer(self.pointer(pattern as u64)),
            Ty::Bool | Ty::Int(_) | Ty::Float(_) => Input::Bits(pattern),
        }))
    }

    fn finish(&mut self) -> Result<(), InputError> {
        Ok(())
    }
}

fn key_of(from: &InputCause<'_>, step: u64) -> Option<Key> {
    match from {
        InputCause::Source(_) | InputCause::Result(_) => Some(Key::Step(step)),
        InputCause::Global(_, g) => Some(Key::Written(step, *g)),
        InputCause::Uninit(Origin::Local { func, local, since }) => Some(Key::Local(*func, *local, *since)),
        InputCause::Uninit(Origin::Global { global, since }) => Some(Key::Global(*global, *since)),
        InputCause::Uninit(Origin::Object { .. } | Origin::Ext { .. }) => None,
    }
}

/// The counterexample that a model of a path's formula stands for, replayed.
pub(crate) fn counterexample(
    enc: &Encoder<'_>,
    formula: &PathFormula,
    model: &Model,
    path: &Path,
) -> Result<Checked<Counterexample>, String> {
    let attempt = |layout: Layout| {
        let mut inputs = ModelInputs::new(enc, formula, model, layout);
        // The path ends the run; operations on ranges count for more than one step.
        let limits = Limits { steps: 1 << 40, ..Limits::default() };
        let tape = interp::follow(enc.program, path, &mut inputs, &limits, &mut Unobserved).tape;
        let path = Some(path.clone());
        replay(enc.program, Counterexample { path, tape }).map_err(|e| e.to_string())
    };
    let found = attempt(Layout::Free);
    if formula.objects.is_empty() {
        return found;
    }
    let others = |first: String| attempt(Layout::Chosen).or_else(|_| attempt(Layout::Near)).map_err(|_| first);
    found.or_else(others)
}

/// A model with small objects, if there is one.
fn small_model(enc: &mut Encoder<'_>, formula: &PathFormula, condition: Term, model: Model, conflicts: u64) -> Model {
    let small = formula.small_objects(enc);
    if small.is_empty() {
        return model;
    }
    let all = small.into_iter().fold(condition, |all, t| enc.store.and(all, t));
    logic::check_sat(&enc.store, &[all], conflicts).model().unwrap_or(model)
}

/// Ranges that are tried for all integers that a path draws, in bits, where the replay of a model without them fails: what keeps a
/// model from being a run is mostly a number that a program could only have if its objects lay where they do not.
const SMALL_BITS: [u32; 3] = [3, 8, 16];

/// That all integers which are drawn have so few bits, as signed numbers.
fn small_inputs(enc: &mut Encoder<'_>, formula: &PathFormula, bits: u32) -> Term {
    let all = formula.start.inputs.iter().chain(formula.steps.iter().flat_map(|s| &s.effects.inputs));
    let drawn: Vec<(Term, u32)> = all
        .filter_map(|d| match d.ty {
            Ty::Int(int) if u32::from(int.width) > bits => Some((d.term, u32::from(int.width))),
            _ => None,
        })
        .collect();
    let mut small = enc.store.bool(true);
    for (term, width) in drawn {
        let (half, most) = (enc.store.bv(width, 1 << (bits - 1)), enc.store.bv(width, 1 << bits));
        let from_least = enc.store.bv_add(term, half);
        let fits = enc.store.ult(from_least, most);
        small = enc.store.and(small, fits);
    }
    small
}

/// The counterexample that takes this path, replayed, or why there is none. The whole path is asked about in a fresh context, so that
/// the inputs do not depend on the search that found it. Where the replay of one model fails, others are tried.
pub(crate) fn confirm(analysis: &Analysis<'_>, path: &Path, conflicts: u64) -> Result<Checked<Counterexample>, String> {
    let mut enc = Encoder::for_path(analysis);
    let formula = path_formula(&mut enc, &path.edges).map_err(|e| e.to_string())?;
    let assumptions = formula.steps.iter().flat_map(|s| s.effects.assumptions.iter().map(|a| a.term));
    let condition = assumptions.fold(enc.store.bool(true), |all, t| enc.store.and(all, t));
    let model = match logic::check_sat(&enc.store, &[condition], conflicts) {
        logic::Answer::Sat(model) => small_model(&mut enc, &formula, condition, model, conflicts),
        logic::Answer::Unsat(_) => return Err("a path to a target looked feasible but is not".into()),
        logic::Answer::Unknown(why) => return Err(why.to_string()),
    };
    let first = match counterexample(&enc, &formula, &model, path) {
        Ok(run) => return Ok(run),
        Err(why) => format!("a path has a model but its replay fails: {why}"),
    };
    for bits in SMALL_BITS {
        let small = small_inputs(&mut enc, &formula, bits);
        let Some(model) = logic::check_sat(&enc.store, &[condition, small], conflicts).model() else { continue };
        let all = enc.store.and(condition, small);
        let model = small_model(&mut enc, &formula, all, model, conflicts);
        if let Ok(run) = counterexample(&enc, &formula, &model, path) {
            return Ok(run);
        }
    }
    Err(first)
}

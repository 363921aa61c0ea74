//! The inputs of a run, in the words of the source: a tape that notes who asked for what.

use super::pointees::{Blocks, is_room, scalar_at, site_word};
use super::{RunInput, names, values};
use crate::ProgramText;
use base::Id;
use ir::cfg::AddressTaken;
use ir::interp::{
    Answer, At, Data, Input, InputCause, InputError, Inputs, Origin, Patch, PatchData, Request, TapeInputs, What,
};
use ir::{FuncId, Op, Program, Source, Ty, Var};
use std::collections::VecDeque;

/// Reads a tape, and keeps the first and the last inputs.
pub(super) struct NotedTape<'a> {
    tape: TapeInputs<'a>,
    source: ProgramText<'a>,
    /// How many are kept at each end.
    kept: usize,
    first: Vec<RunInput>,
    last: VecDeque<RunInput>,
    left_out: usize,
    /// What the first objects of the run are called: globals, then variables of the entry function.
    objects: Vec<String>,
    /// The variables that these objects are.
    variables: Vec<(FuncId, Var)>,
    blocks: &'a Blocks,
}

/// Parts of an object that are told of what a function writes to it.
const MOST_PATCHES: usize = 6;

impl<'a> NotedTape<'a> {
    pub(super) fn new(tape: TapeInputs<'a>, source: ProgramText<'a>, blocks: &'a Blocks, kept: usize) -> NotedTape<'a> {
        let variables = first_objects(source.program);
        let name = |(func, var): &(FuncId, Var)| names::variable(source.program, *func, *var).unwrap_or("a temporary");
        let objects = variables.iter().map(|v| name(v).to_string()).collect();
        NotedTape {
            tape,
            source,
            kept,
            first: Vec::new(),
            last: VecDeque::new(),
            left_out: 0,
            objects,
            variables,
            blocks,
        }
    }

    /// The inputs, and how many are left out after the first `kept` of them.
    pub(super) fn finish(mut self) -> (Vec<RunInput>, usize) {
        self.first.extend(self.last);
        (self.first, self.left_out)
    }

    /// What a person calls an object.
    fn object(&self, number: u32) -> String {
        let named = self.objects.get(number as usize).cloned().or_else(|| self.blocks.name(number));
        named.unwrap_or_else(|| format!("object#{number}"))
    }

    /// A pointer to the object.
    fn pointee(&self, number: u32) -> String {
        let block = self.blocks.name(number);
        block.unwrap_or_else(|| format!("&{}", self.object(number)))
    }

    /// What a function without a body leaves in an object: `s.key after f() = 3`.
    fn written(&self, func: FuncId, object: u32, patches: &[Patch]) -> (String, String) {
        let after = format!("after {}", call(&self.source.program.functions[func].name));
        let name = self.object(object);
        let shown: Vec<(String, String)> = patches.iter().take(MOST_PATCHES).map(|p| self.patch(object, p)).collect();
        match &shown[..] {
            [] => (format!("{name} {after}"), "unchanged".to_string()),
            [(part, value)] if patches.len() == 1 => (format!("{name}{part} {after}"), value.clone()),
            parts => {
                let more = if patches.len() > MOST_PATCHES { ", …" } else { "" };
                let parts: Vec<String> = parts.iter().map(|(part, value)| format!("{part} = {value}")).collect();
                (format!("{name} {after}"), format!("{{ {}{more} }}", parts.join(", ")))
            }
        }
    }

    /// A part of an object, and what is written there.
    fn patch(&self, object: u32, patch: &Patch) -> (String, String) {
        let at = |size| {
            let (func, var) = *self.variables.get(object as usize)?;
            scalar_at(self.source.program, func, var, patch.offset, size)
        };
        let bytes = format!(" from byte {}", patch.offset);
        let pointee = |number| self.pointee(number);
        let outside = ir::interp::ext_base(self.source.program);
        let show = |data: &Data| values::show_data(data, &pointee, outside);
        match &patch.data {
            PatchData::Pointer(p) => {
                let part = at(Ty::Ptr.size(self.source.program.model)).map_or(bytes, |(part, _)| part);
                (part, show(&Data::Value(Ty::Ptr, Input::Pointer(*p))))
            }
            PatchData::Bytes(b) => match at(b.len() as u64).filter(|(_, ty)| *ty != Ty::Ptr) {
                Some((part, ty)) => {
                    let bits = b.iter().rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
                    (part, values::show_bits(ty, bits))
                }
                None => (bytes, show(&Data::Bytes(b.clone()))),
            },
        }
    }

    fn note(&mut self, request: &Request<'_>, data: &Data) {
        if let What::Value { from: InputCause::Source(Source::Outside(name)), .. } = &request.what
            && is_room(name)
        {
            return;
        }
        let span = match request.at {
            At::Start => self.source.program.functions[self.source.program.entry].span,
            At::Edge(func, edge) => self.source.edge(func, edge).span,
        };
        let place = self.source.map.locate(span);
        let object = |number| self.object(number);
        let value = |number| self.pointee(number);
        let outside = ir::interp::ext_base(self.source.program);
        let (what, value) = match (&request.what, data) {
            (What::Writes { func, object, .. }, Data::Writes(patches)) => self.written(*func, *object, patches),
            _ => (describe(request, &object), values::show_data(data, &value, outside)),
        };
        let input = RunInput { file: place.file, line: place.line, what, value };
        if self.first.len() < self.kept {
            self.first.push(input);
            return;
        }
        self.last.push_back(input);
        if self.last.len() > self.kept {
            self.last.pop_front();
            self.left_out += 1;
        }
    }
}

impl Inputs for NotedTape<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let answer = self.tape.answer(request)?;
        let data = match (&answer, &request.what) {
            (Answer::Value(v), What::Value { ty, .. }) => Some(Data::Value(*ty, *v)),
            (Answer::Bytes(b), _) => Some(Data::Bytes(b.clone())),
            (Answer::Fails(f), _) => Some(Data::Fails(*f)),
            (Answer::Writes(w), _) => Some(Data::Writes(w.clone())),
            (Answer::Base(Some(b)), _) => Some(Data::Base(*b)),
            (Answer::Value(_) | Answer::Base(None), _) => None,
        };
        if let Some(data) = data {
            self.note(request, &data);
        }
        Ok(answer)
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.tape.finish()
    }
}

/// Who asks, and what for.
fn describe(request: &Request<'_>, object_name: &dyn Fn(u32) -> String) -> String {
    let program = request.program;
    let function = |f: ir::FuncId| shown_name(&program.functions[f]);
    let variable = |func, var| names::variable(program, func, var).unwrap_or("a temporary").to_string();
    match &request.what {
        What::Value { from, .. } | What::Bytes { from, .. } => match from {
            InputCause::Source(Source::Nondet(name) | Source::Outside(name)) => call(name),
            InputCause::Source(Source::Uninit) => "uninitialised".to_string(),
            InputCause::Source(Source::Padding) => "bits of padding".to_string(),
            InputCause::Uninit(Origin::Local { func, local, since }) => {
                let given =
                    *func == program.entry && since.is_none() && local.index() < program.functions[*func].n_params;
                let word = if given { "parameter" } else { "uninitialised" };
                format!("{word} {}", variable(*func, Var::Local(*local)))
            }
            InputCause::Uninit(Origin::Global { global, .. }) => {
                format!("extern {}", variable(program.entry, Var::Global(*global)))
            }
            InputCause::Uninit(Origin::Object { object, padding: true, .. }) => {
                format!("padding of {}", object_name(*object))
            }
            InputCause::Uninit(Origin::Object { object, offset, since, .. }) => {
                let name = object_name(*object);
                // A character of a text that `main` is given.
                if name.ends_with(']') {
                    return format!("{name}[{offset}]");
                }
                let at = if *offset == 0 { String::new() } else { format!(" at byte {offset}") };
                let word = if since.is_none() { "initial" } else { "uninitialised" };
                format!("{word} {name}{at}")
            }
            InputCause::Uninit(Origin::Ext { .. }) => "memory outside the program".to_string(),
            InputCause::Result(f) => call(function(*f)),
            InputCause::Global(f, g) => format!("{} sets {}", function(*f), variable(program.entry, Var::Global(*g))),
        },
        What::Fails { site } => call(site_word(&program.sites[*site].name)),
        What::Writes { func, object, .. } => format!("{} after {}", object_name(*object), call(function(*func))),
        What::Base { object, .. } => format!("address of {}", object_name(*object)),
    }
}

/// The objects that a run begins with: the globals that live in memory, then the entry function's variables.
fn first_objects(program: &Program) -> Vec<(FuncId, Var)> {
    let taken = AddressTaken::new(program);
    let globals = program.globals.ids().map(Var::Global);
    let locals = program.functions[program.entry].locals.ids().map(Var::Local);
    // A local that begins in the middle of its function is made there.
    let edges = program.functions[program.entry].body.iter().flat_map(|b| &b.edges);
    let begun: Vec<Var> =
        edges.filter_map(|e| if let Op::Begin(l) = e.op { Some(Var::Local(l)) } else { None }).collect();
    let locals = locals.filter(|l| !begun.contains(l));
    let in_memory = globals.chain(locals).filter(|v| taken.in_memory(program, program.entry, *v));
    in_memory.map(|v| (program.entry, v)).collect()
}

/// A function's name for people.
pub(super) fn shown_name(f: &ir::Function) -> &str {
    if ir::calls::is_foreign(f) { ir::calls::FUNCTION_OF_THE_OUTSIDE } else { &f.name }
}

/// `name()`, if it is the name of a function.
pub(super) fn call(name: &str) -> String {
    let identifier = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if identifier { format!("{name}()") } else { name.to_string() }
}

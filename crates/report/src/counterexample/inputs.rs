//! The inputs of a run, in the words of the source: a tape that notes who asked for what.

use super::{RunInput, names, values};
use crate::ProgramText;
use base::Id;
use ir::cfg::AddressTaken;
use ir::interp::{Answer, At, Data, InputCause, InputError, Inputs, Origin, Request, TapeInputs, What};
use ir::{Op, Program, Source, Var};
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
}

impl<'a> NotedTape<'a> {
    pub(super) fn new(tape: TapeInputs<'a>, source: ProgramText<'a>, kept: usize) -> NotedTape<'a> {
        let objects = first_objects(source.program);
        NotedTape { tape, source, kept, first: Vec::new(), last: VecDeque::new(), left_out: 0, objects }
    }

    /// The inputs, and how many are left out after the first `kept` of them.
    pub(super) fn finish(mut self) -> (Vec<RunInput>, usize) {
        self.first.extend(self.last);
        (self.first, self.left_out)
    }

    fn note(&mut self, request: &Request<'_>, data: &Data) {
        let span = match request.at {
            At::Start => self.source.program.functions[self.source.program.entry].span,
            At::Edge(func, edge) => self.source.edge(func, edge).span,
        };
        let place = self.source.map.locate(span);
        let (what, value) = (describe(request, &self.objects), values::show_data(data, &self.objects));
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
fn describe(request: &Request<'_>, objects: &[String]) -> String {
    let program = request.program;
    let function = |f: ir::FuncId| &program.functions[f].name;
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
                format!("padding of {}", object_name(objects, *object))
            }
            InputCause::Uninit(Origin::Object { object, offset, since, .. }) => {
                let at = if *offset == 0 { String::new() } else { format!(" at byte {offset}") };
                let word = if since.is_none() { "initial" } else { "uninitialised" };
                format!("{word} {}{at}", object_name(objects, *object))
            }
            InputCause::Uninit(Origin::Ext { .. }) => "memory outside the program".to_string(),
            InputCause::Result(f) => call(function(*f)),
            InputCause::Global(f, g) => format!("{} sets {}", function(*f), variable(program.entry, Var::Global(*g))),
        },
        What::Fails { site } => format!("allocation {}", program.sites[*site].name),
        What::Writes { func, object, .. } => format!("{} leaves {}", function(*func), object_name(objects, *object)),
        What::Base { object, .. } => format!("address of {}", object_name(objects, *object)),
    }
}

/// Names of the objects that a run begins with: the globals that live in memory, then the entry function's variables.
fn first_objects(program: &Program) -> Vec<String> {
    let taken = AddressTaken::new(program);
    let globals = program.globals.ids().map(Var::Global);
    let locals = program.functions[program.entry].locals.ids().map(Var::Local);
    // A local that begins in the middle of its function is made there.
    let edges = program.functions[program.entry].body.iter().flat_map(|b| &b.edges);
    let begun: Vec<Var> =
        edges.filter_map(|e| if let Op::Begin(l) = e.op { Some(Var::Local(l)) } else { None }).collect();
    let locals = locals.filter(|l| !begun.contains(l));
    let in_memory = globals.chain(locals).filter(|v| taken.in_memory(program, program.entry, *v));
    in_memory.map(|v| names::variable(program, program.entry, v).unwrap_or("a temporary").to_string()).collect()
}

/// What a person calls an object.
pub(super) fn object_name(objects: &[String], number: u32) -> String {
    objects.get(number as usize).cloned().unwrap_or_else(|| format!("object#{number}"))
}

/// `name()`, if it is the name of a function.
pub(super) fn call(name: &str) -> String {
    let identifier = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if identifier { format!("{name}()") } else { name.to_string() }
}

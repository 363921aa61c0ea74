//! The inputs of a run, in the words of the source: a tape that notes who asked for what.

use super::{RunInput, names, values};
use crate::ProgramText;
use ir::interp::{Answer, At, Data, InputCause, InputError, Inputs, Origin, Request, TapeInputs, What};
use ir::{Source, Var};
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
}

impl<'a> NotedTape<'a> {
    pub(super) fn new(tape: TapeInputs<'a>, source: ProgramText<'a>, kept: usize) -> NotedTape<'a> {
        NotedTape { tape, source, kept, first: Vec::new(), last: VecDeque::new(), left_out: 0 }
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
        let (what, value) = (describe(request), values::show_data(data));
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
fn describe(request: &Request<'_>) -> String {
    let program = request.program;
    let function = |f: ir::FuncId| &program.functions[f].name;
    let variable = |func, var| names::variable(program, func, var).unwrap_or("a temporary").to_string();
    match &request.what {
        What::Value { from, .. } | What::Bytes { from, .. } => match from {
            InputCause::Source(Source::Nondet(name) | Source::Outside(name)) => call(name),
            InputCause::Source(Source::Uninit) => "uninitialised".to_string(),
            InputCause::Source(Source::Padding) => "bits of padding".to_string(),
            InputCause::Uninit(Origin::Local { func, local, .. }) => {
                let start = matches!(request.at, At::Start);
                let word = if start { "argument" } else { "uninitialised" };
                format!("{word} {}", variable(*func, Var::Local(*local)))
            }
            InputCause::Uninit(Origin::Global { global, .. }) => {
                format!("extern {}", variable(program.entry, Var::Global(*global)))
            }
            InputCause::Uninit(Origin::Object { object, padding: true, .. }) => format!("padding of object#{object}"),
            InputCause::Uninit(Origin::Object { object, .. }) => format!("uninitialised bytes of object#{object}"),
            InputCause::Uninit(Origin::Ext { .. }) => "memory outside the program".to_string(),
            InputCause::Result(f) => call(function(*f)),
            InputCause::Global(f, g) => format!("{} sets {}", function(*f), variable(program.entry, Var::Global(*g))),
        },
        What::Fails { site } => format!("allocation {}", program.sites[*site].name),
        What::Writes { func, object, .. } => format!("{} leaves object#{object}", function(*func)),
        What::Base { object, .. } => format!("address of object#{object}"),
    }
}

/// `name()`, if it is the name of a function.
pub(super) fn call(name: &str) -> String {
    let identifier = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if identifier { format!("{name}()") } else { name.to_string() }
}

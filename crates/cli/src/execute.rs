//! `hardbop run`: one run of the checking interpreter, and how it ended.

use crate::front::{self, Front, refused};
use crate::input::{Empty, read_text};
use crate::message::{Message, Progress, send};
use crate::outcome::{Answer, Outcome};
use crate::settings::RunSettings;
use crate::shown::Sequence;
use ir::interp::{self, End, Inputs, Limits, Observer, RandomInputs, Tape, ZeroInputs};
use ir::{Loc, Program, Ty, UbPolicy};
use report::ProgramText;
use report::counterexample;

/// Executes the program. `printing` is the same program with edges that print, where `front` has none.
pub(crate) fn run(
    settings: &RunSettings,
    mut front: Front,
    printing: Option<Front>,
    progress: &mut Progress,
) -> Outcome {
    let tape = match settings.tape.as_ref().map(|path| read_tape(path, &mut front)).transpose() {
        Ok(tape) => tape,
        Err(outcome) => return *outcome,
    };
    let mut inputs: Box<dyn Inputs + '_> = match (&tape, settings.seed) {
        (Some(tape), _) => Box::new(tape.inputs()),
        (None, Some(seed)) => Box::new(RandomInputs::new(seed)),
        (None, None) => Box::new(ZeroInputs),
    };
    progress.phase("run");
    let limits = Limits { steps: settings.max_steps, memory_bytes: settings.limits.memory, ..Limits::default() };
    let mut printer = Printer::default();
    let execution = interp::run(&front.program, &mut *inputs, &limits, &mut printer);
    if let (Some(printing), Some(mut again)) = (printing, Sequence::of(&execution.tape)) {
        interp::run(&printing.program, &mut again, &limits, &mut printer);
    }
    printer.finish();
    progress.record(|stats| {
        stats.counters.insert("interpreter_steps".to_string(), execution.steps);
    });
    let mut outcome = judge(&front, settings, &execution.end);
    if settings.trace && outcome.answer != Answer::BadInput {
        progress.phase("report");
        let run = counterexample::Run { source: front.source(), path: None, tape: &execution.tape, limits };
        outcome.run = Some(counterexample::describe_run(&run, settings.full_trace).0);
    }
    outcome
}

/// Sends what the program prints to the parent, line by line.
#[derive(Default)]
struct Printer {
    waiting: Vec<u8>,
    /// The last line that was printed has no end.
    unfinished: bool,
}

impl Printer {
    /// Text without a line's end is sent when there is this much of it.
    const LIMIT: usize = 4096;

    /// The answer begins on a line of its own.
    fn finish(&mut self) {
        if self.unfinished {
            self.output(b"\n");
        }
        self.flush();
    }

    fn flush(&mut self) {
        if !self.waiting.is_empty() {
            send(&Message::Output(std::mem::take(&mut self.waiting)));
        }
    }
}

impl Observer for Printer {
    const ACTIVE: bool = false;

    fn output(&mut self, text: &[u8]) {
        self.waiting.extend_from_slice(text);
        self.unfinished = text.last().map_or(self.unfinished, |&b| b != b'\n');
        if self.waiting.ends_with(b"\n") || self.waiting.len() >= Printer::LIMIT {
            self.flush();
        }
    }
}

/// Reads a tape. An empty file is the tape of a run that takes nothing.
pub(crate) fn read_tape(path: &str, front: &mut Front) -> Result<Tape, Box<Outcome>> {
    let text = read_text(path, Empty::Allowed).map_err(|e| Box::new(refused(e)))?;
    let file = front.map.add(path, text);
    let text = &front.map.file(file).text;
    Tape::parse(&front.program, file, text).map_err(|d| Box::new(front::refused_by_front_end(&[d], &front.map)))
}

/// What the end of a run is for the user.
fn judge(front: &Front, settings: &RunSettings, end: &End) -> Outcome {
    match end {
        End::Error { kind, at: (func, edge) } => {
            let reason = format!("{} at {}", ProgramText::describe_error(kind), front.source().show_edge(*func, *edge));
            Outcome::new(Answer::Failed, reason)
        }
        End::Exited(value) => {
            let entry = &front.program.functions[front.program.entry];
            let value = value.zip(entry.ret_ty()).and_then(|(v, ty)| exit_value(ty, v.bits));
            let value = value.map_or(String::new(), |v| format!(" {v}"));
            Outcome::new(Answer::Finished, format!("`{}` returns{value}", entry.name))
        }
        End::Halted { at: (func, edge) } => Outcome::new(
            Answer::Finished,
            format!("the program ends itself at {}", front.source().show_edge(*func, *edge)),
        ),
        End::Blocked { func, loc } => {
            let place = show_location(&front.program, front, *func, *loc);
            Outcome::new(Answer::Finished, format!("an assumption fails at {place}"))
        }
        End::Ub { ub, policy, at } => {
            let place = front.source().show_at(*at);
            match policy {
                UbPolicy::Checked => Outcome::new(Answer::Failed, format!("{} at {place}", ub.describe())),
                UbPolicy::AssumedAway | UbPolicy::Ignored => {
                    Outcome::unknown(format!("undefined behaviour: {} at {place}", ub.describe()))
                }
            }
        }
        End::Unsupported { why, at: (func, edge) } => {
            Outcome::unknown(format!("unsupported: {why} at {}", front.source().show_edge(*func, *edge)))
        }
        End::Limit(exhausted) => Outcome::unknown(exhausted.to_string()),
        End::BadInput { why, at } => {
            let tape = settings.tape.as_deref().unwrap_or("inputs");
            let reason = format!("{why}, at {}", front.source().show_at(*at));
            Outcome::bad_input(format!("{tape}: {reason}"), vec![format!("{tape}: error: {reason}")])
        }
        End::Diverged { .. } | End::PathEnd => Outcome::internal("a run without a path followed one"),
    }
}

fn exit_value(ty: Ty, bits: u128) -> Option<String> {
    match ty {
        Ty::Int(i) if i.signed => Some(i.extend(bits).to_string()),
        Ty::Int(_) | Ty::Bool => Some(bits.to_string()),
        Ty::Float(_) | Ty::Ptr => None,
    }
}

fn show_location(program: &Program, front: &Front, func: ir::FuncId, loc: Loc) -> String {
    let body = program.body(func);
    front.source().show(body.locations[loc].span)
}

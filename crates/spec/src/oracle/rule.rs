//! Random rules as data of their own, with a meaning of their own.

use super::monitor::{FUNCTIONS, Happened};
use base::rng::Rng;

/// A rule.
pub(super) struct Rule {
    /// The object is what comes with one of these events.
    watch: Option<Vec<Event>>,
    handlers: Vec<Handler>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Entry(&'static str),
    Exit(&'static str),
    EntryPointReturns,
    End,
}

struct Handler {
    events: Vec<Event>,
    guarded: bool,
    body: Vec<Statement>,
}

enum Statement {
    Set(usize, Value),
    Add(usize, Value),
    Step(usize),
    If(Condition, Vec<Statement>, Vec<Statement>),
    Abort(u64),
    Halt,
}

#[derive(Clone, Copy)]
enum Value {
    State(usize),
    Constant(i32),
    Argument,
    Result,
}

enum Condition {
    Compare(&'static str, Value, Value),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
}

/// What a rule says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Obeyed,
    Halted,
    Abort(String),
}

impl Outcome {
    /// A run that is not followed any more has not broken the rule.
    pub(super) fn without_halt(&self) -> Outcome {
        match self {
            Outcome::Halted => Outcome::Obeyed,
            other => other.clone(),
        }
    }
}

/// What a rule says, and whether an object was chosen.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) outcome: Outcome,
    pub(super) chosen: bool,
}

/// `ua` gives nothing.
fn gives(event: &Event) -> bool {
    matches!(event, Event::Exit(f) if *f != "ua")
}

fn takes(event: &Event) -> bool {
    matches!(event, Event::Entry(_) | Event::Exit(_))
}

/// A random rule.
pub(super) fn random(rng: &mut Rng) -> Rule {
    let watch = rng.chance(50).then(|| {
        let one = |rng: &mut Rng| {
            let f = *rng.pick(&FUNCTIONS);
            if rng.chance(50) { Event::Entry(f) } else { Event::Exit(f) }
        };
        let mut all = vec![one(rng)];
        if rng.chance(30) {
            all.push(one(rng));
        }
        all
    });
    let mut handlers = Vec::new();
    for _ in 0..2 + rng.below(4) {
        let events = match rng.below(8) {
            0 => vec![Event::EntryPointReturns],
            1 => vec![Event::End],
            n => {
                let exit = n % 2 == 0;
                let mut functions = vec![*rng.pick(&FUNCTIONS)];
                if rng.chance(40) {
                    functions.push(*rng.pick(&FUNCTIONS));
                }
                functions.dedup();
                functions.into_iter().map(|f| if exit { Event::Exit(f) } else { Event::Entry(f) }).collect()
            }
        };
        let guarded = watch.is_some() && events.iter().all(takes) && rng.chance(60);
        let scope = Scope { argument: events.iter().all(takes), result: events.iter().all(gives) };
        let body = body(rng, scope, 2);
        handlers.push(Handler { events, guarded, body });
    }
    Rule { watch, handlers }
}

#[derive(Clone, Copy)]
struct Scope {
    argument: bool,
    result: bool,
}

fn body(rng: &mut Rng, scope: Scope, depth: u32) -> Vec<Statement> {
    (0..1 + rng.below(2)).map(|_| statement(rng, scope, depth)).collect()
}

fn statement(rng: &mut Rng, scope: Scope, depth: u32) -> Statement {
    let state = rng.index(2);
    match rng.below(10) {
        0..=4 if depth > 0 => {
            let condition = condition(rng, scope, 2);
            let otherwise = if rng.chance(40) { body(rng, scope, depth - 1) } else { Vec::new() };
            Statement::If(condition, body(rng, scope, depth - 1), otherwise)
        }
        5 | 6 if depth < 2 => Statement::Abort(rng.below(100)),
        7 if depth < 2 && rng.chance(30) => Statement::Halt,
        8 => Statement::Step(state),
        9 => Statement::Add(state, value(rng, scope)),
        _ => Statement::Set(state, value(rng, scope)),
    }
}

fn value(rng: &mut Rng, scope: Scope) -> Value {
    match rng.below(6) {
        0 | 1 if scope.argument => Value::Argument,
        2 | 3 if scope.result => Value::Result,
        4 => Value::State(rng.index(2)),
        _ => Value::Constant(rng.below(4) as i32),
    }
}

fn condition(rng: &mut Rng, scope: Scope, depth: u32) -> Condition {
    match rng.below(6) {
        0 if depth > 0 => Condition::Not(Box::new(condition(rng, scope, depth - 1))),
        1 if depth > 0 => {
            Condition::Both(Box::new(condition(rng, scope, depth - 1)), Box::new(condition(rng, scope, depth - 1)))
        }
        _ => {
            let op = *rng.pick(&["==", "!=", "<", ">="]);
            Condition::Compare(op, value(rng, scope), value(rng, scope))
        }
    }
}

/// The text of a rule.
pub(super) fn print(rule: &Rule) -> String {
    let mut out = String::from("state { int s0 = 0, s1 = 1; }\n");
    if let Some(events) = &rule.watch {
        let one = |e: &Event| match e {
            Event::Exit(f) if gives(e) => format!("{f}.exit.$return"),
            Event::Exit(f) => format!("{f}.exit.$1"),
            Event::Entry(f) => format!("{f}.entry.$1"),
            Event::EntryPointReturns | Event::End => unreachable!("these give no object"),
        };
        out += &format!("watch {};\n", events.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    for h in &rule.handlers {
        let names: Vec<&str> = h
            .events
            .iter()
            .filter_map(|e| match e {
                Event::Entry(f) | Event::Exit(f) => Some(*f),
                Event::EntryPointReturns | Event::End => None,
            })
            .collect();
        let event = match h.events[0] {
            Event::Entry(_) => format!("[{}].entry", names.join(", ")),
            Event::Exit(_) => format!("[{}].exit", names.join(", ")),
            Event::EntryPointReturns => "$entry.exit".to_owned(),
            Event::End => "$end".to_owned(),
        };
        let guard = if h.guarded { " [guard $1]" } else { "" };
        out += &format!("{event}{guard} {{\n");
        statements(&mut out, &h.body);
        out += "}\n";
    }
    out
}

fn statements(out: &mut String, body: &[Statement]) {
    for s in body {
        let text = match s {
            Statement::Set(x, v) => format!("  s{x} = {};\n", show(*v)),
            Statement::Add(x, v) => format!("  s{x} += {};\n", show(*v)),
            Statement::Step(x) => format!("  s{x}++;\n"),
            Statement::Abort(n) => format!("  abort \"$fname says {n}\";\n"),
            Statement::Halt => "  halt;\n".to_owned(),
            Statement::If(c, then, otherwise) => {
                *out += &format!("  if ({}) {{\n", show_condition(c));
                statements(out, then);
                if !otherwise.is_empty() {
                    *out += "  } else {\n";
                    statements(out, otherwise);
                }
                "  }\n".to_owned()
            }
        };
        *out += &text;
    }
}

fn show(v: Value) -> String {
    match v {
        Value::State(x) => format!("s{x}"),
        Value::Constant(c) => c.to_string(),
        Value::Argument => "$1".to_owned(),
        Value::Result => "$return".to_owned(),
    }
}

fn show_condition(c: &Condition) -> String {
    match c {
        Condition::Compare(op, a, b) => format!("{} {op} {}", show(*a), show(*b)),
        Condition::Not(c) => format!("!({})", show_condition(c)),
        Condition::Both(a, b) => format!("({}) && ({})", show_condition(a), show_condition(b)),
    }
}

/// Follows a rule along what happened. The object is the one of the offer with index `choice`, counted while there is none. What is
/// among the last two that were passed over is not offered again.
pub(super) fn follow(rule: &Rule, trace: &[Happened], choice: Option<u64>) -> Followed {
    let mut machine = Machine { state: [0, 1], argument: 0, result: 0, function: String::new() };
    let (mut object, mut left, mut passed) = (None, choice, Vec::new());
    for happened in trace {
        machine.enter(happened);
        let concerns = |e: &Event| match (e, happened) {
            (Event::Entry(f), Happened::Entry(g, _)) | (Event::Exit(f), Happened::Exit(g, ..)) => *f == g.as_str(),
            (Event::EntryPointReturns, Happened::Returned) | (Event::End, Happened::End) => true,
            _ => false,
        };
        for event in rule.watch.iter().flatten().filter(|e| concerns(e)) {
            let offered = if gives(event) { machine.result } else { machine.argument };
            if object.is_some() || passed.contains(&offered) {
                continue;
            }
            if left == Some(0) {
                object = Some(offered);
            } else {
                passed.insert(0, offered);
                passed.truncate(2);
            }
            left = left.map(|n| n.saturating_sub(1));
        }
        let concerned = rule.handlers.iter().filter(|h| h.events.iter().any(concerns));
        for handler in concerned {
            if handler.guarded && object != Some(machine.argument) {
                continue;
            }
            if let Some(outcome) = machine.run(&handler.body) {
                return Followed { outcome, chosen: object.is_some() };
            }
        }
    }
    Followed { outcome: Outcome::Obeyed, chosen: object.is_some() }
}

/// A rule while it is followed.
struct Machine {
    state: [i32; 2],
    argument: i32,
    result: i32,
    function: String,
}

impl Machine {
    fn enter(&mut self, happened: &Happened) {
        match happened {
            Happened::Entry(f, a) => (self.function, self.argument) = (f.clone(), *a),
            Happened::Exit(f, a, r) => {
                (self.function, self.argument, self.result) = (f.clone(), *a, r.unwrap_or(0));
            }
            Happened::Returned => self.function = "main".to_owned(),
            Happened::End => self.function = String::new(),
        }
    }

    fn value(&self, v: Value) -> i32 {
        match v {
            Value::State(x) => self.state[x],
            Value::Constant(c) => c,
            Value::Argument => self.argument,
            Value::Result => self.result,
        }
    }

    fn holds(&self, c: &Condition) -> bool {
        match c {
            Condition::Compare(op, a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                match *op {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    _ => a >= b,
                }
            }
            Condition::Not(c) => !self.holds(c),
            Condition::Both(a, b) => self.holds(a) && self.holds(b),
        }
    }

    /// How the run ends, if it does.
    fn run(&mut self, body: &[Statement]) -> Option<Outcome> {
        for s in body {
            match s {
                Statement::Set(x, v) => self.state[*x] = self.value(*v),
                Statement::Add(x, v) => self.state[*x] = self.state[*x].wrapping_add(self.value(*v)),
                Statement::Step(x) => self.state[*x] = self.state[*x].wrapping_add(1),
                Statement::Abort(n) => return Some(Outcome::Abort(format!("{} says {n}", self.function))),
                Statement::Halt => return Some(Outcome::Halted),
                Statement::If(c, then, otherwise) => {
                    let branch = if self.holds(c) { then } else { otherwise };
                    if let Some(outcome) = self.run(branch) {
                        return Some(outcome);
                    }
                }
            }
        }
        None
    }
}

//! The second run of a report: collects what is to be said on the lines that were chosen.

use super::abridge::Kept;
use super::inputs::call;
use super::pointees::{self, Blocks, Variables};
use super::trace::{Line, Tracer};
use super::{RunLine, RunStep, names, values};
use crate::{ProgramText, RulePart};
use base::Span;
use ir::interp::{Observer, StateView, Step, Value};
use ir::{Callee, Edge, EdgeId, Expr, ExprKind, FuncId, HavocDst, Op, Place, Source, Ty, Var};

/// Collects the values of the lines that are shown.
pub(super) struct ValueCollector<'a> {
    source: ProgramText<'a>,
    tracer: &'a Tracer<'a>,
    /// For each moment the line it belongs to, as an index into `drafts`.
    slots: Vec<Option<u32>>,
    drafts: Vec<Draft>,
    /// The moment that comes next.
    next: usize,
    variables: Option<Variables>,
    blocks: &'a Blocks,
    /// What a variable of the rule's state was before the step at hand.
    before: Option<String>,
}

/// Values that are told of one line: an initialiser may have hundreds.
const MOST_VALUES: usize = 8;

/// A line while it is being kept.
#[derive(Default)]
struct Draft {
    step: RunStep,
    remarks: Vec<Remark>,
}

/// Something to say about a line.
enum Remark {
    Value(String, String),
    Condition(String, bool),
    Text(String),
}

impl Draft {
    /// Notes a value; an earlier one of the same name is outdated.
    fn value(&mut self, name: String, value: String) {
        self.remarks.retain(|r| !matches!(r, Remark::Value(n, _) if *n == name));
        self.remarks.push(Remark::Value(name, value));
    }

    fn text(&mut self, text: impl Into<String>) {
        self.remarks.push(Remark::Text(text.into()));
    }

    fn finish(mut self) -> RunStep {
        let conditions = self.remarks.iter().filter(|r| matches!(r, Remark::Condition(..))).count();
        let show = |r: Remark| match r {
            Remark::Value(name, value) => format!("{name} = {value}"),
            Remark::Condition(_, held) if conditions == 1 => held.to_string(),
            Remark::Condition(text, held) => format!("`{text}` {held}"),
            Remark::Text(text) => text,
        };
        let n_values = self.remarks.iter().filter(|r| matches!(r, Remark::Value(..))).count();
        if n_values > MOST_VALUES {
            let mut seen = 0;
            self.remarks.retain(|r| {
                seen += usize::from(matches!(r, Remark::Value(..)));
                seen < MOST_VALUES || !matches!(r, Remark::Value(..))
            });
            self.remarks.push(Remark::Text(format!("{} more values", n_values + 1 - MOST_VALUES)));
        }
        self.step.remarks = self.remarks.into_iter().map(show).collect();
        self.step
    }
}

impl<'a> ValueCollector<'a> {
    pub(super) fn new(
        source: ProgramText<'a>,
        tracer: &'a Tracer<'a>,
        blocks: &'a Blocks,
        lines: &[Line],
        kept: &[Kept],
    ) -> ValueCollector<'a> {
        let mut slots = vec![None; tracer.moments.len()];
        let mut drafts = Vec::new();
        for t in kept {
            let Kept::Line(i) = t else { continue };
            let line = &lines[*i];
            let first = &tracer.moments[line.from];
            let (file, number) = tracer.edges_seen.known[&(first.func, first.edge)].place;
            let span = source.edge(first.func, first.edge).span;
            let step = RunStep {
                depth: first.depth,
                file: tracer.edges_seen.files[file as usize].clone(),
                line: number,
                column: source.map.locate(span).column,
                function: source.program.functions[first.func].name.clone(),
                source_line: source.source_line(span),
                remarks: Vec::new(),
            };
            slots[line.from..line.to].fill(Some(drafts.len() as u32));
            drafts.push(Draft { step, remarks: Vec::new() });
        }
        ValueCollector { source, tracer, slots, drafts, next: 0, variables: None, blocks, before: None }
    }

    /// The line that the coming moment is kept in, if it is a moment and is kept.
    fn slot(&mut self, step: Step, back: bool) -> Option<usize> {
        if !self.tracer.notes(step, back) {
            return None;
        }
        self.next += 1;
        self.current()
    }

    /// The line of the moment that came last.
    fn current(&self) -> Option<usize> {
        self.slots[self.next.checked_sub(1)?].map(|s| s as usize)
    }

    fn show(&mut self, state: &StateView<'_>, ty: Ty, value: Value) -> String {
        let program = &self.source.program;
        if ty != Ty::Ptr {
            return values::show_bits(ty, value.bits);
        }
        let Some(variables) = &self.variables else { return format!("{:#x}", value.bits) };
        pointees::pointer(program, state, variables, self.blocks, value)
    }

    /// Notes the value of a place, under the source's name or else under `instead`.
    fn place(&mut self, state: &StateView<'_>, slot: usize, func: FuncId, place: &Place, instead: Option<String>) {
        let program = self.source.program;
        let name = names::place(program, func, place).or(instead);
        let found = |v| pointees::place(program, state, v, self.blocks, place);
        let name = name.or_else(|| self.variables.as_ref().and_then(found));
        if let (Some(name), Some(value)) = (name, self.held(state, place)) {
            self.drafts[slot].value(name, value);
        }
    }

    /// What a place holds, as the source or the rule would write it.
    fn held(&mut self, state: &StateView<'_>, place: &Place) -> Option<String> {
        let value = state.eval(&Expr::read(place.clone()))?;
        let named = match place.as_var() {
            Some(Var::Global(g)) => self.source.rule_value(g, value.bits),
            _ => None,
        };
        Some(named.map_or_else(|| self.show(state, place.ty, value), str::to_owned))
    }

    /// A step of the rule has changed its state, or chosen its object.
    fn changed(&mut self, state: &StateView<'_>, slot: usize, step: Step, place: &Place, part: RulePart) {
        let before = self.before.take();
        let name = names::place(self.source.program, step.func, place);
        let (Some(name), Some(after)) = (name, self.held(state, place)) else { return };
        let text = match (part, before) {
            (RulePart::Watch, _) => format!("the rule follows {after}"),
            (_, Some(before)) if before != after => format!("{name}: {before} -> {after}"),
            _ => format!("{name} = {after}"),
        };
        self.drafts[slot].text(text);
    }

    /// Bytes were copied here: if they are a text now, it is told.
    fn copied(&mut self, state: &StateView<'_>, slot: usize, dst: &Expr) {
        let Some(variables) = &self.variables else { return };
        let text = state.eval(dst).and_then(|at| pointees::text(self.source.program, state, variables, at));
        if let Some((name, text)) = text {
            self.drafts[slot].value(name, text);
        }
    }

    fn variable(&mut self, state: &StateView<'_>, slot: usize, func: FuncId, var: Var, instead: String) {
        if let Some(ty) = self.source.program.shape(func, var).scalar() {
            self.place(state, slot, func, &Place::var(var, ty), Some(instead));
        }
    }

    fn branch(&mut self, state: &StateView<'_>, slot: usize, step: Step, cond: &Expr) {
        let source = self.source;
        let edge = source.edge(step.func, step.edge);
        if source.rule_part(step.func, step.edge) == Some(RulePart::Guard) {
            return self.drafts[slot].text("this is the object that the rule follows");
        }
        let all = &self.tracer.edges_seen.graphs[&step.func].out[edge.from];
        // Tests for undefined behaviour are not in the source: only one that fails is kept, by what it leads to.
        let siblings: Vec<EdgeId> = all.iter().copied().filter(|&e| !fails_check(source, step.func, e)).collect();
        if siblings.len() == 1 && all.len() > 1 && siblings[0] == step.edge {
            return;
        }
        let same_span = |e: &&EdgeId| source.edge(step.func, **e).span == edge.span;
        if counts_blocks(source, step.func, edge.span) {
            return;
        }
        let draft = &mut self.drafts[slot];
        match siblings.len() {
            // Which function a call through a pointer runs: the value says it, and the call.
            _ if is_dispatch(edge, cond) || !siblings.contains(&step.edge) => {}
            // What the source assumes; conditions on results of the library are the program's own.
            1 if names::reads(source.program, step.func, cond).is_empty() => {}
            1 => draft.text("assumed"),
            2 if siblings.iter().filter(same_span).count() == 2 => {
                let (text, negated) = condition(source, edge.span);
                draft.remarks.push(Remark::Condition(text, (siblings[0] == step.edge) != negated));
            }
            _ => {
                let text = one_line(source.map.text(edge.span));
                match text.split_once(':') {
                    Some((case, _)) if case.starts_with("case") => draft.text(case),
                    _ => draft.text("no case fits"),
                }
            }
        }
        for (_, place) in names::reads(source.program, step.func, cond) {
            self.place(state, slot, step.func, place, None);
        }
    }

    /// Keeps account of the objects that a step makes.
    fn objects(&mut self, state: &StateView<'_>, step: Step) {
        let program = self.source.program;
        let Some(variables) = &mut self.variables else { return };
        match &self.source.edge(step.func, step.edge).op {
            Op::Alloc(alloc) => {
                if let Some(at) = state.eval(&Expr::read(alloc.dst.clone())) {
                    self.blocks.made(program, alloc.site, at);
                }
            }
            Op::Call(_) if state.depth() > step.depth => variables.entered(program, state),
            Op::Begin(local) => variables.begun(state, *local),
            _ => {}
        }
    }

    /// A call has just entered its function.
    fn entered(&mut self, state: &StateView<'_>, slot: usize) {
        let callee = state.func();
        let function = &self.source.program.functions[callee];
        let mut args = Vec::new();
        for param in function.params() {
            let var = Var::Local(param);
            let Some(name) = names::variable(self.source.program, callee, var) else { continue };
            let ty = function.locals[param].shape.scalar();
            let value = state.read(var).zip(ty).map(|(v, ty)| self.show(state, ty, v));
            args.push(format!("{name} = {}", value.as_deref().unwrap_or("?")));
        }
        self.drafts[slot].text(format!("calls {}({})", function.name, args.join(", ")));
    }

    /// A function without a body is about to be called.
    fn calls_outside(&mut self, state: &StateView<'_>, slot: usize, callee: FuncId, args: &[Expr]) {
        let args: Vec<String> =
            args.iter().map(|arg| state.eval(arg).map_or("?".to_string(), |v| self.show(state, arg.ty, v))).collect();
        let function = &self.source.program.functions[callee];
        let name = match ir::calls::is_foreign(function) {
            true => format!("a {}", ir::calls::FUNCTION_OF_THE_OUTSIDE),
            false if is_internal(&function.name) => return,
            false => format!("undefined {}", function.name),
        };
        self.drafts[slot].text(format!("calls {name}({})", args.join(", ")));
    }

    /// The lines in order, with gaps where something is left out.
    pub(super) fn finish(self, lines: &[Line], kept: &[Kept]) -> Vec<RunLine> {
        let mut drafts = self.drafts.into_iter().peekable();
        let mut skipped = self.tracer.skipped_at;
        let mut out = Vec::new();
        let mut depth = 0;
        for (k, t) in kept.iter().enumerate() {
            match *t {
                Kept::Line(i) => {
                    if let Some((_, n)) = skipped.take_if(|(at, _)| lines[i].from >= *at) {
                        out.push(RunLine::Gap { depth, text: format!("{n} steps not looked at") });
                    }
                    let step = drafts.next().expect("there is a draft for each line that is told").finish();
                    depth = step.depth;
                    out.push(RunLine::Step(step));
                }
                Kept::Rounds(n) => {
                    // The next line is the loop's own.
                    let depth = drafts.peek().map_or(0, |d| d.step.depth);
                    let behind = |at: usize| matches!(kept.get(k + 1), Some(Kept::Line(i)) if lines[*i].from >= at);
                    let uncounted = skipped.take_if(|(at, _)| behind(*at)).is_some();
                    let n = if uncounted { "many".to_string() } else { n.to_string() };
                    out.push(RunLine::Gap { depth, text: format!("{n} more rounds") });
                }
                Kept::Lines(n) => out.push(RunLine::Gap { depth: 0, text: format!("{n} lines left out") }),
            }
        }
        out
    }
}

impl Observer for ValueCollector<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        self.variables.get_or_insert_with(|| Variables::new(self.source.program, state));
        let Some(slot) = self.slot(step, false) else { return };
        match &self.source.edge(step.func, step.edge).op {
            Op::Assign(place, _) if self.source.rule_part(step.func, step.edge).is_some() => {
                self.before = self.held(state, place);
            }
            Op::Assume(cond) => self.branch(state, slot, step, cond),
            Op::Call(c) => match c.callee {
                Callee::Direct(f) if self.source.program.functions[f].body.is_none() => {
                    self.calls_outside(state, slot, f, &c.args);
                }
                Callee::Direct(_) | Callee::Indirect(_) => {}
            },
            Op::Return(Some(value)) => {
                if let Some(v) = state.eval(value) {
                    let value = self.show(state, value.ty, v);
                    self.drafts[slot].text(format!("returns {value}"));
                }
            }
            Op::Error(kind) => {
                let draft = &mut self.drafts[slot];
                draft.remarks.retain(|r| !matches!(r, Remark::Condition(..)));
                draft.text(ProgramText::describe_error(kind));
            }
            Op::Skip
            | Op::Assign(..)
            | Op::Havoc(..)
            | Op::Alloc(_)
            | Op::Free(_)
            | Op::Begin(_)
            | Op::End(_)
            | Op::Release(_)
            | Op::SetRange { .. }
            | Op::CopyRange { .. }
            | Op::Return(None)
            | Op::Halt
            | Op::Unsupported(_) => {}
        }
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        self.objects(state, step);
        if !self.tracer.notes(step, false) {
            return;
        }
        let Some(slot) = self.current() else { return };
        match &self.source.edge(step.func, step.edge).op {
            Op::Assign(place, _) => match self.source.rule_part(step.func, step.edge) {
                Some(part) => self.changed(state, slot, step, place, part),
                None => self.place(state, slot, step.func, place, None),
            },
            Op::Havoc(HavocDst::Place(place), Source::Nondet(name) | Source::Outside(name)) => {
                self.place(state, slot, step.func, place, Some(call(name)));
            }
            Op::Alloc(alloc) => self.place(state, slot, step.func, &alloc.dst, None),
            Op::CopyRange { dst, .. } => self.copied(state, slot, dst),
            Op::Call(_) if state.depth() > step.depth => self.entered(state, slot),
            Op::Call(c) => {
                if let (Some(dst), Callee::Direct(f)) = (c.dst, &c.callee)
                    && let name = super::inputs::shown_name(&self.source.program.functions[*f])
                    && !is_internal(name)
                {
                    let name = call(name);
                    self.variable(state, slot, step.func, dst, name);
                }
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Free(_)
            | Op::Begin(_)
            | Op::End(_)
            | Op::Release(_)
            | Op::SetRange { .. }
            | Op::Return(_)
            | Op::Error(_)
            | Op::Halt
            | Op::Unsupported(_) => {}
        }
    }

    fn returned(&mut self, state: &StateView<'_>, step: Step) {
        let Some(slot) = self.slot(step, true) else { return };
        if let Op::Call(c) = &self.source.edge(step.func, step.edge).op
            && let Some(dst) = c.dst
        {
            let name = match &c.callee {
                Callee::Direct(f) => call(&self.source.program.functions[*f].name),
                Callee::Indirect(_) => "result".to_string(),
            };
            self.variable(state, slot, step.func, dst, name);
        }
    }
}

/// A part of what a library function does that has a name of its own: no name of C contains a dot.
fn is_internal(function: &str) -> bool {
    function.starts_with('.')
}

/// Whether a branch has the span of an allocation or a `free`: there blocks that are not freed are counted, of which the source says nothing.
fn counts_blocks(source: ProgramText<'_>, func: FuncId, span: Span) -> bool {
    let edges = &source.program.body(func).edges;
    edges.iter().any(|e| e.span == span && matches!(e.op, Op::Alloc(_) | Op::Free(_)))
}

/// The text of a condition, with the negations in source of it: branches know only what stands behind those. Says whether
/// their number is odd.
fn condition(source: ProgramText<'_>, span: Span) -> (String, bool) {
    let text = &source.map.file(span.file).text;
    let before = text.get(..span.lo as usize).unwrap_or("");
    let mut negated = false;
    for c in before.chars().rev() {
        match c {
            '!' => negated = !negated,
            '(' | ' ' | '\t' | '\n' | '\r' => {}
            _ => break,
        }
    }
    let mut shown = one_line(source.map.text(span));
    // A span ends before the brackets that close the whole expression.
    let open = shown.matches('(').count().saturating_sub(shown.matches(')').count());
    shown.push_str(&")".repeat(open));
    if !negated {
        return (shown, false);
    }
    let simple = shown.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (if simple { format!("!{shown}") } else { format!("!({shown})") }, true)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an edge is taken where a check for undefined behaviour fails.
fn fails_check(source: ProgramText<'_>, func: FuncId, edge: EdgeId) -> bool {
    let body = source.program.body(func);
    let is_error = |e: &ir::Edge| matches!(e.op, Op::Error(ir::ErrorKind::Ub(_)));
    body.edges[edge].to.is_some_and(|to| body.edges.iter().any(|e| e.from == to && is_error(e)))
}

/// Whether the condition of the source that this edge is about holds where the edge is taken; none if it is no edge of a branch
/// in two.
pub fn branch_taken(source: ProgramText<'_>, func: FuncId, edge: EdgeId) -> Option<bool> {
    let body = source.program.body(func);
    let own = &body.edges[edge];
    let siblings: Vec<EdgeId> = body
        .edges
        .iter_enumerated()
        .filter(|(id, e)| e.from == own.from && !fails_check(source, func, *id))
        .map(|(id, _)| id)
        .collect();
    let both = siblings.len() == 2 && siblings.iter().all(|e| body.edges[*e].span == own.span);
    let (_, negated) = condition(source, own.span);
    (both && siblings.contains(&edge)).then(|| (siblings[0] == edge) != negated)
}

/// Whether a condition asks which function a pointer points to.
fn is_dispatch(edge: &Edge, cond: &Expr) -> bool {
    let asked = edge.guards.iter().any(|g| g.ub == ir::Ub::BadCall);
    asked
        || matches!(&cond.kind, ExprKind::Binary(_, a, b) if [a, b].iter().any(|e| matches!(e.kind, ExprKind::Func(_))))
}

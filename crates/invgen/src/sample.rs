//! States that runs of the program pass through at cut points.

use crate::Limits;
use crate::inputs::SmallInputs;
use crate::thresholds::widened;
use crate::vocabulary::{Grammar, Vocabulary};
use ir::interp::{self, Inputs, Observer, StateView, Step, ZeroInputs};
use ir::{Edge, Expr, FuncId, Loc, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The values of a location's quantities and the truth of its conditions; `None` where something is not known yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// Of each quantity, as a number of its type.
    pub(crate) values: Vec<Option<i128>>,
    /// Of each floating-point number, its pattern as binary64.
    pub(crate) reals: Vec<Option<u64>>,
    /// Of each condition.
    pub(crate) conditions: Vec<Option<bool>>,
}

/// The states seen at each place.
pub(crate) type Samples = BTreeMap<(FuncId, Loc), Vec<Row>>;

/// Visits of one place in one run that are all kept; later ones are kept when their number is a power of two.
const FIRST_VISITS: u64 = 128;
/// Rows that are kept of one place.
const MAX_ROWS: usize = 400;

/// Runs the program on zero and on small inputs.
pub(crate) fn collect(program: &Program, vocabulary: &Vocabulary, limits: &Limits) -> Samples {
    let mut recorder = Recorder {
        program,
        vocabulary,
        rows: BTreeMap::new(),
        seen: FxHashSet::default(),
        visits: FxHashMap::default(),
    };
    let mut steps = 0;
    for seed in 0..limits.runs {
        let run_limits = interp::Limits {
            steps: limits.run_steps.min(limits.steps - steps),
            memory_bytes: 64 << 20,
            ..interp::Limits::default()
        };
        let mut small = SmallInputs::new(seed, &vocabulary.constants, &vocabulary.reals);
        let inputs: &mut dyn Inputs = if seed == 0 { &mut ZeroInputs } else { &mut small };
        recorder.visits.clear();
        let execution = interp::run(program, inputs, &run_limits, &mut recorder);
        steps += execution.steps;
        if execution.drew_nothing || steps >= limits.steps {
            break;
        }
    }
    recorder.rows
}

struct Recorder<'a> {
    program: &'a Program,
    vocabulary: &'a Vocabulary,
    rows: Samples,
    seen: FxHashSet<(FuncId, Loc, Row)>,
    visits: FxHashMap<(FuncId, Loc), u64>,
}

impl Recorder<'_> {
    fn record(&mut self, state: &StateView<'_>, loc: Loc) {
        let place = (state.func(), loc);
        let Some(grammar) = self.vocabulary.at.get(&place) else { return };
        let visit = self.visits.entry(place).or_insert(0);
        *visit += 1;
        if *visit > FIRST_VISITS && !visit.is_power_of_two() {
            return;
        }
        let rows = self.rows.entry(place).or_default();
        let row = row(grammar, state);
        if rows.len() < MAX_ROWS && self.seen.insert((place.0, place.1, row.clone())) {
            rows.push(row);
        }
    }
}

fn row(grammar: &Grammar, state: &StateView<'_>) -> Row {
    let value = |e: &Expr| state.eval(e).map(|v| v.bits);
    Row {
        values: grammar.quantities.iter().map(|q| value(&q.expr).map(|bits| q.ty.extend(bits))).collect(),
        reals: grammar.reals.iter().map(|r| Some(widened(r.ty, state.eval(&r.expr)?.bits)?.to_bits())).collect(),
        conditions: grammar.conditions.iter().map(|c| value(c).map(|bits| bits != 0)).collect(),
    }
}

impl Observer for Recorder<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        self.record(state, self.edge(step).from);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        if !matches!(self.edge(step).op, Op::Call(_)) {
            self.arrived(state, step);
        }
    }

    fn returned(&mut self, state: &StateView<'_>, step: Step) {
        self.arrived(state, step);
    }
}

impl Recorder<'_> {
    fn edge(&self, step: Step) -> &Edge {
        let body = self.program.body(step.func);
        &body.edges[step.edge]
    }

    /// No edge leaves an exit: the moment to look is when an edge has led there.
    fn arrived(&mut self, state: &StateView<'_>, step: Step) {
        let exit = self.program.functions[step.func].body.as_ref().map(|b| b.exit);
        if self.edge(step).to == exit
            && let Some(exit) = exit
        {
            self.record(state, exit);
        }
    }
}

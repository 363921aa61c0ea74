//! `hardbop compare`: the two families of predicate abstraction on one program and one set of predicates, by cost and
//! precision: Cartesian by weakest preconditions (C2bp) and by SAT (SABS13), with cubes of growing length, and direct, which
//! is the end of that dial; the last two for blocks of every size.
//!
//! Cost is calls of the SAT solver; precision is how many boolean states are reached at the locations that all of the boolean
//! programs have: more precise ones reach fewer states.

use crate::abstracting::{options, read_predicates};
use crate::artifacts::{self, Reporter};
use crate::front::Front;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{CompareSettings, CubeEngine, Method};
use analysis::Analysis;
use boolprog::Var;
use ir::{FuncId, Loc};
use predabs::Abstraction;
use predabs::direct::{Blocks, Form, Granularity};
use reach::{Reachability, Target};
use report::counted;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// One method and what it came to.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// By weakest preconditions (C2bp), by SAT from tables, or direct, the relation itself.
    method: &'static str,
    /// How much one statement of the boolean program is.
    block: &'static str,
    /// The longest cube looked at; none for the direct method.
    max_cube: Option<usize>,
    solver_calls: u64,
    /// What making the boolean program took.
    milliseconds: u64,
    /// Rows of all assignment tables, for the methods that have them.
    table_rows: Option<u64>,
    /// Statements and operators of the boolean program.
    size: usize,
    /// Boolean states that are reached at the locations that all rows have; none if there are too many variables to count.
    states: Option<u64>,
    /// Whether a target is reached.
    verdict: &'static str,
    /// The states of each location.
    #[serde(skip)]
    at: Option<BTreeMap<(FuncId, Loc), u64>>,
}

/// With more variables in scope than this, states are not counted.
const COUNTED_VARIABLES: usize = 14;

/// The block sizes by name.
const SIZES: [(Granularity, &str); 3] =
    [(Granularity::Statement, "statement"), (Granularity::Basic, "basic"), (Granularity::Large, "large")];

pub(crate) fn run(settings: &CompareSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let memory = settings.program.memory_model;
    let (predicates, warnings) = match read_predicates(Some(&settings.predicates), memory, &mut front) {
        Ok(read) => read,
        Err(outcome) => return *outcome,
    };
    let analysis = Analysis::new(&front.program);
    let mut rows = Vec::new();
    let longest = settings.max_cube.unwrap_or(4).clamp(1, predicates.len().max(1));
    let mut made = None;
    for k in 1..=longest {
        let how = options(&Method { engine: CubeEngine::Cubes, max_cube: Some(k), ..Method::default() });
        let mut reporter = Reporter::new(progress, &front, None, settings.program.name());
        let begun = Instant::now();
        match verify::abstract_with(&analysis, &predicates, &how, &mut reporter) {
            Ok(done) => {
                let cost = Cost { calls: done.abstraction.stats.sat_calls, rows: None, begun };
                rows.push(row(("cartesian-wp", "statement", Some(k)), &done.abstraction, &cost, settings));
                made = Some((done, how));
            }
            Err(reason) => return Outcome::unknown(crate::work::describe_reason(front.source(), &reason)),
        }
    }
    let (made, how) = made.expect("there is at least one cube size");
    for (granularity, block) in SIZES {
        let begun = Instant::now();
        let blocks = Blocks::new(&analysis, &made.predicates, &made.abstraction, granularity, &how);
        let tables = begun.elapsed();
        for k in (1..=longest).map(Some).chain([None]) {
            let begun = Instant::now().checked_sub(tables).unwrap_or(begun);
            let form = k.map_or(Form::Relation, Form::Choices);
            let done = predabs::direct::by_blocks(&front.program, &made.abstraction, &blocks, form);
            let method = if k.is_some() { "cartesian-sat" } else { "direct" };
            let cost = Cost { calls: blocks.calls(), rows: Some(blocks.rows()), begun };
            rows.push(row((method, block, k), &done, &cost, settings));
        }
    }
    count_where_all_are(&mut rows);
    let mut outcome = Outcome::new(Answer::Done, counted(rows.len() as u64, "boolean program"));
    outcome.messages.extend(warnings);
    outcome.text = table(&rows);
    for (path, text) in [(&settings.json, json(&rows)), (&settings.svg, picture(&rows))] {
        if let Some(path) = path {
            outcome.messages.extend(artifacts::write(Path::new(path), &text).err());
        }
    }
    outcome
}

/// What a boolean program cost.
struct Cost {
    calls: u64,
    rows: Option<u64>,
    begun: Instant,
}

fn row(
    (method, block, max_cube): (&'static str, &'static str, Option<usize>),
    made: &Abstraction,
    cost: &Cost,
    settings: &CompareSettings,
) -> Row {
    let milliseconds = cost.begun.elapsed().as_millis() as u64;
    let program = &made.program;
    let targets: Vec<Target> = made.targets.iter().map(|t| boolprog::interp::Goal::At(t.proc, t.stmt)).collect();
    let how = reach::Options { memory: settings.limits.memory / 2, ..reach::Options::default() };
    let (at, verdict) = match reach::analyze(program, &targets, &how) {
        Ok(found) if found.is_complete() => {
            (count(made, &found), if found.hit().is_empty() { "unreachable" } else { "reachable" })
        }
        _ => (None, "unknown"),
    };
    let bodies = program.procs.iter().flat_map(|p| &p.body);
    let operators = bodies.flat_map(|s| s.kind.exprs().into_iter().chain(&s.constrain)).map(|e| {
        let mut n = 0;
        e.walk(|_| n += 1);
        n
    });
    let size = program.n_stmts() + operators.sum::<usize>();
    let (solver_calls, table_rows) = (cost.calls, cost.rows);
    Row { method, block, max_cube, solver_calls, milliseconds, table_rows, size, states: None, verdict, at }
}

/// States are counted at the locations that the programs of all rows have: larger blocks have fewer.
fn count_where_all_are(rows: &mut [Row]) {
    let Some(mut common) =
        rows.iter().map(|r| Some(r.at.as_ref()?.keys().copied().collect())).collect::<Option<Vec<BTreeSet<_>>>>()
    else {
        return;
    };
    let Some(first) = common.pop() else { return };
    let common = common.into_iter().fold(first, |all, one| all.intersection(&one).copied().collect());
    for r in rows {
        r.states = r.at.as_ref().map(|at| at.iter().filter(|(place, _)| common.contains(place)).map(|(_, n)| n).sum());
    }
}

/// The number of reached valuations at each location.
fn count(made: &Abstraction, found: &Reachability<'_>) -> Option<BTreeMap<(FuncId, Loc), u64>> {
    let mut all = BTreeMap::new();
    for (func, map) in made.functions.iter_enumerated() {
        let Some(map) = map else { continue };
        // What calls have returned stands in temporaries until the next statement.
        let vars: Vec<Var> = made.program.scope(map.proc).filter(|v| made.pred(func, *v).is_some()).collect();
        if made.program.scope(map.proc).count() > COUNTED_VARIABLES {
            return None;
        }
        let everything: Vec<Var> = made.program.scope(map.proc).collect();
        for (loc, at) in map.locations.iter_enumerated().filter_map(|(l, at)| Some((l, (*at)?))) {
            let value = |v: u64, var: Var| everything.iter().position(|w| *w == var).is_some_and(|i| v >> i & 1 == 1);
            let hidden = |v: u64| {
                everything.iter().enumerate().filter(|(_, w)| !vars.contains(w)).fold(v, |v, (i, _)| v & !(1 << i))
            };
            let reached = (0..1u64 << everything.len())
                .filter(|&v| found.contains(map.proc, at, None, &|var| value(v, var)))
                .map(hidden)
                .collect::<BTreeSet<u64>>();
            all.insert((func, loc), reached.len() as u64);
        }
    }
    Some(all)
}

fn cells(row: &Row) -> [String; 9] {
    let or_dash = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    [
        row.method.to_owned(),
        row.block.to_owned(),
        or_dash(row.max_cube.map(|k| k as u64)),
        row.solver_calls.to_string(),
        row.milliseconds.to_string(),
        or_dash(row.table_rows),
        row.size.to_string(),
        or_dash(row.states),
        row.verdict.to_owned(),
    ]
}

fn table(rows: &[Row]) -> Vec<String> {
    let heads = ["method", "block", "cube", "solver calls", "ms", "table rows", "size", "states reached", "targets"]
        .map(str::to_owned);
    let lines: Vec<[String; 9]> = std::iter::once(heads).chain(rows.iter().map(cells)).collect();
    let width = |i: usize| lines.iter().map(|l| l[i].len()).max().unwrap_or(0);
    let line = |l: &[String; 9]| {
        let padded: Vec<String> = l.iter().enumerate().map(|(i, c)| format!("{c:<w$}", w = width(i))).collect();
        padded.join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

fn json(rows: &[Row]) -> String {
    serde_json::to_string_pretty(rows).map_or_else(|e| e.to_string(), |text| text + "\n")
}

/// Cost against precision: calls to the right, on a logarithmic scale, reached states upwards. Good is left and low.
fn picture(rows: &[Row]) -> String {
    let x = |r: &Row| (r.solver_calls as f64 + 1.0).log2();
    let y = |r: &Row| r.states.unwrap_or(0) as f64;
    let most = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).fold(1.0, f64::max);
    let (right, top) = (most(&x), most(&y));
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"420\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"640\" height=\"420\" fill=\"white\"/>\n\
         <path d=\"M60 20 V360 H620\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"340\" y=\"400\" text-anchor=\"middle\">solver calls (logarithmic)</text>\n\
         <text x=\"20\" y=\"190\" text-anchor=\"middle\" transform=\"rotate(-90 20 190)\">boolean states reached</text>\n",
    );
    for r in rows {
        let (cx, cy) = (60.0 + 540.0 * x(r) / right, 360.0 - 320.0 * y(r) / top);
        let colour = match r.method {
            "direct" => "crimson",
            "cartesian-sat" => "seagreen",
            _ => "steelblue",
        };
        let cube = r.max_cube.map_or(String::new(), |k| format!(" k={k}"));
        let name = format!("{} {}{cube}", r.method, r.block);
        let calls = r.solver_calls;
        _ = writeln!(out, "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"{colour}\"/>");
        _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name} ({calls})</text>",
            cx - 8.0,
            cy - 6.0
        );
    }
    out += "</svg>\n";
    out
}

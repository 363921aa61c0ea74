//! `hardbop compare`: the two families of predicate abstraction on one program and one set of predicates, by cost and
//! precision: Cartesian (C2bp) with cubes of growing length, and direct (SABS13), which is the end of that dial.
//!
//! Cost is calls of the SAT solver; precision is how many boolean states are reached, statement by statement: all methods
//! have the same statements and variables, and more precise ones reach fewer states.

use crate::abstracting::{options, read_predicates};
use crate::artifacts::{self, Reporter};
use crate::front::Front;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{CompareSettings, CubeEngine, Method};
use analysis::Analysis;
use boolprog::{Program, Var};
use reach::{Reachability, Target};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use verify::Abstracted;

/// One method and what it came to.
#[derive(Clone, Debug, Serialize)]
struct Row {
    method: &'static str,
    /// The longest cube looked at; none for the direct method.
    max_cube: Option<usize>,
    solver_calls: u64,
    /// Rows of all assignment tables, for the direct method.
    table_rows: Option<u64>,
    /// Statements and operators of the boolean program.
    size: usize,
    /// Boolean states that are reached, over all statements; none if there are too many variables to count.
    states: Option<u64>,
    /// Whether a target is reached.
    verdict: &'static str,
}

/// With more variables in scope than this, states are not counted.
const COUNTED_VARIABLES: usize = 14;

pub(crate) fn run(settings: &CompareSettings, mut front: Front, progress: &mut Progress) -> Outcome {
    let memory = settings.program.memory_model;
    let (predicates, warnings) = match read_predicates(Some(&settings.predicates), memory, &mut front) {
        Ok(read) => read,
        Err(outcome) => return *outcome,
    };
    let analysis = Analysis::new(&front.program);
    let mut rows = Vec::new();
    let longest = predicates.len().clamp(1, 4);
    for (max_cube, direct) in (1..=longest).map(|k| (k, false)).chain([(longest, true)]) {
        let how = options(&Method { engine: CubeEngine::Cubes, max_cube: Some(max_cube), ..Method::default() });
        let mut reporter = Reporter::new(progress, &front, None, settings.program.name());
        let made = verify::abstract_with(&analysis, &predicates, &how, &mut reporter);
        let row = match made {
            Ok(mut made) if direct => {
                let relation = predabs::direct::constrain(&analysis, &made.predicates, &mut made.abstraction, &how);
                let method = Row { method: "direct", max_cube: None, ..row(&made, relation.calls, settings) };
                Row { table_rows: Some(relation.rows), ..method }
            }
            Ok(made) => {
                let calls = made.abstraction.stats.sat_calls;
                Row { max_cube: Some(max_cube), ..row(&made, calls, settings) }
            }
            Err(reason) => return Outcome::unknown(crate::work::describe_reason(front.source(), &reason)),
        };
        rows.push(row);
    }
    let mut outcome = Outcome::new(Answer::Done, format!("{} methods", rows.len()));
    outcome.messages.extend(warnings);
    outcome.text = table(&rows);
    for (path, text) in [(&settings.json, json(&rows)), (&settings.svg, picture(&rows))] {
        if let Some(path) = path {
            outcome.messages.extend(artifacts::write(Path::new(path), &text).err());
        }
    }
    outcome
}

fn row(made: &Abstracted, solver_calls: u64, settings: &CompareSettings) -> Row {
    let program = &made.abstraction.program;
    let targets: Vec<Target> =
        made.abstraction.targets.iter().map(|t| boolprog::interp::Goal::At(t.proc, t.stmt)).collect();
    let how = reach::Options { memory: settings.limits.memory / 2, ..reach::Options::default() };
    let (states, verdict) = match reach::analyze(program, &targets, &how) {
        Ok(found) if found.is_complete() => {
            (count(program, &found), if found.hit().is_empty() { "unreachable" } else { "reachable" })
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
    Row { method: "cartesian", max_cube: None, solver_calls, table_rows: None, size, states, verdict }
}

/// The reached valuations of all statements.
fn count(program: &Program, found: &Reachability<'_>) -> Option<u64> {
    let mut all = 0;
    for (p, proc) in program.procs.iter_enumerated() {
        let vars: Vec<Var> = program.scope(p).collect();
        if vars.len() > COUNTED_VARIABLES {
            return None;
        }
        for at in proc.body.ids().filter(|&at| found.reaches(p, at)) {
            let value = |v: u64, var: Var| vars.iter().position(|w| *w == var).is_some_and(|i| v >> i & 1 == 1);
            all +=
                (0..1u64 << vars.len()).filter(|&v| found.contains(p, at, None, &|var| value(v, var))).count() as u64;
        }
    }
    Some(all)
}

fn cells(row: &Row) -> [String; 7] {
    let or_dash = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    [
        row.method.to_owned(),
        or_dash(row.max_cube.map(|k| k as u64)),
        row.solver_calls.to_string(),
        or_dash(row.table_rows),
        row.size.to_string(),
        or_dash(row.states),
        row.verdict.to_owned(),
    ]
}

fn table(rows: &[Row]) -> Vec<String> {
    let heads =
        ["method", "cube", "solver calls", "table rows", "size", "states reached", "targets"].map(str::to_owned);
    let lines: Vec<[String; 7]> = std::iter::once(heads).chain(rows.iter().map(cells)).collect();
    let width = |i: usize| lines.iter().map(|l| l[i].len()).max().unwrap_or(0);
    let line = |l: &[String; 7]| {
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
        let colour = if r.method == "direct" { "crimson" } else { "steelblue" };
        let name = r.max_cube.map_or(r.method.to_owned(), |k| format!("{} k={k}", r.method));
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

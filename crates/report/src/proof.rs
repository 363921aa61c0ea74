//! A proof for people: what holds at the heads of loops, and what each function demands and promises, in C.
//!
//! By default only that (or, if that says nothing, what holds where ways meet); with `--show-proof` every cut point and every comparison that the proof uses. The text is made from
//! the proof that was checked, so it claims nothing that the proof does not.

use crate::ProgramText;
use crate::counted;
use crate::formula::{Report, ShownInvariant, View, read_now, shown_invariant};
use analysis::Analysis;
use certify::{FunctionProof, Node};
use ir::cfg::Graph;
use ir::walk::variables;
use ir::{Body, Expr, FuncId, Loc, Var};
use std::collections::BTreeSet;

/// A point of a function that a person can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// The function begins.
    Entry,
    /// It ends.
    Exit,
    /// The head of a loop.
    Loop,
    /// A label of the source.
    Label(String),
    /// Somewhere else.
    Other,
}

impl Point {
    /// What kind of point a location is.
    pub fn of(body: &Body, graph: &Graph, loc: Loc) -> Point {
        match &body.locations[loc].label {
            _ if loc == body.entry => Point::Entry,
            _ if loc == body.exit => Point::Exit,
            Some(label) => Point::Label(label.clone()),
            None if graph.loop_heads[loc] => Point::Loop,
            None => Point::Other,
        }
    }
}

/// What the reader of an invariant at `point` wants to see: at the entry and exit what callers know, inside what is there now.
pub fn visible<'a>(report: &'a Report<'_>, func: FuncId, point: &Point) -> Box<dyn Fn(&Expr) -> bool + 'a> {
    let (f, modified) = (&report.program.functions[func], &report.analysis.modified);
    let is_param = move |v: Var| matches!(v, Var::Local(l) if base::Id::index(l) < f.n_params);
    match point {
        Point::Entry => Box::new(move |e| variables(e).into_iter().all(|v| matches!(v, Var::Global(_)) || is_param(v))),
        Point::Exit => {
            let result = f.ret.map(Var::Local);
            let known =
                move |v: Var| matches!(v, Var::Global(_)) || Some(v) == result || is_param(v) && !modified.var(func, v);
            Box::new(move |e| {
                variables(e).into_iter().all(|v| known(v) || is_param(v)) && read_now(e).into_iter().all(&known)
            })
        }
        // How the state at entry was related to it says little about a state now, unless it is still there.
        Point::Loop | Point::Label(_) | Point::Other => Box::new(move |e| {
            let vars = variables(e);
            !read_now(e).is_empty() || !vars.is_empty() && vars.into_iter().all(|v| !modified.var(func, v))
        }),
    }
}

/// How much of a proof is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Amount {
    /// Contracts and loops.
    Brief,
    /// Every cut point that says something.
    Telling,
    /// Every cut point.
    All,
}

/// The lines of a proof: all of it, or what a person wants to see first.
pub fn lines(source: ProgramText<'_>, analysis: &Analysis<'_>, functions: &[FunctionProof], full: bool) -> Vec<String> {
    let amounts = if full { vec![Amount::All] } else { vec![Amount::Brief, Amount::Telling] };
    let report = Report::new(analysis);
    let mut out = vec!["The proof:".to_string()];
    for amount in amounts {
        // Where neither a loop nor a contract says anything, the invariants where ways meet do.
        if out.len() > 1 {
            break;
        }
        for (i, proof) in functions.iter().enumerate() {
            if amount < Amount::All && out.len() > MOST_LINES {
                let more = functions.len() - i;
                out.push(format!("  … and {} (--show-proof shows all)", counted(more as u64, "more function")));
                break;
            }
            out.extend(function(source, &report, proof, amount));
        }
    }
    if out.len() == 1 {
        out.push("  no invariant over variables is needed: no way through a function leads to a target".to_string());
    }
    out.extend(legend(&out));
    if full {
        out.extend(comparisons(source, functions));
    }
    out
}

/// Lines of a proof after which no further function is shown, if not all are asked for.
const MOST_LINES: usize = 60;

/// Lines of one invariant, if not all are asked for.
const MOST_LINES_OF_AN_INVARIANT: usize = 8;

/// The lines about one function.
fn function(source: ProgramText<'_>, report: &Report<'_>, proof: &FunctionProof, amount: Amount) -> Vec<String> {
    let rows = rows(source, report, proof, amount);
    if rows.is_empty() && amount < Amount::All {
        return Vec::new();
    }
    let f = &source.program.functions[proof.func];
    let mut out = vec![format!("  {} ({}):", f.name, place(source, f.span))];
    let width = rows.iter().map(|r| r.head.len()).max().unwrap_or(0);
    for row in rows {
        let mut head = row.head;
        for line in row.lines {
            let indent = if line.starts_with("|| ") || line.starts_with("&& ") { "" } else { "   " };
            out.push(format!("    {head:width$}  {indent}{line}"));
            head.clear();
        }
    }
    out
}

struct Row {
    head: String,
    lines: Vec<String>,
}

fn rows(source: ProgramText<'_>, report: &Report<'_>, proof: &FunctionProof, amount: Amount) -> Vec<Row> {
    let program = &source.program;
    let body = program.body(proof.func);
    let graph = Graph::new(body);
    let mut rows = Vec::new();
    // Entry and exit first: they are the function's contract.
    let points = proof.invariants.iter().map(|(&loc, &node)| (Point::of(body, &graph, loc), loc, node));
    let (mut contract, inner): (Vec<_>, Vec<_>) = points.partition(|(p, ..)| matches!(p, Point::Entry | Point::Exit));
    contract.sort_by_key(|(p, ..)| *p == Point::Exit);
    for (point, loc, node) in contract.into_iter().chain(inner) {
        let of_entry_function = proof.func == program.entry && matches!(point, Point::Entry | Point::Exit);
        if amount == Amount::Brief && (point == Point::Other || of_entry_function) {
            continue;
        }
        let inner = !matches!(point, Point::Entry | Point::Exit);
        let visible: Box<dyn Fn(&Expr) -> bool> =
            if amount == Amount::All && inner { Box::new(|_| true) } else { visible(report, proof.func, &point) };
        // What a call must establish need not be said again where it returns.
        let given = (point == Point::Exit).then(|| proof.invariants.get(&body.entry).copied()).flatten();
        let view = View { visible: &*visible, at_entry: point == Point::Entry, at_exit: point == Point::Exit, given };
        let shown_invariant = shown_invariant(report, proof, node, &view);
        if shown_invariant.is_true() && amount < Amount::All {
            continue;
        }
        let mut row = row(source, body, loc, &point, &shown_invariant);
        if amount < Amount::All && row.lines.len() > MOST_LINES_OF_AN_INVARIANT {
            row.lines.truncate(MOST_LINES_OF_AN_INVARIANT - 1);
            row.lines.push("|| … (--show-proof shows all)".to_string());
        }
        rows.push(row);
    }
    let is_contract = |r: &Row| r.head.starts_with("every");
    let changed: Vec<&str> = proof.modifies.iter().map(|&g| program.globals[g].name.as_str()).collect();
    if !changed.is_empty() && (amount == Amount::All || rows.iter().any(is_contract)) {
        let at = rows.iter().filter(|r| is_contract(r)).count();
        rows.insert(at, Row { head: "may change".to_string(), lines: vec![changed.join(", ")] });
    }
    rows
}

fn row(source: ProgramText<'_>, body: &Body, loc: Loc, point: &Point, shown_invariant: &ShownInvariant) -> Row {
    let at = place(source, body.locations[loc].span);
    let (head, never) = match point {
        Point::Entry => ("every call".to_string(), "it is never called"),
        Point::Exit => ("every return".to_string(), "it never returns"),
        Point::Loop => (format!("loop at {at}"), "it is never reached"),
        Point::Label(name) => (format!("{name} at {at}"), "it is never reached"),
        Point::Other => (format!("before {at}"), "it is never reached"),
    };
    let lines = if shown_invariant.is_false() { vec![never.to_string()] } else { shown_invariant.lines() };
    Row { head, lines }
}

/// What the marks of two states mean, if they occur.
pub fn legend(lines: &[String]) -> Option<String> {
    let has = |mark: &str| lines.iter().any(|l| l.contains(mark));
    let entry = "'x is the value of x when the function was called";
    let result = "$result is what it returns";
    match (has("'"), has("$result")) {
        (true, true) => Some(format!("  ({entry}, {result})")),
        (true, false) => Some(format!("  ({entry})")),
        (false, true) => Some(format!("  ({result})")),
        (false, false) => None,
    }
}

/// Every comparison that the proof uses, by function.
fn comparisons(source: ProgramText<'_>, functions: &[FunctionProof]) -> Vec<String> {
    let mut out = vec!["The predicates it uses:".to_string()];
    for proof in functions {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for node in &proof.nodes {
            if let Node::Atom(e) = node {
                used.insert(ir::as_c::show(source.program, proof.func, &vc::canonical(e).0));
            }
        }
        if !used.is_empty() {
            let list: Vec<String> = used.into_iter().collect();
            out.push(format!("  {}: {}", source.program.functions[proof.func].name, list.join("; ")));
        }
    }
    out
}

/// `file.c:12`: the line is what a person needs.
pub fn place(source: ProgramText<'_>, span: base::Span) -> String {
    let at = source.map.locate(span);
    let file = std::path::Path::new(&at.file).file_name().map_or(at.file.clone(), |n| n.to_string_lossy().into_owned());
    format!("{file}:{}", at.line)
}

//! `hardbop abstract --table`: the assignment tables of blocks (SABS13 §6-§9), and the assignments that follow from them by
//! covers of prime implicants.

use crate::abstracting::options;
use crate::front::Front;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::AbstractSettings;
use analysis::Analysis;
use ir::cfg::CallGraph;
use ir::{FuncId, Op};
use predabs::direct::{Assignment, Block, Granularity, NoTable, Table, blocks};
use report::counted;
use vc::{Predicate, Predicates};

/// Tables with more rows are not shown, only what follows from them.
const MOST_ROWS: usize = 256;

/// Shows the tables of all functions that the entry may come to.
pub(crate) fn tables(
    settings: &AbstractSettings,
    granularity: Granularity,
    front: &Front,
    predicates: Vec<Predicate>,
    progress: &mut Progress,
) -> Outcome {
    progress.phase("tables");
    let mut tracked = Predicates::new();
    for p in predicates {
        tracked.insert(p);
    }
    let analysis = Analysis::new(&front.program);
    let reachable = CallGraph::new(&front.program).reachable_from(front.program.entry);
    let (mut text, mut n, mut rows, mut calls) = (Vec::new(), 0, 0, 0);
    for func in front.program.functions.ids().filter(|f| reachable[*f]) {
        let names: Vec<String> =
            tracked.in_scope(func).map(|p| ir::as_c::show(&front.program, func, &tracked.get(p).expr)).collect();
        if names.is_empty() {
            continue;
        }
        for block in blocks(&analysis, &tracked, func, granularity, &options(&settings.method)) {
            if !acts(front, &block) {
                continue;
            }
            if let Ok(table) = &block.table {
                rows += table.rows.len();
                calls += table.calls;
            }
            n += 1;
            text.extend(shown(front, func, &names, &block));
        }
    }
    let said = [counted(n, "block"), counted(rows as u64, "row"), format!("{calls} solver calls")];
    Outcome { text, ..Outcome::new(Answer::Done, said.join(", ")) }
}

/// Whether a block does anything that has a table.
fn acts(front: &Front, block: &Block) -> bool {
    block.edges.iter().any(|&e| !matches!(front.edge(block.func, e).op, Op::Skip | Op::Return(None)))
}

fn shown(front: &Front, func: FuncId, names: &[String], block: &Block) -> Vec<String> {
    let first = front.edge(func, block.edges[0]);
    let steps: Vec<String> =
        block.edges.iter().map(|&e| ir::text::show_op(&front.program, func, &front.edge(func, e).op)).collect();
    let mut out = vec![format!("{}: {}", front.source().show(first.span), steps.join("; "))];
    match &block.table {
        Ok(table) => {
            out.extend(rows(table, names));
            for (i, name) in names.iter().enumerate() {
                out.push(format!("  {{{name}}} := {}", assigned(&table.assignment(i), names)));
            }
            out.push(format!(
                "  {}, {} solver calls (SABS13's direct method asks {}, its Cartesian method {})",
                counted(table.rows.len() as u64, "row"),
                table.calls,
                table.papers_direct(),
                table.papers_cartesian()
            ));
        }
        Err(NoTable::Unmodelled(what)) => out.push(format!("  no table: {what}")),
        Err(NoTable::TooLarge) => out.push("  no table: it is too large".to_owned()),
        Err(NoTable::TooManyPredicates(n)) => out.push(format!("  no table: {n} predicates are too many")),
    }
    out
}

fn rows(table: &Table, names: &[String]) -> Vec<String> {
    let Some(all) = table.full_rows(MOST_ROWS) else {
        return vec![format!("  more than {MOST_ROWS} rows")];
    };
    let heads: Vec<String> = names.iter().map(|n| format!("{{{n}}}")).collect();
    let after: Vec<String> = heads.iter().map(|h| format!("{h}'")).collect();
    let line = |cells: Vec<&str>, widths: &[String]| -> String {
        let padded: Vec<String> =
            cells.iter().zip(widths).map(|(c, w)| format!("{c:<width$}", width = w.chars().count())).collect();
        padded.join("  ")
    };
    let values = |v: u128| (0..names.len()).map(|i| if v >> i & 1 == 1 { "T" } else { "F" }).collect::<Vec<_>>();
    let mut out = vec![format!("  {}  |  {}", heads.join("  "), after.join("  "))];
    for (before, next) in all {
        let text = format!("  {}  |  {}", line(values(before), &heads), line(values(next), &after));
        out.push(text.trim_end().to_owned());
    }
    out
}

/// The right side of an assignment: `choose(on, off)`, or shorter where one of them says it all.
fn assigned(a: &Assignment, names: &[String]) -> String {
    let cube = |c: &Vec<(usize, bool)>| -> String {
        let literals: Vec<String> =
            c.iter().map(|&(i, value)| format!("{}{{{}}}", if value { "" } else { "!" }, names[i])).collect();
        if literals.is_empty() { "T".to_owned() } else { literals.join(" & ") }
    };
    let sum = |cubes: &[Vec<(usize, bool)>]| -> String {
        match cubes {
            [] => "F".to_owned(),
            [one] => cube(one),
            many => {
                let shown = |c: &Vec<(usize, bool)>| if c.len() > 1 { format!("({})", cube(c)) } else { cube(c) };
                many.iter().map(shown).collect::<Vec<_>>().join(" | ")
            }
        }
    };
    match (a.on.is_empty(), a.off.is_empty()) {
        _ if a.complete => sum(&a.on),
        (true, true) => "*".to_owned(),
        (false, true) => format!("({} ? T : *)", sum(&a.on)),
        (true, false) => format!("({} ? F : *)", sum(&a.off)),
        (false, false) => format!("choose({}, {})", sum(&a.on), sum(&a.off)),
    }
}

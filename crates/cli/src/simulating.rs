//! `hardbop newton FILE.x`: TR00's path simulator (`--table`), its smaller explanations of infeasible paths (`--projections`), and what
//! these say to the boolean program (`--conditions`, `--annotate`).

use crate::front::Front;
use crate::language::{Language, x_options};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::NewtonSettings;
use analysis::Analysis;
use base::{FileId, Id};
use ir::{Loc, Op};
use logic::check_sat;
use vc::Encoder;
use xfront::paths::{Path, path};
use xfront::simulate::{del_sets, greedy, projection, show_expression, show_statement, simulate};
use xfront::symbolic::{Scope, annotated, annotations, conditions};
use xfront::syntax::Stmt;

/// Conflicts that one feasibility may cost.
const CONFLICTS: u64 = 100_000;

pub(crate) fn run(settings: &NewtonSettings, front: &Front, progress: &mut Progress) -> Outcome {
    progress.phase("simulate");
    let usage = |why: &str| {
        let messages = vec![format!("error: {why}")];
        Outcome { messages, ..Outcome::new(Answer::BadUsage, why) }
    };
    if Language::of(settings.program.name()) != Language::X {
        return usage("--table, --projections, --conditions and --annotate are about paths in X (FILE.x)");
    }
    let file: FileId = Id::from_index(0);
    let tree = match xfront::parse(file, &front.map.file(file).text) {
        Ok(tree) => tree,
        Err(e) => return Outcome::internal(e.message),
    };
    let asked = &settings.x;
    let entry = front.program.functions[front.program.entry].name.clone();
    let path = match path(&tree, &entry, asked.labels.as_deref()) {
        Ok(path) => path,
        Err(why) => return usage(&format!("this is no path: {why}")),
    };
    let steps: Vec<&Stmt> = path.steps.iter().collect();
    let mut feasibility = Feasibility { settings, path: &path };
    let mut kept: Vec<usize> = (0..steps.len()).collect();
    let mut text = Vec::new();
    if asked.table {
        text.extend(table(&steps));
    }
    let infeasible = match feasibility.infeasible(&kept) {
        Ok(answer) => answer,
        Err(why) => return Outcome { text, ..Outcome::unknown(why) },
    };
    if asked.projections {
        let (lines, smallest) = projections(&steps, infeasible, &mut feasibility);
        text.extend(lines);
        kept = smallest.unwrap_or(kept);
    }
    if asked.conditions {
        text.extend(explained(&path, &kept));
    }
    if let Some(out) = &asked.annotate {
        let made = annotated(&tree, &entry, &path, &kept, asked.labels.is_none());
        let predicates = format!("{}.preds", out.strip_suffix(".x").unwrap_or(out));
        for (file, text) in [(out, xfront::print(&made.program)), (&predicates, made.predicates)] {
            if let Err(why) = crate::artifacts::write(std::path::Path::new(file), &text) {
                return Outcome { messages: vec![why.clone()], ..Outcome::new(Answer::BadInput, why) };
            }
        }
        let what = if made.whole { "the program" } else { "the path as a program of its own" };
        text.push(format!("{out}: {what}, {predicates}: the predicates"));
    }
    let answer = if infeasible { Answer::Infeasible } else { Answer::Feasible };
    let reason = format!("{} statements", steps.len());
    Outcome { text, ..Outcome::new(answer, reason) }
}

/// E with the scopes of its boolean variables, and the annotations (TR00 §4.3, §4.5).
fn explained(path: &Path, kept: &[usize]) -> Vec<String> {
    let steps: Vec<&Stmt> = kept.iter().map(|&i| &path.steps[i]).collect();
    let mut out = Vec::new();
    for (scope, e) in conditions(path, &steps) {
        let scope = match scope {
            Scope::Global => "global".to_owned(),
            Scope::Formal(proc) => format!("formal of {proc}"),
            Scope::Local(proc) => format!("local of {proc}"),
        };
        out.push(format!("{scope}: {}", show_expression(&e)));
    }
    for (i, x) in annotations(&steps) {
        out.push(format!("before statement {}: {x} = θ{x}", kept[i] + 1));
    }
    out
}

/// What each statement adds to store, history and conditions (TR00 §4.2).
fn table(steps: &[&Stmt]) -> Vec<String> {
    let contexts = simulate(steps);
    let mut lines = vec![["statement", "store", "history", "conditions"].map(str::to_owned)];
    let (mut before, mut gone) = (std::collections::BTreeMap::new(), 0);
    for (i, (stmt, c)) in steps.iter().zip(&contexts).enumerate() {
        let pair = |(x, e): (&String, &_)| format!("<{x}, {}>", show_expression(e));
        let added: Vec<String> = c.store.iter().filter(|(x, e)| before.get(*x) != Some(*e)).map(pair).collect();
        let lost: Vec<String> = c.history[gone..].iter().map(|(x, e)| pair((x, e))).collect();
        let old = if i == 0 { 0 } else { contexts[i - 1].conditions.len() };
        let conditions: Vec<String> = c.conditions[old..].iter().map(show_expression).collect();
        let number = format!("{}: {}", i + 1, show_statement(stmt));
        lines.push([number, added.join(" "), lost.join(" "), conditions.join(" ")]);
        (before, gone) = (c.store.clone(), c.history.len());
    }
    let width = |k: usize| lines.iter().map(|l| l[k].chars().count()).max().unwrap_or(0);
    let line = |l: &[String; 4]| {
        let padded: Vec<String> = l.iter().enumerate().map(|(k, c)| format!("{c:<w$}", w = width(k))).collect();
        padded.join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

/// `del` sets, and the greedy search for a smallest explanation, forwards and backwards (TR00 §5).
fn projections(
    steps: &[&Stmt],
    infeasible: bool,
    feasibility: &mut Feasibility<'_>,
) -> (Vec<String>, Option<Vec<usize>>) {
    let numbers = |set: &mut dyn Iterator<Item = usize>| {
        let shown: Vec<String> = set.map(|i| (i + 1).to_string()).collect();
        format!("{{{}}}", shown.join(","))
    };
    let mut out = Vec::new();
    for (i, set) in del_sets(steps).iter().enumerate() {
        out.push(format!("del({}) = {}", i + 1, numbers(&mut set.iter().copied())));
    }
    if !infeasible {
        out.push("the path is feasible: there is nothing to explain".to_owned());
        return (out, None);
    }
    let mut smallest = None;
    for (name, backwards) in [("forwards", false), ("backwards", true)] {
        let way = greedy(steps, backwards, &mut |kept| feasibility.infeasible(kept).unwrap_or(false));
        let shown: Vec<String> = way.iter().map(|kept| numbers(&mut kept.iter().copied())).collect();
        out.push(format!("ICPP {name}: {}", shown.join(" to ")));
        smallest = smallest.or_else(|| way.into_iter().next_back());
    }
    (out, smallest)
}

/// Whether statements of a path can be executed one after the other.
struct Feasibility<'a> {
    settings: &'a NewtonSettings,
    path: &'a Path,
}

impl Feasibility<'_> {
    fn infeasible(&mut self, kept: &[usize]) -> Result<bool, String> {
        let steps: Vec<&Stmt> = self.path.steps.iter().collect();
        let tree = projection(&self.path.frame, &steps, kept);
        let program = xfront::lower(&tree, &x_options(&self.settings.program))
            .map_err(|d| d.first().map_or_else(String::new, |d| d.message.clone()))?;
        let analysis = Analysis::new(&program);
        let mut enc = Encoder::for_path(&analysis);
        let body = program.body(program.entry);
        let mut state = enc.arbitrary(program.entry);
        let mut terms = Vec::new();
        let mut at: Loc = body.entry;
        while let Some(edge) = body.edges.iter().find(|e| e.from == at && !matches!(e.op, Op::Error(_))) {
            let effects = enc.step(&mut state, edge).map_err(|u| u.to_string())?;
            terms.extend(effects.assumptions.iter().map(|a| a.term));
            match edge.to {
                Some(to) if to != body.exit => at = to,
                _ => break,
            }
        }
        let answer = check_sat(&enc.store, &terms, CONFLICTS);
        match (answer.is_unsat(), answer.is_sat()) {
            (false, false) => Err("the solver did not decide whether the path is feasible".to_owned()),
            (unsat, _) => Ok(unsat),
        }
    }
}

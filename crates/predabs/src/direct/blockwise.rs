//! Boolean programs whose statements are blocks: the tables of SABS13 §6 in the place of statements, as relations (direct) or as
//! parallel assignments (Cartesian by SAT); and conditions as sets of valuations (§11).
//!
//! What has no table - calls, targets, ends of runs, steps without a formula - keeps the statements that C2bp gave it, so
//! every execution of the program is still one of the boolean program. A location inside of a block exists no more.

use super::{Block, Cubes, Granularity, Table, blocks, blocks_of};
use crate::Abstraction;
use crate::abstraction::FunctionMap;
use crate::options::Options;
use analysis::Analysis;
use base::{Id, IndexVec};
use boolprog::{Expr, Proc, Stmt, StmtId, StmtKind, Var};
use ir::cfg::Graph;
use ir::{Body, EdgeId, FuncId, Loc, Op};
use vc::Predicates;

/// What becomes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A relation between all predicates before and after the block.
    Relation,
    /// One assumption about the values before, and for each predicate `choose(ON, OFF)`, both of cubes of at most this length.
    Choices(usize),
}

/// The tables that a boolean program was made of.
#[derive(Clone, Debug)]
pub struct Blocks {
    granularity: Granularity,
    of: IndexVec<FuncId, Vec<Block>>,
}

impl Blocks {
    /// The tables of all functions that the abstraction has.
    pub fn new(
        analysis: &Analysis<'_>,
        predicates: &Predicates,
        abstraction: &Abstraction,
        granularity: Granularity,
        options: &Options,
    ) -> Blocks {
        let of = |func: FuncId| match &abstraction.functions[func] {
            Some(_) => blocks(analysis, predicates, func, granularity, options),
            None => Vec::new(),
        };
        Blocks { granularity, of: analysis.program.functions.ids().map(of).collect() }
    }

    fn tables(&self) -> impl Iterator<Item = &Table> {
        self.of.iter().flatten().filter_map(|b| b.table.as_ref().ok())
    }

    /// Calls of the SAT solver.
    pub fn calls(&self) -> u64 {
        self.tables().map(|t| t.calls).sum()
    }

    /// Rows of all tables.
    pub fn rows(&self) -> u64 {
        self.tables().map(|t| t.rows.len() as u64).sum()
    }
}

/// The abstraction with a statement for each block that has a table.
pub fn by_blocks(program: &ir::Program, abstraction: &Abstraction, blocks: &Blocks, form: Form) -> Abstraction {
    let mut out = abstraction.clone();
    out.targets.clear();
    for func in program.functions.ids() {
        let (Some(map), Some(body)) = (&abstraction.functions[func], &program.functions[func].body) else { continue };
        let writer = Rewriting {
            abstraction,
            func,
            map,
            body,
            graph: Graph::new(body),
            blocks: &blocks.of[func],
            large: blocks.granularity == Granularity::Large,
            form,
            stmts: IndexVec::new(),
            labels: Vec::new(),
            moved: IndexVec::filled(None, abstraction.program.procs[map.proc].body.len()),
            jumps: Vec::new(),
        };
        let (proc, map, moved) = writer.write();
        for target in abstraction.targets.iter().filter(|t| t.func == func) {
            // What no way leads to is not there.
            out.targets.extend(moved[target.stmt].map(|stmt| crate::Target { stmt, ..*target }));
        }
        out.program.procs[map.proc] = proc;
        out.functions[func] = Some(map);
    }
    debug_assert_eq!(boolprog::validate(&out.program), [], "blocks are statements of a valid boolean program");
    out
}

/// One way on from a location.
#[derive(Clone, Copy)]
enum Way<'a> {
    Block(&'a Table, Loc),
    Edge(EdgeId),
}

struct Rewriting<'a> {
    abstraction: &'a Abstraction,
    func: FuncId,
    map: &'a FunctionMap,
    body: &'a Body,
    graph: Graph,
    blocks: &'a [Block],
    large: bool,
    form: Form,
    stmts: IndexVec<StmtId, Stmt>,
    labels: Vec<(String, StmtId)>,
    /// Where the old statements went.
    moved: IndexVec<StmtId, Option<StmtId>>,
    /// Jumps to locations, which get their statements later; without a location the run ends.
    jumps: Vec<(StmtId, Option<Loc>)>,
}

impl<'a> Rewriting<'a> {
    fn old(&self) -> &'a Proc {
        &self.abstraction.program.procs[self.map.proc]
    }

    fn write(mut self) -> (Proc, FunctionMap, IndexVec<StmtId, Option<StmtId>>) {
        let entry = self.map.locations[self.body.entry].expect("the entry is reachable");
        for i in 0..entry.index() {
            self.copy(StmtId::from_index(i));
        }
        let mut locations = IndexVec::filled(None, self.body.locations.len());
        let mut edges = IndexVec::filled(None, self.body.edges.len());
        for loc in self.needed() {
            locations[loc] = Some(self.stmts.next_id());
            self.labels.push((format!("{loc}"), self.stmts.next_id()));
            if loc == self.body.exit {
                self.copy(self.map.locations[loc].expect("a needed location is reachable"));
                continue;
            }
            let ways = self.ways(loc);
            let fork = (ways.len() != 1).then(|| self.push(StmtKind::Goto(Vec::new()), None));
            let mut starts = Vec::new();
            for way in ways {
                starts.push(self.stmts.next_id());
                match way {
                    Way::Block(table, to) => self.block(table, to),
                    Way::Edge(e) => {
                        edges[e] = Some(self.stmts.next_id());
                        self.edge(e);
                    }
                }
            }
            if let Some(fork) = fork {
                self.stmts[fork].kind = StmtKind::Goto(starts.clone());
                if starts.is_empty() {
                    self.jumps.push((fork, None));
                }
            }
        }
        let halt = self.stmts.next_id();
        self.push(StmtKind::Goto(vec![halt]), None);
        for (at, to) in std::mem::take(&mut self.jumps) {
            let to = to.map_or(halt, |l| locations[l].expect("a way leads to a needed location"));
            self.stmts[at].kind = StmtKind::Goto(vec![to]);
        }
        let proc =
            Proc { body: self.stmts, labels: self.labels, ..self.abstraction.program.procs[self.map.proc].clone() };
        (proc, FunctionMap { locations, edges, ..self.map.clone() }, self.moved)
    }

    /// The ways on from a location. A location all of whose blocks have tables goes on by those and by what ends the run; any other
    /// by its edges.
    fn ways(&self, loc: Loc) -> Vec<Way<'a>> {
        let here: Vec<&'a Block> = self.blocks.iter().filter(|b| b.from == loc).collect();
        let table = |b: &&'a Block| b.table.as_ref().ok().zip(b.to).map(|(table, to)| Way::Block(table, to));
        let mut ways: Vec<Way<'a>> = here.iter().filter_map(table).collect();
        if self.large && ways.len() < here.len() {
            ways.clear();
        }
        let whole = self.large && !ways.is_empty();
        let covered = |e: EdgeId| here.iter().any(|b| b.edges[0] == e && b.table.is_ok());
        let goes_on = |e: EdgeId| self.body.edges[e].to.is_some();
        let alone =
            self.graph.out[loc].iter().filter(|&&e| if whole { !goes_on(e) } else { self.large || !covered(e) });
        ways.extend(alone.map(|&e| Way::Edge(e)));
        ways
    }

    /// The locations that ways lead to, in their order.
    fn needed(&self) -> Vec<Loc> {
        let mut found: IndexVec<Loc, bool> = IndexVec::filled(false, self.body.locations.len());
        let mut work = vec![self.body.entry];
        while let Some(loc) = work.pop() {
            if std::mem::replace(&mut found[loc], true) {
                continue;
            }
            work.extend(self.ways(loc).iter().filter_map(|way| match way {
                Way::Block(_, to) => Some(*to),
                Way::Edge(e) => self.body.edges[*e].to,
            }));
        }
        self.graph.order.iter().copied().filter(|&l| found[l]).collect()
    }

    fn push(&mut self, kind: StmtKind, constrain: Option<Expr>) -> StmtId {
        self.stmts.push(Stmt { constrain, ..Stmt::new(kind) })
    }

    /// Copies a statement with the labels that are not those of a location.
    fn copy(&mut self, at: StmtId) {
        let new = self.stmts.push(self.old().body[at].clone());
        self.moved[at] = Some(new);
        let names = self.old().labels_at(at).filter(|name| self.body.locations.ids().all(|l| *name != l.to_string()));
        let names: Vec<(String, StmtId)> = names.map(|name| (name.to_owned(), new)).collect();
        self.labels.extend(names);
    }

    /// The statements of an edge, the last of which is its jump.
    fn edge(&mut self, e: EdgeId) {
        let mut at = self.map.edges[e].expect("an edge of a reachable location is written");
        while !matches!(self.old().body[at].kind, StmtKind::Goto(_)) {
            self.copy(at);
            at = at.next();
        }
        self.copy(at);
        // A step without a formula ends the run although its edge goes on.
        let leads_on = |t: &StmtId| self.map.locations.iter().any(|l| *l == Some(*t));
        let StmtKind::Goto(to) = &self.old().body[at].kind else { unreachable!("an edge ends in a jump") };
        let to = self.body.edges[e].to.filter(|_| to.iter().any(leads_on));
        let last = self.moved[at].expect("it was copied");
        self.jumps.push((last, to));
    }

    fn block(&mut self, table: &Table, to: Loc) {
        let vars = variables(self.abstraction, self.func, table);
        match self.form {
            Form::Relation => {
                let values = vars.iter().map(|&v| (Some(v), Expr::Nondet)).collect();
                self.push(StmtKind::Assign(values), Some(relation(&vars, &table.relation())));
            }
            Form::Choices(longest) => {
                if let Some(passable) = passable(table, &vars, longest) {
                    self.push(StmtKind::Assume(passable), None);
                }
                let values =
                    vars.iter().enumerate().map(|(i, &v)| (Some(v), choices(table, i, &vars, longest))).collect();
                self.push(StmtKind::Assign(values), None);
            }
        }
        let jump = self.push(StmtKind::Goto(Vec::new()), None);
        self.jumps.push((jump, Some(to)));
    }
}

fn variables(abstraction: &Abstraction, func: FuncId, table: &Table) -> Vec<Var> {
    let var = |&p| abstraction.var(func, p).expect("a predicate in scope has a variable");
    table.predicates.iter().map(var).collect()
}

fn literal(e: Expr, value: bool) -> Expr {
    if value { e } else { Expr::not(e) }
}

/// A table as a relation between old and new values.
pub(super) fn relation(vars: &[Var], cubes: &[Cubes]) -> Expr {
    let cube = |c: &Cubes| {
        let before = c.before.iter().map(|&(i, value)| literal(Expr::Var(vars[i]), value));
        let after = c.after.iter().map(|&(i, value)| literal(Expr::Next(vars[i]), value));
        Expr::and(before.chain(after).collect::<Vec<_>>())
    };
    Expr::or(cubes.iter().map(cube).collect::<Vec<_>>())
}

fn sum(vars: &[Var], cubes: &[Vec<(usize, bool)>], longest: usize) -> Expr {
    let cube = |c: &Vec<(usize, bool)>| Expr::and(c.iter().map(|&(i, value)| literal(Expr::Var(vars[i]), value)));
    Expr::or(cubes.iter().filter(|c| c.len() <= longest).map(cube))
}

/// `¬F(¬H)`: the values before the block that it cannot be passed from are left out, as far as cubes of this length say so. `None` if
/// that leaves nothing out.
fn passable(table: &Table, vars: &[Var], longest: usize) -> Option<Expr> {
    let condition = sum(vars, &table.blocked(), longest);
    (condition != Expr::Const(false)).then(|| Expr::not(condition))
}

/// `choose(ON, OFF)` for the predicate at this place.
fn choices(table: &Table, place: usize, vars: &[Var], longest: usize) -> Expr {
    let assignment = table.assignment(place);
    let (on, off) = (sum(vars, &assignment.on, longest), sum(vars, &assignment.off, longest));
    if assignment.complete && assignment.on.iter().all(|c| c.len() <= longest) {
        return on;
    }
    match (&on, &off) {
        (Expr::Const(false), Expr::Const(false)) => Expr::Nondet,
        _ => Expr::Choose(Box::new(on), Box::new(off)),
    }
}

/// SABS13 §11, third treatment of conditions: each is the set of valuations that some state in which it holds has (Clarke's `pos` and
/// `neg`), from the condition's own table, where C2bp assumes `¬F(¬ψ)`. Returns rows and calls of the solver.
pub fn condition_sets(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    abstraction: &mut Abstraction,
    options: &Options,
) -> (u64, u64) {
    let (mut rows, mut calls) = (0, 0);
    for func in analysis.program.functions.ids() {
        let Some(map) = abstraction.functions[func].clone() else { continue };
        let conditions = |op: &Op| matches!(op, Op::Assume(_));
        for block in blocks_of(analysis, predicates, func, Granularity::Statement, options, &conditions) {
            let ([edge], Ok(table)) = (&block.edges[..], &block.table) else { continue };
            rows += table.rows.len() as u64;
            calls += table.calls;
            let vars = variables(abstraction, func, table);
            let condition = sum(&vars, &table.passable(), usize::MAX);
            let Some(first) = map.edges[*edge] else { continue };
            let body = &mut abstraction.program.procs[map.proc].body;
            // Where C2bp found nothing to assume there is only the jump, which carries the condition then.
            match &mut body[first].kind {
                StmtKind::Assume(e) => *e = condition,
                _ => {
                    body[first].constrain =
                        Some(Expr::and(body[first].constrain.take().into_iter().chain([condition])));
                }
            }
        }
    }
    (rows, calls)
}

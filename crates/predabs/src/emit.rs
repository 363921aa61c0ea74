//! Puts statements together: labels, jumps that are resolved at the end, and expressions over tags.

use crate::cache::{Dnf, Tag};
use crate::strengthen::Strong;
use base::IndexVec;
use boolprog::{Expr, Stmt, StmtId, StmtKind};
use ir::{EdgeId, Loc};

/// Where a jump goes, before the statements have their final numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    Loc(Loc),
    Edge(EdgeId),
    /// The run ends.
    Halt,
}

/// The statements of one procedure while it is written.
pub(crate) struct Body {
    pub(crate) stmts: IndexVec<StmtId, Stmt>,
    pub(crate) labels: Vec<(String, StmtId)>,
    pub(crate) locations: IndexVec<Loc, Option<StmtId>>,
    pub(crate) edges: IndexVec<EdgeId, Option<StmtId>>,
    jumps: Vec<(StmtId, Vec<To>)>,
}

impl Body {
    pub(crate) fn new(n_locations: usize, n_edges: usize) -> Body {
        Body {
            stmts: IndexVec::new(),
            labels: Vec::new(),
            locations: IndexVec::filled(None, n_locations),
            edges: IndexVec::filled(None, n_edges),
            jumps: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, kind: StmtKind, tag: Option<u32>) -> StmtId {
        self.stmts.push(Stmt { tag, ..Stmt::new(kind) })
    }

    pub(crate) fn jump(&mut self, to: Vec<To>, tag: Option<u32>) -> StmtId {
        let at = self.push(StmtKind::Goto(Vec::new()), tag);
        self.jumps.push((at, to));
        at
    }

    pub(crate) fn label(&mut self, name: String, at: StmtId) {
        self.labels.push((name, at));
    }

    /// Adds the place where runs end, and gives every jump its targets.
    pub(crate) fn finish(&mut self) {
        let halt = self.stmts.next_id();
        self.push(StmtKind::Goto(vec![halt]), None);
        for (at, to) in std::mem::take(&mut self.jumps) {
            let resolve = |to: &To| match *to {
                To::Loc(l) => self.locations[l].expect("a reachable edge leads to a reachable location"),
                To::Edge(e) => self.edges[e].expect("an edge of a reachable location is written"),
                To::Halt => halt,
            };
            let targets = to.iter().map(resolve).collect();
            self.stmts[at].kind = StmtKind::Goto(targets);
        }
    }
}

/// The boolean variable of a tag.
pub(crate) type Vars<'a> = &'a dyn Fn(Tag) -> boolprog::Var;

fn literal(vars: Vars<'_>, (tag, value): (Tag, bool)) -> Expr {
    let var = Expr::Var(vars(tag));
    if value { var } else { Expr::not(var) }
}

/// A disjunction of cubes.
fn disjunction(vars: Vars<'_>, dnf: &Dnf) -> Expr {
    Expr::or(dnf.iter().map(|cube| Expr::and(cube.iter().map(|&l| literal(vars, l)))))
}

/// The conjunction of the parts.
pub(crate) fn strong(vars: Vars<'_>, parts: &Strong) -> Expr {
    Expr::and(parts.iter().map(|dnf| disjunction(vars, dnf)))
}

/// The negation of a disjunction of cubes, as clauses.
pub(crate) fn none_of(vars: Vars<'_>, dnf: &Dnf) -> Expr {
    Expr::and(dnf.iter().map(|cube| Expr::or(cube.iter().map(|&(tag, value)| literal(vars, (tag, !value))))))
}

/// The negation of [`strong`].
pub(crate) fn not_strong(vars: Vars<'_>, parts: &Strong) -> Expr {
    Expr::or(parts.iter().map(|dnf| none_of(vars, dnf)))
}

/// `choose(pos, neg)` (PLDI01 §4.3), written as simply as it can be.
pub(crate) fn choose(vars: Vars<'_>, pos: &Strong, neg: &Strong) -> Expr {
    let is_false = |s: &Strong| s.iter().any(Vec::is_empty);
    match (pos, neg) {
        (p, _) if p.is_empty() => Expr::Const(true),
        (_, n) if n.is_empty() => Expr::Const(false),
        (p, n) if is_false(p) && is_false(n) => Expr::Nondet,
        (p, n) if opposite(p, n) => strong(vars, p),
        (p, n) => Expr::Choose(Box::new(strong(vars, p)), Box::new(strong(vars, n))),
    }
}

/// Whether both are one literal, and it is each other's negation.
fn opposite(pos: &Strong, neg: &Strong) -> bool {
    let single = |s: &Strong| match &s[..] {
        [dnf] => match &dnf[..] {
            [cube] => match cube[..] {
                [l] => Some(l),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    matches!((single(pos), single(neg)), (Some((a, x)), Some((b, y))) if a == b && x != y)
}

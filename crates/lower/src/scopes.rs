//! The lifetime of what is declared in a block: from where the block is entered to where it is left, whichever way.
//!
//! While a function is lowered, each location is told in which scope control came to it and in which it went on (the same,
//! but where a block begins or ends there). When the graph is complete, every edge that goes from one scope to another ends
//! what it leaves and begins what it enters: falling out, `break`, `continue`, `goto` out of and into blocks, `case` labels
//! and computed jumps are all alike. A jump inside of a block goes from a scope to the same one and does nothing. A variable
//! length array is a scope of its own that begins behind its declaration, so a jump back over the declaration leaves it.
//!
//! Operations are emitted only for locals whose address is a value somewhere: nobody can tell when others end. The scope of
//! the function's outermost block is the activation.

use crate::graph::Graph;
use base::{Id, IndexVec, Span, define_id};
use ir::walk::{Visitor, walk_expr};
use ir::{Address, Base, Edge, Expr, ExprKind, HavocDst, Loc, LocalId, Op, Ty, Var};
use std::collections::BTreeSet;

define_id!(pub(crate) ScopeId, "scope", "A block of the source, or what follows a variable length array in one.");

#[derive(Default)]
struct Scope {
    parent: Option<ScopeId>,
    locals: Vec<LocalId>,
    /// The pointer to the array that the scope belongs to.
    array: Option<LocalId>,
}

/// The scopes of a function while it is lowered.
pub(crate) struct Scopes {
    all: IndexVec<ScopeId, Scope>,
    current: ScopeId,
    declared: BTreeSet<LocalId>,
    /// The scope in which control comes to a location, where that is not the one in which it goes on.
    arriving: Vec<Option<ScopeId>>,
    /// The scope in which the edges of a location start.
    leaving: Vec<Option<ScopeId>>,
}

impl Scopes {
    /// The scope of a whole function; control arrives at `entry` in it.
    pub(crate) fn new(entry: Loc) -> Scopes {
        let mut all = IndexVec::new();
        let current = all.push(Scope::default());
        let (arriving, leaving) = (Vec::new(), Vec::new());
        let mut scopes = Scopes { all, current, declared: BTreeSet::new(), arriving, leaving };
        scopes.arrive(entry);
        scopes
    }

    /// Opens a scope in the present one, which is given back to [`close`](Self::close) later.
    pub(crate) fn open(&mut self) -> ScopeId {
        let outer = self.current;
        self.current = self.all.push(Scope { parent: Some(outer), ..Scope::default() });
        outer
    }

    /// The present scope.
    pub(crate) fn present(&self) -> ScopeId {
        self.current
    }

    /// Makes a scope the present one again; the one that it was is given to [`close`](Self::close) later.
    pub(crate) fn enter(&mut self, scope: ScopeId) -> ScopeId {
        std::mem::replace(&mut self.current, scope)
    }

    /// Closes all scopes that were opened since `outer` was the present one.
    pub(crate) fn close(&mut self, outer: ScopeId) {
        self.current = outer;
    }

    /// A local of the present scope.
    pub(crate) fn declare(&mut self, local: LocalId) {
        if self.declared.insert(local) {
            self.all[self.current].locals.push(local);
        }
    }

    /// What follows is the scope of the array behind this pointer.
    pub(crate) fn array(&mut self, pointer: LocalId) {
        let parent = Some(self.current);
        self.current = self.all.push(Scope { parent, array: Some(pointer), ..Scope::default() });
    }

    /// Whether something of which pointers may exist was declared since `outer` was the present scope.
    pub(crate) fn has_any(&self, outer: ScopeId, is_taken: impl Fn(LocalId) -> bool) -> bool {
        let inner = self.around(self.current).into_iter().take_while(|&s| s != outer);
        inner.map(|s| &self.all[s]).any(|s| s.array.is_some() || s.locals.iter().any(|&l| is_taken(l)))
    }

    /// Control comes to a location.
    pub(crate) fn arrive(&mut self, loc: Loc) {
        set(&mut self.arriving, loc, self.current);
    }

    /// An edge starts at a location.
    pub(crate) fn leave(&mut self, loc: Loc) {
        set(&mut self.leaving, loc, self.current);
    }

    /// Edges start at a location as they do at another one.
    pub(crate) fn like(&mut self, loc: Loc, other: Loc) {
        if let Some(scope) = self.scope_from(other) {
            set(&mut self.leaving, loc, scope);
        }
    }

    /// Whether a local is declared in no block that has ended.
    pub(crate) fn is_alive(&self, local: LocalId) -> bool {
        !self.declared.contains(&local)
            || self.around(self.current).iter().any(|&s| self.all[s].locals.contains(&local))
    }

    fn scope_from(&self, loc: Loc) -> Option<ScopeId> {
        get(&self.leaving, loc)
    }

    fn scope_to(&self, loc: Loc) -> Option<ScopeId> {
        get(&self.arriving, loc).or_else(|| get(&self.leaving, loc))
    }

    /// The scopes around one, itself first.
    fn around(&self, scope: ScopeId) -> Vec<ScopeId> {
        std::iter::successors(Some(scope), |&s| self.all[s].parent).collect()
    }

    /// What ends and begins between two scopes.
    fn between(&self, from: Option<ScopeId>, to: Option<ScopeId>, needed: &BTreeSet<LocalId>) -> Vec<Op> {
        let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
        if from == to {
            return Vec::new();
        }
        let (left, entered) = (self.around(from), self.around(to));
        let mut ops = Vec::new();
        for &s in left.iter().filter(|s| !entered.contains(s)) {
            ops.extend(self.all[s].array.map(|p| Op::Release(Expr::var(Var::Local(p), Ty::Ptr))));
            ops.extend(self.all[s].locals.iter().rev().filter(|l| needed.contains(l)).map(|&l| Op::End(l)));
        }
        for &s in entered.iter().rev().filter(|s| !left.contains(s)) {
            ops.extend(self.all[s].locals.iter().filter(|l| needed.contains(l)).map(|&l| Op::Begin(l)));
        }
        ops
    }
}

/// Puts the beginnings and ends of lifetimes into a graph that is complete.
pub(crate) fn bound_lifetimes(graph: &mut Graph) {
    if graph.scopes.all.len() == 1 {
        return;
    }
    graph.drop_unreachable();
    let needed = needed(graph);
    if !graph.scopes.all.iter().any(|s| s.array.is_some() || s.locals.iter().any(|l| needed.contains(l))) {
        return;
    }
    split_locations(graph, &needed);
    for i in 0..graph.edges.len() {
        let (from, span) = (graph.edges[i].from, graph.edges[i].span);
        let Some(to) = graph.edges[i].to.filter(|&to| to != graph.exit) else { continue };
        let ops = graph.scopes.between(graph.scopes.scope_from(from), graph.scopes.scope_to(to), &needed);
        if !ops.is_empty() {
            let first = graph.loc();
            graph.edges[i].to = Some(first);
            chain(graph, first, to, ops, span);
        }
    }
}

/// Where control comes in one scope and goes on in another, the location becomes two.
fn split_locations(graph: &mut Graph, needed: &BTreeSet<LocalId>) {
    let mut moved: Vec<Option<Loc>> = vec![None; graph.n_locs()];
    let mut chains = Vec::new();
    for i in 0..graph.edges.len() {
        let (from, span) = (graph.edges[i].from, graph.edges[i].span);
        let at = match moved[from.index()] {
            Some(at) => at,
            None => {
                let going = graph.scopes.scope_from(from);
                let ops = graph.scopes.between(get(&graph.scopes.arriving, from), going, needed);
                if ops.is_empty() {
                    continue;
                }
                let behind = graph.loc();
                if let Some(scope) = going {
                    set(&mut graph.scopes.leaving, behind, scope);
                }
                moved[from.index()] = Some(behind);
                chains.push((from, behind, ops, span));
                behind
            }
        };
        graph.edges[i].from = at;
    }
    for (from, to, ops, span) in chains {
        // Nothing is to be done any more on the steps in between.
        clear(&mut graph.scopes.leaving, from);
        chain(graph, from, to, ops, span);
    }
}

/// Edges with these operations from one location to another.
fn chain(graph: &mut Graph, mut from: Loc, to: Loc, ops: Vec<Op>, span: Span) {
    let last = ops.len() - 1;
    for (i, op) in ops.into_iter().enumerate() {
        let next = if i == last { to } else { graph.loc() };
        graph.edges.push(Edge { from, to: Some(next), guards: Vec::new(), op, span });
        from = next;
    }
}

fn get(scopes: &[Option<ScopeId>], loc: Loc) -> Option<ScopeId> {
    scopes.get(loc.index()).copied().flatten()
}

/// The first answer stays.
fn set(scopes: &mut Vec<Option<ScopeId>>, loc: Loc, scope: ScopeId) {
    if scopes.len() <= loc.index() {
        scopes.resize(loc.index() + 1, None);
    }
    scopes[loc.index()].get_or_insert(scope);
}

fn clear(scopes: &mut [Option<ScopeId>], loc: Loc) {
    if let Some(scope) = scopes.get_mut(loc.index()) {
        *scope = None;
    }
}

/// The locals whose address is a value somewhere.
fn needed(graph: &Graph) -> BTreeSet<LocalId> {
    let mut taken = Taken::default();
    for edge in &graph.edges {
        for guard in &edge.guards {
            walk_expr(&guard.cond, &mut taken);
        }
        taken.op(&edge.op);
    }
    taken.locals
}

#[derive(Default)]
struct Taken {
    locals: BTreeSet<LocalId>,
    /// An address that is only asked about.
    operand: Option<*const Expr>,
}

impl Taken {
    fn op(&mut self, op: &Op) {
        match op {
            Op::SetRange { dst, value, len } => {
                self.range(dst);
                walk_expr(value, self);
                walk_expr(len, self);
            }
            Op::CopyRange { dst, src, len } => {
                self.range(dst);
                self.range(src);
                walk_expr(len, self);
            }
            Op::Havoc(HavocDst::Range { dst, len }, _) => {
                self.range(dst);
                walk_expr(len, self);
            }
            other => ir::walk::walk_op(other, self),
        }
    }

    /// The address of a range that is read or written is gone when that is done.
    fn range(&mut self, at: &Expr) {
        match &at.kind {
            ExprKind::Addr(addr) => self.parts(addr),
            _ => walk_expr(at, self),
        }
    }

    fn parts(&mut self, addr: &Address) {
        if let Base::Ptr(p) = &addr.base {
            walk_expr(p, self);
        }
        for index in &addr.indices {
            walk_expr(&index.value, self);
        }
    }
}

impl Visitor for Taken {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            // The operand is the next expression that is visited.
            ExprKind::ObjectPredicate(_, a) => self.operand = Some(std::ptr::from_ref(&**a)),
            ExprKind::Addr(Address { base: Base::Var(Var::Local(l)), .. })
                if self.operand != Some(std::ptr::from_ref(e)) =>
            {
                self.locals.insert(*l);
            }
            _ => {}
        }
    }
}

//! No local is read before it is written: the pass that makes it so.
//!
//! In C a variable may be read before its declaration was passed in this activation (a `goto` or `case` label behind the
//! declaration), and most declarations without initialiser are followed by an assignment. Lowering emits a
//! [`Source::Uninit`] havoc for each declaration it passes; this pass adds one at the entry for every variable that is
//! live there, and removes those whose value nobody can read. Both are one backward liveness analysis (live at a point: on
//! some path from it the variable is read before it is written), 64 variables at a time, one word per location.
//!
//! What counts as a read of an object or of a variable whose address is taken: any mention but a write of the whole. The
//! havoc of a variable whose address is taken is never removed, since a pointer from an earlier pass may see it.

use crate::graph::Graph;
use base::{Id, IndexVec, Span};
use ir::{Address, Base, DataModel, Expr, ExprKind, HavocDst, Local, LocalId, Op, Place, Shape, Source, Var};

/// Establishes the invariant for `graph`. `tracked` names the variables of the source; temporaries and parameters are
/// written before they are read by construction.
pub(crate) fn assign_before_use(
    graph: &mut Graph,
    locals: &IndexVec<LocalId, Local>,
    tracked: &[bool],
    model: DataModel,
) {
    graph.drop_unreachable();
    let uses = Uses::collect(graph, locals, tracked, model);
    let order = graph.reverse_postorder();
    let mut at_entry = Vec::new();
    let mut dead = Vec::new();
    for (chunk, mentions) in uses.by_chunk.iter().enumerate() {
        if mentions.is_empty() {
            continue;
        }
        let live = liveness(graph, &order, mentions);
        let entry = live[graph.entry.index()];
        at_entry.extend((0..64).filter(|b| entry >> b & 1 == 1).map(|b| chunk * 64 + b));
        for m in mentions.iter().filter(|m| m.uninit && !uses.taken[m.local]) {
            let to = graph.edges[m.edge].to.expect("a havoc does not end the run");
            if live[to.index()] >> (m.local % 64) & 1 == 0 {
                dead.push(m.edge);
            }
        }
    }
    for edge in dead {
        graph.edges[edge].op = Op::Skip;
    }
    let havocs = at_entry
        .into_iter()
        .map(|l| {
            let id = LocalId::from_index(l);
            (uninit(id, &locals[id], model), locals[id].span)
        })
        .collect::<Vec<(Op, Span)>>();
    graph.prepend(havocs);
}

/// Gives a local arbitrary contents.
pub(crate) fn uninit(id: LocalId, local: &Local, model: DataModel) -> Op {
    let var = Var::Local(id);
    let dst = match local.shape {
        Shape::Scalar(ty) => HavocDst::Place(Place::var(var, ty)),
        Shape::Object { size, .. } => {
            HavocDst::Range { dst: Expr::addr(Address::var(var)), len: Expr::int(model.size_ty(), i128::from(size)) }
        }
    };
    Op::Havoc(dst, Source::Uninit)
}

/// One mention of a tracked local on an edge.
struct Mention {
    edge: usize,
    local: usize,
    read: bool,
    write: bool,
    uninit: bool,
}

struct Uses {
    /// Mentions of locals `64 * i ..`, in order of edges.
    by_chunk: Vec<Vec<Mention>>,
    /// Whose address is taken somewhere.
    taken: Vec<bool>,
}

struct Collector<'a> {
    uses: Uses,
    locals: &'a IndexVec<LocalId, Local>,
    tracked: &'a [bool],
    model: DataModel,
    edge: usize,
}

impl Uses {
    fn collect(graph: &Graph, locals: &IndexVec<LocalId, Local>, tracked: &[bool], model: DataModel) -> Uses {
        let chunks = locals.len().div_ceil(64);
        let uses = Uses { by_chunk: (0..chunks).map(|_| Vec::new()).collect(), taken: vec![false; locals.len()] };
        let mut c = Collector { uses, locals, tracked, model, edge: 0 };
        for (i, edge) in graph.edges.iter().enumerate() {
            c.edge = i;
            for g in &edge.guards {
                c.expr(&g.cond);
            }
            c.op(&edge.op);
        }
        c.uses
    }
}

impl Collector<'_> {
    fn mention(&mut self, var: Var, read: bool, write: bool, uninit: bool) {
        let Var::Local(l) = var else { return };
        let local = l.index();
        if self.tracked[local] {
            let mention = Mention { edge: self.edge, local, read, write, uninit };
            self.uses.by_chunk[local / 64].push(mention);
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Error(_) | Op::Halt | Op::Unsupported(_) | Op::Return(None) => {}
            Op::Assume(e) | Op::Free(e) | Op::Release(e) | Op::Return(Some(e)) => self.expr(e),
            // A new object has contents of its own, and what was there before is gone.
            Op::Begin(l) => self.mention(Var::Local(*l), false, true, false),
            Op::End(_) => {}
            Op::Assign(place, e) => {
                self.expr(e);
                self.write(place, false);
            }
            // Padding is no part of the value: making it arbitrary neither reads the variable nor writes it.
            Op::Havoc(HavocDst::Place(Place { addr, .. }), Source::Padding) => self.address(addr, false),
            Op::Havoc(HavocDst::Range { dst: Expr { kind: ExprKind::Addr(addr), .. }, .. }, Source::Padding) => {
                self.address(addr, false);
            }
            Op::Havoc(HavocDst::Place(place), source) => self.write(place, *source == Source::Uninit),
            Op::Havoc(HavocDst::Range { dst, len }, source) => {
                self.expr(len);
                self.write_range(dst, len, *source == Source::Uninit);
            }
            Op::Alloc(a) => {
                self.expr(&a.size);
                self.write(&a.dst, false);
            }
            Op::SetRange { dst, value, len } => {
                self.expr(value);
                self.expr(len);
                self.write_range(dst, len, false);
            }
            Op::CopyRange { dst, src, len } => {
                self.expr(src);
                self.expr(len);
                self.write_range(dst, len, false);
            }
            Op::Call(call) => {
                if let ir::Callee::Indirect(e) = &call.callee {
                    self.expr(e);
                }
                for arg in &call.args {
                    self.expr(arg);
                }
                if let Some(dst) = call.dst {
                    self.mention(dst, false, true, false);
                }
            }
        }
    }

    fn write(&mut self, place: &Place, uninit: bool) {
        let whole = place.as_var().is_some_and(|v| match v {
            Var::Local(l) => self.locals[l].shape == Shape::Scalar(place.ty),
            Var::Global(_) => false,
        });
        match place.addr.base {
            Base::Var(v) if whole => self.mention(v, false, true, uninit),
            _ => self.address(&place.addr, false),
        }
    }

    fn write_range(&mut self, dst: &Expr, len: &Expr, uninit: bool) {
        if let ExprKind::Addr(Address { base: Base::Var(Var::Local(l)), offset: 0, indices }) = &dst.kind
            && indices.is_empty()
            && len.as_const().is_some_and(|n| n >= u128::from(self.locals[*l].shape.size(self.model)))
        {
            self.mention(Var::Local(*l), false, true, uninit);
        } else {
            self.expr(dst);
        }
    }

    /// The parts of an address; whether its variable counts as read is up to the caller.
    fn address(&mut self, addr: &Address, read: bool) {
        match &addr.base {
            Base::Var(v) if read => self.mention(*v, true, false, false),
            Base::Var(_) => {}
            Base::Ptr(p) => self.expr(p),
        }
        for index in &addr.indices {
            self.expr(&index.value);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Func(_) => {}
            ExprKind::Read(place) => self.address(&place.addr, true),
            ExprKind::Addr(addr) => {
                if let Base::Var(Var::Local(l)) = addr.base {
                    self.uses.taken[l.index()] = true;
                }
                self.address(addr, true);
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::Entry(a) => self.expr(a),
            // A predicate about a place's bounds does not look at its contents.
            ExprKind::ObjectPredicate(_, a) => match &a.kind {
                ExprKind::Addr(addr) => self.address(addr, false),
                _ => self.expr(a),
            },
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Ite(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
        }
    }
}

/// Which of the chunk's locals are live at each location.
fn liveness(graph: &Graph, order: &[ir::Loc], mentions: &[Mention]) -> Vec<u64> {
    let n = graph.edges.len();
    let (mut read, mut written) = (vec![0u64; n], vec![0u64; n]);
    for m in mentions {
        let bit = 1 << (m.local % 64);
        if m.read {
            read[m.edge] |= bit;
        }
        if m.write {
            written[m.edge] |= bit;
        }
    }
    let mut edges_from: Vec<Vec<u32>> = vec![Vec::new(); graph.n_locs()];
    for (i, e) in graph.edges.iter().enumerate() {
        edges_from[e.from.index()].push(i as u32);
    }
    let mut live = vec![0u64; graph.n_locs()];
    loop {
        let mut changed = false;
        for &loc in order.iter().rev() {
            let mut now = live[loc.index()];
            for &i in &edges_from[loc.index()] {
                let i = i as usize;
                let after = graph.edges[i].to.map_or(0, |to| live[to.index()]);
                now |= read[i] | (after & !written[i]);
            }
            if now != live[loc.index()] {
                live[loc.index()] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

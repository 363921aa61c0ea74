//! Facts about graphs and calls, in maps of their own: nothing here is stored in a program.
//!
//! Everything is computed by explicit stacks and comes out in a fixed order.

use crate::syntax::*;
use crate::walk::{Visitor, walk_edge, walk_expr};
use base::{Id, IndexVec};

/// The shape of one body's graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The edges that leave each location, in the order in which they are tried.
    pub out: IndexVec<Loc, Vec<EdgeId>>,
    /// The edges that lead to each location, in order.
    pub into: IndexVec<Loc, Vec<EdgeId>>,
    /// The locations that the entry reaches.
    pub reachable: IndexVec<Loc, bool>,
    /// Targets of retreating edges of a depth-first search. Every cycle, reducible or not, passes through one of them:
    /// the search meets some location of the cycle first, all others are found below it, and the edge that closes the
    /// cycle leads back to a location that is still open.
    pub loop_heads: IndexVec<Loc, bool>,
    /// The reachable locations in reverse postorder: every edge that does not lead to a loop head goes forward.
    pub order: Vec<Loc>,
}

impl Graph {
    /// The graph of `body`.
    pub fn new(body: &Body) -> Graph {
        let n = body.locations.len();
        let mut g = Graph {
            out: IndexVec::filled(Vec::new(), n),
            into: IndexVec::filled(Vec::new(), n),
            reachable: IndexVec::filled(false, n),
            loop_heads: IndexVec::filled(false, n),
            order: Vec::new(),
        };
        for (e, edge) in body.edges.iter_enumerated() {
            g.out[edge.from].push(e);
            if let Some(to) = edge.to {
                g.into[to].push(e);
            }
        }
        let mut search = Search { body, graph: &mut g, state: IndexVec::filled(Visit::New, n), post: Vec::new() };
        search.from(body.entry);
        let reached = std::mem::take(&mut search.post);
        // Cycles that the entry does not reach get heads as well: "every cycle" then needs no exception.
        for loc in body.locations.ids() {
            search.from(loc);
        }
        for &loc in &reached {
            g.reachable[loc] = true;
        }
        g.order = reached.into_iter().rev().collect();
        g
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

struct Search<'a> {
    body: &'a Body,
    graph: &'a mut Graph,
    state: IndexVec<Loc, Visit>,
    post: Vec<Loc>,
}

impl Search<'_> {
    fn from(&mut self, root: Loc) {
        if self.state[root] != Visit::New {
            return;
        }
        self.state[root] = Visit::Open;
        let mut stack = vec![(root, 0)];
        while let Some((loc, next)) = stack.last_mut() {
            let Some(&e) = self.graph.out[*loc].get(*next) else {
                self.state[*loc] = Visit::Done;
                self.post.push(*loc);
                stack.pop();
                continue;
            };
            *next += 1;
            if let Some(to) = self.body.edges[e].to {
                match self.state[to] {
                    Visit::New => {
                        self.state[to] = Visit::Open;
                        stack.push((to, 0));
                    }
                    Visit::Open => self.graph.loop_heads[to] = true,
                    Visit::Done => {}
                }
            }
        }
    }
}

/// Which variables and functions are reached otherwise than by name.
#[derive(Clone, Debug)]
pub struct AddressTaken {
    globals: IndexVec<GlobalId, bool>,
    locals: IndexVec<FuncId, IndexVec<LocalId, bool>>,
    /// Functions whose address some expression or initialiser has: the possible targets of indirect calls.
    pub functions: IndexVec<FuncId, bool>,
    /// Something is accessed through a pointer.
    pointers: bool,
}

impl AddressTaken {
    /// Looks through the whole program.
    ///
    /// The address of a variable is taken by `&x` anywhere, and also by an access to a part of it or as another type:
    /// such an access is one of memory. Whole-variable accesses do not count. A global that the outside knows is one whose
    /// address is taken there, which matters as soon as anything is accessed through a pointer.
    pub fn new(program: &Program) -> AddressTaken {
        let mut taken = AddressTaken {
            globals: IndexVec::filled(false, program.globals.len()),
            locals: program.functions.iter().map(|f| IndexVec::filled(false, f.locals.len())).collect(),
            functions: IndexVec::filled(false, program.functions.len()),
            pointers: false,
        };
        for global in &program.globals {
            if let Init::Values(items) = &global.init {
                for item in items {
                    // Initialisers name no locals: any function will do as scope.
                    walk_expr(&item.value, &mut Takes { program, func: program.entry, taken: &mut taken });
                }
            }
        }
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                walk_edge(edge, &mut Takes { program, func, taken: &mut taken });
                let range = |op: &Op| matches!(op, Op::Havoc(HavocDst::Range { .. }, _));
                let moves = matches!(edge.op, Op::SetRange { .. } | Op::CopyRange { .. }) || range(&edge.op);
                taken.pointers |= moves;
            }
        }
        if taken.pointers {
            for id in program.globals.ids().filter(|&g| program.known_outside(g)) {
                taken.globals[id] = true;
            }
        }
        taken
    }

    /// Whether the address of `var`, seen from `func`, is taken.
    pub fn is_taken(&self, func: FuncId, var: Var) -> bool {
        match var {
            Var::Global(g) => self.globals[g],
            Var::Local(l) => self.locals[func][l],
        }
    }

    /// Whether `var`, seen from `func`, lives in memory: it is an object, or its address is taken. All others are
    /// plain values that only their own name changes.
    pub fn in_memory(&self, program: &Program, func: FuncId, var: Var) -> bool {
        self.is_taken(func, var) || program.shape(func, var).scalar().is_none()
    }
}

struct Takes<'a> {
    program: &'a Program,
    func: FuncId,
    taken: &'a mut AddressTaken,
}

impl Takes<'_> {
    fn take(&mut self, base: &Base) {
        match *base {
            Base::Var(Var::Global(g)) => self.taken.globals[g] = true,
            Base::Var(Var::Local(l)) => self.taken.locals[self.func][l] = true,
            Base::Ptr(_) => self.taken.pointers = true,
        }
    }

    fn access(&mut self, place: &Place) {
        let whole = place.as_var().is_some_and(|v| self.program.shape(self.func, v) == Shape::Scalar(place.ty));
        if !whole {
            self.take(&place.addr.base);
        }
    }
}

impl Visitor for Takes<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Addr(addr) => self.take(&addr.base),
            ExprKind::Func(f) => self.taken.functions[*f] = true,
            _ => {}
        }
    }
    fn read(&mut self, place: &Place) {
        self.access(place);
    }
    fn write(&mut self, place: &Place) {
        self.access(place);
    }
}

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The functions that each function calls by name, sorted, each once.
    pub direct: IndexVec<FuncId, Vec<FuncId>>,
    /// Whether the function calls through a pointer.
    pub indirect: IndexVec<FuncId, bool>,
    /// The functions that a call through a pointer may reach: those whose address is taken.
    pub targets: Vec<FuncId>,
    /// The component of each function: functions of one component call each other in circles. Callees outside the
    /// component have smaller numbers, so that counting up is bottom-up.
    pub component: IndexVec<FuncId, usize>,
    /// The functions of each component, sorted.
    pub components: Vec<Vec<FuncId>>,
}

impl CallGraph {
    /// The call graph of `program`.
    pub fn new(program: &Program) -> CallGraph {
        let n = program.functions.len();
        let taken = AddressTaken::new(program);
        let mut direct: IndexVec<FuncId, Vec<FuncId>> = IndexVec::filled(Vec::new(), n);
        let mut indirect = IndexVec::filled(false, n);
        for (id, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                match &edge.op {
                    Op::Call(Call { callee: Callee::Direct(g), .. }) => direct[id].push(*g),
                    Op::Call(Call { callee: Callee::Indirect(_), .. }) => indirect[id] = true,
                    _ => {}
                }
            }
            direct[id].sort_unstable();
            direct[id].dedup();
        }
        let targets = taken.functions.iter_enumerated().filter(|&(_, &t)| t).map(|(f, _)| f).collect();
        let component = IndexVec::filled(0, n);
        let mut graph = CallGraph { direct, indirect, targets, component, components: Vec::new() };
        graph.find_components();
        graph
    }

    /// Every function that a call in `func` may run: by name, and through a pointer.
    pub fn callees(&self, func: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        let through = if self.indirect[func] { &self.targets[..] } else { &[] };
        self.direct[func].iter().chain(through).copied()
    }

    /// The functions that a run from `root` may enter, `root` among them.
    pub fn reachable_from(&self, root: FuncId) -> IndexVec<FuncId, bool> {
        let mut seen = IndexVec::filled(false, self.direct.len());
        let mut todo = vec![root];
        seen[root] = true;
        while let Some(f) = todo.pop() {
            for g in self.callees(f) {
                if !std::mem::replace(&mut seen[g], true) {
                    todo.push(g);
                }
            }
        }
        seen
    }

    /// Whether an activation of `func` may be below another one of it.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.components[self.component[func]].len() > 1 || self.callees(func).any(|g| g == func)
    }

    /// Tarjan's algorithm with an explicit stack.
    fn find_components(&mut self) {
        const NEW: usize = usize::MAX;
        let n = self.direct.len();
        let mut number: IndexVec<FuncId, usize> = IndexVec::filled(NEW, n);
        let mut low: IndexVec<FuncId, usize> = IndexVec::filled(NEW, n);
        let mut open: IndexVec<FuncId, bool> = IndexVec::filled(false, n);
        let mut pending: Vec<FuncId> = Vec::new();
        let mut count = 0;
        for root in (0..n).map(FuncId::from_index) {
            if number[root] != NEW {
                continue;
            }
            let mut stack: Vec<(FuncId, Vec<FuncId>)> = vec![(root, Vec::new())];
            while let Some((f, rest)) = stack.last_mut() {
                let f = *f;
                if number[f] == NEW {
                    (number[f], low[f], open[f]) = (count, count, true);
                    count += 1;
                    pending.push(f);
                    *rest = self.callees(f).collect();
                    rest.reverse();
                }
                if let Some(g) = rest.pop() {
                    if number[g] == NEW {
                        stack.push((g, Vec::new()));
                    } else if open[g] {
                        low[f] = low[f].min(number[g]);
                    }
                    continue;
                }
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    low[*parent] = low[*parent].min(low[f]);
                }
                if low[f] == number[f] {
                    let start = pending.iter().rposition(|&g| g == f).expect("an open function is pending");
                    let mut members = pending.split_off(start);
                    members.sort_unstable();
                    for &g in &members {
                        open[g] = false;
                        self.component[g] = self.components.len();
                    }
                    self.components.push(members);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Knobs};
    use base::rng::Rng;

    /// Whether a cycle remains when the heads are taken away: a search that never passes a head must not come back.
    fn cycle_without_head(body: &Body, graph: &Graph) -> bool {
        // Repeatedly drop locations without a successor that is left (Kahn's algorithm, backwards).
        let mut left: Vec<bool> = body.locations.ids().map(|l| !graph.loop_heads[l]).collect();
        loop {
            let has_next = |l: Loc| graph.out[l].iter().filter_map(|&e| body.edges[e].to).any(|t| left[t.index()]);
            let Some(done) = body.locations.ids().find(|&l| left[l.index()] && !has_next(l)) else { break };
            left[done.index()] = false;
        }
        left.contains(&true)
    }

    #[test]
    fn loop_heads_cut_every_cycle_and_the_order_goes_forward() {
        let mut heads = 0;
        for seed in 0..300 {
            let program = random::program(&mut Rng::new(seed), &Knobs { statements: 15, ..Knobs::default() });
            for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
                let graph = Graph::new(body);
                assert!(!cycle_without_head(body, &graph), "seed {seed}");
                heads += graph.loop_heads.iter().filter(|h| **h).count();
                let position = |l: Loc| graph.order.iter().position(|&o| o == l);
                for (e, edge) in body.edges.iter_enumerated() {
                    assert!(graph.out[edge.from].contains(&e));
                    if let (Some(from), Some(to)) = (position(edge.from), edge.to) {
                        assert!(graph.into[to].contains(&e));
                        let to_at = position(to).expect("what a reachable location leads to is reachable");
                        assert!(graph.loop_heads[to] || from < to_at, "seed {seed} {e}");
                    }
                }
            }
        }
        assert!(heads > 300, "only {heads} loops");
    }

    #[test]
    fn two_entries_of_one_loop_are_cut() {
        let text = "\
model LP64
entry main
func external main() {
  local b: bool
  locations 7 entry L0 exit L6
  e0: L0 -> L1: skip
  e1: L1 -> L2: assume b
  e2: L1 -> L3: assume !b
  e3: L2 -> L3: skip
  e4: L3 -> L4: skip
  e5: L4 -> L2: assume b
  e6: L4 -> L5: assume !b
  e7: L5 -> L6: return
}
";
        let program = crate::text::parse(base::FileId::from_index(0), text).unwrap();
        let body = program.functions[program.entry].body.as_ref().unwrap();
        let graph = Graph::new(body);
        assert!(!cycle_without_head(body, &graph) && graph.loop_heads.iter().any(|h| *h));
    }

    #[test]
    fn calls_components_and_taken_addresses() {
        let text = "\
model LP64
entry main
global @p: ptr internal = { +0 = &@q }
global @q: i32 internal = zero
global @s: i32 internal = zero
func external main() {
  local x: i32
  local y: i32
  local z: i32
  local f: ptr
  locations 5 entry L0 exit L4
  e0: L0 -> L1: f := &x
  e1: L1 -> L2: *[&y + 1]:u8 := 0:u8
  e2: L2 -> L3: z := @s
  e3: L3 -> L4: return
}
func internal even() {
  locations 2 entry L0 exit L1
  e0: L0 -> L1: return
}
func internal odd() {
  locations 3 entry L0 exit L2
  e0: L0 -> L1: call even()
  e1: L1 -> L2: return
}
func internal target() {
}
func internal caller() {
  locations 4 entry L0 exit L3
  e0: L0 -> L1: call [&fn target]()
  e1: L1 -> L2: call odd()
  e2: L2 -> L3: return
}
";
        let mut program = crate::text::parse(base::FileId::from_index(0), text).unwrap();
        let id = |name: &str| program.function(name).unwrap();
        let (main, even, odd, target, caller) = (id("main"), id("even"), id("odd"), id("target"), id("caller"));
        let taken = AddressTaken::new(&program);
        let local = |i| taken.is_taken(main, Var::Local(LocalId::from_index(i)));
        assert_eq!([local(0), local(1), local(2), local(3)], [true, true, false, false]);
        let global = |i| taken.is_taken(main, Var::Global(GlobalId::from_index(i)));
        assert_eq!([global(0), global(1), global(2)], [false, true, false]);
        assert_eq!(taken.functions.iter().filter(|t| **t).count(), 1);

        // even calls odd, now that both exist.
        let body = program.functions[even].body.as_mut().unwrap();
        let extra = body.locations.push(body.locations[body.entry].clone());
        let call = Call { dst: None, callee: Callee::Direct(odd), args: vec![] };
        let mut edge = body.edges[EdgeId::from_index(0)].clone();
        edge.from = extra;
        (edge.to, body.edges[EdgeId::from_index(0)].to) = (edge.to, Some(extra));
        body.edges[EdgeId::from_index(0)].op = Op::Call(call);
        body.edges.push(edge);
        assert_eq!(crate::validate::validate(&program), Ok(()));
        let graph = CallGraph::new(&program);
        assert_eq!(graph.component[even], graph.component[odd]);
        assert!(graph.component[odd] < graph.component[caller] && graph.component[target] < graph.component[caller]);
        assert!(graph.is_recursive(even) && !graph.is_recursive(caller));
        let reach = graph.reachable_from(caller);
        assert!(reach[target] && reach[even] && reach[odd] && !reach[main]);
    }

    #[test]
    fn substitution_replaces_values_but_not_addresses() {
        let program = crate::text::parse(
            base::FileId::from_index(0),
            "model LP64\nentry f\nglobal @g: i32 internal = zero\nfunc external f(x: i32, p: ptr) {\n  \
             locations 2 entry L0 exit L1\n  e0: L0 -> L1: return\n}\n",
        )
        .unwrap();
        let f = program.entry;
        let at = base::Span::new(base::FileId::from_index(0), 0, 0);
        let parse = |text: &str| crate::text::parse_expr(&program, f, text, at).unwrap();
        let e = parse("x + *[p + 4*i64(x)]:i32 == 'x && p != &x");
        let new =
            crate::walk::substitute(&e, &mut |v| (v == Var::Local(LocalId::from_index(0))).then(|| parse("@g * 2")));
        let shown = crate::text::show_expr(&program, f, &new);
        assert_eq!(shown, "((((@g * 2:i32) + *[p + 4*i64((@g * 2:i32))]:i32) == 'x) && (p != &x))");
        let vars = crate::walk::variables(&e);
        assert_eq!(vars, [Var::Local(LocalId::from_index(0)), Var::Local(LocalId::from_index(1))]);
    }
}

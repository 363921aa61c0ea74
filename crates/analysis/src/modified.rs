//! What a function may change: globals, by a fixpoint over the call graph, and its own parameters.
//!
//! Over-approximates: a write through a pointer has no formula anyway ([`crate::Unmodelled`]), so its edge is a target of
//! its own and nothing behind it is reached; a call through a pointer counts as changing every global.

use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::cfg::AddressTaken;
use ir::walk::{Visitor, walk_edge};
use ir::{Base, Call, Callee, Externs, FuncId, GlobalId, LocalId, Op, Place, Program, Var};

/// Which variables the functions of a program may change.
#[derive(Clone, Debug)]
pub struct Modified {
    globals: IndexVec<FuncId, IndexVec<GlobalId, bool>>,
    locals: IndexVec<FuncId, IndexVec<LocalId, bool>>,
}

impl Modified {
    /// Looks through the whole program.
    pub(crate) fn new(program: &Program, taken: &AddressTaken) -> Modified {
        let mut all = Modified {
            globals: program.functions.iter().map(|_| IndexVec::filled(false, program.globals.len())).collect(),
            locals: program.functions.iter().map(|f| IndexVec::filled(false, f.locals.len())).collect(),
        };
        for (id, f) in program.functions.iter_enumerated() {
            for local in f.locals.ids().filter(|&l| taken.is_taken(id, Var::Local(l))) {
                all.locals[id][local] = true;
            }
            let mut written = Written(Vec::new());
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                walk_edge(edge, &mut written);
                all.outside(program, id, &edge.op);
            }
            // Globals whose address is taken may be written through a pointer.
            let pointed = program.globals.ids().map(Var::Global).filter(|&g| f.body.is_some() && taken.is_taken(id, g));
            written.0.extend(pointed);
            for var in written.0 {
                match var {
                    Var::Global(g) => all.globals[id][g] = true,
                    Var::Local(l) => all.locals[id][l] = true,
                }
            }
        }
        all.close_over_calls(program);
        all
    }

    /// What a call leaves to the outside world: a function without body, or one that is not known.
    fn outside(&mut self, program: &Program, func: FuncId, op: &Op) {
        let Op::Call(Call { callee, .. }) = op else { return };
        let any = match callee {
            Callee::Indirect(_) => true,
            Callee::Direct(g) if program.functions[*g].body.is_none() => {
                for (id, g) in program.globals.iter_enumerated() {
                    if program.externs != Externs::Pure && program.known_outside(id) && !g.constant {
                        self.globals[func][id] = true;
                    }
                }
                false
            }
            Callee::Direct(_) => false,
        };
        if any {
            self.globals[func] = IndexVec::filled(true, program.globals.len());
        }
    }

    fn close_over_calls(&mut self, program: &Program) {
        let mut calls: Vec<(FuncId, FuncId)> = Vec::new();
        for (id, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                if let Op::Call(Call { callee: Callee::Direct(g), .. }) = &edge.op {
                    calls.push((id, *g));
                }
            }
        }
        let mut changed = !sabotage::active(Fault::ModifiesNotClosed);
        while std::mem::take(&mut changed) {
            for &(caller, callee) in &calls {
                for g in program.globals.ids() {
                    if self.globals[callee][g] && !self.globals[caller][g] {
                        self.globals[caller][g] = true;
                        changed = true;
                    }
                }
            }
        }
    }

    /// Whether an activation of `func`, with all that it calls, may change the global.
    pub fn global(&self, func: FuncId, global: GlobalId) -> bool {
        self.globals[func][global]
    }

    /// Whether `func` itself may change its local.
    pub fn local(&self, func: FuncId, local: LocalId) -> bool {
        self.locals[func][local]
    }

    /// Whether the value of `var` may differ between the beginning and any later point of an activation of `func`.
    pub fn var(&self, func: FuncId, var: Var) -> bool {
        match var {
            Var::Global(g) => self.global(func, g),
            Var::Local(l) => self.local(func, l),
        }
    }

    /// Which globals an activation of `func`, with all that it calls, may change.
    pub fn globals(&self, func: FuncId) -> &IndexVec<GlobalId, bool> {
        &self.globals[func]
    }

    /// The globals that an activation of `func` may change.
    pub fn globals_of(&self, func: FuncId) -> impl Iterator<Item = GlobalId> + '_ {
        self.globals[func].iter_enumerated().filter(|&(_, &m)| m).map(|(g, _)| g)
    }
}

struct Written(Vec<Var>);

impl Visitor for Written {
    fn write(&mut self, place: &Place) {
        if let Base::Var(v) = place.addr.base {
            self.0.push(v);
        }
    }

    fn result(&mut self, var: Var) {
        self.0.push(var);
    }
}

/// Whether the result's local of `func` is written by `return` alone and never read: then a predicate about it means
/// nothing before the exit.
pub fn result_is_set_by_return_only(program: &Program, func: FuncId) -> bool {
    struct Touches(Var, bool);
    impl Visitor for Touches {
        fn address(&mut self, addr: &ir::Address) {
            self.1 |= matches!(addr.base, Base::Var(v) if v == self.0);
        }
        fn result(&mut self, var: Var) {
            self.1 |= var == self.0;
        }
    }
    let f = &program.functions[func];
    let Some(ret) = f.ret else { return false };
    let mut touches = Touches(Var::Local(ret), ret.index() < f.n_params);
    for edge in f.body.iter().flat_map(|b| &b.edges) {
        walk_edge(edge, &mut touches);
    }
    !touches.1
}

//! The boolean program whose statements are blocks: the predicates' variables, the cut points and the ways between them.
//!
//! For whoever knows no more than its text, such a statement gives all variables behind the block any values; that it reads all before it
//! stands in a `constrain` that always holds. What it really does is in [`super::images`].

use super::{Blocks, End, Key, Start, Tag};
use base::{Id, IndexVec};
use boolprog::{Expr, GlobalId, LocalId, Proc, ProcId, Stmt, StmtId, StmtKind, Var, VarDecl};
use ir::walk::variables;
use ir::{FuncId, Loc, Op, Program};
use predabs::{Abstraction, FunctionMap, Interface, Target, TargetKind};
use rustc_hash::{FxHashMap, FxHashSet};
use vc::{PredId, Predicates, Scope};

/// The variables at the ends of a block.
pub(crate) struct Sides {
    pub(super) before: Vec<(Tag, Var)>,
    pub(super) after: Vec<(Tag, Var)>,
}

/// The boolean program, and what its statements stand for.
pub(crate) struct Skeleton {
    pub(crate) abstraction: Abstraction,
    pub(super) blocks: FxHashMap<(ProcId, StmtId), Key>,
    pub(super) sides: FxHashMap<Key, Sides>,
}

/// The name of the procedure in which every boolean program begins.
const START: &str = "main";

impl Skeleton {
    /// The boolean program of these predicates.
    pub(crate) fn new(
        blocks: &Blocks<'_>,
        predicates: &Predicates,
        options: &predabs::Options,
    ) -> Result<Skeleton, predabs::Error> {
        let analysis = blocks.analysis;
        let program = analysis.program;
        let interfaces = predabs::interfaces(analysis, predicates, options)?;
        let funcs = &analysis.cut_points().functions;
        let mut procs: IndexVec<FuncId, Option<ProcId>> = IndexVec::filled(None, program.functions.len());
        for (i, &f) in funcs.iter().enumerate() {
            procs[f] = Some(ProcId::from_index(i));
        }
        let is_global = |p: &PredId| predicates.get(*p).scope == Scope::Global;
        let globals: IndexVec<GlobalId, PredId> = predicates.ids().filter(is_global).collect();
        let show = |&p: &PredId| VarDecl::new(ir::as_c::show(program, program.entry, &predicates.get(p).expr));
        let is_called = funcs.iter().any(|&f| analysis.call_graph.callees(f).any(|g| g == program.entry));
        let mut skeleton = Skeleton {
            abstraction: Abstraction {
                program: boolprog::Program {
                    globals: globals.iter().map(show).collect(),
                    procs: IndexVec::new(),
                    entry: procs[program.entry].expect("the entry function has a body"),
                },
                globals,
                functions: program.functions.iter().map(|_| None).collect(),
                origins: Vec::new(),
                targets: Vec::new(),
                stats: predabs::Stats::default(),
            },
            blocks: FxHashMap::default(),
            sides: FxHashMap::default(),
        };
        for &func in funcs {
            let begins = func == program.entry && !is_called;
            let writer = Writer::new(blocks, predicates, &interfaces, &procs, &mut skeleton, func, begins);
            writer.write();
        }
        if is_called {
            skeleton.start_by_call(program, &interfaces, procs[program.entry].expect("the entry function has a body"));
        }
        debug_assert_eq!(boolprog::validate(&skeleton.abstraction.program), [], "blocks make a valid boolean program");
        Ok(skeleton)
    }

    /// The form in which the caller of a function reads what it returned.
    pub(super) fn returned(&self, callee: FuncId, pred: PredId) -> Option<&ir::Expr> {
        let map = self.abstraction.functions[callee].as_ref()?;
        map.interface.results.iter().find(|(p, _)| *p == pred).map(|(_, e)| e)
    }

    /// A procedure that starts the program and calls the entry function's procedure, which others call, too.
    fn start_by_call(&mut self, program: &Program, interfaces: &IndexVec<FuncId, Option<Interface>>, callee: ProcId) {
        let interface = interfaces[program.entry].as_ref().expect("the entry function is reachable");
        let globals = self.abstraction.globals.iter_enumerated().map(|(g, &p)| (Tag::Pred(p), Var::Global(g)));
        let mut after: Vec<(Tag, Var)> = globals.collect();
        let mut locals = IndexVec::new();
        let mut args = Vec::new();
        for (i, &p) in interface.formals.iter().enumerate() {
            let local = Var::Local(locals.push(VarDecl::new(format!("argument {i}"))));
            after.push((Tag::Formal(p), local));
            args.push(Expr::Var(local));
        }
        let body = program.body(program.entry);
        let key = Key { func: program.entry, start: Start::Program, end: End::At(body.entry) };
        let proc = self.abstraction.program.procs.next_id();
        let mut stmts = IndexVec::new();
        let at = stmts.push(statement(&[], &after));
        let n = interface.results.len();
        stmts.push(Stmt::new(StmtKind::Call { callee, args, results: vec![None; n] }));
        stmts.push(Stmt::new(StmtKind::Return(Vec::new())));
        self.blocks.insert((proc, at), key);
        self.sides.insert(key, Sides { before: Vec::new(), after });
        let proc = Proc {
            name: START.to_owned(),
            locals,
            n_formals: 0,
            n_returns: 0,
            enforce: None,
            body: stmts,
            labels: Vec::new(),
        };
        self.abstraction.program.entry = self.abstraction.program.procs.push(proc);
    }
}

/// The statement of a block that reads and writes these variables.
fn statement(before: &[(Tag, Var)], after: &[(Tag, Var)]) -> Stmt {
    let read = before.iter().map(|&(_, v)| Expr::Var(v));
    let written: Vec<(Option<Var>, Expr)> = after.iter().map(|&(_, v)| (Some(v), Expr::Nondet)).collect();
    let spoken: Vec<Expr> = read.chain(after.iter().map(|&(_, v)| Expr::Next(v))).collect();
    // It speaks of all of them, and always holds.
    let constrain = spoken.first().cloned().map(|one| Expr::or(spoken.into_iter().chain([Expr::not(one)])));
    let kind = if written.is_empty() { StmtKind::Skip } else { StmtKind::Assign(written) };
    Stmt { constrain, ..Stmt::new(kind) }
}

struct Writer<'a, 'p> {
    blocks: &'a Blocks<'p>,
    predicates: &'a Predicates,
    interfaces: &'a IndexVec<FuncId, Option<Interface>>,
    procs: &'a IndexVec<FuncId, Option<ProcId>>,
    skeleton: &'a mut Skeleton,
    func: FuncId,
    /// The program begins here, and nowhere else is the function called.
    begins: bool,
    /// The predicates in scope that the function has to do with.
    own: Vec<(Tag, Var)>,
    locals: IndexVec<LocalId, (VarDecl, Option<PredId>)>,
    /// Variables for what is passed to callees and what they return.
    passed: Vec<LocalId>,
    returned: Vec<LocalId>,
    stmts: IndexVec<StmtId, Stmt>,
    labels: Vec<(String, StmtId)>,
    /// Jumps to locations, which get their statements later; without a location the run ends.
    jumps: Vec<(StmtId, Option<Loc>)>,
}

impl<'a, 'p> Writer<'a, 'p> {
    fn new(
        blocks: &'a Blocks<'p>,
        predicates: &'a Predicates,
        interfaces: &'a IndexVec<FuncId, Option<Interface>>,
        procs: &'a IndexVec<FuncId, Option<ProcId>>,
        skeleton: &'a mut Skeleton,
        func: FuncId,
        begins: bool,
    ) -> Writer<'a, 'p> {
        let mut writer = Writer {
            blocks,
            predicates,
            interfaces,
            procs,
            skeleton,
            func,
            begins,
            own: Vec::new(),
            locals: IndexVec::new(),
            passed: Vec::new(),
            returned: Vec::new(),
            stmts: IndexVec::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
        };
        writer.declare();
        writer
    }

    fn interface(&self) -> &'a Interface {
        self.interfaces[self.func].as_ref().expect("only functions that are reachable are written")
    }

    /// Formals first, then the other predicates of the function.
    fn declare(&mut self) {
        let program = self.blocks.analysis.program;
        let touched = self.touched();
        for (g, &p) in self.skeleton.abstraction.globals.iter_enumerated() {
            if touched(&self.predicates.get(p).expr) {
                self.own.push((Tag::Pred(p), Var::Global(g)));
            }
        }
        drop(touched);
        let show = |p: PredId| ir::as_c::show(program, self.func, &self.predicates.get(p).expr);
        let mut names: FxHashSet<String> = self.skeleton.abstraction.globals.iter().map(|&p| show(p)).collect();
        let formals = &self.interface().formals;
        let scope = Scope::Function(self.func);
        let others = self.predicates.ids().filter(|&p| self.predicates.get(p).scope == scope && !formals.contains(&p));
        for pred in formals.iter().copied().chain(others) {
            let plain = show(pred);
            let numbered = (2..).map(|n| format!("{plain} #{n}"));
            let name = std::iter::once(plain.clone()).chain(numbered).find(|name| names.insert(name.clone()));
            let local = self.locals.push((VarDecl::new(name.unwrap_or(plain)), Some(pred)));
            self.own.push((Tag::Pred(pred), Var::Local(local)));
        }
    }

    /// Which global predicates the function may change or ask for itself; it carries all others along.
    fn touched(&self) -> Box<dyn Fn(&ir::Expr) -> bool + 'a> {
        let analysis = self.blocks.analysis;
        let func = self.func;
        let mut read: FxHashSet<ir::Var> = FxHashSet::default();
        for edge in &analysis.program.body(func).edges {
            match &edge.op {
                Op::Assume(e) => read.extend(variables(e)),
                Op::Assign(_, e) => read.extend(variables(e)),
                Op::Call(call) => read.extend(call.args.iter().flat_map(variables)),
                _ => {}
            }
        }
        let memory = move |e: &ir::Expr| variables(e).iter().any(|&v| analysis.in_memory(func, v)) || reads_memory(e);
        Box::new(move |e| {
            memory(e) || variables(e).iter().any(|&v| read.contains(&v) || analysis.modified.var(func, v))
        })
    }

    fn write(mut self) {
        let body = self.blocks.analysis.program.body(self.func);
        let graphs = &self.blocks.graphs[&self.func];
        if self.begins {
            self.block(Start::Program, End::At(body.entry), Vec::new(), self.own.clone());
        } else if !self.interface().initial.is_empty() {
            let value = |&(p, b): &(PredId, bool)| (Some(self.variable(p)), Expr::Const(b));
            let values = self.interface().initial.iter().map(value).collect();
            self.stmts.push(Stmt::new(StmtKind::Assign(values)));
        }
        let mut locations = IndexVec::filled(None, body.locations.len());
        let first: Vec<Loc> = std::iter::once(body.entry)
            .chain(graphs.ways.keys().copied().filter(|&l| l != body.entry))
            .chain((body.exit != body.entry).then_some(body.exit))
            .collect();
        for loc in first {
            let here = self.stmts.next_id();
            locations[loc] = Some(here);
            self.labels.push((format!("{loc}"), here));
            if loc == body.exit {
                let results = self.interface().results.iter().map(|&(p, _)| Expr::Var(self.variable(p))).collect();
                self.stmts.push(Stmt::new(StmtKind::Return(results)));
                continue;
            }
            let ways = &graphs.ways[&loc];
            let fork = (ways.len() != 1).then(|| self.stmts.push(Stmt::new(StmtKind::Goto(Vec::new()))));
            let mut starts = Vec::new();
            for &end in ways {
                starts.push(self.stmts.next_id());
                self.way(loc, end);
            }
            match fork {
                Some(fork) if starts.is_empty() => self.jumps.push((fork, None)),
                Some(fork) => self.stmts[fork].kind = StmtKind::Goto(starts),
                None => {}
            }
        }
        let halt = self.stmts.next_id();
        self.stmts.push(Stmt::new(StmtKind::Goto(vec![halt])));
        for (at, to) in std::mem::take(&mut self.jumps) {
            let to = to.map_or(halt, |l| locations[l].expect("a way leads to a cut point"));
            self.stmts[at].kind = StmtKind::Goto(vec![to]);
        }
        self.finish(locations);
    }

    fn finish(self, locations: IndexVec<Loc, Option<StmtId>>) {
        let program = self.blocks.analysis.program;
        let interface = self.interface().clone();
        let name = program.functions[self.func].name.clone();
        let proc = Proc {
            name: if name == START && !self.begins { format!("{START}$0") } else { name },
            n_formals: if self.begins { 0 } else { interface.formals.len() },
            n_returns: interface.results.len(),
            locals: self.locals.iter().map(|(d, _)| d.clone()).collect(),
            enforce: None,
            body: self.stmts,
            labels: self.labels,
        };
        let map = FunctionMap {
            proc: self.procs[self.func].expect("a function that is written has a procedure"),
            interface,
            locals: self.locals.iter().map(|(_, p)| *p).collect(),
            locations,
            edges: IndexVec::filled(None, program.body(self.func).edges.len()),
        };
        self.skeleton.abstraction.program.procs.push(proc);
        self.skeleton.abstraction.functions[self.func] = Some(map);
    }

    fn variable(&self, pred: PredId) -> Var {
        let found = self.own.iter().find(|(tag, _)| *tag == Tag::Pred(pred));
        found.expect("a predicate of the function has a variable").1
    }

    fn block(&mut self, start: Start, end: End, before: Vec<(Tag, Var)>, after: Vec<(Tag, Var)>) {
        let at = self.stmts.push(statement(&before, &after));
        let proc = self.procs[self.func].expect("a function that is written has a procedure");
        let key = Key { func: self.func, start, end };
        self.skeleton.blocks.insert((proc, at), key);
        self.skeleton.sides.insert(key, Sides { before, after });
    }

    fn jump(&mut self, to: Option<Loc>) -> StmtId {
        let at = self.stmts.push(Stmt::new(StmtKind::Goto(Vec::new())));
        self.jumps.push((at, to));
        at
    }

    fn way(&mut self, from: Loc, end: End) {
        let own = self.own.clone();
        match end {
            End::At(to) => {
                self.block(Start::At(from), end, own.clone(), own);
                self.jump(Some(to));
            }
            End::Target(edge) => {
                self.block(Start::At(from), end, own, Vec::new());
                let stmt = self.jump(None);
                let program = self.blocks.analysis.program;
                let kind = match (self.blocks.unmodelled.get(&(self.func, edge)), &program.edge(self.func, edge).op) {
                    (_, Op::Error(_)) => TargetKind::Error,
                    (Some(&why), _) => TargetKind::Unmodelled(why),
                    (None, _) => TargetKind::Unsupported,
                };
                let name = if kind == TargetKind::Error { "ERROR" } else { "UNSUPPORTED" };
                self.labels.push((format!("{name}_{}_from_{from}", edge.index()), stmt));
                let proc = self.procs[self.func].expect("a function that is written has a procedure");
                self.skeleton.abstraction.targets.push(Target { func: self.func, edge, proc, stmt, kind });
            }
            End::Before(call) => {
                let Op::Call(ir::Call { callee: ir::Callee::Direct(callee), .. }) =
                    self.blocks.analysis.program.edge(self.func, call).op
                else {
                    unreachable!("only calls begin functions")
                };
                let called = self.interfaces[callee].as_ref().expect("a function that is called is reachable");
                while self.passed.len() < called.formals.len() {
                    let name = format!("argument {}", self.passed.len());
                    self.passed.push(self.locals.push((VarDecl::new(name), None)));
                }
                while self.returned.len() < called.results.len() {
                    let name = format!("result {}", self.returned.len());
                    self.returned.push(self.locals.push((VarDecl::new(name), None)));
                }
                let locals = |list: &[LocalId]| list.iter().map(|&l| Var::Local(l)).collect::<Vec<_>>();
                let (passed, returned) = (locals(&self.passed), locals(&self.returned));
                let formals: Vec<(Tag, Var)> =
                    called.formals.iter().zip(&passed).map(|(&p, &v)| (Tag::Formal(p), v)).collect();
                let results: Vec<(Tag, Var)> =
                    called.results.iter().zip(&returned).map(|(&(p, _), &v)| (Tag::Returned(p), v)).collect();
                let to = self.blocks.analysis.program.edge(self.func, call).to;
                let args = formals.iter().map(|&(_, v)| Expr::Var(v)).collect();
                let receivers = results.iter().map(|&(_, v)| Some(v)).collect();
                self.block(Start::At(from), end, own.clone(), formals);
                let callee = self.procs[callee].expect("a function that is called has a procedure");
                self.stmts.push(Stmt::new(StmtKind::Call { callee, args, results: receivers }));
                if let Some(to) = to {
                    let before = own.iter().copied().chain(results).collect();
                    self.block(Start::After(call), End::At(to), before, own);
                }
                self.jump(to);
            }
        }
    }
}

/// Whether an expression reads memory through an address that is computed.
fn reads_memory(e: &ir::Expr) -> bool {
    struct Finds(bool);
    impl ir::walk::Visitor for Finds {
        fn read(&mut self, place: &ir::Place) {
            self.0 |= place.as_var().is_none();
        }
    }
    let mut finds = Finds(false);
    ir::walk::walk_expr(e, &mut finds);
    finds.0
}

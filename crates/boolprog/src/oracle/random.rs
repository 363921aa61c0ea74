//! Random boolean programs with everything the language has: recursion, nondeterminism, several return values,
//! `enforce`, `constrain`, `dead`, branches, loops, parallel assignment.

use crate::program::{Expr, GlobalId, LocalId, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var, VarDecl};
use base::rng::Rng;
use base::{Id, IndexVec};

/// Sizes of the programs to make.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Most globals.
    pub globals: u64,
    /// Most procedures besides `main`.
    pub procs: u64,
    /// Most locals per procedure besides formals.
    pub locals: u64,
    /// Most statements per procedure.
    pub stmts: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { globals: 3, procs: 3, locals: 2, stmts: 9 }
    }
}

/// `n` programs of the default shape; equal seeds give equal programs.
pub fn random_programs(seed: u64, n: usize) -> impl Iterator<Item = Program> {
    let mut rng = Rng::new(seed);
    (0..n).map(move |_| random_program(&mut rng, Shape::default()))
}

/// One program. The label `ERR` stands at one statement; assertions stand anywhere. It satisfies
/// [`validate`](crate::validate()).
pub fn random_program(rng: &mut Rng, shape: Shape) -> Program {
    let globals = (0..1 + rng.below(shape.globals))
        .map(|i| VarDecl { name: format!("g{i}"), init: if rng.chance(60) { Some(rng.chance(50)) } else { None } });
    let globals: IndexVec<GlobalId, VarDecl> = globals.collect();
    let n_procs = 1 + rng.below(shape.procs + 1) as usize;
    let mut procs: IndexVec<ProcId, Proc> = IndexVec::new();
    for i in 0..n_procs {
        let n_formals = if i == 0 { 0 } else { rng.below(3) as usize };
        let n_locals = n_formals + rng.below(shape.locals + 1) as usize;
        let locals = (0..n_locals).map(|l| VarDecl {
            name: format!("x{l}"),
            init: if l >= n_formals && rng.chance(20) { Some(rng.chance(50)) } else { None },
        });
        procs.push(Proc {
            name: if i == 0 { "main".to_owned() } else { format!("p{i}") },
            locals: locals.collect(),
            n_formals,
            n_returns: if i == 0 { 0 } else { rng.below(4) as usize },
            enforce: None,
            body: IndexVec::new(),
            labels: Vec::new(),
        });
    }
    let mut program = Program { globals, procs, entry: ProcId::from_index(0) };
    for p in 0..n_procs {
        let id = ProcId::from_index(p);
        let mut g = Gen { rng, program: &program, proc: id, primes: false };
        let (body, enforce) = g.body(2 + shape.stmts);
        program.procs[id].body = body;
        program.procs[id].enforce = enforce;
    }
    // Rather in `main`, so that the label is reached about as often as not.
    let at = ProcId::from_index(if rng.chance(40) { 0 } else { rng.index(n_procs) });
    let stmt = StmtId::from_index(rng.index(program.procs[at].body.len()));
    program.procs[at].labels.push(("ERR".to_owned(), stmt));
    program.label_targets();
    program
}

struct Gen<'a> {
    rng: &'a mut Rng,
    program: &'a Program,
    proc: ProcId,
    primes: bool,
}

impl Gen<'_> {
    fn body(&mut self, max: u64) -> (IndexVec<StmtId, Stmt>, Option<Expr>) {
        let n = 3 + self.rng.index(max as usize);
        let mut body = IndexVec::new();
        for at in 0..n - 1 {
            let kind = self.stmt(at, n);
            let constrain = if self.rng.chance(11) { Some(self.constraint()) } else { None };
            body.push(Stmt { constrain, ..Stmt::new(kind) });
        }
        body.push(Stmt::new(self.return_stmt()));
        let enforce = if self.rng.chance(20) {
            let e = self.expr(2);
            Some(Expr::or([e, self.leaf()]))
        } else {
            None
        };
        (body, enforce)
    }

    fn constraint(&mut self) -> Expr {
        self.primes = true;
        let (a, b, c) = (self.leaf(), self.leaf(), self.expr(1));
        self.primes = false;
        Expr::or([a, b, c])
    }

    fn target(&mut self, at: usize, n: usize) -> StmtId {
        // Mostly forward, sometimes a loop.
        let to = if self.rng.chance(80) { at + 1 + self.rng.index(n - at - 1) } else { self.rng.index(n) };
        StmtId::from_index(to)
    }

    fn stmt(&mut self, at: usize, n: usize) -> StmtKind {
        match self.rng.below(100) {
            0..30 => self.assign(),
            30..50 => {
                let cond = self.expr(2);
                StmtKind::Branch(cond, self.target(at, n), self.target(at, n))
            }
            50..55 => StmtKind::Assume(self.expr(2)),
            55..60 => StmtKind::Assert(self.expr(2)),
            60..65 => {
                let k = 1 + self.rng.index(2);
                StmtKind::Goto((0..k).map(|_| self.target(at, n)).collect())
            }
            65..71 => StmtKind::Dead(vec![self.var()]),
            71..72 => StmtKind::Skip,
            72..73 => self.return_stmt(),
            _ => self.call(),
        }
    }

    fn return_stmt(&mut self) -> StmtKind {
        let n = self.program.procs[self.proc].n_returns;
        StmtKind::Return((0..n).map(|_| self.expr(1)).collect())
    }

    fn assign(&mut self) -> StmtKind {
        let k = 1 + self.rng.index(2);
        let mut pairs: Vec<(Option<Var>, Expr)> = Vec::new();
        for _ in 0..k {
            let v = self.var();
            let target = if self.rng.chance(5) || pairs.iter().any(|(w, _)| *w == Some(v)) { None } else { Some(v) };
            pairs.push((target, self.expr(2)));
        }
        StmtKind::Assign(pairs)
    }

    fn call(&mut self) -> StmtKind {
        // `main` may be called too: then it is recursive.
        let n = self.program.procs.len();
        let callee = if n == 1 || self.rng.chance(4) { 0 } else { 1 + self.rng.index(n - 1) };
        let callee = ProcId::from_index(callee);
        let p = &self.program.procs[callee];
        let args = (0..p.n_formals).map(|_| self.expr(1)).collect();
        let mut results: Vec<Option<Var>> = Vec::new();
        if self.rng.chance(80) {
            for _ in 0..p.n_returns {
                let v = Some(self.var());
                results.push(if self.rng.chance(10) || results.contains(&v) { None } else { v });
            }
        }
        if results.iter().all(Option::is_none) {
            results.clear();
        }
        StmtKind::Call { callee, args, results }
    }

    fn var(&mut self) -> Var {
        let globals = self.program.globals.len();
        let locals = self.program.procs[self.proc].locals.len();
        let i = self.rng.index(globals + locals);
        if i < globals { Var::Global(GlobalId::from_index(i)) } else { Var::Local(LocalId::from_index(i - globals)) }
    }

    fn leaf(&mut self) -> Expr {
        let v = self.var();
        let e = if self.primes && self.rng.chance(60) { Expr::Next(v) } else { Expr::Var(v) };
        if self.rng.chance(50) { Expr::not(e) } else { e }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(35) {
            return match self.rng.below(20) {
                0 | 1 => Expr::Nondet,
                2 | 3 => Expr::Const(self.rng.chance(50)),
                _ => self.leaf(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let pair = (Box::new(a.clone()), Box::new(b.clone()));
        match self.rng.below(14) {
            0..4 => Expr::and([a, b]),
            4..7 => Expr::or([a, b]),
            7 | 8 => Expr::Xor(pair.0, pair.1),
            9 => Expr::Eq(pair.0, pair.1),
            10 => Expr::Implies(pair.0, pair.1),
            11 => Expr::Ite(Box::new(self.expr(depth - 1)), pair.0, pair.1),
            12 => Expr::Choose(pair.0, pair.1),
            _ => Expr::not(a),
        }
    }
}

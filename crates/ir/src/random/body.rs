//! Random bodies: structured statements turned into a graph, with a few wild jumps.

use super::Gen;
use crate::syntax::*;
use base::{Id, IndexVec, Span};

/// A body under construction; `here` is where the next statement begins.
struct Draft {
    func: FuncId,
    body: Body,
    here: Loc,
    span: Span,
}

impl Draft {
    fn loc(&mut self) -> Loc {
        self.body.locations.push(Location { label: None, span: self.span })
    }

    fn edge(&mut self, from: Loc, to: Option<Loc>, guards: Vec<Guard>, op: Op) {
        self.body.edges.push(Edge { from, to, guards, op, span: self.span });
    }

    /// A step from here to a new location.
    fn step(&mut self, guards: Vec<Guard>, op: Op) {
        let next = self.loc();
        self.edge(self.here, Some(next), guards, op);
        self.here = next;
    }
}

impl Gen<'_> {
    pub(super) fn body(&mut self, func: FuncId) -> Body {
        let mut locations = IndexVec::new();
        let entry = locations.push(Location { label: None, span: self.span });
        let exit = locations.push(Location { label: None, span: self.span });
        let body = Body { entry, exit, locations, edges: IndexVec::new() };
        let mut d = Draft { func, body, here: entry, span: self.span };
        d.step(Vec::new(), Op::Skip);
        if self.knobs.memory {
            self.aim_pointers(&mut d);
        }
        self.block(&mut d, self.knobs.statements, 2);
        self.ret(&mut d);
        if self.rng.chance(50) {
            let loc = Loc::from_index(self.rng.index(d.body.locations.len()));
            d.body.locations[loc].label = Some("again\n\"x\"".into());
        }
        if self.knobs.memory {
            self.lifetimes(func, &mut d.body);
        }
        d.body
    }

    /// Lets the local pointers point to objects, so that most accesses go well.
    fn aim_pointers(&mut self, d: &mut Draft) {
        for var in self.vars(d.func, Ty::Ptr) {
            if matches!(var, Var::Local(_)) && self.rng.chance(90) {
                let objects: Vec<Var> = self
                    .memory_vars(d.func)
                    .into_iter()
                    .filter(|&v| self.program.shape(d.func, v).scalar().is_none())
                    .collect();
                let object = *self.rng.pick(&objects);
                d.step(Vec::new(), Op::Assign(Place::var(var, Ty::Ptr), Expr::addr(Address::var(object))));
            }
        }
    }

    fn ret(&mut self, d: &mut Draft) {
        let value = match self.program.functions[d.func].ret_ty() {
            Some(ty) if self.rng.chance(95) => Some(self.expr(d.func, ty, self.knobs.depth)),
            _ => None,
        };
        let exit = d.body.exit;
        d.edge(d.here, Some(exit), Vec::new(), Op::Return(value));
    }

    fn block(&mut self, d: &mut Draft, statements: usize, nest: usize) {
        for _ in 0..statements {
            if self.knobs.dense && self.knobs.memory && self.rng.chance(50) {
                self.memory(d);
                continue;
            }
            match self.rng.below(20) {
                0..=2 if nest > 0 => self.branch(d, nest),
                3..=4 if nest > 0 => self.bounded_loop(d, nest),
                5 if nest > 0 => self.jump(d),
                6 => self.rare(d),
                7..=8 => self.havoc(d),
                9..=11 => self.call(d),
                12..=14 if self.knobs.memory => self.memory(d),
                _ => self.assign(d),
            }
        }
    }

    /// Two assume edges from here; the new locations behind them.
    fn fork(&mut self, d: &mut Draft, cond: Expr) -> (Loc, Loc) {
        let (yes, no) = (d.loc(), d.loc());
        let guards = if self.rng.chance(20) { self.guards_for(d.func, &cond) } else { Vec::new() };
        d.edge(d.here, Some(yes), guards.clone(), Op::Assume(cond.clone()));
        d.edge(d.here, Some(no), guards, Op::Assume(cond.negate()));
        (yes, no)
    }

    fn branch(&mut self, d: &mut Draft, nest: usize) {
        let cond = self.expr(d.func, Ty::Bool, self.knobs.depth);
        let (yes, no) = self.fork(d, cond);
        let join = d.loc();
        for side in [yes, no] {
            d.here = side;
            let n = self.rng.index(3);
            self.block(d, n, nest - 1);
            d.edge(d.here, Some(join), Vec::new(), Op::Skip);
        }
        d.here = join;
    }

    /// A loop that counts a variable up, or tests anything.
    fn bounded_loop(&mut self, d: &mut Draft, nest: usize) {
        let counter = self.vars(d.func, Ty::int(32, true)).into_iter().find(|v| matches!(v, Var::Local(_)));
        let ty = Ty::int(32, true);
        let cond = match counter {
            Some(v) => {
                d.step(Vec::new(), Op::Assign(Place::var(v, ty), Expr::int(ty, 0)));
                Expr::binary(BinOp::Lt, Expr::var(v, ty), Expr::int(ty, i128::from(self.rng.below(6))))
            }
            None => self.expr(d.func, Ty::Bool, self.knobs.depth),
        };
        let head = d.here;
        let (inside, after) = self.fork(d, cond);
        d.here = inside;
        let n = self.rng.index(3);
        self.block(d, n, nest - 1);
        if let Some(v) = counter {
            let sum = Expr::binary(BinOp::Add, Expr::var(v, ty), Expr::int(ty, 1));
            d.step(Vec::new(), Op::Assign(Place::var(v, ty), sum));
        }
        d.edge(d.here, Some(head), Vec::new(), Op::Skip);
        d.here = after;
    }

    /// Sometimes goes to a location that stands anywhere: the graph need not be reducible.
    fn jump(&mut self, d: &mut Draft) {
        let cond = self.expr(d.func, Ty::Bool, self.knobs.depth);
        let (yes, no) = self.fork(d, cond);
        let to = Loc::from_index(2 + self.rng.index(d.body.locations.len() - 2));
        d.edge(yes, Some(to), Vec::new(), Op::Skip);
        d.here = no;
        // Jumping to a location that has not been given an edge yet is fine: `here` and all others get theirs.
    }

    /// An end of the run or of the activation, behind a test.
    fn rare(&mut self, d: &mut Draft) {
        let cond = self.expr(d.func, Ty::Bool, self.knobs.depth);
        let (yes, no) = self.fork(d, cond);
        let op = match self.rng.below(8) {
            0 => Op::Error(ErrorKind::Assert("x > \"0\"".into())),
            1 => Op::Error(ErrorKind::Reached("reach_error".into())),
            2 => Op::Error(ErrorKind::Ub(*self.rng.pick(&Ub::ALL))),
            3 => Op::Halt,
            4 => Op::Unsupported("inline assembly".into()),
            5..=6 => {
                d.here = yes;
                self.ret(d);
                d.here = no;
                return;
            }
            _ => {
                // An assumption alone: the run may stop here without an end.
                let cond = self.expr(d.func, Ty::Bool, 1);
                d.edge(yes, Some(no), Vec::new(), Op::Assume(cond));
                d.here = no;
                return;
            }
        };
        d.edge(yes, None, Vec::new(), op);
        d.here = no;
    }

    /// Guards as `lower` would put them for the operators of `e`.
    fn guards_for(&mut self, func: FuncId, e: &Expr) -> Vec<Guard> {
        let mut guards = Vec::new();
        if let ExprKind::Binary(op, a, b) = &e.kind
            && let Ty::Int(i) = a.ty
        {
            let zero = Expr::int(a.ty, 0);
            match op {
                BinOp::Div | BinOp::Rem => {
                    guards.push(Guard { ub: Ub::DivByZero, cond: Expr::binary(BinOp::Ne, (**b).clone(), zero) });
                    if i.signed {
                        let min = Expr::constant(a.ty, 1 << (i.width - 1));
                        let least = Expr::binary(BinOp::Eq, (**a).clone(), min);
                        let minus = Expr::binary(BinOp::Eq, (**b).clone(), Expr::int(a.ty, -1));
                        let both = Expr::binary(BinOp::And, least, minus);
                        guards.push(Guard { ub: Ub::DivOverflow, cond: both.negate() });
                    }
                }
                BinOp::Shl | BinOp::Shr if i.width > 7 => {
                    let unsigned = Ty::int(i.width, false);
                    let count = Expr::convert(unsigned, (**b).clone());
                    let width = Expr::int(unsigned, i128::from(i.width));
                    guards.push(Guard { ub: Ub::ShiftCount, cond: Expr::binary(BinOp::Lt, count, width) });
                }
                BinOp::Add if i.signed => {
                    let over = Expr::binary(BinOp::AddOverflows, (**a).clone(), (**b).clone());
                    guards.push(Guard { ub: Ub::SignedOverflow, cond: over.negate() });
                }
                _ => {}
            }
        }
        if self.rng.chance(2) {
            let cond = self.expr(func, Ty::Bool, 1);
            guards.push(Guard { ub: *self.rng.pick(&Ub::ALL), cond });
        }
        guards
    }

    /// A scalar variable that may be written, with its type.
    fn target(&mut self, func: FuncId) -> Option<(Var, Ty)> {
        for _ in 0..8 {
            let ty = self.scalar_ty();
            let vars = self.vars(func, ty);
            if !vars.is_empty() {
                return Some((*self.rng.pick(&vars), ty));
            }
        }
        None
    }

    fn assign(&mut self, d: &mut Draft) {
        let Some((var, ty)) = self.target(d.func) else { return d.step(Vec::new(), Op::Skip) };
        let value = self.expr(d.func, ty, self.knobs.depth);
        let guards = self.guards_for(d.func, &value);
        d.step(guards, Op::Assign(Place::var(var, ty), value));
    }

    fn havoc(&mut self, d: &mut Draft) {
        let Some((var, ty)) = self.target(d.func) else { return d.step(Vec::new(), Op::Skip) };
        let source = match self.rng.below(4) {
            0 => Source::Uninit,
            1 => Source::Outside("asm".into()),
            _ => Source::Nondet("__VERIFIER_nondet".into()),
        };
        d.step(Vec::new(), Op::Havoc(HavocDst::Place(Place::var(var, ty)), source));
    }

    fn call(&mut self, d: &mut Draft) {
        let f = FuncId::from_index(self.rng.index(self.program.functions.len()));
        let callee = self.program.functions[f].clone();
        let mut args: Vec<Expr> = callee
            .locals
            .iter()
            .take(callee.n_params)
            .map(|l| self.expr(d.func, l.shape.scalar().expect("parameters are scalars"), 2))
            .collect();
        if callee.variadic && self.rng.chance(50) {
            let ty = self.scalar_ty();
            args.push(self.expr(d.func, ty, 1));
        }
        let dst = callee.ret_ty().and_then(|ty| {
            let vars = self.vars(d.func, ty);
            (!vars.is_empty()).then(|| *self.rng.pick(&vars))
        });
        let through = self.knobs.memory && self.rng.chance(30);
        let callee = if through { Callee::Indirect(Expr::func(f)) } else { Callee::Direct(f) };
        d.step(Vec::new(), Op::Call(Call { dst, callee, args }));
    }

    /// The size of an allocation: often a small constant, else a number that nobody knows, now and then of any size.
    fn allocated(&mut self, func: FuncId) -> Expr {
        let size_ty = self.program.model.size_ty();
        match self.rng.below(10) {
            0..=5 => Expr::int(size_ty, i128::from(self.rng.below(40))),
            6..=8 => {
                let small = Ty::int(8, false);
                let mask = Expr::int(small, *self.rng.pick(&[3, 15, 63]));
                Expr::convert(size_ty, Expr::binary(BinOp::And, self.expr(func, small, 1), mask))
            }
            _ => self.expr(func, size_ty, 1),
        }
    }

    fn memory(&mut self, d: &mut Draft) {
        let size_ty = self.program.model.size_ty();
        let pointer = |g: &mut Self, d: &Draft| {
            let vars = g.vars(d.func, Ty::Ptr);
            Place::var(*g.rng.pick(&vars), Ty::Ptr)
        };
        let small = |g: &mut Self| Expr::int(size_ty, i128::from(g.rng.below(9)));
        let op = match self.rng.below(12) {
            0..=2 => {
                let dst = pointer(self, d);
                let addr = self.address(d.func, 1);
                Op::Assign(dst, Expr::addr(addr))
            }
            3..=4 => {
                let site = self.program.sites.next_id();
                self.program.sites.push(Site { name: format!("{}:{site}", d.func), span: self.span });
                Op::Alloc(Alloc {
                    dst: pointer(self, d),
                    size: self.allocated(d.func),
                    align: 8,
                    zeroed: self.rng.chance(50),
                    may_fail: self.rng.chance(40),
                    stack: self.rng.chance(20),
                    site,
                })
            }
            5 if self.rng.chance(20) => Op::Release(self.expr(d.func, Ty::Ptr, 0)),
            5 => Op::Free(self.expr(d.func, Ty::Ptr, 0)),
            6 => {
                let dst = self.expr(d.func, Ty::Ptr, 1);
                let value = self.expr(d.func, Ty::int(8, false), 1);
                Op::SetRange { dst, value, len: small(self) }
            }
            7 => {
                let dst = self.expr(d.func, Ty::Ptr, 1);
                let src = self.expr(d.func, Ty::Ptr, 1);
                Op::CopyRange { dst, src, len: small(self) }
            }
            8 => {
                let dst = self.expr(d.func, Ty::Ptr, 1);
                let source = match self.rng.below(100) {
                    0..25 => Source::Padding,
                    25..50 => Source::Uninit,
                    _ => Source::Nondet("bytes".into()),
                };
                Op::Havoc(HavocDst::Range { dst, len: small(self) }, source)
            }
            _ => {
                let ty = self.memory_ty();
                let place = self.memory_place(d.func, ty, 1);
                if self.rng.chance(20) {
                    Op::Havoc(HavocDst::Place(place), Source::Uninit)
                } else {
                    Op::Assign(place, self.expr(d.func, ty, self.knobs.depth))
                }
            }
        };
        let guards = match &op {
            Op::Assign(Place { addr: Address { base: Base::Ptr(p), .. }, .. }, _) => vec![
                Guard { ub: Ub::NullDeref, cond: Expr::nonzero((**p).clone()) },
                Guard {
                    ub: Ub::UseAfterFree,
                    cond: Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(ObjectPredicate::Alive, p.clone()) },
                },
            ],
            _ => Vec::new(),
        };
        d.step(guards, op);
    }
}

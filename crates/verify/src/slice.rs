//! What cannot matter is left out first: most of what a driver computes has nothing to do with the order of its calls.
//!
//! A *slice* is the program with the same graphs, in which steps that can neither reach a target, nor write what a step that matters reads,
//! nor choose between such steps, do nothing, and functions without a step that matters are not called. A location chooses if different
//! steps that matter, or ends, come next behind it (the "next observable" of slicing without regard to termination).
//! So every execution is one of the slice, as far as it matters.
//!
//! Nothing here is trusted. A proof of the slice is made one of the program - what is left out claims nothing, and writes what the
//! analysis of the whole program says - and `certify` checks it as such. A path of the slice says how a run chooses where it matters;
//! the bounded engine looks for a run of the program that chooses so.

use crate::abstraction::Loop;
use crate::verdict::{Progress, Settings, Stats, Verdict};
use crate::{bounded, proof};
use analysis::Analysis;
use base::IndexVec;
use certify::{Counterexample, FunctionProof, Node, Proof, ProofKind, check_proof, replay};
use ir::walk::{self, Visitor};
use ir::{Body, Call, Callee, EdgeId, Expr, Externs, FuncId, HavocDst, Loc, LocalId, Op, Path, Place, Program, Var};
use pointsto::RegionId;
use std::collections::BTreeSet;

/// A slice is of use if it keeps at most so many of a hundred steps.
const PERCENT: usize = 80;

/// A slice of a program.
pub(crate) struct Slice<'a> {
    matters: Matters<'a>,
    /// The program without what does not matter.
    pub(crate) program: Program,
}

impl<'a> Slice<'a> {
    /// The slice of a program, if it is of use.
    pub(crate) fn of(analysis: &'a Analysis<'a>) -> Option<Slice<'a>> {
        let matters = Matters::new(analysis).filter(|m| m.steps * 100 <= m.all * PERCENT)?;
        let program = matters.sliced();
        Some(Slice { matters, program })
    }
}

/// The search on a slice, which goes on in each turn.
pub(crate) struct Search<'s> {
    slice: &'s Slice<'s>,
    sliced: &'s Analysis<'s>,
    settings: &'s Settings,
    refinement: Loop<'s>,
}

/// What a turn of the search came to.
pub(crate) enum Found {
    /// A verdict about the whole program.
    Decided(Verdict),
    /// It has to go on.
    Nothing,
    /// Nothing will come of it.
    Over,
}

impl<'s> Search<'s> {
    /// A search that has not begun.
    pub(crate) fn new(slice: &'s Slice<'s>, sliced: &'s Analysis<'s>, settings: &'s Settings) -> Search<'s> {
        let refinement = Loop::new(&settings.abstraction, &settings.predicates);
        Search { slice, sliced, settings, refinement }
    }

    /// Goes on for as much work as a turn has.
    pub(crate) fn go_on(&mut self, work: u64, progress: &mut dyn Progress, stats: &mut Stats) -> Found {
        progress.phase("slice");
        match self.refinement.go_on(self.sliced, work, &mut Hushed(progress), stats) {
            None => Found::Nothing,
            Some(verdict) => self.of_the_program(verdict, progress, stats).map_or(Found::Over, Found::Decided),
        }
    }

    /// What a verdict about the slice says of the program.
    fn of_the_program(&self, verdict: Verdict, progress: &mut dyn Progress, stats: &mut Stats) -> Option<Verdict> {
        let Slice { matters, .. } = self.slice;
        let analysis = matters.analysis;
        match verdict {
            Verdict::Safe(checked) => {
                let proof = of_the_whole(analysis, self.sliced, checked.into_inner())?;
                check_proof(analysis.program, proof, &self.settings.abstraction.certify).ok().map(Verdict::Safe)
            }
            Verdict::Unsafe(cex) => {
                let path = cex.into_inner().path?;
                let guided = matters.guided(&path);
                let guided = Analysis::new(&guided);
                match bounded::search(&guided, &bounded::Limits::quick(), &mut Hushed(progress), stats) {
                    Verdict::Unsafe(run) => {
                        let Counterexample { path, tape } = run.into_inner();
                        replay(analysis.program, Counterexample { path, tape }).ok().map(Verdict::Unsafe)
                    }
                    _ => None,
                }
            }
            Verdict::Unknown(_) => None,
        }
    }
}

/// Says where the search is, and nothing that is about another program.
struct Hushed<'a>(&'a mut dyn Progress);

impl Progress for Hushed<'_> {
    fn phase(&mut self, _: &'static str) {}

    fn reached(&mut self, count: u64) {
        self.0.reached(count);
    }
}

/// A proof of the slice as one of the program. Only invariants can be.
fn of_the_whole(analysis: &Analysis<'_>, sliced: &Analysis<'_>, proof: Proof) -> Option<Proof> {
    let ProofKind::Invariants(functions) = proof.kind else { return None };
    let program = analysis.program;
    let called = sliced.call_graph.reachable_from(sliced.program.entry);
    let mut all = Vec::new();
    for &func in &analysis.cut_points().functions {
        let own = functions.iter().find(|f| f.func == func && called[func]);
        let mut function = match own {
            Some(own) => own.clone(),
            None => {
                let mut nothing = FunctionProof::new(func);
                for loc in proof::cut_points(program.body(func), true) {
                    let yes = nothing.nodes.push(Node::Const(true));
                    nothing.invariants.insert(loc, yes);
                }
                nothing
            }
        };
        function.modifies = analysis.modified.globals_of(func).collect();
        all.push(function);
    }
    let program = certify::text::program_hash(program);
    Some(Proof { program, ub: analysis.program.ub.clone(), kind: ProofKind::Invariants(all) })
}

/// A location outside of `own` from which ways lead to different ones of these first.
fn parting(body: &Body, own: &IndexVec<Loc, bool>) -> Option<Loc> {
    let mut next: IndexVec<Loc, Option<Loc>> = IndexVec::filled(None, body.locations.len());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in body.edges.iter().filter(|e| !own[e.from]) {
            let Some(to) = edge.to else { continue };
            let Some(behind) = (if own[to] { Some(to) } else { next[to] }) else { continue };
            match next[edge.from] {
                None => {
                    next[edge.from] = Some(behind);
                    changed = true;
                }
                Some(known) if known != behind => return Some(edge.from),
                Some(_) => {}
            }
        }
    }
    None
}

/// What matters of a program.
struct Matters<'a> {
    analysis: &'a Analysis<'a>,
    program: &'a Program,
    /// The functions that the entry reaches.
    functions: Vec<FuncId>,
    edges: IndexVec<FuncId, IndexVec<EdgeId, bool>>,
    /// Functions with a step that matters.
    called: IndexVec<FuncId, bool>,
    globals: BTreeSet<ir::GlobalId>,
    locals: BTreeSet<(FuncId, LocalId)>,
    regions: BTreeSet<RegionId>,
    /// Something is read of which nobody knows where it lies.
    lost: bool,
    changed: bool,
    /// Steps that matter, of all.
    steps: usize,
    all: usize,
}

impl<'a> Matters<'a> {
    fn new(analysis: &'a Analysis<'a>) -> Option<Matters<'a>> {
        let program = analysis.program;
        let edges =
            |f: &ir::Function| f.body.as_ref().map_or_else(IndexVec::new, |b| IndexVec::filled(false, b.edges.len()));
        let mut matters = Matters {
            analysis,
            program,
            functions: analysis.cut_points().functions.clone(),
            edges: program.functions.iter().map(edges).collect(),
            called: IndexVec::filled(false, program.functions.len()),
            globals: BTreeSet::new(),
            locals: BTreeSet::new(),
            regions: BTreeSet::new(),
            lost: false,
            changed: true,
            steps: 0,
            all: 0,
        };
        while std::mem::take(&mut matters.changed) {
            for func in matters.functions.clone() {
                matters.round(func);
            }
            if matters.lost {
                return None;
            }
        }
        for &func in &matters.functions {
            matters.all += matters.edges[func].len();
            matters.steps += matters.edges[func].iter().filter(|&&kept| kept).count();
        }
        Some(matters)
    }

    fn round(&mut self, func: FuncId) {
        let body = self.program.body(func);
        for (id, edge) in body.edges.iter_enumerated() {
            if !self.edges[func][id] && self.does_matter(func, &edge.op) {
                self.keep(func, id);
            }
            if let (true, Op::Call(call)) = (self.edges[func][id], &edge.op) {
                self.read_call(func, call);
            }
        }
        let choosing = self.choosing(func, body);
        for (id, edge) in body.edges.iter_enumerated() {
            if choosing[edge.from] && !self.edges[func][id] && matches!(edge.op, Op::Assume(_)) {
                self.keep(func, id);
            }
        }
    }

    /// The locations that choose what comes next of the steps that matter.
    fn choosing(&self, func: FuncId, body: &Body) -> IndexVec<Loc, bool> {
        let nowhere = || IndexVec::filled(false, body.locations.len());
        let (mut own, mut choosing, mut ways) = (nowhere(), nowhere(), IndexVec::filled(0, body.locations.len()));
        own[body.exit] = true;
        for (id, edge) in body.edges.iter_enumerated() {
            own[edge.from] |= self.edges[func][id];
            ways[edge.from] += 1;
        }
        for loc in body.locations.ids() {
            choosing[loc] = own[loc] && ways[loc] > 1;
        }
        while let Some(loc) = parting(body, &own) {
            (own[loc], choosing[loc]) = (true, true);
        }
        choosing
    }

    fn does_matter(&self, func: FuncId, op: &Op) -> bool {
        match op {
            Op::Error(_) | Op::Unsupported(_) | Op::Halt => true,
            Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) => self.is_read(func, place),
            Op::Alloc(alloc) => self.is_read(func, &alloc.dst),
            Op::Havoc(HavocDst::Range { dst, len }, _)
            | Op::SetRange { dst, len, .. }
            | Op::CopyRange { dst, len, .. } => match self.analysis.regions_of_range(func, dst, len) {
                Ok(regions) => regions.iter().any(|r| self.regions.contains(r)),
                Err(_) => true,
            },
            Op::Call(call) => self.call_matters(func, call),
            Op::Return(Some(_)) => {
                self.program.functions[func].ret.is_some_and(|ret| self.locals.contains(&(func, ret)))
            }
            // Where objects end tells only what does not happen.
            Op::Begin(_) | Op::End(_) | Op::Skip | Op::Assume(_) | Op::Free(_) | Op::Release(_) | Op::Return(None) => {
                false
            }
        }
    }

    fn call_matters(&self, func: FuncId, call: &Call) -> bool {
        if call.dst.is_some_and(|dst| self.is_variable_read(func, dst)) {
            return true;
        }
        let Callee::Direct(callee) = call.callee else { return true };
        match self.program.functions[callee].body {
            Some(_) => self.called[callee],
            None if self.program.externs == Externs::Pure => false,
            None => {
                let regions = self.analysis.regions.changed.iter().any(|r| self.regions.contains(r));
                regions || self.globals.iter().any(|&g| self.program.known_outside(g))
            }
        }
    }

    fn is_variable_read(&self, func: FuncId, var: Var) -> bool {
        if self.analysis.in_memory(func, var) {
            let ty = self.program.shape(func, var).scalar();
            return ty.is_none_or(|ty| self.is_region_read(func, &Place::var(var, ty)));
        }
        match var {
            Var::Global(g) => self.globals.contains(&g),
            Var::Local(l) => self.locals.contains(&(func, l)),
        }
    }

    fn is_region_read(&self, func: FuncId, place: &Place) -> bool {
        self.analysis.region(func, place).map_or(true, |r| self.regions.contains(&r))
    }

    /// Whether a step that matters reads the place.
    fn is_read(&self, func: FuncId, place: &Place) -> bool {
        match place.as_var() {
            Some(var) if !self.analysis.in_memory(func, var) => self.is_variable_read(func, var),
            _ => self.is_region_read(func, place),
        }
    }

    /// A step matters, and with it what it reads.
    fn keep(&mut self, func: FuncId, id: EdgeId) {
        self.changed = true;
        self.edges[func][id] = true;
        self.called[func] = true;
        let program = self.program;
        match &program.edge(func, id).op {
            // Looked at in each round.
            Op::Call(_) => {}
            Op::CopyRange { dst, src, len } => {
                self.read_range(func, src, len);
                [dst, src, len].into_iter().for_each(|e| self.read(func, e));
            }
            op => {
                let mut seen = Seen::default();
                walk::walk_op(op, &mut seen);
                seen.places.iter().for_each(|p| self.read_place(func, p));
            }
        }
    }

    /// What a call that matters reads: arguments for parameters that are read, and the result if its place is.
    fn read_call(&mut self, func: FuncId, call: &Call) {
        let program = self.program;
        if let Callee::Indirect(e) = &call.callee {
            self.read(func, e);
        }
        for (i, arg) in call.args.iter().enumerate() {
            let matters = match call.callee {
                Callee::Direct(f) if program.functions[f].body.is_some() => program.functions[f]
                    .params()
                    .nth(i)
                    .is_none_or(|p| self.locals.contains(&(f, p)) || self.analysis.in_memory(f, Var::Local(p))),
                Callee::Direct(_) => program.externs != Externs::Pure,
                Callee::Indirect(_) => true,
            };
            if matters {
                self.read(func, arg);
            }
        }
        if let (Callee::Direct(callee), Some(dst)) = (&call.callee, call.dst)
            && let Some(ret) = program.functions[*callee].ret
            && self.is_variable_read(func, dst)
        {
            self.read_local(*callee, ret);
        }
    }

    fn read(&mut self, func: FuncId, e: &Expr) {
        let mut seen = Seen::default();
        walk::walk_expr(e, &mut seen);
        seen.places.iter().for_each(|p| self.read_place(func, p));
    }

    fn read_range(&mut self, func: FuncId, at: &Expr, len: &Expr) {
        match self.analysis.regions_of_range(func, at, len) {
            Ok(regions) => {
                for r in regions {
                    self.changed |= self.regions.insert(r);
                }
            }
            Err(_) => self.lost = true,
        }
    }

    fn read_place(&mut self, func: FuncId, place: &Place) {
        match place.as_var() {
            Some(var) if !self.analysis.in_memory(func, var) => match var {
                Var::Global(g) => self.changed |= self.globals.insert(g),
                Var::Local(l) => self.read_local(func, l),
            },
            _ => match self.analysis.region(func, place) {
                Ok(r) => self.changed |= self.regions.insert(r),
                Err(_) => self.lost = true,
            },
        }
    }

    fn read_local(&mut self, func: FuncId, local: LocalId) {
        if !self.analysis.in_memory(func, Var::Local(local)) {
            self.changed |= self.locals.insert((func, local));
        } else if let Some(ty) = self.program.functions[func].locals[local].shape.scalar() {
            self.read_place(func, &Place::var(Var::Local(local), ty));
        }
    }

    /// The program without what does not matter.
    fn sliced(&self) -> Program {
        let mut program = self.program.clone();
        for &func in &self.functions {
            let kept = &self.edges[func];
            let Some(body) = &mut program.functions[func].body else { continue };
            for (id, edge) in body.edges.iter_enumerated_mut() {
                edge.guards.retain(|g| kept[id] && self.is_known(func, &g.cond));
                // Results that nobody reads are given all the same, and objects begin and end.
                if !kept[id] && !matches!(edge.op, Op::Return(_) | Op::Begin(_) | Op::End(_)) {
                    edge.op = Op::Skip;
                }
            }
        }
        program
    }

    /// Whether an expression reads nothing but what matters.
    fn is_known(&self, func: FuncId, e: &Expr) -> bool {
        let mut seen = Seen::default();
        walk::walk_expr(e, &mut seen);
        seen.places.iter().all(|p| self.is_read(func, p))
    }

    /// The program in which, where it matters, nothing is chosen but what the path chooses.
    fn guided(&self, path: &Path) -> Program {
        let chosen: BTreeSet<(FuncId, EdgeId)> = path.edges.iter().copied().collect();
        let mut program = self.program.clone();
        for &func in &self.functions {
            let kept = &self.edges[func];
            let Some(body) = &mut program.functions[func].body else { continue };
            for (id, edge) in body.edges.iter_enumerated_mut() {
                if kept[id] && matches!(edge.op, Op::Assume(_)) && !chosen.contains(&(func, id)) {
                    edge.op = Op::Assume(Expr::bool(false));
                }
            }
        }
        program
    }
}

/// The places that are read.
#[derive(Default)]
struct Seen {
    places: Vec<Place>,
}

impl Visitor for Seen {
    fn read(&mut self, place: &Place) {
        self.places.push(place.clone());
    }
}

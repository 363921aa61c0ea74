//! Weakest preconditions over the core of an infeasible path, as predicates that each activation can name.
//!
//! Each activation on the path gets symbols of its own for its locals and entry values; globals have one set. Going
//! back over an edge, the terms that the edge gives to variables replace their symbols; a condition of the core is
//! added where it was assumed. So at each position the formulas say, over the values there, what the rest of the path
//! conjuncts, and the path up to there contradicts them.

use crate::Effort;
use crate::PathAssumption;
use crate::back::{to_equation, to_expr};
use crate::bytes::words;
use crate::forward;
use crate::object_predicates;
use crate::unmodified;
use analysis::Analysis;
use ir::{Address, EdgeId, Expr, FuncId, Op, Place, Shape, Ty, Var};
use logic::{Node, Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use vc::{Encoder, Scope, State};

/// More cases of aliasing than this are not looked at for one position.
const MAX_CASES: usize = 6;

/// More unnamed truth values than this are not looked into for one position.
const MAX_DECIDED: usize = 3;

/// One activation on the path.
struct Activation {
    func: FuncId,
    state: State,
    /// The calling activation and its call edge.
    caller: Option<(usize, EdgeId)>,
    /// Values of callers' variables that this activation can name by the entry value of a parameter.
    foreign: FxHashMap<Symbol, Expr>,
}

/// What happens between two positions of the path.
#[derive(Clone, Debug)]
struct Move {
    edge: EdgeId,
    /// The activation that takes the edge.
    by: usize,
    /// The activation that a call begins.
    enters: Option<usize>,
    /// The activations that end after the edge, innermost first.
    leaves: Vec<usize>,
}

/// Candidates for predicates along the path, first positions first. The path begins in an activation of its first edge's
/// function; `stores` are what is known of values along it, for each position, where it is asked for. What stands behind a step that is
/// not `wanted` is left out; `None` is the beginning of the path.
pub(crate) fn predicates(
    analysis: &Analysis<'_>,
    path: &[(FuncId, EdgeId)],
    core: &[PathAssumption],
    effort: Effort,
    stores: &[forward::PathStore],
    wanted: &dyn Fn(Option<usize>) -> bool,
) -> Vec<(Scope, Expr)> {
    let mut enc = Encoder::for_path(analysis);
    let (activations, moves) = lay_out(&mut enc, path);
    let core: FxHashSet<PathAssumption> = core.iter().copied().collect();
    let mut conjuncts: Vec<Term> = Vec::new();
    let mut found: Vec<Vec<(Scope, Expr)>> = Vec::new();
    for (i, m) in moves.iter().enumerate().rev() {
        let inner = m.leaves.first().copied().or(m.enters).unwrap_or(m.by);
        let at = m.leaves.last().map_or(inner, |&l| activations[l].caller.map_or(l, |(c, _)| c));
        let mut here = Vec::new();
        if i + 1 < moves.len() && wanted(Some(i)) {
            collect(&mut enc, &activations[at], &conjuncts, effort, &mut here);
            if let Some(state) = stores.get(i + 1) {
                forward::collect(&enc.store, &activations[at].state, &conjuncts, state, &mut here);
            }
        }
        let mut given = None;
        for (n, &leaver) in m.leaves.iter().enumerate().rev() {
            if let Some(stores) = stores.get(i + 1) {
                given = result(&enc, &activations, leaver, stores, given.as_ref());
                here.extend(given.clone());
            }
            leave(&mut enc, &activations, leaver, &mut conjuncts);
            if n == 0 || effort > Effort::Backward {
                collect(&mut enc, &activations[leaver], &conjuncts, effort, &mut here);
            }
            collect_kept(&mut enc, &activations[leaver], &conjuncts, &mut here);
        }
        found.push(here);
        if core.iter().any(|&(step, _)| step == i) {
            let here = found.last_mut().expect("it was just added");
            object_predicates::of_edge(&enc, activations[m.by].func, enc.edge(&activations[m.by].state, m.edge), here);
        }
        if step_back(&mut enc, &activations, m, i, &core, &mut conjuncts).is_none() {
            break;
        }
        if i == 0 && wanted(None) {
            let mut here = Vec::new();
            collect(&mut enc, &activations[0], &conjuncts, effort, &mut here);
            found.push(here);
        }
    }
    let mut seen = FxHashSet::default();
    found.into_iter().rev().flatten().filter(|p| seen.insert(p.clone())).collect()
}

/// The activations on the path and its moves.
fn lay_out(enc: &mut Encoder<'_>, path: &[(FuncId, EdgeId)]) -> (Vec<Activation>, Vec<Move>) {
    let program = enc.program;
    let first = path.first().map_or(program.entry, |(f, _)| *f);
    let state = enc.arbitrary(first);
    let mut all = vec![Activation { func: first, state, caller: None, foreign: FxHashMap::default() }];
    let mut current = 0;
    let mut moves = Vec::with_capacity(path.len());
    for &(func, id) in path {
        debug_assert_eq!(func, all[current].func, "the path was checked to fit together");
        let edge = enc.edge(&all[current].state, id);
        let mut m = Move { edge: id, by: current, enters: None, leaves: Vec::new() };
        let mut to = edge.to;
        if let Some(callee) = enc.callee(edge) {
            let state = enc.arbitrary_in(callee, &all[0].state);
            let foreign = foreign_names(enc, &all[current].state, id, &state);
            all.push(Activation { func: callee, state, caller: Some((current, id)), foreign });
            current = all.len() - 1;
            m.enters = Some(current);
            to = Some(program.body(callee).entry);
        }
        while to == Some(program.body(all[current].func).exit) {
            m.leaves.push(current);
            let Some((caller, call)) = all[current].caller else { break };
            current = caller;
            to = enc.edge(&all[caller].state, call).to;
        }
        moves.push(m);
    }
    (all, moves)
}

/// For arguments that are a variable of the caller as it stands, or its address: it can be named in the callee by the entry
/// value of the parameter, because the caller's locals do not change while the callee runs.
fn foreign_names(enc: &mut Encoder<'_>, caller: &State, call: EdgeId, callee: &State) -> FxHashMap<Symbol, Expr> {
    let edge = enc.edge(caller, call);
    let Ok(begin) = enc.callee_state(caller, edge) else { return FxHashMap::default() };
    let function = &enc.program.functions[callee.func()];
    let mut names = FxHashMap::default();
    for p in function.params() {
        let (Some(arg), Shape::Scalar(ty)) = (begin.get(Var::Local(p)), function.locals[p].shape) else { continue };
        let entry = Expr::entry(Expr::var(Var::Local(p), ty));
        let bases = enc.program.functions[caller.func()].locals.ids().filter_map(|l| caller.base(l));
        let known = caller.frame_terms().flatten().chain(bases).find(|&t| t == arg);
        if let Some(symbol) = known.and_then(|t| enc.store.as_symbol(t)) {
            names.entry(symbol).or_insert(entry);
        }
    }
    names
}

/// Replaces symbols in the conjuncts.
fn replace(store: &mut Store, conjuncts: &mut Vec<Term>, by: &FxHashMap<Symbol, Term>) {
    let mut memo = FxHashMap::default();
    for d in conjuncts.iter_mut() {
        *d = store.substitute_memo(*d, by, &mut memo);
    }
    conjuncts.retain(|&d| store.bool_of(d) != Some(true));
    conjuncts.sort_unstable();
    conjuncts.dedup();
}

/// Goes back into an activation that ended: the caller's target is the callee's result.
fn leave(enc: &mut Encoder<'_>, activations: &[Activation], leaver: usize, conjuncts: &mut Vec<Term>) {
    let Some((caller, call)) = activations[leaver].caller else { return };
    let Op::Call(call) = &enc.edge(&activations[caller].state, call).op else { return };
    let result = enc.program.functions[activations[leaver].func].ret;
    if let (Some(dst), Some(result)) = (call.dst, result)
        && let (Some(old), Some(new)) =
            (activations[caller].state.get(dst), activations[leaver].state.get(Var::Local(result)))
        && let Some(symbol) = enc.store.as_symbol(old)
    {
        replace(&mut enc.store, conjuncts, &FxHashMap::from_iter([(symbol, new)]));
    }
}

/// That an activation which ends gives a constant, if the variable that gets it has one in the path store behind the end; `given` says
/// so of the activation that waits for it, if that ends too.
fn result(
    enc: &Encoder<'_>,
    activations: &[Activation],
    leaver: usize,
    stores: &forward::PathStore,
    given: Option<&(Scope, Expr)>,
) -> Option<(Scope, Expr)> {
    let (caller, call) = activations[leaver].caller?;
    let Op::Call(call) = &enc.edge(&activations[caller].state, call).op else { return None };
    let result_of = |func: FuncId| enc.program.functions[func].ret.map(Var::Local);
    let value = match given {
        None => stores.constant(call.dst?),
        Some((_, equal)) if call.dst == result_of(activations[caller].func) => forward::constant_in(equal),
        Some(_) => None,
    }?;
    let func = activations[leaver].func;
    let ty = enc.program.functions[func].ret_ty()?;
    let equal = forward::equals(Expr::var(result_of(func)?, ty), value)?;
    Some((Scope::Function(func), equal))
}

/// Goes back over the edge itself. `None` if it has no formula.
fn step_back(
    enc: &mut Encoder<'_>,
    activations: &[Activation],
    m: &Move,
    index: usize,
    core: &FxHashSet<PathAssumption>,
    conjuncts: &mut Vec<Term>,
) -> Option<()> {
    let before = &activations[m.by].state;
    let edge = enc.edge(before, m.edge);
    let mut after = before.clone();
    let (effects, pairs) = match m.enters {
        Some(callee) => {
            let effects = enc.enter(&mut after, m.edge, edge).ok()?;
            (effects, entry_pairs(enc, before, &activations[callee].state, &after))
        }
        None => {
            let n = enc.n_objects();
            let effects = enc.step(&mut after, edge).ok()?;
            if matches!(edge.op, Op::Alloc(_) | Op::Begin(_)) {
                fresh_for_callers(enc, activations, m.by, n);
            }
            let shared = before.shared().terms().zip(after.shared().terms());
            let own = before.frame_terms().zip(after.frame_terms());
            let mut pairs: Vec<(Term, Term)> = shared.chain(own).filter_map(|(b, a)| b.zip(a)).collect();
            let own = enc.program.functions[before.func()].locals.ids();
            pairs.extend(own.filter_map(|l| before.base(l).zip(after.base(l))));
            (effects, pairs)
        }
    };
    let changed = pairs.into_iter().filter(|(old, new)| old != new);
    let by = changed.filter_map(|(old, new)| enc.store.as_symbol(old).map(|s| (s, new))).collect();
    replace(&mut enc.store, conjuncts, &by);
    let assumed = effects.assumptions.iter().filter(|a| core.contains(&(index, a.id)));
    conjuncts.extend(assumed.map(|a| a.term));
    settle(&mut enc.store, conjuncts);
    Some(())
}

/// What was allocated since there were `n` objects is newer than the values that the callers' locals have meanwhile.
fn fresh_for_callers(enc: &mut Encoder<'_>, activations: &[Activation], by: usize, n: usize) {
    for (_, base) in enc.made_since(n) {
        let mut caller = activations[by].caller;
        while let Some((a, _)) = caller {
            enc.fresh_for_locals(&activations[a].state, base);
            caller = activations[a].caller;
        }
    }
}

/// A symbol that is required, or required to be false, has that value in the other conjuncts.
fn settle(store: &mut Store, conjuncts: &mut Vec<Term>) {
    let literal = |&d: &Term| match store.node(d) {
        Node::Symbol(s) => Some((s, true)),
        Node::Not(a) => store.as_symbol(a).map(|s| (s, false)),
        _ => None,
    };
    let values: Vec<(Symbol, bool)> = conjuncts.iter().filter_map(literal).collect();
    if values.is_empty() {
        return;
    }
    let (literals, mut others): (Vec<Term>, Vec<Term>) = conjuncts.iter().partition(|d| literal(d).is_some());
    let by: FxHashMap<Symbol, Term> = values.into_iter().map(|(s, value)| (s, store.bool(value))).collect();
    replace(store, &mut others, &by);
    others.extend(literals);
    others.sort_unstable();
    *conjuncts = others;
}

/// The callee's symbols (parameters and entry values) with what they are when the activation begins.
fn entry_pairs(enc: &mut Encoder<'_>, before: &State, callee: &State, begin: &State) -> Vec<(Term, Term)> {
    let mut pairs = Vec::new();
    for p in enc.program.functions[callee.func()].params() {
        let value = begin.get(Var::Local(p));
        pairs.extend(callee.get(Var::Local(p)).zip(value));
        pairs.extend(callee.entry_param(p).zip(value));
    }
    let entry = callee.entry_shared().terms().zip(begin.shared().terms());
    pairs.extend(entry.filter_map(|(e, now)| e.zip(now)));
    // Parameters that live in memory are written when the activation begins, at addresses that this one has.
    let written = before.shared().terms().zip(begin.shared().terms());
    pairs.extend(written.filter_map(|(old, new)| old.zip(new)).filter(|(old, new)| old != new));
    let locals = enc.program.functions[callee.func()].locals.ids();
    let bases = locals.filter_map(|l| enc.store.as_symbol(begin.base(l)?).zip(callee.base(l)));
    let bases: FxHashMap<Symbol, Term> = bases.collect();
    if !bases.is_empty() {
        for (_, new) in &mut pairs {
            *new = enc.store.substitute(*new, &bases);
        }
    }
    pairs
}

/// Names of the symbols that an activation can name.
fn names(enc: &Encoder<'_>, a: &Activation) -> FxHashMap<Symbol, Expr> {
    let program = enc.program;
    let function = &program.functions[a.func];
    let mut names = a.foreign.clone();
    let mut add = |term: Option<Term>, shape: Shape, name: &dyn Fn(Ty) -> Expr| {
        if let (Some(symbol), Shape::Scalar(ty)) = (term.and_then(|t| enc.store.as_symbol(t)), shape) {
            names.insert(symbol, name(ty));
        }
    };
    for p in function.params() {
        let shape = function.locals[p].shape;
        add(a.state.entry_param(p), shape, &|ty| Expr::entry(Expr::read(Place::var(Var::Local(p), ty))));
    }
    for (id, g) in program.globals.iter_enumerated() {
        let entry = a.state.entry_shared().vars[id];
        add(entry, g.shape, &|ty| Expr::entry(Expr::var(Var::Global(id), ty)));
        add(a.state.get(Var::Global(id)), g.shape, &|ty| Expr::var(Var::Global(id), ty));
    }
    for (id, l) in function.locals.iter_enumerated() {
        add(a.state.get(Var::Local(id)), l.shape, &|ty| Expr::var(Var::Local(id), ty));
    }
    memory_names(enc, a, &mut names);
    names
}

/// Names of addresses, and the reads that maps stand for ([`to_expr`] puts their addresses in).
fn memory_names(enc: &Encoder<'_>, a: &Activation, names: &mut FxHashMap<Symbol, Expr>) {
    let mut add = |term: Option<Term>, name: Expr| {
        if let Some(symbol) = term.and_then(|t| enc.store.as_symbol(t)) {
            names.insert(symbol, name);
        }
    };
    for l in enc.program.functions[a.func].locals.ids() {
        add(a.state.base(l), Expr::addr(Address::var(Var::Local(l))));
    }
    for (g, base) in enc.known_globals() {
        add(Some(base), Expr::addr(Address::var(Var::Global(g))));
    }
    for (f, base) in enc.known_functions() {
        add(Some(base), Expr::func(f));
    }
    for region in enc.analysis.regions.all.ids() {
        let ty = enc.analysis.value_type(region);
        let place = Place { addr: Address::ptr(Expr::null()), ty, bits: None, label: ir::Label::default() };
        add(a.state.entry_shared().maps[region], Expr::entry(Expr::read(place.clone())));
        add(enc.map(&a.state, region).ok(), Expr::read(place));
    }
}

/// Adds what the conjuncts are made of, as far as the activation can name it.
fn collect(enc: &mut Encoder<'_>, a: &Activation, conjuncts: &[Term], effort: Effort, found: &mut Vec<(Scope, Expr)>) {
    let names = names(enc, a);
    let leaf = |s: Symbol| names.get(&s).cloned();
    let all = atoms(&enc.store, conjuncts);
    let mut all = decided(&mut enc.store, all, effort, &leaf);
    if effort > Effort::Backward {
        let cases = cases(&enc.store, &all);
        all.extend(cases);
    }
    let (words, atoms) = words(&mut enc.store, all);
    for (left, right) in words {
        if let Some(e) = to_equation(&enc.store, left, right, &leaf)
            && enc.analysis.covers(a.func, &e)
        {
            found.push((scope_of(a.func, &e), e));
        }
    }
    for atom in atoms {
        if let Some(e) = to_expr(&enc.store, atom, &leaf)
            && enc.analysis.covers(a.func, &e)
        {
            found.push((scope_of(a.func, &e), e));
        }
    }
    object_predicates::of_conjuncts(enc, &a.state, conjuncts, &leaf, found);
    if effort >= Effort::Unsplit {
        for &d in conjuncts {
            if let Some(e) = to_expr(&enc.store, d, &leaf)
                && enc.analysis.covers(a.func, &e)
            {
                found.push((scope_of(a.func, &e), e));
            }
        }
    }
}

/// Adds what an activation that ends may have left as it was.
fn collect_kept(enc: &mut Encoder<'_>, a: &Activation, conjuncts: &[Term], found: &mut Vec<(Scope, Expr)>) {
    let names = names(enc, a);
    let all = atoms(&enc.store, conjuncts);
    let (words, atoms) = words(&mut enc.store, all);
    let kept = unmodified::candidates(&enc.store, &atoms, &words, &|s| names.get(&s).cloned());
    let kept = kept.into_iter().filter(|e| enc.analysis.covers(a.func, e));
    found.extend(kept.map(|e| (scope_of(a.func, &e), e)));
}

/// The widest scope a predicate of `func` can have.
pub(crate) fn scope_of(func: FuncId, e: &Expr) -> Scope {
    let mut has_entry = false;
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ir::ExprKind::Entry(_) => has_entry = true,
            ir::ExprKind::Unary(_, a) | ir::ExprKind::Convert(a) | ir::ExprKind::ObjectPredicate(_, a) => stack.push(a),
            ir::ExprKind::Binary(_, a, b) => stack.extend([&**a, &**b]),
            ir::ExprKind::Ite(a, b, c) => stack.extend([&**a, &**b, &**c]),
            ir::ExprKind::Read(Place { addr, .. }) | ir::ExprKind::Addr(addr) => {
                if let ir::Base::Ptr(p) = &addr.base {
                    stack.push(p);
                }
                stack.extend(addr.indices.iter().map(|i| &i.value));
            }
            ir::ExprKind::Const(_) | ir::ExprKind::Func(_) => {}
        }
    }
    let globals_only = ir::walk::variables(e).iter().all(|v| matches!(v, Var::Global(_)));
    if globals_only && !has_entry { Scope::Global } else { Scope::Function(func) }
}

/// The same atoms, but for truth values that have no name here: an atom that hangs on one, such as whether an allocation
/// fails, becomes what it is in either case. With more effort also conditions of values count.
fn decided(store: &mut Store, mut all: Vec<Term>, effort: Effort, leaf: &dyn Fn(Symbol) -> Option<Expr>) -> Vec<Term> {
    for _ in 0..MAX_DECIDED {
        let mut unnamed = None;
        store.each_part(&all, |part, node| {
            let condition = match node {
                Node::Symbol(_) if store.sort(part) == logic::Sort::Bool => part,
                Node::Ite(c, ..) if effort > Effort::Backward && store.sort(part) != logic::Sort::Bool => c,
                _ => return,
            };
            if unnamed.is_none_or(|u| condition < u) && to_expr(store, condition, leaf).is_none() {
                unnamed = Some(condition);
            }
        });
        let Some(unnamed) = unnamed else { break };
        let mut next = Vec::new();
        for value in [true, false] {
            let mut memo = FxHashMap::from_iter([(unnamed, store.bool(value))]);
            for &atom in &all {
                let decided = store.substitute_memo(atom, &FxHashMap::default(), &mut memo);
                next.extend(atoms(store, &[decided]));
            }
        }
        let mut seen = FxHashSet::default();
        next.retain(|&t| seen.insert(t));
        all = next;
    }
    all
}

/// The equations of addresses on which values in the atoms hang: the cases of aliasing (PLDI01 §4.2).
fn cases(store: &Store, atoms: &[Term]) -> Vec<Term> {
    let mut cases = Vec::new();
    store.each_part(atoms, |_, node| {
        if let Node::Ite(condition, ..) = node
            && let Node::Eq(a, b) = store.node(condition)
            && store.sort(a) != logic::Sort::Bool
            && store.constant_of(a).is_none()
            && store.constant_of(b).is_none()
            && !cases.contains(&condition)
        {
            cases.push(condition);
        }
    });
    cases.truncate(MAX_CASES);
    cases
}

/// The atoms of boolean terms: what stands under connectives.
fn atoms(store: &Store, terms: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Term> = terms.iter().rev().copied().collect();
    let mut atoms = Vec::new();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match store.node(t) {
            Node::Bool(_) => {}
            Node::Not(a) => stack.push(a),
            Node::And(a, b) => stack.extend([b, a]),
            Node::Ite(c, a, b) => stack.extend([b, a, c]),
            Node::Eq(a, b) if store.sort(a) == logic::Sort::Bool => stack.extend([b, a]),
            _ => atoms.push(t),
        }
    }
    atoms
}

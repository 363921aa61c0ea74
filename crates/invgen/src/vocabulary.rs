//! What invariants may speak about: at each cut point a few quantities - integers, and floating-point numbers - and conditions, and
//! the numbers that stand in the program.
//!
//! A quantity is a variable, or the value a parameter or global had at the entry of the activation where it may have
//! changed since. Those that the loop around the location mentions come first, because that is what its invariants are about.

use crate::Limits;
use crate::thresholds::{Constants, thresholds};
use analysis::{Analysis, Modified};
use base::IndexVec;
use ir::cfg::Graph;
use ir::walk::{Visitor, walk_edge, walk_expr};
use ir::{BinOp, Body, Expr, ExprKind, FloatTy, FuncId, IntTy, Loc, Op, Place, Program, Ty, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// An integer that invariants speak about.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    /// It, as an expression over what the function can name.
    pub(crate) expr: Expr,
    /// Its type.
    pub(crate) ty: IntTy,
}

/// A variable that holds a floating-point number, of binary32 or binary64.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    /// It, as an expression over what the function can name.
    pub(crate) expr: Expr,
    /// Its type.
    pub(crate) ty: FloatTy,
}

/// What invariants at one place speak about.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    pub(crate) quantities: Vec<Quantity>,
    pub(crate) reals: Vec<Real>,
    /// Numbers that may bound them, sorted.
    pub(crate) thresholds: Vec<f64>,
    /// Conditions of the function, over variables only, one polarity.
    pub(crate) conditions: Vec<Expr>,
    /// Numbers that the function compares with or assigns, sorted.
    pub(crate) bounds: Vec<i128>,
    /// Numbers from 2 on that the function multiplies with, divides by or adds, sorted: factors and remainders.
    pub(crate) factors: Vec<i128>,
}

/// The vocabulary of the whole program.
pub(crate) struct Vocabulary {
    pub(crate) at: BTreeMap<(FuncId, Loc), Grammar>,
    /// All numbers that stand in it, sorted.
    pub(crate) constants: Vec<i128>,
    /// The same of floating-point numbers.
    pub(crate) reals: Vec<f64>,
}

/// Conditions that are used at one place.
const MAX_CONDITIONS: usize = 24;
/// The largest number that is used as a factor or remainder.
const MAX_FACTOR: i128 = 64;

impl Vocabulary {
    pub(crate) fn new(analysis: &Analysis<'_>, limits: &Limits) -> Vocabulary {
        let (program, cuts) = (analysis.program, analysis.cut_points());
        let mut at = BTreeMap::new();
        let mut constants = Vec::new();
        let mut reals = Constants::default();
        for &func in &cuts.functions {
            let body = program.body(func);
            let text = Text::read(body);
            constants.extend(text.bounds.iter().copied());
            reals.extend(&text.reals);
            for &loc in cuts.of(func) {
                let place = Chooser { program, func, body, graph: cuts.graph(func), modified: &analysis.modified };
                at.insert((func, loc), place.grammar(&text, loc, limits));
            }
        }
        constants.sort_unstable();
        constants.dedup();
        Vocabulary { at, constants, reals: reals.sorted() }
    }
}

/// What stands in a function.
#[derive(Default)]
struct Text {
    bounds: Vec<i128>,
    factors: Vec<i128>,
    reals: Constants,
    conditions: Vec<Expr>,
}

impl Text {
    fn read(body: &Body) -> Text {
        let mut text = Text::default();
        for edge in &body.edges {
            walk_edge(edge, &mut text);
            if let Op::Assume(cond) = &edge.op {
                text.condition(cond);
            }
        }
        text.bounds.extend([0, 1]);
        for list in [&mut text.bounds, &mut text.factors] {
            list.sort_unstable();
            list.dedup();
        }
        text.factors.retain(|f| (2..=MAX_FACTOR).contains(f));
        text
    }

    /// The atoms of a condition, each in canonical form and so in one polarity.
    fn condition(&mut self, cond: &Expr) {
        let mut todo = vec![cond];
        while let Some(e) = todo.pop() {
            match &e.kind {
                ExprKind::Unary(UnOp::Not, a) if e.ty == Ty::Bool => todo.push(a),
                ExprKind::Binary(BinOp::And | BinOp::Or, a, b) if e.ty == Ty::Bool => todo.extend([&**b, &**a]),
                _ => {
                    let atom = vc::canonical(e).0;
                    if atom.as_const().is_none() && scalars_only(&atom) && !self.conditions.contains(&atom) {
                        self.conditions.push(atom);
                    }
                }
            }
        }
    }
}

impl Visitor for Text {
    fn expr(&mut self, e: &Expr) {
        if let Some(number) = number(e) {
            self.bounds.push(number);
        }
        self.reals.read(e);
        if let ExprKind::Binary(op, a, b) = &e.kind
            && matches!(op, BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Add | BinOp::Sub)
        {
            for side in [a, b] {
                self.factors.extend(number(side).map(i128::abs));
            }
        }
    }
}

/// The integers that invariants speak about are at most this wide: sums of a few fit into an `i128`.
const MAX_WIDTH: u16 = 64;

/// The value of an integer constant.
fn number(e: &Expr) -> Option<i128> {
    match (&e.kind, e.ty) {
        (ExprKind::Const(pattern), Ty::Int(ty)) if ty.width <= MAX_WIDTH => Some(ty.extend(*pattern)),
        _ => None,
    }
}

/// Whether an expression reads whole scalar variables only.
fn scalars_only(e: &Expr) -> bool {
    struct Look(bool);
    impl Visitor for Look {
        fn expr(&mut self, e: &Expr) {
            self.0 &= !matches!(e.kind, ExprKind::Addr(_) | ExprKind::Func(_) | ExprKind::ObjectPredicate(..));
        }

        fn read(&mut self, place: &Place) {
            self.0 &= place.as_var().is_some();
        }
    }
    let mut look = Look(true);
    walk_expr(e, &mut look);
    look.0
}

/// Chooses the words of one place.
struct Chooser<'a> {
    program: &'a Program,
    func: FuncId,
    body: &'a Body,
    graph: &'a Graph,
    modified: &'a Modified,
}

impl Chooser<'_> {
    fn grammar(&self, text: &Text, loc: Loc, limits: &Limits) -> Grammar {
        let round = self.loop_around(loc);
        let mut mentions = Mentions::default();
        for edge in &self.body.edges {
            mentions.weight = if edge.to.is_some_and(|to| round[to]) && round[edge.from] { 100 } else { 1 };
            walk_edge(edge, &mut mentions);
        }
        let mut ranked: Vec<(u64, Quantity)> = Vec::new();
        let mut reals: Vec<(u64, Real)> = Vec::new();
        for (var, name) in self.variables() {
            let ty = self.program.shape(self.func, var).scalar();
            if let Some(Ty::Float(float @ (FloatTy::F32 | FloatTy::F64))) = ty {
                let count = mentions.count.get(&var).copied().unwrap_or(0);
                if count > 0 && self.speaks_of(var, name, loc) {
                    reals.push((count, Real { expr: Expr::var(var, Ty::Float(float)), ty: float }));
                }
            }
            let Some(Ty::Int(ty @ IntTy { width: ..=MAX_WIDTH, .. })) = ty else { continue };
            let returned = u64::from(loc == self.body.exit && self.is_result(var));
            let count = mentions.count.get(&var).copied().unwrap_or(0) + 1_000 * returned;
            if count == 0 || !self.speaks_of(var, name, loc) {
                continue;
            }
            let now = Expr::var(var, Ty::Int(ty));
            if loc != self.body.entry && self.may_differ_from_entry(var, loc, &mentions) {
                ranked.push((count / 2, Quantity { expr: Expr::entry(now.clone()), ty }));
            }
            if !(loc == self.body.exit && matches!(var, Var::Local(_)) && !self.is_result(var)) {
                ranked.push((count, Quantity { expr: now, ty }));
            }
        }
        // Stable, so equal weights stay in the order of declaration.
        ranked.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        ranked.truncate(limits.quantities);
        let quantities = ranked.into_iter().map(|(_, q)| q).collect();
        reals.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        reals.truncate(limits.reals);
        let reals: Vec<Real> = reals.into_iter().map(|(_, r)| r).collect();
        let thresholds = if reals.is_empty() { Vec::new() } else { thresholds(&text.reals, &text.bounds) };
        let nameable = |e: &&Expr| {
            let vars = ir::walk::variables(e);
            vars.iter().all(|&v| self.speaks_of(v, self.program.var_name(self.func, v), loc))
        };
        let conditions = text.conditions.iter().filter(nameable).take(MAX_CONDITIONS).cloned().collect();
        Grammar {
            quantities,
            reals,
            thresholds,
            conditions,
            bounds: text.bounds.clone(),
            factors: text.factors.clone(),
        }
    }

    fn variables(&self) -> impl Iterator<Item = (Var, &str)> {
        let f = &self.program.functions[self.func];
        let locals = f.locals.iter_enumerated().map(|(id, l)| (Var::Local(id), l.name.as_str()));
        let globals = self.program.globals.iter_enumerated().map(|(id, g)| (Var::Global(id), g.name.as_str()));
        locals.chain(globals)
    }

    /// Temporaries live too shortly to be worth a invariant; at the entry only parameters and globals have a value, at the exit
    /// only the result and globals matter.
    fn speaks_of(&self, var: Var, name: &str, loc: Loc) -> bool {
        let Var::Local(local) = var else { return true };
        let is_param = self.program.functions[self.func].params().any(|p| p == local);
        if loc == self.body.entry {
            return is_param;
        }
        if loc == self.body.exit {
            return is_param || self.is_result(var);
        }
        !name.starts_with('$') || self.is_result(var)
    }

    fn is_result(&self, var: Var) -> bool {
        self.program.functions[self.func].ret.map(Var::Local) == Some(var)
    }

    /// Whether the value at entry is worth a word of its own: it may be another than the value now, or the value now is
    /// not spoken of.
    fn may_differ_from_entry(&self, var: Var, loc: Loc, mentions: &Mentions) -> bool {
        match var {
            Var::Global(g) => self.func != self.program.entry && self.modified.global(self.func, g),
            Var::Local(l) => {
                let is_param = self.program.functions[self.func].params().any(|p| p == l);
                is_param && (mentions.written.contains(&var) || loc == self.body.exit)
            }
        }
    }

    /// The locations that `loc` reaches and that reach it.
    fn loop_around(&self, loc: Loc) -> IndexVec<Loc, bool> {
        let n = self.body.locations.len();
        let mut sets = [IndexVec::filled(false, n), IndexVec::filled(false, n)];
        for (set, backwards) in sets.iter_mut().zip([false, true]) {
            let mut todo = vec![loc];
            while let Some(l) = todo.pop() {
                if std::mem::replace(&mut set[l], true) {
                    continue;
                }
                if backwards {
                    todo.extend(self.graph.into[l].iter().map(|&e| self.body.edges[e].from));
                } else {
                    todo.extend(self.graph.out[l].iter().filter_map(|&e| self.body.edges[e].to));
                }
            }
        }
        let [forward, backward] = sets;
        forward.iter_enumerated().map(|(l, &f)| f && backward[l]).collect()
    }
}

/// How often variables are mentioned, and which are written.
#[derive(Default)]
struct Mentions {
    weight: u64,
    count: FxHashMap<Var, u64>,
    written: FxHashSet<Var>,
}

impl Mentions {
    fn mention(&mut self, var: Option<Var>) {
        if let Some(var) = var {
            *self.count.entry(var).or_insert(0) += self.weight;
        }
    }
}

impl Visitor for Mentions {
    fn read(&mut self, place: &Place) {
        self.mention(place.as_var());
    }

    fn write(&mut self, place: &Place) {
        self.mention(place.as_var());
        self.written.extend(place.as_var());
    }

    fn result(&mut self, var: Var) {
        self.mention(Some(var));
        self.written.insert(var);
    }
}

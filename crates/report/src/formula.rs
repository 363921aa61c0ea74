//! A formula of a proof as a person writes it: an irredundant sum of cubes over comparisons in C.
//!
//! The formulas of a proof have the shape of decision diagrams. Here one is rebuilt as a diagram over its atoms, atoms
//! that the reader cannot see are quantified away, and what remains is covered by cubes. Combinations of atoms that
//! cannot be (`x == 1` and `x == 2`) count as "don't care", which makes the cubes short; the solver is asked a limited
//! number of small questions for that. What is shown is therefore equivalent to the formula, or follows from it where
//! atoms were quantified away: showing it never claims more than the proof does.

use analysis::Analysis;
use base::Id;
use bdd::{Bdd, Capacity, Manager, OutOfNodes};
use certify::{FunctionProof, Node, NodeId};
use ir::{Expr, FuncId, Program, Var};
use logic::{Answer, Context, Lit, Term};
use std::cell::Cell;
use std::collections::BTreeMap;
use vc::{Encoder, State, canonical};

/// More cubes than this are not read by anyone.
const MOST_CUBES: usize = 24;

/// The same for a program.
const MOST_CUBES_FOR_MACHINES: usize = 400;

/// Atoms whose pairs are looked at.
const MOST_ATOMS: usize = 20;

/// Conflicts that one small question may cost.
const CONFLICTS: u64 = 300;

/// Diagrams larger than this are not shown.
const CAPACITY: Capacity = Capacity { nodes: 1 << 18, cache: 1 << 14 };

/// What holds somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownInvariant {
    /// One of the cubes: each a list of comparisons that hold together. No cubes: it never comes there.
    Cubes(Vec<Vec<String>>),
    /// More than can be shown.
    TooLarge,
}

impl ShownInvariant {
    /// Whether it says nothing.
    pub fn is_true(&self) -> bool {
        matches!(self, ShownInvariant::Cubes(cubes) if cubes.iter().any(Vec::is_empty))
    }

    /// Whether it says that no execution comes there.
    pub fn is_false(&self) -> bool {
        matches!(self, ShownInvariant::Cubes(cubes) if cubes.is_empty())
    }

    /// The lines of the invariant as C: a cube begins on a line of its own, those behind the first with `||`; a long cube goes
    /// on on further lines, which begin with `&&`.
    pub fn lines(&self) -> Vec<String> {
        let cubes = match self {
            ShownInvariant::TooLarge => return vec!["(more than can be shown)".to_string()],
            ShownInvariant::Cubes(cubes) if cubes.is_empty() => return vec!["false".to_string()],
            ShownInvariant::Cubes(cubes) => cubes,
        };
        let mut lines: Vec<String> = Vec::new();
        for cube in cubes {
            let mut line = if lines.is_empty() { String::new() } else { "|| ".to_string() };
            if cube.is_empty() {
                line += "true";
            }
            for (i, literal) in cube.iter().enumerate() {
                let literal = within(literal, cubes.len() == 1 && cube.len() == 1);
                if i > 0 && line.len() + literal.len() > WIDTH {
                    lines.push(std::mem::replace(&mut line, format!("&& {literal}")));
                } else {
                    line += &format!("{}{literal}", if i > 0 { " && " } else { "" });
                }
            }
            lines.push(line);
        }
        lines
    }
}

/// A longer line is broken.
const WIDTH: usize = 90;

/// A comparison between others: one that binds no tighter than `&&` stands in brackets.
fn within(literal: &str, alone: bool) -> String {
    let loose = [" || ", " ? ", " && "].iter().any(|op| literal.contains(op));
    if loose && !alone { format!("({literal})") } else { literal.to_string() }
}

/// What all formulas of a report share.
pub struct Report<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is known of it.
    pub analysis: &'a Analysis<'a>,
    /// Questions to the solver that may still be asked: a report must not cost the time that the answer took.
    queries: Cell<u64>,
    most_cubes: usize,
}

impl<'a> Report<'a> {
    /// A report on a program.
    pub fn new(analysis: &'a Analysis<'a>) -> Report<'a> {
        Report { program: analysis.program, analysis, queries: Cell::new(MAX_QUERIES), most_cubes: MOST_CUBES }
    }

    /// A report that no person reads: longer formulas are not too large.
    pub fn for_machines(analysis: &'a Analysis<'a>) -> Report<'a> {
        Report { most_cubes: MOST_CUBES_FOR_MACHINES, ..Report::new(analysis) }
    }
}

/// Questions to the solver for one report; what is shown afterwards is right, but longer than it could be.
const MAX_QUERIES: u64 = 4_000;

/// How a formula is looked at.
pub struct View<'a> {
    /// The atoms that the reader knows; others are quantified away.
    pub visible: &'a dyn Fn(&Expr) -> bool,
    /// Execution stands where the activation began: entry values are the values now.
    pub at_entry: bool,
    /// Execution stands where it ends, and a caller reads the formula: it knows the parameters' entry values.
    pub at_exit: bool,
    /// What is known of the state at entry, a formula of the proof: what follows from it is left out.
    pub given: Option<NodeId>,
}

/// The formula `node` of `proof`, as `view` sees it.
pub fn shown_invariant(report: &Report<'_>, proof: &FunctionProof, node: NodeId, view: &View<'_>) -> ShownInvariant {
    let atoms = atoms(report, proof, node, view);
    match cubes(report, proof, node, &atoms, view) {
        Ok(Some(cubes)) => ShownInvariant::Cubes(shown(report.program, proof.func, &atoms, &cubes)),
        Ok(None) | Err(OutOfNodes) => ShownInvariant::TooLarge,
    }
}

/// An atom in canonical form, and whether it or its opposite is meant. What never changes is written in one way, as a value
/// now or, for a parameter where a caller reads it, at entry: so atoms that mean the same are the same, without asking anyone.
fn normal(report: &Report<'_>, func: FuncId, view: &View<'_>, e: &Expr) -> (Expr, bool) {
    let f = &report.program.functions[func];
    let kept = |v: Var| view.at_entry || !report.analysis.modified.var(func, v);
    let is_param = |v: Var| matches!(v, Var::Local(l) if l.index() < f.n_params);
    if !view.at_exit {
        return canonical(&ir::walk::without_entry_of(e, &kept));
    }
    let now = ir::walk::without_entry_of(e, &|v| kept(v) && !is_param(v));
    canonical(&ir::walk::substitute(&now, &mut |v| {
        let ty = report.program.shape(func, v).scalar()?;
        (kept(v) && is_param(v)).then(|| Expr::entry(Expr::var(v, ty)))
    }))
}

/// The atoms under `node` in normal form, in the order in which a diagram of this shape tests them.
fn atoms(report: &Report<'_>, proof: &FunctionProof, node: NodeId, view: &View<'_>) -> Vec<Expr> {
    // Operands have smaller numbers than what uses them: from the top down, each lies below all its users.
    let mut depth: BTreeMap<NodeId, usize> = BTreeMap::from([(node, 0)]);
    for i in (0..=node.index()).rev() {
        let id = NodeId::from_index(i);
        let Some(&d) = depth.get(&id) else { continue };
        for (k, operand) in proof.nodes[id].operands().into_iter().enumerate() {
            // What a choice tests comes before what it chooses from.
            let below = if matches!(proof.nodes[id], Node::Ite(..)) && k == 0 { d } else { d + 1 };
            let known = depth.entry(operand).or_insert(below);
            *known = (*known).max(below);
        }
    }
    let mut found: Vec<(usize, NodeId, Expr)> = Vec::new();
    for (&id, &d) in &depth {
        if let Node::Atom(e) = &proof.nodes[id] {
            found.push((d, id, normal(report, proof.func, view, e).0));
        }
    }
    found.sort_by_key(|(d, id, _)| (*d, *id));
    let mut atoms: Vec<Expr> = Vec::new();
    for (_, _, e) in found {
        if e.as_const().is_none() && !atoms.contains(&e) {
            atoms.push(e);
        }
    }
    atoms
}

type Cubes = Vec<Vec<(usize, bool)>>;

fn cubes(
    report: &Report<'_>,
    proof: &FunctionProof,
    node: NodeId,
    atoms: &[Expr],
    view: &View<'_>,
) -> Result<Option<Cubes>, OutOfNodes> {
    let m = Manager::new(atoms.len(), CAPACITY)?;
    let f = diagram(&m, proof, node, atoms, &|e| normal(report, proof.func, view, e))?;
    let (used, hidden): (Vec<usize>, Vec<usize>) = (0..atoms.len()).partition(|&i| (view.visible)(&atoms[i]));
    let f = m.exists(&f, &m.var_set(hidden)?)?;
    let mut judge = Judge::new(report, proof, atoms, view);
    let impossible = judge.impossible(&m, &used)?;
    let found = m.isop_within(&m.diff(&f, &impossible)?, &m.or(&f, &impossible)?, report.most_cubes)?;
    Ok(found.map(|cubes| judge.simplify(cubes)))
}

/// The formula as a diagram.
fn diagram(
    m: &Manager,
    proof: &FunctionProof,
    node: NodeId,
    atoms: &[Expr],
    normal: &dyn Fn(&Expr) -> (Expr, bool),
) -> Result<Bdd, OutOfNodes> {
    let mut done: Vec<Option<Bdd>> = vec![None; node.index() + 1];
    let mut stack = vec![node];
    while let Some(&id) = stack.last() {
        let open: Vec<NodeId> = proof.nodes[id].operands().into_iter().filter(|o| done[o.index()].is_none()).collect();
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        stack.pop();
        let of = |id: &NodeId| done[id.index()].clone().expect("operands are done first");
        let f = match &proof.nodes[id] {
            Node::Const(b) => m.constant(*b),
            Node::Outer(..) => unreachable!("reports are about one activation"),
            Node::Atom(e) => {
                let (expr, sign) = normal(e);
                match expr.as_const() {
                    Some(c) => m.constant((c != 0) == sign),
                    None => m.literal(atoms.iter().position(|a| *a == expr).expect("every atom is listed"), sign)?,
                }
            }
            Node::Not(a) => m.not(&of(a))?,
            Node::And(list) => list.iter().try_fold(m.top(), |all, a| m.and(&all, &of(a)))?,
            Node::Or(list) => list.iter().try_fold(m.bot(), |all, a| m.or(&all, &of(a)))?,
            Node::Ite(c, a, b) => m.ite(&of(c), &of(a), &of(b))?,
        };
        done[id.index()] = Some(f);
    }
    Ok(done[node.index()].clone().expect("the formula is done"))
}

/// Asks the solver which atoms go together.
struct Judge<'r, 'p> {
    report: &'r Report<'p>,
    enc: Encoder<'p>,
    context: Context,
    /// The meaning of each atom; `None` for one that has no formula.
    terms: Vec<Option<Term>>,
    /// The variables of each atom.
    vars: Vec<Vec<Var>>,
    /// Atoms that speak of entry values.
    of_entry: Vec<bool>,
    /// What is known anyway.
    given: Option<Lit>,
}

impl<'r, 'p> Judge<'r, 'p> {
    fn new(report: &'r Report<'p>, proof: &FunctionProof, atoms: &[Expr], view: &View<'_>) -> Judge<'r, 'p> {
        let program = report.program;
        let mut enc = Encoder::for_proof(report.analysis);
        // What an activation never changes has its entry value: `n` and `'n` are then one.
        let mut state = enc.arbitrary_keeping(proof.func);
        if view.at_entry {
            state = state.begin_here(program.functions[proof.func].n_params);
        }
        let terms: Vec<Option<Term>> = atoms.iter().map(|a| enc.eval(&state, a).ok()).collect();
        let mut context = Context::new();
        let given = view.given.and_then(|node| at_entry(&mut enc, &state, proof, node));
        let given = given.map(|t| context.lit(&enc.store, t));
        let of_entry = atoms.iter().map(|a| ir::walk::variables(a).len() > read_now(a).len()).collect();
        let vars = atoms.iter().map(ir::walk::variables).collect();
        Judge { report, enc, context, terms, vars, of_entry, given }
    }

    fn lit(&mut self, (atom, value): (usize, bool)) -> Option<Lit> {
        let term = self.terms[atom]?;
        let lit = self.context.lit(&self.enc.store, term);
        Some(if value { lit } else { !lit })
    }

    /// Whether the literals, what is known anyway and `also` exclude each other.
    fn cannot_be(&mut self, cube: &[(usize, bool)], also: Option<Lit>) -> bool {
        let Some(mut lits) = cube.iter().map(|&l| self.lit(l)).collect::<Option<Vec<_>>>() else { return false };
        lits.extend(self.given);
        lits.extend(also);
        let Some(left) = self.report.queries.get().checked_sub(1) else { return false };
        self.report.queries.set(left);
        matches!(self.context.check(&self.enc.store, &lits, CONFLICTS), Answer::Unsat(_))
    }

    /// Pairs of atoms that exclude each other; they have a variable in common.
    fn impossible(&mut self, m: &Manager, used: &[usize]) -> Result<Bdd, OutOfNodes> {
        let mut all = m.bot();
        let used = &used[..used.len().min(MOST_ATOMS)];
        for (i, &a) in used.iter().enumerate() {
            for &b in &used[..i] {
                if !self.vars[a].iter().any(|v| self.vars[b].contains(v)) {
                    continue;
                }
                for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                    if self.cannot_be(&[(a, x), (b, y)], None) {
                        all = m.or(&all, &m.cube([(a, x), (b, y)])?)?;
                    }
                }
            }
        }
        Ok(all)
    }

    /// Leaves out literals and cubes as long as the disjunction means the same.
    fn simplify(&mut self, mut cubes: Cubes) -> Cubes {
        cubes.retain(|c| !self.cannot_be(c, None));
        let Some(whole) = self.disjunction(&cubes, None) else { return cubes };
        let outside = self.context.lit(&self.enc.store, whole);
        for cube in &mut cubes {
            // Entry values go first: they are harder to read.
            let mut order: Vec<(usize, bool)> = cube.clone();
            order.sort_by_key(|&(atom, _)| (!self.of_entry[atom], std::cmp::Reverse(atom)));
            for literal in order {
                let shorter: Vec<_> = cube.iter().copied().filter(|&l| l != literal).collect();
                if self.cannot_be(&shorter, Some(!outside)) {
                    *cube = shorter;
                }
            }
        }
        cubes.sort_by_key(|c| (c.len(), c.clone()));
        cubes.dedup();
        for i in (0..cubes.len()).rev() {
            if let Some(others) = self.disjunction(&cubes, Some(i)) {
                let others = self.context.lit(&self.enc.store, others);
                if self.cannot_be(&cubes[i].clone(), Some(!others)) {
                    cubes.remove(i);
                }
            }
        }
        cubes
    }

    /// The meaning of the cubes, but for one.
    fn disjunction(&mut self, cubes: &Cubes, without: Option<usize>) -> Option<Term> {
        let mut all = self.enc.store.bool(false);
        for (_, cube) in cubes.iter().enumerate().filter(|(i, _)| Some(*i) != without) {
            let mut product = self.enc.store.bool(true);
            for &(atom, value) in cube {
                let term = self.terms[atom]?;
                let literal = if value { term } else { self.enc.store.not(term) };
                product = self.enc.store.and(product, literal);
            }
            all = self.enc.store.or(all, product);
        }
        Some(all)
    }
}

/// The variables that an expression reads now, not at entry.
pub fn read_now(e: &Expr) -> Vec<Var> {
    let mut vars = Vec::new();
    let _ = ir::walk::substitute(e, &mut |v| {
        vars.push(v);
        None
    });
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The formula `node`, which holds when an activation begins, said of the state in which this activation began.
fn at_entry(enc: &mut Encoder<'_>, state: &State, proof: &FunctionProof, node: NodeId) -> Option<Term> {
    let mut needed = vec![false; node.index() + 1];
    needed[node.index()] = true;
    // Operands have smaller numbers than what uses them: from the top down, then from the bottom up.
    for i in (0..=node.index()).rev() {
        if needed[i] {
            proof.nodes[NodeId::from_index(i)].operands().iter().for_each(|o| needed[o.index()] = true);
        }
    }
    let mut done: Vec<Option<Term>> = Vec::with_capacity(node.index() + 1);
    for id in (0..=node.index()).map(NodeId::from_index) {
        if !needed[id.index()] {
            done.push(None);
            continue;
        }
        let of = |done: &Vec<Option<Term>>, id: &NodeId| done[id.index()];
        let term = match &proof.nodes[id] {
            Node::Const(b) => Some(enc.store.bool(*b)),
            Node::Outer(..) => None,
            Node::Atom(e) => {
                let flat = ir::walk::without_entry(e);
                let n_params = enc.program.functions[proof.func].n_params;
                let at_entry =
                    |v: &Var| matches!(v, Var::Global(_)) || matches!(v, Var::Local(l) if l.index() < n_params);
                if flat.as_const().is_some() {
                    enc.eval(state, &flat).ok()
                } else if ir::walk::variables(&flat).iter().all(at_entry) {
                    enc.eval(state, &Expr::entry(flat)).ok()
                } else {
                    // Locals have no value yet: the formula holds for some.
                    Some(enc.fresh("unknown", ir::Ty::Bool))
                }
            }
            Node::Not(a) => of(&done, a).map(|t| enc.store.not(t)),
            Node::And(list) => {
                let terms: Option<Vec<Term>> = list.iter().map(|a| of(&done, a)).collect();
                terms.map(|terms| enc.store.and_all(terms))
            }
            Node::Or(list) => {
                let terms: Option<Vec<Term>> = list.iter().map(|a| of(&done, a)).collect();
                terms.map(|terms| enc.store.or_all(terms))
            }
            Node::Ite(c, a, b) => match (of(&done, c), of(&done, a), of(&done, b)) {
                (Some(c), Some(a), Some(b)) => Some(enc.store.ite(c, a, b)),
                _ => None,
            },
        };
        done.push(term);
    }
    done[node.index()]
}

/// The cubes in C; short ones first.
fn shown(program: &Program, func: FuncId, atoms: &[Expr], cubes: &Cubes) -> Vec<Vec<String>> {
    let literal = |&(atom, value): &(usize, bool)| {
        let e = atoms[atom].clone();
        ir::as_c::show(program, func, &if value { e } else { e.negate() })
    };
    let mut lines: Vec<Vec<String>> = cubes
        .iter()
        .map(|cube| {
            let mut line: Vec<String> = cube.iter().map(literal).collect();
            line.sort();
            line
        })
        .collect();
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;
    use ir::{BinOp, IntTy, Ty};

    const PROGRAM: &str = "model LP64\nentry f\nglobal @g: i8 external = zero\nfunc external f(n: i8, k: i8) {\n  \
                           local x: i8\n  locations 3 entry L0 exit L2\n  e0: L0 -> L1: x := n\n  e1: L1 -> L2: n := k\n}\n";

    /// A comparison of small numbers, some of them at entry.
    fn atom(rng: &mut Rng, program: &Program) -> Expr {
        let ty = Ty::Int(IntTy { width: 8, signed: true });
        let var = |name: &str| {
            let func = program.entry;
            let locals = program.functions[func].locals.iter_enumerated();
            let local = locals.filter(|(_, l)| l.name == name).map(|(id, _)| Var::Local(id)).next();
            Expr::var(local.unwrap_or(Var::Global(base::Id::from_index(0))), ty)
        };
        let side = |rng: &mut Rng| match rng.index(6) {
            0 => Expr::entry(var("n")),
            1 => Expr::entry(var("g")),
            2 => var(["n", "k"][rng.index(2)]),
            3 => var("x"),
            4 => var("g"),
            _ => Expr::int(ty, rng.index(4) as i128 - 1),
        };
        let op = [BinOp::Eq, BinOp::Lt, BinOp::Le, BinOp::Ne][rng.index(4)];
        let (a, b) = (side(rng), side(rng));
        Expr::binary(op, a, b)
    }

    fn formula(rng: &mut Rng, program: &Program) -> FunctionProof {
        let mut proof = FunctionProof::new(program.entry);
        let atoms: Vec<Expr> = (0..5).map(|_| atom(rng, program)).collect();
        for _ in 0..14 {
            let n = proof.nodes.len();
            let any = |rng: &mut Rng| NodeId::from_index(rng.index(n));
            let node = match rng.index(if n == 0 { 1 } else { 6 }) {
                0 | 1 => Node::Atom(rng.pick(&atoms).clone()),
                2 => Node::Not(any(rng)),
                3 => Node::And(vec![any(rng), any(rng)]),
                4 => Node::Or(vec![any(rng), any(rng)]),
                _ => Node::Ite(any(rng), any(rng), any(rng)),
            };
            proof.nodes.push(node);
        }
        proof
    }

    /// The term of a formula in a state.
    fn term(enc: &mut Encoder<'_>, state: &State, proof: &FunctionProof, node: NodeId) -> Term {
        match proof.nodes[node].clone() {
            Node::Const(b) => enc.store.bool(b),
            Node::Outer(..) => unreachable!("random formulas are about one activation"),
            Node::Atom(e) => enc.eval(state, &e).unwrap(),
            Node::Not(a) => {
                let t = term(enc, state, proof, a);
                enc.store.not(t)
            }
            Node::And(list) => {
                let all: Vec<Term> = list.iter().map(|a| term(enc, state, proof, *a)).collect();
                enc.store.and_all(all)
            }
            Node::Or(list) => {
                let all: Vec<Term> = list.iter().map(|a| term(enc, state, proof, *a)).collect();
                enc.store.or_all(all)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (term(enc, state, proof, c), term(enc, state, proof, a), term(enc, state, proof, b));
                enc.store.ite(c, a, b)
            }
        }
    }

    /// What is shown is the formula, given what is known; with atoms hidden, it follows from the formula.
    #[test]
    fn what_is_shown_is_what_is_claimed() {
        let program = ir::text::parse(base::Id::from_index(0), PROGRAM).unwrap_or_else(|d| panic!("{d:?}"));
        let analysis = Analysis::new(&program);
        let (mut short, mut weaker) = (0, 0);
        for seed in 0..300 {
            let rng = &mut Rng::new(seed);
            let proof = formula(rng, &program);
            let node = NodeId::from_index(proof.nodes.len() - 1);
            let given = rng.chance(40).then(|| NodeId::from_index(rng.index(proof.nodes.len())));
            let hides = rng.chance(30);
            let visible = |e: &Expr| !hides || read_now(e).len() < 2;
            let view = View { visible: &visible, at_entry: rng.chance(20), at_exit: rng.chance(30), given };
            let report = Report::new(&analysis);
            let atoms = atoms(&report, &proof, node, &view);
            let Ok(Some(cubes)) = cubes(&report, &proof, node, &atoms, &view) else { panic!("it is small") };
            let mut enc = Encoder::for_proof(&analysis);
            let mut state = enc.arbitrary_keeping(program.entry);
            if view.at_entry {
                state = state.begin_here(2);
            }
            let claimed = term(&mut enc, &state, &proof, node);
            let known = match given {
                Some(g) => at_entry(&mut enc, &state, &proof, g).unwrap(),
                None => enc.store.bool(true),
            };
            let mut again = enc.store.bool(false);
            for cube in &cubes {
                let mut all = enc.store.bool(true);
                for &(a, value) in cube {
                    let t = enc.eval(&state, &atoms[a]).unwrap();
                    let t = if value { t } else { enc.store.not(t) };
                    all = enc.store.and(all, t);
                }
                again = enc.store.or(again, all);
            }
            let follows = enc.store.implies(claimed, again);
            assert!(logic::check_valid(&enc.store, &[known], follows, 100_000).is_unsat(), "seed {seed}: {cubes:?}");
            let back = enc.store.implies(again, claimed);
            let same = logic::check_valid(&enc.store, &[known], back, 100_000).is_unsat();
            let hidden = atoms.iter().any(|a| !visible(a));
            assert!(same || hidden, "seed {seed}: {cubes:?}");
            weaker += u32::from(!same);
            short += u32::from(cubes.len() <= 1);
        }
        assert!(weaker > 5 && short > 50, "{weaker} {short}");
    }

    #[test]
    fn long_cubes_are_broken() {
        let cube = |n: usize| (0..n).map(|i| format!("variable_{i} == {i}")).collect::<Vec<_>>();
        let shown_invariant = ShownInvariant::Cubes(vec![cube(2), cube(7)]);
        let lines = shown_invariant.lines();
        assert_eq!(lines[0], "variable_0 == 0 && variable_1 == 1");
        assert!(lines[1].starts_with("|| variable_0 == 0 && ") && lines[2].starts_with("&& "), "{lines:?}");
        assert!(lines.iter().all(|l| l.len() <= WIDTH + 25));
        assert_eq!(ShownInvariant::Cubes(vec![vec!["a || b".into(), "c".into()]]).lines(), ["(a || b) && c"]);
        assert_eq!(ShownInvariant::Cubes(vec![vec!["a || b".into()]]).lines(), ["a || b"]);
        assert!(ShownInvariant::Cubes(Vec::new()).is_false() && ShownInvariant::Cubes(vec![Vec::new()]).is_true());
    }
}

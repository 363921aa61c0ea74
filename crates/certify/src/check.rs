//! Whether a proof holds. The rules, each checked in fresh solver contexts:
//!
//! 1. *Start*: the initial state satisfies the invariant at the entry of the entry function.
//! 2. *Step*: from each cut point, every loop-free way to the next cut point leads from its invariant to that one's.
//!    Every cycle meets a cut point.
//! 3. *Call*: the state at a call satisfies the callee's invariant at its entry, with parameters for arguments. (After the
//!    call, the callee's invariant at its exit may be assumed, its entry state being the state at the call; what is
//!    outside its `modifies` set is unchanged, and so are the caller's locals.)
//! 4. *Target*: no edge that breaks the property, and none that is unsupported, can be crossed.
//! 5. *Modifies*: the `modifies` sets cover each write and each callee.
//! 6. *Memory*: the analysis of pointers and the regions that the formulas build on are closed under every operation.
//!
//! A proof of the kind *unwinding* follows rule 7 instead of 1 to 5 ([`crate::unwinding`]).
//! A proof of the kind `run` is checked by running the program again (rule *Run*).
//!
//! Why this is enough: by induction over the steps of an execution, whenever an activation of `f` stands at a cut point
//! its state and the state it began in satisfy the invariant there (1 for the first activation, 3 for others, 2 for the
//! next cut point, 3's assumption by induction on the callee's shorter run); so by 4 no target is crossed.

use crate::Checked;
use crate::modifies::uncovered;
use crate::proof::{FunctionProof, Node, NodeId, ProgramHash, Proof, ProofKind};
use crate::text::program_hash;
use analysis::Analysis;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::{EdgeId, FuncId, Loc, Op, Program};
use logic::{Answer, Term};
use std::collections::BTreeMap;
use vc::block::{At, BlockError, Visitor, explore};
use vc::{Encoder, State, Unmodelled};

/// The rules a proof must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The proof is about another program, or its table of undefined behaviour is not the program's.
    Program,
    /// Rule 1.
    Start,
    /// Rule 2.
    Step,
    /// Rule 3.
    Call,
    /// Rule 4.
    Target,
    /// Rule 5.
    Modifies,
    /// Rule 6.
    Memory,
    /// Rule 7.
    Unwinding,
    /// The run is not as claimed.
    Run,
}

impl Rule {
    /// The number the documentation gives it.
    pub fn number(self) -> Option<u32> {
        match self {
            Rule::Program | Rule::Run => None,
            Rule::Start => Some(1),
            Rule::Step => Some(2),
            Rule::Call => Some(3),
            Rule::Target => Some(4),
            Rule::Modifies => Some(5),
            Rule::Memory => Some(6),
            Rule::Unwinding => Some(7),
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Rule::Program => "program",
            Rule::Start => "start",
            Rule::Step => "step",
            Rule::Call => "call",
            Rule::Target => "target",
            Rule::Modifies => "modifies",
            Rule::Memory => "memory",
            Rule::Unwinding => "unwinding",
            Rule::Run => "run",
        };
        match self.number() {
            Some(n) => write!(f, "rule {n} ({name})"),
            None => write!(f, "rule {name}"),
        }
    }
}

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The rule it fails.
    pub rule: Rule,
    /// The function and edge where it fails, if the rule is about one.
    pub at: Option<(FuncId, EdgeId)>,
    /// What fails, as a sentence without a final stop.
    pub reason: String,
    /// Set if the checker could not decide rather than found the claim false.
    pub undecided: bool,
}

/// Limits of checking, counted so that the answer is the same everywhere.
#[derive(Clone, Debug)]
pub struct CheckLimits {
    /// Solver conflicts for each obligation.
    pub conflicts: u64,
    /// Solver variables of each obligation.
    pub variables: u64,
}

impl Default for CheckLimits {
    fn default() -> CheckLimits {
        CheckLimits { conflicts: 2_000_000, variables: u64::MAX }
    }
}

/// Checks a proof. `Err` names the first rule that fails.
pub fn check_proof(program: &Program, proof: Proof, limits: &CheckLimits) -> Result<Checked<Proof>, Rejection> {
    let reject = |rule, reason: String| Err(Rejection { rule, at: None, reason, undecided: false });
    let hash: ProgramHash = program_hash(program);
    if proof.program != hash {
        return reject(Rule::Program, format!("the proof is about program {}, not {hash}", proof.program));
    }
    if proof.ub != program.ub {
        return reject(Rule::Program, "the proof's table of undefined behaviour is not the program's".into());
    }
    if let Err(violations) = ir::validate::validate(program) {
        return reject(Rule::Program, format!("the program is not well formed: {}", violations[0]));
    }
    match &proof.kind {
        ProofKind::Invariants(functions) => check_invariants(program, functions, limits)?,
        ProofKind::Unwinding(unwinding) => {
            let analysis = Analysis::new(program);
            check_analysis(&analysis)?;
            crate::unwinding::check(&analysis, unwinding, limits)?;
        }
        ProofKind::Run { steps } => crate::replay::check_run(program, *steps)?,
    }
    Ok(Checked::new(proof))
}

fn check_invariants(program: &Program, functions: &[FunctionProof], limits: &CheckLimits) -> Result<(), Rejection> {
    let analysis = Analysis::new(program);
    let checker = Checker::new(&analysis, functions, limits)?;
    for f in functions {
        if let Some(u) = uncovered(program, f, |callee| checker.by_func.get(&callee).map(|p| &p.modifies)) {
            let global = &program.globals[u.global].name;
            let through = u.callee.map_or(String::new(), |c| format!(" through {}", program.functions[c].name));
            let func = &program.functions[f.func].name;
            let reason = format!("{func} writes {global}{through}, which its modifies set leaves out");
            return Err(Rejection { rule: Rule::Modifies, at: Some((f.func, u.edge)), reason, undecided: false });
        }
    }
    check_analysis(&analysis)?;
    checker.check_start()?;
    for f in functions {
        for &loc in f.invariants.keys() {
            checker.check_block(f, loc)?;
        }
    }
    Ok(())
}

/// Rule 6.
fn check_analysis(analysis: &Analysis<'_>) -> Result<(), Rejection> {
    let checked = crate::memory::check(analysis).and_then(|()| crate::footprint::check(analysis));
    checked.map_err(|reason| Rejection { rule: Rule::Memory, at: None, reason, undecided: false })
}

struct Checker<'a> {
    program: &'a Program,
    analysis: &'a Analysis<'a>,
    by_func: BTreeMap<FuncId, &'a FunctionProof>,
    limits: &'a CheckLimits,
}

impl<'a> Checker<'a> {
    fn new(
        analysis: &'a Analysis<'a>,
        functions: &'a [FunctionProof],
        limits: &'a CheckLimits,
    ) -> Result<Self, Rejection> {
        let program = analysis.program;
        let mut by_func = BTreeMap::new();
        for f in functions {
            well_formed(program, f, &[])?;
            if by_func.insert(f.func, f).is_some() {
                let reason = format!("{} is proved twice", program.functions[f.func].name);
                return Err(Rejection { rule: Rule::Program, at: None, reason, undecided: false });
            }
        }
        Ok(Checker { program, analysis, by_func, limits })
    }

    /// What is claimed at `loc` of `func`, in `state`; false where nothing is.
    fn invariant(&self, enc: &mut Encoder<'_>, func: FuncId, loc: Loc, state: &State) -> Result<Term, Unmodelled> {
        let claim = self.by_func.get(&func).and_then(|f| f.invariants.get(&loc).map(|&node| (*f, node)));
        match claim {
            Some((f, node)) => formula(enc, &f.nodes, node, state),
            None => Ok(enc.store.bool(false)),
        }
    }

    fn check_start(&self) -> Result<(), Rejection> {
        let mut enc = Encoder::for_proof(self.analysis);
        let (state, _) = enc.initial();
        let main = self.program.entry;
        let entry = self.program.body(main).entry;
        let state = state.begin_here(self.program.functions[main].n_params);
        let goal = self.invariant(&mut enc, main, entry, &state).map_err(|u| Rejection {
            rule: Rule::Start,
            at: None,
            reason: u.to_string(),
            undecided: true,
        })?;
        let hypothesis = enc.store.bool(true);
        let name = &self.program.functions[main].name;
        let what = || format!("the initial state does not satisfy the invariant at the entry of {name}");
        self.obligation(&mut enc, Rule::Start, None, hypothesis, goal, &what)
    }

    fn check_block(&self, f: &'a FunctionProof, start: Loc) -> Result<(), Rejection> {
        let program = self.program;
        let function = &program.functions[f.func];
        let body = program.body(f.func);
        let mut enc = Encoder::for_proof(self.analysis);
        let mut state = enc.arbitrary_at(f.func, start);
        if start == body.entry {
            state = enc.begin(&state);
        }
        let hypothesis = self.invariant(&mut enc, f.func, start, &state).map_err(|u| Rejection {
            rule: Rule::Step,
            at: None,
            reason: format!("the invariant at {start} of {}: {u}", function.name),
            undecided: true,
        })?;
        if enc.store.bool_of(hypothesis) == Some(false) {
            return Ok(());
        }
        let is_cut = |loc| loc == body.exit || f.invariants.contains_key(&loc);
        let mut visitor = Block { checker: self, func: f.func, start };
        explore(&mut enc, start, state, hypothesis, is_cut, &mut visitor).map_err(|e| match e {
            Failure::Rejected(r) => r,
            Failure::Block(BlockError::Cycle(loc)) => Rejection {
                rule: Rule::Step,
                at: None,
                reason: format!("a cycle through {loc} of {} meets no cut point", function.name),
                undecided: false,
            },
            Failure::Block(BlockError::Unmodelled(edge, u)) => Rejection {
                rule: Rule::Step,
                at: Some((f.func, edge)),
                reason: format!("{} in {}: {u}", edge, function.name),
                undecided: true,
            },
        })
    }

    fn obligation(
        &self,
        enc: &mut Encoder<'_>,
        rule: Rule,
        at: Option<(FuncId, EdgeId)>,
        hypothesis: Term,
        goal: Term,
        what: &dyn Fn() -> String,
    ) -> Result<(), Rejection> {
        let reject = |undecided, reason| Err(Rejection { rule, at, reason, undecided });
        let CheckLimits { conflicts, variables } = *self.limits;
        match logic::check_valid_within(&enc.store, &[hypothesis], goal, conflicts, variables) {
            Answer::Unsat(_) => Ok(()),
            Answer::Sat(_) => reject(false, what()),
            Answer::Unknown(why) => reject(true, format!("undecided whether {}: {why}", what())),
        }
    }
}

/// Whether the parts of a function's proof fit together and the function: a proof may come from anywhere.
/// The claims about an activation say what can be said: `waiting` are the functions of those that wait for it, the nearest first.
pub(crate) fn well_formed(program: &Program, f: &FunctionProof, waiting: &[FuncId]) -> Result<(), Rejection> {
    let reject = |reason: String| Err(Rejection { rule: Rule::Program, at: None, reason, undecided: false });
    let Some(function) = program.functions.get(f.func) else {
        return reject(format!("there is no function {}", f.func));
    };
    let name = &function.name;
    let Some(body) = &function.body else { return reject(format!("{name} has no body")) };
    if let Some(g) = f.modifies.iter().find(|&&g| program.globals.get(g).is_none()) {
        return reject(format!("there is no global {g}"));
    }
    for (id, node) in f.nodes.iter_enumerated() {
        if node.operands().iter().any(|&operand| operand >= id) {
            return reject(format!("{id} of {name} uses a formula that is not defined before it"));
        }
        let said = match node {
            Node::Atom(e) => Some((f.func, e)),
            Node::Outer(out, e) => match (*out as usize).checked_sub(1).and_then(|i| waiting.get(i)) {
                Some(&func) => Some((func, e)),
                None => return reject(format!("{id} of {name} speaks of an activation that is not there")),
            },
            Node::Const(_) | Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Ite(..) => None,
        };
        if let Some((func, e)) = said
            && let Err(violations) = ir::validate::validate_predicate(program, func, e)
        {
            return reject(format!("{id} of {name}: {}", violations[0]));
        }
    }
    for (loc, node) in &f.invariants {
        if body.locations.get(*loc).is_none() || f.nodes.get(*node).is_none() {
            return reject(format!("{name} has no location {loc} or no formula {node}"));
        }
    }
    Ok(())
}

/// A formula of a proof as a term over a state.
pub(crate) fn formula(
    enc: &mut Encoder<'_>,
    nodes: &IndexVec<NodeId, Node>,
    root: NodeId,
    state: &State,
) -> Result<Term, Unmodelled> {
    // Operands come before what uses them, so one pass up to the root is enough and needs no stack.
    let mut needed = vec![false; root.index() + 1];
    needed[root.index()] = true;
    for id in nodes.ids().take(root.index() + 1).rev() {
        if needed[id.index()] {
            for operand in nodes[id].operands() {
                needed[operand.index()] = true;
            }
        }
    }
    let mut terms: Vec<Option<Term>> = vec![None; root.index() + 1];
    let get = |terms: &[Option<Term>], id: NodeId| terms[id.index()].expect("operands come first");
    for id in nodes.ids().take(root.index() + 1).filter(|id| needed[id.index()]) {
        let term = match &nodes[id] {
            Node::Const(b) => enc.store.bool(*b),
            Node::Atom(e) => enc.eval(state, e)?,
            Node::Outer(out, e) => {
                let seen = state.seen_from(*out).ok_or(Unmodelled("an activation that is not there"))?;
                enc.eval(&seen, e)?
            }
            Node::Not(a) => enc.store.not(get(&terms, *a)),
            Node::And(list) => list.iter().fold(enc.store.bool(true), |t, &a| enc.store.and(t, get(&terms, a))),
            Node::Or(list) => list.iter().fold(enc.store.bool(false), |t, &a| enc.store.or(t, get(&terms, a))),
            Node::Ite(c, a, b) => enc.store.ite(get(&terms, *c), get(&terms, *a), get(&terms, *b)),
        };
        terms[id.index()] = Some(term);
    }
    Ok(get(&terms, root))
}

enum Failure {
    Rejected(Rejection),
    Block(BlockError),
}

impl From<BlockError> for Failure {
    fn from(e: BlockError) -> Failure {
        Failure::Block(e)
    }
}

/// The obligations of one block.
struct Block<'c, 'a> {
    checker: &'c Checker<'a>,
    func: FuncId,
    start: Loc,
}

impl Block<'_, '_> {
    fn unmodelled(id: EdgeId) -> impl Fn(Unmodelled) -> Failure {
        move |u| Failure::Block(BlockError::Unmodelled(id, u))
    }

    fn oblige(&self, enc: &mut Encoder<'_>, rule: Rule, at: At<'_>, goal: Term, what: &str) -> Result<(), Failure> {
        let name = &self.checker.program.functions[self.func].name;
        let what = || format!("from {} of {name} across {}, {what}", self.start, at.id);
        let place = Some((self.func, at.id));
        self.checker.obligation(enc, rule, place, at.condition, goal, &what).map_err(Failure::Rejected)
    }
}

impl Visitor for Block<'_, '_> {
    type Error = Failure;

    fn call(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &mut State) -> Result<Vec<Term>, Failure> {
        let callee = enc.callee(at.edge).expect("a block calls functions with a body");
        let function = &self.checker.program.functions[callee];
        let body = function.body.as_ref().expect("a block calls functions with a body");
        let begin = enc.callee_state(state, at.edge).map_err(Self::unmodelled(at.id))?;
        let goal = self.checker.invariant(enc, callee, body.entry, &begin).map_err(Self::unmodelled(at.id))?;
        let what = format!("the call does not satisfy the invariant at the entry of {}", function.name);
        self.oblige(enc, Rule::Call, at, goal, &what)?;
        let mut modified = IndexVec::filled(false, enc.program.globals.len());
        for &g in self.checker.by_func.get(&callee).into_iter().flat_map(|f| &f.modifies) {
            modified[g] = true;
        }
        let end = enc.return_by_contract(state, at.edge, &modified).map_err(Self::unmodelled(at.id))?;
        let contract = self.checker.invariant(enc, callee, body.exit, &end).map_err(Self::unmodelled(at.id))?;
        Ok(vec![contract])
    }

    fn arrive(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), Failure> {
        match (at.edge.to, &at.edge.op) {
            (Some(loc), _) => {
                let goal = self.checker.invariant(enc, self.func, loc, state).map_err(Self::unmodelled(at.id))?;
                if sabotage::active(Fault::ObligationSkipped) && loc == self.start {
                    return Ok(());
                }
                let what = format!("the invariant at {loc} does not follow");
                self.oblige(enc, Rule::Step, at, goal, &what)
            }
            (None, Op::Halt) => Ok(()),
            (None, op) => {
                let goal = enc.store.bool(false);
                let what = match op {
                    Op::Unsupported(why) => format!("an unsupported operation can be reached: {why}"),
                    _ => "a target can be reached".to_owned(),
                };
                self.oblige(enc, Rule::Target, at, goal, &what)
            }
        }
    }

    fn unmodelled(&mut self, enc: &mut Encoder<'_>, at: At<'_>, why: Unmodelled) -> Result<(), Failure> {
        let goal = enc.store.bool(false);
        // What would happen there is not known: the proof may be right all the same.
        self.oblige(enc, Rule::Target, at, goal, &why.to_string()).map_err(|_| Self::unmodelled(at.id)(why))
    }
}

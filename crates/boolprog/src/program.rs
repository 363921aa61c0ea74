//! The data types of boolean programs; meaning is stated on each, code lives elsewhere.
//!
//! Invariants, checked by [`validate`](crate::validate()): ids are in range; a body is not empty and its last statement
//! does not fall through; calls and returns have the callee's and the owner's numbers of values; a variable is assigned
//! at most once per statement; [`Expr::Next`] stands only in a `constrain`, and `enforce` contains no [`Expr::Next`].

use base::{Id, IndexVec, Span, define_id};

define_id!(pub ProcId, "proc", "A procedure of a [`Program`].");
define_id!(pub StmtId, "s", "A statement of a [`Proc`]; control falls through to the next id.");
define_id!(pub GlobalId, "g", "A global variable of a [`Program`].");
define_id!(pub LocalId, "l", "A formal parameter or local variable of a [`Proc`]; formals come first.");

/// A variable as a procedure sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A global.
    Global(GlobalId),
    /// A formal parameter or local of the procedure in whose text the variable stands.
    Local(LocalId),
}

/// The declaration of a variable. Without initial value a variable starts arbitrary (a local: anew per activation).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Any text without newline; names that are no plain identifiers print in braces.
    pub name: String,
    /// The value at program start (global) or at each entry (local); formals have none.
    pub init: Option<bool>,
}

impl VarDecl {
    /// A declaration without initial value.
    pub fn new(name: impl Into<String>) -> VarDecl {
        VarDecl { name: name.into(), init: None }
    }
}

/// A whole boolean program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The global variables.
    pub globals: IndexVec<GlobalId, VarDecl>,
    /// The procedures.
    pub procs: IndexVec<ProcId, Proc>,
    /// Where the program starts; it has no formals.
    pub entry: ProcId,
}

/// A procedure: a flat list of statements with resolved successors. Control starts at statement 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proc {
    /// The name, unique among the procedures.
    pub name: String,
    /// Formals (the first [`n_formals`](Self::n_formals)) and locals.
    pub locals: IndexVec<LocalId, VarDecl>,
    /// How many of the locals are formal parameters, passed by value.
    pub n_formals: usize,
    /// How many values a call yields.
    pub n_returns: usize,
    /// States of this procedure that violate it do not exist: assumed at entry, after each statement and after each
    /// return into this procedure (PLDI01 §5.1).
    pub enforce: Option<Expr>,
    /// The statements.
    pub body: IndexVec<StmtId, Stmt>,
    /// Label names and where they stand, in the order in which they print; several may name one statement.
    pub labels: Vec<(String, StmtId)>,
}

/// A statement with what it carries.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Keeps only those transitions whose (old, new) pair satisfies it; `Var` reads the old state, `Next` the new.
    pub constrain: Option<Expr>,
    /// Whatever the maker of the program wants to find again (an IR edge); not part of the text form.
    pub tag: Option<u32>,
    /// Where it stands in the text it was read from.
    pub span: Option<Span>,
}

impl Stmt {
    /// A statement without constraint, tag or place.
    pub fn new(kind: StmtKind) -> Stmt {
        Stmt { kind, constrain: None, tag: None, span: None }
    }
}

/// Statements are equal when they do the same; tags and places do not count, as the text form does not keep them.
impl PartialEq for Stmt {
    fn eq(&self, other: &Stmt) -> bool {
        self.kind == other.kind && self.constrain == other.constrain
    }
}

impl Eq for Stmt {}

/// What a statement does. Unless said otherwise control goes on to the next statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// Parallel assignment: all values are computed in the old state. `None` discards the value.
    Assign(Vec<(Option<Var>, Expr)>),
    /// Continues only if the expression can be true.
    Assume(Expr),
    /// Like `Assume`; if the expression can be false, the program can fail here.
    Assert(Expr),
    /// The variables take arbitrary values: they are not read before they are written again.
    Dead(Vec<Var>),
    /// Nothing; a hint for people.
    Print(Vec<Expr>),
    /// Goes to the first target if the expression can be true, to the second if it can be false.
    Branch(Expr, StmtId, StmtId),
    /// Goes to any of the targets.
    Goto(Vec<StmtId>),
    /// Call by value; `results` receive the returned values, `None` discards one.
    Call {
        /// The procedure called.
        callee: ProcId,
        /// One actual parameter per formal.
        args: Vec<Expr>,
        /// One target per returned value, or none at all.
        results: Vec<Option<Var>>,
    },
    /// Ends the activation with these values.
    Return(Vec<Expr>),
}

/// A boolean expression. Each textual [`Nondet`](Expr::Nondet) is a choice of its own, made anew per evaluation; an
/// expression therefore has a *set* of possible values in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// `T` or `F`.
    Const(bool),
    /// `*`.
    Nondet,
    /// The value of a variable (in a `constrain`: before the statement).
    Var(Var),
    /// `'x`: the value after the statement.
    Next(Var),
    /// `!e`.
    Not(Box<Expr>),
    /// `a & b & …`, at least two operands, none of which is itself an `And`.
    And(Vec<Expr>),
    /// `a | b | …`, at least two operands, none of which is itself an `Or`.
    Or(Vec<Expr>),
    /// `a ^ b`, also `a != b`.
    Xor(Box<Expr>, Box<Expr>),
    /// `a = b`.
    Eq(Box<Expr>, Box<Expr>),
    /// `a => b`.
    Implies(Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `schoose[p, n]` = `p | (* & !n)`: `p` forces true, else `n` forces false, else free (PLDI01 §4.3 `choose`).
    Choose(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The conjunction of `parts`, flattened; `T` when there are none.
    pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::nary(parts, true)
    }

    /// The disjunction of `parts`, flattened; `F` when there are none.
    pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::nary(parts, false)
    }

    fn nary(parts: impl IntoIterator<Item = Expr>, and: bool) -> Expr {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Expr::And(inner) if and => flat.extend(inner),
                Expr::Or(inner) if !and => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Expr::Const(and),
            1 => flat.remove(0),
            _ if and => Expr::And(flat),
            _ => Expr::Or(flat),
        }
    }

    /// `!e`, without simplification.
    #[expect(clippy::should_implement_trait, reason = "a constructor, not an operator on values")]
    pub fn not(e: Expr) -> Expr {
        Expr::Not(Box::new(e))
    }

    /// The operands, in order.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) => Vec::new(),
            Expr::Not(a) => vec![a],
            Expr::And(v) | Expr::Or(v) => v.iter().collect(),
            Expr::Xor(a, b) | Expr::Eq(a, b) | Expr::Implies(a, b) | Expr::Choose(a, b) => vec![a, b],
            Expr::Ite(a, b, c) => vec![a, b, c],
        }
    }

    /// Calls `visit` on every node, parents first, without recursion.
    pub fn walk<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        let mut stack = vec![self];
        while let Some(e) = stack.pop() {
            visit(e);
            stack.extend(e.operands().into_iter().rev());
        }
    }

    /// The variables read in the old state, each once, sorted.
    pub fn vars(&self) -> Vec<Var> {
        self.collect(|e| if let Expr::Var(v) = e { Some(*v) } else { None })
    }

    /// The variables read in the new state, each once, sorted.
    pub fn next_vars(&self) -> Vec<Var> {
        self.collect(|e| if let Expr::Next(v) = e { Some(*v) } else { None })
    }

    /// Whether a `*` or a `schoose` occurs in it.
    pub fn is_nondet(&self) -> bool {
        let mut found = false;
        self.walk(|e| found |= matches!(e, Expr::Nondet | Expr::Choose(..)));
        found
    }

    fn collect(&self, pick: impl Fn(&Expr) -> Option<Var>) -> Vec<Var> {
        let mut vars = Vec::new();
        self.walk(|e| vars.extend(pick(e)));
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}

impl Program {
    /// The procedure of this name.
    pub fn find_proc(&self, name: &str) -> Option<ProcId> {
        self.procs.iter_enumerated().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }

    /// Every statement that carries the label `name`, in program order.
    pub fn find_label(&self, name: &str) -> Vec<(ProcId, StmtId)> {
        let in_proc = |(id, p): (ProcId, &Proc)| {
            p.labels.iter().filter(|(n, _)| n == name).map(|&(_, s)| (id, s)).collect::<Vec<_>>()
        };
        self.procs.iter_enumerated().flat_map(in_proc).collect()
    }

    /// The declared name of `var` as seen in `proc`.
    pub fn var_name(&self, proc: ProcId, var: Var) -> &str {
        match var {
            Var::Global(g) => &self.globals[g].name,
            Var::Local(l) => &self.procs[proc].locals[l].name,
        }
    }

    /// The variables in scope in `proc`: globals first, then formals and locals.
    pub fn scope(&self, proc: ProcId) -> impl Iterator<Item = Var> + use<> {
        let (globals, locals) = (self.globals.len(), self.procs[proc].locals.len());
        let globals = (0..globals).map(|i| Var::Global(GlobalId::from_index(i)));
        globals.chain((0..locals).map(|i| Var::Local(LocalId::from_index(i))))
    }

    /// The number of statements of all procedures.
    pub fn n_stmts(&self) -> usize {
        self.procs.iter().map(|p| p.body.len()).sum()
    }
}

impl Proc {
    /// The formal parameters.
    pub fn formals(&self) -> impl Iterator<Item = LocalId> + use<> {
        (0..self.n_formals).map(LocalId::from_index)
    }

    /// Where control can go from `at` within this procedure; a call's successor is its return point.
    pub fn successors(&self, at: StmtId) -> Vec<StmtId> {
        match &self.body[at].kind {
            StmtKind::Goto(targets) => {
                let mut t = targets.clone();
                t.sort_unstable();
                t.dedup();
                t
            }
            StmtKind::Branch(_, yes, no) if yes == no => vec![*yes],
            StmtKind::Branch(_, yes, no) => vec![*yes, *no],
            StmtKind::Return(_) => Vec::new(),
            _ => vec![at.next()],
        }
    }

    /// The names of the labels at `at`, in order.
    pub fn labels_at(&self, at: StmtId) -> impl Iterator<Item = &str> {
        self.labels.iter().filter(move |(_, s)| *s == at).map(|(n, _)| n.as_str())
    }
}

impl StmtId {
    /// The statement after this one.
    #[must_use]
    pub fn next(self) -> StmtId {
        StmtId::from_index(self.index() + 1)
    }
}

impl StmtKind {
    /// Whether control can fall through to the next statement.
    pub fn falls_through(&self) -> bool {
        !matches!(self, StmtKind::Goto(_) | StmtKind::Branch(..) | StmtKind::Return(_))
    }

    /// The variables it assigns, in order of mention.
    pub fn written(&self) -> Vec<Var> {
        match self {
            StmtKind::Assign(pairs) => pairs.iter().filter_map(|(v, _)| *v).collect(),
            StmtKind::Dead(vars) => vars.clone(),
            StmtKind::Call { results, .. } => results.iter().filter_map(|v| *v).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions it evaluates in the old state.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            StmtKind::Skip | StmtKind::Dead(_) | StmtKind::Goto(_) => Vec::new(),
            StmtKind::Assign(pairs) => pairs.iter().map(|(_, e)| e).collect(),
            StmtKind::Assume(e) | StmtKind::Assert(e) | StmtKind::Branch(e, ..) => vec![e],
            StmtKind::Print(v) | StmtKind::Return(v) => v.iter().collect(),
            StmtKind::Call { args, .. } => args.iter().collect(),
        }
    }
}

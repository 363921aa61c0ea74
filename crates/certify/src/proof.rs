//! What a proof is: data only. [`crate::text`] is its text form, [`crate::check`] decides whether it holds.

use base::{IndexVec, define_id};
use ir::{EdgeId, Expr, FuncId, GlobalId, Loc, UbTable};
use std::collections::{BTreeMap, BTreeSet};

define_id!(pub NodeId, "#", "A formula of a [`FunctionProof`].");

/// The name of a program: a hash of its canonical text form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramHash(pub [u8; 32]);

/// Evidence that no execution of a program reaches a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The program it is about.
    pub program: ProgramHash,
    /// What each kind of undefined behaviour means in it; repeated from the program so that a reader sees it.
    pub ub: UbTable,
    /// The evidence.
    pub kind: ProofKind,
}

/// The kinds of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// Invariants and `modifies` sets, for the functions that can be called. A function that is not named is claimed to
    /// be called never.
    Invariants(Vec<FunctionProof>),
    /// Everything that can happen is followed, through calls and round by round, from the start and from cut points of the entry
    /// function.
    Unwinding(UnwindingProof),
    /// The program takes nothing from outside: its only run ends after so many steps without reaching a target.
    Run {
        /// Steps of that run.
        steps: u64,
    },
}

/// A proof that follows what happens instead of summing it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwindingProof {
    /// What holds at cut points of the entry function; it claims nothing about what the function modifies.
    pub invariants: FunctionProof,
    /// How far loops and recursion are followed ([`vc::unwinding::Scripted`]): for what begins at the start of the program, then for
    /// what begins at each cut point, in order.
    pub scripts: Vec<Vec<u32>>,
    /// The same for activations that calls make.
    pub inner: Vec<ActivationProof>,
}

/// What an unwinding claims about one activation of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivationProof {
    /// The calls that make the activation: the first by the entry function, each other by the function that the one before calls.
    pub calls: Vec<EdgeId>,
    /// What holds at its cut points.
    pub invariants: FunctionProof,
    /// How far loops and recursion are followed from each of them.
    pub scripts: Vec<Vec<u32>>,
}

/// What is claimed of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionProof {
    /// The function.
    pub func: FuncId,
    /// Every global that it, or what it calls, may write.
    pub modifies: BTreeSet<GlobalId>,
    /// Formulas, shared; operands come before what uses them.
    pub nodes: IndexVec<NodeId, Node>,
    /// The cut points and what holds there, over the state in which the activation began (`'x`) and the state now. An
    /// entry or exit that is missing is claimed to be reached never.
    pub invariants: BTreeMap<Loc, NodeId>,
}

/// A formula: a combination of boolean IR expressions. One node can stand for one node of a decision diagram.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// True or false.
    Const(bool),
    /// An expression of type `Bool`; may speak of the entry state.
    Atom(Expr),
    /// The same about the activation that waits so many calls further out; only in an [`ActivationProof`].
    Outer(u32, Expr),
    /// The opposite.
    Not(NodeId),
    /// All of them.
    And(Vec<NodeId>),
    /// One of them.
    Or(Vec<NodeId>),
    /// The second if the first holds, else the third.
    Ite(NodeId, NodeId, NodeId),
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Node::Const(_) | Node::Atom(_) | Node::Outer(..) => Vec::new(),
            Node::Not(a) => vec![*a],
            Node::And(list) | Node::Or(list) => list.clone(),
            Node::Ite(a, b, c) => vec![*a, *b, *c],
        }
    }
}

impl FunctionProof {
    /// A proof of `func` that claims nothing.
    pub fn new(func: FuncId) -> FunctionProof {
        FunctionProof { func, modifies: BTreeSet::new(), nodes: IndexVec::new(), invariants: BTreeMap::new() }
    }

    /// Claims that `e` holds at `loc`.
    pub fn claim(&mut self, loc: Loc, e: Expr) {
        let node = self.nodes.push(Node::Atom(e));
        self.invariants.insert(loc, node);
    }
}

impl std::fmt::Display for ProgramHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for ProgramHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for ProgramHash {
    type Err = ();

    fn from_str(text: &str) -> Result<ProgramHash, ()> {
        let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>().ok_or(())?;
        let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair.iter().fold(0, |n, d| n << 4 | d)).collect();
        if digits.len() == 64 { bytes.try_into().map(ProgramHash).map_err(|_| ()) } else { Err(()) }
    }
}

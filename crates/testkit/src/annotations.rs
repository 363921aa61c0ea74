//! Proofs written by hand, as comments in C.
//!
//! Lines that begin with `//@` before the definition of a function give its contract, inside a function the invariant of
//! the next loop:
//!
//! ```text
//! //@ requires E;            holds when the function is called
//! //@ ensures E;             holds when it returns; `$result` is its value
//! //@ modifies g, h;         the globals it may change, or `nothing`
//! //@ invariant E;           before a loop: holds whenever its condition is about to be evaluated
//! ```
//!
//! `E` is a condition as `lower::annotation` reads it, over parameters, locals and globals; `'x` is the value of `x` when the
//! function was entered. What is not said is true; a function without `modifies` may change every global. The entry
//! function begins with the initial values of the globals.
//!
//! The translation follows the shape of the program, not its locations: invariants belong to the loop heads of the
//! function's graph in the order of their source, so that the comments of one program can be tried on another of the same
//! shape. A definition begins at the margin and its line ends with `{`.

use base::{FileId, Id, SourceMap};
use certify::text::program_hash;
use certify::{FunctionProof, Node, NodeId, Proof, ProofKind};
use ir::cfg::Graph;
use ir::{BinOp, Expr, FuncId, GlobalId, Init, Loc, Program, Ty, Var};

/// What the comments say of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Its name.
    pub function: String,
    /// The conditions at entry.
    pub requires: Vec<String>,
    /// The conditions at exit.
    pub ensures: Vec<String>,
    /// The globals it may change; `None` for all.
    pub modifies: Option<Vec<String>>,
    /// The invariants of its loops, in the order of the source.
    pub invariants: Vec<String>,
}

/// Reads the comments of a text: one contract for each function that it defines.
pub fn contracts(text: &str) -> Result<Vec<Contract>, String> {
    let mut all: Vec<Contract> = Vec::new();
    let mut next = Contract::default();
    for line in text.lines() {
        if let Some(said) = line.trim_start().strip_prefix("//@ ") {
            let said = said.trim().strip_suffix(';').ok_or_else(|| format!("`{line}` does not end with `;`"))?;
            let (word, rest) = said.split_once(' ').ok_or_else(|| format!("`{line}` says nothing"))?;
            match word {
                "requires" => next.requires.push(rest.into()),
                "ensures" => next.ensures.push(rest.into()),
                "modifies" if rest == "nothing" => next.modifies = Some(Vec::new()),
                "modifies" => next.modifies = Some(rest.split(',').map(|g| g.trim().to_owned()).collect()),
                "invariant" => {
                    let function = all.last_mut().ok_or("an invariant outside of functions")?;
                    function.invariants.push(rest.into());
                }
                _ => return Err(format!("unknown annotation `{word}`")),
            }
        } else if line.ends_with('{') && !line.starts_with(char::is_whitespace) {
            let head = line.split('(').next().unwrap_or_default();
            let name = head.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            all.push(Contract { function: name.to_owned(), ..std::mem::take(&mut next) });
        }
    }
    Ok(all)
}

/// The proof of `program` that the contracts describe. They may be those of another program with the same functions and
/// as many loops in each.
pub fn proof(program: &Program, sources: &SourceMap, contracts: &[Contract]) -> Result<Proof, String> {
    let mut functions = Vec::new();
    for (func, f) in program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
        let contract = contracts.iter().find(|c| c.function == f.name);
        let contract = contract.ok_or_else(|| format!("nothing is said of {}", f.name))?;
        functions
            .push(Translator { program, func }.function(sources, contract).map_err(|e| format!("{}: {e}", f.name))?);
    }
    Ok(Proof { program: program_hash(program), ub: program.ub.clone(), kind: ProofKind::Invariants(functions) })
}

/// The loop heads of a function in the order of their source.
fn loop_heads(program: &Program, sources: &SourceMap, func: FuncId) -> Vec<Loc> {
    let body = program.body(func);
    let graph = Graph::new(body);
    let mut heads: Vec<Loc> = body.locations.ids().filter(|&l| graph.loop_heads[l] && graph.reachable[l]).collect();
    heads.sort_by_key(|&l| {
        let at = sources.locate(body.locations[l].span);
        (at.line, at.column)
    });
    heads
}

struct Translator<'p> {
    program: &'p Program,
    func: FuncId,
}

impl Translator<'_> {
    fn function(&self, sources: &SourceMap, contract: &Contract) -> Result<FunctionProof, String> {
        let body = self.program.body(self.func);
        let mut proof = FunctionProof::new(self.func);
        proof.modifies = match &contract.modifies {
            None => self.program.globals.ids().collect(),
            Some(names) => {
                let find = |n: &String| self.program.global(n).ok_or_else(|| format!("there is no global {n}"));
                names.iter().map(find).collect::<Result<_, _>>()?
            }
        };
        let mut requires = self.conjuncts(&contract.requires)?;
        if self.func == self.program.entry {
            requires.extend(self.program.globals.ids().filter_map(|g| self.starts_with(g)));
        }
        claim(&mut proof, body.entry, requires);
        let heads = loop_heads(self.program, sources, self.func);
        if heads.len() != contract.invariants.len() {
            return Err(format!("{} invariants for {} loops", contract.invariants.len(), heads.len()));
        }
        for (&head, invariant) in heads.iter().zip(&contract.invariants) {
            let conjuncts = self.conjuncts(std::slice::from_ref(invariant))?;
            claim(&mut proof, head, conjuncts);
        }
        claim(&mut proof, body.exit, self.conjuncts(&contract.ensures)?);
        Ok(proof)
    }

    /// That a scalar global has its initial value.
    fn starts_with(&self, g: GlobalId) -> Option<Expr> {
        let global = &self.program.globals[g];
        let ty = global.shape.scalar()?;
        let value = match &global.init {
            Init::Zero => Expr::constant(ty, 0),
            Init::Values(items) => items.last().map_or(Expr::constant(ty, 0), |i| i.value.clone()),
            Init::Unknown => return None,
        };
        (value.as_const().is_some() && value.ty == ty)
            .then(|| Expr::binary(BinOp::Eq, Expr::var(Var::Global(g), ty), value))
    }

    fn conjuncts(&self, conditions: &[String]) -> Result<Vec<Expr>, String> {
        let mut all = Vec::new();
        for text in conditions {
            let file = FileId::from_index(0);
            let e = lower::annotation::condition(self.program, Some(self.func), file, text);
            split(e.map_err(|d| format!("`{text}`: {}", d.message))?, &mut all);
        }
        Ok(all)
    }
}

/// Claims the conjunction at a location, one atom per conjunct.
fn claim(proof: &mut FunctionProof, loc: Loc, conjuncts: Vec<Expr>) {
    let atoms: Vec<NodeId> = conjuncts.into_iter().map(|e| proof.nodes.push(Node::Atom(e))).collect();
    let node = proof.nodes.push(Node::And(atoms));
    proof.invariants.insert(loc, node);
}

/// The conjuncts of an expression.
fn split(e: Expr, all: &mut Vec<Expr>) {
    match e.kind {
        ir::ExprKind::Binary(BinOp::And, a, b) if e.ty == Ty::Bool => {
            split(*a, all);
            split(*b, all);
        }
        _ => all.push(e),
    }
}

//! Proofs written by hand, as comments in C.
//!
//! Lines that begin with `//@` before the definition of a function give its contract, inside a function the invariant of
//! the next loop:
//!
//! ```text
//! //@ requires E;            holds when the function is called
//! //@ ensures E;             holds when it returns; `result` is its value
//! //@ modifies g, h;         the globals it may change, or `nothing`
//! //@ invariant E;           before a loop: holds whenever its condition is about to be evaluated
//! ```
//!
//! `E` is an expression of C without side effects over parameters, locals and globals; `'x` is the value of `x` when the
//! function was entered. What is not said is true; a function without `modifies` may change every global. The entry
//! function begins with the initial values of the globals.
//!
//! The translation follows the shape of the program, not its locations: invariants belong to the loop heads of the
//! function's graph in the order of their source, so that the comments of one program can be tried on another of the same
//! shape. A definition begins at the margin and its line ends with `{`.

use base::SourceMap;
use certify::text::program_hash;
use certify::{FunctionProof, Node, NodeId, Proof, ProofKind};
use ir::cfg::Graph;
use ir::{BinOp, Expr, FuncId, GlobalId, Init, Loc, Program, Ty, UnOp, Var};

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
    let body = program.functions[func].body.as_ref().expect("only functions with a body have a proof");
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
        let body = self.program.functions[self.func].body.as_ref().expect("asked before");
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

    fn conjuncts(&self, texts: &[String]) -> Result<Vec<Expr>, String> {
        let mut all = Vec::new();
        for text in texts {
            let mut parser = Parser { scope: self, tokens: lex(text)?, at: 0 };
            let e = parser.binary(0)?;
            if parser.at < parser.tokens.len() {
                return Err(format!("`{text}`: unexpected `{}`", parser.tokens[parser.at]));
            }
            split(Expr::nonzero(e), &mut all);
        }
        Ok(all)
    }

    fn variable(&self, name: &str) -> Result<Expr, String> {
        let f = &self.program.functions[self.func];
        let local = f.locals.iter_enumerated().find(|(_, l)| l.name == name).map(|(id, _)| Var::Local(id));
        let var = if name == "result" { f.ret.map(Var::Local) } else { local };
        let var = var.or_else(|| self.program.global(name).map(Var::Global));
        let var = var.ok_or_else(|| format!("there is no variable {name}"))?;
        let ty = self.program.shape(self.func, var).scalar().ok_or_else(|| format!("{name} is no scalar"))?;
        Ok(Expr::var(var, ty))
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

fn lex(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut i = 0;
    while i < chars.len() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let two: String = chars[i..].iter().take(2).collect();
        let len = match chars[i] {
            c if c.is_whitespace() => {
                i += 1;
                continue;
            }
            c if word(c) => chars[i..].iter().take_while(|c| word(**c)).count(),
            _ if ["==", "!=", "<=", ">=", "&&", "||"].contains(&two.as_str()) => 2,
            c if "+-*/%&|^~!<>()'".contains(c) => 1,
            c => return Err(format!("`{text}`: unexpected `{c}`")),
        };
        tokens.push(chars[i..i + len].iter().collect());
        i += len;
    }
    Ok(tokens)
}

/// C's binary operators by increasing precedence.
const LEVELS: [&[(&str, BinOp)]; 8] = [
    &[("||", BinOp::Or)],
    &[("&&", BinOp::And)],
    &[("|", BinOp::Or)],
    &[("^", BinOp::Xor)],
    &[("&", BinOp::And)],
    &[("==", BinOp::Eq), ("!=", BinOp::Ne)],
    &[("<=", BinOp::Le), (">=", BinOp::Ge), ("<", BinOp::Lt), (">", BinOp::Gt)],
    &[("+", BinOp::Add), ("-", BinOp::Sub)],
];

struct Parser<'t> {
    scope: &'t Translator<'t>,
    tokens: Vec<String>,
    at: usize,
}

impl Parser<'_> {
    fn next(&mut self) -> Result<String, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("the expression ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, String> {
        let Some(ops) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((text, op)) = self.tokens.get(self.at).and_then(|t| ops.iter().find(|(o, _)| o == t)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = if matches!(*text, "&&" | "||") {
                Expr::binary(*op, Expr::nonzero(left), Expr::nonzero(right))
            } else {
                let (a, b) = usual(left, right);
                Expr::binary(*op, a, b)
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let token = self.next()?;
        match token.as_str() {
            "!" => Ok(Expr::nonzero(self.unary()?).negate()),
            "-" => Ok(Expr::unary(UnOp::Neg, promoted(self.unary()?))),
            "~" => Ok(Expr::unary(UnOp::Not, promoted(self.unary()?))),
            "(" => {
                let e = self.binary(0)?;
                if self.next()? == ")" { Ok(e) } else { Err("expected `)`".into()) }
            }
            "'" => {
                let name = self.next()?;
                Ok(Expr::entry(self.scope.variable(&name)?))
            }
            word if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let value: i128 = word.parse().map_err(|_| format!("`{word}` is no number"))?;
                let width = if value < 1 << 31 { 32 } else { 64 };
                Ok(Expr::int(Ty::int(width, true), value))
            }
            word => self.scope.variable(word),
        }
    }
}

/// The integer promotions.
fn promoted(e: Expr) -> Expr {
    match e.ty {
        Ty::Int(i) if i.width >= 32 => e,
        _ => Expr::convert(Ty::int(32, true), e),
    }
}

/// The usual arithmetic conversions of integers.
fn usual(a: Expr, b: Expr) -> (Expr, Expr) {
    let (a, b) = (promoted(a), promoted(b));
    let (Ty::Int(x), Ty::Int(y)) = (a.ty, b.ty) else { return (a, b) };
    let width = x.width.max(y.width);
    let unsigned = |i: ir::IntTy| !i.signed && i.width == width;
    let to = Ty::int(width, !unsigned(x) && !unsigned(y));
    (Expr::convert(to, a), Expr::convert(to, b))
}

//! The text form of proofs: printer and parser. `docs/proof.md` is the manual.
//!
//! ```text
//! hardbop-proof 1
//! program 5f…                      the hash of the program's canonical text
//! ub signed-overflow ignored       one line per kind of undefined behaviour
//! function main
//!   modifies @g
//!   at L0 := true                  an expression,
//!   #0 := (x <= 10:i32)            or formulas that share parts
//!   #1 := and #0 #0
//!   at L3 := #1
//! end
//! ```
//!
//! or, in the place of functions, `unwinding main`, with lines `at` as above and one line `rounds` for each block: numbers, of which
//! `8*3` stands for three eights. Activations inside of it follow as further parts, `unwinding f by e3 e7`, with the calls that make
//! them; there `outer 2: (x == 0:i32)` is about the activation that waits two calls further out.
//!
//! One line says one thing; `//` starts a comment. Printing and parsing are inverse but for comments and spaces.

use crate::proof::{ActivationProof, FunctionProof, Node, NodeId, ProgramHash, Proof, ProofKind, UnwindingProof};
use crate::unwinding::called_by;
use base::{Diagnostic, FileId, Id, Span};
use ir::text::{Scope, show_expr, show_name};
use ir::{EdgeId, Expr, FuncId, Loc, Program, Ty, Ub, UbPolicy, UbTable};
use std::fmt::Write;

/// The hash by which proofs name a program: that of its canonical text.
pub fn program_hash(program: &Program) -> ProgramHash {
    ProgramHash(*blake3::hash(ir::text::print(program).as_bytes()).as_bytes())
}

/// The text of a proof of `program`.
pub fn print(program: &Program, proof: &Proof) -> String {
    let mut out = format!("hardbop-proof 1\nprogram {}\n", proof.program);
    for (ub, policy) in proof.ub.iter() {
        let _ = writeln!(out, "ub {} {}", ub.name(), policy.name());
    }
    match &proof.kind {
        ProofKind::Run { steps } => {
            let _ = writeln!(out, "run {steps}");
        }
        ProofKind::Invariants(functions) => functions.iter().for_each(|f| print_function(&mut out, program, f)),
        ProofKind::Unwinding(proof) => print_unwinding(&mut out, program, proof),
    }
    out
}

fn print_unwinding(out: &mut String, program: &Program, proof: &UnwindingProof) {
    let _ = writeln!(out, "unwinding {}", show_name(&program.functions[proof.invariants.func].name));
    print_claims(out, program, &proof.invariants, &[]);
    print_scripts(out, &proof.scripts);
    for inner in &proof.inner {
        let _ = write!(out, "unwinding {} by", show_name(&program.functions[inner.invariants.func].name));
        inner.calls.iter().for_each(|call| {
            let _ = write!(out, " {call}");
        });
        out.push('\n');
        print_claims(out, program, &inner.invariants, &inner.calls);
        print_scripts(out, &inner.scripts);
    }
}

fn print_scripts(out: &mut String, scripts: &[Vec<u32>]) {
    for script in scripts {
        let _ = write!(out, "  rounds");
        for same in script.chunk_by(|a, b| a == b) {
            let _ = match same.len() {
                1 => write!(out, " {}", same[0]),
                n => write!(out, " {}*{n}", same[0]),
            };
        }
        out.push('\n');
    }
    out.push_str("end\n");
}

fn print_function(out: &mut String, program: &Program, proof: &FunctionProof) {
    let _ = writeln!(out, "function {}", show_name(&program.functions[proof.func].name));
    let _ = write!(out, "  modifies");
    for &g in &proof.modifies {
        let _ = write!(out, " @{}", show_name(&program.globals[g].name));
    }
    out.push('\n');
    print_claims(out, program, proof, &[]);
    out.push_str("end\n");
}

/// The formulas, and what holds where, of an activation that these calls make.
fn print_claims(out: &mut String, program: &Program, proof: &FunctionProof, calls: &[EdgeId]) {
    let waiting = called_by(program, calls).unwrap_or_default();
    for (id, node) in proof.nodes.iter_enumerated() {
        let _ = writeln!(out, "  {id} := {}", show_node(program, proof.func, &waiting, node));
    }
    for (loc, node) in &proof.invariants {
        let _ = writeln!(out, "  at {loc} := {node}");
    }
}

/// `waiting`: the activation's function and those of the activations that wait for it, the nearest first.
fn show_node(program: &Program, func: FuncId, waiting: &[FuncId], node: &Node) -> String {
    let list = |word: &str, ids: &[NodeId]| ids.iter().fold(word.to_owned(), |s, id| s + " " + &id.to_string());
    match node {
        Node::Const(b) => b.to_string(),
        Node::Atom(e) => show_expr(program, func, e),
        Node::Outer(out, e) => {
            let func = waiting.get(*out as usize).copied().unwrap_or(func);
            format!("outer {out}: {}", show_expr(program, func, e))
        }
        Node::Not(a) => list("not", &[*a]),
        Node::And(ids) => list("and", ids),
        Node::Or(ids) => list("or", ids),
        Node::Ite(a, b, c) => list("ite", &[*a, *b, *c]),
    }
}

/// Parses a proof of `program` from the text of `file`. That the proof is of this very program is not asked here.
pub fn parse(program: &Program, file: FileId, text: &str) -> Result<Proof, Diagnostic> {
    let mut lines = Lines { file, rest: text, offset: 0 };
    let head = lines.next_line().unwrap_or(Line { span: Span::new(file, 0, 0), text: "" });
    if head.text.split_whitespace().ne(["hardbop-proof", "1"]) {
        return Err(head.error("a proof begins with the line `hardbop-proof 1`"));
    }
    let (functions, ub) = (Vec::new(), UbTable::default());
    let mut parser = Parser { program, hash: None, ub, functions, run: None, unwinding: None };
    while let Some(line) = lines.next_line() {
        parser.line(&line, &mut lines)?;
    }
    let Some(hash) = parser.hash else {
        return Err(head.error("the proof does not name its program (`program HASH`)"));
    };
    let kind = match (parser.run, parser.unwinding, parser.functions) {
        (Some(steps), None, functions) if functions.is_empty() => ProofKind::Run { steps },
        (None, Some(unwinding), functions) if functions.is_empty() => ProofKind::Unwinding(unwinding),
        (None, None, functions) => ProofKind::Invariants(functions),
        _ => return Err(head.error("a proof is one of a run, an unwinding and invariants")),
    };
    Ok(Proof { program: hash, ub: parser.ub, kind })
}

struct Line<'t> {
    span: Span,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("proof", self.span, message)
    }

    /// The span of a part of this line.
    fn part(&self, part: &str) -> Span {
        let lo = self.span.lo + (part.as_ptr() as usize - self.text.as_ptr() as usize) as u32;
        Span::new(self.span.file, lo, lo + part.len() as u32)
    }

    /// The first word and the rest.
    fn split(&self) -> (&'t str, &'t str) {
        let end = self.text.find(char::is_whitespace).unwrap_or(self.text.len());
        (&self.text[..end], self.text[end..].trim_start())
    }
}

struct Lines<'t> {
    file: FileId,
    rest: &'t str,
    offset: usize,
}

impl<'t> Lines<'t> {
    /// The next line that says something, without comment and outer spaces.
    fn next_line(&mut self) -> Option<Line<'t>> {
        while !self.rest.is_empty() {
            let end = self.rest.find('\n').map_or(self.rest.len(), |i| i + 1);
            let (whole, rest) = self.rest.split_at(end);
            let start = self.offset;
            (self.rest, self.offset) = (rest, self.offset + end);
            let said = whole.split("//").next().unwrap_or("");
            let lead = said.len() - said.trim_start().len();
            let text = said.trim();
            if !text.is_empty() {
                let lo = (start + lead) as u32;
                return Some(Line { span: Span::new(self.file, lo, lo + text.len() as u32), text });
            }
        }
        None
    }
}

struct Parser<'p> {
    program: &'p Program,
    hash: Option<ProgramHash>,
    ub: UbTable,
    functions: Vec<FunctionProof>,
    run: Option<u64>,
    unwinding: Option<UnwindingProof>,
}

impl Parser<'_> {
    fn line<'t>(&mut self, line: &Line<'t>, lines: &mut Lines<'t>) -> Result<(), Diagnostic> {
        let (word, rest) = line.split();
        match word {
            "program" => {
                self.hash = Some(rest.parse().map_err(|()| line.error("a program is named by 64 hexadecimal digits"))?);
            }
            "ub" => {
                let mut words = rest.split_whitespace();
                let ub = words
                    .next()
                    .and_then(Ub::from_name)
                    .ok_or_else(|| line.error("unknown kind of undefined behaviour"))?;
                let policy = words.next().and_then(UbPolicy::from_name);
                let policy = policy.ok_or_else(|| line.error("a policy is `ignored`, `assumed-away` or `checked`"))?;
                self.ub.set(ub, policy);
            }
            "run" => self.run = Some(rest.parse().map_err(|_| line.error("`run` is followed by a number of steps"))?),
            "function" => {
                let (function, scripts) = self.function(line, rest, &[], lines)?;
                if !scripts.is_empty() {
                    return Err(line.error("only an unwinding has `rounds`"));
                }
                self.functions.push(function);
            }
            "unwinding" => self.unwinding(line, rest, lines)?,
            _ => return Err(line.error("expected `program`, `ub`, `run`, `function` or `unwinding`")),
        }
        Ok(())
    }

    /// The part of an unwinding about the entry function, or one about an activation inside of it.
    fn unwinding<'t>(&mut self, line: &Line<'t>, rest: &str, lines: &mut Lines<'t>) -> Result<(), Diagnostic> {
        let Some((name, by)) = rest.split_once(" by ") else {
            if self.unwinding.is_some() {
                return Err(
                    line.error("an unwinding has one part about the entry function; others name calls (`by e3`)")
                );
            }
            let (invariants, scripts) = self.function(line, rest, &[], lines)?;
            self.unwinding = Some(UnwindingProof { invariants, scripts, inner: Vec::new() });
            return Ok(());
        };
        let number = |word: &str| word.strip_prefix('e').and_then(|n| n.parse().ok()).map(EdgeId::from_index);
        let calls: Option<Vec<EdgeId>> = by.split_whitespace().map(number).collect();
        let calls = calls.ok_or_else(|| line.error("calls are named by their edges, such as e3"))?;
        let waiting = called_by(self.program, &calls)
            .ok_or_else(|| line.error("each call must be an edge of the function that the one before calls"))?;
        let (invariants, scripts) = self.function(line, name.trim(), &waiting, lines)?;
        let Some(unwinding) = &mut self.unwinding else {
            return Err(line.error("the part about the entry function comes first"));
        };
        unwinding.inner.push(ActivationProof { calls, invariants, scripts });
        Ok(())
    }

    /// What stands until `end`: claims about a function, and scripts of an unwinding. `waiting`: the functions of the activation
    /// and of those that wait for it.
    fn function<'t>(
        &self,
        head: &Line<'t>,
        name: &str,
        waiting: &[FuncId],
        lines: &mut Lines<'t>,
    ) -> Result<(FunctionProof, Vec<Vec<u32>>), Diagnostic> {
        let found =
            self.program.functions.iter_enumerated().find(|(_, f)| show_name(&f.name) == name || f.name == name);
        let Some((func, function)) = found else { return Err(head.error(format!("there is no function {name}"))) };
        if function.body.is_none() {
            return Err(head.error(format!("the function {name} has no body")));
        }
        let scope = Scope::new(self.program, func);
        let outer: Vec<Scope> = waiting.iter().map(|&f| Scope::new(self.program, f)).collect();
        let mut proof = FunctionProof::new(func);
        let mut scripts = Vec::new();
        loop {
            let Some(line) = lines.next_line() else { return Err(head.error("the function's `end` is missing")) };
            let (word, rest) = line.split();
            match word {
                "end" => return Ok((proof, scripts)),
                "rounds" => scripts.push(rounds(&line, rest)?),
                "modifies" => self.modifies(&line, rest, &mut proof)?,
                "at" => self.invariant(&line, rest, &scope, &mut proof)?,
                _ if word.starts_with('#') => {
                    let expected = proof.nodes.next_id();
                    if word != expected.to_string() {
                        return Err(line.error(format!("formulas are numbered in order; this one is {expected}")));
                    }
                    let text = definition(&line, rest)?;
                    let node = match text.strip_prefix("outer ") {
                        Some(rest) => outer_atom(&line, rest, &outer)?,
                        None => node(&line, text, &scope, &proof)?,
                    };
                    proof.nodes.push(node);
                }
                _ => return Err(line.error("expected `modifies`, `at`, `rounds`, a formula `#N := …` or `end`")),
            }
        }
    }

    fn modifies(&self, line: &Line<'_>, rest: &str, proof: &mut FunctionProof) -> Result<(), Diagnostic> {
        for word in rest.split_whitespace() {
            let named = |g: &ir::Global| word.strip_prefix('@').is_some_and(|w| w == g.name || w == show_name(&g.name));
            let found = self.program.globals.iter_enumerated().find(|(_, g)| named(g));
            let (id, _) = found
                .ok_or_else(|| Diagnostic::error("proof", line.part(word), format!("there is no global {word}")))?;
            proof.modifies.insert(id);
        }
        Ok(())
    }

    fn invariant(
        &self,
        line: &Line<'_>,
        rest: &str,
        scope: &Scope,
        proof: &mut FunctionProof,
    ) -> Result<(), Diagnostic> {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let body = self.program.body(proof.func);
        let number = word.strip_prefix('L').and_then(|n| n.parse::<usize>().ok()).filter(|&n| n < body.locations.len());
        let loc: Loc =
            number.map(Loc::from_index).ok_or_else(|| line.error(format!("there is no location {word} here")))?;
        let text = definition(line, after.trim_start())?;
        let node = match reference(text, proof) {
            Some(id) => id,
            None => {
                let made = node(line, text, scope, proof)?;
                proof.nodes.push(made)
            }
        };
        if proof.invariants.insert(loc, node).is_some() {
            return Err(line.error(format!("{loc} has an invariant already")));
        }
        Ok(())
    }
}

/// The longest script that is read.
const MAX_SCRIPT: usize = 1 << 24;

/// The numbers of a script.
fn rounds(line: &Line<'_>, rest: &str) -> Result<Vec<u32>, Diagnostic> {
    let mut script = Vec::new();
    for word in rest.split_whitespace() {
        let (number, times) = word.split_once('*').unwrap_or((word, "1"));
        let (Ok(number), Ok(times)) = (number.parse::<u32>(), times.parse::<usize>()) else {
            return Err(Diagnostic::error("proof", line.part(word), "expected a number of rounds, such as 8 or 8*3"));
        };
        if script.len().saturating_add(times) > MAX_SCRIPT {
            return Err(line.error("there are too many numbers of rounds"));
        }
        script.extend(std::iter::repeat_n(number, times));
    }
    Ok(script)
}

/// What stands behind `:=`.
fn definition<'t>(line: &Line<'_>, rest: &'t str) -> Result<&'t str, Diagnostic> {
    rest.strip_prefix(":=").map(str::trim_start).ok_or_else(|| line.error("expected `:=`"))
}

/// The formula that `#N` names, if it is one that has been defined.
fn reference(text: &str, proof: &FunctionProof) -> Option<NodeId> {
    let number: usize = text.strip_prefix('#')?.parse().ok()?;
    (number < proof.nodes.len()).then(|| NodeId::from_index(number))
}

/// `N: EXPRESSION`, about the activation that waits `N` calls further out.
fn outer_atom(line: &Line<'_>, text: &str, outer: &[Scope]) -> Result<Node, Diagnostic> {
    let parts = text.split_once(':').and_then(|(n, e)| Some((n.trim().parse::<u32>().ok()?, e.trim())));
    let (out, text) = parts.ok_or_else(|| line.error("expected `outer N: EXPRESSION`"))?;
    let scope = outer.get(out as usize).filter(|_| out > 0);
    let scope = scope.ok_or_else(|| line.error(format!("no activation waits {out} calls further out")))?;
    Ok(Node::Outer(out, truth_value(line, text, scope)?))
}

fn node(line: &Line<'_>, text: &str, scope: &Scope, proof: &FunctionProof) -> Result<Node, Diagnostic> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = || -> Result<Vec<NodeId>, Diagnostic> {
        let all = rest.split_whitespace().map(|w| reference(w, proof)).collect::<Option<_>>();
        all.ok_or_else(|| line.error("an operand must be a formula defined above, such as #0"))
    };
    let is_formula = rest.trim_start().starts_with('#') || (rest.is_empty() && matches!(word, "and" | "or"));
    match word {
        "true" if rest.is_empty() => return Ok(Node::Const(true)),
        "false" if rest.is_empty() => return Ok(Node::Const(false)),
        "and" if is_formula => return operands().map(Node::And),
        "or" if is_formula => return operands().map(Node::Or),
        "not" if is_formula => {
            if let [a] = operands()?[..] {
                return Ok(Node::Not(a));
            }
            return Err(line.error("`not` has one operand"));
        }
        "ite" if is_formula => {
            if let [a, b, c] = operands()?[..] {
                return Ok(Node::Ite(a, b, c));
            }
            return Err(line.error("`ite` has three operands"));
        }
        _ => {}
    }
    if text.is_empty() {
        return Err(line.error("an expression is missing"));
    }
    truth_value(line, text, scope).map(Node::Atom)
}

fn truth_value(line: &Line<'_>, text: &str, scope: &Scope) -> Result<Expr, Diagnostic> {
    let e = scope.parse(text, line.part(text))?;
    if e.ty != Ty::Bool {
        return Err(Diagnostic::error("proof", line.part(text), "an invariant must be a truth value"));
    }
    Ok(e)
}

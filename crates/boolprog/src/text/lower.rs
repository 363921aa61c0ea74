//! From the syntax tree to the flat form: names resolved, control made explicit, every mistake reported once.
//!
//! Desugaring decided here: an `if` arm that is one plain `goto` becomes a target of the branch; falling off the end
//! returns arbitrary values; an `enforce` with next-state variables constrains every statement of its procedure; every
//! jump target gets a label, so that the canonical print reads back as the same program.

use super::parser::refusal;
use super::syntax::{Decl, ExprKind, ExprText, File, Item, Name, ProcText, StmtText};
use crate::program::{Expr, GlobalId, LocalId, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var, VarDecl};
use base::{Diagnostic, Id, IndexVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Getafix's convention: threads are procedures `thread0`, …, started after `init`, which ends at `endinit`.
pub(super) fn concurrency(file: &File) -> Option<Diagnostic> {
    let init = file.procs.iter().find(|p| p.name.text == "init")?;
    let is_thread = |p: &&ProcText| {
        let name = p.name.text.to_ascii_lowercase();
        name.strip_prefix("thread").is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    if let Some(thread) = file.procs.iter().find(is_thread) {
        return Some(refusal(&thread.name.text, thread.name.span));
    }
    let label = init.body.iter().flat_map(|i| &i.labels).find(|l| l.text == "endinit")?;
    Some(refusal("endinit", label.span))
}

struct Signature {
    id: ProcId,
    span: Span,
    n_formals: usize,
    n_returns: usize,
}

pub(super) fn lower(file: File) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut globals: FxHashMap<String, (Var, Span)> = FxHashMap::default();
    let mut global_decls = IndexVec::new();
    for d in &file.globals {
        let id: GlobalId = global_decls.next_id();
        if declare(&mut globals, &mut errors, &d.name, Var::Global(id)) {
            global_decls.push(VarDecl { name: d.name.text.clone(), init: d.init });
        }
    }
    let mut signatures: FxHashMap<String, Signature> = FxHashMap::default();
    for (i, p) in file.procs.iter().enumerate() {
        if let Some(first) = signatures.get(&p.name.text) {
            let message = format!("procedure `{}` is defined twice", p.name.text);
            let error = Diagnostic::error("duplicate", p.name.span, message);
            errors.push(error.with_note("the first definition is here", Some(first.span)));
            continue;
        }
        let (id, span) = (ProcId::from_index(i), p.name.span);
        let signature = Signature { id, span, n_formals: p.formals.len(), n_returns: p.n_returns };
        signatures.insert(p.name.text.clone(), signature);
    }
    let entry = signatures.get("main").map(|s| s.id);
    if let Some(main) = signatures.get("main")
        && main.n_formals > 0
    {
        errors.push(Diagnostic::error("entry", main.span, "the entry procedure `main` must not have parameters"));
    }
    let mut procs = IndexVec::new();
    for p in file.procs {
        let mut ctx = Lowering::new(&globals, &signatures, &mut errors, &p);
        ctx.body(&p.body);
        procs.push(ctx.finish(p));
    }
    let Some(entry) = entry else {
        if errors.is_empty() {
            let at = Span::new(file.span.file, file.span.lo, file.span.lo);
            errors.push(Diagnostic::error("entry", at, "the program has no procedure `main`"));
        }
        return Err(errors);
    };
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut program = Program { globals: global_decls, procs, entry };
    program.label_targets();
    Ok(program)
}

fn declare(scope: &mut FxHashMap<String, (Var, Span)>, errors: &mut Vec<Diagnostic>, name: &Name, var: Var) -> bool {
    if matches!(name.text.as_str(), "T" | "F" | "true" | "false" | "_") {
        let message = format!("`{}` is reserved and cannot be declared", name.text);
        errors.push(Diagnostic::error("reserved", name.span, message));
        return false;
    }
    if let Some((_, first)) = scope.get(&name.text) {
        let error = Diagnostic::error("duplicate", name.span, format!("`{}` is declared twice", name.text));
        errors.push(error.with_note("the first declaration is here", Some(*first)));
        return false;
    }
    scope.insert(name.text.clone(), (var, name.span));
    true
}

/// A place in the body that may not have been emitted yet.
type Anchor = usize;

/// Statements whose targets are still anchors: a statement and its targets in order.
struct Draft {
    stmt: Stmt,
    targets: Vec<Anchor>,
}

struct Lowering<'a> {
    globals: &'a FxHashMap<String, (Var, Span)>,
    signatures: &'a FxHashMap<String, Signature>,
    errors: &'a mut Vec<Diagnostic>,
    locals: FxHashMap<String, (Var, Span)>,
    local_decls: IndexVec<LocalId, VarDecl>,
    n_returns: usize,
    proc_name: String,
    drafts: Vec<Draft>,
    anchors: Vec<Option<usize>>,
    labels: FxHashMap<String, (Anchor, Option<Span>)>,
    label_order: Vec<(String, Anchor)>,
    jumps: Vec<(Name, Anchor)>,
    enforce: Vec<Expr>,
    enforce_steps: Vec<Expr>,
    undeclared: FxHashSet<String>,
    /// Whether `'x` may be used where we are.
    primes: bool,
}

impl<'a> Lowering<'a> {
    fn new(
        globals: &'a FxHashMap<String, (Var, Span)>,
        signatures: &'a FxHashMap<String, Signature>,
        errors: &'a mut Vec<Diagnostic>,
        p: &ProcText,
    ) -> Lowering<'a> {
        let mut ctx = Lowering {
            globals,
            signatures,
            errors,
            locals: FxHashMap::default(),
            local_decls: IndexVec::new(),
            n_returns: p.n_returns,
            proc_name: p.name.text.clone(),
            drafts: Vec::new(),
            anchors: Vec::new(),
            labels: FxHashMap::default(),
            label_order: Vec::new(),
            jumps: Vec::new(),
            enforce: Vec::new(),
            enforce_steps: Vec::new(),
            undeclared: FxHashSet::default(),
            primes: false,
        };
        for name in &p.formals {
            ctx.declare_local(&Decl { name: name.clone(), init: None });
        }
        // Declarations may stand anywhere and hold in the whole procedure.
        ctx.declare_all(&p.body, true);
        ctx
    }

    fn declare_local(&mut self, d: &Decl) {
        let id = self.local_decls.next_id();
        if declare(&mut self.locals, self.errors, &d.name, Var::Local(id)) {
            self.local_decls.push(VarDecl { name: d.name.text.clone(), init: d.init });
        }
    }

    /// `head`: only declarations seen so far, so that an initial value holds from the entry on.
    fn declare_all(&mut self, items: &[Item], mut head: bool) {
        for item in items {
            match &item.stmt {
                StmtText::Decl(decls) => {
                    for d in decls {
                        let init = d.init.filter(|_| head);
                        self.declare_local(&Decl { name: d.name.clone(), init });
                    }
                }
                StmtText::Enforce(_) => {}
                StmtText::If(arms, otherwise) => {
                    head = false;
                    for (_, body) in arms {
                        self.declare_all(body, false);
                    }
                    self.declare_all(otherwise, false);
                }
                StmtText::While(_, body) | StmtText::DoWhile(body, _) | StmtText::Block(body) => {
                    head = false;
                    self.declare_all(body, false);
                }
                _ => head = false,
            }
        }
    }

    fn anchor(&mut self) -> Anchor {
        self.anchors.push(None);
        self.anchors.len() - 1
    }

    fn place(&mut self, a: Anchor) {
        self.anchors[a] = Some(self.drafts.len());
    }

    fn emit(&mut self, kind: StmtKind, targets: Vec<Anchor>, item: &Item) {
        self.primes = true;
        let constrain = item.constrain.as_ref().map(|c| self.expr(c));
        self.primes = false;
        let stmt = Stmt { kind, constrain, tag: None, span: Some(item.span) };
        self.drafts.push(Draft { stmt, targets });
    }

    fn body(&mut self, items: &[Item]) {
        let mut head = true;
        for item in items {
            self.item(item, &mut head);
        }
    }

    fn nested(&mut self, items: &[Item]) {
        let mut head = false;
        for item in items {
            self.item(item, &mut head);
        }
    }

    fn item(&mut self, item: &Item, head: &mut bool) {
        for label in &item.labels {
            self.define_label(label);
        }
        let silent = matches!(item.stmt, StmtText::Decl(_) | StmtText::Enforce(_));
        if !silent {
            *head = false;
        }
        match &item.stmt {
            StmtText::Skip => self.emit(StmtKind::Skip, Vec::new(), item),
            StmtText::Goto(names) => {
                let targets = names.iter().map(|n| self.jump(n)).collect();
                self.emit(StmtKind::Goto(Vec::new()), targets, item);
            }
            StmtText::Return(values) => {
                let kind = self.return_values(values, item);
                self.emit(kind, Vec::new(), item);
            }
            StmtText::Assign(targets, values) => {
                let kind = self.assign(targets, values, item);
                self.emit(kind, Vec::new(), item);
            }
            StmtText::Call(targets, callee, args) => {
                let kind = self.call(targets, callee, args);
                self.emit(kind, Vec::new(), item);
            }
            StmtText::If(arms, otherwise) => self.if_stmt(arms, otherwise, item),
            StmtText::While(cond, body) => self.while_stmt(cond, body, item),
            StmtText::DoWhile(body, cond) => {
                let (start, exit) = (self.anchor(), self.anchor());
                self.place(start);
                self.nested(body);
                let cond = self.expr(cond);
                self.emit(
                    StmtKind::Branch(cond, StmtId::from_index(0), StmtId::from_index(0)),
                    vec![start, exit],
                    item,
                );
                self.place(exit);
            }
            StmtText::Block(body) => self.nested(body),
            StmtText::Assume(e) => {
                let e = self.expr(e);
                self.emit(StmtKind::Assume(e), Vec::new(), item);
            }
            StmtText::Assert(e) => {
                let e = self.expr(e);
                self.emit(StmtKind::Assert(e), Vec::new(), item);
            }
            StmtText::Print(values) => {
                let values = values.iter().map(|e| self.expr(e)).collect();
                self.emit(StmtKind::Print(values), Vec::new(), item);
            }
            StmtText::Dead(names) => {
                let vars = names.iter().filter_map(|n| self.var(&n.text, n.span)).collect();
                self.emit(StmtKind::Dead(vars), Vec::new(), item);
            }
            StmtText::Decl(decls) => {
                if !*head {
                    self.late_initial_values(decls, item);
                }
            }
            StmtText::Enforce(e) => {
                self.primes = true;
                let e = self.expr(e);
                self.primes = false;
                if e.next_vars().is_empty() { self.enforce.push(e) } else { self.enforce_steps.push(e) }
            }
        }
    }

    /// A declaration after the first statement: its initial values are assigned where it stands.
    fn late_initial_values(&mut self, decls: &[Decl], item: &Item) {
        let pairs: Vec<_> =
            decls.iter().filter_map(|d| Some((Some(self.locals.get(&d.name.text)?.0), Expr::Const(d.init?)))).collect();
        if !pairs.is_empty() {
            self.emit(StmtKind::Assign(pairs), Vec::new(), item);
        }
    }

    /// The target of an arm that is nothing but an unlabelled `goto L`.
    fn plain_goto(items: &[Item]) -> Option<&Name> {
        match items {
            [Item { labels, stmt: StmtText::Goto(names), constrain: None, .. }] if labels.is_empty() => {
                if let [name] = &names[..] { Some(name) } else { None }
            }
            _ => None,
        }
    }

    fn if_stmt(&mut self, arms: &[(ExprText, Vec<Item>)], otherwise: &[Item], item: &Item) {
        let exit = self.anchor();
        for (i, (cond, body)) in arms.iter().enumerate() {
            let cond = self.expr(cond);
            let last = i + 1 == arms.len();
            let plain = Self::plain_goto(body).map(|n| self.jump(n));
            let yes = plain.unwrap_or_else(|| self.anchor());
            let plain_else = if last { Self::plain_goto(otherwise).map(|n| self.jump(n)) } else { None };
            let no = match plain_else {
                Some(target) => target,
                None if last && otherwise.is_empty() => exit,
                None => self.anchor(),
            };
            let branch = StmtKind::Branch(cond, StmtId::from_index(0), StmtId::from_index(0));
            self.emit(branch, vec![yes, no], item);
            if plain.is_none() {
                self.place(yes);
                self.nested(body);
                if no != exit && plain_else.is_none() && self.falls_through() {
                    self.drafts.push(Draft {
                        stmt: Stmt { span: Some(item.span), ..Stmt::new(StmtKind::Goto(Vec::new())) },
                        targets: vec![exit],
                    });
                }
            }
            if no != exit && plain_else.is_none() {
                self.place(no);
            }
            if last && plain_else.is_none() {
                self.nested(otherwise);
            }
        }
        self.place(exit);
    }

    /// Whether control can come to the end of what has been emitted.
    fn falls_through(&self) -> bool {
        let end = Some(self.drafts.len());
        self.drafts.last().is_none_or(|d| d.stmt.kind.falls_through()) || self.anchors.contains(&end)
    }

    fn while_stmt(&mut self, cond: &ExprText, body: &[Item], item: &Item) {
        let (start, yes, exit) = (self.anchor(), self.anchor(), self.anchor());
        self.place(start);
        let cond = self.expr(cond);
        self.emit(StmtKind::Branch(cond, StmtId::from_index(0), StmtId::from_index(0)), vec![yes, exit], item);
        self.place(yes);
        self.nested(body);
        if self.falls_through() {
            self.drafts.push(Draft {
                stmt: Stmt { span: Some(item.span), ..Stmt::new(StmtKind::Goto(Vec::new())) },
                targets: vec![start],
            });
        }
        self.place(exit);
    }

    fn return_values(&mut self, values: &[ExprText], item: &Item) -> StmtKind {
        let exprs: Vec<Expr> = values.iter().map(|e| self.expr(e)).collect();
        if exprs.is_empty() {
            return StmtKind::Return(vec![Expr::Nondet; self.n_returns]);
        }
        if exprs.len() != self.n_returns {
            let (name, want, got) = (&self.proc_name, self.n_returns, exprs.len());
            let message = format!("`{name}` returns {}, found {got}", count(want, "value"));
            self.errors.push(Diagnostic::error("return-count", item.span, message));
        }
        StmtKind::Return(exprs)
    }

    fn assign(&mut self, targets: &[Option<Name>], values: &[ExprText], item: &Item) -> StmtKind {
        if targets.len() != values.len() {
            let message = format!("{} assigned to {}", count(values.len(), "value"), count(targets.len(), "target"));
            self.errors.push(Diagnostic::error("assign-count", item.span, message));
        }
        let values: Vec<Expr> = values.iter().map(|e| self.expr(e)).collect();
        let targets = self.targets(targets);
        StmtKind::Assign(targets.into_iter().zip(values).collect())
    }

    fn targets(&mut self, targets: &[Option<Name>]) -> Vec<Option<Var>> {
        let mut seen = Vec::new();
        let mut out = Vec::new();
        for t in targets {
            let var = t.as_ref().and_then(|n| self.var(&n.text, n.span));
            if let (Some(v), Some(n)) = (var, t) {
                if seen.contains(&v) {
                    let message = format!("`{}` is assigned twice in one statement", n.text);
                    self.errors.push(Diagnostic::error("assigned-twice", n.span, message));
                }
                seen.push(v);
            }
            out.push(var);
        }
        out
    }

    fn call(&mut self, targets: &[Option<Name>], callee: &Name, args: &[ExprText]) -> StmtKind {
        let Some(sig) = self.signatures.get(&callee.text) else {
            // TACAS01 prints `choose` as `H` and leaves its definition out.
            if let ("H", [p, n], [target]) = (callee.text.as_str(), args, targets) {
                let value = Expr::Choose(Box::new(self.expr(p)), Box::new(self.expr(n)));
                let target = self.targets(std::slice::from_ref(target)).remove(0);
                return StmtKind::Assign(vec![(target, value)]);
            }
            let message = format!("procedure `{}` is not defined", callee.text);
            self.errors.push(Diagnostic::error("undefined", callee.span, message));
            return StmtKind::Skip;
        };
        let (id, span, formals, returns) = (sig.id, sig.span, sig.n_formals, sig.n_returns);
        if args.len() != formals {
            let message = format!("`{}` takes {}, found {}", callee.text, count(formals, "argument"), args.len());
            let error = Diagnostic::error("argument-count", callee.span, message);
            self.errors.push(error.with_note("it is defined here", Some(span)));
        }
        if !targets.is_empty() && targets.len() != returns {
            let (want, got) = (count(returns, "value"), count(targets.len(), "target"));
            let message = format!("`{}` returns {want}, but there is {got}", callee.text);
            let error = Diagnostic::error("return-count", callee.span, message);
            self.errors.push(error.with_note("it is defined here", Some(span)));
        }
        let args = args.iter().map(|e| self.expr(e)).collect();
        let mut results = self.targets(targets);
        if results.iter().all(Option::is_none) {
            // `_, _ := f()` and `f()` are one thing.
            results.clear();
        }
        StmtKind::Call { callee: id, args, results }
    }

    fn label_anchor(&mut self, name: &str) -> Anchor {
        if let Some((a, _)) = self.labels.get(name) {
            return *a;
        }
        let a = self.anchor();
        self.labels.insert(name.to_owned(), (a, None));
        a
    }

    fn define_label(&mut self, name: &Name) {
        let a = self.label_anchor(&name.text);
        if let Some((_, Some(first))) = self.labels.get(&name.text) {
            let message = format!("label `{}` is defined twice in `{}`", name.text, self.proc_name);
            let error = Diagnostic::error("duplicate", name.span, message);
            let error = error.with_note("the first definition is here", Some(*first));
            self.errors.push(error);
            return;
        }
        self.labels.insert(name.text.clone(), (a, Some(name.span)));
        self.label_order.push((name.text.clone(), a));
        self.place(a);
    }

    fn jump(&mut self, name: &Name) -> Anchor {
        let a = self.label_anchor(&name.text);
        self.jumps.push((name.clone(), a));
        a
    }

    fn var(&mut self, name: &str, span: Span) -> Option<Var> {
        if let Some((v, _)) = self.locals.get(name).or_else(|| self.globals.get(name)) {
            return Some(*v);
        }
        if self.undeclared.insert(name.to_owned()) {
            let message = format!("variable `{name}` is not declared");
            self.errors.push(Diagnostic::error("undeclared", span, message));
        }
        None
    }

    fn expr(&mut self, e: &ExprText) -> Expr {
        let pair = |ctx: &mut Self, a: &ExprText, b: &ExprText| (Box::new(ctx.expr(a)), Box::new(ctx.expr(b)));
        match &e.kind {
            ExprKind::Const(b) => Expr::Const(*b),
            ExprKind::Nondet => Expr::Nondet,
            ExprKind::Name(name) => self.var(name, e.span).map_or(Expr::Nondet, Expr::Var),
            ExprKind::Next(name) => {
                if !self.primes {
                    let message = format!("the next state `'{name}` can be used in `constrain` and `enforce` only");
                    self.errors.push(Diagnostic::error("next-state", e.span, message));
                }
                self.var(name, e.span).map_or(Expr::Nondet, Expr::Next)
            }
            ExprKind::Not(a) => Expr::not(self.expr(a)),
            ExprKind::And(v) => Expr::and(v.iter().map(|a| self.expr(a)).collect::<Vec<_>>()),
            ExprKind::Or(v) => Expr::or(v.iter().map(|a| self.expr(a)).collect::<Vec<_>>()),
            ExprKind::Xor(a, b) => {
                let (a, b) = pair(self, a, b);
                Expr::Xor(a, b)
            }
            ExprKind::Eq(a, b) => {
                let (a, b) = pair(self, a, b);
                Expr::Eq(a, b)
            }
            ExprKind::Implies(a, b) => {
                let (a, b) = pair(self, a, b);
                Expr::Implies(a, b)
            }
            ExprKind::Choose(a, b) => {
                let (a, b) = pair(self, a, b);
                Expr::Choose(a, b)
            }
            ExprKind::Ite(c, a, b) => {
                let c = Box::new(self.expr(c));
                let (a, b) = pair(self, a, b);
                Expr::Ite(c, a, b)
            }
            ExprKind::Call(name, args) => {
                if let ("H", [p, n], None) = (name.text.as_str(), &args[..], self.signatures.get("H")) {
                    let (p, n) = pair(self, p, n);
                    return Expr::Choose(p, n);
                }
                let message = format!("the call of `{}` must be a statement of its own", name.text);
                self.errors.push(Diagnostic::error("nested-call", e.span, message));
                Expr::Nondet
            }
        }
    }

    fn finish(mut self, p: ProcText) -> Proc {
        if self.falls_through() {
            let exprs = vec![Expr::Nondet; p.n_returns];
            let stmt = Stmt { span: Some(p.name.span), ..Stmt::new(StmtKind::Return(exprs)) };
            self.drafts.push(Draft { stmt, targets: Vec::new() });
        }
        for (name, anchor) in &self.jumps {
            if self.anchors[*anchor].is_none() && self.undeclared.insert(format!("goto {}", name.text)) {
                let message = format!("label `{}` is not defined in `{}`", name.text, self.proc_name);
                self.errors.push(Diagnostic::error("missing-label", name.span, message));
            }
        }
        let anchors = self.anchors;
        let at = |a: Anchor| StmtId::from_index(anchors[a].unwrap_or(0));
        let mut body: IndexVec<StmtId, Stmt> = IndexVec::new();
        for Draft { mut stmt, targets } in self.drafts {
            match &mut stmt.kind {
                StmtKind::Goto(to) => *to = targets.iter().map(|&a| at(a)).collect(),
                StmtKind::Branch(_, yes, no) => (*yes, *no) = (at(targets[0]), at(targets[1])),
                _ => {}
            }
            if !self.enforce_steps.is_empty() {
                stmt.constrain = Some(Expr::and(stmt.constrain.into_iter().chain(self.enforce_steps.iter().cloned())));
            }
            body.push(stmt);
        }
        let mut labels: Vec<(String, StmtId)> = self.label_order.into_iter().map(|(n, a)| (n, at(a))).collect();
        labels.sort_by_key(|(_, s)| *s);
        let enforce = if self.enforce.is_empty() { None } else { Some(Expr::and(self.enforce)) };
        Proc {
            name: p.name.text,
            locals: self.local_decls,
            n_formals: p.formals.len(),
            n_returns: p.n_returns,
            enforce,
            body,
            labels,
        }
    }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

impl Program {
    /// Gives every jump target that has no label one of the form `s<number>`, so that it can be printed.
    pub(crate) fn label_targets(&mut self) {
        let ids: Vec<ProcId> = self.procs.ids().collect();
        for id in ids {
            let proc = &mut self.procs[id];
            let mut targets: Vec<StmtId> = Vec::new();
            for stmt in &proc.body {
                match &stmt.kind {
                    StmtKind::Goto(to) => targets.extend(to),
                    StmtKind::Branch(_, yes, no) => targets.extend([yes, no]),
                    _ => {}
                }
            }
            targets.sort_unstable();
            targets.dedup();
            let has_label: FxHashSet<StmtId> = proc.labels.iter().map(|(_, s)| *s).collect();
            let mut taken: FxHashSet<String> = proc.labels.iter().map(|(n, _)| n.clone()).collect();
            for t in targets.into_iter().filter(|t| !has_label.contains(t)) {
                let mut name = format!("s{}", t.index());
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                proc.labels.push((name, t));
            }
            proc.labels.sort_by_key(|(_, s)| *s);
        }
    }
}

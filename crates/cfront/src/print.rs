//! The typed tree as text, for people and for tests: one line per statement, expressions as nested forms with the type of
//! everything that is not obvious from its operands. Not meant to be read back.

use crate::tree::{CastKind, ExprId, ExprKind, FuncId, InitId, InitValue, Linkage, StmtId, StmtKind, Unit, VarId};
use crate::types::TypeId;
use std::fmt::Write;

/// Prints the global variables and the functions of a unit.
pub fn print(unit: &Unit) -> String {
    let mut p = Printer { u: unit, out: String::new() };
    for (id, v) in unit.vars.iter_enumerated() {
        if v.owner.is_none() && v.storage != crate::tree::Storage::Param {
            p.global(id);
        }
    }
    for id in unit.funcs.ids() {
        p.function(id);
    }
    p.out
}

struct Printer<'u> {
    u: &'u Unit,
    out: String,
}

impl Printer<'_> {
    fn ty(&self, t: TypeId) -> String {
        self.u.types.display(t, &self.u.symbols)
    }

    fn var(&self, v: VarId) -> String {
        match self.u.vars[v].name {
            Some(n) => self.u.name(n).to_owned(),
            None => v.to_string(),
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", 2 * indent);
    }

    fn global(&mut self, id: VarId) {
        let v = &self.u.vars[id];
        let init = v.init.map_or(String::new(), |i| format!(" = {}", self.init(i)));
        let text = format!("{:?} {}: {}{init}", v.definition, self.var(id), self.ty(v.ty));
        self.line(0, &text);
    }

    fn function(&mut self, id: FuncId) {
        let f = &self.u.funcs[id];
        let what = match (f.body, f.implicit) {
            (Some(_), _) => "define",
            (None, true) => "implicit",
            (None, false) => "declare",
        };
        let hidden = if f.linkage == Linkage::Internal { "static " } else { "" };
        let params: Vec<String> = f.params.iter().map(|&p| self.var(p)).collect();
        let text = format!("{what} {hidden}{}({}): {}", self.u.name(f.name), params.join(", "), self.ty(f.ty));
        self.line(0, &text);
        if let Some(body) = f.body {
            self.stmt(body, 1);
        }
    }

    fn init(&self, id: InitId) -> String {
        let init = &self.u.inits[id];
        let mut parts: Vec<String> = Vec::new();
        if init.zero {
            parts.push("zero".into());
        }
        for e in &init.entries {
            let bits = e.bits.map_or(String::new(), |b| format!(" bits {}+{}", b.lo, b.width));
            let times = if e.repeat == 1 { String::new() } else { format!(" x{} every {}", e.repeat, e.stride) };
            let value = match e.value {
                InitValue::Expr(x) => self.expr(x),
                InitValue::Str(s) => format!("{:?}", String::from_utf8_lossy(&self.u.strings[s].bytes)),
            };
            parts.push(format!("@{}{bits}{times} {} {value}", e.offset, self.ty(e.ty)));
        }
        format!("{{{}}}", parts.join("; "))
    }

    fn stmt(&mut self, id: StmtId, n: usize) {
        let u = self.u;
        match &u.stmts[id].kind {
            StmtKind::Expr(e) => self.line(n, &self.expr(*e)),
            StmtKind::Decl(v) => {
                let var = &u.vars[*v];
                let init = var.init.map_or(String::new(), |i| format!(" = {}", self.init(i)));
                self.line(n, &format!("decl {}: {}{init}", self.var(*v), self.ty(var.ty)));
            }
            StmtKind::Block(items) => {
                self.line(n, "{");
                items.iter().for_each(|&s| self.stmt(s, n + 1));
                self.line(n, "}");
            }
            StmtKind::If(..) => self.if_chain(id, n),
            StmtKind::While(c, body) => {
                self.line(n, &format!("while {}", self.expr(*c)));
                self.stmt(*body, n + 1);
            }
            StmtKind::DoWhile(body, c) => {
                self.line(n, "do");
                self.stmt(*body, n + 1);
                self.line(n, &format!("while {}", self.expr(*c)));
            }
            StmtKind::For(f) => {
                let part = |e: Option<ExprId>| e.map_or("-".to_owned(), |e| self.expr(e));
                self.line(n, &format!("for cond {} step {}", part(f.cond), part(f.step)));
                f.init.iter().for_each(|&s| self.stmt(s, n + 1));
                self.stmt(f.body, n + 1);
            }
            StmtKind::Switch(s) => {
                self.line(n, &format!("switch {}", self.expr(u.switches[*s].value)));
                self.stmt(u.switches[*s].body, n + 1);
            }
            StmtKind::Case(c) => self.line(n, &format!("case {}..={}", u.cases[*c].lo, u.cases[*c].hi)),
            StmtKind::Default(_) => self.line(n, "default"),
            StmtKind::Label(l) => self.line(n, &format!("label {}", u.name(u.labels[*l].name))),
            StmtKind::Goto(l) => self.line(n, &format!("goto {}", u.name(u.labels[*l].name))),
            StmtKind::GotoComputed(e) => self.line(n, &format!("goto *{}", self.expr(*e))),
            StmtKind::Break => self.line(n, "break"),
            StmtKind::Continue => self.line(n, "continue"),
            StmtKind::Return(e) => self.line(n, &format!("return {}", e.map_or(String::new(), |e| self.expr(e)))),
            StmtKind::Asm(a) => {
                let asm = &u.asms[*a];
                let ops = |list: &[crate::tree::AsmOperand]| {
                    list.iter()
                        .map(|o| format!("{} {}", o.constraint, self.expr(o.expr)))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let text = format!(
                    "asm {:?} : {} : {} : {:?}",
                    asm.template,
                    ops(&asm.outputs),
                    ops(&asm.inputs),
                    asm.clobbers
                );
                self.line(n, &text);
            }
            StmtKind::Empty => self.line(n, ";"),
            StmtKind::Unsupported(r) => self.line(n, &format!("unsupported {:?}", u.reasons[*r])),
        }
    }

    /// The chain of `else if` is a loop: it may be longer than any stack.
    fn if_chain(&mut self, first: StmtId, n: usize) {
        let mut word = "if";
        let mut next = Some(first);
        while let Some(id) = next {
            let StmtKind::If(c, then, els) = self.u.stmts[id].kind else {
                self.line(n, "else");
                self.stmt(id, n + 1);
                return;
            };
            self.line(n, &format!("{word} {}", self.expr(c)));
            self.stmt(then, n + 1);
            word = "else if";
            next = els;
        }
    }

    fn list(&self, items: &[ExprId]) -> String {
        items.iter().map(|&e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        let u = self.u;
        let e = &u.exprs[id];
        match e.kind {
            ExprKind::Var(v) => self.var(v),
            ExprKind::Func(f) => u.name(u.funcs[f].name).to_owned(),
            ExprKind::Deref(p) => format!("*{}", self.expr(p)),
            ExprKind::Member(base, i) => {
                let record = u.types.record(u.exprs[base].ty).map(|r| &u.types.records[r].fields[i as usize]);
                let name = record.and_then(|f| f.name).map_or_else(|| format!("#{i}"), |n| u.name(n).to_owned());
                format!("{}.{name}", self.expr(base))
            }
            ExprKind::Str(s) => format!("{:?}", String::from_utf8_lossy(&u.strings[s].bytes)),
            ExprKind::CompoundLiteral(v) => {
                let init = u.vars[v].init.map_or(String::new(), |i| self.init(i));
                format!("({}){init}", self.ty(e.ty))
            }
            ExprKind::Int(v) => match self.u.types.int_kind(e.ty) {
                Some(k) if k.signed() => format!("{}:{}", v as i64, self.ty(e.ty)),
                _ => format!("{v}:{}", self.ty(e.ty)),
            },
            ExprKind::Float(f) => format!("{}:{}", u.floats[f].text, self.ty(e.ty)),
            ExprKind::AddrOf(p) => format!("&{}", self.expr(p)),
            ExprKind::LabelAddr(l) => format!("&&{}", u.name(u.labels[l].name)),
            ExprKind::Unary(op, a) => format!("{op:?}({}):{}", self.expr(a), self.ty(e.ty)),
            ExprKind::Binary(op, a, b) => format!("{op:?}({}, {}):{}", self.expr(a), self.expr(b), self.ty(e.ty)),
            ExprKind::LogAnd(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::LogOr(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::Cond(c, a, b) => {
                format!("({} ? {} : {}):{}", self.expr(c), self.expr(a), self.expr(b), self.ty(e.ty))
            }
            ExprKind::Assign(a, b) => format!("{} = {}", self.expr(a), self.expr(b)),
            ExprKind::AssignOp { op, lhs, rhs, comp } => {
                format!("{} {op:?}= {} in {}", self.expr(lhs), self.expr(rhs), self.ty(comp))
            }
            ExprKind::IncDec { op, place, comp } => format!("{op:?}({}) in {}", self.expr(place), self.ty(comp)),
            ExprKind::Call(f, args) => {
                let callee = match u.direct_callee(f) {
                    Some(id) => u.name(u.funcs[id].name).to_owned(),
                    None => format!("[{}]", self.expr(f)),
                };
                format!("{callee}({}):{}", self.list(u.list(args)), self.ty(e.ty))
            }
            ExprKind::Builtin(op, args) => format!("{op:?}({}):{}", self.list(u.list(args)), self.ty(e.ty)),
            ExprKind::Comma(a, b) => format!("({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Cast(CastKind::ToBool, a, false) => format!("test({})", self.expr(a)),
            ExprKind::Cast(kind, a, explicit) => {
                let mark = if explicit { "!" } else { "" };
                format!("{kind:?}{mark}<{}>({})", self.ty(e.ty), self.expr(a))
            }
            ExprKind::StmtExpr(body, value) => {
                let mut inner = Printer { u, out: String::new() };
                inner.stmt(body, 0);
                let text: Vec<&str> = inner.out.lines().map(str::trim).collect();
                format!("({} -> {})", text.join(" "), value.map_or("void".to_owned(), |v| self.expr(v)))
            }
            ExprKind::Let(v, init, body) => format!("let {v} = {} in {}", self.expr(init), self.expr(body)),
            ExprKind::Unsupported(r) => format!("unsupported {:?}:{}", u.reasons[r], self.ty(e.ty)),
        }
    }
}

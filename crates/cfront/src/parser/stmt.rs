//! Statements (C11 6.8, with GNU's additions). Labels and cases are markers in front of what they label, so chains of
//! them, of statements and of `else if` are read by loops.

use super::convert::Purpose;
use super::scope::Binding;
use super::{LabelState, Parser, R, Stop, SwitchContext};
use crate::symbol::Symbol;
use crate::token::{T, Token};
use crate::tree::{Asm, AsmOperand, Case, ForStmt, Label, LabelId, StmtId, StmtKind, Switch};
use crate::types::basic;
use base::Diagnostic;

impl Parser<'_> {
    /// `{ … }` in a scope of its own.
    pub(super) fn block(&mut self) -> R<StmtId> {
        let lo = self.tok.lo;
        self.scopes.push();
        let items = self.block_items()?;
        self.scopes.pop();
        let span = self.since(lo);
        Ok(self.stmt(StmtKind::Block(items.into()), span))
    }

    /// `{ … }` in the present scope; the braces are taken.
    pub(super) fn block_items(&mut self) -> R<Vec<StmtId>> {
        let open = self.expect(T::LBrace, "'{'")?;
        let mut items = Vec::new();
        let mut shadowed: Vec<(Symbol, Option<LabelState>)> = Vec::new();
        while self.at(T::Label) {
            self.local_labels(&mut shadowed)?;
        }
        while !self.at(T::RBrace) {
            if self.at(T::Eof) {
                self.close(T::RBrace, "a statement or '}'", open)?;
            }
            let start = self.start();
            if let Err(Stop) = self.block_item(&mut items) {
                self.goes_on_at(&start)?;
            }
        }
        self.bump();
        for (name, old) in shadowed.into_iter().rev() {
            let Some(f) = &mut self.function else { continue };
            let state = match old {
                Some(old) => f.labels.insert(name, old),
                None => f.labels.remove(&name),
            };
            let failed = self.function.as_ref().is_some_and(|f| f.failed);
            if let Some(s) = state.filter(|s| !s.defined && !failed) {
                self.undefined_label(s.id)?;
            }
        }
        Ok(items)
    }

    fn local_labels(&mut self, shadowed: &mut Vec<(Symbol, Option<LabelState>)>) -> R<()> {
        self.bump();
        loop {
            let t = self.expect(T::Ident, "a label")?;
            let id = self.new_label(t);
            if let Some(f) = &mut self.function {
                shadowed.push((t.sym, f.labels.insert(t.sym, LabelState { id, defined: false })));
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::Semi, "';'")?;
        Ok(())
    }

    fn block_item(&mut self, items: &mut Vec<StmtId>) -> R<()> {
        let is_label = self.at(T::Ident) && self.peek(1).kind == T::Colon;
        if self.at(T::StaticAssert) {
            return self.static_assert();
        }
        if !is_label && (self.starts_type(self.tok) || self.at(T::Extension) && self.extension_declaration()) {
            return self.nested(|p| p.declaration(items));
        }
        self.statement_into(items)
    }

    fn extension_declaration(&mut self) -> bool {
        let t = self.peek(1);
        self.starts_type(t) || t.kind == T::Extension
    }

    /// One statement as a single node.
    fn statement(&mut self) -> R<StmtId> {
        let lo = self.tok.lo;
        let mut items = Vec::new();
        self.statement_into(&mut items)?;
        if items.len() == 1 {
            return Ok(items[0]);
        }
        let span = self.since(lo);
        Ok(self.stmt(StmtKind::Block(items.into()), span))
    }

    /// One statement with the labels in front of it.
    fn statement_into(&mut self, items: &mut Vec<StmtId>) -> R<()> {
        loop {
            let lo = self.tok.lo;
            let first = self.tok.kind;
            let kind = match first {
                T::Case => self.case()?,
                T::Default => self.default()?,
                T::Ident if self.peek(1).kind == T::Colon => {
                    let name = self.bump();
                    self.bump();
                    if self.at(T::Attribute) {
                        self.skip_attributes()?;
                    }
                    StmtKind::Label(self.define_label(name)?)
                }
                _ => break,
            };
            let span = self.since(lo);
            items.push(self.stmt(kind, span));
            // A label may end a block, or stand before a declaration: there is then no statement to read.
            if self.at(T::RBrace) || self.starts_type(self.tok) && self.peek(1).kind != T::Colon {
                return Ok(());
            }
        }
        let s = self.nested(Self::plain_statement)?;
        items.push(s);
        Ok(())
    }

    fn plain_statement(&mut self) -> R<StmtId> {
        let t = self.tok;
        let kind = match t.kind {
            T::LBrace => return self.block(),
            T::Semi => {
                self.bump();
                StmtKind::Empty
            }
            // `__attribute__((fallthrough));`
            T::Attribute => {
                self.skip_attributes()?;
                return self.nested(Self::plain_statement);
            }
            // Each is a block of its own (C11 6.8.4, 6.8.5): a tag or enumerator may be declared in a `sizeof`.
            T::If => {
                self.scopes.push();
                let s = self.if_chain()?;
                self.scopes.pop();
                return Ok(s);
            }
            T::While => {
                self.scopes.push();
                self.bump();
                let c = self.parenthesized_condition()?;
                let body = self.loop_body()?;
                self.scopes.pop();
                StmtKind::While(c, body)
            }
            T::Do => {
                self.bump();
                let body = self.loop_body()?;
                self.expect(T::While, "'while'")?;
                let c = self.parenthesized_condition()?;
                self.expect(T::Semi, "';'")?;
                StmtKind::DoWhile(body, c)
            }
            T::For => {
                self.scopes.push();
                let f = self.for_statement()?;
                self.scopes.pop();
                f
            }
            T::Switch => {
                self.scopes.push();
                let s = self.switch()?;
                self.scopes.pop();
                s
            }
            T::Goto => self.goto()?,
            T::Break | T::Continue => {
                self.bump();
                self.expect(T::Semi, "';'")?;
                self.jump(t)?
            }
            T::Return => self.return_statement()?,
            T::Asm => {
                let kind = self.asm_statement()?;
                self.expect(T::Semi, "';'")?;
                kind
            }
            T::Else => {
                let span = self.span_of(t);
                return self.error("syntax", span, "'else' without a previous 'if'");
            }
            T::Ident if self.starts_handling(t) => return self.handling(t),
            T::Ident if self.scopes.lookup(t.sym).is_none() && self.peek(1).kind == T::Ident => {
                return self.unknown_type();
            }
            _ => {
                let e = self.expression()?;
                self.expect(T::Semi, "';'")?;
                StmtKind::Expr(e)
            }
        };
        let span = self.since(t.lo);
        Ok(self.stmt(kind, span))
    }

    /// Whether Microsoft's `__try {` or `__leave;` begins here.
    fn starts_handling(&mut self, t: Token) -> bool {
        let next = match self.lex.text(t) {
            "__try" => T::LBrace,
            "__leave" => T::Semi,
            _ => return false,
        };
        self.scopes.lookup(t.sym).is_none() && self.peek(1).kind == next
    }

    /// `__try { … } __finally { … }`, `__try { … } __except (…) { … }`, `__leave;`: read, and not supported where a run comes to it.
    fn handling(&mut self, t: Token) -> R<StmtId> {
        let word = self.lex.text(t).to_owned();
        let reason = self.unsupported(format!("structured exception handling (`{word}`)"));
        let word = self.bump();
        let at = self.span_of(word);
        let mut items = vec![self.stmt(StmtKind::Unsupported(reason), at)];
        if self.eat(T::Semi) {
            return Ok(items[0]);
        }
        items.push(self.block()?);
        match self.lex.text(self.tok) {
            "__finally" => {
                self.bump();
            }
            "__except" => {
                self.bump();
                let open = self.expect(T::LParen, "'('")?;
                let filter = self.expression()?;
                self.close(T::RParen, "')'", open)?;
                let span = self.since(t.lo);
                items.push(self.stmt(StmtKind::Expr(filter), span));
            }
            _ => return self.expected("`__finally` or `__except`"),
        }
        items.push(self.block()?);
        let span = self.since(t.lo);
        Ok(self.stmt(StmtKind::Block(items.into()), span))
    }

    fn parenthesized_condition(&mut self) -> R<crate::tree::ExprId> {
        let open = self.expect(T::LParen, "'('")?;
        let c = self.expression()?;
        let c = self.condition(c)?;
        self.close(T::RParen, "')'", open)?;
        Ok(c)
    }

    fn loop_body(&mut self) -> R<StmtId> {
        self.count_loop(1);
        let body = self.substatement()?;
        self.count_loop(-1);
        Ok(body)
    }

    /// A statement that is a block of its own.
    fn substatement(&mut self) -> R<StmtId> {
        self.scopes.push();
        let s = self.statement()?;
        self.scopes.pop();
        Ok(s)
    }

    fn count_loop(&mut self, n: isize) {
        if let Some(f) = &mut self.function {
            f.loops = f.loops.wrapping_add_signed(n);
            f.breakables = f.breakables.wrapping_add_signed(n);
        }
    }

    /// `if … else if … else …`, as long as it may be.
    fn if_chain(&mut self) -> R<StmtId> {
        let mut links = Vec::new();
        let mut last = None;
        loop {
            let lo = self.bump().lo;
            let c = self.parenthesized_condition()?;
            let then = self.substatement()?;
            links.push((lo, c, then));
            if !self.eat(T::Else) {
                break;
            }
            if !self.at(T::If) {
                last = Some(self.substatement()?);
                break;
            }
        }
        while let Some((lo, c, then)) = links.pop() {
            let span = self.since(lo);
            last = Some(self.stmt(StmtKind::If(c, then, last), span));
        }
        Ok(last.expect("an if chain has a link"))
    }

    fn for_statement(&mut self) -> R<StmtKind> {
        self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let lo = self.tok.lo;
        let init = if self.eat(T::Semi) {
            None
        } else if self.at(T::StaticAssert) {
            self.static_assert()?;
            None
        } else if self.starts_type(self.tok) || self.at(T::Extension) && self.extension_declaration() {
            let mut items = Vec::new();
            self.declaration(&mut items)?;
            let span = self.since(lo);
            Some(self.stmt(StmtKind::Block(items.into()), span))
        } else {
            let e = self.expression()?;
            self.expect(T::Semi, "';'")?;
            let span = self.span_at(e);
            Some(self.stmt(StmtKind::Expr(e), span))
        };
        let cond = if self.at(T::Semi) {
            None
        } else {
            let e = self.expression()?;
            Some(self.condition(e)?)
        };
        self.expect(T::Semi, "';'")?;
        let step = if self.at(T::RParen) { None } else { Some(self.expression()?) };
        self.close(T::RParen, "')'", open)?;
        let body = self.loop_body()?;
        Ok(StmtKind::For(Box::new(ForStmt { init, cond, step, body })))
    }

    fn switch(&mut self) -> R<StmtKind> {
        self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let e = self.expression()?;
        self.close(T::RParen, "')'", open)?;
        let e = self.value(e)?;
        if self.u.types.int_kind(self.ty(e)).is_none() {
            let span = self.span_at(e);
            return self.error("type", span, "switch quantity not an integer");
        }
        let value = self.promote(e)?;
        let ty = self.value_type(value);
        // The body is filled in when it has been read.
        let nowhere = self.u.stmts.next_id();
        let id = self.u.switches.push(Switch { value, body: nowhere, cases: Vec::new(), has_default: false });
        let Some(f) = &mut self.function else { return Ok(StmtKind::Empty) };
        f.switches.push(SwitchContext { id, ty, default: None, ranges: std::collections::BTreeMap::new() });
        f.breakables += 1;
        let body = self.statement()?;
        if let Some(f) = &mut self.function {
            f.breakables -= 1;
            f.switches.pop();
        }
        self.u.switches[id].body = body;
        Ok(StmtKind::Switch(id))
    }

    fn case(&mut self) -> R<StmtKind> {
        let t = self.bump();
        let lo = self.cond_expr()?;
        let hi = if self.eat(T::Ellipsis) { self.cond_expr()? } else { lo };
        self.expect(T::Colon, "':'")?;
        let span = self.since(t.lo);
        let (lo, hi) = (self.constant(lo, "case label")?, self.constant(hi, "case label")?);
        let target = self.u.types.target;
        let Some((switch, ty)) = self.function.as_ref().and_then(|f| f.switches.last()).map(|s| (s.id, s.ty)) else {
            return self.error("case", span, "case label not within a switch statement");
        };
        let kind = self.u.types.int_kind(ty).expect("a switch is over an integer");
        let (lo, hi) = (kind.wrap(lo, target), kind.wrap(hi, target));
        if lo <= hi
            && let Some(context) = self.function.as_mut().and_then(|f| f.switches.last_mut())
        {
            if let Some((_, &(_, first))) = context.ranges.range(..=hi).next_back().filter(|(_, (end, _))| *end >= lo) {
                let d = Diagnostic::error("case", span, "duplicate case value");
                return self.fail(d.with_note("previously used here", Some(first)));
            }
            context.ranges.insert(lo, (hi, span));
        }
        let id = self.u.cases.push(Case { lo, hi, switch, span });
        self.u.switches[switch].cases.push(id);
        Ok(StmtKind::Case(id))
    }

    fn default(&mut self) -> R<StmtKind> {
        let t = self.bump();
        self.expect(T::Colon, "':'")?;
        let span = self.span_of(t);
        let Some(context) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            return self.error("case", span, "'default' label not within a switch statement");
        };
        let (id, first) = (context.id, context.default.replace(span));
        if let Some(first) = first {
            let d = Diagnostic::error("case", span, "multiple default labels in one switch");
            return self.fail(d.with_note("this is the first default label", Some(first)));
        }
        self.u.switches[id].has_default = true;
        Ok(StmtKind::Default(id))
    }

    fn jump(&mut self, t: Token) -> R<StmtKind> {
        let span = self.span_of(t);
        let (loops, breakables) = self.function.as_ref().map_or((0, 0), |f| (f.loops, f.breakables));
        match t.kind {
            T::Break if breakables == 0 => self.error("jump", span, "break statement not within loop or switch"),
            T::Break => Ok(StmtKind::Break),
            _ if loops == 0 => self.error("jump", span, "continue statement not within a loop"),
            _ => Ok(StmtKind::Continue),
        }
    }

    fn goto(&mut self) -> R<StmtKind> {
        self.bump();
        let kind = if self.eat(T::Star) {
            let e = self.expression()?;
            let e = self.value(e)?;
            StmtKind::GotoComputed(e)
        } else {
            let t = self.expect(T::Ident, "a label or '*'")?;
            StmtKind::Goto(self.label_reference(t)?)
        };
        self.expect(T::Semi, "';'")?;
        Ok(kind)
    }

    fn return_statement(&mut self) -> R<StmtKind> {
        self.bump();
        let ret = self.function.as_ref().map_or(basic::VOID, |f| f.ret);
        if self.eat(T::Semi) {
            return Ok(StmtKind::Return(None));
        }
        let e = self.expression()?;
        self.expect(T::Semi, "';'")?;
        let e = if self.u.types.is_void(ret) {
            // gcc only warns about a value here: it is evaluated and dropped.
            let e = self.value(e)?;
            self.drop_value(e, false)
        } else {
            self.assign_cast(e, ret, Purpose::Return)?
        };
        Ok(StmtKind::Return(Some(e)))
    }

    // ---- Labels.

    fn new_label(&mut self, t: Token) -> LabelId {
        let span = self.span_of(t);
        let func = self.function.as_ref().map(|f| f.func).expect("labels occur in functions");
        self.u.labels.push(Label { name: t.sym, func, address_taken: false, span })
    }

    /// The label a `goto` means, defined or not yet.
    pub(super) fn label_reference(&mut self, t: Token) -> R<LabelId> {
        if let Some(s) = self.function.as_ref().and_then(|f| f.labels.get(&t.sym)) {
            return Ok(s.id);
        }
        let id = self.new_label(t);
        if let Some(f) = &mut self.function {
            f.labels.insert(t.sym, LabelState { id, defined: false });
        }
        Ok(id)
    }

    fn define_label(&mut self, t: Token) -> R<LabelId> {
        let id = self.label_reference(t)?;
        let span = self.span_of(t);
        let state = self.function.as_mut().and_then(|f| f.labels.get_mut(&t.sym));
        let defined = state.is_some_and(|s| std::mem::replace(&mut s.defined, true));
        if defined {
            let name = self.name(t.sym).to_owned();
            let first = self.u.labels[id].span;
            let d = Diagnostic::error("label", span, format!("duplicate label '{name}'"));
            return self.fail(d.with_note("previously defined here", Some(first)));
        }
        self.u.labels[id].span = span;
        Ok(id)
    }

    /// Stops because a label is used but nowhere defined.
    pub(super) fn undefined_label<X>(&mut self, id: LabelId) -> R<X> {
        let (name, span) = (self.name(self.u.labels[id].name).to_owned(), self.u.labels[id].span);
        self.error("label", span, format!("label '{name}' used but not defined"))
    }

    // ---- Inline assembly.

    /// `asm …(…)` without the semicolon.
    pub(super) fn asm_statement(&mut self) -> R<StmtKind> {
        self.bump();
        let mut asm = Asm {
            template: Box::default(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            volatile: false,
        };
        while matches!(self.tok.kind, T::Volatile | T::Inline | T::Goto | T::Const) {
            asm.volatile |= self.bump().kind == T::Volatile;
        }
        let open = self.expect(T::LParen, "'('")?;
        asm.template = self.string_text()?;
        if self.eat(T::Colon) {
            asm.outputs = self.asm_operands(true)?;
        }
        if self.eat(T::Colon) {
            asm.inputs = self.asm_operands(false)?;
        }
        if self.eat(T::Colon) {
            while self.at(T::Str) {
                asm.clobbers.push(self.string_text()?);
                self.eat(T::Comma);
            }
        }
        if self.eat(T::Colon) {
            while self.at(T::Ident) {
                let t = self.bump();
                let label = self.label_reference(t)?;
                self.u.labels[label].address_taken = true;
                asm.labels.push(label);
                self.eat(T::Comma);
            }
        }
        self.close(T::RParen, "')'", open)?;
        asm.volatile |= asm.outputs.is_empty();
        Ok(StmtKind::Asm(self.u.asms.push(asm)))
    }

    fn asm_operands(&mut self, output: bool) -> R<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while self.at(T::Str) || self.at(T::LBracket) {
            if self.eat(T::LBracket) {
                self.bump();
                self.expect(T::RBracket, "']'")?;
            }
            let constraint = self.string_text()?;
            let open = self.expect(T::LParen, "'('")?;
            let mut expr = self.expression()?;
            self.close(T::RParen, "')'", open)?;
            if output {
                let unsupported = matches!(self.u.exprs[expr].kind, crate::tree::ExprKind::Unsupported(_));
                if !self.u.is_place(expr) && !unsupported {
                    let span = self.span_at(expr);
                    return self.error("lvalue", span, "lvalue required in asm statement");
                }
            } else if !constraint.contains(['m', 'o', 'V']) || !self.u.is_place(expr) {
                expr = self.value(expr)?;
            }
            operands.push(AsmOperand { constraint, expr });
            if !self.eat(T::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// `_Static_assert(e, "text");`.
    pub(super) fn static_assert(&mut self) -> R<()> {
        let t = self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let e = self.cond_expr()?;
        let value = self.constant(e, "expression in static assertion")?;
        let text = if self.eat(T::Comma) { self.string_text()? } else { Box::default() };
        self.close(T::RParen, "')'", open)?;
        self.eat(T::Semi);
        if value == 0 {
            let span = self.since(t.lo);
            return self.error("static-assert", span, format!("static assertion failed: \"{text}\""));
        }
        Ok(())
    }

    /// Whether a name is a variable or function here (not a type).
    pub(super) fn is_object(&self, name: Symbol) -> bool {
        matches!(self.scopes.lookup(name), Some(Binding::Var(_) | Binding::Func(_)))
    }
}

//! Random statements.
//!
//! A region that a jump may enter in its middle (behind a case label or a goto label) declares nothing at its own
//! level (`decls` is false): declarations there go into a block of their own. Every loop has a counter that its body
//! cannot write.

use super::scope::VarId;
use super::{CheckPoint, Feature, Gen, Mode, check_mark};
use crate::ctypes::CType;

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Compound,
    IncDec,
    Call,
    Observe,
    Declare,
    Empty,
    Discard,
    If,
    While,
    DoWhile,
    For,
    ForEver,
    Switch,
    GotoForward,
    GotoBackward,
    GotoIntoLoop,
    SwitchIntoLoop,
    Block,
    Jump,
}

const SIMPLE: [(u64, Kind); 8] = [
    (20, Kind::Assign),
    (10, Kind::Compound),
    (5, Kind::IncDec),
    (7, Kind::Call),
    (12, Kind::Observe),
    (14, Kind::Declare),
    (1, Kind::Empty),
    (1, Kind::Discard),
];

const NESTED: [(u64, Kind); 12] = [
    (12, Kind::If),
    (5, Kind::While),
    (4, Kind::DoWhile),
    (7, Kind::For),
    (2, Kind::ForEver),
    (7, Kind::Switch),
    (3, Kind::GotoForward),
    (3, Kind::GotoBackward),
    (2, Kind::GotoIntoLoop),
    (2, Kind::SwitchIntoLoop),
    (3, Kind::Block),
    (6, Kind::Jump),
];

impl Gen<'_> {
    /// Statements of the current block.
    pub(super) fn items(&mut self, depth: u32, n: usize, decls: bool) {
        for _ in 0..n {
            self.stmt(depth, decls);
        }
    }

    /// A block with statements of its own.
    fn block(&mut self, depth: u32) {
        let n = 1 + self.rng.index(self.knobs.statements);
        self.scoped(|g| g.items(depth, n, true));
    }

    /// Runs `inside` between the opening and the closing of a scope, one level further in. Writes no braces.
    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (len, start) = (self.scope.len(), self.cx.block_start);
        self.cx.block_start = len;
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.scope.truncate(len);
        self.cx.block_start = start;
    }

    /// The body of an `if` or loop: a block, or one plain statement.
    fn body(&mut self, head: &str, depth: u32, tail: &str) {
        if self.rng.chance(20) {
            self.line(head);
            self.indent += 1;
            let kind = *self.rng.pick(&[Kind::Assign, Kind::Compound, Kind::IncDec, Kind::Observe, Kind::Call]);
            self.simple(kind);
            self.indent -= 1;
            if !tail.is_empty() {
                self.line(tail);
            }
        } else {
            self.line(&format!("{head} {{"));
            self.block(depth);
            self.line(format!("}} {tail}").trim_end());
        }
    }

    fn stmt(&mut self, depth: u32, decls: bool) {
        self.cx.charge(1);
        if self.cx.breakable && self.rng.chance(9) {
            return self.jump();
        }
        let tight = self.cx.cost > self.budget() / 2;
        let kind =
            if depth == 0 || tight || self.rng.chance(55) { self.weighted(&SIMPLE) } else { self.weighted(&NESTED) };
        match kind {
            Kind::Declare if decls => self.declaration(),
            Kind::Declare => {
                self.line("{");
                self.scoped(|g| {
                    g.declaration();
                    g.simple(Kind::Observe);
                });
                self.line("}");
            }
            Kind::Assign | Kind::Compound | Kind::IncDec | Kind::Call | Kind::Observe | Kind::Empty | Kind::Discard => {
                self.simple(kind);
            }
            Kind::If => self.if_stmt(depth - 1),
            Kind::Switch => self.switch(depth - 1),
            Kind::GotoForward => self.goto_forward(depth - 1),
            Kind::Block => {
                self.mark(Feature::Block);
                self.line("{");
                self.block(depth - 1);
                self.line("}");
            }
            Kind::Jump => self.jump(),
            Kind::While
            | Kind::DoWhile
            | Kind::For
            | Kind::ForEver
            | Kind::GotoBackward
            | Kind::GotoIntoLoop
            | Kind::SwitchIntoLoop => self.loop_stmt(kind, depth - 1, decls),
        }
    }

    /// One line without nested statements; never a declaration.
    fn simple(&mut self, kind: Kind) {
        let depth = self.knobs.expr_depth;
        let ex = match kind {
            Kind::Assign => self.assignment(depth),
            Kind::Compound => self.compound(depth),
            Kind::IncDec => self.inc_dec(),
            Kind::Call => {
                let call = self.call(depth, true);
                if call.is_some() {
                    self.mark(Feature::CallStmt);
                }
                call
            }
            Kind::Empty => None,
            Kind::Discard => {
                let e = self.expr(2);
                let inner = self.wrap(&e, 15);
                self.line(&format!("(void){inner};"));
                return;
            }
            _ => return self.observe(),
        };
        match ex {
            Some(e) => self.line(&format!("{};", e.text)),
            None if !matches!(kind, Kind::Empty | Kind::Assign) => self.simple(Kind::Assign),
            None => {
                self.mark(Feature::EmptyStmt);
                self.line(";");
            }
        }
    }

    /// Makes a value visible: mixes it into the checksum, or checks it, or draws a new input.
    fn observe(&mut self) {
        // Ending the run is an effect too: a pure function does not.
        if self.cx.pure_fn {
            return self.simple(Kind::Assign);
        }
        if self.closed() {
            let e = self.expr(self.knobs.expr_depth);
            let arg = self.wrap(&e, 2);
            return self.line(&format!("mix({arg});"));
        }
        match self.rng.below(10) {
            0..=2 if self.checks.len() < 3 => self.check_stmt(),
            3 => self.assume_stmt(),
            4..=6 => self.input_stmt(false),
            7..=9 if matches!(self.knobs.mode, Mode::Verdict { risky: true, .. }) => self.risky_stmt(),
            _ => self.simple(Kind::Assign),
        }
    }

    /// A check whose condition is chosen later.
    pub(super) fn check_stmt(&mut self) {
        // An expression over constants says nothing about the program.
        let mut e = self.pure_expr(self.knobs.expr_depth);
        for _ in 0..6 {
            if e.effects.reads_changing(&self.vars) {
                break;
            }
            e = self.pure_expr(self.knobs.expr_depth);
        }
        let expr = if e.prec == 16 { e.text } else { format!("({})", e.text) };
        self.mark(Feature::Check);
        self.line(&check_mark(self.checks.len()));
        self.checks.push(CheckPoint { expr, ty: e.ty.promoted() });
    }

    fn assume_stmt(&mut self) {
        let e = self.pure_expr(1);
        match self.rng.below(3) {
            0 => {
                self.mark(Feature::Assume);
                let arg = self.wrap(&e, 2);
                self.line(&format!("__VERIFIER_assume({arg});"));
            }
            1 => {
                self.mark(Feature::Abort);
                self.line(&format!("{{ if ({}) abort(); }}", e.text));
            }
            _ => {
                self.mark(Feature::Exit);
                self.line(&format!("{{ if ({}) exit(0); }}", e.text));
            }
        }
    }

    /// Draws an input into a new or an old variable.
    pub(super) fn input_stmt(&mut self, decls: bool) {
        let Some(e) = self.input() else { return self.simple(Kind::Assign) };
        if decls {
            let ty =
                if e.ty == CType::Bool { CType::Bool } else { *self.rng.pick(&[CType::Int, CType::UInt, CType::Int]) };
            self.cx.locals += 1;
            let name = format!("v{}", self.cx.locals);
            let spelled = self.spell(ty);
            self.line(&format!("{spelled} {name} = {};", e.text));
            self.declare(name, ty, true, false);
            return;
        }
        let vars = self.visible(|v| v.writable);
        if vars.is_empty() {
            return self.line(&format!("(void)({});", e.text));
        }
        let id = *self.rng.pick(&vars);
        let assign = self.assign(id, &e);
        self.line(&format!("{};", assign.text));
    }

    /// A division or shift that is undefined for some values. Only forms that the compiled program detects: the
    /// quotient is stored at full width, so that no compiler can drop the division.
    fn risky_stmt(&mut self) {
        let ints = self.visible(|v| v.writable && matches!(v.ty, CType::Int | CType::UInt));
        if ints.is_empty() {
            return self.simple(Kind::Assign);
        }
        let (dst, by) = (*self.rng.pick(&ints), *self.rng.pick(&ints));
        let by = self.vars[by.0].name.clone();
        let a = self.pure_expr(1);
        let a = self.wrap(&a, 13);
        let dst = self.vars[dst.0].name.clone();
        let text = match self.rng.below(4) {
            0 => format!("{dst} = (int)({a}) / {by};"),
            1 => format!("{dst} = (int)({a}) % ({by} & 3);"),
            2 => format!("{dst} = (int)({a}) << {by};"),
            _ => format!("{dst} = (unsigned)({a}) >> ({by} & 63);"),
        };
        self.line(&text);
    }

    fn declaration(&mut self) {
        let roll = self.rng.below(20);
        let closed = self.closed();
        match roll {
            0 | 1 if !self.cx.pure_fn => self.static_local(),
            2 if closed => {
                self.mark(Feature::LocalTypedef);
                self.cx.locals += 1;
                let ty = *self.rng.pick(&crate::ctypes::BASIC);
                let alias = format!("t{}", self.cx.locals);
                self.line(&format!("typedef {} {alias};", ty.keyword()));
                self.plain_declaration(ty, Some(alias));
            }
            3 if closed => {
                self.mark(Feature::LocalEnum);
                self.cx.locals += 1;
                let k = self.cx.locals;
                let init = self.constant(1);
                let value = init.value.rem_euclid(1000);
                self.line(&format!("enum {{ c{k} = {value}, c{k}_next }};"));
                let name = self.local_name();
                self.line(&format!("int {name} = c{k}_next - c{k};"));
                self.declare(name, CType::Int, true, false);
            }
            _ => {
                let ty = self.any_type();
                self.plain_declaration(ty, None);
            }
        }
    }

    fn static_local(&mut self) {
        self.mark(Feature::StaticLocal);
        let ty = self.any_type();
        let spelled = self.spell(ty);
        self.cx.locals += 1;
        let name = format!("s{}", self.cx.locals);
        if self.rng.chance(30) {
            self.line(&format!("static {spelled} {name};"));
        } else {
            let init = self.constant(1).ex;
            let init = self.wrap(&init, 2);
            self.line(&format!("static {spelled} {name} = {init};"));
        }
        self.declare(name, ty, true, true);
    }

    fn plain_declaration(&mut self, ty: CType, spelled: Option<String>) {
        let spelled = match spelled {
            Some(s) => s,
            None => self.spell(ty),
        };
        let name = self.local_name();
        self.cx.hidden.push(name.clone());
        let e = self.expr(self.knobs.expr_depth);
        self.cx.hidden.pop();
        let init = self.wrap(&e, 2);
        match self.rng.below(12) {
            0 => {
                // The value is computed before the name exists, so that it cannot read the new variable.
                self.mark(Feature::LateInit);
                self.cx.locals += 1;
                let name = format!("v{}", self.cx.locals);
                self.line(&format!("{spelled} {name};"));
                self.line(&format!("{name} = {init};"));
                self.declare(name, ty, true, false);
            }
            1 => {
                self.mark(Feature::ConstLocal);
                self.line(&format!("const {spelled} {name} = {init};"));
                self.declare(name, ty, false, false);
            }
            2 => {
                self.mark(Feature::VolatileVar);
                self.line(&format!("volatile {spelled} {name} = {init};"));
                self.declare(name, ty, true, false);
            }
            3 => {
                self.mark(Feature::MultiDecl);
                self.declare(name.clone(), ty, true, false);
                self.cx.locals += 1;
                let second = format!("v{}", self.cx.locals);
                let e = self.expr(2);
                let init2 = self.wrap(&e, 2);
                self.line(&format!("{spelled} {name} = {init}, {second} = {init2};"));
                self.declare(second, ty, true, false);
            }
            k => {
                let class =
                    ["auto ", "register "].get(k as usize - 4).filter(|_| self.seed.is_multiple_of(3)).unwrap_or(&"");
                self.line(&format!("{class}{spelled} {name} = {init};"));
                self.declare(name, ty, true, false);
            }
        }
    }

    fn if_stmt(&mut self, depth: u32) {
        let c = self.expr(self.knobs.expr_depth);
        self.mark(Feature::If);
        match self.rng.below(10) {
            0 => {
                self.mark(Feature::DanglingElse);
                let d = self.expr(1);
                self.line(&format!("if ({})", c.text));
                self.indent += 1;
                self.body(&format!("if ({})", d.text), depth, "");
                self.body("else", depth, "");
                self.indent -= 1;
            }
            1..=5 => {
                self.mark(Feature::Else);
                self.body(&format!("if ({})", c.text), depth, "");
                let head = if self.rng.chance(30) {
                    let d = self.expr(2);
                    format!("else if ({})", d.text)
                } else {
                    "else".to_string()
                };
                self.body(&head, depth, "");
            }
            _ => self.body(&format!("if ({})", c.text), depth, ""),
        }
    }

    fn label(&mut self) -> String {
        self.cx.labels += 1;
        format!("l{}", self.cx.labels)
    }

    /// Loops of every form; see the module's invariant.
    fn loop_stmt(&mut self, kind: Kind, depth: u32, decls: bool) {
        let trips = 1 + self.rng.below(self.knobs.max_trip);
        let mult = self.cx.mult * (trips + 2);
        if mult > 400 || mult.saturating_mul(40) > self.budget() {
            return self.simple(Kind::Compound);
        }
        if self.cx.loops > 0 {
            self.mark(Feature::NestedLoop);
        }
        let own_block = !decls || self.rng.chance(50);
        let out = self.label();
        let saved = (self.cx.mult, self.cx.breakable);
        let write = |g: &mut Self| {
            let counter_ty = g.counter_type();
            g.cx.locals += 1;
            let name = format!("k{}", g.cx.locals);
            let spelled = g.spell(counter_ty);
            (g.cx.mult, g.cx.breakable) = (mult, true);
            g.cx.loops += 1;
            g.cx.out_labels.push(out.clone());
            g.loop_text(kind, depth, trips, (&name, &spelled, counter_ty));
            g.cx.out_labels.pop();
            g.cx.loops -= 1;
            (g.cx.mult, g.cx.breakable) = saved;
        };
        if own_block {
            self.line("{");
            self.scoped(write);
            self.line("}");
        } else {
            write(self);
        }
        if self.out.contains(&format!("goto {out};")) {
            self.line(&format!("{out}: ;"));
        }
    }

    /// ` && e` or nothing.
    fn and_more(&mut self) -> String {
        if self.rng.chance(45) {
            return String::new();
        }
        let e = self.expr(2);
        format!(" && {}", self.wrap(&e, 6))
    }

    fn loop_text(&mut self, kind: Kind, depth: u32, n: u64, (k, ty, counter): (&str, &str, CType)) {
        // The counter becomes visible where it has its first value.
        let counter_is = |g: &mut Self| -> VarId { g.declare(k.to_string(), counter, false, false) };
        match kind {
            Kind::While => {
                self.mark(Feature::While);
                self.line(&format!("{ty} {k} = {n};"));
                counter_is(self);
                let more = self.and_more();
                let head = match self.rng.below(3) {
                    0 => format!("while ({k}-- > 0{more})"),
                    1 => format!("while ({k}-- != 0{more})"),
                    _ => format!("while ({k} && {k}--{more})"),
                };
                self.body(&head, depth, "");
            }
            Kind::DoWhile => {
                self.mark(Feature::DoWhile);
                self.line(&format!("{ty} {k} = {n};"));
                counter_is(self);
                let more = self.and_more();
                self.body("do", depth, &format!("while (--{k} > 0{more});"));
            }
            Kind::For => self.for_text(depth, n, (k, ty, counter)),
            Kind::ForEver => {
                self.mark(Feature::ForEver);
                self.line(&format!("{ty} {k} = 0;"));
                counter_is(self);
                self.line("for (;;) {");
                self.scoped(|g| {
                    g.line(&format!("if ({k}++ >= {n}) break;"));
                    g.items(depth, 2, true);
                });
                self.line("}");
            }
            Kind::GotoBackward => {
                self.mark(Feature::GotoBackward);
                self.line(&format!("{ty} {k} = 0;"));
                counter_is(self);
                let label = self.label();
                // No `break` or `continue`: for C this is not a loop.
                let saved = (self.cx.breakable, std::mem::take(&mut self.cx.loops));
                self.cx.breakable = false;
                self.line(&format!("{label}:;"));
                self.items(depth, 2, false);
                let more = self.and_more();
                self.line(&format!("if ({k}++ < {n}{more}) goto {label};"));
                (self.cx.breakable, self.cx.loops) = saved;
            }
            Kind::GotoIntoLoop => {
                self.mark(Feature::GotoIntoLoop);
                let (label, more) = (self.label(), self.expr(2));
                self.line(&format!("{ty} {k} = {n};"));
                counter_is(self);
                self.line(&format!("if ({}) goto {label};", more.text));
                let more = self.and_more();
                self.line(&format!("while ({k}-- > 0{more}) {{"));
                self.scoped(|g| {
                    g.items(depth, 1, false);
                    g.line(&format!("{label}: ;"));
                    g.items(depth, 1, false);
                });
                self.line("}");
            }
            _ => {
                self.mark(Feature::SwitchIntoLoop);
                let e = self.expr(2);
                let e = self.wrap(&e, 9);
                self.line(&format!("{ty} {k} = {n};"));
                counter_is(self);
                let more = self.and_more();
                self.line(&format!("switch ({e} & 3) {{"));
                self.line("case 0: do {");
                self.scoped(|g| {
                    g.items(depth, 1, false);
                    g.line("case 1:");
                    g.items(depth, 1, false);
                    g.line("default: ;");
                    g.items(depth, 1, false);
                });
                self.line(&format!("}} while (--{k} > 0{more}); }}"));
            }
        }
    }

    fn for_text(&mut self, depth: u32, n: u64, (k, ty, counter): (&str, &str, CType)) {
        self.mark(Feature::For);
        let declared = self.rng.chance(55);
        let step = 1 + self.rng.below(2);
        let (start, bound, next) = match self.rng.below(3) {
            0 => (format!("{k} = 0"), format!("{k} < {}", n * step), format!("{k} += {step}")),
            1 => (format!("{k} = 0"), format!("{k} != {n}"), format!("++{k}")),
            _ => (format!("{k} = {n}"), format!("{k} > 0"), format!("{k}--")),
        };
        let (mut start, mut next) = (start, next);
        if self.rng.chance(15)
            && let Some(id) = self.visible(|v| v.writable).pop()
        {
            self.mark(Feature::ForComma);
            let name = self.vars[id.0].name.clone();
            if !declared {
                start = format!("{start}, {name} = {n}");
            }
            next = format!("{next}, {name}--");
        }
        let start = if declared {
            self.mark(Feature::ForDecl);
            format!("{ty} {start}")
        } else {
            self.line(&format!("{ty} {k};"));
            start
        };
        // The scope of a counter declared in the head ends with the loop.
        let len = self.scope.len();
        self.declare(k.to_string(), counter, false, false);
        let more = self.and_more();
        self.body(&format!("for ({start}; {bound}{more}; {next})"), depth, "");
        if declared {
            self.scope.truncate(len);
        }
    }

    fn goto_forward(&mut self, depth: u32) {
        self.mark(Feature::GotoForward);
        let label = self.label();
        let c = self.expr(2);
        self.line(&format!("if ({}) goto {label};", c.text));
        self.items(depth, 2, false);
        self.line(&format!("{label}: ;"));
    }

    /// `break`, `continue`, `return` or a jump out of loops, under a condition.
    fn jump(&mut self) {
        let c = self.expr(2);
        let target = match self.rng.below(4) {
            0 | 1 if self.cx.loops > 0 => {
                self.mark(Feature::Continue);
                "continue".to_string()
            }
            0 | 2 if self.cx.breakable => {
                self.mark(Feature::Break);
                "break".to_string()
            }
            3 if !self.cx.out_labels.is_empty() => {
                self.mark(Feature::GotoOutOfLoop);
                let labels = self.cx.out_labels.clone();
                format!("goto {}", self.rng.pick(&labels))
            }
            _ if self.cx.index.is_none() => return self.simple(Kind::IncDec),
            _ => {
                self.mark(Feature::Return);
                match self.cx.ret {
                    Some(_) => {
                        let e = self.expr(2);
                        format!("return {}", e.text)
                    }
                    None => {
                        self.mark(Feature::VoidReturn);
                        "return".to_string()
                    }
                }
            }
        };
        self.line(&format!("if ({}) {target};", c.text));
    }

    fn switch(&mut self, depth: u32) {
        self.mark(Feature::Switch);
        let e = self.expr(self.knobs.expr_depth);
        let model = self.knobs.model;
        let wide = e.ty.bits(model) == 64;
        if wide {
            self.mark(Feature::WideSwitch);
        }
        let (text, base) = match self.rng.below(4) {
            0 => (e.text, 0),
            1 => (format!("({} & 7) - 3", self.wrap(&e, 9)), -3),
            _ => (format!("{} & 7", self.wrap(&e, 9)), 0),
        };
        let mut labels: Vec<i64> = Vec::new();
        for _ in 0..2 + self.rng.below(4) {
            let v = base + self.rng.below(8) as i64;
            if !labels.contains(&v) {
                labels.push(v);
            }
        }
        let default_at = self.rng.index(labels.len() + 2);
        if default_at > labels.len() {
            self.mark(Feature::NoDefault);
        } else if default_at < labels.len() {
            self.mark(Feature::DefaultInMiddle);
        }
        self.line(&format!("switch ({text}) {{"));
        let saved = (self.cx.breakable, self.cx.block_start);
        self.cx.breakable = true;
        self.cx.block_start = self.scope.len();
        for (i, &v) in labels.iter().enumerate() {
            if i == default_at {
                self.line("default:");
            }
            if v < 0 {
                self.mark(Feature::NegativeCase);
            }
            let label = self.case_label(v);
            self.line(&format!("case {label}:"));
            if self.rng.chance(15) && i + 1 < labels.len() {
                self.mark(Feature::Fallthrough);
                continue;
            }
            self.indent += 1;
            self.items(depth, 1, false);
            if self.rng.chance(65) {
                self.line("break;");
            } else {
                self.mark(Feature::Fallthrough);
            }
            self.indent -= 1;
        }
        if wide && self.rng.chance(40) {
            self.line("case 0x123456789LL: ;");
        }
        if default_at == labels.len() {
            self.line("default:");
            self.indent += 1;
            self.items(depth, 1, false);
            self.indent -= 1;
        }
        (self.cx.breakable, self.cx.block_start) = saved;
        self.line("}");
    }

    fn case_label(&mut self, value: i64) -> String {
        let named = self.enums.iter().flat_map(|e| &e.constants).find(|(_, v)| *v == value).map(|(n, _)| n.clone());
        match named {
            Some(name) if self.rng.chance(60) => {
                self.mark(Feature::EnumConstant);
                name
            }
            _ => self.int_constant(value),
        }
    }
}

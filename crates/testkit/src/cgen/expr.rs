//! Random expressions.
//!
//! Every expression carries what it reads and writes. Operands that C leaves unsequenced are combined only if they do
//! not conflict (`Effects::conflict`); an operand that does is replaced by a harmless one. The text carries as few
//! parentheses as the precedence allows, plus some at random, so that the parser is tested too.

use super::scope::{Var, VarId};
use super::{Feature, Gen, Mode};
use crate::ctypes::{CType, common_type};

/// What evaluating an expression touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    reads: Vec<VarId>,
    writes: Vec<VarId>,
    /// Calls something that may touch any global, or draws an input: the order against others of its kind matters.
    ordered: bool,
}

impl Effects {
    fn join(mut self, other: &Effects) -> Effects {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.ordered |= other.ordered;
        self
    }

    /// Whether a variable that can change is read.
    pub(super) fn reads_changing(&self, vars: &[Var]) -> bool {
        self.reads.iter().any(|v| vars[v.0].writable)
    }

    pub(super) fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.ordered
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Ex {
    pub(super) text: String,
    pub(super) prec: u8,
    pub(super) ty: CType,
    pub(super) effects: Effects,
}

impl Ex {
    pub(super) fn atom(text: String, ty: CType) -> Ex {
        Ex { text, prec: 16, ty, effects: Effects::default() }
    }
}

/// Binding strength of C's operators, and whether the result is an `int` truth value.
fn strength(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 13,
        "+" | "-" => 12,
        "<<" | ">>" => 11,
        "<" | ">" | "<=" | ">=" => 10,
        "==" | "!=" => 9,
        "&" => 8,
        "^" => 7,
        "|" => 6,
        "&&" => 5,
        "||" => 4,
        _ => unreachable!("an operator of the generator's own list"),
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Arith,
    Divide,
    Bits,
    Shift,
    Compare,
    Logic,
    Ternary,
    Comma,
    Unary,
    Cast,
    Sizeof,
    IncDec,
    Assign,
    Compound,
    Call,
}

const FULL: [(u64, Kind); 15] = [
    (24, Kind::Arith),
    (7, Kind::Divide),
    (10, Kind::Bits),
    (8, Kind::Shift),
    (10, Kind::Compare),
    (7, Kind::Logic),
    (5, Kind::Ternary),
    (2, Kind::Comma),
    (9, Kind::Unary),
    (8, Kind::Cast),
    (3, Kind::Sizeof),
    (5, Kind::IncDec),
    (3, Kind::Assign),
    (3, Kind::Compound),
    (7, Kind::Call),
];

const PLAIN: [(u64, Kind); 12] = [
    (30, Kind::Arith),
    (1, Kind::Divide),
    (7, Kind::Bits),
    (3, Kind::Shift),
    (14, Kind::Compare),
    (6, Kind::Logic),
    (4, Kind::Ternary),
    (4, Kind::Unary),
    (3, Kind::Cast),
    (1, Kind::IncDec),
    (1, Kind::Assign),
    (6, Kind::Call),
];

impl Gen<'_> {
    /// Whether two operands give another result in another order.
    fn conflict(&self, a: &Effects, b: &Effects) -> bool {
        let clash = |w: &Effects, o: &Effects| w.writes.iter().any(|v| o.reads.contains(v) || o.writes.contains(v));
        let globals = |e: &Effects| e.reads.iter().chain(&e.writes).any(|v| self.vars[v.0].is_static);
        clash(a, b)
            || clash(b, a)
            || (a.ordered && (b.ordered || globals(b)))
            || (b.ordered && (a.ordered || globals(a)))
    }

    /// The expression in parentheses if it binds more weakly than needed, and now and then anyway.
    pub(super) fn wrap(&mut self, ex: &Ex, prec: u8) -> String {
        if ex.prec < prec || self.rng.chance(6) { format!("({})", ex.text) } else { ex.text.clone() }
    }

    /// A random expression.
    pub(super) fn expr(&mut self, depth: u32) -> Ex {
        self.cx.charge(1);
        if depth == 0 || self.rng.chance(12) {
            return self.leaf();
        }
        let kind = if self.knobs.plain { self.weighted(&PLAIN) } else { self.weighted(&FULL) };
        match kind {
            Kind::Arith => {
                let op = if self.knobs.plain && self.rng.chance(90) {
                    *self.rng.pick(&["+", "-"])
                } else {
                    *self.rng.pick(&["+", "-", "*"])
                };
                self.two_operands(op, depth)
            }
            Kind::Divide => self.division(depth),
            Kind::Bits => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                self.two_operands(op, depth)
            }
            Kind::Shift => self.shift(depth),
            Kind::Compare => {
                let op = *self.rng.pick(&["<", ">", "<=", ">=", "==", "!="]);
                self.two_operands(op, depth)
            }
            Kind::Logic => self.logic(depth),
            Kind::Ternary => {
                let (c, a, b) = (self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1));
                if !a.effects.is_pure() || !b.effects.is_pure() {
                    self.mark(Feature::EffectBehindShortCircuit);
                }
                self.ternary(c, a, b)
            }
            Kind::Comma => self.comma(depth),
            Kind::Unary => {
                let op = *self.rng.pick(&["-", "~", "!", "+"]);
                let a = self.expr(depth - 1);
                let ty = if op == "!" { CType::Int } else { a.ty.promoted() };
                self.unary(op, a, ty)
            }
            Kind::Cast => {
                let a = self.expr(depth - 1);
                let ty = self.any_type();
                self.cast(ty, a)
            }
            Kind::Sizeof => self.sizeof(depth),
            Kind::IncDec => self.inc_dec().unwrap_or_else(|| self.leaf()),
            Kind::Assign => match self.assignment(depth) {
                Some(e) => {
                    self.mark(Feature::AssignExpr);
                    e
                }
                None => self.leaf(),
            },
            Kind::Compound => self.compound(depth).unwrap_or_else(|| self.leaf()),
            Kind::Call => self.call(depth, false).unwrap_or_else(|| self.leaf()),
        }
    }

    /// A random expression without side effects.
    pub(super) fn pure_expr(&mut self, depth: u32) -> Ex {
        for _ in 0..6 {
            let e = self.expr(depth);
            if e.effects.is_pure() {
                return e;
            }
        }
        self.leaf()
    }

    /// An expression that may stand unsequenced beside one with the given effects.
    fn beside(&mut self, other: &Effects, depth: u32) -> Ex {
        for round in 0..4 {
            let e = if round < 2 { self.expr(depth) } else { self.leaf() };
            if !self.conflict(other, &e.effects) {
                if !e.effects.is_pure() || !other.is_pure() {
                    self.mark(Feature::EffectInOperand);
                }
                return e;
            }
        }
        self.literal().ex
    }

    /// A variable, a literal or an enumeration constant.
    pub(super) fn leaf(&mut self) -> Ex {
        let vars = self.visible(|_| true);
        match self.rng.below(100) {
            0..=69 if !vars.is_empty() => {
                let id = *self.rng.pick(&vars);
                self.read(id)
            }
            70..=74 if !self.enums.is_empty() => {
                let e = self.rng.index(self.enums.len());
                self.mark(Feature::EnumConstant);
                let name = self.rng.pick(&self.enums[e].constants).0.clone();
                Ex::atom(name, CType::Int)
            }
            _ => self.literal().ex,
        }
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, id: VarId) -> Ex {
        let var = &self.vars[id.0];
        let mut e = Ex::atom(var.name.clone(), var.ty);
        e.effects.reads.push(id);
        e
    }

    fn two_operands(&mut self, op: &'static str, depth: u32) -> Ex {
        let a = self.expr(depth - 1);
        let b = self.beside(&a.effects, depth - 1);
        self.binary(op, a, b)
    }

    /// Joins two operands that do not conflict or are sequenced by the operator.
    #[expect(clippy::needless_pass_by_value, reason = "an operand is used up: it must not appear twice")]
    pub(super) fn binary(&mut self, op: &'static str, a: Ex, b: Ex) -> Ex {
        self.mark(match op {
            "+" => Feature::Add,
            "-" => Feature::Sub,
            "*" => Feature::Mul,
            "/" => Feature::Div,
            "%" => Feature::Rem,
            "&" => Feature::BitAnd,
            "|" => Feature::BitOr,
            "^" => Feature::BitXor,
            "<<" => Feature::Shl,
            ">>" => Feature::Shr,
            "==" | "!=" => Feature::Equality,
            "&&" => Feature::LogAnd,
            "||" => Feature::LogOr,
            _ => Feature::Relational,
        });
        let ty = match op {
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" => CType::Int,
            "<<" | ">>" => a.ty.promoted(),
            _ => common_type(a.ty, b.ty, self.knobs.model),
        };
        let by_type = !matches!(op, "<<" | ">>" | "&&" | "||");
        if by_type && a.ty.promoted().signed() != b.ty.promoted().signed() {
            self.mark(Feature::MixedSign);
        }
        let prec = strength(op);
        let text = format!("{} {op} {}", self.wrap(&a, prec), self.wrap(&b, prec + 1));
        Ex { text, prec, ty, effects: a.effects.join(&b.effects) }
    }

    pub(super) fn unary(&mut self, op: &'static str, a: Ex, ty: CType) -> Ex {
        self.mark(match op {
            "-" => Feature::Neg,
            "~" => Feature::BitNot,
            "!" => Feature::LogNot,
            _ => Feature::Plus,
        });
        let inner = self.wrap(&a, 15);
        // `- -x` must not become `--x`.
        let gap = if inner.starts_with(op) { " " } else { "" };
        Ex { text: format!("{op}{gap}{inner}"), prec: 15, ty, effects: a.effects }
    }

    pub(super) fn cast(&mut self, ty: CType, a: Ex) -> Ex {
        self.mark(Feature::Cast);
        let text = format!("({}){}", self.spell(ty), self.wrap(&a, 15));
        Ex { text, prec: 15, ty, effects: a.effects }
    }

    #[expect(clippy::needless_pass_by_value, reason = "an operand is used up: it must not appear twice")]
    pub(super) fn ternary(&mut self, c: Ex, a: Ex, b: Ex) -> Ex {
        self.mark(Feature::Ternary);
        let ty = common_type(a.ty, b.ty, self.knobs.model);
        let text = format!("{} ? {} : {}", self.wrap(&c, 4), self.wrap(&a, 1), self.wrap(&b, 3));
        Ex { text, prec: 3, ty, effects: c.effects.join(&a.effects).join(&b.effects) }
    }

    fn logic(&mut self, depth: u32) -> Ex {
        let op = *self.rng.pick(&["&&", "||"]);
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        if !b.effects.is_pure() {
            self.mark(Feature::EffectBehindShortCircuit);
        }
        self.binary(op, a, b)
    }

    fn comma(&mut self, depth: u32) -> Ex {
        let a = if self.rng.chance(30) { self.call(depth, true) } else { None };
        let a = match a {
            Some(call) => call,
            None => self.expr(depth - 1),
        };
        let b = self.expr(depth - 1);
        self.mark(Feature::Comma);
        let text = format!("{}, {}", self.wrap(&a, 1), self.wrap(&b, 2));
        Ex { text, prec: 1, ty: b.ty, effects: a.effects.join(&b.effects) }
    }

    fn size_t(&self) -> CType {
        match self.knobs.model {
            ir::DataModel::Ilp32 => CType::UInt,
            ir::DataModel::Lp64 => CType::ULong,
        }
    }

    pub(super) fn sizeof_type(&mut self, ty: CType) -> Ex {
        self.mark(Feature::SizeofType);
        let text = format!("sizeof({})", self.spell(ty));
        Ex { text, prec: 15, ty: self.size_t(), effects: Effects::default() }
    }

    fn sizeof(&mut self, depth: u32) -> Ex {
        if self.rng.chance(50) {
            let ty = self.any_type();
            return self.sizeof_type(ty);
        }
        self.mark(Feature::SizeofExpr);
        // The operand is not evaluated: its effects do not happen.
        let a = self.expr(depth - 1);
        let text = if a.text.starts_with('(') {
            format!("sizeof({})", a.text)
        } else {
            format!("sizeof {}", self.wrap(&a, 15))
        };
        Ex { text, prec: 15, ty: self.size_t(), effects: Effects::default() }
    }

    /// A divisor that is neither 0 nor -1 once converted, beside operands with the given effects.
    fn divisor(&mut self, other: &Effects, depth: u32) -> Ex {
        match self.rng.below(4) {
            0 => {
                let n = 2 + self.rng.below(40);
                self.literal_of(n).ex
            }
            1 => {
                let n = 2 + self.rng.below(12);
                let lit = self.literal_of(n).ex;
                let ty = lit.ty.promoted();
                self.unary("-", lit, ty)
            }
            _ => {
                let e = self.beside(other, depth);
                let (mask, add) = (*self.rng.pick(&[1, 3, 7, 15, 63]), 1 + self.rng.below(5));
                let (mask, add) = (Ex::atom(mask.to_string(), CType::Int), Ex::atom(add.to_string(), CType::Int));
                let low = self.binary("&", e, mask);
                self.binary("+", low, add)
            }
        }
    }

    fn division(&mut self, depth: u32) -> Ex {
        let op = *self.rng.pick(&["/", "%"]);
        let a = self.expr(depth - 1);
        if self.rng.chance(25) {
            let vars = self.visible(|_| true);
            if !vars.is_empty() {
                let id = *self.rng.pick(&vars);
                let (d, d0, d1) = (self.read(id), self.read(id), self.read(id));
                if !self.conflict(&a.effects, &d.effects) {
                    let zero = self.binary("==", d0, Ex::atom("0".into(), CType::Int));
                    let minus = self.binary("==", d1, Ex { prec: 15, ..Ex::atom("-1".into(), CType::Int) });
                    let bad = self.binary("||", zero, minus);
                    let quotient = self.binary(op, a, d);
                    let other = self.leaf();
                    return self.ternary(bad, other, quotient);
                }
            }
        }
        let b = self.divisor(&a.effects, depth - 1);
        self.binary(op, a, b)
    }

    /// A count below the width of the promoted `ty`, beside operands with the given effects.
    fn shift_count(&mut self, ty: CType, other: &Effects, depth: u32) -> Ex {
        let width = u64::from(ty.promoted().bits(self.knobs.model));
        let roll = if self.knobs.plain { 0 } else { self.rng.below(10) };
        match roll {
            0..=3 => {
                let n = self.rng.below(if self.knobs.plain { 8 } else { width });
                self.literal_of(n).ex
            }
            4 | 5 if !matches!(ty, CType::Enum { .. }) => {
                let e = self.beside(other, depth);
                let mask = Ex {
                    prec: 16,
                    ..Ex::atom(format!("(8 * sizeof({}) - 1)", ty.promoted().keyword()), self.size_t())
                };
                self.binary("&", e, mask)
            }
            6 => {
                let e = self.beside(other, depth);
                let e = self.cast(CType::UInt, e);
                self.binary("%", e, Ex::atom(format!("{width}"), CType::Int))
            }
            _ => {
                let e = self.beside(other, depth);
                self.binary("&", e, Ex::atom(format!("{}", width - 1), CType::Int))
            }
        }
    }

    fn shift(&mut self, depth: u32) -> Ex {
        let op = *self.rng.pick(&["<<", ">>"]);
        let a = self.expr(depth - 1);
        let n = self.shift_count(a.ty, &a.effects, depth - 1);
        self.binary(op, a, n)
    }

    fn writable(&mut self) -> Option<VarId> {
        let vars = self.visible(|v| v.writable);
        if vars.is_empty() { None } else { Some(*self.rng.pick(&vars)) }
    }

    /// `x++` and its like.
    pub(super) fn inc_dec(&mut self) -> Option<Ex> {
        let id = self.writable()?;
        let (name, ty) = (self.vars[id.0].name.clone(), self.vars[id.0].ty);
        let op = *self.rng.pick(&["++", "--"]);
        let (text, prec) = if self.rng.chance(50) {
            self.mark(Feature::PreInc);
            (format!("{op}{name}"), 15)
        } else {
            self.mark(Feature::PostInc);
            (format!("{name}{op}"), 16)
        };
        Some(Ex { text, prec, ty, effects: Effects { reads: vec![id], writes: vec![id], ordered: false } })
    }

    /// `x = e`. The store comes after the evaluation of `e`, so `e` may read `x` but not write it.
    pub(super) fn assignment(&mut self, depth: u32) -> Option<Ex> {
        let id = self.writable()?;
        let mut e = self.expr(depth.saturating_sub(1));
        if e.effects.writes.contains(&id) {
            e = self.leaf();
        }
        Some(self.assign(id, &e))
    }

    /// `x = e` for a given variable and value.
    pub(super) fn assign(&mut self, id: VarId, e: &Ex) -> Ex {
        let (name, ty) = (self.vars[id.0].name.clone(), self.vars[id.0].ty);
        let text = format!("{name} = {}", self.wrap(e, 2));
        let mut effects = e.effects.clone();
        effects.writes.push(id);
        Ex { text, prec: 2, ty, effects }
    }

    /// `x op= e`. Reads `x` at a time that C leaves open, so `e` must not touch it by a side effect.
    pub(super) fn compound(&mut self, depth: u32) -> Option<Ex> {
        let id = self.writable()?;
        let (name, ty) = (self.vars[id.0].name.clone(), self.vars[id.0].ty);
        let own = Effects { reads: vec![id], ..Effects::default() };
        let ops = if self.knobs.plain { "+ + - - & | ^" } else { "+ - * / % << >> & | ^" };
        let ops: Vec<&str> = ops.split(' ').collect();
        let op = *self.rng.pick(&ops);
        let depth = depth.saturating_sub(1);
        let e = match op {
            "/" | "%" => self.divisor(&own, depth),
            "<<" | ">>" => self.shift_count(ty, &own, depth),
            _ => self.beside(&own, depth),
        };
        self.mark(Feature::Compound);
        let text = format!("{name} {op}= {}", self.wrap(&e, 2));
        let mut effects = own.join(&e.effects);
        effects.writes.push(id);
        Some(Ex { text, prec: 2, ty, effects })
    }

    /// A call of a function whose body is written already (or of a partner in recursion, one level deeper).
    /// `void_too` allows a function without result: the value must then not be used.
    pub(super) fn call(&mut self, depth: u32, void_too: bool) -> Option<Ex> {
        let mut callees = Vec::new();
        for (i, f) in self.funcs.iter().enumerate() {
            let callable = (f.ret.is_some() || void_too) && (f.pure_fn || !self.cx.pure_fn);
            if callable && self.may_call(i) {
                callees.push(i);
            }
        }
        if callees.is_empty() {
            return None;
        }
        let callee = *self.rng.pick(&callees);
        let f = self.funcs[callee].clone();
        let mut effects = Effects::default();
        let mut args = Vec::new();
        for (k, &param) in f.params.iter().enumerate() {
            let arg = if f.group.is_some() && k == 0 {
                self.depth_argument(callee)
            } else {
                self.beside(&effects, depth.saturating_sub(1).min(2))
            };
            if arg.ty != param {
                self.mark(Feature::ArgConversion);
            }
            effects = effects.join(&arg.effects);
            args.push(self.wrap(&arg, 2));
        }
        self.charge_call(callee);
        // The body runs after the arguments: only what stands beside the whole call can be disturbed by it.
        effects.ordered |= !f.pure_fn;
        self.mark(if f.ret.is_some() { Feature::CallExpr } else { Feature::CallVoid });
        if f.pure_fn {
            self.mark(Feature::PureFunction);
        }
        let text = format!("{}({})", f.name, args.join(", "));
        Some(Ex { text, prec: 16, ty: f.ret.unwrap_or(CType::Int), effects })
    }

    /// How deep a recursion may go from here.
    fn depth_argument(&mut self, callee: usize) -> Ex {
        let f = &self.funcs[callee];
        let mask = f.depth_mask;
        if self.cx.group.is_some() && f.group == self.cx.group {
            let id = self.cx.depth_param.expect("a function of a recursive group has a depth");
            let mut e = self.read(id);
            e.text = format!("{} - 1", e.text);
            e.prec = 12;
            e.ty = e.ty.promoted();
            return e;
        }
        if self.rng.chance(40) {
            let n = self.rng.below(mask + 1);
            return Ex::atom(n.to_string(), CType::Int);
        }
        let e = self.leaf();
        self.binary("&", e, Ex::atom(mask.to_string(), CType::Int))
    }

    /// A masked input, if the program may still draw one here.
    pub(super) fn input(&mut self) -> Option<Ex> {
        const FUNCTIONS: [(&str, CType); 8] = [
            ("__VERIFIER_nondet_int", CType::Int),
            ("__VERIFIER_nondet_uint", CType::UInt),
            ("__VERIFIER_nondet_uchar", CType::UChar),
            ("__VERIFIER_nondet_char", CType::Char),
            ("__VERIFIER_nondet_short", CType::Short),
            ("__VERIFIER_nondet_ushort", CType::UShort),
            ("__VERIFIER_nondet_long", CType::Long),
            ("__VERIFIER_nondet_bool", CType::Bool),
        ];
        let Mode::Verdict { bits: limit, .. } = self.knobs.mode else { return None };
        let (name, ty) = if self.rng.chance(50) { FUNCTIONS[0] } else { *self.rng.pick(&FUNCTIONS) };
        let bits = match self.inputs.iter().find(|(n, _)| *n == name) {
            Some((_, b)) => *b,
            None if ty == CType::Bool => 1,
            None => 1 + self.rng.below(4) as u32,
        };
        if self.cx.draws + bits * self.cx.mult as u32 > limit || self.cx.group.is_some() || self.cx.pure_fn {
            return None;
        }
        self.cx.draws += bits * self.cx.mult as u32;
        if !self.inputs.contains(&(name, bits)) {
            self.inputs.push((name, bits));
        }
        self.mark(Feature::Nondet);
        let effects = Effects { ordered: true, ..Effects::default() };
        let call = Ex { text: format!("{name}()"), prec: 16, ty, effects };
        if ty == CType::Bool {
            return Some(call);
        }
        let masked = self.binary("&", call, Ex::atom(format!("{}", (1 << bits) - 1), CType::Int));
        if self.rng.chance(20) {
            return Some(self.binary("-", masked, Ex::atom(format!("{}", 1 << (bits - 1)), CType::Int)));
        }
        Some(masked)
    }
}

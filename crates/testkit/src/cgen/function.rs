//! Functions, globals and the program as a whole.
//!
//! Bodies are written from the last function to the first, so that the cost of a callee is known when a call is made.
//! A function calls only later ones, or, inside a recursive group, its partners with a smaller depth.

use super::scope::{EnumDef, Func, VarId};
use super::{Draft, Feature, Gen, Mode, Program};
use crate::ctypes::{BASIC, CType};

/// The definition some programs have, as public verification tasks do; the run ends at its entry all the same.
pub(crate) const REACH_ERROR_DEFINED: &str = "void reach_error(void) { }\n";

/// What is known about the function being written.
#[derive(Clone, Debug, Default)]
pub(super) struct FnCtx {
    /// `None` in `main`.
    pub(super) index: Option<usize>,
    pub(super) ret: Option<CType>,
    pub(super) group: Option<usize>,
    pub(super) depth_param: Option<VarId>,
    pub(super) self_calls: u32,
    pub(super) pure_fn: bool,
    /// Estimated operations so far, and how often the current place runs per call.
    pub(super) cost: u64,
    pub(super) mult: u64,
    pub(super) draws: u32,
    /// Names whose declaration is being written: its initialiser must not read them.
    pub(super) hidden: Vec<String>,
    /// Where the current block begins in the scope.
    pub(super) block_start: usize,
    pub(super) locals: usize,
    pub(super) labels: usize,
    /// Enclosing loops and switches.
    pub(super) loops: u32,
    pub(super) breakable: bool,
    /// Labels behind enclosing loops.
    pub(super) out_labels: Vec<String>,
}

impl FnCtx {
    pub(super) fn charge(&mut self, n: u64) {
        self.cost = self.cost.saturating_add(self.mult.saturating_mul(n));
    }
}

impl Gen<'_> {
    /// What the function being written may cost.
    pub(super) fn budget(&self) -> u64 {
        if self.cx.index.is_none() { self.knobs.max_cost } else { self.knobs.max_cost / 6 }
    }

    /// Whether a call of this function at the current place keeps all bounds.
    pub(super) fn may_call(&self, callee: usize) -> bool {
        let f = &self.funcs[callee];
        if self.cx.group.is_some() && f.group == self.cx.group {
            return self.cx.mult == 1 && self.cx.self_calls < 2;
        }
        let Some(cost) = f.cost else { return false };
        if f.draws > 0 {
            let Mode::Verdict { bits, .. } = self.knobs.mode else { return false };
            if self.cx.group.is_some() || u64::from(self.cx.draws) + u64::from(f.draws) * self.cx.mult > u64::from(bits)
            {
                return false;
            }
        }
        self.cx.cost.saturating_add(cost.saturating_mul(self.cx.mult)) <= self.budget()
    }

    pub(super) fn charge_call(&mut self, callee: usize) {
        let f = &self.funcs[callee];
        match f.cost {
            Some(cost) if f.group.is_none() || f.group != self.cx.group => {
                self.cx.draws += f.draws * self.cx.mult as u32;
                self.cx.charge(cost);
            }
            _ => {
                self.cx.self_calls += 1;
                self.mark(Feature::Recursion);
                if self.cx.index != Some(callee) {
                    self.mark(Feature::MutualRecursion);
                }
            }
        }
    }

    /// The whole program.
    pub(super) fn program(mut self) -> Draft {
        self.enumerations();
        self.typedefs();
        let globals = self.globals();
        self.signatures();
        for i in (0..self.funcs.len()).rev() {
            self.function(i);
        }
        let main = self.main_function();
        let mut names: Vec<String> = vec!["main".into()];
        names.extend(self.scope.iter().map(|v| self.vars[v.0].name.clone()));
        names.extend(self.funcs.iter().map(|f| f.name.clone()));
        names.extend(self.typedefs.iter().map(|(n, _)| n.clone()));
        for (k, e) in self.enums.iter().enumerate() {
            names.push(format!("E{k}"));
            names.push(format!("e{k}_t"));
            names.extend(e.constants.iter().map(|(n, _)| n.clone()));
        }
        names.extend(
            if self.closed() { vec!["checksum", "mix"] } else { vec!["reach_error"] }.iter().map(ToString::to_string),
        );

        let mut source = self.prelude();
        source.push_str(&globals);
        for f in &self.funcs {
            source.push_str(&format!("{};\n", self.header(f, None)));
        }
        let mut bodies: Vec<&str> = self.funcs.iter().map(|f| f.body.as_str()).collect();
        bodies.push(&main);
        if self.seed % 2 == 1 {
            bodies.reverse();
        }
        for body in bodies {
            source.push('\n');
            source.push_str(body);
        }
        let program = Program {
            seed: self.seed,
            source,
            model: self.knobs.model,
            names,
            inputs: self.inputs,
            features: self.features,
            notes: Vec::new(),
        };
        Draft { program, checks: self.checks }
    }

    /// Declarations that need no header.
    fn prelude(&self) -> String {
        let mut s = String::new();
        if self.features.contains(&Feature::Exit) {
            s.push_str("extern void exit(int);\n");
        }
        if self.features.contains(&Feature::Abort) {
            s.push_str("extern void abort(void);\n");
        }
        if self.closed() {
            s.push_str("unsigned long long checksum = 14695981039346656037ULL;\n");
            s.push_str("static void mix(unsigned long long v) {\n    checksum = (checksum ^ v) * 1099511628211ULL;\n");
            s.push_str("    checksum ^= checksum >> 29;\n}\n");
            return s;
        }
        if self.features.contains(&Feature::Assume) {
            s.push_str("extern void __VERIFIER_assume(int);\n");
        }
        for (name, _) in &self.inputs {
            let ret = match name.strip_prefix("__VERIFIER_nondet_") {
                Some("uint") => "unsigned int",
                Some("uchar") => "unsigned char",
                Some("ushort") => "unsigned short",
                Some("bool") => "_Bool",
                Some(plain) => plain,
                None => unreachable!("inputs are drawn from the functions of that prefix"),
            };
            s.push_str(&format!("extern {ret} {name}(void);\n"));
        }
        s.push_str(if self.seed.is_multiple_of(2) { "extern void reach_error(void);\n" } else { REACH_ERROR_DEFINED });
        s
    }

    fn enumerations(&mut self) {
        if self.knobs.plain && self.rng.chance(70) {
            return;
        }
        for k in 0..self.rng.below(3) as usize {
            let n = 2 + self.rng.index(3);
            let negative = self.rng.chance(40);
            let mut value = if negative { -(1 + self.rng.below(5) as i64) } else { self.rng.below(4) as i64 };
            let mut constants = Vec::new();
            for i in 0..n {
                constants.push((format!("E{k}_{}", char::from(b'A' + i as u8)), value));
                value += 1 + if self.rng.chance(60) { 0 } else { self.rng.below(20) as i64 };
            }
            let spelling = if self.rng.chance(50) { format!("enum E{k}") } else { format!("e{k}_t") };
            self.enums.push(EnumDef { spelling, signed: negative, constants });
        }
    }

    fn enum_text(&mut self, k: usize) -> String {
        let def = self.enums[k].clone();
        let mut last = -1;
        let mut items = Vec::new();
        for (name, value) in &def.constants {
            if *value == last + 1 && self.rng.chance(70) {
                items.push(name.clone());
            } else {
                items.push(format!("{name} = {}", self.int_constant(*value)));
            }
            last = *value;
        }
        let comma = if self.rng.chance(30) { "," } else { "" };
        let typedef = if def.spelling.starts_with('e') && !def.spelling.starts_with("enum") {
            format!("typedef enum E{k} {};\n", def.spelling)
        } else {
            String::new()
        };
        format!("enum E{k} {{ {}{comma} }};\n{typedef}", items.join(", "))
    }

    fn typedefs(&mut self) {
        let n = if self.knobs.plain { self.rng.below(2) } else { self.rng.below(4) };
        for k in 0..n {
            let ty = if self.knobs.plain { CType::UInt } else { *self.rng.pick(&BASIC) };
            self.typedefs.push((format!("T{k}"), ty));
        }
    }

    /// Types and globals as text; declares the globals.
    fn globals(&mut self) -> String {
        let mut s = String::new();
        for k in 0..self.enums.len() {
            s.push_str(&self.enum_text(k));
        }
        for (name, ty) in self.typedefs.clone() {
            s.push_str(&format!("typedef {} {name};\n", ty.keyword()));
        }
        for k in 0..1 + self.rng.index(self.knobs.globals) {
            let ty = self.any_type();
            let (spelled, name) = (self.spell(ty), format!("g{k}"));
            let is_static = self.rng.chance(30);
            if is_static {
                self.mark(Feature::GlobalStatic);
            }
            let mut prefix = if is_static { "static " } else { "" }.to_string();
            let constant = self.rng.chance(6);
            if constant {
                prefix.push_str("const ");
            }
            if self.closed() && self.rng.chance(4) {
                self.mark(Feature::VolatileVar);
                prefix.push_str("volatile ");
            }
            if self.rng.chance(25) {
                self.mark(Feature::GlobalTentative);
                s.push_str(&format!("{prefix}{spelled} {name};\n"));
                if self.rng.chance(50) {
                    s.push_str(&format!("{prefix}{spelled} {name};\n"));
                }
            } else {
                let depth = if self.knobs.plain { 0 } else { self.rng.below(4) as u32 };
                let init = self.constant(depth);
                self.mark(if init.ex.prec == 16 { Feature::GlobalInit } else { Feature::GlobalConstExpr });
                let init = self.wrap(&init.ex, 2);
                s.push_str(&format!("{prefix}{spelled} {name} = {init};\n"));
            }
            self.declare(name, ty, !constant, true);
        }
        s
    }

    fn signatures(&mut self) {
        let n = 1 + self.rng.index(self.knobs.functions);
        let mut group = None;
        for i in 0..n {
            // A partner of the previous function, or the start of a group, or on its own.
            let joins = group.is_some() && self.rng.chance(50);
            let starts = !joins && self.rng.chance(35);
            group = match (joins, starts) {
                (true, _) => group,
                (_, true) => Some(i),
                _ => None,
            };
            let ret = if self.rng.chance(15) { None } else { Some(self.any_type()) };
            let mut params: Vec<CType> = (0..self.rng.below(4)).map(|_| self.any_type()).collect();
            if group.is_some() {
                params.insert(0, self.counter_type());
            }
            let pure_fn = group.is_none() && ret.is_some() && self.rng.chance(30);
            let header =
                (ret.map_or("void".to_string(), |t| self.spell(t)), params.iter().map(|t| self.spell(*t)).collect());
            let prefix = if self.rng.chance(25) { "static " } else { "" };
            self.funcs.push(Func {
                name: format!("f{i}"),
                ret,
                params,
                group,
                pure_fn,
                cost: None,
                draws: 0,
                depth_mask: 1,
                body: String::new(),
                header: (format!("{prefix}{}", header.0), header.1),
            });
        }
    }

    fn header(&self, f: &Func, names: Option<&[String]>) -> String {
        let params: Vec<String> = match names {
            Some(names) => f.header.1.iter().zip(names).map(|(t, n)| format!("{t} {n}")).collect(),
            None => f.header.1.clone(),
        };
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        format!("{} {}({params})", f.header.0, f.name)
    }

    fn function(&mut self, index: usize) {
        let f = self.funcs[index].clone();
        let outer = self.scope.len();
        self.cx = FnCtx {
            index: Some(index),
            ret: f.ret,
            group: f.group,
            pure_fn: f.pure_fn,
            mult: 1,
            block_start: outer,
            ..FnCtx::default()
        };
        let mut names = Vec::new();
        for (k, &ty) in f.params.iter().enumerate() {
            let is_depth = f.group.is_some() && k == 0;
            let name = if is_depth { "d".to_string() } else { format!("p{k}") };
            let id = self.declare(name.clone(), ty, !is_depth, false);
            if is_depth {
                self.cx.depth_param = Some(id);
            }
            names.push(name);
        }
        self.out.clear();
        let header = self.header(&f, Some(&names));
        self.line(&format!("{header} {{"));
        self.indent += 1;
        if f.group.is_some() {
            let stop = if f.params[0].signed() { "d <= 0" } else { "d == 0" };
            let value = f.ret.map(|_| self.pure_expr(1));
            let value = value.map_or(String::new(), |e| format!(" {}", e.text));
            self.line(&format!("if ({stop}) return{value};"));
        }
        let n = 1 + self.rng.index(self.knobs.statements);
        self.items(self.knobs.depth.saturating_sub(1), n, true);
        if f.group.is_some() && self.cx.self_calls == 0 {
            self.recursive_call();
        }
        if self.closed() && !f.pure_fn {
            self.mix_all(outer..self.scope.len());
        }
        match f.ret {
            Some(_) => {
                let e = self.expr(self.knobs.expr_depth);
                self.line(&format!("return {};", e.text));
            }
            None if self.rng.chance(30) => {
                self.mark(Feature::VoidReturn);
                self.line("return;");
            }
            None => {}
        }
        self.indent -= 1;
        self.line("}");
        self.scope.truncate(outer);
        self.funcs[index].body = std::mem::take(&mut self.out);
        self.funcs[index].draws = self.cx.draws;
        self.finish_cost(index);
    }

    /// A call of some member of the group, so that a recursive function is one.
    fn recursive_call(&mut self) {
        for _ in 0..20 {
            if let Some(call) = self.call(1, true)
                && self.cx.self_calls > 0
            {
                self.line(&format!("{};", call.text));
                return;
            }
        }
    }

    /// Sets what a call costs; for a recursive group once its last body is written.
    fn finish_cost(&mut self, index: usize) {
        let Some(group) = self.funcs[index].group else {
            self.funcs[index].cost = Some(self.cx.cost);
            return;
        };
        // While the group is open, `cost` stays `None` and the body's own cost waits in `depth_mask`'s place: the
        // mask is only needed by callers outside, who come later.
        self.funcs[index].depth_mask = self.cx.cost;
        let members: Vec<usize> = (0..self.funcs.len()).filter(|&i| self.funcs[i].group == Some(group)).collect();
        if index != members[0] {
            return;
        }
        let body: u64 = members.iter().map(|&i| self.funcs[i].depth_mask).max().unwrap_or(1);
        // At most two calls of partners per activation: a binary tree.
        let (mask, cost) = [7u64, 3, 1]
            .map(|mask| (mask, body.saturating_mul(1 << (mask + 1))))
            .into_iter()
            .find(|(_, cost)| *cost <= self.knobs.max_cost / 4)
            .unwrap_or((1, body.saturating_mul(4)));
        for i in members {
            self.funcs[i].depth_mask = mask;
            self.funcs[i].cost = Some(cost);
        }
    }

    fn main_function(&mut self) -> String {
        let outer = self.scope.len();
        self.cx = FnCtx { mult: 1, ret: Some(CType::Int), block_start: outer, ..FnCtx::default() };
        self.out.clear();
        self.line("int main(void) {");
        self.indent += 1;
        if !self.closed() {
            for _ in 0..1 + self.rng.below(2) {
                self.input_stmt(true);
            }
        }
        let n = 2 + self.rng.index(self.knobs.statements);
        self.items(self.knobs.depth, n, true);
        if self.closed() {
            self.finish_checksum_main();
        } else {
            self.finish_verdict_main();
        }
        self.indent -= 1;
        self.line("}");
        self.scope.truncate(outer);
        std::mem::take(&mut self.out)
    }

    /// Every function is called at least once if the budget allows, and every global is mixed in.
    fn finish_checksum_main(&mut self) {
        for i in 0..self.funcs.len() {
            let name = self.funcs[i].name.clone();
            if self.out.contains(&format!("{name}(")) {
                continue;
            }
            for _ in 0..8 {
                if let Some(call) = self.call(2, true)
                    && call.text.starts_with(&format!("{name}("))
                {
                    self.mark(Feature::CallStmt);
                    self.line(&format!("{};", call.text));
                    break;
                }
            }
        }
        if self.rng.chance(14) {
            let c = self.expr(2);
            let code = self.rng.below(100);
            let (f, text) = if self.rng.chance(50) {
                (Feature::Exit, format!("exit({code})"))
            } else {
                (Feature::Abort, "abort()".to_string())
            };
            self.mark(f);
            self.line(&format!("if ({}) {text};", c.text));
        }
        self.mix_all(0..self.scope.len());
        if self.rng.chance(20) {
            self.mark(Feature::NoReturnInMain);
        } else {
            self.line("return (int)(checksum & 127);");
        }
    }

    /// Mixes in the variables of a part of the scope, as far as their names are not hidden.
    fn mix_all(&mut self, part: std::ops::Range<usize>) {
        let mut visible = self.visible(|_| true);
        visible.sort_unstable();
        visible.retain(|v| self.scope[part.clone()].contains(v));
        for v in visible {
            let name = self.vars[v.0].name.clone();
            self.cx.charge(3);
            self.line(&format!("mix({name});"));
        }
    }

    fn finish_verdict_main(&mut self) {
        self.check_stmt();
        if self.rng.chance(70) {
            self.line("return 0;");
        }
    }
}

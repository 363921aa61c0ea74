//! SMV, for NuSMV and nuXmv: one module with a program counter; calls are inlined, so there must be no recursion.

use super::formulas::{Infix, Names, Notation, formula, possible};
use crate::interp::Goal;
use crate::program::{Expr, ProcId, Program, StmtId, StmtKind, Var};
use base::Id;
use std::fmt::Write;

/// A program with more inlined activations is not printed.
const MOST_ACTIVATIONS: usize = 5_000;

/// One inlined activation.
struct Activation {
    proc: ProcId,
    /// The value of `pc` at its first statement.
    base: usize,
    /// Where it returns to: the caller's activation and the call.
    caller: Option<(usize, StmtId)>,
}

struct Writer<'p> {
    program: &'p Program,
    all: Vec<Activation>,
    /// The activation that each call of an activation begins.
    called: Vec<Vec<(StmtId, usize)>>,
    halt: usize,
    transitions: Vec<String>,
    most_choices: usize,
}

/// The program with an invariant that says that no target is reached. The error says why there is none.
pub(super) fn print(program: &Program, targets: &[Goal]) -> Result<String, String> {
    let mut w =
        Writer { program, all: Vec::new(), called: Vec::new(), halt: 0, transitions: Vec::new(), most_choices: 0 };
    w.activate(program.entry, None, &mut Vec::new())?;
    for a in 0..w.all.len() {
        for s in program.procs[w.all[a].proc].body.ids() {
            w.stmt(a, s);
        }
    }
    // Runs that are over, and states from which nothing is left, stay as they are: every state has a successor.
    let vars = w.variables();
    let kept: Vec<String> = vars.iter().map(|v| format!("next({v}) = {v}")).collect();
    let stays = [vec!["next(pc) = pc".to_owned()], kept].concat().join(" & ");
    w.transitions.push(format!("({stays})"));
    let mut out = String::from("MODULE main\n");
    _ = writeln!(out, "VAR\n  pc : 0..{};", w.halt.max(1));
    vars.iter().for_each(|v| _ = writeln!(out, "  {v} : boolean;"));
    if w.most_choices > 0 {
        out += "IVAR\n";
        (0..w.most_choices).for_each(|i| _ = writeln!(out, "  any{i} : boolean;"));
    }
    _ = writeln!(out, "INIT\n  {}", w.initial().join(" & "));
    _ = writeln!(out, "TRANS\n    {}", w.transitions.join("\n  | "));
    let mut bad: Vec<String> = Vec::new();
    for t in targets {
        let (Goal::At(p, s) | Goal::Fails(p, s)) = *t;
        for (a, activation) in w.all.iter().enumerate().filter(|(_, a)| a.proc == p) {
            let here = format!("pc = {}", activation.base + s.index());
            bad.push(match (&program.procs[p].body[s].kind, t) {
                (StmtKind::Assert(e), Goal::Fails(..)) => {
                    format!("({here} & {})", possible(e, false, &Infix, &|v| w.name(a, v)))
                }
                _ => format!("({here})"),
            });
        }
    }
    let bad = if bad.is_empty() { "FALSE".to_owned() } else { bad.join(" | ") };
    _ = writeln!(out, "INVARSPEC\n  !({bad})");
    Ok(out)
}

impl Writer<'_> {
    fn activate(
        &mut self,
        proc: ProcId,
        caller: Option<(usize, StmtId)>,
        open: &mut Vec<ProcId>,
    ) -> Result<usize, String> {
        let name = &self.program.procs[proc].name;
        if open.contains(&proc) {
            return Err(format!("`{name}` is recursive, and SMV has no calls"));
        }
        if self.all.len() >= MOST_ACTIVATIONS {
            return Err(format!("inlined, it has more than {MOST_ACTIVATIONS} activations"));
        }
        open.push(proc);
        let a = self.all.len();
        self.all.push(Activation { proc, base: self.halt, caller });
        self.called.push(Vec::new());
        self.halt += self.program.procs[proc].body.len();
        for (s, stmt) in self.program.procs[proc].body.iter_enumerated() {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                let inner = self.activate(*callee, Some((a, s)), open)?;
                self.called[a].push((s, inner));
            }
        }
        open.pop();
        Ok(a)
    }

    fn name(&self, a: usize, v: Var) -> String {
        match v {
            Var::Global(g) => format!("g{}", g.index()),
            Var::Local(l) => format!("l{a}_{}", l.index()),
        }
    }

    fn next(&self, a: usize, v: Var) -> String {
        format!("next({})", self.name(a, v))
    }

    fn variables(&self) -> Vec<String> {
        let globals = (0..self.program.globals.len()).map(|i| format!("g{i}"));
        let locals = |(a, act): (usize, &Activation)| {
            (0..self.program.procs[act.proc].locals.len()).map(move |i| format!("l{a}_{i}")).collect::<Vec<_>>()
        };
        globals.chain(self.all.iter().enumerate().flat_map(locals)).collect()
    }

    fn initial(&self) -> Vec<String> {
        let mut out = vec!["pc = 0".to_owned()];
        let is = |name: String, b: bool| if b { name } else { format!("!{name}") };
        out.extend(self.program.globals.iter().enumerate().filter_map(|(i, d)| d.init.map(|b| is(format!("g{i}"), b))));
        let entry = &self.program.procs[self.program.entry];
        out.extend(entry.locals.iter().enumerate().filter_map(|(i, d)| d.init.map(|b| is(format!("l0_{i}"), b))));
        out.extend(self.enforced(0, &|v| self.name(0, v)));
        out
    }

    fn enforced(&self, a: usize, value: &dyn Fn(Var) -> String) -> Option<String> {
        let e = self.program.procs[self.all[a].proc].enforce.as_ref()?;
        Some(possible(e, true, &Infix, value))
    }

    /// A transition: new values of some variables, all others stay.
    fn goes(&mut self, from: usize, to: usize, mut conditions: Vec<String>, new: &[(String, String)], choices: usize) {
        let mut all = vec![format!("pc = {from}"), format!("next(pc) = {to}")];
        all.append(&mut conditions);
        for v in self.variables() {
            match new.iter().find(|(name, _)| *name == v) {
                Some((_, value)) if value.is_empty() => {}
                Some((_, value)) => all.push(format!("(next({v}) <-> {value})")),
                None => all.push(format!("next({v}) = {v}")),
            }
        }
        self.most_choices = self.most_choices.max(choices);
        self.transitions.push(format!("({})", all.join(" & ")));
    }

    fn stmt(&mut self, a: usize, s: StmtId) {
        let program = self.program;
        let base = self.all[a].base;
        let stmt = &program.procs[self.all[a].proc].body[s];
        let none: &[(Option<Var>, Expr)] = &[];
        let here = base + s.index();
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Print(_) => self.step(a, s, s.next(), none, None),
            StmtKind::Goto(to) => to.iter().for_each(|&t| self.step(a, s, t, none, None)),
            StmtKind::Assume(e) | StmtKind::Assert(e) => self.step(a, s, s.next(), none, Some((e, true))),
            StmtKind::Branch(e, yes, no) => {
                self.step(a, s, *yes, none, Some((e, true)));
                self.step(a, s, *no, none, Some((e, false)));
            }
            StmtKind::Dead(vars) => {
                let pairs: Vec<(Option<Var>, Expr)> = vars.iter().map(|v| (Some(*v), Expr::Nondet)).collect();
                self.step(a, s, s.next(), &pairs, None);
            }
            StmtKind::Assign(pairs) => self.step(a, s, s.next(), pairs, None),
            StmtKind::Call { args, .. } => {
                let inner =
                    self.called[a].iter().find(|(at, _)| *at == s).map(|(_, i)| *i).expect("every call is inlined");
                let callee = &program.procs[self.all[inner].proc];
                let (args, choices) = self.evaluated(a, args);
                let mut new: Vec<(String, String)> = Vec::new();
                for (l, d) in callee.locals.iter_enumerated() {
                    let value = match args.get(l.index()) {
                        Some(arg) => arg.clone(),
                        // Without a first value it is arbitrary.
                        None => d.init.map_or(String::new(), |b| Infix.constant(b)),
                    };
                    new.push((self.name(inner, Var::Local(l)), value));
                }
                let kept = self.enforced(inner, &|v| self.next(inner, v));
                self.goes(here, self.all[inner].base, kept.into_iter().collect(), &new, choices);
            }
            StmtKind::Return(values) => {
                let (values, choices) = self.evaluated(a, values);
                let Some((caller, call)) = self.all[a].caller else {
                    return self.goes(here, self.halt, Vec::new(), &[], 0);
                };
                let to = &program.procs[self.all[caller].proc].body[call];
                let StmtKind::Call { results, .. } = &to.kind else { unreachable!("only calls wait") };
                let pairs = results.iter().zip(&values);
                let new: Vec<(String, String)> =
                    pairs.filter_map(|(r, value)| Some((self.name(caller, (*r)?), value.clone()))).collect();
                let value = |v| self.next(caller, v);
                let mut conditions: Vec<String> = self.enforced(caller, &value).into_iter().collect();
                let mut choices = choices;
                if let Some(c) = &to.constrain {
                    // Globals before the call are gone: what a constraint says of them is not used.
                    let reads_global = c.vars().iter().any(|v| matches!(v, Var::Global(_)));
                    let mut names = Names { old: &|v| self.name(caller, v), new: &value, choices };
                    conditions.extend((!reads_global).then(|| formula(c, &Infix, &mut names)));
                    choices = names.choices;
                }
                self.goes(here, self.all[caller].base + call.next().index(), conditions, &new, choices);
            }
        }
    }

    fn evaluated(&self, a: usize, exprs: &[Expr]) -> (Vec<String>, usize) {
        let mut names = Names { old: &|v| self.name(a, v), new: &|v| self.next(a, v), choices: 0 };
        let values = exprs.iter().map(|e| formula(e, &Infix, &mut names)).collect();
        (values, names.choices)
    }

    fn step(&mut self, a: usize, s: StmtId, to: StmtId, pairs: &[(Option<Var>, Expr)], on: Option<(&Expr, bool)>) {
        let program = self.program;
        let base = self.all[a].base;
        let (conditions, new, choices) = {
            let next = |v: Var| self.next(a, v);
            let mut names = Names { old: &|v| self.name(a, v), new: &next, choices: 0 };
            let mut conditions: Vec<String> = Vec::new();
            conditions.extend(on.map(|(e, value)| {
                let f = formula(e, &Infix, &mut names);
                if value { f } else { format!("!{f}") }
            }));
            let assigned = pairs.iter().filter_map(|(v, e)| Some(((*v)?, e)));
            let new: Vec<(String, String)> =
                assigned.map(|(v, e)| (self.name(a, v), formula(e, &Infix, &mut names))).collect();
            let constrain = &program.procs[self.all[a].proc].body[s].constrain;
            conditions.extend(constrain.as_ref().map(|c| formula(c, &Infix, &mut names)));
            conditions.extend(self.enforced(a, &next));
            (conditions, new, names.choices)
        };
        self.goes(base + s.index(), base + to.index(), conditions, &new, choices);
    }
}

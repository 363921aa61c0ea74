//! Random programs in X and an interpreter of the tree, which shares nothing with the lowering it judges.

use base::rng::Rng;
use std::collections::BTreeMap;
use xfront::syntax::*;

/// One instruction of a procedure that was made flat.
pub(crate) enum Ins<'a> {
    Simple(&'a Stmt),
    Branch(&'a Stmt, &'a Expr, usize),
    Jump(usize),
}

/// A program made flat.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    code: Vec<Vec<Ins<'a>>>,
}

/// Values of variables by name; truth values are 0 and 1.
type Env = BTreeMap<String, i32>;

/// A state: globals, and the activations with their next instruction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    globals: Env,
    frames: Vec<(usize, usize, Env)>,
}

/// What a step comes to.
pub(crate) enum Next {
    To(State),
    Error,
    Blocked,
    End,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(program: &'a Program) -> Machine<'a> {
        let code = program.procs.iter().map(|p| {
            let mut out = Vec::new();
            flatten(&p.body, &mut out);
            out
        });
        Machine { program, code: code.collect() }
    }

    /// The state in which the run begins: everything is 0.
    pub(crate) fn start(&self, proc: usize) -> State {
        let globals = self.program.globals.iter().map(|d| (d.name.text.clone(), 0)).collect();
        State { globals, frames: vec![(proc, 0, self.frame(proc, &[]))] }
    }

    fn frame(&self, proc: usize, args: &[i32]) -> Env {
        let p = &self.program.procs[proc];
        let given = args.iter().copied().chain(std::iter::repeat(0));
        p.params.iter().chain(&p.locals).map(|d| d.name.text.clone()).zip(given).collect()
    }

    /// The label of the statement that comes next, and how many `?` it evaluates.
    pub(crate) fn ahead(&self, state: &State) -> (Option<&'a str>, usize) {
        let Some((proc, pc, _)) = state.frames.last() else { return (None, 0) };
        let label = |s: &'a Stmt| s.label.as_ref().map(|l| l.text.as_str());
        match self.code[*proc].get(*pc) {
            Some(Ins::Simple(s)) => (label(s), expressions(&s.kind).iter().map(|e| choices(e)).sum()),
            Some(Ins::Branch(s, e, _)) => (label(s), choices(e)),
            _ => (None, 0),
        }
    }

    pub(crate) fn step(&self, state: &State, bits: &mut dyn FnMut() -> bool) -> Next {
        let mut next = state.clone();
        let Some((proc, pc, _)) = next.frames.last_mut() else { return Next::End };
        let ins = self.code[*proc].get(*pc);
        *pc += 1;
        match ins {
            None => return leave(next),
            Some(Ins::Jump(to)) => *pc = *to,
            Some(Ins::Branch(_, e, otherwise)) => {
                if eval(e, state, bits) == 0 {
                    *pc = *otherwise;
                }
            }
            Some(Ins::Simple(stmt)) => match &stmt.kind {
                StmtKind::Skip => {}
                StmtKind::Return => return leave(next),
                StmtKind::Assign(names, values) => {
                    let values: Vec<i32> = values.iter().map(|e| eval(e, state, bits)).collect();
                    for (name, value) in names.iter().zip(values) {
                        next.write(&name.text, value);
                    }
                }
                StmtKind::Assert(e) if eval(e, state, bits) == 0 => return Next::Error,
                StmtKind::Assume(e) if eval(e, state, bits) == 0 => return Next::Blocked,
                StmtKind::Assert(_) | StmtKind::Assume(_) => {}
                StmtKind::Call(name, args) => {
                    let args: Vec<i32> = args.iter().map(|e| eval(e, state, bits)).collect();
                    let callee = self.program.procs.iter().position(|p| p.name == *name);
                    if let Some(callee) = callee {
                        next.frames.push((callee, 0, self.frame(callee, &args)));
                    }
                }
                StmtKind::If(..) | StmtKind::While(..) => unreachable!("made flat"),
            },
        }
        Next::To(next)
    }
}

fn leave(mut state: State) -> Next {
    state.frames.pop();
    if state.frames.is_empty() { Next::End } else { Next::To(state) }
}

impl State {
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    fn write(&mut self, name: &str, value: i32) {
        let locals = &mut self.frames.last_mut().expect("a run has an activation").2;
        let env = if locals.contains_key(name) { locals } else { &mut self.globals };
        env.insert(name.to_owned(), value);
    }

    fn read(&self, name: &str) -> i32 {
        let locals = &self.frames.last().expect("a run has an activation").2;
        locals.get(name).or_else(|| self.globals.get(name)).copied().expect("names were checked")
    }
}

fn flatten<'a>(body: &'a [Stmt], out: &mut Vec<Ins<'a>>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let branch = out.len();
                out.push(Ins::Jump(0));
                flatten(yes, out);
                let over = out.len();
                out.push(Ins::Jump(0));
                out[branch] = Ins::Branch(stmt, cond, out.len());
                flatten(no, out);
                out[over] = Ins::Jump(out.len());
            }
            StmtKind::While(cond, inner) => {
                let head = out.len();
                out.push(Ins::Jump(0));
                flatten(inner, out);
                out.push(Ins::Jump(head));
                out[head] = Ins::Branch(stmt, cond, out.len());
            }
            _ => out.push(Ins::Simple(stmt)),
        }
    }
}

fn expressions(kind: &StmtKind) -> Vec<&Expr> {
    match kind {
        StmtKind::Assign(_, es) | StmtKind::Call(_, es) => es.iter().collect(),
        StmtKind::Assert(e) | StmtKind::Assume(e) | StmtKind::If(e, ..) | StmtKind::While(e, _) => vec![e],
        StmtKind::Skip | StmtKind::Return => Vec::new(),
    }
}

fn choices(e: &Expr) -> usize {
    match &e.kind {
        ExprKind::Unknown => 1,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) => 0,
        ExprKind::Not(a) | ExprKind::Neg(a) => choices(a),
        ExprKind::Binary(_, a, b) => choices(a) + choices(b),
    }
}

fn eval(e: &Expr, state: &State, bits: &mut dyn FnMut() -> bool) -> i32 {
    match &e.kind {
        ExprKind::Int(n) => i32::try_from(*n).expect("numbers were checked"),
        ExprKind::Bool(b) => i32::from(*b),
        ExprKind::Unknown => i32::from(bits()),
        ExprKind::Name(name) if name == "T" => 1,
        ExprKind::Name(name) if name == "F" => 0,
        ExprKind::Name(name) => state.read(name),
        ExprKind::Not(a) => 1 - eval(a, state, bits),
        ExprKind::Neg(a) => eval(a, state, bits).wrapping_neg(),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (eval(a, state, bits), eval(b, state, bits));
            match op {
                Op::Or => a | b,
                Op::And => a & b,
                Op::Eq => i32::from(a == b),
                Op::Ne => i32::from(a != b),
                Op::Lt => i32::from(a < b),
                Op::Le => i32::from(a <= b),
                Op::Gt => i32::from(a > b),
                Op::Ge => i32::from(a >= b),
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                Op::Mul => a.wrapping_mul(b),
                Op::Div => a.wrapping_div(b),
                Op::Rem => a.wrapping_rem(b),
            }
        }
    }
}

/// The text of a random program.
pub(crate) fn random_program(seed: u64) -> String {
    let mut g = Gen { rng: Rng::new(seed), labels: 0 };
    let mut text = "g: int; h: bool; k: bool;\n".to_owned();
    let procs = 1 + g.rng.below(3);
    for p in 0..procs {
        let name = if p == 0 { "main".to_owned() } else { format!("p{p}") };
        let params = if p == 0 { "" } else { "a: int; b: bool" };
        text += &format!("void {name}({params}) {{\n  x, y: int; u, v: bool;\n");
        g.body(&mut text, 2, procs, p > 0);
        text += "}\n";
    }
    text
}

struct Gen {
    rng: Rng,
    labels: u32,
}

impl Gen {
    fn body(&mut self, out: &mut String, depth: u32, procs: u64, formals: bool) {
        for _ in 0..1 + self.rng.below(4) {
            self.labels += 1;
            *out += &format!("[{}] ", self.labels);
            match self.rng.below(if depth == 0 { 8 } else { 11 }) {
                0 => *out += "skip;\n",
                1 | 2 => *out += &format!("{} := {};\n", self.int_var(), self.int(2, formals)),
                3 => *out += &format!("{} := {};\n", self.bool_var(), self.bool(2, formals)),
                4 => *out += &format!("x, u, y := {}, {}, x;\n", self.int(1, formals), self.bool(1, formals)),
                5 => *out += &format!("assert({});\n", self.bool(2, formals)),
                6 if procs > 1 => {
                    let callee = 1 + self.rng.below(procs - 1);
                    *out += &format!("p{callee}({}, {});\n", self.int(1, formals), self.bool(1, formals));
                }
                6 => *out += "...;\n",
                7 if self.rng.chance(20) => *out += "return;\n",
                7 => *out += "h, k := k, h;\n",
                8 | 9 => {
                    *out += &format!("if ({}) {{\n", self.bool(2, formals));
                    self.body(out, depth - 1, procs, formals);
                    if self.rng.chance(60) {
                        *out += "} else {\n";
                        self.body(out, depth - 1, procs, formals);
                    }
                    *out += "}\n";
                }
                _ => {
                    *out += &format!("while ({}) {{\n", self.bool(2, formals));
                    self.body(out, depth - 1, procs, formals);
                    *out += "}\n";
                }
            }
        }
    }

    fn int_var(&mut self) -> &'static str {
        ["x", "y", "g"][self.rng.index(3)]
    }

    fn bool_var(&mut self) -> &'static str {
        ["u", "v", "h", "k"][self.rng.index(4)]
    }

    fn int(&mut self, depth: u32, formals: bool) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => self.rng.below(4).to_string(),
            1 if formals => "a".to_owned(),
            1 | 2 => self.int_var().to_owned(),
            3 => format!("({} + {})", self.int(depth - 1, formals), self.int(depth - 1, formals)),
            4 => format!("(-{} - {})", self.int(depth - 1, formals), self.int(depth - 1, formals)),
            _ => {
                let op = *self.rng.pick(&["*", "/", "%"]);
                format!("({} {op} {})", self.int(depth - 1, formals), 1 + self.rng.below(4))
            }
        }
    }

    fn bool(&mut self, depth: u32, formals: bool) -> String {
        match self.rng.below(if depth == 0 { 4 } else { 8 }) {
            0 => "?".to_owned(),
            1 if formals => "b".to_owned(),
            1 | 2 => self.bool_var().to_owned(),
            3 => (*self.rng.pick(&["T", "F", "true"])).to_owned(),
            4 => format!("!{}", self.bool(depth - 1, formals)),
            5 => format!("({} & {})", self.bool(depth - 1, formals), self.bool(depth - 1, formals)),
            6 => format!("({} | {})", self.bool(depth - 1, formals), self.bool(depth - 1, formals)),
            _ => {
                let op = *self.rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.int(depth - 1, formals), self.int(depth - 1, formals))
            }
        }
    }
}

/// The value of an expression without choices over variables by name.
pub(crate) fn value(e: &Expr, env: &BTreeMap<String, i32>) -> i32 {
    let state = State { globals: env.clone(), frames: vec![(0, 0, Env::new())] };
    eval(e, &state, &mut || unreachable!("there are no choices"))
}

/// The text of a random path: assignments and conditions over a, b, c.
pub(crate) fn random_path(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = "a, b, c: int;\nmain() {\n".to_owned();
    for _ in 0..2 + rng.below(7) {
        let x = *rng.pick(&["a", "b", "c"]);
        let y = *rng.pick(&["a", "b", "c"]);
        let n = rng.below(4);
        text += &match rng.below(5) {
            0 => format!("assert({x} < {y} + {n});\n"),
            1 => format!("assume({x} != {y} - {n} | {x} = {n});\n"),
            2 => format!("{x} := {y} * {n} - {x};\n"),
            3 => format!("{x} := {n};\n"),
            _ => format!("{x} := {y} + {n};\n"),
        };
    }
    text + "}\n"
}

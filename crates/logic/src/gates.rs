//! The circuit: an and-inverter graph with exclusive-or, choice and majority gates, hashed structurally, from which
//! clauses are taken only for the cone of what is asked.
//!
//! Invariants: gate 0 is the constant; a gate's inputs have smaller indices; a gate is normal (constants folded, inputs
//! sorted, signs pulled out), so equal functions of this simple kind are one gate. Definitions go in both directions: a
//! literal may be assumed true or false.

use rustc_hash::FxHashMap;

use crate::sat::SatSolver;

/// A gate's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bit(u32);

impl Bit {
    pub(crate) const FALSE: Bit = Bit(0);
    pub(crate) const TRUE: Bit = Bit(1);

    pub(crate) fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn flip_if(self, flip: bool) -> Bit {
        Bit(self.0 ^ u32::from(flip))
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;
    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    Constant,
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// Second operand where the first holds, third elsewhere.
    Mux(Bit, Bit, Bit),
    Maj(Bit, Bit, Bit),
}

/// All gates of a context, with the SAT variables of those that have clauses.
pub(crate) struct Gates {
    gates: Vec<Gate>,
    table: FxHashMap<Gate, u32>,
    /// The SAT variable of each gate; 0 for one that has no clauses.
    vars: Vec<i32>,
    n_vars: i32,
    stack: Vec<u32>,
    /// Per gate: the last cone that contained it.
    marks: Vec<u32>,
    cone: u32,
}

impl Gates {
    /// The constant alone, already fixed in `sat`.
    pub(crate) fn new(sat: &mut impl SatSolver) -> Gates {
        // Variable 1 is the constant false.
        sat.add_clause(&[-1]);
        Gates {
            gates: vec![Gate::Constant],
            table: FxHashMap::default(),
            vars: vec![1],
            n_vars: 1,
            stack: Vec::new(),
            marks: vec![0],
            cone: 0,
        }
    }

    /// How many there are, those without clauses included.
    pub(crate) fn len(&self) -> u64 {
        self.gates.len() as u64
    }

    pub(crate) fn n_vars(&self) -> i32 {
        self.n_vars
    }

    /// A SAT variable that no gate has.
    pub(crate) fn new_var(&mut self) -> i32 {
        self.n_vars = self.n_vars.checked_add(1).expect("fewer than 2^31 SAT variables");
        self.n_vars
    }

    fn add(&mut self, gate: Gate) -> u32 {
        let index = u32::try_from(self.gates.len()).ok().filter(|&i| i < 1 << 31).expect("fewer than 2^31 gates");
        self.gates.push(gate);
        self.vars.push(0);
        self.marks.push(0);
        index
    }

    fn make(&mut self, gate: Gate) -> Bit {
        if let Some(&g) = self.table.get(&gate) {
            return Bit(g << 1);
        }
        let g = self.add(gate);
        self.table.insert(gate, g);
        Bit(g << 1)
    }

    pub(crate) fn input(&mut self) -> Bit {
        Bit(self.add(Gate::Input) << 1)
    }

    pub(crate) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == Bit::FALSE || b == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        if b == Bit::TRUE {
            return a;
        }
        self.make(Gate::And(a.min(b), a.max(b)))
    }

    pub(crate) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let flip = a.negated() != b.negated();
        let (a, b) = (a.flip_if(a.negated()), b.flip_if(b.negated()));
        if a == b {
            return Bit::constant(flip);
        }
        if a == Bit::FALSE {
            return b.flip_if(flip);
        }
        if b == Bit::FALSE {
            return a.flip_if(flip);
        }
        self.make(Gate::Xor(a.min(b), a.max(b))).flip_if(flip)
    }

    pub(crate) fn mux(&mut self, s: Bit, t: Bit, e: Bit) -> Bit {
        let (s, t, e) = if s.negated() { (!s, e, t) } else { (s, t, e) };
        if s == Bit::FALSE || t == e {
            return e;
        }
        if t == !e {
            return self.xor(s, e);
        }
        if t == Bit::TRUE || t == s {
            return self.or(s, e);
        }
        if t == Bit::FALSE || t == !s {
            return self.and(!s, e);
        }
        if e == Bit::FALSE || e == s {
            return self.and(s, t);
        }
        if e == Bit::TRUE || e == !s {
            return self.or(!s, t);
        }
        let flip = t.negated();
        self.make(Gate::Mux(s, t.flip_if(flip), e.flip_if(flip))).flip_if(flip)
    }

    pub(crate) fn maj(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut v = [a, b, c];
        v.sort_unstable();
        let [a, b, c] = v;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        let flip = v.iter().filter(|x| x.negated()).count() >= 2;
        self.make(Gate::Maj(a.flip_if(flip), b.flip_if(flip), c.flip_if(flip))).flip_if(flip)
    }

    /// Conjunction of all, as a balanced tree.
    pub(crate) fn and_all(&mut self, mut bits: Vec<Bit>) -> Bit {
        while bits.len() > 1 {
            let mut next = Vec::with_capacity(bits.len().div_ceil(2));
            for pair in bits.chunks(2) {
                next.push(if let &[a, b] = pair { self.and(a, b) } else { pair[0] });
            }
            bits = next;
        }
        bits.first().copied().unwrap_or(Bit::TRUE)
    }

    fn lit(&self, b: Bit) -> i32 {
        let var = self.vars[b.gate()];
        debug_assert!(var != 0, "a gate's inputs have their clauses first");
        if b.negated() { -var } else { var }
    }

    /// The SAT literal of `b`, if its gate has clauses.
    pub(crate) fn known_lit(&self, b: Bit) -> Option<i32> {
        (self.vars[b.gate()] != 0).then(|| self.lit(b))
    }

    /// The SAT literal of `b`, after adding the clauses of its cone that are missing.
    pub(crate) fn emit(&mut self, sat: &mut impl SatSolver, b: Bit) -> i32 {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(b.gate() as u32);
        while let Some(&g) = stack.last() {
            let g = g as usize;
            if self.vars[g] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let (inputs, n) = self.inputs(g);
            for input in &inputs[..n] {
                if self.vars[input.gate()] == 0 {
                    stack.push(input.gate() as u32);
                }
            }
            if stack.len() == before {
                stack.pop();
                self.vars[g] = self.new_var();
                self.define(sat, g);
            }
        }
        self.stack = stack;
        self.lit(b)
    }

    /// The values of `outputs` for 64 valuations of the inputs at once, one in each bit of a word. Inputs that are not
    /// mentioned are zero. For tests of circuits.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn simulate(&self, inputs: &[(Bit, u64)], outputs: &[Bit]) -> Vec<u64> {
        let mut values = vec![0u64; self.gates.len()];
        for &(bit, lanes) in inputs {
            values[bit.gate()] = if bit.negated() { !lanes } else { lanes };
        }
        let of = |values: &[u64], b: Bit| if b.negated() { !values[b.gate()] } else { values[b.gate()] };
        for (g, gate) in self.gates.iter().enumerate() {
            values[g] = match *gate {
                Gate::Constant => 0,
                Gate::Input => continue,
                Gate::And(a, b) => of(&values, a) & of(&values, b),
                Gate::Xor(a, b) => of(&values, a) ^ of(&values, b),
                Gate::Mux(s, t, e) => {
                    let s = of(&values, s);
                    s & of(&values, t) | !s & of(&values, e)
                }
                Gate::Maj(a, b, c) => {
                    let (a, b, c) = (of(&values, a), of(&values, b), of(&values, c));
                    a & b | a & c | b & c
                }
            };
        }
        outputs.iter().map(|&b| of(&values, b)).collect()
    }

    fn inputs(&self, g: usize) -> ([Bit; 3], usize) {
        match self.gates[g] {
            Gate::Constant | Gate::Input => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
        }
    }

    /// The SAT variables that the values of `roots`, which have their clauses, depend on.
    pub(crate) fn cone(&mut self, roots: &[Bit]) -> Vec<i32> {
        self.cone = self.cone.checked_add(1).expect("fewer than 2^32 questions to one context");
        let mut stack = std::mem::take(&mut self.stack);
        let mut vars = Vec::new();
        stack.extend(roots.iter().map(|b| b.gate() as u32));
        while let Some(g) = stack.pop() {
            let g = g as usize;
            if self.marks[g] == self.cone {
                continue;
            }
            self.marks[g] = self.cone;
            vars.push(self.vars[g]);
            let (inputs, n) = self.inputs(g);
            stack.extend(inputs[..n].iter().map(|b| b.gate() as u32));
        }
        self.stack = stack;
        vars
    }

    fn define(&self, sat: &mut impl SatSolver, g: usize) {
        let o = self.vars[g];
        match self.gates[g] {
            Gate::Constant | Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                sat.add_clause(&[-o, a]);
                sat.add_clause(&[-o, b]);
                sat.add_clause(&[o, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                sat.add_clause(&[-o, a, b]);
                sat.add_clause(&[-o, -a, -b]);
                sat.add_clause(&[o, -a, b]);
                sat.add_clause(&[o, a, -b]);
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (self.lit(s), self.lit(t), self.lit(e));
                sat.add_clause(&[-s, -t, o]);
                sat.add_clause(&[-s, t, -o]);
                sat.add_clause(&[s, -e, o]);
                sat.add_clause(&[s, e, -o]);
                // Implied by the others; they let equal branches propagate without the condition.
                sat.add_clause(&[-t, -e, o]);
                sat.add_clause(&[t, e, -o]);
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (self.lit(a), self.lit(b), self.lit(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sat.add_clause(&[-x, -y, o]);
                    sat.add_clause(&[x, y, -o]);
                }
            }
        }
    }
}

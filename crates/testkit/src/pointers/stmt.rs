//! Statements and expressions of the random programs over memory.

use super::{Gen, Leaf};

impl Gen {
    pub(super) fn leaf(&mut self) -> Leaf {
        self.rng.pick(&self.leaves).clone()
    }

    fn int_leaf(&mut self) -> String {
        let ints: Vec<&Leaf> = self.leaves.iter().filter(|l| l.int).collect();
        ints[self.rng.index(ints.len())].place.clone()
    }

    fn input(&mut self) -> String {
        self.rng.pick(&self.inputs).clone()
    }

    fn some_pointer(&mut self) -> String {
        self.rng.pick(&self.pointers).clone()
    }

    fn some_node(&mut self) -> String {
        if self.rng.chance(50) {
            return self.rng.pick(&self.nodes).clone();
        }
        format!("&{}", self.rng.pick(&self.records))
    }

    /// A value that stays small.
    fn value(&mut self) -> String {
        match self.rng.below(7) {
            0 | 1 => format!("{}", self.rng.below(9)),
            2 => self.input(),
            3 => format!("{} + {}", self.input(), self.rng.below(4)),
            4 => self.leaf().place,
            5 => format!("{} + 1", self.leaf().place),
            _ => format!("({}) & {}", self.leaf().place, self.rng.pick(&[1, 3, 7])),
        }
    }

    fn condition(&mut self) -> String {
        match self.rng.below(6) {
            0 | 1 => format!("{} & 1", self.input()),
            2 => format!("{} < {}", self.input(), 1 + self.rng.below(4)),
            3 => format!("{} == {}", self.leaf().place, self.rng.below(4)),
            4 => format!("{} > {}", self.leaf().place, self.input()),
            _ => {
                self.out.mark("pointer comparison");
                format!("{} == {}", self.some_pointer(), self.some_pointer())
            }
        }
    }

    /// The address of an `int` that lives as long as the program runs, or as `main` does.
    fn address(&mut self) -> String {
        match self.rng.below(7) {
            0 | 1 => format!("&{}", self.rng.pick(&["x", "y", "g0", "g1"])),
            2 => {
                self.out.mark("pointer to element");
                format!("&a[{}]", self.rng.below(4))
            }
            3 => {
                self.out.mark("pointer to element");
                self.out.mark("variable index");
                format!("&a[{} & 3]", self.input())
            }
            4 => {
                self.out.mark("pointer to field");
                let (node, field) = (self.some_node(), self.rng.pick(&self.ints).clone());
                format!("&({node})->{field}")
            }
            5 => self.some_pointer(),
            _ => {
                self.out.mark("union");
                "&u.i".to_owned()
            }
        }
    }

    pub(super) fn statement(&mut self, depth: u32) {
        match self.rng.below(26) {
            0..=2 => self.assign(),
            3..=5 => self.aim(),
            6..=8 => self.write_two(),
            9 | 10 if depth > 0 => self.conditional(depth),
            11 => self.heap(),
            12 => self.copy(),
            13 => self.moves(),
            14 => self.punning(),
            15 => self.bytes(),
            16 => self.container(),
            17 => self.call(),
            18 => self.walk(),
            19 => self.list(),
            20 => self.freed(),
            21 => self.out_of_bounds(),
            22 => self.null(),
            23 => self.number(),
            24 => self.pointer_to_pointer(),
            25 => self.through_pointer(),
            _ => self.variable_index(),
        }
    }

    fn assign(&mut self) {
        let (place, value) = (self.leaf().place, self.value());
        self.out.line(&format!("{place} = {value};"));
    }

    /// A pointer gets a target, often one that hangs on the input.
    fn aim(&mut self) {
        let pointer = self.some_pointer();
        let (one, other, cond) = (self.address(), self.address(), self.condition());
        if self.rng.chance(30) {
            self.out.line(&format!("{pointer} = {one};"));
        } else if self.rng.chance(50) {
            self.out.line(&format!("{pointer} = {cond} ? {one} : {other};"));
        } else {
            self.out.line(&format!("if ({cond}) {pointer} = {one}; else {pointer} = {other};"));
        }
    }

    fn write_two(&mut self) {
        self.out.mark("two pointers written");
        let (one, other) = (self.some_pointer(), self.some_pointer());
        let (a, b) = (self.value(), self.value());
        self.meet(&one, &other);
        self.out.line(&format!("*{one} = {a};"));
        self.out.line(&format!("*{other} = {b};"));
    }

    fn conditional(&mut self, depth: u32) {
        let cond = self.condition();
        self.out.open(&format!("if ({cond}) {{"));
        self.statement(depth - 1);
        if self.rng.chance(40) {
            self.out.close("} else {");
            self.out.indent += 1;
            self.statement(depth - 1);
        }
        self.out.close("}");
    }

    fn heap(&mut self) {
        let node = self.rng.pick(&self.nodes).clone();
        let value = self.value();
        match self.rng.below(4) {
            0 => {
                self.out.mark("heap object");
                self.out.line(&format!("{node} = malloc(sizeof(node));"));
                self.out.line(&format!("if (!{node}) abort();"));
                let record = self.rng.pick(&self.records).clone();
                self.out.line(&format!("*{node} = {record};"));
            }
            1 => {
                self.out.mark("heap object");
                self.out.line(&format!("{node} = calloc(1, sizeof(node));"));
                self.out.line(&format!("if (!{node}) abort();"));
            }
            2 => {
                let h = self.out.local("h");
                let (pointer, input) = (self.some_pointer(), self.input());
                self.out.mark("heap object");
                // As large as an input says.
                self.out.line(&format!("int *{h} = malloc((2 + ({input} & 3)) * sizeof(int));"));
                self.out.line(&format!("if (!{h}) abort();"));
                self.out.line(&format!("{h}[0] = {value}; {h}[1] = 7;"));
                self.out.line(&format!("{pointer} = {h} + ({input} & 1);"));
            }
            _ => {
                let (m, other) = (self.out.local("m"), self.value());
                self.out.mark("malloc wrapper");
                self.out.line(&format!("node *{m} = make({value});"));
                self.out.line(&format!("{node} = make({other});"));
                self.meet(&m, &node);
                let pointer = self.some_pointer();
                self.out.line(&format!("{pointer} = &{m}->v;"));
            }
        }
    }

    fn copy(&mut self) {
        let (to, from) = (self.some_node(), self.some_node());
        if self.rng.chance(60) {
            self.out.mark("structure copy");
            self.out.line(&format!("*({to}) = *({from});"));
            return;
        }
        let t = self.out.local("t");
        self.out.mark("memcpy");
        self.out.line(&format!("{{ node {t}; memcpy(&{t}, {from}, sizeof {t}); memcpy({to}, &{t}, sizeof {t}); }}"));
    }

    fn moves(&mut self) {
        if self.rng.chance(30) {
            self.out.mark("memset");
            let (at, n) = (self.rng.below(2), 1 + self.rng.below(2));
            let byte = self.rng.pick(&[0, 1, 255]);
            self.out.line(&format!("memset(a + {at}, {byte}, {n} * sizeof(int));"));
            return;
        }
        self.out.mark("memmove");
        let n = 1 + self.rng.below(3);
        let (to, from) = (self.rng.below(5 - n), self.rng.below(5 - n));
        self.out.line(&format!("memmove(a + {to}, a + {from}, {n} * sizeof(int));"));
    }

    fn punning(&mut self) {
        self.out.mark("union");
        let (value, k) = (self.value(), self.rng.below(4));
        match self.rng.below(3) {
            0 => self.out.line(&format!("u.b[{k}] = {value};")),
            1 => self.out.line(&format!("u.s[{}] = {value};", k & 1)),
            _ => {
                let place = self.int_leaf();
                self.out.line(&format!("u.i = {value};"));
                self.out.line(&format!("{place} = u.b[{k}];"));
            }
        }
    }

    fn bytes(&mut self) {
        self.out.mark("byte of an int");
        let (pointer, k, value) = (self.some_pointer(), self.rng.below(4), self.value());
        if self.rng.chance(50) {
            self.out.line(&format!("((unsigned char *){pointer})[{k}] = {value};"));
        } else {
            let place = self.leaf().place;
            self.out.line(&format!("{place} = ((unsigned char *){pointer})[{k}];"));
        }
    }

    fn container(&mut self) {
        self.out.mark("container_of");
        let (c, record, field) = (self.out.local("c"), self.some_node(), self.rng.pick(&self.ints).clone());
        let (cond, other) = (self.condition(), self.some_node());
        let (f, value) = (self.out.local("f"), self.value());
        self.out.line(&format!("int *{f} = {cond} ? &({record})->{field} : &({other})->{field};"));
        self.out.line(&format!("node *{c} = (node *)((char *){f} - __builtin_offsetof(node, {field}));"));
        self.meet(&c, &record);
        self.out.line(&format!("{c}->v = {value};"));
    }

    fn call(&mut self) {
        match self.rng.below(3) {
            0 => {
                self.out.mark("swap");
                let (one, other) = (self.address(), self.address());
                self.meet(&one, &other);
                self.out.line(&format!("swap({one}, {other});"));
            }
            1 => {
                let (node, pointer, value) = (self.some_node(), self.some_pointer(), self.value());
                self.meet(&format!("&({node})->v"), &pointer);
                self.out.line(&format!("set({node}, {pointer}, {value});"));
            }
            _ => {
                self.out.mark("recursion with a local's address");
                let (place, pointer, n) = (self.int_leaf(), self.some_pointer(), self.rng.below(3));
                self.out.line(&format!("{place} = deep({n}, {pointer});"));
            }
        }
    }

    fn walk(&mut self) {
        self.out.mark("array walk");
        let (i, place) = (self.out.local("i"), self.rng.pick(&["x", "y", "g1"]).to_owned());
        if self.rng.chance(50) {
            let value = self.value();
            self.out.line(&format!("for (int {i} = 0; {i} < 3; {i}++) a[{i}] = {value};"));
        } else {
            self.out.line(&format!("for (int *{i} = a; {i} < a + 3; {i}++) {place} += *{i} & 1;"));
        }
    }

    fn list(&mut self) {
        self.out.mark("list");
        let (head, i, t) = (self.out.local("head"), self.out.local("i"), self.out.local("t"));
        let (value, count, input) = (self.value(), self.rng.below(3), self.input());
        self.out.line(&format!("node *{head} = 0;"));
        self.out.open(&format!("for (int {i} = 0; {i} < {count} + ({input} & 1); {i}++) {{"));
        self.out.line(&format!("node *{t} = make({value});"));
        self.out.line(&format!("{t}->next = {head};"));
        self.out.line(&format!("{head} = {t};"));
        self.out.close("}");
        self.out.line("x = 0;");
        self.out.line(&format!("for (node *{t} = {head}; {t}; {t} = {t}->next) x += 1 + ({t}->v & 1);"));
    }

    fn freed(&mut self) {
        self.out.mark("freed object");
        let (m, value, cond, place) = (self.out.local("m"), self.value(), self.condition(), self.leaf().place);
        let c = self.out.local("c");
        self.out.line(&format!("node *{m} = make({value});"));
        self.out.line(&format!("int {c} = {cond};"));
        self.out.line(&format!("if ({c}) free({m});"));
        self.risk(&format!("!{c}"));
        self.out.line(&format!("{place} = {m}->v;"));
    }

    fn out_of_bounds(&mut self) {
        self.out.mark("out of bounds");
        let (input, value) = (self.input(), self.value());
        self.risk(&format!("{input} < 4"));
        self.out.line(&format!("a[{input}] = {value};"));
    }

    fn null(&mut self) {
        self.out.mark("null pointer");
        let (z, cond, node, value) = (self.out.local("z"), self.condition(), self.some_node(), self.value());
        self.out.line(&format!("node *{z} = {cond} ? {node} : 0;"));
        if self.rng.chance(60) {
            self.out.line(&format!("if ({z}) {z}->v = {value};"));
        } else {
            self.risk(&z);
            self.out.line(&format!("{z}->v = {value};"));
        }
    }

    fn number(&mut self) {
        self.out.mark("pointer as number");
        let (w, pointer, other) = (self.out.local("w"), self.some_pointer(), self.some_pointer());
        self.out.line(&format!("unsigned long {w} = (unsigned long){pointer};"));
        self.out.line(&format!("{other} = (int *){w};"));
    }

    fn pointer_to_pointer(&mut self) {
        self.out.mark("pointer to pointer");
        let (pp, one, other, cond) = (self.out.local("pp"), self.some_pointer(), self.some_pointer(), self.condition());
        let (target, value) = (self.address(), self.value());
        self.out.line(&format!("int **{pp} = {cond} ? &{one} : &{other};"));
        self.out.line(&format!("*{pp} = {target};"));
        self.out.line(&format!("**{pp} = {value};"));
    }

    fn through_pointer(&mut self) {
        self.out.mark("call through a pointer");
        let (f, cond, place) = (self.out.local("f"), self.condition(), self.leaf().place);
        self.out.line(&format!("int (*{f})(int) = {cond} ? bump : drop;"));
        let value = self.value();
        self.out.line(&format!("{place} = {f}({value});"));
    }

    fn variable_index(&mut self) {
        self.out.mark("variable index");
        let (input, value, place) = (self.input(), self.value(), self.leaf().place);
        if self.rng.chance(50) {
            self.out.line(&format!("a[{input} & 3] = {value};"));
        } else {
            self.out.line(&format!("{place} = a[{input} & 3];"));
        }
    }
}

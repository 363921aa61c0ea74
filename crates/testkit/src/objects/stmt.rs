//! Statements.

use super::Gen;
use super::types::{INTS, Leaf};

impl Gen {
    /// One statement, of at most so many levels.
    pub(super) fn statement(&mut self, depth: u32) {
        let simple = depth == 0;
        match self.rng.below(if simple { 12 } else { 23 }) {
            0..=3 => self.assignment(),
            4 => self.through_pointer(),
            5 => self.copy(),
            6 => self.call(),
            7 => self.variadic(),
            8 => self.memory(),
            9 => self.strings(),
            10 => self.complex_numbers(),
            11 => self.vectors(),
            12 => self.conditional(depth),
            13 => self.switch(depth),
            14 => self.counted_loop(depth),
            15 => self.goto_backward(depth),
            16 => self.goto_forward(depth),
            17 => self.goto_into_loop(depth),
            18 => self.local_object(),
            19 => self.variable_length(),
            20 => self.nested_function(depth),
            21 => self.computed_goto(depth),
            _ => self.walk(),
        }
    }

    fn block(&mut self, depth: u32) {
        let (leaves, objects) = (self.leaves.len(), self.objects.len());
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth.saturating_sub(1));
        }
        self.leaves.truncate(leaves);
        self.objects.truncate(objects);
    }

    fn assignment(&mut self) {
        let Leaf { place, is_float, .. } = self.target();
        if is_float {
            self.out.mark("float");
            let value = self.float_expr(2);
            let op = *self.rng.pick(&["=", "=", "+=", "*=", "-="]);
            return self.out.line(&format!("{place} {op} {value};"));
        }
        match self.rng.below(8) {
            0 => {
                let text = *self.rng.pick(&["++{}", "{}++", "--{}", "{}--"]);
                self.out.line(&format!("{};", text.replace("{}", &place)));
            }
            1 => {
                let (value, op) = (self.int_expr(2), *self.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]));
                self.out.line(&format!("{place} {op} {value};"));
            }
            2 => {
                let (value, op) = (self.int_expr(1), *self.rng.pick(&["<<=", ">>="]));
                self.out.line(&format!("{place} {op} ({value}) & 7;"));
            }
            3 => {
                let (value, op) = (self.int_expr(1), *self.rng.pick(&["/=", "%="]));
                self.out.line(&format!("{place} {op} (({value}) & 7) + 2;"));
            }
            _ => {
                let value = self.int_expr(3);
                self.out.line(&format!("{place} = {value};"));
            }
        }
    }

    fn through_pointer(&mut self) {
        let Some(leaf) = self.addressable() else { return self.assignment() };
        self.out.mark("pointer to member");
        let (p, q) = (self.out.local("p"), self.out.local("q"));
        let value = self.int_expr(2);
        self.out.open("{");
        self.out.line(&format!("{} *{p} = &{}, **{q} = &{p};", leaf.ty, leaf.place));
        self.out.line(&format!("*{p} += {value};"));
        self.out.line(&format!("**{q} ^= 5;"));
        self.out.close("}");
    }

    /// Two objects of one type, if there are.
    fn pair(&mut self) -> Option<(String, String, usize)> {
        let (a, record) = self.objects[self.rng.index(self.objects.len())].clone();
        let others: Vec<&(String, usize)> = self.objects.iter().filter(|o| o.1 == record).collect();
        let (b, _) = others[self.rng.index(others.len())].clone();
        Some((a, b, record))
    }

    fn copy(&mut self) {
        let Some((a, b, record)) = self.pair() else { return };
        self.out.mark("record copy");
        if self.rng.chance(50) {
            return self.out.line(&format!("{a} = {b};"));
        }
        self.out.mark("pointer");
        let (p, ty, cond) = (self.out.local("p"), self.records[record].name.clone(), self.int_expr(1));
        self.out.line(&format!("{{ {ty} *{p} = {cond} ? &{a} : &{b}; {a} = *{p}; }}"));
    }

    fn call(&mut self) {
        let fitting: Vec<(String, usize)> =
            self.functions.iter().filter(|f| self.objects.iter().any(|o| o.1 == f.1)).cloned().collect();
        if fitting.is_empty() {
            return self.assignment();
        }
        let (name, record) = fitting[self.rng.index(fitting.len())].clone();
        let objects: Vec<String> = self.objects.iter().filter(|o| o.1 == record).map(|o| o.0.clone()).collect();
        let (a, b, c) =
            (self.rng.pick(&objects).clone(), self.rng.pick(&objects).clone(), self.rng.pick(&objects).clone());
        self.out.mark("record argument");
        self.out.mark("record result");
        let (x, y) = (self.int_expr(1), self.float_expr(1));
        self.out.line(&format!("{a} = {name}({b}, &{c}, {x}, {y});"));
    }

    fn variadic(&mut self) {
        self.out.mark("variadic");
        let n = self.rng.below(3);
        let mut args = String::new();
        for _ in 0..n {
            args += &format!(
                ", (int)({}), (double)({}), (long long)({})",
                self.int_expr(1),
                self.float_expr(1),
                self.int_expr(1)
            );
        }
        self.out.line(&format!("fold(gather({n}{args}));"));
    }

    fn memory(&mut self) {
        let Some((a, b, record)) = self.pair() else { return };
        let ty = self.records[record].name.clone();
        self.out.mark("memcpy");
        let t = self.out.local("t");
        self.out.line(&format!("{{ {ty} {t} = {a}; __builtin_memmove(&{t}, &{b}, sizeof {t}); {a} = {t}; }}"));
    }

    /// Library functions on strings. Each call is followed by its contract as an assumption, so a run that ends as gcc's
    /// does also shows that the contract holds of what the exact half gives.
    fn strings(&mut self) {
        self.out.mark("library");
        let (s, t) = (self.out.local("s"), self.out.local("t"));
        let (a, b) = (self.letters(7), self.letters(4));
        let (value, n) = (self.int_expr(1), self.rng.below(9));
        self.out.open("{");
        self.out.line(&format!("char {s}[64] = \"{a}\", {t}[64];"));
        self.out.line(&format!("__builtin_memset({t}, 'z', sizeof {t});"));
        for _ in 0..2 + self.rng.below(4) {
            let line = match self.rng.below(14) {
                0 => format!("__builtin_strcpy({t}, {s}); fold({t}[3]);"),
                1 => format!("__builtin_strncpy({t}, \"{b}\", {n}); fold({t}[5]); {t}[63] = 0;"),
                2 => {
                    format!("__builtin_strcpy({t}, \"{b}\"); __builtin_strcat({t}, {s}); fold(__builtin_strlen({t}));")
                }
                3 => format!("{{ int d = __builtin_strcmp({s}, \"{b}\"); fold((d > 0) - (d < 0)); }}"),
                4 => format!("{{ int d = __builtin_strncmp({s}, \"{b}\", {n}); fold((d > 0) - (d < 0)); }}"),
                5 => format!("{{ char *p = __builtin_strchr({s}, 'b'); fold(p ? p - {s} : -1); }}"),
                6 => format!("{{ char *p = __builtin_strrchr({s}, 'a'); fold(p ? p - {s} : -1); }}"),
                7 => format!("{{ char *p = __builtin_strstr({s}, \"{b}\"); fold(p ? p - {s} : -1); }}"),
                8 => format!("fold(__builtin_strspn({s}, \"ab\")); fold(__builtin_strcspn({s}, \"c\"));"),
                9 => format!(
                    "{{ int d = __builtin_memcmp({s}, \"{a}\", {}); fold((d > 0) - (d < 0)); }}",
                    n.min(a.len() as u64)
                ),
                10 => format!("{{ char *p = __builtin_memchr({s}, 'c', {n}); fold(p ? p - {s} : -1); }}"),
                11 => format!(
                    "fold(__builtin_snprintf({t}, {n}, \"%d|%-6x|%s|%c\", (int)({value}), (int)({value}), {s}, 'q')); fold({t}[2]);"
                ),
                12 => {
                    format!("__builtin_sprintf({t}, \"%05ld %llu %%\", (long)({value}), (u64)({value})); fold({t}[4]);")
                }
                _ => format!(
                    "fold(__builtin_toupper({s}[0]) + !!__builtin_isalpha({s}[1]) + !!__builtin_isdigit({s}[2]));"
                ),
            };
            self.out.line(&line);
        }
        self.out.close("}");
    }

    /// A short text over few letters, so that texts have parts in common.
    fn letters(&mut self, most: u64) -> String {
        (0..self.rng.below(most + 1)).map(|_| *self.rng.pick(&['a', 'b', 'c', '1'])).collect()
    }

    fn conditional(&mut self, depth: u32) {
        let cond = self.int_expr(2);
        self.out.open(&format!("if ({cond}) {{"));
        self.block(depth);
        if self.rng.chance(50) {
            self.out.close("} else {");
            self.out.indent += 1;
            self.block(depth);
        }
        self.out.close("}");
    }

    fn switch(&mut self, depth: u32) {
        self.out.mark("switch");
        let value = self.int_expr(2);
        self.out.open(&format!("switch (({value}) & 15) {{"));
        let mut next = 0;
        while next < 12 {
            let last = next + self.rng.below(3);
            if last > next {
                self.out.mark("case range");
                self.out.line(&format!("case {next} ... {last}:;"));
            } else {
                self.out.line(&format!("case {next}:;"));
            }
            self.out.indent += 1;
            self.block(depth);
            if self.rng.chance(60) {
                self.out.line("break;");
            }
            self.out.indent -= 1;
            next = last + 1 + self.rng.below(4);
        }
        if self.rng.chance(60) {
            self.out.line("default:;");
            self.out.indent += 1;
            self.block(depth);
            self.out.indent -= 1;
        }
        self.out.close("}");
    }

    fn counted_loop(&mut self, depth: u32) {
        let (i, n) = (self.out.local("i"), 1 + self.rng.below(4));
        self.out.open(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
        self.leaves.push(Leaf { constant: true, ..Leaf::int(&i, "int") });
        self.block(depth);
        if self.rng.chance(30) {
            let (cond, jump) = (self.int_expr(1), *self.rng.pick(&["break", "continue"]));
            self.out.line(&format!("if ({cond}) {jump};"));
            self.block(depth.saturating_sub(1));
        }
        self.leaves.pop();
        self.out.close("}");
    }

    fn label(&mut self) -> String {
        self.n_labels += 1;
        format!("L{}", self.n_labels)
    }

    fn goto_backward(&mut self, depth: u32) {
        self.out.mark("goto backward");
        let (label, n) = (self.label(), self.out.local("n"));
        self.out.open("{");
        self.out.line(&format!("int {n} = 0;"));
        self.out.line(&format!("{label}:;"));
        self.block(depth);
        self.out.line(&format!("if (++{n} < 3) goto {label};"));
        self.out.close("}");
    }

    fn goto_forward(&mut self, depth: u32) {
        self.out.mark("goto forward");
        let (label, cond) = (self.label(), self.int_expr(1));
        self.out.open("{");
        self.out.line(&format!("if ({cond}) goto {label};"));
        self.block(depth);
        self.out.line(&format!("{label}:;"));
        self.out.close("}");
    }

    fn goto_into_loop(&mut self, depth: u32) {
        self.out.mark("goto into a loop");
        let (label, n) = (self.label(), self.out.local("n"));
        self.out.open("{");
        self.out.line(&format!("int {n} = 1;"));
        self.out.line(&format!("goto {label};"));
        self.out.open(&format!("for ({n} = 5; {n} < 4; {n}++) {{"));
        self.out.line("checksum += 3;");
        self.out.line(&format!("{label}:;"));
        self.block(depth);
        self.out.close("}");
        self.out.close("}");
    }

    fn local_object(&mut self) {
        let Some((a, _, record)) = self.pair() else { return };
        let (name, ty) = (self.out.local("loc"), self.records[record].name.clone());
        self.out.line(&format!("{ty} {name} = {a};"));
        self.add_object(&name, record);
    }

    fn variable_length(&mut self) {
        self.out.mark("variable length array");
        let (n, a, i) = (self.out.local("n"), self.out.local("a"), self.out.local("i"));
        let (ty, len, value) = (*self.rng.pick(&INTS), self.int_expr(1), self.int_expr(1));
        self.out.open("{");
        self.out.line(&format!("int {n} = (({len}) & 7) + 1;"));
        self.out.line(&format!("{ty} {a}[{n}][2];"));
        self.out.line(&format!("for (int {i} = 0; {i} < {n}; {i}++) {a}[{i}][0] = {i} * 3, {a}[{i}][1] = {value};"));
        self.out.line(&format!("fold({a}[{n} - 1][1] + {a}[{n} / 2][0] + sizeof {a});"));
        self.out.close("}");
    }

    fn nested_function(&mut self, depth: u32) {
        self.out.mark("nested function");
        let (f, k, x) = (self.out.local("inner"), self.out.local("k"), self.out.local("x"));
        let start = self.int_expr(1);
        self.out.open("{");
        self.out.line(&format!("int {k} = {start};"));
        self.out.open(&format!("int {f}(int {x}) {{"));
        self.out.line(&format!("{k} += {x};"));
        let jumps = self.n_labels;
        self.block(depth.min(1));
        debug_assert_eq!(jumps, self.n_labels, "labels of an enclosing function are not reached");
        self.out.line(&format!("return {x} < 2 ? {k} : {f}({x} - 1) + 1;"));
        self.out.close("}");
        self.out.line(&format!("int {k}r = {f}(3);"));
        self.out.line(&format!("fold({k} + {k}r);"));
        self.out.close("}");
    }

    fn computed_goto(&mut self, depth: u32) {
        self.out.mark("computed goto");
        let (a, b, t) = (self.label(), self.label(), self.out.local("t"));
        let choice = self.int_expr(1);
        self.out.open("{");
        self.out.line(&format!("static void *{t}[2] = {{ &&{a}, &&{b} }};"));
        self.out.line(&format!("goto *{t}[({choice}) & 1];"));
        self.out.line(&format!("{a}: checksum += 1;"));
        self.block(depth);
        self.out.line(&format!("{b}:;"));
        self.out.close("}");
    }

    fn walk(&mut self) {
        self.out.mark("pointer walk");
        let (a, p, ty) = (self.out.local("a"), self.out.local("p"), *self.rng.pick(&INTS));
        let (x, y) = (self.int_expr(1), self.int_expr(1));
        self.out.open("{");
        self.out.line(&format!("{ty} {a}[4] = {{ {x}, {y}, 3 }}, *{p} = {a};"));
        self.out.line(&format!("while ({p} < {a} + 4) *{p}++ *= 3;"));
        self.out.line(&format!("fold({a}[0] + {p}[-1] + {a}[1] + ({p} - {a}));"));
        self.out.close("}");
    }
}

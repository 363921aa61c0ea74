//! Places at which an access may go wrong: through null or outside of an object; pointers that leave the address space; and
//! what must not be freed, written, copied or called.

use super::programs::Gen;
use ir::DataModel;

impl Gen {
    /// An `int` expression that may access what it must not.
    pub(super) fn memory(&mut self) -> String {
        match self.rng.below(20) {
            0..=4 => self.null(),
            5..=9 => self.bounds(),
            10..=14 => self.after_lifetime(),
            15..=16 => self.freeing(),
            17 => self.ranges(),
            18 => self.far_away(),
            _ => self.constant_or_call(),
        }
    }

    /// Accesses through a pointer to `int`, all to the place itself or, after a step, to one beside it.
    pub(super) fn through(&mut self, p: &str) -> String {
        match self.rng.below(25) {
            0 => format!("*{p}++"),
            1 => format!("*{p}--"),
            2 => format!("(*{p})++"),
            3 => format!("++*{p}"),
            4 => format!("(*{p} += 3)"),
            5 => format!("(*{p}++ = 4)"),
            6 => format!("(*{p}++ += 2)"),
            7 => format!("{p}[0]"),
            8 => format!("{p}++[0]"),
            9 => format!("({p}++, {p}[-1])"),
            10 => format!("({p} += 2)[-2]"),
            11 => format!("({p}--, *++{p})"),
            12 => format!("0[{p}--]"),
            13 => format!("*({p}++ + 0)"),
            14 => format!("load({p}++, 0)"),
            15 => format!("(*{p}-- ^= 1)"),
            16 => format!("*&*{p}++"),
            17 => format!("(out[0] = *{p}++, out[0])"),
            18 => format!("(out[1] ^= *{p}++)"),
            19 => format!("({p}++)[0]--"),
            20 => format!("*(one ? {p}++ : tab)"),
            21 => format!("(one, *{p}++)"),
            22 => format!("((char *){p}++)[1]"),
            23 => format!("*(int *)(unsigned long){p}++"),
            _ => format!("*{p}"),
        }
    }

    /// Accesses through a pointer to a structure.
    pub(super) fn through_record(&mut self, q: &str) -> String {
        match self.rng.below(14) {
            0 => format!("{q}->y"),
            1 => format!("{q}++->y"),
            2 => format!("({q}--)->x"),
            3 => format!("(*{q}++).y"),
            4 => format!("{q}++->y++"),
            5 => format!("({q}++->y += 3)"),
            6 => format!("({q}->h = 3)"),
            7 => format!("{q}++->c[2]"),
            8 => format!("member({q}++)"),
            9 => format!("(recs[3] = *{q}++, recs[3].y)"),
            10 => format!("({q}++, {q}[-1].x)"),
            11 => format!("--{q}->y"),
            12 => format!("({q}++)[0].h--"),
            _ => format!("(*{q}).y"),
        }
    }

    fn null(&mut self) -> String {
        let there = self.flag(45);
        let k = 2 + self.rng.below(4);
        match self.rng.below(9) {
            0..=2 => {
                let p = self.variable("int *", &format!("{there} ? &tab[{k}] : 0"));
                self.through(&p)
            }
            3..=4 => {
                let q = self.variable("struct rec *", &format!("{there} ? &recs[1] : 0"));
                self.through_record(&q)
            }
            5 => {
                // Moved before it is used; what lies beside null is in the first page.
                let p = self.variable("int *", &format!("{there} ? &tab[{k}] : 0"));
                self.pick_of(
                    &p,
                    &["*++P", "P[1]", "(P += 2)[-1]", "*(P + 1)", "(P++, *P)", "*--P", "(P -= 1)[1]", "P[-1]"],
                )
            }
            6 => {
                let p = self.variable("int *", &format!("{there} ? &tab[{k}] : 0"));
                let pp = self.variable("int **", &format!("&{p}"));
                self.pick_of(&pp, &["*(*P)++", "**P", "(*(*P)++ = 2)", "(*P)++[0]", "(*(*P)-- += 1)", "*P[0]++"])
            }
            7 => {
                let pp = self.variable("int **", &format!("{there} ? &kept : 0"));
                self.out.line("kept = &tab[3];");
                self.pick_of(&pp, &["**P++", "*(*P)++", "*P[0]", "**P--", "(*P++ = tab, 1)"])
            }
            _ => self.list(),
        }
    }

    /// The expression with the variable for `P`.
    fn pick_of(&mut self, p: &str, forms: &[&str]) -> String {
        self.pick(forms).replace('P', p)
    }

    fn list(&mut self) -> String {
        let a = self.variable("struct node", "{ 0, 3 }");
        let b = self.variable("struct node", &format!("{{ &{a}, 4 }}"));
        let h = self.variable("struct node *", &format!("&{b}"));
        self.pick_of(
            &h,
            &[
                "P->next->v",
                "P->next->next->v",
                "(P = P->next)->v",
                "((P = P->next), (P = P->next))->v",
                "(P->next->next->v = 3)",
                "P->next->v++",
                "(P->next = P->next->next, P->next->v)",
            ],
        )
    }

    /// An index for `n` elements that is inside, or just outside; `below`: it may be negative.
    fn index(&mut self, n: i64, below: bool) -> i64 {
        match self.rng.below(10) {
            0..=3 => self.rng.below(n as u64) as i64,
            4..=6 => n,
            7 => n + 1,
            8 if below => -1,
            _ => n - 1,
        }
    }

    fn indexed(&mut self, a: &str, i: i64) -> String {
        let form = self.rng.below(12);
        // The index of the access is `i`, whatever the form does on the way.
        let start = match form {
            1 => i - 1,
            2 => i + 1,
            _ => i,
        };
        let v = self.variable("int", &start.to_string());
        match form {
            0 => format!("{a}[{v}++]"),
            1 => format!("{a}[++{v}]"),
            2 => format!("{a}[--{v}]"),
            3 => format!("{a}[{v}--]++"),
            4 => format!("({a}[{v}++] += 2)"),
            5 => format!("({a}[{v}] = {v})"),
            6 => format!("{v}++[{a}]"),
            7 => format!("({v}++, {a}[{v} - 1])"),
            8 => format!("({a}[{v}++] ^= 1)"),
            9 => format!("--{a}[{v}]"),
            10 => format!("{a}[zero ? 0 : {v}++]"),
            _ => format!("{a}[{v}]"),
        }
    }

    fn bounds(&mut self) -> String {
        match self.rng.below(12) {
            0..=1 => {
                let i = self.index(8, true);
                self.indexed("tab", i)
            }
            2 => {
                let p = self.variable("int *", "tab");
                let i = self.index(8, false);
                self.indexed(&p, i)
            }
            3 => self.local_array(),
            4..=5 => self.heap_array(),
            6 => self.walk(),
            7 => self.two_dimensions(),
            8 => {
                let i = self.index(4, false);
                let q = self.variable("struct rec *", "recs");
                self.out.line(&format!("{q} += {i};"));
                self.through_record(&q)
            }
            9 => {
                let n = self.index(8, false);
                let v = self.variable("int", &(n + 1).to_string());
                format!("total(tab, {v}++)")
            }
            10 => self.member_array(),
            _ => self.variable_array(),
        }
    }

    fn local_array(&mut self) -> String {
        let n = 2 + self.rng.below(6) as i64;
        let a = self.out.local("a");
        self.out.line(&format!("int {a}[{n}] = {{ 7, 8 }};"));
        let i = self.index(n, true);
        if self.rng.chance(50) {
            return self.indexed(&a, i);
        }
        let p = self.variable("int *", &a);
        self.indexed(&p, i)
    }

    fn heap_array(&mut self) -> String {
        let n = 1 + self.rng.below(6) as i64;
        let p = self.out.local("h");
        self.out.line(&format!("int *{p} = calloc({n} + zero, sizeof(int));"));
        let i = self.index(n, true);
        self.indexed(&p, i)
    }

    /// A pointer that walks to the end of its object, or one further.
    fn walk(&mut self) -> String {
        let n = 2 + self.rng.below(4);
        let (p, k) = (self.out.local("h"), self.out.local("k"));
        self.out.line(&format!("int *{p} = calloc({n} + zero, sizeof(int));"));
        let to = if self.rng.chance(50) { n } else { n - 1 };
        self.out.line(&format!("for (int {k} = 0; {k} < {to}; {k}++) *{p}++ = {k};"));
        self.through(&p)
    }

    fn two_dimensions(&mut self) -> String {
        let (i, j) = (self.index(3, false), self.index(4, false));
        // Beyond a row but not the whole, at once or when it is evaluated again.
        self.inside = i < 3 && j >= 3 && i * 4 + j < 12;
        let i = self.variable("int", &i.to_string());
        let j = self.variable("int", &j.to_string());
        self.pick(&["grid[I][J]", "grid[I++][J--]", "(grid[I][J++] += 1)", "grid[I][J]--"])
            .replace('I', &i)
            .replace('J', &j)
    }

    fn member_array(&mut self) -> String {
        let j = self.index(6, false);
        let k = self.rng.below(4) as i64;
        self.inside = j >= 5 && k * 16 + 10 + j < 64;
        let v = self.variable("int", &j.to_string());
        let q = self.variable("struct rec *", &format!("&recs[{k}]"));
        match self.rng.below(3) {
            0 => format!("{q}->c[{v}++]"),
            1 => format!("({q}->c[{v}] = 'x')"),
            _ => format!("recs[{k}].c[{v}]"),
        }
    }

    fn variable_array(&mut self) -> String {
        if self.rng.chance(20) {
            let n = self.pick(&["-3", "3"]);
            let v = self.variable("int", n);
            let (k, flag) = (self.out.local("k"), self.flag(60));
            return format!("({{ int {k}[{flag} ? {v}++ : 1]; {k}[0] = 3; {k}[0]; }})");
        }
        let n = 2 + self.rng.below(5) as i64;
        let (len, a, k) = (self.variable("int", &n.to_string()), self.out.local("a"), self.out.local("k"));
        self.out.line(&format!("int {a}[{len}];"));
        self.out.line(&format!("for (int {k} = 0; {k} < {len}; {k}++) {a}[{k}] = {k};"));
        let i = self.index(n, false);
        self.indexed(&a, i)
    }

    /// A pointer that is moved out of the address space, or just far away. Tables lie in its lower half.
    /// An index so large that the address of its element is that of another one.
    fn round(&mut self) -> String {
        let (ty, turn) = match self.model {
            DataModel::Lp64 => ("unsigned long", "(1ul << 62) + "),
            DataModel::Ilp32 => ("unsigned", "(1u << 30) + "),
        };
        let k = self.rng.below(8);
        let turn = if self.rng.chance(60) { turn } else { "" };
        let v = self.variable(ty, &format!("{turn}{k}"));
        self.pick_of(&v, &["tab[P]", "tab[P]++", "(tab[P] = 4)", "P[tab]", "tab[P++]", "(tab[P] += 2)"])
    }

    fn far_away(&mut self) -> String {
        if self.rng.chance(30) {
            return self.round();
        }
        let (ty, far) = match self.model {
            DataModel::Lp64 => ("long", "1l << 60"),
            DataModel::Ilp32 => ("int", "0x1fffffff"),
        };
        let by = if self.rng.chance(60) { far } else { "2" };
        let p = self.variable("int *", "&tab[3]");
        let n = self.variable(ty, by);
        let m = self.variable(ty, by);
        self.pick_of(
            &p,
            &[
                "(P -= N, P += M, *P)",
                "(P += N, P -= M, *P)",
                "(P - N < tab)",
                "(P + N > tab)",
                "(&P[-N] == tab)",
                "((char *)P - N * 4 == text)",
                "P[-N]",
                "(P += -N, P -= -M, *P)",
                "(P = P - N, 1)",
                "(P++ - N == tab)",
                "((struct rec *)P - N / 4 == recs)",
                "(recs - (N / 4) < &recs[1])",
            ],
        )
        .replace('N', &n)
        .replace('M', &m)
    }

    fn freeing(&mut self) -> String {
        let p = self.variable("int *", "calloc(4, sizeof(int))");
        match self.rng.below(10) {
            0 => {
                self.out.line(&format!("free({p});"));
                format!("(free({p}), 1)")
            }
            1 => format!("(free({p}++), 2)"),
            2 => format!("(free(++{p}), 2)"),
            3 => format!("(free({p} + one), 2)"),
            4 => format!("(free(one ? tab : {p}), 2)"),
            5 => format!("(free(zero ? (void *)text : {p}), 2)"),
            6 => format!("({p}++, free({p} - 1), 3)"),
            7 => {
                let local = self.variable("int", "3");
                format!("(free({local} ? &{local} : {p}), 1)")
            }
            8 => format!("(free((free({p}), {p} = 0)), 4)"),
            _ => format!("(free(({p} += 2, {p} - 2)), 5)"),
        }
    }

    /// Functions on ranges of bytes.
    fn ranges(&mut self) -> String {
        let n = 4 * (1 + self.rng.below(4)) as i64;
        let p = self.out.local("h");
        self.out.line(&format!("char *{p} = calloc({n} + zero, 1);"));
        let len = match self.rng.below(3) {
            0 => n,
            1 => n + 1,
            _ => n - 1,
        };
        let v = self.variable("int", &len.to_string());
        match self.rng.below(5) {
            0 => format!("((char *)memset({p}, 5, {v}++))[0]"),
            1 => format!("((char *)memcpy({p}, text, {v}--))[1]"),
            2 => format!("(memcpy({p}++, text, {v}), {p}[0])"),
            3 => {
                let by = 1 + self.rng.below(6);
                format!("(memcpy(text + {by}, text, {}), text[0])", 1 + self.rng.below(6))
            }
            _ => {
                let there = self.flag(60);
                format!("(memset({there} ? {p} : 0, 1, {}), 1)", self.rng.below(4))
            }
        }
    }

    fn constant_or_call(&mut self) -> String {
        let v = self.variable("int", "1");
        let there = self.flag(50);
        match self.rng.below(4) {
            0 => format!("(*(int *)&fixed[{v}++] = 3)"),
            1 => format!("++*({there} ? &tab[{v}--] : (int *)&fixed[1])"),
            2 => {
                let f = self.out.local("f");
                self.out.line(&format!("int (*{f})(int) = {there} ? id : 0;"));
                format!("{f}({v}++)")
            }
            _ => format!("(*({there} ? text : \"abc\" + zero) = 'h')"),
        }
    }
}

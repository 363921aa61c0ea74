//! Where an expression stands: everything around it is defined, and has effects of its own on variables of its own.

use super::programs::Gen;

impl Gen {
    /// One line that evaluates the `int` expression `e`, or does not.
    pub(super) fn in_context(&mut self, e: &str) {
        let e = self.wrapped(e, 2);
        let flag = self.flag(60);
        let k = self.out.local("k");
        let line = match self.rng.below(22) {
            0 => format!("acc += (unsigned)({e});"),
            1 => format!("out[ci++ & 7] = {e};"),
            2 => format!("out[cj-- & 7] ^= {e};"),
            3 => format!("acc = acc * 3u + (unsigned)({flag} ? {e} : ci++);"),
            4 => format!("acc ^= (unsigned)({flag} ? cj : {e});"),
            5 => format!("if ({flag} && id({e}) > 1) acc++;"),
            6 => format!("if ({flag} || id({e})) ci ^= 1; else cj ^= 1;"),
            7 => format!("for (int {k} = 0; {k} < 2 && id({e}) != 77; {k}++) acc += (unsigned){k};"),
            8 => format!("*cp++ = {e}, cp--;"),
            9 => format!("acc += (unsigned)add3(ci++, {e}, cj--);"),
            10 => format!("switch (({e}) & 3) {{ case 0: acc++; break; case 1: ci++; default: cj++; }}"),
            11 => format!("{{ struct rec {k} = {{ .y = {e}, .x = cj }}; acc += (unsigned){k}.y; }}"),
            12 => format!("{{ int {k}[3] = {{ ci, {e} }}; acc += (unsigned){k}[1]; }}"),
            13 => format!("acc -= (unsigned)({{ int {k} = {e}; ci++; {k}; }});"),
            14 => format!("*cp ^= ({e});"),
            15 => format!("acc += (unsigned)(sizeof({e}) + (ci++, sizeof ci));"),
            16 => format!("ci = ci && !id({e});"),
            17 => format!("while (id({e}) == 1000003) acc++;"),
            18 => format!("do acc += (unsigned)({e}); while (zero);"),
            19 => format!("cj = (ci = (cj++, {e}) & 7) ^ 1;"),
            20 => format!("{{ short {k} = ({e}); _Bool b{k} = {k}; acc += (unsigned){k} + b{k}; }}"),
            _ => format!("acc += (unsigned)({flag} ? ({e}) : 0) + (unsigned)id(ci);"),
        };
        self.out.line(&line);
    }

    /// The expression inside of others that use its value.
    fn wrapped(&mut self, e: &str, depth: u32) -> String {
        if depth == 0 || self.rng.chance(40) {
            return e.to_owned();
        }
        let flag = self.flag(70);
        let inner = self.wrapped(e, depth - 1);
        match self.rng.below(11) {
            0 => format!("id({inner})"),
            1 => format!("(acc++, {inner})"),
            2 => format!("({flag} ? {inner} : 5)"),
            3 => format!("({flag} && id({inner}))"),
            4 => format!("(!{flag} || id({inner}))"),
            5 => format!("add3(1, {inner}, 2)"),
            6 => format!("(int)((unsigned)({inner}) ^ 21u)"),
            7 => format!("(struct rec){{ .x = {inner}, .h = 3 }}.x"),
            8 => format!("(bump(&out[7]), {inner})"),
            9 => format!("~({inner})"),
            _ => format!("({inner})"),
        }
    }
}

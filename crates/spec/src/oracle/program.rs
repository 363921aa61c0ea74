//! Random C programs that call a few functions: without a body, with one, with a model, and through pointers.

use base::rng::Rng;

/// A program in two parts, of which the first comes in two forms.
pub(super) struct Text {
    /// The function with a model has a body.
    pub(super) defined: String,
    /// It has none.
    pub(super) declared: String,
    /// Everything else.
    pub(super) rest: String,
}

/// A random program.
pub(super) fn random(rng: &mut Rng) -> Text {
    let mut rest = String::from(
        "void ua(int); int ub(int); int nd(void); void exit(int); int main(void);\nstatic int db(int x);\n",
    );
    for name in ["da", "db"] {
        let mut body = String::new();
        let mut g = Generator { rng, out: &mut body, inner: true, loops: 0 };
        g.block(2, 3);
        let linkage = if name == "db" { "static " } else { "" };
        rest +=
            &format!("{linkage}int {name}(int x) {{\n  int a = x, b = 1;\n{body}  x = x - 1;\n  return a + x;\n}}\n");
    }
    let mut body = String::new();
    Generator { rng, out: &mut body, inner: false, loops: 0 }.block(3, 5);
    rest += &format!(
        "int main(void) {{\n  int x = nd(), a = 0, b = 2; int (*fp)(int) = nd() ? ub : nd() ? abs : da;\n{body}  return a;\n}}\n"
    );
    Text {
        defined: "int abs(int x) { return x < 0 ? -x : x; }\n".to_owned(),
        declared: "int abs(int);\n".to_owned(),
        rest,
    }
}

struct Generator<'a> {
    rng: &'a mut Rng,
    out: &'a mut String,
    /// Inside of a function that others call: calls there are rarer, so that runs end.
    inner: bool,
    loops: u32,
}

impl Generator<'_> {
    fn value(&mut self) -> String {
        let n = self.rng.below(5);
        match self.rng.below(6) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "x".to_owned(),
            3 => format!("(a + {n})"),
            4 => format!("(x & {n})"),
            _ => n.to_string(),
        }
    }

    fn line(&mut self, text: &str) {
        *self.out += &format!("  {text}\n");
    }

    fn block(&mut self, depth: u32, most: u64) {
        for _ in 0..1 + self.rng.below(most) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let value = self.value();
        let to = *self.rng.pick(&["a", "b", "x"]);
        match self.rng.below(12) {
            0 | 1 => self.line(&format!("ua({value});")),
            2 | 3 => self.line(&format!("{to} = ub({value});")),
            4 => self.line(&format!("{to} = abs({value});")),
            5 if !self.inner => self.line(&format!("{to} = da({value});")),
            6 if !self.inner => self.line(&format!("{to} = db({value});")),
            7 if !self.inner => self.line(&format!("{to} = fp({value});")),
            8 if depth > 0 => {
                let other = self.value();
                self.line(&format!("if ({value} < {other}) {{"));
                self.block(depth - 1, 2);
                self.line("} else {");
                self.block(depth - 1, 2);
                self.line("}");
            }
            9 if depth > 0 => {
                self.loops += 1;
                let (i, n) = (format!("i{}", self.loops), self.rng.below(4));
                self.line(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
                self.block(depth - 1, 2);
                self.line("}");
            }
            10 if self.inner => {
                let n = self.rng.below(4);
                self.line(&format!("if (x > {n}) return {value};"));
            }
            // The entry is called by the program, too: its return is not the end then.
            11 if !self.inner && self.rng.chance(15) => self.line("if (nd() < 3) a = main();"),
            10 if self.rng.chance(20) => {
                let n = self.rng.below(4);
                self.line(&format!("if (b == {n}) exit(1);"));
            }
            _ => self.line(&format!("{to} = {value};")),
        }
    }
}

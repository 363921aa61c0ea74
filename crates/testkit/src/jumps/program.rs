//! Random programs with `setjmp` and `longjmp`, in two texts: one for the tool, and one for the compiler in which the standard's rule
//! about local variables is spelt out (C11 7.13.2.1).
//!
//! In the second text every local variable is volatile, what it was is noted before each `setjmp`, and what differs from that is given any
//! value when `setjmp` returns again. In both the program itself knows which contexts still exist and jumps to no other ones, and
//! a global bounds the number of jumps: no run depends on undefined behaviour, and all of them end.
//!
//! Names end in `@`, which stands for nothing where the program is alone in its text, and for its number where there are several.

use base::rng::Rng;

/// A program in both texts.
pub(super) struct Program {
    pub(super) plain: String,
    pub(super) spelt: String,
}

/// What stands before a program for the tool.
pub(super) const HEAD: &str = "struct __jmp_buf_tag { long r[8]; int saved; unsigned long mask[16]; };
typedef struct __jmp_buf_tag jmp_buf[1];
extern int _setjmp(struct __jmp_buf_tag *);
extern void longjmp(struct __jmp_buf_tag *, int) __attribute__((noreturn));
extern void reach_error(void);
extern int nd(void);
struct pair { int x; volatile int y; };
";

/// Local variables that a jump may leave indeterminate, as the second text names them; the last one is declared late.
const LOST: [&str; 6] = ["a", "b", "c[0]", "c[1]", "s.x", "e"];
/// What keeps its value.
const KEPT: [&str; 4] = ["v", "s.y", "g@", "h@"];

/// The program of a seed.
pub(super) fn program(seed: u64) -> Program {
    let mut w =
        Writer { rng: Rng::new(seed), plain: String::new(), spelt: String::new(), function: 0, late: false, checks: 2 };
    w.both("jmp_buf buf@[2];\nint lev@[2], depth@, fuel@, to@, val@, g@, h@;\n");
    for f in (0..3).rev() {
        w.function(f);
    }
    let start = "  fuel@ = 2; depth@ = to@ = val@ = g@ = h@ = lev@[0] = lev@[1] = 0;\n";
    w.both(&format!("int main@(void) {{\n{start}  f0@(nd() & 7);\n  return 0;\n}}\n"));
    Program { plain: w.plain, spelt: w.spelt }
}

struct Writer {
    rng: Rng,
    plain: String,
    spelt: String,
    /// The function that is written; it calls those with higher numbers.
    function: u64,
    /// Whether the late variable is declared.
    late: bool,
    /// Checks that may still be written.
    checks: u64,
}

impl Writer {
    fn both(&mut self, text: &str) {
        self.plain.push_str(text);
        self.spelt.push_str(text);
    }

    fn two(&mut self, plain: &str, spelt: &str) {
        self.plain.push_str(plain);
        self.spelt.push_str(spelt);
    }

    fn function(&mut self, f: u64) {
        (self.function, self.late) = (f, false);
        self.two(
            &format!("int f{f}@(int a) {{\n"),
            &format!("int f{f}@(int given) {{\n  volatile int a = given, e = any();\n"),
        );
        self.both("  volatile int my = ++depth@, v = 0, i = 0;\n");
        self.two("  int b = 0, c[2] = {0, 0};\n  struct pair s = {0, 0};\n  int *volatile p = &g@;\n",
            "  volatile int b = 0, c[2] = {0, 0};\n  volatile struct pair s = {0, 0};\n  volatile int *volatile p = &g@;\n");
        self.block(3, 2);
        if self.rng.chance(60) {
            let value = self.value();
            self.two(&format!("  int e = {value};\n"), &format!("  e = {value};\n"));
            self.late = true;
            self.both("  p = &e;\n");
        }
        self.block(3, 2);
        self.late = false;
        let value = self.value();
        self.both("  if (lev@[0] >= my) lev@[0] = 0;\n  if (lev@[1] >= my) lev@[1] = 0;\n  depth@ = my - 1;\n");
        self.both(&format!("  return {value};\n}}\n"));
    }

    fn block(&mut self, most: u64, depth: u64) {
        for _ in 0..=self.rng.below(most) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u64) {
        match self.rng.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => {
                let (to, value) = (self.place(), self.value());
                self.both(&format!("  {to} = {value};\n"));
            }
            2 if self.function < 2 => {
                let (to, value) = (self.place(), self.value());
                let f = self.function + 1 + self.rng.below(2 - self.function);
                // A global might be read before or after the call that changes it.
                let sign = if self.rng.chance(25) && !to.ends_with('@') { "+=" } else { "=" };
                self.both(&format!("  {to} {sign} f{f}@({value}) & 7;\n"));
            }
            3 | 4 => self.jump(),
            6 => {
                let value = self.value();
                self.both(&format!("  if ({value} < 3) {{\n"));
                self.block(2, depth - 1);
                self.both("  }\n");
            }
            7 if self.checks > 0 && self.rng.chance(60) => self.turns(),
            7 => {
                self.both("  for (i = 0; i < 2; i++) {\n");
                self.block(2, depth - 1);
                self.both("  }\n");
            }
            8 | 9 => self.save(depth),
            _ => self.both("  (*p)++;\n"),
        }
    }

    /// A jump to a context that still exists, if there may be one more.
    fn jump(&mut self) {
        let (i, value) = (self.rng.below(2), self.value());
        let asked = if self.rng.chance(60) { " && (nd() & 1)" } else { "" };
        self.both(&format!("  if (lev@[{i}] && fuel@ > 0{asked}) {{\n    fuel@--; to@ = {i}; val@ = {value};\n"));
        self.both(&format!("    longjmp(buf@[{i}], val@);\n  }}\n"));
    }

    /// What local variables are is noted in the second text.
    fn note(&mut self, index: &str) {
        for (k, place) in LOST.iter().enumerate() {
            self.two("", &format!("  snap[{index}][{k}] = {place};\n"));
        }
    }

    /// `setjmp` has returned again.
    fn back(&mut self) {
        self.both("    if (lev@[0] > my) lev@[0] = 0;\n    if (lev@[1] > my) lev@[1] = 0;\n    depth@ = my;\n");
        for (k, place) in LOST.iter().enumerate() {
            self.two("", &format!("    if ({place} != snap[to@][{k}]) {place} = any();\n"));
        }
    }

    /// Two contexts from one call of `setjmp`, with a change between them.
    fn turns(&mut self) {
        self.checks -= 1;
        let (watched, value) = (self.place(), 1 + self.rng.below(7));
        self.both("  for (i = 0; i < 2; i++) {\n");
        self.note("i & 1");
        self.both("  if (_setjmp(buf@[i & 1]) == 0) {\n    lev@[i & 1] = my;\n");
        self.both(&format!("    {watched} = {value};\n  }} else {{\n"));
        self.back();
        self.both(&format!("    if ({watched} != {value}) reach_error();\n    break;\n  }}\n  }}\n"));
        self.jump();
    }

    /// A context is saved; something is written before, and asked for when the context is returned to.
    fn save(&mut self, depth: u64) {
        let watched = self.place();
        let kept = self.rng.below(8);
        self.both(&format!("  {watched} = {kept};\n"));
        let index = match self.rng.below(6) {
            0 | 1 => "i & 1".to_owned(),
            n => (n & 1).to_string(),
        };
        self.note(&index);
        let named = self.rng.chance(40);
        let call = if named { format!("(v = _setjmp(buf@[{index}]))") } else { format!("_setjmp(buf@[{index}])") };
        self.both(&format!("  if ({call} == 0) {{\n    lev@[{index}] = my;\n"));
        let changed = self.rng.chance(50).then(|| self.rng.below(8));
        if let Some(value) = changed {
            self.both(&format!("  {watched} = {value};\n"));
        }
        self.block(3, depth - 1);
        if self.rng.chance(50) {
            self.jump();
        }
        self.both("  } else {\n");
        self.back();
        if self.checks > 0 && self.rng.chance(80) {
            self.checks -= 1;
            let wrong = match named && self.rng.chance(30) {
                true => "v != (val@ ? val@ : 1)".to_owned(),
                false => format!("{watched} != {}", changed.filter(|_| self.rng.chance(60)).unwrap_or(kept)),
            };
            self.both(&format!("    if ({wrong}) reach_error();\n"));
        }
        self.block(2, depth - 1);
        self.both("  }\n");
    }

    fn place(&mut self) -> String {
        let lost = LOST.len() - usize::from(!self.late);
        let all: Vec<&str> = LOST[..lost].iter().chain(&KEPT).copied().collect();
        (*self.rng.pick(&all)).to_owned()
    }

    fn value(&mut self) -> String {
        match self.rng.below(6) {
            0 => "(nd() & 7)".to_owned(),
            1 => format!("(({} + {}) & 7)", self.place(), self.rng.below(8)),
            2 => "(*p & 7)".to_owned(),
            3 => self.place(),
            _ => self.rng.below(8).to_string(),
        }
    }
}

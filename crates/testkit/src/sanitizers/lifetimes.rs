//! Places at which an access may come after the lifetime of its object, or just within it: what a block declares, compound
//! literals, activations and the heap.
//!
//! In the forms below `P` is the pointer, `B`, `K` and `L` are names of their own (an object, a counter, a label), and `F` is
//! a condition. `P` begins as a pointer into a table that lives for ever. A block is never entered again while a pointer
//! to its object of the time before is used behind the declaration: the machine has the new object where the old one was.

use super::programs::Gen;

/// Statements after which `P` points to what has ended, if `F` holds.
const LEFT: &[&str] = &[
    "{ int B[6] = { 4, 5 }; if (F) P = &B[2]; acc += (unsigned)*P; }",
    "{ { int B[6] = { 4, 5 }; if (F) P = B + 2; acc += (unsigned)*P; } acc++; }",
    "{ int B[6] = { 4 }; P = F ? &B[2] : P; if (one) goto L; acc++; } L: ;",
    "if (one) goto L; { int B[6]; P = &tab[2]; L: B[2] = 1; if (F) P = &B[2]; acc += (unsigned)*P; }",
    "switch (F) { int B[6]; case 1: B[2] = 3; P = &B[2]; acc += (unsigned)*P; break; default: acc++; }",
    "switch (F) { case 1: ; int B[6] = { 1 }; P = B + 2; break; default: acc++; }",
    "for (int K = 0; K < 3; K++) { int B[6] = { K }; if (F) P = &B[2]; if (K == 1) break; }",
    "for (int K = 0; K < 2; K++) { int B[6] = { K }; if (!F) continue; P = &B[2]; }",
    "for (int B[6] = { 1 }, K = 0; K < 1; K++) if (F) P = &B[2];",
    "while (F) { int B[6] = { 2 }; P = B + 2; if (*P == 0) break; }",
    "do { int B[6] = { 3 }; if (F) P = &B[2]; if (*P == 77) continue; } while (zero);",
    "if (zero) acc++; else { int B[6] = { 1 }; if (F) P = &B[2]; }",
    "if (F) { P = &(int[6]){ 1, 2, 3 }[2]; acc += (unsigned)*P; }",
    "{ P = F ? (int[6]){ 1, 2, 3 } + 2 : P; acc += (unsigned)*P; }",
    "for (P = F ? (int[6]){ 3, 2, 1 } + 2 : P; zero; ) acc++;",
    "if ((P = F ? (int[6]){ 1 } + 2 : P)) acc += (unsigned)*P;",
    "while ((P = F ? (int[6]){ 1 } + 2 : P) == tab) acc++;",
    "{ P = F ? &(struct rec){ 1, 2, 3 }.y : P; }",
    "P = ({ int B[6] = { 1 }; F ? &B[2] : P; });",
    "P = ({ F ? (int[6]){ 1 } + 2 : P; });",
    "{ struct rec B[2] = { { 1, 2 } }; if (F) P = &B[0].y; }",
    "{ int B[6] = { 1, 2 }; int *K[1] = { &B[2] }; P = F ? K[0] : P; }",
    "{ int B[6] = { 1, 2 }; kept = F ? &B[2] : P; acc += (unsigned)bump(kept); } P = kept;",
    "{ int K = 0; L: ; int B[6] = { 1 }; if (F) P = &B[2]; if (!K++) goto L; }",
    "for (int K = 0; K < 2; K++) switch (K) { int B[6]; case 0: continue; default: B[2] = 2; if (F) P = &B[2]; }",
];

/// Expressions with the access in them: behind the end of a block, or inside of it after all.
const WITHIN: &[&str] = &[
    "({ do { int B[6] = { 3 }; P = F ? &B[2] : P; } while (*P == 99); 5; })",
    "({ for (int K = 0; K < 2; K += 1 + (*P == 99)) { int B[6] = { 3 }; if (F) P = &B[2]; } 5; })",
    "({ int K = 0; L: ; if (K) acc += (unsigned)*P; int B[6] = { 1, 2, 3 }; P = &B[2]; if (!K++) goto L; *P; })",
    "({ int K = 0; L: { if (K) acc += (unsigned)*P; int B[6] = { 1 }; if (F) P = &B[2]; K++; } if (K < 2) goto L; 5; })",
    "({ int B[6] = { 1, 2, 3 }; if (F) P = B + 2; *P; })",
    "({ int B[6] = { 1, 2, 3 }; { P = B + 2; } acc += (unsigned)*P; { int K = *P; acc += (unsigned)K; } *P; })",
    "({ { int B[6] = { 1, 2, 3 }; if (F) P = B + 2; } int K = *P; K; })",
    "({ if (F) { int B[6] = { 1 }; P = B + 1; } else P = tab; *P; })",
    "({ int K = 1; switch (K) { int B[6]; case 1: B[1] = 4; P = B + 1; case 2: K = *P; } K; })",
    "({ int K = 0; while (K < 2) { int B[6] = { 1 }; if (K == F) P = &B[2]; K++; } *P; })",
    "({ P = (int[6]){ 1, 2, 3 } + 1; *P; })",
    "({ { P = F ? (int[6]){ 1, 2, 3 } + 1 : P; } *P; })",
];

impl Gen {
    pub(super) fn after_lifetime(&mut self) -> String {
        let gone = self.rng.chance(55);
        match self.rng.below(8) {
            0..=3 => self.after_block(),
            4..=5 => {
                let p = self.variable("int *", "(int *)calloc(6, sizeof(int)) + 2");
                if gone {
                    self.out.line(&format!("free({p} - 2);"));
                }
                self.through(&p)
            }
            6 => {
                let q = self.variable("struct rec *", "(struct rec *)calloc(3, sizeof(struct rec)) + 1");
                if gone {
                    self.out.line(&format!("free({q} - 1);"));
                }
                self.through_record(&q)
            }
            _ => {
                self.out.line(if gone { "acc += (unsigned)leak(3);" } else { "kept = &tab[3];" });
                let p = self.variable("int *", "kept");
                self.through(&p)
            }
        }
    }

    fn after_block(&mut self) -> String {
        if self.rng.chance(10) {
            let q = self.variable("struct rec *", "&recs[1]");
            let line = self.filled("{ struct rec B[3] = { { 1 } }; if (F) P = &B[1]; acc += (unsigned)P->y; }", &q);
            self.out.line(&line);
            return self.through_record(&q);
        }
        let p = self.variable("int *", "&tab[3]");
        if self.rng.chance(30) {
            let form = self.pick(WITHIN);
            return self.filled(form, &p);
        }
        let form = self.pick(LEFT);
        let line = self.filled(form, &p);
        self.out.line(&line);
        self.through(&p)
    }

    /// A form with its names.
    fn filled(&mut self, form: &str, p: &str) -> String {
        let names = [self.out.local("b"), self.out.local("k"), self.out.local("l")];
        let flag = self.flag(60);
        form.chars()
            .map(|c| match c {
                'P' => p,
                'B' => &names[0],
                'K' => &names[1],
                'L' => &names[2],
                'F' => flag,
                _ => "",
            })
            .zip(form.chars())
            .map(|(name, c)| if name.is_empty() { c.to_string() } else { name.to_owned() })
            .collect()
    }
}

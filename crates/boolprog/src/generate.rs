//! Benchmark programs of any size, as text: what the Bebop paper measured, and what drivers look like.

use base::rng::Rng;
use std::fmt::Write;

/// The ladder T(N) of the Bebop paper (Ball, Rajamani, SPIN 2000): each of `n` levels calls the next twice, so the number
/// of paths doubles per level; a local three-bit counter keeps each level busy. `SLIC_ERROR` is reached.
pub fn ladder(n: usize) -> String {
    let mut out = String::from("decl g;\nvoid main() begin\n  level1();\n  level1();\n");
    out.push_str("  if (!g) then\n    SLIC_ERROR: skip;\n  fi\nend\n");
    for i in 1..=n {
        let call = if i == n { "skip".to_owned() } else { format!("level{}()", i + 1) };
        let _ = write!(
            out,
            "void level{i}() begin\n  decl a, b, c;\n  if (g) then\n    a, b, c := F, F, F;\n    while (!a | !b | !c) do\n      \
             if (!a) then a := T;\n      elsif (!b) then a, b := F, T;\n      elsif (!c) then a, b, c := F, F, T;\n      \
             fi\n    od\n  else\n    {call};\n    {call};\n  fi\n  g := !g;\nend\n"
        );
    }
    out
}

/// A counter of `bits` bits that starts at zero; the label is reached only when all bits are set.
pub fn counter(bits: usize) -> String {
    let names: Vec<String> = (0..bits).map(|i| format!("b{i}")).collect();
    let zeroes = vec!["F"; bits].join(", ");
    let mut out = format!("decl {};\nvoid main() begin\n  {} := {zeroes};\n", names.join(", "), names.join(", "));
    let _ = writeln!(out, "  while (!({})) do", names.join(" & "));
    for i in 0..bits {
        let below: String = (0..i).map(|j| format!(", b{j}")).collect();
        let falses = ", F".repeat(i);
        let word = if i == 0 { "if" } else { "elsif" };
        let _ = writeln!(out, "    {word} (!b{i}) then b{i}{below} := T{falses};");
    }
    out.push_str("    fi\n  od\n  SLIC_ERROR: skip;\nend\n");
    out
}

/// Deep recursion: a procedure that counts through `globals` bits held in globals, one recursive call per increment, and
/// counts down again on the way back. `SLIC_ERROR` is not reached.
pub fn recursion(globals: usize) -> String {
    let names: Vec<String> = (0..globals).map(|i| format!("g{i}")).collect();
    let zeroes = vec!["F"; globals].join(", ");
    let increment = |up: bool| {
        let values: Vec<String> = (0..globals)
            .map(|i| {
                let lower: Vec<String> = (0..i).map(|j| if up { format!("g{j}") } else { format!("!g{j}") }).collect();
                if lower.is_empty() { "!g0".to_owned() } else { format!("(g{i} != ({}))", lower.join(" & ")) }
            })
            .collect();
        format!("{} := {};", names.join(", "), values.join(", "))
    };
    let all = names.join(" & ");
    format!(
        "decl {};\nvoid main() begin\n  {} := {zeroes};\n  count();\n  if ({}) then\n    SLIC_ERROR: skip;\n  fi\nend\n\
         void count() begin\n  decl t;\n  if (!({all})) then\n    t := g0;\n    {}\n    count();\n    {}\n    \
         if (t != g0) then\n      SLIC_ERROR: skip;\n    fi\n  fi\nend\n",
        names.join(", "),
        names.join(", "),
        names.join(" | "),
        increment(true),
        increment(false),
    )
}

/// Sizes of a [`driver`].
#[derive(Clone, Copy, Debug)]
pub struct DriverShape {
    /// Procedures besides `main`.
    pub procs: usize,
    /// Global variables.
    pub globals: usize,
    /// Locals per procedure.
    pub locals: usize,
    /// The seed.
    pub seed: u64,
}

/// A driver-like program: dispatch routines over shared workers, locks taken and released, branches on a status computed
/// earlier. Procedures form layers (depth at least 10 from 20 procedures on), workers are shared by several callers, and
/// more than a third of the branches are correlated with an earlier one. `SLIC_ERROR` is reached only if a lock is taken
/// twice, which no execution does.
pub fn driver(shape: DriverShape) -> String {
    let mut rng = Rng::new(shape.seed);
    let globals: Vec<String> = (0..shape.globals.max(2)).map(|i| format!("g{i}")).collect();
    let mut out = format!("decl {};\nvoid main() begin\n", globals.join(", "));
    let _ = writeln!(out, "  g0 := F;");
    for p in 0..3.min(shape.procs) {
        let _ = writeln!(out, "  if (*) then f{p}(*); fi");
    }
    out.push_str("end\nvoid lock() begin\n  if (g0) then SLIC_ERROR: skip; fi\n  g0 := T;\nend\n");
    out.push_str("void unlock() begin\n  g0 := F;\nend\n");
    let layer = (shape.procs / 12).max(1);
    for p in 0..shape.procs {
        driver_proc(&mut out, &mut rng, &shape, p, layer, &globals);
    }
    out
}

fn driver_proc(out: &mut String, rng: &mut Rng, shape: &DriverShape, p: usize, layer: usize, globals: &[String]) {
    let locals: Vec<String> = (0..shape.locals.max(2)).map(|i| format!("x{i}")).collect();
    let _ = writeln!(out, "bool f{p}(a) begin\n  decl {};", locals.join(", "));
    let first = (p / layer + 1) * layer;
    let flag = &locals[0];
    let _ = writeln!(out, "  {flag} := *;\n  if ({flag}) then lock(); fi");
    for (i, x) in locals.iter().enumerate().skip(1) {
        let g = &globals[1 + rng.index(globals.len() - 1)];
        let y = &locals[rng.index(i)];
        match rng.below(6) {
            0 => {
                let _ = writeln!(out, "  {x} := schoose[a & {y}, {g}];");
            }
            1 => {
                let _ = writeln!(out, "  if ({y}) then {x} := {g}; else {x} := !a; fi");
            }
            2 => {
                let _ = writeln!(out, "  {x} := *;\n  if ({x}) then {g} := {y}; else {g} := a; fi");
            }
            3 => {
                let _ = writeln!(out, "  {x}, {g} := {g}, {x} | {y};");
            }
            _ => {
                // Correlated with the branch on the lock flag: the worker is called without the lock only.
                let callee = first + rng.index(2 * layer);
                if callee < shape.procs {
                    let _ = writeln!(out, "  if (!{flag}) then {x} := f{callee}({y}); else {x} := {g}; fi");
                } else {
                    let _ = writeln!(out, "  {x} := {g} = {y};");
                }
            }
        }
    }
    let last = locals.last().map_or("a", String::as_str);
    let _ = writeln!(out, "  if ({flag}) then unlock(); fi\n  return {last};\nend");
}

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

/// A protocol's state machine as predicate abstraction writes it: one variable per state of which one is true, a loop that
/// asks for them one after the other, flags that remember what happened. `SLIC_ERROR` is reached when the last state is
/// entered without the flag that the middle one sets, which takes a run through most of the machine.
pub fn machine(states: usize) -> String {
    let n = states.max(4);
    let names: Vec<String> = (0..n).map(|i| format!("{{state == {i}}}")).collect();
    let enter = |to: usize| {
        let values: Vec<&str> = (0..n).map(|i| if i == to { "T" } else { "F" }).collect();
        format!("{} := {};", names.join(", "), values.join(", "))
    };
    let pairs: Vec<String> = (0..n)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| format!("!({} & {})", names[i], names[j]))
        .collect();
    let mut out = String::from("void main() begin\n");
    let _ = writeln!(out, "  decl {}, hit, first, again;\n  enforce {};", names.join(", "), pairs.join(" & "));
    let _ = writeln!(out, "  {}\n  hit, first, again := F, *, F;\n  while (*) do", enter(0));
    for (i, name) in names.iter().enumerate() {
        let word = if i == 0 { "if" } else { "elsif" };
        let _ = writeln!(out, "    {word} ({name}) then");
        if i == n / 2 {
            let _ = writeln!(out, "      if (first) then hit := T; else hit := hit | *; fi");
        }
        if i == n - 1 {
            let _ = writeln!(out, "      if (!hit & again) then SLIC_ERROR: skip; fi\n      again := T;");
        }
        // Forward by one or two, sometimes back.
        let (near, far) = ((i + 1) % n, (i + 2) % n);
        let back = i / 2;
        let _ = writeln!(out, "      if (*) then {}\n      elsif (again & *) then {}", enter(near), enter(back));
        let _ = writeln!(out, "      else first := !first; {} fi", enter(if i % 3 == 0 { far } else { near }));
    }
    out.push_str("    fi\n  od\nend\n");
    out
}

/// Procedures in twelve layers that save all globals in locals, each in an order of its own, change them under a condition,
/// call the next layer and restore them. One more local decides twice, before and after, about a lock. `SLIC_ERROR` is not
/// reached. Diagrams are small only if locals stand by the globals that they save.
pub fn saved(procs: usize, globals: usize, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let names: Vec<String> = (0..globals).map(|i| format!("g{i}")).collect();
    let mut out =
        format!("decl lock, {};\nvoid main() begin\n  lock := F;\n  f0(*);\n  f1(*);\nend\n", names.join(", "));
    let layer = (procs / 12).max(1);
    for p in 0..procs {
        let mut order: Vec<usize> = (0..globals).collect();
        for i in (1..globals).rev() {
            order.swap(i, rng.index(i + 1));
        }
        let locals: Vec<String> = (0..globals).map(|i| format!("x{i}")).collect();
        let _ = writeln!(out, "void f{p}(a) begin\n  decl c, {};\n  c := *;", locals.join(", "));
        let _ = writeln!(out, "  if (c) then if (lock) then SLIC_ERROR: skip; fi lock := T; fi");
        order.iter().enumerate().for_each(|(x, g)| out.push_str(&format!("  x{x} := g{g};\n")));
        for (x, g) in order.iter().enumerate() {
            let callee = (p / layer + 1) * layer + rng.index(2 * layer);
            let _ = match rng.below(3) {
                0 => writeln!(out, "  g{g} := *;"),
                1 if callee < procs => writeln!(out, "  if (!c) then f{callee}(x{x}); fi"),
                _ => writeln!(out, "  if (a) then g{g} := !g{g}; fi"),
            };
        }
        order.iter().enumerate().for_each(|(x, g)| out.push_str(&format!("  g{g} := x{x};\n")));
        out.push_str("  if (c) then lock := F; fi\nend\n");
    }
    out
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
    /// Modules: procedures call within their module and work on its share of the globals. 1 means that everything works on
    /// everything, which is far harder than any driver.
    pub modules: usize,
    /// The seed.
    pub seed: u64,
}

/// A driver-like program: dispatch routines over shared workers, locks taken and released, statuses computed, kept and
/// branched on again. Procedures form layers (call depth at least 10 from 50 procedures on), workers are shared by several
/// callers of their module, the lock by all, and more than a third of the branches are correlated with an earlier one. `SLIC_ERROR` is reached only if the lock is taken twice, which no execution does.
pub fn driver(shape: DriverShape) -> String {
    let mut rng = Rng::new(shape.seed);
    let globals: Vec<String> = (0..shape.globals.max(3)).map(|i| format!("g{i}")).collect();
    let mut out = format!("decl {};\nvoid main() begin\n", globals.join(", "));
    let _ = writeln!(out, "  g0 := F;");
    for p in 0..shape.modules.max(2).min(shape.procs) {
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
    let locals: Vec<String> = (0..shape.locals.max(3)).map(|i| format!("x{i}")).collect();
    let _ = writeln!(out, "bool f{p}(a) begin\n  decl {};", locals.join(", "));
    let modules = shape.modules.clamp(1, globals.len() - 1);
    let module = p % modules;
    let device: Vec<&String> = globals[1..].iter().skip(module).step_by(modules).collect();
    let first = (p / layer + 1) * layer;
    let _ = writeln!(out, "  x0 := *;\n  if (x0) then lock(); fi\n  x1 := a | {};", device[0]);
    for i in 2..locals.len() {
        let (x, y, g) = (&locals[i], &locals[i - 1], *rng.pick(&device));
        let _ = match rng.below(7) {
            0 => writeln!(out, "  {x} := schoose[{y}, {g}];"),
            1 => writeln!(out, "  if (*) then {x} := {y}; else {x} := !a; fi"),
            2 => writeln!(out, "  if ({y}) then {g} := F; {x} := T; else {x} := {g}; fi"),
            3 => writeln!(out, "  {x} := {g};\n  if (x0) then {g} := {y}; fi"),
            4 => writeln!(out, "  {x} := *;\n  if ({x}) then {g} := a; fi"),
            _ => {
                // Workers take the lock themselves: they are called only where the branch on x0 did not take it.
                let callee = first + rng.index(2 * layer);
                let callee = callee - callee % modules + module;
                if callee > p && callee < shape.procs {
                    writeln!(out, "  if (!x0) then {x} := f{callee}({y}); else {x} := {g}; fi")
                } else {
                    writeln!(out, "  if (x0) then {x} := {g} = {y}; else {x} := {y}; fi")
                }
            }
        };
    }
    let last = &locals[locals.len() - 1];
    let _ = writeln!(out, "  if (x0) then unlock(); fi\n  return {last};\nend");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (longest chain of calls below main, procedures with several call sites, percentage of correlated branches)
    fn figures(shape: DriverShape) -> (usize, usize, usize) {
        let text = driver(shape);
        let bodies: Vec<&str> = text.split("\nbool f").skip(1).collect();
        let calls = |body: &str| -> Vec<usize> {
            let after = body.split(":= f").skip(1).filter(|s| s.starts_with(|c: char| c.is_ascii_digit()));
            after.filter_map(|s| s.split('(').next()?.parse().ok()).collect()
        };
        let mut depth = vec![1; bodies.len()];
        let mut sites = vec![0; bodies.len()];
        for p in (0..bodies.len()).rev() {
            for c in calls(bodies[p]) {
                assert!(c > p, "calls go down the layers");
                depth[p] = depth[p].max(depth[c] + 1);
                sites[c] += 1;
            }
        }
        // Branches on x0 after the first one repeat its outcome.
        let branches: usize = bodies.iter().map(|b| b.matches("if (").count()).sum();
        let on_x0: usize =
            bodies.iter().map(|b| b.matches("if (x0)").count() + b.matches("if (!x0)").count() - 1).sum();
        (depth[0].max(depth[1]), sites.iter().filter(|&&n| n > 1).count(), on_x0 * 100 / branches)
    }

    #[test]
    fn drivers_are_deep_shared_and_correlated() {
        for (procs, globals, locals, modules) in [(50, 5, 11, 1), (200, 10, 20, 2), (500, 20, 40, 5), (200, 10, 20, 1)]
        {
            let (depth, shared, correlated) = figures(DriverShape { procs, globals, locals, modules, seed: 1 });
            let all = (procs, depth, shared, correlated);
            assert!(depth >= 10 && shared >= procs / 3 && correlated >= 34, "{all:?}");
        }
    }
}

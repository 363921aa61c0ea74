//! `points_to lines:N | file:FILE [RUNS]`: the points-to analysis and the regions of a generated program of about `N` lines,
//! or of a file, as four numbers: CPU seconds (best of `RUNS`), lines, pointer facts, megabytes of this process at its
//! highest. `cargo xtask bench points-to` calls it, one process per size.
//!
//! The generated program consists of modules of about 400 lines: a device structure with a list, a buffer and a table of
//! operations, and a chain of 25 functions that pass the device down, link it, call operations through the table and allocate
//! buffers. All modules register with one of eight global devices and share a log structure.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example reports to its user")]

use ir::DataModel;
use ir::cfg::AddressTaken;
use pointsto::{Query, Regions, Solution};
use std::collections::BTreeMap;
use std::fmt::Write;

const DEPTH: usize = 25;
const LINES_PER_MODULE: usize = 400;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runs = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let text = match args.first().and_then(|a| a.split_once(':')) {
        Some(("lines", n)) => generated(n.parse().expect("a number of lines")),
        Some(("file", path)) => std::fs::read_to_string(path).expect("a readable file"),
        _ => return println!("usage: points_to lines:N | file:FILE [RUNS]"),
    };
    let lines = text.lines().count();
    let mut sources = base::SourceMap::new();
    let file = sources.add("bench.c", text.as_str());
    let model = if args.iter().any(|a| a == "ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let target = if model == DataModel::Ilp32 { cfront::Target::Ilp32 } else { cfront::Target::Lp64 };
    let unit = cfront::parse(&mut sources, file, target).unwrap_or_else(|d| panic!("{}", d[0].message));
    let options = lower::Options::default();
    let program = lower::lower(&[unit], &options).unwrap_or_else(|d| panic!("{}", d[0].message)).program;
    let mut best = f64::MAX;
    let mut facts = 0;
    for _ in 0..runs {
        let before = cpu();
        let taken = AddressTaken::new(&program);
        let solution = pointsto::analyze(&program, &taken);
        let regions = Regions::new(Query { program: &program, taken: &taken, solution: &solution });
        best = best.min(cpu() - before);
        facts = count(&solution) + regions.cells.values().map(Vec::len).sum::<usize>();
    }
    println!("{best:.4} {lines} {facts} {}", peak_memory());
}

/// How many pointers the solution has.
fn count(solution: &Solution) -> usize {
    let variables = solution.globals.iter().chain(solution.locals.iter().flatten()).map(BTreeMap::len);
    let contents = solution.contents.values().flat_map(|slots| slots.values()).map(BTreeMap::len);
    variables.chain(contents).sum()
}

fn generated(lines: usize) -> String {
    let mut out = String::from(
        "extern void *malloc(unsigned long);\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         struct buffer { int n; char data[16]; struct buffer *next; };\n\
         struct device;\ntypedef int (*operation)(struct device *, int);\n\
         struct device { int state; int lock; struct device *next; struct device *parent; struct buffer *queue; operation ops[4]; };\n\
         struct device roots[8];\nstruct record { int count; int last; } history;\n",
    );
    let modules = lines.div_ceil(LINES_PER_MODULE);
    for m in 0..modules {
        module(&mut out, m);
    }
    out.push_str("int main(void) {\n    int x = __VERIFIER_nondet_int();\n");
    for m in 0..modules {
        writeln!(out, "    x = start{m}(x);").expect("texts can be written");
    }
    out.push_str("    if (x == 77 && history.count < 0) reach_error();\n    return 0;\n}\n");
    out
}

fn module(out: &mut String, m: usize) {
    let mut line = |text: String| writeln!(out, "{text}").expect("texts can be written");
    line(format!("static struct device dev{m};"));
    for k in 0..4 {
        line(format!("static int op{m}_{k}(struct device *d, int x) {{"));
        line("    struct buffer *b = d->queue;".into());
        line(format!("    d->state = x + {k};"));
        line("    if (b) b->n = b->n + 1;".into());
        line("    return d->state;".into());
        line("}".into());
    }
    for f in 0..DEPTH {
        line(format!("static int f{m}_{f}(struct device *d, struct buffer **slot, int x) {{"));
        line("    struct buffer *b = *slot;".into());
        line("    int i, s = 0;".into());
        line("    if (!b) {".into());
        line("        b = malloc(sizeof(struct buffer));".into());
        line("        if (!b) return 0;".into());
        line("        b->next = d->queue;".into());
        line("        d->queue = b;".into());
        line("    }".into());
        line("    for (i = 0; i < 4; i++)".into());
        line("        s += b->data[i];".into());
        line("    s += d->ops[x & 3](d, s);".into());
        if f > 0 {
            line(format!("    return f{m}_{}(d, &b->next, s);", f - 1));
        } else {
            line("    history.last = s; history.count++; return s;".into());
        }
        line("}".into());
    }
    line(format!("static int start{m}(int x) {{"));
    line(format!("    struct device *d = &dev{m};"));
    for k in 0..4 {
        line(format!("    d->ops[{k}] = op{m}_{k};"));
    }
    line(format!("    d->parent = &roots[{}];", m % 8));
    line("    d->parent->state = x;".into());
    line(format!("    return f{m}_{}(d, &d->queue, x);", DEPTH - 1));
    line("}".into());
}

/// Memory of this process at its highest, in MB, where the system tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Time of this process on a processor, in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

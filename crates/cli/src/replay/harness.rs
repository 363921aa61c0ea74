//! The C file that plays the outside, from a [`Plan`].
//!
//! It is compiled by itself and shares no header with the program: functions are declared with the program's types as far as the
//! call needs them (a pointer is a `void *`), objects as arrays of bytes. It uses nothing of the C library but `write` and
//! `_exit`.

use super::build::Defect;
use super::plan::{Call, Given, Plan, Saved, WRAPPED, Write};
use super::pointers::Spot;
use super::values::{bytes_of, literal, quoted};
use crate::front::Front;
use cfront::tree::Unit;
use cfront::types::{FloatKind, IntKind, Type, TypeId};
use ir::{Init, Linkage};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The text, and what its compilation needs.
pub(super) struct Harness {
    /// The text without its first comment.
    pub text: String,
    /// Functions and objects of the program that it names although the program keeps them to itself.
    pub globalize: BTreeSet<String>,
    /// It stands in for the allocation functions.
    pub wraps: bool,
    /// Functions whose entry is the defect, in the program itself.
    pub watches: bool,
    /// It has a `main` of its own.
    pub own_main: bool,
    /// What it could not be made to do.
    pub open: Vec<String>,
}

/// The exit status of a program that went wrong as described.
pub(super) const SHOWN: i32 = 99;
/// The exit status where the program left the run.
pub(super) const LEFT: i32 = 77;
/// How lines of the harness on standard error begin.
pub(super) const SAYS: &str = "hardbop: ";

const HEAD: &str = "\
extern long write(int, const void *, unsigned long);
extern void _exit(int) __attribute__((noreturn));

__attribute__((noreturn, no_instrument_function)) static void hb_end(int status, const char *what, const char *which)
{
  write(2, \"hardbop: \", 9);
  write(2, what, __builtin_strlen(what));
  write(2, which, __builtin_strlen(which));
  write(2, \"\\n\", 1);
  _exit(status);
}
";

/// Functions that end a run at once if their argument is zero, as far as they have no body.
const ASSUMES: [&str; 2] = ["__VERIFIER_assume", "__CPROVER_assume"];
const ASSERTS: [&str; 2] = ["assert", "__VERIFIER_assert"];
const NOTHINGS: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// Writes the text.
pub(super) fn write(front: &Front, entry: &str, plan: &Plan, targets: &lower::Targets, defect: &Defect) -> Harness {
    let mut maker = Maker {
        front,
        out: HEAD.to_string(),
        blocks: outside_blocks(plan),
        harness: Harness {
            text: String::new(),
            globalize: BTreeSet::new(),
            wraps: !plan.failing.is_empty() || plan_names_blocks(plan),
            watches: false,
            own_main: entry != "main",
            open: Vec::new(),
        },
    };
    maker.memory(plan);
    maker.functions(plan, targets);
    maker.watch(targets, defect);
    if maker.harness.wraps {
        maker.allocations(plan);
    }
    maker.start(entry, plan);
    Harness { text: maker.out, ..maker.harness }
}

struct Maker<'a> {
    front: &'a Front,
    out: String,
    /// Stretches of the outside: the first offset, and how many bytes.
    blocks: Vec<(u64, u64)>,
    harness: Harness,
}

/// All places that a plan names.
fn spots(plan: &Plan) -> Vec<&Spot> {
    let mut spots = Vec::new();
    let calls = plan.calls.values().flatten();
    for write in plan.before.iter().chain(&plan.contents).chain(calls.clone().flat_map(|c| &c.writes)) {
        spots.push(&write.to);
        spots.extend(write.value.pointer());
    }
    spots.extend(calls.filter_map(|c| c.result.as_ref()).chain(plan.arguments.values()).filter_map(Given::pointer));
    spots
}

fn plan_names_blocks(plan: &Plan) -> bool {
    spots(plan).iter().any(|s| matches!(s, Spot::Block(..)))
}

/// Bytes around every place of the outside that a run may look at.
const ROOM: u64 = 1 << 12;

/// Stretches of the outside in which all its places lie.
fn outside_blocks(plan: &Plan) -> Vec<(u64, u64)> {
    let offsets: BTreeSet<u64> = spots(plan)
        .into_iter()
        .filter_map(|s| match s {
            Spot::Outside(offset) => Some(*offset),
            _ => None,
        })
        .collect();
    let mut blocks: Vec<(u64, u64)> = Vec::new();
    for offset in offsets {
        match blocks.last_mut() {
            Some((from, size)) if offset - *from < *size + ROOM => *size = offset - *from + ROOM,
            // The place keeps its alignment.
            _ => blocks.push((offset & !0xfff, (offset & 0xfff) + ROOM)),
        }
    }
    blocks
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        self.out += text;
        self.out.push('\n');
    }

    /// Declares the globals and functions that are named, and makes what is defined nowhere.
    fn memory(&mut self, plan: &Plan) {
        for (i, (_, size)) in self.blocks.clone().into_iter().enumerate() {
            self.line(&format!("static unsigned char hb_outside_{i}[{size}] __attribute__((aligned(4096)));"));
        }
        if !plan.saved.is_empty() {
            self.line(&format!("static unsigned char *hb_saved[{}];", plan.saved.len()));
        }
        let mut named: BTreeSet<&str> = BTreeSet::new();
        let mut functions: BTreeSet<&str> = BTreeSet::new();
        for spot in spots(plan) {
            match spot {
                Spot::Global(name, _) => named.insert(name),
                Spot::Function(name) => functions.insert(name),
                _ => false,
            };
        }
        let program = &self.front.program;
        let missing = |g: &&ir::Global| {
            let named = !g.name.contains(['.', '$', ' ']);
            named && g.init == Init::Unknown && g.linkage == Linkage::External && !self.defines(&g.name)
        };
        let missing: Vec<(String, u64)> =
            program.globals.iter().filter(missing).map(|g| (g.name.clone(), g.shape.size(program.model))).collect();
        for (name, size) in &missing {
            self.line(&format!("unsigned char {name}[{}] __attribute__((aligned(16)));", (*size).max(1)));
        }
        for name in named {
            if missing.iter().any(|(m, _)| m == name) {
                continue;
            }
            self.line(&format!("extern unsigned char {name}[];"));
            if program.globals.iter().any(|g| g.name == name && g.linkage == Linkage::Internal) {
                self.harness.globalize.insert(name.to_string());
            }
        }
        for name in functions {
            self.line(&format!("extern void {name}();"));
            if program.functions.iter().any(|f| f.name == name && f.linkage == Linkage::Internal) {
                self.harness.globalize.insert(name.to_string());
            }
        }
    }

    /// Whether a unit of the program defines an object of this name.
    fn defines(&self, name: &str) -> bool {
        let defined = |v: &cfront::tree::Var| v.definition != cfront::tree::Definition::Declared;
        self.front.units.iter().any(|u| {
            u.vars.iter().any(|v| v.name.is_some_and(|n| u.name(n) == name) && v.owner.is_none() && defined(v))
        })
    }

    /// Functions that the outside answers for.
    fn functions(&mut self, plan: &Plan, targets: &lower::Targets) {
        let mut names: BTreeMap<String, &[Call]> = plan.calls.iter().map(|(n, c)| (n.clone(), &c[..])).collect();
        for unit in &self.front.units {
            for function in unit.funcs.iter().filter(|f| f.body.is_none()) {
                let name = unit.name(function.name);
                let ours = ASSUMES.iter().chain(&ASSERTS).chain(&NOTHINGS).any(|n| *n == name)
                    || targets.functions.iter().any(|t| t == name);
                let known = !ours && (ir::library::c::row(name).is_some() || name.starts_with("__builtin_"));
                if !known && !function.runtime && self.is_called(name) {
                    names.entry(name.to_string()).or_insert(&[]);
                }
            }
        }
        for (name, calls) in names {
            if self.has_body(&name) || !self.is_declared(&name) {
                continue;
            }
            match name.as_str() {
                n if targets.functions.iter().any(|t| t == n) => {
                    self.line(&format!("void {n}() {{ hb_end({SHOWN}, \"call of {n}\", \"\"); }}"));
                }
                n if ASSUMES.contains(&n) => {
                    self.line(&format!("void {n}(int c) {{ if (!c) hb_end({LEFT}, \"an assumption fails\", \"\"); }}"));
                }
                n if ASSERTS.contains(&n) => {
                    self.line(&format!("void {n}(int c) {{ if (!c) hb_end({SHOWN}, \"assertion fails\", \"\"); }}"));
                }
                n if NOTHINGS.contains(&n) => self.line(&format!("void {n}() {{}}")),
                n if n.starts_with("__assert") => {}
                n => self.function(n, calls, &plan.saved),
            }
        }
        // What <assert.h> calls; the line tells which assertion it is.
        let status = if targets.assertions { SHOWN } else { LEFT };
        self.line(&format!(
            "void __assert_fail(const char *text, const char *file, unsigned line, const char *function)\n{{\n  \
             char digits[12], *d = digits + 11;\n  *d = 0;\n  do *--d = '0' + line % 10; while (line /= 10);\n  \
             hb_end({status}, \"assertion fails at line \", d);\n}}"
        ));
    }

    fn is_declared(&self, name: &str) -> bool {
        self.front.units.iter().any(|u| u.function(name).is_some())
    }

    fn has_body(&self, name: &str) -> bool {
        self.front.units.iter().any(|u| u.funcs.iter().any(|f| f.body.is_some() && u.name(f.name) == name))
    }

    /// Whether the program as it is checked has anything to do with the function.
    fn is_called(&self, name: &str) -> bool {
        self.front.program.functions.iter().any(|f| f.name == name)
            || self.front.units.iter().any(|u| {
                u.exprs.iter().any(|e| match e.kind {
                    cfront::tree::ExprKind::Call(callee, _) => {
                        u.direct_callee(callee).is_some_and(|f| u.name(u.funcs[f].name) == name)
                    }
                    _ => false,
                })
            })
    }

    /// One function: what it does in each of its calls.
    fn function(&mut self, name: &str, calls: &[Call], saved: &[Saved]) {
        let Some((result, params)) = self.signature(name) else {
            if !calls.is_empty() {
                self.harness.open.push(format!("what `{name}` returns, whose type a harness cannot write"));
            }
            return;
        };
        let needs_arguments = calls.iter().flat_map(|c| &c.writes).any(|w| matches!(w.to, Spot::Argument(..)))
            || calls.iter().filter_map(|c| c.result.as_ref()).any(|r| matches!(r, Given::Pointer(Spot::Argument(..))))
            || saved.iter().any(|s| s.function == name);
        let params = match params {
            Some(params) => params,
            None if needs_arguments => {
                self.harness.open.push(format!("what `{name}` writes, whose arguments a harness cannot name"));
                return;
            }
            None => String::new(),
        };
        let mut text = format!("{}{name}({params})\n{{\n", spaced(&result.c));
        let zero = if result.c == "void" { "return;" } else { "return 0;" };
        if calls.is_empty() {
            let _ = writeln!(text, "  {zero}\n}}");
            self.line(text.trim_end());
            return;
        }
        text += "  static unsigned long n;\n  switch (n++) {\n";
        let mut from = 0;
        while from < calls.len() {
            let keeps = |n: usize| saved.iter().any(|s| s.function == name && s.call == n);
            let alike = |(i, c): &(usize, &Call)| **c == calls[from] && (*i == 0 || !keeps(from) && !keeps(from + i));
            let same = calls[from..].iter().enumerate().take_while(alike).count();
            let label = if same == 1 { format!("{from}") } else { format!("{from} ... {}", from + same - 1) };
            let _ = write!(text, "  case {label}:");
            for (k, s) in saved.iter().enumerate().filter(|(_, s)| s.function == name && s.call == from) {
                let _ = write!(text, " hb_saved[{k}] = (unsigned char *)a{};", s.argument);
            }
            for write in &calls[from].writes {
                let _ = write!(text, " {}", self.write(write));
            }
            let value = match &calls[from].result {
                None => zero.to_string(),
                Some(value) => match self.value(value, &result) {
                    Some(value) => format!("return {value};"),
                    None => {
                        self.harness.open.push(format!("what `{name}` returns: a value that a harness cannot write"));
                        zero.to_string()
                    }
                },
            };
            let _ = writeln!(text, " {value}");
            from += same;
        }
        let _ = writeln!(text, "  }}\n  hb_end({LEFT}, \"the program asks for more than the run: \", \"{name}\");\n}}");
        self.line(text.trim_end());
    }

    /// The result of a function, and its parameters if all can be written.
    fn signature(&self, name: &str) -> Option<(CType, Option<String>)> {
        let find = |u: &Unit| u.function(name).filter(|f| !u.funcs[*f].implicit || u.funcs[*f].body.is_none());
        let (unit, func) = self.front.units.iter().find_map(|u| Some((u, find(u)?)))?;
        let signature = unit.types.signature(unit.funcs[func].ty)?;
        let result = c_type(unit, signature.ret)?;
        let params: Option<Vec<String>> = signature
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| Some(format!("{}a{i}", spaced(&c_type(unit, *p)?.c))))
            .collect();
        let params = params.map(|p| match (p.is_empty(), signature.variadic) {
            (true, _) => String::new(),
            (false, true) => p.join(", ") + ", ...",
            (false, false) => p.join(", "),
        });
        Some((result, params))
    }

    fn spot(&self, spot: &Spot) -> String {
        let moved = |base: String, by: i64| match by {
            0 => base,
            1.. => format!("{base} + {by}"),
            _ => format!("{base} - {}", by.unsigned_abs()),
        };
        match spot {
            Spot::Number(n) => format!("(unsigned char *){n:#x}"),
            Spot::Outside(offset) => {
                let at = self.blocks.iter().rposition(|(from, _)| from <= offset).unwrap_or(0);
                let from = self.blocks.get(at).map_or(0, |b| b.0);
                format!("hb_outside_{at} + {}", offset - from)
            }
            Spot::Global(name, by) => moved(name.clone(), *by),
            Spot::Argument(n, by) => moved(format!("(unsigned char *)a{n}"), *by),
            Spot::Saved(k, by) => moved(format!("hb_saved[{k}]"), *by),
            Spot::Parameter(..) => "(unsigned char *)0".to_string(),
            Spot::Block(n, by) => moved(format!("hb_blocks[{n}]"), *by),
            Spot::Function(name) => format!("(unsigned char *){name}"),
        }
    }

    fn write(&self, write: &Write) -> String {
        let to = self.spot(&write.to);
        match &write.value {
            Given::Pointer(spot) => {
                format!("{{ void *p = {}; __builtin_memcpy({to}, &p, sizeof p); }}", self.spot(spot))
            }
            Given::Bits(ty, bits) => {
                let bytes = bytes_of(*ty, *bits, self.front.program.model);
                format!("__builtin_memcpy({to}, {}, {});", quoted(&bytes), bytes.len())
            }
            Given::Bytes(bytes) => format!("__builtin_memcpy({to}, {}, {});", quoted(bytes), bytes.len()),
        }
    }

    fn value(&self, value: &Given, ty: &CType) -> Option<String> {
        match (value, ty.kind) {
            (Given::Pointer(spot), _) => Some(self.spot(spot)),
            (Given::Bits(t, bits), Kind::Number) => literal(*t, *bits),
            (Given::Bits(_, bits), Kind::Pointer) => Some(format!("(void *){bits:#x}")),
            (Given::Bits(..) | Given::Bytes(_), _) => None,
        }
    }

    /// Notices that a function of the program is entered which must not be.
    fn watch(&mut self, targets: &lower::Targets, defect: &Defect) {
        let Defect::Reached(name) = defect else { return };
        if !self.has_body(name) || !targets.functions.contains(name) {
            return;
        }
        self.harness.watches = true;
        if self.front.program.functions.iter().any(|f| f.name == *name && f.linkage == Linkage::Internal)
            || self
                .front
                .units
                .iter()
                .any(|u| u.function(name).is_some_and(|f| u.funcs[f].linkage == cfront::tree::Linkage::Internal))
        {
            self.harness.globalize.insert(name.clone());
        }
        self.line(&format!(
            "extern void {name}();\n\
             __attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *from)\n{{\n  \
             if (function == (void *){name}) hb_end({SHOWN}, \"call of {name}\", \"\");\n}}\n\
             __attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *from) {{}}"
        ));
    }

    /// Allocation functions that fail where they did, and whose blocks hold what they held.
    fn allocations(&mut self, plan: &Plan) {
        let last = spots(plan).iter().filter_map(|s| if let Spot::Block(n, _) = s { Some(*n) } else { None }).max();
        let n = plan.failing.iter().copied().chain(last).max().unwrap_or(0) + 1;
        let fails: Vec<String> = (0..n).map(|i| u8::from(plan.failing.contains(&i)).to_string()).collect();
        self.line(&format!(
            "static unsigned char *hb_blocks[{n}];\nstatic const char hb_fails[{n}] = {{ {} }};\nstatic unsigned long hb_made;",
            fails.join(", ")
        ));
        self.line("static void hb_fill(unsigned long n)\n{\n  switch (n) {");
        let mut by_block: BTreeMap<usize, Vec<&Write>> = BTreeMap::new();
        for write in &plan.contents {
            if let Spot::Block(n, _) = write.to {
                by_block.entry(n).or_default().push(write);
            }
        }
        for (n, writes) in by_block {
            let text: Vec<String> = writes.iter().map(|w| self.write(w)).collect();
            self.line(&format!("  case {n}: {} break;", text.join(" ")));
        }
        self.line("  }\n}");
        let size = "__SIZE_TYPE__";
        for name in WRAPPED {
            let (params, args) = match name {
                "malloc" => (format!("{size} a"), "a"),
                "calloc" => (format!("{size} a, {size} b"), "a, b"),
                _ => (format!("void *a, {size} b"), "a, b"),
            };
            self.line(&format!(
                "extern void *__real_{name}({params});\nvoid *__wrap_{name}({params})\n{{\n  unsigned long n = hb_made++;\n  \
                 void *p = n < {n} && hb_fails[n] ? 0 : __real_{name}({args});\n  \
                 if (n < {n} && p) {{ hb_blocks[n] = p; hb_fill(n); }}\n  return p;\n}}"
            ));
        }
    }

    /// What is prepared before the run, and the call of the entry function where that is not `main`.
    fn start(&mut self, entry: &str, plan: &Plan) {
        if !plan.before.is_empty() {
            self.line("__attribute__((constructor, no_instrument_function)) static void hb_prepare(void)\n{");
            for write in &plan.before {
                let text = self.write(write);
                self.line(&format!("  {text}"));
            }
            self.line("}");
        }
        if entry == "main" {
            if !plan.arguments.is_empty() {
                self.harness.open.push("the arguments of `main`".to_string());
            }
            return;
        }
        let Some((result, params)) = self.signature(entry) else {
            self.harness.open.push(format!("the call of `{entry}`, whose result a harness cannot name"));
            return;
        };
        let Some(params) = params else {
            self.harness.open.push(format!("the arguments of `{entry}`, whose types a harness cannot write"));
            return;
        };
        if self.front.program.functions.iter().any(|f| f.name == entry && f.linkage == Linkage::Internal) {
            self.harness.globalize.insert(entry.to_string());
        }
        let unit = self.front.units.iter().find(|u| u.function(entry).is_some_and(|f| u.funcs[f].body.is_some()));
        let types: Vec<CType> = unit
            .and_then(|u| u.types.signature(u.funcs[u.function(entry)?].ty).map(|s| (u, s)))
            .map(|(u, s)| s.params.iter().filter_map(|p| c_type(u, *p)).collect())
            .unwrap_or_default();
        let mut values = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let value = match plan.arguments.get(&i) {
                None => Some("0".to_string()),
                Some(given) => self.value(given, ty),
            };
            values.push(value.unwrap_or_else(|| {
                self.harness.open.push(format!("argument {} of `{entry}`", i + 1));
                "0".to_string()
            }));
        }
        let params = if params.is_empty() { "void".to_string() } else { params };
        self.line(&format!(
            "extern {}{entry}({params});\nint main(void)\n{{\n  {entry}({});\n  return 0;\n}}",
            spaced(&result.c),
            values.join(", ")
        ));
    }
}

/// A type as the harness writes it.
struct CType {
    c: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Number,
    Pointer,
}

/// The type and a space, where there must be one.
fn spaced(c: &str) -> String {
    if c.ends_with('*') { c.to_string() } else { format!("{c} ") }
}

fn c_type(unit: &Unit, ty: TypeId) -> Option<CType> {
    let number = |c: &str| Some(CType { c: c.to_string(), kind: Kind::Number });
    if let Some(kind) = unit.types.int_kind(ty) {
        return match kind {
            IntKind::Int128 => number("__int128"),
            IntKind::UInt128 => number("unsigned __int128"),
            other => number(other.c_name()?),
        };
    }
    match unit.types.get(ty) {
        Type::Void => Some(CType { c: "void".into(), kind: Kind::Nothing }),
        Type::Pointer(_) => Some(CType { c: "void *".into(), kind: Kind::Pointer }),
        Type::Float(FloatKind::Float) => number("float"),
        Type::Float(FloatKind::Double) => number("double"),
        Type::Float(FloatKind::LongDouble) => number("long double"),
        _ => None,
    }
}

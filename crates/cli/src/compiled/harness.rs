//! The text that is compiled: the program's own, changed in few places, and a file that plays the outside.
//!
//! Each direct call of a function that the outside answers for becomes a call of a function of its own, `hb_N`, which
//! returns the values that the tape has for this very call, in order. Values therefore need no global order: a call whose
//! result nobody looks at, which has no entry on the tape, cannot take another call's value.
//!
//! The harness uses no function of the C library, since the program may define one of the same name.

use crate::front::Front;
use base::{FileId, Span};
use certify::Counterexample;
use cfront::tree::{ExprKind, FuncId, Unit};
use cfront::types::{FloatKind, IntKind, Type, TypeId};
use ir::interp::{At, Data, Entry, Input, Kind, Pointer};
use ir::{FloatTy, HavocDst, Op, Source, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The signals by which the compiled program says what happened; they do not occur otherwise.
pub(super) mod signal {
    /// A target was reached.
    pub(crate) const REACHED: i32 = libc::SIGUSR2;
    /// A call asked for more values than the tape has for it.
    pub(crate) const NO_VALUE: i32 = libc::SIGUSR1;
    /// An assumption failed.
    pub(crate) const ASSUMPTION: i32 = libc::SIGALRM;
}

/// What is compiled.
pub(super) struct Sources {
    /// One per unit, preprocessed.
    pub(super) units: Vec<String>,
    /// The outside.
    pub(super) harness: String,
}

/// Functions that end a run at once if their argument is zero, as far as they have no body.
const ASSUMES: [&str; 2] = ["__VERIFIER_assume", "__CPROVER_assume"];
const ASSERTS: [&str; 2] = ["assert", "__VERIFIER_assert"];
const FAILS: [&str; 8] = [
    "__assert_fail",
    "__assert",
    "__assert2",
    "_assert",
    "__assert_perror_fail",
    "__assertfail",
    "__assert_rtn",
    "__assert_func",
];
const NOTHINGS: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// A call that the outside answers.
struct Site {
    func: (usize, FuncId),
    values: Vec<String>,
}

/// Makes the texts, or says why this counterexample cannot be compiled.
pub(super) fn write(front: &Front, cex: &Counterexample, targets: &lower::Targets) -> Result<Sources, String> {
    let mut edits = Edits::default();
    let mut sites = Vec::new();
    let by_span = find_sites(front, &mut sites, &mut edits);
    for entry in &cex.tape.entries {
        let (site, value) = match take(front, entry)? {
            None => continue,
            Some((span, value)) => (by_span.get(&span), value),
        };
        let site = site.ok_or("an input comes from something else than a direct call")?;
        sites[*site].values.push(value);
    }
    let mut harness = HEAD.to_string();
    for (i, site) in sites.iter().enumerate() {
        stub(front, &mut harness, i, site)?;
    }
    play_functions(front, targets, &mut edits, &mut harness);
    let units = front.units.iter().map(|u| edits.apply(u.file, &front.map.file(u.file).text)).collect();
    Ok(Sources { units, harness })
}

/// Names of functions without a body that the program asks for values, or calls.
fn outside_names(front: &Front) -> BTreeSet<&str> {
    let undefined = front.program.functions.iter().filter(|f| f.body.is_none()).map(|f| f.name.as_str());
    let edges = front.program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges);
    let sources = edges.filter_map(|e| match &e.op {
        Op::Havoc(HavocDst::Place(_), Source::Nondet(name) | Source::Outside(name)) => Some(name.as_str()),
        _ => None,
    });
    undefined.chain(sources).collect()
}

/// Gives every direct call of an outside function its own function, and says which call has which.
fn find_sites(front: &Front, sites: &mut Vec<Site>, edits: &mut Edits) -> BTreeMap<Span, usize> {
    let names = outside_names(front);
    let mut by_span = BTreeMap::new();
    for (u, unit) in front.units.iter().enumerate() {
        for expr in &unit.exprs {
            let ExprKind::Call(callee, _) = expr.kind else { continue };
            let Some(f) = unit.direct_callee(callee) else { continue };
            let function = &unit.funcs[f];
            let name = unit.name(function.name);
            if !names.contains(name) || has_body(front, name) || result_type(unit, f).is_none() {
                continue;
            }
            let at = unit.exprs[callee].span;
            if front.map.text(at) != name || by_span.contains_key(&expr.span) {
                continue;
            }
            let n = sites.len();
            let declaration =
                if function.implicit { format!("int hb_{n}()") } else { format!("__typeof__({name}) hb_{n}") };
            edits.replace(at, format!("(__extension__({{ extern {declaration}; hb_{n}; }}))"));
            sites.push(Site { func: (u, f), values: Vec::new() });
            by_span.insert(expr.span, n);
        }
    }
    by_span
}

fn has_body(front: &Front, name: &str) -> bool {
    front.units.iter().any(|u| u.funcs.iter().any(|f| f.body.is_some() && u.name(f.name) == name))
}

/// The call that an entry of the tape belongs to, and its value as C text; `None` if the entry needs nothing done.
fn take(front: &Front, entry: &Entry) -> Result<Option<(Span, String)>, String> {
    let value = match (&entry.kind, &entry.data) {
        (Kind::Malloc, Data::Fails(false)) => return Ok(None),
        (Kind::Malloc, _) => return Err("an allocation fails".into()),
        (Kind::Writes(_) | Kind::Global(_), Data::Writes(patches)) if patches.is_empty() => return Ok(None),
        (Kind::Writes(_) | Kind::Global(_), _) => {
            return Err("an undefined function writes to the program's memory".into());
        }
        (Kind::Uninit, _) => return Err("the run depends on an uninitialised value".into()),
        (Kind::Padding, _) => return Err("the run depends on padding".into()),
        (Kind::Base(_), _) => return Err("the run depends on the address of an object".into()),
        (Kind::Nondet | Kind::Outside | Kind::Result, data) => constant(data)?,
    };
    match entry.at {
        At::Start => Err("the run depends on the arguments of the program".into()),
        At::Edge(func, edge) => Ok(Some((front.edge(func, edge).span, value))),
    }
}

/// A value as a constant that a stub returns.
fn constant(data: &Data) -> Result<String, String> {
    match data {
        Data::Value(Ty::Bool | Ty::Int(_), Input::Bits(bits)) => match u64::try_from(*bits) {
            Ok(bits) => Ok(format!("{bits:#x}ull")),
            Err(_) => Err("an input has more than 64 bits".into()),
        },
        Data::Value(Ty::Float(FloatTy::F32 | FloatTy::F64), Input::Bits(bits)) => Ok(format!("{bits:#x}ull")),
        Data::Value(Ty::Ptr, Input::Pointer(Pointer::Null)) => Ok("0ull".to_string()),
        Data::Value(Ty::Ptr, _) => Err("an input is a pointer other than NULL".into()),
        Data::Value(Ty::Float(_), _) => Err("an input is a long double".into()),
        _ => Err("an input is a block of bytes".into()),
    }
}

/// What a stub returns, as far as that can be written down.
enum Returned {
    Nothing,
    Integer(&'static str),
    Float(&'static str),
    Pointer,
}

fn result_type(unit: &Unit, f: FuncId) -> Option<Returned> {
    let signature = unit.types.signature(unit.funcs[f].ty)?;
    returned(unit, signature.ret)
}

fn returned(unit: &Unit, ty: TypeId) -> Option<Returned> {
    if let Some(kind) = unit.types.int_kind(ty) {
        return c_integer(kind).map(Returned::Integer);
    }
    match unit.types.get(ty) {
        Type::Void => Some(Returned::Nothing),
        Type::Pointer(_) => Some(Returned::Pointer),
        Type::Float(FloatKind::Float) => Some(Returned::Float("float")),
        Type::Float(FloatKind::Double) => Some(Returned::Float("double")),
        _ => None,
    }
}

/// The name of an integer type whose constants C can write.
fn c_integer(kind: IntKind) -> Option<&'static str> {
    kind.c_name().filter(|_| !matches!(kind, IntKind::Int128 | IntKind::UInt128))
}

/// The function behind one call. A call without values is one whose result nobody looks at.
fn stub(front: &Front, out: &mut String, n: usize, site: &Site) -> Result<(), String> {
    let (u, f) = site.func;
    let returned = result_type(&front.units[u], f).ok_or("an input has a type that cannot be compiled")?;
    if site.values.is_empty() {
        let (ty, value) = match returned {
            Returned::Nothing => ("void", ""),
            Returned::Integer(ty) | Returned::Float(ty) => (ty, " 0"),
            Returned::Pointer => ("void *", " 0"),
        };
        let _ = writeln!(out, "{ty} hb_{n}() {{ return{value}; }}");
        return Ok(());
    }
    let _ = writeln!(out, "static const unsigned long long hb_values_{n}[] = {{ {} }};", site.values.join(", "));
    let take = format!("static unsigned long at; if (at == {}) hb_end({});", site.values.len(), signal::NO_VALUE);
    let _ = match returned {
        Returned::Nothing => return Err("a function without result has a value on the tape".into()),
        Returned::Integer(ty) => writeln!(out, "{ty} hb_{n}() {{ {take} return ({ty})hb_values_{n}[at++]; }}"),
        Returned::Pointer => {
            writeln!(out, "void *hb_{n}() {{ {take} return (void *)(unsigned long)hb_values_{n}[at++]; }}")
        }
        Returned::Float(ty) => writeln!(
            out,
            "{ty} hb_{n}() {{ {take} union {{ unsigned long long bits; {ty} value; }} u; u.bits = hb_values_{n}[at++]; return u.value; }}"
        ),
    };
    Ok(())
}

/// Ends the process by a signal, without the C library.
const HEAD: &str = "\
static long hb_call(long n, long a, long b) {
  long r;
#if defined(__x86_64__)
  __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b) : \"rcx\", \"r11\", \"memory\");
#else
  __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(n), \"b\"(a), \"c\"(b) : \"memory\");
#endif
  return r;
}
void hb_end(int s) {
#if defined(__x86_64__)
  for (;;) hb_call(62, hb_call(39, 0, 0), s);
#else
  for (;;) hb_call(37, hb_call(20, 0, 0), s);
#endif
}
";

/// Defines the functions by which a run ends, and marks the targets that the program defines itself.
fn play_functions(front: &Front, targets: &lower::Targets, edits: &mut Edits, harness: &mut String) {
    let failed = if targets.assertions {
        format!("hb_end({})", signal::REACHED)
    } else {
        format!("hb_end({})", signal::ASSUMPTION)
    };
    let mut done = BTreeSet::new();
    for unit in &front.units {
        for function in &unit.funcs {
            let name = unit.name(function.name);
            let target = targets.functions.iter().any(|t| t == name);
            if let Some(body) = function.body {
                if target {
                    let reached = format!("{{ extern void hb_end(int); hb_end({}); }}", signal::REACHED);
                    edits.insert_after_brace(unit.stmts[body].span, &reached);
                }
                continue;
            }
            if has_body(front, name) || !done.insert(name.to_string()) {
                continue;
            }
            let parameter = unit
                .types
                .signature(function.ty)
                .and_then(|s| s.params.first())
                .and_then(|p| unit.types.int_kind(*p).and_then(c_integer))
                .unwrap_or("int");
            let _ = match name {
                _ if target => writeln!(harness, "void {name}() {{ hb_end({}); }}", signal::REACHED),
                n if ASSUMES.contains(&n) => {
                    writeln!(harness, "void {n}({parameter} c) {{ if (!c) hb_end({}); }}", signal::ASSUMPTION)
                }
                n if ASSERTS.contains(&n) => writeln!(harness, "void {n}({parameter} c) {{ if (!c) {failed}; }}"),
                n if FAILS.contains(&n) => writeln!(harness, "void {n}() {{ {failed}; }}"),
                n if NOTHINGS.contains(&n) => writeln!(harness, "void {n}() {{}}"),
                _ => Ok(()),
            };
        }
    }
}

/// Changes of text, none of which touch each other.
#[derive(Default)]
struct Edits(BTreeMap<(FileId, u32), (u32, String)>);

impl Edits {
    fn replace(&mut self, span: Span, text: String) {
        self.0.insert((span.file, span.lo), (span.hi, text));
    }

    /// Puts text behind the brace with which a body begins.
    fn insert_after_brace(&mut self, body: Span, text: &str) {
        self.0.insert((body.file, body.lo), (body.lo + 1, format!("{{ {text}")));
    }

    fn apply(&self, file: FileId, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 4096);
        let mut at = 0;
        for (&(f, lo), (hi, new)) in &self.0 {
            if f == file && lo as usize >= at {
                out += &text[at..lo as usize];
                out += new;
                at = *hi as usize;
            }
        }
        out + &text[at..]
    }
}

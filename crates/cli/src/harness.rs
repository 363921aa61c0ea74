//! Harnesses: a C function that calls the functions of a driver, a library or a set of tasks as their environment does, in any legal
//! order, for ever. It is made from what the program itself says - its initialisers, its exported names, its calls - and put behind the text
//! of the file, so that static functions and types are in sight. It is shown by `hardbop harness`, and a file of the user's can take
//! its place.
//!
//! Pointers that functions get are parameters of the harness, so that `--params` says what they are, and are the same at each
//! call; all else is arbitrary, and another value at each call.

use crate::front;
use crate::input::{Source, read_program};
use crate::settings::{HarnessSettings, ProgramSettings};
use base::SourceMap;
use cfront::tree::{ExprKind, Function, InitValue, Linkage, Storage, Unit};
use cfront::types::{Type, TypeId};
use std::fmt::Write;

/// The function that runs begin with.
pub(crate) const ENTRY: &str = "hardbop_harness";

/// What the generated text is called in messages.
const NAME: &str = "harness";

/// Operations that come before all others of their table, and those that come behind.
const FIRST: [&str; 6] = ["open", "probe", "attach", "start", "ndo_open", "init"];
const LAST: [&str; 7] = ["release", "remove", "disconnect", "detach", "stop", "ndo_stop", "exit"];

/// Functions that make a task of their first argument.
const CREATE: [&str; 5] =
    ["xTaskCreate", "xTaskCreateStatic", "xTaskCreatePinnedToCore", "osThreadNew", "xTaskCreateRestricted"];

/// The harness that `kind` means: `module`, `library`, `tasks`, or a file.
pub(crate) fn of(settings: &ProgramSettings, kind: &str) -> Result<HarnessSettings, String> {
    if !matches!(kind, "module" | "library" | "tasks") {
        let what = "neither `module`, `library` nor `tasks`, and no file with a harness";
        let text = crate::input::read_text(kind, crate::input::Empty::Refused)
            .map_err(|e| format!("--harness {kind}: {what}: {}", e.reason))?;
        if !text.contains(ENTRY) {
            return Err(format!("{kind}:1:1: a harness is a function `{ENTRY}`, which is not here"));
        }
        return Ok(HarnessSettings { unit: 0, text: format!("# 1 \"{kind}\"\n{text}") });
    }
    let units = parsed(settings)?;
    for (i, unit) in units.iter().enumerate() {
        let made = match kind {
            "module" => module(unit),
            "library" => library(unit),
            _ => tasks(unit),
        };
        if let Some(text) = made {
            return Ok(HarnessSettings { unit: i, text: format!("# 1 \"{NAME}\"\n{text}") });
        }
    }
    let what = match kind {
        "module" => "neither `module_init` nor a table of operations",
        "library" => "no function that others can call",
        _ => "no call of `xTaskCreate` that names its function",
    };
    Err(format!("--harness {kind}: there is {what} in {}", settings.files.join(", ")))
}

/// What the contracts of functions without a body are in C, for the functions that the program declares.
pub(crate) fn of_contracts(settings: &ProgramSettings) -> Result<String, String> {
    let promised = crate::contracts::Promised::of(settings, &parsed(settings)?).map_err(|o| o.messages.join("\n"))?;
    let mut text: String = promised.bodies.iter().map(|(_, text, _)| text.as_str()).collect();
    if let Some(rule) = &promised.rule {
        text += &format!("/* And as a rule:\n{}*/\n", rule.text);
    }
    Ok(text)
}

/// The harness for an open program (`abstract --open`): all functions of its one file, static ones too, in any order for ever.
pub(crate) fn open(settings: &ProgramSettings) -> Result<HarnessSettings, String> {
    let [unit] = &parsed(settings)?[..] else { return Err("--open is about one file in C".to_owned()) };
    let text = functions(unit, |f| f.body.is_some() && !f.runtime && f.parent.is_none() && unit.name(f.name) != ENTRY);
    let text = text.ok_or_else(|| format!("--open: there is no function in {}", settings.files.join(", ")))?;
    Ok(HarnessSettings { unit: 0, text: format!("# 1 \"{NAME}\"\n{text}") })
}

/// The trees of a program.
fn parsed(settings: &ProgramSettings) -> Result<Vec<Unit>, String> {
    let mut map = SourceMap::new();
    let mut units = Vec::new();
    for source in read_program(settings).map_err(|e| e.message)? {
        let file = map.add(source.name, source.text);
        let unit = cfront::parse(&mut map, file, front::target(settings, source.choices))
            .map_err(|d| d.first().map_or(String::new(), |d| crate::excerpt::render(d, &map)))?;
        units.push(unit);
    }
    Ok(units)
}

use spec::WRAPPER;

/// The function that an entry stands for.
pub(crate) fn entry_name(name: &str) -> &str {
    name.strip_suffix(WRAPPER).unwrap_or(name)
}

/// Wrappers for entries that the program calls itself, or whose addresses it takes, as a driver does with its operations: an
/// assumption about parameters (`--params`) is one about the call from outside, so that call has a function of its own.
pub(crate) struct Wrappers(Vec<Unit>);

impl Wrappers {
    /// Of a program.
    pub(crate) fn of(settings: &ProgramSettings) -> Result<Wrappers, String> {
        parsed(settings).map(Wrappers)
    }

    /// The wrapper of a function and its name, if there has to be one and its types have names.
    pub(crate) fn wrapper(&self, name: &str) -> Option<(String, HarnessSettings)> {
        let (i, unit) =
            self.0.iter().enumerate().find(|(_, u)| u.function(name).is_some_and(|f| u.funcs[f].body.is_some()))?;
        let id = unit.function(name)?;
        let mentioned = unit.exprs.iter().any(|e| matches!(e.kind, ExprKind::Func(f) if f == id));
        if !mentioned {
            return None;
        }
        let types = &unit.types;
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (n, &p) in unit.funcs[id].params.iter().enumerate() {
            let shown = types.display(types.unqualified(unit.vars[p].ty), &unit.symbols);
            if shown.contains('<') {
                return None;
            }
            let own = unit.vars[p].name.map_or_else(|| format!("arg{}", n + 1), |s| unit.name(s).to_owned());
            params.push(format!("__typeof__({shown}) {own}"));
            args.push(own);
        }
        let ret = types.signature(unit.funcs[id].ty)?.ret;
        let shown = types.display(types.unqualified(ret), &unit.symbols);
        if shown.contains('<') {
            return None;
        }
        let (params, args) = (if params.is_empty() { "void".to_owned() } else { params.join(", ") }, args.join(", "));
        let give = if types.is_void(ret) { "" } else { "return " };
        let own = format!("{name}{WRAPPER}");
        let text = format!("# 1 \"{NAME}\"\n__typeof__({shown}) {own}({params}) {{ {give}{name}({args}); }}\n");
        Some((own, HarnessSettings { unit: i, text }))
    }
}

/// Puts a harness behind the text of its file.
pub(crate) fn append(sources: &mut [Source], harness: &HarnessSettings) {
    if let Some(source) = sources.get_mut(harness.unit) {
        source.text.push('\n');
        source.text.push_str(&harness.text);
    }
}

/// A table of operations: the variable, and the functions in it with the names of their members.
struct Table {
    name: String,
    operations: Vec<(String, String)>,
}

/// The tables of a unit, in the order of their declarations.
fn tables(unit: &Unit) -> Vec<Table> {
    let mut all = Vec::new();
    for var in unit.vars.iter().filter(|v| !matches!(v.storage, Storage::Auto | Storage::Param)) {
        let mut operations: Vec<(String, String)> = Vec::new();
        for entry in var.init.iter().flat_map(|&i| &unit.inits[i].entries) {
            let InitValue::Expr(mut e) = entry.value else { continue };
            while let ExprKind::Cast(_, inner, _) | ExprKind::AddrOf(inner) = unit.exprs[e].kind {
                e = inner;
            }
            let ExprKind::Func(f) = unit.exprs[e].kind else { continue };
            let name = unit.name(unit.funcs[f].name).to_owned();
            if unit.funcs[f].body.is_some() && operations.iter().all(|(_, n)| *n != name) {
                operations.push((member(unit, var.ty, entry.offset).unwrap_or_default(), name));
            }
        }
        if !operations.is_empty() {
            let name = var.name.map_or("a table", |n| unit.name(n)).to_owned();
            all.push(Table { name, operations });
        }
    }
    all
}

/// The innermost member at an offset.
fn member(unit: &Unit, ty: TypeId, offset: u64) -> Option<String> {
    let types = &unit.types;
    if let Type::Array(elem, _) = types.get(types.unqualified(ty)) {
        let size = types.size(*elem)?;
        return member(unit, *elem, if size == 0 { 0 } else { offset % size });
    }
    let fields = &types.records[types.record(ty)?].fields;
    let field = fields.iter().rev().find(|f| f.offset <= offset)?;
    member(unit, field.ty, offset - field.offset).or_else(|| field.name.map(|n| unit.name(n).to_owned()))
}

/// A harness while it is written.
struct Writer<'u> {
    unit: &'u Unit,
    /// Declarations of the parameters.
    params: Vec<String>,
    /// The statements of each choice.
    choices: Vec<String>,
}

impl<'u> Writer<'u> {
    fn new(unit: &'u Unit) -> Writer<'u> {
        Writer { unit, params: Vec::new(), choices: Vec::new() }
    }

    fn function(&self, name: &str) -> Option<&'u Function> {
        self.unit.function(name).map(|f| &self.unit.funcs[f])
    }

    /// The declarations that a call needs, and the call.
    fn call(&mut self, name: &str) -> Option<(String, String)> {
        let function = self.function(name)?;
        let (mut locals, mut args) = (String::new(), Vec::new());
        for (i, &p) in function.params.iter().enumerate() {
            let ty = self.unit.vars[p].ty;
            let shown = self.unit.types.display(self.unit.types.unqualified(ty), &self.unit.symbols);
            let arg = format!("{name}_{}", i + 1);
            if self.unit.types.pointee(ty).is_some() {
                // A type without a name is an address like any other.
                let shown = if shown.contains("<anonymous>") { "void *".to_owned() } else { shown };
                self.params.push(format!("__typeof__({shown}) {arg}"));
            } else if shown.contains("<anonymous>") {
                return None;
            } else {
                let _ = write!(locals, " __typeof__({shown}) {arg};");
            }
            args.push(arg);
        }
        Some((locals, format!("{name}({})", args.join(", "))))
    }

    /// A choice: a call under a condition, and what follows it.
    fn choice(&mut self, condition: &str, name: &str, then: impl FnOnce(&str) -> String) {
        let Some((locals, call)) = self.call(name) else { return };
        let body = then(&call);
        let body = if condition.is_empty() { body } else { format!("if ({condition}) {body}") };
        self.choices.push(format!("{{{locals} {body} }}"));
    }

    /// The whole text: `before` and `behind` stand around the loop, `state` before all.
    fn finish(self, state: &str, before: &str, behind: &str) -> String {
        let params = if self.params.is_empty() { "void".to_owned() } else { self.params.join(",\n        ") };
        let mut text = format!(
            "/* How the environment calls this program: change it as you like, and give it back with --harness FILE. */\n\
             extern int __VERIFIER_nondet_int(void);\n\nvoid {ENTRY}({params})\n{{\n{state}{before}"
        );
        text += "    while (__VERIFIER_nondet_int()) {\n        switch (__VERIFIER_nondet_int()) {\n";
        for (i, choice) in self.choices.iter().enumerate() {
            let _ = write!(text, "        case {i}:\n            {choice}\n            break;\n");
        }
        text + "        default:\n            break;\n        }\n    }\n" + behind + "}\n"
    }

    fn returns_nothing(&self, name: &str) -> bool {
        let ret = self.function(name).and_then(|f| self.unit.types.signature(f.ty)).map(|s| s.ret);
        ret.is_none_or(|ty| self.unit.types.is_void(ty))
    }
}

/// A kernel module: its initialisation, its operations while it is there, its end.
fn module(unit: &Unit) -> Option<String> {
    // `module_init(f)` declares `init_module` as another name of `f`.
    let aliased = |name: &str| {
        let f = &unit.funcs[unit.function(name)?];
        let own = f.body.is_some().then(|| name.to_owned());
        f.attrs.alias.as_ref().map(ToString::to_string).or(own)
    };
    let (init, exit) = (aliased("init_module"), aliased("cleanup_module"));
    let mut tables = tables(unit);
    for table in &mut tables {
        table.operations.retain(|(_, f)| Some(f) != init.as_ref() && Some(f) != exit.as_ref());
    }
    tables.retain(|t| !t.operations.is_empty());
    if init.is_none() && tables.is_empty() {
        return None;
    }
    let mut writer = Writer::new(unit);
    let (mut state, mut before, mut behind) = (String::new(), String::new(), String::new());
    if let Some((_, call)) = init.as_deref().and_then(|init| writer.call(init)) {
        before = format!("    if ({call} != 0)\n        return; /* the module is not loaded */\n");
    }
    for (i, table) in tables.iter().enumerate() {
        let of = |names: &[&str]| table.operations.iter().find(|(m, _)| names.contains(&m.as_str()));
        let (first, last) = (of(&FIRST), of(&LAST));
        let alive = format!("alive_{i}");
        if first.is_some() {
            let _ = writeln!(state, "    int {alive} = 0; /* {} */", table.name);
        }
        for (member, function) in &table.operations {
            let is = |op: Option<&(String, String)>| op.is_some_and(|(_, f)| f == function);
            if is(first) {
                let nothing = writer.returns_nothing(function);
                writer.choice(&format!("!{alive}"), function, |call| match nothing {
                    true => format!("{{ {call}; {alive} = 1; }}"),
                    false => format!("{{ if ({call} == 0) {alive} = 1; }}"),
                });
            } else if is(last) && first.is_some() {
                writer.choice(&alive, function, |call| format!("{{ {call}; {alive} = 0; }}"));
            } else {
                let condition = if first.is_some() { alive.as_str() } else { "" };
                writer.choice(condition, function, |call| format!("{{ {call}; /* {}.{member} */ }}", table.name));
            }
        }
        if let (Some(_), Some((_, last))) = (first, last) {
            let n = writer.params.len();
            if let Some((locals, call)) = writer.call(last) {
                let _ = writeln!(behind, "    if ({alive}) {{{locals} {call}; }}");
            }
            // The same parameters as in the loop.
            writer.params.truncate(n);
        }
    }
    if let Some((_, call)) = exit.as_deref().and_then(|exit| writer.call(exit)) {
        let _ = writeln!(behind, "    {call};");
    }
    writer.params.dedup();
    let params = std::mem::take(&mut writer.params);
    for p in params {
        if !writer.params.contains(&p) {
            writer.params.push(p);
        }
    }
    Some(writer.finish(&state, &before, &behind))
}

/// A library: every function that others can call, in any order.
fn library(unit: &Unit) -> Option<String> {
    functions(unit, |f| {
        let exported =
            f.body.is_some() && f.linkage == Linkage::External && !f.inline && !f.runtime && f.parent.is_none();
        exported && unit.name(f.name) != "main"
    })
}

/// Some functions, in any order.
fn functions(unit: &Unit, is_one: impl Fn(&Function) -> bool) -> Option<String> {
    let mut writer = Writer::new(unit);
    for f in unit.funcs.iter().filter(|f| is_one(f)) {
        writer.choice("", unit.name(f.name), |call| format!("{call};"));
    }
    (!writer.choices.is_empty()).then(|| writer.finish("", "", ""))
}

/// Tasks: every function that becomes one, each from its beginning. One runs at a time, to its end.
fn tasks(unit: &Unit) -> Option<String> {
    let mut writer = Writer::new(unit);
    let mut found: Vec<&str> = Vec::new();
    for expr in &unit.exprs {
        let ExprKind::Call(callee, args) = &expr.kind else { continue };
        let (Some(callee), Some(&task)) = (designated(unit, *callee), unit.list(*args).first()) else { continue };
        if !CREATE.contains(&callee) {
            continue;
        }
        if let Some(task) = designated(unit, task).filter(|t| !found.contains(t)) {
            found.push(task);
        }
    }
    for task in found {
        if writer.function(task).is_some_and(|f| f.body.is_some()) {
            writer.choice("", task, |call| format!("{call};"));
        }
    }
    (!writer.choices.is_empty()).then(|| writer.finish("", "", ""))
}

/// The function that an expression names.
fn designated(unit: &Unit, mut e: cfront::tree::ExprId) -> Option<&str> {
    while let ExprKind::Cast(_, inner, _) | ExprKind::AddrOf(inner) = unit.exprs[e].kind {
        e = inner;
    }
    match unit.exprs[e].kind {
        ExprKind::Func(f) => Some(unit.name(unit.funcs[f].name)),
        _ => None,
    }
}

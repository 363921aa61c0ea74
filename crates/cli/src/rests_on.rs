//! What is known about a program before anything is decided, and what a decision rests on.

use crate::settings::{Check, Globals, Params, ProgramSettings};
use cfront::tree::{Definition, Unit, Var};
use cfront::types::Quals;
use ir::cfg::CallGraph;
use ir::{Addresses, ErrorKind, Expr, ExprKind, Externs, Op, Program, Source, Ty, Ub, UbPolicy};

/// Whether no function that a run may enter contains an unsupported construct.
pub(crate) fn lowers_fully(program: &Program) -> bool {
    !operations(program).any(ir::calls::is_unsupported_construct)
}

/// The operations of all functions that a run may enter.
fn operations(program: &Program) -> impl Iterator<Item = &Op> {
    let reachable = CallGraph::new(program).reachable_from(program.entry);
    let functions = program.functions.iter_enumerated().filter(move |(f, _)| reachable[*f]);
    functions.filter_map(|(_, f)| f.body.as_ref()).flat_map(|body| body.edges.iter().map(|e| &e.op))
}

/// The functions without a body that a run may call, by name and in order.
pub(crate) fn undefined_functions(program: &Program) -> Vec<&str> {
    let reachable = CallGraph::new(program).reachable_from(program.entry);
    let undefined =
        |f: &ir::Function| f.body.is_none() && ir::library::Library::of(f).is_none() && !ir::calls::is_foreign(f);
    let called = program.functions.iter_enumerated().filter(|(f, function)| reachable[*f] && undefined(function));
    let mut names: Vec<&str> = called.map(|(_, f)| f.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// Whether there is anything that could go wrong: a target, or an event that is checked for.
pub(crate) fn has_property(program: &Program) -> bool {
    let checks = program.ub.iter().any(|(_, p)| p == UbPolicy::Checked);
    checks || operations(program).any(|op| matches!(op, Op::Error(_)))
}

/// How many places of the program test for a kind of undefined behaviour that is a defect.
pub(crate) fn places(program: &Program, check: Check) -> usize {
    let leak = |text: &str| check == Check::Leak && [ir::leaks::AT_RETURN, ir::leaks::AT_END].contains(&text);
    let here = |op: &&Op| match op {
        Op::Error(ErrorKind::Ub(ub)) => check.kinds().contains(ub),
        Op::Error(ErrorKind::Assert(text)) => leak(text),
        _ => false,
    };
    operations(program).filter(here).count()
}

/// The most names that one line lists.
const MAX_NAMES: usize = 12;

/// What an answer about the program rests on, one line each.
pub(crate) fn assumptions(program: &Program, units: &[Unit]) -> Vec<String> {
    let mut lines = vec![undefined_behaviour(program)];
    let names = undefined_functions(program);
    let effect = match program.externs {
        Externs::Pure => "return any value and change nothing",
        Externs::Args => "return any value and write only what the outside can reach",
        Externs::Any => "return any value and write only globals and what the outside can reach",
    };
    let foreign = calls_foreign(program);
    if foreign {
        lines.push(format!(
            "pointers from outside that are called lead to functions whose addresses the program gives away, or to others, which \
             {effect}"
        ));
    }
    let undefined = foreign || !names.is_empty();
    if !names.is_empty() {
        let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|n| format!("`{n}`")).collect();
        let more =
            if names.len() > MAX_NAMES { format!(" and {} more", names.len() - MAX_NAMES) } else { String::new() };
        lines.push(format!("functions without a body {effect}: {}{more}", shown.join(", ")));
    }
    if program.ub.get(Ub::OutOfBounds) == UbPolicy::Checked {
        lines.push("bounds are those of whole objects: an index may leave an array inside of its object".to_owned());
    }
    lines.extend(call_backs(program, undefined));
    lines.extend(weak_definitions(units));
    lines.extend(library(program));
    let mut heap = operations(program).filter_map(|op| match op {
        Op::Alloc(alloc) if !alloc.stack && !lower::is_prepared(&program.sites[alloc.site].name) => {
            Some(alloc.may_fail)
        }
        _ => None,
    });
    if let Some(first) = heap.next() {
        let may_fail = first || heap.any(|may_fail| may_fail);
        let says = if may_fail { "`malloc` may fail at any time" } else { "`malloc` always succeeds" };
        lines.push(says.to_owned());
    }
    if let Some(where_) = addresses(program) {
        lines.push(where_);
    }
    if ends_of_objects(program) && looks_at_addresses(program) {
        lines.push("addresses are not used again after an object's lifetime, not even by `realloc`".to_owned());
    }
    if undefined && frees_matter(program) {
        lines.push("functions without a body free nothing".to_owned());
    }
    // What stands for a call by the rule's word is listed as that.
    let ours = |what: &str| {
        what == lower::interrupts::CHOICE
            || lower::is_prepared(what)
            || what == spec::CHOICE
            || program.function(what).is_some()
    };
    let effect = |op: &Op| matches!(op, Op::Havoc(_, Source::Outside(what)) if !ours(what));
    if operations(program).any(effect) {
        lines.push("effects outside C (inline assembly, volatile reads where asked for) give any value".to_owned());
    }
    lines
}

/// What functions without a body do inside is nothing that a rule hears of.
pub(crate) fn silent_functions(program: &Program) -> Option<String> {
    let says = "functions without a body do nothing inside that the rule is about";
    (calls_foreign(program) || !undefined_functions(program).is_empty()).then(|| says.to_owned())
}

/// Whether a run may call functions of the outside through pointers.
fn calls_foreign(program: &Program) -> bool {
    let reachable = CallGraph::new(program).reachable_from(program.entry);
    program.functions.iter_enumerated().any(|(f, function)| reachable[f] && ir::calls::is_foreign(function))
}

/// Adds what another answer rests on: a line that lists functions and differs from one that is there in these alone goes into it.
pub(crate) fn merge(lines: &mut Vec<String>, line: &str) {
    fn split(line: &str) -> Option<(&str, Vec<&str>)> {
        let (says, list) = line.split_once(": `")?;
        let names = list.strip_suffix('`')?.split("`, `").collect::<Vec<_>>();
        names.iter().all(|n| !n.contains('`')).then_some((says, names))
    }
    if lines.iter().any(|l| l == line) {
        return;
    }
    let new = split(line);
    let same =
        lines.iter_mut().find(|l| new.as_ref().is_some_and(|(says, _)| split(l).is_some_and(|(s, _)| s == *says)));
    let (Some(old), Some((says, more))) = (same, new) else {
        lines.push(line.to_owned());
        return;
    };
    let mut names = split(old).map_or_else(Vec::new, |(_, names)| names);
    names.extend(more);
    names.sort_unstable();
    names.dedup();
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    *old = format!("{says}: {}", names.join(", "));
}

/// What the rule says of functions that only give a result.
pub(crate) fn quiet_functions(program: &Program, quiet: &lower::events::Watched) -> Option<String> {
    let names = program.functions.iter().filter(|f| f.body.is_none() && quiet.contains(&f.name));
    let mut names: Vec<String> = names.map(|f| format!("`{}`", f.name)).collect();
    names.sort_unstable();
    let text = format!("the rule's word that these write nothing that the program looks at: {}", names.join(", "));
    (!names.is_empty()).then_some(text)
}

/// What runs in between.
pub(crate) fn between_statements(settings: &ProgramSettings) -> String {
    match &settings.interrupt {
        Some(handler) => format!(
            "`{handler}` runs between statements only, at most once between two, and nothing runs in between while it does"
        ),
        None => "runs are sequential: no interrupt handler and no other thread does anything in between (--interrupt)"
            .to_owned(),
    }
}

/// What is assumed about how an entry other than `main` is called, one line each.
pub(crate) fn entered(settings: &ProgramSettings) -> Vec<String> {
    let entry = &settings.entry;
    if entry == "main" {
        let arbitrary = settings.globals == Globals::Arbitrary;
        return arbitrary.then(|| "globals hold anything when `main` begins".to_owned()).into_iter().collect();
    }
    let pointers = match settings.params {
        Params::Any => None,
        Params::Nonnull => Some("are not null"),
        Params::Valid => Some("point to the start of a live object of their type, or of an array of them"),
        Params::Distinct => {
            Some("point each to an object, or an array, of their type that no other parameter and no global is")
        }
        Params::Tree if settings.externs == crate::settings::Externs::Any => Some(
            "point each to an object of its own, and pointers found in these and in globals to further ones, or are null; lists \
             have few elements",
        ),
        Params::Tree => Some(
            "point each to an object of its own, and pointers found in these and in globals to further ones, or are null; lists \
             have few elements; nobody else keeps pointers to these objects: functions without a body, and those that pointers \
             from outside lead to, touch one only if they are given a pointer to it (--externs any: they may touch all)",
        ),
    };
    let mut lines: Vec<String> =
        pointers.map(|are| format!("the pointers that `{entry}` is given {are}")).into_iter().collect();
    if settings.globals == Globals::Initial {
        lines.push(format!("globals hold their first values when `{entry}` begins"));
    }
    lines
}

/// That volatile objects are ordinary memory, where the program has any and nothing else was asked for.
pub(crate) fn volatile_memory(units: &[Unit]) -> Option<String> {
    let is_volatile = |unit: &Unit| unit.exprs.iter().any(|e| unit.types.quals(e.ty).has(Quals::VOLATILE));
    let says = "volatile objects keep what the program stores in them (--volatile nondet: they do not)";
    units.iter().any(is_volatile).then(|| says.to_owned())
}

/// Weak definitions give way to others, which no one has shown us.
fn weak_definitions(units: &[Unit]) -> Option<String> {
    let mut names = Vec::new();
    for unit in units {
        let functions = unit.funcs.iter().filter(|f| f.attrs.weak && (f.body.is_some() || f.attrs.alias.is_some()));
        names.extend(functions.map(|f| unit.name(f.name)));
        let defined = |v: &&Var| v.attrs.weak && (v.definition != Definition::Declared || v.attrs.alias.is_some());
        names.extend(unit.vars.iter().filter(defined).filter_map(|v| Some(unit.name(v.name?))));
    }
    names.sort_unstable();
    names.dedup();
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > MAX_NAMES { format!(" and {} more", names.len() - MAX_NAMES) } else { String::new() };
    let text = format!("weak definitions are not replaced by others elsewhere: {}{more}", shown.join(", "));
    (!names.is_empty()).then_some(text)
}

/// What is taken for granted about the C library.
fn library(program: &Program) -> Vec<String> {
    let mut lines = Vec::new();
    if undefined_functions(program).contains(&"setlocale") {
        lines.push("library functions work as in the C locale, whatever `setlocale` is told".to_owned());
    }
    if program.globals.iter().any(|g| g.name == ".errno") {
        lines.push("functions of `string.h` and `ctype.h` leave `errno` as it is".to_owned());
    }
    lines
}

/// What undefined functions do with functions of the program. `lower` has put the call-backs into the program.
fn call_backs(program: &Program, undefined: bool) -> Option<String> {
    let calls = |op: &Op| matches!(op, Op::Havoc(_, Source::Outside(what)) if what.starts_with("call-back by "));
    let later = program.globals.iter().any(|g| g.name.starts_with(".given."));
    if program.globals.iter().any(|g| g.name == ".named") {
        return None;
    }
    let says = match (operations(program).any(calls), later) {
        (true, false) => "call functions of the program only inside the call that gets their address, and none by name",
        (true, true) => "call functions of the program only after they got their address, and none by name",
        (false, _) => "call no function of the program",
    };
    undefined.then(|| format!("functions without a body {says}"))
}

/// Where objects lie, if the program has any whose addresses it can use.
fn addresses(program: &Program) -> Option<String> {
    let taken = ir::cfg::AddressTaken::new(program);
    let reachable = CallGraph::new(program).reachable_from(program.entry);
    let in_memory = |(f, function): (ir::FuncId, &ir::Function)| {
        reachable[f] && function.locals.ids().any(|l| taken.in_memory(program, f, ir::Var::Local(l)))
    };
    let globals = program.globals.ids().any(|g| taken.in_memory(program, program.entry, ir::Var::Global(g)));
    let allocates = operations(program).any(|op| matches!(op, Op::Alloc(_)));
    if !globals && !allocates && !program.functions.iter_enumerated().any(in_memory) {
        return None;
    }
    let (first, end) = program.addresses.range(program.model);
    let may_not_fit = operations(program).any(|op| matches!(op, Op::Alloc(a) if !a.may_fail));
    let fit = if may_not_fit { ", and those that cannot fail find room" } else { "" };
    Some(match program.addresses {
        Addresses::Anywhere => format!("objects lie anywhere but at null{fit}"),
        Addresses::User | Addresses::Kernel => format!(
            "objects lie at addresses from {first:#x} to {:#x} (--addresses {}){fit}",
            end - 1,
            program.addresses.name()
        ),
    })
}

/// Whether objects end whose addresses others could have after them: what is freed, and locals.
fn ends_of_objects(program: &Program) -> bool {
    let taken = ir::cfg::AddressTaken::new(program);
    let reachable = CallGraph::new(program).reachable_from(program.entry);
    let in_memory = |(f, function): (ir::FuncId, &ir::Function)| {
        let called = reachable[f] && f != program.entry;
        called && function.locals.ids().any(|l| taken.in_memory(program, f, ir::Var::Local(l)))
    };
    let ends = |op: &Op| matches!(op, Op::Free(_) | Op::End(_) | Op::Release(_));
    operations(program).any(ends) || program.functions.iter_enumerated().any(in_memory)
}

/// Whether the program compares pointers to objects, or makes numbers of them. (A comparison with null or with the address of a
/// function says nothing about where objects lie.)
fn looks_at_addresses(program: &Program) -> bool {
    struct Looks(bool);
    impl ir::walk::Visitor for Looks {
        fn expr(&mut self, e: &Expr) {
            let object = |e: &Expr| e.ty == Ty::Ptr && e.as_const().is_none() && !matches!(e.kind, ExprKind::Func(_));
            self.0 |= match &e.kind {
                ExprKind::Binary(_, a, b) => object(a) && object(b),
                ExprKind::Convert(a) => object(a) && !matches!(e.ty, Ty::Ptr | Ty::Bool),
                _ => false,
            };
        }
    }
    let mut looks = Looks(false);
    operations(program).for_each(|op| ir::walk::walk_op(op, &mut looks));
    looks.0
}

/// Whether it would be seen that an undefined function frees something.
fn frees_matter(program: &Program) -> bool {
    let checked = [Ub::UseAfterFree, Ub::BadFree].iter().any(|&ub| program.ub.get(ub) == UbPolicy::Checked);
    checked && operations(program).any(|op| matches!(op, Op::Alloc(alloc) if !alloc.stack))
}

/// The table of undefined behaviour on one line.
fn undefined_behaviour(program: &Program) -> String {
    let overflow = match program.ub.get(Ub::SignedOverflow) {
        UbPolicy::Ignored => "signed overflow wraps; ",
        UbPolicy::AssumedAway | UbPolicy::Checked => "",
    };
    let checked: Vec<&str> =
        program.ub.iter().filter(|(_, p)| *p == UbPolicy::Checked).map(|(u, _)| u.name()).collect();
    let checked = if checked.is_empty() { String::new() } else { format!("; checked: {}", checked.join(", ")) };
    let kind = if overflow.is_empty() { "any" } else { "other" };
    format!("{overflow}executions with {kind} undefined behaviour do not count{checked}")
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn answers_list_functions_once() {
        let mut lines = Vec::new();
        for line in [
            "x may fail",
            "they write: `b`, `a`",
            "they free: `a`",
            "they write: `c`, `b`",
            "x may fail",
            "many: `a` and 3 more",
        ] {
            merge(&mut lines, line);
        }
        assert_eq!(lines, ["x may fail", "they write: `a`, `b`, `c`", "they free: `a`", "many: `a` and 3 more"]);
    }
}

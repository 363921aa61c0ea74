//! `--entries`: the functions of a program that others call, so that nobody has to write them down.

use crate::front;
use crate::input::{Empty, read_program, read_text};
use crate::settings::ProgramSettings;
use base::SourceMap;
use cfront::tree::{ExprKind, FuncId, Function, InitValue, Linkage, Storage, Unit, Var};

/// What the kernel calls when a module comes and goes: aliases of functions of the module.
const MODULE: [&str; 2] = ["init_module", "cleanup_module"];

/// Why there are no entries.
#[derive(Debug)]
pub(crate) enum NoEntries {
    /// The program has none of this kind.
    None(String),
    /// Something is wrong with the files.
    Wrong(String),
}

impl NoEntries {
    /// What to tell the user.
    pub(crate) fn message(self) -> String {
        match self {
            NoEntries::None(text) | NoEntries::Wrong(text) => text,
        }
    }
}

/// The functions that `which` means: `all-exported`, `static-tables`, or a file with a name on each line.
pub(crate) fn expand(settings: &ProgramSettings, which: &str) -> Result<Vec<String>, NoEntries> {
    let found = match which {
        "all-exported" => of_units(settings, exported),
        "static-tables" => of_units(settings, in_tables),
        file => listed(file),
    };
    let found = found.map_err(NoEntries::Wrong)?;
    if found.is_empty() {
        return Err(NoEntries::None(format!("--entries {which}: there is no such function")));
    }
    Ok(found)
}

/// The names in a file, one on each line; `#` begins a comment.
fn listed(file: &str) -> Result<Vec<String>, String> {
    let text = read_text(file, Empty::Refused).map_err(|e| {
        format!("--entries {file}: neither `all-exported` nor `static-tables`, and no file with names: {}", e.reason)
    })?;
    let mut names = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let name = line.split('#').next().unwrap_or("").trim();
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            return Err(format!("{file}:{}:1: `{name}` is not the name of a function", i + 1));
        }
        if !name.is_empty() && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn of_units(settings: &ProgramSettings, of: fn(&Unit) -> Vec<FuncId>) -> Result<Vec<String>, String> {
    let mut map = SourceMap::new();
    let mut names: Vec<String> = Vec::new();
    for source in read_program(settings).map_err(|e| e.message)? {
        let file = map.add(source.name, source.text);
        let unit = cfront::parse(&mut map, file, front::target(settings, source.choices))
            .map_err(|d| d.first().map_or(String::new(), |d| crate::excerpt::render(d, &map)))?;
        for f in of(&unit) {
            let name = unit.name(unit.funcs[f].name).to_owned();
            if unit.funcs[f].body.is_some() && name != "main" && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Functions that other files can call by name.
fn exported(unit: &Unit) -> Vec<FuncId> {
    let all = unit.funcs.iter_enumerated();
    all.filter(|(_, f)| f.linkage == Linkage::External && !f.inline && !f.runtime).map(|(id, _)| id).collect()
}

/// Functions whose addresses are in the initialisers of objects that live as long as the program: tables of operations.
fn in_tables(unit: &Unit) -> Vec<FuncId> {
    let mut found = Vec::new();
    // What is discarded when the program is linked is no table.
    let kept = |v: &&Var| !v.attrs.section.as_deref().is_some_and(|s| s.starts_with(".discard"));
    let lasts = |v: &&Var| !matches!(v.storage, Storage::Auto | Storage::Param);
    for var in unit.vars.iter().filter(|v| lasts(v) && kept(v)) {
        let entries = var.init.iter().flat_map(|&i| &unit.inits[i].entries);
        for entry in entries {
            let InitValue::Expr(mut e) = entry.value else { continue };
            while let ExprKind::Cast(_, inner, _) | ExprKind::AddrOf(inner) = unit.exprs[e].kind {
                e = inner;
            }
            if let ExprKind::Func(f) = unit.exprs[e].kind {
                found.push(f);
            }
        }
    }
    // What `module_init` and `module_exit` name.
    let of_module = |f: &&Function| MODULE.contains(&unit.name(f.name));
    found.extend(unit.funcs.iter().filter(of_module).filter_map(|f| unit.function(f.attrs.alias.as_deref()?)));
    found.sort_unstable();
    found.dedup();
    found
}

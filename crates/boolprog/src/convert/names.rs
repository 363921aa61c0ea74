//! Names that every tool can read: letters, digits and underscores, no word of the language.

use super::passes::fresh;
use crate::program::Program;
use crate::text::is_word;
use rustc_hash::FxHashSet;

/// Gives every variable, procedure and label a name that every tool can read; names that can stay do.
pub(super) fn mangle(program: &mut Program) {
    let mut globals = FxHashSet::default();
    for d in program.globals.iter_mut() {
        d.name = readable(&d.name, "v", &mut globals);
    }
    let mut procs = FxHashSet::default();
    for proc in program.procs.iter_mut() {
        proc.name = readable(&proc.name, "f", &mut procs);
        // A local may hide a global; other tools may not think so.
        let mut locals = globals.clone();
        for d in proc.locals.iter_mut() {
            d.name = readable(&d.name, "v", &mut locals);
        }
        let mut labels = FxHashSet::default();
        for (name, _) in &mut proc.labels {
            *name = readable(name, "L", &mut labels);
        }
    }
}

fn readable(name: &str, prefix: &str, taken: &mut FxHashSet<String>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word(name);
    let base = if fits {
        name.to_owned()
    } else {
        let letters: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        format!("{prefix}_{letters}")
    };
    let name = fresh(&base, |n| taken.contains(n));
    taken.insert(name.clone());
    name
}

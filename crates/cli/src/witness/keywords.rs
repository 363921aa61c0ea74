//! The words that witnesses add to C (format version 2.1): `\result` is what a function returns, `\at(x, Pre)` (or `Old`) the value that a
//! parameter or global had when the activation began. In the program's own conditions they are `$result` and `'x`.

use crate::front::Front;
use base::Id;
use ir::walk::substitute;
use ir::{Expr, FuncId, Local, LocalId, Shape, Var};
use lower::annotation::{Name, Names};

/// A comparison as reports write it, in the words of witnesses; what they have no word for stays as it is.
pub(super) fn written(literal: &str) -> String {
    let mut out = String::new();
    let mut rest = literal;
    while let Some(at) = rest.find(['\'', '$']) {
        out += &rest[..at];
        let word: String = rest[at + 1..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let behind = &rest[at + 1 + word.len()..];
        if rest.as_bytes()[at] == b'$' && word == "result" {
            out += "\\result";
        } else if rest.as_bytes()[at] == b'\'' && !word.is_empty() && !behind.starts_with(['\'', '.', '[']) {
            out += &format!("\\at({word}, Pre)");
        } else {
            out += &rest[at..=at];
            out += &word;
        }
        rest = behind;
    }
    out + rest
}

/// What stands for the words of a condition while it is read: variables of names that no program has.
#[derive(Default)]
pub(crate) struct Keywords(Vec<(LocalId, Expr)>);

impl Keywords {
    /// The condition with names for its words, which are added to the names that it may use.
    pub(crate) fn read(
        &mut self,
        front: &Front,
        func: FuncId,
        text: &str,
        names: &mut Names,
    ) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            out += &rest[..at];
            let word = &rest[at..];
            let (meaning, len) = if let Some(behind) = word.strip_prefix("\\at(") {
                let end = behind.find(')').ok_or("a bracket behind `\\at` is not closed")?;
                let (name, when) = behind[..end].split_once(',').ok_or("`\\at` needs a variable and a time")?;
                if !matches!(when.trim(), "Pre" | "Old") {
                    return Err(format!("the time `{}` is not supported", when.trim()));
                }
                (at_entry(front, func, name.trim())?, "\\at(".len() + end + 1)
            } else if word.starts_with("\\result") {
                (result(front, func)?, "\\result".len())
            } else {
                // A character's, in a literal.
                out.push('\\');
                rest = &word[1..];
                continue;
            };
            let name = format!("hardbop_word_{}", self.0.len());
            let (var, ty, of) = meaning;
            let span = front.program.functions[func].span;
            let local = Local { name: name.clone(), shape: Shape::Scalar(of.ty), constant: false, span };
            let local = names.locals.push(local);
            names.variables.push(Name { name: name.clone(), var: Var::Local(local), ty });
            debug_assert!(front.program.shape(func, var).scalar() == Some(of.ty));
            self.0.push((local, of));
            out += &name;
            rest = &word[len..];
        }
        Ok(out + rest)
    }

    /// The condition that was read, with what the words mean.
    pub(crate) fn mean(&self, condition: &Expr) -> Expr {
        substitute(condition, &mut |v| self.0.iter().find(|(l, _)| v == Var::Local(*l)).map(|(_, e)| e.clone()))
    }
}

type Meaning = (Var, Option<ir::declared::TypeId>, Expr);

fn at_entry(front: &Front, func: FuncId, name: &str) -> Result<Meaning, String> {
    let program = &front.program;
    let f = &program.functions[func];
    let param = f.locals.iter_enumerated().find(|(l, local)| l.index() < f.n_params && local.name == name);
    let (var, ty) = match (param, program.global(name)) {
        (Some((l, _)), _) => (Var::Local(l), program.declared.local(&f.name, name)),
        (None, Some(g)) => (Var::Global(g), program.declared.globals.get(name).copied()),
        (None, None) => return Err(format!("`{name}` is no parameter of `{}` and no global", f.name)),
    };
    let scalar = program.shape(func, var).scalar();
    let scalar =
        scalar.ok_or_else(|| format!("`{name}` is no number or pointer: its value at entry is not supported"))?;
    Ok((var, ty, Expr::entry(Expr::var(var, scalar))))
}

fn result(front: &Front, func: FuncId) -> Result<Meaning, String> {
    let f = &front.program.functions[func];
    let none = || format!("`{}` returns no number or pointer", f.name);
    let (ret, ty) = f.ret.zip(f.ret_ty()).ok_or_else(none)?;
    let var = Var::Local(ret);
    Ok((var, front.program.declared.local(&f.name, &f.locals[ret].name), Expr::var(var, ty)))
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn entry_values_and_results_have_words() {
        assert_eq!(written("'x <= $result && y == 'x + 1"), "\\at(x, Pre) <= \\result && y == \\at(x, Pre) + 1");
        for other in ["'(*p) == 3", "c == 'a'", "x < y", "$tmp == 3", "'p->next == p"] {
            assert_eq!(written(other).contains("\\at("), other.contains("->"), "{other}");
        }
    }
}

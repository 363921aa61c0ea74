//! Contracts of functions without a body (`--contracts`): where they come from, and what they add to a program.

use crate::input::{Empty, read_text};
use crate::outcome::Outcome;
use crate::settings::{ContractsText, ProgramSettings, RuleText};
use cfront::tree::{Function, Unit};
use cfront::types::{FloatKind, IntKind, Type, TypeId, Types};
use spec::contracts::{Contract, DECLARATIONS, Kind, Mistake, Signature, Value, as_rule, body, parse};

/// Reads a file of contracts, or contracts that come with the tool.
pub(crate) fn read(name: &str) -> Result<ContractsText, String> {
    if let Some(text) = spec::library::contracts(name).filter(|_| !std::path::Path::new(name).is_file()) {
        return Ok(ContractsText { file: format!("{name}.contracts"), text: text.to_owned(), of_library: true });
    }
    let text = read_text(name, Empty::Refused).map_err(|e| {
        let known: Vec<&str> = spec::library::CONTRACTS.iter().map(|(n, _)| *n).collect();
        let hint = format!("; with the tool come `{}`", known.join("`, `"));
        let missing = !std::path::Path::new(name).exists();
        format!("{}{}", e.message.replacen(": error: ", ": ", 1), if missing { hint.as_str() } else { "" })
    })?;
    parse(&text).map_err(|m| placed(name, &m))?;
    Ok(ContractsText { file: name.to_owned(), text, of_library: false })
}

fn placed(file: &str, m: &Mistake) -> String {
    format!("{file}:{}:{}: {}", m.line, m.column, m.message)
}

/// What contracts add to a program.
pub(crate) struct Promised {
    /// Parts of a rule: which returns do not happen, and who writes nothing.
    pub rule: Option<RuleText>,
    /// Functions in C for each file: its name, their text, and the text of the contracts.
    pub bodies: Vec<(String, String, String)>,
}

impl Promised {
    /// What the contracts say of the functions that these units declare.
    pub(crate) fn of(settings: &ProgramSettings, units: &[Unit]) -> Result<Promised, Box<Outcome>> {
        let mut plain: Vec<(Contract, Signature)> = Vec::new();
        let mut promised = Promised { rule: None, bodies: Vec::new() };
        let mut said: Vec<String> = Vec::new();
        for file in settings.contracts.iter().rev() {
            let refused = |m: Mistake| {
                let message = format!("error: {}", placed(&file.file, &m));
                Box::new(Outcome::bad_input(format!("front end: {}", placed(&file.file, &m)), vec![message]))
            };
            let mut bodies = String::new();
            for contract in parse(&file.text).map_err(refused)? {
                let name = contract.function.clone();
                // Another file says it already, or the program does.
                let defined = units.iter().any(|u| u.function(&name).is_some_and(|f| u.funcs[f].body.is_some()));
                if said.contains(&name) || (defined && file.of_library) {
                    continue;
                }
                let mistake = |message: String| refused(Mistake { line: contract.line, column: 1, message });
                if defined {
                    return Err(mistake(format!(
                        "`{name}` has a body, which says what it does: a contract is for functions without one"
                    )));
                }
                let declared = units.iter().find_map(|u| u.function(&name).map(|f| (u, &u.funcs[f])));
                let Some((unit, function)) = declared else { continue };
                said.push(name);
                let signature = signature(unit, function).map_err(mistake)?;
                if contract.needs_body() {
                    bodies += &body(&contract, &signature, &file.file).map_err(refused)?;
                } else {
                    // What it says of the result has to fit the function.
                    as_rule(&[(&contract, &signature)]).map_err(refused)?;
                    plain.push((contract, signature));
                }
            }
            if !bodies.is_empty() {
                promised.bodies.push((file.file.clone(), format!("{DECLARATIONS}{bodies}"), file.text.clone()));
            }
        }
        if !plain.is_empty() {
            let all: Vec<(&Contract, &Signature)> = plain.iter().map(|(c, s)| (c, s)).collect();
            let text = as_rule(&all).expect("each was looked at above");
            promised.rule = Some(RuleText { name: "contracts".to_owned(), file: "contracts".to_owned(), text });
        }
        Ok(promised)
    }
}

/// The types of a function. The error says which of them no contract can be about.
fn signature(unit: &Unit, function: &Function) -> Result<Signature, String> {
    let types = &unit.types;
    let name = unit.name(function.name);
    let Some(signature) = types.signature(function.ty).filter(|s| s.prototype) else {
        return Err(format!("`{name}` is declared without its parameters"));
    };
    let no_type = |ty: TypeId| {
        let shown = types.display(ty, &unit.symbols);
        format!("`{name}` has to do with `{shown}`: contracts are about numbers and pointers")
    };
    let one = |&ty: &TypeId| value(types, ty).ok_or_else(|| no_type(ty));
    let result = if types.is_void(signature.ret) { None } else { Some(one(&signature.ret)?) };
    let params = signature.params.iter().map(one).collect::<Result<_, _>>()?;
    Ok(Signature { result, params, variadic: signature.variadic })
}

/// A type that is passed as this one is.
fn value(types: &Types, ty: TypeId) -> Option<Value> {
    let named = |text: &str, kind: Kind| Some(Value { text: text.to_owned(), kind });
    if let Some(kind) = types.int_kind(ty) {
        if kind == IntKind::Bool {
            return named("_Bool", Kind::Other);
        }
        let plain = match types.size(ty)? {
            1 => "char",
            2 => "short",
            4 => "int",
            8 => "long long",
            _ => "__int128",
        };
        return match kind.signed() {
            true => named(&format!("signed {plain}"), Kind::Signed),
            false => named(&format!("unsigned {plain}"), Kind::Unsigned),
        };
    }
    match types.get(types.unqualified(ty)) {
        Type::Pointer(to) => {
            let telling = !types.is_void(*to) && types.int_kind(*to).is_none_or(|_| types.size(*to) != Some(1));
            let size = types.size(*to).filter(|_| telling && types.signature(*to).is_none());
            named("void *", Kind::Pointer(size))
        }
        Type::Float(FloatKind::Float) => named("float", Kind::Other),
        Type::Float(FloatKind::Double) => named("double", Kind::Other),
        Type::Float(FloatKind::LongDouble) => named("long double", Kind::Other),
        _ => None,
    }
}

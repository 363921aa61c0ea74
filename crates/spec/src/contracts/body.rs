//! What contracts mean: parts of a rule, or functions in C.
//!
//! A body stands for every function that keeps the contract: its result is an arbitrary value within the conditions, or a block that nothing
//! else points to; what it writes are arbitrary bytes. It writes and calls nothing else.

use super::{Contract, Fresh, Kind, Mistake, Signature, Value, Writes, Zeroed};
use std::fmt::Write;

/// Gives a block of memory, or null: how many elements, how large each, and whether it is zero. The front end knows it.
const BLOCK: &str = "__hardbop_block";

/// The part of a rule that contracts without a body are, each with the types of its function.
pub fn as_rule(contracts: &[(&Contract, &Signature)]) -> Result<String, Mistake> {
    let mut text = String::new();
    for (c, signature) in contracts {
        if !c.returns.is_empty() {
            let condition = condition(c, signature, "$return")?;
            let _ = writeln!(text, "{}.exit {{ if (!({condition})) halt; }}", c.function);
        }
        if c.writes == Writes::Nothing {
            let _ = writeln!(text, "quiet {};", c.function);
        }
    }
    // A rule has an event.
    if contracts.iter().all(|(c, _)| c.returns.is_empty()) {
        text += "$entry.entry { ; }\n";
    }
    Ok(text)
}

/// What holds of the result.
fn condition(c: &Contract, signature: &Signature, result: &str) -> Result<String, Mistake> {
    let Some(value) = &signature.result else {
        return Err(wrong(c, format!("`{}` returns nothing", c.function)));
    };
    let all: Vec<String> = c.returns.iter().map(|(op, n)| format!("{result} {op} ({n})")).collect();
    let all = all.join(" && ");
    Ok(match (c.may_fail, failure(c, value, result)) {
        (false, _) => all,
        (true, failed) => format!("({all}) || {}", failed?),
    })
}

/// How a result says that the function failed.
fn failure(c: &Contract, value: &Value, result: &str) -> Result<String, Mistake> {
    match value.kind {
        Kind::Pointer(_) => Ok(format!("{result} == 0")),
        Kind::Signed => Ok(format!("{result} < 0")),
        Kind::Unsigned | Kind::Other => {
            let message = format!("`{}` may fail: which result says so is not known of this type", c.function);
            Err(wrong(c, message))
        }
    }
}

fn wrong(c: &Contract, message: String) -> Mistake {
    Mistake { line: c.line, column: 1, message }
}

/// The function in C; places in it are those of the contract in `file`.
pub fn body(c: &Contract, signature: &Signature, file: &str) -> Result<String, Mistake> {
    let params: Vec<String> =
        signature.params.iter().enumerate().map(|(i, p)| format!("{} a{}", p.text, i + 1)).collect();
    let mut params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    if signature.variadic {
        params += ", ...";
    }
    let result = signature.result.as_ref().map_or("void", |r| r.text.as_str());
    let name = &c.function;
    let mark = format!("# {} {file:?}\n", c.line);
    let mut text = format!("{mark}extern {result} __VERIFIER_nondet_result_of_{name}(void);\n{mark}");
    let _ = write!(text, "{result} {name}({params}) {{");
    if let Writes::Ranges(ranges) = &c.writes {
        for (nth, size) in ranges {
            let to = match signature.params.get(nth - 1) {
                Some(Value { kind: Kind::Pointer(to), .. }) => *to,
                Some(_) => return Err(wrong(c, format!("argument {nth} of `{name}` is no pointer"))),
                None => return Err(no_argument(c, signature, *nth)),
            };
            let size = match (size, to) {
                (Some(size), _) => actual(c, signature, size)?,
                (None, Some(size)) => size.to_string(),
                (None, None) => {
                    let message = format!(
                        "how much `{name}` writes is not said by the type of argument {nth}: `writes 8 bytes at ${nth}`"
                    );
                    return Err(wrong(c, message));
                }
            };
            let _ = write!(text, " if (a{nth}) __VERIFIER_nondet_memory(a{nth}, (__typeof__(sizeof 0))({size}));");
        }
    }
    if let Some(fresh) = &c.fresh {
        text += &allocation(c, signature, fresh)?;
    } else if signature.result.is_some() {
        let _ = write!(text, " {result} result = __VERIFIER_nondet_result_of_{name}();");
        if !c.returns.is_empty() {
            let _ = write!(text, " __VERIFIER_assume({});", condition(c, signature, "result")?);
        }
        text += " return result;";
    } else if !c.returns.is_empty() {
        return Err(wrong(c, format!("`{name}` returns nothing")));
    }
    Ok(text + " }\n")
}

/// What such bodies call.
pub const DECLARATIONS: &str = "extern void *__hardbop_block(__typeof__(sizeof 0), __typeof__(sizeof 0), int);\n\
     extern void __VERIFIER_nondet_memory(void *, __typeof__(sizeof 0));\nextern void __VERIFIER_assume(int);\n";

/// The statements that return fresh memory.
fn allocation(c: &Contract, signature: &Signature, fresh: &Fresh) -> Result<String, Mistake> {
    let name = &c.function;
    let to = match &signature.result {
        Some(Value { kind: Kind::Pointer(to), .. }) => *to,
        _ => return Err(wrong(c, format!("`{name}` returns no pointer"))),
    };
    let size: Vec<String> = fresh.size.iter().map(|s| actual(c, signature, s)).collect::<Result<_, _>>()?;
    let (n, each) = match (&size[..], to) {
        ([], Some(size)) => ("1".to_owned(), size.to_string()),
        ([], None) => {
            let message = format!("how much memory `{name}` gives is not said by its type: `returns fresh $1 bytes`");
            return Err(wrong(c, message));
        }
        ([n], _) => (n.clone(), "1".to_owned()),
        ([n, each, ..], _) => (n.clone(), each.clone()),
    };
    let call = |zeroed: u8| format!("{BLOCK}((__typeof__(sizeof 0))({n}), (__typeof__(sizeof 0))({each}), {zeroed})");
    let mut text = " void *block;".to_owned();
    let _ = match &fresh.zeroed {
        Zeroed::No => write!(text, " block = {};", call(0)),
        Zeroed::Always => write!(text, " block = {};", call(1)),
        Zeroed::If(condition) => {
            let condition = actual(c, signature, condition)?;
            write!(text, " if ({condition}) block = {}; else block = {};", call(1), call(0))
        }
    };
    if !c.may_fail {
        text += " __VERIFIER_assume(block != 0);";
    }
    Ok(text + " return block;")
}

/// An expression with the parameters for `$1`, `$2`, ….
fn actual(c: &Contract, signature: &Signature, text: &str) -> Result<String, Mistake> {
    let mut parts = text.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let nth: usize = part[..end].parse().unwrap_or(usize::MAX);
        if nth > signature.params.len() {
            return Err(no_argument(c, signature, nth));
        }
        let _ = write!(out, "a{nth}{}", &part[end..]);
    }
    Ok(out)
}

fn no_argument(c: &Contract, signature: &Signature, nth: usize) -> Mistake {
    let n = signature.params.len();
    wrong(c, format!("`{}` has {n} argument{}: there is no `${nth}`", c.function, if n == 1 { "" } else { "s" }))
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn value(text: &str, kind: Kind) -> Value {
        Value { text: text.into(), kind }
    }

    fn signature() -> Signature {
        let params = vec![value("void *", Kind::Pointer(Some(8))), value("unsigned long", Kind::Unsigned)];
        Signature { result: Some(value("int", Kind::Signed)), params, variadic: false }
    }

    #[test]
    fn contracts_become_parts_of_a_rule() {
        let read =
            parse("f returns nonnull, writes nothing\ng: returns -5..-1\nh returns <= 0x10, may fail\n").unwrap();
        let signature = signature();
        let all: Vec<_> = read.iter().map(|c| (c, &signature)).collect();
        let text = as_rule(&all).unwrap();
        assert_eq!(
            text,
            "f.exit { if (!($return != (0))) halt; }\nquiet f;\n\
             g.exit { if (!($return >= (-5) && $return <= (-1))) halt; }\n\
             h.exit { if (!(($return <= (16)) || $return < 0)) halt; }\n"
        );
        let mut map = base::SourceMap::new();
        let file = map.add("c", text.as_str());
        assert!(crate::parse("c", file, &text).is_ok(), "the rule can be read");
    }

    /// The bodies are C, and what cannot be said has a message.
    #[test]
    fn contracts_become_bodies() {
        let made = |text: &str, signature: &Signature| {
            let read = parse(text).unwrap();
            body(&read[0], signature, "c").map_err(|m| format!("{}:{}: {}", m.line, m.column, m.message))
        };
        let number = signature();
        let pointer = Signature { result: Some(value("void *", Kind::Pointer(None))), ..signature() };
        for (text, signature) in [
            ("f writes *1, returns 0, may fail", &number),
            ("f writes $2 bytes at $1", &number),
            ("f returns fresh $2 * 4 bytes zeroed if $2 & 1, may fail, writes nothing", &pointer),
            ("f returns fresh $2 bytes, writes 4 bytes at $1", &pointer),
        ] {
            let text = format!("{DECLARATIONS}{}", made(text, signature).unwrap());
            let mut map = base::SourceMap::new();
            let file = map.add("c.c", text.as_str());
            let parsed = cfront::parse(&mut map, file, cfront::Target::Lp64);
            assert!(parsed.is_ok(), "{text}: {:?}", parsed.err());
        }
        let told = |text: &str, signature: &Signature| made(text, signature).unwrap_err();
        assert_eq!(told("f writes *3", &number), "1:1: `f` has 2 arguments: there is no `$3`");
        assert_eq!(told("f writes *2", &number), "1:1: argument 2 of `f` is no pointer");
        assert_eq!(told("f returns fresh 4 bytes, writes nothing", &number), "1:1: `f` returns no pointer");
        assert!(told("f returns fresh, writes nothing", &pointer).contains("is not said by its type"));
        let unsized_one = Signature { params: vec![value("void *", Kind::Pointer(None))], ..signature() };
        assert!(told("f writes *1", &unsized_one).contains("`writes 8 bytes at $1`"));
    }
}

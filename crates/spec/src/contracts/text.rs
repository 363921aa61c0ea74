//! Contracts as text.

use super::{Contract, Fresh, Mistake, Writes, Zeroed};

/// What can be said, for messages.
const CLAUSES: &str = "`returns …`, `may fail` or `writes …`";

/// Reads a file of contracts.
pub fn parse(text: &str) -> Result<Vec<Contract>, Mistake> {
    let mut all: Vec<Contract> = Vec::new();
    for (i, whole) in text.lines().enumerate() {
        let said = whole.split('#').next().unwrap_or("");
        if said.trim().is_empty() {
            continue;
        }
        let at = |part: &str| part.as_ptr() as usize - whole.as_ptr() as usize + 1;
        let wrong = |part: &str, message: String| Mistake { line: i + 1, column: at(part), message };
        let said = said.trim();
        let (name, rest) = said.split_once([' ', '\t', ':']).unwrap_or((said, &said[said.len()..]));
        let rest = rest.trim_start_matches([' ', '\t', ':']);
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(wrong(name, format!("`{name}` is not the name of a function")));
        }
        if rest.is_empty() {
            return Err(wrong(name, format!("nothing is said of `{name}`: {CLAUSES}")));
        }
        if let Some(other) = all.iter().find(|c| c.function == name) {
            return Err(wrong(name, format!("`{name}` has a contract in line {} already", other.line)));
        }
        let mut contract = Contract {
            function: name.to_owned(),
            returns: Vec::new(),
            fresh: None,
            may_fail: false,
            writes: Writes::Unsaid,
            line: i + 1,
        };
        for part in rest.split(',').map(str::trim) {
            clause(&mut contract, part).map_err(|m| wrong(part, m))?;
        }
        whole_contract(&contract).map_err(|m| wrong(name, m))?;
        all.push(contract);
    }
    Ok(all)
}

/// Adds what one clause says.
fn clause(contract: &mut Contract, clause: &str) -> Result<(), String> {
    match clause.split_once([' ', '\t']).map_or((clause, ""), |(a, b)| (a, b.trim())) {
        ("returns", what) if what == "fresh" || what.starts_with("fresh ") => {
            if contract.fresh.is_some() {
                return Err("`returns fresh` is said twice".into());
            }
            contract.fresh = Some(fresh(what.trim_start_matches("fresh").trim())?);
        }
        ("returns", what) => contract.returns.extend(conditions(what)?),
        ("may", "fail") => contract.may_fail = true,
        ("writes", "nothing") if contract.writes == Writes::Unsaid => contract.writes = Writes::Nothing,
        ("writes", "nothing") => return Err("`writes nothing` beside another `writes`".into()),
        ("writes", what) => {
            let range = range(what)?;
            match &mut contract.writes {
                Writes::Unsaid => contract.writes = Writes::Ranges(vec![range]),
                Writes::Nothing => return Err("`writes nothing` beside another `writes`".into()),
                Writes::Ranges(all) => all.push(range),
            }
        }
        (word, _) => return Err(format!("expected {CLAUSES}, found `{word}`")),
    }
    Ok(())
}

/// What the clauses of a contract must be together.
fn whole_contract(c: &Contract) -> Result<(), String> {
    let name = &c.function;
    if c.fresh.is_some() && c.writes == Writes::Unsaid {
        return Err(format!("what `{name}` writes besides is not said: add `writes nothing`"));
    }
    if c.fresh.is_some() && !c.returns.is_empty() {
        return Err(format!("`{name}` returns fresh memory: nothing else can be said of the result"));
    }
    if c.may_fail && c.fresh.is_none() && c.returns.is_empty() {
        return Err(format!(
            "what `{name}` gives if it does not fail is not said: `returns 0, may fail` or `returns nonnull, may fail`"
        ));
    }
    Ok(())
}

/// `*1`, `*$1`, `$2 bytes at $1`.
fn range(what: &str) -> Result<(usize, Option<String>), String> {
    let nth = |text: &str| {
        let number = text.trim().trim_start_matches('$').parse().ok().filter(|n| *n > 0);
        number.ok_or_else(|| format!("`{text}` is no argument: the first is `$1`"))
    };
    if let Some(pointer) = what.strip_prefix('*') {
        return Ok((nth(pointer)?, None));
    }
    let Some((size, pointer)) = what.split_once(" bytes at ") else {
        return Err(format!(
            "`writes {what}` says nothing: write `writes *1`, `writes 8 bytes at $1`, `writes $2 bytes at $1` or `writes nothing`"
        ));
    };
    Ok((nth(pointer)?, Some(expression(size)?)))
}

/// What follows `returns fresh`.
fn fresh(what: &str) -> Result<Fresh, String> {
    let (size, rest) = match what.split_once("bytes") {
        Some((size, rest)) => (size.trim(), rest.trim()),
        None => ("", what),
    };
    let size = match (size, size.matches('*').count()) {
        ("", _) => Vec::new(),
        // The product of two numbers is too large for memory before it overflows.
        (_, 1) if !size.contains('(') => size.split('*').map(expression).collect::<Result<_, _>>()?,
        _ => vec![expression(size)?],
    };
    let zeroed = match rest.split_once([' ', '\t']).map_or((rest, ""), |(a, b)| (a, b.trim())) {
        ("", "") => Zeroed::No,
        ("zeroed", "") => Zeroed::Always,
        ("zeroed", condition) if condition.starts_with("if ") => Zeroed::If(expression(&condition[3..])?),
        _ => {
            return Err(format!(
                "`returns fresh {what}` says nothing: write `returns fresh`, `returns fresh $1 bytes`, `… zeroed` or `… zeroed if $2 & 1`"
            ));
        }
    };
    Ok(Fresh { size, zeroed })
}

/// An expression over arguments and numbers, of C's operators.
fn expression(text: &str) -> Result<String, String> {
    let text = text.trim();
    let mut rest = text;
    let mut open = 0i32;
    let mut values = 0;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '$' || c == '_')).unwrap_or(rest.len());
        if word == 0 {
            open += i32::from(c == '(') - i32::from(c == ')');
            if !(c == ' ' || "+-*/%&|^~!<>=()?:".contains(c)) || open < 0 {
                return Err(format!("`{c}` in `{text}`: expressions are made of `$1`, numbers and C's operators"));
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let known = match rest[..word].strip_prefix('$') {
            Some(nth) => nth.parse::<usize>().is_ok_and(|n| n > 0),
            None => number(&rest[..word]).is_ok(),
        };
        if !known {
            return Err(format!(
                "`{}` in `{text}`: expressions are made of `$1`, numbers and C's operators",
                &rest[..word]
            ));
        }
        values += 1;
        rest = &rest[word..];
    }
    if values == 0 || open != 0 {
        return Err(format!("`{text}` is no expression of `$1`, numbers and C's operators"));
    }
    Ok(text.to_owned())
}

fn number(text: &str) -> Result<i128, String> {
    let text = text.trim();
    let value = text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |hex| i128::from_str_radix(hex, 16).ok());
    value.ok_or_else(|| format!("`{text}` is not a number"))
}

/// Conditions on the result.
fn conditions(what: &str) -> Result<Vec<(&'static str, i128)>, String> {
    match what {
        "" => return Err("what it returns is missing: `nonnull`, `null`, `0..255`, `>= 0` or `fresh`".into()),
        "nonnull" | "nonzero" => return Ok(vec![("!=", 0)]),
        "null" => return Ok(vec![("==", 0)]),
        _ => {}
    }
    for op in ["<=", ">=", "==", "!=", "<", ">"] {
        if let Some(value) = what.strip_prefix(op) {
            return Ok(vec![(op, number(value)?)]);
        }
    }
    if let Some((low, high)) = what.split_once("..") {
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            return Err(format!("no number is in {low}..{high}"));
        }
        return Ok(vec![(">=", low), ("<=", high)]);
    }
    number(what).map(|n| vec![("==", n)]).map_err(|_| {
        format!("`{what}` says nothing about a result: write `nonnull`, `null`, `0..255`, `>= 0`, a number or `fresh`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_are_read() {
        let all = parse(
            "# c\nf returns nonnull, writes nothing # why\ng: returns -5..-1, may fail\n\
             k returns fresh $1 * $2 bytes zeroed if $3 & 0x100, may fail, writes nothing\n\
             r writes *2, writes ($3 + 1) & ~3 bytes at $1\n",
        )
        .unwrap();
        assert_eq!(all[0].returns, [("!=", 0)]);
        assert_eq!((&all[1].returns[..], all[1].may_fail), (&[(">=", -5), ("<=", -1)][..], true));
        let fresh = all[2].fresh.clone().unwrap();
        assert_eq!(fresh.size, ["$1", "$2"]);
        assert_eq!(fresh.zeroed, Zeroed::If("$3 & 0x100".into()));
        assert_eq!(all[3].writes, Writes::Ranges(vec![(2, None), (1, Some("($3 + 1) & ~3".into()))]));
        assert!(!all[1].needs_body() && all[2].needs_body() && all[3].needs_body());
    }

    #[test]
    fn mistakes_have_one_message_with_a_place() {
        let told = |text: &str| parse(text).map_err(|m| format!("{}:{}: {}", m.line, m.column, m.message)).unwrap_err();
        assert_eq!(told("f"), "1:1: nothing is said of `f`: `returns …`, `may fail` or `writes …`");
        assert_eq!(told("\nf() returns 1"), "2:1: `f()` is not the name of a function");
        assert_eq!(told("f gives 1"), "1:3: expected `returns …`, `may fail` or `writes …`, found `gives`");
        assert_eq!(
            told("f returns 1, writes 1"),
            "1:14: `writes 1` says nothing: write `writes *1`, `writes 8 bytes at $1`, `writes $2 bytes at $1` or `writes nothing`"
        );
        assert_eq!(told("f writes *0"), "1:3: `0` is no argument: the first is `$1`");
        assert_eq!(told("f writes nothing, writes *1"), "1:19: `writes nothing` beside another `writes`");
        assert_eq!(told("f returns 5..1"), "1:3: no number is in 5..1");
        assert_eq!(
            told("f returns"),
            "1:3: what it returns is missing: `nonnull`, `null`, `0..255`, `>= 0` or `fresh`"
        );
        assert_eq!(told("f returns 1\nf returns 2"), "2:1: `f` has a contract in line 1 already");
        assert_eq!(
            told("f may fail"),
            "1:1: what `f` gives if it does not fail is not said: `returns 0, may fail` or `returns nonnull, may fail`"
        );
        assert_eq!(told("f returns fresh 4 bytes"), "1:1: what `f` writes besides is not said: add `writes nothing`");
        assert_eq!(
            told("f returns fresh n bytes, writes nothing"),
            "1:3: `n` in `n`: expressions are made of `$1`, numbers and C's operators"
        );
        assert!(told("f returns fresh 4 byte, writes nothing").contains("says nothing: write `returns fresh`"));
        assert!(told("f returns fresh, returns 1, writes nothing").contains("nothing else can be said of the result"));
    }
}

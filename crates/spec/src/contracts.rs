//! Contracts of functions without a body: what their results are, and that they write nothing. A small file has a line for each:
//!
//! ```text
//! # what the platform promises
//! dev_get_drvdata   returns nonnull, writes nothing
//! read_status       returns 0..255
//! clk_prepare       returns <= 0
//! ```
//!
//! A contract becomes what a rule can say: `halt` at a return that does not happen, and `quiet`. Without a contract a function returns
//! anything of its type.

/// A contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Conditions over `$return`, as C.
    pub returns: Vec<String>,
    /// Whether it writes nothing that the program looks at.
    pub quiet: bool,
    /// In which line it stands, from 1.
    pub line: usize,
}

/// What is wrong, and where: line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What.
    pub message: String,
}

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
            return Err(wrong(name, format!("nothing is said of `{name}`: `returns …` or `writes nothing`")));
        }
        if let Some(other) = all.iter().find(|c| c.function == name) {
            return Err(wrong(name, format!("`{name}` has a contract in line {} already", other.line)));
        }
        let mut contract = Contract { function: name.to_owned(), returns: Vec::new(), quiet: false, line: i + 1 };
        for clause in rest.split(',').map(str::trim) {
            match clause.split_once([' ', '\t']).map_or((clause, ""), |(a, b)| (a, b.trim())) {
                ("returns", what) => contract.returns.push(condition(what).map_err(|m| wrong(clause, m))?),
                ("writes", "nothing") => contract.quiet = true,
                ("writes", what) => {
                    let message = format!(
                        "`writes {what}` cannot be said: a function writes what its arguments reach, or `nothing`"
                    );
                    return Err(wrong(clause, message));
                }
                (word, _) => {
                    let message = format!("expected `returns …` or `writes nothing`, found `{word}`");
                    return Err(wrong(clause, message));
                }
            }
        }
        all.push(contract);
    }
    Ok(all)
}

/// A condition over the result.
fn condition(what: &str) -> Result<String, String> {
    let number = |text: &str| -> Result<i128, String> {
        let text = text.trim();
        let value = text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |hex| i128::from_str_radix(hex, 16).ok());
        value.ok_or_else(|| format!("`{text}` is not a number"))
    };
    match what {
        "" => return Err("what it returns is missing: `nonnull`, `null`, `0..255` or `>= 0`".into()),
        "nonnull" | "nonzero" => return Ok("$return != 0".into()),
        "null" => return Ok("$return == 0".into()),
        _ => {}
    }
    for op in ["<=", ">=", "==", "!=", "<", ">"] {
        if let Some(value) = what.strip_prefix(op) {
            return Ok(format!("$return {op} ({})", number(value)?));
        }
    }
    if let Some((low, high)) = what.split_once("..") {
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            return Err(format!("no number is in {low}..{high}"));
        }
        return Ok(format!("$return >= ({low}) && $return <= ({high})"));
    }
    number(what).map(|n| format!("$return == ({n})")).map_err(|_| {
        format!("`{what}` says nothing about a result: write `nonnull`, `null`, `0..255`, `>= 0` or a number")
    })
}

/// The contracts as parts of a rule.
pub fn as_rule(contracts: &[Contract]) -> String {
    let mut text = String::new();
    for c in contracts {
        for condition in &c.returns {
            text += &format!("{}.exit {{ if (!({condition})) halt; }}\n", c.function);
        }
        if c.quiet {
            text += &format!("quiet {};\n", c.function);
        }
    }
    // A rule has an event.
    if contracts.iter().all(|c| c.returns.is_empty()) {
        text += "$entry.entry { ; }\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_become_parts_of_a_rule() {
        let read =
            parse("# c\nf returns nonnull, writes nothing # why\ng: returns -5..-1\n\nh returns <= 0x10\n").unwrap();
        let text = as_rule(&read);
        assert_eq!(
            text,
            "f.exit { if (!($return != 0)) halt; }\nquiet f;\ng.exit { if (!($return >= (-5) && $return <= (-1))) halt; }\n\
             h.exit { if (!($return <= (16))) halt; }\n"
        );
        let mut map = base::SourceMap::new();
        let file = map.add("c", text.as_str());
        assert!(crate::parse("c", file, &text).is_ok(), "the rule can be read");
    }

    #[test]
    fn mistakes_have_one_message_with_a_place() {
        let told = |text: &str| parse(text).map_err(|m| format!("{}:{}: {}", m.line, m.column, m.message)).unwrap_err();
        assert_eq!(told("f"), "1:1: nothing is said of `f`: `returns …` or `writes nothing`");
        assert_eq!(told("\nf() returns 1"), "2:1: `f()` is not the name of a function");
        assert_eq!(told("f gives 1"), "1:3: expected `returns …` or `writes nothing`, found `gives`");
        assert_eq!(told("f returns 1, writes *1").split(": ").next(), Some("1:14"));
        assert_eq!(told("f returns 5..1"), "1:3: no number is in 5..1");
        assert_eq!(told("f returns"), "1:3: what it returns is missing: `nonnull`, `null`, `0..255` or `>= 0`");
        assert_eq!(told("f returns 1\nf returns 2"), "2:1: `f` has a contract in line 1 already");
    }
}

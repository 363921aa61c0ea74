//! The licences of everything we link, against the list in `deny.toml`: one list for this rule and for `cargo deny`.

use super::{Finding, Tree};

/// Every package's licence expression can be satisfied with the licences that `deny.toml` allows.
pub(super) fn licences(tree: &Tree) -> Vec<Finding> {
    let Some(allowed) = tree.files.iter().find(|f| f.path == "deny.toml").and_then(|f| allow_list(&f.text)) else {
        return vec![Finding::error("deny.toml", "there is no list `allow = [ … ]` of licences")];
    };
    let mut findings = Vec::new();
    for package in tree.metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or("?");
        match package["license"].as_str() {
            None => findings.push(Finding::error(name, "the package names no licence")),
            Some(expression) => {
                if !satisfied(expression, &allowed) {
                    findings
                        .push(Finding::error(name, format!("the licence `{expression}` is not allowed by deny.toml")));
                }
            }
        }
    }
    findings
}

/// The strings of the first `allow = [ … ]`.
fn allow_list(text: &str) -> Option<Vec<String>> {
    let (_, rest) = text.split_once("\nallow = [")?;
    let (list, _) = rest.split_once(']')?;
    Some(list.split('"').skip(1).step_by(2).map(str::to_string).collect())
}

/// Whether the SPDX expression holds when exactly the licences in `allowed` are acceptable. The old form `MIT/Apache-2.0`
/// means OR; an exception (`WITH`) only ever adds permissions.
fn satisfied(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { tokens: &tokens, allowed, well_formed: true };
    parser.any_of() && parser.well_formed && parser.tokens.is_empty()
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    allowed: &'a [String],
    well_formed: bool,
}

impl Parser<'_> {
    fn accept(&mut self, token: &str) -> bool {
        let found = self.tokens.first() == Some(&token);
        self.tokens = &self.tokens[usize::from(found)..];
        found
    }

    fn any_of(&mut self) -> bool {
        let mut holds = self.all_of();
        while self.accept("OR") {
            holds |= self.all_of();
        }
        holds
    }

    fn all_of(&mut self) -> bool {
        let mut holds = self.one();
        while self.accept("AND") {
            holds &= self.one();
        }
        holds
    }

    fn one(&mut self) -> bool {
        if self.accept("(") {
            let holds = self.any_of();
            self.well_formed &= self.accept(")");
            return holds;
        }
        let Some((licence, rest)) = self.tokens.split_first() else {
            self.well_formed = false;
            return false;
        };
        self.tokens = rest;
        if self.accept("WITH") {
            self.tokens = self.tokens.get(1..).unwrap_or(&[]);
        }
        self.allowed.iter().any(|a| a == licence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        let allowed =
            allow_list("[licenses]\nallow = [\n    \"MIT\",\n    \"Apache-2.0\", \"Unicode-3.0\"\n]\n").unwrap();
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-2.0 AND BSD OR MIT",
        ] {
            assert!(satisfied(good, &allowed), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "", "(MIT", "MIT)", "MIT OR", "MIT MIT", "GPL-3.0 WITH MIT"] {
            assert!(!satisfied(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn unknown_licences_are_found() {
        let metadata = serde_json::json!({"packages": [
            {"name": "good", "license": "MIT"},
            {"name": "bad", "license": "GPL-3.0"},
            {"name": "silent", "license": null},
        ]});
        let tree = Tree { metadata, ..Tree::of(&[("deny.toml", "\nallow = [\"MIT\"]")]) };
        let found: Vec<String> = licences(&tree).into_iter().map(|f| f.place).collect();
        assert_eq!(found, ["bad", "silent"]);
    }
}

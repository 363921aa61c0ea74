//! The part of YAML that task definitions are written in: nested maps and lists by indentation, plain and quoted scalars,
//! lists in brackets, comments. Anything else is an error, never a guess.

/// A YAML value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    /// Text, unquoted; the empty text is also what a key without a value has.
    Scalar(String),
    /// A list.
    List(Vec<Yaml>),
    /// A map, in order.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            Yaml::Scalar(_) | Yaml::List(_) => None,
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Yaml::Scalar(text) => Some(text),
            Yaml::List(_) | Yaml::Map(_) => None,
        }
    }

    /// The members of a list; a scalar counts as a list of one.
    pub(crate) fn members(&self) -> &[Yaml] {
        match self {
            Yaml::List(members) => members,
            Yaml::Scalar(_) | Yaml::Map(_) => std::slice::from_ref(self),
        }
    }
}

/// Reads a document; the error names the line.
pub(crate) fn parse(text: &str) -> Result<Yaml, String> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = without_comment(line).trim_end();
        let indent = content.len() - content.trim_start_matches(' ').len();
        if !content.is_empty() && content != "---" {
            lines.push(Line { number: index + 1, indent, content: content[indent..].to_string() });
        }
    }
    let mut parser = Parser { lines: lines.into() };
    let value = parser.block(0)?;
    match parser.lines.front() {
        None => Ok(value),
        Some(line) => Err(format!("line {}: unexpected indentation", line.number)),
    }
}

struct Line {
    number: usize,
    indent: usize,
    content: String,
}

struct Parser {
    lines: std::collections::VecDeque<Line>,
}

impl Parser {
    /// The value whose lines are indented by at least `indent`.
    fn block(&mut self, indent: usize) -> Result<Yaml, String> {
        match self.lines.front() {
            Some(line) if line.indent >= indent => {
                let (indent, is_list) = (line.indent, line.content == "-" || line.content.starts_with("- "));
                if is_list { self.list(indent) } else { self.map(indent) }
            }
            _ => Ok(Yaml::Scalar(String::new())),
        }
    }

    fn list(&mut self, indent: usize) -> Result<Yaml, String> {
        let mut members = Vec::new();
        while let Some(line) = self.lines.front_mut().filter(|l| l.indent == indent && l.content.starts_with('-')) {
            // What follows the dash is a block of its own that starts on this line.
            let rest = line.content[1..].trim_start().to_string();
            if rest.is_empty() {
                self.lines.pop_front();
                members.push(self.block(indent + 1)?);
            } else if key_of(&rest).is_some() || rest.starts_with("- ") {
                line.indent += line.content.len() - rest.len();
                line.content = rest;
                members.push(self.block(indent + 1)?);
            } else {
                let number = line.number;
                self.lines.pop_front();
                members.push(scalar(&rest, number)?);
            }
        }
        Ok(Yaml::List(members))
    }

    fn map(&mut self, indent: usize) -> Result<Yaml, String> {
        let mut entries: Vec<(String, Yaml)> = Vec::new();
        while self.lines.front().is_some_and(|l| l.indent == indent) {
            let line = self.lines.pop_front().expect("there is a first line");
            let (key, rest) = key_of(&line.content).ok_or(format!("line {}: expected `key: value`", line.number))?;
            if entries.iter().any(|(k, _)| k == key) {
                return Err(format!("line {}: `{key}` stands twice", line.number));
            }
            let value = if rest.is_empty() {
                // A list may stand at the indentation of its key.
                let is_list = self.lines.front().is_some_and(|l| l.indent == indent && l.content.starts_with('-'));
                self.block(if is_list { indent } else { indent + 1 })?
            } else {
                scalar(rest, line.number)?
            };
            entries.push((key.to_string(), value));
        }
        Ok(Yaml::Map(entries))
    }
}

/// `key: rest`, where the key is a plain word.
fn key_of(content: &str) -> Option<(&str, &str)> {
    let (key, rest) = content.split_once(':')?;
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    (is_word && (rest.is_empty() || rest.starts_with(' '))).then(|| (key, rest.trim()))
}

/// A scalar or a list in brackets.
fn scalar(text: &str, line: usize) -> Result<Yaml, String> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or(format!("line {line}: `]` is missing"))?.trim();
        let members = inner.split(',').map(str::trim).filter(|m| !m.is_empty());
        return members.map(|m| scalar(m, line)).collect::<Result<_, _>>().map(Yaml::List);
    }
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote) {
            let inner = inner.strip_suffix(quote).ok_or(format!("line {line}: the quote does not end"))?;
            if inner.contains(['\'', '"', '\\']) {
                return Err(format!("line {line}: quotes and escapes inside quotes are not supported"));
            }
            return Ok(Yaml::Scalar(inner.to_string()));
        }
    }
    if text.starts_with(['{', '&', '*', '|', '>', '!', '%', '@', '`']) {
        return Err(format!("line {line}: this kind of YAML is not supported: {text}"));
    }
    Ok(Yaml::Scalar(text.to_string()))
}

/// The line up to a `#` that starts a comment: at the beginning or after a space, outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '#' && before.is_whitespace() => return &line[..i],
            None if (c == '\'' || c == '"') && (before.is_whitespace() || before == '[') => quote = Some(c),
            None => {}
        }
        before = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(text: &str) -> Yaml {
        Yaml::Scalar(text.into())
    }

    #[test]
    fn a_task_definition() {
        let text = "# c\nformat_version: '2.0'\n\ninput_files: \"a#b.c\" # c\nproperties:\n  - property_file: ../p.prp\n    expected_verdict: true\n  - property_file: q.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let yaml = parse(text).unwrap();
        assert_eq!(yaml.get("input_files"), Some(&s("a#b.c")));
        let properties = yaml.get("properties").unwrap().members();
        assert_eq!(properties.len(), 2);
        assert_eq!(properties[0].get("expected_verdict"), Some(&s("true")));
        assert_eq!(properties[1].get("property_file"), Some(&s("q.prp")));
        assert_eq!(yaml.get("options").unwrap().get("data_model"), Some(&s("ILP32")));
    }

    #[test]
    fn lists_of_files_in_three_styles() {
        let expected = Yaml::List(vec![s("a.c"), s("b.c")]);
        for text in ["f: [a.c, 'b.c']", "f:\n- a.c\n- 'b.c'\n", "f:\n    - \"a.c\"\n    -\n      b.c: x\n"] {
            let got = parse(text).unwrap();
            if text.contains("b.c: x") {
                assert_eq!(got.get("f").unwrap().members()[1].get("b.c"), Some(&s("x")));
            } else {
                assert_eq!(got.get("f"), Some(&expected), "{text}");
            }
        }
    }

    #[test]
    fn other_yaml_is_an_error() {
        for text in ["a: {b: c}", "a: |\n  text", "a: 'x", "a: [x", "a: 1\n   b: 2", "just text", "a: 1\na: 2"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

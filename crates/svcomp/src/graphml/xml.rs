//! As much of XML as GraphML needs: elements with attributes and text. Comments, declarations and instructions are passed over.

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `<name a="b">`; `closed` if it ends with `/>`.
    Open { name: String, attributes: Vec<(String, String)>, closed: bool },
    /// `</name>`.
    Close(String),
    /// What stands between tags.
    Text(String),
}

/// The parts of a document, in order. The error is one sentence.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let before = &rest[..start];
        if !before.trim().is_empty() {
            out.push(Part::Text(decoded(before)?));
        }
        rest = &rest[start..];
        let skipped =
            [("<!--", "-->"), ("<?", "?>"), ("<!DOCTYPE", ">")].into_iter().find(|(open, _)| rest.starts_with(open));
        if let Some((_, close)) = skipped {
            let end = rest.find(close).ok_or("a comment or declaration has no end")?;
            rest = &rest[end + close.len()..];
        } else if let Some(raw) = rest.strip_prefix("<![CDATA[") {
            let end = raw.find("]]>").ok_or("a section of text has no end")?;
            out.push(Part::Text(raw[..end].to_string()));
            rest = &raw[end + 3..];
        } else {
            let end = end_of_tag(rest).ok_or("a tag has no end")?;
            out.push(tag(&rest[1..end])?);
            rest = &rest[end + 1..];
        }
    }
    Ok(out)
}

/// Where a tag ends: at a bracket outside of quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(i, c)| match (quote, c) {
        (Some(q), c) if c == q => {
            quote = None;
            None
        }
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (None, '>') => Some(i),
        _ => None,
    })
}

fn tag(inside: &str) -> Result<Part, String> {
    if let Some(name) = inside.strip_prefix('/') {
        return Ok(Part::Close(name.trim().to_string()));
    }
    let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |i| (i, true));
    let (name, mut rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let (key, value) = rest.split_once('=').ok_or_else(|| format!("an attribute of <{name}> has no value"))?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = quote
            .and_then(|q| value[1..].split_once(q))
            .ok_or_else(|| format!("the value of `{}` in <{name}> is not quoted", key.trim()))?;
        attributes.push((key.trim().to_string(), decoded(value)?));
        rest = after;
    }
    Ok(Part::Open { name: name.to_string(), attributes, closed })
}

/// Text without references to characters.
fn decoded(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out += &rest[..start];
        let (name, after) = rest[start + 1..].split_once(';').ok_or("`&` begins no name of a character")?;
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let c = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match name.strip_prefix('#') {
                Some(hex) if hex.starts_with(['x', 'X']) => number(&hex[1..], 16),
                Some(decimal) => number(decimal, 10),
                None => None,
            },
        };
        out.push(c.ok_or_else(|| format!("there is no character `&{name};`"))?);
        rest = after;
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_text_and_characters() {
        let text = "<?xml version=\"1.0\"?><!-- <a> --><a x='1 > 0' y=\"&quot;\"><b/>t &lt; &#x41;&#66;</a>";
        let open = |name: &str, attributes: &[(&str, &str)], closed| Part::Open {
            name: name.into(),
            attributes: attributes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            closed,
        };
        assert_eq!(
            parts(text).unwrap(),
            [
                open("a", &[("x", "1 > 0"), ("y", "\"")], false),
                open("b", &[], true),
                Part::Text("t < AB".into()),
                Part::Close("a".into())
            ]
        );
        for wrong in ["<a", "<!-- x", "<a b>", "<a b=c>", "x &nobody; <a>", "<a b='&'>"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }
}

//! Names of files as URI references (RFC 3986): relative ones stay relative.

/// The reference to a file.
pub(super) fn reference(file: &str) -> String {
    let keeps = |b: u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&b);
    let escaped: String =
        file.bytes().map(|b| if keeps(b) { (b as char).to_string() } else { format!("%{b:02X}") }).collect();
    if file.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_uri_is_escaped() {
        assert_eq!(reference("a b/é.c"), "a%20b/%C3%A9.c");
        assert_eq!(reference("/x/y.c"), "file:///x/y.c");
        assert_eq!(reference("c:d%.c"), "c%3Ad%25.c", "a colon would make a scheme");
    }
}

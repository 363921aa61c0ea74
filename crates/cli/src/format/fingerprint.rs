//! Names of targets that stay the same while the program around them changes: by kind of defect, file, function and text of the
//! line, but not by its number. Of several that agree in all that, the order in the file tells them apart.

use report::targets::TargetReport;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The fingerprints of targets, in their order.
pub(super) fn fingerprints(targets: &[TargetReport]) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut out = Vec::new();
    for t in targets {
        // White space is a matter of taste.
        let dense = |part: &String| part.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = [&t.rule, &t.file, &t.function, &t.what, &t.source_line].map(dense).join("\0");
        let nth = seen.entry(key.clone()).or_insert(0);
        *nth += 1;
        out.push(hex(&Sha256::digest(format!("{key}\0{nth}")))[..32].to_string());
    }
    out
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::targets::TargetState;

    fn target(line: u32, source: &str) -> TargetReport {
        TargetReport {
            file: "a.c".into(),
            line,
            column: 3,
            function: "f".into(),
            rule: "assertion".into(),
            what: "assertion `x` fails".into(),
            source_line: source.into(),
            state: TargetState::Open,
            engine: None,
            run: None,
        }
    }

    #[test]
    fn lines_may_move_and_equal_ones_differ() {
        let before = fingerprints(&[target(3, "assert(x);"), target(9, "assert(x);"), target(10, "assert(y);")]);
        let after = fingerprints(&[target(4, "assert(x);"), target(10, " assert(x);"), target(12, "assert(y);")]);
        assert_eq!(before[0], after[0]);
        assert_ne!(before[0], before[1]);
        assert_ne!(before[1], before[2]);
        assert_eq!(before[2], after[2]);
        assert_eq!(before[0].len(), 32);
    }
}

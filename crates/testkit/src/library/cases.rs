//! Random calls: templates ([`super::calls`]) with arguments, and the bytes they work on.

use super::calls::{Bytes, CALLS, Call, ROOM};
use base::rng::Rng;

/// The sizes of the objects: two buffers, a global and a local that nobody is told of.
pub(super) const SIZES: [usize; 4] = [24, 24, 8, 4];

/// One call.
pub(super) struct Case {
    pub(super) call: &'static Call,
    /// The body of a function up to where everything is observed.
    pub(super) body: String,
    /// What the standard streams are: two bits for the output (null, full, closed), one for the input.
    pub(super) streams: u64,
}

/// The case of a seed. The kinds take turns, so that a few hundred seeds have all of them.
pub(super) fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed ^ 0x11b_ca11);
    rng.bits();
    let call = &CALLS[(seed % CALLS.len() as u64) as usize];
    let kept = if rng.chance(30) { "static " } else { "" };
    let mut body = String::new();
    for (name, size) in [("b0", SIZES[0]), ("b1", SIZES[1])] {
        let bytes = contents(&mut rng, call.bytes, size);
        body.push_str(&format!("  {kept}char {name}[{size}] = {{ {} }};\n", listed(&bytes)));
    }
    body.push_str("  signed char l[4] = { 1, 2, 3, 4 };\n  long long r = 0;\n  int e, q[2];\n  char *p;\n  FILE *f;\n");
    let errno = *rng.pick(&[0, 0, 5, 34, 77]);
    body.push_str(&format!("  *__errno_location() = {errno};\n  {}\n", filled(&mut rng, call.text)));
    body.push_str("  e = *__errno_location();\n");
    let streams = rng.below(8);
    Case { call, body, streams }
}

/// Bytes with a zero early on, so that what begins in the first four is a text, and anything behind that.
fn contents(rng: &mut Rng, bytes: Bytes, size: usize) -> Vec<i8> {
    let text: &[u8] = match bytes {
        Bytes::Letters if rng.chance(20) => b"aAbBzZ09 \n\x80\xff\x7f\x01",
        Bytes::Letters => b"aab",
        Bytes::Digits => b"0123 9-+xXaf7\t",
        Bytes::Numbers => b"0019.5.eE-+xp3inf ",
    };
    let end = 3 + rng.index(ROOM as usize - 3);
    let any = |rng: &mut Rng, i: usize| match i {
        _ if i == end => 0,
        _ if i < end || rng.chance(50) => *rng.pick(text),
        _ => rng.below(256) as u8,
    };
    (0..size).map(|i| any(rng, i) as i8).collect()
}

pub(super) fn listed(bytes: &[i8]) -> String {
    bytes.iter().map(i8::to_string).collect::<Vec<_>>().join(", ")
}

/// A template with arguments.
fn filled(rng: &mut Rng, template: &str) -> String {
    let mut text = String::new();
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '$' { chars.next() } else { None }) {
            ('$', Some(kind)) => text.push_str(&argument(rng, kind)),
            _ => text.push(c),
        }
    }
    text
}

fn argument(rng: &mut Rng, kind: char) -> String {
    let one_of = |rng: &mut Rng, all: &[&str]| (*rng.pick(all)).to_owned();
    match kind {
        'A' => format!("(b0 + {})", rng.below(4)),
        'B' => format!("(b1 + {})", rng.below(4)),
        'N' => rng.below(ROOM + 1).to_string(),
        'C' => one_of(rng, &["0", "97", "98", "353", "-1", "255", "-128", "10"]),
        'c' => (rng.below(257) as i64 - 1).to_string(),
        'I' => {
            one_of(rng, &["(-2147483647 - 1)", "2147483647", "0", "(-1)", "7", "255", "(-300)", "65536", "8", "100"])
        }
        'X' => one_of(rng, &["0", "10", "10", "16", "8", "2", "36", "1", "37", "-1"]),
        'Z' => one_of(
            rng,
            &[
                "0",
                "1",
                "100",
                "(SIZE)-1",
                "(SIZE)-1 / 2",
                "(SIZE)-1 / 2 + 1",
                "(SIZE)-4096",
                "65536",
                "(SIZE)-1 / 3 + 1",
            ],
        ),
        'P' => one_of(
            rng,
            &[
                r#""/dev/null""#,
                r#""/dev/zero""#,
                r#""/dev/full""#,
                r#""/""#,
                r#""/nowhere/x""#,
                r#""""#,
                r#""/proc/self/status""#,
            ],
        ),
        'Q' => one_of(rng, &[r#""/""#, r#""/nowhere/x""#, r#""""#, r#""/proc/self/status""#]),
        'D' => one_of(rng, &["0", "1", "2", "-1", "99"]),
        'M' => one_of(rng, &[r#""r""#, r#""w""#, r#""a""#, r#""r+""#, r#""zz""#]),
        'F' => one_of(
            rng,
            &[
                "0.0",
                "-0.0",
                "1.0",
                "2.0",
                "-1.0",
                "0.5",
                "1e308",
                "1e-310",
                "(1.0 / zero)",
                "(zero / zero)",
                "3.7",
                "-5.25",
            ],
        ),
        'f' => one_of(rng, &["0.5", "-0.5", "1.5", "2.5", "-2.5", "1000000.49", "0.0", "-3.0", "0.49999999999999994"]),
        other => unreachable!("${other} is no placeholder"),
    }
}

//! `cargo xtask bench bounded`: generated C programs of growing size over arbitrary contents, decided by the bounded engine alone,
//! with the processor time of the whole command (search, proof and its check), against the limits that each family must keep.

use anyhow::{Context, bail};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Sizes of one family of programs, and what is demanded of them.
struct Family {
    name: &'static str,
    about: &'static str,
    text: fn(usize) -> String,
    sizes: &'static [usize],
    /// (size, seconds) that must not be exceeded.
    limit: Option<(usize, f64)>,
    /// The ratio of times from one size to the next that must not be exceeded.
    growth: Option<f64>,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "straight",
        about: "so many lines of straight-line code",
        text: straight,
        sizes: &[1_000, 10_000],
        limit: Some((10_000, 2.0)),
        growth: None,
    },
    Family {
        name: "array",
        about: "three loops of so many rounds over an array of so many ints",
        text: array,
        sizes: &[100, 1_000],
        limit: Some((1_000, 5.0)),
        growth: None,
    },
    Family {
        name: "constant",
        about: "so many rounds that read and write at constant offsets",
        text: constant,
        sizes: &[10, 20, 40, 80],
        limit: None,
        growth: Some(2.3),
    },
    Family {
        name: "symbolic",
        about: "so many rounds that read and write at arbitrary indices",
        text: symbolic,
        sizes: &[10, 20, 40, 80],
        limit: None,
        growth: Some(4.5),
    },
];

/// Below this many seconds, starting the process is most of the time: growth says nothing.
const LEAST: f64 = 0.05;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, \"bench.c\", 1, \"main\"))
";

fn straight(lines: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n unsigned r[8], odd = 0;\n");
    for i in 0..8 {
        let _ = writeln!(text, " r[{i}] = __VERIFIER_nondet_int();");
    }
    for i in 0..lines.saturating_sub(20) {
        let (a, b, c) = (i % 8, (i * 3 + 1) % 8, (i * 5 + 2) % 8);
        let _ = match i % 5 {
            0 => writeln!(text, " r[{a}] = r[{b}] + r[{c}];"),
            1 => writeln!(text, " r[{a}] ^= r[{b}] << {};", 1 + i % 7),
            2 => writeln!(text, " if (r[{a}] > r[{b}]) r[{c}] = r[{a}] - {i}u; else odd ^= 1;"),
            3 => writeln!(text, " r[{a}] = (r[{b}] & {}u) | (r[{c}] >> 3);", i.wrapping_mul(2_654_435_761) as u32),
            _ => writeln!(text, " odd = (odd + 2) & 3;"),
        };
    }
    text + " assert(odd < 4);\n return 0;\n}\n"
}

fn array(n: usize) -> String {
    format!(
        "{HEAD}int main(void) {{
  int a[{n}], i; unsigned odd = 0;
  for (i = 0; i < {n}; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < {n}; i++) {{ if (a[i] < 0) a[i] = 0; else odd += a[i] & 1; }}
  for (i = 0; i < {n}; i++) assert(a[i] >= 0);
  assert(odd <= {n});
  return 0;
}}
"
    )
}

fn constant(rounds: usize) -> String {
    format!(
        "{HEAD}struct pair {{ int key; int value; }};
int main(void) {{
  struct pair a[8]; int i, k; unsigned sum = 0, low = 0;
  for (i = 0; i < 8; i++) {{ a[i].key = __VERIFIER_nondet_int(); a[i].value = __VERIFIER_nondet_uchar(); }}
  for (i = 0; i < {rounds}; i++) {{
    k = __VERIFIER_nondet_int();
    if (k < a[i % 8].key) {{ a[i % 8].key = k; low++; }}
    a[(i + 1) % 8].value = a[i % 8].value;
    sum += a[i % 8].value;
  }}
  assert(low <= {rounds});
  assert(sum <= 255u * {rounds});
  return 0;
}}
"
    )
}

fn symbolic(rounds: usize) -> String {
    format!(
        "{HEAD}int main(void) {{
  unsigned char a[16], w = __VERIFIER_nondet_uchar(); int i;
  for (i = 0; i < 16; i++) a[i] = __VERIFIER_nondet_uchar() % 64;
  for (i = 0; i < {rounds}; i++) {{
    unsigned char k = __VERIFIER_nondet_uchar(), v = __VERIFIER_nondet_uchar();
    if (k < 16 && a[k] > v) a[k] = v;
  }}
  if (w < 16) assert(a[w] < 64);
  return 0;
}}
"
    )
}

/// Runs the families; exit code 10 if a limit was not kept.
pub(crate) fn bench(root: &Path, only: Option<&str>, runs: usize) -> anyhow::Result<ExitCode> {
    let build = ["build", "--quiet", "--release", "-p", "cli"];
    if !Command::new("cargo").args(build).current_dir(root).status().context("cannot start cargo")?.success() {
        bail!("hardbop does not build");
    }
    let folder = root.join("target/bench-bounded");
    std::fs::create_dir_all(&folder)?;
    let mut broken = Vec::new();
    for family in FAMILIES.iter().filter(|f| only.is_none_or(|n| n == f.name)) {
        println!("{}: {}", family.name, family.about);
        println!("{:>8} {:>10} {:>8}", "size", "seconds", "growth");
        let mut before: Option<f64> = None;
        for &size in family.sizes {
            let file = folder.join(format!("{}-{size}.c", family.name));
            std::fs::write(&file, (family.text)(size))?;
            let seconds = measure(root, &file, runs)?;
            let growth = before.map(|b| seconds.max(LEAST) / b.max(LEAST));
            println!("{size:>8} {seconds:>10.2} {:>8}", growth.map_or(String::new(), |g| format!("{g:.2}")));
            if let Some((_, most)) = family.limit.filter(|&(at, most)| at == size && seconds > most) {
                broken.push(format!("{} {size} took more than {most} s", family.name));
            }
            if let Some(most) = family.growth.filter(|&most| growth.is_some_and(|g| g > most)) {
                broken.push(format!("{} grows by more than {most} to {size}", family.name));
            }
            before = Some(seconds);
        }
    }
    for b in &broken {
        println!("LIMIT: {b}");
    }
    Ok(ExitCode::from(if broken.is_empty() { 0 } else { 10 }))
}

/// The least processor time, in seconds, of several runs, each of which must prove the program.
fn measure(root: &Path, file: &Path, runs: usize) -> anyhow::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..runs.max(1) {
        // The shell's clock counts the processor time of everything below it.
        let script = "\"$0\" check \"$1\" --engine bounded --check bounds --timeout 120 >\"$1.out\" 2>&1; times";
        let command = root.join("target/release/hardbop");
        let output = Command::new("bash").arg("-c").arg(script).arg(command).arg(file).output()?;
        let said = std::fs::read_to_string(file.with_extension("c.out"))?;
        if !said.lines().any(|l| l.starts_with("Verdict: SAFE")) {
            bail!("{}: {}", file.display(), said.lines().last().unwrap_or_default());
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().last().context("the shell tells no times")?;
        best = best.min(line.split_whitespace().filter_map(seconds).sum());
    }
    Ok(best)
}

/// `1m2.345s` as seconds.
fn seconds(time: &str) -> Option<f64> {
    let (minutes, rest) = time.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + rest.parse::<f64>().ok()?)
}

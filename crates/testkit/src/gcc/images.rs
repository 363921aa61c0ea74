//! Runs programs that report on their objects ([`crate::initialisers`]).

use super::{Build, Failure, Gcc, Scratch, renaming, run_all};
use crate::initialisers::Initialised;
use std::time::Duration;

/// What a program reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The bytes of its objects.
    pub bytes: Vec<u8>,
    /// The values of members, sizes, offsets and alignments, eight bytes each.
    pub values: Vec<u8>,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pictured {
    /// It reported this.
    Image(Image),
    /// The compiler does not take it.
    Refused(String),
    /// It broke the process.
    Crashed(String),
}

const PRELUDE: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    static __attribute__((noinline)) void hb_dirty(void) {\n    volatile unsigned char stack[2048];\n\
    \x20   for (int i = 0; i < 2048; i++) stack[i] = 0x80 | 37 * i;\n}\n";

const DRIVER: &str = r#"
static void hb_hex(const unsigned char *p, unsigned n) {
    putchar(' ');
    putchar('x');
    for (unsigned i = 0; i < n; i++) printf("%02x", p[i]);
}
int main(int argc, char **argv) {
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i < (int)(sizeof hb_table / sizeof *hb_table); i++) {
        hb_table[i].run();
        printf("%d", i);
        hb_hex(hb_table[i].bytes, *hb_table[i].n_bytes);
        hb_hex(hb_table[i].values, *hb_table[i].n_values);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
"#;

impl Gcc {
    /// Compiles and runs programs, all of one data model; one answer per program, in their order.
    pub fn pictures(&self, programs: &[Initialised], build: Build) -> Result<Vec<Pictured>, Failure> {
        self.in_batches(programs, 125, |batch| self.pictures_around_refusals(batch, build))
    }

    /// Halves a batch that the compiler refuses until the program that it means stands alone.
    fn pictures_around_refusals(&self, programs: &[Initialised], build: Build) -> Result<Vec<Pictured>, Failure> {
        match (self.picture_batch(programs, build), programs.len()) {
            (Err(Failure::Rejected(why) | Failure::CompilerCrashed(why)), 1) => Ok(vec![Pictured::Refused(why)]),
            (Err(Failure::Rejected(_) | Failure::CompilerCrashed(_)), n) => {
                let (first, second) = programs.split_at(n / 2);
                let mut all = self.pictures_around_refusals(first, build)?;
                all.extend(self.pictures_around_refusals(second, build)?);
                Ok(all)
            }
            (answer, _) => answer,
        }
    }

    fn picture_batch(&self, programs: &[Initialised], build: Build) -> Result<Vec<Pictured>, Failure> {
        let mut text = PRELUDE.to_string();
        let mut table = String::new();
        for (i, p) in programs.iter().enumerate() {
            let (on, off) = renaming(&format!("hb{i}_"), p.names.iter().map(String::as_str));
            text.push_str(&on);
            text.push_str(&p.source);
            text.push_str(&off);
            let p = format!("hb{i}_");
            table.push_str(&format!("    {{ {p}main, {p}bytes, {p}values, &{p}n_bytes, &{p}n_values }},\n"));
        }
        text.push_str(
            "static struct { int (*run)(void); unsigned char *bytes, *values; unsigned *n_bytes, *n_values; }\n",
        );
        text.push_str(&format!("hb_table[] = {{\n{table}}};\n{DRIVER}"));
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, &text, programs[0].model, build.flags())?;
        let mut seen = vec![Pictured::Crashed("no report".into()); programs.len()];
        let mut crashes = Vec::new();
        run_all(
            &exe,
            &[],
            programs.len(),
            Duration::from_secs(60),
            |line| {
                let (i, image) = parse(line).ok_or_else(|| Failure::Garbled(line.to_string()))?;
                seen[i] = Pictured::Image(image);
                Ok(i)
            },
            |i, why| crashes.push((i, why)),
        )?;
        for (i, why) in crashes {
            seen[i] = Pictured::Crashed(why);
        }
        Ok(seen)
    }
}

fn parse(line: &str) -> Option<(usize, Image)> {
    let mut words = line.split(' ');
    let index = words.next()?.parse().ok()?;
    let mut hex = || {
        let text = words.next()?.strip_prefix('x')?;
        (0..text.len() / 2)
            .map(|i| u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok())
            .collect::<Option<Vec<u8>>>()
    };
    Some((index, Image { bytes: hex()?, values: hex()? }))
}

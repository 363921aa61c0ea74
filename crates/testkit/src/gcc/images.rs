//! Runs programs that report on their objects ([`crate::initialisers`]).

use super::batch::{Harness, Member, around};
use super::{Build, Failure, Gcc};
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
        let batch = |batch: &[Initialised]| self.picture_batch(batch, build);
        self.in_batches(programs, 125, |programs| around(programs, &batch, refused))
    }

    fn picture_batch(&self, programs: &[Initialised], build: Build) -> Result<Vec<Pictured>, Failure> {
        let harness = Harness {
            prelude: PRELUDE,
            mark: |_| String::new(),
            table: "struct { int (*run)(void); unsigned char *bytes, *values; unsigned *n_bytes, *n_values; }",
            row: |p| format!("{p}main, {p}bytes, {p}values, &{p}n_bytes, &{p}n_values"),
            driver: DRIVER,
            flags: build.flags(),
            environment: &[],
            limit: Duration::from_secs(60),
            parse: |line| parse(line).map(|(i, image)| (i, Pictured::Image(image))),
            broken: Pictured::Crashed,
        };
        let members: Vec<Member<'_>> = programs.iter().map(|p| Member { source: &p.source, names: &p.names }).collect();
        self.run_batch(&members, programs[0].model, &harness)
    }
}

fn refused(failure: &Failure) -> Option<Pictured> {
    match failure {
        Failure::Rejected(why) | Failure::CompilerCrashed(why) => Some(Pictured::Refused(why.clone())),
        _ => None,
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

//! Runs one program text on one given sequence of inputs.

use std::process::Command;
use std::time::Duration;

use ir::DataModel;

use super::{Failure, Gcc, Scratch, run};

/// How a run on a given sequence of inputs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeEnd {
    /// `reach_error` was called.
    Error,
    /// The program ended without an error, and took this many inputs.
    Ended {
        /// Number of inputs taken.
        taken: usize,
    },
    /// More inputs were asked for than given.
    TapeTooShort,
    /// It was ended by a signal or ran too long.
    Broken,
}

const HARNESS: &str = r#"
#undef main
#include <stdio.h>
#include <stdlib.h>
static int hb_argc, hb_at;
static char **hb_argv;
static unsigned long long hb_next(void) {
    if (++hb_at >= hb_argc) _Exit(13);
    return strtoull(hb_argv[hb_at], 0, 0);
}
void reach_error(void) { _Exit(11); }
void __VERIFIER_assume(int c) { if (!c) { printf("%d\n", hb_at); fflush(stdout); _Exit(0); } }
_Bool __VERIFIER_nondet_bool(void) { return hb_next(); }
char __VERIFIER_nondet_char(void) { return hb_next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return hb_next(); }
short __VERIFIER_nondet_short(void) { return hb_next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return hb_next(); }
int __VERIFIER_nondet_int(void) { return hb_next(); }
unsigned int __VERIFIER_nondet_uint(void) { return hb_next(); }
long __VERIFIER_nondet_long(void) { return hb_next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return hb_next(); }
long long __VERIFIER_nondet_longlong(void) { return hb_next(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return hb_next(); }
int main(int argc, char **argv) {
    hb_argc = argc; hb_argv = argv;
    hb_main();
    printf("%d\n", hb_at);
    return 0;
}
"#;

impl Gcc {
    /// Compiles a text that declares `reach_error` without defining it, and runs it on each sequence of inputs, which it
    /// takes in the order in which it asks for them. A negative input is given as its two's complement.
    pub fn run_on_tapes(&self, source: &str, model: DataModel, tapes: &[Vec<u64>]) -> Result<Vec<TapeEnd>, Failure> {
        let dir = Scratch::new()?;
        let text = format!("#define main hb_main\n#line 1\n{source}\n{HARNESS}");
        let exe = self.compile(&dir, &text, model, &["-O0"])?;
        let one = |tape: &Vec<u64>| {
            let mut command = Command::new(&exe);
            command.args(tape.iter().map(u64::to_string));
            let said = run(command, Duration::from_secs(10))?;
            Ok(match said.code {
                Some(0) => {
                    let taken = said.stdout.trim().parse().map_err(|_| Failure::Garbled(said.stdout.clone()))?;
                    TapeEnd::Ended { taken }
                }
                Some(11) => TapeEnd::Error,
                Some(13) => TapeEnd::TapeTooShort,
                _ => TapeEnd::Broken,
            })
        };
        tapes.iter().map(one).collect()
    }
}

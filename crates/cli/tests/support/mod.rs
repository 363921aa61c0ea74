//! What the tests of the command share: a folder per test, and running the built binary in it.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::path::PathBuf;
use std::process::{Command, Output};

/// A fresh folder with files in it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        std::fs::write(self.0.join(name), content).unwrap();
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.args(args).current_dir(&self.0);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(&mut self.command(args))
    }
}

/// What a run of the command left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Ran {
        Ran::from_output(&command.output().unwrap())
    }

    pub(crate) fn from_output(output: &Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// Demands the exit code, the only line of standard output, and the lines of standard error.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, out: &str, err: &str) {
        let expected = (Some(code), out.to_string(), err.to_string());
        assert_eq!((self.code, self.out.trim_end().to_string(), self.err.trim_end().to_string()), expected);
    }

    /// Demands the exit code and the last line of standard output, which nothing but advice stands before.
    #[track_caller]
    pub(crate) fn expect_limit(&self, line: &str) {
        let last = self.out.lines().last().unwrap_or_default();
        assert_eq!((self.code, last, self.err.as_str()), (Some(5), line, ""));
        assert!(
            self.out.starts_with("What to try next:\n  --") || self.out.starts_with("The refinement did not"),
            "{self:?}"
        );
    }
}

//! `cargo xtask tool-info`: the BenchExec tool-info module against the real package, which is installed from PyPI into a virtual
//! environment below `target/`. Needs python3 with `venv`, and the network once.

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Which binary.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder with `hardbop`.
    #[arg(long, default_value = "target/debug")]
    bin: String,
}

/// What hardbop may print, and what BenchExec must make of it.
const VERDICTS: [(&str, &str); 4] = [
    ("true", "true"),
    ("false(unreach-call)", "false(unreach-call)"),
    ("false(valid-deref)", "false(valid-deref)"),
    ("unknown", "unknown"),
];

/// Installs the package, and asks its own test about the module.
pub(crate) fn tool_info(args: &Args, root: &Path) -> anyhow::Result<ExitCode> {
    let folder = root.join("target/tool-info");
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        said(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
        said(Command::new(&python).args(["-m", "pip", "install", "--quiet", "benchexec"]))?;
    }
    let bin = folder.join("tool/bin");
    std::fs::create_dir_all(&bin)?;
    std::fs::copy(root.join(&args.bin).join("hardbop"), bin.join("hardbop")).context("build hardbop first")?;
    for (printed, expected) in VERDICTS {
        let output = folder.join("output.log");
        std::fs::write(&output, format!("a line\nSV-COMP verdict: {printed}\nVerdict: X (y)\n"))?;
        let text = said(
            Command::new(&python)
                .args(["-m", "benchexec.test_tool_info", ".hardbop", "--no-container", "--tool-directory"])
                .arg(folder.join("tool"))
                .arg("--tool-output")
                .arg(&output)
                .env("PYTHONPATH", root.join("tools/benchexec")),
        )?;
        let version = format!("Version: “{}”", env!("CARGO_PKG_VERSION"));
        let result = format!("“{expected}”");
        let parts = [version.as_str(), "'--property', 'PROPERTY.PRP'", "'--data-model', 'ILP32'", result.as_str()];
        for part in parts {
            if !text.contains(part) {
                bail!("{part} is not in what BenchExec says:\n{text}");
            }
        }
    }
    println!("BenchExec accepts the module and reads {} verdicts", VERDICTS.len());
    Ok(ExitCode::SUCCESS)
}

/// What a command prints; an error if it fails.
pub(crate) fn said(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{command:?}: {text}");
    }
    Ok(text)
}

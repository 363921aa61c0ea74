//! `cargo xtask dist`: an archive that can be unpacked anywhere - the binary, linked statically, with its manual page, completions, documents,
//! examples and all licences - and a try of it in another folder.

use anyhow::{Context, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// How the archive is made.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Put this binary into the archive instead of building one.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Link to the system's libraries.
    #[arg(long)]
    dynamic: bool,
    /// The folder for the archive.
    #[arg(long, value_name = "DIR", default_value = "target/dist")]
    out: PathBuf,
}

/// Folders and files of the tree that belong to the archive.
const PARTS: [&str; 9] = [
    "README.md",
    "CHANGELOG.md",
    "SOUNDNESS.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs",
    "examples",
    "tools/benchexec",
    "tools/vscode",
];

/// Makes the archive.
pub(crate) fn dist(args: &Args, root: &Path) -> anyhow::Result<ExitCode> {
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => built(root, args.dynamic)?,
    };
    if !args.dynamic && needs_libraries(&std::fs::read(&binary).context("the binary")?)? {
        bail!("{} is not static; --dynamic allows that", binary.display());
    }
    let version = printed(Command::new(&binary).arg("--version"))?;
    let version = version.trim().strip_prefix("hardbop ").context("`--version` prints a name and a number")?.to_owned();
    let name = format!("hardbop-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let out = root.join(&args.out);
    let folder = out.join(&name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bin"))?;
    std::fs::copy(&binary, folder.join("bin/hardbop"))?;
    let _ = Command::new("strip").arg(folder.join("bin/hardbop")).status();
    for part in PARTS {
        copy(&root.join(part), &folder.join(part)).with_context(|| part.to_owned())?;
    }
    let hardbop = folder.join("bin/hardbop");
    for (command, file) in [
        (&["man"][..], "share/man/man1/hardbop.1"),
        (&["completions", "bash"], "share/bash-completion/completions/hardbop"),
        (&["completions", "zsh"], "share/zsh/site-functions/_hardbop"),
        (&["completions", "fish"], "share/fish/vendor_completions.d/hardbop.fish"),
    ] {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))?;
        std::fs::write(path, printed(Command::new(&hardbop).args(command))?)?;
    }
    std::fs::write(folder.join("VERSION"), format!("{version}\n{}", commit(root)))?;
    std::fs::write(folder.join("LICENSES-THIRD-PARTY.txt"), licences(root)?)?;
    let archive = out.join(format!("{name}.tar.gz"));
    // Same contents, same archive: no times, no owners, one order.
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "-I", "gzip -n", "-cf"])
        .arg(&archive)
        .arg("-C");
    printed(tar.arg(&out).arg(&name))?;
    tried(&archive, &name)?;
    let size = std::fs::metadata(&archive)?.len();
    println!("{} ({} MB)", archive.display(), size.div_ceil(1 << 20));
    Ok(ExitCode::SUCCESS)
}

/// Builds the binary. Only the last step of linking differs from an ordinary build, so everything else is shared with it.
fn built(root: &Path, dynamic: bool) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["rustc", "--release", "--package", "cli", "--bin", "hardbop", "--"]);
    cargo.args(["-C", if dynamic { "target-feature=-crt-static" } else { "target-feature=+crt-static" }]);
    if !cargo.status().context("cargo")?.success() {
        bail!("the build failed");
    }
    Ok(root.join("target/release/hardbop"))
}

/// The type of the program header that names an interpreter.
const INTERPRETER: u64 = 3;

/// Whether an ELF file asks for an interpreter, which loads its libraries.
fn needs_libraries(file: &[u8]) -> anyhow::Result<bool> {
    let number = |at: usize, len: usize| -> Option<u64> {
        let bytes = file.get(at..at + len)?;
        Some(bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    };
    let header = |i: u64| -> Option<u64> {
        let (start, size) = (number(32, 8)?, number(54, 2)?);
        number(usize::try_from(start + i * size).ok()?, 4)
    };
    if !file.starts_with(b"\x7fELF\x02\x01") {
        bail!("this is no 64-bit ELF file");
    }
    let n = number(56, 2).context("a header of an ELF file")?;
    Ok((0..n).any(|i| header(i) == Some(INTERPRETER)))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        std::fs::create_dir_all(to.parent().unwrap_or(to))?;
        return std::fs::copy(from, to).map(|_| ());
    }
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != "__pycache__" && name != "node_modules" {
            copy(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

/// The licences of all that is linked: a list, then what comes with the packages in full.
fn licences(root: &Path) -> anyhow::Result<String> {
    let text = printed(Command::new("cargo").current_dir(root).args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        "x86_64-unknown-linux-gnu",
    ]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let used = printed(Command::new("cargo").current_dir(root).args([
        "tree",
        "--package",
        "cli",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ]))?;
    let used: std::collections::BTreeSet<(&str, &str)> = used
        .lines()
        .filter_map(|l| l.split_once(' '))
        .filter_map(|(name, rest)| Some((name, rest.split_whitespace().next()?.strip_prefix('v')?)))
        .collect();
    let (mut list, mut full) =
        (String::from("Packages that are part of hardbop, and their licences:\n\n"), String::new());
    for package in metadata["packages"].as_array().context("cargo's list of packages")? {
        let field = |key: &str| package[key].as_str().unwrap_or_default();
        // What has no source is part of this tree.
        if package["source"].is_null() || !used.contains(&(field("name"), field("version"))) {
            continue;
        }
        let licence = package["license"].as_str().unwrap_or("see its text");
        let _ = writeln!(list, "{} {}: {licence}", field("name"), field("version"));
        let folder = Path::new(field("manifest_path")).parent().unwrap_or(root).to_owned();
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?.flatten().map(|e| e.path()).collect();
        files.sort();
        for file in files {
            let name = file.file_name().map(|n| n.to_string_lossy().to_uppercase()).unwrap_or_default();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|w| name.starts_with(w));
            if is_licence && file.is_file() {
                let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
                let _ = writeln!(full, "\n==== {} {}: {name}\n\n{text}", field("name"), field("version"));
            }
        }
    }
    Ok(list + &full)
}

/// Which commit this is of, if that is known.
fn commit(root: &Path) -> String {
    printed(Command::new("git").current_dir(root).args(["describe", "--always", "--dirty"])).unwrap_or_default()
}

/// Unpacks the archive elsewhere and uses it there, with nothing of this machine's environment.
fn tried(archive: &Path, name: &str) -> anyhow::Result<()> {
    let elsewhere = std::env::temp_dir().join(format!("hardbop dist {}", std::process::id()));
    std::fs::create_dir_all(&elsewhere)?;
    let done = (|| {
        printed(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&elsewhere))?;
        let folder = elsewhere.join(name);
        for (file, code) in [("examples/average.c", 10), ("examples/lock.c", 0)] {
            let output = Command::new(folder.join("bin/hardbop"))
                .env_clear()
                .args(["check", "-q"])
                .arg(folder.join(file))
                .output()?;
            if output.status.code() != Some(code) {
                bail!("{file} from the archive: {}", String::from_utf8_lossy(&output.stdout));
            }
        }
        Ok(())
    })();
    let _ = std::fs::remove_dir_all(&elsewhere);
    done
}

/// What a command prints; an error if it fails.
fn printed(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_in_the_headers_is_seen() {
        let mut file = vec![0u8; 64 + 2 * 56];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (file[32], file[54], file[56]) = (64, 56, 2);
        assert!(!needs_libraries(&file).unwrap());
        file[64 + 56] = 3;
        assert!(needs_libraries(&file).unwrap());
        assert!(needs_libraries(b"#!/bin/sh").is_err());
    }
}

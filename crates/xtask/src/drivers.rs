//! `cargo xtask drivers`: out-of-tree drivers of Debian's `*-dkms` packages against rules, with the distribution's own kernel headers.
//!
//! Packages are downloaded and unpacked, not installed, and each module is built by the kernel's own makefiles; what
//! those leave in their `.cmd` files becomes the compilation database. Nothing of it is part of this tree. With `--seed-leak` one
//! call that releases a lock is taken out of a copy of each driver first: then a defect is what is wanted.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The drivers that are looked at unless others are named, chosen before any was measured.
const DRIVERS: [&str; 5] = ["vpoll-dkms", "bbswitch-dkms", "tp-smapi-dkms", "ddcci-dkms", "v4l2loopback-dkms"];

/// Calls that release what others wait for.
const RELEASES: [&str; 6] =
    ["spin_unlock(", "spin_unlock_irqrestore(", "spin_unlock_irq(", "mutex_unlock(", "spin_unlock_bh(", "up("];

/// The arguments of `cargo xtask drivers`.
#[derive(clap::Args)]
pub(crate) struct DriversArgs {
    /// Packages.
    #[arg(default_values = DRIVERS, value_name = "PACKAGE")]
    packages: Vec<String>,
    /// The rules.
    #[arg(long, default_value = "linux/spinlock,linux/mutex,linux/semaphore,linux/kmalloc,linux/sleep-in-atomic")]
    rules: String,
    /// Processor time for each check.
    #[arg(long, default_value = "60s")]
    cpu: String,
    /// The entries, as `check --entries` has them.
    #[arg(long, default_value = "static-tables")]
    entries: String,
    /// The binary.
    #[arg(long, default_value = "target/release/hardbop")]
    hardbop: PathBuf,
    /// Take one call out that releases a lock.
    #[arg(long)]
    seed_leak: bool,
    /// Keep answers in this folder.
    #[arg(long)]
    cache: Option<PathBuf>,
}

/// Fetches, builds and checks the drivers, and prints a table.
pub(crate) fn drivers(args: &DriversArgs) -> anyhow::Result<ExitCode> {
    let work = std::env::temp_dir().join("hardbop-drivers");
    std::fs::create_dir_all(&work)?;
    let headers = headers(&work)?;
    println!(
        "| driver | lines | pass | vacuous | defect | unknown | n/a | decided | time |\n|---|---|---|---|---|---|---|---|---|"
    );
    let mut details = String::new();
    for package in &args.packages {
        let source = unpacked(&work, package)?.join("usr/src");
        let source = std::fs::read_dir(&source)?.next().context("the package has no source")??.path();
        let tree = work.join(if args.seed_leak { "seeded" } else { "built" }).join(package);
        if tree.exists() {
            std::fs::remove_dir_all(&tree)?;
        }
        std::fs::create_dir_all(tree.parent().unwrap_or(&tree))?;
        run(Command::new("cp").arg("-r").arg(&source).arg(&tree))?;
        let (files, lines) = build(&headers, &tree)?;
        if args.seed_leak && !seed(&files)? {
            println!("| {package} | - | - | - | - | - | - | - | no lock is released |");
            continue;
        }
        let started = std::time::Instant::now();
        let mut command = Command::new(&args.hardbop);
        command.args(["check", "--each-file", "--entries", &args.entries, "--callbacks", "none", "--externs", "pure"]);
        command.args(["--params", "tree", "--addresses", "kernel", "--contracts", "linux", "-p"]).arg(&tree);
        command.args(["--rules", &args.rules, "--cpu-time", &args.cpu]);
        if let Some(cache) = &args.cache {
            command.arg("--cache").arg(cache);
        }
        let said = String::from_utf8_lossy(&command.output()?.stdout).into_owned();
        let of = |word: &str| said.lines().filter(|l| l.split(' ').next() == Some(word)).count();
        let time = started.elapsed().as_secs();
        // A proof about a rule that hears nothing decides nothing.
        let vacuous = said.lines().filter(|l| l.starts_with("PASS") && l.contains("never triggered")).count();
        let (pass, defect, unknown, other) = (of("PASS") - vacuous, of("DEFECT"), of("UNKNOWN"), of("N/A"));
        // Whether a defect is one has to be looked at; here all count.
        let applicable = pass + vacuous + defect + unknown;
        let share = 100 * (pass + defect) / applicable.max(1);
        println!(
            "| {package} | {lines} | {pass} | {vacuous} | {defect} | {unknown} | {other} | {share} % | {time} s |"
        );
        let kept = said.lines().filter(|l| l.starts_with("DEFECT") || l.starts_with("UNKNOWN"));
        details += &kept.map(|l| format!("{package}: {l}\n")).collect::<String>();
    }
    println!("\n{details}");
    Ok(ExitCode::SUCCESS)
}

/// A package, downloaded and unpacked if it is not there yet.
fn unpacked(work: &Path, package: &str) -> anyhow::Result<PathBuf> {
    let folder = work.join("packages").join(package);
    if !folder.is_dir() {
        let partly = work.join(format!("packages/{package}.partly"));
        std::fs::create_dir_all(&partly)?;
        run(Command::new("apt-get").args(["download", package]).current_dir(&partly))?;
        let deb = std::fs::read_dir(&partly)?.filter_map(|e| e.ok().map(|e| e.path()));
        let deb =
            deb.into_iter().find(|p| p.extension().is_some_and(|e| e == "deb")).context("nothing was downloaded")?;
        run(Command::new("dpkg-deb").arg("-x").arg(&deb).arg(&partly))?;
        std::fs::rename(&partly, &folder)?;
    }
    Ok(folder)
}

/// The headers of the distribution's kernel: three packages in one tree, whose makefile names its own place.
fn headers(work: &Path) -> anyhow::Result<PathBuf> {
    let depends = run(Command::new("apt-cache").args(["depends", "linux-headers-amd64"]))?;
    let package = depends.split_whitespace().find(|w| w.starts_with("linux-headers-") && w.contains('.'));
    let package = package.context("linux-headers-amd64 depends on no headers")?;
    let version = package.trim_start_matches("linux-headers-").trim_end_matches("-amd64");
    let series: Vec<&str> = version.split('.').take(2).collect();
    let root = work.join("headers").join(version);
    let tree = root.join("usr/src").join(package);
    if !tree.is_dir() {
        let common = format!("linux-headers-{version}-common");
        let kbuild = format!("linux-kbuild-{}", series.join("."));
        std::fs::create_dir_all(&root)?;
        for package in [package, &common, &kbuild] {
            run(Command::new("cp").arg("-r").arg(unpacked(work, package)?.join("usr")).arg(&root))?;
        }
        let makefile = tree.join("Makefile");
        let text = std::fs::read_to_string(&makefile)?.replace("/usr/src/", &format!("{}/usr/src/", root.display()));
        std::fs::write(makefile, text)?;
    }
    Ok(tree)
}

/// Builds all modules of a tree and writes its database. Gives the C files that were compiled, and their lines.
fn build(headers: &Path, tree: &Path) -> anyhow::Result<(Vec<String>, usize)> {
    let mut folders: Vec<PathBuf> = vec![tree.to_path_buf()];
    folders.extend(std::fs::read_dir(tree)?.filter_map(|e| e.ok().map(|e| e.path())).filter(|p| p.is_dir()));
    for folder in folders.iter().filter(|f| f.join("Makefile").is_file() || f.join("Kbuild").is_file()) {
        let modules = format!("M={}", folder.display());
        // A folder may only hold others; whether something was compiled is seen below.
        Command::new("make").arg("-C").arg(headers).args([&modules, "modules"]).output()?;
    }
    let (mut entries, mut files, mut lines) = (Vec::new(), Vec::new(), 0);
    for folder in &folders {
        for file in std::fs::read_dir(folder)?.filter_map(|e| e.ok().map(|e| e.path())) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !name.ends_with(".o.cmd") || name.ends_with(".mod.o.cmd") {
                continue;
            }
            let text = std::fs::read_to_string(&file)?;
            let Some((_, command)) = text.lines().next().unwrap_or("").split_once(" := ") else { continue };
            let command = command.split(" ; ").next().unwrap_or(command).trim();
            let Some(source) = command.split(' ').next_back().filter(|w| w.ends_with(".c")) else { continue };
            lines += std::fs::read_to_string(source)?.lines().count();
            files.push(source.to_owned());
            entries.push(serde_json::json!({ "directory": headers, "file": source, "command": command }));
        }
    }
    if entries.is_empty() {
        bail!("nothing was compiled in {}", tree.display());
    }
    std::fs::write(tree.join("compile_commands.json"), serde_json::to_string_pretty(&entries)?)?;
    files.sort_unstable();
    Ok((files, lines))
}

/// Takes one call out that releases a lock, from a file that belongs to a module; whether there was one.
fn seed(files: &[String]) -> anyhow::Result<bool> {
    for file in files {
        let text = std::fs::read_to_string(file)?;
        let hit = text
            .lines()
            .position(|l| RELEASES.iter().any(|r| l.trim_start().starts_with(r)) && l.trim_end().ends_with(';'));
        if let Some(n) = hit {
            let seeded: Vec<&str> = text.lines().enumerate().map(|(i, l)| if i == n { ";" } else { l }).collect();
            std::fs::write(file, seeded.join("\n") + "\n")?;
            eprintln!("{file}:{}: taken out", n + 1);
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a command says; its failure is an error.
fn run(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

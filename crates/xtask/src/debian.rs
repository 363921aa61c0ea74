//! `cargo xtask debian`: the C files of Debian source packages through the front end, with the flags that their own build
//! compiles them with. Sources are fetched with a private configuration of apt into a folder under the temporary one; the
//! commands are those that `make -n` would run, written as a compilation database.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The arguments of `cargo xtask debian`.
#[derive(clap::Args)]
pub(crate) struct DebianArgs {
    /// Source packages that are built with make, after `./configure` where there is one.
    #[arg(default_values = ["bzip2", "zlib"], value_name = "PACKAGE")]
    packages: Vec<String>,
}

/// Fetches the packages and reads their files; exit code 10 if one is refused.
pub(crate) fn debian(args: &DebianArgs) -> anyhow::Result<ExitCode> {
    let mut worst = ExitCode::SUCCESS;
    for package in &args.packages {
        let tree = fetch(package, &suite())?;
        let database = database(&tree)?;
        println!("## {package}\n");
        let code = crate::front::parts_of(&database)?;
        if code != ExitCode::SUCCESS {
            worst = code;
        }
    }
    Ok(worst)
}

fn done(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} fails:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The release that is installed, or the current one.
fn suite() -> String {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|l| l.strip_prefix("VERSION_CODENAME=")).unwrap_or("stable");
    name.trim_matches('"').to_owned()
}

/// The folder of a package's sources in a release of Debian; they are downloaded and unpacked if they are not there yet.
pub(crate) fn fetch(package: &str, suite: &str) -> anyhow::Result<PathBuf> {
    let release = std::env::temp_dir().join("hardbop-debian").join(suite);
    let folder = release.join(package);
    let unpacked = folder.join("unpacked");
    if !unpacked.is_dir() {
        std::fs::create_dir_all(&folder)?;
        download(&release, &folder, package, suite).with_context(|| format!("package {package}"))?;
        let orig = std::fs::read_dir(&folder)?.filter_map(|e| e.ok().map(|e| e.path())).find(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.contains(".orig.tar.") && !name.ends_with(".asc")
        });
        let orig = orig.with_context(|| format!("the package {package} has no sources of its own"))?;
        // Unpacked beside its place and then moved, so that what is there is complete.
        let partly = folder.join("partly");
        std::fs::create_dir_all(&partly)?;
        done(Command::new("tar").arg("xf").arg(orig).arg("-C").arg(&partly))?;
        std::fs::rename(&partly, &unpacked)?;
    }
    let tree = std::fs::read_dir(unpacked)?.next().context("the archive is empty")??;
    Ok(tree.path())
}

/// Downloads the archives of a package into `folder`; the lists of the release are shared by all packages.
fn download(release: &Path, folder: &Path, package: &str, suite: &str) -> anyhow::Result<()> {
    let (lists, sources) = (release.join("lists"), release.join("src.sources"));
    let known = lists.is_dir();
    std::fs::create_dir_all(lists.join("partial"))?;
    std::fs::create_dir_all(release.join("cache/archives/partial"))?;
    let text = format!("Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: {suite}\nComponents: main\n");
    std::fs::write(&sources, text)?;
    let apt = |action: &[&str]| {
        let mut command = Command::new("apt-get");
        let option = |key: &str, path: &Path| format!("-oDir::{key}={}", path.display());
        command.arg(option("Etc::sourcelist", &sources)).arg("-oDir::Etc::sourceparts=/dev/null");
        command.arg(option("State::lists", &lists)).arg(option("Cache", &release.join("cache")));
        command.args(action).current_dir(folder);
        done(&mut command)
    };
    if !known {
        apt(&["update"])?;
    }
    apt(&["source", "--download-only", "--tar-only", package]).map(|_| ())
}

/// The compile commands of a build as a database.
fn database(tree: &Path) -> anyhow::Result<PathBuf> {
    if tree.join("configure").is_file() {
        done(Command::new("sh").arg("./configure").current_dir(tree))?;
    }
    let said = done(Command::new("make").args(["-n", "-B", "-k"]).current_dir(tree)).or_else(|_| {
        let output = Command::new("make").args(["-n", "-B", "-i"]).current_dir(tree).output()?;
        anyhow::Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    })?;
    let mut entries: Vec<serde_json::Value> = Vec::new();
    let mut seen = Vec::new();
    for line in said.replace("\\\n", " ").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let compiles = words.first().is_some_and(|c| c.ends_with("cc") || c.ends_with("gcc")) && words.contains(&"-c");
        let file = words.iter().find(|w| w.ends_with(".c"));
        if let (true, Some(file)) = (compiles, file)
            && !seen.contains(&file.to_string())
        {
            seen.push(file.to_string());
            entries.push(serde_json::json!({ "directory": tree, "file": file, "arguments": words }));
        }
    }
    if entries.is_empty() {
        bail!("make -n in {} shows no compile command", tree.display());
    }
    let path = tree.join("compile_commands.json");
    std::fs::write(&path, serde_json::to_string_pretty(&entries)?)?;
    Ok(path)
}

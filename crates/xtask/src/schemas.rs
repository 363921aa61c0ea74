//! `cargo xtask schemas`: what hardbop writes, judged by others - SARIF by its JSON schema (as the package `serde-sarif` has it, which cargo fetches) and
//! `jsonschema` from PyPI, a generated benchmark definition by BenchExec's own reader. Needs python3 with `venv`, and the network
//! once.

use crate::tool_info::said;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Which binary.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder with `hardbop`.
    #[arg(long, default_value = "target/debug")]
    bin: String,
}

/// A package that needs the one with the schema.
const MANIFEST: &str = "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n\
    [dependencies]\nserde-sarif = \"=0.8.0\"\n\n[workspace]\n";

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);\nvoid assert(int);\nint twice(int);\n\
    int main(void) { /* “größe” */ int a = __VERIFIER_nondet_int(); assert(twice(a) != 14); assert(a != 3); return 0; }\n";

/// Asks all of them.
pub(crate) fn schemas(args: &Args, root: &Path) -> anyhow::Result<ExitCode> {
    let folder = root.join("target/schemas");
    let hardbop = root.join(&args.bin).join("hardbop").canonicalize().context("build hardbop first")?;
    std::fs::create_dir_all(folder.join("my src"))?;
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        said(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
        said(Command::new(&python).args(["-m", "pip", "install", "--quiet", "benchexec", "jsonschema"]))?;
    }
    let schema = fetched(&folder)?;
    let documents = sarif(&hardbop, root, &folder)?;
    let script = root.join("crates/xtask/src/schemas.py");
    let judged = |kind: &str, reference: &Path, files: &[String]| {
        let mut command = Command::new(&python);
        command.current_dir(&folder).arg(&script).arg(kind).arg(reference).args(files);
        said(command.env("PYTHONPATH", root.join("tools/benchexec")))
    };
    print!("{}", judged("sarif", &schema, &documents)?);

    let tool = folder.join("tool/bin");
    std::fs::create_dir_all(&tool)?;
    std::fs::copy(&hardbop, tool.join("hardbop"))?;
    let definition = generated(&hardbop, &folder)?;
    let text = judged("benchexec", &folder.join("tool"), &[definition])?;
    if !text.contains("BenchExec sees 2 runs, 1 true, 1 false\n") {
        bail!("{text}");
    }
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// The schema: cargo fetches the package and compares its checksum.
fn fetched(folder: &Path) -> anyhow::Result<PathBuf> {
    let fetch = folder.join("fetch");
    std::fs::create_dir_all(&fetch)?;
    std::fs::write(fetch.join("Cargo.toml"), MANIFEST)?;
    std::fs::write(fetch.join("lib.rs"), "")?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&fetch).args(["metadata", "--format-version", "1", "--quiet"]);
    let output = cargo.output().context("cargo")?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let packages = metadata["packages"].as_array().context("cargo's list of packages")?;
    let package = packages.iter().find(|p| p["name"] == "serde-sarif").context("the package with the schema")?;
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    Ok(manifest.with_file_name("src").join("schema.json"))
}

/// Documents about programs that fail, hold, are not decided, are none, and about rules.
fn sarif(hardbop: &Path, root: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    write("my src/größe.c", UNSAFE)?;
    write("my src/b c.c", "/* é */ int twice(int x) { return 2 * x; }\n")?;
    write("nothing.c", "int main(void) { return 0; }\n")?;
    write("bad.c", "int main(void) { return 0 }\n")?;
    let examples = root.join("examples");
    let example = |name: &str| examples.join(name).display().to_string();
    let (lock, driver) = (example("lock.c"), example("rules/driver.c"));
    let checks: [(&[&str], i32); 6] = [
        (&["my src/größe.c", "my src/b c.c"], 10),
        (&["my src/größe.c", "my src/b c.c", "--check", "all", "--full-trace"], 10),
        (&[&lock], 0),
        (&["nothing.c"], 5),
        (&["bad.c"], 2),
        (&[&driver, "--entries", "all-exported", "--rules", "linux/spinlock,linux/urb"], 10),
    ];
    let mut out = Vec::new();
    for (i, (arguments, code)) in checks.into_iter().enumerate() {
        let name = format!("{i}.sarif");
        let mut command = Command::new(hardbop);
        command.current_dir(folder).arg("check").args(arguments).args(["--format", "sarif", "--output", &name]);
        let output = command.output()?;
        if output.status.code() != Some(code) {
            bail!("{command:?}: {}", String::from_utf8_lossy(&output.stdout));
        }
        out.push(name);
    }
    Ok(out)
}

/// A benchmark definition for two tasks.
fn generated(hardbop: &Path, folder: &Path) -> anyhow::Result<String> {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")?;
    for (name, holds) in [("one", true), ("two", false)] {
        write(&format!("{name}.c"), "int main(void) { return 0; }\n")?;
        let text = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
             expected_verdict: {holds}\noptions:\n  language: C\n  data_model: ILP32\n"
        );
        write(&format!("{name}.yml"), &text)?;
    }
    write("tasks.set", "one.yml\ntwo.yml\n")?;
    let mut command = Command::new(hardbop);
    command.current_dir(folder).args(["bench", "benchexec", "tasks.set", "--cpu", "60", "--memory", "1000"]);
    write("tasks.xml", &said(&mut command)?)?;
    Ok("tasks.xml".to_owned())
}

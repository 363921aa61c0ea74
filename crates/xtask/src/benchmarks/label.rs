//! Labels are established by running: each variant is compiled with sanitizers and run on all its inputs, or on many. The variant
//! without a bug must never fail; the bug must show, and the mutant must make an assertion of the harness fail.

use super::cut::{Variant, arguments};
use super::definition::Definition;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

/// How a program behaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// Nothing failed; what was run.
    Fine(String),
    /// An assertion failed.
    Assertion(String),
    /// A sanitizer stopped it.
    Undefined(String),
}

/// What the kinds of `--check` are to gcc, without optimisation, which drops accesses and their checks. A left shift of a negative number and an access that is not aligned are no defects.
const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize=shift-base,alignment",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
    "-O0",
    "-g",
    "-w",
];

/// Runs the variants of one benchmark; a line for each. The error says which of them contradicts its label.
pub(crate) fn label(definition: &Definition, root: &Path, runs: u64) -> anyhow::Result<String> {
    let mut report = String::new();
    let has_mutant = definition.foreign.as_ref().is_some_and(|f| !f.mutant.is_empty());
    let mut asserted = false;
    for variant in [Variant::Safe, Variant::Bug, Variant::Mutant] {
        if variant == Variant::Mutant && !has_mutant {
            continue;
        }
        let behaviour = behaviour(definition, variant, root, runs)?;
        report += &format!("{:20} {:8} {}\n", definition.name, variant.name(), described(&behaviour));
        let checked = definition.foreign.is_some() || definition.options.iter().any(|o| o == "--check");
        let as_labelled = match (&behaviour, variant) {
            (Behaviour::Fine(_), v) => v == Variant::Safe,
            (Behaviour::Assertion(_), v) => v != Variant::Safe,
            (Behaviour::Undefined(_), v) => v == Variant::Bug && checked,
        };
        if !as_labelled {
            bail!("{report}{}: {} is not what its label says", definition.file.display(), variant.name());
        }
        asserted |= matches!(behaviour, Behaviour::Assertion(_));
    }
    if definition.foreign.is_some() && !asserted {
        bail!("{report}{}: no variant makes an assertion fail", definition.file.display());
    }
    Ok(report)
}

fn described(behaviour: &Behaviour) -> String {
    match behaviour {
        Behaviour::Fine(said) => format!("nothing fails: {said}"),
        Behaviour::Assertion(said) => said.clone(),
        Behaviour::Undefined(said) => format!("sanitizer: {said}"),
    }
}

fn behaviour(definition: &Definition, variant: Variant, root: &Path, runs: u64) -> anyhow::Result<Behaviour> {
    let folder = root.join("target/benchmarks").join(&definition.name).join(variant.name());
    std::fs::create_dir_all(&folder)?;
    let (object, program) = (folder.join("program.o"), folder.join("program"));
    let flags = arguments(definition, variant, root)?;
    let mut compile = Command::new("gcc");
    compile.args(SANITIZERS).args(flags).args(["-Dmain=benchmark_main", "-c"]);
    done(compile.arg(&definition.file).arg("-o").arg(&object))?;
    let mut link = Command::new("gcc");
    done(link.args(SANITIZERS).arg(&object).arg(root.join("benchmarks/label.c")).arg("-o").arg(&program))?;
    // A driver keeps its state in variables and runs until its inputs end; a piece begins anew with each call of main.
    let (runs, draws, fork) = if definition.foreign.is_some() { (runs, 4096, "0") } else { (runs / 500, 600, "1") };
    let mut command = Command::new(&program);
    command.arg(if definition.all_inputs { "all" } else { "random" });
    command.args([runs.to_string(), draws.to_string(), fork.into()]);
    command.arg(latin1(&definition.alphabet));
    command.env("ASAN_OPTIONS", "detect_leaks=0:exitcode=4:detect_stack_use_after_return=1");
    command.env("UBSAN_OPTIONS", "exitcode=4");
    let output = command.output().with_context(|| format!("cannot start {}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout).trim().replace('\n', ", ");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let error = errors.lines().find(|l| l.contains("ERROR") || l.contains("runtime error")).unwrap_or("it crashed");
    match output.status.code() {
        Some(0) if definition.all_inputs && !said.ends_with("complete") => {
            bail!("{}: {runs} runs are not all inputs ({said})", definition.file.display())
        }
        Some(0) => Ok(Behaviour::Fine(said)),
        Some(2) => bail!("{}: label.c does not take its arguments", definition.file.display()),
        Some(3) => Ok(Behaviour::Assertion(said)),
        _ => Ok(Behaviour::Undefined(error.to_owned())),
    }
}

/// An argument whose bytes are the characters' numbers.
fn latin1(text: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(text.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect())
}

fn done(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} fails:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

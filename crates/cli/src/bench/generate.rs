//! What others want who run many tasks: a benchmark definition for BenchExec, and a job script for SLURM.

use super::args::GenerateArgs;
use super::tasks;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The benchmark definition. Files are named by absolute paths: BenchExec looks for them relative to the definition, which is printed
/// and so can lie anywhere.
pub(super) fn benchexec(args: &GenerateArgs) -> Result<String, String> {
    let found = tasks::collect(&args.sets, args.property.as_deref())?;
    let mut properties: Vec<PathBuf> = found.tasks.iter().filter_map(|t| t.property.clone()).collect();
    properties.iter_mut().for_each(|p| *p = p.canonicalize().unwrap_or_else(|_| p.clone()));
    properties.sort();
    properties.dedup();
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 3.0//EN\" \
         \"https://www.sosy-lab.org/benchexec/benchmark-3.0.dtd\">\n\
         <benchmark tool=\".hardbop\" displayName=\"hardbop\" timelimit=\"{} s\" hardtimelimit=\"{} s\" memlimit=\"{} MB\" \
         cpuCores=\"1\">\n  <require cpuCores=\"1\"/>\n  <resultfiles>**/witness.*</resultfiles>\n  \
         <option name=\"--witness\">witness.yml</option>\n  <option name=\"--witness-graphml\">witness.graphml</option>\n",
        args.cpu,
        args.cpu + args.cpu / 15 + 1,
        args.memory
    );
    for option in &args.options {
        let _ = writeln!(out, "  <option name=\"{}\"/>", escaped(option));
    }
    out += "  <rundefinition name=\"hardbop\"/>\n";
    for property in &properties {
        let name = property.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        for set in &args.sets {
            let (set_name, what, path) = included(set)?;
            let _ = writeln!(out, "  <tasks name=\"{}.{}\">", escaped(&set_name), escaped(&name));
            let _ = writeln!(out, "    <{what}>{}</{what}>", escaped(&path));
            let _ = writeln!(
                out,
                "    <propertyfile>{}</propertyfile>\n  </tasks>",
                escaped(&property.display().to_string())
            );
        }
    }
    Ok(out + "</benchmark>\n")
}

/// How BenchExec includes what a set, a folder or a definition means.
fn included(given: &str) -> Result<(String, &'static str, String), String> {
    let path = Path::new(given).canonicalize().map_err(|e| format!("{given}: {}", crate::input::reason(&e)))?;
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let shown = path.display().to_string();
    Ok(if path.is_dir() {
        (name, "include", format!("{shown}/**/*.yml"))
    } else if given.ends_with(".set") {
        (name, "includesfile", shown)
    } else {
        (name, "include", shown)
    })
}

/// The job script: each element of the array is a shard with a log of its own.
pub(super) fn slurm(args: &GenerateArgs) -> Result<String, String> {
    let found = tasks::collect(&args.sets, args.property.as_deref())?;
    let shards = (args.shards as usize).min(found.tasks.len());
    // As long as all tasks of a shard could take, with room for what is not the analysis.
    let seconds = found.tasks.len().div_ceil(shards) as u64 * (u64::from(args.cpu) * 5 / 4 + 10);
    let minutes = seconds.div_ceil(60).max(1);
    let mut sets = String::new();
    for set in &args.sets {
        let path = Path::new(set).canonicalize().map_err(|e| format!("{set}: {}", crate::input::reason(&e)))?;
        let _ = write!(sets, " {}", shell_word(&path.display().to_string()));
    }
    let property = args.property.as_ref().map_or(String::new(), |p| format!(" --property {}", shell_word(p)));
    let limits = [
        "--cpu-time".to_owned(),
        format!("{}s", args.cpu),
        "--memory".to_owned(),
        format!("{}M", args.memory - args.memory / 10),
    ];
    let options = limits.iter().chain(&args.options).map(|o| shell_word(o)).collect::<Vec<_>>().join(" ");
    Ok(format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=hardbop\n\
         #SBATCH --array=1-{shards}\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --mem={}M\n\
         #SBATCH --time={minutes}\n\
         #SBATCH --output=hardbop-%A-%a.out\n\
         # {} tasks in {shards} shards. A job that is queued again goes on where it was.\n\
         # Then: hardbop bench merge bench-*.jsonl --csv bench.csv\n\
         set -u\n\
         hardbop=${{HARDBOP:-hardbop}}\n\
         \"$hardbop\" bench{sets}{property} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" \
         --log \"bench-$SLURM_ARRAY_TASK_ID.jsonl\" -- {options}\n\
         status=$?\n\
         # A wrong answer (10) is a result, not a failed job.\n\
         [ $status -eq 10 ] || exit $status\n",
        args.memory,
        found.tasks.len()
    ))
}

/// A word that the shell takes as it is.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell_are_quoted() {
        assert_eq!(shell_word("a/b-1.yml"), "a/b-1.yml");
        assert_eq!(shell_word("my set's $x"), "'my set'\\''s $x'");
        assert_eq!(shell_word(""), "''");
    }
}

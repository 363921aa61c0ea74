//! Programs of Csmith, a random generator of C programs without undefined behaviour: interpreted and compiled by gcc they
//! have the same checksum. It covers pointers, structures, unions, bit-fields, arrays, floats and jumps in other
//! combinations than our own generators.

use crate::fuzz::Case;
use ir::DataModel;
use ir::interp::{self, End, Limits, Unobserved, ZeroInputs};
use std::path::Path;
use std::process::{Command, Output};
use testkit::statistics::Statistics;

/// Where Debian puts Csmith's headers.
const HEADERS: &str = "/usr/include/csmith";
/// Steps after which the interpreter gives up on a program.
const STEPS: u64 = 50_000_000;

/// The case with this seed.
pub(crate) fn case(seed: u64) -> Case {
    let folder = std::env::temp_dir().join(format!("hardbop-csmith-{}-{seed}", std::process::id()));
    let result = std::fs::create_dir_all(&folder).map_err(|e| e.to_string()).and_then(|()| compare(seed, &folder));
    // A folder that cannot be removed is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    match result {
        Ok(case) => case,
        Err(why) => Case::Skipped(why),
    }
}

fn run(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))
}

fn compare(seed: u64, folder: &Path) -> Result<Case, String> {
    let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let (source, exe) = (folder.join("a.c"), folder.join("a.exe"));
    // It writes a file about the machine where it runs.
    let mut csmith = Command::new("csmith");
    csmith.current_dir(folder);
    csmith.args(["--seed", &seed.to_string(), "--max-funcs", "6", "-o"]).arg(&source);
    if seed.is_multiple_of(3) {
        csmith.arg("--float");
    }
    run(&mut csmith)?;
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    // The checksum is what `main` returns, beside what it prints.
    let text = text.replace("    return 0;\n}", "    return (int)(crc32_context ^ 0xFFFFFFFFUL);\n}");
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let flag = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse", flag, "-I", HEADERS]);
    let built = run(gcc.arg(&source).arg("-o").arg(&exe))?;
    if !built.status.success() {
        return Err("gcc refuses the program".to_owned());
    }
    let said = run(Command::new("timeout").arg("5").arg(&exe))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let Some(expected) = said.trim().strip_prefix("checksum = ").and_then(|x| u32::from_str_radix(x, 16).ok()) else {
        return Err("the compiled program takes too long".to_owned());
    };
    let plain = run(Command::new("gcc").args(["-E", "-w", flag, "-I", HEADERS]).arg(&source))?;
    let text = String::from_utf8_lossy(&plain.stdout).into_owned();
    Ok(match interpret(&text, model) {
        Ok(seen) if seen == expected => Case::Passed(Statistics::new()),
        Ok(seen) => Case::Failed(format!("seed {seed}: compiled {expected:#x}, interpreted {seen:#x}")),
        Err(Refusal::Limit) => return Err("the interpreter takes too long".to_owned()),
        // Csmith's floats do overflow the integers they are converted to.
        Err(Refusal::FloatToInt) => return Err("a float does not fit its integer".to_owned()),
        Err(Refusal::Other(why)) => Case::Failed(format!("seed {seed}: {why}")),
    })
}

enum Refusal {
    Limit,
    FloatToInt,
    Other(String),
}

fn interpret(text: &str, model: DataModel) -> Result<u32, Refusal> {
    let compiled = testkit::compile::compile("csmith.c", text, model, &lower::Options::default());
    let compiled = compiled.map_err(Refusal::Other)?;
    if let Some(why) = compiled.unsupported.first() {
        return Err(Refusal::Other(format!("not supported: {why}")));
    }
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let run = interp::run(&compiled.program, &mut ZeroInputs, &limits, &mut Unobserved);
    match run.end {
        End::Exited(Some(value)) => Ok(value.bits as u32),
        End::Limit(_) => Err(Refusal::Limit),
        End::Ub { ub: ir::Ub::FloatToInt, .. } => Err(Refusal::FloatToInt),
        other => Err(Refusal::Other(format!("the run ends badly: {other:?}"))),
    }
}

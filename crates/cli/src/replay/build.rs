//! Compiles the program together with its harness, runs it, and says whether the defect showed.
//!
//! Defects that are calls or assertions are noticed by the harness. Undefined behaviour is noticed by the compiler's sanitizers:
//! what they say must be of the kind that was found, on the line where it was found.

use super::harness::{Harness, LEFT, SAYS, SHOWN};
use crate::compiled::{Folder, run_for};
use crate::os;
use crate::settings::{DataModel, ProgramSettings};
use ir::{ErrorKind, Ub, UbPolicy};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What is to be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// This function is called.
    Reached(String),
    /// An assertion fails.
    Assertion,
    /// Undefined behaviour of this kind happens.
    Undefined(Ub),
    /// Memory is not freed at the end.
    Leak,
}

impl Defect {
    /// What a run that ends so shows; the error is why no compiled program can show it.
    pub(super) fn of(kind: &ErrorKind) -> Result<Defect, String> {
        match kind {
            ErrorKind::Reached(name) => Ok(Defect::Reached(name.clone())),
            ErrorKind::Assert(text) if text == ir::leaks::AT_END => Ok(Defect::Leak),
            ErrorKind::Assert(text) if text == ir::leaks::AT_RETURN => Ok(Defect::Leak),
            ErrorKind::Assert(_) => Ok(Defect::Assertion),
            ErrorKind::Ub(ub) => Ok(Defect::Undefined(*ub)),
            ErrorKind::Rule(_) => Err("a broken rule is seen by nobody but hardbop: the program itself goes on".into()),
        }
    }

    /// What sanitizers say about it.
    fn words(&self) -> &'static [&'static str] {
        match self {
            Defect::Reached(_) | Defect::Assertion => &[],
            Defect::Leak => &["LeakSanitizer: detected memory leaks"],
            Defect::Undefined(ub) => match ub {
                Ub::SignedOverflow => &["signed integer overflow", "negation of", "cannot be represented"],
                Ub::DivByZero => &["division by zero", "AddressSanitizer: FPE"],
                Ub::DivOverflow => &["cannot be represented", "AddressSanitizer: FPE"],
                Ub::ShiftCount => &["shift exponent", "left shift of"],
                Ub::NullDeref => &["null pointer", "AddressSanitizer: SEGV"],
                Ub::OutOfBounds => &[
                    "buffer-overflow",
                    "buffer-underflow",
                    "out of bounds",
                    "insufficient space for an object",
                    "AddressSanitizer: SEGV",
                    "unknown-crash",
                    "negative-size-param",
                    "heap-use-after-free",
                    "stack-use-after",
                ],
                Ub::UseAfterFree => &["use-after-free", "use-after-scope", "use-after-return", "stack-use-after"],
                Ub::BadFree => &["double-free", "bad-free", "not malloc()-ed"],
                Ub::BadCall | Ub::ConstWrite => &["AddressSanitizer: SEGV", "AddressSanitizer: BUS"],
                Ub::Overlap => &["param-overlap"],
                Ub::FloatToInt => &["outside the range of representable values"],
                Ub::Unreachable => &["unreachable"],
                Ub::PointerWrap => &["pointer index expression", "applying non-zero offset", "applying zero offset"],
                Ub::NoRoom => &["stack-overflow"],
            },
        }
    }

    fn needs_sanitizers(&self) -> bool {
        matches!(self, Defect::Undefined(_) | Defect::Leak)
    }
}

/// How the compiled program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// The defect showed; what was said about it.
    Shown(String),
    /// It did something else.
    Otherwise(String),
    /// There is no compiled program, or no answer from it.
    Failed(String),
}

/// How long the compiled program may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// Flags with which the program's files are compiled.
pub(super) fn flags(
    settings: &ProgramSettings,
    policy: UbPolicy,
    defect: &Defect,
    harness: &Harness,
    zeroes: bool,
) -> Vec<String> {
    let mut flags: Vec<&str> = vec!["-g", "-O0", "-w", "-fno-strict-aliasing", "-fkeep-static-functions"];
    flags.push(if settings.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    if policy == UbPolicy::Ignored {
        flags.push("-fwrapv");
    }
    if defect.needs_sanitizers() {
        flags.extend(["-fsanitize=address,undefined,float-cast-overflow", "-fno-omit-frame-pointer"]);
    }
    if harness.watches {
        flags.push("-finstrument-functions");
    }
    if zeroes {
        flags.push("-ftrivial-auto-var-init=zero");
    }
    if harness.own_main {
        flags.push("-Dmain=hb_program_main");
    }
    flags.into_iter().map(str::to_string).collect()
}

/// Flags with which the program is linked.
pub(super) fn link_flags(harness: &Harness) -> Vec<String> {
    let wrap = super::plan::WRAPPED.iter().map(|w| format!("-Wl,--wrap={w}"));
    let mut flags: Vec<String> = if harness.wraps { wrap.collect() } else { Vec::new() };
    flags.push("-lm".into());
    flags
}

/// What is compiled and looked for.
pub(super) struct Task<'a> {
    /// The files of the program, preprocessed, with the names they had.
    pub units: Vec<(&'a str, &'a str)>,
    /// How they are compiled.
    pub flags: &'a [String],
    /// The harness as a whole.
    pub harness: &'a str,
    /// What it needs.
    pub needs: &'a Harness,
    /// What is to be seen.
    pub defect: &'a Defect,
    /// The line on which it is to be seen, and the file.
    pub place: (String, u32),
}

/// Compiles, links and runs.
pub(super) fn try_out(task: &Task<'_>) -> Ran {
    attempt(task).unwrap_or_else(Ran::Failed)
}

fn attempt(task: &Task<'_>) -> Result<Ran, String> {
    let folder = Folder::new().map_err(|e| format!("cannot create a temporary folder: {e}"))?;
    let folder = folder.path();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(|e| format!("cannot write to the temporary folder: {e}"))
    };
    let mut objects = Vec::new();
    for (i, (name, text)) in task.units.iter().enumerate() {
        let (source, object) = (format!("unit{i}.i"), format!("unit{i}.o"));
        // What was not preprocessed has its own name all the same.
        let marked = if text.starts_with("# ") { (*text).to_string() } else { format!("# 1 \"{name}\"\n{text}") };
        write(&source, &marked)?;
        let mut cc = tool("cc", folder);
        cc.arg("-c").args(task.flags.iter().filter(|f| !f.starts_with("-D")));
        cc.args(["-fpermissive", "-x", "cpp-output", &source, "-o", &object]);
        finish(&mut cc, "the compiler refuses the program")?;
        // A preprocessed file takes no macros any more.
        let renamed = task.needs.own_main.then(|| "--redefine-sym=main=hb_program_main".to_string());
        let changes = task.needs.globalize.iter().map(|g| format!("--globalize-symbol={g}")).chain(renamed);
        let changes: Vec<String> = changes.collect();
        if !changes.is_empty() {
            let mut objcopy = tool("objcopy", folder);
            objcopy.args(changes).arg(&object);
            finish(&mut objcopy, "a static function or object cannot be made visible")?;
        }
        objects.push(object);
    }
    write("harness.c", task.harness)?;
    let mut cc = tool("cc", folder);
    cc.args(task.flags.iter().filter(|f| !f.starts_with("-D") && *f != "-finstrument-functions"));
    // A declaration of a function of the compiler's own with other types is no mistake here.
    cc.args(["-std=gnu17", "-fno-builtin", "-no-pie", "-o", "program", "harness.c"])
        .args(&objects)
        .args(link_flags(task.needs));
    finish(&mut cc, "the program does not link")?;
    run(task, folder)
}

fn tool(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.current_dir(folder).env("LC_ALL", "C").stdin(Stdio::null());
    os::without_limit(&mut command);
    command
}

fn finish(command: &mut Command, otherwise: &str) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("`{name}` cannot be started: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|l| l.contains("error") || l.contains("undefined")).or(said.lines().next());
    Err(format!("{otherwise}: {}", first.unwrap_or("it says nothing")))
}

fn run(task: &Task<'_>, folder: &Path) -> Result<Ran, String> {
    let said = folder.join("said");
    let file = std::fs::File::create(&said).map_err(|e| e.to_string())?;
    let mut command = tool("./program", folder);
    command.stdout(Stdio::null()).stderr(file);
    let leaks = u8::from(*task.defect == Defect::Leak);
    command.env("ASAN_OPTIONS", format!("detect_leaks={leaks}:detect_stack_use_after_return=1:exitcode=98"));
    command.env("UBSAN_OPTIONS", "print_stacktrace=0");
    let status = run_for(&mut command, PATIENCE).map_err(|e| format!("the program cannot be started: {e}"))?;
    let said = String::from_utf8_lossy(&std::fs::read(&said).unwrap_or_default()).into_owned();
    let Some(status) = status else {
        return Err(format!("the program still ran after {} s", PATIENCE.as_secs()));
    };
    Ok(judge(task.defect, &task.place, &said, status))
}

/// What the program's end and its words say about the defect.
fn judge(defect: &Defect, place: &(String, u32), said: &str, status: std::process::ExitStatus) -> Ran {
    use std::os::unix::process::ExitStatusExt;
    if let Some(report) = sanitizer_says(defect, place, said) {
        return Ran::Shown(report);
    }
    let own = said.lines().rev().find_map(|l| l.strip_prefix(SAYS));
    match (own, status.code()) {
        (Some(words), Some(SHOWN)) => match defect {
            Defect::Reached(name) if words == format!("call of {name}") => Ran::Shown(words.to_string()),
            Defect::Assertion if words == "assertion fails" => Ran::Shown(words.to_string()),
            Defect::Assertion if words == format!("assertion fails at line {}", place.1) => {
                Ran::Shown(words.to_string())
            }
            _ => Ran::Otherwise(format!("the program goes wrong elsewhere: {words}")),
        },
        (Some(words), Some(LEFT)) => Ran::Otherwise(words.to_string()),
        _ => {
            let words = said.lines().find(|l| l.contains("runtime error:") || l.contains("ERROR: "));
            let words = words.map_or(String::new(), |w| format!("; it says: {}", w.trim()));
            Ran::Otherwise(match (status.code(), status.signal()) {
                (Some(code), _) => format!("it ended with exit code {code}{words}"),
                (None, Some(signal)) => format!("it ended by signal {}{words}", os::signal_name(signal)),
                (None, None) => format!("its end could not be observed{words}"),
            })
        }
    }
}

/// The line of a sanitizer that reports the defect on its line.
fn sanitizer_says(defect: &Defect, (file, line): &(String, u32), said: &str) -> Option<String> {
    let words = defect.words();
    let lines: Vec<&str> = said.lines().collect();
    let about = |l: &str| words.iter().any(|w| l.contains(w));
    let name = file.rsplit('/').next().unwrap_or(file);
    let here = format!("{name}:{line}");
    let is_here =
        |l: &str| l.match_indices(&here).any(|(at, _)| !l[at + here.len()..].starts_with(|c: char| c.is_ascii_digit()));
    lines.iter().enumerate().find_map(|(i, l)| {
        if !about(l) {
            return None;
        }
        let found = if l.contains("runtime error:") {
            is_here(l)
        } else {
            *defect == Defect::Leak
                || lines[i..].iter().skip(1).take_while(|l| !l.trim().is_empty()).any(|l| is_here(l))
        };
        found.then(|| l.trim_start_matches('=').trim().to_string())
    })
}

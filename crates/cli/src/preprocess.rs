//! The system's C preprocessor, for files that contain directives.
//!
//! It runs without the worker's memory limit and ends with the worker. It is told the data model, since headers depend on
//! it.

use crate::database::Flags;
use crate::input::{InputError, reason};
use crate::os;
use crate::settings::{DataModel, ProgramSettings};
use std::process::{Command, Stdio};

/// The output of `cc -E` for the file `name`.
pub(crate) fn preprocess(name: &str, settings: &ProgramSettings, build: Option<&Flags>) -> Result<Vec<u8>, InputError> {
    preprocess_with(name, settings, build, None)
}

/// All macros that are defined at the ends of the files of a program, with what they stand for.
pub(crate) fn macros(settings: &ProgramSettings) -> Result<Vec<(String, String)>, InputError> {
    let database = settings.compile_commands.as_ref().map(|p| crate::database::read(p)).transpose()?;
    let mut all = Vec::new();
    for name in settings.files.iter().filter(|n| !n.ends_with(".i")) {
        let build = database.as_ref().map(|d| d.flags(name, settings)).transpose()?;
        let text = preprocess_with(name, settings, build.as_ref(), Some("-dM"))?;
        for line in String::from_utf8_lossy(&text).lines() {
            let Some(rest) = line.strip_prefix("#define ") else { continue };
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let means = rest[end..].split_once(if rest[end..].starts_with('(') { ')' } else { ' ' });
            all.push((rest[..end].to_owned(), means.map_or("", |(_, m)| m).trim().to_owned()));
        }
    }
    Ok(all)
}

fn preprocess_with(
    name: &str,
    settings: &ProgramSettings,
    build: Option<&Flags>,
    mode: Option<&str>,
) -> Result<Vec<u8>, InputError> {
    let (compiler, own) = compiler(name, settings)?;
    let mut command = Command::new(compiler);
    command.arg("-E").args(mode).args(own);
    let mut own = settings.preprocessor.clone();
    let mut file = if name.starts_with('-') { format!("./{name}") } else { name.to_string() };
    if let Some(Flags { flags, directory, .. }) = build {
        command.args(flags);
        if let Some(directory) = directory.as_ref().filter(|d| d.is_dir()) {
            // Relative names are the build's; the file's own is ours.
            file = std::path::absolute(&file).map_or(file, |p| p.display().to_string());
            command.current_dir(directory);
            own.iter_mut().for_each(|flag| *flag = from_here(flag));
        }
    }
    command.args(own);
    // Whatever its name ends in, the file is C: a compiler ignores names it does not know, with success.
    command.args(["-x", "c"]);
    // A name that starts with a dash must not become an option.
    command.arg(file);
    command.env("LC_ALL", "C").stdin(Stdio::null());
    os::without_limit(&mut command);
    let output = command.output().map_err(|e| {
        let what = match e.kind() {
            std::io::ErrorKind::NotFound => {
                format!(
                    "the file contains preprocessor directives, but there is no C compiler `{compiler}` to preprocess it; \
                     install one, or give a preprocessed file (.i)"
                )
            }
            _ => format!("the preprocessor `{compiler} -E` cannot be started: {}", reason(&e)),
        };
        InputError::new(name, &what)
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let Some((message, head)) = first_diagnostic(&said) else {
        return Err(InputError::new(
            name,
            &format!("the preprocessor `{compiler} -E` failed without a message ({})", output.status),
        ));
    };
    let mut message = format!("{message}\nnote: this is the preprocessor's message (`{compiler} -E`)");
    if message.contains("No such file") {
        message +=
            "\nnote: -I FOLDER says where headers are, -p BUILD takes it from the compilation database of a build";
        if settings.data_model != DataModel::HOST {
            message += "; headers for the other data model may be missing (on Debian: gcc-multilib)";
        }
    }
    Err(InputError { message, reason: format!("preprocessor: {head}") })
}

/// A flag of the command line for a compiler that runs elsewhere: names of folders and files in it are meant from here.
fn from_here(flag: &str) -> String {
    let absolute = |name: &str| std::path::absolute(name).map_or(name.to_owned(), |p| p.display().to_string());
    match flag.strip_prefix("-I") {
        Some(folder) => format!("-I{}", absolute(folder)),
        // The value of `-include` stands alone; a header that is not here is looked for like any other.
        None if !flag.starts_with('-') && std::path::Path::new(flag).exists() => absolute(flag),
        None => flag.to_owned(),
    }
}

/// The compiler that preprocesses for the program's machine, and what it has to be told.
fn compiler(name: &str, settings: &ProgramSettings) -> Result<(&'static str, Vec<&'static str>), InputError> {
    Ok(match settings.machine.as_deref() {
        Some("arm-none-eabi") => ("arm-none-eabi-gcc", Vec::new()),
        Some("aarch64") => ("aarch64-linux-gnu-gcc", Vec::new()),
        Some(cfront::abi::WINDOWS) => ("x86_64-w64-mingw32-gcc", Vec::new()),
        Some("riscv32") => ("riscv64-linux-gnu-gcc", vec!["-march=rv32imac", "-mabi=ilp32"]),
        Some(_) => ("riscv64-linux-gnu-gcc", Vec::new()),
        None => ("cc", data_model_flag(name, settings.data_model)?.into_iter().collect()),
    })
}

/// `-m32` or `-m64`, on processors whose compilers know them.
fn data_model_flag(name: &str, model: DataModel) -> Result<Option<&'static str>, InputError> {
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        Ok(Some(match model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }))
    } else if model == DataModel::HOST {
        Ok(None)
    } else {
        Err(InputError::new(name, "this machine's compiler cannot preprocess for the other data model; give a .i file"))
    }
}

/// The first error in a compiler's output: the lines that say how it was included, the line that says what it is, and
/// its excerpt; and that one line alone.
fn first_diagnostic(said: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).collect();
    let head = lines.iter().position(|l| l.contains("error:")).or((!lines.is_empty()).then_some(0))?;
    let is_inclusion = |l: &&str| l.starts_with("In file included from") || l.trim_start().starts_with("from ");
    let first = head - lines[..head].iter().rev().take_while(|l| is_inclusion(l)).count();
    let excerpt = lines[head + 1..].iter().take_while(|l| l.starts_with(' ')).count();
    Some((lines[first..=head + excerpt].join("\n"), lines[head].to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_cut_out_with_its_excerpt() {
        let said = "a.c:1:2: warning: odd\n    1 | x\n      | ^\nIn file included from a.c:1:\nb.h:1:2: error: #error no\n    1 | #error no\n      |  ^~~~~\na.c:9:9: error: more\n";
        let (message, head) = first_diagnostic(said).unwrap();
        assert_eq!(head, "b.h:1:2: error: #error no");
        assert_eq!(
            message,
            "In file included from a.c:1:\nb.h:1:2: error: #error no\n    1 | #error no\n      |  ^~~~~"
        );
        assert_eq!(first_diagnostic("cc: unknown\n").unwrap().1, "cc: unknown");
        assert_eq!(first_diagnostic("\n"), None);
    }
}

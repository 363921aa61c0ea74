//! Compilation databases (`compile_commands.json`, as CMake, Meson and Bear write them): with which flags a build compiles
//! each file. Only what the preprocessor needs is taken; a flag that changes the meaning of C in a way that is not
//! followed is an error rather than a silent difference.

use crate::input::{Choices, InputError, reason};
use crate::settings::{DataModel, ProgramSettings};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One command of the build.
#[derive(Clone, Debug, Deserialize)]
struct Entry {
    directory: String,
    file: String,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// How one file is preprocessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// For the preprocessor, before those of the command line.
    pub(crate) flags: Vec<String>,
    /// Where the compiler runs.
    pub(crate) directory: Option<PathBuf>,
    /// What C leaves to the compiler.
    pub(crate) choices: Choices,
}

/// A database that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    name: String,
    entries: Vec<Entry>,
}

/// Options with a value of their own that the preprocessor needs.
const WITH_VALUE: [&str; 8] = ["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter"];
/// Prefixes of other options that it needs.
const PLAIN: [&str; 6] = ["-std=", "-ansi", "-nostdinc", "-pthread", "-fopenmp", "--sysroot"];
/// Options that give C another meaning than the one hardbop gives it.
const FOREIGN: [&str; 12] = [
    "-fpack-struct",
    "-malign-double",
    "-mbig-endian",
    "-mx32",
    "-m16",
    "-mabi=ms",
    "-mms-bitfields",
    "-mlong-double-",
    "-fsingle-precision-constant",
    "-finput-charset",
    "-fexec-charset",
    "@",
];
/// The preprocessor defines a macro for what these choose.
const SIGN_OF_CHAR: [&str; 4] = ["-funsigned-char", "-fno-signed-char", "-fsigned-char", "-fno-unsigned-char"];
/// With this `wchar_t` has 16 bits: headers follow it, but wide literals would have another type.
const SHORT_WCHAR: &str = "-fshort-wchar";

/// Reads a database; a folder means the `compile_commands.json` in it.
pub(crate) fn read(path: &str) -> Result<Database, InputError> {
    let mut file = PathBuf::from(path);
    if file.is_dir() {
        file.push("compile_commands.json");
    }
    let name = file.display().to_string();
    let text = std::fs::read_to_string(&file)
        .map_err(|e| InputError::new(&name, &format!("cannot read the compilation database: {}", reason(&e))))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|e| {
        let place = format!("{name}:{}:{}", e.line(), e.column());
        let what = e.to_string();
        let what = what.split(" at line").next().unwrap_or(&what).to_owned();
        InputError::new(&place, &format!("this is not a compilation database: {what}"))
    })?;
    // A folder that is not absolute is meant from the database's own.
    let base = std::path::absolute(&file).unwrap_or_else(|_| file.clone());
    let base = base.parent().unwrap_or(Path::new("/"));
    let mut entries = entries;
    for entry in &mut entries {
        entry.directory = base.join(&entry.directory).display().to_string();
    }
    Ok(Database { name, entries })
}

impl Database {
    /// All C files, each once, in their order.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        for entry in &self.entries {
            let file = Path::new(&entry.directory).join(&entry.file).display().to_string();
            if file.ends_with(".c") && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// The flags of a file.
    pub(crate) fn flags(&self, file: &str, settings: &ProgramSettings) -> Result<Flags, InputError> {
        let wanted = real(Path::new(file));
        let found = self.entries.iter().find(|e| real(&Path::new(&e.directory).join(&e.file)) == wanted);
        let Some(entry) = found else {
            return Err(InputError::new(file, &format!("{} has no entry for this file", self.name)));
        };
        let words = match (&entry.arguments, &entry.command) {
            (Some(words), _) => words.clone(),
            (None, Some(line)) => split(line),
            (None, None) => {
                return Err(InputError::new(&self.name, &format!("the entry for {} has no command", entry.file)));
            }
        };
        let flags = select(&words, settings.data_model).map_err(|why| InputError::new(file, &why))?;
        check_machine(&words, settings.machine.as_deref()).map_err(|why| InputError::new(file, &why))?;
        Ok(Flags { flags, directory: Some(PathBuf::from(&entry.directory)), choices: choices(&words) })
    }
}

impl Flags {
    /// Why a preprocessed text has another meaning under these flags than the one it gets here, if so.
    pub(crate) fn trouble(&self, text: &[u8]) -> Option<String> {
        let short = self.flags.iter().any(|f| f == SHORT_WCHAR);
        (short && has_wide_literal(text)).then(|| {
            format!("the build compiles this file with {SHORT_WCHAR}, which is not supported for wide literals")
        })
    }
}

/// Whether a preprocessed text has a literal `L"…"` or `L'…'`.
fn has_wide_literal(text: &[u8]) -> bool {
    let (mut quote, mut i) = (None, 0);
    while i < text.len() {
        match (text[i], quote) {
            (b'\\', Some(_)) => i += 1,
            (b'\n', Some(_)) => quote = None,
            (c, Some(q)) if c == q => quote = None,
            (c @ (b'"' | b'\''), None) => {
                let wide = i > 0 && text[i - 1] == b'L';
                if wide && (i == 1 || !(text[i - 2].is_ascii_alphanumeric() || text[i - 2] == b'_')) {
                    return true;
                }
                quote = Some(c);
            }
            _ => {}
        }
        i += 1;
    }
    false
}

/// The path without links and dots, where it exists.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// What the flags choose; the last one counts.
fn choices(words: &[String]) -> Choices {
    let mut choices = Choices::default();
    for word in words {
        match word.as_str() {
            "-funsigned-char" | "-fno-signed-char" => choices.unsigned_char = Some(true),
            "-fsigned-char" | "-fno-unsigned-char" => choices.unsigned_char = Some(false),
            "-fshort-enums" => choices.short_enums = Some(true),
            "-fno-short-enums" => choices.short_enums = Some(false),
            _ => {}
        }
    }
    choices
}

/// A compiler for another machine than the one that was named would give the text another meaning.
fn check_machine(words: &[String], machine: Option<&str>) -> Result<(), String> {
    let compiler = words.first().map_or("", |w| w.rsplit('/').next().unwrap_or(w));
    // `x86_64-linux-gnu-gcc` and `gcc-12` are this machine's.
    let windows = compiler.starts_with("x86_64-w64-mingw32-");
    let this = (compiler.starts_with("x86_64-") || compiler.starts_with("i686-")) && !compiler.contains("-w64-");
    let foreign = compiler.matches('-').count() >= 2 && !this;
    let narrow = words.iter().any(|w| w.starts_with("-mabi=ilp32"));
    let built_for = match compiler.split('-').next().unwrap_or("") {
        _ if !foreign => None,
        _ if windows => Some(cfront::abi::WINDOWS),
        "riscv32" => Some("riscv32"),
        "riscv64" if narrow => Some("riscv32"),
        "riscv64" => Some("riscv64"),
        "aarch64" if !narrow => Some("aarch64"),
        _ if compiler.starts_with("arm-none-eabi-") => Some("arm-none-eabi"),
        _ => return Err(format!("the build compiles this file with {compiler}, for a machine that is not known")),
    };
    match (built_for, machine) {
        (a, b) if a == b => Ok(()),
        (Some(name), _) => Err(format!("the build compiles this file with {compiler}; add --target {name}")),
        (None, Some(name)) => Err(format!("the build compiles this file with {compiler}, which is not for {name}")),
        (None, None) => Ok(()),
    }
}

/// The flags that matter.
fn select(words: &[String], model: DataModel) -> Result<Vec<String>, String> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let other = match (word.as_str(), model) {
            ("-m32", DataModel::Lp64) => Some("ILP32"),
            ("-m64", DataModel::Ilp32) => Some("LP64"),
            _ => None,
        };
        if let Some(other) = other {
            return Err(format!("the build compiles this file with {word}; add --data-model {other}"));
        }
        if FOREIGN.iter().any(|f| word.starts_with(f)) {
            return Err(format!("the build compiles this file with {word}, which is not supported"));
        }
        if word == SHORT_WCHAR || SIGN_OF_CHAR.contains(&word.as_str()) {
            flags.push(word.clone());
        } else if WITH_VALUE.contains(&word.as_str()) {
            flags.extend([word.clone(), words.next().cloned().unwrap_or_default()]);
        } else if WITH_VALUE[..3].iter().chain(&PLAIN).any(|p| word.starts_with(p)) || word.starts_with("-isystem") {
            flags.push(word.clone());
        }
    }
    Ok(flags)
}

/// A command line split as a shell does it: blanks, both kinds of quotes, backslashes.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (' ' | '\t' | '\n', None) => words.extend(word.take()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_like_a_shell_does() {
        assert_eq!(
            split(r#"cc -DX="a b" '-DY=\n' -DZ=\"q\" -c f.c"#),
            ["cc", "-DX=a b", r"-DY=\n", r#"-DZ="q""#, "-c", "f.c"]
        );
        assert_eq!(split("a '' b"), ["a", "", "b"]);
    }

    #[test]
    fn only_flags_for_the_preprocessor_are_taken() {
        let words = split("cc -O2 -Wall -Iinc -D A=1 -include x.h -isystem /usr/x -std=gnu99 -c f.c -o f.o");
        let flags = select(&words, DataModel::Lp64).unwrap();
        assert_eq!(flags, ["-Iinc", "-D", "A=1", "-include", "x.h", "-isystem", "/usr/x", "-std=gnu99"]);
        assert!(select(&split("cc -m32 f.c"), DataModel::Lp64).unwrap_err().contains("--data-model ILP32"));
        for foreign in ["-fpack-struct=2", "-mbig-endian", "@flags"] {
            assert!(select(&split(&format!("cc {foreign} f.c")), DataModel::Lp64).unwrap_err().contains(foreign));
        }
    }

    #[test]
    fn flags_of_a_kernel_are_taken_and_short_wide_characters_only_without_wide_literals() {
        let line = "gcc-12 -Wp,-MMD,x.d -nostdinc -I./include -include k.h -D__KERNEL__ -fshort-wchar -mcmodel=kernel -mno-sse \
                    -fno-strict-overflow -ftrivial-auto-var-init=zero -pg -mfentry -DMODULE -c -o f.o f.c";
        let flags = select(&split(line), DataModel::Lp64).unwrap();
        assert_eq!(flags, ["-nostdinc", "-I./include", "-include", "k.h", "-D__KERNEL__", "-fshort-wchar", "-DMODULE"]);
        let flags = Flags { flags, ..Flags::default() };
        assert!(flags.trouble(b"int x = L'a';").is_some());
        assert!(flags.trouble(b"char *x = \"L'a'\"; int XL, y = XL 'a';").is_none());
        assert!(Flags::default().trouble(b"int x = L'a';").is_none());
    }

    #[test]
    fn what_compilers_let_one_choose_is_followed_and_other_machines_are_named() {
        let of = |line: &str| choices(&split(line));
        assert_eq!(of("cc f.c"), Choices::default());
        assert_eq!(of("cc -fsigned-char -funsigned-char f.c").unsigned_char, Some(true));
        assert_eq!(
            of("cc -fno-unsigned-char -fshort-enums f.c"),
            Choices { unsigned_char: Some(false), short_enums: Some(true) }
        );
        let check = |line: &str, machine| check_machine(&split(line), machine).map_err(|e| e.contains("add --target"));
        assert_eq!(check("/usr/bin/gcc-12 f.c", None), Ok(()));
        assert_eq!(check("x86_64-linux-gnu-gcc f.c", None), Ok(()));
        assert_eq!(check("arm-none-eabi-gcc f.c", Some("arm-none-eabi")), Ok(()));
        assert_eq!(check("arm-none-eabi-gcc f.c", None), Err(true));
        assert_eq!(check("riscv64-unknown-elf-gcc -mabi=ilp32 f.c", Some("riscv64")), Err(true));
        assert_eq!(check("gcc f.c", Some("aarch64")), Err(false));
        assert_eq!(check("sparc64-linux-gnu-gcc f.c", None), Err(false));
    }
}

//! C text to a checked IR program, as the tool does it.

use base::{Diagnostic, FileId, SourceMap};
use ir::{DataModel, Program};

/// A program with its source.
pub struct Compiled {
    /// The program: valid, and equal to what its text form says.
    pub program: Program,
    /// Where its spans lie.
    pub sources: SourceMap,
    /// The file of the text.
    pub file: FileId,
    /// What could not be lowered.
    pub unsupported: Vec<String>,
}

/// Compiles one text. `Err` is a message for people: the front end's, or what is wrong with the result.
pub fn compile(name: &str, text: &str, model: DataModel, options: &lower::Options) -> Result<Compiled, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let target = match model {
        DataModel::Ilp32 => cfront::Target::Ilp32,
        DataModel::Lp64 => cfront::Target::Lp64,
    };
    let show = |sources: &SourceMap, all: Vec<Diagnostic>| {
        let at = all.first().and_then(|d| d.span).map(|s| sources.locate(s));
        format!("{name}: {at:?}: {}", all.first().map_or("", |d| &d.message))
    };
    let unit = cfront::parse(&mut sources, file, target).map_err(|e| show(&sources, e))?;
    let lowered = lower::lower(&[unit], options).map_err(|e| show(&sources, e))?;
    let program = lowered.program;
    ir::validate::validate(&program).map_err(|v| format!("{name}: the lowered program is not valid: {}", v[0]))?;
    round_trip(&program).map_err(|e| format!("{name}: {e}"))?;
    let unsupported = lowered.unsupported.into_iter().map(|(_, why)| why).collect();
    Ok(Compiled { program, sources, file, unsupported })
}

/// The text form says all of the program: printed, parsed and printed again it is the same.
fn round_trip(program: &Program) -> Result<(), String> {
    let text = ir::text::print(program);
    let mut sources = SourceMap::new();
    let file = sources.add("program.ir", text.as_str());
    let parsed = ir::text::parse(file, &text).map_err(|d| format!("the printed program is not parsed: {d:?}"))?;
    if ir::text::print(&parsed) == text { Ok(()) } else { Err("printing what was parsed gives another text".into()) }
}

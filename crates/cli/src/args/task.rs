//! Task definitions of SV-COMP as input: the files, the data model and the property are what they say.

use super::super::settings::Widths;
use std::path::Path;

/// What a task definition says.
pub(super) struct Said {
    /// The program's files.
    pub files: Vec<String>,
    /// The property file, where none was given.
    pub property: Option<String>,
    /// The data model.
    pub data_model: Option<Widths>,
}

/// Reads a task definition; files that it names lie relative to it. `wanted` is the property file that was given, if any.
pub(super) fn read(path: &str, wanted: Option<&str>) -> Result<Said, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("{path}: cannot read the task definition: {}", crate::input::reason(&e)))?;
    let task = svcomp::task::parse(&text).map_err(|e| format!("{path}: {e}"))?;
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let beside = |file: &String| folder.join(file).to_string_lossy().into_owned();
    let property = match (&task.properties[..], wanted) {
        (_, Some(_)) | ([], None) => None,
        ([only], None) => Some(beside(&only.file)),
        (several, None) => {
            let names: Vec<&str> = several.iter().map(|p| p.file.as_str()).collect();
            return Err(format!("{path} names several properties; choose one with --property: {}", names.join(", ")));
        }
    };
    let data_model = task.data_model.as_deref().map(|m| if m == "ILP32" { Widths::Ilp32 } else { Widths::Lp64 });
    Ok(Said { files: task.input_files.iter().map(beside).collect(), property, data_model })
}

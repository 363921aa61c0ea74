//! Task definitions: which files are a task, in which data model, and which properties are asked about.

use yaml_rust2::{Yaml, YamlLoader};

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program's files, relative to the definition.
    pub input_files: Vec<String>,
    /// `ILP32` or `LP64`, if the task says so.
    pub data_model: Option<String>,
    /// The properties.
    pub properties: Vec<TaskProperty>,
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    /// The file that names it, relative to the definition.
    pub file: String,
    /// Whether it holds, if the task says so.
    pub expected: Option<bool>,
    /// Which part of it is broken.
    pub subproperty: Option<String>,
}

/// Reads a task definition. The error is one sentence.
pub fn parse(text: &str) -> Result<Task, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|e| format!("this is no YAML: {e}"))?;
    let task = documents.first().filter(|d| d.as_hash().is_some()).ok_or("this is no task definition")?;
    let version = match &task["format_version"] {
        Yaml::String(v) => v.clone(),
        Yaml::Real(v) => v.clone(),
        _ => return Err("`format_version` is missing".to_string()),
    };
    if !matches!(version.as_str(), "0.1" | "1.0" | "2.0" | "2.1") {
        return Err(format!("task definitions of version {version} are not supported"));
    }
    let input_files = strings(&task["input_files"]);
    if input_files.is_empty() {
        return Err("`input_files` names no file".to_string());
    }
    if let Some(glob) = input_files.iter().find(|f| f.contains(['*', '?', '['])) {
        return Err(format!("patterns in `input_files` are not supported: {glob}"));
    }
    let options = &task["options"];
    match options["language"].as_str() {
        None | Some("C") => {}
        Some(other) => return Err(format!("tasks in {other} are not supported")),
    }
    let data_model = options["data_model"].as_str().map(str::to_string);
    if let Some(model) = data_model.as_ref().filter(|m| !matches!(m.as_str(), "ILP32" | "LP64")) {
        return Err(format!("the data model {model} is not supported"));
    }
    let properties = task["properties"].as_vec().map_or(&[][..], Vec::as_slice);
    let properties = properties.iter().map(property).collect::<Result<_, _>>()?;
    Ok(Task { input_files, data_model, properties })
}

fn strings(at: &Yaml) -> Vec<String> {
    match at {
        Yaml::String(one) => vec![one.clone()],
        Yaml::Array(many) => many.iter().filter_map(|s| s.as_str().map(str::to_string)).collect(),
        _ => Vec::new(),
    }
}

fn property(at: &Yaml) -> Result<TaskProperty, String> {
    let file = at["property_file"].as_str().ok_or("a property has no `property_file`")?;
    Ok(TaskProperty {
        file: file.to_string(),
        expected: at["expected_verdict"].as_bool(),
        subproperty: at["subproperty"].as_str().map(str::to_string),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
                        expected_verdict: false\n  - property_file: m.prp\n    expected_verdict: false\n    subproperty: \
                        valid-deref\noptions:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task_is_read() {
        let task = parse(TASK).unwrap();
        assert_eq!(task.input_files, ["a.i"]);
        assert_eq!(task.data_model.as_deref(), Some("ILP32"));
        assert_eq!(task.properties.len(), 2);
        assert_eq!(task.properties[1].subproperty.as_deref(), Some("valid-deref"));
        assert_eq!(task.properties[0].expected, Some(false));
        assert_eq!(parse(&TASK.replace("'a.i'", "[a.i, b.i]")).unwrap().input_files, ["a.i", "b.i"]);
    }

    #[test]
    fn what_is_not_supported_is_refused_by_name() {
        for (from, to, message) in [
            ("'2.0'", "'9.0'", "task definitions of version 9.0 are not supported"),
            ("language: C", "language: Java", "tasks in Java are not supported"),
            ("ILP32", "IP16", "the data model IP16 is not supported"),
            ("'a.i'", "'*.i'", "patterns in `input_files` are not supported: *.i"),
            ("input_files", "other", "`input_files` names no file"),
        ] {
            assert_eq!(parse(&TASK.replace(from, to)), Err(message.to_string()), "{from}");
        }
        assert!(parse("- a").is_err() && parse("").is_err() && parse(": : :").is_err());
    }
}

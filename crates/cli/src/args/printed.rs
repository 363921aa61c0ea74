//! Commands that only print something: explanations of codes, completions, the manual page.

use super::{Cli, Command, EXIT_CODES};
use crate::codes;
use crate::near_miss::is_near;

/// What a command that does no work prints.
pub(super) fn printed(command: &Command) -> Option<Result<String, String>> {
    let definition = <Cli as clap::CommandFactory>::command;
    let text = |bytes: Vec<u8>| Ok(String::from_utf8_lossy(&bytes).into_owned());
    match command {
        Command::Explain { code: None } => Some(Ok(codes::list())),
        Command::Explain { code: Some(code) } => Some(explain(code)),
        Command::Completions { shell } => {
            let mut out = Vec::new();
            clap_complete::generate(*shell, &mut definition(), "hardbop", &mut out);
            Some(text(out))
        }
        Command::Harness(args) => Some(args.text()),
        Command::Man => Some(man(&definition()).map_err(|e| e.to_string()).and_then(text)),
        _ => None,
    }
}

/// What there is to say about a code, or about all kinds of defects that a name of `--check` means.
fn explain(code: &str) -> Result<String, String> {
    if let Some(found) = codes::find(code) {
        return Ok(codes::explain(found));
    }
    let kinds: Vec<String> = codes::looked_for_with(code).map(codes::explain).collect();
    if !kinds.is_empty() {
        return Ok(kinds.join("\n"));
    }
    let near = codes::all().find(|c| is_near(c.id, code)).map(|c| format!("did you mean `{}`? ", c.id));
    Err(format!("there is no code `{code}`; {}`hardbop explain` lists all of them", near.unwrap_or_default()))
}

/// The manual page: the command, then each of its commands with its options.
fn man(definition: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let page = clap_mangen::Man::new(definition.clone());
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    page.render_options_section(&mut out)?;
    for command in definition.get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let name = format!("hardbop {}", command.get_name());
        let page = clap_mangen::Man::new(command.clone().disable_help_flag(true));
        out.extend(format!(".SH \"{}\"\n{about}\n", name.to_uppercase()).bytes());
        let mut options = Vec::new();
        page.render_options_section(&mut options)?;
        // Its options are a part of this section, not one of their own.
        out.extend(String::from_utf8_lossy(&options).replacen(".SH OPTIONS", ".SS Options", 1).bytes());
    }
    page_end(&mut out);
    Ok(out)
}

/// Exit codes, which every command shares.
fn page_end(out: &mut Vec<u8>) {
    out.extend(b".SH \"EXIT STATUS\"\n".iter());
    out.extend(EXIT_CODES.replace("Exit codes: ", "").bytes());
    out.push(b'\n');
}

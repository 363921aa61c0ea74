//! `asm goto` beside gcc: where the compiled program goes, hardbop's can go. Programs with a template that jumps under a condition are
//! compiled and run; if the error is reached there, the answer is UNSAFE. A template without instructions does not jump: then
//! both answers are the same.
#![allow(clippy::print_stderr, reason = "a test that skips says so aloud")]

use crate::support::Folder;
use std::process::Command;

/// Templates with two labels; `%0` is an input.
const TEMPLATES: [&str; 6] = [
    "",
    "jmp %l[one]",
    "jmp %l[two]",
    "testl %0, %0; jne %l[one]",
    "testl %0, %0; jne %l[one]; jmp %l[two]",
    "cmpl $1, %0; je %l[two]; ja %l[one]",
];

/// A program that reaches the error if the template goes to the `wanted` of: behind it, the first label, the second.
fn program(template: &str, input: u32, wanted: usize) -> String {
    let error = |here: usize| if here == wanted { "reach_error();" } else { "" };
    format!(
        "#include <stdlib.h>\n#ifdef RUN\nvoid reach_error(void) {{ exit(7); }}\n#else\nextern void reach_error(void);\n#endif\n\
         int main(void) {{\n  unsigned x = {input};\n  __asm__ goto(\"{template}\" : : \"r\"(x) : \"cc\" : one, two);\n  {}\n  \
         return 0;\none:\n  {}\n  return 0;\ntwo:\n  {}\n  return 0;\n}}\n",
        error(0),
        error(1),
        error(2)
    )
}

#[test]
fn where_gcc_goes_can_be_gone() {
    let folder = Folder::new("asm_goto");
    let gcc = |args: &[&str]| Command::new("gcc").args(args).current_dir(&folder.0).status();
    folder.file("probe.c", program(TEMPLATES[3], 1, 1));
    if !gcc(&["-w", "-DRUN", "probe.c", "-o", "probe"]).is_ok_and(|s| s.success()) {
        eprintln!("SKIPPED: no gcc for x86");
        return;
    }
    let mut reached = 0;
    for (i, template) in TEMPLATES.iter().enumerate() {
        for (input, wanted) in (0..2).flat_map(|input| (0..3).map(move |wanted| (input, wanted))) {
            let name = format!("p{i}_{input}_{wanted}");
            let file = format!("{name}.c");
            folder.file(&file, program(template, input, wanted));
            assert!(gcc(&["-w", "-DRUN", &file, "-o", &name]).unwrap().success(), "{file}");
            let error = Command::new(folder.0.join(&name)).status().unwrap().code() == Some(7);
            reached += usize::from(error);
            let ran = folder.run(&["check", &file, "--timeout", "60s"]);
            let line = ran.out.lines().last().unwrap_or_default().to_owned();
            let right = if error {
                line.starts_with("Verdict: UNSAFE")
            } else if template.is_empty() {
                line.starts_with("Verdict: SAFE")
            } else {
                line.starts_with("Verdict: SAFE") || line.starts_with("Verdict: UNSAFE")
            };
            assert!(
                right,
                "{file}: gcc's program {} the error: {line}",
                if error { "reaches" } else { "does not reach" }
            );
        }
    }
    // In every program of a template and an input, exactly one of the three is where gcc goes.
    assert_eq!(reached, TEMPLATES.len() * 2);
}

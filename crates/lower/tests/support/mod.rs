//! What the tests share: C text to a valid program, and a run of it on zeroes.
#![allow(dead_code, reason = "each test crate uses its part")]

use base::SourceMap;
use cfront::Target;
use ir::interp::{Execution, Limits, Unobserved, ZeroInputs};
use lower::{Lowered, Options};

/// Lowers one unit and validates the result.
pub(crate) fn lowered(text: &str, target: Target, options: &Options) -> Lowered {
    lowered_units(&[text], target, options).unwrap_or_else(|e| panic!("does not lower: {e:?}"))
}

/// Lowers several units and validates the result.
pub(crate) fn lowered_units(
    files: &[&str],
    target: Target,
    options: &Options,
) -> Result<Lowered, Vec<base::Diagnostic>> {
    let mut sources = SourceMap::new();
    let mut units = Vec::new();
    for (i, text) in files.iter().enumerate() {
        let file = sources.add(format!("{i}.c"), *text);
        let unit = cfront::parse(&mut sources, file, target);
        units.push(unit.unwrap_or_else(|d| panic!("does not parse: {d:?}\n{text}")));
    }
    let lowered = lower::lower(&units, options)?;
    if let Err(violations) = ir::validate::validate(&lowered.program) {
        panic!("{}\n{}", violations[0], ir::text::print(&lowered.program));
    }
    Ok(lowered)
}

/// Runs a program on inputs that are all zero.
pub(crate) fn run(program: &ir::Program) -> Execution {
    ir::interp::run(program, &mut ZeroInputs, &Limits::default(), &mut Unobserved)
}

/// The text of the bodies of `main` and all other functions, without the header.
pub(crate) fn text(text: &str) -> String {
    let printed = ir::text::print(&lowered(text, Target::Lp64, &Options::default()).program);
    let body = printed.lines().skip_while(|l| l.starts_with("ub ") || !l.starts_with("ub ") && is_header(l));
    let mut out: String = body.map(|l| format!("{l}\n")).collect();
    while out.starts_with('\n') {
        out.remove(0);
    }
    out
}

fn is_header(line: &str) -> bool {
    line.starts_with("model ")
        || line.starts_with("externs ")
        || line.starts_with("addresses ")
        || line.starts_with("entry ")
}

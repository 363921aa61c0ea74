//! Comparing two boolean programs statement by statement.

use super::lines;
use super::show::Names;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use base::SourceMap;
use boolprog::{Program, StmtId, print_stmt};
use reach::Difference;

pub(super) fn compare(a: &Program, b: &Program, map: &SourceMap, progress: &mut Progress) -> Outcome {
    progress.phase("compare");
    let different = |reason: String, text: String| Outcome {
        text: lines(&text).collect(),
        ..Outcome::new(Answer::Different, reason)
    };
    match reach::equiv(a, b) {
        Ok(()) => Outcome::new(Answer::Equivalent, "the same relation for every statement"),
        Err(Difference::Unknown(why)) => Outcome::unknown(why.to_string()),
        Err(Difference::Globals) => different("the globals differ".to_string(), String::new()),
        Err(Difference::Procedure(name)) => {
            different(format!("procedure `{name}`: interface, locals or labels differ"), String::new())
        }
        Err(Difference::Shape(name, at)) => {
            different(format!("procedure `{name}`: the statements {at} do not correspond"), both(a, b, map, &name, at))
        }
        Err(Difference::Relation { proc, at, only_in_first, witness }) => {
            let mut text = both(a, b, map, &proc, at);
            let which = if only_in_first { "first" } else { "second" };
            text += &format!("only the {which} program has this step:\n");
            let show = |v: Option<bool>| v.map_or("any", |b| if b { "1" } else { "0" });
            for (name, old, new) in witness {
                text += &format!("  {name}: {} -> {}\n", show(old), show(new));
            }
            different(format!("procedure `{proc}`: the statements {at} have different relations"), text)
        }
    }
}

/// The statement of both programs, with its places.
fn both(a: &Program, b: &Program, map: &SourceMap, proc: &str, at: StmtId) -> String {
    let one = |program: &Program| {
        let Some(p) = program.find_proc(proc).filter(|&p| program.procs[p].body.get(at).is_some()) else {
            return "  (no such statement)\n".to_string();
        };
        let place = Names { program, map }.place(p, at);
        format!("  {place}: {}\n", print_stmt(program, p, at))
    };
    one(a) + &one(b)
}

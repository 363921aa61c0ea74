//! The oracle for what is known of library functions ([`ir::library::c`], and the recipes of `lower`): random calls, run with
//! gcc and glibc, that report everything they did: the result, `errno`, and every byte of the buffers they got and of
//! objects they did not get.
//!
//! What glibc did must be possible: a program that calls the function likewise, and goes wrong where all is as it was seen,
//! is not proved SAFE. Where the function has one outcome, it must be the only one, too: a program that goes wrong where
//! anything is otherwise is not UNSAFE.

mod calls;
mod cases;
mod harness;

use crate::agreement::settings;
use crate::compile::compile;
use crate::gcc::{Build, Gcc};
use crate::statistics::Statistics;
use analysis::Analysis;
use calls::Exact;
use cases::{Case, SIZES, case};
use ir::DataModel;
use verify::{Engine, Silent, Verdict};

/// How many kinds of calls there are; so many seeds in a row have each once.
pub const KINDS: u64 = calls::CALLS.len() as u64;

/// What a call did.
struct Seen<'a> {
    result: i64,
    errno: i32,
    bytes: &'a [u64],
}

/// Judges the calls of the seeds `first .. first + count`.
pub fn library(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let cases: Vec<Case> = (first..first + count).map(case).collect();
    let rows = gcc.rows(&harness::text(&cases), model, Build::O0).map_err(|e| e.to_string())?;
    let (mut stats, mut wrong) = (Statistics::new(), Vec::new());
    stats.add("calls tried", count);
    for row in &rows {
        let [i, result, errno, bytes @ ..] = &row[..] else { return Err(format!("{row:?} is no report")) };
        let case = cases.get(*i as usize).ok_or("a report about no case")?;
        if bytes.len() != SIZES.iter().sum::<usize>() {
            return Err(format!("{row:?} is no report"));
        }
        let seen = Seen { result: *result as i64, errno: *errno as u32 as i32, bytes };
        stats.add("calls", 1);
        if let Err(e) = judge(case, &seen, model, &mut stats) {
            wrong.push(format!("seed {} in {model:?}: {}: {e}", first + i, case.call.name));
        }
    }
    if wrong.is_empty() { Ok(stats) } else { Err(wrong.join("\n")) }
}

fn judge(case: &Case, seen: &Seen<'_>, model: DataModel, stats: &mut Statistics) -> Result<(), String> {
    let bytes = harness::same_bytes(seen.bytes);
    let all = format!("(r == (long long)0x{:x}ull) & (e == {}){bytes}", seen.result, seen.errno);
    match answer_of(case, model, &all, true, &[Engine::Bounded, Engine::Abstraction])? {
        (text, Verdict::Safe(_)) => return Err(format!("glibc does what is proved impossible\n{text}")),
        (_, Verdict::Unsafe(_)) => stats.add("possible", 1),
        (_, Verdict::Unknown(why)) => {
            stats.add("not decided", 1);
            let cause: String = why.cause.chars().filter(|c| !c.is_ascii_digit()).take(40).collect();
            stats.add(format!("not decided: {}: {cause}", case.call.name), 1);
        }
    }
    let Some(only) = only(case.call.exact, seen, &bytes) else { return Ok(()) };
    match answer_of(case, model, &format!("!({only})"), false, &[Engine::Concrete])? {
        (text, Verdict::Unsafe(_)) => Err(format!("glibc does otherwise\n{text}")),
        (_, Verdict::Safe(_)) => {
            stats.add("exact", 1);
            Ok(())
        }
        (_, Verdict::Unknown(_)) => Ok(()),
    }
}

/// That everything is as it was seen that has only one outcome.
fn only(exact: Exact, seen: &Seen<'_>, bytes: &str) -> Option<String> {
    let result = seen.result;
    let same = format!("(r == (long long)0x{result:x}ull)");
    Some(match exact {
        Exact::Open => return None,
        Exact::All => format!("{same} & (e == {}){bytes}", seen.errno),
        Exact::NotErrno => format!("{same}{bytes}"),
        Exact::Sign => format!("((r > 0) - (r < 0) == {}){bytes}", result.signum()),
        Exact::Truth => format!("((r != 0) == {}){bytes}", u8::from(result != 0)),
    })
}

/// The verdict about a case alone.
fn answer_of(
    case: &Case,
    model: DataModel,
    question: &str,
    may_fail: bool,
    engines: &[Engine],
) -> Result<(String, Verdict), String> {
    let text = harness::alone(case, model, question);
    let options = lower::Options { malloc_may_fail: may_fail, ..Default::default() };
    let compiled = compile("call.c", &text, model, &options).map_err(|e| format!("{e}\n{text}"))?;
    let mut settings = settings(engines);
    // What is not soon found possible is left open.
    settings.bounded = verify::bounded::Limits::quick();
    settings.abstraction.iterations = 4;
    settings.abstraction.predicates = 12;
    let verdict = verify::verify(&Analysis::new(&compiled.program), &settings, &mut Silent).verdict;
    Ok((text, verdict))
}

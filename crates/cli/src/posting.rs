//! `hardbop abstract --post STATE --line N`: what one statement of the source makes of an abstract state, as TACAS01 sees
//! it: the Boolean image, the Cartesian image, and what is between them.

use crate::abstracting::options;
use crate::front::Front;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::{AbstractSettings, PostSettings};
use analysis::Analysis;
use ir::{EdgeId, FuncId, Op};
use predabs::{Images, NoImages};
use std::collections::BTreeSet;
use vc::{Predicate, Predicates};

/// An abstract state: trivectors, each with a value per predicate; `None` is `*`.
pub(crate) type AbstractState = Vec<Vec<Option<bool>>>;

/// Reads `<0,*,1>`, several of these with anything of `,;{}` or blanks between them, or the bare values of one.
pub(crate) fn parse_state(text: &str) -> Result<AbstractState, String> {
    let bad = |why: String| Err(format!("--post wants values 0, 1 or * like `<0,*,1>`: {why}"));
    let mut state = AbstractState::new();
    let mut open = !text.contains('<');
    if open {
        state.push(Vec::new());
    }
    for c in text.chars() {
        match c {
            '<' if open => return bad("`<` inside `<`".to_string()),
            '<' => {
                state.push(Vec::new());
                open = true;
            }
            '>' if open => open = false,
            '0' | '1' | '*' if open => {
                let value = if c == '*' { None } else { Some(c == '1') };
                state.last_mut().expect("an open vector is the last").push(value);
            }
            ',' | ';' | '{' | '}' | ' ' => {}
            _ => return bad(format!("`{c}` in `{text}`")),
        }
    }
    if open && text.contains('<') {
        return bad("a `>` is missing".to_string());
    }
    if state.iter().any(Vec::is_empty) { bad("there is no value".to_string()) } else { Ok(state) }
}

/// Shows the images of each step that the line makes.
pub(crate) fn run(
    settings: &AbstractSettings,
    post: &PostSettings,
    front: &Front,
    predicates: Vec<Predicate>,
    progress: &mut Progress,
) -> Outcome {
    progress.phase("post");
    let mut tracked = Predicates::new();
    for p in predicates {
        tracked.insert(p);
    }
    let mut text = Vec::new();
    let steps = steps(front, post);
    let analysis = Analysis::new(&front.program);
    for &(func, edge) in &steps {
        // Values are given and shown for what the file says, also where the predicate is its opposite.
        let flips: Vec<bool> = tracked.in_scope(func).map(|p| opposite(front, &tracked, p).is_some()).collect();
        let from: BTreeSet<_> = post.state.iter().map(|v| flipped(v, &flips)).collect();
        match predabs::post(&analysis, &tracked, (func, edge), &from, &options(&settings.method)) {
            Ok(images) => text.extend(shown(front, &tracked, (func, edge), &images)),
            Err(NoImages::Arity(_)) => return wrong_arity(front, &tracked, func),
            Err(why) => return Outcome::unknown(format!("{}: {why}", place(front, func, edge))),
        }
    }
    if steps.is_empty() {
        let problem = format!("no statement that is no call stands on line {}", post.line);
        return Outcome { messages: vec![format!("error: {problem}")], ..Outcome::new(Answer::BadUsage, problem) };
    }
    let n = report::counted(steps.len() as u64, "step");
    Outcome { text, ..Outcome::new(Answer::Done, format!("{n} on line {}", post.line)) }
}

/// The edges of the line that do something and are no calls.
fn steps(front: &Front, post: &PostSettings) -> Vec<(FuncId, EdgeId)> {
    let mut found = Vec::new();
    for (func, f) in front.program.functions.iter_enumerated() {
        if post.function.as_ref().is_some_and(|name| f.name != *name) {
            continue;
        }
        for (id, edge) in f.body.iter().flat_map(|b| b.edges.iter_enumerated()) {
            let acts = !matches!(edge.op, Op::Skip | Op::Call(_) | Op::Error(_) | Op::Halt | Op::Unsupported(_));
            if acts && front.map.locate(edge.span).line == post.line {
                found.push((func, id));
            }
        }
    }
    found
}

fn place(front: &Front, func: FuncId, edge: EdgeId) -> String {
    let body = front.program.body(func);
    front.source().show(body.edges[edge].span)
}

fn wrong_arity(front: &Front, tracked: &Predicates, func: FuncId) -> Outcome {
    let names: Vec<String> = tracked.in_scope(func).map(|p| shown_predicate(front, tracked, func, p)).collect();
    let problem = format!("--post wants one value for each of these predicates, in this order: {}", names.join(", "));
    Outcome { messages: vec![format!("error: {problem}")], ..Outcome::new(Answer::BadUsage, problem) }
}

fn shown_predicate(front: &Front, tracked: &Predicates, func: FuncId, id: vc::PredId) -> String {
    let written = opposite(front, tracked, id).unwrap_or(&tracked.get(id).expr);
    ir::as_c::show(&front.program, func, written)
}

/// What the file says, if the predicate is its opposite.
fn opposite<'f>(front: &'f Front, tracked: &Predicates, id: vc::PredId) -> Option<&'f ir::Expr> {
    front.opposites.iter().find(|(p, _)| p == tracked.get(id)).map(|(_, written)| written)
}

fn flipped(values: &[Option<bool>], flips: &[bool]) -> Vec<Option<bool>> {
    let flip = |i: usize| flips.get(i) == Some(&true);
    values.iter().enumerate().map(|(i, v)| v.map(|b| b != flip(i))).collect()
}

fn shown(front: &Front, tracked: &Predicates, (func, edge): (FuncId, EdgeId), images: &Images) -> Vec<String> {
    let names: Vec<String> = images.predicates.iter().map(|&p| shown_predicate(front, tracked, func, p)).collect();
    let flips: Vec<bool> = images.predicates.iter().map(|&p| opposite(front, tracked, p).is_some()).collect();
    let shown = |values: &[Option<bool>]| vector(flipped(values, &flips).into_iter());
    let definite = |vectors: &BTreeSet<Vec<bool>>| {
        let all = vectors.iter().map(|b| shown(&b.iter().map(|&b| Some(b)).collect::<Vec<_>>()));
        let sorted: BTreeSet<String> = all.collect();
        set(&sorted.into_iter().collect::<Vec<_>>())
    };
    let cartesian: Vec<String> = images.cartesian.iter().map(|v| shown(v)).collect();
    let body = front.program.body(func);
    let step = ir::text::show_op(&front.program, func, &body.edges[edge].op);
    vec![
        format!("{}: {step}", place(front, func, edge)),
        format!("  predicates  {}", names.join(", ")),
        format!("  before      {}", definite(&images.before)),
        format!("  Boolean     {}", definite(&images.boolean)),
        format!("  Cartesian   {}", set(&cartesian)),
    ]
}

fn vector(values: impl Iterator<Item = Option<bool>>) -> String {
    let shown: Vec<&str> = values.map(|v| v.map_or("*", |b| if b { "1" } else { "0" })).collect();
    format!("<{}>", shown.join(","))
}

fn set(members: &[String]) -> String {
    match members {
        [one] => one.clone(),
        _ => format!("{{{}}}", members.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abstract_states_are_read() {
        let (o, i) = (Some(false), Some(true));
        assert_eq!(parse_state("<0,*,1>"), Ok(vec![vec![o, None, i]]));
        assert_eq!(parse_state("0,*,1"), Ok(vec![vec![o, None, i]]));
        assert_eq!(parse_state("{<1,0>, <0,1>}"), Ok(vec![vec![i, o], vec![o, i]]));
        for bad in ["", "<>", "<0", "<0<1>>", "2", "<0,x>"] {
            assert!(parse_state(bad).is_err(), "{bad}");
        }
    }
}

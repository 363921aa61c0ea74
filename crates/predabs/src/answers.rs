//! Answers that outlive a program: what searches for `F_V` found, by the text of the question.
//!
//! A question is written with its symbols numbered in the order in which they occur, so a procedure that stands in another program with
//! the same predicates asks the same questions (TOPLAS05 §1: a polymorphic abstraction is made once). The text is all that an
//! answer depends on: formulas, axioms about objects, what is known to be impossible, and how is searched.

use crate::cube::Cube;
use crate::prover::Prover;
use logic::{Node, Store, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Questions with their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<String, Vec<Cube>>);

/// The first line of a file of answers. Another version may ask otherwise.
const HEAD: &str = concat!("hardbop answers ", env!("CARGO_PKG_VERSION"));

/// Longer questions are not kept.
const LONGEST: usize = 50_000;

impl Answers {
    /// Reads what [`Answers::print`] wrote; `None` if it is of another version or damaged.
    pub fn parse(text: &str) -> Option<Answers> {
        let (head, rest) = text.split_once('\n')?;
        let number = |s: &str| u128::from_str_radix(s, 16).ok();
        let cube = |s: &str| {
            let (pos, neg) = s.split_once('/')?;
            let cube = Cube { pos: number(pos)?, neg: number(neg)? };
            (cube.pos & cube.neg == 0).then_some(cube)
        };
        let record = |line: &str| -> Option<(String, Vec<Cube>)> {
            let (cubes, question) = line.split_once('\t')?;
            let cubes = cubes.split(' ').filter(|c| !c.is_empty()).map(cube).collect::<Option<Vec<Cube>>>()?;
            Some((question.to_owned(), cubes))
        };
        let (records, end) = rest.rsplit_once("end ")?;
        let all = records.lines().map(record).collect::<Option<BTreeMap<_, _>>>()?;
        (head == HEAD && end.trim_end() == all.len().to_string()).then_some(Answers(all))
    }

    /// As text.
    pub fn print(&self) -> String {
        let mut out = format!("{HEAD}\n");
        for (question, cubes) in &self.0 {
            let cubes: Vec<String> = cubes.iter().map(|c| format!("{:x}/{:x}", c.pos, c.neg)).collect();
            _ = writeln!(out, "{}\t{question}", cubes.join(" "));
        }
        _ = writeln!(out, "end {}", self.0.len());
        out
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, question: &str) -> Option<&Vec<Cube>> {
        self.0.get(question)
    }

    pub(crate) fn put(&mut self, question: String, cubes: Vec<Cube>) {
        self.0.insert(question, cubes);
    }
}

/// A question as text; `None` if it is too long. Without a goal the impossible cubes are asked for.
pub(crate) fn question(
    prover: &mut Prover<'_>,
    goal: Option<Term>,
    hypotheses: &[Term],
    instances: &[Term],
    impossible: &[Cube],
    max_len: usize,
) -> Option<String> {
    let terms: Vec<Term> = goal.iter().chain(hypotheses).chain(instances).copied().collect();
    let axioms = prover.object_axioms(&terms);
    let options = &prover.options;
    let mut out = format!("{:?} {max_len} {:?};", options.engine, options.saves);
    let mut names = Names { store: &prover.enc.store, terms: FxHashMap::default(), symbols: 0, out: String::new() };
    let mut lists = Vec::new();
    for list in [goal.as_slice(), hypotheses, instances, &axioms] {
        let mut ids: Vec<String> = Vec::new();
        for &t in list {
            ids.push(names.of(t)?.to_string());
        }
        lists.push(ids.join(","));
    }
    out += &names.out;
    let cubes: Vec<String> = impossible.iter().map(|c| format!("{:x}/{:x}", c.pos, c.neg)).collect();
    _ = write!(
        out,
        "goal {} given {} over {} axioms {} never {}",
        lists[0],
        lists[1],
        lists[2],
        lists[3],
        cubes.join(",")
    );
    Some(out)
}

struct Names<'a> {
    store: &'a Store,
    terms: FxHashMap<Term, usize>,
    symbols: usize,
    out: String,
}

impl Names<'_> {
    /// The number of a term; the text of what is new is written.
    fn of(&mut self, root: Term) -> Option<usize> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.terms.contains_key(&t) {
                stack.pop();
                continue;
            }
            let missing: Vec<Term> =
                operands(self.store.node(t)).into_iter().filter(|o| !self.terms.contains_key(o)).collect();
            if missing.is_empty() {
                stack.pop();
                self.write(t)?;
            } else {
                stack.extend(missing);
            }
        }
        self.terms.get(&root).copied()
    }

    fn write(&mut self, t: Term) -> Option<()> {
        let id = self.terms.len();
        let node = self.store.node(t);
        let text = match node {
            Node::Symbol(_) => {
                self.symbols += 1;
                format!("?{} {:?}", self.symbols - 1, self.store.sort(t))
            }
            // Beyond 64 bits a constant is known by its place in the store.
            Node::Wide(_) => return None,
            _ => {
                let operands: Vec<String> = operands(node).iter().map(|o| self.terms[o].to_string()).collect();
                format!("{}({})", head(node), operands.join(","))
            }
        };
        _ = write!(self.out, "{id}={text};");
        self.terms.insert(t, id);
        (self.out.len() <= LONGEST).then_some(())
    }
}

fn operands(node: Node) -> Vec<Term> {
    match node {
        Node::Bool(_) | Node::Small { .. } | Node::Wide(_) | Node::Symbol(_) => Vec::new(),
        Node::Not(a) | Node::BvNot(a) | Node::Float1(_, a) => vec![a],
        Node::Extract { arg, .. } | Node::ZeroExt { arg, .. } | Node::SignExt { arg, .. } => vec![arg],
        Node::And(a, b)
        | Node::Eq(a, b)
        | Node::Bin(_, a, b)
        | Node::Float2(_, a, b)
        | Node::Concat(a, b)
        | Node::Select(a, b) => vec![a, b],
        Node::Ite(a, b, c) | Node::Float3(_, a, b, c) | Node::Store(a, b, c) => vec![a, b, c],
        Node::SetRange { map, dst, n, value } => vec![map, dst, n, value],
        Node::CopyRange { map, dst, n, src_map, src } => vec![map, dst, n, src_map, src],
    }
}

/// What a node does with its operands.
fn head(node: Node) -> String {
    match node {
        Node::Bool(b) => b.to_string(),
        Node::Small { width, value } => format!("{value}:{width}"),
        Node::Wide(_) | Node::Symbol(_) => unreachable!("written by themselves"),
        Node::Not(_) => "not".to_owned(),
        Node::And(..) => "and".to_owned(),
        Node::Eq(..) => "eq".to_owned(),
        Node::Ite(..) => "ite".to_owned(),
        Node::BvNot(_) => "bvnot".to_owned(),
        Node::Bin(op, ..) => format!("{op:?}"),
        Node::Float1(op, _) | Node::Float2(op, ..) | Node::Float3(op, ..) => format!("{op:?}"),
        Node::Concat(..) => "concat".to_owned(),
        Node::Extract { hi, lo, .. } => format!("extract {hi} {lo}"),
        Node::ZeroExt { width, .. } => format!("zext {width}"),
        Node::SignExt { width, .. } => format!("sext {width}"),
        Node::Select(..) => "select".to_owned(),
        Node::Store(..) => "store".to_owned(),
        Node::SetRange { .. } => "setrange".to_owned(),
        Node::CopyRange { .. } => "copyrange".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_read_back_and_damage_is_seen() {
        let mut answers = Answers::default();
        answers.put("0=?0 Bool;goal 0".to_owned(), vec![Cube { pos: 5, neg: 2 }]);
        answers.put("0=?0 Bool;goal 1".to_owned(), Vec::new());
        let text = answers.print();
        assert_eq!(Answers::parse(&text), Some(answers));
        for damaged in [
            text.replace("5/2", "5/3"),
            text.replace("end 2", "end 3"),
            text.replacen("hardbop", "x", 1),
            text[..text.len() - 8].to_owned(),
        ] {
            assert_eq!(Answers::parse(&damaged), None, "{damaged}");
        }
    }
}

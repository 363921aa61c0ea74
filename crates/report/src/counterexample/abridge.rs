//! Which lines of a long report are kept: of a loop the first and last rounds, of everything else both ends.
//!
//! A line knows whether it begins a round of a loop: its first step leaves a loop head, in one activation of its function.
//! Rounds of a loop are the stretches between visits of its head, so loops are recognised whatever happens inside them.

use std::collections::BTreeMap;

/// Begins a round of the loop with this identity.
pub(super) type Round = Option<(u32, u32)>;

/// What is kept, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The line with this index.
    Line(usize),
    /// So many rounds of the loop around are left out.
    Rounds(usize),
    /// So many lines are left out.
    Lines(usize),
}

/// Rounds kept at each end of a loop.
const ROUNDS: usize = 2;

/// A loop loses rounds only if so many can go: a gap of one round would not be shorter.
const FEWEST: usize = 2;

/// Chooses from the lines, of which `rounds` are the loop rounds they begin, at most about `most`.
pub(super) fn abridge(rounds: &[Round], most: usize) -> Vec<Kept> {
    let mut kept = Vec::new();
    Lines::new(rounds).keep(0, rounds.len(), &mut kept);
    let chosen = ends(kept.len(), most).into_iter().map(|t| match t {
        Kept::Line(i) => kept[i],
        other => other,
    });
    chosen.collect()
}

/// Of so many lines at most about `most`: all, or both ends.
pub(super) fn ends(n: usize, most: usize) -> Vec<Kept> {
    if n <= most {
        return (0..n).map(Kept::Line).collect();
    }
    // The end is what the report is about, so it gets the larger part.
    let head = most / 3;
    let tail = n - (most - head);
    let gap = Kept::Lines(tail - head);
    (0..head).map(Kept::Line).chain([gap]).chain((tail..n).map(Kept::Line)).collect()
}

struct Lines<'a> {
    rounds: &'a [Round],
    /// The next line that begins a round of the same loop.
    next: Vec<Option<usize>>,
}

impl Lines<'_> {
    fn new(rounds: &[Round]) -> Lines<'_> {
        let mut later = BTreeMap::new();
        let mut next = vec![None; rounds.len()];
        for (i, round) in rounds.iter().enumerate().rev() {
            next[i] = round.and_then(|r| later.insert(r, i));
        }
        Lines { rounds, next }
    }

    /// Tells the lines `from..to`; recursion goes as deep as loops nest (calls included), each time over a shorter stretch.
    fn keep(&self, mut from: usize, to: usize, kept: &mut Vec<Kept>) {
        while from < to {
            let first = (from..to).find(|&i| self.rounds[i].is_some()).unwrap_or(to);
            kept.extend((from..first).map(Kept::Line));
            if first == to {
                return;
            }
            let visits: Vec<usize> =
                std::iter::successors(Some(first), |&i| self.next[i].filter(|&next| next < to)).collect();
            self.keep_loop(&visits, kept);
            // What follows the last visit is its round, or what comes after the loop.
            from = visits[visits.len() - 1] + 1;
        }
    }

    /// Tells a loop up to the last visit of its head.
    fn keep_loop(&self, visits: &[usize], kept: &mut Vec<Kept>) {
        let n = visits.len();
        let cut = if n >= 2 * ROUNDS + FEWEST { n - 2 * ROUNDS } else { 0 };
        for (k, &visit) in visits.iter().enumerate() {
            if cut > 0 && (ROUNDS..n - ROUNDS).contains(&k) {
                if k == ROUNDS {
                    kept.push(Kept::Rounds(cut));
                }
                continue;
            }
            kept.push(Kept::Line(visit));
            if k + 1 < n {
                self.keep(visit + 1, visits[k + 1], kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(rounds: &[Round], most: usize) -> String {
        let show = |t: &Kept| match t {
            Kept::Line(i) => i.to_string(),
            Kept::Rounds(n) => format!("({n} rounds)"),
            Kept::Lines(n) => format!("({n} lines)"),
        };
        abridge(rounds, most).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_loop_keeps_its_first_and_last_rounds() {
        let head = Some((0, 1));
        // Two lines, ten rounds of two lines, the exit test, one line.
        let mut rounds = vec![None, None];
        for _ in 0..10 {
            rounds.extend([head, None]);
        }
        rounds.extend([head, None]);
        assert_eq!(show(&rounds, 60), "0 1 2 3 4 5 (7 rounds) 20 21 22 23");
        assert_eq!(show(&rounds[..12], 60), "0 1 2 3 4 5 6 7 8 9 10 11", "five rounds are not many");
    }

    #[test]
    fn inner_loops_are_cut_inside_the_rounds_that_stay() {
        let (outer, inner) = (Some((0, 1)), Some((0, 2)));
        let mut rounds = vec![];
        for _ in 0..100 {
            rounds.push(outer);
            rounds.extend([inner; 100]);
        }
        let text = show(&rounds, 60);
        assert_eq!(text.matches("(96 rounds)").count(), 5, "{text}");
    }

    #[test]
    fn what_is_no_loop_keeps_both_ends() {
        let text = show(&[None; 100], 9);
        assert_eq!(text, "0 1 2 (91 lines) 94 95 96 97 98 99");
    }

    #[test]
    fn deep_nesting_of_different_loops_is_quick() {
        let rounds: Vec<Round> = (0..200_000).map(|i| Some((i, 0))).collect();
        assert_eq!(abridge(&rounds, 60).len(), 61);
    }
}

//! `F_V(φ)`: the weakest combination of tracked predicates that implies φ (PLDI01 §4.1), asked at one *site*: a symbolic
//! state, what holds there, and the boolean variables that mean something there.
//!
//! Before anything is searched: a constant needs no question (PLDI01 §5.2, fourth), a formula that is a tracked predicate
//! is that predicate, `F(φ ∧ ψ)` is `F(φ) ∧ F(ψ)`, and only predicates in the cone of influence take part (third).
//! The hypotheses H of the site hold in every state that passes its `assume(¬F(¬H))`: for φ the cubes that imply `H ⇒ φ`
//! are computed, without those that contradict H.

use crate::answers::question;
use crate::cache::{Cache, Dnf, Entry, Key, Role, Tag};
use crate::cube::{Cube, MAX_INSTANCES};
use crate::prover::{Prover, Question};
use crate::search::{Task, implicants};
use base::Id;
use base::sabotage::{self, Fault};
use ir::{EdgeId, FuncId};
use logic::{Symbol, Term};

/// A boolean variable and what it means at a site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredicateInstance {
    pub(crate) tag: Tag,
    pub(crate) term: Term,
}

/// A conjunction of disjunctions of cubes; `[]` is true.
pub(crate) type Strong = Vec<Dnf>;

/// The most conjuncts that a goal is split into.
const MAX_PARTS: usize = 64;

pub(crate) struct Site {
    func: FuncId,
    edge: EdgeId,
    /// What holds at the site, as separate conjuncts.
    hypotheses: Vec<Term>,
    instances: Vec<PredicateInstance>,
    /// Cubes over the words that are known to be impossible: from `enforce`.
    impossible: Dnf,
}

impl Site {
    pub(crate) fn new(
        func: FuncId,
        edge: EdgeId,
        hypotheses: Vec<Term>,
        instances: Vec<PredicateInstance>,
        impossible: Dnf,
    ) -> Site {
        Site { func, edge, hypotheses, instances, impossible }
    }

    pub(crate) fn hypotheses(&self) -> &[Term] {
        &self.hypotheses
    }

    /// The states in which the hypotheses cannot hold: `F(¬H)`.
    pub(crate) fn blocked(&mut self, prover: &mut Prover<'_>, cache: &mut Cache) -> Strong {
        let hypotheses = std::mem::take(&mut self.hypotheses);
        let all = hypotheses.iter().fold(prover.enc.store.bool(true), |all, &t| prover.enc.store.and(all, t));
        let goal = prover.enc.store.not(all);
        let answer = self.strengthen(prover, cache, Role::Blocked, goal);
        self.hypotheses = hypotheses;
        // Every search at this site would find these to contradict the hypotheses.
        if prover.options.saves.pruning && prover.conjuncts(goal).len() == 1 && answer != [[[]]] {
            self.impossible.extend(answer.iter().flatten().cloned());
        }
        answer
    }

    /// `F(H ⇒ goal)` and `F(H ⇒ ¬goal)`. PLDI01 §5.2, first: a cube that implies the goal does not imply its negation, whatever
    /// is added to it, unless it contradicts the hypotheses.
    pub(crate) fn both(
        &mut self,
        prover: &mut Prover<'_>,
        cache: &mut Cache,
        role: &dyn Fn(bool) -> Role,
        goal: Term,
    ) -> [Strong; 2] {
        let negated = prover.enc.store.not(goal);
        let pos = self.strengthen(prover, cache, role(true), goal);
        let whole = [goal, negated].iter().all(|&t| prover.conjuncts(t).len() == 1);
        let known = self.impossible.len();
        if prover.options.saves.pruning && whole {
            self.impossible.extend(pos.iter().flatten().cloned());
        }
        let neg = self.strengthen(prover, cache, role(false), negated);
        self.impossible.truncate(known);
        [pos, neg]
    }

    /// `F(H ⇒ goal)`, without the cubes that contradict H.
    pub(crate) fn strengthen(&mut self, prover: &mut Prover<'_>, cache: &mut Cache, role: Role, goal: Term) -> Strong {
        prover.stats.strengthenings += 1;
        let mut parts = if prover.options.saves.conjuncts { prover.conjuncts(goal) } else { vec![goal] };
        if parts.len() > MAX_PARTS {
            parts = vec![goal];
        }
        let mut answer = Vec::new();
        let (mut searched, mut n) = (false, 0);
        let forgets = sabotage::active(Fault::CacheForgetsEdge);
        let edge = if forgets { EdgeId::from_index(0) } else { self.edge };
        for part in parts {
            let atoms = if prover.options.split_disjunctions { prover.disjuncts(part) } else { vec![part] };
            let mut dnf = Dnf::new();
            for atom in atoms {
                let found = self.shortcut(prover, atom).unwrap_or_else(|| {
                    searched = true;
                    self.search(prover, cache, Key::Edge(self.func, edge, role, n), atom)
                });
                n += 1;
                dnf.extend(found);
            }
            if prover.options.split_disjunctions {
                shortest(&mut dnf);
            }
            if dnf.is_empty() {
                return vec![dnf];
            }
            if dnf != [[]] && !answer.contains(&dnf) {
                answer.push(dnf);
            }
        }
        prover.stats.shortcuts += u64::from(!searched);
        prover.stats.cubes += answer.iter().map(|d| d.len() as u64).sum::<u64>();
        answer
    }

    /// The answer that can be seen without a question.
    fn shortcut(&self, prover: &mut Prover<'_>, goal: Term) -> Option<Dnf> {
        if !prover.options.saves.syntactic {
            return None;
        }
        match prover.enc.store.bool_of(goal) {
            Some(true) => return Some(vec![vec![]]),
            // Only cubes that contradict the hypotheses imply it.
            Some(false) => return Some(vec![]),
            None => {}
        }
        let negated = prover.enc.store.not(goal);
        self.instances.iter().find_map(|w| match w.term {
            t if t == goal => Some(vec![vec![(w.tag, true)]]),
            t if t == negated => Some(vec![vec![(w.tag, false)]]),
            _ => None,
        })
    }

    fn search(&mut self, prover: &mut Prover<'_>, cache: &mut Cache, key: Key, goal: Term) -> Dnf {
        let (cone, hypotheses) = self.cone(prover, goal);
        let tags: Vec<Tag> = cone.iter().map(|&i| self.instances[i].tag).collect();
        let mut entry = match cache.get(key) {
            Some(entry) if entry.looked_at.iter().all(|set| set.iter().all(|t| tags.contains(t))) => entry.clone(),
            _ => Entry::default(),
        };
        let mut sorted = tags.clone();
        sorted.sort_unstable();
        if entry.looked_at.contains(&sorted) {
            prover.stats.cache_hits += 1;
            return entry.found;
        }
        prover.stats.cache_extended += u64::from(!entry.looked_at.is_empty());
        let negated_goal = prover.enc.store.not(goal);
        let instances: Vec<Term> = cone.iter().map(|&i| self.instances[i].term).collect();
        let task = Task {
            models: Vec::new(),
            instances,
            hypotheses,
            negated_goal: Some(negated_goal),
            max_len: prover.options.max_cube,
            known: entry.found.iter().filter_map(|c| to_cube(&tags, c)).collect(),
            impossible: self.impossible.iter().filter_map(|c| to_cube(&tags, c)).collect(),
            decided: entry.looked_at.iter().map(|set| mask(&tags, set)).collect(),
        };
        let question = Question {
            goal,
            hypotheses: task.hypotheses.clone(),
            instances: task.instances.clone(),
            impossible: task.impossible.clone(),
        };
        let known = prover.searched.get(&question).filter(|_| prover.options.saves.cache);
        let cubes = if let Some(cubes) = known.cloned() {
            prover.stats.same_question += 1;
            cubes
        } else {
            let before = limits(prover);
            // A goal of its own, whose answer does not depend on what was looked at before.
            let whole = entry.looked_at.is_empty();
            let cubes = if whole { stored(prover, cache, task, Some(goal)) } else { implicants(prover, task) };
            // What a limit cut short may be found at another place.
            if limits(prover) == before {
                prover.searched.insert(question, cubes.clone());
            }
            cubes
        };
        entry.found = cubes.into_iter().map(|c| from_cube(&tags, c)).collect();
        sort(&mut entry.found);
        entry.looked_at = vec![sorted];
        cache.put(key, entry.clone());
        entry.found
    }

    /// PLDI01 §5.2, third: the words that can take part in a cube that implies the goal under the hypotheses, and the
    /// hypotheses that can, reached from the symbols of the goal. The nearest come first, at most [`MAX_INSTANCES`].
    fn cone(&self, prover: &mut Prover<'_>, goal: Term) -> (Vec<usize>, Vec<Term>) {
        if !prover.options.saves.cone && self.instances.len() <= MAX_INSTANCES {
            return ((0..self.instances.len()).collect(), self.hypotheses.clone());
        }
        let mut symbols: Vec<Symbol> = prover.support(goal).to_vec();
        let (mut instances, mut hypotheses) = (Vec::new(), Vec::new());
        let mut open: Vec<usize> = (0..self.instances.len()).collect();
        let mut open_hypotheses = self.hypotheses.clone();
        loop {
            let before = instances.len() + hypotheses.len();
            let reached = symbols.clone();
            let mut touches = |prover: &mut Prover<'_>, t: Term| {
                let support = prover.support(t);
                let touches = support.iter().any(|s| reached.binary_search(s).is_ok());
                if touches {
                    symbols.extend(support.iter().copied());
                }
                touches
            };
            open.retain(|&i| {
                let inside = touches(prover, self.instances[i].term);
                if inside {
                    instances.push(i);
                }
                !inside
            });
            open_hypotheses.retain(|&t| {
                let inside = touches(prover, t);
                if inside {
                    hypotheses.push(t);
                }
                !inside
            });
            if instances.len() + hypotheses.len() == before {
                break;
            }
            symbols.sort_unstable();
            symbols.dedup();
        }
        if instances.len() > MAX_INSTANCES {
            instances.truncate(MAX_INSTANCES);
            prover.stats.cones_cut += 1;
        }
        (instances, hypotheses)
    }

    /// The cubes of at most `max_len` literals that cannot be at this site, but for those within one of the given groups
    /// of words.
    pub(crate) fn contradictions(
        &mut self,
        prover: &mut Prover<'_>,
        cache: &mut Cache,
        max_len: usize,
        groups: &[Vec<Tag>],
    ) -> Dnf {
        let key = Key::Edge(self.func, self.edge, Role::AfterCall, 0);
        contradictions(prover, cache, key, &self.instances, max_len, groups, &self.impossible)
    }
}

/// `F(false)` over words that share symbols: the cubes of at most `max_len` literals that cannot be. Cubes within one of
/// `groups` are not wanted; those of `impossible` are known.
pub(crate) fn contradictions(
    prover: &mut Prover<'_>,
    cache: &mut Cache,
    key: Key,
    instances: &[PredicateInstance],
    max_len: usize,
    groups: &[Vec<Tag>],
    impossible: &Dnf,
) -> Dnf {
    let whole = !prover.options.saves.cone && instances.len() <= MAX_INSTANCES;
    let all = if whole { vec![(0..instances.len()).collect()] } else { components(prover, instances) };
    let entry = cache.get(key).cloned().unwrap_or_default();
    let mut fresh = Entry::default();
    for component in all {
        let mut component = component;
        if component.len() > MAX_INSTANCES {
            component.truncate(MAX_INSTANCES);
            prover.stats.cones_cut += 1;
        }
        let tags: Vec<Tag> = component.iter().map(|&i| instances[i].tag).collect();
        let mut sorted = tags.clone();
        sorted.sort_unstable();
        prover.stats.strengthenings += 1;
        let old: Vec<&Vec<Tag>> = entry.looked_at.iter().filter(|set| set.iter().all(|t| tags.contains(t))).collect();
        let known: Vec<Cube> = entry.found.iter().filter_map(|c| to_cube(&tags, c)).collect();
        let cubes = if old.contains(&&sorted) {
            prover.stats.cache_hits += 1;
            known
        } else {
            prover.stats.cache_extended += u64::from(!old.is_empty());
            let task = Task {
                instances: component.iter().map(|&i| instances[i].term).collect(),
                hypotheses: Vec::new(),
                negated_goal: None,
                max_len,
                known,
                impossible: impossible.iter().filter_map(|c| to_cube(&tags, c)).collect(),
                decided: old.into_iter().chain(groups).map(|set| mask(&tags, set)).collect(),
                models: Vec::new(),
            };
            if task.decided.is_empty() { stored(prover, cache, task, None) } else { implicants(prover, task) }
        };
        fresh.found.extend(cubes.into_iter().map(|c| from_cube(&tags, c)));
        fresh.looked_at.push(sorted);
    }
    sort(&mut fresh.found);
    let found = fresh.found.clone();
    cache.put(key, fresh);
    found
}

/// How often a limit was met.
fn limits(prover: &Prover<'_>) -> u64 {
    prover.stats.undecided + prover.stats.cut_short
}

/// The implicants, from another program that asked the same if there is one.
fn stored(prover: &mut Prover<'_>, cache: &mut Cache, task: Task, goal: Option<Term>) -> Vec<Cube> {
    if cache.answers.is_none() {
        return implicants(prover, task);
    }
    let text = question(prover, goal, &task.hypotheses, &task.instances, &task.impossible, task.max_len);
    if let (Some(answers), Some(text)) = (&cache.answers, &text)
        && let Some(cubes) = answers.get(text)
    {
        prover.stats.from_store += 1;
        return cubes.clone();
    }
    let before = limits(prover);
    let cubes = implicants(prover, task);
    if let (Some(answers), Some(text), true) = (&mut cache.answers, text, limits(prover) == before) {
        answers.put(text, cubes.clone());
    }
    cubes
}

/// The words in groups that share no symbol, each group in order.
fn components(prover: &mut Prover<'_>, instances: &[PredicateInstance]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<Symbol>, Vec<usize>)> = Vec::new();
    for (i, instance) in instances.iter().enumerate() {
        let support = prover.support(instance.term);
        let (mut symbols, mut members) = (support.to_vec(), vec![i]);
        let (touching, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(s, _)| support.iter().any(|x| s.binary_search(x).is_ok()));
        groups = rest;
        for (s, m) in touching {
            symbols.extend(s);
            members.extend(m);
        }
        symbols.sort_unstable();
        symbols.dedup();
        members.sort_unstable();
        groups.push((symbols, members));
    }
    let mut groups: Vec<Vec<usize>> = groups.into_iter().map(|(_, m)| m).collect();
    groups.sort_unstable();
    groups
}

fn sort(cubes: &mut Dnf) {
    cubes.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
}

/// Leaves only cubes that contain no other.
fn shortest(cubes: &mut Dnf) {
    sort(cubes);
    cubes.dedup();
    let all = cubes.clone();
    cubes.retain(|c| !all.iter().any(|other| other != c && other.iter().all(|l| c.contains(l))));
}

fn position(tags: &[Tag], tag: Tag) -> Option<usize> {
    tags.iter().position(|&t| t == tag)
}

fn mask(tags: &[Tag], set: &[Tag]) -> u128 {
    set.iter().filter_map(|&t| position(tags, t)).fold(0, |m, i| m | 1 << i)
}

/// The cube over `tags`, if all its tags are among them.
fn to_cube(tags: &[Tag], literals: &[(Tag, bool)]) -> Option<Cube> {
    literals.iter().try_fold(Cube::TRUE, |cube, &(tag, value)| Some(cube.with(position(tags, tag)?, value)))
}

fn from_cube(tags: &[Tag], cube: Cube) -> Vec<(Tag, bool)> {
    let mut literals: Vec<(Tag, bool)> = cube.literals().map(|(i, value)| (tags[i], value)).collect();
    literals.sort_unstable();
    literals
}

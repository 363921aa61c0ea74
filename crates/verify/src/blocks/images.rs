//! What a block does to sets of valuations, found when the model checker asks.
//!
//! For a valuation before the block that it can be passed from, all valuations behind it are enumerated; which of the values before it
//! the solver needed to see that there are no others makes a cube of valuations with the same images. A block that gives very many
//! valuations keeps only what they have in common, and predicates that were added in different rounds are looked at apart. All this may let pairs in that no execution has: a trace that uses one is looked at step by step
//! ([`super::Blocks::follow`]), and the pair is excluded with all that the solver excludes for the same reason.
//!
//! Invariant of [`Entry`]: every execution of the block from a state with these values leads to one of the valuations.

use super::skeleton::{Sides, Skeleton};
use super::{Blocks, Key, Tag};
use base::sabotage::{self, Fault};
use bdd::Bdd;
use boolprog::{Expr, Var};
use logic::{Answer, Lit, Symbol, Term};
use reach::{Compiled, EdgeId, Relation, Role, Space, Transfer, TransferError};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use vc::{LocationInvariants, Predicates};

/// Values of variables.
pub(super) type Literals = Vec<(Tag, bool)>;

/// Valuations before a block, and all that it makes of them.
#[derive(Clone, Debug)]
struct Entry {
    from: Literals,
    /// Behind the block.
    to: Vec<Literals>,
}

/// What was found about some of the predicates behind a block.
struct Group {
    written: Vec<Tag>,
    entries: Vec<Entry>,
}

/// What was found about a block. Predicates that were added later have a group of their own: what those of different groups have to do with
/// each other is found where a trace depends on it.
#[derive(Default)]
pub(crate) struct Known {
    groups: Vec<Group>,
    /// Valuations from which it cannot be passed.
    closed: Vec<Literals>,
    /// Values before and behind it that no execution connects.
    pub(super) excluded: Vec<(Literals, Literals)>,
}

/// More valuations than this behind a block are not told apart.
const MOST_IMAGES: usize = 64;

/// So many valuations of a cube are asked, one by one, whether the block can be passed from them.
const PROBES: usize = 8;

/// The meaning of the statements of a skeleton.
pub(crate) struct OnDemand<'a, 'p> {
    blocks: &'a mut Blocks<'p>,
    skeleton: &'a Skeleton,
    predicates: &'a Predicates,
    invariants: &'a LocationInvariants,
    compiled: Compiled<'a>,
}

impl<'a, 'p> OnDemand<'a, 'p> {
    pub(super) fn new(
        blocks: &'a mut Blocks<'p>,
        skeleton: &'a Skeleton,
        predicates: &'a Predicates,
        invariants: &'a LocationInvariants,
    ) -> OnDemand<'a, 'p> {
        let compiled = Compiled::new(&skeleton.abstraction.program);
        OnDemand { blocks, skeleton, predicates, invariants, compiled }
    }
}

impl Transfer for OnDemand<'_, '_> {
    fn image(&mut self, space: &Space, edge: EdgeId, from: &Bdd) -> Result<Relation, TransferError> {
        match self.skeleton.blocks.get(&(edge.proc, edge.stmt)) {
            Some(&key) => self.block(space, edge, key, from),
            None => self.compiled.image(space, edge, from),
        }
    }
}

/// The two sides of a block in the diagrams of one search.
struct Ends<'s> {
    space: &'s Space,
    edge: EdgeId,
    before: Vec<(Tag, Var, Term)>,
    /// What may change, with the terms behind the block.
    written: Vec<(Tag, Var, Term)>,
    /// What the block makes arbitrary: what has no formula behind it.
    forgotten: Vec<Var>,
}

impl Ends<'_> {
    fn index(&self, tag: Tag, after: bool) -> Option<usize> {
        let find = |list: &[(Tag, Var, Term)]| list.iter().find(|(t, ..)| *t == tag).map(|&(_, v, _)| v);
        let at = |var, role| self.space.index(self.edge.proc, var, role);
        if after && let Some(var) = find(&self.written) {
            return Some(at(var, Role::Next));
        }
        find(&self.before).map(|var| at(var, Role::Now))
    }

    fn cube(&self, literals: &Literals, after: bool) -> Result<Option<Bdd>, TransferError> {
        let indices = literals.iter().map(|&(tag, value)| self.index(tag, after).map(|i| (i, value)));
        match indices.collect::<Option<Vec<_>>>() {
            Some(known) => Ok(Some(self.space.manager.cube(known)?)),
            // It speaks of what is not tracked here.
            None => Ok(None),
        }
    }
}

impl OnDemand<'_, '_> {
    fn block(&mut self, space: &Space, edge: EdgeId, key: Key, from: &Bdd) -> Result<Relation, TransferError> {
        let m = &space.manager;
        let context = (self.predicates, self.skeleton);
        let sides = &self.skeleton.sides[&key];
        let conflicts = self.blocks.limits.conflicts;
        let mut known = self.blocks.known.remove(&key).unwrap_or_default();
        let mut asked = 0;
        let unit = self.blocks.unit(key.func, key.start, self.invariants).map_err(TransferError::GaveUp)?;
        let mut ends = Ends { space, edge, before: Vec::new(), written: Vec::new(), forgotten: Vec::new() };
        for &(tag, var) in &sides.before {
            ends.before.extend(unit.before(tag, context).map(|term| (tag, var, term)));
        }
        for &(tag, var) in &sides.after {
            match unit.after(key.end, tag, self.predicates) {
                Some(term) if ends.before.iter().any(|&(t, v, held)| (t, v, held) == (tag, var, term)) => {}
                Some(term) => ends.written.push((tag, var, term)),
                None => ends.forgotten.push(var),
            }
        }
        let mut written: Vec<Var> = ends.written.iter().map(|w| w.1).chain(ends.forgotten.iter().copied()).collect();
        written.sort_unstable();
        let nothing = Relation { written: written.clone(), pairs: m.bot(), primed: true, total: true };
        let Some(condition) = unit.condition(key.end) else {
            self.blocks.known.insert(key, known);
            return Ok(nothing);
        };
        let tracked: Vec<Tag> = ends.written.iter().map(|w| w.0).collect();
        let old = |t: &Tag| known.groups.iter().any(|g| g.written.contains(t));
        let new: Vec<Tag> = tracked.into_iter().filter(|t| !old(t)).collect();
        if known.groups.is_empty() || !new.is_empty() {
            known.groups.push(Group { written: new, entries: Vec::new() });
        }
        let support = unit.support(condition);
        let condition = unit.lit(condition, true);
        let mut pairs = from.clone();
        let mut open = from.clone();
        for closed in &known.closed {
            if let Some(cube) = ends.cube(closed, false)? {
                open = m.diff(&open, &cube)?;
            }
        }
        let Known { groups, closed, excluded } = &mut known;
        for (number, group) in groups.iter_mut().enumerate() {
            let written: Vec<(Tag, Var, Term)> =
                ends.written.iter().filter(|w| group.written.contains(&w.0)).copied().collect();
            // Only what has a symbol in common with what is asked decides it.
            let mut supports: Vec<Rc<FxHashSet<Symbol>>> = vec![support.clone()];
            supports.extend(written.iter().map(|&(.., term)| unit.support(term)));
            let mut cone: Vec<(Tag, Var, Term)> = Vec::new();
            for &b in &ends.before {
                let constant = unit.enc.store.bool_of(b.2).is_some();
                if constant || unit.support(b.2).iter().any(|s| supports.iter().any(|all| all.contains(s))) {
                    cone.push(b);
                }
            }
            let scope = self.skeleton.abstraction.program.scope(edge.proc);
            let others: Vec<Var> = scope.filter(|v| cone.iter().all(|c| c.1 != *v)).collect();
            let mut left = m.exists(&open, &space.set(edge.proc, others, Role::Now)?)?;
            for e in &group.entries {
                if let Some(cube) = ends.cube(&e.from, false)? {
                    left = m.diff(&left, &cube)?;
                }
            }
            let asked = &mut asked;
            let mut finder = Finder { cone: &cone, written: &written, ends: &ends, condition, conflicts, asked };
            while let Some(picked) = m.pick(&left) {
                let picked = finder.literals(&picked);
                let entry = match finder.entry(unit, &picked) {
                    Ok(entry) => entry,
                    Err(from) => {
                        let cube = ends.cube(&from, false)?.expect("it speaks of what is tracked");
                        left = m.diff(&left, &cube)?;
                        open = m.diff(&open, &cube)?;
                        closed.push(from);
                        continue;
                    }
                };
                let cube = ends.cube(&entry.from, false)?.expect("entries speak of what is tracked");
                if number == 0 {
                    let mut rest = m.and(&left, &cube)?;
                    for _ in 0..PROBES {
                        let Some(other) = m.pick(&rest) else { break };
                        let other = finder.literals(&other);
                        let (seen, passes) = finder.probe(unit, &other);
                        let cube = ends.cube(&seen, false)?.expect("it speaks of what is tracked");
                        rest = m.diff(&rest, &cube)?;
                        if !passes {
                            open = m.diff(&open, &cube)?;
                            closed.push(seen);
                        }
                    }
                }
                left = m.diff(&left, &cube)?;
                group.entries.push(entry);
            }
            pairs = m.and(&pairs, &group.relation(&ends)?)?;
        }
        for (before, after) in excluded {
            if let (Some(before), Some(after)) = (ends.cube(before, false)?, ends.cube(after, true)?) {
                pairs = m.diff(&pairs, &m.and(&before, &after)?)?;
            }
        }
        let pairs = m.and(&pairs, &open)?;
        self.blocks.known.insert(key, known);
        self.blocks.queries += asked;
        Ok(Relation { written, pairs, primed: true, total: false })
    }
}

impl Known {
    /// What is known of a block as a condition on the values before and after it: it holds for every execution, and where the block was not
    /// asked about it says nothing.
    pub(super) fn condition(&self, sides: &Sides, kept: &[Tag]) -> Expr {
        let find = |list: &[(Tag, Var)], tag: Tag| list.iter().find(|(t, _)| *t == tag).map(|&(_, v)| v);
        let literal = |(tag, value): (Tag, bool), after: bool| {
            let moved = if after { find(&sides.after, tag).map(Expr::Next) } else { None };
            let atom = moved.or_else(|| find(&sides.before, tag).map(Expr::Var))?;
            Some(if value { atom } else { Expr::not(atom) })
        };
        let cube =
            |list: &Literals, after: bool| -> Option<Vec<Expr>> { list.iter().map(|&l| literal(l, after)).collect() };
        let not_all = |parts: Vec<Expr>| Expr::not(Expr::and(parts));
        let mut all = Vec::new();
        for tag in kept {
            if let (Some(before), Some(after)) = (find(&sides.before, *tag), find(&sides.after, *tag)) {
                all.push(Expr::Eq(Box::new(Expr::Next(after)), Box::new(Expr::Var(before))));
            }
        }
        for (from, to) in self.groups.iter().flat_map(|g| &g.entries).map(|e| (&e.from, &e.to)) {
            let images: Option<Vec<Vec<Expr>>> = to.iter().map(|image| cube(image, true)).collect();
            if let (Some(from), Some(images)) = (cube(from, false), images) {
                all.push(Expr::or([not_all(from), Expr::or(images.into_iter().map(Expr::and))]));
            }
        }
        all.extend(self.closed.iter().filter_map(|c| cube(c, false)).map(not_all));
        for (before, after) in &self.excluded {
            if let (Some(before), Some(after)) = (cube(before, false), cube(after, true)) {
                all.push(not_all([before, after].concat()));
            }
        }
        Expr::and(all)
    }
}

impl Group {
    fn relation(&self, ends: &Ends<'_>) -> Result<Bdd, TransferError> {
        let m = &ends.space.manager;
        let mut pairs = m.bot();
        for e in &self.entries {
            let Some(before) = ends.cube(&e.from, false)? else { continue };
            let mut after = m.bot();
            for image in &e.to {
                if let Some(cube) = ends.cube(image, true)? {
                    after = m.or(&after, &cube)?;
                }
            }
            pairs = m.or(&pairs, &m.and(&before, &after)?)?;
        }
        Ok(pairs)
    }
}

/// Asks the solver what becomes of valuations.
struct Finder<'a> {
    cone: &'a [(Tag, Var, Term)],
    written: &'a [(Tag, Var, Term)],
    ends: &'a Ends<'a>,
    condition: Lit,
    conflicts: u64,
    asked: &'a mut u64,
}

impl Finder<'_> {
    /// An assignment of diagram variables as values of variables.
    fn literals(&self, picked: &[(usize, bool)]) -> Literals {
        let at = |var| self.ends.space.index(self.ends.edge.proc, var, Role::Now);
        let named =
            |&(i, value): &(usize, bool)| self.cone.iter().find(|c| at(c.1) == i).map(|&(tag, ..)| (tag, value));
        picked.iter().filter_map(named).collect()
    }

    fn assumed(&self, unit: &mut super::Unit<'_>, literals: &Literals) -> Vec<Lit> {
        let term = |tag: Tag| self.cone.iter().find(|c| c.0 == tag).expect("literals are about the cone").2;
        literals.iter().map(|&(tag, value)| unit.lit(term(tag), value)).collect()
    }

    fn query(&mut self, unit: &mut super::Unit<'_>, assumed: &[Lit]) -> Answer {
        *self.asked += 1;
        unit.context.check(&unit.enc.store, assumed, self.conflicts)
    }

    /// Whether the block can be passed from some state with these values; if not, those of them that are needed to see it.
    fn probe(&mut self, unit: &mut super::Unit<'_>, from: &Literals) -> (Literals, bool) {
        let mut assumed = self.assumed(unit, from);
        assumed.push(self.condition);
        match self.query(unit, &assumed) {
            Answer::Unsat(core) => (core.iter().filter_map(|&i| from.get(i).copied()).collect(), false),
            Answer::Sat(_) | Answer::Unknown(_) => (from.clone(), true),
        }
    }

    /// What becomes of one valuation with these values, and of others for the same reason; or those of the values with which the block
    /// cannot be passed.
    fn entry(&mut self, unit: &mut super::Unit<'_>, picked: &Literals) -> Result<Entry, Literals> {
        let mut assumed = self.assumed(unit, picked);
        assumed.push(self.condition);
        let model = match self.query(unit, &assumed) {
            Answer::Unsat(core) => {
                return Err(core.iter().filter_map(|&i| picked.get(i).copied()).collect());
            }
            Answer::Unknown(_) => return Ok(Entry { from: picked.clone(), to: vec![Vec::new()] }),
            Answer::Sat(model) => model,
        };
        let mut evaluator = model.evaluator(&unit.enc.store);
        let from: Literals = self.cone.iter().map(|&(tag, _, t)| (tag, evaluator.eval(t).as_bool())).collect();
        let written = self.written;
        let mut image: Vec<bool> = written.iter().map(|&(_, _, t)| evaluator.eval(t).as_bool()).collect();
        let lits: Vec<Lit> = written.iter().map(|&(_, _, t)| unit.lit(t, true)).collect();
        // Which places all images agree about, and the images as long as they are told apart.
        let mut common: Vec<bool> = vec![true; written.len()];
        let first = image.clone();
        let mut images: Vec<Vec<bool>> = Vec::new();
        let mut act = unit.context.activation();
        let mut assumed = self.assumed(unit, &from);
        assumed.extend([self.condition, act]);
        let last = assumed.len() - 1;
        let found = loop {
            for (place, agree) in common.iter_mut().enumerate() {
                *agree &= image[place] == first[place];
            }
            images.push(image);
            if sabotage::active(Fault::BlockImageLost) {
                break Some(Vec::new());
            }
            if images.len() < MOST_IMAGES {
                let newest = images.last().expect("it was just added");
                let other: Vec<Lit> = newest.iter().zip(&lits).map(|(&v, &l)| if v { !l } else { l }).collect();
                unit.context.block(act, &other);
            } else {
                unit.context.retire(act);
                act = unit.context.activation();
                assumed[last] = act;
                let agreed = common.iter().zip(&first).zip(&lits).filter(|((c, _), _)| **c);
                let other: Vec<Lit> = agreed.map(|((_, &v), &l)| if v { !l } else { l }).collect();
                unit.context.block(act, &other);
            }
            match self.query(unit, &assumed) {
                Answer::Sat(model) => {
                    let mut evaluator = model.evaluator(&unit.enc.store);
                    image = written.iter().map(|&(_, _, t)| evaluator.eval(t).as_bool()).collect();
                }
                Answer::Unsat(core) => break Some(core),
                Answer::Unknown(_) => break None,
            }
        };
        unit.context.retire(act);
        let Some(core) = found else { return Ok(Entry { from, to: vec![Vec::new()] }) };
        let needed = core.iter().filter_map(|&i| from.get(i).copied()).collect();
        let tagged = |image: &Vec<bool>| -> Literals { written.iter().zip(image).map(|(w, &v)| (w.0, v)).collect() };
        let to = if images.len() < MOST_IMAGES {
            images.iter().map(tagged).collect()
        } else if !common.contains(&true) {
            return Ok(Entry { from: picked.clone(), to: vec![Vec::new()] });
        } else {
            let agreed = written.iter().zip(&first).zip(&common).filter(|(_, c)| **c);
            vec![agreed.map(|((w, &v), _)| (w.0, v)).collect()]
        };
        Ok(Entry { from: needed, to })
    }
}

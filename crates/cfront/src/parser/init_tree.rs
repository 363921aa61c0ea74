//! What a braced initialiser has said so far, sub-object by sub-object, so that a later initialiser can replace an earlier
//! one (C11 6.7.9p19).
//!
//! A list has parts by index of member or element; a part stands for a range of elements if a GNU range initialised it, and
//! is split where only some of them are initialised anew. What replaces what is gcc's rule: a value or an explicit brace
//! replaces everything about its sub-object; a designator or an elided brace enters the sub-object and keeps the rest of
//! it; a union keeps the initialiser of one member only.

use crate::tree::InitValue;
use crate::types::TypeId;
use base::sabotage::{self, Fault};
use std::collections::BTreeMap;

/// The initialiser of a sub-object.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Of its parts; what has none is zero.
    List(List),
    /// By one value.
    Leaf(Leaf),
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// The type of the sub-object.
    pub(super) ty: TypeId,
    pub(super) value: InitValue,
    /// Position in the source: values are evaluated in this order.
    pub(super) serial: u32,
}

/// Parts of an aggregate.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// A string that initialises the whole array before its parts do.
    pub(super) text: Option<Leaf>,
    /// First index, last index, initialiser; ranges do not overlap.
    pub(super) parts: BTreeMap<u64, (u64, Node)>,
    /// To gcc the list is one value that is not constant: it stands for a range of elements.
    sealed: bool,
}

/// One step from an aggregate to its members or elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) first: u64,
    pub(super) last: u64,
    /// The aggregate is a union.
    pub(super) union: bool,
}

/// The way leads into something that a value other than a string has initialised as a whole. ISO C keeps the value's other
/// members, gcc drops them.
pub(super) struct InsideValue;

impl Node {
    /// Zero, until something else is said.
    pub(super) fn empty() -> Node {
        Node::List(List::default())
    }

    /// Replaces what is said about the sub-objects at the end of the way.
    pub(super) fn set(&mut self, way: &[Step], new: &Node) -> Result<(), InsideValue> {
        let Some((step, rest)) = way.split_first() else {
            *self = new.clone();
            return Ok(());
        };
        let list = self.enter()?;
        if sabotage::active(Fault::OverriddenInitialiserStays) && matches!(new, Node::List(_)) {
            return list.each(step, |part| if rest.is_empty() { Ok(()) } else { part.set(rest, new) });
        }
        if rest.is_empty() {
            list.make_room(step);
            list.parts.insert(step.first, (step.last, new.clone()));
            return Ok(());
        }
        list.each(step, |part| part.set(rest, new))
    }

    /// The lists at the end of the way are one value each.
    pub(super) fn seal(&mut self, way: &[Step]) {
        let Node::List(list) = self else { return };
        match way.split_first() {
            None => list.sealed = true,
            Some((step, rest)) => list.parts.range_mut(step.first..=step.last).for_each(|(_, (_, p))| p.seal(rest)),
        }
    }

    fn enter(&mut self) -> Result<&mut List, InsideValue> {
        if let Node::Leaf(leaf) = *self {
            let InitValue::Str(_) = leaf.value else { return Err(InsideValue) };
            *self = Node::List(List { text: Some(leaf), ..List::default() });
        }
        match self {
            Node::List(list) if list.sealed => Err(InsideValue),
            Node::List(list) => Ok(list),
            Node::Leaf(_) => unreachable!("a leaf has just become a list"),
        }
    }
}

impl List {
    /// A part begins at `at`, if any reaches over it.
    fn split(&mut self, at: u64) {
        if let Some((&first, (last, _))) = self.parts.range_mut(..at).next_back()
            && *last >= at
            && first < at
        {
            let end = std::mem::replace(last, at - 1);
            let copy = self.parts[&first].1.clone();
            self.parts.insert(at, (end, copy));
        }
    }

    /// Parts end where the step's range begins and ends; a union forgets its other members.
    fn separate(&mut self, step: &Step) {
        if step.union {
            self.parts.retain(|&index, _| index == step.first);
        }
        self.split(step.first);
        if let Some(next) = step.last.checked_add(1) {
            self.split(next);
        }
    }

    fn make_room(&mut self, step: &Step) {
        self.separate(step);
        let gone: Vec<u64> = self.parts.range(step.first..=step.last).map(|(&first, _)| first).collect();
        for first in gone {
            self.parts.remove(&first);
        }
    }

    /// Does something to every part of the range; where there is none yet, there is one then.
    fn each(
        &mut self,
        step: &Step,
        mut act: impl FnMut(&mut Node) -> Result<(), InsideValue>,
    ) -> Result<(), InsideValue> {
        self.separate(step);
        let there: Vec<(u64, u64)> = self.parts.range(step.first..=step.last).map(|(&a, &(b, _))| (a, b)).collect();
        let mut next = Some(step.first);
        for (first, last) in there {
            if let Some(free) = next.filter(|&free| free < first) {
                self.parts.insert(free, (first - 1, Node::empty()));
            }
            next = last.checked_add(1);
        }
        if let Some(free) = next.filter(|&free| free <= step.last) {
            self.parts.insert(free, (step.last, Node::empty()));
        }
        self.parts.range_mut(step.first..=step.last).try_for_each(|(_, (_, part))| act(part))
    }
}

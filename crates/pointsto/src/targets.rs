//! Where a pointer may point: sorted cases in shared storage.
//!
//! Many variables of a program have equal sets, because one is copied to the other. A copy shares the storage, and a union
//! that comes out as one of its two sides becomes that side, so that equal sets find each other and asking whether
//! something is new is mostly a comparison of two addresses.

use crate::offsets::Offsets;
use crate::solution::Object;
use std::fmt;
use std::rc::Rc;

/// Where a pointer may point: objects with offsets, each object once. The null pointer and pointers that were never
/// initialised point nowhere, which is never a reason to leave out a case.
#[derive(Clone, Default)]
pub struct Targets(Option<Rc<Vec<Case>>>);

/// One object and where in it.
type Case = (Object, Offsets);

/// Offsets as they are kept in a set: stored pointers can be moved again and again, so their strides survive wrapping.
fn kept(object: Object, offsets: Offsets) -> Offsets {
    if object == Object::Ext { Offsets::ANY } else { offsets.wrapping() }
}

impl Targets {
    /// No case.
    pub const fn new() -> Targets {
        Targets(None)
    }

    fn cases(&self) -> &[Case] {
        self.0.as_ref().map_or(&[], |cases| cases.as_slice())
    }

    fn position(&self, object: Object) -> Result<usize, usize> {
        self.cases().binary_search_by(|(o, _)| o.cmp(&object))
    }

    /// How many objects.
    pub fn len(&self) -> usize {
        self.cases().len()
    }

    /// Whether it points nowhere.
    pub fn is_empty(&self) -> bool {
        self.cases().is_empty()
    }

    /// Where in an object.
    pub fn get(&self, object: &Object) -> Option<&Offsets> {
        self.position(*object).ok().map(|i| &self.cases()[i].1)
    }

    /// Whether an object is among them.
    pub fn contains_key(&self, object: &Object) -> bool {
        self.position(*object).is_ok()
    }

    /// The objects with their offsets, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&Object, &Offsets)> {
        self.cases().iter().map(|(object, offsets)| (object, offsets))
    }

    /// The objects, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &Object> {
        self.cases().iter().map(|(object, _)| object)
    }

    /// Replaces the offsets of each object.
    #[must_use]
    pub fn map(&self, mut offsets: impl FnMut(Object, Offsets) -> Offsets) -> Targets {
        self.cases().iter().map(|&(object, at)| (object, offsets(object, at))).collect()
    }

    /// Those with a property.
    #[must_use]
    pub fn filter(&self, mut keep: impl FnMut(Object, Offsets) -> bool) -> Targets {
        self.cases().iter().copied().filter(|&(object, at)| keep(object, at)).collect()
    }

    /// Leaves an object out.
    pub fn remove(&mut self, object: &Object) {
        *self = self.filter(|o, _| o != *object);
    }

    /// Adds a case as a stored pointer has it; whether that was new.
    pub fn add(&mut self, object: Object, offsets: Offsets) -> bool {
        let offsets = kept(object, offsets);
        match self.position(object) {
            Ok(i) => {
                let old = self.cases()[i].1;
                let join = old.join(offsets);
                if join != old {
                    Rc::make_mut(self.0.as_mut().expect("a case was found in it"))[i].1 = join;
                }
                join != old
            }
            Err(i) => {
                Rc::make_mut(self.0.get_or_insert_default()).insert(i, (object, offsets));
                true
            }
        }
    }

    /// Adds the cases of another set as stored pointers have them; whether one was new.
    pub fn join(&mut self, other: &Targets) -> bool {
        if self.has(other) {
            return false;
        }
        let union = union(self.cases(), other.cases());
        *self = if union == other.cases() { other.clone() } else { Targets(Some(Rc::new(union))) };
        true
    }

    /// The union of many sets, as stored pointers have them.
    pub fn union<'a>(sets: impl IntoIterator<Item = &'a Targets>) -> Targets {
        let mut sets: Vec<&Targets> = sets.into_iter().filter(|set| !set.is_empty()).collect();
        // By address only to find sets that share their storage: what comes out does not depend on the order.
        sets.sort_unstable_by_key(|set| set.cases().as_ptr());
        sets.dedup_by_key(|set| set.cases().as_ptr());
        // The largest first: often it is all.
        sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
        let mut all = Targets::new();
        if sets.len() < 8 {
            for set in sets {
                all.join(set);
            }
            return all;
        }
        let mut cases: Vec<Case> = sets.iter().flat_map(|set| set.cases()).map(|&(o, at)| (o, kept(o, at))).collect();
        cases.sort_unstable();
        cases.dedup_by(|(object, at), (before, join)| {
            let same = object == before;
            if same {
                *join = join.join(*at);
            }
            same
        });
        all.join(&Targets(Some(Rc::new(cases))));
        all
    }

    /// Whether joining `other` adds nothing.
    fn has(&self, other: &Targets) -> bool {
        if let (Some(a), Some(b)) = (&self.0, &other.0)
            && Rc::ptr_eq(a, b)
        {
            return true;
        }
        let mut rest = self.cases();
        other.cases().iter().all(|&(object, offsets)| {
            let at = rest.partition_point(|(o, _)| *o < object);
            rest = &rest[at..];
            rest.first().is_some_and(|&(o, known)| o == object && known.join(kept(object, offsets)) == known)
        })
    }
}

/// The union of two sorted lists of cases.
fn union(mut a: &[Case], mut b: &[Case]) -> Vec<Case> {
    let mut all = Vec::with_capacity(a.len().max(b.len()));
    while let (Some(&(x, in_a)), Some(&(y, in_b))) = (a.first(), b.first()) {
        if x <= y {
            a = &a[1..];
        }
        if y <= x {
            b = &b[1..];
        }
        all.push(match x.cmp(&y) {
            std::cmp::Ordering::Less => (x, in_a),
            std::cmp::Ordering::Greater => (y, kept(y, in_b)),
            std::cmp::Ordering::Equal => (x, in_a.join(kept(y, in_b))),
        });
    }
    all.extend_from_slice(a);
    all.extend(b.iter().map(|&(object, offsets)| (object, kept(object, offsets))));
    all
}

impl PartialEq for Targets {
    fn eq(&self, other: &Targets) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
            _ => self.cases() == other.cases(),
        }
    }
}

impl Eq for Targets {}

impl fmt::Debug for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl FromIterator<Case> for Targets {
    /// Of an object that comes twice the last offsets stay.
    fn from_iter<T: IntoIterator<Item = Case>>(cases: T) -> Targets {
        let mut all: Vec<Case> = cases.into_iter().collect();
        if !all.is_sorted_by(|a, b| a.0 < b.0) {
            all.sort_by_key(|(object, _)| *object);
            all.reverse();
            all.dedup_by_key(|(object, _)| *object);
            all.reverse();
        }
        Targets((!all.is_empty()).then(|| Rc::new(all)))
    }
}

impl<const N: usize> From<[Case; N]> for Targets {
    fn from(cases: [Case; N]) -> Targets {
        cases.into_iter().collect()
    }
}

impl Extend<Case> for Targets {
    fn extend<T: IntoIterator<Item = Case>>(&mut self, cases: T) {
        for (object, offsets) in cases {
            self.add(object, offsets);
        }
    }
}

impl<'a> IntoIterator for &'a Targets {
    type Item = (&'a Object, &'a Offsets);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, Case>, fn(&'a Case) -> (&'a Object, &'a Offsets)>;

    fn into_iter(self) -> Self::IntoIter {
        self.cases().iter().map(|(object, offsets)| (object, offsets))
    }
}

impl IntoIterator for Targets {
    type Item = Case;
    type IntoIter = std::vec::IntoIter<Case>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(Rc::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use base::rng::Rng;
    use std::collections::BTreeMap;

    fn random(rng: &mut Rng) -> Vec<Case> {
        let case = |rng: &mut Rng| {
            let object = match rng.below(4) {
                0 => Object::Ext,
                1 => Object::Global(ir::GlobalId::from_index(rng.below(3) as usize)),
                _ => Object::Site(ir::SiteId::from_index(rng.below(6) as usize)),
            };
            (object, Offsets::new(rng.below(9) as i64, *rng.pick(&[0, 0, 1, 2, 4, 8, 12])))
        };
        (0..rng.below(7)).map(|_| case(rng)).collect()
    }

    #[test]
    fn a_set_is_a_map_whose_values_are_joined() {
        let mut rng = Rng::new(1);
        let (mut grew, mut shared) = (0, 0);
        for _ in 0..3000 {
            let (mut set, mut map) = (Targets::new(), BTreeMap::new());
            for _ in 0..3 {
                let cases = random(&mut rng);
                let (before, mut other) = (map.clone(), Targets::new());
                for &(object, offsets) in &cases {
                    let offsets = kept(object, offsets);
                    map.entry(object).and_modify(|k: &mut Offsets| *k = k.join(offsets)).or_insert(offsets);
                    other.add(object, offsets);
                }
                let new = if rng.below(2) == 0 {
                    set.join(&other)
                } else {
                    set.clone().join(&other) | {
                        set.extend(cases);
                        false
                    }
                };
                grew += u32::from(new);
                shared += u32::from(set == other && !set.is_empty());
                assert_eq!(new, map != before, "{before:?} and {other:?}");
                assert!(set.iter().eq(map.iter()), "{set:?} is not {map:?}");
                assert!(map.iter().all(|(o, at)| set.get(o) == Some(at) && set.contains_key(o)));
            }
        }
        assert!(grew > 1000 && shared > 300, "{grew} {shared}");
    }

    #[test]
    fn the_union_of_many_is_that_of_one_after_the_other() {
        let mut rng = Rng::new(2);
        for _ in 0..2000 {
            let sets: Vec<Targets> = (0..rng.below(16)).map(|_| random(&mut rng).into_iter().collect()).collect();
            let mut all = Targets::new();
            sets.iter().for_each(|set| all.extend(set.clone()));
            assert_eq!(Targets::union(&sets), all, "{sets:?}");
        }
    }

    #[test]
    fn equal_sets_share_their_storage() {
        let small = Targets::from([(Object::Ext, Offsets::ANY)]);
        let site = Object::Site(ir::SiteId::from_index(0));
        let large = Targets::from([(Object::Ext, Offsets::ANY), (site, Offsets::exactly(0))]);
        let mut set = small;
        assert!(set.join(&large) && !set.join(&large));
        assert!(Rc::ptr_eq(set.0.as_ref().unwrap(), large.0.as_ref().unwrap()));
    }
}

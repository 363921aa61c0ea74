//! Where pointers with given points-to sets lie in their objects.

use crate::Analysis;
use base::Id;
use ir::{FuncId, LocalId, Var};
use pointsto::{Object, Targets};

impl Analysis<'_> {
    /// The size of an object, at least; `None` if nothing is known of it.
    fn least_size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Site(site) => Some(self.allocations.least_size(site)),
            Object::Global(_) | Object::Local(..) => self.query().size(object),
            Object::Ext | Object::Func(_) => None,
        }
    }

    /// Whether every pointer with these targets is null or lies strictly inside an object.
    pub fn strictly_inside(&self, targets: &Targets) -> bool {
        targets.iter().all(|(&object, at)| {
            let size = match object {
                Object::Ext => return false,
                Object::Func(_) => return true,
                Object::Site(_) | Object::Global(_) | Object::Local(..) => self.least_size(object).unwrap_or(0),
            };
            at.stride == 0 && u64::try_from(at.start).is_ok_and(|start| start < size)
        })
    }

    /// The bytes around a pointer with these targets that lie in its object whatever it is: from so many bytes behind the
    /// pointer to so many. `None` if that is not known, or if the pointer may lie outside.
    pub fn surely_around(&self, targets: &Targets) -> Option<(i64, i64)> {
        let mut around = (i64::MIN, i64::MAX);
        for (&object, at) in targets {
            let size = i64::try_from(self.least_size(object)?).ok()?;
            if at.stride != 0 || at.start < 0 || at.start >= size {
                return None;
            }
            around = (around.0.max(-at.start), around.1.min(size - at.start));
        }
        (!targets.is_empty()).then_some(around)
    }

    /// The bytes around a parameter that may belong to its object.
    pub fn perhaps_around(&self, func: FuncId, param: usize) -> Option<(i64, i64)> {
        let query = self.query();
        let local = LocalId::from_index(param);
        if self.in_memory(func, Var::Local(local)) {
            return None;
        }
        let (mut from, mut to) = (0, 1);
        for (&object, at) in query.variable(func, Var::Local(local)) {
            let size = i64::try_from(query.size(object)?).ok()?;
            if at.stride != 0 {
                return None;
            }
            (from, to) = (from.min(-at.start), to.max(size - at.start));
        }
        Some((from, to))
    }
}

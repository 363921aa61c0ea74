//! Rule 6, of calls: what `vc` takes a function to write covers each of its writes and those of its callees, and the origins of
//! pointers on which that rests are closed. As with the analysis of pointers, the rules are written a second time, as
//! tests on one edge at a time; of the analysis only its data is used.

use crate::memory::Open;
use analysis::{Analysis, Anchor, Bytes, Footprint, Footprints, Origin};
use ir::library::Library;
use ir::{Address, Base, Call, Edge, Expr, ExprKind, Externs, FuncId, HavocDst, LocalId, Op, Place, Program, Ty, Var};
use pointsto::{Object, Query, RegionId, Regions};

type Check = Result<(), Open>;

/// Checks the footprints of an analysis.
pub(crate) fn check(analysis: &Analysis<'_>) -> Check {
    if !analysis.memory_applies() {
        return Ok(());
    }
    check_data(analysis.query(), &analysis.regions, analysis.footprints())
}

fn check_data(query: Query<'_>, regions: &Regions, footprints: &Footprints) -> Check {
    let program = query.program;
    for (func, f) in program.functions.iter_enumerated() {
        let Some(body) = &f.body else { continue };
        let claim = &footprints.functions[func];
        if claim.lost {
            continue;
        }
        let rules = Rules { program, query, regions, footprints, func, claim };
        rules.frame().map_err(|e| format!("{}: {e}", f.name))?;
        for (id, edge) in body.edges.iter_enumerated() {
            rules.edge(edge).map_err(|e| format!("{id} of {}: {e}", f.name))?;
        }
    }
    Ok(())
}

/// The conditions on one function.
struct Rules<'a> {
    program: &'a Program,
    query: Query<'a>,
    regions: &'a Regions,
    footprints: &'a Footprints,
    func: FuncId,
    claim: &'a Footprint,
}

/// How far behind a pointer something lies: known, or anywhere in its object.
type Distance = Option<i64>;

fn shifted(origin: Origin, by: Distance) -> Origin {
    match origin {
        Origin::Unknown | Origin::Fresh | Origin::Within(_) => origin,
        Origin::At(anchor, at) => match by.and_then(|by| at.checked_add(by)) {
            Some(at) => Origin::At(anchor, at),
            None => Origin::Within(anchor),
        },
    }
}

impl Rules<'_> {
    fn is_in_memory(&self, local: LocalId) -> bool {
        self.query.in_memory(self.func, Var::Local(local))
    }

    /// What calling and returning write, and what the result is.
    fn frame(&self) -> Check {
        let f = &self.program.functions[self.func];
        for (i, p) in f.params().enumerate() {
            if !self.is_in_memory(p) {
                self.holds(p, Origin::At(Anchor::Param(i), 0))?;
            }
        }
        for l in f.params().chain(f.ret).filter(|&l| self.is_in_memory(l)) {
            self.writes_object(Object::Local(self.func, l), Bytes::Fresh)?;
        }
        let Some(ret) = f.ret else { return Ok(()) };
        let unknown = [Origin::Unknown].into();
        let given = if self.is_in_memory(ret) { &unknown } else { &self.claim.locals[ret] };
        for &origin in given {
            if !covers(self.claim.result.iter(), origin) {
                return Err(format!("the result may be {origin:?}, which is left out"));
            }
        }
        Ok(())
    }

    /// A local that does not live in memory may hold a pointer from there.
    fn holds(&self, local: LocalId, origin: Origin) -> Check {
        if covers(self.claim.locals[local].iter(), origin) {
            return Ok(());
        }
        let name = &self.program.functions[self.func].locals[local].name;
        Err(format!("{name} may be {origin:?}, which is left out"))
    }

    fn gives(&self, place: &Place, origins: &[Origin]) -> Check {
        let Base::Var(Var::Local(local)) = place.addr.base else { return Ok(()) };
        if self.is_in_memory(local) || self.program.functions[self.func].locals[local].shape.scalar() != Some(Ty::Ptr) {
            return Ok(());
        }
        origins.iter().try_for_each(|&origin| self.holds(local, origin))
    }

    fn edge(&self, edge: &Edge) -> Check {
        match &edge.op {
            Op::Assign(place, e) => {
                self.gives(place, &self.pointer(e))?;
                self.writes(place)
            }
            Op::Havoc(HavocDst::Place(place), source) => {
                let outside = [Origin::Unknown];
                self.gives(place, if source.is_indeterminate() { &[] } else { &outside })?;
                self.writes(place)
            }
            Op::Alloc(alloc) => {
                self.gives(&alloc.dst, &[Origin::Fresh])?;
                self.writes(&alloc.dst)?;
                self.writes_object(Object::Site(alloc.site), Bytes::Fresh)
            }
            Op::SetRange { dst, len, .. }
            | Op::CopyRange { dst, len, .. }
            | Op::Havoc(HavocDst::Range { dst, len }, _) => self.writes_range(dst, len),
            Op::Return(Some(e)) => match self.program.functions[self.func].ret {
                Some(ret) => self.gives(&Place::var(Var::Local(ret), e.ty), &self.pointer(e)),
                None => Ok(()),
            },
            Op::Call(call) => self.call(call),
            Op::Skip
            | Op::Assume(_)
            | Op::Free(_)
            | Op::Begin(_)
            | Op::End(_)
            | Op::Release(_)
            | Op::Return(None)
            | Op::Error(_)
            | Op::Halt
            | Op::Unsupported(_) => Ok(()),
        }
    }

    /// Where a pointer may come from.
    fn pointer(&self, e: &Expr) -> Vec<Origin> {
        match &e.kind {
            ExprKind::Const(0) => Vec::new(),
            ExprKind::Ite(_, a, b) => [self.pointer(a), self.pointer(b)].concat(),
            ExprKind::Convert(a) if a.ty == Ty::Ptr || a.as_const() == Some(0) => self.pointer(a),
            ExprKind::Addr(addr) => self.address(addr),
            ExprKind::Read(place) => match place.as_var() {
                Some(Var::Local(l)) if !self.is_in_memory(l) => self.claim.locals[l].iter().copied().collect(),
                _ => vec![Origin::Unknown],
            },
            _ => vec![Origin::Unknown],
        }
    }

    fn address(&self, addr: &Address) -> Vec<Origin> {
        let mut by: Distance = Some(addr.offset);
        for index in &addr.indices {
            let n = index.value.as_const().filter(|&n| n <= i32::MAX as u128);
            by = by.zip(n).and_then(|(by, n)| by.checked_add(index.stride.checked_mul(n as i64)?));
        }
        let base = match &addr.base {
            Base::Var(Var::Global(g)) => vec![Origin::At(Anchor::Global(*g), 0)],
            Base::Var(Var::Local(_)) => vec![Origin::Fresh],
            Base::Ptr(p) => self.pointer(p),
        };
        base.into_iter().map(|origin| shifted(origin, by)).collect()
    }

    fn writes(&self, place: &Place) -> Check {
        if !self.query.is_access(self.func, place) {
            return Ok(());
        }
        let size = place.ty.size(self.program.model);
        let accessed = self.query.accessed(&self.query.address(self.func, &place.addr), size);
        let region = self.regions.of(&accessed, size).ok_or("a write lies in no region")?;
        self.behind(&self.address(&place.addr), region, Some((0, size as i64)))
    }

    fn writes_object(&self, object: Object, part: Bytes) -> Check {
        self.regions.of_object(object).into_iter().try_for_each(|region| self.part(region, part))
    }

    fn writes_range(&self, dst: &Expr, len: &Expr) -> Check {
        let constant = len.as_const().and_then(|n| i64::try_from(n).ok());
        let bytes = constant.filter(|&n| n < 1 << 40).map(|n| n as u64);
        let reached = self.query.reached(&self.query.expr(self.func, dst));
        let origins = self.pointer(dst);
        let mut regions = self.regions.of_range(&reached, bytes).into_iter();
        regions.try_for_each(|region| self.behind(&origins, region, constant.map(|n| (0, n))))
    }

    /// The bytes of a range behind each of these pointers, or all of their objects, are among what may be written.
    fn behind(&self, origins: &[Origin], region: RegionId, range: Option<(i64, i64)>) -> Check {
        for &origin in origins {
            let part = match (origin, range) {
                (Origin::Unknown, _) => Bytes::Anywhere,
                (Origin::Fresh, _) => Bytes::Fresh,
                (Origin::Within(anchor), _) | (Origin::At(anchor, _), None) => Bytes::ObjectOf(anchor),
                (Origin::At(anchor, at), Some((from, to))) => match at.checked_add(from).zip(at.checked_add(to)) {
                    Some((from, to)) => Bytes::Range(anchor, from, to),
                    None => Bytes::ObjectOf(anchor),
                },
            };
            self.part(region, part)?;
        }
        Ok(())
    }

    fn part(&self, region: RegionId, part: Bytes) -> Check {
        if self.footprints.written(self.func, region).iter().any(|&claimed| includes(claimed, part)) {
            return Ok(());
        }
        Err(format!("{part:?} of {region} may be written, which is left out"))
    }

    fn call(&self, call: &Call) -> Check {
        match call.dst {
            Some(Var::Local(l)) if self.is_in_memory(l) => {
                self.writes_object(Object::Local(self.func, l), Bytes::Fresh)?;
            }
            Some(Var::Global(g)) if self.query.in_memory(self.func, Var::Global(g)) => {
                self.writes_object(Object::Global(g), Bytes::ObjectOf(Anchor::Global(g)))?;
            }
            _ => {}
        }
        for callee in self.query.callees(self.func, &call.callee, call.args.len()) {
            let f = &self.program.functions[callee];
            let given = if f.body.is_some() {
                self.callee(call, callee)?
            } else {
                if self.program.externs != Externs::Pure && Library::of(f).is_none() {
                    self.regions.changed.iter().try_for_each(|&region| self.part(region, Bytes::Anywhere))?;
                }
                vec![Origin::Unknown]
            };
            if let Some(Var::Local(l)) = call.dst {
                self.gives(&Place::var(Var::Local(l), Ty::Ptr), &given)?;
            }
        }
        Ok(())
    }

    /// What a callee writes is among what its caller writes; gives what it returns, as the caller sees it.
    fn callee(&self, call: &Call, callee: FuncId) -> Result<Vec<Origin>, Open> {
        let theirs = &self.footprints.functions[callee];
        if theirs.lost {
            return Err(format!("nothing is known of {}", self.program.functions[callee].name));
        }
        let seen = |anchor: Anchor| match anchor {
            Anchor::Global(_) => vec![Origin::At(anchor, 0)],
            Anchor::Param(i) => call.args.get(i).map_or_else(|| vec![Origin::Unknown], |arg| self.pointer(arg)),
        };
        for (&region, parts) in &theirs.written {
            for &part in parts {
                match part {
                    Bytes::Anywhere | Bytes::Fresh => self.part(region, part)?,
                    Bytes::Range(anchor, from, to) => self.behind(&seen(anchor), region, Some((from, to)))?,
                    Bytes::ObjectOf(anchor) => self.behind(&seen(anchor), region, None)?,
                }
            }
        }
        let mut given = Vec::new();
        for &origin in &theirs.result {
            match origin {
                Origin::Unknown | Origin::Fresh => given.push(origin),
                Origin::At(anchor, by) => given.extend(seen(anchor).into_iter().map(|o| shifted(o, Some(by)))),
                Origin::Within(anchor) => given.extend(seen(anchor).into_iter().map(|o| shifted(o, None))),
            }
        }
        Ok(given)
    }
}

/// Whether the bytes of a part are among those of another.
fn includes(all: Bytes, part: Bytes) -> bool {
    match (all, part) {
        (Bytes::Anywhere, _) | (Bytes::Fresh, Bytes::Fresh) => true,
        (Bytes::ObjectOf(a), Bytes::ObjectOf(b) | Bytes::Range(b, ..)) => a == b,
        (Bytes::Range(a, from, to), Bytes::Range(b, least, end)) => a == b && from <= least && end <= to,
        _ => false,
    }
}

/// Whether a pointer from there is meant by one of these.
fn covers<'a>(mut claimed: impl Iterator<Item = &'a Origin>, origin: Origin) -> bool {
    claimed.any(|&c| {
        c == origin || c == Origin::Unknown || matches!((c, origin), (Origin::Within(a), Origin::At(b, _)) if a == b)
    })
}

#[cfg(test)]
mod tests {
    //! What the analysis finds is closed, and what is left out of it is missed.

    use super::*;
    use base::rng::Rng;
    use ir::random::{Knobs, program};
    use ir::{Ub, UbPolicy};

    fn random(seed: u64) -> Program {
        let knobs = Knobs { memory: true, functions: 4, statements: 6, ..Knobs::default() };
        let mut program = program(&mut Rng::new(seed), &knobs);
        for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree] {
            program.ub.set(ub, UbPolicy::AssumedAway);
        }
        program
    }

    #[test]
    fn what_the_analysis_finds_is_closed() {
        let mut named = 0;
        for seed in 0..300 {
            let program = random(seed);
            let analysis = Analysis::new(&program);
            if let Err(e) = check(&analysis) {
                panic!("seed {seed}: {e}\n{}", ir::text::print(&program));
            }
            let all = analysis.footprints().functions.iter().flat_map(|f| f.written.values().flatten());
            named += all.filter(|p| matches!(p, Bytes::Range(..) | Bytes::ObjectOf(_))).count();
        }
        assert!(named > 300, "only {named} writes have a name");
    }

    /// Leaves out one part, or one origin of a local; `None` if there is none.
    fn without_one(query: Query<'_>, footprints: &Footprints, rng: &mut Rng) -> Option<Footprints> {
        let mut less = footprints.clone();
        let (mut parts, mut origins) = (Vec::new(), Vec::new());
        let functions = query.program.functions.iter_enumerated();
        for (f, (id, function)) in less.functions.iter_mut().zip(functions).filter(|(f, _)| !f.lost) {
            // New objects are meant where nothing is said.
            parts.extend(f.written.values_mut().filter(|p| p.iter().any(|p| *p != Bytes::Fresh)));
            for (origin, (l, local)) in f.locals.iter_mut().zip(function.locals.iter_enumerated()) {
                let pointer = local.shape.scalar() == Some(Ty::Ptr) && !query.in_memory(id, Var::Local(l));
                if pointer && !origin.is_empty() {
                    origins.push(origin);
                }
            }
        }
        if rng.chance(50) && !origins.is_empty() {
            let n = rng.below(origins.len() as u64) as usize;
            origins[n].pop_first();
        } else if !parts.is_empty() {
            let n = rng.below(parts.len() as u64) as usize;
            // What another part includes is not missed.
            let alone = |p: &Bytes| !parts[n].iter().any(|q| q != p && includes(*q, *p));
            let part = parts[n].iter().copied().find(|p| *p != Bytes::Fresh && alone(p))?;
            parts[n].remove(&part);
        } else {
            return None;
        }
        Some(less)
    }

    #[test]
    fn what_is_left_out_is_missed() {
        let (mut tried, mut caught) = (0, 0);
        for seed in 0..300 {
            let program = random(seed);
            let analysis = Analysis::new(&program);
            let less = without_one(analysis.query(), analysis.footprints(), &mut Rng::new(seed));
            let Some(less) = less else { continue };
            tried += 1;
            caught += u32::from(check_data(analysis.query(), &analysis.regions, &less).is_err());
        }
        assert!(tried > 150 && caught == tried, "{caught} of {tried} were caught");
    }
}

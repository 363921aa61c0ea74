//! Padding: the bytes and bits of a structure that belong to no member.
//!
//! An initialiser leaves them arbitrary, and so does a store to the structure or to a member of it (C11 6.2.6.1p6), unless
//! the options say that they are kept: compilers are free to write them or not. Bytes of a union that belong to a member
//! other than the stored one are no padding: they are kept, and zero after an initialiser, as with gcc.
//!
//! Nobody can see the padding of a structure whose bytes are never looked at as something else. [`crate::exposure`] says which
//! structures are: for the others nothing is made arbitrary.

use crate::function::Fun;
use crate::place::unnamed;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{BinOp, CastKind, ExprId, ExprKind, UnionMember};
use cfront::types::{ArrayLen, BitRange, FloatKind, RecordKind, Type, TypeId, Types};
use ir::{Address, HavocDst, Op, Place, Source, Ty, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Larger objects are not looked at byte by byte.
const MAX_SIZE: u64 = 1 << 20;
/// More holes than this are not made arbitrary one by one.
const MAX_HOLES: usize = 4096;
/// A store to a member of a structure with more holes than this leaves those inside other members alone.
const FEW_HOLES: usize = 64;

/// The padding of types, by unit and type, with that inside members or without; nothing for types that are too large.
pub(crate) type HoleTable = FxHashMap<(u32, TypeId, bool), Option<Rc<[Hole]>>>;

/// Neighbouring padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hole {
    /// Whole bytes.
    Bytes { offset: u64, len: u64 },
    /// Bits of one byte.
    Bits { offset: u64, lo: u16, width: u16 },
}

/// How deep the padding of a type is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Also inside members.
    Full,
    /// Between the members only.
    Members,
}

/// Which bits of an object belong to members, one byte for each byte.
struct Cover<'a> {
    types: &'a Types,
    depth: Depth,
    /// The members of unions that an initialiser is for; without one, every member counts.
    members: Option<&'a [UnionMember]>,
    mask: Vec<u8>,
}

impl Cover<'_> {
    fn bytes(&mut self, offset: u64, len: u64) {
        let end = self.mask.len() as u64;
        for byte in &mut self.mask[offset.min(end) as usize..offset.saturating_add(len).min(end) as usize] {
            *byte = 0xff;
        }
    }

    fn bits(&mut self, offset: u64, bits: BitRange) {
        for part in crate::place::bytewise(bits) {
            if let Some(byte) = self.mask.get_mut((offset as i64 + part.byte) as usize) {
                *byte |= (((1u16 << part.range.width) - 1) << part.range.lo) as u8;
            }
        }
    }

    fn value(&mut self, ty: TypeId, at: u64) {
        let size = self.types.size(ty).unwrap_or(0);
        match *self.types.get(ty) {
            Type::Float(FloatKind::LongDouble) => self.bytes(
                at,
                size.min(match self.types.target.abi().long_double {
                    cfront::abi::LongDouble::X87 { .. } => 10,
                    cfront::abi::LongDouble::Double | cfront::abi::LongDouble::Quad => size,
                }),
            ),
            Type::Complex(part) | Type::Vector(part, _) => {
                let step = self.types.size(part).unwrap_or(1).max(1);
                (0..size / step).for_each(|i| self.value(part, at + i * step));
            }
            Type::Array(elem, ArrayLen::Fixed(n)) => {
                let step = self.types.size(elem).unwrap_or(0);
                (0..n).for_each(|i| self.value(elem, at + i * step));
            }
            Type::Record(r) => match (self.types.records[r].kind, self.members) {
                (RecordKind::Union, Some(members)) => {
                    let ty = self.types.unqualified(ty);
                    let chosen = members.iter().find(|m| m.offset == at && m.ty == ty).map_or(0, |m| m.member);
                    self.union(ty, at, chosen as usize);
                }
                _ => self.record(ty, at),
            },
            _ => self.bytes(at, size),
        }
    }

    fn record(&mut self, ty: TypeId, at: u64) {
        let Some(r) = self.types.record(ty) else { return };
        for f in &self.types.records[r].fields {
            match f.bits {
                Some(bits) => self.bits(at + f.offset, bits),
                None if self.depth == Depth::Members => {
                    self.bytes(at + f.offset, self.types.size(f.ty).unwrap_or(0));
                }
                None => self.value(f.ty, at + f.offset),
            }
        }
    }

    /// A union that is initialised by one of its members: what other members have beyond it is zero. Around a bit-field gcc
    /// clears the rest in some unions and not in others.
    fn union(&mut self, ty: TypeId, at: u64, chosen: usize) {
        let Some(r) = self.types.record(ty) else { return };
        let fields = &self.types.records[r].fields;
        let Some(active) = fields.get(chosen) else { return };
        let (from, len) = match active.bits {
            Some(_) => (at, self.types.records[r].size),
            None => (at + active.offset, self.types.size(active.ty).unwrap_or(0)),
        };
        self.record(ty, at);
        let end = self.mask.len() as u64;
        for i in from.min(end)..from.saturating_add(len).min(end) {
            self.mask[i as usize] = 0;
        }
        match active.bits {
            Some(bits) => self.bits(at + active.offset, bits),
            None => self.value(active.ty, at + active.offset),
        }
    }
}

/// The padding that a mask leaves.
fn gaps(mask: &[u8]) -> Vec<Hole> {
    let mut out: Vec<Hole> = Vec::new();
    for (i, &covered) in (0u64..).zip(mask) {
        match (covered, out.last_mut()) {
            (0xff, _) => {}
            (0, Some(Hole::Bytes { offset, len })) if *offset + *len == i => *len += 1,
            (0, _) => out.push(Hole::Bytes { offset: i, len: 1 }),
            _ => bit_gaps(i, covered, &mut out),
        }
    }
    out
}

fn bit_gaps(offset: u64, covered: u8, out: &mut Vec<Hole>) {
    let mut lo = 0u16;
    while lo < 8 {
        let width = (covered >> lo).trailing_zeros().min(8 - u32::from(lo)) as u16;
        if width > 0 {
            out.push(Hole::Bits { offset, lo, width });
        }
        lo += width.max(1);
    }
}

/// The padding of a type; `None` if it is too large to say.
fn holes(types: &Types, ty: TypeId, depth: Depth, members: Option<&[UnionMember]>) -> Option<Vec<Hole>> {
    let size = types.size(ty)?;
    if size > MAX_SIZE {
        return None;
    }
    let mut cover = Cover { types, depth, members, mask: vec![0; size as usize] };
    match depth {
        Depth::Full => cover.value(ty, 0),
        Depth::Members => cover.record(ty, 0),
    }
    Some(gaps(&cover.mask)).filter(|holes| holes.len() <= MAX_HOLES)
}

/// Padding that a store makes arbitrary.
pub(crate) struct Blur {
    object: Address,
    holes: Rc<[Hole]>,
}

/// A structure around a stored place.
struct Around {
    record: ExprId,
    /// How far the place lies behind its start, if that is a constant.
    distance: Option<u64>,
}

impl Fun<'_, '_> {
    /// An object of type `ty` has been initialised: its padding is arbitrary.
    pub(crate) fn blur_initialised(&mut self, var: Var, ty: TypeId, members: &[UnionMember], span: Span) {
        if !self.cx.exposure.sees(self.u, &self.unit.types, ty) || sabotage::active(Fault::PaddingStartsZero) {
            return;
        }
        match holes(&self.unit.types, ty, Depth::Full, Some(members)) {
            Some(holes) => self.blur(&[Blur { object: Address::var(var), holes: holes.into() }], span),
            None => self.unsupported("padding of a very large object", span),
        }
    }

    /// A record has been copied to `dst`: its padding is arbitrary.
    pub(crate) fn blur_copied(&mut self, dst: &Address, ty: TypeId, span: Span) {
        if self.cx.opts.padding_kept || !self.cx.exposure.sees(self.u, &self.unit.types, ty) {
            return;
        }
        match self.holes_of(ty, Depth::Full) {
            Some(holes) => self.blur(&[Blur { object: dst.clone(), holes }], span),
            None => self.unsupported("padding of a very large object", span),
        }
    }

    /// The padding that a store to the place makes arbitrary; `at` is where the place is, unless it is a bit-field. To be
    /// asked before the store, which comes after the evaluation of `later`.
    pub(crate) fn blurred_by(
        &mut self,
        place: ExprId,
        at: Option<&Address>,
        later: &[ExprId],
        span: Span,
    ) -> Vec<Blur> {
        if self.cx.opts.padding_kept {
            return Vec::new();
        }
        let mut out = Vec::new();
        for around in self.around(place) {
            let ty = self.unit.exprs[around.record].ty;
            if !self.cx.exposure.sees(self.u, &self.unit.types, ty) {
                continue;
            }
            let Some(holes) = self.holes_around(ty) else {
                self.unsupported("padding of a very large object", span);
                continue;
            };
            if !holes.is_empty() {
                let object = self.start_of(&around, at, later, span);
                out.push(Blur { object, holes });
            }
        }
        out
    }

    fn holes_around(&mut self, ty: TypeId) -> Option<Rc<[Hole]>> {
        match self.holes_of(ty, Depth::Full) {
            Some(all) if all.len() <= FEW_HOLES => Some(all),
            _ => self.holes_of(ty, Depth::Members),
        }
    }

    fn holes_of(&mut self, ty: TypeId, depth: Depth) -> Option<Rc<[Hole]>> {
        let key = (self.u, self.unit.types.unqualified(ty), depth == Depth::Full);
        if let Some(known) = self.cx.holes.get(&key) {
            return known.clone();
        }
        let found: Option<Rc<[Hole]>> = holes(&self.unit.types, ty, depth, None).map(Into::into);
        self.cx.holes.insert(key, found.clone());
        found
    }

    /// The structures that the place is in: the outermost one, and one in each union on the way.
    fn around(&self, place: ExprId) -> Vec<Around> {
        let unit = self.unit;
        let mut out: Vec<Around> = Vec::new();
        let (mut at, mut distance) = (place, Some(0u64));
        loop {
            match unit.exprs[at].kind {
                ExprKind::Member(base, i) => {
                    let Some(r) = unit.types.record(unit.exprs[base].ty) else { break };
                    let record = &unit.types.records[r];
                    let field = &record.fields[i as usize];
                    distance = distance.filter(|_| field.bits.is_none()).and_then(|d| d.checked_add(field.offset));
                    if record.kind == RecordKind::Struct {
                        // What a structure around this one has as padding includes this one's.
                        if out.last().is_some_and(|a| !self.is_union(a.record, base)) {
                            out.pop();
                        }
                        out.push(Around { record: base, distance });
                    }
                    at = base;
                }
                ExprKind::Deref(p) => match self.indexed(p) {
                    Some(array) => {
                        distance = None;
                        at = array;
                    }
                    None => break,
                },
                _ => break,
            }
        }
        out
    }

    /// Whether a union lies between a structure and one around it.
    fn is_union(&self, inner: ExprId, outer: ExprId) -> bool {
        let unit = self.unit;
        let mut at = inner;
        while at != outer {
            at = match unit.exprs[at].kind {
                ExprKind::Member(base, _) => base,
                ExprKind::Deref(p) => match self.indexed(p) {
                    Some(array) => array,
                    None => return false,
                },
                _ => return false,
            };
            let record = unit.types.record(unit.exprs[at].ty);
            if record.is_some_and(|r| unit.types.records[r].kind == RecordKind::Union) {
                return true;
            }
        }
        false
    }

    /// The array that a pointer to one of its elements is computed from.
    fn indexed(&self, p: ExprId) -> Option<ExprId> {
        match self.unit.exprs[p].kind {
            ExprKind::Cast(CastKind::ArrayDecay, array, _) => Some(array),
            ExprKind::Binary(BinOp::PtrAdd | BinOp::PtrSub, p, _) => self.indexed(p),
            ExprKind::Cast(CastKind::Same, p, _) => self.indexed(p),
            _ => None,
        }
    }

    fn start_of(&mut self, around: &Around, at: Option<&Address>, later: &[ExprId], span: Span) -> Address {
        if let (Some(at), Some(distance)) = (at, around.distance) {
            let object = self.advance(at.clone(), -(distance as i64));
            return self.steady(object, span);
        }
        let effects = self.oracle().place(around.record);
        if effects.writes || effects.edges && self.cx.opts.volatile_nondet {
            self.unsupported("padding of a structure that is named with side effects", span);
        }
        // What finding the place asks for has been asked.
        let depth = self.guards.len();
        let object = self.address(around.record);
        let object = self.settle(object, later, span);
        self.guards.truncate(depth);
        self.steady(object, span)
    }

    /// The address, such that it means the same after a store.
    fn steady(&mut self, addr: Address, span: Span) -> Address {
        if self.is_steady(&addr) {
            return addr;
        }
        let ptr = self.pointer(addr);
        let ptr = self.keep(ptr, span);
        self.pointed(ptr)
    }

    /// Makes padding arbitrary.
    pub(crate) fn blur(&mut self, all: &[Blur], span: Span) {
        for Blur { object, holes } in all {
            for &hole in holes.iter() {
                let dst = match hole {
                    Hole::Bytes { offset, len } => {
                        let at = self.advance(object.clone(), offset as i64);
                        HavocDst::Range { dst: self.pointer(at), len: self.bytes(len) }
                    }
                    Hole::Bits { offset, lo, width } => {
                        let at = self.advance(object.clone(), offset as i64);
                        let bits = Some(ir::BitRange { lo, width });
                        HavocDst::Place(Place { bits, ..unnamed(at, Ty::int(8, false)) })
                    }
                };
                self.emit(Op::Havoc(dst, Source::Padding), span);
            }
        }
    }
}

//! Structures that are read as a whole while some of them is volatile: under `--volatile nondet` each such read gives any
//! value, so it goes to an object of its own whose volatile parts are then made arbitrary.

use crate::function::Fun;
use crate::place::{Lv, unnamed};
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{ExprId, ExprKind, Unit};
use cfront::types::{ArrayLen, BitRange, Quals, RecordKind, Type, TypeId, Types};
use ir::{Address, Source};

/// The elements of longer arrays are not written out: such an array is volatile as a whole if its elements are in part.
const MAX_ELEMENTS: u64 = 1024;

/// A volatile part of an object.
struct Part {
    offset: u64,
    ty: TypeId,
    bits: Option<BitRange>,
}

impl Fun<'_, '_> {
    /// The address of an object that holds the record value `e` until the next write, after a read of it.
    pub(crate) fn record_read(&mut self, e: ExprId) -> Address {
        let unit = self.unit;
        let mut place = e;
        while let ExprKind::Cast(cfront::tree::CastKind::Same, inner, _) = unit.exprs[place].kind {
            place = inner;
        }
        let addr = self.address(place);
        let (ty, span) = (unit.exprs[place].ty, unit.exprs[place].span);
        if !self.cx.opts.volatile_nondet || sabotage::active(Fault::VolatileCopyIsPlain) || !unit.is_place(place) {
            return addr;
        }
        let mut parts = Vec::new();
        collect(&unit.types, Part { offset: 0, ty, bits: None }, false, &mut parts);
        let Some((size, align)) = self.record_layout(ty).filter(|_| !parts.is_empty()) else { return addr };
        let copy = Address::var(self.temp_object(size, align, span));
        self.copy_record(copy.clone(), &addr, ty, span);
        for part in parts {
            self.any_value(&copy, size, &part, span);
        }
        copy
    }

    fn any_value(&mut self, object: &Address, limit: u64, part: &Part, span: Span) {
        let source = Source::Outside("volatile".to_owned());
        let size = self.unit.types.size(part.ty).unwrap_or(0);
        let at = self.advance(object.clone(), part.offset as i64);
        match (part.bits, self.scalar(part.ty)) {
            (Some(bits), Some(ty)) => {
                let lv = Lv::bit_field(object, part.offset, bits, limit, size, ty);
                self.havoc(&lv, &source, span);
            }
            // Any value is also the one that was stored, which the outside need not know.
            (None, Some(ir::Ty::Ptr)) => {
                self.perhaps(span, |fun| fun.havoc(&Lv::plain(unnamed(at, ir::Ty::Ptr)), &source, span));
            }
            (None, Some(ty)) => self.havoc(&Lv::plain(unnamed(at, ty)), &source, span),
            (_, None) => self.perhaps(span, |fun| fun.havoc_object(&at, size, source, span)),
        }
    }
}

/// The volatile parts of a sub-object: scalars, and whole arrays that are very long. A counterexample can give a scalar its
/// value, as it cannot give one to a range of bytes.
fn collect(types: &Types, part: Part, volatile: bool, out: &mut Vec<Part>) {
    let volatile = volatile || types.quals(part.ty).has(Quals::VOLATILE);
    match *types.get(part.ty) {
        Type::Array(elem, ArrayLen::Fixed(n)) => {
            let size = types.size(elem).unwrap_or(0);
            let mut inner = Vec::new();
            collect(types, Part { offset: 0, ty: elem, bits: None }, volatile, &mut inner);
            if n > MAX_ELEMENTS && !inner.is_empty() {
                out.push(part);
                return;
            }
            for i in 0..n {
                let at = part.offset + i * size;
                out.extend(inner.iter().map(|p| Part { offset: at + p.offset, ..*p }));
            }
        }
        Type::Record(r) if types.records[r].kind == RecordKind::Union && volatile => out.push(part),
        Type::Record(r) => {
            for f in &types.records[r].fields {
                collect(types, Part { offset: part.offset + f.offset, ty: f.ty, bits: f.bits }, volatile, out);
            }
        }
        _ if volatile => out.push(part),
        _ => {}
    }
}

/// Whether reading a value of the type reads something volatile.
pub(crate) fn is_volatile(unit: &Unit, ty: TypeId) -> bool {
    let mut parts = Vec::new();
    collect(&unit.types, Part { offset: 0, ty, bits: None }, false, &mut parts);
    !parts.is_empty()
}

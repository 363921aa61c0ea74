//! How the source would write an address: the members and elements that lead from a declared object or a typed pointer to
//! so many bytes behind its start.

use super::ctype::{CTy, Layout};
use crate::declared::Type;
use crate::{Expr, Index, Place, Ty};

/// One step on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `.name`.
    Member(String),
    /// `[index + constant]`.
    Element(Option<Expr>, i64),
}

/// What is looked for at the end of the way.
#[derive(Clone, Copy)]
pub(super) enum Goal<'a> {
    /// A scalar of the size that this place has, or the same bit-field.
    Read(&'a Place),
    /// Whatever begins there; the first that does.
    Address,
}

/// The way from an object of type `ty` to the byte `offset` bytes and the indices behind its start, and the type found.
pub(super) fn path(
    layout: Layout<'_>,
    ty: &CTy,
    offset: i64,
    indices: &[Index],
    goal: Goal<'_>,
) -> Option<(Vec<Step>, CTy)> {
    let mut way = Vec::new();
    let found = walk(layout, ty, offset, &mut indices.to_vec(), goal, &mut way, 0)?;
    Some((way, found))
}

/// As [`path`], from a pointer to `ty`: the first step is an element.
pub(super) fn path_from_pointer(
    layout: Layout<'_>,
    ty: &CTy,
    offset: i64,
    indices: &[Index],
    goal: Goal<'_>,
) -> Option<(Vec<Step>, CTy)> {
    let mut way = Vec::new();
    let mut left = indices.to_vec();
    let rest = element(layout, ty, None, offset, &mut left, &mut way)?;
    let found = walk(layout, ty, rest, &mut left, goal, &mut way, 0)?;
    Some((way, found))
}

/// Types nest no deeper than this here.
const MAX_DEPTH: u32 = 30;

fn walk(
    layout: Layout<'_>,
    ty: &CTy,
    offset: i64,
    indices: &mut Vec<Index>,
    goal: Goal<'_>,
    way: &mut Vec<Step>,
    depth: u32,
) -> Option<CTy> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let (Goal::Address, 0, true) = (goal, offset, indices.is_empty()) {
        return Some(ty.clone());
    }
    if let Some((elem, n)) = ty.elements(layout.declared) {
        let rest = element(layout, &elem, n, offset, indices, way)?;
        return walk(layout, &elem, rest, indices, goal, way, depth + 1);
    }
    if let Some(record) = ty.record(layout.declared) {
        let Type::Record(r) = &layout.declared.types[record] else { unreachable!("it is a record") };
        for field in &r.fields {
            let (steps, left) = (way.len(), indices.clone());
            way.extend(field.name.iter().map(|n| Step::Member(n.clone())));
            let field_ty = CTy::Declared(field.ty);
            let rest = offset - field.offset as i64;
            let found = match (field.bits, goal) {
                (Some((access, range)), Goal::Read(place)) => {
                    let same = place.bits == Some(range) && place.ty == access && rest == 0 && indices.is_empty();
                    same.then(|| field_ty.clone())
                }
                (Some(_), Goal::Address) => None,
                (None, _) => {
                    let size = field_ty.size(layout.declared, layout.model);
                    // The elements of a flexible array lie behind the structure.
                    let inside = rest >= 0 && size.is_none_or(|n| rest.unsigned_abs() < n);
                    inside.then(|| walk(layout, &field_ty, rest, indices, goal, way, depth + 1)).flatten()
                }
            };
            if found.is_some() {
                return found;
            }
            way.truncate(steps);
            *indices = left;
        }
        return None;
    }
    match (goal, ty.scalar(layout.declared)) {
        (Goal::Read(place), Some(scalar)) => {
            let fits = offset == 0 && indices.is_empty() && place.bits.is_none() && same_bits(layout, scalar, place.ty);
            fits.then(|| ty.clone())
        }
        _ => None,
    }
}

/// Whether values of both types have the same bits and a cast from one to the other keeps them.
fn same_bits(layout: Layout<'_>, a: Ty, b: Ty) -> bool {
    let plain = |t: Ty| matches!(t, Ty::Int(_) | Ty::Ptr);
    a == b || plain(a) && plain(b) && a.size(layout.model) == b.size(layout.model)
}

/// Goes to an element of an array of `elem`; gives the bytes that are left.
fn element(
    layout: Layout<'_>,
    elem: &CTy,
    n: Option<u64>,
    offset: i64,
    indices: &mut Vec<Index>,
    way: &mut Vec<Step>,
) -> Option<i64> {
    let size = i64::try_from(elem.stride(layout.declared, layout.model)?).ok().filter(|&s| s > 0)?;
    let (constant, rest) = (offset.div_euclid(size), offset.rem_euclid(size));
    let index = match indices.iter().position(|i| i.stride == size) {
        Some(at) => Some(indices.remove(at).value),
        None if n.is_some_and(|n| constant < 0 || constant.unsigned_abs() >= n) => return None,
        None => None,
    };
    way.push(Step::Element(index, constant));
    Some(rest)
}

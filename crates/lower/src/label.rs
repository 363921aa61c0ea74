//! How the source names a place, for people: `s.next`, `a[i]`, `p->count`. Places with longer names have none.

use crate::effects::Constants;
use cfront::tree::{BinOp, CastKind, ExprId, ExprKind, Unit};
use ir::Label;

/// Names with more parts than this are left out.
const MAX_PARTS: u32 = 6;

/// The label of a place; none for a plain variable, which has its own name.
pub(crate) fn label(unit: &Unit, e: ExprId) -> Label {
    if matches!(unit.exprs[e].kind, ExprKind::Var(_)) {
        return Label(None);
    }
    let mut out = String::new();
    match place(unit, e, MAX_PARTS, &mut out) {
        Some(()) => Label::new(out),
        None => Label(None),
    }
}

fn place(unit: &Unit, e: ExprId, parts: u32, out: &mut String) -> Option<()> {
    let parts = parts.checked_sub(1)?;
    match unit.exprs[e].kind {
        ExprKind::Var(v) => out.push_str(unit.name(unit.vars[v].name?)),
        ExprKind::Member(base, i) => {
            let record = unit.types.record(unit.exprs[base].ty)?;
            match unit.exprs[base].kind {
                ExprKind::Deref(p) if element(unit, p).is_none() => {
                    pointer(unit, p, parts, out)?;
                    out.push_str("->");
                }
                _ => {
                    place(unit, base, parts, out)?;
                    out.push('.');
                }
            }
            match unit.types.records[record].fields[i as usize].name {
                Some(name) => out.push_str(unit.name(name)),
                // Members of an anonymous record are named as if they were its owner's.
                None => drop(out.pop().filter(|&c| c == '>').and_then(|_| out.pop())),
            }
        }
        ExprKind::Deref(p) => match element(unit, p) {
            Some((array, index)) => {
                pointer(unit, array, parts, out)?;
                out.push('[');
                number(unit, index, out)?;
                out.push(']');
            }
            None => {
                out.push('*');
                pointer(unit, p, parts, out)?;
            }
        },
        _ => return None,
    }
    Some(())
}

/// `array[index]` below a dereference.
fn element(unit: &Unit, p: ExprId) -> Option<(ExprId, ExprId)> {
    match unit.exprs[p].kind {
        ExprKind::Binary(BinOp::PtrAdd, array, index) => Some((array, index)),
        _ => None,
    }
}

fn pointer(unit: &Unit, e: ExprId, parts: u32, out: &mut String) -> Option<()> {
    match unit.exprs[e].kind {
        ExprKind::Cast(CastKind::ArrayDecay | CastKind::Same, inner, _) => place(unit, inner, parts, out),
        ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::Deref(_) => place(unit, e, parts, out),
        _ => None,
    }
}

fn number(unit: &Unit, e: ExprId, out: &mut String) -> Option<()> {
    if let Some(n) = unit.constant(e) {
        out.push_str(&n.to_string());
        return Some(());
    }
    match unit.exprs[e].kind {
        ExprKind::Cast(CastKind::Int, inner, false) => number(unit, inner, out),
        ExprKind::Var(v) => {
            out.push_str(unit.name(unit.vars[v].name?));
            Some(())
        }
        ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            number(unit, a, out)?;
            out.push_str(if op == BinOp::Add { " + " } else { " - " });
            number(unit, b, out)
        }
        _ => None,
    }
}

//! Globals: their shapes and static initialisers, string literals.
//!
//! A static initialiser is evaluated by the ordinary expression lowering in a function of its own that is thrown away: a
//! constant expression leaves no edges and folds to a constant, an address or a function. One that does not is reported as
//! unsupported at the start of the program.

use crate::context::Context;
use crate::function::Fun;
use crate::link::Entity;
use crate::place::{bit_access, bytewise};
use crate::types;
use base::Span;
use cfront::tree::{Definition, ExprKind, InitEntry, InitId, InitValue, LabelId, Storage, StrId, VarId};
use cfront::types::{Type, TypeId};
use ir::{Base, BitRange, Expr, GlobalId, Init, InitItem, Linkage, Shape, Ty, Var};

/// More initialised scalars than this in one global are not lowered.
const MAX_ITEMS: usize = 1 << 22;

impl<'a> Context<'a> {
    /// What a variable of static storage is made of.
    pub(crate) fn global_shape(&self, (u, var): Entity<VarId>) -> Result<Shape, &'static str> {
        let unit = &self.units[u as usize];
        let v = &unit.vars[var];
        let align = unit.types.variable_align(v.ty, v.attrs.align).min(1 << 30) as u32;
        if let Some(ty) = types::scalar(&unit.types, v.ty)
            && !(self.taken[u as usize][base::Id::index(var)] && types::is_oddly_aligned(ty, align.into(), self.model))
        {
            return Ok(Shape::Scalar(ty));
        }
        let declared = match unit.types.get(v.ty) {
            // A tentative `int a[];` ends up with one element.
            Type::Array(elem, cfront::types::ArrayLen::Unknown) if v.definition == Definition::Tentative => {
                unit.types.size(*elem)
            }
            _ => unit.types.size(v.ty),
        };
        let Some(size) = declared else { return Err("object of unknown size") };
        // The initialiser of a flexible array member makes the object larger than its type.
        let end = |e: &InitEntry| {
            e.offset + unit.types.size(e.ty).unwrap_or(0) + e.stride.saturating_mul(e.repeat.saturating_sub(1))
        };
        let filled = v.init.map_or(0, |i| unit.inits[i].entries.iter().map(end).max().unwrap_or(0));
        Ok(Shape::Object { size: size.max(filled), align })
    }

    /// Gives a global its initial value.
    pub(crate) fn initialise(&mut self, (u, var): Entity<VarId>, id: GlobalId) {
        let v = &self.units[u as usize].vars[var];
        let init = match (v.init, v.definition) {
            (Some(init), _) => {
                let mut items = Items {
                    u,
                    items: Vec::new(),
                    late: Vec::new(),
                    end: 0,
                    limit: self.globals[id].shape.size(self.model),
                    span: v.span,
                };
                let gathered = items.gather(self, init, 0);
                for (at, value) in std::mem::take(&mut items.late) {
                    // It is written once, by us.
                    self.globals[id].constant = false;
                    let mut addr = ir::Address::var(Var::Global(id));
                    addr.offset = at as i64;
                    self.before_start(ir::Op::Assign(crate::place::unnamed(addr, Ty::Ptr), value), v.span);
                }
                match gathered {
                    Ok(()) if items.items.is_empty() => Init::Zero,
                    Ok(()) => Init::Values(items.items),
                    Err(why) => {
                        self.startup.push((v.span, why));
                        Init::Unknown
                    }
                }
            }
            (None, Definition::Declared) => Init::Unknown,
            (None, Definition::Tentative | Definition::Defined) => Init::Zero,
        };
        self.globals[id].init = init;
    }

    /// The address of a label: the labels of a function lie one byte apart in an object that is there for nothing else.
    pub(crate) fn label_address(&mut self, u: u32, label: LabelId) -> Expr {
        let unit = &self.units[u as usize];
        let func = unit.labels[label].func;
        let taken = unit.labels.iter_enumerated().filter(|(_, l)| l.func == func && l.address_taken);
        let taken: Vec<LabelId> = taken.map(|(l, _)| l).collect();
        let (n, at) = (taken.len() as u64, taken.iter().position(|&l| l == label).unwrap_or(0));
        let object = match self.label_objects.get(&(u, func)) {
            Some(&id) => id,
            None => {
                let name = format!(".labels.{}.{}", unit.name(unit.funcs[func].name), self.label_objects.len());
                let id = self.globals.push(ir::Global {
                    name,
                    shape: Shape::Object { size: n, align: 1 },
                    init: Init::Zero,
                    linkage: Linkage::Internal,
                    exposure: ir::Exposure::Hidden,
                    constant: true,
                    span: unit.labels[label].span,
                });
                self.label_objects.insert((u, func), id);
                id
            }
        };
        let mut addr = ir::Address::var(Var::Global(object));
        addr.offset = at as i64;
        Expr::addr(addr)
    }

    /// A constant text that the source does not contain.
    pub(crate) fn text(&mut self, text: &str, span: Span) -> GlobalId {
        let name = format!(".text.{}", text.escape_debug());
        if let Some((id, _)) = self.globals.iter_enumerated().find(|(_, g)| g.name == name) {
            return id;
        }
        let ty = Ty::int(8, true);
        let item = |(i, b): (usize, u8)| InitItem { offset: i as u64, bits: None, value: Expr::constant(ty, b.into()) };
        self.globals.push(ir::Global {
            name,
            shape: Shape::Object { size: text.len() as u64 + 1, align: 1 },
            init: Init::Values(text.bytes().enumerate().map(item).collect()),
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: true,
            span,
        })
    }

    /// The global for a string literal.
    pub(crate) fn string_global(&mut self, u: u32, s: StrId) -> GlobalId {
        let unit = &self.units[u as usize];
        let lit = &unit.strings[s];
        let size = unit.types.size(lit.ty).unwrap_or(lit.bytes.len() as u64 + 1);
        let elem = match unit.types.get(lit.ty) {
            Type::Array(elem, _) => *elem,
            _ => lit.ty,
        };
        let mut items = Vec::new();
        string_items(self, u, &lit.bytes, elem, 0, size, false, &mut items);
        let name = format!(".str.{}", self.strings.len());
        self.globals.push(ir::Global {
            name,
            shape: Shape::Object { size, align: unit.types.align(lit.ty) as u32 },
            init: if items.is_empty() { Init::Zero } else { Init::Values(items) },
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: true,
            span: Span::new(unit.file, 0, 0),
        })
    }
}

/// The characters of a literal as items; zeroes are left out unless they must overwrite something.
#[expect(clippy::too_many_arguments, reason = "one private function with two callers")]
fn string_items(
    cx: &Context<'_>,
    u: u32,
    bytes: &[u8],
    elem: TypeId,
    at: u64,
    room: u64,
    keep_zeroes: bool,
    items: &mut Vec<InitItem>,
) {
    let unit = &cx.units[u as usize];
    let ty = types::scalar(&unit.types, elem).unwrap_or(Ty::int(8, true));
    let step = ty.size(cx.model).max(1) as usize;
    let n = if keep_zeroes { room as usize / step } else { bytes.len().div_ceil(step) };
    for i in 0..n {
        let offset = (i * step) as u64;
        if offset + step as u64 > room {
            break;
        }
        let chunk = bytes.get(i * step..).map_or(&[][..], |rest| &rest[..step.min(rest.len())]);
        let value = chunk.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
        if value != 0 || keep_zeroes {
            items.push(InitItem { offset: at + offset, bits: None, value: Expr::constant(ty, value) });
        }
    }
}

struct Items {
    u: u32,
    items: Vec<InitItem>,
    /// Values that are not constant: a weak function may be absent, a literal may lie in another one.
    late: Vec<(u64, Expr)>,
    /// One past the last byte that an item covers.
    end: u64,
    /// The size of the object.
    limit: u64,
    span: Span,
}

impl Items {
    fn gather(&mut self, cx: &mut Context<'_>, init: InitId, at: u64) -> Result<(), String> {
        let unit = &cx.units[self.u as usize];
        let init = &unit.inits[init];
        if let Some(why) = init.unsupported {
            return Err(unit.reasons[why].to_string());
        }
        for entry in &init.entries {
            for i in 0..entry.repeat {
                if self.items.len() > MAX_ITEMS {
                    return Err("very large initialiser".to_owned());
                }
                self.entry(cx, entry, at + entry.offset + i * entry.stride)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, cx: &mut Context<'_>, entry: &InitEntry, at: u64) -> Result<(), String> {
        let unit = &cx.units[self.u as usize];
        let e = match entry.value {
            InitValue::Str(s) => {
                let elem = match unit.types.get(entry.ty) {
                    Type::Array(elem, _) => *elem,
                    _ => entry.ty,
                };
                // A flexible array holds as many characters as there are.
                let room = unit.types.size(entry.ty).unwrap_or(self.limit.saturating_sub(at));
                // Characters that are zero must overwrite what an earlier entry may have put there.
                let keep_zeroes = at < self.end;
                string_items(cx, self.u, &unit.strings[s].bytes, elem, at, room, keep_zeroes, &mut self.items);
                self.end = self.end.max(at + room);
                return Ok(());
            }
            InitValue::Expr(e) => e,
        };
        let mut literal = e;
        while let ExprKind::Cast(cfront::tree::CastKind::Same, inner, _) = unit.exprs[literal].kind {
            literal = inner;
        }
        if let ExprKind::CompoundLiteral(v) = unit.exprs[literal].kind
            && let Some(init) = unit.vars[v].init
        {
            return self.gather(cx, init, at);
        }
        let not_constant = || "initialiser that is not constant".to_owned();
        let Some(ty) = types::scalar(&unit.types, entry.ty) else { return Err(not_constant()) };
        // Only the front end folds away a branch that is not taken but could go wrong, such as a division.
        let folded = || match ty {
            Ty::Int(_) | Ty::Bool => cfront::const_eval(unit, e).map(|v| Expr::int(ty, v)),
            Ty::Float(_) | Ty::Ptr => None,
        };
        let value = constant(cx, self.u, e, self.span).or_else(folded).ok_or_else(not_constant)?;
        self.late.retain(|(o, _)| *o != at);
        if is_chosen(cx, &value) && ty == Ty::Ptr {
            self.late.push((at, value));
            return Ok(());
        }
        let value = match value.kind {
            ir::ExprKind::Const(_) if value.ty == ty => value,
            ir::ExprKind::Addr(_) | ir::ExprKind::Func(_) if ty == Ty::Ptr => value,
            // The address in an integer as wide as a pointer has the same bytes.
            ir::ExprKind::Convert(inner) if is_address(&inner) && ty.size(cx.model) == Ty::Ptr.size(cx.model) => *inner,
            _ => return Err(not_constant()),
        };
        if let Some(bits) = entry.bits {
            let unit_size = unit.types.size(entry.ty).unwrap_or(1);
            let pattern = extend(ty, value.as_const().ok_or_else(not_constant)?);
            match bit_access(unit_size, at, bits, self.limit) {
                Some(access) => {
                    let value = Expr::constant(Ty::int(access.width, ty.is_signed()), pattern);
                    let range = Some(BitRange { lo: access.lo, width: u16::from(bits.width) });
                    self.items.push(InitItem { offset: access.start, bits: range, value });
                    self.end = self.end.max(access.start + u64::from(access.width / 8));
                }
                None => {
                    for part in bytewise(bits) {
                        let value = Expr::constant(Ty::int(8, false), pattern >> part.shift);
                        self.items.push(InitItem { offset: at + part.byte as u64, bits: Some(part.range), value });
                    }
                    self.end = self.end.max(at + bits.bytes());
                }
            }
            return Ok(());
        }
        // Zero bytes are there already, unless an earlier entry (a later one wins) may have put something else.
        if value.as_const() != Some(0) || at < self.end {
            self.end = self.end.max(at + value.ty.size(cx.model));
            self.items.push(InitItem { offset: at, bits: None, value });
        }
        Ok(())
    }
}

fn extend(ty: Ty, pattern: u128) -> u128 {
    match ty {
        Ty::Int(i) => i.extend(pattern) as u128,
        _ => pattern,
    }
}

fn is_address(e: &Expr) -> bool {
    match &e.kind {
        ir::ExprKind::Addr(a) => matches!(a.base, Base::Var(Var::Global(_))) && a.indices.is_empty(),
        ir::ExprKind::Func(_) => true,
        _ => false,
    }
}

/// Whether a value is the address of something that may be absent, or elsewhere: it is known when the program starts.
fn is_chosen(cx: &Context<'_>, value: &Expr) -> bool {
    if let ir::ExprKind::Addr(ir::Address { base: Base::Ptr(inner), indices, .. }) = &value.kind {
        return indices.is_empty() && is_chosen(cx, inner);
    }
    match crate::identity::shared(&cx.globals, value) {
        Some((there, own)) => {
            let known = is_address(there) || crate::identity::is_elsewhere(&cx.globals, there);
            known && (is_address(own) || is_chosen(cx, own))
        }
        None => crate::weak::as_weak(value),
    }
}

/// The value of a constant expression.
fn constant(cx: &mut Context<'_>, u: u32, e: cfront::tree::ExprId, span: Span) -> Option<Expr> {
    let value = Fun::constant(cx, u, e, span)?;
    if let (
        ir::ExprKind::Unary(..) | ir::ExprKind::Binary(..) | ir::ExprKind::Convert(_) | ir::ExprKind::Ite(..),
        false,
    ) = (&value.kind, matches!(value.ty, Ty::Ptr))
        && let Some(pattern) = ir::interp::constant(&value)
    {
        return Some(Expr::constant(value.ty, pattern));
    }
    let fine = match &value.kind {
        ir::ExprKind::Const(_) => true,
        ir::ExprKind::Ite(..) => is_chosen(cx, &value),
        ir::ExprKind::Convert(inner) => is_address(inner),
        _ => is_address(&value) || is_chosen(cx, &value),
    };
    fine.then_some(value)
}

/// Whether a variable is one of static storage.
pub(crate) fn is_static(storage: Storage) -> bool {
    matches!(storage, Storage::Static | Storage::Thread)
}

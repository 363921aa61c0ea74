//! Objects of which C leaves open whether they are distinct (C11 6.4.5p7, 6.5.2.5p7): string literals, and compound literals
//! with constant type and contents. One may lie inside another wherever the bytes agree.
//!
//! Each such object has storage of its own, and hidden constants of unknown value that say whether it lies in the storage of another
//! one instead: its address is a choice. So either answer of a comparison stays possible, one literal is where it is
//! however often it is evaluated, and no stage but this one has to know about it. (Of two objects of which neither contains the
//! other none lies partly in the other: no linker does that.)
//!
//! A program that compares no pointers and makes no numbers of them cannot see any of this; there the choice is left out.
//!
//! Variables without bytes, which GNU C has, may lie anywhere, also where another variable lies: `Home::Behind` an arbitrary
//! pointer that is not null.

use crate::context::{Context, GlobalHome};
use crate::fold;
use crate::function::Fun;
use crate::model::{self, Model};
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{BinOp, CastKind, ExprId, ExprKind, InitValue, StrId, Unit, VarId};
use cfront::types::{Quals, RecordKind, Type};
use ir::library::c::Gives;
use ir::library::recipe::Recipe;
use ir::{Address, Expr, Global, GlobalId, HavocDst, Init, InitItem, Linkage, Op, Place, Shape, Source, Ty, Var};
use std::collections::BTreeSet;

/// Where there are more places than this in which a literal may lie, which one it is is found out once, when the program begins.
const MOST: usize = 16;

/// How many of these places one step looks at.
const AT_ONCE: usize = 32;

/// A literal of the program.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    unit: u32,
    what: What,
    bytes: Vec<u8>,
    align: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Str(StrId),
    Compound(VarId),
}

/// The literals of a program whose identity it can see.
pub(crate) fn pieces(units: &[Unit]) -> Vec<Piece> {
    if sabotage::active(Fault::LiteralsAlwaysDistinct) || !units.iter().any(sees_identity) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (unit, u) in units.iter().zip(0..) {
        let unseen = unseen(unit);
        for (_, e) in unit.exprs.iter_enumerated().filter(|(id, _)| !unseen.contains(id)) {
            let (what, bytes, ty) = match e.kind {
                ExprKind::Str(s) => (What::Str(s), Some(text(unit, s)), unit.strings[s].ty),
                ExprKind::CompoundLiteral(v) => (What::Compound(v), constant_bytes(unit, v), unit.vars[v].ty),
                _ => continue,
            };
            let known = all.iter().any(|p: &Piece| p.unit == u && p.what == what);
            if let (Some(bytes), false) = (bytes, known) {
                all.push(Piece { unit: u, what, bytes, align: unit.types.align(ty) });
            }
        }
    }
    all
}

/// The literals whose addresses nobody keeps: they are read at once, or handed to a function of the library that only reads.
fn unseen(unit: &Unit) -> BTreeSet<ExprId> {
    let mut all = BTreeSet::new();
    for e in &unit.exprs {
        match e.kind {
            ExprKind::Deref(p) => all.extend(literal_below(unit, p)),
            ExprKind::Call(callee, list) => {
                let known = unit.direct_callee(callee).filter(|f| unit.funcs[*f].body.is_none());
                let Some(model) = known.and_then(|f| model::named(unit, f)) else { continue };
                let reads = |(i, _): &(usize, &ExprId)| only_reads(model, *i);
                let args = unit.list(list).iter().enumerate().filter(reads);
                all.extend(args.filter_map(|(_, &a)| literal_below(unit, a)));
            }
            _ => {}
        }
    }
    all
}

/// The literal that a pointer is made from, without anything that is evaluated besides.
fn literal_below(unit: &Unit, mut e: ExprId) -> Option<ExprId> {
    loop {
        e = match unit.exprs[e].kind {
            ExprKind::Cast(CastKind::ArrayDecay | CastKind::Ptr | CastKind::Same, a, _) => a,
            ExprKind::Binary(BinOp::PtrAdd | BinOp::PtrSub, a, _) => a,
            ExprKind::Str(_) => return Some(e),
            _ => return None,
        };
    }
}

/// Whether a function only reads what its argument with this index points to, and gives no pointer into it.
fn only_reads(model: Model, i: usize) -> bool {
    let recipe = match model {
        Model::By(recipe) => recipe,
        Model::Row(row) => {
            return !matches!(row.gives, Gives::ArgumentOrNull(_)) && row.reads.iter().any(|r| r.from() == i);
        }
        Model::Nondet | Model::NondetMemory | Model::Block | Model::Unchecked => return false,
    };
    match recipe {
        Recipe::Format(_) | Recipe::FormatList(_) | Recipe::PrintTo(..) | Recipe::AssertFail(_) => true,
        Recipe::Strdup | Recipe::Atoi => true,
        Recipe::Lib(lib) => i > 0 || !lib.gives_argument(),
        Recipe::Strcpy | Recipe::Stpcpy | Recipe::Strncpy | Recipe::Stpncpy | Recipe::Strcat | Recipe::Strncat => i > 0,
        Recipe::Memcpy | Recipe::Memmove | Recipe::Mempcpy => i > 0,
        _ => false,
    }
}

/// Whether two pointers are compared or subtracted, or one becomes a number.
fn sees_identity(unit: &Unit) -> bool {
    let names = ["memcmp", "bcmp", "__builtin_memcmp", "__builtin_bcmp"];
    let compares = names.iter().any(|name| crate::context::mentions(unit, name));
    let puns = unit.types.records.iter().any(|r| {
        let pointer = |f: &cfront::types::Field| matches!(unit.types.get(f.ty), Type::Pointer(_));
        r.kind == RecordKind::Union && r.fields.iter().any(pointer) && !r.fields.iter().all(pointer)
    });
    let is_object = |e: ExprId| {
        let pointee = unit.types.pointee(unit.exprs[e].ty);
        pointee.is_some_and(|p| !matches!(unit.types.get(p), Type::Function(_))) && !is_null(unit, e)
    };
    let looks = |e: &cfront::tree::Expr| match e.kind {
        ExprKind::Cast(CastKind::PtrToInt, ..) | ExprKind::Binary(BinOp::PtrDiff, ..) => true,
        ExprKind::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, a, b) => {
            is_object(a) && is_object(b)
        }
        _ => false,
    };
    compares || puns || unit.exprs.iter().any(looks)
}

fn is_null(unit: &Unit, e: ExprId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Cast(_, a, _) => is_null(unit, a),
        ExprKind::Int(n) => n == 0,
        _ => false,
    }
}

/// The bytes of a string literal.
fn text(unit: &Unit, s: StrId) -> Vec<u8> {
    let lit = &unit.strings[s];
    let size = unit.types.size(lit.ty).unwrap_or(lit.bytes.len() as u64 + 1) as usize;
    let mut bytes = lit.bytes.to_vec();
    bytes.resize(size, 0);
    bytes
}

/// The bytes of a compound literal of constant type, if they are constant too: integers and characters.
fn constant_bytes(unit: &Unit, v: VarId) -> Option<Vec<u8>> {
    let var = &unit.vars[v];
    let quals = unit.types.quals(var.ty);
    if !quals.has(Quals::CONST) || quals.has(Quals::VOLATILE) {
        return None;
    }
    let mut bytes = vec![0; unit.types.size(var.ty).filter(|n| *n > 0 && *n <= 1 << 16)? as usize];
    let init = &unit.inits[var.init?];
    if init.unsupported.is_some() || !init.zero {
        return None;
    }
    for entry in &init.entries {
        let size = unit.types.size(entry.ty)? as usize;
        let value = match entry.value {
            InitValue::Str(s) => text(unit, s),
            InitValue::Expr(e) if matches!(unit.types.get(entry.ty), Type::Int(_) | Type::Enum(_)) => {
                cfront::const_eval(unit, e)?.to_le_bytes()[..size.min(16)].to_vec()
            }
            InitValue::Expr(_) => return None,
        };
        if entry.bits.is_some() {
            return None;
        }
        for i in 0..entry.repeat {
            let at = (entry.offset + i * entry.stride) as usize;
            let n = size.min(value.len());
            bytes.get_mut(at..at + n)?.copy_from_slice(&value[..n]);
        }
    }
    Some(bytes)
}

/// Whether a variable has no bytes, and no initialiser that does anything.
pub(crate) fn is_empty(unit: &Unit, v: VarId) -> bool {
    let var = &unit.vars[v];
    let idle = var.init.is_none_or(|i| unit.inits[i].entries.is_empty() && unit.inits[i].unsupported.is_none());
    !matches!(unit.types.get(var.ty), Type::Void) && unit.types.size(var.ty) == Some(0) && idle
}

impl Context<'_> {
    /// Where else a literal may lie: in which one, and how far from its start.
    fn homes(&self, i: usize) -> Vec<(usize, u64)> {
        let own = &self.pieces[i];
        let n = own.bytes.len();
        let mut homes = Vec::new();
        for (j, other) in self.pieces.iter().enumerate() {
            // A block's compound literal may have its bytes in constant memory as well.
            let itself = i == j && matches!(own.what, What::Compound(v) if !self.is_static_piece(own.unit, v));
            let (m, earlier) = (other.bytes.len(), j < i || itself);
            if n == 0 || m < n || m == n && !earlier || i == j && !itself {
                continue;
            }
            let offsets = (0..=m - n).filter(|k| k % own.align.max(1) as usize == 0);
            homes.extend(offsets.filter(|&k| other.bytes[k..k + n] == own.bytes[..]).map(|k| (j, k as u64)));
        }
        homes
    }

    fn is_static_piece(&self, u: u32, v: VarId) -> bool {
        crate::global::is_static(self.units[u as usize].vars[v].storage)
    }

    /// The constant object that has a literal's bytes.
    fn storage(&mut self, i: usize, span: Span) -> Option<GlobalId> {
        let piece = self.pieces[i].clone();
        match piece.what {
            What::Str(s) => Some(self.string(piece.unit, s)),
            What::Compound(v) if self.is_static_piece(piece.unit, v) => match self.global(piece.unit, v) {
                GlobalHome::At(g) => Some(g),
                GlobalHome::Behind(_) | GlobalHome::Trouble(_) => None,
            },
            What::Compound(_) => Some(self.constant_memory(i, &piece, span)),
        }
    }

    fn constant_memory(&mut self, i: usize, piece: &Piece, span: Span) -> GlobalId {
        let name = format!(".const.{i}");
        if let Some(id) = self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id) {
            return id;
        }
        let byte = Ty::int(8, false);
        let item =
            |(at, &b): (usize, &u8)| InitItem { offset: at as u64, bits: None, value: Expr::constant(byte, b.into()) };
        let items: Vec<InitItem> = piece.bytes.iter().enumerate().filter(|(_, b)| **b != 0).map(item).collect();
        self.globals.push(Global {
            name,
            shape: Shape::Object { size: piece.bytes.len() as u64, align: piece.align.max(1) as u32 },
            init: if items.is_empty() { Init::Zero } else { Init::Values(items) },
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: true,
            span,
        })
    }

    /// What says that literal `i` lies in the `n`th of its other homes.
    fn lies_there(&mut self, i: usize, n: usize, span: Span) -> Expr {
        let name = format!("{CHOICE}{i}.{n}");
        let known = self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| {
            self.globals.push(Global {
                name,
                shape: Shape::Scalar(Ty::Bool),
                init: Init::Unknown,
                linkage: Linkage::Internal,
                exposure: ir::Exposure::Hidden,
                constant: true,
                span,
            })
        });
        Expr::var(Var::Global(id), Ty::Bool)
    }
}

/// How the names of the hidden constants begin.
const CHOICE: &str = ".literal.";

/// How the names of the hidden variables begin that hold where a literal lies.
const ELSEWHERE: &str = ".elsewhere.";

/// Whether an operation finds out where a literal lies: done again, it finds the same.
pub(crate) fn finds_literal(globals: &base::IndexVec<GlobalId, Global>, op: &Op) -> bool {
    let Op::Assign(place, _) = op else { return false };
    matches!(place.as_var(), Some(Var::Global(g)) if globals[g].name.starts_with(ELSEWHERE))
}

/// Whether a value is where a literal lies that may lie in many others.
pub(crate) fn is_elsewhere(globals: &base::IndexVec<GlobalId, Global>, value: &Expr) -> bool {
    let ir::ExprKind::Read(place) = &value.kind else { return false };
    matches!(place.as_var(), Some(Var::Global(g)) if globals[g].name.starts_with(ELSEWHERE))
}

impl Fun<'_, '_> {
    /// The address of a string literal.
    pub(crate) fn text_address(&mut self, s: StrId, span: Span) -> Address {
        let own = Address::var(Var::Global(self.cx.string(self.u, s)));
        self.may_be_shared(What::Str(s), own, span)
    }

    /// The address of a compound literal that lies at `own` if it is distinct from all others.
    pub(crate) fn compound_address(&mut self, v: VarId, own: Address, span: Span) -> Address {
        self.may_be_shared(What::Compound(v), own, span)
    }

    /// A variable without bytes comes into being: anywhere.
    pub(crate) fn somewhere(&mut self, l: ir::LocalId, span: Span) {
        let place = Place::var(Var::Local(l), Ty::Ptr);
        let source = Source::Outside("address of an object without bytes".to_owned());
        self.emit(Op::Havoc(HavocDst::Place(place.clone()), source), span);
        let there = fold::binary(ir::BinOp::Ne, Expr::read(place), Expr::null());
        self.emit(Op::Assume(there), span);
    }

    fn may_be_shared(&mut self, what: What, own: Address, span: Span) -> Address {
        let u = self.u;
        let Some(i) = self.cx.pieces.iter().position(|p| p.unit == u && p.what == what) else { return own };
        let homes = self.cx.homes(i);
        if homes.is_empty() {
            return own;
        }
        let mut address = self.pointer(own);
        if homes.len() > MOST {
            let elsewhere = self.elsewhere(i, homes, span);
            let choice = self.cx.lies_there(i, 0, span);
            return Address::ptr(fold::ite(choice, elsewhere, address));
        }
        for (n, (j, offset)) in homes.into_iter().enumerate() {
            let Some(home) = self.cx.storage(j, span) else { continue };
            let mut there = Address::var(Var::Global(home));
            there.offset = offset as i64;
            let choice = self.cx.lies_there(i, n, span);
            address = fold::ite(choice, self.pointer(there), address);
        }
        Address::ptr(address)
    }

    /// Where literal `i` lies if it lies in another one: a hidden variable, which is set before the entry function begins.
    /// The empty text may lie in all others, and to say so wherever it stands would make long expressions of all uses.
    fn elsewhere(&mut self, i: usize, homes: Vec<(usize, u64)>, span: Span) -> Expr {
        let name = format!("{ELSEWHERE}{i}");
        let known = self.cx.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id);
        if let Some(id) = known {
            return Expr::var(Var::Global(id), Ty::Ptr);
        }
        let id = self.cx.globals.push(Global {
            name,
            shape: Shape::Scalar(Ty::Ptr),
            init: Init::Zero,
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: false,
            span,
        });
        let place = Place::var(Var::Global(id), Ty::Ptr);
        // The first place has no choice of its own: that the literal lies elsewhere is one already.
        let mut value = None;
        for (n, (j, offset)) in homes.into_iter().enumerate() {
            let Some(home) = self.cx.storage(j, span) else { continue };
            let mut there = Address::var(Var::Global(home));
            there.offset = offset as i64;
            let there = self.pointer(there);
            value = Some(match value {
                None => there,
                Some(before) => fold::ite(self.cx.lies_there(i, n, span), there, before),
            });
            if n % AT_ONCE == AT_ONCE - 1
                && let Some(value) = value.replace(Expr::read(place.clone()))
            {
                self.cx.before_start(Op::Assign(place.clone(), value), span);
            }
        }
        let own = Address::var(Var::Global(self.cx.storage(i, span).expect("a literal with homes has storage")));
        let value = value.unwrap_or_else(|| self.pointer(own));
        self.cx.before_start(Op::Assign(place.clone(), value), span);
        Expr::read(place)
    }

    /// A literal's own storage, which has the same bytes wherever it lies.
    pub(crate) fn own_storage<'e>(&self, mut ptr: &'e Expr) -> &'e Expr {
        while let Some((_, own)) = shared(&self.cx.globals, ptr) {
            ptr = own;
        }
        ptr
    }
}

/// The two cases of the address of a literal that may lie elsewhere.
pub(crate) fn shared<'e>(globals: &base::IndexVec<GlobalId, Global>, e: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    let ir::ExprKind::Ite(choice, there, own) = &e.kind else { return None };
    let ir::ExprKind::Read(place) = &choice.kind else { return None };
    let Some(Var::Global(g)) = place.as_var() else { return None };
    globals[g].name.starts_with(CHOICE).then_some((&**there, &**own))
}

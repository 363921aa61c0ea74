//! Initialisers (C11 6.7.9), flattened: designators, elided braces and ranges become stores at constant offsets.
//!
//! A braced list is read with a stack of cursors, one per aggregate entered: an item goes to the top cursor's current
//! member, entering further aggregates while the item cannot initialise them as a whole. What the items say is gathered in a
//! tree ([`super::init_tree`]), in which later ones replace earlier ones; what was replaced is not evaluated, as in gcc.

use super::convert::Purpose;
use super::init_tree::{Leaf, Node, Step};
use super::{Parser, R};
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{CastKind, ExprId, ExprKind, Init, InitEntry, InitId, InitValue, Storage, UnionMember, VarId};
use crate::types::{ArrayLen, BitRange, Quals, RecordKind, Type, TypeId};
use base::Span;

/// More stores than this are not written out; the initialiser is then unsupported.
const MAX_ENTRIES: usize = 1 << 22;

/// A sub-object.
#[derive(Clone, Copy)]
struct Place {
    ty: TypeId,
    offset: u64,
    bits: Option<BitRange>,
}

/// A position in an aggregate.
struct Cursor {
    whole: Place,
    /// Index of the current member or element; `u64::MAX` when a union has had its one.
    index: u64,
    /// `[a ... b]`: how many elements the current item goes to.
    range: Option<u64>,
}

struct Builder {
    /// What has been said so far.
    root: Node,
    /// The way from the root to the list that is being read.
    prefix: Vec<Step>,
    /// The number of values so far.
    serial: u32,
    /// How many of the lists that are open belong to a range of elements.
    ranges: u32,
    /// One of them has a value that is not constant.
    varies: bool,
    /// Elements seen in an outermost array of unknown length.
    top_len: u64,
    /// What the tree cannot say, if anything.
    trouble: Option<&'static str>,
}

impl Builder {
    /// Replaces what is said about a sub-object.
    fn set(&mut self, way: &[Step], node: &Node) {
        if self.root.set(way, node).is_err() {
            self.trouble.get_or_insert("initialiser of a member after one of its whole structure");
        }
    }

    fn leaf(&mut self, way: &[Step], ty: TypeId, value: InitValue) {
        let leaf = Leaf { ty, value, serial: self.serial };
        self.serial += 1;
        self.set(way, &Node::Leaf(leaf));
    }
}

impl Parser<'_> {
    /// Reads the initialiser of a variable and completes the variable's type.
    pub(super) fn initializer(&mut self, var: VarId) -> R<()> {
        let (ty, span, storage) = (self.u.vars[var].ty, self.u.vars[var].span, self.u.vars[var].storage);
        let is_static = matches!(storage, Storage::Static | Storage::Thread);
        if self.u.types.is_vla(ty) && !(self.at(T::LBrace) && self.peek(1).kind == T::RBrace) {
            return self.error("init", span, "variable-sized object may not be initialized");
        }
        if !self.u.types.is_complete(ty) && !matches!(self.u.types.get(ty), Type::Array(_, ArrayLen::Unknown)) {
            let what = self.show(ty);
            return self.error("init", span, format!("initializer for a variable of incomplete type '{what}'"));
        }
        let braced = self.at(T::LBrace);
        let mut b = Builder {
            root: Node::empty(),
            prefix: Vec::new(),
            serial: 0,
            ranges: 0,
            varies: false,
            top_len: 0,
            trouble: None,
        };
        let whole = Place { ty, offset: 0, bits: None };
        let copied = self
            .nested(|p| if braced { p.braced(whole, &mut b).map(|()| None) } else { p.unbraced(var, whole, &mut b) })?;
        let ty = self.u.vars[var].ty;
        if let Type::Array(elem, ArrayLen::Unknown) = *self.u.types.get(ty) {
            let size = self.u.types.size(elem).unwrap_or(1);
            if size.checked_mul(b.top_len).is_none_or(|s| s > self.u.types.max_size()) {
                return self.error("init", span, "size of array is too large");
            }
            self.u.vars[var].ty = self.u.types.intern(Type::Array(elem, ArrayLen::Fixed(b.top_len)));
        }
        let mut init = match copied {
            Some(literal) => self.u.inits[literal].clone(),
            None => self.flattened(&b, Place { ty, offset: 0, bits: None }),
        };
        init.zero |= braced || is_static;
        if is_static {
            for i in 0..init.entries.len() {
                if let InitValue::Expr(e) = init.entries[i].value {
                    self.check_static(e)?;
                }
            }
        }
        self.u.vars[var].init = Some(self.u.inits.push(init));
        Ok(())
    }

    /// The tree as stores in the order of the source.
    fn flattened(&mut self, b: &Builder, whole: Place) -> Init {
        let mut flat = Flat::default();
        let fits = self.flatten(&b.root, whole, &mut flat);
        let trouble = b.trouble.or((!fits).then_some("initializer with too many elements"));
        // Values of one range stand together, in the order of their places.
        flat.entries.sort_by_key(|&(serial, _)| serial);
        let unsupported = trouble.map(|why| self.unsupported(why));
        let entries = flat.entries.into_iter().map(|(_, e)| e).collect();
        Init { zero: false, entries, members: flat.members, unsupported }
    }

    /// The stores of a sub-object; false if there are too many.
    fn flatten(&self, node: &Node, place: Place, out: &mut Flat) -> bool {
        let list = match node {
            Node::Leaf(leaf) => {
                out.entries.push((leaf.serial, entry(place, leaf)));
                return out.entries.len() < MAX_ENTRIES;
            }
            Node::List(list) => list,
        };
        if let (true, Some((&index, _))) = (self.is_union(place.ty), list.parts.first_key_value()) {
            let ty = self.u.types.unqualified(place.ty);
            out.members.push(UnionMember { offset: place.offset, ty, member: index as u32 });
        }
        out.entries.extend(list.text.iter().map(|leaf| (leaf.serial, entry(place, leaf))));
        list.parts.iter().all(|(&first, (last, part))| {
            let Some(at) = self.subobject(place, first) else { return true };
            let mark = (out.entries.len(), out.members.len());
            self.flatten(part, at, out) && out.spread(mark, last - first + 1, self.u.types.size(at.ty).unwrap_or(0))
        })
    }

    /// `= expression`; for an array that is initialised by a compound literal (GNU), the literal's initialiser.
    fn unbraced(&mut self, var: VarId, whole: Place, b: &mut Builder) -> R<Option<InitId>> {
        let e = self.assign_expr()?;
        let span = self.span_at(e);
        let Type::Array(..) = self.u.types.get(whole.ty) else {
            self.store(e, whole, &[], b)?;
            return Ok(None);
        };
        if self.try_string(e, whole, &[], b) {
            return Ok(None);
        }
        // GNU: an array initialised by a compound literal of its type.
        if let ExprKind::CompoundLiteral(v) = self.u.exprs[e].kind
            && self.u.types.compatible_unqualified(self.ty(e), whole.ty)
            && let Some(init) = self.u.vars[v].init
        {
            self.u.vars[var].ty = self.u.types.composite(whole.ty, self.u.vars[v].ty);
            return Ok(Some(init));
        }
        self.error("init", span, "invalid initializer: an array needs a brace-enclosed list or a string")
    }

    /// Stores a string literal into an array of characters, if that is what the two are.
    fn try_string(&mut self, e: ExprId, place: Place, way: &[Step], b: &mut Builder) -> bool {
        let (ExprKind::Str(id), Type::Array(elem, len)) = (self.u.exprs[e].kind, self.u.types.get(place.ty).clone())
        else {
            return false;
        };
        let Type::Array(unit, ArrayLen::Fixed(n)) = *self.u.types.get(self.u.strings[id].ty) else { return false };
        let types = &self.u.types;
        if types.int_kind(elem).is_none()
            || types.size(elem) != types.size(unit)
            || types.int_kind(elem) == Some(crate::types::IntKind::Bool)
        {
            return false;
        }
        let mut ty = place.ty;
        if len == ArrayLen::Unknown {
            ty = self.u.types.intern(Type::Array(elem, ArrayLen::Fixed(n)));
            if place.offset == 0 {
                b.top_len = b.top_len.max(n);
            }
        }
        b.leaf(way, ty, InitValue::Str(id));
        true
    }

    fn store(&mut self, e: ExprId, place: Place, way: &[Step], b: &mut Builder) -> R<()> {
        let e = self.assign_cast(e, place.ty, Purpose::Init)?;
        if b.ranges > 0 && !self.is_pure(e) {
            // How often gcc evaluates it is nowhere said.
            b.trouble.get_or_insert("side effect in a list for a range of elements");
        }
        b.varies |= b.ranges > 0 && crate::const_eval(&self.u, e).is_none();
        b.leaf(way, place.ty, InitValue::Expr(e));
        Ok(())
    }

    /// Whether it does not matter how often the expression is evaluated.
    fn is_pure(&self, e: ExprId) -> bool {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if self.u.types.quals(self.ty(e)).has(Quals::VOLATILE) {
                return false;
            }
            match self.u.exprs[e].kind {
                ExprKind::Var(_) | ExprKind::Func(_) | ExprKind::Str(_) | ExprKind::Int(_) | ExprKind::Float(_) => {}
                ExprKind::Member(a, _)
                | ExprKind::Deref(a)
                | ExprKind::AddrOf(a)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a, _) => work.push(a),
                ExprKind::Binary(_, a, b) => work.extend([a, b]),
                // One literal is one object, whose value is the same each time.
                ExprKind::CompoundLiteral(v) if self.u.vars[v].storage == Storage::Static => {}
                _ => return false,
            }
        }
        true
    }

    /// `{ … }` for a sub-object.
    fn braced(&mut self, place: Place, b: &mut Builder) -> R<()> {
        let open = self.bump();
        let prefix = b.prefix.clone();
        b.set(&prefix, &Node::empty());
        if !self.is_aggregate(place.ty) {
            // A scalar in braces, any number of them.
            if !self.at(T::RBrace) {
                self.braced_scalar(place, b)?;
            }
            self.close(T::RBrace, "'}'", open)?;
            return Ok(());
        }
        let mut cursors = vec![Cursor { whole: place, index: 0, range: None }];
        let outermost_unknown = matches!(self.u.types.get(place.ty), Type::Array(_, ArrayLen::Unknown));
        // `char s[] = { "text" }` is the string itself.
        let mut first = true;
        while !self.at(T::RBrace) {
            if self.at(T::Dot) || self.at(T::LBracket) || self.at(T::Ident) && self.peek(1).kind == T::Colon {
                cursors.truncate(1);
                self.designators(&mut cursors)?;
            }
            self.item(&mut cursors, b, first)?;
            if outermost_unknown && place.offset == 0 {
                b.top_len = b.top_len.max(cursors[0].index.saturating_add(u64::from(cursors.len() > 1)));
            }
            first = false;
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RBrace, "'}' or ','", open)?;
        Ok(())
    }

    fn braced_scalar(&mut self, place: Place, b: &mut Builder) -> R<()> {
        if self.at(T::LBrace) {
            return self.nested(|p| p.braced(place, b));
        }
        let e = self.assign_expr()?;
        let way = b.prefix.clone();
        self.store(e, place, &way, b)?;
        // gcc warns about excess elements and drops them.
        while self.eat(T::Comma) && !self.at(T::RBrace) {
            self.excess()?;
        }
        Ok(())
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.u.types.get(ty), Type::Array(..) | Type::Record(_) | Type::Vector(..))
    }

    /// The member or element of an aggregate with this index.
    fn subobject(&self, whole: Place, index: u64) -> Option<Place> {
        match *self.u.types.get(whole.ty) {
            Type::Array(elem, len) => {
                if matches!(len, ArrayLen::Fixed(n) if index >= n) || index == u64::MAX {
                    return None;
                }
                let size = self.u.types.size(elem)?;
                let offset = whole.offset.checked_add(size.checked_mul(index)?)?;
                Some(Place { ty: elem, offset, bits: None })
            }
            Type::Vector(elem, n) if index < n => {
                let size = self.u.types.size(elem)?;
                Some(Place { ty: elem, offset: whole.offset.checked_add(size.checked_mul(index)?)?, bits: None })
            }
            Type::Record(r) => {
                let f = self.u.types.records[r].fields.get(usize::try_from(index).ok()?)?;
                Some(Place { ty: f.ty, offset: whole.offset.checked_add(f.offset)?, bits: f.bits })
            }
            _ => None,
        }
    }

    /// What the cursor stands on.
    fn current(&self, c: &Cursor) -> Option<Place> {
        self.subobject(c.whole, c.index)
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.u.types.record(ty).is_some_and(|r| self.u.types.records[r].kind == RecordKind::Union)
    }

    /// The way from the root to what the cursors stand on.
    fn way(&self, cursors: &[Cursor], b: &Builder) -> Vec<Step> {
        let step = |c: &Cursor| Step {
            first: c.index,
            last: c.index.saturating_add(c.range.map_or(0, |n| n - 1)),
            union: self.is_union(c.whole.ty),
        };
        b.prefix.iter().copied().chain(cursors.iter().map(step)).collect()
    }

    /// Moves the innermost cursor on, and leaves aggregates that are full.
    fn advance(&mut self, cursors: &mut Vec<Cursor>) {
        loop {
            let c = cursors.last_mut().expect("the list's own cursor stays");
            let whole = c.whole.ty;
            let next = c.index.saturating_add(1);
            c.index = if self.is_union(whole) { u64::MAX } else { next };
            let c = cursors.pop().expect("the list's own cursor stays");
            let more = self.current(&c).is_some();
            let top = cursors.is_empty();
            if more || top {
                cursors.push(c);
                return;
            }
        }
    }

    /// One item of a list, without its designators.
    fn item(&mut self, cursors: &mut Vec<Cursor>, b: &mut Builder, first: bool) -> R<()> {
        let top = cursors.len() - 1;
        let Some(mut place) = self.current_of(cursors, top) else { return self.excess() };
        if self.at(T::LBrace) {
            let way = self.way(cursors, b);
            let ranges = u32::from(cursors.iter().any(|c| c.range.is_some()));
            let outer = std::mem::replace(&mut b.prefix, way.clone());
            b.ranges += ranges;
            self.nested(|p| p.braced_member(place, b))?;
            b.ranges -= ranges;
            if ranges > 0 && b.varies {
                b.root.seal(&way);
                b.varies = b.ranges > 0;
            }
            b.prefix = outer;
            self.leave_ranges(cursors);
            self.advance(cursors);
            return Ok(());
        }
        let e = self.assign_expr()?;
        let last = self.at(T::RBrace) || self.at(T::Comma) && self.peek(1).kind == T::RBrace;
        if first && cursors.len() == 1 && last {
            let way = b.prefix.clone();
            if self.try_string(e, cursors[0].whole, &way, b) {
                return Ok(());
            }
        }
        loop {
            let way = self.way(cursors, b);
            if self.try_string(e, place, &way, b) {
                break;
            }
            if !self.is_aggregate(place.ty) {
                self.store(e, place, &way, b)?;
                break;
            }
            let whole = self.u.types.record(place.ty).is_some_and(|r| self.u.types.record(self.ty(e)) == Some(r));
            let vector = |ty| matches!(self.u.types.get(ty), Type::Vector(..));
            if whole || vector(place.ty) && vector(self.ty(e)) {
                self.store(e, place, &way, b)?;
                break;
            }
            cursors.push(Cursor { whole: place, index: 0, range: None });
            if cursors.len() > crate::MAX_DEPTH {
                let span = self.span_at(e);
                return self.error("depth", span, "nested too deeply");
            }
            let mut top = cursors.len() - 1;
            // An aggregate without members is passed over; among the elements of an array all are like it, and the item
            // is dropped.
            while self.current_of(cursors, top).is_none() {
                cursors.pop();
                top = cursors.len() - 1;
                let in_array = self.u.types.is_array(cursors[top].whole.ty);
                self.advance(cursors);
                top = cursors.len() - 1;
                if in_array || top == 0 && self.current_of(cursors, 0).is_none() {
                    return Ok(());
                }
            }
            place = self.current_of(cursors, top).expect("the loop above found a member");
        }
        self.leave_ranges(cursors);
        self.advance(cursors);
        Ok(())
    }

    /// An item without designator goes on behind the last element of a range.
    fn leave_ranges(&self, cursors: &mut [Cursor]) {
        for i in 0..cursors.len() {
            if let Some(n) = cursors[i].range.take() {
                cursors[i].index = cursors[i].index.saturating_add(n - 1);
                for k in i + 1..cursors.len() {
                    let outer = &cursors[k - 1];
                    if let Some(place) = self.current(outer) {
                        cursors[k].whole = place;
                    }
                }
            }
        }
    }

    fn current_of(&mut self, cursors: &[Cursor], at: usize) -> Option<Place> {
        self.current(&cursors[at])
    }

    /// A member's own braced list. A flexible array member takes its length from its list.
    fn braced_member(&mut self, place: Place, b: &mut Builder) -> R<()> {
        let top = std::mem::take(&mut b.top_len);
        self.braced(place, b)?;
        b.top_len = top;
        Ok(())
    }

    /// An item for which there is no room: gcc warns and drops it.
    fn excess(&mut self) -> R<()> {
        if !self.at(T::LBrace) {
            self.assign_expr()?;
            return Ok(());
        }
        let open = self.bump();
        while !self.at(T::RBrace) {
            if self.at(T::Dot) || self.at(T::LBracket) {
                let span = self.span_of(self.tok);
                return self.error("init", span, "designator in an excess initializer");
            }
            self.nested(Self::excess)?;
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RBrace, "'}'", open)?;
        Ok(())
    }

    /// `.m`, `[i]`, `[a ... b]`, chains of them, and GNU's `m:`; leaves the cursors on what they name.
    fn designators(&mut self, cursors: &mut Vec<Cursor>) -> R<()> {
        if self.at(T::Ident) {
            let t = self.bump();
            self.bump();
            let span = self.span_of(t);
            return self.designate_member(cursors, t.sym, span);
        }
        let mut entered = true;
        loop {
            if !entered {
                let top = cursors.len() - 1;
                let span = self.span_of(self.tok);
                match self.current_of(cursors, top) {
                    Some(place) => cursors.push(Cursor { whole: place, index: 0, range: None }),
                    None => return self.error("init", span, "designator names nothing"),
                }
            }
            entered = false;
            let t = self.tok;
            if self.eat(T::Dot) {
                let name = self.expect(T::Ident, "a member name")?;
                let span = self.span_of(name);
                self.designate_member(cursors, name.sym, span)?;
            } else if self.eat(T::LBracket) {
                self.designate_element(cursors)?;
                self.close(T::RBracket, "']'", t)?;
            }
            if cursors.len() > crate::MAX_DEPTH {
                let span = self.span_of(t);
                return self.error("depth", span, "nested too deeply");
            }
            if !self.at(T::Dot) && !self.at(T::LBracket) {
                break;
            }
        }
        // The `=` may be missing behind an array designator in old GNU code.
        self.eat(T::Eq);
        Ok(())
    }

    fn designate_member(&mut self, cursors: &mut Vec<Cursor>, name: Symbol, span: Span) -> R<()> {
        let whole = cursors.last().expect("the list's own cursor stays").whole;
        let text = self.name(name).to_owned();
        let Some(record) = self.u.types.record(whole.ty) else {
            return self.error("init", span, format!("field name '{text}' not in record or union initializer"));
        };
        let Some(way) = self.find_field(record, name) else {
            let what = self.show(self.u.types.unqualified(whole.ty));
            return self.error("init", span, format!("'{what}' has no member named '{text}'"));
        };
        for (i, &index) in way.iter().enumerate() {
            let c = cursors.last_mut().expect("the list's own cursor stays");
            c.index = u64::from(index);
            if i + 1 < way.len() {
                let top = cursors.len() - 1;
                let place = self.current_of(cursors, top).expect("a way to a member leads through members");
                cursors.push(Cursor { whole: place, index: 0, range: None });
            }
        }
        Ok(())
    }

    fn designate_element(&mut self, cursors: &mut [Cursor]) -> R<()> {
        let whole = cursors.last().expect("the list's own cursor stays").whole;
        let e = self.cond_expr()?;
        let span = self.span_at(e);
        let lo = self.constant(e, "array index in initializer")?;
        let hi = if self.eat(T::Ellipsis) {
            let e = self.cond_expr()?;
            self.constant(e, "array index in initializer")?
        } else {
            lo
        };
        let Type::Array(_, len) = *self.u.types.get(whole.ty) else {
            return self.error("init", span, "array index in non-array initializer");
        };
        let limit = match len {
            ArrayLen::Fixed(n) => i128::from(n),
            _ => i128::from(u32::MAX) * 16,
        };
        if lo < 0 || hi >= limit {
            return self.error("init", span, "array index in initializer exceeds array bounds");
        }
        if hi < lo {
            return self.error("init", span, "empty index range in initializer");
        }
        let c = cursors.last_mut().expect("the list's own cursor stays");
        c.index = lo as u64;
        c.range = (hi > lo).then_some((hi - lo + 1) as u64);
        Ok(())
    }

    /// Stops if an initialiser of a static object reads or changes anything at run time.
    fn check_static(&mut self, e: ExprId) -> R<()> {
        let mut work = vec![(e, false)];
        while let Some((e, place)) = work.pop() {
            let bad = match self.u.exprs[e].kind {
                ExprKind::Var(v) => {
                    let ty = self.u.vars[v].ty;
                    !place && !self.u.types.quals(ty).has(Quals::CONST) && self.u.vars[v].name.is_some()
                }
                ExprKind::Deref(p) => {
                    work.push((p, false));
                    false
                }
                ExprKind::Member(base, _) => {
                    work.push((base, place));
                    false
                }
                ExprKind::AddrOf(p) | ExprKind::Cast(CastKind::ArrayDecay | CastKind::FunctionDecay, p, _) => {
                    work.push((p, true));
                    false
                }
                ExprKind::Unary(_, a) | ExprKind::Cast(_, a, _) => {
                    work.push((a, false));
                    false
                }
                ExprKind::Binary(_, a, b) => {
                    work.extend([(a, false), (b, false)]);
                    false
                }
                ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Cond(..) => false,
                ExprKind::Call(callee, _) => {
                    // Calls of built-ins may fold.
                    self.u.direct_callee(callee).is_none_or(|f| !self.u.funcs[f].implicit)
                }
                ExprKind::Assign(..) | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => true,
                ExprKind::Func(_)
                | ExprKind::Str(_)
                | ExprKind::CompoundLiteral(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::LabelAddr(_)
                | ExprKind::Builtin(..)
                | ExprKind::Comma(..)
                | ExprKind::StmtExpr(..)
                | ExprKind::Let(..)
                | ExprKind::Unsupported(_) => false,
            };
            if bad {
                let span = self.span_at(e);
                return self.error("init", span, "initializer element is not constant");
            }
        }
        Ok(())
    }
}

fn entry(place: Place, leaf: &Leaf) -> InitEntry {
    InitEntry { offset: place.offset, ty: leaf.ty, bits: place.bits, value: leaf.value, repeat: 1, stride: 0 }
}

/// The tree as a list.
#[derive(Default)]
struct Flat {
    /// The stores, each with its position in the source.
    entries: Vec<(u32, InitEntry)>,
    members: Vec<UnionMember>,
}

impl Flat {
    /// Repeats what was added since the mark for `count` elements; false if there is too much then.
    fn spread(&mut self, mark: (usize, usize), count: u64, stride: u64) -> bool {
        if count == 1 {
            return true;
        }
        let members = self.members[mark.1..].to_vec();
        if (members.len() as u64).saturating_mul(count) > MAX_ENTRIES as u64 {
            return false;
        }
        for k in 1..count {
            let moved =
                |m: &UnionMember| UnionMember { offset: m.offset.saturating_add(k.saturating_mul(stride)), ..*m };
            self.members.extend(members.iter().map(moved));
        }
        spread_entries(&mut self.entries, mark.0, count, stride)
    }
}

fn spread_entries(entries: &mut Vec<(u32, InitEntry)>, mark: usize, count: u64, stride: u64) -> bool {
    for i in mark..entries.len() {
        if entries[i].1.repeat == 1 {
            entries[i].1.repeat = count;
            entries[i].1.stride = stride;
            continue;
        }
        let (serial, first) = entries[i];
        for k in 1..count {
            if entries.len() >= MAX_ENTRIES {
                return false;
            }
            let offset = first.offset.saturating_add(k.saturating_mul(stride));
            entries.push((serial, InitEntry { offset, ..first }));
        }
    }
    true
}

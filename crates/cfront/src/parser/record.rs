//! Structs, unions and enumerations (C11 6.7.2.1-6.7.2.3).

use super::attribute::Attrs;
use super::scope::{Binding, Tag};
use super::{Parser, R};
use crate::layout::{Layout, MemberDecl, RecordAttrs};
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{BinOp, ExprId, ExprKind, UnOp};
use crate::types::{
    ArrayLen, EnumDef, EnumId, Field, IntKind, Lengths, RecordDef, RecordId, RecordKind, Type, TypeId, Types, basic,
};
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Why such a record cannot be used.
pub(super) const UNKNOWN_LAYOUT: &str = "record whose layout is not known";

impl Parser<'_> {
    /// `struct tag`, `struct tag { … }`, `struct { … }`; the keyword is the current token.
    pub(super) fn record_specifier(&mut self, kind: RecordKind) -> R<TypeId> {
        let word = self.bump();
        let mut attrs = Attrs::default();
        self.attributes(&mut attrs)?;
        let name = self.at(T::Ident).then(|| self.bump());
        let span = self.span_of(name.unwrap_or(word));
        if !self.at(T::LBrace) {
            let Some(name) = name else { return self.expected("a tag or '{'") };
            let id = self.record_tag(kind, name.sym, span)?;
            return Ok(self.u.types.intern(Type::Record(id)));
        }
        let id = match name.and_then(|n| self.scopes.lookup_tag_here(n.sym)) {
            Some(Tag::Record(id)) if self.u.types.records[id].kind == kind => {
                if self.u.types.records[id].complete {
                    return self.redefined_tag(kind, name.map(|n| n.sym), span, self.u.types.records[id].span);
                }
                id
            }
            Some(_) => return self.wrong_tag(name.map(|n| n.sym), span),
            None => self.new_record(kind, name.map(|n| n.sym), span),
        };
        let ty = self.u.types.intern(Type::Record(id));
        self.record_body(id, kind, attrs)?;
        Ok(ty)
    }

    fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, span: Span) -> RecordId {
        let id = self.u.types.records.push(RecordDef {
            kind,
            tag,
            complete: false,
            fields: Vec::new(),
            size: 0,
            align: 1,
            transparent: false,
            lengths: Lengths::Fixed,
            span,
        });
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Record(id));
        }
        id
    }

    /// The record a tag means: `struct s;` alone declares a new one in this scope.
    fn record_tag(&mut self, kind: RecordKind, tag: Symbol, span: Span) -> R<RecordId> {
        let known = if self.at(T::Semi) { self.scopes.lookup_tag_here(tag) } else { self.scopes.lookup_tag(tag) };
        match known {
            Some(Tag::Record(id)) if self.u.types.records[id].kind == kind => Ok(id),
            Some(_) => self.wrong_tag(Some(tag), span),
            None => Ok(self.new_record(kind, Some(tag), span)),
        }
    }

    fn wrong_tag<X>(&mut self, tag: Option<Symbol>, span: Span) -> R<X> {
        let name = tag.map_or_else(String::new, |t| self.name(t).to_owned());
        self.error("tag", span, format!("'{name}' defined as wrong kind of tag"))
    }

    fn redefined_tag<X>(&mut self, kind: RecordKind, tag: Option<Symbol>, span: Span, first: Span) -> R<X> {
        let word = if kind == RecordKind::Struct { "struct" } else { "union" };
        let name = tag.map_or_else(String::new, |t| self.name(t).to_owned());
        let d = Diagnostic::error("redefinition", span, format!("redefinition of '{word} {name}'"));
        self.fail(d.with_note("originally defined here", Some(first)))
    }

    fn record_body(&mut self, id: RecordId, kind: RecordKind, mut attrs: Attrs) -> R<()> {
        let open = self.bump();
        let mut members: Vec<MemberDecl> = Vec::new();
        while !self.at(T::RBrace) {
            if self.eat(T::Semi) {
                continue;
            }
            if self.at(T::StaticAssert) {
                self.static_assert()?;
                continue;
            }
            while self.eat(T::Extension) {}
            if self.at(T::Eof) {
                self.close(T::RBrace, "'}'", open)?;
            }
            if !self.starts_type(self.tok) {
                return self.unknown_type();
            }
            self.member_declaration(&mut members, kind)?;
        }
        let end = self.bump();
        self.attributes(&mut attrs)?;
        let pack = self.lex.pack_at(end.lo);
        self.check_members(&members)?;
        let unknown = |ty| self.u.types.record(ty).is_some_and(|r| self.u.types.records[r].lengths == Lengths::Unknown);
        let variable = members.iter().any(|m| self.u.types.is_vla(m.field.ty) || unknown(m.field.ty));
        let bits = members.iter().any(|m| m.width.is_some());
        let foreign = attrs.foreign_layout || bits && pack.is_some() && self.u.types.target.abi().runs_of_bits;
        let wants = RecordAttrs { packed: attrs.packed, align: attrs.align, pack };
        let layout = self.u.types.layout(kind, members, wants);
        if layout.size > self.u.types.max_size() {
            let span = self.u.types.records[id].span;
            return self.error("type", span, "type is too large");
        }
        let lengths = if !variable && !foreign {
            Lengths::Fixed
        } else if foreign || bits || kind == RecordKind::Union {
            Lengths::Unknown
        } else {
            self.variable_layout(&layout, end.lo)?
        };
        let def = &mut self.u.types.records[id];
        if def.complete {
            let (span, tag) = (def.span, def.tag);
            return self.redefined_tag(kind, tag, span, span);
        }
        def.complete = true;
        def.fields = layout.fields;
        def.size = layout.size;
        def.align = layout.align;
        def.transparent = attrs.transparent;
        def.lengths = lengths;
        Ok(())
    }

    /// Hidden variables for the offsets behind the first member of variable length, and for the size.
    fn variable_layout(&mut self, layout: &Layout, at: u32) -> R<Lengths> {
        let (span, size_t) = (self.since(at), self.u.types.size_t());
        let mut offsets = Vec::with_capacity(layout.fields.len());
        // Where the next member may begin; none as long as that is a constant.
        let mut end = None;
        for field in &layout.fields {
            if self.u.types.size(field.ty).is_none() && !self.u.types.is_vla(field.ty) {
                // A flexible array, or a record of which nothing is known.
                return Ok(Lengths::Unknown);
            }
            let begin = match end {
                None => self.int(field.offset, size_t, span),
                Some(end) => {
                    let begin = self.rounded_up(end, field.align, span)?;
                    let begin = self.length_variable(begin, span);
                    offsets.push(Some(begin));
                    self.expr(ExprKind::Var(begin), size_t, span)
                }
            };
            if end.is_none() {
                offsets.push(None);
            }
            if end.is_some() || self.u.types.is_vla(field.ty) {
                let size = self.size_of(field.ty, span)?;
                end = Some(self.expr(ExprKind::Binary(BinOp::Add, begin, size), size_t, span));
            }
        }
        let Some(end) = end else { return Ok(Lengths::Unknown) };
        let size = self.rounded_up(end, layout.align, span)?;
        let size = self.length_variable(size, span);
        Ok(Lengths::Variable { size, offsets: offsets.into() })
    }

    /// `(e + align - 1) & -align`, in `size_t`.
    fn rounded_up(&mut self, e: ExprId, align: u64, span: Span) -> R<ExprId> {
        if align == 1 {
            return Ok(e);
        }
        let size_t = self.u.types.size_t();
        let (more, mask) = (self.int(align - 1, size_t, span), self.int(align - 1, size_t, span));
        let sum = self.expr(ExprKind::Binary(BinOp::Add, e, more), size_t, span);
        let mask = self.expr(ExprKind::Unary(UnOp::BitNot, mask), size_t, span);
        Ok(self.expr(ExprKind::Binary(BinOp::BitAnd, sum, mask), size_t, span))
    }

    fn member_declaration(&mut self, members: &mut Vec<MemberDecl>, kind: RecordKind) -> R<()> {
        let s = self.specifiers()?;
        if s.class.is_some() {
            let span = self.since(s.lo);
            return self.error("specifier", span, "storage class specified for a member");
        }
        if self.at(T::Semi) || self.at(T::RBrace) && self.u.types.record(s.ty).is_some() {
            // A struct or union without tag and name lends its members; anything else declares no member.
            let span = self.since(s.lo);
            if self.u.types.record(s.ty).is_some_and(|r| self.u.types.records[r].tag.is_none()) {
                let field = Field { name: None, ty: s.ty, offset: 0, align: 1, bits: None, span };
                members.push(MemberDecl { field, width: None, align: s.attrs.align, packed: s.attrs.packed });
            }
            self.eat(T::Semi);
            return Ok(());
        }
        loop {
            let lo = self.tok.lo;
            let mut attrs = s.attrs.clone();
            let (name, mut ty, span) = if self.at(T::Colon) {
                (None, s.ty, self.span_of(self.tok))
            } else {
                let d = self.declarator(s.ty, false)?;
                attrs.merge(d.attrs);
                (d.name, d.ty, d.span)
            };
            let width = if self.eat(T::Colon) {
                let e = self.cond_expr()?;
                self.attributes(&mut attrs)?;
                Some(self.bit_width(e, ty, name)?)
            } else {
                None
            };
            ty = self.apply_type_attributes(ty, &attrs);
            self.check_member_type(ty, span, name, kind)?;
            let span = if name.is_some() { span } else { self.since(lo) };
            let field = Field { name, ty, offset: 0, align: 1, bits: None, span };
            members.push(MemberDecl { field, width, align: attrs.align, packed: attrs.packed });
            if !self.eat(T::Comma) {
                break;
            }
        }
        if self.at(T::RBrace) {
            // gcc: "no semicolon at end of struct or union" is a warning.
            return Ok(());
        }
        self.expect(T::Semi, "';'")?;
        Ok(())
    }

    fn check_member_type(&mut self, ty: TypeId, span: Span, name: Option<Symbol>, kind: RecordKind) -> R<()> {
        let text = name.map_or_else(String::new, |n| self.name(n).to_owned());
        if self.u.types.is_function(ty) {
            return self.error("type", span, format!("member '{text}' declared as a function"));
        }
        let flexible =
            matches!(self.u.types.get(ty), Type::Array(elem, ArrayLen::Unknown) if self.u.types.is_complete(*elem));
        if !self.u.types.is_complete(ty) && !flexible && !self.u.types.is_vla(ty) {
            return self.error("type", span, format!("member '{text}' has incomplete type"));
        }
        if flexible && kind == RecordKind::Union {
            return self.error("type", span, "flexible array member in union");
        }
        Ok(())
    }

    fn bit_width(&mut self, e: crate::tree::ExprId, ty: TypeId, name: Option<Symbol>) -> R<u8> {
        let span = self.span_at(e);
        let width = self.constant(e, "bit-field width")?;
        let text = name.map_or_else(|| "<anonymous>".to_owned(), |n| self.name(n).to_owned());
        let Some(kind) = self.u.types.int_kind(ty) else {
            return self.error("type", span, format!("bit-field '{text}' has invalid type"));
        };
        let max = if kind == IntKind::Bool { 1 } else { i128::from(kind.bits(self.u.types.target)) };
        if width < 0 {
            return self.error("type", span, format!("negative width in bit-field '{text}'"));
        }
        if width > max {
            return self.error("type", span, format!("width of '{text}' exceeds its type"));
        }
        if width == 0 && name.is_some() {
            return self.error("type", span, format!("zero width for bit-field '{text}'"));
        }
        Ok(width as u8)
    }

    fn check_members(&mut self, members: &[MemberDecl]) -> R<()> {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for (i, m) in members.iter().enumerate() {
            if let Some(name) = m.field.name
                && let Some(first) = seen.insert(name, m.field.span)
            {
                let text = self.name(name).to_owned();
                let d = Diagnostic::error("redefinition", m.field.span, format!("duplicate member '{text}'"));
                return self.fail(d.with_note("first declared here", Some(first)));
            }
            if i + 1 < members.len() && matches!(self.u.types.get(m.field.ty), Type::Array(_, ArrayLen::Unknown)) {
                return self.error("type", m.field.span, "flexible array member not at end of struct");
            }
        }
        Ok(())
    }

    /// The way to a member: indices of fields, through anonymous records.
    pub(super) fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let def = &self.u.types.records[record];
        if let Some(i) = def.fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![i as u32]);
        }
        for (i, f) in def.fields.iter().enumerate().filter(|(_, f)| f.name.is_none()) {
            if let Some(inner) = self.u.types.record(f.ty)
                && let Some(mut way) = self.find_field(inner, name)
            {
                way.insert(0, i as u32);
                return Some(way);
            }
        }
        None
    }

    // ---- Enumerations.

    /// `enum tag`, `enum tag { … }`; the keyword is the current token.
    pub(super) fn enum_specifier(&mut self) -> R<TypeId> {
        let word = self.bump();
        let mut attrs = Attrs::default();
        self.attributes(&mut attrs)?;
        let name = self.at(T::Ident).then(|| self.bump());
        let span = self.span_of(name.unwrap_or(word));
        let tag = name.map(|n| n.sym);
        let here = self.at(T::LBrace) || self.at(T::Semi);
        let known = tag.and_then(|t| if here { self.scopes.lookup_tag_here(t) } else { self.scopes.lookup_tag(t) });
        let id = match known {
            Some(Tag::Enum(id)) => id,
            Some(Tag::Record(_)) => return self.wrong_tag(tag, span),
            None => {
                if tag.is_none() && !self.at(T::LBrace) {
                    return self.expected("a tag or '{'");
                }
                let underlying = basic::UINT;
                let id =
                    self.u.types.enums.push(EnumDef { tag, complete: false, underlying, values: Vec::new(), span });
                if let Some(tag) = tag {
                    self.scopes.bind_tag(tag, Tag::Enum(id));
                }
                id
            }
        };
        let ty = self.u.types.intern(Type::Enum(id));
        if self.at(T::LBrace) {
            if self.u.types.enums[id].complete {
                let name = tag.map_or_else(String::new, |t| self.name(t).to_owned());
                let first = self.u.types.enums[id].span;
                let d = Diagnostic::error("redefinition", span, format!("redefinition of 'enum {name}'"));
                return self.fail(d.with_note("originally defined here", Some(first)));
            }
            self.enum_body(id, ty, attrs)?;
        }
        Ok(ty)
    }

    fn enum_body(&mut self, id: EnumId, ty: TypeId, mut attrs: Attrs) -> R<()> {
        let open = self.bump();
        let mut values: Vec<(Symbol, i128)> = Vec::new();
        let mut next: i128 = 0;
        while !self.at(T::RBrace) {
            let t = self.expect(T::Ident, "an identifier")?;
            self.skip_attributes()?;
            let span = self.span_of(t);
            if self.scopes.lookup_here(t.sym).is_some() {
                let text = self.name(t.sym).to_owned();
                return self.error("redefinition", span, format!("redeclaration of enumerator '{text}'"));
            }
            if self.eat(T::Eq) {
                let e = self.cond_expr()?;
                next = self.constant(e, "enumerator value")?;
            }
            // While the enumeration is open an enumerator has the narrowest type of int, long, … that holds it.
            let kind = narrowest(next, &self.u.types);
            self.scopes.bind(t.sym, Binding::Enumerator(next, Types::int(kind)));
            values.push((t.sym, next));
            next = next.wrapping_add(1);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RBrace, "'}' or ','", open)?;
        self.attributes(&mut attrs)?;
        let (min, max) = values.iter().fold((0, 0), |(lo, hi), (_, v)| (v.min(&lo).to_owned(), v.max(&hi).to_owned()));
        let target = self.u.types.target;
        let fits = |k: IntKind| k.wrap(min, target) == min && k.wrap(max, target) == max;
        let small = [IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short];
        let usual = [IntKind::UInt, IntKind::Int, IntKind::ULong, IntKind::Long, IntKind::ULongLong];
        let packed = if attrs.packed || target.abi().short_enums { &small[..] } else { &[] };
        let kind = packed.iter().chain(&usual).copied().find(|&k| fits(k)).unwrap_or(IntKind::LongLong);
        for &(name, v) in &values {
            if IntKind::Int.wrap(v, target) != v {
                self.scopes.bind(name, Binding::Enumerator(v, ty));
            } else {
                self.scopes.bind(name, Binding::Enumerator(v, basic::INT));
            }
        }
        let mode = self.apply_type_attributes(Types::int(kind), &attrs);
        let def = &mut self.u.types.enums[id];
        def.complete = true;
        def.underlying = mode;
        def.values = values;
        Ok(())
    }
}

fn narrowest(value: i128, types: &Types) -> IntKind {
    let ladder = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LongLong];
    ladder.into_iter().find(|k| k.wrap(value, types.target) == value).unwrap_or(IntKind::ULongLong)
}

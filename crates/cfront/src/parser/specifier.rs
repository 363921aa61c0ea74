//! Declaration specifiers: storage classes, qualifiers and the type they spell (C11 6.7.1-6.7.5, with GNU's additions).

use super::attribute::Attrs;
use super::scope::Binding;
use super::{Parser, R};
use crate::token::{T, Token};
use crate::types::{IntKind, Quals, RecordKind, Type, TypeId, Types, basic};

/// A storage class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// What stands in front of the declarators.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub(super) ty: TypeId,
    pub(super) class: Option<Class>,
    pub(super) thread: bool,
    pub(super) inline: bool,
    pub(super) attrs: Attrs,
    /// `__auto_type`: the type comes from the initialiser.
    pub(super) auto_type: bool,
    /// Nothing said a type: `int` by C89's rule.
    pub(super) implicit: bool,
    /// A struct, union or enum was mentioned: a declaration without declarators makes sense.
    pub(super) tagged: bool,
    pub(super) lo: u32,
}

/// Type keywords seen so far.
#[derive(Default)]
struct SpecifierWords {
    void: bool,
    boolean: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    signed: bool,
    unsigned: bool,
    float: Option<TypeId>,
    double: bool,
    complex: bool,
    int128: bool,
    other: Option<TypeId>,
    any: bool,
}

/// Microsoft's word for attributes.
const DECLSPEC: &str = "__declspec";

/// Microsoft's names for integers of a size.
fn microsoft_type(word: &str) -> Option<IntKind> {
    Some(match word.strip_prefix("__int")? {
        "8" => IntKind::Char,
        "16" => IntKind::Short,
        "32" => IntKind::Int,
        "64" => IntKind::LongLong,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether a token can begin a declaration or type name.
    pub(super) fn starts_type(&self, t: Token) -> bool {
        use T::*;
        match t.kind {
            Ident => match self.scopes.lookup(t.sym) {
                Some(binding) => matches!(binding, Binding::Typedef(_)),
                None => microsoft_type(self.lex.text(t)).is_some() || self.lex.text(t) == DECLSPEC,
            },
            Auto | CharKw | Const | Double | Enum | Extern | Float | Inline | Int | Long | Register | Restrict
            | Short | Signed | Static | Struct | Typedef | Union | Unsigned | Void | Volatile | Alignas | Atomic
            | Bool | Complex | Noreturn | ThreadLocal | Attribute | Typeof | AutoType | Int128 | Float128
            | Decimal32 | Decimal64 | Decimal128 | Float16 | Float32 | Float64 | Float32x | Float64x
            | BuiltinVaList => true,
            _ => false,
        }
    }

    /// Reads all specifiers.
    pub(super) fn specifiers(&mut self) -> R<Specifiers> {
        let mut s = Specifiers {
            ty: basic::INT,
            class: None,
            thread: false,
            inline: false,
            attrs: Attrs::default(),
            auto_type: false,
            implicit: false,
            tagged: false,
            lo: self.tok.lo,
        };
        let mut words = SpecifierWords::default();
        let mut quals = Quals::NONE;
        loop {
            let t = self.tok;
            if self.qualifier(&mut quals, &mut words)? || self.storage(&mut s)? {
                continue;
            }
            match t.kind {
                T::Struct | T::Union | T::Enum if self.annotation.is_some() && !self.names_tag() => {
                    return self.unknown_tag();
                }
                T::Attribute | T::Extension => self.attributes(&mut s.attrs)?,
                T::Alignas => self.alignas(&mut s.attrs)?,
                T::AutoType => {
                    self.bump();
                    s.auto_type = true;
                    words.any = true;
                }
                T::Struct | T::Union => {
                    let kind = if t.kind == T::Struct { RecordKind::Struct } else { RecordKind::Union };
                    s.tagged = true;
                    let ty = self.nested(|p| p.record_specifier(kind))?;
                    self.set_other(&mut words, ty, t)?;
                }
                T::Enum => {
                    s.tagged = true;
                    let ty = self.nested(Self::enum_specifier)?;
                    self.set_other(&mut words, ty, t)?;
                }
                T::Typeof => {
                    let ty = self.nested(Self::typeof_specifier)?;
                    self.set_other(&mut words, ty, t)?;
                }
                T::BuiltinVaList => {
                    self.bump();
                    let ty = self.va_list_type();
                    self.set_other(&mut words, ty, t)?;
                }
                T::Ident if self.at_declspec() => self.attributes(&mut s.attrs)?,
                T::Ident if self.microsoft_word(&mut words) => {}
                T::Ident if !words.any => match self.scopes.lookup(t.sym) {
                    Some(Binding::Typedef(ty)) => {
                        self.bump();
                        self.set_other(&mut words, ty, t)?;
                    }
                    _ => break,
                },
                _ => {
                    if !self.type_word(&mut words)? {
                        break;
                    }
                }
            }
        }
        s.implicit = !words.any;
        let ty = self.spelled(&words, s.lo)?;
        let ty = self.apply_type_attributes(ty, &s.attrs);
        if s.attrs.mode.is_some() || s.attrs.vector_size.is_some() {
            s.attrs.mode = None;
            s.attrs.vector_size = None;
        }
        s.ty = self.u.types.qualified(ty, quals);
        Ok(s)
    }

    /// `__int64` and its kin, which may stand behind `signed` or `unsigned`; behind other words it is a name that is declared.
    fn microsoft_word(&mut self, w: &mut SpecifierWords) -> bool {
        let Some(kind) = microsoft_type(self.lex.text(self.tok)) else { return false };
        let alone = !w.any || (w.signed || w.unsigned) && w.long == 0 && !w.int && !w.char && !w.short && !w.int128;
        if !alone || w.complex || self.scopes.lookup(self.tok.sym).is_some() {
            return false;
        }
        match kind {
            IntKind::Char => w.char = true,
            IntKind::Short => w.short = true,
            IntKind::LongLong => w.long = 2,
            _ => {}
        }
        w.int = kind != IntKind::Char;
        w.any = true;
        self.bump();
        true
    }

    /// `__declspec(`, unless the program has its own.
    pub(super) fn at_declspec(&mut self) -> bool {
        self.at(T::Ident)
            && self.lex.text(self.tok) == DECLSPEC
            && self.scopes.lookup(self.tok.sym).is_none()
            && self.peek(1).kind == T::LParen
    }

    fn qualifier(&mut self, quals: &mut Quals, words: &mut SpecifierWords) -> R<bool> {
        let q = match self.tok.kind {
            T::Const => Quals::CONST,
            T::Volatile => Quals::VOLATILE,
            T::Restrict => Quals::RESTRICT,
            T::Atomic => {
                if self.peek(1).kind == T::LParen {
                    let t = self.bump();
                    let open = self.bump();
                    let ty = self.nested(Self::type_name)?;
                    self.close(T::RParen, "')'", open)?;
                    let ty = self.u.types.qualified(ty, Quals::ATOMIC);
                    self.set_other(words, ty, t)?;
                    return Ok(true);
                }
                Quals::ATOMIC
            }
            _ => return Ok(false),
        };
        self.bump();
        *quals = quals.with(q);
        Ok(true)
    }

    fn storage(&mut self, s: &mut Specifiers) -> R<bool> {
        let class = match self.tok.kind {
            T::Typedef => Class::Typedef,
            T::Extern => Class::Extern,
            T::Static => Class::Static,
            T::Auto => Class::Auto,
            T::Register => Class::Register,
            T::Inline => {
                self.bump();
                s.inline = true;
                return Ok(true);
            }
            T::Noreturn => {
                self.bump();
                s.attrs.noreturn = true;
                return Ok(true);
            }
            T::ThreadLocal => {
                self.bump();
                s.thread = true;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let t = self.bump();
        if s.class.is_some_and(|old| old != class) {
            let span = self.span_of(t);
            return self.error("specifier", span, "multiple storage classes in declaration specifiers");
        }
        s.class = Some(class);
        Ok(true)
    }

    fn alignas(&mut self, attrs: &mut Attrs) -> R<()> {
        self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let n = if self.starts_type(self.tok) {
            let ty = self.nested(Self::type_name)?;
            i128::from(self.u.types.member_align(ty))
        } else {
            let e = self.cond_expr()?;
            self.constant(e, "alignment")?
        };
        self.close(T::RParen, "')'", open)?;
        if !(0..=1 << 28).contains(&n) || n & (n - 1) != 0 {
            let span = self.span_of(open);
            return self.error("attribute", span, "requested alignment is not a power of 2");
        }
        if n > 0 {
            attrs.align = attrs.align.max(Some(n as u64));
        }
        Ok(())
    }

    fn set_other(&mut self, words: &mut SpecifierWords, ty: TypeId, at: Token) -> R<()> {
        if words.any {
            let span = self.span_of(at);
            return self.error("specifier", span, "two or more data types in declaration specifiers");
        }
        words.other = Some(ty);
        words.any = true;
        Ok(())
    }

    fn type_word(&mut self, w: &mut SpecifierWords) -> R<bool> {
        let fine = !w.void && !w.boolean && w.other.is_none() && w.float.is_none();
        let ok = match self.tok.kind {
            T::Void => fine && !std::mem::replace(&mut w.void, true) && !w.any,
            T::Bool => fine && !std::mem::replace(&mut w.boolean, true) && !w.any,
            T::CharKw => {
                fine && !std::mem::replace(&mut w.char, true) && !w.short && w.long == 0 && !w.int && !w.double
            }
            T::Short => fine && !std::mem::replace(&mut w.short, true) && !w.char && w.long == 0 && !w.double,
            T::Int => fine && !std::mem::replace(&mut w.int, true) && !w.char && !w.double && !w.int128,
            T::Long => {
                w.long += 1;
                let most = if w.double { 1 } else { 2 };
                fine && w.long <= most && !w.short && !w.char && !w.int128
            }
            T::Signed => fine && !std::mem::replace(&mut w.signed, true) && !w.unsigned && !w.double,
            T::Unsigned => fine && !std::mem::replace(&mut w.unsigned, true) && !w.signed && !w.double,
            T::Double => {
                let plain = !w.char && !w.short && !w.int && !w.signed && !w.unsigned && w.long < 2 && !w.int128;
                fine && !std::mem::replace(&mut w.double, true) && plain
            }
            T::Complex => !std::mem::replace(&mut w.complex, true) && w.other.is_none(),
            T::Int128 => {
                fine && !std::mem::replace(&mut w.int128, true) && w.long == 0 && !w.short && !w.char && !w.int
            }
            T::Float
            | T::Float128
            | T::Float16
            | T::Float32
            | T::Float64
            | T::Float32x
            | T::Float64x
            | T::Decimal32
            | T::Decimal64
            | T::Decimal128 => {
                let ty = match self.tok.kind {
                    T::Float128 => basic::FLOAT128,
                    T::Float16 => basic::FLOAT16,
                    T::Float64 | T::Float32x => basic::DOUBLE,
                    T::Float64x => basic::LONGDOUBLE,
                    T::Decimal32 => basic::DECIMAL32,
                    T::Decimal64 => basic::DECIMAL64,
                    T::Decimal128 => basic::DECIMAL128,
                    _ => basic::FLOAT,
                };
                let first = !w.any || w.complex && !w.int && !w.char && !w.double;
                w.float.replace(ty).is_none() && fine && first
            }
            _ => return Ok(false),
        };
        let t = self.bump();
        w.any = true;
        if ok {
            return Ok(true);
        }
        let span = self.span_of(t);
        let text = self.lex.text(t).to_owned();
        self.error("specifier", span, format!("'{text}' does not combine with the type specifiers before it"))
    }

    /// The type that the keywords spell.
    fn spelled(&mut self, w: &SpecifierWords, lo: u32) -> R<TypeId> {
        if let Some(ty) = w.other {
            return Ok(ty);
        }
        let kind = match (w.long, w.unsigned) {
            _ if w.int128 => Types::with_sign(IntKind::Int128, !w.unsigned),
            _ if w.char && !w.signed && !w.unsigned => IntKind::Char,
            _ if w.char => Types::with_sign(IntKind::Char, w.signed),
            _ if w.short => Types::with_sign(IntKind::Short, !w.unsigned),
            (0, unsigned) => Types::with_sign(IntKind::Int, !unsigned),
            (1, unsigned) => Types::with_sign(IntKind::Long, !unsigned),
            (_, unsigned) => Types::with_sign(IntKind::LongLong, !unsigned),
        };
        let ty = if w.void {
            basic::VOID
        } else if w.boolean {
            basic::BOOL
        } else if let Some(f) = w.float {
            f
        } else if w.double {
            if w.long > 0 { basic::LONGDOUBLE } else { basic::DOUBLE }
        } else if w.complex && !w.char && !w.short && !w.int && w.long == 0 && !w.signed && !w.unsigned {
            basic::DOUBLE
        } else {
            Types::int(kind)
        };
        if w.complex {
            if !self.u.types.is_arithmetic(ty) {
                let span = self.since(lo);
                return self.error("specifier", span, "'_Complex' needs an arithmetic type");
            }
            return Ok(self.u.types.intern(Type::Complex(ty)));
        }
        Ok(ty)
    }

    /// `typeof(type)` or `typeof(expression)`.
    fn typeof_specifier(&mut self) -> R<TypeId> {
        self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let ty = if self.starts_type(self.tok) || self.at(T::Extension) && self.extension_type() {
            self.type_name()?
        } else {
            let e = self.expression()?;
            self.ty(e)
        };
        self.close(T::RParen, "')'", open)?;
        Ok(ty)
    }

    fn extension_type(&mut self) -> bool {
        let t = self.peek(1);
        self.starts_type(t)
    }

    /// A type name: specifiers and an abstract declarator.
    pub(super) fn type_name(&mut self) -> R<TypeId> {
        while self.eat(T::Extension) {}
        if !self.starts_type(self.tok) {
            return self.unknown_type();
        }
        let s = self.specifiers()?;
        let d = self.declarator(s.ty, true)?;
        if let Some(name) = d.name {
            let (text, span) = (self.name(name).to_owned(), d.span);
            return self.error("syntax", span, format!("unexpected name '{text}' in a type"));
        }
        let ty = self.apply_type_attributes(d.ty, &d.attrs);
        Ok(ty)
    }

    /// Stops with "unknown type name", or "expected a type".
    pub(super) fn unknown_type<X>(&mut self) -> R<X> {
        if self.at(T::Ident) {
            let (text, span) = (self.name(self.tok.sym).to_owned(), self.span_of(self.tok));
            return self.error("unknown-type", span, format!("unknown type name '{text}'"));
        }
        self.expected("a type")
    }
}

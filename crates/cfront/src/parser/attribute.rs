//! `__attribute__((…))`: those that change the meaning are kept, all others are read over.

use super::{Parser, R};
use crate::literal;
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::DeclAttrs;
use crate::types::{FloatKind, IntKind, Type, TypeId, Types, basic};

/// Attributes collected at one declaration.
#[derive(Clone, Debug, Default)]
pub(super) struct Attrs {
    pub(super) packed: bool,
    /// `aligned(n)` and `_Alignas(n)`.
    pub(super) align: Option<u64>,
    pub(super) mode: Option<Box<str>>,
    pub(super) vector_size: Option<u64>,
    pub(super) noreturn: bool,
    pub(super) returns_twice: bool,
    pub(super) weak: bool,
    pub(super) startup: bool,
    pub(super) constructor: bool,
    pub(super) transparent: bool,
    pub(super) cleanup: Option<Symbol>,
    pub(super) alias: Option<Box<str>>,
    pub(super) asm_name: Option<Box<str>>,
    pub(super) section: Option<Box<str>>,
    /// `scalar_storage_order`, `ms_struct`: the layout or meaning is another one.
    pub(super) foreign_layout: bool,
}

/// Sections whose contents the start of a program looks at.
const STARTUP_SECTIONS: [&str; 7] =
    [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

impl Attrs {
    pub(super) fn merge(&mut self, other: Attrs) {
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.returns_twice |= other.returns_twice;
        self.weak |= other.weak;
        self.startup |= other.startup;
        self.constructor |= other.constructor;
        self.transparent |= other.transparent;
        self.foreign_layout |= other.foreign_layout;
        self.align = self.align.max(other.align);
        self.mode = other.mode.or(self.mode.take());
        self.vector_size = other.vector_size.or(self.vector_size);
        self.cleanup = other.cleanup.or(self.cleanup);
        self.alias = other.alias.or(self.alias.take());
        self.section = other.section.or(self.section.take());
        self.asm_name = other.asm_name.or(self.asm_name.take());
    }

    /// What the tree keeps.
    pub(super) fn for_decl(&self) -> DeclAttrs {
        DeclAttrs {
            noreturn: self.noreturn,
            returns_twice: self.returns_twice,
            weak: self.weak,
            startup: self.startup,
            constructor: self.constructor,
            align: self.align,
            cleanup: self.cleanup,
            alias: self.alias.clone(),
            section: self.section.clone(),
            asm_name: self.asm_name.clone(),
        }
    }
}

impl Parser<'_> {
    /// Any number of attributes, into `into`.
    pub(super) fn attributes(&mut self, into: &mut Attrs) -> R<()> {
        loop {
            if self.at(T::Attribute) {
                self.bump();
                let open = self.expect(T::LParen, "'(('")?;
                let open2 = self.expect(T::LParen, "'('")?;
                while !self.at(T::RParen) {
                    if !self.eat(T::Comma) {
                        self.attribute(into)?;
                    }
                }
                self.close(T::RParen, "')'", open2)?;
                self.close(T::RParen, "')'", open)?;
            } else if self.at(T::Extension) {
                self.bump();
            } else if self.at_declspec() {
                self.bump();
                let open = self.bump();
                while !self.at(T::RParen) {
                    if !self.eat(T::Comma) {
                        self.attribute(into)?;
                    }
                }
                self.close(T::RParen, "')'", open)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Attributes whose content does not matter here.
    pub(super) fn skip_attributes(&mut self) -> R<()> {
        self.attributes(&mut Attrs::default())
    }

    /// `asm("name")` behind a declarator, and attributes.
    pub(super) fn asm_name_and_attributes(&mut self, into: &mut Attrs) -> R<()> {
        self.attributes(into)?;
        if self.at(T::Asm) {
            self.bump();
            let open = self.expect(T::LParen, "'('")?;
            into.asm_name = Some(self.string_text()?);
            self.close(T::RParen, "')'", open)?;
            self.attributes(into)?;
        }
        Ok(())
    }

    /// The characters of one or more narrow string literals, as text.
    pub(super) fn string_text(&mut self) -> R<Box<str>> {
        if !self.at(T::Str) {
            return self.expected("a string literal");
        }
        let mut bytes = Vec::new();
        while self.at(T::Str) {
            let t = self.bump();
            if let Err(message) = literal::append(self.lex.text(t), literal::Encoding::Plain, &mut bytes) {
                let span = self.span_of(t);
                return self.error("syntax", span, message);
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into())
    }

    fn attribute(&mut self, into: &mut Attrs) -> R<()> {
        let t = self.tok;
        let is_word = self.lex.text(t).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_word {
            return self.expected("an attribute name");
        }
        self.bump();
        let name = self.lex.text(t).to_owned();
        let name = name.trim_start_matches("__").trim_end_matches("__");
        let open = self.tok;
        if !self.at(T::LParen) {
            match name {
                "packed" => into.packed = true,
                "aligned" => into.align = into.align.max(Some(self.u.types.target.abi().most_align)),
                "noreturn" => into.noreturn = true,
                "returns_twice" => into.returns_twice = true,
                // Of several definitions one counts.
                "weak" | "selectany" => into.weak = true,
                "constructor" => into.constructor = true,
                "destructor" => into.startup = true,
                "transparent_union" => into.transparent = true,
                "ms_struct" => into.foreign_layout = true,
                "weakref" => into.weak = true,
                // The start of the program leaves them as they were before it.
                "noinit" | "persistent" => self.u.unsupported.push("objects that nobody initialises".to_owned()),
                _ => {}
            }
            return Ok(());
        }
        self.bump();
        match name {
            "aligned" | "align" => {
                let e = self.cond_expr()?;
                let n = self.constant(e, "alignment")?;
                if !(0..=1 << 28).contains(&n) || (n & (n - 1)) != 0 {
                    let span = self.span_at(e);
                    return self.error("attribute", span, "requested alignment is not a positive power of 2");
                }
                into.align = into.align.max(Some((n as u64).max(1)));
            }
            "vector_size" => {
                let e = self.cond_expr()?;
                into.vector_size = Some(self.constant(e, "vector size")?.clamp(0, 1 << 20) as u64);
            }
            "mode" => {
                let t = self.bump();
                into.mode = Some(self.lex.text(t).trim_start_matches("__").trim_end_matches("__").into());
            }
            "cleanup" if self.at(T::Ident) => into.cleanup = Some(self.bump().sym),
            "alias" | "weakref" if self.at(T::Str) => {
                into.alias = Some(self.string_text()?);
                into.weak |= name == "weakref";
            }
            "constructor" | "destructor" => into.startup = true,
            "section" | "allocate" if self.at(T::Str) => {
                let section = self.string_text()?;
                let runs = |s: &&&str| {
                    let rest = section.strip_prefix(**s);
                    // `.init.text` is a name of the Linux kernel's; arrays are sorted by what follows a dot.
                    rest.is_some_and(|r| r.is_empty() || r.starts_with('.') && **s != ".init" && **s != ".fini")
                };
                // What lies there runs before `main` or after it.
                let kept = [".noinit", ".persistent"].iter().find(|s| section.starts_with(**s));
                if let Some(s) = STARTUP_SECTIONS.iter().find(runs).or(kept) {
                    self.u.unsupported.push(format!("objects in the section {s}"));
                }
                into.section = Some(section);
            }
            "scalar_storage_order" => into.foreign_layout = true,
            // Another function decides at the start of the program which one it is.
            "ifunc" => self.u.unsupported.push("indirect functions".to_owned()),
            _ => {}
        }
        // What is left of the arguments may be anything with balanced parentheses.
        let mut depth = 1usize;
        while depth > 0 {
            match self.tok.kind {
                T::LParen => depth += 1,
                T::RParen => depth -= 1,
                T::Eof | T::Error => {
                    self.close(T::RParen, "')'", open)?;
                }
                _ => {}
            }
            if depth > 0 {
                self.bump();
            }
        }
        self.close(T::RParen, "')'", open)?;
        Ok(())
    }

    /// The type that `mode` and `vector_size` make of `ty`.
    pub(super) fn apply_type_attributes(&mut self, ty: TypeId, attrs: &Attrs) -> TypeId {
        let mut ty = ty;
        if let Some(mode) = &attrs.mode {
            let quals = self.u.types.quals(ty);
            match mode_type(&self.u.types, ty, mode) {
                Some(new) => ty = self.u.types.qualified(new, quals),
                None => self.u.unsupported.push(format!("the machine mode {mode}")),
            }
        }
        if let Some(bytes) = attrs.vector_size {
            let size = self.u.types.size(ty).unwrap_or(1).max(1);
            ty = self.u.types.intern(Type::Vector(ty, bytes / size));
        }
        if attrs.transparent
            && let Some(r) = self.u.types.record(ty)
        {
            self.u.types.records[r].transparent = true;
        }
        ty
    }
}

/// The type of a machine mode, with the sign of `ty`.
fn mode_type(types: &Types, ty: TypeId, mode: &str) -> Option<TypeId> {
    if types.float_kind(ty).is_some() {
        let kind = match mode {
            "HF" => FloatKind::Float16,
            "SF" => FloatKind::Float,
            "DF" => FloatKind::Double,
            "XF" => FloatKind::LongDouble,
            "TF" => FloatKind::Float128,
            _ => return None,
        };
        return Some(match kind {
            FloatKind::Float16 => basic::FLOAT16,
            FloatKind::Float => basic::FLOAT,
            FloatKind::Double => basic::DOUBLE,
            FloatKind::LongDouble => basic::LONGDOUBLE,
            FloatKind::Float128 => basic::FLOAT128,
            FloatKind::Decimal32 => basic::DECIMAL32,
            FloatKind::Decimal64 => basic::DECIMAL64,
            FloatKind::Decimal128 => basic::DECIMAL128,
        });
    }
    let signed = types.int_kind(ty)?.signed();
    let pointer = || types.int_kind(types.size_t()).unwrap_or(IntKind::UInt);
    let kind = match mode {
        "QI" | "byte" => IntKind::Char,
        "HI" => IntKind::Short,
        "SI" => IntKind::Int,
        // gcc takes `long` for 64 bits where it has them.
        "DI" if IntKind::Long.bits(types.target) == 64 => IntKind::Long,
        "DI" => IntKind::LongLong,
        "TI" => IntKind::Int128,
        "word" | "pointer" => pointer(),
        _ => return None,
    };
    Some(Types::int(Types::with_sign(kind, signed)))
}

//! Which types are compatible (C11 6.2.7), their composite, and how types print in messages.

use crate::symbol::Symbols;
use crate::types::{ArrayLen, FloatKind, IntKind, Quals, RecordKind, Signature, Type, TypeId, Types, basic};

impl Types {
    /// Whether two types are compatible, qualifiers included.
    pub(crate) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        self.quals(a) == self.quals(b) && self.compatible_unqualified(a, b)
    }

    /// Whether two types are compatible when their own qualifiers are dropped.
    pub(crate) fn compatible_unqualified(&self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (self.unqualified(a), self.unqualified(b));
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(*x, *y),
            (Type::Array(x, n), Type::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => self.compatible_signatures(f, g),
            (Type::Enum(e), Type::Int(_)) => self.unqualified(self.enums[*e].underlying) == b,
            (Type::Int(_), Type::Enum(e)) => self.unqualified(self.enums[*e].underlying) == a,
            (Type::Vector(x, n), Type::Vector(y, m)) => n == m && self.compatible_unqualified(*x, *y),
            _ => false,
        }
    }

    fn compatible_signatures(&self, f: &Signature, g: &Signature) -> bool {
        if !self.compatible_unqualified(f.ret, g.ret) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(&a, &b)| self.compatible_param(a, b))
            }
            (true, false) => g.params.is_empty() || f.params.len() == g.params.len(),
            (false, true) => f.params.is_empty() || f.params.len() == g.params.len(),
            (false, false) => true,
        }
    }

    /// A parameter of transparent union type is compatible with its members.
    fn compatible_param(&self, a: TypeId, b: TypeId) -> bool {
        let member = |u: TypeId, t: TypeId| {
            self.record(u).is_some_and(|r| {
                let def = &self.records[r];
                def.transparent && def.fields.iter().any(|f| self.compatible_unqualified(f.ty, t))
            })
        };
        self.compatible_unqualified(a, b) || member(a, b) || member(b, a)
    }

    /// The composite of two compatible types: known lengths and prototypes win.
    pub(crate) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        let quals = self.quals(a);
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Array(x, n), Type::Array(y, m)) => {
                let elem = self.composite(x, y);
                let len = match (n, m) {
                    (ArrayLen::Unknown | ArrayLen::Star, len) => len,
                    (ArrayLen::Variable(_), ArrayLen::Fixed(_)) => m,
                    (len, _) => len,
                };
                self.intern(Type::Array(elem, len))
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                let to = self.composite(x, y);
                let p = self.pointer(to);
                self.qualified(p, quals)
            }
            (Type::Function(f), Type::Function(g)) => {
                let ret = self.composite(f.ret, g.ret);
                let sig = match (f.prototype, g.prototype) {
                    (true, true) if f.params.len() == g.params.len() => {
                        let params = f.params.iter().zip(&g.params).map(|(&x, &y)| self.composite(x, y)).collect();
                        Signature { ret, params, ..f }
                    }
                    (false, true) => Signature { ret, ..g },
                    _ => Signature { ret, ..f },
                };
                self.intern(Type::Function(sig))
            }
            _ => a,
        }
    }

    /// The type as C writes it, such as `const char *` or `int (*)[3]`.
    pub fn display(&self, ty: TypeId, symbols: &Symbols) -> String {
        let mut out = String::new();
        self.declare(ty, String::new(), symbols, &mut out);
        out
    }

    /// Writes the declaration of `inner` with type `ty`. The loop goes from the outermost type to the innermost.
    fn declare(&self, mut ty: TypeId, mut inner: String, symbols: &Symbols, out: &mut String) {
        loop {
            let quals = match self.get(ty) {
                Type::Array(..) => Quals::NONE,
                _ => self.quals(ty),
            };
            match self.get(ty) {
                Type::Pointer(to) => {
                    let words = qualifier_words(quals);
                    let star = match (words.is_empty(), inner.is_empty()) {
                        (true, _) => format!("*{inner}"),
                        (false, true) => format!("*{words}"),
                        (false, false) => format!("*{words} {inner}"),
                    };
                    inner = match self.get(*to) {
                        Type::Array(..) | Type::Function(_) => format!("({star})"),
                        _ => star,
                    };
                    ty = *to;
                }
                Type::Array(elem, len) => {
                    let len = match len {
                        ArrayLen::Fixed(n) => n.to_string(),
                        ArrayLen::Unknown => String::new(),
                        ArrayLen::Variable(v) => v.to_string(),
                        ArrayLen::Star => "*".into(),
                    };
                    inner = format!("{inner}[{len}]");
                    ty = *elem;
                }
                Type::Function(sig) => {
                    let mut params: Vec<String> = sig.params.iter().map(|&p| self.display(p, symbols)).collect();
                    if sig.variadic {
                        params.push("...".into());
                    } else if params.is_empty() && sig.prototype {
                        params.push("void".into());
                    }
                    inner = format!("{inner}({})", params.join(", "));
                    ty = sig.ret;
                }
                _ => {
                    let words = qualifier_words(quals);
                    out.push_str(&words);
                    out.push_str(if words.is_empty() { "" } else { " " });
                    out.push_str(&self.base_name(ty, symbols));
                    out.push_str(if inner.is_empty() { "" } else { " " });
                    out.push_str(&inner);
                    return;
                }
            }
        }
    }

    fn base_name(&self, ty: TypeId, symbols: &Symbols) -> String {
        let tagged = |word: &str, tag: Option<crate::symbol::Symbol>| match tag {
            Some(t) => format!("{word} {}", symbols.name(t)),
            None => format!("{word} <anonymous>"),
        };
        match self.get(ty) {
            Type::Void => "void".into(),
            Type::Int(IntKind::Bits { width, signed }) => format!("{}{width}", if *signed { 'i' } else { 'u' }),
            Type::Int(k) => k.c_name().expect("the name of the others says their width").into(),
            Type::Float(k) => match k {
                FloatKind::Float16 => "_Float16".into(),
                FloatKind::Float => "float".into(),
                FloatKind::Double => "double".into(),
                FloatKind::LongDouble => "long double".into(),
                FloatKind::Float128 => "_Float128".into(),
                FloatKind::Decimal32 => "_Decimal32".into(),
                FloatKind::Decimal64 => "_Decimal64".into(),
                FloatKind::Decimal128 => "_Decimal128".into(),
            },
            Type::Complex(t) => format!("_Complex {}", self.display(*t, symbols)),
            Type::Vector(t, n) => format!("vector of {n} {}", self.display(*t, symbols)),
            Type::Record(r) => {
                let def = &self.records[*r];
                let word = match def.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                tagged(word, def.tag)
            }
            Type::Enum(e) => tagged("enum", self.enums[*e].tag),
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => String::new(),
        }
    }

    /// The unsigned or signed sibling of an integer kind.
    pub(crate) fn with_sign(kind: IntKind, signed: bool) -> IntKind {
        match (kind, signed) {
            (IntKind::Char | IntKind::PlainUChar | IntKind::SChar | IntKind::UChar, true) => IntKind::SChar,
            (IntKind::Char | IntKind::PlainUChar | IntKind::SChar | IntKind::UChar, false) => IntKind::UChar,
            (IntKind::Short | IntKind::UShort, true) => IntKind::Short,
            (IntKind::Short | IntKind::UShort, false) => IntKind::UShort,
            (IntKind::Int | IntKind::UInt, true) => IntKind::Int,
            (IntKind::Int | IntKind::UInt, false) => IntKind::UInt,
            (IntKind::Long | IntKind::ULong, true) => IntKind::Long,
            (IntKind::Long | IntKind::ULong, false) => IntKind::ULong,
            (IntKind::LongLong | IntKind::ULongLong, true) => IntKind::LongLong,
            (IntKind::LongLong | IntKind::ULongLong, false) => IntKind::ULongLong,
            (IntKind::Int128 | IntKind::UInt128, true) => IntKind::Int128,
            (IntKind::Int128 | IntKind::UInt128, false) => IntKind::UInt128,
            (IntKind::Bool, _) => IntKind::Bool,
            (IntKind::Bits { width, .. }, signed) => IntKind::Bits { width, signed },
        }
    }

    /// The basic type of an integer kind.
    pub fn int(kind: IntKind) -> TypeId {
        match kind {
            IntKind::Bool => basic::BOOL,
            IntKind::Char | IntKind::PlainUChar => basic::CHAR,
            IntKind::SChar => basic::SCHAR,
            IntKind::UChar => basic::UCHAR,
            IntKind::Short => basic::SHORT,
            IntKind::UShort => basic::USHORT,
            IntKind::Int => basic::INT,
            IntKind::UInt => basic::UINT,
            IntKind::Long => basic::LONG,
            IntKind::ULong => basic::ULONG,
            IntKind::LongLong => basic::LONGLONG,
            IntKind::ULongLong => basic::ULONGLONG,
            IntKind::Int128 => basic::INT128,
            IntKind::UInt128 => basic::UINT128,
            IntKind::Bits { width, signed } => basic::bits(width, signed),
        }
    }
}

fn qualifier_words(quals: Quals) -> String {
    let names = [
        (Quals::CONST, "const"),
        (Quals::VOLATILE, "volatile"),
        (Quals::RESTRICT, "restrict"),
        (Quals::ATOMIC, "_Atomic"),
    ];
    let words: Vec<&str> = names.iter().filter(|(q, _)| quals.has(*q)).map(|(_, w)| *w).collect();
    words.join(" ")
}

impl IntKind {
    /// The name in C; none for the types of bit-fields, whose names say their widths.
    pub fn c_name(self) -> Option<&'static str> {
        Some(match self {
            IntKind::Bool => "_Bool",
            IntKind::Char | IntKind::PlainUChar => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
            IntKind::Bits { .. } => return None,
        })
    }
}

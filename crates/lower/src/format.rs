//! `sprintf` and its kin where the format is known and has only strings, characters and numbers in it (floating ones: [`crate::number_text`]): the text is a few parts, each
//! a copy or a fill, said exactly. An integer's digits are written into an object of their own, the last at its end, so that how
//! many there are only decides where the copy begins.

use crate::call::va_slot;
use crate::fold;
use crate::function::Fun;
use crate::number_text::FloatPiece;
use crate::place::{Lv, unnamed};
use base::Span;
use ir::library::Library;
use ir::{Address, Base, BinOp, Expr, ExprKind, FloatTy, Op, Ty, UnOp, Var};

/// The most conversions of a text.
const MOST: usize = 32;

/// A part of the text that is made.
pub(crate) enum Part {
    /// So many bytes from there.
    Text(Expr, Expr),
    /// So many times a byte.
    Fill(Expr, Expr),
}

impl Part {
    pub(crate) fn length(&self) -> &Expr {
        let (Part::Text(_, n) | Part::Fill(_, n)) = self;
        n
    }
}

/// What a format and its arguments make.
struct Parts {
    parts: Vec<Part>,
    counts: Vec<Count>,
}

/// A `%n`.
struct Count {
    to: Expr,
    ty: Ty,
    /// How many parts come before.
    behind: usize,
}

/// A piece of the format.
pub(crate) struct Piece<'e> {
    pub(crate) minus: bool,
    pub(crate) zero: bool,
    pub(crate) alternative: bool,
    /// `+` or a space.
    pub(crate) sign: Option<u8>,
    pub(crate) width: u64,
    pub(crate) precision: Option<u64>,
    kind: Kind<'e>,
}

enum Kind<'e> {
    /// Bytes of the format itself.
    Plain(u64, u64),
    /// `%s`.
    Text(&'e Expr),
    /// `%c`.
    Char(&'e Expr),
    /// `%n`: how many bytes there were so far go where the argument points.
    Count(&'e Expr, Ty),
    /// An integer of so many bits, in this base.
    Number { arg: &'e Expr, ty: Ty, base: u8, upper: bool },
    /// A floating number.
    Float(FloatPiece<'e>),
}

impl Fun<'_, '_> {
    /// Prints to memory, at most `room` bytes with the zero at the end; gives the length of the whole text. `None` where the
    /// format is not known or has anything else in it.
    pub(crate) fn print_parts(&mut self, dst: &Expr, room: Option<&Expr>, format: &[Expr], span: Span) -> Option<Expr> {
        let Parts { parts, counts } = self.parts(format, span)?;
        let size = self.model().size_ty();
        let room = room.map(|r| {
            let room = fold::convert(size, r.clone(), self.model());
            self.keep_if_memory(room, span)
        });
        // Where the parts end, whatever is written of them.
        let mut ends = vec![self.bytes(0)];
        for part in &parts {
            let end = self.sum([&ends[ends.len() - 1], part.length()].into_iter());
            ends.push(self.kept(end, span));
        }
        let total = ends[parts.len()].clone();
        let (write, join) = (self.graph.loc(), self.graph.loc());
        if let Some(room) = &room {
            self.split(fold::binary(BinOp::Ne, room.clone(), self.bytes(0)), write, join, span);
            self.at(write);
        }
        let last = room.as_ref().map(|r| fold::binary(BinOp::Sub, r.clone(), self.bytes(1)));
        for (part, bounds) in parts.iter().zip(ends.windows(2)) {
            let (at, end) = (self.at_most(&bounds[0], last.as_ref()), self.at_most(&bounds[1], last.as_ref()));
            // Without a limit it is the whole part.
            let n = if last.is_some() { fold::binary(BinOp::Sub, end, at.clone()) } else { part.length().clone() };
            let to = self.plus(dst, &at);
            match part {
                Part::Text(text, _) => self.copy_checked(to, text.clone(), n, span),
                Part::Fill(byte, _) => {
                    self.access_range(&to, &n);
                    self.emit(Op::SetRange { dst: to, value: byte.clone(), len: n }, span);
                }
            }
        }
        let end = self.at_most(&total, last.as_ref());
        self.end_string(self.plus(dst, &end), span);
        self.goto(join, span);
        self.at(join);
        for count in &counts {
            self.store_count(count, ends[count.behind].clone(), span);
        }
        let int = Ty::int(32, true);
        Some(fold::convert(int, total, self.model()))
    }

    /// The length of the text, where it is known how to print it.
    pub(crate) fn printed_length(&mut self, format: &[Expr], span: Span) -> Option<Expr> {
        let Parts { parts, counts } = self.parts(format, span)?;
        let total = self.sum(parts.iter().map(Part::length));
        for count in &counts {
            // Output may have failed before.
            let so_far = self.sum(parts[..count.behind].iter().map(Part::length));
            let (store, join) = (self.graph.loc(), self.graph.loc());
            let goes =
                if self.cx.opts.output { Expr::bool(true) } else { self.outside_value(Ty::Bool, "output", span) };
            self.split(goes, store, join, span);
            self.at(store);
            self.store_count(count, so_far, span);
            self.goto(join, span);
            self.at(join);
        }
        Some(fold::convert(Ty::int(32, true), total, self.model()))
    }

    fn store_count(&mut self, count: &Count, n: Expr, span: Span) {
        let addr = self.pointed(count.to.clone());
        self.access(&addr, count.ty.size(self.model()));
        let n = fold::convert(count.ty, n, self.model());
        self.emit(Op::Assign(unnamed(addr, count.ty), n), span);
    }

    pub(crate) fn sum<'e>(&self, lengths: impl Iterator<Item = &'e Expr>) -> Expr {
        let some = lengths.filter(|n| n.as_const() != Some(0)).cloned();
        some.reduce(|a, b| fold::binary(BinOp::Add, a, b)).unwrap_or(self.bytes(0))
    }

    /// A value that is used more than once, in a variable.
    fn kept(&mut self, value: Expr, span: Span) -> Expr {
        if value.as_const().is_some() { value } else { self.keep(value, span) }
    }

    fn at_most(&self, n: &Expr, most: Option<&Expr>) -> Expr {
        most.map_or_else(|| n.clone(), |most| self.least(n, most))
    }

    /// A format and the arguments that it takes from a list whose next one is at `next`, if the format is known.
    pub(crate) fn listed(&mut self, format: &Expr, next: &Expr, span: Span) -> Option<Vec<Expr>> {
        let types = wanted(&self.known_text(format)?, self.model())?;
        let next = self.keep_if_memory(next.clone(), span);
        let mut all = vec![format.clone()];
        let mut offset = 0;
        for ty in types {
            let at = self.advance(self.pointed(next.clone()), offset as i64);
            let value = self.read(Lv::plain(unnamed(at, ty)), span);
            all.push(self.keep_if_memory(value, span));
            offset += va_slot(ty.size(self.model()));
        }
        Some(all)
    }

    /// The bytes of a text that is a constant of the program.
    pub(crate) fn known_text(&self, pattern: &Expr) -> Option<Vec<u8>> {
        let length = self.literal_length(pattern)?;
        let pattern = self.own_storage(pattern);
        let ExprKind::Addr(Address { base: Base::Var(Var::Global(g)), offset, .. }) = &pattern.kind else {
            return None;
        };
        Some((0..length).map(|i| self.constant_byte(*g, *offset as u64 + i)).collect())
    }

    /// The parts of a text, with lengths that stay what they are while the text is written.
    fn parts(&mut self, format: &[Expr], span: Span) -> Option<Parts> {
        let (pattern, args) = format.split_first()?;
        let text = self.known_text(pattern)?;
        let pieces = pieces(&text, args, self.model()).filter(|p| p.len() <= MOST)?;
        let (mut parts, mut counts) = (Vec::new(), Vec::new());
        for piece in pieces {
            if let Kind::Count(to, ty) = piece.kind {
                let to = self.keep_if_memory(to.clone(), span);
                counts.push(Count { to, ty, behind: parts.len() });
                continue;
            }
            self.piece(&piece, pattern, &mut parts, span);
        }
        Some(Parts { parts, counts })
    }

    fn piece(&mut self, piece: &Piece<'_>, pattern: &Expr, parts: &mut Vec<Part>, span: Span) {
        let own = match &piece.kind {
            Kind::Plain(from, n) => vec![Part::Text(self.plus(pattern, &self.bytes(*from)), self.bytes(*n))],
            Kind::Char(arg) => {
                let byte = fold::convert(Ty::int(8, false), (*arg).clone(), self.model());
                let byte = self.keep_if_memory(byte, span);
                vec![Part::Fill(byte, self.bytes(1))]
            }
            Kind::Text(arg) => {
                let text = if piece.precision == Some(0) { (*arg).clone() } else { self.string_argument(arg) };
                let text = self.keep_if_memory(text, span);
                let n = match piece.precision {
                    Some(most) => self.library_call(Library::Strnlen, &[text.clone(), self.bytes(most)], span),
                    None => self.library_call(Library::Strlen, std::slice::from_ref(&text), span),
                };
                vec![Part::Text(text, n)]
            }
            Kind::Count(..) => return,
            Kind::Float(float) => return self.float_parts(piece, float, parts, span),
            Kind::Number { arg, ty, base, upper } => {
                let value = fold::convert(*ty, (*arg).clone(), self.model());
                let value = self.keep_if_memory(value, span);
                return self.number(piece, &value, *base, *upper, parts, span);
            }
        };
        let n = self.sum(own.iter().map(Part::length));
        let pad = self.missing(piece.width, &n).map(|n| Part::Fill(byte(b' '), n));
        parts.extend(if piece.minus { own.into_iter().chain(pad).collect() } else { joined(pad, own) });
    }

    /// How much is missing to a width, if anything can.
    pub(crate) fn missing(&self, width: u64, n: &Expr) -> Option<Expr> {
        if width == 0 {
            return None;
        }
        let width = self.bytes(width);
        let less = fold::binary(BinOp::Lt, n.clone(), width.clone());
        let missing = fold::ite(less, fold::binary(BinOp::Sub, width, n.clone()), self.bytes(0));
        (missing.as_const() != Some(0)).then_some(missing)
    }

    /// C11 7.21.6.1: sign, prefix, zeroes up to the precision, digits.
    fn number(&mut self, piece: &Piece<'_>, value: &Expr, base: u8, upper: bool, parts: &mut Vec<Part>, span: Span) {
        let Ty::Int(i) = value.ty else { return };
        let (word, zero) = (Ty::int(i.width, false), Expr::constant(value.ty, 0));
        let is_zero = fold::binary(BinOp::Eq, value.clone(), zero.clone());
        let negative = if i.signed { fold::binary(BinOp::Lt, value.clone(), zero) } else { Expr::bool(false) };
        let size = fold::ite(negative.clone(), fold::unary(UnOp::Neg, value.clone()), value.clone());
        let size = fold::convert(word, size, self.model());
        let size = if i.signed { self.kept(size, span) } else { size };
        let choose = |f: &Self, cond: Expr, n: u64, m: u64| fold::ite(cond, f.bytes(n), f.bytes(m));
        let mut count = self.digit_count(&size, base);
        if piece.precision == Some(0) {
            count = fold::ite(is_zero.clone(), self.bytes(0), count);
        }
        let count = self.kept(count, span);
        let mut zeroes = self.missing(piece.precision.unwrap_or(0), &count).unwrap_or(self.bytes(0));
        if base == 8 && piece.alternative {
            let none = fold::binary(BinOp::Eq, zeroes.clone(), self.bytes(0));
            let nothing = fold::binary(BinOp::Eq, count.clone(), self.bytes(0));
            let needed = fold::and(none, fold::or(is_zero.clone().negate(), nothing));
            zeroes = fold::ite(needed, self.bytes(1), zeroes);
        }
        let signs = match (i.signed, piece.sign) {
            (true, Some(_)) => self.bytes(1),
            (true, None) => choose(self, negative.clone(), 1, 0),
            (false, _) => self.bytes(0),
        };
        let prefix = if base == 16 && piece.alternative { choose(self, is_zero, 0, 1) } else { self.bytes(0) };
        let body = self.sum([&signs, &prefix, &prefix, &zeroes, &count].into_iter());
        let body = self.kept(body, span);
        let pad = self.missing(piece.width, &body);
        let fills_with_zero = piece.zero && !piece.minus && piece.precision.is_none();
        if let Some(pad) = pad.clone().filter(|_| fills_with_zero) {
            zeroes = fold::binary(BinOp::Add, zeroes, pad);
        }
        let blanks = pad.filter(|_| !fills_with_zero).map(|n| Part::Fill(byte(b' '), n));
        let sign = fold::ite(negative, byte(b'-'), byte(piece.sign.unwrap_or(b'+')));
        let mut own = vec![Part::Fill(sign, signs)];
        own.extend([Part::Fill(byte(b'0'), prefix.clone()), Part::Fill(byte(if upper { b'X' } else { b'x' }), prefix)]);
        own.extend([Part::Fill(byte(b'0'), zeroes), self.digits(&size, count, base, upper, span)]);
        own.retain(|p| p.length().as_const() != Some(0));
        parts.extend(if piece.minus { own.into_iter().chain(blanks).collect() } else { joined(blanks, own) });
    }

    /// How many digits a number has; zero has one.
    pub(crate) fn digit_count(&self, value: &Expr, base: u8) -> Expr {
        let mut count = self.bytes(1);
        for power in powers(value.ty, base) {
            let longer = fold::binary(BinOp::Ge, value.clone(), Expr::constant(value.ty, power));
            let one = fold::convert(count.ty, longer, self.model());
            count = fold::binary(BinOp::Add, count, one);
        }
        count
    }

    /// The last `count` digits.
    pub(crate) fn digits(&mut self, value: &Expr, count: Expr, base: u8, upper: bool, span: Span) -> Part {
        let powers: Vec<u128> = std::iter::once(1).chain(powers(value.ty, base)).collect();
        let most = powers.len() as u64;
        let object = Address::var(self.temp_object(most, 1, span));
        let small = Ty::int(8, false);
        for (i, power) in powers.iter().enumerate() {
            let shifted = fold::binary(BinOp::Div, value.clone(), Expr::constant(value.ty, *power));
            let digit = fold::binary(BinOp::Rem, shifted, Expr::constant(value.ty, base.into()));
            let digit = fold::convert(small, digit, self.model());
            let plain = fold::binary(BinOp::Add, digit.clone(), byte(b'0'));
            let text = if base > 10 {
                let letter = byte(if upper { b'A' } else { b'a' } - 10);
                let above = fold::binary(BinOp::Add, digit.clone(), letter);
                fold::ite(fold::binary(BinOp::Lt, digit, byte(10)), plain, above)
            } else {
                plain
            };
            let at = self.advance(object.clone(), (most - 1 - i as u64) as i64);
            self.emit(Op::Assign(unnamed(at, small), text), span);
        }
        let from = fold::binary(BinOp::Sub, self.bytes(most), count.clone());
        Part::Text(self.plus(&Expr::addr(object), &from), count)
    }
}

pub(crate) fn byte(b: u8) -> Expr {
    Expr::int(Ty::int(8, false), b.into())
}

pub(crate) fn joined(first: Option<Part>, rest: Vec<Part>) -> Vec<Part> {
    first.into_iter().chain(rest).collect()
}

/// The powers of a base that a type holds, but the first.
fn powers(ty: Ty, base: u8) -> impl Iterator<Item = u128> {
    let most = if let Ty::Int(i) = ty { i.mask() } else { 0 };
    let next = move |p: &u128| p.checked_mul(base.into());
    std::iter::successors(Some(u128::from(base)), next).take_while(move |p| *p <= most)
}

/// The pieces of a format; `None` if one of them is not understood or its argument is of another type.
fn pieces<'e>(text: &[u8], args: &'e [Expr], model: ir::DataModel) -> Option<Vec<Piece<'e>>> {
    let mut args = args.iter();
    let mut pieces = Vec::new();
    let mut i = 0;
    while i < text.len() {
        let begin = i;
        if text[i] == b'%' && text.get(i + 1) != Some(&b'%') {
            let (piece, end) = conversion(text, i + 1, &mut args, model)?;
            // What is stored on the way could be a part of a text that is still to come.
            let counted = pieces.iter().any(|p: &Piece<'_>| matches!(p.kind, Kind::Count(..)));
            if counted && matches!(piece.kind, Kind::Text(_)) {
                return None;
            }
            pieces.push(piece);
            i = end;
            continue;
        }
        // `%%` is its second half, and text up to the next conversion.
        let from = begin + usize::from(text[i] == b'%');
        i = from + 1;
        while i < text.len() && text[i] != b'%' {
            i += 1;
        }
        pieces.push(plain(Kind::Plain(from as u64, (i - from) as u64)));
    }
    Some(pieces)
}

/// The types of the arguments that a format takes.
fn wanted(text: &[u8], model: ir::DataModel) -> Option<Vec<Ty>> {
    // As many arguments of every type as there can be; where one does not fit the next is tried.
    let int = Expr::constant(Ty::int(32, true), 0);
    let long = Expr::constant(Ty::int(64, true), 0);
    let floats = [FloatTy::F64, FloatTy::F80].map(|f| Expr::constant(Ty::Float(f), 0));
    let candidates = [int, long, Expr::null()].into_iter().chain(floats).collect::<Vec<_>>();
    let mut types: Vec<Ty> = Vec::new();
    let mut i = 0;
    while i < text.len() {
        let is_conversion = text[i] == b'%' && text.get(i + 1) != Some(&b'%');
        if !is_conversion {
            i += if text[i] == b'%' { 2 } else { 1 };
            continue;
        }
        let fits = |c: &Expr| conversion(text, i + 1, &mut std::slice::from_ref(c).iter(), model).map(|(_, end)| end);
        let (ty, end) = candidates.iter().find_map(|c| Some((c.ty, fits(c)?)))?;
        types.push(ty);
        i = end;
    }
    Some(types)
}

fn plain(kind: Kind<'_>) -> Piece<'_> {
    Piece { minus: false, zero: false, alternative: false, sign: None, width: 0, precision: None, kind }
}

/// A conversion behind its `%`, and where it ends.
fn conversion<'e>(
    text: &[u8],
    mut i: usize,
    args: &mut std::slice::Iter<'e, Expr>,
    model: ir::DataModel,
) -> Option<(Piece<'e>, usize)> {
    let mut piece = plain(Kind::Plain(0, 0));
    let begin = i - 1;
    loop {
        match text.get(i)? {
            b'-' => piece.minus = true,
            b'0' => piece.zero = true,
            b'#' => piece.alternative = true,
            b'+' => piece.sign = Some(b'+'),
            b' ' => piece.sign = piece.sign.or(Some(b' ')),
            _ => break,
        }
        i += 1;
    }
    let decimal = |i: &mut usize| {
        let from = *i;
        while text.get(*i).is_some_and(u8::is_ascii_digit) {
            *i += 1;
        }
        let digits = std::str::from_utf8(&text[from..*i]).ok()?;
        if digits.is_empty() { Some(0) } else { digits.parse::<u64>().ok().filter(|n| *n <= 1 << 20) }
    };
    piece.width = decimal(&mut i)?;
    if text.get(i) == Some(&b'.') {
        i += 1;
        piece.precision = Some(decimal(&mut i)?);
    }
    if let Some(kind) = float_conversion(&text[begin..], i - begin, args.as_slice().first()) {
        args.next();
        let end = begin + kind.text.len();
        piece.kind = Kind::Float(kind);
        return Some((piece, end));
    }
    let rest = &text[i..];
    let lengths: [(&[u8], u16, u16); 7] = [
        (b"hh", 32, 8),
        (b"h", 32, 16),
        (b"ll", 64, 64),
        (b"l", model.ptr_width(), model.ptr_width()),
        (b"j", 64, 64),
        (b"z", model.ptr_width(), model.ptr_width()),
        (b"t", model.ptr_width(), model.ptr_width()),
    ];
    let length = lengths.iter().find(|(name, ..)| rest.starts_with(name));
    let (skip, passed, width) = length.map_or((0, 32, 32), |&(name, passed, width)| (name.len(), passed, width));
    i += skip;
    let letter = *text.get(i)?;
    let arg = args.next()?;
    let integer = |signed| {
        let fits = matches!(arg.ty, Ty::Int(a) if a.width == passed);
        fits.then_some(Ty::int(width, signed))
    };
    let number = |signed, base, upper| Some(Kind::Number { arg, ty: integer(signed)?, base, upper });
    piece.kind = match letter {
        b'd' | b'i' => number(true, 10, false)?,
        b'u' => number(false, 10, false)?,
        b'x' => number(false, 16, false)?,
        b'X' => number(false, 16, true)?,
        b'o' => number(false, 8, false)?,
        b'c' if skip == 0 => integer(true).map(|_| Kind::Char(arg))?,
        b's' if skip == 0 && arg.ty == Ty::Ptr => Kind::Text(arg),
        b'n' if arg.ty == Ty::Ptr && piece.width == 0 && piece.precision.is_none() => {
            Kind::Count(arg, Ty::int(width, true))
        }
        _ => return None,
    };
    Some((piece, i + 1))
}

/// A floating conversion whose flags end at `i`.
fn float_conversion<'e>(text: &[u8], i: usize, arg: Option<&'e Expr>) -> Option<FloatPiece<'e>> {
    let (float, skip) = match text.get(i)? {
        b'L' => (FloatTy::F80, 1),
        b'l' => (FloatTy::F64, 1),
        _ => (FloatTy::F64, 0),
    };
    let letter = text.get(i + skip)?.to_ascii_lowercase();
    let arg = arg.filter(|a| b"fega".contains(&letter) && a.ty == Ty::Float(float))?;
    Some(FloatPiece { arg, letter, text: text[..=i + skip].to_vec() })
}

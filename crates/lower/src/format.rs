//! `sprintf` and its kin where the format only puts texts together: `"%s: %s"` is a few copies, said exactly.

use crate::fold;
use crate::function::Fun;
use base::Span;
use ir::library::Library;
use ir::{BinOp, Expr, ExprKind, Ty};

/// The most parts of a text.
const MOST: usize = 16;

/// A part of the text that is made: where it is and how long.
struct Part {
    text: Expr,
    length: Expr,
}

impl Fun<'_, '_> {
    /// Prints texts to memory, at most `room` bytes of them with the zero at the end; gives the length of the whole text. `None`
    /// where the format has anything else in it.
    pub(crate) fn print_texts(&mut self, dst: &Expr, room: Option<&Expr>, format: &[Expr], span: Span) -> Option<Expr> {
        let parts = self.parts(format, span)?;
        let size = self.model().size_ty();
        let room = room.map(|r| {
            let room = fold::convert(size, r.clone(), self.model());
            self.keep_if_memory(room, span)
        });
        let (write, join) = (self.graph.loc(), self.graph.loc());
        if let Some(room) = &room {
            self.split(fold::binary(BinOp::Ne, room.clone(), self.bytes(0)), write, join, span);
            self.at(write);
        }
        let last = room.as_ref().map(|r| fold::binary(BinOp::Sub, r.clone(), self.bytes(1)));
        let mut total = self.bytes(0);
        for part in &parts {
            let at = self.at_most(&total, last.as_ref());
            total = fold::binary(BinOp::Add, total, part.length.clone());
            let end = self.at_most(&total, last.as_ref());
            let n = fold::binary(BinOp::Sub, end, at.clone());
            self.copy_checked(self.plus(dst, &at), part.text.clone(), n, span);
        }
        let end = self.at_most(&total, last.as_ref());
        self.end_string(self.plus(dst, &end), span);
        self.goto(join, span);
        self.at(join);
        let int = Ty::int(32, true);
        Some(fold::convert(int, total, self.model()))
    }

    fn at_most(&self, n: &Expr, most: Option<&Expr>) -> Expr {
        most.map_or_else(|| n.clone(), |most| self.least(n, most))
    }

    /// The parts of a text, with lengths that stay what they are while the text is written.
    fn parts(&mut self, format: &[Expr], span: Span) -> Option<Vec<Part>> {
        let (pattern, args) = format.split_first()?;
        let length = self.literal_length(pattern)?;
        let ExprKind::Addr(ir::Address { base: ir::Base::Var(ir::Var::Global(g)), offset, .. }) = &pattern.kind else {
            return None;
        };
        let text: Vec<u8> = (0..length).map(|i| self.constant_byte(*g, *offset as u64 + i)).collect();
        let mut args = args.iter();
        let mut wanted: Vec<(Option<&Expr>, u64, u64)> = Vec::new();
        let mut i = 0;
        while i < text.len() {
            let begin = i;
            if text[i] == b'%' {
                match text.get(i + 1)? {
                    b's' => wanted.push((Some(args.next().filter(|a| a.ty == Ty::Ptr)?), 0, 0)),
                    b'%' => wanted.push((None, i as u64, 1)),
                    _ => return None,
                }
                i += 2;
            } else {
                while i < text.len() && text[i] != b'%' {
                    i += 1;
                }
                wanted.push((None, begin as u64, (i - begin) as u64));
            }
        }
        if wanted.len() > MOST {
            return None;
        }
        let parts = wanted.into_iter().map(|(arg, from, n)| match arg {
            None => Part { text: self.plus(pattern, &self.bytes(from)), length: self.bytes(n) },
            Some(arg) => {
                let text = self.string_argument(arg);
                let text = self.keep_if_memory(text, span);
                let length = self.library_call(Library::Strlen, std::slice::from_ref(&text), span);
                Part { text, length }
            }
        });
        Some(parts.collect())
    }
}

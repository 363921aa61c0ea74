//! Words that lie in memory as bytes. Where a region is accessed with several sizes, its map has bytes (`pointsto`'s
//! regions), a word of it is a concatenation of reads, and an equation of words falls apart into one equation for each
//! byte. The program speaks of words; so do predicates. [`words`] puts the equations of neighbouring bytes together again.

use logic::{Node, Store, Term};

/// An equation of a byte of something: of memory behind an address, or of a value.
struct Byte {
    /// The map or the value, and the address without its constant.
    of: (Term, Option<Term>),
    /// Which byte.
    offset: u64,
    term: Term,
    with: Term,
}

/// What an address is a constant behind, and that constant.
pub(crate) fn parts(store: &Store, at: Term) -> Option<(Option<Term>, u64)> {
    if let Some(c) = store.constant_of(at) {
        return Some((None, c.to_u64()?));
    }
    if let Node::Bin(logic::BinOp::Add, a, b) = store.node(at) {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(c) = store.constant_of(y) {
                return Some((Some(x), c.to_u64()?));
            }
        }
    }
    Some((Some(at), 0))
}

/// The map and the address of a read of one byte.
pub(crate) fn byte_read(store: &Store, t: Term) -> Option<(Term, Term)> {
    match store.node(t) {
        Node::Select(map, at) if store.width(t) == 8 => Some((map, at)),
        _ => None,
    }
}

/// Separates the equations of bytes that make up words, put together, from the other atoms.
pub(crate) fn words(store: &mut Store, atoms: Vec<Term>) -> (Vec<(Term, Term)>, Vec<Term>) {
    let mut bytes: Vec<Byte> = Vec::new();
    let mut rest = Vec::new();
    for atom in atoms {
        match byte_of(store, atom) {
            Some(byte) => bytes.push(byte),
            None => rest.push(atom),
        }
    }
    bytes.sort_by_key(|b| (b.of, b.offset));
    let mut words = Vec::new();
    let mut left = bytes.as_slice();
    while let Some(first) = left.first() {
        let follows = |(i, b): &(usize, &Byte)| (b.of, b.offset) == (first.of, first.offset.wrapping_add(*i as u64));
        let run = left.iter().enumerate().take_while(follows).count();
        // A word that is not all there is begins where its size says.
        let fits = |n: &usize| *n == run || *n < run && first.offset % (*n as u64) == 0;
        let n = [8, 4, 2, 1].into_iter().find(fits).expect("one byte always fits");
        let (word, next) = left.split_at(n);
        let mut joined = |part: fn(&Byte) -> Term| {
            let parts = word.iter().rev().map(part);
            parts.reduce(|high, low| store.concat(high, low)).expect("a word has bytes")
        };
        words.push((joined(|b| b.term), joined(|b| b.with)));
        left = next;
    }
    (words, rest)
}

fn byte_of(store: &Store, atom: Term) -> Option<Byte> {
    let Node::Eq(a, b) = store.node(atom) else { return None };
    if store.sort(a) != logic::Sort::Bv(8) {
        return None;
    }
    let (term, with) = if store.is_const(a) { (b, a) } else { (a, b) };
    let (of, offset) = match store.node(term) {
        Node::Select(map, at) => {
            let (base, offset) = parts(store, at)?;
            ((map, base), offset)
        }
        Node::Extract { lo, arg, .. } if lo % 8 == 0 => ((arg, None), u64::from(lo / 8)),
        _ => return None,
    };
    Some(Byte { of, offset, term, with })
}

//! Strings in logic: what `strlen` and its kin say about all the bytes of a range.
//!
//! `n = strlen(p)` says that the byte at `p + n` is zero and that none of those before it is. The second part is about as many
//! bytes as the string has, so it is kept aside as a [`Range`] and put in for the addresses that the formula speaks of: every
//! address that is read or written in the same memory, before the call or after it. For statements of this shape that is
//! complete (Bradley, Manna and Sipma, *What's Decidable About Arrays?*, VMCAI 2006): what no address in the formula can
//! see makes no difference.
//!
//! Each call has a truth value of its own, `holds`, which the step assumes; all that is said about the call is said under
//! it and comes along with it ([`logic::Store::attach`]). So nothing is claimed of calls that are not made, and the order
//! in which addresses turn up does not matter.
//!
//! Invariant: with `holds` true and the lengths that a run has, all that is said is true of the run's memory. This
//! needs that all bytes of the range lie in one region of single bytes; elsewhere nothing is said.

use crate::bounds::within;
use crate::state::State;
use crate::step::{AssumptionId, Cause, Effects, Encoder};
use analysis::Analysis;
use ir::library::Library;
use ir::{Call, Callee, Expr, FuncId};
use logic::{Sort, Term};
use pointsto::{RegionId, Width};
use rustc_hash::FxHashMap;

/// The most addresses of a region that ranges are put in for.
const MOST_ADDRESSES: usize = 24;
/// The most ranges of an encoder.
const MOST_RANGES: usize = 64;
/// Strings in objects of at most so many bytes are looked at byte by byte.
const MOST_SCANNED: u64 = 64;
/// Choices between addresses that are looked into for one string.
const MOST_CHOICES: usize = 32;
/// How many of the first bytes of a range are spoken of in any case, openly, so that refinement sees them.
const OPEN: u64 = 8;

/// What is known in an encoder of ranges of bytes.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    ranges: Vec<Range>,
    addresses: FxHashMap<RegionId, Vec<Term>>,
}

/// All bytes of a range are alike in some way.
#[derive(Clone, Debug)]
struct Range {
    holds: Term,
    region: RegionId,
    map: Term,
    start: Term,
    length: Term,
    claim: Claim,
}

#[derive(Clone, Debug)]
enum Claim {
    /// None of them has one of these values.
    Avoids(Vec<Term>),
    /// They are those of another range, and none is zero if so said.
    Equals { map: Term, start: Term, nonzero: bool },
}

/// A string argument: its bytes, all of which lie in one region.
#[derive(Clone, Copy)]
struct CString {
    region: RegionId,
    map: Term,
    start: Term,
}

/// Whether what a call of a library function says in logic is all that C says about it.
pub fn is_exact(analysis: &Analysis<'_>, func: FuncId, call: &Call) -> bool {
    let Callee::Direct(callee) = call.callee else { return false };
    let Some(lib) = Library::of(&analysis.program.functions[callee]) else { return false };
    let strings = lib.string_arguments();
    lib.is_exact() || strings > 0 && call.args[..strings].iter().all(|a| analysis.string_region(func, a).is_some())
}

impl Encoder<'_> {
    /// What a call of a library function with this result says.
    pub(crate) fn library_says(
        &mut self,
        state: &State,
        lib: Library,
        call: &Call,
        result: Term,
        effects: &mut Effects,
    ) -> Option<()> {
        let n = lib.string_arguments();
        if n == 0 || self.strings.ranges.len() >= MOST_RANGES {
            return None;
        }
        let mut strings = Vec::new();
        for arg in &call.args[..n] {
            let region = self.analysis.string_region(state.func(), arg)?;
            let start = self.eval(state, arg).ok()?;
            strings.push(CString { region, map: self.map(state, region).ok()?, start });
        }
        let mut values = Vec::new();
        for arg in &call.args[n..] {
            values.push(self.eval(state, arg).ok()?);
        }
        let holds = self.store.fresh("text", Sort::Bool);
        let says = match strings[..] {
            [string] => self.one_string(lib, string, &values, result, holds),
            [a, b] => self.two_strings(lib, a, b, &values, result, holds),
            _ => return None,
        };
        let claims = std::iter::once(holds).chain(says);
        for (i, term) in claims.enumerate() {
            effects.assume(AssumptionId::Library(i), Cause::Branch, term);
        }
        Some(())
    }

    /// The length of a string that lies in objects of a few bytes, found byte by byte: where it does not end in them, the length is
    /// `otherwise`.
    pub(crate) fn scanned_length(&mut self, state: &State, arg: &Expr, otherwise: Term) -> Option<Term> {
        let region = self.analysis.string_region(state.func(), arg)?;
        let start = self.eval(state, arg).ok()?;
        let string = CString { region, map: self.map(state, region).ok()?, start };
        self.scan(string, otherwise, &mut { MOST_CHOICES })
    }

    fn scan(&mut self, string: CString, otherwise: Term, left: &mut usize) -> Option<Term> {
        if self.store.small(string.start) == Some(0) {
            return Some(otherwise);
        }
        let Some(base) = self.store.base_of(string.start) else {
            *left = left.checked_sub(1)?;
            let (cond, x, y) = self.store.split_address(string.start)?;
            let x = self.scan(CString { start: x, ..string }, otherwise, left)?;
            let y = self.scan(CString { start: y, ..string }, otherwise, left)?;
            return Some(self.store.ite(cond, x, y));
        };
        let object = self.objects.iter().find(|k| k.base == base)?.object;
        let size = self.size_of(object).filter(|&n| n <= MOST_SCANNED)?;
        let first = self.store.bv_sub(string.start, base);
        let (width, zero) = (self.store.width(otherwise), self.store.bv(8, 0));
        let (end, mut length) = (self.store.bv(width, size), otherwise);
        for i in (0..size.saturating_sub(self.store.range(first).lo)).rev() {
            let i = self.store.bv(width, i);
            let offset = self.store.bv_add(first, i);
            let inside = self.store.ult(offset, end);
            let offset = within(&mut self.store, offset, logic::Range { lo: 0, hi: size - 1 });
            let at = self.store.bv_add(base, offset);
            let byte = self.store.select(string.map, at);
            let ends = self.store.eq(byte, zero);
            length = self.store.ite(ends, i, length);
            length = self.store.ite(inside, length, otherwise);
        }
        Some(length)
    }

    /// The functions on one string.
    fn one_string(&mut self, lib: Library, string: CString, values: &[Term], result: Term, holds: Term) -> Vec<Term> {
        let zero_byte = self.store.bv(8, 0);
        let wanted = values.first().map(|&c| self.store.extract(c, 7, 0)).unwrap_or(zero_byte);
        let none = self.is_zero(result);
        if lib == Library::Strrchr {
            return self.last_in_string(string, wanted, result, holds);
        }
        let (length, avoids, end) = match lib {
            Library::Strlen => {
                let end = self.byte_is(string, result, zero_byte);
                (result, vec![zero_byte], end)
            }
            Library::Strnlen => {
                let (all, end) = (self.store.eq(result, values[0]), self.byte_is(string, result, zero_byte));
                (result, vec![zero_byte], self.store.or(all, end))
            }
            Library::Memchr => {
                let (at, n) = (self.store.bv_sub(result, string.start), values[1]);
                let (inside, found) = (self.store.ult(at, n), self.byte_is(string, at, wanted));
                let found = self.store.and(inside, found);
                (self.store.ite(none, n, at), vec![wanted], self.store.or(none, found))
            }
            _ => {
                let length = self.fresh_length();
                let at = self.store.bv_add(string.start, length);
                let (found, ended) = (self.byte_is(string, length, wanted), self.byte_is(string, length, zero_byte));
                let (there, nowhere) = (self.store.eq(result, at), self.store.and(ended, none));
                (length, vec![zero_byte, wanted], self.store.ite(found, there, nowhere))
            }
        };
        let CString { region, map, start } = string;
        let range = Range { holds, region, map, start, length, claim: Claim::Avoids(avoids) };
        let mut says = vec![end];
        says.extend(self.opening(&range));
        self.keep_range(&range);
        says
    }

    /// `strrchr`: the string ends somewhere, and from behind the byte that is found to the end, which is part of it, there is no other;
    /// if none is found, there is none from its start.
    fn last_in_string(&mut self, string: CString, wanted: Term, result: Term, holds: Term) -> Vec<Term> {
        let CString { region, map, start } = string;
        let zero_byte = self.store.bv(8, 0);
        let none = self.is_zero(result);
        let length = self.fresh_length();
        let ended = self.byte_is(string, length, zero_byte);
        let at = self.store.bv_sub(result, start);
        let beyond = self.store.ult(length, at);
        let (inside, hit) = (self.store.not(beyond), self.byte_is(string, at, wanted));
        let found = self.store.and(inside, hit);
        let found = self.store.or(none, found);
        let one = self.store.bv(self.store.width(length), 1);
        let (all, rest) = (self.store.bv_add(length, one), self.store.bv_sub(length, at));
        let behind = self.store.bv_add(result, one);
        let (from, count) = (self.store.ite(none, start, behind), self.store.ite(none, all, rest));
        let mut says = vec![ended, found];
        for (start, length, avoided) in [(start, length, zero_byte), (from, count, wanted)] {
            let claim = Claim::Avoids(vec![avoided]);
            let range = Range { holds, region, map, start, length, claim };
            says.extend(self.opening(&range));
            self.keep_range(&range);
        }
        says
    }

    /// Comparisons.
    fn two_strings(
        &mut self,
        lib: Library,
        a: CString,
        b: CString,
        values: &[Term],
        result: Term,
        holds: Term,
    ) -> Vec<Term> {
        let length = self.fresh_length();
        let (x, y) = (self.byte(a, length), self.byte(b, length));
        let zero = self.store.bv(self.store.width(result), 0);
        let (less, greater) = (self.store.ult(x, y), self.store.ult(y, x));
        let (negative, positive) = (self.store.slt(result, zero), self.store.slt(zero, result));
        let (below, above) = (self.store.eq(negative, less), self.store.eq(positive, greater));
        let same = self.store.eq(x, y);
        let mut ends = self.store.not(same);
        let nonzero = lib != Library::Memcmp;
        if nonzero {
            let zero_byte = self.store.bv(8, 0);
            let end = self.store.eq(x, zero_byte);
            ends = self.store.or(ends, end);
        }
        let signs = self.store.and(below, above);
        let mut end = self.store.and(ends, signs);
        if let Some(&n) = values.first() {
            let (inside, all) = (self.store.ult(length, n), self.store.eq(length, n));
            let equal = self.store.eq(result, zero);
            let (differ, same) = (self.store.and(inside, end), self.store.and(all, equal));
            end = self.store.or(differ, same);
        }
        let mut says = vec![end];
        for (one, other) in [(a, b), (b, a)] {
            let claim = Claim::Equals { map: other.map, start: other.start, nonzero };
            let range = Range { holds, region: one.region, map: one.map, start: one.start, length, claim };
            if says.len() == 1 {
                says.extend(self.opening(&range));
            }
            self.keep_range(&range);
        }
        says
    }

    /// What a range says about its first bytes.
    fn opening(&mut self, range: &Range) -> Vec<Term> {
        let width = self.store.width(range.start);
        let mut says = Vec::new();
        for i in 0..OPEN {
            let offset = self.store.bv(width, i);
            let at = self.store.bv_add(range.start, offset);
            says.push(self.at(range, at));
        }
        says
    }

    /// What a range says about one address.
    fn at(&mut self, range: &Range, at: Term) -> Term {
        let offset = self.store.bv_sub(at, range.start);
        let inside = self.store.ult(offset, range.length);
        let byte = self.store.select(range.map, at);
        let mut claim = self.store.bool(true);
        let mut avoid = |enc: &mut Self, value| {
            let hit = enc.store.eq(byte, value);
            let miss = enc.store.not(hit);
            claim = enc.store.and(claim, miss);
        };
        match &range.claim {
            Claim::Avoids(values) => values.iter().for_each(|&v| avoid(self, v)),
            Claim::Equals { map, start, nonzero } => {
                if *nonzero {
                    let zero = self.store.bv(8, 0);
                    avoid(self, zero);
                }
                let other_at = self.store.bv_add(*start, offset);
                let other = self.store.select(*map, other_at);
                let same = self.store.eq(byte, other);
                claim = self.store.and(claim, same);
            }
        }
        self.store.implies(inside, claim)
    }

    fn attach_at(&mut self, range: &Range, at: Term) {
        let says = self.at(range, at);
        let says = self.store.implies(range.holds, says);
        self.store.attach(range.holds, says);
    }

    fn keep_range(&mut self, range: &Range) {
        for at in self.strings.addresses.get(&range.region).cloned().unwrap_or_default() {
            self.attach_at(range, at);
        }
        // Where one string ends, others may not go on.
        let end = self.store.bv_add(range.start, range.length);
        self.strings.ranges.push(range.clone());
        self.note_address(range.region, end);
    }

    /// An address of a region of single bytes is spoken of.
    pub(crate) fn note_address(&mut self, region: RegionId, at: Term) {
        if !matches!(self.analysis.regions.all[region].width, Width::Byte | Width::Word(1)) {
            return;
        }
        let known = self.strings.addresses.entry(region).or_default();
        if known.len() >= MOST_ADDRESSES || known.contains(&at) {
            return;
        }
        known.push(at);
        let ranges: Vec<Range> = self.strings.ranges.iter().filter(|r| r.region == region).cloned().collect();
        for range in ranges {
            self.attach_at(&range, at);
        }
    }

    fn byte(&mut self, string: CString, offset: Term) -> Term {
        let at = self.store.bv_add(string.start, offset);
        self.store.select(string.map, at)
    }

    fn byte_is(&mut self, string: CString, offset: Term, value: Term) -> Term {
        let byte = self.byte(string, offset);
        self.store.eq(byte, value)
    }

    fn is_zero(&mut self, t: Term) -> Term {
        let zero = self.store.bv(self.store.width(t), 0);
        self.store.eq(t, zero)
    }

    fn fresh_length(&mut self) -> Term {
        let width = u32::from(self.program.model.ptr_width());
        self.store.fresh("length", Sort::Bv(width))
    }
}

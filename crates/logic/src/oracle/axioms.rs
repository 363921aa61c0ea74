//! The axioms that come with symbols, exhaustively at small widths: whatever the values of all other symbols, there are
//! values of the symbols with axioms that satisfy all of them; and what rewriting makes of addresses is right wherever the
//! axioms hold.

use base::rng::Rng;

use super::terms::Coverage;
use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, Value};
use crate::objects::Space;
use crate::rewrite::Rule;
use crate::store::Store;
use crate::term::{Sort, Symbol, Term};

/// A few objects with axioms among them, and the symbols that have none.
struct Scene {
    store: Store,
    width: u32,
    /// Bit-vectors that may have any value.
    free: Vec<Symbol>,
    /// The symbols that say whether objects exist, with the value that says no.
    literals: Vec<(Symbol, bool)>,
    bases: Vec<Symbol>,
    axioms: Vec<Axiom>,
    /// Equations of addresses as the store made them, with both sides.
    equations: Vec<(Term, Term, Term)>,
    /// Orders of addresses, likewise.
    orders: Vec<(Term, Term, Term)>,
    /// Choices between addresses, with condition and sides.
    choices: Vec<(Term, [Term; 3])>,
    /// Reads as the store made them, with map and address.
    reads: Vec<(Term, Term, Term)>,
}

/// A axiom, and how many of the bases must have values before it has one.
struct Axiom {
    term: Term,
    needs: usize,
}

impl Scene {
    fn random(rng: &mut Rng) -> Scene {
        let width = 6 + rng.below(3) as u32;
        let mut store = Store::new();
        if rng.chance(67) {
            let first = 1 + rng.below(8);
            store.set_space(Space { first, end: first + 20 + rng.below((1 << width) - 32) });
        }
        // At 8 bits all values of two symbols are too many.
        let n_free = if width == 8 { 1 } else { 1 + rng.below(2) };
        let free: Vec<Term> = (0..n_free).map(|i| store.symbol(&format!("x{i}"), Sort::Bv(width))).collect();
        let (mut bases, mut literals) = (Vec::new(), Vec::new());
        for i in 0..2 + rng.below(3) {
            let literal = store.symbol(&format!("exists{i}"), Sort::Bool);
            let negative = rng.chance(50);
            let exists = if negative { store.not(literal) } else { literal };
            literals.push((store.as_symbol(literal).expect("a symbol"), negative));
            let (size, exists) = size(&mut store, rng, width, &free, exists);
            bases.push(store.object("object", size, 1 << rng.below(3), exists));
        }
        let mut scene = Scene {
            width,
            free: free.iter().map(|&t| store.as_symbol(t).expect("a symbol")).collect(),
            literals,
            bases: bases.iter().map(|&t| store.as_symbol(t).expect("a symbol")).collect(),
            store,
            axioms: Vec::new(),
            equations: Vec::new(),
            orders: Vec::new(),
            choices: Vec::new(),
            reads: Vec::new(),
        };
        scene.relate(rng, &bases, &free);
        scene.compare(rng, &bases, &free);
        scene.collect();
        scene
    }

    /// Tells objects apart, and addresses to lie outside; then asks whether addresses are equal.
    fn relate(&mut self, rng: &mut Rng, bases: &[Term], free: &[Term]) {
        for _ in 0..rng.below(12) {
            let (a, b) = (*rng.pick(bases), *rng.pick(bases));
            match rng.below(3) {
                0 => {
                    let x = *rng.pick(free);
                    let address = self.moved(rng, x);
                    self.store.outside(a, address);
                }
                1 if a != b => {
                    let address = self.moved(rng, b);
                    self.store.outside(a, address);
                }
                _ => self.store.disjoint(a, b),
            }
        }
        for _ in 0..8 {
            let (a, b) = (*rng.pick(bases), if rng.chance(75) { *rng.pick(bases) } else { *rng.pick(free) });
            let (a, b) = (self.moved(rng, a), self.moved(rng, b));
            let equal = self.store.eq(a, b);
            self.equations.push((equal, a, b));
        }
    }

    fn moved(&mut self, rng: &mut Rng, t: Term) -> Term {
        let by = self.store.bv(self.width, rng.below(4));
        self.store.bv_add(t, by)
    }

    /// Compares and reads at addresses whose offsets are not constant, too.
    fn compare(&mut self, rng: &mut Rng, bases: &[Term], free: &[Term]) {
        let mut places = Vec::new();
        for _ in 0..12 {
            let base = *rng.pick(bases);
            let offset = self.offset(rng, free);
            let mut place = self.store.bv_add(base, offset);
            if rng.chance(40) && !places.is_empty() {
                let (cond, other) = (self.condition(rng, free), *rng.pick(&places));
                let choice = self.store.ite(cond, place, other);
                self.choices.push((choice, [cond, place, other]));
                place = if rng.chance(30) { self.moved(rng, choice) } else { choice };
            }
            places.push(place);
        }
        let mut map = self.store.symbol("m", Sort::Map { addr: self.width, value: 8 });
        for i in 0..14 {
            let (a, b) = (*rng.pick(&places), if rng.chance(90) { *rng.pick(&places) } else { *rng.pick(free) });
            let (equal, less) = (self.store.eq(a, b), self.store.ult(a, b));
            self.equations.push((equal, a, b));
            self.orders.push((less, a, b));
            let value = self.store.bv(8, 1 + i);
            map = match rng.below(4) {
                0 => {
                    let n = self.store.bv(self.width, rng.below(6));
                    self.store.set_range(map, *rng.pick(bases), n, value)
                }
                1 => self.store.store(map, a, value),
                _ => {
                    let base = *rng.pick(bases);
                    let at = self.moved(rng, base);
                    self.store.store(map, at, value)
                }
            };
            let read = self.store.select(map, b);
            self.reads.push((read, map, b));
        }
    }

    fn condition(&mut self, rng: &mut Rng, free: &[Term]) -> Term {
        let bound = self.store.bv(self.width, rng.below(1 << self.width));
        self.store.ult(*rng.pick(free), bound)
    }

    /// What may be added to an address: mostly something small.
    fn offset(&mut self, rng: &mut Rng, free: &[Term]) -> Term {
        let (x, width) = (*rng.pick(free), self.width);
        let low = self.store.extract(x, rng.below(3) as u32, 0);
        let small = self.store.zero_ext(low, width);
        match rng.below(6) {
            0 => self.store.bv(width, rng.below(6)),
            1 => self.store.bv_signed(width, -(rng.below(3) as i64)),
            2 => {
                let two = self.store.bv(width, 1 << rng.below(2));
                self.store.bv_mul(small, two)
            }
            3 => {
                let most = self.store.bv(width, 3 + rng.below(5));
                self.store.bv_sub(most, small)
            }
            4 if rng.chance(20) => x,
            _ => small,
        }
    }

    /// Everything that was rewritten, against its parts.
    fn agree(&self, evaluator: &mut Evaluator<'_>) -> Result<(), String> {
        for &(equal, a, b) in &self.equations {
            let (a, b) = (evaluator.eval(a), evaluator.eval(b));
            if evaluator.eval(equal).as_bool() != (a == b) {
                return Err(format!("axioms: {a:?} == {b:?} was rewritten wrongly"));
            }
        }
        for &(less, a, b) in &self.orders {
            let (a, b) = (evaluator.eval(a), evaluator.eval(b));
            if evaluator.eval(less).as_bool() != a.as_bits().ult(b.as_bits()) {
                return Err(format!("axioms: {a:?} < {b:?} was rewritten wrongly"));
            }
        }
        for &(choice, [cond, x, y]) in &self.choices {
            let chosen = if evaluator.eval(cond).as_bool() { x } else { y };
            if evaluator.eval(choice) != evaluator.eval(chosen) {
                return Err(format!("axioms: the choice {choice} was rewritten wrongly"));
            }
        }
        for &(read, map, at) in &self.reads {
            let at = evaluator.eval(at);
            let cell = evaluator.read(map, at.as_bits());
            if *evaluator.eval(read).as_bits() != cell {
                return Err(format!("axioms: a read at {at:?} was rewritten wrongly"));
            }
        }
        Ok(())
    }

    fn collect(&mut self) {
        let literals = self.literals.iter().map(|(s, _)| *s);
        let mut symbols: Vec<Symbol> = self.bases.iter().copied().chain(literals).collect();
        symbols.sort_unstable();
        for term in self.store.object_axioms(&symbols) {
            let used = self.store.symbols_of(&[term]);
            let needs = self.bases.iter().rposition(|b| used.contains(b)).map_or(0, |i| i + 1);
            self.axioms.push(Axiom { term, needs });
        }
    }

    /// Values for the bases from the `n`th on that satisfy all axioms; looked for in so many tries.
    fn place(&self, rng: &mut Rng, with: &mut Assignment, n: usize, tries: &mut u64) -> bool {
        let mut evaluator = Evaluator::new(&self.store, with);
        if !self.axioms.iter().filter(|f| f.needs == n).all(|f| evaluator.eval(f.term).as_bool()) {
            return false;
        }
        let Some(&base) = self.bases.get(n) else { return true };
        let (all, start) = (1u64 << self.width, rng.bits());
        (0..all).any(|i| {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            with.set(base, Value::Bits(Bits::new(self.width, start.wrapping_add(i) % all)));
            self.place(rng, with, n + 1, tries)
        })
    }

    /// Some values of all symbols with axioms, for these of the others.
    fn satisfy(&self, rng: &mut Rng, with: &mut Assignment) -> bool {
        // First with some of the objects, which may be too many; then with none.
        [500, u64::MAX].into_iter().any(|mut tries| {
            for &(literal, none) in &self.literals {
                with.set(literal, Value::Bool(none != (tries < u64::MAX && rng.chance(50))));
            }
            self.place(rng, with, 0, &mut tries)
        })
    }

    fn check(&self, rng: &mut Rng) -> Result<u64, String> {
        let all = 1u64 << (self.width * self.free.len() as u32);
        for values in 0..all {
            let mut with = Assignment::new();
            for (k, &symbol) in self.free.iter().enumerate() {
                let value = Bits::new(self.width, values >> (self.width * k as u32));
                with.set(symbol, Value::Bits(value));
            }
            if !self.satisfy(rng, &mut with) {
                return Err(format!("axioms: {values:#x} leaves no room for {} objects", self.bases.len()));
            }
            let mut evaluator = Evaluator::new(&self.store, &with);
            self.agree(&mut evaluator)?;
        }
        Ok(all)
    }
}

/// The size of an object, and whether it exists: constants may do without a literal.
fn size(store: &mut Store, rng: &mut Rng, width: u32, free: &[Term], exists: Term) -> (Term, Term) {
    let always = store.bool(true);
    let x = *rng.pick(free);
    match rng.below(6) {
        0 | 1 => (store.bv(width, rng.below(7)), if rng.chance(50) { always } else { exists }),
        2 => (store.bv(width, rng.below(1 << width)), if rng.chance(25) { always } else { exists }),
        3 => {
            let y = *rng.pick(free);
            (store.bv_add(x, y), exists)
        }
        4 => {
            let few = store.bv(width, 7);
            (store.bv_and(x, few), exists)
        }
        _ => (x, exists),
    }
}

/// `n` random scenes of up to four objects in address spaces of 6 to 8 bits. Returns how many valuations of the other symbols
/// were tried, and how often each rule was applied.
pub fn attached_axioms(seed: u64, n: u64) -> Result<(u64, Vec<(Rule, u64)>), String> {
    let mut rng = Rng::new(seed);
    let mut tried = 0;
    let mut total: Coverage = Rule::ALL.iter().map(|&r| (r, 0)).collect();
    for _ in 0..n {
        let scene = Scene::random(&mut rng);
        tried += scene.check(&mut rng)?;
        for (have, (_, n)) in total.iter_mut().zip(scene.store.rules_applied()) {
            have.1 += n;
        }
    }
    Ok((tried, total))
}

//! Questions that equations decide: where `x == t` is asked, `t` can stand for `x` everywhere. A SAT solver has to find out bit by
//! bit that equality is transitive, which is hopeless for chains of 64-bit pointers; terms know it at once.

use crate::prover::Prover;
use logic::{Answer, Config, Context, Lit, Node, Symbol, Term};
use rustc_hash::FxHashMap;

/// Equations beyond this many are left as they are.
const MAX_EQUATIONS: usize = 64;

impl Prover<'_> {
    /// Whether the literals contradict each other once their equations are solved; `false` also if that is not decided.
    pub(crate) fn impossible_by_equations(&mut self, literals: &[(Term, bool)], conflicts: u64) -> bool {
        let mut open: Vec<Term> = Vec::new();
        for &(t, value) in literals {
            let t = if value { t } else { self.enc.store.not(t) };
            open.extend(self.conjuncts(t));
        }
        let mut solved = 0;
        while solved < MAX_EQUATIONS
            && let Some((i, by)) = self.equation(&open)
        {
            solved += 1;
            open.swap_remove(i);
            let mut memo = FxHashMap::default();
            let new: Vec<Term> = open.iter().map(|&t| self.enc.store.substitute_memo(t, &by, &mut memo)).collect();
            open = new.into_iter().flat_map(|t| self.conjuncts(t)).collect();
            open.sort_unstable();
            open.dedup();
        }
        if open.iter().any(|&t| self.enc.store.bool_of(t) == Some(false)) {
            return true;
        }
        if solved == 0 {
            return false;
        }
        let mut context = Context::with_config(Config::Full);
        let lits: Vec<Lit> = open.iter().map(|&t| context.lit(&self.enc.store, t)).collect();
        let answer = context.decide(&self.enc.store, &lits, conflicts);
        self.stats.sat_calls += context.stats().solves;
        matches!(answer, Answer::Unsat(_))
    }

    /// The first conjunct that says what a symbol is. The addresses of objects come with axioms of their own and stay.
    fn equation(&mut self, open: &[Term]) -> Option<(usize, FxHashMap<Symbol, Term>)> {
        for (i, &t) in open.iter().enumerate() {
            let Node::Eq(a, b) = self.enc.store.node(t) else { continue };
            for (x, value) in [(a, b), (b, a)] {
                let Some(symbol) = self.enc.store.as_symbol(x) else { continue };
                let is_object = !self.enc.store.object_axioms(&[symbol]).is_empty();
                if !is_object && !self.support(value).contains(&symbol) {
                    return Some((i, FxHashMap::from_iter([(symbol, value)])));
                }
            }
        }
        None
    }
}

//! Symbols with the concrete values of a run: what a symbolic state is compared with.

use ir::Var;
use logic::{Assignment, Bits, Evaluator, Sort, Store, Term, Value};
use vc::State;

use super::record::Snapshot;

/// Values of symbols, and the same as equations for a solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound {
    pub(crate) assignment: Assignment,
    equations: Vec<(Term, u128)>,
}

/// The value of a pattern, as a term of this sort has it.
pub(crate) fn value(sort: Sort, pattern: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(pattern != 0),
        Sort::Bv(width) => Value::Bits(Bits::from_u128(width, pattern)),
        Sort::Map { .. } => unreachable!("no scalar is a map"),
    }
}

/// The pattern of a value.
pub(crate) fn pattern(value: &Value) -> u128 {
    match value {
        Value::Bool(b) => u128::from(*b),
        Value::Bits(bits) => bits.to_u128().expect("IR values have at most 128 bits"),
    }
}

/// The formula that says that `t` has this value.
pub(crate) fn equals(store: &mut Store, t: Term, pattern: u128) -> Term {
    match value(store.sort(t), pattern) {
        Value::Bool(true) => t,
        Value::Bool(false) => store.not(t),
        Value::Bits(bits) => {
            let constant = store.constant(&bits);
            store.eq(t, constant)
        }
    }
}

impl Bound {
    /// Gives a symbol a value.
    pub(crate) fn bind(&mut self, store: &Store, t: Term, pattern: u128) -> Result<(), String> {
        let Some(symbol) = store.as_symbol(t) else {
            return Err("an arbitrary value is not a symbol".into());
        };
        self.assignment.set(symbol, value(store.sort(t), pattern));
        self.equations.push((t, pattern));
        Ok(())
    }

    /// Gives the symbols of an arbitrary state, its entry values included, the known values of a snapshot.
    pub(crate) fn bind_state(&mut self, store: &Store, state: &State, snapshot: &Snapshot) -> Result<(), String> {
        for var in snapshot.vars() {
            if let (Some(t), Some(v)) = (state.get(var), snapshot.get(var)) {
                self.bind(store, t, v)?;
            }
        }
        for (t, v) in entry_values(state, snapshot) {
            self.bind(store, t, v)?;
        }
        Ok(())
    }

    /// Gives entry values that became known between two states of one activation, because they were drawn, their value.
    pub(crate) fn bind_entry(
        &mut self,
        store: &Store,
        state: &State,
        pre: &Snapshot,
        post: &Snapshot,
    ) -> Result<(), String> {
        let known = entry_values(state, pre);
        for (t, v) in entry_values(state, post) {
            if !known.iter().any(|(k, _)| *k == t) {
                self.bind(store, t, v)?;
            }
        }
        Ok(())
    }

    /// The bindings as formulas.
    pub(crate) fn equations(&self, store: &mut Store) -> Vec<Term> {
        self.equations.iter().map(|&(t, v)| equals(store, t, v)).collect()
    }
}

/// The terms of the known entry values, with these.
pub(crate) fn entry_values(state: &State, snapshot: &Snapshot) -> Vec<(Term, u128)> {
    let globals = state.entry_shared().vars.iter().zip(&snapshot.entry_globals);
    let params = snapshot.entry_params.iter().enumerate();
    let params = params.map(|(i, v)| (state.entry_param(base::Id::from_index(i)), v));
    globals.map(|(t, v)| (*t, v)).chain(params).filter_map(|(t, v)| Some((t?, (*v)?))).collect()
}

/// Compares a symbolic state with a concrete one: known values are equal, and what nobody has looked at is arbitrary.
pub(crate) fn compare(store: &Store, state: &State, snapshot: &Snapshot, bound: &Bound) -> Result<(), String> {
    if state.func() != snapshot.func {
        return Err(format!("the state is one of {}, the run is in {}", state.func(), snapshot.func));
    }
    let mut evaluator = Evaluator::new(store, &bound.assignment);
    for var in snapshot.vars() {
        let Some(t) = state.get(var) else { return Err(format!("{var:?} has no term")) };
        match snapshot.get(var) {
            Some(v) => same(&mut evaluator, store, t, v).map_err(|e| format!("{}: {e}", name(var)))?,
            None if store.as_symbol(t).is_some() => {}
            None => return Err(format!("{} is arbitrary in the run but not in the formula", name(var))),
        }
    }
    for (t, v) in entry_values(state, snapshot) {
        same(&mut evaluator, store, t, v).map_err(|e| format!("a value at entry: {e}"))?;
    }
    Ok(())
}

fn same(evaluator: &mut Evaluator<'_>, store: &Store, t: Term, concrete: u128) -> Result<(), String> {
    let symbolic = evaluator.eval(t);
    if symbolic == value(store.sort(t), concrete) {
        return Ok(());
    }
    Err(format!("the formula says {:#x}, the run {concrete:#x}", pattern(&symbolic)))
}

fn name(var: Var) -> String {
    match var {
        Var::Global(g) => g.to_string(),
        Var::Local(l) => l.to_string(),
    }
}

//! Symbolic states: a term for each scalar variable that does not live in memory, a map for each region of memory, and
//! the stack of activations.
//!
//! Invariants: the term of a variable has the sort of its type ([`Encoder::sort`](crate::Encoder)); a variable that lives
//! in memory has no term; the parameters of an [`Entry`] stand at their ids. Behind the globals stand the maps of the regions
//! that all functions share, behind the locals those that are private to the function ([`crate::memory`] knows where).
//! States share what they have in common, so cloning one is cheap (copy on write).

use base::Id;
use ir::{EdgeId, FuncId, LocalId, Var};
use logic::Term;
use std::rc::Rc;

/// The state in which an activation began: what `'x` refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) globals: Rc<Vec<Option<Term>>>,
    pub(crate) params: Vec<Option<Term>>,
}

/// One activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    pub(crate) locals: Vec<Option<Term>>,
    /// The addresses of the locals that live in memory; of one that is not alive, any address that nothing else has.
    pub(crate) bases: Rc<Vec<Option<Term>>>,
    pub(crate) entry: Rc<Entry>,
    /// The activation that waits for this one, and the call edge it waits at.
    pub(crate) caller: Option<(Rc<Frame>, EdgeId)>,
}

/// A symbolic state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) globals: Rc<Vec<Option<Term>>>,
    pub(crate) frame: Rc<Frame>,
}

impl State {
    /// The function of the current activation.
    pub fn func(&self) -> FuncId {
        self.frame.func
    }

    /// The number of activations that wait for the current one.
    pub fn depth(&self) -> usize {
        let mut depth = 0;
        let mut frame = &self.frame;
        while let Some((caller, _)) = &frame.caller {
            depth += 1;
            frame = caller;
        }
        depth
    }

    /// The call edge at which the caller waits; `None` in the outermost activation.
    pub fn call_site(&self) -> Option<(FuncId, EdgeId)> {
        self.frame.caller.as_ref().map(|(f, e)| (f.func, *e))
    }

    /// The term of a variable; `None` if it is no scalar.
    pub fn get(&self, var: Var) -> Option<Term> {
        match var {
            Var::Global(g) => self.globals[g.index()],
            Var::Local(l) => self.frame.locals[l.index()],
        }
    }

    /// Gives a scalar variable a new value.
    pub(crate) fn set(&mut self, var: Var, term: Term) {
        match var {
            Var::Global(g) => Rc::make_mut(&mut self.globals)[g.index()] = Some(term),
            Var::Local(l) => Rc::make_mut(&mut self.frame).locals[l.index()] = Some(term),
        }
    }

    /// The address of a local that lives in memory.
    pub fn base(&self, local: LocalId) -> Option<Term> {
        self.frame.bases[local.index()]
    }

    /// A local begins: from now on it lies at `base`.
    pub(crate) fn set_base(&mut self, local: LocalId, base: Term) {
        Rc::make_mut(&mut Rc::make_mut(&mut self.frame).bases)[local.index()] = Some(base);
    }

    /// The current globals, by id, and behind them the maps of shared regions.
    pub fn globals(&self) -> &[Option<Term>] {
        &self.globals
    }

    /// The current locals, by id, and behind them the maps of private regions.
    pub fn locals(&self) -> &[Option<Term>] {
        &self.frame.locals
    }

    /// The state in which the current activation began, as a state: globals and parameters have their entry values,
    /// other locals have none.
    pub(crate) fn at_entry(&self) -> State {
        let mut locals = vec![None; self.frame.locals.len()];
        locals[..self.frame.entry.params.len()].copy_from_slice(&self.frame.entry.params);
        let bases = self.frame.bases.clone();
        let frame = Frame { func: self.frame.func, locals, bases, entry: self.frame.entry.clone(), caller: None };
        State { globals: self.frame.entry.globals.clone(), frame: Rc::new(frame) }
    }

    /// The same state whose current activation counts as having begun here.
    #[must_use]
    pub fn begin_here(&self, n_params: usize) -> State {
        let entry = Entry { globals: self.globals.clone(), params: self.frame.locals[..n_params].to_vec() };
        let mut frame = (*self.frame).clone();
        frame.entry = Rc::new(entry);
        State { globals: self.globals.clone(), frame: Rc::new(frame) }
    }

    /// The value of a parameter when the current activation began.
    pub fn entry_param(&self, param: LocalId) -> Option<Term> {
        self.frame.entry.params[param.index()]
    }

    /// The values of the globals, and the maps of shared regions, when the current activation began.
    pub fn entry_globals(&self) -> &[Option<Term>] {
        &self.frame.entry.globals
    }
}

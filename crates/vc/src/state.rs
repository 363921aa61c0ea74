//! Symbolic states: a term for each scalar variable that does not live in memory, a map for each region of memory, ghost
//! maps about allocations, and the stack of activations.
//!
//! Invariants: the term of a variable has the sort of its type ([`Encoder::sort`](crate::Encoder)); a variable that lives
//! in memory has no term; the parameters of an [`Entry`] stand at their ids; a region that is private to a function has its
//! map in the frames of that function, any other in [`Shared`]. States share what they have in common, so cloning one is cheap
//! (copy on write).

use base::{Id, IndexVec};
use ir::{EdgeId, FuncId, GlobalId, LocalId, Var};
use logic::Term;
use pointsto::RegionId;
use std::rc::Rc;

/// A ghost map: what no program can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ghost {
    /// The address of the object that a byte belongs to.
    Owner,
    /// The size of the object at an address.
    Size,
    /// Whether the object at an address was freed.
    Freed,
}

/// The ghost maps of a program that allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ghosts {
    pub(crate) owner: Term,
    pub(crate) size: Term,
    pub(crate) freed: Term,
}

impl Ghosts {
    /// One of them.
    pub fn get(&self, ghost: Ghost) -> Term {
        match ghost {
            Ghost::Owner => self.owner,
            Ghost::Size => self.size,
            Ghost::Freed => self.freed,
        }
    }

    pub(crate) fn each(&self) -> [Term; 3] {
        [self.owner, self.size, self.freed]
    }
}

/// What all activations see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The globals.
    pub vars: IndexVec<GlobalId, Option<Term>>,
    /// The maps of the regions; none of a private one.
    pub maps: IndexVec<RegionId, Option<Term>>,
    /// What is known of allocations, if the program has any.
    pub ghosts: Option<Ghosts>,
}

impl Shared {
    /// All terms, in an order that only the program decides.
    pub fn terms(&self) -> impl Iterator<Item = Option<Term>> + '_ {
        let ghosts = self.ghosts.iter().flat_map(Ghosts::each).map(Some);
        self.vars.iter().copied().chain(self.maps.iter().copied()).chain(ghosts)
    }
}

/// The state in which an activation began: what `'x` refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) shared: Rc<Shared>,
    pub(crate) params: Vec<Option<Term>>,
}

/// One activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    pub(crate) vars: IndexVec<LocalId, Option<Term>>,
    /// The maps of the regions that are private to the function.
    pub(crate) maps: Vec<Option<Term>>,
    /// The addresses of the locals that live in memory; of one that is not alive, any address that nothing else has.
    pub(crate) bases: Rc<Vec<Option<Term>>>,
    pub(crate) entry: Rc<Entry>,
    /// The activation that waits for this one, and the call edge it waits at.
    pub(crate) caller: Option<(Rc<Frame>, EdgeId)>,
}

/// A symbolic state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) shared: Rc<Shared>,
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

    /// The calls at which activations wait, each with its function, the outermost first.
    pub fn calls(&self) -> Vec<(FuncId, EdgeId)> {
        let mut calls = Vec::new();
        let mut frame = &self.frame;
        while let Some((caller, call)) = &frame.caller {
            calls.push((caller.func, *call));
            frame = caller;
        }
        calls.reverse();
        calls
    }

    /// The same state seen from the activation that waits so many calls further out; `None` if there is none.
    pub fn seen_from(&self, out: u32) -> Option<State> {
        let mut frame = &self.frame;
        for _ in 0..out {
            frame = &frame.caller.as_ref()?.0;
        }
        Some(State { shared: self.shared.clone(), frame: frame.clone() })
    }

    /// The same state after a change that was made in the activation that waits so many calls further out.
    #[must_use]
    pub(crate) fn changed_in(&self, out: u32, changed: State) -> State {
        fn rebuilt(frame: &Rc<Frame>, out: u32, changed: Rc<Frame>) -> Rc<Frame> {
            match (out, &frame.caller) {
                (0, _) | (_, None) => changed,
                (_, Some((caller, call))) => {
                    let caller = Some((rebuilt(caller, out - 1, changed), *call));
                    Rc::new(Frame { caller, ..(**frame).clone() })
                }
            }
        }
        State { shared: changed.shared, frame: rebuilt(&self.frame, out, changed.frame) }
    }

    /// The term of a variable; `None` if it is no scalar.
    pub fn get(&self, var: Var) -> Option<Term> {
        match var {
            Var::Global(g) => self.shared.vars[g],
            Var::Local(l) => self.frame.vars[l],
        }
    }

    /// Gives a scalar variable a new value.
    pub(crate) fn set(&mut self, var: Var, term: Term) {
        match var {
            Var::Global(g) => Rc::make_mut(&mut self.shared).vars[g] = Some(term),
            Var::Local(l) => Rc::make_mut(&mut self.frame).vars[l] = Some(term),
        }
    }

    /// A ghost map; `None` if the program does not allocate.
    pub fn ghost(&self, ghost: Ghost) -> Option<Term> {
        self.shared.ghosts.as_ref().map(|g| g.get(ghost))
    }

    /// The ghost maps, to be changed.
    pub(crate) fn ghosts_mut(&mut self) -> Option<&mut Ghosts> {
        self.shared.ghosts.as_ref()?;
        Rc::make_mut(&mut self.shared).ghosts.as_mut()
    }

    /// The address of a local that lives in memory.
    pub fn base(&self, local: LocalId) -> Option<Term> {
        self.frame.bases[local.index()]
    }

    /// A local begins: from now on it lies at `base`.
    pub(crate) fn set_base(&mut self, local: LocalId, base: Term) {
        Rc::make_mut(&mut Rc::make_mut(&mut self.frame).bases)[local.index()] = Some(base);
    }

    /// What all activations see.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The terms of the current activation: its locals and private maps, in an order that only the function decides.
    pub fn frame_terms(&self) -> impl Iterator<Item = Option<Term>> + '_ {
        self.frame.vars.iter().chain(&self.frame.maps).copied()
    }

    /// The state in which the current activation began, as a state: globals and parameters have their entry values,
    /// other locals have none.
    pub(crate) fn at_entry(&self) -> State {
        let mut frame = (*self.frame).clone();
        let params = &self.frame.entry.params;
        for (local, term) in frame.vars.iter_enumerated_mut() {
            *term = params.get(local.index()).copied().flatten();
        }
        frame.maps.fill(None);
        frame.caller = None;
        State { shared: self.frame.entry.shared.clone(), frame: Rc::new(frame) }
    }

    /// The same state whose current activation counts as having begun here.
    #[must_use]
    pub fn begin_here(&self, n_params: usize) -> State {
        let params = self.frame.vars.iter().take(n_params).copied().collect();
        let entry = Entry { shared: self.shared.clone(), params };
        let mut frame = (*self.frame).clone();
        frame.entry = Rc::new(entry);
        State { shared: self.shared.clone(), frame: Rc::new(frame) }
    }

    /// The value of a parameter when the current activation began.
    pub fn entry_param(&self, param: LocalId) -> Option<Term> {
        self.frame.entry.params[param.index()]
    }

    /// What all activations saw when the current one began.
    pub fn entry_shared(&self) -> &Shared {
        &self.frame.entry.shared
    }
}

//! Where arbitrary values come from.
//!
//! Whatever a program leaves open - inputs, uninitialised bytes, results of undefined functions, whether `malloc` fails,
//! where objects lie - the interpreter asks an [`Inputs`] for, one [`Request`] after the other in the order of execution.
//! Values that nobody reads are never asked for: an uninitialised variable costs a request when it is first read.

use super::tape::InputError;
use crate::syntax::*;
use base::rng::Rng;

/// Where in the program a request comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum At {
    /// Before the first step.
    Start,
    /// While this edge is looked at or taken.
    Edge(FuncId, EdgeId),
}

/// A request of the interpreter.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Where it comes up.
    pub at: At,
    /// How many steps the run has taken; the step at hand has this index.
    pub step: u64,
    /// What is asked for.
    pub what: What<'a>,
    /// The program.
    pub program: &'a Program,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What<'a> {
    /// One value; [`Answer::Value`].
    Value {
        /// Its type.
        ty: Ty,
        /// Why it is arbitrary.
        from: InputCause<'a>,
    },
    /// Bytes; [`Answer::Bytes`].
    Bytes {
        /// How many.
        len: u64,
        /// Why they are arbitrary.
        from: InputCause<'a>,
        /// Where they are written, if that is where they come from.
        to: Option<Origin>,
    },
    /// Whether an allocation fails; [`Answer::Fails`].
    Fails {
        /// Which allocation.
        site: SiteId,
    },
    /// What a function without body writes to an object that it can reach; [`Answer::Writes`].
    Writes {
        /// The function.
        func: FuncId,
        /// The object's number.
        object: u32,
        /// The object's size.
        size: u64,
    },
    /// Where a new object lies; [`Answer::Base`].
    Base {
        /// The object's number.
        object: u32,
        /// Its size.
        size: u64,
        /// Its alignment.
        align: u64,
    },
}

/// Why a value is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputCause<'a> {
    /// The operation says so; [`Source::Uninit`] never, and
    /// [`Source::Padding`] only for bits that share their byte with others.
    Source(&'a Source),
    /// It was never written.
    Uninit(Origin),
    /// The result of a function without body.
    Result(FuncId),
    /// A global that a function without body may have written, since the outside knows it.
    Global(FuncId, GlobalId),
}

/// What was never written. `since` is the index of the step that began it - the havoc, the allocation, the call that
/// opened the activation - or `None` for the start of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A local variable that does not live in memory.
    Local {
        /// Of this function.
        func: FuncId,
        /// Which.
        local: LocalId,
        /// Since which step.
        since: Option<u64>,
    },
    /// A global that does not live in memory.
    Global {
        /// Which.
        global: GlobalId,
        /// Since which step.
        since: Option<u64>,
    },
    /// Bytes of an object.
    Object {
        /// The object's number.
        object: u32,
        /// The first byte.
        offset: u64,
        /// Since which step.
        since: Option<u64>,
        /// They are padding ([`Source::Padding`]).
        padding: bool,
    },
    /// Bytes of the outside.
    Ext {
        /// The address of the first byte.
        address: u64,
    },
}

/// A value as inputs give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The pattern of a value that is not a pointer.
    Bits(u128),
    /// A pointer.
    Pointer(Pointer),
}

/// A pointer as inputs give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// The null pointer.
    Null,
    /// Into an object that has escaped to the outside.
    Object {
        /// The object's number.
        object: u32,
        /// Bytes from its start.
        offset: i64,
    },
    /// Into the outside, so many bytes from its reference point.
    Ext(u64),
    /// An address as a number.
    Raw(u64),
}

/// Something written to an object from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Where in the object.
    pub offset: u64,
    /// What.
    pub data: PatchData,
}

/// What a [`Patch`] writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchData {
    /// Bytes.
    Bytes(Vec<u8>),
    /// A pointer.
    Pointer(Pointer),
}

/// An answer to a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To [`What::Value`].
    Value(Input),
    /// To [`What::Bytes`].
    Bytes(Vec<u8>),
    /// To [`What::Fails`].
    Fails(bool),
    /// To [`What::Writes`]; to [`What::Value`] of a [`InputCause::Global`], an empty list leaves the global as it is.
    Writes(Vec<Patch>),
    /// To [`What::Base`]: an address, or `None` to leave the choice to the interpreter (then it is no tape entry).
    Base(Option<u64>),
}

/// A source of arbitrary values.
pub trait Inputs {
    /// The answer to a request, of the form that the request names.
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError>;

    /// A value that these inputs have for a request which is not made, because the result of a library function is known;
    /// it is then used up. Inputs that were derived in logic have one: there such a result is any value.
    fn skip(&mut self, _request: &Request<'_>) -> Option<Input> {
        None
    }

    /// Called when the run has ended: whether anything that should have been asked for was not.
    fn finish(&mut self) -> Result<(), InputError> {
        Ok(())
    }
}

/// Zero everywhere, null pointers, allocations that succeed, undefined functions that write nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        Ok(match request.what {
            What::Value { ty: Ty::Ptr, .. } => Answer::Value(Input::Pointer(Pointer::Null)),
            What::Value { .. } => Answer::Value(Input::Bits(0)),
            What::Bytes { len, .. } => Answer::Bytes(vec![0; len as usize]),
            What::Fails { .. } => Answer::Fails(false),
            What::Writes { .. } => Answer::Writes(Vec::new()),
            What::Base { .. } => Answer::Base(None),
        })
    }
}

/// Random values: small ones, values at the borders of their type, and uniform ones.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    rng: Rng,
}

impl RandomInputs {
    /// The inputs with this seed.
    pub fn new(seed: u64) -> RandomInputs {
        RandomInputs { rng: Rng::new(seed) }
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits())
    }

    fn value(&mut self, ty: Ty) -> Input {
        let random = self.bits();
        Input::Bits(match ty {
            Ty::Bool => random & 1,
            Ty::Float(f) => float_pattern(f, self.rng.below(16), random),
            Ty::Ptr => {
                return Input::Pointer(match self.rng.below(4) {
                    0..=1 => Pointer::Null,
                    _ => Pointer::Ext(16 * self.rng.below(64)),
                });
            }
            Ty::Int(i) => {
                let top = 1u128 << (i.width - 1);
                let near = u128::from(self.rng.below(3));
                let pattern = match self.rng.below(10) {
                    0..=4 => u128::from(self.rng.below(10)),
                    5 => near.wrapping_neg(),
                    6 => top.wrapping_sub(near),
                    7 => top.wrapping_add(near),
                    _ => random,
                };
                pattern & i.mask()
            }
        })
    }
}

impl Inputs for RandomInputs {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        Ok(match request.what {
            What::Value { ty, .. } => Answer::Value(self.value(ty)),
            What::Bytes { len, .. } => Answer::Bytes(self.bytes(len)),
            What::Fails { .. } => Answer::Fails(self.rng.chance(20)),
            What::Writes { size, .. } if size > 0 && self.rng.chance(30) => {
                let offset = self.rng.below(size);
                let len = (size - offset).min(1 + self.rng.below(8));
                Answer::Writes(vec![Patch { offset, data: PatchData::Bytes(self.bytes(len)) }])
            }
            What::Writes { .. } => Answer::Writes(Vec::new()),
            What::Base { .. } => Answer::Base(None),
        })
    }
}

impl RandomInputs {
    fn bytes(&mut self, len: u64) -> Vec<u8> {
        (0..len).map(|_| self.rng.bits() as u8).collect()
    }
}

/// Random values that mostly repeat the last one of their type: the n-th is a new one in one of n cases. Programs that look for
/// something in what they read, or compare all of it, do something else with these than with values that are always new.
#[derive(Clone, Debug)]
pub struct RepeatingInputs {
    random: RandomInputs,
    last: Vec<(Ty, u64, Input)>,
}

impl RepeatingInputs {
    /// The inputs with this seed.
    pub fn new(seed: u64) -> RepeatingInputs {
        RepeatingInputs { random: RandomInputs::new(seed), last: Vec::new() }
    }
}

impl Inputs for RepeatingInputs {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let What::Value { ty, .. } = request.what else { return self.random.answer(request) };
        let new = self.random.value(ty);
        match self.last.iter_mut().find(|(of, ..)| *of == ty) {
            None => {
                self.last.push((ty, 1, new));
                Ok(Answer::Value(new))
            }
            Some((_, count, value)) => {
                *count += 1;
                if self.random.rng.below(*count) == 0 {
                    *value = new;
                }
                Ok(Answer::Value(*value))
            }
        }
    }
}

/// Interesting values of a floating type: zeroes, ones, infinities, NaN, tiny and random ones.
pub(crate) fn float_pattern(ty: FloatTy, choice: u64, random: u128) -> u128 {
    let (one, infinity, nan): (u128, u128, u128) = match ty {
        FloatTy::F16 => (0x3c00, 0x7c00, 0x7e00),
        FloatTy::F32 => (0x3f80_0000, 0x7f80_0000, 0x7fc0_0000),
        FloatTy::F64 => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000),
        FloatTy::F80 => (0x3fff_8000_0000_0000_0000, 0x7fff_8000_0000_0000_0000, 0x7fff_c000_0000_0000_0000),
        FloatTy::F128 => (0x3fff << 112, 0x7fff << 112, 0x7_fff8 << 108),
    };
    let sign = 1u128 << (ty.width() - 1);
    match choice {
        0 => 0,
        1 => sign,
        2 | 3 => one,
        4 => one | sign,
        5 => infinity,
        6 => infinity | sign,
        7 => nan,
        8 => 1,
        _ => {
            let bits = random & (u128::MAX >> (128 - u32::from(ty.width())));
            // An 80-bit number without its explicit leading bit is no number; give it one unless its exponent is 0.
            let normal = ty == FloatTy::F80 && bits & 0x7fff_0000_0000_0000_0000 != 0;
            if normal { bits | 1 << 63 } else { bits & !(u128::from(ty == FloatTy::F80) << 63) }
        }
    }
}

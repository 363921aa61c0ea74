//! The oracle for initialisers and layouts: random types (nested structures and unions, arrays, bit-fields, attributes that
//! raise and lower alignment) and random initialisers for them (designators that override each other, ranges, strings,
//! elided braces), interpreted and compiled by gcc, which runs them on a dirtied stack.
//!
//! Of each object a program reports its bytes and the values of its named members, its layout, and which side effects its
//! initialiser had. The interpreter runs twice, with all arbitrary bits zero and with all of them one: where the two differ,
//! the model leaves a bit open, and what gcc has there is possible; everywhere else it must be what gcc has. Named members
//! outside of unions must not be left open.

mod init;
mod text;
mod types;
mod volatile;

pub use volatile::volatile_copies;

use crate::compile::compile;
use crate::gcc::{Build, Gcc, Image, Pictured};
use crate::statistics::Statistics;
use ir::interp::{
    self, Answer, End, Input, InputError, Inputs, Limits, Observer, Pointer, Request, StateView, Step, What,
};
use ir::{DataModel, Expr, GlobalId, Place, Program, Ty, Var};

/// A random program.
#[derive(Clone, Debug)]
pub struct Initialised {
    /// The seed it was made from.
    pub seed: u64,
    /// Its text; `hb_dirty` is declared nowhere in it.
    pub source: String,
    /// Its names at file scope.
    pub names: Vec<String>,
    /// The data model it is for.
    pub model: DataModel,
    /// Variables whose declaration asks for an alignment.
    pub aligned: Vec<Aligned>,
}

/// A variable and the alignment that its declaration asks for. (That gcc gives it this one is in the report.)
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The function it is local to.
    pub function: Option<String>,
    /// Its name.
    pub name: String,
    /// What is asked for.
    pub align: u64,
}

/// What the interpreter knows instead of dirtying a stack.
const CLEAN: &str = "static void hb_dirty(void) { }\n";

/// What the tool refuses to follow, by name.
const REFUSED: [&str; 2] =
    ["initialiser of a member after one of its whole structure", "side effect in a list for a range of elements"];

/// The program of this seed.
pub fn generate(seed: u64, model: DataModel) -> Initialised {
    text::generate(seed, model)
}

/// Compares the programs of the seeds `first .. first + count` in one data model, which gcc must support.
pub fn initialisers(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Initialised> = (first..first + count).map(|seed| generate(seed, model)).collect();
    let mut stats = Statistics::new();
    // Without optimisation gcc keeps padding where stores leave it.
    for (build, kept) in [(Build::O0, false), (Build::O2, false), (Build::O0, true)] {
        let pictures = gcc.pictures(&programs, build).map_err(|e| e.to_string())?;
        for (program, picture) in programs.iter().zip(&pictures) {
            let image = match picture {
                Pictured::Image(image) => image,
                Pictured::Refused(_) => {
                    stats.add("programs that gcc refuses", 1);
                    continue;
                }
                Pictured::Crashed(why) => {
                    return Err(format!("seed {} in {model:?}: {why}\n{}", program.seed, program.source));
                }
            };
            stats.add("programs tried", 1);
            let one = compare(program, image, kept);
            stats.merge(
                &one.map_err(|e| format!("seed {} in {model:?}, {build:?}: {e}\n{}", program.seed, program.source))?,
            );
        }
    }
    Ok(stats)
}

/// Compares one program with what gcc's did.
fn compare(program: &Initialised, compiled: &Image, padding_kept: bool) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    let options = lower::Options { padding_kept, ..lower::Options::default() };
    let ours = compile("random.c", &format!("{CLEAN}{}", program.source), program.model, &options)?;
    if let Some(why) = ours.unsupported.first() {
        if !REFUSED.contains(&why.as_str()) {
            return Err(format!("not supported: {why}"));
        }
        stats.add("programs refused", 1);
        return Ok(stats);
    }
    for a in &program.aligned {
        if alignment(&ours.program, a).is_some_and(|align| align > a.align) {
            return Err(format!("{} is aligned to more than {}", a.name, a.align));
        }
        stats.add("aligned variables", 1);
    }
    let [low, high] = [Fill::Zeroes, Fill::Ones].map(|fill| interpret(&ours.program, fill));
    let (low, high) = (low?, high?);
    same("value", &low.values, &high.values, &compiled.values, false)?;
    let open = same("byte", &low.bytes, &high.bytes, &compiled.bytes, true)?;
    stats.add("programs", 1);
    stats.add("values", compiled.values.len() as u64 / 8);
    stats.add("bytes", compiled.bytes.len() as u64);
    stats.add("open bytes", open);
    Ok(stats)
}

/// What is known of the alignment of a variable.
fn alignment(program: &Program, a: &Aligned) -> Option<u64> {
    let shape = match &a.function {
        None => program.globals[program.global(&a.name)?].shape,
        Some(f) => {
            let function = program.functions.iter().find(|g| g.name == *f)?;
            function.locals.iter().find(|l| l.name == a.name)?.shape
        }
    };
    match shape {
        ir::Shape::Object { align, .. } => Some(align.into()),
        ir::Shape::Scalar(_) => None,
    }
}

/// Compares what must be equal up to bits that the two runs show to be open; how many bytes have such bits.
fn same(what: &str, low: &[u8], high: &[u8], compiled: &[u8], may_be_open: bool) -> Result<u64, String> {
    if low.len() != compiled.len() || high.len() != compiled.len() {
        return Err(format!("{what}s: {} interpreted, {} compiled", low.len(), compiled.len()));
    }
    let mut open = 0;
    for (i, ((&a, &b), &c)) in low.iter().zip(high).zip(compiled).enumerate() {
        let fixed = !(a ^ b);
        if (a ^ c) & fixed != 0 || (fixed != 0xff && !may_be_open) {
            return Err(format!("{what} {i}: {a:#04x} or {b:#04x} interpreted, {c:#04x} compiled"));
        }
        open += u64::from(fixed != 0xff);
    }
    Ok(open)
}

/// What all arbitrary bits are.
#[derive(Clone, Copy)]
enum Fill {
    Zeroes,
    Ones,
}

impl Inputs for Fill {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let ones = matches!(self, Fill::Ones);
        Ok(match request.what {
            What::Value { ty: Ty::Ptr, .. } => Answer::Value(Input::Pointer(Pointer::Null)),
            What::Value { ty, .. } if ones => {
                let width = if ty == Ty::Bool { 1 } else { ty.width(request.program.model) };
                Answer::Value(Input::Bits(u128::MAX >> (128 - width)))
            }
            What::Value { .. } => Answer::Value(Input::Bits(0)),
            What::Bytes { len, .. } => Answer::Bytes(vec![if ones { 0xff } else { 0 }; len as usize]),
            What::Fails { .. } => Answer::Fails(false),
            What::Writes { .. } => Answer::Writes(Vec::new()),
            What::Base { .. } => Answer::Base(None),
        })
    }
}

fn interpret(program: &Program, mut fill: Fill) -> Result<Image, String> {
    let global = |name: &str| program.global(name).ok_or_else(|| format!("the program has no {name}"));
    let mut watch = Watch {
        program,
        counts: [global("n_bytes")?, global("n_values")?],
        arrays: [global("bytes")?, global("values")?],
        image: Image::default(),
    };
    let limits = Limits { steps: 5_000_000, ..Limits::default() };
    let run = interp::run(program, &mut fill, &limits, &mut watch);
    match run.end {
        End::Exited(_) => Ok(watch.image),
        other => Err(format!("the run ends badly: {}", certify::replay::describe(program, &other))),
    }
}

/// Reads the report when the program has made it.
struct Watch<'a> {
    program: &'a Program,
    counts: [GlobalId; 2],
    arrays: [GlobalId; 2],
    image: Image,
}

impl Observer for Watch<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        let program = self.program;
        let body = program.functions[step.func].body.as_ref();
        let ends =
            step.func == program.entry && body.is_some_and(|b| matches!(b.edges[step.edge].op, ir::Op::Return(_)));
        if ends {
            let read = |i: usize| report(state, self.counts[i], self.arrays[i]);
            (self.image.bytes, self.image.values) = (read(0), read(1));
        }
    }
}

fn report(state: &StateView<'_>, count: GlobalId, array: GlobalId) -> Vec<u8> {
    let n = state.read(Var::Global(count)).map_or(0, |v| v.bits as i64);
    let byte = |i: i64| {
        let mut place = Place::var(Var::Global(array), Ty::int(8, false));
        place.addr.offset = i;
        state.eval(&Expr::read(place)).map_or(0, |v| v.bits as u8)
    };
    (0..n).map(byte).collect()
}

//! What pointers point to, in the words of the source: `&table[3]`, `&dev.queue.head`, `malloc#2 + 8 bytes`, `"text"`.
//!
//! Variables are found in the state of the run, in callers too; blocks of the heap are counted as they are made. Members and elements
//! come from the source's declarations, so a program without those has bytes instead.

use super::names;
use crate::counted;
use ir::cfg::AddressTaken;
use ir::declared::{Declared, Type, TypeId};
use ir::interp::{Provenance, StateView, Value};
use ir::{Address, Base, DataModel, Expr, FuncId, GlobalId, LocalId, Place, Program, SiteId, Ty, Var};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Characters of a text that are shown.
const MOST_OF_A_TEXT: usize = 32;

/// How the sites of the texts that `main` is given are called.
const TEXT_IN: &str = "text in ";

/// Whether a source of values is there only to say how long those texts are.
pub(super) fn is_room(source: &str) -> bool {
    source.starts_with("room for a text in ")
}

/// Whether a site is the vector itself that leads to those texts, or an object that a parameter of this name points to.
pub(super) fn is_given(site: &str, parameter: &str) -> bool {
    site_word(site).strip_prefix("argument ") == Some(parameter)
}

/// The blocks of a run: who reads the inputs and who collects the values share them.
#[derive(Default)]
pub(super) struct Blocks(RefCell<BlocksMade>);

#[derive(Default)]
struct BlocksMade {
    /// By object: its first address and its name.
    made: BTreeMap<u32, (u128, String)>,
    /// How many have this name so far.
    counts: BTreeMap<String, u32>,
}

impl Blocks {
    /// A block has just been made.
    pub(super) fn made(&self, program: &Program, site: SiteId, at: Value) {
        let Some(object) = at.provenance.as_object() else { return };
        let mut blocks = self.0.borrow_mut();
        let word = site_word(&program.sites[site].name).to_string();
        let n = blocks.counts.entry(word.clone()).or_insert(0);
        *n += 1;
        // The texts that `main` is given are made in their order.
        let name = match word.strip_prefix(TEXT_IN) {
            Some(vector) => format!("{vector}[{}]", *n - 1),
            None => format!("{word}#{n}"),
        };
        blocks.made.insert(object, (at.bits, name));
    }

    /// The name of a block.
    pub(super) fn name(&self, object: u32) -> Option<String> {
        self.0.borrow().made.get(&object).map(|(_, name)| name.clone())
    }

    fn get(&self, object: u32) -> Option<(u128, String)> {
        self.0.borrow().made.get(&object).cloned()
    }
}

/// What allocates at a site, without the function around it: `malloc` of `push.malloc.2`.
pub(super) fn site_word(site: &str) -> &str {
    let mut parts = site.split('.');
    let first = parts.next().unwrap_or(site);
    parts.next().unwrap_or(first)
}

/// How many activations are searched for the variable that an object is.
const MOST_SEARCHED: usize = 1000;

/// What lies where: functions and globals, and the variables of the open activations that have an address.
pub(super) struct Variables {
    functions: BTreeMap<u128, FuncId>,
    /// By object, with the address of its first byte.
    globals: BTreeMap<u32, (u128, GlobalId)>,
    /// Which locals of a function have an address.
    in_memory: BTreeMap<FuncId, Vec<LocalId>>,
    taken: AddressTaken,
    activations: Vec<Activation>,
}

struct Activation {
    func: FuncId,
    /// Objects with their addresses; an object is never used again.
    objects: Vec<(u32, u128, LocalId)>,
}

/// The variable whose object something is.
#[derive(Clone, Copy)]
struct Owner {
    depth: usize,
    func: FuncId,
    var: Var,
    base: u128,
}

impl Variables {
    /// At the beginning of a run.
    pub(super) fn new(program: &Program, state: &StateView<'_>) -> Variables {
        let functions = program.functions.ids().filter_map(|f| Some((state.eval(&Expr::func(f))?.bits, f)));
        let globals = program.globals.ids().filter_map(|g| {
            let (object, base) = object(state, Var::Global(g))?;
            Some((object, (base, g)))
        });
        let mut variables = Variables {
            functions: functions.collect(),
            globals: globals.collect(),
            in_memory: BTreeMap::new(),
            taken: AddressTaken::new(program),
            activations: Vec::new(),
        };
        variables.entered(program, state);
        variables
    }

    /// The current activation has just been opened.
    pub(super) fn entered(&mut self, program: &Program, state: &StateView<'_>) {
        let func = state.func();
        let taken = &self.taken;
        let locals = self.in_memory.entry(func).or_insert_with(|| {
            let all = program.functions[func].locals.ids();
            all.filter(|l| taken.in_memory(program, func, Var::Local(*l))).collect()
        });
        let objects = locals.iter().filter_map(|l| {
            let (object, base) = object(state, Var::Local(*l))?;
            Some((object, base, *l))
        });
        let objects = objects.collect();
        self.activations.truncate(state.depth());
        self.activations.push(Activation { func, objects });
    }

    /// The life of a local has just begun.
    pub(super) fn begun(&mut self, state: &StateView<'_>, local: LocalId) {
        self.activations.truncate(state.depth() + 1);
        if let (Some((object, base)), Some(top)) = (object(state, Var::Local(local)), self.activations.last_mut()) {
            // Of the objects of a loop's variable the last one is there.
            top.objects.retain(|(_, _, l)| *l != local);
            top.objects.push((object, base, local));
        }
    }

    fn owner(&self, state: &StateView<'_>, object: u32) -> Option<Owner> {
        if let Some((base, g)) = self.globals.get(&object) {
            return Some(Owner { depth: state.depth(), func: state.func(), var: Var::Global(*g), base: *base });
        }
        let open = self.activations.iter().enumerate().take(state.depth() + 1);
        open.rev().take(MOST_SEARCHED).find_map(|(depth, a)| {
            let (_, base, l) = a.objects.iter().find(|(o, ..)| *o == object)?;
            Some(Owner { depth, func: a.func, var: Var::Local(*l), base: *base })
        })
    }
}

/// The object of a variable of the current activation, and where it lies.
fn object(state: &StateView<'_>, var: Var) -> Option<(u32, u128)> {
    let at = state.eval(&Expr::addr(Address::var(var)))?;
    Some((at.provenance.as_object()?, at.bits))
}

/// A pointer as the source would name what it points to, as far as that has a name.
pub(super) fn pointer(
    program: &Program,
    state: &StateView<'_>,
    variables: &Variables,
    blocks: &Blocks,
    value: Value,
) -> String {
    if value.bits == 0 {
        return "NULL".to_string();
    }
    if value.provenance == Provenance::FUNCTION {
        let function = variables.functions.get(&value.bits).map(|f| program.functions[*f].name.clone());
        return function.unwrap_or_else(|| format!("{:#x}", value.bits));
    }
    let Some(object) = value.provenance.as_object() else { return format!("{:#x}", value.bits) };
    let bytes = |n: i128| match n {
        0 => String::new(),
        n if n < 0 => format!(" - {}", counted(n.unsigned_abs() as u64, "byte")),
        n => format!(" + {}", counted(n as u64, "byte")),
    };
    let from = |base: u128| value.bits.wrapping_sub(base) as i128;
    if let Some(owner) = variables.owner(state, object) {
        let offset = from(owner.base);
        if let Some(text) = literal(program, state, owner) {
            return format!("{text}{}", bytes(offset));
        }
        if let Some(name) = variable(program, state, owner) {
            let (path, left) = match (u64::try_from(offset), declared(program, owner.func, owner.var)) {
                (Ok(offset), Some(ty)) => path(&program.declared, program.model, ty, offset, None),
                _ => (String::new(), offset as u64),
            };
            return format!("&{name}{path}{}", bytes(left as i64 as i128));
        }
    }
    match blocks.get(object) {
        Some((base, name)) => format!("{name}{}", bytes(from(base))),
        None => format!("{:#x} (object#{object})", value.bits),
    }
}

/// The name of a place in a variable or block, if the source's own expression for it is too long: `rx.data[3]`.
pub(super) fn place(
    program: &Program,
    state: &StateView<'_>,
    variables: &Variables,
    blocks: &Blocks,
    place: &Place,
) -> Option<String> {
    if place.bits.is_some() {
        return None;
    }
    let at = state.eval(&Expr::addr(place.addr.clone()))?;
    let object = at.provenance.as_object()?;
    let size = place.ty.size(program.model);
    if let Some(owner) = variables.owner(state, object) {
        let name = variable(program, state, owner)?;
        let ty = declared(program, owner.func, owner.var)?;
        let offset = u64::try_from(at.bits.wrapping_sub(owner.base) as i128).ok()?;
        let (path, left) = path(&program.declared, program.model, ty, offset, Some(size));
        return (left == 0).then(|| format!("{name}{path}"));
    }
    let (base, name) = blocks.get(object)?;
    let offset = at.bits.wrapping_sub(base) as i128;
    (offset >= 0).then(|| format!("*({name} + {offset})"))
}

/// The name of a part of a variable of the function, if its place is a constant: `p.key`, `buf[2]`.
pub(super) fn part(program: &Program, func: FuncId, place: &Place) -> Option<String> {
    let Address { base: Base::Var(var), offset, indices } = &place.addr else { return None };
    if !indices.is_empty() || place.bits.is_some() {
        return None;
    }
    let name = names::variable(program, func, *var)?;
    let ty = declared(program, func, *var)?;
    let size = place.ty.size(program.model);
    let (path, left) = path(&program.declared, program.model, ty, u64::try_from(*offset).ok()?, Some(size));
    (left == 0).then(|| format!("{name}{path}"))
}

/// The member or element of a variable that these bytes are: its path, and its type.
pub(super) fn scalar_at(program: &Program, func: FuncId, var: Var, offset: u64, size: u64) -> Option<(String, Ty)> {
    let ty = declared(program, func, var)?;
    let (path, left, ty) = part_at(&program.declared, program.model, ty, offset, Some(size));
    Some((path, program.declared.scalar(ty)?)).filter(|_| left == 0)
}

/// A text that a variable holds from this address on: an array of `char`, with its name.
pub(super) fn text(
    program: &Program,
    state: &StateView<'_>,
    variables: &Variables,
    at: Value,
) -> Option<(String, String)> {
    let owner = variables.owner(state, at.provenance.as_object()?)?;
    let name = variable(program, state, owner)?;
    let offset = u64::try_from(at.bits.wrapping_sub(owner.base) as i128).ok()?;
    let (mut ty, mut path) = (declared(program, owner.func, owner.var)?, String::new());
    let mut left = offset;
    // The array itself, and not its first element.
    while !is_text(program, ty) {
        let (step, part, rest) = inner(&program.declared, program.model, ty, left, None).into_iter().next()?;
        (path, ty, left) = (path + &step, part, rest);
    }
    (left == 0).then_some(())?;
    let Type::Array(_, Some(n)) = program.declared.types[ty] else { return None };
    Some((format!("{name}{path}"), read_text(state, owner, offset, n)?))
}

fn is_text(program: &Program, ty: TypeId) -> bool {
    let Type::Array(elem, Some(_)) = program.declared.types[ty] else { return false };
    matches!(program.declared.types[elem], Type::Scalar(Ty::Int(int)) if int.width == 8)
}

/// The bytes of an object up to the first zero, as a literal; none if they are no text.
fn read_text(state: &StateView<'_>, owner: Owner, from: u64, n: u64) -> Option<String> {
    if owner.depth != state.depth() {
        return None;
    }
    let mut out = String::new();
    for i in 0..n {
        if out.chars().count() > MOST_OF_A_TEXT {
            return Some(format!("\"{out}…\""));
        }
        let addr = Address { base: Base::Var(owner.var), offset: i64::try_from(from + i).ok()?, indices: Vec::new() };
        let byte = Place { addr, ty: Ty::int(8, false), bits: None, label: ir::Label(None) };
        match u8::try_from(state.eval(&Expr::read(byte))?.bits).ok()? {
            0 => return Some(format!("\"{out}\"")),
            c @ (b' '..=b'~' | b'\n' | b'\t') => out.extend((c as char).escape_default()),
            _ => return None,
        }
    }
    None
}

/// The text of a string literal.
fn literal(program: &Program, state: &StateView<'_>, owner: Owner) -> Option<String> {
    let Var::Global(g) = owner.var else { return None };
    let global = &program.globals[g];
    if !global.name.starts_with(".str") {
        return None;
    }
    read_text(state, owner, 0, global.shape.size(program.model))
}

/// What the source calls the variable; with its function if another of that name is nearer.
fn variable(program: &Program, state: &StateView<'_>, owner: Owner) -> Option<String> {
    let name = names::variable(program, owner.func, owner.var)?;
    let (func, here) = (state.func(), owner.depth == state.depth());
    let nearer = || {
        let mut locals = program.functions[func].locals.ids();
        locals.any(|l| names::variable(program, func, Var::Local(l)) == Some(name))
    };
    let far = !here && matches!(owner.var, Var::Local(_)) && nearer();
    Some(if far { format!("{name} (of {})", program.functions[owner.func].name) } else { name.to_string() })
}

fn declared(program: &Program, func: FuncId, var: Var) -> Option<TypeId> {
    let name = program.var_name(func, var);
    match var {
        Var::Global(_) => program.declared.global(name),
        Var::Local(_) => program.declared.local(&program.functions[func].name, name),
    }
}

/// How C names what lies at `offset` in an object of the type - a value of `size`, or else the largest part that begins there or
/// before - and how many bytes further it is.
fn path(types: &Declared, model: DataModel, ty: TypeId, offset: u64, size: Option<u64>) -> (String, u64) {
    let (path, left, _) = part_at(types, model, ty, offset, size);
    (path, left)
}

/// The same, with the type of what is named.
fn part_at(types: &Declared, model: DataModel, ty: TypeId, offset: u64, size: Option<u64>) -> (String, u64, TypeId) {
    let found = match size {
        None => offset == 0,
        Some(size) => offset == 0 && types.scalar(ty).is_some() && types.size(ty, model) == Some(size),
    };
    if found {
        return (String::new(), 0, ty);
    }
    let mut best = (String::new(), offset.max(u64::from(size.is_some())), ty);
    for (step, part, rest) in inner(types, model, ty, offset, size) {
        let (further, left, ty) = part_at(types, model, part, rest, size);
        if best.0.is_empty() || left < best.1 {
            best = (step + &further, left, ty);
        }
    }
    best
}

/// One step into an object: the elements or members that a byte lies in, their types, and the byte's offset there.
fn inner(types: &Declared, model: DataModel, ty: TypeId, offset: u64, size: Option<u64>) -> Vec<(String, TypeId, u64)> {
    match &types.types[ty] {
        Type::Array(elem, n) => {
            let Some(each) = types.size(*elem, model).filter(|s| *s > 0) else { return Vec::new() };
            let at = offset / each;
            // The end of an array is a place to point to.
            let inside = n.is_none_or(|n| at < n || size.is_none() && offset == n * each);
            inside.then(|| (format!("[{at}]"), *elem, offset % each)).into_iter().collect()
        }
        Type::Record(record) => {
            let fields = record.fields.iter().filter(|f| f.bits.is_none());
            let parts = fields.filter_map(|f| {
                let bytes = types.size(f.ty, model)?;
                let step = f.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
                (f.offset..f.offset + bytes).contains(&offset).then(|| (step, f.ty, offset - f.offset))
            });
            parts.collect()
        }
        Type::Scalar(_) | Type::Pointer(_) | Type::Other => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::declared::{Field, Record};

    #[test]
    fn bytes_are_members_and_elements() {
        let mut declared = Declared::default();
        let int = declared.types.push(Type::Scalar(Ty::int(32, true)));
        let byte = declared.types.push(Type::Scalar(Ty::int(8, false)));
        let bytes = declared.types.push(Type::Array(byte, Some(4)));
        let field = |name: Option<&str>, offset, ty| Field { name: name.map(Into::into), offset, ty, bits: None };
        let record = |size, fields| Type::Record(Record { name: None, size: Some(size), fields });
        // An anonymous union of a number and its bytes.
        let either = declared.types.push(record(4, vec![field(Some("n"), 0, int), field(Some("b"), 0, bytes)]));
        let whole = declared.types.push(record(16, vec![field(Some("key"), 0, byte), field(None, 8, either)]));
        let table = declared.types.push(Type::Array(whole, Some(3)));
        let of = |offset, size| path(&declared, DataModel::Lp64, table, offset, size);
        assert_eq!(of(0, None), (String::new(), 0));
        assert_eq!(of(16, None), ("[1]".into(), 0));
        assert_eq!(of(48, None), ("[3]".into(), 0), "the end");
        assert_eq!(of(49, None), (String::new(), 49), "beyond");
        assert_eq!(of(20, None), ("[1]".into(), 4), "padding");
        assert_eq!(of(25, None), ("[1].b[1]".into(), 0));
        assert_eq!(of(24, Some(4)), ("[1].n".into(), 0));
        assert_eq!(of(24, Some(1)), ("[1].b[0]".into(), 0));
        assert_eq!(of(16, Some(1)), ("[1].key".into(), 0));
        assert_ne!(of(16, Some(4)).1, 0, "no member is read as a whole");
        assert_ne!(of(48, Some(1)).1, 0, "nothing is read at the end");
    }

    #[test]
    fn blocks_are_called_after_who_makes_them() {
        assert_eq!(["push.malloc", "push.malloc.2", "alone"].map(site_word), ["malloc", "malloc", "alone"]);
    }
}

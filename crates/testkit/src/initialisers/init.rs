//! Random initialisers: lists whose items go to members by position or by designators, over and over.

use super::types::{Ty, Types};
use base::rng::Rng;

/// What initialisers may contain where they stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// An object of static storage: constants only.
    Static,
    /// In a function with a parameter `n` and the function `effect`.
    Function,
}

/// The braced initialiser of an object.
pub(super) fn list(rng: &mut Rng, types: &Types, ty: &Ty, place: Where, depth: u32) -> String {
    if rng.chance(4) {
        return "{ }".to_owned();
    }
    let items: Vec<String> = (0..1 + rng.below(5)).map(|i| item(rng, types, ty, place, depth, i == 0)).collect();
    format!("{{ {}{} }}", items.join(", "), if rng.chance(20) { "," } else { "" })
}

fn item(rng: &mut Rng, types: &Types, ty: &Ty, place: Where, depth: u32, first: bool) -> String {
    if rng.chance(60)
        && let Some((designator, target)) = designated(rng, types, ty, 0)
    {
        // gcc refuses lists that are not constant for a range of arrays.
        let constant = designator.contains("...") && (matches!(target, Ty::Array(..)) || rng.chance(40));
        let place = if constant { Where::Static } else { place };
        return format!("{designator} = {}", value(rng, types, &target, place, depth + 1));
    }
    // What comes next is not known here: a scalar goes anywhere, even where there is no more room; a flat list of them goes
    // to the first place, whatever that is.
    match rng.below(if first { 8 } else { 1 }) {
        _ if !first => scalar(rng, place),
        0 => format!("{{ {}, {} }}", scalar(rng, place), scalar(rng, place)),
        1 => format!("{{ {} }}", scalar(rng, place)),
        _ => scalar(rng, place),
    }
}

/// A chain of designators and the type of what it names.
fn designated(rng: &mut Rng, types: &Types, ty: &Ty, depth: u32) -> Option<(String, Ty)> {
    let (step, inner) = match ty {
        Ty::Scalar(_) => return None,
        Ty::Array(elem, n) => {
            let first = rng.below(*n);
            let last = first + rng.below(*n - first);
            let index =
                if last > first && rng.chance(60) { format!("[{first} ... {last}]") } else { format!("[{first}]") };
            (index, (**elem).clone())
        }
        Ty::Record(r) => {
            let named = types.named(*r);
            if named.is_empty() {
                return None;
            }
            let (name, ty, _) = named[rng.below(named.len() as u64) as usize].clone();
            (format!(".{name}"), ty)
        }
    };
    if depth < 3
        && rng.chance(55)
        && let Some((rest, target)) = designated(rng, types, &inner, depth + 1)
    {
        return Some((format!("{step}{rest}"), target));
    }
    Some((step, inner))
}

/// Something that initialises an object of a known type.
fn value(rng: &mut Rng, types: &Types, ty: &Ty, place: Where, depth: u32) -> String {
    match ty {
        Ty::Scalar(_) if rng.chance(6) => format!("{{ {} }}", scalar(rng, place)),
        Ty::Scalar(_) => scalar(rng, place),
        Ty::Array(elem, n) if matches!(**elem, Ty::Scalar(0..=2)) && rng.chance(60) => {
            let text: String =
                (0..rng.below(*n + 1)).map(|i| char::from(b'a' + ((rng.below(20) + i) % 26) as u8)).collect();
            if rng.chance(20) { format!("{{ \"{text}\" }}") } else { format!("\"{text}\"") }
        }
        Ty::Record(r) if place == Where::Function && rng.chance(7) && !types.tags().is_empty() => whole(types, *r),
        _ if depth < 4 && rng.chance(75) => list(rng, types, ty, place, depth),
        _ => scalar(rng, place),
    }
}

/// The object of a record type that every program has; anonymous records have none.
fn whole(types: &Types, r: usize) -> String {
    if types.tags().contains(&format!("R{r}")) { format!("whole{r}") } else { "5".to_owned() }
}

fn scalar(rng: &mut Rng, place: Where) -> String {
    let number = rng.below(300);
    match (place, rng.below(8)) {
        (Where::Function, 0) => format!("n + {number}"),
        (Where::Function, 1) => format!("effect({number})"),
        (_, 2) => "0".to_owned(),
        _ => number.to_string(),
    }
}

//! C's integer types: their names, and the conversions of its operators.

use ir::{DataModel, Expr, IntTy, Ty};

/// The name of a type in C; types that C does not have are named as in IR.
pub(super) fn type_name(model: DataModel, ty: Ty) -> String {
    let sign = |signed: bool, name: &str| if signed { name.to_owned() } else { format!("unsigned {name}") };
    match ty {
        Ty::Bool => "_Bool".to_owned(),
        Ty::Ptr => "void *".to_owned(),
        Ty::Int(IntTy { width: 8, signed: true }) => "signed char".to_owned(),
        Ty::Int(i) => match (i.width, model) {
            (8, _) => "unsigned char".to_owned(),
            (16, _) => sign(i.signed, "short"),
            (32, _) => sign(i.signed, "int"),
            (64, DataModel::Lp64) => sign(i.signed, "long"),
            (64, DataModel::Ilp32) => sign(i.signed, "long long"),
            (128, _) => sign(i.signed, "__int128"),
            (w, _) => format!("{}{w}", if i.signed { 'i' } else { 'u' }),
        },
        Ty::Float(f) => format!("f{}", f.width()),
    }
}

/// The type that a sequence of words names, if it does.
pub(super) fn named_type(model: DataModel, words: &[&str], stars: usize) -> Option<Ty> {
    if stars > 0 {
        return Some(Ty::Ptr);
    }
    if let [word] = words
        && let Some(ty) = ir_name(word)
    {
        return Some(ty);
    }
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    let known = ["signed", "unsigned", "char", "short", "int", "long", "__int128", "_Bool", "bool"];
    if words.is_empty() || words.iter().any(|w| !known.contains(w)) {
        return None;
    }
    if count("_Bool") + count("bool") > 0 {
        return (words.len() == 1).then_some(Ty::Bool);
    }
    let long = if model == DataModel::Lp64 { 64 } else { 32 };
    let width = match (count("char"), count("short"), count("long"), count("__int128"), count("int")) {
        (1, 0, 0, 0, 0) => 8,
        (0, 1, 0, 0, _) => 16,
        (0, 0, 0, 0, _) => 32,
        (0, 0, 1, 0, _) => long,
        (0, 0, 2, 0, _) => 64,
        (0, 0, 0, 1, 0) => 128,
        _ => return None,
    };
    (count("signed") + count("unsigned") <= 1).then(|| Ty::int(width, count("unsigned") == 0))
}

/// Whether a word can begin the name of a type.
pub(super) fn begins_type(word: &str) -> bool {
    let words = ["signed", "unsigned", "char", "short", "int", "long", "__int128", "_Bool", "bool", "void"];
    words.contains(&word) || ir_name(word).is_some()
}

fn ir_name(word: &str) -> Option<Ty> {
    let signed = word.starts_with('i');
    let digits = word.strip_prefix(['i', 'u'])?;
    let width: u16 = digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))?;
    (1..=128).contains(&width).then_some(Ty::int(width, signed))
}

/// C's integer promotions.
pub(super) fn promote(e: Expr) -> Expr {
    match e.ty {
        Ty::Bool | Ty::Int(IntTy { width: 0..=31, .. }) => Expr::convert(Ty::int(32, true), e),
        _ => e,
    }
}

/// C's usual arithmetic conversions: both operands in their common type.
pub(super) fn balance(a: Expr, b: Expr) -> (Expr, Expr) {
    let (a, b) = (promote(a), promote(b));
    let (Ty::Int(x), Ty::Int(y)) = (a.ty, b.ty) else { return (a, b) };
    let common = if x.width == y.width {
        IntTy { width: x.width, signed: x.signed && y.signed }
    } else if x.width > y.width {
        x
    } else {
        y
    };
    (Expr::convert(Ty::Int(common), a), Expr::convert(Ty::Int(common), b))
}

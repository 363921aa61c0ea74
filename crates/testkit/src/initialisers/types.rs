//! Random types with layouts worth looking at.

use base::rng::Rng;

/// Scalars, as the programs name them. The last five are of other alignment than their size: typedefs of the prelude.
pub(super) const SCALARS: [&str; 16] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "int",
    "unsigned",
    "long",
    "long long",
    "_Bool",
    "float",
    "double",
    "low_int",
    "low_short",
    "low_long",
    "mid_double",
    "high_int",
];

/// Typedefs that [`SCALARS`] speaks of.
pub(super) const TYPEDEFS: &str = "typedef int low_int __attribute__((aligned(1)));\n\
    typedef unsigned short low_short __attribute__((aligned(1)));\n\
    typedef long long low_long __attribute__((aligned(2)));\n\
    typedef double mid_double __attribute__((aligned(4)));\n\
    typedef int high_int __attribute__((aligned(16)));\n";

/// The names of [`TYPEDEFS`].
pub(super) const TYPEDEF_NAMES: [&str; 5] = ["low_int", "low_short", "low_long", "mid_double", "high_int"];

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    /// By index into [`SCALARS`].
    Scalar(usize),
    Array(Box<Ty>, u64),
    /// By index into [`Types`].
    Record(usize),
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Nothing for an anonymous structure or union.
    pub(super) name: Option<String>,
    pub(super) ty: Ty,
    pub(super) bits: Option<u64>,
    attrs: String,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) union: bool,
    pub(super) fields: Vec<Field>,
    attrs: String,
    /// It is declared where it is used, without a tag.
    inline: bool,
}

/// The types of one program.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) records: Vec<Record>,
    n_names: usize,
}

const INTEGERS: u64 = 9;

impl Types {
    /// Some records, each of which may contain those before it.
    pub(super) fn random(rng: &mut Rng) -> Types {
        let mut types = Types::default();
        for _ in 0..2 + rng.below(3) {
            types.record(rng, 0);
        }
        types
    }

    fn record(&mut self, rng: &mut Rng, depth: u32) -> usize {
        let union = rng.chance(if depth == 0 { 20 } else { 45 });
        let n = 1 + rng.below(if union { 3 } else { 5 });
        let mut fields: Vec<Field> = (0..n).map(|_| self.field(rng, depth)).collect();
        // Something must take a value.
        if fields.iter().all(|f| f.name.is_none() && f.bits.is_some()) {
            self.n_names += 1;
            let name = Some(format!("m{}", self.n_names));
            fields.push(Field { name, ty: Ty::Scalar(0), bits: None, attrs: String::new() });
        }
        let mut attrs = String::new();
        if rng.chance(12) {
            attrs.push_str(" __attribute__((packed))");
        }
        if rng.chance(12) {
            attrs.push_str(&format!(" __attribute__((aligned({})))", 1u64 << rng.below(5)));
        }
        self.records.push(Record { union, fields, attrs, inline: depth > 0 });
        self.records.len() - 1
    }

    fn field(&mut self, rng: &mut Rng, depth: u32) -> Field {
        if depth < 2 && rng.chance(10) {
            let ty = Ty::Record(self.record(rng, depth + 1));
            return Field { name: None, ty, bits: None, attrs: String::new() };
        }
        self.n_names += 1;
        let name = format!("m{}", self.n_names);
        if rng.chance(22) {
            let scalar = rng.below(INTEGERS) as usize;
            let most = match SCALARS[scalar] {
                "_Bool" => 1,
                "short" => 16,
                "int" | "unsigned" | "long" => 32,
                "long long" => 64,
                _ => 8,
            };
            let bits = Some(1 + rng.below(most));
            let name = Some(name).filter(|_| !rng.chance(10));
            return Field { name, ty: Ty::Scalar(scalar), bits, attrs: String::new() };
        }
        let ty = self.member_type(rng, depth);
        let attrs = match rng.below(14) {
            0 => " __attribute__((packed))".to_owned(),
            1 => format!(" __attribute__((aligned({})))", 1u64 << rng.below(4)),
            _ => String::new(),
        };
        Field { name: Some(name), ty, bits: None, attrs }
    }

    fn member_type(&mut self, rng: &mut Rng, depth: u32) -> Ty {
        match rng.below(10) {
            0..=4 => Ty::Scalar(rng.below(SCALARS.len() as u64) as usize),
            5..=6 => {
                let elem = if rng.chance(40) { Ty::Scalar(0) } else { self.element(rng) };
                let array = Ty::Array(Box::new(elem), 1 + rng.below(4));
                if rng.chance(15) { Ty::Array(Box::new(array), 2) } else { array }
            }
            _ if depth == 0 && !self.tagged().is_empty() => Ty::Record(self.any_tagged(rng)),
            _ => Ty::Scalar(rng.below(SCALARS.len() as u64) as usize),
        }
    }

    /// What arrays can have: gcc refuses elements that are aligned to more than their size.
    fn element(&self, rng: &mut Rng) -> Ty {
        match self.tagged() {
            tagged if !tagged.is_empty() && rng.chance(50) => {
                Ty::Record(tagged[rng.below(tagged.len() as u64) as usize])
            }
            _ => Ty::Scalar(rng.below(SCALARS.len() as u64 - 1) as usize),
        }
    }

    fn tagged(&self) -> Vec<usize> {
        (0..self.records.len()).filter(|&r| !self.records[r].inline).collect()
    }

    /// A record that has a name.
    pub(super) fn any_tagged(&self, rng: &mut Rng) -> usize {
        let tagged = self.tagged();
        tagged[rng.below(tagged.len() as u64) as usize]
    }

    /// The tags in the order of their definition.
    pub(super) fn tags(&self) -> Vec<String> {
        self.tagged().into_iter().map(|r| format!("R{r}")).collect()
    }

    /// The definitions of all records.
    pub(super) fn text(&self) -> String {
        self.tagged().into_iter().map(|r| format!("{};\n", self.body(r, &format!("R{r}")))).collect()
    }

    fn body(&self, r: usize, tag: &str) -> String {
        let record = &self.records[r];
        let word = if record.union { "union" } else { "struct" };
        let fields: String = record.fields.iter().map(|f| format!(" {};", self.member(f))).collect();
        format!("{word} {tag} {{{fields} }}{}", record.attrs)
    }

    fn member(&self, f: &Field) -> String {
        let name = f.name.as_deref().unwrap_or("");
        match (&f.ty, f.bits) {
            (Ty::Record(r), _) if f.name.is_none() => self.body(*r, ""),
            (ty, Some(bits)) => format!("{} : {bits}", self.declare(ty, name)),
            (ty, None) => format!("{}{}", self.declare(ty, name), f.attrs),
        }
    }

    /// A declarator of this type.
    pub(super) fn declare(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Scalar(s) => format!("{} {name}", SCALARS[*s]),
            Ty::Array(elem, n) => self.declare(elem, &format!("{name}[{n}]")),
            Ty::Record(r) => format!("{} R{r} {name}", if self.records[*r].union { "union" } else { "struct" }),
        }
    }

    /// The fields that a designator can name, with those of anonymous members: name, type, whether it is a bit-field.
    pub(super) fn named(&self, r: usize) -> Vec<(String, Ty, bool)> {
        let mut out = Vec::new();
        for f in &self.records[r].fields {
            match (&f.name, &f.ty) {
                (Some(name), ty) => out.push((name.clone(), ty.clone(), f.bits.is_some())),
                (None, Ty::Record(inner)) => out.extend(self.named(*inner)),
                (None, _) => {}
            }
        }
        out
    }

    /// The scalars of an object that lie in no union: how to read them, and whether they are bit-fields.
    pub(super) fn leaves(&self, ty: &Ty, path: &str, out: &mut Vec<(String, bool)>) {
        match ty {
            Ty::Scalar(_) => out.push((path.to_owned(), false)),
            Ty::Array(elem, n) => (0..*n).for_each(|i| self.leaves(elem, &format!("{path}[{i}]"), out)),
            Ty::Record(r) if self.records[*r].union => {}
            Ty::Record(r) => {
                for f in &self.records[*r].fields {
                    match (&f.name, f.bits) {
                        (Some(name), Some(_)) => out.push((format!("{path}.{name}"), true)),
                        (Some(name), None) => self.leaves(&f.ty, &format!("{path}.{name}"), out),
                        (None, None) => self.leaves(&f.ty, path, out),
                        (None, Some(_)) => {}
                    }
                }
            }
        }
    }
}

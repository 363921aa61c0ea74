//! Record types, the objects of them, and the scalars inside.

use super::Gen;

/// A struct or union type.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// How the type is written.
    pub(super) name: String,
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Int(&'static str),
    Float(&'static str),
    Bits,
    IntArray(&'static str, u64),
    FloatArray(&'static str, u64),
    Record(usize),
    Function,
}

/// A scalar that a program can read and write.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The expression.
    pub(super) place: String,
    /// Its type; empty for a bit-field, which has no address.
    pub(super) ty: &'static str,
    pub(super) is_float: bool,
    /// Not to be written.
    pub(super) constant: bool,
}

impl Leaf {
    pub(super) fn int(place: &str, ty: &'static str) -> Leaf {
        Leaf { place: place.to_owned(), ty, is_float: false, constant: false }
    }

    pub(super) fn float(place: &str, ty: &'static str) -> Leaf {
        Leaf { place: place.to_owned(), ty, is_float: true, constant: false }
    }

    /// Puts the scalar into the checksum.
    pub(super) fn fold(&self) -> String {
        if self.is_float { format!("fold(fold_float({}));", self.place) } else { format!("fold({});", self.place) }
    }
}

pub(super) const INTS: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];
const FLOATS: [&str; 2] = ["float", "double"];

impl Gen {
    /// Defines a new record type.
    pub(super) fn record(&mut self) {
        let index = self.records.len();
        let name = format!("rec{index}");
        self.out.names.push(name.clone());
        let record = if self.rng.chance(25) { self.union(name) } else { self.structure(name) };
        self.records.push(record);
    }

    /// All members of a union cover the same 16 bytes.
    fn union(&mut self, name: String) -> Record {
        self.out.mark("union");
        self.out.open("typedef union {");
        self.out.line("unsigned long long q[2];");
        self.out.line("unsigned w[4];");
        self.out.line("unsigned char b[16];");
        self.out.line("struct { unsigned lo : 13, mid : 19; int hi; short s[4]; } v;");
        self.out.close(&format!("}} {name};"));
        let field = |name: &str, shape| Field { name: name.to_owned(), shape };
        let fields = vec![
            field("q", Shape::IntArray("unsigned long long", 2)),
            field("w", Shape::IntArray("unsigned", 4)),
            field("b", Shape::IntArray("unsigned char", 16)),
            field("v.lo", Shape::Bits),
            field("v.mid", Shape::Bits),
            field("v.hi", Shape::Int("int")),
            field("v.s", Shape::IntArray("short", 4)),
        ];
        Record { name, fields }
    }

    fn structure(&mut self, name: String) -> Record {
        self.out.open("typedef struct {");
        let mut fields = Vec::new();
        for i in 0..2 + self.rng.below(5) {
            let field = format!("m{i}");
            let shape = self.member(&field);
            fields.push(Field { name: field, shape });
        }
        let packed = self.rng.chance(15);
        if packed {
            self.out.mark("packed");
        }
        self.out.close(&format!("}}{} {name};", if packed { " __attribute__((packed))" } else { "" }));
        Record { name, fields }
    }

    fn member(&mut self, name: &str) -> Shape {
        match self.rng.below(12) {
            0..=2 => {
                let ty = *self.rng.pick(&INTS);
                self.out.line(&format!("{ty} {name};"));
                Shape::Int(ty)
            }
            3..=4 => {
                self.out.mark("float");
                let ty = *self.rng.pick(&FLOATS);
                self.out.line(&format!("{ty} {name};"));
                Shape::Float(ty)
            }
            5..=7 => {
                self.bit_field(name);
                Shape::Bits
            }
            8 => {
                self.out.mark("array");
                let (ty, n) = (*self.rng.pick(&INTS), 2 << self.rng.below(2));
                self.out.line(&format!("{ty} {name}[{n}];"));
                Shape::IntArray(ty, n)
            }
            9 => {
                self.out.mark("array");
                let ty = *self.rng.pick(&FLOATS);
                self.out.line(&format!("{ty} {name}[2];"));
                Shape::FloatArray(ty, 2)
            }
            10 if !self.records.is_empty() => {
                self.out.mark("nested record");
                let inner = self.rng.index(self.records.len());
                let ty = self.records[inner].name.clone();
                self.out.line(&format!("{ty} {name};"));
                Shape::Record(inner)
            }
            _ => {
                self.out.line(&format!("int (*{name})(int);"));
                Shape::Function
            }
        }
    }

    fn bit_field(&mut self, name: &str) {
        let (ty, most) = match self.rng.below(6) {
            0 => ("signed char", 8),
            1 => ("unsigned short", 16),
            2 => ("int", 32),
            3 => ("unsigned", 32),
            4 => ("long long", 64),
            _ => ("unsigned long long", 64),
        };
        let width = 1 + self.rng.below(most);
        self.out.mark(if width > 32 { "wide bit-field" } else { "bit-field" });
        if self.rng.chance(10) {
            let padding = if self.rng.chance(50) { 0 } else { 1 + self.rng.below(most) };
            self.out.line(&format!("{ty} : {padding};"));
        }
        self.out.line(&format!("{ty} {name} : {width};"));
    }

    /// Defines a global of a record type.
    pub(super) fn global_object(&mut self, i: usize, record: usize) {
        let (name, ty) = (format!("obj{i}"), self.records[record].name.clone());
        self.out.names.push(name.clone());
        let functions = self.function_members(record, "");
        let init = if functions.is_empty() || self.rng.chance(20) {
            String::new()
        } else {
            self.out.mark("designated initialiser");
            format!(" = {{ {} }}", functions.iter().map(|f| format!("{f} = two")).collect::<Vec<_>>().join(", "))
        };
        // A function pointer without an initialiser is null, and is not called.
        self.out.line(&format!("{ty} {name}{init};"));
        self.add_object(&name, record);
    }

    /// Designators of the function pointers in a record.
    pub(super) fn function_members(&self, record: usize, prefix: &str) -> Vec<String> {
        let mut found = Vec::new();
        for field in &self.records[record].fields {
            match field.shape {
                Shape::Function => found.push(format!("{prefix}.{}", field.name)),
                Shape::Record(inner) => found.extend(self.function_members(inner, &format!("{prefix}.{}", field.name))),
                _ => {}
            }
        }
        found
    }

    /// Defines a global scalar or array.
    pub(super) fn global_scalar(&mut self, i: usize) {
        let name = format!("glob{i}");
        self.out.names.push(name.clone());
        let ty = *self.rng.pick(&INTS);
        match self.rng.below(4) {
            0 => {
                self.out.mark("float");
                let ty = *self.rng.pick(&FLOATS);
                let value = self.rng.below(4000) as f64 / 16.0 - 100.0;
                self.out.line(&format!("static {ty} {name} = {value:?};"));
                self.leaves.push(Leaf::float(&name, ty));
            }
            1 => {
                self.out.mark("array");
                self.out.mark("designated initialiser");
                let value = self.rng.below(100);
                self.out.line(&format!("{ty} {name}[4] = {{ 1, [2 ... 3] = {value} }};"));
                self.add_elements(&name, ty, 4, false);
            }
            2 if self.model == ir::DataModel::Lp64 => {
                self.out.mark("int128");
                let value = self.rng.below(1000);
                self.out.line(&format!("unsigned __int128 {name} = (unsigned __int128){value} << 61;"));
                self.leaves.push(Leaf::int(&name, "unsigned __int128"));
            }
            _ => {
                let value = self.rng.below(200) as i64 - 100;
                self.out.line(&format!("{ty} {name} = {value};"));
                self.leaves.push(Leaf::int(&name, ty));
            }
        }
    }

    /// Makes an object and its scalars known.
    pub(super) fn add_object(&mut self, name: &str, record: usize) {
        self.objects.push((name.to_owned(), record));
        for field in self.records[record].fields.clone() {
            let place = format!("{name}.{}", field.name);
            match field.shape {
                Shape::Int(ty) => self.leaves.push(Leaf::int(&place, ty)),
                Shape::Bits => self.leaves.push(Leaf::int(&place, "")),
                Shape::Float(ty) => self.leaves.push(Leaf::float(&place, ty)),
                Shape::IntArray(ty, n) => self.add_elements(&place, ty, n, false),
                Shape::FloatArray(ty, n) => self.add_elements(&place, ty, n, true),
                Shape::Record(inner) => {
                    let objects = self.objects.len();
                    self.add_object(&place, inner);
                    // Named on its own it would be copied over its own container.
                    self.objects.truncate(objects);
                }
                Shape::Function => {}
            }
        }
    }

    fn add_elements(&mut self, place: &str, ty: &'static str, n: u64, is_float: bool) {
        for i in 0..n.min(4) {
            let place = format!("{place}[{i}]");
            self.leaves.push(Leaf { place, ty, is_float, constant: false });
        }
    }
}

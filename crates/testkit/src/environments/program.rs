//! Random programs that live in an environment: globals of every linkage and pointers between them, objects that are declared
//! and never defined, undefined functions that get and give pointers, and checks that something has stayed as it was.
//!
//! Every pointer is null or points to a live object of its type, whatever the environment does within its rules: a run never
//! depends on undefined behaviour. Names end in `@`, which stands for nothing where the program is alone in its text, and for
//! its number where many are compiled together.

use base::rng::Rng;
use ir::Externs;
use lower::{Callbacks, Params};
use std::fmt::Write;

/// What all programs share.
pub(super) const HEAD: &str = "struct node { struct node *next; int v; int *p; int (*op)(int *); };
extern int nd(void);
extern int *ndp(void);
extern struct node *ndn(void);
extern void take(int *);
extern void takep(int **);
extern void taken(struct node *);
extern void give(void (*)(int *, int));
extern void (*hook)(int *, int);
extern int (*operation)(int *);
extern void reach_error(void);
";

/// Who knows a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Defined with external linkage.
    Named,
    /// Defined with internal linkage.
    Static,
    /// Declared, and defined by the environment.
    Outside,
    /// Of the function.
    Local,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// `int`.
    Int,
    /// `int *`.
    Cell,
    /// `int *const`, with its value.
    ConstCell,
    /// `int *[2]`.
    Array,
    /// `struct node`.
    Node,
    /// `struct node *`.
    Head,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) what: What,
}

/// How the program is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// By `main`.
    Main,
    /// By a function with two pointers to `int`, one to a node, and an `int`.
    Function(Params),
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text without [`HEAD`].
    pub(super) body: String,
    /// What undefined functions may do.
    pub externs: Externs,
    /// When they call functions of the program.
    pub callbacks: Callbacks,
    /// How it is entered.
    pub entry: Entry,
    pub(super) variables: Vec<Variable>,
    /// Functions that give the address of a static away.
    pub(super) accessors: Vec<String>,
    /// Functions that write a static.
    pub(super) setters: Vec<String>,
    /// Functions that call the entry function.
    pub(super) callers: Vec<String>,
}

/// The program of a seed whose entry finds a tree of objects.
pub fn tree_program(seed: u64) -> Program {
    made(Rng::new(seed ^ 0x0e47_1302), true)
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    made(Rng::new(seed ^ 0x0e47_1301), false)
}

fn made(mut rng: Rng, tree: bool) -> Program {
    let externs = *rng.pick(&[Externs::Any, Externs::Any, Externs::Args, Externs::Args, Externs::Pure]);
    let params = [Params::Any, Params::Any, Params::Nonnull, Params::Valid, Params::Distinct];
    let entry = if tree {
        Entry::Function(Params::Tree)
    } else if rng.chance(60) {
        Entry::Main
    } else {
        Entry::Function(*rng.pick(&params))
    };
    let callbacks = match externs {
        Externs::Pure => Callbacks::None,
        _ => *rng.pick(&[Callbacks::During, Callbacks::During, Callbacks::Later, Callbacks::None]),
    };
    let mut writer =
        Writer { rng, text: String::new(), variables: Vec::new(), functions: Vec::new(), operations: Vec::new(), tree };
    writer.globals();
    writer.called_back();
    writer.operations();
    let mut accessors = Vec::new();
    let statics: Vec<String> = writer.named(|v| v.kind == Kind::Static && v.what == What::Int);
    if let Some(s) = statics.first().filter(|_| writer.rng.chance(25)) {
        accessors.push("get@".to_owned());
        let through = writer.rng.chance(50);
        let result = if through { format!("int *r = &{s}; return r;") } else { format!("return &{s};") };
        writer.text.push_str(&format!("int *get@(void) {{ {result} }}\n"));
    }
    let (setters, callers) = match entry {
        Entry::Main => {
            writer.function("int main@(void)");
            Default::default()
        }
        Entry::Function(params) => writer.entry(params, &statics),
    };
    let Writer { text: body, variables, .. } = writer;
    let variables = variables.into_iter().filter(|v| v.kind != Kind::Local).collect();
    Program { body, externs, callbacks, entry, variables, accessors, setters, callers }
}

struct Writer {
    rng: Rng,
    text: String,
    variables: Vec<Variable>,
    /// Functions that the environment may be told of.
    functions: Vec<String>,
    /// Functions that can stand where the environment's own stand, too.
    operations: Vec<String>,
    /// What the entry finds is a tree, and the program looks whether it is.
    tree: bool,
}

impl Writer {
    fn named(&self, want: impl Fn(&Variable) -> bool) -> Vec<String> {
        self.variables.iter().filter(|v| want(v)).map(|v| v.name.clone()).collect()
    }

    fn value(&mut self) -> u64 {
        self.rng.below(6)
    }

    fn globals(&mut self) {
        for (what, least, most) in [
            (What::Int, 2, 5),
            (What::Cell, 1, 3),
            (What::Node, 0, 2),
            (What::Head, 0, 2),
            (What::Array, 0, 1),
            (What::ConstCell, 0, 1),
        ] {
            for i in 0..least + self.rng.below(most - least + 1) {
                let kinds: &[Kind] = match what {
                    What::ConstCell | What::Array => &[Kind::Named, Kind::Static],
                    What::Int => &[Kind::Named, Kind::Static, Kind::Static, Kind::Outside],
                    _ => &[Kind::Named, Kind::Named, Kind::Static, Kind::Static, Kind::Outside],
                };
                let kind = *self.rng.pick(kinds);
                self.global(what, kind, i);
            }
        }
    }

    /// Functions that change globals.
    fn called_back(&mut self) {
        for i in 0..self.rng.below(3) {
            let does = match self.rng.below(8) {
                0..=1 => format!("{} = x;", self.int()),
                2 => format!("if (x > 3) {} = 0;", self.int()),
                3 => "if (p) *p = x;".to_owned(),
                4 => format!("{} = p;", self.cell()),
                5 => format!("take(&{});", self.int()),
                6 => format!("nd(); {} = 4;", self.int()),
                _ => "nd();".to_owned(),
            };
            let name = format!("back{i}@");
            let _ = writeln!(self.text, "static void {name}(int *p, int x) {{ {does} }}");
            self.functions.push(name);
        }
    }

    /// Functions of the program with the type of those that the environment hands in.
    fn operations(&mut self) {
        for i in 0..self.rng.below(2) {
            let does = match self.rng.below(3) {
                0 => format!("{} = 5;", self.int()),
                1 => "if (p) *p = 4;".to_owned(),
                _ => format!("{} = p;", self.cell()),
            };
            let name = format!("operation{i}@");
            let _ = writeln!(self.text, "static int {name}(int *p) {{ {does} return 2; }}");
            self.operations.push(name);
        }
    }

    /// The call of an operation, of which nobody says here whose it is; or one of the program's own is put there.
    fn operation(&mut self, kept: &str) -> String {
        let place = match self.rng.below(3) {
            0 => "operation".to_owned(),
            1 => format!("{}.op", self.node()),
            _ => self.head(),
        };
        let (present, place) = match place.ends_with("op") || place == "operation" {
            true => (place.clone(), place),
            false => (format!("{place} && {place}->op"), format!("{place}->op")),
        };
        if !self.operations.is_empty() && self.rng.chance(25) {
            let f = self.rng.pick(&self.operations).clone();
            let holder = present.strip_suffix("->op").and_then(|p| p.split(" && ").next());
            return match holder {
                Some(holder) => format!("if ({holder}) {place} = {f};"),
                None => format!("{place} = {f};"),
            };
        }
        let argument = self.int_pointer();
        match self.rng.below(3) {
            0 => format!("if ({present}) {} = {place}({argument});", self.other(kept, Writer::int)),
            _ => format!("if ({present}) {place}({argument});"),
        }
    }

    fn global(&mut self, what: What, kind: Kind, i: u64) {
        let letter = match what {
            What::Int => 'i',
            What::Cell => 'c',
            What::ConstCell => 'k',
            What::Array => 'a',
            What::Node => 'n',
            What::Head => 'h',
        };
        let name = format!("{letter}{i}@");
        let storage = match kind {
            Kind::Static => "static ",
            Kind::Outside => "extern ",
            Kind::Named | Kind::Local => "",
        };
        let mut init = match what {
            What::Int => self.value().to_string(),
            What::Cell | What::ConstCell => self.address(),
            What::Array => format!("{{{}, {}}}", self.address(), self.address()),
            What::Node => format!("{{{}, {}, {}}}", self.node_address(), self.value(), self.address()),
            What::Head => self.node_address(),
        };
        if kind == Kind::Outside || self.rng.chance(30) && what != What::ConstCell {
            init.clear();
        } else {
            init = format!(" = {init}");
        }
        let declaration = match what {
            What::Int => format!("int {name}"),
            What::Cell => format!("int *{name}"),
            What::ConstCell => format!("int *const {name}"),
            What::Array => format!("int *{name}[2]"),
            What::Node => format!("struct node {name}"),
            What::Head => format!("struct node *{name}"),
        };
        let _ = writeln!(self.text, "{storage}{declaration}{init};");
        self.variables.push(Variable { name, kind, what });
    }

    /// A constant address of an `int`, or null. What lives outside has none that gcc takes in an initialiser of another unit's
    /// object, so it is left alone here.
    fn address(&mut self) -> String {
        let ints = self.named(|v| v.what == What::Int && v.kind != Kind::Outside);
        if ints.is_empty() || self.rng.chance(30) { "0".into() } else { format!("&{}", self.rng.pick(&ints)) }
    }

    fn node_address(&mut self) -> String {
        let nodes = self.named(|v| v.what == What::Node && v.kind != Kind::Outside);
        if nodes.is_empty() || self.rng.chance(30) { "0".into() } else { format!("&{}", self.rng.pick(&nodes)) }
    }

    /// A function with locals and random statements.
    fn function(&mut self, head: &str) {
        let _ = writeln!(self.text, "{head} {{");
        for (name, what, text) in [
            ("x", What::Int, "int x = 1;"),
            ("y", What::Int, "int y = 2;"),
            ("l", What::Cell, "int *l = 0;"),
            ("m", What::Node, "struct node m = {0, 3, 0};"),
        ] {
            let _ = writeln!(self.text, "  {text}");
            self.variables.push(Variable { name: name.into(), kind: Kind::Local, what });
        }
        if self.tree {
            self.tree_check();
        }
        for _ in 0..1 + self.rng.below(4) {
            self.statement("");
        }
        for _ in 0..1 + self.rng.below(2) {
            self.check();
            if self.rng.chance(40) {
                self.statement("");
            }
        }
        self.text.push_str("  return 0;\n}\n");
    }

    /// The entry function, and functions of the program that prepare and call it.
    fn entry(&mut self, params: Params, statics: &[String]) -> (Vec<String>, Vec<String>) {
        for (name, what) in [("p", What::Cell), ("q", What::Cell), ("h", What::Head), ("k", What::Int)] {
            self.variables.push(Variable { name: name.into(), kind: Kind::Local, what });
        }
        self.function("int f@(int *p, int *q, struct node *h, int k)");
        let (mut setters, mut callers) = (Vec::new(), Vec::new());
        for (i, s) in statics.iter().enumerate().filter(|_| true) {
            if self.rng.chance(40) {
                let _ = writeln!(self.text, "void set{i}@(int v) {{ {s} = v; }}");
                setters.push(format!("set{i}@"));
            }
        }
        if params != Params::Distinct && params != Params::Tree && self.rng.chance(40) {
            let (a, b) = (self.address_for_caller(params, statics), self.address_for_caller(params, statics));
            let nodes = self.named(|v| v.what == What::Node && v.kind == Kind::Static);
            let node = match nodes.first() {
                Some(n) => format!("&{n}"),
                None if params == Params::Any => "0".into(),
                None => "ndn()".into(),
            };
            let fits = !node.starts_with("ndn") && a != "0" && b != "0" || params == Params::Any;
            if fits {
                let _ = writeln!(self.text, "void call@(void) {{ f@({a}, {b}, {node}, {}); }}", self.rng.below(3));
                callers.push("call@".to_owned());
            }
        }
        (setters, callers)
    }

    fn address_for_caller(&mut self, params: Params, statics: &[String]) -> String {
        if statics.is_empty() || params == Params::Any && self.rng.chance(20) {
            return "0".into();
        }
        format!("&{}", self.rng.pick(statics))
    }

    // Places by type. All are always valid.

    fn int(&mut self) -> String {
        let mut all = self.named(|v| v.what == What::Int);
        all.extend(self.named(|v| v.what == What::Node).iter().map(|n| format!("{n}.v")));
        self.rng.pick(&all).clone()
    }

    fn cell(&mut self) -> String {
        let mut all = self.named(|v| v.what == What::Cell);
        all.extend(self.named(|v| v.what == What::Node).iter().map(|n| format!("{n}.p")));
        all.extend(self.named(|v| v.what == What::Array).iter().flat_map(|n| [format!("{n}[0]"), format!("{n}[1]")]));
        self.rng.pick(&all).clone()
    }

    fn head(&mut self) -> String {
        let mut all = self.named(|v| v.what == What::Head);
        all.extend(self.named(|v| v.what == What::Node).iter().map(|n| format!("{n}.next")));
        self.rng.pick(&all).clone()
    }

    fn node(&mut self) -> String {
        let all = self.named(|v| v.what == What::Node);
        self.rng.pick(&all).clone()
    }

    fn int_pointer(&mut self) -> String {
        match self.rng.below(6) {
            0 => "0".into(),
            1 => "ndp()".into(),
            2 => self.cell(),
            3 => self.named(|v| v.what == What::ConstCell).first().cloned().unwrap_or_else(|| "0".into()),
            _ => format!("&{}", self.int()),
        }
    }

    fn node_pointer(&mut self) -> String {
        match self.rng.below(4) {
            0 => "0".into(),
            1 => "ndn()".into(),
            _ => format!("&{}", self.node()),
        }
    }

    /// A statement that does not name `kept` as what it writes.
    fn statement(&mut self, kept: &str) {
        if !self.functions.is_empty() && self.rng.chance(15) {
            let f = self.rng.pick(&self.functions).clone();
            let form = if self.rng.chance(80) { format!("give({f});") } else { format!("hook = {f};") };
            let _ = writeln!(self.text, "  {form}");
            return;
        }
        let text = match self.rng.below(17) {
            0 => format!("{} = {};", self.other(kept, Writer::int), self.value()),
            1..=3 => {
                let to = self.other(kept, Writer::cell);
                format!("{to} = {};", self.int_pointer())
            }
            4 => {
                let to = self.other(kept, Writer::head);
                format!("{to} = {};", self.node_pointer())
            }
            5 => {
                let c = self.cell();
                format!("if ({c}) *{c} = {};", self.value())
            }
            6 => {
                let h = self.head();
                format!("if ({h}) {h}->v = {};", self.value())
            }
            7 => {
                let h = self.head();
                format!("if ({h} && {h}->p) *{h}->p = {};", self.value())
            }
            8 => {
                let p = self.int_pointer();
                format!("take({p});")
            }
            9 => {
                let c = self.cell();
                format!("takep(&{c});")
            }
            10 => {
                let n = self.node_pointer();
                format!("taken({n});")
            }
            11 => format!("{} = nd();", self.other(kept, Writer::int)),
            12..=14 => self.operation(kept),
            _ => "nd();".into(),
        };
        let _ = writeln!(self.text, "  {text}");
    }

    fn other(&mut self, kept: &str, place: fn(&mut Writer) -> String) -> String {
        loop {
            let found = place(self);
            if found != kept {
                return found;
            }
        }
    }

    /// Two pointers that are found lead to different objects, or one is null.
    fn tree_check(&mut self) {
        let ints = ["p", "q", "h->p"].map(str::to_owned);
        let mut all: Vec<String> = self.named(|v| v.what == What::Cell && v.kind != Kind::Local);
        all.extend(ints);
        let (a, b) = (self.rng.pick(&all).clone(), self.rng.pick(&all).clone());
        let node = self.named(|v| v.what == What::Head && v.kind == Kind::Named).first().cloned();
        let node = node.unwrap_or_else(|| "h".into());
        let wrong = match self.rng.below(6) {
            0 => format!("{a} && {a} != {b}"),
            1 => format!("{node} && {node}->next && {node}->next->p"),
            2 => format!("{node} && {node}->next == 0 && h->next"),
            3 => format!("{node} && {node}->next == h"),
            4 if a != b => format!("{a} && {a} == {b}"),
            _ => format!("h->next && h->next->p && h->next->p == {a}"),
        };
        let _ = writeln!(self.text, "  if ({wrong}) reach_error();");
    }

    /// Something is written, other things happen, and it should not have changed.
    fn check(&mut self) {
        let hidden = self.named(|v| matches!(v.kind, Kind::Static | Kind::Local) && v.what == What::Int);
        if self.rng.chance(75) {
            let place = if self.rng.chance(55) { self.rng.pick(&hidden).clone() } else { self.int() };
            let value = self.value();
            let _ = writeln!(self.text, "  {place} = {value};");
            self.meanwhile(&place);
            let _ = writeln!(self.text, "  if ({place} != {value}) reach_error();");
        } else {
            let (place, to) = (self.cell(), self.int());
            let _ = writeln!(self.text, "  {place} = &{to};");
            self.meanwhile(&place);
            let _ = writeln!(self.text, "  if ({place} != &{to}) reach_error();");
        }
    }

    fn meanwhile(&mut self, kept: &str) {
        for _ in 0..1 + self.rng.below(2) {
            self.statement(kept);
        }
        if self.rng.chance(60) {
            self.text.push_str("  nd();\n");
        }
    }
}

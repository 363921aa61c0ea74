//! Printing in SMT-LIB 2: questions for any other solver, and single terms for people.
//!
//! Map symbols are uninterpreted functions, so the logic is QF_BV or QF_UFBV, and with floating-point operations ALL. A subterm used more than once is printed
//! once, under a name of its own (`$1`, `$2`, … in the order of first use, so no term id reaches the text); output is
//! linear in the number of distinct subterms. Nothing here recurses over terms.

mod float;

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Symbol, Term};

/// The question whether all `terms` can hold together: declarations, assertions (what is known of objects' addresses
/// among them), `(check-sat)`.
pub fn query(store: &Store, terms: &[Term]) -> String {
    let axioms = store.object_axioms(&store.symbols_of(terms));
    let terms = &[terms, &axioms].concat()[..];
    let printer = Printer::new(store, terms);
    let mut out = String::new();
    let logic = match (printer.floats, printer.maps) {
        (true, _) => "ALL",
        (false, true) => "QF_UFBV",
        (false, false) => "QF_BV",
    };
    let _ = writeln!(out, "(set-logic {logic})");
    for &s in &printer.symbols {
        let (args, result) = match store.sort(store.symbol_term(s)) {
            Sort::Map { addr, value } => (sort(Sort::Bv(addr)), sort(Sort::Bv(value))),
            other => (String::new(), sort(other)),
        };
        let _ = writeln!(out, "(declare-fun {} ({args}) {result})", printer.names[&s]);
    }
    for (i, &t) in printer.shared.iter().enumerate() {
        let _ = write!(out, "(define-fun ${} () {} ", i + 1, sort(store.sort(t)));
        printer.write(&mut out, t, true);
        out.push_str(")\n");
    }
    for &t in terms {
        out.push_str("(assert ");
        printer.write(&mut out, t, false);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
    out
}

/// One term, shared subterms bound by `let`. Maps that are not symbols, which SMT-LIB's bit-vector logics lack, print as
/// applications of `store`, `set_range` and `copy_range`.
pub fn term(store: &Store, t: Term) -> String {
    let printer = Printer::new(store, &[t]);
    let mut out = String::new();
    for (i, &shared) in printer.shared.iter().enumerate() {
        let _ = write!(out, "(let ((${} ", i + 1);
        printer.write(&mut out, shared, true);
        out.push_str(")) ");
    }
    printer.write(&mut out, t, false);
    out.extend(std::iter::repeat_n(')', printer.shared.len()));
    out
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Map { addr, value } => format!("(Array (_ BitVec {addr}) (_ BitVec {value}))"),
    }
}

/// What is printed under which name.
struct Printer<'a> {
    store: &'a Store,
    /// Symbols in the order of first use.
    symbols: Vec<Symbol>,
    names: FxHashMap<Symbol, String>,
    maps: bool,
    floats: bool,
    /// Subterms with a name, operands before users.
    shared: Vec<Term>,
    index: FxHashMap<Term, usize>,
}

enum Task {
    Term(Term),
    /// Text without a space before it.
    Text(String),
}

fn is_leaf(node: &Node) -> bool {
    matches!(node, Node::Bool(_) | Node::Small { .. } | Node::Wide(_) | Node::Symbol(_))
}

impl<'a> Printer<'a> {
    fn new(store: &'a Store, roots: &[Term]) -> Printer<'a> {
        let mut printer = Printer {
            store,
            symbols: Vec::new(),
            names: FxHashMap::default(),
            maps: false,
            floats: false,
            shared: Vec::new(),
            index: FxHashMap::default(),
        };
        // Operands before users; how often each term is used.
        let mut order = Vec::new();
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut done: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for &root in roots {
            *uses.entry(root).or_default() += 1;
            stack.push((root, false));
            while let Some((t, operands_done)) = stack.pop() {
                if operands_done {
                    order.push(t);
                    continue;
                }
                if !done.insert(t) {
                    continue;
                }
                stack.push((t, true));
                let args: Vec<Term> = store.node(t).args().collect();
                for &arg in args.iter().rev() {
                    *uses.entry(arg).or_default() += 1;
                    stack.push((arg, false));
                }
            }
        }
        for t in order {
            printer.floats |= matches!(store.node(t), Node::Float1(..) | Node::Float2(..) | Node::Float3(..));
            match store.node(t) {
                Node::Symbol(s) => printer.symbols.push(s),
                node if uses[&t] > 1 && !is_leaf(&node) => {
                    printer.shared.push(t);
                    printer.index.insert(t, printer.shared.len());
                }
                _ => {}
            }
        }
        printer.name_symbols();
        printer
    }

    /// Gives each symbol a name that no other has and that means nothing else in SMT-LIB.
    fn name_symbols(&mut self) {
        let mut taken = FxHashSet::default();
        for &s in &self.symbols {
            self.maps |= matches!(self.store.sort(self.store.symbol_term(s)), Sort::Map { .. });
            let mut name: String =
                self.store.symbol_name(s).chars().map(|c| if matches!(c, '|' | '\\') { '_' } else { c }).collect();
            // A leading underscore leaves every reserved name and prefix; a trailing mark then tells equals apart.
            while name.is_empty() || reserved(&name) {
                name.insert(0, '_');
            }
            while taken.contains(&name) {
                name.push('\'');
            }
            taken.insert(name.clone());
            let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
            let plain =
                name.chars().all(simple) && !name.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '@');
            self.names.insert(s, if plain { name } else { format!("|{name}|") });
        }
    }

    /// Prints `t`; shared subterms (and `t` itself unless `define`) by name.
    fn write(&self, out: &mut String, t: Term, define: bool) {
        let mut tasks = vec![Task::Term(t)];
        let mut first = define;
        let mut space = false;
        while let Some(task) = tasks.pop() {
            let t = match task {
                Task::Text(text) => {
                    out.push_str(&text);
                    space = !text.ends_with(' ');
                    continue;
                }
                Task::Term(t) => t,
            };
            if space {
                out.push(' ');
            }
            space = true;
            match self.index.get(&t) {
                Some(i) if !first => {
                    let _ = write!(out, "${i}");
                    continue;
                }
                _ => first = false,
            }
            let node = self.store.node(t);
            if is_leaf(&node) {
                self.leaf(out, t, &node);
                continue;
            }
            if let Node::Float1(op, ..) | Node::Float2(op, ..) | Node::Float3(op, ..) = node {
                let frame = float::frame(op);
                tasks.push(Task::Text(frame.after));
                let last = node.args().len() - 1;
                for (i, arg) in node.args().collect::<Vec<Term>>().into_iter().enumerate().rev() {
                    let gap = if i == last { "" } else { " " };
                    tasks.push(Task::Text(format!("{}{gap}", frame.operand.1)));
                    tasks.push(Task::Term(arg));
                    tasks.push(Task::Text(frame.operand.0.clone()));
                }
                tasks.push(Task::Text(frame.before));
                continue;
            }
            out.push('(');
            let args: Vec<Term> = match node {
                // A read is the application of the map symbol's function.
                Node::Select(m, a) => {
                    let map = self.store.as_symbol(m).expect("only map symbols are read");
                    out.push_str(&self.names[&map]);
                    vec![a]
                }
                _ => {
                    self.head(out, &node);
                    node.args().collect()
                }
            };
            tasks.push(Task::Text(")".to_owned()));
            tasks.extend(args.into_iter().rev().map(Task::Term));
        }
    }

    fn leaf(&self, out: &mut String, t: Term, node: &Node) {
        match *node {
            Node::Bool(b) => {
                let _ = write!(out, "{b}");
            }
            Node::Symbol(s) => out.push_str(&self.names[&s]),
            _ => {
                let value = self.store.constant_of(t).expect("a leaf that is no symbol is a constant");
                if value.width().is_multiple_of(4) {
                    let _ = write!(out, "#{}", &value.to_string()[1..]);
                } else {
                    out.push_str("#b");
                    out.extend((0..value.width()).rev().map(|i| if value.bit(i) { '1' } else { '0' }));
                }
            }
        }
    }

    fn head(&self, out: &mut String, node: &Node) {
        let name = match *node {
            Node::Not(_) => "not",
            Node::And(..) => "and",
            Node::Eq(..) => "=",
            Node::Ite(..) => "ite",
            Node::BvNot(_) => "bvnot",
            Node::Concat(..) => "concat",
            Node::Bin(op, ..) => match op {
                BinOp::And => "bvand",
                BinOp::Or => "bvor",
                BinOp::Xor => "bvxor",
                BinOp::Add => "bvadd",
                BinOp::Mul => "bvmul",
                BinOp::Udiv => "bvudiv",
                BinOp::Urem => "bvurem",
                BinOp::Sdiv => "bvsdiv",
                BinOp::Srem => "bvsrem",
                BinOp::Shl => "bvshl",
                BinOp::Lshr => "bvlshr",
                BinOp::Ashr => "bvashr",
                BinOp::Ult => "bvult",
                BinOp::Slt => "bvslt",
            },
            Node::Extract { hi, lo, .. } => {
                let _ = write!(out, "(_ extract {hi} {lo})");
                return;
            }
            Node::ZeroExt { width, arg } => {
                let _ = write!(out, "(_ zero_extend {})", width - self.store.width(arg));
                return;
            }
            Node::SignExt { width, arg } => {
                let _ = write!(out, "(_ sign_extend {})", width - self.store.width(arg));
                return;
            }
            Node::Store(..) => "store",
            Node::SetRange { .. } => "set_range",
            Node::CopyRange { .. } => "copy_range",
            Node::Select(..)
            | Node::Float1(..)
            | Node::Float2(..)
            | Node::Float3(..)
            | Node::Bool(_)
            | Node::Small { .. }
            | Node::Wide(_)
            | Node::Symbol(_) => unreachable!("leaves, reads and operations on floats are printed elsewhere"),
        };
        out.push_str(name);
    }
}

/// Names with a meaning of their own in SMT-LIB or in z3, and those of our shared subterms.
fn reserved(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "!",
        "_",
        "and",
        "as",
        "as-array",
        "Array",
        "assert",
        "BitVec",
        "Bool",
        "concat",
        "const",
        "default",
        "distinct",
        "exists",
        "extract",
        "false",
        "forall",
        "if",
        "iff",
        "implies",
        "Int",
        "is",
        "ite",
        "lambda",
        "let",
        "map",
        "match",
        "not",
        "or",
        "par",
        "Real",
        "repeat",
        "RoundingMode",
        "select",
        "seq",
        "set",
        "sign_extend",
        "store",
        "String",
        "true",
        "update",
        "xor",
        "zero_extend",
        "=",
        "=>",
        "+",
        "-",
        "*",
        "/",
        "<",
        "<=",
        ">",
        ">=",
        "abs",
        "div",
        "mod",
        "rem",
        "int2bv",
        "bv2int",
        "bv2nat",
        "nat2bv",
        "rotate_left",
        "rotate_right",
        "ext_rotate_left",
        "ext_rotate_right",
        "root-obj",
        "pi",
        "euler",
        "sin",
        "cos",
        "tan",
        "union",
        "intersection",
        "complement",
        "subset",
        "array-ext",
        "to_real",
        "to_int",
        "is_int",
        "set_range",
        "copy_range",
    ];
    WORDS.contains(&name)
        || name.starts_with('$')
        || name.starts_with('?')
        || name.starts_with("bv")
        || name.starts_with("str.")
        || name.starts_with("re.")
        || name.starts_with("seq.")
        || name.starts_with("fp")
        || name.starts_with("char.")
        || name.starts_with("at-")
}

//! Predicate files over memory: what C's places mean in them, how they are printed, that this reads back, and what is refused.

use analysis::Analysis;
use base::{FileId, Id};
use ir::walk::{Visitor, walk_edge};
use ir::{DataModel, Expr, ExprKind, FuncId, Program, Ty};
use testkit::compile::compile;
use vc::{Encoder, Predicates, Scope, canonical};

const PROGRAM: &str = "\
struct in { short a; unsigned f : 3; int g : 5; unsigned char bytes[4]; };
struct node { int val; struct node *next; struct in in; union { int i; unsigned u; }; struct in more[2]; };
enum color { RED, GREEN = 7 };
int garr[8]; struct node gnode, *ghead; int matrix[3][4]; char *text; void (*hook)(void); enum color paint;
static void nothing(void) { }
int work(struct node *p, int *q, unsigned n, struct node s) {
    int i = 0, x = 1, *ip = &x; struct node l = s; struct node *nodes[2]; unsigned long big = n;
    int u1 = 1, u2 = 2; int *up = n ? &u1 : &u2; x = up == q;
    nodes[0] = p; nodes[1] = &l;
    p->val = *q; p->next = &gnode; p->in.f = 3; p->in.g = -1; p->in.a = 2; p->i = 4; p->more[1].a = 3; p->in.bytes[2] = 1;
    garr[i] = x; matrix[i][2] = *ip; text[i] = 'a'; l.next->val = 2; l.next->next = p; nodes[i]->val = 3; p[i].val = 3;
    ghead = p; hook = nothing; paint = GREEN; garr[3] = 1; *(short *)&gnode.val = 3; hook(); q[i] = garr[big];
    return l.in.a + gnode.in.f + p->next->in.a + s.val;
}
int main(void) { struct node z = { 0 }; int y = 0; text = (char[4]) { 0 }; return work(&z, &y, 1, z); }
";

fn program() -> Program {
    let compiled = compile("p.c", PROGRAM, DataModel::Lp64, &lower::Options::default());
    compiled.unwrap_or_else(|e| panic!("{e}")).program
}

/// What the only predicate of `work` is printed as, or why there is none.
fn read(program: &Program, text: &str) -> Result<String, String> {
    let file = FileId::from_index(0);
    let parsed = testkit::predicates::read(program, file, &format!("work: {text}"));
    if let Some(d) = parsed.diagnostics.first() {
        return Err(format!("{}: {}", d.id, d.message));
    }
    let [p] = &parsed.predicates[..] else { return Err(format!("{} predicates", parsed.predicates.len())) };
    let mut predicates = Predicates::new();
    predicates.insert(p.clone());
    let printed = predabs::predfile::print(program, &predicates);
    let again = testkit::predicates::read(program, file, &printed);
    assert!(again.diagnostics.is_empty(), "{text}: {printed}: {:?}", again.diagnostics);
    assert_eq!(again.predicates, parsed.predicates, "{text}: {printed}");
    let Scope::Function(f) = p.scope else { return Err("a global predicate".into()) };
    Ok(ir::as_c::show(program, f, &p.expr))
}

#[test]
fn places_are_cs_and_read_back() {
    let program = program();
    // A predicate and its negation are one: `*q <= x` is tracked as `x < *q`.
    for (text, shown) in [
        ("p->val == 3", "p->val == 3"),
        ("p->next == q", "q == p->next"),
        ("p->next->val > x", "x < p->next->val"),
        ("(*p).val", "p->val == 0"),
        ("*q <= x", "x < *q"),
        ("garr[i] > x", "x < garr[i]"),
        ("garr[3] == 1", "garr[3] == 1"),
        ("garr[big]", "garr[big] == 0"),
        ("matrix[i][2] == *ip", "matrix[i][2] == *ip"),
        ("gnode.in.f & 4", "(gnode.in.f & 4) == 0"),
        ("p->in.f == 3", "p->in.f == 3U"),
        ("p->in.g < 0", "p->in.g < 0"),
        ("p->more[1].a != 0", "p->more[1].a == 0"),
        ("p->in.bytes[2] == 1", "p->in.bytes[2] == 1"),
        ("p->i == 4", "p->i == 4"),
        ("s.val == l.val", "s.val == l.val"),
        ("&x == ip", "ip == &x"),
        ("ip == NULL", "ip == NULL"),
        ("p == 0", "p == NULL"),
        ("!p", "p == NULL"),
        ("p == &gnode", "p == &gnode"),
        ("q == garr", "q == garr"),
        ("q == &garr[2]", "q == &garr[2]"),
        ("q + 1 == ip", "ip == q + 1"),
        ("ip - q < 3", "((long)ip - (long)q) / 4L < 3L"),
        ("nodes[i]->val == 3", "nodes[i]->val == 3"),
        ("nodes[0] == p", "p == nodes[0]"),
        ("p[i].val == 3", "p[i].val == 3"),
        ("hook == nothing", "hook == nothing"),
        ("paint == GREEN", "paint == 7U"),
        ("*'q == '*q", "*'q == '(*q)"),
        ("'p->val == 3", "'p->val == 3"),
        ("'(p->next->val) == 'n", "(unsigned int)'(p->next->val) == 'n"),
        ("'gnode.val == gnode.val", "gnode.val == '(gnode.val)"),
        ("*(short *)&gnode == 3", "*(short *)(char *)&gnode == 3"),
        ("text[i] == 97", "text[i] == 97"),
        ("(unsigned char)text[i] > 3", "(unsigned char)text[i] < 4"),
    ] {
        assert_eq!(read(&program, text).as_deref(), Ok(shown), "{text}");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let program = program();
    for (text, why) in [
        ("p->nothing == 3", "undeclared: 'struct node' has no member named 'nothing'"),
        ("x->val == 3", "type: invalid type argument of '->' (have 'int')"),
        ("*hook == 3", "type: what this pointer points to has no type here: cast it, as in `*(int *)p`"),
        ("&i == ip", "address: the program does not take the address of `i`: no pointer equals it"),
        ("gnode == 3", "type: invalid operands to binary == (have 'struct node' and 'int')"),
        ("garr.x == 3", "type: request for member 'x' in something not a structure or union (have 'int [8]')"),
        ("q[p] == 3", "type: array subscript is not an integer"),
        ("'x == 3", "symbolic-constant: `'x` has no meaning: `x` is neither a parameter of `work` nor a global"),
        (
            "'(p->val + x) == 3",
            "symbolic-constant: `'x` has no meaning: `x` is neither a parameter of `work` nor a global",
        ),
        (
            "*up == 3",
            "memory: the predicate has no meaning in formulas: an access that the program itself does not make",
        ),
        ("(struct nobody *)p == q", "type: `struct nobody` is not a type that the program declares"),
    ] {
        assert_eq!(read(&program, text).err().as_deref(), Some(why), "{text}");
    }
}

/// The expressions of an edge that read back: neither floats nor object predicates have a text in C.
#[derive(Default)]
struct Readable(Vec<Expr>);

impl Visitor for Readable {
    fn expr(&mut self, e: &Expr) {
        struct Other(bool);
        impl Visitor for Other {
            fn expr(&mut self, e: &Expr) {
                self.0 |= matches!(e.ty, Ty::Float(_)) || matches!(e.kind, ExprKind::ObjectPredicate(..));
            }
        }
        let mut other = Other(false);
        ir::walk::walk_expr(e, &mut other);
        if !other.0 {
            self.0.push(e.clone());
        }
    }
}

/// Every expression of a program, as a condition, reads back as the same condition once both have their canonical form.
fn reads_back(analysis: &Analysis<'_>, func: FuncId, e: &Expr) -> Result<bool, String> {
    let program = analysis.program;
    let condition = Expr::nonzero(e.clone());
    let text = ir::as_c::show(program, func, &condition);
    let back = lower::annotation::condition(program, Some(func), FileId::from_index(0), &text)
        .map_err(|d| format!("{text}: {}: {}", d.id, d.message))?;
    let ((a, sign), (b, same)) = (canonical(&condition), canonical(&back));
    if (&a, sign) == (&b, same) {
        return Ok(true);
    }
    // A read as another type of the same size is written as a cast of the declared one, and constants fold to more on one
    // side than on the other: still the same value.
    let mut enc = Encoder::for_proof(analysis);
    let state = enc.arbitrary(func);
    let (Ok(x), Ok(y)) = (enc.eval(&state, &condition), enc.eval(&state, &back)) else {
        return Err(format!("{text}: is read as {}", ir::as_c::show(program, func, &back)));
    };
    let equal = enc.store.eq(x, y);
    match logic::check_valid(&enc.store, &[], equal, 20_000) {
        answer if answer.is_unsat() => Ok(false),
        _ => Err(format!("{text}: is read as {}", ir::as_c::show(program, func, &back))),
    }
}

#[test]
fn the_programs_own_expressions_read_back() {
    let (mut n, mut exact) = (0, 0);
    for seed in 0..12 {
        let model = if seed % 3 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let source = testkit::objects::generate(seed, model).program.source;
        let options = lower::Options::default();
        let program = compile("random.c", &source, model, &options).unwrap_or_else(|e| panic!("{e}")).program;
        let analysis = Analysis::new(&program);
        for (func, f) in program.functions.iter_enumerated() {
            let mut all = Readable::default();
            f.body.iter().flat_map(|b| b.edges.iter()).for_each(|e| walk_edge(e, &mut all));
            all.0.sort();
            all.0.dedup();
            for e in &all.0 {
                n += 1;
                let same = reads_back(&analysis, func, e).unwrap_or_else(|why| panic!("{seed}: {why}"));
                exact += u64::from(same);
            }
        }
    }
    assert!(n > 1000 && exact * 10 > n * 7, "{exact} of {n}");
}

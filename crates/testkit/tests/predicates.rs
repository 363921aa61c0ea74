//! Predicate files over memory: what C's places mean in them, how they are printed, that this reads back, and what is refused.

use base::{FileId, Id};
use ir::{DataModel, Program};
use testkit::compile::compile;
use vc::{Predicates, Scope};

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
    let parsed = predabs::predfile::parse(program, file, &format!("work: {text}"));
    if let Some(d) = parsed.diagnostics.first() {
        return Err(format!("{}: {}", d.id, d.message));
    }
    let [p] = &parsed.predicates[..] else { return Err(format!("{} predicates", parsed.predicates.len())) };
    let mut predicates = Predicates::new();
    predicates.insert(p.clone());
    let printed = predabs::predfile::print(program, &predicates);
    let again = predabs::predfile::parse(program, file, &printed);
    assert!(again.diagnostics.is_empty(), "{text}: {printed}: {:?}", again.diagnostics);
    assert_eq!(again.predicates, parsed.predicates, "{text}: {printed}");
    let Scope::Function(f) = p.scope else { return Err("a global predicate".into()) };
    Ok(predabs::show(program, f, &p.expr))
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
        ("p->nothing == 3", "undeclared: there is no member `nothing` that can be read"),
        ("x->val == 3", "type: this is no pointer"),
        ("*hook == 3", "type: what this pointer points to has no type here: cast it, as in `*(int *)p`"),
        ("&i == ip", "address: the program does not take the address of `i`: no pointer equals it"),
        ("gnode == 3", "type: a structure or union has no truth value: name one of its members"),
        ("garr.x == 3", "type: an array has no member `x`"),
        ("q[p] == 3", "type: `[` needs an array or a pointer before it and an integer behind it"),
        ("'x == 3", "symbolic-constant: `'x` has no meaning: `x` is neither a parameter of `work` nor a global"),
        (
            "'(p->val + x) == 3",
            "symbolic-constant: `'x` has no meaning: `x` is neither a parameter of `work` nor a global",
        ),
        (
            "*up == 3",
            "memory: the predicate has no meaning in formulas: an access that the program itself does not make",
        ),
        ("(struct nobody *)p == q", "type: `struct nobody` is not a type that predicates know"),
    ] {
        assert_eq!(read(&program, text).err().as_deref(), Some(why), "{text}");
    }
}

//! The environment in C: it keeps whatever it gets to know, and writes, stores and returns it as a random source says.

use super::program::{Entry, HEAD, Kind, Program, Variable, What};
use ir::Externs;
use lower::{Callbacks, Params};
use std::fmt::Write;

/// One text with all programs, their environments, and a `main` that runs each so many times, every time in a process of its
/// own. It prints, for each program, its number, how many runs reached the error, and how many ended otherwise than by returning.
pub(super) fn text(programs: &[Program], runs: u64) -> String {
    let mut text = format!("{HEAD}{SHARED}");
    for (k, program) in programs.iter().enumerate() {
        text.push_str(&one(program).replace('@', &format!("_{k}")));
    }
    text.push_str("static void (*const all[])(void) = {");
    (0..programs.len()).for_each(|k| write!(text, "run_{k}, ").expect("a string takes everything"));
    write!(text, "}};\nenum {{ PROGRAMS = {}, RUNS = {runs} }};\n{DRIVER}", programs.len()).expect("a string");
    text
}

fn one(program: &Program) -> String {
    let mut text = program.body.clone();
    for v in program.variables.iter().filter(|v| v.kind == Kind::Outside) {
        let _ = writeln!(text, "{} {};", c_type(v.what), v.name);
    }
    text.push_str("static void run@(void) {\n");
    let (none, later) = (program.callbacks == Callbacks::None, program.callbacks == Callbacks::Later);
    let pure = u8::from(program.externs == Externs::Pure);
    let tree = program.entry == Entry::Function(Params::Tree);
    let keeps = u8::from(tree && program.externs == Externs::Any);
    let modes = format!("pure = {pure}; none = {}; later = {}; keeps = {keeps};", u8::from(none), u8::from(later));
    let _ = writeln!(text, "  {modes}\n  begin();");
    let outside = |v: &&Variable| v.kind == Kind::Outside;
    let named = |v: &&Variable| v.kind == Kind::Named;
    let reached = match program.entry {
        Entry::Main => program.externs == Externs::Any,
        Entry::Function(Params::Distinct | Params::Tree) => program.externs == Externs::Any,
        Entry::Function(_) => true,
    };
    program.variables.iter().filter(outside).for_each(|v| know(&mut text, v));
    if reached {
        program.variables.iter().filter(named).for_each(|v| know(&mut text, v));
    }
    if program.externs == Externs::Any {
        program.accessors.iter().for_each(|f| writeln!(text, "  know_int({f}());").expect("a string"));
    }
    let set = |text: &mut String, v: &Variable| match v.what {
        What::Cell if tree => writeln!(text, "  {} = tree_int();", v.name),
        What::Head if tree => writeln!(text, "  {} = rnd(3) ? tree_node(0) : 0;", v.name),
        What::Array if tree => writeln!(text, "  {0}[0] = tree_int(); {0}[1] = tree_int();", v.name),
        What::Node if tree => {
            writeln!(text, "  {0}.v = val(); {0}.p = tree_int(); {0}.next = rnd(3) ? tree_node(0) : 0;", v.name)
        }
        What::Int => writeln!(text, "  {} = val();", v.name),
        What::Cell => writeln!(text, "  {} = any_int(1);", v.name),
        What::Head => writeln!(text, "  {} = any_node(1);", v.name),
        What::Array => writeln!(text, "  {0}[0] = any_int(1); {0}[1] = any_int(1);", v.name),
        What::Node => {
            writeln!(text, "  {0}.v = val(); {0}.p = any_int(1); {0}.next = any_node(1); {0}.op = any_op();", v.name)
        }
        What::ConstCell => Ok(()),
    };
    program.variables.iter().filter(outside).for_each(|v| set(&mut text, v).expect("a string"));
    match program.entry {
        Entry::Main => text.push_str("  main@();\n"),
        Entry::Function(params) => {
            let globals = program.variables.iter().filter(named);
            globals.for_each(|v| set(&mut text, v).expect("a string"));
            for f in &program.setters {
                let _ = writeln!(text, "  if (rnd(2)) {f}(val());");
            }
            for f in &program.callers {
                let _ = writeln!(text, "  if (rnd(2)) {{ {f}(); return; }}");
            }
            let (int, node) = match params {
                Params::Any => ("any_int(1)", "any_node(1)"),
                Params::Nonnull | Params::Valid => ("any_int(0)", "any_node(0)"),
                Params::Distinct => ("new_int()", "new_node()"),
                Params::Tree => ("own_value()", "tree_node(1)"),
            };
            let _ = writeln!(text, "  {{ int *p = {int}, *q = {int}; struct node *h = {node}; f@(p, q, h, val()); }}");
        }
    }
    text.push_str("}\n");
    text
}

fn c_type(what: What) -> &'static str {
    match what {
        What::Int => "int",
        What::Cell => "int *",
        What::Node => "struct node",
        What::Head => "struct node *",
        What::Array | What::ConstCell => unreachable!("these are always defined"),
    }
}

fn know(text: &mut String, v: &Variable) {
    let name = &v.name;
    let _ = match v.what {
        What::Int => writeln!(text, "  know_int(&{name});"),
        What::Cell => writeln!(text, "  know_cell(&{name});"),
        What::ConstCell => writeln!(text, "  know_int({name});"),
        What::Array => writeln!(text, "  know_cell(&{name}[0]); know_cell(&{name}[1]);"),
        What::Node => writeln!(text, "  know_node(&{name});"),
        What::Head => writeln!(text, "  know_head(&{name});"),
    };
}

const SHARED: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static unsigned long long seed;
static int pure;
static unsigned rnd(unsigned n) {
  seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
  return (unsigned)(seed >> 20) % n;
}
static int val(void) { return rnd(8); }
enum { MOST = 200 };
static int *ki[MOST]; static int nki;
static int **kc[MOST]; static int nkc;
static struct node *kn[MOST]; static int nkn;
static struct node **kh[MOST]; static int nkh;
static int changed;
#define KNOW(name, type, list, count) \\
  static void name(type x) { \\
    if (!x || count == MOST) return; \\
    for (int i = 0; i < count; i++) if (list[i] == x) return; \\
    list[count++] = x; changed = 1; \\
  }
KNOW(know_int, int *, ki, nki)
KNOW(know_cell, int **, kc, nkc)
KNOW(know_node, struct node *, kn, nkn)
KNOW(know_head, struct node **, kh, nkh)
static int own_int[3];
static struct node own_node[2];
static void reach(void) {
  do {
    changed = 0;
    for (int i = 0; i < nkc; i++) know_int(*kc[i]);
    for (int i = 0; i < nkh; i++) know_node(*kh[i]);
    for (int i = 0; i < nkn; i++) { know_int(&kn[i]->v); know_cell(&kn[i]->p); know_head(&kn[i]->next); }
  } while (changed);
}
typedef int (*operation_t)(int *);
operation_t operation;
static operation_t ko[MOST]; static int nko;
static void know_op(operation_t f) {
  if (!f || nko == MOST) return;
  for (int i = 0; i < nko; i++) if (ko[i] == f) return;
  ko[nko++] = f;
}
static operation_t any_op(void) {
  know_op(operation);
  for (int i = 0; i < nkn; i++) know_op(kn[i]->op);
  return rnd(4) ? ko[rnd(nko)] : 0;
}
static void act(void);
static int own_op(int *p) { know_int(p); act(); return val(); }
static int own_quiet_op(int *p) { if (!pure && p && rnd(2)) *p = val(); know_int(p); return val(); }
static int *any_int(int null) { reach(); return null && !rnd(4) ? 0 : ki[rnd(nki)]; }
static struct node *any_node(int null) { reach(); return null && !rnd(4) ? 0 : kn[rnd(nkn)]; }
static int *new_int(void) { int *p = malloc(sizeof *p); *p = val(); know_int(p); return p; }
static struct node *new_node(void) {
  struct node *n = malloc(sizeof *n);
  n->v = val(); n->p = any_int(1); n->next = any_node(1); n->op = any_op();
  know_node(n);
  return n;
}
/* Whether what the entry finds is known here, too. */
static int keeps;
static int *own_value(void) { int *p = malloc(sizeof *p); *p = val(); if (keeps) know_int(p); return p; }
static int *tree_int(void) { return rnd(3) ? own_value() : 0; }
static struct node *tree_node(int deep) {
  struct node *n = malloc(sizeof *n);
  n->v = val(); n->p = tree_int(); n->next = deep && rnd(3) ? tree_node(0) : 0; n->op = 0;
  if (keeps) know_node(n);
  return n;
}
static void begin(void) {
  know_op(own_op); know_op(own_quiet_op);
  for (int i = 0; i < 3; i++) { own_int[i] = val(); know_int(&own_int[i]); }
  for (int i = 0; i < 2; i++) {
    own_node[i].v = val(); own_node[i].p = rnd(2) ? &own_int[i] : 0; own_node[i].next = rnd(2) ? &own_node[1 - i] : 0;
    own_node[i].op = any_op();
    know_node(&own_node[i]);
  }
  operation = any_op();
}
typedef void (*function)(int *, int);
function hook;
static function kf[8]; static int nkf, none, later, depth;
static void call_back(function f) {
  if (none || depth > 1 || !f) return;
  for (unsigned n = rnd(3); n; n--) { depth++; f(any_int(1), val()); depth--; }
}
static void act(void) {
  reach();
  if (pure) return;
  if (rnd(2)) call_back(hook);
  if (later && nkf && rnd(2)) call_back(kf[rnd(nkf)]);
  int thorough = !rnd(3), value = val();
  if (thorough) for (int i = 0; i < nki; i++) *ki[i] = value;
  for (unsigned n = rnd(4); n; n--) {
    unsigned which = rnd(4);
    if (which < 2) *ki[rnd(nki)] = val();
    else if (which == 2 && nkc) *kc[rnd(nkc)] = any_int(1);
    else if (nkh && rnd(2)) *kh[rnd(nkh)] = any_node(1);
    else if (nkn && rnd(2)) kn[rnd(nkn)]->op = any_op();
    else operation = any_op();
    reach();
  }
}
int nd(void) { act(); return val(); }
int *ndp(void) { act(); return any_int(1); }
struct node *ndn(void) { act(); return any_node(1); }
void give(function f) {
  if (nkf < 8) kf[nkf++] = f;
  act(); call_back(f); act();
}
void take(int *p) { know_int(p); act(); }
void takep(int **p) { know_cell(p); act(); }
void taken(struct node *p) { know_node(p); act(); }
void reach_error(void) { _exit(42); }
";

const DRIVER: &str = "
int main(void) {
  for (int k = 0; k < PROGRAMS; k++) {
    int errors = 0, discarded = 0;
    for (int r = 0; r < RUNS; r++) {
      int child = fork(), status;
      if (child == 0) {
        seed = 88172645463325252ull + 1000003ull * r + 7919ull * k;
        for (int i = 0; i < 20; i++) rnd(2);
        alarm(5);
        all[k]();
        _exit(0);
      }
      waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 42) errors++;
      else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) discarded++;
    }
    printf(\"%d %d %d\\n\", k, errors, discarded);
    fflush(stdout);
  }
  return 0;
}
";

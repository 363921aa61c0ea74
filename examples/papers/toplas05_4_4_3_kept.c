// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_4_4_3_kept.preds
//
// The counterpart of toplas05_4_4_3.c: the call may write `g`, but gives it the value it had. The returned predicate
// g = 'g speaks of both, and the fact is known again.
int g;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void f(void) {
    int old = g;
    if (__VERIFIER_nondet_int()) g = 7;
    g = old;
}

int main(void) {
    int l = 0;
    f();
    if (l != g) reach_error();
    return 0;
}

// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_5_3.preds
//
// TOPLAS05, sections 5.3 and 5.4: `simple` writes through its parameter. *'p is what its first value points to now, '(*p) what it
// pointed to at the beginning; the caller reads *'p == 8 as *a == 8.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void simple(int *p) {
    *p = 8;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *a = &n;
    simple(a);
    if (*a != 8) reach_error();
    return 0;
}

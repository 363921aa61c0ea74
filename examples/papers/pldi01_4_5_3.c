// expect: UNSAFE
// options: --predicates pldi01_4_5_3.preds
//
// PLDI01, section 4.5.3, note 4: a callee that changes its formal cannot tell its caller anything about the argument by
// predicates on the formal. `set` ends with x = 1; `a` in main is still what it was.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int set(int x) {
    x = 1;
    return 0;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    set(a);
    if (a != 1) reach_error();
    return 0;
}

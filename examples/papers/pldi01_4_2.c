// options: --predicates pldi01_4_2.preds
//
// PLDI01, section 4.2: the assignment x = 3 and the predicate *p > 5. In `may` p may point to x: the predicate becomes
// false if it does and keeps its value if it does not. In `cannot` the analysis of pointers knows that it does not.
extern int __VERIFIER_nondet_int(void);

void may(int *p) {
    int x = 0;
    if (__VERIFIER_nondet_int()) p = &x;
    x = 3;
    if (*p > 5) *p = 5;
}

void cannot(int *p) {
    int x = 0;
    int *q = &x;
    x = 3;
    if (*p > 5) *q = *p;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    may(&n);
    cannot(&n);
    return 0;
}

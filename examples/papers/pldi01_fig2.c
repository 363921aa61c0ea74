// options: --predicates pldi01_fig2.preds
//
// PLDI01, figure 2 and sections 4.3 to 4.5: an assignment through a pointer, a condition on what it points to, and a call that
// passes it on. What the paper leaves out of `bar` is filled in here.
extern int __VERIFIER_nondet_int(void);

int bar(int *q, int y) {
    int l1, l2;
    l1 = y;
    l2 = *q;
    if (l2 > y) *q = l2 - 1;
    return l1;
}

void foo(int *p, int x) {
    int r;
    if (*p <= x)
        *p = x;
    else
        *p = *p + x;
    r = bar(p, x);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    foo(&n, __VERIFIER_nondet_int());
    return 0;
}

// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_fig5_alias.preds
//
// TOPLAS05, figures 5 and 6, with a second call whose arguments are one variable: now *p and *q may be the same,
// and the answer stays right.
extern void reach_error(void);

static void swap(int *p, int *q) {
    int t;
    t = *p;
    *p = *q;
    *q = t;
}

static void test(void) {
    int x, y;
    x = 5;
    y = 4;
    swap(&x, &y);
    if (x != 4 || y != 5) reach_error();
    swap(&x, &x);
    if (x != 4) reach_error();
}

int main(void) {
    test();
    return 0;
}

// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_fig5.preds
//
// TOPLAS05, figures 5 and 6: one abstraction of `swap` serves every caller.
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
}

int main(void) {
    test();
    return 0;
}

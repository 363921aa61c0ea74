// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_fig3_foo5.preds
//
// TOPLAS05, section 2: a call foo(5) needs other predicates in `foo`, but no new abstraction of `inc`. With
// `toplas05_fig3_poly.preds`, the predicates of the paper's note 3, `foo` serves every caller as well.
extern void reach_error(void);

static int inc(int x) {
    x = x + 1;
    return x;
}

static int foo(int a) {
    int b, c;
    b = inc(a);
    c = inc(b);
    return c;
}

int main(void) {
    int r = foo(5);
    if (r != 7) reach_error();
    return 0;
}

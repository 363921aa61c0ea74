// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_fig3.preds
//
// TOPLAS05, figure 1: if `foo` is called with 2, then c is 4. `toplas05_fig2.preds` are the paper's monomorphic predicates
// and `toplas05_fig2.bp` its figure 2; `toplas05_fig3.preds` are the polymorphic ones and `toplas05_fig3.bp` figure 3, in
// which the abstraction of `inc` serves every caller. The figures are for integers that do not overflow
// (--signed-overflow undefined).
extern void reach_error(void);

static int inc(int x) {
    x = x + 1;
    return x;
}

static void foo(int a) {
    int b, c;
    b = inc(a);
    c = inc(b);
    if (a == 2 && c != 4) reach_error();
}

int main(void) {
    foo(2);
    return 0;
}

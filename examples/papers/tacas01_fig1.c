// expect: SAFE
// options: --entry foo --engine abstraction --no-invgen --predicates tacas01_fig1.preds
//
// TACAS01, figure 1: the assertion is not reachable from any calling context, so every global starts arbitrary. (In the
// paper's boolean program the condition of the loop is printed as b2; it is !b2.)
extern int x, y, z, w;
extern void reach_error(void);

void foo(void) {
    do {
        z = 0;
        x = y;
        if (w) {
            x++;
            z = 1;
        }
    } while (x != y);
    if (z) reach_error();
}

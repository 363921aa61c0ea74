// options: --entry f
//
// PLDI01, section 4.1, and TOPLAS05, section 4.3: x := x+1 and assume(x < 2) over {x < 5, x = 2}. F(x < 4) is {x = 2}.
// `pldi01_4_1.math.bp` is the papers' answer (--signed-overflow undefined), `pldi01_4_1.bp` the one where addition wraps:
// not x < 5 then says nothing about x + 1.
extern void abort(void);

void f(int x) {
    x = x + 1;
    if (!(x < 2)) abort();
}

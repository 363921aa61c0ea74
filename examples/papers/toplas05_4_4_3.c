// expect: UNSAFE
// options: --engine abstraction --no-invgen --predicates toplas05_4_4_3.preds
//
// TOPLAS05, section 4.4.3: a predicate of the caller that mentions a global speaks of its original value after a call that
// changes it. `l == g` held before the call; it does not hold after it, and no stale fact says so.
int g;
extern void reach_error(void);

static void f(void) {
    g = g + 1;
}

int main(void) {
    int l = 0;
    f();
    if (l != g) reach_error();
    return 0;
}

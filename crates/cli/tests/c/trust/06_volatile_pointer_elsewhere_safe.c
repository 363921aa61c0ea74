// options: --volatile nondet
// expect: SAFE
// What a volatile pointer gives is what was stored in it, or something that the outside knows; `x` is neither.
extern void reach_error(void);
int main(void) {
    int x = 1, y = 1;
    int *volatile p = &y;
    int *q = p;
    if (q == &y) *q = 2;
    if (x == 2) reach_error();
    return 0;
}

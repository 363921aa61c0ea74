// expect: UNSAFE
// inputs: 0
// data-model: any
// Each activation has its own local, and a pointer to an outer one stays that.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int go(int *outer, int n) {
    int mine = n;
    if (outer) *outer = *outer + 10;
    if (n > 0) go(&mine, n - 1);
    return mine;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n != 0 && n != 1) return 0;
    int r = go(0, n);
    if (r != n) reach_error();
    return 0;
}

// expect: SAFE
// data-model: any
// A call may write what it was given, and nothing else.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void set(int *p, int v) { *p = v; }
int main(void) {
    int x = 1, y = 2;
    int v = __VERIFIER_nondet_int();
    set(&x, v);
    if (y != 2) reach_error();
    return 0;
}

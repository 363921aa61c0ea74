// expect: UNSAFE
// data-model: any
// inputs: 11
// The bound is passed by one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int max(int a, int b) {
    return a > b ? a : b;
}

int min(int a, int b) {
    return a < b + 2 ? a : b;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = max(-10, min(x, 10));
    if (y < -10 || y > 10)
        reach_error();
    return 0;
}

// expect: UNSAFE
// data-model: any
// inputs: 2147483648
// harmless: 18446744073709551611
// The absolute value of the smallest int is negative.
// With mathematical integers the result is never negative.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int abs = x < 0 ? -x : x;
    __VERIFIER_assert(abs >= 0);
    return 0;
}

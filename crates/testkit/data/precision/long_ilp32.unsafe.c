// expect: UNSAFE
// data-model: ILP32
// inputs: 2147483647 1
// harmless: 4 5
// The sum of two ints is computed in long, but a long has 32 bits and the sum wraps.
// With the 64-bit data model the sum of two positive ints is positive.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    long sum = (long)x + y;
    if (x > 0 && y > 0)
        __VERIFIER_assert(sum > 0);
    return 0;
}

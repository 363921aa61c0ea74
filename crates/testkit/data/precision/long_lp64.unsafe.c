// expect: UNSAFE
// data-model: LP64
// inputs: 4294967296
// harmless: 77
// Storing a 64-bit long in an int loses its upper half.
// With the 32-bit data model nothing is lost and the check holds.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    long x = __VERIFIER_nondet_long();
    int y = (int)x;
    __VERIFIER_assert(y == x);
    return 0;
}

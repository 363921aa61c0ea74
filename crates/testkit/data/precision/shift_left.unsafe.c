// expect: UNSAFE
// data-model: any
// inputs: 4026531840 1
// harmless: 5 3
// Shifting left and back loses the upper bits.
// With mathematical integers the two shifts cancel.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int n = __VERIFIER_nondet_uint() & 15;
    __VERIFIER_assert((x << n) >> n == x);
    return 0;
}

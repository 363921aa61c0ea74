// expect: UNSAFE
// data-model: any
// inputs: 1431655765
// harmless: 4
// Exactly one x passes both tests, and its lowest bit is set.
// A tool that takes & ^ | for unknown functions finds no input that reproduces.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if ((x ^ 0x5A5A5A5A) == 0x0F0F0F0F && (x | 0xFF) != x)
        __VERIFIER_assert((x & 1) == 0);
    return 0;
}

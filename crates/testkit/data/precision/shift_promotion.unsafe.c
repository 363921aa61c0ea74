// expect: UNSAFE
// data-model: any
// inputs: 128
// harmless: 5
// Rotating an unsigned char by hand: without the cast back to unsigned char the upper bits stay.
// A tool that computes in 8 bits finds the result within a byte.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned int rotated = c << 1 | c >> 7;
    __VERIFIER_assert(rotated <= 255);
    return 0;
}

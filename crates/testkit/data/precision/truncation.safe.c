// expect: SAFE
// data-model: any
// A conversion to a narrower type keeps the low bits; the sign is then read anew.
// A tool that keeps the value, or saturates, fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = 0x12345678;
    __VERIFIER_assert((unsigned char)x == 0x78);
    __VERIFIER_assert((short)0x18000 == -32768);
    signed char c = (signed char)(x >> 4);
    __VERIFIER_assert(c == 0x67);
    c = (signed char)384;
    __VERIFIER_assert(c == -128);
    /* A narrow variable keeps only its own bits, and compound assignment converts back. */
    unsigned char byte = 250;
    byte += 10;
    __VERIFIER_assert(byte == 4);
    short s = 300;
    s *= 300;
    __VERIFIER_assert(s == 24464);
    return 0;
}

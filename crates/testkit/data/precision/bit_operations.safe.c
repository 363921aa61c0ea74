// expect: SAFE
// data-model: any
// Bit operations act on the two's complement of the promoted operands.
// A tool without bits (uninterpreted or mathematical) cannot evaluate them.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = -6;
    __VERIFIER_assert((x & 0xF) == 10);
    __VERIFIER_assert((x | 1) == -5);
    __VERIFIER_assert((x ^ -1) == ~x);
    __VERIFIER_assert(~x == 5);
    unsigned char c = 0x0F;
    __VERIFIER_assert(~c == -16);
    __VERIFIER_assert((unsigned char)~c == 0xF0);
    /* & binds more weakly than ==. */
    __VERIFIER_assert((4 & 4 == 4) == 0);
    /* The lowest bit that is set. */
    unsigned int u = 0xB0;
    __VERIFIER_assert((u & -u) == 0x10);
    return 0;
}

// expect: SAFE
// data-model: any
// The left operand alone decides the type of a shift, and it is promoted first: an unsigned char shifted left by 8
// does not lose its bits, and ~ of an unsigned char is a negative int.
// A tool that shifts in 8 bits, or in the common type of both operands, fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned char c = 0xF0;
    __VERIFIER_assert(c << 8 == 0xF000);
    __VERIFIER_assert((unsigned char)(c << 4) == 0);
    __VERIFIER_assert(~c >> 4 == -16);
    __VERIFIER_assert((unsigned char)~c >> 4 == 0);
    /* The count's type does not matter: the shift is done in int and loses the bit before the conversion. */
    long long wide = 1 << 31;
    __VERIFIER_assert(wide == -2147483648LL);
    int minus = -2;
    __VERIFIER_assert(minus >> 1ULL == -1);
    return 0;
}

// expect: SAFE
// data-model: any
// Operands narrower than int are promoted to int: the sum of two unsigned chars does not wrap at 256, and the
// difference of two unsigned values of a narrow type can be negative.
// A tool that computes in the operands' own type fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned char a = 200, b = 100;
    unsigned short small = 1, large = 2;
    __VERIFIER_assert(a + b == 300);
    __VERIFIER_assert((unsigned char)(a + b) == 44);
    __VERIFIER_assert(small - large < 0);
    __VERIFIER_assert(-small < 0);
    unsigned int s = 1, l = 2;
    __VERIFIER_assert(s - l > 0);
    __VERIFIER_assert(sizeof(a + b) == sizeof(int));
    return 0;
}

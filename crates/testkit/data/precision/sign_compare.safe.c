// expect: SAFE
// data-model: any
// When an int meets an unsigned int, the int is converted: -1 becomes 4294967295.
// A tool that compares the mathematical values says -1 < 1.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int minus = -1;
    unsigned int one = 1;
    __VERIFIER_assert(minus > one);
    __VERIFIER_assert(!(minus < one));
    __VERIFIER_assert(minus == 4294967295u);
    /* Both unsigned chars are promoted to int: this comparison is signed. */
    unsigned char small = 1;
    __VERIFIER_assert(minus < small);
    return 0;
}

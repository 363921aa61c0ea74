// expect: SAFE
// data-model: any
// Conversion to _Bool asks "is it not zero?" and never truncates: 256 becomes 1.
// A tool that takes the low bit or the low byte fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    _Bool b = 256;
    __VERIFIER_assert(b == 1);
    b = 2;
    __VERIFIER_assert(b == 1);
    b++;
    __VERIFIER_assert(b == 1);
    b--;
    __VERIFIER_assert(b == 0);
    b--;
    __VERIFIER_assert(b == 1);
    b = 0x100000000LL;
    __VERIFIER_assert(b);
    __VERIFIER_assert(b + b == 2);
    return 0;
}

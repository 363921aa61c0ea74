// expect: SAFE
// data-model: any
// The type of a literal depends on its value and form: 2147483648 is a signed type wider than int, 0x80000000 is
// unsigned int.
// A tool that gives both the same type fails one of the checks.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    __VERIFIER_assert(-2147483648 < 0);
    __VERIFIER_assert(-0x80000000 > 0);
    __VERIFIER_assert(sizeof(2147483648) == 8);
    __VERIFIER_assert(sizeof(0x80000000) == 4);
    __VERIFIER_assert(-1 < 2147483648);
    __VERIFIER_assert(-1 > 0x80000000);
    __VERIFIER_assert(010 == 8);
    return 0;
}

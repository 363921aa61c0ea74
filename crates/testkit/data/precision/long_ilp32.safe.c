// expect: SAFE
// data-model: ILP32
// long has 32 bits: 4294967296 becomes 0, and comparing a long with an unsigned int is unsigned.
// With the 64-bit data model each check fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    long big = (long)4294967296LL;
    unsigned int u = 4294967295u;
    long minus = -1;
    __VERIFIER_assert(sizeof(long) == 4);
    __VERIFIER_assert(big == 0);
    __VERIFIER_assert(minus == u);
    __VERIFIER_assert(2147483647L + 1 < 0);
    return 0;
}

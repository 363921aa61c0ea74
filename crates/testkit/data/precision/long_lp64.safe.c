// expect: SAFE
// data-model: LP64
// long has 64 bits: 4294967296 fits, and an unsigned int is converted to long without change.
// With the 32-bit data model each check fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    long big = 4294967296L;
    unsigned int u = 4294967295u;
    long minus = -1;
    __VERIFIER_assert(sizeof(long) == 8);
    __VERIFIER_assert(big != 0);
    __VERIFIER_assert(minus < u);
    __VERIFIER_assert(big >> 32 == 1);
    __VERIFIER_assert(2147483647L + 1 > 0);
    return 0;
}

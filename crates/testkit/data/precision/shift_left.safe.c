// expect: SAFE
// data-model: any
// A left shift drops what leaves the word, and may change the sign.
// With mathematical integers (x * 2^n) the checks fail.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int one = 1;
    unsigned int u = 0x80000001u;
    __VERIFIER_assert(one << 31 < 0);
    __VERIFIER_assert(u << 1 == 2);
    __VERIFIER_assert((u << 4) >> 4 == 1);
    return 0;
}

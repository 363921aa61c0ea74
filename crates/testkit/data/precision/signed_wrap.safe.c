// expect: SAFE
// data-model: any
// Signed arithmetic wraps (gcc -fwrapv): the largest int plus one is the smallest, whose negation is itself.
// With mathematical integers, or when overflow is assumed not to happen, the checks fail or are vacuous.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int top = 2147483647;
    int bottom = top + 1;
    __VERIFIER_assert(bottom < 0);
    __VERIFIER_assert(-bottom == bottom);
    __VERIFIER_assert(bottom - 1 == top);
    __VERIFIER_assert(top * 2 == -2);
    return 0;
}

// expect: SAFE
// data-model: any
// Unsigned arithmetic is modulo 2^32: 4294967295 + 1 is 0 and 0 - 1 is the largest value.
// With mathematical integers the first two checks fail and the loop never ends.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int top = 4294967295u;
    unsigned int zero = 0;
    __VERIFIER_assert(top + 1 == 0);
    __VERIFIER_assert(zero - 1 == top);
    unsigned int steps = 0;
    for (unsigned int i = top - 2; i != 2; i++)
        steps++;
    __VERIFIER_assert(steps == 5);
    return 0;
}

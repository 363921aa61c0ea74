// expect: SAFE
// data-model: any
// Division rounds towards zero and the remainder has the sign of the dividend; unsigned operands divide unsigned.
// A tool with Euclidean or flooring division fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int a = -7, b = 2;
    __VERIFIER_assert(a / b == -3);
    __VERIFIER_assert(a % b == -1);
    __VERIFIER_assert(a / -b == 3);
    __VERIFIER_assert(-a % -b == 1);
    unsigned int u = 2;
    __VERIFIER_assert(a / u == 2147483644u);
    __VERIFIER_assert(a % 10u == 9);
    return 0;
}

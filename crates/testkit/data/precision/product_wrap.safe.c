// expect: SAFE
// data-model: any
// Two unsigned shorts are promoted to int before they are multiplied: 65535 * 65535 wraps to -131071.
// A tool that multiplies in unsigned or in mathematical integers finds a positive product.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned short a = 65535, b = 65535;
    int product = a * b;
    __VERIFIER_assert(product == -131071);
    __VERIFIER_assert(a * b < 0);
    __VERIFIER_assert((unsigned int)a * b == 4294836225u);
    return 0;
}

// expect: UNSAFE
// A weight of a network, kept in two bytes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static _Float16 weights[4] = {0.5f16, 0.25f16, -0.125f16, 1};
int main(void) {
    int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (i < 0 || i > 3 || n < -100 || n > 100) return 0;
    _Float16 x = n;
    float y = weights[i] * x;
    if (y < -100.0f || y > 99.0f) reach_error();
    return 0;
}

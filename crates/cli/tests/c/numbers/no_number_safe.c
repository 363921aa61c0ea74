// expect: SAFE
// A quotient is a number unless both are zero.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    __VERIFIER_assume(a >= -1.0f && a <= 1.0f && b >= -1.0f && b <= 1.0f);
    if (b > 0.5f) {
        float q = a / b;
        CHECK(q == q);
    }
    return 0;
}

// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// A polynomial by Horner's rule.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0.0 && x <= 1.0);
    double p = ((0.5 * x + 1.0) * x + 2.0) * x + 1.0;
    CHECK(p >= 1.0 && p <= 4.5);
    return 0;
}

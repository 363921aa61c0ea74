// expect: UNSAFE
// slow: seconds to minutes in circuits of floating-point operations
// Three rounds of Newton's method for a square root.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double a = __VERIFIER_nondet_double();
    __VERIFIER_assume(a >= 1.0 && a <= 4.0);
    double x = 2.0;
    for (int i = 0; i < 3; i++)
        x = 0.5 * (x + a / x);
    CHECK(x < 2.0);
    return 0;
}

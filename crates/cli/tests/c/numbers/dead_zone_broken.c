// expect: UNSAFE
// slow: seconds to minutes in circuits of floating-point operations
// Small signals are set to zero.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= -10.0 && x <= 10.0);
    double y = x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0.0;
    CHECK(y < 9.5);
    return 0;
}

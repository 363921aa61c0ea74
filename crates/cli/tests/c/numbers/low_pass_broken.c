// expect: UNSAFE
// slow: seconds to minutes in circuits of floating-point operations
// A first-order filter stays within the range of its inputs.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double y = 0.0;
    for (int i = 0; i < 8; i++) {
        double x = __VERIFIER_nondet_double();
        __VERIFIER_assume(x >= -1.0 && x <= 1.0);
        y = 0.75 * y + 0.25 * x;
    }
    CHECK(y <= 0.85);
    return 0;
}

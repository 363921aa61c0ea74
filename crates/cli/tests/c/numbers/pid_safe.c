// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// A controller whose output is limited.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static double limit(double v, double low, double high) {
    if (v < low) return low;
    if (v > high) return high;
    return v;
}
int main(void) {
    double integral = 0.0, last = 0.0, out = 0.0;
    for (int i = 0; i < 3; i++) {
        double error = __VERIFIER_nondet_double();
        __VERIFIER_assume(error >= -10.0 && error <= 10.0);
        integral = limit(integral + error * 0.1, -5.0, 5.0);
        out = 2.0 * error + 0.5 * integral + 0.25 * (error - last);
        last = error;
        out = limit(out, -24.0, 24.0);
    }
    CHECK(out <= 24.0 && out >= -24.0);
    return 0;
}

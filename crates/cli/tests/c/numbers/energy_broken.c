// expect: UNSAFE
// slow: seconds to minutes in circuits of floating-point operations
// Kinetic energy of bounded speeds.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double m = __VERIFIER_nondet_double(), v = __VERIFIER_nondet_double();
    __VERIFIER_assume(m >= 1.0 && m <= 2.0 && v >= -3.0 && v <= 3.0);
    double e = 0.5 * m * (v * v);
    CHECK(e <= 8.9);
    return 0;
}

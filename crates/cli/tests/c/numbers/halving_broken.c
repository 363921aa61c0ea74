// expect: UNSAFE
// slow: seconds to minutes in circuits of floating-point operations
// Halving ends at a bound.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0.0 && x <= 1024.0);
    for (int i = 0; i < 10; i++)
        x = x / 2.0;
    CHECK(x < 1.0);
    return 0;
}

// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// A duty cycle from an integer.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    int ticks = __VERIFIER_nondet_int();
    __VERIFIER_assume(ticks >= 0 && ticks <= 1000);
    double duty = ticks / 1000.0;
    CHECK(duty >= 0.0 && duty <= 1.0);
    return 0;
}

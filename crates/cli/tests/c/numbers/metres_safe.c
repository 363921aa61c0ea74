// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// Feet to metres and back is nearly what it was.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    int feet = __VERIFIER_nondet_int();
    __VERIFIER_assume(feet >= 0 && feet <= 20);
    double m = feet * 0.3048;
    double back = m / 0.3048;
    CHECK(back - feet < 0.001 && feet - back < 0.001);
    return 0;
}

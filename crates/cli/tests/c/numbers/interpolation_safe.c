// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// A point between two values of a table.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double table[3] = { 10.0, 20.0, 15.0 };
    int i = __VERIFIER_nondet_int();
    double t = __VERIFIER_nondet_double();
    __VERIFIER_assume(i >= 0 && i < 2);
    __VERIFIER_assume(t >= 0.0 && t <= 1.0);
    double v = table[i] + (table[i + 1] - table[i]) * t;
    CHECK(v >= 10.0 && v <= 20.0);
    return 0;
}

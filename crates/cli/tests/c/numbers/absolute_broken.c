// expect: UNSAFE
// The absolute value is not negative, unless it is not a number.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    double y = x < 0.0 ? -x : x;
    CHECK(y >= 0.0);
    return 0;
}

// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// The square of a distance is not negative and bounded.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= -3.0f && x <= 3.0f && y >= -4.0f && y <= 4.0f);
    float d = x * x + y * y;
    CHECK(d >= 0.0f && d <= 25.0f);
    return 0;
}

// expect: SAFE
// Conversion to Fahrenheit.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float c = __VERIFIER_nondet_float();
    __VERIFIER_assume(c >= -40.0f && c <= 100.0f);
    float f = c * 1.8f + 32.0f;
    CHECK(f >= -40.001f && f <= 212.001f);
    return 0;
}

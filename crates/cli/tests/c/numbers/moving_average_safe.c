// expect: SAFE
// without: abstraction, which unwinds the loop predicate by predicate
// The mean of four samples lies between their bounds.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float sum = 0.0f;
    for (int i = 0; i < 4; i++) {
        float x = __VERIFIER_nondet_float();
        __VERIFIER_assume(x >= 2.0f && x <= 6.0f);
        sum += x;
    }
    float mean = sum / 4.0f;
    CHECK(mean >= 2.0f && mean <= 6.0f);
    return 0;
}

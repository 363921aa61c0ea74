// expect: UNSAFE
// A number rounded to an integer by adding one half.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0.0f && x <= 100.0f);
    int i = (int)(x + 0.5f);
    CHECK(i - x < 0.5f);
    return 0;
}

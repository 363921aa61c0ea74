// expect: UNSAFE
// A colour from numbers to bytes.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float r = __VERIFIER_nondet_float();
    if (r != r) r = 0.0f;
    if (r < 0.0f) r = 0.0f;
    if (r > 1.0f) r = 1.0f;
    int byte = (int)(r * 256.0f);
    CHECK(byte >= 0 && byte <= 255);
    return 0;
}

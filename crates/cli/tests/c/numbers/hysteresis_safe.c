// expect: SAFE
// A switch with two thresholds.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    int on = 0;
    float x = 0.0f;
    for (int i = 0; i < 4; i++) {
        x = __VERIFIER_nondet_float();
        __VERIFIER_assume(x >= 0.0f && x <= 100.0f);
        if (x > 60.0f) on = 1;
        else if (x < 40.0f) on = 0;
    }
    CHECK(!on || x >= 40.0f);
    return 0;
}

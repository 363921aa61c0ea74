// expect: SAFE
// without: abstraction, which unwinds the loop predicate by predicate
// A float that counts tenths passes the end of a loop by an integer.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = 0.0f;
    int n = 0;
    while (x < 1.0f && n < 20) {
        x += 0.1f;
        n++;
    }
    CHECK(n >= 10 && n <= 11);
    return 0;
}

// expect: SAFE
// slow: seconds to minutes in circuits of floating-point operations
// Two ways to add tenths agree within a tolerance, but not exactly.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 8);
    double sum = 0.0;
    for (int i = 0; i < 8; i++)
        if (i < n) sum += 0.1;
    double product = n * 0.1;
    double difference = sum - product;
    if (difference < 0.0) difference = -difference;
    CHECK(difference < 1e-12);
    return 0;
}

// Where the rounded number does not fit, the result of `lround` is open, but the run goes on (C11 7.12.9.7).
// expect: UNSAFE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern long lround(double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    long rounded = lround(x);
    if (x > 1e19 && rounded != 3) reach_error();
    return 0;
}

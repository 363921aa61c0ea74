// A rounded number that fits is exact, and one that does not is some integer.
// expect: SAFE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern long lround(double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    long rounded = lround(x);
    if (x >= -2.5 && x <= 2.5 && (rounded < -3 || rounded > 3)) reach_error();
    return 0;
}

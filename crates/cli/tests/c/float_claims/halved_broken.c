// expect: UNSAFE
// The half of a subnormal number may be rounded.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>0 && x<1)) return 0;
    if (!(x/2*2==x)) reach_error();
    return 0;
}

// expect: UNSAFE
// A zero may be negative.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x==0)) return 0;
    if (!(1/x>0)) reach_error();
    return 0;
}

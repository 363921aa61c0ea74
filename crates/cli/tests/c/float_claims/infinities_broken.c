// expect: UNSAFE
// The difference of two infinities is no number.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    if (!(x<=y)) return 0;
    if (!(x-y<=0)) reach_error();
    return 0;
}

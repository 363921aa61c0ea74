// expect: UNSAFE
// The bound is passed.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= 0 && x <= 10)) return 0;
    __float128 q = x;
    q = q * q + 1;
    if (q > 100.5) reach_error();
    return 0;
}

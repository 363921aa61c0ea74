// expect: UNSAFE
// Not every number of binary128 is a double.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __float128 q = x;
    q = q * q + 0.25Q;
    double d = q;
    if (d != q) reach_error();
    return 0;
}

// expect: SAFE
// Every double is a number of binary128, and constants have their own precision: a tenth is another number there.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    __float128 q = x;
    if (x == x && (double)q != x) reach_error();
    if (0.1Q == (__float128)0.1 || (double)0.1Q != 0.1) reach_error();
    return 0;
}

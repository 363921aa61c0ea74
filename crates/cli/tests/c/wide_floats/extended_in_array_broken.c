// expect: UNSAFE
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000) return 0;
    long double a[2];
    a[0] = x;
    a[1] = a[0] / 49;
    if (a[1] * 49 != a[0]) reach_error();
    return 0;
}

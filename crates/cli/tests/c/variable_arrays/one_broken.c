// expect: UNSAFE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n) return 0;
    int a[n];
    a[0] = 7;
    a[k] = 5;
    if (a[k] == 5 && a[0] == 7 && n == 6) reach_error();
    return 0;
}

// expect: SAFE
// options: --check bounds
// The last element is at the length less one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    char a[n];
    a[n - 1] = 1;
    return 0;
}

// expect: SAFE
// options: --check bounds
// Every element is written, and no other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) return 0;
    char a[n];
    for (int i = 0; i < n; i++) a[i] = (char)i;
    return a[n - 1];
}

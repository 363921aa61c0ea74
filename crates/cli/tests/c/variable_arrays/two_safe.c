// expect: SAFE
// without: abstraction, which needs many rounds
// Rows whose length is known when the function is called.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int get(int n, int a[n][n], int i, int j) { return a[i][j]; }
int main(void) {
    int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (n < 1 || n > 3 || i < 0 || i >= n || j < 0 || j >= n) return 0;
    int a[n][n];
    a[i][j] = x;
    if (get(n, a, i, j) != x) reach_error();
    return 0;
}

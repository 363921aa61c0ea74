// expect: UNSAFE
// Rows whose length is known when the function is called.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int last(int n, int a[n][n]) { return a[n - 1][n - 1]; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3) return 0;
    int a[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = i * n + j;
    if (last(n, a) == 8) reach_error();
    return 0;
}

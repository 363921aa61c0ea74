// expect: UNSAFE
// options: --check shift
extern int nd(void);
int main(void) { int n = nd(); if (n < 0) return 0; return 1 << n; }

// expect: UNSAFE
// options: --check bounds
extern int nd(void);
int main(void) { int a[2][3] = {{0}}; int k = nd(); if (k < 0 || k > 6) return 0; return a[0][k]; }

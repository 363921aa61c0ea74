// expect: UNSAFE
// options: --check div
/* The quotient is not representable. */
extern int nd(void);
int main(void) { int d = nd(); if (d == 0) return 0; return (-2147483647 - 1) / d; }

// expect: SAFE
// options: --check shift
/* The width is that of the promoted operand. */
extern int nd(void);
int main(void) { unsigned char c = nd(); unsigned n = nd(); if (n > 31) return 0; return (c << n) + ((long long)c << (n + 32)); }

// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void *memset(void *, int, unsigned long);
int main(void) { char a[4]; unsigned n = nd(); if (n > 5) return 0; memset(a, 0, n); return 0; }

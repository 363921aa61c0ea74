// expect: SAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
int main(void) { int a[3], *p = a + 3; int k = nd() & 1; int *q = p - k; if (q - a != 3 - k) reach_error(); return 0; }
